#!lua flags=allow-oom
-- Drop gates last updated, and open, longer ago than so many seconds: see `sweep`, and behind its arguments the seconds.
local before = now - tonumber(ARGV[6])
return sweep('gates', 'g:', function(name)
  local m = redis.pcall('HMGET', P .. 'g:' .. name, 'updated', 'until')
  return m.err or before == math.huge
    or ((tonumber(m[1] or '') or 0) < before and (tonumber(m[2] or '') or 0) <= before)
end)
