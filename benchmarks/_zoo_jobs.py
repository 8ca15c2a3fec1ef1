"""Whole crawls of the zoo's sites, two at a time: a server in a process of its own, and a spider in another."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

from _zoo_crawl import Crawled, crawl
from _zoo_server import Server, Visited

AT_ONCE = 2
TIMEOUT_S = 1_800.0


class Job(NamedTuple):
    """One site crawled by a rule (see `_zoo_crawl.RULES`); a trap alone, or `beside` an honest site."""

    rule: str
    seed: int
    name: str
    beside: bool = False
    settings: tuple[tuple[str, Any], ...] = ()


class Outcome(NamedTuple):
    visited: Visited
    crawled: Crawled


def run(job: Job) -> Outcome:
    with Server(job.seed, beside=job.beside) as server:
        crawled = crawl(job.rule, [job.name], server.url, TIMEOUT_S, dict(job.settings))
        return Outcome(server.visited([job.name])[job.name], crawled)


def run_all(jobs: Sequence[Job]) -> Mapping[Job, Outcome]:
    """Run jobs, with a line of progress each on standard error."""
    outcomes: dict[Job, Outcome] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number, (job, outcome) in enumerate(zip(jobs, pool.map(run, jobs), strict=True), 1):
            outcomes[job] = outcome
            where = "beside an honest site" if job.beside else "alone"
            told = f"{outcome.visited.requests:,} requests ({outcome.crawled.finish})"
            print(f"[{number}/{len(jobs)}] {job.name}, {job.rule}, {where}: {told}", file=sys.stderr, flush=True)
    return outcomes


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows below heads, the first column to the left."""
    cells = [list(heads), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        print(first.strip().ljust(widths[0]), *others)
