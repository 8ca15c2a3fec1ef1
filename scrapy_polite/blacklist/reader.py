"""Reading a list file: entries one at a time, and what of it could not be taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from scrapy_polite.blacklist.entries import Entry, Malformed
from scrapy_polite.blacklist.formats import FORMATS, Unsupported, recognised
from scrapy_polite.blacklist.lines import MAX_BYTES, MAX_LINE, ListError, text_lines
from scrapy_polite.blacklist.regexes import NoRegexEngine

_LOOKED_AT = 200
_MAX_EXAMPLES = 20
_MAX_TEXT = 100
_COMMENT = re.compile(r"(?:\A|\s)#")


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that was not taken, or not all of it: its number, counted from 1, its beginning as it came, and why."""

    line: int
    text: str
    why: str


@dataclass(slots=True)
class Faults:
    """How many, and the first of them."""

    count: int = 0
    first: list[Fault] = field(default_factory=list)

    def add(self, line: int, text: str, why: str) -> None:
        self.count += 1
        if len(self.first) < _MAX_EXAMPLES:
            self.first.append(Fault(line, text[:_MAX_TEXT], why))


class ListReader:
    """The entries of one file, with their line numbers. What it says of the file is complete after an iteration.

    `malformed` lines are none of their format; `unsupported` ones say what cannot be honoured here.
    """

    def __init__(self, path: Path, format_name: str | None = None, max_bytes: int = MAX_BYTES) -> None:
        self.path = path
        self.format = format_name
        self.malformed = Faults()
        self.unsupported = Faults()
        self._max_bytes = max_bytes

    def __iter__(self) -> Iterator[tuple[int, Entry]]:
        """Raises ListError where the file cannot be read, holds no line that could be taken, or regular expressions
        that nothing is there to run.
        """
        self.malformed = Faults()
        self.unsupported = Faults()
        stream = text_lines(self.path, self._max_bytes)
        head = list(islice(stream, _LOOKED_AT))
        self.format = self.format or recognised(head)
        read = FORMATS[self.format]
        some = False
        for number, raw in enumerate(chain(head, stream), 1):
            line = raw.strip().lstrip("\ufeff")  # where files with such a mark were put together
            if not line:
                continue
            entries: Sequence[Entry] = ()
            try:
                if len(line) > MAX_LINE or "\ufffd" in line:
                    self._check(line)
                entries = read(line)
            except Malformed as error:
                self.malformed.add(number, line, str(error))
                entries = error.entries
            except Unsupported as error:
                self.unsupported.add(number, line, str(error))
            except NoRegexEngine as error:
                raise ListError(f"{self.path}, line {number}: {error}") from None
            for entry in entries:
                some = True
                yield number, entry
        if self.malformed.count and not some:
            first = self.malformed.first[0]
            raise ListError(
                f"{self.path}: no list: none of its {self.malformed.count} lines could be read as {self.format} "
                f"(line {first.line}: {first.why})"
            )

    @staticmethod
    def _check(line: str) -> None:
        if len(line) > MAX_LINE:
            raise Malformed(f"longer than {MAX_LINE:,} characters")
        if not line.startswith("!") and "\ufffd" in _COMMENT.split(line, maxsplit=1)[0]:
            raise Malformed("not UTF-8")


def line_of(path: Path, format_name: str, entry: Entry) -> int | None:
    """The number of the first line that says `entry`; None where none does (any more). Reads the file.

    Raises ListError as reading does.
    """
    return next((number for number, one in ListReader(path, format_name) if one == entry), None)
