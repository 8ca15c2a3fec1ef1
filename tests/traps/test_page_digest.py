"""Digests of pages: what makes another page of one, and what does not."""

from __future__ import annotations

from html import escape

import lxml.html
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.links import MAX_LINKS
from scrapy_polite.traps.page_digest import Page, figures, is_calendar, of_body, of_tree

WORDS = " ".join(f"{first}{second}word" for first in "abcdefgh" for second in "abcdefgh")
URL = "http://example.com/folder/page?q=sought"


def page(body: str, url: str = URL, head: str = "") -> Page:
    return of_tree(lxml.html.fromstring(f"<html><head>{head}</head><body>{body}</body></html>"), url)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("on 3 May 2026 at 10:15 pm", "on 4 June 2027 at 9:10 am"),
        ("seen 17 times", "seen 18312 times"),
        ("token a81f0c22", "token 99ab01cd"),
        ("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"),
        ("<script>one()</script>", "<script>two()</script>"),
        ("<style>p {}</style><!-- one -->", "<style>q {}</style>"),
        ("<input type=hidden name=csrf value=one>", "<input type=hidden name=csrf value=two>"),
        ("SHOUT", "shout"),
        ("<a href='/x'>/x/one</a>", "<a href='/x'>/x/two</a>"),
        ("<img src='/a.png?v=1'>", "<img src='/a.png?v=2'>"),
        ("<img src='/a.png?1699999999'>", "<img src='/a.png?1700000000'>"),
        ("<img src='/a.png?x=0.81726&w=9'>", "<img src='/a.png?x=0.3318&w=9'>"),
    ],
    ids=[
        "dates",
        "counters",
        "tokens",
        "calendar",
        "scripts",
        "styles",
        "hidden",
        "case",
        "shown-urls",
        "versions",
        "time-stamps",
        "random-numbers",
    ],
)
def test_what_changes_by_itself_makes_no_other_page(one: str, other: str) -> None:
    assert page(f"<p>{WORDS}</p>{one}").digest == page(f"<p>{WORDS}</p>{other}").digest


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a word", "another word"),
        ("<img src='/a.png'>", "<img src='/b.png'>"),
        ("<img src='/a.php?id=7'>", "<img src='/a.php?id=8'>"),
        ("<p>left right</p>", "<p>right left</p>"),
        (
            " ".join(f"{number}," for number in (5, 81, 33, 7, 90, 12, 64, 3, 55, 21, 8, 70, 41)),
            " ".join(f"{number}," for number in (6, 81, 33, 7, 90, 12, 64, 3, 55, 21, 8, 70, 41)),
        ),
    ],
    ids=["words", "pictures", "pictures-by-query", "order", "tables"],
)
def test_what_a_reader_sees_makes_another_page(one: str, other: str) -> None:
    assert page(f"<p>{WORDS}</p>{one}").digest != page(f"<p>{WORDS}</p>{other}").digest


def test_the_query_that_a_page_repeats_is_left_out() -> None:
    said = f"<p>{WORDS}</p>Nothing was found for "
    one = page(said + "apples", "http://example.com/find?q=apples")
    other = page(said + "pears", "http://example.com/find?q=pears")
    assert one.digest == other.digest
    assert one.exact != other.exact


def test_it_is_left_out_of_prose_too() -> None:
    one, other = (page(f"<p>{WORDS} of {word}</p>", f"http://example.com/?q={word}") for word in ("shoes", "hats"))
    assert one.digest == other.digest
    assert one.exact != other.exact


@pytest.mark.parametrize("query", ["", "?q=ord", "?lang=en&dir=up", "?q=shoes", "?q=" + "+".join(map(str, range(30)))])
def test_a_query_that_prose_does_not_repeat_makes_no_other_page(query: str) -> None:
    one, other = (page(f"<p>{WORDS} and uphill in order</p>", f"http://example.com/{path}") for path in ("a", query))
    assert (one.digest, one.exact) == (other.digest, other.exact)


@pytest.mark.parametrize("noise", ["on {} May 2026", "seen {} times", "token {}a81f0c22"])
def test_a_line_with_a_number_is_no_prose(noise: str) -> None:
    one, other = (page(f"<p>{WORDS} {noise.format(number)}</p>") for number in (3, 14))
    assert one.digest == other.digest
    assert one.exact != other.exact


def test_in_prose_the_names_of_months_and_days_are_words() -> None:
    pages = [page(f"<p>{WORDS} they {word} come</p>") for word in ("may", "sun")]
    assert pages[0].digest != pages[1].digest
    assert {found.words for found in pages} == {67}


def test_words_of_prose_are_counted_one_by_one() -> None:
    assert page(f"<p>{'to be or not ' * 17}</p>").words == 68
    assert page(f"<p>{'a ' * 90}</p>").words == 90


@pytest.mark.parametrize("space", ["\n  ", " \t ", "\u00a0", ", "])
def test_how_prose_is_spaced_makes_no_other_page(space: str) -> None:
    for words in (WORDS, "letters without any number " * 8, WORDS * 5):
        one, other = page(f"<p>{words}</p>"), page(f"<p> {words.replace(' ', space)}.</p>")
        assert (one.digest, one.exact, one.words) == (other.digest, other.exact, other.words)


def test_a_hyphen_in_prose_makes_another_page() -> None:
    one, other = (page(f"<p>{WORDS} {word} from it</p>") for word in ("resign", "re-sign"))
    assert one.exact != other.exact
    assert one.digest != other.digest


@pytest.mark.parametrize("markup", ["<b>{}</b>", "<a href='/x'>{}</a>", "<!-- seen --> {}", "<em>{}</em> <!---->"])
def test_markup_within_prose_makes_no_other_page(markup: str) -> None:
    words = WORDS.split()
    plain = page(f"<p>{WORDS}</p>")
    for at in range(0, len(words), 7):
        marked = page(f"<p>{' '.join([*words[:at], markup.format(words[at]), *words[at + 1 :]])}</p>")
        assert (marked.digest, marked.exact, marked.words) == (plain.digest, plain.exact, plain.words)


@given(st.lists(st.sampled_from(["word", "re-sign", "Über", "e\u0301te", "\u00a0", "\u2028", "\uff21\uff22", "…"])))
def test_where_a_line_ends_makes_no_other_page(words: list[str]) -> None:
    line = [*words, *WORDS.split(), *words]
    broken = "</b> <b>".join(map(escape, line))
    one, other = page(f"<p>{escape(' '.join(line))}</p>"), page(f"<p><b>{broken}</b></p>")
    assert (one.digest, one.exact, one.words) == (other.digest, other.exact, other.words)


def test_letters_are_composed_wherever_they_stand_on_a_long_page() -> None:
    composed, combining = (page(f"<p>{f'caf{e} au lait ' * 400}</p>") for e in ("\u00e9", "e\u0301"))
    assert composed.exact == combining.exact


def test_a_page_full_of_comments_is_read_all_the_same() -> None:
    comments = "<!-- one --><?two?>" * 3_000
    one, other = (page(f"<p>{text}{comments}</p>\n<p>{WORDS}</p>") for text in ("first", "second"))
    assert one.exact != other.exact
    assert one.exact == page(f"<p>first</p><p>{WORDS}</p>").exact


def test_a_very_short_page_is_judged_by_all_its_text() -> None:
    assert page("Station 17").digest != page("Station 18").digest


def test_pages_that_are_the_same_to_the_letter_are_told_from_those_nearly_so() -> None:
    one, other = page(f"{WORDS} 17 times"), page(f"{WORDS} 18 times")
    assert one.digest == other.digest
    assert one.exact != other.exact
    assert one.exact == page(f"<div>{WORDS} 17 times</div>").exact


@pytest.mark.parametrize(
    ("href", "link"),
    [
        ("/a", "http://example.com/a"),
        ("b", "http://example.com/folder/b"),
        ("../c", "http://example.com/c"),
        ("//other.example/d", "http://other.example/d"),
        ("https://other.example/e#part", "https://other.example/e"),
        ("?page=2", "http://example.com/folder/page?page=2"),
        (" /f ", "http://example.com/f"),
        ("/g/../h", "http://example.com/h"),
    ],
)
def test_links_are_absolute(href: str, link: str) -> None:
    assert page(f"<a href='{href}'>x</a>").links == (link,)


@pytest.mark.parametrize("href", ["#top", "", "mailto:a@example.com", "javascript:void(0)", "http://[bad/"])
def test_what_leads_to_no_page_is_no_link(href: str) -> None:
    assert page(f"<a href='{href}'>x</a>").links == ()


def test_links_follow_the_base_and_are_told_once() -> None:
    found = page("<a href='x'>1</a><a href='x'>2</a>", head="<base href='http://example.com/deep/'>")
    assert found.links == ("http://example.com/deep/x",)


def test_links_are_bounded() -> None:
    assert len(page("".join(f"<a href='/{number}'>x</a>" for number in range(MAX_LINKS + 50))).links) == MAX_LINKS


def test_other_documents_are_digested_as_they_are() -> None:
    assert of_body(b"<loc>1</loc>").digest != of_body(b"<loc>2</loc>").digest
    assert of_body(b"same").digest == of_body(b"same").digest
    assert of_body(b"", ["http://example.com/a", "http://example.com/a"]).links == ("http://example.com/a",)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("Drawn: 4 17 22 and 41", {"4", "22", "41"}),
        ("USD 1.1234, GBP 0.5521", {"1.1234", "0.5521"}),
        ("On 22 November 2026 at 10:15, 3/4/2026 or 3.4.2026, in 2027", set()),
        ("1,234 visitors, 56 users online, generated in 0.034 seconds", set()),
        ("45 46 47 48", set()),
        ("Page 9, after <a href='/page/4711'>4711</a>", set()),
        ("ticket #81, id 3f2504e0-4f89-1111-9a0c-0305e82c3301, request a81f0c22", set()),
    ],
    ids=["draw", "rates", "dates", "counters", "weeks", "links", "ids"],
)
def test_figures_are_what_a_page_tells_in_numbers(body: str, told: set[str]) -> None:
    assert figures(page(body, "http://example.com/page/17"), "http://example.com/page/17") == told


@pytest.mark.parametrize(
    ("title", "told"),
    [("Part M47x321", {"m47x321", "part m47x321"}), ("Part p17a", set()), ("2026w47", set())],
    ids=["id", "of-the-url", "week"],
)
def test_an_id_in_the_title_is_told(title: str, told: set[str]) -> None:
    url = "http://example.com/part/P17a"
    assert figures(page("token a81f0c22", url, f"<title>{title}</title>"), url) == told


@given(st.text(max_size=300))
def test_no_page_raises(text: str) -> None:
    shown = escape(text)
    found = page(f"<p>{shown}</p><a href='{shown}'>{shown}</a>", "http://example.com/?q=" + text)
    assert len(found.digest) == len(found.exact) == 16
    assert len(figures(found, found.shown)) < 500


def test_a_calendars_file_is_told_by_how_it_begins() -> None:
    assert is_calendar(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    assert not is_calendar(b"<p>BEGIN:VCALENDAR")
