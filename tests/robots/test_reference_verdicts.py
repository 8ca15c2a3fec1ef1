"""Our verdicts beside those of Google's parser on real files."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.paths import normal_path, path_of

HERE = Path(__file__).parent
CORPUS: dict[str, Any] = runpy.run_path(str(HERE / "corpus.py"))


def compared(verdicts: Iterable[Any], body: Callable[[str], bytes]) -> tuple[int, list[Any], list[Any], list[Any]]:
    """Return how many verdicts there are, and those that are looser, stricter, or rest on another line."""
    parsed = lru_cache(maxsize=64)(lambda file, agent: RobotsTxt.parse(body(file), agent))
    count = 0
    looser, stricter, other_line = [], [], []
    for verdict in verdicts:
        count += 1
        decision = parsed(verdict.file, verdict.agent).decide(verdict.url)
        if decision.allowed != verdict.allowed:
            (looser if decision.allowed else stricter).append(verdict)
        elif (decision.line or 0) != verdict.line:
            other_line.append(verdict)
    return count, looser, stricter, other_line


def test_kept_sample_is_decided_as_by_googles_parser() -> None:
    body = lru_cache(lambda file: (HERE / "data" / "files" / file).read_bytes())
    count, looser, stricter, other_line = compared(CORPUS["verdicts"](HERE / "data" / "verdicts.tsv.xz"), body)
    assert count > 1_000
    assert looser == other_line == []
    assert {verdict.file for verdict in stricter} == {"www.campaignmonitor.com", "www.office.co.uk", "www.staples.ca"}


@pytest.mark.skipif(CORPUS["MISSING"] is not None, reason=str(CORPUS["MISSING"]))
def test_no_verdict_on_a_real_file_is_looser_than_that_of_googles_parser() -> None:
    count, looser, stricter, other_line = compared(CORPUS["verdicts"](), CORPUS["real_files"]().__getitem__)
    assert count > 70_000
    assert looser == []
    assert len(stricter) < 0.003 * count
    # The one class: the URL has escapes that the RFC's normal spelling tells from a rule's and Google's does not.
    assert all("%" in verdict.url or normal_path(path_of(verdict.url)) != path_of(verdict.url) for verdict in stricter)
    assert len(other_line) < 0.01 * count
