"""How long `scrapy robots test` and `scrapy robots diff` take, and whether the diff is what asking twice would find.

    python benchmarks/robots_matrix.py [--pairs 200]

The whole commands on real files, 100 crawlers times 10,000 URLs and a million URLs; then pairs of real files, each with
1,000 paths made of their own patterns, against brute force: each URL asked of each file, parsed anew. Needs the corpus
(POLITE_CORPUS). Exits with 1 where a command takes longer than its limit, or a pair differs.
"""

from __future__ import annotations

import argparse
import os
import random
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.changes import Diff, changed, compare
from scrapy_polite.robots.lines import ALLOW, Misread, directives, split_lines

CORPUS: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "tests" / "robots" / "corpus.py"))

AGENT = "scrapybot"
MATRIX_URLS, DIFF_URLS = 10_000, 1_000_000
MATRIX_S, DIFF_S = 10.0, 60.0
_FILLERS = ("", "x", "a/b", "index.html", "?q=1", "2024/05", "%7Euser")


def urls_of(bodies: Sequence[bytes], count: int, seed: int) -> list[str]:
    """So many URLs that the rules of these files are about: their patterns with wildcards filled, and what follows."""
    random_ = random.Random(seed)
    patterns = [
        value.decode("utf-8", "replace").rstrip("$")
        for body in bodies
        for _, field, value, _ in directives(split_lines(body), Misread())
        if field <= ALLOW and value[:1] in (b"/", b"*")
    ] or ["/"]
    urls = []
    for number in range(count):
        path = random_.choice(patterns)
        while "*" in path:
            path = path.replace("*", random_.choice(_FILLERS), 1)
        urls.append(f"https://example.com/{path.lstrip('/')}{random_.choice(_FILLERS)}{number % 7 or ''}")
    return ["".join(url.split()) for url in urls]


def by_brute_force(old: bytes, new: bytes, urls: Sequence[str]) -> list[tuple[str, bool, int | None, int | None]]:
    """Each URL asked of files that are parsed for it alone."""
    found = []
    for url in urls:
        was, now = RobotsTxt.parse(old, AGENT).decide(url), RobotsTxt.parse(new, AGENT).decide(url)
        if was.allowed != now.allowed:
            found.append((url, now.allowed, was.line, now.line))
    return found


def differing_pairs(pairs: int, urls: int, max_bytes: int, seed: int = 19) -> tuple[int, list[str]]:
    """How many URLs change in pairs of real files, and the pairs where brute force differs."""
    files = CORPUS["real_files"]()
    names = random.Random(seed).sample([name for name in sorted(files) if len(files[name]) <= max_bytes], 2 * pairs)
    changes, differing = 0, []
    for old_name, new_name in zip(names[::2], names[1::2], strict=True):
        old, new = files[old_name], files[new_name]
        asked = urls_of((old, new), urls, seed)
        expected = by_brute_force(old, new, asked)
        diff = Diff()
        robots = RobotsTxt.parse(old, AGENT), RobotsTxt.parse(new, AGENT)
        found = [(url, now.allowed, was.line, now.line) for url, was, now in changed(*robots, asked, diff)]
        groups = compare(*robots, asked)
        if found != expected or groups.refused + groups.allowed != len(expected):
            differing.append(f"{old_name} and {new_name}")
        changes += len(expected)
    return changes, differing


def timed(*arguments: str) -> tuple[float, int]:
    """Seconds of `scrapy robots ARGUMENTS`, whose output goes to a file, and its exit status."""
    with tempfile.TemporaryFile() as output:
        begun = perf_counter()
        status = subprocess.run(
            [sys.executable, "-m", "scrapy", "robots", *arguments], stdout=output, check=False, env=dict(os.environ)
        ).returncode
        return perf_counter() - begun, status


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=200)
    options = parser.parse_args()
    files = CORPUS["real_files"]()
    # Long files of real sites, with some 1,200 rules each.
    old, new = files["www.covers.com"], files["www.caltech.edu_443"]
    tokens = [
        f"crawler{letters}bot"
        for letters in map("".join, zip("abcdefghij" * 10, sorted("abcdefghij" * 10), strict=False))
    ]
    late = False
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "old.txt").write_bytes(old)
        (place / "new.txt").write_bytes(new)
        (place / "agents").write_text("\n".join(tokens))
        (place / "urls").write_text("\n".join(urls_of((old, new), MATRIX_URLS, 1)))
        (place / "many").write_text("\n".join(urls_of((old, new), DIFF_URLS, 2)))
        groups = [f"User-agent: {token}\nDisallow: /{token}\nAllow: /*/x{token}$\n" for token in tokens]
        (place / "named.txt").write_text("\n".join(groups))
        lists = ("--agents", str(place / "agents"), "--urls", str(place / "urls"))
        for what, limit_s, arguments in (
            ("test, crawlers of one group", MATRIX_S, ("test", str(place / "old.txt"), *lists)),
            ("test, crawlers of one group, --json", MATRIX_S, ("test", str(place / "old.txt"), *lists, "--json")),
            ("test, a group each", MATRIX_S, ("test", str(place / "named.txt"), *lists)),
            ("test, a group each, --json", MATRIX_S, ("test", str(place / "named.txt"), *lists, "--json")),
            ("diff", DIFF_S, ("diff", str(place / "old.txt"), str(place / "new.txt"), "--urls", str(place / "many"))),
        ):
            seconds, status = timed(*arguments)
            late = late or seconds > limit_s or status not in (0, 1)
            print(f"{what:<38} {seconds:6.1f} s (limit {limit_s:g} s), exit status {status}")
    changes, differing = differing_pairs(options.pairs, 1_000, 20_000)
    print(f"{options.pairs} pairs, 1,000 URLs each: {changes:,} URLs change; pairs that differ: {len(differing)}")
    print(*differing, sep="\n")
    return 1 if late or differing else 0


if __name__ == "__main__":
    sys.exit(main())
