#!lua flags=allow-oom
-- `RobotsStore.get`. origin, agent -> {now, copy, body}, the latter '' where there is none
local m = redis.call('HMGET', P .. 'r:' .. ARGV[4], 'c:' .. ARGV[5], 'b:' .. ARGV[5])
return {num(now), m[1] or '', m[2] or ''}
