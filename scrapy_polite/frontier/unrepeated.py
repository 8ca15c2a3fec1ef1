"""What was in flight when the last run was broken off, and may not be repeated: this run does not send it again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import IDEMPOTENT, DeadLetter

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite.frontier.report import Report


class Unrepeated:
    """Requests are told by the project's fingerprinter."""

    def __init__(self, crawler: Crawler, report: Report) -> None:
        self._crawler = crawler
        self._report = report
        self._fingerprints: Counter[bytes] = Counter()

    def note(self, letter: DeadLetter) -> None:
        if letter.request is not None:
            self._fingerprints[self._crawler.request_fingerprinter.fingerprint(letter.request)] += 1

    def stops(self, request: Request) -> bool:
        """Whether it is what was set aside, asked for again: by the start, or by a page that is read once more."""
        if not self._fingerprints or request.method in IDEMPOTENT:
            return False
        fingerprint = self._crawler.request_fingerprinter.fingerprint(request)
        if not self._fingerprints[fingerprint]:
            return False
        self._fingerprints[fingerprint] -= 1
        self._report.say_what_is_not_sent_again(request)
        return True
