"""A list made ready to be asked: sorted hashes of hosts and URLs, sorted prefixes, sorted networks, expressions.

Two tables of each list: what it names, and what it excepts. A table is asked for the entry that covers a place and
answers with that entry; it does not know which line said so (`reader.line_of` reads the file again for that).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address, summarize_address_range

from scrapy_polite.blacklist.entries import Entry, Kind
from scrapy_polite.blacklist.hosts import Address, Place, key, meant_addresses, suffix_keys
from scrapy_polite.blacklist.regexes import RegexSet

URL_END = b"\n"
"""Ends every URL that is looked for among the prefixes: a prefix that holds it is an exact URL."""

ADDRESS_BYTES = 17


def packed(address: Address) -> bytes:
    """An address as `ADDRESS_BYTES` octets that sort as addresses do, IPv4 before IPv6."""
    return (b"\4" if address.version == 4 else b"\6") + address.packed.ljust(ADDRESS_BYTES - 1, b"\0")


def _unpacked(octets: bytes) -> Address:
    return ip_address(octets[1:5] if octets[0] == 4 else octets[1:])


@dataclass(frozen=True, slots=True)
class Table:
    """`hashes` holds `key`s: of a host with its subdomains, of "=" and a host, of a URL without scheme.

    `prefixes` are sorted and none begins with another; `firsts` and `lasts` are `packed` addresses, and no network lies
    in another. `top_level` says that hosts of one label are among the hashes, `subdomains` that a prefix begins with a
    dot. `counts` are of entries, by kind.
    """

    hashes: Container[int] = frozenset()
    prefixes: Sequence[bytes] = ()
    firsts: Sequence[bytes] = ()
    lasts: Sequence[bytes] = ()
    regexes: RegexSet = field(default_factory=lambda: RegexSet(()))
    top_level: bool = False
    subdomains: bool = False
    counts: dict[Kind, int] = field(default_factory=dict)

    def find(self, place: Place) -> Entry | None:
        """The entry that covers a place, the broadest kind first."""
        if not self.counts:
            return None
        address = place.address
        found = self.find_host(place.host) if address is None else self.find_address(address)
        return found or self._find_url(place)

    def find_host(self, host: str) -> Entry | None:
        """`host` in its one spelling, and no address."""
        counts = self.counts
        if Kind.HOST in counts:
            hashes = self.hashes
            for number, one in enumerate(suffix_keys(host)):
                if one in hashes:
                    return Entry(Kind.HOST, host.split(".", number)[number])
            if self.top_level and _top_key(host) in hashes:
                return Entry(Kind.HOST, host[host.rfind(".") + 1 :])
        if Kind.EXACT_HOST in counts and _exact_key(host) in self.hashes:
            return Entry(Kind.EXACT_HOST, host)
        return None

    def find_address(self, address: Address) -> Entry | None:
        """Also of IPv4 addresses to which an IPv6 address leads."""
        for one in meant_addresses(address) if self.firsts else ():
            octets = packed(one)
            at = bisect_right(self.firsts, octets) - 1
            if at >= 0 and octets <= self.lasts[at]:
                first, last = _unpacked(self.firsts[at]), _unpacked(self.lasts[at])
                return Entry(Kind.RANGE, str(next(iter(summarize_address_range(first, last)))))
        return None

    def _find_url(self, place: Place) -> Entry | None:
        counts = self.counts
        if Kind.URL in counts:
            for netloc in place.netlocs:
                if key(netloc + place.path) in self.hashes:
                    return Entry(Kind.URL, netloc + place.path)
        if self.prefixes:
            found = self._find_prefix(place)
            if found is not None:
                return found
        if Kind.REGEX in counts:
            pattern = self.regexes.search(place.url)
            if pattern is not None:
                return Entry(Kind.REGEX, pattern)
        return None

    def _find_prefix(self, place: Place) -> Entry | None:
        path: bytes | None = None
        for netloc in self._netlocs(place):
            begin = f"{netloc}/".encode()
            at = bisect_left(self.prefixes, begin)
            if at == len(self.prefixes) or not self.prefixes[at].startswith(begin):
                continue
            if path is None:
                path = place.path.encode() + URL_END
            url = begin + path[1:]
            found = self.prefixes[max(at, bisect_right(self.prefixes, url, at) - 1)]
            if url.startswith(found):
                kind = Kind.URL if found.endswith(URL_END) else Kind.PREFIX
                return Entry(kind, found.removesuffix(URL_END).decode())
        return None

    def _netlocs(self, place: Place) -> Sequence[str]:
        if not self.subdomains or place.address is not None:
            return place.netlocs
        labels = place.host.split(".")
        above = [f".{'.'.join(labels[at:])}" for at in range(len(labels))]
        if place.port is not None:
            above += [f"{host}:{place.port}" for host in above]
        return *place.netlocs, *above


@lru_cache(maxsize=10_000)
def _exact_key(host: str) -> int:
    return key(f"={host}")


@lru_cache(maxsize=1_000)
def _top_key(host: str) -> int:
    return key(host[host.rfind(".") + 1 :])
