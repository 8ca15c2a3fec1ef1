"""The run record of whole crawls: what is in it, what stays out of it, and what ends it."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import arguments
from crawls import crawl, crawl_and_kill, crawl_together
from scrapy_polite.robots.cache import digest_of
from scrapy_polite.runs.audit import Place, audit
from scrapy_polite.runs.files import MAX_SNAPSHOT_BYTES
from scrapy_polite.runs.html import can_write_html
from scrapy_polite.runs.records import End, Missed, Pace, Page, Refusal, Robots, RobotsRequest
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import Run, State, find_run
from scrapy_polite.runs.why import why
from webserver import Answer, Origin, robots

pytestmark = pytest.mark.engine

BEFORE = b"User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n"
AFTER = b"User-agent: *\nDisallow: /late\nCrawl-delay: 0.2\n"


def run_in(folder: Path) -> Run:
    return find_run(folder / ".scrapy" / "polite" / "runs", None)


def records(run: Run, kind: type[Any] = object) -> list[Any]:
    return [record for worker in run.workers for record in worker.records() if isinstance(record, kind)]


def test_every_request_is_a_line_with_what_was_in_force(loop_mode: str, tmp_path: Path) -> None:
    answers = {"/robots.txt": robots(BEFORE.decode()), "/gone": Answer(404, body=b"x" * 99), "/cut": Answer(drop=True)}
    with Origin(answers) as site:
        paths = ["/a?token=abc", "/gone", "/private/b", "/cut"]
        crawled = crawl(loop_mode, [f"{site.url}{path}" for path in paths], folder=tmp_path)
        asked = [f"{site.url}{path}" for path in site.paths()]
    run = run_in(tmp_path)
    (fetch,), pages = records(run, RobotsRequest), records(run, Page)
    assert [fetch.url, *(page.url for page in pages)] == [url.replace("abc", "***") for url in asked]
    assert (fetch.status, fetch.size_bytes) == (200, len(BEFORE))
    assert [(page.status, page.delay_s, page.delay_source, page.rules) for page in pages] == [
        (200, 0.2, "Crawl-delay", "fresh"),
        (404, 0.2, "Crawl-delay", "fresh"),
        (0, 0.2, "Crawl-delay", "fresh"),
    ]
    assert [page.error != "" for page in pages] == [False, False, True]
    assert report(run)["pages"]["by_error"] == {pages[2].error: 1}
    assert pages[1].size_bytes == 99
    assert pages[1].at - (pages[0].at + pages[0].began_s) >= 0.199
    assert all(0 <= page.began_s <= page.seconds < 5 for page in pages)
    digest = digest_of(BEFORE)
    assert {page.robots for page in pages} == {digest}
    (refusal,) = records(run, Refusal)
    assert (refusal.reason, refusal.line, refusal.rule, refusal.robots) == (
        "robots/disallow",
        2,
        "Disallow: /private",
        digest,
    )
    assert [(robots.digest, robots.status) for robots in records(run, Robots)] == [(digest, 200)]
    assert [(pace.seconds, pace.source) for pace in records(run, Pace)] == [(0.2, "Crawl-delay")]
    assert run.bodies({digest}) == {digest: BEFORE}
    assert isinstance(records(run)[-1], End)
    assert (run.state(), run.reason) == (State.ENDED, "finished")
    assert run.head["user_agent"] == "testbot/1.0 (+https://testbot.example/about)"
    snapshot = run.workers[0].snapshot
    assert snapshot["pages"] == {"sent": {"fresh": 3}, "answered": {"200": 1, "404": 1, "0": 1}}
    assert snapshot["refused"] == {"robots/disallow": 1}
    command = "scrapy polite report" if can_write_html() else "scrapy polite report --md"
    assert f"  run record: {run.folder} (`{command}` shows it)" in crawled.log.splitlines()


def test_the_audit_of_a_host_is_what_its_own_log_says(loop_mode: str, tmp_path: Path) -> None:
    """Every request in its order, with the robots.txt that was in force, across a change in the middle of the crawl."""
    soon = {"Cache-Control": "max-age=1"}
    files = [Answer(body=BEFORE, headers=soon), Answer(body=AFTER)]
    # A lane takes what it has found open for known for five seconds.
    with Origin({"/robots.txt": files, "/3": Answer(delay_s=5.5)}) as site, Origin({}) as other:
        urls = [f"{site.url}/{number}" for number in range(8)] + [f"{site.url}/private", f"{other.url}/other"]
        crawl(loop_mode, urls, {"POLITE_ROBOTS_MIN_AGE": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 1}, folder=tmp_path)
        paths, gaps_s = site.paths(), [after.at - before.at for before, after in pairwise(site.asked)]
    found = audit(Place.of(site.url), [run_in(tmp_path)])
    assert found is not None
    assert [one["url"] for one in found["requests"]] == [f"{site.url}{path}" for path in paths]
    copies = [digest_of(BEFORE), digest_of(AFTER)]
    assert [one["digest"] for one in found["robots"]] == copies
    assert [one["text"] for one in found["robots"]] == [BEFORE.decode(), AFTER.decode()]
    in_force = [copies[paths[:at].count("/robots.txt") - 1] for at, path in enumerate(paths) if path != "/robots.txt"]
    assert [one["robots"] for one in found["requests"] if one["for"] == "page"] == in_force
    assert set(in_force) == set(copies)
    assert found["gaps"]["least_s"] == pytest.approx(min(gaps_s), abs=0.1)
    assert (found["gaps"]["asked_s"], found["gaps"]["asked_by"], found["gaps"]["shorter"]) == (0.2, "Crawl-delay", 0)
    assert len(found["requests"]) + len(found["refused"]) == len(urls) - 1 + 2


def test_a_crawl_that_was_killed_lacks_no_more_than_its_last_seconds(loop_mode: str, tmp_path: Path) -> None:
    """The lines are there though nothing closed them; what is in flight is in the snapshot."""
    hung = Answer(delay_s=60)
    with Origin({"/robots.txt": robots(BEFORE.decode()), "/hung": hung}) as site:
        urls = [f"{site.url}/{path}" for path in ("a", "b", "hung")]

        def is_written() -> bool:
            snapshots = list(tmp_path.rglob("*.snapshot.json"))
            in_flight = [json.loads(path.read_text())["in_flight"] for path in snapshots]
            return [[url for _, url in pairs] for pairs in in_flight] == [urls[2:]]

        settings = {"POLITE_MAX_IDLE": 60, arguments.RUN_WRITE: 0.1}
        crawl_and_kill(loop_mode, urls, settings, "list", is_written, folder=tmp_path)
    run = run_in(tmp_path)
    assert [page.url for page in records(run, Page)] == urls[:2]
    assert run.state() is State.KILLED
    assert [url for _, url in run.workers[0].snapshot["in_flight"]] == urls[2:]
    assert records(run, End) == []
    found = report(run)
    assert (found["ended"], found["pages"]["sent"], found["pages"]["answered"]) == ("ended without closing", 3, 2)


def test_a_full_disk_ends_the_record_with_one_warning_and_not_the_crawl(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/robots.txt": robots(f"User-agent: *\nDisallow: /{os.urandom(20_000).hex()}")}) as site:
        settings = {"EXTENSIONS": {"project_parts.NoRoomOnDisk": 0}, "POLITE_RUN_REPORT": True}
        crawled = crawl(loop_mode, [f"{site.url}/{page}" for page in range(3)], settings, folder=tmp_path)
    assert len(crawled.urls) == 3
    (warning,) = crawled.logged("WARNING", "The run record")
    assert "cannot be written ([Errno 27] File too large): it ends here, and the crawl goes on." in warning
    assert crawled.stats["polite/run_report"] is None
    run = run_in(tmp_path)
    assert (run.state(), run.fault) == (State.ENDED, "File too large")
    said = "Its record ended before the crawl did, as it could not be written (File too large)"
    assert why(run, time.time())[1].startswith(said)
    found = report(run)
    assert found["record_fault"] == "File too large"
    assert "and ended as 'finished'; its record ended before it did (File too large)." in found["verdict"][0]
    assert found["next"][0]["text"].startswith(said)
    assert not list(run.folder.glob("*.new"))


@pytest.mark.parametrize("leads", ["nowhere", "to a file"])
def test_of_a_record_that_cannot_begin_no_report_is_named(loop_mode: str, tmp_path: Path, leads: str) -> None:
    (tmp_path / ".scrapy" / "polite").mkdir(parents=True)
    runs = tmp_path / ".scrapy" / "polite" / "runs"
    if leads == "nowhere":
        runs.symlink_to("x" * 300)  # which raises even where it is asked whether it is a folder
    else:
        runs.write_text("no folder")
    with Origin({}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/a"], {"POLITE_RUN_REPORT": True}, folder=tmp_path)
    assert len(crawled.logged("WARNING", "cannot be written")) == 1
    assert "report: " not in crawled.log
    assert "scrapy-polite summary:" in crawled.log
    assert not crawled.logged("ERROR", "")
    assert crawled.stats["polite/run_report"] is None


def test_what_goes_beyond_its_size_is_counted_and_one_warning(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/robots.txt": robots(BEFORE.decode())}) as site:
        urls = [f"{site.url}/{os.urandom(500).hex()}" for _ in range(10)]
        settings = {"POLITE_RUN_RECORD_MB": 0.001, "POLITE_TRAPS": "off", arguments.RUN_WRITE: 0.05}
        crawled = crawl(loop_mode, urls, settings, folder=tmp_path)
    assert len(crawled.logged("WARNING", "has 0.001 MB (POLITE_RUN_RECORD_MB)")) == 1
    run = run_in(tmp_path)
    pages, (missed,) = records(run, Page), records(run, Missed)
    assert 0 < len(pages) < 10
    assert len(pages) + missed.lines >= 10
    assert run.workers[0].snapshot["missed"] == missed.lines
    assert run.workers[0].snapshot["pages"]["sent"] == {"fresh": 10}
    assert report(run)["missed"] == missed.lines


def test_it_can_be_turned_off(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        crawl(loop_mode, [f"{site.url}/a"], {"POLITE_RUN_RECORD": False}, folder=tmp_path)
    assert not (tmp_path / ".scrapy").exists()


def test_two_crawls_of_a_process_have_a_run_each_and_a_report_each(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        settings = {"POLITE_RUN_REPORT": True}
        first, _ = crawl_together(loop_mode, [([f"{site.url}/{n}"], {}) for n in "ab"], settings, folder=tmp_path)
    folders = list((tmp_path / ".scrapy" / "polite" / "runs" / "list").iterdir())
    assert len(folders) == 2
    pages = [find_run(folder, str(folder)) for folder in folders]
    assert [(folder / "report.html").read_text().count("1</b>pages requested") for folder in folders] == [1, 1]
    assert any(f"  report: {folder}/report.html" in first.log for folder in folders)
    assert Counter(page.url[-1] for run in pages for page in records(run, Page)) == {"a": 1, "b": 1}


def test_a_snapshot_is_bounded_whatever_the_crawl(tmp_path: Path) -> None:
    from crawlers import crawler
    from scrapy_polite._crawl import shared
    from scrapy_polite.events import Events, RequestSent, RobotsApplied
    from scrapy_polite.monitor.snapshot import Snapshots

    made = crawler()
    events = shared(made, Events)
    for number in range(1_000):
        events.publish(RequestSent(f"https://{number}{chr(0x1F600) * 200}.example", "fresh"))
        events.publish(RobotsApplied(f"https://{number}{chr(0x1F600) * 200}.example", "\u202e" * 1_000))
    text = Snapshots(made).taken()
    assert len(text) <= MAX_SNAPSHOT_BYTES
    assert json.loads(text)["pages"]["sent"] == {"fresh": 1_000}
