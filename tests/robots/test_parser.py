from __future__ import annotations

from typing import Any

import pytest
from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.http import Request
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

from scrapy_polite.robots import PoliteRobotParser, RobotsTxt

BODY = b"User-agent: foobot\nDisallow: /a\nCrawl-delay: 3\nUser-agent: *\nDisallow: /b\nSitemap: http://h/s.xml\n"


@pytest.fixture
def parser() -> PoliteRobotParser:
    return PoliteRobotParser.from_crawler(Crawler(Spider), BODY)


def test_scrapy_finds_it_by_its_path() -> None:
    assert load_object(Settings({"ROBOTSTXT_PARSER": "scrapy_polite.robots.PoliteRobotParser"})["ROBOTSTXT_PARSER"])


@pytest.mark.parametrize(
    "agent", ["foobot", "FooBot/1.0 (+http://h/)", b"Mozilla/5.0 (compatible; Foobot/1; +http://h/)"]
)
def test_any_form_of_user_agent_selects_the_group(parser: PoliteRobotParser, agent: str | bytes) -> None:
    assert not parser.allowed("http://h/a", agent)
    assert parser.allowed(b"http://h/b", agent)
    assert parser.crawl_delay(agent) == 3.0


def test_another_crawler_obeys_the_star(parser: PoliteRobotParser) -> None:
    assert not parser.allowed(Request("http://h/b").url, "barbot")
    assert parser.crawl_delay("barbot") is None


def test_octets_that_are_no_utf_8_do_not_raise(parser: PoliteRobotParser) -> None:
    assert not parser.allowed(b"http://h/b\xff", b"bar\xff")


def test_sitemaps_of_the_file(parser: PoliteRobotParser) -> None:
    assert list(parser.sitemaps()) == ["http://h/s.xml"]


def test_file_is_parsed_once_per_product_token(parser: PoliteRobotParser, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = RobotsTxt.parse

    def counted(body: bytes, agent: str, **how: Any) -> RobotsTxt:
        parsed.append(agent)
        return parse(body, agent, **how)

    monkeypatch.setattr(RobotsTxt, "parse", counted)
    for agent in ("foobot", "Foobot/1.0", "FOOBOT/2.0", "barbot"):
        parser.allowed("http://h/a", agent)
    assert parsed == ["foobot", "barbot"]
