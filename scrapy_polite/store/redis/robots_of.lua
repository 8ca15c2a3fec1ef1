#!lua flags=allow-oom
-- `RobotsStore.of_origin`. origin -> {now, {agent, copy, body}...}
local answer = {num(now)}
local all = redis.call('HGETALL', P .. 'r:' .. ARGV[4])
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 2) == 'c:' then
    local agent = string.sub(all[i], 3)
    answer[#answer + 1] = {agent, all[i + 1], redis.call('HGET', P .. 'r:' .. ARGV[4], 'b:' .. agent) or ''}
  end
end
return answer
