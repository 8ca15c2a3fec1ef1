#!lua flags=allow-oom
-- `HostStore.acquire`. key, holder, hold_s, if_known, gap_s -> seconds to wait
local L, holder, hold = P .. 't:' .. ARGV[4], ARGV[5], tonumber(ARGV[6])
local general = redis.call('MGET', P .. 'id', P .. 'restarted')
known_id(general[1])
local m = redis.call('HMGET', L, 'holder', 'taken', 'until', 'next', 'answered')
if ARGV[7] == '1' and not m[1] and not m[4] then return '0' end
local owner, taken, till, next_at = m[1] or '', tonumber(m[2] or 0), tonumber(m[3] or 0), tonumber(m[4] or 0)
local answered = tonumber(m[5] or 0)
taken, till, next_at, answered = lease_as_of(L, taken, till, next_at, answered)
if answered > 0 and answered + tonumber(ARGV[8]) > next_at then -- `HostLease.asked`
  next_at = answered + tonumber(ARGV[8])
  redis.call('HSET', L, 'next', num(next_at))
  expire_lease(L, till, next_at, answered)
end
local held = till > now
local earliest = next_at
local restarted = tonumber(general[2] or 0)
if restarted > 0 and taken < restarted then
  if ahead(restarted) > 0 then
    restarted = now
    redis.call('SET', P .. 'restarted', num(now), 'EX', 604800)
  end
  -- Somebody may have been sending when the server stopped, and the server may not know of it any more, nor who it was.
  -- All leases are as long as this one is to be, the delay of the host included.
  earliest = math.max(earliest, restarted + hold)
end
if owner == holder or not held then
  if earliest <= now then
    redis.call('HSET', L, 'holder', holder, 'taken', num(now), 'until', num(now + hold))
    expire_lease(L, now + hold, next_at, answered)
    return '0'
  end
  return num(earliest - now)
end
-- `HostLease.wait_s`
local again = math.max(math.min(now - taken, 1), 0.05)
return num(math.max(earliest - now, math.min(till - now, again)))
