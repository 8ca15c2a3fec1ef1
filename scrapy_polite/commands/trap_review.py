"""The review file of `scrapy polite traps`: URL patterns in TOML, with a place for a decision on each."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

import tomli_w

from scrapy_polite.commands.trap_decisions import BY_HAND, decided, pattern_key, quoted
from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.text import printable, utc
from scrapy_polite.traps.verdict import KINDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: What stands in a review file -> what is kept.
_DECISIONS = {"confirm": "confirmed", "release": "released"}

_HEAD = """\
# URL patterns that looked endless to scrapy-polite: `links_left` is how many of their links a crawl has not followed.
# Look at the examples of each, and write as its decision
#   "confirm"  it is a trap: crawls refuse its links from now on;
#   "release"  it is none: crawls never suspect it again, and with JOBDIR the next run follows the links that were kept;
# or leave it empty: it is judged anew after seven days. What was decided before stands in `decided`.
# Then run:
#   scrapy polite traps confirm FILE

"""

#: Key by key: the type, and what a person is told that it is.
_KEYS: dict[str, tuple[type, str]] = {
    "site": (str, "text"),
    "pattern": (str, "text"),
    "kind": (str, "text"),
    "evidence": (str, "text"),
    "examples": (list, "a list of texts"),
    "since": (datetime, "a date and time"),
    "links_left": (int, "a number"),
    "decided": (str, "text"),
    "decision": (str, "text"),
}
_REQUIRED = ("site", "pattern", "decision")

_MAX_FAULTS = 20


class ReviewError(ValueError):
    """What is wrong with a review file, one line for each fault."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One pattern of a review file, the `number`th, and one of `_DECISIONS` or none."""

    number: int
    told: Quarantine
    decision: str

    @property
    def name(self) -> str:
        return _name(self.number, {"site": self.told.site, "pattern": self.told.place})


def review(found: Iterable[Quarantine]) -> str:
    """A review file of these. No text in it moves a cursor or turns a line around: TOML knows escapes."""
    entries = [
        {
            "site": quarantine.site,
            "pattern": quarantine.place,
            "kind": quarantine.kind,
            "evidence": quarantine.evidence,
            "examples": list(quarantine.examples),
            "since": utc(quarantine.since).replace(microsecond=0),
            "links_left": quarantine.refused,
            **({"decided": quarantine.decision} if quarantine.decision else {}),
            "decision": "",
        }
        for quarantine in found
    ]
    return _HEAD + re.sub(r"[^\n -~]", _escaped, tomli_w.dumps({"pattern": entries}))


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char.isprintable():
        return char
    code = ord(char)
    if 0xD800 <= code < 0xE000:
        return f"\\\\u{code:04x}"  # no character of TOML's: as the store would spell it
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def read_review(text: bytes, now: float) -> list[Entry]:
    """The entries of a review file; those that a person has added need no more than the required keys.

    Raises ReviewError.
    """
    try:
        file = tomllib.loads(text.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ReviewError(f"it is no TOML: byte {error.start:,} is no UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ReviewError(f"it is no TOML: {printable(str(error))}") from error
    except RecursionError as error:
        raise ReviewError("it is no review file: it is nested too deeply") from error
    if unknown := sorted(file.keys() - {"pattern"}):
        raise ReviewError(f"unknown key {quoted(unknown[0])}: a review file has entries [[pattern]]")
    tables = file.get("pattern", [])
    if not isinstance(tables, list):
        raise ReviewError("'pattern' is no list of entries: each begins with [[pattern]]")
    faults: list[str] = []
    entries: list[Entry] = []
    for number, table in enumerate(tables, 1):
        fault = _fault(table)
        if fault:
            faults.append(f"{_name(number, table)}: {fault}")
        else:
            entries.append(Entry(number, _told(table, now), table["decision"]))
    _raise(faults)
    return entries


def _fault(table: object) -> str:
    """What is wrong with the form of an entry; empty where nothing is."""
    if not isinstance(table, dict):
        return "it is no table: an entry begins with [[pattern]]"
    for key, value in table.items():
        if key not in _KEYS:
            return f"unknown key {quoted(key)}: the keys are {', '.join(_KEYS)}"
        expected, text = _KEYS[key]
        if type(value) is not expected or (type(value) is list and not all(isinstance(item, str) for item in value)):
            return f"{key} is {quoted(value)}: expected {text}"
    if missing := next((key for key in _REQUIRED if key not in table), ""):
        return f"{missing} is missing"
    if table["decision"] not in ("", *_DECISIONS):
        return f"decision is {quoted(table['decision'])}: write 'confirm' or 'release', or leave it empty"
    return ""


def _name(number: int, table: object) -> str:
    """What a person finds an entry by."""
    of = [printable(str(table[key]), 60) for key in ("site", "pattern") if key in table] if type(table) is dict else []
    return f"entry {number} ({' '.join(of)})" if of else f"entry {number}"


def _told(table: dict[str, Any], now: float) -> Quarantine:
    kind = table.get("kind", BY_HAND)
    since = table.get("since")
    return Quarantine(
        site=table["site"],
        place=table["pattern"],
        kind=kind if kind in KINDS else BY_HAND,
        evidence=table.get("evidence", "by hand"),
        examples=tuple(table.get("examples", ())),
        since=now if since is None else _epoch(since),
        until=math.inf,
        refused=min(max(table.get("links_left", 0), 0), 2**63 - 1),
    )


def decisions_of(entries: Sequence[Entry], known: dict[tuple[str, str], Quarantine], now: float) -> list[Quarantine]:
    """What is to be kept of entries with a decision; `known` is what the store has. Raises ReviewError."""
    faults: list[str] = []
    to_keep: dict[tuple[str, str], Quarantine] = {}
    for entry in entries:
        told = entry.told
        try:
            site, place = key = pattern_key(told.site, told.place, known, by_crawl=told.kind != BY_HAND)
        except ValueError as error:
            faults.append(f"{entry.name}: {error}")
            continue
        if key in to_keep:
            faults.append(f"{entry.name}: an entry before it has decided of the same pattern")
        found = known.get(key) or replace(told, site=site, place=place)
        to_keep[key] = decided(found, _DECISIONS[entry.decision], now)
    _raise(faults)
    return list(to_keep.values())


def _raise(faults: Sequence[str]) -> None:
    if faults:
        more = [f"and {len(faults) - _MAX_FAULTS:,} faults more"] if len(faults) > _MAX_FAULTS else []
        raise ReviewError("\n  ".join([*faults[:_MAX_FAULTS], *more]))


def _epoch(at: datetime) -> float:
    """Epoch seconds; a time without a zone is UTC."""
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp()
