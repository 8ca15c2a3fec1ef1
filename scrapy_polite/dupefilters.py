"""Scrapy's dupefilter, with its memory in the frontier's file, and a key that spellings of one page share."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol

from scrapy import Request
from scrapy.dupefilters import RFPDupeFilter

from scrapy_polite._crawl import shared
from scrapy_polite.origin import Origin
from scrapy_polite.robots.main_host import MIRROR_URL
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.visited.canonical import DEFAULT_OPTIONS, KeyOptions, clean_params, default_key, key
from scrapy_polite.visited.memory import MemoryVisited
from scrapy_polite.visited.mirrors import Mirrors

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler
    from scrapy.utils.request import RequestFingerprinterProtocol
    from typing_extensions import Self

    from scrapy_polite.settings import Sites

#: With 120 bits, among 1e9 pages two are taken for one once in 1e18 crawls; the `bytes` of 16 take a third more memory.
_FINGERPRINT_BYTES = 15


def _fingerprint(method: str, page: str, body: bytes = b"") -> bytes:
    # Neither a method nor a key has a line's end.
    head = f"{method}\n{page}\n".encode("utf-8", "surrogatepass")
    return blake2b(head + body, digest_size=_FINGERPRINT_BYTES).digest()


@lru_cache(maxsize=10_000)  # a site's menu is on each of its pages
def _page_fingerprint(url: str) -> bytes:
    return _fingerprint("GET", default_key(url))


class Visited(Protocol):
    """Remembers fingerprints."""

    def seen_or_add(self, fingerprint: bytes) -> bool: ...

    def __contains__(self, fingerprint: bytes) -> bool: ...


class PoliteDupeFilter(RFPDupeFilter):
    """Takes two requests for the same page if they have one method and body, and URLs that differ only in spelling.

    Spelling is session ids, tracking parameters, and what `same_page` in `POLITE_SITES` adds. A fingerprinter that the
    project has set decides alone. Requests are sent as they are.

    `visited` remembers a fingerprint and says whether it did already. Our scheduler has it remembered by the queue
    (`remember_in`), so that one transaction holds a request and its fingerprint. Where nobody does, fingerprints are in
    memory, as Scrapy's are without a job directory; `requests.seen` is never written. Exact, but for a Bloom filter.
    """

    def __init__(
        self,
        visited: Visited | None = None,
        *,
        debug: bool = False,
        fingerprinter: RequestFingerprinterProtocol | None = None,
        sites: Sites | None = None,
        error_rate: float | None = None,
        mirrors: Mirrors | None = None,
    ) -> None:
        """With a `fingerprinter` that alone decides. `error_rate` is that of a Bloom filter, None for exact memory;
        `mirrors` say which hosts have the same pages."""
        super().__init__(None, debug, fingerprinter=fingerprinter)
        self._in_memory = MemoryVisited(error_rate)
        self._visited: Visited = visited or self._in_memory
        self._clean_params: Callable[[Origin], tuple[str, ...]] | None = None
        self._sites = sites or None
        self._mirrors = mirrors
        self.fingerprint = fingerprinter.fingerprint if fingerprinter else self._key_fingerprint
        self._looks_ahead = fingerprinter is None and type(self).request_seen is PoliteDupeFilter.request_seen

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        polite = shared(crawler, PoliteSettings)
        return cls(
            debug=settings.getbool("DUPEFILTER_DEBUG"),
            fingerprinter=crawler.request_fingerprinter
            if settings.getpriority("REQUEST_FINGERPRINTER_CLASS")
            else None,
            sites=polite.sites,
            error_rate=polite.visited_error_rate if polite.visited == "bloom" else None,
            mirrors=shared(crawler, Mirrors) if polite.sites.says("host", "follow") else None,
        )

    def remember_in(self, visited: Visited, clean_params: Callable[[Origin], tuple[str, ...]]) -> None:
        """Before `open`: remember fingerprints elsewhere. `clean_params` are what the robots.txt of an origin says of
        `Clean-param`, for sites that are to be believed."""
        self._visited = visited
        self._clean_params = clean_params

    def request_seen(self, request: Request) -> bool:
        if self._mirrors:
            came_by = request.meta.get("redirect_urls", ())
            if self._mirrors.sends_back(request.url, came_by):
                return False
            if not came_by and self._seen_elsewhere(self._mirrors, request):
                return True
        return self._visited.seen_or_add(self.fingerprint(request))

    def has_seen(self, request: Request) -> bool:
        """Whether `request_seen` is sure to be true of a link as a spider has made it. Looking does not make it so.

        False where that is decided elsewhere: by a subclass, by mirrors, or by the project's own fingerprinter, which
        may look at the headers and meta that a request gets on its way.
        """
        if not self._looks_ahead or self._mirrors:
            return False
        return self.fingerprint(request) in self._visited

    def _seen_elsewhere(self, mirrors: Mirrors, request: Request) -> bool:
        twins = mirrors.twins(request.url, request, request.meta.get(MIRROR_URL, ""))
        return any(self.fingerprint(request.replace(url=url)) in self._visited for url in twins)

    def knows(self, url: str) -> bool:
        """Whether a page has been visited, or is queued. Looking does not make it so."""
        try:
            return self.fingerprint(Request(url)) in self._visited
        except ValueError:
            return False  # no URL that could be asked for

    def close(self, reason: str) -> None:
        super().close(reason)
        self._in_memory.close()

    def _key_fingerprint(self, request: Request) -> bytes:
        options = self._options(request.url)
        if options is DEFAULT_OPTIONS and request.method == "GET" and not request.body:
            return _page_fingerprint(request.url)
        return _fingerprint(request.method, key(request.url, options), request.body)

    def _options(self, url: str) -> KeyOptions:
        if self._sites is None:
            return DEFAULT_OPTIONS
        try:
            origin = Origin.from_url(url)
        except ValueError:
            return DEFAULT_OPTIONS
        options = self._sites.policy(origin).same_page
        if options.clean_param and self._clean_params is not None:
            return replace(options, clean_params=clean_params(self._clean_params(origin)))
        return options
