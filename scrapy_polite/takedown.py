"""Takedown: what an owner has asked to be forgotten, as the project's own deleters are told of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Pattern:
    """What is covered. `kind` is `url`, `prefix`, `host` (subdomains too), `exact-host` or `range` (of addresses).

    `text` has no scheme, since http and https are the same, and is in the one spelling that lists have.
    """

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Takedown:
    """One takedown; with `undo` an earlier one is over, and what was kept of it may be shown again.

    `places` are as the person named them, `time` is UTC (ISO 8601). `covers(url)` says whether a URL is meant: all
    spellings of it are, and http and https alike.
    """

    time: str
    places: Sequence[str]
    patterns: Sequence[Pattern]
    why: str
    undo: bool
    covers: Callable[[str], bool]

    def as_dict(self) -> dict[str, Any]:
        """As plain data, for a program."""
        patterns = [{"kind": pattern.kind, "text": pattern.text} for pattern in self.patterns]
        return {
            "time": self.time,
            "undo": self.undo,
            "places": [*self.places],
            "patterns": patterns,
            "why": self.why,
        }
