#!lua flags=allow-oom
-- Drop pages of a host, with all that is beside them. host, keys
for i = 5, #ARGV do drop_page(ARGV[4], ARGV[i]) end
unlist_without_pages(ARGV[4])
return 1
