"""`scrapy robots build` and `publish`, which also try a change on what the project has crawled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.commands.robots_urls import URLS, known_urls
from scrapy_polite.robots.build import command as build
from scrapy_polite.robots.serving import command as publish

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy_polite.commands import Parser, SubcommandsCommand


def add_subcommands(parser: Parser) -> None:
    build.add_arguments(parser.subcommand(build.NAME, build.TEXT, _build), URLS)
    publish.add_arguments(parser.subcommand(publish.NAME, publish.TEXT, _publish), URLS)


def _build(_: SubcommandsCommand, opts: Namespace) -> int:
    return build.run(opts, known_urls)


def _publish(_: SubcommandsCommand, opts: Namespace) -> int:
    return publish.run(opts, known_urls)
