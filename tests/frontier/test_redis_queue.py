"""Several processes on one job: who has what, what is told late, and what happens when one dies or the server does."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from scrapy import Request

from queues import closing as closing_queue
from redis_queues import apply, claim, new_job, opened, redis_queue, settle, until
from redis_server import Cluster, Proxy, RedisServer, failing_over, needs_server
from scrapy_polite._redis.faults import RedisRefused
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.queue import (
    DeadLetter,
    Duplicate,
    Entry,
    FrontierError,
    HostCame,
    HostWanted,
    LaneCame,
    LaneState,
    LaneWent,
    PushResult,
    QueueFailed,
    QueueLost,
    QueueRecovered,
)
from scrapy_polite.frontier.redis.batch import Take
from scrapy_polite.frontier.redis.jobs import RedisJobs
from scrapy_polite.frontier.redis.queue import RedisQueue
from scrapy_polite.frontier.redis.session import JobLost, Session

pytestmark = needs_server

LIMIT_S = 20
HOST, LANE = "a.example", "https://a.example"
FOUND = (0, 10**15)
Opener = Callable[..., RedisQueue]


@pytest.fixture
def queues(redis_server: RedisServer) -> Iterator[Opener]:
    """Opens another process's queue of one job."""
    job = new_job()
    with ExitStack() as stack:

        def make(lease_s: float = 30.0, **options: Any) -> RedisQueue:
            return stack.enter_context(closing_queue(opened(redis_server.url, job, lease_s, **options)))

        yield make


def push(queue: RedisQueue, *numbers: int, host: str = HOST, **options: Any) -> None:
    for number in numbers:
        request = Request(f"https://{host}/{number}", **options)
        queue.push(f"https://{host}", FOUND, request, host=host, fingerprint=b"%s/%d" % (host.encode(), number))
    settle(queue)


def pop(queue: RedisQueue, lane: str = LANE) -> Entry:
    queue.fetch([lane])
    until(lambda: queue.events() is None or queue.ready(lane))
    return queue.pop(lane)


def drain(queue: RedisQueue, lane: str = LANE) -> list[str]:
    urls = []
    while queue.head(lane) is not None:
        entry = pop(queue, lane)
        urls.append(entry.request.url)
        queue.done(entry)
    settle(queue)
    return urls


def dead(redis_server: RedisServer, queue: RedisQueue, lease_s: float = 1.0, **options: Any) -> Session:
    """A process of the same job that takes what there is, says nothing more and dies."""
    session = Session(RedisUrl.parse(redis_server.url), queue._link.session.job, lease_s, **options)
    session.connect(in_doubt=False)
    return session


def taken_by(session: Session) -> list[int]:
    """The numbers of what it takes."""
    _, claimed, _, _ = session.take(Take(10, 60.0, 8))
    return [first + at for _, _, first, bodies, _ in claimed for at in range(len(bodies))]


# Who has what


def test_what_another_process_has_pushed_before_is_told_late(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, 1)
    assert other.push(LANE, FOUND, Request(f"{LANE}/1"), host=HOST, fingerprint=b"a.example/1") is PushResult.UNKNOWN
    (event,) = settle(other)
    assert isinstance(event, Duplicate)
    assert event.request.url == f"{LANE}/1"
    assert other.has_seen(b"a.example/1")
    assert other.visited_count == 1


def test_a_host_is_for_one_process_until_it_is_released(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, 1, 2)
    assert claim(one) == [HostCame(HOST), LaneCame(LaneState(LANE, (0, 0), 2))]
    assert claim(other) == []
    one.release(HOST, 0.0)
    assert settle(one) == [LaneWent(LANE, 2)]
    assert claim(other) == [HostCame(HOST), LaneCame(LaneState(LANE, (0, 0), 2))]
    assert drain(other) == [f"{LANE}/1", f"{LANE}/2"]


def test_what_is_noted_of_a_host_comes_with_it_to_the_next_process(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, 1)
    claim(one)
    other.note(HOST, b"not its own")
    one.note(HOST, b"first")
    one.note(HOST, b"\x00last\xff\n")
    one.release(HOST, 0.0)
    settle(one)
    assert HostCame(HOST, b"\x00last\xff\n") in claim(other)


def test_what_is_noted_of_a_host_stays_while_it_has_no_requests(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, 1)
    claim(one)
    assert drain(one) == [f"{LANE}/1"]
    one.note(HOST, b"noted")
    one.release(HOST, 0.0)
    settle(one)
    push(other, 2)  # somebody finds one more link to it
    assert HostCame(HOST, b"noted") in claim(other)
    assert drain(other) == [f"{LANE}/2"]


def test_a_host_that_is_released_for_a_while_is_claimed_by_nobody_who_would_have_to_wait(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, 1)
    claim(one)
    one.release(HOST, 120.0)
    settle(one)
    assert claim(other) == []  # which asks for hosts that open within a minute
    assert other.ended
    other.claim(1, 300.0)
    until(lambda: [event for event in other.events() if isinstance(event, LaneCame)])


def test_what_others_push_for_a_leased_host_comes_to_its_process(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, 1)
    claim(one)
    push(other, 2, 3)
    assert claim(one) == [LaneCame(LaneState(LANE, (0, 0), 2))]
    assert drain(one) == [f"{LANE}/{number}" for number in (1, 2, 3)]


def test_a_better_priority_goes_ahead_of_what_is_here(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, *range(20))
    claim(one)
    other.push(LANE, (-5, 10**15), Request(f"{LANE}/first", priority=5), host=HOST)
    settle(other)
    claim(one)
    assert one.head(LANE) == (-5, 0)
    assert pop(one).request.url == f"{LANE}/first"


def test_the_last_goes_first_where_that_is_the_order(queues: Opener) -> None:
    one = queues()
    for number in range(6):
        one.push(LANE, (0, -(10**15) - number), Request(f"{LANE}/{number}"), host=HOST)
    claim(one)
    assert drain(one)[-2:] == [f"{LANE}/1", f"{LANE}/0"]


def test_hosts_are_shared_evenly_and_asked_back_for_those_who_have_none(queues: Opener) -> None:
    one = queues()
    for number in range(8):
        push(one, 1, host=f"{number}.example")
    claim(one)
    assert len(one) == 8
    other = queues()
    assert claim(other) == []
    wanted: list[Any] = []
    until(lambda: claim(other) or wanted.extend(claim(one)) or len(wanted) >= 4)
    assert {type(event) for event in wanted} == {HostWanted}
    for event in wanted[:4]:
        one.release(event.host, 0.0)
    settle(one)
    assert sum(isinstance(event, HostCame) for event in claim(other)) == 4


# The end


def test_a_queue_is_quiet_once_it_has_told_of_all_that_was_pushed(queues: Opener) -> None:
    one = queues()
    push(one, 1)
    claim(one)
    assert one.quiet
    one.push(LANE, FOUND, Request(f"{LANE}/2"), host=HOST)
    assert not one.quiet  # the server has not answered
    until(lambda: one.ready(LANE) and one.count(LANE) == 2)  # it has, and what came may leave
    assert not one.quiet
    assert [event.state.count for event in one.events() if isinstance(event, LaneCame)] == [1]
    assert one.quiet


def test_the_start_is_for_one_process_and_nobody_ends_before_it(queues: Opener) -> None:
    one, other = queues(), queues()
    assert one.begin_start().result(LIMIT_S)
    waiting = other.begin_start()
    claim(other)
    assert not other.ended
    push(one, 1)
    assert not waiting.done()
    one.end_start()
    settle(one)
    assert waiting.result(LIMIT_S) is False
    assert not other.ended
    claim(one)
    assert not one.ended
    drain(one)
    claim(other)
    assert one.ended
    assert other.ended


def test_nobody_ends_while_a_request_is_in_flight_anywhere(queues: Opener) -> None:
    one, other = queues(), queues()
    push(one, 1)
    claim(one)
    entry = pop(one)
    claim(other)
    assert not other.ended
    one.done(entry)
    settle(one)
    claim(other)
    assert other.ended


def test_one_that_stays_does_not_end(queues: Opener) -> None:
    queue = queues(stays=True)
    claim(queue)
    assert not queue.ended


def test_a_job_that_has_ended_begins_anew_later_and_not_at_once(redis_server: RedisServer) -> None:
    job = new_job()
    with closing_queue(opened(redis_server.url, job, 1.0)) as first:
        assert first.begin_start().result(LIMIT_S)
        first.end_start()
    with closing_queue(opened(redis_server.url, job, 1.0)) as late:
        assert late.begin_start().result(LIMIT_S) is False
        claim(late)
        assert late.ended
    time.sleep(1.2)
    with closing_queue(opened(redis_server.url, job, 1.0)) as again:
        assert again.begin_start().result(LIMIT_S)


# Those who die


def test_what_a_dead_process_had_is_queued_again_once_its_lease_has_ended(
    queues: Opener, redis_server: RedisServer
) -> None:
    queue = queues(1.0)
    push(queue, *range(3))
    assert len(taken_by(dead(redis_server, queue))) == 3
    claim(queue)
    assert len(queue) == 0
    assert not queue.ended
    until(lambda: claim(queue) and len(queue) == 3)
    assert drain(queue) == [f"{LANE}/{number}" for number in range(3)]


def test_what_may_not_be_repeated_is_set_aside_if_it_may_have_been_sent(
    queues: Opener, redis_server: RedisServer
) -> None:
    queue = queues(1.0)
    push(queue, 1, 2, 3, method="POST")
    session = dead(redis_server, queue)
    sent, popped, _ = taken_by(session)
    apply(session, ("S", sent), ("X", sent), ("S", popped))
    letters: list[Any] = []
    until(lambda: letters.extend(event for event in claim(queue) if isinstance(event, DeadLetter)) or len(queue) == 2)
    (letter,) = letters
    assert (letter.url, letter.method) == (f"{LANE}/1", "POST")
    assert letter.request is not None
    assert "may not be repeated" in letter.why
    assert drain(queue) == [f"{LANE}/2", f"{LANE}/3"]


def test_a_request_with_which_three_processes_died_is_set_aside_and_what_they_had_not_begun_is_not(
    queues: Opener, redis_server: RedisServer
) -> None:
    queue = queues(1.0)
    push(queue, 1, 2)
    letters: list[Any] = []
    for deaths in range(1, 4):
        session = dead(redis_server, queue)
        first, _ = taken_by(session)
        apply(session, ("S", first))
        left = 2 if deaths < 3 else 1
        until(
            lambda left=left: letters.extend(e for e in claim(queue) if isinstance(e, DeadLetter)) or len(queue) == left
        )  # type: ignore[misc]
        if deaths < 3:
            queue.release(HOST, 0.0)
            settle(queue)
    assert [letter.url for letter in letters] == [f"{LANE}/1"]
    assert drain(queue) == [f"{LANE}/2"]


def test_one_that_was_cut_off_does_not_clear_up_at_once_and_those_it_would_have_cleared_up_after_come_back(
    redis_server: RedisServer,
) -> None:
    job = new_job()
    sleeper = Session(RedisUrl.parse(redis_server.url), job, 1.0)
    sleeper.connect(in_doubt=False)
    other = Session(RedisUrl.parse(redis_server.url), job, 1.0)
    other.connect(in_doubt=False)
    time.sleep(1.1)
    # Both leases have ended, as after an outage: who comes back first leaves the other its time.
    other.connect(in_doubt=False)
    assert apply(other, ("C",)) == b"-"
    assert sleeper.take(Take())
    assert not sleeper.connect(in_doubt=False).anew


def test_who_was_cleared_up_after_goes_on_under_a_new_name_and_sends_nothing_of_before(
    queues: Opener, redis_server: RedisServer
) -> None:
    with Proxy(redis_server) as proxy:
        other = queues(1.0)
        job = other._link.session.job
        sleeper = opened(proxy.url, job, 1.0)
        push(sleeper, *range(4))
        claim(sleeper)
        entry = pop(sleeper)
        assert sleeper.may_send(entry)
        proxy.delay_s = 3.0
        until(lambda: not sleeper.may_send(entry))
        until(lambda: claim(other) and len(other) == 4)
        proxy.delay_s = 0.0
        went: list[Any] = []
        until(lambda: went.extend(sleeper.events()) or any(isinstance(event, LaneWent) for event in went))
        assert not sleeper.may_send(entry)
        sleeper.done(entry)  # which is another's by now
        settle(sleeper)
        assert drain(other) == [f"{LANE}/{number}" for number in range(4)]
        sleeper.close().result(LIMIT_S)


def test_what_cannot_be_read_is_set_aside(queues: Opener, redis_server: RedisServer) -> None:
    queue = queues()
    session = dead(redis_server, queue, 30.0)
    apply(session, ("P", HOST, "s", "B", "", b'0J{"url": 5}'))
    session.leave()
    push(queue, 1)
    claim(queue)
    assert pop(queue).request.url == f"{LANE}/1"
    (letter,) = [event for event in settle(queue) if isinstance(event, DeadLetter)]
    assert "cannot be read" in letter.why


def test_a_queue_with_a_name_that_nobody_here_has_written_is_set_aside_and_its_key_is_named(
    queues: Opener, redis_server: RedisServer
) -> None:
    queue = queues()
    session = dead(redis_server, queue, 30.0)
    apply(session, ("P", HOST, "odd\tname", "B", "", b'xJ{"url": "https://a.example"}'))
    session.leave()
    claim(queue)
    assert not queue.ready("unreadable:")
    (letter,) = [event for event in settle(queue) if isinstance(event, DeadLetter)]
    assert f"in the key q:{HOST} odd\tname, cannot be read" in letter.why
    claim(queue)
    assert queue.ended


# The server


def test_a_server_that_hangs_is_waited_for_and_nothing_is_lost() -> None:
    with RedisServer() as server:
        queue = opened(server.url, new_job(), 1.0)
        push(queue, 1, 2)
        claim(queue)
        entry = pop(queue)
        server.stop()
        queue.push(LANE, FOUND, Request(f"{LANE}/3"), host=HOST)
        until(lambda: not queue.may_send(entry))
        assert queue.behind
        failures: list[Any] = []
        until(lambda: failures.extend(queue.events()) or failures)
        server.cont()
        until(lambda: queue.may_send(entry))
        until(lambda: failures.extend(queue.events()) or isinstance(failures[-1], QueueRecovered))
        assert isinstance(failures[0], QueueFailed)
        assert "does not answer in time. What has been granted is worked off until the lease ends" in str(
            failures[0].error
        )
        queue.done(entry)
        claim(queue)
        assert drain(queue) == [f"{LANE}/2", f"{LANE}/3"]
        queue.close().result(LIMIT_S)


def test_after_a_restart_nobody_gets_a_host_for_one_lease_and_nothing_is_lost() -> None:
    with RedisServer(persistence="aof") as server:
        job = new_job()
        queue = opened(server.url, job, 2.0)
        push(queue, 1, 2)
        claim(queue)
        entry = pop(queue)
        push(queue, 1, host="b.example")
        server.restart(orderly=False)
        began = time.monotonic()
        queue.push("https://c.example", FOUND, Request("https://c.example"), host="c.example")
        until(lambda: [event for event in claim(queue) if isinstance(event, LaneCame) and "b.ex" in event.state.lane])
        assert time.monotonic() - began > 1.5
        assert queue.may_send(entry)
        queue.done(entry)
        assert drain(queue) == [f"{LANE}/2"]
        assert queue.totals().in_flight <= 2
        queue.close().result(LIMIT_S)


def test_of_a_cluster_the_node_that_has_the_job_is_found_and_followed() -> None:
    job = new_job()
    with Cluster() as cluster:
        queue = opened(cluster.other.url, job, 1.0)
        push(queue, 1, 2, 3)
        claim(queue)
        entry = pop(queue)
        cluster.move(prefix("job", job))
        queue.done(entry)
        push(queue, 4)
        claim(queue)
        assert drain(queue) == [f"{LANE}/{number}" for number in (2, 3, 4)]
        with closing(RedisJobs(RedisUrl.parse(cluster.other.url), Codec())) as jobs:
            (state,) = jobs.states()
            assert (state.name, state.queued, state.in_flight, state.done) == (job, 0, 0, 4)
            queue.close().result(LIMIT_S)
            assert jobs.drop(job) > 5
            assert jobs.states() == []


def test_after_a_failover_the_replica_goes_on_with_all_of_it() -> None:
    with failing_over() as (url, fail_over):
        queue = opened(url, new_job(), 2.0)
        push(queue, 1, 2, 3)
        claim(queue)
        entry = pop(queue)
        settle(queue)
        fail_over()
        queue.done(entry)
        push(queue, 4)
        claim(queue)
        assert drain(queue) == [f"{LANE}/{number}" for number in (2, 3, 4)]
        until(lambda: queue.events() is None or queue.ended)
        assert queue.totals().in_flight == queue.totals().queued == 0
        queue.close().result(LIMIT_S)


def test_what_was_done_since_the_snapshot_that_a_server_comes_back_with_is_done_again(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with RedisServer(persistence="rdb") as server:
        queue = opened(server.url, new_job(), 1.0)
        push(queue, 1, 2)
        claim(queue)
        server.ask("SAVE")
        queue.done(pop(queue))
        settle(queue)
        server.restart(orderly=False)
        queue.push(LANE, FOUND, Request(f"{LANE}/3"), host=HOST, fingerprint=b"a.example/3")
        until(lambda: claim(queue) and "or the server has come back without its last seconds" in caplog.text)
        until(lambda: claim(queue) and len(queue) == 3)
        assert drain(queue) == [f"{LANE}/{number}" for number in (1, 2, 3)]
        queue.close().result(LIMIT_S)


def test_a_server_that_has_lost_the_job_is_told_of() -> None:
    with RedisServer() as server:
        queue = opened(server.url, "news", 2.0)
        push(queue, 1)
        server.lose_data()
        events: list[Any] = []
        until(lambda: events.extend(queue.events()) or any(isinstance(event, QueueLost) for event in events))
        (lost,) = [event for event in events if isinstance(event, QueueLost)]
        assert f"redis://127.0.0.1:{server.port}/0 has no job news any more" in str(lost.error)
        queue.close().result(LIMIT_S)


def test_of_a_job_that_is_made_anew_nobody_gets_a_host_before_the_leases_of_the_lost_one_have_ended() -> None:
    with RedisServer() as server:
        job = new_job()
        old, new = (Session(RedisUrl.parse(server.url), job, 1.0) for _ in range(2))
        assert "has nothing of this job" not in str(old.connect(in_doubt=False).warnings)
        server.lose_data()
        began = time.monotonic()
        (warning,) = [said for said in new.connect(in_doubt=False).warnings if "has nothing of this job" in said]
        assert "nobody gets a host for 1 s, until no lease of before can last" in warning
        apply(new, ("P", HOST, "s", "B", "", b"0J{}"))
        assert new.take(Take(1, 60.0, 8))[1] == []
        with pytest.raises(JobLost):
            old.connect(in_doubt=False)
        until(lambda: new.take(Take(1, 60.0, 8))[1])
        assert time.monotonic() - began > 0.9
        for session in (old, new):
            session.disconnect()


def test_out_of_memory_pushes_wait_what_is_taken_can_be_done_and_it_goes_on_by_itself() -> None:
    with RedisServer() as server, closing_client(server) as client:
        queue = opened(server.url, new_job(), 2.0)
        push(queue, 1, 2)
        claim(queue)
        client.config_set("maxmemory", 1_000_000)  # less than it has
        first, second = pop(queue), pop(queue)
        queue.done(first)
        settle(queue)
        queue.push(LANE, FOUND, Request(f"{LANE}/3", body=b"." * 10_000), host=HOST)
        queue.done(second)
        events: list[Any] = []
        until(lambda: events.extend(queue.events()) or events)
        assert queue.behind
        assert re.search(
            r"it is out of memory: raise its maxmemory, .* \([\d,]{7,} bytes are used, maxmemory is 1,000,000\). "
            "Nothing more is queued, and the crawl pauses until there is memory",
            str(events[0].error),
        )
        time.sleep(0.5)
        assert [event for event in queue.events() if isinstance(event, QueueFailed)] == []
        client.config_set("maxmemory", 0)
        until(lambda: events.extend(queue.events()) or isinstance(events[-1], QueueRecovered))
        claim(queue)
        assert not queue.behind
        assert drain(queue) == [f"{LANE}/3"]
        queue.close().result(LIMIT_S)


def closing_client(server: RedisServer) -> Any:
    import redis

    return closing(redis.Redis(port=server.port, protocol=2))


def test_a_job_of_another_version_is_refused(redis_server: RedisServer) -> None:
    job = new_job()
    with closing_client(redis_server) as client:
        client.set(f"polite:{{job:{job}}}:schema", "1")
    queue = redis_queue(redis_server.url, job)
    with pytest.raises(
        FrontierError, match=rf"job {job} was written by another version .*key schema 1, this one has 2"
    ):
        queue.open().result(LIMIT_S)
    queue.close().result(LIMIT_S)


def test_who_comes_with_other_settings_is_told_and_another_spider_is_refused(redis_server: RedisServer) -> None:
    job = new_job()

    def told(spider: str, delay: str) -> tuple[Session, list[str]]:
        about = {"spider": spider, "DOWNLOAD_DELAY": delay}
        session = Session(RedisUrl.parse(redis_server.url), job, 30.0, about=about)
        return session, [one for one in session.connect(in_doubt=False).warnings if "on disk" not in one]

    first, said = told("news", "1")
    assert said == told("news", "1")[1] == []
    (warning,) = told("news", "2")[1]
    assert warning.startswith("this process has other settings than those at work: DOWNLOAD_DELAY 2 (theirs 1). Give")
    with pytest.raises(RedisRefused, match=f"job {job} is of the spider 'news', this is 'shop': give each spider"):
        told("shop", "1")
    with closing_client(redis_server) as client:
        client.delete(first.prefix + "w")  # none is at work any more
    assert told("news", "3")[1] == told("news", "3")[1] == []


def test_memory_that_is_full_keeps_no_process_out() -> None:
    with RedisServer(("maxmemory", "1mb")) as server:
        session = Session(RedisUrl.parse(server.url), new_job(), 30.0, about={"spider": "news"})
        assert session.connect(in_doubt=False).anew
        session.disconnect()


def test_tls_with_a_server_without_it_is_said_as_such(redis_server: RedisServer) -> None:
    queue = redis_queue(redis_server.url.replace("redis:", "rediss:"), new_job(), 1.0)
    with pytest.raises(
        FrontierError, match=r"it does not answer in time, perhaps as it is one without TLS: .* The crawl"
    ):
        queue.open().result(LIMIT_S)


def test_a_server_that_would_drop_keys_is_refused() -> None:
    with RedisServer(("maxmemory-policy", "allkeys-lru")) as server:
        queue = redis_queue(server.url, new_job())
        with pytest.raises(FrontierError, match="maxmemory-policy is 'allkeys-lru'"):
            queue.open().result(LIMIT_S)


def test_a_user_with_the_rights_that_the_docs_name_is_enough_and_one_with_less_is_told() -> None:
    with RedisServer() as server:
        server.ask("ACL", "SETUSER", "half", "on", ">secret", "~other:*", "+@all")
        server.ask("ACL", "SETUSER", "whole", "on", ">secret", "~polite:*", "resetchannels", "-@all", *ACL.split())
        with pytest.raises(FrontierError, match="its user may not do this: the docs page"):
            redis_queue(server.url.replace("redis://", "redis://half:secret@"), new_job()).open().result(LIMIT_S)
        queue = opened(server.url.replace("redis://", "redis://whole:secret@"), new_job())
        assert queue.begin_start().result(LIMIT_S)
        push(queue, 1)
        queue.end_start()
        claim(queue)
        assert drain(queue) == [f"{LANE}/1"]
        queue.close().result(LIMIT_S)


#: As the docs page has it.
ACL = "+@read +@write +@scripting +@connection +@transaction +info +time +config|get"


def test_a_password_is_in_nothing_that_is_said() -> None:
    with RedisServer(password="secret") as server:
        queue = redis_queue(server.url.replace("secret", "wrong-secret"), new_job())
        with pytest.raises(FrontierError) as refused:
            queue.open().result(LIMIT_S)
        assert "it refuses the user or the password" in str(refused.value)
        assert "secret" not in str(refused.value) + queue.description
