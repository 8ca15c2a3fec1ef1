"""Taking in a body: whole or cut, plain or packed, in whatever pieces it comes."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Callable, Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.robots.body import BoundedBody

TEXT = b"User-agent: *\nDisallow: /private\n"
LIMIT = 1_000


def raw_deflate(data: bytes) -> bytes:
    pack = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return pack.compress(data) + pack.flush()


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda data: data,
    "identity": lambda data: data,
    "Identity ": lambda data: data,
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZIP": gzip.compress,
    "deflate": zlib.compress,
    "deflate (raw)": raw_deflate,
}
try:  # the libraries that Scrapy 2.17 and later brings, in versions that can be bounded
    import brotli
    from backports import zstd
except ImportError:
    NEWER_CODINGS = False
else:
    NEWER_CODINGS = hasattr(brotli.Decompressor, "can_accept_more_data")
if NEWER_CODINGS:
    CODINGS |= {"br": brotli.compress, "zstd": zstd.compress}


def take(coding: str, pieces: Iterable[bytes], max_bytes: int = LIMIT) -> BoundedBody:
    intake = BoundedBody(max_bytes)
    intake.start(coding.partition(" (")[0])
    for piece in pieces:
        if intake.feed(piece):
            break
    intake.end()
    return intake


def in_pieces(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize("size", [1, 2, 3, 10_000])
@pytest.mark.parametrize("coding", CODINGS)
def test_a_body_comes_out_as_it_was_whatever_the_pieces(coding: str, size: int) -> None:
    intake = take(coding, in_pieces(CODINGS[coding](TEXT), size))
    assert (intake.body, intake.truncated, intake.broken) == (TEXT, False, "")


@pytest.mark.parametrize("coding", CODINGS)
def test_an_empty_body_is_not_broken(coding: str) -> None:
    assert take(coding, []).broken == take(coding, [CODINGS[coding](b"")]).broken == ""


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize(
    ("length", "truncated"), [(LIMIT - 1, False), (LIMIT, False), (LIMIT + 1, True), (9_999, True)]
)
@pytest.mark.parametrize("size", [1, 64, 10_000])
def test_a_body_is_cut_at_the_limit_and_says_so(coding: str, length: int, truncated: bool, size: int) -> None:
    body = bytes(number * number % 251 for number in range(length))
    intake = take(coding, in_pieces(CODINGS[coding](body), size))
    whole_lines = body[: max(body.rfind(b"\n", 0, LIMIT + 1), body.rfind(b"\r", 0, LIMIT + 1))]
    assert 0 < len(whole_lines) < LIMIT
    assert (intake.body, intake.truncated, intake.broken) == (whole_lines if truncated else body, truncated, "")


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        pytest.param(b"a" * (LIMIT - 1) + b"\nAllow: /", b"a" * (LIMIT - 1), id="a line that ends at the limit"),
        pytest.param(b"a" * LIMIT + b"\nAllow: /", b"a" * LIMIT, id="a line as long as the limit"),
        pytest.param(b"Disallow: /\rAllow: /" + b"a" * LIMIT, b"Disallow: /", id="half a line"),
        pytest.param(b"a" * 2 * LIMIT, b"", id="no line end"),
    ],
)
def test_of_a_body_that_is_too_long_whole_lines_are_kept(body: bytes, kept: bytes) -> None:
    assert take("identity", in_pieces(body, 64)).body == kept


@pytest.mark.parametrize(
    ("coding", "data"),
    [
        pytest.param("gzip", TEXT, id="no gzip"),
        pytest.param("gzip", gzip.compress(TEXT)[:5], id="gzip, head only"),
        pytest.param("gzip", gzip.compress(TEXT)[:-1], id="gzip without its last byte"),
        pytest.param("gzip", gzip.compress(TEXT)[:-8] + b"\0" * 8, id="gzip with a wrong check sum"),
        pytest.param("gzip", gzip.compress(TEXT) + gzip.compress(TEXT)[:-3], id="gzip, second member breaks off"),
        pytest.param("gzip", gzip.compress(b"") * 200, id="gzip of members without end"),
        pytest.param("gzip", zlib.compress(TEXT), id="deflate as gzip"),
        pytest.param("deflate", TEXT, id="no deflate"),
        pytest.param("deflate", zlib.compress(TEXT)[:-1], id="deflate without its last byte"),
        pytest.param("deflate", raw_deflate(TEXT)[:-1], id="raw deflate without its last byte"),
        pytest.param("deflate", b"x", id="deflate of one byte"),
        pytest.param("compress", TEXT, id="a coding that is not known"),
        pytest.param("br", TEXT, id="no br"),
        pytest.param("zstd", TEXT, id="no zstd"),
        pytest.param("gzip, gzip", gzip.compress(gzip.compress(TEXT)), id="two codings"),
        pytest.param("x" * 9_000, TEXT, id="a coding with an endless name"),
    ],
)
@pytest.mark.parametrize("size", [1, 10_000])
def test_what_cannot_be_decoded_is_broken_and_says_why_in_short(coding: str, data: bytes, size: int) -> None:
    assert 0 < len(take(coding, in_pieces(data, size)).broken) < 200


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(gzip.compress(TEXT[:9]) + gzip.compress(TEXT[9:]), id="members"),
        pytest.param(gzip.compress(TEXT) + b"\0" * 100, id="padding"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_all_members_of_a_gzip_body_count_and_padding_does_not(data: bytes, size: int) -> None:
    intake = take("gzip", in_pieces(data, size))
    assert (intake.body, intake.broken) == (TEXT, "")


@pytest.mark.skipif(not NEWER_CODINGS, reason="brotli >= 1.2 and backports.zstd are not installed")
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_all_frames_of_a_zstd_body_count(size: int) -> None:
    intake = take("zstd", in_pieces(zstd.compress(TEXT[:9]) + zstd.compress(TEXT[9:]), size))
    assert (intake.body, intake.broken) == (TEXT, "")


@pytest.mark.skipif(not NEWER_CODINGS, reason="brotli >= 1.2 and backports.zstd are not installed")
@pytest.mark.parametrize("coding", ["br", "zstd"])
def test_a_newer_coding_that_breaks_off_is_broken(coding: str) -> None:
    assert take(coding, [CODINGS[coding](TEXT)[:-1]]).broken


@pytest.mark.skipif(not NEWER_CODINGS, reason="brotli >= 1.2 and backports.zstd are not installed")
def test_a_zstd_frame_that_asks_for_a_great_window_is_broken() -> None:
    greedy = zstd.compress(TEXT * 1_000_000, options={zstd.CompressionParameter.window_log: 27})
    assert take("zstd", [greedy]).broken


@pytest.mark.parametrize("coding", [coding for coding in CODINGS if coding.strip().lower() not in ("", "identity")])
def test_a_bomb_costs_no_more_than_the_limit(coding: str) -> None:
    bomb = CODINGS[coding](TEXT + b"#\n" * 25_000_000)
    tracemalloc.start()
    try:
        intake = take(coding, [bomb], max_bytes=100_000)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert intake.truncated
    assert intake.body.startswith(TEXT)
    assert 99_990 < len(intake.body) <= 100_000
    assert peak_bytes < 1_000_000


def test_blocks_that_hold_nothing_come_to_an_end() -> None:
    pack = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    block = pack.flush(zlib.Z_FULL_FLUSH)
    intake = take("deflate", (block for _ in range(10_000)))
    assert intake.broken == "it is longer compressed than it may be plain"


def test_a_second_response_starts_anew() -> None:
    intake = BoundedBody(LIMIT)
    intake.start("gzip")
    intake.feed(b"no gzip")
    intake.start("")
    intake.feed(TEXT)
    intake.end()
    assert (intake.body, intake.broken) == (TEXT, "")


@given(st.sampled_from([*CODINGS, "compress"]), st.lists(st.binary()))
def test_no_bytes_raise_or_lead_beyond_the_limit(coding: str, pieces: list[bytes]) -> None:
    assert len(take(coding, pieces, max_bytes=100).body) <= 100
