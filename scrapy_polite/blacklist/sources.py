"""Which files a setting names, and whether they changed: the unit is one file, compiled and swapped by itself."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TypeGuard

from scrapy_polite.blacklist.compiled import VERSION
from scrapy_polite.blacklist.formats import FORMATS
from scrapy_polite.blacklist.lines import ListError

#: `drop` refuses what a list names; `audit` only says and counts what it would refuse.
ACTIONS = ("drop", "audit")
#: The action of a list of takedowns, which no setting gives: as `drop`, and nothing wins over it.
TAKEDOWN = "takedown"

#: What squidGuard's folders (UT1, Shalla) hold, and in which format.
_IN_FOLDERS = {"domains": "plain", "urls": "urls", "expressions": "expressions"}
_PACKED = ("", ".gz", ".xz")


class ListFile(NamedTuple):
    """A file, and its format (a key of `FORMATS`) where that is not to be recognised."""

    path: Path
    format: str | None


class Fingerprint(NamedTuple):
    """What changes when a file is written or replaced."""

    mtime_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Source:
    """One list of a setting: a file, a pattern (`lists/*.txt`), or a folder with `domains` and `urls`."""

    path: str
    format: str | None = None
    action: str = "drop"

    @classmethod
    def read(cls, given: object) -> Source:
        """From a path, or a mapping with "path" and perhaps "format" and "action". Raises ValueError."""
        if _is_path(given):
            return cls(os.fspath(given))
        if not isinstance(given, Mapping) or not _is_path(given.get("path")):
            raise ValueError(f"{given!r}: expected a path, or a dictionary with 'path' and perhaps 'format', 'action'")
        for name, value in given.items():
            known = _KNOWN.get(name)
            if known is None:
                raise ValueError(f"{name!r} of {given!r}: expected one of {', '.join(_KNOWN)}")
            if known and value not in known:
                raise ValueError(f"{name} {value!r}: expected one of {', '.join(known)}")
        return cls(**{**given, "path": os.fspath(given["path"])})

    def files(self, base: Path) -> list[ListFile]:
        """Its files, relative ones below `base`, sorted. Raises ListError where there are none."""
        named = base / self.path
        found = [named] if named.exists() else map(Path, sorted(glob.glob(str(named), recursive=True)))
        files = [file for path in found for file in self._at(path)]
        if not files:
            raise ListError(f"{named}: no such file")
        return files

    def _at(self, path: Path) -> list[ListFile]:
        if not path.is_dir():
            return [ListFile(path, self.format)]
        files = [
            ListFile(path / f"{name}{ending}", self.format or format_name)
            for name, format_name in _IN_FOLDERS.items()
            for ending in _PACKED
            if (path / f"{name}{ending}").is_file()
        ]
        if not files:
            raise ListError(f"{path}: a folder with no file named {', '.join(_IN_FOLDERS)}")
        return files


def _is_path(given: object) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(given, (str, os.PathLike)) and bool(os.fspath(given))


_KNOWN: dict[str, tuple[str, ...]] = {"path": (), "format": tuple(FORMATS), "action": ACTIONS}


def fingerprint(path: Path) -> Fingerprint:
    """Raises OSError where there is no such file."""
    status = path.stat()
    return Fingerprint(status.st_mtime_ns, status.st_size, status.st_ino)


def snapshot(sources: Iterable[Source], base: Path) -> dict[ListFile, Fingerprint]:
    """All files of these sources as they are now; another such mapping is equal as long as nothing changed.

    Raises ListError where there are none, or one cannot be seen.
    """
    files = [file for source in sources for file in source.files(base)]
    try:
        return {file: fingerprint(file.path) for file in files}
    except OSError as error:
        raise ListError(f"{error.filename}: {error.strerror or error}") from None


def compiled_path(folder: Path, file: ListFile, seen: Fingerprint) -> Path:
    """Where the compiled form of a file, as it was `seen`, is kept: another name for every other state of it."""
    return folder / f"{_digest(str(file.path.absolute()), file.format)}-{_digest(VERSION, *seen)}.list"


def superseded(compiled: Path) -> Iterator[Path]:
    """The compiled forms of other states of the same file, beside this one."""
    return (other for other in compiled.parent.glob(f"{compiled.name.partition('-')[0]}-*.list") if other != compiled)


def _digest(*what: object) -> str:
    return blake2b(repr(what).encode(errors="surrogateescape"), digest_size=12).hexdigest()
