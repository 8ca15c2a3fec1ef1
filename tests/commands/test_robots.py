"""`scrapy robots ...` on the real command line against real local servers; the servers' own log is the witness."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import default_settings

import warm
from commandline import make_project
from crawls import LOOP_SETTINGS, environment
from projects import scrapy
from webserver import Answer, Asked, Origin, robots

RULES = robots(
    "User-agent: *\nDisallow: /private\nAllow: /private/open\nCrawl-delay: 10\n\nUser-agent: otherbot\nDisallow: /\n"
)
HOSTILE = robots("User-agent: *\nDisallow: /\x1bM\x07" + "x" * 5_000 + "\nDisallow: /*\u202e\n")

Origins = Mapping[str, Origin]


@pytest.fixture
def origins() -> Iterator[Origins]:
    tables = {
        "rules": {"/robots.txt": RULES},
        "missing": {},
        "failing": {"/robots.txt": Answer(503)},
        "hostile": {"/robots.txt": HOSTILE},
    }
    with ExitStack() as stack:
        sites = {
            name: stack.enter_context(Origin(table, f"127.0.0.{number}"))
            for number, (name, table) in enumerate(tables.items(), 1)
        }
        sites["moved"] = stack.enter_context(
            Origin({"/robots.txt": Answer(301, headers={"Location": f"{sites['rules'].url}/robots.txt"})}, "127.0.0.9")
        )
        yield sites


def verdicts(process: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """What `--json` printed. Raises where stdout holds anything but one object a line."""
    assert process.returncode in (0, 1), process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


@pytest.mark.parametrize("mode", LOOP_SETTINGS)
def test_every_origin_is_judged_by_its_own_file_and_no_page_is_fetched(
    origins: Origins, mode: str, tmp_path: Path
) -> None:
    if mode == "reactorless" and not hasattr(default_settings, "TWISTED_REACTOR_ENABLED"):
        pytest.skip("Scrapy 2.14 needs a reactor")
    expected: dict[str, dict[str, Any]] = {
        f"{origins['rules'].url}/private/1": {
            "allowed": False,
            "reason": "robots/disallow",
            "rule": "Disallow: /private",
            "line": 2,
            "group": "*",
            "crawl_delay": 10.0,
            "basis": "fresh",
            "status": 200,
        },
        f"{origins['rules'].url}/private/open": {"allowed": True, "rule": "Allow: /private/open", "line": 3},
        f"{origins['rules'].url}/": {"allowed": True, "reason": "robots/no-rule", "rule": None, "line": None},
        f"{origins['missing'].url}/x": {"allowed": True, "reason": "robots/none", "status": 404, "crawl_delay": None},
        f"{origins['failing'].url}/x": {
            "allowed": False,
            "reason": "robots/unreachable",
            "status": None,
            "failure": "HTTP 503",
            "fresh_until": None,
        },
        f"{origins['moved'].url}/private": {
            "allowed": False,
            "line": 2,
            "redirects": [f"{origins['rules'].url}/robots.txt"],
        },
    }
    settings = [f"-s{name}={value}" for name, value in LOOP_SETTINGS[mode].items()]
    quick = ["-s", "USER_AGENT=testbot/1.0 (+https://t.example)"]
    process = scrapy(tmp_path, "robots", "check", "--json", *expected, *quick, *settings)
    assert process.returncode == 1, process.stderr
    found = verdicts(process)
    assert [verdict["url"] for verdict in found] == list(expected)
    for verdict in found:
        wanted = expected[verdict["url"]]
        assert {key: verdict[key] for key in wanted} == wanted
        assert (verdict["token"], verdict["token_source"]) == ("testbot", "USER_AGENT")
    assert [site.pages() for site in origins.values()] == [[]] * len(origins)
    # Once for its own three pages, once at the end of the redirect.
    assert origins["rules"].robots_fetches() == 2
    assert list(tmp_path.iterdir()) == []


def test_a_person_reads_verdict_line_group_and_freshness(origins: Origins, tmp_path: Path) -> None:
    site = origins["rules"].url
    process = scrapy(tmp_path, "robots", "check", f"{site}/private/1", "--agent", "OtherBot/2.0")
    assert process.returncode == 1
    assert process.stdout.splitlines() == [
        f"{site}/private/1",
        "  refused     line 7: Disallow: /  (robots/disallow)",
        "  as          otherbot (from --agent), group otherbot",
        f"  robots.txt  {site}/robots.txt: 1 rule obeyed (HTTP 200), fetched just now, fresh for 24 h",
    ]


def test_hostile_rules_reach_a_terminal_escaped_and_cut(origins: Origins, tmp_path: Path) -> None:
    site = origins["hostile"].url
    process = scrapy(tmp_path, "robots", "check", f"{site}/\x1bM\x07{'x' * 5_000}", f"{site}/\u202e")
    assert process.returncode == 1
    assert "line 2: Disallow: /\\x1bM\\x07xxxxx" in process.stdout
    assert "line 3: Disallow: /*\\u202e" in process.stdout
    for line in process.stdout.splitlines():
        assert line.isprintable()
        assert len(line) < 400


def test_several_origins_are_asked_at_the_same_time(tmp_path: Path) -> None:
    both = threading.Barrier(2)

    def answer(asked: Asked) -> Answer:
        try:
            both.wait(20)
        except threading.BrokenBarrierError:
            return Answer(500)
        return RULES

    with Origin({"/robots.txt": answer}) as one, Origin({"/robots.txt": answer}, "127.0.0.2") as other:
        process = scrapy(tmp_path, "robots", "check", f"{one.url}/", f"{other.url}/")
    assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        pytest.param(
            [], "are required: {check,show,forget,export,import,test,diff,lint,build,publish,farms}", id="none"
        ),
        pytest.param(["chek"], "invalid choice: 'chek' (choose from", id="unknown-subcommand"),
        pytest.param(["check"], "robots check: the following arguments are required: URL", id="no-url"),
        pytest.param(["check", "--jsonn", "http://x/"], "unrecognized arguments: --jsonn", id="unknown-option"),
        pytest.param(["check", "--raw", "http://x/"], "unrecognized arguments: --raw", id="foreign-option"),
        pytest.param(["check", "--agent", "", "http://x/"], "argument --agent: is empty", id="empty-agent"),
        pytest.param(["check", "mailto:x@example.com"], "no origin in 'mailto:x@example.com'", id="no-robots-txt"),
        pytest.param(["check", "http://[x/"], "bad host or port in '[x'", id="bad-host"),
        pytest.param(["check", "--file", "nix.txt", "/"], "nix.txt: cannot be read (No such file", id="no-file"),
        pytest.param(
            ["check", "http://x/", "-s", "POLITE_WAIT_MAX=soon"],
            "POLITE_WAIT_MAX is 'soon', expected",
            id="bad-setting",
        ),
        pytest.param(
            ["show", "example.com"], "as outside of projects, so nothing is kept; name another", id="no-store"
        ),
        pytest.param(["show", "a", "b"], "robots show: unrecognized arguments: b", id="two-origins"),
        pytest.param(["forget"], "name one origin, or give --all", id="forget-nothing"),
        pytest.param(["forget", "--all", "example.com"], "name one origin, or give --all", id="forget-both"),
        pytest.param(["import", "nix.db"], "there is no file 'nix.db'", id="no-import"),
    ],
)
def test_what_cannot_be_meant_is_an_error_that_says_what_was_expected(
    arguments: list[str], error: str, tmp_path: Path
) -> None:
    process = scrapy(tmp_path, "robots", *arguments)
    assert process.returncode == 2
    assert error in process.stderr
    assert process.stdout == ""
    assert "Traceback" not in process.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_local_file_is_judged_without_the_network(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: foo\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n")
    with Origin({}) as site:
        urls = ["/a", "/b", f"{site.url}/a"]
        process = scrapy(tmp_path, "robots", "check", "--file", "robots.txt", "--agent", "foo", "--json", *urls)
        assert site.asked == []
    assert process.returncode == 1
    found = verdicts(process)
    assert [(verdict["url"], verdict["allowed"], verdict["line"]) for verdict in found] == [
        ("/a", False, 2),
        ("/b", True, None),
        (f"{site.url}/a", False, 2),
    ]
    assert {verdict["robots_txt"] for verdict in found} == {"robots.txt"}
    assert scrapy(tmp_path, "robots", "check", "--file", "robots.txt", "--agent", "foo", "/b").returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["robots.txt"]


def test_a_project_keeps_what_was_fetched_and_all_subcommands_see_it(origins: Origins, tmp_path: Path) -> None:
    here, there = make_project(tmp_path / "here"), make_project(tmp_path / "there")
    site, missing = origins["rules"], origins["missing"]
    for _ in range(2):
        assert scrapy(here, "robots", "check", f"{site.url}/", f"{missing.url}/").returncode == 0
    assert (site.robots_fetches(), missing.robots_fetches()) == (1, 1)

    shown = scrapy(here, "robots", "show", f"{site.url}/any/page")
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"{site.url}/robots.txt\n  fetched as  testbot (the User-Agent of this project)\n")
    assert "\n  read for    testbot\n  state       2 rules obeyed" in shown.stdout
    assert "\nDisallow: /private\n" in shown.stdout
    assert scrapy(here, "robots", "show", "--raw", site.url).stdout.encode() == RULES.body

    exported = scrapy(here, "robots", "export", "../store.db")
    assert exported.stdout == "2 copies written to ../store.db\n"
    assert scrapy(here, "robots", "export", "../store.db").returncode == 2
    assert scrapy(there, "robots", "export", "../other.db").returncode == 2
    assert scrapy(there, "robots", "import", "../store.db").stdout == "2 copies read from ../store.db\n"
    assert scrapy(there, "robots", "check", f"{site.url}/").returncode == 0
    assert site.robots_fetches() == 1

    assert scrapy(here, "robots", "forget", site.url).stdout == "1 copy dropped\n"
    assert scrapy(here, "robots", "show", site.url).returncode == 1
    again = scrapy(here, "robots", "forget", site.url)
    assert (again.returncode, again.stdout) == (1, "")
    assert f"nothing is stored of {site.url}: expected an origin that a crawl has asked, such as" in again.stderr
    assert scrapy(here, "robots", "forget", "--all").stdout == "1 copy dropped\n"
    assert scrapy(here, "robots", "check", f"{site.url}/").returncode == 0
    assert site.robots_fetches() == 2


def test_copies_for_every_user_agent_are_shown_and_their_bodies_escaped(origins: Origins, tmp_path: Path) -> None:
    project, site = make_project(tmp_path), origins["hostile"]
    before = site.robots_fetches()
    for agent in ("onebot", "twobot"):  # one fetch, as the project
        scrapy(project, "robots", "check", f"{site.url}/", "--agent", agent)
    scrapy(project, "robots", "check", f"{site.url}/", "-s", "USER_AGENT=threebot/3.0")
    assert site.robots_fetches() == before + 2
    shown = scrapy(project, "robots", "show", "--agent", "fourbot", site.url).stdout
    assert shown.count("  fetched as  testbot (the User-Agent of this project)\n  read for    fourbot\n") == 1
    assert re.search(r"  fetched as  threebot \(User-Agent [0-9a-f]{12}\)\n  read for    fourbot\n", shown)
    assert shown.count("Disallow: /\\x1bM\\x07") == 2
    assert all(line.isprintable() and len(line) < 1_010 for line in shown.splitlines())


def test_a_bare_host_is_taken_for_https_and_says_so(tmp_path: Path) -> None:
    process = scrapy(make_project(tmp_path), "robots", "show", "Example.com:8443")
    assert process.returncode == 1
    assert "taken for https://Example.com:8443" in process.stderr
    assert "nothing is stored of https://example.com:8443/robots.txt" in process.stderr
    assert not list(tmp_path.rglob("*.sqlite"))


def test_a_check_takes_a_host_with_a_path_for_https_as_well(origins: Origins, tmp_path: Path) -> None:
    place = f"{origins['rules'].url.removeprefix('http://')}/private"
    process = scrapy(tmp_path, "robots", "check", "--json", place)
    (found,) = verdicts(process)
    assert (found["url"], found["reason"]) == (f"https://{place}", "robots/unreachable")  # it speaks no TLS
    assert process.stderr.splitlines()[0] == f"{place!r} names no scheme: taken for https://{place}"
    (tmp_path / "robots.txt").write_bytes(RULES.body)
    assert scrapy(tmp_path, "robots", "check", "--file", "robots.txt", "a.example:81/private").returncode == 1
    assert scrapy(tmp_path, "robots", "check", "--file", "robots.txt", "a.example").returncode == 0


def test_outside_a_project_a_store_can_be_named(origins: Origins, tmp_path: Path) -> None:
    site, store = origins["rules"], f"-sPOLITE_STORE={tmp_path / 'my.sqlite'}"
    for _ in range(2):
        assert scrapy(tmp_path, "robots", "check", f"{site.url}/", store).returncode == 0
    assert site.robots_fetches() == 1
    assert scrapy(tmp_path, "robots", "show", site.url, store).returncode == 0


NOISY = """
print("settings are imported")
class Middleware:
    def process_request(self, request):
        print("a middleware prints")
        request.headers["X-Way"] = "the project's"
class Reached:
    def __init__(self, *args, **kwargs):
        raise AssertionError("a check has no use for this")
    @classmethod
    def from_crawler(cls, crawler):
        return cls()
def target(request):
    return "http://elsewhere.example/"
"""


def test_a_check_takes_from_a_project_the_way_to_the_network_and_nothing_else(origins: Origins, tmp_path: Path) -> None:
    site = origins["rules"]
    project = make_project(
        tmp_path,
        {
            "ADDONS": {},
            "DOWNLOADER_MIDDLEWARES": {"testproject.noisy.Middleware": 950},
            "EXTENSIONS": {"testproject.noisy.Reached": 1},
            "ITEM_PIPELINES": {"testproject.noisy.Reached": 1},
            "SPIDER_MIDDLEWARES": {"testproject.noisy.Reached": 1},
            "SCHEDULER": "testproject.noisy.Reached",
            "FEEDS": {"items.json": {"format": "json"}},
            "JOBDIR": "job",
            "LOG_FILE": "crawl.log",
            "LOG_LEVEL": "DEBUG",
            "LOG_STDOUT": True,
            "POLITE_CONTACT_EMAIL": "bot@testbot.example",
            "POLITE_TARGET_URL": "testproject.noisy.target",
        },
        spiders="raise RuntimeError('no spider is needed')",
        extra={"noisy": NOISY.replace('print("settings are imported")', "")},
    )
    process = scrapy(project, "robots", "check", "--json", f"{site.url}/private")
    assert [verdict["line"] for verdict in verdicts(process)] == [2]
    assert site.asked[0].headers["x-way"] == "the project's"
    # The add-on, which this project has not turned on, is there for the check.
    assert site.asked[0].headers["from"] == "bot@testbot.example"
    assert "a middleware prints" in process.stderr
    assert not [name for name in ("items.json", "job", "crawl.log") if (project / name).exists()]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        pytest.param(
            {"ADDONS": {"nix.Addon": 1}}, "an add-on in ADDONS cannot be loaded: ModuleNotFoundError", id="add-on"
        ),
        pytest.param({"DOWNLOADER_MIDDLEWARES": {"nix.M": 1}}, "No module named 'nix'", id="middleware"),
    ],
)
def test_a_project_that_cannot_crawl_is_an_error_and_no_refusal(
    settings: dict[str, Any], error: str, tmp_path: Path
) -> None:
    process = scrapy(make_project(tmp_path, settings), "robots", "check", "http://127.0.0.1:9/")
    assert process.returncode == 2
    assert error in process.stderr
    assert process.stdout == ""


@pytest.mark.parametrize(
    ("settings", "policy", "says"),
    [
        pytest.param(
            {"POLITE_SITES": {"127.0.0.1": {"robots": "never"}}}, "never", "'never' in POLITE_SITES", id="never"
        ),
        pytest.param({"POLITE_SITES": {"*": {"robots": "annotate"}}}, "annotate", "marks it", id="annotate"),
        pytest.param({"ROBOTSTXT_OBEY": False}, "audit", "in audit", id="not-obeyed"),
        pytest.param({"POLITE_MODE": "audit"}, "audit", "in audit", id="audit-mode"),
    ],
)
def test_what_the_crawl_makes_of_it_is_said_and_the_verdict_stays_the_files(
    origins: Origins, settings: dict[str, Any], policy: str, says: str, tmp_path: Path
) -> None:
    project, url = make_project(tmp_path, settings), f"{origins['rules'].url}/private"
    read = scrapy(project, "robots", "check", url)
    assert read.returncode == 1
    assert "  refused     line 2: Disallow: /private" in read.stdout
    assert says in next(line for line in read.stdout.splitlines() if line.startswith("  the crawl"))
    assert [verdict["policy"] for verdict in verdicts(scrapy(project, "robots", "check", "--json", url))] == [policy]


def test_a_broken_store_is_named_and_only_the_subcommands_about_it_fail(origins: Origins, tmp_path: Path) -> None:
    project = make_project(tmp_path, {"POLITE_STORE": str(tmp_path / "broken.sqlite")})
    (tmp_path / "broken.sqlite").write_bytes(b"no database at all, " * 100)
    checked = scrapy(project, "robots", "check", f"{origins['rules'].url}/private")
    assert checked.returncode == 1
    assert "  refused     line 2" in checked.stdout
    assert "broken.sqlite" in checked.stderr
    shown = scrapy(project, "robots", "show", origins["rules"].url)
    assert shown.returncode == 2
    assert shown.stderr.startswith("scrapy robots show: ")
    assert "broken.sqlite: file is not a database; delete it" in shown.stderr


@pytest.mark.parametrize("mode", ["asyncio", "twisted"])
def test_ctrl_c_ends_a_check_without_a_verdict_and_without_a_traceback(mode: str, tmp_path: Path) -> None:
    reached = threading.Event()

    def never(asked: Asked) -> Answer:
        reached.set()
        return Answer(delay_s=60)

    with Origin({"/robots.txt": never}) as site:
        settings = [f"-s{name}={value}" for name, value in LOOP_SETTINGS[mode].items()]
        words = ["-m", "scrapy", "robots", "check", f"{site.url}/", *settings]
        process = warm.Process(words, cwd=tmp_path, env=environment())
        assert reached.wait(30)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(30)
    assert process.returncode == 2
    assert output == ""
    assert "scrapy robots check: it was interrupted" in errors
    assert "Traceback" not in errors


def test_a_file_that_comes_too_late_is_refused_and_the_check_ends(tmp_path: Path) -> None:
    with Origin({"/robots.txt": Answer(delay_s=600)}) as site:
        process = scrapy(tmp_path, "robots", "check", "--json", f"{site.url}/", "-s", "POLITE_WAIT_MAX=0.5")
    assert process.returncode == 1
    (verdict,) = verdicts(process)
    assert (verdict["reason"], verdict["basis"]) == ("robots/unreachable", "unchecked")
    assert verdict["state"] == "not known within 0.5 s (POLITE_WAIT_MAX)"
