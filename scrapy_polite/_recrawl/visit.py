"""One page of a crawl that comes back: what was known of it, and what is to be kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy import Request

    from scrapy_polite.store.pages import PageRecord

#: How a page was answered.
WHOLE, NOT_MODIFIED, NOT_DUE = "whole", "not-modified", "not-due"


@dataclass(slots=True)
class Visit:
    """One page on its way.

    `page` is what was known of it, `usable` whether that may stand in for the page. `answer` is how it was answered,
    `record` what is to be kept, `links` what it has brought, `pending` how many of its items are under way.
    `uncached`: Scrapy's HTTP cache was told not to keep the answer. Of one that `failed` nothing is kept.
    """

    mode: str
    key: bytes
    page: PageRecord | None
    usable: bool
    callback: Any
    answer: str = ""
    record: PageRecord | None = None
    outcome: str = ""
    links: list[tuple[Request, bytes]] | None = field(default_factory=list)
    body: bytes | None = None
    pending: int = 0
    uncached: bool = False
    ended: bool = False
    failed: bool = False
