#!lua flags=allow-oom
-- `HostStore.release`. key, holder, gap_s, answered_s_ago or nothing
local L, gap, ago = P .. 't:' .. ARGV[4], tonumber(ARGV[6]), tonumber(ARGV[7])
local m = redis.call('HMGET', L, 'holder', 'until', 'next')
if not m[1] and not m[3] and gap <= 0 then return 1 end
local till, next_at, lasts = tonumber(m[2] or 0), math.max(tonumber(m[3] or 0), now + gap), 0
if m[1] == ARGV[5] then
  till = 0
  redis.call('HSET', L, 'holder', '', 'until', '0', 'answered', ago and num(now - ago) or '0')
  if ago then lasts = 86400 end -- whoever asks by then may know of a delay as long as that
end
redis.call('HSET', L, 'next', num(next_at))
expire(L, math.max(till - now, next_at - now, lasts))
return 1
