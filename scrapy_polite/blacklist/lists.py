"""The verdict: what blacklists and allowlists, taken together, say of a URL or an address.

An allowlist wins over every blacklist, and an exception over its own list, whatever else of it covers the place. Over
a list of takedowns no allowlist wins.
Unchangeable: where a file changes, another `Lists` is made and takes the place of this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite.blacklist.entries import Kind
from scrapy_polite.blacklist.hosts import Address, Place, literal_address, normal_host
from scrapy_polite.blacklist.reader import line_of

if TYPE_CHECKING:
    from scrapy_polite.blacklist.compiled import CompiledList
    from scrapy_polite.blacklist.entries import Entry
    from scrapy_polite.blacklist.table import Table


@dataclass(frozen=True, slots=True)
class Match:
    """The entry of a list that decided: the list's name and action (of `sources`), its file, the entry."""

    list: str
    action: str
    file: Path
    format: str
    entry: Entry

    def line(self) -> int | None:
        """The number of its line; None where it is no longer there. Reads the file: seconds, for millions of lines.

        Raises ListError where the file cannot be read.
        """
        return line_of(self.file, self.format, self.entry)

    def __str__(self) -> str:
        return f"{self.entry} ({self.list})" if self.list == str(self.file) else f"{self.entry} ({self.file})"


@dataclass(frozen=True, slots=True)
class NamedList:
    """A list as a setting names it, with all its files."""

    name: str
    action: str
    files: tuple[tuple[Path, CompiledList], ...]

    def match(self, place: Place) -> Match | None:
        return self._match(lambda table: table.find(place))

    def match_host(self, host: str) -> Match | None:
        """Whether it covers all of a host (a name in its one spelling)."""
        return self._match(lambda table: table.find_host(host))

    def match_address(self, address: Address, host: str = "") -> Match | None:
        """Whether it covers an address to which a name leads; exceptions cover the name or the address."""
        found = self._match(lambda table: table.find_address(address))
        excepted = bool(found and host) and any(other.excepted.find_host(host) for _, other in self.files)
        return None if excepted else found

    def _match(self, find: Callable[[Table], Entry | None]) -> Match | None:
        for path, compiled in self.files:
            entry = find(compiled.named)
            if entry is not None:
                if any(find(other.excepted) for _, other in self.files):
                    return None
                return Match(self.name, self.action, path, compiled.format, entry)
        return None


class Lists:
    """Blacklists, allowlists, and lists of takedowns.

    Of several that cover a place takedowns answer first, and a blacklist that refuses before one in audit.
    """

    def __init__(
        self,
        blacklists: Iterable[NamedList] = (),
        allowlists: Iterable[NamedList] = (),
        takedowns: Iterable[NamedList] = (),
    ) -> None:
        self.blacklists = sorted(blacklists, key=lambda one: one.action == "audit")
        self.allowlists = list(allowlists)
        self.takedowns = list(takedowns)

    @property
    def are_empty(self) -> bool:
        """Whether there is nothing that they could cover."""
        return not self.blacklists and not self.takedowns

    @property
    def name_addresses(self) -> bool:
        """Whether an address to which a name leads can be covered."""
        named = (compiled.named for one in (*self.blacklists, *self.takedowns) for _, compiled in one.files)
        return any(Kind.RANGE in table.counts for table in named)

    def check(self, url: str) -> Match | None:
        """The entry that covers a URL, in whatever spelling; None where there is none, or an allowlist covers it too.

        None for what is no http, https or ftp URL, or has a host that none can have. Never raises.
        """
        if self.are_empty:
            return None
        place = Place.of(url)
        return self.check_place(place) if place else None

    def check_place(self, place: Place) -> Match | None:
        """As `check`."""
        taken_down = _first(self.takedowns, lambda one: one.match(place)) if self.takedowns else None
        if taken_down:
            return taken_down
        found = _first(self.blacklists, lambda one: one.match(place))
        return found if found and not self.allow(place) else None

    def allow(self, place: Place) -> bool:
        return _first(self.allowlists, lambda one: one.match(place)) is not None

    def check_address(self, address: str, host: str = "") -> Match | None:
        """As `check`, of an address to which a connection is about to be made for `host`.

        An allowlist that names the host, or the address, wins. None for what is no address.
        """
        try:
            literal = ip_address(address.partition("%")[0])
        except ValueError:
            return None
        name = _name(host)
        taken_down = _first(self.takedowns, lambda one: one.match_address(literal, name))
        if taken_down:
            return taken_down
        found = _first(self.blacklists, lambda one: one.match_address(literal, name))
        return found if found and not self.allow_address(literal, name) else None

    def allow_address(self, address: Address, host: str = "") -> bool:
        """Whether an allowlist names an address, or the host for which a connection to it is made."""
        name = _name(host)
        return (
            _first(
                self.allowlists,
                lambda one: one.match_address(address, name) or (one.match_host(name) if name else None),
            )
            is not None
        )


def _name(host: str) -> str:
    """The one spelling of a host that is a name; empty for an address."""
    name = normal_host(host)
    return "" if literal_address(name) else name


def _first(lists: Iterable[NamedList], match: Callable[[NamedList], Match | None]) -> Match | None:
    return next(filter(None, map(match, lists)), None)
