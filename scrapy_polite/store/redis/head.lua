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
