"""Every `POLITE_*` setting, declared once: kind, default, unit, a sentence or two. docs/settings.md is made from it.

What no user turns is no setting but a constant beside its rule, such as `pacing.backoff.MAX_S`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from scrapy_polite.robots.dialects import LOOSER
from scrapy_polite.runs.masking import DEFAULT_NAMES
from scrapy_polite.settings.check import SettingsError, contradictions, read_values
from scrapy_polite.settings.kinds import FILE, FLAG, Kind, PartError, choice, count, fraction, seconds
from scrapy_polite.settings.sites import DEFAULT_POLICY, DIALECT, DISALLOWED_START, RECRAWL_MODES, SITEMAPS, SITES
from scrapy_polite.settings.values import (
    ALLOWLISTS,
    BLACKLISTS,
    COMMAND,
    CRAWL_DELAY_CAP,
    DEFAULT_TRAPS,
    EMAIL,
    FRONTIER,
    JOB,
    MODE,
    NAMES,
    NO_LIMIT,
    SKIP_DYNAMIC,
    STATUSES,
    STORE,
    TRAP_ACTION,
    TRAP_LIMITS,
    URL_FUNCTION,
    WEBHOOK,
    project_store,
)
from scrapy_polite.traps.limits import DEFAULT_LIMITS, Limits
from scrapy_polite.visited.bloom import MAX_ERROR_RATE, MIN_ERROR_RATE

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from scrapy_polite.blacklist.sources import Source
    from scrapy_polite.origin import Origin
    from scrapy_polite.settings.sites import SitePolicy, Sites
    from scrapy_polite.store.factory import StoreLocation
    from scrapy_polite.traps.url_rules import UrlRules

#: Delay of the profile `broad` as a multiple of the last response time: what Mercator used. Lower: slow servers of
#: strangers are asked more often than they can bear.
_BROAD_ADAPTIVE = 10.0
#: Pages of an undecidable group in the profile `broad`. Higher: more of a crawl of many sites goes into traps.
_BROAD_TRAP_CAP = 1_000

_OWN_PACE = (
    "POLITE_STORE is 'memory' with POLITE_FRONTIER: each process would keep a pace of its own; leave POLITE_STORE out, "
    "then it is on the same server"
)
NO_PAGES = (
    "POLITE_RECRAWL, or 'recrawl' in POLITE_SITES, keeps pages with POLITE_STORE, which has to last for that. It is in "
    "memory: set POLITE_STORE to a file's path or a server's URL, or turn POLITE_RECRAWL off"
)
_CONTRADICTIONS = (
    ("recrawl_min", "recrawl_max"),
    ("robots_min_age", "robots_max_age"),
)


def _setting(kind: Kind, default: Any, text: str) -> Any:
    value = None if default is None else kind.read(default)
    return field(default_factory=lambda: value, metadata={"kind": kind, "text": text, "default": default})


@dataclass(frozen=True)
class PoliteSettings:
    """The settings of one crawl, read and checked. A field `wait_max` is the setting `POLITE_WAIT_MAX`.

    A field's metadata holds its `kind` (Kind), the sentence `text`, and its `default` as a person would write it.
    """

    # What is refused, and for which sites

    mode: Mapping[str, str] = _setting(
        MODE,
        "enforce",
        "Whether refusals are carried out, or only decided, counted and explained (audit). An audit of the part "
        "`recrawl` asks for each page whole, and counts what `POLITE_RECRAWL` would have left out.",
    )
    sites: Sites = _setting(
        SITES,
        {},
        "Exceptions by site. `robots`: `inherit` (as `ROBOTSTXT_OBEY` and `POLITE_MODE` say), `always`, "
        "`never` or `annotate`. `delay`: seconds between requests. "
        "`max_crawl_delay`: as `POLITE_MAX_CRAWL_DELAY`. `budget`: such as `{'pages': 10000, 'per': 'day'}`; with "
        "`'then': 'refuse'` pages beyond it are refused instead of waiting. `same_page`: which URLs count as one page, "
        "such as `{'case': True}`. Its keys are `sessions` and `tracking` (such parameters are left out; both are on), "
        "`case` (of the path), `index` (pages), `www`, `scheme` (http or https), `slash` (at the end) and "
        "`clean_param` (what the site's robots.txt declares); these are off. `traps`: as `POLITE_TRAPS`. `directives` "
        "of pages: `obey`, `annotate` or `ignore`. `skip_dynamic`: as `POLITE_SKIP_DYNAMIC`. "
        "`workers`: of a queue on a server so many "
        "processes may have one host at once, at its pace together. `recrawl`: as `POLITE_RECRAWL`. `host`: whether a "
        "`Host` line of robots.txt is only told of (`note`), or pages of a mirror are asked of the main host "
        "(`follow`; docs/robots.md). `sitemaps`: as `POLITE_SITEMAPS`. `dialect` of its robots.txt: `rfc`, `classic`, "
        "`classic-0.0`, `geoportal` or `strictest` (docs/robots.md). `disallowed_start`: as "
        "`POLITE_DISALLOWED_START`. The most specific pattern wins. "
        "The values of the project, the spider and the command line are merged.",
    )
    profile: str = _setting(
        choice("standard", "broad"),
        "standard",
        f"`broad` is for crawls of many unknown hosts. It sets `POLITE_ADAPTIVE` to {_BROAD_ADAPTIVE:g}, "
        f"`URLLENGTH_LIMIT` to 1,023, `POLITE_TRAP_CAP` to {_BROAD_TRAP_CAP:,}, `POLITE_NOFOLLOW` to `refuse` and "
        "`POLITE_NOINDEX` to `drop`. A value that the project sets wins.",
    )
    contact_email: str | None = _setting(
        EMAIL, None, "Sent as the `From` header. The operator of a site can write to you there."
    )
    target_url: Callable[..., str] | None = _setting(
        URL_FUNCTION,
        None,
        "For rendering and proxy APIs: a function that returns the URL a request is really about.",
    )

    seeds: str | None = _setting(
        FILE,
        None,
        "The list of start URLs that `scrapy polite seeds` keeps, such as `polite/seeds.sqlite`: they are added to "
        "those of the spider. A relative path is below the project's `.scrapy`.",
    )

    # Waiting

    wait_max: float = _setting(
        seconds(0, 86_400),
        60.0,
        "How long a request waits in place for its robots.txt or its host, if this package's scheduler did not send it "
        "(media pipelines; all requests where the project keeps its own scheduler). In `scrapy shell`, `fetch` and "
        "`parse` at most 15. The meta key `polite_wait_max` sets it for one request.",
    )
    pace_by: str = _setting(
        choice("host", "domain", "ip"),
        "host",
        "What shares one pace: a host; a registered domain with all its hosts; an address with all hosts on it.",
    )
    min_delay: float = _setting(
        seconds(0, 86_400), 0.0, "Least delay between two requests to a host, from an answer to the next request."
    )
    max_crawl_delay: float = _setting(
        CRAWL_DELAY_CAP,
        300.0,
        "A longer Crawl-delay or Request-rate is cut to this. A WARNING says so once a host. `in full` cuts none.",
    )
    jitter: float = _setting(
        fraction("a share from 0 to 10", 0, 10),
        0.1,
        "Random share of a delay that is added to it. A delay never becomes shorter.",
    )
    adaptive: float | None = _setting(
        fraction("a factor from 0 to 1,000", 0, 1_000),
        None,
        "Delay as a multiple of the host's last response time (Mercator used 10), at most 60 seconds. Without it 0, "
        f"which turns it off; {_BROAD_ADAPTIVE:g} in the profile `broad`.",
    )
    backoff_statuses: frozenset[int] = _setting(
        STATUSES,
        [429, 503, 520, 521, 522, 523, 524],
        "Answers that mean: the host is asked too often.",
    )
    backoff_min: float = _setting(
        seconds(1, 86_400),
        60.0,
        "First pause of a host after three such answers or failed connections in a row. Each further pause is twice "
        "as long, with jitter, up to a day.",
    )
    give_up: float = _setting(
        seconds(0, 2_592_000),
        600.0,
        "A host is abandoned when its robots.txt or its connection has failed for so long in this crawl: its queued "
        "requests are refused. A robots.txt has failed after `POLITE_ROBOTS_ATTEMPTS` attempts (15 in `scrapy shell`, "
        "`fetch`, `parse` and `check`).",
    )
    max_idle: float = _setting(
        seconds(0, 2_592_000),
        600.0,
        "The crawl ends when no request may leave for so long. With `JOBDIR` the finish reason is `polite_waiting` and "
        "the queue is kept; without it the rest is refused (15 in `scrapy shell`, `fetch`, `parse` and `check`).",
    )
    order: str | None = _setting(
        choice("breadth", "depth"),
        None,
        "Order of a host's requests of equal priority: `breadth` is first in, first out; `depth` is last in, first "
        "out. Without it the project's own queue classes of Scrapy decide, else it is `breadth`.",
    )

    # Traps and directives of pages

    traps: Mapping[str, str] = _setting(
        TRAP_ACTION,
        {},
        "What is done about links into traps (docs/traps.md). `defer`: refuse what is proved, let what is suspected "
        "(`endless`) wait, and keep it; `drop`: refuse that after a small budget of pages; `log`: count; `off`: do not "
        "look. One word for all, or a dict, in which `endless` alone can be deferred. Without it `defer`.",
    )
    trap_limits: UrlRules = _setting(
        TRAP_LIMITS,
        {},
        "Limits of the URL rules that differ from the defaults (docs/traps.md has them).",
    )
    trap_budget: int = _setting(
        count(100, 1_000_000),
        500,
        "Pages of a suspected group that are fetched when nothing else of its site is queued, and again as long as "
        "they refute the suspicion. With fewer, pages of finite sites are lost.",
    )
    trap_cap: int | None = _setting(
        count(0, 1_000_000_000),
        None,
        "Most pages of a group of which nobody can tell whether it ends; as many again if it has grown more and more "
        "slowly meanwhile. It is judged from its 50th page on, so that the least is some 80. Without this setting "
        f"20,000, and {_BROAD_TRAP_CAP:,} in the profile `broad`; 0: no limit.",
    )
    duplicates: str = _setting(
        choice("mark", "skip", "off"),
        "mark",
        "A page with exactly the text of an earlier page of its site has that page's URL in meta "
        "`polite_duplicate_of`. `skip` also drops its items and links.",
    )
    nofollow: str | None = _setting(
        choice("annotate", "refuse"),
        None,
        "Links that a page asks not to follow (`nofollow`; of a link `ugc` and `sponsored` too): mark them (meta "
        "`polite_nofollow`), or refuse them. Without it `annotate`, and `refuse` in the profile `broad`.",
    )
    noindex: str | None = _setting(
        choice("mark", "drop"),
        None,
        "Items of a page that asks not to be stored (`noindex`, `none`, `unavailable_after`): mark them (key "
        "`polite_noindex`, if they have such a key), or drop them. Without it `mark`, and `drop` in the profile "
        "`broad`.",
    )

    # Blacklists

    blacklists: tuple[Source, ...] = _setting(
        BLACKLISTS,
        [],
        "Lists of hosts, addresses and URLs that are never visited, in the usual formats (docs/blacklists.md). A list "
        "with the action `audit` only counts what it would refuse. Relative paths are below the project's folder.",
    )
    allowlists: tuple[Source, ...] = _setting(
        ALLOWLISTS, [], "Lists that win over all blacklists, and over `POLITE_PRIVATE_ADDRESSES`."
    )
    takedowns: str = _setting(
        FILE,
        "polite/takedowns.txt",
        "The blacklist that `scrapy polite takedown` writes. A relative path is below the project's `.scrapy`. No "
        "allowlist and no audit lifts it.",
    )
    takedown_command: tuple[str, ...] | None = _setting(
        COMMAND,
        None,
        "The program that deletes what the project itself keeps: `scrapy polite takedown` gives it each takedown as "
        "JSON on its standard input (docs/takedowns.md). No shell reads the command line.",
    )
    takedown_timeout: float = _setting(
        seconds(1, 86_400),
        600.0,
        "How long `POLITE_TAKEDOWN_COMMAND`, and each receiver of the signal `polite_takedown`, may take.",
    )
    private_addresses: str = _setting(
        choice("allow", "refuse"),
        "allow",
        "`refuse` is for crawls of the open web: nothing is fetched from private, loopback and link-local addresses, "
        "whatever name or redirect leads there.",
    )
    skip_dynamic: int = _setting(
        SKIP_DYNAMIC,
        "off",
        "For sites whose administrators ask for it. URLs of gateways (`/cgi-bin/` and the like) are refused. Of each "
        "path so many URLs with a query are visited; the others are refused.",
    )

    # What robots.txt offers

    disallowed_start: str = _setting(
        DISALLOWED_START,
        "warn",
        "When robots.txt forbids a start URL and allows paths beneath it: only say so, or queue those paths (the ones "
        "without wildcards, at most 1,000).",
    )

    sitemaps: str = _setting(
        SITEMAPS,
        "off",
        "`seed`: the sitemaps that the robots.txt of a start URL names are read, and what they list is queued with the "
        "callback of the start request, as far as the spider may go there (docs/robots.md).",
    )

    # What outlives a crawl

    store: StoreLocation = _setting(
        STORE,
        "polite/polite.sqlite",
        "Where robots.txt copies, closed hosts and decisions on traps are kept, for later crawls and for others at the "
        "same time: a SQLite file, or a Redis or Valkey server for crawls on several machines (docs/shared-store.md). "
        "A relative path is below the project's `.scrapy`. `sqlite:///PATH` is an absolute one. `redis://` alone takes "
        "the server from the project's `REDIS_URL` and `REDIS_PARAMS`. `memory` keeps nothing.",
    )
    frontier: StoreLocation | None = _setting(
        FRONTIER,
        None,
        "The Redis or Valkey server that keeps the queue. Any number of processes on any number of machines work on it "
        "together (docs/many-machines.md). `redis://` alone takes the server from REDIS_URL and REDIS_PARAMS. Without "
        "it each process has a queue of its own.",
    )
    job: str | None = _setting(
        JOB, None, "The job on `POLITE_FRONTIER` that this process works on. Without it the name of the spider."
    )
    lease: float = _setting(
        seconds(1, 3_600),
        30.0,
        "For how long a process has its hosts of `POLITE_FRONTIER` when nothing is heard of it. Others have them after "
        "that. A process that cannot reach the server sends nothing from then on.",
    )
    when_empty: str = _setting(
        choice("end", "wait"),
        "end",
        "What a crawl on `POLITE_FRONTIER` does when nothing is queued and nothing is in flight. `wait` is for a crawl "
        "that is fed from outside (`scrapy polite push`).",
    )
    visited: str = _setting(
        choice("exact", "bloom"),
        "exact",
        "How seen URLs are remembered: all of them, or in a Bloom filter. The filter has room for 100 million URLs in "
        "410 MB and takes a few new ones for seen.",
    )
    visited_error_rate: float = _setting(
        fraction(f"a share from {MIN_ERROR_RATE:.6f} to {MAX_ERROR_RATE:g}", MIN_ERROR_RATE, MAX_ERROR_RATE),
        0.0001,
        "Largest share of new URLs that the Bloom filter takes for seen. So many pages are missed.",
    )
    remember_dead_days: float = _setting(
        fraction("days from 0 to 3,650", 0, 3_650),
        0.0,
        "A URL that was answered with 404 or 410 is not asked for again for so many days. It holds for all crawls with "
        "the same `POLITE_STORE`. 0 remembers none.",
    )

    # Coming back

    recrawl: str = _setting(
        choice(*RECRAWL_MODES),
        "off",
        "What is done about pages that an earlier crawl has seen. `links`: a page that has not changed is not handed "
        "to its callback, and the requests that it brought are queued again. `callback`: its callback gets it as it "
        "was, with `polite_unchanged` in meta. `off`: each crawl asks for all pages (docs/howto/come-back.md).",
    )
    recrawl_min: float = _setting(
        seconds(1, 31_536_000), 60.0, "Shortest time after which `POLITE_RECRAWL` asks for a page again."
    )
    recrawl_max: float = _setting(
        seconds(1, 315_360_000), 31_536_000.0, "Longest time after which `POLITE_RECRAWL` asks for a page again."
    )

    # What a person reads

    progress: float = _setting(seconds(0, 86_400), 60.0, "Seconds between two progress lines in the log; 0 for none.")
    summary: bool = _setting(FLAG, True, "Log a summary of at most 24 lines at the end of the crawl.")
    refused_file: str | None = _setting(
        FILE,
        None,
        "Append every refused URL with its reason to this file, as JSON Lines, up to a million lines a run; "
        "without JOBDIR also links that are left with what looks endless, and with `audit` and `log` what they only "
        "count.",
    )
    run_record: bool = _setting(
        FLAG,
        True,
        "Write what the crawl does, a line a request, below the project's `.scrapy/polite/runs` (docs/runs.md).",
    )
    run_report: bool = _setting(
        FLAG,
        True,
        "Write a report of the crawl, `report.html`, into the folder of its run record when it ends. That takes Jinja2 "
        "(extra `report`); without it `scrapy polite report --md` says the same.",
    )
    run_record_days: float = _setting(
        fraction("days from 0 to 36,500", 0, 36_500), 30.0, "Older run records are deleted when a crawl begins."
    )
    run_record_mb: float = _setting(
        fraction("megabytes from 0.001 to 1,000,000,000", 0.001, 1_000_000_000),
        1_000.0,
        "When a crawl begins the oldest run records are deleted, until all take no more than this. One record alone "
        "takes no more either: what follows then is only counted.",
    )
    run_record_mask: tuple[str, ...] = _setting(
        NAMES,
        list(DEFAULT_NAMES),
        "Query parameters whose values are not written to run records, in any case: `token` also stands for "
        "`csrf_token`. Passwords in URLs never are.",
    )

    alert_webhook: str | None = _setting(
        WEBHOOK,
        None,
        "Where alerts are sent as JSON by POST (docs/alerts.md): directly, without a proxy. No log and no run record "
        "has it.",
    )
    alert_command: tuple[str, ...] | None = _setting(
        COMMAND,
        None,
        "The program that gets each alert as JSON on its standard input (docs/alerts.md). No shell reads the command "
        "line. It is ended after 10 seconds.",
    )

    # robots.txt

    robots_timeout: float = _setting(
        seconds(0.1, 600), 30.0, "Time for one attempt to fetch a robots.txt, redirects included."
    )
    robots_attempts: int = _setting(count(1, 10), 3, "Attempts in a row before an origin counts as unreachable.")
    robots_concurrency: int = _setting(
        count(1, 1_000),
        16,
        "Most robots.txt downloads at once. A download that takes more than a second does not count.",
    )
    robots_max_age: float = _setting(
        seconds(60, 2_592_000),
        86_400.0,
        "Longest time for which a copy is fresh, however long its headers say, and whatever crawl has fetched it "
        "(RFC 9309 §2.4: 24 h).",
    )
    robots_default_age: float = _setting(
        seconds(60, 86_400),
        86_400.0,
        "Time for which a copy is fresh whose answer says nothing of it (RFC 9309 §2.4: at most 24 h), but no longer "
        "than `POLITE_ROBOTS_MAX_AGE`.",
    )
    robots_min_age: float = _setting(
        seconds(0, 86_400), 300.0, "Shortest time for which a copy is fresh, whatever its headers say."
    )
    robots_closed_by_answer: float = _setting(
        seconds(0, 2_592_000),
        43_200.0,
        "For how long nothing is fetched where robots.txt is answered with 5xx or 429, although there is a good copy "
        "of it. Then the copy holds, as with Google. 0: it holds at once.",
    )
    robots_closed_without_answer: float = _setting(
        seconds(0, 2_592_000),
        0.0,
        "The same where robots.txt is not answered at all (DNS, connection, time-out).",
    )
    robots_after_outage: str = _setting(
        choice("open", "closed"),
        "open",
        "When robots.txt has been unreachable for 30 days and there is no copy. `open`: no restrictions. `closed`: "
        "fetch nothing.",
    )
    robots_dialect: str = _setting(
        DIALECT,
        "rfc",
        "How robots.txt is understood (docs/robots.md): as RFC 9309 says (`rfc`), or so that only what every dialect "
        "allows is fetched (`strictest`). The others are for single sites: `dialect` in `POLITE_SITES`.",
    )
    robots_not_found_5xx: bool = _setting(
        FLAG, False, 'Take a 5xx answer whose page says "not found" as 404, as Google does.'
    )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls.from_settings(crawler.settings)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Read and check all `POLITE_*` settings. Raises SettingsError with a line for each that is invalid."""
        made = cls(**read_values(settings, {f.name: f.metadata["kind"] for f in fields(cls)}))
        try:
            frontier = project_store(settings, "POLITE_FRONTIER") or made.frontier
            # Whoever shares a queue has to share the pace of its hosts.
            theirs = frontier if settings.get("POLITE_STORE") is None else None
            made = replace(made, frontier=frontier, store=project_store(settings) or theirs or made.store)
        except PartError as error:
            raise SettingsError([str(error)]) from None
        if errors := contradictions(made, _CONTRADICTIONS):
            raise SettingsError(errors)
        if errors := made.dialects_for_all():
            raise SettingsError(errors, exit_status=2)
        if made.frontier is not None and not made.store.lasting:
            raise SettingsError([_OWN_PACE])
        if made.comes_back and not made.store.lasting:
            raise SettingsError([NO_PAGES])
        at_once = settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        if errors := [
            f"POLITE_SITES: {pattern!r}: 'workers' ({workers}) is above CONCURRENT_REQUESTS_PER_DOMAIN ({at_once}), of "
            "which each has one at least: lower the one or raise the other"
            for pattern, workers in made.sites.workers.items()
            if workers > at_once
        ]:
            raise SettingsError(errors)
        return made

    @property
    def adaptive_factor(self) -> float:
        if self.adaptive is None:
            return _BROAD_ADAPTIVE if self.profile == "broad" else 0.0
        return self.adaptive

    def url_of(self, request: Request) -> str:
        """The URL that a request is about; "" where the project's function fails, which is told by who sends it."""
        if self.target_url is None:
            return request.url
        try:
            return self.target_url(request)
        except Exception:  # noqa: BLE001
            return ""

    def dialect(self, origin: Origin | None) -> str:
        """The name of the dialect in which an origin's robots.txt is read; None: that of no site."""
        of_site = self.sites.policy(origin).dialect if origin is not None else None
        return of_site or self.robots_dialect

    def dialects_for_all(self) -> list[str]:
        """A sentence for each dialect that is set for all sites, and is for single ones only."""
        return [
            f"{where} is {name!r} for all sites: on {LOOSER[name]:g} % of 71,351 questions about real files it allows "
            "what Google's parser forbids. Set 'dialect' in POLITE_SITES for the hosts whose robots.txt is written "
            "for it, and 'rfc' or 'strictest' for all"
            for where, name in (
                ("POLITE_ROBOTS_DIALECT", self.robots_dialect),
                ("POLITE_SITES: 'dialect' of '*'", self.sites.of_all.get("dialect")),
            )
            if name in LOOSER
        ]

    @property
    def comes_back(self) -> bool:
        """Whether pages are kept to come back to, anywhere."""
        return self.recrawl != "off" or self.sites.recrawls

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
        return {**DEFAULT_TRAPS, **self.traps, **site.traps}

    @property
    def group_limits(self) -> Limits:
        """By what groups of URL patterns are judged."""
        cap = self.trap_cap
        if cap is None:
            cap = _BROAD_TRAP_CAP if self.profile == "broad" else DEFAULT_LIMITS.cap
        return replace(DEFAULT_LIMITS, budget=self.trap_budget, cap=cap)

    @property
    def looks_for_traps(self) -> bool:
        """Whether anything is done about any trap or duplicate, anywhere."""
        actions = self.trap_actions(DEFAULT_POLICY).values()
        return self.duplicates != "off" or any(action != "off" for action in actions) or self.sites.mention("traps")

    def audits(self, part: str) -> bool:
        return self.mode[part] == "audit"
