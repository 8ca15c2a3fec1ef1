#!lua
-- `DeadUrlStore.keep`. key, status
local scores = redis.call('ZMSCORE', P .. 'dead', '404 ' .. ARGV[4], '410 ' .. ARGV[4])
for i = 1, 2 do
  local seen = scores[i] and tonumber(scores[i])
  if seen and ahead(seen) == 0 and seen > now then return 0 end
end
redis.call('ZREM', P .. 'dead', '404 ' .. ARGV[4], '410 ' .. ARGV[4])
redis.call('ZADD', P .. 'dead', num(now), ARGV[5] .. ' ' .. ARGV[4])
return 1
