#!lua flags=allow-oom
-- What is to be said of a job; ARGV as of any script, which do not count here.
local c = redis.call('HMGET', COUNTS, 'queued', 'taken', 'done', 'seen', 'paused')
local start = redis.call('HMGET', P..'start', 'state', 'ended')
local workers = {}
for _, worker in ipairs(redis.call('ZRANGEBYSCORE', WORKERS, n(now), '+inf')) do
  local m = redis.call('HMGET', P..'w:'..worker, 'shown', 'since')
  if string.sub(worker, 1, 5) ~= 'push:' then
    workers[#workers + 1] = {m[1] or worker, now - tonumber(m[2] or now), redis.call('SCARD', P..'own:'..worker)}
  end
end
local ended = -1
if start[1] == 'done' and start[2] then ended = now - tonumber(start[2]) end
return {redis.call('GET', P..'schema') or '', tonumber(c[1] or 0), tonumber(c[2] or 0), tonumber(c[3] or 0),
        tonumber(c[4] or 0), c[5] == '1' and 1 or 0, redis.call('LLEN', P..'aside'), ended, workers}
