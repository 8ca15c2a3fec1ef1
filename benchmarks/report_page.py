"""How long a browser takes for the largest report: 1,000 hosts, 600 points of time, 120 examples with hostile text.

    tox exec -e browser -- python benchmarks/report_page.py [--times 9]

Chromium opens the file so many times, each in a new window with an empty cache; `loaded` is the time until its event
`load`, `seen` until something is painted, `sorted` until the hosts are painted in another order. Exits with 1 if the
file is larger than 400 KiB, the median of `loaded` more than 1 s, or the page asks for anything.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from browser_programs import chromium
from run_parts import large, write_run
from scrapy_polite.runs.html import html
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import open_run

LIMIT_KIB, LIMIT_S = 400.0, 1.0
TIMES = """() => [performance.getEntriesByType('navigation')[0].loadEventEnd,
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0]"""
PAINTED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


def _sorted_s(page: Page) -> float:
    began = time.monotonic()
    page.get_by_label("pages", exact=True).check()
    page.evaluate(PAINTED)
    return time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=9)
    options = parser.parse_args()
    requests: list[str] = []
    loaded, seen, sorted_ = [], [], []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "report.html")
        path.write_text(html(report(open_run(write_run(Path(folder), large()).folder))), encoding="utf-8")
        kib = path.stat().st_size / 1024
        browser = playwright.chromium.launch(executable_path=chromium())
        for _ in range(options.times):
            context = browser.new_context()
            page = context.new_page()
            page.on("request", lambda request: requests.append(request.url))
            page.goto(path.as_uri())
            page.evaluate(PAINTED)
            load_ms, paint_ms = page.evaluate(TIMES)
            loaded.append(load_ms / 1_000)
            seen.append(paint_ms / 1_000)
            sorted_.append(_sorted_s(page))
            context.close()
        version = browser.version
        browser.close()
    more = len(requests) - options.times
    print(f"Chromium {version}, {options.times} times: {kib:.0f} KiB (limit {LIMIT_KIB:g}), {more} requests beside it")
    for name, values in (("loaded", loaded), ("seen", seen), ("sorted", sorted_)):
        print(f"{name:<8}{median(values):>7.2f} s, at most {max(values):.2f} s")
    return int(kib > LIMIT_KIB or median(loaded) > LIMIT_S or more != 0)


if __name__ == "__main__":
    sys.exit(main())
