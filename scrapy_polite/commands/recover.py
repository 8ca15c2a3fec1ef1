"""`scrapy polite recover`: the queue of a job directory whose file is damaged, as far as it can be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.frontier.sqlite.recovery import salvage
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.text import counted

if TYPE_CHECKING:
    from argparse import Namespace


def _recover(command: SubcommandsCommand, opts: Namespace) -> int:
    settings = command.configured().settings
    if not opts.folder and settings["POLITE_FRONTIER"]:
        raise CommandError(
            "the queue is on a server (POLITE_FRONTIER), which looks after its own files: `scrapy polite jobs` says "
            "what is there. Name a job directory if one is meant"
        )
    folder = opts.folder or settings["JOBDIR"]
    if not folder:
        raise CommandError("no job directory: name one, or set JOBDIR")
    path = Path(folder) / FILE_NAME
    found = salvage(path.parent)
    if found.sound:
        print(f"{path} is sound: nothing was changed")
        return YES
    print(f"{path}: {found.pages_lost:,} of its pages cannot be read, {found.pages:,} are there")
    if found.kept is None:
        print("  saved       nothing: the file was left as it is; delete it to begin the job anew")
        return NO
    rest = f"{counted(found.set_aside, 'request')} set aside, {found.visited:,} pages remembered as visited"
    print(f"  saved       {counted(found.requests, 'request')} to be made, {rest}")
    print(f"  lost        at least {counted(found.lost, 'request')}; pages no longer remembered are fetched again")
    print(f"  kept        {found.kept}, the damaged file: delete it when you need it no more")
    return YES


def add_subcommands(parser: Parser) -> None:
    recover = parser.subcommand(
        "recover",
        "save what can be read of a job directory's damaged queue, and keep the damaged file under another name (exit "
        "status: 0 saved, or sound, 1 nothing can be read, 2 error)",
        _recover,
    )
    recover.add_argument("folder", metavar="JOBDIR", nargs="?", help="instead of the project's")
