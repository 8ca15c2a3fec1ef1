"""Origin: scheme + host + effective port (RFC 6454 §4), the unit of robots.txt (RFC 9309 §2.3)."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

DEFAULT_PORTS = {"http": 80, "https": 443, "ftp": 21}


@dataclass(frozen=True, slots=True)
class Origin:
    """`host` is lower case, IDNA-encoded, without trailing dot; an IPv6 address has no brackets here."""

    scheme: str
    host: str
    port: int

    @classmethod
    def from_url(cls, url: str) -> Origin:
        """The origin of an absolute http, https or ftp URL.

        Raises ValueError, which names the URL's fault, for anything else.
        """
        scheme, separator, rest = url.partition("://")
        if not separator:
            raise ValueError(f"no origin in {url[:200]!r}: expected an absolute URL such as 'https://example.com/page'")
        end = min((i for i in map(rest.find, "/?#") if i >= 0), default=len(rest))
        return _origin(scheme.lower(), rest[:end])

    @property
    def robots_url(self) -> str:
        return f"{self}/robots.txt"

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"


def origin_of(url: str) -> Origin | None:
    """The origin of a URL; None where it has none (see `Origin.from_url`)."""
    try:
        return Origin.from_url(url)
    except ValueError:
        return None


@lru_cache(maxsize=10_000)
def _origin(scheme: str, netloc: str) -> Origin:
    if scheme not in DEFAULT_PORTS:
        raise ValueError(f"no origin for scheme {scheme[:50]!r}: expected one of {', '.join(DEFAULT_PORTS)}")
    try:
        parts = urlsplit(f"{scheme}://{netloc}")
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise ValueError(f"bad host or port in {netloc[:200]!r}: {error}") from None
    host = _ascii_host(host)
    if not host:
        raise ValueError(f"no host in {scheme}://{netloc[:200]!r}")
    if not host.isprintable() or " " in host:
        raise ValueError(f"bad host or port in {netloc[:200]!r}: spaces or control characters")
    return Origin(scheme, host, DEFAULT_PORTS[scheme] if port is None else port)


def _ascii_host(host: str) -> str:
    if not host.isascii():
        try:
            # IDNA 2003, as w3lib and so Scrapy encode the host that is really connected to.
            host = host.encode("idna").decode("ascii")
        except UnicodeError as error:
            raise ValueError(f"host {host[:200]!r} cannot be encoded for DNS: {error}") from None
    return host.lower().rstrip(".")


def is_address(host: str) -> bool:
    """Whether a host is an IP address literal, and no name."""
    return _address(host) is not None


#: Which `ipaddress` takes for global: IPv4 in the form that RFC 4291 §2.5.5.1 deprecates, NAT64 within a network
#: (RFC 8215), site-local (RFC 3879).
_NOT_GLOBAL = tuple(map(ipaddress.IPv6Network, ("::/96", "64:ff9b:1::/48", "fec0::/10")))


def is_private_address(host: str) -> bool:
    """Whether an IP address literal lies outside the public Internet: private, loopback, link-local, reserved.

    False for anything that is not an address literal (a host name has to be resolved first).
    """
    address = _address(host)
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address is not None and (not address.is_global or any(address in one for one in _NOT_GLOBAL))


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None


@lru_cache(maxsize=100_000)
def registered_domain(host: str) -> str:
    """The registered domain of a host, by the public suffix list that tldextract brings; else the host itself."""
    return host if is_address(host) else _extract()(host).top_domain_under_public_suffix or host


@lru_cache(maxsize=1_000)
def is_public_suffix(host: str) -> bool:
    """Whether it is a domain of a registry below which anybody may register one: `com`, `co.uk`, not `github.io`."""
    found = _extract()(host)
    return bool(found.suffix) and not found.domain


def site_of(origin: Origin) -> str:
    """Whose pages they are: `example.com`, `user.github.io`, an address with its port.

    The registered domain, where those who may be registered below a private suffix count. A suffix that the list does
    not know is one label (`x.localhost:8080`), as the list itself has it, and there the port tells sites apart.
    """
    if is_address(origin.host):
        return origin.netloc
    return _site_domain(origin.host) or ".".join(origin.netloc.split(".")[-2:])


@lru_cache(maxsize=100_000)
def _site_domain(host: str) -> str:
    found = _extract()(host, include_psl_private_domains=True)
    return found.top_domain_under_public_suffix or (host if found.suffix else "")


@lru_cache(maxsize=1)
def _extract() -> Any:
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None)
