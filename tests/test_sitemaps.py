"""What sitemaps list, and what hostile ones cost."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable

import pytest

from scrapy_polite.sitemaps import reader
from scrapy_polite.sitemaps.reader import MAX_URLS, Entry, SitemapReader
from scrapy_polite.sitemaps.unpacking import MAX_BYTES, PIECE

NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
ONE = f"<?xml version='1.0'?><urlset {NS}><url><loc> http://h/a?b&amp;c </loc></url></urlset>".encode()
A = Entry("http://h/a?b&c")


def read(body: bytes) -> tuple[list[Entry], str]:
    sitemap, found = SitemapReader(body), []
    while not sitemap.ended:
        found += sitemap.read()
    return found, sitemap.fault


@pytest.mark.parametrize(
    ("body", "entries"),
    [
        pytest.param(ONE, [A], id="XML"),
        pytest.param(b"\xef\xbb\xbf\n" + ONE[21:], [A], id="BOM"),
        pytest.param(ONE[21:].decode().encode("utf-16"), [A], id="UTF-16"),
        pytest.param(gzip.compress(ONE), [A], id="gzip"),
        pytest.param(gzip.compress(gzip.compress(ONE)), [A], id="gzip twice"),
        pytest.param(gzip.compress(ONE[:50]) + gzip.compress(ONE[50:]) + b"\0\0", [A], id="gzip in two members"),
        pytest.param(b"http://h/a?b&c\r\n\nhttps://h/\xc3\xbc", [A, Entry("https://h/\u00fc")], id="a list"),
        pytest.param(
            f"<sitemapindex {NS}><sitemap><loc>http://h/s</loc><lastmod>2026-11-01</lastmod></sitemap></sitemapindex>".encode(),
            [Entry("http://h/s", "2026-11-01", "", is_sitemap=True)],
            id="an index",
        ),
        pytest.param(
            b"<urlset><url><loc>http://h/a</loc><lastmod>2026-11-01T10:00:00Z</lastmod><changefreq>Daily</changefreq>"
            b"</url><url><lastmod>soon</lastmod><changefreq>often</changefreq><loc>http://h/b</loc></url></urlset>",
            [Entry("http://h/a", "2026-11-01T10:00:00Z", "daily"), Entry("http://h/b")],
            id="when it changes",
        ),
        pytest.param(
            b"<urlset xmlns:i='x'><url><loc>http://h/a</loc><i:image><i:loc>http://h/i.png</i:loc></i:image></url></urlset>",
            [Entry("http://h/a")],
            id="images are no pages",
        ),
        pytest.param(
            b"<rss><channel><link>http://h/</link><item><link>http://h/a</link><pubDate>Sun, 01 Nov 2026 10:00:00 GMT"
            b"</pubDate></item></channel></rss>",
            [Entry("http://h/a", "2026-11-01T10:00:00Z")],
            id="RSS",
        ),
        pytest.param(
            b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='http://h/'/><entry><link rel='self' href='http://h/x'/>"
            b"<link href='http://h/a'/><updated>2026-11-01T10:00:00Z</updated></entry></feed>",
            [Entry("http://h/a", "2026-11-01T10:00:00Z")],
            id="Atom",
        ),
        pytest.param(b"<urlset><url><loc>http://h/a?b&c</loc></url></urlset>", [A], id="an ampersand as it is"),
        pytest.param(b"<urlset><url><loc><![CDATA[http://h/a?b&c]]></loc></url></urlset>", [A], id="CDATA"),
        *(
            pytest.param(
                b"<urlset>" + b" " * (PIECE - 8 - len(before)) + before + after,
                [A],
                id=f"torn within {before.decode()[-9:]}",
            )
            for before, after in (
                (b"<url><loc><!", b"[CDATA[http://h/a?b&c]]></loc></url></urlset>"),
                (b"<url><loc><![CDATA", b"[http://h/a?b&c]]></loc></url></urlset>"),
                (b"<url><loc>http://h/a?b&", b"c</loc></url></urlset>"),
                (b"<url><loc>http://h/a?b&am", b"p;c</loc></url></urlset>"),
            )
        ),
    ],
)
def test_what_a_sitemap_lists(body: bytes, entries: list[Entry]) -> None:
    assert read(body) == (entries, "")


@pytest.mark.parametrize(
    ("body", "count", "fault"),
    [
        pytest.param(b"", 0, "empty", id="nothing"),
        pytest.param(b"<!doctype html><html><body>", 0, "a web page", id="HTML"),
        pytest.param(b"<kml></kml>", 0, "no sitemap (<kml>)", id="another XML"),
        pytest.param(b"Not found", 0, "neither XML nor a list of URLs", id="a text"),
        pytest.param(b"\0\1" * 9_000, 0, "neither XML nor a list of URLs", id="bytes"),
        pytest.param(b"<", 0, "broken XML", id="no XML"),
        pytest.param(b"<urlset><url><loc>" + b"a" * 70_000, 0, "a value of more than 65,536", id="a long value"),
        pytest.param(gzip.compress(ONE)[:-4], 1, "broken gzip (it ends too soon)", id="gzip that ends too soon"),
        pytest.param(b"<urlset>" + b"<a/>" * 9, 0, "more than 8 elements", id="elements of nothing"),
        pytest.param(b"http://h/a\n" * (MAX_URLS + 1), MAX_URLS, f"more than {MAX_URLS:,} URLs", id="too many"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, count: int, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_ELEMENTS", 8)
    found, why = read(body)
    assert len(found) == count
    assert why.startswith(fault)


# A body is made by its own test: all of them take a second.
ENTITIES = b"<!DOCTYPE x [<!ENTITY a0 'http://h/'>%s]><urlset><url><loc>&a20;</loc></url></urlset>" % b"".join(
    b"<!ENTITY a%d '%s'>" % (number, b"&a%d;" % (number - 1) * 10) for number in range(1, 21)
)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(lambda: gzip.compress(b"<urlset>" + b" " * 4 * MAX_BYTES), id="gzip of blanks"),
        pytest.param(lambda: gzip.compress(b"<urlset>" + b"<a/>" * 200_000), id="elements"),
        pytest.param(lambda: gzip.compress(b"<urlset>" + b"<a>" * 200_000), id="depth"),
        pytest.param(lambda: gzip.compress(b"<urlset><url><loc>" + b"a" * MAX_BYTES), id="a long value"),
        pytest.param(lambda: gzip.compress(b"<urlset a='" + b"a" * MAX_BYTES), id="a long attribute"),
        pytest.param(lambda: ENTITIES, id="entities"),
        pytest.param(
            lambda: b"<urlset><url " + b" ".join(b"a%d=''" % n for n in range(500_000)) + b"/>", id="attributes"
        ),
        pytest.param(lambda: b"<urlset>" + b"".join(b"<a%d/>" % n for n in range(500_000)), id="names"),
        pytest.param(lambda: b"<urlset><!--" + b">" * MAX_BYTES, id="a comment"),
        pytest.param(lambda: b"<!DOCTYPE x SYSTEM 'file:///etc/passwd'><urlset/>", id="another file"),
    ],
)
def test_a_bomb_is_left(body: Callable[[], bytes]) -> None:
    made = body()
    tracemalloc.start()
    try:
        assert read(made)[0] == []
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
