#!lua flags=allow-oom
-- A worker comes, or comes back. ARGV: lease, the server's run_id, schema; whether the job has to be there; whether the
-- worker comes back under its old name; whether it only pushes; what is shown of it; for how long at least the server has
-- lost nothing; the id of the job that the worker knows, a new id.
local lease, run, schema = tonumber(ARGV[3]), ARGV[4], ARGV[5]
local must_exist, comes_back, only_pushes = ARGV[6] == '1', ARGV[7] == '1', ARGV[8] == '1'
local known = redis.call('GET', P..'schema')
if known and known ~= schema then return {'SCHEMA', known} end
local id, known_id = redis.call('GET', P..'id'), ARGV[11]
if must_exist and (not known or (id and id ~= known_id)) then return {'LOST'} end
if not id then
  id = ARGV[12]
  redis.call('SET', P..'id', id)
end
local floor = 0
if not known then
  redis.call('SET', P..'schema', schema)
  -- The server may have had this job, and leases in it, before it was started.
  floor = now - tonumber(ARGV[10]) + lease
end
local before = redis.call('GET', P..'server')
if before ~= run then
  redis.call('SET', P..'server', run)
  -- The server was restarted, or another took over: who had which host may be forgotten, so nobody gets any until every
  -- lease of before has ended.
  local longest = tonumber(redis.call('HGET', COUNTS, 'lease') or lease)
  if before then floor = now + longest end
end
if floor > now then redis.call('SET', P..'floor', n(floor), 'PX', n(math.ceil((floor - now) / 1000) + 60000)) end
if lease > tonumber(redis.call('HGET', COUNTS, 'lease') or 0) then redis.call('HSET', COUNTS, 'lease', n(lease)) end
if comes_back then
  local m = redis.call('HMGET', P..'w:'..W, 'epoch', 'seq')
  if tonumber(redis.call('ZSCORE', WORKERS, W) or 0) <= 1 or not m[2] then return {'FENCED'} end
  if tonumber(m[1]) >= tonumber(EPOCH) then return {'STALE'} end
  redis.call('ZADD', WORKERS, n(now + lease), W)
  redis.call('HSET', P..'w:'..W, 'epoch', EPOCH, 'back', n(now))
  return {'OK', tonumber(m[2])}
end
local m = redis.call('HMGET', COUNTS, 'queued', 'taken')
local start = redis.call('HMGET', P..'start', 'state', 'ended')
if not only_pushes and start[1] == 'done' and redis.call('ZCARD', WORKERS) == 0
    and tonumber(m[1] or 0) == 0 and tonumber(m[2] or 0) == 0 and now - tonumber(start[2] or 0) > lease then
  redis.call('DEL', P..'start')  -- the job had ended: a new run of it begins
  start = {false, false}
end
redis.call('ZADD', WORKERS, n(now + lease), W)
redis.call('HSET', P..'w:'..W, 'epoch', EPOCH, 'seq', 0, 'lease', n(lease), 'since', n(now), 'shown', ARGV[9])
local ended_ago = -1
if start[1] == 'done' and start[2] and tonumber(m[1] or 0) == 0 then ended_ago = now - tonumber(start[2]) end
return {'OK', 0, ended_ago, tonumber(m[1] or 0), id, math.max(floor - now, 0)}
