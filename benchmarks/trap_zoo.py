"""How many pages a crawl fetches inside each of the zoo's traps until it has left it, and what it misses elsewhere.

    python benchmarks/trap_zoo.py [--seeds 3] [--set own] [--quick] [--alone] [name ...]
    python benchmarks/trap_zoo.py --simulated [--order lifo] [--verbose] [name ...]

Whole crawls over a web server in a process of its own (`_zoo_server`), by a spider that follows every link
(`_zoo_crawl`): Scrapy with the add-on as it is by default, all traps of a seed at once; and, for the first seed, stock
Scrapy, and Scrapy whose links are filtered by what Heritrix, Nutch and StormCrawler refuse by default. What counts is
the server's log. A name is a part of one; `--quick` is one seed and no large honest site.

Exits with 1 if a trap does not end by itself or takes more than 200 pages, if the thirty traps of the research and ten
of our own take more than 60 on average, or if an honest page is missed.

`--alone` crawls each site by itself: then all that is under way beside a scout is of its site, too.

`--simulated` crawls in this process, without Scrapy, and shows what a page costs (`_zoo_simulated`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple

import _zoo_simulated
from _zoo import Site
from _zoo_crawl import GIVE_UP, POLITE, RULES, crawl
from _zoo_server import Server, Visited
from _zoo_sets import SETS, SITES, beside

MAX_PAGES_PER_TRAP = 200
MAX_MEAN = 60.0
MEAN_OF = ("research", "own")
#: Of the pages of an honest site, and of one on which a part of each page is random.
MIN_REACHED = 1.0
MIN_REACHED_IF_RANDOM = 0.995

#: Honest sites with more pages are crawled by the add-on only, and not at all by `--quick`.
LARGE = 2_500
#: The traps of a seed are crawled at once, the honest sites in so many crawls.
HONEST_CRAWLS = 3
AT_ONCE = 2
TIMEOUT_S = 900.0


class Job(NamedTuple):
    rule: str
    seed: int
    names: tuple[str, ...]


class Outcome(NamedTuple):
    """Of one crawl, by site: what the server saw, and what the crawl refused, by reason."""

    visited: Mapping[str, Visited]
    refused: Mapping[str, Mapping[str, int]]
    finish: str


Outcomes = Mapping[tuple[str, int, str], tuple[Visited, Mapping[str, int]]]
"""By rule, seed and site."""


def jobs(sites: Sequence[Site], seeds: int) -> Iterator[Job]:
    traps = tuple(site.name for site in sites if site.trap)
    honest = tuple(site.name for site in sites if not site.trap)
    small = tuple(name for name in honest if not _is_large(SITES[name]))
    for seed in range(1, seeds + 1):
        for group in (*(honest[at::HONEST_CRAWLS] for at in range(HONEST_CRAWLS)), traps):
            if group:
                yield Job(POLITE, seed, group)
    for rule in RULES:
        if rule != POLITE and (traps or small):
            yield Job(rule, 1, traps + small)


def jobs_alone(sites: Sequence[Site], seeds: int) -> Iterator[Job]:
    for seed in range(1, seeds + 1):
        yield from (Job(POLITE, seed, (site.name,)) for site in sites)


def run(job: Job) -> Outcome:
    with Server(job.seed) as server:
        crawled = crawl(job.rule, job.names, server.url, TIMEOUT_S)
        return Outcome(server.visited(job.names), crawled.refused, crawled.finish)


def run_all(todo: Sequence[Job]) -> Outcomes:
    outcomes: dict[tuple[str, int, str], tuple[Visited, Mapping[str, int]]] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number, (job, outcome) in enumerate(zip(todo, pool.map(run, todo), strict=True), 1):
            pages = sum(visited.requests for visited in outcome.visited.values())
            what = f"{job.rule}, seed {job.seed}, {len(job.names)} sites: {pages:,} pages"
            print(f"[{number}/{len(todo)}] {what} ({outcome.finish})", file=sys.stderr, flush=True)
            for name, visited in outcome.visited.items():
                outcomes[job.rule, job.seed, name] = visited, outcome.refused.get(name, {})
    return outcomes


def report(sites: Sequence[Site], outcomes: Outcomes, seeds: int) -> bool:
    """Print the tables; True if all is as it has to be."""
    good = True
    peers = [rule for rule in RULES if rule != POLITE]
    counted: list[int] = []
    for label, members in SETS.items():
        chosen = [site for site in members if site in sites]
        if not chosen:
            continue
        what = "pages inside the trap" if chosen[0].trap else "pages reached"
        heads = " ".join(f"{f'seed {seed}':>8}" for seed in range(1, seeds + 1))
        print(f"\n{label + ': ' + what:<40} {heads} {' '.join(f'{peer:>9}' for peer in peers)}  ended by (seed 1)")
        for site in chosen:
            ours = [outcomes[POLITE, seed, site.name][0] for seed in range(1, seeds + 1)]
            theirs = [found[0] if (found := outcomes.get((peer, 1, site.name))) else None for peer in peers]
            fine = all(_fine(site, visited) for visited in ours)
            good &= fine
            cells = " ".join(f"{_cell(site, visited):>8}" for visited in ours)
            others = " ".join(f"{_cell(site, visited) if visited else '':>9}" for visited in theirs)
            reasons = outcomes[POLITE, 1, site.name][1]
            print(f"{'ok  ' if fine else 'FAIL'} {site.name:<35} {cells} {others}  {_reasons(reasons)}")
            if label in MEAN_OF:
                counted += [visited.trapped for visited in ours]
    if any(site not in sites for label in MEAN_OF for site in SETS[label]):
        return good
    mean = sum(counted) / len(counted)
    print(f"\nresearch and own: {mean:.1f} pages per trap on average (limit {MAX_MEAN:.0f}), {max(counted)} at most")
    return good and mean <= MAX_MEAN


def _fine(site: Site, visited: Visited) -> bool:
    least = MIN_REACHED_IF_RANDOM if site.random else MIN_REACHED
    return visited.trapped <= MAX_PAGES_PER_TRAP and visited.reached >= least * visited.honest


def _cell(site: Site, visited: Visited) -> str:
    if not site.trap:
        share = visited.reached / visited.honest
        return f"{share:.0%}" if share in (0, 1) else f"{share:.1%}"
    missed = f" -{visited.honest - visited.reached}" if visited.reached < visited.honest else ""
    return ("no end" if visited.trapped > GIVE_UP else str(visited.trapped)) + missed


def _reasons(refused: Mapping[str, int]) -> str:
    return ", ".join(f"{reason.removeprefix('trap/')} {count}" for reason, count in Counter(refused).most_common(2))


@cache
def _is_large(site: Site) -> bool:
    return len(site.honest_pages(1)) > LARGE


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--set", choices=(*SETS, "all"), default="all")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--alone", action="store_true", help="each site in a crawl of its own, by the add-on only")
    parser.add_argument("--beside", action="store_true", help="each trap linked from an honest site of 1,000 pages")
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--order", choices=("fifo", "lifo"), default="fifo", help="of the simulation")
    parser.add_argument("--verbose", action="store_true", help="of the simulation: what was found out, and when")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    seeds = 1 if options.quick else options.seeds
    sites = [
        site
        for label, members in SETS.items()
        for site in members
        if options.set in (label, "all") and (not options.names or any(part in site.name for part in options.names))
    ]
    if options.beside:
        sites = [beside(site) for site in sites if site.trap]
    if options.simulated:
        return _zoo_simulated.main(sites, seeds, depth=options.order == "lifo", verbose=options.verbose)
    if options.quick:
        sites = [site for site in sites if not _is_large(site)]
    todo = list((jobs_alone if options.alone else jobs)(sites, seeds))
    return 0 if report(sites, run_all(todo), seeds) else 1


if __name__ == "__main__":
    sys.exit(main())
