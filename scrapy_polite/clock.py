"""The one clock: `now()`, in epoch seconds, never goes back, whatever is done to the system's clock.

What passes within a process (delays, back-off, patience, freshness) is measured by it. Two things go by the system's
clock as it stands: the calendar, and what processes agree upon by way of a store. `wall` and `of_wall` translate.
"""

from __future__ import annotations

import time
from math import inf

#: What is stored with a time that is further ahead than this was stored by a clock that was ahead. Less may be a call
#: of another process that was overtaken: a store waits up to 5 s for a lock.
AHEAD_S = 10.0

#: Below this the system's clock has not been set back: it was read at another moment.
_SLACK_S = 1.0

_epoch = -inf


def now() -> float:
    """The system's time, as long as nobody sets it back; from then on what has passed since is added to what it was."""
    global _epoch  # noqa: PLW0603 (it is the process's)
    # In this order: what comes between the two readings makes the difference too small for once, never too large.
    system_s = system()
    passed_s = time.monotonic()
    if system_s - passed_s > _epoch:  # `max` takes a third of the time of all this
        _epoch = system_s - passed_s
    return _epoch + passed_s


def system() -> float:
    """What the system's clock says, which may be set: only to be compared with what is stored."""
    return time.time()


def wall(at: float) -> float:
    """What the system's clock says when `now()` says `at`."""
    return at - _set_back_s()


def of_wall(at: float) -> float:
    """What `now()` says when the system's clock says `at`."""
    return at + _set_back_s()


def ahead_s(stored_at: float, now: float) -> float:
    """By how much the clock was ahead that wrote `stored_at`; 0 where it was not, as far as that can be told."""
    return stored_at - now if stored_at > now + AHEAD_S else 0.0


def _set_back_s() -> float:
    by_s = now() - system()
    return by_s if by_s > _SLACK_S else 0.0
