"""Endless spaces of the demo site: pages that are made up when they are asked for, the same on every run."""

from __future__ import annotations

import random
import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class MadeUp:
    """A page that nobody wrote; `links` are paths of the same origin."""

    title: str
    text: str
    links: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trap:
    """An endless space, to which the home page links at `entrance`.

    `page` makes up the page at a path, None where there is none. `real` are those that are worth reading: they can be
    reached through the endless space only.
    """

    entrance: str
    page: Callable[[str], MadeUp | None]
    real: tuple[str, ...] = ()


#: By month, counted from the year 0: its event, and what there is to say of it.
_EVENTS = {
    2025 * 12 + 9: ("herring-day", "The first boats are back by noon, and whoever brings a pan is given his lunch."),
    2026 * 12 + 1: ("night-of-lamps", "All the lamps along the mole are lit by hand, the oldest keeper first."),
    2026 * 12 + 5: ("regatta", "Thirty boats, none longer than nine metres, race twice round the western island."),
    2026 * 12 + 7: (
        "map-fair",
        "Chart makers of three countries show what they have drawn, and sell what they have not.",
    ),
    2027 * 12 + 2: ("pilots-ball", "Once a year the pilots dance, in the hall over the customs house, until the tide."),
}
_MONTH = re.compile(r"/calendar/(\d{4})-(0[1-9]|1[0-2])")


def _month_path(month: int) -> str:
    return f"/calendar/{month // 12:04}-{month % 12 + 1:02}"


def _event_page(month: int) -> MadeUp:
    name, text = _EVENTS[month]
    return MadeUp(name.replace("-", " ").capitalize(), text, (_month_path(month),))


_EVENT_PAGES = {f"/events/{name}": _event_page(month) for month, (name, _) in _EVENTS.items()}


def _calendar_page(path: str) -> MadeUp | None:
    """A month, with links to the one before and the one after and to its event, if there is any; or an event."""
    found = _MONTH.fullmatch(path)
    if found is None:
        return _EVENT_PAGES.get(path)
    year, number = map(int, found.groups())
    month = year * 12 + number - 1
    around = _month_path(month - 1), _month_path(month + 1)
    title = f"What is on in {date(year, number, 1):%B} {year}"
    days = " ".join(str(day) for day in range(1, monthrange(year, number)[1] + 1))
    if month not in _EVENTS:
        return MadeUp(title, f"{days}. Nothing is on in this month.", around)
    return MadeUp(title, f"{days}. One thing is on in this month.", (*around, f"/events/{_EVENTS[month][0]}"))


CALENDAR = Trap("/calendar/2026-06", _calendar_page, tuple(_EVENT_PAGES))

_NOTES = "/notes/"
_WORDS = [
    "anchor",
    "ballast",
    "barnacle",
    "beacon",
    "bell",
    "bilge",
    "binnacle",
    "bollard",
    "bosun",
    "breaker",
    "buoy",
    "cabin",
    "cable",
    "capstan",
    "cargo",
    "chart",
    "cleat",
    "compass",
    "coxswain",
    "current",
    "davit",
    "deck",
    "derrick",
    "dock",
    "draught",
    "drift",
    "ensign",
    "fathom",
    "fender",
    "ferry",
    "flotsam",
    "foghorn",
    "galley",
    "gangway",
    "gull",
    "halyard",
    "hatch",
    "hawser",
    "heading",
    "helm",
    "hold",
    "hull",
    "jetsam",
    "jetty",
    "keel",
    "kelp",
    "knot",
    "ladder",
    "lantern",
    "leeward",
    "log",
    "manifest",
    "mast",
    "mizzen",
    "mooring",
    "oar",
    "oilskin",
    "pennant",
    "porthole",
    "quay",
    "ration",
    "reef",
    "rigging",
    "rudder",
    "sail",
    "salvage",
    "sextant",
]


def _tarpit_page(path: str) -> MadeUp | None:
    """Random words, and five links to more of them: no two pages say the same, and no link is ever found again."""
    if not path.startswith(_NOTES):
        return None
    words = random.Random(path)
    sentences = (" ".join(words.choices(_WORDS, k=12)).capitalize() + "." for _ in range(8))
    links = tuple(_NOTES + "-".join(words.choices(_WORDS, k=4)) for _ in range(5))
    return MadeUp(path.removeprefix(_NOTES).replace("-", " ").capitalize(), " ".join(sentences), links)


TARPIT = Trap(_NOTES + "of-the-sea", _tarpit_page)
