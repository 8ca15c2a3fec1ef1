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
from typing import TYPE_CHECKING, Any

from scrapy_polite._redis.faults import is_out_of_memory
from scrapy_polite.frontier.redis.answers import Answer, Applied, Failing, Lost, Recalled, Renamed, Taken, Working
from scrapy_polite.frontier.redis.batch import Batch, Take
from scrapy_polite.frontier.redis.faults import Outage, is_passing, said_of
from scrapy_polite.frontier.redis.operations import URGENT, Operation
from scrapy_polite.frontier.redis.outbox import BATCH, Outbox
from scrapy_polite.frontier.redis.session import JobLost, Recall, SessionError
from scrapy_polite.frontier.redis.wants import Wants

if TYPE_CHECKING:
    from scrapy_polite.frontier.redis.session import Greeting, Session

#: How long operations wait for more, and where nothing is left here: what is pushed is waited for then.
_GATHER_S, _GATHER_STARVING_S = 0.05, 0.005
#: Hosts of which changes are told in one call.
_CHANGED = 100
#: From so many operations that are still to be sent on, the crawl is to pause.
_MAX_BACKLOG = 65_536
#: The lease is renewed so often, or each quarter of it; so often it is asked whether the start is to be taken over.
_RENEW_S, _START_S = 1.0, 0.5
#: How often it is looked whether pushes may be tried again.
_PAUSE_S = 0.1
#: For how long the start waits for a server that cannot be reached, and beyond a lease the end, also for one that takes
#: no pushes.
_OPEN_S, _END_S = 2.0, 5.0


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
        self._outbox = Outbox()
        self._wants = Wants()
        #: Nothing is left here: what is pushed is waited for.
        self.starving = False
        self._starts: list[Future[bool]] = []
        self._something, self._urgent, self._closing = threading.Event(), threading.Event(), threading.Event()
        self._ended: Future[None] = Future()
        self._started = False
        # Of the thread:
        self._doubt = False
        self._recalled = Recall()
        self._renew_at = self._start_at = 0.0
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
    def behind(self) -> bool:
        return self.full or self._outbox.backlog > _MAX_BACKLOG

    @property
    def quiet(self) -> bool:
        """Whether all that was asked for has been applied, and what came back has been read."""
        with self._outbox.lock:
            return not (self._outbox.backlog or self.answers)

    def add(self, operation: Operation) -> None:
        waiting = self._outbox.add(operation)
        if waiting == 1:
            self._something.set()
        if waiting >= BATCH or operation.arguments[0] in URGENT:
            self._hurry()

    def claim(self, hosts: int, ahead_s: float, each: int) -> None:
        self._wants.claim(hosts, ahead_s, each)
        self._hurry()

    def read(self, host: str, queue: bytes, most: int, *, is_waited_for: bool) -> None:
        self._wants.read(host, queue, most)
        if is_waited_for:
            self._hurry()
        else:
            self._something.set()

    def begin_start(self) -> Future[bool]:
        future: Future[bool] = Future()
        with self._outbox.lock:
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
                if self._closing.is_set() and not self._outbox.backlog:
                    self.session.leave()
                    return
                self._works()
            except JobLost as error:
                self._put(Lost(said_of(error, self.session)))
                return
            except Exception as error:  # noqa: BLE001 (it is told, once)
                self._failed(error)
            if time.monotonic() > give_up_at:
                self.lost = self._outbox.pushes
                return

    def _wait(self) -> None:
        if self._closing.is_set() and not self.full:
            return
        due_s = max(self._renew_at - time.monotonic(), 0.0)
        if self._starts:
            due_s = min(due_s, max(self._start_at - time.monotonic(), 0.0))
        if self.full:
            self._urgent.wait(min(due_s, _PAUSE_S))
        elif not self._outbox.backlog and not self._wants:
            self._something.wait(due_s)
        self._something.clear()
        if (len(self._outbox) or self._wants) and not self.full:
            self._urgent.wait(_GATHER_STARVING_S if self.starving else _GATHER_S)
        self._urgent.clear()

    def _step(self) -> None:
        if self._doubt:
            self._recall()
        self._apply(takes=True)
        if self._is_take_due:
            self._take()
        if self._starts and time.monotonic() >= self._start_at:
            self._ask_start()

    def _connect(self) -> Greeting:
        greeting = self.session.connect(in_doubt=bool(self._outbox.sending))
        if not self._outbox.generation:
            self._outbox.generation = 1
        elif greeting.anew:
            self._forget(again=greeting.went_back)
        return greeting

    def _forget(self, *, again: bool) -> None:
        """Under a new name. `again`: the server may have lost what it had acknowledged."""
        with self._outbox.lock:
            self._outbox.renamed(again=again)
            self._wants.forget_reads()
            self.answers.append(Renamed(self._outbox.generation))
        self._doubt = False
        self._recalled = Recall()
        if self._outbox.has_start:
            self.session.begins_start()
        self._say()

    def _recall(self) -> None:
        """What was taken by a call whose reply has not come is here after all."""
        # First what may have been applied: it is not to be taken for unknown.
        self._apply()
        self.session.recall(self._recalled)
        recalled, self._recalled = self._recalled, Recall()
        self._doubt = False
        self._put(Recalled(recalled.hosts, recalled.requests))

    # Batches

    def _apply(self, *, takes: bool = False) -> None:
        """All that waits; with the last batch, if it `takes`, what is wanted."""
        while self._outbox.backlog:
            again = bool(self._outbox.sending)
            is_due = time.monotonic() >= self._renew_at
            if not again and not self._outbox.gather(may_push=not self.full, one_push=is_due):
                return
            take = self._wants.pop() if takes and not again and not len(self._outbox) and self._is_take_due else None
            if not self._sent(again=again, take=take) or len(self._outbox) < BATCH:
                return

    def _sent(self, *, again: bool, take: Take | None) -> bool:
        batch = Batch.of(self._outbox.sending)
        try:
            *applied, taken = self.session.apply(batch, again=again, take=take)
        except Exception as error:
            if take is not None:
                self._wants.put_back(take)
            if not batch.pushes or not is_out_of_memory(error):
                raise
            self._refused(error)
            return False
        if batch.pushes and self.full:
            self.full = False
        self._applied(batch.operations, applied)
        if take is not None:
            self._taken(take, taken)
        return True

    def _applied(self, operations: Sequence[Operation], answer: Sequence[Any]) -> None:
        codes, queued, taken, seen, letters, starting = answer
        with self._outbox.lock:
            self._outbox.sending = []
            self.answers.append(Applied(operations, codes, queued, taken, seen, letters, bool(starting)))
        if b"+" in codes:
            self._renew_at = 0.0  # there may be more to clear up
        self._outbox.applied(operations)
        self._say()

    def _refused(self, error: Exception) -> None:
        """Pushes were refused, as the server is out of memory: nothing of the batch was applied."""
        self.session.unapplied()
        self._outbox.refused()
        if not self.full:
            self.full = True
            self._fails(error)
        if time.monotonic() >= self._renew_at:
            self._take()

    # Hosts and requests

    @property
    def _is_take_due(self) -> bool:
        return bool(self._wants) or time.monotonic() >= self._renew_at

    def _take(self) -> None:
        take = self._wants.pop()
        try:
            answer = self.session.take(take)
        except Exception:
            self._wants.put_back(take)
            raise
        self._taken(take, answer)

    def _taken(self, take: Take, answer: Sequence[Any]) -> None:
        self._renew_at = time.monotonic() + min(self.session.lease_s / 4, _RENEW_S)
        facts, claimed, filled, changed = answer
        with self._outbox.lock:
            self.answers.append(Taken(facts, take.ahead_s, claimed, filled, changed))
            if facts[7] and self._outbox.add_once("C"):
                self._hurry()
        if len(changed) == _CHANGED:
            self._renew_at = 0.0
        if len(changed) == _CHANGED or self._wants:
            self._hurry()
        self._say()

    def _ask_start(self) -> None:
        begins = self.session.begins_start()
        self._start_at = time.monotonic() + _START_S
        if begins is None:
            return
        self._outbox.has_start = self._outbox.has_start or begins
        self._take()  # what is known of the job is older, from before the start had ended
        with self._outbox.lock:
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
        with self._outbox.lock:
            self.answers.append(answer)
        self._say()

    def _say(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._told()
