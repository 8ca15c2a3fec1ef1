"""URL patterns of one site: few and coarse on purpose, for a pattern that is one of hundreds never feeds itself.

A pattern is `/first/*/**`: host, number of segments (one, two, more), the first segment, whether the path ends in a
slash, and the names of the parameters. Of names and sets of names only the first few are told apart, and numbers not at
all: the others are `*`. A path that never stands without parameters is a script, of which a site has a few: it is a
pattern as a whole, `/mod/forum/view.php?id`. What lies in two folders, `/tree/*/**`, has parts by the next one,
`/tree/*/person/**`: a group is made of patterns, and read and measured by their parts. Below the folder of a language
the site begins anew: `/en/news/*`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from scrapy_polite.traps.limits import (
    COMBINES,
    MORE_NAMES,
    NAMED_FROM,
    PATTERN_DEPTH,
    PATTERN_HOSTS,
    PATTERN_NAMES,
    SCRIPT_FROM,
    SCRIPTS,
)
from scrapy_polite.traps.marks import mark_of
from scrapy_polite.traps.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

#: Of so many names the URLs are counted.
MAX_COUNTED = 1_000
#: Longer names are not told apart.
_MAX_NAME = 100
_MAX_REMEMBERED = 10_000
_NO_NAME = re.compile(r"[\d *]")
#: The codes of ISO 639-1, with or without a script or a region: `/en/news/1`, `/pt-br/`, `/zh_Hans/`, `/es-419/`.
_CODES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv "
    "ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne "
    "ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st "
    "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
)
_LANGUAGE = rf"(?i:{_CODES.replace(' ', '|')})(?:[-_](?:[A-Za-z]{{2}}|[A-Z][a-z]{{3}}|\d{{3}}))?"
_PART = re.compile(rf"((?://[^/]+)?(?:/{_LANGUAGE})?/[^/]+)/\*/[^/*]+/\*\*(/?)")
_IS_LANGUAGE = re.compile(_LANGUAGE)
#: Of a page that stands without parameters, too.
_NEVER = -(1 << 48)

_Shape = tuple[str, ...]


class Patterns:
    """The patterns of one site, learned as its URLs come."""

    __slots__ = ("_asked", "_hosts", "_more", "_names", "_remembered", "_scripts", "_sets")

    def __init__(self) -> None:
        self._hosts: list[str] = []
        self._names: dict[_Shape, dict[str, int]] = {}
        self._more: Counter[_Shape] = Counter()
        #: URLs without their parameters, by their marks: how often those with some have come, and which are told apart.
        self._asked: dict[int, int] = {}
        self._scripts: dict[int, str] = {}
        self._sets: dict[str, set[int]] = {}
        self._remembered: Recent[str, tuple[str, str]] = Recent(_MAX_REMEMBERED)

    def __len__(self) -> int:
        return len(self._remembered)

    def of(self, url: str) -> str:
        """The pattern of an absolute URL."""
        return self._both(url)[0]

    def part_of(self, url: str) -> str:
        """The part of its pattern that a URL is of; mostly the pattern itself."""
        return self._both(url)[1]

    def combines(self, pattern: str) -> bool:
        """Whether so many sets of parameters were seen at a pattern's path that they are filters, combined.

        A page without any is none of these: an article may have its histories and forms at its own path.
        """
        path, has_query, _ = pattern.partition("?")
        return bool(has_query) and len(self._sets.get(path, ())) >= COMBINES

    def are_views(self, one: str, other: str) -> bool:
        """Whether two patterns are of the same path, with parameters that are combined or of which they have one in
        common: a list in another order, say."""
        (path, query, names), (other_path, _, other_names) = one.partition("?"), other.partition("?")
        if path != other_path or not query:
            return False
        return self.combines(other) or not {*names.split("&")}.isdisjoint(other_names.split("&"))

    def learned(self) -> dict[str, Any]:
        """What names are told apart, as `relearned` reads it."""
        names = [
            (shape, [name for name, count in known.items() if count >= NAMED_FROM])
            for shape, known in self._names.items()
        ]
        combined = [path for path, sets in self._sets.items() if len(sets) >= COMBINES]
        pages = [mark for mark, count in self._asked.items() if count < 0]
        return {
            "hosts": self._hosts,
            "names": names[:MAX_COUNTED],
            "scripts": list(self._scripts.values()),
            "pages": pages,
            "combined": combined[:MAX_COUNTED],
        }

    @classmethod
    def relearned(cls, learned: Mapping[str, Any]) -> Self:
        """That tell the same names apart. Raises ValueError, TypeError or LookupError for what `learned` never says."""
        self = cls()
        self._hosts = [str(host) for host in learned["hosts"]][:PATTERN_HOSTS]
        for parts, told_apart in learned["names"]:
            shape: _Shape = tuple(map(str, parts))
            if len(shape) not in (2, 3):  # of parameters, of paths
                raise ValueError(f"{len(shape)} parts of a pattern")
            self._names[shape] = dict.fromkeys(map(str, told_apart), NAMED_FROM)
            self._more[shape] = max(len(told_apart) - PATTERN_NAMES, 0)
        self._asked = dict.fromkeys(map(int, learned["pages"][:MAX_COUNTED]), _NEVER)
        for url in map(str, learned["scripts"][:SCRIPTS]):
            self._scripts[mark_of(url.lower())] = url
            self._asked[mark_of(url.lower())] = SCRIPT_FROM
        self._sets.update({str(path): set(range(COMBINES)) for path in learned["combined"]})
        return self

    def _both(self, url: str) -> tuple[str, str]:
        """The pattern and its part."""
        found = self._remembered.get(url)
        if found is None:
            found = self._read(url)
            self._remembered.put(url, found)
        return found

    def _read(self, url: str) -> tuple[str, str]:
        origin, path, query = parted(url)
        segments = path.split("/")[1:]
        host = top = self._host(origin)
        if _IS_LANGUAGE.fullmatch(segments[0]) and any(segments[1:]):
            top, segments = f"{host}/{segments[0]}", segments[1:]
        depth = min(len(segments), PATTERN_DEPTH)
        shape: _Shape = (top, str(depth), "/" if not segments[-1] else "")
        first = f"{shape[0]}/{self._name(shape, segments[0], MORE_NAMES)}"
        pattern = part = first + _REST[shape[1:]]
        if name := self._part(pattern, segments):
            part = f"{first}/*/{name}/**{shape[2]}"
        if not query:
            return pattern, part
        if depth > 1 and self._is_script(origin + path, path):
            pattern = part = host + path
        names = parameter_names(query)
        sets = self._sets.setdefault(pattern, set())
        if len(sets) < COMBINES:
            sets.add(hash(names))
        asked = self._name((pattern, "?"), names, 0)
        return f"{pattern}?{asked}", f"{part}?{asked}"

    def _part(self, pattern: str, segments: list[str]) -> str:
        """The third folder of a path, if it has one that is told apart, else empty."""
        if len(segments) <= PATTERN_DEPTH or _NO_NAME.search(third := segments[PATTERN_DEPTH - 1]):
            return ""
        name = self._name((pattern, "/"), third, MORE_NAMES)
        return "" if name == "*" else name

    def _is_script(self, url: str, path: str) -> bool:
        """Whether what a path shows depends on its parameters; `url` is without any, and stands nowhere by itself.

        In another case it may be the same script, and is no further one."""
        if len(path) > _MAX_NAME or _NO_NAME.search(path):
            return False
        asked, scripts, key = self._asked, self._scripts, mark_of(url.lower())
        if key not in asked:
            if len(asked) >= MAX_COUNTED:
                return False
            asked[key] = _NEVER if self._remembered.get(url) is not None else 0
        asked[key] += 1
        most = PATTERN_NAMES if asked[key] < SCRIPT_FROM else SCRIPTS
        if key not in scripts and asked[key] > 0 and len(scripts) < most:
            scripts[key] = url
        return scripts.get(key) == url

    def _host(self, origin: str) -> str:
        """What a pattern begins with: nothing for the first host."""
        if origin not in self._hosts:
            if len(self._hosts) >= PATTERN_HOSTS:
                return "//*"
            self._hosts.append(origin)
        return "" if origin == self._hosts[0] else f"//{origin.partition('://')[2]}"

    def _name(self, shape: _Shape, name: str, more: int) -> str:
        """A name where it is told apart, else `*`; the home page's, which is empty, always is."""
        if not name and shape[1] in ("1", "?"):
            return name
        if not name or name.isdigit() or " " in name or len(name) > _MAX_NAME:
            return "*"
        known = self._names.setdefault(shape, {})
        if not more and len(known) >= PATTERN_NAMES:
            return name if name in known else "*"
        count = known.get(name, 0) + 1
        if len(known) < PATTERN_NAMES:
            count = NAMED_FROM
        elif count == NAMED_FROM:
            if self._more[shape] >= more:
                return "*"
            self._more[shape] += 1
        if count <= NAMED_FROM and (count > 1 or len(known) < MAX_COUNTED):
            known[name] = count
        return name if count >= NAMED_FROM else "*"


#: What follows the first segment, by number of segments and end of the path.
_REST: dict[_Shape, str] = {
    ("1", ""): "",
    ("1", "/"): "",
    ("2", ""): "/*",
    ("2", "/"): "/",
    ("3", ""): "/*/**",
    ("3", "/"): "/**/",
}


def parted(url: str) -> tuple[str, str, str]:
    """Origin, without user and password, path and query of an absolute URL, as they stand in it."""
    url, _, _ = url.partition("#")
    rest, _, query = url.partition("?")
    at = rest.find("/", rest.find("://") + 3)
    if "@" in rest[:at] if at >= 0 else "@" in rest:
        scheme, _, after = rest.partition("://")
        authority, slash, path = after.partition("/")
        rest = f"{scheme}://{authority.rpartition('@')[2]}{slash}{path}"
        at = rest.find("/", len(scheme) + 3)
    return (rest, "/", query) if at < 0 else (rest[:at], rest[at:], query)


def parameter_names(query: str) -> str:
    """The names of a query's parameters, each once, sorted and joined by `&`."""
    if "&" not in query:
        return query.partition("=")[0]
    return "&".join(sorted({pair.partition("=")[0] for pair in query.split("&") if pair}))


def matches(pattern: str, url: str) -> bool:
    """Whether a URL is one of a pattern that a person has written: `*` is one segment, but not the empty one after a
    last slash, and `/**` all that follows.

    Without `?` a pattern that has no `/**` is for URLs without a query; `?*` is for any.
    """
    origin, path, query = parted(url)
    if pattern.startswith("//") and pattern[2:].partition("/")[0] not in ("*", origin.partition("://")[2]):
        return False
    path_pattern, asks, names = without_host(pattern).partition("?")
    wanted, segments = path_pattern.split("/"), path.split("/")
    open_end = "**" in wanted
    if open_end:
        wanted = wanted[: wanted.index("**")]
    if (asks or not open_end) and names not in ("*", parameter_names(query)):
        return False
    if len(segments) < len(wanted) or (not open_end and len(segments) > len(wanted)):
        return False
    if len(segments) == len(wanted) and wanted[-1] == "*" and not segments[-1]:
        return False
    return all(label in ("*", segment) for label, segment in zip(wanted, segments, strict=False))


def whole_of(part: str) -> str:
    """The pattern that a part of one is of."""
    found = _PART.match(part)
    return part if found is None else found[1] + _REST["3", found[2]] + part[found.end() :]


def without_host(pattern: str) -> str:
    """A pattern without the host that it begins with, if it is not for a site's first host."""
    if not pattern.startswith("//"):
        return pattern
    _, slash, rest = pattern[2:].partition("/")
    return slash + rest
