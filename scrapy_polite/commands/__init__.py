"""What `scrapy robots` and `scrapy polite` share: how subcommands are read, and what an exit status means.

0 is a yes (allowed, done, fine), 1 a no (refused, nothing stored, problems), 2 an error or wrong usage,
141 that nobody read it to its end.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from abc import abstractmethod
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from scrapy.commands import ScrapyCommand
from scrapy.crawler import Crawler
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.conf import build_component_list
from scrapy.utils.log import configure_logging
from scrapy.utils.misc import load_object
from scrapy.utils.project import inside_project
from scrapy.utils.spider import DefaultSpider

from scrapy_polite._addon import Addon
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.origin import is_address
from scrapy_polite.settings import SettingsError
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.factory import is_url

if TYPE_CHECKING:
    from argparse import _SubParsersAction
    from collections.abc import Iterator

    from scrapy import Spider
    from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess
    from scrapy.settings import BaseSettings, Settings

logger = logging.getLogger(__name__)

YES, NO, ERROR = 0, 1, 2
#: What a shell reports of a program that SIGPIPE has ended (128 + 13), as it ends grep: no "no", and no error.
_BROKEN_PIPE = 141

ABOVE_THE_PROJECT = (SETTINGS_PRIORITIES["spider"] + SETTINGS_PRIORITIES["cmdline"]) // 2
#: A crawl's log is for the crawl; -L, -s and --logfile still count.
_QUIET = {"LOG_FILE": None, "LOG_LEVEL": "WARNING", "LOG_STDOUT": False}


Run = Callable[[Any, Namespace], int]

_EPILOG = "Scrapy's own options go with all of them, such as -s NAME=VALUE; `scrapy fetch --help` lists them."


class CommandError(Exception):
    """Why a subcommand cannot do what it was told, and what to do."""


class Parser(ArgumentParser):
    """The words and options of a command, or of one of its subcommands. It says what is wrong in two lines."""

    subcommands: _SubParsersAction[Parser] | None = None

    def subcommand(self, name: str, text: str, run: Run | None = None) -> Parser:
        """Add one: `run(command, opts)` returns the exit status; without `run` it has subcommands of its own."""
        if self.subcommands is None:
            self.subcommands = self.add_subparsers(title="subcommands", required=True)
        parser = self.subcommands.add_parser(name, help=text, description=text, epilog=_EPILOG)
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


class SubcommandsCommand(ScrapyCommand):
    """`scrapy NAME SUBCOMMAND ...`. Scrapy's own options stand anywhere, a subcommand's anywhere after it."""

    name: ClassVar[str]
    settings: Settings
    crawler_process: CrawlerProcess | AsyncCrawlerProcess
    _parser: Parser

    @abstractmethod
    def add_subcommands(self, parser: Parser) -> None: ...

    def add_options(self, parser: ArgumentParser) -> None:
        self.settings.setdict(_QUIET, ABOVE_THE_PROJECT)
        super().add_options(parser)
        self._parser = Parser(f"scrapy {self.name}", description=self.long_desc(), epilog=_EPILOG)
        self.add_subcommands(self._parser)
        # Scrapy's parser takes what is Scrapy's, and leaves the rest to ours: help and errors too.
        parser.add_argument("-h", "--help", action="store_true")
        parser.error = self._parser.error  # type: ignore[method-assign]

    def process_options(self, args: list[str], opts: Namespace) -> None:
        self._parser.take([*args, "--help"] if opts.help else args, opts)
        super().process_options(args, opts)
        settings = self.settings
        if store := getattr(opts, "store", None):
            settings.set("POLITE_STORE", store if is_url(store) else str(Path(store).absolute()), "cmdline")
        elif not inside_project() and settings.getpriority("POLITE_STORE") is None and not settings["POLITE_FRONTIER"]:
            settings.set("POLITE_STORE", "memory", "command")

    def run(self, args: list[str], opts: Namespace) -> None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # rules are UTF-8, a terminal need not be
        if not self.requires_crawler_process:  # which would have done it
            configure_logging(self.settings)
        try:
            self.exitcode = opts.run(self, opts)
            sys.stdout.flush()
        except BrokenPipeError:  # who read it, such as `head`, has read enough
            # Python flushes once more at its end: https://docs.python.org/3/library/signal.html#note-on-sigpipe
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self.exitcode = _BROKEN_PIPE
        except (CommandError, FrontierError, SettingsError, StoreError) as error:
            self._fail(args[0], error)
        except KeyboardInterrupt:
            self._fail(args[0], "interrupted")
        except Exception as error:
            # Python's own exit status for a traceback is 1, which here would be a "no".
            logger.exception("Internal error")
            self._fail(args[0], repr(error))

    def configured(self, spidercls: type[Spider] = DefaultSpider) -> Crawler:
        """A crawler that is not to crawl, with its settings as its crawl would have them: the spider's, the add-ons'.

        Raises CommandError, or SettingsError.
        """
        with reported("the settings cannot be applied"):
            crawler = Crawler(spidercls, self.settings)
            crawler.addons.load_settings(crawler.settings)
        return crawler

    def _fail(self, name: str, why: object) -> None:
        print(f"scrapy {self.name} {name}: {why}", file=sys.stderr)
        self.exitcode = ERROR


#: A host, perhaps with a port and a path.
_BARE = re.compile(r"(?:\[[^\]]*\]|[^:/]+)(?::\d+)?(?:/.*)?")


def url_of(word: str) -> str:
    """A URL as it is; of a host, perhaps with a port and a path, the one by https. An address needs no brackets."""
    if word.count(":") > 1 and is_address(word):
        word = f"[{word}]"
    return f"https://{word}" if _BARE.fullmatch(word) else word


def has_addon(settings: BaseSettings) -> bool:
    """Whether ADDONS has this package's add-on."""
    return any(load_object(path) is Addon for path in build_component_list(settings.getdict("ADDONS")))


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Turn whatever the project's own code raises into a sentence; `what` could not be done because of it."""
    try:
        yield
    except (SettingsError, StoreError):
        raise
    except Exception as error:
        raise CommandError(f"{what}: {type(error).__name__}: {error}") from error
