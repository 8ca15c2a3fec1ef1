"""What the report of a long run takes: a run of a million requests is written and read, each in a process of its own.

    python benchmarks/run_report.py [--pages 1000000]

Exits with 1 if the report takes more than 60 s or 300 MB, or a request more than 120 bytes on disk.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scrapy_polite.runs.files import new_worker
from scrapy_polite.runs.records import Page, written
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import open_run
from scrapy_polite.runs.writer import RunWriter

LIMIT_S, LIMIT_MB, LIMIT_BYTES = 60.0, 300.0, 120.0
HOSTS, PAGES_A_SECOND = 999, 50
STARTED = 1_700_000_000.0


def _write(root: Path, pages: int) -> None:
    errors: list[OSError] = []
    writer = RunWriter(new_worker(root, "bench", STARTED), errors.append)
    writer.begin({"format": 1, "spider": "bench", "started": STARTED}, 1e9, 1e12)
    for n in range(pages):
        origin = f"https://shop-{n * 31 % HOSTS}.example"
        url = f"{origin}/articles/{n * 7919 % 1_000_003}/page-{n}"
        at, took_s = STARTED + n / PAGES_A_SECOND, 0.1 + n % 977 / 1_000
        asked = (2.0, "Crawl-delay", 1.5)
        page = Page(
            at, url, origin, 200, took_s, took_s / 2, 1_000 + n * 31 % 9_973, *asked, "fresh", "00ff00ff00ff00ff", 0
        )
        writer.add(written(page))
        if n % (3 * PAGES_A_SECOND) == 0:
            writer.hand_over()
    writer.hand_over(json.dumps({"at": STARTED + pages / PAGES_A_SECOND, "reason": "finished"}), last=True)
    writer.closed.result()
    if errors:
        raise errors[0]


def _read(root: Path) -> None:
    began = time.monotonic()
    found = report(open_run(next(root.glob("bench/*"))))
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(json.dumps([found["pages"]["sent"], time.monotonic() - began, rss_mb]))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        _write(options.write, options.pages)
        return 0
    if options.read:
        _read(options.read)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, os.path.abspath(__file__), "--pages", str(options.pages)]
        subprocess.run([*command, "--write", folder], check=True)
        run = subprocess.run([*command, "--read", folder], check=True, capture_output=True)
        pages, seconds, rss_mb = json.loads(run.stdout)
        size = sum(path.stat().st_size for path in Path(folder).rglob("*.gz")) / options.pages
    print(f"{pages:,} requests: report in {seconds:.1f} s (limit {LIMIT_S:g}), {rss_mb:.0f} MB (limit {LIMIT_MB:g})")
    print(f"on disk {size:.1f} bytes a request (limit {LIMIT_BYTES:g}), flushed every {3 * PAGES_A_SECOND} requests")
    return int(pages != options.pages or seconds > LIMIT_S or rss_mb > LIMIT_MB or size > LIMIT_BYTES)


if __name__ == "__main__":
    sys.exit(main())
