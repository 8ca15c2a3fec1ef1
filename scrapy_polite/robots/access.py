"""Access: what the outcome of asking for a robots.txt means for the pages of its origin, as a table in code.

RFC 9309 §2.3.1 and Google's documentation; where they leave a choice, the stricter one unless a setting says otherwise.
Pure functions of a copy and the time; all times are epoch seconds.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from scrapy_polite.robots.freshness import Bounds, fresh_until
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.text import duration

#: How long an answer that says "not now" (5xx, 429) closes an origin of which there is a good copy, as Google does:
#: who pauses crawlers expects it. Shorter: pages are fetched that were to be left alone for now.
CLOSED_BY_ANSWER_S = 12 * 3600.0
#: An origin whose robots.txt is unreachable for so long, and of which there is no copy, counts as without robots.txt
#: (RFC 9309 §2.3.1.4 and Google: 30 days). Shorter: an outage opens what the site's rules forbid.
GIVEN_UP_AFTER_S = 30 * 86_400.0
#: Pause after all attempts to fetch a robots.txt failed, doubled with each further failure up to the longest. Shorter:
#: servers in trouble are asked more often. Longer: origins that are back stay closed.
BACKOFF_MIN_S, BACKOFF_MAX_S = 300.0, 21_600.0
#: Dialects in which an origin stays closed until its robots.txt can be had, and the statuses by which nothing may be
#: fetched: the draft of 1996 (§3.1). What closes an origin in any dialect closes it in the strictest.
_CLOSING = frozenset({"classic", "classic-0.0", "strictest"})
_DENIED_BY = frozenset({401, 403})
#: The draft of 1996 (§3.4): seven days, unless Expires or Cache-Control say otherwise. What they say counts up to 30
#: days, as with POLITE_ROBOTS_MAX_AGE. Longer: a site's new rules are not seen.
CLASSIC_FRESH_S, MAX_HELD_S = 7 * 86_400.0, 30 * 86_400.0
#: Two failures further apart than this (and than two of the longest pauses) are of two outages.
_OUTAGE_GAP_S = 2 * 86_400.0


class Outcome(Enum):
    """What one fetch came to, after redirects."""

    RULES = "rules"
    MISSING = "missing"
    UNREACHABLE = "unreachable"


#: First status of a range -> outcome; the last entry that is not above the status counts.
_OUTCOMES = (
    (0, Outcome.UNREACHABLE),
    (200, Outcome.RULES),
    (300, Outcome.MISSING),  # a redirect without a usable target, as 404 (the fetcher has followed the others)
    (304, Outcome.UNREACHABLE),  # not modified, though nothing was held that could have been
    (305, Outcome.MISSING),
    (400, Outcome.MISSING),
    (407, Outcome.UNREACHABLE),  # a proxy's answer, never the origin's
    (408, Outcome.MISSING),
    (429, Outcome.UNREACHABLE),
    (430, Outcome.MISSING),
    (500, Outcome.UNREACHABLE),
)


def outcome_of(status: int) -> Outcome:
    """The outcome of an HTTP status that is not a followed redirect."""
    return next(outcome for first, outcome in reversed(_OUTCOMES) if first <= status)


def says_not_now(status: int | None) -> bool:
    """Whether an answer asks to be left alone for a while. None is no answer; a proxy's (407) is not the origin's."""
    return status is not None and (status == 429 or status >= 500)


class Access(Enum):
    RULES = "rules"  # the copy's rules decide
    OPEN = "open"  # no restrictions
    CLOSED = "closed"  # nothing may be fetched until robots.txt can be had
    DENIED = "denied"  # nothing may be fetched, as the answer says


@dataclass(frozen=True, slots=True)
class Policy:
    """The choices that a crawl makes about freshness and outages. Durations in seconds.

    `dialect` is the name of what the file is read as; answers whose status is in `denied_by` close the origin.
    """

    dialect: str = "rfc"
    denied_by: frozenset[int] = frozenset()
    bounds: Bounds = field(default_factory=Bounds)
    closed_by_answer_s: float = CLOSED_BY_ANSWER_S
    closed_without_answer_s: float = 0.0
    given_up_after_s: float = GIVEN_UP_AFTER_S
    open_when_given_up: bool = True
    backoff_min_s: float = BACKOFF_MIN_S
    backoff_max_s: float = BACKOFF_MAX_S

    @property
    def read_as(self) -> str:
        """The dialect in words; empty where it is that of everyone."""
        return "" if self.dialect == "rfc" else f"read as {self.dialect}"

    def of(self, dialect: str) -> Policy:
        """As a dialect has it."""
        if dialect not in _CLOSING:
            return replace(self, dialect=dialect)
        strictest = dialect == "strictest"
        return replace(
            self,
            dialect=dialect,
            denied_by=_DENIED_BY,
            bounds=self.bounds if strictest else replace(self.bounds, max_s=MAX_HELD_S, default_s=CLASSIC_FRESH_S),
            closed_by_answer_s=math.inf,
            closed_without_answer_s=math.inf,
            open_when_given_up=False,
        )


@dataclass(frozen=True, slots=True)
class AccessState:
    """What a copy means at one moment. `reason` is a key of `decision.REASONS` where access alone decides.

    `basis` says under what kind of rules a page goes: fresh, stale (the last good copy, in an outage) or none.
    `ask_from` is the time from which the origin is to be asked again: at the end of freshness, or the next try.
    """

    access: Access
    basis: str
    reason: str
    detail: str
    ask_from: float


def standing(copy: RobotsCopy, now: float, policy: Policy) -> AccessState:
    outcome = outcome_of(copy.status or 0)
    if copy.failing_since is None:
        if outcome is Outcome.UNREACHABLE:
            return AccessState(Access.CLOSED, "none", "robots/unreachable", "never answered", copy.expires_at)
        if outcome is Outcome.RULES:
            return AccessState(Access.RULES, "fresh", "", _answered(copy), copy.expires_at)
        if copy.status in policy.denied_by:
            return AccessState(Access.DENIED, "none", "robots/denied", _answered(copy), copy.expires_at)
        return AccessState(Access.OPEN, "none", "robots/none", _answered(copy), copy.expires_at)
    failing_s = now - copy.failing_since
    # A 404 of yesterday is no copy: it holds no rules, so an outage closes the origin as if it had never answered.
    if outcome is Outcome.RULES:
        if copy.refused_since is not None:
            opens_at = copy.refused_since + policy.closed_by_answer_s
        else:
            opens_at = copy.failing_since + policy.closed_without_answer_s
        if now >= opens_at:
            return AccessState(Access.RULES, "stale", "", f"last good copy, {copy.failure}", copy.next_try)
        if opens_at == math.inf:
            detail = f"{copy.failure}: closed until it answers"
        else:
            detail = f"{copy.failure}: closed for {duration(opens_at - now)}, then the last good copy holds"
        return AccessState(Access.CLOSED, "none", "robots/unreachable", detail, min(copy.next_try, opens_at))
    if failing_s >= policy.given_up_after_s and policy.open_when_given_up:
        days = f"unreachable for {failing_s / 86_400:.0f} days ({copy.failure})"
        return AccessState(Access.OPEN, "none", "robots/outage-over", days, copy.next_try)
    return AccessState(Access.CLOSED, "none", "robots/unreachable", copy.failure, copy.next_try)


def _answered(copy: RobotsCopy) -> str:
    if copy.failure:
        return copy.failure
    if copy.hops:
        return f"HTTP {copy.status} after {len(copy.hops)} redirect{'s' if len(copy.hops) > 1 else ''}"
    return f"HTTP {copy.status}"


def answered(
    origin: str,
    agent: str,
    now: float,
    policy: Policy,
    *,
    status: int,
    headers: Mapping[str, str],
    body: bytes = b"",
    truncated: bool = False,
    hops: tuple[str, ...] = (),
    why_missing: str = "",
) -> RobotsCopy:
    """The copy after a good answer: 2xx with its rules, or one that means there are none (its body counts for nothing).

    `why_missing` says why an answer whose status does not tell so counts as missing.
    """
    rules = outcome_of(status) is Outcome.RULES
    return RobotsCopy(
        origin=origin,
        agent=agent,
        updated_at=now,
        status=status,
        body=body if rules else b"",
        truncated=rules and truncated,
        fetched_at=now,
        expires_at=fresh_until(headers, now, policy.bounds),
        etag=headers.get("etag") if rules else None,
        last_modified=headers.get("last-modified") if rules else None,
        hops=hops,
        failure=why_missing,
    )


def revalidated(copy: RobotsCopy, now: float, policy: Policy, headers: Mapping[str, str]) -> RobotsCopy:
    """The copy after a 304: the same rules, fresh again, for as long as before if it does not say (RFC 9111 §4.3.4)."""
    says = "cache-control" in headers or "expires" in headers
    return replace(
        copy,
        updated_at=now,
        fetched_at=now,
        expires_at=fresh_until(headers, now, policy.bounds) if says else now + copy.expires_at - copy.fetched_at,
        etag=headers.get("etag", copy.etag),
        last_modified=headers.get("last-modified", copy.last_modified),
        failing_since=None,
        failures=0,
        next_try=0.0,
        failure="",
        refused_since=None,
    )


def failed(
    held: RobotsCopy | None,
    origin: str,
    agent: str,
    now: float,
    policy: Policy,
    *,
    why: str,
    retry_after_s: float | None,
    refused: bool = False,
) -> RobotsCopy:
    """The copy after an attempt that came to nothing: whatever was held, and when to try next.

    `refused`: there was an answer, which said "not now" (5xx, 429).
    """
    held = held or RobotsCopy(origin, agent, now)
    if now - max(held.updated_at, held.next_try) > max(_OUTAGE_GAP_S, 2 * policy.backoff_max_s):
        # Nobody has asked for so long: this is another outage.
        held = replace(held, failing_since=None, failures=0, refused_since=None)
    failures = held.failures + 1
    return replace(
        held,
        updated_at=now,
        failing_since=now if held.failing_since is None else held.failing_since,
        failures=failures,
        next_try=now + pause_s(failures, policy.backoff_min_s, policy.backoff_max_s, retry_after_s),
        failure=why[:300],
        refused_since=now if refused and held.refused_since is None else held.refused_since,
    )


#: So often in a row the server's own short Retry-After is believed before the back-off sets a floor to it.
_RETRY_AFTER_BELIEVED = 3


def pause_s(failures: int, min_s: float, max_s: float, retry_after_s: float | None = None) -> float:
    """Seconds to the next try after `failures` in a row: doubling from `min_s` to `max_s`, with up to 25 % of jitter.

    A Retry-After is always waited for; a short one replaces the back-off for the first three times only.
    """
    if retry_after_s is not None and failures <= _RETRY_AFTER_BELIEVED:
        return retry_after_s
    backoff_s = min(min_s * 2.0 ** min(failures - 1, 40) * random.uniform(1.0, 1.25), max_s)
    return max(backoff_s, retry_after_s or 0.0)
