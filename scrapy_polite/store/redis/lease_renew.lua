#!lua flags=allow-oom
-- `HostStore.renew`. key, holder, hold_s -> 1 renewed
local L, till = P .. 't:' .. ARGV[4], now + tonumber(ARGV[6])
store_id()
local m = redis.call('HMGET', L, 'holder', 'taken', 'next', 'answered')
if m[1] ~= ARGV[5] then return 0 end
local _, _, next_at, answered = lease_as_of(L, number_or_0(m[2]), till, number_or_0(m[3]), number_or_0(m[4]))
redis.call('HSET', L, 'taken', num(now), 'until', num(till))
expire_lease(L, till, next_at, answered)
return 1
