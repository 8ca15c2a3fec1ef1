-- Stands before every script. KEYS[1] is the prefix of all keys. ARGV[1] is the time, which only tests give; ARGV[2] and
-- ARGV[3] name this call among all calls of all clients. What a script is asked comes from ARGV[4] on.
-- Times are epoch seconds of the server's clock; numbers that are kept have all their digits (tostring has 14).
local P = KEYS[1]
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] + time[2] / 1000000
end

-- `clock.AHEAD_S`: what was written later than this was written by a clock that was ahead.
local AHEAD = 10

local function num(x) return string.format('%.17g', x) end

local function number_or_0(x) return tonumber(x or '') or 0 end

local function ahead(stored)
  return stored > now + AHEAD and stored - now or 0
end

local function next_number() return redis.call('INCR', P .. 'seq') end

-- The id of the store. Without one the server has lost what it held since the client greeted it.
local function known_id(id)
  if not id then error({err = 'POLITENEW the store is new'}) end
  return id
end

local function store_id() return known_id(redis.call('GET', P .. 'id')) end

-- A key that means nothing after so many seconds goes by itself, some time later.
local function expire(key, seconds)
  redis.call('PEXPIRE', key, string.format('%.0f', math.ceil(math.min(math.max(seconds, 0), 1e9) * 1000) + 60000))
end

-- `HostLease.as_of`
local function lease_as_of(key, taken, till, next_at, answered)
  local by = ahead(taken)
  if by > 0 then
    taken, till, next_at, answered = now, till - by, next_at - by, math.max(answered - by, 0)
    redis.call('HSET', key, 'taken', num(taken), 'until', num(till), 'next', num(next_at), 'answered', num(answered))
  end
  return taken, till, next_at, answered
end

-- A lease of a host lasts no longer than its times mean something. Who knows of the longest delay may ask a day after an
-- answer that was still to be read.
local function expire_lease(key, till, next_at, answered)
  expire(key, math.max(till, next_at, answered > 0 and answered + 86400 or 0) - now)
end

-- Carry out what must not be done twice, and remember the reply for as long as the client may ask again for it.
local function once(work)
  local key = P .. 'c:' .. ARGV[2]
  local reply = redis.call('HGET', key, ARGV[3])
  if not reply then
    reply = work()
    redis.call('HSET', key, ARGV[3], reply)
    redis.call('EXPIRE', key, 60)
  end
  return reply
end

-- A page of a change feed, of a list whose scores are numbers of changes. ARGV: store of the cursor, its number, page size.
-- `row` reads what stands under a name. -> store, now, number, more, rows
local function changes(list, row)
  local id, size = store_id(), tonumber(ARGV[6])
  local last = ARGV[4] == id and ARGV[5] or '0'
  local found = redis.call('ZRANGEBYSCORE', P .. list, '(' .. last, '+inf', 'WITHSCORES', 'LIMIT', 0, size + 1)
  local rows = {}
  for i = 1, math.min(#found, 2 * size), 2 do
    last = found[i + 1]
    rows[#rows + 1] = row(found[i])
  end
  return {id, num(now), last, #found > 2 * size and 1 or 0, rows}
end

-- Drop of such a list what `goes`, some of it. ARGV: number to go on after, how many to look at. `kind` begins the keys of
-- what stands in it. -> count, number, more
local function sweep(list, kind, goes)
  return once(function()
    local size, count = tonumber(ARGV[5]), 0
    local found = redis.call('ZRANGEBYSCORE', P .. list, '(' .. ARGV[4], '+inf', 'WITHSCORES', 'LIMIT', 0, size)
    for i = 1, #found, 2 do
      if goes(found[i]) then
        redis.call('DEL', P .. kind .. found[i])
        redis.call('ZREM', P .. list, found[i])
        count = count + 1
      end
    end
    return num(count) .. ' ' .. (found[#found] or ARGV[4]) .. (#found == 2 * size and ' 1' or ' 0')
  end)
end

-- Drop one of such a list, ARGV[4]. -> count
local function forget(list, kind)
  return once(function()
    local listed = redis.call('ZREM', P .. list, ARGV[4])
    redis.call('DEL', P .. kind .. ARGV[4])
    return num(listed)
  end)
end
