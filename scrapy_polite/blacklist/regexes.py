"""Regular expressions of lists, on RE2: in linear time, whatever is asked of them and of what URL.

Needs google-re2, the extra `regex`; without it there is no safe way to run a stranger's expression on strangers' URLs.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from time import sleep
from typing import Any

#: Expressions tried as one. More would not fit into the memory that RE2 allows itself.
_TOGETHER = 50
_MAX_MEMORY = 32 << 20


class NoRegexEngine(Exception):
    """google-re2 is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "a regular expression, and these run on google-re2, which is not installed: "
            "pip install 'scrapy-polite[regex]', or remove them from the list"
        )


def checked(pattern: str) -> str:
    """The pattern itself. Raises ValueError for one that RE2 cannot take, alone and beside others; NoRegexEngine."""
    _compiled(pattern)
    _compiled(f"(?:{pattern})")  # `\Qa` would take in those behind it
    return pattern


class RegexSet:
    """Which of some expressions, if any, is found in a text."""

    def __init__(self, patterns: Sequence[str]) -> None:
        """Raises ValueError and NoRegexEngine as `checked` does."""
        groups = [tuple(patterns[at : at + _TOGETHER]) for at in range(0, len(patterns), _TOGETHER)]
        # An alternation, and not `re2.Set`: that one answers "nothing" when it runs out of memory.
        self._groups = []
        for group in groups:
            self._groups += _together(group)
            sleep(0)  # where this is a thread's work, others have their turn: each compilation keeps them all out

    def search(self, text: str) -> str | None:
        for together, patterns in self._groups:
            if together.search(text):
                return next(pattern for pattern in patterns if _compiled(pattern).search(text))
        return None


def _together(patterns: Sequence[str]) -> list[tuple[Any, Sequence[str]]]:
    """Compiled as one; in halves, where that is more than RE2 has room for, though it had for each."""
    if len(patterns) == 1:
        return [(_compiled(patterns[0]), patterns)]
    try:
        return [(_compiled("|".join(f"(?:{one})" for one in patterns)), patterns)]
    except ValueError:
        middle = len(patterns) // 2
        return [*_together(patterns[:middle]), *_together(patterns[middle:])]


def _compiled(pattern: str) -> Any:
    try:
        re2 = import_module("re2")
    except ImportError:
        raise NoRegexEngine from None
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0] if error.args else error
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else reason
        raise ValueError(f"not a regular expression of RE2: {reason}") from None
