"""The thread that talks to the server: the calls that are waiting go in one round trip."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from itertools import chain
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scrapy_polite._redis.faults import Fault, is_of_value
from scrapy_polite._redis.scripts import Call
from scrapy_polite.store.errors import StoreError, StoreUnavailable

from .outage import Outage
from .session import Session, SessionFailed

if TYPE_CHECKING:
    from scrapy_polite._redis.url import RedisUrl

logger = logging.getLogger(__name__)
T = TypeVar("T")

#: Calls in one round trip: some 10 ms of the server's time.
_TOGETHER = 500


class Value(NamedTuple):
    """Where a value is: its key without the prefix, and of which type; the list that it stands in and its name there,
    "" where in none."""

    key: str | bytes
    kind: str = "hash"
    listed_in: str = ""
    member: str | bytes = ""


Values = tuple[Value, ...]


class Caller:
    """Every future fails with StoreUnavailable, whatever is wrong: what many machines share, nothing can replace.

    Only once it is closed a future fails with another StoreError. `timeout_s` is how long a call waits for the server.
    `clock` is for tests: else the server's own counts. `what` says in logs what it is that this connection is for.
    """

    def __init__(self, url: RedisUrl, timeout_s: float, clock: Callable[[], float] | None, what: str = "store") -> None:
        self._shown = url.shown
        self._what = what
        self._clock = clock
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False
        # Of the thread alone.
        self._server = Session(url, timeout_s)
        self._name = f"{random.getrandbits(64):x}"
        self._batches = 0
        self._outage = Outage(f"{what} {url.shown}")
        self._failure: Fault | None = None  # of the batch before

    def ask(self, script: str, *arguments: str | bytes | float, of: Values, read: Callable[[Any], T]) -> Future[T]:
        """`read` makes an answer of the script's reply; `of` is all that the script touches, its own value first.

        What of that cannot be read is dropped and named, and the script run again.
        """
        future: Future[T] = Future()
        now = "" if self._clock is None else repr(self._clock())
        with self._lock:
            if self._closed:
                future.set_exception(StoreError(f"{self._what} {self._shown}: it is closed"))
                return future
            if self._thread is None:
                # A daemon, so that a process that forgot to close, or has to die, does not wait for the server.
                self._thread = threading.Thread(target=self._work, name="polite-store", daemon=True)
                self._thread.start()
            self._jobs.put(_Job(future, script, now, arguments, of, read))
        return future

    def drop(self, value: Value) -> None:
        """Drop what cannot be read, and name it."""
        self.ask("discard", *value, of=(value,), read=self._tell_of)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            thread.join()

    def _work(self) -> None:
        more = True
        while more:
            batch, more = self._next_batch()
            if not batch:
                continue
            if self._failure is None or not self._closed:
                self._batches += 1
                answers = self._answers(batch)
            else:  # who closes waits for one failure at most
                answers = [self._failure] * len(batch)
            for job, answer in zip(batch, answers, strict=True):
                if isinstance(answer, Fault):
                    job.future.set_exception(StoreUnavailable(f"{self._what} {answer.text}", self._outage.since))
                else:
                    job.future.set_result(answer)
        self._server.close()

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """What to do next, in the order of asking, and whether there may be more."""
        batch: list[_Job] = []
        job = self._jobs.get()
        with suppress(Empty):
            while job is not None:
                if job.future.set_running_or_notify_cancel():
                    batch.append(job)
                if len(batch) == _TOGETHER:
                    break
                job = self._jobs.get_nowait()
        return batch, job is not None

    def _answers(self, batch: list[_Job]) -> list[Any]:
        """One for each job; where there is none, a Fault."""
        # Each has a name of its own: a script that must not be carried out twice remembers it.
        name = f"{self._name}:{self._batches}"
        calls = [Call(job.script, (job.now, name, at, *job.arguments)) for at, job in enumerate(batch)]
        try:
            replies = self._server.run(calls)
        except SessionFailed as failed:
            self._failure = failed.fault
            self._outage.failed()
            return [failed.fault] * len(batch)
        self._failure = None
        faults: dict[str, Fault] = {}
        answers = []
        for job, call, reply in zip(batch, calls, replies, strict=True):
            answer = self._answer(job, reply, faults)
            answers.append(self._answer_anew(job, call) if answer is _GARBLED else answer)
        return answers

    def _answer(self, job: _Job, reply: Any, faults: dict[str, Fault]) -> Any:
        """`_GARBLED` where the value of the job has to be dropped. `faults` are those explained before."""
        if isinstance(reply, Exception):
            if is_of_value(reply):
                return _GARBLED
            self._outage.refused(job.script)
            return faults.setdefault(str(reply), faults.get(str(reply)) or self._server.explained(reply))
        self._outage.answered(job.script)
        try:
            return job.read(reply)
        except (TypeError, ValueError, LookupError, AttributeError, OverflowError):
            return _GARBLED

    def _answer_anew(self, job: _Job, call: Call) -> Any:
        arguments = ["", "", "", *chain.from_iterable(job.of)]
        try:
            dropped, reply = self._server.run([Call("discard", arguments), call])
        except SessionFailed as failed:
            return failed.fault
        if not isinstance(dropped, Exception):
            self._tell_of(dropped)
        answer = self._answer(job, reply, {})
        if answer is _GARBLED:
            return Fault(f"{self._shown}: {self._named(job.of[0].key)} cannot be read, nor dropped", passing=False)
        return answer

    def _tell_of(self, dropped: list[bytes]) -> None:
        for key in dropped:
            logger.warning("%s %s: %s cannot be read, so it is dropped", self._what, self._shown, self._named(key))

    def _named(self, key: str | bytes) -> str:
        text = key if isinstance(key, str) else key.decode("utf-8", "backslashreplace")
        return f"the value of {self._server.prefix}{text.encode('unicode_escape').decode('ascii')[:500]}"


class _Job(NamedTuple):
    future: Future[Any]
    script: str
    now: str
    arguments: tuple[str | bytes | float, ...]
    of: Values
    read: Callable[[Any], Any]


_GARBLED = object()
