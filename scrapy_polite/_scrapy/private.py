"""The table of what is private: `USES`, from which the documentation makes its page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

_T = TypeVar("_T", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class PrivateUse:
    """What one function uses of Scrapy, or of the HTTP client beneath it, that nobody has promised to keep.

    `versions` are those of Scrapy that need it; `fallback` is what happens where `uses` is missing; `ask` is what
    Scrapy would have to offer to make the function unnecessary.
    """

    function: str
    purpose: str
    uses: str
    versions: str
    fallback: str
    ask: str


USES: list[PrivateUse] = []


def private(*, uses: str, versions: str, fallback: str, ask: str) -> Callable[[_T], _T]:
    """Enter a function in the table; the first line of its docstring is the purpose."""

    def entered(function: _T) -> _T:
        name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        purpose = (function.__doc__ or "").partition("\n")[0].rstrip(".")
        USES.append(PrivateUse(name, purpose, uses, versions, fallback, ask))
        return function

    return entered
