"""Redirects of a robots.txt (RFC 9309 §2.3.1.2), by one crawl; the servers' own logs are the witnesses."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

from crawls import Crawled, crawl
from scrapy_polite.store.robots import RobotsCopy
from scrapy_polite.store.sqlite.store import SqliteStore
from webserver import Answer, Asked, Origin, robots

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.engine

PAGES = ("/page", "/private/page")
OBEYED, OPEN = ["/page"], ["/page", "/private/page"]
CLOSED: list[str] = []
RULES = robots("User-agent: *\nDisallow: /private\n")


def to(location: str, status: int = 302, **headers: str) -> Answer:
    return Answer(status, headers={"Location": location} | headers)


def chain(hops: int) -> dict[str, Answer]:
    """A robots.txt that is `hops` redirects away."""
    names = ["/robots.txt", *(f"/hop{number}" for number in range(1, hops + 1))]
    return {name: to(after) for name, after in pairwise(names)} | {names[-1]: RULES}


@dataclass(frozen=True)
class Case:
    """What a server answers, what of PAGES is served under it, and what else is asked for, in order."""

    table: Mapping[str, Answer]
    pages: list[str]
    hops: tuple[str, ...] = ()


def once(location: str, **headers: str) -> dict[str, Answer]:
    return {"/robots.txt": to(location, 302, **headers), "/rules": RULES}


#: In a Location, ELSEWHERE stands for the address and port of another server, FORBIDDING for those of a third.
CASES = {
    **{
        f"{status}, relative": Case({"/robots.txt": to("rules", status), "/rules": RULES}, OBEYED, ("/rules",))
        for status in (301, 302, 303, 307, 308)
    },
    "five": Case(chain(5), OBEYED, ("/hop1", "/hop2", "/hop3", "/hop4", "/hop5")),
    "six": Case(chain(6), OPEN, ("/hop1", "/hop2", "/hop3", "/hop4", "/hop5")),
    "to a 404": Case({"/robots.txt": to("/rules"), "/rules": Answer(404)}, OPEN, ("/rules",)),
    "to a 500": Case({"/robots.txt": to("/rules"), "/rules": Answer(500)}, CLOSED, ("/rules",) * 3),
    "to itself": Case(once("/robots.txt"), OPEN),
    "a loop": Case({"/robots.txt": to("/rules"), "/rules": to("/robots.txt")}, OPEN, ("/rules",)),
    "a loop further on": Case({"/robots.txt": to("/a"), "/a": to("/b"), "/b": to("/a")}, OPEN, ("/a", "/b")),
    "no Location": Case({"/robots.txt": Answer(302), "/rules": RULES}, OPEN),
    **{
        f"Location: {location:.40}": Case(once(location), OPEN)
        for location in (
            "",
            "http://",
            "http://[",
            "http://host:port/rules",
            "http://ELSEWHERE0000/rules",
            "//",
            "ftp://ELSEWHERE/rules",
            "file:///etc/hostname",
            "data:text/plain,User-agent:*%0ADisallow:/",
            "javascript:void(0)",
        )
    },
    "300 with a Location": Case({"/robots.txt": to("/rules", 300), "/rules": RULES}, OPEN),
    "to another host": Case(once("http://ELSEWHERE/rules"), OBEYED),
    "to another host, without scheme": Case(once("//ELSEWHERE/rules"), OBEYED),
    "to another host's robots.txt": Case(once("http://ELSEWHERE/robots.txt"), OPEN),
    "with a user and password": Case(once("http://user:secret@ELSEWHERE/rules"), OBEYED),
    "with a fragment": Case(once("/rules#top"), OBEYED, ("/rules",)),
    "with a cookie": Case(once("/rules", **{"Set-Cookie": "id=1; Path=/"}), OBEYED, ("/rules",)),
    "to what the target's held rules forbid": Case(once("http://FORBIDDING/private/rules"), OPEN),
    "by HTML": Case(
        {
            "/robots.txt": Answer(
                body=b'<html><head><meta http-equiv="refresh" content="0; url=/rules"></head></html>',
                headers={"Content-Type": "text/html", "Refresh": "0; url=/rules"},
            ),
            "/rules": RULES,
        },
        OPEN,
    ),
    "of a copy that is held": Case(once("/rules"), OBEYED, ("/rules",)),
}


def placed(answer: Answer, elsewhere: Origin, forbidding: Origin) -> Answer | Callable[[Asked], Answer]:
    """The answer, with real servers in its Location."""
    location = answer.headers.get("Location", "")
    for name, origin in (("ELSEWHERE", elsewhere), ("FORBIDDING", forbidding)):
        location = location.replace(name, origin.url.removeprefix("http://"))
    answer = replace(answer, headers={**answer.headers, "Location": location}) if location else answer

    def late(asked: Asked) -> Answer:
        deadline = time.monotonic() + 5
        while "/page" not in forbidding.paths() and time.monotonic() < deadline:
            threading.Event().wait(0.02)
        return answer

    # By the time a page of that server is asked for, its rules are held.
    return late if forbidding.url in location else answer


@dataclass(frozen=True)
class Visit:
    crawled: Crawled
    origins: dict[str, Origin]
    elsewhere: Origin
    forbidding: Origin

    def hops(self, name: str) -> list[Asked]:
        return [asked for asked in self.origins[name].asked if asked.path not in ("/robots.txt", *PAGES)]

    def robots_requests(self) -> list[Asked]:
        """Every robots.txt request and every hop, at whatever server."""
        servers = [*self.origins.values(), self.elsewhere, self.forbidding]
        return [asked for origin in servers for asked in origin.asked if asked.path not in PAGES]


@pytest.fixture(scope="module")
def visit(loop_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Visit:
    store = tmp_path_factory.mktemp("redirects") / "polite" / "store.sqlite"
    with ExitStack() as stack:
        elsewhere = stack.enter_context(Origin({"/rules": RULES}, "127.0.3.1"))
        forbidding = stack.enter_context(Origin({"/robots.txt": RULES, "/private/rules": RULES}, "127.0.3.2"))
        origins = {}
        for number, (name, case) in enumerate(CASES.items(), 1):
            table = {path: placed(answer, elsewhere, forbidding) for path, answer in case.table.items()}
            origins[name] = stack.enter_context(Origin(table, f"127.0.1.{number}"))
        _hold(store, origins["of a copy that is held"])
        urls = [f"{forbidding.url}/page", *(origin.url + path for origin in origins.values() for path in PAGES)]
        settings: dict[str, Any] = {
            "CONCURRENT_REQUESTS": 200,
            "POLITE_ROBOTS_CONCURRENCY": 100,
            "POLITE_STORE": str(store),
        }
        secrets = {"Authorization": "Basic c2VjcmV0", "Cookie": "session=secret", "Referer": "http://secret.example/"}
        return Visit(crawl(loop_mode, urls, settings, headers=secrets), origins, elsewhere, forbidding)


def _hold(path: Path, origin: Origin) -> None:
    """Put into the store an expired copy that can be asked for conditionally."""
    store, now = SqliteStore(path), time.time()
    copy = RobotsCopy(
        origin=origin.url,
        agent="testbot",
        updated_at=now - 200_000,
        status=200,
        fetched_at=now - 200_000,
        expires_at=now - 100_000,
        etag='"1"',
        last_modified="Sat, 21 Nov 2026 08:49:37 GMT",
    )
    store.robots.put(copy).result()
    store.close()


@pytest.mark.parametrize("name", CASES)
def test_up_to_five_redirects_are_followed_and_one_that_leads_nowhere_counts_as_404(visit: Visit, name: str) -> None:
    served = sorted(path for path in visit.origins[name].paths() if path in PAGES)
    assert served == CASES[name].pages


@pytest.mark.parametrize("name", CASES)
def test_nothing_is_asked_for_beyond_the_usable_targets(visit: Visit, name: str) -> None:
    assert tuple(asked.path for asked in visit.hops(name)) == CASES[name].hops


def test_a_target_that_its_own_held_rules_forbid_is_not_asked_for(visit: Visit) -> None:
    assert visit.forbidding.paths() == ["/robots.txt", "/page"]


def test_another_host_is_asked_for_the_targets_only_and_not_for_its_own_robots_txt_first(visit: Visit) -> None:
    # Three of the cases lead to its /rules, one to its /robots.txt; the one with ftp does not.
    assert sorted(visit.elsewhere.paths()) == ["/robots.txt", "/rules", "/rules", "/rules"]


def test_no_request_for_robots_txt_carries_what_belongs_to_pages(visit: Visit) -> None:
    requests = visit.robots_requests()
    assert len(requests) > len(CASES)
    for asked in requests:
        assert {"authorization", "cookie", "referer"} & set(asked.headers) == set(), asked


def test_the_pages_of_the_same_crawl_do_carry_it(visit: Visit) -> None:
    (page,) = (asked for asked in visit.forbidding.asked if asked.path == "/page")
    assert page.headers["authorization"] == "Basic c2VjcmV0"


def test_validators_are_sent_to_the_first_url_only(visit: Visit) -> None:
    first, hop = visit.origins["of a copy that is held"].asked[:2]
    assert first.headers["if-none-match"] == '"1"'
    assert first.headers["if-modified-since"] == "Sat, 21 Nov 2026 08:49:37 GMT"
    assert {"if-none-match", "if-modified-since"} & set(hop.headers) == set()


def test_pages_under_redirected_rules_are_counted_under_fresh_ones(visit: Visit) -> None:
    fresh = sum(len(case.pages) for case in CASES.values() if case.pages == OBEYED)
    assert visit.crawled.stats["polite/pages/fresh"] >= fresh
    assert visit.crawled.stats["polite/refused/robots/disallow"] == fresh
