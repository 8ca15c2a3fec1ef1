-- Of pages: `p:KEY` has the record, `pl:KEY` its links, `pb:KEY` its body; `ph:HOST` lists the keys of a host by when they
-- are due, `pages` the hosts by when the first of their pages is.
local function list_pages(host)
  local first = redis.call('ZRANGE', P .. 'ph:' .. host, 0, 0, 'WITHSCORES')
  if first[2] then redis.call('ZADD', P .. 'pages', first[2], host) else redis.call('ZREM', P .. 'pages', host) end
end

local function drop_page(host, key)
  redis.call('UNLINK', P .. 'p:' .. key, P .. 'pl:' .. key, P .. 'pb:' .. key)
  redis.call('ZREM', P .. 'ph:' .. host, key)
end
