"""A queue on a Redis or Valkey server, which any number of processes work on: hosts are leased to them."""
