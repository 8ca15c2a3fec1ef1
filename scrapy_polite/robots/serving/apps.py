"""`RobotsServer` behind WSGI (PEP 3333) and ASGI (asgi.readthedocs.io, specification 2 and 3)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from scrapy_polite.robots.serving.server import MAX_AGE_S, MEMORY_BYTES, Request, RobotsServer
from scrapy_polite.robots.serving.store import RobotsStore

if TYPE_CHECKING:
    from scrapy_polite.robots.serving.figures import Figures

_Message: TypeAlias = MutableMapping[str, Any]
_LINES = {status.value: f"{status.value} {status.phrase}" for status in HTTPStatus}


class _App:
    """What both have."""

    def __init__(
        self,
        store: Path | str,
        *,
        warm: int | Iterable[str] = 10_000,
        memory_bytes: int = MEMORY_BYTES,
        max_age_s: int = MAX_AGE_S,
        client_header: str = "",
    ) -> None:
        self.server = RobotsServer(
            # One that were made here, of a path that is wrong, would open all hosts.
            RobotsStore(store, make=False),
            memory_bytes=memory_bytes,
            max_age_s=max_age_s,
            client_header=client_header,
        )
        if isinstance(warm, int):
            self.server.warm_newest(warm)
        else:
            self.server.warm(warm)

    @property
    def figures(self) -> Figures:
        """What is measured of serving."""
        return self.server.figures


class WsgiApp(_App):
    """A WSGI application that serves /robots.txt of all hosts in a store.

    `store` is the path of a `RobotsStore`. `warm` are hosts that are read before any is asked for, such as those of an
    access log, the most wanted first; or how many of those that changed last. `memory_bytes` bounds what is kept in
    memory, `max_age_s` is told to crawlers, and `client_header` names the header in which your own proxy puts the
    client's address, for canaries. `figures` has what is measured.

    Raises StoreError where the store cannot be opened.
    """

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        named = ""
        if self.server.client_header:
            named = environ.get(f"HTTP_{self.server.client_header.upper().replace('-', '_')}", "")
        answer = self.server.answer(
            Request(
                method=environ["REQUEST_METHOD"],
                path=environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", ""),
                host=environ.get("HTTP_HOST", ""),
                client=_client(named, environ.get("REMOTE_ADDR", "")),
                if_none_match=environ.get("HTTP_IF_NONE_MATCH", ""),
                accept_encoding=environ.get("HTTP_ACCEPT_ENCODING", ""),
            )
        )
        start_response(_LINES[answer.status], answer.headers)
        return [] if environ["REQUEST_METHOD"] == "HEAD" else [answer.body]


class AsgiApp(_App):
    """The same as an ASGI application. What is not in memory is read in a thread, so that others need not wait."""

    async def __call__(
        self,
        scope: _Message,
        receive: Callable[[], Awaitable[_Message]],
        send: Callable[[_Message], Awaitable[None]],
    ) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            raise ValueError(f"scope {scope['type']!r}: this application serves http")
        headers: dict[bytes, str] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, value.decode("latin-1"))
        client = scope.get("client")
        request = Request(
            method=scope["method"],
            path=scope["path"],
            host=headers.get(b"host", ""),
            client=_client(headers.get(self.server.client_header.lower().encode(), ""), client[0] if client else ""),
            if_none_match=headers.get(b"if-none-match", ""),
            accept_encoding=headers.get(b"accept-encoding", ""),
        )
        answer = self.server.known(request)
        if answer is None:
            answer = await asyncio.to_thread(self.server.answer, request)
        pairs = [(name.lower().encode(), value.encode()) for name, value in answer.headers]
        await send({"type": "http.response.start", "status": answer.status, "headers": pairs})
        await send({"type": "http.response.body", "body": b"" if request.method == "HEAD" else answer.body})


def _client(named: str, peer: str) -> str:
    """Of `a, b, c` in the proxy's header the last one, which the proxy itself has added; else who has connected."""
    return named.rpartition(",")[2].strip() or peer


async def _lifespan(receive: Callable[[], Awaitable[_Message]], send: Callable[[_Message], Awaitable[None]]) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
