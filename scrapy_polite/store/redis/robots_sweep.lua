#!lua flags=allow-oom
-- Drop copies last updated longer ago than so many seconds. seconds, how many at most -> count
return once(function()
  local found = redis.call('ZRANGEBYSCORE', P .. 'robots', '-inf', '(' .. num(now - tonumber(ARGV[4])), 'LIMIT', 0, tonumber(ARGV[5]))
  for _, member in ipairs(found) do
    local origin, agent = string.match(member, '^(%S*) (.*)$')
    if origin then
      redis.pcall('HDEL', P .. 'r:' .. origin, 'c:' .. agent, 'b:' .. agent, 'n:' .. agent)
    end
    redis.call('ZREM', P .. 'robots', member)
  end
  return num(#found)
end)
