"""The lines of a run record: what each says, and how it is written.

A line is a JSON array: a word for its kind, then the fields in the order in which they are declared here. A reader
passes over kinds that it does not know and fields beyond those that it knows. Times are epoch seconds of the system's
clock, to the millisecond. What comes from the network is as it came, passwords and masked values apart: to be escaped
before it is shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from operator import attrgetter
from typing import Any, TypeAlias

FORMAT = 1
"""The version of this format, in the head of each worker. It rises when what is there changes its meaning."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page's request, written when it is over: it left at `at`, the answer began `began_s` later, all was there after
    `seconds`. `status` is 0 without an answer.

    `delay_s` was in force, which `delay_source` asks for ("Crawl-delay", a setting's name); the host's queue had waited
    for `waited_s`. `rules` is one of `events.RULES_STATES`, or empty where nobody asks robots.txt; `robots` is the
    digest of the copy that was asked, and `line` the line of it that allows the page (0: none does). `found` is 0 of a
    start request, which no page led to.
    """

    at: float
    url: str
    origin: str
    status: int
    seconds: float
    began_s: float
    size_bytes: int
    delay_s: float
    delay_source: str
    waited_s: float
    rules: str
    robots: str
    line: int
    found: int = 1


@dataclass(frozen=True, slots=True)
class RobotsRequest:
    """A request for a robots.txt, written when it is over. Of redirects each is one."""

    at: float
    url: str
    origin: str
    status: int
    seconds: float
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request, or a link before it became one, that was refused; with `audit` 1 it would have been.

    `line` is of robots.txt (0: none decided), `rule` what it says; `robots` the digest of the copy in force.
    """

    at: float
    url: str
    origin: str
    reason: str
    detail: str
    line: int
    rule: str
    audit: int
    robots: str


@dataclass(frozen=True, slots=True)
class Deferral:
    """A link that had to wait for the rest of its site, as one of a group that looks endless."""

    at: float
    url: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Robots:
    """From `at` on this is the origin's robots.txt, until the next such line of the same worker.

    `status` is the HTTP status of the last good answer (0: there is none), `digest` the name of its body, and `text`
    says in words what it came to.
    """

    at: float
    origin: str
    status: int
    digest: str
    text: str


@dataclass(frozen=True, slots=True)
class MainHost:
    """The robots.txt of an origin names another host as the main one, in the Host line `line`; `why` its pages are not
    asked there (empty: they are)."""

    at: float
    origin: str
    line: str
    why: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A request for a page of a mirror that was made at the main host instead, as `there`."""

    at: float
    url: str
    origin: str
    there: str


@dataclass(frozen=True, slots=True)
class Sitemap:
    """A sitemap was read; `fault`: why it was not, or not to its end. What it lists, by what came of it: pages that
    became `seeds`, further `sitemaps`, what was `out_of_scope`, `too_long` or `too_deep`."""

    at: float
    url: str
    fault: str
    seeds: int
    sitemaps: int
    out_of_scope: int
    too_long: int
    too_deep: int


@dataclass(frozen=True, slots=True)
class Pace:
    """From `at` on a delay is in force for an origin (0: none); `asked_s` is what robots.txt asks, where that is more
    (else 0)."""

    at: float
    origin: str
    seconds: float
    source: str
    asked_s: float


@dataclass(frozen=True, slots=True)
class RobotsWaited:
    """A request has waited for its robots.txt."""

    at: float
    origin: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Closed:
    """A host is left alone for so many seconds."""

    at: float
    host: str
    origin: str
    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A host that was closed has answered well."""

    at: float
    host: str
    origin: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Nobody waits for a host any longer; so many queued requests are refused."""

    at: float
    host: str
    why: str
    requests: int


@dataclass(frozen=True, slots=True)
class Trap:
    """A group of URL patterns is suspected, cleared or ended, or `links` of it are left at the end of the crawl.

    `what` is one of "suspected", "cleared", "ended", "left"; `command` is the one that has its links followed.
    """

    at: float
    what: str
    site: str
    place: str
    kind: str
    evidence: str
    example: str
    links: int
    command: str


@dataclass(frozen=True, slots=True)
class Left:
    """A link that stays behind at the end, and that nothing keeps."""

    at: float
    url: str
    origin: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Unmet:
    """A limit, a budget or a window cannot be met: by `until` the `share` of what is queued for `host` will have been
    requested, and so many `requests` are left then. `text` says it in a sentence.
    """

    at: float
    setting: str
    host: str
    until: float
    share: float
    requests: int
    text: str


@dataclass(frozen=True, slots=True)
class Missed:
    """The lines since the one before are missing: the run has reached its size."""

    at: float
    lines: int


@dataclass(frozen=True, slots=True)
class End:
    """The crawl has closed; `reason` is Scrapy's finish reason. The last line of a worker that was not killed."""

    at: float
    reason: str


Record: TypeAlias = (
    Page
    | RobotsRequest
    | Refusal
    | Deferral
    | Robots
    | MainHost
    | Moved
    | Sitemap
    | Pace
    | RobotsWaited
    | Closed
    | Opened
    | Abandoned
    | Trap
    | Left
    | Unmet
    | Missed
    | End
)

KINDS: dict[str, type[Any]] = {
    "page": Page,
    "fetch": RobotsRequest,
    "refused": Refusal,
    "deferred": Deferral,
    "robots": Robots,
    "main-host": MainHost,
    "moved": Moved,
    "sitemap": Sitemap,
    "pace": Pace,
    "waited": RobotsWaited,
    "closed": Closed,
    "opened": Opened,
    "abandoned": Abandoned,
    "trap": Trap,
    "left": Left,
    "unmet": Unmet,
    "missed": Missed,
    "end": End,
}


def _getter(cls: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    get = attrgetter(*(field.name for field in fields(cls)))
    return get if len(fields(cls)) > 1 else lambda record: (get(record),)


_WRITTEN = {cls: (word, _getter(cls)) for word, cls in KINDS.items()}
_READ = {
    word: (cls, tuple((str(field.type), field.default) for field in fields(cls)), len(fields(cls)))
    for word, cls in KINDS.items()
}
_encode = json.JSONEncoder(separators=(",", ":")).encode
#: What a field of each type may hold when it is read: a file may have been damaged, or written by somebody else.
_TYPES: dict[str, tuple[type, ...]] = {"float": (int, float), "int": (int,), "str": (str,)}


def written(record: Record) -> str:
    """One line, without its end; ASCII."""
    word, values = _WRITTEN[type(record)]
    return _encode((word, *values(record)))


def read(line: str | bytes) -> Record | None:
    """The record of a line; None where it is of an unknown kind, torn or damaged."""
    try:
        word, *values = json.loads(line)
        cls, types, count = _READ[word]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if len(values) < count and any(default is MISSING for _, default in types[len(values) :]):
        return None
    if not all(isinstance(value, _TYPES[name]) for value, (name, _) in zip(values, types, strict=False)):
        return None
    return cls(*values[:count])  # type: ignore[no-any-return]
