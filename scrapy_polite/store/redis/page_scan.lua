#!lua flags=allow-oom
-- Some of a host's pages. host, cursor -> {cursor, {key, record...}}
local found, answer = redis.call('ZSCAN', P .. 'ph:' .. ARGV[4], ARGV[5], 'COUNT', 300), {}
for i = 1, #found[2], 2 do
  local record = redis.pcall('GET', P .. 'p:' .. found[2][i])
  answer[#answer + 1] = found[2][i]
  answer[#answer + 1] = type(record) == 'string' and record or ''
end
return {found[1], answer}
