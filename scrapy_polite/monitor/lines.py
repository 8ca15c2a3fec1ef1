"""The lines of the run record, made of the events of a crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from scrapy_polite import clock
from scrapy_polite.events import (
    Events,
    GroupCleared,
    GroupDecided,
    GroupEnded,
    GroupSuspected,
    HostAbandoned,
    HostClosed,
    HostOpened,
    HostWait,
    LimitUnmet,
    LinkDeferred,
    LinkLeft,
    LinksLeft,
    MainHostNamed,
    PaceSet,
    RequestAnswered,
    RequestMoved,
    RequestRefused,
    RobotsAnswered,
    RobotsApplied,
    RobotsWait,
    SitemapRead,
)
from scrapy_polite.runs import records

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy_polite.runs.masking import Masking
    from scrapy_polite.store.quarantines import Quarantine

_T = TypeVar("_T")

#: Characters of a URL and of a text in a line; longer ones are cut.
MAX_URL, MAX_TEXT = 4_096, 500
#: Origins whose wait, or copy of robots.txt, is remembered until their next line.
_MAX_ORIGINS = 10_000


class RecordLines:
    """Reads the events and hands on a record for each.

    `add` takes records, `add_body` the digest and the body of a robots.txt, `release` says by which command the links
    of a group are followed.
    """

    def __init__(
        self,
        add: Callable[[records.Record], object],
        add_body: Callable[[str, bytes], object],
        masked: Masking,
        release: Callable[[str, Quarantine], str],
    ) -> None:
        self._add = add
        self._add_body = add_body
        self._masked = masked
        self._release = release
        #: How long the request that leaves next has waited for its host.
        self._waited: dict[str, float] = {}
        #: The digest of the copy that is in force.
        self._robots: dict[str, str] = {}

    def join(self, events: Events) -> None:
        read = events.read
        read(RequestAnswered, self._answered)
        read(RobotsAnswered, self._robots_answered)
        read(RequestRefused, self._refused)
        read(LinkDeferred, self._deferred)
        read(RobotsApplied, self._robots_applied)
        read(MainHostNamed, self._main_host_named)
        read(RequestMoved, self._request_moved)
        read(SitemapRead, self._sitemap_read)
        read(RobotsWait, self._robots_wait)
        read(HostWait, self._host_wait)
        read(PaceSet, self._pace_set)
        read(HostClosed, self._host_closed)
        read(HostOpened, self._host_opened)
        read(HostAbandoned, self._host_abandoned)
        read(GroupSuspected, lambda event: self._trap("suspected", event.group))
        read(GroupCleared, lambda event: self._trap("cleared", event.group))
        read(GroupEnded, lambda event: self._trap("ended", event.group))
        read(GroupDecided, lambda event: self._trap(event.group.decision, event.group))
        read(LinksLeft, lambda event: self._trap("left", event.group, event.links))
        read(LinkLeft, self._link_left)
        read(LimitUnmet, self._limit_unmet)

    def _url(self, url: str) -> str:
        return self._masked(url[:MAX_URL])

    def _text(self, text: str) -> str:
        return self._masked(text[:MAX_TEXT])

    def _answered(self, event: RequestAnswered) -> None:
        sent = event.sent
        self._add(
            records.Page(
                clock.wall(event.sent_at),
                self._url(event.url),
                event.origin,
                event.status or 0,
                event.seconds,
                event.began_s,
                event.size_bytes,
                event.delay_s,
                event.delay_source,
                self._waited.pop(event.origin, 0.0) if self._waited else 0,
                sent.rules if sent else "",
                sent.robots if sent else "",
                (sent.line if sent else 0) or 0,
                int(sent.found) if sent else 1,
                event.error,
            )
        )

    def _robots_answered(self, event: RobotsAnswered) -> None:
        at, url, status = clock.wall(event.sent_at), self._url(event.url), event.status or 0
        self._add(records.RobotsRequest(at, url, event.origin, status, event.seconds, event.size_bytes))

    def _refused(self, event: RequestRefused) -> None:
        decision = event.decision
        detail, rule = self._text(decision.detail), self._text(decision.rule or "")
        robots = self._robots.get(event.origin, "")
        at, audit, line, url = clock.system(), int(event.audit), decision.line or 0, self._url(event.url)
        self._add(records.Refusal(at, url, event.origin, decision.reason, detail, line, rule, audit, robots))

    def _deferred(self, event: LinkDeferred) -> None:
        self._add(records.Deferral(clock.system(), self._url(event.url), self._text(event.pattern)))

    def _robots_applied(self, event: RobotsApplied) -> None:
        if event.digest and event.body:
            self._add_body(event.digest, event.body)
        _keep(self._robots, event.origin, event.digest)
        self._add(records.Robots(clock.system(), event.origin, event.status or 0, event.digest, self._text(event.text)))

    def _main_host_named(self, event: MainHostNamed) -> None:
        self._add(records.MainHost(clock.system(), event.origin, self._text(event.line), self._text(event.why)))

    def _request_moved(self, event: RequestMoved) -> None:
        self._add(records.Moved(clock.system(), self._url(event.url), event.origin, self._url(event.there)))

    def _sitemap_read(self, event: SitemapRead) -> None:
        came = (event.came.get(what, 0) for what in ("seeds", "sitemaps", "out of scope", "too long", "too deep"))
        self._add(records.Sitemap(clock.system(), self._url(event.url), self._text(event.fault), *came))

    def _robots_wait(self, event: RobotsWait) -> None:
        self._add(records.RobotsWaited(clock.system(), event.origin, event.seconds))

    def _host_wait(self, event: HostWait) -> None:
        _keep(self._waited, event.origin, event.seconds)

    def _pace_set(self, event: PaceSet) -> None:
        self._add(records.Pace(clock.system(), event.origin, event.seconds, event.source, event.asked_s))

    def _host_closed(self, event: HostClosed) -> None:
        self._add(records.Closed(clock.system(), event.host, event.origin, event.seconds, self._text(event.why)))

    def _host_opened(self, event: HostOpened) -> None:
        self._add(records.Opened(clock.system(), event.host, event.origin))

    def _host_abandoned(self, event: HostAbandoned) -> None:
        self._add(records.Abandoned(clock.system(), event.host, self._text(event.why), event.requests))

    def _trap(self, what: str, group: Quarantine, links: int = 0) -> None:
        example = self._url(group.examples[-1]) if group.examples else ""
        command = self._release("release", group) if what in ("ended", "left") else ""
        site, place, evidence = group.site, self._text(group.place), self._text(group.evidence)
        self._add(records.Trap(clock.system(), what, site, place, group.kind, evidence, example, links, command))

    def _link_left(self, event: LinkLeft) -> None:
        decision, url = event.decision, self._url(event.url)
        self._add(records.Left(clock.system(), url, event.origin, decision.reason, self._text(decision.detail)))

    def _limit_unmet(self, event: LimitUnmet) -> None:
        until, share, text = event.until, event.share, self._text(event.text)
        self._add(records.Unmet(clock.system(), event.setting, event.host, until, share, event.requests, text))


def _keep(of_origins: dict[str, _T], origin: str, value: _T) -> None:
    of_origins.pop(origin, None)
    of_origins[origin] = value
    if len(of_origins) > _MAX_ORIGINS:
        del of_origins[next(iter(of_origins))]
