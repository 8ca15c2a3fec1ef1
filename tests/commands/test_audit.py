"""`scrapy polite audit` on the real command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commandline import make_project
from projects import scrapy
from run_parts import MARK, PAYLOADS, STARTED, write_run
from scrapy_polite.runs.audit import Place, audit
from scrapy_polite.runs.records import Closed, Page, Record, Refusal, Robots, RobotsRequest
from scrapy_polite.runs.run import open_run

SITE, PORT = "https://shop.example", "http://shop.example:8080"


def page(after_s: float, origin: str = SITE, delay_s: float = 1.0) -> Page:
    at, url = STARTED + after_s, f"{origin}/{after_s:g}"
    return Page(at, url, origin, 200, 0.2, 0.1, 99, delay_s, "Crawl-delay", 0.0, "fresh", "ab", 2)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def test_what_was_done_on_a_host_is_shown_over_all_runs_and_nothing_in_it_acts(project: Path) -> None:
    runs = project / ".scrapy" / "polite" / "runs"
    hostile = "".join(PAYLOADS)
    write_run(runs, [page(0), page(1, "https://other.example")], contact="me@bot.example", token="bot")
    lines: list[Record] = [
        Robots(STARTED + 100, SITE, 200, "none", hostile),
        Refusal(STARTED + 101, f"{SITE}/{hostile}", SITE, "robots/disallow", hostile, 2, hostile, 0, "ab"),
        Closed(STARTED + 102, "shop.example", SITE, 60.0, hostile),
        *(Page(STARTED + 103, f"{SITE}/{text}", SITE, 200, 1, 1, 1, 0, text, 0, "", "", 0) for text in PAYLOADS),
    ]
    others = {"user_agent": "other/1.0", "contact": "me@bot.example", "token": "bot"}
    write_run(runs, lines, started=STARTED + 100, **others).fault.touch()
    shown = scrapy(project, "polite", "audit", "shop.example")
    assert shown.returncode == 0, shown.stderr
    assert "other.example" not in shown.stdout
    assert shown.stdout.count(MARK) >= len(PAYLOADS)
    assert all(line.isprintable() for line in shown.stdout.splitlines())
    assert "    User-agent: bot\n    Disallow: /\n" in shown.stdout
    assert "  Or write to me@bot.example.\n" in shown.stdout
    made_by = re.findall(r"(?m)^  (?:made|and) by +(\S+)", shown.stdout)
    assert made_by[0] == "other/1.0"
    assert len(made_by) == 2
    assert "Its record ended before the crawl did, as it could not be written" in shown.stdout
    found = json.loads(scrapy(project, "polite", "audit", f"{SITE}/x", "--json").stdout)
    assert len(found["requests"]) == 1 + len(PAYLOADS)
    assert len(found["runs"]) == 2
    nothing = scrapy(project, "polite", "audit", "none.example", "--json")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (1, "", "nothing is recorded of none.example\n")


def test_requests_of_several_processes_are_one_list_with_the_gaps_that_the_host_saw(tmp_path: Path) -> None:
    robots = RobotsRequest(STARTED, f"{SITE}/robots.txt", SITE, 200, 0.5, 99)
    first = write_run(tmp_path, [robots, page(1.6), page(5)], job="job")
    write_run(tmp_path, [page(3), page(5.5)], job="job")
    found: Any = audit(Place.of(SITE), [open_run(first.folder)])
    assert [one["gap_s"] for one in found["requests"]] == [None, 1.6, 1.4, 2.0, 0.5]
    assert [one["pause_s"] for one in found["requests"]] == [None, 1.1, 1.3, 1.9, 0.4]
    assert found["gaps"] == {
        "asked_s": 1.0,
        "asked_by": "Crawl-delay",
        "least_s": 0.5,
        "median_s": 1.5,
        "least_pause_s": 0.4,
        "shorter": 1,
    }


def test_where_no_delay_is_asked_for_none_is_too_short(tmp_path: Path) -> None:
    """Several requests at once: the next one leaves before the last one is answered."""
    run = write_run(tmp_path, [page(1, delay_s=0), page(1.01, delay_s=0)])
    found: Any = audit(Place.of(SITE), [open_run(run.folder)])
    assert (found["gaps"]["least_s"], found["gaps"]["least_pause_s"], found["gaps"]["shorter"]) == (0.01, None, 0)


@pytest.mark.parametrize(
    ("asked", "seen"),
    [(SITE, [SITE, PORT]), (PORT, [PORT]), ("https://shop.example:443/x", [SITE, PORT]), ("http://example", None)],
)
def test_a_host_is_meant_with_all_its_ports_unless_one_is_named(
    tmp_path: Path, asked: str, seen: list[str] | None
) -> None:
    sites = [SITE, PORT, "https://www.shop.example", "https://not-shop.example"]
    run = open_run(write_run(tmp_path, [page(number, site) for number, site in enumerate(sites)]).folder)
    found = audit(Place.of(asked), [run])
    assert (found and [one["url"].rpartition("/")[0] for one in found["requests"]]) == seen


def test_a_port_without_a_scheme_is_found_by_http_too(project: Path) -> None:
    runs = project / ".scrapy/polite/runs"
    write_run(runs, [page(0, "http://127.0.0.1:8471")])
    (described,) = write_run(runs, [page(0)], started=STARTED + 100).folder.glob("*.run.json")
    described.write_text(json.dumps({"format": 99}), "utf-8")
    done = scrapy(project, "polite", "audit", "127.0.0.1:8471")
    assert done.stdout.startswith("Requests to http://127.0.0.1:8471, ")
    # A run of another version is left out, and that is said once.
    assert f"left out: {described} has the format '99', this version reads 1" in done.stderr
    assert done.stderr.count("left out") == 1
