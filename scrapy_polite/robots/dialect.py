"""The seam between robots.txt and its dialects: which groups are a crawler's, and which rule decides on a path.

RFC 9309 (`robots.rfc`) is one. A dialect is one more module with a `Dialect`; `RobotsTxt.parse` takes it, and asks
nothing else of it. How lines, fields and comments are read, sizes and encodings, is the same in all (`robots.lines`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from scrapy_polite.robots.lines import Field, Misread

#: What stands for a line where no rule matches.
NO_RULE = -1
#: What stands for a line where finding the rule would take too long.
TOO_COSTLY = -2

#: The most that one decision may cost, in steps: a step is one character of a path that is looked at, at worst 1.4 ns
#: (`benchmarks/robots_hostile.py`). A real file needs 5 million at most for 2,000 characters.
MAX_COST = 32_000_000

#: An Allow or Disallow line: its number, whether it allows, its pattern, and all of it but for a comment, both as in
#: the file. A bare tuple, as is `lines.Directive`.
Rule: TypeAlias = tuple[int, bool, bytes, bytes]
#: The distinct values of fields that are no rules, in their order.
Values: TypeAlias = dict[Field, list[bytes]]


class Matcher(Protocol):
    """The rules of a group, ready to be asked."""

    def deciding_line(self, path: str) -> int:
        """Return the line of the rule that decides on a path (see `paths.path_of`), or `NO_RULE`, or `TOO_COSTLY`.

        The path may have any length: what it costs is to be bounded, in time and in memory.
        """

    def size_bytes(self) -> int:
        """Return about how much memory it holds."""


#: Makes a `Matcher` of rules and of the steps that a decision may cost.
MakeMatcher: TypeAlias = Callable[[list[Rule], int], Matcher]


@dataclass(frozen=True, slots=True)
class Group:
    """What a file says to one crawler, and what it says to all about itself.

    `name` is the product token that the file addresses the crawler by, "*", or None where it does not address it.
    `rules` are in whatever order the `matcher` wants: the dialect's, where the group has none of its own.
    """

    name: str | None
    rules: list[Rule]
    values: Values
    misread: Misread
    matcher: MakeMatcher | None = None


@dataclass(frozen=True, slots=True)
class Dialect:
    """A way to understand robots.txt.

    `groups`, given the lines of a file and the crawler's product token (None: it has none), tells which of them are
    for this crawler: how names match, where a group ends, whether groups are merged. It returns one group; where a file
    may be read in several ways, several, and only what all of them allow may be fetched.

    `matcher`, given the rules of such a group and the steps that a decision may cost (see `MAX_COST`), tells which of
    them decides: how rules rank, and what their wildcards and escapes mean. A Disallow without a pattern forbids
    nothing, if it is the one that decides. The list is its own: it may empty it, as it takes most of the memory.
    """

    name: str
    groups: Callable[[Sequence[bytes], str | None], Sequence[Group]]
    matcher: MakeMatcher
