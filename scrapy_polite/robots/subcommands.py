"""The commands about robots.txt that need no project: `python -m scrapy_polite.robots NAME`.

`scrapy robots` has each in a form that also asks origins, or knows what the project has crawled. To add one, name its
module in `SUBCOMMANDS`. Nothing that it imports may import Scrapy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_polite.robots import diff_command, farms_command, test_command
from scrapy_polite.robots.build import command as build
from scrapy_polite.robots.lint import command as lint
from scrapy_polite.robots.serving import command as publish

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy_polite._commandline import Parser


@dataclass(frozen=True, slots=True)
class Subcommand:
    """`add_arguments` is given the parser of its own; `run` returns the exit status, and raises CommandError."""

    name: str
    text: str
    add_arguments: Callable[[Parser], None]
    run: Callable[[Namespace], int]


SUBCOMMANDS: tuple[Subcommand, ...] = tuple(
    Subcommand(one.NAME, one.TEXT, one.add_arguments, one.run)
    for one in (lint, test_command, diff_command, farms_command, build, publish)
)


def add_subcommands(parser: Parser) -> None:
    for one in SUBCOMMANDS:
        one.add_arguments(parser.subcommand(one.name, one.text, _run_of(one)))


def _run_of(one: Subcommand) -> Callable[[object, Namespace], int]:
    """As commands run their parts: given the command, which these have no need of."""
    return lambda _, opts: one.run(opts)
