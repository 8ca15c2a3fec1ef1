#!lua flags=allow-oom
-- Drop quarantines that ended at least so many seconds ago ('': all), of a site ('': of all): see `sweep`, and behind its
-- arguments the seconds and the site.
local before, site = tonumber(ARGV[6]), ARGV[7]
before = before and now - before
return sweep('quarantines', 'q:', function(name)
  if site ~= '' and string.sub(name, 1, #site + 1) ~= site .. '\n' then return false end
  if not before then return true end
  local till = redis.pcall('HGET', P .. 'q:' .. name, 'until')
  return (type(till) == 'string' and tonumber(till) or 0) <= before
end)
