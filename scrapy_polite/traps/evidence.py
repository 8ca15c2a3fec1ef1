"""The evidence that a place is an endless space: what is noted of its pages, and from when on it is enough.

The unit is a place's `Notes`: numbers only, of one crawl. What each kind of evidence rests on is told in `quarantine`.
"""

from __future__ import annotations

from math import inf, prod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrapy_polite.traps.recent import Recent

WINDOW = 30
"""Pages on which a quarantine for what they say is founded; of a whole site, twice as many."""
_PAGES_KEPT = 2 * WINDOW

NOVEL, FIGURES, KNOWN_TEXT, REPEATED, SAME_TEXT, IDENTICAL = range(6)
"""What a page says: something; other figures in the words of another; what others said before, in another order; what
the last ones of its bucket said, again and again; what another said; that to the letter."""

#: The share of the pages that are not novel, and of those of one bucket that are identical, of how many; how many
#: different ones may be among these.
_NOT_NOVEL = 0.9
_IDENTICAL_SHARE = 0.95
_IDENTICAL_PAGES = 40
_IDENTICAL_TEXTS = 4

#: More texts than these few, but no more than `_MAX_ROTATING`, are one page's that rotate (a quote, a banner) if each
#: has come several times, and the pages hardly have a name in common, as those of a document in many languages would.
_MAX_ROTATING = 50
_ROTATED = 2
_NAMES_KEPT = 250
_NAMES_SHARE = 0.9

#: Identical pages that lead nowhere are an endless place only while others bring links into it, so many for each page;
#: of a list that is complete so many in a row, which are this share of all that have come, must have been the same.
_BROUGHT = 0.5
_IDENTICAL_RUN = 100
_RUN_SHARE = 0.9

#: A place that had something to give now and then (a calendar with few events) is left after a run of pages without
#: that is so many times the longest one before, but for a limit.
_BARREN_RUNS = 3
_MAX_BARREN = 150

#: New links into the place per page: of pages that follow one another, and of pages that multiply.
_GROWS = 0.8
_MULTIPLIES = 1.5

#: New links out of a place that make a page worth its fetching.
_LEADS_ON = 2

#: Fewer combinations of parameter values than this are let be; of one parameter so many values are told apart.
_FEW_COMBINATIONS = 256
_MANY_VALUES = 64
_MAX_PARAMETERS = 16

#: A maze: pages seen before scouts are sent, pages and new links before it is one (a whole site: more links), the share
#: of pages that may be an end, and that of its links that may have been found elsewhere.
_WATCHED_FROM = 8
_PAGES = 80
_LINKS = 300
_SITE_LINKS = 700
_MAX_ENDS = 0.1
_MAX_ENTERED = 0.2

#: Of n links among N pages n * n / 2N come back by chance alone. Twice the N for which so many may, of a place that is
#: watched and of one that is left.
_MANY_PAGES = 100_000
_VERY_MANY_PAGES = 150_000

#: As above, of a place most of whose links lead into one that is left.
_SLACK = 4

STEPS = 10
"""A walk of so many steps without an end has shown a maze, if `_WALKS` have been made; that many scouts may be lost."""
_WALKS = 3
_LOST = 3
_MAX_SCOUTS = 4

#: For a scout that has not come home after so many pages of the place another is sent: it was refused, or failed, or is
#: only slow, where its host's robots.txt has to be asked for. So many are waited for.
_SCOUT_PAGES = 64
_MAX_AWAITED = 16

#: A maze of hosts needs no scouts, each of which has to wait for its host's turn: so many pages and hosts of one domain
#: that no other page had named, and their share of its new links. On a domain of 45,000 hosts one link of 300 would
#: come back by chance.
_HOST_PAGES = 30
_HOSTS = 300
_HOSTS_SHARE = 0.5

#: Combinations: sets of parameter names, queries, these without their most varied parameter (which is known after the
#: first ones), and pages; permuted paths, so many where pages have something to say (a directory may have the same
#: headings on each level), their share of those of their depth, and in how many ways: from one town to another and back
#: only these two change places.
_NAME_SETS = 16
_QUERIES = 300
_LEARNED = 100
_COMBINED = 40
_QUERY_PAGES = 50
_PERMUTED_PAGES = 20
_PERMUTED = 10
_MANY_PERMUTED = 100
_WAYS_TO_MOVE = 3
_PERMUTED_SHARE = 0.4

#: After so many pages the older ones count half.
_MEMORY = 4_000

_MAX_EXAMPLES = 5

#: Of all places that have none yet: each `frozenset()` is a new one.
_NO_FIGURES: frozenset[str] = frozenset()


class Finding(NamedTuple):
    """A kind of trap (a key of `quarantine.KINDS`), and the figures that show it."""

    kind: str
    evidence: str


class _Copies:
    """Pages that said what others had said, to the letter: how many, what, and under which names."""

    __slots__ = ("count", "names", "texts")

    def __init__(self) -> None:
        self.count = 0
        self.texts: dict[int, None] = {}
        self.names: dict[int, None] = {}

    def add(self, url: str, text: int) -> None:
        self.count += 1
        if len(self.texts) <= _MAX_ROTATING:
            self.texts[text] = None
        if len(self.names) < _NAMES_KEPT:
            self.names[hash(url[max(url.rfind("/"), url.rfind("=")) + 1 :])] = None

    def rotate(self) -> bool:
        """Whether a few texts stand under any name."""
        return (
            len(self.texts) <= _MAX_ROTATING
            and self.count >= WINDOW + _ROTATED * len(self.texts)
            and len(self.names) >= _NAMES_SHARE * min(self.count, _NAMES_KEPT)
        )


class Notes:
    """What is noted of one place.

    Of its pages: their number, the new links into the place that they had, how many of these had been found outside it
    (`entered`), the `hosts` that these links were the first to name, new links to anywhere (`led`), links that came
    back, pages without a new link (`ends`); of the last ones what they said, and new links of a shape that leads to
    itself.
    `frame` are the blocks of the last page (eight bytes each), `figures` those of the last one in the words of another,
    `lately` the blocks that its last pages took from others. There is one for each page of a small site: they are held
    in what the garbage collector need not look into. `queries`, `combined`, `values` and `times` of names are
    of new links; so are, by depth, their `paths`, those that are `permuted` ones of others, and what was `moved` there.
    """

    __slots__ = (
        "_barren",
        "_copies",
        "_ended",
        "_gap",
        "_identical",
        "_patience",
        "_scouts",
        "_walked",
        "_watched_from",
        "_window",
        "back",
        "combined",
        "ends",
        "entered",
        "examples",
        "figures",
        "frame",
        "hosts",
        "lately",
        "led",
        "moved",
        "new",
        "pages",
        "paths",
        "permuted",
        "queries",
        "times",
        "values",
    )

    def __init__(self) -> None:
        self.frame = b""
        self.figures: frozenset[str] = _NO_FIGURES
        self.lately: Recent[int, bool] | None = None
        self.examples: tuple[str, ...] = ()
        self.queries = 0
        self.combined: dict[int, None] = {}
        self.times: dict[str, int] = {}
        self.values: dict[str, set[int]] = {}
        self._patience = _WATCHED_FROM
        self.start_again()

    def start_again(self) -> None:
        """Forget what the pages did; what is known of the URLs stays."""
        self.paths: dict[int, int] = {}
        self.permuted: dict[int, int] = {}
        self.moved: dict[int, None] = {}
        self._window: tuple[tuple[int, int, int, int], ...] = ()
        self._barren = self._gap = self._identical = 0
        self._copies: _Copies | None = None
        self.pages = self.new = self.led = self.back = self.ends = self.entered = self.hosts = 0
        self._watched_from = self._patience
        self._forget_walks()

    def _forget_walks(self) -> None:
        # By mark: pages when it was sent, and its step.
        self._scouts: dict[int, tuple[int, int]] = {}
        self._walked = self._ended = 0

    # What happens

    def page(self, url: str, says: int, text: int = 0, *, new: int, outside: int, recurring: int, back: int) -> None:
        """Note a page with `new` links into the place (`recurring` of them to its own shapes) and `outside` others.

        `text` is a mark of what it says.
        """
        self.pages += 1
        self.new += new
        self.led += new + outside
        self.back = max(self.back + back, 0)  # less where one has turned out to be a hub
        self.ends += not new
        self.examples = (*self.examples[1 - _MAX_EXAMPLES :], url)
        if outside >= _LEADS_ON:
            says = NOVEL
        self._window = (*self._window[1 - _PAGES_KEPT :], (says, recurring, self.entered, text))
        self._identical = self._identical + 1 if says == IDENTICAL and not new else 0
        if says == IDENTICAL and not recurring:
            self._copies = self._copies or _Copies()
            self._copies.add(url, text)
        self._barren += 1
        if says < REPEATED and (new + outside > recurring or not recurring):
            self._gap = max(self._gap, self._barren)
            self._barren = 0
        if self.pages >= _MEMORY:
            self._watched_from -= self.pages - self.pages // 2
            self.pages, self.new, self.led, self.back, self.ends, self.entered, self.hosts = (
                count // 2 for count in (self.pages, self.new, self.led, self.back, self.ends, self.entered, self.hosts)
            )

    def take(self, other: Notes) -> Notes:
        """Add what the last pages of another place said, which has turned out to be one with this."""
        self._window = (self._window + other._window)[-_PAGES_KEPT:]
        self.examples = (self.examples + other.examples)[-_MAX_EXAMPLES:]
        if other._gap:
            self._gap = max(self._gap, self._barren + other._gap)
            self._barren = other._barren
        else:
            self._barren += other._barren
        return self

    def query(self, query: str) -> None:
        """Note the query of a new link; `combined` is without its most varied parameter, such as a page's number."""
        pairs = query.split("&")[:_MAX_PARAMETERS]
        most = (0.0, "")
        for pair in pairs:
            name, _, value = pair.partition("=")
            values = self.values.get(name)
            if values is None:
                if len(self.values) >= _MANY_VALUES:
                    continue
                values = self.values[name] = set()
            if len(values) < _MANY_VALUES:
                values.add(hash(value))
            times = self.times[name] = self.times.get(name, 0) + 1
            most = max(most, (len(values) / times if len(values) < _MANY_VALUES else inf, pair))
        self.queries += 1
        if self.queries > _LEARNED and len(self.combined) < _COMBINED:
            self.combined[hash(tuple(sorted([pair for pair in pairs if pair != most[1]])))] = None

    def path(self, depth: int, moved: int) -> None:
        """Note a new path; `moved` has a bit for each segment that stands elsewhere in a known one, if any does."""
        self.paths[depth] = self.paths.get(depth, 0) + 1
        if moved:
            self.permuted[depth] = self.permuted.get(depth, 0) + 1
            if len(self.moved) < _WAYS_TO_MOVE:
                self.moved[moved] = None

    # Scouts

    def wants_scout(self) -> bool:
        """Whether this may be a maze, and not enough scouts are on their way."""
        if not self.may_be_maze():
            return False
        if len(self._scouts) < _MAX_SCOUTS:
            return True
        # Sent one after another, the last ones are at the end.
        sent_at, _ = list(self._scouts.values())[-_MAX_SCOUTS]
        return self.pages - sent_at >= _SCOUT_PAGES

    def scout_sent(self, mark: int, step: int) -> None:
        self._scouts[mark] = self.pages, step
        if len(self._scouts) > _MAX_AWAITED:
            del self._scouts[next(iter(self._scouts))]

    def scout_home(self, mark: int, *, ended: bool) -> int:
        """The next step of a scout that is to go on, else 0.

        Where several have come to an end the place is watched again after more pages.
        """
        _, step = self._scouts.pop(mark, (0, 0))
        if not step:
            return 0
        self._ended += ended
        self._walked += not ended and step >= STEPS
        if self._ended >= _LOST and self._ended > self._walked:
            self._patience *= 2
            self._watched_from = self.pages + self._patience
            self._forget_walks()
            return 0
        return 0 if ended or step >= STEPS else step + 1

    # What it comes to

    def may_be_maze(self, slack: int = 1) -> bool:
        """`slack`: how many times as many links as otherwise may come back."""
        return (
            self.pages >= self._watched_from
            and self.new >= _MULTIPLIES * self.pages
            and self.back <= slack * (1 + self.new * self.new / _MANY_PAGES)
            and self.ends <= _MAX_ENDS * self.pages
        )

    def may_be_of_maze(self) -> bool:
        """Whether the pages so far may be some of a maze that is larger than this place."""
        return self.led >= _MULTIPLIES * self.pages and self.back <= _SLACK * (1 + self.led * self.led / _MANY_PAGES)

    def is_most_of(self, above: Notes) -> bool:
        """Whether a place `above` this one, a maze, has hardly anything else in it."""
        return above.may_be_maze(_SLACK if 2 * self.new >= above.new else 1)

    def maze(self, *, whole_site: bool) -> Finding | None:
        hosts_only = self.hosts >= _HOSTS and self.hosts >= _HOSTS_SHARE * self.new
        if not (
            (hosts_only or (self._walked >= _WALKS and self._walked > self._ended))
            and self.may_be_maze()
            and self.pages >= (_HOST_PAGES if hosts_only else _PAGES)
            and self.new >= (_SITE_LINKS if whole_site else _LINKS)
            and self.back <= (1.0 if whole_site else self.new * self.new / _VERY_MANY_PAGES)
            and self.entered <= _MAX_ENTERED * self.new
        ):
            return None
        shown = (
            f"they named {self.hosts} new hosts"
            if hosts_only
            else f"of {self._walked + self._ended} walks {self._walked} went on after {STEPS} steps"
        )
        return Finding(
            "maze",
            f"{self.pages} pages had {self.new} new links, {self.back} links came back, {self.ends} pages were an end,"
            f" and {shown}",
        )

    def text(self, *, whole_site: bool, span: float, long_chain: bool = False) -> Finding | None:
        """Whether the last pages had nothing to say.

        `span`: how many combinations the parameters allow; `long_chain`: the pages of the bucket follow one another.
        """
        count = _PAGES_KEPT if whole_site else WINDOW
        if len(self._window) < count or self._window[-1][0] == NOVEL:
            return None
        last = self._window[-count:]
        grows = sum([recurring for _, recurring, _, _ in last]) / count
        says = [says for says, _, _, _ in last]
        # A chain of tables, draws or rates has other figures on each page; so have counters, where there is more.
        same = sum([one >= SAME_TEXT or (one == FIGURES and grows >= _MULTIPLIES) for one in says]) / count
        known = sum([one >= KNOWN_TEXT or (one == FIGURES and grows >= _MULTIPLIES) for one in says]) / count
        if same > _NOT_NOVEL and grows >= _GROWS and self._is_barren():
            return Finding(
                "same-text", f"{same:.0%} of the last {count} pages say what others say, each leads to {grows:.1f} more"
            )
        if known > _NOT_NOVEL and grows >= _MULTIPLIES and span > _FEW_COMBINATIONS:
            return Finding(
                "known-text",
                f"{known:.0%} of the last {count} pages have no text of their own, each leads to {grows:.1f} more",
            )
        if long_chain and len(self._window) == _PAGES_KEPT:
            count = _PAGES_KEPT
            repeated = sum([says >= REPEATED for says, _, _, _ in self._window]) / count
            grows = sum([recurring for _, recurring, _, _ in self._window]) / count
            if repeated > _NOT_NOVEL and grows >= _GROWS and self._is_barren():
                return Finding(
                    "known-text",
                    f"{repeated:.0%} of the last {count} pages repeat the ones before, each leads to {grows:.1f} more",
                )
        return None

    def _is_barren(self) -> bool:
        """Whether the run of pages without anything to give is longer than those before let expect."""
        return self._barren >= min(_BARREN_RUNS * self._gap, _MAX_BARREN)

    def identical(self, *, certain: bool) -> Finding | None:
        """Whether its pages are one and the same; `certain`: more of them will come, or they are one picture's sizes.

        A list whose first pages have nothing to say yet is no trap: all its links came at once. Nor are pages each of
        which says what another one did, as those that are not translated yet: there is one for each of these. But a few
        that rotate, under ever new names, are one page (a quote beside "not found").
        """
        if len(self._window) < _IDENTICAL_PAGES:
            return None
        last = self._window[-_IDENTICAL_PAGES:]
        same = [text for says, grows, _, text in last if says == IDENTICAL and not grows]
        if len(same) < _IDENTICAL_SHARE * _IDENTICAL_PAGES:
            return None
        rotate = self._copies is not None and self._copies.rotate()
        if not (certain or rotate or len(set(same)) <= _IDENTICAL_TEXTS):
            return None
        # Of the later half: a few may have been fetched ahead of the others, when these were found.
        brought = self.entered - last[_IDENTICAL_PAGES // 2][2]
        all_same = self._identical >= max(_IDENTICAL_RUN, _RUN_SHARE * self.pages)
        if not (certain or all_same or brought >= _BROUGHT * _IDENTICAL_PAGES / 2):
            return None
        return Finding("identical", f"{_IDENTICAL_SHARE:.0%} of the last {_IDENTICAL_PAGES} pages are others again")

    def combinations(self, name_sets: int, *, whole_site: bool) -> Finding | None:
        """Whether its URLs combine a few values; `name_sets`: sets of parameter names at this path."""
        if (
            name_sets >= _NAME_SETS
            and self.queries >= _QUERIES
            and len(self.combined) >= _COMBINED
            and self.pages >= _QUERY_PAGES
            and self.new >= _MULTIPLIES * self.pages
        ):
            return Finding("combinations", f"{self.queries} queries with {name_sets} sets of parameter names")
        if len(self.moved) >= _WAYS_TO_MOVE and self.pages >= (2 if whole_site else 1) * _PERMUTED_PAGES:
            often = {depth: count for depth, count in self.permuted.items() if count >= _PERMUTED}
            share = max([count / self.paths[depth] for depth, count in often.items()], default=0)
            count = sum(often.values())
            novel = sum([says == NOVEL for says, _, _, _ in self._window])
            enough = count >= _MANY_PERMUTED or 2 * novel < len(self._window)
            if len(often) > 1 and share >= _PERMUTED_SHARE and enough:
                return Finding("combinations", f"{count} paths are known with their segments in another order")
        return None

    def span(self) -> float:
        """How many combinations the parameter values seen so far allow, as far as they come to an end."""
        if not self.values or any(len(values) >= _MANY_VALUES for values in self.values.values()):
            return inf
        return prod(1 + len(values) for values in self.values.values())
