"""Links that a page asks not to be followed: `rel="nofollow"`, and `ugc` and `sponsored`, which Google reads alike.

The unit of work is one page, its tags as `markup` finds them
(developers.google.com/search/docs/crawling-indexing/qualify-outbound-links). `nofollow` for a whole page is read in
`directives`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from w3lib.url import safe_url_string

from scrapy_polite.links import MAX_LINKS, joined, resolved
from scrapy_polite.robots.markup import Markup, attributes

#: Elements of a page that are looked at, and characters of their links and rels, beside `MAX_LINKS` different links.
MAX_ELEMENTS = 10_000
MAX_CHARACTERS = 262_144
_MAX_REL = 1_024

_RELS = frozenset(("nofollow", "ugc", "sponsored"))
_SIGNS = (*(rel.encode() for rel in _RELS), b"&")
# Of a page in lower case.
_REL = re.compile(rb"rel\s*=\s*(?:\"[^\"]*|'[^']*|[^\s>]*)")
_SEPARATORS = re.compile(r"[\s,;]+")
#: URLs that `safe_url_string` leaves as they are: nearly all, and it takes ten times as long as all the rest.
_SAFE = re.compile(
    r"https?://[a-z0-9.-]+(?::[0-9]+)?/{plain}(?:%[0-9A-Fa-f]{{2}}{plain})*(?<!\?)".format(
        plain="[A-Za-z0-9/?&=.,;:@!$'()*+~_-]*"
    )
)


def nofollow_links(page: Markup) -> dict[str, str]:
    """Return the links of a page that are not to be followed, and which of the three says so of each.

    Keys are URLs as Scrapy's requests have them, without fragment. A URL that the page links (or frames) in another
    place without such a `rel` is to be followed. Links beyond the limits above are not looked at. Nothing is raised.
    """
    if not _may_mark(page.lower):
        return {}
    base = None
    marked: dict[bytes, str] = {}
    plain: dict[bytes, None] = {}
    left = MAX_CHARACTERS
    elements = (tag for tag in page.tags() if tag[1] != b"meta")
    for _, name, behind in islice(elements, MAX_ELEMENTS):
        tag = attributes(behind)
        target, rel = tag.get(b"href") or tag.get(b"src"), tag.get(b"rel", b"")[:_MAX_REL]
        if not target:
            continue
        left -= len(target) + len(rel)
        if left < 0 or len(marked) + len(plain) >= MAX_LINKS:
            break
        if name == b"base":
            # The first one counts (HTML §4.2.3), for links before it too.
            base = base or joined(page.url, page.text(target))
        elif rels := _rels(page.text(rel)) if rel else "":
            marked.setdefault(target, rels)
        else:
            plain[target] = None
    if not marked:
        return {}
    base = base or page.url
    followed = set(_requested(base, map(page.text, plain), page.encoding))
    return {
        link: rels
        for rels in dict.fromkeys(marked.values())
        for link in _requested(base, [page.text(one) for one in marked if marked[one] == rels], page.encoding)
        if link not in followed
    }


def _may_mark(lower: bytes) -> bool:
    """Whether a page in lower case may have such a `rel`. Hardly any has, and this is quick."""
    found = _REL.findall(lower)
    said = b" ".join(found)
    # What looks like a rel may stand in a text, and have one in it that is one.
    return any(word in said for word in _SIGNS) or said.count(b"rel") > len(found)


def _rels(rel: str) -> str:
    """Which of the three a `rel` has, sorted; they are separated by blanks, or where people err by `,`, `;`."""
    return " ".join(sorted(_RELS.intersection(_SEPARATORS.split(rel.lower()))))


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
