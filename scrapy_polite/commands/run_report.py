"""`scrapy polite report`: what a crawl did, as a page, Markdown or JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite.commands import YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.commands.run_there import add_run, run_of
from scrapy_polite.runs.compare import against
from scrapy_polite.runs.files import replaced
from scrapy_polite.runs.html import FILE_NAME, HtmlUnavailable, html
from scrapy_polite.runs.markdown import markdown
from scrapy_polite.runs.report import report

if TYPE_CHECKING:
    from argparse import Namespace


def add_subcommands(parser: Parser) -> None:
    command = parser.subcommand(
        "report", f"write what a crawl did to {FILE_NAME} in its run's folder, or print it (--md, --json)", _report
    )
    add_run(command)
    command.add_argument("--against", metavar="RUN", help="say what has changed since this run, named as RUN is")
    how = command.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="print it as one JSON object")
    how.add_argument("--md", action="store_true", help="print it as Markdown")
    how.add_argument("--output", metavar="FILE", help="write the page to this file; - is the standard output")


def _report(command: SubcommandsCommand, opts: Namespace) -> int:
    run = run_of(opts.which)
    found = report(run)
    if opts.against:
        found["against"] = against(found, report(run_of(opts.against)))
    if opts.json:
        print(json.dumps(found, indent=1))
        return YES
    if opts.md:
        sys.stdout.write(markdown(found))
        return YES
    try:
        page = html(found)
    except HtmlUnavailable as error:
        raise CommandError(f"{error}; --md and --json need nothing") from error
    if opts.output == "-":
        sys.stdout.write(page)
        return YES
    path = Path(opts.output) if opts.output else run.folder / FILE_NAME
    try:
        replaced(path, page)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}; --output FILE writes another") from error
    print(path)
    return YES
