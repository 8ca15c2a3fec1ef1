"""What all commands share, with Scrapy and without: how subcommands are read, and what an exit status means.

0 is a yes (allowed, done, fine), 1 a no (refused, nothing stored, problems), 2 an error or wrong usage,
141 that nobody read it to its end.
"""

from __future__ import annotations

import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from argparse import _SubParsersAction

logger = logging.getLogger(__name__)

YES, NO, ERROR = 0, 1, 2
#: What a shell reports of a program that SIGPIPE has ended (128 + 13), as it ends grep: no "no", and no error.
_BROKEN_PIPE = 141

Run = Callable[[Any, Namespace], int]


class CommandError(Exception):
    """Why a subcommand cannot do what it was told, and what to do."""


class Parser(ArgumentParser):
    """The words and options of a command, or of one of its subcommands. It says what is wrong in two lines."""

    subcommands: _SubParsersAction[Parser] | None = None

    def subcommand(self, name: str, text: str, run: Run | None = None) -> Parser:
        """Add one: `run(command, opts)` returns the exit status; without `run` it has subcommands of its own."""
        if self.subcommands is None:
            self.subcommands = self.add_subparsers(title="subcommands", required=True)
        parser = self.subcommands.add_parser(name, help=text, description=text, epilog=self.epilog)
        parser.set_defaults(run=run)
        return parser

    def add_store(self) -> None:
        self.add_argument(
            "--store", metavar="STORE", help="a file's path or a server's URL, instead of the project's POLITE_STORE"
        )

    def add_public_suffix(self) -> None:
        self.add_argument(
            "--public-suffix", action="store_true", help="take an entry such as com or co.uk, and all sites below it"
        )

    def take(self, words: Sequence[str], opts: Namespace) -> None:
        """Read a command line into `opts`; exits where it is wrong, or asks for help."""
        within = self.subcommands.choices if self.subcommands else {}
        if words and words[0] in within:
            within[words[0]].take(words[1:], opts)
        elif within:
            self.parse_args(words, opts)
        else:  # as argparse's subcommands alone do not: with options between the words
            self.parse_intermixed_args(words, opts)

    def error(self, message: str) -> NoReturn:
        usage = " ".join(self.format_usage().split())
        self.exit(ERROR, f"{self.prog}: {message}\n{usage}  (more: {self.prog} --help)\n")


def exit_status(name: str, work: Callable[[], int], faults: tuple[type[Exception], ...] = (CommandError,)) -> int:
    """The exit status of a subcommand, run. `faults` are told in one line that begins with its name."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # rules are UTF-8, a terminal need not be
    try:
        status = work()
        if sys.stdout is not None:  # None: it was closed before
            sys.stdout.flush()
    except BrokenPipeError:  # who read it, such as `head`, has read enough
        _leave_output()
        return _BROKEN_PIPE
    except faults as error:
        return _failed(name, error)
    except KeyboardInterrupt:
        return _failed(name, "interrupted")
    except OSError as error:  # a full disk, a name that is too long: no fault of the program
        try:
            print(end="", flush=True)
        except OSError:
            _leave_output()
        return _failed(name, str(error)[:500])
    except Exception as error:
        # Python's own exit status for a traceback is 1, which here would be a "no".
        logger.exception("Internal error")
        return _failed(name, repr(error))
    return status


def _leave_output() -> None:
    """What cannot be written is dropped. Python flushes once more at its end, and would end with status 120:
    https://docs.python.org/3/library/signal.html#note-on-sigpipe"""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _failed(name: str, why: object) -> int:
    print(f"{name}: {why}", file=sys.stderr)
    return ERROR
