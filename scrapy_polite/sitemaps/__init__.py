"""Sitemaps as sitemaps.org defines them: bytes in, the URLs that they list out. It knows no Scrapy."""
