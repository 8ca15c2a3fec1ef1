"""`scrapy polite seeds`: a list of start URLs that outlives crawls and grows (`POLITE_SEEDS` feeds it to them)."""

from __future__ import annotations

import getpass
import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request

from scrapy_polite._crawl import shared
from scrapy_polite._project import data_path
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.origin import Origin
from scrapy_polite.seeds import FILE, Seed, Seeds, SeedsError, as_seed
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from argparse import Namespace

_MAX_URL, _MAX_SHOWN = 2_000, 100
#: Of the lines that are no URLs, what is told one by one.
_MAX_TOLD = 100
_AT_ONCE = 1_000


class _Bad:
    """Counts what is no URL, and tells it."""

    def __init__(self) -> None:
        self.count = 0

    def tell(self, where: str, text: str, why: object) -> None:
        self.count += 1
        if self.count <= _MAX_TOLD:
            print(f"{where}: {printable(repr(text), _MAX_SHOWN)} is no start URL: {why}", file=sys.stderr)

    def sum_up(self) -> None:
        if self.count > _MAX_TOLD:
            print(f"and {self.count - _MAX_TOLD:,} more lines that are no start URLs", file=sys.stderr)


def _add(command: SubcommandsCommand, opts: Namespace) -> int:
    bad = _Bad()
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    by, why = printable(opts.by or _user(), 200), printable(opts.why or "", 1_000)
    given = count = 0
    urls = _urls(opts, bad)
    with _seeds(command, make=True) as seeds:
        # Nobody else can write while some are: who writes them may take as long as he likes.
        while some := [*islice(urls, _AT_ONCE)]:
            given += len(some)
            count += seeds.add(Seed(url, now, by, why) for url in some)
    bad.sum_up()
    print(f"{count:,} added, {given - count:,} known before{f', {bad.count:,} refused' if bad.count else ''}")
    return NO if bad.count else YES


def _remove(command: SubcommandsCommand, opts: Namespace) -> int:
    bad = _Bad()
    urls = dict.fromkeys(_urls(opts, bad))
    with _seeds(command) as seeds:
        count = seeds.remove(urls)
    bad.sum_up()
    print(f"{count:,} removed, {len(urls) - count:,} not there{f', {bad.count:,} refused' if bad.count else ''}")
    return YES if count == len(urls) and not bad.count else NO


def _list(command: SubcommandsCommand, opts: Namespace) -> int:
    count = 0
    with _seeds(command) as seeds:
        for seed in seeds.all():
            count += 1
            print(json.dumps(asdict(seed)) if opts.json else _line(seed))
    if not count:
        print("no seeds", file=sys.stderr)
    return YES if count else NO


def _line(seed: Seed) -> str:
    came = "not crawled yet"
    if seed.crawled_at:
        came = f"{seed.status}, {seed.pages or 0:,} pages of its host ({seed.spider}, {seed.crawled_at})"
    why = f": {seed.why}" if seed.why else ""
    return "\n".join(
        (
            printable(seed.url, _MAX_URL),
            f"  added  {seed.added_at} by {seed.added_by}{why}",
            f"  came   {printable(came)}",
        )
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a user without a name, as in containers
        return "unknown"


def _urls(opts: Namespace, bad: _Bad) -> Iterator[str]:
    """The URLs of the command line and of the file, as Scrapy asks for them, without those that are none."""
    if not opts.urls and opts.file is None:
        raise CommandError("give a URL, or --file FILE (- for standard input)")
    for word in opts.urls:
        yield from _url("URL", word, bad)
    if opts.file is None:
        return
    name = "standard input" if opts.file == "-" else opts.file
    try:
        with open(0 if opts.file == "-" else opts.file, encoding="utf-8-sig", errors="replace", closefd=True) as lines:
            for number, line in enumerate(lines, 1):
                if (text := line.strip()) and not text.startswith("#"):
                    yield from _url(f"{name}:{number}", text, bad)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror or error}") from error


def _url(where: str, text: str, bad: _Bad) -> Iterator[str]:
    try:
        if len(text) > _MAX_URL:
            raise ValueError(f"longer than {_MAX_URL:,} characters")
        if not text.isprintable() or " " in text:
            raise ValueError("blanks or control characters in it")
        if not text.lower().startswith(("http://", "https://")):
            raise ValueError("expected http:// or https://")
        Origin.from_url(text)
        url = as_seed(Request(text).url)
    except ValueError as error:
        bad.tell(where, text, error)
        return
    yield url


@contextmanager
def _seeds(command: SubcommandsCommand, *, make: bool = False) -> Iterator[Seeds]:
    settings = shared(command.configured(), PoliteSettings)
    try:
        with closing(Seeds(Path(data_path(settings.seeds or FILE)), make=make)) as seeds:
            yield seeds
    except SeedsError as error:
        raise CommandError(str(error)) from error


def add_subcommands(parser: Parser) -> None:
    seeds = parser.subcommand("seeds", "a list of start URLs that outlives crawls: POLITE_SEEDS feeds it to them")
    add = seeds.subcommand("add", "add start URLs (exit status: 0 all, 1 some are no URLs, 2 error)", _add)
    remove = seeds.subcommand("remove", "take start URLs out (exit status: 0 all, 1 some were not there)", _remove)
    listed = seeds.subcommand("list", "who has added each, when and why, and what came of it", _list)
    for part in (add, remove):
        part.add_argument("urls", metavar="URL", nargs="*", help="a start URL, http or https")
        part.add_argument("--file", metavar="FILE", help="with one URL a line; - for standard input")
    add.add_argument("--by", metavar="NAME", help="who adds them, instead of the user's name")
    add.add_argument("--why", metavar="TEXT", help="a reason")
    listed.add_argument("--json", action="store_true", help="one JSON object a line")
