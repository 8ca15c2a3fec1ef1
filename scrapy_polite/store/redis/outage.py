"""Since when a server does not answer, or refuses some calls while it answers others (memory is full); and that it is
over, in a line of the log."""

from __future__ import annotations

import logging
import time

from scrapy_polite.text import duration

logger = logging.getLogger(__name__)


class Outage:
    """Belongs to the thread that calls the server. `shown` names it."""

    def __init__(self, shown: str) -> None:
        self._shown = shown
        self._away_since = self._refuses_since = 0.0
        #: The scripts that were refused, and not answered since.
        self._refused: set[str] = set()

    @property
    def since(self) -> float:
        """When what is wrong has begun, by the monotonic clock; 0.0: nothing is."""
        return min(filter(None, (self._away_since, self._refuses_since)), default=0.0)

    def failed(self) -> None:
        """Nothing was answered."""
        self._away_since = self._away_since or time.monotonic()

    def refused(self, script: str) -> None:
        self._refuses_since = self._refuses_since or time.monotonic()
        self._refused.add(script)

    def answered(self, script: str) -> None:
        if self._away_since:
            self._say("it answers again after", self._away_since)
            self._away_since = 0.0
        if self._refuses_since:
            self._refused.discard(script)
            if not self._refused:
                self._say("it takes again what it has refused for", self._refuses_since)
                self._refuses_since = 0.0

    def _say(self, text: str, since: float) -> None:
        logger.info("%s: %s %s", self._shown, text, duration(time.monotonic() - since))
