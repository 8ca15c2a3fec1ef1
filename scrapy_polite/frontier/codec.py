"""Requests as bytes, for queues that outlive the process.

The first byte says how the rest is written. `J`: JSON, with what JSON lacks (bytes, tuples, sets, dates...) as
`{"": [name of the type, value]}`; what a request has by default is left out. `P`: a pickle, as Scrapy's own disk queues
write it, only where a codec is told to and only for what the JSON cannot hold: a pickle may run anything when it is
read, so nothing but a file of one's own may be read with `pickle=True`.
"""

from __future__ import annotations

import json
import pickle
import sys
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID, SafeUUID

from scrapy import Request
from scrapy.http import Headers
from scrapy.utils.misc import load_object
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

    def encode(self, request: Request, spider: Spider | None) -> bytes:
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

    def decode(self, data: bytes, spider: Spider | None) -> Request:
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


def _values(request: Request, spider: Spider | None) -> dict[str, Any]:
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
        return {name: value for name, value in values.items() if name == "url" or not _is_default(name, value)}
    if getattr(sys.modules.get(cls.__module__), cls.__name__, None) is not cls:
        raise ValueError(f"{request}: its class {cls.__qualname__} cannot be found again by its name")
    values["_class"] = f"{cls.__module__}.{cls.__name__}"
    return values


def _is_default(name: str, value: object) -> bool:
    default = _DEFAULTS[name]
    return value == default and (type(value) is type(default) or name == "headers")


def _method_name(request: Request, attribute: str, method: Any, spider: Spider | None) -> str:
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
    zone = value.tzinfo
    if zone is not None and (type(zone) is not timezone or repr(zone) != repr(timezone(zone.utcoffset(None)))):
        raise ValueError("JSON has no form for the name of a time zone")
    if value.fold:
        raise ValueError("JSON has no form for the second of two equal hours")
    return value.isoformat()


def _uuid_text(value: UUID) -> str:
    if value.is_safe is not SafeUUID.unknown:
        raise ValueError("JSON has no form for how safe a UUID is")
    return str(value)


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
    UUID: (_uuid_text, UUID),
}
_READERS = {"dict": dict, **{kind.__name__: read for kind, (_, read) in _FORMS.items()}}

# No escapes: read back, two that stand for the halves of a surrogate pair would be one character.
_write = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
_read = json.JSONDecoder(object_hook=_object).decode


def _dumps(values: dict[str, Any]) -> bytes:
    return _write(values).encode("utf-8", "surrogatepass")


def _loads(body: bytes) -> dict[str, Any]:
    values: dict[str, Any] = _read(body.decode("utf-8", "surrogatepass"))
    if "_class" in values and not issubclass(load_object(values["_class"]), Request):
        raise ValueError(f"{values['_class']} is no request")
    return values
