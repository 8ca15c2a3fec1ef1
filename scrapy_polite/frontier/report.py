"""What the scheduler logs: what it waits for, what is left at the end, what is set aside or cannot be kept."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite.decision import Decision
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler

    from scrapy_polite.frontier.abandon import Abandonment
    from scrapy_polite.frontier.lane import OriginLane
    from scrapy_polite.frontier.lanes import Lanes
    from scrapy_polite.frontier.patience import Patience
    from scrapy_polite.frontier.queue import DeadLetter, Queue

logger = logging.getLogger(__name__)

_MAX_HOSTS_SHOWN = 5
_MAX_ASIDE_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Waiting:
    """`count` requests of a lane that is retried or `is_abandoned` at `until`, and what keeps it closed."""

    lane: str
    count: int
    until: float
    reason: str
    detail: str
    is_abandoned: bool = False

    def __str__(self) -> str:
        evidence = f": {printable(self.detail, 80)}" if self.detail else ""
        what = "abandoned" if self.is_abandoned else "retry"
        return f"{what} in {duration(self.until - clock.now())}, {self.reason}{evidence}"


class Report:
    """The log lines and stats of one crawl's queue."""

    def __init__(
        self, crawler: Crawler, queue: Queue, lanes: Lanes, abandonment: Abandonment, patience: Patience
    ) -> None:
        self._crawler = crawler
        self._queue = queue
        self._lanes = lanes
        self._abandonment = abandonment
        self._patience = patience
        #: Requests that were refused because nothing opened soon, and no job directory kept them.
        self.not_kept = 0
        #: What was set aside, and is still to be told of.
        self.letters: list[DeadLetter] = []
        self._aside_count = 0

    # While it runs

    def say_that_it_resumes(self) -> None:
        self._log(logging.INFO, "Resuming crawl (%d requests scheduled)", len(self._queue))

    def say_what_cannot_be_written(self, why: str) -> None:
        """A request stays in memory although there is a job directory: it is counted, and the first one told of."""
        stats = self._crawler.stats
        if not stats.get_value("scheduler/unserializable"):
            self._log(
                logging.WARNING,
                "Unable to serialize %s: it stays in memory, and is lost if the crawl is stopped; further ones are "
                "counted (scheduler/unserializable)",
                printable(why, 300),
            )
        stats.inc_value("scheduler/unserializable")

    def say_what_is_not_sent_again(self, request: Request) -> None:
        self._log(
            logging.WARNING,
            "Not sent again: %s %s, set aside at the start of this run; the next run sends it if it is asked for",
            request.method,
            printable(request.url),
        )

    def say_what_is_aside(self) -> None:
        letters, self.letters = self.letters, []
        shown = letters[: max(_MAX_ASIDE_SHOWN - self._aside_count, 0)]
        self._aside_count += len(letters)
        for letter in shown:
            what = f"{letter.method} {printable(letter.url)}".strip() or "a request"
            self._log(logging.WARNING, "Set aside %s: %s", what, printable(letter.why, 300))
        if len(letters) > len(shown):
            self._log(logging.WARNING, "Set aside %s requests in all", f"{self._aside_count:,}")
        if letters:
            self._crawler.stats.inc_value("polite/set_aside", len(letters))

    def say_what_is_waited_for(self, now: float) -> float:
        """Tell until when the crawl waits if nothing opens; that time, 0 where it waits for nothing."""
        waits = [wait for lane in self._lanes for wait in self._waiting_in(lane, now)]
        if not waits:
            return 0.0
        first, last = min(waits, key=lambda wait: wait.until), max(waits, key=lambda wait: wait.until)
        ends = time.strftime("%H:%M", time.localtime(clock.wall(last.until) + 60))  # what is begun of a minute, too
        self._log(
            logging.INFO,
            "scrapy-polite: ends at %s at the latest if nothing opens, because only waiting is left, for %s: %s %s%s",
            ends,
            counted(len({wait.lane for wait in waits}), "host"),
            printable(first.lane, 60),
            first,
            f"; {printable(last.lane, 60)} {last}" if last is not first else "",
        )
        return last.until

    def say_that_it_is_paced(self, lane: OriginLane, opens_at: float, now: float) -> None:
        """At a prompt: a person waits for a host's pace."""
        left = Waiting(lane.shown, self._queue.count(lane.name), opens_at, *lane.gate.why(now))
        self._log(logging.INFO, "scrapy-polite: %s %s", printable(lane.shown, 60), left)

    # At the end

    def say_what_is_left(self) -> None:
        totals, now = self._queue.totals(), clock.now()
        # What other processes have taken they have not done yet.
        left = totals.queued + (totals.in_flight if self._queue.shared else 0)
        if not left:
            return
        counts: Counter[str] = Counter()
        waits: dict[str, str] = {}
        for lane in self._lanes:
            name = lane.shown
            counts[name] += self._queue.count(lane.name)
            if lane.flow is not None and lane.flow.suspected:
                waits[name] = ", looks endless"
            elif not waits.get(name):
                waits[name] = "".join(f", {waiting}" for waiting in self._waiting_in(lane, now))
        lanes = counts.most_common(_MAX_HOSTS_SHOWN)
        shown = ", ".join(f"{printable(name, 60)} ({count:,}{waits[name]})" for name, count in lanes)
        more = f" and {len(counts) - len(lanes):,} more" if len(counts) > len(lanes) else ""
        dropped = min(sum(self._queue.memory_only(lane.name) for lane in self._lanes) + self._queue.lost, left)
        kept = "dropped" if dropped == left else f"kept in {'the job' if self._queue.shared else 'the job directory'}"
        if 0 < dropped < left:
            kept = f"{left - dropped:,} of them {kept}, the others dropped"
        what = counted(left, "request remains", "requests remain")
        # Where this process has no host, other processes have them.
        self._log(logging.INFO, "scrapy-polite: %s, %s%s%s", what, kept, f": {shown}" if shown else "", more)

    def say_what_was_not_kept(self) -> None:
        if self.not_kept and not self._patience.at_prompt:
            self._log(
                logging.WARNING,
                "scrapy-polite: no closed host opens within POLITE_MAX_IDLE (%g s): %s refused; with JOBDIR they are "
                "kept",
                self._patience.max_idle_s,
                counted(self.not_kept, "request"),
            )

    def _waiting_in(self, lane: OriginLane, now: float) -> Iterator[Waiting]:
        opens_at = max(lane.gate.opens_at(now), lane.closed_until)
        if opens_at > now:
            why = self._abandonment.why_closed(lane, now) or Decision(False, "robots/unreachable")
            abandons_at = self._abandonment.abandons_at(lane)
            yield Waiting(
                lane.shown,
                self._queue.count(lane.name),
                max(min(opens_at, abandons_at), now),
                why.reason,
                why.detail,
                is_abandoned=abandons_at <= opens_at,
            )

    def _log(self, level: int, text: str, *values: object) -> None:
        logger.log(level, text, *values, extra={"spider": self._crawler.spider})
