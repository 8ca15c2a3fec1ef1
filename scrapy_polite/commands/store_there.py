"""Whether there is a store that a command may read, and opening it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from scrapy.utils.project import inside_project

from scrapy_polite.commands import CommandError
from scrapy_polite.services.store import open_store, store_location

if TYPE_CHECKING:
    from scrapy_polite.settings import PoliteSettings
    from scrapy_polite.store.base import Store
    from scrapy_polite.store.factory import StoreLocation

NAME_ONE = "name another with --store STORE"


def why_none(settings: PoliteSettings) -> str:
    """Why there is nothing to read; "" where there is a store."""
    where = store_location(settings)
    if where.made:
        return ""
    if where.lasting:
        return f"there is no store at {where}: a crawl makes it"
    return f"POLITE_STORE is 'memory'{'' if inside_project() else ', as outside of projects'}, so nothing is kept"


def lasting_store(settings: PoliteSettings, *, create: bool = False) -> StoreLocation:
    """Where the store is. Raises CommandError for one in memory, and unless `create` for one that is not made yet."""
    where = store_location(settings)
    why = why_none(settings)
    if why and not (create and where.lasting):
        raise CommandError(f"{why}; {NAME_ONE}")
    return where


@contextmanager
def opened(settings: PoliteSettings, *, create: bool = False) -> Iterator[Store]:
    """As `lasting_store`."""
    lasting_store(settings, create=create)
    with closing(open_store(settings)) as store:
        yield store
