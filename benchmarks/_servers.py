"""Local sites for benchmarks of pacing: many loopback addresses on one port, in a process that logs every request.

What a path means (`<n>` is any word, which keeps URLs apart):

    /page/<n>          200, a small page
    /tree/<n>          200, a page that links to eight further ones (and to some seen before), below 5,000 by default;
                       with `mixed` some of the last ones are of another kind, and some name a picture, /file/<n>
    /file/<n>          200, the same
    /moved/<host>/<n>  302 to /page/moved-<n> of that host
    /post/<n>          200, a small page; meant for POST
    /fails-once/<n>    500 the first time, 200 from then on
    /drops-once/<n>    the connection is closed without an answer the first time
    /drops/<n>         always so
    /error/<n>         500 always

Times are of `time.monotonic`, which on Linux is one clock for all processes. The process ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import math
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing_extensions import Self

LINKS = 8
#: Of so many pages of a host one is of each kind that is mixed in; of so many one names a picture.
_KINDS, _FILES = 8, 4
HANGS = "hangs"
#: No two pages are the same: a crawl would be right to leave them.
PAGE = "<html><body><p>the page {}</p></body></html>"
#: By the path's first word; 0 closes the connection.
STATUS = {"page": 200, "file": 200, "post": 200, "fails-once": 500, "drops-once": 0, "drops": 0, "error": 500}


@dataclass(frozen=True, slots=True)
class Host:
    """One site. `robots`: the body of its robots.txt, None for 404, a status such as 503, or `HANGS`: no answer ever.

    `latency_s` passes before each answer. With `outage_s` all pages answer 503 with Retry-After from the first request
    on for so long. `tree` bounds the numbers that /tree/ links to. `mixed`: kinds of path that one in eight of its
    last pages is of, each, and whether (`file`) one page in four names a picture of the next host.
    """

    robots: str | int | None = ""
    latency_s: float = 0.0
    outage_s: float = 0.0
    tree: int = 5_000
    mixed: tuple[str, ...] = ()


class Hit(NamedTuple):
    """A request as the server saw it: when its headers were complete, host, path, status (0: none was sent)."""

    at: float
    host: str
    path: str
    status: int


def addresses(count: int, block: int = 0) -> list[str]:
    """Return loopback addresses, those of different blocks (0 to 255) different ones."""
    return [f"127.0.{block}.{last}" for last in range(1, count + 1)]


def tree_path(number: int, hosts: Sequence[str], first: Host) -> str:
    """What a page of a tree is linked to as; `first` is the first of the hosts."""
    turn = _turn(number, hosts) % _KINDS
    kinds = [kind for kind in first.mixed if kind != "file"]
    last = LINKS * number + 1 >= first.tree
    kind = kinds[turn] if last and turn < len(kinds) else "tree"
    return f"/moved/{_next(number, hosts)}/{number}" if kind == "moved" else f"/{kind}/{number}"


def tree_file(number: int, hosts: Sequence[str], first: Host) -> tuple[str, str] | None:
    """Host and path of the picture that a page names."""
    if "file" not in first.mixed or _turn(number, hosts) % _FILES:
        return None
    return _next(number, hosts), f"/file/{number}"


def tree_requests(hosts: Mapping[str, Host]) -> Counter[str]:
    """How often a crawl of a whole tree asks for what, by host and path; robots.txt left out."""
    names = list(hosts)
    first = hosts[names[0]]
    asked: Counter[str] = Counter()
    for number in range(first.tree):
        host, path = names[number % len(names)], tree_path(number, names, first)
        asked[host + path] += 2 if path.startswith("/fails-once/") else 1
        if path.startswith("/moved/"):
            asked[f"{_next(number, names)}/page/moved-{number}"] += 1
        elif path.startswith("/tree/") and (file := tree_file(number, names, first)):
            asked["".join(file)] += 1
    return asked


def _turn(number: int, hosts: Sequence[str]) -> int:
    """So that no two hosts have the same kind at the same time."""
    return number // len(hosts) + number


def _next(number: int, hosts: Sequence[str]) -> str:
    return hosts[(number + 1) % len(hosts)]


class Servers:
    """The sites by address, as a context manager. Nothing else on the machine can reach them."""

    def __init__(self, hosts: Mapping[str, Host]) -> None:
        self._hosts = hosts

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = int(self._ask({host: asdict(site) for host, site in self._hosts.items()}))
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def url(self, host: str, path: str) -> str:
        return f"http://{host}:{self.port}/{path}"

    def hits(self) -> list[Hit]:
        """Return what came in since the last call, by time."""
        return sorted(Hit(*hit) for hit in self._ask("hits"))

    def _ask(self, question: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())


class _Sites:
    def __init__(self, hosts: Mapping[str, Host]) -> None:
        self.hosts = hosts
        self.port = 0
        self.hits: list[Hit] = []
        self._seen: Counter[str] = Counter()
        self._outage_until: dict[str, float] = {}

    def answer(self, host: str, path: str, now: float) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body; the status 0 closes the connection, -1 never answers."""
        site = self.hosts[host]
        if path == "/robots.txt":
            return _robots(site.robots)
        if site.outage_s:
            left = self._outage_until.setdefault(host, now + site.outage_s) - now
            if left > 0:
                return 503, {"Retry-After": str(math.ceil(left))}, "out of order"
        kind, _, name = path.removeprefix("/").partition("/")
        self._seen[host + path] += 1
        if kind.endswith("-once") and self._seen[host + path] > 1:
            return 200, {}, PAGE.format(path)
        if kind == "tree":
            return 200, {}, self._links(int(name))
        if kind == "moved":
            host, _, name = name.partition("/")
            return 302, {"Location": f"http://{host}:{self.port}/page/moved-{name}"}, ""
        return STATUS.get(kind, 404), {}, PAGE.format(path)

    def _links(self, number: int) -> str:
        hosts = list(self.hosts)
        first = self.hosts[hosts[0]]
        numbers = [number // 2, *range(LINKS * number + 1, LINKS * number + LINKS + 1)]
        paths = ((hosts[n % len(hosts)], tree_path(n, hosts, first)) for n in numbers if n < first.tree)
        links = "".join(f'<a href="http://{host}:{self.port}{path}">link</a>\n' for host, path in paths)
        if file := tree_file(number, hosts, first):
            links += f'<img src="http://{file[0]}:{self.port}{file[1]}">'
        return f"<html><body><h1>Page {number}</h1>{links}"


def _robots(robots: str | int | None) -> tuple[int, dict[str, str], str]:
    if robots == HANGS:
        return -1, {}, ""
    if isinstance(robots, int) or robots is None:
        return robots or 404, {}, "no robots.txt"
    return 200, {"Content-Type": "text/plain"}, robots


class _Connection(asyncio.Protocol):
    def __init__(self, sites: _Sites) -> None:
        self._sites = sites
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            now = time.monotonic()
            request, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            path = request.split(b" ", 2)[1].decode()
            host = self._transport.get_extra_info("sockname")[0]
            status, headers, body = self._sites.answer(host, path, now)
            self._sites.hits.append(Hit(now, host, path, status))
            if status >= 0:
                wait_s = self._sites.hosts[host].latency_s
                asyncio.get_running_loop().call_later(wait_s, self._answer, status, headers, body.encode())

    def _answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
        if not status:
            self._transport.close()
        if self._transport.is_closing():
            return
        lines = {"Content-Type": "text/html", "Content-Length": str(len(body))} | headers
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        self._transport.write(f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{head}\r\n".encode() + body)


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    questions = asyncio.StreamReader(limit=2**24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(questions), sys.stdin)
    hosts = {host: Host(**site) for host, site in json.loads(await questions.readline()).items()}
    sites = _Sites(hosts)
    for host in hosts:
        server = await loop.create_server(lambda: _Connection(sites), host, sites.port, backlog=256)
        sites.port = server.sockets[0].getsockname()[1]
    print(sites.port, flush=True)
    while await questions.readline():
        hits, sites.hits = sites.hits, []
        print(json.dumps(hits), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve())
