#!lua
-- `HostStore.spend`. key, period_start, pages -> total
return once(function()
  local G, begin = P .. 'g:' .. ARGV[4], tonumber(ARGV[5])
  local m = redis.call('HMGET', G, 'updated', 'start', 'kept', 'until', 'spent')
  local updated, start, kept = tonumber(m[1] or now), tonumber(m[2] or 0), tonumber(m[3] or 0)
  local till, spent = tonumber(m[4] or 0), tonumber(m[5] or 0)
  local by = ahead(updated)
  if by > 0 then -- `KeptGate.as_of`
    if till > updated then till = till - by end
    updated, start, kept = now, math.min(start, now), math.min(kept, now)
  end
  local total = tonumber(ARGV[6]) + (begin > start and 0 or spent)
  redis.call('HSET', G, 'updated', num(math.max(updated, now)), 'start', num(math.max(start, begin)),
    'kept', num(kept), 'until', num(till), 'spent', num(total))
  redis.call('HSETNX', G, 'level', '0')
  redis.call('HSETNX', G, 'why', '')
  redis.call('ZADD', P .. 'gates', next_number(), ARGV[4])
  return num(total)
end)
