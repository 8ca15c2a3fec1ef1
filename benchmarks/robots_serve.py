"""What it takes to serve the robots.txt of a large site: a million rules, 500 requests a second, on one core.

    python benchmarks/robots_serve.py [--hosts 100000] [--seconds 20]

100,000 hosts with ten rules each are stored. uvicorn serves them in one process on one core, first with nothing in
memory, then with the hosts of an access log of two million requests, the most wanted first, in memory; then gunicorn,
in one process of eight threads. A client on the other core asks at a constant rate, whether answers have come or not,
for hosts as they are wanted in reality: the n-th as often as 1/n^1.1 (Zipf). A tenth of the requests bring a validator.
Times are from when a request was due to the end of its answer. Exits with 1 where more than one of 100 takes 100 ms, or
fewer than 95 of 100 are answered from memory once that is warm.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from scrapy_polite.serve import RobotsStore

RATE, P99_S, HITS = 500, 0.1, 0.95
CONNECTIONS = 50
#: One process on one core each.
SERVERS = {
    "uvicorn": ("--log-level", "error", "app:application"),
    "gunicorn": ("--threads", "8", "--log-level", "error", "app"),
}
_FD = {"uvicorn": "--fd=", "gunicorn": "--bind=fd://"}
_APP = """
import atexit, json, os
from scrapy_polite.serve import AsgiApp, WsgiApp
with open("log") as file:
    application = {"uvicorn": AsgiApp, "gunicorn": WsgiApp}[os.environ["SERVER"]](
        "robots.sqlite", warm=file.read().split()
    )
atexit.register(lambda: open("figures", "w").write(json.dumps(application.figures.facts())))
"""


def rules(hosts: int) -> Iterator[tuple[str, bytes]]:
    """Ten rules a host, in five tables."""
    for number in range(hosts):
        tables = [
            f'[[rule]]\nagents = [{agents}]\nallow = ["/{number}/{part}/open/"]\ndisallow = ["/{number}/{part}/"]\n'
            for part, agents in enumerate(('"*"', '"*", "Abot"', '"Bbot"', '"Cbot", "Dbot"', '"*"'))
        ]
        yield f"h{number}.example", "".join(tables).encode()


class Wanted:
    """Hosts by Zipf's law, in an order that has nothing to do with that in which they were stored."""

    def __init__(self, hosts: int, seed: int) -> None:
        self._hosts = [f"h{number}.example" for number in range(hosts)]
        random.Random(1).shuffle(self._hosts)
        self._weights = list(accumulate(1 / rank**1.1 for rank in range(1, hosts + 1)))
        self._random = random.Random(seed)

    def some(self, count: int) -> list[str]:
        return self._random.choices(self._hosts, cum_weights=self._weights, k=count)


async def asked(port: int, hosts: list[str]) -> list[float]:
    """Ask for the robots.txt of these at the rate; the seconds that each took."""
    free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    took: list[float] = []

    async def one(number: int, host: str, due: float) -> None:
        reader, writer = await free.get()
        extra = 'If-None-Match: "x"\r\n' if number % 10 == 0 else ""
        writer.write(f"GET /robots.txt HTTP/1.1\r\nHost: {host}\r\n{extra}\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        await reader.readexactly(length)
        took.append(time.perf_counter() - due)
        free.put_nowait((reader, writer))

    begun = time.perf_counter()
    tasks = []
    for number, host in enumerate(hosts):
        due = begun + number / RATE
        if (early := due - time.perf_counter()) > 0:
            await asyncio.sleep(early)
        tasks.append(asyncio.create_task(one(number, host, due)))
    await asyncio.gather(*tasks)
    return took


def trial(
    server_name: str, folder: Path, log: list[str], hosts: list[str]
) -> tuple[list[float], dict[str, float], float]:
    """Times, the server's figures, and its share of the core."""
    (folder / "log").write_text("\n".join(host for host, _ in Counter(log).most_common()))
    with socket.create_server(("127.0.0.1", 0), backlog=256) as listening:
        cores = sorted(os.sched_getaffinity(0))
        server = subprocess.Popen(
            [sys.executable, "-m", server_name, *SERVERS[server_name], f"{_FD[server_name]}{listening.fileno()}"],
            cwd=folder,
            pass_fds=[listening.fileno()],
            env=dict(os.environ)
            | {"SERVER": server_name, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])},
        )
        try:
            os.sched_setaffinity(server.pid, cores[:1])
            os.sched_setaffinity(0, cores[1:] or cores)
            port = listening.getsockname()[1]
            asyncio.run(asked(port, hosts[:CONNECTIONS]))  # which waits until the server has started
            before = _cpu_s(server.pid)
            took = asyncio.run(asked(port, hosts))
            cpu = (_cpu_s(server.pid) - before) / (len(hosts) / RATE)
        finally:
            server.send_signal(signal.SIGINT)  # by SIGTERM it ends without a last word
            server.wait(60)
            os.sched_setaffinity(0, cores)
    figures: dict[str, float] = json.loads((folder / "figures").read_text())
    return sorted(took), figures, cpu


def _cpu_s(process: int) -> float:
    """Of a process and its children."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + sum(map(_cpu_s, map(int, children)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "app.py").write_text(_APP)
        store = RobotsStore(folder / "robots.sqlite")
        begun = time.perf_counter()
        store.publish_many(rules(options.hosts), now=time.time(), reason="benchmark")
        store.close()
        size = (folder / "robots.sqlite").stat().st_size
        print(
            f"{10 * options.hosts:,} rules of {options.hosts:,} hosts stored in {time.perf_counter() - begun:.0f} s, "
            f"{size / options.hosts:,.0f} bytes a host"
        )
        hosts = Wanted(options.hosts, 2).some(RATE * options.seconds)
        log = Wanted(options.hosts, 3).some(2_000_000)
        for server, what, known in (
            ("uvicorn", "nothing in memory", []),
            ("uvicorn", "warm", log),
            ("gunicorn", "warm", log),
        ):
            took, figures, cpu = trial(server, folder, known, hosts)
            p50, p99 = (took[int(share * len(took))] for share in (0.5, 0.99))
            print(
                f"{server:<8} {what:<18} {len(took):,} requests, {RATE}/s: median {1000 * p50:.1f} ms, "
                f"p99 {1000 * p99:.1f} ms (limit {1000 * P99_S:g} ms), worst {1000 * took[-1]:.0f} ms; "
                f"{100 * cpu:.0f} % of a core; from memory {100 * figures['hit_ratio']:.1f} %"
            )
            failed = failed or p99 >= P99_S or (bool(known) and figures["hit_ratio"] < HITS)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
