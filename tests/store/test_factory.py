"""Which store a value of POLITE_STORE names."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_polite.settings import PoliteSettings, SettingsError
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
    assert StoreLocation.parse(value).file == file
    store = open_store(value, lambda path: tmp_path / path)
    assert store.description == ("memory" if file is None else str(tmp_path / file))
    assert (store.shared, store.lasting) == (file is not None, file is not None)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("redis://:secret@cache.example:6379/0", "there is no store for redis:// URLs"),
        ("sqlite://relative.sqlite", "an absolute path has three slashes"),
        ("sqlite://", "an absolute path has three slashes"),
        ("sqlite:///", "an absolute path has three slashes"),
        ("memory://x", "there is no store for memory:// URLs"),
    ],
)
def test_a_url_of_no_store_is_named_without_its_password(value: str, message: str) -> None:
    with pytest.raises(StoreUrlError, match=message) as raised:
        open_store(value)
    assert "secret" not in str(raised.value)


def test_a_setting_of_no_store_stops_the_crawl_at_its_start() -> None:
    from scrapy.settings import Settings

    with pytest.raises(SettingsError) as raised:
        PoliteSettings.from_settings(Settings({"POLITE_STORE": "redis://:secret@cache.example"}))
    (error,) = raised.value.errors
    assert error == (
        "POLITE_STORE is wrong: there is no store for redis:// URLs, expected 'memory' or a file's path, also as "
        "sqlite:///PATH"
    )
