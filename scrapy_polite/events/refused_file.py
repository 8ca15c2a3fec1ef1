"""`POLITE_REFUSED_FILE`: what was refused, and what stays behind at the end, as JSON lines."""

from __future__ import annotations

import json
import logging
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from scrapy_polite.events.values import LinkLeft, RequestRefused
from scrapy_polite.text import without_credentials

if TYPE_CHECKING:
    from scrapy_polite.decision import Decision
    from scrapy_polite.events.stats import Join

logger = logging.getLogger(__name__)


#: Lines a run. More: a crawl of a blacklisted internet fills the disk, at some 200 octets a line.
MAX_LINES = 1_000_000


class RefusedFile:
    """One JSON object a line, appended, at most `max_lines` of them in a run.

    Only its owner may read a file that is made here, and URLs are written without passwords.
    """

    def __init__(self, path: Path, max_lines: int = MAX_LINES) -> None:
        self._path = path
        self._max_lines = self._left = max_lines
        self._file: TextIO | None = None

    def join(self, read: Join) -> None:
        read(RequestRefused, lambda event: self.write(event.url, event.decision, event.audit))
        read(LinkLeft, lambda event: self.write(event.url, event.decision, audit=False))

    def open(self) -> None:
        """Make the file: whoever names one that cannot be written hears so before the crawl, not after it."""
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(self._path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
                self._file = os.fdopen(descriptor, "a", encoding="utf-8", buffering=1)
        except OSError as error:
            self._give_up(error)

    def write(self, url: str, decision: Decision, audit: bool) -> None:
        if self._left < 0:
            return
        record: dict[str, object] = {"time": datetime.now(timezone.utc).isoformat(timespec="seconds")}
        if self._left:
            detail = without_credentials(decision.detail)[:500]
            record |= {"url": without_credentials(url)[:8_192], "reason": decision.reason, "detail": detail}
            if decision.line is not None:
                record |= {"rule": (decision.rule or "")[:500], "line": decision.line}
            if audit:
                record["audit"] = True
        else:
            record["note"] = f"{self._max_lines:,} lines are written: the others of this run are counted only"
        self._left -= 1
        self.open()
        try:
            if self._file is not None:
                self._file.write(json.dumps(record) + "\n")
        except OSError as error:
            self._give_up(error)
        if self._left < 0:
            self.close()

    def _give_up(self, error: OSError) -> None:
        self._left = -1
        logger.error(
            "POLITE_REFUSED_FILE %s cannot be written (%s): refused URLs are counted, but listed no further. "
            "Make room or name another file.",
            self._path,
            error,
        )

    def close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                logger.error("POLITE_REFUSED_FILE %s could not be closed: %s", self._path, error)
