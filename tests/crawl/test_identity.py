"""Who the crawl says it is, on every request, and what it says of that at start."""

from __future__ import annotations

import pytest

from crawls import crawl
from webserver import Origin

BROWSERS, NO_CONTACT, NO_TOKEN = "is a browser's", "has no contact", "no product token"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"


def test_from_goes_with_robots_txt_and_pages_and_all_other_headers_stay_scrapys(loop_mode: str) -> None:
    with Origin({}) as site, Origin({}, "127.0.0.1") as plain:
        crawl(loop_mode, [f"{site.url}/page"], {"POLITE_CONTACT_EMAIL": "crawl@testbot.example"})
        crawl(loop_mode, [f"{plain.url}/page"], {"ADDONS": {}})
    assert site.paths() == ["/robots.txt", "/page"]
    assert [asked.headers["from"] for asked in site.asked] == ["crawl@testbot.example"] * 2
    with_addon, without = (dict(origin.asked[-1].headers) for origin in (site, plain))
    del with_addon["from"], with_addon["host"], without["host"]
    assert with_addon == without


@pytest.mark.parametrize(
    ("settings", "warnings"),
    [
        pytest.param({"USER_AGENT": "testbot/1.0 (+https://testbot.example)"}, [], id="named, with a URL"),
        pytest.param({"USER_AGENT": CHROME}, [BROWSERS, NO_CONTACT, NO_TOKEN], id="a browser's"),
    ],
)
def test_each_shortcoming_of_the_user_agent_is_one_warning_at_start(
    loop_mode: str, settings: dict[str, str], warnings: list[str]
) -> None:
    with Origin({}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/{page}" for page in range(3)], settings)
    said = [line for line in crawled.logged("WARNING", "") if "scrapy_polite" in line]
    assert [fault for line in said for fault in (BROWSERS, NO_CONTACT, NO_TOKEN) if fault in line] == warnings
    assert len(said) == len(warnings)
