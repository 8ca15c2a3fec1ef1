#!lua flags=allow-oom
-- `DeadUrlStore.forget`. key, or nothing for all -> count
return once(function()
  if ARGV[4] then return num(redis.call('ZREM', P .. 'dead', '404 ' .. ARGV[4], '410 ' .. ARGV[4])) end
  local count = redis.call('ZCARD', P .. 'dead')
  redis.call('UNLINK', P .. 'dead')
  return num(count)
end)
