"""What it takes to remember which URLs were seen, and what counts as the same URL.

Memory, disk, time, errors and the start of the next run with `--urls` fingerprints: Scrapy's RFPDupeFilter (with a job
directory), this package's memory, its exact table on disk, its Bloom filter, and rbloom if that is installed. Each in a
process of its own; `µs` is CPU time for one fingerprint, at the end of the filling. Then whole dupefilters on requests
for the corpus's real URLs, and the keys: time, and what they merge.

    python benchmarks/visited.py [--urls 10000000] [--rate 0.0001] [--sample 10]

Takes four minutes at 10 million, and 1.5 GB of memory; needs psutil. Exits with 1 if the Bloom filter errs more often
than stated, or if it would take 500 MB or more for 100 million.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import closing
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from scrapy import Request, Spider
from scrapy.dupefilters import RFPDupeFilter
from w3lib.url import canonicalize_url

from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.visited import bloom
from scrapy_polite.visited.bloom import BloomFilter
from scrapy_polite.visited.canonical import KeyOptions, key
from scrapy_polite.visited.memory import MemoryVisited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PROJECT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("POLITE_CORPUS", PROJECT.parent / "shared" / "corpus"))
LIMIT_S = 280
TIMED = 100_000
STRANGERS = 500_000
SEED = 3986
AIM_URLS, AIM_MB = 100_000_000, 500
TEN_MILLION = 10_000_000


def fingerprint(number: int) -> bytes:
    return blake2b(number.to_bytes(8, "big"), digest_size=15).digest()


def fingerprints(count: int, start: int = 0) -> Iterator[bytes]:
    return map(fingerprint, range(start, start + count))


class Rfp:
    """Given fingerprints of 20 bytes, as it makes them itself."""

    name = "RFPDupeFilter"

    def __init__(self, folder: Path, rate: float) -> None:
        self._filter = RFPDupeFilter(str(folder), fingerprinter=self)
        self.next = b""

    def fingerprint(self, request: Request) -> bytes:
        return self.next

    def seen(self, item: bytes) -> bool:
        self.next = item.ljust(20)
        return self._filter.request_seen(_REQUEST)

    knows = seen

    def close(self) -> None:
        self._filter.close("finished")


class Memory:
    name = "exact, memory"

    def __init__(self, folder: Path, rate: float) -> None:
        self.seen = self.knows = MemoryVisited().seen_or_add

    def close(self) -> None: ...


class Disk:
    """Filled as one sorted insertion, which leaves the table as it is, in a tenth of the time."""

    name = "exact, disk"

    def __init__(self, folder: Path, rate: float) -> None:
        self._path = folder / "queue.sqlite"
        self._queue = SqliteQueue(self._path, Codec(), Spider("benchmark"))
        self._queue.open().result()
        self.knows = self._queue.has_seen

    def seen(self, fingerprint: bytes) -> bool:
        if self._queue.has_seen(fingerprint):
            return True
        self._queue.mark_seen(fingerprint)
        return False

    def fill(self, items: Iterator[bytes]) -> None:
        self._queue.close().result()
        with closing(sqlite3.connect(self._path)) as db, db:
            db.executemany("INSERT INTO visited VALUES (?)", ((item,) for item in sorted(items)))

    def settle(self) -> None:
        self._queue.flush().result()

    def close(self) -> None:
        self._queue.close().result()


class Bloom:
    name = "Bloom filter"

    def __init__(self, folder: Path, rate: float) -> None:
        self._filter = BloomFilter(rate, folder / "bloom")
        self.seen = self._filter.seen_or_add
        self.knows = self._filter.__contains__

    def close(self) -> None:
        self._filter.close()


class RBloom:
    """Made for the number it will hold; it is saved as a whole, and cannot grow."""

    name = "rbloom"
    capacity = 0

    def __init__(self, folder: Path, rate: float) -> None:
        import rbloom

        self._path = folder / "rbloom"
        if self._path.exists():
            self._filter = rbloom.Bloom.load(self._path, _hash)
        else:
            self._filter = rbloom.Bloom(self.capacity, rate, _hash)
        self.knows = self._filter.__contains__

    def seen(self, item: bytes) -> bool:
        if item in self._filter:
            return True
        self._filter.add(item)
        return False

    def close(self) -> None:
        self._filter.save(self._path)


def _hash(item: bytes) -> int:
    return int.from_bytes(item, "big") - (1 << 119)


_REQUEST = Request("https://example.com/")
KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Rfp, Memory, Disk, Bloom, RBloom)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--urls", type=int, default=TEN_MILLION)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--sample", type=int, default=10)
    parser.add_argument("--phase", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.phase:
        phase, kind, folder = options.phase
        print(json.dumps(PHASES[phase](KINDS[kind], Path(folder), options.urls, options.rate)))
        return 0
    urls = real_urls()
    good = remember(options.urls, options.rate)
    print()
    filters(urls)
    print()
    keys(urls, options.sample)
    return 0 if good else 1


# Remembering


def remember(count: int, rate: float) -> bool:
    print(f"{count:,} URLs, error rate {rate:g}")
    print(f"{'':16}  B/URL   disk  µs new  known   restart  then MB  errors of {STRANGERS:,}")
    errors = 0
    for name, kind in KINDS.items():
        with tempfile.TemporaryDirectory() as folder:
            figures = run("fill", name, folder, count, rate)
            if "missing" in figures:
                print(f"{kind.name:16}  not installed")
                continue
            figures |= run("again", name, folder, count, rate)
        restart = f"{figures['restart_s']:8.3f} s" if kind is not Memory else "    lost  "
        print(
            f"{kind.name:16} {figures['memory'] / count:6.1f} {figures['disk'] / count:6.1f} {figures['new_us']:7.2f}"
            f" {figures['known_us']:6.2f} {restart} {figures['again'] / 1e6:7.0f}  {figures['errors']:,}"
        )
        if kind is Bloom:
            errors = figures["errors"]
    aim = bloom_mb(rate, AIM_URLS)
    # Three standard deviations above what the rate allows.
    most = rate * STRANGERS + 3 * (rate * STRANGERS) ** 0.5
    print(f"Bloom filter: {errors:,} errors, at most {most:.0f} may be; {aim:.0f} MB for {AIM_URLS:,}, aim {AIM_MB} MB")
    return errors <= most and aim < AIM_MB


def bloom_mb(rate: float, count: int) -> float:
    total = items = number = 0
    while items < count:
        size = bloom._layer_size(number, rate)
        total += size.blocks * bloom._BLOCK_BYTES
        items += size.items
        number += 1
    return total / 1e6


def run(phase: str, kind: str, folder: str, count: int, rate: float) -> dict[str, Any]:
    command = [sys.executable, __file__, "--urls", str(count), "--rate", str(rate), "--phase", phase, kind, folder]
    output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT_S).stdout
    figures: dict[str, Any] = json.loads(output)
    return figures


def fill(kind: Any, folder: Path, count: int, rate: float) -> dict[str, Any]:
    before = resident()
    RBloom.capacity = count
    try:
        memory = kind(folder, rate)
    except ImportError:
        return {"missing": True}
    if kind is Disk:
        memory.fill(fingerprints(count))
        return {"memory": 0, "disk": disk(folder), "new_us": 0.0, "known_us": 0.0}
    for item in fingerprints(count - TIMED):
        memory.seen(item)
    figures = timed(memory, count) | {"memory": resident() - before}
    memory.close()
    return figures | {"disk": disk(folder)}


def again(kind: Any, folder: Path, count: int, rate: float) -> dict[str, Any]:
    """The next run: how soon it starts, what memory it has then taken, and its errors."""
    before = resident()
    started = time.perf_counter()
    memory = kind(folder, rate)
    figures: dict[str, Any] = {"restart_s": time.perf_counter() - started}
    if kind is Disk:
        figures |= timed(memory, count + TIMED)
        figures["memory"] = resident() - before
    if kind is not Memory:
        missed = sum(not memory.knows(fingerprint(number)) for number in range(0, count, 997))
        if missed:
            sys.exit(f"{kind.name} has forgotten {missed:,}")
    figures["errors"] = sum(map(memory.knows, fingerprints(STRANGERS, start=2 * count)))
    figures["again"] = resident() - before
    memory.close()
    return figures


PHASES = {"fill": fill, "again": again}


def timed(memory: Any, count: int) -> dict[str, Any]:
    items = list(fingerprints(TIMED, start=count - TIMED))
    figures = {}
    for name in ("new_us", "known_us"):
        started = time.process_time()
        for item in items:
            memory.seen(item)
        if isinstance(memory, Disk):
            memory.settle()
        figures[name] = (time.process_time() - started) / TIMED * 1e6
    return figures


def resident() -> int:
    return int(psutil.Process().memory_info().rss)


def disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


# Whole dupefilters


def filters(urls: list[str]) -> None:
    requests = [Request(url) for url in random.Random(SEED).sample(urls, min(50_000, len(urls)))]
    # Fingerprints are kept with a request: each filter has requests of its own.
    print(f"request_seen of {len(requests):,} real URLs, µs")
    costs = {}
    for dupefilter in (RFPDupeFilter(), PoliteDupeFilter(), PoliteDupeFilter(error_rate=1e-4)):
        fresh = [request.copy() for request in requests]
        started = time.process_time()
        for request in fresh:
            dupefilter.request_seen(request)
        name = f"{type(dupefilter).__name__}{' (Bloom)' if len(costs) == 2 else ''}"
        costs[name] = (time.process_time() - started) / len(requests) * 1e6
    stock = costs["RFPDupeFilter"]
    for name, cost in costs.items():
        print(f"{name:26} {cost:6.1f}   {cost / stock:.2f} of stock")


# Keys


def real_urls() -> list[str]:
    path = CORPUS / "urls" / "real_urls.txt.xz"
    if not path.exists():
        sys.exit(f"corpus not found at {CORPUS}: set POLITE_CORPUS")
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return sorted({line.rstrip("\n") for line in lines})


def keys(urls: list[str], sample: int) -> None:
    ours, stock = merged(urls, key), merged(urls, canonicalize_url)
    print(f"keys of {len(urls):,} real URLs       µs   merged")
    for name, spelled, groups in (("canonicalize_url", canonicalize_url, stock), ("key", key, ours)):
        print(f"{name:28} {cost_us(urls, spelled):6.1f} {len(urls) - len(groups):8,}  {share(urls, groups)}")
    for option in ("case", "index", "www", "scheme", "slash"):
        options = KeyOptions(**{option: True})
        groups = merged(urls, lambda url, options=options: key(url, options))
        print(f"  and {option:29} {len(urls) - len(groups):8,}  {share(urls, groups)}")
    beyond = [group for group in ours.values() if len({canonicalize_url(url) for url in group}) > 1]
    short = [group for group in stock.values() if len({key(url) for url in group}) > 1]
    print(f"{len(beyond)} merges that canonicalize_url does not make, {len(short)} that it alone makes:")
    for group in random.Random(SEED).sample(beyond, min(sample, len(beyond))) + short[:sample]:
        print("  " + "\n  = ".join(group[:3]))


def merged(urls: list[str], spelled: Callable[..., str]) -> dict[str, list[str]]:
    groups = defaultdict(list)
    for url in urls:
        groups[spelled(url)].append(url)
    return groups


def share(urls: list[str], groups: dict[str, list[str]]) -> str:
    return f"{1 - len(groups) / len(urls):.3%}"


def cost_us(urls: list[str], spelled: Callable[[str], str]) -> float:
    some = list(islice(urls, 0, None, 10))
    started = time.process_time()
    for url in some:
        spelled(url)
    return (time.process_time() - started) / len(some) * 1e6


if __name__ == "__main__":
    sys.exit(main())
