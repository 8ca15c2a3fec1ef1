from __future__ import annotations

import datetime as dt
import os
import pickle
from collections import Counter, OrderedDict, deque
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import Headers

from scrapy_polite.frontier.inert import read_inert


class Listed(list[int]):
    pass


class Hostile:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.path),)


ODD = {
    "date": dt.datetime(2026, 11, 21, tzinfo=dt.timezone.utc),
    "ordered": OrderedDict(a=1),
    "counter": Counter("aab"),
    "deque": deque([1], maxlen=3),
    "listed": Listed([1]),
    "error": ValueError("x"),
    "function": os.mkdir,
    "class": Headers,
    "headers": Headers({"A": "b"}),
    "keys": {(1, frozenset({2})): dt.date(2026, 11, 21)},
}


@pytest.mark.parametrize("protocol", range(4, pickle.HIGHEST_PROTOCOL + 1))
def test_plain_values_are_read_beside_whatever_else_there_is(protocol: int) -> None:
    plain = {"url": "http://a.example/ü", "body": b"\x00x", "meta": [1, 2.5, None, (True,), {3}]}
    read = read_inert(pickle.dumps(plain | {"odd": ODD}, protocol))
    assert {name: read[name] for name in plain} == plain


def test_nothing_is_run_and_nothing_made(tmp_path: Path) -> None:
    data = pickle.dumps({"url": "x", "hostile": [Hostile(tmp_path / "made")]})
    assert read_inert(data)["url"] == "x"
    assert not (tmp_path / "made").exists()
    pickle.loads(data)
    assert (tmp_path / "made").exists()


@given(st.binary(max_size=200))
def test_what_is_no_pickle_raises_nothing_but_value_error(data: bytes) -> None:
    with suppress(ValueError):
        read_inert(data)
