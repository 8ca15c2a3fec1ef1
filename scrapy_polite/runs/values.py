"""Values of a run's head and snapshots, which may be damaged or of another version."""

from __future__ import annotations

#: Beyond this nothing is counted or timed; the sum of some stays exact enough, and finite.
_MAX = 1e18


def number(value: object) -> float:
    """A number from 0 on; 0 for what is none, is negative, or is beyond all that is counted."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return 0.0
    return float(value) if 0 <= value < _MAX else 0.0
