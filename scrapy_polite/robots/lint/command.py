"""`scrapy robots lint`, and `python -m scrapy_polite.robots lint`: files and origins in, findings out."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from scrapy_polite._commandline import ERROR, NO, YES, CommandError
from scrapy_polite.robots.inputs import check_is_file, input_errors, read_octets
from scrapy_polite.robots.lint.checks import KINDS, check
from scrapy_polite.robots.lint.finding import Finding, Report
from scrapy_polite.robots.lint.online import ONLINE_KINDS
from scrapy_polite.robots.lint.output import as_github, as_json, as_sarif, as_text
from scrapy_polite.robots.rules import MAX_BYTES

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

NAME = "lint"
TEXT = (
    "what is wrong with a robots.txt, what readers make of it, and the fix "
    "(exit status: 0 nothing, or hints only, 1 errors, 2 cannot be read)"
)
#: Octets of a file that are looked at: only the first 500 KiB of them count, the rest is asked about once.
MAX_READ = 4 * MAX_BYTES
_KINDS = {**KINDS, **ONLINE_KINDS}
#: The word for what comes in at standard input.
_STDIN = "-"

_FORMATS: dict[str, Callable[[Report], Iterator[str]]] = {"text": as_text, "json": as_json, "github": as_github}


def add_arguments(parser: Parser, side: str = "a robots.txt") -> None:
    """`side` says what a robots.txt may be."""
    parser.add_argument("sources", metavar="FILE", nargs="+", help=f"{side}; {_STDIN} is standard input")
    form = parser.add_mutually_exclusive_group()
    for name, text in (
        ("json", "one JSON object a line for each finding"),
        ("sarif", "one SARIF 2.1.0 log, for code scanning"),
        ("github", "annotations for a workflow of GitHub Actions"),
    ):
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=text)
    parser.add_argument(
        "--ignore", metavar="ID", action="append", default=[], choices=tuple(_KINDS), help="tell nothing of this kind"
    )
    parser.add_argument("--strict", action="store_true", help="hints count as errors do: exit status 1")


def run(
    opts: Namespace,
    bodies: Mapping[str, bytes | CommandError] = MappingProxyType({}),
    online: Mapping[str, Sequence[Finding]] = MappingProxyType({}),
) -> int:
    """`bodies` has what is known already of sources, or why they cannot be had; `online` what the network says."""
    reports = []
    unread = False
    for source in opts.sources:
        try:
            body = bodies[source] if source in bodies else octets(source)
            if isinstance(body, CommandError):
                raise body
            report = _report(check(source, body), online.get(source, ()), frozenset(opts.ignore))
        except CommandError as error:
            print(error, file=sys.stderr)
            unread = True
            continue
        reports.append(report)
        if opts.form != "sarif":
            for line in _FORMATS[opts.form or "text"](report):
                print(line)
    if opts.form == "sarif":
        print(as_sarif(reports, _KINDS.values()))
    if unread:
        return ERROR
    return NO if any(report.has_errors or (opts.strict and report.findings) for report in reports) else YES


def _report(found: Report, more: Sequence[Finding], ignored: frozenset[str]) -> Report:
    """What was found in the file and by the network, but for kinds that are not to be told of."""
    kept = (finding for finding in (*found.findings, *more) if finding.id not in ignored)
    return Report.of(found.name, kept, (kind for kind in found.cut if kind not in ignored))


def octets(source: str) -> bytes:
    """Raises CommandError where a file cannot be read."""
    check_is_file(source)
    if source == _STDIN:
        if sys.stdin is None:
            raise CommandError("standard input is closed: give the path of a robots.txt")
        return sys.stdin.buffer.read(MAX_READ)
    with input_errors():
        return read_octets(Path(source), MAX_READ, "give the path of a robots.txt")
