"""When a failing host is closed, and for how long: Retry-After (RFC 9110 §10.2.3), else exponential back-off.

Times are `clock.now`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

#: A shorter Retry-After says nothing: "0" is sent by servers that want to be asked again at once, for ever.
_MIN_RETRY_AFTER_S = 1.0

_JITTER = 0.25
_RETRY_AFTER_JITTER = 0.05
_MAX_RETRY_AFTER_JITTER_S = 1.0

#: First pause of a closed host (POLITE_BACKOFF_MIN), and the longest. A longer one keeps a host closed that is back.
MIN_S, MAX_S = 60.0, 86_400.0
#: After so long without a failure the doubling starts again. Shorter: a server that fails at each peak is asked more.
RESET_AFTER_S = 1_800.0
#: Failures in a row, on different URLs, that close a host. 1: one broken page closes it. More: a failing server gets
#: as many requests more.
FAILURES = 3
#: A longer Retry-After counts as this. Longer: one wrong header closes a host for a month.
MAX_RETRY_AFTER_S = 86_400.0
#: URLs remembered as having failed in a row.
_MAX_FAILURES = 64

#: 2 to this power times any sensible minimum is above any sensible maximum, and still a finite float.
_MAX_EXPONENT = 64


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """`failures` in a row, at most 64, close a gate for `min_s`, doubled with each closing up to `max_s`.

    After `reset_after_s` without failures the doubling starts again. A longer Retry-After counts as
    `retry_after_max_s`.
    """

    min_s: float = MIN_S
    max_s: float = MAX_S
    reset_after_s: float = RESET_AFTER_S
    failures: int = FAILURES
    retry_after_max_s: float = MAX_RETRY_AFTER_S


class Backoff:
    """The failures of one host.

    `until` is the end of the present embargo, 0 where there is none; `level` how often the host was closed without a
    Retry-After; `why` the cause, as evidence, and `retry_after_s` what the host has asked for with it, 0 if another
    time holds. `failing_since` is when connections began to fail, None after anything that proved the server reachable.
    `probing` from the closing on, until a request sent after the embargo came back well: one goes ahead, the rest wait
    for it. `told`: this closing has been told of, and not yet its end.

    To take up what an earlier run knew, give `until`, `level`, `why`, `retry_after_s` and, as `noted_at`, when it was
    written down.
    """

    __slots__ = (
        "_counts_from",
        "_failed",
        "_failed_at",
        "failing_since",
        "level",
        "probing",
        "retry_after_s",
        "told",
        "until",
        "why",
    )

    def __init__(
        self, until: float = 0.0, level: int = 0, why: str = "", noted_at: float = 0.0, retry_after_s: float = 0.0
    ) -> None:
        self.until = until
        self.level = level
        self.why = why
        self.retry_after_s = retry_after_s
        self.failing_since: float | None = None
        self.probing = until > 0
        self.told = False
        self._failed_at = noted_at
        # The end of the last embargo: what was sent before it says nothing new.
        self._counts_from = until
        # Hashes of the URLs that failed in a row, each once.
        self._failed: tuple[int, ...] = ()

    def failed(
        self,
        now: float,
        *,
        url: str,
        sent_at: float,
        why: str,
        policy: BackoffPolicy,
        rng: Random,
        retry_after_s: float | None = None,
        connection: bool = False,
    ) -> bool:
        """Note a failed request to `url`; True if the gate closed now, or for longer.

        `connection` says that no answer came at all. A probe that fails closes the gate at once and at the next level,
        even if its Retry-After is shorter: the time that the server named before has proved too short.
        """
        self._reset(now, policy)
        self._failed_at = max(self._failed_at, now)
        if not connection:
            self.failing_since = None
        elif self.failing_since is None:
            self.failing_since = now
        asked_s = min(retry_after_s or 0.0, policy.retry_after_max_s)
        asks = asked_s >= _MIN_RETRY_AFTER_S
        for_s = 0.0
        if sent_at >= self._counts_from and (self.probing or (not asks and self._in_a_row(url) >= policy.failures)):
            for_s = self._next_level_s(policy, rng)
        if asks and asked_s >= for_s:
            for_s = asked_s + rng.random() * min(asked_s * _RETRY_AFTER_JITTER, _MAX_RETRY_AFTER_JITTER_S)
        elif asks:
            why = f"{why} again; its Retry-After of {asked_s:g} s is shorter than back-off level {self.level}"
            asks = False
        if not for_s or now + for_s <= self.until:
            return False
        self.prolong(now + for_s, self.level, why, asked_s if asks else 0.0)
        return True

    def succeeded(self, now: float, policy: BackoffPolicy, sent_at: float | None = None) -> None:
        """Note a request that came back well; `sent_at` tells the probe from one sent before the embargo."""
        self.failing_since = None
        self._failed = ()
        if now < self.until or (sent_at is not None and sent_at < self._counts_from):
            return
        self.probing = False
        self.until = 0.0
        self.why, self.retry_after_s = "", 0.0
        self._reset(now, policy)

    def prolong(self, until: float, level: int, why: str, retry_after_s: float) -> None:
        """The embargo ends later than was known here, of a failure, or as the store says: another process has met more,
        or to tell the store took a while. Since when connections fail, and what was told of it, stays."""
        self.until = self._counts_from = until
        self.level = level
        self.why, self.retry_after_s = why, retry_after_s
        self.probing = True
        self._failed = ()

    def cut_short(self, now: float) -> None:
        """The embargo ends now: the next request is the probe."""
        self.until = self._counts_from = now

    def forgiven_at(self, policy: BackoffPolicy) -> float:
        """When all this may be forgotten, if nothing happens before."""
        return max(self._counts_from, self._failed_at) + policy.reset_after_s

    @property
    def clear(self) -> bool:
        """Whether there is nothing to remember."""
        return not (self.probing or self.level or self._failed or self.failing_since is not None)

    @property
    def reason(self) -> str:
        return "pace/retry-after" if self.retry_after_s else "pace/backoff"

    @property
    def evidence(self) -> str:
        """Why the host is closed, in words."""
        return f"{self.why}, Retry-After {self.retry_after_s:g} s" if self.retry_after_s else self.why

    def _next_level_s(self, policy: BackoffPolicy, rng: Random) -> float:
        seconds = policy.min_s * 2.0 ** min(self.level, _MAX_EXPONENT)
        self.level += 1
        return min(seconds * (1 + rng.random() * _JITTER), policy.max_s)

    def _in_a_row(self, url: str) -> int:
        """Count `url`'s failure, once however often it is tried again."""
        if (mark := hash(url)) not in self._failed:
            self._failed = (*self._failed, mark)[-_MAX_FAILURES:]
        return len(self._failed)

    def _reset(self, now: float, policy: BackoffPolicy) -> None:
        if now >= self.forgiven_at(policy):
            self.level = 0
            self._failed = ()
