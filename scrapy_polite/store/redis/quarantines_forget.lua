#!lua flags=allow-oom
-- `QuarantineStore.forget` of one. site and place -> count
return forget('quarantines', 'q:')
