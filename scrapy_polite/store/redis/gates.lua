#!lua flags=allow-oom
-- `HostStore.changes`. store of the cursor, its number, page size -> {store, now, number, more, rows}
local id, size = store_id(), tonumber(ARGV[6])
local last = ARGV[4] == id and ARGV[5] or '0'
local found = redis.call('ZRANGEBYSCORE', P .. 'gates', '(' .. last, '+inf', 'WITHSCORES', 'LIMIT', 0, size + 1)
local rows = {}
for i = 1, math.min(#found, 2 * size), 2 do
  local G = P .. 'g:' .. found[i]
  local m = redis.pcall('HMGET', G, 'updated', 'until', 'level', 'why', 'start', 'spent', 'kept')
  last = found[i + 1]
  if m.err then m = {} end
  local updated, till, start = tonumber(m[1] or ''), tonumber(m[2] or ''), tonumber(m[5] or '')
  local kept = tonumber(m[7] or '')
  if updated and till and start and kept and ahead(updated) > 0 then
    -- `KeptGate.as_of`, kept as it is read: else it would last as long again whenever it is.
    if till > updated then till = till - ahead(updated) end
    m[1], m[2], m[5] = num(now), num(till), num(math.min(start, now))
    redis.call('HSET', G, 'updated', m[1], 'until', m[2], 'start', m[5], 'kept', num(math.min(kept, now)))
  end
  rows[#rows + 1] = {found[i], m[1] or '', m[2] or '', m[3] or '', m[4] or '', m[5] or '', m[6] or ''}
end
return {id, num(now), last, #found > 2 * size and 1 or 0, rows}
