"""Which hosts share one pace (POLITE_PACE_BY): each has its own, or those of a registered domain or an address do."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy.resolver import dnscache

from scrapy_polite.origin import registered_domain

if TYPE_CHECKING:
    from scrapy.http import Response

    from scrapy_polite.origin import Origin

_MAX_ADDRESSES = 1_000_000


class PaceKeys:
    """The keys of one crawl, and the addresses that it has learned for them."""

    def __init__(self, pace_by: str) -> None:
        self._pace_by = pace_by
        self._addresses: OrderedDict[str, str] = OrderedDict()

    def of(self, origin: Origin) -> str:
        """What has one pace: the host, its registered domain or, once it is known, its address."""
        host = origin.host
        if self._pace_by == "domain":
            return registered_domain(host)
        if self._pace_by == "ip":
            return self._addresses.get(host, host)
        return host

    def learn_address(self, origin: Origin, response: Response) -> bool:
        """Whether the key of `origin` is another one now that `response` has come, without a proxy, from its host."""
        if self._pace_by != "ip":
            return False
        host = origin.host
        # Older versions of Scrapy name no address where the body is empty.
        address = response.ip_address or dnscache.get(host)
        if address is None or isinstance(address, list) or self._addresses.get(host) == str(address):
            return False
        self._addresses[host] = str(address)
        if len(self._addresses) > _MAX_ADDRESSES:
            self._addresses.popitem(last=False)
        return True
