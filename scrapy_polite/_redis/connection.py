"""Connecting to a server, and whether it is fit to be used."""

from __future__ import annotations

import math
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from .faults import RedisMissing, RedisRefused
from .keys import SERVER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import redis

    from .url import RedisUrl

#: The first with scripts that may run while memory is full (`#!lua flags=allow-oom`), and the first Valkey.
OLDEST_REDIS, OLDEST_VALKEY = (7, 0), (7, 2)

T = TypeVar("T")

#: Nodes of a cluster that may send one on to the next.
_MOST_MOVES = 3

POLICY = "noeviction"
_AND_FOR_GOOD = "and the same in its configuration"


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server says of itself. `run_id` is another after each start.

    `persistent`: whether it has an append-only file or writes snapshots; None where its user may not be told.
    `intact_s`: for so long, at least, it has not lost what it held; infinite where it has kept that through a restart.
    """

    version: str
    is_valkey: bool
    run_id: str
    maxmemory_policy: str
    persistence: str
    persistent: bool | None
    intact_s: float = math.inf

    @property
    def name(self) -> str:
        return f"{'Valkey' if self.is_valkey else 'Redis'} {self.version}"

    @property
    def shown(self) -> str:
        return f"{self.name}, maxmemory-policy {self.maxmemory_policy}, kept on disk: {self.persistence}"


def connect(url: RedisUrl, timeout_s: float) -> redis.Redis:
    """A client of one connection, whose calls wait for `timeout_s`; of the primary that Sentinels name.

    It repeats no call by itself. Once its connection is lost every call raises ConnectionError: what comes after may be
    another run of the server, or another server, and has to be greeted first. Raises RedisMissing, and for Sentinels an
    error of redis-py: else nothing is sent before the first call.
    """
    try:
        import redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry
    except ImportError:
        raise RedisMissing from None

    # By default redis-py asks up to 10 times again, also where only the reply was lost: some would count twice.
    timeouts: dict[str, Any] = {
        "socket_timeout": timeout_s,
        "socket_connect_timeout": timeout_s,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,
    }
    connected = False

    def greet(connection: Any) -> None:
        nonlocal connected
        if connected:
            raise redis.ConnectionError("the connection was lost")
        connection.on_connect()
        connected = True

    login = {"username": url.username, "password": url.password, "db": url.db}
    options = timeouts | login | {"redis_connect_func": greet}
    if url.socket:
        return redis.Redis(unix_socket_path=url.socket, **options)
    ((host, port), *_) = url.hosts
    if url.service:
        from redis.sentinel import Sentinel

        sentinel: Any = Sentinel(url.hosts, sentinel_kwargs=timeouts | dict(url.sentinel))  # type: ignore[no-untyped-call]
        try:
            host, port = sentinel.discover_master(url.service)
        finally:
            for one in sentinel.sentinels:
                one.close()
    if url.scheme == "rediss":
        _readable(url.tls)
        # Before redis-py 6 the name in a certificate is not looked at by default.
        checked = url.tls.get("ssl_cert_reqs") != "none"
        options |= {"ssl": True, "ssl_cert_reqs": "required", "ssl_check_hostname": checked, **url.tls}
    return redis.Redis(host=host, port=port, **options)


def _readable(tls: Mapping[str, Any]) -> None:
    """Raises RedisRefused: to redis-py a certificate that is not there is a server that is not there."""
    for option in ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile"):
        if option in tls and not os.access(str(tls[option]), os.R_OK):
            raise RedisRefused(f"{option} names {str(tls[option])!r}, which cannot be read: expected a PEM file")


def connect_fit(
    url: RedisUrl, timeout_s: float, greet: Callable[[redis.Redis, ServerFacts], T]
) -> tuple[redis.Redis, T]:
    """A client of a server that is fit to be used, and what `greet` has found there; see `connect_to_keys`."""

    def greet_fit(client: redis.Redis) -> T:
        facts = server_facts(client)
        refuse(facts)
        return greet(client, facts)

    return connect_to_keys(url, timeout_s, greet_fit)


def connect_to_keys(
    url: RedisUrl, timeout_s: float, ask: Callable[[redis.Redis], T], moves: int = _MOST_MOVES
) -> tuple[redis.Redis, T]:
    """A client of the server, or of the node of its cluster that has the keys that `ask` asks for, and its answer.

    Raises RedisRefused, or an error of redis-py, MovedError too where nodes send one on and on.
    """
    client = connect(url, timeout_s)
    try:
        return client, ask(client)
    except BaseException as error:
        client.close()
        import redis

        if isinstance(error, redis.exceptions.MovedError) and moves:
            return connect_to_keys(url.moved(error.host, error.port), timeout_s, ask, moves - 1)
        raise


def server_facts(client: redis.Redis) -> ServerFacts:
    """Raises an error of redis-py."""
    info: dict[str, Any] = {}
    for section in ("server", "memory", "persistence"):
        info |= client.info(section)
    # Valkey says as `redis_version` which Redis its commands are those of.
    valkey = info.get("valkey_version") if info.get("server_name") == "valkey" else None
    persistence, persistent = _persistence(client, info)
    return ServerFacts(
        version=str(valkey or info.get("redis_version", "")),
        is_valkey=valkey is not None,
        run_id=str(info.get("run_id", "")),
        maxmemory_policy=str(info.get("maxmemory_policy", "")),
        persistence=persistence,
        persistent=persistent,
        intact_s=_intact_s(client, info),
    )


def _intact_s(client: redis.Redis, info: dict[str, Any]) -> float:
    """Since its start it has lost nothing; whether it did by that, a key of an earlier run tells."""
    import redis

    run_id = str(info.get("run_id", ""))
    before: Any = None
    with suppress(redis.RedisError):  # memory is full, or another node of a cluster has that key: then it is not known
        before = client.set(SERVER, run_id, nx=True, get=True)
    # Of two times in whole seconds, so up to one more than it is.
    uptime_s = max(float(info.get("uptime_in_seconds", 0)) - 1, 0.0)
    return uptime_s if before in {None, run_id.encode()} else math.inf


def refuse(facts: ServerFacts) -> None:
    """Raises RedisRefused where what is kept on this server would not hold."""
    oldest = OLDEST_VALKEY if facts.is_valkey else OLDEST_REDIS
    if _numbers(facts.version) < oldest:
        raise RedisRefused(f"it is {facts.name}: expected Redis 7.0 or Valkey 7.2, or later")
    if facts.maxmemory_policy != POLICY:
        raise RedisRefused(
            f"its maxmemory-policy is {facts.maxmemory_policy!r}, so that it drops keys when memory is short, expected "
            f"{POLICY!r}: CONFIG SET maxmemory-policy {POLICY}, {_AND_FOR_GOOD}"
        )


def warnings(facts: ServerFacts) -> list[str]:
    """What a person should know, a sentence each."""
    if facts.persistent is False:
        return [f"it keeps nothing on disk, so a restart loses all of it: CONFIG SET appendonly yes, {_AND_FOR_GOOD}"]
    return []


def memory_told(client: redis.Redis) -> str:
    """For an error: the limit, and how much of it is used."""
    import redis

    try:
        info = client.info("memory")
    except redis.RedisError:
        return "maxmemory is not told"
    return f"{int(info['used_memory']):,} bytes are used, maxmemory is {int(info['maxmemory']):,}"


def _persistence(client: redis.Redis, info: dict[str, Any]) -> tuple[str, bool | None]:
    """In words, and whether there is any. Managed servers refuse CONFIG."""
    import redis

    if info.get("aof_enabled"):
        return "append-only file", True
    try:
        snapshots = client.config_get("save").get("save")
    except redis.ResponseError:
        return "no append-only file; snapshots not told", None
    return (f"snapshots ({snapshots})", True) if snapshots else ("none", False)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])
