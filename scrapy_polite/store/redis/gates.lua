#!lua flags=allow-oom
-- `HostStore.changes`: see `changes`.
return changes('gates', function(name)
  local G = P .. 'g:' .. name
  local m = redis.pcall('HMGET', G, 'updated', 'until', 'level', 'why', 'start', 'spent', 'kept', 'asked')
  if m.err then m = {} end
  local updated, till, start = tonumber(m[1] or ''), tonumber(m[2] or ''), tonumber(m[5] or '')
  local kept = tonumber(m[7] or '')
  if updated and till and start and kept and ahead(updated) > 0 then
    -- `KeptGate.as_of`, kept as it is read: else it would last as long again whenever it is.
    if till > updated then till = till - ahead(updated) end
    m[1], m[2], m[5] = num(now), num(till), num(math.min(start, now))
    redis.call('HSET', G, 'updated', m[1], 'until', m[2], 'start', m[5], 'kept', num(math.min(kept, now)))
  end
  return {name, m[1] or '', m[2] or '', m[3] or '', m[4] or '', m[5] or '', m[6] or '', m[8] or '0'}
end)
