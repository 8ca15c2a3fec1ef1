"""The metrics of whole crawls, held against the servers' own logs."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import pytest

import arguments
from crawls import crawl
from metric_parts import value
from scrapy_polite.metrics.export import Exporter
from webserver import PAGE, Answer, Origin, robots

ASKS = robots("User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n")


@pytest.mark.engine
def test_what_is_exported_is_what_the_servers_were_asked(loop_mode: str, tmp_path: Path) -> None:
    table = {"/robots.txt": ASKS, "/gone": Answer(404), "/moved": Answer(301, headers={"Location": "/new"})}
    with Origin(table) as site, Origin({"/robots.txt": Answer(503)}, "127.0.0.2") as down:
        paths = ("a", "b", "gone", "moved", "private/x")
        urls = [*(f"{site.url}/{path}" for path in paths), f"{down.url}/", f"{site.url}:1/none"]
        began = time.time()
        crawl(loop_mode, urls[:-1], {"POLITE_GIVE_UP": 1}, spider="list", folder=tmp_path)
        pages, fetches = len(site.pages()), (site.robots_fetches(), down.robots_fetches())
    exporter = Exporter(tmp_path / ".scrapy" / "polite" / "runs", hosts=5)
    of = partial(value, exporter, spider="list")
    assert of("pages_total", rules="fresh") == of("response_duration_seconds_count") == pages == 5
    assert [of("responses_total", status=status) for status in ("2xx", "3xx", "4xx", "5xx")] == [3, 1, 1, 0]
    assert of("not_found_responses_total") == 1
    assert of("response_bytes_total") == 3 * len(PAGE)
    assert of("refused_total", reason="robots/disallow") == of("refused_total", reason="robots/unreachable") == 1
    outcomes = ("success", "unreachable")
    assert tuple(of("robots_fetch_duration_seconds_count", outcome=outcome) for outcome in outcomes) == fetches
    assert of("robots_lookups_total", source="network") >= 2
    assert of("robots_lookups_total", source="memory") >= pages
    assert of("abandoned_hosts_total") == 1
    assert of("alerts_total", kind="host-abandoned") == 1
    # As many as had to wait for the delay, and each of them less than a second.
    assert of("gate_wait_seconds_bucket", le="1.0") == of("gate_wait_seconds_count") >= pages - 1
    assert (of("start_requests", outcome="sent"), of("start_requests", outcome="refused")) == (4, 2)
    assert (of("workers"), of("queued_requests"), of("coverage_ratio")) == (0, 0, 1)
    assert of("run_finish_reason", reason="finished") == of("run_state", state="ended") == 1
    assert of("host_pages", origin=site.url) == pages
    assert of("host_refused", origin=down.url) == 1
    assert began <= of("last_page_timestamp_seconds") <= of("run_end_timestamp_seconds") <= time.time()


@pytest.mark.engine
def test_a_crawl_that_is_under_way_is_seen_as_it_stands(loop_mode: str, tmp_path: Path) -> None:
    """Read from outside, by another process, while one page hangs and others are queued."""
    seen: dict[str, float | None] = {}

    def is_seen() -> bool:
        exporter = Exporter(tmp_path / ".scrapy" / "polite" / "runs")
        of = partial(value, exporter, spider="list")
        if of("in_flight_requests"):
            seen.update({name: of(name) for name in ("workers", "queued_requests", "in_flight_requests")})
            seen["in turn"] = of("hosts", state="in_turn")
            seen["fetched"] = of("pages_total", rules="fresh")
        return bool(seen)

    table = {"/robots.txt": robots("User-agent: *\nCrawl-delay: 0.2"), "/hangs": Answer(delay_s=60)}
    with Origin(table) as site:
        settings = {arguments.RUN_WRITE: 0.1, "CONCURRENT_REQUESTS_PER_DOMAIN": 1, "POLITE_MAX_IDLE": 60}
        urls = [f"{site.url}/{path}" for path in ("hangs", "a", "b", "c")]
        crawl(loop_mode, urls, settings | {"DOWNLOAD_TIMEOUT": 3}, interrupt_when=is_seen, folder=tmp_path)
    assert seen == {"workers": 1, "queued_requests": 3, "in_flight_requests": 1, "in turn": 1, "fetched": 1}
