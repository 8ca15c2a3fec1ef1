"""Requests as bytes, for queues that outlive the process.

The first byte says how the rest is written. `J`: JSON, with what JSON lacks (bytes, tuples, sets, dates...) as
`{"": [name of the type, value]}`; what a request has by default is left out. `P`: a pickle, as Scrapy's own disk queues
write it, only where a codec is told to and only for what the JSON cannot hold: a pickle may run anything when it is
read, so nothing but a file of one's own may be read with `pickle=True`.
"""

from __future__ import annotations

import json
import pickle
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from scrapy import Request
from scrapy.http import Headers
from scrapy.utils.request import request_from_dict

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider

_JSON, _PICKLE = b"J", b"P"
_TAG = ""

_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})

#: What a plain Request has when nothing is said. A subclass may have other defaults: nothing of it is left out.
_DEFAULTS: dict[str, object] = {
    "callback": None,
    "errback": None,
    "method": "GET",
    "headers": {},
    "body": b"",
    "cookies": {},
    "meta": {},
    "encoding": "utf-8",
    "priority": 0,
    "dont_filter": False,
    "flags": [],
    "cb_kwargs": {},
}


class Codec:
    """`pickle`: whether what JSON cannot hold is pickled, and pickles are read."""

    def __init__(self, *, pickle: bool = False) -> None:
        self._pickle = pickle

    def encode(self, request: Request, spider: Spider) -> bytes:
        """Raises ValueError where the request cannot be written: a callback that is no method of the spider, an open
        file in `meta`."""
        values = _values(request, spider)
        try:
            return _JSON + _dumps({name: _plain(value) for name, value in values.items()})
        except (ValueError, RecursionError) as error:
            if not self._pickle:
                raise ValueError(f"{request}: {error}") from error
        try:
            return _PICKLE + pickle.dumps(values, protocol=4)
        except Exception as error:
            raise ValueError(f"{request}: {error}") from error

    def decode(self, data: bytes, spider: Spider) -> Request:
        """Raises ValueError for what `encode` cannot have written, or what fits this spider no longer."""
        how, body = data[:1], data[1:]
        if how == _PICKLE and not self._pickle:
            raise ValueError("it is pickled, and this codec reads no pickles")
        if how not in {_JSON, _PICKLE}:
            raise ValueError(f"unknown format {how!r}")
        try:
            values = _loads(body) if how == _JSON else pickle.loads(body)  # noqa: S301 (see above)
            return request_from_dict(values, spider=spider)
        except Exception as error:
            raise ValueError(str(error) or type(error).__name__) from error


def _values(request: Request, spider: Spider) -> dict[str, Any]:
    """As `Request.to_dict`, without what a plain request has by default, and without that one's search for callbacks
    among all members of the spider (some 100 µs)."""
    cls = type(request)
    if cls.to_dict is not Request.to_dict:
        return request.to_dict(spider=spider)
    values: dict[str, Any] = {name: getattr(request, name) for name in cls.attributes}
    for name in ("callback", "errback"):
        if values[name] is not None:
            values[name] = _method_name(request, name, values[name], spider)
    if cls is Request:
        return {name: value for name, value in values.items() if name == "url" or value != _DEFAULTS[name]}
    values["_class"] = f"{cls.__module__}.{cls.__name__}"
    return values


def _method_name(request: Request, attribute: str, method: Any, spider: Spider) -> str:
    function = getattr(method, "__func__", None)
    name: str = getattr(function, "__name__", "")
    if function is not None and getattr(getattr(spider, name, None), "__func__", None) is function:
        return name
    return str(request.to_dict(spider=spider)[attribute])


def _plain(value: Any) -> Any:
    """`value` in what JSON holds. Raises ValueError for a type that has no form here: subclasses too, their type would
    be lost."""
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is dict:
        if all(type(key) is str for key in value) and _TAG not in value:
            return {key: item if type(item) in _AS_THEY_ARE else _plain(item) for key, item in value.items()}
        return {_TAG: ["dict", [[_plain(key), _plain(item)] for key, item in value.items()]]}
    if kind is list:
        return [_plain(item) for item in value]
    if kind not in _FORMS:
        raise ValueError(f"JSON has no form for {kind.__module__}.{kind.__qualname__}")
    write, _ = _FORMS[kind]
    return {_TAG: [kind.__name__, write(value)]}


def _object(value: dict[str, Any]) -> Any:
    if _TAG not in value:
        return value
    name, written = value[_TAG]
    return _READERS[name](written)


def _items(values: Any) -> list[Any]:
    return [_plain(item) for item in values]


def _header_texts(headers: Headers) -> dict[str, list[str]]:
    lists: dict[bytes, list[bytes]] = dict(headers)
    return {name.decode("latin-1"): [value.decode("latin-1") for value in values] for name, values in lists.items()}


def _headers(texts: dict[str, list[str]]) -> Headers:
    lists = {name.encode("latin-1"): [text.encode("latin-1") for text in values] for name, values in texts.items()}
    return Headers(lists)


def _moment(value: datetime | time) -> str:
    if value.tzinfo is not None and type(value.tzinfo) is not timezone:
        raise ValueError("JSON has no form for the name of a time zone")
    return value.isoformat()


#: Type -> how it is written, how it is read.
_FORMS: dict[type, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    Headers: (_header_texts, _headers),
    bytes: (lambda value: value.decode("latin-1"), lambda written: written.encode("latin-1")),
    tuple: (_items, tuple),
    set: (_items, set),
    frozenset: (_items, frozenset),
    datetime: (_moment, datetime.fromisoformat),
    date: (date.isoformat, date.fromisoformat),
    time: (_moment, time.fromisoformat),
    timedelta: (lambda value: [value.days, value.seconds, value.microseconds], lambda written: timedelta(*written)),
    Decimal: (str, Decimal),
    UUID: (str, UUID),
}
_READERS = {"dict": dict, **{kind.__name__: read for kind, (_, read) in _FORMS.items()}}

# ASCII alone: UTF-8 could not hold half a surrogate pair, which a page's text may.
_write = json.JSONEncoder(separators=(",", ":")).encode
_read = json.JSONDecoder(object_hook=_object).decode


def _dumps(values: dict[str, Any]) -> bytes:
    return _write(values).encode("ascii")


def _loads(body: bytes) -> dict[str, Any]:
    values: dict[str, Any] = _read(body.decode("ascii"))
    return values
