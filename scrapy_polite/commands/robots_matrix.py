"""`scrapy robots test` and `diff`, which also ask origins, and know what the project has crawled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.commands import CommandError, Parser, SubcommandsCommand, robots_lint
from scrapy_polite.commands.robots_sides import SIDE, bodies, side_of
from scrapy_polite.commands.robots_urls import URLS, known_urls
from scrapy_polite.robots import diff_command, test_command
from scrapy_polite.robots.inputs import input_errors
from scrapy_polite.robots.known_urls import named_origin
from scrapy_polite.services.robots import CrawlRobots

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def add_subcommands(parser: Parser) -> None:
    test_command.add_arguments(parser.subcommand(test_command.NAME, test_command.TEXT, _test), SIDE)
    diff = parser.subcommand(diff_command.NAME, diff_command.TEXT, _diff)
    diff_command.add_arguments(diff, SIDE, URLS, "the project's")
    robots_lint.add_subcommands(parser)


def asks_network(opts: Namespace) -> bool:
    """Whether one of the robots.txt is to be asked for now."""
    words: Sequence[str] = ()
    if opts.run is _test:
        words = opts.robots
    elif opts.run is _diff:
        words = opts.old, opts.new
    else:
        return robots_lint.asks_network(opts)
    try:
        return any(side_of(word).asks_network for word in words)
    except CommandError:
        return False  # which the subcommand says again


def _test(command: SubcommandsCommand, opts: Namespace) -> int:
    def said(words: Sequence[str]) -> list[bytes]:
        return bodies(command, [side_of(word) for word in words])

    return test_command.run(opts, said)


def _diff(command: SubcommandsCommand, opts: Namespace) -> int:
    sides = [side_of(opts.old), side_of(opts.new)]
    with input_errors():
        urls = known_urls(opts.urls)
        old, new = bodies(command, sides)
        origin = named_origin(opts) or sides[1].origin or sides[0].origin
        agent = shared(command.configured(), CrawlRobots).default_token
        return diff_command.compare(opts, old, new, urls, origin, agent)
