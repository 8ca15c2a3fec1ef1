"""What changes between two versions of a robots.txt, of the URLs that are known; by the lines that do it.

Knows no Scrapy. A URL changes where its verdict does; by which line the same verdict comes does not matter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrapy_polite.text import counted, printable

if TYPE_CHECKING:
    from scrapy_polite.decision import Decision
    from scrapy_polite.robots.rules import RobotsTxt

#: URLs that are shown of each change.
_EXAMPLES = 3


@dataclass(slots=True)
class Change:
    """URLs whose verdict turns from one to the other, by the same two lines. `examples` are the first of them."""

    was: Decision
    now: Decision
    urls: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Diff:
    """`urls` counts what was asked about. `changes` is in memory at most as large as the rules of both files."""

    urls: int = 0
    changes: dict[tuple[Decision, Decision], Change] = field(default_factory=dict)

    @property
    def refused(self) -> int:
        """URLs that were allowed, and are no more."""
        return sum(change.urls for change in self.changes.values() if not change.now.allowed)

    @property
    def allowed(self) -> int:
        """URLs that were refused, and are no more."""
        return sum(change.urls for change in self.changes.values() if change.now.allowed)

    def sorted(self) -> list[Change]:
        """The changes, that of the most URLs first."""
        return sorted(self.changes.values(), key=lambda change: (-change.urls, change.now.line or 0))


def changed(
    old: RobotsTxt, new: RobotsTxt, urls: Iterable[str], diff: Diff
) -> Iterator[tuple[str, Decision, Decision]]:
    """Yield each URL whose verdict changes, with both verdicts, and count it in `diff`."""
    before, after, changes = old.decide, new.decide, diff.changes
    for url in urls:
        diff.urls += 1
        was, now = before(url), after(url)
        if was.allowed == now.allowed:
            continue
        change = changes.get((was, now))
        if change is None:
            change = changes[was, now] = Change(was, now)
        change.urls += 1
        if len(change.examples) < _EXAMPLES:
            change.examples.append(url)
        yield url, was, now


def compare(old: RobotsTxt, new: RobotsTxt, urls: Iterable[str]) -> Diff:
    """What changes of these URLs."""
    diff = Diff()
    for _ in changed(old, new, urls, diff):
        pass
    return diff


def summary(diff: Diff) -> str:
    count = diff.refused + diff.allowed
    if not count:
        return f"none of {counted(diff.urls, 'URL')} changes"
    return (
        f"{count:,} of {counted(diff.urls, 'URL')} change: {diff.refused:,} refused now, {diff.allowed:,} allowed now"
    )


def as_text(change: Change) -> Iterator[str]:
    verdict = "allowed" if change.now.allowed else "refused"
    yield f"{change.urls:>9,}  {verdict} now, by {_by(change.now, 'new')} (before: {_by(change.was, 'old')})"
    for url in change.examples:
        yield f"{'':11}{printable(url, 150)}"


def _by(decision: Decision, which: str) -> str:
    if decision.line is None:
        return decision.reason.partition("/")[2].replace("-", " ")
    return f"{which} {printable(decision.detail, 200)}"


def as_json(change: Change) -> str:
    return json.dumps(_json(change.was, change.now) | {"urls": change.urls, "examples": change.examples})


def url_as_json(url: str, was: Decision, now: Decision) -> str:
    return json.dumps({"url": url} | _json(was, now))


def url_as_text(url: str, was: Decision, now: Decision) -> str:
    verdict = "allowed" if now.allowed else "refused"
    return f"{verdict} now  {printable(url, 2_000)}  by {_by(now, 'new')} (before: {_by(was, 'old')})"


def _json(was: Decision, now: Decision) -> dict[str, object]:
    return {
        "allowed": now.allowed,
        "old_line": was.line,
        "old_rule": was.rule,
        "new_line": now.line,
        "new_rule": now.rule,
    }
