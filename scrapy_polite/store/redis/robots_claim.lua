#!lua flags=allow-oom
-- `RobotsStore.claim`. origin, agent, holder, lease_s, due_in_s
-- -> {granted, now, store, fence, whose lease, for which agent, copy, body}
local A, holder, lease_s = ARGV[5], ARGV[6], tonumber(ARGV[7])
local L, id = P .. 'l:' .. ARGV[4], store_id()
local m = redis.call('HMGET', P .. 'r:' .. ARGV[4], 'c:' .. A, 'b:' .. A, 'n:' .. A)
local copy, body = m[1] or '', m[2] or ''
if m[1] and m[3] then
  local updated, due = string.match(m[3], '^(%S+) (%S+) %S+$')
  due = tonumber(due)
  if ahead(tonumber(updated)) > 0 then due = math.min(due, now - AHEAD) end -- `RobotsCopy.as_of`
  if due > now + tonumber(ARGV[8]) then return {0, num(now), id, 0, '', '', copy, body} end
end
local lease = redis.call('HMGET', L, 'holder', 'until', 'fence', 'agent')
local mine = lease[1] == holder and lease[4] == A
local till, held_fence = number_or_0(lease[2]), number_or_0(lease[3])
if lease[1] and not mine and now < till and till <= now + lease_s + AHEAD then
  return {0, num(now), id, 0, lease[1], lease[4] or '', copy, body}
end
local fence = mine and held_fence > 0 and held_fence or next_number()
redis.call('HSET', L, 'agent', A, 'holder', holder, 'until', num(now + lease_s), 'fence', string.format('%.0f', fence))
expire(L, 2 * lease_s)
return {1, num(now), id, fence, '', '', copy, body}
