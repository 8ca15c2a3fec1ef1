#!lua flags=allow-oom
-- `PageStore.get` and `body`. what ('p:' or 'pb:'), key -> what is kept, or ''
return redis.call('GET', P .. ARGV[4] .. ARGV[5]) or ''
