"""Hosts that say when to come back: 6 that answer 503 with Retry-After 12, among 20 that work.

Pages: 40 of each host that works, 10 of each that does not; answers take 100 ms, CONCURRENT_REQUESTS is 16. The outage
of a host begins with its first page request and lasts for as long as it says. Crawled once from beginning to end, and
once with a job directory, stopped after 5 s and resumed at once. `in outage` counts requests that the server got after
a host's first 503 had been sent; `resumed` those among them after the resume; `errbacks` are requests that ended in
one, `lost` those that reached neither callback nor errback. Medians of alternating runs, the worst of what must not be.

    python benchmarks/outage.py [--runs 3] [--quick]

Exits with 1 if the add-on misses a page, calls an errback, asks in an outage for what was not yet in flight, or takes
more than half a second to stop.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _crawls import KINDS, Crawl, Crawled, seconds, verdict
from _servers import Hit, Host, Servers, addresses

WORKING, BROKEN = 20, 6
RETRY_AFTER_S = 12
LATENCY_S = 0.1
STOP_S = 5.0
STOP_LIMIT_S = 0.5
LIMIT_S = 60.0
# An answer on its way cannot stop a request that is leaving.
ON_ITS_WAY_S = 0.05


@dataclass(frozen=True, slots=True)
class Figure:
    """Of a crawl, with what followed its resume: seconds, pages out of `pages_expected`, and what must not be."""

    working_s: float
    total_s: float | None
    stop_s: float | None
    pages: int
    errbacks: int
    lost: int
    in_outage: int
    resumed: int


def run(addon: bool, pages: tuple[int, int], stop_s: float | None) -> Figure:
    working, broken = addresses(WORKING), addresses(BROKEN, block=1)
    hosts = {host: Host(latency_s=LATENCY_S) for host in working}
    hosts |= {host: Host(latency_s=LATENCY_S, outage_s=RETRY_AFTER_S) for host in broken}
    counts = dict.fromkeys(working, pages[0]) | dict.fromkeys(broken, pages[1])
    settings: dict[str, Any] = {"CONCURRENT_REQUESTS": 16} | ({"JOBDIR": "job"} if stop_s else {})
    with Servers(hosts) as servers, tempfile.TemporaryDirectory() as folder:
        urls = [
            servers.url(host, f"page/{n}") for n in range(max(pages)) for host, count in counts.items() if n < count
        ]
        crawls = []
        if stop_s:
            crawls.append(Crawl(addon, urls, settings, stop_after_s=stop_s).start(Path(folder)).wait(LIMIT_S))
        crawls.append(Crawl(addon, urls, settings).start(Path(folder)).wait(LIMIT_S))
        return _figure(crawls, urls, broken, servers.hits())


def _figure(crawls: list[Crawled], urls: list[str], broken: list[str], hits: list[Hit]) -> Figure:
    first, last = crawls[0], crawls[-1]
    answered = [event for crawl in crawls for event in crawl.pages]
    times = [event["at"] for event in answered if not any(f"/{host}:" in event["asked"] for host in broken)]
    outages: dict[str, tuple[float, float]] = {}
    for hit in hits:
        if hit.status == 503:
            outages.setdefault(hit.host, (hit.at + LATENCY_S + ON_ITS_WAY_S, hit.at + RETRY_AFTER_S))
    late = [hit.at for hit in hits if hit.host in outages and outages[hit.host][0] < hit.at < outages[hit.host][1]]
    return Figure(
        working_s=times[-1] - first.opened_at,
        total_s=last.ended_at - first.opened_at if last.ended_at else None,
        stop_s=first.closing_s,
        pages=len({event["asked"] for event in answered}),
        errbacks=sum(len(crawl.failed) for crawl in crawls),
        lost=len(set(urls).difference(*(crawl.outcomes() for crawl in crawls))),
        in_outage=len(late),
        resumed=sum(at > last.opened_at for at in late) if len(crawls) > 1 else 0,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=3, help="crawls of each kind")
    parser.add_argument("--quick", action="store_true", help="one run, stopped and resumed, fewer pages: to try it")
    options = parser.parse_args()
    runs, pages, stop_s = (1, (10, 5), 1.0) if options.quick else (options.runs, (40, 10), STOP_S)
    expected = WORKING * pages[0] + BROKEN * pages[1]

    good = True
    print(f"{WORKING} hosts that work, {BROKEN} with Retry-After {RETRY_AFTER_S}; seconds; medians of {runs}")
    print(
        f"{'':<20}{'':<8}{'working':>8}{'total':>7}{'to stop':>8}{f'pages/{expected}':>11}{'errbacks':>9}{'lost':>5}"
        f"{'in outage':>10}{'resumed':>8}"
    )
    for stops_at in (stop_s,) if options.quick else (None, stop_s):
        name = "stopped, resumed" if stops_at else "to the end"
        figures: dict[str, list[Figure]] = {kind: [] for kind in KINDS}
        for _ in range(runs):
            for kind, addon in KINDS.items():
                figures[kind].append(run(addon, pages, stops_at))
        for kind, of_kind in figures.items():
            whole = [figure.total_s for figure in of_kind if figure.total_s is not None]
            stops = [figure.stop_s for figure in of_kind if figure.stop_s is not None]
            total_s, closing_s = (statistics.median(times) if times else None for times in (whole, stops))
            working_s = statistics.median(figure.working_s for figure in of_kind)
            fetched = min(figure.pages for figure in of_kind)
            errbacks, lost, in_outage, resumed = (
                max(getattr(figure, what) for figure in of_kind)
                for what in ("errbacks", "lost", "in_outage", "resumed")
            )
            print(
                f"{name:<20}{kind:<8}{working_s:>8.2f}{seconds(total_s, LIMIT_S):>7}"
                f"{seconds(closing_s):>8}{fetched:>11}{errbacks:>9}{lost:>5}{in_outage:>10}{resumed:>8}",
                flush=True,
            )
        good &= verdict(
            fetched == expected and not errbacks, f"add-on: {fetched} of {expected} pages, {errbacks} errbacks"
        )
        good &= verdict(not in_outage, f"add-on: {in_outage} requests in an outage, {resumed} of them resumed")
        good &= verdict(len(whole) == runs, "add-on: every crawl ended")
        if stops_at:
            in_time = len(stops) == runs and max(stops) <= STOP_LIMIT_S
            good &= verdict(in_time, f"add-on: stops in {seconds(closing_s)} s, at most {STOP_LIMIT_S}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
