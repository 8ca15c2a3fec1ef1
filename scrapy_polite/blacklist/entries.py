"""Entry: what one line of a list covers, in the one spelling that requests are brought to as well (`hosts`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import NamedTuple

from scrapy_polite.blacklist.hosts import Address, Place, literal_address, meant_addresses, normal_host
from scrapy_polite.blacklist.regexes import checked


class Malformed(ValueError):
    """No line of this format; or one of which only these entries can be taken."""

    def __init__(self, why: str, entries: Sequence[Entry] = ()) -> None:
        super().__init__(why)
        self.entries = entries


class Kind(Enum):
    """What an entry covers."""

    HOST = "host and its subdomains"
    EXACT_HOST = "host"
    RANGE = "addresses"
    PREFIX = "URLs that begin so"
    URL = "URL"
    REGEX = "regular expression"

    # Enum's own, of the name, takes a tenth of the time that a list of millions is compiled in.
    __hash__ = object.__hash__


class Entry(NamedTuple):
    """One entry in its one spelling (`hosts`), an exception if `exception`.

    `text` is, by kind: a host; a host; a network (`10.0.0.0/8`); for the two kinds of URLs one without scheme, where a
    leading dot stands for subdomains as well; the expression.
    """

    kind: Kind
    text: str
    exception: bool = False

    def __str__(self) -> str:
        """As our own format writes it."""
        text = self.text
        if self.kind is Kind.PREFIX and NETWORK.fullmatch(text):
            text = f"http://{text}"
        return f"{'!' * self.exception}{_MARKS.get(self.kind, '{}').format(text)}"


_MARKS = {Kind.EXACT_HOST: "={}", Kind.URL: "={}", Kind.REGEX: "/{}/"}

#: Most lines of most lists: a name that is in its one spelling already.
common_host = re.compile(r"(?!.{254})(?:[a-z0-9_][a-z0-9_-]{0,62}\.)+[a-z][a-z0-9-]{0,62}").fullmatch
_HOST_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
NETWORK = re.compile(r"[0-9A-Fa-f:.]+/[0-9]{1,3}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def host_entries(text: str, kind: Kind = Kind.HOST) -> Sequence[Entry]:
    if common_host(text):
        return (Entry(kind, text),)
    host = normal_host(text)
    address = literal_address(host)
    if address:
        return (_single(address),)
    if not is_host_name(host):
        raise Malformed("no host")
    later = _as_idna_2008(text)
    return (Entry(kind, host), Entry(kind, later)) if is_host_name(later) else (Entry(kind, host),)


def is_host_name(host: str) -> bool:
    """No address, and nothing that a URL can hold and DNS cannot, such as `<p>` or `256.0.0.1`."""
    return _HOST_NAME.fullmatch(host) is not None and not host[host.rfind(".") + 1 :].isdigit()


def _single(address: Address) -> Entry:
    address = meant_addresses(address)[0]
    return Entry(Kind.RANGE, f"{address}/{address.max_prefixlen}")


#: Letters that IDNA 2003 maps to others and IDNA 2008 keeps (RFC 5894 §7.2), so that a name with one is two names.
_DEVIATIONS = re.compile("[ßς\u200c\u200d]")


def _as_idna_2008(host: str) -> str:
    host = host.lower()
    if not _DEVIATIONS.search(host):
        return ""
    labels = host.rstrip(".").split(".")
    return ".".join(one if one.isascii() else "xn--" + one.encode("punycode").decode("ascii") for one in labels)


def network_entry(text: str) -> Sequence[Entry]:
    try:
        network = ip_network(text, strict=False)
    except ValueError as error:
        raise Malformed(str(error)) from None
    return (Entry(Kind.RANGE, str(_without_mapping(network))),)


def _without_mapping(network: IPv4Network | IPv6Network) -> IPv4Network | IPv6Network:
    first = network.network_address
    if isinstance(first, IPv6Address) and first.ipv4_mapped and network.prefixlen >= 96:
        return IPv4Network((int(first.ipv4_mapped), network.prefixlen - 96))
    return network


def url_entries(text: str, kind: Kind = Kind.PREFIX) -> Sequence[Entry]:
    """With scheme or without; a leading `.` or `*.` of the host stands for its subdomains as well.

    A `*` at the end of a prefix, as many formats have it, says nothing; the character itself is `%2A`.
    """
    scheme = _SCHEME.match(text)
    start, rest = (scheme[0], text[scheme.end() :]) if scheme else ("http://", text)
    if kind is Kind.PREFIX and "/" in rest:
        rest = rest.rstrip("*")
    subdomains = rest.startswith((".", "*."))
    place = Place.of(start + (rest.removeprefix("*").removeprefix(".") if subdomains else rest))
    if place is None or not (place.address or is_host_name(place.host)):
        raise Malformed("no URL")
    # Of a URL a `?` with nothing after it says nothing; of a prefix it says that there is a query.
    path = place.path + ("?" if kind is Kind.PREFIX and rest.endswith("?") and "?" not in place.path else "")
    if kind is Kind.PREFIX and path == "/" and place.port is None:
        return host_entries(place.host, Kind.HOST if subdomains else Kind.EXACT_HOST)
    return (Entry(kind, f"{'.' * subdomains}{place.netlocs[-1]}{path}"),)


def regex_entry(pattern: str) -> Sequence[Entry]:
    try:
        return (Entry(Kind.REGEX, checked(pattern)),)
    except ValueError as error:
        raise Malformed(str(error)) from None


def slashed_regex_entry(text: str) -> Sequence[Entry]:
    if text.endswith("/i"):
        return regex_entry(f"(?i){text[1:-2]}")
    if len(text) < 3 or not text.endswith("/"):
        raise Malformed("a regular expression ends with a slash, too")
    return regex_entry(text[1:-1])


def excepted(entries: Sequence[Entry]) -> Sequence[Entry]:
    return [entry._replace(exception=True) for entry in entries]
