"""In which order the requests of one lane go: by priority, then first in, first out, unless the project says otherwise.

Start requests as in Scrapy's queues (2.13 on): after others of their priority, in the order in which they were yielded.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy.utils.python import global_object_name

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.settings import BaseSettings
    from typing_extensions import Self

    from scrapy_polite.frontier.queue import Rank

#: The order numbers of requests of equal priority, from first to last: what comes back, what is found, start requests.
_BACK, _FOUND, _START = -(2**62), 0, 2**62
#: A rank is of 64 bits. A request may ask for more: a redirect or a retry adds to a priority of `sys.maxsize`, say.
_MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Order:
    """`start` is the order among start requests, "" where they are nothing special; orders are `breadth` or `depth`."""

    found: str = "breadth"
    start: str = "breadth"

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """POLITE_ORDER, else what the project's own choice of Scrapy's queue classes means."""
        kind = "DISK" if settings["JOBDIR"] else "MEMORY"
        name = f"SCHEDULER_{kind}_QUEUE"
        chosen = settings[name] if settings.getpriority(name) else None
        start = settings[f"SCHEDULER_START_{kind}_QUEUE"]
        return cls(settings["POLITE_ORDER"] or _order_of(chosen), _order_of(start) if start else "")

    def rank(self, request: Request, number: int) -> Rank:
        """The rank of the `number`th request of a crawl."""
        is_start = self.start and request.meta.get("is_start_request")
        base, order = (_START, self.start) if is_start else (_FOUND, self.found)
        return _first_part(request), base + (-number if order == "depth" else number)

    @staticmethod
    def rank_back(request: Request, number: int) -> Rank:
        """The rank of one that comes back: ahead of its equals."""
        return _first_part(request), _BACK + number

    def __str__(self) -> str:
        return f"by priority, then {self.found} first"


def _first_part(request: Request) -> int:
    return max(-_MOST, min(-request.priority, _MOST))


def _order_of(queue: object) -> str:
    name = queue if isinstance(queue, str) else global_object_name(queue) if queue else ""
    return "depth" if "lifo" in name.rpartition(".")[2].lower() else "breadth"
