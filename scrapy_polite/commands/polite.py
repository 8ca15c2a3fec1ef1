"""`scrapy polite`: what a crawl would be, before it is one; what it waits for, while it is; what it has left."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from scrapy.addons import AddonManager
from scrapy.crawler import Crawler
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.misc import load_object
from scrapy.utils.project import inside_project

from scrapy_polite._addon import replaced
from scrapy_polite.commands import (
    NO,
    YES,
    CommandError,
    Parser,
    SubcommandsCommand,
    audit,
    blacklist,
    gates,
    has_addon,
    jobs,
    metrics,
    pages,
    recover,
    reported,
    run_report,
    run_what_if,
    seeds,
    takedown,
    traps,
    watch,
)
from scrapy_polite.commands.main_hosts import main_hosts
from scrapy_polite.frontier import Scheduler
from scrapy_polite.frontier.backends import jobs_on, queue_shown
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.identity import complaints, default_user_agent, digits_in_token
from scrapy_polite.monitor.summary import traps_in_force
from scrapy_polite.services.robots import inherited_mode, robots_in_words
from scrapy_polite.services.store import open_store, store_location
from scrapy_polite.settings import PoliteSettings, SettingsError
from scrapy_polite.store.errors import StoreError
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy import Spider
    from scrapy.settings import Settings

_MAX_NAMES = 50
#: Of what a check has found: what is shown without --verbose, and how many names of spiders with each.
_MAX_FINDINGS, _MAX_NAMES_SHOWN = 10, 5


#: Label and text of each.
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong with one spider's settings, a sentence each; and, as label and text, what would be in force."""

    problems: tuple[str, ...]
    facts: Facts = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What holds for some spiders: in a word, and in lines."""

    names: Sequence[str]
    what: str
    lines: Sequence[str]

    def as_text(self, max_names: int | None) -> str:
        names = ", ".join(self.names[:max_names])
        left = len(self.names) - len(self.names[:max_names])
        return "\n".join([f"{names}{f' and {left:,} more' if left else ''}: {self.what}", *self.lines])


def _check(command: PoliteCommand, opts: Namespace) -> int:
    if not inside_project():
        raise CommandError("no project here: run it in a project's folder (the one with scrapy.cfg)")
    reports = {spidercls.name: _report(command, spidercls) for spidercls in _spiders(command.settings, opts.spiders)}
    for findings in (_problems(reports), _in_force(reports)):
        shown = findings if opts.verbose else findings[:_MAX_FINDINGS]
        for finding in shown:
            print(finding.as_text(None if opts.verbose else _MAX_NAMES_SHOWN))
        if len(findings) > len(shown):
            print(f"and {len(findings) - len(shown):,} more such findings: --verbose shows them")
    wrong = sum(bool(report.problems) for report in reports.values())
    if len(reports) > 1:
        print(f"{len(reports):,} spiders: {len(reports) - wrong:,} fine, {wrong:,} with problems")
    return NO if wrong else YES


def _problems(reports: Mapping[str, Report]) -> list[Finding]:
    """The problems, each with all spiders that have it; those that the same spiders have are told together."""
    of_problem: dict[str, list[str]] = {}
    for name, report in reports.items():
        for problem in dict.fromkeys(report.problems):
            of_problem.setdefault(problem, []).append(name)
    together: dict[tuple[str, ...], list[str]] = {}
    for problem, names in of_problem.items():
        together.setdefault(tuple(names), []).append(f"  - {printable(problem, 600)}")
    return _most_first(
        Finding(names, f"{len(lines)} problem{'s' * (len(lines) > 1)}", lines) for names, lines in together.items()
    )


def _in_force(reports: Mapping[str, Report]) -> list[Finding]:
    alike: dict[tuple[Facts, bool], list[str]] = {}
    for name, report in reports.items():
        if report.facts:
            alike.setdefault((report.facts, not report.problems), []).append(name)
    return _most_first(
        Finding(
            names, "fine" if fine else "in force", [f"  {label:<10}  {printable(text, 600)}" for label, text in facts]
        )
        for (facts, fine), names in alike.items()
    )


def _most_first(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda finding: -len(finding.names))


def _spiders(settings: Settings, names: Sequence[str]) -> list[type[Spider]]:
    with reported("an add-on in ADDONS cannot be loaded"):
        AddonManager.load_pre_crawler_settings(settings)
    with reported("the project's spiders cannot be loaded"):
        loader = get_spider_loader(settings)
        known = sorted(loader.list())
    if unknown := [name for name in names if name not in known]:
        more = ", ..." if len(known) > _MAX_NAMES else ""
        raise CommandError(
            f"no spider {unknown[0]!r} in this project; it has: {', '.join(known[:_MAX_NAMES]) or 'none'}{more}"
        )
    if not known:
        raise CommandError(f"no spiders in SPIDER_MODULES ({', '.join(settings.getlist('SPIDER_MODULES')) or 'empty'})")
    return [loader.load(name) for name in names or known]


def _report(command: PoliteCommand, spidercls: type[Spider]) -> Report:
    """Look at the settings that a crawl of `spidercls` would have."""
    try:
        crawler = command.configured(spidercls)
        polite = PoliteSettings.from_settings(crawler.settings)
    except SettingsError as error:
        crawler = Crawler(spidercls, command.settings)
        return Report((*error.errors, *_identity(crawler, crawler.settings["POLITE_CONTACT_EMAIL"])))
    except CommandError as error:
        return Report((str(error),))
    in_force = replaced(crawler.settings)
    defers = issubclass(load_object(crawler.settings["SCHEDULER"]), Scheduler)
    store, trouble = _store(polite)
    queue, trouble_of_queue = _queue(polite, spidercls.name)
    return Report(
        (
            *_missing(crawler, in_force),
            *_identity(crawler, polite.contact_email),
            *trouble,
            *trouble_of_queue,
            *_refused_file(polite),
            *_jobdir(crawler.settings["JOBDIR"]),
        ),
        (
            ("robots.txt", _mode(crawler, polite) if in_force else "left to the project"),
            *_name(crawler),
            *_main_hosts(polite, spidercls),
            ("replaces", "; ".join(in_force) or "nothing of Scrapy's"),
            ("traps", traps_in_force(polite, crawler.settings, defers=defers)),
            ("store", store),
            *queue,
        ),
    )


def _name(crawler: Crawler) -> Iterator[tuple[str, str]]:
    if digits := digits_in_token(default_user_agent(crawler), crawler.settings["ROBOTSTXT_USER_AGENT"]):
        yield "name", digits


def _main_hosts(polite: PoliteSettings, spidercls: type[Spider]) -> Iterator[tuple[str, str]]:
    if named := main_hosts(polite, getattr(spidercls, "start_urls", ())):
        yield "main hosts", named


def _mode(crawler: Crawler, polite: PoliteSettings) -> str:
    doing = robots_in_words(crawler, polite)
    if inherited_mode(crawler, polite) == "obey":
        return doing
    by = "POLITE_MODE" if crawler.settings.getbool("ROBOTSTXT_OBEY") else "ROBOTSTXT_OBEY is False"
    return f"{doing} ({by})"


def _refused_file(polite: PoliteSettings) -> Iterator[str]:
    """What keeps POLITE_REFUSED_FILE from being written. Makes no file."""
    if polite.refused_file is None:
        return
    path = Path(polite.refused_file)
    if path.is_dir() or (path.exists() and not os.access(path, os.W_OK)):
        yield f"POLITE_REFUSED_FILE is {str(path)!r}, which is no file that can be written to: name another"
    elif not os.path.exists(path) and (folder := _unwritable_above(path)):
        yield f"POLITE_REFUSED_FILE is {str(path)!r}, but {folder} is no folder that can be written to: name another"


def _jobdir(path: str | None) -> Iterator[str]:
    """What keeps a JOBDIR from being used. Makes no folder."""
    if path and (folder := _unwritable_above(Path(path, "requests"))):
        yield f"JOBDIR is {str(path)!r}, but {folder} is no folder that can be written to: name another"


def _unwritable_above(path: Path) -> Path | None:
    """The folder in which a path, or the first folder on the way there, would have to be made, unless it can be."""
    folder = next(parent for parent in Path(os.path.abspath(path)).parents if os.path.exists(parent))
    try:
        with TemporaryFile(dir=folder):  # root may write anywhere, says os.access
            return None
    except OSError:
        return folder


def _missing(crawler: Crawler, in_force: Sequence[str]) -> Iterator[str]:
    if in_force:
        return
    if has_addon(crawler.settings):
        yield (
            "robots.txt is left to the project: DOWNLOADER_MIDDLEWARES has taken Scrapy's RobotsTxtMiddleware out, so "
            "the add-on puts none in its place; remove that entry"
        )
    else:
        yield 'the add-on is not in force: put ADDONS = {"scrapy_polite.Addon": 300} into the project\'s settings.py'


def _identity(crawler: Crawler, contact_email: str | None) -> Iterator[str]:
    yield from complaints(default_user_agent(crawler), contact_email, crawler.settings["ROBOTSTXT_USER_AGENT"])


def _store(polite: PoliteSettings) -> tuple[str, tuple[str, ...]]:
    """Where the store is, and what keeps it from being used. Makes no file, and no folder."""
    where = store_location(polite)
    if not where.lasting:
        return f"{where}: nothing outlives the crawl", ()
    # Of `x/..` there need be no x; not Path.exists, which raises where it may not look.
    path = None if where.file is None else Path(os.path.normpath(where.file))
    if path is None or os.path.exists(path):
        shown = str(path or where)
        try:
            with closing(open_store(polite)) as store:
                return f"{shown} ({store.facts()})", ()
        except StoreError as error:
            return shown, (f"the store cannot be {'reached' if path is None else 'opened'}: {error}",)
    if folder := _unwritable_above(path):
        trouble = f"the store cannot be made: {folder} is no folder that can be written to"
        return str(path), (f"{trouble}; make it one, or point POLITE_STORE elsewhere",)
    return f"{path} (the first crawl makes it)", ()


def _queue(polite: PoliteSettings, spider: str) -> tuple[Facts, tuple[str, ...]]:
    """Where the queue is, if it is on a server, and what keeps it from being used."""
    if polite.frontier is None:
        return (), ()
    shown = queue_shown(polite, spider, None)
    try:
        with closing(jobs_on(polite.frontier)) as jobs:
            return (("queue", f"{shown} ({jobs.facts()})"),), ()
    except FrontierError as error:
        return (("queue", shown),), (f"the queue cannot be used: {error}",)


class PoliteCommand(SubcommandsCommand):
    name = "polite"
    requires_crawler_process = False

    def short_desc(self) -> str:
        return "Validate the settings of every spider; see which hosts are closed; watch, reports, audits; traps, lists"

    def add_subcommands(self, parser: Parser) -> None:
        check = parser.subcommand(
            "check",
            "validate every spider's settings, without crawling (exit status: 0 fine, 1 problems, 2 error)",
            _check,
        )
        check.add_argument("spiders", metavar="SPIDER", nargs="*", help="those alone")
        check.add_argument("--verbose", action="store_true", help="all findings, with the names of all their spiders")
        for part in (
            gates,
            watch,
            run_report,
            audit,
            run_what_if,
            metrics,
            jobs,
            traps,
            blacklist,
            takedown,
            seeds,
            pages,
            recover,
        ):
            part.add_subcommands(parser)
