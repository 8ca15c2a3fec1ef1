"""`scrapy polite watch`: how crawls stand while they run, and why they still run; in a terminal or a browser."""

from __future__ import annotations

import os
import shutil
import sys
import time
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from scrapy_polite._project import runs_path
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.text import printable
from scrapy_polite.watch.feed import Feed
from scrapy_polite.watch.screen import Screen, can_draw, has_colours, once, show
from scrapy_polite.watch.server import WatchServer
from scrapy_polite.watch.watching import Watching

if TYPE_CHECKING:
    from argparse import Namespace

_EVERY_S, _LEAST_EVERY_S = 2.0, 0.2
#: Columns of what is printed where there is no terminal.
_COLUMNS = 100


def add_subcommands(parser: Parser) -> None:
    command = parser.subcommand(
        "watch", "how crawls stand while they run, and why they are still running: here, or in a browser", _watch
    )
    command.add_argument(
        "which", metavar="RUN", nargs="?", help="a run's folder or its name, a job, or a spider; without it all"
    )
    command.add_argument("--every", metavar="SECONDS", type=_every, help=f"how often, every {_EVERY_S:g} by default")
    command.add_argument("--once", action="store_true", help="once, as it is done where the output is no terminal")
    command.add_argument("--web", action="store_true", help="as a page on 127.0.0.1, whose address is printed")
    command.add_argument("--port", metavar="PORT", type=_port, help="with --web: the port, by default a free one")


def _watch(command: SubcommandsCommand, opts: Namespace) -> int:
    if opts.port is not None and not opts.web:
        raise CommandError("--port PORT goes with --web")
    if opts.web and (opts.once or opts.every is not None):
        raise CommandError("--web goes without --once and --every: the page is as new as the crawls' files")
    root = runs_path()
    watching = Watching(root, opts.which)
    first = watching.read(time.time())
    if opts.which and not first.runs and not first.trouble:
        raise CommandError(f"no run, job or spider {printable(opts.which)!r} in {root}; without a name all are shown")
    if opts.web:
        return _serve(watching, opts.port or 0)
    if opts.once or not can_draw(sys.stdout, os.environ):
        once(first, sys.stdout, width=shutil.get_terminal_size((_COLUMNS, 0)).columns)
        return YES if first.runs else NO
    screen = Screen(sys.stdout, colours=has_colours(os.environ))
    every_s = _EVERY_S if opts.every is None else opts.every
    show(lambda: watching.read(time.time()), screen, every_s, until_ended=watching.is_of_one_run)
    return YES


def _serve(watching: Watching, port: int) -> int:
    try:
        server = WatchServer(Feed(watching), port)
    except OSError as error:
        raise CommandError(f"port {port} cannot be had ({error}): name another, or none for a free one") from error
    print(server.url)
    print("Who has this address sees the crawls, so keep it to yourself. Ctrl-C ends it.", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.end()
    return YES


def _every(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not _LEAST_EVERY_S <= seconds <= 3_600:
        raise ArgumentTypeError(f"is {text!r}: expected seconds from {_LEAST_EVERY_S:g} to 3600")
    return seconds


def _port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) < 65_536):
        raise ArgumentTypeError(f"is {text!r}: expected a port, 0 to 65535")
    return int(text)
