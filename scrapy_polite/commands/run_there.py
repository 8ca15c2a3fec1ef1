"""Which run a command is asked about."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy_polite._project import runs_path
from scrapy_polite.runs.files import run_folders
from scrapy_polite.runs.run import RunError, find_run, read_runs, unreadable
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy_polite.commands import Parser
    from scrapy_polite.runs.run import Run


def add_run(parser: Parser) -> None:
    parser.add_argument(
        "which", metavar="RUN", nargs="?", help="a run's folder or its name; of a spider the last; without it the last"
    )


def runs(*, again: bool = False) -> Iterator[Run]:
    """All runs of the project that can be read, the latest first. Raises RunError where none of them can; else standard
    error says what is left out, unless they are read `again`."""
    faults: list[RunError] = []
    any_read = False
    for run in read_runs(run_folders(runs_path(), lambda error: faults.append(unreadable(error))), faults.append):
        any_read = True
        yield run
    if faults and not any_read:
        raise faults[0]
    for fault in () if again else faults:
        left_out(fault)


def run_of(name: str | None) -> Run:
    """Raises RunError."""
    return find_run(runs_path(), name, left_out)


def left_out(fault: RunError) -> None:
    print(f"left out: {printable(str(fault), 1_000)}", file=sys.stderr)
