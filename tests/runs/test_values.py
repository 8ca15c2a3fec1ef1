from __future__ import annotations

from typing import Any

import pytest

from scrapy_polite.runs.values import number


@pytest.mark.parametrize("value", [True, -1, "1", None, [1], float("nan"), float("inf"), 10**400])
def test_what_is_no_number_that_can_be_counted_is_none(value: Any) -> None:
    assert number(value) == 0
    assert [number(1), number(0.5), number(10**17)] == [1.0, 0.5, 1e17]
