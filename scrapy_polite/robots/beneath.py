"""What a robots.txt allows beneath a page that it forbids: a site that closes `/` may open `/docs/`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from scrapy_polite.robots.paths import path_of

if TYPE_CHECKING:
    from scrapy_polite.robots.rules import RobotsTxt

#: Of one start URL. More: a robots.txt of 500 KiB has up to 40,000 Allow lines, all of which would be queued.
MAX_CHILDREN = 1_000


def allowed_beneath(robots_txt: RobotsTxt, url: str) -> tuple[list[str], list[str]]:
    """The Allow patterns beneath a URL that the file lets the crawler fetch: literal ones, and those with wildcards.

    Both in the file's order and without repetition, the literal ones as URLs, at most MAX_CHILDREN of each. A final `$`
    makes no wildcard. Beneath `/a/` and `/a` is what begins with `/a/`; beneath a file, `/a/b.html`, what is in its
    directory.
    """
    directory, _, name = path_of(url).partition("?")[0].rpartition("/")
    above = f"{directory}/{name}/" if name and "." not in name else f"{directory}/"
    urls: dict[str, None] = {}
    patterns: dict[str, None] = {}
    for pattern in robots_txt.allow_patterns():
        if len(urls) >= MAX_CHILDREN and len(patterns) >= MAX_CHILDREN:
            break
        literal = pattern.removesuffix("$")
        if not pattern.startswith("/") or literal.startswith("//") or not path_of(literal).startswith(above):
            continue
        if "*" in literal:
            if len(patterns) < MAX_CHILDREN:
                patterns[pattern] = None
        elif len(urls) < MAX_CHILDREN and robots_txt.decide(child := urljoin(url, literal)).allowed:
            urls[child] = None
    return list(urls), list(patterns)
