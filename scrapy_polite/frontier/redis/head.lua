-- What all scripts begin with. KEYS[1] is the prefix of the job's keys, ARGV[1] the worker, ARGV[2] its connection's
-- number (epoch). Times are microseconds of the server's clock; only durations come in. Numbers are written with %.0f:
-- tostring() of a number loses digits beyond 1e14.
local P, W, EPOCH = KEYS[1], ARGV[1], ARGV[2]
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local OPEN, COUNTS, WORKERS = P..'open', P..'n', P..'w'
local function n(x) return string.format('%.0f', x) end

-- Why the worker is not heard, or nil. One whose lease has run out goes on as long as nobody has begun to clear up
-- after it (score 1). What comes late by an older connection is not carried out.
local function unheard()
  local ends = tonumber(redis.call('ZSCORE', WORKERS, W) or 0)
  if ends <= 1 then return 'FENCED' end
  local m = redis.call('HMGET', P..'w:'..W, 'epoch', 'lease')
  if m[1] ~= EPOCH then return 'STALE' end
  if ends < now then
    redis.call('ZADD', WORKERS, n(now + m[2]), W)
    redis.call('HSET', P..'w:'..W, 'back', n(now))
  end
  return nil
end

-- A queue is the requests of one lane and class of a host: a list, of class `a` a set.
local function queue_key(host, queue) return P..'q:'..host..' '..queue end
local function in_no_order(queue) return string.find(queue, '\ta', 1, true) ~= nil end
local function length(host, queue)
  return redis.call(in_no_order(queue) and 'SCARD' or 'LLEN', queue_key(host, queue))
end

-- A host's hash: n requests queued, c names of its queues that are not empty, o its worker, at not to be asked before.
local function add_queue(host, queue)
  local H = P..'h:'..host
  local queues = redis.call('HGET', H, 'c')
  if not queues or queues == '' then
    redis.call('HSET', H, 'c', queue)
  elseif not string.find('\n'..queues..'\n', '\n'..queue..'\n', 1, true) then
    redis.call('HSET', H, 'c', queues..'\n'..queue)
  end
end
local function drop_queue(host, queue)
  local H, left = P..'h:'..host, {}
  for other in string.gmatch(redis.call('HGET', H, 'c') or '', '[^\n]+') do
    if other ~= queue then left[#left + 1] = other end
  end
  if #left > 0 then redis.call('HSET', H, 'c', table.concat(left, '\n')) else redis.call('HDEL', H, 'c') end
end

-- Queue one request; returns the host's worker. Another one is told by its inbox.
local function put(host, queue, body, at_front)
  local key, H, count = queue_key(host, queue), P..'h:'..host, 0
  if in_no_order(queue) then
    redis.call('SADD', key, n(redis.call('HINCRBY', COUNTS, 'ids', 1))..' '..body)
    count = redis.call('SCARD', key)
  else
    count = redis.call(at_front and 'LPUSH' or 'RPUSH', key, body)
  end
  local left = redis.call('HINCRBY', H, 'n', 1)
  if left == 1 then
    redis.call('HSET', H, 'c', queue)
  elseif count == 1 then
    add_queue(host, queue)
  end
  local m = redis.call('HMGET', H, 'o', 'at')
  if m[1] then
    if m[1] ~= W then redis.call('SADD', P..'i:'..m[1], host) end
  elseif left == 1 then
    if m[2] then redis.call('PERSIST', H) end
    redis.call('ZADD', OPEN, n(math.max(tonumber(m[2] or 0), now)), host)
  end
  return m[1]
end

-- A host is nobody's from now on, and not to be asked before `at`.
local function give_up(host, at)
  local H = P..'h:'..host
  local m = redis.call('HMGET', H, 'n', 'at')
  at = math.max(at, tonumber(m[2] or 0))
  redis.call('HDEL', H, 'o')
  if tonumber(m[1] or 0) > 0 then
    redis.call('HSET', H, 'at', n(at))
    redis.call('ZADD', OPEN, n(at), host)
  elseif at > now then
    redis.call('HDEL', H, 'n')
    redis.call('HSET', H, 'at', n(at))
    redis.call('PEXPIREAT', H, n(math.ceil(at / 1000)))  -- empty, but until when it is closed is not forgotten
  else
    redis.call('DEL', H)
  end
end

-- The host's queues that are not empty, each with its length.
local function state_of(host)
  local state = {host}
  for queue in string.gmatch(redis.call('HGET', P..'h:'..host, 'c') or '', '[^\n]+') do
    state[#state + 1] = queue
    state[#state + 1] = length(host, queue)
  end
  return state
end

-- The numbered operations of one worker, all or none. ARGV: number, then the operations one after another. The last
-- number again: its answer again. Any other than the next: the server has lost batches.
local function apply()
  local why = unheard()
  if why then return {why} end
  local WORKER, TAKEN, BEGUN, LETTERS = P..'w:'..W, P..'t:'..W, P..'s:'..W, P..'k:'..W
  local number = tonumber(ARGV[3])
  local m = redis.call('HMGET', WORKER, 'seq', 'last', 'letters', 'back', 'lease')
  local c = redis.call('HMGET', COUNTS, 'queued', 'taken', 'seen')
  local function answer(codes)
    return {'OK', codes, tonumber(c[1] or 0), tonumber(c[2] or 0), tonumber(c[3] or 0),
            redis.call('LRANGE', LETTERS, 0, -1), redis.call('HEXISTS', P..'start', 'by')}
  end
  if number == tonumber(m[1]) then return answer(m[2] or '') end
  if number ~= tonumber(m[1]) + 1 then return {'ROLLBACK'} end
  if m[3] then
    redis.call('DEL', LETTERS)
    redis.call('HDEL', WORKER, 'letters')
  end
  local queued, taken, done, codes = 0, 0, 0, {}
  local seen = tonumber(c[3] or 0)

  -- What was visited: sets of integers of about 256 each, which stay compact up to 512. They grow by layers: of layer k
  -- there are 256 * 8^k sets, and it takes 65536 * 8^k fingerprints before the next one begins.
  local layer, room = 0, 65536
  while seen >= room do
    layer = layer + 1
    room = room + 65536 * 8 ^ layer
  end
  local function is_new(fingerprint, bucket)
    for k = 0, layer - 1 do
      if redis.call('SISMEMBER', P..'v:'..k..':'..n(bucket % (256 * 8 ^ k)), fingerprint) == 1 then return false end
    end
    if redis.call('SADD', P..'v:'..layer..':'..n(bucket % (256 * 8 ^ layer)), fingerprint) == 0 then return false end
    seen = seen + 1
    if seen >= room then
      layer = layer + 1
      room = room + 65536 * 8 ^ layer
    end
    return true
  end

  -- What a worker that is gone had: queued again, or set aside; then its hosts. Some of it: the rest the next time.
  local function clear_up()
    -- It was cut off itself: others may be on their way back.
    if now - tonumber(m[4] or 0) <= tonumber(m[5]) then return false end
    local first = redis.call('ZRANGEBYSCORE', WORKERS, '-inf', n(now), 'LIMIT', 0, 1)
    for _, gone in ipairs(first) do
      redis.call('ZADD', WORKERS, 1, gone)  -- fenced for ever, and still to be cleared up after
      local T, S = P..'t:'..gone, P..'s:'..gone
      local some, rows = redis.call('HRANDFIELD', T, 150, 'WITHVALUES'), {}
      for k = 1, #some, 2 do rows[#rows + 1] = {tonumber(some[k]), some[k], some[k + 1]} end
      table.sort(rows, function(a, b) return a[1] > b[1] end)
      for _, row in ipairs(rows) do
        local host, queue, body = string.match(row[3], '^([^\n]*)\n([^\n]*)\n(.*)$')
        local begun, aside = redis.call('HGET', S, row[2]), nil
        if begun == '2' then
          aside = 'unrepeated'
        elseif begun then
          local deaths = (tonumber(string.sub(body, 1, 1)) or 0) + 1
          body = string.format('%d', math.min(deaths, 9))..string.sub(body, 2)
          if deaths >= 3 then aside = 'poison' end
        end
        redis.call('HDEL', T, row[2])
        redis.call('HDEL', S, row[2])
        taken = taken - 1
        if aside then
          local letter = aside..'\n'..host..'\n'..queue..'\n'..body
          redis.call('RPUSH', P..'aside', letter)
          redis.call('RPUSH', LETTERS, letter)
          redis.call('HSET', WORKER, 'letters', 1)
        else
          put(host, queue, body, true)
          queued = queued + 1
        end
      end
      if #rows == 0 then
        local hosts = redis.call('SPOP', P..'own:'..gone, 150)
        for _, host in ipairs(hosts) do
          if redis.call('HGET', P..'h:'..host, 'o') == gone then give_up(host, now) end
        end
        if #hosts == 0 then
          if redis.call('HGET', P..'start', 'by') == gone then redis.call('HDEL', P..'start', 'by') end
          redis.call('ZREM', WORKERS, gone)
          redis.call('ZREM', P..'hungry', gone)
          redis.call('DEL', P..'w:'..gone, S, P..'i:'..gone, P..'k:'..gone)
        end
      end
    end
    return #first > 0
  end

  local i, last = 4, #ARGV
  while i <= last do
    local op = ARGV[i]
    if op == 'P' then        -- push: host, queue, end (F front, B back), fingerprint, bucket, request
      local fingerprint, is_queued = ARGV[i + 4], true
      if fingerprint ~= '' then
        if ARGV[i + 5] == '' then  -- of the spider's start: each once, also where another worker begins it anew
          is_queued = redis.call('SADD', P..'started', fingerprint) == 1
        else
          is_queued = is_new(fingerprint, tonumber(ARGV[i + 5]))
        end
      end
      if is_queued then
        codes[#codes + 1] = put(ARGV[i + 1], ARGV[i + 2], ARGV[i + 6], ARGV[i + 3] == 'F') == W and '2' or '1'
        queued = queued + 1
      else
        codes[#codes + 1] = '0'
      end
      i = i + 7
    elseif op == 'V' then    -- visited: fingerprint, bucket
      is_new(ARGV[i + 1], tonumber(ARGV[i + 2]))
      i = i + 3
    elseif op == 'D' then    -- done: id
      local gone = redis.call('HDEL', TAKEN, ARGV[i + 1])
      redis.call('HDEL', BEGUN, ARGV[i + 1])
      taken, done = taken - gone, done + gone
      i = i + 2
    elseif op == 'S' or op == 'X' then  -- popped; may have been sent, and may not be repeated: id
      redis.call('HSET', BEGUN, ARGV[i + 1], op == 'X' and '2' or '1')
      i = i + 2
    elseif op == 'B' then    -- back, as it was: id
      local row = redis.call('HGET', TAKEN, ARGV[i + 1])
      if row then
        local host, queue, body = string.match(row, '^([^\n]*)\n([^\n]*)\n(.*)$')
        redis.call('HDEL', TAKEN, ARGV[i + 1])
        redis.call('HDEL', BEGUN, ARGV[i + 1])
        put(host, queue, body, true)
        taken, queued = taken - 1, queued + 1
      end
      i = i + 2
    elseif op == 'U' then    -- not popped after all: id
      redis.call('HDEL', BEGUN, ARGV[i + 1])
      i = i + 2
    elseif op == 'A' then    -- set aside, as it cannot be read: id
      local row = redis.call('HGET', TAKEN, ARGV[i + 1])
      if row then
        redis.call('HDEL', TAKEN, ARGV[i + 1])
        redis.call('HDEL', BEGUN, ARGV[i + 1])
        redis.call('RPUSH', P..'aside', 'unreadable\n'..row)
        taken = taken - 1
      end
      i = i + 2
    elseif op == 'R' then    -- released: host, for how long nobody is to ask it
      local host = ARGV[i + 1]
      if redis.call('HGET', P..'h:'..host, 'o') == W then
        redis.call('SREM', P..'own:'..W, host)
        give_up(host, now + tonumber(ARGV[i + 2]))
      end
      i = i + 3
    elseif op == 'E' then    -- the end of the spider's start
      local by = redis.call('HGET', P..'start', 'by')
      if by == W or not by then
        redis.call('HSET', P..'start', 'state', 'done')
        redis.call('HDEL', P..'start', 'by')
        redis.call('UNLINK', P..'started')
      end
      i = i + 1
    elseif op == 'C' then
      codes[#codes + 1] = clear_up() and '+' or '-'
      i = i + 1
    else
      return redis.error_reply('POLITEOP '..op)
    end
  end
  local text = table.concat(codes)
  redis.call('HSET', WORKER, 'seq', number, 'last', text)
  local function count(field, by)
    if by ~= 0 then return redis.call('HINCRBY', COUNTS, field, by) end
    return redis.call('HGET', COUNTS, field) or 0
  end
  c[1], c[2] = count('queued', queued), count('taken', taken)
  count('done', done)
  c[3] = count('seen', seen - tonumber(c[3] or 0))
  return answer(text)
end
