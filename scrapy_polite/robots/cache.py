"""The robots.txt of every origin, asked for once however many requests wait, kept in memory and in the store.

A file is fetched for an origin and the User-Agent that is sent, and read for a product token: the three are a key. A
page asks `look` (memory, at once) and, where that knows nothing, awaits `known`; a scheduler may instead `ask` and come
back later.
"""

from __future__ import annotations

import hashlib
import logging
import random
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scrapy_polite import _loop
from scrapy_polite.decision import Decision
from scrapy_polite.origin import Origin
from scrapy_polite.robots.access import (
    Access,
    Outcome,
    Policy,
    answered,
    failed,
    outcome_of,
    revalidated,
    says_not_now,
    standing,
)
from scrapy_polite.robots.fetcher import DownloadDeferred
from scrapy_polite.robots.flight import Flight
from scrapy_polite.robots.freshness import refresh_at
from scrapy_polite.store.holder import new_holder
from scrapy_polite.store.offset import SLACK_S, ClockOffset

if TYPE_CHECKING:
    from concurrent.futures import Future

    from scrapy_polite.robots.fetcher import Download, Fetcher, Reply, Result
    from scrapy_polite.store.crawl import CrawlStore
    from scrapy_polite.store.robots import Claim, RobotsCopy

logger = logging.getLogger(__name__)

#: Bodies above this are parsed in a thread, so that the loop goes on meanwhile.
PARSE_IN_THREAD_BYTES = 32_768
#: How long a claim to fetch lasts unless renewed, how often it is renewed, and how often others look for the result.
LEASE_S, LEASE_RENEWAL_S, LEASE_POLL_S = 15.0, 5.0, 0.25
#: After this long a download no longer counts among `concurrency`: servers that hang would keep all others out.
PLACE_S = 1.0
#: Bounds of the parsed files in memory: their number, and their size in octets, about. Lower: broad crawls read a copy
#: from the store and parse it each time its host's turn comes. Higher: more memory.
MAX_COUNT, MAX_BYTES = 10_000, 64 * 1024 * 1024
#: Memory of an entry besides its parsed rules, about.
_ENTRY_BYTES = 1_500


class Key(NamedTuple):
    """Whose file, which User-Agent it is asked for with (`identity.agent_key`), and whose groups are read.

    Keys that differ in their token alone share one copy.
    """

    origin: Origin
    agent: str
    token: str  # a lower-case product token, or "*" where there is none

    @property
    def sent(self) -> tuple[str, str]:
        """What decides the answer of the origin: the name of a copy in the store."""
        return str(self.origin), self.agent


class Rules(Protocol):
    """What the cache needs of a parsed file; `robots.rules.RobotsTxt` is one."""

    @property
    def size_bytes(self) -> int: ...

    def decide(self, url: str) -> Decision: ...


@dataclass(frozen=True, slots=True)
class CachedRobots:
    """What is known of one key: the copy (its body dropped) and, for a 2xx answer, the parsed rules.

    `error` is what the project's own code raised, where that is why the file could not be fetched. `digest` names the
    body of a 2xx answer (`digest_of`).
    """

    copy: RobotsCopy
    rules: Rules | None
    policy: Policy
    error: Exception | None = None
    digest: str = ""

    def decide(self, url: str, now: float) -> tuple[Decision, str]:
        """The decision on `url` at `now`, and its basis: fresh, stale or none."""
        current = standing(self.copy, now, self.policy)
        if current.access is Access.RULES and self.rules is not None:
            decision = self.rules.decide(url)
        elif current.access in (Access.OPEN, Access.DENIED):
            decision = Decision(current.access is Access.OPEN, current.reason, current.detail)
        else:
            decision = Decision(False, current.reason, current.detail, wait_until=current.ask_from)
        return self._named(decision), current.basis

    def _named(self, decision: Decision) -> Decision:
        """With the dialect as a part of the evidence, where it is not that of everyone."""
        if not (read_as := self.policy.read_as):
            return decision
        return replace(decision, detail=f"{decision.detail} ({read_as})" if decision.detail else read_as)

    @property
    def size_bytes(self) -> int:
        return _ENTRY_BYTES + (self.rules.size_bytes if self.rules else 0)


class RobotsCache:
    """Bounded by `max_count` keys and `max_bytes` of memory; what falls out is read from the store again.

    `parse(body, key)` makes the rules, `policy(origin)` says what else holds: both go by the dialect of the site.
    `listener(key, held, before, body)` hears of all that becomes known, with what was held before and the raw body;
    `earlier(key, held)` of what is known of the origin that may not be used any more, or was answered to another
    User-Agent, before it is asked: this request is to keep the pace, too.
    """

    def __init__(
        self,
        store: CrawlStore,
        fetcher: Fetcher,
        parse: Callable[[bytes, Key], Rules],
        policy: Callable[[Origin], Policy],
        *,
        concurrency: int = 16,
        max_count: int = MAX_COUNT,
        max_bytes: int = MAX_BYTES,
        listener: Callable[[Key, CachedRobots, CachedRobots | None, bytes], None] = lambda key, held, before, body: (
            None
        ),
        earlier: Callable[[Key, CachedRobots], object] = lambda key, held: None,
    ) -> None:
        self._store = store
        self._fetcher = fetcher
        self._clock = fetcher.clock
        self._parse = parse
        self._policy = policy
        self._places = _loop.Semaphore(concurrency)
        self._max_count, self._max_bytes = max_count, max_bytes
        self._held: OrderedDict[Key, CachedRobots] = OrderedDict()
        self._held_bytes = 0
        self._fetches: dict[tuple[str, str], Flight] = {}
        self._sleeps: set[_loop.Waiter[None]] = set()
        self._listener = listener
        self._earlier = earlier
        self._holder = new_holder()
        self._offset = ClockOffset()
        self._closed = False
        self._defects = 0
        #: How often a robots.txt was found in memory or in the store, or asked for in the network.
        self.from_memory = self.from_store = self.from_network = 0

    def look(self, key: Key) -> CachedRobots | None:
        """What is held in memory and may be used now; None where it has to be asked for (see `known`).

        A copy that is soon to expire is renewed in the background by `known` only.
        """
        held = self._held.get(key)
        if held is None:
            return None
        self._held.move_to_end(key)
        copy = held.copy
        if copy.failing_since is not None or _is_due_soon(copy, self._clock()):
            return None
        self.from_memory += 1
        return held

    async def known(
        self, key: Key, download: Download, deadline: float, *, patient: bool = True
    ) -> CachedRobots | None:
        """What holds for `key`, waiting up to `deadline` (epoch seconds) for it; None if it did not become known.

        Returns what is unreachable (so that the caller can say why) as soon as waiting cannot help before `deadline`;
        who is not `patient` gets it at once, and comes back when it is due.
        """
        began = self._clock()
        while not self._closed:
            held, now = self._held.get(key), self._clock()
            if held is None and key.sent not in self._fetches and await self._take_from_store(key, download):
                continue
            if held is not None:
                copy = held.copy
                closed = standing(copy, now, held.policy).access is Access.CLOSED
                if patient and closed and held.error is None and now < copy.due_at <= deadline:
                    await self._sleep(copy.due_at - now)
                    continue
                # In an outage the last good copy serves, and an answer that is stale at once serves who waited for it.
                serves = not closed and (copy.failing_since is not None or copy.fetched_at >= began)
                if now < copy.due_at or serves:
                    if _is_due_soon(copy, now):
                        self.ask(key, download)
                    return held
            if now >= deadline or not await self._landed(key, download, deadline - now):
                # Not known in time: as if there were no answer.
                at_once = self._policy(key.origin).closed_without_answer_s <= 0
                usable = held is not None and standing(held.copy, now, held.policy).access is Access.RULES
                return held if usable and at_once else None
        return None

    def ask(self, key: Key, download: Download, claim: Claim | None = None) -> None:
        """Have `key` fetched, or read from the store, in the background, unless that is under way already.

        `claim` is given where it is granted already.
        """
        if key.sent not in self._fetches and not self._closed:
            flight = self._fetches[key.sent] = Flight()
            flight.task = _loop.spawn(self._run_fetch(key, download, flight, claim))

    async def body(self, key: Key, cut: bool = False) -> bytes | None:
        """The raw body of the good copy in the store, or None. Cut bodies are given out with `cut` alone."""
        copy = await self._store.ask(lambda store: store.robots.get(*key.sent))
        return (
            copy.body
            if copy and outcome_of(copy.status or 0) is Outcome.RULES and (cut or not copy.truncated)
            else None
        )

    def close(self) -> None:
        """Cancel what is under way; whoever waits learns that nothing will come."""
        self._closed = True
        self._store.stop_listening()
        for flight in list(self._fetches.values()):
            if flight.task is not None:
                flight.task.addErrback(lambda _: None)
                flight.task.cancel()
            flight.land()
        for nap in list(self._sleeps):
            nap.fire(None)

    async def _take_from_store(self, key: Key, download: Download) -> bool:
        """Remember the store's copy, if it may still be used; else begin to fetch, where nobody else does.

        The way of most origins of an earlier crawl: one call of the store, no flight. True if `key` is known now.
        """
        claim = await self._claim(key, due=self._clock())
        if key in self._held or key.sent in self._fetches:
            return key in self._held
        if claim.granted:
            self.ask(key, download, claim)
        elif claim.copy is not None and self._clock() < claim.copy.due_at:
            self.from_store += 1
            await self._guarded(key, self._load(key, claim.copy))
            return True
        return False

    async def _landed(self, key: Key, download: Download, timeout_s: float) -> bool:
        self.ask(key, download)
        flight = self._fetches.get(key.sent)
        return True if flight is None else await flight.landing(timeout_s)

    async def _sleep(self, seconds: float) -> None:
        """Sleep until it is time to ask again; the closing of the crawl ends it."""
        nap: _loop.Waiter[None] = _loop.Waiter()
        nap.fire_after(seconds, None)
        self._sleeps.add(nap)
        try:
            await nap
        finally:
            self._sleeps.discard(nap)

    async def _run_fetch(self, key: Key, download: Download, flight: Flight, claim: Claim | None) -> None:
        asked = True
        try:
            await self._guarded(key, self._renew(key, download, claim))
        except DownloadDeferred:
            asked = False
        except _loop.CANCELLED:
            pass
        finally:
            self._fetches.pop(key.sent, None)
            flight.land(asked)

    async def _guarded(self, key: Key, work: Awaitable[None]) -> None:
        """Await `work`. A defect, ours or of a project's parser, closes the origin: no crawl stops or gets looser."""
        try:
            await work
        except (*_loop.CANCELLED, DownloadDeferred):
            raise
        except Exception as error:
            self._defects += 1
            logger.error(
                "Internal error in scrapy-polite while asking for %s",
                key.origin.robots_url,
                exc_info=self._defects == 1,
            )
            policy = self._policy(key.origin)
            copy = failed(None, *key.sent, self._clock(), policy, why=repr(error), retry_after_s=None)
            self._remember(key, CachedRobots(copy, None, policy))

    async def _renew(self, key: Key, download: Download, claim: Claim | None) -> None:
        # What the store has counts as due if it is no newer than what is held here.
        held = self._held.get(key)
        due = max(self._clock(), held.copy.due_at if held else 0.0)
        claim = claim or await self._claim(key, due)
        while not claim.granted and (claim.copy is None or claim.copy.due_at <= due):
            # Another process is at it. Its result will be in the store; if it dies, its lease ends.
            await _loop.sleep(LEASE_POLL_S * random.uniform(1.0, 1.5))
            claim = await self._claim(key, due)
        if claim.granted:
            claim = await self._with_earlier(key, claim, held, due)
        copy, error = await self._fetch(key, download, claim) if claim.granted else (claim.copy, None)
        if copy is None:
            return
        if copy.status is None and held is not None and held.rules is not None:
            # The store has lost the last good copy (it broke, or forgot); its rules are still held here.
            self._remember(key, replace(held, copy=_in_outage(held.copy, copy)))
        else:
            await self._load(key, copy, error)

    async def _fetch(self, key: Key, download: Download, claim: Claim) -> tuple[RobotsCopy, Exception | None]:
        """Ask the network, while holding the lease on this key; also returns what the project's own code raised.

        In that case the store is told nothing: other crawls have other code.
        """
        self.from_network += 1
        renewal = _loop.Every(LEASE_RENEWAL_S, lambda: self._store.fire_and_forget(self._renew_lease(key)))
        try:
            placed = partial(self._placed, download)
            result = await self._fetcher.fetch(key.origin, placed, _validators(claim.copy), partial(self._forbids, key))
        except BaseException:
            self._store.fire_and_forget(self._store.backend.robots.release(*key.sent, self._holder))
            raise
        finally:
            renewal.cancel()
        after = self._copy_after(key, claim.copy, result)
        if result.error is None:
            copy = after.moved(-self._offset.seconds)
            self._store.fire_and_forget(self._store.backend.robots.put(copy, self._holder, claim.fence))
        else:
            self._store.fire_and_forget(self._store.backend.robots.release(*key.sent, self._holder))
        return after, result.error

    async def _placed(
        self, download: Download, url: str, headers: Mapping[str, str], *, timeout_s: float, max_bytes: int
    ) -> Reply:
        """Download when there is a place for it; the pauses between attempts take none, nor does what hangs."""
        async with self._places.for_at_most(PLACE_S):
            return await download(url, headers, timeout_s=timeout_s, max_bytes=max_bytes)

    async def _claim(self, key: Key, due: float) -> Claim:
        """What the store answers, in our time. A copy that crawls with other bounds keep for longer is due by ours."""
        claim = await self._claim_by_store(key, due)
        copy = claim.copy and self._bounded(key, claim.copy)
        if copy is not None and claim.copy is not None and not claim.granted and copy.due_at <= due < claim.copy.due_at:
            claim = await self._claim_by_store(key, claim.copy.due_at)
            copy = claim.copy and self._bounded(key, claim.copy)
        return claim._replace(copy=copy)

    def _bounded(self, key: Key, copy: RobotsCopy) -> RobotsCopy:
        most = copy.fetched_at + self._policy(key.origin).bounds.max_s
        return replace(copy, expires_at=most) if copy.expires_at > most else copy

    async def _claim_by_store(self, key: Key, due: float) -> Claim:
        now = self._clock()
        # What differs between the clocks, unnoticed, must not make a copy due here that is never due there.
        due_in_s = max(due - now, 0.0) + SLACK_S
        claim = await self._store.ask(lambda store: store.robots.claim(*key.sent, self._holder, LEASE_S, due_in_s))
        self._offset.learn(now, claim.at, self._clock())
        return claim._replace(copy=claim.copy and claim.copy.moved(self._offset.seconds))

    async def _with_earlier(self, key: Key, claim: Claim, held: CachedRobots | None, due: float) -> Claim:
        """With what is known of the origin from before, whatever the User-Agent, and tells of it."""
        if held is not None:
            if held.rules is not None:
                self._earlier(key, held)
            return claim
        copies = await self._store.ask(lambda store: store.robots.of_origin(str(key.origin)))
        before = next((copy for copy in copies if copy.agent == key.token), None)
        if before is not None and claim.copy is None:
            return self._of_before(key, claim, before, due)
        known = [copy for copy in copies if outcome_of(copy.status or 0) is Outcome.RULES]
        if known and self._store.is_shared:
            newest = max(known, key=lambda copy: copy.updated_at)
            rules = await self._parsed(key, newest.body)
            here = replace(newest, body=b"").moved(self._offset.seconds)
            self._earlier(key, CachedRobots(here, rules, self._policy(key.origin)))
        return claim

    def _of_before(self, key: Key, claim: Claim, copy: RobotsCopy, due: float) -> Claim:
        """With the copy of a store of before schema 8, where copies went by the product token they were read for.

        Where it is not due it is taken over, and nothing is left to fetch.
        """
        copy = replace(copy, agent=key.agent)
        here = self._bounded(key, copy.moved(self._offset.seconds))
        if here.due_at <= due:
            return claim._replace(copy=here)
        self._store.fire_and_forget(self._store.backend.robots.put(copy, self._holder, claim.fence))
        self.from_store += 1
        return claim._replace(copy=here, granted=False)

    def _renew_lease(self, key: Key) -> Future[bool]:
        return self._store.backend.robots.renew(*key.sent, self._holder, LEASE_S)

    def _copy_after(self, key: Key, copy: RobotsCopy | None, result: Result) -> RobotsCopy:
        now, policy = self._clock(), self._policy(key.origin)
        if result.outcome is Outcome.UNREACHABLE:
            return failed(
                copy,
                *key.sent,
                now,
                policy,
                why=result.why,
                retry_after_s=result.retry_after_s,
                refused=says_not_now(result.status),
            )
        if result.not_modified and copy is not None:
            return revalidated(copy, now, policy, result.headers)
        status, why_missing = result.status or 0, ""
        if result.outcome is Outcome.MISSING and not 400 <= status < 500:
            status, why_missing = 404, result.why  # a redirect that leads nowhere, or a 5xx taken as such
        return answered(
            *key.sent,
            now,
            policy,
            status=status,
            headers=result.headers,
            body=result.body,
            truncated=result.truncated,
            hops=result.hops,
            why_missing=why_missing,
        )

    async def _load(self, key: Key, copy: RobotsCopy, error: Exception | None = None) -> None:
        rules, digest = None, ""
        if outcome_of(copy.status or 0) is Outcome.RULES:
            digest = digest_of(copy.body)
            rules = await self._parsed(key, copy.body)
        policy = self._policy(key.origin)
        self._remember(key, CachedRobots(replace(copy, body=b""), rules, policy, error, digest), copy.body)

    async def _parsed(self, key: Key, body: bytes) -> Rules:
        parse = partial(self._parse, body, key)
        return parse() if len(body) <= PARSE_IN_THREAD_BYTES else await _loop.in_thread(parse)

    def _remember(self, key: Key, held: CachedRobots, body: bytes = b"") -> None:
        before = self._forget(key)
        self._held[key] = held
        self._held_bytes += held.size_bytes
        while len(self._held) > self._max_count or (self._held_bytes > self._max_bytes and len(self._held) > 1):
            self._forget(next(iter(self._held)))
        self._listener(key, held, before, body)

    def _forget(self, key: Key) -> CachedRobots | None:
        held = self._held.pop(key, None)
        self._held_bytes -= held.size_bytes if held else 0
        return held

    def _forbids(self, asking: Key, url: str) -> bool:
        """Whether rules held for another origin forbid `url`, a redirect's target.

        The asking origin's own old rules do not count: by "Disallow: /" it would free itself.
        """
        origin = Origin.from_url(url)
        held = None if origin == asking.origin else self._held.get(asking._replace(origin=origin))
        return held is not None and held.rules is not None and not held.rules.decide(url).allowed


def digest_of(body: bytes) -> str:
    """The first 16 hexadecimal digits of a body's SHA-256, as `sha256sum` prints them."""
    return hashlib.sha256(body).hexdigest()[:16]


def _in_outage(good: RobotsCopy, outage: RobotsCopy) -> RobotsCopy:
    return replace(
        good,
        updated_at=outage.updated_at,
        failing_since=outage.failing_since,
        failures=outage.failures,
        next_try=outage.next_try,
        failure=outage.failure,
        refused_since=outage.refused_since,
    )


def _is_due_soon(copy: RobotsCopy, now: float) -> bool:
    """Whether a copy in use is to be renewed in the background."""
    return now >= (refresh_at(copy.fetched_at, copy.expires_at) if copy.failing_since is None else copy.next_try)


def _validators(copy: RobotsCopy | None) -> Mapping[str, str]:
    """The conditional request's headers for a copy that has a body to fall back on (RFC 9110 §13.1)."""
    if copy is None or outcome_of(copy.status or 0) is not Outcome.RULES or copy.hops:
        return {}
    validators = {"If-None-Match": copy.etag, "If-Modified-Since": copy.last_modified}
    return {name: value for name, value in validators.items() if value}
