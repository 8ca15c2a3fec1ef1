"""What an earlier run has left of an endless place, by what POLITE_TRAPS says now; and what a person has released."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
import scrapy

from crawls import crawl
from projects import scrapy as command
from trap_sites import SAME, endless, html, prose

if TYPE_CHECKING:
    from webserver import Answer, Asked

pytestmark = pytest.mark.engine

LINKS = "frontier_parts.FilteredLinks"
MONTH, DAY = "/month?at", "/day?d&m"


def months_and_days(asked: Asked) -> Answer:
    """An empty calendar: each month leads to the next one and to its days."""
    query = urlsplit(asked.path).query
    if asked.path.startswith("/day"):
        return html(SAME, f"/month?at={query.rpartition('=')[2]}")
    at = int(query.rpartition("=")[2])
    return html(SAME, f"/month?at={at + 1}", *(f"/day?d={day}&m={at}" for day in range(28)))


def left_by_a_run(folder: Path) -> dict[str, Any]:
    return {"JOBDIR": str(folder / "job"), "POLITE_STORE": str(folder / "store.sqlite"), "CLOSESPIDER_PAGECOUNT": 400}


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        ({"POLITE_TRAPS": "off"}, "closespider_pagecount"),
        ({"POLITE_TRAPS": "log"}, "closespider_pagecount"),
        ({"POLITE_SITES": {"127.0.0.1": {"traps": "off"}}}, "closespider_pagecount"),
        ({"POLITE_TRAPS": "drop"}, "finished"),
    ],
    ids=["off", "log", "off at the site", "drop"],
)
def test_what_was_left_is_followed_or_refused_by_the_settings_of_now(
    tmp_path: Path, now: dict[str, Any], reason: str
) -> None:
    settings = left_by_a_run(tmp_path)
    with endless(months_and_days, {"/": html("Home", "/month?at=0")}) as site:
        first = crawl("asyncio", [site.url], settings, spider=LINKS)
        assert first.stats["finish_reason"] == "polite_traps_left"
        left = sum(found["links_left"] for found in listed(tmp_path))
        then = crawl("asyncio", [site.url], settings | now, spider=LINKS)
    assert then.stats["finish_reason"] == reason
    is_off = "off" in str(now)
    assert bool(then.logged("INFO", "looks endless, as another crawl or run has found")) != is_off
    assert then.stats.get("polite/refused/trap/endless", 0) == (left if reason == "finished" else 0)
    assert left > 100


def test_what_is_confirmed_is_said_to_be_followed_where_it_is(tmp_path: Path) -> None:
    settings = left_by_a_run(tmp_path)
    with endless(months_and_days, {"/": html("Home", "/month?at=0")}) as site:
        traps(tmp_path, "confirm", urlsplit(site.url).netloc, MONTH)
        crawled = crawl("asyncio", [site.url], settings | {"POLITE_TRAPS": "off"}, spider=LINKS)
    assert crawled.stats["finish_reason"] == "closespider_pagecount"
    assert crawled.logged("INFO", f"{MONTH} is confirmed by a person: its links are followed all the same")


def test_what_has_been_fetched_is_not_told_as_refused_once_its_pattern_is_confirmed(tmp_path: Path) -> None:
    settings = left_by_a_run(tmp_path)
    with endless(months_and_days, {"/": html("Home", "/month?at=0")}) as site:
        crawl("asyncio", [site.url], settings, spider="links")
        traps(tmp_path, "confirm", urlsplit(site.url).netloc, MONTH)
        crawled = crawl("asyncio", [site.url], settings, spider="links")
    assert site.pages().count("/") == 2  # and so the first month was met again
    refused = [one["url"].removeprefix(site.url) for one in crawled.refused]
    assert refused
    assert all("month" in path for path in refused)
    assert not set(refused) & set(site.pages())


@pytest.mark.parametrize("pattern", [MONTH, DAY])
def test_a_group_is_released_as_a_whole_by_any_of_its_patterns_before_and_after_a_crawl(
    tmp_path: Path, pattern: str
) -> None:
    for name in ("before", "after"):
        folder = tmp_path / name
        folder.mkdir()
        settings = left_by_a_run(folder)
        with endless(months_and_days, {"/": html("Home", "/month?at=0")}) as site:
            if name == "after":
                first = crawl("asyncio", [site.url], settings, spider=LINKS)
                assert first.stats["finish_reason"] == "polite_traps_left"
            traps(folder, "release", urlsplit(site.url).netloc, pattern)
            crawled = crawl("asyncio", [site.url], settings, spider=LINKS)
        assert crawled.stats["finish_reason"] == "closespider_pagecount", name


def traps(folder: Path, *words: str) -> str:
    done = command(folder, "polite", "traps", *words, "--store", str(folder / "store.sqlite"))
    assert done.returncode == 0, done.stderr
    return done.stdout


def listed(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in traps(folder, "list", "--json").splitlines()]


def page_of_sessions(ids: Iterator[int], asked: Asked) -> Answer:
    """One of 200 pages, each of which hands out another session's id in all its links."""
    at = int(urlsplit(asked.path).path.rpartition("/")[2] or 0)
    rng, session = Random(at), next(ids)
    return html(prose(at), *(f"/page/{to}?xq=t{session}z" for to in [(at + 1) % 200, *rng.sample(range(200), 4)]))


@pytest.mark.skipif(scrapy.version_info < (2, 18), reason="Scrapy holds each page back for 0.1 s, which takes minutes")
def test_a_finite_site_is_read_to_its_end_under_session_ids_of_any_name(loop_mode: str) -> None:
    with endless(partial(page_of_sessions, count())) as site:
        crawled = crawl(loop_mode, [site.url], {"CLOSESPIDER_PAGECOUNT": 3_000}, spider=LINKS)
    assert crawled.stats["finish_reason"] == "finished"
    read = [urlsplit(path).path for path in site.pages() if path.startswith("/page/")]
    assert set(read) == {f"/page/{at}" for at in range(200)}
    assert len(read) < 4 * 200


def test_a_refused_file_that_cannot_be_written_is_told_before_the_crawl(loop_mode: str, tmp_path: Path) -> None:
    with endless(lambda _: html("A page")) as site:
        crawled = crawl(loop_mode, [site.url], {"POLITE_REFUSED_FILE": str(tmp_path)}, spider=LINKS)
    (told,) = crawled.logged("ERROR", f"POLITE_REFUSED_FILE {tmp_path} cannot be written")
    assert crawled.log.index(told) < crawled.log.index("Crawled (200)")


def test_each_link_that_is_left_is_listed_under_the_pattern_that_a_person_can_release(tmp_path: Path) -> None:
    refused = tmp_path / "refused.jsonl"
    with endless(months_and_days, {"/": html("Home", "/month?at=0")}) as site:
        crawled = crawl("asyncio", [site.url], {"POLITE_REFUSED_FILE": str(refused)}, spider=LINKS)
    lines = [json.loads(line) for line in refused.read_text().splitlines()]
    assert len(lines) == crawled.stats["polite/traps/links_left"] > 100
    assert {line["detail"] for line in lines} == {f"{MONTH}: not followed further"}
