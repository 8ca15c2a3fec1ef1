"""Whether readers understand what `scrapy robots build` writes as its rules are meant, and how long a large file takes.

    python benchmarks/robots_build.py [--sets 1000]

Random sets of rules whose paths often meet; verdicts of this package's reference reading and of Protego beside those of
the rules themselves, which are computed a second time with regular expressions. Then one file of 10,000 paths. Exits
with 1 where a verdict differs and the build does not say so, where lint finds an error in what was built, or where the
large file takes longer than its limit.
"""

from __future__ import annotations

import argparse
import random
import runpy
import sys
import tempfile
from collections import Counter
from pathlib import Path
from time import perf_counter
from typing import Any

from scrapy_polite.robots.__main__ import main as command
from scrapy_polite.robots.lint import check

SETS: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "tests" / "robots" / "build" / "rule_sets.py"))
PATHS = 40
LARGE_S = 10.0


def large() -> str:
    """Rules of 10,000 paths, some with wildcards and queries, allowed and disallowed in turns."""
    paths = [f"/part{number % 97}/{number:05}/{'*?x=' if number % 5 == 0 else 'page'}" for number in range(10_000)]
    allow, disallow = (", ".join(f'"{path}"' for path in paths[at::2]) for at in (0, 1))
    return f'[[rule]]\nagents = ["*", "Abot"]\nallow = [{allow}]\ndisallow = [{disallow}]\n'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=1_000)
    options = parser.parse_args()
    results = [SETS["differing"](seed, PATHS) for seed in range(options.sets)]
    verdicts = sum(count for count, _, _ in results)
    # Where Protego cannot be had to read the rules as RFC 9309 does, the reference has to, and the build says so.
    told = sum(told for _, _, told in results)
    untold = [text for _, found, told in results for text in found if not told]
    print(f"{options.sets:,} random sets of rules: {verdicts:,} verdicts; in {told} of the sets Protego may differ, as")
    print(f"the build says; of the others {len(untold):,} verdicts differ")
    print(*untold[:3], sep="\n")
    files = (SETS["compose"](SETS["rule_set"](random.Random(seed)), 1_000.0).body for seed in range(options.sets))
    found = Counter((finding.level, finding.id) for file in files for finding in check("robots.txt", file).findings)
    print("lint finds in them:", *(f"{count:,} {level}s {kind}" for (level, kind), count in found.items()))
    faulty = any(level == "error" for level, _ in found)
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder, "rules.toml")
        rules.write_text(large())
        begun = perf_counter()
        status = command(["build", str(rules)])
        seconds = perf_counter() - begun
    print(f"10,000 paths: {seconds:.1f} s (limit {LARGE_S:g} s)")
    return 1 if untold or faulty or status or seconds > LARGE_S else 0


if __name__ == "__main__":
    sys.exit(main())
