"""The requests that the server has handed out to this process, and what the server is told of each: that it was popped,
may have left, is done, or goes back."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.frontier.redis.operations import Operation

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from scrapy_polite.frontier.redis.lanes import Item
    from scrapy_polite.frontier.redis.link import Link
    from scrapy_polite.frontier.redis.operations import Argument

#: Operations after which the server knows a request that was taken no more.
_ENDINGS = frozenset("DBA")


class Token(NamedTuple):
    """The `id` of an entry: the request's number, and the name of this process under which it was taken."""

    number: int
    generation: int
    item: Item


class TakenRequests:
    """`generation`: under which name of this process. Of what is here alone the server is told nothing."""

    def __init__(self, link: Link) -> None:
        self.generation = 1
        self.alone_in_flight = 0
        self._link = link
        #: Numbers of requests that are in flight, or over without the server having said so.
        self._popped: set[int] = set()
        self._ending: set[int] = set()
        #: Of these the server knows no more: it has lost that they were taken, and hands them out again.
        self._void: set[int] = set()

    def tell(self, *arguments: Argument, number: int = 0, future: Future[None] | None = None) -> None:
        self._link.add(Operation(arguments, self.generation, future=future, number=number))

    # One request

    def pop(self, item: Item) -> Token:
        if item.is_here_alone:
            self.alone_in_flight += 1
        else:
            self._popped.add(item.number)
            self.tell("S", item.number, number=item.number)
        return Token(item.number, self.generation, item)

    def holds(self, token: Token) -> bool:
        """Whether the server knows it as taken by this process."""
        return token.generation == self.generation and token.number not in self._void

    def sent(self, token: Token) -> Future[None]:
        """Done when the server knows that it may have left."""
        future: Future[None] = Future()
        if token.item.is_here_alone or not self.holds(token):
            future.set_result(None)
        else:
            self.tell("X", token.number, number=token.number, future=future)
        return future

    def done(self, token: Token) -> None:
        if token.item.is_here_alone:
            self.alone_in_flight -= 1
            return
        if self.holds(token):
            self._end(token.number, "D")
        elif token.generation == self.generation:
            self._void.discard(token.number)

    def unpop(self, token: Token) -> None:
        if token.item.is_here_alone:
            self.alone_in_flight -= 1
        else:
            self._popped.discard(token.number)
            self.tell("U", token.number, number=token.number)

    def set_aside(self, item: Item) -> None:
        self._end(item.number, "A")

    def give_back(self, items: Sequence[Item]) -> None:
        """To the front of their queues: the last first."""
        for item in reversed(items):
            self._end(item.number, "B")

    def _end(self, number: int, letter: str) -> None:
        self._void.discard(number)
        self._popped.discard(number)
        self._ending.add(number)
        self.tell(letter, number, number=number)

    # What the server says

    def applied(self, operation: Operation) -> None:
        if operation.letter in _ENDINGS:
            self._ending.discard(operation.number)

    @property
    def in_flight_or_ending(self) -> set[int]:
        return self._popped | self._ending

    def forget_all_but(self, taken: Collection[int]) -> None:
        """These are the numbers of all requests that the server knows as taken by this process."""
        self._void |= self._popped.difference(taken)

    def renamed(self, generation: int) -> int:
        """All of them are with others; how many are in flight here."""
        self.generation = generation
        in_flight = len(self._popped)
        for numbers in (self._popped, self._ending, self._void):
            numbers.clear()
        return in_flight
