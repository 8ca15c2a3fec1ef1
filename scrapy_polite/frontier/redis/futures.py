"""Futures that two threads may resolve."""

from __future__ import annotations

from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import TypeVar

_T = TypeVar("_T")


def resolve(future: Future[_T], answer: _T) -> None:
    """Unless nobody waits for it any more, or the other thread was first."""
    with suppress(InvalidStateError):
        future.set_result(answer)
