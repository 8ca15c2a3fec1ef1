"""`scrapy polite traps`: which URL patterns of which sites look endless, why, and what a person decides of them.

A decision is kept in the store, where crawls find it; a review file (TOML) carries many to a person and back.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand, url_of
from scrapy_polite.commands.gates import MAX_SHOWN
from scrapy_polite.origin import Origin, site_of
from scrapy_polite.services.store import open_store, store_path
from scrapy_polite.services.trap_findings import decision_command
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.base import Store, every_quarantine
from scrapy_polite.store.quarantines import MAX_PLACE_LENGTH, Quarantine
from scrapy_polite.text import counted, duration, printable
from scrapy_polite.traps.patterns import parameter_names, without_host
from scrapy_polite.traps.verdict import KINDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy.crawler import Crawler

#: What stands in a review file -> what is kept.
_DECISIONS = {"confirm": "confirmed", "release": "released"}
_BY_HAND = "by-hand"
#: Why a crawl does not follow a pattern further: keys of `KINDS`.
_ENDED = frozenset({"silent", "budget", "cap"})
#: What crawls do about a pattern, in the order of the heading.
_STATES = ("not followed further", "suspected", "confirmed", "released", "no longer suspected")
#: What becomes of its links instead, where they are not counted.
_NOT_COUNTED = {"suspected": "they wait", "confirmed": "all are refused"}
#: What a decision does, and what to do next.
_EFFECTS = {
    "confirmed": "what is confirmed: its links are refused from now on (trap/by-hand)",
    "released": "what is released is never suspected again. Start the crawl again: with JOBDIR it follows the links "
    "that were kept, without it crawls the site anew. Where POLITE_TRAPS was 'drop' none were kept: take a new JOBDIR",
}

_MAX_KNOWN = 5
#: The end of the year 9999: what a datetime can say.
_LAST_S = 253_402_300_799.0


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern. The fields are the keys of `--json`.

    `pattern` is the `place` of `store.quarantines.Quarantine`; `since`, `until` (null: without end) and `updated_at`
    are ISO 8601, UTC; `links_left` counts links that stayed behind (null: none is counted); `decision` is "confirmed",
    "released" or, where no person has decided, empty.
    """

    site: str
    pattern: str
    kind: str
    evidence: str
    examples: tuple[str, ...]
    since: str
    until: str | None
    links_left: int | None
    decision: str
    updated_at: str

    @classmethod
    def of(cls, found: Quarantine) -> Row:
        return cls(
            site=found.site,
            pattern=found.place,
            kind=found.kind,
            evidence=found.evidence,
            examples=found.examples,
            since=_utc(found.since).isoformat(),
            until=None if found.until == math.inf else _utc(found.until).isoformat(),
            links_left=found.refused if _is_counted(found) else None,
            decision=found.decision,
            updated_at=_utc(found.updated_at).isoformat(),
        )


def _list(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    now = clock.system()
    with _store(command) as store:
        found = _latest(_named(every_quarantine(store), words), now)
        heading = f"{_heading(found, words, now)} ({store.description})"
    if words and not found:
        print(heading, file=sys.stderr)
        return NO
    shown = found[: None if opts.all else MAX_SHOWN]
    if opts.json:
        _print_json(shown)
        return YES
    print(heading)
    if shown:
        titles = ("site", "pattern", "state", "since (UTC)", "links not followed")
        _print_table([titles, *(_cells(quarantine, now) for quarantine in shown)])
    if len(found) > len(shown):
        print(f"and {len(found) - len(shown):,} more: --all shows them")
    return YES


def _heading(found: Sequence[Quarantine], words: Sequence[str], now: float) -> str:
    if not found:
        return f"no pattern is known of {printable(words[0])}" if words else "no pattern is known"
    counts = Counter(_state(quarantine, now) for quarantine in found)
    return f"{counted(len(found), 'pattern')}: " + ", ".join(
        f"{counts[state]:,} {state}" for state in _STATES if counts[state]
    )


def _cells(found: Quarantine, now: float) -> tuple[str, ...]:
    state = _state(found, now)
    return (
        printable(found.site, 40),
        printable(found.place, 60),
        f"{state} ({found.kind})" if state == "not followed further" else state,
        f"{_since(found, state):%Y-%m-%d %H:%M}",
        _links_left(found, state),
    )


def _is_counted(found: Quarantine) -> bool:
    """Whether a crawl counts the links that it leaves: neither those of a suspect, which are only the last to be
    followed, nor those that a person has refused.
    """
    return bool(found.refused) or found.decision == "released" or (found.kind in _ENDED and not found.decision)


def _links_left(found: Quarantine, state: str) -> str:
    if _is_counted(found):
        return f"{found.refused:,}"
    return _NOT_COUNTED.get(state, "")


def _state(found: Quarantine, now: float) -> str:
    """What crawls do about a pattern: one of `_STATES`."""
    if found.decision:
        return found.decision
    if found.until <= now:
        return "no longer suspected"
    return "not followed further" if found.kind in _ENDED else "suspected"


def _since(found: Quarantine, state: str) -> datetime:
    if found.decision:
        return _utc(found.updated_at)
    return _utc(found.until if state == "no longer suspected" else found.since)


def _print_table(table: Sequence[tuple[str, ...]]) -> None:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def _print_json(found: Iterable[Quarantine]) -> None:
    for quarantine in found:
        print(json.dumps(asdict(Row.of(quarantine))))


def _show(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    now = clock.system()
    with _store(command) as store:
        stored = every_quarantine(store)
        found = _latest(_named(stored, words), now)
        if not found:
            return _unknown(words, stored, store)
    if opts.json:
        _print_json(found)
        return YES
    for index, quarantine in enumerate(found):
        print("\n" * bool(index) + f"{printable(quarantine.site)} {printable(quarantine.place, 1_000)}")
        for label, text in _facts(quarantine, now, command.configured()):
            print(f"  {label + ':':<20} {text}")
    return YES


def _facts(found: Quarantine, now: float, crawler: Crawler) -> Iterator[tuple[str, str]]:
    state = _state(found, now)
    yield "state", f"{state} since {_since(found, state):%Y-%m-%d %H:%M} UTC"
    if found.kind != _BY_HAND:
        kind = printable(found.kind, 20)
        yield "why", f"{kind}: {KINDS[found.kind]}" if found.kind in KINDS else kind
    yield "evidence", printable(found.evidence, 1_000)
    if left := _links_left(found, state):
        yield "links not followed", left + (", and all behind them" if found.refused else "")
    if not found.decision and found.until > now:
        until = min(found.until, _LAST_S)
        yield "until", f"{_utc(until):%Y-%m-%d %H:%M} UTC (in {duration(until - now)}); then it is judged anew"
    for example in found.examples:
        yield "example", printable(example, 1_000)
    if found.decision:
        yield "effect", _EFFECTS[found.decision]
        yield "to undo it", decision_command("forget", found, crawler)
    elif found.until > now:
        yield "to follow its links", decision_command("release", found, crawler)
        yield "to refuse them", decision_command("confirm", found, crawler)


def _export(command: SubcommandsCommand, opts: Namespace) -> int:
    if opts.force and not opts.file:
        raise CommandError("--force goes with FILE")
    with _store(command) as store:
        found = _latest(every_quarantine(store), clock.system())
        where = store.description
    if not found:
        print(f"no pattern is known ({where})", file=sys.stderr)
        return NO
    text = review(found).encode()
    if not opts.file:
        sys.stdout.flush()
        sys.stdout.buffer.write(text)  # UTF-8, as TOML has it, whatever the terminal's encoding
        return YES
    _write(opts.file, text, over=opts.force)
    print(f"{counted(len(found), 'pattern')} written to {printable(opts.file)}")
    return YES


def _write(path: str, text: bytes, *, over: bool) -> None:
    """Write a file that its owner alone may read, as the store. Raises CommandError."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if over else os.O_EXCL)
    try:
        with open(path, "wb", opener=lambda name, _: os.open(name, flags, 0o600)) as file:
            file.write(text)
    except FileExistsError as error:
        raise CommandError(f"{path!r} is there already: name another, or give --force to overwrite it") from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{path!r} cannot be written: {getattr(error, 'strerror', error)}") from error


def _confirm(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    if len(words) == 1:
        if opts.why:
            raise CommandError("--why goes with SITE and PATTERN")
        return _carry_out(command, words[0])
    now = clock.system()
    with _store(command, create=True) as store:
        known = {(found.site, found.place): found for found in every_quarantine(store)}
        try:
            site, place = _key(words[0], words[1], known)
        except ValueError as error:
            raise CommandError(str(error)) from error
        found = known.get((site, place)) or Quarantine(site, place, _BY_HAND, "by hand", (), now, math.inf)
        if opts.why:
            found = replace(found, evidence=opts.why)
        _keep(store, [_decided(found, "confirmed", now)])
    return YES


def _carry_out(command: SubcommandsCommand, path: str) -> int:
    """Carry out the decisions of a review file: all of them, or none."""
    try:
        text = Path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CommandError(f"there is no file {path!r}: give a review file, or SITE and PATTERN") from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{path!r} cannot be read: {getattr(error, 'strerror', error)}") from error
    now = clock.system()
    try:
        entries = read_review(text, now)
        decided = [entry for entry in entries if entry.decision]
        if not decided:
            print(f"{printable(path)} holds no decision: write 'confirm' or 'release' into it first", file=sys.stderr)
            return NO
        with _store(command, create=True) as store:
            known = {(found.site, found.place): found for found in every_quarantine(store)}
            _keep(store, _checked(decided, known, now))
    except ReviewError as error:
        raise CommandError(f"{printable(path)}: {error}") from error
    if left := len(entries) - len(decided):
        print(f"{counted(left, 'pattern')} without a decision")
    return YES


def _release(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    now = clock.system()
    with _store(command, create=len(words) > 1) as store:
        stored = every_quarantine(store)
        found = _latest(_named(stored, words), now)
        if not found and len(words) == 1:
            return _unknown(words, stored, store)
        if not found:  # an archive that a person knows before any crawl does
            _unknown(words, stored, store)
            site, place = _key(words[0], words[1], {})
            found = [Quarantine(site, place, _BY_HAND, "by hand", (), now, math.inf)]
        _keep(store, [_decided(quarantine, "released", now) for quarantine in found])
    return YES


def _forget(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    with _store(command) as store:
        stored = every_quarantine(store)
        found = _named(stored, words)
        dropped = [store.quarantines.forget(quarantine.site, quarantine.place) for quarantine in found]
        count = sum(future.result() for future in dropped)
        if not count:
            return _unknown(words, stored, store)
    print(f"{counted(count, 'pattern')} forgotten: the next crawl judges anew, one that runs keeps to what it knows")
    return YES


def _decided(found: Quarantine, decision: str, now: float) -> Quarantine:
    # What another machine's clock was ahead must not outdo a person.
    return replace(found, decision=decision, until=math.inf, updated_at=max(now, found.as_of(now).updated_at))


def _keep(store: Store, decided: Sequence[Quarantine]) -> None:
    for future in [store.quarantines.keep(quarantine) for quarantine in decided]:
        future.result()
    for quarantine in decided[:MAX_SHOWN]:
        is_all = quarantine.decision == "confirmed" and without_host(quarantine.place) == "/**"
        warning = "  (all pages of the site!)" if is_all else ""
        print(f"{quarantine.decision}: {printable(quarantine.site)} {printable(quarantine.place)}{warning}")
    if len(decided) > MAX_SHOWN:
        counts = Counter(quarantine.decision for quarantine in decided[MAX_SHOWN:])
        print("and " + ", ".join(f"{count:,} more {decision}" for decision, count in counts.items()))
    made = {quarantine.decision for quarantine in decided}
    print("\n".join(effect for decision, effect in _EFFECTS.items() if decision in made))
    print(f"kept in {store.description}")


def _unknown(words: Sequence[str], stored: Sequence[Quarantine], store: Store) -> int:
    of_site = [quarantine.place for quarantine in _named(stored, words[:1])]
    known = f"; of {printable(words[0])}: {', '.join(map(printable, of_site[:_MAX_KNOWN]))}" if of_site else ""
    if ports := sorted({found.site for found in stored if found.site.rpartition(":")[0] == words[0]}):
        known += f"; with a port: {', '.join(map(printable, ports[:_MAX_KNOWN]))}"
    print(f"nothing is stored of {' '.join(map(printable, words))} ({store.description}{known})", file=sys.stderr)
    return NO


# The store


@contextmanager
def _store(command: SubcommandsCommand, *, create: bool = False) -> Iterator[Store]:
    settings = shared(command.configured(), PoliteSettings)
    path = store_path(settings)
    if path is None:
        raise CommandError("POLITE_STORE is 'memory', as outside of projects, so nothing is kept: use --store PATH")
    if not create and not path.exists():
        raise CommandError(f"there is no store at {path.absolute()}: a crawl makes it, or name another with --store")
    with closing(open_store(settings)) as store:
        yield store


def _latest(found: Iterable[Quarantine], now: float) -> list[Quarantine]:
    return sorted(found, key=lambda one: (-_since(one, _state(one, now)).timestamp(), one.site, one.place))


def _words(opts: Namespace) -> Sequence[str]:
    return [word for word in (opts.site, getattr(opts, "pattern", None)) if word is not None]


def _named(found: Sequence[Quarantine], words: Sequence[str]) -> Sequence[Quarantine]:
    """Those of SITE, or of SITE and PATTERN, as `words` name them; without words, all. Raises CommandError."""
    if not words:
        return found
    site = words[0]
    try:
        if not any(quarantine.site == site for quarantine in found):
            site = _site(site)
        found = [quarantine for quarantine in found if quarantine.site == site]
        if len(words) == 1:
            return found
        place = words[1]
        if not any(quarantine.place == place for quarantine in found):
            place = _pattern(place)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return [quarantine for quarantine in found if quarantine.place == place]


# What a person writes


def _key(site: str, place: str, known: dict[tuple[str, str], Quarantine], *, by_crawl: bool = False) -> tuple[str, str]:
    """Site and pattern as they are kept. Raises ValueError; what a crawl has kept is right as it is."""
    if (site, place) in known or (by_crawl and len(site) + len(place) <= MAX_PLACE_LENGTH):
        return site, place
    return _site(site), _pattern(place)


def _site(word: str) -> str:
    """The site of a host, or of any URL. Raises ValueError."""
    origin = Origin.from_url(url_of(word))
    return site_of(origin)


def _pattern(text: str) -> str:
    """A pattern (see `traps.patterns`), with the names of its parameters in order. Raises ValueError."""
    if len(text) > MAX_PLACE_LENGTH // 2:
        raise ValueError(f"a pattern has {MAX_PLACE_LENGTH // 2:,} characters at most: {_quoted(text)}")
    path, _, names = without_host(text).partition("?")
    segments = path.split("/")
    if fault := next((told for broken, told in _FAULTS if broken(text, segments, names)), ""):
        raise ValueError(f"{_quoted(text)} is no pattern: {fault}")
    names = parameter_names(names)
    return text.partition("?")[0] + (f"?{names}" if names else "")


#: What is wrong with a pattern, the segments of its path or its parameter names, if anything; the first counts.
_FAULTS: tuple[tuple[Callable[[str, Sequence[str], str], object], str], ...] = (
    (
        lambda text, segments, names: len(segments) < 2 or segments[0],
        "it begins with '/', as in '/calendar/**' or '/search?page&q', or with a host, as in '//shop.example.com/x/*'",
    ),
    (
        lambda text, segments, names: not re.fullmatch(r"[!-~]*", text) or "#" in text,
        "write it as it stands in a URL, '%20' for a space, and without '#'",
    ),
    (
        lambda text, segments, names: any("*" in segment and segment not in ("*", "**") for segment in segments),
        "'*' stands for one whole segment, and '**' at the end for all that follows",
    ),
    (
        lambda text, segments, names: "**" in segments[: -1 if segments[-1] else -2],
        "'**' stands at the end",
    ),
    (lambda text, segments, names: "=" in names, "after '?' stand names of parameters, such as '?page&q'"),
)


# Review files


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


def review(found: Iterable[Quarantine]) -> str:
    """A review file of these. No text in it moves a cursor or turns a line around: TOML knows escapes."""
    entries = [
        {
            "site": quarantine.site,
            "pattern": quarantine.place,
            "kind": quarantine.kind,
            "evidence": quarantine.evidence,
            "examples": list(quarantine.examples),
            "since": _utc(quarantine.since).replace(microsecond=0),
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
        raise ReviewError(f"unknown key {_quoted(unknown[0])}: a review file has entries [[pattern]]")
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
            return f"unknown key {_quoted(key)}: the keys are {', '.join(_KEYS)}"
        expected, text = _KEYS[key]
        if type(value) is not expected or (type(value) is list and not all(isinstance(item, str) for item in value)):
            return f"{key} is {_quoted(value)}: expected {text}"
    if missing := next((key for key in _REQUIRED if key not in table), ""):
        return f"{missing} is missing"
    if table["decision"] not in ("", *_DECISIONS):
        return f"decision is {_quoted(table['decision'])}: write 'confirm' or 'release', or leave it empty"
    return ""


def _name(number: int, table: object) -> str:
    """What a person finds an entry by."""
    of = [printable(str(table[key]), 60) for key in ("site", "pattern") if key in table] if type(table) is dict else []
    return f"entry {number} ({' '.join(of)})" if of else f"entry {number}"


def _told(table: dict[str, Any], now: float) -> Quarantine:
    kind = table.get("kind", _BY_HAND)
    since = table.get("since")
    return Quarantine(
        site=table["site"],
        place=table["pattern"],
        kind=kind if kind in KINDS else _BY_HAND,
        evidence=table.get("evidence", "by hand"),
        examples=tuple(table.get("examples", ())),
        since=now if since is None else _epoch(since),
        until=math.inf,
        refused=min(max(table.get("links_left", 0), 0), 2**63 - 1),
    )


def _checked(entries: Sequence[Entry], known: dict[tuple[str, str], Quarantine], now: float) -> list[Quarantine]:
    """What is to be kept. Raises ReviewError."""
    faults: list[str] = []
    decided: dict[tuple[str, str], Quarantine] = {}
    for entry in entries:
        told = entry.told
        try:
            site, place = key = _key(told.site, told.place, known, by_crawl=told.kind != _BY_HAND)
        except ValueError as error:
            faults.append(f"{entry.name}: {error}")
            continue
        if key in decided:
            faults.append(f"{entry.name}: an entry before it has decided of the same pattern")
        found = known.get(key) or replace(told, site=site, place=place)
        decided[key] = _decided(found, _DECISIONS[entry.decision], now)
    _raise(faults)
    return list(decided.values())


def _raise(faults: Sequence[str]) -> None:
    if faults:
        more = [f"and {len(faults) - _MAX_FAULTS:,} faults more"] if len(faults) > _MAX_FAULTS else []
        raise ReviewError("\n  ".join([*faults[:_MAX_FAULTS], *more]))


def _quoted(value: object) -> str:
    return printable(repr(value), 60)


def _utc(seconds: float) -> datetime:
    # An imported store may say anything.
    return datetime.fromtimestamp(min(max(seconds, 0.0), _LAST_S), timezone.utc)


def _epoch(at: datetime) -> float:
    """Epoch seconds; a time without a zone is UTC."""
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).timestamp()


# Usage

_SITE = "any host of it, or a URL"
_PATTERN = "as `list` shows it, such as '/calendar?m&y'"


def add_subcommands(parser: Parser) -> None:
    traps = parser.subcommand("traps", "which URL patterns look endless, and what a person decides of them")
    of_all = traps.subcommand(
        "list", "every pattern that is suspected, not followed further or was decided on, the latest first", _list
    )
    of_all.add_argument("site", metavar="SITE", nargs="?", help=_SITE)
    of_all.add_argument("--all", action="store_true", help=f"all patterns, not only the first {MAX_SHOWN}")
    of_one = traps.subcommand(
        "show", "all that is known: why, links left, examples, what to do (exit status: 1 nothing)", _show
    )
    for listed in (of_all, of_one):
        listed.add_argument("--json", action="store_true", help="one JSON object a line for each")
    export = traps.subcommand("export", "write a review file, to be filled in by a person", _export)
    export.add_argument("file", metavar="FILE", nargs="?", help="without it, to standard output")
    export.add_argument("--force", action="store_true", help="overwrite a file that is there")
    confirm = traps.subcommand(
        "confirm", "carry out the decisions of a review file; or refuse the links of one pattern for good", _confirm
    )
    confirm.add_argument("site", metavar="FILE | SITE", help="a review file, or any host of the site")
    confirm.add_argument("pattern", metavar="PATTERN", nargs="?", help=_PATTERN)
    confirm.add_argument("--why", metavar="TEXT", help="a reason, kept as its evidence")
    release = traps.subcommand(
        "release",
        "it is no trap and never suspected again: the next run follows its links; all of a site that is known, or one "
        "pattern, known or not (exit status: 1 nothing known)",
        _release,
    )
    forget = traps.subcommand(
        "forget", "forget what is known and decided, to be judged anew (exit status: 1 nothing known)", _forget
    )
    for named in (of_one, release, forget):
        named.add_argument("site", metavar="SITE", help=_SITE)
        named.add_argument("pattern", metavar="PATTERN", nargs="?", help=_PATTERN)
    for each in (of_all, of_one, export, confirm, release, forget):
        each.add_store()
