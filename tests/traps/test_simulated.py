"""The crawls of benchmarks/ without Scrapy, by which rules are compared, run on what the package is now."""

from __future__ import annotations

import os
from pathlib import Path

import warm
from projects import environment

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def run(benchmark: str, *arguments: str) -> str:
    done = warm.run([os.fspath(BENCHMARKS / benchmark), *arguments], cwd=BENCHMARKS, env=environment(), timeout_s=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_folders_are_read_to_their_end(tmp_path: Path) -> None:
    links = "".join(f'<a href="{number}.html">{number}</a>' for number in range(40))
    (tmp_path / "index.html").write_text(f"<title>All</title>{links}")
    for number in range(40):
        (tmp_path / f"{number}.html").write_text(f"<title>Number {number}</title>The square is {number**2}.")
    told = run("real_sites.py", "--simulated", "2", os.fspath(tmp_path))
    assert told.startswith("ok ")
    assert "41 requests, 2 orders, links left in 0" in told


def test_a_trap_ends() -> None:
    told = run("trap_zoo.py", "--simulated", "--seeds", "1", "yotei-hyo")
    assert "ok   trap-" in told
