"""`POLITE_SITES`: what differs by site. A pattern of sites and its values are the unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scrapy_polite.origin import Origin
from scrapy_polite.pacing.budget import Budget
from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.settings.kinds import Kind, by_parts, choice, count, instead, seconds
from scrapy_polite.settings.values import CRAWL_DELAY_CAP, SKIP_DYNAMIC, TRAP_ACTION
from scrapy_polite.visited.canonical import DEFAULT_OPTIONS, KeyOptions


@dataclass(frozen=True, slots=True)
class SitePolicy:
    """What holds for one site. `robots`: "inherit" (as ROBOTSTXT_OBEY and POLITE_MODE say), "always" (obeyed whatever
    they say), "never" (not even fetched), "annotate" (judged, marked, crawled).

    `delay` in seconds comes on top of what else is declared, the largest counts; `max_crawl_delay` stands in for
    POLITE_MAX_CRAWL_DELAY (infinite where it is "in full"); `budget` limits the pages of a period; `same_page` says
    which URLs are one page; `traps` stands in for what POLITE_TRAPS says of the traps that it names; `directives`:
    "obey", "annotate" (read and marked only), "ignore" (not even read); `skip_dynamic` stands in for
    POLITE_SKIP_DYNAMIC; `workers` processes of a shared queue may have one host at once, at its pace together;
    `recrawl` stands in for POLITE_RECRAWL; `host`: what is done with the Host line of robots.txt, "note" or "follow";
    `sitemaps` and `disallowed_start` stand in for the settings of these names; `dialect` for POLITE_ROBOTS_DIALECT.
    """

    robots: str = "inherit"
    delay: float = 0.0
    max_crawl_delay: float | None = None
    budget: Budget | None = None
    same_page: KeyOptions = DEFAULT_OPTIONS
    traps: Mapping[str, str] = field(default_factory=dict)
    directives: str = "obey"
    skip_dynamic: int | None = None
    workers: int = 1
    recrawl: str | None = None
    host: str = "note"
    sitemaps: str | None = None
    disallowed_start: str | None = None
    dialect: str | None = None


RECRAWL_MODES = ("off", "links", "callback")
SITEMAPS = choice("off", "seed")
DISALLOWED_START = choice("warn", "seed")
DIALECT = choice(*DIALECTS)
#: Of one host: each needs some of what it may get.
MAX_WORKERS = 100

_SITE_KEYS: dict[str, Kind] = {
    "robots": choice("inherit", "always", "never", "annotate"),
    "delay": seconds(0, 86_400),
    "max_crawl_delay": CRAWL_DELAY_CAP,
    "budget": Kind("a dict such as {'pages': 10000, 'per': 'day'}", by_parts(Budget.read)),
    "traps": TRAP_ACTION,
    "directives": choice("obey", "annotate", "ignore"),
    "same_page": Kind("a dict such as {'case': True}", by_parts(KeyOptions.read)),
    "skip_dynamic": SKIP_DYNAMIC,
    "workers": count(1, MAX_WORKERS),
    "recrawl": choice(*RECRAWL_MODES),
    "host": choice("note", "follow"),
    "sitemaps": SITEMAPS,
    "disallowed_start": DISALLOWED_START,
    "dialect": DIALECT,
}


class Sites:
    """`POLITE_SITES`, ready for look-up. For each key the most specific pattern wins:

    `host:port`, then `host`, then `*.domain` from the longest to the shortest, then `*`.
    """

    MAX_REMEMBERED = 10_000

    def __init__(self, sites: Mapping[str, Mapping[str, Any]]) -> None:
        self._entries: dict[str, dict[str, Any]] = {}
        for pattern, values in sites.items():
            name = _site_pattern(pattern)
            if name in self._entries:
                raise ValueError(f"{pattern!r} is there twice, as {name!r} in two spellings: make one of them")
            self._entries[name] = _site_values(pattern, values)
        self._policies: dict[Origin, SitePolicy] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def mention(self, key: str) -> bool:
        """Whether any pattern has this key."""
        return any(key in values for values in self._entries.values())

    @property
    def robots_always(self) -> bool:
        """Whether robots.txt of any site is obeyed whatever holds for the others."""
        return any(values.get("robots") == "always" for values in self._entries.values())

    @property
    def workers(self) -> dict[str, int]:
        """By pattern, how many processes may have one host at once."""
        return {pattern: values["workers"] for pattern, values in self._entries.items() if "workers" in values}

    @property
    def recrawls(self) -> bool:
        """Whether pages of any site are kept to come back to."""
        return any(values.get("recrawl", "off") != "off" for values in self._entries.values())

    def says(self, key: str, value: object) -> bool:
        """Whether any pattern has this value for a key."""
        return any(values.get(key) == value for values in self._entries.values())

    @property
    def of_all(self) -> Mapping[str, Any]:
        """What the pattern `*` says."""
        return self._entries.get("*", {})

    @property
    def longest_period_s(self) -> float:
        """Of all budgets the longest period, 0 where there is none."""
        budgets = (values.get("budget") for values in self._entries.values())
        return max((budget.period_s for budget in budgets if budget is not None), default=0.0)

    def policy(self, origin: Origin) -> SitePolicy:
        if not self._entries:
            return DEFAULT_POLICY
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


DEFAULT_POLICY = SitePolicy()


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
        raise ValueError(f"{pattern!r} holds {values!r}, expected a dict such as {{'robots': 'always'}}")
    read = {}
    for key, value in values.items():
        if key not in _SITE_KEYS:
            raise ValueError(f"{pattern!r}: {key!r} is no key" + instead(key, list(_SITE_KEYS)))
        try:
            read[key] = _SITE_KEYS[key].read(value)
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"{pattern!r}: {key!r}{_SITE_KEYS[key].complaint(value, error)}") from None
    return read


SITES = Kind("a dict such as {'*.example.com': {'robots': 'never'}}", by_parts(Sites))
