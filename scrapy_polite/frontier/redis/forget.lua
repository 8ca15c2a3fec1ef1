#!lua flags=allow-oom
-- What is to be forgotten is deleted; how much of it there was. ARGV: what it is of, and that:
-- `queue`: host, queue, how many requests at its front are looked at, bodies; what is not among these goes to its back.
-- `members`: host, queue that is in no order, members. `whole`: host, queue. `taken`: worker, numbers.
-- `aside`: lines. `visited`, `known`: fingerprints; of `known` it is only said. `note`: host, as it was, as it is to be.
local what, count = ARGV[3], 0
local host, queue = ARGV[4], ARGV[5]

-- Of a queue that has become empty its host knows no more; one that is nobody's may be gone with it.
local function settle()
  queued = queued - count
  if call('EXISTS', queue_key(host, queue)) == 1 then return end
  local H = P..'h:'..host
  local m = call('HMGET', H, 'o', 'c', 'at')
  if not m[2] then return end
  local left = without(m[2], queue)
  call('HSET', H, 'c', left)
  if m[1] then
    call('SADD', P..'i:'..m[1], host)
  elseif left == '' then
    call('ZREM', OPEN, host)
    set_free(host, left, tonumber(m[3] or 0))
  end
end

if what == 'queue' then
  local meant, kept = {}, {}
  for k = 7, #ARGV do meant[ARGV[k]] = true end
  for _, body in ipairs(call('LPOP', queue_key(host, queue), ARGV[6]) or {}) do
    if meant[body] then count = count + 1 else kept[#kept + 1] = body end
  end
  if #kept > 0 then call('RPUSH', queue_key(host, queue), unpack(kept)) end
  settle()
elseif what == 'members' then
  count = call('SREM', queue_key(host, queue), unpack(ARGV, 6))
  settle()
elseif what == 'whole' then
  count = length(host, queue)
  call('UNLINK', queue_key(host, queue))
  settle()
elseif what == 'taken' then
  count = call('HDEL', P..'t:'..ARGV[4], unpack(ARGV, 5))
  taken = taken - count
elseif what == 'aside' then
  for k = 4, #ARGV do count = count + call('LREM', P..'aside', 1, ARGV[k]) end
elseif what == 'visited' then
  for k = 4, #ARGV do count = count + call('SREM', P..'v:'..n(set_of(ARGV[k])), ARGV[k]) end
  seen = seen - count
elseif what == 'known' then
  for k = 4, #ARGV do count = count + call('SISMEMBER', P..'v:'..n(set_of(ARGV[k])), ARGV[k]) end
elseif what == 'note' and call('HGET', P..'h:'..host, 'note') == queue then
  if ARGV[6] == '' then call('HDEL', P..'h:'..host, 'note') else call('HSET', P..'h:'..host, 'note', ARGV[6]) end
  count = 1
end
if what ~= 'known' and what ~= 'note' then keep_counts() end
return count
