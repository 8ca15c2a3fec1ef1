"""Operations as one batch: what the server is to do, in as few calls of its own as can be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from scrapy_polite.frontier.redis.operations import Argument, Operation

#: The order in which a batch is carried out. It is applied as a whole, so that it does not matter in which order things
#: of different requests are done; but what is given back is to be queued before its host is released.
_ORDER = "VSXUDABREC"


class Batch(NamedTuple):
    """`operations` in the order in which the server answers to pushes; `pushes`: it may take memory."""

    operations: Sequence[Operation]
    arguments: Sequence[Argument]
    pushes: bool

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
