"""Whole crawls by several processes on one Valkey, and what is done to them meanwhile: rows of `scale_out.py`.

Whether every page was fetched once, at its host's pace, is by the log of the web server.
"""

from __future__ import annotations

import random
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from _crawls import Crawl, Crawled, Running, verdict
from _servers import Hit, Host, Servers, addresses, tree_requests
from _spider import Spider

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from redis_server import Proxy, RedisServer, failing_over
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.redis.letters import letter_of

CONCURRENCY = 16
LEASE_S = 3.0
LIMIT_S = 300.0
#: A server takes its time for a request after it has come in.
CLOCK_S = 0.002
#: Of trial 1: pages, their files, redirects to the next host, errors that are tried again.
ALL_KINDS = ("file", "moved", "fails-once")


class Job:
    """Some processes on one job, and the sites they crawl."""

    def __init__(
        self,
        servers: Servers,
        hosts: Sequence[str],
        frontier: str,
        folder: Path,
        name: str = "bench",
        hold_s: float = 0.0,
        **settings: Any,
    ) -> None:
        self._hold_s = hold_s
        self._urls = [servers.url(hosts[0], "tree/0")]
        self._folder = folder / name
        self._settings = {
            "POLITE_FRONTIER": frontier,
            "POLITE_JOB": name,
            "POLITE_LEASE": LEASE_S,
            "POLITE_TRAPS": "off",
            "CONCURRENT_REQUESTS": CONCURRENCY,
        } | settings
        self.all: list[Running] = []

    def start(self, clock_ahead_s: float = 0.0) -> Running:
        how = {"follow": True, "files": True, "clock_ahead_s": clock_ahead_s, "hold_s": self._hold_s}
        crawl = Crawl(True, self._urls, self._settings, **how)
        running = crawl.start(self._folder / str(len(self.all)))
        self.all.append(running)
        return running

    def finish(self) -> list[Crawled]:
        return [running.wait(LIMIT_S) for running in self.all]

    def pages(self) -> list[int]:
        """How many each process has had so far."""
        return [running.events.read_text().count('"what": "page"') for running in self.all]

    def told(self, text: str) -> list[int]:
        """How often it is in the log of each process."""
        return [(running.events.parent / "crawl.log").read_text().count(text) for running in self.all]


@contextmanager
def job(hosts: dict[str, Host], frontier: str, workers: int, **settings: Any) -> Iterator[tuple[Job, Servers]]:
    with Servers(hosts) as servers, tempfile.TemporaryDirectory() as folder:
        job = Job(servers, list(hosts), frontier, Path(folder), **settings)
        for _ in range(workers):
            job.start()
        yield job, servers


def delayed(
    count: int, pages: int, least_s: float, most_s: float, latency_s: float = 0.0, mixed: tuple[str, ...] = ()
) -> dict[str, Host]:
    delays = [least_s + (most_s - least_s) * n / max(count - 1, 1) for n in range(count)]
    robots = [f"User-agent: *\nCrawl-delay: {delay_s:.2f}\n" if delay_s else "" for delay_s in delays]
    return {
        host: Host(text, latency_s, tree=pages, mixed=mixed)
        for host, text in zip(addresses(count), robots, strict=True)
    }


def delay_of(host: Host) -> float:
    return float(str(host.robots).rpartition(":")[2] or 0)


def looked_at(
    name: str, hosts: dict[str, Host], hits: list[Hit], *, most_again: int = 0, most_robots: int = 0, times: int = 1
) -> bool:
    """Whether every page was fetched (by each of so many jobs), none more often than may be, and no gap is below its
    host's delay; each robots.txt once, and `most_robots` in all once more."""
    wanted = tree_requests(hosts)
    for path in wanted:
        wanted[path] *= times
    found = Counter(hit.host + hit.path for hit in hits)
    robots = sum(found.pop(f"{host}/robots.txt", 0) for host in hosts)
    gaps: dict[str, list[float]] = defaultdict(list)
    for hit in hits:
        gaps[hit.host].append(hit.at)
    undercut = min(
        (after - before - delay_of(hosts[host]) for host, at in gaps.items() for before, after in pairwise(at)),
        default=0.0,
    )
    missing = {path: number for path, number in (wanted - found).items() if not posted(path)}
    again = found - wanted
    good = verdict(not missing, f"{name}: {sum(missing.values()):,} of {wanted.total():,} requests missing")
    good &= verdict(again.total() <= most_again, f"{name}: {again.total():,} sent again, at most {most_again:,}")
    good &= verdict(not any(map(posted, again)), f"{name}: {sum(map(posted, again))} POSTs sent again")
    good &= verdict(
        len(hosts) <= robots <= len(hosts) + most_robots, f"{name}: {robots} fetches of {len(hosts)} robots.txt"
    )
    return good & verdict(
        undercut >= -CLOCK_S, f"{name}: the gap nearest to its delay is {1000 * undercut:+.1f} ms of it"
    )


def posted(path: str) -> bool:
    return "/post/" in path


def wait_for(events: Callable[[], int], number: int) -> None:
    deadline = time.monotonic() + LIMIT_S
    while events() < number:
        if time.monotonic() > deadline:
            raise SystemExit("it has not come so far in time")
        time.sleep(0.1)


# Every page once, at each host's pace


def row_pages(seed: int, clocks_ahead_s: Sequence[float] = (0, 0, 0, 0), name: str = "pages") -> bool:
    hosts = delayed(40, 1_600, 0.2, 2.0, mixed=ALL_KINDS)
    with RedisServer(persistence="aof") as server, job(hosts, server.url, 0) as (crawl, servers):
        began = time.monotonic()
        for ahead_s in clocks_ahead_s:
            crawl.start(ahead_s)
        crawled = crawl.finish()
        took_s = time.monotonic() - began
        hits = servers.hits()
    good = looked_at(name, hosts, hits)
    shares = sorted(len(one.pages) for one in crawled)
    last = max(hit.at for hit in hits)
    late_s = max((one.ended_at or 0.0) - last for one in crawled)
    print(f"{name}: {took_s:.1f} s, {len(hits):,} requests, pages by process {shares}")
    return good & verdict(0 <= late_s <= 2 * LEASE_S, f"{name}: all have ended {late_s:.1f} s after the last page")


def row_clocks(seed: int) -> bool:
    return row_pages(seed, (0, 60, -60, 0), "clocks")


def row_jobs(seed: int) -> bool:
    hosts = delayed(1, 40, 1.0, 1.0)
    with RedisServer() as server, Servers(hosts) as servers, tempfile.TemporaryDirectory() as folder:
        jobs = [Job(servers, list(hosts), server.url, Path(folder), name) for name in ("news", "shops")]
        for one in (*jobs, *jobs):
            one.start()
        for one in jobs:
            one.finish()
        hits = servers.hits()
    return looked_at("jobs", hosts, hits, times=2)


def row_robots(seed: int) -> bool:
    chance, latency_s = random.Random(seed), 0.3
    good = True
    for kills in (0, 4):
        hosts = delayed(200, 800, 0, 0, latency_s)
        killed: list[float] = []
        with RedisServer() as server, job(hosts, server.url, 4) as (crawl, servers):
            for _ in range(kills):
                at = sum(crawl.pages()) + chance.randint(5, 40)
                wait_for(lambda at=at: sum(crawl.pages()), at)  # type: ignore[misc]
                killed.append(chance.choice([one for one in crawl.all if one.process.poll() is None]).kill())
                crawl.start()
            crawl.finish()
            hits = servers.hits()
        # What was being fetched when one was killed, by whomever.
        fetched = [hit.at for hit in hits if hit.path == "/robots.txt"]
        cut_off = sum(kill - latency_s < at <= kill for kill in killed for at in fetched)
        again = kills * CONCURRENCY
        good &= looked_at(f"robots, {kills} kills", hosts, hits, most_again=again, most_robots=cut_off)
    return good


def row_end(seed: int) -> bool:
    import redis

    hosts, hold_s = delayed(8, 80, 0, 0), 30.0
    with RedisServer() as server, job(hosts, server.url, 4, hold_s=hold_s) as (crawl, servers):
        crawled = crawl.finish()
        hits = servers.hits()
        keys = redis.Redis(port=server.port).scan_iter("polite:{job:bench}:*")
        kinds = {key.decode().partition("}:")[2].partition(":")[0] for key in keys}
    good = looked_at("end", hosts, hits)
    last = max(event["at"] for one in crawled for event in one.pages)
    ends_s = [(one.ended_at or 0.0) - last for one in crawled]
    held_s = last - hits[-1].at
    good &= verdict(
        held_s >= hold_s / 2 and min(ends_s) >= 0 and max(ends_s) <= 2 * LEASE_S,
        f"end: a callback went on for {held_s:.1f} s after the last request; all ended {max(ends_s):.1f} s later",
    )
    left = kinds & {"w", "own", "open", "h", "q", "t", "hungry"}
    return good & verdict(not left, f"end: keys of processes, hosts and requests that are left: {left or 'none'}")


# What is done to processes


def row_kill(seed: int) -> bool:
    import redis

    chance, kills = random.Random(seed), 20
    hosts = delayed(20, 4_000, 0, 0, 0.2, mixed=("post",))
    with RedisServer(persistence="aof") as server, job(hosts, server.url, 3) as (crawl, servers):
        killed = 0
        while killed < kills:
            at = sum(crawl.pages()) + chance.randint(40, 240)
            wait_for(lambda at=at: sum(crawl.pages()), at)  # type: ignore[misc]
            alive = [running for running in crawl.all if running.process.poll() is None]
            if not alive:
                break
            chance.choice(alive).kill()
            killed += 1
            crawl.start()
        crawl.finish()
        hits = servers.hits()
        written = redis.Redis(port=server.port).lrange("polite:{job:bench}:aside", 0, -1)
    good = looked_at("kill", hosts, hits, most_again=killed * CONCURRENCY, most_robots=len(hosts))
    posts = {path for path in tree_requests(hosts) if posted(path)}
    unsent = posts - {hit.host + hit.path for hit in hits}
    places = [urlsplit(letter_of(letter, Codec(), Spider()).url) for letter in written]
    aside = {f"{place.hostname}{place.path}" for place in places}
    good &= verdict(
        unsent <= aside <= posts,
        f"kill: of {len(posts)} POSTs {len(aside)} were set aside, {len(unsent)} of them not sent; no other is lost",
    )
    return good & verdict(killed == kills, f"kill: {killed} kills of {kills}")


def row_sleep(seed: int) -> bool:
    hosts = delayed(24, 960, 0.2, 0.6)
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        wait_for(lambda: sum(crawl.pages()), 150)
        crawl.all[0].process.send_signal(signal.SIGSTOP)
        time.sleep(2.5 * LEASE_S)
        crawl.all[0].process.send_signal(signal.SIGCONT)
        crawl.finish()
        hits = servers.hits()
    return looked_at("sleep", hosts, hits, most_again=CONCURRENCY)


def row_join(seed: int) -> bool:
    hosts = delayed(60, 3_000, 0.5, 0.5)
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        wait_for(lambda: sum(crawl.pages()), 1_000)
        before = crawl.pages()
        joined = time.monotonic()
        crawl.start()
        crawled = crawl.finish()
        hits = servers.hits()
    good = looked_at("join", hosts, hits)
    mean = sum(before) / len(before)
    good &= verdict(all(0.75 * mean <= n <= 1.25 * mean for n in before), f"join: shares of three processes {before}")
    window = (joined + 15, joined + 25)
    rates = [sum(window[0] < event["at"] < window[1] for event in one.pages) for one in crawled]
    share = rates[-1] / max(sum(rates), 1)
    return good & verdict(
        0.19 <= share <= 0.31, f"join: 15 s later the fourth has {share:.0%} of what is fetched {rates}"
    )


# What is done to the server


def row_restart(seed: int) -> bool:
    good = True
    for name, most_again in (("append-only file", 0), ("older snapshot", 960), ("failover", 0)):
        hosts = delayed(24, 960, 0.2, 0.6)
        with ExitStack() as stack:
            if name == "failover":
                url, strike = stack.enter_context(failing_over())
            else:
                server = stack.enter_context(RedisServer(persistence="aof" if most_again == 0 else "rdb"))
                url, strike = server.url, lambda server=server: server.restart(orderly=False)  # type: ignore[misc]
            crawl, servers = stack.enter_context(job(hosts, url, 3, POLITE_LEASE=30))
            wait_for(lambda crawl=crawl: sum(crawl.pages()), 150)  # type: ignore[misc]
            if most_again:
                server.ask("SAVE")
            wait_for(lambda crawl=crawl: sum(crawl.pages()), 300)  # type: ignore[misc]
            struck_at = time.monotonic()
            strike()
            crawl.finish()
            hits = servers.hits()
        good &= looked_at(f"restart, {name}", hosts, hits, most_again=most_again)
        still_s = max(after.at - before.at for before, after in pairwise(hits) if after.at > struck_at)
        good &= verdict(still_s <= 31, f"restart, {name}: nothing was sent for {still_s:.1f} s, at most a lease (30 s)")
    return good


def row_hang(seed: int) -> bool:
    hosts = delayed(24, 1_200, 0.2, 0.6)
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        wait_for(lambda: sum(crawl.pages()), 150)
        stopped_at = time.monotonic()
        server.stop()
        time.sleep(30)
        server.cont()
        back_at = time.monotonic()
        crawl.finish()
        hits = servers.hits()
    during = [hit.at - stopped_at for hit in hits if stopped_at < hit.at < back_at]
    first_s = min(hit.at for hit in hits if hit.at >= back_at) - back_at
    good = looked_at("hang", hosts, hits)
    good &= verdict(max(during, default=0.0) <= LEASE_S, f"hang: the last left after {max(during, default=0.0):.2f} s")
    return good & verdict(first_s <= 2, f"hang: the first left {first_s:.2f} s after its return")


def row_memory(seed: int) -> bool:
    import redis

    hosts = delayed(24, 1_200, 0.2, 0.6)
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        client = redis.Redis(port=server.port)
        wait_for(lambda: sum(crawl.pages()), 600)
        client.config_set("maxmemory", 1_000_000)
        full_at = time.monotonic()
        time.sleep(10)
        client.config_set("maxmemory", 0)
        crawl.finish()
        hits = servers.hits()
        said = crawl.told("it is out of memory")
    during = sum(full_at + 3 < hit.at < full_at + 10 for hit in hits)
    good = looked_at("memory", hosts, hits)
    print(f"memory: {during} requests left while it was full")
    return good & verdict(max(said) <= 2 and any(said), f"memory: told {said} times by the processes' queue and store")


def row_replies(seed: int) -> bool:
    hosts = delayed(24, 1_200, 0.1, 0.3)
    with (
        RedisServer() as server,
        Proxy(server, drop_every=10) as proxy,
        job(hosts, proxy.url, 3, POLITE_LEASE=10) as (crawl, servers),
    ):
        crawl.finish()
        hits, dropped = servers.hits(), proxy.dropped
    good = looked_at("replies", hosts, hits)
    return good & verdict(dropped >= 20, f"replies: {dropped} were lost, one in ten")


ROWS: dict[str, Callable[[int], bool]] = {
    name.removeprefix("row_"): function for name, function in list(globals().items()) if name.startswith("row_")
}
