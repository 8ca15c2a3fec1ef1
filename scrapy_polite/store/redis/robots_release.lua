#!lua flags=allow-oom
-- `RobotsStore.release`. origin, agent, holder
local L = P .. 'l:' .. ARGV[4] .. ' ' .. ARGV[5]
if redis.call('HGET', L, 'holder') == ARGV[6] then redis.call('DEL', L) end
return 1
