"""Fetching one robots.txt, with a network, a clock and a resolver that are tables."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from scrapy_polite.origin import Origin
from scrapy_polite.robots.access import Outcome
from scrapy_polite.robots.fetcher import DownloadDeferred, DownloadFailed, Fetcher, Reply, Result

ORIGIN = Origin.from_url("https://example.com")
URL = "https://example.com/robots.txt"
NOW = 1_800_000_000.0
BODY = b"User-agent: *\nDisallow: /\n"

Said = Reply | DownloadFailed | DownloadDeferred


def reply(status: int = 200, body: bytes = b"", elapsed_s: float = 0.1, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, named, body, truncated=False, elapsed_s=elapsed_s)


def to(location: str, status: int = 302, **more: Any) -> Reply:
    return reply(status, location=location, **more)


@dataclass
class World:
    """What URLs answer (one after another, the last stays), what names resolve to; what was asked for and slept."""

    answers: Mapping[str, Said | Sequence[Said]]
    addresses: Mapping[str, list[str]] = field(default_factory=dict)
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    timeouts: list[float] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)

    async def download(self, url: str, headers: Mapping[str, str], *, timeout_s: float, max_bytes: int) -> Reply:
        before = sum(asked == url for asked, _ in self.asked)
        self.asked.append((url, dict(headers)))
        self.timeouts.append(timeout_s)
        answers = self.answers[url]
        answer = answers[min(before, len(answers) - 1)] if isinstance(answers, Sequence) else answers
        if isinstance(answer, (DownloadFailed, DownloadDeferred)):
            raise answer
        return answer

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    async def resolve(self, host: str) -> list[str]:
        return self.addresses.get(host, [])

    @property
    def urls(self) -> list[str]:
        return [url for url, _ in self.asked]


def fetch(
    world: World,
    validators: Mapping[str, str] | None = None,
    forbidden: Sequence[str] = (),
    origin: Origin = ORIGIN,
    **options: Any,
) -> Result:
    fetcher = Fetcher(sleep=world.sleep, clock=lambda: NOW, resolve=world.resolve, **options)
    return asyncio.run(fetcher.fetch(origin, world.download, validators or {}, lambda url: url in forbidden))


BROKEN = DownloadFailed("connection refused")


@pytest.mark.parametrize(
    ("answers", "outcome", "status", "requests"),
    [
        pytest.param([reply(body=BODY)], Outcome.RULES, 200, 1, id="rules at once"),
        pytest.param([reply(404)], Outcome.MISSING, 404, 1, id="missing at once"),
        pytest.param([reply(503), reply(body=BODY)], Outcome.RULES, 200, 2, id="503, then rules"),
        pytest.param([BROKEN, reply(503), reply(404)], Outcome.MISSING, 404, 3, id="two failures, then missing"),
        pytest.param([reply(429)], Outcome.UNREACHABLE, 429, 3, id="429 for ever"),
        pytest.param([BROKEN], Outcome.UNREACHABLE, None, 3, id="no connection"),
        pytest.param([reply(304)], Outcome.UNREACHABLE, 304, 3, id="304 unasked"),
        pytest.param([reply(503), BROKEN], Outcome.UNREACHABLE, None, 3, id="the last failure counts"),
    ],
)
def test_attempts_go_on_until_one_is_good(
    answers: list[Said], outcome: Outcome, status: int | None, requests: int
) -> None:
    world = World({URL: answers})
    result = fetch(world)
    assert (result.outcome, result.status, len(world.asked)) == (outcome, status, requests)


HELD_BACK = DownloadDeferred("closed for a day")


def test_who_could_not_be_asked_at_all_is_not_called_unreachable() -> None:
    world = World({URL: HELD_BACK})
    with pytest.raises(DownloadDeferred, match="closed for a day"):
        fetch(world)
    assert len(world.asked) == 1


def test_who_could_not_be_asked_again_is_what_the_attempt_before_found() -> None:
    result = fetch(World({URL: [reply(503), HELD_BACK]}))
    assert (result.outcome, result.status, result.why) == (Outcome.UNREACHABLE, 503, "HTTP 503")


def test_a_redirect_to_who_cannot_be_asked_leads_to_nothing() -> None:
    elsewhere = "https://www.example.com/robots.txt"
    world = World({URL: to(elsewhere), elsewhere: HELD_BACK})
    result = fetch(world, attempts=1)
    assert (result.outcome, result.hops) == (Outcome.UNREACHABLE, (elsewhere,))
    assert "closed for a day" in result.why


def test_pauses_double_with_jitter_that_only_adds() -> None:
    world = World({URL: BROKEN})
    fetch(world, attempts=5, retry_delay_s=2.0)
    assert len(world.slept) == 4
    for slept, least in zip(world.slept, (2.0, 4.0, 8.0, 16.0), strict=True):
        assert least <= slept <= 1.25 * least


@pytest.mark.parametrize(
    ("retry_after", "pause_s", "requests"),
    [
        pytest.param("20", 20.0, 2, id="seconds"),
        pytest.param("Fri, 15 Jan 2027 08:00:25 GMT", 25.0, 2, id="a date"),
        pytest.param("1", 2.0, 2, id="shorter than the pause"),
        pytest.param("0", 2.0, 2, id="none"),
        pytest.param("Fri, 15 Jan 2027 07:00:00 GMT", 2.0, 2, id="a date gone by"),
        pytest.param("soon", 2.0, 2, id="neither"),
        pytest.param("31", None, 1, id="longer than one fetch may take"),
    ],
)
def test_retry_after_makes_a_pause_longer_or_ends_the_attempts(
    retry_after: str, pause_s: float | None, requests: int
) -> None:
    world = World({URL: [reply(503, retry_after=retry_after), reply(body=BODY)]})
    fetch(world)
    assert len(world.asked) == requests
    if pause_s is None:
        assert world.slept == []
    else:
        assert pause_s <= world.slept[0] <= max(pause_s, 2.5)


@pytest.mark.parametrize(
    ("status", "retry_after", "told_s"),
    [(429, "3600", 3_600.0), (503, "900000", 86_400.0), (503, "", None), (404, "3600", None), (200, "3600", None)],
)
def test_a_retry_after_is_handed_on_if_unreachable_and_cut_to_its_maximum(
    status: int, retry_after: str, told_s: float | None
) -> None:
    result = fetch(World({URL: reply(status, retry_after=retry_after)}))
    assert result.retry_after_s == told_s
    assert result.why == f"HTTP {status}" + (", its Retry-After of 10 days cut to 24 h" if told_s == 86_400.0 else "")


def chain(hops: int) -> Mapping[str, Said]:
    urls = [URL, *(f"https://example.com/{number}" for number in range(1, hops + 1))]
    return {url: to(after) for url, after in pairwise(urls)} | {urls[-1]: reply(body=BODY)}


@pytest.mark.parametrize(
    ("hops", "limit", "outcome", "followed"),
    [
        (0, 5, Outcome.RULES, 0),
        (5, 5, Outcome.RULES, 5),
        (6, 5, Outcome.MISSING, 5),
        (1, 0, Outcome.MISSING, 0),
        (20, 20, Outcome.RULES, 20),
    ],
)
def test_so_many_redirects_are_followed(hops: int, limit: int, outcome: Outcome, followed: int) -> None:
    world = World(chain(hops))
    result = fetch(world, max_redirects=limit)
    assert result.outcome is outcome
    assert list(result.hops) == world.urls[1:] == [f"https://example.com/{number}" for number in range(1, followed + 1)]


@pytest.mark.parametrize(
    ("location", "target"),
    [
        pytest.param("/rules", "https://example.com/rules", id="absolute path"),
        pytest.param("rules", "https://example.com/rules", id="relative path"),
        pytest.param("?a=1", "https://example.com/robots.txt?a=1", id="query"),
        pytest.param("//example.org/rules", "https://example.org/rules", id="without scheme"),
        pytest.param("http://example.com/robots.txt", "http://example.com/robots.txt", id="to the less secure scheme"),
        pytest.param(" /rules ", "https://example.com/rules", id="blanks around"),
        pytest.param("/rules#top", "https://example.com/rules", id="fragment dropped"),
        pytest.param("https://user:pass@example.org/rules", "https://example.org/rules", id="credentials dropped"),
        pytest.param("https://a@b@example.org/rules", "https://example.org/rules", id="two @"),
    ],
)
def test_a_location_is_resolved_and_stripped(location: str, target: str) -> None:
    world = World({URL: to(location), target: reply(body=BODY)})
    result = fetch(world)
    assert result.outcome is Outcome.RULES
    assert world.urls == [URL, target]


@pytest.mark.parametrize(
    ("location", "why"),
    [
        pytest.param("", "without a usable target", id="none"),
        pytest.param("https://:443/", "without a usable target", id="no host"),
        pytest.param("https://", "a redirect loop", id="nothing but a scheme, which is no change"),
        pytest.param("https://[/", "without a usable target", id="broken host"),
        pytest.param("https://example.org:port/", "without a usable target", id="broken port"),
        pytest.param("https://example.org:99999/", "without a usable target", id="port out of range"),
        pytest.param("javascript:void(0)", "without a usable target", id="javascript"),
        pytest.param("file:///etc/passwd", "without a usable target", id="file"),
        pytest.param("https://example.org/" + "x" * 8_200, "without a usable target", id="longer than any URL"),
        pytest.param("ftp://example.org/robots.txt", "a redirect to ftp", id="ftp"),
        pytest.param("/robots.txt", "a redirect loop", id="itself"),
        pytest.param("#top", "a redirect loop", id="a fragment of itself"),
        pytest.param("https://closed.example/robots.txt", "its own robots.txt forbids", id="forbidden by held rules"),
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_that_leads_nowhere_counts_as_missing(location: str, why: str, status: int) -> None:
    world = World({URL: to(location, status)})
    result = fetch(world, forbidden=["https://closed.example/robots.txt"])
    assert result.outcome is Outcome.MISSING
    assert why in result.why
    assert world.urls == [URL]


PUBLIC, PRIVATE = "93.184.215.14", "10.0.0.7"
ADDRESSES = {
    "example.com": [PUBLIC],
    "example.org": [PUBLIC],
    "intern.example": [PRIVATE],
    "intern2.example": ["fd00::7"],
    "both.example": [PUBLIC, "127.0.0.1"],
    "2130706433": ["127.0.0.1"],
}


@pytest.mark.parametrize(
    ("origin", "target", "followed"),
    [
        ("https://example.com", "https://example.org/", True),
        ("https://example.com", "https://intern.example/", False),
        ("https://example.com", "https://intern2.example/", False),
        ("https://example.com", "https://both.example/", False),
        ("https://example.com", "http://2130706433/", False),
        ("https://example.com", "http://127.0.0.1/", False),
        ("https://example.com", "http://127.1.2.3:8080/", False),
        ("https://example.com", "http://169.254.169.254/latest/meta-data", False),
        ("https://example.com", "http://[::1]/", False),
        ("https://example.com", "http://[::ffff:10.0.0.1]/", False),
        ("https://example.com", "http://0.0.0.0/", False),
        ("https://example.com", "http://localhost:6379/", False),
        ("https://example.com", "http://a.localhost./", False),
        ("https://both.example", "http://127.0.0.1:8080/", False),
        ("https://unresolved.example", "http://192.168.0.1/", False),
        ("https://unresolved.example", "https://unresolved2.example/", True),
        ("https://intern.example", "https://intern2.example/", True),
        ("http://127.0.0.1:8000", "http://127.0.0.2:8000/", True),
        ("http://localhost:8000", "http://localhost:9000/", True),
        ("https://intern.example", "https://example.org/", True),
    ],
)
def test_no_redirect_leads_from_a_public_to_a_private_address(origin: str, target: str, followed: bool) -> None:
    asking = Origin.from_url(origin)
    world = World({asking.robots_url: to(target), target: reply(body=BODY)}, ADDRESSES)
    result = fetch(world, origin=asking)
    assert (target in world.urls) is followed
    assert result.outcome is (Outcome.RULES if followed else Outcome.MISSING)


def test_a_name_that_is_not_resolved_in_time_is_no_way_round_the_check() -> None:
    async def late(host: str) -> list[str]:
        raise TimeoutError

    world = World({URL: to("https://slow.example/")})
    world.resolve = late  # type: ignore[method-assign]
    result = fetch(world, attempts=1)
    assert (result.outcome, world.urls) == (Outcome.UNREACHABLE, [URL])


def test_a_private_address_is_reached_by_no_detour_over_a_public_one() -> None:
    world = World({URL: to("https://example.org/"), "https://example.org/": to("http://10.0.0.7/")}, ADDRESSES)
    assert fetch(world).outcome is Outcome.MISSING
    assert world.urls == [URL, "https://example.org/"]


VALIDATORS = {"If-None-Match": '"1"'}


def test_validators_go_to_the_first_url_only_and_to_it_in_every_attempt() -> None:
    world = World({URL: [to("/a"), to("/a")], "https://example.com/a": [BROKEN, reply(body=BODY)]})
    fetch(world, VALIDATORS)
    assert [(url, headers) for url, headers in world.asked] == [
        (URL, VALIDATORS),
        ("https://example.com/a", {}),
        (URL, VALIDATORS),
        ("https://example.com/a", {}),
    ]


@pytest.mark.parametrize(
    ("answers", "validators", "outcome", "not_modified"),
    [
        pytest.param({URL: reply(304)}, VALIDATORS, Outcome.RULES, True, id="asked for"),
        pytest.param({URL: reply(304)}, {}, Outcome.UNREACHABLE, False, id="not asked for"),
        pytest.param(
            {URL: to("/a"), "https://example.com/a": reply(304)},
            VALIDATORS,
            Outcome.UNREACHABLE,
            False,
            id="behind a redirect, where nothing was asked",
        ),
        pytest.param({URL: reply(body=BODY)}, VALIDATORS, Outcome.RULES, False, id="modified"),
    ],
)
def test_304_is_good_only_as_an_answer_to_validators(
    answers: dict[str, Said], validators: dict[str, str], outcome: Outcome, not_modified: bool
) -> None:
    result = fetch(World(answers), validators)
    assert (result.outcome, result.not_modified) == (outcome, not_modified)


def test_the_time_out_is_of_an_attempt_with_all_its_redirects() -> None:
    answers = {
        URL: to("/a", elapsed_s=12.0),
        "https://example.com/a": to("/b", elapsed_s=17.0),
        "https://example.com/b": to("/c", elapsed_s=1.5),
    }
    world = World(answers)
    result = fetch(world, attempts=1, timeout_s=30.0)
    assert world.timeouts == [30.0, 18.0, 1.0]
    assert (result.outcome, result.why) == (Outcome.UNREACHABLE, "timed out after 30 s")


@pytest.mark.parametrize(
    ("status", "body", "enabled", "outcome"),
    [
        (500, b"<h1>Not Found</h1>", True, Outcome.MISSING),
        (503, b"404 NOT-FOUND", True, Outcome.MISSING),
        (500, b"notfound", True, Outcome.UNREACHABLE),
        (500, b"Internal Server Error", True, Outcome.UNREACHABLE),
        (500, b"x" * 4_096 + b"not found", True, Outcome.UNREACHABLE),
        (429, b"not found", True, Outcome.UNREACHABLE),
        (500, b"<h1>Not Found</h1>", False, Outcome.UNREACHABLE),
    ],
)
def test_a_5xx_page_that_says_not_found_is_believed_only_where_set(
    status: int, body: bytes, enabled: bool, outcome: Outcome
) -> None:
    assert fetch(World({URL: reply(status, body)}), not_found_5xx=enabled).outcome is outcome


@pytest.mark.parametrize(("status", "kept"), [(200, BODY), (404, b""), (500, b"")])
def test_only_the_body_of_a_good_answer_is_handed_on(status: int, kept: bytes) -> None:
    assert fetch(World({URL: reply(status, BODY)})).body == kept
