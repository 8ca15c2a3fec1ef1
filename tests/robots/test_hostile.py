"""robots.txt files made to hurt: what never varies. How long they take, `benchmarks/robots_hostile.py` shows."""

from __future__ import annotations

import runpy
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots import RobotsTxt

HERE = Path(__file__).parent
HOSTILE: dict[str, Any] = runpy.run_path(str(HERE / "hostile_bodies.py"))
CORPUS: dict[str, Any] = runpy.run_path(str(HERE / "corpus.py"))

#: Bodies whose wildcards would take longer than a decision may, with the longest URL that Scrapy asks for.
TOO_COSTLY = {
    "rules of 41 wildcards",
    "needles that nearly match",
    "distinct needles that nearly match",
    "short wildcards",
    "short wildcards with a tail",
    "short wildcards of two needles",
    "Allow and Disallow in turn",
}


@pytest.mark.parametrize("name", HOSTILE["BODIES"])
def test_hostile_body_is_decided_on_in_bounded_memory(name: str) -> None:
    tracemalloc.start()
    try:
        decision = RobotsTxt.parse(HOSTILE["BODIES"][name], "foobot").decide(HOSTILE["URL"])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10e6
    assert (decision.reason == "robots/too-costly") == (name in TOO_COSTLY)


@pytest.mark.skipif(CORPUS["MISSING"] is not None, reason=str(CORPUS["MISSING"]))
@pytest.mark.parametrize("agent", ["googlebot", "Bot2000"])
def test_no_real_file_is_too_costly(agent: str) -> None:
    url = HOSTILE["URL"] + "%7e"  # compared in both spellings
    costly = [
        name
        for name, body in CORPUS["real_files"]().items()
        if RobotsTxt.parse(body, agent).decide(url).reason == "robots/too-costly"
    ]
    assert costly == []


@pytest.mark.skipif(CORPUS["MISSING"] is not None, reason=str(CORPUS["MISSING"]))
def test_largest_real_files_take_less_than_ten_megabytes() -> None:
    largest = sorted(CORPUS["real_files"]().values(), key=len)[-10:]
    for body in largest:
        tracemalloc.start()
        try:
            RobotsTxt.parse(body, "googlebot").decide(HOSTILE["URL"])
            assert tracemalloc.get_traced_memory()[1] < 10e6
        finally:
            tracemalloc.stop()
