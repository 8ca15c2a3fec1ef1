-- What a worker that is gone had: queued again, or set aside; then its hosts. Some of it: the rest the next time.
local function clear_up(known)
  -- It was cut off itself: others may be on their way back.
  if now - known.back <= known.lease then return false end
  local gone = call('ZRANGEBYSCORE', WORKERS, '-inf', now, 'LIMIT', 0, 1)[1]
  if not gone then return false end
  call('ZADD', WORKERS, 1, gone)  -- fenced for ever, and still to be cleared up after
  local T, S, X = P..'t:'..gone, P..'s:'..gone, P..'x:'..gone
  local some, rows, numbers = call('HRANDFIELD', T, 50, 'WITHVALUES'), {}, {}
  for k = 1, #some, 2 do rows[#rows + 1] = {tonumber(some[k]), some[k], some[k + 1]} end
  if #rows == 0 then
    if give_up_some(gone) == 0 then
      if starter == gone then call('HDEL', COUNTS, 'starter') end
      call('ZREM', WORKERS, gone)
      call('ZREM', P..'hungry', gone)
      call('DEL', P..'w:'..gone, S, X, P..'i:'..gone, P..'k:'..gone)
    end
    return true
  end
  table.sort(rows, function(a, b) return a[1] > b[1] end)
  for k, row in ipairs(rows) do numbers[k] = row[2] end
  local begun, sent = call('SMISMEMBER', S, unpack(numbers)), call('SMISMEMBER', X, unpack(numbers))
  for k, row in ipairs(rows) do
    local host, queue, body = string.match(row[3], '^([^\n]*)\n([^\n]*)\n(.*)$')
    local aside = nil
    if sent[k] == 1 then
      aside = 'unrepeated'
    elseif begun[k] == 1 then
      local deaths = (tonumber(string.sub(body, 1, 1)) or 0) + 1
      body = n(math.min(deaths, 9))..string.sub(body, 2)
      if deaths >= 3 then aside = 'poison' end
    end
    if aside then
      local letter = aside..'\n'..host..'\n'..queue..'\n'..body
      call('RPUSH', P..'aside', letter)
      call('RPUSH', P..'k:'..W, letter)
      call('HSET', WORKER, 'letters', 1)
      known.letters = '1'
    else
      put(host, queue, {body}, true)
    end
  end
  call('HDEL', T, unpack(numbers))
  call('SREM', S, unpack(numbers))
  call('SREM', X, unpack(numbers))
  taken = taken - #rows
  return true
end

-- The numbered operations of one worker, all or none. ARGV: number, then operations: a letter, how many, and so many
-- times what it is of. The last number again: its answer again, but nothing is taken again. Any other than the next: the
-- server has lost batches.
local function apply()
  local why, known = unheard()
  if why then return {why} end
  local number = tonumber(ARGV[3])
  local function answer(codes, got)
    local letters = known.letters and call('LRANGE', P..'k:'..W, 0, -1) or {}
    return {'OK', codes, queued, taken, seen, letters, starter and 1 or 0, got or {}}
  end
  if number == known.seq then return answer(known.last or '') end
  if number ~= known.seq + 1 then return {'ROLLBACK'} end
  if known.letters then
    call('DEL', P..'k:'..W)
    call('HDEL', WORKER, 'letters')
    known.letters = nil
  end
  local codes, got, i = {}, nil, 4
  -- The first and the last argument of an operation that has one of each.
  local function numbers()
    local first = i + 2
    i = first + ARGV[i + 1]
    return first, i - 1
  end
  -- What one request that was taken is, by its number; it is taken no more.
  local function untaken(id)
    local row = call('HGET', TAKEN, id)
    if row then
      call('HDEL', TAKEN, id)
      call('SREM', BEGUN, id)
      call('SREM', SENT, id)
      taken = taken - 1
    end
    return row
  end
  local operations = {
    P = function()  -- push: host, queue, end (F front, B back); then of each its fingerprint, and the request
      local many, host, queue, at_front = tonumber(ARGV[i + 1]), ARGV[i + 2], ARGV[i + 3], ARGV[i + 4] == 'F'
      local bodies, at = {}, {}
      for k = i + 5, i + 3 + 2 * many, 2 do
        local fingerprint, is_queued = ARGV[k], true
        if string.byte(fingerprint) == 115 then  -- s: of the spider's start, once also where another begins it anew
          is_queued = call('SADD', P..'started', fingerprint) == 1
        elseif fingerprint ~= '' then
          is_queued = is_new(fingerprint)
        end
        codes[#codes + 1] = '0'
        if is_queued then bodies[#bodies + 1], at[#at + 1] = ARGV[k + 1], #codes end
      end
      if #bodies > 0 then
        local code = put(host, queue, bodies, at_front) == W and '2' or '1'
        for _, k in ipairs(at) do codes[k] = code end
      end
      i = i + 5 + 2 * many
    end,
    V = function()  -- visited: fingerprints
      local first, last = numbers()
      for k = first, last do is_new(ARGV[k]) end
    end,
    S = function() call('SADD', BEGUN, unpack(ARGV, numbers())) end,  -- popped: ids
    X = function() call('SADD', SENT, unpack(ARGV, numbers())) end,  -- may have been sent, and may not be repeated
    U = function()  -- not popped after all
      local first, last = numbers()
      call('SREM', BEGUN, unpack(ARGV, first, last))
      call('SREM', SENT, unpack(ARGV, first, last))
    end,
    D = function()  -- done
      local first, last = numbers()
      local gone = call('HDEL', TAKEN, unpack(ARGV, first, last))
      call('SREM', BEGUN, unpack(ARGV, first, last))
      call('SREM', SENT, unpack(ARGV, first, last))
      taken, done = taken - gone, done + gone
    end,
    A = function()  -- set aside, as it cannot be read
      local first, last = numbers()
      for k = first, last do
        local row = untaken(ARGV[k])
        if row then call('RPUSH', P..'aside', 'unreadable\n'..row) end
      end
    end,
    B = function()  -- back, as it was
      local first, last = numbers()
      for k = first, last do
        local row = untaken(ARGV[k])
        if row then
          local host, queue, body = string.match(row, '^([^\n]*)\n([^\n]*)\n(.*)$')
          put(host, queue, {body}, true)
        end
      end
    end,
    R = function()  -- released: each host, and for how long nobody is to ask it
      local many, gone = tonumber(ARGV[i + 1]), {}
      for k = i + 2, i + 2 * many, 2 do
        give_up(ARGV[k], W, now + tonumber(ARGV[k + 1]))
        gone[#gone + 1] = ARGV[k]
      end
      owned = owned - call('SREM', OWN, unpack(gone))
      i = i + 2 + 2 * many
    end,
    N = function()  -- of each host what its next worker is to know
      local many = tonumber(ARGV[i + 1])
      for k = i + 2, i + 2 * many, 2 do
        local H = P..'h:'..ARGV[k]
        if call('HGET', H, 'o') == W then call('HSET', H, 'note', ARGV[k + 1]) end
      end
      i = i + 2 + 2 * many
    end,
    E = function()  -- the end of the spider's start
      if starter == W or not starter then
        call('HSET', COUNTS, 'start', 'done')
        call('HDEL', COUNTS, 'starter')
        call('UNLINK', P..'started')
        starter = false
      end
      i = i + 2
    end,
    C = function()  -- clear up
      codes[#codes + 1] = clear_up(known) and '+' or '-'
      i = i + 2
    end,
    T = function()  -- the last one: take
      got = take(known, i + 2)
      i = #ARGV + 1
    end,
  }
  while i <= #ARGV do
    local operation = operations[ARGV[i]]
    if not operation then return redis.error_reply('POLITEOP '..ARGV[i]) end
    operation()
  end
  local text = table.concat(codes)
  call('HSET', WORKER, 'seq', number, 'last', text)
  keep_counts()
  return answer(text, got)
end
