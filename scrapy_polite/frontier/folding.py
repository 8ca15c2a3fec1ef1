"""Seeds in a queue in memory, of which there may be many thousands, as tuples of what each has of its own.

A full collection of the garbage collector visits each object that could be part of a cycle, and the crawl stands still
meanwhile. A request is ten such objects (50,000 of them take 110 to 170 ms), a tuple of numbers, strings and bytes is
none, for as long as there is no dict in it.
"""

from __future__ import annotations

from collections import Counter
from marshal import dumps, loads
from operator import attrgetter
from typing import TypeAlias

from scrapy import Request

from scrapy_polite.services.seeds import template_of

#: The number of the template, URL, meta.
Folded: TypeAlias = "tuple[int, str, bytes]"
#: What a seed has in common with its template.
_common = attrgetter(*(name for name in Request.attributes if name not in ("url", "meta")))


class Folding:
    def __init__(self) -> None:
        self._templates: dict[int, Request] = {}
        self._uses: Counter[int] = Counter()

    def fold(self, request: Request) -> Request | Folded:
        """What is to be kept: the request itself, unless it is one of many. If somebody has
        changed more than its meta, or put objects there, it stays as it is."""
        template = template_of(request)
        if template is None or _common(request) != _common(template):
            return request
        try:
            meta = dumps(request.meta)
        except ValueError:
            return request
        number = id(template)
        self._templates[number] = template
        self._uses[number] += 1
        return number, request.url, meta

    def unfold(self, kept: Request | Folded) -> Request:
        """The request; to be called once of each."""
        if isinstance(kept, Request):
            return kept
        number, url, meta = kept
        request = self._templates[number].replace(url=url, meta=loads(meta))  # noqa: S302 (our own bytes)
        self._uses[number] -= 1
        if not self._uses[number]:
            del self._templates[number], self._uses[number]
        return request

    def clear(self) -> None:
        self._templates.clear()
        self._uses.clear()
