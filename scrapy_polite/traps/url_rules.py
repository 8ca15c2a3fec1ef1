"""URL rules: what a single URL says about the endless space that it comes from.

A trap that adds to its own URL with every step (relative links on an error page, queries appended to queries, escapes
escaped again) betrays itself within a few steps. Heritrix, Nutch, StormCrawler and BUbiNG have rules of this kind. Here
loops are looked for in the path alone, whatever their period. `benchmarks/url_rules.py` prints every real URL that
meets a rule.

Time is linear in the URL's length and bounded: of a URL the first 8,192 characters are looked at, and of these the
first 128 segments for loops. Every rule asks for *so many or more* of something, so what is left out can hide a hit and
never make one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import NamedTuple

_LOOKED_AT = 8_192
_LOOKED_AT_FOR_LOOPS = 128
_MAX_QUOTED = 60

_URL = re.compile(r"[^/?#]*//([^/?#]*)([^?#]*)\??([^#]*)")
_SHARD = re.compile(r"[0-9A-Fa-f]{1,2}")
# `-`, `..`, nothing between two slashes, a single character.
_PLACEHOLDER = re.compile(r"[\W_]*|.")
# Or what separates URLs in a list or a text, such as a query in SPARQL, which is no nest.
_EMBEDDED_URL = re.compile(r"(https?(?::|%(?:25)*3A)(?:/|%(?:25)*2F))|[&,|+>]|%(?:2C|7C|20|0A|2B|3E)", re.IGNORECASE)
_ENTITY = re.compile(r"(?:amp(?:;|%3B))+", re.IGNORECASE)
_BACKSLASHES = re.compile(r"(?:\\|%5C)+", re.IGNORECASE)
_QUOTE = r"(?:%2[27]|[\"'])"
# Linear: what each alternative reads ends with the segment.
_SCRIPT = re.compile(
    rf"/(?:(?:\\|%5C)+{_QUOTE}|(\\|%5C)/\1/|{_QUOTE}(?:%20| )?\+[^/]*\+(?:%20| )?{_QUOTE})", re.IGNORECASE
)
_BBCODE = re.compile(
    r"(?:\[|%5B)(?:/|%2F)(?:b|i|u|s|url|img|email|quote|code|list|size|color|font)(?:\]|%5D)", re.IGNORECASE
)
_ARRAY_NAME = ("[]", "%5B%5D", "%5b%5d")


class Hit(NamedTuple):
    """A rule that a URL meets, and a line that says by what: the network's text, to be escaped before it is shown."""

    rule: str
    detail: str


@dataclass(frozen=True, slots=True)
class UrlRules:
    """Limits, and the names of the rules to leave out; the rules are `RULES`.

    A URL is refused above a limit named `max_`, from any other on. Raises ValueError for an unknown name or a limit
    that every URL would meet.
    """

    #: Characters from how many on a URL is worth counting: of no rule here, see `services.trap_judge`.
    long_length: int = 1024
    #: Copies in a row of a block of up to `longest_period` segments. Fewer are no proof: a town in a district and a
    #: region of its name, moves by which a game of chess comes back to a position three times, the answers of a key to
    #: plants.
    repeats: int = 10
    longest_period: int = 8
    #: Times that a segment occurs in a path, unless it is a single character or has no letter or digit. Fewer are no
    #: proof: those answers, packages within packages.
    segment_times: int = 10
    #: Segments, but for empty ones and one or two hex digits (directories that are sharded by a hash).
    max_depth: int = 20
    #: Parameters of a query, unless the value is empty. Fewer are no proof: a table of fifty years.
    max_parameters: int = 64
    #: Times that a name with the same value occurs in a query, unless the value is empty. Fewer are no proof: the
    #: answers of a key to plants, the strings of a guitar.
    pair_times: int = 10
    #: Times that a name occurs in a query, unless it ends with `[]`: boxes ticked in a form are as many, and years.
    name_times: int = 64
    #: Rounds of escaping: `%252525` is three, and so are the seven backslashes that addslashes() makes of one quote.
    escapes: int = 3
    #: Rounds of HTML escaping: `&amp;amp;` is two.
    entities: int = 2
    #: URLs within the path, or within one parameter.
    nested_urls: int = 3
    max_host_labels: int = 8
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name in sorted(self.without - RULES.keys()):
            near = get_close_matches(name, RULES, 1)
            raise ValueError(f"no URL rule is named {name!r}: expected {near[0] if near else ', '.join(sorted(RULES))}")
        for limit, least in _LEAST.items():
            if getattr(self, limit) < least:
                raise ValueError(f"{limit!r} is {getattr(self, limit)!r}, expected {least} or more")

    def hits(self, url: str) -> list[Hit]:
        """Every rule that a URL meets, in the order of `RULES`. Any string will do; nothing is raised."""
        parts = _parts(url)
        active = ((name, find) for name, find in RULES.items() if name not in self.without)
        return [Hit(name, detail) for name, find in active if (detail := find(parts, self))]


class _Parts(NamedTuple):
    """A URL cut up; `tail` is path and query without the fragment."""

    host: str
    path: str
    tail: str
    segments: Sequence[str]
    repeated: int  # segments that occurred before in the same path
    pairs: Sequence[str]


def _parts(url: str) -> _Parts:
    text = url[:_LOOKED_AT]
    match = _URL.match(text)
    if match is None:
        return _Parts("", "", "", (), 0, ())
    host, path, query = match.groups()
    segments = path[1:].split("/")
    if not segments[-1]:
        segments.pop()  # a slash at the end begins no segment
    pairs: Sequence[str] = _pairs(query) if query else ()
    if len(url) > _LOOKED_AT:
        segments, pairs = segments[:-1], pairs[:-1]  # the last may be cut, and so equal to what it is not
    repeated = len(segments) - len(set(segments))
    return _Parts(host, path, text[match.end(1) : match.end()], segments, repeated, pairs)


def _pairs(query: str) -> list[str]:
    if "&" not in query:
        query = query.replace(";", "&")
    # A query that was appended to a query: `?page=1?page=2`.
    return query.replace("?", "&").split("&")


def _host_labels(parts: _Parts, limits: UrlRules) -> str:
    if parts.host.count(".") < limits.max_host_labels:
        return ""
    host = parts.host.rpartition("@")[2].partition(":")[0].rstrip(".")
    labels = host.count(".") + 1
    return f"{labels} labels, limit {limits.max_host_labels}" if labels > limits.max_host_labels else ""


def _repeated_segments(parts: _Parts, limits: UrlRules) -> str:
    if parts.repeated < limits.repeats - 1:
        return ""
    segments = parts.segments[:_LOOKED_AT_FOR_LOOPS]
    for period in range(1, min(limits.longest_period, len(segments) // limits.repeats) + 1):
        run = 0  # segments up to here that are equal to the one a period earlier
        for last in range(period, len(segments)):
            if segments[last] != segments[last - period]:
                run = 0
                continue
            run += 1
            copies = run // period + 1
            if run % period == 0 and copies >= limits.repeats:
                block = segments[last - period + 1 : last + 1]
                return f"{_quoted('/' + '/'.join(block))} {copies} times in a row"
    return ""


def _frequent_segment(parts: _Parts, limits: UrlRules) -> str:
    if parts.repeated < limits.segment_times - 1:
        return ""
    for segment, times in Counter(parts.segments).items():
        if times >= limits.segment_times and not _PLACEHOLDER.fullmatch(segment):
            return f"segment {_quoted(segment)} {times} times"
    return ""


def _path_depth(parts: _Parts, limits: UrlRules) -> str:
    if len(parts.segments) <= limits.max_depth:
        return ""
    depth = sum(len(segment) > 2 or not _SHARD.fullmatch(segment) for segment in parts.segments if segment)
    return f"{depth} segments, limit {limits.max_depth}" if depth > limits.max_depth else ""


def _query_parameters(parts: _Parts, limits: UrlRules) -> str:
    if len(parts.pairs) <= limits.max_parameters:
        return ""
    # The empty ones are those that a visitor left out of a search form.
    parameters = sum(1 for pair in parts.pairs if pair and not pair.endswith("="))
    return f"{parameters} parameters, limit {limits.max_parameters}" if parameters > limits.max_parameters else ""


def _repeated_parameter(parts: _Parts, limits: UrlRules) -> str:
    if len(parts.pairs) < limits.pair_times:
        return ""
    for pair, times in Counter(parts.pairs).items():
        if times >= limits.pair_times and pair.partition("=")[2]:
            return f"parameter {_quoted(pair)} {times} times"
    return ""


def _frequent_parameter(parts: _Parts, limits: UrlRules) -> str:
    if len(parts.pairs) < limits.name_times:
        return ""
    for name, times in Counter(pair.partition("=")[0] for pair in parts.pairs).items():
        if times >= limits.name_times and name and not name.endswith(_ARRAY_NAME):
            return f"parameter name {_quoted(name)} {times} times"
    return ""


def _growing_encoding(parts: _Parts, limits: UrlRules) -> str:
    tail = parts.tail
    if "%25" in tail and "%" + "25" * limits.escapes in tail:
        return f"escaped {limits.escapes} times over or more"
    if "amp" in tail:
        times = max((match.lower().count("amp") for match in _ENTITY.findall(tail)), default=0)
        if times >= limits.entities:
            return f"& escaped for HTML {times} times over"
    if "\\" in tail or "%5C" in tail or "%5c" in tail:
        runs = (len(match.replace("%5C", "\\").replace("%5c", "\\")) for match in _BACKSLASHES.findall(tail))
        longest = max(runs, default=0)
        if longest >= 2**limits.escapes - 1:
            return f"{longest} backslashes in a row"
    return ""


def _nested_urls(parts: _Parts, limits: UrlRules) -> str:
    if parts.tail.count("http") < limits.nested_urls:
        return ""
    most = nest = 0
    for match in _EMBEDDED_URL.finditer(parts.tail):
        nest = nest + 1 if match[1] else 0
        most = max(most, nest)
    return f"{most} URLs in one another" if most >= limits.nested_urls else ""


def _script_fragment(parts: _Parts, limits: UrlRules) -> str:
    match = _SCRIPT.search(parts.path)
    return f"{_quoted(match[0])} is a piece of a script's string" if match else ""


def _bbcode(parts: _Parts, limits: UrlRules) -> str:
    match = _BBCODE.search(parts.tail) if "]" in parts.tail or "%5" in parts.tail else None
    return f"{_quoted(match[0])} is a forum's markup" if match else ""


def _quoted(text: str) -> str:
    return f"'{text}'" if len(text) <= _MAX_QUOTED else f"'{text[:_MAX_QUOTED]}...'"


#: In the order in which they are asked: what says most about the trap comes first. Each returns the line that says by
#: what a URL meets it, empty if it does not.
RULES: dict[str, Callable[[_Parts, UrlRules], str]] = {
    "host-labels": _host_labels,
    "repeated-segments": _repeated_segments,
    "frequent-segment": _frequent_segment,
    "growing-encoding": _growing_encoding,
    "nested-urls": _nested_urls,
    "script-fragment": _script_fragment,
    "bbcode": _bbcode,
    "repeated-parameter": _repeated_parameter,
    "frequent-parameter": _frequent_parameter,
    "path-depth": _path_depth,
    "query-parameters": _query_parameters,
}

#: The least value of each limit with which ordinary URLs still pass.
_LEAST = {
    "long_length": 1,
    "repeats": 2,
    "longest_period": 1,
    "segment_times": 2,
    "max_depth": 0,
    "max_parameters": 0,
    "pair_times": 2,
    "name_times": 2,
    "escapes": 1,
    "entities": 1,
    "nested_urls": 1,
    "max_host_labels": 1,
}
