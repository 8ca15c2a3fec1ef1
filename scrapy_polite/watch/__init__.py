"""Watching crawls while they run: what is read of their run records, again and again, and how it is shown.

Knows no Scrapy, and takes no lock: nothing here can disturb a crawl.
"""
