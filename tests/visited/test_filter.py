from __future__ import annotations

import hashlib

import pytest

from scrapy_polite.visited.filter import GrowingFilter


def digest(number: int) -> bytes:
    return hashlib.sha1(number.to_bytes(8, "big")).digest()


@pytest.mark.parametrize("expected", [0, 500_000], ids=["grown", "sized"])
def test_knows_all_that_was_added_and_few_others(expected: int) -> None:
    seen = GrowingFilter(expected)
    for number in range(150_000):
        seen.add(digest(number))
    assert all(digest(number) in seen for number in range(150_000))
    assert sum(digest(number) in seen for number in range(150_000, 160_000)) < 500
