#!lua flags=allow-oom
-- `RobotsStore.renew`. origin, agent, holder, lease_s -> 1 renewed
local L = P .. 'l:' .. ARGV[4]
local lease = redis.call('HMGET', L, 'agent', 'holder')
if lease[1] ~= ARGV[5] or lease[2] ~= ARGV[6] then return 0 end
redis.call('HSET', L, 'until', num(now + tonumber(ARGV[7])))
expire(L, 2 * tonumber(ARGV[7]))
return 1
