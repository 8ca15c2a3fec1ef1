"""All that this package uses of Scrapy that is private or undocumented. No other room touches any of it.

Each function here does one thing, and `private` says what it uses, in which versions of Scrapy, what happens where that
is missing, and what a public way would be. Scrapy's engine, downloader and handlers come in as they are: `Any`.
"""
