"""`scrapy robots diff`, and `python -m scrapy_polite.robots diff`: which known URLs another robots.txt changes."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from scrapy_polite._commandline import NO, YES
from scrapy_polite.robots import changes
from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.robots.inputs import bodies_of_files, input_errors
from scrapy_polite.robots.known_urls import LIST, KnownUrls, add_origin, named_origin, urls_of_list
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.text import counted

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser
    from scrapy_polite.origin import Origin

NAME = "diff"
TEXT = (
    "which known URLs another version of a robots.txt closes or opens, and by which line "
    "(exit status: 0 none changes, 1 some do, 2 error)"
)
_ANYONE = "*"


def add_arguments(
    parser: Parser,
    side: str = "a file",
    urls: str = LIST,
    agent: str = "any that the files do not name",
) -> None:
    """`side`, `urls` and `agent` say what these may be, or are by default."""
    parser.add_argument("old", metavar="OLD", help=side)
    parser.add_argument("new", metavar="NEW", help="as OLD")
    parser.add_argument("--urls", metavar="URLS", required=True, help=urls)
    parser.add_argument("--agent", metavar="NAME", help=f"the crawler to ask for (default: {agent})")
    add_origin(parser, "of OLD or NEW")
    parser.add_argument(
        "--dialect", metavar="NAME", choices=tuple(DIALECTS), default="rfc", help="as both are read (default: rfc)"
    )
    parser.add_argument("--all", action="store_true", help="every URL that changes, not a few for each line")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each change")


def run(opts: Namespace) -> int:
    """Compare two files. Raises CommandError."""
    with input_errors():
        urls = urls_of_list(opts.urls)
        old, new = bodies_of_files((opts.old, opts.new))
        return compare(opts, old, new, urls, named_origin(opts), opts.agent or _ANYONE)


def compare(opts: Namespace, old: bytes, new: bytes, urls: Iterator[str], origin: Origin | None, agent: str) -> int:
    """Print what changes, and return the exit status. Raises CommandError, and InputError where the list is wrong."""
    # What a crawl has asked for is of many origins, and a robots.txt is of one.
    known = KnownUrls(urls, opts.urls, origin)
    dialect = DIALECTS[opts.dialect]
    diff = changes.Diff()
    changed = changes.changed(
        RobotsTxt.parse(old, agent, dialect=dialect),
        RobotsTxt.parse(new, agent, dialect=dialect),
        known,
        diff,
    )
    for change in changed:
        if opts.all:
            print(changes.url_as_json(*change) if opts.json else changes.url_as_text(*change))
    if not opts.all:
        for group in diff.sorted():
            print(changes.as_json(group) if opts.json else "\n".join(changes.as_text(group)))
    if not opts.json:
        print(changes.summary(diff) + f", for {agent}")
        if known.others:
            print(f"{counted(known.others, 'URL')} of other origins not counted")
    return YES if not diff.changes else NO
