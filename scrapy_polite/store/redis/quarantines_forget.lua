#!lua flags=allow-oom
-- `QuarantineStore.forget` of one. site and place -> count
return once(function()
  local listed = redis.call('ZREM', P .. 'quarantines', ARGV[4])
  redis.call('DEL', P .. 'q:' .. ARGV[4])
  return num(listed)
end)
