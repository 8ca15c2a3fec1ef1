#!lua flags=allow-oom
-- Whether the worker is to send the spider's start requests: 1, 0, or -1 as another one is at it.
local why = unheard()
if why then return {why} end
local start = redis.call('HMGET', P..'start', 'state', 'by')
if start[1] == 'done' then return {'OK', 0} end
if start[2] == W then return {'OK', 1} end
if start[2] and tonumber(redis.call('ZSCORE', WORKERS, start[2]) or 0) > 1 then return {'OK', -1} end
redis.call('HSET', P..'start', 'by', W)
return {'OK', 1}
