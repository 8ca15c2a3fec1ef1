#!lua flags=allow-oom
-- Drop gates last updated, and open, longer ago than so many seconds. number to go on after, how many to look at, seconds
-- -> count, number, more
return once(function()
  local size, before = tonumber(ARGV[5]), now - tonumber(ARGV[6])
  local found = redis.call('ZRANGEBYSCORE', P .. 'gates', '(' .. ARGV[4], '+inf', 'WITHSCORES', 'LIMIT', 0, size)
  local count = 0
  for i = 1, #found, 2 do
    local m = redis.pcall('HMGET', P .. 'g:' .. found[i], 'updated', 'until')
    if m.err or before == math.huge
      or ((tonumber(m[1] or '') or 0) < before and (tonumber(m[2] or '') or 0) <= before) then
      redis.call('DEL', P .. 'g:' .. found[i])
      redis.call('ZREM', P .. 'gates', found[i])
      count = count + 1
    end
  end
  return num(count) .. ' ' .. (found[#found] or ARGV[4]) .. (#found == 2 * size and ' 1' or ' 0')
end)
