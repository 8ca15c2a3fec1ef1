"""One spelling for every host and URL: what a list entry and a request are both brought to before they are compared.

As the WHATWG URL Standard (§4.4, host parsing §3.5) reads a URL, and so every browser, whatever w3lib leaves as it is:
`http://0x7f.1\\a`, `http://user@127.0.0.1.:80/a` and `http://%31%32%37.0.0.1/a` are one place. What the standard calls
a failure has no host, and is no place.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote, unquote

from scrapy_polite.links import without_dots
from scrapy_polite.origin import DEFAULT_PORTS, is_private_address
from scrapy_polite.robots.paths import normal_path

_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):[/\\]*([^/\\?#]*)([^?#]*)(\??[^#]*)")
_EDGES = "".join(map(chr, range(0x21)))
_REMOVED = re.compile(r"[\t\n\r]")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")
_HEXADECIMAL = re.compile(r"0x[0-9a-f]*")
_ASCII = string.ascii_letters + string.digits + string.punctuation

#: RFC 1035 §2.3.4, without the last dot.
_MAX_HOST = 253
#: A full-width percent sign is one after IDNA has mapped it. The standard stops there, not all programs do.
_MAX_DECODED = 3
#: An entry that names one of these ports means the site, whatever the scheme.
_USUAL_PORTS = frozenset(DEFAULT_PORTS.values())
#: RFC 6052 §2.1: the last 32 bits of such an address are that of IPv4 it leads to.
_NAT64 = IPv6Network("64:ff9b::/96")

Address = IPv4Address | IPv6Address


class Place:
    """Where a URL leads, in the one spelling: `host`, `port` (None for 80, 443, 21) and `path` with query.

    An IPv6 host has brackets here. Between http, https and ftp no difference is made: a list that names one means all.
    """

    __slots__ = ("_path", "_raw_path", "address", "host", "port", "scheme")

    def __init__(self, scheme: str, host: str, port: int | None, raw_path: str) -> None:
        self.scheme = scheme
        self.host = host
        self.port = port
        self.address = literal_address(host)
        self._raw_path = raw_path
        self._path: str | None = None

    @classmethod
    def of(cls, url: str) -> Place | None:
        """The place of an absolute http, https or ftp URL; None for any other string, or where there is no host."""
        if url[:1] <= " " or url[-1:] <= " " or not url.isprintable():
            url = _REMOVED.sub("", url.strip(_EDGES))
        parts = _URL.match(url)
        if parts is None:
            return None
        scheme, netloc, path, query = parts.groups()
        scheme = scheme.lower()
        if scheme not in DEFAULT_PORTS:
            return None
        host, port = _host_and_port(netloc)
        return cls(scheme, host, port, path.replace("\\", "/") + query) if host else None

    @property
    def path(self) -> str:
        """In RFC 3986's normal spelling (§6.2.2), ASCII only; begins with a slash."""
        if self._path is None:
            self._path = _spelled_path(self._raw_path)
        return self._path

    @property
    def netlocs(self) -> tuple[str, ...]:
        """What an entry may call it: without its port, and with it."""
        return (self.host,) if self.port is None else (self.host, f"{self.host}:{self.port}")

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netlocs[-1]}{self.path}"


def normal_host(host: str) -> str:
    """The one spelling of a host, in brackets or not, percent-encoded or not; "" where none can be so spelled.

    Lower case, IDNA-encoded, without trailing dots; an IPv4 address in four decimal numbers, also where it is spelled
    as IPv6 (`::ffff:1.2.3.4`); an IPv6 address compressed, in brackets.
    """
    if host.startswith("[") or host.count(":") > 1:
        return _normal_ipv6(host.removeprefix("[").removesuffix("]"))
    for _ in range(_MAX_DECODED):
        if "%" not in host and host.isascii():
            break
        try:
            # IDNA 2003, as w3lib and so Scrapy encode the host that is really connected to.
            host = unquote(host, errors="strict").encode("idna").decode("ascii")
        except UnicodeError:
            return ""
    host = host.lower().rstrip(".")
    if len(host) > _MAX_HOST or _FORBIDDEN.search(host):
        return ""
    return _dotted_quad(host) if host[host.rfind(".") + 1 :][:1].isdigit() else host


def _normal_ipv6(text: str) -> str:
    try:
        address = IPv6Address(text.partition("%")[0])
    except ValueError:
        return ""
    return str(address.ipv4_mapped or f"[{address}]")


def _dotted_quad(host: str) -> str:
    """An IPv4 address of one to four numbers, each decimal, octal (`0177`) or hexadecimal (§3.5, as inet_aton(3))."""
    numbers = [_number(part) for part in host.split(".")]
    *first, last = numbers
    if len(first) > 3 or None in numbers:
        return host
    value = 0
    for number in first:
        if number is None or number > 255:
            return host
        value = value << 8 | number
    rest = 8 * (4 - len(first))
    if last is None or last >> rest:
        return host
    return str(IPv4Address(value << rest | last))


def _number(part: str) -> int | None:
    if _HEXADECIMAL.fullmatch(part):
        return int(part[2:] or "0", 16)
    try:
        return int(part, 8 if part.startswith("0") else 10) if part.isdigit() else None
    except ValueError:  # 8 and 9 are no octal digits
        return None


@lru_cache(maxsize=10_000)
def _host_and_port(netloc: str) -> tuple[str, int | None]:
    host = netloc.rpartition("@")[2]
    bracket = host.find("]") + 1
    colon = host.find(":", bracket)
    port = ""
    if colon >= 0:
        host, port = host[:colon], host[colon + 1 :]
    number = int(port) if port.isascii() and port.isdigit() and len(port) < 10 else None
    return normal_host(host), None if number in _USUAL_PORTS else number


def _spelled_path(raw: str) -> str:
    if not raw.isascii():
        raw = quote(raw, safe=_ASCII, errors="surrogatepass")
    path, _, query = normal_path(raw).partition("?")
    if "/." in path:
        path = without_dots(path)
    path = f"{path or '/'}{'?' if query else ''}{query}"
    # Which RFC 3986 has only in hosts, and w3lib encodes; `normal_path` leaves them alone.
    return path.replace("[", "%5B").replace("]", "%5D") if "[" in path or "]" in path else path


# Addresses


@lru_cache(maxsize=10_000)
def literal_address(host: str) -> Address | None:
    """The address that a host in its one spelling is; None for a name."""
    if not (host[-1:].isdigit() or host.startswith("[")):
        return None
    try:
        return ip_address(host.strip("[]"))
    except ValueError:
        return None


def meant_addresses(address: Address) -> tuple[Address, ...]:
    """An address, and the IPv4 addresses to which it leads: mapped, through 6to4 or through NAT64."""
    if isinstance(address, IPv4Address):
        return (address,)
    if address.ipv4_mapped:
        return (address.ipv4_mapped,)
    if address.sixtofour:
        return address, address.sixtofour
    if address in _NAT64:
        return address, IPv4Address(int(address) & 0xFFFFFFFF)
    return (address,)


def is_private(host: str) -> bool:
    """Whether a host, in any spelling, lies outside the public Internet by what it says itself.

    An address that is private, loopback, link-local, reserved, multicast, or leads to such a one of IPv4; the name
    `localhost` and all below it (RFC 6761 §6.3). Any other name is False: it has to be resolved first.
    """
    host = normal_host(host)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    address = literal_address(host)
    return address is not None and any(
        one.is_multicast or is_private_address(str(one)) for one in meant_addresses(address)
    )


# Keys


def key(text: str) -> int:
    """64 bits that stand for a text. Of 5 million, one in 4e12 strangers is taken for one of them."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


@lru_cache(maxsize=10_000)
def suffix_keys(host: str) -> tuple[int, ...]:
    """The keys of a host and of the domains above it, the longest first, top-level domain left out.

    A host of one label has that of itself.
    """
    octets = host.encode()
    top = octets.rfind(b".") + 1
    keys = []
    at = 0
    while at < top or not at:
        keys.append(int.from_bytes(blake2b(octets[at:], digest_size=8).digest(), "big"))
        at = octets.find(b".", at) + 1
        if not at:
            break
    return tuple(keys)
