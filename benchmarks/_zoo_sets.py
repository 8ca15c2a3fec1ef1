"""All sites of the zoo, by set and by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from _zoo import HONEST, NEW, NEW_HONEST, OWN, TRAPS, Answer, Asked, Leaf, Site
from _zoo_foreigner_honest import FOREIGNER_HONEST
from _zoo_guest_honest import GUEST_HONEST
from _zoo_guest_traps import GUEST
from _zoo_honest import MORE_HONEST
from _zoo_lodger import LODGER, LODGER_HONEST
from _zoo_neighbour_honest import NEIGHBOUR_HONEST
from _zoo_neighbour_traps import NEIGHBOUR
from _zoo_outsider import drawn
from _zoo_outsider_honest import OUTSIDER_HONEST
from _zoo_outsider_honest_more import OUTSIDER_HONEST_MORE
from _zoo_outsider_traps import OUTSIDER
from _zoo_outsider_traps_more import OUTSIDER_MORE
from _zoo_pilgrim_honest import PILGRIM_HONEST
from _zoo_pilgrim_traps import PILGRIM
from _zoo_recombined import RECOMBINED
from _zoo_settler_honest import SETTLER_HONEST
from _zoo_settler_traps import SETTLER
from _zoo_stranger_honest import STRANGER_HONEST
from _zoo_stranger_traps import STRANGER
from _zoo_tenant_honest import TENANT_HONEST
from _zoo_tenant_traps import TENANT
from _zoo_traps import BIG_START, MORE, big_host
from _zoo_visitor_honest import VISITOR_HONEST
from _zoo_visitor_honest_more import VISITOR_HONEST_MORE
from _zoo_visitor_traps import VISITOR
from _zoo_visitor_traps_more import VISITOR_MORE
from _zoo_walker import WALKER_HONEST

SETS: dict[str, list[Site]] = {
    "research": TRAPS,
    "own": OWN,
    "new": NEW,
    "more": MORE,
    "honest": HONEST,
    "new-honest": NEW_HONEST,
    "more-honest": MORE_HONEST,
    "recombined": RECOMBINED,
    "outsider": drawn([*OUTSIDER, *OUTSIDER_MORE]),
    "outsider-honest": drawn([*OUTSIDER_HONEST, *OUTSIDER_HONEST_MORE]),
    "visitor": drawn([*VISITOR, *VISITOR_MORE]),
    "visitor-honest": drawn([*VISITOR_HONEST, *VISITOR_HONEST_MORE]),
    "walker-honest": WALKER_HONEST,
    "stranger": STRANGER,
    "stranger-honest": STRANGER_HONEST,
    "foreigner-honest": FOREIGNER_HONEST,
    "guest": GUEST,
    "guest-honest": GUEST_HONEST,
    "neighbour": NEIGHBOUR,
    "neighbour-honest": NEIGHBOUR_HONEST,
    "lodger": LODGER,
    "lodger-honest": LODGER_HONEST,
    "tenant": TENANT,
    "tenant-honest": TENANT_HONEST,
    "pilgrim": PILGRIM,
    "pilgrim-honest": PILGRIM_HONEST,
    "settler": SETTLER,
    "settler-honest": SETTLER_HONEST,
}
#: What `trap_zoo.py` runs unless it is told a set. All others are of people who had seen neither these nor the rules.
DEFAULT_SETS = ["research", "own", "new", "more", "honest", "new-honest", "more-honest", "recombined"]
SITES: dict[str, Site] = {site.name: site for sites in SETS.values() for site in sites}


def chosen(labels: Iterable[str], names: Sequence[str]) -> list[Site]:
    """The sites of these sets; only those whose name has one of `names` as a part, if there are any."""
    sites = [site for label in labels for site in SETS[label]]
    return [site for site in sites if not names or any(part in site.name for part in names)]


def beside(trap: Site) -> Site:
    """A trap whose home page leads to an honest site of some 1,000 pages as well."""

    def page(asked: Asked) -> Leaf | Answer | None:
        if asked.path == "/" and not trap.inside(asked.url):
            return Leaf("Home", ["Welcome to all of our pages."], [BIG_START, trap.start])
        if asked.path.startswith(BIG_START):
            return big_host(asked)
        return trap.page(asked) if trap.inside(asked.url) else None

    def inside(url: str) -> bool:
        path = urlsplit(url).path
        return not path.startswith(BIG_START) and (trap.inside(url) or path not in ("", "/"))

    return replace(trap, page=page, inside=inside, hosted=False)
