"""What the parts of one crawl share: the store, robots.txt, pacing, traps, blacklists. `shared(crawler, cls)` has each.

Pure rules are below (`robots`, `pacing`, `traps`, `blacklist`, `store`), Scrapy's middlewares and the scheduler above.
"""
