"""What a crawl gets of sites that real software makes: a wiki, a forum, a shop, with all that these link to.

    python benchmarks/engine_sites.py [--most 40000] [--cap 20000] [--seed 1] [name ...]

Sixteen sites (`_zoo_engines`), each with some hundred honest pages and with histories, forms, filters, calendars and
sessions that have no end, or hundreds of thousands of pages. Some honest pages are linked from such pages only. The
rules of traps alone crawl each (`_zoo_simulated`), and so does a crawl that fetches whatever it finds, breadth first,
as Scrapy does without the add-on. Both are cut after so many requests. `of all` is how many honest pages were fetched,
`95 %` the number of requests by which so many of them were in. A name is a part of one.

Exits with 1 if the rules miss an honest page.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from _zoo_engines import ENGINES
from _zoo_simulated import Crawl

from scrapy_polite.traps.limits import DEFAULT_LIMITS
from scrapy_polite.visited.canonical import key

if TYPE_CHECKING:
    from _zoo import Site


class _Told(Crawl):
    """A crawl that keeps the order of its requests."""

    def __init__(self, site: Site, seed: int, *, cap: int, most: int) -> None:
        super().__init__(replace(site, most=most), seed, limits=replace(DEFAULT_LIMITS, cap=cap))
        self.order: list[str] = []

    def _note_request(self, url: str) -> None:
        self.outcome.pages += 1
        self.order.append(url)


class _Plain(Crawl):
    """Breadth first, whatever a link is; what pages and links are is read as in the other crawl."""

    def order(self, most: int) -> Iterator[str]:
        queue = deque([f"http://{self._site.domain}/"])
        seen = set(queue)
        while queue and most:
            most -= 1
            yield (url := queue.popleft())
            _, links = self._read(url, self._site.get(url, self._seed))
            new = [link for link in links if key(link) not in seen]
            seen.update(map(key, new))
            queue.extend(new)


def _row(order: list[str], wanted: set[str]) -> tuple[int, int]:
    """How many of the wanted pages were fetched, and by which request 95 % of them were; 0: by none."""
    got = set[str]()
    enough = -(-95 * len(wanted) // 100)
    at = 0
    for number, url in enumerate(order, 1):
        if url in wanted and url not in got:
            got.add(url)
            if len(got) == enough:
                at = number
    return len(got), at


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--most", type=int, default=40_000, help="requests after which a crawl is cut")
    parser.add_argument("--cap", type=int, default=DEFAULT_LIMITS.cap, help="POLITE_TRAP_CAP")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sites = [
        (site, of) for site, of in ENGINES if not options.names or any(name in site.name for name in options.names)
    ]
    if not sites:
        parser.error(f"no site is named {', '.join(options.names)}: {', '.join(site.name for site, _ in ENGINES)}")
    print(f"{'site':<18}{'honest':>7}{'of all':>8}{'95 %':>8}{'requests':>10}   plain: {'of all':>8}{'95 %':>8}")
    good = True
    for site, of in sites:
        wanted = of(options.seed)
        crawl = _Told(site, options.seed, cap=options.cap, most=options.most)
        crawl.run()
        found, at = _row(crawl.order, wanted)
        plain = list(_Plain(site, options.seed).order(options.most))
        plain_found, plain_at = _row(plain, wanted)
        cut = "" if len(crawl.order) < options.most else " (cut)"
        print(
            f"{site.name:<18}{len(wanted):>7,}{found:>8,}{at:>8,}{len(crawl.order):>10,}{cut:<8}"
            f"{plain_found:>8,}{plain_at:>8,}",
            flush=True,
        )
        good &= found == len(wanted)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
