#!lua
-- `RobotsStore.put`. origin, agent, copy, body, updated_at, due_at, holder, store of the fence, its number -> 1 kept
local R, L, A = P .. 'r:' .. ARGV[4], P .. 'l:' .. ARGV[4], ARGV[5]
local updated, fence = tonumber(ARGV[8]), ARGV[11] == store_id() and tonumber(ARGV[12]) or 0
local lease = redis.call('HMGET', L, 'holder', 'fence', 'agent')
if lease[3] == A then
  if lease[1] == ARGV[10] then redis.call('DEL', L) end
  if fence > 0 and number_or_0(lease[2]) > fence then return 0 end -- another has claimed since
end
local times = redis.call('HGET', R, 'n:' .. A)
local kept_fence = 0
if times then
  local kept_updated, _, kept = string.match(times, '^(%S+) (%S+) (%S+)$')
  kept_updated, kept_fence = tonumber(kept_updated), tonumber(kept)
  if ahead(kept_updated) > 0 then kept_updated = now end -- `RobotsCopy.as_of`
  if fence > 0 and kept_fence > fence then return 0 end
  if fence == 0 and kept_updated > updated then return 0 end
end
redis.call('HSET', R, 'c:' .. A, ARGV[6], 'b:' .. A, ARGV[7],
  'n:' .. A, ARGV[8] .. ' ' .. ARGV[9] .. ' ' .. string.format('%.0f', math.max(fence, kept_fence)))
redis.call('ZADD', P .. 'robots', ARGV[8], ARGV[4] .. ' ' .. A)
return 1
