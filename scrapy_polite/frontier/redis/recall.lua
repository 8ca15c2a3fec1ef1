#!lua flags=allow-oom
-- What the server has of a worker whose reply may have been lost. ARGV: 'hosts' or 'requests', cursor.
local why = unheard()
if why then return {why} end
local found = {}
if ARGV[3] == 'hosts' then
  local page = call('SSCAN', OWN, ARGV[4], 'COUNT', 100)
  for k, host in ipairs(page[2]) do
    local m = call('HMGET', P..'h:'..host, 'c', 'note')
    found[k] = {state_of(host, m[1] or ''), m[2] or ''}
  end
  return {'OK', page[1], found}
end
local page = call('HSCAN', TAKEN, ARGV[4], 'COUNT', 100)
return {'OK', page[1], page[2]}
