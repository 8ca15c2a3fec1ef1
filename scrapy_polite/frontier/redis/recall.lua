#!lua flags=allow-oom
-- What the server has of a worker whose reply may have been lost. ARGV: 'hosts' or 'requests', cursor.
local why = unheard()
if why then return {why} end
local found = {}
if ARGV[3] == 'hosts' then
  local page = call('SSCAN', OWN, ARGV[4], 'COUNT', 100)
  for _, host in ipairs(page[2]) do found[#found + 1] = state_of(host) end
  return {'OK', page[1], found}
end
local page = call('HSCAN', TAKEN, ARGV[4], 'COUNT', 100)
return {'OK', page[1], page[2]}
