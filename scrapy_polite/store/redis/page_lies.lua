#!lua
-- `PageStore.lies`. host, when, how many are kept
redis.call('ZADD', P .. 'lying', ARGV[5], ARGV[4])
redis.call('ZREMRANGEBYRANK', P .. 'lying', 0, string.format('%.0f', -1 - tonumber(ARGV[6])))
return 1
