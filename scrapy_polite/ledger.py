"""Ledger: counts every decision by reason, keeps the origins most concerned and a few examples, all bounded.

Feeds stats (`polite/...`, never a host in a key), the log, the summary and `POLITE_REFUSED_FILE`.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from weakref import WeakKeyDictionary, ref

from scrapy_polite._crawl import shared
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.signals import polite_refused

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from typing_extensions import Self

    from scrapy_polite.decision import Decision
    from scrapy_polite.store.base import Quarantine

logger = logging.getLogger(__name__)

MAX_ORIGINS = 1_000
MAX_EXAMPLES = 3
MAX_QUARANTINES = 100
#: What a person should look at where it happens: told at error level, again each time it has become ten times as often.
_ALARMING = frozenset({"trap/url-length"})
_MAX_ALARMS = 100
#: Hosts whose giving up is told, each once.
_MAX_GIVEN_UP = 20
#: What a page goes under: rules that are fresh, the last good copy in an outage, none at all, rules nobody read.
BASES = ("fresh", "stale", "none", "unread")


_CREDENTIALS = re.compile(r"(?<=://)[^/?#\s\\]+@")


def without_credentials(text: str) -> str:
    """A text whose URLs name no user and no password (RFC 3986 §3.2.1): `https://***@host/`."""
    return _CREDENTIALS.sub("***@", text) if "@" in text else text


def printable(text: str, limit: int = 200) -> str:
    """Text from the network, safe to show: without passwords; control, bidi and other invisible characters escaped; cut
    at `limit`."""
    text = without_credentials(text)
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)


@dataclass(slots=True)
class Tally:
    """What happened with one origin. `standing` says in words what its robots.txt did, `pace` which delay is in force
    and what asks for it; `longest_wait_s` is how long requests waited for either at most, `backoffs` how often the
    host was closed; `long_urls` are those from 1,024 characters on, `alarms` those that were too long."""

    standing: str = ""
    pace: str = ""
    went: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    longest_wait_s: float = 0.0
    backoffs: int = 0
    long_urls: int = 0
    alarms: int = 0

    @property
    def capped(self) -> bool:
        """Whether robots.txt asks for a longer delay than is kept (see `pacing.delay.Delay`)."""
        return self.pace.endswith("asked)")

    @property
    def concern(self) -> tuple[int, float, int]:
        return self.refused.total(), self.longest_wait_s, self.went


@dataclass(frozen=True, slots=True)
class Example:
    url: str
    decision: Decision


class Ledger:
    """`origins` holds at most 1,000 tallies: when full, the half that was refused and made wait least is dropped."""

    def __init__(self, crawler: Crawler, refused_file: RefusedFile | None = None) -> None:
        self._crawler = ref(crawler)
        self._refused_file = refused_file
        self.origins: dict[str, Tally] = {}
        self.went: Counter[str] = Counter()
        self._leaving: WeakKeyDictionary[Request, tuple[str, str, bool]] = WeakKeyDictionary()
        self.refused: Counter[str] = Counter()
        self.audited: Counter[str] = Counter()
        self.examples: dict[str, list[Example]] = {}
        self.audited_examples: dict[str, list[Example]] = {}
        self.start_went = 0
        self.start_refused = 0
        self.waits = 0
        self.gate_waits = 0
        self.backoffs = 0
        self.items: Counter[str] = Counter()
        #: Groups of URL patterns that are suspected or have ended, the last ones, by site and pattern, each with the
        #: number of its links that stay behind; how many were suspected, cleared again, and ended.
        self.groups: dict[tuple[str, str], tuple[Quarantine, int]] = {}
        self.suspected_groups = self.cleared_groups = self.ended_groups = 0
        self.left_links = 0
        self._alarms = 0
        self._given_up: set[str] = set()
        self._was_patient = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = shared(crawler, PoliteSettings)
        path = settings.refused_file
        return cls(crawler, RefusedFile(Path(path), settings.refused_file_max) if path else None)

    def let_go(self, origin: object, basis: str, *, start: bool = False, request: Request | None = None) -> None:
        """A page leaves, under rules of one of BASES; `start`: it is one of the spider's start requests.

        With its `request` it can be taken back, until it `has_left`.
        """
        if request is not None:
            self._leaving[request] = str(origin), basis, start
        self.went[basis] += 1
        self.start_went += start
        self.count(f"polite/pages/{basis}")
        self._tally(str(origin)).went += 1

    def has_left(self, request: Request) -> None:
        """A page that was let go is on its way to the network: it stays counted."""
        self._leaving.pop(request, None)

    def take_back(self, request: Request) -> None:
        """A page that was let go, if it was, has not left after all."""
        found = self._leaving.pop(request, None)
        if found is not None:
            origin, basis, start = found
            self.went[basis] -= 1
            self.start_went -= start
            self.count(f"polite/pages/{basis}", -1)
            tally = self._tally(origin)
            tally.went = max(tally.went - 1, 0)  # it may have been forgotten meanwhile

    def refuse(
        self,
        origin: object,
        url: str,
        decision: Decision,
        *,
        audit: bool = False,
        start: bool = False,
        request: Request | None = None,
    ) -> None:
        """A request is refused; in an audit, it would have been. With its `request`, `polite_refused` is sent."""
        self.start_refused += start and not audit
        reason = decision.reason
        counter, kind, kept = (
            (self.audited, "audited", self.audited_examples) if audit else (self.refused, "refused", self.examples)
        )
        counter[reason] += 1
        self.count(f"polite/{kind}")
        self.count(f"polite/{kind}/{reason}")
        examples = kept.setdefault(reason, [])
        if len(examples) < MAX_EXAMPLES:
            examples.append(Example(url[:2_000], decision))
        self._log("Would refuse" if audit else "Refused", url, decision, first=counter[reason] == 1)
        if not audit:
            self._tally(str(origin)).refused[reason] += 1
        if self._refused_file:
            self._refused_file.write(url, decision, audit)
        if reason in _ALARMING:
            self._alarm(str(origin), url, decision)
        crawler = self._crawler()
        if request is not None and not audit and crawler is not None:
            crawler.signals.send_catch_log(polite_refused, request=request, decision=decision)

    def drop_item(self, url: str, decision: Decision, *, audit: bool = False) -> None:
        """An item of a page is dropped; in an audit, it would have been."""
        kind = "items_audited" if audit else "items_dropped"
        self.items[kind] += 1
        self.count(f"polite/{kind}")
        self.count(f"polite/{kind}/{decision.reason}")
        what = "Would drop an item of" if audit else "Dropped an item of"
        self._log(what, url, decision, first=self.items[kind] == 1)

    def long_url(self, origin: object) -> None:
        self._tally(str(origin)).long_urls += 1
        self.count("polite/traps/long_urls")

    def suspected(self, group: Quarantine) -> None:
        """A group of URL patterns looks endless: its links wait from now on."""
        self.suspected_groups += 1
        self._note_group(group)
        self.count("polite/traps/suspected")

    def cleared(self, group: Quarantine) -> None:
        """It is no longer suspected."""
        self.cleared_groups += 1
        self.groups.pop((group.site, group.place), None)
        self.count("polite/traps/cleared")

    def ended(self, group: Quarantine) -> None:
        """It is followed no further."""
        self.ended_groups += 1
        self._note_group(group)
        self.count("polite/traps/ended")
        self.count(f"polite/traps/ended/{group.kind}")

    def left(self, group: Quarantine, links: int) -> None:
        """So many links of a group stay behind at the end."""
        self._note_group(group, links)
        self.left_links += links
        self.count("polite/traps/links_left", links)

    def leave_behind(self, origin: object, url: str, decision: Decision) -> None:
        """A link that stays behind and is kept nowhere: it goes to POLITE_REFUSED_FILE."""
        self._tally(str(origin)).refused[decision.reason] += 1
        if self._refused_file:
            self._refused_file.write(url, decision, audit=False)

    def _note_group(self, group: Quarantine, links: int = 0) -> None:
        self.groups.pop((group.site, group.place), None)
        self.groups[group.site, group.place] = group, links
        if len(self.groups) > MAX_QUARANTINES:
            del self.groups[next(iter(self.groups))]

    def wait(self, origin: object, seconds: float) -> None:
        """A request had to wait for its origin."""
        self.waits += 1
        tally = self._tally(str(origin))
        tally.longest_wait_s = max(tally.longest_wait_s, seconds)

    def wait_at_gate(self, origin: object, seconds: float) -> None:
        """The next request of an origin had to wait until its host's gate opened."""
        self.gate_waits += 1
        tally = self._tally(str(origin))
        tally.longest_wait_s = max(tally.longest_wait_s, seconds)
        self.count("polite/gate_waits")

    def backed_off(self, origin: object, seconds: float) -> bool:
        """A host is left alone for so long; True if it is the first time in this crawl that one is."""
        self.backoffs += 1
        self._tally(str(origin)).backoffs += 1
        self.count("polite/backoffs")
        return self.backoffs == 1

    def given_up(self, host: str, why: str, requests: int) -> None:
        """A host, or an origin, is waited for no longer: so many requests to it are refused, and counted then."""
        if host in self._given_up or len(self._given_up) > _MAX_GIVEN_UP:
            return
        self._given_up.add(host)
        if len(self._given_up) > _MAX_GIVEN_UP:
            self._warn("Further hosts are given up; what was refused for it is counted in the summary and the stats")
            return
        number = "1 request" if requests == 1 else f"{requests:,} requests"
        self._warn(f"{printable(host)} is given up ({printable(why)}): {number} refused")

    def out_of_patience(self, url: str, decision: Decision) -> None:
        """A request that waits in place, as those of media pipelines do, is refused after `POLITE_WAIT_MAX`."""
        if self._was_patient:
            self._was_patient = False
            self._warn(
                f"{printable(url)} does not wait for longer than POLITE_WAIT_MAX ({printable(str(decision), 300)}): "
                "refused; further ones are counted in the summary and the stats"
            )

    def pace(self, origin: object, pace: str) -> None:
        self._tally(str(origin)).pace = pace

    def stand(self, origin: object, standing: str) -> None:
        self._tally(str(origin)).standing = standing

    def close(self) -> None:
        if self._refused_file:
            self._refused_file.close()

    def _tally(self, origin: str) -> Tally:
        tally = self.origins.get(origin)
        if tally is None:
            if len(self.origins) >= MAX_ORIGINS:
                ranked = sorted(self.origins.items(), key=lambda item: item[1].concern, reverse=True)
                self.origins = dict(ranked[: MAX_ORIGINS // 2])
            tally = self.origins[origin] = Tally()
        return tally

    def count(self, key: str, number: int = 1) -> None:
        """Add to a stat."""
        crawler = self._crawler()
        if crawler is not None and crawler.stats is not None:
            crawler.stats.inc_value(key, number)

    def _warn(self, text: str) -> None:
        crawler = self._crawler()
        logger.warning("%s", text, extra={"spider": crawler.spider if crawler else None})

    def _alarm(self, origin: str, url: str, decision: Decision) -> None:
        tally = self._tally(origin)
        tally.alarms += 1
        if self._alarms < _MAX_ALARMS and str(tally.alarms).strip("0") == "1":
            self._alarms += 1
            crawler = self._crawler()
            logger.error(
                "%s: %s URL%s too long so far, lately %s (%s). Have a look: an endless space, or a fault of the site",
                printable(origin),
                f"{tally.alarms:,}",
                "" if tally.alarms == 1 else "s",
                printable(url),
                printable(str(decision), 300),
                extra={"spider": crawler.spider if crawler else None},
            )

    def _log(self, what: str, url: str, decision: Decision, *, first: bool) -> None:
        level = logging.INFO if first else logging.DEBUG
        if not logger.isEnabledFor(level):
            return
        crawler = self._crawler()
        logger.log(
            level,
            "%(what)s %(url)s (%(decision)s)%(more)s",
            {
                "what": what,
                "url": printable(url),
                "decision": printable(str(decision), 300),
                "more": "; further ones of this kind are counted and logged at DEBUG" if first else "",
            },
            extra={"spider": crawler.spider if crawler else None},
        )


class RefusedFile:
    """`POLITE_REFUSED_FILE`: one JSON object a line, appended, at most `max_lines` of them in a run.

    Only its owner may read a file that is made here, and URLs are written without passwords.
    """

    def __init__(self, path: Path, max_lines: int) -> None:
        self._path = path
        self._left = max_lines
        self._file: TextIO | None = None

    def write(self, url: str, decision: Decision, audit: bool) -> None:
        if self._left < 0:
            return
        record: dict[str, object] = {"time": datetime.now(timezone.utc).isoformat(timespec="seconds")}
        if self._left:
            detail = without_credentials(decision.detail)[:500]
            record |= {"url": without_credentials(url)[:8_192], "reason": decision.reason, "detail": detail}
            if decision.line is not None:
                record |= {"rule": (decision.rule or "")[:500], "line": decision.line}
            if audit:
                record["audit"] = True
        else:
            record["note"] = "POLITE_REFUSED_FILE_MAX is reached: nothing more is written"
        self._left -= 1
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(self._path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
                self._file = os.fdopen(descriptor, "a", encoding="utf-8", buffering=1)
            self._file.write(json.dumps(record) + "\n")
        except OSError as error:
            self._left = -1
            logger.error(
                "POLITE_REFUSED_FILE %s cannot be written (%s): refused URLs are counted, but listed no further. "
                "Make room or name another file.",
                self._path,
                error,
            )
        if self._left < 0:
            self.close()

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                logger.error("POLITE_REFUSED_FILE %s could not be closed: %s", self._path, error)
