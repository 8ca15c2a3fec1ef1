#!lua flags=allow-oom
-- The numbers of some of a host's records, one behind another. host, rank of the first, how many, bytes of each ->
-- {how many there were, numbers}
local keys, found = redis.call('ZRANGE', P .. 'ph:' .. ARGV[4], ARGV[5], ARGV[5] + ARGV[6] - 1), {}
for _, key in ipairs(keys) do
  local numbers = redis.pcall('GETRANGE', P .. 'p:' .. key, 0, ARGV[7] - 1)
  if type(numbers) == 'string' and #numbers == tonumber(ARGV[7]) then found[#found + 1] = numbers end
end
return {#keys, table.concat(found)}
