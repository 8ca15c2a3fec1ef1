"""What `scrapy polite traps` shows of URL patterns: a table, all facts of each, JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from scrapy_polite.commands.trap_decisions import BY_HAND
from scrapy_polite.services.trap_findings import decision_command
from scrapy_polite.text import LAST_S, counted, duration, printable, utc
from scrapy_polite.traps.verdict import ENDS, KINDS, RELEASED

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_polite.store.quarantines import Quarantine

#: What crawls do about a pattern, in the order of the heading.
_STATES = ("not followed further", "suspected", "confirmed", "released", "no longer suspected")
#: What becomes of its links instead, where they are not counted.
_NOT_COUNTED = {"suspected": "they go last", "confirmed": "its own are refused", RELEASED: "they are followed"}
#: What a decision does, and what to do next.
EFFECTS = {
    "confirmed": "what is confirmed: links of this very pattern are refused from now on (trap/by-hand), within ten "
    "seconds by crawls that run, and not kept: to follow them after all, take a new JOBDIR. What else its group was "
    "left with is followed",
    "released": "what is released is never suspected again, with all of its group; a crawl that runs follows it within "
    "ten seconds. One that has ended, start again: with JOBDIR it follows the links that were kept, if there are any, "
    "without it crawls the site anew. Where POLITE_TRAPS was 'drop', or it had been confirmed, none were kept: take a "
    "new JOBDIR",
}


def latest(found: Iterable[Quarantine], now: float) -> list[Quarantine]:
    """In the order in which they are shown: the latest first."""
    return sorted(found, key=lambda one: (-_since(one, _state(one, now)).timestamp(), one.site, one.place))


def heading(found: Sequence[Quarantine], words: Sequence[str], now: float) -> str:
    """How many there are in which state; `words` are the SITE, if any, that they are of."""
    if not found:
        return f"no pattern is known of {printable(words[0])}" if words else "no pattern is known"
    counts = Counter(_state(quarantine, now) for quarantine in found)
    return f"{counted(len(found), 'pattern')}: " + ", ".join(
        f"{counts[state]:,} {state}" for state in _STATES if counts[state]
    )


def print_table(found: Sequence[Quarantine], now: float) -> None:
    titles = ("site", "pattern", "state", "since (UTC)", "links not followed")
    table = [titles, *(_cells(quarantine, now) for quarantine in found)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def print_facts(found: Iterable[Quarantine], now: float, crawler: Crawler) -> None:
    """All of each, with the commands that decide of it, as `crawler` is set up."""
    for index, quarantine in enumerate(found):
        print("\n" * bool(index) + f"{printable(quarantine.site)} {printable(quarantine.place, 1_000)}")
        for label, text in _facts(quarantine, now, crawler):
            print(f"  {label + ':':<20} {text}")


def print_json(found: Iterable[Quarantine]) -> None:
    """`since`, `until` (null: without end) and `updated_at` are ISO 8601, UTC; `links_left` counts links that stayed
    behind (null: none is counted); `decision` is "confirmed", "released" or, where no person has decided, empty."""
    for one in found:
        row = {
            "site": one.site,
            "pattern": one.place,
            "kind": one.kind,
            "evidence": one.evidence,
            "examples": one.examples,
            "since": utc(one.since).isoformat(),
            "until": None if one.until == math.inf else utc(one.until).isoformat(),
            "links_left": one.refused if _is_counted(one) else None,
            "decision": one.decision,
            "updated_at": utc(one.updated_at).isoformat(),
        }
        print(json.dumps(row))


def _cells(found: Quarantine, now: float) -> tuple[str, ...]:
    state = _state(found, now)
    return (
        printable(found.site, 40),
        printable(found.place, 60),
        f"{state} ({found.kind})" if state == "not followed further" else state,
        f"{_since(found, state):%Y-%m-%d %H:%M}",
        _links_left(found, state),
    )


def _facts(found: Quarantine, now: float, crawler: Crawler) -> Iterator[tuple[str, str]]:
    state = _state(found, now)
    yield "state", f"{state} since {_since(found, state):%Y-%m-%d %H:%M} UTC"
    if found.kind != BY_HAND:
        kind = printable(found.kind, 20)
        yield "why", f"{kind}: {KINDS[found.kind]}" if found.kind in KINDS else kind
    yield "evidence", printable(found.evidence, 1_000)
    if left := _links_left(found, state):
        yield "links not followed", left + (", and all behind them" if _is_counted(found) and found.refused else "")
    if not found.decision and found.until > now:
        until = min(found.until, LAST_S)
        yield "until", f"{utc(until):%Y-%m-%d %H:%M} UTC (in {duration(until - now)}); then it is judged anew"
    for example in found.examples:
        yield "example", printable(example, 1_000)
    if found.decision:
        yield "effect", EFFECTS[found.decision]
        yield "to undo it", decision_command("forget", found, crawler)
    elif found.until > now:
        yield "to follow its links", decision_command("release", found, crawler)
        yield "to refuse its own", decision_command("confirm", found, crawler)


def _state(found: Quarantine, now: float) -> str:
    """What crawls do about a pattern: one of `_STATES`."""
    if found.decision:
        return found.decision
    if found.until <= now:
        return "no longer suspected"
    return "not followed further" if found.kind in ENDS else "suspected"


def _since(found: Quarantine, state: str) -> datetime:
    if found.decision:
        return utc(found.updated_at)
    return utc(found.until if state == "no longer suspected" else found.since)


def _is_counted(found: Quarantine) -> bool:
    """Whether a crawl counts the links that it leaves or drops: neither those of a suspect, which are only the last to
    be followed, nor those that a person has refused. Of what is released those that were left before are known.
    """
    if found.decision:
        return found.decision == RELEASED and found.refused > 0
    return bool(found.refused) or found.kind in ENDS


def _links_left(found: Quarantine, state: str) -> str:
    if _is_counted(found):
        return f"{found.refused:,}{' before that' if found.decision else ''}"
    return _NOT_COUNTED.get(state, "")
