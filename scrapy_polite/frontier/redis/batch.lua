#!lua
-- Operations with pushes among them: refused whole where memory is full.
return apply()
