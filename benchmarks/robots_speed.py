"""How long robots.txt takes: Protego, urllib.robotparser and ours on the same real files, alternating, medians.

    python benchmarks/robots_speed.py

Needs the corpus (POLITE_CORPUS). Exits with 1 if a median decision takes 15 µs on real files or 25 µs with 20,000
rules, or if reading a file and deciding once takes more than 1.1 times as long as with Protego (median, or in all).
"""

from __future__ import annotations

import gc
import runpy
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.robotparser import RobotFileParser

from protego import Protego

from scrapy_polite.robots import RobotsTxt

CORPUS: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "tests" / "robots" / "corpus.py"))

AGENT = "scrapybot"
EVERY = 6  # of the corpus' files
REPEATS = 3
PATHS = (
    "/",
    "/index.html",
    "/search?q=robots&page=2",
    "/news/2024/05/17/a-long-title-of-an-article-that-somebody-wrote.html",
    "/wp-admin/admin-ajax.php",
    "/tag/%E4%BD%A0/en",
    "/products/shoes/?color=red&size=42&sort=price",
    "/user/login?return=%2Fprofile",
)
MAX_DECISION_US = {"real files": 15.0, "20,000 rules": 25.0}
MAX_READING_RATIO = 1.1  # what the noise of a shared machine makes of "no slower"

Decide = Callable[[str], object]


def ours(body: bytes) -> Decide:
    return RobotsTxt.parse(body, AGENT).decide


def protego(body: bytes) -> Decide:
    parsed = Protego.parse(body.decode("utf-8-sig", "ignore"))
    return lambda url: parsed.can_fetch(url, AGENT)


def standard_library(body: bytes) -> Decide:
    parsed = RobotFileParser()
    parsed.parse(body.decode("utf-8-sig", "ignore").splitlines())
    return lambda url: parsed.can_fetch(AGENT, url)


PARSERS: dict[str, Callable[[bytes], Decide]] = {
    "scrapy-polite": ours,
    "Protego": protego,
    "urllib.robotparser": standard_library,
}


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begin = perf_counter()
    result = call()
    return (perf_counter() - begin) * 1e6, result


def measure(bodies: list[bytes], urls: list[str]) -> dict[str, dict[str, list[float]]]:
    """Return µs per parser, the best of three each: parsing, parsing and the first decision, each later decision."""
    taken: dict[str, dict[str, list[float]]] = {
        name: {"parse": [], "parse + first": [], "decision": []} for name in PARSERS
    }
    for body in bodies:
        best = {name: (float("inf"), float("inf")) for name in PARSERS}
        decide: dict[str, Decide] = {}
        for _ in range(REPEATS):
            for name, parser in PARSERS.items():
                parse, decide[name] = timed(lambda parser=parser, body=body: parser(body))
                first, _ = timed(lambda decide=decide[name]: decide(urls[0]))
                best[name] = min(best[name], (parse, first), key=sum)
        for name, (parse, first) in best.items():
            taken[name]["parse"].append(parse)
            taken[name]["parse + first"].append(parse + first)
        for url in urls:
            for name in PARSERS:
                again = [timed(lambda decide=decide[name], url=url: decide(url))[0] for _ in range(REPEATS)]
                taken[name]["decision"].append(min(again))
    return taken


def table(title: str, taken: dict[str, dict[str, list[float]]]) -> None:
    print(f"\n{title}, µs: median / 99th percentile")
    print(f"  {'':<20}" + "".join(f"{what:>24}" for what in next(iter(taken.values()))))
    for name, columns in taken.items():
        cells = []
        for times in columns.values():
            ordered = sorted(times)
            cells.append(f"{statistics.median(ordered):>14,.1f} /{ordered[int(len(ordered) * 0.99)]:>8,.0f}")
        print(f"  {name:<20}" + "".join(cells))


def main() -> int:
    if CORPUS["MISSING"]:
        sys.exit(CORPUS["MISSING"])
    urls = ["http://example.com" + path for path in PATHS]
    files = list(CORPUS["real_files"]().values())[::EVERY]
    rules = {
        "literals": b"".join(b"Disallow: /section-%d/page\n" % number for number in range(20_000)),
        "anchored": b"".join(b"Disallow: /section-%d/page$\n" % number for number in range(20_000)),
        "wildcards with heads": b"".join(b"Disallow: /section-%d/*/page\n" % number for number in range(15_000)),
        "all mixed": b"".join(
            (b"Disallow: /section-%d/\n", b"Allow: /section-%d/*.html$\n")[number % 2] % (number // 2)
            for number in range(19_000)
        ),
    }
    gc.collect()
    gc.disable()  # what the peers leave behind is not to be paid for by whoever comes next

    real = measure(files, urls)
    table(f"{len(files)} real files", real)
    deep = [f"http://example.com/section-{number}/x/page.html" for number in range(0, 10_000, 500)]
    claims = {}
    for name, lines in rules.items():
        gc.collect()
        large = measure([b"User-agent: *\n" + lines], urls + deep)
        table(f"{lines.count(b'llow'):,} rules, {name}", large)
        took = statistics.median(large["scrapy-polite"]["decision"])
        claims[f"a decision among 20,000 rules ({name}) in under 25 µs: {took:.1f}"] = (
            took < MAX_DECISION_US["20,000 rules"]
        )
    took = statistics.median(real["scrapy-polite"]["decision"])
    claims[f"a decision on real files in under 15 µs: {took:.1f}"] = took < MAX_DECISION_US["real files"]
    for what, average in (("median", statistics.median), ("in all", sum)):
        times = {name: average(columns["parse + first"]) for name, columns in real.items()}
        ratio = times["scrapy-polite"] / times["Protego"]
        claims[f"reading a file and deciding once, {ratio:.2f} times Protego's ({what})"] = ratio < MAX_READING_RATIO
    print()
    for claim, holds in claims.items():
        print(f"{'ok  ' if holds else 'FAIL'} {claim}")
    return 0 if all(claims.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
