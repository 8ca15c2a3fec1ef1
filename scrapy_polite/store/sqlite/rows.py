"""Rows and values: what is read from a file is checked, as it may have been written by anybody."""

from __future__ import annotations

import json
from typing import Any

Columns = dict[str, tuple[str, tuple[type, ...]]]
"""Column by column: SQL type, and what reading it must yield."""


def definitions(columns: Columns) -> str:
    return ", ".join(f"{name} {sql}" for name, (sql, _) in columns.items())


def names(columns: Columns) -> str:
    return ", ".join(columns)


def marks(columns: Columns) -> str:
    return ", ".join("?" * len(columns))


def encodable(text: str | None) -> str | None:
    # A server's header may hold what UTF-8 cannot: that must not look like a broken store.
    return text and text.encode("utf-8", "backslashreplace").decode("utf-8")


def checked(columns: Columns, row: tuple[Any, ...]) -> dict[str, Any]:
    """The row's values by column. Raises ValueError where one is of a type that is never written."""
    for value, (name, (_, types)) in zip(row, columns.items(), strict=True):
        if type(value) not in types:
            raise ValueError(f"{name} of {row[0]!r} is {type(value).__name__}")
    return dict(zip(columns, row, strict=True))


def urls(values: dict[str, Any], name: str) -> tuple[str, ...]:
    """Raises ValueError where the column `name` holds no JSON list of texts."""
    found = json.loads(values[name])
    if not (isinstance(found, list) and all(isinstance(url, str) for url in found)):
        raise ValueError(f"{name} of {next(iter(values.values()))!r} is no list of URLs")
    return tuple(found)
