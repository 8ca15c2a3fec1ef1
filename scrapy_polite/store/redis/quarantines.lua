#!lua flags=allow-oom
-- `QuarantineStore.changes`: see `changes`.
return changes('quarantines', function(name)
  local Q = P .. 'q:' .. name
  local m = redis.pcall('HMGET', Q, 'kind', 'evidence', 'examples', 'since', 'until', 'refused', 'decision', 'updated')
  if m.err then m = {} end
  local since, till, updated = tonumber(m[4] or ''), tonumber(m[5] or ''), tonumber(m[8] or '')
  if since and till and updated and ahead(updated) > 0 then
    -- `Quarantine.as_of`, kept as it is read: else it would last as long again whenever it is.
    m[4], m[5], m[8] = num(math.min(since, now)), num(till - ahead(updated)), num(now)
    redis.call('HSET', Q, 'since', m[4], 'until', m[5], 'updated', m[8])
  end
  local row = {name}
  for k = 1, 8 do row[k + 1] = m[k] or '' end
  return row
end)
