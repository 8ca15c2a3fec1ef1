"""Quarantine on small made-up sites: what is left, what never is, samples, release, and what outlives a crawl."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from html import escape
from random import Random

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.traps import quarantine
from scrapy_polite.traps.page_digest import Page, of_body, of_tree
from scrapy_polite.traps.quarantine import EXPIRES_S, GO, KINDS, Fetched, Quarantine, Quarantines

NOW = 1_800_000_000.0
HOME = "http://example.com/"
SAME = "Nothing is on at this time, come back later or try another page of this calendar, if you please. " * 4

Said = tuple[str, list[str]]


def words(*seed: object, count: int = 40) -> str:
    rng = Random(repr(seed))
    return " ".join("".join(rng.choices("abcdefghijklmnop", k=7)) for _ in range(count))


def page(url: str, text: str, links: list[str]) -> Page:
    shown = "".join(f"<a href='{escape(link)}'>more</a>" for link in links)
    return of_tree(lxml.html.fromstring(f"<html><body><p>{text}</p>{shown}</body></html>"), url)


class Crawl:
    """A crawl, first in first out, of one site: `said(path)` is a page's text and its links."""

    def __init__(self, said: Callable[[str], Said], quarantines: Quarantines | None = None, now: float = NOW) -> None:
        self.quarantines = quarantines or Quarantines()
        self.said = said
        self.now = now
        self.fetched: list[str] = []
        self.refused: list[str] = []
        self.told: list[Fetched] = []
        self.queues: dict[int, deque[str]] = {0: deque([HOME])}
        self.seen = {HOME}

    def ask(self, url: str) -> quarantine.Verdict:
        return self.quarantines.found("example.com", url, HOME, self.now)

    def run(self, limit: int = 2_000) -> Crawl:
        while len(self.fetched) < limit and (url := self.next()):
            if url != HOME and not self.ask(url).allowed:
                self.refused.append(url)
                continue
            self.fetch(url)
        return self

    def leave(self, count: int) -> int:
        """Let so many requests leave before the first page comes; returns how many did."""
        leaving = []
        while len(leaving) < count and (url := self.next()):
            if url == HOME or self.ask(url).allowed:
                leaving.append(url)
            else:
                self.refused.append(url)
        for url in leaving:
            self.fetch(url)
        return len(leaving)

    def next(self) -> str:
        for priority in sorted(self.queues, reverse=True):
            if self.queues[priority]:
                return self.queues[priority].popleft()
        return ""

    def fetch(self, url: str) -> Fetched:
        text, links = self.said(url.removeprefix("http://example.com"))
        found = page(url, text, links)
        self.fetched.append(url)
        told = self.quarantines.fetched("example.com", url, found, self.now)
        self.told.append(told)
        for link in found.links:
            verdict = self.ask(link)
            if not verdict.allowed:
                self.refused.append(link)
            elif link not in self.seen:
                self.seen.add(link)
                self.queues.setdefault(verdict.priority, deque()).append(link)
        return told

    @property
    def left(self) -> list[tuple[str, str]]:
        return [(told.quarantined.place, told.quarantined.kind) for told in self.told if told.quarantined]


def number_of(path: str) -> int:
    return int("".join(filter(str.isdigit, path)) or 0)


def calendar(path: str) -> Said:
    if path == "/":
        return words("home"), ["/about", "/day?at=1"]
    if path == "/about":
        return words("about"), []
    at = number_of(path)
    return f"{SAME} {at}", [f"/day?at={at + 1}", f"/day?at={max(at - 1, 0)}"]


def diary(path: str) -> Said:
    """Pages of a few words: a date and no entries."""
    at = date(2026, 1, 1) + timedelta(days=number_of(path))
    return f"{at:%A %d %B %Y}: no entries", [f"/diary?day={number_of(path) + step}" for step in (1, 30)]


def subscribed(path: str) -> Said:
    """Empty days, each with views of itself to print, to mail and to subscribe to, which all differ."""
    day, _, view = path.removeprefix("/day/").partition("/?")
    if view:
        return words(path), []
    return f"{SAME} {day}", [f"/day/{number_of(day) + 1}/", *(f"{path}?{name}=1" for name in ("ical", "print", "mail"))]


def past_the_last(path: str) -> Said:
    return f"Page {number_of(path)}: nothing found", [f"/list/{number_of(path) + 1}"]


def teasers(path: str) -> Said:
    """Pages past the last one, each with four random teasers that are known."""
    if path == "/":
        return words("home"), ["/list?page=1"]
    at = number_of(path)
    shown = "</p><p>".join(words("teaser", teaser, count=7) for teaser in Random(path).sample(range(100), 4))
    return f"{SAME}</p><p>{shown}", [f"/list?page={at + 1}", f"/list?page={max(at - 1, 1)}"]


def maze(path: str) -> Said:
    rng = Random(path)
    entries = ["/about"] if path == "/" else []
    return words(path), [*entries, *(f"/lost/{rng.getrandbits(40):x}" for _ in range(4))]


def maze_with_hubs(path: str) -> Said:
    """Each page also leads to one of twenty topics, any of them."""
    text, links = maze(path)
    return text, [*links, f"/lost/topic-{Random(path).randrange(20)}"]


def hosts_with_pages(path: str) -> Said:
    """Each page of the maze is a host, with five more pages that are an end."""
    rng = Random(path)
    if not path.endswith(".example.com/"):
        return words(path), ["http://a.example.com/"] if path == "/" else []
    hosts = [f"http://{rng.getrandbits(40):x}.example.com/" for _ in range(4)]
    return words(path), [*(f"{path}{name}" for name in ("about", "faq", "help", "jobs", "terms")), *hosts]


def facets(path: str) -> Said:
    rng = Random(path)
    items = " ".join(f"<p>{words('item', rng.randrange(60), count=8)}</p>" for _ in range(10))
    return items, [f"/find?q={rng.getrandbits(30)}" for _ in range(4)]


def permuted(path: str) -> Said:
    chosen = path.strip("/").split("/")[1:]
    free = [name for name in ("red", "blue", "small", "large", "wool", "silk", "new", "sale") if name not in chosen]
    return words(path), ["/shop/" + "/".join([*chosen, name]) for name in free]


@pytest.mark.parametrize(
    ("said", "place", "kind", "most"),
    [
        (calendar, "/day?at", "same-text", 40),
        (diary, "/diary?day", "same-text", 40),
        (past_the_last, "/list/**", "same-text", 40),
        (subscribed, "/day/*/", "same-text", 200),
        (teasers, "/list?page", "known-text", 150),
        (maze, "/lost/**", "maze", 110),
        (maze_with_hubs, "/lost/**", "maze", 160),
        (hosts_with_pages, "//*/**", "maze", 200),
        (facets, "/find?q", "known-text", 90),
        (permuted, "/shop/**", "combinations", 80),
    ],
    ids=[
        "calendar",
        "short-pages",
        "past-the-last",
        "calendar-with-views",
        "random-teasers",
        "maze",
        "maze-with-hubs",
        "hosts-with-pages",
        "shuffled-results",
        "permuted-facets",
    ],
)
def test_an_endless_space_is_left(said: Callable[[str], Said], place: str, kind: str, most: int) -> None:
    crawl = Crawl(said).run()
    assert (place, kind) in crawl.left
    assert len(crawl.fetched) <= most
    assert kind in KINDS


def encyclopaedia(path: str) -> Said:
    rng = Random(path)
    return words(path), [f"/article/{rng.randrange(1_500)}" for _ in range(8)]


def archive(path: str) -> Said:
    parts = [part for part in path.split("/") if part]
    below = ((2015, 2025), (1, 13), (1, 20))
    if len(parts) < len(below):
        return "Archive " + " ".join(parts), [f"{path}{number}/" for number in range(*below[len(parts)])]
    return words(path), []


def comic(path: str) -> Said:
    at = number_of(path)
    return words(at), [f"/comic/{step}" for step in (at - 1, at + 1) if 0 < step <= 400]


def stations(path: str) -> Said:
    if path == "/":
        return "Stations", [f"/st?id={at}" for at in range(9_000, 9_400)]
    return f"Station {path[-4:]} of the line", []


def listing(path: str) -> Said:
    """A catalogue whose products also lead to a few others at random."""
    if path.startswith("/list") or path == "/":
        at = number_of(path)
        after = [f"/list?page={at + 1}"] if at < 100 else []
        return words(path), [*(f"/product/{at * 15 + step}" for step in range(15)), *after]
    rng = Random(path)
    return words(path), [f"/product/{rng.randrange(1_515)}" for _ in range(4)]


def file_tree(path: str) -> Said:
    """Folders in folders, 18 deep, with files."""
    rng = Random(path)
    depth = path.count("/")
    folders = rng.choice((0, 1, 1, 2)) if 3 < depth < 19 else 2 * (depth <= 3)
    files = [f"{path}file-{at}.html" for at in range(rng.randrange(3))] if path.endswith("/") else []
    return words(path), [*files, *(f"{path}folder-{at}/" for at in range(folders) if path.endswith("/"))]


def redirecting_gallery(path: str) -> Said:
    if path == "/":
        return words("home"), [f"/album/{at}" for at in range(60)]
    if path.count("/") == 2:
        return "Album of photographs", [f"{path}/{at}" for at in range(12)]
    return f"Photo <img src='/files{path}.jpg'>", []


def draws(path: str) -> Said:
    """Six numbers in the words of every other draw, to which only the one before leads."""
    at = number_of(path)
    drawn = " ".join(str(number) for number in Random(path).sample(range(1, 50), 6))
    return f"{SAME} Drawn: {drawn}. {at} visitors", [f"/draw/{step}" for step in (at - 1, at + 1) if 0 < step <= 300]


def few_events(path: str) -> Said:
    """Two years of days, of which one in twenty has an event."""
    if path == "/" or path.startswith("/event"):
        return words(path), ["/day/0"]
    at = number_of(path)
    events = [f"/event/{at}"] if at % 20 == 0 else []
    return f"{SAME} {words(path, count=3) * len(events)}", [f"/day/{at + 1}", *events] if at < 600 else []


def results(path: str) -> Said:
    """Queries of which the first have no result."""
    if path == "/":
        return words("home"), [f"/results?year={year}&event={event}" for year in range(60) for event in range(6)]
    return SAME if number_of(path.partition("&")[0]) < 10 else words(path), []


def translated_late(path: str) -> Said:
    """Pages in two languages more, of which the first third is not translated yet."""
    if path == "/":
        return words("home"), [f"/page/{at}" for at in range(240)]
    page, _, code = path.partition("?lang=")
    return words(page, code if number_of(page) >= 80 else ""), [f"{page}?lang={code}" for code in ("de", "fr")]


def by_name_and_price(path: str) -> Said:
    """Items in three orders, page by page; the second and the third say nothing new."""
    if path == "/":
        return words("home"), [f"/all?order={order}&page=1" for order in ("name", "price", "date")]
    order, _, page = path.partition("&page=")
    items = Random(order).sample(range(900), 900)[int(page) * 10 - 10 : int(page) * 10]
    shown = "</p><p>".join(words("item", item, count=4) for item in items)
    return f"Items</p><p>{shown}", [f"{order}&page={int(page) + 1}"] if int(page) < 90 else []


def rates(path: str) -> Said:
    """One rate in the words of every other day, to which only the day before leads."""
    at = number_of(path)
    return f"{SAME} Rate: {Random(path).randrange(9_000, 11_000) / 10_000}", [f"/day/{at + 1}"] if at < 300 else []


def lists_of_figures(path: str) -> Said:
    """Pages that differ in their figures alone; one list leads to all of them."""
    if path == "/":
        return words("home"), ["/convert/feet"]
    if path == "/convert/feet":
        return "Feet", [f"/convert/{at}-feet" for at in range(300)]
    return f"{SAME} {number_of(path)} feet are {number_of(path) * 0.3048:.2f} metres.", []


def flat_archive(path: str) -> Said:
    """Months that tell but the numbers of their days, in one folder with these."""
    if path == "/":
        return words("home"), [f"/archive/{year}-{month:02}" for year in range(1921, 1927) for month in range(1, 13)]
    frame = f"<p>{words('menu')}<p>{words('footer')}"
    if path.count("-") == 1:
        return f"Mon Tue Wed Thu Fri{frame}", [f"{path}-{day:02}" for day in range(1, 29)]
    return words(path) + frame, [path[:-3]]


def variants(path: str) -> Said:
    """Products in four colours, each of which has a number and a price."""
    product = path.partition("?")[0]
    if path == "/":
        return words("home"), [f"/product/{at}" for at in range(60)]
    own = f"Article {Random(path).randrange(10**6)}: {Random(path).randrange(15, 60)}.99" if "?" in path else "Choose"
    colours = [f"{product}?colour={colour}" for colour in ("red", "blue", "tan", "jet")]
    return f"{words(product)}<p>{own}<p>Delivery<p>Returns<p>Imprint", colours


_KINDS_OF_PAGE = [
    f"option={kind}&{number}={{}}{more}"
    for kind, number in (("content", "id"), ("links", "catid"), ("files", "gid"), ("forum", "topic"), ("poll", "pid"))
    for more in ("", "&Itemid=3", "&layout=blog", "&Itemid=4&lang=en")
]


def one_script(path: str) -> Said:
    """A site of which every page is at `/index.php`, with one of twenty sets of parameters."""
    rng = Random(path)
    kinds = _KINDS_OF_PAGE if path == "/" else rng.sample(_KINDS_OF_PAGE, 4)
    return words(path), [f"/index.php?{kind.format(rng.randrange(60))}" for kind in kinds]


def timetables(path: str) -> Said:
    """From every town to every other and back, each with two more pages."""
    towns = [words("town", at, count=1) for at in range(14)]
    if path == "/":
        return words("home"), [f"/{one}/{other}" for one in towns for other in towns if one != other]
    return words(path), [f"{path}/cheap", f"{path}/nights"] if path.count("/") == 2 else []


@pytest.mark.parametrize(
    ("said", "pages"),
    [
        (encyclopaedia, None),
        (archive, 1 + 10 + 120 + 10 * 12 * 19),
        (comic, 401),
        (stations, 401),
        (listing, None),
        (file_tree, None),
        (redirecting_gallery, 1 + 60 + 720),
        (one_script, None),
        (timetables, 1 + 14 * 13 * 3),
        (draws, 301),
        (few_events, 1 + 601 + 31 - 1),
        (results, 1 + 360),
        (translated_late, 1 + 240 * 3),
        (by_name_and_price, 1 + 3 * 90),
        (rates, 301),
        (lists_of_figures, 2 + 300),
        (flat_archive, 1 + 72 + 72 * 28),
        (variants, 1 + 60 + 240),
    ],
    ids=[
        "encyclopaedia",
        "archive",
        "comic",
        "stations",
        "catalogue",
        "files",
        "gallery",
        "one-script",
        "towns",
        "draws",
        "few-events",
        "results",
        "translated-late",
        "orders",
        "rates",
        "figures",
        "flat-archive",
        "variants",
    ],
)
def test_an_honest_site_is_crawled_whole(said: Callable[[str], Said], pages: int | None) -> None:
    crawl = Crawl(said).run(3_000)
    assert crawl.left == []
    assert crawl.refused == []
    assert pages is None or len(crawl.fetched) == pages


def test_what_is_left_says_where_why_and_for_how_long() -> None:
    crawl = Crawl(calendar).run()
    (left,) = [told.quarantined for told in crawl.told if told.quarantined]
    assert (left.site, left.place, left.kind) == ("example.com", "/day?at", "same-text")
    assert left.examples
    assert all(url.startswith("http://example.com/day?at=") for url in left.examples)
    assert (left.since, left.until) == (NOW, NOW + EXPIRES_S)
    verdict = crawl.ask("http://example.com/day?at=99999")
    assert (verdict.allowed, verdict.reason) == (False, "trap/same-text")
    assert verdict.detail == f"/day?at: {left.evidence}"


def test_the_rest_of_the_site_stays_open() -> None:
    crawl = Crawl(calendar).run()
    assert "http://example.com/about" in crawl.fetched
    assert crawl.ask("http://example.com/other").allowed
    assert crawl.ask("http://example.com/day").allowed


@pytest.mark.parametrize("at_once", [1, 4, 8, 16, 32])
@pytest.mark.parametrize("folder", ["/notes", "/blog/notes"])
def test_a_maze_costs_no_page_of_the_site_that_it_is_in(folder: str, at_once: int) -> None:
    """Most links of the site are the maze's, and the articles, each of which leads to the next, are found slowly."""

    def said(path: str) -> Said:
        if path.startswith(folder):
            rng = Random(path)
            return words(path), [f"{folder}/{rng.getrandbits(40):x}" for _ in range(5)]
        at = number_of(path)
        following = [f"/blog/article/{at + 1}"] if at < 400 else []
        return words("article", at), [*following, f"{folder}/start"] if path == "/" else following

    crawl = Crawl(said)
    while len(crawl.fetched) < 2_000 and crawl.leave(at_once):
        pass
    assert [url for url in crawl.left if url[1] == "maze"]
    assert sum("/article/" in url for url in crawl.fetched) == 400
    # A scout takes ten steps, one after the other.
    assert sum("/notes/" in url for url in crawl.fetched) < max(200, 12 * at_once)


def test_what_no_page_led_to_is_never_refused() -> None:
    crawl = Crawl(calendar).run()
    assert crawl.quarantines.found("example.com", "http://example.com/day?at=5000", None, NOW) is GO


def test_a_maze_is_explored_by_scouts_that_go_first() -> None:
    crawl = Crawl(maze).run(30)
    asked = [crawl.ask(link).priority for link in crawl.seen]
    assert 1 in asked
    assert set(asked) == {0, 1}


def test_a_site_is_walked_until_a_maze_is_left_or_a_second_after_the_last_scout() -> None:
    crawl = Crawl(maze).run(30)
    assert crawl.quarantines.is_walked("example.com", NOW)
    assert not crawl.quarantines.is_walked("example.org", NOW)
    # The scouts were refused, or failed, or are late.
    assert not crawl.quarantines.is_walked("example.com", NOW + 1)
    assert crawl.run().left == [("/lost/**", "maze")]
    assert not crawl.quarantines.is_walked("example.com", NOW)


def test_a_site_whose_links_come_back_is_not_walked() -> None:
    crawl = Crawl(lambda path: (words(path), [f"/a/{at}" for at in Random(path).sample(range(60), 8)]))
    while crawl.leave(8):
        assert not crawl.quarantines.is_walked("example.com", NOW)
    assert len(crawl.fetched) == 61


def test_a_large_tree_is_walked_at_its_begin_and_not_for_ever() -> None:
    crawl = Crawl(
        lambda path: (words(path), [f"{path.rstrip('/')}/{at}" for at in "xyz"] if path.count("/") < 8 else [])
    )
    walked = 0
    while crawl.leave(8):
        crawl.now += 0.1
        walked += crawl.quarantines.is_walked("example.com", crawl.now)
    assert crawl.left == []
    assert 10 < walked < 200


def test_scouts_do_not_fetch_one_page_over_and_over_under_new_session_ids() -> None:
    views = iter(range(100_000))

    def said(path: str) -> Said:
        number, session = number_of(path.partition("?")[0]), f"{Random(next(views)).getrandbits(64):016x}"
        return words("session", number), [f"/s/{other}?zid={session}" for other in range(30)]

    crawl = Crawl(said).run()
    assert crawl.left == []
    assert {number_of(url.partition("?")[0]) for url in crawl.fetched} == set(range(30))
    assert len(crawl.fetched) < 100


def test_a_chain_of_pages_with_one_number_each_that_counts_is_left() -> None:
    crawl = Crawl(
        lambda path: (f"{SAME} You are number {Random(path).randrange(10**6)}.", [f"/n/{number_of(path) + 1}"])
    )
    assert crawl.run(200).left == [("/n/**", "same-text")]


def test_the_same_page_fetched_again_is_no_evidence() -> None:
    quarantines = Quarantines()
    for _ in range(100):
        told = quarantines.fetched("example.com", HOME, page(HOME, SAME, ["/next"]), NOW)
        assert told == Fetched()


def test_pages_that_are_the_same_to_the_letter_are_left_though_they_lead_nowhere() -> None:
    def said(path: str) -> Said:
        """Each page of a list brings three members that say nothing."""
        if "/member/" in path:
            return SAME, []
        at = number_of(path)
        after = [f"/members/{at + 1}"] if at < 100 else []
        return words(path), [*(f"/member/{3 * at + member}" for member in range(3)), *after]

    crawl = Crawl(said).run()
    assert crawl.left == [("/member/*", "identical")]
    assert len(crawl.fetched) < 190
    assert crawl.told[3].duplicate_of == "http://example.com/member/0"


def test_of_a_list_whose_pages_are_the_same_a_hundred_are_enough() -> None:
    crawl = Crawl(lambda path: (SAME, []) if path != "/" else ("", [f"/member/{at}" for at in range(300)])).run()
    assert crawl.left == [("/member/*", "identical")]
    assert len(crawl.fetched) < 110


def test_pages_that_are_not_translated_yet_are_read() -> None:
    """Each says what another does, and further pages bring ever more of them."""

    def said(path: str) -> Said:
        number = number_of(path)
        after = [f"/page/{number + 1}"] if number < 100 else []
        return words("page", number), [*(f"/page/{number}?lang={code}" for code in ("de", "fr")), *after]

    crawl = Crawl(said).run()
    assert crawl.left == []
    assert crawl.refused == []
    assert len(crawl.fetched) >= 300


@pytest.mark.parametrize("texts", [2, 5, 20, 50])
def test_a_page_with_a_line_that_rotates_is_left_though_it_leads_nowhere(texts: int) -> None:
    """Each page of a list brings three links that are no longer there; a quote is shown instead."""

    def said(path: str) -> Said:
        if "/gone/" in path:
            return words("quote", Random(path).randrange(texts)), []
        number = number_of(path)
        gone = [f"/gone/{Random(3 * number + at).getrandbits(48):x}" for at in range(3)]
        return words(path), [*gone, *([f"/list/{number + 1}"] if number < 150 else [])]

    crawl = Crawl(said).run()
    assert crawl.left == [("/gone/*", "identical")]
    assert sum("/gone/" in url for url in crawl.fetched) < 200
    assert sum("/list/" in url for url in crawl.fetched) == 150


@pytest.mark.parametrize("template", ["/{}/doc/d{}", "/doc/{1}/{0}"])
def test_a_small_site_that_is_not_translated_into_its_many_languages_is_read(template: str) -> None:
    """Forty languages, in each of which a home page leads to the same twelve documents."""
    documents = {template.format(f"l{at}", number): number for at in range(40) for number in range(12)}

    def said(path: str) -> Said:
        if path == "/":
            return "Languages", [f"/in/{at}" for at in range(40)]
        if path in documents:
            return words("document", documents[path]), []
        return words(path), [template.format(f"l{number_of(path)}", number) for number in range(12)]

    crawl = Crawl(said).run()
    assert crawl.left == []
    assert len(crawl.fetched) == 1 + 40 + 40 * 12


def test_a_wall_in_many_buckets_is_reported_and_not_left() -> None:
    def said(path: str) -> Said:
        if path == "/":
            return "Home", [f"/{part}/{at}" for part in ("a", "b", "c", "d", "e") for at in range(30)]
        return "Please log in to read this page", []

    crawl = Crawl(said).run()
    assert crawl.left == []
    assert len(crawl.fetched) == 151
    assert [told.wall for told in crawl.told].count(True) == 1


def test_links_to_what_an_earlier_run_has_met_come_back() -> None:
    crawl = Crawl(maze)
    crawl.quarantines.was_met = lambda url: "/lost/" in url
    assert crawl.run(300).left == []


def test_errors_and_redirects_count_only_where_they_lead_on() -> None:
    quarantines = Quarantines()
    for at in range(100):
        assert quarantines.fetched("example.com", f"{HOME}gone/{at}", None, NOW) == Fetched()
    left = []
    for at in range(60):
        told = quarantines.fetched("example.com", f"{HOME}r?n={at}", None, NOW, [f"{HOME}r?n={at + 1}"])
        left += [told.quarantined] if told.quarantined else []
    assert [found.kind for found in left] == ["same-text"]


def held(crawl: Crawl) -> Quarantine:
    (left,) = crawl.quarantines.export()
    return left


def samples(crawl: Crawl, count: int, first: int = 100_000) -> list[str]:
    """Ask for links into the calendar until so many have been let through."""
    found: list[str] = []
    at = first
    while len(found) < count:
        url = f"http://example.com/day?at={at}"
        if crawl.ask(url).allowed:
            found.append(url)
        at += 1
    return found


def test_samples_become_ever_rarer() -> None:
    crawl = Crawl(calendar).run()
    asked = [crawl.ask(f"http://example.com/day?at={at}").allowed for at in range(1_000_000, 1_005_000)]
    assert 3 <= sum(asked) <= 8


def test_a_sample_may_leave_when_it_was_let_through() -> None:
    crawl = Crawl(calendar).run()
    (url,) = samples(crawl, 1)
    assert crawl.ask(url).allowed


def test_a_place_opens_again_when_its_samples_are_new() -> None:
    crawl = Crawl(calendar).run()
    told = [crawl.quarantines.fetched("example.com", url, page(url, words(url), []), NOW) for url in samples(crawl, 2)]
    assert [bool(found.released) for found in told] == [False, True]
    assert crawl.ask("http://example.com/day?at=777777").allowed
    assert list(crawl.quarantines.export()) == []


def test_a_place_stays_shut_while_its_samples_say_the_same() -> None:
    crawl = Crawl(calendar).run()
    for url in samples(crawl, 3):
        assert not crawl.fetch(url).released
    assert held(crawl).place == "/day?at"


def test_a_quarantine_is_taken_up_by_the_next_crawl_until_its_time_is_over() -> None:
    found = held(Crawl(calendar).run())
    assert found.refused > 0
    again = Quarantines()
    again.restore([found])
    crawl = Crawl(calendar, again).run()
    assert crawl.fetched == [HOME, "http://example.com/about"]
    assert [left.place for left in again.export()] == ["/day?at"]
    later = Quarantines()
    later.restore([found])
    assert Crawl(calendar, later, NOW + EXPIRES_S).run().left == [("/day?at", "same-text")]


def test_a_forum_of_one_script_is_read_however_many_queries_its_pages_bring() -> None:
    """Fewer sets of parameter names than filters of a shop have, and each topic has something to say."""

    def said(path: str) -> Said:
        asked = dict(pair.split("=") for pair in path.partition("?")[2].split("&") if pair)
        at = int(asked.get("f", 0))
        if path == "/":
            return words(path), [f"/view?f={forum}" for forum in range(12)]
        if "t" in asked:
            return words("topic", asked["t"]), [f"/view?f={at}"]
        if "p" in asked:
            return words("post", asked["p"]), []
        topics = [f"/view?f={at}&t={40 * at + topic}" for topic in range(40)]
        posts = [f"/view?p={120 * at + post}" for post in range(120)]
        views = [f"{topic}&{view}" for topic in topics for view in ("view=print", "view=next", "start=20")]
        return words(path), [
            *topics,
            *posts,
            *views,
            *(f"/view?f={at}&{by}&sd=a" for by in ("sk=t", "st=7", "sk=a&st=7")),
        ]

    crawl = Crawl(said).run(4_000)
    assert crawl.left == []
    assert {f"{HOME}view?f={number // 40}&t={number}" for number in range(480)} < set(crawl.fetched)


@pytest.mark.parametrize("folder", ["/", "/shop/"])
def test_filters_of_a_folders_own_page_cost_no_page_in_it_in_the_next_crawl(folder: str) -> None:
    """Once the name of what was left stood for all that is in the folder: at the home page for the whole site."""
    names = "abcdefghijklmnop"

    def said(path: str) -> Said:
        page, _, query = path.partition("?")
        if page != folder:
            return words(path), [folder, *(f"{folder}item/{at}" for at in range(40))] if page == "/" else []
        chosen = [name for name in names if f"{name}=" in query]
        free = [name for name in names if name not in chosen]
        more = [f"{folder}?{'&'.join([query] * bool(query) + [f'{name}={at}'])}" for name in free for at in range(2)]
        return words(path), [*(f"{folder}item/{at}" for at in range(40)), *more]

    crawl = Crawl(said).run()
    assert crawl.left == [(f"{folder}?*", "combinations")]
    again = Quarantines()
    again.restore([*crawl.quarantines.export()])
    crawl = Crawl(said, again).run()
    assert {f"{HOME[:-1]}{folder}item/{at}" for at in range(40)} < set(crawl.fetched)
    assert not any("?" in url for url in crawl.fetched)
    assert crawl.refused


def test_a_person_can_open_a_place() -> None:
    crawl = Crawl(calendar).run()
    assert crawl.quarantines.release("example.com", "/elsewhere") == []
    (released,) = crawl.quarantines.release("example.com", "/day?at")
    assert released.kind == "same-text"
    assert crawl.ask("http://example.com/day?at=99999").allowed
    crawl.quarantines.restore([replace(released, until=NOW + 1)])
    assert not crawl.ask("http://example.com/day?at=99999").allowed
    assert len(crawl.quarantines.release("example.com")) == 1
    assert crawl.ask("http://example.com/day?at=99999").allowed


def test_hosts_without_end_are_one_place() -> None:
    quarantines = Quarantines()
    left: list[Quarantine] = []
    for at in range(120):
        url = f"http://h{at}.example.com/"
        found = page(url, SAME, [f"http://h{2 * at + step}.example.com/" for step in (1, 2)])
        told = quarantines.fetched("example.com", url, found, NOW)
        left += [told.quarantined] if told.quarantined else []
    assert [found.place for found in left] == ["//*/"]
    assert not quarantines.found("example.com", "http://new.example.com/", HOME, NOW).allowed
    assert quarantines.found("example.com", "http://h0.example.com/", HOME, NOW).allowed


def test_hosts_without_end_are_no_other_place_in_the_next_crawl() -> None:
    """Once the whole site was refused: `//*/**` matched its first hosts too. What a person released is told alike."""
    left = Quarantine("example.com", "//*/**", "maze", "", (), NOW, NOW + EXPIRES_S)
    for decision, allowed in (("", False), ("confirmed", False), ("released", True)):
        quarantines = Quarantines()
        quarantines.restore([replace(left, decision=decision)])
        home = page(HOME, words("home"), ["/article/1", *(f"http://h{at}.example.com/" for at in range(9))])
        quarantines.fetched("example.com", HOME, home, NOW)
        assert quarantines.found("example.com", "http://example.com/article/1", HOME, NOW).allowed
        assert quarantines.found("example.com", "http://h8.example.com/article/1", HOME, NOW).allowed is allowed
    quarantines.restore([replace(left, place="/**")])
    assert not quarantines.found("example.com", "http://example.com/article/1", HOME, NOW).allowed


@pytest.mark.parametrize(
    ("part", "variant"),
    [
        ("parameter sid", lambda at, visit: f"http://example.com/p/{at}?sid={visit}{at}"),
        ("scheme and host", lambda at, visit: f"http://{('', 'www.')[visit]}example.com/p/{at}"),
        ("path parameters", lambda at, visit: f"http://example.com/p/{at};v={visit}"),
        ("case and slash", lambda at, visit: f"http://example.com/{'pP'[visit]}/{at}"),
    ],
    ids=["session", "www", "path-parameters", "case"],
)
def test_a_part_that_never_matters_is_learned(part: str, variant: Callable[[int, int], str]) -> None:
    quarantines = Quarantines()
    learned = []
    for at in range(12):
        for visit in range(2):
            url = variant(at, visit)
            told = quarantines.fetched("example.com", url, page(url, words(at), []), NOW)
            learned += [told.alias] if told.alias else []
    assert part in learned
    verdict = quarantines.found("example.com", variant(3, 1).replace("sid=1", "sid=new"), HOME, NOW)
    assert verdict.reason in ("trap/alias", "")
    assert not quarantines.found("example.com", variant(3, 1), HOME, NOW).allowed or part == "parameter sid"
    assert quarantines.found("example.com", variant(500, 0), HOME, NOW).allowed


def test_reply_forms_that_repeat_their_post_are_learned_from_the_post() -> None:
    quarantines = Quarantines()
    for post in range(10):
        base = f"http://example.com/post/{post}"
        text = "".join(f"<p>{words(post, block, count=12)}</p>" for block in range(20))
        quarantines.fetched("example.com", base, page(base, text, []), NOW)
        for reply in range(4):
            url = f"{base}?replytocom={post * 10 + reply}"
            answer = page(url, text + f"<p>Reply to {words(url, count=1)}</p>", [])
            quarantines.fetched("example.com", url, answer, NOW)
    assert quarantines.found("example.com", "http://example.com/post/3?replytocom=99", HOME, NOW).reason == "trap/alias"
    assert quarantines.found("example.com", "http://example.com/post/77?replytocom=99", HOME, NOW).allowed


def test_a_parameter_that_tells_short_pages_apart_is_not_taken_for_one_that_does_not() -> None:
    crawl = Crawl(stations).run()
    assert not any(told.alias for told in crawl.told)


def test_first_pages_that_are_the_thread_itself_do_not_hide_its_other_pages() -> None:
    crawl = Crawl(lambda path: threads(path, long=lambda at: at % 25 == 24)).run()
    assert not any(told.alias for told in crawl.told)
    assert len(crawl.fetched) == 1 + 60 * 2 + 2 * 3


def threads(path: str, long: Callable[[int], bool]) -> Said:
    """Sixty threads, each with links to its pages; the first is the thread itself, few have four."""
    if path == "/":
        return words("home"), [f"/thread/{at}" for at in range(60)]
    thread, _, number = path.partition("?page=")
    pages = range(1, 5 if long(number_of(thread)) else 2)
    return words(thread, number or "1"), [f"{thread}?page={at}" for at in pages]


def test_queries_without_a_result_do_not_make_their_parameters_idle() -> None:
    quarantines = Quarantines()
    for year in range(1950, 1960):
        for event in range(3):
            url = f"http://example.com/results?year={year}&event={event}"
            told = quarantines.fetched("example.com", url, page(url, "No results are known of this event.", []), NOW)
            assert not told.alias
    assert quarantines.found("example.com", "http://example.com/results?year=1990&event=1", HOME, NOW).allowed


def test_a_part_that_matters_after_all_is_found_out_by_samples() -> None:
    """Languages into which only later pages are translated."""
    quarantines = Quarantines()
    learned = []
    refused = 0
    for at in range(200):
        base = f"http://example.com/page/{at}"
        quarantines.fetched("example.com", base, page(base, words(at), []), NOW)
        for code in ("de", "fr", "nl"):
            url = f"{base}?lang={code}"
            if all(quarantines.found("example.com", url, HOME, NOW).allowed for _ in ("found", "leaves")):
                text = words(at, code) if at >= 20 else words(at)
                learned += [quarantines.fetched("example.com", url, page(url, text, []), NOW).alias]
            else:
                refused += 1
    assert list(filter(None, learned)) == ["parameter lang"]
    assert 40 < refused < 80


def test_one_picture_in_ever_more_sizes_is_left() -> None:
    quarantines = Quarantines()
    left: list[Quarantine] = []
    for at in range(80):
        url = f"http://example.com/img/{at}x{at}/photo.jpg"
        told = quarantines.fetched("example.com", url, of_body(bytes([at])), NOW)
        left += [told.quarantined] if told.quarantined else []
    assert [found.place for found in left] == ["/img/{size}/photo.jpg"]


def test_many_pictures_in_three_sizes_each_are_not() -> None:
    quarantines = Quarantines()
    for at in range(200):
        for size in (10, 20, 30):
            url = f"http://example.com/img/{size}x{size}/{at}.jpg"
            assert not quarantines.fetched("example.com", url, of_body(f"{at} {size}".encode()), NOW).quarantined


def test_sites_are_bounded_and_their_quarantines_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quarantine, "MAX_SITES", 10)
    crawl = Crawl(calendar).run()
    for at in range(50):
        url = f"http://site-{at}.test/"
        crawl.quarantines.fetched(f"site-{at}.test", url, page(url, words(at), []), NOW)
    assert len(crawl.quarantines._sites) == 10
    assert held(crawl).place == "/day?at"
    assert not crawl.ask("http://example.com/day?at=99999").allowed


def test_links_of_all_sites_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quarantine, "MAX_LINKS_OVERALL", 500)
    quarantines = Quarantines()
    for at in range(100):
        url = f"http://site-{at}.test/"
        quarantines.fetched(f"site-{at}.test", url, page(url, words(at), [f"/{link}" for link in range(50)]), NOW)
    assert sum(len(site.links) for site in quarantines._sites.values()) <= 2 * 500 + 2 * 51


_URLS = st.text("ab/?&=;:.#%x1[]é ", max_size=30).map(lambda rest: f"http://example.com{rest}") | st.text(max_size=20)


@given(st.lists(st.tuples(_URLS, st.lists(_URLS, max_size=5)), max_size=20))
def test_no_url_raises(pages: list[tuple[str, list[str]]]) -> None:
    quarantines = Quarantines()
    for url, links in pages:
        quarantines.fetched("example.com", url, of_body(url.encode("utf-8", "replace"), links), NOW)
        quarantines.fetched("example.com", url, None, NOW, links)
        for link in links:
            assert quarantines.found("example.com", link, url, NOW).allowed
