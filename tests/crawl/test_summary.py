"""What a person sees of a crawl: start line, warnings, refusals, summary, POLITE_REFUSED_FILE; bounded, nothing raw."""

from __future__ import annotations

import json
import re
import unicodedata
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

import arguments
from crawls import Crawled, crawl
from webserver import Answer, Origin, robots

RULES = robots("User-agent: *\nDisallow: /private\n")
ESCAPE = "\x1b[31m\x07\x9b2J\u202e"
DISALLOW_ALL = b"User-agent: *\nDisallow: /"
ON_THE_WIRE = ESCAPE.encode().decode("latin-1")
QUICK = {"POLITE_ROBOTS_ATTEMPTS": 1, "POLITE_WAIT_MAX": 1}

#: Servers that put escape sequences wherever a text of theirs could come to the eyes of a person.
HOSTILE: dict[str, Answer] = {
    "rule": robots(f"User-agent: *\nDisallow: /page{ESCAPE[0]}\n"),
    "status line": Answer(503, reason=ON_THE_WIRE, headers={"Retry-After": ON_THE_WIRE}),
    "Location": Answer(302, headers={"Location": ON_THE_WIRE}),
    "Location's port": Answer(302, headers={"Location": f"http://h:{ESCAPE[:5]}/"}),
    "Content-Encoding": Answer(headers={"Content-Encoding": ESCAPE[:5]}, body=b"x"),
    "Cache-Control": Answer(headers={"Cache-Control": ESCAPE[:5], "ETag": ESCAPE[:5]}, body=DISALLOW_ALL),
}


class Story(NamedTuple):
    site: Origin
    down: list[Origin]
    crawled: Crawled
    refused: list[dict[str, Any]]
    raw_refused: str


@pytest.fixture(scope="module")
def story(loop_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Story:
    """A crawl of one good site, two that are down, and hostile ones."""
    path = tmp_path_factory.mktemp("story") / "new" / "refused.jsonl"
    with ExitStack() as stack:
        site = stack.enter_context(Origin({"/robots.txt": Answer(body=RULES.body, delay_s=0.2)}))
        down = [stack.enter_context(Origin({"/robots.txt": Answer(500)}, f"127.0.0.{n}")) for n in (2, 3)]
        bad = [stack.enter_context(Origin({"/robots.txt": answer}, "127.0.0.4")) for answer in HOSTILE.values()]
        urls = [f"{site.url}/{page}" for page in ("ok", "private/1", "private/2", "private/3")]
        urls += [f"{origin.url}/{page}" for origin in down for page in (1, 2, 3)]
        urls += [f"{origin.url}/page{quote(ESCAPE)}" for origin in bad]
        urls += [f"{site.url}/render?url={quote(f'http://shop.example/{ESCAPE}')}"]
        urls += [f"{site.url}/render?url={quote(f'http://{ESCAPE}.example/')}"]
        settings = QUICK | {"POLITE_REFUSED_FILE": str(path), "POLITE_TARGET_URL": "project_parts.rendered"}
        crawled = crawl(loop_mode, urls, settings)
    raw = path.read_text()
    return Story(site, down, crawled, [json.loads(line) for line in raw.splitlines()], raw)


def summary(crawled: Crawled) -> list[str]:
    """The lines of the summary, which is one record in the log."""
    lines = crawled.log.split("scrapy-polite summary:\n")[1].splitlines()
    return lines[: next(i for i, line in enumerate(lines) if not line.startswith("  "))]


def test_one_line_at_start_says_what_is_in_force(story: Story) -> None:
    (line,) = story.crawled.logged("INFO", "scrapy-polite: ")
    assert "robots.txt obeyed, as 'testbot' (in place of Scrapy's RobotsTxtMiddleware)" in line
    assert "store: memory" in line
    assert "order of requests: by priority, then breadth first, each host at its own pace; queue: in memory" in line


def test_each_unreachable_origin_is_one_warning_with_its_next_try(story: Story) -> None:
    for origin in story.down:
        (warning,) = story.crawled.logged("WARNING", f"{origin.url}/robots.txt is unreachable")
        assert "(HTTP 500)" in warning
        assert "nothing there is fetched until it answers; next try in" in warning


def test_the_first_refusal_of_each_reason_is_at_info_and_the_rest_at_debug(story: Story) -> None:
    first = story.crawled.logged("INFO", "Refused http")
    rest = story.crawled.logged("DEBUG", "Refused http")
    reasons = {key for key in story.crawled.stats if key.startswith("polite/refused/")}
    assert len(first) == len(reasons) == 3
    assert len(first) + len(rest) == story.crawled.stats["polite/refused"]


def test_the_summary_has_counts_an_example_with_evidence_and_the_hosts_waited_for(story: Story) -> None:
    lines = summary(story.crawled)
    assert len(lines) <= 17
    text = "\n".join(lines)
    assert f"refused: {story.crawled.stats['polite/refused']}" in text
    assert re.search(r"robots/disallow \d+, such as http://127\.\S+ \(line 2: Disallow: /", text)
    assert re.search(r"robots/unreachable \d+, such as http://127\.\S+ \(HTTP 50", text)
    assert "pages requested: " in text
    assert "under fresh rules" in text
    assert re.search(r"waited: \d+ requests? for robots.txt", text)


def test_nothing_from_the_network_reaches_log_or_file_raw(story: Story) -> None:
    shown = story.crawled.log + story.raw_refused
    raw = {character for character in shown if unicodedata.category(character) in ("Cc", "Cf")}
    assert raw <= {"\n", "\t"}
    assert r"Disallow: /page\x1b" in story.crawled.log
    assert r"\x1b[31m" in story.crawled.log


def test_no_stats_key_names_a_host(story: Story) -> None:
    keys = [key for key in story.crawled.stats if key.startswith(("polite/", "robotstxt/"))]
    assert len(keys) > 5
    assert [key for key in keys if "127.0" in key or "example" in key] == []


def test_the_refused_file_lists_every_refusal_with_its_reason_and_rule(story: Story) -> None:
    assert len(story.refused) == story.crawled.stats["polite/refused"] == len(story.crawled.refused)
    record = next(record for record in story.refused if record["url"] == f"{story.site.url}/private/2")
    assert record.pop("time")
    assert record == {
        "url": f"{story.site.url}/private/2",
        "reason": "robots/disallow",
        "detail": "line 2: Disallow: /private",
        "rule": "Disallow: /private",
        "line": 2,
    }


def test_a_crawl_that_fetched_something_has_no_last_warning(story: Story) -> None:
    assert story.crawled.logged("WARNING", "start requests were refused") == []


def test_the_last_warning_says_so_when_all_start_requests_were_refused(loop_mode: str, tmp_path: Path) -> None:
    path = tmp_path / "refused.jsonl"
    path.write_text('{"url": "of an earlier run"}\n')
    with Origin({"/robots.txt": RULES}) as site:
        urls = [f"{site.url}/private/{page}" for page in (1, 2, 3, 4)]
        crawled = crawl(loop_mode, urls, {"POLITE_REFUSED_FILE": str(path), arguments.REFUSED_FILE_LINES: 2})
    assert crawled.logged("WARNING", "")[-1].endswith(
        "all 4 start requests were refused, so nothing was crawled. `scrapy robots check URL` says why."
    )
    records = [json.loads(line) for line in path.read_text().splitlines()]
    assert [record.get("url") for record in records] == ["of an earlier run", *urls[:2], None]
    assert "2 lines are written" in records[-1]["note"]


def test_the_last_warning_names_the_command_that_knows_of_blacklists(loop_mode: str, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("127.0.0.1\n")
    crawled = crawl(loop_mode, ["http://127.0.0.1:9/"], {"POLITE_BLACKLISTS": [str(tmp_path / "list.txt")]})
    assert crawled.logged("WARNING", "")[-1].endswith(
        "nothing was crawled. `scrapy polite blacklist check URL` says why."
    )


@pytest.mark.parametrize(
    ("traps", "said"),
    [
        ({}, "what a URL proves is refused, what looks endless waits for the rest of its site;"),
        ("off", "not looked for;"),
        ("log", "what a URL proves is followed, and counted, what looks endless is followed, and counted;"),
        ("drop", "what a URL proves is refused, what looks endless is refused after some pages;"),
        ({"endless": "off"}, "what a URL proves is refused, what looks endless is not looked for;"),
        (
            {"path-depth": "off", "alias": "log", "endless": "log"},
            "what a URL proves is refused (not alias, path-depth), what looks endless is followed, and counted;",
        ),
    ],
)
def test_the_start_line_says_what_is_done_about_traps(loop_mode: str, traps: object, said: str) -> None:
    with Origin({}) as site:
        crawled = crawl(loop_mode, [site.url], {"POLITE_TRAPS": traps})
    (line,) = crawled.logged("INFO", "robots.txt obeyed, as")
    assert f"; traps: {said}" in line


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"POLITE_SITES": {"a.example": {"traps": "off"}}}, "(1 pattern of POLITE_SITES may differ);"),
        ({"POLITE_MODE": {"traps": "audit"}}, "traps: audited, nothing is refused;"),
        (
            {"SCHEDULER": "scrapy.core.scheduler.Scheduler"},
            "what looks endless goes last, and nothing ends it (SCHEDULER is not this package's);",
        ),
        (
            {
                "DOWNLOADER_MIDDLEWARES": {"scrapy_polite.downloadermiddlewares.TrapMiddleware": None},
                "SPIDER_MIDDLEWARES": {"scrapy_polite.spidermiddlewares.TrapMiddleware": None},
            },
            "traps: not looked for (TrapMiddleware is None in both middleware settings);",
        ),
    ],
    ids=str,
)
def test_the_start_line_says_what_else_decides_about_traps(loop_mode: str, settings: dict[str, Any], said: str) -> None:
    with Origin({}) as site:
        crawled = crawl(loop_mode, [site.url], settings)
    (line,) = crawled.logged("INFO", "robots.txt obeyed, as")
    assert said in line


def test_a_start_page_that_redirects_to_a_refused_one_counts_as_refused(loop_mode: str) -> None:
    table = {"/robots.txt": RULES, "/": Answer(302, headers={"Location": "/private/1"})}
    with Origin(table) as site:
        crawled = crawl(loop_mode, [f"{site.url}/"])
    assert site.pages() == ["/"]
    assert crawled.logged("WARNING", "")[-1].endswith(
        "all 1 start requests were refused, so nothing was crawled. `scrapy robots check URL` says why."
    )


def test_a_refused_file_that_cannot_be_written_is_one_error_and_the_summary_can_be_turned_off(
    loop_mode: str, tmp_path: Path
) -> None:
    with Origin({"/robots.txt": RULES}) as site:
        urls = [f"{site.url}/{page}" for page in ("private/1", "private/2", "ok")]
        crawled = crawl(loop_mode, urls, {"POLITE_REFUSED_FILE": str(tmp_path), "POLITE_SUMMARY": False})
    assert site.pages() == ["/ok"]
    (error,) = crawled.logged("ERROR", "")
    assert f"POLITE_REFUSED_FILE {tmp_path} cannot be written" in error
    assert crawled.stats["polite/refused"] == 2
    assert "scrapy-polite summary" not in crawled.log


def test_the_summary_says_what_hosts_asked_for_and_what_was_done(loop_mode: str) -> None:
    busy = {"/0": [Answer(429, headers={"Retry-After": "1"}), Answer()]}
    slow = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2\n")}
    patient = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 300\n")}
    with Origin(busy) as first, Origin(slow, "127.0.0.2") as second, Origin(patient, "127.0.0.3") as third:
        urls = [f"{second.url}/{n}" for n in range(3)] + [f"{third.url}/{n}" for n in range(2)]
        crawled = crawl(
            loop_mode,
            [f"{first.url}/0", *urls],
            {"POLITE_MAX_CRAWL_DELAY": 0.5, "RETRY_ENABLED": True},
        )
    waited, backoffs, delays = summary(crawled)[-4:-1]
    assert f"{crawled.stats['polite/gate_waits']} times for the host's turn (the longest: {first.url} 1 s" in waited
    assert backoffs == f"  back-offs: 1 (most: {first.url} 1)"
    assert crawled.stats["polite/backoffs"] == 1
    assert delays == (
        "  delays: 2 origins, 1 of them capped "
        f"({third.url} Crawl-delay 0.5 s (of 300 s asked), {second.url} Crawl-delay 0.2 s)"
    )


@pytest.mark.parametrize(
    ("settings", "order"),
    [
        pytest.param({"POLITE_ORDER": "depth"}, "by priority, then depth first, each host at its own pace", id="ours"),
        pytest.param(
            {"SCHEDULER": "scrapy.core.scheduler.Scheduler"}, "Scheduler with DownloaderAware", id="the project's"
        ),
    ],
)
def test_the_line_at_start_names_the_order_of_requests(loop_mode: str, settings: dict[str, Any], order: str) -> None:
    (line,) = crawl(loop_mode, [], settings).logged("INFO", "scrapy-polite: robots.txt")
    assert f"order of requests: {order}" in line


def test_the_line_at_start_names_the_file_of_the_queue(loop_mode: str, tmp_path: Path) -> None:
    (line,) = crawl(loop_mode, [], {"JOBDIR": str(tmp_path)}).logged("INFO", "scrapy-polite: robots.txt")
    assert line.endswith(f"queue: in {tmp_path}/polite.frontier.sqlite")


def test_no_password_of_a_url_is_in_what_a_person_sees(loop_mode: str, tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("127.0.0.2\n")
    settings = QUICK | {
        "POLITE_BLACKLISTS": [str(tmp_path / "hosts")],
        "POLITE_REFUSED_FILE": str(tmp_path / "refused.jsonl"),
        "URLLENGTH_LIMIT": 1_000,
    }
    with Origin({"/robots.txt": RULES}) as site, Origin({"/robots.txt": Answer(503)}) as down:
        hosts = [url.partition("://")[2] for url in (site.url, down.url, site.url.replace(".0.1", ".0.2"))]
        long = f"{hosts[0]}/{'a/b/' * 5}{'x' * 1_000}"
        urls = [f"http://me:secret@{rest}" for rest in (f"{hosts[0]}/private", f"{hosts[1]}/", f"{hosts[2]}/", long)]
        crawled = crawl(loop_mode, urls, settings)
    ours = [line for line in crawled.log.splitlines() if "[scrapy_polite" in line or "[scrapy-polite" in line]
    told = "\n".join((*ours, *(error["error"] for error in crawled.errors), (tmp_path / "refused.jsonl").read_text()))
    assert "http://***@127.0.0.1" in told
    assert "secret" not in told
