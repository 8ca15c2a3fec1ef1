"""What a crawl of the demo site did, per origin: a table for people, JSON for programs."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest


@dataclass(frozen=True, slots=True)
class Row:
    """One origin. `pages`, `trapped` (those of an endless space that are not worth reading), `forbidden` (among both)
    and `allowed` are paths; they, `requests` (of any kind) and `robots_requests` are the site's own count, as are
    `shortest_gap_s` (from an answer to the next request, where robots.txt asks for a delay of `asked_s`) and `early`
    (requests that came before their time). `rules`, `of_sitemap` (URLs that its sitemap has led to), `moved` (requests
    made at the main host instead), `refused` (reason → number), `waited_s`, `delay` and `backoffs` are the add-on's;
    None where it is off.
    """

    name: str
    address: str
    requests: int
    robots_requests: int
    pages: tuple[str, ...]
    trapped: tuple[str, ...]
    forbidden: tuple[str, ...]
    allowed: tuple[str, ...]
    rules: str | None
    of_sitemap: int | None
    moved: int | None
    refused: Mapping[str, int] | None
    waited_s: float | None
    asked_s: float
    shortest_gap_s: float | None
    early: int
    delay: str | None
    backoffs: int | None

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
    _Column("origin", 24),
    _Column("robots.txt, and the delay", 25),
    _Column("pages", 5, right=True),
    _Column("traps", 5, right=True),
    _Column("forbidden", 9, right=True),
    _Column("early", 5, right=True),
    _Column("refused", 19),
    _Column("waited", 6, right=True),
    _Column("closed", 6, right=True),
)


#: What the columns say; README.md says more.
_LEGEND = (
    "pages      pages that were fetched, without those of an endless space",
    "traps      pages of an endless space that were fetched",
    "forbidden  fetched pages that robots.txt, the blacklist or nofollow forbid",
    "early      requests that came sooner than the site asks for (Crawl-delay, Request-rate, Retry-After)",
    "refused    requests that the add-on did not send, and why",
    "waited     the longest wait of a request for its robots.txt or for its host's delay",
    "closed     how often the crawl left the host alone for a time, as after 503 with Retry-After",
)


def as_text(rows: Sequence[Row], seconds: float, *, polite: bool) -> str:
    """At most 120 columns wide; an origin takes as many lines as its longest cell."""
    lines = [_line(column.title for column in _COLUMNS), _line("-" * column.width for column in _COLUMNS)]
    for row in rows:
        lines += _row_lines(row)
    total = ("all", "", *(str(_total(rows, what)) for what in ("pages", "trapped", "forbidden", "early")), "", "", "")
    lines += [lines[1], _line(total), "", *_closing(rows, seconds, polite=polite)]
    return "\n".join(lines) + "\n"


def _total(rows: Sequence[Row], what: str) -> int:
    values = [getattr(row, what) for row in rows]
    return sum(value if isinstance(value, int) else len(value) for value in values)


def as_json(spider: str, finish_reason: str, seconds: float, rows: Sequence[Row]) -> str:
    report = {
        "spider": spider,
        "finish_reason": finish_reason,
        "seconds": seconds,
        "origins": [asdict(row) for row in rows],
    }
    return json.dumps(report, indent=1) + "\n"


def _closing(rows: Sequence[Row], seconds: float, *, polite: bool) -> list[str]:
    """What to look at, and how to see the difference."""
    missed = sum(len(row.missed) for row in rows)
    early = f'{_total(rows, "early")} requests came before their time (column "early")'
    gaps = [(row.shortest_gap_s, row) for row in rows if row.shortest_gap_s is not None]
    if gaps:
        gap_s, row = min(gaps, key=lambda item: item[0] / item[1].asked_s)
        early += f"; the shortest gap was {gap_s:.2f} s, where {row.asked_s:g} s is asked for"
    if polite:
        more = [
            "The same crawl with Scrapy's own robots.txt middleware and scheduler instead: scrapy crawl demo_stock",
            "A site that is crawled again when some of its pages have changed: python -m demo.again",
        ]
    else:
        more = [
            "This was Scrapy's own robots.txt middleware and scheduler. The same with the add-on: scrapy crawl demo"
        ]
    return [
        f'By the site\'s own log {_total(rows, "forbidden")} of the pages fetched were forbidden (column "forbidden").',
        f"{early}.",
        f'{_total(rows, "trapped")} pages of endless spaces were fetched (column "traps").',
        f"{missed} pages that are allowed were missed. The crawl took {seconds:.1f} s.",
        "",
        *_LEGEND,
        "",
        *more,
    ]


def _row_lines(row: Row) -> Iterator[str]:
    refused = ["-"] if row.refused is None else [f"{count} {reason}" for reason, count in sorted(row.refused.items())]
    robots = ["-"] if row.rules is None else list(_robots_lines(row))
    cells = (
        [*textwrap.wrap(row.name, _COLUMNS[0].width), " " + row.address],
        [piece for text in robots for piece in textwrap.wrap(text, _COLUMNS[1].width)],
        [str(len(row.pages))],
        [str(len(row.trapped))],
        [str(len(row.forbidden))],
        [str(row.early)],
        [piece for text in refused for piece in textwrap.wrap(text, _COLUMNS[6].width)],
        ["-" if row.waited_s is None else f"{row.waited_s:.1f} s"],
        ["-" if row.backoffs is None else str(row.backoffs)],
    )
    return map(_line, zip_longest(*cells, fillvalue=""))


def _robots_lines(row: Row) -> Iterator[str]:
    yield row.rules or "not asked for"
    if row.delay:
        yield f"delay: {row.delay}"
    if row.of_sitemap:
        yield f"Sitemap: {row.of_sitemap} URLs"
    if row.moved:
        yield f"Host: {row.moved} asked of the main host"


def _line(cells: Iterable[str]) -> str:
    return "  ".join(column.cell(cell) for column, cell in zip(_COLUMNS, cells, strict=True)).rstrip()
