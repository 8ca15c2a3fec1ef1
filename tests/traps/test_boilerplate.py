"""Pages that stand at many kinds of URLs: told once, and nothing is refused for them."""

from __future__ import annotations

import pytest

from scrapy_polite.traps.boilerplate import BoilerplatePages

LOGIN = b"log in"


def told(pages: list[tuple[bytes, str]]) -> list[int]:
    """At which of the pages, counted from one, a wall is told."""
    boilerplate = BoilerplatePages()
    return [at for at, (exact, pattern) in enumerate(pages, 1) if boilerplate.note(exact, pattern)]


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        pytest.param([(LOGIN, f"/{at % 4}") for at in range(100)], [20], id="one page at four patterns"),
        pytest.param([(LOGIN, f"/{at}") for at in range(100)], [20], id="one page at ever other patterns"),
        pytest.param([(LOGIN, f"/{at // 40}") for at in range(200)], [121], id="a fourth pattern comes late"),
        pytest.param([(LOGIN, f"/{at % 3}") for at in range(100)], [], id="one page at three patterns"),
        pytest.param([(LOGIN, "/day?at")] * 100, [], id="an empty calendar"),
        pytest.param([(LOGIN, f"/{at % 4}") for at in range(19)], [], id="few pages"),
        pytest.param([(b"%d" % at, f"/{at % 4}") for at in range(100)], [], id="other pages"),
        pytest.param([(b"%d" % (at % 2), f"/{at % 5}") for at in range(100)], [39, 40], id="two walls"),
    ],
)
def test_a_page_that_stands_everywhere_is_told_once(pages: list[tuple[bytes, str]], expected: list[int]) -> None:
    assert told(pages) == expected


def test_a_wall_is_found_among_other_pages() -> None:
    pages = [(LOGIN if at % 3 == 0 else b"%d" % at, f"/{at % 5}") for at in range(100)]
    assert len(told(pages)) == 1


def test_what_is_remembered_is_bounded() -> None:
    boilerplate = BoilerplatePages()
    for at in range(2_000):
        for pattern in "ab":
            boilerplate.note(b"%d" % at, pattern)
    assert len(boilerplate._first) + len(boilerplate._met) <= 4 * 64
