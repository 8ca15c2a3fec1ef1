"""The pages of the demo site: which links to which, and their HTML. The same on every run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from demo.site.origins import DemoOrigin

_SUBJECTS = ("The harbour", "A lighthouse", "The night ferry", "An old map", "The fish market", "Low tide", "The pilot")
_EVENTS = (
    "in winter",
    "after the storm",
    "before dawn",
    "and its keeper",
    "seen from the sea",
    "as it was",
    "by bicycle",
)
_SENTENCES = (
    "Few people remember who drew the first line of it, and those who do disagree.",
    "The harbour master keeps a record of every vessel, with the weather in the margin.",
    "From the upper road one sees the whole of the bay, and on clear days the islands.",
    "It was rebuilt twice, each time with the stones of what stood there before.",
    "Visitors are asked to close the gate, and mostly do.",
)


def links(origin: DemoOrigin, path: str, origins: Sequence[DemoOrigin]) -> Iterator[tuple[DemoOrigin, str]]:
    """The (origin, path) pairs that a page links to.

    An origin's pages form a binary tree, the forbidden ones at its end: what is allowed can be reached without passing
    what is not. Each page also links to one of another origin, and the very first page to five of every other: a crawl
    meets all kinds of robots.txt at once, with several requests waiting for the slow ones. A home page links to the
    origin's endless space, from which nothing leads back. Pages behind nofollow, and those of a sitemap, are no part of
    this.
    """
    made_up = origin.made_up(path)
    if made_up:
        yield from ((origin, target) for target in made_up.links)
        return
    if path in origin.unfollowed + origin.in_sitemap:
        return
    if origin.nofollow and path == origin.nofollow.page:
        yield from ((origin, target) for target in origin.nofollow.links)
        return
    here, pages = origins.index(origin), origin.linked
    n = pages.index(path)
    yield from ((origin, pages[child]) for child in (2 * n + 1, 2 * n + 2) if child < len(pages))
    elsewhere = origins[(here + 1 + n) % len(origins)]
    yield elsewhere, elsewhere.linked[n % len(elsewhere.linked)]
    if n == 0 and origin.trap:
        yield origin, origin.trap.entrance
    if n == 0 and origin.nofollow:
        yield origin, origin.nofollow.unvouched
    if here == n == 0:
        yield from ((other, page) for other in origins[1:] for page in other.linked[:1] + other.linked[-4:])


def html(origin: DemoOrigin, path: str, origins: Sequence[DemoOrigin], addresses: Mapping[str, str]) -> bytes:
    """A page as UTF-8. `addresses`: origin name → `http://host:port`."""
    items = "\n".join(
        f'<li><a href="{escape(address)}"{_rel(origin, target)}>{escape(_title(*target))}</a></li>'
        for target in links(origin, path, origins)
        for address in [("" if target[0] is origin else addresses[target[0].name]) + target[1]]
    )
    title, text = escape(_title(origin, path)), escape(_text(origin, path))
    asks_for_none = origin.nofollow is not None and path == origin.nofollow.page
    meta = '<meta name="robots" content="nofollow, noindex">' if asks_for_none else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8">{meta}<title>{title}</title></head>
<body>
<nav><a href="/">Home</a></nav>
<main><h1>{title}</h1>
<p>{text}</p>
<ul>
{items}
</ul></main>
</body>
</html>
""".encode()


def _rel(origin: DemoOrigin, target: tuple[DemoOrigin, str]) -> str:
    is_unvouched = origin.nofollow is not None and target == (origin, origin.nofollow.unvouched)
    return ' rel="nofollow"' if is_unvouched else ""


def _text(origin: DemoOrigin, path: str) -> str:
    made_up = origin.made_up(path)
    if made_up:
        return made_up.text
    n = origin.pages.index(path)
    return " ".join(_SENTENCES[(n + i) % len(_SENTENCES)] for i in range(4))


def _title(origin: DemoOrigin, path: str) -> str:
    made_up = origin.made_up(path)
    if made_up:
        return made_up.title
    n = origin.pages.index(path)
    if n == 0:
        return f"Home of “{origin.name}”"
    return f"{_SUBJECTS[n % 7]} {_EVENTS[n // 7 % 7]} ({path})"
