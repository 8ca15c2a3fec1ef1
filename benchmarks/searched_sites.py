"""Honest sites with an endless search, whose results are pages of the site: does any lose one, as most is found there?

    python benchmarks/searched_sites.py [--kinds rand says ...] [--everywhere] [--most 1500] [--part 0/2] [name ...]
    python benchmarks/searched_sites.py --made 140 [--everywhere]

Each honest site of the zoo (see `honest_sites.py`) of up to `--most` pages has a link to a search on its home page, or
two to searches of its own on each page (`--everywhere`). A result page leads to eight pages of the site, drawn at
random, and to three more searches. By kind its text is nothing but the query (`rand`), or new with each query (`says`);
it leads to three pages only (`few`), to searches with one more word (`tree`), or to pages of the kind that the site has
most of, by their first segment, alone (`only`). The crawls are simulated (`_zoo_simulated`): no search existed when the
rules were made.

`--made`: so many sites in layers, made at random, in place of those of the zoo (`_zoo_layers`).

Exit code 1 if a page was lost.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from random import Random
from urllib.parse import quote_plus, urlsplit

from _zoo import HTML, Answer, Asked, Site, prose
from _zoo_layers import made
from _zoo_sets import SETS
from _zoo_simulated import Crawl

KINDS = ("rand", "says", "few", "tree", "only")
#: Those whose results say something new.
_SAYING = ("says", "only")
_PATH = "/zz-find"
_WORDS = ("red", "blue", "big")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS[:2])
    parser.add_argument("--most", type=int, default=1_500, help="pages of a site")
    parser.add_argument("--part", default="0/1", help="the first of so many parts of the sites: 0/2")
    parser.add_argument("--everywhere", action="store_true", help="each page has two links to searches of its own")
    parser.add_argument("--made", type=int, default=0, help="so many sites made at random, in place of the zoo's")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    first, parts = map(int, options.part.split("/"))
    sites = list(map(made, range(options.made))) or [
        site for members in SETS.values() for site in members if not site.trap and not site.most
    ]
    crawls = lost = pages = 0
    print("honest pages, missed; pages of the search, share of them when 95 % of the honest ones were in")
    for site in sites[first::parts]:
        if (options.names and site.name not in options.names) or len(_pages(site, 1)) > options.most:
            continue
        for kind in options.kinds:
            found = Crawl(searched(site, kind, everywhere=options.everywhere), 1).run()
            crawls, pages, lost = crawls + 1, pages + found.honest, lost + found.missed
            word = "LOST" if found.missed else "ok"
            figures = f"{found.honest:>6} {found.missed:>6} {found.trapped:>6} {found.early:>6.1%}"
            print(f"{word:<4} {site.name:<28} {kind} {figures}", flush=True)
    print(f"{crawls} crawls, {pages:,} honest pages, {lost:,} lost")
    return int(lost > 0)


def searched(site: Site, kind: str, *, everywhere: bool = False) -> Site:
    """A site with such a search, of which the home page, or each page, has links."""

    def page(asked: Asked) -> Answer:
        if asked.path == _PATH:
            return _results(site, kind, asked)
        answer = site.get(asked.url, asked.seed)
        is_home = asked.url == f"http://{site.domain}/"
        if not (is_home or everywhere) or b"</body>" not in answer.body:
            return answer
        rng = asked.of("similar", asked.url)
        queries = [f"w{rng.randrange(10**9)}" for _ in range(2)] if everywhere else ["a"]
        head, end, tail = answer.body.rpartition(b"</body>")
        links = "".join(f'<a href="{_PATH}?q={query}">Find</a> ' for query in queries)
        return answer._replace(body=head + links.encode() + end + tail)

    return replace(site, page=page, trap=True, hosted=False, inside=lambda url: f"{_PATH}?" in url)


def _results(site: Site, kind: str, asked: Asked) -> Answer:
    query = asked.query.get("q", "")
    rng = asked.of(query)
    pages = _of_main_kind(site, asked.seed) if kind == "only" else _pages(site, asked.seed)
    results = [rng.choice(pages) for _ in range(3 if kind == "few" else 8)]
    more = [f"{query} {word}" if kind == "tree" else f"w{rng.randrange(10**9)}" for word in _WORDS]
    text = prose(rng, 40) if kind in _SAYING else ""
    items = "".join(f'<li><a href="{url}">{_title(kind, rng)}</a>' for url in results)
    searches = "".join(f'<a href="{_PATH}?q={quote_plus(one)}">more</a> ' for one in more)
    body = f"<html><title>Find</title><body><h1>Results for {query}</h1><p>{text}</p><ul>{items}</ul>{searches}</body>"
    return Answer(200, HTML, body.encode())


def _title(kind: str, rng: Random) -> str:
    return prose(rng, 3) if kind in _SAYING else "Page"


@lru_cache(4)
def _pages(site: Site, seed: int) -> list[str]:
    return sorted(site.honest_pages(seed))


@lru_cache(4)
def _of_main_kind(site: Site, seed: int) -> list[str]:
    of_kind = defaultdict(list)
    for url in _pages(site, seed):
        of_kind[urlsplit(url).path.split("/")[1]].append(url)
    return max(of_kind.values(), key=len)


if __name__ == "__main__":
    sys.exit(main())
