"""Which store a value of POLITE_STORE names."""

from __future__ import annotations

from pathlib import Path

import pytest
from scrapy.settings import Settings

from scrapy_polite.settings import PoliteSettings, SettingsError
from scrapy_polite.store import factory
from scrapy_polite.store.factory import StoreLocation, StoreUrlError, open_store


@pytest.mark.parametrize(
    ("value", "file"),
    [
        ("memory", None),
        ("memory://", None),
        ("polite/polite.sqlite", "polite/polite.sqlite"),
        ("/var/lib/polite.sqlite", "/var/lib/polite.sqlite"),
        ("sqlite:///var/lib/polite.sqlite", "/var/lib/polite.sqlite"),
        ("SQLite:///var/lib/a%20b.sqlite", "/var/lib/a b.sqlite"),
        ("c:/polite.sqlite", "c:/polite.sqlite"),
    ],
)
def test_a_store_is_named_by_a_word_a_path_or_a_url(value: str, file: str | None, tmp_path: Path) -> None:
    location = StoreLocation.parse(value)
    assert location.file == (None if file is None else Path(file))
    assert (location.lasting, location.made) == (file is not None, False)
    store = open_store(location.below(lambda path: tmp_path / path))
    assert store.description == ("memory" if file is None else str(tmp_path / file))
    assert (store.shared, store.lasting) == (file is not None, file is not None)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("postgres://:secret@db.example/polite", "there is no store for postgres:// URLs"),
        ("redis://:secret@cache.example:port/0", "redis:// URL without a host and port that can be read"),
        ("sqlite://relative.sqlite", "an absolute path has three slashes"),
        ("sqlite://", "an absolute path has three slashes"),
        ("sqlite:///", "an absolute path has three slashes"),
        ("memory://x", "there is no store for memory:// URLs"),
    ],
)
def test_a_url_of_no_store_is_named_without_its_password(value: str, message: str) -> None:
    with pytest.raises(StoreUrlError, match=message) as raised:
        StoreLocation.parse(value)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"POLITE_STORE": "mysql://:secret@db.example"},
            (
                "POLITE_STORE is wrong: there is no store for mysql:// URLs, expected 'memory' or a file's path, also "
                "as sqlite:///PATH, or a server's URL, such as redis://HOST:PORT/DB"
            ),
        ),
        ({"POLITE_STORE": "redis://:secret@db.example\n"}, "POLITE_STORE is wrong: a URL with characters that cannot"),
        (
            {"POLITE_STORE": "redis://", "REDIS_URL": "http://:secret@db.example"},
            "REDIS_URL or REDIS_PARAMS, which POLITE_STORE names, is wrong: not a URL of a Redis or Valkey server",
        ),
    ],
)
def test_a_setting_of_no_store_stops_the_crawl_at_its_start(settings: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        PoliteSettings.from_settings(Settings(settings))
    (error,) = raised.value.errors
    assert error.startswith(message)
    assert "secret" not in error


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"POLITE_STORE": "redis://bot:secret@cache.example"}, "redis://cache.example:6379/0"),
        ({"POLITE_STORE": "redis://", "REDIS_URL": "rediss://:secret@a.example/2"}, "rediss://a.example:6379/2"),
        ({"POLITE_STORE": "redis://", "REDIS_PARAMS": {"db": 3, "password": "secret"}}, "redis://localhost:6379/3"),
        ({"POLITE_STORE": "redis://"}, "redis://localhost:6379/0"),
        ({"POLITE_STORE": "redis://b.example", "REDIS_URL": "redis://a.example"}, "redis://b.example:6379/0"),
        ({"REDIS_URL": "redis://a.example"}, "polite/polite.sqlite"),
    ],
)
def test_a_server_is_named_by_its_url_or_by_the_projects_own(settings: dict[str, object], shown: str) -> None:
    location = PoliteSettings.from_settings(Settings(settings)).store
    assert str(location) == shown
    assert location.lasting
    assert location.made is shown.startswith("redis")
    store = open_store(location)
    assert (store.shared, store.lasting, store.description) == (True, True, store.description)
    assert "secret" not in f"{location!r}{store.description}"


def test_without_redis_py_a_server_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(factory, "find_spec", lambda name: None)
    with pytest.raises(StoreUrlError, match=r"redis-py is not installed: pip install 'scrapy-polite\[redis\]'"):
        StoreLocation.parse("redis://cache.example")
    with pytest.raises(SettingsError, match=r"POLITE_STORE is wrong: redis-py is not [^,]+\Z"):
        PoliteSettings.from_settings(Settings({"POLITE_STORE": "redis://cache.example"}))
