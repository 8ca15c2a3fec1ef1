"""Pages on a server: what they cost, what is left of those taken down, and what is damaged there."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from redis_server import RedisServer, needs_server
from scrapy_polite._redis.connection import connect
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.url import RedisUrl
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.pages import PageRecord
from scrapy_polite.store.redis.pages import RedisPages

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = needs_server

LINKS = [b'{"url": "https://example.com/b"}']


def page(number: int) -> PageRecord:
    host = f"host-{number % 10}.example.com"
    return PageRecord(
        key=blake2b(str(number).encode(), digest_size=16).digest(),
        url=f"https://{host}/articles/2026/11/some-title-of-a-page-{number}.html",
        host=host,
        status=200,
        digest=bytes(16),
        etag=f'"{number:032x}"',
        last_modified="Sat, 21 Nov 2026 08:49:37 GMT",
        seen_at=1_000.5 + number,
        whole_at=1_000.5,
        interval_s=86_400.0,
        changes=0.5,
        watched_s=7.5,
    )


@pytest.fixture
def url(redis_server: RedisServer) -> RedisUrl:
    return RedisUrl.parse(f"{redis_server.url}?name={uuid4().hex}")


@pytest.fixture
def pages(url: RedisUrl) -> Iterator[RedisPages]:
    with closing(RedisPages(url)) as opened:
        yield opened


@pytest.fixture
def client(url: RedisUrl) -> Iterator[Any]:
    with closing(connect(url, 5.0)) as client:
        yield client


def keys_of(client: Any, url: RedisUrl, kind: str = "p") -> list[bytes]:
    return list(client.scan_iter(f"{prefix('store', url.name)}{kind}*"))


def test_a_page_costs_400_bytes_at_most_beside_its_links() -> None:
    count = 5_000
    with (
        RedisServer() as server,
        closing(RedisPages(RedisUrl.parse(server.url))) as pages,
        closing(connect(RedisUrl.parse(server.url), 5.0)) as client,
    ):
        pages.keep(page(0)).result()  # scripts and buffers are there
        before = client.info("memory")["used_memory_dataset"]
        for kept in [pages.keep(page(number)) for number in range(1, count)]:
            kept.result()
        used = client.info("memory")["used_memory_dataset"] - before
        tables = client.memory_stats()["db.0"]["overhead.hashtable.main"]
    assert 200 < (used + tables) / count <= 400


def test_nothing_is_left_of_pages_that_are_forgotten(pages: RedisPages, client: Any, url: RedisUrl) -> None:
    for number in range(20):
        pages.keep(replace(page(number), links=True, body=True), LINKS, b"body").result()
    assert len(keys_of(client, url)) == 3 * 20 + 10 + 1
    assert pages.forget(lambda _: True, lambda _: False).result()[0] == 20
    assert keys_of(client, url) == []


def test_a_damaged_record_is_unknown_and_its_parts_go_with_a_takedown(
    pages: RedisPages, client: Any, url: RedisUrl, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = (replace(page(number), links=True, body=True) for number in (0, 10))
    for kept in (one, other):
        pages.keep(kept, LINKS, b"body").result()
    client.set(prefix("store", url.name).encode() + b"p:" + one.key, b"not ours")
    assert pages.get(one.key).result() is None
    assert "cannot be read, so it is dropped" in caplog.text
    assert pages.due(one.host, lambda due: sum(1 for _ in due)).result() == 1
    assert pages.forget(lambda _: False, lambda _: False).result() == (0, 0, [])
    assert pages.body(one.key).result() is None, "whose it was nobody can tell"
    assert pages.get(other.key).result() == other


@pytest.mark.parametrize("damage", ["garbled", "lost"])
def test_links_that_are_lost_are_told_and_are_not_none(
    damage: str, pages: RedisPages, client: Any, url: RedisUrl
) -> None:
    """The page is read anew then: an empty list would end the crawl there, and nobody would know."""
    linking = replace(page(0), links=True)
    pages.keep(linking, LINKS).result()
    pages.keep(linking).result()
    key = prefix("store", url.name).encode() + b"pl:" + linking.key
    if damage == "lost":
        client.delete(key)
    else:
        client.set(key, b"not ours")
    for _ in range(2):
        with pytest.raises(StoreError, match="the links of a page are lost"):
            pages.links(linking.key).result()
        pages.keep(linking).result()
    pages.keep(linking, LINKS).result()
    assert pages.links(linking.key).result() == LINKS


def test_links_that_a_crawl_keeps_during_a_takedown_stay(pages: RedisPages, url: RedisUrl) -> None:
    linking, later = replace(page(0), links=True), [*LINKS, b"later"]
    pages.keep(linking, LINKS).result()
    with closing(RedisPages(url)) as crawl:

        def covered(link: bytes) -> bool:
            if not crawl.links(linking.key).result()[1:]:
                crawl.keep(linking, later).result()
            return link == LINKS[0]

        assert pages.forget(lambda _: False, covered).result() == (0, 1, [])
    assert pages.links(linking.key).result() == [b"later"]
