#!lua flags=allow-oom
-- A worker leaves: its hosts are for others. What it has not done is cleared up after it. 1: there is more to do.
local why = unheard()
if why then return {why} end
local hosts = redis.call('SPOP', P..'own:'..W, 150)
for _, host in ipairs(hosts) do
  if redis.call('HGET', P..'h:'..host, 'o') == W then give_up(host, now) end
end
if #hosts == 150 then return {'OK', 1} end
if redis.call('HGET', P..'start', 'by') == W then redis.call('HDEL', P..'start', 'by') end
redis.call('ZREM', P..'hungry', W)
redis.call('DEL', P..'i:'..W, P..'k:'..W)
if redis.call('EXISTS', P..'t:'..W) == 1 then
  redis.call('ZADD', WORKERS, 1, W)
else
  redis.call('ZREM', WORKERS, W)
  redis.call('DEL', P..'w:'..W, P..'s:'..W)
end
local c = redis.call('HMGET', COUNTS, 'queued', 'taken')
if tonumber(c[1] or 0) == 0 and tonumber(c[2] or 0) == 0 and redis.call('HGET', P..'start', 'state') == 'done' then
  redis.call('HSET', P..'start', 'ended', n(now))
end
return {'OK', 0}
