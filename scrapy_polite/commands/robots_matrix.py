"""`scrapy robots test` and `scrapy robots diff`: many crawlers and URLs at once, two versions of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.commands.robots_sides import SIDE, bodies, input_errors, side_of
from scrapy_polite.commands.robots_urls import URLS, OfOrigin, known_urls
from scrapy_polite.origin import Origin
from scrapy_polite.robots import changes, matrix
from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.robots.inputs import read_agents, read_urls
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.text import counted

if TYPE_CHECKING:
    from argparse import Namespace

#: What `test` reads where it is told nothing.
_ROBOTS_TXT = "robots.txt"


def add_subcommands(parser: Parser) -> None:
    test = parser.subcommand(
        "test",
        "what a robots.txt says to many crawlers of many URLs, and whether that is as expected "
        "(exit status: 0 as expected, 1 not, 2 error)",
        _test,
    )
    test.add_argument("robots", metavar="ROBOTS", nargs="*", help=f"{SIDE} (default: {_ROBOTS_TXT})")
    test.add_argument("--agents", metavar="FILE", type=Path, help="crawlers, a name a line; * is any other")
    test.add_argument("--urls", metavar="FILE", type=Path, help="URLs or paths, one a line")
    test.add_argument("--expect", metavar="FILE", type=Path, help=f"lines: {matrix.FORM}")
    _add_dialect(test, "read it in this dialect alone; more than once: in these")
    test.add_argument("--json", action="store_true", help="one JSON object a line for each verdict, and each mismatch")
    diff = parser.subcommand(
        "diff",
        "which known URLs another version of a robots.txt closes or opens, and by which line "
        "(exit status: 0 none changes, 1 some do, 2 error)",
        _diff,
    )
    diff.add_argument("old", metavar="OLD", help=SIDE)
    diff.add_argument("new", metavar="NEW", help="as OLD")
    diff.add_argument("--urls", metavar="URLS", required=True, help=URLS)
    diff.add_argument("--agent", metavar="NAME", help="the crawler to ask for, not the project's")
    diff.add_argument("--origin", metavar="ORIGIN", help="URLs of this origin alone (default: of OLD or NEW)")
    diff.add_argument(
        "--dialect", metavar="NAME", choices=tuple(DIALECTS), default="rfc", help="as both are read (default: rfc)"
    )
    diff.add_argument("--all", action="store_true", help="every URL that changes, not a few for each line")
    diff.add_argument("--json", action="store_true", help="one JSON object a line for each change")


def _add_dialect(parser: Parser, text: str) -> None:
    parser.add_argument("--dialect", metavar="NAME", action="append", choices=tuple(DIALECTS), help=text)


def asks_network(opts: Namespace) -> bool:
    """Whether one of the robots.txt is to be asked for now."""
    words = opts.robots if opts.run is _test else (opts.old, opts.new) if opts.run is _diff else ()
    try:
        return any(side_of(word).asks_network for word in words)
    except CommandError:
        return False  # which the subcommand says again


def _test(command: SubcommandsCommand, opts: Namespace) -> int:
    if (opts.agents is None) is not (opts.urls is None):
        raise CommandError("--agents and --urls go together: give both, or --expect alone")
    if opts.agents is None and opts.expect is None:
        raise CommandError("nothing to test: give --agents and --urls, --expect, or all three")
    sides = [side_of(word) for word in opts.robots or [_ROBOTS_TXT]]
    with input_errors():
        agents = read_agents(opts.agents) if opts.agents else []
        expectations = matrix.read_expectations(opts.expect) if opts.expect else []
        found = 0
        for side, body in zip(sides, bodies(command, sides), strict=True):
            readers = matrix.Readers(body, matrix.one_dialect_each(opts.dialect))
            if opts.urls:
                _print_matrix(readers, agents, opts)
            for mismatch in readers.mismatches(expectations):
                found += 1
                as_text = matrix.mismatch_text(opts.expect, side.name, mismatch)
                print(matrix.mismatch_json(mismatch) if opts.json else as_text)
    if opts.expect and not opts.json:
        print(f"{counted(len(expectations), 'expectation')}, {counted(found, 'mismatch', 'mismatches')}")
    return NO if found else YES


def _print_matrix(readers: matrix.Readers, agents: list[str], opts: Namespace) -> None:
    as_json = matrix.JsonCells()
    for cells in readers.cells(agents, read_urls(opts.urls)):
        print("\n".join(as_json.lines(cells) if opts.json else matrix.as_text(cells, len(readers.dialects))))


def _diff(command: SubcommandsCommand, opts: Namespace) -> int:
    sides = [side_of(opts.old), side_of(opts.new)]
    with input_errors():
        urls = known_urls(opts.urls)
        old, new = bodies(command, sides)
        # What a crawl has asked for is of many origins, and a robots.txt is of one.
        origin = _origin(opts.origin) if opts.origin else sides[1].origin or sides[0].origin
        of_origin = OfOrigin(origin) if origin else None
        agent = shared(command.configured(), CrawlRobots).default_token
        dialect = DIALECTS[opts.dialect]
        diff = changes.Diff()
        changed = changes.changed(
            RobotsTxt.parse(old, agent, dialect=dialect),
            RobotsTxt.parse(new, agent, dialect=dialect),
            of_origin.of(urls) if of_origin else urls,
            diff,
        )
        for change in changed:
            if opts.all:
                print(changes.url_as_json(*change) if opts.json else changes.url_as_text(*change))
    if not diff.urls:
        others = f" of {origin}: all {of_origin.others:,} are of others" if of_origin else ""
        raise CommandError(f"{opts.urls} holds no URL{others}; nothing is compared")
    if not opts.all:
        for group in diff.sorted():
            print(changes.as_json(group) if opts.json else "\n".join(changes.as_text(group)))
    if not opts.json:
        print(changes.summary(diff) + f", for {agent}")
        if of_origin and of_origin.others:
            print(f"{counted(of_origin.others, 'URL')} of other origins not counted")
    return YES if not diff.changes else NO


def _origin(word: str) -> Origin:
    try:
        return Origin.from_url(word)
    except ValueError as error:
        raise CommandError(f"--origin: {error}") from error
