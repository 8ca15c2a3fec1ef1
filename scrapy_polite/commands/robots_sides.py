"""The robots.txt that a command is told to read: a file, an origin as it answers now, or as it answered at a time."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.commands import CommandError, SubcommandsCommand
from scrapy_polite.commands.robots_visit import asked_anew, body_of
from scrapy_polite.commands.run_there import runs
from scrapy_polite.commands.store_there import why_none
from scrapy_polite.origin import Origin
from scrapy_polite.robots.inputs import told_body
from scrapy_polite.services.store import open_store
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import epoch_of, printable

if TYPE_CHECKING:
    from scrapy_polite.runs.records import Robots
    from scrapy_polite.runs.run import Run

SIDE = "a file; an origin, such as https://example.com, as it answers now; or one at a time: ORIGIN@2026-01-31T12:00"


_AT_A_TIME = "https://example.com@2026-01-31T12:00"
#: What is meant as a time, and is no host behind a user's name.
_LIKE_A_TIME = re.compile(r"[0-9]{4}-[0-9]")


@dataclass(frozen=True, slots=True)
class Side:
    """One robots.txt. `origin` is None of a file, `at` (epoch seconds) where it is as it answers now."""

    name: str
    path: Path | None = None
    origin: Origin | None = None
    at: float | None = None

    @property
    def asks_network(self) -> bool:
        return self.origin is not None and self.at is None


def side_of(word: str) -> Side:
    """Raises CommandError for what is neither a file nor an origin."""
    path = Path(word)
    if "://" not in word:
        if not os.path.exists(path):
            shown = printable(word)
            raise CommandError(f"there is no file {shown!r}: give its path, or an origin such as https://example.com")
        return Side(word, path)
    url, sign, time = word.rpartition("@")
    at = _time(time) if sign else None
    if at is None:
        url = word
        if sign and _LIKE_A_TIME.match(time):
            raise CommandError(f"{printable(time, 60)!r} is no time: write it as in {_AT_A_TIME}")
    try:
        return Side(word, origin=Origin.from_url(url), at=at)
    except ValueError as error:
        raise CommandError(f"{error} (a time is written as in {_AT_A_TIME})") from error


def _time(text: str) -> float | None:
    """See `epoch_of`; None where it is no time."""
    try:
        return epoch_of(text)
    except ValueError:
        return None


def bodies(command: SubcommandsCommand, sides: Sequence[Side]) -> list[bytes]:
    """What each of them says; nothing where the origin has no robots.txt (4xx: all may be fetched).

    Raises CommandError where one cannot be had, InputError where a file cannot be read.
    """
    origins = list({side.origin: None for side in sides if side.origin is not None and side.asks_network})
    copies = asked_anew(command, origins).copies if origins else {}
    answers = {origin: body_of(origin, copy) for origin, copy in copies.items()}
    return [_body(command, side, answers) for side in sides]


def _body(command: SubcommandsCommand, side: Side, answers: dict[Origin, bytes]) -> bytes:
    if side.path is not None:
        return told_body(side.name)
    if side.origin is None or side.at is None:
        return answers[side.origin] if side.origin else b""
    return body_at(command, side.origin, side.at)


def body_at(command: SubcommandsCommand, origin: Origin, at: float) -> bytes:
    """The last copy that was known at that time: of the records of the project's runs, or the one in its store."""
    known: list[tuple[float, bytes]] = []
    newest: tuple[Robots, Run] | None = None
    for run in runs():
        for record in _copies(run, origin):
            if record.at <= at and (newest is None or record.at > newest[0].at):
                newest = record, run
    if newest is not None:
        record, run = newest
        if not record.digest and not 400 <= record.status < 500:
            raise CommandError(
                f"{origin.robots_url} was unreachable then ({printable(record.text)}): give another time"
            )
        body = run.bodies({record.digest}).get(record.digest) if record.digest else b""
        if body is None:
            raise CommandError(f"run {printable(run.name)} has lost what {origin.robots_url} said: give another time")
        known.append((record.at, body))
    known += _stored(command, origin, at)
    if not known:
        raise CommandError(
            f"no copy of {origin.robots_url} from before that time is in the run records or the store: give a later "
            "time, or a file"
        )
    return max(known, key=lambda one: one[0])[1]


def _stored(command: SubcommandsCommand, origin: Origin, at: float) -> Iterator[tuple[float, bytes]]:
    settings = shared(command.configured(), PoliteSettings)
    if why_none(settings):
        return
    with closing(open_store(settings)) as store:
        for copy in store.robots.of_origin(str(origin)).result():
            if copy.status is not None and copy.fetched_at <= at:
                yield copy.fetched_at, copy.body


def _copies(run: Run, origin: Origin) -> Iterator[Robots]:
    for worker in run.workers:
        yield from (copy for copy in worker.copies() if copy.origin == str(origin))
