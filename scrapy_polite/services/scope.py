"""Where the spider may go, by what it says itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy import Spider

    from scrapy_polite.origin import Origin


def allowed_domains(spider: Spider | None) -> list[str]:
    """The spider's `allowed_domains` in lower case; empty: it says nothing. As in Scrapy's OffsiteMiddleware None is no
    domain."""
    domains = getattr(spider, "allowed_domains", None) or ()
    return [str(domain).lower() for domain in domains if domain]


def is_of(origin: Origin, domains: list[str]) -> bool:
    """Whether the host is one of these domains, or below one; its port does not count."""
    return any(origin.host == domain or origin.host.endswith(f".{domain}") for domain in domains)
