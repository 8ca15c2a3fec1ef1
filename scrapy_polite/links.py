"""The URLs that a page's references lead to, as HTML and RFC 3986 §5 resolve them, quickly."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urljoin, urlsplit

MAX_LINKS = 2_000
"""So many links of a page are looked at."""

#: References that begin with no single slash, by what has to stand before them (RFC 3986 §4.2). For any other urljoin,
#: which takes ten times as long.
_SIMPLE_REFERENCE = re.compile(
    r"(?P<absolute>https?://[\w.-]+(?::\d+)?(?:[/?].*)?)|(?P<scheme>//[\w.-]+(?::\d+)?(?:[/?].*)?)"
    r"|(?P<query>\?.*)|(?P<folder>[\w%](?:/?[^:/\t\r\n])*/?)",
    re.ASCII,
)


def resolved(base: str, hrefs: Iterable[str]) -> tuple[str, ...]:
    """The absolute URLs without fragments, each once, in order; `MAX_LINKS` of them at most."""
    page = base.partition("#")[0].partition("?")[0]
    origin = "/".join(page.split("/", 3)[:3])
    folder = page[: page.rindex("/") + 1] if page.count("/") > 2 else page + "/"
    before = {"absolute": "", "scheme": base.partition("/")[0], "query": page, "folder": folder}
    links: dict[str, None] = {}
    for href in dict.fromkeys(hrefs):
        target = href.strip().partition("#")[0]
        if not target:
            continue
        # Dots are resolved, an empty query and line ends left out.
        odd = "/." in target or target[-1] == "?" or "\n" in target
        link: str | None
        if not odd and target[:1] == "/" and target[1:2] != "/":
            link = origin + target
        elif not odd and (simple := _SIMPLE_REFERENCE.fullmatch(target)) is not None:
            link = before[str(simple.lastgroup)] + target
        else:
            link = joined(base, target)
        if link is not None:
            links[link] = None
            if len(links) >= MAX_LINKS:
                break
    return tuple(links)


def joined(base: str, href: str) -> str | None:
    """The absolute URL, None for one that is no page's (mailto:) or none at all."""
    try:
        link = href if href[:4] == "http" and "/." not in href else urljoin(base, href)
        return link if link[:4] == "http" and urlsplit(link).hostname else None
    except ValueError:
        return None


def without_dots(path: str) -> str:
    """The path without dot segments (RFC 3986 §5.2.4); it begins with a slash."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in {".", ".."}:
        kept.append("")
    return "/" + "/".join(kept)
