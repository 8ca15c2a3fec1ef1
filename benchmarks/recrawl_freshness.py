"""How many of the pages are up to date, by the rule of this package, at fixed intervals, and by Nutch's rule.

Simulated histories of changes: at random (Poisson), and once a day at the same hour (or every few days). Each rule asks
for the same number of pages an hour, by its order. (A crawl asks for no more than are due; how many more were asked for
here, to keep the numbers the same, is printed as "early".) Nutch: AdaptiveFetchSchedule with its defaults, from
https://github.com/apache/nutch (INC_RATE 0.4, DEC_RATE 0.2, SYNC_DELTA_RATE 0.3, 60 s to 365 days, first 30 days),
what has been due for longest first. Fixed: all pages in turn.

Exits with 1 if this package's rule has not the most pages up to date.
"""

from __future__ import annotations

import argparse
import bisect
import heapq
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

from scrapy_polite.recrawl.schedule import FIRST_S, Bounds, Pace, crawl_value, next_interval

HOUR_S, DAY_S = 3_600.0, 86_400.0
BOUNDS = Bounds()


@dataclass(slots=True)
class Visited:
    """What a rule knows of one page."""

    seen_at: float
    interval_s: float
    due_at: float
    changed_at: float
    pace: Pace = field(default_factory=Pace)


def poisson(rng: random.Random, pages: int, until_s: float) -> list[list[float]]:
    """Changes of each page: on average every 6 hours to every 200 days."""
    histories = []
    for _ in range(pages):
        mean_s = DAY_S * 0.25 * 800 ** rng.random()
        at, changes = rng.expovariate(1 / mean_s), []
        while at < until_s:
            changes.append(at)
            at += rng.expovariate(1 / mean_s)
        histories.append(changes)
    return histories


def daily(rng: random.Random, pages: int, until_s: float) -> list[list[float]]:
    """Changes of each page: at its hour of every day, of every second, third, seventh or thirtieth."""
    histories = []
    for _ in range(pages):
        every = rng.choice((1, 1, 2, 3, 7, 30)) * DAY_S
        at, changes = rng.random() * every, []
        while at < until_s:
            changes.append(at)
            at += every
        histories.append(changes)
    return histories


def ours(page: Visited, now: float) -> tuple[bool, float]:
    """Whether a page is due, and how much it wants to be asked for."""
    return now >= page.due_at, crawl_value(page.pace.changes, page.pace.watched_s, now - page.seen_at)


def ours_seen(page: Visited, now: float, *, changed: bool) -> None:
    page.pace = page.pace.after(now - page.seen_at, changed=changed)
    page.interval_s = next_interval(page.interval_s, changed=changed, bounds=BOUNDS)
    page.seen_at, page.due_at = now, now + page.interval_s


def nutch(page: Visited, now: float) -> tuple[bool, float]:
    return now >= page.due_at, now - page.due_at


def nutch_seen(page: Visited, now: float, *, changed: bool) -> None:
    interval = page.interval_s * (0.8 if changed else 1.4)
    if changed:
        page.changed_at = now
    delta = now - page.changed_at
    interval = max(interval, delta)
    reference = now - round(delta * 0.3)
    page.interval_s = BOUNDS.cut(interval)
    page.seen_at, page.due_at = now, max(reference + page.interval_s, now + 1)


def fixed(page: Visited, now: float) -> tuple[bool, float]:
    return True, now - page.seen_at


def fixed_seen(page: Visited, now: float, *, changed: bool) -> None:
    page.seen_at = now


Wants = Callable[[Visited, float], tuple[bool, float]]


def simulate(
    histories: list[list[float]], wants: Wants, seen: Callable[..., None], first_s: float, an_hour: int, until_s: float
) -> tuple[float, int, int]:
    """The share of pages that are up to date, an average over the second half; the requests of all, and those that
    the intervals would not have asked for."""
    rng = random.Random(7)
    pages = []
    for _ in histories:
        first = rng.random() * first_s  # not all at once
        pages.append(Visited(0.0, first_s, first, 0.0))
    fresh = hours = requests = early = 0
    now = HOUR_S
    while now < until_s:
        wishes = [wants(page, now) for page in pages]
        early += max(0, an_hour - sum(due for due, _ in wishes))
        for _, number in heapq.nlargest(an_hour, ((value, number) for number, (_, value) in enumerate(wishes))):
            page, changes = pages[number], histories[number]
            changed = bisect.bisect(changes, now) > bisect.bisect(changes, page.seen_at)
            seen(page, now, changed=changed)
            requests += 1
        if now > until_s / 2:
            hours += 1
            fresh += sum(
                bisect.bisect(changes, now) == bisect.bisect(changes, page.seen_at)
                for page, changes in zip(pages, histories, strict=True)
            )
        now += HOUR_S
    return fresh / hours / len(pages), requests, early


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--days", type=int, default=200)
    opts = parser.parse_args()
    until_s = opts.days * DAY_S
    held = True
    for name, make in (("poisson", poisson), ("daily", daily)):
        histories = make(random.Random(1), opts.pages, until_s)
        for share in (0.005, 0.01, 0.02):
            an_hour = max(1, round(share * opts.pages))
            row = {
                rule: simulate(histories, wants, seen, FIRST_S, an_hour, until_s)
                for rule, wants, seen in (
                    ("ours", ours, ours_seen),
                    ("fixed", fixed, fixed_seen),
                    ("nutch", nutch, nutch_seen),
                )
            }
            print(f"{name:8} {an_hour:3} an hour of {opts.pages}: ", end="")
            print(
                "; ".join(
                    f"{rule} {fresh:.3f} ({asked:,} requests, {early:,} early)"
                    for rule, (fresh, asked, early) in row.items()
                )
            )
            held &= row["ours"][0] > max(row["fixed"][0], row["nutch"][0])
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
