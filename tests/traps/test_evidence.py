"""What is enough evidence of a maze where scouts are slow to come home, as on hosts whose robots.txt comes first."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random

import pytest

from scrapy_polite.traps.evidence import KNOWN_TEXT, REPEATED, STEPS, Notes
from scrapy_polite.traps.page_digest import Page, is_sitemap, locations, of_body
from scrapy_polite.traps.quarantine import Quarantines

NOW = 1_800_000_000.0
SITE = "example.com"


def pages(notes: Notes, count: int) -> None:
    """So many pages of a maze with five new links each."""
    for _ in range(count):
        notes.page("http://example.com/", 0, new=5, outside=0, recurring=5, back=0)


def test_a_scout_that_comes_home_late_goes_on_and_no_more_than_a_few_are_sent_meanwhile() -> None:
    notes = Notes()
    pages(notes, 10)
    sent = 0
    for _ in range(300):
        while notes.wants_scout():
            sent += 1
            notes.scout_sent(sent, 1)
        pages(notes, 1)
    assert 8 <= sent <= 20
    assert notes.scout_home(sent - 4, ended=False) == 2


def test_after_walks_that_ended_more_are_made_after_more_pages_and_what_was_seen_still_counts() -> None:
    """A maze with some dead ends costs no second eighty pages; a large tree is walked ever more rarely."""
    notes = Notes()
    pages(notes, 60)
    pauses = []
    for lost in range(0, 9, 3):
        for scout in range(lost, lost + 3):
            notes.scout_sent(scout, 1)
            notes.scout_home(scout, ended=True)
        before = notes.pages
        while not notes.wants_scout():
            pages(notes, 1)
        pauses.append(notes.pages - before)
    assert pauses == [16, 32, 64]
    for scout in range(3):
        notes.scout_sent(scout, STEPS)
        notes.scout_home(scout, ended=False)
    assert notes.maze(whole_site=False) is not None


@pytest.mark.parametrize("late_pages", [1, 200], ids=["at once", "after 200 pages each"])
def test_walks_show_a_maze_however_long_each_step_takes(late_pages: int) -> None:
    notes = Notes()
    pages(notes, 80)
    steps = dict.fromkeys(range(3), 1)
    while steps:
        for scout, step in steps.items():
            notes.scout_sent(scout, step)
        pages(notes, late_pages)
        steps = {scout: step for scout in steps if (step := notes.scout_home(scout, ended=False))}
    finding = notes.maze(whole_site=False)
    assert finding is not None
    assert f"3 walks 3 went on after {STEPS} steps" in finding.evidence


@pytest.mark.parametrize(
    ("says", "left"), [(REPEATED, True), (KNOWN_TEXT, False)], ids=["repeats the last ones", "has known text"]
)
def test_a_page_that_repeats_the_last_ones_and_leads_nowhere_new_gives_nothing(says: int, left: bool) -> None:
    """So none of them keeps the rest of a chain from being left; one that says more does, for a while."""
    notes = Notes()
    url = "http://example.com/"

    def found() -> object:
        return notes.text(whole_site=False, span=inf, long_chain=True)

    for _ in range(60):
        notes.page(url, REPEATED, new=1, outside=0, recurring=1, back=0)
    assert found()
    notes.page(url, says, new=0, outside=0, recurring=0, back=1)
    assert bool(found()) == left
    for _ in range(150):
        notes.page(url, REPEATED, new=1, outside=0, recurring=1, back=0)
    assert found()


Links = Callable[[int], list[str]]


def hosts_without_end(number: int) -> list[str]:
    return [f"http://h{5 * number + at}.example.com/" for at in range(1, 6)]


def hosts_that_name_each_other(number: int) -> list[str]:
    return [f"http://h{other}.example.com/" for other in Random(number).sample(range(10_000), 5)]


def pages_of_their_own(number: int) -> list[str]:
    return [f"http://h{number + 1}.example.com/", *(f"http://h{number}.example.com/{at}" for at in range(4))]


@pytest.mark.parametrize(
    ("links", "left"),
    [(hosts_without_end, True), (hosts_that_name_each_other, False), (pages_of_their_own, False)],
    ids=["hosts that only new hosts lead to", "hosts that name each other", "hosts with pages of their own"],
)
def test_a_maze_of_hosts_is_left_though_no_scout_ever_comes_home(links: Links, left: bool) -> None:
    quarantines = Quarantines()
    found = []
    for number in range(120):
        text = str(number).encode()
        page = Page(text, text, blocks=((number, 500),), length=500, words=80, links=tuple(links(number)))
        told = quarantines.fetched(SITE, f"http://h{number}.example.com/", page, NOW)
        found += [told.quarantined] if told.quarantined else []
        for mark in quarantines._sites[SITE].scouts.copy():
            del quarantines._sites[SITE].scouts[mark]  # lost
    assert [(quarantine.place, quarantine.kind) for quarantine in found] == ([("//*/**", "maze")] if left else [])


def test_a_sitemap_lists_pages_and_an_index_of_sitemaps_does_not() -> None:
    index = b"<?xml version='1.0'?><sitemapindex><sitemap><loc>http://example.com/1.xml</loc></sitemap></sitemapindex>"
    assert is_sitemap(b"<?xml version='1.0'?><urlset><url><loc>http://example.com/</loc></url></urlset>")
    assert not is_sitemap(index)
    assert of_body(index, locations(index)).links == ("http://example.com/1.xml",)
