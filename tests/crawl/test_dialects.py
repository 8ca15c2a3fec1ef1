"""Each site's robots.txt is read in the dialect that POLITE_SITES names, and what is refused says so."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from crawls import crawl
from projects import project, scrapy
from webserver import Answer, Origin, robots

#: The first rule that matches is a Disallow, the longest is an Allow; a wildcard; an empty Disallow, then a Disallow.
ORDER = "User-agent: *\nDisallow: /a\nAllow: /a/b\n"
WILDCARD = "User-agent: *\nDisallow: /*/c\n"
OPENED = "User-agent: *\nDisallow:\nDisallow: /d\n"
FALLBACK = "User-agent: testbot\nDisallow: /e\n\nUser-agent: *\nDisallow: /f\n"
NO_ALLOW = "User-agent: *\nAllow: /g\nDisallow: /g\n"


class Case(NamedTuple):
    """What a page of a site comes to: `refused` is how the refusal ends, or None."""

    dialect: str
    answer: Answer
    path: str
    refused: str | None


CASES = {
    "rfc: the longest rule": Case("rfc", robots(ORDER), "/a/b", None),
    "classic: the first rule": Case("classic", robots(ORDER), "/a/b", "line 2: Disallow: /a (read as classic)"),
    "strictest: what all allow": Case("strictest", robots(ORDER), "/a/b", "line 2: Disallow: /a (read as strictest)"),
    "rfc: a wildcard": Case("rfc", robots(WILDCARD), "/x/c", "line 2: Disallow: /*/c"),
    "classic: a star is a star": Case("classic", robots(WILDCARD), "/x/c", None),
    "strictest: a wildcard": Case("strictest", robots(WILDCARD), "/x/c", "line 2: Disallow: /*/c (read as strictest)"),
    "rfc: an empty Disallow": Case("rfc", robots(OPENED), "/d", "line 3: Disallow: /d"),
    "classic: an empty Disallow opens": Case("classic", robots(OPENED), "/d", None),
    "classic: Allow": Case("classic", robots(NO_ALLOW), "/g", None),
    "classic-0.0: no Allow": Case("classic-0.0", robots(NO_ALLOW), "/g", "line 3: Disallow: /g (read as classic-0.0)"),
    "rfc: its own group alone": Case("rfc", robots(FALLBACK), "/f", None),
    "geoportal: then that of all": Case(
        "geoportal", robots(FALLBACK), "/f", "line 5: Disallow: /f (read as geoportal)"
    ),
    "rfc: 403 opens": Case("rfc", Answer(403), "/h", None),
    "classic: 403 closes": Case("classic", Answer(403), "/h", "robots/denied: HTTP 403 (read as classic)"),
    "classic-0.0: 401 closes": Case("classic-0.0", Answer(401), "/h", "HTTP 401 (read as classic-0.0)"),
    "strictest: 403 closes": Case("strictest", Answer(403), "/h", "robots/denied: HTTP 403 (read as strictest)"),
    "geoportal: 403 opens": Case("geoportal", Answer(403), "/h", None),
}


def test_each_site_is_crawled_as_its_dialect_says_and_refusals_name_it(loop_mode: str) -> None:
    with ExitStack() as stack:
        sites = {
            case: stack.enter_context(Origin({"/robots.txt": CASES[case].answer}, f"127.0.3.{number}"))
            for number, case in enumerate(CASES, 1)
        }
        named: dict[str, Any] = {
            site.url.removeprefix("http://"): {"dialect": CASES[case].dialect} for case, site in sites.items()
        }
        urls = {case: site.url + CASES[case].path for case, site in sites.items()}
        crawled = crawl(loop_mode, list(urls.values()), {"POLITE_SITES": named})
    errors = {error["url"]: error["error"] for error in crawled.errors}
    for case, (_, _, path, refused) in CASES.items():
        asked = ["/robots.txt"] + ([path] if refused is None else [])
        assert sites[case].paths() == asked, case
        if refused is not None:
            assert errors[urls[case]].endswith(refused), case


def test_a_copy_in_the_store_is_read_in_the_dialect_of_the_day_and_the_commands_name_it(
    loop_mode: str, tmp_path: Path
) -> None:
    with Origin({"/robots.txt": robots(ORDER)}) as site:
        host = site.url.removeprefix("http://")
        url = f"{site.url}/a/b"
        folder = project(tmp_path, loop_mode, [url], {"POLITE_STORE": "copies.sqlite"})
        crawled = scrapy(folder, "crawl", "listed")
        strict = "POLITE_ROBOTS_DIALECT=strictest"
        for options, told, status in (
            ([], "group *\n", 0),
            (["-s", f"POLITE_SITES={json.dumps({host: {'dialect': 'classic'}})}"], "group *, read as classic\n", 1),
            (["-s", strict], "read as strictest", 1),
        ):
            checked = scrapy(folder, "robots", "check", url, *options)
            assert told in checked.stdout, checked.stdout
            assert checked.returncode == status, checked.stdout + checked.stderr
    assert site.paths() == ["/robots.txt", "/a/b"], crawled.stderr


def test_a_crawl_that_reads_all_sites_in_a_looser_dialect_does_not_begin(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        folder = project(tmp_path, loop_mode, [f"{site.url}/"], {"POLITE_SITES": {"*": {"dialect": "classic"}}})
        crawled = scrapy(folder, "crawl", "listed")
    assert "on 19.2 % of 71,351 questions about real files it allows what Google's parser forbids" in crawled.stderr
    assert crawled.returncode == 2
    assert site.paths() == []
