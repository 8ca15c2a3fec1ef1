"""The origins of the demo site as a table: one row says what an origin's robots.txt does, forbids and asks for, which
endless space it has, and what its pages ask of robots.

What is forbidden, and the delay that is asked for, are written down here by hand, so that the site can judge a crawler
without a parser.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from demo.site.traps import CALENDAR, TARPIT, MadeUp, Trap

HOME = ("/",)
ARTICLES = tuple(f"/articles/{n}" for n in range(1, 16))
PRIVATE = tuple(f"/private/{n}" for n in range(1, 6))

RULES = b"User-agent: *\nDisallow: /private/\n"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says to one request: after `delay_s` seconds, with the chunks of `body` one by one.

    `redirect_to` is a path of the same origin, or (origin name, path).
    """

    status: int = 200
    body: tuple[bytes, ...] = (RULES,)
    content_type: str = "text/plain"
    headers: tuple[tuple[str, str], ...] = ()
    redirect_to: str | tuple[str, str] | None = None
    delay_s: float = 0.0

    @property
    def is_outage(self) -> bool:
        """Whether a crawler that gets this for a robots.txt must stay away (RFC 9309 §2.3.1.4; 429 as Google does)."""
        return self.status == 429 or self.status >= 500


@dataclass(frozen=True, slots=True)
class Nofollow:
    """`page` asks robots to follow none of its `links` and to keep nothing of it; of the home page only the link to
    `unvouched` asks not to be followed. Nothing else leads to these paths.
    """

    page: str
    links: tuple[str, ...]
    unvouched: str


@dataclass(frozen=True, slots=True)
class DemoOrigin:
    """`robots`: the n-th request for robots.txt gets the n-th answer, all later ones the last.

    `open` and `forbidden` are the paths of the pages; a home page comes first. `nofollow` has others, which are
    forbidden as well, and one of `open`. `files` are other paths that answer.

    `in_sitemap` are pages that no link leads to: the origin's sitemap lists them, and the forbidden ones. `main` is the
    name of the origin that the Host line of its robots.txt names: where that is followed, nothing is asked for here.
    With `own_dialect` its rules mean something else to who reads them as RFC 9309 has it.

    `delay_s` is what robots.txt asks to leave between two requests. `trouble` answers the first page that is asked for;
    every other takes `page_delay_s`. `trap` is an endless space that the origin has beside its pages. `listed`: the
    blacklist of the project has its address.
    """

    name: str
    host: str
    robots: tuple[Answer, ...] = (Answer(),)
    open: tuple[str, ...] = HOME + ARTICLES
    forbidden: tuple[str, ...] = PRIVATE
    files: dict[str, Answer] = field(default_factory=dict)
    in_sitemap: tuple[str, ...] = ()
    main: str = ""
    own_dialect: bool = False
    delay_s: float = 0.0
    trouble: Answer | None = None
    page_delay_s: float = 0.0
    trap: Trap | None = None
    nofollow: Nofollow | None = None
    listed: bool = False

    @property
    def linked(self) -> tuple[str, ...]:
        """The pages to which a link leads that may be followed, as far as it is the linking page's to say."""
        return self.open + self.forbidden

    @property
    def unfollowed(self) -> tuple[str, ...]:
        return (*self.nofollow.links, self.nofollow.unvouched) if self.nofollow else ()

    @property
    def pages(self) -> tuple[str, ...]:
        return self.linked + self.unfollowed + self.in_sitemap

    @property
    def needs_own_host(self) -> bool:
        """Whether what it asks for would hold for other origins as well, or not for it, if it were but another port."""
        return bool(self.delay_s or self.trouble or self.listed or self.main or self.own_dialect)

    def forbids(self, path: str) -> bool:
        return path in self.forbidden or path in self.unfollowed

    @property
    def allowed(self) -> tuple[str, ...]:
        """The pages that a polite crawl may fetch, and should; none of a mirror, or if robots.txt cannot be had."""
        if self.robots[-1].is_outage or (self.main and self.main != self.name):
            return ()
        return self.open + self.in_sitemap + (self.trap.real if self.trap else ())

    def made_up(self, path: str) -> MadeUp | None:
        """A page of the endless space."""
        return self.trap.page(path) if self.trap else None


def _asks(line: bytes) -> Answer:
    return Answer(body=(RULES + line + b"\n",))


def _redirects(hops: int) -> dict[str, Answer]:
    """Where `hops` redirects lead from /robots.txt on: all but the first hop, and the rules at the end."""
    chain = {f"/moved/{n}": Answer(302, (), redirect_to=f"/moved/{n + 1}") for n in range(1, hops)}
    return chain | {f"/moved/{hops}": Answer()}


_MOVED = Answer(301, (), redirect_to="/moved/1")
_ALL_OPEN = HOME + ARTICLES + PRIVATE

_NORMAL = b"""\
# Everyone is welcome; some places are not for robots.
User-agent: *
Disallow: /private/
Allow: /private/press/
Disallow: /search
Disallow: /*.print$
Disallow: /*?*sort=

User-agent: greedybot
Disallow: /

Sitemap: /sitemap.xml
"""

_HTML = b"""\
<!DOCTYPE html>
<html lang="en"><head><title>Welcome</title></head>
<body><h1>Welcome</h1><p>This server answers every address with this page and status 200.</p></body></html>
"""


def _fifty_megabytes() -> tuple[bytes, ...]:
    """Rules, 50 MB of comments, and a rule far beyond the 500 KiB that a crawler has to read (RFC 9309 §2.5)."""
    comments = (b"# " + b"." * 8_000 + b"\n") * 8
    return (RULES, *[comments] * (50_000_000 // len(comments)), b"Allow: /private/\n")


def _hostile() -> bytes:
    """About 430 KB that make parsers slow: many agents times many rules, chains of wildcards, junk. One rule is real.

    The agents-times-rules part is small enough (20 KB) for the stock parser, which takes seconds for twice as much.
    """
    agents = [f"User-agent: robot{n}" for n in range(600)]
    rules = [f"Disallow: /x{n}/" for n in range(600)]
    groups = [f"User-agent: crawler{n}\nDisallow: /\n" for n in range(3_000)]
    # No page of the site has "zz" in its address, so none of these matches; a matcher has to find that out.
    wildcards = [f"Disallow: /{'*a' * (n % 40 + 1)}*zz{n}" for n in range(4_500)]
    junk = ["Disallow: /zz\x00\x07%zz%", "Disallow", ": : :", "Disallow: /zz" + "*" * 30_000]
    lines = [*agents, *rules, "", *groups, "User-agent: *", *wildcards, *junk, "Disallow: /private/", ""]
    return "\n".join(lines).encode() + b"\xff\xfe\x80"


#: A host that is no part of the crawl: it only keeps the rules of another one.
RULES_HOST = DemoOrigin(
    "keeper of the rules", "127.0.0.18", open=(), forbidden=(), files={"/shared/rules.txt": Answer()}
)

_GUESTBOOK = Nofollow("/guestbook", tuple(f"/guests/{n}" for n in range(1, 5)), "/advertisement")

_MAIN = "the main host of that mirror"

#: How long the origin in trouble wants to be left alone.
RETRY_AFTER_S = 3

ORIGINS = (
    DemoOrigin(
        "Disallow, Allow, wildcards, Sitemap",
        "127.0.0.1",
        (Answer(body=(_NORMAL,)),),
        (*HOME, *ARTICLES, "/private/press/1", "/private/press/2", "/articles/1.print?paper=a4"),
        (*PRIVATE, "/search?q=harbour", "/articles/1.print", "/articles/2?sort=date", "/articles/3?page=2&sort=title"),
        in_sitemap=tuple(f"/archive/{n}" for n in range(1, 5)),
    ),
    DemoOrigin("404 missing", "127.0.0.2", (Answer(404, (b"Not found\n",)),), _ALL_OPEN, ()),
    DemoOrigin(
        "401 unauthorised",
        "127.0.0.3",
        (Answer(401, (b"Who are you?\n",), headers=(("WWW-Authenticate", 'Basic realm="robots"'),)),),
        _ALL_OPEN,
        (),
    ),
    DemoOrigin("403 forbidden", "127.0.0.4", (Answer(403, (b"Go away\n",)),), _ALL_OPEN, ()),
    DemoOrigin("500 for ever", "127.0.0.5", (Answer(500, (b"Out of order\n",)),)),
    DemoOrigin("503 twice, then rules", "127.0.0.6", (*[Answer(503, (b"Soon\n",))] * 2, Answer())),
    DemoOrigin(
        "429, Retry-After: 2, then rules",
        "127.0.0.7",
        (Answer(429, (b"Slow down\n",), headers=(("Retry-After", "2"),)), Answer()),
    ),
    DemoOrigin("slow: 3 seconds", "127.0.0.8", (Answer(delay_s=3.0),)),
    DemoOrigin("5 redirects", "127.0.0.9", (_MOVED,), files=_redirects(5)),
    DemoOrigin("6 redirects", "127.0.0.10", (_MOVED,), _ALL_OPEN, (), files=_redirects(6)),
    DemoOrigin(
        "redirect to another host", "127.0.0.11", (Answer(302, (), redirect_to=(RULES_HOST.name, "/shared/rules.txt")),)
    ),
    DemoOrigin("50 MB long", "127.0.0.12", (Answer(body=_fifty_megabytes()),)),
    DemoOrigin("hostile", "127.0.0.13", (Answer(body=(_hostile(),)),)),
    DemoOrigin("HTML instead", "127.0.0.14", (Answer(body=(_HTML,), content_type="text/html"),), _ALL_OPEN, ()),
    DemoOrigin(
        "UTF-8 BOM, CR line ends", "127.0.0.15", (Answer(body=(b"\xef\xbb\xbf" + RULES.replace(b"\n", b"\r"),)),)
    ),
    DemoOrigin("one port", "127.0.0.16"),
    DemoOrigin(
        "another port of that host",
        "127.0.0.16",
        (Answer(body=(b"User-agent: *\nDisallow: /articles/\n",)),),
        HOME + PRIVATE,
        ARTICLES,
    ),
    DemoOrigin("Crawl-delay: 1", "127.0.0.17", (_asks(b"Crawl-delay: 1"),), HOME + ARTICLES[:9], delay_s=1.0),
    DemoOrigin("Crawl-delay: 0.4", "127.0.0.19", (_asks(b"Crawl-delay: 0.4"),), delay_s=0.4),
    DemoOrigin("Request-rate: 2/1s", "127.0.0.20", (_asks(b"Request-rate: 2/1s"),), delay_s=0.5),
    DemoOrigin(
        f"503 page, Retry-After: {RETRY_AFTER_S}",
        "127.0.0.21",
        trouble=Answer(503, (b"Too busy\n",), headers=(("Retry-After", str(RETRY_AFTER_S)),)),
    ),
    DemoOrigin("slow pages: 1 second", "127.0.0.22", page_delay_s=1.0),
    DemoOrigin("a calendar without an end", "127.0.0.23", trap=CALENDAR),
    DemoOrigin("a tarpit", "127.0.0.24", trap=TARPIT),
    DemoOrigin("on the blacklist", "127.0.0.25", open=(), forbidden=HOME + ARTICLES, listed=True),
    DemoOrigin(
        "nofollow: a page, a link",
        "127.0.0.26",
        open=(*HOME, *ARTICLES, _GUESTBOOK.page),
        nofollow=_GUESTBOOK,
    ),
    DemoOrigin(
        "of 1996: the first rule that fits counts",
        "127.0.0.27",
        (Answer(body=(RULES + b"Allow: /private/press/\n",)),),
        forbidden=(*PRIVATE, "/private/press/1", "/private/press/2"),
        own_dialect=True,
    ),
    DemoOrigin("a mirror, whose Host names the next", "127.0.0.28", main=_MAIN),
    DemoOrigin(_MAIN, "127.0.0.28", main=_MAIN),
)
