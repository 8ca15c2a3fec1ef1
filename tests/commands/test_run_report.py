"""`scrapy polite report` on the real command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commandline import make_project
from projects import scrapy
from run_parts import STARTED, write_run
from scrapy_polite.runs.records import Page

URL = "https://shop.example/\x1b[31m"
PAGE = Page(STARTED, URL, "https://shop.example", 200, 0.2, 0.1, 99, 0.0, "", 0.0, "fresh", "", 0)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def test_the_last_run_is_shown_in_each_format(project: Path) -> None:
    runs = project / ".scrapy" / "polite" / "runs"
    run = write_run(runs, [PAGE]).folder
    written = scrapy(project, "polite", "report")
    assert (written.returncode, written.stdout) == (0, f"{run}/report.html\n"), written.stderr
    assert "1</b>pages requested" in (run / "report.html").read_text()
    found = json.loads(scrapy(project, "polite", "report", "shop", "--json").stdout)
    assert (found["ended"], found["pages"]["sent"], found["run"]["folder"]) == ("finished", 1, str(run))
    found = json.loads(scrapy(project, "polite", "report", "--against", run.name, "--json").stdout)
    assert found["against"]["sentences"] == ["Pages: 1 before, 1 now."]
    assert scrapy(project, "polite", "report", run.name, "--md").stdout.startswith("# Crawl report: `shop`\n")
    assert scrapy(project, "polite", "report", str(run), "--output", "page.html").stdout == "page.html\n"
    assert (project / "page.html").read_text() == (run / "report.html").read_text()


def test_what_is_not_there_is_said(project: Path) -> None:
    none = scrapy(project, "polite", "report")
    assert (none.returncode, none.stdout) == (2, "")
    assert "scrapy polite report: no run in " in none.stderr
    assert "no crawl has written one yet" in none.stderr
