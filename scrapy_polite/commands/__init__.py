"""What `scrapy robots` and `scrapy polite` share: subcommands in a table, and what an exit status means.

0 is a yes (allowed, done, fine), 1 a no (refused, nothing stored, problems), 2 an error or wrong usage.
"""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.conf import build_component_list
from scrapy.utils.log import configure_logging
from scrapy.utils.misc import load_object
from scrapy.utils.spider import DefaultSpider

from scrapy_polite._addon import Addon
from scrapy_polite.frontier.base import FrontierError
from scrapy_polite.settings import SettingsError
from scrapy_polite.store.base import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Spider
    from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess
    from scrapy.settings import BaseSettings, Settings

logger = logging.getLogger(__name__)

YES, NO, ERROR = 0, 1, 2

ABOVE_THE_PROJECT = (SETTINGS_PRIORITIES["spider"] + SETTINGS_PRIORITIES["cmdline"]) // 2
#: A crawl's log is for the crawl; -L, -s and --logfile still count.
_QUIET = {"LOG_FILE": None, "LOG_LEVEL": "WARNING", "LOG_STDOUT": False}


class CommandError(Exception):
    """Why a subcommand cannot do what it was told, and what to do."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """`run(command, words, options)` returns the exit status; `words` are from `least` to `most` (None: any number).

    `options` are the names, in `options`, of those that go with this subcommand; `within` are subcommands of its own.
    """

    syntax: str
    text: str
    run: Callable[[Any, Sequence[str], Namespace], int]
    least: int = 0
    most: int | None = None
    options: tuple[str, ...] = ()
    within: Mapping[str, Subcommand] | None = None


def group(syntax: str, text: str, within: Mapping[str, Subcommand], options: tuple[str, ...]) -> Subcommand:
    """A subcommand that has subcommands of its own."""

    def run(command: SubcommandsCommand, words: Sequence[str], opts: Namespace) -> int:
        return within[words[0]].run(command, words[1:], opts)

    listed = "\n".join(f"      {name} {sub.syntax}\n          {sub.text}" for name, sub in within.items())
    return Subcommand(f"{'|'.join(within)} {syntax}", f"{text}:\n{listed}", run, options=options, within=within)


def _check_usage(among: Mapping[str, Subcommand], words: Sequence[str], opts: Namespace, after: str = "") -> None:
    """Raises UsageError where words, and the options with them, make no sense; `after`: those that came before."""
    if not words or words[0] not in among:
        given = "a subcommand is missing" if not after else f"a word is missing after {after!r}"
        if words:
            given = f"unknown {words[0]!r} after {after!r}" if after else f"unknown subcommand {words[0]!r}"
        raise UsageError(f"{given}: expected one of {', '.join(among)}")
    chosen, name = among[words[0]], f"{after} {words[0]}".strip()
    for option in sorted({option for other in among.values() for option in other.options}):
        if option not in chosen.options and getattr(opts, option):
            raise UsageError(f"--{option} does not go with {name!r}, which takes: {chosen.syntax}")
    if len(words) - 1 < chosen.least or (chosen.most is not None and len(words) - 1 > chosen.most):
        raise UsageError(f"{name!r} takes: {chosen.syntax}")
    if chosen.within:
        _check_usage(chosen.within, words[1:], opts, after=name)


class SubcommandsCommand(ScrapyCommand):
    """`scrapy NAME SUBCOMMAND ...`. Options stand anywhere, as they may with Scrapy's own commands."""

    name: ClassVar[str]
    subcommands: ClassVar[dict[str, Subcommand]]
    settings: Settings
    crawler_process: CrawlerProcess | AsyncCrawlerProcess

    def syntax(self) -> str:
        usages = (f"{name} {sub.syntax}\n      {sub.text}" for name, sub in self.subcommands.items())
        return f"\n  scrapy {self.name} ".join(usages)

    def add_options(self, parser: ArgumentParser) -> None:
        self.settings.setdict(_QUIET, ABOVE_THE_PROJECT)
        super().add_options(parser)

    def process_options(self, args: list[str], opts: Namespace) -> None:
        super().process_options(args, opts)
        # Scrapy takes for arguments all it does not know.
        if unknown := next((word for word in args if word.startswith("-")), None):
            raise UsageError(f"unknown option {unknown!r}")
        _check_usage(self.subcommands, args, opts)

    def run(self, args: list[str], opts: Namespace) -> None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # rules are UTF-8, a terminal need not be
        if not self.requires_crawler_process:  # which would have done it
            configure_logging(self.settings)
        try:
            self.exitcode = self.subcommands[args[0]].run(self, args[1:], opts)
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
