"""How the report's pages put for a person what the report has in short words."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from scrapy_polite.runs.tally import ITS_TURN, ROBOTS_TXT
from scrapy_polite.text import counted

#: A shorter wait is none to a person.
LEAST_WAIT_S = 0.5
#: States of a group that is followed no further, and why that is.
_OVER = ("ended", "left")
_ENDS = {
    "silent": "not followed further: its pages say nothing new",
    "budget": "not followed further: its pages did not refute the suspicion",
    "cap": "not followed further: it has had POLITE_TRAP_CAP pages and grew as ever",
    "by-hand": "not followed: a person has said that it is a trap",
}
_CONFIRMED = "confirmed by a person: its links are refused"
_ASKED_BY = {
    ROBOTS_TXT: "its robots.txt was awaited",
    ITS_TURN: "it was closed, or busy with other requests",
}


#: What comes of pages under POLITE_RECRAWL, in words and in the order in which it is told.
_REVISITED = {
    "new": "new",
    "changed": "changed",
    "unchanged": "came whole and unchanged",
    "not-modified": "not modified (304)",
    "not-due": "not due, so not asked for",
    "audited-not-due": "asked for though not due (POLITE_MODE)",
    "gone": "gone (404, 410)",
    "lie": "hosts that say 304 for what has changed",
}


def recrawl_in_words(counts: Mapping[str, int]) -> str:
    """What came of pages under POLITE_RECRAWL; empty where there were none."""
    return ", ".join(f"{counts[outcome]:,} {words}" for outcome, words in _REVISITED.items() if counts.get(outcome))


def asked_by(text: str) -> str:
    """Why a host was waited for."""
    return _ASKED_BY.get(text, text)


def state_of(trap: Mapping[str, Any]) -> str:
    """What became of a group of URLs."""
    kind, state = str(trap["kind"]), str(trap["state"])
    if state == "confirmed":
        return _CONFIRMED
    return _ENDS.get(kind, f"{state} ({kind})") if state in _OVER else state


def main_host_of(named: Mapping[str, Any]) -> str:
    """What was done about the Host line of a robots.txt."""
    if named["why"]:
        return f"noted: {named['why']}"
    return f"followed: {counted(named['requests'], 'request')} made there"


def sitemaps_in_words(sitemaps: Mapping[str, Any]) -> str:
    """How many sitemaps were read, and what came of what they list."""
    entries = sitemaps["entries"]
    failed = f", {sitemaps['failed']:,} could not be" if sitemaps["failed"] else ""
    others = [
        f"{entries[what]:,} {what.replace('_', ' ')}"
        for what in ("out_of_scope", "too_long", "too_deep")
        if entries.get(what)
    ]
    seeds = counted(entries.get("seeds", 0), "URL")
    return f"{sitemaps['read']:,} read{failed}; {seeds} became seeds" + (f" ({', '.join(others)})" if others else "")


def phrase(status: str) -> str:
    """`404 Not Found`."""
    try:
        return f"{status} {HTTPStatus(int(status)).phrase}"
    except ValueError:
        return status


def day(iso: str) -> str:
    return iso[:10]


def clock(iso: str) -> str:
    return iso[11:19]


def when(iso: str, began: str) -> str:
    """A time for a person who knows the day on which the run began: with its day only where it is another."""
    return clock(iso) if day(iso) == day(began) else f"{day(iso)} {clock(iso)}"
