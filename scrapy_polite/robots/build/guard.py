"""What a new robots.txt closes that the one before leaves open, and whether it is so much that it may be an error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from scrapy_polite.robots.build.ruleset import ANYONE
from scrapy_polite.robots.changes import Diff, changed
from scrapy_polite.robots.lines import USER_AGENT, Misread, directives, split_lines
from scrapy_polite.robots.product_token import product_token
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.text import printable

#: Of the known URLs, what a change may close unasked.
MAX_CLOSED = 0.05
#: The home page, and a path that no rule of a site names.
_HOME, _REST = "/", "/0b6f9a1c-any-other-page"
#: URLs that are asked about in a row, for each crawler.
_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Danger:
    """What is closed to one crawler."""

    agent: str
    text: str


def dangers(old: bytes, new: bytes, agents: Sequence[str], urls: Iterable[str]) -> list[Danger]:
    """What needs to be confirmed. `agents` are product tokens, and `*`; URLs may be paths. They are read once."""
    found = []
    pairs = {agent: (RobotsTxt.parse(old, agent), RobotsTxt.parse(new, agent)) for agent in agents}
    for agent, (was, now) in pairs.items():
        if was.decide(_HOME).allowed and not (decision := now.decide(_HOME)).allowed:
            found.append(Danger(agent, f"closes / ({printable(decision.detail, 100)})"))
        elif was.decide(_REST).allowed and not (decision := now.decide(_REST)).allowed:
            found.append(Danger(agent, f"closes all pages that no rule names ({printable(decision.detail, 100)})"))
    diffs = {agent: Diff() for agent in agents}
    urls = iter(urls)
    while some := list(islice(urls, _AT_ONCE)):
        for agent, (was, now) in pairs.items():
            for _ in changed(was, now, some, diffs[agent]):
                pass
    for agent, diff in diffs.items():
        if diff.refused > MAX_CLOSED * diff.urls:
            share = 100 * diff.refused / diff.urls
            found.append(Danger(agent, f"closes {diff.refused:,} of {diff.urls:,} known URLs ({share:.3g} %)"))
    return found


def representatives(old: bytes, new: bytes) -> list[str]:
    """One of the crawlers of each group: of those that both files tell the same, the first; `*` for all others."""
    before, after = _groups(old), _groups(new)
    first: dict[tuple[tuple[int, ...], tuple[int, ...]], str] = {}
    for name in (ANYONE, *after, *before):
        told = tuple(groups.get(name, groups.get(ANYONE, _NOBODY)).numbers for groups in (before, after))
        named = after.get(name) or before.get(name)
        first.setdefault((told[0], told[1]), named.name if named else ANYONE)
    return list(first.values())


class _Named(NamedTuple):
    """A crawler as a file spells it, and the groups (by number) that name it."""

    name: str
    numbers: tuple[int, ...]


_NOBODY = _Named(ANYONE, ())


def _groups(body: bytes) -> dict[str, _Named]:
    """The crawlers that a file names, by their names in lower case."""
    found: dict[str, _Named] = {}
    number, in_agents = 0, False
    for _, field, value, _ in directives(split_lines(body), Misread()):
        if field == USER_AGENT:
            number += not in_agents
            text = value.decode("utf-8", "replace").strip()
            name = ANYONE if text == ANYONE else product_token(text)
            if name:
                before = found.get(name.lower(), _Named(name, ()))
                found[name.lower()] = before._replace(numbers=(*before.numbers, number))
        in_agents = field == USER_AGENT
    return found
