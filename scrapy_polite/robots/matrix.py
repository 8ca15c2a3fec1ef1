"""A matrix of verdicts: many crawlers, many URLs, one robots.txt, under each dialect; and what was expected of it.

Knows no Scrapy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.robots.inputs import agent_of, fault, text_lines, url_of
from scrapy_polite.robots.paths import path_of
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy_polite.decision import Decision
    from scrapy_polite.robots.dialect import Dialect

_DIGIT = re.compile(r"[0-9]")
#: Crawlers that are named in one line of the table.
_MAX_NAMED = 20

_WORDS = {"allow": True, "allowed": True, "disallow": False, "disallowed": False, "refuse": False, "refused": False}
FORM = "allow|disallow AGENT URL [line=N] [dialect=NAME]"
_GIVE = f"give: {FORM}"


class Cell(NamedTuple):
    """What one file says to one crawler of one URL, read in one dialect."""

    agent: str
    url: str
    dialect: str
    decision: Decision


class Expectation(NamedTuple):
    """A line of a file of expectations: `number` is its own, `line` that of the rule that has to decide (0: none may;
    None: whichever), `dialect` the one in which it has to hold (None: in each)."""

    number: int
    allowed: bool
    agent: str
    url: str
    line: int | None
    dialect: str | None


class Mismatch(NamedTuple):
    expected: Expectation
    cell: Cell


class Readers:
    """One robots.txt as many crawlers read it, in several dialects.

    Crawlers whom the file does not name read the same in it: it is parsed, and asked, once for all of them.
    """

    def __init__(self, body: bytes, dialects: Sequence[Dialect]) -> None:
        self._body = body
        self.dialects = tuple(dialects)
        self._read: dict[tuple[str, str], RobotsTxt] = {}
        self._shared: dict[tuple[str, str | None], RobotsTxt] = {}

    def of(self, agent: str, dialect: Dialect) -> RobotsTxt:
        key = agent, dialect.name
        found = self._read.get(key)
        if found is None:
            found = RobotsTxt.parse(self._body, agent, dialect=dialect)
            # A name with digits is read in several ways (`groups.readings`).
            if found.group in (None, "*") and not _DIGIT.search(found.token or ""):
                found = self._shared.setdefault((dialect.name, found.group), found)
            self._read[key] = found
        return found

    def cells(self, agents: Sequence[str], urls: Iterable[str]) -> Iterator[list[Cell]]:
        """Yield, of each URL, its cells: by dialect, then by crawler."""
        rows = [(agent, dialect.name, self.of(agent, dialect)) for dialect in self.dialects for agent in agents]
        distinct = list({id(robots): robots for _, _, robots in rows}.values())
        numbers = {id(robots): number for number, robots in enumerate(distinct)}
        columns = [(agent, dialect, numbers[id(robots)]) for agent, dialect, robots in rows]
        for url in urls:
            path = path_of(url)
            decisions = [robots.decide_path(path) for robots in distinct]
            yield [Cell(agent, url, dialect, decisions[number]) for agent, dialect, number in columns]

    def mismatches(self, expectations: Iterable[Expectation]) -> Iterator[Mismatch]:
        """Yield what is not as it is expected to be, in the order of the expectations."""
        for expected in expectations:
            for dialect in self.dialects:
                if expected.dialect not in (None, dialect.name):
                    continue
                decision = self.of(expected.agent, dialect).decide(expected.url)
                line = expected.line is None or expected.line == (decision.line or 0)
                if decision.allowed != expected.allowed or not line:
                    yield Mismatch(expected, Cell(expected.agent, expected.url, dialect.name, decision))


def read_expectations(path: Path) -> list[Expectation]:
    """The lines `allow|disallow AGENT URL [line=N] [dialect=NAME]` of a file. Raises InputError.

    AGENT is a product token, or `*` for any crawler that the file does not name; URL may be a path.
    """
    found = [_expectation(path, number, text) for number, text in text_lines(path)]
    if not found:
        raise fault(path, None, "expects nothing", _GIVE)
    said: dict[tuple[str, str, str | None], Expectation] = {}
    for one in found:
        before = said.setdefault((one.agent.lower(), one.url, one.dialect), one)
        if before.allowed != one.allowed:
            raise fault(path, one.number, f"contradicts line {before.number}", "delete one of the two")
    return found


def _expectation(path: Path, number: int, text: str) -> Expectation:
    words = text.split()
    if len(words) < 3 or words[0].lower().rstrip(":") not in _WORDS:
        raise fault(path, number, f"{printable(text, 60)!r} is no expectation", _GIVE)
    verdict, agent, url, *rest = words
    line: int | None = None
    dialect: str | None = None
    for word in rest:
        name, _, value = word.partition("=")
        if name == "line" and value.isascii() and value.isdigit() and len(value) < 10:
            line = int(value)
        elif name == "dialect" and value in DIALECTS:
            dialect = value
        elif name == "dialect":
            what = f"{printable(value, 40)!r} is no dialect"
            raise fault(path, number, what, f"give one of {', '.join(DIALECTS)}")
        else:
            raise fault(path, number, f"{printable(word, 40)!r} is not known", _GIVE)
    allowed = _WORDS[verdict.lower().rstrip(":")]
    return Expectation(number, allowed, agent_of(path, number, agent), url_of(path, number, url), line, dialect)


def evidence(decision: Decision) -> str:
    """What decided, in a few words."""
    return printable(decision.detail, 250) if decision.line is not None else _word(decision.reason)


def _word(reason: str) -> str:
    return reason.partition("/")[2].replace("-", " ")


def as_text(cells: Sequence[Cell], dialects: int) -> list[str]:
    """One URL of the matrix for a person: a line for each verdict, with the crawlers that it is for."""
    lines = [printable(cells[0].url, 300)]
    by_dialects: dict[tuple[Decision, tuple[str, ...]], list[str]] = {}
    for (agent, decision), names in _by_agent(cells).items():
        by_dialects.setdefault((decision, tuple(names)), []).append(agent)
    for (decision, read_in), agents in by_dialects.items():
        who = ", ".join(printable(agent, 60) for agent in agents[:_MAX_NAMED])
        if len(agents) > _MAX_NAMED:
            who += f" and {len(agents) - _MAX_NAMED:,} more"
        read_as = "" if len(read_in) == dialects else f"  (read as {', '.join(read_in)})"
        lines.append(f"  {_verdict(decision):<10}  {evidence(decision)}  {who}{read_as}")
    return lines


def _by_agent(cells: Sequence[Cell]) -> dict[tuple[str, Decision], list[str]]:
    found: dict[tuple[str, Decision], list[str]] = {}
    for cell in cells:
        found.setdefault((cell.agent, cell.decision), []).append(cell.dialect)
    return found


def _verdict(decision: Decision) -> str:
    return "allowed" if decision.allowed else "refused"


class JsonCells:
    """Cells as JSON, an object a line; what many of them share is written once."""

    def __init__(self) -> None:
        self._quoted: dict[str, str] = {}
        self._decided: dict[Decision, str] = {}

    def lines(self, cells: Sequence[Cell]) -> Iterator[str]:
        url = json.dumps(cells[0].url)
        for agent, _, dialect, decision in cells:
            decided = self._decided.get(decision)
            if decided is None:
                decided = self._decided[decision] = ", ".join(_json_decision(decision))
            yield f'{{"url": {url}, "agent": {self._quote(agent)}, "dialect": {self._quote(dialect)}, {decided}}}'

    def _quote(self, text: str) -> str:
        return self._quoted.get(text) or self._quoted.setdefault(text, json.dumps(text))


def _json_decision(decision: Decision) -> Iterator[str]:
    for name in ("allowed", "reason", "line", "rule"):
        yield f'"{name}": {json.dumps(getattr(decision, name))}'


def mismatch_text(expectations: Path, robots: str, mismatch: Mismatch) -> str:
    expected, cell = mismatch
    wanted = "allowed" if expected.allowed else "refused"
    if expected.line is not None:
        wanted += f" by line {expected.line}" if expected.line else " by no line"
    return (
        f"{printable(str(expectations), 300)}, line {expected.number}: {printable(expected.agent, 60)} is "
        f"{_verdict(cell.decision)} at {printable(expected.url, 300)}, expected {wanted}: "
        f"{printable(robots, 300)} says {evidence(cell.decision)} (read as {cell.dialect})"
    )


def mismatch_json(mismatch: Mismatch) -> str:
    expected, cell = mismatch
    said = {name: getattr(cell.decision, name) for name in ("allowed", "reason", "line", "rule")}
    wanted = {"expected": expected.allowed, "expected_line": expected.line, "expected_at": expected.number}
    return json.dumps({"url": cell.url, "agent": cell.agent, "dialect": cell.dialect, **said, **wanted})


def one_dialect_each(names: Sequence[str] | None) -> list[Dialect]:
    """The dialects of these names, each once; all where none is named."""
    return [DIALECTS[name] for name in dict.fromkeys(names or DIALECTS)]
