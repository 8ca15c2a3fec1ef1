"""What robots.txt names as the main host of the hosts where a spider starts, as far as the store knows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

from scrapy_polite.origin import origin_of
from scrapy_polite.robots.main_host import ITSELF, why_not
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.services.store import open_store, store_location
from scrapy_polite.store.errors import StoreError
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy_polite.origin import Origin
    from scrapy_polite.settings import PoliteSettings

#: Start URLs that are looked at, and lines that are shown.
_MAX_STARTS, _MAX_SHOWN = 100, 3


def main_hosts(polite: PoliteSettings, start_urls: Iterable[object]) -> str:
    """One line; empty where the store has no such file. Makes no store, and asks nobody."""
    origins = dict.fromkeys(filter(None, map(origin_of, [str(url) for url in list(start_urls)[:_MAX_STARTS]])))
    where = store_location(polite)
    if not origins or not where.lasting or (where.file is not None and not where.file.exists()):
        return ""
    try:
        found = list(_named(polite, origins))
    except (OSError, StoreError):
        return ""  # the line of the store says why
    more = f" and {len(found) - _MAX_SHOWN:,} more" if len(found) > _MAX_SHOWN else ""
    return "; ".join(found[:_MAX_SHOWN]) + more


def _named(polite: PoliteSettings, origins: Iterable[Origin]) -> Iterator[str]:
    with closing(open_store(polite)) as store:
        for origin in origins:
            copies = store.robots.of_origin(str(origin)).result()
            newest = max(copies, key=lambda copy: copy.updated_at, default=None)
            line = RobotsTxt.parse(newest.body, "*").host if newest is not None else None  # it is for all crawlers
            if line is None or (why := why_not(origin, line)) == ITSELF:
                continue
            if polite.sites.policy(origin).host != "follow":
                why = why or "POLITE_SITES may say 'host': 'follow'"
            doing = f"noted: {why}" if why else "followed, if it confirms it"
            yield f"{origin} names {printable(line, 60)} ({doing})"
