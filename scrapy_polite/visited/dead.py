"""Dead URLs (404, 410): not asked for again for a while, by later crawls either."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from scrapy_polite.decision import Decision

from .canonical import KeyOptions, key

if TYPE_CHECKING:
    from concurrent.futures import Future

    from scrapy_polite.store.base import Store
    from scrapy_polite.store.dead_urls import DeadUrl

DEAD_STATUSES = frozenset({404, 410})
_METHODS = frozenset({"GET", "HEAD"})
_DAY_S = 86_400.0
# A page is not dead because its URL with an old session is.
_STRICT = KeyOptions(sessions=False, tracking=False)


def judge(dead: DeadUrl | None, now: float, remember_s: float) -> Decision | None:
    """The refusal of a URL of which this is remembered; None where it may be asked for."""
    dead = dead and dead.as_of(now)
    if dead is None or now >= dead.seen_at + remember_s:
        return None
    seen, ends = (time.strftime("%Y-%m-%d", time.gmtime(at)) for at in (dead.seen_at, dead.seen_at + remember_s))
    return Decision(False, "visited/dead", f"{dead.status} on {seen}, remembered until {ends}")


class DeadUrls:
    """The hooks of a middleware. Of requests that are not GET or HEAD nothing is remembered."""

    def __init__(self, store: Store, remember_days: float) -> None:
        self._store = store
        self._remember_s = remember_days * _DAY_S

    def ask(self, method: str, url: str) -> Future[DeadUrl | None] | None:
        """Before a request leaves: what to put to `judge`. None where there is nothing to ask.

        The future is done as a rule, and fails with StoreError: then the request may leave.
        """
        return self._store.dead_urls.get(_key(url)) if self._remember_s and method in _METHODS else None

    def judge(self, dead: DeadUrl | None, now: float) -> Decision | None:
        return judge(dead, now, self._remember_s)

    def note(self, method: str, url: str, status: int) -> Future[None] | None:
        """When an answer has come from the network. None where there is nothing to keep."""
        if not self._remember_s or method not in _METHODS or status not in DEAD_STATUSES:
            return None
        return self._store.dead_urls.keep(_key(url), status)

    def revived(self, url: str) -> Future[int]:
        """When a URL that `ask` found dead, and that was asked for all the same, has been answered with a page."""
        return self._store.dead_urls.forget(_key(url))


def _key(url: str) -> str:
    return key(url, _STRICT)
