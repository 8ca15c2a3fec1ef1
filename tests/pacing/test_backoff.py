"""Retry-After, exponential back-off, probes, forgiveness."""

from __future__ import annotations

from math import inf, nan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.pacing.backoff import Backoff, BackoffPolicy

NOW = 1_800_000_000.0
POLICY = BackoffPolicy()


class Host:
    """A back-off with a clock; every failure is on a new URL unless one is named."""

    def __init__(self, backoff: Backoff | None = None, policy: BackoffPolicy = POLICY, seed: int = 1) -> None:
        self.backoff = backoff or Backoff()
        self.policy = policy
        self.now = NOW
        self.rng = Random(seed)
        self.urls = 0

    def fails(
        self,
        retry_after_s: float | None = None,
        url: str = "",
        sent_at: float | None = None,
        connection: bool = False,
        why: str = "HTTP 503",
    ) -> bool:
        self.urls += 1
        return self.backoff.failed(
            self.now,
            url=url or f"http://example.com/{self.urls}",
            sent_at=self.now if sent_at is None else sent_at,
            why=why,
            policy=self.policy,
            rng=self.rng,
            retry_after_s=retry_after_s,
            connection=connection,
        )

    def succeeds(self, sent_at: float | None = None) -> None:
        self.backoff.succeeded(self.now, self.policy, self.now if sent_at is None else sent_at)

    @property
    def shut_for_s(self) -> float:
        return max(self.backoff.until - self.now, 0.0)

    def wait_for_probe(self) -> None:
        self.now = self.backoff.until


def closed_host() -> Host:
    host = Host()
    assert [host.fails() for _ in range(3)] == [False, False, True]
    return host


@pytest.mark.parametrize(
    ("retry_after_s", "shut_s"),
    [
        pytest.param(1.0, 1.0, id="one second"),
        pytest.param(12.0, 12.0, id="some seconds"),
        pytest.param(1e6, 86_400.0, id="capped"),
        pytest.param(inf, 86_400.0, id="endless is capped"),
    ],
)
@pytest.mark.parametrize("seed", range(5))
def test_retry_after_closes_at_once_for_as_long_as_it_says(retry_after_s: float, shut_s: float, seed: int) -> None:
    host = Host(seed=seed)
    assert host.fails(retry_after_s)
    assert shut_s <= host.shut_for_s <= shut_s + 1
    assert host.backoff.level == 0
    assert host.backoff.reason == "pace/retry-after"
    assert host.backoff.evidence == f"HTTP 503, Retry-After {shut_s:g} s"


@pytest.mark.parametrize("retry_after_s", [None, 0.0, 0.9, -5.0, nan])
def test_without_a_useful_retry_after_three_in_a_row_close(retry_after_s: float | None) -> None:
    host = Host()
    assert [host.fails(retry_after_s) for _ in range(3)] == [False, False, True]
    assert 60 <= host.shut_for_s <= 75
    assert (host.backoff.level, host.backoff.reason, host.backoff.why) == (1, "pace/backoff", "HTTP 503")


def test_one_url_that_fails_again_and_again_is_one_failure() -> None:
    host = Host()
    assert not any(host.fails(url="http://example.com/broken") for _ in range(10))


def test_a_success_between_failures_breaks_the_row() -> None:
    host = Host()
    for _ in range(5):
        assert not host.fails()
        assert not host.fails()
        host.succeeds()
    assert host.backoff.clear


def test_failures_far_apart_are_no_row() -> None:
    host = Host()
    for _ in range(5):
        assert not host.fails()
        host.now += POLICY.reset_after_s


def test_late_answers_do_not_count_but_their_retry_after_does() -> None:
    host = closed_host()
    until, sent_at = host.backoff.until, host.now - 1
    host.now += 5
    assert not any(host.fails(sent_at=sent_at) for _ in range(5))
    assert not host.fails(10, sent_at=sent_at), "ends sooner than the embargo"
    assert (host.backoff.until, host.backoff.level) == (until, 1)
    assert host.fails(600, sent_at=sent_at)
    assert host.shut_for_s >= 600
    assert host.backoff.level == 1


def test_answers_to_what_was_sent_before_the_embargo_are_no_probe() -> None:
    host = closed_host()
    sent_at = host.now - 1
    host.succeeds(sent_at)
    assert host.shut_for_s > 0
    host.backoff.succeeded(host.now, host.policy)
    assert host.shut_for_s > 0, "nothing sent before its end lifts an embargo"
    host.wait_for_probe()
    assert not host.fails(sent_at=sent_at)
    host.succeeds(sent_at)
    assert host.backoff.probing


def test_a_probe_that_comes_back_well_opens() -> None:
    host = closed_host()
    host.wait_for_probe()
    assert host.backoff.probing
    host.succeeds()
    assert (host.backoff.probing, host.backoff.until, host.backoff.why) == (False, 0.0, "")
    assert not host.fails(), "it takes three again"


@pytest.mark.parametrize("connection", [False, True])
def test_each_failed_probe_doubles_the_time_up_to_a_day(connection: bool) -> None:
    host = closed_host()
    for level in range(1, 20):
        least = min(60 * 2**level, 86_400)
        host.wait_for_probe()
        assert host.fails(connection=connection)
        assert least <= host.shut_for_s <= min(least * 1.25, 86_400)


def test_a_probe_that_fails_with_a_retry_after_is_shut_for_the_longer_of_both() -> None:
    host = Host()
    host.fails(12)
    host.wait_for_probe()
    assert host.fails(12)
    assert 60 <= host.shut_for_s <= 75
    assert (host.backoff.level, host.backoff.reason) == (1, "pace/backoff")
    assert host.backoff.why == "HTTP 503 again; its Retry-After of 12 s is shorter than back-off level 1"
    host.wait_for_probe()
    assert host.fails(3_600)
    assert 3_600 <= host.shut_for_s <= 3_601
    assert host.backoff.reason == "pace/retry-after"


def test_the_level_is_kept_until_half_an_hour_without_trouble() -> None:
    host = closed_host()
    host.wait_for_probe()
    opened_at = host.now
    host.succeeds()
    host.now = opened_at + POLICY.reset_after_s - 1
    host.succeeds()
    assert host.backoff.level == 1
    host.now = opened_at + POLICY.reset_after_s
    host.succeeds()
    assert host.backoff.level == 0
    assert host.backoff.clear


def test_connections_fail_since_the_first_until_the_server_is_reached() -> None:
    host = Host()
    since = host.now
    for _ in range(5):  # through embargoes
        host.fails(connection=True)
        host.now += 100
    assert host.backoff.failing_since == since
    host.fails()
    assert host.backoff.failing_since is None
    host.fails(connection=True)
    host.succeeds()
    assert host.backoff.failing_since is None


@pytest.mark.parametrize(
    ("until", "probing"), [pytest.param(NOW + 60, True, id="closed"), pytest.param(0.0, False, id="open again")]
)
def test_what_an_earlier_run_knew_is_taken_up(until: float, probing: bool) -> None:
    host = Host(Backoff(until=until, level=3, why="HTTP 429", noted_at=NOW - 60, retry_after_s=60))
    assert host.shut_for_s == max(until - NOW, 0)
    assert (host.backoff.probing, host.backoff.reason) == (probing, "pace/retry-after")
    host.now += 60
    closed = [host.fails() for _ in range(3)]
    assert closed[0] is probing
    assert closed[2] is not probing
    assert 480 <= host.shut_for_s <= 600, "the fourth level"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["fails", "succeeds"]),
            st.floats(0, 1e5),
            st.floats(0, 300),
            st.one_of(st.none(), st.floats()),
            st.booleans(),
        ),
        max_size=30,
    ),
    st.integers(1, 5),
)
def test_no_embargo_is_longer_than_a_day_and_no_event_shortens_one(
    events: list[tuple[str, float, float, float | None, bool]], failures: int
) -> None:
    host = Host(policy=BackoffPolicy(failures=failures))
    for kind, passes_s, age_s, retry_after_s, connection in events:
        host.now = host.now + passes_s
        shut_s = host.shut_for_s
        if kind == "fails":
            assert host.fails(retry_after_s, sent_at=host.now - age_s, connection=connection) == (
                host.shut_for_s > shut_s
            )
        else:
            host.succeeds(host.now - age_s)
        assert shut_s <= host.shut_for_s <= POLICY.max_s + 2
        assert len(host.backoff._failed) < failures
