"""The URLs of a site that a new robots.txt is tried on: of a list, or of a crawl, which has other sites' too."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from scrapy_polite._commandline import CommandError
from scrapy_polite.origin import Origin, origin_of
from scrapy_polite.robots.inputs import read_urls
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

#: From what --urls says to the URLs. Raises InputError, CommandError.
UrlsOf: TypeAlias = Callable[[str], Iterator[str]]
LIST = "a list, one URL or path a line"


def urls_of_list(word: str) -> Iterator[str]:
    return read_urls(Path(word))


def add_origin(parser: Parser, default: str) -> None:
    parser.add_argument("--origin", metavar="ORIGIN", help=f"URLs of this origin alone (default: {default})")


def named_origin(opts: Namespace) -> Origin | None:
    """What --origin names. Raises CommandError."""
    try:
        return None if opts.origin is None else Origin.from_url(opts.origin)
    except ValueError as error:
        raise CommandError(f"--origin: {error}") from error


class KnownUrls:
    """URLs, of which those of another origin than `site`, or of another host, are left out and counted.

    A mere path is of any site. `name` is where they are from. To go through them raises CommandError at the end where
    none is of the site: nothing would have been tried.
    """

    def __init__(self, urls: Iterable[str], name: str, site: Origin | str | None = None) -> None:
        self._urls = urls
        self._name = name
        self._site = site
        self._first: list[str] | None = None
        self.others = 0
        self.of_several_origins = False

    def __iter__(self) -> Iterator[str]:
        none = True
        for url in self._urls:
            if self._is_of_site(url):
                none = False
                yield url
            else:
                self.others += 1
        if none:
            others = f" of {self._site}: all {self.others:,} are of others" if self.others else ""
            raise CommandError(f"{printable(self._name, 300)} holds no URL{others}; nothing is compared")

    def _is_of_site(self, url: str) -> bool:
        if url.startswith("/"):
            return True
        if self._site is None:
            if not self.of_several_origins:
                scheme_and_host = url.split("/", 3)[:3]
                self._first = self._first or scheme_and_host
                self.of_several_origins = scheme_and_host != self._first
            return True
        origin = origin_of(url)
        return origin is not None and self._site in (origin, origin.host)
