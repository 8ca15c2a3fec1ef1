"""Every row of the access table (RFC 9309 §2.3.1), by whole crawls; the servers' own logs are the witnesses."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path

import pytest

from crawls import Crawled, crawl
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.store.sqlite.store import SqliteStore
from webserver import Answer, Asked, Origin, robots

#: What every crawl here asks of every origin, and what of it is served.
PAGES = ("/page", "/private/page")
OBEYED, OPEN = ["/page"], ["/page", "/private/page"]
CLOSED: list[str] = []

TEXT = "User-agent: *\nDisallow: /private\n"
RULES = robots(TEXT)
BODY = TEXT.encode()
DAY_S = 86_400.0
# The time-out is long for a busy machine, and shorter than the Retry-After of two seconds.
MANY_AT_ONCE = {"CONCURRENT_REQUESTS": 200, "POLITE_ROBOTS_CONCURRENCY": 100, "POLITE_ROBOTS_TIMEOUT": 1.8}


@dataclass(frozen=True)
class Row:
    """A robots.txt, the pages served under it, how often it is fetched, and what a refused page is told."""

    robots: Answer | list[Answer] | Callable[[Asked], Answer]
    pages: list[str]
    fetches: int
    error: str = ""


def retry_at(seconds: float) -> Callable[[Asked], Answer]:
    return lambda asked: Answer(503, headers={"Retry-After": formatdate(time.time() + seconds, usegmt=True)})


def served_later(first: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
    """`first` to the first that asks, then the rules."""
    answers = iter([first])
    return lambda asked: answer(asked) if (answer := next(answers, None)) else RULES


DISALLOWED = "robots/disallow: line 2: Disallow: /private"
ROWS = {
    **{f"{status}": Row(Answer(status, BODY), OBEYED, 1, DISALLOWED) for status in (200, 203, 299)},
    "204": Row(Answer(204), OPEN, 1),
    "304 unasked": Row(Answer(304), CLOSED, 3, "robots/unreachable: HTTP 304"),
    **{f"{status}": Row(Answer(status, BODY), OPEN, 1) for status in (400, 401, 403, 404, 410, 418, 451, 499)},
    "429": Row(Answer(429, BODY), CLOSED, 3, "robots/unreachable: HTTP 429"),
    "429 once, Retry-After under the wait": Row(
        [Answer(429, headers={"Retry-After": "1"}), RULES], OBEYED, 2, DISALLOWED
    ),
    "503 once, Retry-After beyond the time-out, under the wait": Row(
        [Answer(503, headers={"Retry-After": "2"}), RULES], OBEYED, 2, DISALLOWED
    ),
    "503 once, Retry-After a date under the wait": Row(served_later(retry_at(3)), OBEYED, 2, DISALLOWED),
    "429, Retry-After over the wait": Row(
        Answer(429, headers={"Retry-After": "3600"}), CLOSED, 1, "robots/unreachable: HTTP 429"
    ),
    "503, Retry-After a date over the wait": Row(retry_at(7_200), CLOSED, 1, "robots/unreachable: HTTP 503"),
    **{
        f"{status} for ever": Row(Answer(status, BODY), CLOSED, 3, f"robots/unreachable: HTTP {status}")
        for status in (500, 502, 503, 504, 599, 999)
    },
    "500 that says not found": Row(Answer(500, b"<h1>Not Found</h1>"), CLOSED, 3, "robots/unreachable: HTTP 500"),
    "503 twice, then fine": Row([Answer(503), Answer(503), RULES], OBEYED, 3, DISALLOWED),
    "hang": Row(Answer(delay_s=60), CLOSED, 3, "robots/unreachable: timed out after 1.8 s"),
    "connection closed": Row(Answer(drop=True), CLOSED, 3, "robots/unreachable: "),
    "body shorter than promised": Row(
        Answer(body=BODY, promise=1_000), CLOSED, 3, "robots/unreachable: the body broke"
    ),
    "404 with a body shorter than promised": Row(Answer(404, BODY, promise=1_000), OPEN, 1),
    "no gzip": Row(
        Answer(body=BODY, headers={"Content-Encoding": "gzip"}), CLOSED, 3, "robots/unreachable: broken body: "
    ),
    "gzip that breaks off": Row(
        Answer(body=gzip.compress(BODY)[:-12], headers={"Content-Encoding": "gzip"}),
        CLOSED,
        3,
        "robots/unreachable: broken body: ",
    ),
    "unknown Content-Encoding": Row(
        Answer(body=BODY, headers={"Content-Encoding": "compress"}),
        CLOSED,
        3,
        "robots/unreachable: broken body: it came in",
    ),
    "404 in an unknown Content-Encoding": Row(Answer(404, BODY, {"Content-Encoding": "compress"}), OPEN, 1),
}


@dataclass(frozen=True)
class Visit:
    """A crawl of an origin for each of a table's rows, after its end."""

    crawled: Crawled
    origins: dict[str, Origin]

    def served(self, name: str) -> list[str]:
        return sorted(self.origins[name].pages())

    def errors(self, name: str) -> list[str]:
        return [
            error["error"] for error in self.crawled.errors if error["url"].startswith(self.origins[name].url + "/")
        ]


def visit(loop_mode: str, table: dict[str, Row], settings: Mapping[str, object], urls: list[str]) -> Visit:
    with ExitStack() as stack:
        origins = {
            name: stack.enter_context(Origin({"/robots.txt": row.robots}, f"127.0.1.{number}"))
            for number, (name, row) in enumerate(table.items(), 1)
        }
        pages = [origin.url + path for origin in origins.values() for path in PAGES]
        return Visit(crawl(loop_mode, pages + urls, settings), origins)


@pytest.fixture(scope="module")
def refusing_url() -> Iterator[str]:
    """An origin whose port is taken, but where nobody listens."""
    with socket.socket() as nobody:
        nobody.bind(("127.0.2.1", 0))
        yield f"http://127.0.2.1:{nobody.getsockname()[1]}"


@pytest.fixture(scope="module")
def table(loop_mode: str, refusing_url: str) -> Visit:
    return visit(loop_mode, ROWS, MANY_AT_ONCE, [f"{refusing_url}/page", "http://nowhere.invalid/page"])


@pytest.mark.parametrize("name", ROWS)
def test_access_follows_from_the_outcome(table: Visit, name: str) -> None:
    row = ROWS[name]
    assert table.served(name) == row.pages
    errors = table.errors(name)
    assert len(errors) == len(PAGES) - len(row.pages)
    assert [error for error in errors if not error.startswith(f"IgnoreRequest: Refused by {row.error}")] == []


@pytest.mark.parametrize("name", ROWS)
def test_no_page_is_asked_for_before_its_robots_txt_which_is_fetched_no_more_often_than_needed(
    table: Visit, name: str
) -> None:
    paths, fetches = table.origins[name].paths(), ROWS[name].fetches
    if name == "connection closed":
        fetches = len(paths)  # aiohttp, Scrapy's handler without a reactor, asks once more by itself
        assert fetches in (3, 6)
    assert paths[:fetches] == ["/robots.txt"] * fetches
    assert "/robots.txt" not in paths[fetches:]


@pytest.mark.parametrize(
    ("name", "pause_s"),
    [
        ("429 once, Retry-After under the wait", 1.0),
        ("503 once, Retry-After beyond the time-out, under the wait", 2.0),
        ("503 once, Retry-After a date under the wait", 2.0),  # 3 s, less the second that a date's rounding may take
    ],
)
def test_retry_after_is_waited_for(table: Visit, name: str, pause_s: float) -> None:
    first, second = table.origins[name].asked[:2]
    assert second.at - first.at >= pause_s


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.pages == CLOSED])
def test_an_unreachable_robots_txt_is_warned_of_once_with_the_next_try(table: Visit, name: str) -> None:
    (warning,) = table.crawled.logged("WARNING", f"{table.origins[name].url}/robots.txt is unreachable")
    assert "nothing there is fetched until it answers; next try in " in warning


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.pages != CLOSED and "once" not in name])
def test_of_a_robots_txt_that_answered_in_time_nothing_is_warned(table: Visit, name: str) -> None:
    assert table.crawled.logged("WARNING", table.origins[name].url) == []


def test_a_host_that_refuses_connections_is_closed(table: Visit, refusing_url: str) -> None:
    assert {
        "url": f"{refusing_url}/page",
        "error": "IgnoreRequest: Refused by robots/unreachable: connection refused",
    } in (table.crawled.errors)


def test_a_host_name_that_does_not_resolve_is_closed(table: Visit) -> None:
    assert {
        "url": "http://nowhere.invalid/page",
        "error": "IgnoreRequest: Refused by robots/unreachable: host name cannot be resolved",
    } in table.crawled.errors


def test_stats_count_pages_by_the_rules_they_went_under_and_refusals_by_reason(table: Visit) -> None:
    stats = table.crawled.stats
    by_disallow = sum(row.error == DISALLOWED for row in ROWS.values())
    assert stats["polite/pages/fresh"] == by_disallow + 2  # and those of the 204
    assert stats["polite/pages/none"] == sum(len(row.pages) for row in ROWS.values() if row.pages == OPEN) - 2
    assert stats["polite/refused/robots/disallow"] == by_disallow
    assert stats["polite/refused/robots/unreachable"] == sum(2 for row in ROWS.values() if row.pages == CLOSED) + 2
    assert stats["robotstxt/forbidden"] == stats["polite/refused"] == len(table.crawled.errors)


@dataclass(frozen=True)
class Past:
    """What the store holds of an origin whose robots.txt now answers `now`."""

    pages: list[str]
    error: str = ""
    status: int | None = 200
    failing_for_s: float | None = None
    refused_for_s: float | None = None
    now: Answer = field(default_factory=lambda: Answer(500))


def past_visit(loop_mode: str, folder: Path, table: dict[str, Past], settings: dict[str, object]) -> Visit:
    """Crawl origins whose copies expired an hour ago or more."""
    store, now = SqliteStore(folder / "polite" / "store.sqlite"), time.time()
    with ExitStack() as stack:
        origins = {}
        for number, (name, past) in enumerate(table.items(), 1):
            origins[name] = stack.enter_context(Origin({"/robots.txt": past.now}, f"127.0.1.{number}"))
            failing_since = None if past.failing_for_s is None else now - past.failing_for_s
            copy = RobotsCopy(
                origin=origins[name].url,
                agent="testbot",
                updated_at=now - 3_600,
                status=past.status,
                body=BODY if past.status == 200 else b"",
                fetched_at=now - 40 * DAY_S if past.status else 0.0,
                expires_at=now - 39 * DAY_S if past.status else 0.0,
                failing_since=failing_since,
                failures=0 if failing_since is None else 5,
                next_try=0.0 if failing_since is None else now - 60,
                refused_since=None if past.refused_for_s is None else now - past.refused_for_s,
            )
            store.robots.put(copy).result()
        store.close()
        pages = [origin.url + path for origin in origins.values() for path in PAGES]
        settings = {"POLITE_STORE": str(folder / "polite" / "store.sqlite")} | MANY_AT_ONCE | settings
        return Visit(crawl(loop_mode, pages, settings), origins)


HTTP_500 = "robots/unreachable: HTTP 500"
PASTS = {
    "a good copy": Past(CLOSED, f"{HTTP_500}: closed for 12 h, then the last good copy holds"),
    "a good copy, after 11 hours of 5xx": Past(CLOSED, HTTP_500, failing_for_s=DAY_S, refused_for_s=11 * 3_600),
    "a good copy, after 13 hours of 5xx": Past(OBEYED, DISALLOWED, failing_for_s=DAY_S, refused_for_s=13 * 3_600),
    "a good copy, and no answer": Past(OBEYED, DISALLOWED, now=Answer(drop=True)),
    "a good copy, 5xx and then no answer": Past(
        CLOSED, "robots/unreachable", failing_for_s=3_600, refused_for_s=3_600, now=Answer(drop=True)
    ),
    "a good copy, after 31 days of outage": Past(
        OBEYED, DISALLOWED, failing_for_s=31 * DAY_S, refused_for_s=31 * DAY_S
    ),
    "a 404": Past(CLOSED, HTTP_500, status=404),
    "nothing for 29 days": Past(CLOSED, HTTP_500, status=None, failing_for_s=29 * DAY_S),
    "nothing for 31 days": Past(OPEN, status=None, failing_for_s=31 * DAY_S),
    "nothing for 31 days, and now it answers": Past(
        OBEYED, DISALLOWED, status=None, failing_for_s=31 * DAY_S, now=RULES
    ),
    "a good copy, after an outage": Past(
        OPEN, failing_for_s=DAY_S, now=robots("User-agent: *\nDisallow: /elsewhere\n")
    ),
}
STRICT_PASTS = {
    "a good copy": Past(OBEYED, DISALLOWED),
    "a good copy, and no answer": Past(CLOSED, "robots/unreachable", now=Answer(drop=True)),
    "a good copy, after 11 hours without": Past(
        CLOSED, "robots/unreachable", failing_for_s=11 * 3_600, now=Answer(drop=True)
    ),
    "a good copy, after 13 hours without": Past(OBEYED, DISALLOWED, failing_for_s=13 * 3_600, now=Answer(drop=True)),
    "nothing for 31 days": Past(CLOSED, HTTP_500, status=None, failing_for_s=31 * DAY_S),
    "a 500 that says not found": Past(OPEN, status=None, now=Answer(500, b"<h1>Not Found</h1>")),
    "a 500 that does not": Past(CLOSED, HTTP_500, status=None, now=Answer(500, b"<h1>Sorry</h1>")),
    "a 429 that says not found": Past(
        CLOSED, "robots/unreachable: HTTP 429", status=None, now=Answer(429, b"Not Found")
    ),
}


@pytest.fixture(scope="module")
def pasts(loop_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Visit:
    return past_visit(loop_mode, tmp_path_factory.mktemp("pasts"), PASTS, {})


@pytest.fixture(scope="module")
def strict_pasts(loop_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Visit:
    settings = {
        "POLITE_ROBOTS_CLOSED_BY_ANSWER": 0,
        "POLITE_ROBOTS_CLOSED_WITHOUT_ANSWER": 12 * 3_600,
        "POLITE_ROBOTS_AFTER_OUTAGE": "closed",
        "POLITE_ROBOTS_NOT_FOUND_5XX": True,
    }
    return past_visit(loop_mode, tmp_path_factory.mktemp("strict"), STRICT_PASTS, settings)


def _check(visit: Visit, name: str, past: Past) -> None:
    assert visit.served(name) == past.pages
    errors = visit.errors(name)
    assert len(errors) == len(PAGES) - len(past.pages)
    assert [error for error in errors if not error.startswith(f"IgnoreRequest: Refused by {past.error}")] == []


@pytest.mark.parametrize("name", PASTS)
def test_in_an_outage_the_last_good_copy_decides_or_else_its_length(pasts: Visit, name: str) -> None:
    _check(pasts, name, PASTS[name])


@pytest.mark.parametrize("name", STRICT_PASTS)
def test_in_an_outage_settings_decide_what_an_answer_and_none_close(strict_pasts: Visit, name: str) -> None:
    _check(strict_pasts, name, STRICT_PASTS[name])


def test_pages_that_go_under_the_last_good_copy_are_counted_as_such(pasts: Visit) -> None:
    assert pasts.crawled.stats["polite/pages/stale"] == 3


@pytest.mark.parametrize(
    ("name", "means"),
    [
        ("a good copy", "nothing there is fetched until it answers, for 12 h at most, then the last good copy is used"),
        ("a good copy, and no answer", "the last good copy is used"),
        ("a 404", "nothing there is fetched until it answers"),
    ],
)
def test_the_warning_of_an_outage_says_how_long_it_closes_the_origin(pasts: Visit, name: str, means: str) -> None:
    (warning,) = pasts.crawled.logged("WARNING", f"{pasts.origins[name].url}/robots.txt is unreachable")
    assert f": {means}; next try in " in warning
