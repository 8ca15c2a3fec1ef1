"""From a request for /robots.txt to its answer (RFC 9110, RFC 9111), whatever server brings it.

What has been served stays in memory, up to a size in bytes. It is looked up anew when rules of the host change, or
begin or end to hold. Where the store cannot be read then, what was served last is served on: a 5xx would have crawlers
stay away (RFC 9309 §2.3.1.4).
"""

from __future__ import annotations

import gzip
import hashlib
import ipaddress
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple, TypeAlias

from scrapy_polite import clock
from scrapy_polite.robots.serving.figures import FAILED, FALLBACK, MEMORY, NONE, STORE, Figures
from scrapy_polite.robots.serving.store import RobotsStore, Served, StoreError, host_of
from scrapy_polite.text import printable

logger = logging.getLogger(__name__)

#: Seconds that an answer may be kept: a day, as long as crawlers keep a robots.txt at most (RFC 9309 §2.4).
MAX_AGE_S = 86_400
#: Octets of robots.txt that are kept in memory.
MEMORY_BYTES = 67_108_864
#: Seconds after which a change of the store is noticed.
NOTICE_S = 1.0
#: Seconds after which a store that could not be read is asked again.
_RETRY_S = 5.0
#: A shorter body is not worth packing.
_PACKED_FROM = 1_024
#: What an entry takes in memory beside its bodies (measured: 350, and the host's name).
_OVERHEAD = 500
_ETAG = re.compile(r'(?:W/)?("[^"]*")')
#: Characters of what stands for a client.
_MAX_CLIENT = 255
#: Characters of a header that are looked at.
_MAX_HEADER = 4_096


class Request(NamedTuple):
    """What of a request counts. `client` is its address, or what stands for it; a header that is not there is empty."""

    method: str
    path: str
    host: str
    client: str
    if_none_match: str
    accept_encoding: str


class Answer(NamedTuple):
    """A status, headers, and a body that is empty where none is to be sent."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


#: One version, ready to be sent: plain; as gzip, empty where that is not worth it; and its ETag without quotes.
_Body: TypeAlias = tuple[bytes, bytes, str]


#: An `_Entry` as it is kept.
_Kept: TypeAlias = tuple[_Body, _Body | None, float, float, bool]


class _Entry(NamedTuple):
    """What is in memory of a host. Up to `fresh_until` it is served unasked.

    It is kept as a bare tuple, which the garbage collector need not visit where it has no references: to visit those of
    tens of thousands of hosts would hold up all answers for 0.1 s (a named one is visited).
    """

    current: _Body
    canary: _Body | None
    share: float
    fresh_until: float
    fallback: bool

    @property
    def kept(self) -> _Kept:
        return self.current, self.canary, self.share, self.fresh_until, self.fallback

    @property
    def size(self) -> int:
        bodies = (self.current, self.canary or (b"", b""))
        return sum(len(body[0]) + len(body[1]) for body in bodies) + _OVERHEAD


class RobotsServer:
    """Answers requests; may be asked by several threads at once, and after a fork.

    `client_header` says that the server's proxy names the client in this header: only then may it be looked at.
    """

    def __init__(
        self,
        store: RobotsStore,
        *,
        memory_bytes: int = MEMORY_BYTES,
        max_age_s: int = MAX_AGE_S,
        client_header: str = "",
    ) -> None:
        self.figures = Figures()
        self.client_header = client_header
        self._store = store
        self._memory_bytes = memory_bytes
        self._max_age_s = max_age_s
        self._lock = Lock()
        self._entries: OrderedDict[str, _Kept] = OrderedDict()
        self._held_bytes = 0
        self._seen = 0
        self._look_at = self._complain_at = 0.0

    def warm(self, hosts: Iterable[str]) -> int:
        """Read hosts into memory before they are asked for, the first ones while there is room. Returns how many."""
        warmed: list[str] = []
        self._notice(clock.now())
        try:
            for host in hosts:
                entry, _ = self._looked_up(host, clock.now())
                if entry is not None:
                    warmed.append(host)
                    if self._held_bytes + entry.size > self._memory_bytes:
                        break
        except StoreError as error:
            self._complain(clock.now(), "all hosts", f"it cannot be read before it is asked for: {error}")
        with self._lock:
            for host in reversed(warmed):  # the first is the last to be let go
                if host in self._entries:
                    self._entries.move_to_end(host)
        return len(warmed)

    def warm_newest(self, count: int) -> int:
        """The same for the hosts that changed last."""
        try:
            hosts = self._store.hosts(count)
        except StoreError as error:
            self._complain(clock.now(), "all hosts", f"it cannot be read before it is asked for: {error}")
            return 0
        return self.warm(hosts)

    def known(self, request: Request) -> Answer | None:
        """The answer, if it needs nothing of the disk, and None otherwise."""
        begun = time.perf_counter()
        refusal, host = self._refused(request, begun)
        if refusal:
            return refusal
        now = clock.now()
        return self._of_memory(request, host, now, begun) if now < self._look_at else None

    def answer(self, request: Request) -> Answer:
        """The answer. Nothing is raised: a fault is logged, and answered by what was served last, or 503."""
        begun = time.perf_counter()
        refusal, host = self._refused(request, begun)
        if refusal:
            return refusal
        now = clock.now()
        self._notice(now)
        if (known := self._of_memory(request, host, now, begun)) is not None:
            return known
        try:
            entry, source = self._looked_up(host, now)
        except StoreError as error:
            entry, source = self._last(host, now), FALLBACK
            self._complain(now, host, str(error))
            if entry is None:
                self.figures.count(FAILED, 503, time.perf_counter() - begun)
                return _plain(503, "robots.txt cannot be read at present", [("Retry-After", "60")])
        if entry is None:
            self.figures.count(NONE, 404, time.perf_counter() - begun)
            return _plain(404, "no robots.txt", [("Cache-Control", f"max-age={min(self._max_age_s, 60)}")])
        return self._counted(request, host, entry, source, begun)

    def _refused(self, request: Request, begun: float) -> tuple[Answer | None, str]:
        refusal, host = _refused(request)
        if refusal:
            self.figures.count(None, refusal.status, time.perf_counter() - begun)
        return refusal, host

    def _of_memory(self, request: Request, host: str, now: float, begun: float) -> Answer | None:
        entry = self._fresh(host, now)
        if entry is None:
            return None
        return self._counted(request, host, entry, FALLBACK if entry.fallback else MEMORY, begun)

    def _counted(self, request: Request, host: str, entry: _Entry, source: str, begun: float) -> Answer:
        answer = self._of_entry(request, host, entry)
        self.figures.count(source, answer.status, time.perf_counter() - begun)
        return answer

    def _of_entry(self, request: Request, host: str, entry: _Entry) -> Answer:
        body, vary, scope = entry.current, [], ""
        packable = bool(body[1])
        if entry.canary is not None:
            packable = packable or bool(entry.canary[1])
            # Who keeps an answer for others would give one client's version to all.
            scope = "private, "
            if self.client_header:
                vary.append(self.client_header)
            if portion(host, request.client) < entry.share:
                body = entry.canary
        if packable:
            vary.append("Accept-Encoding")
        plain, packed, tag = body
        packs = bool(packed) and _takes_gzip(request.accept_encoding)
        etag = f'"{tag}-gzip"' if packs else f'"{tag}"'
        headers = [("ETag", etag), ("Cache-Control", f"{scope}max-age={self._max_age_s}")]
        if vary:
            headers.append(("Vary", ", ".join(vary)))
        if _matches(request.if_none_match, etag):
            return Answer(304, headers, b"")
        octets = packed if packs else plain
        headers += [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(octets)))]
        if packs:
            headers.append(("Content-Encoding", "gzip"))
        return Answer(200, headers, b"" if request.method == "HEAD" else octets)

    def _fresh(self, host: str, now: float) -> _Entry | None:
        with self._lock:
            kept = self._entries.get(host)
            if kept is None:
                return None
            entry = _Entry(*kept)
            if now >= entry.fresh_until:
                return None
            self._entries.move_to_end(host)
            return entry

    def _last(self, host: str, now: float) -> _Entry | None:
        """What was served last, which is served on for a while."""
        with self._lock:
            kept = self._entries.get(host)
            if kept is None:
                return None
            entry = _Entry(*kept)._replace(fresh_until=now + _RETRY_S, fallback=True)
            self._entries[host] = entry.kept
            return entry

    def _looked_up(self, host: str, now: float) -> tuple[_Entry | None, str]:
        """Raises StoreError."""
        # Rules begin and end by the calendar.
        served = self._store.served(host, clock.wall(now))
        if served is None:
            self._forget(host)
            return None, NONE
        if served.fallback:
            self._complain(now, host, "the newest version cannot be read, the last valid one is served")
        entry = _entry(served)
        with self._lock:
            before = self._entries.pop(host, None)
            self._held_bytes += entry.size - (_Entry(*before).size if before else 0)
            self._entries[host] = entry.kept
            while self._held_bytes > self._memory_bytes and len(self._entries) > 1:
                self._held_bytes -= _Entry(*self._entries.popitem(last=False)[1]).size
        return entry, FALLBACK if served.fallback else STORE

    def _complain(self, now: float, host: str, why: str) -> None:
        """Log a fault, the first in some seconds: the figures count all."""
        if now >= self._complain_at:
            self._complain_at = now + _RETRY_S
            logger.error("robots.txt of %s: %s", printable(host), why)

    def _forget(self, host: str) -> None:
        with self._lock:
            if (kept := self._entries.pop(host, None)) is not None:
                self._held_bytes -= _Entry(*kept).size

    def _notice(self, now: float) -> None:
        """Look whether hosts have changed in the store, from time to time."""
        if now < self._look_at:
            return
        self._look_at = now + NOTICE_S
        try:
            self._seen, hosts = self._store.changed_since(self._seen)
        except StoreError as error:
            self._look_at = now + _RETRY_S
            self._complain(now, "all hosts", str(error))
            return
        with self._lock:
            for host in list(self._entries) if hosts is None else hosts:
                if (kept := self._entries.get(host)) is not None:
                    # It stays, for the case that the new one cannot be read.
                    self._entries[host] = _Entry(*kept)._replace(fresh_until=0.0).kept


def _entry(served: Served) -> _Entry:
    canary = _body(served.canary) if served.canary is not None else None
    return _Entry(_body(served.body), canary, served.share, clock.of_wall(served.ends), served.fallback)


def _body(body: bytes) -> _Body:
    packed = gzip.compress(body, mtime=0) if len(body) >= _PACKED_FROM else b""
    return body, packed, hashlib.sha256(body).hexdigest()[:32]


def portion(host: str, client: str) -> float:
    """Where a client stands among all, from 0 up to 1: the same for all addresses of its network (/24, of IPv6 /64).

    A crawler that comes from many addresses of a network sees one version; who sees a canary sees it at any larger
    share too, and for each host it is others.
    """
    digest = hashlib.sha256(f"{host} {_network(client)}".encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:6], "big") / 2**48


def _network(client: str) -> str:
    try:
        address = ipaddress.ip_address(client.partition("%")[0])
    except ValueError:
        return client[:_MAX_CLIENT]
    return str(ipaddress.ip_network((address, 24 if address.version == 4 else 64), strict=False))


def _refused(request: Request) -> tuple[Answer | None, str]:
    """The answer to what is no request for a robots.txt, or the host whose one it is for."""
    if request.path != "/robots.txt":
        return _plain(404, "only /robots.txt is served here"), ""
    if request.method not in ("GET", "HEAD"):
        return _plain(405, "GET or HEAD", [("Allow", "GET, HEAD")]), ""
    host = host_of(request.host)
    return (None, host) if host else (_plain(400, "no valid Host"), "")


def _takes_gzip(header: str) -> bool:
    """Whether an Accept-Encoding (RFC 9110 §12.5.3) names gzip, and not with the weight 0."""
    for part in header[:_MAX_HEADER].lower().split(","):
        name, _, weight = part.replace(" ", "").partition(";")
        if name in ("gzip", "x-gzip"):
            return not re.fullmatch(r"q=0(?:\.0*)?", weight)
    return False


def _matches(if_none_match: str, etag: str) -> bool:
    """RFC 9110 §13.1.2: by weak comparison."""
    header = if_none_match[:_MAX_HEADER].strip()
    return header == "*" or etag in _ETAG.findall(header)


def _plain(status: int, text: str, headers: Iterable[tuple[str, str]] = ()) -> Answer:
    body = f"{text}\n".encode()
    return Answer(
        status,
        [*headers, ("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))],
        body,
    )
