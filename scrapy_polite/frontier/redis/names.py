"""How lanes and ranks are named on the server. A queue there is what one host has of one lane and one class.

A class is a priority and one of the kinds below: within it requests go in the order in which they came to the server,
or the last one first, or in no order. That is all that is kept of a rank: its exact number means nothing to others.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from scrapy_polite.frontier.deferral import LaneName
from scrapy_polite.frontier.shares import SHUFFLED

if TYPE_CHECKING:
    from scrapy_polite.frontier.queue import Rank

#: Orders that are this far out are of what comes back, or of start requests: `frontier.order`.
_FAR = 2**61
#: Kinds of a class, and where they stand among their priority's.
_PLACES = {
    "b": 0,  # what comes back, in order
    "f": 1,  # what was found, in order
    "l": 1,  # what was found, the last first
    "a": 1,  # in no order
    "s": 2,  # start requests, in order
    "t": 2,  # start requests, the last first
}
#: An order that stands for all of a place.
_ORDERS = (-(2**62), 0, 2**62)
_LAST_FIRST = frozenset("lt")
_USUAL = "f0"
#: The lane of queues that somebody else has written: what is in them is set aside.
UNREADABLE = "unreadable:"


class QueueClass(NamedTuple):
    """In the order in which they go: `priority` is the negative of a request's."""

    priority: int
    place: int
    kind: str

    @property
    def rank(self) -> Rank:
        """One that stands for all of the class."""
        return rank_at(self.priority, self.place)

    @property
    def last_first(self) -> bool:
        return self.kind in _LAST_FIRST


def rank_at(priority: int, place: int) -> Rank:
    return priority, _ORDERS[place]


class QueueName(NamedTuple):
    """A queue of a host as this process knows it: its lane and class."""

    lane: str
    cls: QueueClass


def class_of(lane: str, rank: Rank) -> QueueClass:
    priority, order = rank
    if order <= -_FAR:
        kind = "b"
    elif order >= _FAR:
        kind = "t" if order < 2**62 else "s"
    elif " " in lane and LaneName.read(lane).kind in SHUFFLED:
        kind = "a"
    else:
        kind = "l" if order < 0 else "f"
    return QueueClass(priority, _PLACES[kind], kind)


@lru_cache(maxsize=65_536)
def written(host: str, lane: str, cls: QueueClass) -> bytes:
    """The queue's name on the server, short for a host's usual lanes: there are as many of them as hosts."""
    for scheme, letter in (("https", "s"), ("http", "h")):
        usual = f"{scheme}://{host}"
        if lane.startswith(usual) and lane[len(usual) :].isprintable():
            name = letter + lane[len(usual) :]
            break
    else:
        name = f"={lane}" if lane.isprintable() else f"~{quote(lane, errors='surrogatepass')}"
    kind = f"{cls.kind}{cls.priority}"
    return (name if kind == _USUAL else f"{name}\t{kind}").encode("utf-8", "surrogatepass")


@lru_cache(maxsize=65_536)
def read(host: str, name: bytes) -> QueueName:
    """What `written` cannot have written is of the lane `UNREADABLE`."""
    try:
        return _read(host, name)
    except ValueError:
        return QueueName(UNREADABLE, QueueClass(0, 1, "f"))


def _read(host: str, name: bytes) -> QueueName:
    short, _, kind = name.decode("utf-8", "surrogatepass").partition("\t")
    kind = kind or _USUAL
    letter, rest = short[:1], short[1:]
    if letter not in {"s", "h", "=", "~"} or kind[0] not in _PLACES:
        raise ValueError(f"no queue is called {name!r}")
    if letter == "=":
        lane = rest
    elif letter == "~":
        lane = unquote(rest, errors="surrogatepass")
    else:
        lane = f"{'https' if letter == 's' else 'http'}://{host}{rest}"
    return QueueName(lane, QueueClass(int(kind[1:]), _PLACES[kind[0]], kind[0]))
