#!lua flags=allow-oom
-- The numbers of some of a host's records, one behind another. host, cursor, bytes of each -> {cursor, numbers}
local found, numbers = redis.call('SSCAN', P .. 'ph:' .. ARGV[4], ARGV[5], 'COUNT', 1000), {}
for _, key in ipairs(found[2]) do
  local record = redis.pcall('GETRANGE', P .. 'p:' .. key, 0, ARGV[6] - 1)
  if type(record) == 'string' and #record == tonumber(ARGV[6]) then numbers[#numbers + 1] = record end
end
return {found[1], table.concat(numbers)}
