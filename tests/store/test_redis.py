"""A store on a server: what goes wrong there, and what is never let through."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import fields, replace
from random import randbytes
from typing import Any
from uuid import uuid4

import pytest

from redis_server import Cluster, Proxy, RedisServer, failing_over, free_port, needs_server
from scrapy_polite._redis.connection import connect
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.errors import StoreError, StoreUnavailable
from scrapy_polite.store.feed import read_all
from scrapy_polite.store.redis import robots
from scrapy_polite.store.redis.store import RedisStore
from scrapy_polite.store.robots import RobotsCopy
from store_parts import CONFIRMED, FOUND, FULL, SITE

pytestmark = needs_server

HOST = "example.com"


@pytest.fixture
def open_store() -> Iterator[Callable[..., RedisStore]]:
    stores: list[RedisStore] = []

    def open_at(url: str, **options: Any) -> RedisStore:
        stores.append(RedisStore(RedisUrl.parse(url), **options))
        return stores[-1]

    yield open_at
    for store in stores:
        store.close()


@pytest.fixture
def name() -> str:
    return uuid4().hex


@pytest.fixture
def store(redis_server: RedisServer, name: str, open_store: Callable[..., RedisStore]) -> RedisStore:
    return open_store(f"{redis_server.url}?name={name}")


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Any]:
    with closing(connect(RedisUrl.parse(redis_server.url), 5.0)) as client:
        yield client


def warned(caplog: pytest.LogCaptureFixture, text: str) -> list[str]:
    return [record.getMessage() for record in caplog.records if text in record.getMessage()]


# What cannot be used at present


@pytest.mark.parametrize("ask", ["acquire", "get"])
def test_a_server_out_of_reach_is_unavailable(open_store: Callable[..., RedisStore], ask: str) -> None:
    port = free_port()
    store = open_store(f"redis://:secret@127.0.0.1:{port}")
    asked = store.hosts.acquire(HOST, "a", 15) if ask == "acquire" else store.robots.get(SITE, "*")
    with pytest.raises(StoreUnavailable) as raised:
        asked.result()
    assert str(raised.value) == f"store redis://127.0.0.1:{port}/0: it cannot be reached (Connection refused)"
    with pytest.raises(StoreUnavailable, match="it cannot be reached"):
        store.facts()


def test_a_server_that_hangs_is_unavailable_until_it_goes_on(open_store: Callable[..., RedisStore]) -> None:
    with RedisServer() as server:
        store = open_store(server.url, timeout_s=0.2)
        assert store.hosts.acquire(HOST, "a", 15).result() == 0
        server.stop()
        for _ in range(2):
            with pytest.raises(StoreUnavailable, match="does not answer in time"):
                store.hosts.acquire(HOST, "b", 15).result()
        server.cont()
        assert store.hosts.acquire(HOST, "b", 15).result() > 0


def test_who_closes_waits_for_one_failure_at_most(open_store: Callable[..., RedisStore]) -> None:
    with RedisServer() as server:
        store = open_store(server.url, timeout_s=0.5)
        store.hosts.acquire(HOST, "a", 15).result()
        server.stop()
        waiting = [store.hosts.acquire(HOST, "b", 15) for _ in range(5_000)]  # in ten round trips
        started = time.monotonic()
        store.close()
        assert time.monotonic() - started < 2.5
        assert all(isinstance(one.exception(), StoreUnavailable) for one in waiting)


def test_memory_that_is_full_is_told_with_figures_and_what_is_shared_goes_on(
    open_store: Callable[..., RedisStore], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with RedisServer(("maxmemory", "6mb")) as server:
        store = open_store(server.url)
        copies = (replace(FULL, origin=f"https://{number}.example", body=randbytes(100_000)) for number in range(100))
        with pytest.raises(StoreUnavailable) as raised:
            deque((store.robots.put(copy).result() for copy in copies), maxlen=0)
        assert "it is out of memory: raise its maxmemory, or drop what is not needed (" in str(raised.value)
        assert "maxmemory is 6,291,456" in str(raised.value)
        server.ask("CONFIG", "SET", "maxmemory", "1mb")
        with pytest.raises(StoreUnavailable, match="out of memory"):
            store.hosts.keep(HOST, 60, 1, "503").result()
        # Leases are short-lived, and the hosts must not wait for somebody to make room.
        assert store.hosts.acquire(HOST, "a", 15).result() == 0
        store.hosts.release(HOST, "a", 0.0).result()
        server.ask("CONFIG", "SET", "maxmemory", "100mb")
        store.hosts.keep(HOST, 60, 1, "503").result()
        assert caplog.messages == []
        store.robots.put(FULL).result()
        (line,) = caplog.messages
        assert "/0: it takes again what it has refused for " in line


def test_a_connection_that_was_cut_is_made_anew(
    redis_server: RedisServer, open_store: Callable[..., RedisStore], name: str
) -> None:
    with Proxy(redis_server) as proxy:
        store = open_store(f"{proxy.url}?name={name}")
        assert store.hosts.spend(HOST, 0.0, 1).result() == 1
        proxy.cut()
        assert store.hosts.spend(HOST, 0.0, 1).result() == 2


def test_lost_replies_change_nothing(
    redis_server: RedisServer, open_store: Callable[..., RedisStore], name: str
) -> None:
    with Proxy(redis_server, drop_every=10) as proxy:
        store = open_store(f"{proxy.url}?name={name}")
        totals = [store.hosts.spend(HOST, 0.0, 1).result() for _ in range(60)]
        assert totals == list(range(1, 61))
        for number in range(5):
            store.dead_urls.keep(f"/{number}", 404).result()
            store.hosts.keep(f"{number}.example", 60, 1, "503").result()
            store.quarantines.keep(replace(FOUND, place=f"/{number}")).result()
            store.robots.put(replace(FULL, origin=f"https://{number}.example")).result()
        claim = store.robots.claim(SITE, "*", "a", 15).result()
        assert claim.granted
        assert store.robots.put(FULL, "a", claim.fence).result()
        assert store.robots.forget("https://1.example").result() == 1
        assert store.robots.forget(None).result() == 5
        assert store.hosts.forget("1.example").result() == 1
        assert store.hosts.forget(None).result() == 5  # one of them is the one that pages were spent at
        assert store.dead_urls.forget("/1").result() == 1
        assert store.dead_urls.forget(None).result() == 4
        assert store.quarantines.forget(FOUND.site, "/1").result() == 1
        assert store.quarantines.forget(FOUND.site).result() == 4
        assert proxy.dropped > 5


def test_who_does_not_wait_for_the_answer_disturbs_nobody(store: RedisStore, caplog: pytest.LogCaptureFixture) -> None:
    for number in range(50):
        asked: list[Future[Any]] = [
            store.robots.claim(f"https://{number}.example", "*", "a", 15),
            store.prune(60),
            store.hosts.acquire(HOST, "a", 15),
        ]
        for future in asked:
            future.cancel()
    assert store.hosts.acquire(HOST, "a", 15).result() == 0
    assert caplog.records == []


# A server that is started again


@pytest.mark.parametrize("loses", [False, True], ids=["with-its-data", "without-its-data"])
def test_after_a_restart_hosts_wait_until_no_lease_of_before_can_last(
    open_store: Callable[..., RedisStore], caplog: pytest.LogCaptureFixture, loses: bool
) -> None:
    lease_s = 2.0  # a server that has been up for longer, on a slow machine, has no leases of before
    with RedisServer(persistence="aof") as server:
        ours, theirs = open_store(server.url), open_store(server.url)
        cursor = ours.hosts.changes(None).result().cursor
        assert ours.hosts.acquire(HOST, "ours", 30).result() == 0
        if loses:
            server.lose_data()
        else:
            server.restart(orderly=False)
        started = time.monotonic()
        assert 0 < theirs.hosts.acquire("new.example", "theirs", lease_s).result() < lease_s + 0.01
        waits = [ours.hosts.acquire(host, "ours", lease_s).result() for host in (HOST, "other.example")]
        assert all(0 < wait_s < lease_s + 0.01 for wait_s in waits), waits
        time.sleep(max(waits) + 0.01)
        assert ours.hosts.acquire(HOST, "ours", lease_s).result() == 0
        assert time.monotonic() - started >= 0.4
        assert (ours.hosts.changes(None).result().cursor.store == cursor.store) is not loses
        assert bool(warned(caplog, "the server has lost what it held, as one does that is restarted without")) is loses


def test_after_a_failover_the_other_server_is_asked_and_hosts_wait_for_one_lease(
    open_store: Callable[..., RedisStore],
) -> None:
    with failing_over() as (url, fail_over):
        store = open_store(url, timeout_s=1.0)
        store.hosts.keep(HOST, 60, 1, "503").result()
        cursor = store.hosts.changes(None).result().cursor
        fail_over()
        waits: list[float] = []
        until(lambda: bool(answer(store.hosts.acquire(HOST, "a", 0.5), waits)))
        assert 0 < waits[0] < 0.51
        assert store.hosts.changes(None).result().cursor == cursor


def test_of_a_cluster_the_node_that_has_the_keys_is_found_and_followed(
    open_store: Callable[..., RedisStore], name: str
) -> None:
    with Cluster() as cluster:
        store = open_store(f"{cluster.other.url}?name={name}")
        assert store.facts()
        assert store.hosts.spend(HOST, 0.0, 1).result() == 1
        cluster.move(prefix("store", name))
        assert store.hosts.spend(HOST, 0.0, 1).result() == 2
        assert store.hosts.acquire(HOST, "a", 15).result() > 0  # who had a lease may be not known here


def until(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not done():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def answer(asked: Any, answers: list[float]) -> bool:
    if asked.exception() is None:
        answers.append(asked.result())
    return asked.exception() is None


def test_a_store_that_was_emptied_while_it_was_in_use_begins_anew(
    open_store: Callable[..., RedisStore], caplog: pytest.LogCaptureFixture
) -> None:
    with RedisServer() as server:
        store = open_store(server.url)
        store.hosts.keep(HOST, 60, 1, "503").result()
        cursor = store.hosts.changes(None).result().cursor
        server.ask("FLUSHALL")
        assert store.hosts.acquire(HOST, "a", 15).result() > 14
        assert store.hosts.changes(cursor).result().items == []
        assert len(warned(caplog, "has lost what it held")) == 1


# What a person has to change first


def test_a_server_that_drops_keys_is_refused(open_store: Callable[..., RedisStore]) -> None:
    with RedisServer(("maxmemory-policy", "allkeys-lru")) as server:
        store = open_store(server.url)
        with pytest.raises(StoreError) as raised:
            store.facts()
        assert not isinstance(raised.value, StoreUnavailable)
        assert "its maxmemory-policy is 'allkeys-lru'" in str(raised.value)
        assert "CONFIG SET maxmemory-policy noeviction" in str(raised.value)
        # Whoever asks it all the same waits, and is never freed.
        with pytest.raises(StoreUnavailable, match="allkeys-lru"):
            store.hosts.acquire(HOST, "a", 15).result()


def test_a_store_of_another_version_is_refused(store: RedisStore, client: Any, name: str) -> None:
    client.set(f"{prefix('store', name)}schema", "7")
    with pytest.raises(StoreError, match=r"written by another scrapy-polite \(schema '7', this one knows 1\): upgrade"):
        store.facts()


@pytest.mark.parametrize("user", ["", ":wrong-secret@", "nobody:secret@"])
def test_a_refused_password_is_told_and_never_repeated(
    open_store: Callable[..., RedisStore], caplog: pytest.LogCaptureFixture, user: str
) -> None:
    caplog.set_level(logging.DEBUG)
    with RedisServer(password="secret") as server:
        store = open_store(f"redis://{user}127.0.0.1:{server.port}")
        with pytest.raises(
            StoreError, match=r"redis://127.0.0.1:\d+/0: it (asks for a|refuses the user or the) passw"
        ) as raised:
            store.facts()
        assert not isinstance(raised.value, StoreUnavailable)
        assert raised.value.__cause__ is None
        assert "secret" not in f"{raised.value}{store.description}{caplog.text}"
        right = open_store(server.url)
        assert right.facts().startswith(("Valkey ", "Redis "))


def test_a_user_who_may_not_do_all_is_told_what_it_takes(open_store: Callable[..., RedisStore]) -> None:
    with RedisServer() as server:
        server.ask("ACL", "SETUSER", "half", "on", ">secret", "~other:*", "+@all")
        with pytest.raises(StoreError, match="its user may not do this: the docs page"):
            open_store(f"redis://half:secret@127.0.0.1:{server.port}").facts()
        server.ask("ACL", "SETUSER", "whole", "on", ">secret", "~polite:*", "-@all", *ACL.split())
        store = open_store(f"redis://whole:secret@127.0.0.1:{server.port}")
        store.facts()
        store.hosts.spend(HOST, 0.0, 1).result()
        store.hosts.acquire(HOST, "a", 1).result()
        store.robots.put(FULL).result()
        store.dead_urls.keep("/a", 404).result()
        store.quarantines.keep(FOUND).result()
        for prune in (store.prune(0.0), store.hosts.forget(None), store.dead_urls.forget(None)):
            prune.result()


#: As the docs page has it.
ACL = "+@read +@write +@connection +@scripting +info +config|get +time"


def test_a_server_without_persistence_is_used_with_one_warning(
    store: RedisStore, caplog: pytest.LogCaptureFixture
) -> None:
    assert store.facts().endswith(", maxmemory-policy noeviction, kept on disk: none")
    store.hosts.acquire(HOST, "a", 15).result()
    (line,) = warned(caplog, "it keeps nothing on disk")
    assert line.startswith("store redis://127.0.0.1:")


# What nobody of us has written


@pytest.mark.parametrize("garbage", ["text", "list", "hash"])
@pytest.mark.parametrize("kind", ["t", "g", "r", "l", "q", "gates", "robots", "dead", "quarantines"])
def test_what_cannot_be_read_is_dropped_and_named(
    store: RedisStore, client: Any, name: str, caplog: pytest.LogCaptureFixture, kind: str, garbage: str
) -> None:
    member = {"t": HOST, "g": HOST, "r": SITE, "l": SITE, "q": f"{FOUND.site}\n{FOUND.place}"}
    key = f"{prefix('store', name)}{kind}" + (f":{member[kind]}" if kind in member else "")
    store.hosts.keep(HOST, 60, 1, "503").result()
    store.robots.put(FULL).result()
    store.quarantines.keep(CONFIRMED).result()
    store.dead_urls.keep("/a", 404).result()
    client.delete(key)
    if garbage == "text":
        client.set(key, "garbage")
    elif garbage == "list":
        client.rpush(key, "garbage")
    else:
        odd = [
            "holder",
            "taken",
            "until",
            "next",
            "answered",
            "updated",
            "start",
            "kept",
            "spent",
            "level",
            "n:demobot",
            "c:demobot",
        ]
        client.hset(key, mapping=dict.fromkeys(odd, "\ud800garbage".encode("utf-8", "surrogatepass")))
    assert store.hosts.acquire(HOST, "a", 1).result() == 0
    store.hosts.release(HOST, "a", 0).result()
    read_all(store.hosts.changes)
    every_quarantine(store)
    assert store.hosts.spend(HOST, 0.0, 3).result() == 3
    store.robots.get(SITE, "demobot").result()
    store.robots.of_origin(SITE).result()
    claim = store.robots.claim(SITE, "demobot", "a", 1, due_in_s=float("inf")).result()
    store.robots.renew(SITE, "demobot", "a", 1).result()
    assert store.robots.put(FULL, "a", claim.fence).result()
    store.dead_urls.get("/a").result()
    store.dead_urls.keep("/a", 410).result()
    store.quarantines.keep(CONFIRMED).result()
    store.prune(60.0).result()
    assert every_quarantine(store) == [CONFIRMED]
    assert [state.spent for state in read_all(store.hosts.changes)] == [3]
    told = warned(caplog, "cannot be read, so it is dropped")
    assert told or (kind, garbage) in {("t", "hash"), ("l", "hash")}
    assert all(key.encode("unicode_escape").decode() in line for line in told)


@pytest.mark.parametrize("record", [b"", b"\xff", b"[]", b"{}", b'{"status": "200"}', b"[" * 100_000])
def test_a_copy_that_does_not_parse_is_none(store: RedisStore, client: Any, name: str, record: bytes) -> None:
    store.robots.put(FULL).result()
    client.hset(f"{prefix('store', name)}r:{SITE}", "c:demobot", record)
    assert store.robots.get(SITE, "demobot").result() is None
    assert store.robots.claim(SITE, "demobot", "a", 15).result().granted


@pytest.mark.parametrize("length", [10, robots.MAX_BODY_BYTES + 1])
def test_a_body_that_unpacks_to_more_than_any_robots_txt_is_dropped(store: RedisStore, length: int) -> None:
    store.robots.put(replace(FULL, body=b" " * length)).result()
    assert (store.robots.get(SITE, "demobot").result() is not None) is (length == 10)


def test_every_field_of_a_copy_is_kept() -> None:
    assert {field.name for field in fields(RobotsCopy)} == {*robots._KEY, *robots._FIELDS}


# Names


def test_stores_of_two_names_on_one_server_are_apart(
    redis_server: RedisServer, store: RedisStore, open_store: Callable[..., RedisStore]
) -> None:
    other = open_store(f"{redis_server.url}?name={uuid4().hex}")
    store.hosts.spend(HOST, 0.0, 3).result()
    assert read_all(other.hosts.changes) == []


def test_what_goes_by_itself_goes(store: RedisStore, client: Any, name: str) -> None:
    store.hosts.acquire(HOST, "a", 15).result()
    store.robots.claim(SITE, "*", "a", 15).result()
    store.hosts.spend(HOST, 0.0, 1).result()
    lasting = [f"{prefix('store', name)}{key}" for key in ("id", "schema", "run", "seq", "gates", f"g:{HOST}")]
    ttls = {key.decode(): client.ttl(key) for key in client.scan_iter(f"{prefix('store', name)}*")}
    assert {key for key, ttl_s in ttls.items() if ttl_s < 0} == set(lasting)
    assert all(0 < ttl_s <= 100 for key, ttl_s in ttls.items() if key not in lasting)


def test_an_answer_that_is_still_to_be_read_outlasts_the_longest_delay(
    store: RedisStore, client: Any, name: str
) -> None:
    store.hosts.acquire(HOST, "a", 15).result()
    store.hosts.release(HOST, "a", 0.0, answered_s_ago=0.0).result()
    assert store.hosts.acquire(HOST, "b", 15.3, gap_s=0.3).result() == pytest.approx(0.3, abs=0.3)
    store.hosts.release(HOST, "c", 0.5).result()
    assert client.ttl(f"{prefix('store', name)}t:{HOST}") > 86_000
    assert store.hosts.acquire(HOST, "b", 315, gap_s=300).result() == pytest.approx(300, abs=5)
