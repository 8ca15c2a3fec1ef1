"""What one process knows of the groups of a site, written down for whoever has the site's host next, or a later run.

The verdicts go over, the pages that they rest on, and which URL patterns there are. What pages have said, and which one
found a link, is much, and goes over only where a process comes to its end (`Remembered`). Without it the first pages
that come do not count, for all of them says something new to one who knows none; and which of their links another
process has found is told one by one (`Groups.was_known`).
"""

from __future__ import annotations

import json
import struct
import zlib
from base64 import b64decode, b64encode
from collections import Counter, deque
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from scrapy_polite.traps.evidence import Pattern, Record, last_of
from scrapy_polite.traps.links import Remembered
from scrapy_polite.traps.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy_polite.traps.groups import Groups
    from scrapy_polite.traps.limits import Limits

_VERSION = 7
#: With more of a site's patterns only those of its suspected groups go over. Of what feeds one, what brings most.
_MAX_PATTERNS, _MAX_FED = 1_000, 50
#: Links, pages, and things that these said, which go over of a site of which a group is suspected that has not ended:
#: 1 MB, in 60 ms. And of any other site, of which there may be thousands: 50 KB, in 3 ms.
_MOST_SUSPECTED, _MOST = 50_000, 2_000
#: Bytes, unpacked: what is longer is none of ours.
_MAX_BYTES = 10_000_000
_UNREADABLE = (
    zlib.error,
    struct.error,
    ArithmeticError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RecursionError,
)
_MAX_COUNT = 1 << 48


def _count(state: Any) -> int:
    if not 0 <= (count := int(state)) <= _MAX_COUNT:
        raise ValueError("a count that nothing has")
    return count


def _point(state: Sequence[Any]) -> tuple[int, int]:
    pages, grown = state
    return _count(pages), _count(grown)


_READERS: dict[Any, Callable[[Any], Any]] = {"int": _count, "float": float, "bool": bool, "tuple[int, int]": _point}
#: What of a `Pattern` is of one process alone, or is written in another place. What its order goes by is found anew:
#: who knows nothing yet of what a site has said would find it too slowly, and leave a long list unread at its end.
_NOT_OF_GROUP = frozenset(
    ("number", "joined", "released", "learns", "dull", "weight", "rarity", "deepest", "probed", "leaves", "deeper_at")
)
#: What is known of a group in figures, as it stands in `Pattern`, and how each is read.
_FIGURES = {
    one.name: _READERS[one.type] for one in fields(Pattern) if one.type in _READERS and one.name not in _NOT_OF_GROUP
}


class HandoverError(ValueError):
    """It is nothing that `written` has made."""


@dataclass(frozen=True, slots=True)
class _Site:
    learned: Patterns
    patterns: Sequence[Pattern]
    roots: Sequence[Pattern]
    remembered: Remembered | None


def written(sites: Mapping[str, Groups], *, whole: Container[str] = ()) -> bytes:
    """What is known of these sites, by name, for `read`; empty if that is nothing. Of those that are named as a
    `whole`, with what is remembered of their links and pages."""
    states = {}
    for name, groups in sites.items():
        roots = [one for one in groups.feeders.all if one in groups.suspects or one.pages >= groups.limits.unread]
        if roots:
            states[name] = _state(groups, roots)
            if name in whole and len(groups.feeders.all) <= _MAX_PATTERNS:
                is_open = any(not one.ended for one in groups.suspects)
                remembered = groups.remembered(_MOST_SUSPECTED if is_open else _MOST)
                states[name]["remembered"] = remembered and list(map(_as_text, remembered))
    if not states:
        return b""
    note = _packed(_VERSION, states)
    if not note:
        for state in states.values():
            state.pop("remembered", None)
        note = _packed(_VERSION, states)
    return note


def read(data: bytes) -> dict[str, _Site]:
    """By site, for `take_over`. Raises HandoverError."""
    try:
        value = json.loads(_unpacked(data))
        if value["v"] != _VERSION:
            raise ValueError("another version")
        return {str(name): _site(state) for name, state in value["sites"].items()}
    except _UNREADABLE as error:
        raise HandoverError(str(error)) from error


def without(
    data: bytes, covers: Callable[[str], bool], covers_origin: Callable[[str], bool]
) -> tuple[bytes, list[str]]:
    """The same without sites of such an origin or script, and without such examples, which are returned too. What
    cannot be read goes, and so does what is remembered as numbers, of which nobody can tell what it is."""
    try:
        value = json.loads(_unpacked(data))
        left, urls, remembered = {}, [], False
        for name, state in value["sites"].items():
            learned = state["learned"]
            remembered |= state.pop("remembered", None) is not None or bool(learned["pages"])
            learned["pages"] = []
            scripts = [url for url in learned["scripts"] if covers(url)]
            urls += scripts
            whole = bool(scripts) or any(covers_origin(f"{scheme}://{name}") for scheme in ("https", "http"))
            for root in state["roots"]:
                gone = [url for url in root["examples"] if whole or covers(url)]
                root["examples"] = [url for url in root["examples"] if url not in gone]
                urls += gone
            if not whole:
                left[name] = state
    except _UNREADABLE:
        return b"", []
    if not urls and not remembered and len(left) == len(value["sites"]):
        return data, []
    return _packed(value["v"], left) if left else b"", urls


def take_over(groups: Groups, site: _Site) -> None:
    """Go on where another process has stopped. What is known here already stays, unless that one has read more."""
    learns = True
    if not groups.links.has_pages and not groups.links.taken_over:
        for one in site.patterns:
            one.records = deque(maxlen=groups.limits.budget)
        groups.feeders.restore(site.learned, site.patterns)
        if site.remembered is not None:
            groups.remember(site.remembered)
            learns = not site.remembered.said
    groups.links.taken_over = True
    here = [groups.named(one.name) for one in site.patterns]
    numbers = {one.number: ours.number for one, ours in zip(site.patterns, here, strict=True)}
    for theirs in site.roots:
        _go_on(groups, theirs, here[theirs.number - 1], numbers, learns=learns)


def _go_on(groups: Groups, theirs: Pattern, here: Pattern, numbers: Mapping[int, int], *, learns: bool) -> None:
    ours = groups.root(here)
    if ours is None and theirs.suspected:
        here.feeder, ours = here, here
        groups.feeders.forget_roots()
    if ours is None or ours.released:
        return
    if theirs.pages > ours.pages:
        if learns and ours.pages < groups.limits.window:
            ours.learns = groups.limits.learns
        groups.clear(ours)
        for name in _FIGURES:
            setattr(ours, name, getattr(theirs, name))
        ours.volatile |= theirs.volatile
        ours.examples.extend(theirs.examples)
        ours.records = deque((_renumbered(one, numbers) for one in theirs.records), maxlen=groups.limits.budget)
    if theirs.ended or (theirs.suspected and theirs.pages >= ours.pages):
        ours.suspected, ours.ended = True, theirs.ended
        groups.suspects.add(ours)


def _renumbered(record: Record, numbers: Mapping[int, int]) -> Record:
    return record._replace(
        led_back=tuple(numbers[one] for one in record.led_back if one in numbers),
        grew=tuple((numbers[one], count) for one, count in record.grew if one in numbers),
        part=numbers.get(record.part, 0),
    )


# As JSON


def _packed(version: int, states: Mapping[str, Any]) -> bytes:
    """As bytes; none if these could not be read."""
    data = json.dumps({"v": version, "sites": states}, separators=(",", ":")).encode()
    return zlib.compress(data, 1) if len(data) <= _MAX_BYTES else b""


def _unpacked(data: bytes) -> bytes:
    return zlib.decompressobj().decompress(data, _MAX_BYTES)


def _as_text(numbers: Sequence[int]) -> str:
    """Numbers of 64 bits, which is much shorter than JSON has them."""
    return b64encode(struct.pack(f"<{len(numbers)}q", *numbers)).decode()


def _numbers(text: str) -> Sequence[int]:
    data = b64decode(text)
    return struct.unpack(f"<{len(data) // 8}q", data)


def _state(groups: Groups, roots: Sequence[Pattern]) -> dict[str, Any]:
    patterns = list(groups.feeders.all)
    if len(patterns) > _MAX_PATTERNS:
        roots = [one for one in roots if one in groups.suspects][:_MAX_PATTERNS]
        patterns = [*roots, *(one for one in patterns if groups.root(one) in groups.suspects and one not in roots)]
        del patterns[_MAX_PATTERNS:]
    places = {one.number: at for at, one in enumerate(patterns)}
    return {
        "learned": groups.feeders.patterns.learned(),
        "patterns": [
            (
                one.name,
                places.get(one.feeder.number, -1) if one.feeder is not None else -1,
                one.joined,
                *(
                    [(places[by], count) for by, count in counts.most_common(_MAX_FED) if by in places]
                    for counts in (one.fed, one.leads, one.leads_away)
                ),
            )
            for one in patterns
        ],
        "roots": [_root(one, places, groups.limits) for one in roots],
    }


def _root(root: Pattern, places: Mapping[int, int], limits: Limits) -> dict[str, Any]:
    records = last_of(root, limits.budget if root.suspected else limits.window)
    return {
        "at": places[root.number],
        "ended": root.ended,
        "examples": list(root.examples),
        "volatile": [one.decode("latin-1") if isinstance(one, bytes) else one for one in root.volatile],
        "records": [
            (
                one.says,
                one.same,
                one.deep,
                [places[by] for by in one.led_back if by in places],
                [(places[to], count) for to, count in one.grew if to in places],
                places.get(one.part, -1),
            )
            for one in reversed(records)
        ],
        **{name: getattr(root, name) for name in _FIGURES},
    }


def _site(state: Mapping[str, Any]) -> _Site:
    patterns, feeders = [], []
    for number, (name, feeder, joined, *counts) in enumerate(state["patterns"], 1):
        one = Pattern(number, str(name), deque(), joined=bool(joined))
        if " " in one.name:
            raise ValueError("no pattern has a space")
        one.fed, one.leads, one.leads_away = (Counter({int(at) + 1: _count(n) for at, n in each}) for each in counts)
        patterns.append(one)
        feeders.append(int(feeder))
    named = {at - 1 for one in patterns for at in (*one.fed, *one.leads, *one.leads_away)}
    if any(not 0 <= at < len(patterns) for at in (*named, *(one for one in feeders if one != -1))):
        raise ValueError("a pattern's feeder, or what it leads to, is not there")
    for one, feeder in zip(patterns, feeders, strict=True):
        one.feeder = patterns[feeder] if feeder >= 0 else None
    remembered = state.get("remembered")
    return _Site(
        Patterns.relearned(state["learned"]),
        patterns,
        [_root_of(root, patterns) for root in state["roots"]],
        None if remembered is None else Remembered.checked(map(_numbers, remembered), len(patterns)),
    )


def _root_of(state: Mapping[str, Any], patterns: Sequence[Pattern]) -> Pattern:
    at = int(state["at"])
    root = Pattern(at + 1, patterns[at].name, deque(map(_record, state["records"])))
    for name, read_one in _FIGURES.items():
        setattr(root, name, read_one(state[name]))
    if root.read_one_in < 1 or (root.pages and not root.records):
        raise ValueError("a group that none is")
    root.ended = str(state["ended"])
    root.examples.extend(map(str, state["examples"]))
    root.volatile = frozenset(
        one.encode("latin-1") if isinstance(one, str) else (int(one[0]), int(one[1])) for one in state["volatile"]
    )
    return root


def _record(state: Sequence[Any]) -> Record:
    says, same, deep, led_back, grew, part = state
    return Record(
        None if says is None else bool(says),
        bool(same),
        tuple(int(by) + 1 for by in led_back),
        tuple((int(to) + 1, _count(count)) for to, count in grew),
        bool(deep),
        part=int(part) + 1,
    )
