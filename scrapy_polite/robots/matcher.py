"""An index of patterns that finds the one with precedence for one path: `*` matches anything, a final `$` the end.

Literal patterns, and the literal heads of patterns with wildcards, lie sorted in one list: those that begin a path are
found by bisection and then by going from each to the longest other one that begins it. Wildcards are tried only where
their head begins the path, best rank first, and only as long as they could still win.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from scrapy_polite.robots.dialect import MAX_COST, NO_RULE, TOO_COSTLY

_INT_SIZE = 32

#: A wildcard, and each of its parts, costs some steps whatever the path; each character of the path costs one step and
#: more where it is compared with much of a long part.
_STEPS_PER_RULE = 150
_STEPS_PER_PART = 150
_STEPS_PER_COMPARED = 1 / 8

#: A pattern with wildcards after its head: its rank, the parts in their order, and what ends the path ("": anything).
#: A bare tuple: a named one costs more to make than all else that is done for a pattern.
_Wildcard: TypeAlias = tuple[int, tuple[str, ...], str]


class _Scan(NamedTuple):
    """The wildcards that share a head, best rank first, and those of the next shorter head.

    `fixed + per_char * len(path)` bounds the cost of trying these and all beyond: a path longer than `max_length` would
    cost too much.
    """

    head_length: int
    wildcards: list[_Wildcard]
    beyond: _Scan | None
    fixed: int
    per_char: float
    max_length: float


class RuleIndex:
    """Patterns, each with a rank of 0 or more; of those that match a path the highest rank counts."""

    __slots__ = ("_best", "_exact", "_heads", "_max_cost", "_parents", "_scans")

    def __init__(self, rules: Iterable[tuple[str, int]], max_cost: int = MAX_COST) -> None:
        """`rules`: patterns with their ranks; `max_cost`: the steps that one look-up may take."""
        literals: dict[str, int] = {"": NO_RULE}
        exact: dict[str, int] = {}
        wildcards: dict[str, list[_Wildcard]] = {}
        for pattern, rank in rules:
            if "*" in pattern:
                _add_wildcard(pattern, rank, literals, wildcards)
            elif "$" in pattern and pattern[-1] == "$":
                _add(exact, pattern[:-1], rank)
            elif rank > literals.get(pattern, NO_RULE):
                literals[pattern] = rank
        self._max_cost = max_cost
        self._exact = exact
        self._heads = sorted(literals)  # and heads of wildcards, which are among them
        self._parents: list[int] = []
        self._best: list[int] = []
        self._scans: list[_Scan | None] = []
        self._link(literals, wildcards)

    def _link(self, literals: dict[str, int], wildcards: dict[str, list[_Wildcard]]) -> None:
        """Give each head the longest other head that begins it, and what is best among all that do."""
        heads, parents, bests, scans = self._heads, self._parents, self._best, self._scans
        parent, best, scan = -1, NO_RULE, None
        for index, head in enumerate(heads):
            # The first head is "", which begins every other.
            while parent > 0 and not head.startswith(heads[parent]):
                parent = parents[parent]
            if parent >= 0:
                best, scan = bests[parent], scans[parent]
            own = literals[head]
            bests.append(own if own > best else best)
            scans.append(_scan(head, wildcards[head], scan, self._max_cost) if head in wildcards else scan)
            parents.append(parent)
            parent = index

    def best_rank(self, path: str) -> int:
        """Return the rank of the pattern that decides on `path`, `NO_RULE` or `TOO_COSTLY`."""
        heads = self._heads
        index = bisect_right(heads, path) - 1
        while not path.startswith(heads[index]):  # the first one, "", begins every path
            index = self._parents[index]
        best = self._best[index]
        if self._exact and (exact := self._exact.get(path, NO_RULE)) > best:
            best = exact
        scan = self._scans[index]
        if scan is None:
            return best
        if len(path) > scan.max_length:
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
        wildcards.setdefault(head, []).append((rank, needles, tail))
        literals.setdefault(head, NO_RULE)
    else:
        _add(literals, head, rank)


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


def _scan(head: str, wildcards: list[_Wildcard], beyond: _Scan | None, max_cost: int) -> _Scan:
    wildcards.sort(reverse=True)
    fixed, per_char = (beyond.fixed, beyond.per_char) if beyond else (0, 0.0)
    for _, parts, _ in wildcards:
        fixed += _STEPS_PER_RULE + _STEPS_PER_PART * len(parts)
        per_char += 1 + max(map(len, parts), default=0) * _STEPS_PER_COMPARED
    return _Scan(len(head), wildcards, beyond, fixed, per_char, (max_cost - fixed) / per_char)


def _scan_size(scan: _Scan) -> int:
    size = sys.getsizeof(scan) + sys.getsizeof(scan.wildcards) + 3 * _INT_SIZE
    for wildcard in scan.wildcards:
        _, parts, tail = wildcard
        texts = [part for part in (*parts, tail) if len(part) > 1]  # shorter ones are Python's own
        size += sys.getsizeof(wildcard) + sys.getsizeof(parts) + _INT_SIZE + sum(map(sys.getsizeof, texts))
    return size
