#!lua flags=allow-oom
-- `HostStore.release`. key, holder, gap_s
local L = P .. 't:' .. ARGV[4]
local m = redis.call('HMGET', L, 'holder', 'until', 'next')
if not m[1] and not m[3] and tonumber(ARGV[6]) <= 0 then return 1 end
local till = tonumber(m[2] or 0)
local next_at = math.max(tonumber(m[3] or 0), now + tonumber(ARGV[6]))
if m[1] == ARGV[5] then
  till = 0
  redis.call('HSET', L, 'holder', '', 'until', '0')
end
redis.call('HSET', L, 'next', num(next_at))
expire(L, math.max(till, next_at) - now)
return 1
