"""What `kill -9` costs a crawl with a job directory: killed at random moments, restarted each time, until it ends.

5,000 pages on 20 hosts, found by following links from one start page; answers take so long that 160 pages a second are
the most that CONCURRENT_REQUESTS 16 allows. A process lives from half a second, so that some die while they start, to
four; after 20 kills the last may finish. Crawled with stock Scrapy and with the add-on. `again` counts requests for a
page that the server had answered before; `most` is what may be: for each kill what was in flight, and one second's work
as the server saw it. Such a page is `old` if no kill came within a second and a half of the request before. `still` is
the longest time without any request.

    python benchmarks/kill.py [--kills 20] [--pages 5000] [--seed 3] [--quick]

Exits with 1 if the add-on misses a page, fetches more again than that, or was killed less often than asked for.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from _crawls import KINDS, Crawl, verdict
from _servers import Hit, Host, Servers, addresses

HOSTS = 20
CONCURRENCY = 16
MOST_PER_S = 160
COMMIT_S = 1.0
# From the request's arrival: its answer, the callbacks before its own, the commit.
OLD_S = 1.5
# What was on its way at a kill the server may read a little later.
LATE_S = 0.1
LIFE_S = (0.5, 4.0)
LIMIT_S = 120.0


@dataclass(frozen=True, slots=True)
class Figure:
    pages: int
    kills: int
    again: int
    most: int
    old: int
    seconds: float
    still_s: float
    reason: str


def run(addon: bool, pages: int, kills: int, seed: int) -> Figure:
    chance = random.Random(seed)
    latency_s = CONCURRENCY / MOST_PER_S
    hosts = {host: Host(latency_s=latency_s, tree=pages) for host in addresses(HOSTS)}
    settings: dict[str, Any] = {"CONCURRENT_REQUESTS": CONCURRENCY, "JOBDIR": "job"}
    killed: list[float] = []
    answered: set[str] = set()
    with Servers(hosts) as servers, tempfile.TemporaryDirectory() as folder:
        crawl = Crawl(addon, [servers.url(next(iter(hosts)), "tree/0")], settings, follow=True)
        while True:
            running = crawl.start(Path(folder))
            last = len(killed) == kills
            try:
                running.process.wait(LIMIT_S if last else chance.uniform(*LIFE_S))
            except subprocess.TimeoutExpired:
                killed.append(running.kill())
            crawled = running.wait(LIMIT_S)
            answered |= {event["url"] for event in crawled.pages}
            if last or crawled.ended_at:
                break
        hits = [hit for hit in servers.hits() if hit.path != "/robots.txt"]
    if last and not crawled.ended_at:
        killed.pop()
    return _figure(hits, killed, len(answered), crawled.reason)


def _figure(hits: list[Hit], killed: list[float], pages: int, reason: str) -> Figure:
    times = [hit.at for hit in hits]
    # In flight at a kill is what the server had not answered, and what had not been through its callback.
    most = sum(bisect_left(times, at) - bisect_left(times, at - COMMIT_S) + CONCURRENCY for at in killed)
    last_at: dict[str, float] = {}
    again = old = 0
    for hit in hits:
        page = hit.host + hit.path
        if page in last_at:
            again += 1
            next_kill = bisect_left(killed, last_at[page] - LATE_S)
            too_old = next_kill == len(killed) or killed[next_kill] - last_at[page] > OLD_S
            old += too_old or hit.at < killed[next_kill]
        last_at[page] = hit.at
    still_s = max((after - before for before, after in pairwise(times)), default=0.0)
    return Figure(pages, len(killed), again, most, old, times[-1] - times[0], still_s, reason)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=3, help="of the random moments")
    parser.add_argument("--quick", action="store_true", help="3 kills, 600 pages: to try it")
    options = parser.parse_args()
    pages, kills = (600, 3) if options.quick else (options.pages, options.kills)

    print(f"{pages:,} pages, at most {kills} kills, moments of seed {options.seed}")
    print(
        f"{'':<8}{'kills':>6}{'pages':>8}{'again':>7}{'most':>7}{'old':>5}{'seconds':>9}{'still':>7}  end of the last"
    )
    for kind, addon in KINDS.items():
        figure = run(addon, pages, kills, options.seed)
        print(
            f"{kind:<8}{figure.kills:>6}{figure.pages:>8,}{figure.again:>7,}{figure.most:>7,}{figure.old:>5}"
            f"{figure.seconds:>9.1f}{figure.still_s:>7.1f}  {figure.reason}",
            flush=True,
        )
    good = verdict(figure.pages == pages, f"add-on: {figure.pages:,} of {pages:,} pages")
    good &= verdict(figure.again <= figure.most, f"add-on: {figure.again:,} fetched again, at most {figure.most:,}")
    good &= verdict(not figure.old, f"add-on: {figure.old} of them answered longer before a kill than may be")
    good &= verdict(figure.kills == kills, f"add-on: {figure.kills} kills of {kills}")
    good &= verdict(figure.reason == "finished", f"add-on: the last crawl's end is {figure.reason!r}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
