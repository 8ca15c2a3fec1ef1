-- What all scripts begin with. KEYS[1] is the prefix of the job's keys, ARGV[1] the worker, ARGV[2] its connection's
-- number (epoch). Times are microseconds of the server's clock; only durations come in. Each call of the server costs
-- about a microsecond, so what can be asked or told at once is. In text, numbers are written with %d: tostring() loses
-- digits beyond 1e14, as does `..`. Arguments of calls and replies keep all digits up to 2^53.
local P, W, EPOCH = KEYS[1], ARGV[1], ARGV[2]
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000000 + time[2]
local OPEN, COUNTS, WORKERS, WORKER, OWN, TAKEN = P..'open', P..'n', P..'w', P..'w:'..W, P..'own:'..W, P..'t:'..W
local BEGUN, SENT = P..'s:'..W, P..'x:'..W
local function n(x) return string.format('%d', x) end

-- The job's counts, and what is to be said of all of it. `owned`: hosts that are some worker's. `ids`: the last number
-- of a request. `starter`: who sends the spider's start.
local m = call('HMGET', COUNTS, 'queued', 'taken', 'done', 'seen', 'sets', 'ids', 'owned', 'floor', 'paused', 'start',
               'starter')
local queued, taken, done, seen = tonumber(m[1] or 0), tonumber(m[2] or 0), tonumber(m[3] or 0), tonumber(m[4] or 0)
local sets, ids, owned, floor = tonumber(m[5] or 256), tonumber(m[6] or 0), tonumber(m[7] or 0), tonumber(m[8] or 0)
local paused, start, starter = m[9] == '1', m[10], m[11]
local function keep_counts()
  call('HSET', COUNTS, 'queued', queued, 'taken', taken, 'done', done, 'seen', seen, 'sets', sets, 'ids', ids,
       'owned', owned)
end

-- Why the worker is not heard, or nil; then what is known of it. One whose lease has run out goes on as long as nobody
-- has begun to clear up after it (score 1). What comes late by an older connection is not carried out.
local function unheard()
  local ends = tonumber(call('ZSCORE', WORKERS, W) or 0)
  if ends <= 1 then return 'FENCED' end
  local m = call('HMGET', WORKER, 'epoch', 'lease', 'back', 'seq', 'last', 'letters')
  if m[1] ~= EPOCH then return 'STALE' end
  local known = {lease = tonumber(m[2]), back = tonumber(m[3] or 0), seq = tonumber(m[4]), last = m[5], letters = m[6]}
  if ends < now then
    call('ZADD', WORKERS, now + known.lease, W)
    call('HSET', WORKER, 'back', now)
    known.back = now
  end
  return nil, known
end

-- A queue is the requests of one lane and class of a host: a list, of class `a` a set.
local function queue_key(host, queue) return P..'q:'..host..' '..queue end
local function in_no_order(queue) return string.find(queue, '\ta', 1, true) ~= nil end
local function length(host, queue)
  return call(in_no_order(queue) and 'SCARD' or 'LLEN', queue_key(host, queue))
end

-- A host's hash: c names of its queues that are not empty, a line each, o its worker, at not to be asked before, note
-- what its worker has found out for the next one.
local function without(queues, queue)
  local left = {}
  for other in string.gmatch(queues, '[^\n]+') do
    if other ~= queue then left[#left + 1] = other end
  end
  return table.concat(left, '\n')
end

-- Queue requests; returns the host's worker. Another one is told by its inbox.
local function put(host, queue, bodies, at_front)
  local key, H, count, owner = queue_key(host, queue), P..'h:'..host, 0, nil
  queued = queued + #bodies
  if in_no_order(queue) then
    for k, body in ipairs(bodies) do bodies[k] = n(ids + k)..' '..body end
    ids = ids + #bodies
    call('SADD', key, unpack(bodies))
    count = call('SCARD', key)
  else
    count = call(at_front and 'LPUSH' or 'RPUSH', key, unpack(bodies))
  end
  if count > #bodies then
    owner = call('HGET', H, 'o')
  else
    local m = call('HMGET', H, 'o', 'c', 'at')
    owner = m[1]
    if m[2] and m[2] ~= '' then
      call('HSET', H, 'c', m[2]..'\n'..queue)
    else
      call('HSET', H, 'c', queue)
      if not owner then
        if m[3] then call('PERSIST', H) end
        call('ZADD', OPEN, math.max(tonumber(m[3] or 0), now), host)
      end
    end
  end
  if owner and owner ~= W then call('SADD', P..'i:'..owner, host) end
  return owner
end

-- A host that is nobody's has these queues, and is not to be asked before `at`. Of an empty one is kept until when it is
-- closed and, for an hour, its note: a link to it may still come, or what its worker has not done.
local function set_free(host, queues, at)
  local H = P..'h:'..host
  if queues and queues ~= '' then
    call('HSET', H, 'at', at)
    call('ZADD', OPEN, at, host)
    return
  end
  local until_us = math.max(at, call('HEXISTS', H, 'note') == 1 and now + 3600000000 or 0)
  if until_us > now then
    call('HDEL', H, 'c')
    call('HSET', H, 'at', at)
    call('PEXPIREAT', H, math.ceil(until_us / 1000))
  else
    call('DEL', H)
  end
end

-- A host is nobody's from now on, if it was this worker's, and not to be asked before `at`.
local function give_up(host, worker, at)
  local H = P..'h:'..host
  local m = call('HMGET', H, 'o', 'c', 'at')
  if m[1] ~= worker then return end
  call('HDEL', H, 'o')
  set_free(host, m[2], math.max(at, tonumber(m[3] or 0)))
end

-- Some of a worker's hosts are nobody's from now on; how many.
local function give_up_some(worker)
  local hosts = call('SPOP', P..'own:'..worker, 100)
  for _, host in ipairs(hosts) do give_up(host, worker, now) end
  if #hosts > 0 then
    owned = owned - #hosts
    keep_counts()
  end
  return #hosts
end

-- The host's queues that are not empty, each with its length. Their names may be known already.
local function state_of(host, queues)
  local state = {host}
  for queue in string.gmatch(queues or call('HGET', P..'h:'..host, 'c') or '', '[^\n]+') do
    state[#state + 1] = queue
    state[#state + 1] = length(host, queue)
  end
  return state
end

-- What was visited: sets of integers of about 160 each, which stay compact up to 512. There is one more each time that
-- they have more than that on average: half of an old one goes to it (linear hashing). Which one a fingerprint is in is
-- by its last eight digits, read without a string of their own.
local half = 256
while 2 * half <= sets do half = 2 * half end
local function set_of(fingerprint)
  local a, b, c, d, e, f, g, h = string.byte(fingerprint, -8, -1)
  local at = (((((((a * 10 + b) * 10 + c) * 10 + d) * 10 + e) * 10 + f) * 10 + g) * 10 + h) % (2 * half)
  return at < sets and at or at - half
end
local function is_new(fingerprint)
  if call('SADD', P..'v:'..n(set_of(fingerprint)), fingerprint) == 0 then return false end
  seen = seen + 1
  if seen > 160 * sets then
    local old, going = P..'v:'..n(sets - half), {}
    sets = sets + 1
    for _, other in ipairs(call('SMEMBERS', old)) do
      if set_of(other) == sets - 1 then going[#going + 1] = other end
    end
    if #going > 0 then
      call('SREM', old, unpack(going))
      call('SADD', P..'v:'..n(sets - 1), unpack(going))
    end
    if sets == 2 * half then half = sets end
  end
  return true
end
