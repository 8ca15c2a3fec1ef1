"""The operations of this process that the server has not applied yet, in order."""

from __future__ import annotations

import threading
from collections import deque
from itertools import chain
from typing import TYPE_CHECKING

from scrapy_polite.frontier.redis.operations import LASTING, Operation

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How many operations make a batch: a script is to take less than 10 ms. Of 200 new requests, on a machine with other
#: work, the longest took 9.4 ms of CPU (`scale_out.py --row urls`).
BATCH, _BATCH_BYTES = 100, 2_000_000
#: Pushes of the spider's start that are kept, for a server that comes back from an older state.
_MAX_START = 100_000


class Outbox:
    """`sending`: those of the last batch, until it is known to be applied. `lock` is held by whoever looks at this and
    at what has come back."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.sending: list[Operation] = []
        #: Which operations of taken requests are of the name that this process has.
        self.generation = 0
        #: The spider's start is this process's, and not over.
        self.has_start = False
        self._waiting: deque[Operation] = deque()
        self._of_start: list[Operation] = []

    def __len__(self) -> int:
        """Those that wait to be sent."""
        return len(self._waiting)

    @property
    def backlog(self) -> int:
        return len(self._waiting) + len(self.sending)

    @property
    def pushes(self) -> int:
        return sum(operation.is_push for operation in chain(self.sending, self._waiting))

    def add(self, operation: Operation) -> int:
        """How many wait now."""
        with self.lock:
            self._waiting.append(operation)
            return len(self._waiting)

    def add_once(self, letter: str) -> bool:
        """Whether none like it waits already."""
        if any(operation.letter == letter for operation in self._waiting):
            return False
        self._waiting.append(Operation((letter,), self.generation))
        return True

    def gather(self, *, may_push: bool, one_push: bool) -> bool:
        """Make the next batch. Where nothing may be pushed it ends before the first push; with `one_push` it may be a
        push by itself."""
        batch: list[Operation] = []
        size = 0
        with self.lock:
            while self._waiting and len(batch) < BATCH and size < _BATCH_BYTES:
                operation = self._waiting[0]
                if not may_push and operation.is_push and (batch or not one_push):
                    break
                self._waiting.popleft()
                if not self._counts(operation):
                    _resolve(operation)
                    continue
                batch.append(operation)
                size += len(operation.arguments[-1]) if isinstance(operation.arguments[-1], bytes) else 0
            self.sending = batch
        return bool(batch)

    def refused(self) -> None:
        """Nothing of the batch was applied: it is tried again later."""
        with self.lock:
            self._waiting.extendleft(reversed(self.sending))
            self.sending = []

    def applied(self, operations: Sequence[Operation]) -> None:
        for operation in operations:
            _resolve(operation)
            if operation.letter == "E":
                self.has_start = False
            elif self.has_start and _is_of_start(operation) and len(self._of_start) < _MAX_START:
                self._of_start.append(operation)

    def renamed(self, *, again: bool) -> None:
        """Under a new name: what was taken under the old one is with others; what was pushed is pushed again. `again`:
        also what the server had acknowledged of the start. With the lock held."""
        self.generation += 1
        kept = [operation for operation in self.sending if operation.letter in LASTING]
        kept += [operation for operation in self._waiting if self._counts(operation)]
        for operation in chain(self.sending, self._waiting):
            if not self._counts(operation):
                _resolve(operation)  # whoever awaits it asks next whether it may be sent
        self._waiting = deque([*self._of_start, *kept] if again else kept)
        self.sending = []

    def _counts(self, operation: Operation) -> bool:
        return operation.letter in LASTING or operation.generation == self.generation


def _resolve(operation: Operation) -> None:
    if operation.future is not None and not operation.future.done():
        operation.future.set_result(None)


def _is_of_start(operation: Operation) -> bool:
    return operation.request is not None and bool(operation.request.meta.get("is_start_request"))
