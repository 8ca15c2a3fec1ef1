"""Pages that are the same at many kinds of URLs: a block page, a login, an error page, an empty shell for scripts.

They are no trap, and nothing is refused for them; a person is told.
"""

from __future__ import annotations

from typing import NamedTuple

from scrapy_polite.traps.recent import Recent

#: A page that stands at so many patterns, and was met so often, is one.
_PATTERNS, _PAGES = 4, 20
_MAX_REMEMBERED = 64


class _Met(NamedTuple):
    patterns: frozenset[str]
    pages: int


class BoilerplatePages:
    """The pages of one site that were met lately, by what they say."""

    __slots__ = ("_first", "_met")

    def __init__(self) -> None:
        self._first: Recent[int, str] = Recent(_MAX_REMEMBERED)
        self._met: Recent[int, _Met] = Recent(_MAX_REMEMBERED)

    def note(self, exact: int, pattern: str) -> bool:
        """Note a page; True once, when it has turned out to stand everywhere."""
        met = self._met.get(exact)
        if met is None:
            if (first := self._first.get(exact)) is None:
                self._first.put(exact, pattern)
                return False
            met = _Met(frozenset((first,)), 1)
        before = met.pages >= _PAGES and len(met.patterns) >= _PATTERNS
        patterns = met.patterns if len(met.patterns) >= _PATTERNS else met.patterns | {pattern}
        met = _Met(patterns, met.pages + 1)
        self._met.put(exact, met)
        return not before and met.pages >= _PAGES and len(patterns) >= _PATTERNS
