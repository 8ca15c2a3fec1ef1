"""At opening: what an earlier run had popped and not acknowledged is queued again, or set aside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import IDEMPOTENT, DeadLetter
from scrapy_polite.frontier.sqlite.batch import SET_ASIDE

if TYPE_CHECKING:
    import sqlite3

    from scrapy import Spider

    from scrapy_polite.frontier.codec import Codec

MAX_POPS = 3
"""What was popped so often without being acknowledged is set aside: it may be what brings the crawl down."""

_POPPED = "SELECT id, lane, priority, place, pops, request FROM requests JOIN popped USING (id)"
_FIRST = "SELECT min(place) FROM requests WHERE lane = ? AND priority = ?"
_REQUEUE = "UPDATE requests SET place = ?, pops = ? WHERE id = ?"


def requeue_in_flight(db: sqlite3.Connection, codec: Codec, spider: Spider | None) -> list[DeadLetter]:
    """Queue again what was popped and not acknowledged, ahead of its equals; set aside what must not be repeated."""
    set_aside = []
    # From the last to the first: each goes ahead of those before.
    for number, lane, priority, _, pops, request in db.execute(
        f"{_POPPED} ORDER BY priority, place DESC, id DESC"
    ).fetchall():
        url = method = why = ""
        unrepeated = None
        try:
            decoded = codec.decode(request, spider)
        except ValueError as error:
            why = f"cannot be read: {error}"
        else:
            url, method = decoded.url, decoded.method
            if method not in IDEMPOTENT:
                unrepeated = decoded
                why = "it was in flight when the crawl was broken off, and may not be repeated unasked"
            elif pops + 1 >= MAX_POPS:
                why = f"the crawl was broken off {pops + 1} times while it was in flight"
        if why:
            set_aside.append(DeadLetter(url, method, why, unrepeated))
            db.execute(SET_ASIDE, (url, method, why, number))
            db.execute("DELETE FROM requests WHERE id = ?", (number,))
        else:
            first = db.execute(_FIRST, (lane, priority)).fetchone()[0]
            db.execute(_REQUEUE, (first - 1, pops + 1, number))
    db.execute("DELETE FROM popped")
    db.execute("DELETE FROM lanes WHERE id NOT IN (SELECT lane FROM requests)")
    return set_aside
