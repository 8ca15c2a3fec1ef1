"""`scrapy robots diff`, and `python -m scrapy_polite.robots diff`: which known URLs another robots.txt changes."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._commandline import NO, YES, CommandError
from scrapy_polite.origin import Origin, origin_of
from scrapy_polite.robots import changes
from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.robots.inputs import bodies_of_files, input_errors, read_urls
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.text import counted

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

NAME = "diff"
TEXT = (
    "which known URLs another version of a robots.txt closes or opens, and by which line "
    "(exit status: 0 none changes, 1 some do, 2 error)"
)
_ANYONE = "*"


class OfOrigin:
    """Passes on the URLs of one origin, and paths; counts the others."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self.others = 0

    def of(self, urls: Iterator[str]) -> Iterator[str]:
        for url in urls:
            if url.startswith("/") or origin_of(url) == self._origin:
                yield url
            else:
                self.others += 1


def add_arguments(
    parser: Parser,
    side: str = "a file",
    urls: str = "a list, one URL or path a line",
    agent: str = "any that the files do not name",
) -> None:
    """`side`, `urls` and `agent` say what these may be, or are by default."""
    parser.add_argument("old", metavar="OLD", help=side)
    parser.add_argument("new", metavar="NEW", help="as OLD")
    parser.add_argument("--urls", metavar="URLS", required=True, help=urls)
    parser.add_argument("--agent", metavar="NAME", help=f"the crawler to ask for (default: {agent})")
    parser.add_argument("--origin", metavar="ORIGIN", help="URLs of this origin alone (default: of OLD or NEW)")
    parser.add_argument(
        "--dialect", metavar="NAME", choices=tuple(DIALECTS), default="rfc", help="as both are read (default: rfc)"
    )
    parser.add_argument("--all", action="store_true", help="every URL that changes, not a few for each line")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each change")


def run(opts: Namespace) -> int:
    """Compare two files. Raises CommandError."""
    with input_errors():
        urls = read_urls(Path(opts.urls))
        old, new = bodies_of_files((opts.old, opts.new))
        return compare(opts, old, new, urls, named_origin(opts), opts.agent or _ANYONE)


def named_origin(opts: Namespace) -> Origin | None:
    """What --origin names. Raises CommandError."""
    try:
        return Origin.from_url(opts.origin) if opts.origin else None
    except ValueError as error:
        raise CommandError(f"--origin: {error}") from error


def compare(opts: Namespace, old: bytes, new: bytes, urls: Iterator[str], origin: Origin | None, agent: str) -> int:
    """Print what changes, and return the exit status. Raises CommandError, and InputError where the list is wrong."""
    # What a crawl has asked for is of many origins, and a robots.txt is of one.
    of_origin = OfOrigin(origin) if origin else None
    dialect = DIALECTS[opts.dialect]
    diff = changes.Diff()
    changed = changes.changed(
        RobotsTxt.parse(old, agent, dialect=dialect),
        RobotsTxt.parse(new, agent, dialect=dialect),
        of_origin.of(urls) if of_origin else urls,
        diff,
    )
    for change in changed:
        if opts.all:
            print(changes.url_as_json(*change) if opts.json else changes.url_as_text(*change))
    if not diff.urls:
        others = f" of {origin}: all {of_origin.others:,} are of others" if of_origin else ""
        raise CommandError(f"{opts.urls} holds no URL{others}; nothing is compared")
    if not opts.all:
        for group in diff.sorted():
            print(changes.as_json(group) if opts.json else "\n".join(changes.as_text(group)))
    if not opts.json:
        print(changes.summary(diff) + f", for {agent}")
        if of_origin and of_origin.others:
            print(f"{counted(of_origin.others, 'URL')} of other origins not counted")
    return YES if not diff.changes else NO
