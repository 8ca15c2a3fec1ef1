"""URLs that have a server run a program, for sites whose administrators ask that these be left alone.

Two rules. Gateways (CGI, FastCGI, ISAPI, servlets) are known by their path, as ht://Dig knows them (`exclude_urls:
/cgi-bin/ .cgi`) and mnoGoSearch (`Disallow */cgi-bin/* *.cgi */nph-*`); PHP, ASP and their like are none, being all
that many sites have. And of the URLs with a query so many are visited of each path.
"""

from __future__ import annotations

import re
from collections import OrderedDict

from scrapy_polite.robots.paths import normal_path, path_of

#: Paths that a budget remembers: of one not met for so long the count begins anew.
MAX_PATHS = 4_096

_LOOKED_AT = 16_384
_MAX_SHOWN = 200

#: Of a path, with the "?" behind it if it has a query.
_GATEWAY = re.compile(
    # Folders of programs, as servers and hosters name them.
    r"/(?:[sf]?cgi(?:[-_]?bin)?[0-9]?|cgi[-_](?:win|local|sys)|u?htbin|isapi|servlet)[/;]"
    # Programs by name; what follows as a path is given to them (RFC 3875 §4.1.5).
    r"|/[^/;?]*\.(?:s?cgi|fcgi?|fpl)(?=[/;?]|\Z)"
    r"|/nph-[^/;?]*"
    # These are also there to be downloaded, unless something is given to them.
    r"|/[^/;?]*\.(?:(?:dll|exe)/(?=[^?])|(?:dll|exe|pl)\?)",
    re.IGNORECASE,
)


def gateway(url: str) -> str | None:
    """Return the piece of a URL's path that names a gateway (200 characters of it); None where nothing does.

    Any string will do; nothing is raised. The piece is the network's text, to be escaped before it is shown.
    """
    path, mark, _ = path_of(url[:_LOOKED_AT]).partition("?")
    found = _GATEWAY.search(normal_path(path) + mark)
    return found[0][:_MAX_SHOWN] if found else None


class QueryBudget:
    """The first `limit` URLs with a query of each path, as they come; the order of parameters makes another URL.

    Raises ValueError for a negative limit. It holds at most `limit` hashes for each of `MAX_PATHS` paths.
    """

    __slots__ = ("_limit", "_paths")

    def __init__(self, limit: int) -> None:
        if limit < 0:
            raise ValueError(f"limit={limit!r}: expected 0 or more")
        self._limit = limit
        self._paths: OrderedDict[int, set[int]] = OrderedDict()

    def exceeded(self, url: str) -> str | None:
        """Count a URL, once however often it is asked; return the evidence where it is beyond the budget."""
        path, _, query = url.partition("#")[0].partition("?")
        if not query:
            return None
        queries = self._paths.setdefault(hash(path), set())
        self._paths.move_to_end(hash(path))
        if len(self._paths) > MAX_PATHS:
            self._paths.popitem(last=False)
        if hash(query) in queries:
            return None
        if len(queries) >= self._limit:
            return f"more than {self._limit} URLs with a query at {path[:_MAX_SHOWN]}"
        queries.add(hash(query))
        return None
