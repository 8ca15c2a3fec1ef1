"""`scrapy polite pages`, the real command line, on what real crawls have kept."""

from __future__ import annotations

import json
from pathlib import Path

from commandline import make_project
from crawls import crawl
from projects import scrapy
from recrawl_parts import SPIDER, Site, age, settings
from webserver import Origin


def test_it_says_what_is_known_of_a_page_when_it_is_due_and_how_it_is_asked_for(tmp_path: Path) -> None:
    site = Site({"/": ["/gone", "/plain"], "/gone": [], "/plain": []}, max_age="max-age=36000")
    site.statuses["/gone"] = 404
    plain = Site({"/plain": []}, validators=False, max_age="max-age=0")
    with Origin({**site.table(), **plain.table()}) as origin:
        crawl("asyncio", [f"{origin.url}/"], settings(tmp_path, POLITE_RECRAWL_MIN=60), spider=SPIDER)
    age(tmp_path, "/plain")
    project = make_project(tmp_path / "project")
    urls = [f"{origin.url}{path}" for path in ("/", "/gone", "/plain", "/unknown")]
    command = ["polite", "pages", *urls, "--store", str(tmp_path / "store.sqlite")]
    shown = scrapy(project, *command)
    assert shown.returncode == 1, shown.stderr
    first, gone, known, unknown = shown.stdout.split("http://")[1:]
    assert "due         in 10 h, at " in first
    assert "asked for   with If-None-Match\n" in first
    assert "kept        what it links to\n" in first
    assert "(HTTP 404)" in gone
    assert "asked for   whole: it was gone\n" in gone
    assert "asked for   whole: it has neither ETag nor Last-Modified\n" in known
    assert unknown.endswith("/unknown\n  nothing is known of it\n")
    found = [json.loads(line) for line in scrapy(project, *command, "--json").stdout.splitlines()]
    assert [(one["url"], one["status"], one["is_due"]) for one in found] == [
        (urls[0], 200, False),
        (urls[1], 404, False),
        (urls[2], 200, True),
    ]
    assert "is no URL" in scrapy(project, "polite", "pages", "http://[::1/", *command[-2:]).stderr
