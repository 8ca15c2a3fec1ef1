#!lua flags=allow-oom
-- `PageStore.lying_hosts` -> hosts
return redis.call('ZREVRANGE', P .. 'lying', 0, -1)
