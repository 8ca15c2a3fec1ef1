"""What every store keeps of pages that crawls come back to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.pages import Due, PageRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy_polite.store.pages import PageStore

PAGE = PageRecord(
    key=b"\x00\xffa page's key\n\r",
    url="https://example.com/a?b=ü",
    host="example.com",
    status=200,
    digest=b"\xff\x00digest",
    etag='W/"a-1"',
    last_modified="Sat, 21 Nov 2026 08:49:37 GMT",
    seen_at=1_000.123456789,
    whole_at=900.1,
    interval_s=0.1,
    changes=1.3,
    watched_s=7.7,
    not_modified=19,
    probe=True,
    links=True,
    body=True,
)
LINKS = [b'{"url": "https://example.com/b"}', b'{"url": "https://example.org/c"}']
BODY = b"\x00<html>\n\xff"


def page(name: str, **more: object) -> PageRecord:
    url = f"https://example.com/{name}"
    return replace(PAGE, key=name.encode(), url=url, links=False, body=False, **more)  # type: ignore[arg-type]


def found(pages: PageStore, key: bytes) -> tuple[PageRecord | None, list[bytes], bytes | None]:
    return pages.get(key).result(), pages.links(key).result(), pages.body(key).result()


def test_gives_back_what_was_kept(pages: PageStore) -> None:
    assert found(pages, PAGE.key) == (None, [], None)
    pages.keep(PAGE, LINKS, BODY).result()
    assert found(pages, PAGE.key) == (PAGE, LINKS, BODY)
    assert found(pages, b"another") == (None, [], None)


def test_links_and_bodies_stay_where_the_page_says_so(pages: PageStore) -> None:
    pages.keep(PAGE, LINKS, BODY).result()
    later = replace(PAGE, seen_at=2_000.0, probe=False)
    pages.keep(later).result()
    assert found(pages, PAGE.key) == (later, LINKS, BODY)
    pages.keep(later, LINKS[:1]).result()
    assert found(pages, PAGE.key) == (later, LINKS[:1], BODY)
    pages.keep(later, []).result()
    pages.keep(later).result()
    assert found(pages, PAGE.key) == (later, [], BODY)
    bare = replace(later, links=False, body=False, digest=b"", status=410)
    pages.keep(bare).result()
    assert found(pages, PAGE.key) == (bare, [], None)


def test_what_utf_8_cannot_hold_and_long_validators_are_kept_or_left_out(pages: PageStore) -> None:
    pages.keep(replace(PAGE, url="https://example.com/\ud800", etag="e" * 201, last_modified="\udcff")).result()
    kept = pages.get(PAGE.key).result()
    assert kept is not None
    assert (kept.url, kept.etag, kept.last_modified) == ("https://example.com/\\ud800", "", "\\udcff")


@pytest.mark.parametrize("last_modified", ["", "Sat, 1 Jan 2000 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT", "0"])
@pytest.mark.parametrize("url", ["https://example.com/", "https://example.com:8/x//y", "ftp://a//b", "x"])
def test_a_server_is_asked_with_what_it_has_said(pages: PageStore, url: str, last_modified: str) -> None:
    """A date that is written in another way is another validator."""
    kept = replace(PAGE, url=url, last_modified=last_modified)
    pages.keep(kept).result()
    assert pages.get(PAGE.key).result() == kept


def test_pages_are_found_by_their_url(pages: PageStore) -> None:
    others = [page("other", host="example.org"), replace(page("more"), url=PAGE.url)]
    for kept in (PAGE, *others):
        pages.keep(kept).result()
    assert sorted(one.key for one in pages.at(PAGE.host, PAGE.url).result()) == sorted((PAGE.key, b"more"))
    assert pages.at("example.org", PAGE.url).result() == []


def number_of(due: Iterator[Due]) -> int:
    return sum(1 for _ in due)


def test_due_are_the_pages_of_a_host_that_are_not_gone(pages: PageStore) -> None:
    numbers = range(1_200)  # more than one call of a store returns
    for kept in [pages.keep(page(str(number), seen_at=float(number))) for number in numbers]:
        kept.result()
    expected = [Due(float(number), 0.1, 1.3, 7.7) for number in numbers]
    pages.keep(page("gone", status=404)).result()
    pages.keep(page("elsewhere", host="example.org")).result()
    ranked: list[Due] = []

    def choose(due: Iterator[Due]) -> float:
        ranked.extend(due)
        return 7.5

    assert pages.due("example.com", choose).result() == 7.5
    assert sorted(ranked) == expected
    assert pages.due("unknown.example", number_of).result() == 0


def test_a_page_is_listed_with_the_host_that_it_has_now(pages: PageStore) -> None:
    pages.keep(PAGE).result()
    pages.keep(replace(PAGE, host="example.org")).result()
    assert [pages.due(host, number_of).result() for host in ("example.com", "example.org")] == [0, 1]


def test_hosts_that_lie(pages: PageStore) -> None:
    for host, at in (("a.example", 2.0), ("b.example", 3.0), ("a.example", 4.0)):
        pages.lies(host, at).result()
    assert pages.lying_hosts().result() == ["a.example", "b.example"]
    for act in (False, True):
        pages.forget(lambda url: url == "http://a.example/", lambda _: False, act=act).result()
        assert pages.lying_hosts().result() == ["a.example", "b.example"][act:]


@pytest.mark.parametrize("act", [False, True])
def test_forgets_all_of_a_page_and_the_links_to_it(pages: PageStore, act: bool) -> None:
    pages.keep(PAGE, LINKS, BODY).result()
    other = replace(PAGE, key=b"other", url="https://example.org/o", host="example.org")
    pages.keep(other, [*LINKS, b"more"], BODY).result()
    last = replace(other, key=b"last", url="https://example.org/l")
    pages.keep(last, LINKS[:1]).result()

    def forget(act: bool) -> tuple[int, int, list[str]]:
        return pages.forget(lambda url: url == PAGE.url, lambda link: link == LINKS[0], act=act).result()

    assert forget(act) == (1, 2, [PAGE.url])
    if not act:
        assert found(pages, PAGE.key) == (PAGE, LINKS, BODY)
        assert pages.links(other.key).result() == [*LINKS, b"more"]
        return
    assert found(pages, PAGE.key) == (None, [], None)
    assert found(pages, other.key) == (other, [LINKS[1], b"more"], BODY)
    assert pages.links(last.key).result() == []
    assert pages.due(PAGE.host, number_of).result() == 0
    assert forget(True) == (0, 0, [])


def test_forgets_thousands(pages: PageStore) -> None:
    kept = [pages.keep(page(f"{n}", host=f"{n % 3}.example")) for n in range(1_500)]
    for one in kept:
        one.result()
    count, _, examples = pages.forget(lambda url: not url.endswith("7"), lambda _: False).result()
    assert (count, len(examples)) == (1_350, 3)
    assert sum(pages.due(f"{n}.example", number_of).result() for n in range(3)) == 150


def test_prunes_what_was_due_before(pages: PageStore) -> None:
    kept = [pages.keep(page(str(n), seen_at=float(n), interval_s=1.0, host=f"{n % 7}.example")) for n in range(1_000)]
    for one in kept:
        one.result()
    pages.keep(replace(PAGE, seen_at=5.0), LINKS, BODY).result()
    assert pages.prune(901.0).result() == 901
    assert found(pages, PAGE.key) == (None, [], None)
    assert pages.get(b"899").result() is None
    assert pages.get(b"900").result() is not None
    assert pages.prune(901.0).result() == 0


def test_several_may_write_at_once(new_pages: Callable[[], PageStore]) -> None:
    stores = [new_pages() for _ in range(3)]

    def write(number: int) -> None:
        for n in range(100):
            one = replace(page(f"{n}"), not_modified=number, links=True)
            stores[number].keep(one, [str(number).encode()]).result()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(write, range(3)))
    assert [store.due("example.com", number_of).result() for store in stores] == [100] * 3
    for n in range(100):
        kept, links, _ = found(stores[0], f"{n}".encode())
        assert kept is not None
        assert links == [str(kept.not_modified).encode()], "a record and the links of another process"


def test_once_closed_all_fails_with_a_store_error(pages: PageStore) -> None:
    kept = pages.keep(PAGE, LINKS, BODY)
    pages.close()
    pages.close()
    assert kept.result() is None
    for future in (pages.get(PAGE.key), pages.keep(PAGE), pages.due("a", number_of), pages.prune(0.0)):
        with pytest.raises(StoreError, match="it is closed"):
            future.result()
