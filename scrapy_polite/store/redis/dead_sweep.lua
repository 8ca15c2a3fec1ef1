#!lua flags=allow-oom
-- Drop URLs seen longer ago than so many seconds. seconds, how many at most -> count
return once(function()
  local before = '(' .. num(now - tonumber(ARGV[4]))
  local count = math.min(redis.call('ZCOUNT', P .. 'dead', '-inf', before), tonumber(ARGV[5]))
  if count > 0 then redis.call('ZREMRANGEBYRANK', P .. 'dead', 0, count - 1) end
  return num(count)
end)
