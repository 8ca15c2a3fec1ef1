"""What `kill -9` costs the record of a run: crawls are killed at random moments, and compared with the server's log.

A crawl follows links over 20 hosts, some 160 pages a second. It is killed between half a second and twelve seconds
after it began. Then its report is made. `missing` counts pages that the server had answered and the record lacks;
`for` is how long before the kill the first of these was asked for; `known` counts those that the report has in its sum
all the same, as the last snapshot said that they were in flight.

    python benchmarks/run_kill.py [--kills 20] [--seed 3]

Exits with 1 if a page is missing that was asked for more than 5 s before the kill, or a report does not say "ended
without closing".
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from _crawls import Crawl, verdict
from _servers import Host, Servers, addresses

from scrapy_polite.runs.records import Page
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import RunError, find_run

HOSTS, CONCURRENCY, PAGES_PER_S = 20, 16, 160
LIFE_S = (0.5, 12.0)
MOST_S = 5.0


@dataclass(frozen=True, slots=True)
class Figure:
    life_s: float
    asked: int
    missing: int
    missing_s: float
    known: int
    ended: str


def run(life_s: float) -> Figure:
    """One crawl, killed `life_s` after its spider opened, or later if that took longer."""
    hosts = {host: Host(latency_s=CONCURRENCY / PAGES_PER_S, tree=1_000_000) for host in addresses(HOSTS)}
    with Servers(hosts) as servers, tempfile.TemporaryDirectory() as folder:
        start = servers.url(next(iter(hosts)), "tree/0")
        settings = {"CONCURRENT_REQUESTS": CONCURRENCY, "POLITE_TRAPS": "off"}
        running = Crawl(True, [start], settings, follow=True).start(Path(folder))
        while "opened" not in running.events.read_text():
            if running.process.poll() is not None:
                raise SystemExit("the crawl ended before it could be killed")
        try:
            running.process.wait(life_s)
        except subprocess.TimeoutExpired:
            killed_at = running.kill()
        hits = {hit.host + hit.path: hit.at for hit in servers.hits() if hit.path != "/robots.txt" and hit.status}
        try:
            record = find_run(Path(folder) / ".scrapy" / "polite" / "runs", None)
        except RunError:
            return Figure(life_s, len(hits), len(hits), killed_at - min(hits.values()), 0, "no record")
        there = {
            f"{page.url.split('/')[2].partition(':')[0]}/{page.url.split('/', 3)[3]}"
            for worker in record.workers
            for page in worker.records()
            if isinstance(page, Page)
        }
        found = report(record)
    missing = [at for page, at in hits.items() if page not in there]
    missing_s = killed_at - min(missing) if missing else 0.0
    return Figure(life_s, len(hits), len(missing), missing_s, found["pages"]["sent"] - len(there), str(found["ended"]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=3, help="of the random moments")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print(f"{options.kills} crawls, moments of seed {options.seed}")
    print(f"{'killed after':>12}{'asked':>8}{'missing':>9}{'for':>7}{'known':>7}  the report says")
    figures = []
    for _ in range(options.kills):
        figures.append(figure := run(chance.uniform(*LIFE_S)))
        print(
            f"{figure.life_s:>10.1f} s{figure.asked:>8,}{figure.missing:>9,}{figure.missing_s:>5.1f} s"
            f"{figure.known:>7,}  {figure.ended}",
            flush=True,
        )
    most_s = max(figure.missing_s for figure in figures)
    good = verdict(most_s <= MOST_S, f"at most {most_s:.1f} s are missing, {MOST_S:g} s may be")
    ends = {figure.ended for figure in figures}
    return int(not (good & verdict(ends == {"ended without closing"}, f"the reports say {sorted(ends)}")))


if __name__ == "__main__":
    sys.exit(main())
