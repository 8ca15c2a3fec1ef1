"""Verdict: what `scrapy robots check` found out about one URL, for a person and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, time, timezone
from typing import TYPE_CHECKING, Any

from scrapy_polite.decision import REASONS
from scrapy_polite.origin import origin_of
from scrapy_polite.robots.main_host import ITSELF, why_not
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.services.robots import describe
from scrapy_polite.text import duration, printable

if TYPE_CHECKING:
    from protego import RequestRate, VisitTime

    from scrapy_polite.decision import Decision
    from scrapy_polite.robots.cache import CachedRobots, Rules
    from scrapy_polite.store.robots import RobotsCopy

#: The token of a crawler that has none.
ANYONE = "*"

#: What a crawl does with a verdict -> what to add to it.
POLICIES = {
    "obey": "",
    "never": "does not ask for this robots.txt: 'never' in POLITE_SITES, or ROBOTSTXT_OBEY is not set",
    "annotate": "fetches what is refused, and marks it: POLITE_SITES annotates",
    "audit": "fetches what is refused, and counts it: robots.txt is in audit (ROBOTSTXT_OBEY, POLITE_MODE)",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The fields are the keys of `--json`.

    - `url`, as a crawl would ask for it; `allowed`, by the file alone; `reason`, a key of `decision.REASONS`;
      `detail`, the evidence in one line; `rule` and `line` (from 1), where a rule decided.
    - `robots_txt`: the file's URL, or its path on this machine; `state`: what it means now, in words; `status`: its
      last good HTTP status; `redirects`: the URLs that they led to.
    - `token`: the product token the file was read for ("*": there is none); `token_source`: what sets it;
      `group`: the group that applies ("*", the token, or null: none); `rule_count`: its Allow and Disallow lines.
    - `crawl_delay` (seconds), `request_rate` (requests, seconds, start_time, end_time) and `visit_time` (start_time,
      end_time; UTC, "HH:MM"), where the group declares them.
    - `dialect`: what the file was read as (null: by the project's own parser, or there are no rules).
    - `host`: the main host that the file names in a Host line, as it is written.
    - `basis`: "fresh", "stale" (the last good copy, in an outage), "none" (no rules), "unchecked" (not known in time);
      `fetched_at`, `fresh_until`, `failing_since` and `next_try`: ISO 8601, UTC, null where there is none;
      `failure`: why the file is unreachable.
    - `policy`: what the crawl does with the verdict, a key of `POLICIES`.
    """

    url: str
    allowed: bool
    reason: str
    detail: str
    rule: str | None
    line: int | None
    robots_txt: str
    state: str
    status: int | None
    redirects: tuple[str, ...]
    token: str
    token_source: str
    group: str | None
    rule_count: int | None
    crawl_delay: float | None
    request_rate: RequestRate | None
    visit_time: VisitTime | None
    dialect: str | None
    host: str | None
    basis: str
    fetched_at: str | None
    fresh_until: str | None
    failing_since: str | None
    next_try: str | None
    failure: str
    policy: str

    def as_json(self) -> str:
        return json.dumps(asdict(self) | {name: _plain(getattr(self, name)) for name in ("request_rate", "visit_time")})

    def as_text(self) -> str:
        rows = (
            ("allowed" if self.allowed else "refused", _evidence(self)),
            ("as", _reader(self)),
            ("robots.txt", f"{printable(self.robots_txt, 300)}: {self.state}"),
            ("redirects", " -> ".join(printable(url) for url in self.redirects)),
            ("asks for", ", ".join(_wishes(self))),
            ("main host", _main_host(self)),
            ("the crawl", POLICIES[self.policy]),
        )
        lines = [f"  {name:<10}  {text}" for name, text in rows if text]
        return "\n".join([printable(self.url, 300), *lines])


def verdict(
    url: str,
    decision: Decision,
    *,
    basis: str,
    robots_txt: str,
    state: str,
    rules: Rules | None,
    token: str,
    token_source: str,
    copy: RobotsCopy | None = None,
    policy: str = "obey",
) -> Verdict:
    """`rules` are None where there are none, `copy` where nothing was fetched."""
    # The project's own ROBOTSTXT_PARSER knows nothing of groups.
    known = rules if isinstance(rules, RobotsTxt) else None
    answered = copy is not None and copy.status is not None
    failing = copy is not None and copy.failing_since is not None
    return Verdict(
        url=url,
        allowed=decision.allowed,
        reason=decision.reason,
        detail=decision.detail,
        rule=decision.rule,
        line=decision.line,
        robots_txt=robots_txt,
        state=state,
        status=copy.status if copy else None,
        redirects=copy.hops if copy else (),
        token=token,
        token_source=token_source,
        group=known.group if known else None,
        rule_count=known.rule_count if known else None,
        crawl_delay=known.crawl_delay if known else None,
        request_rate=known.request_rate if known else None,
        visit_time=known.visit_time if known else None,
        dialect=known.dialect if known else None,
        host=known.host if known else None,
        basis=basis,
        fetched_at=_utc(copy.fetched_at) if copy and answered else None,
        fresh_until=_utc(copy.expires_at) if copy and answered and not failing else None,
        failing_since=_utc(copy.failing_since) if copy and copy.failing_since is not None else None,
        next_try=_utc(copy.next_try) if copy and failing else None,
        failure=copy.failure if copy and failing else "",
        policy=policy,
    )


def state_of(held: CachedRobots, now: float) -> str:
    """What a robots.txt means at `now`, when it was fetched, and for how long that holds."""
    return ", ".join([describe(held, now), *_ages(held.copy, now)])


def _ages(copy: RobotsCopy, now: float) -> Iterator[str]:
    if copy.status is not None:
        age_s = now - copy.fetched_at
        yield "fetched just now" if age_s < 1 else f"fetched {duration(age_s)} ago"
    if copy.failing_since is None:
        left_s = copy.expires_at - now
        yield f"fresh for {duration(left_s)}" if left_s > 0 else f"stale for {duration(-left_s)}"
        return
    failing_s = now - copy.failing_since
    if failing_s >= 1:
        yield f"failing for {duration(failing_s)}"
    yield "next try now" if copy.next_try <= now else f"next try in {duration(copy.next_try - now)}"


def _evidence(verdict: Verdict) -> str:
    if verdict.line is not None:
        return f"{printable(verdict.detail, 250)}  ({verdict.reason})"
    detail = f": {printable(verdict.detail)}" if verdict.detail else ""
    return f"{REASONS[verdict.reason]}{detail}  ({verdict.reason})"


def _reader(verdict: Verdict) -> str:
    if verdict.token == ANYONE:
        name = f"any crawler: no product token in {verdict.token_source}"
    else:
        name = f"{printable(verdict.token, 60)} (from {verdict.token_source})"
    if verdict.rule_count is None:
        return name
    group = "no group applies" if verdict.group is None else f"group {printable(verdict.group, 60)}"
    return f"{name}, {group}" + ("" if verdict.dialect in (None, "rfc") else f", read as {verdict.dialect}")


def _wishes(verdict: Verdict) -> Iterator[str]:
    if verdict.crawl_delay is not None:
        yield f"Crawl-delay {verdict.crawl_delay:g} s"
    if rate := verdict.request_rate:
        yield f"Request-rate {rate.requests} in {rate.seconds} s{_hours(rate.start_time, rate.end_time)}"
    if period := verdict.visit_time:
        yield f"Visit-time{_hours(period.start_time, period.end_time)}"


def _main_host(verdict: Verdict) -> str:
    """What the Host line names, where that is another host."""
    origin = origin_of(verdict.url)
    if verdict.host is None or origin is None or why_not(origin, verdict.host) == ITSELF:
        return ""
    return f"{printable(verdict.host, 100)} (Host line; followed where POLITE_SITES says 'host': 'follow')"


def _hours(start: time | None, end: time | None) -> str:
    return f" {start:%H:%M}-{end:%H:%M} UTC" if start and end else ""


def _plain(value: RequestRate | VisitTime | None) -> dict[str, Any] | None:
    if value is None:
        return None
    return {name: f"{part:%H:%M}" if isinstance(part, time) else part for name, part in value._asdict().items()}


def _utc(seconds: float) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):  # an imported store may say anything
        return None
