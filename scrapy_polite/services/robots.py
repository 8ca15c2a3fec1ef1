"""The robots.txt part of one crawl: `robots/` wired to Scrapy's engine, settings, store and events.

What the middleware, the commands and a scheduler share: `shared(crawler, CrawlRobots)`.
"""

from __future__ import annotations

import logging
import math
import socket
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from scrapy import Request, signals
from scrapy.utils.misc import build_from_crawler, load_object

from scrapy_polite import _loop, clock
from scrapy_polite._crawl import shared
from scrapy_polite._engine import Engine, RobotsDownload
from scrapy_polite.decision import Decision
from scrapy_polite.events import Events, RequestSent, RobotsApplied, RobotsWait
from scrapy_polite.identity import (
    agent_key,
    agent_name,
    default_user_agent,
    request_user_agent,
    token_of,
    user_agent_and_source,
)
from scrapy_polite.origin import Origin, origin_of
from scrapy_polite.robots.access import Access, Outcome, Policy, outcome_of, standing
from scrapy_polite.robots.cache import CachedRobots, Key, RobotsCache, Rules
from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.robots.fetcher import Download, Fetcher
from scrapy_polite.robots.freshness import Bounds
from scrapy_polite.robots.parser import PoliteRobotParser
from scrapy_polite.robots.rfc import RFC
from scrapy_polite.robots.rules import MAX_BYTES, RobotsTxt
from scrapy_polite.services.store import StoreService
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from scrapy.crawler import Crawler
    from scrapy.robotstxt import RobotParser
    from typing_extensions import Self

    from scrapy_polite.store.robots import RobotsCopy

logger = logging.getLogger(__name__)

#: At a person's prompt nobody waits longer than this for a robots.txt, nor then for a host that is closed: 30 s in all.
PROMPT_WAIT_S = 15.0
_RESOLVE_TIMEOUT_S = 5.0
#: So many User-Agents of requests' own get a robots.txt each; more would have every origin asked time and again.
MAX_USER_AGENTS = 8
PROMPT_COMMANDS = ("shell", "fetch", "parse")
#: What a crawl does with a robots.txt -> in words.
MODES = {
    "obey": "obeyed",
    "audit": "audited, nothing is refused",
    "annotate": "marked on the pages, nothing is refused",
    "never": "not asked for",
}


class CrawlRobots:
    """One crawl's robots.txt files, what they say, and who is told."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = ref(crawler)
        self.settings = settings = shared(crawler, PoliteSettings)
        self._events = shared(crawler, Events)
        #: What is published of a request that robots.txt allows when it is sent; and of one sent in an audit whose
        #: robots.txt is still on its way, when that is known.
        self._allowed: WeakKeyDictionary[Request, RequestSent] = WeakKeyDictionary()
        self._sent_unchecked: WeakKeyDictionary[Request, RequestSent] = WeakKeyDictionary()
        self._engine = shared(crawler, Engine)
        self._robots_user_agent: str | None = crawler.settings["ROBOTSTXT_USER_AGENT"]
        self._default_user_agent: str | None = None
        #: Agent and token of keys, by the User-Agent of a request's own.
        self._names: dict[str | None, tuple[str, str]] = {}
        self._told_of_user_agents = False
        self._foreign_parser = _foreign_parser(crawler)
        #: What is done with the robots.txt of sites of which POLITE_SITES says nothing: a key of MODES.
        self.inherited = inherited_mode(crawler, settings)
        #: The middleware that refuses is there: pages wait until their robots.txt is known, where `mode` is obey.
        self.enforced = False
        is_awaited = at_prompt(sys.orig_argv, (*PROMPT_COMMANDS, "check"))
        self.wait_max_s = min(settings.wait_max, PROMPT_WAIT_S) if at_prompt(sys.orig_argv) else settings.wait_max
        base = Policy(
            bounds=Bounds(settings.robots_min_age, settings.robots_max_age, settings.robots_default_age),
            closed_by_answer_s=settings.robots_closed_by_answer,
            closed_without_answer_s=settings.robots_closed_without_answer,
            open_when_given_up=settings.robots_after_outage == "open",
        )
        self._policies = {name: base.of(name) for name in DIALECTS}
        self._store = shared(crawler, StoreService)
        self.fetcher = Fetcher(
            sleep=_loop.sleep,
            clock=clock.now,
            resolve=_resolve,
            timeout_s=min(settings.robots_timeout, PROMPT_WAIT_S) if is_awaited else settings.robots_timeout,
            attempts=1 if is_awaited else settings.robots_attempts,
            not_found_5xx=settings.robots_not_found_5xx,
        )
        #: Told what was known of an origin before it is asked (see `RobotsCache`).
        self.earlier: Callable[[Origin, CachedRobots], object] = lambda origin, held: None
        self.cache = RobotsCache(
            self._store,
            self.fetcher,
            lambda body, key: self._parse(body, key.token, self.settings.dialect(key.origin)),
            self.policy,
            concurrency=settings.robots_concurrency,
            listener=self._learned,
            earlier=lambda key, held: self.earlier(key.origin, held),
        )
        crawler.signals.connect(self._spider_opened, signals.spider_opened)
        crawler.signals.connect(self.cache.close, signals.engine_stopped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def policy(self, origin: Origin | None) -> Policy:
        """What holds for an origin's robots.txt besides its rules, by its dialect; None: for that of no site."""
        return self._policies[self.settings.dialect(origin)]

    def mode(self, origin: Origin) -> str:
        """What is done with an origin's robots.txt: a key of MODES."""
        robots = self.settings.sites.policy(origin).robots
        return self.inherited if robots == "inherit" else "obey" if robots == "always" else robots

    def key(self, origin: Origin, request: Request) -> Key:
        """Whose robots.txt holds for a request, what it is asked for with, and the name it is read for."""
        own = request_user_agent(request)
        agent, token = self._names.get(own) or self._names_of(own)
        return Key(origin, agent, token)

    @property
    def default_agent(self) -> str:
        """The `agent_key` of what is sent, unless a request brings a User-Agent of its own."""
        return agent_key(self._user_agent())

    @property
    def default_token(self) -> str:
        """The product token that robots.txt files are read for, unless a request brings a User-Agent of its own."""
        return self._token(self._user_agent())

    @property
    def token_source(self) -> str:
        """The name of what sets `default_token`."""
        crawler = self._crawler()
        if self._robots_user_agent or crawler is None:
            return "ROBOTSTXT_USER_AGENT"
        return user_agent_and_source(crawler)[1]

    def clean_params(self, origin: Origin) -> tuple[str, ...]:
        """The Clean-param lines of an origin's robots.txt, as far as it is known."""
        held = self.cache.look(Key(origin, self.default_agent, self.default_token))
        return getattr(held.rules, "clean_params", ()) if held is not None else ()

    def read(self, copy: RobotsCopy) -> CachedRobots:
        """What a copy means to this crawl, without taking it into the cache."""
        policy = self.policy(origin_of(copy.origin))  # none of a file
        rules = None
        if outcome_of(copy.status or 0) is Outcome.RULES:
            rules = self._parse(copy.body, self.token_for(copy), policy.dialect)
        return CachedRobots(copy, rules, policy)

    def token_for(self, copy: RobotsCopy) -> str:
        """The product token that this crawl reads a copy for, which another may have fetched."""
        return token_of(self._robots_user_agent) if self._robots_user_agent else agent_name(copy.agent)

    def way(self, request: Request, target: str) -> RobotsDownload:
        """How a robots.txt comes for the pages of a request: as `key` says, and by the same proxy."""
        own = request_user_agent(request)
        if own and own not in self._names:
            request = request.copy()
            del request.headers[b"User-Agent"]
        return RobotsDownload(self._engine, request, target)

    async def known(self, key: Key, way: Download, deadline: float, *, patient: bool = True) -> CachedRobots | None:
        """As RobotsCache.known, and tells how long that took."""
        started = time.monotonic()
        held = await self.cache.known(key, way, deadline, patient=patient)
        waited_s = time.monotonic() - started
        if waited_s >= 0.01:
            self._events.publish(RobotsWait(str(key.origin), waited_s))
        return held

    def allow(self, request: Request, event: RequestSent) -> None:
        """Robots.txt has nothing against a request, or is still to be asked (`event.rules` is empty)."""
        self._allowed[request] = event

    def leaves(self, request: Request) -> RequestSent | None:
        """Publish that a request goes to the network. Returns what is published of it, now or later, if anything is."""
        event = self._allowed.pop(request, None)
        if event is not None and event.rules:
            self._events.publish(event)
        elif event is not None:
            self._sent_unchecked[request] = event
        return event

    def audited(self, request: Request, rules: str) -> None:
        """The rules for a request that did not wait for them are known, before or after it was sent."""
        if (waiting := self._allowed.get(request)) is not None:
            self._allowed[request] = replace(waiting, rules=rules)
        elif (event := self._sent_unchecked.pop(request, None)) is not None:
            self._events.publish(replace(event, rules=rules))

    def _token(self, user_agent: str) -> str:
        return token_of(self._robots_user_agent or user_agent)

    def _names_of(self, own: str | None) -> tuple[str, str]:
        """Agent and token of the `Key`s of requests whose own User-Agent is this one; None: they have none."""
        default = self._user_agent()
        token = self._token(own or default)
        if (
            own
            and own != default
            and len(self._names) >= MAX_USER_AGENTS + len({None, "", default} & self._names.keys())
        ):
            self._tell_of_user_agents()
            return agent_key(default), token
        names = self._names[own] = agent_key(own or default), token
        return names

    def _tell_of_user_agents(self) -> None:
        if not self._told_of_user_agents:
            self._told_of_user_agents = True
            logger.warning(
                "More than %d User-Agents are sent: for the others robots.txt is asked for as %r, once for all of them",
                MAX_USER_AGENTS,
                printable(self._user_agent(), 100),
                extra={"spider": getattr(self._crawler(), "spider", None)},
            )

    def _user_agent(self) -> str:
        if self._default_user_agent is None:
            crawler = self._crawler()
            # As the header that Scrapy makes of it is read.
            sent = default_user_agent(crawler) if crawler else ""
            self._default_user_agent = sent.encode("utf-8", "replace").decode("latin-1")
        return self._default_user_agent

    def _parse(self, body: bytes, token: str, dialect: str) -> Rules:
        crawler = self._crawler()
        # Who names another dialect wants it, and no parser of the project's own has it.
        if self._foreign_parser is not None and crawler is not None and dialect == RFC.name:
            return _ForeignRules(build_from_crawler(self._foreign_parser, crawler, body), body, token)
        return RobotsTxt.parse(body, token, dialect=DIALECTS[dialect])

    def _learned(self, key: Key, held: CachedRobots, before: CachedRobots | None, body: bytes) -> None:
        now = clock.now()
        copy = held.copy
        failing = copy.failing_since is not None
        closed = failing and standing(copy, now, held.policy).access is Access.CLOSED
        state = describe(held, now, self.mode(key.origin))
        self._events.publish(RobotsApplied(str(key.origin), state, copy.status, held.digest, body, failing, closed))
        if failing and (before is None or before.copy.failing_since is None):
            self._warn(key, held, now)
        if held.rules is not None and (before is None or before.copy.fetched_at != held.copy.fetched_at):
            self._announce(key, held, held.rules, body)
            if copy.truncated and (before is None or before.digest != held.digest):
                self._warn_of_cut(key)

    def _warn(self, key: Key, held: CachedRobots, now: float) -> None:
        access = standing(held.copy, now, held.policy).access
        means = {
            Access.RULES: "the last good copy is used",
            Access.OPEN: "it has been so for so long that no restrictions hold",
            Access.CLOSED: "nothing there is fetched until it answers",
            Access.DENIED: "nothing there is fetched",
        }[access]
        if access is Access.CLOSED and held.rules is not None:
            by_answer = held.copy.refused_since is not None
            closed_s = held.policy.closed_by_answer_s if by_answer else held.policy.closed_without_answer_s
            if closed_s != math.inf:
                means += f", for {duration(closed_s)} at most, then the last good copy is used"
        if held.error is not None:
            logger.error(
                "%s was not fetched because of the project's own code: %s. %s",
                key.origin.robots_url,
                printable(held.copy.failure),
                "The last good copy is used" if held.rules is not None else "Pages there fail with the same error",
                extra={"spider": getattr(self._crawler(), "spider", None)},
            )
            return
        logger.warning(
            "%(robots)s is unreachable (%(why)s): %(means)s; next try in %(next)s%(hint)s",
            {
                "robots": key.origin.robots_url,
                "why": printable(held.copy.failure),
                "means": means,
                "next": duration(held.copy.next_try - now),
                # An outage is remembered across runs, so that each does not ask again.
                "hint": f"; `scrapy robots forget {key.origin}` asks anew" if self._store.backend.lasting else "",
            },
            extra={"spider": getattr(self._crawler(), "spider", None)},
        )

    def _warn_of_cut(self, key: Key) -> None:
        logger.warning(
            "%s is longer than %s KiB: what stands behind that is not read, as with Google, so it may disallow pages "
            "that are fetched",
            key.origin.robots_url,
            MAX_BYTES // 1024,
            extra={"spider": getattr(self._crawler(), "spider", None)},
        )

    def _announce(self, key: Key, held: CachedRobots, rules: Rules, body: bytes) -> None:
        """Send Scrapy's `robots_parsed` (2.18+), for others who listen to it."""
        crawler = self._crawler()
        signal = getattr(signals, "robots_parsed", None)
        if crawler is None or signal is None:
            return
        dialect = DIALECTS[held.policy.dialect]
        parser = rules.parser if isinstance(rules, _ForeignRules) else PoliteRobotParser(body, dialect)
        crawler.signals.send_catch_log(signal, robotparser=parser, request=Request(key.origin.robots_url))

    def _spider_opened(self) -> None:
        self._engine.call_when_closing(self.cache.close)
        self._engine.unbind_connections()
        self._engine.bound_headers()


class _ForeignRules:
    """The project's own ROBOTSTXT_PARSER, asked as Scrapy asks it: for what is allowed. It knows no lines. What else
    the file says, such as Crawl-delay, is read by us: Scrapy's interface has nothing for it."""

    def __init__(self, parser: RobotParser, body: bytes, token: str) -> None:
        self.parser = parser
        self._token = token
        declared = RobotsTxt.parse(body, token)
        self.crawl_delay = declared.crawl_delay
        self.request_rate = declared.request_rate
        self.visit_time = declared.visit_time
        self.clean_params = declared.clean_params
        self.sitemaps = declared.sitemaps
        self.host = declared.host
        self.size_bytes = 2_000 + 10 * len(body)

    def decide(self, url: str) -> Decision:
        name = f"{type(self.parser).__name__}, the project's parser"
        try:
            allowed = self.parser.allowed(url, self._token)
        except Exception as error:  # noqa: BLE001 (a stranger's code, on a stranger's data)
            return Decision(False, "robots/parser-failed", f"{name}, raised {error!r}"[:300])
        return Decision(allowed, "robots/allow" if allowed else "robots/disallow", f"says {name}")


def _foreign_parser(crawler: Crawler) -> Any:
    """The class that the project itself has set as ROBOTSTXT_PARSER, unless it is ours."""
    settings = crawler.settings
    if not settings.getpriority("ROBOTSTXT_PARSER"):
        return None
    parser = load_object(settings["ROBOTSTXT_PARSER"])
    return None if parser is PoliteRobotParser else parser


async def _resolve(host: str) -> list[str]:
    """The addresses of a host name, none if it has none. Raises TimeoutError."""
    try:
        found = await _loop.in_thread(
            partial(socket.getaddrinfo, host, None, type=socket.SOCK_STREAM), timeout_s=_RESOLVE_TIMEOUT_S
        )
    except TimeoutError:
        raise
    except (OSError, UnicodeError):
        return []
    return [str(address[0]) for *_, address in found]


def robots_in_words(crawler: Crawler, settings: PoliteSettings) -> str:
    """What a crawl does with robots.txt."""
    mode = inherited_mode(crawler, settings)
    always = mode != "obey" and settings.sites.robots_always
    return MODES[mode] + (", but obeyed where POLITE_SITES says 'always'" if always else "")


def inherited_mode(crawler: Crawler, settings: PoliteSettings) -> str:
    """What is done with the robots.txt of a site of which POLITE_SITES says nothing: a key of MODES."""
    if crawler.settings.getbool("ROBOTSTXT_OBEY"):
        return "audit" if settings.audits("robots") else "obey"
    # Scrapy's default is no wish of the project's: without the add-on nothing is asked for.
    return "audit" if crawler.settings.getpriority("ROBOTSTXT_OBEY") else "never"


def at_prompt(argv: list[str], commands: Collection[str] = PROMPT_COMMANDS) -> bool:
    """Whether this process is one of these commands of `scrapy` (Scrapy removes the command from `sys.argv`)."""
    words = [word for word in argv if not word.startswith("-")]
    after = next((i + 1 for i, word in enumerate(words) if Path(word).name in ("scrapy", "scrapy.exe")), None)
    return after is not None and after < len(words) and words[after] in commands


def describe(held: CachedRobots, now: float, mode: str = "obey") -> str:
    """What a robots.txt does to its origin, in words; `mode` is a key of MODES."""
    current = standing(held.copy, now, held.policy)
    detail = printable(current.detail, 80)
    if read_as := held.policy.read_as:
        detail += f", {read_as}"
    count = getattr(held.rules, "rule_count", None)
    rules = "rules" if count is None else counted(count, "rule")
    state, means = {
        Access.CLOSED: ("unreachable", ": nothing is fetched"),
        Access.DENIED: ("denied", ": nothing is fetched"),
        Access.OPEN: ("none", ": no restrictions"),
    }.get(current.access, (rules, ""))
    if not means and held.copy.truncated:
        detail += ", cut at the size limit"
    if mode != "obey":
        return f"{state} ({detail}): {MODES[mode]}"
    return f"{state}{'' if means else ' obeyed'} ({detail}){means}"
