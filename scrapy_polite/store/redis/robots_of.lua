#!lua flags=allow-oom
-- `RobotsStore.of_origin`. origin -> {now, {token, copy, body}...}
local answer = {num(now)}
local all = redis.call('HGETALL', P .. 'r:' .. ARGV[4])
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 2) == 'c:' then
    local token = string.sub(all[i], 3)
    answer[#answer + 1] = {token, all[i + 1], redis.call('HGET', P .. 'r:' .. ARGV[4], 'b:' .. token) or ''}
  end
end
return answer
