#!lua flags=allow-oom
-- A client has connected. run id of the server, schema, a new store's id, the id that the client knows ('' none), for how
-- many seconds at least the server has lost nothing -> {schema, id}
local schema = redis.call('GET', P .. 'schema')
if schema and schema ~= ARGV[5] then return {schema, ''} end
local id = redis.call('GET', P .. 'id')
if not id then
  id = ARGV[6]
  redis.call('SET', P .. 'id', id)
  redis.call('SET', P .. 'schema', ARGV[5])
  -- The server may have had this store, and leases in it, before it was started.
  local intact = tonumber(ARGV[8])
  if intact < 604800 then redis.call('SET', P .. 'restarted', num(now - intact), 'EX', 604800) end
end
-- After a restart or a failover who has which host may be forgotten: see acquire.
local run = redis.call('GET', P .. 'run')
if (run and run ~= ARGV[4]) or (ARGV[7] ~= '' and ARGV[7] ~= id) then
  redis.call('SET', P .. 'restarted', num(now), 'EX', 604800)
end
redis.call('SET', P .. 'run', ARGV[4])
return {ARGV[5], id}
