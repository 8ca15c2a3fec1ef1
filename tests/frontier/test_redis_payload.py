"""How requests stand on the server."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.frontier.redis.payload import packed, unpacked

LANE = "https://www.example.com"


@given(st.binary(), st.text())
def test_what_is_packed_comes_back_whatever_the_lane_and_is_never_longer(encoded: bytes, lane: str) -> None:
    written = packed(b"J" + encoded, lane)
    assert unpacked(written, lane) == b"J" + encoded
    assert len(written) <= 1 + len(encoded)


def test_a_plain_request_of_its_lane_takes_half_of_its_json_or_less() -> None:
    encoded = b'J{"url":"https://www.example.com/2024/some-news.html","meta":{"depth":3}}'
    assert len(packed(encoded, LANE)) <= len(encoded) // 2


@pytest.mark.parametrize(
    "body",
    [
        b"Z",
        b"Znothing of the kind",
        packed(b'J{"url":"https://www.example.com/1"}', LANE)[:-4],
        b"Z" + zlib.compressobj(wbits=-12).flush(zlib.Z_FULL_FLUSH),
    ],
    ids=["nothing", "something else", "cut off", "without an end"],
)
def test_what_is_no_packed_request_is_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        unpacked(body, LANE)


def test_no_more_is_unpacked_than_a_request_may_be() -> None:
    stream = zlib.compressobj(wbits=-12)
    with pytest.raises(ValueError, match="more than 67,108,864 bytes"):
        unpacked(b"Z" + stream.compress(bytes(65 * 2**20)) + stream.flush(), LANE)
