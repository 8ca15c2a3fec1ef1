"""How many pages a crawl fetches inside each of the zoo's traps until it ends there, and what it costs an honest site.

    python benchmarks/trap_zoo.py [--set more | outsider | visitor | ...] [--no-peers] [name ...]
    python benchmarks/trap_zoo.py --simulated [--beside] [--order lifo] [--verbose] [--seeds 3] [name ...]

Whole crawls over a web server in a process of its own, by a spider that follows every link: each trap alone, and linked
from an honest site of 1,000 pages of mixed shapes; Scrapy with the add-on as it is by default, and with POLITE_TRAPS
"drop"; and, alone, stock Scrapy and Scrapy whose links are filtered by what Heritrix, Nutch and StormCrawler refuse by
default, cut after 1,000 pages. What counts is the server's log. A name is a part of one.

Traps of which nobody can tell whether they end (marked ?) are crawled with POLITE_TRAP_CAP = 2,000, so that this ends.

Without `--set` these are all traps but the 44 of an outsider, who had not seen the rules (`--set outsider`), and those
of a visitor (30), a stranger (36), a guest (14), a neighbour (16), a lodger (14), a tenant (12), a pilgrim (12) and a
settler (12), who had not seen the other sites either (`--set visitor` and so on).

Exits with 1 if a trap does not end by itself, if a silent one (marked =) takes more than 200 pages alone, if the median
is above 400 (without `--set`), if an honest page is missed, or if more than 15 % of the requests (50 % for ?) went into
a trap when 95 % of the honest pages were in.

`--simulated` crawls in this process, without Scrapy (`_zoo_simulated`), and shows what a page costs.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import _zoo_simulated
from _zoo_crawl import DROP, GIVE_UP, POLITE, RULES
from _zoo_jobs import Job, Outcome, run_all, table
from _zoo_sets import DEFAULT_SETS, SETS, beside, chosen

if TYPE_CHECKING:
    from _zoo import Site

MAX_SILENT, MAX_MEDIAN = 200, 400
MAX_EARLY, MAX_EARLY_UNDECIDABLE = 0.15, 0.5
CAP = ("POLITE_TRAP_CAP", 2_000)
PEERS = [rule for rule in RULES if rule not in (POLITE, DROP)]


def _alone(site: Site) -> Job:
    return Job(POLITE, 1, site.name, settings=(CAP,) if site.undecidable else ())


def jobs(sites: Sequence[Site], *, peers: bool) -> Iterator[Job]:
    for site in sites:
        job = _alone(site)
        yield job
        yield job._replace(beside=True)
        yield job._replace(beside=True, rule=DROP)
        yield from (Job(rule, 1, site.name) for rule in PEERS if peers)


def report(sites: Sequence[Site], outcomes: Mapping[Job, Outcome], *, peers: bool, limited: bool) -> bool:
    """Print the table; True if all is as it has to be. `limited`: so has the median."""
    heads = ["trap", "alone", "beside", "early", "missed", "drop", "missed", *(PEERS if peers else ()), "ended by"]
    rows = []
    good = True
    for site in sites:
        job = _alone(site)
        alone, mixed, dropped = (
            outcomes[one] for one in (job, job._replace(beside=True), job._replace(beside=True, rule=DROP))
        )
        early = mixed.visited.early
        fine = (
            alone.crawled.finish == mixed.crawled.finish == "finished"
            and alone.visited.reached == alone.visited.honest
            and mixed.visited.reached == mixed.visited.honest
            and early <= (MAX_EARLY_UNDECIDABLE if site.undecidable else MAX_EARLY)
            and (not site.silent or alone.visited.trapped <= MAX_SILENT)
        )
        good &= fine
        mark = "?" if site.undecidable else "=" if site.silent else " "
        theirs = [_cut(outcomes[Job(rule, 1, site.name)].visited.trapped) for rule in PEERS if peers]
        rows.append(
            [
                f"{'ok  ' if fine else 'FAIL'} {mark} {site.name}",
                f"{alone.visited.trapped:,}",
                f"{mixed.visited.trapped:,}",
                f"{early:.0%}",
                str(mixed.visited.honest - mixed.visited.reached),
                f"{dropped.visited.trapped:,}",
                str(dropped.visited.honest - dropped.visited.reached),
                *theirs,
                ", ".join(alone.crawled.ended) or "-",
            ]
        )
    table(heads, rows)
    decided = [outcomes[_alone(site)].visited.trapped for site in sites if not site.undecidable]
    median = statistics.median(decided) if decided else 0
    limit = f" (limit {MAX_MEDIAN})" if limited else ""
    print(f"\nmedian of the {len(decided)} that can be told: {median:.0f} pages alone{limit}")
    return good and not (limited and median > MAX_MEDIAN)


def _cut(pages: int) -> str:
    return "no end" if pages >= GIVE_UP else f"{pages:,}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--set",
        choices=(*SETS, "all"),
        default="all",
        help="all: all but those of people who had not seen the rules",
    )
    parser.add_argument("--no-peers", action="store_true", help="only the add-on, which takes half of the time")
    parser.add_argument("--simulated", action="store_true")
    parser.add_argument("--seeds", type=int, default=3, help="of the simulation")
    parser.add_argument("--beside", action="store_true", help="simulate each trap linked from an honest site")
    parser.add_argument("--order", choices=("fifo", "lifo"), default="fifo", help="of the simulation")
    parser.add_argument("--verbose", action="store_true", help="of the simulation: what was found out, and when")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    is_default = options.set == "all"
    sites = chosen(DEFAULT_SETS if is_default else [options.set], options.names)
    if options.simulated:
        if options.beside:
            sites = [beside(site) for site in sites if site.trap]
        return _zoo_simulated.main(sites, options.seeds, depth=options.order == "lifo", verbose=options.verbose)
    sites = [site for site in sites if site.trap]
    if not sites:
        parser.error("no trap has such a name")
    peers = not options.no_peers
    outcomes = run_all(list(jobs(sites, peers=peers)))
    return 0 if report(sites, outcomes, peers=peers, limited=is_default) else 1


if __name__ == "__main__":
    sys.exit(main())
