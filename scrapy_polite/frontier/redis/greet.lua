#!lua flags=allow-oom
-- A worker comes, or comes back. ARGV: lease, the server's run_id, schema; whether the job has to be there; whether the
-- worker comes back under its old name; whether it only pushes; what is shown of it; for how long at least the server has
-- lost nothing; the id of the job that the worker knows, a new id.
local lease, run, schema = tonumber(ARGV[3]), ARGV[4], ARGV[5]
local must_exist, comes_back, only_pushes = ARGV[6] == '1', ARGV[7] == '1', ARGV[8] == '1'
local known = call('GET', P..'schema')
if known and known ~= schema then return {'SCHEMA', known} end
local id, known_id = call('GET', P..'id'), ARGV[11]
if must_exist and (not known or (id and id ~= known_id)) then return {'LOST'} end
if not id then
  id = ARGV[12]
  call('SET', P..'id', id)
end
local closed_until = 0
if not known then
  call('SET', P..'schema', schema)
  -- The server may have had this job, and leases in it, before it was started.
  closed_until = now - tonumber(ARGV[10]) + lease
end
local longest, ended = unpack(call('HMGET', COUNTS, 'lease', 'ended'))
longest, ended = tonumber(longest or lease), tonumber(ended)
local before = call('GET', P..'server')
if before ~= run then
  call('SET', P..'server', run)
  -- The server was restarted, or another took over: who had which host may be forgotten, so nobody gets any until every
  -- lease of before has ended.
  if before then closed_until = now + longest end
end
if closed_until > now then call('HSET', COUNTS, 'floor', closed_until) end
call('HSET', COUNTS, 'lease', math.max(lease, longest))
if comes_back then
  local m = call('HMGET', WORKER, 'epoch', 'seq')
  if tonumber(call('ZSCORE', WORKERS, W) or 0) <= 1 or not m[2] then return {'FENCED'} end
  if tonumber(m[1]) >= tonumber(EPOCH) then return {'STALE'} end
  call('ZADD', WORKERS, now + lease, W)
  call('HSET', WORKER, 'epoch', EPOCH, 'back', now)
  return {'OK', tonumber(m[2])}
end
if start and not only_pushes and call('ZCARD', WORKERS) == 0 and queued == 0 and taken == 0
    and now - (ended or 0) > lease then
  call('HDEL', COUNTS, 'start', 'starter', 'ended')  -- the job had ended: a new run of it begins
  start = false
end
call('ZADD', WORKERS, now + lease, W)
call('HSET', WORKER, 'epoch', EPOCH, 'seq', 0, 'lease', lease, 'since', now, 'shown', ARGV[9])
local ended_ago = start and ended and queued == 0 and now - ended or -1
return {'OK', 0, ended_ago, queued, id, math.max(closed_until - now, 0)}
