#!lua flags=allow-oom
-- Of some of a host's pages drop those that were due before then, or cannot be read. host, cursor, when ->
-- {cursor, how many were dropped, when the first of the others is due}
local found = redis.call('SSCAN', P .. 'ph:' .. ARGV[4], ARGV[5], 'COUNT', 300)
local before, count, first = tonumber(ARGV[6]), 0, math.huge
for _, key in ipairs(found[2]) do
  local numbers = redis.pcall('GETRANGE', P .. 'p:' .. key, 0, 46)
  local due = -math.huge
  if type(numbers) == 'string' and #numbers == 47 then
    due = struct.unpack('>d', numbers, 8) + struct.unpack('>d', numbers, 24)
  end
  if due >= before then
    first = math.min(first, due)
  else
    drop_page(ARGV[4], key)
    count = count + 1
  end
end
return {found[1], num(count), num(first)}
