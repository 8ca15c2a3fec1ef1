#!lua flags=allow-oom
-- See head_hosts.lua.
local why, known = unheard()
if why then return {why} end
local answer = take(known, 3)
keep_counts()
return {'OK', answer}
