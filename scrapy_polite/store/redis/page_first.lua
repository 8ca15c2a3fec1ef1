#!lua flags=allow-oom
-- A host's pages were swept. host, when the first of them is due: what was kept meanwhile may be due sooner, but not yet.
if redis.call('ZSCORE', P .. 'pages', ARGV[4]) then
  redis.call('ZADD', P .. 'pages', num(math.min(tonumber(ARGV[5]), now)), ARGV[4])
end
unlist_without_pages(ARGV[4])
return 1
