#!lua flags=allow-oom
-- Drop quarantines that ended at least so many seconds ago ('': all), of a site ('': of all). number to go on after,
-- how many to look at, seconds, site
-- -> count, number, more
return once(function()
  local size, before, site = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
  before = before and now - before
  local found = redis.call('ZRANGEBYSCORE', P .. 'quarantines', '(' .. ARGV[4], '+inf', 'WITHSCORES', 'LIMIT', 0, size)
  local count = 0
  for i = 1, #found, 2 do
    local goes = site == '' or string.sub(found[i], 1, #site + 1) == site .. '\n'
    if goes and before then
      local till = redis.pcall('HGET', P .. 'q:' .. found[i], 'until')
      goes = (type(till) == 'string' and tonumber(till) or 0) <= before
    end
    if goes then
      redis.call('DEL', P .. 'q:' .. found[i])
      redis.call('ZREM', P .. 'quarantines', found[i])
      count = count + 1
    end
  end
  return num(count) .. ' ' .. (found[#found] or ARGV[4]) .. (#found == 2 * size and ' 1' or ' 0')
end)
