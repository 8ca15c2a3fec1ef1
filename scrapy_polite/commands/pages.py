"""`scrapy polite pages`: what is known of pages that crawls come back to, and when they are asked for again."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

from scrapy import Request

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.commands.store_there import lasting_store
from scrapy_polite.origin import Origin
from scrapy_polite.recrawl.visit import Validators, conditions
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.factory import open_pages, pages_location
from scrapy_polite.text import duration, moment, printable, utc

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy_polite.store.pages import PageRecord


def _pages(command: SubcommandsCommand, opts: Namespace) -> int:
    where = pages_location(lasting_store(shared(command.configured(), PoliteSettings)))
    if not where.made:
        raise CommandError(f"there are no pages at {where}: a crawl with POLITE_RECRAWL keeps them")
    now, unknown = clock.system(), 0
    try:
        with closing(open_pages(where)) as kept:
            lying = set(kept.lying_hosts().result())
            for word in opts.urls:
                url, host = _url(word)
                pages = kept.at(host, url).result()
                unknown += not pages
                if not pages and not opts.json:
                    print(f"{printable(url, 300)}\n  nothing is known of it")
                for page in pages:
                    is_lying = page.host in lying
                    print(json.dumps(_as_json(page, is_lying, now)) if opts.json else _as_text(page, is_lying, now))
    except StoreError as error:
        raise CommandError(str(error)) from error
    return NO if unknown else YES


def _url(word: str) -> tuple[str, str]:
    """A URL as crawls ask for it, and its host."""
    try:
        url = Request(word if "://" in word else f"https://{word}").url
        return url, Origin.from_url(url).host
    except ValueError as error:
        raise CommandError(f"{printable(repr(word), 100)} is no URL: {error}") from error


def _as_text(page: PageRecord, is_lying: bool, now: float) -> str:
    due_at = page.seen_at + page.interval_s
    when = "now" if due_at <= now else f"in {duration(due_at - now)}, at {moment(due_at, now)}"
    kept = " and ".join(name for name, there in (("what it links to", page.links), ("its body", page.body)) if there)
    rows = (
        ("seen", f"{duration(now - page.seen_at)} ago (HTTP {page.status}){_since(page, now)}"),
        ("due", f"{when}; the interval is {duration(page.interval_s)}"),
        ("asked for", _asked(page, is_lying, max(now, due_at))),
        ("changes", f"every {duration(page.watched_s / page.changes)}, as far as is known" if page.changes else ""),
        ("kept", kept or "no links: it is read anew each time"),
    )
    return "\n".join([printable(page.url, 300), *(f"  {name:<10}  {text}" for name, text in rows if text)])


def _since(page: PageRecord, now: float) -> str:
    if page.whole_at >= page.seen_at:
        return ""
    return f", whole {duration(now - page.whole_at)} ago; 304 {page.not_modified:,} times since"


def _asked(page: PageRecord, is_lying: bool, at: float) -> str:
    """How a crawl asks for it at that time."""
    if is_lying:
        return "whole: its host has answered 304 for a page that had changed"
    if named := conditions(page, at):
        return f"with {' and '.join(named)}"
    if page.status != 200:
        return "whole: it was gone"
    if not Validators(page.etag, page.last_modified).conditions:
        return "whole: it has neither ETag nor Last-Modified"
    return "whole: each twentieth time, and after 30 days, a 304 is checked so"


def _as_json(page: PageRecord, is_lying: bool, now: float) -> dict[str, Any]:
    due_at = page.seen_at + page.interval_s
    return {
        "url": page.url,
        "status": page.status,
        "seen_at": _iso(page.seen_at),
        "whole_at": _iso(page.whole_at),
        "due_at": _iso(due_at),
        "is_due": due_at <= now,
        "interval_s": page.interval_s,
        "changes_every_s": page.watched_s / page.changes if page.changes else None,
        "not_modified": page.not_modified,
        "asked": _asked(page, is_lying, max(now, due_at)),
        "links": page.links,
        "body": page.body,
    }


def _iso(at: float) -> str:
    return utc(at).isoformat(timespec="seconds")


def add_subcommands(parser: Parser) -> None:
    pages = parser.subcommand(
        "pages",
        "what is known of pages that crawls come back to, and when they are due (exit status: 0 all are known, 1 not "
        "all, 2 error)",
        _pages,
    )
    pages.add_argument("urls", metavar="URL", nargs="+", help="a page; without a scheme: https")
    pages.add_argument("--json", action="store_true", help="one JSON object a line for each page")
    pages.add_store()
