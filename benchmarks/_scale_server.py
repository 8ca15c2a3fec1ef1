"""What a million real URLs cost the server of a shared queue: a row of `scale_out.py`, of the scripts without a crawl.

The corpus is sorted, with 3.9 URLs of a site, so a batch of 200 pushes is of some 50 sites. A page is pushed once, and
pushed again by each other process that finds a link to it: a process knows what it has pushed itself.
"""

from __future__ import annotations

import lzma
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from typing import Any

from _crawls import verdict

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from scrapy import Request  # noqa: E402

from redis_server import RedisServer  # noqa: E402
from scrapy_polite._redis.url import RedisUrl  # noqa: E402
from scrapy_polite.frontier.codec import Codec  # noqa: E402
from scrapy_polite.frontier.redis import names  # noqa: E402
from scrapy_polite.frontier.redis.batch import Batch  # noqa: E402
from scrapy_polite.frontier.redis.operations import Operation, print_of  # noqa: E402
from scrapy_polite.frontier.redis.session import Session  # noqa: E402
from scrapy_polite.origin import Origin  # noqa: E402

URLS, KNOWN, TAKEN, LEFT_BEHIND = 1_000_000, 200_000, 200_000, 100_000
PROCESSES = 4
_BATCH = 200
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
        queue = names.written(origin.host, str(origin), names.class_of(str(origin), (0, 10**15)))
        body = b"0" + codec.encode(request, None)
        yield Operation.push(
            origin.host, queue, request, body, mark=print_of(url.encode()), at_front=False, generation=0
        )


def push_all(session: Session, urls: Iterable[str]) -> int:
    """How many could be pushed."""
    pushed, rest = 0, pushes(urls)
    while batch := list(islice(rest, _BATCH)):
        session.apply(Batch.of(batch), again=False)
        pushed += len(batch)
    return pushed


def take_some(session: Session, number: int) -> int:
    """Hosts are claimed, their requests taken and begun; those of the claim before are acknowledged, and its hosts
    released."""
    done = 0
    before: list[Operation] = []
    while done < number:
        claimed = session.take(_HOSTS, 60.0, _EACH, [])[1]
        taken = [first + at for _, _, first, bodies in claimed for at in range(len(bodies))]
        begun = [Operation(("S", number), 0, number=number) for number in taken]
        session.apply(Batch.of(before + begun), again=False)
        before = [Operation(("D", number), 0, number=number) for number in taken]
        before += [Operation(("R", state[0], 0), 0) for state, *_ in claimed]
        done += len(taken)
    session.apply(Batch.of(before), again=False)
    return done


def cleared_up(client: Any, session: Session) -> float:
    """How long it takes another process to clear up after one that has taken and begun 100,000 requests."""
    taken = 0
    while taken < LEFT_BEHIND:
        claimed = session.take(64, 60.0, 100, [])[1]
        numbers = [first + at for _, _, first, bodies in claimed for at in range(len(bodies))]
        session.apply(Batch.of([Operation(("S", number), 0, number=number) for number in numbers]), again=False)
        taken += len(numbers)
    client.zadd(session.prefix + "w", {session.worker: 2})
    other = Session(session.url, session.job, 600.0)
    other.connect(in_doubt=False)
    began = time.monotonic()
    while other.apply(Batch.of([Operation(("C",), 0)]), again=False)[0] == b"+":
        pass
    return time.monotonic() - began


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
        session = Session(RedisUrl.parse(server.url), "urls", 600.0)
        session.connect(in_doubt=False)

        def cost_us(what: str, do: Callable[[], int]) -> float:
            before = server_cpu_s(server)
            times = do()
            cost = 1e6 * (server_cpu_s(server) - before) / times
            print(f"urls: {cost:.1f} µs of the server to {what} ({times:,} times)", flush=True)
            return cost

        empty = client.info("memory")["used_memory"]
        push_us = cost_us("push a new one", lambda: push_all(session, real_urls(URLS)))
        queued = int(client.hget(session.prefix + "n", "queued") or 0)
        memory = client.info("memory")["used_memory"] - empty
        known_us = cost_us("push a known one", lambda: push_all(session, real_urls(KNOWN)))
        take_us = cost_us("take, begin and acknowledge one", lambda: take_some(session, TAKEN))
        clear_up_s = cleared_up(client, session)
        slow = [entry["duration"] / 1000 for entry in client.slowlog_get(10_000) if entry["command"][:4] == b"EVAL"]
    print(f"urls: {clear_up_s:.1f} s to queue again the {LEFT_BEHIND:,} requests of a process that has died")
    page_us = push_us + (PROCESSES - 1) * known_us + take_us
    good = verdict(memory / queued <= 220, f"urls: {memory / queued:.0f} B each in all, at most 220")
    good &= verdict(page_us <= 40, f"urls: {page_us:.0f} µs a page that {PROCESSES} processes find, at most 40")
    return good & verdict(
        max(slow, default=0.0) <= 10,
        f"urls: the longest script took {max(slow, default=0.0):.1f} ms, at most 10; {len(slow)} took more than 2",
    )


ROWS = {"urls": row_urls}
