"""Pages on a server, with a connection of their own: bodies hold up no lease of a host."""

from __future__ import annotations

import hashlib
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy_polite.store.errors import StoreError

from .caller import Caller, Value
from .page_record import (
    NUMBERS,
    due_of,
    is_linked,
    packed,
    packed_links,
    page_of,
    record,
    unpacked,
    unpacked_links,
)
from .sweep import composed, when_done
from .values import GarbledValue, encoded, integer, items, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from scrapy_polite._redis.url import RedisUrl
    from scrapy_polite.store.pages import Due, PageRecord

T = TypeVar("T")

_HOSTS = Value("pages", "zset")
_LYING = Value("lying", "zset")
_MAX_LYING = 100_000
_MAX_EXAMPLES = 3
#: In place of links or a body: they stay as they are.
_AS_THEY_ARE = b"="
#: How often links are read again that a crawl changes meanwhile.
_MAX_TRIES = 5


class RedisPages:
    """A `PageStore`. `timeout_s` is how long a call waits for the server."""

    def __init__(self, url: RedisUrl, *, timeout_s: float = 5.0) -> None:
        self._named = f"pages of store {url.shown}"
        self._caller = Caller(url, timeout_s, None, "pages of store")
        # Packs what is kept, which would hold up the loop, and waits for answers to many calls.
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="polite-pages")

    def get(self, key: bytes) -> Future[PageRecord | None]:
        return self._caller.ask("page_get", "p:", key, of=(_record(key),), read=lambda raw: page_of(key, raw))

    def at(self, host: str, url: str) -> Future[list[PageRecord]]:
        return self._later(lambda: [page for page in self._of(host) if page.url == url])

    def links(self, key: bytes) -> Future[list[bytes]]:
        whole: Future[list[bytes]] = composed()

        def look(links: list[bytes] | None) -> None:
            if links is None:
                whole.set_exception(StoreError(f"{self._named}: the links of a page are lost"))
            else:
                whole.set_result(links)

        of = _beside("pl:", key), _record(key)
        when_done(self._caller.ask("page_links", key, of=of, read=_links), whole, look)
        return whole

    def body(self, key: bytes) -> Future[bytes | None]:
        return self._caller.ask(
            "page_get", "pb:", key, of=(_beside("pb:", key),), read=lambda raw: unpacked(raw) if raw else None
        )

    def keep(self, page: PageRecord, links: Sequence[bytes] | None = None, body: bytes | None = None) -> Future[None]:
        whole: Future[None] = composed()

        def ask() -> None:
            try:
                asked = self._keep(page, links, body)
            except (ValueError, MemoryError) as error:
                whole.set_exception(StoreError(f"{self._named}: a page cannot be kept: {error}"))
            else:
                when_done(asked, whole, whole.set_result)

        try:
            self._worker.submit(ask)
        except RuntimeError:
            whole.set_exception(self._closed())
        return whole

    def due(self, host: str, choose: Callable[[Iterator[Due]], float]) -> Future[float]:
        return self._later(lambda: choose(self._due(host)))

    def lying_hosts(self) -> Future[list[str]]:
        return self._caller.ask("page_lying", of=(_LYING,), read=_texts)

    def lies(self, host: str, at: float) -> Future[None]:
        arguments = encoded(host), repr(float(at)), _MAX_LYING
        return self._caller.ask("page_lies", *arguments, of=(_LYING,), read=lambda _: None)

    def forget(
        self, covers: Callable[[str], bool], link_covered: Callable[[bytes], bool], *, act: bool = True
    ) -> Future[tuple[int, int, list[str]]]:
        return self._later(lambda: self._forget(covers, link_covered, act=act))

    def prune(self, before: float) -> Future[int]:
        return self._later(lambda: sum(self._prune(host, before) for host in self._old(before)))

    def close(self) -> None:
        self._worker.shutdown()
        self._caller.close()

    # In the thread of `_worker`

    def _keep(self, page: PageRecord, links: Sequence[bytes] | None, body: bytes | None) -> Future[None]:
        """Raises ValueError for what cannot be kept."""
        beside = [
            packed_links(links) if links else b"" if links is not None or not page.links else _AS_THEY_ARE,
            packed(body) if body else b"" if body is not None or not page.body else _AS_THEY_ARE,
        ]
        due_at = repr(float(page.seen_at + page.interval_s))
        kept = record(page, linked=beside[0] not in {b"", _AS_THEY_ARE})
        of = _listed(page.host), _record(page.key), _HOSTS
        return self._caller.ask(
            "page_keep", page.key, encoded(page.host), due_at, kept, *beside, of=of, read=lambda _: None
        )

    def _forget(
        self, covers: Callable[[str], bool], link_covered: Callable[[bytes], bool], *, act: bool
    ) -> tuple[int, int, list[str]]:
        pages, links, examples = 0, 0, list[str]()
        for host in list(self._hosts()):
            for chunk in self._scan(host):
                drop: list[bytes] = []
                for key, raw in chunk:
                    page = _page(key, raw)
                    if page is None:
                        drop.append(key)  # whose it was nobody can tell any more
                    elif covers(page.url):
                        pages += 1
                        examples += [page.url] if len(examples) < _MAX_EXAMPLES else []
                        drop.append(key)
                    else:
                        links += self._forget_links(key, link_covered, act=act)
                if act and drop:
                    of = _listed(host), _HOSTS
                    self._caller.ask("page_drop", encoded(host), *drop, of=of, read=lambda _: None).result()
        liars = [host for host in self.lying_hosts().result() if covers(f"http://{host}/")]
        if act and liars:
            self._caller.ask("page_honest", *map(encoded, liars), of=(_LYING,), read=lambda _: None).result()
        return pages, links, examples

    def _forget_links(self, key: bytes, covered: Callable[[bytes], bool], *, act: bool) -> int:
        of = _beside("pl:", key), _record(key)
        for _ in range(_MAX_TRIES):
            data, held = self._caller.ask("page_links", key, of=of, read=_data_and_links).result()
            left = [link for link in held if not covered(link)]
            if len(left) == len(held) or not act:
                return len(held) - len(left)
            digest = hashlib.sha1(data, usedforsecurity=False).hexdigest()
            if self._caller.ask("page_relink", key, digest, packed_links(left), of=of, read=bool).result():
                return len(held) - len(left)
        raise StoreError(f"{self._named}: a crawl keeps changing the links of a page: run this again later")

    def _hosts(self) -> Iterator[str]:
        cursor, seen = -1, set[str]()
        while cursor:
            cursor, found = self._caller.ask("scan", "pages", max(cursor, 0), of=(_HOSTS,), read=_pairs).result()
            hosts = {text(host) for host, _ in found} - seen
            seen |= hosts
            yield from hosts

    def _scan(self, host: str) -> Iterator[list[tuple[bytes, bytes]]]:
        """Keys and records, a piece at a time. None comes twice."""
        cursor, seen = -1, set[bytes]()
        while cursor:
            arguments = encoded(host), max(cursor, 0)
            cursor, found = self._caller.ask("page_scan", *arguments, of=(_listed(host),), read=_pairs).result()
            new = {key: raw for key, raw in found if key not in seen}
            seen |= new.keys()
            yield list(new.items())

    def _of(self, host: str) -> Iterator[PageRecord]:
        for chunk in self._scan(host):
            yield from filter(None, (_page(key, raw) for key, raw in chunk))

    def _due(self, host: str) -> Iterator[Due]:
        """What a crawl keeps meanwhile may be missed, or come twice."""
        cursor = -1
        while cursor:
            arguments = encoded(host), max(cursor, 0), NUMBERS
            cursor, numbers = self._caller.ask("page_due", *arguments, of=(_listed(host),), read=_numbers).result()
            yield from due_of(numbers)

    def _old(self, before: float) -> Iterator[str]:
        """Hosts of which pages may have been due before then. Who asks for the next has swept the one before."""
        swept = set[str]()
        while True:
            hosts = self._caller.ask("page_old", repr(float(before)), of=(_HOSTS,), read=_texts).result()
            if swept.issuperset(hosts):
                return
            for host in hosts:
                swept.add(host)
                yield host

    def _prune(self, host: str, before: float) -> int:
        cursor, dropped, first = -1, 0, inf
        of, when = (_listed(host), _HOSTS), repr(float(before))
        while cursor:
            arguments = encoded(host), max(cursor, 0), when
            cursor, count, due = self._caller.ask("page_sweep", *arguments, of=of, read=_swept).result()
            dropped, first = dropped + count, min(first, due)
        self._caller.ask("page_first", encoded(host), repr(first), of=(_HOSTS,), read=lambda _: None).result()
        return dropped

    # Futures

    def _later(self, work: Callable[[], T]) -> Future[T]:
        try:
            return self._worker.submit(work)
        except RuntimeError:
            failed: Future[T] = Future()
            failed.set_exception(self._closed())
            return failed

    def _closed(self) -> StoreError:
        return StoreError(f"{self._named}: it is closed")


def _record(key: bytes) -> Value:
    return Value(b"p:" + key, "string")


def _beside(kind: str, key: bytes) -> Value:
    return Value(kind.encode() + key, "string")


def _listed(host: str) -> Value:
    return Value(b"ph:" + encoded(host), "set", "pages", encoded(host))


def _page(key: bytes, raw: bytes) -> PageRecord | None:
    """None for what cannot be read, or is not there."""
    try:
        return page_of(key, raw)
    except GarbledValue:
        return None


def _links(reply: Any) -> list[bytes] | None:
    """None where the record says that there are links, and there are none."""
    flags, data = items(reply, 2)
    if data:
        return unpacked_links(data)
    return None if is_linked(flags) else []


def _data_and_links(reply: Any) -> tuple[bytes, list[bytes]]:
    _, data = items(reply, 2)
    return data, unpacked_links(data) if data else []


def _numbers(reply: Any) -> tuple[int, bytes]:
    cursor, numbers = items(reply, 2)
    if not isinstance(numbers, bytes):
        raise GarbledValue
    return integer(cursor), numbers


def _swept(reply: Any) -> tuple[int, int, float]:
    cursor, count, due = items(reply, 3)
    return integer(cursor), integer(count), float(due)


def _texts(reply: Any) -> list[str]:
    return [text(one) for one in reply]


def _pairs(reply: Any) -> tuple[int, list[tuple[bytes, bytes]]]:
    cursor, found = items(reply, 2)
    if not isinstance(found, list):
        raise GarbledValue
    return integer(cursor), list(zip(found[::2], found[1::2], strict=True))
