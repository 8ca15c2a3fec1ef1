"""How far a store's clock is from this process's, as far as its answers show (as NTP finds it, RFC 5905 §8)."""

from __future__ import annotations

#: Clocks that are kept by NTP differ by less, and a wait of a thread or of a network makes no more of it.
SLACK_S = 0.1


class ClockOffset:
    """`seconds` is what to add to a store's time to have ours.

    It changes only where an answer shows it to be wrong, so that a time read twice is the same twice.
    """

    def __init__(self) -> None:
        self.seconds = 0.0

    def learn(self, asked_at: float, at: float, answered_at: float) -> None:
        """The store's clock said `at`, some time between our `asked_at` and `answered_at`."""
        if not asked_at - SLACK_S <= at + self.seconds <= answered_at + SLACK_S:
            self.seconds = answered_at - at
