#!lua flags=allow-oom
-- `HostStore.release`. key, holder, gap_s or nothing
local L = P .. 't:' .. ARGV[4]
local m = redis.call('HMGET', L, 'holder', 'until', 'next')
local gap = tonumber(ARGV[6])
if not m[1] and not m[3] and (gap or 0) <= 0 then return 1 end
local till = tonumber(m[2] or 0)
local next_at = math.max(tonumber(m[3] or 0), now + (gap or 0))
if m[1] == ARGV[5] then
  till = gap and 0 or now
  redis.call('HSET', L, 'holder', '', 'until', num(till))
end
redis.call('HSET', L, 'next', num(next_at))
expire(L, math.max(till, next_at) - now)
return 1
