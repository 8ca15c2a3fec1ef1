"""An audit of the traps part refuses nothing, and counts what enforcement refuses: whole crawls of the same sites.

One request at a time, so that both meet the same pages in the same order. With more the counts still mean the same, but
which pages a trap is recognised by is left to chance, in an audit as without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from random import Random
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import pytest
import scrapy

from crawls import Crawled, crawl
from webserver import Answer, Origin

#: More than any of the sites has to give, but for the maze.
MAX_PAGES = 1_000
WORDS = [first + second + third for first in "bdfgklm" for second in "aeiou" for third in ("l", "ner", "st")]


def prose(seed: str, words: int = 60) -> str:
    return " ".join(Random(seed).choices(WORDS, k=words))


SAME = prose("same")


def calendar(url: str) -> tuple[str, list[str]]:
    """Months before and after, of ten years, without an event."""
    asked = parse_qs(urlsplit(url).query)
    at = int(asked.get("y", ["5"])[0]) * 12 + int(asked.get("m", ["0"])[0])
    months = [to for to in (at - 12, at - 1, at + 1, at + 12) if 0 <= to < 120]
    return f"{SAME} No events in month {at % 12} of year {at // 12}.", [f"/?y={to // 12}&m={to % 12}" for to in months]


def folder_in_itself(url: str) -> tuple[str, list[str]]:
    """A link to the folder itself, ten levels deep."""
    return prose(url), ["a/b/"] if url.count("/") < 20 else []


def replies(url: str) -> tuple[str, list[str]]:
    """Four posts, each with a form for a reply to each of sixty comments, which shows the post again."""
    number = int(urlsplit(url).path[1:] or 0)
    forms = [f"/{number}?reply={60 * number + comment}" for comment in range(60)]
    return prose(str(number), 200), [*forms, f"/{(number + 1) % 4}"]


def growing_url(url: str) -> tuple[str, list[str]]:
    """A session that every page makes 300 characters longer, up to 3,000."""
    token = "".join(Random(url).choices("abcdef", k=300))
    return prose(url), [f"{urlsplit(url).path}{token}-"] if len(url) < 3_000 else []


def maze(url: str) -> tuple[str, list[str]]:
    """Six links to pages that never were before, without an end."""
    rng = Random(url)
    return prose(url), [f"/maze/{rng.getrandbits(64):x}" for _ in range(6)]


class Trap(NamedTuple):
    """A site and the reason for which links of it are refused, "" where they are only deferred; `pages` is how many it
    has, None if it has no end."""

    page: Callable[[str], tuple[str, list[str]]]
    reason: str
    pages: int | None


TRAPS = {
    "calendar": Trap(calendar, "", 121),
    "folder in itself": Trap(folder_in_itself, "trap/repeated-segments", 11),
    "replies": Trap(replies, "trap/alias", 245),
    "growing URL": Trap(growing_url, "trap/url-length", 11),
    "maze": Trap(maze, "", None),
}


class Pages(dict[str, Any]):
    """A server's table of whatever is asked for."""

    def __init__(self, page: Callable[[str], tuple[str, list[str]]]) -> None:
        super().__init__()
        self._page = page

    def get(self, path: str, default: Any = None) -> Any:
        if path == "/robots.txt":
            return default
        text, links = self._page(path)
        anchors = "".join(f'<li><a href="{link.replace("&", "&amp;")}">more</a>' for link in links)
        body = f"<html><body><p>{text}</p><ul>{anchors}</ul></body></html>"
        return Answer(body=body.encode(), headers={"Content-Type": "text/html"})


class Both(NamedTuple):
    """The two crawls, and for each trap the pages that its server was asked for."""

    enforced: Crawled
    audited: Crawled
    enforced_pages: Mapping[str, list[str]]
    audited_pages: Mapping[str, list[str]]


@pytest.fixture(scope="module")
def both(loop_mode: str) -> Both:
    return crawl_both(loop_mode, TRAPS, {})


@pytest.fixture(scope="module")
def both_in_one_order(loop_mode: str) -> Both:
    """Where nothing is deferred, so that both have the pages of the finite sites in the same order."""
    return crawl_both(loop_mode, [name for name in TRAPS if name != "maze"], {"POLITE_TRAPS": {"endless": "log"}})


def crawl_both(loop_mode: str, names: Iterable[str], more: Mapping[str, Any]) -> Both:
    crawled = []
    for mode in ({}, {"POLITE_MODE": {"traps": "audit"}}):
        with ExitStack() as stack:
            servers = {
                name: stack.enter_context(Origin({}, f"127.0.0.{number}")) for number, name in enumerate(names, 1)
            }
            for name, server in servers.items():
                server.table = Pages(TRAPS[name].page)
            urls = [f"{server.url}/" for server in servers.values()]
            settings = {
                "CONCURRENT_REQUESTS": 1,
                "CLOSESPIDER_PAGECOUNT": MAX_PAGES,
                "LOG_LEVEL": "INFO",
                "POLITE_TRAP_BUDGET": 100,
            }
            outcome = crawl(loop_mode, urls, settings | mode | dict(more), spider="links", timeout_s=240)
            crawled.append((outcome, {name: server.pages() for name, server in servers.items()}))
    (enforced, enforced_pages), (audited, audited_pages) = crawled
    return Both(enforced, audited, enforced_pages, audited_pages)


def counts(crawled: Crawled, what: str) -> dict[str, int]:
    """A crawl's counts of refused or audited links, by reason."""
    before = f"polite/{what}/"
    return {key.removeprefix(before): count for key, count in crawled.stats.items() if key.startswith(before)}


@pytest.mark.parametrize("name", [name for name, trap in TRAPS.items() if trap.reason])
def test_enforcement_refuses_what_is_proved(both: Both, name: str) -> None:
    pages = both.enforced_pages[name]
    assert counts(both.enforced, "refused")[TRAPS[name].reason] > 0
    assert len(pages) < (TRAPS[name].pages or 150)


def test_enforcement_reads_a_finite_site_to_its_end_and_ends_a_maze(both: Both) -> None:
    assert len(set(both.enforced_pages["calendar"])) == TRAPS["calendar"].pages
    assert len(both.enforced_pages["maze"]) < 250
    assert both.enforced.stats["finish_reason"] == "finished"


def test_an_audit_refuses_nothing(both: Both) -> None:
    assert counts(both.audited, "refused") == {}
    assert "polite/refused" not in both.audited.stats
    assert both.audited.refused == []


@pytest.mark.parametrize("name", [name for name, trap in TRAPS.items() if trap.pages])
def test_an_audit_fetches_every_page_of_a_trap_that_comes_to_an_end(both: Both, name: str) -> None:
    assert len(set(both.audited_pages[name])) == TRAPS[name].pages


def test_an_audit_goes_on_into_a_trap_without_an_end(both: Both) -> None:
    assert both.audited.stats["finish_reason"] == "closespider_pagecount"
    assert len(both.audited_pages["maze"]) > 2 * len(both.enforced_pages["maze"])


@pytest.mark.skipif(
    scrapy.version_info < (2, 15), reason="Scrapy 2.14 takes pages in another order each time, one at a time or not"
)
def test_an_audit_counts_what_enforcement_refuses(both_in_one_order: Both) -> None:
    enforced, audited = both_in_one_order.enforced, both_in_one_order.audited
    assert counts(enforced, "refused")["trap/alias"] > 50
    assert counts(audited, "audited") == counts(enforced, "refused") | counts(enforced, "audited")


def test_an_audit_counts_what_enforcement_defers(both: Both) -> None:
    assert both.audited.stats["polite/traps/suspected"] >= 1
    assert "polite/traps/ended" not in both.audited.stats
