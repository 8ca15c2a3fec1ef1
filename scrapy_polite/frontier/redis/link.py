"""The thread that talks to the server: what the crawl asks for goes out in order, in numbered batches; what comes back
waits, in the order in which the server did it, for the crawl to read."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

from scrapy_polite._redis.faults import is_out_of_memory
from scrapy_polite.frontier.redis.answers import Answer, Applied, Failing, Lost, Recalled, Renamed, Taken, Working
from scrapy_polite.frontier.redis.batch import Batch
from scrapy_polite.frontier.redis.faults import Outage, is_passing, said_of
from scrapy_polite.frontier.redis.operations import LASTING, URGENT, Operation
from scrapy_polite.frontier.redis.session import JobLost, Recall, SessionError

if TYPE_CHECKING:
    from scrapy_polite.frontier.redis.session import Greeting, Session

#: How long operations wait for more, and how many make a batch: a script is to take less than 10 ms.
_GATHER_S, _BATCH, _BATCH_BYTES = 0.02, 200, 2_000_000
#: Queues read, and hosts of which changes are told, in one call.
_READS, _CHANGED = 64, 100
#: From so many operations that are still to be sent on, the crawl is to pause.
_MAX_BACKLOG = 65_536
#: The lease is renewed so often, or each quarter of it; so often it is asked whether the start is to be taken over.
_RENEW_S, _START_S = 1.0, 0.5
#: How often it is looked whether pushes may be tried again.
_PAUSE_S = 0.1
#: Pushes of the spider's start that are kept, for a server that comes back from an older state.
_MAX_START = 100_000
#: For how long the start waits for a server that cannot be reached, and beyond a lease the end, also for one that takes
#: no pushes.
_OPEN_S, _END_S = 2.0, 5.0


@dataclass(slots=True)
class _Wants:
    """What is to be asked for next."""

    hosts: int = 0
    ahead_s: float = 0.0
    claim: bool = False
    each: int = 0
    reads: dict[tuple[str, bytes], int] = field(default_factory=dict)


class Link:
    """`told` is called in the thread when something has come back."""

    def __init__(self, session: Session, told: Callable[[], None]) -> None:
        self.answers: deque[Answer] = deque()
        #: Pushes are refused, as the server is out of memory.
        self.full = False
        #: After the end, how many pushes could not be applied.
        self.lost = 0
        self.session = session
        self._told = told
        self._lock = threading.Lock()
        self._outbox: deque[Operation] = deque()
        self._wants = _Wants()
        self._starts: list[Future[bool]] = []
        self._something, self._urgent, self._closing = threading.Event(), threading.Event(), threading.Event()
        self._ended: Future[None] = Future()
        self._started = False
        # Of the thread:
        self._sending: list[Operation] = []
        self._generation = 0
        self._doubt = False
        self._recalled = Recall()
        self._has_start = False
        self._of_start: list[Operation] = []
        self._renew_at = self._start_at = 0.0
        #: Until a claim says otherwise no host is closed for too long.
        self._ahead_s = 1e9
        self._fault = ""
        self._outage = Outage()

    # The crawl's thread

    def start(self) -> Future[Greeting]:
        future: Future[Greeting] = Future()
        self._started = True
        threading.Thread(target=self._work, args=(future,), name="polite-frontier-redis", daemon=True).start()
        return future

    @property
    def may_send(self) -> bool:
        return self.session.may_send

    @property
    def backlog(self) -> int:
        return len(self._outbox) + len(self._sending)

    @property
    def behind(self) -> bool:
        return self.full or self.backlog > _MAX_BACKLOG

    @property
    def quiet(self) -> bool:
        """Whether all that was asked for has been applied, and what came back has been read."""
        with self._lock:
            return not (self._outbox or self._sending or self.answers)

    def add(self, operation: Operation) -> None:
        with self._lock:
            self._outbox.append(operation)
            length = len(self._outbox)
        if length == 1:
            self._something.set()
        if length >= _BATCH or operation.arguments[0] in URGENT:
            self._hurry()

    def claim(self, hosts: int, ahead_s: float, each: int) -> None:
        with self._lock:
            self._wants.hosts, self._wants.ahead_s, self._wants.claim, self._wants.each = hosts, ahead_s, True, each
        self._hurry()

    def read(self, host: str, queue: bytes, most: int) -> None:
        with self._lock:
            self._wants.reads[host, queue] = most
        self._hurry()

    def begin_start(self) -> Future[bool]:
        future: Future[bool] = Future()
        with self._lock:
            self._starts.append(future)
        self._hurry()
        return future

    def end(self) -> Future[None]:
        """Apply the rest, leave, and take nothing more."""
        self._closing.set()
        self._hurry()
        if not self._started and not self._ended.done():
            self._ended.set_result(None)
        return self._ended

    def _hurry(self) -> None:
        self._something.set()
        self._urgent.set()

    # The thread

    def _work(self, opening: Future[Greeting]) -> None:
        try:
            try:
                greeting = self._open()
            except Exception as error:  # noqa: BLE001 (whoever awaits the future gets it)
                self.session.disconnect()
                opening.set_exception(said_of(error, self.session, at_start=True))
                return
            opening.set_result(greeting)
            self._serve()
        finally:
            self.session.disconnect()
            for future in self._starts:
                if not future.done():
                    future.set_result(False)
            self._say()
            if not self._ended.done():
                self._ended.set_result(None)

    def _open(self) -> Greeting:
        """What may be over soon is waited for a while: a server that is just being started, a reply that was lost."""
        until = time.monotonic() + _OPEN_S
        while True:
            greeting = self._try_to_open(until)
            if greeting is not None:
                return greeting
            self._outage.wait()

    def _try_to_open(self, until: float) -> Greeting | None:
        try:
            greeting = self._connect()
            self._take()
        except Exception as error:
            self.session.disconnect()
            if not is_passing(error) or self._closing.is_set() or time.monotonic() > until:
                raise
            return None
        self._outage.over()
        return greeting

    def _serve(self) -> None:
        give_up_at = math.inf
        while True:
            self._wait()
            if self._closing.is_set() and give_up_at == math.inf:
                give_up_at = time.monotonic() + self.session.lease_s + _END_S
            try:
                if not self.session.connected:
                    self._connect()
                self._step()
                if self._closing.is_set() and not self._outbox and not self._sending:
                    self.session.leave()
                    return
                self._works()
            except JobLost as error:
                self._put(Lost(said_of(error, self.session)))
                return
            except Exception as error:  # noqa: BLE001 (it is told, once)
                self._failed(error)
            if time.monotonic() > give_up_at:
                self.lost = sum(operation.is_push for operation in chain(self._sending, self._outbox))
                return

    def _wait(self) -> None:
        if self._closing.is_set() and not self.full:
            return
        due_s = max(self._renew_at - time.monotonic(), 0.0)
        if self._starts:
            due_s = min(due_s, max(self._start_at - time.monotonic(), 0.0))
        if self.full:
            self._urgent.wait(min(due_s, _PAUSE_S))
        elif not self._outbox and not self._sending:
            self._something.wait(due_s)
        self._something.clear()
        if self._outbox and not self.full:
            self._urgent.wait(_GATHER_S)
        self._urgent.clear()

    def _step(self) -> None:
        if self._doubt:
            self._recall()
        self._apply()
        with self._lock:
            wanted = self._wants.claim or bool(self._wants.reads)
        if wanted or time.monotonic() >= self._renew_at:
            self._take()
        if self._starts and time.monotonic() >= self._start_at:
            self._ask_start()

    def _connect(self) -> Greeting:
        greeting = self.session.connect(in_doubt=bool(self._sending))
        if not self._generation:
            self._generation = 1
        elif greeting.anew:
            self._forget(again=greeting.went_back)
        return greeting

    def _forget(self, *, again: bool) -> None:
        """Under a new name: what was taken under the old one is with others; what was pushed is pushed again."""
        self._generation += 1
        with self._lock:
            kept = [operation for operation in self._sending if operation.letter in LASTING]
            kept += [operation for operation in self._outbox if self._counts(operation)]
            if again:
                kept = self._of_start + kept
            for operation in chain(self._sending, self._outbox):
                if operation.future is not None and not operation.future.done() and not self._counts(operation):
                    operation.future.set_result(None)  # whoever awaits it asks next whether it may be sent
            self._outbox = deque(kept)
            self._sending = []
            self._wants.reads.clear()
            self.answers.append(Renamed(self._generation))
        self._doubt = False
        self._recalled = Recall()
        if self._has_start:
            self.session.begins_start()
        self._say()

    def _counts(self, operation: Operation) -> bool:
        return operation.letter in LASTING or operation.generation == self._generation

    def _recall(self) -> None:
        """What was taken by a call whose reply has not come is here after all."""
        # First what may have been applied: it is not to be taken for unknown.
        self._apply()
        self.session.recall(self._recalled)
        recalled, self._recalled = self._recalled, Recall()
        self._doubt = False
        self._put(Recalled(recalled.hosts, recalled.requests))

    # Batches

    def _apply(self) -> None:
        while self._sending or self._outbox:
            again = bool(self._sending)
            if not again and not self._gather():
                return
            batch = Batch.of(self._sending)
            try:
                answer = self.session.apply(batch, again=again)
            except Exception as error:
                if not batch.pushes or not is_out_of_memory(error):
                    raise
                self._refused(error)
                return
            if batch.pushes and self.full:
                self.full = False
            self._applied(batch.operations, answer)
            if len(self._outbox) < _BATCH:
                return

    def _gather(self) -> bool:
        """The next batch; nothing where it is not to be sent yet."""
        batch: list[Operation] = []
        size = 0
        with self._lock:
            while self._outbox and len(batch) < _BATCH and size < _BATCH_BYTES:
                operation = self._outbox[0]
                if self.full and operation.is_push and (batch or time.monotonic() < self._renew_at):
                    break  # it is tried as often as the lease is renewed, by itself
                self._outbox.popleft()
                if not self._counts(operation):
                    if operation.future is not None and not operation.future.done():
                        operation.future.set_result(None)
                    continue
                batch.append(operation)
                size += len(operation.arguments[-1]) if isinstance(operation.arguments[-1], bytes) else 0
            self._sending = batch
        return bool(self._sending)

    def _applied(self, operations: Sequence[Operation], answer: Sequence[Any]) -> None:
        codes, queued, taken, seen, letters, starting = answer
        with self._lock:
            self._sending = []
            self.answers.append(Applied(operations, codes, queued, taken, seen, letters, bool(starting)))
        if b"+" in codes:
            self._renew_at = 0.0  # there may be more to clear up
        for operation in operations:
            if operation.future is not None and not operation.future.done():
                operation.future.set_result(None)
            if operation.letter == "E":
                self._has_start = False
            elif self._has_start and _is_of_start(operation) and len(self._of_start) < _MAX_START:
                self._of_start.append(operation)
        self._say()

    def _refused(self, error: Exception) -> None:
        """Pushes were refused, as the server is out of memory: nothing of the batch was applied."""
        self.session.unapplied()
        with self._lock:
            self._outbox.extendleft(reversed(self._sending))
            self._sending = []
        if not self.full:
            self.full = True
            self._fails(error)
        if time.monotonic() >= self._renew_at:
            self._take()

    # Hosts and requests

    def _take(self) -> None:
        with self._lock:
            wants, self._wants = self._wants, _Wants()
            reads = dict(list(wants.reads.items())[:_READS])
            for key in list(wants.reads)[_READS:]:
                self._wants.reads[key] = wants.reads[key]
        if wants.claim:
            self._ahead_s = wants.ahead_s
        arguments = [*chain.from_iterable((host, queue, most) for (host, queue), most in reads.items())]
        try:
            answer = self.session.take(wants.hosts, self._ahead_s, wants.each, arguments)
        except Exception:
            with self._lock:
                self._wants.reads = {**reads, **self._wants.reads}
            raise
        self._renew_at = time.monotonic() + min(self.session.lease_s / 4, _RENEW_S)
        facts, claimed, filled, changed = answer
        with self._lock:
            self.answers.append(Taken(facts, self._ahead_s, claimed, filled, changed))
            if facts[7] and not any(operation.letter == "C" for operation in self._outbox):
                self._outbox.append(Operation(("C",), self._generation))
                self._hurry()
            if len(changed) == _CHANGED:
                self._renew_at = 0.0
            if len(changed) == _CHANGED or self._wants.reads:
                self._hurry()
        self._say()

    def _ask_start(self) -> None:
        begins = self.session.begins_start()
        self._start_at = time.monotonic() + _START_S
        if begins is None:
            return
        self._has_start = self._has_start or begins
        self._take()  # what is known of the job is older, from before the start had ended
        with self._lock:
            futures, self._starts = self._starts, []
        for future in futures:
            if not future.done():
                future.set_result(begins)

    # What is told

    def _failed(self, error: Exception) -> None:
        self._doubt = True
        self.session.disconnect()
        if isinstance(error, SessionError):
            return  # at once under a new name, or by a new connection
        self._outage.failed()
        if self._outage.lasts:
            self._fails(error)
        self._outage.wait()

    def _fails(self, error: Exception) -> None:
        said = said_of(error, self.session)
        if str(said) != self._fault:
            self._fault = str(said)
            self._put(Failing(said))

    def _works(self) -> None:
        self._outage.over()
        if self._fault and not self.full:
            self._fault = ""
            self._put(Working())

    def _put(self, answer: Answer) -> None:
        with self._lock:
            self.answers.append(answer)
        self._say()

    def _say(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._told()


def _is_of_start(operation: Operation) -> bool:
    return operation.request is not None and bool(operation.request.meta.get("is_start_request"))
