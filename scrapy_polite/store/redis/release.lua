#!lua flags=allow-oom
-- `HostStore.release`. key, holder, gap_s, answered_s_ago or nothing
local L, gap, ago = P .. 't:' .. ARGV[4], tonumber(ARGV[6]), tonumber(ARGV[7])
local m = redis.call('HMGET', L, 'holder', 'until', 'next', 'answered')
if not m[1] and not m[3] and gap <= 0 then return 1 end
local till, next_at = tonumber(m[2] or 0), math.max(tonumber(m[3] or 0), now + gap)
local answered = math.max(tonumber(m[4] or 0), ago and now - ago or 0)
if m[1] == ARGV[5] then
  till = 0
  redis.call('HSET', L, 'holder', '', 'until', '0')
end
redis.call('HSET', L, 'next', num(next_at), 'answered', num(answered))
expire_lease(L, till, next_at, answered)
return 1
