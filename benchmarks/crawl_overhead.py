"""What politeness costs: whole crawls with stock Scrapy and with the add-on, all of it on, in pairs.

2,000 pages over 1 and over 200 local origins, each page 8 KB of words of its own with 25 links, all of which the spider
extracts and follows; a normal robots.txt of 20 rules everywhere; the store is a SQLite file, fresh for each crawl.
Figures are CPU time (user + system, all threads) of the crawling process from spider_opened to spider_closed, per page.
Both crawls of a pair run at once and share one core (the server has another): whatever slows the machine down slows
both, some milliseconds of the one and then some of the other. Stock beside stock so differs by 0.2 %, where crawls one
after another, or on a core each, differ by 10 % and more on a machine that is shared. A second kind of pair has the
add-on without traps and duplicates, which read every page; `--control` has stock beside stock.

    python benchmarks/crawl_overhead.py [--pages 2000] [--pairs 9]
    python benchmarks/crawl_overhead.py --control
    python benchmarks/crawl_overhead.py --record
    python benchmarks/crawl_overhead.py --traps
    python benchmarks/crawl_overhead.py --instructions

`--record` has the add-on beside the add-on without run record, forecast and alerts, and shows what the record takes on
disk.

`--traps` times the doors of the traps part in such a crawl: what a link takes in them (one of 25 is new), what a page
takes for its digest, and what it takes beside these (its request when it leaves, too).

Exits with 1 if the add-on costs more than a twentieth of stock's CPU, or without traps anything, beyond what the spread
of the runs leaves open; if the run record costs more than a fiftieth, or 120 bytes a page on disk; or if a link takes
more than 15 µs in the doors of the traps, or a page more than 300 beside links and digest. CPU time is noisy by more
than that on most machines; `--instructions` counts, with valgrind, what a page and what an origin cost more in
instructions of the process (not the kernel's), the same in every run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from math import inf
from pathlib import Path
from random import Random
from typing import Any

from _page_server import Pages, serve, served

STOCK = "stock"
KINDS = ("add-on", "without traps")
NO_RECORD = "no record"
TIMED = "timed"
#: Of stock's CPU, with all on, and without traps and duplicates.
LIMITS = {STOCK: 1.05, "add-on": 1.05, "without traps": 1.00}
#: Of the add-on's CPU without run record, and in bytes of a page on disk.
RECORD_LIMIT, RECORD_LIMIT_BYTES = 1.02, 120
#: Of what traps cost, in µs.
LIMITS_US = {"a link": 15.0, "a page beside these": 300.0}
HOSTS = (1, 200)
ROBOTS = b"User-agent: *\n" + b"".join(b"Disallow: /private/%d/\n" % n for n in range(20))
LINKS = 25


def _page(number: int, hosts: int, pages: int, port: int) -> bytes:
    """A page of words of its own, which links to the next ones, of this origin or of others."""
    rng = Random(number)
    linked = ((number + step) % pages for step in range(1, LINKS + 1))
    links = "".join(
        f'<p>Some words of text around <a href="//127.0.0.{n % hosts + 1}:{port}/page/{n}">link {n}</a>.</p>\n'
        for n in linked
    )
    text = " ".join(rng.choices(_WORDS, k=900))
    return f"<html><head><title>Page {number}</title></head><body>{links}<p>{text}</p></body></html>".encode()


_WORDS = ["".join(Random(n).choices("abcdefghijklmnopqrstuvwxyz", k=4 + n % 5)) for n in range(3_000)]


def _pages_at(port: int, hosts: int, pages: int) -> Pages:
    made = [_page(number, hosts, pages, port) for number in range(pages)]
    return lambda number: (ROBOTS, b"text/plain") if number is None else (made[number], b"text/html")


def _crawl(kind: str, hosts: int, pages: int, port: int) -> None:
    import scrapy
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    cpu: list[float] = []

    def mark() -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        cpu.append(usage.ru_utime + usage.ru_stime)

    class Spider(scrapy.Spider):
        name = "overhead"
        extractor = LinkExtractor()

        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            crawler.signals.connect(mark, signals.spider_opened)
            crawler.signals.connect(mark, signals.spider_closed)
            return spider

        async def start(self) -> Any:
            for n in range(hosts):
                yield scrapy.Request(f"http://127.0.0.{n + 1}:{port}/page/{n}")

        def parse(self, response: Any) -> Any:
            for link in self.extractor.extract_links(response):
                yield scrapy.Request(link.url)

    spent = _time_traps() if kind == TIMED else {}
    process = AsyncCrawlerProcess(_settings(kind))
    crawler = process.create_crawler(Spider)
    process.crawl(crawler)
    process.start()
    stats = crawler.stats.get_stats()
    expected = pages + hosts
    if stats["downloader/response_status_count/200"] != expected:
        raise SystemExit(f"expected {expected} answers, got {stats}")
    took = {"cpu_us_per_page": (cpu[1] - cpu[0]) / pages * 1e6}
    if folder := stats.get("polite/run_record"):
        took["record_bytes_per_page"] = sum(path.stat().st_size for path in Path(folder).iterdir()) / pages
    print(json.dumps(took | {part: seconds / pages * 1e6 for part, seconds in spent.items()}))


def _settings(kind: str) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
        "LOG_LEVEL": "WARNING",
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
    }
    if kind != STOCK:
        settings["ADDONS"] = {"scrapy_polite.Addon": 300}
    if kind == "without traps":
        settings |= {"POLITE_TRAPS": "off", "POLITE_DUPLICATES": "off"}
    if kind == NO_RECORD:
        settings["POLITE_RUN_RECORD"] = False
        monitor = ("alerts.Alerts", "limits.LimitWarnings")
        settings["EXTENSIONS"] = {f"scrapy_polite.monitor.{name}": None for name in monitor}
    return settings


def _time_traps() -> dict[str, float]:
    """Seconds that are spent in the traps part from now on: on links, on pages, and on cutting these up."""
    from scrapy_polite.services import trap_pages
    from scrapy_polite.services.traps import CrawlTraps

    spent = dict.fromkeys(("links", "page", "digest"), 0.0)

    def timed(part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            began = time.perf_counter()
            try:
                return work(*args)
            finally:
                spent[part] += time.perf_counter() - began

        return call

    links_of = CrawlTraps.links_of
    CrawlTraps.links_of = lambda traps, response: timed("links", links_of(traps, response))  # type: ignore[method-assign]
    CrawlTraps.page = timed("page", CrawlTraps.page)  # type: ignore[method-assign]
    CrawlTraps.may_leave = timed("page", CrawlTraps.may_leave)  # type: ignore[method-assign]
    trap_pages.read = timed("digest", trap_pages.read)
    return spent


def _at_once(kinds: Sequence[str], hosts: int, pages: int, port: int) -> list[dict[str, float]]:
    """What a page takes of crawls at once, in µs."""
    # Hashes alike in all runs: their chance moves a crawl's cost by more than what is to be shown.
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    figures: list[dict[str, float]] = []
    with ExitStack() as stack:
        crawls: list[subprocess.Popen[bytes]] = []
        for kind in kinds:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            command = [sys.executable, os.path.abspath(__file__), "--crawl", json.dumps([kind, hosts, pages, port])]
            crawls.append(subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE))
            stack.callback(crawls[-1].kill)
        for crawl_process in crawls:
            output, _ = crawl_process.communicate(timeout=300)
            if crawl_process.returncode:
                raise SystemExit(f"a crawl ended with exit status {crawl_process.returncode}")
            figures.append(json.loads(output.splitlines()[-1]))
    return figures


def _parts(pages: int, crawls: int) -> int:
    """Print what traps cost in the doors; 1 if it is more than it may."""
    with _served(1, pages) as port:
        runs = [_at_once((TIMED,), 1, pages, port)[0] for _ in range(crawls + 1)][1:]  # the first crawl warms up
    parts = {
        "a link": [run["links"] / LINKS for run in runs],
        "cutting a page up": [run["digest"] for run in runs],
        "a page beside these": [run["page"] - run["digest"] for run in runs],
    }
    cpu_us = statistics.median(run["cpu_us_per_page"] for run in runs)
    print(f"µs in the doors of the traps part; medians of {crawls} crawls of {pages:,} pages, {cpu_us:,.0f} µs each")
    above = False
    for part, figures in parts.items():
        median, limit_us = statistics.median(figures), LIMITS_US.get(part, inf)
        limit = f", limit {limit_us:.0f}" if limit_us < inf else ""
        print(f"{part:<20} {median:>6.1f} ({min(figures):.1f} .. {max(figures):.1f}){limit}")
        above |= median > limit_us
    return int(above)


def _stay_on_core(at: int) -> None:
    """Keep this process on one core of those there are; on a machine with one, or that cannot, on any."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) > 1:
        os.sched_setaffinity(0, {cores[at]})


def _count_instructions() -> int:
    """Instructions of crawls of each kind, and from their differences those of a page and of an origin."""
    few, many, origins = 100, 400, 100
    print("millions of instructions, of the whole process, by valgrind's callgrind")
    print(f"{'':>13} {'a page':>8} {'an origin':>10} {'ten pages of an origin, stock = 1':>34}")
    stock = 0.0
    for kind in (STOCK, *KINDS):
        base, pages, spread = (_instructions(kind, *crawl) for crawl in ((1, few), (1, many), (origins, many)))
        page, origin = (pages - base) / (many - few), (spread - pages) / (origins - 1)
        together = 10 * page + origin
        stock = stock or together
        print(f"{kind:>13} {page / 1e6:>8.2f} {origin / 1e6:>10.2f} {together / stock:>34.3f}", flush=True)
    return 0


def _instructions(kind: str, hosts: int, pages: int) -> int:
    with _served(hosts, pages) as port, tempfile.TemporaryDirectory() as folder:
        crawl = [sys.executable, os.path.abspath(__file__), "--crawl", json.dumps([kind, hosts, pages, port])]
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *crawl]
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        try:
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, timeout=600)
        except FileNotFoundError:
            raise SystemExit("valgrind is not installed: --instructions needs it") from None
    return int(run.stderr.decode().rpartition("Collected : ")[2].split()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--pairs", type=int, default=9, help="pairs of crawls of each kind, or crawls")
    parser.add_argument("--control", action="store_true", help="pairs of stock and stock, to see how far they differ")
    parser.add_argument("--record", action="store_true", help="what run record, forecast and alerts cost")
    parser.add_argument("--traps", action="store_true", help="what traps cost, by timing their doors")
    parser.add_argument("--instructions", action="store_true", help="count instructions with valgrind instead")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.pairs < 2:
        parser.error(f"--pairs is {options.pairs}, expected at least 2: one pair has no spread")
    if options.serve:
        _stay_on_core(0)
        hosts, pages = json.loads(options.serve)
        asyncio.run(serve(partial(_pages_at, hosts=hosts, pages=pages), hosts))
        return 0
    if options.crawl:
        _stay_on_core(1)
        _crawl(*json.loads(options.crawl))
        return 0
    if options.traps:
        return _parts(options.pages, options.pairs)
    if options.instructions:
        return _count_instructions()
    print(f"CPU per page, µs; {options.pages:,} pages; medians of {options.pairs} pairs")
    base = NO_RECORD if options.record else STOCK
    print(f"{'origins':>8} {'':>13} {base:>9} {'CPU':>6} {'ratio':>6}  more (min .. max)")
    failed = False
    for hosts in HOSTS:
        with _served(hosts, options.pages) as port:
            for kind in (STOCK,) if options.control else KINDS[:1] if options.record else KINDS:
                failed |= _compare(base, kind, hosts, options.pages, options.pairs, port)
    return 1 if failed else 0


def _compare(base: str, kind: str, hosts: int, pages: int, pairs: int, port: int) -> bool:
    """Print what a kind of crawl takes beside another; True if it takes more than it may."""
    runs = [_at_once((base, kind), hosts, pages, port) for _ in range(pairs + 1)][1:]  # the first pair warms up
    figures = [[run["cpu_us_per_page"] for run in pair] for pair in runs]
    stock, ours = (statistics.median(column) for column in zip(*figures, strict=True))
    more = sorted(b - a for a, b in figures)
    median, error = statistics.median(more), 1.25 * statistics.stdev(more) / len(more) ** 0.5
    limit_us = ((RECORD_LIMIT if base == NO_RECORD else LIMITS[kind]) - 1) * stock
    above = median - 2 * error > limit_us
    verdict = "within" if median + 2 * error <= limit_us else "above" if above else "not to be told from"
    ratio = statistics.median(b / a for a, b in figures)
    print(
        f"{hosts:>8} {kind:>13} {stock:>9.0f} {ours:>6.0f} {ratio:>6.3f}  {median:+.0f} ± {error:.0f} "
        f"({more[0]:+.0f} .. {more[-1]:+.0f}): {verdict} {limit_us:.0f}",
        flush=True,
    )
    if base == NO_RECORD:
        size = statistics.median(pair[1]["record_bytes_per_page"] for pair in runs)
        print(f"{'':>8} on disk {size:.0f} bytes a page, all files, limit {RECORD_LIMIT_BYTES}")
        above |= size > RECORD_LIMIT_BYTES
    return above


def _served(hosts: int, pages: int) -> AbstractContextManager[int]:
    """The port of a server in a process of its own."""
    return served([os.path.abspath(__file__), "--serve", json.dumps([hosts, pages])])


if __name__ == "__main__":
    sys.exit(main())
