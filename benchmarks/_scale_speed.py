"""How fast crawls with one queue on a server are: rows of `scale_out.py`, with scrapy-redis beside ours.

The machine has few cores, and other work. So what is compared runs at the same time, on as many processes: noise hits
both. Speeds are compared where pages take their time, so that cores are not all used; where they are, CPU is compared.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from _crawls import verdict
from _page_server import served
from _scale_server import server_cpu_s

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from redis_server import Proxy, RedisServer  # noqa: E402

LIMIT_S = 300.0
#: A crawl with scrapy-redis does not end by itself.
THEIR_LIMIT_S = 40.0
RUNS = 3
ROUND_TRIPS_MS = (0, 5)
WORKERS = (1, 2, 4, 8)
PAGES_EACH = 1_000

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


def ours(url: str) -> dict[str, Any]:
    queue = {"POLITE_FRONTIER": url, "POLITE_JOB": "bench"} if url else {}
    return (
        COMMON
        | queue
        | {
            "ADDONS": {"scrapy_polite.Addon": 300},
            "POLITE_TRAPS": "off",
            "POLITE_DUPLICATES": "off",
            "POLITE_SUMMARY": False,
        }
    )


def theirs(url: str) -> dict[str, Any]:
    return COMMON | {
        "SCHEDULER": "scrapy_redis.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy_redis.dupefilter.RFPDupeFilter",
        "REDIS_URL": url,
        "SCHEDULER_IDLE_BEFORE_CLOSE": 1,
        "CLOSESPIDER_TIMEOUT_NO_ITEM": 0,
        "ROBOTSTXT_OBEY": False,
    }


def site(hosts: int, pages: int, links: int, latency_s: float = 0.0) -> list[str]:
    return [str(HERE / "_link_server.py"), *map(str, (hosts, pages, links, 8_000, latency_s))]


def crawled(crawls: Sequence[tuple[dict[str, Any], int]], limit_s: float = LIMIT_S) -> list[dict[str, Any]]:
    """What processes of `_scale_spider.py` say at their end, each with its settings and the port of its site. Those of
    scrapy-redis have no end, and are interrupted."""
    with tempfile.TemporaryDirectory() as folder:
        running = [
            subprocess.Popen(
                [sys.executable, str(HERE / "_scale_spider.py"), json.dumps(settings), f"http://127.0.0.1:{port}/0"],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                cwd=folder,
            )
            for settings, port in crawls
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


def rate(said: Sequence[dict[str, Any]]) -> float:
    had = [one for one in said if one["pages"]]
    if not had:
        return 0.0
    took_s = max(one["last_at"] for one in had) - min(one["first_at"] for one in had)
    return sum(one["pages"] for one in had) / took_s


def row_latency(seed: int) -> bool:
    """Crawls without and with latency of the queue at the same time, and one whose queue is in memory."""
    del seed
    pages, links, page_s = 2_000, 30, 0.4
    ratios, held = [], []
    settings: list[Callable[[str], dict[str, Any]]] = [ours] * RUNS + [theirs]
    for settings_of in settings:
        with ExitStack() as stack:
            port = stack.enter_context(served(site(8, pages, links, page_s)))
            servers = [stack.enter_context(RedisServer()) for _ in ROUND_TRIPS_MS]
            proxies = [
                stack.enter_context(Proxy(server, delay_s=ms / 2_000))
                for server, ms in zip(servers, ROUND_TRIPS_MS, strict=True)
            ]
            urls = [proxy.url for proxy in proxies] + ([""] if settings_of is ours else [])
            limit_s = LIMIT_S if settings_of is ours else THEIR_LIMIT_S
            said = crawled([(settings_of(url), port) for url in urls], limit_s)
        rates = [rate([one]) for one in said]
        if settings_of is ours:
            ratios.append(rates[1] / rates[0])
            held.append(said[1]["held_s"] - said[2]["held_s"])
        names = [f"{ms} ms of round trip" for ms in ROUND_TRIPS_MS] + ["queue in memory"]
        print(
            f"latency: {'scrapy-polite' if settings_of is ours else 'scrapy-redis'}: "
            + "; ".join(
                f"{name}: {pace:.1f} pages/s, loop held {1000 * one['held_s']:.1f} ms at the most, "
                f"{1000 * one['usually_held_s']:.1f} but for one time in a thousand"
                for name, pace, one in zip(names, rates, said, strict=False)
            ),
            flush=True,
        )
    good = verdict(median(ratios) >= 0.95, f"latency: {median(ratios):.3f} of the speed without it, at least 0.95")
    return good & verdict(
        1000 * median(held) <= 5,
        f"latency: the loop was held for {1000 * median(held):+.1f} ms more than with the queue in memory, at most 5",
    )


def row_workers(seed: int) -> bool:
    """So many processes on one job, and as many at the same time that have a job each: what sharing costs."""
    del seed
    good = True
    for workers in WORKERS:
        efficiencies = []
        for _ in range(RUNS):
            with ExitStack() as stack:
                shared, *single = [stack.enter_context(RedisServer()) for _ in range(1 + workers)]
                port = stack.enter_context(served(site(16, workers * PAGES_EACH, 25)))
                ports = [stack.enter_context(served(site(16, PAGES_EACH, 25))) for _ in single]
                before = {server: server_cpu_s(server) for server in (shared, *single)}
                said = crawled(
                    [(ours(shared.url), port)] * workers
                    + [(ours(server.url), port) for server, port in zip(single, ports, strict=True)]
                )
                used = {server: server_cpu_s(server) - before[server] for server in before}
            together, apart = said[:workers], said[workers:]
            cost, cost_apart = (
                sum(one["cpu_s"] for one in those) / sum(one["pages"] for one in those) for those in (together, apart)
            )
            pages = workers * PAGES_EACH
            server_s, server_apart_s = used[shared] / pages, sum(used[server] for server in single) / pages
            efficiencies.append((cost_apart + server_apart_s) / (cost + server_s))
            print(
                f"workers: {workers} on one job {rate(together):.0f} pages/s, {1e3 * cost:.2f} ms of CPU a page and "
                f"{1e6 * server_s:.0f} µs of the server; a job each {rate(apart):.0f} pages/s, "
                f"{1e3 * cost_apart:.2f} ms and {1e6 * server_apart_s:.0f} µs",
                flush=True,
            )
        good &= verdict(
            median(efficiencies) >= 0.9, f"workers: {workers}: efficiency {median(efficiencies):.3f}, at least 0.9"
        )
    for workers in WORKERS[:3]:
        with RedisServer() as server, served(site(16, workers * PAGES_EACH, 25)) as port:
            before_s = server_cpu_s(server)
            said = crawled([(theirs(server.url), port)] * workers, THEIR_LIMIT_S)
            had = sum(one["pages"] for one in said)
            print(
                f"workers: {workers} of scrapy-redis {rate(said):.0f} pages/s, "
                f"{1e3 * sum(one['cpu_s'] for one in said) / max(had, 1):.2f} ms of CPU a page and "
                f"{1e6 * (server_cpu_s(server) - before_s) / max(had, 1):.0f} µs of the server",
                flush=True,
            )
    return good


ROWS = {"latency": row_latency, "workers": row_workers}
