#!lua flags=allow-oom
-- Operations without pushes.
return apply()
