#!lua flags=allow-oom
-- `HostStore.renew`. key, holder, hold_s -> 1 renewed
local L, till = P .. 't:' .. ARGV[4], now + tonumber(ARGV[6])
store_id()
local m = redis.call('HMGET', L, 'holder', 'next', 'answered')
if m[1] ~= ARGV[5] then return 0 end
redis.call('HSET', L, 'taken', num(now), 'until', num(till))
expire_lease(L, till, tonumber(m[2] or 0), tonumber(m[3] or 0))
return 1
