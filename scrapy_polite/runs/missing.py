"""What is missing from a run's record, in sentences that can be shown as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from scrapy_polite.text import counted, printable

if TYPE_CHECKING:
    from scrapy_polite.runs.run import Run


def missing(run: Run) -> Iterator[str]:
    """Nothing for a record that is whole."""
    lines = counted(run.missed, "line")
    if run.fault:
        known = f", {lines} so far as is known" if run.missed else ""
        yield (
            f"Its record ended before the crawl did, as it could not be written ({printable(run.fault, 100)}): what "
            f"came after that is not in it{known}. Make room, or set POLITE_RUN_RECORD = False."
        )
    elif run.missed:
        yield f"The record has reached its size, and lacks {lines}: raise POLITE_RUN_RECORD_MB."
