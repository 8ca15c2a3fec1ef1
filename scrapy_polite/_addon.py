"""Addon: the one place that wires everything into a project's settings, and leaves alone what the project has set."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as ScrapyRobotsTxtMiddleware
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spidermiddlewares.urllength import UrlLengthMiddleware as ScrapyUrlLengthMiddleware
from scrapy.utils.misc import load_object
from scrapy.utils.project import get_project_settings
from scrapy.utils.python import global_object_name

from scrapy_polite import spidermiddlewares
from scrapy_polite._scrapy.exit_status import exit_now
from scrapy_polite.downloadermiddlewares import (
    BlacklistMiddleware,
    DeadUrlsMiddleware,
    IdentityMiddleware,
    PacingMiddleware,
    RecrawlMiddleware,
    RobotsTxtMiddleware,
    SitemapMiddleware,
    TrapMiddleware,
)
from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.frontier.scheduler import Scheduler
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.monitor.alerts import Alerts
from scrapy_polite.monitor.limits import LimitWarnings
from scrapy_polite.monitor.progress import Progress
from scrapy_polite.monitor.record import RunRecord
from scrapy_polite.monitor.startup import StartupFreeze
from scrapy_polite.monitor.summary import Summary
from scrapy_polite.robots import PoliteRobotParser
from scrapy_polite.services.robots import at_prompt
from scrapy_polite.settings import PoliteSettings, SettingsError, read_mapping
from scrapy_polite.spidermiddlewares import LinkFilterMiddleware, SeedsMiddleware, UrlLengthMiddleware

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

logger = logging.getLogger(__name__)

ROBOTS_ORDER = 100
DEAD_URLS_ORDER = 110
#: Before robots.txt, whose middleware counts the pages that it allows.
TRAPS_ORDER = 90
#: Before all other middlewares of ours: a blacklisted page says nothing about traps, and its robots.txt is not fetched.
BLACKLIST_ORDER = 80
IDENTITY_ORDER = 450
#: Between HttpCacheMiddleware (900) and ours for pace: see `RecrawlMiddleware`.
RECRAWL_ORDER = 920
#: Beyond HttpCacheMiddleware (900): an answer from the cache costs the host nothing.
PACING_ORDER = 950
#: Beyond HttpCompressionMiddleware (590), which unpacks what comes whole, and HttpCacheMiddleware.
SITEMAPS_ORDER = 940
#: Where Scrapy's UrlLengthMiddleware is.
LINK_FILTER_ORDER = 800
#: Next to the spider: all other middlewares see seeds as they see its own start requests.
SEEDS_ORDER = 950
_MIDDLEWARES = (
    (BlacklistMiddleware, BLACKLIST_ORDER),
    (DeadUrlsMiddleware, DEAD_URLS_ORDER),
    (TrapMiddleware, TRAPS_ORDER),
    (IdentityMiddleware, IDENTITY_ORDER),
    (SitemapMiddleware, SITEMAPS_ORDER),
    (PacingMiddleware, PACING_ORDER),
)
#: Nearest to the engine, and nearest to the spider.
_SPIDER_MIDDLEWARES = ((spidermiddlewares.RecrawlMiddleware, 5), (spidermiddlewares.BroughtMiddleware, 1_000))
#: Scrapy's priority queues, in whose place our scheduler keeps its own order; any other is custom.
_STOCK_QUEUES = re.compile(
    r"(scrapy\.pqueues\.)?(DownloaderAware|Scrapy)PriorityQueue|scrapy\.squeues\.\w*(Fifo|Lifo)\w*"
)
_QUEUE_SETTINGS = ("SCHEDULER_PRIORITY_QUEUE", "SCHEDULER_DISK_QUEUE", "SCHEDULER_MEMORY_QUEUE")


class Addon:
    """Turns this package on: `ADDONS = {"scrapy_polite.Addon": 300}` in a project's settings.py.

    Sets what the project has not set: robots.txt, pace, traps, blacklists, scheduler, dupefilter, start line, summary.
    Stops the crawl at start where a `POLITE_*` setting is invalid.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def update_settings(self, settings: BaseSettings) -> None:
        """Raises SettingsError where a `POLITE_*` setting is invalid."""
        _merge_sites(settings, self._crawler.spidercls.custom_settings or {})
        try:
            polite = PoliteSettings.from_settings(settings)
        except SettingsError as error:
            if at_prompt(sys.orig_argv, ("crawl", "runspider")):
                logger.error("%s", error)
                exit_now(error.exit_status)
            # Scrapy 2.14 exits with status 0 where a crawl that already has its spider fails to start.
            self._crawler.spider = None
            raise
        _replace(settings, "DOWNLOADER_MIDDLEWARES", ScrapyRobotsTxtMiddleware, RobotsTxtMiddleware, ROBOTS_ORDER)
        _set_link_filter(settings)
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", SeedsMiddleware, SEEDS_ORDER)
        for middleware, order in _MIDDLEWARES:
            settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", middleware, order)
        if polite.comes_back:
            settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", RecrawlMiddleware, RECRAWL_ORDER)
            for spider_middleware, order in _SPIDER_MIDDLEWARES:
                settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", spider_middleware, order)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", Summary, 0)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", Progress, 0)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", RunRecord, 0)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", LimitWarnings, 0)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", Alerts, 0)
        settings.setdefault_in_component_priority_dict("EXTENSIONS", StartupFreeze, 0)
        _set_scheduler(settings)
        _set_dupefilter(settings)
        for name, value in (("ROBOTSTXT_OBEY", True), ("ROBOTSTXT_PARSER", PoliteRobotParser)):
            if not settings.getpriority(name):
                settings.set(name, value, "addon")


def _set_scheduler(settings: BaseSettings) -> None:
    """Set our scheduler where the project has not chosen its own."""
    if settings.getpriority("SCHEDULER"):
        return
    why_not = _why_not_ours(settings)
    if why_not:
        logger.warning("scrapy-polite leaves this crawl to Scrapy's own scheduler: %s", why_not)
        return
    settings.set("SCHEDULER", Scheduler, "addon")


def _set_dupefilter(settings: BaseSettings) -> None:
    """Set our dupefilter where the project has not chosen its own, and something keeps what it remembers."""
    if settings.getpriority("DUPEFILTER_CLASS"):
        return
    scheduler = settings["SCHEDULER"]
    if not settings["JOBDIR"] or (load_object(scheduler) if isinstance(scheduler, str) else scheduler) is Scheduler:
        settings.set("DUPEFILTER_CLASS", PoliteDupeFilter, "addon")


def _why_not_ours(settings: BaseSettings) -> str:
    for name in _QUEUE_SETTINGS:
        queue = settings[name]
        path = queue if isinstance(queue, str) else global_object_name(queue)
        if settings.getpriority(name) and not _STOCK_QUEUES.fullmatch(path):
            return f"{name} is {path}, whose order it does not know; without that setting it brings its own"
    folder = settings["JOBDIR"]
    if folder and not Path(folder, FILE_NAME).exists() and any(Path(folder).glob("requests.queue/*")):
        return f"{folder} holds the queue of a crawl that was begun with it; with an empty JOBDIR it brings its own"
    return ""


def replaced(settings: BaseSettings) -> list[str]:
    """What stands in place of Scrapy's in settings that the add-on has been applied to, a phrase for each.

    Empty where this package's RobotsTxtMiddleware is not among them: then the rest is without effect.
    """
    order = _order_of(settings, "DOWNLOADER_MIDDLEWARES", RobotsTxtMiddleware)
    if order is None:
        return []
    phrases = [f"Scrapy's RobotsTxtMiddleware by this package's, at {order}"]
    filters = _order_of(settings, "SPIDER_MIDDLEWARES", LinkFilterMiddleware)
    if (order := _order_of(settings, "SPIDER_MIDDLEWARES", UrlLengthMiddleware, filters)) is not None:
        phrases.append(f"its UrlLengthMiddleware by this package's, at {order}")
    for name in ("ROBOTSTXT_OBEY", "ROBOTSTXT_PARSER", "SCHEDULER", "DUPEFILTER_CLASS"):
        if settings.getpriority(name) == SETTINGS_PRIORITIES["addon"]:
            value = settings[name]
            phrases.append(f"{name} by {value.__name__ if isinstance(value, type) else value}")
    return phrases


def _order_of(settings: BaseSettings, name: str, component: type, default: int | None = None) -> int | None:
    """Where a component stands; `default` where it is not named."""
    orders = settings.getdict(name).items()
    return next((order for path, order in orders if load_object(path) is component), default)


def _replace(settings: BaseSettings, name: str, stock: type, ours: type, order: int) -> None:
    """Put `ours` at the project's order for it, else at that of Scrapy's; one with None stays out."""
    middlewares = settings.getdict(name)
    paths = {load_object(path): path for path in middlewares}
    orders = [middlewares.pop(paths[cls]) for cls in (ours, stock) if cls in paths]
    place = orders[0] if orders else order
    if place is None:
        return
    # Under its import path: Scrapy 2.14 merges the base setting with these keys as they stand.
    middlewares |= {global_object_name(stock): None, ours: place}
    settings.set(name, middlewares, settings.getpriority(name) or 0)


def _set_link_filter(settings: BaseSettings) -> None:
    """All link filters in place of Scrapy's UrlLengthMiddleware; where the project has moved that one, or taken it out,
    the length of URLs is looked at there, or not at all."""
    name = "SPIDER_MIDDLEWARES"
    scrapys = _order_of(settings, name, ScrapyUrlLengthMiddleware, default=LINK_FILTER_ORDER)
    middlewares = settings.getdict(name)
    paths = {load_object(path): path for path in middlewares}
    middlewares.pop(paths.get(ScrapyUrlLengthMiddleware, ""), None)
    if scrapys != LINK_FILTER_ORDER and UrlLengthMiddleware not in paths:
        middlewares[global_object_name(UrlLengthMiddleware)] = scrapys
    middlewares.setdefault(paths.get(LinkFilterMiddleware, LinkFilterMiddleware), LINK_FILTER_ORDER)
    # Under its import path: Scrapy 2.14 merges the base setting with these keys as they stand.
    middlewares[global_object_name(ScrapyUrlLengthMiddleware)] = None
    settings.set(name, middlewares, settings.getpriority(name) or 0)


def _merge_sites(settings: BaseSettings, custom_settings: Mapping[str, Any]) -> None:
    """Merge the project's, the spider's and the command line's POLITE_SITES: Scrapy keeps only the last of them."""
    name = "POLITE_SITES"
    given, priority = settings[name], settings.getpriority(name)
    layers = [custom_settings.get(name), given]
    if priority is not None and priority > SETTINGS_PRIORITIES["project"]:
        layers.insert(0, _project_value(settings, name))
    try:
        mappings = [read_mapping(layer) for layer in layers if layer is not None]
    except ValueError:
        return  # for PoliteSettings to complain of
    merged: dict[Any, Any] = {}
    for mapping in mappings:
        for pattern, values in mapping.items():
            both = isinstance(values, Mapping) and isinstance(merged.get(pattern), Mapping)
            merged[pattern] = {**merged[pattern], **values} if both else values
    if merged:
        settings.set(name, merged, priority or 0)


def _project_value(settings: BaseSettings, name: str) -> Any:
    """What the project's settings.py says, though a spider or the command line has said otherwise since."""
    project = get_project_settings()
    # A crawl started from a script need not be of the project in whose folder it runs.
    return project[name] if project["BOT_NAME"] == settings["BOT_NAME"] else None
