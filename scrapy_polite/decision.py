"""Decision: what a part of the crawl says of one request, and on what evidence.

The unit of everything that is counted, logged and explained. Reasons are stable, lower-case, `part/what`.
"""

from __future__ import annotations

from dataclasses import dataclass

#: Every reason a decision can carry, and what it means to a person.
REASONS: dict[str, str] = {
    "robots/allow": "an Allow rule of robots.txt matches the URL best",
    "robots/no-rule": "robots.txt was read and no rule of it matches the URL",
    "robots/robots-txt": "/robots.txt itself may always be fetched (RFC 9309 §2.2.2)",
    "robots/none": "the origin has no robots.txt (4xx, or redirects that lead nowhere): no restrictions",
    "robots/outage-over": "robots.txt has been unreachable for so long (30 days) that it counts as missing",
    "robots/disallow": "a Disallow rule of robots.txt matches the URL best",
    "robots/too-costly": "matching this URL against the file's rules would take too long: treated as disallowed",
    "robots/parser-failed": "the project's own ROBOTSTXT_PARSER raised an exception: treated as disallowed",
    "robots/unreachable": "robots.txt cannot be had (429, 5xx, network), and there is no copy: nothing may be fetched",
    "robots/closing": "the crawl was closing while robots.txt was still on its way",
    "pace/crawl-delay": "the host's robots.txt asks for this Crawl-delay",
    "pace/request-rate": "the host's robots.txt asks for this Request-rate",
    "pace/visit-time": "the host's robots.txt asks to be visited at other hours (Visit-time)",
    "pace/delay": "the project's own settings ask for this delay",
    "pace/adaptive": "the delay follows the host's response time (POLITE_ADAPTIVE)",
    "pace/retry-after": "the host answered 429 or 503 with Retry-After",
    "pace/backoff": "several answers or connections in a row failed: the host is left alone for a while",
    "pace/budget": "the site's budget of pages is spent for this period",
    "pace/held": "another crawl that shares the store is sending to this host, or AutoThrottle slows it down",
    "pace/concurrency": "as many requests as this host may have are in flight",
    "pace/closing": "the crawl was closing while the request waited for its host",
    "visited/dead": "the URL was answered with 404 or 410 lately (POLITE_REMEMBER_DEAD_DAYS)",
    "robots/bad-url": "the URL has no origin that a robots.txt could be asked for",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """Go, refuse, or wait.

    `reason` is a key of `REASONS`; `detail` is the evidence in one line (`line 12: Disallow: /private`), taken from
    the network as it came and so to be escaped before it is shown (`ledger.printable`). `rule` and `line` (counted
    from 1) name the rule of robots.txt that decided, where one did. `wait_until` (epoch seconds) is set where asking
    again from then on may bring another answer.
    """

    allowed: bool
    reason: str
    detail: str = ""
    rule: str | None = None
    line: int | None = None
    wait_until: float | None = None

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason
