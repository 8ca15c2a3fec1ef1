"""Real pages that are taken for error pages made for robots, and what it takes to look at one.

    python benchmarks/robot_errors.py DIR...

Reads each HTML file below the directories once (copies count once), such as the documentation packages of a system.
Prints each page that is taken for an error page, to be judged by eye, and exits with 1 if one of 5,000 is, or a page
takes more than 300 µs on average or 50 ms at most.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from time import process_time

from scrapy_polite.origin import Origin, site_of
from scrapy_polite.text import printable
from scrapy_polite.traps.page import of_markup
from scrapy_polite.traps.robot_errors import robot_error

MAX_SHARE = 1 / 5_000
MAX_MEAN_US, MAX_MS = 300.0, 50.0
MAX_BYTES = 1_000_000


def pages(folders: list[str]) -> Iterator[tuple[Path, bytes]]:
    seen: set[bytes] = set()
    for folder in folders:
        for path, _, names in os.walk(folder):
            for name in sorted(names):
                file = Path(path, name)
                if file.suffix not in (".html", ".htm") or not file.is_file() or file.stat().st_size > MAX_BYTES:
                    continue
                body = file.read_bytes()
                digest = blake2b(body, digest_size=16).digest()
                if digest not in seen:
                    seen.add(digest)
                    yield file, body


def main() -> int:
    count, took_s, longest_s = 0, 0.0, 0.0
    site_of(Origin.from_url("http://docs.example/"))  # reads the public suffix list, once
    kinds: Counter[str] = Counter()
    for file, body in pages(sys.argv[1:]):
        page = of_markup(body)
        begin = process_time()
        found = robot_error(page, "http://docs.example/page")
        took = process_time() - begin
        count, took_s, longest_s = count + 1, took_s + took, max(longest_s, took)
        if found is not None:
            kinds[found.kind] += 1
            print(
                f"{file}: {found.kind}: {printable(found.sentence)}; links to {sorted(found.sites) or 'no other site'}"
            )
    if not count:
        sys.exit("no pages: name directories with HTML files")
    print(f"{count:,} pages, {kinds.total()} taken for error pages made for robots {dict(kinds) or ''}")
    print(
        f"{took_s / count * 1e6:.0f} µs a page (limit {MAX_MEAN_US:.0f}), {longest_s * 1e3:.1f} ms (limit {MAX_MS:.0f})"
    )
    is_bad = kinds.total() > MAX_SHARE * count or took_s / count * 1e6 > MAX_MEAN_US or longest_s * 1e3 > MAX_MS
    return int(is_bad)


if __name__ == "__main__":
    sys.exit(main())
