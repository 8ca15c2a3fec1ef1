"""Scrapy's dupefilter, with its memory in the frontier's file, and a key that spellings of one page share."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.dupefilters import RFPDupeFilter

from scrapy_polite._crawl import shared
from scrapy_polite.origin import Origin
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.visited.bloom import BloomFilter
from scrapy_polite.visited.canonical import DEFAULT_OPTIONS, KeyOptions, clean_params, key

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
    return _fingerprint("GET", key(url))


class PoliteDupeFilter(RFPDupeFilter):
    """Takes two requests for the same page if they have one method and body, and URLs that differ only in spelling.

    Spelling is session ids, tracking parameters, and what `same_page` in `POLITE_SITES` adds. A fingerprinter that the
    project has set decides alone. Requests are sent as they are.

    `visited` remembers a fingerprint and says whether it did already: the scheduler puts the queue's own `seen_or_add`
    there before `open`, so that one transaction holds a request and its fingerprint. Where nobody does, fingerprints
    are in memory, as Scrapy's are without a job directory; `requests.seen` is never written. Exact, but for a Bloom
    filter.
    """

    def __init__(
        self,
        visited: Callable[[bytes], bool] | None = None,
        *,
        debug: bool = False,
        fingerprinter: RequestFingerprinterProtocol | None = None,
        sites: Sites | None = None,
        error_rate: float | None = None,
    ) -> None:
        """With a `fingerprinter` that alone decides. `error_rate` is that of a Bloom filter, None for exact memory."""
        super().__init__(None, debug, fingerprinter=fingerprinter)
        self.visited: Callable[[bytes], bool] = visited or self._seen_in_memory
        #: The same without remembering it.
        self.visited_before: Callable[[bytes], bool] = self._known_in_memory
        #: What the robots.txt of an origin says of `Clean-param`, for sites that are to be believed.
        self.clean_params: Callable[[Origin], tuple[str, ...]] | None = None
        self._identify = fingerprinter.fingerprint if fingerprinter else self._key_fingerprint
        self._sites = sites or None
        self._error_rate = error_rate
        self._in_memory: set[bytes] = set()
        self._bloom: BloomFilter | None = None

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
        )

    def request_seen(self, request: Request) -> bool:
        return self.visited(self._identify(request))

    def knows(self, url: str) -> bool:
        """Whether a page has been visited, or is queued. Looking does not make it so."""
        try:
            return self.visited_before(self._identify(Request(url)))
        except ValueError:
            return False  # no URL that could be asked for

    def close(self, reason: str) -> None:
        super().close(reason)
        if self._bloom is not None:
            self._bloom.close()

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
        if options.clean_param and self.clean_params is not None:
            return replace(options, clean_params=clean_params(self.clean_params(origin)))
        return options

    def _known_in_memory(self, fingerprint: bytes) -> bool:
        return fingerprint in (self._in_memory if self._bloom is None else self._bloom)

    def _seen_in_memory(self, fingerprint: bytes) -> bool:
        if self._error_rate is not None:
            if self._bloom is None:
                self._bloom = BloomFilter(self._error_rate)
            return self._bloom.seen_or_add(fingerprint)
        before = len(self._in_memory)
        self._in_memory.add(fingerprint)
        return len(self._in_memory) == before
