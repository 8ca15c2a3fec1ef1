"""What this process finds out of the traps of a host is kept with the host, for whoever has it next: a later run of the
same job directory, or another process on a shared queue.

With a queue in memory there is nothing to do.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from scrapy_polite import _loop
from scrapy_polite.frontier.parts import host_of
from scrapy_polite.services.trap_memory import MAX_SITES
from scrapy_polite.text import printable
from scrapy_polite.traps.handover import HandoverError

if TYPE_CHECKING:
    from collections.abc import Container

    from scrapy import Spider

    from scrapy_polite.frontier.queue import Queue
    from scrapy_polite.services.trap_flows import TrapFlows

logger = logging.getLogger(__name__)

#: After so many pages of a host with a suspected group, and so many seconds, what has changed is kept: so much is found
#: out once more where a process dies. Of another host after so many pages: a note takes a millisecond.
_PAGES, _EVERY_S, _OTHERS_PAGES = 20, 1.0, 100


class HostNotes:
    """`traps` is None where nothing is deferred."""

    def __init__(self, queue: Queue, traps: TrapFlows | None, spider: Spider | None) -> None:
        self._queue = queue
        self._traps = traps if queue.persistent else None
        self._spider = spider
        #: Of hosts that have several parts, those that are here. Of which sites a host has pages of groups; pages since
        #: `keep` has looked at it, and those before that are not in its note; hosts whose note has a suspicion.
        self._parts: defaultdict[str, set[str]] = defaultdict(set)
        self._sites: defaultdict[str, set[str]] = defaultdict(set)
        self._pages: Counter[str] = Counter()
        self._unkept: Counter[str] = Counter()
        self._suspected: set[str] = set()
        self._next_at = 0.0

    def changed(self, host: str, site: str) -> None:
        """A page of a group of URL patterns has been read."""
        if self._traps is None:
            return
        if host not in self._sites and len(self._sites) >= MAX_SITES:
            longest = next(iter(self._sites))
            self._keep(longest)
            self._forget(longest)
        self._sites[host].add(site)
        self._pages[host] += 1

    def came(self, part: str, note: bytes, *, resumes: bool = False) -> None:
        """A host, or part of it, is here from now on; with what an earlier run has noted if the crawl `resumes`."""
        host = host_of(part)
        if part != host and self._traps is not None:
            self._parts[host].add(part)
        if not note or self._traps is None:
            return
        try:
            self._traps.take_over(note, resumes=resumes)
        except HandoverError as error:
            logger.warning(
                "%s: what is noted there of traps at %s cannot be read, so they are judged anew: %s",
                self._queue.description,
                printable(host),
                printable(str(error)),
                extra={"spider": self._spider},
            )

    def keep(self, now: float) -> None:
        """Keep what a process that dies would leave others to find out for long. To be called now and then."""
        traps = self._traps
        if traps is None or not self._pages:
            return
        is_time = now >= self._next_at
        for host in [host for host, pages in self._pages.items() if is_time or pages >= _PAGES]:
            self._unkept[host] += self._pages.pop(host)
            is_urgent = host in self._suspected or traps.is_suspected(self._sites[host])
            if is_urgent or self._unkept[host] >= _OTHERS_PAGES:
                self._keep(host)
        if is_time:
            self._next_at = now + _EVERY_S

    def leaves(self, part: str) -> None:
        """A host, or part of it, is about to be released."""
        host = host_of(part)
        if host in self._sites:
            self._keep(host)
        if part != host:
            self._parts[host].discard(part)
            if self._parts[host]:
                return
            del self._parts[host]
        self._forget(host)

    async def leave_all(self) -> None:
        """The crawl ends. What is remembered of a site goes with its last host, so that this note is the latest."""
        last = {site: host for host, sites in self._sites.items() for site in sites}
        for host, sites in list(self._sites.items()):
            self._keep(host, whole={site for site in sites if last[site] == host})
            await _loop.sleep(0)

    def _forget(self, host: str) -> None:
        self._sites.pop(host, None)
        self._pages.pop(host, None)
        self._unkept.pop(host, None)
        self._suspected.discard(host)

    def _keep(self, host: str, *, whole: Container[str] = ()) -> None:
        """Of sites as a `whole` with what is remembered of links and pages: that is too much for each second."""
        self._unkept.pop(host, None)
        traps, sites = self._traps, self._sites[host]
        if traps is None or not (note := traps.written(sites, whole=whole)):
            return
        if traps.is_suspected(sites):
            self._suspected.add(host)
        else:
            self._suspected.discard(host)
        for part in self._parts.get(host, (host,)):
            self._queue.note(part, note)
