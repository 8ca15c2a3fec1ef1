"""Quarantine: which shapes of a site's URLs are an endless space that no single URL betrays, and are left.

The unit of evidence is a fetched page, that of a decision a `Place` (see `templates`): a bucket, a path with all below
it, or a whole site. The smallest place that the evidence holds for is left. What decides (`evidence`), and why:

- **The same text, and ever more of it.** Of the last 30 pages of the place over 90 % said what another page of the site
  had said (dates, counters, tokens and the echoed query apart), and each brought a new link of its own shape, or of one
  that led to it; a list of them, to which a page with something to say led, does not count. A calendar, the pages past
  the last one, session ids, any soft 404. A page that leads to several new ones elsewhere has something to give,
  whatever it says; so has one that tells other figures in the same words (draws, rates; not dates, counters and what
  its URL says), where each leads to one more only. A place that had something to give now and then, as a calendar with
  few events, is waited for longer. Pages that are the same and lead nowhere new are no trap but a login wall, a block
  page or a shell for scripts: where they stand in many buckets they are reported
  (`Fetched.wall`). Where it is one bucket, and the same to the letter, and others still bring links into it, or 100 in
  a row were the same and hardly any other came, the rest is left as well; not where they are copies of many pages.
- **Known text in a new order.** As before, but the text is made of blocks seen before (search results, facets, tags,
  shuffled sentences): under 200 characters and under a quarter of what is not the bucket's own frame are new. Each page
  must bring more than one such link, since a list that is read page by page may repeat what other lists say, and what
  the parameter values span must be large: a few small facets come to an end. In a long chain one such link is enough
  where 60 pages repeat what the last ones of their bucket said, as no list does: pages past the end and their teasers.
- **Links that never come back.** In a maze made up as one walks a page has two new links or more into the place, none
  leads to where an unrelated page has led before, and no page is an end. Links to the page itself, up to its ancestors,
  and to what an ancestor found (its sisters, a menu) say nothing; whatever comes back counts once, and not at all when
  it comes back again, so that neither a menu nor a few hubs hide a maze. All this is as true at the start of an archive
  or of any large tree; so scouts are sent ahead (`Verdict.priority`), each a link of the scout before. In a finite
  place they come to an end; where three walk ten steps without one it is a maze, unless others have links into it
  too: then it is a catalogue. One new link per page makes none, however long the chain. How many links may come back
  follows from how many would by chance.
- **Combinations.** At one path many sets of parameter names and hundreds of queries, which combine many values even
  without the most varied parameter of each (where a script serves all of a site, that is an article's number); or the
  same segments in several orders, at more than one depth, and not the same two changing places every time.
- **Parts of a URL that do not matter** (`aliases`): refused one by one, not by place.

A place that is left is sampled, ever more rarely, and opens again when two of three samples are what its pages were
found not to be. All is kept within one crawl and bounded; what outlives it are the quarantines. Times are epoch
seconds.
"""

from __future__ import annotations

import re
from array import array
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from scrapy_polite.store.base import Quarantine
from scrapy_polite.traps.aliases import Aliases
from scrapy_polite.traps.evidence import FIGURES, IDENTICAL, KNOWN_TEXT, NOVEL, REPEATED, SAME_TEXT, Notes
from scrapy_polite.traps.page_digest import SHORT_WORDS, figures
from scrapy_polite.traps.recent import Recent
from scrapy_polite.traps.templates import ELSEWHERE, Place, Templates, matches, without_hosts

if TYPE_CHECKING:
    from scrapy_polite.traps.evidence import Finding
    from scrapy_polite.traps.page_digest import Page

#: What a person can decide of a place; see `store.base.Quarantine`.
CONFIRMED, RELEASED = "confirmed", "released"

KINDS: dict[str, str] = {
    "same-text": "page after page says the same, and each leads to more of them",
    "known-text": "its pages are made of text seen before, and each leads to more of them",
    "identical": "its pages are one and the same to the letter",
    "maze": "its links never come back and never end",
    "combinations": "its URLs combine a few values in ever new ways",
    "by-hand": "a person has said that it is one",
}
"""The kinds of quarantine; with `trap/` before it each is a verdict's reason, as is `trap/alias`."""

EXPIRES_S = 7 * 86_400.0

MAX_SITES = 2_000
MAX_LINKS = 10_000
"""Links of one site, and of all, that are remembered, twice over; an entry takes some 300 bytes."""
MAX_LINKS_OVERALL = 100_000

#: A page with so many new characters, or so large a share of them, has something to say.
_NEW_LENGTH = 200
_NEW_SHARE = 0.25
_MAX_BLOCKS = 512

#: Known blocks of a bucket's last pages: a page of which half are among them, and little else is new, repeats these.
_LATELY = 200
_LITTLE = 40

#: Pages of one bucket each of which led to the next are a long chain.
_CHAIN = 60

#: So many figures that the page before did not have are something to say as well, or one with a fraction: a rate.
_FIGURES = 2

#: More new links of its own shape than these on a page that one with something to say led to are a list's. They are no
#: step of an endless walk.
_FEW_LINKS = 2

#: Pages of which the figures are kept, and so many figures of each (eight bytes).
_FIGURES_KEPT = 1_000
_FIGURES_OF_PAGE = 64

#: A page that stands in so many buckets, and was met so often, is a wall.
_WALL_BUCKETS = 4
_WALL_PAGES = 20

#: Width x height of one picture: so many pages of it are enough.
_SIZES = 8

#: The first sample of a place that is left is taken after so many refusals, each next after twice as many.
_SAMPLE_FROM = 64

#: Scouts of a site that are let go ahead.
_MAX_SCOUTS = 64

#: For so many seconds after a scout was sent its site is walked, but not for more than so many of them: large trees are
#: walked over and over. At a host that takes longer to answer there is nothing to slow down.
_WALK_S = 1.0
_SLOW_SCOUTS = 300

#: Hosts of a registered domain that are places of their own together; all others are another.
_HOME_HOSTS = 5

#: What came back so often is a hub, and says nothing either; so many hubs of one site are told apart.
_HUB = 2
_MAX_HUBS = 64

#: From so many pages on a place has shown whether it is a maze at all.
_FEW_PAGES = 3

#: So many new links to the page itself with another query lead nowhere else: a calendar to print, or to subscribe to.
_MAX_VIEWS = 3

#: Slashes in a URL from which on a deeper one is no other shape, and ancestors of a page that are looked at.
_DEEP = 8
_MAX_ANCESTORS = 64

_PLAIN_HOST = re.compile(r"[a-z0-9.-]*[a-z0-9-](?::[0-9]+)?")

_Bucket = Place[Notes]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be done with a link. `detail` is the evidence in one line, `priority` is added to the request's."""

    allowed: bool
    reason: str = ""
    detail: str = ""
    priority: int = 0


GO = Verdict(True)
SCOUT = Verdict(True, priority=1)
SAMPLE = Verdict(True, "trap/sample")


class Fetched(NamedTuple):
    """What was found out by a page.

    `duplicate_of`: the URL that said the same to the letter. `alias`: a part of the site's URLs that does not matter.
    `wall`: the same page stands in many buckets (told once).
    """

    duplicate_of: str = ""
    quarantined: Quarantine | None = None
    released: Quarantine | None = None
    alias: str = ""
    wall: bool = False


_NOTHING = Fetched()


class _Held:
    """A quarantine in force: `samples` are on their way, `good` says what the last ones showed."""

    __slots__ = ("good", "next_sample", "of", "refused", "samples")

    def __init__(self, of: Quarantine) -> None:
        self.of = of
        self.refused = of.refused
        self.next_sample = of.refused + _SAMPLE_FROM
        self.samples: set[int] = set()
        self.good: deque[bool] = deque(maxlen=3)

    def ask(self, mark: int) -> Verdict:
        if mark in self.samples:
            return SAMPLE
        self.refused += 1
        if self.refused >= self.next_sample and not self.of.decision:
            self.next_sample = 2 * self.refused
            self.samples.add(mark)
            return SAMPLE
        return Verdict(False, f"trap/{self.of.kind}", f"{self.of.place}: {self.of.evidence}")

    def exported(self) -> Quarantine:
        return replace(self.of, refused=self.refused)


_EARLIER = -1


class _Link(NamedTuple):
    """A known link, and the page that it was first seen on (0: none, _EARLIER: one of an earlier run).

    `depth`: so many pages led to it, one to the other.
    """

    found_on: int
    place: _Bucket
    shape: int
    depth: int = 0


class _Line:
    """A page and those that led to it, the nearest first, which are looked up as far as one has to go."""

    __slots__ = ("_above", "_depth", "_links", "_marks", "_shapes")

    def __init__(self, links: Recent[int, _Link], mark: int, own: _Link) -> None:
        self._links = links
        self._depth = own.depth
        self._marks = [mark]
        self._shapes = {own.shape}
        self._above: _Link | None = own

    def has(self, mark: int, depth: int) -> bool:
        """Whether a page that was met at that depth is among them.

        Of one that was forgotten and met again the depth says nothing: there only the nearest are looked at.
        """
        steps = max(self._depth - depth, 1)
        while len(self._marks) <= steps and self._go_on():
            pass
        return mark in self._marks

    def has_shape(self, shape: int) -> bool:
        while shape not in self._shapes:
            if not self._go_on():
                return False
        return True

    def _go_on(self) -> bool:
        above = self._above
        if above is None or above.found_on in (0, _EARLIER) or len(self._marks) > _MAX_ANCESTORS:
            return False
        self._marks.append(above.found_on)
        self._above = above = self._links.get(above.found_on)
        if above is not None and above.found_on not in (0, _EARLIER):
            self._shapes.add(above.shape)
        return True


class _New(NamedTuple):
    """A link seen for the first time.

    `meets` is the first of its page's places that it is in, by number. It `recurs` if it is of the shape of its page,
    or of a page that led there: years lead to months and months to days, but no month leads to a year. It `is_view` if
    it is the page itself with another query. `path` is a hash of its path.
    """

    mark: int
    place: _Bucket
    meets: int
    recurs: bool
    is_view: bool
    path: int


class _Links(NamedTuple):
    """What the links of a page say: for each of its places, and for the site, the new ones and those that came back."""

    new: list[int]
    back: list[int]
    grown: list[_New]


class _Read(NamedTuple):
    """What a page says (see `evidence`), with `text` as a mark of it.

    `walled`: it is a wall, and by this page it has turned out to be one (`wall`).
    """

    says: int
    text: int = 0
    duplicate_of: str = ""
    alias: str = ""
    wall: bool = False
    walled: bool = False


class _Wall(NamedTuple):
    buckets: frozenset[_Bucket]
    pages: int

    @property
    def stands(self) -> bool:
        return len(self.buckets) >= _WALL_BUCKETS and self.pages >= _WALL_PAGES


class _Site:
    """What one crawl knows of one site (a registered domain)."""

    __slots__ = (
        "aliases",
        "blocks",
        "digests",
        "dull",
        "elsewhere",
        "exact",
        "fetched_at",
        "figures",
        "held",
        "home",
        "hosts",
        "hubs",
        "links",
        "orders",
        "paths",
        "queried",
        "restored",
        "returned",
        "scout_count",
        "scouts",
        "sizes",
        "strangers",
        "walked_until",
        "walls",
        "was_met",
    )

    def __init__(self, was_met: Callable[[str], bool] | None = None) -> None:
        self.was_met = was_met
        self.home: Templates[Notes] = Templates("", _joined)
        self.elsewhere: Templates[Notes] = Templates(ELSEWHERE, _joined)
        self.hosts: set[str] = set()
        self.strangers: Recent[int, bool] = Recent(MAX_LINKS // 2)
        self.links: Recent[int, _Link] = Recent(MAX_LINKS)
        #: How often a link came back, up to `_HUB`; and how many did so often.
        self.returned: Recent[int, int] = Recent(MAX_LINKS)
        self.hubs = 0
        #: Of the pages that have come.
        self.paths: Recent[int, bool] = Recent(MAX_LINKS // 2)
        self.orders: Recent[int, str] = Recent(MAX_LINKS // 2)
        self.digests: Recent[bytes, str] = Recent(MAX_LINKS // 2)
        self.exact: Recent[bytes, str] = Recent(MAX_LINKS // 2)
        self.blocks: Recent[int, bool] = Recent(MAX_LINKS)
        #: Pages that had nothing to say.
        self.dull: Recent[int, bool] = Recent(MAX_LINKS // 2)
        #: Paths of links with a query, and what pages without one tell at these.
        self.queried: Recent[int, bool] = Recent(MAX_LINKS // 2)
        self.figures: Recent[int, bytes] = Recent(_FIGURES_KEPT)
        self.walls: Recent[bytes, _Wall] = Recent(64)
        self.sizes: Recent[int, int] = Recent(256)
        self.aliases = Aliases()
        # In the order in which they were sent.
        self.scouts: dict[int, None] = {}
        self.scout_count = 0
        #: When the last page came, and until when scouts are waited for.
        self.fetched_at = self.walked_until = 0.0
        self.held: dict[_Bucket, _Held] = {}
        self.restored: list[_Held] = []

    def place(self, url: str, path: str, query: str) -> _Bucket:
        """The bucket of a URL. Hosts beyond the first are one place: a domain may answer for any name."""
        host = url.split("/", 3)[2]
        if self.is_elsewhere(host):
            return self.elsewhere.place(path, query)
        self.hosts.add(host)
        return self.home.place(path, query)

    def is_elsewhere(self, host: str) -> bool:
        return host not in self.hosts and len(self.hosts) >= _HOME_HOSTS

    def covers(self, template: str, url: str, path: str, query: str) -> bool:
        """Whether a URL is in the place that another crawl, or a person, has named."""
        if without_hosts(template) != template and not self.is_elsewhere(url.split("/", 3)[2]):
            return False
        return matches(template, path, query)

    def met_before(self, mark: int, url: str) -> _Link | None:
        """A link that this run meets for the first time, if an earlier one has met it."""
        if self.was_met is None or not self.was_met(url):
            return None
        place = self.place(url, *_parted(url))
        link = _Link(_EARLIER, place, _shape(url, place))
        self.links.put(mark, link)
        return link

    def note_host(self, url: str, lineage: list[_Bucket]) -> None:
        """Note the host of a new link, one beyond the first, if it has not been named before."""
        if lineage[-1] is not self.elsewhere.root:
            return
        host = hash(url.split("/", 3)[2])
        if not self.strangers.get(host):
            self.strangers.put(host, True)
            for above in lineage:
                _notes(above).hosts += 1

    def came_back(self, mark: int) -> int:
        """Note that a link came back; by how much that raises the number of those that did: not at all for one that
        has done so before, and it is one less when that has turned out to be a hub."""
        times = (self.returned.get(mark) or 0) + 1
        self.returned.put(mark, times)
        if times == _HUB and self.hubs < _MAX_HUBS:
            self.hubs += 1
            return -1
        return int(times == 1)

    def holder(self, place: _Bucket) -> _Bucket | None:
        """The quarantined place that `place` is in."""
        if self.held:
            for above in place.lineage():
                if above in self.held:
                    return above
        return None

    def holds(self, mark: int, url: str, path: str, query: str, now: float) -> Verdict | None:
        """What a quarantine says of a link, if it is in one."""
        if self.held:
            link = self.links.get(mark)
            holder = self.holder(link.place if link is not None else self.place(url, path, query))
            if holder is not None:
                held = self.held[holder]
                if now < held.of.until:
                    return held.ask(mark)
                self.release(holder)
        for held in self.restored:
            if now >= held.of.until:
                self.restored.remove(held)
                break
            if self.covers(held.of.place, url, path, query):
                return held.ask(mark)
        return None

    def hold(self, place: _Bucket, quarantine: Quarantine) -> None:
        self.held[place] = _Held(quarantine)
        self.walked_until = 0.0
        # What the place did is not held against those above it.
        for above in place.lineage():
            if above.notes is not None:
                above.notes.start_again()

    def release(self, place: _Bucket) -> Quarantine:
        if place.notes is not None:
            place.notes.start_again()
        return self.held.pop(place).exported()


class Quarantines:
    """All sites of a crawl. Those not seen for longest are forgotten first, but for their quarantines."""

    def __init__(self) -> None:
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        self._restored: dict[str, list[_Held]] = {}
        self._released: dict[str, set[str]] = {}
        self._links = 0
        #: Whether an earlier run of the crawl has met a URL: links to what was met then do come back.
        self.was_met: Callable[[str], bool] | None = None
        #: From then on scouts walk no site.
        self.walked_until = 0.0

    # Links

    def is_clear(self, site: str) -> bool:
        """Whether nothing is known by which links into a site could be judged."""
        state = self._sites.get(site)
        if state is None:
            return site not in self._restored
        return not (state.held or state.restored or state.scouts or state.aliases.learned)

    def found(self, site: str, url: str, from_url: str | None, now: float) -> Verdict:
        """Whether to follow a link to `url`, found on `from_url`; to be asked again when its request leaves.

        `from_url` is None for what no page of the site led to (a seed, a sitemap's link): that is never refused.
        """
        if from_url is None or not _is_absolute(url) or self.is_clear(site):
            return GO
        state = self._sites.get(site) or self._site(site)
        if state.held or state.restored:
            mark = _mark(url)
            path, query = _parted(url)
            verdict = state.holds(mark, url, path, query, now)
            if verdict is not None:
                return GO if self._is_released(site, url, path, query) else verdict
        # Scouts too: one that asks for the same page under another session's id says nothing of what lies ahead.
        if part := state.aliases.known(url):
            return Verdict(False, "trap/alias", f"differs from a known URL in nothing but {part}")
        return SCOUT if state.scouts and _mark(url) in state.scouts else GO

    # Pages

    def fetched(self, site: str, url: str, page: Page | None, now: float, links: Sequence[str] = ()) -> Fetched:
        """Note a page, before its links are asked for.

        `page` is None for a redirect, a calendar's file, or an error with links: it says nothing, and leads to `links`.
        """
        if not _is_absolute(url):
            return _NOTHING
        state = self._site(site)
        state.fetched_at = now
        mark = _mark(url)
        path, query = _parted(url)
        state.paths.put(hash(path), True)
        before = len(state.links)
        own = state.links.get(mark)
        if own is None:
            bucket = state.place(url, path, query)
            own = _Link(0, bucket, _shape(url, bucket))
            state.links.put(mark, own)
        places = own.place.lineage()
        found = _links(state, site, url, mark, own, places, page.links if page is not None else links)
        self._links += max(len(state.links) - before, 0)
        if page is None:
            if not found.new[-1] and mark not in state.scouts:
                return _NOTHING
            read = _Read(SAME_TEXT)
        else:
            first = state.digests.get(page.digest)
            if first == url:
                return _NOTHING
            grows = any(link.recurs for link in found.grown)
            read = _read(state, url, places, page, first, path, grows=grows)
        told = Fetched(duplicate_of=read.duplicate_of, alias=read.alias, wall=read.wall)
        holder = state.holder(own.place)
        if holder is not None:
            return told._replace(released=_judge_sample(state, holder, mark, read.says, found, places))
        if self._is_released(site, url, path, query):
            return told
        judged = _judge(state, url, mark, own, places, read, found)
        self.walked_until = max(self.walked_until, state.walked_until)
        if judged is None:
            return told
        place, finding = judged
        left = Quarantine(site, str(place), *finding, _notes(place).examples, now, now + EXPIRES_S)
        state.hold(place, left)
        return told._replace(quarantined=left)

    def is_walked(self, site: str, now: float) -> bool:
        """Whether scouts walk a site: what else is fetched of it meanwhile is, if it is a maze, for nothing."""
        state = self._sites.get(site)
        return state is not None and 0 < state.walked_until - now <= _WALK_S  # no longer if the clock is set back

    # What outlives the crawl

    def export(self) -> Iterator[Quarantine]:
        """The quarantines in force."""
        for state in self._sites.values():
            yield from (held.exported() for held in (*state.held.values(), *state.restored))
        for site, restored in self._restored.items():
            if site not in self._sites:
                yield from (held.exported() for held in restored)

    def restore(self, quarantines: Sequence[Quarantine]) -> None:
        """Take up what another crawl has found, or a person decided. At the end of its time a place is judged anew."""
        for quarantine in quarantines:
            site, place = quarantine.site, quarantine.place
            state = self._sites.get(site)
            if quarantine.decision:
                self.release(site, place)
                self._released.get(site, set()).discard(place)
            elif state is not None and any(str(held) == place for held in state.held):
                continue  # our own
            if quarantine.decision == RELEASED:
                self._released.setdefault(site, set()).add(place)
                continue
            kept = self._restored.setdefault(site, [])
            kept[:] = [other for other in kept if other.of.place != place] + [_Held(quarantine)]
            if state is not None:
                state.restored = kept

    def release(self, site: str, place: str | None = None) -> list[Quarantine]:
        """Open one place of a site again, or all; returns what was in force."""
        released: list[Quarantine] = []
        state = self._sites.get(site)
        if state is not None:
            wanted = [held for held in state.held if place in (None, str(held))]
            released += [state.release(held) for held in wanted]
        kept = self._restored.get(site, [])
        released += [held.exported() for held in kept if place in (None, held.of.place)]
        kept[:] = [held for held in kept if place not in (None, held.of.place)]
        return released

    def _is_released(self, site: str, url: str, path: str, query: str) -> bool:
        return any(self._sites[site].covers(place, url, path, query) for place in self._released.get(site, ()))

    def _site(self, site: str) -> _Site:
        state = self._sites.get(site)
        if state is None:
            state = self._sites[site] = _Site(self.was_met)
            state.restored = self._restored.get(site, [])
        self._sites.move_to_end(site)
        while len(self._sites) > MAX_SITES or (self._links > 2 * MAX_LINKS_OVERALL and len(self._sites) > 1):
            _, old = self._sites.popitem(last=False)
            self._links = max(self._links - len(old.links), 0)
            if old.held:
                self.restore([held.exported() for held in old.held.values()])
        return state


def _links(
    state: _Site, site: str, own_url: str, mark: int, own: _Link, places: list[_Bucket], links: Sequence[str]
) -> _Links:
    index = {id(place): at for at, place in enumerate(places)}
    found = _Links([0] * (len(places) + 1), [0] * (len(places) + 1), [])
    line = _Line(state.links, mark, own)
    returned = state.returned.get
    own_path, _ = _parted(own_url)
    home = own_url[: own_url.find("/", len("https://")) + 1] or own_url + "/"
    for url in links:
        if not url.startswith(home) and not (_is_absolute(url) and _on(site, url)):
            continue
        target = _mark(url)
        known = state.links.get(target) or state.met_before(target, url)
        if known is None:
            path, query = _parted(url)
            place = state.place(url, path, query)
            shape = _shape(url, place)
            state.links.put(target, _Link(mark, place, shape, own.depth + 1))
            lineage = place.lineage()
            if state.held and any(above in state.held and id(above) not in index for above in lineage):
                continue
            meets = _meeting(lineage, index)
            for outer in lineage[: -len(places) + meets or None]:
                _notes(outer).entered += 1
            state.note_host(url, lineage)
            found.new[meets] += 1
            found.grown.append(_New(target, place, meets, line.has_shape(shape), path == own_path, hash(path)))
            _note_url(state, lineage, path, query)
        elif (
            known.found_on
            and returned(target) != _HUB
            and not line.has(target, known.depth)
            and not line.has(known.found_on, known.depth - 1)
        ):
            found.back[_meeting(known.place.lineage(), index)] += state.came_back(target)
    for counts in found[:2]:
        for at in range(1, len(counts)):
            counts[at] += counts[at - 1]
    return found


def _meeting(lineage: list[_Bucket], index: dict[int, int]) -> int:
    """The first of a page's places that `lineage` has too, by number; their number if there is none."""
    for place in lineage:
        at = index.get(id(place))
        if at is not None:
            return at
    return len(index)


def _note_url(state: _Site, lineage: list[_Bucket], path: str, query: str) -> None:
    """Note the values of a new link's query, or the order of its segments."""
    if query:
        _notes(lineage[1]).query(query)
        state.queried.put(hash(path), True)
        return
    segments = [segment for segment in path.split("/") if len(segment) > 1 and not segment.isdigit()]
    if len(segments) < 2:
        return
    unordered = hash(tuple(sorted(segments)))
    first = state.orders.get(unordered)
    moved = 0
    if first is None:
        state.orders.put(unordered, path)
    elif first != path:
        pairs = zip(first.split("/"), path.split("/"), strict=False)
        moved = sum([1 << at for at, (one, other) in enumerate(pairs) if one != other])
    # In folders only: paths of several depths are in no other place.
    for above in lineage[2:]:
        _notes(above).path(len(segments), moved)


def _read(
    state: _Site, url: str, places: list[_Bucket], page: Page, first: str | None, path: str, *, grows: bool
) -> _Read:
    """How new a page is; `first` is the URL that has said the same before, and it `grows` where it leads to more."""
    notes = _notes(places[0])
    text = hash(page.exact)
    new_length = known_length = 0
    known: list[int] = []
    frame = frozenset(array("q", notes.frame))
    for block, length in page.blocks[:_MAX_BLOCKS]:
        if state.blocks.get(block) is None:
            state.blocks.put(block, True)
            new_length += length
        elif block not in frame:
            known_length += length
            known.append(block)
    repeats = _repeats(notes, known)
    blocks = [block for block, _ in page.blocks[:_MAX_BLOCKS]]
    notes.frame = array("q", blocks).tobytes()
    alias = ""
    if page.blocks:
        new_share = 1.0 if _is_variant(state, url, page, path) else new_length / (page.length or 1)
        alias = state.aliases.fetched(url, page.exact, blocks, new_share)
    if first is None:
        state.digests.put(page.digest, url)
        if page.blocks:
            short = new_length < _NEW_LENGTH and new_length <= _NEW_SHARE * (new_length + known_length)
            says = (REPEATED if repeats and new_length <= _LITTLE else KNOWN_TEXT) if short else NOVEL
        else:
            says = IDENTICAL if _another_size(state, places, path) else NOVEL
        state.exact.put(page.exact, url)
        return _Read(says, text, alias=alias)
    wall, walled = (False, False) if grows else _wall(state, places[0], page)
    if (original := state.exact.get(page.exact)) is not None:
        return _Read(IDENTICAL, text, original if original != url else "", alias, wall, walled)
    state.exact.put(page.exact, url)
    before, notes.figures = notes.figures, figures(page, url)
    told = notes.figures - before
    has_figures = len(told) >= _FIGURES or any("." in figure or "," in figure for figure in told)
    return _Read(FIGURES if has_figures else SAME_TEXT, text, "", alias, wall, walled)


def _is_variant(state: _Site, url: str, page: Page, path: str) -> bool:
    """Whether a page tells other figures than the one without its query: another article's number, another price."""
    own = hash(path)
    if state.queried.get(own) is None:
        return False
    told = frozenset(map(hash, figures(page, url)))
    if "?" not in url:
        if len(told) <= _FIGURES_OF_PAGE:
            state.figures.put(own, array("q", told).tobytes())
        return False
    known = state.figures.get(own)
    return known is not None and not told.issubset(array("q", known))


def _repeats(notes: Notes, known: list[int]) -> bool:
    """Whether half of a page's `known` blocks were known on the last pages of its bucket, but the first; notes them."""
    if not known or not notes.pages:
        return False
    if notes.lately is None:
        notes.lately = Recent(_LATELY)
    again = sum([notes.lately.get(block) is not None for block in known])
    for block in known:
        notes.lately.put(block, True)
    return 2 * again >= len(known)


def _another_size(state: _Site, places: list[_Bucket], path: str) -> bool:
    """Whether a picture has been seen in many sizes."""
    label = str(places[0])
    if "{size}" not in label:
        return False
    one = hash(Templates.without_sizes(path))
    count = (state.sizes.get(one) or 0) + 1
    state.sizes.put(one, count)
    return count > _SIZES


def _wall(state: _Site, bucket: _Bucket, page: Page) -> tuple[bool, bool]:
    """Note a page that was met before: whether it has now turned out to be a wall, and whether it is one."""
    said = page.exact if page.words < SHORT_WORDS else page.digest
    before = state.walls.get(said) or _Wall(frozenset(), 0)
    # Several may have become one in the meantime: members of a list, which are its first ones until it is long.
    buckets = frozenset([one.current for one in before.buckets])
    now = _Wall(buckets if len(buckets) >= _WALL_BUCKETS else buckets | {bucket}, before.pages + 1)
    state.walls.put(said, now)
    return now.stands and not before.stands, now.stands


def _judge(
    state: _Site, url: str, mark: int, own: _Link, places: list[_Bucket], read: _Read, found: _Links
) -> tuple[_Bucket, Finding] | None:
    """Note a page in each of its places; the first that has turned out to be a trap."""
    scouted = mark in state.scouts
    state.scouts.pop(mark, None)
    if read.says != NOVEL:
        state.dull.put(mark, True)
    is_list = state.dull.get(own.found_on) is None
    for at, place in enumerate(places):
        notes = _notes(place)
        new = found.new[at]
        recurring = sum([link.recurs for link in found.grown if link.meets <= at]) if new else 0
        if is_list and recurring > _FEW_LINKS:
            recurring = 0
        outside = found.new[-1] - new - min(_MAX_VIEWS, sum([link.is_view and link.meets > at for link in found.grown]))
        notes.page(url, read.says, read.text, new=new, outside=outside, recurring=recurring, back=found.back[at])
        if scouted and (step := notes.scout_home(mark, ended=not new)):
            _send_scout(state, at, notes, found, step)
    for at, place in enumerate(places):
        notes = _notes(place)
        whole_site = place is state.home.root
        span = _notes(places[1]).span() if at == 0 and place.label else notes.span()
        # By a parameter of ever new values (a page's number), or by those that led here.
        long_chain = read.says >= REPEATED and at == 0
        long_chain = long_chain and ((place.label != "" and span == inf) or _is_long_chain(state, own))
        finding = notes.text(whole_site=whole_site, span=span, long_chain=long_chain)
        if finding is None and place.is_bucket and read.says == IDENTICAL and not read.walled:
            finding = notes.identical(certain="{size}" in str(place) or _is_of_trap(state, own))
        finding = finding or notes.combinations(place.name_sets, whole_site=whole_site)
        if finding is not None:
            return place, finding
        if (finding := notes.maze(whole_site=whole_site)) is not None:
            return _whole_maze(state, place), finding
        if not scouted and notes.wants_scout():
            _send_scout(state, at, notes, found, 1)
    return None


def _is_long_chain(state: _Site, own: _Link) -> bool:
    """Whether so many pages of its bucket led to a page one after another."""
    above: _Link | None = own
    bucket = own.place.current
    for _ in range(_CHAIN):
        above = state.links.get(above.found_on) if above is not None else None
        if above is None or above.place.current is not bucket:
            return False
    return True


def _is_of_trap(state: _Site, own: _Link) -> bool:
    """Whether the page that led to this one is in a place that was left."""
    above = state.links.get(own.found_on)
    return above is not None and state.holder(above.place) is not None


def _whole_maze(state: _Site, place: _Bucket) -> _Bucket:
    """The largest place that is nothing but the maze which `place` is, or has in it; the whole site only if it is."""
    while (inner := _maze_in(place)) is not None:
        place = inner
    lineage = place.lineage()
    root = lineage[-1]
    if root is state.elsewhere.root and place is not root and not lineage[-2].label:
        return root  # of front pages each is another host's, and what else that has is in the maze as well
    for above in lineage[1:]:
        if above is state.home.root or not _notes(place).is_most_of(_notes(above)) or _maze_in(above) is not None:
            break
        place = above
    return place


def _maze_in(place: _Bucket) -> _Bucket | None:
    """The largest maze in a place that has other things in it as well; None where all of it may be one."""
    mazes: list[_Bucket] = []
    other = False
    for below in place.below():
        if below.notes is not None and below.notes.pages >= _FEW_PAGES:
            if below.notes.may_be_of_maze():
                mazes.append(below)
            else:
                other = True
    if not mazes:
        return None
    largest = max(mazes, key=lambda maze: _notes(maze).new)
    return largest if other else _maze_in(largest)


def _send_scout(state: _Site, at: int, notes: Notes, found: _Links, step: int) -> None:
    """Let one of a page's new links into its place `at` go ahead of the others: one that does so already, if any."""
    into = [link for link in found.grown if link.meets <= at]
    # Not to one page over and over, under ever new sessions' ids.
    unmet = [link for link in into if not state.paths.get(link.path)]
    if into:
        chosen = unmet[len(unmet) // 2] if unmet else into[(len(into) // 2 + step) % len(into)]
        scout = next((link.mark for link in unmet or into if link.mark in state.scouts), chosen.mark)
        state.scouts[scout] = None
        state.scout_count += 1
        if state.scout_count <= _SLOW_SCOUTS:
            state.walked_until = state.fetched_at + _WALK_S
        notes.scout_sent(scout, step)
        if len(state.scouts) > _MAX_SCOUTS:
            del state.scouts[next(iter(state.scouts))]


def _judge_sample(
    state: _Site, holder: _Bucket, mark: int, says: int, found: _Links, places: list[_Bucket]
) -> Quarantine | None:
    """Note a page of a place that was left; the quarantine, if it has now been shown wrong."""
    held = state.held[holder]
    if mark not in held.samples:
        return None
    held.samples.discard(mark)
    at = places.index(holder)
    if held.of.kind == "maze":
        # A host in a maze of hosts may have pages of its own, that are an end.
        is_end = not found.new[at] and holder is not state.elsewhere.root
        held.good.append(is_end or found.back[at] > 0)
    else:
        held.good.append(says == NOVEL and held.of.kind != "combinations")
    return state.release(holder) if sum(held.good) > 1 else None


def _notes(place: _Bucket) -> Notes:
    if place.notes is None:
        place.notes = Notes()
    return place.notes


def _joined(notes: Notes | None, other: Notes) -> Notes:
    return (notes if notes is not None else Notes()).take(other)


def _mark(url: str) -> int:
    """A mark of the URL, in which the order of its query does not matter."""
    if "&" not in url:
        return hash(url)
    rest, _, query = url.partition("?")
    return hash((rest, *sorted(query.split("&"))))


def _parted(url: str) -> tuple[str, str]:
    """Path and query."""
    rest, _, query = url.partition("?")
    parts = rest.split("/", 3)
    return "/" + parts[3] if len(parts) > 3 else "/", query


def _shape(url: str, place: _Bucket) -> int:
    """A mark of how deep a URL's path is (below a depth all are alike), of being a folder, and of its parameters."""
    rest = url.partition("?")[0]
    return hash((min(rest.count("/"), _DEEP), rest[-1:] == "/", place.label))


def _is_absolute(url: str) -> bool:
    return "://" in url[:9]


def _on(site: str, url: str) -> bool:
    host = url.split("/", 3)[2]
    if host == site or host.endswith("." + site):
        return True
    if _PLAIN_HOST.fullmatch(host):  # most links to elsewhere; urlsplit takes five times as long
        host = host.partition(":")[0]
    else:
        try:
            host = (urlsplit(url).hostname or "").rstrip(".")
        except ValueError:
            return False
    return host == site or host.endswith("." + site)
