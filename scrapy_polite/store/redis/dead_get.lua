#!lua flags=allow-oom
-- `DeadUrlStore.get`. key -> {status, seen_at}, or nothing
local scores = redis.call('ZMSCORE', P .. 'dead', '404 ' .. ARGV[4], '410 ' .. ARGV[4])
for i, status in ipairs({'404', '410'}) do
  local seen = scores[i] and tonumber(scores[i])
  if seen and ahead(seen) == 0 then return {status, num(seen)} end -- `DeadUrl.as_of`
end
return {}
