"""The monitor suite for Spidermon, with the real Spidermon."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from spidermon.contrib.scrapy.runners import SpiderMonitorRunner

from crawlers import crawler
from projects import project, scrapy
from scrapy_polite.spidermon import PoliteMonitorSuite
from webserver import Origin, robots

DOCS = Path(__file__).parents[2] / "docs" / "plugins.md"
FINE = {
    "finish_reason": "finished",
    "polite/pages/fresh": 80,
    "polite/pages/none": 20,
    "downloader/request_count": 120,
    "downloader/response_status_count/200": 118,
    "downloader/response_status_count/503": 2,
    "polite/refused": 10_020,
    "polite/refused/robots/disallow": 20,
    "polite/refused/blacklist/host": 10_000,
}
NOTHING = {"polite/pages/fresh": 0, "polite/pages/none": 0}


# Spidermon logs by a method that Scrapy deprecates.
@pytest.mark.filterwarnings("ignore::scrapy.exceptions.ScrapyDeprecationWarning")
@pytest.mark.parametrize(
    ("stats", "settings", "failed"),
    [
        ({}, {}, {}),
        ({"finish_reason": "polite_waiting"}, {}, {}),
        ({"finish_reason": "shutdown"}, {}, {"it ended in order": "it ended as 'shutdown'; expected: finished, "}),
        ({"finish_reason": "shutdown"}, {"SPIDERMON_POLITE_FINISH_REASONS": ["shutdown"]}, {}),
        (
            {"polite/refused/robots/disallow": 101},
            {},
            {"few pages were refused": "101 of 201 (50%) pages were refused, most of them for robots/disallow (101); "},
        ),
        ({"polite/refused/robots/disallow": 101}, {"SPIDERMON_POLITE_MAX_REFUSED": 0.6}, {}),
        ({"polite/refused/robots/disallow": 100}, {}, {}),
        (
            {"polite/refused/robots/unreachable": 20},
            {},
            {"robots.txt could be read": "20 of 140 (14%) pages were refused because no robots.txt could be read; "},
        ),
        (
            {"polite/refused/pace/abandoned": 20},
            {},
            {"few hosts were abandoned": "20 of 140 (14%) pages were given up, with their hosts; "},
        ),
        (
            {"downloader/exception_count": 43, "downloader/exception_type_count/scrapy.exceptions.IgnoreRequest": 20},
            {},
            {"few requests failed": "25 of 120 (21%) requests failed at their hosts (5xx, or no answer); "},
        ),
        ({"polite/traps/ended": 1}, {}, {"no new trap": "1 group of URLs looked endless and were not followed "}),
        ({"polite/traps/ended": 2}, {"SPIDERMON_POLITE_MAX_TRAPS": 2}, {}),
        ({"polite/traps/errors": 2}, {}, {"no error in scrapy-polite": "2 pages or links could not be judged, "}),
        (
            {"polite/blacklist/reload_failures": 1},
            {},
            {"changed blacklists could be read": "1 times a changed blacklist could not be read; expected: none"},
        ),
    ],
)
def test_each_monitor_fails_where_a_person_should_look(
    stats: dict[str, Any], settings: dict[str, Any], failed: dict[str, str]
) -> None:
    made = crawler(settings)
    spider = made.spidercls()
    runner = SpiderMonitorRunner(spider=spider)
    runner.run(PoliteMonitorSuite(crawler=made), stats=FINE | stats, crawler=made, spider=spider, job=None)
    results = runner.result.monitor_results
    assert len(results) == 9
    said = {one.monitor.name.partition("/")[2]: one.reason for one in results if one.status != "OK"}
    assert said.keys() == failed.keys()
    assert all(said[name].startswith(text) for name, text in failed.items()), said


def documented() -> dict[str, Any]:
    """The settings of the example in docs/plugins.md."""
    (block,) = re.findall(r"## Spidermon\n.*?```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    settings: dict[str, Any] = {}
    exec(block, settings)
    return {name: value for name, value in settings.items() if name.isupper()}


@pytest.mark.parametrize(
    ("paths", "ended"), [(["/a"], "OK"), (["/private/1", "/private/2"], "FAILED (failures=2)")], ids=["fine", "refused"]
)
def test_a_crawl_with_the_settings_of_the_documentation_is_judged(
    loop_mode: str, tmp_path: Path, paths: list[str], ended: str
) -> None:
    with Origin({"/robots.txt": robots("User-agent: *\nDisallow: /private\n")}) as site:
        project(tmp_path, loop_mode, [f"{site.url}{path}" for path in paths], documented())
        done = scrapy(tmp_path, "crawl", "listed")
    assert done.returncode == 0, done.stderr
    assert re.search(r"\[Spidermon\] 9 monitors in .*\n.*\[Spidermon\] (.*)\n", done.stderr)[1] == ended
    nothing = "nothing was crawled: 2 requests were refused, most of them for robots/disallow (2)"
    assert (nothing in done.stderr) == (ended != "OK")
