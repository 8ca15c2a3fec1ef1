"""When a page is due again: an interval that grows by each visit without a change, and shrinks by each change.

The unit of work is one page. The factors are those of Nutch's AdaptiveFetchSchedule.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

#: Of the interval, after a visit. With both larger it follows changes of pace sooner, and is off by more meanwhile.
UNCHANGED_FACTOR = 1.4
CHANGED_FACTOR = 0.8
#: Of the interval of a page that is gone (404, 410), each time that it still is.
GONE_FACTOR = 2.0
#: Where nothing tells how often a page changes, and of a page that is gone at least.
FIRST_S = 86_400.0
#: Of the time since the last change, as a first guess (RFC 9111 §4.2.2: "a typical setting of this fraction might be
#: 10%").
LAST_MODIFIED_SHARE = 0.1
#: Of what is known of a page's pace, at each visit. Lower: a page that changes its pace is found out sooner, and of one
#: that does not less is known.
_KEPT_SHARE = 0.97
#: A record from so far in the future was written by a clock that was wrong: the page is due.
_AHEAD_S = 3_600.0

#: `changefreq` of sitemaps (https://www.sitemaps.org/protocol.html), in seconds. `always`: the least interval there is.
_CHANGEFREQ = {
    "always": 0.0,
    "hourly": 3_600.0,
    "daily": 86_400.0,
    "weekly": 604_800.0,
    "monthly": 2_592_000.0,
    "yearly": 31_536_000.0,
    "never": math.inf,
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the largest interval, in seconds."""

    min_s: float = 60.0
    max_s: float = 31_536_000.0

    def cut(self, interval_s: float) -> float:
        return min(max(interval_s, self.min_s), self.max_s)


@dataclass(frozen=True, slots=True)
class Hints:
    """What a site says of how often a page changes: `max-age` of Cache-Control in seconds, when it was modified last in
    epoch seconds, and a sitemap's `changefreq`."""

    max_age_s: float | None = None
    modified_at: float | None = None
    changefreq: str = ""

    @classmethod
    def read(cls, cache_control: str, last_modified: str, lastmod: str = "", changefreq: str = "") -> Hints:
        """From headers, and from what a sitemap says. What cannot be read is taken for not said."""
        modified = [at for at in (http_date(last_modified), sitemap_date(lastmod)) if at is not None]
        return cls(_max_age(cache_control), max(modified, default=None), changefreq)


def first_interval(hints: Hints, now: float, bounds: Bounds) -> float:
    """Seconds until the second visit of a page. What Cache-Control says counts first, as it is of the page as it is."""
    if hints.max_age_s is not None:
        return bounds.cut(hints.max_age_s)
    if hints.changefreq in _CHANGEFREQ:
        return bounds.cut(_CHANGEFREQ[hints.changefreq])
    if hints.modified_at is not None and hints.modified_at < now:
        return bounds.cut(LAST_MODIFIED_SHARE * (now - hints.modified_at))
    return bounds.cut(FIRST_S)


def next_interval(interval_s: float, *, changed: bool, bounds: Bounds) -> float:
    """Seconds until the next visit, after one that met a change or none."""
    return bounds.cut(interval_s * (CHANGED_FACTOR if changed else UNCHANGED_FACTOR))


def gone_interval(interval_s: float, *, again: bool, bounds: Bounds) -> float:
    """Seconds until a page that is gone is asked for again."""
    return bounds.cut(GONE_FACTOR * interval_s if again else max(interval_s, FIRST_S))


def is_due(seen_at: float, interval_s: float, now: float) -> bool:
    """Whether a page is to be asked for by its interval."""
    return now >= seen_at + interval_s or seen_at > now + _AHEAD_S


def is_modified(seen_at: float, lastmod: float | None, now: float) -> bool:
    """Whether a sitemap says that a page was modified since."""
    return lastmod is not None and seen_at < lastmod <= now


@dataclass(frozen=True, slots=True)
class Pace:
    """How often a page changes, by its visits: so many `changes` in `watched_s` seconds, older ones counted for less.

    It begins as one change in two of FIRST_S: what nobody has watched is no page that never changes.
    """

    changes: float = 0.5
    watched_s: float = 2 * FIRST_S

    def after(self, age_s: float, *, changed: bool) -> Pace:
        """With one more visit, `age_s` after the one before.

        One that met a change may have missed others: of a page that changes at random there were so many on average
        (Poisson, given that there was one at least).
        """
        expected = self.changes / self.watched_s * age_s
        met = expected / -math.expm1(-expected) if expected > 1e-9 else 1.0
        watched_s = self.watched_s * _KEPT_SHARE + age_s
        return Pace(self.changes * _KEPT_SHARE + (met if changed else 0.0), watched_s)


def crawl_value(changes: float, watched_s: float, age_s: float) -> float:
    """How much is won by asking now for a page of this `Pace`, seen `age_s` ago: the page with the most goes first.

    The value V of Azar et al., "Tractable near-optimal policies for crawling" (PNAS 2018): it has to be likely to have
    changed, and likely to stay as it is then for a while.
    """
    rate = changes / watched_s
    expected = rate * max(age_s, 0.0)
    return -(math.expm1(-expected) + expected * math.exp(-expected)) / rate


def http_date(text: str) -> float | None:
    """Epoch seconds of an HTTP date (RFC 9110 §5.6.7)."""
    try:
        return parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def sitemap_date(lastmod: str) -> float | None:
    """Epoch seconds of a sitemap's `lastmod`: a W3C date, of which the day alone may be given."""
    try:
        at = datetime.fromisoformat(lastmod.replace("Z", "+00:00"))
        return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, OverflowError):
        return None


def _max_age(cache_control: str) -> float | None:
    for directive in cache_control.split(","):
        name, _, value = directive.strip().partition("=")
        if name.lower() == "max-age" and (digits := value.strip('" ')).isascii() and digits.isdigit():
            return float(digits[:12])
    return None
