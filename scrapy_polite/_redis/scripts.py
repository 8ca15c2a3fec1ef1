"""Scripts in Lua, files of the package, run by their hash: many of them in one round trip.

A script is an atomic step. Its only declared key is the prefix of all it uses (see `keys`). The server forgets scripts
when it restarts; they are loaded again then.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import redis


class Call(NamedTuple):
    """One script of a set and its arguments. What is no text or bytes goes as Python writes it."""

    script: str
    arguments: Sequence[str | bytes | int | float]


@dataclass(frozen=True, slots=True)
class _Script:
    source: str
    digest: str

    @classmethod
    def of(cls, source: str) -> _Script:
        return cls(source, hashlib.sha1(source.encode(), usedforsecurity=False).hexdigest())


class Scripts:
    """Every `*.lua` of a package, by name. `head*.lua`, where there are any, stand before each of the others."""

    def __init__(self, package: str, prefix: str) -> None:
        """`prefix` is the key that the scripts are given."""
        found = {
            file.name.removesuffix(".lua"): file.read_text(encoding="utf-8")
            for file in files(package).iterdir()
            if file.name.endswith(".lua")
        }
        head = "".join(found.pop(name) for name in sorted(found) if name.startswith("head"))
        self._prefix = prefix
        self._scripts = {name: _Script.of(_joined(head, source)) for name, source in found.items()}

    def load(self, client: redis.Redis) -> None:
        pipeline = client.pipeline(transaction=False)
        for script in self._scripts.values():
            pipeline.script_load(script.source)
        pipeline.execute()

    def run(self, client: redis.Redis, calls: Sequence[Call]) -> list[Any]:
        """The reply to each call, in their order; in its place the error of one that has failed.

        Raises an error of redis-py where the connection fails: any of the calls may then have been carried out, or not.
        """
        import redis

        answers = self._answers(client, calls)
        unknown = [at for at, answer in enumerate(answers) if isinstance(answer, redis.exceptions.NoScriptError)]
        if unknown:
            self.load(client)
            again = self._answers(client, [calls[at] for at in unknown])
            for at, answer in zip(unknown, again, strict=True):
                answers[at] = answer
        return answers

    def _answers(self, client: redis.Redis, calls: Sequence[Call]) -> list[Any]:
        pipeline = client.pipeline(transaction=False)
        for name, arguments in calls:
            pipeline.evalsha(self._scripts[name].digest, 1, self._prefix, *arguments)
        return pipeline.execute(raise_on_error=False)


def _joined(head: str, source: str) -> str:
    """A line `#!lua flags=...` has to stay the first."""
    first, newline, rest = source.partition("\n")
    return f"{first}{newline}{head}{rest}" if first.startswith("#!") else head + source
