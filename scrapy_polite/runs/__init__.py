"""The run record: what a crawl did, on disk, a line a request. Written here and read here, without Scrapy.

A run is a folder. Each process that works on it (a worker) has files of its own there, so that none waits for another.
"""
