"""The example project, run as a user runs it: `scrapy crawl ...` in its directory, judged by its site's own log."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

import warm
from crawls import environment
from projects import scrapy
from redis_server import RedisServer, needs_server
from webserver import Origin
from workers import links

PROJECT = Path(__file__).parents[1] / "example_project"

#: How many pages of each origin a polite crawl may fetch; it should fetch them all.
ALLOWED = {
    "Disallow, Allow, wildcards, Sitemap": 23,
    "404 missing": 21,
    "401 unauthorised": 21,
    "403 forbidden": 21,
    "500 for ever": 0,
    "503 twice, then rules": 16,
    "429, Retry-After: 2, then rules": 16,
    "slow: 3 seconds": 16,
    "5 redirects": 16,
    "6 redirects": 21,
    "redirect to another host": 16,
    "50 MB long": 16,
    "hostile": 16,
    "HTML instead": 21,
    "UTF-8 BOM, CR line ends": 16,
    "one port": 16,
    "another port of that host": 6,
    "Crawl-delay: 1": 10,
    "Crawl-delay: 0.4": 16,
    "Request-rate: 2/1s": 16,
    "503 page, Retry-After: 3": 16,
    "slow pages: 1 second": 16,
    "a calendar without an end": 21,
    "a tarpit": 16,
    "on the blacklist": 0,
    "nofollow: a page, a link": 17,
    "of 1996: the first rule that fits counts": 16,
    "a mirror, whose Host names the next": 0,
    "the main host of that mirror": 16,
}
#: The delays that the site asks for, in seconds, and as the table names them.
DELAYS = {
    "Crawl-delay: 1": (1.0, "Crawl-delay 1 s"),
    "Crawl-delay: 0.4": (0.4, "Crawl-delay 0.4 s"),
    "Request-rate: 2/1s": (0.5, "Request-rate 0.5 s"),
}
#: The reasons for which the add-on leaves the endless spaces.
TRAPS = {"a calendar without an end": "trap/endless", "a tarpit": "trap/endless"}
IN_TROUBLE = "503 page, Retry-After: 3"
#: The demo ends within so many seconds.
MOST_S = 60
LISTED = "on the blacklist"
NOFOLLOW = "nofollow: a page, a link"

Crawl = Callable[..., "subprocess.CompletedProcess[str]"]
Serve = Callable[["type[_Site]"], ThreadingHTTPServer]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, so that neither reports nor `.scrapy` are left in the checkout."""
    copy = tmp_path_factory.mktemp("project") / "example_project"
    return Path(shutil.copytree(PROJECT, copy, ignore=shutil.ignore_patterns("__pycache__", ".scrapy", "*-report.*")))


@pytest.fixture(scope="module")
def crawl(project: Path) -> Crawl:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        # On a busy machine the crawl with stock Scrapy takes longer than the minute that the demo gives it.
        return scrapy(project, "crawl", *arguments, "-s", "CLOSESPIDER_TIMEOUT=240", timeout_s=300)

    return run


@pytest.fixture(scope="module")
def polite(project: Path, crawl: Crawl) -> dict[str, Any]:
    """Its report; the first of three that took no more than `MOST_S`: other tests may have the machine meanwhile."""
    for _ in range(3):
        shutil.rmtree(project / ".scrapy", ignore_errors=True)
        report = _report(project, crawl("demo", "-O", "items.json"), "demo")
        if report["seconds"] < MOST_S:
            break
    return report


@pytest.fixture(scope="module")
def stock(project: Path, crawl: Crawl) -> dict[str, Any]:
    return _report(project, crawl("demo_stock"), "demo_stock")


def _report(project: Path, done: subprocess.CompletedProcess[str], spider: str) -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    report: dict[str, Any] = json.loads((project / f"{spider}-report.json").read_text("utf-8"))
    assert report["finish_reason"] == "finished"
    report["stdout"] = done.stdout
    report["text"] = (project / f"{spider}-report.txt").read_text("utf-8")
    return report


def _origin(report: dict[str, Any], name: str) -> dict[str, Any]:
    origins: dict[str, dict[str, Any]] = {origin["name"]: origin for origin in report["origins"]}
    return origins[name]


def test_the_table_has_a_row_for_every_origin_of_the_site(polite: dict[str, Any]) -> None:
    assert [origin["name"] for origin in polite["origins"]] == list(ALLOWED)


def test_below_the_table_each_column_of_figures_is_explained(polite: dict[str, Any]) -> None:
    table, _, legend = polite["text"].partition("pages that are allowed were missed")
    titles = table.splitlines()[0].partition("and the delay")[2].split()
    assert titles == [line.split()[0] for line in legend.splitlines() if re.match(r"[a-z]+  ", line)]
    assert table.count("not asked for") == 1


@pytest.mark.parametrize("name", ALLOWED)
def test_a_polite_crawl_fetches_no_forbidden_page_and_every_allowed_one(polite: dict[str, Any], name: str) -> None:
    origin = _origin(polite, name)
    assert origin["forbidden"] == []
    assert sorted(origin["pages"]) == sorted(origin["allowed"])
    assert len(origin["pages"]) == ALLOWED[name]


@pytest.mark.parametrize(
    ("name", "requests"),
    [("404 missing", 1), ("503 twice, then rules", 3), ("429, Retry-After: 2, then rules", 2), ("slow: 3 seconds", 1)],
)
def test_robots_txt_is_asked_for_no_oftener_than_needed(polite: dict[str, Any], name: str, requests: int) -> None:
    assert _origin(polite, name)["robots_requests"] == requests


@pytest.mark.parametrize(
    ("name", "reason"),
    [("Disallow, Allow, wildcards, Sitemap", "robots/disallow"), ("500 for ever", "robots/unreachable")],
)
def test_what_was_refused_and_why_is_counted_for_each_origin(polite: dict[str, Any], name: str, reason: str) -> None:
    refused = _origin(polite, name)["refused"]
    assert set(refused) == {reason}
    assert refused[reason] > 0


@pytest.mark.parametrize("name", ["503 twice, then rules", "429, Retry-After: 2, then rules", "slow: 3 seconds"])
def test_origins_whose_robots_txt_came_late_were_waited_for(polite: dict[str, Any], name: str) -> None:
    assert _origin(polite, name)["waited_s"] > 1


def test_no_request_of_a_polite_crawl_comes_before_its_time(polite: dict[str, Any]) -> None:
    assert {origin["name"]: origin["early"] for origin in polite["origins"]} == dict.fromkeys(ALLOWED, 0)


@pytest.mark.parametrize("name", DELAYS)
def test_an_origin_that_asks_for_a_delay_is_given_it(polite: dict[str, Any], name: str) -> None:
    origin = _origin(polite, name)
    delay_s, shown = DELAYS[name]
    assert origin["asked_s"] == delay_s
    assert origin["shortest_gap_s"] >= delay_s
    assert origin["delay"] == shown
    assert f"delay: {shown}" in polite["text"]


def test_an_origin_that_asks_to_be_left_alone_is(polite: dict[str, Any]) -> None:
    origin = _origin(polite, IN_TROUBLE)
    assert origin["backoffs"] == 1
    assert 1 < origin["waited_s"] < 10  # of three seconds, what was left when its next request was at the head
    others = [other["backoffs"] for other in polite["origins"] if other["name"] != IN_TROUBLE]
    assert set(others) == {0}


def test_the_crawl_takes_as_long_as_the_slowest_delay_asks_for_and_ends_within_a_minute(
    polite: dict[str, Any], stock: dict[str, Any]
) -> None:
    slowest_s = DELAYS["Crawl-delay: 1"][0] * ALLOWED["Crawl-delay: 1"]
    assert slowest_s < polite["seconds"] < MOST_S
    for report in (polite, stock):
        assert f"The crawl took {report['seconds']:.1f} s." in report["text"]


@pytest.mark.parametrize("name", [*DELAYS, IN_TROUBLE])
def test_the_same_crawl_with_stock_scrapy_breaks_the_pace(stock: dict[str, Any], name: str) -> None:
    assert _origin(stock, name)["early"] > 0  # on a busy machine answers, and so requests, come later


@pytest.mark.parametrize("spider", ["polite", "stock"])
def test_the_table_is_printed_and_written_and_fits_120_columns(spider: str, request: pytest.FixtureRequest) -> None:
    report = request.getfixturevalue(spider)
    assert report["text"] in report["stdout"]
    assert report["stdout"].rstrip().endswith("-report.txt" if spider == "stock" else "/report.html")
    assert max(map(len, report["text"].splitlines())) <= 120
    for origin in report["origins"]:
        assert f"\n{origin['name'][:15]}" in report["text"]
        assert origin["address"] in report["text"]


@pytest.mark.parametrize("name", ["500 for ever", "50 MB long"])
def test_the_same_crawl_with_stock_scrapy_fetches_forbidden_pages(stock: dict[str, Any], name: str) -> None:
    assert _origin(stock, name)["forbidden"]


def test_with_the_addon_off_its_columns_are_empty(stock: dict[str, Any]) -> None:
    for origin in stock["origins"]:
        of_the_addon = ("rules", "refused", "waited_s", "delay", "backoffs")
        assert [origin[key] for key in of_the_addon] == [None] * len(of_the_addon)


@pytest.mark.parametrize("name", TRAPS)
def test_an_endless_space_ends_and_the_table_says_why(polite: dict[str, Any], name: str) -> None:
    origin = _origin(polite, name)
    assert set(origin["refused"]) == {"robots/disallow", TRAPS[name]}
    assert f"{origin['refused'][TRAPS[name]]} {TRAPS[name]}" in polite["text"]


def test_no_other_origin_is_taken_for_a_trap(polite: dict[str, Any]) -> None:
    taken = {
        origin["name"]
        for origin in polite["origins"]
        if origin["trapped"] or any(reason.startswith("trap/") for reason in origin["refused"])
    }
    assert taken == set(TRAPS)


def test_what_is_on_in_an_endless_calendar_is_found(polite: dict[str, Any]) -> None:
    calendar = _origin(polite, "a calendar without an end")
    assert sum(path.startswith("/events/") for path in calendar["pages"]) == 5
    assert all(path.startswith("/calendar/") for path in calendar["trapped"])


def test_few_pages_of_endless_spaces_are_fetched_where_stock_scrapy_takes_hundreds(
    polite: dict[str, Any], stock: dict[str, Any]
) -> None:
    trapped = {}
    for report in (polite, stock):
        trapped[report["spider"]] = sum(len(origin["trapped"]) for origin in report["origins"])
        assert f"{trapped[report['spider']]} pages of endless spaces were fetched" in report["text"]
    assert trapped["demo"] < 400
    assert trapped["demo_stock"] > 300


def test_a_blacklisted_origin_is_asked_for_nothing_and_the_table_says_why(
    polite: dict[str, Any], stock: dict[str, Any]
) -> None:
    origin = _origin(polite, LISTED)
    assert (origin["requests"], origin["robots_requests"], origin["pages"]) == (0, 0, [])
    assert set(origin["refused"]) == {"blacklist/address"}
    assert "blacklist/address" in polite["text"]
    assert _origin(stock, LISTED)["pages"]
    assert _origin(stock, LISTED)["forbidden"] == _origin(stock, LISTED)["pages"]


def test_links_of_a_nofollow_page_and_nofollow_links_are_left_and_the_table_says_why(
    polite: dict[str, Any], stock: dict[str, Any]
) -> None:
    behind = {"/advertisement", *(f"/guests/{n}" for n in range(1, 5))}
    origin = _origin(polite, NOFOLLOW)
    assert "/guestbook" in origin["pages"]
    assert behind.isdisjoint(origin["pages"])
    # The page's link home is one of those that it asks not to follow.
    assert origin["refused"]["directives/nofollow"] == len(behind) + 1
    assert "directives/nofollow" in polite["text"]
    assert behind <= set(_origin(stock, NOFOLLOW)["forbidden"])


def test_of_a_noindex_page_nothing_is_kept(polite: dict[str, Any], project: Path) -> None:
    items = json.loads((project / "items.json").read_text("utf-8"))
    kept = {item["url"] for item in items}
    fetched = {origin["address"] + path for origin in polite["origins"] for path in origin["pages"]}
    assert fetched - kept == {_origin(polite, NOFOLLOW)["address"] + "/guestbook"}


def test_what_is_decided_for_one_site_is_done_there(polite: dict[str, Any], stock: dict[str, Any]) -> None:
    """Pages of a sitemap, a dialect, the main host of a mirror."""
    first, dialect, mirror, main = (
        next(name for name in ALLOWED if word in name) for word in ("Sitemap", "1996", "a mirror", "the main host")
    )
    in_sitemap = {f"/archive/{n}" for n in range(1, 5)}
    assert in_sitemap <= set(_origin(polite, first)["pages"])
    assert in_sitemap.isdisjoint(_origin(stock, first)["pages"])
    assert "read as classic" in _origin(polite, dialect)["rules"]
    assert set(_origin(stock, dialect)["forbidden"]) == {"/private/press/1", "/private/press/2"}
    assert _origin(polite, mirror)["pages"] == []
    assert f"Host: {_origin(polite, mirror)['moved']} asked of the main" in polite["text"]
    # At least those: once, on a busy machine, it fetched forbidden ones as well.
    assert set(_origin(polite, main)["pages"]) <= set(_origin(stock, mirror)["pages"])


def test_a_second_crawl_asks_for_what_may_have_changed_and_hands_out_what_has(project: Path) -> None:
    done = warm.run(["-m", "demo.again"], cwd=project, env=environment(), timeout_s=120)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = re.findall(r"(?m)^(?:the|again:) (.+?) {3,}(\d+) +(\d+) +(\d+) +([\d,]+) +(\d+)(.*)$", done.stdout)
    reached = {name: (row[0], row[1], row[2], row[4]) for name, *row in rows}
    assert reached == {
        "first crawl": ("61", "61", "0", "61"),
        "Scrapy alone": ("62", "62", "0", "62"),
        'POLITE_RECRAWL = "links"': ("62", "42", "38", "4"),
        'POLITE_RECRAWL = "callback"': ("62", "42", "38", "62"),
    }
    assert "58 of them told that nothing has changed" in rows[-1][-1]


class _Site(BaseHTTPRequestHandler):
    """A home page with 150 links on, one into `/private/` and one to another host."""

    elsewhere: ClassVar[str]
    asked: ClassVar[list[str]]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        bodies = {
            "/robots.txt": "User-agent: *\nDisallow: /private/\n",
            "/": "".join(f'<a href="{url}">x</a>' for url in [self.elsewhere, "/private/", *map(str, range(150))]),
        }
        body = bodies.get(self.path, f"<title>{self.path}</title>").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers = []

    def start(handler: type[_Site]) -> ThreadingHTTPServer:
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_the_site_spider_stays_on_the_host_within_its_rules_and_limits(
    crawl: Crawl, serve: Serve, tmp_path: Path
) -> None:
    class Other(_Site):
        asked: ClassVar[list[str]] = []
        elsewhere = ""

    class Site(_Site):
        asked: ClassVar[list[str]] = []
        elsewhere = f"http://localhost:{serve(Other).server_port}/"

    url = f"http://127.0.0.1:{serve(Site).server_port}/"
    items = tmp_path / "items.json"
    settings = ["-s", "DOWNLOAD_DELAY=0", "-s", "POLITE_STORE=memory"]

    done = crawl("site", "-a", f"url={url}", "-O", str(items), *settings)

    assert done.returncode == 0, done.stderr
    assert Site.asked[:2] == ["/robots.txt", "/"]
    assert "/private/" not in Site.asked
    assert Other.asked == []
    assert 95 <= len(Site.asked) <= 105
    found = json.loads(items.read_text("utf-8"))
    assert {item["url"] for item in found} == {url + path[1:] for path in Site.asked[1:]}
    assert {"url": f"{url}0", "status": 200, "title": "/0"} in found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "the argument url is missing", id="no url"),
        pytest.param(["-a", "url=example.org"], "url='example.org' is not an http or https URL", id="no scheme"),
        pytest.param(["-a", "url=ftp://example.org/"], "is not an http or https URL with a host", id="ftp"),
        pytest.param(["-a", "url=https://"], "is not an http or https URL with a host", id="no host"),
        pytest.param(["-a", "url=http://[::1/"], r"url='http://\[::1/' cannot be read", id="bad host"),
    ],
)
def test_the_site_spider_says_what_is_wrong_with_its_url(crawl: Crawl, arguments: list[str], message: str) -> None:
    done = crawl("site", *arguments)
    assert done.returncode != 0
    assert re.search(f"ValueError: .*{message}.*use: scrapy crawl site -a url=https://example.org/", done.stderr)


@needs_server
def test_several_workers_fetch_all_of_the_demo_site_once_and_at_the_pace_of_each_host(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "demo.workers", "--workers", "3"],
        check=False,
        cwd=project,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = dict(re.findall(r"(?m)^(worker \d|all) +(\d+) ", done.stdout))
    assert list(rows) == ["worker 1", "worker 2", "worker 3", "all"]
    assert int(rows["all"]) == sum(int(rows[name]) for name in list(rows)[:3]) >= sum(ALLOWED.values())
    assert "0 pages were fetched twice, 0 that are allowed were missed, 0 are forbidden." in done.stdout
    assert "0 requests came before their time" in done.stdout


def deployed(name: str) -> list[dict[str, Any]]:
    """The documents of a file of deploy/, with what a person has to fill in."""
    text = (PROJECT / "deploy" / name).read_text("utf-8")
    filled = re.sub(r"\$\{VALKEY_PASSWORD\b[^}]*\}|\$\(PASSWORD\)", "secret", text)
    return list(yaml.safe_load_all(filled))


def of_compose() -> tuple[list[str], list[str], dict[str, str]]:
    """The arguments of the server, those of a worker, and its environment."""
    ((services),) = [document["services"] for document in deployed("compose.yaml")]
    program, *arguments = services["valkey"]["command"]
    assert program == "valkey-server"
    return arguments, services["worker"]["command"], services["worker"]["environment"]


def of_kubernetes() -> tuple[list[str], list[str], dict[str, str]]:
    containers = {
        document["kind"]: document["spec"]["template"]["spec"]["containers"][0]
        for document in deployed("kubernetes.yaml")
        if "template" in document["spec"]
    }
    worker = containers["Job"]
    environment = {one["name"]: one["value"] for one in worker["env"] if "value" in one}
    return containers["StatefulSet"]["args"], worker["args"], environment


@needs_server
def test_server_and_workers_as_compose_and_kubernetes_start_them_crawl_together(project: Path) -> None:
    ways = (of_compose(), of_kubernetes())
    assert ways[0][0] == ways[1][0]
    (*_, entry) = (line for line in (PROJECT / "deploy/Dockerfile").read_text().splitlines() if "ENTRYPOINT" in line)
    entrypoint = json.loads(entry.removeprefix("ENTRYPOINT "))
    options = [(name.removeprefix("--"), value) for name, value in zip(ways[0][0][::2], ways[0][0][1::2], strict=True)]
    pages = [f"/{number}" for number in range(8)]
    with (
        RedisServer(*options, password="secret") as server,
        Origin({"/": links(*pages)}, "127.0.0.1") as first,
        Origin({"/": links(*pages)}, "127.0.0.2") as second,
    ):
        sites, running = (first, second), []
        urls = ",".join(f"{site.url}/" for site in sites)
        for _, arguments, variables in ways:
            command = ["-m", *entrypoint, *(re.sub("^url=.*", f"url={urls}", one) for one in arguments)]
            command += ["-s", "DOWNLOAD_DELAY=0.1", "-s", "CLOSESPIDER_PAGECOUNT=0", "-s", "POLITE_LEASE=5"]
            address = variables["CRAWL_SERVER"].replace("@valkey:6379/", f"@127.0.0.1:{server.port}/")
            running.append(warm.Process(command, cwd=project, env=environment() | {"CRAWL_SERVER": address}))
        deadline = time.monotonic() + 60
        while min(len(site.asked) for site in sites) < 5:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        running[0].send_signal(signal.SIGTERM)  # as both stop a worker
        logs = [one.communicate(120)[1] for one in running]
    assert [one.returncode for one in running] == [0, 0], logs
    assert "secret" not in "".join(logs)
    for site in sites:
        assert sorted(site.paths()) == sorted(["/robots.txt", "/", *pages])
