#!lua flags=allow-oom
-- Some of a host's pages. host, cursor -> {cursor, {key, record...}}
local found, answer = redis.call('SSCAN', P .. 'ph:' .. ARGV[4], ARGV[5], 'COUNT', 300), {}
for _, key in ipairs(found[2]) do
  local record = redis.pcall('GET', P .. 'p:' .. key)
  answer[#answer + 1] = key
  answer[#answer + 1] = type(record) == 'string' and record or ''
end
return {found[1], answer}
