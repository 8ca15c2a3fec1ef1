#!lua flags=allow-oom
-- Hosts of which pages may have been due before then, some. when -> hosts
return redis.call('ZRANGEBYSCORE', P .. 'pages', '-inf', '(' .. ARGV[4], 'LIMIT', 0, 100)
