"""Monitors for Spidermon over this package's stats: what a person should hear of when a crawl has ended.

    SPIDERMON_SPIDER_CLOSE_MONITORS = ["scrapy_polite.spidermon.PoliteMonitorSuite"]

Nothing else in the package needs Spidermon, and it is no dependency: this module alone cannot be imported without it.
"""

from __future__ import annotations

from collections.abc import Mapping

from scrapy_polite.text import counted, printable

try:
    from spidermon import MonitorSuite, monitors
    from spidermon.contrib.scrapy.monitors import BaseScrapyMonitor
except ImportError as error:
    raise ImportError(f"scrapy_polite.spidermon needs Spidermon ({error}): pip install spidermon") from error

_PREFIX = "SPIDERMON_POLITE"
#: The project itself has what these reasons refuse left out: that says nothing about the sites.
_WANTED = ("blacklist/", "directives/", "trap/", "visited/")
#: Requests that were refused, among the exceptions that Scrapy counts.
_IGNORED = "downloader/exception_type_count/scrapy.exceptions.IgnoreRequest"
_ORDERLY = ("finished", "polite_traps_left", "polite_waiting")


class _Monitor(BaseScrapyMonitor):  # type: ignore[misc]  # Spidermon has no types
    """What the monitors below share. `stats` is Scrapy's, a dictionary."""

    def _counts(self, prefix: str) -> dict[str, int]:
        """The stats whose names begin so, by the rest of the name."""
        return {name.removeprefix(prefix): n for name, n in self.stats.items() if name.startswith(prefix)}

    def _refused(self) -> dict[str, int]:
        """Pages that the project wanted and that were refused, by reason."""
        refused = self._counts("polite/refused/")
        return {reason: count for reason, count in refused.items() if not reason.startswith(_WANTED)}

    def _share(self, name: str, default: float, count: int, of: int, what: str) -> None:
        """Fail where `count` of `of` are a larger share than a setting allows."""
        setting = f"{_PREFIX}_{name}"
        most = self.crawler.settings.getfloat(setting, default)
        if count > most * of:
            self.fail(f"{count:,} of {of:,} ({count / of:.0%}) {what}; expected: at most {most:.0%} ({setting})")

    def _share_of_pages(self, name: str, default: float, reason: str, what: str) -> None:
        """Fail where a larger share of all pages is refused for a reason (empty: for any) than a setting allows."""
        refused = self._refused()
        of = sum(self._counts("polite/pages/").values()) + sum(refused.values())
        self._share(name, default, refused.get(reason, 0) if reason else sum(refused.values()), of, what)

    def _none(self, stat: str, what: str) -> None:
        if count := self.stats.get(stat, 0):
            self.fail(f"{count:,} {what}; expected: none (the stat {stat})")


@monitors.name("scrapy-polite: the crawl")
class CrawlMonitor(_Monitor):
    """Something was crawled, and the crawl ended in order."""

    @monitors.name("pages were requested")  # type: ignore[untyped-decorator]
    def test_pages_were_requested(self) -> None:
        refused = self._counts("polite/refused/")
        if refused and not self._counts("polite/pages/"):
            all_refused = counted(sum(refused.values()), "request")
            self.fail(f"nothing was crawled: {all_refused} were refused, most of them for {_first(refused)}")

    @monitors.name("it ended in order")  # type: ignore[untyped-decorator]
    def test_it_ended_in_order(self) -> None:
        """The setting is SPIDERMON_POLITE_FINISH_REASONS."""
        setting = f"{_PREFIX}_FINISH_REASONS"
        expected, reason = self.crawler.settings.getlist(setting, list(_ORDERLY)), self.stats.get("finish_reason")
        if reason not in expected:
            self.fail(f"it ended as {reason!r}; expected: {', '.join(expected)} ({setting})")


@monitors.name("scrapy-polite: the sites")
class SitesMonitor(_Monitor):
    """The sites let themselves be crawled: their robots.txt can be read, allows the pages, and they answer."""

    @monitors.name("few pages were refused")  # type: ignore[untyped-decorator]
    def test_few_pages_were_refused(self) -> None:
        what = f"pages were refused, most of them for {_first(self._refused())}"
        self._share_of_pages("MAX_REFUSED", 0.5, "", what)

    @monitors.name("robots.txt could be read")  # type: ignore[untyped-decorator]
    def test_robots_txt_could_be_read(self) -> None:
        what = "pages were refused because no robots.txt could be read"
        self._share_of_pages("MAX_UNREADABLE", 0.1, "robots/unreachable", what)

    @monitors.name("few hosts were abandoned")  # type: ignore[untyped-decorator]
    def test_few_hosts_were_abandoned(self) -> None:
        self._share_of_pages("MAX_ABANDONED", 0.1, "pace/abandoned", "pages were given up, with their hosts")

    @monitors.name("few requests failed")  # type: ignore[untyped-decorator]
    def test_few_requests_failed(self) -> None:
        statuses = self._counts("downloader/response_status_count/")
        failed = sum(count for status, count in statuses.items() if status >= "500")
        failed += self.stats.get("downloader/exception_count", 0) - self.stats.get(_IGNORED, 0)
        asked = self.stats.get("downloader/request_count", 0)
        self._share("MAX_FAILED", 0.2, failed, asked, "requests failed at their hosts (5xx, or no answer)")


@monitors.name("scrapy-polite: for a person")
class DecisionMonitor(_Monitor):
    """Nothing waits for a person's decision."""

    @monitors.name("no new trap")  # type: ignore[untyped-decorator]
    def test_no_new_trap(self) -> None:
        setting = f"{_PREFIX}_MAX_TRAPS"
        most, count = self.crawler.settings.getint(setting, 0), self.stats.get("polite/traps/ended", 0)
        if count > most:
            self.fail(
                f"{counted(count, 'group')} of URLs looked endless and were not followed further; expected: at most "
                f"{most:,} ({setting}). `scrapy polite traps list` shows them"
            )

    @monitors.name("changed blacklists could be read")  # type: ignore[untyped-decorator]
    def test_changed_blacklists_could_be_read(self) -> None:
        self._none("polite/blacklist/reload_failures", "times a changed blacklist could not be read")

    @monitors.name("no error in scrapy-polite")  # type: ignore[untyped-decorator]
    def test_no_error_in_scrapy_polite(self) -> None:
        self._none("polite/traps/errors", "pages or links could not be judged, because of an error in scrapy-polite")


class PoliteMonitorSuite(MonitorSuite):  # type: ignore[misc]  # Spidermon has no types
    """All of these: to be named in SPIDERMON_SPIDER_CLOSE_MONITORS, or subclassed with actions of your own."""

    monitors = [CrawlMonitor, SitesMonitor, DecisionMonitor]  # noqa: RUF012  # as Spidermon wants it


def _first(reasons: Mapping[str, int]) -> str:
    """The most frequent of the reasons, and its number."""
    reason, count = max(reasons.items(), key=lambda one: one[1], default=("none", 0))
    return f"{printable(reason, 60)} ({count:,})"
