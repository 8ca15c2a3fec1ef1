"""Parts of URLs that do not matter: learned from pairs of pages, held by samples, and never at the cost of a page."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.traps.aliases import AGREE, MAX_PAGES, MAX_PARTS, NEAR_PAIRS, SAME_PAIRS, Aliases
from scrapy_polite.traps.page import of_markup

HOST = "http://example.com"


def fetch(aliases: Aliases, url: str, *paragraphs: str) -> str:
    """Note a page of a site with parameters."""
    body = "<a href='/?q'>".join(("", *(f"<p>{text}</p>" for text in paragraphs)))
    return aliases.fetched(url, of_markup(body.encode()))


def prose(seed: object, sentences: int) -> list[str]:
    """Paragraphs of made-up words."""
    rng = Random(str(seed))
    return [" ".join("".join(rng.choices("abcdefgh", k=6)) for _ in range(6)) for _ in range(sentences)]


Variant = Callable[[int, int], str]


def sessions(at: int, copy: int) -> str:
    return f"{HOST}/p/{at}?sid={Random(f'{at} {copy}').randrange(10**9)}"


_PARTS: dict[str, Variant] = {
    "parameter sid": sessions,
    "parameter ref": lambda at, copy: f"{HOST}/p?id={at}{f'&ref={at * 9 + copy}' if copy else ''}",
    "scheme and host": lambda at, copy: f"{('http://', 'https://', 'http://www.')[copy % 3]}example.com/p/{at}",
    "case or final slash": lambda at, copy: (
        f"{HOST}/{('page', 'Page', 'PAGE')[copy % 3]}/{at}{'/' if copy == 1 else ''}"
    ),
    "path parameters": lambda at, copy: f"{HOST}/p/{at};jsessionid={at * 10 + copy}?a",
    "order of parameters": lambda at, copy: f"{HOST}/p?{'&'.join(Random(copy).sample(['a=1', 'b=2', f'c={at}'], 3))}",
    "parameters a&sort": lambda at, copy: f"{HOST}/p/{at}?a={at + copy}&sort={copy}",
}


@pytest.mark.parametrize(("part", "variant"), _PARTS.items(), ids=_PARTS)
def test_a_part_that_never_matters_is_learned_and_no_page_is_lost(part: str, variant: Variant) -> None:
    aliases = Aliases()
    for at in range(SAME_PAIRS + 10):
        for copy in range(3):
            fetch(aliases, variant(at, copy), f"page {at}")
    assert part in aliases.learned
    assert aliases.known(variant(3, 0)) == ""
    assert part in {aliases.known(variant(3, copy)) for copy in (4, 5, 7)}
    assert aliases.known(variant(500, 0)) == ""


@pytest.mark.parametrize("pairs", [SAME_PAIRS - 1, SAME_PAIRS])
def test_a_part_is_learned_from_enough_pairs(pairs: int) -> None:
    aliases = Aliases()
    learned = [fetch(aliases, sessions(at, copy), f"page {at}") for at in range(pairs) for copy in range(2)]
    assert list(filter(None, learned)) == ["parameter sid"] * (pairs == SAME_PAIRS)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        pytest.param(lambda at, copy: f"{HOST}/p/{at}?page={copy}", lambda at, copy: f"{at} {copy}", id="other pages"),
        pytest.param(lambda at, copy: f"{HOST}/p/{at}?page=1&x={copy % 2}", lambda at, copy: f"{at}", id="two values"),
        pytest.param(lambda at, copy: f"{HOST}/p?year={at}&event={copy}", lambda at, copy: "no results", id="one text"),
        pytest.param(
            lambda at, copy: f"{HOST}/p/{at}?t={copy}", lambda at, copy: f"{at} {copy // 3}", id="now and then"
        ),
    ],
)
def test_a_part_that_matters_is_not_learned(url: Variant, text: Variant) -> None:
    aliases = Aliases()
    for at in range(40):
        for copy in range(6):
            assert fetch(aliases, url(at, copy), text(at, copy)) in ("", "parameters page&x") or copy < 2
    assert not {"parameter page", "parameter year", "parameter event", "parameter t", "parameter x"} & {
        *aliases.learned
    }


def test_a_part_that_does_not_matter_in_one_place_may_matter_in_another() -> None:
    """Posts that show the same whatever their `page`, and lists of posts in pages. The first page of a list is also the
    list without `page`."""
    aliases = Aliases()
    for at in range(200):
        fetch(aliases, f"{HOST}/post/{at}", f"post {at}")
        for page in (1, 2, 3):
            fetch(aliases, f"{HOST}/post/{at}?page={page}", f"post {at}")
    assert aliases.learned.keys() == {"parameter page"}
    assert aliases.known(f"{HOST}/post/7?page=4") == "parameter page"
    fetch(aliases, f"{HOST}/list/7", "list 7, page 1")
    for page in range(1, 9):
        assert aliases.known(f"{HOST}/list/7?page={page}") == ""
        fetch(aliases, f"{HOST}/list/7?page={page}", f"list 7, page {page}")
    assert aliases.learned.keys() == {"parameter page"}
    assert aliases.known(f"{HOST}/list/7?page=9") == ""


def test_a_page_is_fetched_under_three_urls_before_another_one_is_refused() -> None:
    aliases = Aliases()
    for at in range(20):
        for copy in range(2):
            fetch(aliases, sessions(at, copy), f"page {at}")
    assert aliases.learned
    known = []
    for copy in range(AGREE + 3):
        known.append(aliases.known(sessions(900, copy)))
        fetch(aliases, sessions(900, copy), "page 900")
    assert known == [""] * (AGREE + 1) + ["parameter sid"] * 2


def test_first_pages_that_are_the_thread_itself_do_not_hide_its_other_pages() -> None:
    aliases = Aliases()
    for at in range(60):
        fetch(aliases, f"{HOST}/thread/{at}", f"thread {at}, page 1")
        for copy in range(1, 5 if at % 25 == 24 else 2):
            assert not fetch(aliases, f"{HOST}/thread/{at}?page={copy}", f"thread {at}, page {copy}")
    assert aliases.known(f"{HOST}/thread/3?page=2") == ""


def reply_forms(aliases: Aliases, posts: int, own: int = 0, figures: bool = False) -> list[str]:
    """Posts of twenty paragraphs, and forms to reply that repeat them, with so many of their own."""
    learned = []
    for at in range(posts):
        post = prose(at, 20)
        fetch(aliases, f"{HOST}/post/{at}", *post)
        for copy in range(4):
            number = at * 10 + copy
            more = [f"Comment {number}"] if figures else []
            learned.append(
                fetch(aliases, f"{HOST}/post/{at}?reply={number}", *post, *prose(f"{at} {copy}", own), *more)
            )
    return learned


@pytest.mark.parametrize("own", [1, 2])
def test_reply_forms_that_repeat_their_post_are_learned_from_the_post(own: int) -> None:
    aliases = Aliases()
    learned = reply_forms(aliases, posts=10, own=own)
    assert learned.index("parameter reply") <= NEAR_PAIRS
    assert aliases.known(f"{HOST}/post/3?reply=99") == "parameter reply"
    assert aliases.known(f"{HOST}/post/77?reply=99") == ""


@pytest.mark.parametrize(("own", "figures"), [(10, False), (1, True)], ids=["text", "figures"])
def test_pages_with_something_of_their_own_are_no_copies_of_what_they_quote(own: int, figures: bool) -> None:
    aliases = Aliases()
    assert not any(reply_forms(aliases, posts=20, own=own, figures=figures))
    assert not aliases.learned


def test_two_stations_of_one_list_are_as_like_each_other_as_a_post_and_its_form() -> None:
    """So what is nearly the same counts only beside a URL without the parameter."""
    aliases = Aliases()
    stations = prose("stations", 20)
    for at in range(60):
        assert not fetch(aliases, f"{HOST}/stations?id={at}", *stations, *prose(at, 1))


def test_a_url_is_not_refused_for_itself() -> None:
    aliases = Aliases()
    for at in range(20):
        for copy in range(2):
            fetch(aliases, sessions(at, copy), f"page {at}")
    for copy in range(AGREE + 1):
        fetch(aliases, sessions(900, copy), "page 900")
    assert aliases.known(sessions(900, 0)) == ""
    assert aliases.known(sessions(900, AGREE + 1)) == "parameter sid"


def test_a_part_that_matters_after_all_is_found_out_by_samples() -> None:
    """Languages into which only later pages are translated."""
    aliases = Aliases()
    learned = []
    refused = 0
    for at in range(200):
        fetch(aliases, f"{HOST}/page/{at}", f"page {at}")
        for code in ("de", "fr", "nl"):
            url = f"{HOST}/page/{at}?lang={code}"
            if aliases.known(url) or aliases.known(url):
                refused += 1
            else:
                learned.append(fetch(aliases, url, f"page {at}{code if at >= 20 else ''}"))
    assert list(filter(None, learned)) == ["parameter lang"]
    assert refused < 80
    assert not aliases.learned


def test_samples_become_ever_rarer_and_may_leave_when_they_were_let_through() -> None:
    aliases = Aliases()
    for at in range(20):
        for copy in range(AGREE + 1):
            fetch(aliases, sessions(at, copy), f"page {at}")
    asked = [at for at in range(1, 200) if not aliases.known(f"{HOST}/p/3?sid=new{at}")]
    assert asked == [8, 10, 12, 15, 18, 22, 27, 33, 41, 51, 63, 78, 97, 121, 151, 188]
    assert aliases.known(f"{HOST}/p/3?sid=new188") == ""


def test_pages_and_parts_are_bounded() -> None:
    aliases = Aliases()
    for at in range(3_000):
        fetch(aliases, f"{HOST}/{at % 50}?p{at % 200}={at}&q={at % 7}", f"{at}")
    assert len(aliases._first) <= MAX_PAGES
    assert len(aliases._votes) <= MAX_PARTS


_URLS = st.text("aB/?&=;:.#%x1[] é", max_size=30).map(lambda rest: f"{HOST}{rest}") | st.text(max_size=30)


@given(st.lists(st.tuples(_URLS, st.sampled_from(["a", "b", "c", "d"])), max_size=60))
def test_no_url_raises(pages: list[tuple[str, str]]) -> None:
    aliases = Aliases()
    for url, text in pages:
        aliases.known(url)
        fetch(aliases, url, text)
        assert aliases.known(url) == "" or aliases.learned
