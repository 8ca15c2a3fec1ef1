"""What is to be forgotten is taken out of a job on a real server, also while processes are at work on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from hashlib import sha1
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request

from grown_groups import HOST, Crawl, number
from queues import closing as closing_queue
from redis_queues import claim, new_job, opened, settle
from redis_server import RedisServer, needs_server
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.redis.jobs import RedisJobs
from scrapy_polite.frontier.removal import Asked, Meant, Removed
from scrapy_polite.traps import handover

if TYPE_CHECKING:
    from scrapy_polite.frontier.redis.queue import RedisQueue

pytestmark = needs_server

A, B = "http://a.example", "http://b.example:8080"
ORDERS = count()


def fingerprint(asked: Asked) -> bytes:
    return sha1(repr(asked).encode()).digest()


def meant(beginning: str, origin: str = "", *known: str) -> Meant:
    return Meant(lambda url: url.startswith(beginning), origin.__eq__, fingerprint, tuple(map(Asked, known)))


@pytest.fixture
def job() -> str:
    return new_job()


@pytest.fixture
def open_queue(redis_server: RedisServer, job: str) -> Iterator[Any]:
    with ExitStack() as stack:
        yield lambda **options: stack.enter_context(closing_queue(opened(redis_server.url, job, **options)))


@pytest.fixture
def jobs(redis_server: RedisServer) -> Iterator[RedisJobs]:
    with closing(RedisJobs(RedisUrl.parse(redis_server.url), Codec())) as jobs:
        yield jobs


def push(queue: RedisQueue, *requests: Request, lane: str = "") -> None:
    for request in requests:
        host = "a.example" if request.url.startswith(A) else "b.example"
        seen = fingerprint(Asked(request.url, request.method, request.body))
        place = lane or (A if request.url.startswith(A) else B)
        queue.push(place, (0, next(ORDERS)), request, host=host, fingerprint=seen)
    settle(queue)


def removed(jobs: RedisJobs, job: str, what: Meant) -> Removed:
    """The same is said before and when it is done, and nothing is left for another time."""
    said = jobs.remove(job, what, lambda count: None, act=False)
    done = jobs.remove(job, what, lambda count: None, act=True)
    assert said == done
    assert jobs.remove(job, what, lambda count: None, act=True) == Removed(unreadable=done.unreadable)
    return done


def left(queue: RedisQueue, *lanes: str) -> list[str]:
    """What a process gets, in its order."""
    claim(queue)
    urls = []
    for lane in lanes:
        while queue.head(lane) is not None:
            queue.fetch([lane])
            settle(queue)
            entry = queue.pop(lane)
            urls.append(entry.request.url)
            queue.done(entry)
    settle(queue)
    return urls


def test_requests_and_their_fingerprints_go_and_the_others_keep_their_order(
    open_queue: Any, jobs: RedisJobs, job: str
) -> None:
    queue = open_queue()
    pages = [Request(f"{A}/{folder}/{number}") for number in range(300) for folder in ("jane", "news")]
    push(queue, *pages, Request(f"{A}/jane/post", method="POST", body=b"x"), Request(f"{B}/jane/1"))
    done = removed(jobs, job, meant(f"{A}/jane/"))
    assert (done.queued, done.visited, done.set_aside, done.unreadable) == (301, 301, 0, 0)
    assert done.examples == [f"{A}/jane/{number}" for number in range(3)]
    state = jobs.state(job)
    assert state is not None
    assert (state.queued, state.visited) == (301, 301)
    assert left(queue, A, B) == [f"{A}/news/{number}" for number in range(300)] + [f"{B}/jane/1"]
    other = open_queue()
    push(other, Request(f"{A}/jane/1"))  # it is new again, but for the process that remembers it
    state = jobs.state(job)
    assert state is not None
    assert state.queued == 1


def test_a_whole_origin_goes_with_its_hosts_name_and_what_is_in_no_order_too(
    open_queue: Any, jobs: RedisJobs, job: str
) -> None:
    queue = open_queue()
    push(queue, *(Request(f"{A}/{number}") for number in range(250)), Request(f"{B}/1"))
    push(queue, Request(f"{A}/any"), Request(f"{A}/other"), lane=f"{A} /* any")
    done = removed(jobs, job, meant("nothing", A))
    assert (done.queued, done.visited) == (252, 252)
    assert not [key for key in jobs._asked(lambda client: client.keys("*")) if f"{job}}}:h:a.example" in str(key)]
    assert left(queue, A, B) == [f"{B}/1"]


def test_one_url_is_forgotten_though_it_is_not_queued(open_queue: Any, jobs: RedisJobs, job: str) -> None:
    queue = open_queue()
    push(queue, Request(f"{A}/jane"))
    assert left(queue, A) == [f"{A}/jane"]
    assert removed(jobs, job, meant(f"{A}/jane")).visited == 0
    assert removed(jobs, job, meant(f"{A}/jane", "", f"{A}/jane")).visited == 1


def test_what_a_process_has_taken_goes_too_and_it_goes_on_with_the_rest(
    open_queue: Any, jobs: RedisJobs, job: str
) -> None:
    queue = open_queue()
    push(queue, *(Request(f"{A}/{number}") for number in range(4)))
    claim(queue)
    queue.fetch([A])
    settle(queue)
    entry = queue.pop(A)
    assert entry.request.url == f"{A}/0"
    done = removed(jobs, job, meant(f"{A}/0"))
    assert (done.queued, done.visited) == (1, 1)
    queue.done(entry)
    assert left(queue, A) == [f"{A}/{number}" for number in (1, 2, 3)]
    state = jobs.state(job)
    assert state is not None
    assert (state.queued, state.in_flight) == (0, 0)


def test_what_was_set_aside_goes(open_queue: Any, jobs: RedisJobs, job: str) -> None:
    queue = open_queue()
    push(queue, Request(f"{A}/jane"), Request(f"{A}/news"))
    for row in range(2):
        raw = jobs._asked(lambda client, row=row: client.lindex(f"{prefix('job', job)}q:a.example h", row))
        letter = b"poison\na.example\nh\n" + raw
        jobs._asked(lambda client, letter=letter: client.rpush(f"{prefix('job', job)}aside", letter))
    assert removed(jobs, job, meant(f"{A}/jane")).set_aside == 1
    state = jobs.state(job)
    assert state is not None
    assert state.set_aside == 1


def test_examples_of_traps_go_from_what_is_noted_of_a_host(open_queue: Any, jobs: RedisJobs, job: str) -> None:
    chain = Crawl(lambda path: (False, [f"/chain/{number(path) + 1}"])).run(60)
    note = handover.written({"a.example": chain.groups})
    ((_, site),) = handover.read(note).items()
    gone = site.roots[0].examples[0]
    queue = open_queue()
    push(queue, Request(f"{A}/1"))
    claim(queue)
    queue.note("a.example", note)
    settle(queue)
    assert gone.startswith(HOST)
    assert removed(jobs, job, meant(gone)).trap_examples == [gone]
    kept = jobs._asked(lambda client: client.hget(f"{prefix('job', job)}h:a.example", "note"))
    ((_, there),) = handover.read(kept).items()
    assert list(there.roots[0].examples) == [url for url in site.roots[0].examples if url != gone]
    assert removed(jobs, job, meant("nothing", A)).queued == 1
    assert jobs._asked(lambda client: client.hget(f"{prefix('job', job)}h:a.example", "note")) is None


def test_what_is_none_of_ours_is_left_and_counted(
    open_queue: Any, jobs: RedisJobs, job: str, redis_server: RedisServer
) -> None:
    queue = open_queue()
    push(queue, Request(f"{A}/jane"))
    redis_server.ask("RPUSH", f"{prefix('job', job)}q:a.example h", "0Z not deflated", "")
    done = removed(jobs, job, meant(f"{A}/jane"))
    assert (done.queued, done.unreadable) == (1, 2)
    jobs.drop(job)


def test_a_job_of_another_version_is_named_and_left(
    open_queue: Any, jobs: RedisJobs, job: str, redis_server: RedisServer
) -> None:
    push(open_queue(), Request(f"{A}/jane"))
    redis_server.ask("SET", f"{prefix('job', job)}schema", "99")
    with pytest.raises(FrontierError, match=f"job {job} was written by another version"):
        jobs.remove(job, meant(A), lambda count: None, act=True)
    redis_server.ask("SET", f"{prefix('job', job)}schema", "2")
