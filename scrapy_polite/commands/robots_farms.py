"""`scrapy robots farms`: hosts that share one robots.txt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._project import runs_path
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.origin import Origin
from scrapy_polite.robots.farms import as_json, as_svg, as_text, farms
from scrapy_polite.robots.inputs import InputError, read_robots
from scrapy_polite.runs.files import run_folders, workers
from scrapy_polite.runs.records import Robots
from scrapy_polite.runs.run import Run, RunError, open_run
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from argparse import Namespace

#: Hosts of a farm that are shown without --all.
_SHOWN = 5


def add_subcommands(parser: Parser) -> None:
    command = parser.subcommand(
        "farms",
        "hosts whose robots.txt says the same: a hint at one owner or one system "
        "(exit status: 0 there are such, 1 there are none, 2 error)",
        _farms,
    )
    command.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help="a run's folder, or a folder of robots.txt named by their hosts (default: the records of all runs)",
    )
    command.add_argument("--svg", metavar="FILE", type=Path, help="write a picture of them to this file")
    command.add_argument("--all", action="store_true", help="all hosts of each")
    command.add_argument("--json", action="store_true", help="one JSON object a line for each farm")


def _farms(command: SubcommandsCommand, opts: Namespace) -> int:
    del command
    try:
        found = farms(_files(opts.source))
    except RunError as error:
        raise CommandError(str(error)) from error
    if opts.json:
        print(*map(as_json, found), sep="\n", end="\n" if found else "")
    else:
        print(*as_text(found, sys.maxsize if opts.all else _SHOWN), sep="\n", end="\n" if found else "")
    if opts.svg:
        try:
            opts.svg.write_text(as_svg(found), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"--svg {str(opts.svg)!r} cannot be written: {error.strerror}") from error
    if not found:
        print("no two hosts share a robots.txt there", file=sys.stderr)
    return YES if found else NO


def _files(source: str | None) -> Iterator[tuple[str, bytes]]:
    if source is None:
        return _of_runs(map(open_run, run_folders(runs_path())))
    folder = Path(source)
    if not folder.is_dir():
        raise CommandError(f"there is no folder {printable(source)!r}: give a run's, or one of robots.txt files")
    return _of_runs(iter([open_run(folder)])) if workers(folder) else _of_folder(folder)


def _of_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.iterdir()):
        if path.is_file():
            try:
                yield path.name.removesuffix(".txt"), read_robots(path)
            except InputError as error:
                print(f"left out: {error}", file=sys.stderr)


def _of_runs(runs: Iterator[Run]) -> Iterator[tuple[str, bytes]]:
    """Of each origin the copy that was read last, where it had a robots.txt; runs come with the latest first."""
    known: set[str] = set()
    for run in runs:
        last: dict[str, Robots] = {}
        for worker in run.workers:
            for record in worker.records('["robots",'):
                if isinstance(record, Robots) and record.digest and record.origin not in known:
                    before = last.get(record.origin)
                    if before is None or record.at >= before.at:
                        last[record.origin] = record
        bodies = run.bodies({record.digest for record in last.values()})
        for origin, record in last.items():
            if record.digest in bodies:
                known.add(origin)
                yield _host(origin), bodies[record.digest]


def _host(origin: str) -> str:
    try:
        return Origin.from_url(origin).netloc
    except ValueError:
        return origin
