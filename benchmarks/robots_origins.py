"""A store of a million origins: its size on disk, the process's memory, and what one hit costs.

A hit from disk is the copy read and its rules parsed, as a crawl needs them. Bodies are the real robots.txt files of
the corpus that are under 4 KiB, over and over; host names come in no order, as a crawl meets them.

    python benchmarks/robots_origins.py [--origins 1000000]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import sys
import tarfile
import tempfile
import time
from collections import deque
from hashlib import blake2b
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, NoReturn

from scrapy_polite.identity import agent_key
from scrapy_polite.origin import Origin
from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.access import Policy
from scrapy_polite.robots.cache import Key, RobotsCache
from scrapy_polite.robots.fetcher import Fetcher
from scrapy_polite.store.crawl import CrawlStore
from scrapy_polite.store.factory import open_file
from scrapy_polite.store.robots import RobotsCopy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future

    from scrapy_polite.store.base import FileStore

PROJECT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("POLITE_CORPUS", PROJECT.parent / "shared" / "corpus"))
TOKEN = "polite-benchmark"
AGENT = agent_key(TOKEN)
MAX_BODY_BYTES = 4_096
READS = 20_000
CACHED = 5_000
SEED = 9309
CLAIM_DISK_US = 200.0
CLAIM_MEMORY_US = 20.0
CLAIM_RSS_MB = 300.0


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--origins", type=int, default=1_000_000)
    count = arguments.parse_args().origins
    bodies = small_bodies(CORPUS / "robots" / "robots_txt.tar.xz")
    print(f"{len(bodies):,} bodies, median {median(map(len, bodies)):.0f} bytes; {count:,} origins")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "polite" / "store.sqlite"
        store = open_file(path)
        started = time.perf_counter()
        load(store, count, bodies)
        load_s = time.perf_counter() - started
        store.close()
        print(f"load                   {load_s:8.1f} s   {load_s / count * 1e6:.0f} µs an origin")
        file_bytes = path.stat().st_size
        print(f"file                   {file_bytes / 1e6:8.1f} MB  {file_bytes / count:.0f} bytes an origin")

        store = open_file(path)
        keys = [key(number) for number in random.Random(SEED).sample(range(count), min(READS, count))]
        asyncio.run(measure(store, keys))
        store.close()
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"RSS, peak              {rss_mb:8.1f} MB  {verdict(rss_mb, CLAIM_RSS_MB)} MB")
    return 0


def small_bodies(archive: Path) -> list[bytes]:
    if not archive.exists():
        sys.exit(f"corpus not found at {archive}: set POLITE_CORPUS")
    with tarfile.open(archive) as files:
        members = [member for member in files if member.isfile() and member.size <= MAX_BODY_BYTES]
        return [file.read() for member in members if (file := files.extractfile(member))]


def key(number: int) -> Key:
    name = blake2b(number.to_bytes(8, "big"), digest_size=6).hexdigest()
    return Key(Origin("https", f"www.{name}.example", 443), AGENT, TOKEN)


def robots_copies(count: int, bodies: list[bytes]) -> Iterator[RobotsCopy]:
    now = time.time()
    for number, body in zip(range(count), cycle(bodies)):
        yield RobotsCopy(
            origin=str(key(number).origin),
            agent=AGENT,
            updated_at=now,
            status=200,
            body=body,
            fetched_at=now,
            expires_at=now + 86_400,
            etag=f'"{number:x}-{len(body):x}"',
            last_modified="Sat, 21 Nov 2026 08:49:37 GMT",
        )


def load(store: FileStore, count: int, bodies: list[bytes]) -> None:
    """Copy by copy, each a transaction, as a crawl writes them; a thousand on their way at a time."""
    pending: deque[Future[bool]] = deque()
    for copy in robots_copies(count, bodies):
        pending.append(store.robots.put(copy))
        if len(pending) > 1_000:
            pending.popleft().result()
    for future in pending:
        future.result()


def parsed(body: bytes, key: Key) -> RobotsTxt:
    return RobotsTxt.parse(body, key.token)


async def measure(store: FileStore, keys: list[Key]) -> None:
    cache = RobotsCache(CrawlStore(store), FETCHER, parsed, lambda origin: Policy(), max_count=CACHED)
    report("store: read", [await read(store, key) for key in keys])
    report("store: read and parsed", [await read(store, key, parse=True) for key in keys], CLAIM_DISK_US)
    report("cache: from disk", [await first_hit(cache, key) for key in keys], CLAIM_DISK_US)
    report("cache: from memory", [second_hit(cache, key) for key in keys[-CACHED:]], CLAIM_MEMORY_US)


async def read(store: FileStore, key: Key, *, parse: bool = False) -> float:
    """Seconds from the question to the answer in the event loop."""
    started = time.perf_counter()
    copy = await asyncio.wrap_future(store.robots.get(*key.sent))
    assert copy is not None
    if parse:
        RobotsTxt.parse(copy.body, key.token)
    return time.perf_counter() - started


async def first_hit(cache: RobotsCache, key: Key) -> float:
    """Seconds of all that a crawl does for an origin that an earlier crawl has met."""
    started = time.perf_counter()
    held = await cache.known(key, no_download, time.time() + 60)
    seconds = time.perf_counter() - started
    assert held is not None
    assert held.rules is not None
    return seconds


def second_hit(cache: RobotsCache, key: Key) -> float:
    started = time.perf_counter()
    held = cache.look(key)
    seconds = time.perf_counter() - started
    assert held is not None
    return seconds


async def no_download(*_: object, **__: object) -> NoReturn:
    raise AssertionError("every origin is in the store: nothing is to be downloaded")


FETCHER = Fetcher(sleep=asyncio.sleep, clock=time.time, resolve=no_download)


def report(name: str, times: list[float], claim_us: float | None = None) -> None:
    median_us, p99_us = median(times) * 1e6, quantiles(times, n=100)[98] * 1e6
    claim = f"  {verdict(median_us, claim_us)} µs" if claim_us else ""
    print(f"{name:23}{median_us:8.1f} µs median{p99_us:10.1f} µs p99{claim}")


def verdict(measured: float, claimed: float) -> str:
    return f"{'under' if measured < claimed else 'NOT UNDER'} {claimed:.0f}"


if __name__ == "__main__":
    sys.exit(main())
