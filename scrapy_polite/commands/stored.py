"""The subcommands of `scrapy robots` that look after what the store keeps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, TypeVar

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.commands import NO, YES, CommandError, SubcommandsCommand, url_of
from scrapy_polite.commands.store_there import lasting_store
from scrapy_polite.commands.verdict import ANYONE, state_of
from scrapy_polite.origin import Origin
from scrapy_polite.robots.lines import split_lines
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.services.store import open_store
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.factory import open_file
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.text import counted, printable

if TYPE_CHECKING:
    from argparse import Namespace
    from concurrent.futures import Future

    from scrapy_polite.store.base import FileStore, Store

_T = TypeVar("_T")

ORIGIN = "such as https://example.com, any URL of it, or a host, which means https"
#: Characters of a line of a stored robots.txt that are shown.
_MAX_LINE = 1_000


def show(command: SubcommandsCommand, opts: Namespace) -> int:
    """The copies of one origin, for every User-Agent: what each means now, and its body."""
    origin = _origin(opts.origin)
    crawler = command.configured()
    robots = shared(crawler, CrawlRobots)
    copies = _ask_store(robots.settings, lambda store: store.robots.of_origin(str(origin)), absent=list[RobotsCopy]())
    if not copies:
        print(f"nothing is stored of {origin.robots_url}", file=sys.stderr)
        return NO
    # What this project's crawls use comes first.
    copies.sort(key=lambda copy: (copy.agent == robots.default_agent, copy.updated_at), reverse=True)
    if opts.raw:
        if copies[0].status is None:
            print(f"no copy of {origin.robots_url}: unreachable ({printable(copies[0].failure)})", file=sys.stderr)
            return NO
        sys.stdout.flush()
        sys.stdout.buffer.write(copies[0].body)
        return YES
    now = clock.system()
    for copy in copies:
        token = robots.token_for(copy)
        rows = (
            ("fetched as", _fetched_as(copy, robots)),
            ("read for", "any crawler" if token == ANYONE else printable(token, 60)),
            ("state", state_of(robots.read(copy.as_of(now)), now)),
            ("redirects", " -> ".join(map(printable, copy.hops))),
            ("ETag", printable(copy.etag or "")),
            ("modified", printable(copy.last_modified or "")),
        )
        print(origin.robots_url, *(f"  {name:<10}  {text}" for name, text in rows if text), sep="\n", end="\n\n")
        for line in split_lines(copy.body):
            print(printable(line.decode("utf-8", "replace"), _MAX_LINE))
    return YES


def _fetched_as(copy: RobotsCopy, robots: CrawlRobots) -> str:
    name, _, digest = copy.agent.partition(":")
    whose = "the User-Agent of this project" if copy.agent == robots.default_agent else f"User-Agent {digest}"
    return printable(f"{name} ({whose})" if digest else f"{name} (by an earlier version)", 100)


def forget(command: SubcommandsCommand, opts: Namespace) -> int:
    if (opts.origin is None) != opts.all:
        raise CommandError("name one origin, or give --all")
    origin = None if opts.all else str(_origin(opts.origin))
    count = _ask_store(_settings(command), lambda store: store.robots.forget(origin), absent=0)
    if origin and not count:
        print(f"nothing is stored of {origin}: expected an origin that a crawl has asked, {ORIGIN}", file=sys.stderr)
        return NO
    print(f"{counted(count, 'copy', 'copies')} dropped")
    return YES


def export_to(command: SubcommandsCommand, opts: Namespace) -> int:
    with _store_file(_settings(command)) as store:
        count = store.export_to(opts.file).result()
    print(f"{counted(count, 'copy', 'copies')} written to {opts.file}")
    return YES


def import_from(command: SubcommandsCommand, opts: Namespace) -> int:
    if not opts.file.is_file():
        raise CommandError(f"there is no file {str(opts.file)!r}: give one that `scrapy robots export` wrote")
    with _store_file(_settings(command), create=True) as store:
        count = store.import_from(opts.file).result()
    print(f"{counted(count, 'copy', 'copies')} read from {opts.file}")
    return YES


def _settings(command: SubcommandsCommand) -> PoliteSettings:
    return shared(command.configured(), PoliteSettings)


def _ask_store(settings: PoliteSettings, ask: Callable[[Store], Future[_T]], *, absent: _T) -> _T:
    """Ask the store; where its file is not there yet the answer is `absent`.

    Raises CommandError where there is no store at all, StoreError where it cannot be used.
    """
    if not lasting_store(settings, create=True).made:
        return absent
    with closing(open_store(settings)) as store:
        return ask(store).result()


@contextmanager
def _store_file(settings: PoliteSettings, *, create: bool = False) -> Iterator[FileStore]:
    """The store, where it is one in a file, which is made where it is not there yet (`create`). Raises CommandError."""
    where = lasting_store(settings, create=create)
    if where.file is None:
        raise CommandError(
            f"the store is on a server ({where}): only one in a file can be exported and imported. What the server "
            "holds, its own snapshots keep (BGSAVE)"
        )
    with closing(open_file(where.file)) as store:
        yield store


def told_url(word: str) -> str:
    """A URL; of a host the one by https, which is said, for each scheme has a robots.txt of its own."""
    url = url_of(word)
    if url != word:
        print(f"{word!r} names no scheme: taken for {url}", file=sys.stderr)
    return url


def _origin(word: str) -> Origin:
    """Raises CommandError."""
    try:
        return Origin.from_url(told_url(word))
    except ValueError as error:
        raise CommandError(str(error)) from error
