"""A real server: what is said of it, what is wrong with it, scripts that it has forgotten."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError

from redis_server import Proxy, RedisServer, free_port, needs_server, tls_in_front_of
from scrapy_polite._redis.connection import ServerFacts, connect, refuse, server_facts, warnings
from scrapy_polite._redis.faults import Fault, RedisRefused, explained
from scrapy_polite._redis.scripts import Call, Scripts
from scrapy_polite._redis.url import RedisUrl
from webserver import self_signed

pytestmark = needs_server

FACTS = ServerFacts("7.0.0", False, "a", "noeviction", "append-only file", True)


@pytest.fixture
def client(redis_server: RedisServer) -> Iterator[Any]:
    with closing(connect(RedisUrl.parse(redis_server.url), 5.0)) as client:
        yield client


def fault_of(url: str, *command: str, timeout_s: float = 0.3) -> Fault:
    where = RedisUrl.parse(url)
    with pytest.raises(RedisError) as raised, closing(connect(where, timeout_s)) as client:
        client.execute_command(*command or ("PING",))
    return explained(raised.value, where.shown)


def test_a_server_says_what_it_is(client: Any) -> None:
    facts = server_facts(client)
    assert facts.name.startswith("Valkey " if facts.is_valkey else "Redis ")
    assert (facts.maxmemory_policy, facts.persistence, facts.persistent) == ("noeviction", "none", False)
    refuse(facts)
    (warning,) = warnings(facts)
    assert "a restart loses all of it: CONFIG SET appendonly yes" in warning


@pytest.mark.parametrize(("persistence", "said"), [("aof", "append-only file"), ("rdb", "snapshots (3600 1)")])
def test_a_server_that_keeps_its_data_is_known(persistence: str, said: str) -> None:
    with RedisServer(persistence=persistence) as server, closing(connect(RedisUrl.parse(server.url), 5.0)) as client:
        facts = server_facts(client)
    assert (facts.persistence, facts.persistent, warnings(facts)) == (said, True, [])


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (replace(FACTS, version="6.2.14"), "it is Redis 6.2.14: expected Redis 7.0 or Valkey 7.2, or later"),
        (replace(FACTS, is_valkey=True), "it is Valkey 7.0.0: expected"),
        (
            replace(FACTS, maxmemory_policy="allkeys-lru"),
            "its maxmemory-policy is 'allkeys-lru', so that it drops keys",
        ),
    ],
)
def test_a_server_that_would_lose_what_it_keeps_is_refused(facts: ServerFacts, said: str) -> None:
    with pytest.raises(RedisRefused, match=said):
        refuse(facts)


def test_what_is_wrong_with_a_server_is_said_without_a_password(redis_server: RedisServer) -> None:
    with RedisServer(password="secret") as server, Proxy(server, delay_s=1.0) as slow:
        shown = f"redis://127.0.0.1:{server.port}/0"
        assert fault_of(shown) == Fault(
            f"{shown}: it asks for a password: give one in the URL, redis://USER:PASSWORD@HOST", False
        )
        for user in ("other:secret", ":othersecret"):
            fault = fault_of(f"redis://{user}@127.0.0.1:{server.port}")
            assert fault == Fault(f"{shown}: it refuses the user or the password: check them in the URL", False)
        assert fault_of(server.url, "FOO", "secret") == Fault(f"{shown}: it answers \"unknown command 'FOO'\"", False)
        assert fault_of(slow.url) == Fault(f"redis://127.0.0.1:{slow.port}/0: it does not answer in time", True)
    shown = f"redis://127.0.0.1:{free_port()}/0"
    assert fault_of(shown) == Fault(f"{shown}: it cannot be reached (Connection refused)", True)


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (RuntimeError("secret"), Fault("x: RuntimeError", False)),
        (
            RedisConnectionError("Error while reading from x:1 : (104, 'Connection reset by peer')"),
            Fault("x: it cannot be reached (Connection reset by peer)", True),
        ),
        (RedisConnectionError("Error 111 connecting to x:1. Odd."), Fault("x: it cannot be reached (Odd)", True)),
        (RedisConnectionError("Connection lost"), Fault("x: it cannot be reached (Connection lost)", True)),
        (RedisConnectionError(), Fault("x: it cannot be reached (no reason given)", True)),
        (OSError(5, "Input/output error"), Fault("x: it cannot be reached ([Errno 5] Input/output error)", True)),
        (ResponseError("MISCONF Redis is configured to"), Fault("x: it takes no writes while it cannot save", True)),
        (ResponseError("CLUSTERDOWN Hash slot not served"), Fault("x: its cluster is down", True)),
    ],
)
def test_an_error_of_any_kind_has_a_sentence(error: Exception, fault: Fault) -> None:
    found = explained(error, "x")
    assert found.text.startswith(fault.text)
    assert found.passing is fault.passing


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripts:
    package = tmp_path / "lua_of_test"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "head.lua").write_text("local P = KEYS[1]\n")
    (package / "add.lua").write_text("#!lua flags=allow-oom\nreturn redis.call('INCRBY', P..'n', ARGV[1])\n")
    (package / "fail.lua").write_text("return redis.error_reply('OOM ' .. ARGV[1])\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, package.name, raising=False)
    return Scripts(package.name, "polite:{test:scripts}:")


def test_many_scripts_run_in_one_round_trip_each_with_its_own_reply(client: Any, scripts: Scripts) -> None:
    client.delete("polite:{test:scripts}:n")
    client.script_flush()
    for before in (0, 12):  # first of a server that has none of them, then of one that has
        calls = [Call("add", [5]), Call("fail", ["secret"]), Call("add", [7])]
        first, failed, last = scripts.run(client, calls)
        assert (first, last) == (before + 5, before + 12)
        assert explained(failed, "x") == Fault(
            "x: it is out of memory: raise its maxmemory, or drop what is not needed", True
        )


def test_a_client_whose_connection_was_lost_connects_to_nobody_else(redis_server: RedisServer) -> None:
    with Proxy(redis_server) as proxy, closing(connect(RedisUrl.parse(proxy.url), 5.0)) as client:
        assert client.ping()
        proxy.cut()
        for _ in range(2):
            with pytest.raises(RedisConnectionError):
                client.ping()


def test_a_proxy_loses_replies_of_what_has_been_done(redis_server: RedisServer, client: Any) -> None:
    client.delete("test-proxy")
    with Proxy(redis_server, drop_every=3) as proxy, closing(connect(RedisUrl.parse(proxy.url), 5.0)) as dropping:
        with pytest.raises(RedisConnectionError):
            deque((dropping.incr("test-proxy") for _ in range(9)), maxlen=0)
        assert proxy.dropped == 1
    assert int(client.get("test-proxy")) > 0


def test_a_certificate_is_verified_over_tls(redis_server: RedisServer, tmp_path: Path) -> None:
    context = self_signed(tmp_path, "127.0.0.1")
    with tls_in_front_of(redis_server, context) as port:
        url = f"rediss://127.0.0.1:{port}"
        with closing(connect(RedisUrl.parse(f"{url}?ssl_ca_certs={tmp_path / 'tls.pem'}"), 5.0)) as client:
            assert server_facts(client).version
        fault = fault_of(url, timeout_s=5.0)
        assert not fault.passing
        assert fault.text.startswith(f"{url}/0: its certificate cannot be verified (self")
        assert fault.text.endswith("name the one that signed it with ?ssl_ca_certs=FILE")
        fault = fault_of(f"{url.replace('127.0.0.1', 'localhost')}?ssl_ca_certs={tmp_path / 'tls.pem'}", timeout_s=5.0)
        assert "Hostname mismatch" in fault.text
        with pytest.raises(RedisRefused, match=r"ssl_ca_certs names '/none.pem', which cannot be read"):
            connect(RedisUrl.parse(f"{url}?ssl_ca_certs=/none.pem"), 5.0)


def test_the_primary_that_a_sentinel_names_is_connected_to() -> None:
    with RedisServer(password="secret") as primary, RedisServer(sentinel_of=primary) as sentinel:
        at = f"redis+sentinel://:secret@127.0.0.1:{free_port()},127.0.0.1:{sentinel.port}"
        with closing(connect(RedisUrl.parse(f"{at}/main/2"), 1.0)) as client:
            client.set("who", "primary")
        assert primary.ask("SELECT", "2")
        with closing(connect(RedisUrl.parse(f"redis://:secret@127.0.0.1:{primary.port}/2"), 1.0)) as client:
            assert client.get("who") == b"primary"
        fault = fault_of(f"{at}/other")
        assert fault.passing
        assert "secret" not in fault.text
        assert "/other/0: no Sentinel that answers knows this name" in fault.text
