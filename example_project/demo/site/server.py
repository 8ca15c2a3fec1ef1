"""The web server of the demo site: all origins on loopback, in one background thread, with a log of its own."""

from __future__ import annotations

import asyncio
import math
import re
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from http import HTTPStatus

from demo.site.origins import RETRY_AFTER_S, Answer, DemoOrigin
from demo.site.pages import html

#: A request that arrives so soon after an answer may have been on its way before.
_ON_ITS_WAY_S = 0.2

#: The header in which a worker of `demo.workers` names itself.
WORKER_HEADER = "Demo-Worker"
_WORKER = re.compile(rb"(?im)^demo-worker: (worker \d+)\r$")

#: An endless space stops after so many pages: a crawl that does not leave it must end as well.
_ENOUGH_PAGES = 300
_ENOUGH = Answer(410, (b"Enough for a demo\n",))


@dataclass(slots=True)
class OriginLog:
    """What one origin was asked for, in `requests` of any kind. `rules_known`: its last answer for robots.txt was no
    outage.

    `fetched` are its pages, `trapped` those of its endless space that are not worth reading, `forbidden` which of both
    a crawl should have left alone.

    `gaps_s` are the times between an answer and the next request, where robots.txt asks for a delay and has been read;
    `early` counts the requests that came before their time: sooner than that, or during an embargo (Retry-After).
    `workers` counts the pages by the worker that fetched them, as it names itself.
    """

    requests: int = 0
    robots_requests: int = 0
    rules_known: bool = False
    fetched: list[str] = field(default_factory=list)
    trapped: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)
    gaps_s: list[float] = field(default_factory=list)
    early: int = 0
    workers: Counter[str] = field(default_factory=Counter)
    answered_at: float = 0.0
    record_failure: bool = False
    embargo: tuple[float, float] = (0.0, 0.0)

    def arrived(self, now: float, delay_s: float) -> None:
        self.requests += 1
        if delay_s and self.rules_known:
            self.gaps_s.append(max(now - self.answered_at, 0.0))
            self.early += self.gaps_s[-1] < delay_s
        self.early += self.embargo[0] < now < self.embargo[1]


class SiteServer:
    """Serves `origins` from `start()` to `close()`; the logs are complete once it is closed.

    A page counts as forbidden if the origin's row says so, and also if it is fetched before the origin's robots.txt
    could be had. `served` are origins that others need but that are no part of the site. Where the machine has no
    loopback address of its own for an origin that asks for a delay or is blacklisted, it is left out of `origins`.
    """

    def __init__(self, origins: Sequence[DemoOrigin], *, served: Sequence[DemoOrigin] = ()) -> None:
        self.origins = tuple(origins)
        self.addresses: dict[str, str] = {}
        self.logs = {origin.name: OriginLog() for origin in (*origins, *served)}
        self._all = (*origins, *served)
        self._servers: list[asyncio.Server] = []
        self._connections: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="demo-site", daemon=True)

    def start(self) -> None:
        """Raises OSError if no port can be had on the loopback interface."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(10)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _open(self) -> None:
        for origin in self._all:
            server = await self._listen(origin)
            if server is None:
                self.origins = tuple(other for other in self.origins if other is not origin)
                continue
            self._servers.append(server)
            host, port = server.sockets[0].getsockname()
            self.addresses[origin.name] = f"http://{host}:{port}"

    async def _listen(self, origin: DemoOrigin) -> asyncio.Server | None:
        connected = partial(self._serve, origin)
        try:
            return await asyncio.start_server(connected, origin.host, 0)
        except OSError:
            # macOS and the BSDs give the loopback interface one address: another port is another origin as well, but
            # no other host. One that asks for time would have all the others wait, and a blacklist that is written
            # beforehand can name a host, but no port.
            if origin.needs_own_host:
                return None
            return await asyncio.start_server(connected, "127.0.0.1", 0)

    async def _shut(self) -> None:
        for server in self._servers:
            server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _serve(self, origin: DemoOrigin, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._connections.add(task)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ", 2)[1].decode("latin-1")
                worker = _WORKER.search(head)
                await self._send(writer, await self._answer(origin, path, worker[1].decode() if worker else ""))
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass  # The client has left, as it may in the middle of 50 MB, or the site is closing.
        finally:
            self._connections.discard(task)
            writer.close()

    async def _answer(self, origin: DemoOrigin, path: str, worker: str) -> Answer:
        log = self.logs[origin.name]
        log.arrived(time.monotonic(), origin.delay_s)
        # Until it is answered, the next one is too early.
        log.answered_at = math.inf
        answer = await self._chosen(origin, log, path, worker)
        log.answered_at = time.monotonic()
        return answer

    async def _chosen(self, origin: DemoOrigin, log: OriginLog, path: str, worker: str) -> Answer:
        if path == "/robots.txt":
            answer = origin.robots[min(log.robots_requests, len(origin.robots) - 1)]
            log.robots_requests += 1
            await asyncio.sleep(answer.delay_s)
            log.rules_known = not answer.is_outage
            return replace(answer, body=(*answer.body, self._host_line(origin)))
        if path == "/sitemap.xml" and origin.in_sitemap:
            return Answer(body=(self._sitemap(origin),), content_type="application/xml")
        if path in origin.pages and origin.trouble and not log.record_failure:
            log.record_failure = True
            now = time.monotonic()
            log.embargo = now + _ON_ITS_WAY_S, now + RETRY_AFTER_S
            return origin.trouble
        if path in origin.pages or origin.made_up(path):
            is_real = path in origin.pages or path in origin.allowed
            if not is_real and len(log.trapped) >= _ENOUGH_PAGES:
                return _ENOUGH
            (log.fetched if is_real else log.trapped).append(path)
            log.workers[worker] += 1
            if origin.forbids(path) or not log.rules_known:
                log.forbidden.append(path)
            await asyncio.sleep(origin.page_delay_s)
            return Answer(body=(html(origin, path, self.origins, self.addresses),), content_type="text/html")
        return origin.files.get(path, Answer(404, (b"Not found\n",)))

    async def _send(self, writer: asyncio.StreamWriter, answer: Answer) -> None:
        headers = [
            ("Content-Type", f"{answer.content_type}; charset=utf-8"),
            ("Content-Length", str(sum(map(len, answer.body)))),
            *answer.headers,
        ]
        if answer.redirect_to is not None:
            headers.append(("Location", self._location(answer.redirect_to)))
        lines = [f"HTTP/1.1 {answer.status} {HTTPStatus(answer.status).phrase}", *(f"{k}: {v}" for k, v in headers)]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        for chunk in answer.body:
            writer.write(chunk)
            await writer.drain()

    def _host_line(self, origin: DemoOrigin) -> bytes:
        return f"Host: {self.addresses[origin.main].partition('//')[2]}\n".encode() if origin.main else b""

    def _sitemap(self, origin: DemoOrigin) -> bytes:
        urls = "".join(
            f"<url><loc>{escape(self.addresses[origin.name] + path)}</loc></url>"
            for path in origin.in_sitemap + origin.forbidden
        )
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()

    def _location(self, target: str | tuple[str, str]) -> str:
        if isinstance(target, str):
            return target
        name, path = target
        return self.addresses[name] + path
