"""What a check of a robots.txt finds: values without behaviour, shared by the checks and the outputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

#: An error changes what some reader may fetch, which a `Proof` shows; everything else is a hint.
ERROR, HINT = "error", "hint"


class Ask(NamedTuple):
    """A question to readers: may this crawler (a product token, or `*`) fetch this path?"""

    agent: str
    path: str


class Edit(NamedTuple):
    """What to write in place of the lines from `first` to `last` (from 1, both included); no lines: delete them."""

    first: int
    last: int
    lines: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One place where a check found something. `line` and `column` count from 1; a column is one of characters.

    `asks` are the questions whose answer it may change, and `edit` is the fix, where a machine can write it.
    """

    line: int
    column: int
    message: str
    fix: str
    asks: tuple[Ask, ...] = ()
    edit: Edit | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """A question that a reader answers in two ways, with the lines that decide (None: no rule does).

    `reader` is the dialect that gives the first answer. The second is `other`: another dialect's of the same file, or
    the same dialect's once all findings of this kind are mended ("mended"), or once the whole file is read ("whole").
    """

    agent: str
    path: str
    reader: str
    allowed: bool
    line: int | None
    other: str
    other_line: int | None


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a file. `id` is that of its kind, and stays; `readers` says by dialect what readers make of it."""

    id: str
    line: int
    column: int
    level: str
    message: str
    fix: str
    readers: Mapping[str, str]
    edit: Edit | None = None
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What was found in one file, in the order of its lines. `cut` are the ids of which only the first are told."""

    name: str
    findings: tuple[Finding, ...]
    cut: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, findings: Iterable[Finding], cut: Iterable[str] = ()) -> Report:
        """With the findings in order, in whatever order they come."""
        ordered = sorted(findings, key=lambda finding: (finding.line, finding.column, finding.id))
        return cls(name, tuple(ordered), tuple(cut))

    @property
    def has_errors(self) -> bool:
        return any(finding.level == ERROR for finding in self.findings)
