"""What a crawl takes for seen, and what it does not ask for again, by the server's own log."""

from __future__ import annotations

from pathlib import Path

from crawls import crawl
from webserver import Answer, Origin, robots

GONE = Answer(410)


def test_urls_that_name_one_page_are_fetched_once(loop_mode: str) -> None:
    with Origin({}) as site:
        urls = [f"{site.url}/a?{query}" for query in ("x=1&y=2", "y=2&x=1&utm_source=mail", "x=2&y=1")]
        crawl(loop_mode, urls, spider="visited_parts.Plain")
    assert sorted(site.pages()) == ["/a?x=1&y=2", "/a?x=2&y=1"]


def test_clean_param_counts_where_the_site_is_to_be_believed(loop_mode: str) -> None:
    rules = robots("User-agent: *\nDisallow:\nClean-param: ref /\nCrawl-delay: 0.1\n")
    with Origin({"/robots.txt": rules}) as believed, Origin({"/robots.txt": rules}, "127.0.1.2") as other:
        crawl(
            loop_mode,
            [f"{site.url}/{path}" for site in (believed, other) for path in ("first", "b?ref=1", "b?ref=2")],
            {"POLITE_SITES": {"127.0.0.1": {"same_page": {"clean_param": True}}}, "CONCURRENT_REQUESTS": 1},
            spider="visited_parts.OneAfterTheOther",
        )
    assert len(believed.pages()) == 2
    assert len(other.pages()) == 3


def test_what_was_gone_is_not_asked_for_again_by_a_later_crawl(loop_mode: str, tmp_path: Path) -> None:
    settings = {"POLITE_STORE": str(tmp_path / "store.sqlite"), "POLITE_REMEMBER_DEAD_DAYS": 30}
    with Origin({"/gone": GONE, "/lost": Answer(404)}) as site:
        urls = [f"{site.url}/{path}" for path in ("gone", "lost", "there")]
        crawl(loop_mode, urls, settings)
        assert sorted(site.pages()) == ["/gone", "/lost", "/there"]
        again = crawl(loop_mode, urls, settings)
        assert sorted(site.pages()) == ["/gone", "/lost", "/there", "/there"]
        crawl(loop_mode, urls, settings | {"POLITE_REMEMBER_DEAD_DAYS": 0})
    assert sorted(refused["reason"] for refused in again.refused) == ["visited/dead", "visited/dead"]
    assert sorted(site.pages())[:4] == ["/gone", "/gone", "/lost", "/lost"]
