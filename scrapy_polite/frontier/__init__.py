"""The queue of requests still to be made: a lane for each origin, and Scrapy's scheduler over them."""

from scrapy_polite.frontier.scheduler import Scheduler

__all__ = ["Scheduler"]
