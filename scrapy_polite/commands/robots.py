"""`scrapy robots`: what robots.txt says, of one URL or many, and the copies that the store keeps."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from scrapy_polite import clock
from scrapy_polite._addon import Addon
from scrapy_polite._crawl import shared
from scrapy_polite.commands import (
    ABOVE_THE_PROJECT,
    NO,
    YES,
    CommandError,
    Parser,
    SubcommandsCommand,
    has_addon,
    reported,
    robots_build,
    robots_farms,
    robots_matrix,
    stored,
)
from scrapy_polite.commands.robots_visit import VISIT_SETTINGS, requests_of, visited
from scrapy_polite.commands.verdict import Verdict, state_of, verdict
from scrapy_polite.decision import Decision
from scrapy_polite.origin import Origin, origin_of
from scrapy_polite.robots.inputs import input_errors, read_robots
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.services.robots import CrawlRobots
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.text import counted

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite.robots.cache import CachedRobots, Key


def _check(command: RobotsCommand, opts: Namespace) -> int:
    verdicts = _check_in_file(command, opts) if opts.file else _check_in_crawl(command, opts)
    for index, found in enumerate(verdicts):
        if opts.json:
            print(found.as_json())
        else:
            print("\n" * bool(index) + found.as_text())
    return YES if all(found.allowed for found in verdicts) else NO


def _check_in_crawl(command: RobotsCommand, opts: Namespace) -> list[Verdict]:
    requests = requests_of(opts.urls)
    crawler, held = visited(command, requests)
    return [_verdict(crawler, request, held, opts) for request in requests]


def _verdict(crawler: Crawler, request: Request, helds: dict[Key, CachedRobots | None], opts: Namespace) -> Verdict:
    robots, now = shared(crawler, CrawlRobots), clock.now()
    origin = Origin.from_url(request.url)
    key = robots.key(origin, request)
    held = helds[key]
    if held is None:
        decision, basis = Decision(False, "robots/unreachable", "it did not come in time"), "unchecked"
        state = f"not known within {robots.wait_max_s:g} s (POLITE_WAIT_MAX)"
    else:
        (decision, basis), state = held.decide(request.url, now), state_of(held, now)
    return verdict(
        request.url,
        decision,
        basis=basis,
        robots_txt=origin.robots_url,
        state=state,
        rules=held.rules if held else None,
        token=key.token,
        token_source="--agent" if opts.agent else robots.token_source,
        copy=held.copy if held else None,
        policy=robots.mode(origin),
    )


def _check_in_file(command: RobotsCommand, opts: Namespace) -> list[Verdict]:
    targets = [url if url.startswith("/") else requests_of([url])[0].url for url in opts.urls]
    crawler = command.configured()
    robots = shared(crawler, CrawlRobots)
    with input_errors():
        body = read_robots(Path(opts.file))
    token = robots.default_token
    by_dialect: dict[str, CachedRobots] = {}
    verdicts = []
    for target in targets:
        origin = origin_of(target)
        dialect = robots.policy(origin).dialect
        if dialect not in by_dialect:
            copy = RobotsCopy(origin=str(origin or ""), agent=token, updated_at=0.0, status=200, body=body)
            by_dialect[dialect] = robots.read(copy)
        held = by_dialect[dialect]
        verdicts.append(
            verdict(
                target,
                held.decide(target, 0.0)[0],
                basis="fresh",
                robots_txt=opts.file,
                state=_state_of_file(held, body),
                rules=held.rules,
                token=token,
                token_source="--agent" if opts.agent else robots.token_source,
            )
        )
    return verdicts


def _state_of_file(held: CachedRobots, body: bytes) -> str:
    count = getattr(held.rules, "rule_count", None)
    state = "read from this machine" if count is None else counted(count, "rule")
    return f"{state}, cut at {MAX_BYTES:,} bytes" if len(body) > MAX_BYTES else state


def _agent(text: str) -> str:
    if not text.strip():
        raise ArgumentTypeError("is empty: give a name such as 'mybot', or '*' for any crawler")
    return text


class RobotsCommand(SubcommandsCommand):
    name = "robots"

    def short_desc(self) -> str:
        return "Ask what robots.txt says of URLs; test and compare it; see, drop, export, import stored copies"

    def long_desc(self) -> str:
        return (
            "Ask what robots.txt says of a URL, with the project's settings and as its crawls would be told "
            "(POLITE_TARGET_URL apart, which is for a crawl's own requests); look after the copies that are stored."
        )

    def add_options(self, parser: ArgumentParser) -> None:
        self.settings.setdict(VISIT_SETTINGS, priority=ABOVE_THE_PROJECT)
        super().add_options(parser)

    def add_subcommands(self, parser: Parser) -> None:
        check = parser.subcommand(
            "check",
            "may these URLs be fetched, and which line says so (exit status: 0 all allowed, 1 not all, 2 error)",
            _check,
        )
        check.add_argument("urls", metavar="URL", nargs="+", help="of a host alone, with or without a path: https")
        check.add_argument("--agent", metavar="NAME", type=_agent, help="the crawler to ask for, not the project's")
        check.add_argument("--file", metavar="PATH", help="judge by this file; ask no network. URLs may be mere paths")
        check.add_argument("--json", action="store_true", help="one JSON object a line for each URL")
        show = parser.subcommand(
            "show", "the stored copies of an origin's robots.txt (exit status: 1 nothing is stored)", stored.show
        )
        show.add_argument("origin", metavar="ORIGIN", help=stored.ORIGIN)
        show.add_argument("--agent", metavar="NAME", type=_agent, help="read them for this crawler, not the project's")
        show.add_argument(
            "--raw",
            action="store_true",
            help="only the bytes of the body, of the copy that crawls use here, else of the newest",
        )
        forget = parser.subcommand(
            "forget",
            "drop stored copies, so that they are fetched anew (exit status: 1 nothing is stored)",
            stored.forget,
        )
        forget.add_argument("origin", metavar="ORIGIN", nargs="?", help=stored.ORIGIN)
        forget.add_argument("--all", action="store_true", help="everything in the store")
        export = parser.subcommand("export", "write the whole store to one new file", stored.export_to)
        export.add_argument("file", metavar="FILE", type=Path)
        read = parser.subcommand("import", "take over what an export wrote", stored.import_from)
        read.add_argument("file", metavar="FILE", type=Path)
        for part in (show, forget, export, read):
            part.add_store()
        robots_matrix.add_subcommands(parser)
        robots_build.add_subcommands(parser)
        robots_farms.add_subcommands(parser)

    def process_options(self, args: list[str], opts: Namespace) -> None:
        super().process_options(args, opts)
        settings = self.settings
        if agent := getattr(opts, "agent", None):
            settings.set("ROBOTSTXT_USER_AGENT", agent, "cmdline")
        self.requires_crawler_process = opts.file is None if opts.run is _check else robots_matrix.asks_network(opts)
        if self.requires_crawler_process:
            if opts.run is not _check:  # the command itself says in one line what cannot be had
                settings.set("LOG_LEVEL", "ERROR", ABOVE_THE_PROJECT)
            try:
                with reported("an add-on in ADDONS cannot be loaded"):
                    present = has_addon(settings)
            except CommandError as error:
                raise UsageError(str(error)) from error
            if not present:
                settings.set("ADDONS", {**settings.getdict("ADDONS"), Addon: 300}, ABOVE_THE_PROJECT)
