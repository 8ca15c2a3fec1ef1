#!lua flags=allow-oom
-- `QuarantineStore.changes`. store of the cursor, its number, page size -> {store, now, number, more, rows}
local id, size = store_id(), tonumber(ARGV[6])
local last = ARGV[4] == id and ARGV[5] or '0'
local found = redis.call('ZRANGEBYSCORE', P .. 'quarantines', '(' .. last, '+inf', 'WITHSCORES', 'LIMIT', 0, size + 1)
local rows = {}
for i = 1, math.min(#found, 2 * size), 2 do
  local Q = P .. 'q:' .. found[i]
  local m = redis.pcall('HMGET', Q, 'kind', 'evidence', 'examples', 'since', 'until', 'refused', 'decision', 'updated')
  last = found[i + 1]
  if m.err then m = {} end
  local since, till, updated = tonumber(m[4] or ''), tonumber(m[5] or ''), tonumber(m[8] or '')
  if since and till and updated and ahead(updated) > 0 then
    -- `Quarantine.as_of`, kept as it is read: else it would last as long again whenever it is.
    m[4], m[5], m[8] = num(math.min(since, now)), num(till - ahead(updated)), num(now)
    redis.call('HSET', Q, 'since', m[4], 'until', m[5], 'updated', m[8])
  end
  local row = {found[i]}
  for k = 1, 8 do row[k + 1] = m[k] or '' end
  rows[#rows + 1] = row
end
return {id, num(now), last, #found > 2 * size and 1 or 0, rows}
