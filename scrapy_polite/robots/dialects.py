"""The dialects that there are, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scrapy_polite.robots.rfc import RFC

if TYPE_CHECKING:
    from scrapy_polite.robots.dialect import Dialect

DIALECTS: Mapping[str, Dialect] = {dialect.name: dialect for dialect in (RFC,)}
