"""What a store keeps of URL patterns that look endless, and of what a person has decided of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from scrapy_polite.clock import ahead_s

if TYPE_CHECKING:
    from concurrent.futures import Future

    from .feed import Page, Position

MAX_QUARANTINES = 100_000
"""A store that ends with the process keeps no more."""

MAX_PLACE_LENGTH = 4_096
"""Characters of a quarantine's site and place together: cut, a longer one would be another place, so none is kept."""

MAX_EVIDENCE_LENGTH = 1_000
MAX_EXAMPLES = 5
MAX_EXAMPLE_LENGTH = 2_083
"""Scrapy's URLLENGTH_LIMIT."""

DECISIONS = ("", "confirmed", "released")
"""What a person may have decided of a quarantine; the empty one: nothing yet."""


@dataclass(frozen=True, slots=True)
class Quarantine:
    """A URL pattern of a site that looks endless, or of which a person has decided. Times are epoch seconds.

    `site` is a registered domain (or an address with its port). `place` is the pattern, as `traps.patterns` makes it:
    the root of a group, such as `/calendar?m&y`, `/site/**/` or `//shop.example.com/x/*`; a person may also write
    `/calendar/**`. `kind` is a key of `traps.verdict.KINDS`: suspected, why it is followed no further, or by hand.
    `refused` counts the links that a crawl did not follow, so far. `decision` is one of `DECISIONS`: "confirmed",
    its links are refused, or "released", it is never suspected again. `until` is the end of the suspicion, and infinite
    where a person has decided.
    """

    site: str
    place: str
    kind: str
    evidence: str
    examples: tuple[str, ...]
    since: float
    until: float
    refused: int = 0
    decision: str = ""
    updated_at: float = 0.0

    def bounded(self) -> Quarantine | None:
        """What a store keeps of it: long values are cut, and what has too long a place is not kept at all."""
        if len(self.site) + len(self.place) > MAX_PLACE_LENGTH:
            return None
        examples = tuple(example[:MAX_EXAMPLE_LENGTH] for example in self.examples[:MAX_EXAMPLES])
        return replace(self, evidence=self.evidence[:MAX_EVIDENCE_LENGTH], examples=examples)

    def as_of(self, now: float) -> Quarantine:
        """As it stands. A suspicion lasts for as long as it was to last."""
        by_s = ahead_s(self.updated_at, now)
        return replace(self, updated_at=now, since=min(self.since, now), until=self.until - by_s) if by_s else self

    def merged(self, other: Quarantine) -> Quarantine:
        """A person's decision, then the later of the two (at the same time, the other); the larger `refused`."""
        kept = other if other._rank >= self._rank else self
        return replace(kept, refused=max(self.refused, other.refused))

    @property
    def _rank(self) -> tuple[bool, float]:
        return self.decision != "", self.updated_at


class QuarantineStore(Protocol):
    def keep(self, quarantine: Quarantine) -> Future[None]:
        """Keep it (`Quarantine.bounded`) in place of what is held of its site and place, unless that outranks it.

        A person's decision outranks every finding; of two decisions, or two findings, the one with the later
        `updated_at` wins. The larger `refused` is kept.
        """
        ...

    def changes(self, cursor: Position | None) -> Future[Page[Quarantine]]:
        """Those that changed since `cursor`, of all there are (None), as they stand."""
        ...

    def forget(self, site: str | None, place: str | None = None) -> Future[int]:
        """Drop one quarantine, all of a site, or all (None). Returns how many there were."""
        ...
