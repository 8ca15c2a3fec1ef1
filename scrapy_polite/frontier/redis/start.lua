#!lua flags=allow-oom
-- Whether the worker is to send the spider's start requests: 1, 0, or -1 as another one is at it.
local why = unheard()
if why then return {why} end
if start then return {'OK', 0} end
if starter == W then return {'OK', 1} end
if starter and tonumber(call('ZSCORE', WORKERS, starter) or 0) > 1 then return {'OK', -1} end
call('HSET', COUNTS, 'starter', W)
return {'OK', 1}
