"""Who the crawl says it is: the User-Agent it really sends, and what an operator would miss in it."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_polite.robots.groups import readings
from scrapy_polite.robots.product_token import product_token

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler

_BROWSER = re.compile(r"Mozilla/\d.*(?:Chrome|Firefox|Safari|Edg|OPR|Trident|MSIE)[/ ]\d", re.IGNORECASE)
_CONTACT = re.compile(r"https?://\S|\bwww\.\S|[^\s@]@[^\s@]+\.[a-z]", re.IGNORECASE)


def default_user_agent(crawler: Crawler) -> str:
    """What Scrapy sends where a request brings no header of its own."""
    return user_agent_and_source(crawler)[0]


def user_agent_and_source(crawler: Crawler) -> tuple[str, str]:
    """The default User-Agent and the name of what sets it: DefaultHeaders comes before UserAgentMiddleware."""
    defaults = crawler.settings.getdict("DEFAULT_REQUEST_HEADERS")
    header = next((value for name, value in defaults.items() if str(name).lower() == "user-agent" and value), None)
    sources = (
        (header, "DEFAULT_REQUEST_HEADERS"),
        (getattr(crawler.spider or crawler.spidercls, "user_agent", None), "the spider's user_agent"),
        (crawler.settings["USER_AGENT"], "USER_AGENT"),
    )
    return next(((_text(value), source) for value, source in sources if value), ("", "USER_AGENT"))


def request_user_agent(request: Request) -> str | None:
    """The request's own User-Agent header, if it has one."""
    header = request.headers.get(b"User-Agent")
    return None if header is None else _text(header)


@lru_cache(maxsize=1_000)
def agent_key(user_agent: str) -> str:
    """The name of a User-Agent where copies of robots.txt are told apart by it: product token and digest of the header.

    Short whatever is sent, for a store has it several times an origin; `agent_name` has the part that people know.
    """
    digest = hashlib.sha256(user_agent.encode("utf-8", "replace")).hexdigest()
    return f"{token_of(user_agent)}:{digest[:12]}"


def agent_name(agent: str) -> str:
    """The product token of an `agent_key`, and of what named a copy before there were such keys."""
    return agent.partition(":")[0]


@lru_cache(maxsize=1_000)
def token_of(user_agent: str) -> str:
    """The product token as robots.txt files are read for it: in lower case, "*" where there is none."""
    return (product_token(user_agent) or "*").lower()


def complaints(user_agent: str, contact_email: str | None, robots_user_agent: str | None) -> Iterator[str]:
    """What is wrong with a User-Agent, one sentence each; `robots_user_agent` is ROBOTSTXT_USER_AGENT, if set."""
    if not user_agent.strip():
        yield "USER_AGENT is empty: operators cannot tell who crawls them."
        return
    if user_agent.startswith("Scrapy/"):
        yield f"USER_AGENT is Scrapy's default ({user_agent!r}): give your crawler a name of its own."
    elif _BROWSER.search(user_agent) and "compatible;" not in user_agent:
        yield f"USER_AGENT is a browser's ({user_agent[:80]!r}): a polite crawler says what it is."
    if not contact_email and ("scrapy.org" in user_agent or not _CONTACT.search(user_agent)):
        yield (
            "USER_AGENT has no contact (a URL or e-mail address of yours) and POLITE_CONTACT_EMAIL is not set: "
            "an operator who has a problem with the crawl can only block it."
        )
    if product_token(robots_user_agent or user_agent) is None:
        yield (
            f"no product token can be found in {(robots_user_agent or user_agent)[:80]!r}, so only the rules for all "
            "crawlers ('User-agent: *') are obeyed: begin it with a name, as in 'mybot/1.0 (+https://example.com/bot)'."
        )


def digits_in_token(user_agent: str, robots_user_agent: str | None) -> str:
    """What it means that a product token has digits, in one sentence; "" where it has none."""
    ways = readings(product_token(robots_user_agent or user_agent))
    if len(ways) == 1:
        return ""
    whole, *stem = [way.name.decode() for way in ways if way.name]
    lines = ", ".join(f"'User-agent: {name}'" for name in (whole, *stem, "*"))
    alike = f", and so are those of '{stem[0]}1' and the like" if stem else ""
    return (
        f"the product token {whole!r} has digits, and robots.txt knows none in a name (RFC 9309, 2.2.1): the groups of "
        f"{lines} are all obeyed{alike}"
    )


def _text(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
