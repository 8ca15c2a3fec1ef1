"""Parts of URLs that do not matter: learned from pairs of pages, held by samples, and never at the cost of a page."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.traps.aliases import AGREE, MANY, MAX_PARTS, MAX_PLACES, SAME_PAIRS, Aliases
from scrapy_polite.traps.page import of_markup

HOST = "http://example.com"


def fetch(aliases: Aliases, url: str, text: str) -> str:
    return aliases.fetched(url, of_markup(f"<p>{text}</p>".encode()))


Variant = Callable[[int, int], str]


def sessions(at: int, copy: int) -> str:
    return f"{HOST}/p/{at}?sid={Random(f'{at} {copy}').randrange(10**9)}"


_WAYS = ("http://", "https://", "http://www.", "https://www.")
_PARTS: dict[str, Variant] = {
    "parameter sid": sessions,
    "parameter ref": lambda at, copy: f"{HOST}/p?id={at}{f'&ref={at * 9 + copy}' if copy else ''}",
    "scheme and www": lambda at, copy: f"{_WAYS[copy % 4]}example.com/p/{at}",
    "case or final slash": lambda at, copy: (
        f"{HOST}/{('page', 'Page', 'PAGE')[copy % 3]}/{at}{'/' if copy == 1 else ''}"
    ),
    "path parameters ;jsessionid": lambda at, copy: f"{HOST}/p/{at};jsessionid={at * 10 + copy}?a",
    "order of parameters": lambda at, copy: f"{HOST}/p?{'&'.join(Random(copy).sample(['a=1', 'b=2', f'c={at}'], 3))}",
    "earlier values of a parameter": lambda at, copy: (
        f"{HOST}/p/{at}?{''.join(f'lang={one}&' for one in Random(copy).choices('abcdef', k=copy))}lang=de"
    ),
    "parameters a&b": lambda at, copy: f"{HOST}/p/{at}?a={at * 9 + copy}&b={at * 9 - copy}",
}


@pytest.mark.parametrize(("part", "variant"), _PARTS.items(), ids=_PARTS)
def test_a_part_that_never_matters_is_learned_and_no_page_is_lost(part: str, variant: Variant) -> None:
    aliases = Aliases()
    for at in range(SAME_PAIRS + 10):
        for copy in range(8):
            if not aliases.known(variant(at, copy)):
                fetch(aliases, variant(at, copy), f"page {at}")
    assert part in aliases.learned
    assert aliases.known(variant(3, 0)) == ""
    assert part in {aliases.known(variant(3, copy)) for copy in range(8, 20)}
    assert aliases.known(variant(500, 0)) == ""


@pytest.mark.parametrize("pairs", [SAME_PAIRS - 1, SAME_PAIRS])
def test_a_part_is_learned_from_enough_pairs(pairs: int) -> None:
    aliases = Aliases()
    for at in range(100, 100 + MANY):
        fetch(aliases, sessions(at, 0), f"page {at}")
    learned = [fetch(aliases, sessions(at, copy), f"page {at}") for at in range(pairs) for copy in range(2)]
    assert list(filter(None, learned)) == ["parameter sid"] * (pairs == SAME_PAIRS)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        pytest.param(
            lambda at, copy: f"{HOST}/p/{at}?page={at * 9 + copy}", lambda at, copy: f"{at} {copy}", id="other pages"
        ),
        pytest.param(
            lambda at, copy: f"{HOST}/p/{at}?tag={copy}&tag=b", lambda at, copy: f"{at} {copy}", id="tags of a filter"
        ),
        pytest.param(lambda at, copy: f"{HOST}/p/{at}?page=1&x={copy % 2}", lambda at, copy: f"{at}", id="two values"),
        pytest.param(
            lambda at, copy: f"{HOST}/p?year={at}&event={at * 9 + copy}",
            lambda at, copy: "no results",
            id="one text",
        ),
        pytest.param(
            lambda at, copy: f"{HOST}/p/{at}?t={at * 9 + copy}", lambda at, copy: f"{at} {copy // 3}", id="now and then"
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


_DAYS = ("man", "tir", "ons", "tor", "fre", "lor", "son")


@pytest.mark.parametrize("query", ["dag={day}", "sprog={language}&dag={day}", "dag={day}&t={clock}"])
def test_a_parameter_of_few_values_is_never_refused(query: str) -> None:
    """Bus stops by day: one in five has other buses on the last two days of a week, which come last. In two languages
    that makes fourteen URLs of each; the time of the click does not matter."""
    aliases = Aliases()
    for at in range(300):
        for language in ("da", "en")[: 1 + ("sprog" in query)]:
            for number, day in enumerate(_DAYS):
                url = f"{HOST}/stop/{at}?{query.format(language=language, day=day, clock=at * 7 + number)}"
                assert aliases.known(url) == ""
                fetch(aliases, url, f"stop {at} {language} {number > 4 and at % 5 == 0}")
    assert not aliases.learned


@pytest.mark.parametrize("count", [MANY - 1, MANY])
def test_a_path_parameter_of_few_values_is_never_refused(count: int) -> None:
    aliases = Aliases()
    for at in range(100):
        for copy in range(5):
            fetch(aliases, f"{HOST}/p/{at};v={(at * 5 + copy) % count}", f"page {at}")
    assert (aliases.known(f"{HOST}/p/7;v=999") == "path parameters ;v") is (count == MANY)


@pytest.mark.parametrize("count", [MANY - 1, MANY])
def test_the_first_of_two_values_may_matter_unless_there_are_many(count: int) -> None:
    """Connections of two stations of fewer than fifty: most say the same, and the last one may not."""
    aliases = Aliases()
    for to in range(count):
        for start in range(count):
            fetch(aliases, f"{HOST}/bus?from={start}&at={to}&at={start}", f"none to {start}")
    assert any(aliases.known(f"{HOST}/bus?from=7&at=999&at={to}") for to in range(8)) is (count == MANY)


def test_a_parameter_of_few_values_beside_one_of_many_in_a_path_is_never_refused() -> None:
    aliases = Aliases()
    for page in range(MANY * 2):
        fetch(aliases, f"{HOST}/list;page={page}", f"list {page}")
    for at in range(60):
        for number, language in enumerate(_DAYS):
            url = f"{HOST}/object/{at};lang={language}"
            assert aliases.known(url) == ""
            fetch(aliases, url, f"object {at} {number > 5 and at % 5 == 0}")


@pytest.mark.parametrize(
    ("link", "is_learned"),
    [
        pytest.param("/ship/{at}?no={no}", True, id="another parameter"),
        pytest.param("http://{no}.example.com/ship/{at}", True, id="another host"),
        pytest.param("/ship/{at};v={no}#n{no}", True, id="path parameter and fragment"),
        pytest.param("/ship/{at}/{no}", False, id="another path"),
    ],
)
def test_pages_that_lead_to_other_paths_are_no_aliases(link: str, is_learned: bool) -> None:
    aliases = Aliases()
    for at in range(30):
        for copy in range(6):
            no = at * 6 + copy
            fetch(
                aliases,
                f"{HOST}/issue/{at}?no={no}",
                f"issue {at} <a class=x href='{link.format(at=at, no=no)}'>open</a>",
            )
    assert (aliases.known(f"{HOST}/issue/7?no=999") == "parameter no") is is_learned


def test_a_part_that_does_not_matter_in_one_place_may_matter_in_another() -> None:
    """Posts that show the same whatever their `page`, and lists of posts in pages. The first page of a list is also the
    list without `page`."""
    aliases = Aliases()
    for at in range(200):
        fetch(aliases, f"{HOST}/post/{at}", f"post {at}")
        for page in range(at, at + 4):
            fetch(aliases, f"{HOST}/post/{at}?page={page}", f"post {at}")
    assert aliases.learned.keys() == {"parameter page"}
    assert aliases.known(f"{HOST}/post/7?page=5") == "parameter page"
    fetch(aliases, f"{HOST}/list/7", "list 7, page 1")
    for page in range(1, 9):
        assert aliases.known(f"{HOST}/list/7?page={page}") == ""
        fetch(aliases, f"{HOST}/list/7?page={page}", f"list 7, page {page}")
    assert aliases.learned.keys() == {"parameter page"}
    assert aliases.known(f"{HOST}/list/7?page=9") == ""


def test_a_page_is_fetched_under_three_urls_before_another_one_is_refused() -> None:
    aliases = Aliases()
    for at in range(MANY):
        for copy in range(2):
            fetch(aliases, sessions(at, copy), f"page {at}")
    assert aliases.learned
    known = []
    for copy in range(AGREE + 2):
        fetch(aliases, sessions(900, 0), "page 900")  # once more, which says nothing
        known.append(aliases.known(sessions(900, copy)))
        fetch(aliases, sessions(900, copy), "page 900")
    assert known == [""] * AGREE + ["parameter sid"] * 2


@pytest.mark.parametrize("base_at", [0, 1, 2, 3])
def test_a_place_where_anything_differs_stays_open(base_at: int) -> None:
    """Also if the page without the parameter does, whenever it comes."""
    aliases = Aliases()
    for at in range(MANY):
        for copy in range(2):
            fetch(aliases, sessions(at, copy), f"page {at}")
    urls = [sessions(900, copy) for copy in range(3)]
    urls.insert(base_at, f"{HOST}/p/900")
    for url in urls:
        fetch(aliases, url, "the list" if url == f"{HOST}/p/900" else "page 900")
    assert aliases.known(sessions(900, 7)) == ""
    assert aliases.known(sessions(3, 7)) == ""


@pytest.mark.parametrize("dynamic", [0, 3])
def test_a_crawl_of_pages_with_a_new_session_in_each_link_comes_to_its_end(dynamic: int) -> None:
    """Also if some pages say something else each time."""
    aliases, rng = Aliases(), Random(1)
    queue, fetched = deque([sessions(0, 0)]), Counter[int]()
    while queue and fetched.total() < 5_000:
        url = queue.popleft()
        at = int(url.partition("?")[0].rpartition("/")[2])
        if aliases.known(url):
            continue
        fetched[at] += 1
        fetch(aliases, url, f"page {at}, {rng.random() if at < dynamic else 0}")
        links = [sessions((at * 7 + step * 13 + 1) % 1_000, rng.getrandbits(32)) for step in range(10)]
        queue.extend(link for link in links if not aliases.known(link))
    assert len(fetched) == 1_000
    assert not queue
    assert fetched.total() < 4_500


def test_first_pages_that_are_the_thread_itself_do_not_hide_its_other_pages() -> None:
    aliases = Aliases()
    for at in range(60):
        fetch(aliases, f"{HOST}/thread/{at}", f"thread {at}, page 1")
        for copy in range(1, 5 if at % 25 == 24 else 2):
            assert not fetch(aliases, f"{HOST}/thread/{at}?page={at * 10 + copy}", f"thread {at}, page {copy}")
    assert aliases.known(f"{HOST}/thread/3?page=32") == ""


def test_a_page_that_repeats_another_and_adds_something_is_no_copy_of_it() -> None:
    """Forms to reply, and pages with little text of their own below a large menu."""
    aliases = Aliases()
    for at in range(40):
        post = f"post {at} " + "word " * 2_000
        fetch(aliases, f"{HOST}/post/{at}", post)
        for copy in range(4):
            assert not fetch(aliases, f"{HOST}/post/{at}?reply={at * 10 + copy}", f"{post}<p>To {copy}</p>")
    assert not aliases.learned


def test_pages_of_two_subdomains_are_two_pages() -> None:
    """Blogs that share some pages, and have one that says the same until its owner changes it."""
    aliases = Aliases()
    for at in range(60):
        for blog in "abc":
            fetch(aliases, f"http://{blog}.example.com/help/{at}", f"help {at}")
            fetch(aliases, f"http://{blog}.example.com/about", "About me")
    assert aliases.known("http://d.example.com/about") == ""


def test_a_url_is_not_refused_for_itself() -> None:
    aliases = Aliases()
    for at in range(MANY):
        for copy in range(2):
            fetch(aliases, sessions(at, copy), f"page {at}")
    for copy in range(AGREE):
        fetch(aliases, sessions(900, copy), "page 900")
    assert [aliases.known(sessions(900, copy)) for copy in range(AGREE)] == [""] * AGREE
    assert aliases.known(sessions(900, AGREE)) == "parameter sid"


def test_a_part_that_matters_after_all_is_found_out_by_samples() -> None:
    """Revisions that only later pages have."""
    aliases = Aliases()
    learned = []
    refused = 0
    for at in range(200):
        fetch(aliases, f"{HOST}/page/{at}", f"page {at}")
        for code in ("de", "fr", "nl", "pl", "es"):
            url = f"{HOST}/page/{at}?rev={code}{at}"
            if aliases.known(url) or aliases.known(url):
                refused += 1
            else:
                learned.append(fetch(aliases, url, f"page {at}{code if at >= 20 else ''}"))
    assert list(filter(None, learned)) == ["parameter rev"]
    assert refused < 80
    assert not aliases.learned


def test_samples_become_ever_rarer_and_may_leave_when_they_were_let_through() -> None:
    aliases = Aliases()
    for at in range(20):
        for copy in range(AGREE):
            fetch(aliases, sessions(at, copy), f"page {at}")
    asked = [at for at in range(1, 200) if not aliases.known(f"{HOST}/p/3?sid=new{at}")]
    assert asked == [8, 10, 12, 15, 18, 22, 27, 33, 41, 51, 63, 78, 97, 121, 151, 188]
    assert aliases.known(f"{HOST}/p/3?sid=new188") == ""


def test_pages_and_parts_are_bounded() -> None:
    aliases = Aliases()
    for at in range(9_000):
        fetch(aliases, f"{HOST}/{at % 50}?p{at % 200}={at}&q={at % 7}", f"{at}")
    assert MAX_PLACES < len(aliases) <= 2 * MAX_PLACES
    assert len(aliases._votes) <= MAX_PARTS


_URLS = st.text("aB/?&=;:.#%x1[] é", max_size=30).map(lambda rest: f"{HOST}{rest}") | st.text(max_size=30)


@given(st.lists(st.tuples(_URLS, st.sampled_from(["a", "b", "c", "d"])), max_size=60))
def test_no_url_raises(pages: list[tuple[str, str]]) -> None:
    aliases = Aliases()
    for url, text in pages:
        aliases.known(url)
        fetch(aliases, url, text)
        assert aliases.known(url) == "" or aliases.learned


def test_places_of_what_was_learned_are_remembered_for_longer() -> None:
    aliases = Aliases()
    pages = MAX_PLACES  # of which each has some four places each time, of others than the session
    for at in range(SAME_PAIRS + 60):
        for copy in range(2):
            fetch(aliases, sessions(-at, copy), f"page {-at}")
    assert "parameter sid" in aliases.learned
    for copy in range(AGREE):
        for at in range(pages):
            fetch(aliases, sessions(at, copy), f"page {at}")
    known = [aliases.known(sessions(at, AGREE)) for at in range(pages)]
    assert known.count("parameter sid") > 0.9 * pages  # the others are samples
