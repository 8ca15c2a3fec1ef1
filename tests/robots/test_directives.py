"""What pages ask of robots, in every form in which they do."""

from __future__ import annotations

import json
from calendar import timegm
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import HtmlResponse

from scrapy_polite.robots.directives import (
    HEADERS,
    MAX_OTHERS,
    MAX_READ,
    MAX_SHOWN,
    MAX_TAGS,
    Directives,
    epoch_s,
    of_page,
)
from scrapy_polite.robots.markup import Markup

FIELDS = set(Directives.__slots__) - {"evidence"}


def at(*moment: int) -> float:
    return float(timegm((*moment, 0, 0, 0)[:6]))


def told(directives: Directives) -> dict[str, object]:
    """The fields that are set."""
    nothing = Directives()
    return {name: getattr(directives, name) for name in FIELDS if getattr(directives, name) != getattr(nothing, name)}


def of_lines(*lines: str, token: str | None = "Foobot", name: str = "X-Robots-Tag") -> Directives:
    return of_page({name: [line.encode("latin-1") for line in lines]}, None, token)


def markup(html: str, encoding: str = "utf-8") -> Markup:
    return Markup(HtmlResponse("http://example.com/", body=html.encode(encoding), encoding=encoding))


def of_html(head: str, body: str = "", token: str | None = "Foobot") -> Directives:
    return of_page({}, markup(f"<html><head>{head}</head><body>{body}</body></html>"), token)


BOTH = {"noindex": True, "nofollow": True}


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        pytest.param("noindex", {"noindex": True}, id="noindex"),
        pytest.param("nofollow", {"nofollow": True}, id="nofollow"),
        pytest.param("none", BOTH, id="none is both"),
        pytest.param("noindex, nofollow", BOTH, id="two"),
        pytest.param("NoIndex,NOFOLLOW", BOTH, id="any case, no blank"),
        pytest.param(" ,, noindex ,\t,nofollow, ", BOTH, id="empty ones between"),
        pytest.param("noindex nofollow", BOTH, id="blanks for commas"),
        pytest.param("noindex; nofollow", BOTH, id="semicolons for commas"),
        pytest.param("noindex, noindex", {"noindex": True}, id="twice"),
        pytest.param("all", {}, id="all"),
        pytest.param("index, follow", {}, id="index, follow"),
        pytest.param("noindex, follow", {"noindex": True}, id="follow beside noindex"),
        pytest.param("noindex, index, all", {"noindex": True}, id="the stricter one wins"),
        pytest.param("noarchive", {"noarchive": True}, id="noarchive"),
        pytest.param("nocache", {"noarchive": True}, id="nocache is Bing's noarchive"),
        pytest.param("nosnippet", {"nosnippet": True}, id="nosnippet"),
        pytest.param(
            "index, follow, max-image-preview:large, max-snippet:-1, max-video-preview:-1",
            {"max_image_preview": "large", "max_snippet": -1, "max_video_preview": -1},
            id="what WordPress's SEO plugins say",
        ),
        pytest.param("max-snippet: 50", {"max_snippet": 50}, id="a blank behind the colon"),
        pytest.param("max-snippet:-1, max-snippet:50, max-snippet:90", {"max_snippet": 50}, id="the least snippet"),
        pytest.param("max-snippet:0", {"max_snippet": 0, "nosnippet": True}, id="no snippet"),
        pytest.param("max-video-preview:9,max-video-preview:-1", {"max_video_preview": 9}, id="the least video"),
        pytest.param("max-image-preview:standard,max-image-preview:none", {"max_image_preview": "none"}, id="image"),
        pytest.param("max-snippet:many", {"others": ("max-snippet: many",)}, id="no number"),
        pytest.param(
            "max-snippet:" + "9" * 5_000, {"others": (("max-snippet: " + "9" * 5_000)[:200],)}, id="a huge one"
        ),
        pytest.param("max-image-preview:huge", {"others": ("max-image-preview: huge",)}, id="no size"),
        pytest.param("max-snippet, noindex", {"noindex": True, "others": ("max-snippet",)}, id="argument missing"),
        pytest.param("max-snippet: noindex", {"noindex": True, "others": ("max-snippet",)}, id="a rule for argument"),
        pytest.param("noai, noimageai", {"others": ("noai", "noimageai")}, id="known, without a field"),
        pytest.param("newrule, noindex", {"noindex": True, "others": ("newrule",)}, id="unknown"),
        pytest.param("newrule: 3, noindex", {"noindex": True, "others": ("newrule: 3",)}, id="unknown, with argument"),
        pytest.param("unavailable_after: 2020-09-21", {"unavailable_after": at(2020, 9, 21)}, id="a day"),
        pytest.param(
            "unavailable_after: 2030-01-01, unavailable_after: 2029-01-01",
            {"unavailable_after": at(2029, 1, 1)},
            id="the earlier date",
        ),
        pytest.param(
            "unavailable_after: soon, noindex", {"noindex": True, "others": ("unavailable_after: soon",)}, id="no date"
        ),
        pytest.param(
            "unavailable_after: 2 Jan 2030 10:00 none",
            BOTH | {"unavailable_after": at(2030, 1, 2, 10)},
            id="a rule is no time zone",
        ),
        pytest.param("noindex; newrule; nofollow", BOTH | {"others": ("newrule",)}, id="unknown between semicolons"),
        pytest.param("", {}, id="nothing"),
    ],
)
def test_rules_mean_the_same_in_a_header_and_in_a_tag(rules: str, said: dict[str, object]) -> None:
    assert told(of_lines(rules)) == said
    assert told(of_html(f'<meta name="robots" content="{rules}">')) == said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param(["noimageindex", "noindex", "nofollow"], {**BOTH, "others": ("noimageindex",)}, id="three lines"),
        pytest.param(["googlebot: nofollow", "otherbot: noindex, nofollow"], {}, id="others' alone"),
        pytest.param(["foobot: noindex"], {"noindex": True}, id="for this one"),
        pytest.param(["FOOBOT : noindex"], {"noindex": True}, id="any case, a blank before the colon"),
        pytest.param(["foobot/2.1: noindex"], {"noindex": True}, id="with a version"),
        pytest.param(["*: noindex"], {"noindex": True}, id="for all, by a star"),
        pytest.param(["foobot-news: noindex"], {}, id="a longer name is another's"),
        pytest.param(["nofollow", "foobot: noindex"], BOTH, id="the sum of what is said to all and to this one"),
        pytest.param(["foobot: index", "noindex"], {"noindex": True}, id="a specific line takes nothing back"),
        pytest.param(["BadBot: noindex, nofollow, foobot: nofollow"], {"nofollow": True}, id="two crawlers in a line"),
        pytest.param(["noarchive, badbot: noindex, nofollow"], {"noarchive": True}, id="all, then another"),
        pytest.param(["badbot: noindex", "nofollow"], {"nofollow": True}, id="a name holds for its line"),
        pytest.param(["badbot: max-snippet:20, noindex"], {}, id="another's rule with an argument"),
        pytest.param(
            ["foobot: newrule, noindex"], {"noindex": True, "others": ("newrule",)}, id="new rule for this one"
        ),
        pytest.param(
            ["badbot: newrule, noindex"], {"noindex": True, "others": ("badbot: newrule",)}, id="in doubt ours"
        ),
        pytest.param(
            ["unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, noindex"],
            {"noindex": True, "unavailable_after": at(2025, 12, 3, 13, 9, 53)},
            id="commas and colons of a date",
        ),
        pytest.param(
            ["badbot: unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT, noindex, foobot: noarchive"],
            {"noarchive": True},
            id="another's date",
        ),
        pytest.param(
            ["foobot: unavailable_after: 25 Jun 2010 15:00:00 PST, badbot: noindex"],
            {"unavailable_after": at(2010, 6, 25, 23)},
            id="a name before, a name behind",
        ),
        pytest.param(["*;noindex;nosnippet, foobot;"], {"noindex": True, "nosnippet": True}, id="the draft's example"),
        pytest.param(
            ["badbot;noindex, foobot;nofollow;max-snippet=5"], {"nofollow": True, "max_snippet": 5}, id="draft"
        ),
        pytest.param(['badbot;noindex, "foobot";nofollow'], {"nofollow": True}, id="draft, a quoted name"),
        pytest.param(["badbot;noindex, nofollow"], {"nofollow": True}, id="draft: a name holds up to the comma"),
        pytest.param(["\xff\x00\x85 noindex"], {"noindex": True, "others": ("ÿ\x00",)}, id="octets"),
    ],
)
def test_headers_may_name_the_crawler_they_are_for(lines: list[str], said: dict[str, object]) -> None:
    assert told(of_lines(*lines)) == said


@pytest.mark.parametrize("name", HEADERS)
def test_both_names_of_the_header_are_read(name: str) -> None:
    assert of_lines("none", name=name).evidence == {"noindex": f"{name}: none", "nofollow": f"{name}: none"}


def test_a_crawler_without_a_name_is_told_what_all_are() -> None:
    assert told(of_lines("nofollow, foobot: noindex", token=None)) == {"nofollow": True}
    assert told(of_html("<meta name=foobot content=noindex><meta name=robots content=nofollow>", token=None)) == {
        "nofollow": True
    }


@pytest.mark.parametrize(
    ("head", "said"),
    [
        pytest.param("<META NAME='ROBOTS' CONTENT='NOINDEX'>", {"noindex": True}, id="upper case"),
        pytest.param("<meta name=' robots\n' content=' noindex '>", {"noindex": True}, id="blanks"),
        pytest.param("<meta content='noindex' name='robots'/>", {"noindex": True}, id="the other way round"),
        pytest.param("<meta name=foobot content=noindex>", {"noindex": True}, id="this crawler's name"),
        pytest.param("<meta name=googlebot content=noindex>", {}, id="another crawler's name"),
        pytest.param(
            "<meta name=robots content=nofollow><meta name=foobot content=noindex>", BOTH, id="the sum of the two"
        ),
        pytest.param("<meta name=robots content=none><meta name=foobot content=all>", BOTH, id="never less"),
        pytest.param(
            "<meta name=robots content=index><meta name=robots content=noindex>", {"noindex": True}, id="twice"
        ),
        pytest.param("<meta http-equiv=X-Robots-Tag content='badbot: noindex, foobot: nofollow'>", {"nofollow": True}),
        pytest.param("<meta http-equiv=robots content=noindex>", {"noindex": True}, id="http-equiv robots"),
        pytest.param("<meta http-equiv=refresh content='0; url=/noindex'>", {}, id="another http-equiv"),
        pytest.param(
            "<meta name=robots content='badbot: noindex'>", {"noindex": True, "others": ("badbot",)}, id="no addresses"
        ),
        pytest.param("<meta name=robots content='foobot: none'>", BOTH | {"others": ("foobot",)}, id="nor this one's"),
        pytest.param("<meta name=robots>", {}, id="no content"),
        pytest.param("<meta name=description content=noindex>", {}, id="another tag"),
        pytest.param("<!-- <meta name=robots content=noindex> -->", {}, id="a comment"),
        pytest.param("<script>'<meta name=robots content=noindex>'</script>", {}, id="in a script"),
        pytest.param("<p title='<meta name=robots content=noindex>'>", {}, id="in an attribute"),
        pytest.param("<noscript><meta name=robots content=noindex></noscript>", {"noindex": True}, id="in noscript"),
        pytest.param("<meta name=robots content=noindex name=x>", {"noindex": True}, id="the first name counts"),
        pytest.param("<meta name=x name=robots content=noindex>", {}, id="the second name does not"),
        pytest.param(
            "<meta content='noindex > nofollow' name=robots>", BOTH | {"others": (">",)}, id="> before the name"
        ),
        pytest.param(
            "<meta content=x><!-- <meta --><meta name=robots content=noindex>", {"noindex": True}, id="half one"
        ),
        pytest.param("<!-- <meta x='--><meta name=robots content=noindex>", {"noindex": True}, id="one of a comment"),
        pytest.param("<meta name='&#114;obots' content='no&#x69;ndex'>", {"noindex": True}, id="character references"),
        pytest.param("<meta name='&#102;oobot' content=noindex>", {"noindex": True}, id="a reference in our name"),
        pytest.param(
            "<meta name=robots content='unavailable_after: 23-Jul-2007 18:00:00 EST'>",
            {"unavailable_after": at(2007, 7, 23, 23)},
            id="Google's first example",
        ),
    ],
)
def test_tags_speak_to_all_or_to_the_crawler_that_they_name(head: str, said: dict[str, object]) -> None:
    assert told(of_html(head)) == said


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "iso-2022-jp", "shift_jis", "cp1251"])
def test_tags_are_read_in_any_encoding(encoding: str) -> None:
    head = "<title>Я</title><meta content='Я, noindex' name=robots>"
    assert of_page({}, markup(head, encoding), "foobot").noindex


HOSTILE = [
    *("<meta", "<meta ", "<meta>", "<meta name=x>", "<meta name=robots>", "<meta name='&lt&lt&lt' http-equiv='&lt'>"),
    *("<meta name=robots content='&#32;&lt'>", "<meta content='", "robots ", "robots=", "='", "&", "<", "<!--", "a=b "),
]


@pytest.mark.parametrize("opened", ["", "<!--", "<meta ", "<meta content='", "<p a='", "<script>"])
def test_a_tag_before_hostile_text_is_read(opened: str) -> None:
    for piece in HOSTILE:
        page = f"<meta name=robots content=noindex>{opened}{piece * (200_000 // len(piece))}"
        assert of_page({}, markup(page), "foobot").noindex, piece


def test_a_tag_in_the_body_counts() -> None:
    assert of_html("", body="<div><meta name=robots content=noindex></div>").noindex


def test_tags_of_xhtml_are_read_in_their_namespace() -> None:
    page = "<html xmlns='http://www.w3.org/1999/xhtml'><head><meta name='robots' content='noindex'/></head></html>"
    assert of_page({}, markup(page), "foobot").noindex


def test_header_and_tag_add_up_and_each_field_says_where_it_comes_from() -> None:
    page = markup("<meta name=robots content='noindex, max-snippet:9'><meta http-equiv=x-robots-tag content=noarchive>")
    found = of_page({"X-Robots-Tag": [b"max-snippet: 50", b"googlebot: all, foobot: nofollow"]}, page, "foobot")
    assert found.evidence == {
        "nofollow": "X-Robots-Tag: googlebot: all, foobot: nofollow",
        "noindex": "meta robots: noindex, max-snippet:9",
        "max_snippet": "meta robots: noindex, max-snippet:9",
        "noarchive": "meta http-equiv x-robots-tag: noarchive",
    }


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("25 jun 2010 15:00:00 pst", at(2010, 6, 25, 23)),
        ("wed, 03 dec 2025 13:09:53 gmt", at(2025, 12, 3, 13, 9, 53)),
        ("wednesday, 03-dec-25 13:09:53 gmt", at(2025, 12, 3, 13, 9, 53)),
        ("wed dec  3 13:09:53 2025", at(2025, 12, 3, 13, 9, 53)),
        ("3 dec 2025 13:09 +0130", at(2025, 12, 3, 11, 39)),
        ("july 4, 2026", at(2026, 7, 4)),
        ("4 july 2026", at(2026, 7, 4)),
        ("2020-09-21", at(2020, 9, 21)),
        ("2020-09-21t10:30z", at(2020, 9, 21, 10, 30)),
        ("2020-09-21t10:30:15+02:00", at(2020, 9, 21, 8, 30, 15)),
        ("2020-09-21t10:30:15.250-0130", at(2020, 9, 21, 12, 0, 15)),
        ("2020-09-21 10:30:15 utc", at(2020, 9, 21, 10, 30, 15)),
        ("0001-01-01t00:00:00+14:00", 0.0),
        ("2020-13-01", None),
        ("2020-09-21t25:00", None),
        ("99 foo 2020", None),
        ("soon", None),
        ("", None),
    ],
    ids=str,
)
def test_dates_are_read_in_the_forms_that_google_names(text: str, moment: float | None) -> None:
    assert epoch_s(text) == moment
    found = of_lines(f"noarchive, unavailable_after: {text}, noindex")
    assert (found.unavailable_after, found.noindex, found.noarchive) == (moment, True, True)


@pytest.mark.parametrize(
    ("rules", "now", "asked"),
    [
        ("noindex", 0.0, "noindex"),
        ("none, unavailable_after: 2020-01-01", at(2030, 1, 1), "noindex"),
        ("unavailable_after: 2020-01-01", at(2020, 1, 1) - 1, None),
        ("unavailable_after: 2020-01-01", at(2020, 1, 1), "unavailable_after"),
        ("nofollow, nosnippet", at(2030, 1, 1), None),
    ],
    ids=str,
)
def test_a_page_is_kept_out_by_noindex_or_when_its_time_is_over(rules: str, now: float, asked: str | None) -> None:
    assert of_lines(rules).keeps_out(now) == asked


def test_directives_go_to_meta_as_plain_data() -> None:
    found = of_lines("noindex, newrule, max-image-preview: none").as_dict()
    assert json.loads(json.dumps(found)) == found | {"others": ["newrule"]}
    assert found.keys() == FIELDS | {"evidence"}
    assert found["noindex"] is True
    assert found["evidence"]["max_image_preview"] == "X-Robots-Tag: noindex, newrule, max-image-preview: none"


def test_what_is_read_and_kept_is_bounded() -> None:
    assert not of_lines("x " * MAX_READ, "noindex").noindex
    assert of_lines("x " * (MAX_READ // 4), "noindex").noindex
    assert not of_html("<meta name=x>" * MAX_TAGS + "<meta name=robots content=noindex>").noindex
    many = of_lines(
        *(f"{number}{'x' * 2 * MAX_SHOWN}" for number in range(2 * MAX_OTHERS)), "noindex" + " " * 999 + "all"
    )
    assert len(many.others) == MAX_OTHERS
    assert max(map(len, many.others)) == len(many.evidence["noindex"]) == MAX_SHOWN


WORDS = st.sampled_from(
    (
        *("noindex", "nofollow", "none", "all", "unavailable_after", "max-snippet", "max-image-preview", "newrule"),
        *(
            "foobot",
            "badbot",
            "*",
            ":",
            ";",
            ",",
            "=",
            '"',
            " ",
            "2020-09-21",
            "03 Dec 2025 13:09:53 GMT",
            "-1",
            "\xa0",
        ),
    )
)
LINES = st.one_of(st.lists(WORDS, max_size=30).map("".join), st.text(st.characters(max_codepoint=255), max_size=60))


@given(LINES, LINES)
def test_no_header_and_no_tag_raises(line: str, content: str) -> None:
    page = markup(
        "".join(f'<meta {name} content="{escape(content)}">' for name in ("name=robots", "http-equiv=robots-tag"))
    )
    found = of_page({"X-Robots-Tag": [line.encode("latin-1")]}, page, "foobot")
    assert found.evidence.keys() == told(found).keys() - {"others"}
    json.dumps(found.as_dict())


@given(LINES, st.sampled_from(("none", "foobot: none", "*;none")))
def test_no_line_takes_back_what_another_forbids(line: str, forbidding: str) -> None:
    found = of_lines(line, forbidding, line)
    assert (found.noindex, found.nofollow) == (True, True)
