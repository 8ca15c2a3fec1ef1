"""What groups of URL patterns are judged by: every figure in one table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What verdicts on groups, and which of their pages are read, go by."""

    #: Pages of a group that its order goes by. Fewer: honest sections are suspected at
    #: their begin and wait needlessly. More: a trap gets its full share for longer.
    window: int = 50
    #: Share of these pages that has to say something new, or to lead back.
    window_rate: float = 0.10
    #: A group that is suspected so many times is cleared in its tail only. Without, filters that bring each other links
    #: are cleared by turns, and take 25,000 pages before the tail of their site begins.
    suspicions: int = 3
    #: Pages of a suspected group before it is judged again when nothing else is left (POLITE_TRAP_BUDGET). With 300 a
    #: fifth of one of five hard honest sites is lost, with 100 up to half of three.
    budget: int = 500
    #: The same at most where what is suspected is refused afterwards, not kept (POLITE_TRAPS "drop"). With 200 seven of
    #: 155 honest sites lose pages in whole crawls; in simulated ones with 200 three of 172, with 100 seven of 138.
    budget_dropping: int = 200
    #: The same share of these: above it the budget is renewed.
    rate: float = 0.02
    #: The share of pages that has to say something new where most were brought by such as do, and the tail has had
    #: `remaining` pages: what says something lies close together, and goes first. Without, map tiles have no end before
    #: the cap.
    majority: float = 0.5
    #: For so many budgets that refuted the suspicion a group has one more that does not, before it ends: else a site is
    #: tried the more often the larger it is. Without, a third of the kernel's manual is left in 3 of 18 orders.
    refuted: int = 4
    #: Pages that a group may have which says new things, never branches and never leads back (POLITE_TRAP_CAP).
    cap: int = 20_000
    #: Pages on a deep probe, and as many before or after it, that say nothing new while the group grows: then it ends
    #: before its budget does. Fewer: a calendar that is empty for months is taken for one without an end.
    silent: int = 50
    #: Share of the pages of the tail that may say something all the same, or known things in a new combination: with
    #: more the group is not silent. With any share the winter of a pollen calendar ends it; with none a week cut by a
    #: year keeps a calendar going.
    breaks: float = 0.1
    #: Requests at once on a deep probe: with sixteen it is not deep, and neither the ends of a tree nor the next months
    #: of a calendar are seen.
    at_once: int = 2
    #: Pages of a budget that are taken on a deep probe; the others look wide.
    deep: int = 200
    #: Pages at the beginning of a budget that bring no link, after which its deep probe has met leaves alone and proves
    #: nothing. Without, LilyPond's manual is left with half of its pages unread (benchmarks/real_sites.py).
    leaves: int = 100
    #: Pages of a budget after which a group ends that branches and of which no page has led back, and how many more for
    #: each page that has. With 300 a site of 300,000 pages with six links each is left in 3 of 39 whole crawls; with
    #: one allowed at once in 1 of 40 runs.
    astray: int = 330
    astray_each: int = 75
    #: Share of these pages that have to bring new links: of a tree with leaves the lists may be read first, so that it
    #: seems to branch. Without, sites within sites lose a third in 10 of 20 whole crawls (benchmarks/honest_sites.py).
    astray_lead_on: float = 0.5
    #: Share of the pages of its first budget in the tail that have to lead back, afterwards `rate`: the less of a large
    #: site is known, the fewer do. With `rate` that site is left in 2 of 40 runs.
    first_back: float = 0.008
    #: New links of its own for each page of the group: up to here it is a chain, and does not branch.
    branch: float = 1.5
    #: Below so many new links for each page the group's queue shrinks: it is finite by arithmetic.
    shrink: float = 0.9
    #: New links that a group which says nothing new may still bring, by arithmetic, to be read to its end. Fewer:
    #: meshes of a few thousand pages are lost. More: so many pages of a shop's filters are read. And so many
    #: pages after the suspicion that has to be so: else filters that bring each other links take 18,000 and more.
    remaining: int = 5_000
    #: Of the new links for each page in the first half of a cap: a group that brings less in the other has another cap.
    #: Of single pages nothing is to be told: Rust's manual of 21,676 pages has a list of hundreds at its end.
    falls: float = 0.9
    #: A group that brought so large a share of another one's links may be endless only with that, if so large a share
    #: of links leads back there; else `searched_sites.py` loses timetables and comics to a search. Where that is looked
    #: for at the suspicion alone, sort orders of a list bring each other 42,000 pages in whole crawls, each group
    #: growing less by itself.
    joins: float = 0.05
    #: A pattern that brings so large a share of its links itself is a group of its own, beside a suspected one also if
    #: it brings so many links to its like for each page, new or not. Without, a wiki is left with the endless search
    #: whose results lead to its articles, and so is, in `searched_sites.py --everywhere`, what leads to more searches.
    feeds_itself: float = 0.25
    #: Pages that a chain may have which says known things in new combinations, and nothing new; and what a chain is
    #: here: new links for each page now, and when it was suspected. Without, rosters and menus of the day are lost;
    #: where it may branch less, meshes of five measures are.
    varied_cap: int = 3_000
    varied_branch: float = 1.5
    varied_first: float = 3.0
    #: In the tail `rate` is multiplied by the new links for each page, from the end that brings fewer, up to so many:
    #: the more a group grows the more is to be said for following it. Without, versions of files by commit take 20,000
    #: pages.
    grows: float = 5.0
    #: Nearest pages on the way from the start: a link to what one of these found leads back to nothing. With 256 a wiki
    #: of 300,000 pages is lost: on a deep probe hardly anything leads back.
    ancestors: int = 64
    #: Pages of a group that another process has read before which do not count: what is known to that one is being
    #: learned. Fewer: what it has read often says something new once more, and is followed for longer.
    learns: int = 10
    #: Pages of a group of which none is read: most groups have fewer. With 25 some traps are told 20 pages later.
    unread: int = 10
    #: Pages in a row, of those of a pattern or a group that are read, that say nothing new or hardly anything: what is
    #: like them goes last. Without, a form to reply to each comment takes half of the requests beside an honest site.
    dull: int = 5
    #: Hardly anything: below such a share of a page that its site has not shown to the letter.
    fresh: float = 0.02
    #: One page in so many is read of what is no group's.
    reads_finite: int = 4
    #: Of so many pages of a group that nobody suspects those are compared as a whole that say nothing new after one
    #: that did not either: what is usual there is known when its tail begins. Without, silent traps take 300 pages.
    compared: int = 100
    #: One page in so many is read of a group of which so large a share says something new; all of one that says less.
    #: With one in four from 0.5 on a trap that draws from a pool is told late: the pool is known that much later.
    reads: tuple[tuple[float, int], ...] = ((0.9, 4), (0.5, 2))
    #: The same of a group that shrinks: what it says is of no account, unless in its tail it may have run silent.
    reads_shrinking: int = 8
    #: Of these pages of a pattern in a group, of those that are read, the first that says something new, but less than
    #: so much of its text is, is fetched once more: counters, clocks and tokens. With one page for each group a users'
    #: list with a token in each page has no end past its last user, and takes the turns of a forum's articles.
    looked_into: range = range(20, 23)
    little: float = 0.25


DEFAULT_LIMITS = Limits()

# URL patterns (`patterns`)

#: The first segments told apart below one host and depth, and sets of parameter names of one path. With many of them
#: dated paths and shuffled facets open new patterns for ever, and nothing is ever suspected.
PATTERN_NAMES = 8
#: A further first segment, or third folder, is told apart once it stands in so many URLs, up to so many of them: a
#: section of a site is then no part of a trap beside it that makes up names.
NAMED_FROM, MORE_NAMES = 3, 16
#: A path that never stands without parameters is told apart as a whole: so many at once, as many as names, further ones
#: once they stand in so many URLs, up to so many in all. Where it is not, a library's search and its records below
#: `/cgi-bin/` are one pattern, and half of the records are lost. With 10 URLs pages with variants are scripts.
SCRIPT_FROM, SCRIPTS = 30, 32
#: Hosts of a registered domain told apart: a domain may answer for any name.
PATTERN_HOSTS = 4
#: Segments told apart; deeper ones are one pattern.
PATTERN_DEPTH = 3
#: So many sets of parameter names at one path combine filters: that the pages differ says nothing.
COMBINES = 20

# What a URL explains, and what is usual (`novelty`)

#: Figures of a number that a page may show in pieces, as of a telephone number.
LONG = 7
#: Letters of a word that is a name: shorter ones are parts of numbers and identifiers.
WORD = 3
#: Numbers that count up, this many at least, are days or pages.
RUN = 3
#: Numbers in a row, each in a cell of at most so many bytes, that are a month.
MONTH, CELL = 20, 16
#: The last day or week, and the years that stand in dates: of the Gregorian calendar, of Muslim and Persian ones, the
#: Buddhist and the Jewish one.
LAST_DAY = 53
YEARS = ((1800, 2200), (1300, 1500), (2500, 2600), (5700, 5900))
#: The share of pages that makes what they say usual. With any second page a sensor that shows ten values is silent.
USUAL = 0.1

# How a group grows (`evidence`)

#: A part of so large a share of the pages is told from others. After so many generations growth is at most 10 %
#: above what it is in the long run, where some pages bring 25 times as much as others (Gelfand's formula).
OFTEN, GENERATIONS = 0.1, 32
#: Standard deviations by which the mean of so many pages may be lower by chance. Without, in `searched_sites.py
#: --everywhere`, a tree whose pages have one child on average is lost to a search.
BY_CHANCE = 2.0

# The order of groups (`verdict`, `frontier.shares`)

#: Rounds that the first of the links waits which a group brought to itself: what lies elsewhere on the site goes ahead.
WAIT_ROUNDS = 20.0
#: A group is weighed against others every so many pages, and gets one request where another gets so many at most; a
#: suspected one always does. What a trap takes before 95 % of an honest site beside it is in shows it.
WEIGHED_EVERY, MAX_WEIGHT = 10, 20.0
#: A group that grows gets one request where one that comes to its end gets so many: traps do not shrink.
GROWS_WEIGHT = 1.5
#: One of which none of the last pages, and so many at least, leads back gets one where others get so many.
TOLD_FROM, NEVER_BACK_WEIGHT = 20, 6.0
#: By what power of its growth a suspected group waits longer; and of the share of its pages that say something new one
#: that is not. With 5 traps of which nine pages in ten say something new take up to 19 % of the requests.
GROWTH_POWER, NEW_POWER = 3, 24
#: Pages of a part of a suspected group, of those that were read, from which on its turn is the rarer the less they say,
#: or lead to what does; each has a turn of its own. With one turn for all a MediaWiki ends with a fifth of its articles
#: unread, behind the histories, old versions and forms of the others; with one for each whole pattern a webtrees with
#: half of its people, behind their charts.
SHARED_FROM = 5
#: Of the links that a deep probe has found one in so many is taken in no order, for a look into the middle: the
#: calendar of a finite site may be empty at both its ends. With one in two a family tree is not seen to come to its
#: ends.
ANY_ONE_IN = 8
