"""What a client is answered: validators, caches, canaries, and what is served where the store fails."""

from __future__ import annotations

import gzip
import sqlite3
import zlib
from pathlib import Path

import pytest

from scrapy_polite import clock
from scrapy_polite.robots.inputs import InputError
from scrapy_polite.robots.serving import server as module
from scrapy_polite.robots.serving import store as stores
from scrapy_polite.robots.serving.apps import WsgiApp
from scrapy_polite.robots.serving.server import Answer, Request, RobotsServer, portion
from scrapy_polite.robots.serving.store import ConfirmationNeeded, RobotsStore, StoreError

OPEN = b'[[rule]]\nagents = ["*"]\ndisallow = ["/cart/"]\n'
OTHER = b'[[rule]]\nagents = ["*"]\ndisallow = ["/new/"]\n'
CLOSED = b'[[rule]]\nagents = ["*"]\ndisallow = ["/"]\n'
LONG = b'[[rule]]\nagents = ["*"]\ndisallow = [' + b", ".join(b'"/part-%d/"' % n for n in range(100)) + b"]\n"
NOW = 1_800_000_000.0


class Site:
    """A store with a.example, and a server of it whose time the test sets."""

    def __init__(self, path: Path, **options: object) -> None:
        self.store = RobotsStore(path)
        self.store.publish("a.example", OPEN, now=NOW, reason="first")
        self.server = RobotsServer(RobotsStore(path), **options)  # type: ignore[arg-type]
        self.path = path

    def get(self, host: str = "a.example", **fields: str) -> Answer:
        return self.server.answer(request(host, **fields))


def request(host: str = "a.example", **fields: str) -> Request:
    default = Request("GET", "/robots.txt", host, "192.0.2.1", "", "")
    return default._replace(**fields)


class Time:
    now = NOW


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    told = Time()
    for name in ("now", "system"):
        monkeypatch.setattr(clock, name, lambda: told.now)
    return told


@pytest.fixture
def site(tmp_path: Path, time: Time) -> Site:
    return Site(tmp_path / "robots.sqlite")


def test_a_robots_txt_has_a_validator_and_may_be_kept_for_a_day_and_varies_by_nothing(site: Site) -> None:
    status, headers, body = site.get("A.Example.:8443")
    told = dict(headers)
    assert (status, body) == (200, b"User-agent: *\nDisallow: /cart/\n")
    assert told.pop("ETag").startswith('"')
    assert told == {
        "Cache-Control": "max-age=86400",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Length": "31",
    }
    head = site.get(method="HEAD")
    assert (head.status, head.headers, head.body) == (200, headers, b"")


@pytest.mark.parametrize(
    ("asked", "status"),
    [("{0}", 304), ("W/{0}", 304), ('"x", {0}', 304), ("*", 304), ('"x"', 200), ("x", 200)],
)
def test_who_has_the_version_is_told_that_it_has_not_changed(site: Site, asked: str, status: int) -> None:
    etag = dict(site.get().headers)["ETag"]
    answer = site.get(if_none_match=asked.format(etag))
    assert answer.status == status
    assert dict(answer.headers)["ETag"] == etag
    if status == 304:
        assert answer.body == b""
        assert "Content-Length" not in dict(answer.headers)


def test_a_long_file_is_packed_for_who_takes_that_and_only_it_varies(site: Site) -> None:
    site.store.publish("long.example", LONG, now=NOW, reason="first")
    plain, packed = site.get("long.example"), site.get("long.example", accept_encoding="br, gzip;q=0.5")
    assert gzip.decompress(packed.body) == plain.body
    assert dict(plain.headers)["Vary"] == dict(packed.headers)["Vary"] == "Accept-Encoding"
    assert dict(packed.headers)["Content-Encoding"] == "gzip"
    assert dict(plain.headers)["ETag"] != dict(packed.headers)["ETag"]
    assert site.get("long.example", accept_encoding="gzip;q=0").body == plain.body
    assert "Vary" not in dict(site.get(accept_encoding="gzip").headers)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"path": "/x"}, 404),
        ({"method": "POST"}, 405),
        ({"host": ""}, 400),
        ({"host": "a b"}, 400),
        ({"host": "a.example/../b"}, 400),
        ({"host": "a" * 300}, 400),
        ({"host": "none.example"}, 404),
    ],
)
def test_what_is_no_request_for_a_robots_txt_is_refused(site: Site, fields: dict[str, str], status: int) -> None:
    assert site.server.answer(request(**fields)).status == status


def test_a_host_with_no_rules_of_its_own_has_those_for_all(site: Site) -> None:
    site.store.publish("*", OTHER, now=NOW, reason="first")
    assert b"/new/" in site.get("none.example").body
    assert b"/cart/" in site.get().body


def test_a_change_is_noticed_and_what_has_not_changed_stays_in_memory(site: Site, time: Time) -> None:
    site.store.publish("b.example", OPEN, now=NOW, reason="first")
    site.get()
    site.get("b.example")
    time.now += module.NOTICE_S
    site.store.publish("a.example", OTHER, now=NOW, reason="new")
    assert b"/new/" in site.get().body
    facts = site.server.figures.facts()
    assert site.server.known(request("b.example")) is not None
    assert site.server.figures.facts()["hit_ratio"] > facts["hit_ratio"]


def test_a_rule_begins_and_ends_to_be_served_by_itself(site: Site, time: Time) -> None:
    sale = b'[[rule]]\nagents = ["*"]\ndisallow = ["/sale/"]\nfrom = 2027-02-01\nuntil = 2027-02-01\n'
    site.store.publish("a.example", OPEN + sale, now=NOW, reason="sale")
    served = []
    for time.now in (1_801_439_999.0, 1_801_440_000.0, 1_801_526_399.0, 1_801_526_400.0):
        served.append(b"/sale/" in site.get().body)
    assert served == [False, True, True, False]


def test_what_closes_much_has_to_be_confirmed_also_where_it_does_so_later(site: Site) -> None:
    with pytest.raises(ConfirmationNeeded, match=r"for \* it closes / \(line 2: Disallow: /\): confirm it"):
        site.store.publish("a.example", CLOSED, now=NOW, reason="no")
    with pytest.raises(ConfirmationNeeded):
        site.store.publish("a.example", OPEN + CLOSED + b"from = 2027-02-01\n", now=NOW, reason="no")
    assert site.store.publish("a.example", CLOSED, now=NOW, reason="yes", confirm=True) == 2
    assert [version.confirmed[:15] for version in site.store.history("a.example")] == ["", "for * it closes"]


def test_what_a_new_version_closes_is_measured_by_what_is_served_by_then(site: Site) -> None:
    closed_till_may = OPEN + CLOSED + b"until = 2027-05-01\n"
    site.store.publish("a.example", closed_till_may, now=NOW, reason="not open yet", confirm=True)
    assert site.store.publish("a.example", CLOSED, now=NOW, reason="as before", share=0.2) == 3
    with pytest.raises(ConfirmationNeeded):
        site.store.publish("a.example", CLOSED, now=1_810_000_000.0, reason="open by then")


def test_a_way_back_that_closes_much_has_to_be_confirmed(site: Site) -> None:
    site.store.publish("a.example", CLOSED, now=NOW, reason="closed", confirm=True)
    site.store.back("a.example", 1, now=NOW)
    with pytest.raises(ConfirmationNeeded):
        site.store.back("a.example", 2, now=NOW)
    assert site.store.standing("a.example")[0] == 1
    site.store.back("a.example", 2, now=NOW, confirm=True)
    assert site.store.standing("a.example")[0] == 2


def test_a_canary_beside_rules_that_say_nothing_yet_is_for_its_share(site: Site) -> None:
    site.store.publish("new.example", OPEN + b"from = 2028-01-01\n", now=NOW, reason="first")
    assert site.get("new.example").body == b""
    site.store.publish("new.example", OTHER, now=NOW, reason="new", share=0.01)
    assert site.store.standing("new.example") == (1, 2, 0.01)


def test_a_canary_is_for_a_share_of_clients_and_always_for_the_same(site: Site, time: Time) -> None:
    clients = [f"198.51.{number}.{number % 9}" for number in range(250)]
    site.store.publish("a.example", OTHER, now=NOW, reason="new", share=0.2)
    first = [b"/new/" in site.get(client=client).body for client in clients]
    assert 25 < sum(first) < 75
    assert [b"/new/" in site.get(client=client).body for client in clients] == first
    assert dict(site.get().headers)["Cache-Control"] == "private, max-age=86400"
    assert portion("h", "198.51.100.1") == portion("h", "198.51.100.200") != portion("h", "198.51.101.1")

    site.store.publish("a.example", OTHER, now=NOW, reason="more", share=0.5)
    time.now += module.NOTICE_S
    second = [b"/new/" in site.get(client=client).body for client in clients]
    assert sum(second) > sum(first)
    assert all(new for new, before in zip(second, first, strict=True) if before)

    assert site.store.promote("a.example") == 3
    time.now += module.NOTICE_S
    assert all(b"/new/" in site.get(client=client).body for client in clients)
    assert dict(site.get().headers)["Cache-Control"] == "max-age=86400"
    site.store.back("a.example", 1, now=NOW)
    time.now += module.NOTICE_S
    assert b"/cart/" in site.get().body


def test_where_a_proxy_names_the_client_a_canary_varies_by_that_header(tmp_path: Path, time: Time) -> None:
    site = Site(tmp_path / "robots.sqlite", client_header="X-Forwarded-For")
    assert "Vary" not in dict(site.get().headers)
    site.store.publish("a.example", OTHER, now=NOW, reason="new", share=0.2)
    time.now += module.NOTICE_S
    assert dict(site.get().headers)["Vary"] == "X-Forwarded-For"


def damage(path: Path, number: int) -> None:
    with sqlite3.connect(path) as db:
        db.execute("update versions set body = x'00' where number = ?", (number,))
        db.execute("insert into changes (host) values ('a.example')")


def test_a_version_that_cannot_be_read_gives_way_to_the_last_valid_one(
    site: Site, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    site.store.publish("a.example", LONG, now=NOW, reason="a canary, which was given up", share=0.1)
    site.store.publish("a.example", OTHER, now=NOW, reason="new")
    damage(site.path, 3)
    assert (site.get().status, b"/cart/" in site.get().body) == (200, True)
    assert "the newest version cannot be read, the last valid one is served" in caplog.text
    assert site.server.figures.facts()["failure_ratio"] == 1.0


def test_rules_that_are_none_to_this_version_of_the_package_give_way_too(site: Site, time: Time) -> None:
    site.store.publish("a.example", OTHER, now=NOW, reason="new")
    with sqlite3.connect(site.path) as db:
        rules = zlib.compress(b"[[rule]]\nagents = 1\n")
        db.execute("update versions set rules = ?, ends = 0 where number = 2", (rules,))
    assert (site.get().status, b"/cart/" in site.get().body) == (200, True)


def test_where_the_store_fails_what_was_served_last_is_served_on(
    site: Site, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("the disk is gone")

    before, served = site.get(), RobotsStore.served
    monkeypatch.setattr(RobotsStore, "served", fail)
    site.store.publish("a.example", OTHER, now=NOW, reason="new")
    time.now += module.NOTICE_S
    assert site.get() == before
    unknown = site.get("b.example")
    assert (unknown.status, dict(unknown.headers)["Retry-After"]) == (503, "60")
    monkeypatch.setattr(RobotsStore, "served", served)
    time.now += 60
    assert b"/new/" in site.get().body


def test_a_path_that_is_wrong_is_told_and_does_not_open_all_hosts(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no store .*none.sqlite: publish rules first, or give its path"):
        WsgiApp(tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()


def test_who_has_missed_too_many_changes_reads_all_hosts_anew(
    site: Site, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "_MAX_CHANGES", 2)
    site.get()
    site.store.publish("a.example", OTHER, now=NOW, reason="new")
    for number in range(3):
        site.store.publish(f"{number}.example", OPEN, now=NOW, reason="first")
    time.now += module.NOTICE_S
    assert b"/new/" in site.get().body


def test_a_connection_is_not_used_in_a_process_that_was_forked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    before = site.store._db
    monkeypatch.setattr(stores.os, "getpid", lambda: -1)
    assert site.store.standing("a.example") == (1, None, 0.0)
    assert site.store._db is not before


def test_memory_is_bounded_and_what_was_asked_for_last_stays(tmp_path: Path, time: Time) -> None:
    site = Site(tmp_path / "robots.sqlite", memory_bytes=4_000)
    for number in range(10):
        site.store.publish(f"{number}.example", OPEN, now=NOW, reason="first")
        site.get(f"{number}.example")
    assert site.server.known(request("9.example")) is not None
    assert site.server.known(request("0.example")) is None


def test_warmed_hosts_are_known_before_they_are_asked_for(site: Site) -> None:
    assert site.server.warm_newest(5) == 1
    site.get("none.example")
    assert site.server.known(request()) is not None


def test_of_warmed_hosts_the_first_stay_where_there_is_no_room_for_all(tmp_path: Path, time: Time) -> None:
    site = Site(tmp_path / "robots.sqlite", memory_bytes=4_000)
    site.store.publish_many(((f"{number}.example", OPEN) for number in range(20)), now=NOW, reason="first")
    assert 3 < site.server.warm(f"{number}.example" for number in range(20)) < 12
    site.get("19.example")
    site.get("18.example")
    assert site.server.known(request("0.example")) is not None


def test_no_rules_that_cannot_be_built_at_any_time_are_stored(site: Site) -> None:
    many = b'[[rule]]\nagents = ["*"]\nfrom = 2027-02-01\ndisallow = [' + b", ".join(
        b'"/%s%d"' % (b"x" * 1_900, number) for number in range(300)
    )
    with pytest.raises(InputError, match=r"makes a robots.txt of \d+,\d+ bytes"):
        site.store.publish("a.example", many + b"]\n", now=NOW, reason="too long")
    assert len(site.store.history("a.example")) == 1


def test_figures_are_exported_to_prometheus(site: Site) -> None:
    prometheus = pytest.importorskip("prometheus_client")
    for host in ("a.example", "a.example", "none.example"):
        site.get(host)
    registry = prometheus.CollectorRegistry()
    registry.register(site.server.figures)
    text = prometheus.generate_latest(registry).decode()
    assert 'scrapy_polite_serve_lookups_total{source="memory"} 1.0' in text
    assert 'scrapy_polite_serve_responses_total{status="404"} 1.0' in text
    assert "scrapy_polite_serve_request_duration_seconds_count 3.0" in text
    facts = site.server.figures.facts()
    assert (facts["requests"], facts["failure_ratio"]) == (3, 0.0)
    assert facts["p99_s"] > 0
