#!lua flags=allow-oom
-- `RobotsStore.release`. origin, agent, holder
local L = P .. 'l:' .. ARGV[4]
local lease = redis.call('HMGET', L, 'agent', 'holder')
if lease[1] == ARGV[5] and lease[2] == ARGV[6] then redis.call('DEL', L) end
return 1
