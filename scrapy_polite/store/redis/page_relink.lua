#!lua flags=allow-oom
-- Put others in the place of a page's links, unless somebody has. key, SHA-1 of the links that were read, links -> 1 done
local links = P .. 'pl:' .. ARGV[4]
local known = redis.call('GET', links)
if not known or redis.sha1hex(known) ~= ARGV[5] then
  return known and redis.sha1hex(known) == redis.sha1hex(ARGV[6]) and 1 or 0
end
redis.call('SET', links, ARGV[6])
return 1
