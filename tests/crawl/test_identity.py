"""Who the crawl says it is, on every request, and what it says of that at start."""

from __future__ import annotations

import pytest

from crawls import crawl
from webserver import Origin

SCRAPYS, BROWSERS, NO_CONTACT, NO_TOKEN = "is Scrapy's default", "is a browser's", "has no contact", "no product token"
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"


def test_from_goes_with_pages_and_with_robots_txt_and_a_requests_own_is_kept(loop_mode: str) -> None:
    settings = {"POLITE_CONTACT_EMAIL": "crawl@testbot.example"}
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        crawl(loop_mode, [f"{site.url}/page"], settings)
        crawl(loop_mode, [f"{other.url}/page"], settings, headers={"From": "own@testbot.example"})
    assert [(asked.path, asked.headers["from"]) for asked in site.asked] == [
        ("/robots.txt", "crawl@testbot.example"),
        ("/page", "crawl@testbot.example"),
    ]
    assert other.asked[-1].headers["from"] == "own@testbot.example"


def test_what_else_a_page_is_asked_with_stays_scrapys(loop_mode: str) -> None:
    with Origin({}) as site:
        crawl(loop_mode, [f"{site.url}/with"])
        crawl(loop_mode, [f"{site.url}/without"], {"ADDONS": {}})
    with_addon, without = (asked.headers for asked in site.asked if asked.path != "/robots.txt")
    assert with_addon == without


@pytest.mark.parametrize(
    ("settings", "warnings"),
    [
        pytest.param({"USER_AGENT": "testbot/1.0 (+https://testbot.example)"}, [], id="named, with an URL"),
        pytest.param({"USER_AGENT": "testbot", "POLITE_CONTACT_EMAIL": "a@testbot.example"}, [], id="e-mail set"),
        pytest.param({"USER_AGENT": "Scrapy/2.19.0 (+https://scrapy.org)"}, [SCRAPYS, NO_CONTACT], id="Scrapy's"),
        pytest.param({"USER_AGENT": CHROME}, [BROWSERS, NO_CONTACT, NO_TOKEN], id="a browser's"),
    ],
)
def test_each_shortcoming_of_the_user_agent_is_one_warning_at_start(
    loop_mode: str, settings: dict[str, str], warnings: list[str]
) -> None:
    with Origin({}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/{page}" for page in range(3)], settings)
    said = [line for line in crawled.logged("WARNING", "") if "scrapy_polite" in line]
    assert [fault for line in said for fault in (SCRAPYS, BROWSERS, NO_CONTACT, NO_TOKEN) if fault in line] == warnings
    assert len(said) == len(warnings)
