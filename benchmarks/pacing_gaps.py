"""Gaps between the requests to a host, measured at the server, for delays that its robots.txt declares.

Delays of 0.2, 1 and 2.5 s (`Crawl-delay`), two hosts each, answers after 50 ms, for a minute: with AutoThrottle, with
jitter, with the downloader's slots collected as soon as they are idle, with redirects within and across hosts, with
retries after a 500 and after a dropped connection, with a media pipeline, two spiders in one process, two processes on
one store. Every request counts, robots.txt too. Stock Scrapy, which does not read Crawl-delay, is told the delays by
DOWNLOAD_SLOTS; each of its crawls runs at the same time as the add-on's, on hosts of its own.

    python benchmarks/pacing_gaps.py [--seconds 60] [--at-once 4] [--row NAME ...] [--quick]

Exits with 1 if any gap of the add-on is below the declared delay, or a median above 1.15 times delay plus answer time
(with jitter: the most that it may add on top). The server's clock is one for all of its hosts, and nothing is rounded.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from _crawls import KINDS, Crawl, verdict
from _servers import Hit, Host, Servers, addresses

DELAYS_S = (0.2, 1.0, 2.5)
HOSTS_EACH = 2
LATENCY_S = 0.05
SLACK = 1.15
START_S = 5
STEADY: dict[str, Any] = {"DOWNLOAD_DELAY_JITTER": 0, "LOG_LEVEL": "WARNING"}


@dataclass(frozen=True, slots=True)
class Row:
    """`paths`: what the nth URL of a host is, in turn; `{other}` is a host of the same delay. `more`: of the Crawl."""

    paths: tuple[str, ...] = ("page/{n}",)
    settings: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)
    spiders: int = 1
    processes: int = 1
    stretch: float = 1.0

    @property
    def shares(self) -> int:
        return self.spiders * self.processes


AUTOTHROTTLE = {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 0.1, "AUTOTHROTTLE_TARGET_CONCURRENCY": 4}
ROWS = {
    "plain": Row(),
    "AutoThrottle": Row(settings=AUTOTHROTTLE),
    "jitter 0.5": Row(settings={"DOWNLOAD_DELAY_JITTER": 0.5}, stretch=1.5),
    "slots collected": Row(more={"collect_slots": True}),
    "redirects": Row(("moved/{host}/{n}", "page/{n}", "moved/{other}/{n}")),
    "retries after 500": Row(("fails-once/{n}", "page/{n}")),
    "dropped connections": Row(("drops-once/{n}", "page/{n}", "page/more-{n}")),
    "media pipeline": Row(more={"files": True}),
    "two spiders": Row(spiders=2),
    "two processes": Row(processes=2),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """Gaps in seconds by the delay that was declared; `requests` in all."""

    gaps: Mapping[float, list[float]]
    requests: int

    @property
    def below(self) -> int:
        return sum(gap < delay for delay, gaps in self.gaps.items() for gap in gaps)

    @property
    def least(self) -> float:
        """Share of the declared delay that the worst gap has."""
        return min((gap / delay for delay, gaps in self.gaps.items() for gap in gaps), default=0.0)

    @property
    def medians(self) -> dict[float, float]:
        return {delay: statistics.median(gaps) if gaps else float("inf") for delay, gaps in self.gaps.items()}


def hosts_of(block: int) -> dict[str, float]:
    """Return the delay of each host of a block of addresses."""
    return dict(zip(addresses(HOSTS_EACH * len(DELAYS_S), block), DELAYS_S * HOSTS_EACH, strict=True))


def urls_of(row: Row, delays: Mapping[str, float], servers: Servers, span_s: float) -> list[str]:
    """Return more URLs for each host than can be had in the time, so that each share has some of every host."""
    hosts = list(delays)
    urls = []
    for turn in range(int(span_s / min(DELAYS_S)) + 20):
        for position, host in enumerate(hosts):
            if turn > span_s / delays[host] + 20:
                continue
            other = hosts[(position + len(DELAYS_S)) % len(hosts)]
            path = row.paths[turn % len(row.paths)]
            numbers = range(turn * row.shares, (turn + 1) * row.shares)
            urls += [servers.url(host, path.format(n=n, host=host, other=other)) for n in numbers]
    return urls


def crawl(row: Row, addon: bool, block: int, servers: Servers, span_s: float) -> None:
    """Let it crawl for so long from its start, then end it: what is measured is at the server."""
    delays = hosts_of(block)
    settings = STEADY | dict(row.settings)
    if not addon:
        settings["DOWNLOAD_SLOTS"] = {host: {"delay": delay} for host, delay in delays.items()}
    urls = urls_of(row, delays, servers, span_s)
    with tempfile.TemporaryDirectory() as folder:
        if addon:
            settings["POLITE_STORE"] = str(Path(folder, "shared.sqlite"))
        shares = [urls[number :: row.processes] for number in range(row.processes)]
        crawls = [
            Crawl(addon, share, settings, stop_after_s=span_s, spiders=row.spiders, **row.more).start(
                Path(folder, str(number))
            )
            for number, share in enumerate(shares)
        ]
        deadline = time.monotonic() + span_s + START_S
        for running in crawls:
            running.wait(max(0.0, deadline - time.monotonic()))


def figure(hits: list[Hit], block: int) -> Figure:
    delays = hosts_of(block)
    gaps: dict[float, list[float]] = {delay: [] for delay in DELAYS_S}
    for host, delay in delays.items():
        times = [hit.at for hit in hits if hit.host == host]
        gaps[delay] += [after - before for before, after in pairwise(times)]
    return Figure(gaps, sum(hit.host in delays for hit in hits))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long each crawl lasts")
    parser.add_argument("--at-once", type=int, default=4, help="rows that run at the same time")
    parser.add_argument("--row", choices=list(ROWS), action="append", help="only these rows")
    parser.add_argument("--quick", action="store_true", help="two rows for 8 s: to try it")
    options = parser.parse_args()
    names = options.row or list(ROWS)[: 2 if options.quick else None]
    span_s = 8.0 if options.quick else options.seconds

    jobs = [(name, kind) for name in names for kind in KINDS]
    blocks = {job: block for block, job in enumerate(jobs, 1)}
    sites = {
        host: Host(f"User-agent: *\nCrawl-delay: {delay}\n", latency_s=LATENCY_S)
        for block in blocks.values()
        for host, delay in hosts_of(block).items()
    }
    with Servers(sites) as servers, ThreadPoolExecutor(2 * options.at_once) as pool:
        done = [pool.submit(crawl, ROWS[name], KINDS[kind], blocks[name, kind], servers, span_s) for name, kind in jobs]
        for job in done:
            job.result()
        hits = servers.hits()

    print(f"delays of {', '.join(f'{delay:g}' for delay in DELAYS_S)} s, {HOSTS_EACH} hosts each, {span_s:.0f} s")
    header = "".join(f"{f'median {delay:g}':>12}" for delay in DELAYS_S)
    print(f"{'':<22}{'':<8}{'requests':>9}{'too soon':>9}{'worst':>7}{header}")
    figures = {job: figure(hits, block) for job, block in blocks.items()}
    for (name, kind), one in figures.items():
        medians = "".join(f"{median:>12.3f}" for median in one.medians.values())
        print(f"{name:<22}{kind:<8}{one.requests:>9}{one.below:>9}{one.least:>7.0%}{medians}")
    print()
    good = True
    for name in names:
        ours = figures[name, "add-on"]
        late = [
            delay for delay, median in ours.medians.items() if median > SLACK * (ROWS[name].stretch * delay + LATENCY_S)
        ]
        good &= verdict(not ours.below, f"{name}: {ours.below} gaps below the declared delay")
        good &= verdict(
            not late, f"{name}: medians at most {SLACK} x delay and answer" + (f", not {late}" * bool(late))
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
