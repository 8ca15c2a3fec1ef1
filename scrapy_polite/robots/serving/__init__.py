"""robots.txt of the many hosts of a large site: stored with their rules, answered over HTTP; without Scrapy.

`scrapy_polite.serve` is its face.
"""
