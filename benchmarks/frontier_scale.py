"""What one pop and one push cost the scheduler with up to a million hosts queued, most of them closed; and its memory.

One request waits on each host. All but a tenth of them, and at most 100, are closed for the day; of the others the
robots.txt is known, and ten requests wait there. A pop is `next_request()` whole: requests acknowledged, gates looked
at, stats counted. What it returns comes back at once as a response and is followed by another request of the same host,
so that the queue stays as large as it was. Stock is Scrapy's scheduler with DownloaderAwarePriorityQueue, which has no
closed hosts: all are free. Each size runs in a process of its own; microseconds are of 5,000 pops (stock: up to 3 s of
them), the median of the means of ten parts.

Then a queue of a million requests on 100,000 hosts in the SQLite backend: pushed, then popped in batches of 64 hosts
and acknowledged, without a crawl around it.

    python benchmarks/frontier_scale.py [--quick]

Exits with 1 if a pop takes more than 15 µs at any size, the SQLite backend does fewer than 10,000 requests (push, pop
and acknowledgement) a second or needs more than 250 MB or a changing number of files.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import mean, median
from types import SimpleNamespace
from typing import Any

import psutil
from _crawls import verdict
from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler as StockScheduler
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.request import RequestFingerprinter

from scrapy_polite._crawl import shared
from scrapy_polite.frontier import Scheduler
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.origin import Origin
from scrapy_polite.robots.access import answered
from scrapy_polite.robots.cache import CachedRobots, RobotsCache
from scrapy_polite.services import robots as robots_service
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots

SIZES = (1_000, 10_000, 100_000, 1_000_000)
STOCK_SIZES = (1_000, 10_000, 50_000)
POPS, PARTS = 5_000, 10
OPEN_ONE_IN, MOST_OPEN, QUEUED_AT_OPEN = 10, 100, 10
IN_FLIGHT = 16
LIMIT_US = 15.0
STOCK_S = 3.0
QUEUED, QUEUED_HOSTS, BATCH = 1_000_000, 100_000, 64
LEAST_PER_S, MOST_MB = 10_000, 250
TOMORROW_S = 86_400.0


def crawler_of() -> Crawler:
    """A crawler as far as schedulers see it, with an engine that downloads nothing."""
    spider = type("BenchSpider", (Spider,), {"name": "bench"})
    crawler = Crawler(spider, Settings({"USER_AGENT": "benchbot/1.0", "POLITE_STORE": "memory"}))
    crawler.spider = spider()
    crawler.stats = MemoryStatsCollector(crawler)
    crawler.request_fingerprinter = RequestFingerprinter(crawler)
    downloader = SimpleNamespace(
        active=set(), slots={}, total_concurrency=IN_FLIGHT, needs_backout=bool, get_slot_key=slot_key
    )
    heartbeat = SimpleNamespace(running=True)
    slot = SimpleNamespace(
        closing=None, inprogress=set(), heartbeat=heartbeat, nextcall=SimpleNamespace(schedule=lambda: None)
    )
    scraper = SimpleNamespace(slot=None)
    crawler.engine = SimpleNamespace(  # type: ignore[assignment]
        downloader=downloader, scraper=scraper, _slot=slot, _start=None
    )
    return crawler


def slot_key(request: Request) -> str:
    return request.url.split("/", 3)[2]


def request_of(host: int) -> Request:
    return Request(f"http://www.host-{host}.example/path/to/a/page", dont_filter=True)


def measure(crawler: Crawler, scheduler: Any, budget_s: float) -> dict[str, float]:
    """The microseconds of a pop and of a push, with the queue's size as it is."""
    engine: Any = crawler.engine
    pacing = shared(crawler, CrawlPacing) if isinstance(scheduler, Scheduler) else None
    pops, pushes = [], []
    deadline = time.perf_counter() + budget_s
    for _ in range(POPS):
        before = time.perf_counter_ns()
        request = scheduler.next_request()
        pops.append(time.perf_counter_ns() - before)
        engine.downloader.active.add(request)
        engine._slot.inprogress.add(request)
        if pacing is not None:
            pacing.leaves(request)
            pacing.finished(request, Response(request.url), None)
        engine.downloader.active.discard(request)
        following = request.replace()
        before = time.perf_counter_ns()
        scheduler.enqueue_request(following)
        pushes.append(time.perf_counter_ns() - before)
        engine._slot.inprogress.discard(request)
        if time.perf_counter() > deadline:
            break
    return {"pop_us": _typical(pops), "push_us": _typical(pushes)}


def _typical(nanoseconds: list[int]) -> float:
    size = max(len(nanoseconds) // PARTS, 1)
    return median(mean(nanoseconds[at : at + size]) for at in range(0, len(nanoseconds) - size + 1, size)) / 1_000


def ours(hosts: int, budget_s: float = 600.0) -> dict[str, float]:
    robots_service.RobotsCache = partial(RobotsCache, max_count=hosts)  # type: ignore[misc]
    crawler = crawler_of()
    scheduler = Scheduler.from_crawler(crawler)
    _open(scheduler)
    robots, pacing = shared(crawler, CrawlRobots), shared(crawler, CrawlPacing)
    robots.enforced = True
    now = time.time()
    rss = _rss()
    for host in range(hosts):
        scheduler.enqueue_request(request_of(host))
    fill_bytes = _rss() - rss
    open_hosts = set(random.Random(hosts).sample(range(hosts), min(hosts // OPEN_ONE_IN, MOST_OPEN)))
    for host in open_hosts:
        for _ in range(QUEUED_AT_OPEN - 1):
            scheduler.enqueue_request(request_of(host))
    for host in range(hosts):
        request = request_of(host)
        origin = Origin.from_url(request.url)
        if host not in open_hosts:
            gate = pacing.gate(origin)
            gate.held_until = now + TOMORROW_S
        else:
            key = robots.key(origin, request)
            copy = answered(*key.sent, now, robots.policy(origin), status=404, headers={})
            robots.cache._remember(key, CachedRobots(copy, None, robots.policy(origin)))
    # Each closed gate is found to be so once, as it comes up.
    for _ in range(len(open_hosts) + 1):
        scheduler._dispatcher._waits()
        lane = scheduler._lanes.picked
        if lane is not None:
            scheduler._lanes.served(lane)
    gc.collect()
    gc.freeze()
    return measure(crawler, scheduler, budget_s) | {"bytes": fill_bytes / hosts}


def one_host(requests: int) -> dict[str, float]:
    """The memory of a queued request alone."""
    scheduler = Scheduler.from_crawler(crawler_of())
    _open(scheduler)
    rss = _rss()
    for _ in range(requests):
        scheduler.enqueue_request(request_of(1))
    return {"bytes": (_rss() - rss) / requests}


def stock(hosts: int) -> dict[str, float]:
    crawler = crawler_of()
    scheduler = build_from_crawler(StockScheduler, crawler)
    scheduler.open(crawler.spider)
    rss = _rss()
    for host in range(hosts):
        scheduler.enqueue_request(request_of(host))
    fill_bytes = _rss() - rss
    gc.collect()
    gc.freeze()
    return measure(crawler, scheduler, STOCK_S) | {"bytes": fill_bytes / hosts}


def _open(scheduler: Scheduler) -> None:
    """Without JOBDIR there is nothing to wait for."""
    shared(scheduler.crawler, CrawlPacing).serve(scheduler)


def sqlite(requests: int, hosts: int) -> dict[str, float]:
    spider = crawler_of().spider
    assert spider is not None
    with tempfile.TemporaryDirectory() as folder:
        queue = SqliteQueue(Path(folder) / "queue.sqlite", Codec(), spider)
        queue.open().result()
        files = [_open_files()]
        began = time.perf_counter()
        for number in range(requests):
            host = number % hosts
            queue.push(f"http://www.host-{host}.example", (0, number), request_of(host))
        pushed_s = time.perf_counter() - began
        queue.flush().result()
        files.append(_open_files())
        popped = 0
        for lanes in _batches(list(queue.lanes()), BATCH):
            while lanes := [lane for lane in lanes if queue.head(lane) is not None]:
                unread = [lane for lane in lanes if not queue.ready(lane)]
                if unread:
                    queue.fetch(unread).result()
                for lane in lanes:
                    while queue.ready(lane):
                        queue.done(queue.pop(lane))
                        popped += 1
            if popped % (requests // 10) < BATCH * 10:
                files.append(_open_files())
        queue.flush().result()
        seconds = time.perf_counter() - began
        queue.close().result()
    assert popped == requests
    peak = psutil.Process().memory_info().rss if os.name == "nt" else _peak_rss()
    return {
        "per_s": requests / seconds,
        "push_us": pushed_s / requests * 1e6,
        "peak_mb": peak / 1e6,
        "files": max(files),
        "fewest_files": min(files),
    }


def _batches(items: list[str], size: int) -> Iterator[list[str]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]


def _rss() -> int:
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def _peak_rss() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _open_files() -> int:
    return int(psutil.Process().num_fds())


KINDS = {"ours": ours, "stock": stock, "one_host": one_host, "sqlite": sqlite}


def run(kind: str, *sizes: int) -> dict[str, float]:
    """Measure in a process of its own."""
    command = [sys.executable, __file__, "--one", json.dumps([kind, *sizes])]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="up to 10,000 hosts, 50,000 requests: to try it")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        kind, *sizes = json.loads(options.one)
        print(json.dumps(KINDS[kind](*sizes)))
        return 0

    most_hosts = 10_000 if options.quick else SIZES[-1]
    good = True
    print(f"{'hosts':>10}{'':>9}{'pop µs':>10}{'push µs':>9}{'bytes per host with one request':>34}")
    per_host = 0.0
    for hosts in sorted({*SIZES, *STOCK_SIZES}):
        for kind, sizes in (("stock", STOCK_SIZES), ("ours", SIZES)):
            if hosts in sizes and hosts <= most_hosts:
                figures = run(kind, hosts)
                line = f"{figures['pop_us']:>10.1f}{figures['push_us']:>9.1f}{figures['bytes']:>34,.0f}"
                print(f"{hosts:>10,}{'add-on' if kind == 'ours' else kind:>9}{line}", flush=True)
                if kind == "ours":
                    per_host = figures["bytes"]
                    good &= figures["pop_us"] <= LIMIT_US
    per_request = run("one_host", min(most_hosts, 100_000))["bytes"]
    print(f"a queued request takes {per_request:,.0f} bytes, a host with its gate {per_host - per_request:,.0f} more")
    good = verdict(good, f"add-on: at most {LIMIT_US:g} µs per pop at any size")

    requests, hosts = (50_000, 5_000) if options.quick else (QUEUED, QUEUED_HOSTS)
    figures = run("sqlite", requests, hosts)
    print(
        f"SQLite, {requests:,} requests on {hosts:,} hosts: {figures['per_s']:,.0f} a second, "
        f"{figures['push_us']:.1f} µs per push, {figures['peak_mb']:.0f} MB, {figures['files']:.0f} files open"
    )
    good &= verdict(figures["per_s"] >= LEAST_PER_S, f"add-on: at least {LEAST_PER_S:,} a second")
    good &= verdict(figures["peak_mb"] <= MOST_MB, f"add-on: at most {MOST_MB} MB")
    good &= verdict(figures["files"] == figures["fewest_files"], "add-on: no more files open at one time than another")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
