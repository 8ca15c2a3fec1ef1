"""Scrapy's dupefilter, with its memory where the frontier's is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.dupefilters import RFPDupeFilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.utils.request import RequestFingerprinterProtocol
    from typing_extensions import Self


class PoliteDupeFilter(RFPDupeFilter):
    """Exact. `visited` remembers a fingerprint and says whether it did already: the scheduler puts the queue's own
    `seen_or_add` there before `open`, so that one transaction holds a request and its fingerprint. Where nobody does,
    fingerprints are in memory, as Scrapy's are without a job directory; `requests.seen` is never written.
    """

    def __init__(
        self,
        visited: Callable[[bytes], bool] | None = None,
        *,
        debug: bool = False,
        fingerprinter: RequestFingerprinterProtocol | None = None,
    ) -> None:
        super().__init__(None, debug, fingerprinter=fingerprinter)
        self.visited: Callable[[bytes], bool] = visited or self._seen_in_memory
        self._in_memory: set[bytes] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(debug=crawler.settings.getbool("DUPEFILTER_DEBUG"), fingerprinter=crawler.request_fingerprinter)

    def request_seen(self, request: Request) -> bool:
        return self.visited(self.fingerprinter.fingerprint(request))

    def _seen_in_memory(self, fingerprint: bytes) -> bool:
        before = len(self._in_memory)
        self._in_memory.add(fingerprint)
        return len(self._in_memory) == before
