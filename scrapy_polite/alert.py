"""Alert: something about a crawl that a person should know within seconds, and what to do about it.

The kinds are those of the rules for Prometheus (`metrics/rules.yml`), as far as a crawl can know them itself.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

#: One alert of a kind and host in so many seconds.
EVERY_S = 3_600.0
#: Alerts of one kind in that time, whatever the hosts: a crawl of many hosts meets many that fail.
MAX_A_KIND = 20


@dataclass(frozen=True, slots=True)
class AlertKind:
    """`rules` are the names of the rules for Prometheus that say the same."""

    meaning: str
    todo: str
    rules: tuple[str, ...] = ()


KINDS: dict[str, AlertKind] = {
    "robots-unreachable": AlertKind(
        "A robots.txt cannot be read (429, 5xx, no answer), and there is no copy: nothing of its origin is fetched.",
        "`scrapy robots check URL` asks for it now. It is asked for again by itself; after POLITE_GIVE_UP its queued "
        "requests are refused.",
        ("ScrapyPoliteRobotsUnreachable",),
    ),
    "host-abandoned": AlertKind(
        "A host was abandoned: its robots.txt or its connection has failed for POLITE_GIVE_UP. Its queued requests are "
        "refused.",
        "See whether the host answers you. If it does, crawl it again; if it will be long, raise POLITE_GIVE_UP.",
        ("ScrapyPoliteHostsAbandoned",),
    ),
    "starts-refused": AlertKind(
        "All start requests were refused: the crawl fetches nothing.",
        "`scrapy robots check URL` and `scrapy polite blacklist check URL` say which line or entry refuses them.",
        ("ScrapyPoliteStartsRefused",),
    ),
    "no-page": AlertKind(
        "Requests are queued or under way, and no page has come for five minutes.",
        "`scrapy polite gates` and `scrapy polite watch` say which hosts are waited for, and until when. If it is a "
        "Crawl-delay or a Retry-After, wait.",
        ("ScrapyPoliteNoPage",),
    ),
    "not-found": AlertKind(
        "More than half of the last 100 answers were 404 or 410.",
        "Look at the URLs in the report: the site has changed, or the spider builds wrong ones. Stop it until then.",
        ("ScrapyPoliteNotFound",),
    ),
    "new-trap": AlertKind(
        "A place of a site looks endless and is followed no further.",
        "Look at the examples (`scrapy polite traps list`). If it is no trap, `scrapy polite traps release` has its "
        "links followed.",
        ("ScrapyPoliteNewTrap",),
    ),
    "limit-missed": AlertKind(
        "A time limit, a page budget or a visiting time ends before the queue does: only a part will be fetched.",
        "Raise the limit, narrow the crawl, or ask the site for a shorter delay.",
        ("ScrapyPoliteCoverage",),
    ),
    "store-lost": AlertKind(
        "The store (POLITE_STORE) fails. On a server: hosts whose delay is shared wait. A file: what is learned now is "
        "not kept.",
        "See the log for the cause: the server, the disk, or the file's rights.",
        ("ScrapyPoliteStoreLost",),
    ),
    "queue-failing": AlertKind(
        "The queue cannot be read or written.",
        "See the log for the cause. The crawl goes on by itself once the queue can be used; what is lost needs "
        "`scrapy polite recover`.",
        ("ScrapyPoliteQueueFailing",),
    ),
    "disk-full": AlertKind(
        "There is no room on a disk that the crawl writes to.",
        "Make room. A run record that has ended begins again with the next crawl.",
        ("ScrapyPoliteQueueFailing", "ScrapyPoliteStoreLost", "ScrapyPoliteRecordEnded"),
    ),
    "record-ended": AlertKind(
        "The run record cannot be written: what the crawl does from now on is in no report and no audit.",
        "See the log for the cause. The crawl goes on; the next one begins a new record.",
        ("ScrapyPoliteRecordEnded",),
    ),
    "ended-badly": AlertKind(
        "The crawl has ended before its work was done.",
        "The report says what is left (`scrapy polite report`). With JOBDIR the same command goes on where it was.",
        ("ScrapyPoliteEndedBadly",),
    ),
}

#: Finish reasons of crawls that have ended before their work was done, and what each means. `polite_waiting` is none of
#: them: the queue is kept, and "no-page" has told of it before.
BAD_ENDINGS: dict[str, str] = {
    "polite_store_lost": "what was queued is lost",
    "memusage_exceeded": "it took more memory than MEMUSAGE_LIMIT_MB",
    "closespider_errorcount": "it had more errors than CLOSESPIDER_ERRORCOUNT",
    "closespider_timeout_no_item": "no item came within CLOSESPIDER_TIMEOUT_NO_ITEM",
    "closespider_pagecount_no_item": "no item came within CLOSESPIDER_PAGECOUNT_NO_ITEM pages",
}


@dataclass(frozen=True, slots=True)
class Alert:
    """`kind` is a key of `KINDS`; `text` says what has happened, `todo` what to do about it, both safe to show.

    `host` is the host or origin that it is about, empty where it is about the crawl. `at` is in epoch seconds.
    """

    kind: str
    text: str
    host: str
    at: float

    @property
    def todo(self) -> str:
        return KINDS[self.kind].todo


class OncePerHour:
    """Lets one alert of a kind and host pass in `every_s`, and at most `most` of a kind."""

    def __init__(self, every_s: float = EVERY_S, most: int = MAX_A_KIND) -> None:
        self._every_s = every_s
        self._most = most
        #: When the last one of each kind and host passed, the oldest first.
        self._passed: dict[str, OrderedDict[str, float]] = {}

    def passes(self, kind: str, host: str, now: float) -> bool:
        passed = self._passed.setdefault(kind, OrderedDict())
        while passed and next(iter(passed.values())) <= now - self._every_s:
            passed.popitem(last=False)
        if host in passed or len(passed) >= self._most:
            return False
        passed[host] = now
        return True
