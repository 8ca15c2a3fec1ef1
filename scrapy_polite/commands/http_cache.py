"""What Scrapy's HTTP cache has stored, by URL, and how to remove it: both of its storages, for all spiders.

`FilesystemCacheStorage` has a folder for each response, `SPIDER/2 digits/40 digits`; `DbmCacheStorage` a database for
each spider. Nothing that they hold is run: the one's `meta` is a literal, the other's pickles are read inert.
"""

from __future__ import annotations

import ast
import gzip
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from scrapy_polite.frontier.inert import read_inert

MAX_EXAMPLES = 3

_MAX_META = 1 << 20
_PREFIX = re.compile(r"[0-9a-f]{2}")
_FINGERPRINT = re.compile(r"[0-9a-f]{8,128}")
#: What the modules `dbm.*` make of the name `SPIDER.db`.
_DATABASE = re.compile(r"(.+?\.db)(?:\.db|\.dat|\.dir|\.bak|\.pag)?")
_GZIP = b"\x1f\x8b"
_DATA, _TIME = b"_data", b"_time"


@dataclass(slots=True)
class Cached:
    """How many responses; `seen` of how many, and `unreadable` of which no URL could be read: they were left.

    `faults` say what could not be opened, or not overwritten.
    """

    count: int = 0
    seen: int = 0
    unreadable: int = 0
    faults: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)

    def judge(self, urls: tuple[str, ...], covers: Callable[[str], bool]) -> bool:
        """Whether a response is meant, by the URLs it was asked for and answered with; counts it."""
        self.seen += 1
        if not urls:
            self.unreadable += 1
            return False
        if not any(map(covers, urls)):
            return False
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append(urls[0])
        return True


def cached(folder: Path, covers: Callable[[str], bool], dbm_module: str, *, act: bool) -> Iterator[Cached]:
    """Find what is stored below HTTPCACHE_DIR of a URL that `covers`, and remove it (`act`).

    Yields what has come of it so far, the last time when it is done.
    """
    so_far = Cached()
    for path in _responses(folder):
        if so_far.judge(_urls(path), covers) and act:
            try:
                shutil.rmtree(path)
            except OSError as error:
                so_far.faults.append(f"{path}: {error.strerror or error}")
        yield so_far
    for path in _databases(folder):
        yield from _in_database(path, covers, dbm_module, so_far, act=act)
    yield so_far


def _responses(folder: Path) -> Iterator[Path]:
    for spider in _folders(folder):
        for prefix in _folders(spider):
            if _PREFIX.fullmatch(prefix.name):
                yield from (path for path in _folders(prefix) if _FINGERPRINT.fullmatch(path.name))


def _folders(folder: Path) -> list[Path]:
    """Those in it, links apart: what they lead to is not the cache's. None where there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []


def _urls(response: Path) -> tuple[str, ...]:
    try:
        with (response / "meta").open("rb") as file:
            start = file.read(len(_GZIP))
            file.seek(0)
            data = (gzip.GzipFile(fileobj=file) if start == _GZIP else file).read(_MAX_META)
        return _of(ast.literal_eval(data.decode()))
    except (OSError, EOFError, ValueError, SyntaxError, MemoryError, RecursionError):
        return ()


def _of(values: Any) -> tuple[str, ...]:
    if not isinstance(values, dict):
        return ()
    urls = (values.get("url"), values.get("response_url"))
    return tuple(dict.fromkeys(url for url in urls if isinstance(url, str)))


def _databases(folder: Path) -> list[Path]:
    try:
        names = {found[1] for path in folder.iterdir() if path.is_file() and (found := _DATABASE.fullmatch(path.name))}
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def _in_database(
    path: Path, covers: Callable[[str], bool], dbm_module: str, so_far: Cached, *, act: bool
) -> Iterator[Cached]:
    try:
        with closing(import_module(dbm_module).open(str(path), "w" if act else "r")) as database:
            before = so_far.count
            for key in [key for key in database.keys() if key.endswith(_DATA)]:  # noqa: SIM118 (not all can be iterated)
                if so_far.judge(_pickled_urls(database[key]), covers) and act:
                    for stored in (key, key.removesuffix(_DATA) + _TIME):
                        if stored in database:
                            del database[stored]
                yield so_far
            if act and so_far.count > before:
                if hasattr(database, "reorganize"):
                    database.reorganize()
                else:
                    so_far.faults.append(f"{path}: what was removed may still stand in its free space: delete the file")
    except Exception as error:  # noqa: BLE001 (each of these modules has an error of its own)
        so_far.faults.append(f"{path}: {str(error) or type(error).__name__}")


def _pickled_urls(data: bytes) -> tuple[str, ...]:
    try:
        return _of(read_inert(data))
    except ValueError:
        return ()
