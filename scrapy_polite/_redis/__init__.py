"""A Redis or Valkey server: its URLs, connections and scripts. redis-py, the extra `redis`, is imported when needed."""
