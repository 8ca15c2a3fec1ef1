"""A zoo of crawl traps, and of honest sites of similar shapes: pure functions of a URL, the same for the same seed.

Thirty traps are those of the literature and of other crawlers' issue trackers (numbered), ten are our own, and `NEW`
were kept apart until the rules of quarantine had been settled, to see whether these are general. Each lives on a small
honest site with a home page and a dozen articles, whose pages have to be reached in spite of the trap.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from html import escape, unescape
from random import Random
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, urldefrag, urlencode, urljoin, urlsplit

HTML = {"Content-Type": "text/html; charset=utf-8"}
ARTICLES = 12
#: No such domain can be registered (RFC 6761 §6.2).
SUFFIX = "test"

_SYLLABLES = [first + second for first in "bdfklmnprstvz" for second in "aeiou"]
_MIX = Random(0)
WORDS = sorted({"".join(_MIX.choices(_SYLLABLES, k=_MIX.choice((2, 2, 3, 4)))) for _ in range(2_500)})


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Asked(NamedTuple):
    """One request as a site sees it: `rng` depends on the seed, the site and the URL alone."""

    url: str
    host: str
    path: str
    query: dict[str, str]
    pairs: list[tuple[str, str]]
    rng: Random
    seed: int

    @property
    def segments(self) -> list[str]:
        return [segment for segment in self.path.split("/") if segment]

    def of(self, *what: object) -> Random:
        """A generator that depends on `what` and the seed, not on the URL."""
        return Random(f"{self.seed}|{what}")


class Leaf(NamedTuple):
    """What a page says: a title, blocks of text, links as (href, text), and raw markup."""

    title: str
    blocks: Iterable[str] = ()
    links: Iterable[tuple[str, str] | str] = ()
    markup: str = ""


Page = Callable[[Asked], "Leaf | Answer | None"]

#: A link of a page that a site has written itself (an `Answer`).
_HREF = re.compile(rb"""<(?:a|area)\b[^>]*?\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Site:
    """One registered domain. `inside(url)` says whether a URL belongs to its trap, if it has one.

    `random`: a part of each page differs with every visit. `silent`: the pages of the trap say nothing that their URLs
    do not explain. `undecidable`: nobody can tell it from a large honest site. `most`: a finite site so large that a
    crawl of it is cut at so many pages; 0: it is crawled to its end. `hosted`: a trap on the small honest site.
    """

    name: str
    page: Page
    start: str
    trap: bool
    inside: Callable[[str], bool]
    random: bool = False
    silent: bool = False
    undecidable: bool = False
    most: int = 0
    hosted: bool = True

    @property
    def domain(self) -> str:
        return f"{self.name}.{SUFFIX}"

    def get(self, url: str, seed: int) -> Answer:
        found = self._found(url, seed)
        if isinstance(found, Answer):
            return found
        if found is None:
            return Answer(404, HTML, b"<html><title>Not found</title><h1>Not found</h1></html>")
        return Answer(200, HTML, _html(self.name, seed, found))

    def honest_pages(self, seed: int) -> set[str]:
        """The URLs of all pages outside the trap that the home page leads to, by way of such pages alone."""
        home = f"http://{self.domain}/"
        reached = {home}
        todo = [home]
        while todo:
            url = todo.pop()
            found = self._found(url, seed)
            if isinstance(found, Leaf):
                hrefs = [link if isinstance(link, str) else link[0] for link in found.links]
            else:
                hrefs = hrefs_of(found) if found else []
            links = {urldefrag(urljoin(url, href)).url for href in hrefs} - reached
            honest = [link for link in links if self._is_own(link) and not self.inside(link)]
            reached.update(honest)
            todo += honest
        return reached

    def _is_own(self, url: str) -> bool:
        return f".{urlsplit(url).hostname}".endswith(f".{self.domain}")

    def _found(self, url: str, seed: int) -> Leaf | Answer | None:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        asked = Asked(
            url, parts.hostname or "", parts.path or "/", dict(pairs), pairs, Random(f"{seed}|{self.name}|{url}"), seed
        )
        own = not self.trap or self.inside(url) or not self.hosted
        return self.page(asked) if own else _host(self, asked)


def hrefs_of(answer: Answer) -> list[str]:
    """Where a page leads, as it is written there: its links, or what it redirects to."""
    if "Location" in answer.headers:
        return [answer.headers["Location"]]
    return [unescape(b"".join(found).decode()) for found in _HREF.findall(answer.body)]


def prose(rng: Random, words: int = 60) -> str:
    return " ".join(rng.choices(WORDS, k=words)) + "."


def name(rng: Random, words: int = 2) -> str:
    return "-".join(rng.choices(WORDS, k=words))


@lru_cache(maxsize=1_024)
def _frame(site: str, seed: int) -> tuple[str, str]:
    rng = Random(f"{seed}|{site}|frame")
    menu = "".join(f"<li><a href='/article/{number}'>{prose(rng, 2)}</a></li>" for number in range(3))
    return f"<div class='menu'><a href='/'>Home</a><ul>{menu}</ul></div>", f"<footer><p>{prose(rng, 45)}</p></footer>"


def _html(site: str, seed: int, leaf: Leaf) -> bytes:
    head, foot = _frame(site, seed)
    if not site.startswith(TRAP_PREFIX):
        head = "<div class='menu'><a href='/'>Home</a></div>"
    blocks = "".join(f"<p>{block}</p>" for block in leaf.blocks)
    links = "".join(
        f'<li><a href="{escape(href)}">{escape(text)}</a></li>'
        for href, text in ((link, link) if isinstance(link, str) else link for link in leaf.links)
    )
    return (
        f"<!doctype html><html><head><title>{leaf.title}</title><style>p {{margin: 0}}</style></head><body>{head}"
        f"<h1>{leaf.title}</h1>{blocks}<ul>{links}</ul>{leaf.markup}{foot}</body></html>"
    ).encode()


# The traps

TRAP_PREFIX = "trap-"
TRAPS: list[Site] = []
OWN: list[Site] = []
NEW: list[Site] = []
HONEST: list[Site] = []
NEW_HONEST: list[Site] = []


def _host(site: Site, asked: Asked) -> Leaf | None:
    """The honest site that a trap lives on."""
    if asked.path == "/":
        return Leaf(
            "Home",
            [prose(asked.of("home", site.name))],
            [*((f"/article/{number}", f"Article {number}") for number in range(ARTICLES)), site.start],
        )
    if asked.path.startswith("/article/") and asked.path[9:].isdigit() and int(asked.path[9:]) < ARTICLES:
        rng = asked.of(site.name, asked.path)
        return Leaf(name(rng), [prose(rng, 150)], [(f"/article/{(int(asked.path[9:]) + 1) % ARTICLES}", "next")])
    return None


def trap(
    start: str,
    among: list[Site] = TRAPS,
    inside: Callable[[str], bool] | None = None,
    *,
    silent: bool = False,
    undecidable: bool = False,
) -> Callable[[Page], Page]:
    """Register a trap that the home page leads into at `start`; without `inside` it is all that is no honest page."""

    def register(page: Page) -> Page:
        def not_honest(url: str) -> bool:
            parts = urlsplit(url)
            return bool(parts.query) or not (parts.path in ("", "/") or parts.path.startswith("/article/"))

        label = TRAP_PREFIX + page.__name__.strip("_").replace("_", "-")
        among.append(Site(label, page, start, True, inside or not_honest, silent=silent, undecidable=undecidable))
        return page

    return register


SAME = "There is nothing to be seen here at this time, please come back later or choose another page of ours. " * 4


@trap("/a/b/")
def symlink(asked: Asked) -> Leaf:  # 1
    return Leaf("Index of files", [SAME], ["a/", "b/", "readme.html"] if asked.path.endswith("/") else [])


@trap("/foo/foo.html")
def relative_self(asked: Asked) -> Leaf:  # 2
    return Leaf("Foo", [SAME], ["foo/foo.html"])


@trap("/about/us")
def soft_404_relative(asked: Asked) -> Leaf:  # 3
    return Leaf("Page not found", [SAME], ["about/x", "news/x", "contact/x", "jobs/x"])


@trap("/x/")
def period_three(asked: Asked) -> Leaf:  # 4
    follows = {"x": "y", "y": "z", "z": "x"}
    last = asked.segments[-1]
    return Leaf("Folder", [SAME], [follows[last] + "/"] if last in follows else [])


@trap("/calendar?y=2026&m=11")
def calendar_query(asked: Asked) -> Leaf:  # 5
    at = int(asked.query.get("y", 0)) * 12 + int(asked.query.get("m", 1)) - 1
    links = [f"/calendar?y={to // 12}&m={to % 12 + 1}" for to in (at - 1, at + 1, at + 12, at - 12)]
    days = " ".join(str(day) for day in range(1, 29 + at % 3))
    return Leaf(f"{_MONTHS[at % 12]} {at // 12}", [SAME, days, "No events."], links)


_MONTHS = [date(2000, month, 1).strftime("%B") for month in range(1, 13)]


@trap("/events/2026/11/12")
def calendar_path(asked: Asked) -> Leaf:  # 6
    year, month, day = (int(segment) for segment in asked.segments[1:4])
    at = (year * 12 + month - 1) * 28 + day - 1
    links = [f"/events/{to // 336}/{to // 28 % 12 + 1}/{to % 28 + 1}" for to in (at - 1, at + 1, at + 7, at - 28)]
    return Leaf(f"{day} {_MONTHS[month - 1]} {year}", [SAME, "No events on this day."], links)


def _fifty(asked: Asked, number: int, link: Callable[[int], str]) -> Leaf:
    """One of fifty pages, whatever else is in its URL."""
    rng = asked.of("fifty", number)
    return Leaf(
        name(rng), [prose(rng, 80)], [(link((number * 7 + step) % 50), f"page {step}") for step in (1, 2, 3, 11)]
    )


def _hex(rng: Random, length: int = 32) -> str:
    return f"{rng.getrandbits(4 * length):0{length}x}"


@trap("/p/1;jsessionid=" + "a" * 31 + "1")
def session_in_path(asked: Asked) -> Leaf:  # 7
    number = int(asked.segments[1].partition(";")[0])
    return _fifty(asked, number, lambda to: f"/p/{to};jsessionid={_hex(asked.rng)}")


@trap("/p/1?sid=" + "a" * 31 + "1")
def session_in_query(asked: Asked) -> Leaf:  # 8
    return _fifty(asked, int(asked.segments[1]), lambda to: f"/p/{to}?sid={_hex(asked.rng)}")


@trap("/p/1?zx=abc123")
def unknown_token(asked: Asked) -> Leaf:  # 9
    return _fifty(asked, int(asked.segments[1]), lambda to: f"/p/{to}?zx={_hex(asked.rng, 8)}")


_FACETS = {
    facet: WORDS[at * 7 : at * 7 + 6]
    for at, facet in enumerate(("color", "size", "brand", "fit", "sole", "heel", "lace", "sort"))
}


def _products(asked: Asked, *what: object) -> list[str]:
    rng = asked.of("products", *what)
    return [
        f"{prose(asked.of('product', number), 5)} {prose(asked.of('price', number), 3)}"
        for number in rng.sample(range(120), 15)
    ]


@trap("/shop?color=" + _FACETS["color"][0])
def facets_in_query(asked: Asked) -> Leaf:  # 10
    chosen = dict(asked.pairs)
    links = []
    for facet, values in _FACETS.items():
        for value in values[:4]:
            others = [(known, one) for known, one in chosen.items() if known != facet]
            others.insert(asked.rng.randrange(len(others) + 1), (facet, value))
            links.append(f"/shop?{urlencode(others)}")
    return Leaf("Shoes: " + ", ".join(chosen.values()), _products(asked, sorted(chosen.items())), links)


@trap("/shop/" + _FACETS["color"][0])
def facets_in_path(asked: Asked) -> Leaf:  # 11
    chosen = asked.segments[1:]
    free = [values for values in _FACETS.values() if not set(values) & set(chosen)]
    links = []
    for values in free:
        for value in values[:4]:
            at = asked.rng.randrange(len(chosen) + 1)
            links.append("/shop/" + "/".join([*chosen[:at], value, *chosen[at:]]))
    return Leaf("Shoes: " + ", ".join(chosen), _products(asked, sorted(chosen)), links)


@trap("/list?page=1")
def pages_past_the_end(asked: Asked) -> Leaf:  # 12
    number = int(asked.query["page"])
    items = [prose(asked.of("item", number, at), 8) for at in range(10)] if number <= 5 else [SAME]
    return Leaf(f"Page {number}", items, [f"/list?page={number + 1}", f"/list?page={max(number - 1, 1)}"])


@trap("/list?sort=name")
def sort_orders(asked: Asked) -> Leaf:  # 13
    values = {
        "sort": ("name", "price", "date", "rank"),
        "dir": ("asc", "desc"),
        "view": ("grid", "list", "full"),
        "per": ("10", "20", "50", "100"),
    }
    links = []
    for parameter, options in values.items():
        for option in options:
            pairs = [pair for pair in asked.pairs if pair[0] != parameter or asked.rng.random() < 0.3]
            pairs.insert(asked.rng.randrange(len(pairs) + 1), (parameter, option))
            links.append(f"/list?{urlencode(pairs)}")
    rng = Random(repr(sorted(asked.pairs)))
    items = [prose(asked.of("item", at), 8) for at in range(20)]
    rng.shuffle(items)
    return Leaf("All items", items, links)


@trap("/post/1")
def reply_to_comment(asked: Asked) -> Leaf:  # 14
    number = int(asked.segments[1])
    rng = asked.of("post", number)
    links = [(f"/post/{number}?replytocom={number * 400 + comment}", "Reply") for comment in range(300)]
    links += [(f"/post/{number}?replytocom={number * 400 + comment}&print=1", "Print") for comment in range(100)]
    told = f"Leave a reply to {prose(asked.rng, 1)}" if asked.query else "Leave a reply"
    return Leaf(
        name(rng), [prose(rng, 200), *(prose(rng, 15) for _ in range(40)), told], [*links, f"/post/{number % 5 + 1}"]
    )


@trap("/find?x=1")
def growing_query(asked: Asked) -> Leaf:  # 15
    query = urlsplit(asked.url).query
    return Leaf("Find", [SAME], [f"/find?{query}&x=1", f"/find?{query}&y={len(query) % 3}"])


@trap("/go?to=%25")
def growing_escapes(asked: Asked) -> Leaf:  # 16
    return Leaf("Go", [SAME], [f"/go?to={quote(urlsplit(asked.url).query[3:], safe='')}"])


@trap("/maze/")
def tarpit_random_words(asked: Asked) -> Leaf:  # 17
    links = ["/maze/" + "/".join(asked.rng.choices(WORDS, k=asked.rng.randint(1, 5))) for _ in range(8)]
    return Leaf(name(asked.rng, 3), [prose(asked.rng, 80), prose(asked.rng, 40)], links)


@trap("/t/0")
def tarpit_hex(asked: Asked) -> Leaf:  # 18
    return Leaf(_hex(asked.rng, 8), [prose(asked.rng, 80)], [f"/t/{_hex(asked.rng, 16)}" for _ in range(6)])


@trap(f"http://a.trap-wildcard-dns.{SUFFIX}/", inside=lambda url: urlsplit(url).netloc.count(".") > 1)
def wildcard_dns(asked: Asked) -> Leaf:  # 19
    links = [f"http://{name(asked.rng, 1)}.{name(asked.rng, 1)}.trap-wildcard-dns.{SUFFIX}/" for _ in range(5)]
    return Leaf("Welcome", [SAME], [(link, "more") for link in links])


def _mirrored(url: str) -> bool:
    return urlsplit(url).scheme == "https" or urlsplit(url).netloc.startswith("www.")


@trap(f"https://www.trap-mirrors.{SUFFIX}/item/1", inside=lambda url: urlsplit(url).path != "/" or _mirrored(url))
def mirrors(asked: Asked) -> Leaf:  # 20
    if "/item/" not in asked.url:
        return _host(next(site for site in TRAPS if site.page is mirrors), asked)
    number = int(asked.segments[1])
    rng = asked.of("item", number)
    links = []
    for to in (number % 60 + 1, number * 7 % 60 + 1, number * 11 % 60 + 1):
        links += [
            f"{scheme}://{www}trap-mirrors.{SUFFIX}/item/{to}" for scheme in ("http", "https") for www in ("", "www.")
        ]
    return Leaf(name(rng), [prose(rng, 100)], links)


@trap("/Page/abcdefghij")
def case_variants(asked: Asked) -> Leaf:  # 21
    def cased(word: str) -> str:
        return "".join(letter.upper() if asked.rng.random() < 0.5 else letter for letter in word)

    rng = asked.of("case", asked.path.lower())
    links = ["/Page/" + cased((WORDS[asked.rng.randrange(40)] * 5)[:10]) for _ in range(6)]
    return Leaf(name(rng), [prose(rng, 80)], links)


@trap("/m/list;a=1;b=2;c=3")
def matrix_parameters(asked: Asked) -> Leaf:  # 22
    def permuted() -> str:
        pairs = [f"{letter}={asked.rng.randrange(4)}" for letter in "abcde"]
        asked.rng.shuffle(pairs)
        return "/m/list;" + ";".join(pairs)

    return Leaf("List", [SAME], [(permuted(), "more") for _ in range(6)])


@trap("/app#!/1")
def hash_bang(asked: Asked) -> Leaf:  # 23
    return Leaf("App", [SAME], [f"/app#!/{asked.rng.randrange(10**6)}" for _ in range(8)])


@trap("/search?q=start")
def search_self_links(asked: Asked) -> Leaf:  # 24
    wanted = asked.query.get("q", "")
    links = [f"/search?{urlencode({'q': ' '.join(asked.rng.choices(WORDS, k=2))})}" for _ in range(8)]
    items = [prose(asked.of("result", number), 10) for number in asked.rng.sample(range(60), 10)]
    return Leaf(f"Results for {wanted}", [f"You searched for {wanted}", *items], links)


@trap("/en/home")
def language_prefixes(asked: Asked) -> Leaf:  # 25
    return Leaf("Home", [SAME], [f"{code}/home" for code in ("en", "fr", "de", "es")])


@trap("/gallery/1")
def image_sizes(asked: Asked) -> Leaf | Answer:  # 26
    if asked.path.endswith(".jpg"):
        return Answer(200, {"Content-Type": "image/jpeg"}, b"\xff\xd8" + asked.rng.randbytes(200))
    number = int(asked.segments[1])
    links = [f"/img/{asked.rng.randrange(50, 999)}x{asked.rng.randrange(50, 999)}/photo.jpg" for _ in range(60)]
    return Leaf(
        f"Gallery {number}",
        [prose(asked.of("gallery", number), 60)],
        [*links, f"/gallery/{number + 1}"][: 61 if number < 15 else 60],
    )


@trap("/p/1?_=1700000000")
def cache_buster(asked: Asked) -> Leaf:  # 27
    return _fifty(asked, int(asked.segments[1]), lambda to: f"/p/{to}?_={asked.rng.randrange(10**12)}")


@trap("/r?n=1")
def redirect_counter(asked: Asked) -> Answer:  # 28
    return Answer(302, {"Location": f"/r?n={int(asked.query['n']) + 1}"}, b"")


@trap("/sitemap-0.xml")
def sitemap_index(asked: Asked) -> Answer:  # 29
    links = [urljoin(asked.url, f"/sitemap-{asked.rng.randrange(10**9)}.xml") for _ in range(5)]
    body = "".join(f"<sitemap><loc>{link}</loc></sitemap>" for link in links)
    return Answer(200, {"Content-Type": "application/xml"}, f"<sitemapindex>{body}</sitemapindex>".encode())


@trap("/guide/welcome")
def slug_maze(asked: Asked) -> Leaf:  # 30
    links = [f"/guide/{name(asked.rng, 4)}" for _ in range(6)]
    return Leaf(name(asked.rng, 4), [prose(asked.rng, 120)], links)


@trap("/tree/", OWN)
def maze_with_breadcrumbs(asked: Asked) -> Leaf:
    """Each level one segment deeper; up to all above, across to its sisters."""
    parts = asked.segments
    up = ["/" + "/".join(parts[:count]) + "/" for count in range(1, len(parts))]
    here = [f"{asked.path}{name(asked.of(asked.path, at), 1)}/" for at in range(4)]
    above = asked.path.rsplit("/", 2)[0] + "/"
    sisters = [f"{above}{name(asked.of(above, at), 1)}/" for at in range(4)] if len(parts) > 1 else []
    return Leaf(name(asked.rng), [prose(asked.rng, 70)], [*up, *here, *sisters])


@trap("/lore/start", OWN)
def maze_with_hubs(asked: Asked) -> Leaf:
    """Ten of the maze's own pages in its menu, on every page."""
    hubs = [f"/lore/{name(asked.of('hub', at), 2)}" for at in range(10)]
    return Leaf(name(asked.rng), [prose(asked.rng, 70)], hubs + [f"/lore/{name(asked.rng, 3)}" for _ in range(4)])


@trap("/log?before=1700000000", OWN)
def older_and_older(asked: Asked) -> Leaf:
    at = int(asked.query["before"])
    return Leaf(
        "Log", [SAME, f"Before {at}: nothing. {asked.rng.randrange(1000)} visitors"], [f"/log?before={at - 3600}"]
    )


@trap("/login?from=%2F", OWN)
def login_return(asked: Asked) -> Leaf:
    return Leaf(
        "Log in", [SAME], [f"/login?from={quote(asked.url, safe='')}", f"/join?from={quote(asked.url, safe='')}"]
    )


@trap("/node/1", OWN)
def number_maze(asked: Asked) -> Leaf:
    return Leaf(name(asked.rng), [prose(asked.rng, 60)], [f"/node/{asked.rng.randrange(10**9)}" for _ in range(3)])


@trap("/find?color=" + _FACETS["color"][0], OWN)
def facets_of_random_text(asked: Asked) -> Leaf:
    links = [
        f"/find?{urlencode(sorted({**asked.query, facet: value}.items()))}"
        for facet, values in _FACETS.items()
        for value in values
    ]
    return Leaf("Shoes", [prose(asked.rng, 100)], links)


@trap("/Docs/Start/", OWN)
def case_and_slash(asked: Asked) -> Leaf:
    number = sum(map(ord, asked.path.lower().strip("/"))) % 30
    rng = asked.of("docs", number)
    links = []
    for _ in range(4):
        word = "".join(
            letter.upper() if asked.rng.random() < 0.5 else letter
            for letter in WORDS[asked.rng.randrange(200)] + "page"
        )
        links.append(f"/Docs/{word}" + "/" * asked.rng.randrange(2))
    return Leaf(name(rng), [prose(rng, 80)], links)


@trap(f"http://a.trap-wildcard-maze.{SUFFIX}/", OWN, inside=lambda url: urlsplit(url).netloc.count(".") > 1)
def wildcard_maze(asked: Asked) -> Leaf:
    links = [f"http://{name(asked.rng, 2)}.trap-wildcard-maze.{SUFFIX}/" for _ in range(4)]
    return Leaf(name(asked.rng), [prose(asked.rng, 80)], links)


@trap("/mix/0", OWN)
def shuffled_sentences(asked: Asked) -> Leaf:
    blocks = [prose(asked.of("sentence", number), 20) for number in asked.rng.sample(range(150), 8)]
    return Leaf("Wise words", blocks, [f"/mix/{_hex(asked.rng, 6)}" for _ in range(4)])


@trap("/wiki?title=Home&diff=1&oldid=0", OWN)
def wiki_differences(asked: Asked) -> Leaf:
    new, old = int(asked.query.get("diff", 1)), int(asked.query.get("oldid", 0))
    blocks = [prose(asked.of("revision", number), 30) for number in (new % 60, old % 60)]
    pairs = [(asked.rng.randrange(4000), asked.rng.randrange(4000)) for _ in range(8)]
    return Leaf("Difference between revisions", blocks, [f"/wiki?title=Home&diff={a}&oldid={b}" for a, b in pairs])


# Kept apart until the rules were settled


@trap("/w/", NEW)
def maze_with_print_pages(asked: Asked) -> Leaf:
    """Every page has a copy for printers that leads nowhere."""
    if asked.query.get("print"):
        return Leaf(name(asked.of(asked.path)), [prose(asked.of(asked.path), 80)], [])
    links = [f"/w/{name(asked.rng, 3)}" for _ in range(4)] + [f"{asked.path}?print=1"]
    return Leaf(name(asked.of(asked.path)), [prose(asked.of(asked.path), 80)], links)


@trap("/d/x/", NEW)
def maze_with_dead_ends(asked: Asked) -> Leaf:
    """One page in twenty leads nowhere."""
    links = [f"/d/{_hex(asked.rng, 6)}/{_hex(asked.rng, 6)}" for _ in range(5)]
    return Leaf(name(asked.rng), [prose(asked.rng, 80)], links if asked.rng.random() > 0.05 else [])


@trap("/any/where", NEW)
def catch_all(asked: Asked) -> Leaf:
    """Whatever is asked for, the same apology and random suggestions."""
    links = ["/" + "/".join(asked.rng.choices(WORDS, k=asked.rng.randint(1, 4))) for _ in range(6)]
    return Leaf("Nothing found", [SAME], links)


@trap("/x-0-0", NEW)
def grid_of_tiles(asked: Asked) -> Leaf:
    """A map without borders: four neighbours each, text of its own."""
    _, x, y = asked.path[1:].replace("m", "-").split("-") if "m" not in asked.path else (0, 0, 0)
    at = int(x), int(y)
    links = [f"/x-{(at[0] + 1)}-{at[1]}", f"/x-{at[0]}-{at[1] + 1}", f"/x-{at[0] + 7}-{at[1] + 3}"]
    return Leaf("Map", [f"Tile {at[0]} {at[1]}", SAME], links)


@trap("/tag/" + WORDS[0], NEW)
def tag_unions(asked: Asked) -> Leaf:
    """Tags joined by plus signs, each page with some known teasers."""
    tags = asked.segments[1].split("+")
    links = ["/tag/" + "+".join(sorted({*tags, WORDS[asked.rng.randrange(300)]})) for _ in range(6)]
    teasers = [prose(asked.of("teaser", number), 15) for number in asked.rng.sample(range(80), 6)]
    return Leaf("Tagged " + ", ".join(tags), teasers, links)


@trap("/chapter/1", NEW)
def two_pages_each(asked: Asked) -> Leaf:
    """A binary maze with home, up and two down."""
    number = int(asked.segments[1])
    return Leaf(
        name(asked.rng),
        [prose(asked.rng, 60)],
        [f"/chapter/{number // 2}" if number > 1 else "/", f"/chapter/{2 * number}", f"/chapter/{2 * number + 1}"],
    )


@trap("/day/2026-11-12/", NEW)
def calendar_with_views(asked: Asked) -> Leaf | Answer:
    """Empty days, each with files to subscribe to, which name the day."""
    if asked.query:
        return Answer(200, {"Content-Type": "text/calendar"}, asked.rng.randbytes(80))
    at = date.fromisoformat(asked.segments[1]).toordinal()
    links = [f"/day/{date.fromordinal(to)}/" for to in (at - 1, at + 1)]
    return Leaf(f"Events for {date.fromordinal(at):%d %B %Y}", [SAME], [*links, "?ical=1", "?outlook-ical=1"])


def _teasers(asked: Asked) -> list[str]:
    return [SAME, *(prose(asked.of("teaser", number), 8) for number in asked.rng.sample(range(100), 4))]


@trap("/list?page=1", NEW)
def past_the_end_with_teasers(asked: Asked) -> Leaf:
    return Leaf("List", _teasers(asked), [f"/list?page={int(asked.query['page']) + 1}"])


@trap("/months?m=1", NEW)
def calendar_with_teasers(asked: Asked) -> Leaf:
    month = int(asked.query["m"])
    return Leaf(f"Month {month}", _teasers(asked), [f"/months?m={month + step}" for step in (1, -1, 12)])


@trap("/s/abc/p/1", NEW)
def session_in_a_segment(asked: Asked) -> Leaf:
    return _fifty(asked, int(asked.segments[3]), lambda to: f"/s/{_hex(asked.rng, 12)}/p/{to}")


@trap("/post/1?share=a&nb=1", NEW)
def share_links(asked: Asked) -> Leaf:
    """Two parameters that do not matter."""
    return _fifty(
        asked,
        int(asked.segments[1]),
        lambda to: f"/post/{to}?share={_hex(asked.rng, 6)}&nb={asked.rng.randrange(99)}",
    )


@trap("/view/2026-01-01?view=day", NEW)
def calendar_in_views(asked: Asked) -> Leaf:
    at = date.fromisoformat(asked.segments[1])
    steps = (("day", 1), ("day", -1), ("week", 7), ("month", 30), ("list", 0))
    links = [f"/view/{date.fromordinal(at.toordinal() + step)}?view={view}" for view, step in steps]
    return Leaf(f"{at:%d %B %Y}", [SAME, asked.query.get("view", "")], links)


@trap("/calendar/month/2026-11", NEW)
def calendar_with_exports(asked: Asked) -> Leaf | Answer:
    """Months and their days, each with a file for a calendar program."""
    kind, at = asked.segments[1:3]
    if kind == "ical":
        return Answer(200, {"Content-Type": "text/calendar"}, f"BEGIN:VCALENDAR\r\nX-OF:{at}\r\n".encode())
    day = date.fromisoformat(at if kind == "day" else f"{at}-01").toordinal()
    if kind == "day":
        near = [f"/calendar/day/{date.fromordinal(day + step)}" for step in (-1, 1)]
        return Leaf(f"{date.fromordinal(day):%d %B %Y}", [SAME], [*near, f"/calendar/ical/{at}"])
    near = [f"/calendar/month/{date.fromordinal(day + step):%Y-%m}" for step in (-1, 31)]
    days = [(f"/calendar/day/{at}-{number:02}", str(number)) for number in range(1, 29)]
    return Leaf(f"{date.fromordinal(day):%B %Y}", [SAME], [*near, *days, f"/calendar/ical/{at}"])


@trap("/poem/0", NEW)
def maze_with_topics(asked: Asked) -> Leaf:
    """Each page also leads to one of twenty topics, any of them."""
    links = [f"/poem/{_hex(asked.rng, 10)}" for _ in range(3)]
    return Leaf(name(asked.rng), [prose(asked.rng, 80)], [*links, f"/poem/topic-{asked.rng.randrange(20)}"])


@trap(f"http://best.trap-doorways.{SUFFIX}/", NEW, inside=lambda url: urlsplit(url).netloc.count(".") > 1)
def doorways(asked: Asked) -> Leaf:
    """Any host has a page about its name and one to call, and leads to eight more hosts."""
    blocks = [prose(asked.of(asked.path), 60), f"{asked.host.partition('.')[0]} {prose(asked.rng, 30)}"]
    hosts = [f"http://{'-'.join(asked.rng.choices(WORDS, k=2))}.trap-doorways.{SUFFIX}/" for _ in range(8)]
    links = ["/call", *hosts] if asked.path == "/" else ["/"]
    return Leaf(asked.host, blocks, [f"http://{asked.host}{link}" if link[0] == "/" else link for link in links])


# Honest sites


def honest(
    among: list[Site] = HONEST,
    *,
    varies: bool = False,
    most: int = 0,
    again: Callable[[str], bool] = lambda url: False,
) -> Callable[[Page], Page]:
    """Register a finite site. `most`: how many of its pages a crawl has to reach, where it is too large for all.
    `again(url)`: there a page is that has a URL of its own, too."""

    def register(page: Page) -> Page:
        label = page.__name__.replace("_", "-")
        among.append(Site(label, page, "/", False, again, varies, most=most))
        return page

    return register


def _below(segments: list[str], *limits: int) -> list[int] | None:
    """The numbers that a path names, if each is below its limit."""
    if len(segments) > len(limits) or not all(segment.isdigit() for segment in segments):
        return None
    numbers = [int(segment) for segment in segments]
    return numbers if all(number < limit for number, limit in zip(numbers, limits, strict=False)) else None


@honest()
def wiki(asked: Asked) -> Leaf | None:
    if asked.path == "/":
        return Leaf("Wiki", [prose(asked.rng)], [f"/wiki/{number}" for number in range(5)])
    if (found := _below(asked.segments[1:], 600)) is None or not found:
        return None
    links = [f"/wiki/{(found[0] + step) % 600}" for step in (1, 7, 31, 101)]
    return Leaf(
        name(asked.rng),
        [prose(asked.rng, 120)],
        links + [f"/wiki/{min(int(asked.rng.paretovariate(0.4)), 599)}" for _ in range(6)],
    )


@honest()
def encyclopaedia(asked: Asked) -> Leaf | None:
    """Articles that link only to articles, evenly: the hardest case."""
    if asked.path == "/":
        return Leaf("Encyclopaedia", [prose(asked.rng)], [f"/a/{number}" for number in range(3)])
    if (found := _below(asked.segments[1:], 5_000)) is None or not found:
        return None
    links = [f"/a/{(found[0] + 1) % 5_000}", *(f"/a/{asked.rng.randrange(5_000)}" for _ in range(10))]
    return Leaf(name(asked.rng), [prose(asked.rng, 100)], links)


_SHOP = 20_000


@honest(varies=True)
def shop(asked: Asked) -> Leaf | None:
    """Categories, listing pages with next, products with six related ones."""
    if asked.path == "/":
        return Leaf("Shop", [prose(asked.rng)], [f"/c/{number}" for number in range(40)])
    if asked.path.startswith("/c/"):
        category, page = int(asked.segments[1]), int(asked.query.get("page", 0))
        mine = range((category * 25 + max(page - 1, 0)) * 20, (category * 25 + max(page - 1, 0)) * 20 + 20)
        after = [f"/c/{category}?page={page + 1}"] if page < 25 else []
        return Leaf(
            f"Category {category}",
            [],
            [*((f"/product/{number}", _title(asked, number)) for number in mine if page), *after],
        )
    if (found := _below(asked.segments[1:], _SHOP)) is None or not found:
        return None
    related = [Random(f"{asked.seed}|{asked.url}|{at}").randrange(_SHOP) for at in range(6)]
    ads = [prose(Random(), 12)]
    return Leaf(
        _title(asked, found[0]),
        [prose(asked.rng, 50), *ads],
        [(f"/product/{number}", _title(asked, number)) for number in related],
    )


def _title(asked: Asked, number: int) -> str:
    return name(asked.of("title", number), 3)


@honest()
def shop_with_facets(asked: Asked) -> Leaf | None:
    """Three facets of some values each, one or two at a time, and products that only listings lead to."""
    values = {"color": 6, "size": 5, "brand": 4}
    if asked.path == "/":
        return Leaf(
            "Shop",
            [prose(asked.rng)],
            [f"/shoes?page={page}" for page in range(1, 41)]
            + [f"/shoes?{facet}={value}" for facet, count in values.items() for value in range(count)],
        )
    if asked.path == "/shoes":
        if "page" in asked.query:
            mine = list(range(int(asked.query["page"]) * 20 - 20, int(asked.query["page"]) * 20))
        else:
            mine = asked.of("listed", sorted(asked.pairs)).sample(range(800), 20)
        return Leaf(
            "Shoes " + " ".join(f"{a} {b}" for a, b in asked.pairs),
            [],
            [(f"/shoe/{number}", _title(asked, number)) for number in mine],
        )
    if (found := _below(asked.segments[1:], 800)) is None or not found or asked.segments[0] != "shoe":
        return None
    links = [f"/shoes?{facet}={asked.of(facet, found[0]).randrange(count)}" for facet, count in values.items()]
    return Leaf(_title(asked, found[0]), [prose(asked.rng, 60)], links)


@honest()
def news_archive(asked: Asked) -> Leaf | None:
    """Ten years by year, month, day; three articles a day."""
    numbers = asked.segments
    if not numbers:
        return Leaf("News", [prose(asked.rng)], [f"/{year}/" for year in range(2015, 2025)])
    if len(numbers) == 1:
        return Leaf(numbers[0], [], [f"/{numbers[0]}/{month:02}/" for month in range(1, 13)])
    if len(numbers) == 2:
        return Leaf("/".join(numbers), [], [f"/{numbers[0]}/{numbers[1]}/{day:02}/" for day in range(1, 29)])
    if len(numbers) == 3:
        return Leaf(
            "/".join(numbers),
            [],
            [
                (f"{asked.path}{name(asked.of(asked.path, at), 3)}.html", name(asked.of(asked.path, at), 3))
                for at in range(3)
            ],
        )
    return Leaf(name(asked.rng), [prose(asked.rng, 150)], [asked.path.rsplit("/", 1)[0] + "/"])


@honest()
def forum(asked: Asked) -> Leaf | None:
    """Boards, threads of twelve pages each linked by next, every page with new posts."""
    if asked.path == "/":
        return Leaf("Forum", [prose(asked.rng)], [f"/board/{number}" for number in range(8)])
    kind, number = asked.segments[0], int(asked.segments[1])
    if kind == "board":
        return Leaf(
            f"Board {number}",
            [prose(asked.rng, 10)],
            [f"/thread/{number * 30 + at}?start=0" for at in range(30)]
            + ([f"/board/{number}/more/{at}" for at in range(30)]),
        )
    if kind == "thread":
        start = int(asked.query.get("start", 0))
        after = [f"/thread/{number}?start={start + 10}"] if start < 100 else []
        return Leaf(name(asked.of("thread", number), 4), [prose(asked.rng, 40) for _ in range(5)], after)
    return None


@lru_cache(maxsize=8)
def _file_tree(seed: int) -> dict[str, list[str]]:
    """Folders and what is in them: 18 deep, as uneven as real ones."""
    rng = Random(f"{seed}|files")
    tree: dict[str, list[str]] = {}
    folders = ["/files/"]
    while folders:
        folder = folders.pop(0)
        depth = folder.count("/") - 2
        inside = [f"{folder}{name(rng, 1)}-{at}.html" for at in range(rng.randint(0, 3))]
        if depth < 18:
            many = rng.choice((0, 0, 1, 1, 2, 3)) if len(tree) > 5 else 3
            inside += [f"{folder}{name(rng, 1)}-{at}/" for at in range(max(many, depth == 0))]
        if len(tree) < 1_500:
            folders += [path for path in inside if path.endswith("/")]
        else:
            inside = [path for path in inside if not path.endswith("/")]
        tree[folder] = inside
    for folder, inside in tree.items():
        tree[folder] = [path for path in inside if not path.endswith("/") or path in tree]
    return tree


@honest()
def file_tree(asked: Asked) -> Leaf | None:
    if asked.path == "/":
        return Leaf("Files", [], ["/files/"])
    if asked.path.endswith("/"):
        inside = _file_tree(asked.seed).get(asked.path)
        return None if inside is None else Leaf(f"Index of {asked.path}", [], ["../", *inside])
    return Leaf(asked.path, [prose(asked.rng, 40)], [])


@honest()
def code_browser(asked: Asked) -> Leaf | None:
    """Repositories, files, for each file its text, its history and its authors."""
    if asked.path == "/":
        return Leaf("Code", [prose(asked.rng)], [f"/team/repo-{number}" for number in range(30)])
    parts = asked.segments
    if len(parts) == 2:
        return Leaf(
            parts[1],
            [prose(asked.rng)],
            [f"{asked.path}/blob/main/src/{name(asked.of(asked.path, at), 1)}-{at}.py" for at in range(40)],
        )
    links = (
        [asked.path.replace("/blob/", f"/{kind}/") for kind in ("commits", "blame")]
        if parts[2] == "blob"
        else [asked.path.replace(f"/{parts[2]}/", "/blob/")]
    )
    return Leaf("/".join(parts[3:]), [prose(asked.rng, 90)], [f"/{parts[0]}/{parts[1]}", *links])


@honest()
def image_gallery(asked: Asked) -> Leaf | None:
    """Albums of photographs; a page of a photograph has no text of its own."""
    if asked.path == "/":
        return Leaf("Photographs", [prose(asked.rng)], [f"/album/{number}" for number in range(50)])
    parts = asked.segments
    if len(parts) == 2:
        return Leaf("Album", [], [(f"{asked.path}/{photo}", "photo") for photo in range(40)])
    photo = int(parts[2])
    return Leaf(
        "Photo",
        ["All rights reserved by the photographer."],
        [(f"/album/{parts[1]}/{photo + step}", "other") for step in (-1, 1) if 0 <= photo + step < 40],
        f"<img src='/photos/{parts[1]}-{photo}.jpg'>",
    )


@honest()
def multilingual(asked: Asked) -> Leaf | None:
    codes = ("en", "fr", "de", "es", "it", "nl")
    if asked.path == "/":
        return Leaf("Languages", [], [f"/{code}/" for code in codes])
    code, *rest = asked.segments
    if not rest:
        return Leaf(
            code,
            [prose(asked.rng)],
            [f"/{code}/page/{number}" for number in range(300)] + [f"/{other}/" for other in codes],
        )
    return Leaf(
        name(asked.rng), [prose(asked.rng, 80)], [f"/{other}/page/{rest[1]}" for other in codes] + [f"/{code}/"]
    )


@honest()
def hash_sharded(asked: Asked) -> Leaf | Answer | None:
    if asked.path == "/":
        return Leaf("Archive", [prose(asked.rng)], [f"/list/{number}" for number in range(100)])
    if asked.path.startswith("/list/"):
        rng = asked.of("shard", asked.path)
        names = [_hex(rng, 40) for _ in range(20)]
        return Leaf(
            asked.path,
            [prose(asked.rng, 5)],
            ["/" + "/".join([one[at : at + 2] for at in range(0, 20, 2)] + [one]) + ".bin" for one in names],
        )
    return Answer(200, {"Content-Type": "application/octet-stream"}, asked.rng.randbytes(300))


@honest()
def web_comic(asked: Asked) -> Leaf | None:
    """A thousand pages that only previous and next lead to."""
    if asked.path == "/":
        return Leaf("Comic", [], ["/comic/0"])
    number = int(asked.segments[1])
    links = [
        (f"/comic/{number + step}", what)
        for step, what in ((-1, "previous"), (1, "next"))
        if 0 <= number + step < 1_000
    ]
    return Leaf(f"Comic {number}", ["Drawn by hand."], links, f"<img src='/strips/{number}.png'>")


@honest()
def station_list(asked: Asked) -> Leaf | None:
    """Very short pages that differ in a few words."""
    if asked.path == "/":
        return Leaf("Stations", [], [f"/region/{number}" for number in range(20)])
    if asked.path.startswith("/region/"):
        number = int(asked.segments[1])
        return Leaf(f"Region {number}", [], [f"/station?id={number * 100 + at}" for at in range(100)])
    return Leaf(
        "Station", [f"{_title(asked, int(asked.query['id']))} station", f"{asked.rng.randrange(1, 9)} tracks"], []
    )


# Honest sites kept apart until the rules were settled


@honest(NEW_HONEST)
def weather_by_day(asked: Asked) -> Leaf | None:
    """Tables of numbers, linked day by day."""
    if asked.path == "/":
        return Leaf("Weather", [], ["/day/0"])
    number = int(asked.segments[1])
    rows = [
        f"{hour} h: {asked.rng.randrange(-20, 35)} degrees, {asked.rng.randrange(99)} %, {asked.rng.randrange(999)} hPa"
        for hour in range(0, 24, 2)
    ]
    return Leaf(
        "Weather of the day",
        [SAME[:160], *rows],
        [f"/day/{number + step}" for step in (-1, 1) if 0 <= number + step < 1_000],
    )


@honest(NEW_HONEST)
def family_tree(asked: Asked) -> Leaf | None:
    """Twelve generations, two parents each, nothing across."""
    number = 1 if asked.path == "/" else int(asked.segments[1])
    links = [f"/person/{2 * number + at}" for at in range(2)] if 2 * number < 4_096 else []
    return Leaf(name(asked.rng), [prose(asked.rng, 30)], links if asked.path != "/" else ["/person/1"])


@honest(NEW_HONEST)
def tagged_blog(asked: Asked) -> Leaf | None:
    """Posts known by their tags' lists, which run over five pages each and repeat what other lists say."""
    if asked.path == "/":
        return Leaf("Blog", [prose(asked.rng)], [f"/tag/{number}" for number in range(10)] + ["/post/0"])
    kind, number = asked.segments[0], int(asked.segments[1])
    if kind == "post":
        tags = [asked.of("tags", number, at).randrange(400) for at in range(3)]
        return Leaf(
            _title(asked, number),
            [prose(asked.rng, 120)],
            [f"/tag/{tag}" for tag in tags] + [f"/post/{(number + 1) % 1_500}"],
        )
    page = int(asked.segments[2]) if len(asked.segments) > 2 else 0
    posts = asked.of("posts", number, page).sample(range(1_500), 8)
    links = [(f"/post/{post}", _title(asked, post)) for post in posts]
    return Leaf(
        f"Tag {number}",
        [],
        links
        + ([f"/tag/{number}/{page + 1}"] if page < 5 else [])
        + [f"/tag/{(number * 3 + at) % 400}" for at in range(3)],
    )


@honest(NEW_HONEST)
def users_with_avatars(asked: Asked) -> Leaf | Answer | None:
    """Profiles that differ in a name, and a picture of the same file name for each."""
    if asked.path == "/":
        return Leaf("Members", [], [f"/member/{number}" for number in range(1_500)])
    if asked.path.endswith(".png"):
        return Answer(200, {"Content-Type": "image/png"}, asked.rng.randbytes(100))
    number = int(asked.segments[1])
    return Leaf(_title(asked, number), [SAME], [f"/member/{number}/avatar.png"])


def _neighbours(number: int, count: int, path: str) -> list[tuple[str, str]]:
    """Links to the page before and to the next of a chain, by the same words."""
    return [(f"{path}{number + step}", "another") for step in (-1, 1) if 0 <= number + step < count]


@honest(NEW_HONEST)
def lottery(asked: Asked) -> Leaf:
    """Pages of one text but for six numbers."""
    if asked.path == "/":
        return Leaf("Lottery", [prose(asked.rng)], ["/draw/0"])
    number = int(asked.segments[1])
    drawn = " ".join(map(str, asked.rng.sample(range(1, 50), 6)))
    return Leaf(f"Draw {number}", [SAME, drawn], _neighbours(number, 600, "/draw/"))


@honest(NEW_HONEST)
def exchange_rates(asked: Asked) -> Leaf:
    if asked.path == "/":
        return Leaf("Rates", [prose(asked.rng)], ["/rate/0"])
    number = int(asked.segments[1])
    rates = [f"{code} {asked.rng.randrange(2)}.{asked.rng.randrange(1_000, 9_999)}" for code in ("USD", "GBP")]
    return Leaf(f"Rates of day {number}", [SAME, *rates], _neighbours(number, 600, "/rate/"))


@honest(NEW_HONEST)
def spare_parts(asked: Asked) -> Leaf:
    """Pages of one text but for a part's number in their title."""
    if asked.path == "/":
        return Leaf("Parts", [prose(asked.rng)], ["/part/0"])
    number = int(asked.segments[1])
    return Leaf(f"Part M{number * 7}x{number % 13}", [SAME, SAME], _neighbours(number, 500, "/part/"))


@honest(NEW_HONEST)
def photographs_by_query(asked: Asked) -> Leaf:
    if asked.path == "/":
        return Leaf("Gallery", [prose(asked.rng)], ["/photo.php?id=0"])
    number = int(asked.query["id"])
    links = _neighbours(number, 400, "/photo.php?id=")
    return Leaf("Photo", ["All rights reserved."], links, f"<img src='/image.php?id={number}'>")


def _days(asked: Asked, every: int) -> Leaf:
    if asked.path == "/":
        return Leaf("Calendar", [prose(asked.rng)], ["/day/0"])
    number = int(asked.segments[1])
    if asked.segments[0] == "event":
        return Leaf(_title(asked, number), [prose(asked.rng, 80)])
    events = [(f"/event/{number}", _title(asked, number))] if number % every == 0 else []
    told = "Events of the day" if events else "No events."
    return Leaf(f"{number % 28 + 1} May 2026", [SAME, told], [*_neighbours(number, 700, "/day/"), *events])


@honest(NEW_HONEST)
def calendar_of_few_events(asked: Asked) -> Leaf:
    """Seven hundred days, of which one in twelve has an event."""
    return _days(asked, 12)


@honest(NEW_HONEST)
def calendar_of_hardly_any_events(asked: Asked) -> Leaf:
    return _days(asked, 20)


@honest(NEW_HONEST)
def results_by_year(asked: Asked) -> Leaf:
    """Queries of which the first have no result."""
    if asked.path == "/":
        years = range(1950, 2020)
        return Leaf("Results", [], [f"/results?year={year}&event={event}" for year in years for event in range(6)])
    known = int(asked.query["year"]) >= 1960
    return Leaf("Results", [prose(asked.rng, 40) if known else "No results are known of this event."])


@honest(NEW_HONEST)
def translated_in_part(asked: Asked) -> Leaf:
    """Pages in two languages more; the first third is not translated yet."""
    if asked.path == "/":
        return Leaf("Home", [prose(asked.rng)], [f"/page/{number}" for number in range(300)])
    number = int(asked.segments[1])
    rng = asked.of("page", number, asked.query.get("lang") if number >= 100 else None)
    return Leaf(name(rng), [prose(rng, 80)], [f"/page/{number}?lang={code}" for code in ("de", "fr")])


@honest(NEW_HONEST)
def sorted_lists(asked: Asked) -> Leaf:
    """The same items in three orders, page by page."""
    if asked.path == "/":
        return Leaf("Shop", [prose(asked.rng)], [f"/all?sort={order}&page=1" for order in ("name", "price", "date")])
    if asked.path == "/all":
        page = int(asked.query["page"])
        items = asked.of(asked.query["sort"]).sample(range(1_200), 1_200)[page * 12 - 12 : page * 12]
        after = [f"/all?sort={asked.query['sort']}&page={page + 1}"] if page < 100 else []
        return Leaf(f"Page {page}", [], [*((f"/item/{item}", _title(asked, item)) for item in items), *after])
    return Leaf(_title(asked, int(asked.segments[1])), [prose(asked.rng, 60)], ["/"])


@honest(NEW_HONEST)
def lists_of_what_is_known(asked: Asked) -> Leaf:
    """Lists page by page, of which the first half names what the tags have named before."""
    if asked.path == "/":
        return Leaf("Blog", [prose(asked.rng)], [f"/tag/{number}" for number in range(20)] + ["/page/1"])
    kind, number = asked.segments[0], int(asked.segments[1])
    if kind == "post":
        return Leaf(_title(asked, number), [prose(asked.rng, 100)], ["/"])
    posts = range(number * 30, number * 30 + 30) if kind == "tag" else range(number * 10 - 10, number * 10)
    after = [f"/page/{number + 1}"] if kind == "page" and number < 120 else []
    return Leaf(f"{kind} {number}", [], [*((f"/post/{post}", _title(asked, post)) for post in posts), *after])


@honest(NEW_HONEST)
def flights(asked: Asked) -> Leaf:
    """From every town to every other, and back."""
    towns = WORDS[:25]
    if asked.path == "/":
        return Leaf("Flights", [prose(asked.rng)], [f"/from/{town}" for town in towns])
    parts = asked.segments
    if parts[0] == "from":
        return Leaf(parts[1], [prose(asked.rng)], [f"/flights/{parts[1]}/{to}" for to in towns if to != parts[1]])
    links = [f"{asked.path}/cheap", f"{asked.path}/hotels"] if len(parts) == 3 else []
    return Leaf("-".join(parts), [prose(asked.rng, 80)], [f"/flights/{parts[2]}/{parts[1]}", *links])


@honest(NEW_HONEST)
def package_index(asked: Asked) -> Leaf | Answer:
    """Folders of versions, with files whose names are the same everywhere."""
    if asked.path == "/":
        return Leaf("Index", [], ["/packages/"])
    if not asked.path.endswith("/"):
        return Answer(200, {"Content-Type": "application/octet-stream"}, asked.rng.randbytes(50))
    depth = len(asked.segments)
    inside = [f"{name(asked.rng, 1)}{at}/" for at in range(6 if depth < 3 else 3)]
    if depth == 4:
        inside = [f"{at}.{asked.rng.randrange(9)}/" for at in range(asked.rng.randrange(1, 4))]
    elif depth > 4:
        inside = ["a.jar", "a.pom", "a.jar.sha1"]
    return Leaf(f"Index of {asked.path}", [], ["../", *inside])


@honest(NEW_HONEST)
def documentation_of_versions(asked: Asked) -> Leaf:
    """Ten versions, in which most pages are the same."""
    if asked.path == "/":
        return Leaf("Docs", [], [f"/{version}.0/index" for version in range(1, 11)])
    version, page = asked.segments
    if page == "index":
        return Leaf(f"Docs {version}", [prose(asked.rng, 20)], [f"/{version}/p{number}" for number in range(60)])
    number = int(page[1:])
    rng = asked.of("docs", number, version if number % 10 == 0 else "")
    return Leaf(name(rng), [prose(rng, 90)], [f"/{version}/p{(number + 1) % 60}", f"/{version}/index"])


@honest(NEW_HONEST)
def unit_converter(asked: Asked) -> Leaf:
    """Pages that differ in their figures alone, in five lists."""
    units = ("inches-to-cm", "miles-to-km", "pounds-to-kg", "feet-to-metres", "cups-to-ml")
    if asked.path == "/":
        return Leaf("Converter", [], [f"/convert/{unit}" for unit in units])
    number, _, unit = asked.segments[1].partition("-")
    if not number.isdigit():
        return Leaf(asked.segments[1], [], [f"/convert/{at}-{asked.segments[1]}" for at in range(1, 201)])
    return Leaf(f"{number} {unit}", [f"{SAME} {number} {unit} are {int(number) * (2.54 + units.index(unit)):.3f}."])


@honest(NEW_HONEST)
def flat_archive(asked: Asked) -> Leaf:
    """A newspaper's archive, all in one folder: months list but the numbers of their days."""
    if asked.path == "/":
        months = [f"{1921 + at // 12}-{at % 12 + 1:02}" for at in range(60)]
        return Leaf("Archive", ["All months"], [f"/archive/{month}.html" for month in months])
    stem = asked.segments[1].removesuffix(".html")
    if stem.count("-") == 1:
        days = [(f"{stem}-{day:02}.html", str(day)) for day in range(1, 29)]
        return Leaf(f"{date.fromisoformat(f'{stem}-01'):%B %Y}", ["Mon Tue Wed Thu Fri Sat Sun"], days)
    return Leaf(f"{date.fromisoformat(stem):%A, %d %B %Y}", [prose(asked.rng)], [f"{stem[:7]}.html"])


@honest(NEW_HONEST)
def product_variants(asked: Asked) -> Leaf:
    """Products in colours, each with its own article number and price."""
    if asked.path == "/":
        return Leaf("Shop", ["All products"], [f"/product/{number}" for number in range(60)])
    rng = asked.of(asked.path)
    colours = [(f"{asked.path}?colour={colour}", "colour") for colour in ("black", "white", "navy", "olive", "wine")]
    own = (
        f"Article {asked.rng.randrange(10**6)}: {asked.rng.randrange(15, 60)}.99" if asked.query else "Choose a colour."
    )
    return Leaf(name(rng), [prose(rng, 50), own], colours)


_HEADINGS = ("arts", "business", "computers", "games", "health", "news", "regional", "science", "society", "sports")


@honest(NEW_HONEST)
def directory(asked: Asked) -> Leaf | None:
    """A directory of the web, on each level of which some of the same headings come again."""
    segments = asked.segments
    if len(segments) > 4 or not asked.path.endswith("/"):
        return None
    rng = asked.of(asked.path)
    free = [heading for heading in _HEADINGS if heading not in segments]
    below = [*rng.sample(free, 3), rng.choice(WORDS)] if segments else free
    links = [f"{asked.path}{heading}/" for heading in below] if len(segments) < 4 else []
    return Leaf(" ".join(segments) or "Directory", [prose(rng, 25) for _ in range(4)], links)
