"""What the project decides: per request, per site, for the whole crawl; the server's own log is the witness."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

import pytest

from crawls import SETTINGS, Crawled, crawl, crawl_together
from projects import project, scrapy
from scrapy_polite.services.robots import MAX_USER_AGENTS, at_prompt
from webserver import Answer, Origin, robots

RULES = robots("User-agent: *\nDisallow: /private\n")
DISALLOWED = "robots/disallow: line 2: Disallow: /private"
MARK = {"allowed": False, "reason": "robots/disallow", "detail": "line 2: Disallow: /private"}


class Case(NamedTuple):
    """What the server is asked for when a crawl wants /open and /private of an origin; its page's mark."""

    asked: list[str]
    mark: dict[str, object] | None = None
    meta: Mapping[str, object] | None = None


CASES = {
    "obeyed by default": Case(["/robots.txt", "/open"]),
    "meta dont_obey_robotstxt": Case(["/open", "/private"], meta={"dont_obey_robotstxt": True}),
    "site never": Case(["/open", "/private"]),
    "site annotate": Case(["/robots.txt", "/open", "/private"], mark=MARK),
    "host:port always over host never": Case(["/robots.txt", "/open"]),
}


class Both(NamedTuple):
    sites: dict[str, Origin]
    crawled: Crawled


@pytest.fixture(scope="module")
def crawled_cases(loop_mode: str) -> Iterator[Both]:
    with ExitStack() as stack:
        sites = {
            case: stack.enter_context(Origin({"/robots.txt": RULES}, f"127.0.1.{number}"))
            for number, case in enumerate(CASES, 1)
        }
        hosts = {case: site.url.removeprefix("http://") for case, site in sites.items()}
        port_case = "host:port always over host never"
        policies = {
            hosts["site never"].partition(":")[0]: {"robots": "never"},
            hosts["site annotate"].partition(":")[0]: {"robots": "annotate"},
            hosts[port_case].partition(":")[0]: {"robots": "never"},
            hosts[port_case]: {"robots": "always"},
        }
        urls = [
            (f"{site.url}{path}", CASES[case].meta or {})
            for case, site in sites.items()
            for path in ("/open", "/private")
        ]
        others = [("data:,hello", {}), (Path(__file__).as_uri(), {}), ("x-s3://bucket/private", {})]
        yield Both(sites, crawl(loop_mode, urls + others, {"POLITE_SITES": policies}))


@pytest.mark.parametrize("case", CASES)
def test_what_is_asked_for_is_what_the_project_decided(crawled_cases: Both, case: str) -> None:
    site = crawled_cases.sites[case]
    assert sorted(site.paths()) == sorted(CASES[case].asked)
    marks = {r["url"]: r["polite_robots"] for r in crawled_cases.crawled.responses}
    assert marks.get(f"{site.url}/private") == CASES[case].mark


def test_an_annotated_page_that_is_allowed_is_marked_too(crawled_cases: Both) -> None:
    url = f"{crawled_cases.sites['site annotate'].url}/open"
    assert [r["polite_robots"]["allowed"] for r in crawled_cases.crawled.responses if r["url"] == url] == [True]


def test_annotated_pages_are_counted_apart_from_refused_ones(crawled_cases: Both) -> None:
    stats = crawled_cases.crawled.stats
    assert stats["polite/audited/robots/disallow"] == 1
    assert stats["polite/refused"] == stats["robotstxt/forbidden"] == 2
    assert stats["polite/pages/unchecked"] == 4  # dont_obey_robotstxt and never


def test_urls_without_an_origin_pass(crawled_cases: Both) -> None:
    crawled = crawled_cases.crawled
    assert {url.partition(":")[0] for url in crawled.urls} == {"http", "data", "file"}
    strange = [error for error in crawled.errors if error["url"].startswith("x-s3:")]
    assert [error["error"].partition(":")[0] for error in strange] == ["NotSupported"]


@pytest.mark.parametrize(
    "settings",
    [{"POLITE_MODE": {"robots": "audit"}}, {"ROBOTSTXT_OBEY": False}],
    ids=["POLITE_MODE", "ROBOTSTXT_OBEY=False"],
)
def test_an_audit_refuses_nothing_holds_up_nothing_and_says_what_it_would_have_refused(
    loop_mode: str, settings: dict[str, object]
) -> None:
    slow = Answer(body=RULES.body, delay_s=3.0)
    with Origin({"/robots.txt": slow}) as site:
        urls = [f"{site.url}/open", f"{site.url}/private/1"]
        crawled = crawl(loop_mode, urls, settings | {"POLITE_WAIT_MAX": 60})
    assert sorted(site.paths()) == ["/open", "/private/1", "/robots.txt"]
    asked = {asked.path: asked.at for asked in site.asked}
    assert max(asked["/open"], asked["/private/1"]) < asked["/robots.txt"] + slow.delay_s
    assert crawled.stats["polite/audited/robots/disallow"] == 1
    assert "polite/refused" not in crawled.stats
    assert crawled.refused == []
    assert crawled.logged("INFO", "scrapy-polite: robots.txt audited, nothing is refused")
    assert "noticed, not refused (audit, annotate, log): 1" in crawled.log
    assert f"robots/disallow 1, such as {site.url}/private/1 (line 2: Disallow: /private)" in crawled.log


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"ROBOTSTXT_OBEY": False}, id="robots.txt off"),
        pytest.param({"POLITE_MODE": "audit", "SCHEDULER": "scrapy.core.scheduler.Scheduler"}, id="audit"),
    ],
)
def test_a_site_may_be_obeyed_always_while_the_others_are_not(loop_mode: str, settings: dict[str, object]) -> None:
    hosts = ("127.0.3.1", "127.0.3.2")
    settings = settings | {
        "POLITE_SITES": {host: {"robots": "always"} for host in hosts},
        "POLITE_ROBOTS_ATTEMPTS": 1,
        "POLITE_WAIT_MAX": 5,
        "POLITE_MAX_IDLE": 1,
    }
    with (
        Origin({"/robots.txt": RULES}, hosts[0]) as kept,
        Origin({"/robots.txt": Answer(503)}, hosts[1]) as closed,
        Origin({"/robots.txt": RULES}, "127.0.3.3") as audited,
    ):
        sites = (kept, audited, closed)
        crawled = crawl(loop_mode, [f"{site.url}{path}" for site in sites for path in ("/open", "/private")], settings)
    assert sorted(kept.paths()) == ["/open", "/robots.txt"]
    assert set(closed.paths()) == {"/robots.txt"}
    assert sorted(audited.paths()) == ["/open", "/private", "/robots.txt"]
    assert crawled.stats["polite/refused/robots/disallow"] == 1
    assert crawled.stats["polite/audited/robots/disallow"] == 1
    said = "robots.txt audited, nothing is refused, but obeyed where POLITE_SITES says 'always'"
    assert crawled.logged("INFO", f"scrapy-polite: {said}")


def test_in_an_audit_a_page_is_counted_when_it_is_sent_and_once() -> None:
    """Another part may refuse it while its robots.txt is on its way."""
    table = {"/robots.txt": Answer(body=RULES.body, delay_s=1), "/0": Answer(503, headers={"Retry-After": "3600"})}
    settings = {
        "ROBOTSTXT_OBEY": False,
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "CONCURRENT_REQUESTS": 1,
        "POLITE_WAIT_MAX": 30,
        "RETRY_ENABLED": False,
    }
    with Origin(table) as site:
        crawled = crawl("asyncio", [f"{site.url}/{number}" for number in range(4)], settings)
    assert crawled.stats["polite/refused/pace/retry-after"] == 4 - len(site.pages()) > 0
    counted = {name: n for name, n in crawled.stats.items() if name.startswith("polite/pages/")}
    assert counted == {"polite/pages/fresh": len(site.pages())}


def test_pages_through_a_rendering_api_are_judged_by_their_target(loop_mode: str) -> None:
    def render(url: str) -> str:
        return f"/render?url={quote(url, safe='')}"

    target, escape = "http://shop.example", "http://shop.example/\x1b[31m"
    wanted = render(f"{target}/robots.txt")
    # aiohttp sends some of what it is given percent-encoded as it is.
    table = {"/robots.txt": robots("User-agent: *\nDisallow: /\n"), wanted: RULES, unquote(wanted): RULES}
    with Origin(table) as api:
        pages = [render(url) for url in (f"{target}/open", f"{target}/private", escape)]
        crawled = crawl(loop_mode, [api.url + page for page in pages], {"POLITE_TARGET_URL": "project_parts.rendered"})
    asked = [unquote(path) for path in api.paths()]
    assert asked[0] == unquote(wanted)
    assert sorted(asked[1:]) == sorted([unquote(pages[0]), unquote(pages[2])])
    assert crawled.errors == [{"url": api.url + pages[1], "error": f"IgnoreRequest: Refused by {DISALLOWED}"}]


def test_without_our_scheduler_a_request_waits_as_long_as_the_setting_or_its_own_meta_says(loop_mode: str) -> None:
    with Origin({"/robots.txt": Answer(body=RULES.body, delay_s=0.8)}) as site:
        crawled = crawl(
            loop_mode,
            [f"{site.url}/impatient", (f"{site.url}/patient", {"polite_wait_max": 20})],
            {"POLITE_WAIT_MAX": 0.3, "SCHEDULER": "scrapy.core.scheduler.Scheduler"},
        )
    assert site.paths() == ["/robots.txt", "/patient"]
    assert crawled.errors == [
        {
            "url": f"{site.url}/impatient",
            "error": "IgnoreRequest: Refused by robots/unreachable: it did not come in time",
        }
    ]


@pytest.mark.parametrize(
    ("command", "at_a_prompt"),
    [
        ("scrapy shell https://example.com", True),
        ("/venv/bin/python /venv/bin/scrapy fetch --nolog https://example.com", True),
        ("python -m scrapy parse https://example.com", True),
        ("python -X dev -m scrapy shell", True),
        (r"scrapy.exe shell", True),
        ("scrapy crawl shell", False),
        ("scrapy crawl fetch -a url=shell", False),
        ("scrapy", False),
        ("python crawl.py shell", False),
        ("", False),
    ],
)
def test_shell_fetch_and_parse_are_a_persons_prompt(command: str, at_a_prompt: bool) -> None:
    assert at_prompt(command.split()) is at_a_prompt


def test_fetch_and_shell_obey_robots_txt_too(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/robots.txt": RULES}) as site:
        folder = project(tmp_path, loop_mode, [])
        fetched = scrapy(folder, "fetch", f"{site.url}/private")
        shell = scrapy(folder, "shell", f"{site.url}/open", "-c", "response.status")
    assert site.pages() == ["/open"]
    assert fetched.stdout == ""
    assert f"Refused {site.url}/private ({DISALLOWED})" in fetched.stderr
    assert shell.stdout.strip() == "200", shell.stderr


@pytest.mark.parametrize("command", [["shell", "-c", "response"], ["fetch"], ["parse", "--spider", "listed"]])
def test_at_a_prompt_a_robots_txt_that_hangs_is_asked_for_once(
    loop_mode: str, tmp_path: Path, command: list[str]
) -> None:
    settings = {"POLITE_ROBOTS_TIMEOUT": 1, "POLITE_GIVE_UP": 1, "POLITE_MAX_IDLE": 1, "POLITE_WAIT_MAX": 2}
    with Origin({"/robots.txt": Answer(delay_s=4)}) as site:
        folder = project(tmp_path, loop_mode, [f"{site.url}/"], settings)
        done = scrapy(folder, *command, f"{site.url}/")
    assert site.paths() == ["/robots.txt"]
    assert "robots/unreachable" in done.stderr


def test_sites_of_project_spider_and_command_line_are_merged(loop_mode: str, tmp_path: Path) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(Origin({"/robots.txt": RULES}, f"127.0.2.{n}")) for n in (1, 2, 3, 4)]
        hosts = [site.url.removeprefix("http://") for site in sites]
        ignored, obeyed = {"robots": "never"}, {"robots": "always"}
        folder = project(
            tmp_path,
            loop_mode,
            [f"{site.url}/private" for site in sites],
            {"POLITE_SITES": {hosts[0]: ignored, hosts[3]: ignored}},
            {"POLITE_SITES": {hosts[1]: ignored}},
        )
        on_the_command_line = json.dumps({hosts[2]: ignored, hosts[3]: obeyed})
        crawled = scrapy(folder, "crawl", "listed", "-s", f"POLITE_SITES={on_the_command_line}")
    assert [site.paths() for site in sites] == [["/private"]] * 3 + [["/robots.txt"]], crawled.stderr


def test_a_setting_that_cannot_be_meant_stops_the_crawl_with_a_message(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        folder = project(tmp_path, loop_mode, [f"{site.url}/"], {"POLITE_WAITMAX": 5, "POLITE_ROBOTS_TIMEOUT": "soon"})
        crawled = scrapy(folder, "crawl", "listed")
    assert crawled.returncode == 1
    assert site.paths() == []
    *_, heading, one, other = crawled.stderr.rstrip().splitlines()
    assert heading.endswith("[scrapy_polite._addon] ERROR: scrapy-polite cannot start:")
    assert "Traceback" not in crawled.stderr
    assert [one, other] == [
        "  - POLITE_ROBOTS_TIMEOUT is 'soon', expected seconds from 0.1 to 600",
        "  - unknown setting POLITE_WAITMAX: did you mean POLITE_WAIT_MAX?",
    ]


GROUPS = (
    "User-agent: onebot\nDisallow: /one\n\nUser-agent: twobot\nDisallow: /two\n\nUser-agent: testbot\nDisallow: /test\n"
)
PATHS = ("/one", "/two", "/test")


def test_names_that_send_one_user_agent_share_a_fetch_and_each_obeys_its_own_group(
    loop_mode: str, tmp_path: Path
) -> None:
    with Origin({"/robots.txt": Answer(body=GROUPS.encode(), delay_s=0.5)}) as site:
        urls = [site.url + path for path in PATHS]
        own = [(urls, {"ROBOTSTXT_USER_AGENT": name}) for name in ("onebot", "twobot/2.0 (+http://two.example)")]
        crawls = crawl_together(loop_mode, own, {"POLITE_STORE": str(tmp_path / "polite.sqlite")})
    assert [sorted(crawled.urls) for crawled in crawls] == [
        sorted(site.url + path for path in PATHS if path != refused) for refused in ("/one", "/two")
    ]
    assert site.robots_fetches() == 1


def test_each_user_agent_is_answered_for_itself_up_to_a_bound(loop_mode: str) -> None:
    with Origin({"/robots.txt": robots(GROUPS)}) as site:
        agents = [f"onebot/{version}" for version in range(MAX_USER_AGENTS + 3)]
        crawled = crawl(loop_mode, [site.url + path for path in PATHS], {"AGENTS": agents}, spider="agents")
    asked = [asked.headers["user-agent"] for asked in site.asked if asked.path == "/robots.txt"]
    assert len(asked) == len(set(asked)) == MAX_USER_AGENTS + 1
    assert set(asked) - set(agents) == {SETTINGS["USER_AGENT"]}
    assert sorted(crawled.urls) == sorted([site.url + "/test", site.url + "/two"] * len(agents)), "each is onebot"
    assert len(crawled.logged("WARNING", f"More than {MAX_USER_AGENTS} User-Agents")) == 1
