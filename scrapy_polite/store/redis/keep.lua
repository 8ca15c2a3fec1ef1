#!lua
-- `HostStore.keep`. key, closed_for_s, level, why, retry_after_s
return once(function()
  local G = P .. 'g:' .. ARGV[4]
  local m = redis.call('HMGET', G, 'updated', 'start', 'kept')
  local updated, start, kept = tonumber(m[1] or now), tonumber(m[2] or 0), tonumber(m[3] or 0)
  local by = ahead(updated)
  if by > 0 then -- `KeptGate.as_of`; the embargo is replaced below
    updated, start, kept = now, math.min(start, now), math.min(kept, now)
  end
  local closed = tonumber(ARGV[5])
  if now >= kept then
    redis.call('HSET', G, 'until', closed > 0 and num(now + closed) or '0', 'level', ARGV[6], 'why', ARGV[7],
      'asked', ARGV[8])
  end
  redis.call('HSET', G, 'updated', num(math.max(updated, now)), 'start', num(start), 'kept', num(math.max(kept, now)))
  redis.call('HSETNX', G, 'spent', '0')
  redis.call('ZADD', P .. 'gates', next_number(), ARGV[4])
  return '1'
end)
