#!lua flags=allow-oom
-- Forget that hosts have lied. hosts
for i = 4, #ARGV do redis.call('ZREM', P .. 'lying', ARGV[i]) end
return 1
