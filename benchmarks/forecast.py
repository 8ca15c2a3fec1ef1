"""How near a forecast comes to what happens, and how early a limit that cannot be met is told.

24 hosts on loopback, with delays of 0.1 to 2 s (`Crawl-delay`), answers after 20 ms, queues that take 20 to 60 s. All
requests are queued at once. The forecast is asked for from outside, of the snapshots of the run record: for each host
at a quarter of its time, when it will be done; its error is a share of the time that it still took. A second crawl
has `CLOSESPIDER_TIMEOUT` 20 s, a host with a budget and one whose visiting hours are soon over: when was it told?

    python benchmarks/forecast.py [--quick]

A third crawl has requests queued for 100,000 hosts: how long does a snapshot hold the loop, and a step between two?

Exits with 1 if the forecast of fewer than 90 % of the hosts is within 15 %, a warning came after more than 5 % of the
time until its limit, or one in twenty snapshots or steps takes more than 10 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from scrapy_polite.runs.forecast import standing_of
from scrapy_polite.runs.records import Page, Unmet
from scrapy_polite.runs.run import Run, RunError, find_run

HOSTS = 24
LATENCY_S = 0.02
QUARTER, WITHIN, ENOUGH, EARLY = 0.25, 0.15, 0.9, 0.05
TIMEOUT_S = 20.0
MANY_HOSTS, HELD_S = 100_000, 0.01
DAY_S = 86_400
SETTINGS: dict[str, Any] = {
    "ADDONS": {"scrapy_polite.Addon": 300},
    "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "CONCURRENT_REQUESTS": 64,
    "POLITE_STORE": "memory",
    "POLITE_TRAPS": "off",
    "POLITE_RUN_REPORT": False,
    "POLITE_MAX_IDLE": 60,
}


@contextmanager
def server(robots: Mapping[str, str]) -> Iterator[int]:
    """One server for all addresses; `robots` is the text of each host's robots.txt."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            host = self.headers["Host"].partition(":")[0]
            time.sleep(LATENCY_S)
            body = robots.get(host, "") if self.path == "/robots.txt" else "<p>A page.</p>"
            self.send_response(200)
            self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *args: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

    made = Server(("0.0.0.0", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    try:
        yield made.server_port
    finally:
        made.shutdown()
        made.server_close()


def crawl() -> None:
    """In a process of its own: queue all at once, from the callback of one page."""
    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.utils.asyncio import call_later

    from scrapy_polite import clock
    from scrapy_polite._crawl import shared
    from scrapy_polite.monitor import record
    from scrapy_polite.monitor.queues import Queues
    from scrapy_polite.monitor.snapshot import Snapshots

    task = json.load(sys.stdin)
    made = record.RunWriter.__init__
    record.RunWriter.__init__ = lambda self, files, failed: made(self, files, failed, 0.25)  # type: ignore[method-assign, assignment, misc]

    class Spider(scrapy.Spider):
        name = "queues"

        async def start(self) -> Any:
            yield scrapy.Request("data:,", self.parse)

        def parse(self, response: Any) -> Any:
            for url in task["urls"]:
                yield scrapy.Request(url, self.page)

        def page(self, response: Any) -> None:
            pass

    class Many(Spider):
        """Has a request queued for each of so many hosts, and looks how long a snapshot holds the loop then."""

        def parse(self, response: Any) -> Any:
            for number in range(task["hosts"]):
                yield scrapy.Request(f"http://{number}.invalid/", self.page, errback=lambda failure: None)
            call_later(1.0, self.measure)

        def measure(self) -> None:
            queues, snapshots = shared(self.crawler, Queues), Snapshots(self.crawler)
            taken_s = {"step": [_seconds(lambda: queues.step(clock.now())) for _ in range(500)]}
            taken_s |= {"look ahead": [], "snapshot": []}
            for _ in range(50):
                taken_s["look ahead"].append(_seconds(snapshots.look_ahead))
                taken_s["snapshot"].append(_seconds(snapshots.taken))
            print(json.dumps(taken_s | {"bytes": len(snapshots.taken())}), flush=True)
            os._exit(0)

    process = AsyncCrawlerProcess(SETTINGS | task["settings"])
    process.crawl(Many if task["hosts"] else Spider)
    process.start()


def _seconds(function: Callable[[], object]) -> float:
    began = time.perf_counter()
    function()
    return time.perf_counter() - began


def print_held(hosts: int) -> bool:
    """How long a snapshot and a step between two of them hold the loop; whether no longer than they may."""
    settings = {
        "CONCURRENT_REQUESTS": 1,
        "POLITE_SITES": {"*": {"robots": "never", "delay": 20}},
        "LOG_ENABLED": False,
    }
    with tempfile.TemporaryDirectory() as name:
        task = json.dumps({"urls": [], "settings": settings, "hosts": hosts})
        command = [sys.executable, __file__, "--crawl"]
        done = subprocess.run(command, cwd=name, input=task, capture_output=True, text=True, check=True, timeout=300)
    found = json.loads(done.stdout.splitlines()[-1])
    for kind in ("step", "look ahead", "snapshot"):
        times = sorted(found[kind])
        print(
            f"{hosts:,} hosts, a {kind}: median {1e3 * times[len(times) // 2]:.1f} ms, longest {1e3 * times[-1]:.1f} ms"
        )
    print(f"{hosts:,} hosts, a snapshot: {found['bytes']:,} bytes")
    return max(sorted(found[kind])[int(0.95 * len(found[kind]))] for kind in ("step", "snapshot")) <= HELD_S


@contextmanager
def crawling(urls: list[str], settings: Mapping[str, Any], folder: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, __file__, "--crawl"]
    with subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"urls": urls, "settings": dict(settings), "hosts": 0}))
        process.stdin.close()
        yield process


def run_in(folder: Path) -> Run | None:
    try:
        return find_run(folder / ".scrapy" / "polite" / "runs", None)
    except RunError:
        return None


def urls_of(counts: Mapping[str, int], port: int) -> list[str]:
    urls = [
        (number / count, f"http://{host}:{port}/{number}") for host, count in counts.items() for number in range(count)
    ]
    return [url for _, url in sorted(urls)]


def errors(scale: float) -> dict[str, float]:
    """By host the error of its forecast at a quarter of its time."""
    rng = random.Random(17)
    delays = {f"127.0.1.{number}": round(rng.uniform(0.1, 2.0), 2) for number in range(1, HOSTS + 1)}
    counts = {
        host: max(int(scale * rng.uniform(20, 60) / (delay * 1.05 + LATENCY_S)), 8) for host, delay in delays.items()
    }
    told: dict[str, list[tuple[float, float]]] = {host: [] for host in delays}
    robots = {host: f"User-agent: *\nCrawl-delay: {delay}\n" for host, delay in delays.items()}
    with server(robots) as port, tempfile.TemporaryDirectory() as name:
        with crawling(urls_of(counts, port), {}, Path(name)) as process:
            while process.poll() is None:
                time.sleep(0.2)
                run = run_in(Path(name))
                standing = standing_of(run, time.time()) if run is not None else None
                for host in standing.hosts if standing is not None else ():
                    told[host.host].append((standing.at, host.ends_at(standing.at)))  # type: ignore[union-attr]
        run = run_in(Path(name))
        assert run is not None
        began, ended = _spans(run)
    found = {}
    for host, forecasts in told.items():
        quarter = began[host] + QUARTER * (ended[host] - began[host])
        at, ends_at = min(forecasts, key=lambda one: abs(one[0] - quarter))
        found[host] = abs(ends_at - ended[host]) / (ended[host] - at)
    return found


def _spans(run: Run) -> tuple[dict[str, float], dict[str, float]]:
    """When each host's first page left, and its last was answered."""
    began: dict[str, float] = {}
    ended: dict[str, float] = {}
    for record in run.workers[0].records():
        if isinstance(record, Page):
            host = record.origin.partition("://")[2].partition(":")[0]
            began.setdefault(host, record.at)
            ended[host] = max(record.at + record.seconds, ended.get(host, 0.0))
    return began, ended


def warnings() -> dict[str, tuple[float, float]]:
    """By setting after how many seconds the warning came, and how many there were until the limit."""
    slow, spends, visits = "127.0.2.1", "127.0.2.2", "127.0.2.3"
    now = time.time()
    closes = time.gmtime(now + 180)
    opened = time.gmtime(now - 3_600)
    hours = f"{opened.tm_hour:02}{opened.tm_min:02}-{closes.tm_hour:02}{closes.tm_min:02}"
    robots = {
        slow: "User-agent: *\nCrawl-delay: 1\n",
        spends: "User-agent: *\nCrawl-delay: 0.2\n",
        visits: f"User-agent: *\nCrawl-delay: 1\nVisit-time: {hours}\n",
    }
    settings = {
        "CLOSESPIDER_TIMEOUT": TIMEOUT_S,
        "POLITE_SITES": {spends: {"budget": {"pages": 50, "per": "week"}}},
    }
    with server(robots) as port, tempfile.TemporaryDirectory() as name:
        with crawling(urls_of({slow: 100, spends: 200, visits: 400}, port), settings, Path(name)) as process:
            process.wait(60)
        run = run_in(Path(name))
        assert run is not None
        told = [record for record in run.workers[0].records() if isinstance(record, Unmet)]
    return {record.setting: (record.at - run.started, record.until - run.started) for record in told}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="queues a fifth as long: to try it")
    parser.add_argument("--crawl", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.crawl:
        crawl()
        return 0
    found = sorted(errors(0.2 if options.quick else 1.0).values())
    share = sum(error <= WITHIN for error in found) / len(found)
    print(f"forecast at a quarter of the way, {len(found)} hosts: {share:.0%} within {WITHIN:.0%} of the time left")
    print(f"  error: median {found[len(found) // 2]:.1%}, largest {found[-1]:.1%}")
    told = warnings()
    for setting, (after_s, limit_s) in told.items():
        print(f"warning for {setting}: after {after_s:.1f} s of {limit_s:.0f} s ({after_s / limit_s:.1%})")
    early = {"CLOSESPIDER_TIMEOUT", "POLITE_SITES", "Visit-time"} <= told.keys()
    early = early and all(after_s <= EARLY * limit_s for after_s, limit_s in told.values())
    is_short = print_held(MANY_HOSTS // 10 if options.quick else MANY_HOSTS)
    return 0 if share >= ENOUGH and early and is_short else 1


if __name__ == "__main__":
    sys.exit(main())
