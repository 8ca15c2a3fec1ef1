"""Coming back to pages, in one crawl: `recrawl/` wired to Scrapy's requests and responses, and to the file of pages."""

from scrapy_polite._recrawl.service import CrawlRecrawl, RecrawlPart
from scrapy_polite._recrawl.visit import Visit

__all__ = ["CrawlRecrawl", "RecrawlPart", "Visit"]
