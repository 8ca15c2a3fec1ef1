from __future__ import annotations

import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from crawlers import crawler
from project_parts import rendered
from scrapy_polite.blacklist.sources import Source
from scrapy_polite.decision import REASONS
from scrapy_polite.origin import Origin
from scrapy_polite.settings import PARTS, TRAPS, PoliteSettings, SettingsError, SitePolicy, Sites, setting_name
from scrapy_polite.settings.values import DEFAULT_TRAPS
from scrapy_polite.store.factory import StoreLocation
from scrapy_polite.traps.url_rules import UrlRules


def read(**settings: Any) -> PoliteSettings:
    return PoliteSettings.from_settings(crawler({f"POLITE_{name}": value for name, value in settings.items()}).settings)


def errors(**settings: Any) -> list[str]:
    """What is said of settings that stop the crawl."""
    with pytest.raises(SettingsError) as caught:
        read(**settings)
    first, *lines = str(caught.value).splitlines()
    assert first == "scrapy-polite cannot start:"
    assert lines == [f"  - {error}" for error in caught.value.errors]
    return list(caught.value.errors)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ALERT_WEBHOOK", given)
        for given in (
            "s3cret",
            "ftp://chat.example/s3cret",
            "https:///s3cret",
            "https://chat.example:99999/s3cret",
            "https://chat.example:0/s3cret",
            "https://[chat/s3cret",
            "https://chat.example/s3cret x",
            "https://chat.example/s3cret#x",
            "https://chat.example/s3cret\n",
            "https://ch\u00e4t.example/s3cret",
            "https://chat.example/s3cret" + 2_000 * "x",
            b"https://chat.example/s3cret",
            5,
        )
    ]
    + [
        ("ALERT_COMMAND", given)
        for given in ("", "'s3cret", "[s3cret", [], [""], ["mail", 5], ["s3cret\0"], {"s3cret": 1}, b"s3cret", 5)
    ],
)
def test_what_is_wrong_with_a_secret_is_said_without_it(name: str, given: Any) -> None:
    (error,) = errors(**{name: given})
    expected = {"ALERT_WEBHOOK": "an http or https URL", "ALERT_COMMAND": "a command line, or a list of a program"}
    assert error.startswith(f"POLITE_{name} is wrong: ")
    assert f", expected {expected[name]}" in error
    assert "s3cret" not in error


def test_a_project_that_sets_nothing_has_the_defaults() -> None:
    assert read() == PoliteSettings()


@pytest.mark.parametrize("field", fields(PoliteSettings), ids=lambda field: setting_name(field.name))
def test_every_setting_may_be_none_for_its_default_and_has_a_sentence(field: Any) -> None:
    assert getattr(read(**{field.name.upper(): None}), field.name) == getattr(PoliteSettings(), field.name)
    assert field.metadata["text"].endswith(".")


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("WAIT_MAX", 5, 5.0),
        ("WAIT_MAX", "7.5", 7.5),
        ("WAIT_MAX", 0, 0.0),
        ("ROBOTS_CONCURRENCY", "32", 32),
        ("ROBOTS_CONCURRENCY", 32.0, 32),
        ("SUMMARY", "False", False),
        ("SUMMARY", "1", True),
        ("SUMMARY", 0, False),
        ("MODE", "audit", dict.fromkeys(PARTS, "audit")),
        ("MODE", {"robots": "audit"}, dict.fromkeys(PARTS, "enforce") | {"robots": "audit"}),
        ("MODE", '{"robots": "audit"}', dict.fromkeys(PARTS, "enforce") | {"robots": "audit"}),
        ("MODE", {}, dict.fromkeys(PARTS, "enforce")),
        ("BLACKLISTS", "a.txt,b/*.gz", (Source("a.txt"), Source("b/*.gz"))),
        ("BLACKLISTS", '[{"path": "a", "format": "hosts"}]', (Source("a", "hosts"),)),
        ("BLACKLISTS", [Path("a"), {"path": "b", "action": "audit"}], (Source("a"), Source("b", None, "audit"))),
        ("SKIP_DYNAMIC", "off", -1),
        ("SKIP_DYNAMIC", "0", 0),
        ("STORE", "memory", StoreLocation()),
        ("STORE", Path("a/b.sqlite"), StoreLocation(Path("a/b.sqlite"))),
        ("REFUSED_FILE", Path("a/b.jsonl"), str(Path("a/b.jsonl"))),
        ("TRAPS", "drop", {**DEFAULT_TRAPS, "endless": "drop"}),
        ("CONTACT_EMAIL", "me@bot.example", "me@bot.example"),
        ("TARGET_URL", "project_parts.rendered", rendered),
        ("TARGET_URL", rendered, rendered),
        ("ROBOTS_AFTER_OUTAGE", "closed", "closed"),
        ("ROBOTS_CLOSED_BY_ANSWER", "3600", 3_600.0),
        ("MAX_CRAWL_DELAY", "in full", math.inf),
        ("MAX_CRAWL_DELAY", "90", 90.0),
        ("BACKOFF_STATUSES", "429, 503", {429, 503}),
        ("BACKOFF_STATUSES", [503], {503}),
        ("ORDER", "depth", "depth"),
        ("ALERT_WEBHOOK", "https://u:p@chat.example:8443/hooks/1?x=y", "https://u:p@chat.example:8443/hooks/1?x=y"),
        ("ALERT_COMMAND", "mail -s 'a crawl' me@bot.example", ("mail", "-s", "a crawl", "me@bot.example")),
        ("ALERT_COMMAND", '["mail", "$HOME"]', ("mail", "$HOME")),
        ("ALERT_COMMAND", ["mail"], ("mail",)),
    ],
)
def test_a_value_is_read_as_it_comes_from_python_or_the_command_line(name: str, given: Any, value: Any) -> None:
    assert getattr(read(**{name: given}), name.lower()) == value


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("WAIT_MAX", "soon", "'soon', expected seconds from 0 to 86,400"),
        ("WAIT_MAX", -1, "-1, expected seconds from 0 to 86,400"),
        ("WAIT_MAX", float("nan"), "nan, expected seconds"),
        ("WAIT_MAX", "nan", "'nan', expected seconds"),
        ("WAIT_MAX", float("inf"), "inf, expected seconds"),
        ("WAIT_MAX", True, "True, expected seconds"),
        ("WAIT_MAX", [5], "[5], expected seconds"),
        ("ROBOTS_CONCURRENCY", 0, "0, expected a whole number from 1 to 1,000"),
        ("ROBOTS_CONCURRENCY", 1.5, "1.5, expected a whole number"),
        ("ROBOTS_CONCURRENCY", float("inf"), "inf, expected a whole number"),
        ("SUMMARY", "maybe", "'maybe', expected True or False"),
        ("SUMMARY", [], "[], expected True or False"),
        ("BACKOFF_STATUSES", [200], "[200], expected a list of HTTP statuses from 400 to 599"),
        ("BLACKLISTS", {"path": "a"}, "expected a list of files"),
        ("BLACKLISTS", [{"path": "a", "format": "ini"}], "format 'ini': expected one of plain, hosts"),
        ("BLACKLISTS", [{"path": "a", "action": "takedown"}], "action 'takedown': expected one of drop, audit"),
        ("BLACKLISTS", '{"path": "a", "format": "hosts"}', "expected a list of files"),
        ("BLACKLISTS", b"a.txt", "b'a.txt', expected a list of files"),
        ("BLACKLISTS", [""], "expected a path, or a dictionary"),
        ("BLACKLISTS", [{"path": ""}], "expected a path, or a dictionary"),
        ("ALLOWLISTS", [{"path": "a", "action": "audit"}], "an allowlist has none"),
        ("PRIVATE_ADDRESSES", "deny", "'deny', expected 'allow' or 'refuse'"),
        ("SKIP_DYNAMIC", -1, "-1, expected 'off', or a whole number"),
        ("ROBOTS_ATTEMPTS", 11, "11, expected a whole number from 1 to 10"),
        ("SITES", {"x.example": {"delay": -1}}, "'delay' is -1, expected seconds from 0"),
        ("SITES", {"x.example": {"workers": 0}}, "'workers' is 0, expected a whole number from 1 to 100"),
        (
            "SITES",
            {"x.example": {"budget": {"pages": 0, "per": "day"}}},
            "a budget's 'pages' is a whole number from 1 on",
        ),
        ("SITES", {"x.example": {"budget": 5}}, "expected a dict such as {'pages': 10000, 'per': 'day'}"),
        ("MODE", "strict", "'strict', expected 'enforce', 'audit', or a dict"),
        ("MODE", {"robot": "audit"}, "'robot' is no part: did you mean robots?"),
        ("MODE", {"xyz": "audit"}, "'xyz' is no part, expected one of robots, pacing"),
        ("MODE", {"robots": "strict"}, "'robots' is 'strict'"),
        ("STORE", "", "'', expected 'memory' or a file's path"),
        ("STORE", "a\x1b[31m", r"'a\x1b[31m', expected 'memory' or a file's path"),
        ("CONTACT_EMAIL", "nobody", "'nobody', expected an e-mail address"),
        ("CONTACT_EMAIL", "a@b.example\r\nX-Own: 1", r"'a@b.example\r\nX-Own: 1', expected an e-mail address"),
        ("TARGET_URL", "project_parts.missing", "it cannot be imported"),
        ("TARGET_URL", "no.such.module", "it cannot be imported"),
        ("TARGET_URL", "crawls.SETTINGS", "it is not callable"),
        ("ROBOTS_AFTER_OUTAGE", "copy", "'copy', expected 'open' or 'closed'"),
        ("SITES", "{", "'{', expected a dict such as"),
        ("SITES", {"a.example": "ignore"}, "'a.example' holds 'ignore', expected a dict"),
        ("SITES", {"a.example": {"robot": "ignore"}}, "'a.example': 'robot' is no key: did you mean robots?"),
        ("SITES", {"a.example": {"xyz": 1}}, "'a.example': 'xyz' is no key, expected one of robots, delay"),
        (
            "SITES",
            {"a.example": {"robots": "ignore"}},
            "'robots' is 'ignore', expected 'inherit' or 'always' or",
        ),
        ("SITES", {"a.example": {}, "A.example": {}}, "'A.example' is there twice, as 'a.example' in two spellings"),
        ("SITES", {"https://a.example/": {}}, "expected a host, host:port, *.domain or *"),
        ("SITES", {"a.*.example": {}}, "expected a host, host:port, *.domain or *"),
        ("SITES", {"*.a.example:80": {}}, "expected a host, host:port, *.domain or *"),
        ("SITES", {"a.example:99999": {}}, "bad host or port"),
        ("SITES", {"": {}}, "no host"),
        ("SITES", {3: {}}, "pattern 3: expected a host, host:port, *.domain or *"),
    ],
)
def test_a_value_that_cannot_be_meant_is_named_with_what_was_expected(name: str, given: Any, said: str) -> None:
    (error,) = errors(**{name: given})
    assert error.startswith(f"POLITE_{name} is ")
    assert said in error


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("WAITMAX", "unknown setting POLITE_WAITMAX: did you mean POLITE_WAIT_MAX?"),
        ("ROBOTS_MAXAGE", "unknown setting POLITE_ROBOTS_MAXAGE: did you mean POLITE_ROBOTS_MAX_AGE?"),
        # What has become a constant, since nobody turned it.
        ("BACKOFF_MAX", "unknown setting POLITE_BACKOFF_MAX: did you mean POLITE_BACKOFF_MIN?"),
        ("STORE_KEEP_DAYS", "unknown setting POLITE_STORE_KEEP_DAYS: docs/settings.md lists all of them"),
        ("FOO", "unknown setting POLITE_FOO: docs/settings.md lists all of them"),
    ],
)
def test_an_unknown_name_comes_with_the_nearest_valid_one(name: str, said: str) -> None:
    assert errors(**{name: 1}) == [said]


def test_all_that_is_wrong_is_said_at_once() -> None:
    assert len(errors(WAIT_MAX="x", WAITMAX=1, ROBOTS_TIMEOUT="y")) == 3


def test_a_least_value_above_the_most_is_a_contradiction() -> None:
    (error,) = errors(ROBOTS_MIN_AGE=900, ROBOTS_MAX_AGE=600)
    assert "POLITE_ROBOTS_MIN_AGE (900)" in error
    assert "POLITE_ROBOTS_MAX_AGE (600)" in error


@pytest.mark.parametrize(
    ("url", "policy"),
    [
        ("https://shop.example/", "never"),
        ("https://shop.example:8443/", "annotate"),
        ("http://shop.example./", "never"),
        ("https://www.shop.example/", "annotate"),
        ("https://a.www.shop.example/", "always"),
        ("https://a.b.www.shop.example/", "always"),
        ("https://notshop.example/", "never"),
        ("https://xn--bcher-kva.test/", "annotate"),
        ("https://bücher.test/", "annotate"),
        ("http://[::1]:8080/", "annotate"),
        ("http://[::1]/", "never"),
        ("https://elsewhere.test/", "never"),
    ],
)
def test_the_most_specific_pattern_wins(url: str, policy: str) -> None:
    sites = Sites(
        {
            "*": {"robots": "never"},
            "*.shop.example": {"robots": "annotate"},
            "*.www.shop.example": {"robots": "always"},
            "SHOP.example": {"robots": "never"},
            "shop.example:8443": {"robots": "annotate"},
            "bücher.test": {"robots": "annotate"},
            "[::1]:8080": {"robots": "annotate"},
        }
    )
    assert sites.policy(Origin.from_url(url)).robots == policy


def test_a_site_without_a_pattern_is_obeyed() -> None:
    other = Origin.from_url("http://other.example/")
    assert Sites({"shop.example": {"robots": "never"}}).policy(other).robots == "inherit"
    assert Sites({}).policy(other).robots == "inherit"


def test_what_is_remembered_of_sites_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sites, "MAX_REMEMBERED", 10)
    sites = Sites({"*": {"robots": "never"}})
    for port in range(1, 100):
        assert sites.policy(Origin("http", "shop.example", port)).robots == "never"
    assert len(sites._policies) <= 10


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("TRAPS", "refuse", "expected 'defer', 'drop', 'log', 'off', or a dict"),
        ("TRAPS", {"path-dept": "log"}, "'path-dept' is no trap: did you mean path-depth?"),
        ("TRAPS", {"?": "log"}, "'?' is no trap, expected one of url-length, host-labels, "),
        ("TRAPS", {"endless": "audit"}, "'endless' is 'audit', expected one of defer, drop, log, off"),
        ("TRAPS", {"alias": "defer"}, "'alias' is 'defer', expected one of drop, log, off"),
        ("TRAP_BUDGET", 99, "expected a whole number from 100 to 1,000,000"),
        ("TRAP_CAP", -1, "expected a whole number from 0 to 1,000,000,000"),
        ("TRAP_LIMITS", {"max_deth": 3}, "'max_deth' is no limit: did you mean max_depth?"),
        ("TRAP_LIMITS", {"budget": 50}, "'budget' is no limit of URLs: set POLITE_TRAP_BUDGET"),
        ("TRAP_LIMITS", {"repeats": 1}, "'repeats' is 1, expected 2 or more"),
        ("TRAP_LIMITS", {"max_depth": 2.5}, "'max_depth' is 2.5, expected a whole number from 0 to 1,000,000"),
        ("TRAP_LIMITS", {"max_depth": None}, "'max_depth' is None, expected a whole number"),
        ("TRAP_LIMITS", '{"max_depth": -1}', "'max_depth' is -1, expected a whole number"),
        ("SITES", {"a.example": {"traps": {"calender": "off"}}}, "'calender' is no trap"),
        ("DUPLICATES", "drop", "expected 'mark' or 'skip' or 'off'"),
    ],
)
def test_settings_of_traps_that_cannot_be_meant_are_told(name: str, value: Any, said: str) -> None:
    (error,) = errors(**{name: value})
    assert said in error


def test_what_a_site_says_of_a_trap_counts_before_what_the_project_says() -> None:
    settings = read(TRAPS={"endless": "log", "alias": "off"}, SITES={"a.example": {"traps": {"endless": "off"}}})
    of_a, of_b = (
        settings.trap_actions(settings.sites.policy(Origin.from_url(f"http://{name}.example/"))) for name in "ab"
    )
    assert (of_a["endless"], of_a["alias"], of_a["bbcode"], of_a["long-url"]) == ("off", "off", "drop", "log")
    assert of_b["endless"] == "log"


def test_one_word_for_all_traps_refuses_on_proof_and_defers_on_suspicion() -> None:
    actions = {word: read(TRAPS=word).trap_actions(SitePolicy()) for word in ("defer", "drop", "log", "off")}
    assert {word: (one["endless"], one["bbcode"]) for word, one in actions.items()} == {
        "defer": ("defer", "drop"),
        "drop": ("drop", "drop"),
        "log": ("log", "log"),
        "off": ("off", "off"),
    }
    assert actions["defer"] == read().trap_actions(SitePolicy())


def test_the_broad_profile_has_a_lower_cap() -> None:
    caps = [read(**settings).group_limits.cap for settings in ({}, {"PROFILE": "broad"}, {"TRAP_CAP": 0})]
    assert caps == [20_000, 1_000, 0]


def test_every_trap_is_a_reason_and_every_trap_and_limit_is_told_on_its_page() -> None:
    page = (Path(__file__).parents[1] / "docs" / "traps.md").read_text("utf-8")
    for name in TRAPS:
        assert f"trap/{name}" in REASONS
        assert f"| `{name}` |" in page
    for field in fields(UrlRules):
        if field.name != "without":
            assert f"`{field.name}` {field.default}" in page


def test_a_queue_on_a_server_has_the_store_there_too() -> None:
    settings = read(FRONTIER="redis://:secret@queue.example:6380/2")
    assert str(settings.frontier) == str(settings.store) == "redis://queue.example:6380/2"
    assert str(read(FRONTIER="redis://queue.example", STORE="a.sqlite").store) == "a.sqlite"
    assert read(FRONTIER=None).frontier is None


def test_a_queue_on_a_server_may_be_that_of_scrapy_redis() -> None:
    for project, server in (
        (
            {"REDIS_URL": "redis://queue.example", "REDIS_PARAMS": {"db": 3, "encoding": "utf-8"}},
            "queue.example:6379/3",
        ),
        ({"REDIS_HOST": "queue.example", "REDIS_PORT": 6380, "REDIS_PARAMS": {"db": 3}}, "queue.example:6380/3"),
        ({"REDIS_PARAMS": {"url": "redis://queue.example/4"}, "REDIS_HOST": "other.example"}, "queue.example:6379/4"),
        ({}, "localhost:6379/0"),
    ):
        made = PoliteSettings.from_settings(crawler({"POLITE_FRONTIER": "redis://"} | project).settings)
        assert str(made.frontier) == str(made.store) == f"redis://{server}"


@pytest.mark.parametrize(
    "value", ["queue.sqlite", "sqlite:///queue.sqlite", "http://:secret@queue.example", "redis:/x"]
)
def test_a_queue_for_several_processes_is_on_a_server(value: str) -> None:
    (error,) = errors(FRONTIER=value)
    assert "POLITE_FRONTIER" in error
    assert "redis://HOST:PORT/DB" in error
    assert "secret" not in error


def test_processes_that_share_a_queue_share_their_pace() -> None:
    (error,) = errors(FRONTIER="redis://queue.example", STORE="memory")
    assert error.startswith("POLITE_STORE is 'memory' with POLITE_FRONTIER: each process would keep a pace of its own")


def test_each_worker_of_a_host_needs_a_request_at_once() -> None:
    sites = {"huge.example": {"workers": 9}, "other.example": {"workers": 8}}
    (error,) = errors(SITES=sites)
    assert error == (
        "POLITE_SITES: 'huge.example': 'workers' (9) is above CONCURRENT_REQUESTS_PER_DOMAIN (8), of which each has "
        "one at least: lower the one or raise the other"
    )


@pytest.mark.parametrize(("dialect", "per_cent"), [("classic", "19.2"), ("classic-0.0", "18.2"), ("geoportal", "3")])
def test_a_dialect_that_is_looser_is_for_single_sites(dialect: str, per_cent: str) -> None:
    looser = f"on {per_cent} % of 71,351 questions about real files it allows what Google's parser forbids."
    (of_all,) = errors(ROBOTS_DIALECT=dialect)
    (by_pattern,) = errors(SITES={"*": {"dialect": dialect}})
    assert of_all.startswith(f"POLITE_ROBOTS_DIALECT is {dialect!r} for all sites: {looser}")
    assert by_pattern.startswith(f"POLITE_SITES: 'dialect' of '*' is {dialect!r} for all sites: {looser}")


def test_a_site_has_its_own_dialect_and_the_strictest_may_be_that_of_all() -> None:
    sites = {
        "*": {"dialect": "strictest"},
        "*.old.example": {"dialect": "classic"},
        "new.old.example": {"dialect": "rfc"},
    }
    made = PoliteSettings.from_settings(crawler({"POLITE_SITES": sites}).settings)
    hosts = ("a.example", "b.old.example", "new.old.example")
    assert [made.dialect(Origin.from_url(f"http://{host}/")) for host in hosts] == ["strictest", "classic", "rfc"]
    assert PoliteSettings(robots_dialect="strictest").dialect(Origin.from_url("http://a.example/")) == "strictest"
