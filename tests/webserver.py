"""A web server of several origins on loopback for tests: answers from a table, writes down what it was asked.

It stops with its `with` block. Addresses 127.0.0.1, .2, .3 ... are different hosts to a crawler.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from typing_extensions import Self


@dataclass(frozen=True)
class Answer:
    """What the server says: after `delay_s`, `status`, `headers` and `body` (bytes, or pieces sent one by one).

    With `drop` the connection is closed without an answer; with `promise` that is the Content-Length, true or not.
    `reason` is the status line's phrase; `more_headers` are sent as they are, piece by piece, after the others.
    """

    status: int = 200
    body: bytes | Iterable[bytes] = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    drop: bool = False
    promise: int | None = None
    reason: str | None = None
    more_headers: Iterable[bytes] = ()


@dataclass(frozen=True)
class Asked:
    """One request that reached the server; `at` is monotonic seconds, `body` what was posted."""

    at: float
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


Table = Mapping[str, "Answer | list[Answer] | Callable[[Asked], Answer]"]

PAGE = b"<html><body><p>A page.</p></body></html>"


class Origin:
    """One address and port with its own table: path -> Answer, a list of them (one after another, the last stays), or a
    function. A path that is not in the table is a page, and /robots.txt a 404.

    `asked` is the server's log; `sent_bytes` is what it could send of its bodies and `more_headers`, some of it perhaps
    into a void.
    """

    def __init__(self, table: Table, address: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> None:
        self.table: dict[str, Any] = {
            path: answer[:] if isinstance(answer, list) else answer for path, answer in table.items()
        }
        self.asked: list[Asked] = []
        self.sent_bytes = 0
        self._stopping = threading.Event()
        origin = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body are two writes: the second would wait some 40 ms for the client's delayed ACK of the first.
            disable_nagle_algorithm = True

            def do_GET(self, body: bytes = b"") -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                asked = Asked(time.monotonic(), self.path, headers, body)
                origin.asked.append(asked)
                try:
                    origin._answer(self, asked)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

            def do_POST(self) -> None:
                self.do_GET(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

            def log_message(self, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            block_on_close = False
            request_queue_size = 128

            def handle_error(self, request: object, client_address: object) -> None:
                pass  # a client that hangs up is part of what is tested

        self._server = Server((address, 0), Handler)
        if tls:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://{address}:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stopping.set()
        self._server.shutdown()
        self._server.server_close()

    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [asked.path for asked in self.asked]

    def pages(self) -> list[str]:
        return [path for path in self.paths() if path != "/robots.txt"]

    def robots_fetches(self) -> int:
        return self.paths().count("/robots.txt")

    def _answer(self, handler: BaseHTTPRequestHandler, asked: Asked) -> None:
        answer = self._chosen(asked)
        if answer.delay_s and self._stopping.wait(answer.delay_s):
            return
        if answer.drop:
            handler.close_connection = True
            return
        pieces = [answer.body] if isinstance(answer.body, bytes) else answer.body
        handler.send_response(answer.status, answer.reason)
        for name, value in answer.headers.items():
            handler.send_header(name, value)
        if isinstance(answer.body, bytes) or answer.promise is not None:
            handler.send_header("Content-Length", str(len(answer.body) if answer.promise is None else answer.promise))
        if not isinstance(answer.body, bytes) or answer.promise is not None:
            handler.send_header("Connection", "close")
            handler.close_connection = True
        if answer.more_headers:
            handler.flush_headers()
            self._send(handler, answer.more_headers)
        handler.end_headers()
        self._send(handler, pieces)

    def _send(self, handler: BaseHTTPRequestHandler, pieces: Iterable[bytes]) -> None:
        for piece in pieces:
            if self._stopping.is_set():
                return
            handler.wfile.write(piece)
            self.sent_bytes += len(piece)

    def _chosen(self, asked: Asked) -> Answer:
        default = (
            Answer(404) if asked.path == "/robots.txt" else Answer(body=PAGE, headers={"Content-Type": "text/html"})
        )
        chosen = self.table.get(asked.path, default)
        if isinstance(chosen, list):
            return chosen.pop(0) if len(chosen) > 1 else chosen[0]
        return chosen if isinstance(chosen, Answer) else chosen(asked)


def robots(text: str, **headers: str) -> Answer:
    return Answer(body=text.encode(), headers={"Content-Type": "text/plain"} | headers)


def self_signed(folder: Path, address: str) -> ssl.SSLContext:
    """TLS for a server of one address."""
    key, name, now = ec.generate_private_key(ec.SECP256R1()), x509.Name([]), datetime.now(timezone.utc)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "tls.pem"
    private = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(key.private_bytes(*private) + signed.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
