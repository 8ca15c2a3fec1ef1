"""Where the keys of a TOML file stand, which its parser does not tell: for errors that name a line."""

from __future__ import annotations

import json
import re

#: Comments and texts (toml.io/en/v1.0.0): what looks like a key or a header in one of them is none.
_OPAQUE = re.compile(
    r"#[^\n]*"
    r'|"""(?:[^\\]|\\.)*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_KEY = re.compile(r"\s*([\w-]+)\s*=")
_HEADER = re.compile(r"\s*\[\[?\s*([\w-]+)\s*\]")


class TomlLines:
    """The lines of tables `[[name]]`, keys and values, as far as they are written in the usual way."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._plain = _OPAQUE.sub(_blanked, text).split("\n")
        self._headers = [
            (number, found[1]) for number, line in enumerate(self._plain, 1) if (found := _HEADER.match(line))
        ]

    def tables(self, name: str, count: int) -> list[int | None]:
        """The lines of the headers of `count` tables of a name; None of each where they are written in another way."""
        lines = [number for number, found in self._headers if found == name]
        return list(lines) if len(lines) == count else [self._key(name, 1, len(self._lines))] * count

    def first_table(self, name: str) -> int | None:
        """The line of the first header of tables of a name."""
        return next((number for number, found in self._headers if found == name), None)

    def key(self, name: str, header: int | None) -> int | None:
        """The line of a key of the table that begins at this line; None is the top of the file."""
        first = (header or 0) + 1
        last = next((number - 1 for number, _ in self._headers if number > (header or 0)), len(self._lines))
        return self._key(name, first, last) or header

    def value(self, value: object, key: int | None) -> int | None:
        """The line of a text of a list that begins at the line of its key; that line where it is not found."""
        if not isinstance(value, str) or key is None:
            return key
        spelled = (json.dumps(value, ensure_ascii=False), f"'{value}'")
        for number in range(key, len(self._lines) + 1):
            if number > key and (_KEY.match(self._plain[number - 1]) or _HEADER.match(self._plain[number - 1])):
                break
            if any(text in self._lines[number - 1] for text in spelled):
                return number
        return key

    def _key(self, name: str, first: int, last: int) -> int | None:
        for number in range(first, last + 1):
            found = _KEY.match(self._plain[number - 1])
            if found and found[1] == name:
                return number
        return None


def _blanked(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")
