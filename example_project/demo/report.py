"""What a crawl of the demo site did, per origin: a table for people, JSON for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest


@dataclass(frozen=True, slots=True)
class Row:
    """One origin. `pages`, `forbidden` (among `pages`) and `allowed` are paths; they and `robots_requests` are the
    site's own count. `standing`, `refused` (reason → number) and `waited_s` are the add-on's; None where it is off.
    """

    name: str
    address: str
    robots_requests: int
    pages: tuple[str, ...]
    forbidden: tuple[str, ...]
    allowed: tuple[str, ...]
    standing: str | None
    refused: Mapping[str, int] | None
    waited_s: float | None

    @property
    def missed(self) -> set[str]:
        return set(self.allowed) - set(self.pages)


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    width: int
    right: bool = False

    def cell(self, text: str) -> str:
        return text.rjust(self.width) if self.right else text.ljust(self.width)


_COLUMNS = (
    _Column("origin", 31),
    _Column("what its robots.txt did", 32),
    _Column("pages", 5, right=True),
    _Column("forbidden", 9, right=True),
    _Column("refused", 21),
    _Column("waited", 10, right=True),
)


def as_text(rows: Sequence[Row], *, polite: bool) -> str:
    """At most 120 columns wide; an origin takes as many lines as its longest cell."""
    lines = [_line(column.title for column in _COLUMNS), _line("-" * column.width for column in _COLUMNS)]
    for row in rows:
        lines += _row_lines(row)
    total = ("all", "", str(sum(len(r.pages) for r in rows)), str(sum(len(r.forbidden) for r in rows)), "", "")
    lines += [lines[1], _line(total), "", *_closing(rows, polite=polite)]
    return "\n".join(lines) + "\n"


def as_json(spider: str, finish_reason: str, rows: Sequence[Row]) -> str:
    report = {"spider": spider, "finish_reason": finish_reason, "origins": [asdict(row) for row in rows]}
    return json.dumps(report, indent=1) + "\n"


def _closing(rows: Sequence[Row], *, polite: bool) -> list[str]:
    """What to look at, and how to see the difference."""
    forbidden = sum(len(row.forbidden) for row in rows)
    missed = sum(len(row.missed) for row in rows)
    if polite:
        more = "The same crawl with Scrapy's own robots.txt middleware instead: scrapy crawl demo_stock"
    else:
        more = "This was Scrapy's own robots.txt middleware. The same crawl with the add-on: scrapy crawl demo"
    return [
        f'By the site\'s own log {forbidden} of the pages fetched were forbidden: look at the column "forbidden".',
        f"{missed} pages that are allowed were missed.",
        more,
    ]


def _row_lines(row: Row) -> Iterator[str]:
    refused = ["-"] if row.refused is None else [f"{count} {reason}" for reason, count in sorted(row.refused.items())]
    cells = (
        [row.name, "  " + row.address],
        ["-"] if row.standing is None else textwrap.wrap(row.standing, _COLUMNS[1].width),
        [str(len(row.pages))],
        [str(len(row.forbidden))],
        [piece for text in refused for piece in textwrap.wrap(text, _COLUMNS[4].width)],
        ["-" if row.waited_s is None else f"{row.waited_s:.1f} s"],
    )
    return map(_line, zip_longest(*cells, fillvalue=""))


def _line(cells: Iterable[str]) -> str:
    return "  ".join(column.cell(cell) for column, cell in zip(_COLUMNS, cells, strict=True)).rstrip()
