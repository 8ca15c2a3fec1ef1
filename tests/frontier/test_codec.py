from __future__ import annotations

import math
import sys
from collections import OrderedDict, namedtuple
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import IntEnum
from string import ascii_letters
from typing import TYPE_CHECKING, Any
from uuid import UUID, SafeUUID
from zoneinfo import ZoneInfo

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


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down: a tuple is no list, True is not 1, and order counts."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return len(one) == len(other) and all(map(same, one.items(), other.items()))
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, (set, frozenset)):
        return len(one) == len(other) and all(any(same(item, match) for match in other) for item in one)
    return repr(one) == repr(other)  # says -0.0, nan, fold and the name of a time zone


_zones = st.none() | st.builds(timezone, st.timedeltas(timedelta(hours=-23), timedelta(hours=23)))
_plain = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.text("\ud800\udc00\U00010000")
    | st.binary()
    | st.datetimes(timezones=_zones)
    | st.dates()
    | st.times(timezones=_zones)
    | st.timedeltas()
    | st.decimals().filter(lambda number: not number.is_snan())  # which no set holds
    | st.uuids()
)
_keys = (
    st.text()
    | st.integers()
    | st.booleans()
    | st.none()
    | st.floats()
    | st.binary()
    | st.tuples(st.text())
    | st.dates()
)
_values = st.recursive(
    _plain,
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(_keys, inner)
        | st.tuples(inner, inner)
        | st.frozensets(_plain)
        | st.sets(_plain)
    ),
)
_requests = st.builds(
    Request,
    # What follows a ? or # has to fit the request's encoding; w3lib takes no half of a surrogate pair.
    (
        st.text(st.characters(max_codepoint=0xFF))
        | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="?#"))
    ).map(lambda text: f"https://example.com/{text}"),
    callback=st.sampled_from([None, SPIDER.parse_item]),
    errback=st.sampled_from([None, SPIDER.failed]),
    method=st.sampled_from(["GET", "post", "PATCH"]),
    headers=st.dictionaries(st.text(ascii_letters, min_size=1), st.lists(st.binary(), max_size=3)),
    body=st.binary(),
    cookies=st.dictionaries(st.text(), st.text()) | st.lists(st.dictionaries(st.text(), _plain, min_size=1)),
    meta=st.dictionaries(_keys, _values),
    cb_kwargs=st.dictionaries(st.text(), _values),
    flags=st.lists(_plain),
    priority=st.integers() | st.booleans(),
    dont_filter=st.booleans() | st.integers(0, 1),
    encoding=st.sampled_from(["utf-8", "latin-1"]),
)


@given(_requests)
def test_any_request_comes_back_with_the_very_types_that_it_had(request: Request) -> None:
    decoded = Codec(pickle=True).decode(Codec(pickle=True).encode(request, SPIDER), SPIDER)
    assert same(as_dict(decoded), as_dict(request))
    assert (decoded.callback, decoded.errback) == (request.callback, request.errback)


#: What looks like what JSON can hold, and is more.
MORE = {
    "a named time zone": datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=1), "CET")),
    "the second of two equal hours": datetime(2026, 10, 25, 2, 30, fold=1),  # noqa: DTZ001
    "the second time": time(2, 30, fold=1),
    "a place's time zone": datetime(2026, 1, 2, tzinfo=ZoneInfo("Europe/Berlin")),
    "a named tuple": namedtuple("Point", "x y")(1, 2),  # noqa: PYI024
    "an ordered dictionary": OrderedDict(a=1),
    "a number with a name": IntEnum("Colour", "RED")(1),
    "a safe UUID": UUID(int=5, is_safe=SafeUUID.safe),
}


@pytest.mark.parametrize("value", MORE.values(), ids=MORE)
def test_what_is_more_than_json_can_say_is_not_made_less(value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("Point", "Colour"):
        monkeypatch.setattr(sys.modules[__name__], name, type(value), raising=False)
    request = Request(URL, meta={"value": value})
    with pytest.raises(ValueError, match="JSON has no form"):
        Codec().encode(request, SPIDER)
    decoded = Codec(pickle=True).decode(Codec(pickle=True).encode(request, SPIDER), SPIDER)
    assert same(decoded.meta["value"], value)
    assert getattr(decoded.meta["value"], "is_safe", None) == getattr(value, "is_safe", None)


def test_two_halves_of_a_surrogate_pair_stay_two() -> None:
    request = Request(URL, meta={"text": "\ud83d\ude00", "smile": "\U0001f600"})
    assert Codec().decode(Codec().encode(request, SPIDER), SPIDER).meta == request.meta


def test_a_class_that_cannot_be_found_again_is_not_written() -> None:
    class Local(Request):
        pass

    with pytest.raises(ValueError, match="Local"):
        Codec().encode(Local(URL), SPIDER)


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
    "a class that is no request": b'J{"url":"https://example.com","_class":"scrapy.http.Response"}',
}


@pytest.mark.parametrize("data", UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        Codec(pickle=True).decode(data, SPIDER)
