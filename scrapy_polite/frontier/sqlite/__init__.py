"""The queue in a job directory, one SQLite file: its schema, its lanes in memory, its writing thread, what was visited.

Also what commands do with the file while no crawl is at work on it: read it, take requests out of it, save what is left
of a damaged one.
"""
