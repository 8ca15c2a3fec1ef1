#!lua flags=allow-oom
-- A worker leaves: its hosts are for others. What it has not done is cleared up after it. 1: there is more to do.
local why = unheard()
if why then return {why} end
if give_up_some(W) > 0 then return {'OK', 1} end
if starter == W then call('HDEL', COUNTS, 'starter') end
call('ZREM', P..'hungry', W)
call('DEL', P..'i:'..W, P..'k:'..W)
if call('EXISTS', TAKEN) == 1 then
  call('ZADD', WORKERS, 1, W)
else
  call('ZREM', WORKERS, W)
  call('DEL', WORKER, BEGUN, SENT)
end
if queued == 0 and taken == 0 and start then call('HSET', COUNTS, 'ended', now) end
return {'OK', 0}
