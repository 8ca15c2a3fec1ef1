"""How many pages of finite, honest sites a crawl misses: by default none, whatever the site looks like.

    python benchmarks/honest_sites.py [--set LABEL ...] [--seeds 3] [--no-peers] [name ...]

Whole crawls of each of the zoo's honest sites, those of an outsider, a visitor, a stranger, a foreigner, a guest, a
neighbour, a lodger, a tenant, a pilgrim and a settler among them, in thirty languages and more, over a web server in a
process of its own, by a spider that follows every link: Scrapy with the add-on as it is by default; and, for the first
seed and sites of up to 2,500 pages, with POLITE_TRAPS "drop", stock Scrapy, and what Heritrix, Nutch and StormCrawler
refuse by default. What counts is the server's log. Sites of more than 100,000 pages are crawls that are cut at 20,000,
and have to get that far. `--set`, which can stand more than once, takes the sites of one of these people only.

Exits with 1 if a page is missed, or such a crawl ends before.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from _zoo_crawl import POLITE, RULES
from _zoo_jobs import Job, Outcome, run_all, table
from _zoo_sets import SETS, chosen

if TYPE_CHECKING:
    from _zoo import Site

#: Honest sites with more pages are crawled by the add-on only.
LARGE = 2_500
#: Of a site on which a part of each page is random so large a share has to be reached.
IF_RANDOM = 0.995
OTHERS = [rule for rule in RULES if rule != POLITE]
LABELS = [label for label, members in SETS.items() if not all(site.trap for site in members)]


def _job(site: Site, seed: int) -> Job:
    return Job(POLITE, seed, site.name, settings=(("CLOSESPIDER_PAGECOUNT", site.most + 50),) if site.most else ())


def jobs(sites: Sequence[Site], seeds: int, *, peers: bool) -> Iterator[Job]:
    for site in sites:
        yield from (_job(site, seed) for seed in range(1, seeds + 1))
        if peers and not _is_large(site):
            yield from (Job(rule, 1, site.name) for rule in OTHERS)


@cache
def _is_large(site: Site) -> bool:
    return bool(site.most) or len(site.honest_pages(1)) > LARGE


def report(sites: Sequence[Site], outcomes: Mapping[Job, Outcome], seeds: int, *, peers: bool) -> bool:
    """Print the table: pages, and how many of them were missed; True if none was by the add-on."""
    rows = []
    good = True
    for site in sites:
        ours = [outcomes[_job(site, seed)] for seed in range(1, seeds + 1)]
        missed = [_missed(site, one) for one in ours]
        fine = not any(missed)
        good &= fine
        theirs = []
        for rule in OTHERS if peers else ():
            found = outcomes.get(Job(rule, 1, site.name))
            theirs.append("" if found is None else str(_missed(site, found)))
        pages = site.most or ours[0].visited.honest
        rows.append([f"{'ok  ' if fine else 'FAIL'} {site.name}", f"{pages:,}", *map(str, missed), *theirs])
    table(["site", "pages", *(f"seed {seed}" for seed in range(1, seeds + 1)), *(OTHERS if peers else ())], rows)
    print(f"\n{len(sites)} sites; columns: pages missed")
    return good


def _missed(site: Site, found: Outcome) -> int:
    if site.most:
        return max(site.most - found.visited.requests, 0)
    missed = found.visited.honest - found.visited.reached
    return 0 if site.random and found.visited.reached >= IF_RANDOM * found.visited.honest else missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", action="append", choices=LABELS, dest="labels", help="these sites only")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--no-peers", action="store_true", help="only the add-on by default")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.seeds < 1:
        parser.error(f"--seeds is {options.seeds}, expected 1 or more")
    sites = [site for site in chosen(options.labels or LABELS, options.names) if not site.trap]
    if not sites:
        parser.error("no honest site has such a name")
    peers = not options.no_peers
    todo = list(jobs(sites, options.seeds, peers=peers))
    return 0 if report(sites, run_all(todo), options.seeds, peers=peers) else 1


if __name__ == "__main__":
    sys.exit(main())
