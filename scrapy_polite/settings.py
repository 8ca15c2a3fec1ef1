"""Every `POLITE_*` setting, declared once: name, type, default, unit, one sentence. docs/settings.md is made from it.

A value that cannot be meant stops the crawl at start with a `SettingsError` that names setting, value and expectation.
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy.utils.misc import load_object

from scrapy_polite.blacklist.sources import Source
from scrapy_polite.origin import Origin
from scrapy_polite.pacing.budget import Budget
from scrapy_polite.store.factory import EXPECTED, StoreLocation, StoreUrlError
from scrapy_polite.traps.limits import DEFAULT_LIMITS, Limits
from scrapy_polite.traps.url_rules import RULES, UrlRules
from scrapy_polite.visited.bloom import MAX_ERROR_RATE, MIN_ERROR_RATE
from scrapy_polite.visited.canonical import DEFAULT_OPTIONS, KeyOptions

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self


_T = TypeVar("_T")


class SettingsError(ValueError):
    """Settings that cannot be meant; `errors` has a sentence for each, the message a line."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("scrapy-polite cannot start:\n" + "\n".join(f"  - {error}" for error in errors))
        self.errors = tuple(errors)


class _PartError(ValueError):
    """What is wrong with a part of a value, in full: neither the whole of it nor what it should be need be told."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a setting may hold: a phrase for a person, and a reader that returns the value or raises ValueError."""

    expected: str
    read: Callable[[Any], Any]

    def complaint(self, value: Any, error: Exception) -> str:
        """What is said, after its name, of a `value` that `read` has not taken."""
        if isinstance(error, _PartError):
            return f" is wrong: {error}"
        why = f" ({error})" if _explains(error) else ""
        return f" is {_short(value)}, expected {self.expected}{why}"


def _read_number(value: Any, *, to: type, low: float, high: float) -> Any:
    if isinstance(value, bool):
        raise ValueError
    number = to(value)
    if (isinstance(value, float) and number != value) or not low <= number <= high:
        raise ValueError
    return number


def _seconds(low: float, high: float) -> Kind:
    return Kind(f"seconds from {low:,.15g} to {high:,.15g}", partial(_read_number, to=float, low=low, high=high))


def _count(low: int, high: int) -> Kind:
    return Kind(f"a whole number from {low:,} to {high:,}", partial(_read_number, to=int, low=low, high=high))


def _choice(*words: str) -> Kind:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return Kind(" or ".join(map(repr, words)), read)


def _read_flag(value: Any) -> bool:
    if value in (True, 1, "1", "True", "true"):
        return True
    if value in (False, 0, "0", "False", "false"):
        return False
    raise ValueError


def _read_text(value: Any) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise ValueError
    return value


def _read_store(value: Any) -> str:
    try:
        StoreLocation.parse(text := _read_text(value))
    except StoreUrlError as error:
        raise _PartError(f"{error}, expected {EXPECTED}") from None
    return text


def _read_email(value: Any) -> str:
    if not re.fullmatch(r"[^@\s<>,]+@[^@\s<>,]+", _read_text(value)):
        raise ValueError
    return str(value)


def _read_target_url(value: Any) -> Callable[..., str]:
    try:
        function = load_object(value)
    except (ImportError, NameError, TypeError, AttributeError) as error:
        raise ValueError(f"it cannot be imported: {error}") from error
    if not callable(function):
        raise ValueError("it is not callable")
    return function  # type: ignore[no-any-return]


def read_mapping(value: Any) -> dict[str, Any]:
    """A mapping, or JSON of one, as it comes from the command line. Raises ValueError for anything else."""
    if isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = json.loads(value)
        except ValueError as error:
            raise ValueError(f"written as JSON, with double quotes, on the command line: {error}") from None
    if not isinstance(value, Mapping):
        raise ValueError
    return dict(value)


def _by_parts(read: Callable[[dict[str, Any]], _T]) -> Callable[[Any], _T]:
    """A reader of mappings, from one that says in full which part of a mapping is wrong."""

    def read_value(value: Any) -> _T:
        mapping = read_mapping(value)
        try:
            return read(mapping)
        except ValueError as error:
            if not _explains(error):
                raise
            raise _PartError(str(error)) from None

    return read_value


PARTS = ("robots", "pacing", "traps", "directives", "blacklist")
MODES = ("enforce", "audit")


def _read_modes(value: Any) -> dict[str, str]:
    if value in MODES:
        return dict.fromkeys(PARTS, value)
    modes = read_mapping(value)
    for part, mode in modes.items():
        if part not in PARTS:
            raise _PartError(f"{part!r} is no part; the parts are {', '.join(PARTS)}")
        if mode not in MODES:
            raise _PartError(f"{part!r} is {mode!r}, expected {' or '.join(map(repr, MODES))}")
    return dict.fromkeys(PARTS, "enforce") | modes


#: What can be done about a URL that is a trap's by proof, and about a group of them that is suspected.
TRAP_ACTIONS = ("defer", "drop", "log", "off")
#: What groups of URL patterns are suspected of, and the only trap that is deferred: the others are proof.
ENDLESS = "endless"
TRAPS = (*(rule.name for rule in RULES), "alias", "by-hand", ENDLESS)
_DEFAULT_TRAPS = (
    dict.fromkeys(TRAPS, "drop") | {rule.name: "log" for rule in RULES if not rule.hard} | {ENDLESS: "defer"}
)


def _read_traps(value: Any) -> dict[str, str]:
    if value == "defer":
        return dict(_DEFAULT_TRAPS)
    if value in TRAP_ACTIONS:
        return dict.fromkeys(TRAPS, value)
    traps = read_mapping(value)
    for name, action in traps.items():
        if name not in TRAPS:
            raise _PartError(f"{name!r} is no trap" + _instead(name, TRAPS))
        actions = TRAP_ACTIONS if name == ENDLESS else TRAP_ACTIONS[1:]
        if action not in actions:
            raise _PartError(f"{name!r} is {action!r}" + _instead(action, actions, 0.6))
    return traps


_TRAP_LIMITS = tuple(f.name for f in fields(UrlRules) if f.init and f.name not in ("max_length", "without"))


_TRAP_LIMIT = _count(0, 1_000_000)


@_by_parts
def _read_trap_limits(limits: dict[str, Any]) -> UrlRules:
    for name, limit in limits.items():
        if name not in _TRAP_LIMITS:
            raise ValueError(f"{name!r} is no limit" + _instead(name, _TRAP_LIMITS))
        try:
            limits[name] = _TRAP_LIMIT.read(limit)
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"{name!r}{_TRAP_LIMIT.complaint(limit, error)}") from None
    return UrlRules(**limits)


def _instead(name: Any, known: Sequence[str], cutoff: float = 0.4) -> str:
    """What is said after it of a name that is not among the known ones."""
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=cutoff)
    return f": did you mean {near[0]}?" if near else f", expected one of {', '.join(known)}"


_TRAPS_KIND = Kind(
    f"{', '.join(map(repr, TRAP_ACTIONS))}, or a dict from trap to one of them, such as {{'endless': 'drop'}}",
    _read_traps,
)


def _read_sources(value: Any) -> tuple[Source, ...]:
    if isinstance(value, str):  # from the command line
        if value.lstrip().startswith("{"):
            raise ValueError
        value = json.loads(value) if value.lstrip().startswith("[") else [one for one in value.split(",") if one]
    if isinstance(value, (Mapping, bytes)) or not isinstance(value, Iterable):
        raise ValueError
    try:
        return tuple(map(Source.read, value))
    except ValueError as error:
        raise _PartError(str(error)) from None


def _read_allowlists(value: Any) -> tuple[Source, ...]:
    sources = _read_sources(value)
    if odd := next((source for source in sources if source.action != "drop"), None):
        raise _PartError(f"{odd.path!r} has the action {odd.action!r}: an allowlist has none")
    return sources


_SOURCES = "a list of files, patterns (`lists/*.txt`), folders"

#: What `off` is among numbers of URLs.
NO_LIMIT = -1


def _read_skip_dynamic(value: Any) -> int:
    return NO_LIMIT if value == "off" else int(_read_number(value, to=int, low=0, high=1_000_000))


_SKIP_DYNAMIC = Kind("'off', or a whole number from 0 to 1,000,000", _read_skip_dynamic)


@dataclass(frozen=True, slots=True)
class SitePolicy:
    """What holds for one site. `robots`: "obey", "ignore" (not even fetched), "annotate" (judged, marked, crawled).

    `delay` in seconds comes on top of what else is declared, the largest counts; `max_crawl_delay` stands in for
    POLITE_MAX_CRAWL_DELAY (infinite where it is "in full"); `budget` limits the pages of a period; `same_page` says
    which URLs are one page; `traps` stands in for what POLITE_TRAPS says of the traps that it names; `directives`:
    "obey", "annotate" (read and marked only), "ignore" (not even read); `skip_dynamic` stands in for
    POLITE_SKIP_DYNAMIC.
    """

    robots: str = "obey"
    delay: float = 0.0
    max_crawl_delay: float | None = None
    budget: Budget | None = None
    same_page: KeyOptions = DEFAULT_OPTIONS
    traps: Mapping[str, str] = field(default_factory=dict)
    directives: str = "obey"
    skip_dynamic: int | None = None


def _read_cap(value: Any) -> float:
    return math.inf if value == "in full" else float(_read_number(value, to=float, low=0, high=86_400))


_CAP = Kind("seconds from 0 to 86,400, or 'in full'", _read_cap)
_SITE_KEYS: dict[str, Kind] = {
    "robots": _choice("obey", "ignore", "annotate"),
    "delay": _seconds(0, 86_400),
    "max_crawl_delay": _CAP,
    "budget": Kind("a dict such as {'pages': 10000, 'per': 'day'}", _by_parts(Budget.read)),
    "traps": _TRAPS_KIND,
    "directives": _choice("obey", "annotate", "ignore"),
    "same_page": Kind("a dict such as {'case': True}", _by_parts(KeyOptions.read)),
    "skip_dynamic": _SKIP_DYNAMIC,
}


class Sites:
    """`POLITE_SITES`, ready for look-up. For each key the most specific pattern wins:

    `host:port`, then `host`, then `*.domain` from the longest to the shortest, then `*`.
    """

    MAX_REMEMBERED = 10_000

    def __init__(self, sites: Mapping[str, Mapping[str, Any]]) -> None:
        self._entries = {_site_pattern(pattern): _site_values(pattern, values) for pattern, values in sites.items()}
        self._policies: dict[Origin, SitePolicy] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def mention(self, key: str) -> bool:
        """Whether any pattern has this key."""
        return any(key in values for values in self._entries.values())

    @property
    def longest_period_s(self) -> float:
        """Of all budgets the longest period, 0 where there is none."""
        budgets = (values.get("budget") for values in self._entries.values())
        return max((budget.period_s for budget in budgets if budget is not None), default=0.0)

    def policy(self, origin: Origin) -> SitePolicy:
        if not self._entries:
            return _DEFAULT_POLICY
        policy = self._policies.get(origin)
        if policy is None:
            if len(self._policies) >= self.MAX_REMEMBERED:
                self._policies.clear()
            policy = self._policies[origin] = SitePolicy(**self._values(origin))
        return policy

    def _values(self, origin: Origin) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for pattern in reversed(list(self._patterns(origin))):
            values |= self._entries.get(pattern, {})
        return values

    @staticmethod
    def _patterns(origin: Origin) -> Iterable[str]:
        yield f"{origin.host}:{origin.port}"
        yield origin.host
        labels = origin.host.split(".")
        yield from ("*." + ".".join(labels[i:]) for i in range(1, len(labels)))
        yield "*"


_DEFAULT_POLICY = SitePolicy()


def _site_pattern(pattern: Any) -> str:
    if not isinstance(pattern, str):
        raise ValueError(f"pattern {pattern!r}: expected a host, host:port, *.domain or *")
    wildcard, host = ("*.", pattern[2:]) if pattern.startswith("*.") else ("", pattern)
    if pattern == "*":
        return "*"
    try:
        origin = Origin.from_url(f"http://{host}/")
    except ValueError as error:
        raise ValueError(f"pattern {pattern!r}: {error}") from None
    if not re.fullmatch(r"[\w.:\[\]-]+", host) or "*" in origin.host or (wildcard and ":" in host):
        raise ValueError(f"pattern {pattern!r}: expected a host, host:port, *.domain or *")
    return wildcard + origin.host + (f":{origin.port}" if re.search(r":\d+$", host) else "")


def _site_values(pattern: str, values: Any) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        raise ValueError(f"{pattern!r} holds {values!r}, expected a dict such as {{'robots': 'obey'}}")
    read = {}
    for key, value in values.items():
        if key not in _SITE_KEYS:
            raise ValueError(f"{pattern!r} has the key {key!r}; the keys are {', '.join(_SITE_KEYS)}")
        try:
            read[key] = _SITE_KEYS[key].read(value)
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"{pattern!r}: {key!r}{_SITE_KEYS[key].complaint(value, error)}") from None
    return read


def _read_statuses(value: Any) -> frozenset[int]:
    if isinstance(value, str):
        value = value.split(",")
    return frozenset(_read_number(status, to=int, low=400, high=599) for status in value)


_FLAG = Kind("True or False", _read_flag)


def _setting(kind: Kind, default: Any, text: str) -> Any:
    value = None if default is None else kind.read(default)
    return field(default_factory=lambda: value, metadata={"kind": kind, "text": text, "default": default})


@dataclass(frozen=True)
class PoliteSettings:
    """The settings of one crawl, read and checked. A field `wait_max` is the setting `POLITE_WAIT_MAX`.

    A field's metadata holds its `kind` (Kind), the sentence `text`, and its `default` as a person would write it.
    """

    mode: Mapping[str, str] = _setting(
        Kind("'enforce', 'audit', or a dict from part to one of them, such as {'robots': 'audit'}", _read_modes),
        "enforce",
        "Whether refusals are carried out, or only decided, counted and explained (audit).",
    )
    sites: Sites = _setting(
        Kind("a dict such as {'*.example.com': {'robots': 'ignore'}}", _by_parts(Sites)),
        {},
        "Exceptions by site: `robots` is `obey`, `ignore` or `annotate`; `delay` seconds between requests; "
        "`max_crawl_delay` as `POLITE_MAX_CRAWL_DELAY`; `budget` such as `{'pages': 10000, 'per': 'day'}`, with "
        "`'then': 'refuse'` where what is beyond it is to be refused instead of waiting; `same_page`, which URLs count "
        "as one page, such as `{'case': True}`: `sessions` and `tracking` (such parameters are left out; on), `case` "
        "(of the path), `index` (pages), `www`, `scheme` (http or https), `slash` (at the end) and `clean_param` (what "
        "its robots.txt declares), all off; `traps` as `POLITE_TRAPS`; `directives` of pages, as `robots`; "
        "`skip_dynamic` as `POLITE_SKIP_DYNAMIC`. The most specific pattern wins; those of the project, the spider "
        "and the command line are merged.",
    )
    profile: str = _setting(
        _choice("standard", "broad"),
        "standard",
        "`broad`, for crawls of many unknown hosts, sets `POLITE_ADAPTIVE` to 10, `URLLENGTH_LIMIT` to 1,023, "
        "`POLITE_TRAP_CAP` to 1,000, `POLITE_NOFOLLOW` to `refuse` and `POLITE_NOINDEX` to `drop` where the project "
        "does not.",
    )
    contact_email: str | None = _setting(
        Kind("an e-mail address", _read_email), None, "Sent as the `From` header, so that an operator can reach you."
    )
    target_url: Callable[..., str] | None = _setting(
        Kind("the import path of a function from request to URL", _read_target_url),
        None,
        "For rendering and proxy APIs: a function that returns the URL a request is really about.",
    )
    wait_max: float = _setting(
        _seconds(0, 86_400),
        60.0,
        "How long a request that this package's scheduler has not sent (a media pipeline's, or any where the project "
        "keeps its own scheduler) waits in place for its robots.txt or its host (15 in `scrapy shell`, `fetch` and "
        "`parse`; meta `polite_wait_max` for one request).",
    )
    pace_by: str = _setting(
        _choice("host", "domain", "ip"),
        "host",
        "What has one pace: a host, a registered domain with all its hosts, or an address with all hosts on it.",
    )
    min_delay: float = _setting(
        _seconds(0, 86_400), 0.0, "Least delay between two requests to a host, from answer to next request."
    )
    max_crawl_delay: float = _setting(
        _CAP, 60.0, "A longer Crawl-delay or Request-rate is cut to this, logged once a host; `in full` obeys any."
    )
    jitter: float = _setting(
        Kind("a share from 0 to 10", partial(_read_number, to=float, low=0, high=10)),
        0.1,
        "Random share of a delay that is added to it; nothing is ever taken off.",
    )
    adaptive: float | None = _setting(
        Kind("a factor from 0 to 1,000", partial(_read_number, to=float, low=0, high=1_000)),
        None,
        "Delay as a multiple of the last response time (Mercator used 10); 0 turns it off, as without a profile.",
    )
    adaptive_min: float = _setting(_seconds(0, 3_600), 0.0, "Least delay that `POLITE_ADAPTIVE` sets.")
    adaptive_max: float = _setting(_seconds(0, 3_600), 60.0, "Longest delay that `POLITE_ADAPTIVE` sets.")
    backoff_statuses: frozenset[int] = _setting(
        Kind("a list of HTTP statuses from 400 to 599", _read_statuses),
        [429, 503, 520, 521, 522, 523, 524],
        "Answers by which a host says that it is asked too much.",
    )
    backoff_failures: int = _setting(
        _count(1, 64), 3, "So many such answers without Retry-After, or failed connections, in a row close a host."
    )
    backoff_min: float = _setting(
        _seconds(1, 86_400), 60.0, "First pause of a closed host; doubles with each further one, with jitter."
    )
    backoff_max: float = _setting(_seconds(1, 604_800), 86_400.0, "Longest such pause.")
    backoff_quiet: float = _setting(
        _seconds(0, 604_800), 1_800.0, "After so long without trouble a host's back-offs are forgiven."
    )
    retry_after_max: float = _setting(
        _seconds(1, 2_592_000), 86_400.0, "A longer Retry-After of a page is cut to this."
    )
    give_up: float = _setting(
        _seconds(0, 2_592_000),
        600.0,
        "A host whose robots.txt or connection has failed for so long in this crawl is abandoned: what is queued for "
        "it is refused. A robots.txt has failed when its POLITE_ROBOTS_ATTEMPTS are over (15 in `scrapy shell`, "
        "`fetch`, `parse` and `check`).",
    )
    max_idle: float = _setting(
        _seconds(0, 2_592_000),
        600.0,
        "When nothing may leave for so long the crawl ends: with `JOBDIR` as `polite_waiting`, keeping its queue; "
        "without one the rest is refused (15 in `scrapy shell`, `fetch`, `parse` and `check`).",
    )
    order: str | None = _setting(
        _choice("breadth", "depth"),
        None,
        "Order of a host's requests of equal priority: first in, first out, or last in, first out. Where the project "
        "sets Scrapy's queue classes but not this, they are followed; else it is `breadth`.",
    )
    progress: float = _setting(_seconds(0, 86_400), 60.0, "Seconds between two progress lines in the log; 0 for none.")
    traps: Mapping[str, str] = _setting(
        _TRAPS_KIND,
        {},
        "What is done about links into traps (docs/traps.md). `defer`: refuse what is proved, let what is suspected "
        "(`endless`) wait, and keep it; `drop`: refuse what is suspected too; `log`: count; `off`: do not look. One "
        "word for all, or a dict. Without it `defer`.",
    )
    trap_limits: UrlRules = _setting(
        Kind("a dict such as {'max_depth': 30}", _read_trap_limits),
        {},
        "From how many of something on a URL is a trap's, where the default is not to hold (docs/traps.md has them).",
    )
    trap_budget: int = _setting(
        _count(100, 1_000_000),
        500,
        "Pages of a suspected group that are fetched when nothing else of its site is left, and again as long as they "
        "refute the suspicion. With fewer, pages of finite sites are lost.",
    )
    trap_cap: int | None = _setting(
        _count(0, 1_000_000_000),
        None,
        "Pages after which a group ends of which nobody can tell whether it does: 20,000, and 1,000 in the profile "
        "`broad`; 0: never.",
    )
    duplicates: str = _setting(
        _choice("mark", "skip", "off"),
        "mark",
        "A page that says to the letter what another of its site has said in this crawl has the other's URL in meta "
        "`polite_duplicate_of`; `skip` also drops its items and links.",
    )
    nofollow: str | None = _setting(
        _choice("annotate", "refuse"),
        None,
        "What is done about links that a page asks not to be followed (`nofollow`; of a link `ugc` and `sponsored` "
        "too): they are marked (meta `polite_nofollow`), as without a profile, or refused.",
    )
    noindex: str | None = _setting(
        _choice("mark", "drop"),
        None,
        "What is done about items of a page that asks to be kept nowhere (`noindex`, `none`, `unavailable_after`): "
        "they are marked (key `polite_noindex`, where they have room for it), as without a profile, or dropped.",
    )
    blacklists: tuple[Source, ...] = _setting(
        Kind(f"{_SOURCES} and dicts such as {{'path': 'ads.gz', 'format': 'hosts', 'action': 'audit'}}", _read_sources),
        [],
        "What is never visited: lists of hosts, addresses and URLs in the usual formats (docs/blacklists.md). With the "
        "action `audit` a list only counts what it would refuse. Relative paths are below the project's folder.",
    )
    allowlists: tuple[Source, ...] = _setting(
        Kind(f"{_SOURCES} and dicts such as {{'path': 'ours', 'format': 'plain'}}", _read_allowlists),
        [],
        "Lists that win over all blacklists, and over `POLITE_PRIVATE_ADDRESSES`.",
    )
    takedowns: str = _setting(
        Kind("a file's path", _read_text),
        "polite/takedowns.txt",
        "The blacklist that `scrapy polite takedown` writes (a relative path is below the project's `.scrapy`). It "
        "holds wherever it is there: no allowlist wins over it, and no audit lifts it.",
    )
    private_addresses: str = _setting(
        _choice("allow", "refuse"),
        "allow",
        "`refuse`, for crawls of the open web: nothing is fetched from private, loopback and link-local addresses, "
        "whatever name or redirect leads there.",
    )
    skip_dynamic: int = _setting(
        _SKIP_DYNAMIC,
        "off",
        "For sites whose administrators ask for it: URLs of gateways (`/cgi-bin/` and the like) are refused, and of "
        "each path all URLs with a query beyond so many.",
    )
    store: str = _setting(
        Kind(EXPECTED, _read_store),
        "polite/polite.sqlite",
        "Where robots.txt copies, and hosts that are closed, outlive the crawl and are shared with others: a SQLite "
        "file (a relative path is below the project's `.scrapy`; `sqlite:///PATH` is an absolute one), or `memory`.",
    )
    store_keep_days: int = _setting(
        _count(31, 36_500), 90, "Copies that no crawl has renewed for so many days are dropped from the store."
    )
    visited: str = _setting(
        _choice("exact", "bloom"),
        "exact",
        "How the URLs that were seen are remembered: all of them, or in a Bloom filter, which has room for 100 million "
        "in 410 MB and takes a few new ones for seen.",
    )
    visited_error_rate: float = _setting(
        Kind(
            f"a share from {MIN_ERROR_RATE:.6f} to {MAX_ERROR_RATE:g}",
            partial(_read_number, to=float, low=MIN_ERROR_RATE, high=MAX_ERROR_RATE),
        ),
        0.0001,
        "Share of the new URLs that the Bloom filter takes for seen, at most: so many pages are missed.",
    )
    remember_dead_days: float = _setting(
        Kind("days from 0 to 3,650", partial(_read_number, to=float, low=0, high=3_650)),
        0.0,
        "A URL that was answered with 404 or 410 is not asked for again for so many days, by later crawls with the "
        "same `POLITE_STORE` too; 0 remembers none.",
    )
    refused_file: str | None = _setting(
        Kind("a file's path", _read_text), None, "Write every refused URL with its reason to this file, as JSON Lines."
    )
    refused_file_max: int = _setting(
        _count(1, 10**9), 1_000_000, "Lines after which `POLITE_REFUSED_FILE` is closed with a last line that says so."
    )
    summary: bool = _setting(_FLAG, True, "Log a summary of at most 24 lines at the end of the crawl.")
    robots_timeout: float = _setting(
        _seconds(0.1, 600), 30.0, "Time for one attempt to fetch a robots.txt, redirects included."
    )
    robots_max_bytes: int = _setting(
        _count(512_000, 1_048_576),
        512_000,
        "A robots.txt is read up to so many bytes (RFC 9309 §2.5: 500 KiB), cut at a line.",
    )
    robots_concurrency: int = _setting(
        _count(1, 1_000), 16, "Most robots.txt downloads at once; one that takes over a second counts no longer."
    )
    robots_max_redirects: int = _setting(_count(0, 20), 5, "Redirects followed from a robots.txt (RFC 9309 §2.3.1.2).")
    robots_attempts: int = _setting(_count(1, 10), 3, "Attempts in a row before an origin counts as unreachable.")
    robots_retry_delay: float = _setting(
        _seconds(0.01, 600), 2.0, "Pause before the second attempt; doubles with each further one, with jitter."
    )
    robots_backoff_min: float = _setting(
        _seconds(1, 86_400), 300.0, "Pause after all attempts failed; doubles with each further failure, with jitter."
    )
    robots_backoff_max: float = _setting(_seconds(1, 604_800), 21_600.0, "Longest such pause.")
    robots_retry_after_max: float = _setting(
        _seconds(1, 2_592_000), 86_400.0, "A longer Retry-After of a robots.txt is cut to this."
    )
    robots_max_age: float = _setting(
        _seconds(60, 2_592_000),
        86_400.0,
        "Longest time for which a copy is fresh, and the time for an answer that names none (RFC 9309 §2.4: 24 h).",
    )
    robots_min_age: float = _setting(
        _seconds(0, 86_400), 300.0, "Shortest time for which a copy is fresh, whatever its headers say."
    )
    robots_outage: str = _setting(
        _choice("copy", "closed"),
        "copy",
        "While robots.txt is unreachable: use the last good copy at once, or after 12 hours closed, as Google does.",
    )
    robots_outage_days: float = _setting(
        Kind("days from 1 to 3,650", partial(_read_number, to=float, low=1, high=3_650)),
        30.0,
        "Days without an answer after which a robots.txt of which there is no copy counts as given up.",
    )
    robots_after_outage: str = _setting(
        _choice("open", "closed"), "open", "What a given-up robots.txt means: no restrictions, or closed still."
    )
    robots_not_found_5xx: bool = _setting(
        _FLAG, False, 'Take a 5xx answer whose page says "not found" as 404, as Google does.'
    )
    robots_cache_count: int = _setting(
        _count(1, 10_000_000), 10_000, "Parsed robots.txt files kept in memory, at most."
    )
    robots_cache_bytes: int = _setting(
        _count(1_000_000, 64 * 1024**3), 64 * 1024 * 1024, "Memory for parsed robots.txt files, at most, about."
    )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls.from_settings(crawler.settings)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read and check all `POLITE_*` settings. Raises SettingsError with a line for each that cannot be meant."""
        kinds = {setting_name(f.name): (f.name, f.metadata["kind"]) for f in fields(cls)}
        values: dict[str, Any] = {}
        errors = []
        for name in (n for n in settings if isinstance(n, str) and n.startswith("POLITE_")):
            if name not in kinds:
                near = difflib.get_close_matches(name, kinds, n=1, cutoff=0.4)
                errors.append(f"unknown setting {name}" + (f": did you mean {near[0]}?" if near else ""))
                continue
            attribute, kind = kinds[name]
            raw = settings[name]
            if raw is None:
                continue
            try:
                values[attribute] = kind.read(raw)
            except (ValueError, TypeError, OverflowError) as error:
                errors.append(f"{name}{kind.complaint(raw, error)}")
        if not errors:
            errors += _contradictions(made := cls(**values))
        if errors:
            raise SettingsError(errors)
        return made

    @property
    def adaptive_factor(self) -> float:
        if self.adaptive is None:
            return 10.0 if self.profile == "broad" else 0.0
        return self.adaptive

    def url_of(self, request: Request) -> str:
        """The URL that a request is about; none where the project's function fails, which whoever sends it tells."""
        if self.target_url is None:
            return request.url
        try:
            return self.target_url(request)
        except Exception:  # noqa: BLE001
            return ""

    @property
    def nofollow_action(self) -> str:
        return self.nofollow or ("refuse" if self.profile == "broad" else "annotate")

    @property
    def noindex_action(self) -> str:
        return self.noindex or ("drop" if self.profile == "broad" else "mark")

    def query_limit(self, site: SitePolicy) -> int | None:
        """How many URLs with a query are visited of each path of a site, and no gateways; None: all of them."""
        limit = self.skip_dynamic if site.skip_dynamic is None else site.skip_dynamic
        return None if limit == NO_LIMIT else limit

    def trap_actions(self, site: SitePolicy) -> Mapping[str, str]:
        """What is done about each of `TRAPS` at a site."""
        return {**_DEFAULT_TRAPS, **self.traps, **site.traps}

    @property
    def group_limits(self) -> Limits:
        """By what groups of URL patterns are judged."""
        cap = self.trap_cap
        if cap is None:
            cap = 1_000 if self.profile == "broad" else DEFAULT_LIMITS.cap
        return replace(DEFAULT_LIMITS, budget=self.trap_budget, cap=cap)

    @property
    def looks_for_traps(self) -> bool:
        """Whether anything is done about any trap or duplicate, anywhere."""
        actions = self.trap_actions(_DEFAULT_POLICY).values()
        return self.duplicates != "off" or any(action != "off" for action in actions) or self.sites.mention("traps")

    def audits(self, part: str) -> bool:
        return self.mode[part] == "audit"


def setting_name(attribute: str) -> str:
    return f"POLITE_{attribute.upper()}"


def _explains(error: Exception) -> bool:
    # What int("x") and float("x") say, `expected` says better.
    meaningless = ("invalid literal", "could not", "cannot")
    return isinstance(error, ValueError) and str(error) != "" and not str(error).startswith(meaningless)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:199] + "…"


def _contradictions(settings: PoliteSettings) -> list[str]:
    pairs = [
        ("robots_min_age", "robots_max_age"),
        ("robots_backoff_min", "robots_backoff_max"),
        ("backoff_min", "backoff_max"),
        ("adaptive_min", "adaptive_max"),
    ]
    return [
        f"{setting_name(low)} ({getattr(settings, low):g}) is above "
        f"{setting_name(high)} ({getattr(settings, high):g}): lower the one or raise the other"
        for low, high in pairs
        if getattr(settings, low) > getattr(settings, high)
    ]
