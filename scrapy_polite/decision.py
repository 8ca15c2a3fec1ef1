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
    "robots/unreachable": "robots.txt is unreachable (429, 5xx, network), and there is no copy: nothing may be fetched",
    "robots/denied": "robots.txt was answered with 401 or 403: in this dialect nothing may be fetched",
    "robots/closing": "the crawl was closing while robots.txt was still on its way",
    "pace/crawl-delay": "the host's robots.txt asks for this Crawl-delay",
    "pace/request-rate": "the host's robots.txt asks for this Request-rate",
    "pace/visit-time": "the host's robots.txt asks to be visited at other hours (Visit-time)",
    "pace/delay": "the project's own settings ask for this delay",
    "pace/adaptive": "the delay follows the host's response time (POLITE_ADAPTIVE)",
    "pace/retry-after": "the host answered 429 or 503 with Retry-After",
    "pace/backoff": "several answers or connections in a row failed: the host is left alone for a while",
    "pace/budget": "the site's budget of pages is spent for this period",
    "pace/held": "another crawl on the store sends to it, the store is locked, or AutoThrottle slows it down",
    "pace/concurrency": "as many requests as this host may have are in flight",
    "pace/abandoned": "connections to the host failed for longer than POLITE_GIVE_UP, and nothing else came of them",
    "pace/closing": "the crawl was closing while the request waited for its host",
    "trap/url-length": "the URL is longer than URLLENGTH_LIMIT, in the broad profile than 1,023 characters",
    "trap/host-labels": "the host name has too many labels",
    "trap/repeated-segments": "a block of segments repeats in the path, several times in a row",
    "trap/frequent-segment": "the same segment occurs too often in the path",
    "trap/growing-encoding": "the URL was escaped over and over",
    "trap/nested-urls": "URLs are nested in the URL, several deep",
    "trap/script-fragment": "the path holds a piece of a script's string, no link",
    "trap/bbcode": "the URL holds a forum's markup (BBCode)",
    "trap/repeated-parameter": "the query has the same name and value too often",
    "trap/frequent-parameter": "the query has the same name too often",
    "trap/path-depth": "the path has too many segments",
    "trap/query-parameters": "the query has too many parameters",
    "trap/long-url": "the URL is long (1,024 characters or more), though within the limit",
    "trap/alias": "the URL differs only in a part that does not matter there from others that are the same page",
    "trap/by-hand": "a person has said that its URL pattern is a trap (`scrapy polite traps confirm`)",
    "trap/robot-error": "an error page made for robots leads to it, on another site, such as that of a browser",
    "trap/endless": "its group of URL patterns looks endless: refused with POLITE_TRAPS 'drop', audited with 'log', "
    "and in POLITE_REFUSED_FILE where it stays behind",
    "directives/nofollow": "the page, or the link itself, asks not to be followed",
    "directives/noindex": "the page asks to be kept nowhere (noindex, none)",
    "directives/unavailable-after": "the page asks to be kept no longer (unavailable_after)",
    "blacklist/host": "a blacklist names the host, or a domain above it",
    "blacklist/url": "a blacklist names the URL, or what it begins with",
    "blacklist/regex": "a regular expression of a blacklist matches the URL",
    "blacklist/address": "a blacklist names the address, or the one that the host's name leads to",
    "blacklist/private-address": "the address is none of the public Internet (POLITE_PRIVATE_ADDRESSES)",
    "blacklist/takedown": "its owner has asked that it be left alone (`scrapy polite takedown`)",
    "blacklist/dynamic": "a gateway, or one URL with a query too many of its path (POLITE_SKIP_DYNAMIC)",
    "visited/dead": "the URL was answered with 404 or 410 lately (POLITE_REMEMBER_DEAD_DAYS)",
    "robots/bad-url": "the URL has no origin that a robots.txt could be asked for",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """Go, refuse, or wait.

    `reason` is a key of `REASONS`; `detail` is the evidence in one line (`line 12: Disallow: /private`), taken from
    the network as it came and so to be escaped before it is shown (`text.printable`). `rule` and `line` (counted
    from 1) name the rule of robots.txt that decided, where one did; `pattern` names the group of URL patterns, where it
    is `trap/endless`. `wait_until` (epoch seconds) is set where asking again from then on may bring another answer.
    """

    allowed: bool
    reason: str
    detail: str = ""
    rule: str | None = None
    line: int | None = None
    wait_until: float | None = None
    pattern: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}" if self.detail else self.reason
