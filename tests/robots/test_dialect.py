"""The seam between robots.txt and its dialects: a dialect of 1996, in some forty lines, changes each thing there is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

import pytest

from scrapy_polite.robots import RFC, Dialect, RobotsTxt
from scrapy_polite.robots.dialect import NO_RULE, TOO_COSTLY, Group, Rule
from scrapy_polite.robots.lines import ALLOW, DISALLOW, USER_AGENT, Directive, Misread, directives

_ESCAPE_BUT_SLASH = re.compile(r"%(?!2[fF])[0-9a-fA-F]{2}")


def _records(lines: Sequence[bytes]) -> Iterator[list[Directive]]:
    """What stands between blank lines; a line with nothing but a comment is none."""
    record: list[Directive] = []
    for directive in directives(lines, Misread()):
        number = directive[0]
        before = record[-1][0] if record else number - 1
        if any(not line.strip() for line in lines[before : number - 1]):
            yield record
            record = []
        record.append(directive)
    yield record


def _groups(lines: Sequence[bytes], token: str | None) -> list[Group]:
    """The first record that names a part of the crawler's name, or is named by it; else the first `*`."""
    name = (token or "").lower()
    everyone = Group(None, [], {}, Misread())
    for record in _records(lines):
        agents = [value.decode("latin-1").lower() for _, field, value, _ in record if field == USER_AGENT]
        rules = [(line, field == ALLOW, value, text) for line, field, value, text in record if field <= ALLOW]
        own = next((agent for agent in agents if agent.strip("*") and name and (agent in name or name in agent)), None)
        if own:
            return [Group(own, rules, {}, Misread())]
        if "*" in agents and everyone.name is None:
            everyone = Group("*", rules, {}, Misread())
    return [everyone]


def _spelled(path: str) -> str:
    return _ESCAPE_BUT_SLASH.sub(lambda escape: unquote(escape[0], "latin-1"), path).replace("%2f", "%2F")


class FirstMatch(NamedTuple):
    """The first rule in the file that begins the path; nothing in it is a wildcard."""

    rules: list[tuple[int, str]]

    @classmethod
    def of(cls, rules: Sequence[Rule], max_cost: int) -> FirstMatch:
        return cls([(line, _spelled(pattern.decode("latin-1"))) for line, _, pattern, _ in rules])

    def deciding_line(self, path: str) -> int:
        spelled = _spelled(path)
        return next((line for line, beginning in self.rules if spelled.startswith(beginning)), NO_RULE)

    def size_bytes(self) -> int:
        return 100 * len(self.rules)


CLASSIC = Dialect("classic", _groups, FirstMatch.of)

#: Body; crawler; path; what is allowed, and by which line (None: none), in the dialect of 1996 and by RFC 9309.
CASES = {
    "a blank line ends a record": (
        b"User-agent: a\n\nDisallow: /x\n\nUser-agent: *\nDisallow: /y",
        ("a", "/x"),
        (True, None),
        (False, 3),
    ),
    "a comment does not": (b"User-agent: a\n# so\nDisallow: /x", ("a", "/x"), (False, 3), (False, 3)),
    "a name is found in a name": (b"User-agent: foo\nDisallow: /", ("FooBot", "/x"), (False, 2), (True, None)),
    "and around one": (b"User-agent: foobot-news\nDisallow: /", ("foobot", "/x"), (False, 2), (True, None)),
    "records are not merged": (
        b"User-agent: a\nDisallow: /x\n\nUser-agent: a\nDisallow: /y",
        ("a", "/y"),
        (True, None),
        (False, 5),
    ),
    "the first rule decides": (b"User-agent: *\nAllow: /x\nDisallow: /x/y", ("a", "/x/y"), (True, 2), (False, 3)),
    "an empty one opens": (b"User-agent: *\nDisallow:\nDisallow: /", ("a", "/x"), (True, 2), (False, 3)),
    "a star is a star": (b"User-agent: *\nDisallow: /*.pdf", ("a", "/x.pdf"), (True, None), (False, 2)),
    "and meets a star": (b"User-agent: *\nDisallow: /*.pdf", ("a", "/*.pdf"), (False, 2), (False, 2)),
    "a dollar is a dollar": (b"User-agent: *\nDisallow: /x$", ("a", "/x$y"), (False, 2), (True, None)),
    "escapes are characters": (b"User-agent: *\nDisallow: /%7ejoe", ("a", "/~joe"), (False, 2), (False, 2)),
    "but an escaped slash": (b"User-agent: *\nDisallow: /a%2fb", ("a", "/a/b"), (True, None), (True, None)),
    "which is itself": (b"User-agent: *\nDisallow: /a%2fb", ("a", "/a%2Fb/c"), (False, 2), (False, 2)),
    "robots.txt is open": (b"User-agent: *\nDisallow: /", ("a", "/robots.txt"), (True, None), (True, None)),
}


@pytest.mark.parametrize(("body", "question", "classic", "rfc"), CASES.values(), ids=CASES)
def test_a_dialect_says_who_is_meant_and_which_rule_decides(
    body: bytes, question: tuple[str, str], classic: tuple[bool, int | None], rfc: tuple[bool, int | None]
) -> None:
    agent, path = question
    for dialect, expected in ((CLASSIC, classic), (RFC, rfc)):
        decision = RobotsTxt.parse(body, agent, dialect=dialect).decide(f"http://example.com{path}")
        assert (decision.allowed, decision.line) == expected, dialect.name


def test_what_no_dialect_decides_is_the_same_in_all() -> None:
    body = b"\xef\xbb\xbfUser-agent: *\nDisallow: /x   # keep out\n"
    parsed = [RobotsTxt.parse(body, "a", dialect=dialect) for dialect in (RFC, CLASSIC)]
    assert [robots_txt.dialect for robots_txt in parsed] == ["rfc", "classic"]
    assert len({(robots_txt.group, robots_txt.rule_count) for robots_txt in parsed}) == 1
    assert {robots_txt.decide("http://example.com/x/y").detail for robots_txt in parsed} == {"line 2: Disallow: /x"}
    assert all(robots_txt.size_bytes > 0 for robots_txt in parsed)
    utf16 = "\ufeffUser-agent: *\nDisallow: /x\n".encode("utf-16-le")
    assert not RobotsTxt.parse(utf16, "a", dialect=CLASSIC).decide("http://example.com/x").allowed


def test_of_several_readings_what_all_allow_is_allowed_and_the_first_rule_is_named() -> None:
    def readings(lines: Sequence[bytes], token: str | None) -> list[Group]:
        rules = [(line, field == ALLOW, value, text) for line, field, value, text in directives(lines, Misread())]
        parts = ([], rules[1:2], rules[2:])
        return [Group("*", list(part), {}, Misread()) for part in parts]

    dialect = Dialect("each rule by itself", readings, FirstMatch.of)
    robots_txt = RobotsTxt.parse(b"User-agent: *\nAllow: /\nDisallow: /x", "a", dialect=dialect)
    assert robots_txt.decide("http://example.com/y").line == 2
    assert robots_txt.decide("http://example.com/x").line == 3
    assert robots_txt.rule_count == 2


def test_a_dialect_may_give_up_on_a_path() -> None:
    class GivesUp(FirstMatch):
        def deciding_line(self, path: str) -> int:
            return TOO_COSTLY

    dialect = Dialect("gives up", _groups, lambda rules, max_cost: GivesUp([]))
    decision = RobotsTxt.parse(b"User-agent: *\nDisallow: /x", "a", dialect=dialect).decide("http://example.com/")
    assert (decision.allowed, decision.reason) == (False, "robots/too-costly")


def test_a_disallow_is_told_from_its_line_however_it_is_spelled() -> None:
    assert {DISALLOW, ALLOW} == {field for field in range(10) if 0 < field <= ALLOW}
    body = b"User-agent: *\ndisalow /x\n Allowed : /y\n"
    robots_txt = RobotsTxt.parse(body, "a")
    found = [robots_txt.decide(f"http://example.com{path}") for path in ("/x", "/y", "/x")]
    assert [(decision.reason, decision.rule) for decision in found] == [
        ("robots/disallow", "disalow /x"),
        ("robots/allow", "Allowed : /y"),
        ("robots/disallow", "disalow /x"),
    ]
    assert found[0] is found[2]
