"""What holds for the URLs of one origin: whose pages they are, its URL rules, what is done about each trap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_polite.origin import Origin, origin_of, site_of
from scrapy_polite.settings import ENDLESS, ROBOT_ERROR
from scrapy_polite.settings.sites import DEFAULT_POLICY
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.url_rules import RULES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy_polite.settings import PoliteSettings
    from scrapy_polite.traps.url_rules import UrlRules

#: Meta: of a request that a person exempts; of one that a page led to; of one that is to be queued although it has
#: been; of one that was redirected, how many redirects have been noted; of one that an audit would have refused, and of
#: what that led to; of a page, the URL of the one that said the same before, and what kind of error page made for
#: robots it is.
EXEMPT = "polite_trap_exempt"
FOUND = "polite_found"
AGAIN = "polite_queue_again"
REDIRECTS = "polite_redirects_noted"
WOULD_REFUSE = "polite_would_refuse"
DUPLICATE = "polite_duplicate_of"
ROBOT_ERROR_PAGE = "polite_robot_error"

_MAX_ORIGINS = 10_000


@dataclass(frozen=True, slots=True)
class TrapSite:
    """`actions`: what is done about each trap. `watched`: its pages are compared, grouped, or looked at for errors made
    for robots. `grouped`: its groups of URL patterns are judged. `defers`: links of suspected groups wait, until they
    are refused if the action is "drop"."""

    name: str
    origin: Origin
    actions: Mapping[str, str]
    rules: UrlRules
    watched: bool
    grouped: bool
    defers: bool


class TrapSites:
    def __init__(self, settings: PoliteSettings) -> None:
        self._settings = settings
        self._audit = settings.audits("traps")
        self._actions: Recent[str, Mapping[str, str]] = Recent(_MAX_ORIGINS)
        self._by_origin: Recent[str, TrapSite] = Recent(_MAX_ORIGINS)
        #: Names of the sites of which more is to be asked than the URL rules, each time that a link comes: something is
        #: decided or learned of them, or links of their suspected groups are refused or counted.
        self.judged: set[str] = set()
        #: Those of which the links of suspected groups are refused in the end.
        self.dropping: set[str] = set()

    def of(self, url: str) -> TrapSite | None:
        """What holds for a URL; None for one that has no origin."""
        end = url.find("/", len("https://"))
        key = url[:end] if end >= 0 else url
        site = self._by_origin.get(key)
        if site is None:
            origin = origin_of(url)
            if origin is None:
                return None
            site = self._made(origin)
            self._by_origin.put(key, site)
        return site

    def actions(self, name: str) -> Mapping[str, str]:
        """What is done about each trap at a site: at that of its origins that came last, or, before any has, at the
        site's own host."""
        actions = self._actions.get(name)
        if actions is None:
            site = self.of(f"http://{name}")
            actions = site.actions if site is not None else self._settings.trap_actions(DEFAULT_POLICY)
        return actions

    def _made(self, origin: Origin) -> TrapSite:
        settings = self._settings
        actions = settings.trap_actions(settings.sites.policy(origin))
        grouped = actions[ENDLESS] != "off"
        compared = settings.duplicates != "off" or any(actions[trap] != "off" for trap in ("alias", ROBOT_ERROR))
        site = TrapSite(
            site_of(origin),
            origin,
            actions,
            _rules(settings.trap_limits, frozenset(name for name in RULES if actions[name] == "off")),
            watched=grouped or compared,
            grouped=grouped,
            defers=actions[ENDLESS] in ("defer", "drop") and not self._audit,
        )
        self._actions.put(site.name, actions)
        if site.defers and actions[ENDLESS] == "drop":
            self.dropping.add(site.name)
        if actions[ENDLESS] in ("drop", "log"):
            self.judged.add(site.name)
        return site


@lru_cache(maxsize=256)
def _rules(limits: UrlRules, off: frozenset[str]) -> UrlRules:
    return replace(limits, without=off)
