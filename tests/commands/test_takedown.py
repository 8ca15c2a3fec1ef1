"""`scrapy polite takedown` on the real command line, after a real crawl, verified in the files that it has left."""

from __future__ import annotations

import ast
import dbm
import gzip
import json
import os
import pickle
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, Spider

from commandline import make_project
from projects import scrapy
from redis_queues import new_job
from redis_server import RedisServer, free_port, needs_server
from scrapy_polite.commands import CommandError
from scrapy_polite.commands.named import Named
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.frontier.sqlite.schema import BLOOM_NAME, FILE_NAME
from scrapy_polite.store.quarantines import Quarantine
from scrapy_polite.store.sqlite.store import SqliteStore
from webserver import PAGE, Answer, Origin, robots

SPIDER = """
import scrapy

class Follows(scrapy.Spider):
    name = "follows"
    handle_httpstatus_list = [404]

    async def start(self):
        for url in {urls!r}:
            yield scrapy.Request(url, priority=1)

    def parse(self, response):
        for request in response.follow_all(css="a"):
            # A meta that JSON has no form for: the queue pickles such a request.
            yield request.replace(meta={{"range": range(3)}}) if "pickled" in request.url else request
"""
STORAGES = "scrapy.extensions.httpcache."
#: Of the pages below /people/ the crawl asks for the first, and for one that is gone; 12 stay in the queue.
PEOPLE = [f"/people/{name}" for name in ("jane", *(f"{number}" for number in range(10)), "pickled-1", "pickled-2")]
NEWS = [f"/news/{number}" for number in range(5)]


def site(address: str = "127.0.0.1") -> Origin:
    links = "".join(f"<a href='{path}'>x</a>" for path in (*PEOPLE, *NEWS))
    html = {"Content-Type": "text/html"}
    return Origin(
        {
            "/robots.txt": robots("User-agent: *\nDisallow: /private"),
            "/": Answer(body=links.encode(), headers=html),
            "/people/gone": Answer(404, PAGE, headers=html),
        },
        address,
    )


@pytest.fixture
def origin() -> Iterator[Origin]:
    with site() as origin:
        yield origin


@pytest.fixture
def other() -> Iterator[Origin]:
    with site("127.0.0.2") as origin:
        yield origin


def settings(**more: Any) -> dict[str, Any]:
    return {
        "HTTPCACHE_ENABLED": True,
        "CONCURRENT_REQUESTS": 1,
        "POLITE_REMEMBER_DEAD_DAYS": 30,
        "POLITE_MAX_IDLE": 5,
        "TELNETCONSOLE_ENABLED": False,
        **more,
    }


def crawl(project: Path, *words: str) -> None:
    done = scrapy(project, "crawl", "follows", "-s", "JOBDIR=job", *words)
    assert done.returncode == 0, done.stderr


def crawled(tmp_path: Path, *origins: Origin, **more: Any) -> Path:
    """A project after a crawl of four pages of each site that was then stopped, with examples of traps in its store."""
    urls = [f"{one.url}{path}" for one in origins for path in ("/people/gone", "/")]
    project = make_project(tmp_path / "project", settings(**more), SPIDER.format(urls=urls))
    crawl(project, "-s", f"CLOSESPIDER_PAGECOUNT={4 * len(origins)}")
    with closing(SqliteStore(store_file(project))) as store:
        examples = tuple(f"{one.url}/{folder}/9" for one in origins for folder in ("people", "news"))
        now = time.time()
        store.quarantines.keep(
            Quarantine("site.example", "/*/*", "same-text", "evidence", examples, now, now + 9_999, updated_at=now)
        ).result(10)
    return project


def takedown(project: Path, *words: str, status: int = 0) -> dict[str, Any]:
    """What `--json` says, with the parts by name."""
    process = scrapy(project, "polite", "takedown", "--json", *words)
    assert process.returncode == status, process.stderr
    assert "Traceback" not in process.stderr
    said: dict[str, Any] = json.loads(process.stdout)
    return said | {"parts": {part["name"]: part for part in said["parts"]}}


def counts(said: dict[str, Any]) -> dict[str, int]:
    return {name: part["count"] for name, part in said["parts"].items()}


@needs_server
def test_on_a_server_all_that_begins_so_is_removed_from_each_job_and_no_process_asks_for_it(
    tmp_path: Path, origin: Origin, redis_server: RedisServer
) -> None:
    jobs = {f"takedown-{new_job()}" for _ in range(2)}
    urls = [f"{origin.url}/"]
    more = {"POLITE_FRONTIER": redis_server.url, "HTTPCACHE_ENABLED": False}
    project = make_project(tmp_path / "project", settings(**more), SPIDER.format(urls=urls))
    for job in jobs:
        crawl(project, "-s", f"POLITE_JOB={job}", "-s", "CLOSESPIDER_PAGECOUNT=2")
    before = len(origin.pages())

    def parts(*words: str) -> dict[str, Any]:
        process = scrapy(project, "polite", "takedown", "--json", f"{origin.url}/people/", *words)
        assert process.returncode == 0, process.stderr
        queued = [part for part in json.loads(process.stdout)["parts"] if part["name"] == "queued requests"]
        found = {part["where"].split()[1]: part["count"] for part in queued}
        return {job: found[job] for job in jobs}

    (project / "people.txt").write_text(f"{origin.url}/people/\n")
    tried = scrapy(project, "polite", "blacklist", "test", "--job", min(jobs), "-s", "POLITE_BLACKLISTS=people.txt")
    assert tried.returncode == 0, tried.stderr
    said, done, again = parts(), parts("--yes"), parts("--yes")
    assert f"{said[min(jobs)]} of " in tried.stdout.splitlines()[0]
    assert said == done
    assert said.keys() == jobs
    assert all(count > 5 for count in said.values())
    assert again == dict.fromkeys(jobs, 0)
    (record, _) = map(json.loads, (project / ".scrapy" / "polite" / "takedowns.jsonl").read_text().splitlines())
    assert record["counts"]["queued requests"] == sum(done.values())
    (project / ".scrapy" / "polite" / "takedowns.txt").unlink()  # so that nothing else keeps a crawl from asking for it
    for job in jobs:
        crawl(project, "-s", f"POLITE_JOB={job}")
    assert not below(origin.pages()[before:], "/people/")
    assert set(NEWS) <= set(origin.pages())


@needs_server
def test_a_server_that_is_not_there_is_said_and_the_rest_is_done(tmp_path: Path, origin: Origin) -> None:
    there = f"redis://127.0.0.1:{free_port()}/0"
    project = make_project(tmp_path / "project", settings(POLITE_FRONTIER=there), SPIDER.format(urls=[]))
    said = takedown(project, f"{origin.url}/people/", "--yes", status=1)
    assert "cannot be reached" in said["parts"]["queue on the server"]["fault"]
    assert counts(said)["takedown list"] == 1


# What the files hold, read by other means than those of the package.


def store_file(project: Path) -> Path:
    return project / ".scrapy" / "polite" / "polite.sqlite"


def rows(path: Path, query: str) -> list[Any]:
    mode = "mode=ro" if path.with_name(f"{path.name}-wal").exists() else "immutable=1"  # leaves nothing behind
    with closing(sqlite3.connect(f"{path.as_uri()}?{mode}", uri=True)) as db:
        return [row[0] for row in db.execute(query)]


def queued(project: Path) -> list[str]:
    requests = rows(project / "job" / FILE_NAME, "SELECT request FROM requests")
    values = [pickle.loads(one[1:]) if one[:1] == b"P" else json.loads(one[1:]) for one in requests]
    return sorted(one["url"] for one in values)


def visited(project: Path) -> int:
    return int(rows(project / "job" / FILE_NAME, "SELECT count(*) FROM visited")[0])


def responses(project: Path) -> list[str]:
    """The URLs that Scrapy's HTTP cache has."""
    folder = project / ".scrapy" / "httpcache"
    found = []
    for path in folder.glob("*/*/*/meta"):
        data = path.read_bytes()
        found.append(ast.literal_eval((gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode())["url"])
    if any(folder.glob("follows.db*")):
        with dbm.open(str(folder / "follows.db"), "r") as database:
            keys = [key for key in database.keys() if key.endswith(b"_data")]  # noqa: SIM118
            found += [pickle.loads(database[key])["url"] for key in keys]
    return sorted(found)


def examples(project: Path) -> list[str]:
    return [url for text in rows(store_file(project), "SELECT examples FROM quarantines") for url in json.loads(text)]


def below(urls: list[str], prefix: str) -> list[str]:
    return [url for url in urls if url.startswith(prefix)]


def state(project: Path) -> dict[str, Any]:
    return {
        "queued": queued(project),
        "visited": visited(project),
        "responses": responses(project),
        "robots": rows(store_file(project), "SELECT origin FROM robots ORDER BY origin"),
        "dead": rows(store_file(project), "SELECT key FROM dead ORDER BY key"),
        "examples": examples(project),
    }


STORAGE = pytest.mark.parametrize(
    "cache",
    [
        pytest.param({}, id="files"),
        pytest.param({"HTTPCACHE_GZIP": True}, id="gzip"),
        pytest.param({"HTTPCACHE_STORAGE": f"{STORAGES}DbmCacheStorage"}, id="dbm"),
    ],
)


@STORAGE
def test_a_dry_run_says_what_would_be_removed_and_changes_nothing(
    cache: dict[str, Any], tmp_path: Path, origin: Origin
) -> None:
    project = crawled(tmp_path, origin, **cache)
    before = state(project)
    said = takedown(project, f"{origin.url}/people/", "--jobdir", "job")
    assert (said["done"], said["entries"]) == (False, [f"{origin.url.removeprefix('http://')}/people/"])
    assert counts(said) == {
        "takedown list": 1,
        "queued requests": len(below(before["queued"], f"{origin.url}/people/")),
        "requests set aside": 0,
        "visited": len(below(before["queued"], f"{origin.url}/people/")),
        "robots.txt copies": 0,
        "dead URLs": 1,
        "examples of traps": 1,
        "HTTP cache": len(below(before["responses"], f"{origin.url}/people/")),
        "URLs in run records": recorded(project, f"{origin.url}/people/"),
    }
    assert state(project) == before
    assert sorted(path.name for path in (project / ".scrapy" / "polite").iterdir()) == ["polite.sqlite", "runs"]
    assert f"{FILE_NAME}-wal" not in os.listdir(project / "job")


@STORAGE
def test_all_that_begins_so_is_removed_and_a_resumed_crawl_asks_for_none_of_it(
    cache: dict[str, Any], tmp_path: Path, origin: Origin
) -> None:
    project = crawled(tmp_path, origin, **cache)
    prefix = f"{origin.url}/people/"
    before, noted = state(project), recorded(project, prefix)
    status = 0 if overwrites(project) else 1
    said = takedown(project, prefix, "--jobdir", "job", "--yes", status=status)
    after = state(project)

    assert after == {
        "queued": [url for url in before["queued"] if not url.startswith(prefix)],
        "visited": before["visited"] - len(below(before["queued"], prefix)),
        "responses": [url for url in before["responses"] if not url.startswith(prefix)],
        "robots": [origin.url],
        "dead": [],
        "examples": [f"{origin.url}/news/9"],
    }
    assert counts(said) == {
        "takedown list": 1,
        "queued requests": len(before["queued"]) - len(after["queued"]),
        "requests set aside": 0,
        "visited": before["visited"] - after["visited"],
        "robots.txt copies": 0,
        "dead URLs": 1,
        "examples of traps": 1,
        "HTTP cache": len(before["responses"]) - len(after["responses"]),
        "URLs in run records": noted,
    }
    assert recorded(project, prefix) == 0 < noted
    assert len(after["queued"]) > 0 < counts(said)["queued requests"]
    assert counts(said)["HTTP cache"] > 0
    # Not even the page of the file that it was written on.
    assert all(b"/people/" not in path.read_bytes() for path in (project / "job").iterdir())

    asked_before = len(origin.asked)
    crawl(project)
    asked = origin.paths()[asked_before:]
    assert [path for path in asked if path.startswith("/people/")] == []
    assert set(NEWS) <= set(origin.paths())
    assert queued(project) == []

    asked_before = len(origin.asked)
    crawl(project, "-s", "JOBDIR=", "-s", "HTTPCACHE_ENABLED=0")
    assert sorted(set(origin.paths()[asked_before:]) - {"/robots.txt"}) == ["/", *NEWS]


def recorded(project: Path, url: str) -> int:
    """How often the run records name a URL that begins so."""
    logs = (project / ".scrapy" / "polite" / "runs").glob("*/*/*.log.gz")
    return sum(gzip.decompress(path.read_bytes()).count(url.encode()) for path in logs)


def overwrites(project: Path) -> bool:
    """Whether the cache's storage leaves nothing of what it deletes; one that does not is told of."""
    path = project / ".scrapy" / "httpcache" / "follows.db"
    if not dbm.whichdb(str(path)):
        return True
    with dbm.open(str(path), "r") as database:
        return hasattr(database, "reorganize")


def test_a_whole_origin_takes_its_robots_copy_along_and_leaves_others_alone(
    tmp_path: Path, origin: Origin, other: Origin
) -> None:
    project = crawled(tmp_path, origin, other)
    before = state(project)
    said = takedown(project, origin.url, "--jobdir", "job", "--yes")
    after = state(project)
    assert counts(said)["robots.txt copies"] == 1
    assert after["robots"] == [other.url]
    for kept in ("queued", "responses", "dead", "examples"):
        assert after[kept] == below(before[kept], other.url) != []
    assert rows(project / "job" / FILE_NAME, "SELECT DISTINCT name FROM requests JOIN lanes ON lane = lanes.id") == [
        other.url
    ]
    asked_before, others_before = len(origin.asked), len(other.asked)
    crawl(project)
    # One that knows nothing of the first, and finds all the links again.
    crawl(project, "-s", "JOBDIR=", "-s", "HTTPCACHE_ENABLED=0")
    assert len(origin.asked) == asked_before
    assert {"/", *PEOPLE, *NEWS} <= set(other.paths()[others_before:])


def test_what_waits_as_a_suspected_trap_goes_with_its_origin_or_by_its_urls(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    (project / "job").mkdir()
    queue = SqliteQueue(project / "job" / FILE_NAME, Codec(pickle=True), Spider("test"))
    queue.open().result(10)
    for host in ("town.example", "shop.example"):
        for number, kind in enumerate(("", " newest", " any")):
            url = f"https://{host}/calendar?m={number}"
            queue.push(f"https://{host} /calendar?m{kind}", (0, number), Request(url))
    # As with POLITE_TARGET_URL: the lane alone says whose page it is.
    queue.push("https://town.example /calendar?m", (0, 9), Request("http://renderer.example/"))
    queue.flush().result(10)
    queue.close().result(10)
    words = ("https://town.example", "https://shop.example/calendar?m=1", "--jobdir", "job")
    for done in ((), ("--yes",)):
        assert counts(takedown(project, *words, *done))["queued requests"] == 5
    assert queued(project) == ["https://shop.example/calendar?m=0", "https://shop.example/calendar?m=2"]


def test_one_url_is_forgotten_alone_also_that_it_was_visited(tmp_path: Path, origin: Origin) -> None:
    project = crawled(tmp_path, origin)
    before = state(project)
    url = f"{origin.url}/people/gone"
    assert url in before["responses"]
    said = takedown(project, url, "--jobdir", "job", "--yes")
    after = state(project)
    assert after == before | {
        "visited": before["visited"] - 1,
        "responses": [one for one in before["responses"] if one != url],
        "dead": [],
    }
    assert counts(said) | {"takedown list": 1, "visited": 1, "dead URLs": 1, "HTTP cache": 1} == counts(said)
    assert not any("hashes" in text for text in said["outside"])


def test_what_was_done_is_told_logged_and_not_done_twice(tmp_path: Path, origin: Origin) -> None:
    project = crawled(tmp_path, origin)
    words = (
        "polite",
        "takedown",
        f"{origin.url}/people/*",
        "=jane.example",
        "--jobdir",
        "job",
        "--yes",
        "--why",
        "a\nb",
    )
    before = queued(project)
    first = scrapy(project, *words)
    assert first.returncode == 0, first.stderr
    listed = project / ".scrapy" / "polite" / "takedowns.txt"
    place = origin.url.removeprefix("http://")
    lines = first.stdout.splitlines()
    assert lines[:5] == [
        "taken down:",
        f"  {origin.url}/people/*: every URL that begins with http(s)://{place}/people/",
        "  =jane.example: the host jane.example, without its subdomains",
        f"added to {listed}: 2 of 2 entries",
        "removed:",
    ]
    count = len(below(before, f"{origin.url}/people/"))
    assert f"{count:>9}  queued requests (job)" in lines
    assert "outside its reach:" in lines

    head, why, *entries = listed.read_text().splitlines()
    assert head.startswith("# What its owners have asked to be left alone")
    assert re.fullmatch(r"# \d{4}-\d\d-\d\dT[\d:]{8}\+00:00: a\\nb", why)
    assert entries == [f"{place}/people/", "=jane.example"]
    assert listed.stat().st_mode & 0o077 == 0

    second = scrapy(project, *words)
    assert second.returncode == 0, second.stderr
    assert f"added to {listed}: 0 of 2 entries" in second.stdout
    assert listed.read_text().splitlines()[2:] == entries
    one, two = (json.loads(line) for line in listed.with_suffix(".jsonl").read_text().splitlines())
    assert (one["why"], one["places"], one["entries"]) == ("a\nb", [f"{origin.url}/people/*", "=jane.example"], entries)
    assert (one["counts"]["queued requests"], one["counts"]["takedown list"]) == (count, 2)
    assert set(two["counts"].values()) == {0}
    assert listed.with_suffix(".jsonl").stat().st_mode & 0o077 == 0


def test_an_undone_takedown_is_fetched_again_and_what_was_removed_is_said_to_be_gone(
    tmp_path: Path, origin: Origin
) -> None:
    project = crawled(tmp_path, origin)
    place = f"{origin.url}/people/"
    before = counts(takedown(project, place, "jane.example", "--jobdir", "job", "--yes", "--why", "by mail"))
    takedown(project, "joe.example", "--yes")
    listed = project / ".scrapy" / "polite" / "takedowns.txt"
    text = listed.read_text()
    seen = len(origin.pages())
    crawl(project)
    assert below(origin.pages()[seen:], "/people/") == []

    dry = scrapy(project, "polite", "takedown", "--undo", place)
    lines = dry.stdout.splitlines()
    assert (dry.returncode, listed.read_text()) == (0, text)
    assert lines[0] == f"would be taken out of {listed} (--yes does it; nothing is changed yet):"
    assert lines[2] == "removed by the takedown, and gone for good:"
    assert re.fullmatch(rf"  \S+: {before['queued requests']} queued requests, .*, \d+ HTTP cache, .*", lines[3])

    done = scrapy(project, "polite", "takedown", place, "--undo", "--yes", "--why", "a mistake")
    assert done.stdout.splitlines()[0] == f"taken out of {listed}:"
    assert listed.read_text() == text.replace(f"{place.removeprefix('http://')}\n", "")
    record = json.loads(listed.with_suffix(".jsonl").read_text().splitlines()[-1])
    assert (record["undo"], record["places"], record["why"]) == (True, [place], "a mistake")
    seen = len(origin.pages())
    crawl(project, "-s", "JOBDIR=")
    assert below(origin.pages()[seen:], "/people/") != []

    said = scrapy(project, "polite", "takedown", "jane.example", "--undo", "--yes", "--json")
    assert json.loads(said.stdout)["done"]
    assert "by mail" not in listed.read_text()  # the reason of what is there no more
    assert listed.read_text().splitlines()[-1] == "joe.example"


@pytest.mark.parametrize(
    ("listed", "word", "said"),
    [
        pytest.param("", "jane.example", "takedowns.txt: nothing has been taken down\n", id="no-takedown"),
        pytest.param("joe.example", "jane.example", "takedowns.txt: name it as the takedown did (the log ", id="other"),
        pytest.param(
            "jane.example",
            "https://www.jane.example/x",
            "which covers it by jane.example: that can be undone",
            id="more",
        ),
    ],
)
def test_where_there_is_nothing_to_undo_it_says_so_and_changes_nothing(
    listed: str, word: str, said: str, tmp_path: Path
) -> None:
    project = make_project(tmp_path / "project")
    if listed:
        takedown(project, listed, "--yes")
    process = scrapy(project, "polite", "takedown", "--undo", word, *([listed] if listed else []), "--yes")
    assert (process.returncode, process.stdout) == (1, "")
    assert "nothing is undone: " in process.stderr
    assert said in process.stderr
    path = project / ".scrapy" / "polite" / "takedowns.txt"
    assert (path.read_text().splitlines()[-1] if listed else path.exists()) == (listed or False)


def test_beside_a_running_crawl_the_list_is_written_and_its_queue_left_with_a_word(
    tmp_path: Path, origin: Origin
) -> None:
    project = crawled(tmp_path, origin)
    before = queued(project)
    at_work = SqliteQueue(project / "job" / FILE_NAME, Codec(pickle=True), None)
    at_work.open().result(10)
    try:
        said = takedown(project, f"{origin.url}/people/", "--jobdir", "job", "--yes", status=1)
    finally:
        at_work.close().result(10)
    assert "wait for its end, or stop it" in said["parts"]["queue"]["fault"]
    assert (
        f"{origin.url.removeprefix('http://')}/people/"
        in (project / ".scrapy" / "polite" / "takedowns.txt").read_text().splitlines()
    )
    assert queued(project) == before
    assert below(responses(project), f"{origin.url}/people/") == []
    takedown(project, f"{origin.url}/people/", "--jobdir", "job", "--yes")
    assert below(queued(project), f"{origin.url}/people/") == []


def test_a_store_that_cannot_be_opened_keeps_nothing_else_from_being_removed(tmp_path: Path, origin: Origin) -> None:
    project = crawled(tmp_path, origin)
    store_file(project).write_bytes(b"no database" * 1_000)
    said = takedown(project, f"{origin.url}/people/", "--jobdir", "job", "--yes", status=1)
    assert str(store_file(project)) in said["parts"]["store"]["fault"]
    assert below([*queued(project), *responses(project)], f"{origin.url}/people/") == []
    logged = json.loads((project / ".scrapy" / "polite" / "takedowns.jsonl").read_text())
    assert logged["faults"] == [said["parts"]["store"]["fault"]]


def test_what_lies_outside_its_reach_is_said(tmp_path: Path, origin: Origin) -> None:
    project = crawled(tmp_path, origin)
    (project / "job" / BLOOM_NAME).touch()
    (project / "job" / "requests.seen").touch()
    bloom = takedown(project, f"{origin.url}/", "--jobdir", "job")["outside"]
    for text in ("item feeds", "other machines", "in a Bloom filter", "its pace", "requests.*"):
        assert any(text in sentence for sentence in bloom), text
    (project / "job" / BLOOM_NAME).unlink()
    hashes = takedown(project, f"{origin.url}/people/", "--jobdir", "job", "-s", "ADDONS={}")["outside"]
    assert any("hashes are kept" in sentence for sentence in hashes)
    assert any("only with the add-on" in sentence for sentence in hashes)
    no_job = takedown(project, origin.url, "-s", "HTTPCACHE_STORAGE=scrapy.dupefilters.BaseDupeFilter")["outside"]
    assert any("none was named (--jobdir DIR" in sentence for sentence in no_job)
    assert any("of BaseDupeFilter (HTTPCACHE_STORAGE) nothing is known" in sentence for sentence in no_job)


def test_where_nothing_is_stored_yet_the_list_is_all_there_is(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    done = scrapy(project, "polite", "takedown", "jane.example", "--yes")
    assert done.returncode == 0, done.stderr
    assert "removed:\n  nothing is stored of it\n" in done.stdout
    assert (project / ".scrapy" / "polite" / "takedowns.txt").read_text().endswith("\njane.example\n")


def test_what_was_removed_is_told_also_where_the_log_cannot_be_written(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    (project / ".scrapy/polite/takedowns.jsonl").mkdir(parents=True)
    done = scrapy(project, "polite", "takedown", "jane.example", "--yes")
    assert done.returncode == 2
    assert done.stdout.startswith("taken down:\n  jane.example: ")
    assert "takedowns.jsonl cannot be written: Is a directory" in done.stderr


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x80\x04", id="pickle"),
        pytest.param(b"{'url': 1}", id="no-text"),
        pytest.param(b"[" * 100_000, id="nested"),
        pytest.param(b"\x1f\x8b\x08", id="gzip"),
    ],
)
def test_a_cached_response_whose_url_cannot_be_read_is_left_and_told(damage: bytes, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    meta = project / ".scrapy" / "httpcache" / "spider" / "ab" / f"ab{'0' * 38}" / "meta"
    meta.parent.mkdir(parents=True)
    meta.write_bytes(damage)
    said = takedown(project, "jane.example", "--yes", status=1)
    assert said["parts"]["HTTP cache"]["fault"] == "1 responses were left whose URL cannot be read"
    assert meta.read_bytes() == damage


def test_links_in_the_cache_folder_are_not_followed(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    elsewhere = tmp_path / "elsewhere" / "ab" / f"ab{'0' * 38}"
    elsewhere.mkdir(parents=True)
    (elsewhere / "meta").write_text(repr({"url": "http://jane.example/"}))
    (project / ".scrapy" / "httpcache").mkdir(parents=True)
    (project / ".scrapy" / "httpcache" / "spider").symlink_to(tmp_path / "elsewhere")
    assert takedown(project, "jane.example", "--yes")["parts"]["HTTP cache"]["count"] == 0
    assert (elsewhere / "meta").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param([], "the following arguments are required: URL|PREFIX|HOST", id="nothing"),
        pytest.param(["a b"], "'a b' is no entry: more than one word", id="two-words"),
        pytest.param(["mailto:a@b.example"], "is no entry", id="no-url"),
        pytest.param(["jane.example", "--jobdir", "none"], "'none' is no job directory: it holds no queue", id="job"),
        pytest.param(["co.uk"], "co.uk is a public suffix, and with it goes every site below it", id="public-suffix"),
        pytest.param(["jane.example", "--undo", "--jobdir", "job"], "it goes without --jobdir and --store", id="undo"),
        pytest.param(["jane.example", "--all"], "takedown: unrecognized arguments: --all", id="option"),
    ],
)
def test_what_cannot_be_meant_is_an_error_and_nothing_is_done(words: list[str], said: str, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    process = scrapy(project, "polite", "takedown", *words, "--yes")
    assert process.returncode == 2
    assert said in process.stderr
    assert "Traceback" not in process.stderr
    assert not (project / ".scrapy" / "polite" / "takedowns.txt").exists()


@pytest.mark.parametrize(
    ("word", "entry", "url"),
    [
        pytest.param("jane.example", "jane.example", "", id="host"),
        pytest.param("*.jane.example", "jane.example", "", id="star"),
        pytest.param("=jane.example", "=jane.example", "", id="exact-host"),
        pytest.param("https://jane.example", "=jane.example", "", id="origin"),
        pytest.param("https://jane.example/", "=jane.example", "", id="origin-with-slash"),
        pytest.param("https://jane.example:8443/", "jane.example:8443/", "", id="port"),
        pytest.param("http://192.0.2.1/", "192.0.2.1/32", "", id="address"),
        pytest.param("https://a.example/b/", "a.example/b/", "", id="folder"),
        pytest.param("https://a.example/b*", "a.example/b", "", id="prefix"),
        pytest.param("https://a.example/b?*", "a.example/b?", "", id="queries"),
        pytest.param("https://a.example/b", "=a.example/b", "https://a.example/b", id="url"),
        pytest.param("a.example/b", "=a.example/b", "a.example/b", id="without-scheme"),
        pytest.param("https://a.example/b/?c=1#d", "=a.example/b/?c=1", "https://a.example/b/?c=1#d", id="query"),
        pytest.param("=https://a.example/", "=a.example/", "https://a.example/", id="home-page"),
        pytest.param("=https://a.example/b/", "=a.example/b/", "https://a.example/b/", id="page-that-ends-with-slash"),
    ],
)
def test_what_is_meant_by_a_word(word: str, entry: str, url: str) -> None:
    named = Named.of(word)
    assert ([str(one) for one in named.entries], named.url) == ([entry], url)


@pytest.mark.parametrize("word", ["10.0.0.0/8", "/private/", "!a.example", "# a", "", "https://", "https://a b/"])
def test_what_a_takedown_cannot_name(word: str) -> None:
    with pytest.raises(CommandError):
        Named.of(word)


@pytest.mark.parametrize("on_server", [False, pytest.param(True, marks=needs_server)])
def test_pages_to_come_back_to_are_forgotten_and_the_links_to_them(
    tmp_path: Path, origin: Origin, on_server: bool, request: pytest.FixtureRequest
) -> None:
    spider = SPIDER.replace('"pickled" in', '"none" in').format(urls=[f"{origin.url}/"])
    own = settings(POLITE_RECRAWL="links", HTTPCACHE_ENABLED=False)
    if on_server:
        own["POLITE_STORE"] = f"{request.getfixturevalue('redis_server').url}?name={new_job()}"
    project = make_project(tmp_path / "project", own, spider)
    crawl(project)
    for done in ((), ("--yes",)):
        said = counts(takedown(project, f"{origin.url}/people/jane", *done))
        assert (said["pages to come back to"], said["links on such pages"]) == (1, 1)
    said = counts(takedown(project, f"{origin.url}/people/jane", "--yes"))
    assert (said["pages to come back to"], said["links on such pages"]) == (0, 0)
    if on_server:
        return
    with closing(sqlite3.connect(next(project.rglob("*-pages.sqlite")))) as db:
        urls = [url for (url,) in db.execute("SELECT url FROM pages")]
    assert f"{origin.url}/news/1" in urls
    assert f"{origin.url}/people/jane" not in urls
