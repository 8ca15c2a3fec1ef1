"""`scrapy robots farms`: hosts that share one robots.txt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.commands import CommandError, Parser, SubcommandsCommand, url_of
from scrapy_polite.commands.run_there import runs
from scrapy_polite.commands.store_there import lasting_store, why_none
from scrapy_polite.origin import origin_of
from scrapy_polite.robots import farms_command
from scrapy_polite.robots.inputs import fault, input_errors, text_lines
from scrapy_polite.runs.files import workers
from scrapy_polite.runs.run import Run, RunError, open_run
from scrapy_polite.services.store import open_store
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.factory import is_url, read_contents
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy_polite.runs.records import Robots

_SOURCE = f"a list of origins, a store (file or URL), a run's folder, or {farms_command.FOLDER}"
#: What a store in a file begins with (sqlite.org/fileformat.html §1.3.1).
_SQLITE = b"SQLite format 3\0"


def add_subcommands(parser: Parser) -> None:
    command = parser.subcommand(farms_command.NAME, farms_command.TEXT, _farms)
    command.add_argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        help=f"{_SOURCE} (default: the project's store and the records of its runs)",
    )
    farms_command.add_outputs(command)


def _farms(command: SubcommandsCommand, opts: Namespace) -> int:
    try:
        return farms_command.show(opts, _files(command, opts.source))
    except RunError as error:
        raise CommandError(str(error)) from error


def _files(command: SubcommandsCommand, source: str | None) -> Iterator[tuple[str, bytes]]:
    path = Path(source or "")
    if source is None:
        return _known(command)
    if is_url(source) or _is_store(path):
        command.settings.set("POLITE_STORE", source if is_url(source) else str(path.absolute()), "cmdline")
        return _of_store(command)
    if path.is_file():
        return _of_origins(command, path)
    if not path.is_dir():
        raise CommandError(f"there is no {printable(source)!r}: give {_SOURCE}")
    return _of_runs(iter([open_run(path)])) if workers(path) else farms_command.of_folder(path)


def _is_store(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError:
        return False


def _known(command: SubcommandsCommand) -> Iterator[tuple[str, bytes]]:
    """What the project's store has, if there is one, and of other hosts what the runs have read."""
    hosts: set[str] = set()
    if not why_none(shared(command.configured(), PoliteSettings)):
        for host, body in _of_store(command):
            hosts.add(host)
            yield host, body
    yield from ((host, body) for host, body in _of_runs(runs()) if host not in hosts)


def _of_store(command: SubcommandsCommand) -> Iterator[tuple[str, bytes]]:
    settings = shared(command.configured(), PoliteSettings)
    where = lasting_store(settings)
    hosts: set[str] = set()
    with closing(open_store(settings)) as store:
        store.robots.of_origin("").result()  # what is wrong with it, before it is read by others
        for copy in read_contents(where).copies():
            host = _host(copy.origin)
            if copy.status is not None and copy.status < 300 and host not in hosts:
                hosts.add(host)
                yield host, copy.body


def _of_origins(command: SubcommandsCommand, path: Path) -> Iterator[tuple[str, bytes]]:
    """Of what is known, the origins of a list, or hosts; how many are not known is told."""
    with input_errors():
        wanted = {_host_of_line(path, number, text) for number, text in text_lines(path)}
    for host, body in _known(command):
        if host in wanted:
            wanted.discard(host)
            yield host, body
    if wanted:
        print(f"of {len(wanted):,} in {printable(str(path))} no robots.txt is known: a crawl reads it", file=sys.stderr)


def _of_runs(found: Iterator[Run]) -> Iterator[tuple[str, bytes]]:
    """Of each origin the copy that was read last, where it had a robots.txt; runs come with the latest first."""
    known: set[str] = set()
    for run in found:
        last: dict[str, Robots] = {}
        for worker in run.workers:
            for record in worker.copies():
                if record.digest and record.origin not in known:
                    before = last.get(record.origin)
                    if before is None or record.at >= before.at:
                        last[record.origin] = record
        bodies = run.bodies({record.digest for record in last.values()})
        for origin, record in last.items():
            if record.digest in bodies:
                known.add(origin)
                yield _host(origin), bodies[record.digest]


def _host_of_line(path: Path, number: int, text: str) -> str:
    """Raises InputError where a line of a list names no origin and no host."""
    origin = origin_of(url_of(text))
    if origin is None or any(map(str.isspace, text)):
        fix = "give one such as https://example.com, or example.com"
        raise fault(path, number, f"{printable(text, 60)!r} is no origin", fix)
    return origin.netloc


def _host(origin: str) -> str:
    found = origin_of(origin)
    return found.netloc if found is not None else origin
