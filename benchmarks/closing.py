"""How long a spider takes to close while requests wait for a robots.txt that hangs, and what is fetched meanwhile.

Twenty requests to one origin, DOWNLOAD_TIMEOUT 5 s (180 s by default), closed after half a second; Scrapy's own
robots.txt middleware and the add-on, in every loop mode; medians of three runs.

    python benchmarks/closing.py

Exits with 1 if the add-on takes more than half a second, or fetches anything.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from crawls import LOOP_SETTINGS, crawl
from webserver import Answer, Origin

LIMIT_S = 0.5
RUNS = 3
COMMON: dict[str, Any] = {"DOWNLOAD_TIMEOUT": 5, "RETRY_ENABLED": True}
KINDS: dict[str, dict[str, Any]] = {
    "stock": COMMON | {"ADDONS": {}, "ROBOTSTXT_OBEY": True},
    "add-on": COMMON | {"POLITE_WAIT_MAX": 60},
}


def main() -> int:
    failed = False
    print(f"{'':<12} {'':<7} {'closing, s':>10} {'pages fetched':>14}")
    for loop_mode in LOOP_SETTINGS:
        for kind, settings in KINDS.items():
            times, pages = [], 0
            for _ in range(RUNS):
                with Origin({"/robots.txt": Answer(delay_s=60)}) as site:
                    urls = [f"{site.url}/{number}" for number in range(20)]
                    crawled = crawl(loop_mode, urls, settings, close_after_s=0.5, timeout_s=120)
                times.append(crawled.closing_s or 0.0)
                pages += len(site.pages())
            taken_s = statistics.median(times)
            failed |= kind == "add-on" and (taken_s > LIMIT_S or pages > 0)
            print(f"{loop_mode:<12} {kind:<7} {taken_s:>10.3f} {pages / RUNS:>14.0f}", flush=True)
    print(f"\n{'NOT ' if failed else ''}ok   the add-on closes within {LIMIT_S} s and fetches nothing more")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
