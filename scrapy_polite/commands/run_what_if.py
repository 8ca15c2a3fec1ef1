"""`scrapy polite what-if`: a finished run decided again under other rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.spiderloader import get_spider_loader
from scrapy.utils.project import inside_project
from scrapy.utils.spider import DefaultSpider

from scrapy_polite._crawl import shared
from scrapy_polite.blacklist.sources import Source
from scrapy_polite.commands import YES, CommandError, Parser, SubcommandsCommand, reported
from scrapy_polite.commands.listfile import readable
from scrapy_polite.commands.run_there import add_run, run_of
from scrapy_polite.monitor.replay import Change, Replay
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.runs.records import Page, Refusal, Robots
from scrapy_polite.services.blacklists import read_lists
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy import Spider

    from scrapy_polite.runs.run import Run

_UNKNOWN = (
    "links that were never found because a page was not fetched, or that more pages would have brought; requests "
    "with a User-Agent of their own; pages that the spider exempts (dont_obey_robotstxt, polite_trap_exempt)"
)


def add_subcommands(parser: Parser) -> None:
    command = parser.subcommand(
        "what-if", "decide a run again under other rules, without asking the network: -s NAME=VALUE, files", _what_if
    )
    add_run(command)
    command.add_argument("--robots", metavar="FILE", help="this robots.txt in place of those of the run")
    command.add_argument("--host", metavar="HOST", help="with --robots: of this host alone")
    command.add_argument("--blacklist", metavar="FILE", help="this list in addition to POLITE_BLACKLISTS")
    command.add_argument("--json", action="store_true", help="print it as one JSON object")


def _what_if(command: SubcommandsCommand, opts: Namespace) -> int:
    if opts.host and not opts.robots:
        raise CommandError("--host HOST goes with --robots FILE")
    run = run_of(opts.which)
    crawler = command.configured(_spider(command, run.spider))
    settings = shared(crawler, PoliteSettings)
    if opts.blacklist:
        more = Source.read(str(Path(opts.blacklist).absolute()))
        settings = replace(settings, blacklists=(*settings.blacklists, more))
    robots = _body(opts.robots) if opts.robots else None
    with readable():
        lists = read_lists(settings)
    replay = Replay(crawler, lists, run.bodies(_digests(run)), robots, (opts.host or "").lower())
    for record in _decided(run):
        replay.add(record)
    facts = _facts(run, replay)
    if opts.json:
        print(json.dumps(facts, indent=1))
    else:
        print("\n".join(_lines(facts)))
    return YES


def _spider(command: SubcommandsCommand, name: str) -> type[Spider]:
    """The run's spider, for its own settings; without a project, or where it is gone, none."""
    if not inside_project():
        return DefaultSpider
    with reported("the project's spiders cannot be loaded"):
        loader = get_spider_loader(command.settings)
        return loader.load(name) if name in loader.list() else DefaultSpider


def _body(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(MAX_BYTES)
    except OSError as error:
        raise CommandError(f"--robots {path!r} cannot be read: {error.strerror}") from error


def _decided(run: Run) -> Iterator[Page | Refusal]:
    """Each request once: what an audit has noted was sent, too."""
    for worker in run.workers:
        for record in worker.records():
            if isinstance(record, Page) or (isinstance(record, Refusal) and not record.audit):
                yield record


def _digests(run: Run) -> set[str]:
    return {
        record.digest
        for worker in run.workers
        for record in worker.records('"robots"')
        if isinstance(record, Robots) and record.digest
    }


def _facts(run: Run, replay: Replay) -> dict[str, Any]:
    """The keys of `--json`."""
    found = replay.found
    return {
        "run": run.name,
        "spider": run.spider,
        "pages": found.pages,
        "alike": found.alike,
        "not_fetched": {reason: _change(change) for reason, change in found.refused.items()},
        "fetched": {reason: _change(change) for reason, change in found.fetched.items()},
        "unknown": dict(found.unknown.most_common()),
        "took_s": round(run.last_at - run.started, 3),
        "least_s": round(replay.least_s, 3),
        "cannot_know": _UNKNOWN,
    }


def _change(change: Change) -> dict[str, Any]:
    examples = [{"url": url, "detail": detail} for url, detail in change.examples]
    return {"count": change.count, "examples": examples}


def _lines(facts: Mapping[str, Any]) -> Iterator[str]:
    less = sum(one["count"] for one in facts["not_fetched"].values())
    more = sum(one["count"] for one in facts["fetched"].values())
    yield f"{printable(facts['run'])}: {counted(facts['pages'], 'page')} would have been fetched"
    yield f"  {facts['alike']:,} decided as they were, {less:,} not fetched, {more:,} fetched that were refused"
    for title, key in (("not fetched", "not_fetched"), ("fetched, though refused before", "fetched")):
        for reason, one in facts[key].items():
            yield f"  {title}: {one['count']:,} ({printable(reason, 60)})"
            for example in one["examples"]:
                detail = f"  ({printable(example['detail'], 100)})" if example["detail"] else ""
                yield f"    {printable(example['url'], 200)}{detail}"
    took, least = duration(facts["took_s"]), duration(facts["least_s"])
    yield f"  time: it took {took}; the hosts' paces alone let it take {least} at least"
    for why, count in facts["unknown"].items():
        yield f"  left as it was, as it cannot be known: {count:,} ({printable(why, 60)})"
    yield f"  not looked at: {facts['cannot_know']}"
