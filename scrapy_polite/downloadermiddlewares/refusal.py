"""How a downloader middleware refuses a request, gives it back to its queue, or lets it wait."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest
from scrapy.http.request import NO_CALLBACK

from scrapy_polite._crawl import shared
from scrapy_polite.events import Events, RequestRefused
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite.decision import Decision


CLOSING = ("robots/closing", "pace/closing")
#: Meta of a request that was given back to a persistent queue; it means nothing to the next run.
GIVEN_BACK = "polite_given_back"


def kept_by_queue(crawler: Crawler, request: Request) -> Request | None:
    """What a persistent queue that is not ours is to keep of a request for which the crawl closes too early.

    None where there is no such queue, and for a request that was given back before: `engine.download_async` would
    bring it here again at once, and for ever.
    """
    if not crawler.settings.get("JOBDIR") or request.callback is NO_CALLBACK or GIVEN_BACK in request.meta:
        return None
    return request.replace(dont_filter=True, meta=request.meta | {GIVEN_BACK: True})


def patience_s(request: Request, wait_max_s: float) -> float:
    """For how long a request may wait in place."""
    wait_max_s = request.meta.get("polite_wait_max", wait_max_s)
    if isinstance(wait_max_s, bool) or not isinstance(wait_max_s, (int, float)):
        raise ValueError(f"meta polite_wait_max of {request} is {wait_max_s!r}, expected a number of seconds")
    return wait_max_s


def refusal_of(crawler: Crawler, request: Request, origin: object, target: str, decision: Decision) -> IgnoreRequest:
    """Count and tell a refusal; returns the exception that carries it out."""
    start = is_start(request) and decision.reason not in CLOSING  # the end of a crawl says nothing of its start
    again = start and not is_first_start(request)
    event = RequestRefused(str(origin), target, decision, start=start, start_was_sent=again, request=request)
    shared(crawler, Events).publish(event)
    return IgnoreRequest(f"Refused by {printable(str(decision), 300)}")


def fresh(error: Exception) -> Exception:
    """The same error once more: each time that one object is raised it keeps the frames that it came through."""
    ways: tuple[Callable[[], Exception], ...] = (lambda: copy.copy(error), lambda: type(error)(*error.args))
    for again in ways:
        try:
            fresh = again()
        except Exception:  # noqa: BLE001, S112 (the constructors of other people's exceptions)
            continue
        if type(fresh) is type(error) and fresh is not error:
            return fresh
    return error.with_traceback(None)


def is_start(request: Request) -> bool:
    return bool(request.meta.get("is_start_request"))


def is_first_start(request: Request) -> bool:
    """Whether a start request leaves for the first time: not redirected, not tried again."""
    return is_start(request) and not request.meta.keys() & {"redirect_times", "retry_times"}
