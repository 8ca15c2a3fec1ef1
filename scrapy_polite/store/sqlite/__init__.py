"""A store in one SQLite file: outlives the crawl, and is shared by the processes of one machine.

The file is in WAL mode, so readers never wait; synchronous=NORMAL, so a killed process loses nothing that was
acknowledged and a power cut at most the last commits (https://www.sqlite.org/wal.html). Not for network file systems.
Folder and file are readable by their owner alone: which sites are crawled is nobody else's business.
"""
