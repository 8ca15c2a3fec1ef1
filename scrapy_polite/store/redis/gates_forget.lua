#!lua flags=allow-oom
-- `HostStore.forget` of one. key -> count
return once(function()
  local listed = redis.call('ZREM', P .. 'gates', ARGV[4])
  redis.call('DEL', P .. 'g:' .. ARGV[4])
  return num(listed)
end)
