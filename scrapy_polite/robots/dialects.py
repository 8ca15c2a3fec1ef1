"""The dialects of robots.txt by name, and what each of them says of one URL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy_polite.robots.classic import CLASSIC, CLASSIC_0_0
from scrapy_polite.robots.dialect import Dialect, Group
from scrapy_polite.robots.geoportal import GEOPORTAL
from scrapy_polite.robots.rfc import RFC
from scrapy_polite.robots.rules import RobotsTxt

if TYPE_CHECKING:
    from scrapy_polite.decision import Decision

_READINGS = (RFC, CLASSIC, CLASSIC_0_0, GEOPORTAL)


def _of_every_reading(lines: Sequence[bytes], token: str | None) -> list[Group]:
    found = []
    for dialect in _READINGS:
        for group in dialect.groups(lines, token):
            if dialect is CLASSIC_0_0 and not any(allow for _, allow, _, _ in group.rules):
                continue  # reads these as `classic` does
            found.append(replace(group, matcher=dialect.matcher))
    return found


#: What every other dialect allows.
STRICTEST = Dialect("strictest", _of_every_reading, RFC.matcher)

#: On how many per cent of 71,351 questions about real files a dialect allows what Google's parser forbids
#: (`benchmarks/robots_verdicts.py`). No crawl may read all its sites in these.
LOOSER = {"classic": 19.2, "classic-0.0": 18.2, "geoportal": 3.0}

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in (*_READINGS, STRICTEST)}


def verdicts(body: bytes, user_agent: str, url: str) -> dict[str, Decision]:
    """Return what each dialect, by name, says of `url`; see `RobotsTxt.parse` and `decide`. Nothing raises."""
    return {name: RobotsTxt.parse(body, user_agent, dialect=dialect).decide(url) for name, dialect in DIALECTS.items()}
