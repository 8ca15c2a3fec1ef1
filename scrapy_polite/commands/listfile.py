"""Entries of our own format as a person gives them: read, said in words, and added to a list file."""

from __future__ import annotations

import codecs
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from pathlib import Path
from types import ModuleType

from scrapy_polite.blacklist.entries import Entry, Kind, Malformed
from scrapy_polite.blacklist.formats import plain
from scrapy_polite.blacklist.lines import ListError
from scrapy_polite.blacklist.reader import ListReader
from scrapy_polite.blacklist.regexes import NoRegexEngine
from scrapy_polite.commands import CommandError
from scrapy_polite.origin import is_public_suffix
from scrapy_polite.text import printable

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows: two who add at the same moment are on their own
    fcntl = None

_MAX_WHY = 1_000
#: What a file begins with that is no text to add a line to: gzip, xz, UTF-16.
_NO_TEXT = (b"\x1f\x8b", b"\xfd7zXZ\x00", codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def entries_of(text: str) -> Sequence[Entry]:
    """The entries of one line of our own format, one at least. Raises CommandError."""
    line = text.strip()
    try:
        if not line.isprintable():
            raise Malformed("more than one line" if line.splitlines() != [line] else "control characters")
        entries = plain(line) if line else ()
    except (Malformed, NoRegexEngine) as error:
        raise CommandError(f"{printable(repr(text), 100)} is no entry: {error}") from error
    if not entries:
        raise CommandError(f"{printable(repr(text), 100)} is no entry: nothing but a comment")
    return entries


def refuse_public_suffixes(entries: Sequence[Entry]) -> None:
    """Raises CommandError for an entry that covers all that is registered below a public suffix."""
    for entry in entries:
        if entry.kind is Kind.HOST and is_public_suffix(entry.text):
            raise CommandError(
                f"{entry.text} is a public suffix, and with it goes every site below it: name one of them, "
                f"'={entry.text}' for that host alone, or give --public-suffix if all are meant"
            )


def in_words(entry: Entry) -> str:
    """What an entry covers."""
    text = entry.text
    if entry.kind is Kind.HOST:
        words = f"{text} and its subdomains" if "." in text else f"every host of the top-level domain {text}, or {text}"
    elif entry.kind is Kind.EXACT_HOST:
        words = f"the host {text}, without its subdomains"
    elif entry.kind is Kind.RANGE:
        network = ip_network(text)
        count = network.num_addresses
        words = f"the address {network[0]}" if count == 1 else f"{count:,} addresses, {network[0]} to {network[-1]}"
    elif entry.kind is Kind.REGEX:
        words = f"every URL in which this expression is found: {text}"
    else:
        start = "every URL that begins with" if entry.kind is Kind.PREFIX else "the URL"
        end = ", of subdomains too" if text.startswith(".") else ""
        words = f"{start} http(s)://{text.removeprefix('.')}{end}"
    return f"an exception: {words}" if entry.exception else words


def first_lines(path: Path, entries: Sequence[Entry]) -> dict[Entry, int]:
    """On which line of a file of our own format each of these entries stands first; those that do not are left out.

    Raises CommandError where the file cannot be read, or added to.
    """
    if not path.exists():
        return {}
    found: dict[Entry, int] = {}
    try:
        with path.open("rb") as file:
            if file.read(8).startswith(_NO_TEXT):
                raise CommandError(f"{path} is compressed, or UTF-16: entries are added to plain UTF-8 text alone")
        for number, entry in ListReader(path, "plain"):
            if entry in entries:
                found.setdefault(entry, number)
    except (OSError, ListError) as error:
        raise CommandError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    return found


def add(path: Path, entries: Sequence[Entry], why: str = "", head: str = "") -> list[Entry]:
    """Add those entries that are not there to a file of our own format, which is made, with a `head`, where none is.

    Returns those added. Readers see the file before or after, nothing between, and who adds meanwhile waits. Raises
    CommandError.
    """
    path = path.resolve()  # what a link points to is replaced, not the link
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _locked(path.parent):
            there = first_lines(path, entries)
            new = [entry for entry in entries if entry not in there]
            if new:
                before = path.read_bytes() if path.exists() else head.encode()
                end = "\n" if before and not before.endswith(b"\n") else ""
                lines = [*([f"# {printable(why, _MAX_WHY)}"] if why else []), *map(str, new), ""]
                _replace(path, before + (end + "\n".join(lines)).encode())
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from error
    return new


def take_out(path: Path, entries: Sequence[Entry]) -> None:
    """Take entries out of a file of our own format, with the comment that stands before them alone, as `add` has them.

    Raises CommandError.
    """
    path = path.resolve()
    try:
        with _locked(path.parent):
            _replace(path, b"".join(_without(path.read_bytes().splitlines(keepends=True), set(entries))))
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror or error}") from error


def _without(lines: Sequence[bytes], entries: set[Entry]) -> list[bytes]:
    kept: list[bytes] = []
    removed = others = False  # of the lines up to the next comment
    for line in reversed(lines):
        text = line.decode("utf-8", "replace").strip()
        if text.startswith("#"):
            is_theirs = removed and not others
            removed = others = False
            if is_theirs:
                continue
        elif text and entries.issuperset(_read(text)):
            removed = True
            continue
        else:
            others = others or bool(text)
        kept.append(line)
    return kept[::-1]


def _read(text: str) -> Sequence[Entry | str]:
    try:
        return plain(text) or (text,)
    except (Malformed, NoRegexEngine):
        return (text,)


@contextmanager
def readable() -> Iterator[None]:
    """What is wrong with a list, as a CommandError."""
    try:
        yield
    except ListError as error:
        raise CommandError(str(error)) from error


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """By the folder, since the file itself is replaced."""
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without such locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _replace(path: Path, data: bytes) -> None:
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            os.chmod(temporary, path.stat().st_mode & 0o7777)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
