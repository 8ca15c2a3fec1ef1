"""A robots.txt as its checks see it: lines, what each of them says and where, groups, and what an edit makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from scrapy_polite.robots.lines import (
    ALLOW,
    COMPRESSED,
    USER_AGENT,
    UTF16_MARKS,
    Directive,
    Misread,
    bridged,
    directives,
    looks_like_html,
    split_lines,
)
from scrapy_polite.robots.lint.finding import Ask, Edit
from scrapy_polite.robots.paths import path_of
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy_polite.robots.dialect import Rule

ANYONE = "*"
#: Rules that are looked at of one file, for all the crawlers that it names: a real one has 31,843. Without a bound some
#: 14,000 names in each of two groups of 14,000 rules would be 400 million.
MAX_TOLD = 100_000
_TOKEN = re.compile(rb"[A-Za-z0-9_-]+")


@dataclass(slots=True)
class Group:
    """User-agent lines and the rules below them, up to the next User-agent line (RFC 9309 §2.1)."""

    agents: list[Directive] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Whom it addresses, `*` first: see `agent_of`."""
        names = dict.fromkeys(name for _, _, value, _ in self.agents if (name := agent_of(value)))
        return sorted(names, key=lambda name: name != ANYONE)

    @property
    def asker(self) -> str:
        """A crawler that it addresses; any, where it addresses none."""
        return next(iter(self.names), ANYONE)


class Document:
    """`whole` is what was read; `body` is the part of it that counts: whole lines within `MAX_BYTES`."""

    def __init__(self, whole: bytes) -> None:
        self.whole = whole
        self.body = whole
        if len(whole) > MAX_BYTES:
            cut = max(whole.rfind(b"\n", 0, MAX_BYTES + 1), whole.rfind(b"\r", 0, MAX_BYTES + 1), 0)
            self.body = whole[:cut]
        self.lines = split_lines(self.body)
        self.directives = list(directives(self.lines, Misread()))
        if not self.directives and self.body[:2] in UTF16_MARKS:
            self.lines = split_lines(bridged(self.body))
            self.directives = list(directives(self.lines, Misread()))

    @cached_property
    def is_binary(self) -> bool:
        """Whether it is no text of characters of eight bits, about which little else is worth saying."""
        return self.body.startswith(COMPRESSED) or self.body[:2] in UTF16_MARKS or b"\0" in self.body[:400]

    @cached_property
    def is_page(self) -> bool:
        """Whether it is a web page, and no text with lines for crawlers."""
        return looks_like_html(self.body) or (not self.directives and self.body.lstrip()[:1] == b"<")

    @cached_property
    def groups(self) -> list[Group]:
        """The groups, and first of all one without agents where rules stand above the first User-agent line."""
        found = [Group()]
        for number, what, value, text in self.directives:
            if what == USER_AGENT:
                if found[-1].rules or not found[-1].agents:
                    found.append(Group())
                found[-1].agents.append((number, what, value, text))
            elif what <= ALLOW:
                found[-1].rules.append((number, what == ALLOW, value, text))
        return found if found[0].rules else found[1:]

    def told(self, name_of: Callable[[bytes], str | None]) -> Iterator[tuple[str, list[Rule]]]:
        """Names and the rules of each, merged as RFC 9309 §2.2.1 has it; of several that are told the same, the first.

        `name_of` is given what a User-agent line says. Rules of very many groups are not all told (`MAX_TOLD`).
        """
        groups: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            for name in dict.fromkeys(name_of(agent[2]) for agent in group.agents):
                if name is not None and group.rules:
                    groups.setdefault(name, []).append(place)
        first = {tuple(places): name for name, places in reversed(groups.items())}
        left = MAX_TOLD
        for places, name in reversed(first.items()):
            rules = [rule for place in places for rule in self.groups[place].rules]
            left -= len(rules)
            if left < 0:
                return
            yield name, rules

    @cached_property
    def distinct(self) -> list[tuple[str, list[Rule]]]:
        """Crawlers (see `agent_of`) and what each of them is told."""
        return list(self.told(agent_of))

    @cached_property
    def group_at(self) -> dict[int, Group]:
        """The group of each line that is a User-agent line or a rule."""
        return {line[0]: group for group in self.groups for line in (*group.agents, *group.rules)}

    def asker_at(self, number: int) -> str:
        """A crawler that a line is for."""
        group = self.group_at.get(number)
        return group.asker if group else ANYONE

    def asks(self) -> Iterator[Ask]:
        """A question about each rule, to one crawler that it is for."""
        for group in self.groups:
            asker = group.asker
            for _, _, pattern, _ in group.rules:
                yield Ask(asker, path_for(pattern))

    def column(self, number: int, offset: int) -> int:
        """The column of an octet of a line: characters before it, and one."""
        return len(self.lines[number - 1][:offset].decode("utf-8", "replace")) + 1

    def value_column(self, directive: Directive | Rule) -> int:
        """Where the value of a line begins."""
        number, text = directive[0], directive[3]
        value = directive[2]
        start = text.find(b":") + 1
        return self.column(number, max(text.find(value, start), 0) if value else start)

    def edited(self, edits: Iterable[Edit]) -> bytes:
        """The file with these edits; of two that meet the first one counts. Lines end in LF."""
        lines: list[bytes] = []
        done = 0
        for first, last, new in sorted(edits, key=lambda edit: edit[:2]):
            if first > done:
                lines += self.lines[done : first - 1]
                lines += new
                done = last
        return b"\n".join(lines + self.lines[done:])

    def following(self, number: int) -> Iterator[Directive]:
        """The directives below a line."""
        return (one for one in self.directives if one[0] > number)


def agent_of(value: bytes) -> str | None:
    """Whom a User-agent line addresses: `*`, a product token in lower case, or nobody (RFC 9309 §2.2.1)."""
    if value[:1] == b"*" and not value[1:2].strip():
        return ANYONE
    token = _TOKEN.match(value)
    return token[0].decode().lower() if token else None


def path_for(pattern: bytes) -> str:
    """A path that a pattern matches: without its wildcards, and as a URL has it."""
    text = pattern.decode("utf-8", "replace").replace("*", "").removesuffix("$")
    return path_of(f"https://example.com{text if text.startswith('/') else '/' + text}")


def shown(octets: bytes, limit: int = 80) -> str:
    """A piece of a file, safe to show, in quotes."""
    return f"'{printable(octets.decode('utf-8', 'replace'), limit)}'"
