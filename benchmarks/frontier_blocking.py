"""Whether slow hosts hold up fast ones: when the fast hosts of a crawl are done, beside slow ones and alone.

100 local hosts of ten pages each, all queued at the start; answers take so long that 160 pages a second are the most
that CONCURRENT_REQUESTS allows. Of these hosts 10 or 20 are slow: their robots.txt has `Crawl-delay: 5` (stock Scrapy,
which does not read it, is told by DOWNLOAD_SLOTS), or it never answers (DOWNLOAD_TIMEOUT is 5 s, by default 180). As
soon as the fast hosts are done the spider closes itself; that is the time to close. `still` is the longest time without
any page of a fast host; `rude` counts requests to slow hosts that the server saw sooner than 5 s after the one before,
or without a robots.txt. Stock Scrapy runs once per row, the add-on three times, in alternation with the fast hosts
alone; medians. A crawl that takes three times as long as alone is not waited for, nor one that closes for 10 s.

    python benchmarks/frontier_blocking.py [--runs 3] [--row NAME ...] [--quick]

Exits with 1 if the add-on's fast hosts take more than 1.05 times what they take alone (1.10 where robots.txt hangs), or
if it takes more than half a second to close, or is rude.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from _crawls import KINDS, Crawl, Crawled, seconds, verdict
from _servers import HANGS, Hit, Host, Servers, addresses

HOSTS = 100
MOST_PER_S = 160
DELAY_S = 5
TIMEOUT_S = 5
CAP = 3.0
CLOSING_CAP_S = 10.0
CLOSING_LIMIT_S = 0.5


@dataclass(frozen=True, slots=True)
class Row:
    slow: int
    hangs: bool = False
    concurrency: int = 16

    @property
    def limit(self) -> float:
        return 1.10 if self.hangs else 1.05

    @property
    def alone(self) -> tuple[int, int]:
        """What the fast hosts' own time depends on."""
        return HOSTS - self.slow, self.concurrency


ROWS = {
    "10 with Crawl-delay 5": Row(10),
    "20 with Crawl-delay 5": Row(20),
    "10 with Crawl-delay 5, CONCURRENT_REQUESTS 100": Row(10, concurrency=100),
    "10 whose robots.txt hangs": Row(10, hangs=True),
    "20 whose robots.txt hangs": Row(20, hangs=True),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """`fast_s`: until the last page of a fast host, None if it was not waited for; `done`: such pages."""

    fast_s: float | None
    done: int
    still_s: float
    closing_s: float | None
    rude: int


def run(addon: bool, row: Row, pages: int, with_slow: bool, cap_s: float) -> Figure:
    fast, slow = addresses(HOSTS)[row.slow :], addresses(row.slow) if with_slow else []
    robots = HANGS if row.hangs else f"User-agent: *\nCrawl-delay: {DELAY_S}\n"
    hosts = {host: Host(latency_s=row.concurrency / MOST_PER_S) for host in fast}
    hosts |= {host: Host(robots, latency_s=0.1) for host in slow}
    settings: dict[str, Any] = {"CONCURRENT_REQUESTS": row.concurrency, "DOWNLOAD_TIMEOUT": TIMEOUT_S}
    if not addon:
        settings["DOWNLOAD_SLOTS"] = {host: {"delay": DELAY_S} for host in slow} if not row.hangs else {}
    with Servers(hosts) as servers, tempfile.TemporaryDirectory() as folder:
        urls = [servers.url(host, f"page/{n}") for n in range(pages) for host in sorted(hosts)]
        # A crawl that is too slow is asked to close all the same, so that this is seen of each.
        running = Crawl(addon, urls, settings, stop_after_s=cap_s, enough=fast).start(Path(folder))
        deadline = time.monotonic() + cap_s + CLOSING_CAP_S + 5
        closing_since = None
        while running.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
            if closing_since is None and b'"stopping"' in running.events.read_bytes():
                closing_since = time.monotonic()
                deadline = closing_since + CLOSING_CAP_S
        crawled = running.wait(0)
        return _figure(crawled, fast, pages, cap_s, _rude(row, slow, servers.hits()))


def _rude(row: Row, slow: list[str], hits: list[Hit]) -> int:
    if row.hangs:
        return sum(hit.host in slow and hit.path != "/robots.txt" for hit in hits)
    times = [[hit.at for hit in hits if hit.host == host] for host in slow]
    return sum(after - before < DELAY_S for host in times for before, after in pairwise(host))


def _figure(crawled: Crawled, fast: list[str], pages: int, cap_s: float, rude: int) -> Figure:
    end = crawled.opened_at + cap_s
    times = [event["at"] for event in crawled.pages if event["asked"].split(":")[1][2:] in fast and event["at"] <= end]
    whole = len(times) == len(fast) * pages
    edges = [crawled.opened_at, *times] + ([] if whole else [end])
    still_s = max(after - before for before, after in pairwise(edges))
    return Figure(times[-1] - crawled.opened_at if whole else None, len(times), still_s, crawled.closing_s, rude)


def _median(values: list[float | None]) -> float | None:
    # One that was not waited for is longer than all others.
    values = sorted(values, key=lambda value: value or float("inf"))
    return values[len(values) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="crawls of the add-on of each kind")
    parser.add_argument("--row", choices=list(ROWS), action="append", help="only these rows")
    parser.add_argument("--quick", action="store_true", help="one run of the first row, three pages each: to try it")
    options = parser.parse_args()
    runs, pages = (1, 3) if options.quick else (options.runs, 10)
    rows = options.row or list(ROWS)[: 1 if options.quick else None]

    alone: dict[tuple[bool, tuple[int, int]], list[float]] = {}

    def alone_s(addon: bool, row: Row, turn: int) -> float:
        known = alone.setdefault((addon, row.alone), [])
        if len(known) <= turn:
            figure = run(addon, row, pages, with_slow=False, cap_s=60)
            if figure.fast_s is None:
                raise SystemExit(f"the fast hosts alone were not done in 60 s: {figure}")
            known.append(figure.fast_s)
        return statistics.median(known)

    good = True
    print(f"{HOSTS} hosts, {pages} pages each; seconds; stock once, add-on median of {runs}")
    print(f"{'of these':<48}{'':<8}{'alone':>7}{'beside':>8}{'ratio':>7}{'still':>7}{'to close':>10}{'rude':>6}")
    for name in rows:
        row = ROWS[name]
        figures: dict[str, list[Figure]] = {kind: [] for kind in KINDS}
        for turn in range(runs):
            for kind, addon in KINDS.items():
                if turn and not addon:
                    continue
                cap_s = CAP * alone_s(addon, row, turn)
                figures[kind].append(run(addon, row, pages, with_slow=True, cap_s=cap_s))
        for kind, addon in KINDS.items():
            own_s = statistics.median(alone[addon, row.alone])
            fast_s = _median([figure.fast_s for figure in figures[kind]])
            closing_s = _median([figure.closing_s for figure in figures[kind]])
            ratio = fast_s / own_s if fast_s else None
            written = f"{ratio:.2f}" if ratio else f"> {CAP:.0f}"
            lost = "" if ratio else f"  {figures[kind][0].done} of {row.alone[0] * pages} pages by then"
            rude = max(figure.rude for figure in figures[kind])
            still_s = statistics.median(figure.still_s for figure in figures[kind])
            print(
                f"{name:<48}{kind:<8}{own_s:>7.2f}{seconds(fast_s, CAP * own_s):>8}{written:>7}{still_s:>7.2f}"
                f"{seconds(closing_s, CLOSING_CAP_S):>10}{rude:>6}{lost}",
                flush=True,
            )
        good &= verdict(ratio is not None and ratio <= row.limit, f"add-on: {written} times alone, at most {row.limit}")
        closes = closing_s is not None and closing_s <= CLOSING_LIMIT_S
        good &= verdict(closes, f"add-on: closes in {seconds(closing_s, CLOSING_CAP_S)} s, at most {CLOSING_LIMIT_S}")
        good &= verdict(not rude, f"add-on: {rude} requests to slow hosts too soon")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
