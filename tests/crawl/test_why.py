"""Why a crawl still runs: real crawls that are kept by one thing or another, each of which is named in words.

All run at once, and are looked at from outside, as `scrapy polite watch` does; each is killed when it has said enough.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import arguments
from crawls import BUDGET_PERIOD_S
from redis_server import RedisServer, needs_server
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.redis.jobs import RedisJobs
from scrapy_polite.runs.run import RunError, find_run
from scrapy_polite.runs.why import why
from trap_sites import SAME, Everything, html
from webserver import Answer, Asked, Origin, robots
from workers import Worker, tree

#: By so much later the question is asked: what has only begun to hang is slow by then.
_LATER_S = 8.0
_LIMIT_S = 40.0
SETTINGS = {
    arguments.RUN_WRITE: 0.1,
    "POLITE_MAX_IDLE": 86_400,
    "POLITE_GIVE_UP": 600,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "LOG_LEVEL": "INFO",
}
HANGS = Answer(delay_s=60)


@dataclass
class Stage:
    """Crawls that one or several causes keep: for each the words that one sentence has, the first one if `is_alone`."""

    workers: Sequence[Worker]
    words: Mapping[str, Sequence[str]]
    is_alone: bool = True
    said: dict[str, str] = field(default_factory=dict)
    last: list[str] = field(default_factory=list)

    def look(self) -> bool:
        """Ask each of them; whether each cause has been named."""
        for worker in self.workers:
            try:
                run = find_run(worker.folder / ".scrapy/polite/runs", None)
            except RunError:
                continue
            self.last = why(run, time.time() + _LATER_S)
            for cause, words in self.words.items():
                sentences = (
                    sentence
                    for sentence in (self.last[:1] if self.is_alone else self.last)
                    if all(word in sentence for word in words)
                )
                if sentence := next(sentences, ""):
                    self.said.setdefault(cause, sentence)
        return self.said.keys() == self.words.keys()


class Stages:
    def __init__(self, loop_mode: str, stack: ExitStack, folder: Path) -> None:
        self._loop_mode = loop_mode
        self._stack = stack
        self._folder = folder

    def site(self, table: Mapping[str, Any], number: int = 1) -> str:
        return self._stack.enter_context(Origin(table, f"127.0.0.{number}")).url

    def crawl(self, urls: Sequence[str], settings: Mapping[str, Any] | None = None, spider: str = "list") -> Worker:
        worker = Worker(self._loop_mode, urls, SETTINGS | dict(settings or {}), spider)
        self._stack.callback(worker.kill)
        return worker

    def closed_hosts(self) -> Stage:
        """Three hosts that are closed for an hour and more."""
        asks = time.gmtime(time.time() + 10 * 3_600)
        hours = robots(f"User-agent: *\nVisit-time: {asks.tm_hour:02}00-{asks.tm_hour:02}59\n")
        closed = Answer(429, headers={"Retry-After": "3600"})
        sites = self.site({f"/{n}": closed for n in range(3)}), self.site({"/robots.txt": hours}, 2), self.site({}, 3)
        budget = {"POLITE_SITES": {"127.0.0.3": {"budget": {"pages": 1, "per": BUDGET_PERIOD_S}}}}
        words = {
            "embargo": ("127.0.0.1 (2 requests queued) is under an embargo", "Retry-After 3600 s) until "),
            "visit-time": ("127.0.0.2 (3 requests queued) allows visits only", f"Visit-time {asks.tm_hour:02}00-"),
            "budget": ("127.0.0.3 (2 requests queued) has had its budget of POLITE_SITES (1 pages per", "until 2"),
        }
        return Stage([self.crawl([f"{site}/{n}" for site in sites for n in range(3)], budget)], words)

    def hosts_that_do_not_answer(self) -> Stage:
        outage, hangs, slow = (
            self.site({"/robots.txt": Answer(503)}, 4),
            self.site({"/robots.txt": HANGS}, 5),
            self.site({"/0": HANGS}, 6),
        )
        words = {
            "robots outage": ("127.0.0.4 (2 requests queued) has a robots.txt that is unreachable", "POLITE_GIVE_UP"),
            "robots hanging": (f"for {hangs}/robots.txt, which hangs", "POLITE_ROBOTS_TIMEOUT"),
            "slow host": (f"for the slow answer to {slow}/0, at most 3 min (DOWNLOAD_TIMEOUT)",),
        }
        urls = [f"{site}/{n}" for site in (outage, hangs, slow) for n in range(2)]
        return Stage([self.crawl(urls)], words, is_alone=False)

    def hung_callback(self) -> Stage:
        url = f"{self.site({})}/page"
        worker = self.crawl([url], spider="why_parts.HungCallback")
        return Stage([worker], {"hung callback": (f"The callback of {url} has not ended for ", "it ends when that")})

    def kept_open(self) -> Stage:
        worker = self.crawl([f"{self.site({})}/page"], spider="why_parts.KeptOpen")
        words = ("nothing to do", "raises DontCloseSpider", "why_parts.KeptOpen.stay", "It ends when that stops")
        return Stage([worker], {"idle spider kept open": words})

    def throttled(self) -> Stage:
        site = self.site({})
        urls = [f"{site}/{n}" for n in range(5)]
        worker = self.crawl(urls, {"AUTOTHROTTLE_ENABLED": True, "AUTOTHROTTLE_START_DELAY": 20})
        return Stage([worker], {"AutoThrottle": ("127.0.0.1 has ", "requests queued, one every ", " s (AutoThrottle)")})

    def full_disk(self) -> Stage:
        """More is queued, and stays so, than the disk takes; what is no GET is not sent before that is written."""
        slow = self.site({"/robots.txt": robots("User-agent: *\nCrawl-delay: 30\n")}, 2)
        urls = [f"{slow}/{n}?{'more' * 50}" for n in range(300)]
        own = {"JOBDIR": str(self._folder / "job"), "EXTENSIONS": {"frontier_parts.DiskFillsUp": 0}}
        worker = self.crawl([*urls, f"{self.site({})}/post"], own, "frontier_parts.Posts")
        return Stage([worker], {"full disk": ("Its queue has failed for ", "frontier.sqlite", "new requests are not")})

    def deferred_tail(self) -> Stage:
        site = Origin({}, "127.0.0.7")

        def slow_calendar(asked: Asked) -> Answer:
            """One month after the other; when that is suspected they begin to take their time."""
            month = int(asked.path.partition("=")[2] or 0)
            answer = html(SAME, *(f"/calendar?m={month + more}" for more in (1, 2, 3)))
            return Answer(body=answer.body, headers=answer.headers, delay_s=0.3 if month > 60 else 0.0)

        site.table = Everything(slow_calendar, {"/": html("Home", "/calendar?m=0")})
        url = self._stack.enter_context(site).url
        worker = self.crawl([url], {"CONCURRENT_REQUESTS_PER_DOMAIN": 8}, "links")
        words = ("Only links are left that are deferred", "looks endless", "/calendar?m", "POLITE_TRAP_BUDGET")
        return Stage([worker], {"deferred tail": words})

    def anothers_turn(self) -> Stage:
        site = self.site({})
        store = {"POLITE_STORE": str(self._folder / "store.sqlite")}
        store |= {"POLITE_SITES": {"*": {"robots": "never", "delay": 30}}}
        crawls = [self.crawl([f"{site}/{name}{n}" for n in range(3)], store) for name in "ab"]
        words = ("127.0.0.1 (3 requests queued) waits (another crawl on POLITE_STORE has its turn there) until ",)
        return Stage(crawls, {"another crawl's turn": words})

    def lost_store(self) -> Stage:
        """Its server goes away as soon as the first page has come."""
        server = self._stack.enter_context(RedisServer())

        def first(asked: Asked) -> Answer:
            server.kill9()
            return Answer()

        site = self.site({"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2\n"), "/0": first}, 8)
        worker = self.crawl([f"{site}/{n}" for n in range(9)], {"POLITE_STORE": server.url})
        words = ("The store (POLITE_STORE) has been unavailable for ", "go on once it is back")
        return Stage([worker], {"lost store": words})

    def paused_job(self, server: RedisServer) -> Stage:
        job = f"why-{uuid4().hex}"
        site = self.site(tree(3, 3, 0.2), 9)
        own = {"POLITE_FRONTIER": server.url, "POLITE_STORE": server.url, "POLITE_JOB": job, "POLITE_LEASE": 2.0}
        worker = self.crawl([f"{site}/start"], own, "frontier_parts.FilteredLinks")
        with closing(RedisJobs(RedisUrl.parse(server.url), Codec())) as jobs:
            until = time.monotonic() + _LIMIT_S
            while not ((state := jobs.state(job)) and state.queued > 4):
                assert time.monotonic() < until
                time.sleep(0.05)
            jobs.pause(job, True)
        return Stage([worker], {"paused job": (f"The job {job} is paused", f"`scrapy polite resume {job}`")})


CAUSES = (
    "embargo",
    "visit-time",
    "budget",
    "robots outage",
    "robots hanging",
    "slow host",
    "hung callback",
    "full disk",
    "deferred tail",
    "idle spider kept open",
    "AutoThrottle",
    "another crawl's turn",
)
ON_A_SERVER = ("paused job", "lost store")


def asked(stages: Sequence[Stage]) -> dict[str, tuple[str, list[str]]]:
    """By cause the sentence that names it, and what was said last."""
    waiting, until = list(stages), time.monotonic() + _LIMIT_S
    while waiting and time.monotonic() < until:
        time.sleep(0.05)
        waiting = [stage for stage in waiting if not stage.look()]
    return {cause: (stage.said.get(cause, ""), stage.last) for stage in stages for cause in stage.words}


@pytest.fixture(scope="module")
def said(loop_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[str, list[str]]]]:
    with ExitStack() as stack:
        stages = Stages(loop_mode, stack, tmp_path_factory.mktemp("why"))
        yield asked(
            [
                stages.closed_hosts(),
                stages.hosts_that_do_not_answer(),
                stages.hung_callback(),
                stages.kept_open(),
                stages.throttled(),
                stages.full_disk(),
                stages.deferred_tail(),
                stages.anothers_turn(),
            ]
        )


@pytest.mark.parametrize("cause", CAUSES)
def test_what_keeps_a_crawl_is_named(said: dict[str, tuple[str, list[str]]], cause: str) -> None:
    sentence, last = said[cause]
    assert sentence, f"said was only {last}"


@pytest.fixture(scope="module")
def said_on_a_server(
    loop_mode: str, redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, tuple[str, list[str]]]]:
    with ExitStack() as stack:
        stages = Stages(loop_mode, stack, tmp_path_factory.mktemp("why"))
        yield asked([stages.lost_store(), stages.paused_job(redis_server)])


@needs_server
@pytest.mark.parametrize("cause", ON_A_SERVER)
def test_what_keeps_a_crawl_with_a_server_is_named(
    said_on_a_server: dict[str, tuple[str, list[str]]], cause: str
) -> None:
    sentence, last = said_on_a_server[cause]
    assert sentence, f"said was only {last}"
