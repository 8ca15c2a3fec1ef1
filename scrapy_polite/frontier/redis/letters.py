"""What was set aside, and why, as it stands on the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import IDEMPOTENT, DeadLetter
from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.payload import unpacked

if TYPE_CHECKING:
    from scrapy import Spider

    from scrapy_polite.frontier.codec import Codec

#: Processes that die with a request, before it is taken for what brings them down: in `head_operations.lua`.
MAX_DEATHS = 3

_WHY = {
    "unrepeated": "it was in flight when its process ended, and may not be repeated unasked",
    "poison": f"{MAX_DEATHS} processes ended while it was in flight",
    "unreadable": "it cannot be read",
}


def letter_of(written: bytes, codec: Codec, spider: Spider | None) -> DeadLetter:
    """`written`: why, host, queue and body, a line each."""
    reason, host, queue, body = written.split(b"\n", 3)
    why = _WHY.get(reason.decode("ascii", "replace"), "set aside")
    try:
        lane = names.read(host.decode("utf-8", "surrogatepass"), queue).lane
        request = codec.decode(unpacked(body[1:], lane), spider)
    except ValueError as error:
        return DeadLetter("", "", f"{why}; it cannot be read: {error}")
    return DeadLetter(request.url, request.method, why, request if request.method not in IDEMPOTENT else None)
