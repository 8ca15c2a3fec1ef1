"""A lease of a process that was killed ends with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from redis_server import needs_server
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.store.holder import new_holder
from scrapy_polite.store.processes import is_gone, is_there, start_of
from scrapy_polite.store.redis.store import RedisStore
from scrapy_polite.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy_polite.store.base import Store

IS_TOLD = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="this system does not tell when one began")
HOLD = "from scrapy_polite.store.holder import new_holder; print(new_holder())"


def ended() -> str:
    """The name of a process that has been alive."""
    return subprocess.run([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def test_a_process_is_gone_when_it_has_ended() -> None:
    assert not is_gone(new_holder())
    assert is_gone(ended())


@IS_TOLD
def test_a_process_is_there_until_it_has_ended_and_no_other_of_its_number_is_it() -> None:
    assert is_there(new_holder(), start_of())
    assert not is_there(new_holder(), "1")
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        holder = new_holder().replace(str(os.getpid()), str(process.pid))
        while not is_gone(holder):  # it ends, and nobody has asked for its exit status
            time.sleep(0.01)
        assert start_of(str(process.pid)) == ""


@pytest.mark.parametrize("holder", ["", "me", "elsewhere/1/2", "a/b/c/d", "//99999999999999999999/0"])
def test_what_cannot_be_known_counts_as_alive(holder: str) -> None:
    assert not is_gone(holder)
    assert not is_there(holder, "")
    assert not is_there(holder, "1")


@pytest.fixture(params=["sqlite", pytest.param("redis", marks=needs_server)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlite":
        made: Store = SqliteStore(tmp_path / "store.sqlite")
    else:
        server = request.getfixturevalue("redis_server")
        made = RedisStore(RedisUrl.parse(f"{server.url}?name={uuid4().hex}"))
    with closing(made):
        yield made


def test_the_lease_of_a_process_that_has_ended_is_granted_anew_and_that_of_a_live_one_is_not(store: Store) -> None:
    for origin, holder, granted in [("http://a", ended(), True), ("http://b", new_holder(), False)]:
        for agent in ("*", "other"):
            assert store.robots.claim(f"{origin}.{agent}", "*", holder, 1_000.0).result()[:2] == (None, True)
            claim = store.robots.claim(f"{origin}.{agent}", agent, new_holder(), 1_000.0).result()
            assert claim[:2] == (None, granted)
