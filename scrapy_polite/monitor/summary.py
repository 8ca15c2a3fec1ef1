"""Summary: the extension that says at start what is in force, and at the end what was refused or made to wait."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scrapy import signals
from scrapy.utils.job import job_dir
from scrapy.utils.misc import load_object
from scrapy.utils.python import global_object_name

from scrapy_polite import spidermiddlewares
from scrapy_polite._crawl import engine_of, shared
from scrapy_polite.downloadermiddlewares import RobotsTxtMiddleware, TrapMiddleware
from scrapy_polite.events import RULES_STATES, Events
from scrapy_polite.frontier.backends import queue_shown
from scrapy_polite.frontier.order import Order
from scrapy_polite.monitor.record import REPORT_STAT, STAT
from scrapy_polite.runs.html import can_write_html
from scrapy_polite.runs.words import recrawl_in_words
from scrapy_polite.services.pacing import CrawlPacing
from scrapy_polite.services.robots import CrawlRobots, robots_in_words
from scrapy_polite.services.store import StoreService
from scrapy_polite.services.trap_findings import TrapFindings
from scrapy_polite.settings import ENDLESS, PoliteSettings, SitePolicy
from scrapy_polite.text import counted, duration, printable
from scrapy_polite.traps.verdict import ENDS

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from scrapy_polite.events.tallies import Example, Tallies, Tally
    from scrapy_polite.store.quarantines import Quarantine

logger = logging.getLogger(__name__)

_TRAP_MIDDLEWARES = (
    ("DOWNLOADER_MIDDLEWARES", TrapMiddleware),
    ("SPIDER_MIDDLEWARES", spidermiddlewares.TrapMiddleware),
)

MAX_LINES = 24
_MAX_REASONS = 3  # of the refused and of the audited each, so that all paragraphs fit into MAX_LINES
_MAX_HOSTS = 3
_MAX_GROUPS = 3
_UNDER = {
    "fresh": "under fresh rules",
    "stale": "under the last good copy of rules",
    "none": "where no restrictions hold",
    "unchecked": "under rules nobody has looked at",
}


class Summary:
    """Logs what is in force when the spider opens, and what was refused or had to wait when it closes."""

    def __init__(self, crawler: Crawler) -> None:
        self.crawler = crawler
        self._settings = shared(crawler, PoliteSettings)
        self._tallies = shared(crawler, Events).tallies
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _spider_opened(self) -> None:
        self._say(logging.INFO, f"scrapy-polite: {start_line(self.crawler)}")

    async def _spider_closed(self) -> None:
        if (robots := _robots_middleware(self.crawler)) is not None:
            await robots.audits_end()
        if self._settings.summary:
            release = partial(shared(self.crawler, TrapFindings).command, "release")
            lines = summary_lines(self._tallies, release, self._record())
            self._say(logging.INFO, "scrapy-polite summary:\n" + "\n".join(lines))
        if self._tallies.start_refused and not self._tallies.start_sent:
            self._say(
                logging.WARNING,
                f"scrapy-polite: all {self._tallies.start_refused} start requests were refused, so nothing was "
                f"crawled. {_asked(self._tallies.refused)} says why.",
            )

    def _record(self) -> str:
        """Where what the crawl did can be read."""
        get = self.crawler.stats.get_value if self.crawler.stats else lambda _, default: default
        # Of a record that could not begin there is no folder, or none that can be looked into.
        if (path := get(REPORT_STAT, "")) and os.path.isdir(os.path.dirname(path)):
            return f"report: {path}"
        command = "scrapy polite report" if can_write_html() else "scrapy polite report --md"
        return f"run record: {path} (`{command}` shows it)" if (path := get(STAT, "")) else ""

    def _say(self, level: int, text: str) -> None:
        logger.log(level, "%s", text, extra={"spider": self.crawler.spider})


def _robots_middleware(crawler: Crawler) -> RobotsTxtMiddleware | None:
    # Without an engine Scrapy raises.
    return crawler.get_downloader_middleware(RobotsTxtMiddleware) if engine_of(crawler) is not None else None


def start_line(crawler: Crawler) -> str:
    """What is in force, what was replaced, in which order pages go, where the store is."""
    settings = crawler.settings
    if _robots_middleware(crawler) is None:
        robots = "robots.txt is left to the project (Scrapy's RobotsTxtMiddleware is not there to be replaced)"
    else:
        service = shared(crawler, CrawlRobots)
        doing = robots_in_words(crawler, service.settings)
        robots = (
            f"robots.txt {doing}, as {service.default_token!r} (in place of Scrapy's RobotsTxtMiddleware); "
            f"store: {shared(crawler, StoreService).backend.description}"
        )
    defers = shared(crawler, CrawlPacing).has_scheduler
    traps = traps_in_force(shared(crawler, PoliteSettings), settings, defers=defers)
    return f"{robots}; traps: {traps}; order of requests: {_order(crawler)}"


def traps_in_force(settings: PoliteSettings, all_settings: BaseSettings, *, defers: bool) -> str:
    """What is done about traps, in words; `all_settings` are the crawl's; `defers`: the scheduler is this package's."""
    count = len(all_settings.getdict("POLITE_SITES"))
    sites = f" ({counted(count, 'pattern')} of POLITE_SITES may differ)" if count else ""
    return f"{_about_traps(settings, all_settings, defers=defers)}{sites}"


def _about_traps(settings: PoliteSettings, all_settings: BaseSettings, *, defers: bool) -> str:
    if all(_is_taken_out(all_settings, *one) for one in _TRAP_MIDDLEWARES):
        return "not looked for (TrapMiddleware is None in both middleware settings)"
    if settings.audits("traps"):
        return "audited, nothing is refused"
    actions = dict(settings.trap_actions(SitePolicy()))
    endless, long_url = actions.pop(ENDLESS), actions.pop("long-url")
    if {endless, long_url, *actions.values()} == {"off"}:
        return "not looked for"
    others = sorted(name for name, action in actions.items() if action != "drop")
    waits = "waits for the rest of its site"
    if not defers:
        waits = "goes last, and nothing ends it (SCHEDULER is not this package's)"
    proved = "what a URL proves is refused"
    if len(others) == len(actions):
        proved = "what a URL proves is followed" + ("" if set(actions.values()) == {"off"} else ", and counted")
    elif others:
        proved += f" (not {', '.join(others)})"
    said = {
        "defer": waits,
        "drop": "is refused after some pages",
        "log": "is followed, and counted",
        "off": "is not looked for",
    }
    return f"{proved}, what looks endless {said[endless]}"


def _is_taken_out(settings: BaseSettings, name: str, component: type) -> bool:
    """Whether a project's component setting has None for it."""
    components = settings.getdict(name)
    return any(order is None and load_object(path) is component for path, order in components.items())


def _asked(reasons: Iterable[str]) -> str:
    """The command that explains why start requests were refused."""
    robots = all(reason.startswith(("robots/", "pace/")) for reason in reasons)
    lists = all(reason.startswith("blacklist/") and reason != "blacklist/dynamic" for reason in reasons)
    return "`scrapy robots check URL`" if robots else "`scrapy polite blacklist check URL`" if lists else "The summary"


def _order(crawler: Crawler) -> str:
    settings = crawler.settings
    if not shared(crawler, CrawlPacing).has_scheduler:
        return " with ".join(_class_name(settings[name]) for name in ("SCHEDULER", "SCHEDULER_PRIORITY_QUEUE"))
    queue = queue_shown(shared(crawler, PoliteSettings), crawler.spidercls.name, job_dir(settings))
    return f"{Order.from_settings(settings)}, each host at its own pace; queue: {queue}"


def _class_name(path: object) -> str:
    return str(path if isinstance(path, str) else global_object_name(path)).rpartition(".")[2]


def summary_lines(tallies: Tallies, release: Callable[[Quarantine], str] = lambda _: "", record: str = "") -> list[str]:
    """At most MAX_LINES lines; what does not fit is counted in the last line of its paragraph.

    `release` is the command that has a group's links followed; `record` says where the run record is, if there is one.
    """
    sent = ", ".join(f"{tallies.sent[state]:,} {_UNDER[state]}" for state in RULES_STATES if tallies.sent[state])
    lines = [f"  pages requested: {tallies.sent.total():,}" + (f" ({sent})" if sent else "")]
    lines += _failures(tallies)
    lines += _revisited(tallies)
    lines += _refusals("refused", tallies.refused, tallies.examples)
    if tallies.audited:
        lines += _refusals("noticed, not refused (audit, annotate, log)", tallies.audited, tallies.audited_examples)
    lines += _sitemaps(tallies)
    lines += _main_hosts(tallies)
    lines += _traps(tallies, release)
    lines += _waits(tallies)
    lines += [f"  not all could be done: {printable(one.text, 200)}" for one in tallies.unmet]
    return [*lines[: MAX_LINES - bool(record)], *([f"  {record}"] if record else [])]


def _failures(tallies: Tallies) -> Iterator[str]:
    """How many requests came to nothing at the host, where any did."""
    if refused := _by_status(tallies.answered, 400):
        yield f"  of these are not there, or not for this crawler: {', '.join(refused)}"
    failed = _by_status(tallies.answered, 500)
    if tallies.answered[0]:
        failed.append(f"{tallies.answered[0]:,} without an answer (no connection, or a time-out)")
    if failed:
        yield f"  of these failed at the host: {', '.join(failed)}"


def _by_status(answered: Mapping[int, int], first: int) -> list[str]:
    """The most frequent statuses of the hundred from `first` on."""
    counts = Counter({one: count for one, count in answered.items() if first <= one < first + 100})
    return [f"{count:,} with HTTP {status}" for status, count in sorted(counts.most_common(_MAX_REASONS))]


def _revisited(tallies: Tallies) -> Iterator[str]:
    if came := recrawl_in_words(tallies.revisited):
        yield f"  recrawl: {came}"


def _sitemaps(tallies: Tallies) -> Iterator[str]:
    if tallies.sitemaps_read or tallies.sitemaps_failed:
        failed = f", and {tallies.sitemaps_failed:,} could not be" if tallies.sitemaps_failed else ""
        entries = tallies.sitemap_entries
        seeds = counted(entries["seeds"], "URL")
        others = [f"{entries[what]:,} {what}" for what in ("out of scope", "too long", "too deep") if entries[what]]
        left = f" ({', '.join(others)})" if others else ""
        yield f"  sitemaps read: {tallies.sitemaps_read:,}{failed}; {seeds} of them became seeds{left}"


def _main_hosts(tallies: Tallies) -> Iterator[str]:
    parts = []
    if tallies.main_hosts_followed:
        moved = counted(tallies.requests_moved, "request")
        parts.append(f"{tallies.main_hosts_followed:,} followed ({moved} made at the main host)")
    if (first := tallies.main_host) is not None:
        example = f"{printable(first.origin, 60)} names {printable(first.line, 60)}: {first.why}"
        parts.append(f"{tallies.main_hosts_noted:,} noted ({example})")
    if parts:
        yield f"  Host lines of robots.txt: {', '.join(parts)}"


def _traps(tallies: Tallies, release: Callable[[Quarantine], str]) -> Iterator[str]:
    met = tallies.groups_met
    if met or tallies.groups:
        ended = sum(group.kind in ENDS for key, (group, _) in tallies.groups.items() if key in met)
        decided = Counter(tallies.groups_decided.values())
        parts = (
            (len(met - tallies.groups.keys() - tallies.groups_decided.keys()), "cleared again"),
            (ended, "not followed further"),
            *((count, f"{decision} by a person") for decision, count in decided.items()),
        )
        of_these = ", ".join(f"{count:,} {what}" for count, what in parts if count)
        suspected = f"{len(met):,} suspected" if met else f"{len(tallies.groups):,} known from an earlier crawl"
        yield f"  groups of URLs that look endless: {suspected}{f', of which {of_these}' if of_these else ''}"
    left = [(links, tallies.groups_refused[key], group) for key, (group, links) in tallies.groups.items()]
    left = sorted((one for one in left if one[0] or one[1]), key=lambda one: (-one[0], -one[1]))
    if tallies.links_left:
        yield f"  links of these groups not followed: {tallies.links_left:,}"
    elif left:
        yield f"  links of these groups refused: {sum(refused for _, refused, _ in left):,}"
    command = ""
    for links, refused, group in left[:_MAX_GROUPS]:
        site, place = printable(group.site, 60), printable(group.place, 80)
        what = f"{links:,}" if links else f"{refused:,} refused"
        yield f"    {site} {place} {what} ({group.kind}: {printable(group.evidence, 160)})"
        if command := release(group):
            yield f"      to follow them: {command}, then crawl again{'' if links else ' (with a new JOBDIR, if any)'}"
    if command:
        yield "    to refuse those of the named pattern for good: the same with `confirm` in place of `release`"
    if too_long := _hosts(tallies, lambda tally: tally.too_long, lambda tally: f"{tally.too_long:,}"):
        yield f"  URLs too long: most at {too_long}"


def _waits(tallies: Tallies) -> Iterator[str]:
    waits = [
        text
        for count, text in (
            (tallies.robots_waits, counted(tallies.robots_waits, "request") + " for robots.txt"),
            (tallies.host_waits, counted(tallies.host_waits, "time") + " for the host's turn"),
        )
        if count
    ]
    if waits:
        longest = _hosts(
            tallies,
            lambda tally: tally.longest_wait_s if tally.longest_wait_s >= 0.5 else 0.0,
            lambda tally: duration(tally.longest_wait_s),
        )
        yield f"  waited: {', '.join(waits)}" + (f" (the longest: {longest})" if longest else "")
    if tallies.closed:
        hosts = _hosts(tallies, lambda tally: tally.closed, lambda tally: f"{tally.closed:,}")
        yield f"  back-offs: {tallies.closed:,}" + (f" (most: {hosts})" if hosts else "")
    paced = [tally for tally in tallies.origins.values() if tally.pace]
    if paced:
        capped = sum(tally.capped for tally in paced)
        hosts = _hosts(
            tallies,
            lambda tally: (tally.capped, tally.longest_wait_s) if tally.pace else None,
            lambda tally: printable(tally.pace, 80),
        )
        yield f"  delays: {counted(len(paced), 'origin')}{f', {capped:,} of them capped' if capped else ''} ({hosts})"


def _hosts(tallies: Tallies, rank: Callable[[Tally], Any], text: Callable[[Tally], str]) -> str:
    """The origins that rank highest, each with a text; those whose rank is nothing are left out."""
    ranked = [(origin, tally) for origin, tally in tallies.origins.items() if rank(tally)]
    ranked.sort(key=lambda item: rank(item[1]), reverse=True)
    return ", ".join(f"{printable(origin, 60)} {text(tally)}" for origin, tally in ranked[:_MAX_HOSTS])


def _refusals(title: str, reasons: Counter[str], examples: Mapping[str, Sequence[Example]]) -> Iterator[str]:
    yield f"  {title}: {reasons.total():,}"
    for reason, count in reasons.most_common(_MAX_REASONS):
        example = examples[reason][0]
        evidence = printable(example.decision.detail, 100)
        yield f"    {reason} {count:,}, such as {printable(example.url, 100)}" + (f" ({evidence})" if evidence else "")
    if len(reasons) > _MAX_REASONS:
        yield f"    and {counted(len(reasons) - _MAX_REASONS, 'more reason')}: the stats have them all"
