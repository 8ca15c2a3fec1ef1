"""The one place that knows which kinds of stores there are, by the scheme of a URL."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from scrapy_polite._redis.faults import RedisMissing
from scrapy_polite._redis.url import EXPECTED as SERVER_URLS
from scrapy_polite._redis.url import SCHEMES, RedisUrl, RedisUrlError, names_project_server

from .memory.store import MemoryStore
from .redis.contents import ServerContents
from .redis.pages import RedisPages
from .redis.store import RedisStore
from .sqlite.exports import ExportFile
from .sqlite.pages import SqlitePages
from .sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .base import FileStore, Store, StoredFile
    from .pages import PageStore

EXPECTED = "'memory' or a file's path, also as sqlite:///PATH, or a server's URL, such as redis://HOST:PORT/DB"
SERVER_EXPECTED = f"a server's URL: {SERVER_URLS}"
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)


class StoreUrlError(ValueError):
    """A URL of no store that is known. The message repeats nothing of it but the scheme: it may hold a password."""


class ClientMissing(StoreUrlError):
    """A URL that is right, of a store whose client is not installed."""


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """Where a store is: `file` is the path of one in a file, `server` that of one on a server; neither: in memory."""

    file: Path | None = None
    server: RedisUrl | None = None

    @classmethod
    def parse(cls, value: str, url: str = "", params: Mapping[str, Any] | None = None) -> StoreLocation:
        """`url` and `params` are the project's REDIS_URL and REDIS_PARAMS (see `RedisUrl`). Raises StoreUrlError."""
        found = _URL.fullmatch(value)
        if found is None:
            return cls() if value == "memory" else cls(Path(value))
        scheme, rest = found[1].lower(), found[2]
        if scheme == "memory" and not rest:
            return cls()
        if scheme in SCHEMES:
            return cls(server=_server(value, url, params))
        if scheme != "sqlite":
            raise StoreUrlError(f"there is no store for {scheme}:// URLs")
        if not rest.startswith("/") or rest == "/":
            raise StoreUrlError("an absolute path has three slashes: sqlite:///var/lib/polite.sqlite")
        return cls(Path(unquote(rest)))

    def below(self, resolve: Callable[[str], Path]) -> StoreLocation:
        """With an absolute path, which `resolve` makes."""
        return self if self.file is None else replace(self, file=resolve(str(self.file)))

    @property
    def lasting(self) -> bool:
        """Whether what is kept outlives a crawl, and others can read it."""
        return self.file is not None or self.server is not None

    @property
    def made(self) -> bool:
        """Whether there is anything to read: a file is made by the first crawl. May raise OSError."""
        return self.server is not None or (self.file is not None and self.file.exists())

    def __str__(self) -> str:
        """As `--store` takes it, without a password."""
        return self.server.shown if self.server is not None else str(self.file or "memory")


def is_url(value: str) -> bool:
    return _URL.fullmatch(value) is not None


def takes_project_server(value: str) -> bool:
    """Whether `value` names the server of the project's own REDIS_URL."""
    return names_project_server(value)


def open_store(location: StoreLocation) -> Store:
    """Nothing is opened before the first call."""
    if location.server is not None:
        return RedisStore(location.server)
    return MemoryStore() if location.file is None else SqliteStore(location.file)


def open_file(path: Path) -> FileStore:
    """The store in this file, for what only one in a file can do."""
    return SqliteStore(path)


def pages_location(location: StoreLocation) -> StoreLocation:
    """Where the pages that crawls come back to are: a file beside the store's, or the same server."""
    file = location.file
    return location if file is None else replace(location, file=file.with_name(f"{file.stem}-pages{file.suffix}"))


def open_pages(location: StoreLocation) -> PageStore:
    """The pages there (see `pages_location`), which nothing keeps in memory: ValueError. Nothing is opened before the
    first call."""
    if location.server is not None:
        return RedisPages(location.server)
    if location.file is None:
        raise ValueError("pages are kept in a file or on a server")
    return SqlitePages(location.file)


def read_contents(location: StoreLocation) -> StoredFile:
    """What is in a store, or in an export."""
    return ServerContents(location.server) if location.server is not None else ExportFile(location.file or Path())


def _server(value: str, url: str, params: Mapping[str, Any] | None) -> RedisUrl:
    if find_spec("redis") is None:
        raise ClientMissing(str(RedisMissing()))
    try:
        return RedisUrl.parse(value, url, params)
    except RedisUrlError as error:
        raise StoreUrlError(str(error)) from None
