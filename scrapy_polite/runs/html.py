"""The report as one HTML file that needs nothing else: no script, no request, no link to a place from the network.

Made with Jinja2 (extra `report`), which escapes whatever is put in; `printable` before that what no page shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_polite.decision import REASONS
from scrapy_polite.runs import words
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from jinja2 import Template

FILE_NAME = "report.html"
#: Rows of each table. More make the file larger than a person waits for; `--json` has all.
MAX_HOSTS, MAX_ROWS = 1_000, 100
_WIDTH, _HEIGHT = 600, 80
_TEMPLATE = Path(__file__).with_name("report.html")
STYLE = Path(__file__).with_name("style.css")
"""The look of every page of this package."""


class HtmlUnavailable(Exception):
    """Jinja2 is not installed."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A line over time: `points` of an SVG polyline in a box of 600 by 80, and the largest value, in words."""

    title: str
    most: str
    points: str


def can_write_html() -> bool:
    """Whether Jinja2 is installed."""
    return find_spec("jinja2") is not None


def html(found: Mapping[str, Any]) -> str:
    """The page of what `runs.report.report` found. Raises HtmlUnavailable."""
    if not can_write_html():
        raise HtmlUnavailable('Jinja2 is not installed: `pip install "scrapy-polite[report]"`')
    reasons = [
        (title, list(found[key].items())[:MAX_ROWS])
        for title, key in (("Refused", "refused"), ("Noticed, not refused", "audited"), ("Left behind", "left"))
        if found[key]
    ]
    return _template().render(
        found,
        waits=[one for one in found["waiting"] if one["seconds"] >= words.LEAST_WAIT_S],
        counted=counted,
        has_commands=any(one["command"] for one in found["traps"]),
        style=STYLE.read_text(encoding="utf-8"),
        charts=_charts(found["timeline"]),
        reasons=reasons,
        shown_hosts=found["hosts"][:MAX_HOSTS],
        max_rows=MAX_ROWS,
        is_cut_off=found["ended"] == "ended without closing",
    )


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "asked_by": words.asked_by,
        "clock": words.clock,
        "day": words.day,
        "duration": duration,
        "main_host_of": words.main_host_of,
        "meaning": lambda reason: REASONS.get(reason, ""),
        "phrase": words.phrase,
        "recrawl_in_words": words.recrawl_in_words,
        "shown": _shown,
        "sitemaps_in_words": words.sitemaps_in_words,
        "state_of": words.state_of,
        "thousands": lambda number: f"{number:,}",
        "when": words.when,
    }
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8"))


def _shown(text: object, limit: int = 200) -> str:
    return printable(str(text), limit)


def _charts(timeline: Mapping[str, Any]) -> list[Chart]:
    step_s = timeline["step_s"]
    pages, refused = timeline["pages"], timeline["refused"]
    waiting, closed = timeline["waiting_hosts"], timeline["closed_hosts"]
    charts = [Chart("Pages a second", f"{max(pages, default=0) / step_s:.3g}", _points(pages))]
    if any(refused):
        charts.append(Chart("Refusals a second", f"{max(refused) / step_s:.3g}", _points(refused)))
    if any(waiting):
        charts.append(Chart("Hosts whose queue waited for its turn", f"{max(waiting):,.1f}", _points(waiting)))
    if any(closed):
        charts.append(Chart("Closed hosts", f"{max(closed):,}", _points(closed)))
    return charts


def _points(values: Sequence[float]) -> str:
    if len(values) == 1:
        values = [*values, *values]
    most, last = max(values, default=0) or 1, max(len(values) - 1, 1)
    return " ".join(
        f"{at * _WIDTH / last:.4g},{_HEIGHT - value * (_HEIGHT - 2) / most:.3g}" for at, value in enumerate(values)
    )
