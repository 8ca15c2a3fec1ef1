"""The commands on a store on a server, which asks for a password that no output repeats."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from commandline import make_project
from projects import scrapy
from redis_server import RedisServer, free_port, needs_server
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.feed import read_all
from scrapy_polite.store.redis.store import RedisStore
from scrapy_polite.store.robots import RobotsCopy
from store_parts import FOUND

pytestmark = needs_server

SITE = "https://example.com"
SPIDER = "import scrapy\n\nclass One(scrapy.Spider):\n    name = 'one'\n"
SUSPECTED = replace(FOUND, until=time.time() + 86_400, updated_at=time.time())


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with closing(RedisServer(password="secret")) as server:
        yield server


@pytest.fixture
def url(server: RedisServer) -> str:
    return f"{server.url}?name={uuid4().hex}"


@pytest.fixture
def store(url: str) -> Iterator[RedisStore]:
    with closing(RedisStore(RedisUrl.parse(url))) as store:
        store.hosts.keep("busy.example", 8_000, 1, "HTTP 503").result()
        store.hosts.keep("example.com", 8_000, 1, "HTTP 503").result()
        for origin in (SITE, "https://other.example"):
            now = time.time()
            store.robots.put(
                RobotsCopy(origin, "testbot", now, 200, b"User-agent: *\nDisallow: /a\n", False, now, now + 60)
            )
        store.dead_urls.keep(f"{SITE}/gone", 410).result()
        store.dead_urls.keep("https://other.example/gone", 410).result()
        store.quarantines.keep(SUSPECTED).result()
        yield store


@pytest.fixture
def project(tmp_path: Path, url: str) -> Path:
    return make_project(tmp_path / "project", settings={"POLITE_STORE": "redis://", "REDIS_URL": url}, spiders=SPIDER)


def said(folder: Path, *arguments: str, status: int = 0) -> str:
    process = scrapy(folder, *arguments)
    assert process.returncode == status, process.stdout + process.stderr
    assert "secret" not in process.stdout + process.stderr
    assert "Traceback" not in process.stderr
    return process.stdout if status < 2 else process.stderr


def test_gates_are_listed_and_forgotten(
    project: Path, store: RedisStore, url: str, tmp_path: Path, server: RedisServer
) -> None:
    text = said(project, "polite", "gates")
    assert text.startswith(f"2 hosts are closed (redis://127.0.0.1:{server.port}/0?name=")
    assert "busy.example" in text
    found = said(tmp_path, "polite", "gates", "--store", url, "--json")  # outside the project
    assert {json.loads(line)["host"] for line in found.splitlines()} == {"busy.example", "example.com"}
    said(project, "polite", "gates", "--forget", "busy.example")
    said(project, "polite", "gates", "--forget", "busy.example", status=1)
    assert [state.key for state in read_all(store.hosts.changes)] == ["example.com"]


def test_stored_robots_txt_is_shown_and_forgotten(project: Path, store: RedisStore, url: str, tmp_path: Path) -> None:
    assert "Disallow: /a" in said(tmp_path, "robots", "show", SITE, "--store", url)
    assert "1 copy dropped" in said(project, "robots", "forget", SITE)
    said(project, "robots", "show", SITE, status=1)
    assert "1 copy dropped" in said(project, "robots", "forget", "--all")
    assert store.robots.of_origin("https://other.example").result() == []


@pytest.mark.parametrize("command", ["export", "import"])
def test_only_a_store_in_a_file_is_exported_and_imported(
    project: Path, store: RedisStore, tmp_path: Path, command: str, server: RedisServer
) -> None:
    file = tmp_path / "copies.sqlite"
    if command == "import":
        file.touch()
    text = said(project, "robots", command, str(file), status=2)
    assert f"the store is on a server (redis://127.0.0.1:{server.port}/0?name=" in text
    assert "only one in a file can be exported" in text


def test_traps_are_listed_decided_and_forgotten(project: Path, store: RedisStore, tmp_path: Path) -> None:
    assert FOUND.place in said(project, "polite", "traps", "list")
    said(project, "polite", "traps", "show", FOUND.site, FOUND.place)
    said(project, "polite", "traps", "export", str(tmp_path / "review.toml"))
    said(project, "polite", "traps", "confirm", FOUND.site, FOUND.place)
    assert [found.decision for found in every_quarantine(store)] == ["confirmed"]
    said(project, "polite", "traps", "release", FOUND.site, FOUND.place)
    assert [found.decision for found in every_quarantine(store)] == ["released"]
    said(project, "polite", "traps", "forget", FOUND.site, FOUND.place)
    assert every_quarantine(store) == []


def test_a_takedown_removes_what_is_stored_of_a_site(project: Path, store: RedisStore) -> None:
    assert "robots.txt copies" in said(project, "polite", "takedown", "example.com", "--yes")
    assert store.robots.of_origin(SITE).result() == []
    assert store.dead_urls.get(f"{SITE}/gone").result() is None
    assert [found.examples for found in every_quarantine(store)] == [()]
    assert len(store.robots.of_origin("https://other.example").result()) == 1
    assert store.dead_urls.get("https://other.example/gone").result() is not None


def test_check_says_which_server_it_is_and_what_it_keeps(project: Path, server: RedisServer) -> None:
    text = said(project, "polite", "check")
    assert f"  store       redis://127.0.0.1:{server.port}/0?name=" in text
    assert "maxmemory-policy noeviction, kept on disk: none)" in text
    assert "the store cannot be" not in text


@pytest.mark.parametrize(
    ("password", "fault"),
    [
        ("other-secret", "it refuses the user or the password"),
        ("", "it asks for a password"),
        (None, "cannot be reached"),
    ],
)
def test_a_server_that_cannot_be_used_is_a_problem_and_an_error_in_one_line(
    tmp_path: Path, server: RedisServer, password: str | None, fault: str
) -> None:
    port = free_port() if password is None else server.port
    url = f"redis://:{password}@127.0.0.1:{port}/0" if password else f"redis://127.0.0.1:{port}/0"
    project = make_project(tmp_path / "project", settings={"POLITE_STORE": url}, spiders=SPIDER)
    text = said(project, "polite", "check", status=1)
    assert f"  - the store cannot be reached: store redis://127.0.0.1:{port}/0: {fault}"[:60] in text
    assert fault in text
    assert fault in said(project, "polite", "gates", status=2)
    assert fault in said(project, "robots", "show", SITE, status=2)
