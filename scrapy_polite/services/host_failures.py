"""What the end of a download says of its host: whether it counts towards its back-off, ends that, or says nothing."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from scrapy import exceptions
from scrapy.exceptions import IgnoreRequest, NotSupported, StopDownload
from twisted.internet.defer import CancelledError

from scrapy_polite import clock
from scrapy_polite.events import Events, HostClosed, HostOpened
from scrapy_polite.robots.freshness import retry_after_cut, retry_after_s

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from scrapy_polite.origin import Origin
    from scrapy_polite.pacing.gate import Gate
    from scrapy_polite.services.in_flight_request import InFlightRequest
    from scrapy_polite.services.shared_pacing import SharedPacing
    from scrapy_polite.settings import PoliteSettings

#: Errors kept for the errbacks of abandoned hosts: some 12 kB each, with their tracebacks.
MAX_ERRORS = 1_000
#: How a download ends that the crawl itself breaks off, for its size or as a receiver of a signal wants it: the host
#: has answered. The second one's name from Scrapy 2.15 on is the first.
_BROKEN_OFF = (getattr(exceptions, "DownloadCancelledError", CancelledError), CancelledError, StopDownload)
#: What says nothing of a host: nothing was sent, or code is at fault, a middleware's nearer to the network, say.
_OF_NO_HOST = (
    IgnoreRequest,
    NotSupported,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


class HostFailures:
    """The failures of one crawl's hosts. Other crawls on the store hear of each change of a host's back-off.

    A longer Retry-After counts as `retry_after_max_s`.
    """

    def __init__(
        self, settings: PoliteSettings, events: Events, shared: SharedPacing, *, retry_after_max_s: float
    ) -> None:
        self._statuses = settings.backoff_statuses
        self._audit = settings.audits("pacing")
        self._events = events
        self._shared = shared
        self._retry_after_max_s = retry_after_max_s
        #: By the key of its gate, the last error of hosts to which connections fail, of those that failed last.
        self.errors: OrderedDict[str, Exception] = OrderedDict()

    def judge(
        self, request: Request, found: InFlightRequest, response: Response | None, error: Exception | None, now: float
    ) -> None:
        """Take into account how the download of `request` ended: with a response, or with an error."""
        gate, sent_at = found.gate, found.sent_at or now
        if isinstance(error, _BROKEN_OFF) or (response is not None and response.status not in self._statuses):
            self._ease(gate, found.origin, now, sent_at)
            return
        if self._audit or (error is not None and (request.meta.get("proxy") or _is_of_no_host(error))):
            return  # of a proxy's errors the host knows nothing
        if response is not None:
            headers = {name: (response.headers.get(name) or b"").decode("latin-1") for name in ("retry-after", "date")}
            wall = clock.wall(now)
            closed = gate.record_failure(
                now,
                url=request.url,
                sent_at=sent_at,
                why=f"HTTP {response.status}{retry_after_cut(headers, wall, self._retry_after_max_s)}",
                retry_after_s=retry_after_s(headers, wall, self._retry_after_max_s),
            )
        else:
            closed = gate.record_failure(now, url=request.url, sent_at=sent_at, why=_named(error), connection=True)
            if error is not None:
                self.errors[gate.key] = error
                self.errors.move_to_end(gate.key)
                if len(self.errors) > MAX_ERRORS:
                    self.errors.popitem(last=False)
        if closed:
            self._closed(gate, found.origin, now)

    def _closed(self, gate: Gate, origin: Origin | None, now: float) -> None:
        backoff = gate.backoff
        if backoff is None:
            return
        backoff.told = True
        self._events.publish(HostClosed(gate.key, str(origin or gate.key), backoff.until - now, backoff.evidence))
        self._shared.keep(gate)

    def _ease(self, gate: Gate, origin: Origin | None, now: float, sent_at: float) -> None:
        backoff = gate.backoff
        if backoff is None:
            return
        was = (backoff.until, backoff.level)
        gate.succeeded(now, sent_at)
        if backoff.told and not backoff.probing:
            backoff.told = False
            self._events.publish(HostOpened(gate.key, str(origin or gate.key)))
        if backoff.failing_since is None:
            self.errors.pop(gate.key, None)
        if was != (backoff.until, backoff.level):
            self._shared.keep(gate)


def _is_of_no_host(error: Exception) -> bool:
    # A certificate that does not fit is an OSError and a ValueError.
    return isinstance(error, _OF_NO_HOST) and not isinstance(error, OSError)


def _named(error: Exception | None) -> str:
    return f"{type(error).__name__}: {error}"[:200].rstrip(": ")
