"""Which run a command is asked about."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy_polite._project import runs_path
from scrapy_polite.commands import CommandError
from scrapy_polite.runs.files import run_folders, workers
from scrapy_polite.runs.run import RunError, find_run, open_run
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
    """All runs of the project, the latest first. One that cannot be read is left out, and standard error says so,
    unless they are read `again`."""
    for folder in run_folders(runs_path()):
        try:
            yield open_run(folder)
        except RunError as error:  # noqa: PERF203 (each run for itself)
            if workers(folder) and not again:  # else it was pruned meanwhile
                print(f"left out: {printable(str(error), 1_000)}", file=sys.stderr)


def run_of(name: str | None) -> Run:
    """Raises CommandError."""
    try:
        return find_run(runs_path(), name)
    except RunError as error:
        raise CommandError(str(error)) from error
