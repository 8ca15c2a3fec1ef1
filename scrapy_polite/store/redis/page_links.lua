#!lua flags=allow-oom
-- `PageStore.links`. key -> {flags of the record, links}, each '' where there is none
return {redis.call('GETRANGE', P .. 'p:' .. ARGV[4], 0, 0), redis.call('GET', P .. 'pl:' .. ARGV[4]) or ''}
