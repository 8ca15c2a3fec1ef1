"""What pages ask of robots, on a real server: links followed or not by its own log, items marked or dropped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crawls import crawl
from webserver import Answer, Origin

REFUSE = {"POLITE_NOFOLLOW": "refuse", "POLITE_NOINDEX": "drop"}


def page(head: str = "", body: str = '<a href="/next">next</a>', **headers: str) -> Answer:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(body=html.encode(), headers={"Content-Type": "text/html"} | fields)


FORMS = [
    pytest.param(page('<meta name="robots" content="nofollow, noindex">'), id="meta robots"),
    pytest.param(page('<META NAME="Robots" CONTENT="NONE">'), id="none, in capitals"),
    pytest.param(page('<meta name="testbot" content="nofollow,noindex">'), id="meta of our token"),
    pytest.param(page('<meta http-equiv="X-Robots-Tag" content="none">'), id="http-equiv"),
    pytest.param(page(X_Robots_Tag="noindex, nofollow"), id="header"),
    pytest.param(page(X_Robots_Tag="otherbot: noarchive, testbot: none"), id="header of our token"),
    pytest.param(page('<meta name="robots" content="index"><meta name="robots" content="none">'), id="the stricter"),
]


@pytest.mark.parametrize("answer", FORMS)
def test_a_page_that_asks_for_it_is_neither_followed_nor_kept_where_that_is_set(loop_mode: str, answer: Answer) -> None:
    with Origin({"/": answer}) as site:
        crawled = crawl(loop_mode, [site.url], REFUSE, spider="directive_parts.Items")
    assert site.pages() == ["/"]
    assert [refused["reason"] for refused in crawled.refused] == ["directives/nofollow"]
    assert crawled.stats["polite/items_dropped/directives/noindex"] == 1
    assert "item_scraped_count" not in crawled.stats


@pytest.mark.parametrize("answer", FORMS)
def test_by_default_it_is_followed_and_kept_and_marked(loop_mode: str, answer: Answer, tmp_path: Path) -> None:
    items, site = items_of(loop_mode, {"/": answer}, tmp_path)
    assert site.pages() == ["/", "/next"]
    first, second = items
    assert first["polite_noindex"]
    assert first["directives"]["noindex"]
    assert first["directives"]["nofollow"]
    assert second["nofollow"]
    assert "polite_noindex" not in second
    assert not second["directives"]["noindex"]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(page('<meta name="otherbot" content="none">'), id="meta of another"),
        pytest.param(page(X_Robots_Tag="otherbot: none"), id="header of another"),
        pytest.param(page('<meta name="robots" content="noarchive, unavailable_after: 2090-01-01">'), id="others"),
        pytest.param(page('<meta name="robots" content="\x00,,;:">', X_Robots_Tag=",:;,"), id="malformed"),
        pytest.param(page('<!-- <meta name="robots" content="none"> -->'), id="in a comment"),
    ],
)
def test_what_is_not_asked_of_us_changes_nothing(loop_mode: str, answer: Answer) -> None:
    with Origin({"/": answer}) as site:
        crawled = crawl(loop_mode, [site.url], REFUSE, spider="directive_parts.Items")
    assert site.pages() == ["/", "/next"]
    assert crawled.stats["item_scraped_count"] == 2


def test_a_page_that_was_to_be_kept_until_yesterday_is_dropped(loop_mode: str) -> None:
    with Origin({"/": page(X_Robots_Tag="unavailable_after: 25 Jun 2010 15:00:00 PST")}) as site:
        crawled = crawl(loop_mode, [site.url], REFUSE, spider="directive_parts.Items")
    assert crawled.stats["polite/items_dropped/directives/unavailable-after"] == 1
    assert site.pages() == ["/", "/next"]


def test_single_links_are_refused_unless_they_stand_elsewhere_without_rel(loop_mode: str) -> None:
    body = (
        '<a href="/a" rel="nofollow">a</a> <a href="/b" rel="ugc noopener">b</a> <a href="/c" rel="SPONSORED">c</a>'
        '<a href="/d" rel="noopener">d</a> <a href="/e" rel="nofollow">e</a> <a href="/e">e</a>'
    )
    with Origin({"/": page(body=body)}) as site:
        crawled = crawl(loop_mode, [site.url], REFUSE, spider="links")
    assert sorted(site.pages()) == ["/", "/d", "/e"]
    assert sorted(refused["url"][-2:] for refused in crawled.refused) == ["/a", "/b", "/c"]


@pytest.mark.parametrize(
    ("settings", "followed", "kept"),
    [
        pytest.param({"POLITE_PROFILE": "broad", "POLITE_ADAPTIVE": 0}, False, False, id="the broad profile refuses"),
        pytest.param({"POLITE_SITES": {"127.0.0.1": {"directives": "annotate"}}} | REFUSE, True, True, id="annotate"),
        pytest.param({"POLITE_SITES": {"127.0.0.1": {"directives": "ignore"}}} | REFUSE, True, True, id="ignore"),
        pytest.param({"POLITE_MODE": {"directives": "audit"}} | REFUSE, True, True, id="audit"),
        pytest.param({"POLITE_NOFOLLOW": "refuse"}, False, True, id="links only"),
        pytest.param({"POLITE_NOINDEX": "drop"}, True, False, id="items only"),
    ],
)
def test_what_is_done_is_set(loop_mode: str, settings: dict[str, Any], followed: bool, kept: bool) -> None:
    with Origin({"/": page(X_Robots_Tag="none")}) as site:
        crawled = crawl(loop_mode, [site.url], settings, spider="directive_parts.Items")
    assert ("/next" in site.pages()) is followed
    assert crawled.stats.get("item_scraped_count", 0) == kept + followed
    if "POLITE_MODE" in settings:
        assert crawled.stats["polite/audited/directives/nofollow"] == 1
        assert crawled.stats["polite/items_audited/directives/noindex"] == 1


def test_a_spider_that_copies_meta_hands_no_directives_on(loop_mode: str, tmp_path: Path) -> None:
    items, _ = items_of(loop_mode, {"/": page(X_Robots_Tag="none"), "/next": page()}, tmp_path, spider="CopiesMeta")
    assert [item["directives"]["noindex"] for item in items] == [True, False]


def items_of(
    loop_mode: str, table: dict[str, Answer], folder: Path, spider: str = "Items"
) -> tuple[list[dict[str, Any]], Origin]:
    path = folder / "items.jsonl"
    with Origin(table) as site:
        crawl(
            loop_mode, [site.url], {"FEEDS": {str(path): {"format": "jsonlines"}}}, spider=f"directive_parts.{spider}"
        )
    return [json.loads(line) for line in path.read_text().splitlines()], site
