"""What a scrape of the metrics takes, and how soon an alert is at a webhook.

    python benchmarks/metrics.py [--runs 20] [--old 600] [--alerts 10]

First, as many spiders as `--runs` with a crawl under way each, whose snapshots are as large as they get (64 KiB, a new
one between two scrapes), beside `--old` runs that have ended. A scrape is a GET of what `scrapy polite metrics` serves,
in a process of its own; the first one reads all that it needs.

Then crawls with a webhook on this machine, one after another: of a host whose robots.txt fails, which an event tells,
and of one whose pages are 404, which is looked for every five seconds. From the answer that is the cause to the POST.

Exits with 1 if a scrape takes more than 200 ms, or an alert more than 10 s.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from scrapy_polite.decision import REASONS
from scrapy_polite.metrics.histogram import ANSWER_S, WAIT_S
from scrapy_polite.metrics.names import COUNTERS, GAUGES
from scrapy_polite.runs.files import MAX_SNAPSHOT_BYTES, WorkerFiles, replaced

LIMIT_MS, LIMIT_S = 200.0, 10.0
#: So long a crawl of 404 has something to wait for.
HANGS_S = 8.0
#: So long ago the runs that have ended did, an hour before the others began.
_ENDED_S = 7_200.0
_PROJECT = {"scrapy.cfg": "[settings]\ndefault = shop\n", "shop.py": 'BOT_NAME = "shop"\n'}


def _snapshot(count: int, reason: str | None) -> str:
    """With every label that there is, and hosts up to the size that a crawl writes at most."""
    at = time.time() - (_ENDED_S if reason is not None else 0.0)
    says: dict[str, Any] = {"at": round(at, 3), "reason": reason}
    for metric in (*COUNTERS, *GAUGES):
        place = says
        for key in metric.path[:-1]:
            place = place.setdefault(key, {})
        bounds = {True: ANSWER_S, False: WAIT_S}[metric.bounds == ANSWER_S]
        one: Any = {"le": bounds, "counts": [count] * (len(bounds) + 1), "sum": count} if metric.bounds else count
        place[metric.path[-1]] = dict.fromkeys(metric.values, one) if metric.label else one
    says["pages"]["answered"] = {"200": count, "404": 3, "503": 1, "0": 2}
    says["refused"] = dict.fromkeys(list(REASONS)[:20], count)
    says["queues"] = {"queued": 6_000, "count": 60, "hosts": [], "times": [[1.0, 60]]}
    for number in range(60):
        host = {"host": f"shop-{number}.example", "queued": 100, "pace_s": 2.0, "pace_source": "Crawl-delay"}
        says["queues"]["hosts"].append(host | {"state": "in turn", "reason": "pace/crawl-delay", "detail": ""})
    origins: dict[str, Any] = {}
    says["origins"] = origins
    room = MAX_SNAPSHOT_BYTES - len(json.dumps(says))
    one = {"sent": count, "refused": {"robots/disallow": 3}, "robots": "20 rules obeyed (HTTP 200)", "pace": "x" * 300}
    for number in range(room // (len(json.dumps(one)) + 40)):
        origins[f"https://shop-{number}.example"] = one
    return json.dumps(says)


def _write(root: Path, spider: str, run: str, count: int, reason: str | None = None) -> int:
    files = WorkerFiles(root / spider / run, run)
    if not files.folder.exists():
        files.folder.mkdir(parents=True)
        started = time.time() - (3_600 if reason is None else 86_400)
        replaced(files.head, json.dumps({"format": 1, "spider": spider, "started": started}))
    text = _snapshot(count, reason)
    replaced(files.snapshot, text)
    if reason is not None:
        os.utime(files.folder, (time.time() - _ENDED_S,) * 2)
    return len(text)


def _scrapes(runs: int, old: int, times: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _PROJECT.items():
            Path(folder, name).write_text(text)
        root = Path(folder, ".scrapy", "polite", "runs")
        size = max(_write(root, f"spider-{n}", "now", 1) for n in range(runs))
        for n in range(old):
            _write(root, f"spider-{n % runs}", f"old-{n}", n, "finished")
        command = [sys.executable, "-m", "scrapy", "polite", "metrics"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                address = process.stdout.readline().strip()
                took_ms = []
                for count in range(times):
                    began = time.perf_counter()
                    with urlopen(address) as answer:
                        body = answer.read()
                    took_ms.append((time.perf_counter() - began) * 1_000)
                    for n in range(runs):
                        _write(root, f"spider-{n}", "now", count)
            finally:
                process.terminate()
    series = sum(not line.startswith(b"#") for line in body.splitlines())
    first, *others = took_ms
    print(
        f"{runs} crawls under way, snapshots of {size:,} bytes, {old} runs that have ended; {series:,} series, "
        f"{len(body):,} bytes"
    )
    median, most = statistics.median(others), max(others)
    print(
        f"a scrape: {median:.0f} ms, {most:.0f} at most of {len(others)} (limit {LIMIT_MS:g}); the first: "
        f"{first:.0f} ms"
    )
    return median > LIMIT_MS


class _Server(ThreadingHTTPServer):
    """Answers `status` to GET, and takes POSTs. `cause_at` is when the answer went out that an alert is for: the last
    one before the first POST, or the hundredth for a page; `first_at` when the first did, `alert_at` when the alert
    came."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, status: int) -> None:
        self.status = status
        self.pages = 0
        self.first_at = self.cause_at = self.alert_at = 0.0
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        server = self.server
        if self.path == "/hangs":
            time.sleep(HANGS_S)
        self._answer(server.status)
        server.pages += self.path != "/robots.txt"
        server.first_at = server.first_at or time.monotonic()
        if not server.alert_at and (server.status == 503 or server.pages == 100):
            server.cause_at = time.monotonic()

    def do_POST(self) -> None:
        self.server.alert_at = self.server.alert_at or time.monotonic()
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer(200)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


_CRAWL = """
import sys
import scrapy
from scrapy.crawler import AsyncCrawlerProcess

class Spider(scrapy.Spider):
    name = "alerts"
    handle_httpstatus_all = True
    start_urls = [f"{sys.argv[1]}/{path}" for path in ("hangs", *range(100))]

settings = {
    "ADDONS": {"scrapy_polite.Addon": 300},
    "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
    "LOG_LEVEL": "CRITICAL",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "POLITE_STORE": "memory",
    "POLITE_GIVE_UP": 1,
    "POLITE_ALERT_WEBHOOK": sys.argv[1],
}
process = AsyncCrawlerProcess(settings)
process.crawl(Spider)
process.start()
"""


def _alerts(status: int, cause: str, times: int) -> bool:
    took_s, since_first_s = [], []
    for _ in range(times):
        server = _Server(status)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", _CRAWL, f"http://127.0.0.1:{server.server_port}"]
            subprocess.run(command, cwd=folder, check=True, timeout=120)
        server.shutdown()
        server.server_close()
        took_s.append(server.alert_at - server.cause_at)
        since_first_s.append(server.alert_at - server.first_at)
    print(
        f"{cause}: at the webhook {statistics.median(took_s):.3f} s after that answer, {max(took_s):.3f} at most of "
        f"{times} (limit {LIMIT_S:g}); {statistics.median(since_first_s):.1f} s after the first answer"
    )
    return not 0 <= max(took_s) <= LIMIT_S


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--old", type=int, default=600)
    parser.add_argument("--alerts", type=int, default=10)
    options = parser.parse_args()
    above = [
        _scrapes(options.runs, options.old, 21),
        _alerts(503, "a robots.txt fails for the third time", options.alerts),
        _alerts(404, "the hundredth page is a 404", options.alerts),
    ]
    return int(any(above))


if __name__ == "__main__":
    sys.exit(main())
