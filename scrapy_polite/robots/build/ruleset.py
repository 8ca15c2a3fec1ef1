"""RULES.toml: who may fetch what, since when, until when, whose rule it is and why. Text in, `RuleSet` out.

    sitemaps = ["https://example.com/sitemap.xml"]

    [[rule]]
    agents = ["*"]
    disallow = ["/cart/"]
    why = "no pages for a search engine"

What is said of a crawler: the rules in force whose `agents` name it; of one that none of them names, those that name
`*` (RFC 9309 §2.2.1). Of all their paths the longest that matches decides; of two as long, Allow (§2.2.2).
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from scrapy_polite.robots.build.toml_lines import TomlLines
from scrapy_polite.robots.inputs import InputError, fault, read_octets
from scrapy_polite.text import counted, epoch_of, printable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ANYONE = "*"
#: Octets of a rules file; what is built of it has 512,000 at most.
MAX_FILE = 8_388_608
#: Characters of a path; servers take URLs of some 8,000 at most, and readers keep 2,083 of a value.
MAX_PATH = 2_000
#: A day or more between two requests is a Disallow.
_MAX_DELAY_S = 86_400

#: Product tokens of RFC 9309 §2.2.1, and digits, which some crawlers have in theirs.
_AGENT = re.compile(r"[A-Za-z0-9_-]+")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SITEMAP = re.compile(r"https?://[^/?#\s]+[^#\s]*", re.IGNORECASE)
_AT_LINE = re.compile(r" \(at line (\d+), column \d+\)$")


@dataclass(frozen=True, slots=True)
class Rule:
    """One `[[rule]]`. `begins` and `ends` are epoch seconds: it holds from the one on, and no longer at the other."""

    agents: tuple[str, ...]
    allow: tuple[str, ...] = ()
    disallow: tuple[str, ...] = ()
    crawl_delay: float | None = None
    begins: float = -math.inf
    ends: float = math.inf
    owner: str = ""
    why: str = ""
    line: int | None = None

    def holds(self, at: float) -> bool:
        return self.begins <= at < self.ends


@dataclass(frozen=True, slots=True)
class RuleSet:
    rules: tuple[Rule, ...]
    sitemaps: tuple[str, ...] = ()

    def next_change(self, at: float) -> float | None:
        """When the next rule begins or ends to hold after a time; None if none does."""
        return min((time for time in self._times() if at < time < math.inf), default=None)

    def last_change(self, at: float) -> float:
        """When the last rule began or ended to hold, up to a time; minus infinity if none did."""
        return max((time for time in self._times() if time <= at), default=-math.inf)

    def _times(self) -> Iterator[float]:
        return (time for rule in self.rules for time in (rule.begins, rule.ends))


class _Key(NamedTuple):
    kinds: tuple[type, ...]
    expected: str
    example: str


_TEXTS = "a list of texts"
_KEYS: dict[str, _Key] = {
    "agents": _Key((list,), _TEXTS, 'agents = ["*"]'),
    "allow": _Key((list,), _TEXTS, 'allow = ["/public/"]'),
    "disallow": _Key((list,), _TEXTS, 'disallow = ["/private/"]'),
    "crawl_delay": _Key((int, float), "seconds, as a number", "crawl_delay = 10"),
    "from": _Key((date, datetime), "a date, or a date and time", "from = 2027-01-31"),
    "until": _Key((date, datetime), "a date, or a date and time", "until = 2027-01-31T12:00:00Z"),
    "owner": _Key((str,), "a text", 'owner = "shop team"'),
    "why": _Key((str,), "a text", 'why = "no pages for a search engine"'),
}


def octets_of(path: Path) -> bytes:
    """The octets of a file of rules. Raises InputError where it cannot be read."""
    octets = read_octets(path, MAX_FILE + 1, "give the path of a file of rules in TOML")
    if len(octets) > MAX_FILE:
        fix = "use wildcards, or folders in place of files"
        raise fault(path, None, f"longer than {counted(MAX_FILE, 'byte')}", fix)
    return octets


def rules_of(path: Path, octets: bytes) -> RuleSet:
    """The rules that these octets say; `path` is what the file is called.

    Raises InputError, which names the file, the line and the fix.
    """
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = octets.count(b"\n", 0, error.start) + 1
        raise fault(path, line, "no UTF-8 text", "save the file as UTF-8") from error
    try:
        file = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _no_toml(path, text, error) from error
    except (RecursionError, ValueError) as error:
        raise fault(path, None, "no TOML", 'write tables such as [[rule]], and keys such as agents = ["*"]') from error
    return _Reader(path, text.replace("\r\n", "\n")).rule_set(file)


def _no_toml(path: Path, text: str, error: ValueError) -> InputError:
    message = str(error)
    place = _AT_LINE.search(message)
    line = int(place[1]) if place else text.count("\n") + 1
    what = printable(_AT_LINE.sub("", message).removesuffix(" (at end of document)"), 150)
    twice = "overwrite" in message
    fix = "delete one of the two" if twice else 'write texts in quotes, as in agents = ["*"], and dates as 2027-01-31'
    return fault(path, line, f"no TOML: {what}", fix)


class _Reader:
    """Makes rules of what the parser has made of a file; where one is wrong, says where it stands."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = TomlLines(text)

    def rule_set(self, file: dict[str, Any]) -> RuleSet:
        for key in file:
            if key not in ("rule", "sitemaps"):
                fix = f"put {key} below [[rule]]" if key in _KEYS else "the top has sitemaps and tables [[rule]]"
                line = self._lines.key(key, None) or self._lines.first_table(key)
                raise self._fault(line, f"unknown key {_quoted(key)}", fix)
        sitemaps = tuple(dict.fromkeys(self._sitemaps(file.get("sitemaps", []))))
        tables = file.get("rule", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            line = self._lines.tables("rule", 1)[0]
            raise self._fault(line, "rule is no list of tables", "write [[rule]] above each rule")
        headers = self._lines.tables("rule", len(tables))
        rules = tuple(self._rule(table, header) for table, header in zip(tables, headers, strict=True))
        if not rules:
            raise self._fault(None, "holds no rule", 'write [[rule]], and below it agents = ["*"] and disallow = []')
        return RuleSet(rules, sitemaps)

    def _sitemaps(self, value: object) -> Iterator[str]:
        line = self._lines.key("sitemaps", None)
        expected = _Key((list,), _TEXTS, 'sitemaps = ["https://example.com/sitemap.xml"]')
        for text in self._texts("sitemaps", value, expected, line):
            if not _SITEMAP.fullmatch(text) or not text.isprintable():
                what = f"sitemap {_quoted(text)} is no absolute URL"
                raise self._fault(self._lines.value(text, line), what, "write it as https://example.com/sitemap.xml")
            yield text if text.isascii() else _encoded(text)

    def _rule(self, table: dict[str, Any], header: int | None) -> Rule:
        lines = {key: self._lines.key(key, header) for key in table}
        self._check_keys(table, lines)
        self._check_says(table, header, lines)
        for name in table["agents"]:
            self._check_agent(name, lines["agents"])
        for key in ("allow", "disallow"):
            for path in table.get(key, ()):
                self._check_path(path, key, lines[key])
        begins, ends = _begins(table.get("from")), _ends(table.get("until"))
        if begins >= ends:
            what = f"the rule ends ({table['until']}) before it begins ({table['from']})"
            raise self._fault(lines["until"], what, "write an until that is later than from")
        return Rule(
            agents=tuple(dict.fromkeys(table["agents"])),
            allow=tuple(table.get("allow", ())),
            disallow=tuple(table.get("disallow", ())),
            crawl_delay=table.get("crawl_delay"),
            begins=begins,
            ends=ends,
            owner=table.get("owner", ""),
            why=table.get("why", ""),
            line=header,
        )

    def _check_keys(self, table: dict[str, Any], lines: dict[str, int | None]) -> None:
        for key, value in table.items():
            known = _KEYS.get(key)
            if known is None:
                raise self._fault(lines[key], f"unknown key {_quoted(key)}", f"the keys are {', '.join(_KEYS)}")
            if isinstance(value, bool) or not isinstance(value, known.kinds):
                raise self._wrong_type(key, known, lines[key])
            if known.expected == _TEXTS:
                self._texts(key, value, known, lines[key])

    def _check_says(self, table: dict[str, Any], header: int | None, lines: dict[str, int | None]) -> None:
        if not table.get("agents"):
            raise self._fault(lines.get("agents", header), "a rule has no agents", 'write agents = ["*"] for everybody')
        if not table.keys() & {"allow", "disallow", "crawl_delay"}:
            raise self._fault(header, "a rule says nothing", "write disallow = [] where all may be fetched")
        delay = table.get("crawl_delay")
        if delay is not None and not 0 < delay <= _MAX_DELAY_S:
            fix = f"write seconds, {_MAX_DELAY_S:,} at most, or leave it out"
            raise self._fault(lines["crawl_delay"], f"crawl_delay is {delay}", fix)

    def _texts(self, key: str, value: object, known: _Key, line: int | None) -> list[str]:
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self._wrong_type(key, known, line)
        return value

    def _check_agent(self, name: str, line: int | None) -> None:
        if name == ANYONE or _AGENT.fullmatch(name):
            return
        line = self._lines.value(name, line)
        if "*" in name:
            fix = "write the whole name, such as Googlebot, or * alone for everybody"
            raise self._fault(line, f"agent {_quoted(name)} has a wildcard, which no reader knows in a name", fix)
        fix = "write the product token alone, such as Googlebot (letters, digits, - and _)"
        raise self._fault(line, f"agent {_quoted(name)} is no crawler's name", fix)

    def _check_path(self, path: str, key: str, line: int | None) -> None:
        wrong = _wrong_path(path)
        if wrong:
            what, fix = wrong
            raise self._fault(self._lines.value(path, line), f"{key} {_quoted(path)} {what}", fix)

    def _wrong_type(self, key: str, known: _Key, line: int | None) -> InputError:
        return self._fault(line, f"{key} is not {known.expected}", f"write it as {known.example}")

    def _fault(self, line: int | None, what: str, fix: str) -> InputError:
        return fault(self._path, line, what, fix)


def _wrong_path(path: str) -> tuple[str, str] | None:
    """What is wrong with a path, and the fix."""
    if not path:
        return "is empty", "leave it out; a rule with disallow = [] lets everything be fetched"
    if not path.startswith("/"):
        if "://" in path:
            return "is a whole URL", "write what comes after the host, such as /private/"
        return "does not begin with a slash", f"write {_quoted('/' + path)}"
    if "#" in path:
        return "has a '#', which begins a comment", "write %23, or leave it out: a fragment is never sent to a server"
    if any(char.isspace() or not char.isprintable() for char in path):
        return "has a space or a control character", "write it percent-encoded, a space as %20"
    if _BAD_ESCAPE.search(path):
        return "has a '%' without two hexadecimal digits", "write %25 for the character itself"
    if len(path) > MAX_PATH:
        return f"is longer than {MAX_PATH:,} characters", "shorten it: a rule matches all paths that begin with it"
    return None


def _begins(value: date | datetime | None) -> float:
    return -math.inf if value is None else epoch_of(value.isoformat())


def _ends(value: date | datetime | None) -> float:
    """A date alone is the last day on which the rule holds."""
    if value is None:
        return math.inf
    ends = epoch_of(value.isoformat())
    return ends if isinstance(value, datetime) else ends + timedelta(days=1).total_seconds()


def _encoded(text: str) -> str:
    return "".join(char if char.isascii() else "".join(f"%{octet:02X}" for octet in char.encode()) for char in text)


def _quoted(text: str) -> str:
    return repr(printable(text, 80))
