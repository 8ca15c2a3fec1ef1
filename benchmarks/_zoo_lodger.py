"""Sites and traps of a lodger, who had read neither the rules nor the other sites (November 2026), as the zoo has them.

`_zoo_lodger_honest` and `_zoo_lodger_traps` are as they came, but for four helpers that both had: functions of a path,
of three sites with a token or a counter that is another one each time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from urllib.parse import urldefrag, urljoin, urlsplit

from _zoo import Answer, Asked, Site, hrefs_of
from _zoo_lodger_honest import HONEST
from _zoo_lodger_traps import TRAPS
from w3lib.url import safe_url_string

_Respond = Callable[[str], "tuple[int, str, bytes] | tuple[int, str, bytes, str]"]

#: Pages that are looked at for the first link into a trap.
_MAX_LOOKED_AT = 200


def _path(url: str) -> str:
    """What a crawler asks a host for: escaped."""
    parts = urlsplit(safe_url_string(url))
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _answer(respond: _Respond, path: str) -> Answer:
    status, kind, body, *location = respond(path)
    headers = {"Content-Type": kind}
    return Answer(status, headers | {"Location": location[0]} if location else headers, body)


def _site(name: str, respond: _Respond, inside: Callable[[str], bool] | None = None) -> Site:
    def page(asked: Asked) -> Answer:
        return _answer(respond, _path(asked.url))

    label = name.replace("_", "-")
    if inside is None:
        return Site(label, page, "/", trap=False, inside=lambda _: False)
    start = _first_inside(respond, inside)
    return Site(label, page, start, trap=True, inside=lambda url: inside(_path(url)), hosted=False)


def _first_inside(respond: _Respond, inside: Callable[[str], bool]) -> str:
    """The first link into a trap, breadth first from its home page."""
    todo, seen = deque(["/"]), {"/"}
    while todo and len(seen) < _MAX_LOOKED_AT:
        path = todo.popleft()
        for href in hrefs_of(_answer(respond, path)):
            to = _path(urldefrag(urljoin(f"http://lodger.test{path}", href)).url)
            if inside(to):
                return to
            if to not in seen:
                seen.add(to)
                todo.append(to)
    raise ValueError("no page leads into the trap")


LODGER_HONEST = [_site(name, respond) for name, respond in HONEST]
LODGER = [_site(name, respond, inside) for name, respond, inside in TRAPS]
