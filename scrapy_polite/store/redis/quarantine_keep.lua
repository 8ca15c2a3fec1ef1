#!lua
-- `QuarantineStore.keep`. site and place, kind, evidence, examples, since, until, refused, decision, updated_at
local Q = P .. 'q:' .. ARGV[4]
local m = redis.call('HMGET', Q, 'updated', 'decision', 'refused', 'since', 'until')
local refused, outranked = tonumber(ARGV[10]), false
if m[1] then
  local updated, decided = tonumber(m[1]), m[2] ~= ''
  local by = ahead(updated)
  if by > 0 then -- `Quarantine.as_of`
    redis.call('HSET', Q, 'updated', num(now), 'since', num(math.min(tonumber(m[4]), now)),
      'until', num(tonumber(m[5]) - by))
    updated = now
  end
  local new = ARGV[11] ~= ''
  outranked = (decided and not new) or (decided == new and updated > tonumber(ARGV[12]))
  refused = math.max(refused, tonumber(m[3]))
end
if not outranked then
  redis.call('HSET', Q, 'kind', ARGV[5], 'evidence', ARGV[6], 'examples', ARGV[7], 'since', ARGV[8], 'until', ARGV[9],
    'decision', ARGV[11], 'updated', ARGV[12])
end
redis.call('HSET', Q, 'refused', num(refused))
redis.call('ZADD', P .. 'quarantines', next_number(), ARGV[4])
return 1
