#!lua flags=allow-oom
-- A page of what is queued or taken, for a person to see. ARGV: `open` for hosts of nobody, `own` for those of a worker,
-- `taken` for what it has taken; the worker; cursor -> cursor, and rows of a host with queues and their lengths.
local what, worker, cursor, rows = ARGV[3], ARGV[4], ARGV[5], {}
local page
if what == 'taken' then
  page = call('HSCAN', P..'t:'..worker, cursor, 'COUNT', 100)
  for k = 2, #page[2], 2 do
    local host, queue = string.match(page[2][k], '^([^\n]*)\n([^\n]*)\n')
    if host then rows[#rows + 1] = {host, queue, 1} end
  end
elseif what == 'own' then
  page = call('SSCAN', P..'own:'..worker, cursor, 'COUNT', 100)
  for _, host in ipairs(page[2]) do rows[#rows + 1] = state_of(host) end
else
  page = call('ZSCAN', OPEN, cursor, 'COUNT', 100)
  for k = 1, #page[2], 2 do rows[#rows + 1] = state_of(page[2][k]) end
end
return {page[1], rows}
