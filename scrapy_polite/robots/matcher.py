"""An index of Allow and Disallow patterns that finds the rule with precedence (RFC 9309 §2.2.2) for one path.

Literal patterns, and the literal heads of patterns with wildcards, lie sorted in one list: those that begin a path are
found by bisection and then by going from each to the longest other one that begins it. Wildcards are tried only where
their head begins the path, best rank first, and only as long as they could still win.

A rule is known by its *rank*: an integer that orders rules by the length of their pattern, then Allow before Disallow,
then the earlier line, and from which all three can be read.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

#: No rule matches.
NO_RULE = -1
#: The wildcards that could match would take too long to try.
TOO_COSTLY = -2

_LINE_BITS = 32
_INT_SIZE = 32
_LAST_LINE = (1 << _LINE_BITS) - 1
_ALLOW = 1 << _LINE_BITS

#: The most that one decision may cost, in steps: a step is one character of a path that is looked at, at worst 1.4 ns
#: (`benchmarks/robots_hostile.py`). A real file needs 5 million at most for 2,000 characters.
MAX_COST = 32_000_000
#: A wildcard, and each of its parts, costs some steps whatever the path; each character of the path costs one step and
#: more where it is compared with much of a long part.
_STEPS_PER_RULE = 150
_STEPS_PER_PART = 150
_STEPS_PER_COMPARED = 1 / 8


def rank_of(pattern: str, allow: bool, line: int) -> int:
    """Return the rank of a rule; `pattern` as written, whose length is its precedence."""
    return ((len(pattern) << 1 | allow) << _LINE_BITS) + _LAST_LINE - line


def line_of(rank: int) -> int:
    return _LAST_LINE - (rank & _LAST_LINE)


def forbids(rank: int) -> bool:
    """Whether a rank is a Disallow; one without a pattern forbids nothing."""
    return not rank & _ALLOW and rank > _ALLOW


def allows(rank: int) -> bool:
    """Whether a rank is an Allow."""
    return rank > 0 and rank & _ALLOW != 0


class _Wildcard(NamedTuple):
    """A pattern with wildcards after its head: `parts` in this order, then `tail` at the end of the path, if any."""

    rank: int
    parts: tuple[str, ...]
    tail: str


class _Scan(NamedTuple):
    """The wildcards that share a head, best rank first, and those of the next shorter head.

    `fixed + per_char * len(path)` bounds the cost of trying these and all beyond.
    """

    head_length: int
    wildcards: list[_Wildcard]
    beyond: _Scan | None
    fixed: int
    per_char: float


class RuleIndex:
    """Patterns of one group. `best_rank` takes a path in the spelling of the patterns."""

    __slots__ = ("_best", "_exact", "_heads", "_max_cost", "_parents", "_scans")

    def __init__(self, rules: Iterable[tuple[str, int]], max_cost: int = MAX_COST) -> None:
        """`rules`: patterns with their ranks; `max_cost`: the steps that one look-up may take."""
        literals: dict[str, int] = {}
        exact: dict[str, int] = {}
        wildcards: dict[str, list[_Wildcard]] = {}
        for pattern, rank in rules:
            if "*" in pattern:
                _add_wildcard(pattern, rank, literals, wildcards)
            elif pattern[-1:] == "$":
                _add(exact, pattern[:-1], rank)
            elif rank > literals.get(pattern, NO_RULE):
                literals[pattern] = rank
            if "/index.htm" in pattern and rank & _ALLOW:
                _add_directory(pattern, rank, exact, wildcards)
        self._max_cost = max_cost
        self._exact = exact
        self._heads = sorted({*literals, *wildcards}) if wildcards else sorted(literals)
        self._parents: list[int] = []
        self._best: list[int] = []
        self._scans: list[_Scan | None] = []
        self._link(literals, wildcards)

    def _link(self, literals: dict[str, int], wildcards: dict[str, list[_Wildcard]]) -> None:
        """Give each head the longest other head that begins it, and what is best among all that do."""
        heads, parents, bests, scans = self._heads, self._parents, self._best, self._scans
        parent = -1
        for index, head in enumerate(heads):
            while parent >= 0 and not head.startswith(heads[parent]):
                parent = parents[parent]
            best, scan = (bests[parent], scans[parent]) if parent >= 0 else (NO_RULE, None)
            own = literals.get(head, NO_RULE)
            bests.append(own if own > best else best)
            scans.append(_scan(head, wildcards[head], scan) if head in wildcards else scan)
            parents.append(parent)
            parent = index

    def best_rank(self, path: str) -> int:
        """Return the rank of the rule that decides on `path`, `NO_RULE` or `TOO_COSTLY`."""
        heads, parents = self._heads, self._parents
        index = bisect_right(heads, path) - 1
        while index >= 0 and not path.startswith(heads[index]):
            index = parents[index]
        best = self._exact.get(path, NO_RULE)
        if index < 0:
            return best
        best = max(best, self._best[index])
        scan = self._scans[index]
        if scan is None:
            return best
        if scan.fixed + scan.per_char * len(path) > self._max_cost:
            return TOO_COSTLY
        return _best_wildcard(scan, path, best)

    def size_bytes(self) -> int:
        """Return about how much memory the index holds."""
        tables = (self, self._exact, self._heads, self._parents, self._best, self._scans)
        patterns = sum(map(sys.getsizeof, self._heads)) + sum(map(sys.getsizeof, self._exact))
        numbers = _INT_SIZE * (2 * len(self._heads) + len(self._exact))
        scans = {id(scan): scan for scan in self._scans if scan}.values()
        return sum(map(sys.getsizeof, tables)) + patterns + numbers + sum(map(_scan_size, scans))


def _add(patterns: dict[str, int], pattern: str, rank: int) -> None:
    if rank > patterns.get(pattern, NO_RULE):
        patterns[pattern] = rank


def _add_wildcard(pattern: str, rank: int, literals: dict[str, int], wildcards: dict[str, list[_Wildcard]]) -> None:
    anchored = pattern[-1] == "$"
    head, *parts = (pattern[:-1] if anchored else pattern).split("*")
    tail = parts.pop() if anchored else ""
    needles = tuple([part for part in parts if part])
    if needles or tail:
        wildcards.setdefault(head, []).append(_Wildcard(rank, needles, tail))
    else:
        _add(literals, head, rank)


def _add_directory(pattern: str, rank: int, exact: dict[str, int], wildcards: dict[str, list[_Wildcard]]) -> None:
    """Google's parser: who allows an index page allows its directory, by a shorter rule on the same line."""
    directory, _, page = pattern.rpartition("/")
    if not page.startswith("index.htm"):
        return
    shorter = rank - (len(page) - len("$") << _LINE_BITS + 1)
    if "*" in directory:
        _add_wildcard(f"{directory}/$", shorter, exact, wildcards)
    else:
        _add(exact, f"{directory}/", shorter)


def _best_wildcard(scan: _Scan | None, path: str, best: int) -> int:
    while scan is not None:
        for rank, parts, tail in scan.wildcards:
            if rank < best:
                break
            at = scan.head_length
            for part in parts:
                at = path.find(part, at) + len(part)
                if at < len(part):  # not found
                    break
            else:
                if not tail or (path.endswith(tail) and len(path) - len(tail) >= at):
                    best = rank
                    break
        scan = scan.beyond
    return best


def _scan(head: str, wildcards: list[_Wildcard], beyond: _Scan | None) -> _Scan:
    wildcards.sort(reverse=True)
    fixed, per_char = (beyond.fixed, beyond.per_char) if beyond else (0, 0.0)
    for wildcard in wildcards:
        fixed += _STEPS_PER_RULE + _STEPS_PER_PART * len(wildcard.parts)
        per_char += 1 + max(map(len, wildcard.parts), default=0) * _STEPS_PER_COMPARED
    return _Scan(len(head), wildcards, beyond, fixed, per_char)


def _scan_size(scan: _Scan) -> int:
    size = sys.getsizeof(scan) + sys.getsizeof(scan.wildcards) + 2 * _INT_SIZE
    for wildcard in scan.wildcards:
        texts = [part for part in (*wildcard.parts, wildcard.tail) if len(part) > 1]  # shorter ones are Python's own
        size += sys.getsizeof(wildcard) + sys.getsizeof(wildcard.parts) + _INT_SIZE + sum(map(sys.getsizeof, texts))
    return size
