"""Sitemaps of 50,000 URLs, and sitemaps that are made to take long: time, memory, how long the event loop is held.

    python benchmarks/sitemaps.py [--rounds 3] [--case NAME ...] [--job]

A crawl starts at a page of a local site whose robots.txt names one sitemap, which POLITE_SITEMAPS reads. It is timed
from its start until all that the sitemap lists is queued, or until it has been left. Beside it Scrapy's own
SitemapSpider, without the add-on, on the same site. `held` is the longest time in which a task that wants its turn
every 2 ms got none, `memory` how far the process grew above what it had when the spider was opened; the least of so
many crawls. With `--job` the queue is in a job directory. Pages are fetched all the while.

Exits with 1 if POLITE_SITEMAPS holds the loop for 100 ms, takes more than 100 MB for a bomb, or does not queue what a
sitemap lists.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from _page_server import serve, served

URLS = 50_000
LIMIT_MS, LIMIT_MB = 100.0, 100.0
TICK_S = 0.002
MAX_BYTES = 52_428_800
#: A crawl that takes longer is left.
TIMEOUT_S = 120
PAGE = b"<html><body><p>A page.</p></body></html>"
NS = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
ENTRY = b"<url><loc>http://127.0.0.1:%d/p/%d</loc><lastmod>2026-11-01T10:00:00Z</lastmod></url>"


def _listing(port: int, count: int = URLS) -> bytes:
    return NS + b"".join(ENTRY % (port, 1_000_000 + number) for number in range(count)) + b"</urlset>"


def _filled(text: bytes, begin: bytes = NS) -> bytes:
    return begin + text * ((MAX_BYTES - len(begin) - 1) // len(text))


def _packed(*parts: tuple[bytes, int]) -> bytes:
    """Bytes, each so many times, packed as tightly as it goes: never made whole."""
    packer = gzip.zlib.compressobj(9, gzip.zlib.DEFLATED, 31)  # type: ignore[attr-defined]
    made = [packer.compress(part * min(times, 100_000)) for part, times in parts for _ in range(-(-times // 100_000))]
    return b"".join(made) + packer.flush()


#: What lists 50,000 URLs, and what lists none that should be followed; each made of the port of the server.
LISTS: dict[str, Callable[[int], bytes]] = {
    "50,000 URLs": _listing,
    "50,000 URLs, gzip": lambda port: gzip.compress(_listing(port), 1),
    "50,000 URLs as text": lambda port: b"".join(
        b"http://127.0.0.1:%d/p/%d\n" % (port, 1_000_000 + number) for number in range(URLS)
    ),
}
BOMBS: dict[str, Callable[[int], bytes]] = {
    "1 GB of blanks, gzip": lambda _: _packed((NS, 1), (b" " * 1_000, 1_000_000)),
    "1 GB of blanks, gzip twice": lambda _: gzip.compress(_packed((NS, 1), (b" " * 1_000, 1_000_000))),
    "elements": lambda _: _packed((NS, 1), (b"<url></url>", 4_700_000)),
    "elements in each other": lambda _: _packed((NS, 1), (b"<url>", 10_000_000)),
    "a URL of 50 MB": lambda _: _packed((NS + b"<url><loc>http://h/", 1), (b"a" * 1_000, 52_000)),
    "an attribute of 50 MB": lambda _: _packed((NS + b"<url a='", 1), (b"a" * 1_000, 52_000)),
    "attributes": lambda _: NS + b"<url " + b" ".join(b"a%d=''" % n for n in range(4_000_000)) + b"/>",
    "names of attributes": lambda _: NS + b"".join(b"<url a%d=''/>" % n for n in range(3_000_000)),
    "entities in attributes": lambda _: (
        b"<!DOCTYPE x [<!ENTITY a0 '0123456789'>%s]><urlset>%s</urlset>"
        % (
            b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 6)),
            b"<url a='&a4;'/>" * 2_000_000,
        )
    ),
    "names": lambda _: NS + b"".join(b"<a%d/>" % n for n in range(4_500_000)),
    "namespaces": lambda _: NS + b"".join(b"<a xmlns:n%d='u'>" % n for n in range(2_000_000)),
    "entities": lambda _: (
        b"<!DOCTYPE x [<!ENTITY a0 'http://h/'>%s]><urlset><url><loc>&a20;</loc></url></urlset>"
        % b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 21))
    ),
    "comments": lambda _: _filled(b"<!-- a -->"),
    "a comment of 50 MB": lambda _: _filled(b"a" * 1_000, NS + b"<!--"),
    "CDATA": lambda _: _filled(b"<![CDATA[a]]>", NS + b"<url><loc>"),
    "ampersands": lambda _: _filled(b"&", NS + b"<url><loc>"),
    "signs": lambda _: _filled(b"<", NS),
    "550,000 URLs in 50 MB": lambda port: _listing(port, 550_000)[:MAX_BYTES],
    "a line of 50 MB": lambda _: _filled(b"a" * 1_000, b"http://h/"),
    "bytes": lambda _: _filled(bytes(range(256)), b""),
}
CASES = LISTS | BOMBS


def _site(name: str) -> Callable[[int], Callable[[int | None], tuple[bytes, bytes]]]:
    """What is at a port: at no number robots.txt, at 0 the sitemap, at all others a page."""

    def at(port: int) -> Callable[[int | None], tuple[bytes, bytes]]:
        sitemap = CASES[name](port)
        robots = b"User-agent: *\nDisallow:\nSitemap: http://127.0.0.1:%d/s/0\n" % port

        def page(number: int | None) -> tuple[bytes, bytes]:
            if number is None:
                return robots, b"text/plain"
            return (PAGE, b"text/html") if number else (sitemap, b"application/xml")

        return page

    return at


def _crawl(root: str, *, addon: bool, job: bool) -> None:
    """Crawl, and print what it came to."""
    import scrapy
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.spiders import SitemapSpider

    found: dict[str, Any] = {"held_ms": 0.0, "queued": 0}

    class Measured(scrapy.Spider):
        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            crawler.signals.connect(spider.opened, signals.spider_opened)
            crawler.signals.connect(spider.closed_now, signals.spider_closed)
            return spider

        def opened(self) -> None:
            found["rss_mb"] = _rss_mb()
            found["began"] = time.perf_counter()
            self.watch = asyncio.ensure_future(self.measure())

        def closed_now(self) -> None:
            self.watch.cancel()
            found.setdefault("seconds", time.perf_counter() - found["began"])

        async def measure(self) -> None:
            get = self.crawler.stats.get_value
            while True:
                begin = time.perf_counter()
                await asyncio.sleep(TICK_S)
                found["held_ms"] = max(found["held_ms"], (time.perf_counter() - begin - TICK_S) * 1e3)
                found["queued"] = queued = get("scheduler/enqueued", 0)
                if queued >= URLS or time.perf_counter() - found["began"] > TIMEOUT_S:
                    found["seconds"] = time.perf_counter() - found["began"]
                    self.end = asyncio.ensure_future(self.crawler.engine.close_spider_async(reason="measured"))
                    return

        def parse(self, response: Any) -> None:
            pass

    class Start(Measured):
        name = "start"
        start_urls = (f"{root}/p/1",)

    class Sitemap(Measured, SitemapSpider):
        name = "sitemap"
        sitemap_urls = (f"{root}/robots.txt",)

    settings: dict[str, Any] = {
        "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
        "LOG_LEVEL": "CRITICAL",
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
    }
    if addon:
        settings |= {"ADDONS": {"scrapy_polite.Addon": 300}, "POLITE_STORE": "memory", "POLITE_SITEMAPS": "seed"}
    if job:
        settings["JOBDIR"] = "job"
    process = AsyncCrawlerProcess(settings)
    process.crawl(process.create_crawler(Start if addon else Sitemap))
    process.start()
    found["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - found.pop("rss_mb")
    found.pop("began")
    print(json.dumps(found))


def _rss_mb() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1024**2


def _run(root: str, *, addon: bool, job: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--crawl", json.dumps([root, addon, job])]
        run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=300, check=False)
    if run.returncode:
        raise SystemExit(f"the crawl {'with' if addon else 'without'} the add-on ended with {run.returncode}")
    return dict(json.loads(run.stdout))


def _measured(name: str, rounds: int, *, job: bool) -> tuple[dict[str, float], dict[str, float]]:
    """The least of the crawls of SitemapSpider, and of those with POLITE_SITEMAPS."""
    with served([__file__, "--serve", name]) as port:
        root = f"http://127.0.0.1:{port}"
        runs = [[_run(root, addon=addon, job=job) for addon in (False, True)] for _ in range(rounds)]
    both = [{what: min(one[what] for one in crawls) for what in crawls[0]} for crawls in zip(*runs, strict=True)]
    return both[0], both[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--case", action="append", choices=list(CASES), help="these alone")
    parser.add_argument("--job", action="store_true", help="the queue is in a job directory")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds is {options.rounds}, expected at least 1")
    if options.serve:
        asyncio.run(serve(_site(options.serve)))
        return 0
    if options.crawl:
        root, addon, job = json.loads(options.crawl)
        _crawl(root, addon=addon, job=job)
        return 0
    print(
        f"SitemapSpider, POLITE_SITEMAPS; the least of {options.rounds} crawls; limits {LIMIT_MS:g} ms, {LIMIT_MB:g} MB"
    )
    print(f"{'sitemap':<28}{'seconds':>16}{'held, ms':>16}{'memory, MB':>16}{'queued':>18}")
    failed = False
    for name in options.case or CASES:
        stock, ours = _measured(name, options.rounds, job=options.job)
        above = ours["held_ms"] > LIMIT_MS or (name in LISTS and ours["queued"] < URLS)
        above |= name in BOMBS and ours["memory_mb"] > LIMIT_MB
        failed |= above
        figures = (
            f"{stock['seconds']:>8.1f}{ours['seconds']:>8.1f}{stock['held_ms']:>8.0f}{ours['held_ms']:>8.0f}"
            f"{stock['memory_mb']:>8.0f}{ours['memory_mb']:>8.0f}{stock['queued']:>9,.0f}{ours['queued']:>9,.0f}"
        )
        print(f"{name:<28}{figures}{'  ABOVE' if above else ''}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
