"""The kinds of events. An `origin` is written as `str(Origin)`, or `(no origin)` where a URL has none; times are in
seconds. What comes from the network (URLs, details) is as it came, and to be escaped before it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request

    from scrapy_polite.decision import Decision
    from scrapy_polite.store.quarantines import Quarantine

RULES_STATES = ("fresh", "stale", "none", "unchecked")
"""What a page is requested under: rules that are fresh, the last good copy in an outage, no restrictions, rules that
nobody has looked at."""


@dataclass(frozen=True, slots=True)
class RequestSent:
    """A page's request goes to the network, under rules of one of RULES_STATES.

    `start`: it is one of the spider's start requests, for the first time. `found`: a page led to it. `robots` is the
    digest of the robots.txt copy that was asked (`CachedRobots.digest`), empty without one; `line` the line of it that
    allows the page, where one does.
    """

    origin: str
    rules: str
    start: bool = False
    robots: str = ""
    line: int | None = None
    found: bool = True


@dataclass(frozen=True, slots=True)
class RequestAnswered:
    """A page's request is over, so many `seconds` after it left, with an HTTP status; None: without an answer.

    It left at `sent_at`, and the answer began `began_s` later. `size_bytes` is of the body as it came. `delay_s` is the
    delay that was in force when it left, and `delay_source` what asks for that. `sent` is what was published when it
    left; None where robots.txt has no say in it. `error` says how it failed, without an answer.
    """

    origin: str
    status: int | None
    seconds: float
    url: str = ""
    sent_at: float = 0.0
    began_s: float = 0.0
    size_bytes: int = 0
    delay_s: float = 0.0
    delay_source: str = ""
    sent: RequestSent | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class RobotsAnswered:
    """A request for a robots.txt is over; the fields are those of RequestAnswered."""

    origin: str
    status: int | None
    seconds: float
    url: str
    sent_at: float
    size_bytes: int = 0


@dataclass(frozen=True, slots=True)
class LinkDeferred:
    """A link waits until the rest of its site is read: it is of a suspected group of URL patterns, `pattern` its first
    one."""

    url: str
    pattern: str


@dataclass(frozen=True, slots=True)
class RequestRefused:
    """A request, or a link before it becomes one, is refused; with `audit` it would have been, and goes on.

    `start`: it is one of the spider's start requests, or came of one by redirects or retries (`start_was_sent`).
    `request` is set where an errback hears of it.
    """

    origin: str
    url: str
    decision: Decision
    audit: bool = False
    start: bool = False
    start_was_sent: bool = False
    request: Request | None = None


@dataclass(frozen=True, slots=True)
class ItemDropped:
    """An item of the page `url` is dropped; with `audit` it would have been."""

    url: str
    decision: Decision
    audit: bool = False


@dataclass(frozen=True, slots=True)
class PageRevisited:
    """What came of a page under POLITE_RECRAWL: `new`, `changed`, `unchanged` (it came whole, and says the same),
    `not-modified` (304), `not-due` (it was not asked for), `audited-not-due` (an audit asks), `gone` (404, 410), or
    `lie` (304 though it had changed; `url` is the host then)."""

    url: str
    outcome: str


@dataclass(frozen=True, slots=True)
class RobotsApplied:
    """A robots.txt holds from now on; `text` says in words what it came to.

    `status` is the HTTP status of the last good answer, `body` its body and `digest` the body's; None and empty without
    one. `failing`: it cannot be read at present; `closed`: so nothing of its origin may be fetched.
    """

    origin: str
    text: str
    status: int | None = None
    digest: str = ""
    body: bytes = b""
    failing: bool = False
    closed: bool = False


@dataclass(frozen=True, slots=True)
class SitemapRead:
    """A sitemap that robots.txt leads to was read. `came` counts its entries by what came of them: "seeds", "sitemaps",
    "out of scope", "too long", "too deep". `fault` says why it was not read, or not to its end."""

    url: str
    came: Mapping[str, int]
    fault: str = ""

    @property
    def is_read(self) -> bool:
        """Whether anything of it was read, or there was nothing in it."""
        return bool(self.came) or not self.fault


@dataclass(frozen=True, slots=True)
class MainHostNamed:
    """The robots.txt of an origin names another host as the main one of its mirrors, in the Host line `line`. `why`
    says why its pages are not asked there; empty: they are."""

    origin: str
    line: str
    why: str


@dataclass(frozen=True, slots=True)
class RequestMoved:
    """A request for a page of a mirror is made at the main host, as the URL `there`."""

    origin: str
    url: str
    there: str


@dataclass(frozen=True, slots=True)
class RobotsWait:
    """A request has waited for its origin's robots.txt."""

    origin: str
    seconds: float


@dataclass(frozen=True, slots=True)
class HostWait:
    """The next request of an origin has waited for its host's turn."""

    origin: str
    seconds: float


@dataclass(frozen=True, slots=True)
class WaitTooLong:
    """A request that waits in place, as those of media pipelines do, is refused after POLITE_WAIT_MAX."""

    url: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class PaceSet:
    """A delay is in force for an origin; `text` says which and what asks for it, empty: none. `capped`: robots.txt asks
    for a longer one than is kept, `asked_s`."""

    origin: str
    text: str
    capped: bool = False
    seconds: float = 0.0
    source: str = ""
    asked_s: float = 0.0


@dataclass(frozen=True, slots=True)
class HostClosed:
    """A host is left alone for so many seconds, because of `why`."""

    host: str
    origin: str
    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class HostOpened:
    """A host that was closed has answered well."""

    host: str
    origin: str


@dataclass(frozen=True, slots=True)
class HostAbandoned:
    """Nobody waits for a host, or an origin, any longer; so many requests to it are refused then."""

    host: str
    why: str
    requests: int


@dataclass(frozen=True, slots=True)
class LongUrl:
    """A link is long, though within the limit."""

    origin: str


@dataclass(frozen=True, slots=True)
class GroupSuspected:
    """A group of URL patterns looks endless: its links wait from now on."""

    group: Quarantine


@dataclass(frozen=True, slots=True)
class GroupCleared:
    """A group is no longer suspected."""

    group: Quarantine


@dataclass(frozen=True, slots=True)
class GroupDecided:
    """A person's decision on a group of URL patterns holds from now on: "confirmed" or "released"."""

    group: Quarantine


@dataclass(frozen=True, slots=True)
class GroupEnded:
    """A suspected group is followed no further."""

    group: Quarantine


@dataclass(frozen=True, slots=True)
class LinksLeft:
    """So many links of a group stay behind at the end of the crawl."""

    group: Quarantine
    links: int


@dataclass(frozen=True, slots=True)
class LinkLeft:
    """A link stays behind at the end of the crawl, and nothing keeps it."""

    origin: str
    url: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class LimitUnmet:
    """What is queued cannot be requested by `until` (epoch seconds of the system's clock), because of a `setting` or a
    line of robots.txt: of what is queued for `host` the `share` will have been, and so many `requests` are left then.

    `host` is the one of which least will have been, where a limit is of the whole crawl; empty: no host alone takes so
    long. `text` says it in a sentence, `advice` what to do.
    """

    setting: str
    host: str
    until: float
    share: float
    requests: int
    text: str
    advice: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A part that the crawl relies on has failed: "store", "queue" or "run_record"; `text` says how."""

    part: str
    text: str


@dataclass(frozen=True, slots=True)
class Recovered:
    """A part that had failed works again."""

    part: str


Event: TypeAlias = (
    RequestSent
    | RequestAnswered
    | RobotsAnswered
    | LinkDeferred
    | PageRevisited
    | RequestRefused
    | ItemDropped
    | RobotsApplied
    | SitemapRead
    | MainHostNamed
    | RequestMoved
    | RobotsWait
    | HostWait
    | WaitTooLong
    | PaceSet
    | HostClosed
    | HostOpened
    | HostAbandoned
    | LongUrl
    | GroupSuspected
    | GroupCleared
    | GroupDecided
    | GroupEnded
    | LinksLeft
    | LinkLeft
    | LimitUnmet
    | Fault
    | Recovered
)
