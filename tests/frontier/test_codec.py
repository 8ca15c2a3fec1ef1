from __future__ import annotations

import math
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import FormRequest, Request, Spider
from scrapy.http import Headers, JsonRequest

from scrapy_polite.frontier.codec import Codec

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "https://example.com/path?q=%C3%A4#part"


class CodecSpider(Spider):
    name = "codec"

    def parse_item(self, response: Any) -> None: ...

    def failed(self, failure: Any) -> None: ...


class LateRequest(Request):
    def __init__(self, *args: Any, priority: int = -100, **kwargs: Any) -> None:
        super().__init__(*args, priority=priority, **kwargs)


class Thing:
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing)

    def __hash__(self) -> int:
        return 0


SPIDER = CodecSpider()

REQUESTS = {
    "plain": Request(URL),
    "everything": Request(
        URL,
        callback=SPIDER.parse_item,
        errback=SPIDER.failed,
        method="POST",
        headers={"Accept": ["a", b"\xff"], "X-Empty": ""},
        body=b"\x00\xff",
        cookies=[{"name": "n", "value": b"v", "domain": "example.com"}],
        meta={"depth": 3, "proxy": None},
        encoding="latin-1",
        priority=-7,
        dont_filter=True,
        flags=["f"],
        cb_kwargs={"page": 2},
    ),
    "cookies as a dict": Request(URL, cookies={"a": "b"}),
    "a form": FormRequest(URL, formdata={"a": "b"}),
    "JSON": JsonRequest(URL, data={"a": [1]}, dumps_kwargs={"sort_keys": True}),
    "a class with other defaults": LateRequest(URL, priority=0),
}

VALUES = {
    "tuple": (1, (2, [3])),
    "set": {1, "a"},
    "frozenset": frozenset({b"x"}),
    "bytes": b"\x00\xff",
    "integer keys": {1: "a", (2, 3): {"b": None}},
    "the key of our tags": {"": ["bytes", "no tag"]},
    "infinity": math.inf,
    "large integer": 2**80,
    "half a surrogate pair": "\ud800",
    "datetime": datetime(2026, 1, 2, 3, 4, 5, 6),  # noqa: DTZ001
    "datetime with offset": datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=2))),
    "date": date(2026, 1, 2),
    "time": time(1, 2, 3),
    "timedelta": timedelta(days=-1, microseconds=5),
    "decimal": Decimal("1.10"),
    "UUID": UUID(int=5),
    "headers": Headers({"A": ["b", "c"]}),
}


def as_dict(request: Request) -> dict[str, Any]:
    return {**request.to_dict(spider=SPIDER), "class": type(request)}


@pytest.mark.parametrize("codec", [Codec(), Codec(pickle=True)], ids=["json", "pickle"])
@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_a_request_comes_back_as_it_was(request_: Request, codec: Codec) -> None:
    data = codec.encode(request_, SPIDER)
    decoded = codec.decode(data, SPIDER)
    assert as_dict(decoded) == as_dict(request_)
    assert (decoded.callback, decoded.errback) == (request_.callback, request_.errback)
    assert data[:1] == b"J"


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_what_json_lacks_keeps_its_type(value: object) -> None:
    request = Request(URL, meta={"value": value}, cb_kwargs={"value": [value]})
    decoded = Codec().decode(Codec().encode(request, SPIDER), SPIDER)
    assert decoded.meta["value"] == value
    assert type(decoded.meta["value"]) is type(value)
    assert decoded.cb_kwargs["value"] == [value]


_plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
_keys = st.text() | st.integers() | st.binary() | st.tuples(st.text())


@given(
    st.recursive(
        _plain,
        lambda inner: st.lists(inner) | st.dictionaries(_keys, inner) | st.tuples(inner, inner) | st.frozensets(_plain),
    )
)
def test_any_nesting_comes_back(value: object) -> None:
    decoded = Codec().decode(Codec().encode(Request(URL, meta={"value": value}), SPIDER), SPIDER)
    assert repr(decoded.meta["value"]) == repr(value) or decoded.meta["value"] == value


def test_what_json_cannot_hold_is_pickled_where_that_is_allowed() -> None:
    request = Request(URL, callback=SPIDER.parse_item, meta={"thing": Thing()}, headers={"A": "b"})
    with pytest.raises(ValueError, match=r"JSON has no form for .*Thing"):
        Codec().encode(request, SPIDER)
    data = Codec(pickle=True).encode(request, SPIDER)
    assert as_dict(Codec(pickle=True).decode(data, SPIDER)) == as_dict(request)
    with pytest.raises(ValueError, match="pickle"):
        Codec().decode(data, SPIDER)


def _endless() -> list[Any]:
    endless: list[Any] = []
    endless.append(endless)
    return endless


UNWRITABLE: dict[str, Callable[[], Request]] = {
    "a function as callback": lambda: Request(URL, callback=lambda response: None),
    "another object's method": lambda: Request(URL, callback=[].append),
    "a lambda in meta": lambda: Request(URL, meta={"f": lambda: None}),
    "an open file": lambda: Request(URL, meta={"file": open(__file__)}),  # noqa: SIM115
}


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("codec", [Codec(), Codec(pickle=True)], ids=["json", "pickle"])
@pytest.mark.parametrize("make", UNWRITABLE.values(), ids=UNWRITABLE)
def test_what_cannot_be_written_is_a_value_error(make: Callable[[], Request], codec: Codec) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        codec.encode(make(), SPIDER)


def test_a_list_within_itself_is_a_value_error() -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Codec().encode(Request(URL, meta={"list": _endless()}), SPIDER)


UNREADABLE = {
    "nothing": b"",
    "another format": b"Xabc",
    "cut off": b'J{"url":"https://exam',
    "no object": b"J[1]",
    "no URL": b"J{}",
    "not ASCII": b"J\xff",
    "unknown tag": b'J{"url":{"":["gone",1]}}',
    "a tag without value": b'J{"url":{"":[]}}',
    "a callback the spider lacks": b'J{"url":"https://example.com","callback":"gone"}',
    "a class that is gone": b'J{"url":"https://example.com","_class":"gone.Request"}',
    "broken pickle": b"P\x80\x04",
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Codec(pickle=True).decode(data, SPIDER)
