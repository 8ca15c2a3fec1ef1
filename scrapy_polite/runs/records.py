"""The lines of a run record: what each says, and how it is written.

A line is a JSON array: a word for its kind, then the fields in the order in which they are declared here. A reader
passes over kinds that it does not know and fields beyond those that it knows. Times are epoch seconds of the system's
clock, to the millisecond. What comes from the network is as it came, passwords and masked values apart: to be escaped
before it is shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from inspect import signature
from json.encoder import encode_basestring_ascii as _quoted
from typing import Any, NamedTuple, TypeAlias, get_type_hints

FORMAT = 1
"""The version of this format, in the head of each worker. It rises when what is there changes its meaning."""


class Page(NamedTuple):
    """A page's request, written when it is over: it left at `at`, the answer began `began_s` later, all was there after
    `seconds`. `status` is 0 without an answer.

    `delay_s` was in force, which `delay_source` asks for ("Crawl-delay", a setting's name); the host's queue had waited
    for `waited_s`. `rules` is one of `events.RULES_STATES`, or empty where nobody asks robots.txt; `robots` is the
    digest of the copy that was asked, and `line` the line of it that allows the page (0: none does). `found` is 0 of a
    start request, which no page led to. `error` says how the request failed, without an answer.
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
    error: str = ""


class RobotsRequest(NamedTuple):
    """A request for a robots.txt, written when it is over. Of redirects each is one."""

    at: float
    url: str
    origin: str
    status: int
    seconds: float
    size_bytes: int


class Refusal(NamedTuple):
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


class Deferral(NamedTuple):
    """A link that had to wait for the rest of its site, as one of a group that looks endless."""

    at: float
    url: str
    pattern: str


class Robots(NamedTuple):
    """From `at` on this is the origin's robots.txt, until the next such line of the same worker.

    `status` is the HTTP status of the last good answer (0: there is none), `digest` the name of its body, and `text`
    says in words what it came to.
    """

    at: float
    origin: str
    status: int
    digest: str
    text: str


class MainHost(NamedTuple):
    """The robots.txt of an origin names another host as the main one, in the Host line `line`; `why` its pages are not
    asked there (empty: they are)."""

    at: float
    origin: str
    line: str
    why: str


class Moved(NamedTuple):
    """A request for a page of a mirror that was made at the main host instead, as `there`."""

    at: float
    url: str
    origin: str
    there: str


class Sitemap(NamedTuple):
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


class Pace(NamedTuple):
    """From `at` on a delay is in force for an origin (0: none); `asked_s` is what robots.txt asks, where that is more
    (else 0)."""

    at: float
    origin: str
    seconds: float
    source: str
    asked_s: float


class RobotsWaited(NamedTuple):
    """A request has waited for its robots.txt."""

    at: float
    origin: str
    seconds: float


class Closed(NamedTuple):
    """A host is left alone for so many seconds."""

    at: float
    host: str
    origin: str
    seconds: float
    why: str


class Opened(NamedTuple):
    """A host that was closed has answered well."""

    at: float
    host: str
    origin: str


class Abandoned(NamedTuple):
    """Nobody waits for a host any longer; so many queued requests are refused."""

    at: float
    host: str
    why: str
    requests: int


class Trap(NamedTuple):
    """A group of URL patterns is suspected, cleared or ended, a person has decided of it, or `links` of it are left at
    the end of the crawl.

    `what` is one of "suspected", "cleared", "ended", "confirmed", "released", "left"; `command` is the one that has its
    links followed.
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


class Left(NamedTuple):
    """A link that stays behind at the end, and that nothing keeps."""

    at: float
    url: str
    origin: str
    reason: str
    detail: str


class Unmet(NamedTuple):
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


class Missed(NamedTuple):
    """The lines since the one before are missing: the run has reached its size."""

    at: float
    lines: int


class End(NamedTuple):
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


def fields_of(kind: type[Any]) -> dict[str, type]:
    """The values of a line of a kind, in their order: name, and float, int or str."""
    return get_type_hints(kind)


def _template(word: str, types: Iterable[type]) -> str:
    """How a line is written; times to the millisecond, texts as they are quoted before."""
    return f'["{word}",{",".join(_FORMATS[one] for one in types)}]'


def _least(kind: type[Any]) -> int:
    """How many values a line has at least: those that an earlier version did not write have a default."""
    return sum(value.default is value.empty for value in signature(kind).parameters.values())


_FORMATS: dict[type, str] = {float: "%.3f", int: "%d", str: "%s"}
#: By kind the template of its lines, and which values are texts.
_WRITTEN = {
    kind: (_template(word, types.values()), [at for at, one in enumerate(types.values()) if one is str])
    for word, kind in KINDS.items()
    for types in [fields_of(kind)]
}
#: What a value may be when it is read: a file may have been damaged, or written by somebody else.
_FITTING: dict[type, tuple[type, ...]] = {float: (int, float), int: (int,), str: (str,)}
_READ = {
    word: (kind, [_FITTING[one] for one in types.values()], _least(kind))
    for word, kind in KINDS.items()
    for types in [fields_of(kind)]
}
#: Whether values of such types make a line of a kind, as far as that was asked.
_fits: dict[tuple[object, ...], bool] = {}
_MAX_FITS = 1_000
# Of numbers that are not finite it makes None, which fits nowhere.
_decode = json.JSONDecoder(parse_constant=lambda _: None).decode


def written(record: Record) -> str:
    """One line, without its end; ASCII. Its numbers have to be finite."""
    template, texts = _WRITTEN[type(record)]
    values: list[Any] = [*record]
    for at in texts:
        values[at] = _quoted(values[at])
    return template % tuple(values)


def read(line: str | bytes) -> Record | None:
    """The record of a line; None where it is of an unknown kind, torn or damaged."""
    try:
        word, *values = _decode(line if isinstance(line, str) else line.decode("ascii", "replace"))
        kind, types, least = _READ[word]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    key = (kind, *map(type, values))
    if (fits := _fits.get(key)) is None:
        fits = len(values) >= least and all(map(isinstance, values, types))
        if len(_fits) < _MAX_FITS:
            _fits[key] = fits
    return kind(*values[: len(types)]) if fits else None
