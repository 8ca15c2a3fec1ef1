"""`scrapy robots test`, and `python -m scrapy_polite.robots test`: many crawlers and URLs, and what was expected."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._commandline import NO, YES, CommandError
from scrapy_polite.robots import matrix
from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.robots.inputs import bodies_of_files, input_errors, read_agents, read_urls
from scrapy_polite.text import counted

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

NAME = "test"
TEXT = (
    "what a robots.txt says to many crawlers of many URLs, and whether that is as expected "
    "(exit status: 0 as expected, 1 not, 2 error)"
)
#: What is read where nothing is told.
ROBOTS_TXT = "robots.txt"


def add_arguments(parser: Parser, side: str = "a file") -> None:
    """`side` says what a robots.txt may be."""
    parser.add_argument(
        "robots", metavar="ROBOTS", nargs="*", default=[ROBOTS_TXT], help=f"{side} (default: {ROBOTS_TXT})"
    )
    parser.add_argument("--agents", metavar="FILE", type=Path, help="crawlers, a name a line; * is any other")
    parser.add_argument("--urls", metavar="FILE", type=Path, help="URLs or paths, one a line")
    parser.add_argument("--expect", metavar="FILE", type=Path, help=f"lines: {matrix.FORM}")
    parser.add_argument(
        "--dialect",
        metavar="NAME",
        action="append",
        choices=tuple(DIALECTS),
        help="read it in this dialect alone; more than once: in these (default: in each)",
    )
    parser.add_argument(
        "--json", action="store_true", help="one JSON object a line for each verdict, and each mismatch"
    )


def run(opts: Namespace, bodies: Callable[[Sequence[str]], list[bytes]] = bodies_of_files) -> int:
    """`bodies` returns what the robots.txt that are named say. Raises CommandError."""
    if (opts.agents is None) is not (opts.urls is None):
        raise CommandError("--agents and --urls go together: give both, or --expect alone")
    if opts.agents is None and opts.expect is None:
        raise CommandError("nothing to test: give --agents and --urls, --expect, or all three")
    with input_errors():
        agents = read_agents(opts.agents) if opts.agents else []
        expectations = matrix.read_expectations(opts.expect) if opts.expect else []
        found = 0
        for name, body in zip(opts.robots, bodies(opts.robots), strict=True):
            readers = matrix.Readers(body, matrix.one_dialect_each(opts.dialect))
            if opts.urls:
                _print_matrix(readers, agents, opts)
            for mismatch in readers.mismatches(expectations):
                found += 1
                as_text = matrix.mismatch_text(opts.expect, name, mismatch)
                print(matrix.mismatch_json(mismatch) if opts.json else as_text)
    if opts.expect and not opts.json:
        print(f"{counted(len(expectations), 'expectation')}, {counted(found, 'mismatch', 'mismatches')}")
    return NO if found else YES


def _print_matrix(readers: matrix.Readers, agents: list[str], opts: Namespace) -> None:
    as_json = matrix.JsonCells()
    for cells in readers.cells(agents, read_urls(opts.urls)):
        print("\n".join(as_json.lines(cells) if opts.json else matrix.as_text(cells, len(readers.dialects))))
