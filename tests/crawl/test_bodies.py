"""Bodies that are long, packed, slow or no robots.txt at all, by one crawl; the servers' logs are the witnesses."""

from __future__ import annotations

import gzip
import threading
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from crawls import Crawled, crawl
from webserver import Answer, Origin, self_signed

#: What the crawl asks of every origin; under TEXT the first is allowed.
PAGES = ("/page", "/private/page", "/late/page")
TEXT = b"User-agent: *\nDisallow: /private\n"
OBEYED, OPEN = ["/late/page", "/page"], ["/late/page", "/page", "/private/page"]
CLOSED: list[str] = []
#: For a whole robots.txt; on a busy machine all but the drip come well within it.
TIMEOUT_S = 10
MB = 1024 * 1024


@dataclass(frozen=True)
class Case:
    answer: Answer
    pages: list[str]
    max_sent_bytes: int | None = None


class Endless:
    """`start`, then `piece` so often: a body made while it is sent. Every try gets it anew."""

    def __init__(self, start: bytes, piece: bytes, times: int, pause_s: float = 0.0) -> None:
        self.start, self.piece, self.times, self.pause_s = start, piece, times, pause_s

    def __len__(self) -> int:
        return len(self.start) + len(self.piece) * self.times

    def __iter__(self) -> Iterator[bytes]:
        yield self.start
        for _ in range(self.times):
            threading.Event().wait(self.pause_s)
            yield self.piece


def bomb(gigabytes: int) -> Endless:
    """Rules, then comments without end, in deflate blocks that are alike: some 1 MB on the wire for each GB."""
    pack = zlib.compressobj(9, wbits=31)
    start = pack.compress(TEXT) + pack.flush(zlib.Z_FULL_FLUSH)
    piece = pack.compress(b"#" * MB) + pack.flush(zlib.Z_FULL_FLUSH)
    return Endless(start, piece, 1024 * gigabytes)


COMMENTS = b"# nothing to see here\n" * 3_000  # 66 kB
LONG = Endless(TEXT, COMMENTS, 800)  # 53 MB
LATE_RULE = TEXT + b"#" * 512_000 + b"\nDisallow: /late\n"
EARLY_RULE = TEXT + b"#" * 400_000 + b"\nDisallow: /late\n"
RAW_DEFLATE = zlib.compressobj(wbits=-15)
RAW_DEFLATED = RAW_DEFLATE.compress(TEXT) + RAW_DEFLATE.flush()


def packed(coding: str, body: bytes) -> Answer:
    return Answer(body=body, headers={"Content-Encoding": coding, "Content-Type": "text/plain"})


BUFFERS = 12 * MB  # more than the sockets of both sides hold
CASES = {
    "53 MB": Case(Answer(body=LONG, promise=len(LONG)), OBEYED, BUFFERS),
    "53 MB, length not told": Case(Answer(body=LONG), OBEYED, BUFFERS),
    "53 MB, as 404": Case(Answer(404, body=LONG), OPEN, BUFFERS),
    "a rule within 500 KiB": Case(Answer(body=EARLY_RULE), ["/page"]),
    "a rule beyond 500 KiB": Case(Answer(body=LATE_RULE), OBEYED),
    "a gzip bomb": Case(
        Answer(body=bomb(gigabytes=1), headers={"Content-Encoding": "gzip", "Content-Type": "text/plain"}), OBEYED
    ),
    "gzip though identity was asked for": Case(packed("gzip", gzip.compress(TEXT)), OBEYED),
    "gzip of several members": Case(packed("gzip", gzip.compress(b"# 1\n") + gzip.compress(TEXT)), OBEYED),
    "x-gzip": Case(packed("X-GZip", gzip.compress(TEXT)), OBEYED),
    "deflate": Case(packed("deflate", zlib.compress(TEXT)), OBEYED),
    "deflate without zlib's frame": Case(packed("deflate", RAW_DEFLATED), OBEYED),
    "no length, no chunks": Case(Answer(body=iter([TEXT[:7], TEXT[7:]])), OBEYED),
    "slow, but in time": Case(Answer(body=Endless(TEXT, b"#\n", 3, pause_s=0.1)), OBEYED),
    "a slow drip without end": Case(Answer(body=Endless(TEXT, b"#\n", 600, pause_s=0.1)), CLOSED),
    "nothing": Case(Answer(), OPEN),
    "HTML": Case(
        Answer(
            body=b"<!DOCTYPE html>\n<html><body>\n<p>User-agent: *<br>Disallow: /</p>\n</body></html>\n",
            headers={"Content-Type": "text/html"},
        ),
        OPEN,
    ),
    "HTML with rules in lines of their own": Case(
        Answer(body=b"<html><body><pre>\n" + TEXT + b"</pre>\n", headers={"Content-Type": "text/html"}), OBEYED
    ),
    "byte order mark and CR": Case(Answer(body=b"\xef\xbb\xbf" + TEXT.replace(b"\n", b"\r")), OBEYED),
    "bytes that are no UTF-8": Case(Answer(body=b"\xff\xfe\x00" + TEXT[:1] + b"\n" + TEXT), OBEYED),
}


#: Headers without end, by name.
ENDLESS_HEADERS = {
    "header lines without end": Endless(b"", b"X-Again: and again\r\n" * 3_000, 800),  # 50 MB
    "a header line without end": Endless(b"X-Again: ", b"and again" * 7_000, 800),
}
CASES |= {
    name: Case(Answer(body=TEXT, more_headers=headers), CLOSED, BUFFERS) for name, headers in ENDLESS_HEADERS.items()
}


@dataclass(frozen=True)
class Visit:
    crawled: Crawled
    origins: dict[str, Origin]


@pytest.fixture(scope="module")
def visit(loop_mode: str) -> Visit:
    with ExitStack() as stack:
        origins = {
            name: stack.enter_context(Origin({"/robots.txt": case.answer}, f"127.0.1.{number}"))
            for number, (name, case) in enumerate(CASES.items(), 1)
        }
        settings = {"CONCURRENT_REQUESTS": 100, "POLITE_ROBOTS_TIMEOUT": TIMEOUT_S, "POLITE_ROBOTS_ATTEMPTS": 1}
        urls = [origin.url + path for origin in origins.values() for path in PAGES]
        return Visit(crawl(loop_mode, urls, settings), origins)


@pytest.mark.parametrize("name", CASES)
def test_whatever_the_body_what_can_be_read_of_it_is_obeyed(visit: Visit, name: str) -> None:
    assert sorted(visit.origins[name].pages()) == CASES[name].pages
    assert visit.origins[name].robots_fetches() == 1


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.max_sent_bytes])
def test_no_more_is_taken_from_a_server_than_needed(visit: Visit, name: str) -> None:
    assert visit.origins[name].sent_bytes < (CASES[name].max_sent_bytes or 0)


@pytest.mark.parametrize("headers", ENDLESS_HEADERS.values(), ids=ENDLESS_HEADERS)
@pytest.mark.parametrize("tls", [False, True], ids=["http", "https"])
def test_headers_without_end_are_bounded_of_pages_too(
    loop_mode: str, tmp_path: Path, headers: Endless, tls: bool
) -> None:
    secure = self_signed(tmp_path, "127.0.0.1") if tls else None
    with Origin({"/page": Answer(more_headers=headers)}, tls=secure) as site:
        crawled = crawl(loop_mode, [f"{site.url}/page"])
    assert len(crawled.errors) == 1
    assert site.sent_bytes < BUFFERS


@pytest.mark.parametrize("name", ENDLESS_HEADERS)
def test_headers_without_end_are_told_as_that(visit: Visit, loop_mode: str, name: str) -> None:
    (told,) = visit.crawled.logged("WARNING", f"{visit.origins[name].url}/robots.txt is unreachable (")
    assert loop_mode == "reactorless" or "unreachable (headers longer than 256 KiB)" in told


def test_bodies_of_a_gigabyte_leave_the_memory_as_it_is(visit: Visit) -> None:
    assert visit.crawled.peak_rss_bytes - visit.crawled.stats["memusage/startup"] < 50 * MB


def test_a_drip_is_cut_off_by_the_time_out_of_the_whole_fetch(visit: Visit) -> None:
    origin = visit.origins["a slow drip without end"]
    errors = [error["error"] for error in visit.crawled.errors if error["url"].startswith(f"{origin.url}/")]
    assert errors == [f"IgnoreRequest: Refused by robots/unreachable: timed out after {TIMEOUT_S} s"] * len(PAGES)


def test_the_explained_line_is_that_of_the_file_as_sent(visit: Visit) -> None:
    url = visit.origins["byte order mark and CR"].url
    assert {
        "url": f"{url}/private/page",
        "error": "IgnoreRequest: Refused by robots/disallow: line 2: Disallow: /private",
    } in visit.crawled.errors


def test_a_robots_txt_that_is_cut_is_told_once(visit: Visit) -> None:
    beyond, within = (f"{visit.origins[f'a rule {place} 500 KiB'].url}/robots.txt" for place in ("beyond", "within"))
    (told,) = visit.crawled.logged("WARNING", f"{beyond} is longer than 500 KiB: what stands behind that is not read")
    assert "may disallow pages that are fetched" in told
    assert visit.crawled.logged("WARNING", f"{within} is longer") == []


def test_half_a_rule_at_the_size_limit_is_no_rule(loop_mode: str) -> None:
    begin = b"User-agent: *\nDisallow: /\n"
    filler = b"# " + b"x" * 997 + b"\n"
    body = begin + filler * ((512_000 - len(begin)) // len(filler))
    body += b"#" * (512_000 - len(body) - len(b"\nAllow: /")) + b"\nAllow: /public-only/\n"
    assert body[:512_000].endswith(b"\nAllow: /")
    with Origin({"/robots.txt": Answer(body=body)}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/secret"])
    assert site.pages() == []
    assert crawled.refused[0]["reason"] == "robots/disallow"
