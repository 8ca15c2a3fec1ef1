#!lua flags=allow-oom
-- What is to be said of a job; ARGV as of any script, which do not count here.
local workers, ended = {}, tonumber(call('HGET', COUNTS, 'ended'))
for _, worker in ipairs(call('ZRANGEBYSCORE', WORKERS, now, '+inf')) do
  local m = call('HMGET', P..'w:'..worker, 'shown', 'since')
  if string.sub(worker, 1, 5) ~= 'push:' then
    workers[#workers + 1] = {m[1] or worker, now - tonumber(m[2] or now), call('SCARD', P..'own:'..worker)}
  end
end
return {call('GET', P..'schema') or '', queued, taken, done, seen, paused and 1 or 0, call('LLEN', P..'aside'),
        start and ended and now - ended or -1, workers}
