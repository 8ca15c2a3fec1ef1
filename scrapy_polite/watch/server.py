"""The page of `scrapy polite watch --web`: a web server for one person, on 127.0.0.1.

Whoever has the address has all of it: the first segment of its path is a random token, so there is no cookie that
another page, or another server of this machine, could make use of. Besides, the Host header has to name this server,
against DNS rebinding. There is nothing to change: GET and HEAD alone. Events are those of the HTML standard, section
9.2 (server-sent events).
"""

from __future__ import annotations

import hmac
import logging
import secrets
import socket
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from scrapy_polite.runs.html import STYLE

if TYPE_CHECKING:
    from scrapy_polite.watch.feed import Feed

logger = logging.getLogger(__name__)

ADDRESS = "127.0.0.1"
#: Requests at once; more are turned away. A browser has six connections to a host.
MAX_CONNECTIONS, MAX_STREAMS = 32, 12
#: How long a client may take to say what it wants, and to read a piece of what it is sent.
REQUEST_S, SEND_S = 5.0, 10.0
#: So much has to be read in SEND_S.
_PIECE_BYTES = 16_384
_HERE = Path(__file__).parent
_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
_PAGE_POLICY = f"{_NOTHING}; script-src 'self'; style-src 'self'; connect-src 'self'"
_REPORT_POLICY = f"{_NOTHING}; style-src 'unsafe-inline'"
_HEADERS = {
    "Cache-Control": "no-store",
    "Connection": "close",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
#: Path below the token, media type, and the files that it is made of.
_FILES: Mapping[str, tuple[str, tuple[Path, ...]]] = {
    "": ("text/html; charset=utf-8", (_HERE / "page.html",)),
    "page.css": ("text/css; charset=utf-8", (STYLE, _HERE / "page.css")),
    "page.js": ("text/javascript; charset=utf-8", (_HERE / "page.js",)),
}


class WatchServer(ThreadingHTTPServer):
    """Serves one feed until `end()`. Raises OSError where the port cannot be had; port 0 is a free one."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 16

    def __init__(self, feed: Feed, port: int = 0) -> None:
        self.feed = feed
        self.token = secrets.token_urlsafe(24)
        self.streams = BoundedSemaphore(MAX_STREAMS)
        self._connections = BoundedSemaphore(MAX_CONNECTIONS)
        #: Connections whose request has not been read yet, each with the time at which that has to be done.
        self._asking: dict[socket.socket, float] = {}
        self._asking_lock = Lock()
        super().__init__((ADDRESS, port), _Handler)
        port = self.server_port
        names = (ADDRESS, "localhost")
        #: The Host headers that are answered, each as the list of all those of a request.
        self.hosts = [[f"{name}:{port}"] for name in names] + [[name] for name in names if port == 80]
        self.url = f"http://{ADDRESS}:{port}/{self.token}/"

    def end(self) -> None:
        """Let the streams end, and give the port back. `serve_forever` has to be over."""
        self.feed.ending.set()
        self.server_close()

    def asked(self, connection: socket.socket) -> None:
        """Its request is read."""
        with self._asking_lock:
            self._asking.pop(connection, None)

    # Of socketserver

    def server_bind(self) -> None:
        """Without http.server's look-up of this machine's name, which can take as long as a name server does."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        if not self._connections.acquire(blocking=False):
            self.shutdown_request(request)
            return
        with self._asking_lock:
            self._asking[request] = time.monotonic() + REQUEST_S
        try:
            super().process_request(request, client_address)
        except RuntimeError:  # no thread can be had
            self.asked(request)
            self._connections.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self.asked(request)
            self._connections.release()

    def service_actions(self) -> None:
        """Twice a second: who has not said what it wants by now is left."""
        now = time.monotonic()
        with self._asking_lock:
            late = [connection for connection, until in self._asking.items() if until < now]
            for connection in late:
                del self._asking[connection]
        for connection in late:
            with suppress(OSError):  # it may have gone by itself
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no error."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            logger.error("The page of the watch cannot be served", exc_info=error)


class _Handler(BaseHTTPRequestHandler):
    server: WatchServer
    protocol_version = "HTTP/1.1"
    server_version = "scrapy-polite"
    sys_version = ""
    timeout = REQUEST_S

    def do_GET(self) -> None:
        self.server.asked(self.connection)
        self.connection.settimeout(SEND_S)
        if [host.strip().lower() for host in self.headers.get_all("Host", [])] not in self.server.hosts:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "This server is not known by that name.")
            return
        scheme, slash, path = self.path.partition("?")[0].partition("/")
        token, below, path = path.partition("/")
        if scheme or not slash or not hmac.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(HTTPStatus.FORBIDDEN, "Open the whole address that `scrapy polite watch --web` has printed.")
        elif not below:
            self._refuse(HTTPStatus.PERMANENT_REDIRECT, "The address ends with a slash.")
        elif path == "events":
            self._events()
        elif path in _FILES:
            media_type, files = _FILES[path]
            self._send(HTTPStatus.OK, media_type, b"".join(file.read_bytes() for file in files), _PAGE_POLICY)
        elif path.startswith("report/") and (report := self.server.feed.report(unquote(path.removeprefix("report/")))):
            self._send(HTTPStatus.OK, *report, _REPORT_POLICY)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "There is no such page.")

    def do_HEAD(self) -> None:
        self.do_GET()

    def _events(self) -> None:
        """Each reading, until the client has gone, does not read for so long, or the server ends."""
        feed, streams = self.server.feed, self.server.streams
        if not streams.acquire(blocking=False):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many pages are open.")
            return
        try:
            self._head(HTTPStatus.OK, "text/event-stream; charset=utf-8", None, _NOTHING)
            while self.command == "GET" and not feed.ending.is_set():
                self._write(f"retry: 2000\ndata: {feed.newest()}\n\n".encode())
                feed.ending.wait(feed.every_s)
        finally:
            streams.release()

    def _send(self, status: HTTPStatus, media_type: str, body: bytes, policy: str) -> None:
        self._head(status, media_type, len(body), policy)
        if self.command != "HEAD":
            self._write(body)

    def _write(self, data: bytes) -> None:
        """In pieces: the time-out is for each, so that a slow line may take longer for all."""
        for at in range(0, len(data), _PIECE_BYTES):
            self.wfile.write(data[at : at + _PIECE_BYTES])

    def _head(self, status: HTTPStatus, media_type: str, size: int | None, policy: str) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Security-Policy", policy)
        self.send_header("Content-Type", media_type)
        if size is not None:
            self.send_header("Content-Length", str(size))
        if status is HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, HEAD")
        if status is HTTPStatus.PERMANENT_REDIRECT:
            self.send_header("Location", f"/{self.server.token}/")
        self.end_headers()

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        self._send(status, "text/plain; charset=utf-8", f"{text}\n".encode(), _NOTHING)

    # Of http.server

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What http.server finds wrong with a request, without repeating any of it."""
        self.server.asked(self.connection)
        # Another method is "not implemented" there.
        status = HTTPStatus.METHOD_NOT_ALLOWED if code == HTTPStatus.NOT_IMPLEMENTED else HTTPStatus(code)
        self.command = getattr(self, "command", None) or "GET"
        self.request_version = "HTTP/1.1"
        self._refuse(status, status.phrase)

    def log_message(self, *args: object) -> None:
        """Nothing: a path has the token in it."""
