from __future__ import annotations

from scrapy_polite.alert import KINDS, MAX_A_KIND, OncePerHour

HOUR_S = 3_600.0


def test_one_a_kind_host_and_hour() -> None:
    hourly = OncePerHour()
    assert hourly.passes("no-page", "", 0.0)
    assert not hourly.passes("no-page", "", HOUR_S - 1)
    assert hourly.passes("not-found", "", 1.0), "another kind"
    assert hourly.passes("no-page", "shop.example", 2.0), "another host"
    assert hourly.passes("no-page", "", HOUR_S)
    assert not hourly.passes("no-page", "", HOUR_S + 1)


def test_a_crawl_of_many_hosts_that_fail_sends_few() -> None:
    hourly = OncePerHour()
    times = [at for at in range(2 * int(HOUR_S)) if hourly.passes("host-abandoned", f"{at}.example", float(at))]
    assert times == [*range(MAX_A_KIND), *range(int(HOUR_S), int(HOUR_S) + MAX_A_KIND)]
    assert hourly.passes("no-page", "", 2 * HOUR_S), "other kinds are told all the same"


def test_every_kind_says_what_it_means_and_what_to_do() -> None:
    for name, kind in KINDS.items():
        assert kind.meaning.endswith("."), name
        assert kind.todo.endswith("."), name
        assert kind.rules, name
