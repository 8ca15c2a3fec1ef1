"""The one place that knows which kinds of stores there are, by the scheme of a URL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from .memory.store import MemoryStore
from .sqlite.exports import ExportFile
from .sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from .base import FileStore, Store, StoredFile

EXPECTED = "'memory' or a file's path, also as sqlite:///PATH"
MEMORY = "memory"
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)


class StoreUrlError(ValueError):
    """A URL of no store that is known. The message repeats nothing of it but the scheme: it may hold a password."""


@dataclass(frozen=True, slots=True)
class StoreLocation:
    """Where a store is. `file` is the path of one in a file, as it is written; None: in memory."""

    file: str | None

    @classmethod
    def parse(cls, value: str) -> StoreLocation:
        """Raises StoreUrlError."""
        url = _URL.fullmatch(value)
        if url is None:
            return cls(None if value == MEMORY else value)
        scheme, rest = url[1].lower(), url[2]
        if scheme == MEMORY and not rest:
            return cls(None)
        if scheme != "sqlite":
            raise StoreUrlError(f"there is no store for {scheme}:// URLs")
        if not rest.startswith("/") or rest == "/":
            raise StoreUrlError("an absolute path has three slashes: sqlite:///var/lib/polite.sqlite")
        return cls(unquote(rest))


def open_store(value: str, resolve: Callable[[str], Path] = Path) -> Store:
    """The store that `value` names: "memory", a file's path, which `resolve` makes absolute, or a URL.

    Raises StoreUrlError. Nothing is opened before the first call.
    """
    file = StoreLocation.parse(value).file
    return MemoryStore() if file is None else SqliteStore(resolve(file))


def open_file(path: Path) -> FileStore:
    """The store in this file, for what only one in a file can do."""
    return SqliteStore(path)


def read_file(path: Path) -> StoredFile:
    """What is in an export, or in the file of a store."""
    return ExportFile(path)
