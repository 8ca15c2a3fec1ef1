"""What a new version of a robots.txt changes is what asking both versions about every URL would find."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.changes import as_json, as_text, compare, summary

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "robots_matrix.py"
MISSING = runpy.run_path(str(Path(__file__).with_name("corpus.py")))["MISSING"]

OLD = RobotsTxt.parse(b"User-agent: *\nDisallow: /private\nDisallow: /old\n", "bot")
NEW = RobotsTxt.parse(b"User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /news\n", "bot")
URLS = ["/private/open", "/private/x", "/old/1", "/old/2", "/news", "/", *(f"/news/{n}" for n in range(9))]


def test_changes_are_told_by_the_lines_that_make_them_the_largest_first() -> None:
    diff = compare(OLD, NEW, URLS)
    assert [line for change in diff.sorted() for line in as_text(change)] == [
        "       10  refused now, by new line 4: Disallow: /news (before: no rule)",
        "           /news",
        "           /news/0",
        "           /news/1",
        "        2  allowed now, by no rule (before: old line 3: Disallow: /old)",
        "           /old/1",
        "           /old/2",
        "        1  allowed now, by new line 3: Allow: /private/open (before: old line 2: Disallow: /private)",
        "           /private/open",
    ]
    assert summary(diff) == "13 of 15 URLs change: 10 refused now, 3 allowed now"
    assert json.loads(as_json(diff.sorted()[1])) == {
        "allowed": True,
        "old_line": 3,
        "old_rule": "Disallow: /old",
        "new_line": None,
        "new_rule": None,
        "urls": 2,
        "examples": ["/old/1", "/old/2"],
    }


def test_another_line_with_the_same_verdict_is_no_change() -> None:
    longer = RobotsTxt.parse(b"User-agent: *\nAllow: /\nDisallow: /old\nDisallow: /private\n", "bot")
    assert not compare(OLD, longer, URLS).changes
    assert summary(compare(OLD, longer, URLS)) == "none of 15 URLs changes"


@pytest.mark.skipif(MISSING is not None, reason=str(MISSING))
def test_pairs_of_real_files_change_as_brute_force_says() -> None:
    """The whole of it (200 pairs, 1,000 URLs each) is `benchmarks/robots_matrix.py`."""
    benchmark: dict[str, Any] = runpy.run_path(str(BENCHMARK))
    changes, differing = benchmark["differing_pairs"](pairs=20, urls=40, max_bytes=5_000)
    assert changes > 20
    assert differing == []
