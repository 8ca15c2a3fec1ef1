#!lua flags=allow-oom
-- Some of what a sorted set holds. its key, cursor -> {cursor, {member, score...}}
return redis.call('ZSCAN', P .. ARGV[4], ARGV[5], 'COUNT', 300)
