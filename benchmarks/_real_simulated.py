"""A real site without Scrapy: what `traps/` decides on a folder of HTML, in as many orders as there are seeds.

A whole crawl of a large manual takes minutes, and shows one order in which pages come. This takes seconds, and what is
lost in one order of forty is found.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from _real_server import Site as Folder
from _zoo import Answer as Served
from _zoo_simulated import Crawl, Outcome
from scrapy.linkextractors import IGNORED_EXTENSIONS
from w3lib.html import get_meta_refresh

from scrapy_polite.traps import page as pages

if TYPE_CHECKING:
    from _real_server import Answer

    from scrapy_polite.frontier.shares import Flow
    from scrapy_polite.traps.groups import Visit

#: Requests on their way at a time, which the crawls of one site take in turn: of what few of them find another part is
#: read first.
AT_ONCE = (32, 8, 3)
_IGNORED = tuple(f".{extension}" for extension in IGNORED_EXTENSIONS)


class _Site:
    """A folder as `_zoo_simulated` takes a site, without knowledge of which of its pages are honest: all are."""

    domain = "site.test"
    most = 0

    def __init__(self, folder: Path) -> None:
        self._folder = Folder(os.fspath(folder))

    def get(self, url: str, seed: int) -> Answer:
        parts = urlsplit(url)
        return self._folder.answer((parts.path or "/") + (f"?{parts.query}" if parts.query else ""))

    @staticmethod
    def honest_pages(seed: int) -> set[str]:
        return set()  # they are not counted

    @staticmethod
    def inside(url: str) -> bool:
        return False


class _RealCrawl(Crawl):
    """Pages come in another order with each seed."""

    def __init__(self, site: _Site, seed: int) -> None:
        super().__init__(site, seed)
        self._rng = Random(seed)

    def run(self) -> Outcome:
        self._push(f"http://{self._site.domain}/", "", deep=False)
        at_once = AT_ONCE[self._seed % len(AT_ONCE)]
        while self._fetch(self._rng.randint(at_once // 2, at_once)):
            pass
        self.outcome.kept = sum(queue.flow.queued for queue in self._queues.values())
        return self.outcome

    def _arrange(self, arrived: list[tuple[Flow, str, Visit, list[str]]]) -> None:
        self._rng.shuffle(arrived)

    def _read(self, url: str, answer: Answer) -> tuple[pages.Page | None, list[str]]:
        kind = answer.headers.get("Content-Type", "application/octet-stream")
        body = gzip.decompress(answer.body) if answer.headers.get("Content-Encoding") == "gzip" else answer.body
        if answer.status == 200 and kind.startswith("text/") and not kind.startswith("text/html"):
            return pages.of_text(body), []
        if kind.startswith("text/html") and (target := get_meta_refresh(body, url)[1]):
            return None, [target]  # Scrapy takes it for a redirect
        headers = answer.headers | {"Content-Type": kind}
        page, links = super()._read(url, Served(answer.status, headers, body))
        is_html = kind.startswith("text/html") or "Location" in headers
        return page, [link for link in links if not urlsplit(link).path.lower().endswith(_IGNORED)] if is_html else []


def main(folder: Path, name: str, seeds: int) -> bool:
    """Print a line, and one for each order in which links were left behind; True if there was one."""
    site = _Site(folder)
    outcomes = [_RealCrawl(site, seed).run() for seed in range(1, seeds + 1)]
    lost = {seed: outcome for seed, outcome in enumerate(outcomes, 1) if outcome.kept}
    requests = sum(outcome.pages for outcome in outcomes)
    read_us, judged_us = (
        sum(taken) / requests * 1e6
        for taken in zip(*((outcome.reading_s, outcome.judging_s) for outcome in outcomes), strict=True)
    )
    print(
        f"{'FAIL' if lost else 'ok  '} {name:<24} {max(outcome.pages for outcome in outcomes):>7,} requests, "
        f"{seeds} orders, links left in {len(lost)}; read {read_us:4.0f}, judged {judged_us:4.0f}",
        flush=True,
    )
    for seed, outcome in lost.items():
        print(f"    FAIL order {seed}: {outcome.kept:,} links left after {outcome.pages:,} requests")
        print("".join(f"         {event}\n" for event in outcome.events), end="", flush=True)
    return bool(lost)
