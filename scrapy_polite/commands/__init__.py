"""What `scrapy robots` and `scrapy polite` share, and what their parts import of all commands (`_commandline`)."""

from __future__ import annotations

import re
from abc import abstractmethod
from argparse import ArgumentParser, Namespace
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from scrapy.commands import ScrapyCommand
from scrapy.crawler import Crawler
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.conf import build_component_list
from scrapy.utils.log import configure_logging
from scrapy.utils.misc import load_object
from scrapy.utils.project import inside_project
from scrapy.utils.spider import DefaultSpider

from scrapy_polite._addon import Addon
from scrapy_polite._commandline import ERROR, NO, YES, CommandError, Parser, exit_status
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.origin import is_address
from scrapy_polite.runs.run import RunError
from scrapy_polite.settings import SettingsError
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.factory import is_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Spider
    from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess
    from scrapy.settings import BaseSettings, Settings

__all__ = ["ABOVE_THE_PROJECT", "ERROR", "NO", "YES", "CommandError", "Parser", "SubcommandsCommand", "exit_status"]

ABOVE_THE_PROJECT = (SETTINGS_PRIORITIES["spider"] + SETTINGS_PRIORITIES["cmdline"]) // 2
#: A crawl's log is for the crawl; -L, -s and --logfile still count.
_QUIET = {"LOG_FILE": None, "LOG_LEVEL": "WARNING", "LOG_STDOUT": False}

_FAULTS = (CommandError, FrontierError, RunError, SettingsError, StoreError)
_EPILOG = "Scrapy's own options go with all of them, such as -s NAME=VALUE; `scrapy fetch --help` lists them."


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
        if not self.requires_crawler_process:  # which would have done it
            configure_logging(self.settings)
        self.exitcode = exit_status(f"scrapy {self.name} {args[0]}", lambda: int(opts.run(self, opts)), _FAULTS)

    def configured(self, spidercls: type[Spider] = DefaultSpider) -> Crawler:
        """A crawler that is not to crawl, with its settings as its crawl would have them: the spider's, the add-ons'.

        Raises CommandError, or SettingsError.
        """
        with reported("the settings cannot be applied"):
            crawler = Crawler(spidercls, self.settings)
            crawler.addons.load_settings(crawler.settings)
        return crawler


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
