"""What a page says that is new to its site, beyond what its own URL explains."""

# ruff: noqa: RUF001 - letters of other alphabets look like Latin ones

from __future__ import annotations

import tracemalloc
from base64 import urlsafe_b64encode
from collections.abc import Callable
from datetime import date
from itertools import combinations, permutations, product
from random import Random
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.traps import novelty as module
from scrapy_polite.traps.novelty import MAX_LEFT, MAX_LOOKED_AT, MAX_PIECES, NOTED, Novelty, Said, differs, tokens
from scrapy_polite.traps.page import Page, of_bytes, of_markup, of_text

HOST = "http://example.com"
HEAD = "<title>Harbour office</title><h1>Harbour</h1><p>All ships that call here are listed.</p>"
WORDS = ["red", "blue", "green", "amber", "violet", "olive", "coral", "ivory", "teal"]


def page(body: str, encoding: str = "utf-8") -> Page:
    return of_markup((HEAD + body).encode(encoding, "replace"), encoding)


def read(bodies: dict[str, str], novelty: Novelty | None = None) -> list[Said]:
    """What the pages of a site say, by path."""
    novelty = novelty or Novelty()
    return [novelty.of(page(body), HOST + path, noted=MAX_LOOKED_AT) for path, body in bodies.items()]


def say(path: str, body: str) -> list[bool]:
    """Whether pages say something new, but for the first three: each has another number in its path and its body."""
    at = range(3_117, 3_125)
    rows = {path.format(at=one): body.format(at=one, x=one * 7_919 % 10_007 + 10_000) for one in at}
    return [said.new for said in read(rows)[3:]]


NEW = {
    "figures in text": "<p>Depth {x} cm</p>",
    "figures in a table": "<table><tr><td>Depth<td>{x}</table>",
    "words": "<p>the ship word{x}</p>",
    "src of an image": "<img src='/i/{x}.jpg'>",
    "src with the page's own number": "<img src='/i/{at}.jpg'>",
    "src by a query": "<img src=/i.php?f={x}>",
    "srcset": "<picture><source srcset='/i/{x}.webp 2x'></picture>",
    "poster": "<video poster='/i/{x}.jpg'></video>",
    "src of a frame": "<iframe src='//maps.example/{x}'></iframe>",
    "data of an object": "<object data='/i/{x}.svg'></object>",
    "data-src": "<img data-src='/i/{x}.jpg'>",
    "data-*": "<div data-ship-depth='[{x}, 3]'></div>",
    "alt": "<img src='/logo.png' alt='A ship of {x} tons'>",
    "title": "<abbr title='A ship of {x} tons'></abbr>",
    "content of meta": "<meta name=description content='A ship of {x} tons'>",
    "value of a field": "<input value='{x} tons'>",
    "label of an option": "<option label='{x} tons'>",
    "label of a button": "<button class=b aria-label='{x} tons'></button>",
    "inline style": "<div style='background: url(/i/{x}.jpg)'></div>",
    "path of an SVG": "<svg><path d='M{x} 20 L 30 40'/></svg>",
    "points of an SVG": "<svg><polygon points='{x},20 30,40'/></svg>",
    "datetime": "<time datetime='P{x}D'></time>",
    "JSON in a script": "<script type='application/json'>{{\"depth\": {x}}}</script>",
    "text in another letter case of a tag": "<IMG SRC='/i/{x}.jpg'>",
    "text of a link that is not in its reference": "<a href='/ship'>{x} tons</a>",
    "a character reference": "<p>&#{x};</p>",
    "data behind much that is known": "<script>{{" + "'word': 'meaning', " * 300 + "'depth': {x}}}</script>",
    "an attribute behind much that is known": "<div data-page='" + "{{a: b}}, " * 600 + "{{depth: {x}}}'></div>",
    "text behind much that is known": "<pre>" + "All rights reserved. " * 300 + "depth {x}</pre>",
    "an attribute of a component": "<ship-view :ship='{{depth: {x}}}'></ship-view>",
    "value of a meter": "<div role=meter aria-valuenow={x}></div>",
    "height of a rectangle": "<svg><rect x=7 height={x} /></svg>",
    "a symbol that is referred to": "<svg><use href='#s{x}'/></svg>",
    "attributes of XML": "<ship depth='{x}' />",
    "CDATA": "<depth><![CDATA[{x} < 3]]></depth>",
    "a table in a comment": "<!-- <table><td>{x}</td></table> -->",
    "text behind a comment with another end": "<!-- menu --!><p>{x}</p>",
    "text behind a sign that begins no tag": "<p>if (n < {x}) <!-- no --></p>",
}
NUMBERED = ["/ship/{at}", "/ships?at={at}", "/{at}/ship"]


@pytest.mark.parametrize("path", NUMBERED)
@pytest.mark.parametrize("body", NEW.values(), ids=NEW)
def test_what_a_page_carries_is_new(path: str, body: str) -> None:
    assert all(say(path, body))


NOT_NEW = {
    "nothing else": "",
    "number of the URL": "<p>Ship {at}</p>",
    "number of the URL with zeros": "<p>Ship 00{at}</p>",
    "number in Arabic-Indic digits": "<p>{arabic}</p>",
    "numbers next to it": "<p>Ship {at}, before {before}, next {next}</p>",
    "in attributes": "<meta content='Ship {at}'><img src='/logo.png' alt='Ship {at}'>",
    "in the data of a script": "<script>{{'ship': {at}}}</script>",
    "a reference that holds the page's path": "<img src='/print{path}'><iframe src='//x.example?u={path}'></iframe>",
    "text of a link that is in its reference": "<a href='/ship/{x}'>{x}</a><a title='t' href=/s/0{x}>ship {x}</a>",
    "other links": "<a href='/ship/{x}'>More</a><a href='/x/{x}' class='c{x}'>All</a>",
    "parameters named like attributes": "<a href='?y=1&amp;d={x}&title={x}&data-a={x}'>Next</a><a rel=x href=?src={x}>",
    "the same in a form": '<form method="get" action="?value={x}&amp;label={x}&content={x}">',
    "an attribute's name in the value of another": "<b class='a title={x} data-b={x}' data-c='b'></b>",
    "names of styles": "<div class='c{x}' id='i{x}'>",
    "a comment": "<!-- {x} tons -->",
    "signs": "<p>{at} --- !!! ***</p>",
    "midnights as seconds and milliseconds": "<td data-day={midnight}><td data-ms='{midnight}000'>",
    "the seconds before": "<td data-end={last} data-ms='{last}999'>",
    "a hidden field": "<input type=hidden name=state value='{x}'><input name=n type='hidden' value={x}>",
    "names and references": "<label for=f{x} aria-describedby=d{x}></label><q cite='/q/{x}'></q>",
    "events": "<button onclick='show({x})'>Show</button>",
}


@pytest.mark.parametrize("path", NUMBERED)
@pytest.mark.parametrize("body", NOT_NEW.values(), ids=NOT_NEW)
def test_what_its_url_explains_is_not_new(path: str, body: str) -> None:
    rows = {}
    for at in range(3_117, 3_129):
        url = path.format(at=at)
        arabic = str(at).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
        midnight = 1_893_456_000 + at * 86_400 - 3_600
        near = {
            "midnight": midnight,
            "last": midnight - 1,
            "before": at - 1,
            "next": at + 1,
            "arabic": arabic,
            "path": url,
            "x": at * 7_919 % 10_007 + 10_000,
        }
        rows[url] = body.format(at=at, **near)
    said = read(rows)[5:]
    assert not any(one.new for one in said)
    # Numbers next to the URL's tell nothing new; what a page says as a whole is told without them.
    assert body == NOT_NEW["numbers next to it"] or all(one.same for one in said)


MONTHS = {
    "English": "January February March April May June July August September October November December",
    "German": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "French": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "Russian": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "Arabic": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
    "Thai": "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
    "Persian": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
}
EASTERN = {"Arabic": "٠١٢٣٤٥٦٧٨٩", "Persian": "۰۱۲۳۴۵۶۷۸۹"}


def dated(language: str, year: int, month: int, day: int) -> str:
    if language == "Chinese":
        return f"{year}年{month}月{day}日星期{'一二三四五六日'[day % 7]}"
    if language == "Japanese":
        return f"{year}年{month}月{day}日({'月火水木金土日'[day % 7]})"
    name = MONTHS[language].split()[month - 1]
    written = f"{day}. {name} {year}"
    return written.translate(str.maketrans("0123456789", EASTERN[language])) if language in EASTERN else written


@pytest.mark.parametrize("path", ["/cal/{}/{:02}/{:02}", "/cal?date={}-{:02}-{:02}", "/cal/{}{:02}{:02}"])
@pytest.mark.parametrize("language", [*MONTHS, "Chinese", "Japanese"])
def test_the_date_of_a_page_is_not_new_in_any_language(language: str, path: str) -> None:
    """A calendar's day shows its own date, those near it, and a grid of its month."""
    rows = {}
    for at in range(40):
        year, month, day = 2026 + at % 3, at % 12 + 1, at % 28 + 1
        grid = "".join(f"<td>{one}</td>" for one in range(1, 32))
        rows[path.format(year, month, day)] = (
            f"<h2>{dated(language, year, month, day)}</h2><p>{dated(language, year, month, day % 28 + 1)}</p>"
            f"<table>{grid}</table>"
        )
    said = read(rows)
    assert not any(one.new for one in said[3:])
    assert all(one.same for one in said[5:])


CALENDARS = {
    "Persian": (1405, "فروردین خرداد مرداد شهریور آبان آذر بهمن اسفند"),
    "Muslim": (1448, "محرم رجب شعبان رمضان شوال"),
    "Jewish": (5787, "תשרי חשוון כסלו טבת שבט אדר ניסן אייר סיוון תמוז אלול"),
    "Buddhist": (2569, MONTHS["Thai"]),
    "Indian": (1948, "चैत्र वैशाख ज्येष्ठ श्रावण भाद्रपद कार्तिक पौष माघ"),
}


@pytest.mark.parametrize("calendar", CALENDARS)
def test_a_date_of_another_calendar_is_not_new_where_the_url_has_a_number(calendar: str) -> None:
    year, names = CALENDARS[calendar]
    months = names.split()
    rows = {
        f"/day/{900_000 + 37 * at}": f"<p>{at % 28 + 1} {months[at % len(months)]} {year - at % 40}</p>"
        for at in range(40)
    }
    assert not any(one.new for one in read(rows)[1:])


@pytest.mark.parametrize(
    "event", ["A talk by Ada", "Vortrag über Häfen", "доклад о гавани", "محاضرة عن الميناء", "港の講演"],
    ids=["English", "German", "Russian", "Arabic", "Japanese"],
)  # fmt: skip
def test_an_event_in_a_calendar_is_new(event: str) -> None:
    novelty = Novelty()
    read({f"/cal/2026/11/{at:02}": f"<h2>{at}. November 2026</h2>" for at in range(1, 20)}, novelty)
    (said,) = read({"/cal/2026/11/23": f"<h2>23. November 2026</h2><p>{event}</p>"}, novelty)
    assert said.new
    assert not said.same


SIGNS = {
    "chess": "♔♕♖♗♘♙♚♛♜♝♞♟",
    "braille": "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇",
    "pictures": "🐶🌳🚢⚓🧭🐟🌊🏝🐚🦀🐙🦑",
    "private letters": "\ue001\ue002\ue003\ue004\ue005\ue006\ue007\ue008\ue009\ue00a\ue00b\ue00c",
    "lines and dots": "/\\|_-=.:'*+^",
}


@pytest.mark.parametrize("signs", SIGNS.values(), ids=SIGNS)
def test_a_page_of_signs_is_new(signs: str) -> None:
    drawn = Random(14)
    rows = {f"/ship/{at}": f"<pre>{''.join(drawn.choices(signs, k=40))}</pre>" for at in range(1, 5)}
    assert all(said.new for said in read(rows))


def test_a_page_whose_encoding_is_a_wrong_one_is_new() -> None:
    novelty = Novelty()
    for at, text in enumerate(("корабль", "причал", "якорь", "парус")):
        said = novelty.of(of_markup(f"<p>{text}".encode("cp1251"), "utf-8"), f"{HOST}/ship/{at}")
        assert said.new


def test_a_date_is_new_where_the_url_has_no_number() -> None:
    said = read({f"/news/{name}": f"<p>{at} May 2026</p>" for at, name in enumerate("abcdefgh", 3)})
    assert all(one.new for one in said)


def test_numbers_that_are_no_dates_are_new_in_a_calendar() -> None:
    assert all(say("/rates/2026/{at}", "<p>May: {x}</p>"))


def test_a_search_page_that_echoes_its_query_says_nothing() -> None:
    body = "<h2>{0}</h2><p>Nothing was found for {0}.</p><input name=q value='{0}'>"
    said = read({f"/search?q={word}+{word}s": body.format(f"{word} {word}s") for word in WORDS[:8]})
    assert not any(one.new for one in said[4:])
    assert all(one.same for one in said[5:])


def test_how_long_a_query_is_does_not_change_what_its_search_page_says() -> None:
    names = [f"{one} {other}" for one, other in combinations(WORDS, 2)]
    queries = [" ".join(names[:count]) for count in range(1, 36)]
    body = "<p>All of “{0}” is here, compare {0} with {0} or with more {0}</p><p>For {0}. Imprint. Terms of use.</p>"
    said = read({f"/search?q={query.replace(' ', '+')}": body.format(query) for query in queries})
    assert not any(one.new for one in said[2:])


@pytest.mark.parametrize("text", ["Dienstag, den {}. Juli {}. Nichts.", "On Tuesday, Sept. {}, {}. Nothing"])
def test_a_date_in_a_sentence_is_not_cut(text: str) -> None:
    """Each on pages whose numbers say nothing of it, but that they may be dates."""
    rows = {f"/day/{900_000 + 37 * at}": f"<p>{text.format(at % 28 + 1, 2026 + at % 5)}</p>" for at in range(60)}
    assert not any(one.new for one in read(rows)[1:])


@pytest.mark.parametrize(
    "text", ["price {} rupees", "कीमत {} रुपये", "ราคา {} บาท", "価格 {} 円です", "விலை {} ரூபாய்"]
)  # fmt: skip
def test_small_numbers_are_new_in_any_script(text: str) -> None:
    said = read({f"/item/{1_000 + at}": f"<p>{text.format(at)}</p>" for at in range(6, 46)})
    assert sum(one.new for one in said) >= 38


@pytest.mark.parametrize("encoding", ["idna", "undefined", "punycode", "no-such-encoding"])
def test_a_page_in_an_encoding_that_decodes_nothing_is_read(encoding: str) -> None:
    assert Novelty().of(of_markup(b"<p>Words &amp; \xff more</p>", encoding), f"{HOST}/1").new


def test_an_echo_is_found_however_the_url_is_escaped() -> None:
    words = ["größe", "übung", "naïve", "señor", "café", "ärger", "тест"]
    said = read({f"/search?q=a+{quote(quote(word))}": f"<p>Nothing for {word.title()}</p>" for word in words})
    assert not any(one.new for one in said[2:])


def test_two_dates_in_a_url_explain_the_nights_between_them() -> None:
    url = "/rooms?from=2026-11-{begin:02}&to=2027-0{month}-{end:02}"
    rows = {
        url.format(begin=begin, month=month, end=end): f"<p>{nights(begin, month, end)} nights, no room is free</p>"
        for begin, month, end in product(range(3, 6), range(1, 4), range(11, 14))
    }
    said = read(rows)[5:]
    assert not any(one.new for one in said)
    assert all(one.same for one in said)
    other = "/rooms?from=2026-11-03&to=2026-11-99"  # no date
    assert read({**rows, other: "<p>96 nights, no room is free</p>"})[-1].new


def nights(begin: int, month: int, end: int) -> int:
    return (date(2027, month, end) - date(2026, 11, begin)).days


@pytest.mark.parametrize("written", ["0{0} {1}{2}{3}", "({0}) {1}-{2}-{3}", "{0}{1}/{2} {3}"])
def test_a_telephone_number_that_is_shown_in_pieces_is_explained(written: str) -> None:
    random = Random(1)
    rows = {}
    for _ in range(8):
        parts = [str(random.randrange(100, 1_000)) for _ in range(4)]
        rows["/call/" + "".join(parts)] = f"<p>Who called? {written.format(*parts)}</p>"
    assert not any(one.new for one in read(rows)[2:])


def test_a_short_number_explains_no_other() -> None:
    assert all(say("/ship/{at}", "<p>{at} {x}</p>"))


def test_text_that_the_site_has_shown_is_not_new() -> None:
    rows = {f"/{name}": "<p>One text.</p><img src=/one.png>" for name in "abc"}
    assert [one.new for one in read(rows)] == [True, False, False]


def test_the_same_words_beside_another_number_of_the_url_are_not_new() -> None:
    """The boilerplate of a pager, seen at one URL, is not new at another."""
    rows = {f"/list?page={at}": f"<p>Page {at} of 9000</p>" for at in range(700, 706)}
    assert [one.new for one in read(rows)] == [True] + [False] * 5


@pytest.mark.parametrize(("noted", "new"), [(6, [True, False]), (5, [True, True]), (0, [True, True])])
def test_of_so_many_pieces_all_that_the_url_does_not_explain_is_known_at_once(noted: int, new: list[bool]) -> None:
    """Three pieces of a page are the head of all pages."""
    novelty = Novelty()
    pages = {at: page(f"<p>Ship {at}</p><p>Crew of {at}</p><p>Way of {at}</p>") for at in (500, 600)}
    assert [novelty.of(one, f"{HOST}/{at}", noted=noted).new for at, one in pages.items()] == new


def test_json_and_bytes_are_new_too() -> None:
    novelty = Novelty()
    read_as: dict[str, Callable[[int], Page]] = {
        "json": lambda at: of_text(b'{"page": %d, "depth": %d}' % (at, at * 7919 % 10007 + 10000)),
        "empty": lambda at: of_text(b'{"page": %d, "ships": []}' % at),
        "bytes": lambda at: of_bytes(bytes([at % 256, 0, 7])),
        "same bytes": lambda at: of_bytes(b"PNG"),
    }
    new = {
        kind: [novelty.of(make(at), f"{HOST}/{kind}/{at}", noted=MAX_LOOKED_AT).new for at in range(3_000, 3_008)][2:]
        for kind, make in read_as.items()
    }
    assert new == {"json": [True] * 6, "empty": [False] * 6, "bytes": [True] * 6, "same bytes": [False] * 6}


def test_a_picture_is_told_from_another_by_its_digest() -> None:
    novelty = Novelty()
    said = [novelty.of(of_bytes(Random(at).randbytes(99)), f"{HOST}/{at}.png", noted=MAX_LOOKED_AT) for at in range(50)]
    assert all(one.new for one in said)


# What changes by itself


def test_what_differs_when_a_page_is_fetched_again_is_masked() -> None:
    """A visitor counter, a nonce, and a sentence drawn at random."""
    random = Random(1)

    def body() -> str:
        counter, nonce, sentence = random.randrange(10**6), random.randbytes(8).hex(), " ".join(random.sample(WORDS, 4))
        return f"<p>{counter} visitors</p><input value={nonce}><p>{sentence}</p><p>end</p>"

    volatile = differs(page(body()), page(body()))
    plain, masked = Novelty(), Novelty()
    for at in range(10):
        one = page(body())
        assert plain.of(one, f"{HOST}/{at}").new
        said = masked.of(one, f"{HOST}/{at}", volatile, noted=MAX_LOOKED_AT)
        assert said.new is (at == 0)
        assert said.same is (at > 1)


def test_what_differs_is_masked_wherever_it_stands() -> None:
    def body(rows: int, visitors: int) -> Page:
        return page("<p>A ship.</p>" * rows + f"<p>{visitors} visitors</p>")

    volatile = differs(body(1, 17), body(1, 18))
    novelty = Novelty()
    said = [
        novelty.of(body(rows, 7_000 + rows), f"{HOST}/{rows}", volatile, noted=MAX_LOOKED_AT) for rows in range(1, 9)
    ]
    assert [one.new for one in said] == [True] + [False] * 7


def test_what_differs_elsewhere_is_not_masked() -> None:
    one, other = (page(f"<p>{at} visitors</p><p>end</p>") for at in (17, 18))
    volatile = differs(one, other)
    novelty = Novelty()
    new = [
        novelty.of(
            page(f"<p>{at} visitors</p><p>{at * 100} tons</p>"), f"{HOST}/{at}", volatile, noted=MAX_LOOKED_AT
        ).new
        for at in range(50, 55)
    ]
    assert all(new)


def test_a_counter_hides_no_figures_in_other_tags() -> None:
    volatile = differs(*(page(f"<div class=hits>{at}</div><p>end</p>") for at in (17, 18)))
    novelty = Novelty()
    bodies = [f"<div class=hits>{at}</div><td>{at * 100}</td>" for at in range(50, 55)]
    assert all(novelty.of(page(body), f"{HOST}/x", volatile, noted=MAX_LOOKED_AT).new for body in bodies)


def test_a_token_is_masked_wherever_it_stands() -> None:
    random = Random(1)

    def body(rows: int) -> Page:
        token = urlsafe_b64encode(random.randbytes(40)).decode()
        return page(
            f'<meta name=csrf content="{token}"><p data-x="{{&quot;key&quot;:&quot;{token}&quot;}}">'
            + "<p>A ship" * rows
        )

    volatile = differs(body(1), body(1))
    novelty = Novelty()
    said = [novelty.of(body(rows), f"{HOST}/x", volatile, noted=MAX_LOOKED_AT).new for rows in range(2, 9)]
    assert said == [True] + [False] * 6


def test_of_a_page_the_characters_of_its_text_are_told_that_are_new() -> None:
    novelty = Novelty()
    bodies = ["", "<p>A ship.<hr data-x=boat>", "<p>A ship.<hr data-x=raft>", "<p>A boat.<hr data-x=raft>"]
    said = [novelty.of(page(body), f"{HOST}/x", noted=NOTED)[:2] for body in bodies]
    assert said[1:] == [(True, len("aship")), (True, 0), (True, len("aboat"))]


def test_a_picture_is_no_token() -> None:
    volatile = differs(*(page(f'<img src="/Banners/top-{at}Abcdefgh.png">') for at in "12"))
    assert Novelty().of(page('<img src="/Photos/ship-2Ijklmnop.png">'), f"{HOST}/x", volatile).new


def test_an_answer_that_is_another_page_masks_nothing() -> None:
    one, other = (page("".join(f"<p>{name}{at}</p>" for at in range(60))) for name in "ab")
    assert differs(one, other) == frozenset()


def test_the_same_answer_masks_nothing() -> None:
    assert differs(page("<p>one</p>"), page("<p>one</p>")) == frozenset()


# Pages that are the same


def test_days_of_an_empty_calendar_are_the_same() -> None:
    said = read({f"/cal/2026/{month}": f"<h2>{month} 2026</h2><p>No events.</p>" for month in range(1, 13)})
    assert [one.same for one in said[2:]] == [True] * 10


def test_the_days_of_a_month_in_a_sentence_say_nothing() -> None:
    months = {f"/calendar/20{at // 12:02}-{at % 12 + 1:02}": range(1, 29 + at % 4) for at in range(60)}
    rows = {path: f"<p>{' '.join(map(str, days))}. Nothing is on in this month.</p>" for path, days in months.items()}
    said = read(rows)[5:]
    assert not any(one.new for one in said)
    assert all(one.same for one in said)


def test_the_first_page_that_says_nothing_is_not_the_same_as_any() -> None:
    novelty = Novelty()
    said = [novelty.of(of_markup(b"<p>%d</p>" % at), f"{HOST}/{at}", noted=MAX_LOOKED_AT) for at in (500, 600)]
    assert [(one.new, one.same) for one in said] == [(False, False), (False, True)]


def test_a_page_that_says_something_new_is_not_the_same() -> None:
    said = read({f"/{name}": f"<p>{name * 9}</p>" for name in "abcdef"})
    assert not any(one.same for one in said)


def test_pages_of_figures_that_the_site_has_shown_elsewhere_are_not_the_same() -> None:
    """A timetable: each figure is known, but no page is like those before it."""
    novelty = Novelty()
    times = [f"{hour:02}:{minute:02}" for hour in range(24) for minute in range(60)]
    for first in range(0, len(times), 100):
        body = "".join(f"<p>{time}</p>" for time in times[first : first + 100])
        novelty.of(page(body), f"{HOST}/all/{first}", noted=MAX_LOOKED_AT)
    random = Random(1)
    said = [
        novelty.of(
            page("".join(f"<p>{time}</p>" for time in random.sample(times, 30))),
            f"{HOST}/stop/{at}",
            noted=MAX_LOOKED_AT,
        )
        for at in range(60, 90)
    ]
    assert not any(one.new for one in said)
    assert not any(one.same for one in said)


def said_of(pages: dict[str, str]) -> list[bool]:
    """Whether each page is the same as others are, after all of its text is known."""
    novelty = Novelty()
    known = page("".join(pages.values()))
    novelty.of(known, f"{HOST}/all", noted=MAX_LOOKED_AT)
    return [novelty.of(page(body), HOST + path, noted=MAX_LOOKED_AT).same for path, body in pages.items()]


def test_pages_that_show_known_things_in_new_combinations_are_not_the_same() -> None:
    names = [f"<td>{name}</td>" for name in ("Ada", "Bea", "Cleo", "Dora", "Eve", "Fay", "Gwen", "Hope")]
    rosters = combinations(names, 3)
    assert not any(said_of({f"/roster/{at}": "".join(one) for at, one in enumerate(rosters)}))


def test_the_same_things_in_another_order_are_the_same() -> None:
    rows = ["<td>Ada</td>", "<td>Bea</td>", "<td>Cleo</td>"]
    assert (
        said_of({f"/list?sort={at}": "".join(one) for at, one in enumerate(permutations(rows))}) == [False] + [True] * 5
    )


def test_pages_are_compared_with_those_whose_urls_are_made_alike() -> None:
    pages = {f"/{'x/' * (at % 2)}{at}": f"<p>No {('ships', 'crews')[at % 2]}.</p>" for at in range(8)}
    assert said_of(pages) == [False] * 2 + [True] * 6


def test_what_a_few_pages_say_among_many_is_not_usual() -> None:
    values = {f"/log/{at}": f"<p>{'none' if at % 20 else 'alarm'}</p>" for at in range(200)}
    assert [at for at, same in enumerate(said_of(values)) if not same] == [0, 1, *range(20, 200, 20)]


def test_what_the_url_lets_foresee_is_the_same() -> None:
    """Of a calendar by weeks each week says every year what it said."""
    feasts = [f"<p>feast{chr(97 + week % 26)}{chr(97 + week // 26)}</p>" for week in range(52)]
    pages = {f"/kw/{2026 + year}/{week}": feast for year in range(3) for week, feast in enumerate(feasts, 1)}
    said = said_of(pages)
    assert not any(said[:52])
    assert all(said[52:])


def test_the_names_that_links_show_make_pages_differ() -> None:
    trees = {
        f"/taxa/{at}": f'<a href="/taxa/{at}/{name}">{name}</a>' for at, name in enumerate(("Abies", "Pinus", "Larix"))
    }
    assert said_of(trees) == [False] * 3
    numbers = {f"/day/{at}": f'<a href="/day/{at + 1}">{at + 1}</a>' for at in range(3)}
    assert said_of(numbers) == [False, True, True]


# Hostile pages

_BODIES = st.binary(max_size=200) | st.text("<a href='=/\"> ١9፩⓵mayМ&#;%,月日\n", max_size=80).map(str.encode)
_ENCODINGS = st.sampled_from(["utf-8", "utf-16", "windows-1251", "shift_jis", "no-such-encoding", "ascii"])


def test_where_the_text_of_a_link_stands_in_its_reference_by_chance_is_no_combination() -> None:
    steps = ((-10, "-10"), (10, "10"))
    pages = range(60_950, 61_150, 7)
    said = said_of({f"/tel/{at}": "".join(f"<a href='/tel/{at + by}'>{to}</a>" for by, to in steps) for at in pages})
    assert said[2:] == [True] * len(said[2:])


def test_a_search_that_leads_to_longer_ones_says_the_same_whichever_these_are() -> None:
    more = ["cheap", "used", "rental", "repair"]
    said = said_of(
        {
            f"/search?q=chair+{one}": "".join(
                f'<a href="/search?q=chair+{one}+{two}">chair {one} {two}</a>' for two in more
            )
            for one in ("red", *more)
        }
    )
    assert said == [False] + [True] * 4


def test_a_thesaurus_says_which_words_it_leads_to() -> None:
    words = ["glad", "merry", "jolly", "sunny", "bright"]
    said = said_of(
        {f"/?q={one}": "".join(f'<a href="/?q={two}">{two}</a>' for two in words if two != one) for one in words}
    )
    assert not any(said)


def test_signs_that_are_digits_and_no_numbers_are_words() -> None:
    said = read({f"/cal/{at}": "<p>May ፩ ⓵ 2024</p><table><tr><td>፩<td>⓵</table>" for at in range(5)})
    assert [one.new for one in said] == [True] + [False] * 4


@given(
    st.lists(st.tuples(_BODIES, _ENCODINGS, st.text("ab1/?=&%+٢é#:", max_size=40) | st.text(max_size=40)), max_size=8),
    st.sampled_from([0, NOTED, MAX_LOOKED_AT]),
)
def test_no_page_and_no_url_raises(rows: list[tuple[bytes, str, str]], noted: int) -> None:
    novelty = Novelty()
    last, volatile = page(""), frozenset[object]()
    for body, encoding, url in rows:
        for one in (of_markup(body, encoding), of_text(body, encoding), of_bytes(body)):
            said = novelty.of(one, url, volatile, noted=noted)
            assert said.new or not said.told
            if not any(piece[:1] == b"<" for piece in one.pieces):
                assert (said.told > 0) is said.new
            assert not (said.new and said.same)
            volatile, last = differs(last, one), one


@given(st.text(max_size=300))
def test_tokens_of_any_text(text: str) -> None:
    words = tokens(text)
    assert all(words)
    assert not any(one.isspace() for word in words for one in word)
    assert len(words) < 2 or not any(sign in word for word in words for sign in ".,;:!?-")
    assert tokens(text) == tokens(f" {text} ")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ship 007, M47x321", ["ship", "7", "m", "47", "x", "321"]),
        ("Größe_1", ["größe", "1"]),
        (
            "104,857 12.345.678 5'000 31.12.2031 1.5 7,25",
            ["104857", "12345678", "5000", *["31", "12", "2031", "1", "5", "7", "25"]],
        ),
        ("٢٠٢٦ ２０ 000", ["2026", "20", "0"]),
        ("re-sign don't", ["re", "sign", "don", "t"]),
        ("", []),
        ("Play ♞f3 🐶🌳!", ["play", "♞", "f", "3", "🐶🌳"]),
        ("« 17 »", ["17"]),
        ("— — —", []),
        ("/\\ _ /\\ = . =", ["/\\_/\\=.="]),
        ("........", ["........"]),
    ],
)
def test_tokens_of_a_text(text: str, found: list[str]) -> None:
    assert tokens(text) == found


def test_a_page_of_many_pieces_is_looked_at_up_to_a_bound() -> None:
    """What lies beyond is noted as it stands, and says nothing new."""
    novelty = Novelty()
    rows = "".join(f"<td>{at}</td>" for at in range(MAX_LOOKED_AT + 100))
    assert novelty.of(page(rows), f"{HOST}/all", noted=MAX_LOOKED_AT).new
    assert len(novelty._left) <= MAX_LOOKED_AT


@pytest.mark.parametrize("make", [of_markup, of_text, of_bytes], ids=["markup", "text", "bytes"])
def test_memory_is_bounded(make: Callable[[bytes], Page], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_PIECES", 200)
    monkeypatch.setattr(module, "MAX_LEFT", 300)
    monkeypatch.setattr(module, "_MAX_WHOLE", 50)
    novelty = Novelty()
    for at in range(300):
        body = b"".join(b"<p>w%d,\n</p>" % number for number in range(at * 20, at * 20 + 20))
        novelty.of(make(body), f"{HOST}/{at}", noted=MAX_LOOKED_AT)
        novelty.of(make(body), f"{HOST}/{at}", noted=MAX_LOOKED_AT)
    assert len(novelty) <= 2 * (200 + 300 + 50)
    assert MAX_PIECES < MAX_LEFT


@pytest.mark.parametrize("make", [of_markup, of_text], ids=["markup", "text"])
def test_of_a_huge_page_hardly_anything_is_copied_and_all_of_it_counts(make: Callable[[bytes], Page]) -> None:
    body = b"<p>Words and more words.</p>" * 2_000_000
    other = body[:-9] + b"end.</p>\n"
    tracemalloc.start()
    try:
        pages = [make(one) for one in (body, other, body)]
        pieces = [one.pieces for one in pages]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < len(body) / 2
    assert pages[0].exact == pages[2].exact != pages[1].exact
    assert pieces[0] == pieces[2] != pieces[1]


def test_a_large_pool_of_texts_runs_dry() -> None:
    """A trap that draws its pages from a pool says something new only until the pool is known."""
    random = Random(1)
    novelty = Novelty()
    pool = [f"<p>sentence{at}word and more</p>" for at in range(2_000)]
    said = [
        novelty.of(page("".join(random.choices(pool, k=10))), f"{HOST}/{at}", noted=MAX_LOOKED_AT)
        for at in range(2_500)
    ]
    assert sum(one.new for one in said[:100]) == 100
    assert sum(one.new for one in said[-200:]) < 10
