"""The jobs on a server, for commands: an implementation of `frontier.jobs.Jobs`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy_polite._redis.connection import connect_fit, connect_to_keys
from scrapy_polite._redis.faults import RedisRefused, explained
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.scripts import Call, Scripts
from scrapy_polite.frontier.jobs import JobState, JobWorker, NewRequest
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.queued import Queued
from scrapy_polite.frontier.redis import names
from scrapy_polite.frontier.redis.batch import Batch
from scrapy_polite.frontier.redis.faults import Outage, is_passing
from scrapy_polite.frontier.redis.operations import Operation, print_of
from scrapy_polite.frontier.redis.outbox import BATCH
from scrapy_polite.frontier.redis.removal import Removal
from scrapy_polite.frontier.redis.rows import JobRows
from scrapy_polite.frontier.redis.session import JOBS, SCHEMA, Session, SessionError, other_schema

if TYPE_CHECKING:
    import redis

    from scrapy_polite._redis.url import RedisUrl
    from scrapy_polite.frontier.codec import Codec
    from scrapy_polite.frontier.removal import Asked, Meant, Removed

_TIMEOUT_S, _LEASE_S = 10.0, 30.0
_TRIES = 8
_T = TypeVar("_T")


class RedisJobs:
    def __init__(self, url: RedisUrl, codec: Codec) -> None:
        self._url = url
        self._codec = codec
        self._client: redis.Redis | None = None

    def states(self) -> list[JobState]:
        found = self._asked(lambda client: client.smembers(JOBS))
        states = [self.state(name.decode("utf-8", "replace")) for name in sorted(found)]
        return [state for state in states if state is not None]

    def state(self, job: str) -> JobState | None:
        answer = self._run(job, "describe")
        schema, queued, taken, done, seen, paused, aside, ended, workers = answer
        if not schema:
            return None
        ended_s = None if ended < 0 or queued or taken else ended / 1e6
        shown = [JobWorker(name.decode("utf-8", "replace"), since / 1e6, hosts) for name, since, hosts in workers]
        return JobState(job, queued, taken, done, seen, aside, bool(paused), ended_s, shown)

    def queued(self, job: str) -> Queued | None:
        state = self.state(job)
        return None if state is None else Queued.of(self._lanes(job), state.set_aside)

    def _lanes(self, job: str) -> Iterator[tuple[str, int]]:
        workers = self._asked(lambda client: client.zrange(prefix("job", job) + "w", 0, -1))
        places = [("open", b""), *((what, worker) for worker in workers for what in ("own", "taken"))]
        for what, worker in places:
            cursor = b""
            while cursor != b"0":
                cursor, rows = self._run(job, "lanes", what, worker, cursor or b"0")
                for host, *state in rows:
                    for queue, length in zip(state[::2], state[1::2], strict=True):
                        yield names.read(host.decode("utf-8", "replace"), queue).lane, length

    def facts(self) -> str:
        client, facts = self._done(lambda: connect_fit(self._url, _TIMEOUT_S, lambda _, facts: facts))
        client.close()
        return facts.shown

    def _run(self, job: str, script: str, *arguments: Any) -> Any:
        """The answer of a script that says something of a job."""
        scripts = Scripts(__package__, prefix("job", job))

        def answer(client: redis.Redis) -> Any:
            (found,) = scripts.run(client, [Call(script, ("", 0, *arguments))])
            if isinstance(found, Exception):
                raise found
            return found

        return self._asked(answer)

    def push(self, job: str, requests: Iterable[NewRequest]) -> tuple[int, int]:
        sender = _Sender(Session(self._url, job, _LEASE_S, only_pushes=True))
        queued = known = 0
        rest = map(self._operation, requests)
        try:
            while batch := list(islice(rest, BATCH)):
                codes = self._done(lambda some=batch: sender.send(Batch.of(some)))  # type: ignore[misc]
                known += codes.count(b"0")
                queued += len(batch) - codes.count(b"0")
            self._done(sender.leave)
        finally:
            sender.close()
        return queued, known

    def _operation(self, new: NewRequest) -> Operation:
        try:
            body = self._codec.encode(new.request, None)
        except ValueError as error:
            raise FrontierError(str(error)) from error
        mark: int | str = "" if new.fingerprint is None else print_of(new.fingerprint)
        return Operation.push(new.host, new.lane, new.rank, new.request, body, mark)

    def pause(self, job: str, paused: bool) -> None:
        key = prefix("job", job) + "n"
        if paused:
            self._asked(lambda client: client.hset(key, "paused", "1"))
        else:
            self._asked(lambda client: client.hdel(key, "paused"))

    def drop(self, job: str) -> int:
        start, dropped = prefix("job", job), 0
        # First what says that the job is there: processes at work on it notice, and end.
        self._asked(lambda client: client.delete(start + "schema", start + "w"))
        for keys in JobRows(start, self._asked).scan():
            if keys:
                dropped += self._asked(lambda client, some=keys: client.unlink(*some))  # type: ignore[misc]
        self._asked(lambda client: client.srem(JOBS, job))
        return dropped

    def remove(self, job: str, meant: Meant, progress: Callable[[int], None], *, act: bool) -> Removed:
        return Removal(
            self._rows(job),
            self._asked,
            lambda what, *arguments: int(self._run(job, "forget", what, *arguments)),
            meant,
            progress,
            act=act,
        ).all()

    def requests(self, job: str) -> Iterator[Asked]:
        return self._rows(job).all()

    def _rows(self, job: str) -> JobRows:
        schema = self._run(job, "describe")[0].decode("utf-8", "replace")
        if schema not in {"", SCHEMA}:
            raise FrontierError(other_schema(job, schema))
        return JobRows(prefix("job", job), self._asked)

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _asked(self, ask: Callable[[Any], _T]) -> _T:
        """Of a cluster that node is asked that has the keys."""

        def answer() -> _T:
            import redis

            if self._client is not None:
                with suppress(redis.exceptions.MovedError):
                    return ask(self._client)
                self.close()
            self._client, answered = connect_to_keys(self._url, _TIMEOUT_S, ask)
            return answered

        return self._done(answer)

    def _done(self, do: Callable[[], _T]) -> _T:
        try:
            return do()
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> FrontierError:
        if isinstance(error, SessionError):
            return FrontierError(f"{self._url.shown}: the job was dropped meanwhile")
        return FrontierError(explained(error, self._url.shown).text)


class _Sender:
    """Sends batches, one after another: one whose reply is lost is sent again, and applied once."""

    def __init__(self, session: Session) -> None:
        self._process = session
        self._in_doubt = False

    def send(self, batch: Batch) -> bytes:
        """How each push has ended, as `answers.Applied` says it."""
        outage = Outage()
        for last in (*[False] * _TRIES, True):
            codes = self._sent(batch, last=last)
            if codes is not None:
                return codes
            outage.wait()
        raise AssertionError("the last try raises")

    def leave(self) -> None:
        if self._process.connected:
            self._process.leave()

    def close(self) -> None:
        self._process.disconnect()

    def _sent(self, batch: Batch, *, last: bool) -> bytes | None:
        session = self._process
        try:
            if not session.connected and session.connect(in_doubt=self._in_doubt).anew:
                self._in_doubt = False
            again, self._in_doubt = self._in_doubt, True
            codes = bytes(session.apply(batch, again=again)[0])
        except Exception as error:
            session.disconnect()
            if last or isinstance(error, RedisRefused) or not (isinstance(error, SessionError) or is_passing(error)):
                raise
            return None
        self._in_doubt = False
        return codes
