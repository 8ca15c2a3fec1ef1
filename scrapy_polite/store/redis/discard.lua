#!lua flags=allow-oom
-- A script has failed at what it found. {key without the prefix, its type, the list it stands in or '', its name there}
-- of all that it touched: drop what is of another type; where nothing is, the first, whose fields cannot be read.
-- -> the keys that are dropped
local dropped = {}
local function drop(i)
  redis.call('DEL', P .. ARGV[i])
  if ARGV[i + 2] ~= '' then redis.pcall('ZREM', P .. ARGV[i + 2], ARGV[i + 3]) end
  dropped[#dropped + 1] = ARGV[i]
end
for i = 4, #ARGV, 4 do
  local kind = redis.call('TYPE', P .. ARGV[i]).ok
  if kind ~= 'none' and kind ~= ARGV[i + 1] then drop(i) end
end
if #dropped == 0 then drop(4) end
return dropped
