"""`scrapy robots farms`, and `python -m scrapy_polite.robots farms`: hosts that share one robots.txt."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._commandline import NO, YES, CommandError
from scrapy_polite.robots.farms import as_json, as_svg, as_text, farms
from scrapy_polite.robots.inputs import InputError, read_robots
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

NAME = "farms"
TEXT = (
    "hosts whose robots.txt says the same: a hint at one owner or one system "
    "(exit status: 0 there are such, 1 there are none, 2 error)"
)
FOLDER = "a folder of robots.txt named by their hosts"
#: Hosts of a farm that are shown without --all.
_SHOWN = 5


def add_arguments(parser: Parser) -> None:
    parser.add_argument("source", metavar="SOURCE", help=FOLDER)
    add_outputs(parser)


def add_outputs(parser: Parser) -> None:
    parser.add_argument("--svg", metavar="FILE", type=Path, help="write a picture of them to this file")
    parser.add_argument("--all", action="store_true", help="all hosts of each")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each farm")


def run(opts: Namespace) -> int:
    """Raises CommandError."""
    folder = Path(opts.source)
    if not folder.is_dir():
        raise CommandError(f"there is no folder {printable(opts.source)!r}: give {FOLDER}")
    return show(opts, of_folder(folder))


def show(opts: Namespace, files: Iterable[tuple[str, bytes]]) -> int:
    """Print the farms among hosts and what their robots.txt say, and return the exit status. Raises CommandError."""
    found = farms(files)
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


def of_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Hosts and what their files say; a file that is no text is left out, which is told."""
    for path in sorted(folder.iterdir()):
        if path.is_file():
            try:
                yield path.name.removesuffix(".txt"), read_robots(path)
            except InputError as error:
                print(f"left out: {error}", file=sys.stderr)
