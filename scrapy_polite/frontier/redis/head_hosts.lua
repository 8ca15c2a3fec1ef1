-- Renew the lease, get hosts and requests, hear what has happened. Arguments, the last of a script: hosts wanted, within
-- which time they are to be open, most requests of a new host, then host, queue, most requests of each queue that is to
-- be read. Counts are to be kept afterwards.
local function take(known, first_argument)
  local asked, ahead = tonumber(ARGV[first_argument]), tonumber(ARGV[first_argument + 1])
  local each = tonumber(ARGV[first_argument + 2])
  call('ZADD', WORKERS, now + known.lease, W)

  -- No more than a fair share: all hosts by all workers that are alive, and one more. The hosts of a process are not
  -- empty, or were not just now.
  local alive, gone, workers = 0, 0, call('ZRANGE', WORKERS, 0, -1, 'WITHSCORES')
  for k = 1, #workers, 2 do
    if tonumber(workers[k + 1]) <= now then
      gone = gone + 1
    elseif string.sub(workers[k], 1, 5) ~= 'push:' then
      alive = alive + 1
    end
  end
  local mine, open = call('SCARD', OWN), call('ZCARD', OPEN)
  local share = math.ceil((owned + open) / math.max(alive, 1))
  local closed = now < floor or paused
  local hosts = closed and 0 or math.min(asked, math.max(share + 1 - mine, 0), 100)

  local budget, rows = 200, {}
  -- Some of a queue: the number of the first, the requests, how many are left.
  local function fill(host, queue, want)
    local bodies, any = {}, in_no_order(queue)
    want = math.min(want, budget)
    if want <= 0 then return ids, bodies, length(host, queue) end
    bodies = call(any and 'SPOP' or 'LPOP', queue_key(host, queue), want) or {}
    local first, start = ids + 1, host..'\n'..queue..'\n'
    for k, body in ipairs(bodies) do
      if any then
        body = string.match(body, '^%d+ (.*)$')
        bodies[k] = body
      end
      rows[#rows + 1], rows[#rows + 2] = ids + k, start..body
    end
    ids, budget = ids + #bodies, budget - #bodies
    return first, bodies, #bodies < want and 0 or length(host, queue)
  end

  -- Hosts that this worker may have. Of one with several parts (huge.example#2/4) no more than a share of these: the
  -- others are for other workers.
  local function open_hosts(most)
    local ours, own_parts, skipped = {}, {}, false
    for _, host in ipairs(call('ZRANGEBYSCORE', OPEN, '-inf', now + ahead, 'LIMIT', 0, most)) do
      local name, parts = string.match(host, '^(.*)#%d+/(%d?%d?%d)$')
      if name then
        for part = 0, own_parts[name] and -1 or parts - 1 do
          own_parts[name] = (own_parts[name] or 0) + call('SISMEMBER', OWN, name..'#'..part..'/'..parts)
        end
      end
      if name and own_parts[name] >= math.ceil(parts / math.max(alive, 1)) then
        skipped = true
      elseif #ours < hosts then
        ours[#ours + 1] = host
        if name then own_parts[name] = own_parts[name] + 1 end
      end
    end
    return ours, skipped
  end

  local claimed, filled, changed = {}, {}, {}
  if hosts > 0 and open > 0 then
    local found, skipped = open_hosts(hosts)
    if skipped then found = open_hosts(hosts + 100) end
    for k, host in ipairs(found) do
      local H = P..'h:'..host
      local m = call('HMGET', H, 'c', 'note')
      local queues = m[1] or ''
      local queue, others = string.match(queues, '^([^\n]*)\n?(.*)$')
      local first, bodies, left = ids, {}, -1
      if each > 0 and queue ~= '' then first, bodies, left = fill(host, queue, each) end
      if left == 0 then queues = others end
      call('HSET', H, 'o', W, 'c', queues)
      claimed[k] = {state_of(host, queues), queue, first, bodies, m[2] or ''}
    end
    if #found > 0 then
      call('ZREM', OPEN, unpack(found))
      call('SADD', OWN, unpack(found))
      owned, open = owned + #found, open - #found
    end
  end
  for k = first_argument + 3, #ARGV, 3 do
    local host, queue = ARGV[k], ARGV[k + 1]
    local H = P..'h:'..host
    local m = call('HMGET', H, 'o', 'c')
    if not paused and m[1] == W then
      local first, bodies, left = fill(host, queue, tonumber(ARGV[k + 2]))
      if left == 0 then call('HSET', H, 'c', without(m[2] or '', queue)) end
      filled[#filled + 1] = {host, queue, left, first, bodies}
    else
      filled[#filled + 1] = {host, queue, -1, 0, {}}
    end
  end
  if #rows > 0 then
    call('HSET', TAKEN, unpack(rows))
    queued, taken = queued - #rows / 2, taken + #rows / 2
  end
  for _, host in ipairs(call('SPOP', P..'i:'..W, 100)) do
    local m = call('HMGET', P..'h:'..host, 'o', 'c')
    if m[1] == W then changed[#changed + 1] = state_of(host, m[2]) end
  end

  -- Where others have too few, what is above the share is asked back.
  local is_hungry, surplus = asked > 0 and #claimed == 0 and mine < share and not closed, 0
  local hungry = call('ZRANGEBYSCORE', P..'hungry', now - 2000000, '+inf')
  if is_hungry then
    call('ZADD', P..'hungry', now, W)
  elseif #hungry > 0 then
    call('ZREM', P..'hungry', W)
    surplus = math.max(mine - share, 0)
  end
  local opening = open > 0 and call('ZCOUNT', OPEN, '-inf', now + ahead) or 0
  local facts = {queued, taken, seen, starter and 1 or 0, opening, owned, paused and 1 or 0, gone, surplus, alive}
  return {facts, claimed, filled, changed}
end
