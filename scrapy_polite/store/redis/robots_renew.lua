#!lua flags=allow-oom
-- `RobotsStore.renew`. origin, agent, holder, lease_s -> 1 renewed
local L = P .. 'l:' .. ARGV[4] .. ' ' .. ARGV[5]
if redis.call('HGET', L, 'holder') ~= ARGV[6] then return 0 end
redis.call('HSET', L, 'until', num(now + tonumber(ARGV[7])))
expire(L, 2 * tonumber(ARGV[7]))
return 1
