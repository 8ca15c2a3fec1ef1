"""What one call asks of the server: operations, in as few calls of its own as can be, and what is to be taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from scrapy_polite.frontier.redis.operations import Argument, Operation

#: The order in which a batch is carried out. It is applied as a whole, so that it does not matter in which order things
#: of different requests are done; but what is given back, and noted, is to be there before its host is released.
_ORDER = "VSXUDABNREC"


class Take(NamedTuple):
    """What is asked for: so many hosts that may be asked within `ahead_s`, each with so many requests at the most, and
    of queues so many requests."""

    hosts: int = 0
    ahead_s: float = 0.0
    each: int = 0
    reads: Mapping[tuple[str, bytes], int] = {}

    @property
    def arguments(self) -> Sequence[Argument]:
        flat: list[Argument] = [self.hosts, int(self.ahead_s * 1e6), self.each]
        for (host, queue), most in self.reads.items():
            flat += host, queue, most
        return flat


class Batch(NamedTuple):
    """`operations` in the order in which the server answers to pushes; `pushes`: it may take memory."""

    operations: Sequence[Operation]
    arguments: Sequence[Argument]
    pushes: bool

    def then(self, take: Take) -> Batch:
        """Followed by what is taken; not where the batch is the last one again."""
        return self._replace(arguments=[*self.arguments, "T", 0, *take.arguments])

    @classmethod
    def of(cls, operations: Iterable[Operation]) -> Batch:
        """Pushes to one end of a queue go together; of what is said of a request that was taken the last counts."""
        pushes: dict[Sequence[Argument], list[Operation]] = {}
        others: list[Operation] = []
        last_words: dict[int, Operation] = {}
        for operation in operations:
            if operation.letter == "P":
                pushes.setdefault(operation.arguments[1:4], []).append(operation)
                continue
            others.append(operation)
            if operation.number:
                last_words[operation.number] = operation
        arguments: list[Argument] = []
        for where, group in pushes.items():
            arguments += "P", len(group), *where
            for operation in group:
                arguments += operation.arguments[4:]
        groups: dict[str, list[Operation]] = {}
        for operation in others:
            if last_words.get(operation.number, operation) is operation:
                groups.setdefault(operation.letter, []).append(operation)
        for letter in sorted(groups, key=_ORDER.index):
            arguments += letter, len(groups[letter])
            for operation in groups[letter]:
                arguments += operation.arguments[1:]
        pushed = [operation for group in pushes.values() for operation in group]
        return cls(pushed + others, arguments, bool(pushes) or "V" in groups)
