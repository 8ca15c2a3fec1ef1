"""Pages of up to 1 MB that are made to take long: how long each holds the event loop, with the add-on and without.

    python benchmarks/hostile_pages.py [--rounds 3]

A chain of pages that say nothing is suspected after some fifty, so that from then on each page is read whole, the
worst case; then come the hostile ones. The spider reads nothing of them, and asks for the next by number. What is
measured is the longest time for which a task that wants its turn every 2 ms got none, in ms, the least of so many
crawls. Exits with 1 if a page holds the loop for 100 ms longer than it does without the add-on, or a crawl does not get
to its end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from typing import Any

from _page_server import serve, served

MAX_BYTES = 1_000_000
LIMIT_MS = 100.0
TICK_S = 0.002
PLAIN_PAGES = 100


def _cut(text: str) -> bytes:
    return text.encode()[:MAX_BYTES]


def _many(text: str, count: int = 200_000) -> bytes:
    """A text with the number of its place, again and again, up to 1 MB."""
    return _cut("".join(text.format(at) for at in range(min(count, MAX_BYTES // max(len(text) - 2, 1)))))


HOSTILE: dict[str, bytes] = {
    "attributes": b"<a " + _many("a{}=1 ")[: MAX_BYTES - 20] + b"href=/x>x</a>",
    "data attributes": b"<a " + _many("data-a{0}=w{0} ")[: MAX_BYTES - 20] + b"href=/x>x</a>",
    "signs": b"<" * MAX_BYTES,
    "ends": b">" * MAX_BYTES,
    "comments without an end": _cut("<!--" * 250_000),
    "comments": _cut("<!---->" * 142_000),
    "scripts without an end": _cut("<script>" * 125_000),
    "one long word": b"<p>" + b"w" * (MAX_BYTES - 3),
    "words": _cut("<p>" + "word " * 200_000),
    "sentences": _cut("<p>" + ". " * 500_000),
    "numbers": _many("{} "),
    "list of numbers": _many("<li>{}</li>"),
    "cells": _many("<td class=x>{}</td>"),
    "pictures": _many("<img src=/p/{}.jpg>"),
    "links": _many("<a href=/q/{}?a=b>w{}</a>".replace("{}", "{0}")),
    "inline tags": _cut("<b>x</b>" * 125_000),
    "inline tags without an end": _cut("<span class=a" * 77_000),
    "quotes without an end": _cut('<a b="' * 166_000),
    "combining characters": _cut("<p>a" + "\u0301" * 499_000),
    "dates": _many("<p>{} November 2026"),
    "spaces": b" " * MAX_BYTES,
    "entities": _cut("<p>" + "&amp;" * 199_000),
    "names without an end": _cut(f"<p 1=1 {'data-' * 798}>" * 250),
    "hidden fields without an end": _cut("<input " + "type=hidden " * 83_000),
    "references without a value": _cut("<a " + "href " * 200_000),
    "a reference and spaces": _cut("<a href" + " " * 999_000),
    "values of one script": _cut("<script>" + "{a,1}," * 166_000),
    "values of one attribute": _cut("<p data-a='" + "a1," * 333_000),
    "comments that are markup": _cut("<!--</i>7-->" * 83_000),
    "CDATA": _cut("<![CDATA[a" * 100_000),
    "pictures in letters": _cut("<p>" + "🐶 ♞ " * 125_000),
    "grouped digits": _cut("<p>" + "1,000," * 166_000),
    "an encoding that is none": b"<p>" + bytes(range(0x80, 0xFF)) * 7_800,
    "a number without an end": _cut("<noscript>cookie &#" + "9" * 999_000),
}


def _page(number: int | None) -> tuple[bytes, bytes]:
    if number is None:
        return b"", b"text/plain"
    at = number - PLAIN_PAGES
    return b"<p>The same as ever.</p>" if at < 0 else list(HOSTILE.values())[at], b"text/html"


def _crawl(root: str, *, addon: bool) -> None:
    """Crawl, and print the longest pause at each page in ms."""
    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess

    pauses = [0.0] * (PLAIN_PAGES + len(HOSTILE))

    class Spider(scrapy.Spider):
        name = "hostile"
        at = 0

        async def start(self) -> Any:
            self.watch = asyncio.ensure_future(self.measure())
            yield scrapy.Request(f"{root}/p/0")

        async def measure(self) -> None:
            while True:
                begin = time.perf_counter()
                await asyncio.sleep(TICK_S)
                pauses[self.at] = max(pauses[self.at], (time.perf_counter() - begin - TICK_S) * 1e3)

        async def parse(self, response: Any) -> Any:
            self.at = int(response.url.rpartition("/")[2])
            await asyncio.sleep(4 * TICK_S)
            if self.at + 1 < len(pauses):
                yield scrapy.Request(f"{root}/p/{self.at + 1}")

    settings: dict[str, Any] = {
        "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
    }
    if addon:
        # The end of what says nothing is not what is measured.
        settings |= {"ADDONS": {"scrapy_polite.Addon": 300}, "POLITE_STORE": "memory", "POLITE_TRAPS": "log"}
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Spider)
    process.crawl(crawler)
    process.start()
    if crawler.spider is None or crawler.spider.at + 1 < len(pauses):
        raise SystemExit("the crawl has not got to its end")
    print(json.dumps(pauses[PLAIN_PAGES:]))


def _pauses(port: int, *, addon: bool) -> list[float]:
    job = json.dumps([f"http://127.0.0.1:{port}", addon])
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--crawl", job]
        run = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, timeout=300, check=False)
    if run.returncode:
        raise SystemExit(f"the crawl {'with' if addon else 'without'} the add-on ended with {run.returncode}")
    return list(json.loads(run.stdout))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds is {options.rounds}, expected at least 1")
    if options.serve:
        asyncio.run(serve(lambda _: _page))
        return 0
    if options.crawl:
        root, addon = json.loads(options.crawl)
        _crawl(root, addon=addon)
        return 0
    with served([__file__, "--serve"]) as port:
        rounds = [[_pauses(port, addon=addon) for addon in (False, True)] for _ in range(options.rounds)]
    least = [[min(times) for times in zip(*crawls, strict=True)] for crawls in zip(*rounds, strict=True)]
    print(f"ms for which a page holds the event loop; the least of {options.rounds} crawls; more: limit {LIMIT_MS:.0f}")
    print(f"{'page':<28}{'KB':>6}{'stock':>8}{'add-on':>8}{'more':>7}")
    failed = False
    for (name, body), stock, ours in zip(HOSTILE.items(), *least, strict=True):
        above = ours - stock > LIMIT_MS
        failed |= above
        figures = f"{len(body) / 1e3:>6.0f}{stock:>8.0f}{ours:>8.0f}{ours - stock:>+7.0f}"
        print(f"{name:<28}{figures}{'  ABOVE' if above else ''}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
