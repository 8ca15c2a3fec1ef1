"""Groups of patterns that feed themselves: which are suspected, which never are, and when a suspected one ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grown_groups import HOME, HOST, LIMITS, Crawl, Said, Site, number
from scrapy_polite.traps import feeders, patterns
from scrapy_polite.traps import links as links_module
from scrapy_polite.traps.evidence import Pattern, Record, evidence, measure, told_by_part
from scrapy_polite.traps.groups import BESIDE, Groups
from scrapy_polite.traps.limits import MAX_WEIGHT, WEIGHED_EVERY, Limits
from scrapy_polite.traps.page import of_markup
from scrapy_polite.traps.verdict import DEEP, KINDS, WIDE, Verdict


def chain(path: str, says: Callable[[int], bool] = lambda at: True) -> Said:
    """Each page leads to the next one."""
    return says(number(path)), [f"/chain/{number(path) + 1}"]


def silent_chain(path: str) -> Said:
    return chain(path, lambda at: False)


def children(path: str, count: int) -> list[str]:
    return [f"/maze/{number(path) * count + at + 1}" for at in range(count)]


def maze(path: str) -> Said:
    """Each page says something new and leads to three that only it leads to."""
    return True, children(path, 3)


def silent_maze(path: str) -> Said:
    return False, children(path, 3)


def wiki(path: str, says: bool = True) -> Said:
    """Each page leads to four new ones, and to some that others have found."""
    at = number(path)
    return says, [*children(path, 4), *(f"/maze/{other}" for other in (at + 1, at + 2, at + 3))]


def silent_wiki(path: str) -> Said:
    return wiki(path, says=False)


def silent_wiki_with_cousins(path: str) -> Said:
    """Deep in it, too, pages lead back to what others have found."""
    return False, [*wiki(path)[1], f"/maze/{Random(path).randrange(400)}"]


def finite(path: str, says: bool = True, pages: int = 300) -> Said:
    """A few hundred pages, six links each."""
    random = Random(path)
    return says, [f"/page/{random.randrange(pages)}" for _ in range(6)]


def of_lists(path: str) -> Said:
    """Finite work: home leads to lists, lists to items, items to their parts. Nothing is said."""
    below = {"": "list", "list": "item", "item": "part"}.get(path.split("/")[1])
    return False, [f"/{below}/{number(path) * 10 + at}" for at in range(1, 10)] if below else []


def by_feeds(path: str) -> Said:
    """A calendar: each month leads to the next, to a file, and to a login that leads back."""
    at = number(path)
    if path.startswith("/cal?m"):
        return False, [f"/cal?m={at + 1}", f"/file/{at}", f"/login?back={at}"]
    return False, ["/cal?m=1"]


def in_turn(path: str) -> Said:
    """Two patterns that only lead to each other."""
    at = number(path)
    return False, [f"/even/{at + 1}" if path.startswith("/odd") else f"/odd/{at + 1}"]


# Groups


def members(crawl: Crawl, root: Pattern | None) -> set[str]:
    return {
        name
        for name in map(crawl.groups.feeders.patterns.of, map(HOST.__add__, crawl.seen))
        if crawl.root(name) is root
    }


def test_what_the_start_leads_to_is_finite_work_whatever_it_says() -> None:
    crawl = Crawl(of_lists).run(800)
    assert crawl.pages == 1 + 9 + 81 + 709
    assert [crawl.root(name) for name in ("/", "/list/*", "/item/*", "/part/*")] == [None] * 4
    assert not crawl.found
    assert crawl.groups.flow_of(f"{HOST}/part/111") == ""


def test_a_pattern_that_feeds_itself_is_a_group_of_its_own() -> None:
    crawl = Crawl(chain).run()
    root = crawl.root("/chain/*")
    assert root is not None
    assert root.name == "/chain/*"
    assert root.pages == 98  # home brings the first, and feeds as much as that one until the second
    assert list(root.examples) == [f"{HOST}/chain/{at}" for at in (97, 98, 99)]


def test_what_hangs_on_a_group_belongs_to_it() -> None:
    crawl = Crawl(by_feeds).run()
    root = crawl.root("/cal?m")
    assert root is not None
    assert members(crawl, root) == {"/cal?m", "/file/*", "/login?back"}
    assert [example.partition("=")[0] for example in root.examples] == [f"{HOST}/cal?m"] * 3
    assert crawl.suspected == {"/cal?m"}
    assert crawl.groups.flow_of(f"{HOST}/file/7") == "/file/*"
    assert crawl.groups.is_suspected("/file/*")


def test_two_patterns_that_feed_each_other_are_one_group() -> None:
    crawl = Crawl(in_turn).run()
    root = crawl.root("/odd/*")
    assert root is not None
    assert root is crawl.root("/even/*")
    assert members(crawl, root) == {"/odd/*", "/even/*"}
    assert crawl.suspected == {root.name}


def two_chains(path: str) -> Said:
    """The home page leads to many pages of either, and the last of them to the next, which lead on. They say nothing;
    from the 120th on each leads to the other chain, too."""
    at = number(path)
    if path == HOME:
        return False, [f"/{name}/{at}" for name in ("odd", "even") for at in range(61)]
    this, other = ("odd", "even") if path.startswith("/odd") else ("even", "odd")
    if at < 60:
        return False, []
    return False, [f"/{this}/{at + 1}", *([f"/{other}/{1_000 * at}"] if 120 <= at < 1_000 else [])]


def test_suspected_groups_of_which_one_brings_the_other_links_are_one_from_then_on() -> None:
    crawl = Crawl(two_chains).run(300)
    assert crawl.suspected == {"/odd/*", "/even/*"}
    crawl.run(340)
    assert crawl.suspected == {"/odd/*"}
    assert crawl.root("/even/*") is crawl.root("/odd/*")
    assert [(found.suspected, found.why) for found in crawl.found[2:]] == [(False, "is one group with /odd/*")]
    assert crawl.groups.is_suspected("/even/*")


def test_a_suspected_group_is_not_one_with_another_that_has_ended() -> None:
    crawl = Crawl(two_chains).run(300)
    for root in crawl.groups.suspects:
        root.ended = "silent"
    assert crawl.run(340).suspected == {"/odd/*", "/even/*"}


def kinds(own: float, others: float, names: str) -> Site:
    """Pages that say nothing, of so many kinds; each leads on average to so many of its own, and of the others."""

    def site(path: str) -> Said:
        if path == HOME:
            return False, [f"/{name}/{at}" for name in names for at in range(20)]
        dice = Random(path)
        links = list[str]()
        for name in names:
            mean = own if path.startswith(f"/{name}/") else others / (len(names) - 1)
            count = int(mean) + (dice.random() < mean % 1)
            links += [f"/{name}/{dice.randrange(10**9, 10**10)}" for _ in range(count)]
        return False, links

    return site


@pytest.mark.parametrize(
    ("own", "others", "names"),
    [(0.8, 0.7, "ab"), (0.5, 1.0, "abc"), (0.8, 0.6, "abc"), (0.6, 3.0, "abcdef"), (0.3, 0.9, "abcd")],
)
def test_kinds_of_pages_that_are_endless_only_together_are_suspected(own: float, others: float, names: str) -> None:
    crawl = Crawl(kinds(own, others, names)).run(1_500)
    assert all(root.suspected for root in map(crawl.root, (f"/{name}/*" for name in names)) if root)
    assert None not in map(crawl.root, (f"/{name}/*" for name in names))


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_kinds_of_pages_that_come_to_an_end_together_are_not(names: str) -> None:
    crawl = Crawl(kinds(0.4, 0.3, names)).run(1_500)
    assert 100 < crawl.pages < 1_500
    assert not crawl.queue
    assert not crawl.suspected


def lists_beside(path: str) -> Said:
    """A chain that says nothing leads to lists; each of these leads to another such chain, and half to a list."""
    at = number(path)
    if path.startswith("/list"):
        return False, [f"/odd/{at * 10**6 + 1}", *([f"/list/{at * 10 + 1}"] if Random(path).random() < 0.5 else [])]
    return False, [f"/odd/{at + 1}", *([f"/list/{at}"] if at % 5 == 0 else [])] if at else ["/odd/1"]


def test_links_to_the_suspected_group_that_feeds_another_are_growth_of_that_one() -> None:
    """By its own links it shrinks, and the other group would be fed by it for ever."""
    crawl = Crawl(lists_beside).run(400)
    assert crawl.root("/list/*") is crawl.root("/odd/*")
    assert crawl.suspected == {"/odd/*"}
    assert (False, "is one group with /odd/*") in [(found.suspected, found.why) for found in crawl.found]


def search_of_a_wiki(path: str) -> Said:
    """Each search leads to three more and to two articles, which lead to the next one; each page leads to a search."""
    at = number(path)
    if path.startswith("/search"):
        return True, [*(f"/search?q={at * 3 + by}" for by in (1, 2, 3)), f"/wiki/{at % 300}", f"/wiki/{at * 7 % 300}"]
    return True, ["/search?q=1", f"/wiki/{(at + 1) % 300}", f"/wiki/{at * 3 % 300}"]


def test_what_leads_on_by_itself_is_no_part_of_an_endless_search_whose_results_lead_there() -> None:
    crawl = Crawl(search_of_a_wiki).run(120)
    search, wiki = crawl.root("/search?q"), crawl.root("/wiki/*")
    assert search is not None
    assert wiki is not None
    assert wiki.fed.most_common(1)[0][0] == search.number
    assert (search.name, search.suspected, wiki.name, wiki.suspected) == ("/search?q", True, "/wiki/*", False)
    groups = crawl.groups
    of_search = [path for path in crawl.seen if path.startswith("/wiki") and groups.suspect_of(HOST + path) is search]
    assert of_search
    # What the search alone has found is deferred with it, until an article leads there.
    path = next(path for path in of_search if path in crawl.queue)
    assert groups.flow_of(HOST + path) == "/search?q"
    visit = groups.note(f"{HOST}/wiki/0", says=True)
    assert groups.link(visit, HOST + path)
    assert groups.suspect_of(HOST + path) is None


def test_what_brings_an_endless_search_most_of_its_links_is_a_group_of_its_own_if_others_found_what_it_leads_to() -> (
    None
):
    """Pages in a ring, of which each leads to another and to six searches; each search to eight pages and one more."""

    def site(path: str) -> Said:
        at, dice = number(path), Random(path)
        if path.startswith("/search"):
            return False, [f"/search?q={at}1", *(f"/page/{dice.randrange(700)}" for _ in range(8))]
        return False, [f"/page/{(at * 37 + 11) % 700}", *(f"/search?q={at}{one}" for one in range(2, 8))]

    crawl = Crawl(site).run(300)
    search, page = crawl.root("/search?q"), crawl.root("/page/*")
    assert search is not None
    assert page is not None
    most = {root: root.fed.most_common(1)[0][0] for root in (search, page)}
    assert (most[search], most[page]) == (page.number, search.number)
    assert search is not page
    assert search.suspected


def test_pages_that_were_found_together_do_not_lead_on_by_leading_to_each_other() -> None:
    """Each front page is of a folder that is made up, and leads to three of its articles, and these to one another and
    to the front pages of more folders."""

    def site(path: str) -> Said:
        at, dice = number(path), Random(path)
        if path.startswith("/front"):
            return False, [*(f"/article/{3 * at + one}" for one in range(3)), f"/front/{dice.randrange(10**9)}"]
        articles = [f"/article/{at // 3 * 3 + one}" for one in range(3)]
        return False, [*articles, f"/front/{dice.randrange(10**9)}", f"/front/{dice.randrange(10**9)}"]

    crawl = Crawl(site).run(200)
    articles = crawl.groups.named("/article/*")
    assert articles.leads[articles.number] > 0.9 * articles.left
    root = crawl.root("/article/*")
    assert root is crawl.root("/front/*")
    assert crawl.groups.suspects == {root}


def test_what_a_pattern_hangs_on_is_looked_at_anew_when_pages_of_what_hangs_on_it_are_read() -> None:
    """A search brings most posts; all of these are read before the prints that they lead to, which lead to posts."""
    groups = Groups(LIMITS)
    home = groups.note(f"{HOST}/", says=True)
    search = groups.note(f"{HOST}/search?q=0", says=False)
    for at in range(25):
        groups.link(search, f"{HOST}/search?q={at}")
        groups.link(home if at < 12 else search, f"{HOST}/post/{at}")
    groups.leave(home)
    groups.leave(search)
    for at in range(25):
        visit = groups.note(f"{HOST}/post/{at}", says=True)
        groups.link(visit, f"{HOST}/print/{at}")
        groups.leave(visit)
    post, prints = groups.named("/post/*"), groups.named("/print/*")
    assert groups.root(post) is groups.root(prints) is search.pattern
    groups.suspect(search.pattern)
    for at in range(20):
        visit = groups.note(f"{HOST}/print/{at}", says=True)
        groups.link(visit, f"{HOST}/post/{(at + 3) % 25}")
        groups.leave(visit)
    assert groups.root(post) is groups.root(prints)
    assert groups.root(post) in (post, prints)


def search_of_rows(path: str) -> Said:
    """Each search leads to many rows and three more searches; each row to its sheet, and that to another row."""
    at = number(path)
    if path.startswith("/row"):
        return False, [f"/sheet/{at}"]
    if path.startswith("/sheet"):
        return False, [f"/row/{(at * 37 + 11) % 5_000}"]
    return False, [*(f"/search?q={at * 3 + by}" for by in (1, 2, 3)), *(f"/row/{at * 7 + by}" for by in range(9))]


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("rarely", [False, True])
def test_patterns_that_lead_to_each_other_are_a_group_whoever_brought_most(back: bool, rarely: bool) -> None:
    """One with the search only if they lead back there, and hardly on by themselves."""

    def site(path: str) -> Said:
        says, links = search_of_rows(path)
        if path.startswith("/sheet"):
            links = [*([] if rarely and number(path) % 2 else links), *([f"/search?q={path}"] if back else [])]
        return says, links

    crawl = Crawl(site).run(300)
    rows, sheets, search = map(crawl.root, ("/row/*", "/sheet/*", "/search?q"))
    assert rows is sheets
    assert (rows is search) is (back and rarely)


def test_what_brings_many_of_its_links_itself_stays_a_group_when_another_one_has_brought_more() -> None:
    groups = Groups()
    lists, searches = groups.note(f"{HOST}/list/0", says=True), groups.note(f"{HOST}/search?q=0", says=True)
    for at in range(1, 20):
        groups.link(lists, f"{HOST}/list/{at}")
        groups.link(searches, f"{HOST}/search?q={at}")
    for at in range(100, 123):
        groups.link(searches, f"{HOST}/list/{at}")
    lists_root, search_root = (groups.root(visit.pattern) for visit in (lists, searches))
    assert (lists_root, search_root) == (lists.pattern, searches.pattern)


def test_lists_in_another_order_are_one_group_although_none_leads_back() -> None:
    def lists(path: str) -> Said:
        at = number(path)
        if path.startswith("/list?dir"):
            return False, [f"/list?dir=a&sort={at * 2 + by}" for by in (1, 2)]
        return False, [f"/list?sort={at * 2 + 1}", f"/list?sort={at * 2 + 2}", f"/list?dir=a&sort={at * 10**6}"]

    crawl = Crawl(lists).run(300)
    assert crawl.root("/list?dir&sort") is crawl.root("/list?sort")


def test_a_session_in_links_makes_no_new_pages() -> None:
    """They are one page for the visited set, and so no growth: they lead back."""

    def site(path: str) -> Said:
        at = number(path.partition(";")[0])
        session = f";jsessionid={Random(path).getrandbits(128):032x}"
        return True, [f"/wiki/{to}{session}" for to in (at * 2 % 50, (at * 2 + 1) % 50)]

    crawl = Crawl(site).run(200)
    root = crawl.root("/wiki/*")
    assert root is not None
    assert root.grown <= 50
    assert crawl.suspected == set()


def test_a_group_ends_to_be_one_when_the_start_brings_more_of_its_links() -> None:
    crawl = Crawl(silent_chain).run(10)
    assert crawl.root("/chain/*") is not None
    crawl.site = lambda path: (False, [f"/chain/{at}" for at in range(1_000, 1_020)])
    crawl.fetch("/index")
    crawl.fetch(HOME)
    assert crawl.root("/chain/*") is None


def test_links_that_the_start_brought_belong_to_no_group() -> None:
    crawl = Crawl(lambda path: (False, ["/chain/500", *chain(path)[1]]) if path == HOME else chain(path)).run(50)
    root = crawl.root("/chain/*")
    assert root is not None
    assert crawl.groups.flow_of(f"{HOST}/chain/500") == ""
    assert crawl.groups.flow_of(f"{HOST}/chain/20") == root.name
    assert crawl.groups.flow_of(f"{HOST}/chain/20#part") == root.name
    assert crawl.groups.flow_of(f"{HOST}/chain/99999") == ""


def test_what_a_group_brought_to_another_goes_beside_that_one_until_both_are_suspected() -> None:
    def site(path: str) -> Said:
        _, kind, at = path.split("/") if path != HOME else ("", "odd", "0")
        other = "even" if kind == "odd" else "odd"
        links = [f"/{kind}/{int(at) + 2}", f"/{kind}/{int(at) + 4}", f"/{other}/{int(at) + 1}0"]
        return True, ["/odd/1", "/even/2"] if path == HOME else links

    crawl = Crawl(site).run(40)
    odd, even = crawl.root("/odd/*"), crawl.root("/even/*")
    assert odd is not None
    assert even is not None
    assert odd is not even
    across = next(
        path for path in crawl.queue if path.startswith("/even/") and crawl.groups.flow_of(HOST + path)[0] == BESIDE
    )
    assert crawl.groups.flow_of(HOST + across) == f"{BESIDE}/even/*"
    even.weight = 7.0
    assert crawl.groups.turn_of(f"{BESIDE}/even/*")[0] == 7.0
    assert not crawl.groups.slow_flow_of(HOST + across)
    for root, flow in ((even, f"{BESIDE}/even/*"), (odd, "/even/*")):
        root.suspected = True
        crawl.groups.suspects.add(root)
        assert crawl.groups.slow_flow_of(HOST + across) == flow
    assert crawl.groups.turn_of(f"{BESIDE}/even/*")[0] == 20.0


# Suspicion

_SUSPECTED = {
    "a chain that says nothing": silent_chain,
    "a maze that says nothing": silent_maze,
    "a maze that says something new and never leads back": maze,
    "pages that lead back and say nothing": silent_wiki,
    "a calendar with files and logins": by_feeds,
    "patterns in turn": in_turn,
    "a page in a hundred that says something": lambda path: (number(path) % 100 == 0, silent_maze(path)[1]),
}
_TRUSTED = {
    "leads back": wiki,
    "is a chain": chain,
    "shrinks": lambda path: finite(path, says=False, pages=60),
}


@pytest.mark.parametrize("site", _SUSPECTED.values(), ids=_SUSPECTED)
def test_a_group_is_suspected_as_soon_as_its_window_is_full(site: Site) -> None:
    crawl = Crawl(site).run(LIMITS.window + 5)
    assert len(crawl.found) == 1
    assert crawl.found[0].suspected
    assert crawl.found_at == [LIMITS.window]
    assert crawl.suspected == {crawl.found[0].root.name}
    assert crawl.found[0].why.startswith(f"of its last {LIMITS.window} pages ")


@pytest.mark.parametrize("site", _TRUSTED.values(), ids=_TRUSTED)
def test_a_group_of_which_something_speaks_is_not_suspected(site: Site) -> None:
    assert not Crawl(site, replace(LIMITS, window=100, budget=300)).run(400).found


@pytest.mark.parametrize(("why", "site"), _TRUSTED.items(), ids=_TRUSTED)
def test_a_suspicion_is_cleared_by_what_speaks_against_it(why: str, site: Site) -> None:
    crawl = Crawl(site).run(5)
    root = crawl.root({"leads back": "/maze/*", "is a chain": "/chain/*"}.get(why, "/page/*"))
    assert root is not None
    crawl.groups.suspect(root)
    crawl.run(400)
    assert [(found.root, found.suspected, found.why) for found in crawl.found] == [(root, False, why)]
    assert not crawl.groups.suspects
    assert not root.suspected


def test_a_group_that_begins_to_say_something_is_cleared_and_may_be_suspected_again() -> None:
    crawl = Crawl(lambda path: chain(path, lambda at: 50 <= at < 150)).run(300)
    assert [(found.suspected, found.why == "is a chain") for found in crawl.found] == [
        (True, False),
        (False, True),
        (True, False),
    ]


@pytest.mark.parametrize(
    ("branch", "suspected"), [(1, set()), (2, {"/maze/*"})], ids=["a chain", "two links for each page"]
)
def test_what_says_something_new_but_never_leads_back_may_not_branch(branch: int, suspected: set[str]) -> None:
    assert Crawl(lambda path: (True, children(path, branch))).run().suspected == suspected


@pytest.mark.parametrize(
    "back",
    [
        pytest.param(
            lambda at: [HOME, f"/maze/{(at - 1) // 3}", f"/maze/{((at - 1) // 3 - 1) // 3}"], id="breadcrumbs"
        ),
        pytest.param(lambda at: [HOME, "/about", "/maze/1", "/maze/2", "/maze/3"], id="a menu"),
        pytest.param(lambda at: ["/hub/a", "/hub/b", "/maze/7"], id="hubs"),
        pytest.param(lambda at: [f"/maze/{at}", f"/maze/{3 * at + 1}"], id="itself, and the same link twice"),
    ],
)
def test_links_that_lead_back_to_nothing(back: Callable[[int], list[str]]) -> None:
    """What an ancestor found is no way back, and each link counts once."""
    crawl = Crawl(lambda path: (True, [*maze(path)[1], *(back(number(path)) if number(path) else [])])).run(200)
    assert [found.suspected for found in crawl.found] == [True]
    assert crawl.suspected == {"/maze/*"}


def test_one_way_back_now_and_then_is_not_enough() -> None:
    def rarely(path: str) -> Said:
        at = number(path)
        return True, [*maze(path)[1], *([f"/maze/{at - 5}"] if at and at % 30 == 0 else [])]

    assert [found.suspected for found in Crawl(rarely).run(200).found] == [True]


def test_a_link_to_a_cousin_leads_back() -> None:
    crawl = Crawl(lambda path: (True, [*maze(path)[1], f"/maze/{max(number(path) - 1, 0)}"])).run(200)
    assert not crawl.suspected


def test_links_out_of_the_group_do_not_speak_for_it() -> None:
    """Most of what is new in a group has to be led back to: a tag that each page shares is not enough."""
    crawl = Crawl(
        lambda path: (True, [*silent_maze(path)[1], f"/tag/{number(path) // 2}"] if "/tag" not in path else [])
    ).run(300)
    assert crawl.suspected == {"/maze/*"}


def test_filters_that_combine_say_nothing_whatever_their_pages_show() -> None:

    def facets(path: str) -> Said:
        chosen = {name for name in path.partition("?")[2].split("&") if name}
        return True, [f"/shop?{'&'.join(sorted(chosen | {f'f{at}=1'}))}" for at in range(30)]

    crawl = Crawl(facets).run(300)
    assert crawl.groups.feeders.patterns.combines("/shop?*")
    assert not crawl.groups.feeders.patterns.combines("/shop")
    assert crawl.suspected == {"/shop?*"}
    assert not any(record.says for record in crawl.groups.named("/shop?*").records)


def reading(pages: Callable[[int], str], released: bool = False) -> list[bool]:
    """Which pages of a chain are read."""
    groups = Groups()
    read = []
    for at in range(200):
        page = of_markup(pages(at).encode())
        visit = groups.arrive(f"{HOST}/p/{at}", page)
        for step in (1, 2):
            groups.link(visit, f"{HOST}/p/{at + step}")
        groups.leave(visit)
        root = groups.root(visit.pattern)
        if root is not None:
            root.released = released
        read.append("pieces" in vars(page))
    return read


def test_the_first_pages_of_a_group_are_not_read_and_then_all_while_they_say_nothing() -> None:
    assert reading(lambda _: "<p>The same") == [False] * 10 + [True] * 190


def test_pages_are_read_although_the_links_of_those_before_are_not_known_yet() -> None:
    groups = Groups()
    pages = [of_markup(b"<p>The same") for _ in range(40)]
    visits = []
    for at, page in enumerate(pages):
        visits.append(groups.arrive(f"{HOST}/p/{at}", page))
        if not at:
            for step in range(1, 40):
                groups.link(visits[0], f"{HOST}/p/{step}")
    assert ["pieces" in vars(page) for page in pages] == [False] * 10 + [True] * 30


def test_of_a_group_whose_pages_say_much_some_are_read() -> None:
    read = reading(lambda at: f"<p>Word{'abcdefghij'[at % 10]}{chr(97 + at // 10)}")
    assert read == [False] * 10 + [True] * 40 + [at % 4 == 3 for at in range(50, 200)]


def test_of_each_pattern_of_a_group_one_page_is_fetched_once_more() -> None:
    """What then differs, a token, says nothing in later pages of that pattern."""
    groups = Groups()
    home = groups.arrive(HOST, of_markup(b"<p>Home"))
    groups.link(home, f"{HOST}/a/0")
    groups.leave(home)
    tokens = (Random(at).randbytes(9).hex() for at in range(10**6))
    doubtful = []
    for at in range(60):
        for folder, other in (("a", "b"), ("b", "a")):
            start = "<p>The same" if folder == "a" else "<p>The same<hr>"  # in another place
            body = (f'{start}<i data-{folder}="{next(tokens)}">'.encode() for _ in range(2))
            page = of_markup(next(body))
            visit = groups.arrive(f"{HOST}/{folder}/{at}", page)
            if visit.is_doubtful:
                doubtful.append(f"/{folder}/{at}")
                groups.compare(visit, page, of_markup(next(body)))
            groups.link(visit, f"{HOST}/{other}/{at + (folder == 'b')}")
            groups.leave(visit)
    last = [one.says for one in groups.named("/a/*").records][-20:]
    assert [one[:3] for one in doubtful] == ["/a/", "/b/"]
    assert last == [False] * 20


def test_no_page_of_a_group_is_read_that_a_person_has_released() -> None:
    assert not any(reading(lambda _: "<p>The same", released=True))


class Finite:
    """A page that leads to all others: what is no group's."""

    def __init__(self) -> None:
        self.groups = Groups()
        home = self.groups.arrive(HOST, of_markup(b"<p>Home"))
        for at in range(100):
            self.groups.link(home, f"{HOST}/p/{at}")
        self.groups.leave(home)

    def arrive(self, at: int, text: str) -> bool:
        """Whether the page is read."""
        page = of_markup(f"<p>{text}".encode())
        self.groups.leave(self.groups.arrive(f"{HOST}/p/{at}", page))
        return "pieces" in vars(page)

    @property
    def flow(self) -> tuple[str, float]:
        """Of the links that are left, with its weight."""
        flow = self.groups.flow_of(f"{HOST}/p/99")
        return flow, self.groups.turn_of(flow)[0] if flow else 1.0


def test_of_what_is_no_group_few_pages_are_read_and_more_while_they_begin_to_say_nothing() -> None:
    crawl = Finite()
    assert [at for at in range(40) if crawl.arrive(at, "The same")] == [11, *range(15, 20), 23, 27, 31, 35, 39]
    other = Finite()
    assert [at for at in range(26) if other.arrive(at, f"Word{chr(97 + at)}")] == [11, 15, 19, 23]


@pytest.mark.parametrize(
    ("more", "flow"), [("The same", (f"{BESIDE}/p/*", 20.0)), ("Another thing", ("", 1.0))], ids=["goes on", "ends"]
)
def test_finite_work_whose_pages_say_nothing_new_goes_last_until_one_does(more: str, flow: tuple[str, float]) -> None:
    crawl = Finite()
    for at in range(20):
        assert crawl.flow == ("", 1.0)
        crawl.arrive(at, "The same")
    assert crawl.flow == (f"{BESIDE}/p/*", 20.0)
    assert not crawl.groups.is_suspected(crawl.flow[0])
    for at in range(20, 24):
        crawl.arrive(at, more)
    assert crawl.flow == flow


def test_of_what_is_no_group_filters_combined_say_nothing_new() -> None:
    """Lists of a shop by its filters: each shows some product that no page has shown yet."""
    crawl = Finite()
    names = [f"{one}&{other}" for one in "abcdefg" for other in "hijk"]
    links = [f"{HOST}/organization/one?{name}" for name in names for _ in range(2)]
    home = crawl.groups.note(f"{HOST}/home", says=True)
    for at, link in enumerate(links):
        crawl.groups.link(home, f"{link}{at}")
    for at, link in enumerate(links[:-2]):
        page = of_markup(f"<p>Product {chr(97 + at % 26) * (5 + at // 26)}".encode())
        crawl.groups.leave(crawl.groups.arrive(f"{link}{at}", page))
    flow = crawl.groups.flow_of(f"{links[-1]}{len(links) - 1}")
    assert flow == BESIDE + crawl.groups.feeders.patterns.of(links[-1])
    assert crawl.groups.turn_of(flow)[1] == 20
    assert crawl.groups.turn_of(f"{BESIDE}/p/*")[1] == 1


def test_a_page_that_says_hardly_anything_new_is_as_one_that_says_nothing() -> None:
    """A form to reply to each comment, below the same long text."""
    crawl = Finite()
    for at in range(40):
        crawl.arrive(
            at, f"{'<p>A long text that is there on each of the pages. ' * 40}<p>Reply to {chr(97 + at % 26) * 5}"
        )
    assert crawl.flow == (f"{BESIDE}/p/*", 20.0)


def test_what_says_nothing_new_and_shrinks_is_read_slowly_unless_a_person_has_released_it() -> None:
    groups = Groups()
    visit = groups.arrive(f"{HOST}/p/0", of_markup(b"<p>The same"))
    for at in range(1, 60):
        groups.link(visit, f"{HOST}/p/{at}")
    groups.leave(visit)
    for at in range(1, 39):
        groups.leave(groups.arrive(f"{HOST}/p/{at}", of_markup(b"<p>The same")))
    root = groups.named("/p/*")
    assert groups.turn_of("/p/*")[0] == 20.0
    assert not root.suspected
    root.released = True
    groups.verdict.weigh(root, groups.verdict.window(root), of_suspects=False)
    assert groups.turn_of("/p/*")[0] == 1.0


def test_finite_work_of_a_suspected_group_that_brought_it_too_waits_beside_it() -> None:
    crawl = Crawl(silent_maze).run(100)
    assert crawl.suspected == {"/maze/*"}
    crawl.groups.leave(crawl.groups.arrive(f"{HOST}/other", None))
    visit = crawl.groups.note(f"{HOST}/about", says=True)
    link = HOST + crawl.queue[-1]
    assert crawl.groups.flow_of(link) == "/maze/*"
    crawl.groups.link(visit, link)
    assert crawl.groups.flow_of(link) == f"{BESIDE}/maze/*"


def test_each_pattern_of_a_suspected_group_has_its_turn_the_more_rarely_the_less_its_pages_say_or_lead_to() -> None:
    """A wiki whose articles lead to each other, and each to its form, which leads back, and its history, and that to an
    old version, of which some say more."""

    def wiki(path: str) -> Said:
        at = number(path)
        if path.startswith("/old"):
            return at % 4 == 0, [f"/page/{at % 1_000}"]
        if path.startswith("/history"):
            return False, [f"/old/{at}", f"/page/{at}"]
        if path.startswith("/form"):
            return False, [f"/page/{at}"]
        return True, [f"/page/{at * 2 + step}" for step in (1, 2)] + [f"/history/{at}", f"/form/{at}"]

    crawl = Crawl(wiki).run(200)
    (root,) = crawl.groups.suspects
    names = {"/page/*", "/history/*", "/old/*", "/form/*"}
    assert members(crawl, root) == names
    rarities = {name: crawl.groups.turn_of(name)[1] for name in names}
    assert rarities["/page/*"] == rarities["/history/*"] == 1
    assert 3 <= rarities["/old/*"] <= 6
    assert rarities["/form/*"] == 20
    assert crawl.groups.flow_of(f"{HOST}{crawl.queue[-1]}") in rarities
    forms = crawl.groups.note(f"{HOST}/forms", says=True)
    form = next(HOST + path for path in reversed(crawl.queue) if path.startswith("/form"))
    crawl.groups.link(forms, form)
    assert crawl.groups.flow_of(form) == f"{BESIDE}/form/*"
    assert crawl.groups.turn_of(f"{BESIDE}/form/*") == (20, 20)


def test_so_has_each_part_of_what_lies_in_two_folders() -> None:
    """A family tree whose people lead to each other, and each to its chart, of which each leads to the next."""

    def tree(path: str) -> Said:
        at = number(path)
        if path.startswith("/tree/all/chart"):
            return False, [f"/tree/all/chart/{at}/{at + 1}"]
        return True, [f"/tree/all/person/{at * 2 + step}" for step in (1, 2)] + [f"/tree/all/chart/{at}/1"]

    crawl = Crawl(tree).run(200)
    (root,) = crawl.groups.suspects
    assert root.name == "/tree/*/**"
    assert [crawl.groups.turn_of(f"/tree/*/{part}/**")[1] for part in ("person", "chart")] == [1, 20]
    assert {crawl.groups.flow_of(HOST + link) for link in crawl.queue} == {"/tree/*/person/**", "/tree/*/chart/**"}
    charts = crawl.groups.note(f"{HOST}/charts", says=True)
    link = HOST + crawl.queue[-1]
    crawl.groups.link(charts, link)
    assert crawl.groups.flow_of(link) == f"{BESIDE}/tree/*/**"
    assert crawl.groups.is_suspected("/tree/*/chart/**")
    assert members(crawl, root) == {"/tree/*/**"}


def test_a_group_that_a_person_has_released_is_never_suspected() -> None:
    crawl = Crawl(silent_chain).run(10)
    root = crawl.root("/chain/*")
    assert root is not None
    root.released = True
    crawl.run(300)
    assert not crawl.found
    assert not crawl.groups.suspects


def test_a_group_whose_release_a_person_has_taken_back_is_suspected_again_and_ends() -> None:
    crawl = Crawl(silent_chain).run(200)
    (root,) = crawl.groups.suspects
    assert crawl.tail("/chain/*") == "silent"
    root.released = True
    crawl.groups.clear(root)
    crawl.run(300)
    assert not root.suspected
    root.released = False
    crawl.run(340)
    assert root.suspected
    begin = root.pages
    assert crawl.tail("/chain/*") == "silent"
    assert root.pages - begin >= LIMITS.silent


@pytest.mark.parametrize(("suspicions", "cleared"), [(2, True), (3, False)])
def test_a_group_that_has_been_suspected_often_is_cleared_in_its_tail_only(suspicions: int, cleared: bool) -> None:
    crawl = Crawl(silent_maze).run(40)
    (root,) = crawl.groups.suspects
    root.suspicions = suspicions
    crawl.site = lambda path: (False, [])
    crawl.run(100)
    assert root.suspected is not cleared


@pytest.mark.parametrize("deep", [True, False])
def test_what_a_page_says_takes_silence_back_of_both_ends(deep: bool) -> None:
    """Weeks of pollen: the deep probe ends in an autumn, other pages say something, and the next winter is silent."""
    root = Pattern(1, "/pollen/*/**", deque())
    for _ in range(60):
        root.note_silence(1, deep=True)
    root.note_silence(-50, deep=deep)
    assert (root.silent, root.silent_deep) == (10, 10)


@pytest.mark.parametrize(
    ("lead", "text", "suspected"),
    [("item", "Word{}", False), ("item", "The same", True), ("chain/part", "Word{}", True)],
    ids=["say something new", "say nothing new", "are of its group"],
)
def test_a_page_that_leads_to_others_that_say_something_new_says_it_too(lead: str, text: str, suspected: bool) -> None:
    """A list of questions, most of which other pages have led to; and one of pages to which only it leads."""

    def site(path: str) -> Said:
        at = number(path)
        return False, [f"/chain/{at + 1}", f"/{lead}/{at}"]

    crawl = Crawl(site)
    about = crawl.groups.note(f"{HOST}/about", says=True)
    for at in range(100):
        crawl.groups.link(about, f"{HOST}/item/x{at}")
    crawl.groups.leave(about)
    for at in range(30):
        page = of_markup(f"<p>{text}".format("x" * at).encode())
        crawl.groups.leave(crawl.groups.arrive(f"{HOST}/item/x{at}", page))
    for at in range(60):
        crawl.fetch(f"/chain/{at}")
    assert bool(crawl.suspected) is suspected


def test_the_evidence_says_what_was_seen() -> None:
    (found,) = Crawl(silent_maze).run(LIMITS.window + 5).found
    assert evidence(found.root) == (
        "of its last 23 pages 0 said something new, 0 linked back to pages they had not come from, and all brought 69 "
        "new links to more such pages"
    ).replace("23", str(found.root.pages)).replace("69", str(3 * found.root.pages))
    assert evidence(Pattern(1, "/x", deque())) == "found by another crawl"


# Order


def suspected_chain() -> Crawl:
    return Crawl(silent_chain).run(50)


def test_only_what_a_suspected_group_brought_to_itself_is_deferred() -> None:
    crawl = suspected_chain()
    root = crawl.root("/chain/*")
    assert crawl.groups.suspect_of(f"{HOST}/chain/50") is root
    crawl.site = lambda path: (False, ["/chain/900", "/other"])
    crawl.fetch("/news")
    assert crawl.groups.suspect_of(f"{HOST}/chain/900") is None
    assert crawl.groups.suspect_of(f"{HOST}/other") is None
    assert crawl.groups.suspect_of(f"{HOST}/never-met") is None


def test_a_link_that_was_forgotten_is_of_the_group_that_its_url_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links_module, "MAX_LINKS", 20)
    groups = suspected_chain().groups
    root = groups.root(groups.feeders.pattern(f"{HOST}/chain/1"))
    first = f"{HOST}/chain/1"  # which the home page has led to, long ago
    assert groups.suspect_of(first) is root
    groups.links.was_met = lambda url: True
    groups.link(groups.note(f"{HOST}/chain/60", says=False), first)
    assert groups.suspect_of(first) is root
    assert groups.suspect_of(f"{HOST}/other") is None


def test_nothing_is_deferred_while_nothing_is_suspected() -> None:
    assert Crawl(chain).run().groups.suspect_of(f"{HOST}/chain/50") is None


def test_a_deferred_link_is_queued_once_more_when_a_trusted_page_leads_to_it() -> None:
    groups = suspected_chain().groups
    deferred = f"{HOST}/chain/50"
    trusted = [groups.note(f"{HOST}/news/{at}", says=True) for at in range(2)]
    assert [groups.link(visit, deferred) for visit in (trusted[0], trusted[0], trusted[1])] == [True, False, False]
    assert groups.suspect_of(deferred) is None
    assert not groups.links.has_left(deferred)
    groups.links.sent(deferred)
    assert groups.links.has_left(deferred)
    groups.links.sent(deferred, back=True)
    assert not groups.links.has_left(deferred)


@pytest.mark.parametrize(
    ("page", "link"),
    [("/chain/30", "/chain/50"), ("/news", "/chain/20"), ("/news", "/news/2")],
    ids=["from the group itself", "to a page that was read", "to a new page"],
)
def test_other_links_are_not_queued_once_more(page: str, link: str) -> None:
    crawl = suspected_chain()
    assert not crawl.groups.link(crawl.groups.note(HOST + page, says=True), HOST + link)


def test_what_another_suspected_group_leads_to_is_not_queued_once_more() -> None:
    crawl = Crawl(two_mazes(10**6)).run(300)
    assert crawl.suspected == {"/red/*", "/blue/*"}
    deferred = HOST + next(path for path in crawl.queue if path.startswith("/blue"))
    assert not crawl.groups.link(crawl.groups.note(f"{HOST}/red/77", says=False), deferred)
    assert crawl.groups.suspect_of(deferred) is crawl.root("/blue/*")


def test_a_link_that_two_suspected_groups_lead_to_is_queued_once_more_when_a_trusted_page_does() -> None:
    crawl = Crawl(two_mazes(10**6)).run(300)
    groups = crawl.groups
    deferred = HOST + next(path for path in crawl.queue if path.startswith("/blue"))
    groups.link(groups.note(f"{HOST}/red/77", says=False), deferred)
    assert not groups.is_finite_work(deferred)
    assert groups.link(groups.note(f"{HOST}/news", says=True), deferred)
    assert groups.is_finite_work(deferred)
    assert groups.suspect_of(deferred) is None


def test_what_a_group_led_to_is_finite_work_once_that_was_read_to_its_end() -> None:
    crawl = Crawl(two_mazes(10**6)).run(300)
    groups = crawl.groups
    blue = HOST + next(path for path in crawl.queue if path.startswith("/blue"))
    groups.link(groups.note(f"{HOST}/red/77", says=False), blue)
    red = crawl.root("/red/*")
    assert groups.read_to_end(["/red/*"]) == [crawl.root("/blue/*")]
    assert groups.read_to_end(["/blue/*"]) == [red]
    assert groups.read_to_end(["/red/*", "/blue/*"]) == []
    assert red is not None
    groups.feeders.leaves_finite = False
    groups.clear(red)
    assert groups.feeders.leaves_finite
    assert groups.is_finite_work(blue)
    assert groups.flow_of(blue) == f"{BESIDE}/blue/*"


def test_a_link_is_the_same_whatever_the_order_of_its_parameters() -> None:
    groups = Groups()
    visit = groups.note(HOST, says=True)
    for query in ("a=1&b=2", "b=2&a=1", "a=1&b=2#part"):
        groups.link(visit, f"{HOST}/list?{query}")
    assert len(visit.brought) == 1


def test_a_request_that_was_queued_once_may_be_sent_again() -> None:
    groups = Groups()
    groups.links.sent(f"{HOST}/a")
    assert not groups.links.has_left(f"{HOST}/a")


def weight_of(site: Site) -> float:
    crawl = Crawl(site).run(80)
    root = crawl.root(crawl.groups.feeders.patterns.of(HOST + crawl.queue[-1]))
    assert root is not None
    return root.weight


@pytest.mark.parametrize(
    ("light", "heavy"),
    [(chain, silent_chain), (maze, silent_maze), (silent_chain, silent_maze), (chain, maze)],
    ids=["a silent chain", "a silent maze", "a maze that is silent", "a maze that says something"],
)
def test_the_less_a_group_says_and_the_faster_it_grows_the_more_it_waits(light: Site, heavy: Site) -> None:
    assert 1 <= weight_of(light) <= weight_of(heavy) / 2


def test_a_group_without_pages_has_no_weight() -> None:
    assert Pattern(1, "/x", deque()).weight == 1.0


# Two groups


def two_mazes(share: int, *, mutual: bool = False, on: float = 2) -> Site:
    """Two mazes; of the pages of the first one in `share` leads to the second too, and so back where `mutual`. From the
    64th on each leads on average to so many of its own."""

    def site(path: str) -> Said:
        at = number(path)
        if path == HOME:
            return False, ["/red/1", "/blue/1"]
        name = path.split("/")[1]
        links = [f"/{name}/{at * 2 + one}" for one in (0, 1) if at < 64 or Random(path + str(one)).random() < on / 2]
        other = "blue" if name == "red" else "red"
        return False, [*links, f"/{other}/{at + 10**6}"] if (mutual or name == "red") and at % share == 0 else links

    return site


@pytest.mark.parametrize(
    ("share", "mutual", "on", "suspected"),
    [
        (1, True, 0.5, {"/red/*"}),
        (1, False, 0.5, set()),
        (4, True, 2, {"/red/*", "/blue/*"}),
        (10**6, True, 2, {"/red/*", "/blue/*"}),
    ],
    ids=["together", "one way", "each alone", "hardly ever"],
)
def test_suspected_groups_that_bring_each_other_links_are_one_if_each_would_come_to_its_end_alone(
    share: int, mutual: bool, on: float, suspected: set[str]
) -> None:
    crawl = Crawl(two_mazes(share, mutual=mutual, on=on)).run(1_000)
    assert crawl.suspected == suspected
    red, blue = crawl.root("/red/*"), crawl.root("/blue/*")
    assert (red is blue) is (len(suspected) == 1)


def test_a_group_that_suspected_ones_brought_waits_from_its_first_page_on() -> None:
    def site(path: str) -> Said:
        """A silent maze of which one page leads to a calendar of ever new days."""
        at = number(path)
        if path.startswith("/day"):
            return True, [f"/day/{2 * at}", f"/day/{2 * at + 1}"]
        return False, [*children(path, 3), *(["/day/1"] if at == 100 else [])]

    crawl = Crawl(site).run(100)
    assert crawl.suspected == {"/maze/*"}
    day = crawl.groups.named("/day/*")
    for _ in range(400):
        if not day.pages:
            crawl.run(crawl.pages + 1)
    assert (day.pages, day.weight) == (1, 20.0)


# The end of a group


@pytest.mark.parametrize(("silent", "one_in"), [(LIMITS.silent - 1, 8), (LIMITS.silent, 1)])
def test_in_the_tail_each_page_of_what_may_have_run_silent_is_read(silent: int, one_in: int) -> None:
    crawl = Crawl(silent_maze).run(60)
    (root,) = crawl.groups.suspects
    root.in_tail, root.silent = True, silent
    shrinks = crawl.groups.verdict.window(root)._replace(grows=LIMITS.shrink / 2)
    crawl.groups.verdict.weigh(root, shrinks, of_suspects=False)
    assert root.read_one_in == one_in


def spoken(site: Site, pages: int = 60) -> tuple[Crawl, Pattern]:
    """A crawl of a silent site whose group is suspected, and whose last page has said something."""
    crawl = Crawl(site).run(pages)
    crawl.site = lambda path: (True, site(path)[1])
    crawl.fetch(crawl.queue.popleft())
    crawl.site = site
    (name,) = crawl.suspected
    return crawl, crawl.groups.named(name)


@pytest.mark.parametrize("site", [silent_chain, silent_maze], ids=["chain", "maze"])
def test_a_silent_group_ends_after_a_run_on_a_deep_probe_and_one_before(site: Site) -> None:
    crawl = Crawl(site).run(60)
    (name,) = crawl.suspected
    begin = crawl.pages
    assert crawl.tail(name) == "silent"
    assert crawl.pages - begin == LIMITS.silent
    assert crawl.groups.verdict.ends(crawl.groups.named(name))


@pytest.mark.parametrize("site", [silent_chain, silent_maze], ids=["chain", "maze"])
def test_a_group_that_has_just_said_something_ends_after_silence_at_either_end(site: Site) -> None:
    crawl, root = spoken(site)
    begin = crawl.pages
    known = root.silent
    assert crawl.tail(root.name) == "silent"
    assert crawl.pages - begin == 2 * LIMITS.silent - known


def test_a_page_that_says_something_among_silent_ones_takes_back_as_many_as_the_rate_allows() -> None:
    crawl = Crawl(silent_chain)
    crawl.run(120)
    (root,) = crawl.groups.suspects
    before = root.silent
    crawl.site = chain
    crawl.fetch(crawl.queue.popleft())
    assert 0 < root.silent == before - 1 / LIMITS.rate
    crawl.fetch(crawl.queue.popleft())
    crawl.fetch(crawl.queue.popleft())
    assert root.silent == 0


def test_a_group_is_first_read_from_its_deep_end_then_from_the_other() -> None:
    crawl, root = spoken(silent_maze)
    known = root.silent
    probes = []
    while not crawl.groups.verdict.ends(root):
        probes.append(crawl.groups.verdict.probe(root))
        deep = probes[-1] == DEEP
        crawl.fetch(crawl.queue.pop() if deep else crawl.queue.popleft(), deep=deep)
    assert probes == [DEEP] * LIMITS.silent + [WIDE] * (LIMITS.silent - known)


@pytest.mark.parametrize("rest", ["deep", "wide"])
def test_a_group_that_says_something_at_one_end_does_not_end_as_silent(rest: str) -> None:
    crawl, root = spoken(silent_maze)
    begin = crawl.pages
    while not crawl.groups.verdict.ends(root):
        deep = crawl.groups.verdict.probe(root) == DEEP
        crawl.site = maze if deep is (rest == "deep") else silent_maze
        crawl.fetch(crawl.queue.pop() if deep else crawl.queue.popleft(), deep=deep)
    assert root.ended == "budget"
    assert crawl.pages - begin >= LIMITS.budget


@pytest.mark.parametrize(
    ("brought", "ended"),
    [([0] * 14 + [15] + [0] * 15, "silent"), ([0, 1] * 15, "")],
    ids=["fifteen links on one of thirty pages", "one on every second"],
)
def test_few_pages_of_many_links_may_lack_by_chance(brought: list[int], ended: str) -> None:
    """Of a calendar one day in thirty leads to those of the next month."""
    root = Pattern(1, "/day/*", deque(maxlen=LIMITS.budget))
    root.suspected = True
    verdict = Verdict(LIMITS)
    for at, links in enumerate(brought):
        root.records.append(Record(False, True, (), ((1, links),) if links else (), at % 2 == 0, part=1))
    root.pages, root.silent, root.silent_deep = 30, 30, 15
    verdict.ends(root)
    assert root.ended == ended


def test_pages_that_bring_no_links_are_no_silent_run() -> None:
    """A tree of which the deep end comes to leaves is finite."""

    def tree(path: str) -> Said:
        return False, children(path, 3) if number(path) < 60 else []

    crawl = Crawl(tree).run(40)
    assert crawl.suspected == {"/maze/*"}
    assert crawl.tail("/maze/*") == ""
    assert not crawl.queue


@pytest.mark.parametrize("wide", [9, 30])
def test_a_wide_tree_that_says_nothing_is_read_to_its_end_for_it_goes_no_deeper(wide: int) -> None:
    def tree(path: str) -> Said:
        return False, children(path, wide) if number(path) < 90 else []

    crawl = Crawl(tree).run(40)
    assert crawl.suspected == {"/maze/*"}
    assert crawl.tail("/maze/*", 5_000) == ""
    assert crawl.pages == 90 * wide + 1  # all; the first is the home page's
    assert crawl.groups.named("/maze/*").is_at_leaves(0)


def test_filters_that_are_combined_leave_ever_more_though_they_go_no_deeper() -> None:
    def shelf(path: str) -> Said:
        """Six filters of nine values, each set once."""
        chosen = path.split("/")[2:]
        return False, [f"/shop/{'/'.join([*chosen, str(value)])}" for value in range(9)] if len(chosen) < 7 else []

    crawl = Crawl(shelf, replace(LIMITS, remaining=300))
    crawl.queue.append("/shop/0")
    crawl.run(40)
    (root,) = crawl.groups.suspects
    assert crawl.tail(root.name, 3_000)
    assert crawl.pages < 1_000


def test_a_silent_place_ends_however_many_of_its_pages_lead_on_no_further() -> None:
    """A year leads to its 80 days, and these to nothing, after it has led to the next one."""

    def year(path: str) -> Said:
        at = number(path)
        return False, [f"/maze/{at + 81}", *(f"/maze/{at + day}" for day in range(1, 81))] if at % 81 == 0 else []

    crawl = Crawl(year).run(260)
    assert crawl.suspected == {"/maze/*"}
    begin = crawl.pages
    assert crawl.tail("/maze/*", 2_000) == "silent"
    assert LIMITS.deep < crawl.pages - begin < 2 * LIMITS.budget


def test_a_part_of_dead_links_alone_is_read_as_rarely_as_one_that_says_nothing() -> None:
    records = [Record(True, False, (), (), False, part=1), *[Record(None, True, (), (), False, part=2)] * 9]
    assert told_by_part(records, 0.1) == {1: (1, 1), 2: (0, 9)}
    assert told_by_part([*records, Record(None, True, (), (), False, part=1)], 0.1) == {1: (1, 1), 2: (0, 9)}
    assert told_by_part([Record(None, False, (), (), False, part=1)], 0.1) == {}  # was not read


def test_a_window_of_errors_alone_refutes_nothing_and_one_of_which_nothing_was_read_proves_nothing() -> None:
    error, unread = Record(None, True, (), (), False), Record(None, False, (), (), False)
    assert measure([error] * 3, 0.1).new == 0.0
    assert measure([error, unread] * 2, 0.1).new == 0.5
    assert measure([unread] * 3, 0.1).new == 1.0
    assert measure([error, unread, Record(True, False, (), (), False)], 0.1).new == 1.0


def test_a_group_of_which_nothing_has_been_read_has_its_full_turn() -> None:
    groups = Groups()
    for at in range(groups.limits.unread + 1):
        visit = groups.arrive(f"{HOST}/wiki/{at}", of_markup(b"<p>Page"))
        for link in (at + 1, 2 * at + 30):
            groups.link(visit, f"{HOST}/wiki/{link}")
        groups.leave(visit)
    root = groups.root(groups.named("/wiki/*"))
    assert root is not None
    assert root.pages >= WEIGHED_EVERY
    assert root.weight < MAX_WEIGHT


def test_what_the_pages_said_that_brought_a_link_is_known() -> None:
    groups = Groups(LIMITS)

    def note(path: str, says: bool | None, *links: str) -> None:
        visit = groups.note(HOST + path, says)
        for link in links:
            groups.link(visit, HOST + link)
        groups.leave(visit)

    note("/day/1", False, "/day/2", "/day/3", "/night/4")
    note("/story/1", True, "/story/2", "/day/4", "/day/3")
    note("/story/2", None, "/story/5")  # not read: as what led to it
    note("/maze/1", True, "/maze/2", "/maze/3", "/maze/4")
    note("/maze/2", None, "/maze/5")
    note("/home", None, "/home/9")
    told = "/story/2", "/day/4", "/day/3", "/story/5", "/maze/2", "/maze/5"
    assert {groups.said_of(HOST + path) for path in told} == {links_module.TOLD}
    read = "/day/2", "/night/4"
    assert {groups.said_of(HOST + path) for path in read} == {links_module.READ}
    assert groups.said_of(f"{HOST}/home/9") == groups.said_of(f"{HOST}/nowhere") == links_module.UNREAD


def test_a_tree_that_says_something_new_is_read_to_its_end() -> None:
    def tree(path: str) -> Said:
        return True, children(path, 3) if number(path) < 1_000 else []

    crawl = Crawl(tree).run(60)
    assert crawl.suspected == {"/maze/*"}
    assert crawl.tail("/maze/*", most=10_000) == ""
    assert crawl.pages == 3_001


@pytest.mark.parametrize(
    ("same", "ended"), [(True, "silent"), (False, "")], ids=["the same pages", "pages of known figures"]
)
def test_of_pages_that_lead_back_only_the_same_ones_are_silent(same: bool, ended: str) -> None:
    crawl = Crawl(silent_wiki_with_cousins, same=same).run(100)
    assert crawl.suspected == {"/maze/*"}
    begin = crawl.pages
    assert crawl.tail("/maze/*", most=begin + 2 * LIMITS.silent + 5) == ended


@pytest.mark.parametrize(
    ("every", "renewed"), [(12, True), (25, True), (10**6, False)], ids=["one in 12", "one in 25", "none"]
)
def test_the_budget_is_renewed_while_enough_pages_say_something_new(every: int, renewed: bool) -> None:
    limits = replace(LIMITS, silent=60)
    crawl = Crawl(lambda path: chain(path, lambda at: at % every == 0), limits).run(30)
    assert crawl.suspected == {"/chain/*"} or every == 12
    root = crawl.groups.named("/chain/*")
    crawl.groups.suspect(root)
    ended = crawl.tail("/chain/*", most=1_000)
    assert (ended, crawl.pages >= 1_000) == (("", True) if renewed else ("budget", False))


def test_a_group_that_refutes_nothing_ends_with_its_budget() -> None:
    crawl = Crawl(maze).run(60)
    begin = crawl.pages
    assert crawl.tail("/maze/*") == "budget"
    assert crawl.pages - begin == LIMITS.budget


def test_patterns_that_say_new_things_refute_a_suspicion_together_or_not_at_all() -> None:
    """A tarpit of random words: by itself each of its patterns is a chain, together they branch and never lead back."""

    def words(path: str) -> Said:
        at = number(path)
        own, other = ("/a", "/b") if path.startswith("/a") else ("/b", "/a")
        return True, [f"{own}/{at * 3 + 1}", f"{other}/{at * 3 + 2}", f"{other}/{at * 3 + 3}"]

    crawl = Crawl(words, replace(LIMITS, astray=10**6)).run(60)
    (root,) = crawl.groups.suspects
    assert crawl.tail(root.name) == "budget"


def test_a_group_has_had_its_budget_before_its_tail_too() -> None:
    """Where suspected groups are dropped, while the rest of the site is read."""
    crawl = Crawl(maze).run(60)
    root, verdict = crawl.groups.named("/maze/*"), crawl.groups.verdict
    crawl.run(crawl.pages + LIMITS.budget - 1 - (root.pages - root.suspected_at))
    assert not verdict.has_had_budget(root)
    assert root.ended == ""
    crawl.run(crawl.pages + 1)
    assert verdict.has_had_budget(root)
    assert root.ended == "budget"


@pytest.mark.parametrize(("site", "had"), [(wiki, False), (maze, True)], ids=["leads back", "never leads back"])
def test_a_group_has_had_its_budget_too_where_its_site_has_left_the_tail_again(site: Site, had: bool) -> None:
    """Where suspected groups are dropped: a shop's filters bring each other links, and there is always other work."""
    crawl = Crawl(site).run(60)
    root, verdict = crawl.groups.named("/maze/*"), crawl.groups.verdict
    crawl.groups.suspect(root)
    assert not verdict.ends(root)
    crawl.run(crawl.pages + 2 * LIMITS.budget - 1)
    assert not verdict.has_had_budget(root)
    crawl.run(crawl.pages + 1)
    assert verdict.has_had_budget(root) is had
    assert root.ended == ("budget" if had else "")


@pytest.mark.parametrize(("site", "ends"), [(wiki, False), (maze, True)], ids=["leads back", "never leads back"])
def test_a_group_that_branches_and_never_leads_back_ends_before_its_budget(site: Site, ends: bool) -> None:
    crawl = Crawl(site, replace(LIMITS, astray=60)).run(60)
    root = crawl.groups.named("/maze/*")
    crawl.groups.suspect(root)
    begin = crawl.pages
    crawl.tail("/maze/*", most=begin + 61)
    assert (root.ended == "budget") is ends
    assert crawl.pages - begin == (60 if ends else 61)


def branching(pages: int, led_back: int, *, budgets: int = 0) -> Pattern:
    """A group in its tail, after so many pages of a budget, of which some have led back; budgets before this one."""
    root = Pattern(1, "/wiki/*", deque(maxlen=LIMITS.budget))
    root.suspected = root.in_tail = True
    root.pages, root.checked_at = budgets * LIMITS.budget + pages, budgets * LIMITS.budget
    for at in range(pages):
        root.records.append(Record(True, True, (1,) if at < led_back else (), ((1, 3),), at % 2 == 0, part=1))
    return root


def test_pages_that_went_ahead_are_counted_in_each_budget_of_the_tail() -> None:
    def wiki(path: str) -> Said:
        at = number(path)
        return at % 2 == 0, [f"/maze/{at + 1}", f"/maze/{2 * at + 1}", f"/maze/{2 * at + 2}"]

    crawl = Crawl(wiki, replace(LIMITS, astray=10_000)).run(60)
    root = crawl.groups.named("/maze/*")
    assert root.ahead > 0
    crawl.groups.suspect(root)
    assert not crawl.groups.verdict.ends(root)
    assert root.in_tail
    assert root.ahead == 0
    crawl.tail("/maze/*", most=crawl.pages + LIMITS.budget - 1)
    assert 0 < root.ahead < LIMITS.budget
    crawl.tail("/maze/*", most=crawl.pages + 2)
    assert root.ahead <= 2


def test_only_pages_that_were_read_say_how_deep_a_probe_is() -> None:
    groups = Groups(LIMITS)
    for at, says in enumerate([False, False, None, False]):
        visit = groups.note(f"{HOST}/maze/{at}", says, same=True, deep=at > 0)
        for link in (at + 1, at + 100):
            groups.link(visit, f"{HOST}/maze/{link}")
        groups.leave(visit)
    root = groups.root(groups.named("/maze/*"))
    assert root is not None
    assert root.pages == 4
    assert (root.probed, root.deepest) == (2, 5)


@pytest.mark.parametrize(
    ("ahead", "in_tail", "refutes"),
    [(51, LIMITS.remaining + 1, False), (51, LIMITS.remaining, True), (50, LIMITS.remaining + 1, True)],
    ids=["for long where something is said", "for less long", "mostly where nothing is"],
)
def test_a_third_of_the_pages_that_say_something_refutes_nothing_where_they_were_looked_for(
    ahead: int, in_tail: int, *, refutes: bool
) -> None:
    """A map, of which one place in twenty shows anything; such places lie beside each other."""
    root = branching(100, 100)
    for at, one in enumerate(root.records):
        root.records[at] = one._replace(says=at % 3 == 0)
    root.pages, root.checked_at, root.ahead = in_tail, in_tail - 100, ahead
    root.first_grew = 3.0
    assert bool(Verdict(LIMITS).refutes(root)) is refutes


def test_lists_that_lead_to_the_next_list_and_to_many_pages_do_not_branch() -> None:
    """A parliament's votes, 25 to a list: however many of its lists are read first, they are a chain."""

    def ends(leaves: int, every: int) -> bool:
        root = branching(60, 0)
        root.records.clear()
        for at in range(60):
            is_list = at % every == 0
            grew = ((1, 1), (leaves, 25)) if is_list else ()
            root.records.append(Record(True, True, (), grew, at // 10 % 2 == 0, part=1 if is_list else 2))
        return Verdict(replace(LIMITS, astray=60)).ends(root)

    assert not ends(leaves=2, every=10)
    assert not ends(leaves=2, every=1)
    assert ends(leaves=1, every=1)  # each of which is a list itself


@pytest.mark.parametrize(("every", "ended"), [(10, False), (3, False), (1, True)])
def test_a_tree_with_leaves_does_not_go_astray_however_many_of_its_lists_were_read_first(
    every: int, ended: bool
) -> None:
    """Old sites within old sites: lists of pages that lead to lists alone, all of one part."""
    root = branching(60, 0)
    root.records.clear()
    for at in range(60):
        grew = ((1, 8),) if at % every == 0 else ()
        root.records.append(Record(True, True, (), grew, at // 10 % 2 == 0, part=1))
    assert Verdict(replace(LIMITS, astray=60)).ends(root) is ended


@pytest.mark.parametrize(("pages", "led_back", "ended"), [(60, 0, True), (60, 1, False), (80, 1, True), (80, 2, False)])
def test_each_page_that_leads_back_gives_a_group_that_branches_some_pages_more(
    pages: int, led_back: int, ended: bool
) -> None:
    root = branching(pages, led_back)
    assert Verdict(replace(LIMITS, astray=60, astray_each=20)).ends(root) is ended


@pytest.mark.parametrize(("budgets", "led_back", "ended"), [(0, 4, False), (0, 3, True), (1, 4, True), (1, 10, False)])
def test_of_the_first_budget_fewer_pages_need_to_lead_back(budgets: int, led_back: int, ended: bool) -> None:
    """Of a large site little is known by then."""
    root = branching(100, led_back, budgets=budgets)
    assert Verdict(replace(LIMITS, astray=10**6, first_back=0.04, rate=0.1)).ends(root) is ended


@pytest.mark.parametrize(("refuted", "failed", "ended"), [(0, 0, True), (3, 0, True), (4, 0, False), (4, 1, True)])
def test_a_group_ends_after_the_more_budgets_the_more_of_them_have_refuted_the_suspicion(
    refuted: int, failed: int, ended: bool
) -> None:
    root = branching(LIMITS.budget, 0, budgets=refuted + failed)
    root.refuted, root.failed = refuted, failed
    assert Verdict(LIMITS).ends(root) is ended
    assert root.checked_at == (root.pages - LIMITS.budget if ended else root.pages)
    assert root.failed == failed + 1


def test_a_budget_that_refutes_the_suspicion_makes_up_for_those_that_did_not() -> None:
    root = branching(LIMITS.budget, LIMITS.budget // 2, budgets=9)
    root.refuted, root.failed = 8, 1
    assert not Verdict(LIMITS).ends(root)
    assert (root.refuted, root.failed) == (9, 0)


@pytest.mark.parametrize(("pages", "led_back", "weight"), [(20, 0, 6.0), (20, 1, 1.5), (19, 0, 1.5)])
def test_a_group_that_grows_gets_less_than_its_share_and_one_of_which_no_page_leads_back_a_sixth(
    pages: int, led_back: int, weight: float
) -> None:
    root = branching(pages, led_back)
    root.suspected = root.in_tail = False
    verdict = Verdict(LIMITS)
    verdict.weigh(root, verdict.window(root), of_suspects=False)
    assert root.weight == weight


def test_links_back_to_what_is_no_part_of_it_do_not_speak_for_a_maze() -> None:
    menu = [f"/menu/{at}" for at in range(400)]

    def with_menu(path: str) -> Said:
        if path == "/about" or path in menu:
            return True, menu if path == "/about" else []
        says, links = maze(path)
        return says, [*links, *(["/about"] if path == HOME else [menu[number(path) % 400]])]

    crawl = Crawl(with_menu, replace(LIMITS, astray=60)).run(80)
    root = crawl.groups.named("/maze/*")
    crawl.groups.suspect(root)
    crawl.queue = deque(path for path in crawl.queue if path.startswith("/maze"))
    begin = crawl.pages
    assert crawl.tail("/maze/*") == "budget"
    assert crawl.pages - begin == 60
    assert sum(bool(record.led_back) for record in list(root.records)[-60:]) > 1


@pytest.mark.parametrize("leaves", [LIMITS.leaves - 5, LIMITS.leaves + 5], ids=["few leaves", "many leaves"])
def test_a_budget_whose_probe_met_leaves_alone_proves_nothing(leaves: int) -> None:
    """Leaves that are read before other branches are no probe of these."""

    def tree(path: str) -> Said:
        return True, [] if path.startswith("/maze/leaf") else children(path, 6)

    crawl = Crawl(tree).run(60)
    root = crawl.groups.named("/maze/*")
    crawl.groups.suspect(root)
    begin = crawl.pages
    crawl.queue.extend(f"/maze/leaf{10_000 + at}" for at in range(leaves))
    assert crawl.tail("/maze/*") == "budget"
    renewed = leaves > LIMITS.leaves
    assert crawl.pages - begin == LIMITS.budget * (1 + renewed)


def test_a_link_that_is_refused_is_growth_as_well() -> None:
    """Else a trap whose links meet a rule of one URL seems to come to its end."""
    groups = Groups(LIMITS)
    for at in range(1, 41):
        visit = groups.note(f"{HOST}/maze/{at}", says=False, same=True)
        for link in (f"{HOST}/maze/{at + 1}", f"{HOST}/maze/{at}/deeper"):
            groups.link(visit, link, refused=True)
        groups.leave(visit)
    assert [root.name for root in groups.suspects] == ["/maze/*"]


@pytest.mark.parametrize(("site", "goes_on"), [(wiki, True), (maze, False)], ids=["leads back", "never leads back"])
def test_the_budget_is_renewed_where_pages_lead_back(site: Site, goes_on: bool) -> None:
    crawl = Crawl(site).run(60)
    root = crawl.groups.named("/maze/*")
    crawl.groups.suspect(root)
    crawl.tail("/maze/*", most=500)
    assert (not root.ended) is goes_on


@pytest.mark.parametrize("says", [True, False], ids=["speaking", "silent"])
def test_a_finite_site_that_is_suspected_is_read_to_its_end(says: bool) -> None:
    crawl = Crawl(lambda path: finite(path, says, pages=3_000), same=False).run(30)
    root = crawl.groups.named("/page/*")
    crawl.groups.suspect(root)
    assert crawl.tail("/page/*", most=10_000) == ""
    assert not crawl.queue
    assert crawl.pages > 2_900


def test_a_group_that_leads_back_and_grows_ever_less_goes_on_though_it_is_silent() -> None:
    crawl = Crawl(lambda path: finite(path, says=False, pages=1_000), replace(LIMITS, silent=10**6)).run(60)
    assert crawl.suspected == {"/page/*"}
    assert crawl.tail("/page/*", most=10_000) == ""
    assert not crawl.queue
    assert crawl.pages > 950


def test_a_silent_group_that_leads_back_and_grows_as_ever_ends_with_its_budget() -> None:
    crawl = Crawl(silent_wiki_with_cousins, replace(LIMITS, silent=10**6, remaining=200)).run(60)
    assert crawl.suspected == {"/maze/*"}
    begin = crawl.pages
    assert crawl.tail("/maze/*") == "budget"
    assert crawl.pages - begin == LIMITS.budget


def test_a_silent_mesh_goes_on_where_arithmetic_says_that_it_is_small() -> None:
    def ends(remaining: int) -> str:
        crawl = Crawl(lambda path: finite(path, says=False, pages=1_000), replace(LIMITS, silent=10**6)).run(60)
        crawl.groups.verdict.limits = replace(crawl.groups.limits, remaining=remaining)
        return crawl.tail("/page/*", most=10_000)

    assert ends(remaining=1_500) == ""
    assert ends(remaining=50) == "budget"


def test_a_silent_group_that_was_to_be_known_by_now_is_not_soon_known() -> None:
    """Filters that bring each other links fall short of their arithmetic again and again."""
    limits = replace(LIMITS, remaining=1_000)
    root = Pattern(1, "/list?sort", deque(maxlen=limits.budget))
    root.suspected_at, root.first_grew = 50, 8.0
    root.records.extend([Record(False, True, (1,), ((1, 1 + (at % 5 == 0)),), deep=False, part=1) for at in range(100)])
    found = []
    for pages in (400, 1_050, 1_051):
        root.pages = pages
        found.append(Verdict(limits).refutes(root))
    assert found == ["is soon known", "is soon known", ""]


@pytest.mark.parametrize(("pages", "why"), [(500, "is soon known"), (900, "")])
def test_a_tree_to_which_nothing_leads_back_is_soon_known_only_within_another_budget(pages: int, why: str) -> None:
    """Folders that a mirror has under another name as well, as those of Boost's manual: they say nothing new."""
    root = Pattern(1, "/share/**/", deque(maxlen=500))
    root.suspected_at, root.first_grew, root.pages = 50, 8.0, pages
    root.records.extend([Record(False, True, (), ((1, 2),), deep=at < 200, part=1) for at in range(500)])
    # 8 links a page at first and 2 now: a third of what has been found is still to come, of 1,125 links and of 3,125.
    assert Verdict(Limits()).refutes(root) == why


def test_folders_of_many_files_come_to_their_ends_however_many_files_these_are() -> None:
    """Of 40 folders each fourth leads to one more, and each to twenty files."""
    folders = [
        Record(False, True, (), ((2, 20), *([(1, 1)] if at % 4 == 0 else [])), deep=True, part=1) for at in range(40)
    ]
    files = [Record(False, True, (), (), deep=True, part=2) for _ in range(400)]
    measured = measure([*folders, *files], LIMITS.rate)
    assert measured.grows > LIMITS.shrink
    assert measured.shrinks
    assert not measure([one._replace(grew=((2, 20), (1, 1))) for one in folders] + files, LIMITS.rate).shrinks


def test_a_group_that_a_later_page_clears_may_go_on() -> None:
    crawl = suspected_chain()
    assert crawl.tail("/chain/*") == "silent"
    root = crawl.groups.named("/chain/*")
    crawl.groups.clear(root)
    assert not root.ended
    assert not crawl.groups.suspects


# What nobody can tell


def capped(cap: int) -> Limits:
    return replace(LIMITS, cap=cap)


def test_a_chain_of_ever_new_text_ends_at_the_cap() -> None:
    crawl = Crawl(chain, capped(200)).run(400)
    assert [found.suspected for found in crawl.found] == [True]
    assert crawl.found_at == [200]
    assert crawl.tail("/chain/*") == "cap"


def test_a_list_that_comes_last_is_read_although_its_group_is_at_its_cap() -> None:
    """A manual whose pages are found at once, but for those of its last one."""

    def manual(path: str) -> Said:
        found = {0: range(1, 2), 1: range(2, 190), 180: range(200, 300)}.get(number(path), ())
        return True, [f"/page/{one}" for one in found]

    crawl = Crawl(manual, capped(200)).run(190)
    root = crawl.root("/page/*")
    assert root is not None
    crawl.groups.suspect(root)
    assert crawl.tail("/page/*", most=2_000) == ""
    assert not crawl.queue


def test_a_group_that_says_nothing_new_has_no_second_cap() -> None:
    """A switch of languages that appends to the query until the URL is refused: millions of pages."""
    root = branching(LIMITS.budget, 0)
    root.pages, root.grown, root.cap_half = 200, 260, (100, 200)
    assert not Verdict(capped(200))._is_capped(root)
    root.cap_from = (0, 0)
    root.records.extend(Record(False, True, (), ((1, 3),), False, part=1) for _ in range(LIMITS.budget))
    assert Verdict(capped(200))._is_capped(root)


@pytest.mark.parametrize("cap", [1, 2, 3])
def test_a_cap_of_few_pages_ends_a_group(cap: int) -> None:
    crawl = Crawl(chain, capped(cap)).run(60)
    assert crawl.suspected == {"/chain/*"}
    assert crawl.tail("/chain/*") == "cap"


def test_a_cap_of_zero_never_ends_a_group() -> None:
    crawl = Crawl(chain, capped(0)).run(3_000)
    assert not crawl.found


def test_a_wiki_that_grows_as_ever_ends_at_the_cap() -> None:
    crawl = Crawl(wiki, capped(200)).run(400)
    assert [found.suspected for found in crawl.found] == [True]
    assert crawl.tail("/maze/*") == "cap"


def test_growth_that_falls_renews_the_cap() -> None:
    """Ever more of the links of a large finite site are known: it is read on."""

    def large(path: str) -> Said:
        random = Random(path)
        return True, [f"/page/{random.randrange(4_000)}" for _ in range(6)]

    crawl = Crawl(large, replace(LIMITS, window=100, budget=300, cap=800)).run(10_000)
    assert not crawl.found
    assert crawl.pages > 3_900


# Memory, and runs before


def test_a_link_that_an_earlier_run_has_met_leads_back() -> None:
    asked: list[str] = []

    def was_met(url: str) -> bool:
        asked.append(url)
        return number(url) % 2 == 0

    groups = Groups(LIMITS, was_met, forgetful=True)
    visit = groups.note(f"{HOST}/p/1", says=True)
    for at in (2, 3, 4):
        assert not groups.link(visit, f"{HOST}/p/{at}")
    assert asked == [f"{HOST}/p/{at}" for at in (2, 3, 4)]
    assert len(visit.led_back) == 1
    assert [one.name for one in visit.brought] == ["/p/*"]


def test_pages_that_an_earlier_run_has_found_are_judged_as_any_when_they_come() -> None:
    groups = Groups(LIMITS, lambda url: True, forgetful=True)
    for at in range(20):
        visit = groups.note(f"{HOST}/p/{at}", says=True)
        for to in (at - 1, at, at + 1, at + 2):
            groups.link(visit, f"{HOST}/p/{to}")
        groups.leave(visit)
    assert groups.links.is_near(19, 0) is False


def test_pages_are_judged_as_any_when_more_is_known_of_a_site_than_is_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(links_module, "MAX_LINKS", 50)
    crawl = Crawl(lambda path: (True, [f"/p/{Random(path + str(at)).randrange(400)}" for at in range(6)]))
    crawl.groups.links.was_met = lambda url: True
    crawl.run(400)
    assert crawl.pages > 300


def test_the_visited_set_is_asked_only_of_links_that_may_have_been_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links_module, "MAX_LINKS", 50)
    asked: list[str] = []

    def was_met(url: str) -> bool:
        asked.append(url)
        return True

    groups = Groups(LIMITS, was_met)
    visit = groups.note(HOST, says=True)
    for at in range(40):
        groups.link(visit, f"{HOST}/p/{at}")
    assert not asked
    for at in range(40, 200):
        groups.link(visit, f"{HOST}/p/{at}")
    assert asked


def test_what_is_remembered_of_a_site_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links_module, "MAX_LINKS", 500)
    monkeypatch.setattr(feeders, "_MAX_PATTERNS", 60)
    random = Random(1)

    def anything(path: str) -> Said:
        return True, [
            f"/{random.choice('abcdefghijkl')}/{random.randrange(10**6)}?p{random.randrange(12)}=1" for _ in range(20)
        ]

    crawl = Crawl(anything).run(2_000)
    assert len(crawl.groups) - len(crawl.groups.feeders.patterns) <= 1_000
    assert len(crawl.groups.feeders.patterns) <= 2 * patterns._MAX_REMEMBERED
    assert len(crawl.groups.feeders.all) <= 60
    assert all(len(one.records) <= LIMITS.budget for one in crawl.groups.feeders.all)


def test_every_kind_of_end_is_described() -> None:
    assert {"suspected", "silent", "budget", "cap", "by-hand"} == KINDS.keys()


_PATHS = st.sampled_from(
    [f"/{name}{rest}" for name in ("", "a", "b", "c/1", "c/2", "d?x=1", "d?y=2") for rest in ("", "#z")]
)
_PAGES = st.tuples(
    _PATHS | st.text(max_size=10), st.booleans() | st.none(), st.booleans(), st.lists(_PATHS, max_size=6)
)


@given(st.lists(_PAGES, max_size=60), st.integers(0, 30))
def test_groups_keep_their_word_whatever_comes(pages: list[tuple[str, bool | None, bool, list[str]]], cap: int) -> None:
    groups = Groups(Limits(window=4, budget=8, silent=3, cap=cap))
    for path, says, deep, links in pages:
        url = HOST + path
        groups.links.sent(url)
        visit = groups.note(url, says, deep=deep, same=not says)
        again = [groups.link(visit, HOST + link) for link in links]
        assert not any(again) or groups.suspects
        groups.leave(visit)
        for link in links:
            suspect, flow = groups.suspect_of(HOST + link), groups.flow_of(HOST + link)
            assert suspect is None or (suspect.suspected and flow == suspect.name)
            group = groups.named(flow.removeprefix(BESIDE)) if flow else None
            assert group is None or groups.root(group) is group
        for root in groups.suspects.copy():
            assert root.suspected
            assert root.weight >= 1
            assert groups.verdict.probe(root) in (DEEP, WIDE)
            if groups.root(root) is root and groups.verdict.ends(root):
                assert root.ended in KINDS


@pytest.mark.parametrize("left", [False, True], ids=["before its other links are known", "after that"])
def test_a_link_that_another_process_has_found_is_no_growth_and_nobody_can_tell_whether_it_leads_back(
    left: bool,
) -> None:
    groups = Groups(LIMITS)
    visit = groups.note(f"{HOST}/day/1", False)
    for path in ("/day/2", "/day/3", "/about"):
        groups.link(visit, HOST + path)
    if left:
        groups.leave(visit)
    for path in ("/day/2", "/about", "/never/met"):
        groups.was_known(HOST + path)
        groups.was_known(HOST + path)
    if not left:
        groups.leave(visit)
    root, about = groups.named("/day/*"), groups.named("/about")
    assert (root.records[-1].grew, root.records[-1].led_back) == (((root.number, 1),), ())
    assert (root.fed[root.number], about.feeder) == (1, None)


LISTS, PAGES = 1, 2


def measured(lists: int, of_lists: tuple[tuple[int, int], ...], of_pages: tuple[tuple[int, int], ...]) -> float:
    """How a group branches in which so many pages of a hundred are lists."""
    records = [Record(False, True, (), of_lists, deep=False, part=LISTS) for _ in range(lists)]
    records += [Record(False, True, (), of_pages, deep=False, part=PAGES) for _ in range(100 - lists)]
    return measure(records, LIMITS.rate).branches


@pytest.mark.parametrize("lists", [20, 50, 80])
def test_lists_of_pages_that_lead_to_one_more_page_do_not_branch_however_many_of_either_are_read(lists: int) -> None:
    """A manual whose nodes lead to the next, and the listings of its folders by the web server."""
    assert measured(lists, ((PAGES, 16),), ((PAGES, 1),)) < LIMITS.branch


@pytest.mark.parametrize("lists", [20, 50, 80])
def test_lists_and_pages_that_lead_to_each_other_branch_however_many_of_either_are_read(lists: int) -> None:
    """Nine pages on each list and a list on each page are three times as many in each generation."""
    assert measured(lists, ((PAGES, 9),), ((LISTS, 1),)) == pytest.approx(3, rel=0.05)


def test_patterns_of_few_pages_branch_as_all_of_them_do() -> None:
    """A shop's filters: each page leads to three patterns that are new, and no pattern to itself."""
    records = [
        Record(False, True, (), tuple((3 * at + child, 1) for child in (1, 2, 3)), deep=False, part=at)
        for at in range(1, 100)
    ]
    leads_on = [one for one in records if 3 * one.part + 3 < 100]
    assert measure(records, LIMITS.rate).branches == pytest.approx(3 * len(leads_on) / len(records), rel=0.05)


def search(pages: int) -> Site:
    """A search that has no end, and says something new each time. Posts have a page to print that leads nowhere."""

    def site(path: str) -> Said:
        if path.startswith("/post/"):
            return True, [f"{path.replace('post', 'print')}"]
        if path.startswith("/print/"):
            return False, []
        at = number(path)
        posts = [f"/post/{Random(f'{path} {one}').randrange(pages)}" for one in range(6)]
        return True, [*posts, *(f"/find/{at * 3 + one}" for one in (1, 2, 3))]

    return site


def test_what_pages_that_are_finite_work_lead_to_is_finite_work_too() -> None:
    crawl = Crawl(search(10**6)).run(200)
    groups = crawl.groups
    assert crawl.suspected == {"/find/*"}
    assert members(crawl, crawl.root("/find/*")) == {"/find/*", "/post/*", "/print/*"}
    posts = [path for path in crawl.queue if path.startswith("/post/")]
    found = crawl.site("/find/5")[1][0]
    assert found not in crawl.queue
    printed = HOST + found.replace("post", "print")
    assert not groups.is_finite_work(printed)  # the search alone found the post
    assert not groups.feeders.leaves_finite
    groups.link(groups.note(f"{HOST}/news", says=True), HOST + found)
    assert groups.is_finite_work(printed)
    assert groups.feeders.leaves_finite_work()
    assert groups.flow_of(printed) == f"{BESIDE}/print/*"
    assert not groups.is_finite_work(HOST + posts[0])


def test_a_page_that_is_finite_work_only_later_passes_that_on_to_what_others_have_found_first() -> None:
    crawl = Crawl(search(10**6)).run(200)
    groups = crawl.groups
    found = crawl.site("/find/5")[1][0]
    shared = f"{HOST}/print/shared"
    for page in ("/find/7", "/find/8", found):
        groups.link(groups.note(HOST + page, says=True), shared)
    assert not groups.is_finite_work(shared)
    groups.link(groups.note(f"{HOST}/news", says=True), HOST + found)
    assert groups.is_finite_work(shared)


def test_pages_that_found_each_other_are_no_finite_work_for_that() -> None:
    crawl = Crawl(search(10**6)).run(200)
    groups = crawl.groups
    pages = [f"{HOST}/print/{name}" for name in ("red", "blue")]
    groups.link(groups.note(f"{HOST}/find/7", says=True), pages[0])
    for page, other in (pages, reversed(pages)):
        groups.link(groups.note(page, says=True), other)
    assert [groups.is_finite_work(page) for page in pages] == [False, False]


def test_a_page_of_one_suspected_group_makes_no_finite_work_of_another_ones() -> None:
    crawl = Crawl(two_mazes(10**6)).run(300)
    groups = crawl.groups
    red = f"{HOST}/red/x"
    groups.link(groups.note(f"{HOST}/news", says=True), red)
    groups.link(groups.note(red, says=False), f"{HOST}/blue/x")
    assert groups.is_finite_work(red)
    assert not groups.is_finite_work(f"{HOST}/blue/x")


def test_what_a_finite_page_leads_to_of_another_kind_is_followed_once_its_group_has_ended() -> None:
    crawl = Crawl(two_mazes(10**6)).run(300)
    groups = crawl.groups
    red, blue, far, like = (f"{HOST}{path}" for path in ("/red/x", "/blue/x", "/red/far", "/red/like"))
    groups.link(groups.note(f"{HOST}/news", says=True), red)
    visit = groups.note(red, says=False)
    groups.link(visit, blue)
    groups.link(visit, like)
    assert not groups.lets_go(like)
    assert groups.suspect_of(blue) is crawl.root("/blue/*")
    assert groups.feeders.leaves_finite_work()
    assert groups.lets_go(blue)
    assert groups.suspect_of(blue) is None
    assert groups.flow_of(blue) == f"{BESIDE}/blue/*"
    groups.link(groups.note(blue, says=False), far)
    assert not groups.lets_go(far)  # only what is finite work passes that on


def test_of_what_finite_pages_lead_to_of_another_kind_a_budget_is_followed() -> None:
    crawl = Crawl(two_mazes(10**6)).run(300)
    groups = crawl.groups
    groups.link(groups.note(f"{HOST}/news", says=True), f"{HOST}/red/x")
    visit = groups.note(f"{HOST}/red/x", says=False)
    links = [f"{HOST}/blue/of-{at}" for at in range(LIMITS.budget + 10)]
    for link in links:
        groups.link(visit, link)
    assert sum(map(groups.lets_go, links)) == LIMITS.budget
    assert sum(map(groups.lets_go, links)) == LIMITS.budget  # the same ones


def test_what_leads_back_to_a_suspected_group_is_not_finite_work_because_the_page_before_is() -> None:
    groups = suspected_chain().groups
    assert not groups.is_finite_work(f"{HOST}/chain/2")  # the start leads to the page that led there
    assert not groups.feeders.leaves_finite_work()


def with_boxes(path: str) -> Said:
    """The same search, and links to searches on each page. Posts lead to another one, and to a page to print."""
    at = number(path)
    boxes = [f"/find/x{at}a", f"/find/x{at}b"]
    if path.startswith("/post/"):
        return True, [f"/post/{Random(path).randrange(400)}", f"/print/{at}", *boxes]
    if path.startswith("/print/"):
        return False, boxes
    posts = [f"/post/{Random(f'{path} {one}').randrange(400)}" for one in range(6)]
    return True, [*posts, *(f"/find/{path.rpartition('/')[2]}{one}" for one in "abc")]


def found_by_search(site: Site) -> Crawl:
    """A site of whose posts nearly all have been found by its search, which is suspected."""
    crawl = Crawl(search(400)).run(400)
    crawl.site = site
    return crawl


def test_what_brings_many_of_its_links_itself_is_a_group_of_its_own_though_it_leads_back_to_a_search() -> None:
    crawl = found_by_search(with_boxes)
    for at in range(200):
        crawl.fetch(f"/post/{at}")
    groups = crawl.groups
    posts = groups.named("/post/*")
    assert crawl.suspected == {"/find/*"}
    assert posts.fed[posts.number] < LIMITS.feeds_itself * posts.fed.total()  # the search came first
    assert groups.root(posts) is posts


def in_turn_with_boxes(path: str) -> Said:
    """As before, but posts lead to their authors and these to all their posts, so that neither leads to its like."""
    at = number(path)
    says, links = with_boxes(path)
    if path.startswith("/post/"):
        return says, [f"/author/{at % 40}", *links[1:]]
    if path.startswith("/author/"):
        return True, [*(f"/post/{at + 40 * one}" for one in range(10)), f"/find/y{at}a", f"/find/y{at}b"]
    return says, links


def test_patterns_that_lead_on_together_are_a_group_of_their_own_though_they_lead_back_to_a_search() -> None:
    crawl = found_by_search(in_turn_with_boxes)
    for at in range(40):
        crawl.fetch(f"/post/{at}")
        crawl.fetch(f"/author/{at}")
    groups = crawl.groups
    posts, authors = groups.named("/post/*"), groups.named("/author/*")
    assert crawl.suspected == {"/find/*"}
    assert groups.root(posts) is groups.root(authors)
    assert groups.root(posts) in (posts, authors)


def test_finite_work_passes_on_to_pages_that_lead_to_the_search_but_to_no_more_of_their_own() -> None:
    def site(path: str) -> Said:
        says, links = with_boxes(path)
        return says, links[1:] if path.startswith("/post/") else links

    crawl = Crawl(site).run(600)
    groups = crawl.groups
    assert members(crawl, crawl.root("/find/*")) == {"/find/*", "/post/*", "/print/*"}
    found = next(path for path in sorted(crawl.seen) if path.startswith("/post/") and path not in crawl.queue)
    groups.link(groups.note(f"{HOST}/news", says=True), HOST + found)
    assert groups.is_finite_work(HOST + found.replace("post", "print"))
    assert not groups.is_finite_work(HOST + site(found)[1][-1])


def test_a_link_to_a_known_place_is_no_growth_and_leads_back_once() -> None:
    groups = Groups(LIMITS)
    first, second = (groups.arrive(f"{HOST}/p/{at}?s={at}", of_markup(b"<p>text")) for at in range(2))
    groups.link(first, f"{HOST}/p/7?s=1", place_of=lambda url: 7)
    groups.link(second, f"{HOST}/p/7?s=2", place_of=lambda url: 7)
    groups.link(second, f"{HOST}/p/7?s=3", place_of=lambda url: 7)
    groups.link(second, f"{HOST}/p/8?s=3", place_of=lambda url: 8)
    assert [len(visit.brought) for visit in (first, second)] == [1, 1]
    assert [len(visit.led_back) for visit in (first, second)] == [0, 1]
