#!lua flags=allow-oom
-- Renew the lease, get hosts and requests, hear what has happened. ARGV: hosts wanted, within which time they are to be
-- open, most requests of a new host, then host, queue, most requests of each queue that is to be read.
local why = unheard()
if why then return {why} end
local WORKER, TAKEN, OWN = P..'w:'..W, P..'t:'..W, P..'own:'..W
local asked, ahead, each = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('ZADD', WORKERS, n(now + tonumber(redis.call('HGET', WORKER, 'lease'))), W)
local floor = tonumber(redis.call('GET', P..'floor') or 0)
local paused = redis.call('HGET', COUNTS, 'paused') == '1'

-- No more than a fair share: all hosts by all workers that are alive, and one more. The hosts of a process are not
-- empty, or were not just now.
local alive, owned = 0, 0
for _, other in ipairs(redis.call('ZRANGEBYSCORE', WORKERS, n(now), '+inf')) do
  if string.sub(other, 1, 5) ~= 'push:' then
    alive = alive + 1
    owned = owned + redis.call('SCARD', P..'own:'..other)
  end
end
local mine, all = redis.call('SCARD', OWN), owned + redis.call('ZCARD', OPEN)
local share = math.ceil(all / math.max(alive, 1))
local hosts = math.min(asked, math.max(share + 1 - mine, 0))
if now < floor or paused then hosts = 0 end

local got, budget = 0, 200
local function fill(host, queue, want)
  local key, items = queue_key(host, queue), {}
  local part
  want = math.min(want, budget - got)
  if want > 0 then
    part = redis.call(in_no_order(queue) and 'SPOP' or 'LPOP', key, want)
  end
  if part and #part > 0 then
    local base, rows = redis.call('HINCRBY', COUNTS, 'ids', #part) - #part, {}
    for k, body in ipairs(part) do
      if in_no_order(queue) then body = string.match(body, '^%d+ (.*)$') end
      local id = n(base + k)
      items[#items + 1], items[#items + 2] = id, body
      rows[#rows + 1], rows[#rows + 2] = id, host..'\n'..queue..'\n'..body
    end
    redis.call('HSET', TAKEN, unpack(rows))
    redis.call('HINCRBY', P..'h:'..host, 'n', -#part)
    got = got + #part
  end
  local left = length(host, queue)
  if part and left == 0 then drop_queue(host, queue) end
  return items, left
end

local claimed, filled, changed = {}, {}, {}
if hosts > 0 then
  for _, host in ipairs(redis.call('ZRANGEBYSCORE', OPEN, '-inf', n(now + ahead), 'LIMIT', 0, hosts)) do
    redis.call('ZREM', OPEN, host)
    redis.call('HSET', P..'h:'..host, 'o', W)
    redis.call('SADD', OWN, host)
    local queue, items = string.match(redis.call('HGET', P..'h:'..host, 'c') or '', '^[^\n]+'), {}
    if queue and each > 0 then items = fill(host, queue, each) end
    claimed[#claimed + 1] = {state_of(host), queue or '', items}
  end
end
if asked > 0 and #claimed == 0 and mine < share and now >= floor and not paused then
  redis.call('ZADD', P..'hungry', n(now), W)
else
  redis.call('ZREM', P..'hungry', W)
end
for k = 6, #ARGV, 3 do
  local host, queue = ARGV[k], ARGV[k + 1]
  if not paused and redis.call('HGET', P..'h:'..host, 'o') == W then
    local items, left = fill(host, queue, tonumber(ARGV[k + 2]))
    filled[#filled + 1] = {host, queue, left, items}
  else
    filled[#filled + 1] = {host, queue, -1, {}}
  end
end
for _, host in ipairs(redis.call('SPOP', P..'i:'..W, 100)) do
  if redis.call('HGET', P..'h:'..host, 'o') == W then changed[#changed + 1] = state_of(host) end
end
if got > 0 then
  redis.call('HINCRBY', COUNTS, 'queued', -got)
  redis.call('HINCRBY', COUNTS, 'taken', got)
end
-- Where others have too few, what is above the share is asked back.
local surplus = 0
if redis.call('ZCOUNT', P..'hungry', n(now - 2000000), '+inf') > 0 then surplus = math.max(mine - share, 0) end
local c = redis.call('HMGET', COUNTS, 'queued', 'taken', 'seen')
local facts = {
  tonumber(c[1] or 0), tonumber(c[2] or 0), tonumber(c[3] or 0), redis.call('HEXISTS', P..'start', 'by'),
  redis.call('ZCOUNT', OPEN, '-inf', n(now + ahead)), owned + #claimed, paused and 1 or 0,
  redis.call('ZCOUNT', WORKERS, '-inf', n(now)), surplus,
}
return {'OK', facts, claimed, filled, changed}
