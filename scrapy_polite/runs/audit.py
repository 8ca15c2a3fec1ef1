"""What was done on one host, over all runs that are kept: for the person who runs it and asks.

The keys of `audit` are documented in docs/runs.md. Texts from the network are as they came: whoever shows them escapes
them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scrapy_polite.origin import Origin
from scrapy_polite.runs.missing import missing
from scrapy_polite.runs.records import Closed, Page, Refusal, Robots, RobotsRequest
from scrapy_polite.runs.report import iso
from scrapy_polite.runs.run import Run, State, Worker

#: A gap that is shorter than what is asked for by less than this is none: clocks and rounding.
SLACK_S = 0.002


@dataclass(frozen=True, slots=True)
class Place:
    """A host; with an `origin` no other ports and schemes of it."""

    host: str
    origin: str = ""

    @classmethod
    def of(cls, url: str) -> Place:
        """The host of a URL, or of its origin where it names a port. Raises ValueError."""
        origin = Origin.from_url(url)
        named = Origin(origin.scheme, origin.host, 80 if origin.scheme == "http" else 443) != origin
        return cls(origin.host, str(origin) if named else "")

    def has(self, origin: str) -> bool:
        if self.origin:
            return origin == self.origin
        try:
            return Origin.from_url(origin).host == self.host
        except ValueError:
            return False


@dataclass(slots=True)
class _Found:
    """What the lines of all runs say of the place."""

    requests: list[tuple[Page | RobotsRequest, Run]] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    closed: list[Closed] = field(default_factory=list)
    #: Of each worker in its order.
    robots: list[list[Robots]] = field(default_factory=list)
    #: What was in flight when a worker was killed: epoch seconds and URL.
    unknown: list[tuple[float, str]] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    #: What the record of a run lacks, of this place or of others.
    incomplete: list[dict[str, str]] = field(default_factory=list)


def audit(place: Place, runs: Iterable[Run], now: float | None = None) -> dict[str, Any] | None:
    """None where no run has anything of it."""
    now = time.time() if now is None else now
    found = _Found()
    for run in sorted(runs, key=lambda run: run.started):
        if sum(_read(place, run, worker, found, now) for worker in run.workers):
            found.runs.append(run)
        found.incomplete += [{"run": run.name, "text": text} for text in missing(run)]
    if not found.runs:
        return None
    found.requests.sort(key=lambda one: one[0].at)
    found.requests.reverse()
    requests = list(_requests(found.requests))
    found.unknown.sort()
    last = found.runs[-1]
    return {
        "host": place.host,
        "origin": place.origin or None,
        "from": iso(found.runs[0].started),
        "to": iso(last.last_at),
        "who": _who(last.head),
        "runs": [
            {
                "name": run.name,
                "spider": run.spider,
                "started": iso(run.started),
                "user_agent": str(run.head.get("user_agent", "")),
            }
            for run in found.runs
        ],
        "requests": requests,
        "unknown": [{"at": iso(at), "url": url} for at, url in found.unknown],
        "incomplete": found.incomplete,
        "gaps": _gaps(requests),
        "robots": _robots(found, last.last_at),
        "refused": [
            {
                "at": iso(one.at),
                "url": one.url,
                "reason": one.reason,
                "detail": one.detail,
                "line": one.line or None,
                "rule": one.rule,
                "robots": one.robots or None,
            }
            for one in sorted(found.refused, key=lambda one: one.at)
        ],
        "closed": [{"at": iso(one.at), "seconds": one.seconds, "why": one.why} for one in found.closed],
    }


def _read(place: Place, run: Run, worker: Worker, found: _Found, now: float) -> bool:
    """Whether a worker has anything of the place."""
    robots: list[Robots] = []
    any_of_it = False
    for record in worker.records(containing=place.host):
        origin = getattr(record, "origin", "")
        if not origin or not place.has(origin):
            continue
        any_of_it = True
        if isinstance(record, (Page, RobotsRequest)):
            found.requests.append((record, run))
        elif isinstance(record, Refusal) and not record.audit:
            found.refused.append(record)
        elif isinstance(record, Robots):
            robots.append(record)
        elif isinstance(record, Closed):
            found.closed.append(record)
    found.robots.append(robots)
    if worker.state(now) is State.KILLED:
        left = [(at, url) for at, url in worker.in_flight if place.has(url)]
        found.unknown += left
        any_of_it = any_of_it or bool(left)
    return any_of_it


#: For how long it takes at most until robots.txt is read again: the longer of these settings.
_AGES = ("MAX", "DEFAULT")


def _who(head: Mapping[str, Any]) -> dict[str, Any]:
    settings = head.get("settings")
    ages = [settings.get(f"POLITE_ROBOTS_{name}_AGE") if isinstance(settings, dict) else None for name in _AGES]
    return {
        "user_agent": str(head.get("user_agent", "")),
        "token": str(head.get("token", "")),
        "contact": head.get("contact") or None,
        "robots_max_age_s": max(map(_seconds, ages)),
    }


def _seconds(age: object) -> float:
    return float(age) if isinstance(age, str) and age.replace(".", "", 1).isdigit() else 86_400.0


def _requests(found: list[tuple[Page | RobotsRequest, Run]]) -> Iterator[dict[str, Any]]:
    """Each with the time since the one before left (`gap_s`), and since that was answered (`pause_s`).

    `found` has them with the last one first, and is empty then: of a large site they may be a million.
    """
    before_at = answered_at = None
    alike: dict[str, str] = {}
    while found:
        record, run = found.pop()
        page = record if isinstance(record, Page) else None
        yield {
            "at": iso(record.at),
            "url": record.url,
            "for": "page" if page else "robots.txt",
            "status": record.status or None,
            "error": (page.error or None) if page else None,
            "bytes": record.size_bytes,
            "seconds": record.seconds,
            "gap_s": None if before_at is None else round(record.at - before_at, 3),
            "pause_s": None if answered_at is None else round(record.at - answered_at, 3),
            "delay_s": page.delay_s if page else 0.0,
            "delay_source": _one_of(alike, page.delay_source) if page else "",
            "rules": _one_of(alike, page.rules) if page else "",
            "robots": (_one_of(alike, page.robots) or None) if page else None,
            "line": (page.line or None) if page else None,
            "run": run.name,
        }
        before_at = record.at
        answered = record.at + (record.began_s if isinstance(record, Page) else record.seconds)
        answered_at = answered if answered_at is None else max(answered, answered_at)


def _one_of(alike: dict[str, str], text: str) -> str:
    """The same text for all that are alike."""
    return alike.setdefault(text, text)


def _gaps(requests: list[dict[str, Any]]) -> dict[str, Any]:
    """The gaps that were kept, beside the longest one that was asked for; `shorter` counts the pauses below theirs, of
    those for which one was asked."""
    gaps = [one["gap_s"] for one in requests if one["gap_s"] is not None]
    pages = [one for one in requests if one["for"] == "page"]
    pauses = [(one["pause_s"], one["delay_s"]) for one in pages if one["pause_s"] is not None and one["delay_s"]]
    asked = max(pages, key=lambda one: one["delay_s"], default=None)
    return {
        "asked_s": asked["delay_s"] if asked else 0.0,
        "asked_by": asked["delay_source"] if asked else "",
        "least_s": min(gaps, default=None),
        "median_s": round(statistics.median(gaps), 3) if gaps else None,
        "least_pause_s": min((pause for pause, _ in pauses), default=None),
        "shorter": sum(pause < delay - SLACK_S for pause, delay in pauses),
    }


def _robots(found: _Found, last_at: float) -> list[dict[str, Any]]:
    """The copies of robots.txt, in the order in which they were known, with their text."""
    digests = {record.digest for records in found.robots for record in records if record.digest}
    texts: dict[str, bytes] = {}
    for run in found.runs:
        texts |= run.bodies(digests - texts.keys())
    periods: dict[tuple[str, int, str, str], tuple[float, float]] = {}
    for records in found.robots:
        for at, record in enumerate(records):
            following = (later.at for later in records[at + 1 :] if later.origin == record.origin)
            until = next(following, last_at)
            key = record.origin, record.status, record.digest, record.text
            since, known_until = periods.get(key, (record.at, until))
            periods[key] = min(since, record.at), max(known_until, until)
    return [
        {
            "origin": origin,
            "from": iso(since),
            "to": iso(until),
            "status": status or None,
            "state": text,
            "digest": digest or None,
            "text": texts[digest].decode("utf-8", "replace") if digest in texts else None,
        }
        for (origin, status, digest, text), (since, until) in sorted(periods.items(), key=lambda one: one[1])
    ]
