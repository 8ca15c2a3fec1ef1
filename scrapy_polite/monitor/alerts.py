"""Alerts: the extension that tells a person within seconds that something is wrong, without Prometheus.

By the signal `polite_alert`, a webhook (`POLITE_ALERT_WEBHOOK`) and a command (`POLITE_ALERT_COMMAND`).
"""

from __future__ import annotations

import json
import logging
import platform
import re
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import ref

from scrapy import signals
from scrapy.exceptions import NotConfigured

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import count, shared, spider_of
from scrapy_polite._engine import Engine
from scrapy_polite.alert import BAD_ENDINGS, Alert, OncePerHour
from scrapy_polite.events import Events, Fault, GroupEnded, HostAbandoned, LimitUnmet, RobotsApplied
from scrapy_polite.monitor.delivery import Command, Delivery, Webhook
from scrapy_polite.monitor.hosts import HostStates
from scrapy_polite.monitor.measures import LAST_ANSWERS, Measures
from scrapy_polite.runs.masking import Masking
from scrapy_polite.services.robots import at_prompt
from scrapy_polite.services.trap_findings import TrapFindings
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.signals import polite_alert
from scrapy_polite.text import counted, duration, printable, utc

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

logger = logging.getLogger(__name__)

#: Of the last hundred answers more than so many were 404 or 410.
_MAX_NOT_FOUND = LAST_ANSWERS // 2
_MAX_TEXT = 500
_KINDS_OF_FAULT = {"store": "store-lost", "queue": "queue-failing", "run_record": "record-ended"}
#: What an operating system, SQLite and Redis say of a disk, or a quota, that is full.
_FULL = re.compile(r"No space left|File too large|quota exceeded|disk is full|MISCONF", re.IGNORECASE)
#: Kinds that nothing else logs.
_LOGGED = {"no-page", "not-found", "ended-badly"}
STAT = "polite/alerts"


@dataclass(frozen=True, slots=True)
class Times:
    """What no event tells is looked for every `look_s` seconds: with more an alert comes later, and 10 s are promised.
    A crawl with something to do has had no page for `no_page_s`. Its end waits `close_s` for alerts to be delivered."""

    look_s: float = 5.0
    no_page_s: float = 300.0
    close_s: float = 5.0


class Alerts:
    """Sends `polite_alert`, at most once an hour of a kind and host, and hands each alert to webhook and command."""

    def __init__(self, crawler: Crawler) -> None:
        if at_prompt(sys.orig_argv):
            raise NotConfigured
        self._crawler = ref(crawler)
        self._times = Times()
        settings = shared(crawler, PoliteSettings)
        self._masked = Masking(settings.run_record_mask)
        self._tallies = shared(crawler, Events).tallies
        self._measures = shared(crawler, Measures)
        self._hosts = shared(crawler, HostStates)
        self._engine = shared(crawler, Engine)
        self._release = shared(crawler, TrapFindings).command
        self._command = settings.alert_command
        self._deliveries = [
            *([Delivery(Webhook(settings.alert_webhook))] if settings.alert_webhook else ()),
            *([Delivery(Command(settings.alert_command))] if settings.alert_command else ()),
        ]
        self._hourly = OncePerHour()
        self._opened_at = clock.now()
        self._timer: _loop.Every | None = None
        read = shared(crawler, Events).read
        read(RobotsApplied, self._robots_applied)
        read(HostAbandoned, self._host_abandoned)
        read(GroupEnded, self._group_ended)
        read(LimitUnmet, self._limit_unmet)
        read(Fault, self._fault)
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self._spider_closed, signals.spider_closed)
        crawler.signals.connect(self._engine_stopped, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _spider_opened(self) -> None:
        self._opened_at = clock.now()
        self._timer = _loop.Every(self._times.look_s, self._look)
        if self._command and shutil.which(self._command[0]) is None:
            self._log(
                "POLITE_ALERT_COMMAND: there is no program %s that can be run: alerts will not get there",
                printable(self._command[0]),
            )

    def _spider_closed(self, reason: str) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._look_at_starts()
        if (means := BAD_ENDINGS.get(reason)) is not None:
            self._alert("ended-badly", f"the crawl has ended as {reason!r}: {means}")
        # Scrapy logs the stats before the rest is known.
        self._count_undelivered(sum(delivery.failed for delivery in self._deliveries))

    async def _engine_stopped(self) -> None:
        """Wait for what is on its way, but not for long."""
        for delivery in self._deliveries:
            delivery.close()
        with suppress(TimeoutError):
            await _loop.in_thread(self._wait, self._times.close_s)
        for delivery in self._deliveries:
            delivery.abort()
        self._count_undelivered(sum(delivery.undelivered for delivery in self._deliveries))

    def _count_undelivered(self, number: int) -> None:
        crawler = self._crawler()
        if number and crawler is not None and crawler.stats is not None:
            crawler.stats.set_value("polite/alerts_undelivered", number)

    def _wait(self) -> None:
        for delivery in self._deliveries:
            delivery.closed.result()

    # What no event tells

    def _look(self) -> None:
        now = clock.now()
        if not self._engine.starting:
            self._look_at_starts()
        if (gone := self._measures.last_not_found) > _MAX_NOT_FOUND:
            self._alert("not-found", f"{gone} of the last {LAST_ANSWERS} answers were 404 or 410")
        since = max(self._measures.last_page_at, self._opened_at)
        if now - since < self._times.no_page_s:
            return
        queued, in_flight = self._hosts.queued, self._measures.in_flight
        if (queued or in_flight) and not self._paused:
            hosts = self._hosts.look(now)
            waits = "; ".join(filter(None, (str(hosts), hosts.next_text(now))))
            what = f"{counted(queued, 'request')} queued, {in_flight:,} under way"
            self._alert("no-page", f"no page for {duration(now - since)}, with {what}; {waits}")

    def _look_at_starts(self) -> None:
        """Whether all start requests were refused, and nothing is left of which more could come."""
        tallies = self._tallies
        if tallies.start_refused and not tallies.start_sent and not self._hosts.queued and not self._measures.in_flight:
            reason, example = next(((reason, of_it[0]) for reason, of_it in tallies.examples.items()), ("", None))
            such = f", such as {printable(example.url)} ({example.decision})" if example else ""
            what = f"all {counted(tallies.start_refused, 'start request')} refused"
            self._alert("starts-refused", f"{what}, for {reason}{such}" if reason else what)

    @property
    def _paused(self) -> bool:
        """A person has paused the job."""
        census = getattr(self._engine.scheduler, "census", None)
        return census is not None and census.paused

    # What events tell

    def _robots_applied(self, event: RobotsApplied) -> None:
        if event.closed:
            self._alert("robots-unreachable", f"robots.txt of {event.origin}: {event.text}", event.origin)

    def _host_abandoned(self, event: HostAbandoned) -> None:
        text = f"{event.host} is abandoned ({event.why}): {counted(event.requests, 'request')} refused"
        self._alert("host-abandoned", text, event.host)

    def _group_ended(self, event: GroupEnded) -> None:
        group = event.group
        text = f"{group.site}: {group.place} is followed no further ({group.kind}: {group.evidence})"
        if command := self._release("release", group):
            text += f". If it is no trap: {command}"
        self._alert("new-trap", text, group.site)

    def _limit_unmet(self, event: LimitUnmet) -> None:
        left = f"{counted(event.requests, 'request')} are left then"
        self._alert("limit-missed", f"{event.text}; {left}. {event.advice}", event.host)

    def _fault(self, event: Fault) -> None:
        kind = "disk-full" if _FULL.search(event.text) else _KINDS_OF_FAULT[event.part]
        self._alert(kind, event.text)

    def _alert(self, kind: str, text: str, host: str = "") -> None:
        if not self._hourly.passes(kind, host, clock.now()):
            return
        alert = Alert(kind, printable(self._masked(text), _MAX_TEXT), printable(host), clock.system())
        self._measures.alerts[kind] += 1
        self._measures.last_alerts.append((round(alert.at, 3), kind, alert.text))
        count(self._crawler, STAT)
        count(self._crawler, f"{STAT}/{kind}")
        if kind in _LOGGED:
            self._log("%s. %s", alert.text, alert.todo)
        if (crawler := self._crawler()) is not None:
            crawler.signals.send_catch_log(polite_alert, alert=alert)
            if self._deliveries:
                body = json.dumps(_facts(alert, crawler)).encode()
                for delivery in self._deliveries:
                    delivery.put(body)

    def _log(self, text: str, *values: object) -> None:
        logger.warning(text, *values, extra={"spider": spider_of(self._crawler)})


def _facts(alert: Alert, crawler: Crawler) -> dict[str, Any]:
    """What webhook and command get; docs/alerts.md has the keys. Chat services show `text`."""
    spider = crawler.spider.name if crawler.spider is not None else crawler.spidercls.name
    run = crawler.stats.get_value("polite/run_record") if crawler.stats is not None else None
    return {
        "text": f"{printable(spider, 100)}: {alert.text}. {alert.todo}",
        "kind": alert.kind,
        "host": alert.host or None,
        "what": alert.text,
        "todo": alert.todo,
        "at": utc(alert.at).isoformat(timespec="seconds").replace("+00:00", "Z"),
        "spider": printable(spider, 100),
        "job": shared(crawler, PoliteSettings).job,
        "run": str(run) if run else None,
        "machine": platform.node(),
    }
