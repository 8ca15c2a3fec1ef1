#!lua flags=allow-oom
-- Drop pages that were due before then. when, how many at most -> count
return once(function()
  local before, most, count = '(' .. ARGV[4], tonumber(ARGV[5]), 0
  while count < most do
    local host = redis.call('ZRANGEBYSCORE', P .. 'pages', '-inf', before, 'LIMIT', 0, 1)[1]
    if not host then break end
    local keys = redis.call('ZRANGEBYSCORE', P .. 'ph:' .. host, '-inf', before, 'LIMIT', 0, most - count)
    for _, key in ipairs(keys) do drop_page(host, key) end
    list_pages(host)
    count = count + #keys
  end
  return num(count)
end)
