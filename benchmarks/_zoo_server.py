"""The zoo on the web: all its sites, by host name and for one seed, behind one port of 127.0.0.1, in an own process.

It is the crawl's proxy (`http_proxy` and `https_proxy`, as any crawl may have one), so that the sites keep their names
and every host of a wildcard domain is there. It notes every request but those for robots.txt, of which there is none.
The process ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from _zoo import HTML, SUFFIX, Answer
from _zoo_sets import SITES, beside
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from w3lib.url import safe_url_string

from scrapy_polite.visited.canonical import key

if TYPE_CHECKING:
    from _zoo import Site
    from typing_extensions import Self


class Visited(NamedTuple):
    """What the server saw of one site: requests inside its trap; its honest pages, and how many of them were asked for.

    `requests` are all; `early` is the share of them that went into the trap when 95 % of the honest pages were in.
    """

    requests: int
    trapped: int
    reached: int
    honest: int
    early: float


class Server:
    """The process, as a context manager; nothing else on the machine can reach it by accident."""

    def __init__(self, seed: int, *, beside: bool = False) -> None:
        self._seed = seed
        self._beside = beside

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(self._seed), *["beside"][: self._beside]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = f"http://127.0.0.1:{self._line()}"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def visited(self, names: Sequence[str]) -> dict[str, Visited]:
        """What has come in since it began, for the sites of these names."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(list(names)) + "\n")
        self._process.stdin.flush()
        return {name: Visited(*figures) for name, figures in json.loads(self._line()).items()}

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip()


class _Zoo:
    def __init__(self, seed: int, sites: Mapping[str, Site]) -> None:
        self._seed = seed
        self._sites = sites
        self._early: dict[str, float] = {}
        self._honest_pages: dict[str, set[str]] = {}
        self._requests: Counter[str] = Counter()
        self._trapped: Counter[str] = Counter()
        self._honest: dict[str, set[str]] = {name: set() for name in sites}

    def answer(self, url: str) -> Answer:
        host, _, rest = url.partition("://")[2].partition("/")
        name = host.rpartition("." + SUFFIX)[0].rpartition(".")[2]
        if rest == "robots.txt" or name not in self._sites:
            return Answer(404, HTML, b"")
        site = self._sites[name]
        self._requests[name] += 1
        if site.inside(url):
            self._trapped[name] += 1
        elif url not in self._honest[name]:
            self._honest[name].add(url)
            honest = self._pages_of(name)
            if name not in self._early and 20 * len(self._honest[name] & honest) >= 19 * len(honest):
                self._early[name] = self._trapped[name] / self._requests[name]
        return site.get(url, self._seed)

    def visited(self, name: str) -> Visited:
        honest = self._pages_of(name)
        missed = honest - self._honest[name]
        if missed:
            missed -= self._asked_otherwise(name, missed)
        reached = len(honest) - len(missed)
        return Visited(self._requests[name], self._trapped[name], reached, len(honest), self._early.get(name, 1.0))

    def _asked_otherwise(self, name: str, missed: set[str]) -> set[str]:
        """Those that were asked for by another URL, which is the same for the visited set and has the same answer: with
        its parameters in another order, without a session's id."""
        asked: dict[str, list[str]] = {}
        for url in self._honest[name]:
            asked.setdefault(key(url), []).append(url)

        def body(url: str) -> bytes:
            return self._sites[name].get(url, self._seed).body

        return {url for url in missed if any(body(other) == body(url) for other in asked.get(key(url), ()))}

    def _pages_of(self, name: str) -> set[str]:
        """The honest pages of a site; none of one that is too large for all to be asked for."""
        pages = self._honest_pages.get(name)
        if pages is None:
            site = self._sites[name]
            # As a crawler asks for them: escaped.
            pages = set() if site.most else {*map(safe_url_string, site.honest_pages(self._seed))}
            self._honest_pages[name] = pages
        return pages


class _Connection(asyncio.Protocol):
    def __init__(self, zoo: _Zoo, tls: ssl.SSLContext) -> None:
        self._zoo = zoo
        self._tls = tls
        self._buffer = b""
        self._origin = ""
        self._upgrade: asyncio.Task[None] | None = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        # The first request within TLS may come before the task of its handshake goes on.
        if self._upgrade is None or self._upgrade.done():
            self._answer()

    def _answer(self) -> None:
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            method, target = head.decode().split(" ", 2)[:2]
            if method == "CONNECT":
                self._origin = f"https://{target.removesuffix(':443')}"
                self._upgrade = asyncio.ensure_future(self._tunnel())
                return
            self._write(self._zoo.answer(self._origin + target))

    async def _tunnel(self) -> None:
        self._transport.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        loop = asyncio.get_running_loop()
        self._transport = await loop.start_tls(self._transport, self, self._tls, server_side=True)
        self._answer()

    def _write(self, answer: Answer) -> None:
        lines = {"Content-Length": str(len(answer.body))} | answer.headers
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        status = f"{answer.status} {HTTPStatus(answer.status).phrase}"
        self._transport.write(f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + answer.body)


def _tls() -> ssl.SSLContext:
    """With a certificate that nobody has signed: Scrapy asks for no better one."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"*.{SUFFIX}")])
    now = datetime.now(timezone.utc)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(f"*.{SUFFIX}")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory() as folder:
        pem = Path(folder, "zoo.pem")
        form = serialization.PrivateFormat.PKCS8
        encoding = serialization.Encoding.PEM
        plain = serialization.NoEncryption()
        pem.write_bytes(key.private_bytes(encoding, form, plain) + certificate.public_bytes(encoding))
        context.load_cert_chain(pem)
    return context


async def _serve(seed: int, *, is_beside: bool) -> None:
    loop = asyncio.get_running_loop()
    sites = {name: beside(site) if is_beside and site.trap else site for name, site in SITES.items()}
    zoo, tls = _Zoo(seed, sites), _tls()
    questions = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(questions), sys.stdin)
    server = await loop.create_server(lambda: _Connection(zoo, tls), "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    while question := await questions.readline():
        print(json.dumps({name: zoo.visited(name) for name in json.loads(question)}), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1]), is_beside="beside" in sys.argv))
