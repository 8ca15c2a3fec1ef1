#!lua
-- `PageStore.keep`. key, host, when it is due, record, links, body. Of the latter '=': as they are, '': there are none
local key, host, record = ARGV[4], ARGV[5], ARGV[7]
redis.call('SADD', P .. 'ph:' .. host, key)
redis.call('ZADD', P .. 'pages', 'LT', ARGV[6], host)
-- POLITE_TARGET_URL may have made it another host's: then it would be listed twice.
local known = redis.call('GET', P .. 'p:' .. key)
if known and #known > 48 then
  local before = string.match(known, '^[^\n]*', 49 + string.byte(known, 48))
  if before and before ~= host then
    redis.call('SREM', P .. 'ph:' .. before, key)
    unlist_without_pages(before)
  end
end
-- Links that stay as they are, but are lost, must not look like a page without any: the bit 8 says that there are some.
if ARGV[8] == '=' and (not known or known == '' or string.byte(known) % 16 >= 8) then
  record = string.char(string.byte(record) + 8) .. string.sub(record, 2)
end
redis.call('SET', P .. 'p:' .. key, record)
for i, kind in ipairs({'pl:', 'pb:'}) do
  local data = ARGV[7 + i]
  if data == '' then
    redis.call('UNLINK', P .. kind .. key)
  elseif data ~= '=' then
    redis.call('SET', P .. kind .. key, data)
  end
end
return 1
