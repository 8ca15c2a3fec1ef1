#!lua flags=allow-oom
-- `HostStore.forget` of one. key -> count
return forget('gates', 'g:')
