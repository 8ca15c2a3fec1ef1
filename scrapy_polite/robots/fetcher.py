"""Fetching one robots.txt: redirects (RFC 9309 §2.3.1.2), attempts, what came of it.

Knows no Scrapy: it is given a `Download` coroutine function; `_engine` has the one that uses Scrapy's engine.
Whatever the network does, `Fetcher.fetch` returns a `Result`; it raises only if it is cancelled, or nothing is sent.
"""

from __future__ import annotations

import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urldefrag, urljoin, urlsplit, urlunsplit

from scrapy_polite.origin import Origin, is_address, is_private_address
from scrapy_polite.robots.access import Outcome, outcome_of
from scrapy_polite.robots.freshness import retry_after_cut, retry_after_s
from scrapy_polite.robots.rules import MAX_BYTES

REDIRECTS = frozenset({301, 302, 303, 307, 308})
#: Redirects followed from a robots.txt: RFC 9309 §2.3.1.2 asks for at least five. Fewer: sites that redirect more often
#: count as without rules.
MAX_REDIRECTS = 5
#: Pause before the second attempt, doubled with each further one. Shorter: a server that restarts is not up yet.
RETRY_DELAY_S = 2.0
#: A longer Retry-After of a robots.txt counts as this: RFC 9309 §2.4's 24 h. Longer: one wrong header closes an origin
#: for a month.
MAX_RETRY_AFTER_S = 86_400.0
#: What is looked for, and how far, in a 5xx body with `POLITE_ROBOTS_NOT_FOUND_5XX`.
_NOT_FOUND = re.compile(rb"not[\s-]+found", re.IGNORECASE)
_NOT_FOUND_BYTES = 4_096


class DownloadFailed(Exception):
    """No answer, or a broken one. The message is a phrase that says why: `timed out after 30 s`.

    `error` is what the project's own code raised, where that is the reason and no fault of the server's.
    """

    def __init__(self, why: str, error: Exception | None = None) -> None:
        super().__init__(why)
        self.error = error


class DownloadDeferred(Exception):
    """Nothing was sent: the host is closed for long, or the crawl is about to end. The message is a phrase."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One HTTP answer: `headers` by lower-case name, `body` decoded and at most as long as asked for."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool
    elapsed_s: float


class Download(Protocol):
    def __call__(self, url: str, headers: Mapping[str, str], *, timeout_s: float, max_bytes: int) -> Awaitable[Reply]:
        """Fetch `url` with GET, following nothing. Raises DownloadFailed or DownloadDeferred."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a fetch came to. `status` is that of the last answer (None: there was none, or it could not be used).

    `why` is a phrase for a person; `hops` are the URLs that redirects led to, in order; `error` is DownloadFailed's.
    """

    outcome: Outcome
    why: str
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    truncated: bool = False
    not_modified: bool = False
    hops: tuple[str, ...] = ()
    retry_after_s: float | None = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Fetcher:
    """How robots.txt files are fetched in one crawl.

    `resolve(host)` returns the IP addresses of a host name, none where it cannot be resolved, or raises TimeoutError;
    `sleep(seconds)` and `clock()` (epoch seconds) are given.
    """

    sleep: Callable[[float], Awaitable[None]]
    clock: Callable[[], float]
    resolve: Callable[[str], Awaitable[list[str]]]
    timeout_s: float = 30.0
    max_bytes: int = MAX_BYTES
    max_redirects: int = MAX_REDIRECTS
    attempts: int = 3
    retry_delay_s: float = RETRY_DELAY_S
    retry_after_max_s: float = MAX_RETRY_AFTER_S
    not_found_5xx: bool = False

    async def fetch(
        self,
        origin: Origin,
        download: Download,
        validators: Mapping[str, str],
        forbidden: Callable[[str], bool] = lambda url: False,
        url: str = "",
    ) -> Result:
        """Ask until there is a good answer or the attempts are used up.

        `validators` are the conditional request's headers (RFC 9110 §13.1); they are sent to the first URL only.
        `forbidden(url)` says whether rules that are held already forbid a redirect's target. `url` is what is asked
        for in place of the origin's robots.txt.
        Raises DownloadDeferred where that is all that there is to say.
        """
        for attempt in range(1, self.attempts + 1):
            try:
                result = await self._attempt(origin, download, validators, forbidden, url or origin.robots_url)
            except DownloadDeferred:
                if attempt == 1:
                    raise
                break
            if result.outcome is not Outcome.UNREACHABLE or result.error is not None:
                break
            pause_s = self.retry_delay_s * 2 ** (attempt - 1) * random.uniform(1.0, 1.25)
            asked_s = result.retry_after_s or 0.0
            if attempt == self.attempts or asked_s > self.timeout_s:
                break
            await self.sleep(max(pause_s, asked_s))
        return result

    async def _attempt(
        self,
        origin: Origin,
        download: Download,
        validators: Mapping[str, str],
        forbidden: Callable[[str], bool],
        first: str,
    ) -> Result:
        url, headers, left_s = first, validators, self.timeout_s
        hops: list[str] = []
        while True:
            try:
                reply = await download(url, headers, timeout_s=left_s, max_bytes=self.max_bytes)
            except DownloadFailed as error:
                return Result(Outcome.UNREACHABLE, str(error), hops=tuple(hops), error=error.error)
            except DownloadDeferred as error:
                if not hops:
                    raise
                return Result(Outcome.UNREACHABLE, f"redirected, and then: {error}", hops=tuple(hops))
            if reply.status not in REDIRECTS:
                return self._judge(reply, tuple(hops), asked_conditionally=bool(validators) and not hops)
            target = _redirect_target(url, reply)
            asked_at = self.clock()
            try:
                dead_end = await self._dead_end(origin, first, target, hops)
            except TimeoutError:
                return Result(Outcome.UNREACHABLE, "a redirect's host name was not resolved in time", hops=tuple(hops))
            if not dead_end and forbidden(target):
                dead_end = "a redirect to a URL that its own robots.txt forbids"
            if dead_end:
                return Result(Outcome.MISSING, dead_end, status=reply.status, headers=reply.headers, hops=tuple(hops))
            left_s -= reply.elapsed_s + max(self.clock() - asked_at, 0.0)
            if left_s <= 0:
                return Result(Outcome.UNREACHABLE, f"timed out after {self.timeout_s:g} s", hops=tuple(hops))
            hops.append(target)
            url, headers = target, {}

    def _judge(self, reply: Reply, hops: tuple[str, ...], *, asked_conditionally: bool) -> Result:
        outcome, why, not_modified = outcome_of(reply.status), f"HTTP {reply.status}", False
        if reply.status == 304 and asked_conditionally:
            outcome, not_modified = Outcome.RULES, True
        elif outcome is Outcome.UNREACHABLE and self.not_found_5xx and _says_not_found(reply):
            outcome, why = Outcome.MISSING, f'HTTP {reply.status} with a page that says "not found"'
        retry_after = None
        if outcome is Outcome.UNREACHABLE:
            now = self.clock()
            retry_after = retry_after_s(reply.headers, now, self.retry_after_max_s)
            why += retry_after_cut(reply.headers, now, self.retry_after_max_s)
        return Result(
            outcome=outcome,
            why=why,
            status=reply.status,
            headers=reply.headers,
            body=reply.body if outcome is Outcome.RULES else b"",
            truncated=reply.truncated,
            not_modified=not_modified,
            hops=hops,
            retry_after_s=retry_after,
        )

    async def _dead_end(self, origin: Origin, first: str, target: str, hops: list[str]) -> str:
        """Why a redirect to `target` is not followed; empty if it is. What was asked for counts as missing."""
        if len(hops) >= self.max_redirects:
            return f"more than {self.max_redirects} redirects"
        if target == first or target in hops:
            return "a redirect loop"
        try:
            to = Origin.from_url(target)
        except ValueError:
            return "a redirect without a usable target"
        if to.scheme not in ("http", "https"):
            return f"a redirect to {to.scheme}"
        if to.host != origin.host and await self.leads_inside(origin.host, to.host):
            return "a redirect from a public to a private address"
        return ""

    async def leads_inside(self, host: str, target: str) -> bool:
        """Whether `target` has a private address though `host` has a public one. Raises TimeoutError.

        A name that cannot be resolved here is either a proxy's to resolve, or the download will fail by itself.
        """
        if not any(map(is_private_address, await self._addresses(target))):
            return False
        addresses = await self._addresses(host)
        return not addresses or not all(map(is_private_address, addresses))

    async def _addresses(self, host: str) -> list[str]:
        if host == "localhost" or host.endswith(".localhost"):
            return ["127.0.0.1"]
        return [host] if is_address(host) else await self.resolve(host)


def _redirect_target(url: str, reply: Reply) -> str:
    """The absolute URL that a redirect names, without fragment or credentials; empty if it names none."""
    location = reply.headers.get("location", "").strip()
    if not location or len(location) > 8_192:
        return ""
    try:
        parts = urlsplit(urldefrag(urljoin(url, location)).url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
    except ValueError:
        return ""


def _says_not_found(reply: Reply) -> bool:
    return 500 <= reply.status < 600 and _NOT_FOUND.search(reply.body[:_NOT_FOUND_BYTES]) is not None
