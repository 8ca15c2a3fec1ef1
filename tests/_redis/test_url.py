"""URLs of Redis and Valkey servers."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.url import RedisUrl, RedisUrlError

LOCAL = (("localhost", 6379),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("redis://cache.example", RedisUrl("redis", (("cache.example", 6379),))),
        ("REDIS://cache.example:7000/3", RedisUrl("redis", (("cache.example", 7000),), db=3)),
        ("redis://cache.example/?db=3&name=shop", RedisUrl("redis", (("cache.example", 6379),), db=3, name="shop")),
        ("redis://[::1]:7000", RedisUrl("redis", (("::1", 7000),))),
        ("redis://:secret@localhost", RedisUrl("redis", LOCAL, password="secret")),
        ("redis://bot:a%40b%3Ac@localhost", RedisUrl("redis", LOCAL, username="bot", password="a@b:c")),
        (
            "rediss://localhost?ssl_ca_certs=/etc/ca.pem&ssl_check_hostname=false",
            RedisUrl("rediss", LOCAL, tls={"ssl_ca_certs": "/etc/ca.pem", "ssl_check_hostname": False}),
        ),
        ("unix:///run/valkey.sock", RedisUrl("unix", (), socket="/run/valkey.sock")),
        ("unix://:secret@/run/a%20b?db=2", RedisUrl("unix", (), socket="/run/a b", db=2, password="secret")),
        (
            "redis+sentinel://bot:secret@a.example:1,b.example/main/2",
            RedisUrl(
                "redis+sentinel",
                (("a.example", 1), ("b.example", 26379)),
                service="main",
                db=2,
                username="bot",
                password="secret",
            ),
        ),
        (
            "redis+sentinel://a.example/main?sentinel_password=s",
            RedisUrl("redis+sentinel", (("a.example", 26379),), service="main", sentinel={"password": "s"}),
        ),
    ],
)
def test_a_url_names_a_server(text: str, expected: RedisUrl) -> None:
    assert RedisUrl.parse(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("http://:secret@cache.example", "not a URL of a Redis or Valkey server, expected redis://HOST"),
        ("redis:cache.example:secret", "not a URL of a Redis"),
        ("redis://[secret", "not a URL of a Redis"),
        ("redis://:sec/ret@cache.example", "host and port that can be read"),
        ("redis://:sec#ret@cache.example", "write it as %23"),
        ("redis://:secret@cache.example:99999", "port of a Redis or Valkey URL: expected a number up to 65,535"),
        ("redis://:secret@cache.example/first", "database of a Redis or Valkey URL: expected a number"),
        ("redis://:secret@cache.example/1/2", "more behind the number of its database"),
        ("redis://:secret@a.example,b.example", "of Sentinels it begins with redis\\+sentinel://"),
        ("redis://:secret@a.example?pool=3", "option 'pool' of a redis:// URL is not known, expected one of db, name"),
        ("redis://:secret@a.example?name=a%7Db", "option name of a redis:// URL: expected up to 64 letters"),
        (
            "rediss://:secret@a.example?ssl_cert_reqs=no",
            "option ssl_cert_reqs of a rediss:// URL: expected required or",
        ),
        ("rediss://:secret@", "host and port that can be read"),
        ("unix://run/valkey.sock", "three slashes"),
        ("redis+sentinel://:secret@a.example", "without a service"),
    ],
)
def test_a_url_that_names_none_is_refused_without_its_password(text: str, message: str) -> None:
    with pytest.raises(RedisUrlError, match=message) as raised:
        RedisUrl.parse(text)
    assert "sec" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("redis://bot:secret@cache.example", "redis://cache.example:6379/0"),
        ("rediss://bot:secret@[::1]/1?ssl_password=secret", "rediss://[::1]:6379/1"),
        ("redis://:secret@cache.example?name=shop&db=2", "redis://cache.example:6379/2?name=shop"),
        ("unix://:secret@/run/valkey.sock?db=1", "unix:///run/valkey.sock?db=1"),
        ("unix:///run/valkey.sock?name=shop", "unix:///run/valkey.sock?db=0&name=shop"),
        (
            "redis+sentinel://:secret@a.example,b.example:1/main?sentinel_password=secret",
            "redis+sentinel://a.example:26379,b.example:1/main/0",
        ),
    ],
)
def test_what_is_shown_names_no_password(text: str, shown: str) -> None:
    url = RedisUrl.parse(text)
    assert url.shown == shown
    assert "secret" not in repr(url)


@pytest.mark.parametrize(
    ("url", "params", "expected"),
    [
        pytest.param("", {}, RedisUrl("redis", LOCAL), id="neither: this machine"),
        pytest.param("redis://a.example/2", {}, RedisUrl("redis", (("a.example", 6379),), db=2), id="REDIS_URL"),
        pytest.param(
            "",
            {
                "host": "a.example",
                "port": 7000,
                "db": 1,
                "password": "secret",
                "socket_timeout": 30,
                "encoding": "utf-8",
            },
            RedisUrl("redis", (("a.example", 7000),), db=1, password="secret"),
            id="REDIS_PARAMS, what is for the client left out",
        ),
        pytest.param(
            "redis://:own@a.example",
            {"password": "other", "username": "bot", "db": 5},
            RedisUrl("redis", (("a.example", 6379),), db=5, username="bot", password="own"),
            id="what REDIS_URL says counts before REDIS_PARAMS",
        ),
    ],
)
def test_redis_alone_is_the_projects_own_server(url: str, params: dict[str, Any], expected: RedisUrl) -> None:
    assert RedisUrl.parse("redis://", url, params) == expected


def test_options_beside_redis_alone_count_before_the_projects_own() -> None:
    url = RedisUrl.parse("redis://?name=shop&db=3", "redis://:secret@a.example/1?name=other")
    assert url == RedisUrl("redis", (("a.example", 6379),), db=3, name="shop", password="secret")


def test_the_password_of_the_projects_own_server_goes_to_no_other() -> None:
    assert RedisUrl.parse("redis://b.example", "redis://:secret@a.example", {"password": "secret"}).password is None


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [("store", "default", "polite:{store:default}:"), ("job", "a}b{c ä", "polite:{job:a%7Db%7Bc %C3%A4}:")],
)
def test_all_keys_of_a_store_or_job_are_in_one_hash_slot(kind: str, name: str, expected: str) -> None:
    assert prefix(kind, name) == expected
