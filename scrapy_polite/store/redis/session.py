"""The connection to the server: made anew when it was lost, greeted, and fit to be used."""

from __future__ import annotations

import logging
import random
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scrapy_polite._redis.connection import connect_fit, memory_told
from scrapy_polite._redis.faults import RedisRefused, explained, is_out_of_memory
from scrapy_polite._redis.keys import prefix
from scrapy_polite._redis.scripts import Call, Scripts
from scrapy_polite.text import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    import redis

    from scrapy_polite._redis.connection import ServerFacts
    from scrapy_polite._redis.faults import Fault
    from scrapy_polite._redis.url import RedisUrl

logger = logging.getLogger(__name__)

SCHEMA_VERSION = 1

#: Longer than any lease; and the age of a server from which on nothing is said.
_LONG_S, _YOUNG_S = 1e9, 15.0


class SessionFailed(Exception):
    """`fault` says why no reply came."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.text)
        self.fault = fault


class Session:
    """Belongs to one thread. `timeout_s` is how long it waits for the server."""

    def __init__(self, url: RedisUrl, timeout_s: float) -> None:
        self.prefix = prefix("store", url.name or "default")
        self._url = url
        self._timeout_s = timeout_s
        self._scripts = Scripts(__package__, self.prefix)
        self._client: redis.Redis | None = None
        self._facts: ServerFacts
        self._store_id = ""

    def check(self) -> ServerFacts:
        """Connect, and find out what the server is. Raises SessionFailed."""
        try:
            self._connected()
        except Exception as error:  # noqa: BLE001 (who waits for an answer is told, whatever it is)
            raise SessionFailed(self.explained(error)) from None
        return self._facts

    def run(self, calls: Sequence[Call]) -> list[Any]:
        """The replies, in order; an error of redis-py in place of one that has failed.

        They are sent once more where the connection was lost. Raises SessionFailed.
        """
        import redis

        try:
            with suppress(redis.ConnectionError):
                return self._run(calls)
            return self._run(calls)
        except Exception as error:  # noqa: BLE001 (who waits for an answer is told, whatever it is)
            raise SessionFailed(self.explained(error)) from None

    def explained(self, error: BaseException) -> Fault:
        fault = explained(error, self._url.shown)
        if is_out_of_memory(error) and self._client is not None:
            return replace(fault, text=f"{fault.text} ({memory_told(self._client)})")
        return fault

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _connected(self) -> redis.Redis:
        """Raises RedisRefused, or an error of redis-py."""
        if self._client is None:
            self._client, self._facts = connect_fit(self._url, self._timeout_s, self._open)
        return self._client

    def _run(self, calls: Sequence[Call]) -> list[Any]:
        import redis

        try:
            replies = self._scripts.run(self._connected(), calls)
        except BaseException:
            self.close()
            raise
        errors = [reply for reply in replies if isinstance(reply, redis.ResponseError)]
        if any(isinstance(error, redis.exceptions.ReadOnlyError) for error in errors):
            self.close()  # Sentinels may know by now which one is the primary
        if any(isinstance(error, redis.exceptions.MovedError) for error in errors):
            self.close()
            raise redis.ConnectionError("another node of the cluster has the keys now")
        if any(str(error).startswith("POLITENEW") for error in errors):
            self.close()
            raise redis.ConnectionError("it has lost what it held")
        return replies

    def _open(self, client: redis.Redis, facts: ServerFacts) -> ServerFacts:
        new_id = f"{random.getrandbits(64):016x}"
        intact_s = min(facts.intact_s, _LONG_S)
        arguments = "", "", "", facts.run_id, SCHEMA_VERSION, new_id, self._store_id, intact_s
        (reply,) = self._scripts.run(client, [Call("open", arguments)])
        if isinstance(reply, Exception):
            raise reply
        schema, store_id = (str(text, "utf-8", "replace") for text in reply)
        if schema != str(SCHEMA_VERSION):
            raise RedisRefused(
                f"the store there was written by another scrapy-polite (schema {schema!r}, this one knows "
                f"{SCHEMA_VERSION}): upgrade this one, or give the store another name in its URL, ?name=NAME"
            )
        if self._store_id and store_id != self._store_id:
            logger.error(
                "store %s: the server has lost what it held, as one does that is restarted without its data. The store "
                "begins anew: hosts whose delay is shared wait until no lease of before can last",
                self._url.shown,
            )
        elif store_id == new_id and intact_s < _YOUNG_S:
            logger.info(
                "store %s: the server was started %s ago and has nothing of this store, as if it had lost it: hosts "
                "whose delay is shared wait until no lease of before can last, 15 s and their delay from that start on",
                self._url.shown,
                duration(intact_s),
            )
        self._store_id = store_id
        return facts
