"""What a million real URLs cost the server of a shared queue: a row of `scale_out.py`, of the scripts without a crawl.

The corpus is sorted, with 3.9 URLs of a site, so a batch of 100 pushes is of some 26 sites. A page is pushed once, and
pushed again by each other process that finds a link to it: a process knows what it has pushed itself.
"""

from __future__ import annotations

import lzma
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import Any

from _crawls import verdict

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from scrapy import Request  # noqa: E402

from redis_server import RedisServer  # noqa: E402
from scrapy_polite._redis.url import RedisUrl  # noqa: E402
from scrapy_polite.frontier.codec import Codec  # noqa: E402
from scrapy_polite.frontier.redis.batch import Batch, Take  # noqa: E402
from scrapy_polite.frontier.redis.operations import Operation, print_of  # noqa: E402
from scrapy_polite.frontier.redis.outbox import BATCH  # noqa: E402
from scrapy_polite.frontier.redis.session import Session  # noqa: E402
from scrapy_polite.origin import Origin  # noqa: E402

URLS, KNOWN, TAKEN, LEFT_BEHIND = 1_000_000, 200_000, 200_000, 100_000
SLICE = 20_000
PROCESSES = 4
#: Hosts that a process asks for at a time, and requests of each: as CONCURRENT_REQUESTS 16 does.
_HOSTS, _EACH = 16, 8
#: The log is of wall clock time: the server is to be interrupted by nothing.
_NICE = -20


def real_urls(number: int) -> Iterator[str]:
    """Those of the corpus; then the same of sites by other names, until there are enough."""
    corpus = Path(os.environ.get("POLITE_CORPUS", HERE.parents[1] / "shared" / "corpus"))
    with lzma.open(corpus / "urls" / "real_urls.txt.xz", "rt", encoding="utf-8", errors="replace") as file:
        real = list(dict.fromkeys(islice((line.strip() for line in file), number)))
    left = number
    for copy in count():
        for url in real:
            if not left:
                return
            left -= 1
            yield url.replace("://", f"://c{copy}.", 1) if copy else url


def pushes(urls: Iterable[str]) -> Iterator[Operation]:
    codec = Codec()
    for url in urls:
        try:
            origin, request = Origin.from_url(url), Request(url)
        except ValueError:
            continue
        encoded, mark = codec.encode(request, None), print_of(url.encode())
        yield Operation.push(origin.host, str(origin), (0, 10**15), request, encoded, mark)


def push_some(session: Session, rest: Iterator[Operation]) -> int:
    """How many were pushed."""
    pushed = 0
    while pushed < SLICE and (batch := list(islice(rest, BATCH))):
        session.apply(Batch.of(batch), again=False)
        pushed += len(batch)
    return pushed


def take_some(session: Session, number: int) -> int:
    """Hosts are claimed, their requests taken and begun; those of the claim before are acknowledged, and its hosts
    released."""
    done = 0
    before: list[Operation] = []
    while done < number:
        _, claimed, _, _ = session.apply(Batch.of(before), again=False, take=Take(_HOSTS, 60.0, _EACH))[-1]
        taken = [first + at for _, _, first, bodies, _ in claimed for at in range(len(bodies))]
        session.apply(Batch.of(Operation(("S", number), 0, number=number) for number in taken), again=False)
        before = [Operation(("D", number), 0, number=number) for number in taken]
        before += [Operation(("R", state[0], 0), 0) for state, *_ in claimed]
        done += len(taken)
    session.apply(Batch.of(before), again=False)
    return done


class Timed(Session):
    """Knows the longest time, in seconds of the server's CPU, that one call took: the server's log of slow commands
    goes by the wall clock, and so counts what else this machine does."""

    def __init__(self, server: RedisServer, job: str) -> None:
        super().__init__(RedisUrl.parse(server.url), job, 600.0)
        self.server = server
        self.longest_s = 0.0

    def apply(self, batch: Batch, *, again: bool, take: Take | None = None) -> Sequence[Any]:
        return self._timed(lambda: Session.apply(self, batch, again=again, take=take))

    def take(self, take: Take) -> Sequence[Any]:
        return self._timed(lambda: Session.take(self, take))

    def _timed(self, call: Callable[[], Sequence[Any]]) -> Sequence[Any]:
        before = self._cpu_ns()
        answer = call()
        self.longest_s = max(self.longest_s, (self._cpu_ns() - before) / 1e9)
        return answer

    def _cpu_ns(self) -> int:
        """Of the server's main thread, by Linux's scheduler."""
        return int(Path(f"/proc/{self.server.pid}/schedstat").read_text().split()[0])


def cleared_up(client: Any, session: Timed) -> tuple[float, Timed]:
    """How long it takes another process to clear up after one that has taken and begun 100,000 requests; that one."""
    taken = 0
    while taken < LEFT_BEHIND:
        claimed = session.take(Take(64, 60.0, 100))[1]
        numbers = [first + at for _, _, first, bodies, _ in claimed for at in range(len(bodies))]
        session.apply(Batch.of([Operation(("S", number), 0, number=number) for number in numbers]), again=False)
        taken += len(numbers)
    client.zadd(session.prefix + "w", {session.worker: 2})
    other = Timed(session.server, session.job)
    other.connect(in_doubt=False)
    began = time.monotonic()
    while other.apply(Batch.of([Operation(("C",), 0)]), again=False)[0] == b"+":
        pass
    return time.monotonic() - began, other


def server_cpu_s(server: RedisServer) -> float:
    import redis

    cpu = redis.Redis(port=server.port).info("cpu")
    return float(cpu["used_cpu_user"] + cpu["used_cpu_sys"])


def row_urls(seed: int) -> bool:
    import redis

    with RedisServer(("slowlog-log-slower-than", "2000"), ("slowlog-max-len", "10000")) as server:
        with suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, server.pid, _NICE)
        client = redis.Redis(port=server.port)
        session = Timed(server, "urls")
        session.connect(in_doubt=False)

        def cost_us(what: str, some: Callable[[], int]) -> float:
            """The median of slices, as the machine does other things too; `some` does one of them, or nothing more."""
            costs, times, before = [], 0, server_cpu_s(server)
            while done := some():
                now = server_cpu_s(server)
                costs.append(1e6 * (now - before) / done)
                times, before = times + done, now
            cost = median(costs)
            print(
                f"urls: {cost:.1f} µs of the server to {what}, {min(costs):.1f} at the least ({times:,} times); "
                f"the longest script so far {1000 * session.longest_s:.1f} ms of CPU",
                flush=True,
            )
            return cost

        empty = client.info("memory")["used_memory"]
        push_us = cost_us("push a new one", partial(push_some, session, pushes(real_urls(URLS))))
        queued = int(client.hget(session.prefix + "n", "queued") or 0)
        memory = client.info("memory")["used_memory"] - empty
        known_us = cost_us("push a known one", partial(push_some, session, pushes(real_urls(KNOWN))))
        slices = iter(range(TAKEN // SLICE))
        take_us = cost_us(
            "take, begin and acknowledge one", lambda: 0 if next(slices, None) is None else take_some(session, SLICE)
        )
        clear_up_s, other = cleared_up(client, session)
        slow = [entry["duration"] / 1000 for entry in client.slowlog_get(10_000) if entry["command"][:4] == b"EVAL"]
    print(f"urls: {clear_up_s:.1f} s to queue again the {LEFT_BEHIND:,} requests of a process that has died")
    page_us = push_us + (PROCESSES - 1) * known_us + take_us
    good = verdict(memory / queued <= 220, f"urls: {memory / queued:.0f} B each in all, at most 220")
    print(f"urls: {push_us + take_us:.0f} µs a page that one process finds")
    good &= verdict(page_us <= 40, f"urls: {page_us:.0f} µs a page that {PROCESSES} processes find, at most 40")
    print(f"urls: the longest script by the wall clock {max(slow, default=0.0):.1f} ms; {len(slow)} took more than 2")
    longest_ms = 1000 * max(session.longest_s, other.longest_s)
    return good & verdict(longest_ms <= 10, f"urls: the longest script took {longest_ms:.1f} ms of CPU, at most 10")


ROWS = {"urls": row_urls}
