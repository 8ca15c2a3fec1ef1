"""What a setting may hold: numbers, words, flags, texts, mappings. A `Kind` is the unit."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

_T = TypeVar("_T")

#: What int("x") and float("x") say begins so. The phrase `expected` says it better.
_MEANINGLESS = ("invalid literal", "could not", "cannot")
#: Characters of an invalid value that a message shows.
_SHOWN_CHARS = 200


class PartError(ValueError):
    """One part of a value is invalid. The message says so in full: neither the whole value nor its kind is repeated."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A phrase for a person, and a reader that returns the value or raises ValueError, TypeError or OverflowError."""

    expected: str
    read: Callable[[Any], Any]

    def complaint(self, value: Any, error: Exception) -> str:
        """What is said, after its name, of a `value` for which `read` raised `error`."""
        if isinstance(error, PartError):
            return f" is wrong: {error}"
        why = f" ({error})" if _explains(error) else ""
        return f" is {_short(value)}, expected {self.expected}{why}"


def number(value: Any, *, to: type, low: float, high: float) -> Any:
    """A number of the type `to` within the bounds. Raises ValueError."""
    if isinstance(value, bool):
        raise ValueError
    read = to(value)
    if (isinstance(value, float) and read != value) or not low <= read <= high:
        raise ValueError
    return read


def fraction(expected: str, low: float, high: float) -> Kind:
    """Numbers of another unit than seconds, which `expected` names."""
    return Kind(expected, partial(number, to=float, low=low, high=high))


def seconds(low: float, high: float) -> Kind:
    return fraction(f"seconds from {low:,.15g} to {high:,.15g}", low, high)


def count(low: int, high: int) -> Kind:
    return Kind(f"a whole number from {low:,} to {high:,}", partial(number, to=int, low=low, high=high))


def choice(*words: str) -> Kind:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return Kind(" or ".join(map(repr, words)), read)


def _read_flag(value: Any) -> bool:
    if value in (True, 1, "1", "True", "true"):
        return True
    if value in (False, 0, "0", "False", "false"):
        return False
    raise ValueError


FLAG = Kind("True or False", _read_flag)


def read_text(value: Any) -> str:
    """A printable text that is not empty. Raises ValueError."""
    if not isinstance(value, str) or not value or not value.isprintable():
        raise ValueError
    return value


def read_path(value: Any) -> str:
    """The same of a path, which may be a `Path`. Raises ValueError."""
    return read_text(os.fspath(value) if isinstance(value, os.PathLike) else value)


FILE = Kind("a file's path", read_path)


def read_mapping(value: Any) -> dict[str, Any]:
    """A mapping, or JSON of one, as it comes from the command line. Raises ValueError for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise ValueError(f"written as JSON, with double quotes, on the command line: {error}") from None
    if not isinstance(value, Mapping):
        raise ValueError
    return dict(value)


def by_parts(read: Callable[[dict[str, Any]], _T]) -> Callable[[Any], _T]:
    """A reader of mappings, from one that says in full which part of a mapping is wrong."""

    def read_value(value: Any) -> _T:
        mapping = read_mapping(value)
        try:
            return read(mapping)
        except ValueError as error:
            if not _explains(error):
                raise
            raise PartError(str(error)) from None

    return read_value


def instead(name: Any, known: Sequence[str], cutoff: float = 0.4) -> str:
    """What is said, after it, of a name that is not among the known ones: the nearest of them, else all."""
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=cutoff)
    return f": did you mean {near[0]}?" if near else f", expected one of {', '.join(known)}"


def _explains(error: Exception) -> bool:
    return isinstance(error, ValueError) and str(error) != "" and not str(error).startswith(_MEANINGLESS)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
