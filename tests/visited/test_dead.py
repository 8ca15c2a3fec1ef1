from __future__ import annotations

import pytest

from scrapy_polite.store.memory.store import MemoryStore
from scrapy_polite.visited.dead import DeadUrls, judge

DAY_S = 86_400.0
URL = "https://example.com/gone?b=2&a=1"
SEEN_AT = 1_700_000_000.0  # 2023-11-14, 22:13:20 UTC


def asked(dead: DeadUrls, url: str, now: float, method: str = "GET") -> str:
    """What is said of the request; empty where it may leave."""
    answer = dead.ask(method, url)
    return str((answer and dead.judge(answer.result(), now)) or "")


@pytest.mark.parametrize("status", [404, 410])
def test_a_dead_url_is_refused_until_its_time_is_over(status: int) -> None:
    store = MemoryStore(clock=lambda: SEEN_AT)
    dead = DeadUrls(store, remember_days=30)
    assert asked(dead, URL, SEEN_AT) == ""
    dead.note("GET", URL, status)
    said = f"visited/dead: {status} on 2023-11-14, remembered until 2023-12-14"
    assert asked(dead, URL, SEEN_AT) == said
    assert asked(DeadUrls(store, remember_days=30), URL, SEEN_AT + 29.9 * DAY_S) == said
    assert asked(dead, URL, SEEN_AT + 30 * DAY_S) == ""


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("https://EXAMPLE.com:443/x/../gone?a=1&b=2#part", True),
        ("https://example.com/gone?b=2&a=2", False),
        ("https://example.com/gone?b=2&a=1&utm_source=x", False),
        ("https://example.com/gone?b=2&a=1&sid=a3f09b77c1d24e5f8a90b1c2d3e4f506", False),
    ],
    ids=["equivalent", "another", "tracked", "with-a-session"],
)
def test_only_equivalent_urls_are_as_dead(url: str, same: bool) -> None:
    dead = DeadUrls(MemoryStore(clock=lambda: SEEN_AT), remember_days=1)
    dead.note("GET", url, 404)
    assert bool(asked(dead, URL, SEEN_AT)) is same


@pytest.mark.parametrize(
    ("method", "status"),
    [("GET", 200), ("GET", 403), ("GET", 429), ("GET", 500), ("GET", 503), ("POST", 404), ("POST", 410)],
)
def test_nothing_else_is_dead(method: str, status: int) -> None:
    dead = DeadUrls(MemoryStore(clock=lambda: SEEN_AT), remember_days=1)
    assert dead.note(method, URL, status) is None
    assert asked(dead, URL, SEEN_AT) == ""


def test_a_post_is_not_refused_for_a_dead_page() -> None:
    dead = DeadUrls(MemoryStore(clock=lambda: SEEN_AT), remember_days=1)
    dead.note("HEAD", URL, 404)
    assert asked(dead, URL, SEEN_AT)
    assert asked(dead, URL, SEEN_AT, method="POST") == ""


def test_without_days_nothing_is_asked_or_kept() -> None:
    dead = DeadUrls(MemoryStore(clock=lambda: SEEN_AT), remember_days=0)
    assert dead.note("GET", URL, 404) is None
    assert dead.ask("GET", URL) is None


def test_a_url_that_answers_again_is_dead_no_more() -> None:
    dead = DeadUrls(MemoryStore(clock=lambda: SEEN_AT), remember_days=1)
    dead.note("GET", URL, 404)
    assert dead.revived(URL).result() == 1
    assert asked(dead, URL, SEEN_AT) == ""


def test_nothing_known_is_no_refusal() -> None:
    assert judge(None, SEEN_AT, DAY_S) is None
