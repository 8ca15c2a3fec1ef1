#!lua flags=allow-oom
-- `RobotsStore.forget` of one origin -> count
return once(function()
  local R, count = P .. 'r:' .. ARGV[4], 0
  for _, field in ipairs(redis.call('HKEYS', R)) do
    if string.sub(field, 1, 2) == 'c:' then
      count = count + 1
      redis.call('ZREM', P .. 'robots', ARGV[4] .. ' ' .. string.sub(field, 3))
    end
  end
  redis.call('DEL', R)
  return num(count)
end)
