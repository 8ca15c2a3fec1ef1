"""How long `scrapy robots lint` takes over real and over hostile files, and whether its counts are right.

    python benchmarks/robots_lint.py

All files of the corpus (POLITE_CORPUS), with limits for the whole and for any hostile body of 500 KiB; then the
mechanical kinds of findings of each real file, beside those of a recount that uses nothing of the package. Seconds are
of the processor. Exits with 1 where a limit is passed, or a file is counted otherwise.
"""

from __future__ import annotations

import runpy
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

from scrapy_polite.robots.lint import KINDS, Report, check
from scrapy_polite.robots.rules import MAX_BYTES

_TESTS = Path(__file__).parents[1] / "tests" / "robots"
CORPUS: dict[str, Any] = runpy.run_path(str(_TESTS / "corpus.py"))
RECOUNT: dict[str, Any] = runpy.run_path(str(_TESTS / "lint" / "recount.py"))
HOSTILE: dict[str, Any] = runpy.run_path(str(_TESTS / "hostile_bodies.py"))

CORPUS_S, HOSTILE_S = 10.0, 1.0


def filled(line: bytes) -> bytes:
    """500 KiB of a line, whose `%d` is its number."""
    lines = [b"User-agent: *"]
    size = len(lines[0])
    while size < MAX_BYTES - 2 * len(line) - 20:
        lines.append(line.replace(b"%d", b"%d" % len(lines)))
        size += len(lines[-1]) + 1
    return b"\n".join(lines)


#: What checks of lines and of groups would take long over.
LINES = {
    "a group each": b"User-agent: b%d\n\nAllow: a\nDisallow: %d",
    "a wildcard each": b"Allow: /%d\nDisallow: /*a*a*%d",
    "an Allow beside each": b"Disallow: /%d\nAllow: /%d*",
    "two fields in a line": b"Disallow: /a Disallow: /b Allow: /c #d",
    "no UTF-8": b"Disallow: /\xe9%d",
    "files of folders": b"Disallow: /f/%d/a.html",
    "one rule": b"Disallow: /a",
    "unknown fields": b"Disalow%d: /a",
    "long runs of spaces": b"Disallow: /a" + b" " * 15_000 + b"b",
    "tags": b"Disallow: /" + b"<b" * 12,
}


def timed(name: str, body: bytes) -> tuple[float, Report]:
    begun = process_time()
    report = check(name, body)
    return process_time() - begun, report


def main() -> int:
    if CORPUS["MISSING"]:
        print(CORPUS["MISSING"])
        return 1
    files = CORPUS["real_files"]()
    total, longest, levels = 0.0, (0.0, ""), {kind: Counter[str]() for kind in KINDS}
    found: dict[str, set[str]] = {}
    for name, body in files.items():
        seconds, report = timed(name, body)
        total += seconds
        longest = max(longest, (seconds, name))
        found[name] = {finding.id for finding in report.findings}
        for kind, level in {(finding.id, finding.level) for finding in report.findings}:
            levels[kind][level] += 1
    print(f"{len(files):,} real files: {total:.1f} s (limit {CORPUS_S:g} s), the longest {longest[0]:.2f} s")
    bodies = HOSTILE["BODIES"] | {name: filled(line) for name, line in LINES.items()}
    worst = sorted(((timed(name, body[:MAX_BYTES])[0], name) for name, body in bodies.items()), reverse=True)
    print(f"{len(bodies)} hostile bodies of up to 500 KiB (limit {HOSTILE_S:g} s), the worst:")
    print(*(f"  {seconds:.2f} s  {name}" for seconds, name in worst[:5]), sep="\n")
    mechanical = RECOUNT["MECHANICAL"]
    differing = [name for name, body in files.items() if found[name] & mechanical != RECOUNT["kinds_of"](body)]
    print(f"files whose {len(mechanical)} mechanical kinds are counted otherwise by the recount: {len(differing)}")
    print(*differing[:20], sep="\n", end="\n" if differing else "")
    print(f"{'kind':<22} {'files':>6} {'error':>6}")
    for kind, counts in levels.items():
        files_of = sum(kind in kinds for kinds in found.values())
        again = "  recounted" if kind in mechanical else ""
        print(f"{kind:<22} {files_of:>6,} {counts['error']:>6,}{again}")
    return 1 if total > CORPUS_S or worst[0][0] > HOSTILE_S or differing else 0


if __name__ == "__main__":
    sys.exit(main())
