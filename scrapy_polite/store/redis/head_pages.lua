-- Of pages: `p:KEY` has the record, `pl:KEY` its links, `pb:KEY` its body; `ph:HOST` is the set of the keys of a host, `pages`
-- has the hosts by a time before which none of their pages is due.
local function unlist_without_pages(host)
  if redis.call('EXISTS', P .. 'ph:' .. host) == 0 then redis.call('ZREM', P .. 'pages', host) end
end

local function drop_page(host, key)
  redis.call('UNLINK', P .. 'p:' .. key, P .. 'pl:' .. key, P .. 'pb:' .. key)
  redis.call('SREM', P .. 'ph:' .. host, key)
end
