"""`scrapy robots lint`, which also asks origins for the file that they have now, and for what it names."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from scrapy_polite.commands import CommandError, Parser, SubcommandsCommand
from scrapy_polite.commands.robots_sides import SIDE, Side, body_at, side_of
from scrapy_polite.commands.robots_visit import Answers, asked_anew, body_of
from scrapy_polite.robots.lint import command as lint
from scrapy_polite.robots.lint.online import MAX_SITEMAPS, answer_findings, sitemap_findings, sitemaps
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy_polite.origin import Origin
    from scrapy_polite.robots.lint.finding import Finding
    from scrapy_polite.store.robots import RobotsCopy


def add_subcommands(parser: Parser) -> None:
    subcommand = parser.subcommand(lint.NAME, lint.TEXT, _lint)
    lint.add_arguments(subcommand, SIDE)
    subcommand.add_argument(
        "--online",
        action="store_true",
        help=f"also look at how origins answer for their robots.txt, and ask for the Sitemaps that files name (at most "
        f"{MAX_SITEMAPS} of each file)",
    )


def asks_network(opts: Namespace) -> bool:
    return opts.run is _lint and (opts.online or any(_is_now(word) for word in opts.sources))


def _is_now(word: str) -> bool:
    try:
        return "://" in word and side_of(word).asks_network
    except CommandError:
        return False  # which is said when it is read


def _lint(command: SubcommandsCommand, opts: Namespace) -> int:
    """What cannot be had is told in its place, and the others are looked at."""
    bodies, now = _at_hand(command, opts)
    answers = _answers(command, now, bodies, online=opts.online)
    online: dict[str, list[Finding]] = {}
    for word, origin in now.items():
        copy = answers.copies[origin]
        if opts.online and copy and (copy.status is not None or copy.refused_since is not None):
            bodies[word], online[word] = copy.body, answer_findings(origin, copy)
        else:
            bodies[word] = _body(word, origin, copy)
    for word, body in bodies.items() if opts.online else ():
        online.setdefault(word, []).extend(_of_sitemaps(word, body, answers))
    return lint.run(opts, bodies, online)


def _at_hand(command: SubcommandsCommand, opts: Namespace) -> tuple[dict[str, bytes | CommandError], dict[str, Origin]]:
    """What is known of sources without asking, or why it is not; and the origins that are to be asked now."""
    bodies: dict[str, bytes | CommandError] = {}
    now: dict[str, Origin] = {}
    for word in dict.fromkeys(opts.sources):
        try:
            side = side_of(word) if "://" in word else Side(word)
            if side.origin and side.at is None:
                now[word] = side.origin
            elif side.origin and side.at is not None:
                bodies[word] = body_at(command, side.origin, side.at)
            elif opts.online:  # its Sitemaps have to be known before the one visit to the network
                bodies[word] = lint.octets(word)
        except CommandError as error:  # noqa: PERF203 (each has its own)
            bodies[word] = error
    return bodies, now


def _answers(
    command: SubcommandsCommand, now: dict[str, Origin], bodies: dict[str, bytes | CommandError], *, online: bool
) -> Answers:
    files = [body for body in bodies.values() if not isinstance(body, CommandError)] if online else None
    if not now and not files:
        return Answers({}, {})
    return asked_anew(command, list(dict.fromkeys(now.values())), max_bytes=lint.MAX_READ, online=files)


def _body(word: str, origin: Origin, copy: RobotsCopy | None) -> bytes | CommandError:
    try:
        body = body_of(origin, copy, cut=True)
    except CommandError as error:
        return error
    if not body:
        what = copy and (copy.failure or (copy.status and copy.status >= 300 and f"HTTP {copy.status}"))
        found = f"no robots.txt ({printable(what)})" if what else "an empty robots.txt"
        print(f"{printable(word, 300)}: {found}: everything may be fetched", file=sys.stderr)
    return body


def _of_sitemaps(word: str, body: bytes | CommandError, answers: Answers) -> list[Finding]:
    if isinstance(body, CommandError):
        return []
    if len({one.url for one in sitemaps(body)}) > MAX_SITEMAPS:
        told = f"only the first {MAX_SITEMAPS} Sitemaps were asked for"
        print(f"{printable(word, 300)}: {told}", file=sys.stderr)
    return sitemap_findings(body, answers.sitemaps)
