"""The add-on beside what a project has of its own: middlewares, parser, scheduler, cache, pipelines, other crawls."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from scrapy import signals
from scrapy.exceptions import NotConfigured

from crawlers import crawler
from crawls import Crawled, crawl, crawl_together
from scrapy_polite.downloadermiddlewares import RobotsTxtMiddleware
from webserver import Answer, Origin, robots

RULES = robots("User-agent: *\nDisallow: /private\n")
SCRAPYS = "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"
OURS = "scrapy_polite.downloadermiddlewares.RobotsTxtMiddleware"
FILES = {"ITEM_PIPELINES": {"scrapy.pipelines.files.FilesPipeline": 1}, "FILES_STORE": "files"}


@pytest.mark.engine
def test_a_sitemap_spider_reads_the_robots_txt_that_the_crawl_holds(loop_mode: str) -> None:
    with Origin({}) as site:
        site.table["/robots.txt"] = robots(f"User-agent: *\nDisallow: /private\nSitemap: {site.url}/sitemap.xml\n")
        pages = "".join(f"<url><loc>{site.url}/{path}</loc></url>" for path in ("page", "private"))
        sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}</urlset>'
        site.table["/sitemap.xml"] = Answer(body=sitemap.encode(), headers={"Content-Type": "application/xml"})
        crawl(loop_mode, [f"{site.url}/robots.txt"], spider="sitemap")
    assert site.paths() == ["/robots.txt", "/sitemap.xml", "/page"]


@pytest.mark.engine
def test_files_of_a_pipeline_wait_for_their_turn_for_longer_than_the_longest_wait(
    loop_mode: str, tmp_path: Path
) -> None:
    settings = FILES | {"DOWNLOAD_DELAY": 0.2, "DOWNLOAD_DELAY_JITTER": 0, "POLITE_WAIT_MAX": 0.3}
    with Origin({}) as site:
        urls = [f"{site.url}/{number}.pdf" for number in range(8)]
        crawled = crawl(
            loop_mode, urls, settings | {"POLITE_SITES": {"*": {"robots": "never"}}}, spider="files", folder=tmp_path
        )
    assert crawled.stats["file_status_count/downloaded"] == 8
    assert "polite/refused" not in crawled.stats


def test_files_of_a_host_that_is_closed_for_longer_than_the_longest_wait_are_refused_with_one_warning(
    loop_mode: str, tmp_path: Path
) -> None:
    settings = FILES | {"CONCURRENT_REQUESTS_PER_DOMAIN": 1, "POLITE_WAIT_MAX": 3}
    with Origin({"/0.pdf": Answer(503, headers={"Retry-After": "3600"})}) as site:
        urls = [f"{site.url}/{number}.pdf" for number in range(6)]
        crawled = crawl(
            loop_mode, urls, settings | {"POLITE_SITES": {"*": {"robots": "never"}}}, spider="files", folder=tmp_path
        )
    assert crawled.stats["polite/refused/pace/retry-after"] == 5
    (told,) = crawled.logged("WARNING", "POLITE_WAIT_MAX")
    assert "does not wait for longer than POLITE_WAIT_MAX (pace/retry-after: " in told


@pytest.mark.engine
def test_signals_tell_of_refusals_and_of_parsed_files(loop_mode: str) -> None:
    with Origin({"/robots.txt": RULES}) as site, Origin({}, "127.0.0.2") as without:
        crawled = crawl(loop_mode, [f"{site.url}/ok", f"{site.url}/private", f"{without.url}/ok"])
    assert crawled.refused == [{"url": f"{site.url}/private", "reason": "robots/disallow"}]
    assert crawled.parsed == ([f"{site.url}/robots.txt"] if hasattr(signals, "robots_parsed") else [])


@pytest.mark.engine
def test_the_projects_own_parser_is_asked(loop_mode: str) -> None:
    settings = {"ROBOTSTXT_PARSER": "project_parts.OddParser"}
    with Origin({"/robots.txt": robots("odd")}) as site:
        paths = ("/odd!", "/odd", "/oops")
        crawled = crawl(loop_mode, [f"{site.url}{path}" for path in paths], settings)
    assert sorted(site.pages()) == ["/odd"]
    assert {error["error"] for error in crawled.errors} == {
        "IgnoreRequest: Refused by robots/disallow: says OddParser, the project's parser",
        "IgnoreRequest: Refused by robots/parser-failed: OddParser, the project's parser, raised LookupError('oops')",
    }


@pytest.mark.engine
def test_a_project_that_took_scrapys_middleware_out_keeps_that(loop_mode: str) -> None:
    with Origin({"/robots.txt": RULES}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/private"], {"DOWNLOADER_MIDDLEWARES": {SCRAPYS: None}})
    assert site.paths() == ["/private"]
    assert crawled.logged("INFO", "scrapy-polite: robots.txt is left to the project")


@pytest.mark.engine
def test_the_middleware_works_without_the_add_on(loop_mode: str) -> None:
    settings = {"ADDONS": {}, "DOWNLOADER_MIDDLEWARES": {SCRAPYS: None, OURS: 100}, "ROBOTSTXT_OBEY": True}
    with Origin({"/robots.txt": RULES}) as site:
        crawl(loop_mode, [f"{site.url}/ok", f"{site.url}/private"], settings)
    assert site.paths() == ["/robots.txt", "/ok"]


@pytest.mark.engine
def test_without_the_add_on_and_without_robotstxt_obey_the_middleware_is_off() -> None:
    with pytest.raises(NotConfigured):
        RobotsTxtMiddleware.from_crawler(crawler())


@pytest.mark.engine
def test_cache_autothrottle_own_scheduler_and_own_dupefilter_go_on_as_the_project_set_them(
    loop_mode: str, tmp_path: Path
) -> None:
    settings = {
        "HTTPCACHE_ENABLED": True,
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": 0.05,
        "SCHEDULER": "project_parts.OwnScheduler",
        "DUPEFILTER_CLASS": "project_parts.OwnDupeFilter",
    }
    links = Answer(body=b'<a href="/page">1</a><a href="/private">2</a>', headers={"Content-Type": "text/html"})
    with Origin({"/robots.txt": RULES, "/": links}) as site:
        run = partial(crawl, loop_mode, [f"{site.url}/"], settings, spider="links", folder=tmp_path)
        first, second = run(), run()
    assert site.paths() == ["/robots.txt", "/", "/page", "/robots.txt"]
    assert second.stats["httpcache/hit"] == 2
    assert [run.stats["own/scheduled"] for run in (first, second)] == [3, 3]
    assert first.logged("INFO", "order of requests: OwnScheduler with")


def test_crawls_in_one_process_share_nothing_but_the_store(loop_mode: str, tmp_path: Path) -> None:
    rules = "User-agent: one\nDisallow: /1\n\nUser-agent: two\nDisallow: /2\n"
    names = ("one", "two", "one")
    with Origin({"/robots.txt": robots(rules)}) as site:
        urls = [f"{site.url}/1", f"{site.url}/2"]
        own = [(urls, {"USER_AGENT": f"{name}/1.0", "POLITE_CONTACT_EMAIL": f"{name}@bot.example"}) for name in names]
        crawls = crawl_together(loop_mode, own, {"POLITE_STORE": str(tmp_path / "polite.sqlite")})
    assert sorted(site.paths()) == ["/1", "/2", "/2", "/robots.txt", "/robots.txt"]
    refused = [[refusal["url"] for refusal in crawled.refused] for crawled in crawls]
    assert refused == [[urls[0]], [urls[1]], [urls[0]]]
    assert [crawled.stats["polite/refused"] for crawled in crawls] == [1, 1, 1]
    assert {(asked.headers["user-agent"], asked.headers["from"]) for asked in site.asked} == {
        (f"{name}/1.0", f"{name}@bot.example") for name in names
    }


@pytest.mark.engine
def test_files_of_a_pipeline_obey_robots_txt_and_one_that_waits_does_not_spin(loop_mode: str, tmp_path: Path) -> None:
    once_more = Answer(503, headers={"Retry-After": "1"})
    settings = FILES | {"POLITE_ROBOTS_ATTEMPTS": 1, "POLITE_WAIT_MAX": 20}
    with Origin({"/robots.txt": RULES}) as site, Origin({"/robots.txt": [once_more, RULES]}, "127.0.0.2") as slow:
        urls = [f"{site.url}/file.pdf", f"{site.url}/private/file.pdf", f"{slow.url}/file.pdf"]
        crawled = crawl(loop_mode, urls, settings, spider="files", folder=tmp_path)
    assert site.paths() == ["/robots.txt", "/file.pdf"]
    assert slow.paths() == ["/robots.txt", "/robots.txt", "/file.pdf"]
    assert crawled.stats["file_count"] == 2
    assert crawled.log.count("\n") < 200


@pytest.mark.engine
def test_a_pipelines_request_that_waits_does_not_keep_the_crawl_from_closing(loop_mode: str, tmp_path: Path) -> None:
    settings = FILES | {"POLITE_ROBOTS_TIMEOUT": 60, "POLITE_WAIT_MAX": 60, "JOBDIR": "job"}
    with Origin({"/robots.txt": Answer(delay_s=60)}) as site:
        crawled = crawl(
            loop_mode, [f"{site.url}/file.pdf"], settings, spider="files", close_after_s=2.0, folder=tmp_path
        )
    assert site.paths() == ["/robots.txt"]
    assert crawled.closing_s is not None
    assert crawled.closing_s < 2


@pytest.mark.parametrize("order", [200, 950], ids=["outside of Scrapy's own", "inside"])
@pytest.mark.engine
def test_a_middleware_may_answer_for_the_robots_txt(loop_mode: str, order: int) -> None:
    settings = {"DOWNLOADER_MIDDLEWARES": {"project_parts.ReplayedRobots": order}}
    with Origin({}) as site:
        crawl(loop_mode, [f"{site.url}/page", f"{site.url}/private"], settings)
    assert site.paths() == ["/page"]


# Link filters, and a project's own spider middlewares.


LINKS = Answer(
    body=b"".join(
        b'<a href="%s">link</a>' % link for link in (b"/ok", b"/listed/1", b"/" + b"x" * 3_000, b"/a" * 10, b"/no")
    )
    + b'<a href="/ugc" rel="nofollow">link</a>',
    headers={"Content-Type": "text/html"},
)
REFUSES = {"POLITE_BLACKLISTS": ["list"], "POLITE_NOFOLLOW": "refuse"}
REASONS = {"blacklist/url", "trap/url-length", "trap/repeated-segments", "directives/nofollow"}


def followed(loop_mode: str, folder: Path, middlewares: dict[str, int | None]) -> Crawled:
    """A crawl of a page with six links, of which all but two are refused for a reason each."""
    with Origin({"/": LINKS}) as site:
        (folder / "list").write_text(f"{site.url}/listed/\n")
        crawled = crawl(
            loop_mode,
            [f"{site.url}/"],
            REFUSES | {"SPIDER_MIDDLEWARES": middlewares},
            spider="links",
            folder=folder,
        )
    assert {"/", "/ok", "/no"} <= set(site.pages())
    return crawled


def reasons(crawled: Crawled) -> set[str]:
    return {refusal["reason"] for refusal in crawled.refused}


@pytest.mark.engine
def test_all_filters_refuse_what_each_of_them_would(loop_mode: str, tmp_path: Path) -> None:
    crawled = followed(loop_mode, tmp_path, {})
    assert reasons(crawled) == REASONS
    assert crawled.stats["polite/refused"] == len(REASONS)


@pytest.mark.parametrize(("order", "links"), [(790, 2), (810, 6)], ids=["after", "before"])
@pytest.mark.engine
def test_a_middleware_beside_ours_sees_what_comes_before_the_filters_or_after(
    loop_mode: str, tmp_path: Path, order: int, links: int
) -> None:
    crawled = followed(loop_mode, tmp_path, {"project_parts.CountsLinks": order})
    assert crawled.stats["own/links"] == links
    assert reasons(crawled) == REASONS


@pytest.mark.engine
def test_each_filter_may_stand_at_a_place_of_its_own(loop_mode: str, tmp_path: Path) -> None:
    names = ("BlacklistMiddleware", "UrlLengthMiddleware", "TrapMiddleware", "RobotsDirectivesMiddleware")
    apart = {f"scrapy_polite.spidermiddlewares.{name}": 890 - 10 * at for at, name in enumerate(names)}
    crawled = followed(loop_mode, tmp_path, apart | {"project_parts.CountsLinks": 875})
    assert crawled.stats["own/links"] == 4
    assert reasons(crawled) == REASONS


@pytest.mark.engine
def test_a_projects_own_kind_of_one_of_ours_does_its_own_work(loop_mode: str, tmp_path: Path) -> None:
    own = {"scrapy_polite.spidermiddlewares.TrapMiddleware": None, "project_parts.KeepsAll": 790}
    crawled = followed(loop_mode, tmp_path, own)
    assert crawled.stats["own/kept"] == 3
    assert reasons(crawled) == REASONS - {"trap/repeated-segments"}


#: The first two lines come in the first chunk, which is where the project stops the download.
CUT = Answer(body=[b"User-agent: *\nDisallow: /other\n", b"Disallow: /private\n"])


@pytest.mark.parametrize("scheduler", ["scrapy_polite.frontier.Scheduler", "scrapy.core.scheduler.Scheduler"])
@pytest.mark.engine
def test_a_robots_txt_that_the_project_cuts_off_is_no_robots_txt_and_other_spiders_never_see_it(
    loop_mode: str, tmp_path: Path, scheduler: str
) -> None:
    stops = {
        "EXTENSIONS": {"project_parts.StopsDownloads": 1},
        "POLITE_STORE": str(tmp_path / "store.db"),
        "SCHEDULER": scheduler,
    }
    with Origin({"/robots.txt": CUT}) as site:
        urls = [f"{site.url}/page", f"{site.url}/private"]
        first = crawl(loop_mode, urls, stops)
        assert site.paths() == ["/robots.txt"]
        second = crawl(loop_mode, urls, stops | {"EXTENSIONS": {}})
        assert site.paths() == ["/robots.txt", "/robots.txt", "/page"]
    assert first.responses == []
    assert all("has stopped its download (StopDownload)" in error["error"] for error in first.errors)
    assert len(first.errors) == 2
    (told,) = first.logged("ERROR", f"{site.url}/robots.txt was not fetched because of the project's own code: ")
    assert "let it leave robots.txt alone. Pages there fail with the same error" in told
    assert [refused["reason"] for refused in second.refused] == ["robots/disallow"]


@pytest.mark.parametrize("scheduler", ["scrapy_polite.frontier.Scheduler", "scrapy.core.scheduler.Scheduler"])
@pytest.mark.parametrize(
    ("part", "error", "asked"),
    [
        ({"EXTENSIONS": {"project_parts.StopsDownloadsWithAnError": 1}}, "StopDownload: ", ["/robots.txt"]),
        ({"DOWNLOADER_MIDDLEWARES": {"project_parts.Raises": 990}}, "LookupError: no such key", []),
    ],
    ids=["stops downloads", "raises"],
)
@pytest.mark.engine
def test_what_the_projects_own_code_raises_at_a_robots_txt_comes_to_the_pages_errback_at_once(
    loop_mode: str, part: dict[str, Any], error: str, asked: list[str], scheduler: str
) -> None:
    with Origin({"/robots.txt": RULES}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/page", f"{site.url}/other"], part | {"SCHEDULER": scheduler})
    assert site.paths() == asked
    assert [one["error"] for one in crawled.errors] == [error, error]
    assert len(crawled.logged("ERROR", "was not fetched because of the project's own code: ")) == 1
    assert crawled.logged("WARNING", "unreachable") == []
    assert crawled.seconds < 4  # POLITE_WAIT_MAX and POLITE_GIVE_UP are 5
