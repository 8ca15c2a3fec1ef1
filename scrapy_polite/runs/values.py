"""Values of a run's head and snapshots, which may be damaged, of another version, or written by somebody else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy_polite.text import LAST_S

#: Beyond this nothing is counted or timed; the sum of some stays exact enough, and finite.
_MAX = 1e18


def number(value: object) -> float:
    """A number from 0 on; 0 for what is none, is negative, or is beyond all that is counted."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    return float(value) if 0 <= value < _MAX else 0.0


def whole(value: object) -> int:
    """A count; 0 for what is none."""
    return int(number(value))


def time_of(value: object) -> float:
    """Epoch seconds; 0 for what is no time."""
    return at if (at := number(value)) < LAST_S else 0.0


def mapping(value: object) -> Mapping[str, Any]:
    """An object; an empty one for what is none."""
    return value if isinstance(value, Mapping) else {}
