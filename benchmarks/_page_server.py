"""A web server for benchmarks of CPU and of the event loop, in a process of its own: as little as can be."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

#: What stands at a path that ends in this number, None for any other path: a body and its type.
Pages = Callable[[int | None], tuple[bytes, bytes]]


class _Connection(asyncio.Protocol):
    def __init__(self, pages: Pages, latency_s: float) -> None:
        self.pages, self.latency_s = pages, latency_s

    def connection_made(self, transport: Any) -> None:
        self.transport, self.buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            request, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
            number = request.partition(b" ")[2].partition(b" ")[0].rpartition(b"/")[2]
            body, kind = self.pages(int(number) if number.isdigit() else None)
            answer = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body), body)
            if self.latency_s:
                asyncio.get_running_loop().call_later(self.latency_s, self.transport.write, answer)
            else:
                self.transport.write(answer)


async def serve(pages_at: Callable[[int], Pages], hosts: int = 1, latency_s: float = 0.0) -> None:
    """Serve what is at a port on 127.0.0.1 to .`hosts`, each answer so much later; say the port; end when standard
    input ends."""
    loop = asyncio.get_running_loop()
    pages: list[Pages] = []
    first = await loop.create_server(lambda: _Connection(pages[0], latency_s), "127.0.0.1", 0, backlog=256)
    port = first.sockets[0].getsockname()[1]
    pages.append(pages_at(port))
    for last in range(2, hosts + 1):
        await loop.create_server(lambda: _Connection(pages[0], latency_s), f"127.0.0.{last}", port)
    print(port, flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


@contextmanager
def served(command: Sequence[str]) -> Iterator[int]:
    """The port of a server in a process of its own, which `command` starts and `serve` is."""
    server = subprocess.Popen([sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield int(server.stdout.readline())
    finally:
        assert server.stdin is not None
        server.stdin.close()
        server.wait(10)
