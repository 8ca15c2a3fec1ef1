"""A request on its way to its host, and why one that waited is refused after all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy_polite.decision import Decision
    from scrapy_polite.events import RequestSent
    from scrapy_polite.origin import Origin
    from scrapy_polite.pacing.gate import Gate


@dataclass(frozen=True, slots=True)
class AbandonReason:
    """Why a request that waited is refused after all: the exception its host failed with, else a decision, else what
    its robots.txt says."""

    decision: Decision | None = None
    error: Exception | None = None


class InFlightRequest:
    """One request at its host: from passing the gate to leaving the downloader."""

    __slots__ = ("abandoned", "answered_at", "delay", "ended", "gate", "leased", "origin", "popped", "sent", "sent_at")

    def __init__(
        self,
        gate: Gate,
        origin: Origin | None,
        *,
        popped: bool,
        leased: bool,
        abandoned: AbandonReason | None = None,
    ) -> None:
        self.gate = gate
        self.origin = origin
        #: Our scheduler has sent it; the others wait in place.
        self.popped = popped
        #: It goes by a lease of its host.
        self.leased = leased
        self.abandoned = abandoned
        self.sent_at: float | None = None
        #: When the answer began, or it failed.
        self.answered_at: float | None = None
        #: What was published when it left, and the delay then in force: seconds, and what asks for them.
        self.sent: RequestSent | None = None
        self.delay = 0.0, ""
        self.ended = False
