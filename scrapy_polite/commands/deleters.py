"""The project's own deleters, which a takedown calls when its own work is done: a command, and receivers of a signal.

Each has a time limit, and gives an answer in words or a fault; none keeps another from being called.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from pydispatch.robustapply import robustApply  # type: ignore[import-untyped]
from scrapy.exceptions import NotConfigured
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.python import global_object_name

from scrapy_polite._crawl import receivers_of
from scrapy_polite.monitor.delivery import kill
from scrapy_polite.signals import polite_takedown
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from scrapy_polite.settings import PoliteSettings
    from scrapy_polite.takedown import Takedown

#: Characters of an answer that are kept.
_MAX_ANSWER = 1_000
#: Packages whose extensions delete nothing: not made here.
_NO_DELETERS = ("scrapy", "scrapy_polite")


@dataclass(frozen=True, slots=True)
class Answer:
    """What one deleter said; `fault` is why it has not done its work."""

    name: str
    answer: str = ""
    fault: str = ""


def called(crawler: Crawler, settings: PoliteSettings, takedown: Takedown) -> list[Answer]:
    """Call all of them, one after the other."""
    answers = [*_receivers(crawler, settings.takedown_timeout, takedown)]
    if settings.takedown_command is not None:
        answers.append(_run(settings.takedown_command, settings.takedown_timeout, takedown))
    return answers


# The command


def command_shown(settings: PoliteSettings) -> str:
    """The command without its arguments, which may hold a password; "" where there is none."""
    words = settings.takedown_command
    return f"command {printable(words[0], 100)} (POLITE_TAKEDOWN_COMMAND)" if words else ""


def _run(words: tuple[str, ...], timeout_s: float, takedown: Takedown) -> Answer:
    name = f"command {printable(words[0], 100)} (POLITE_TAKEDOWN_COMMAND)"
    # Files, not pipes: what it says is not kept in memory, however much it is.
    with TemporaryFile() as said, TemporaryFile() as complained:
        try:
            process = subprocess.Popen(  # noqa: S603 (the program that the project's settings name)
                words, stdin=subprocess.PIPE, stdout=said, stderr=complained, start_new_session=True
            )
        except (OSError, ValueError) as error:
            return Answer(name, fault=f"it cannot be run: {printable(str(error), 200)}")
        try:
            # Who reads nothing of its input has its exit status all the same: subprocess ignores a broken pipe.
            process.communicate(json.dumps(takedown.as_dict()).encode() + b"\n", timeout=timeout_s)
        except subprocess.TimeoutExpired:
            kill(process)
            return Answer(
                name, _read(said), f"ended after {timeout_s:g} s (POLITE_TAKEDOWN_TIMEOUT): it takes too long"
            )
        except BaseException:  # Ctrl-C does not reach its session
            kill(process)
            raise
        if process.returncode:
            why = _read(complained)
            return Answer(name, _read(said), f"exit status {process.returncode}{f': {why}' if why else ''}")
        return Answer(name, _read(said))


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return printable(" ".join(file.read(4 * _MAX_ANSWER).decode("utf-8", "replace").split()), _MAX_ANSWER)


# The signal


def _receivers(crawler: Crawler, timeout_s: float, takedown: Takedown) -> Iterator[Answer]:
    # Extensions ask for it when they are made, and a crawler has it only from the start of its crawl on.
    crawler.stats = load_object(crawler.settings["STATS_CLASS"])(crawler)
    kept: list[object] = []  # the signal holds receivers weakly
    for path in build_component_list(crawler.settings.getwithbase("EXTENSIONS")):
        yield from _made(crawler, path, kept)
    for receiver in [*receivers_of(crawler, polite_takedown)]:
        name = f"signal receiver {printable(getattr(receiver, '__qualname__', repr(receiver)), 100)}"
        yield _asked(name, receiver, crawler, timeout_s, takedown)


def _made(crawler: Crawler, path: Any, kept: list[object]) -> Iterator[Answer]:
    """Make one of the project's extensions, which may connect to the signal."""
    shown = path if isinstance(path, str) else global_object_name(path)
    if shown.partition(".")[0] in _NO_DELETERS:
        return
    try:
        kept.append(build_from_crawler(load_object(path), crawler))
    except NotConfigured:
        return
    except Exception as error:  # noqa: BLE001 (the project's own code; it is told)
        yield Answer(f"extension {printable(shown, 100)}", fault=f"it cannot be made: {_in_words(error)}")


def _asked(name: str, receiver: Any, crawler: Crawler, timeout_s: float, takedown: Takedown) -> Answer:
    """In a thread that is left to itself when its time is over; it ends with the command."""
    future: Future[object] = Future()

    async def awaited(result: Any) -> object:
        return await result

    def ask() -> None:
        try:
            result = robustApply(receiver, takedown=takedown, signal=polite_takedown, sender=crawler)
            if inspect.isawaitable(result):
                result = asyncio.run(awaited(result))
            future.set_result(result)
        except BaseException as error:  # noqa: BLE001 (it is told)
            future.set_exception(error)

    threading.Thread(target=ask, name="scrapy-polite-takedown", daemon=True).start()
    if not wait([future], timeout_s).done:
        return Answer(name, fault=f"no answer within {timeout_s:g} s (POLITE_TAKEDOWN_TIMEOUT)")
    if (error := future.exception()) is not None:
        return Answer(name, fault=_in_words(error))
    result = future.result()
    return Answer(name, "" if result is None else printable(str(result), _MAX_ANSWER))


def _in_words(error: BaseException) -> str:
    return printable(f"{type(error).__name__}: {error}", _MAX_ANSWER)
