"""Links that a page asks not to be followed: `rel="nofollow"`, and `ugc` and `sponsored`, which Google reads alike.

The unit of work is one page, its tree as its selector has parsed it already
(developers.google.com/search/docs/crawling-indexing/qualify-outbound-links). `nofollow` for a whole page is read in
`directives`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, cast

from lxml import etree  # type: ignore[import-untyped]
from w3lib.url import safe_url_string

from scrapy_polite.links import MAX_LINKS, joined, resolved

if TYPE_CHECKING:
    from lxml.etree import _Element  # type: ignore[import-untyped]

#: Elements of a page that are looked at, and characters of their links, beside `MAX_LINKS` different ones.
MAX_ELEMENTS = 20_000
MAX_CHARACTERS = 262_144
_MAX_REL = 1_024

_RELS = frozenset(("nofollow", "ugc", "sponsored"))
_ALL_RELS = etree.XPath("descendant::*/@rel", smart_strings=False)
_SEPARATORS = re.compile(r"[\s,;]+")
#: URLs that `safe_url_string` leaves as they are: nearly all, and it takes ten times as long as all the rest.
_SAFE = re.compile(r"https?://[a-z0-9.-]+(?::[0-9]+)?/(?:[A-Za-z0-9/?&=.,;:@!$'()*+~_-]|%[0-9A-Fa-f]{2})*(?<!\?)")


def nofollow_links(root: _Element, url: str, encoding: str = "utf-8") -> dict[str, str]:
    """Return the links of a page that are not to be followed, and which of the three says so of each.

    Keys are URLs as Scrapy's requests have them, without fragment; `url` and `encoding` are the page's own. A URL that
    the page links (or frames) in another place without such a `rel` is to be followed. Links beyond the limits above
    are not looked at. Nothing is raised.
    """
    # Hardly any page has one, and to ask the tree for all is quick.
    if not any(map(_rels, set(cast("list[str]", _ALL_RELS(root))[:MAX_ELEMENTS]))):
        return {}
    base = None
    marked: dict[str, str] = {}
    plain: dict[str, None] = {}
    left = MAX_CHARACTERS
    for element in islice(root.iter("{*}a", "{*}area", "{*}iframe", "{*}frame", "{*}base"), MAX_ELEMENTS):
        target = element.get("href") or element.get("src") or ""
        left -= len(target)
        if left < 0 or len(marked) + len(plain) >= MAX_LINKS:
            break
        if not target:
            continue
        if element.tag.endswith("base"):
            # The first one counts (HTML §4.2.3), for links before it too.
            base = base or joined(url, target)
        elif rels := _rels(element.get("rel")):
            marked.setdefault(target, rels)
        else:
            plain[target] = None
    if not marked:
        return {}
    base = base or url
    followed = set(_requested(base, plain, encoding))
    return {
        link: rels
        for rels in dict.fromkeys(marked.values())
        for link in _requested(base, [target for target in marked if marked[target] == rels], encoding)
        if link not in followed
    }


def _rels(rel: str | None) -> str:
    """Which of the three a `rel` has, sorted; they are separated by blanks, or where people err by `,`, `;`."""
    return " ".join(sorted(_RELS.intersection(_SEPARATORS.split(rel[:_MAX_REL].lower())))) if rel else ""


def _requested(base: str, targets: Iterable[str], encoding: str) -> Iterator[str]:
    """The URLs of the requests that links lead to."""
    for link in resolved(base, targets):
        if _SAFE.fullmatch(link):
            yield link
            continue
        try:
            yield safe_url_string(link, encoding)
        except (ValueError, LookupError):
            continue
