"""`scrapy polite jobs`, `push`, `pause`, `resume`, `drop`: the jobs of many processes on a server (POLITE_FRONTIER)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.misc import build_from_crawler, load_object

from scrapy_polite._crawl import shared
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.frontier.backends import jobs_on, scrapy_redis_start
from scrapy_polite.frontier.jobs import NewRequest
from scrapy_polite.frontier.lane import lane_name_of
from scrapy_polite.frontier.order import Order
from scrapy_polite.frontier.parts import part_of
from scrapy_polite.services.pace_keys import PaceKeys
from scrapy_polite.settings import PoliteSettings, project_server
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy.crawler import Crawler

    from scrapy_polite.frontier.jobs import Jobs, JobState

#: For how long it is watched how fast a job goes on, in seconds.
_WATCHED_S = 1.0
#: What a line of JSON may say of a request.
_KEYS = frozenset({"url", "method", "headers", "body", "cookies", "meta", "priority", "dont_filter"})


def _list(command: SubcommandsCommand, opts: Namespace) -> int:
    with _jobs(command, opts) as jobs:
        before = jobs.states()
        if any(state.workers for state in before):
            time.sleep(_WATCHED_S)
        states = jobs.states()
    done = {state.name: state.done for state in before}
    for state in states:
        rate = (state.done - done.get(state.name, state.done)) / _WATCHED_S
        if opts.json:
            print(json.dumps(asdict(state) | {"pages_per_s": rate}))
        else:
            print("\n".join(_lines(state, rate)))
    if not states:
        print("no jobs there", file=sys.stderr)
    return YES if states else NO


def _lines(state: JobState, rate: float) -> Iterator[str]:
    aside = f", {state.set_aside:,} set aside" if state.set_aside else ""
    yield (
        f"{printable(state.name)}: {state.queued:,} queued, {state.in_flight:,} in flight, {state.done:,} done, "
        f"{state.visited:,} visited{aside}"
    )
    if state.paused:
        yield "  paused      `scrapy polite resume` lets it go on"
    if state.ended_ago_s is not None:
        yield f"  ended       {duration(state.ended_ago_s)} ago"
    elif not state.workers:
        yield "  processes   none: start one with `scrapy crawl`"
    for worker in state.workers:
        yield f"  process     {printable(worker.name)}, for {duration(worker.since_s)}, {counted(worker.hosts, 'host')}"
    if state.workers:
        yield f"  rate        {rate:,.0f} pages/s"


def _push(command: SubcommandsCommand, opts: Namespace) -> int:
    if (opts.file is None) is (opts.scrapy_redis is None):
        raise CommandError("give a FILE, or --scrapy-redis KEY")
    crawler = command.configured()
    with _asked_for(crawler, opts) as requests, _jobs(command, opts) as jobs:
        queued, known = jobs.push(opts.job, _new(crawler, requests))
    print(f"{opts.job}: {counted(queued, 'request')} queued, {known:,} known before")
    return YES if queued else NO


@contextmanager
def _asked_for(crawler: Crawler, opts: Namespace) -> Iterator[Iterator[Request]]:
    if opts.file is not None:
        with _lines_of(opts.file) as lines:
            yield _requests(lines)
        return
    try:
        server = project_server(crawler.settings)
    except ValueError as error:
        raise CommandError(str(error)) from error
    yield scrapy_redis_start(server, opts.scrapy_redis, crawler.settings.get("REDIS_ENCODING") or "utf-8")


@contextmanager
def _lines_of(name: str) -> Iterator[Iterator[str]]:
    if name == "-":
        yield iter(sys.stdin)
        return
    try:
        with Path(name).open(encoding="utf-8", errors="replace") as file:
            yield iter(file)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}") from error


def _requests(lines: Iterator[str]) -> Iterator[Request]:
    for at, line in enumerate(lines, 1):
        if (text := line.strip()) and not text.startswith("#"):
            yield _request(text, at)


def _new(crawler: Crawler, requests: Iterator[Request]) -> Iterator[NewRequest]:
    settings = shared(crawler, PoliteSettings)
    dupefilter: Any = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
    if remember_in := getattr(dupefilter, "remember_in", None):
        remember_in(None, lambda _: ())  # whatever a robots.txt says, nobody has read it here
    fingerprint = getattr(dupefilter, "fingerprint", None) or crawler.request_fingerprinter.fingerprint
    keys, order = PaceKeys(settings.pace_by), Order.from_settings(crawler.settings)
    numbers = count(time.time_ns() // 1_000)
    for request in requests:
        name, origin = lane_name_of(settings.url_of(request) or request.url)
        host = name.origin
        if origin is not None:
            host = part_of(keys.of(origin), settings.sites.policy(origin).workers, request.url)
        mark = None if request.dont_filter else fingerprint(request)
        yield NewRequest(str(name), host, order.rank(request, next(numbers)), request, mark)


def _request(text: str, at: int) -> Request:
    values: Any = {"url": text}
    try:
        if text.startswith("{"):
            values = json.loads(text)
        if unknown := values.keys() - _KEYS:
            raise ValueError(f"{min(unknown)!r} is none of {', '.join(sorted(_KEYS))}")
        return Request(**values)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise CommandError(
            f"line {at} is {printable(text, 100)!r}, expected a URL, or JSON such as "
            f'{{"url": "https://example.com", "priority": 1}} ({error}); lines before it may be queued already'
        ) from error


def _pause(command: SubcommandsCommand, opts: Namespace) -> int:
    return _set_paused(command, opts, paused=True)


def _resume(command: SubcommandsCommand, opts: Namespace) -> int:
    return _set_paused(command, opts, paused=False)


def _set_paused(command: SubcommandsCommand, opts: Namespace, *, paused: bool) -> int:
    with _jobs(command, opts) as jobs:
        state = _known(jobs, opts.job)
        if state is None:
            return NO
        jobs.pause(opts.job, paused)
    said = "paused: what is in flight comes back, nothing more leaves" if paused else "goes on"
    print(f"{opts.job}: {said}")
    return YES


def _drop(command: SubcommandsCommand, opts: Namespace) -> int:
    with _jobs(command, opts) as jobs:
        state = _known(jobs, opts.job)
        if state is None:
            return NO
        if state.workers and not opts.force:
            raise CommandError(
                f"{counted(len(state.workers), 'process is', 'processes are')} at work on {opts.job}: stop them first, "
                "or give --force, then they end as polite_store_lost"
            )
        jobs.drop(opts.job)
    print(f"{opts.job}: dropped, {counted(state.queued, 'queued request')}, {state.visited:,} visited pages")
    return YES


def _known(jobs: Jobs, job: str) -> JobState | None:
    state = jobs.state(job)
    if state is None:
        names = ", ".join(printable(other.name) for other in jobs.states()) or "none"
        print(f"no job {job}; there are: {names}", file=sys.stderr)
    return state


@contextmanager
def _jobs(command: SubcommandsCommand, opts: Namespace) -> Iterator[Jobs]:
    if opts.frontier is not None:
        command.settings.set("POLITE_FRONTIER", opts.frontier, "cmdline")
    location = PoliteSettings.from_settings(command.configured().settings).frontier
    if location is None:
        raise CommandError(
            "no server: set POLITE_FRONTIER, or give --frontier URL. A job in a folder (JOBDIR) has no server: "
            "the command that began it lets it go on"
        )
    with closing(jobs_on(location)) as jobs:
        yield jobs


def add_subcommands(parser: Parser) -> None:
    jobs = parser.subcommand(
        "jobs",
        "the jobs on POLITE_FRONTIER, their processes and how fast they go on (exit status: 0 some, 1 none, 2 error)",
        _list,
    )
    jobs.add_argument("--json", action="store_true", help="one JSON object a line for each")
    push = parser.subcommand(
        "push",
        "queue requests for a job, which need not be there yet (exit status: 0 done, 1 all were known, 2 error)",
        _push,
    )
    pause = parser.subcommand("pause", "let nothing more of a job leave, until it is resumed", _pause)
    resume = parser.subcommand("resume", "let a job go on that was paused", _resume)
    drop = parser.subcommand("drop", "delete a job: what is queued, and what was visited", _drop)
    for part in (push, pause, resume, drop):
        part.add_argument("job", metavar="JOB", help="its name: POLITE_JOB, or the spider's name")
    push.add_argument(
        "file",
        metavar="FILE",
        nargs="?",
        help="URLs or JSON objects of requests, one a line; - for standard input",
    )
    push.add_argument(
        "--scrapy-redis",
        metavar="KEY",
        help="instead of FILE: scrapy-redis's list, set or sorted set of start URLs, on the project's REDIS_URL",
    )
    drop.add_argument("--force", action="store_true", help="even while processes are at work on it")
    for part in (jobs, push, pause, resume, drop):
        part.add_argument("--frontier", metavar="URL", help="instead of the project's POLITE_FRONTIER")
