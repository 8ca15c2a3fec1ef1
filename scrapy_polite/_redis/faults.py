"""What goes wrong with a server, in one sentence that names it, and whether asking later may help."""

from __future__ import annotations

import re
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_SILENT = "it does not answer in time"
_ACL = "the docs page 'Shared store' has the rules of an ACL that suffices"


class RedisRefused(Exception):
    """A server that is not to be used as it is: what is wrong, and what to do."""


class RedisMissing(RedisRefused):
    """redis-py is not installed."""

    def __init__(self) -> None:
        super().__init__("redis-py is not installed: pip install 'scrapy-polite[redis]'")


@dataclass(frozen=True, slots=True)
class Fault:
    """`passing`: it may be over when asked again. Else somebody has to change something."""

    text: str
    passing: bool


#: How an error of the server begins (the first word of its reply) -> what to say of it, and whether it may pass.
_REPLIES: dict[str, tuple[str, bool]] = {
    "OOM": ("it is out of memory: raise its maxmemory, or drop what is not needed", True),
    "LOADING": ("it is loading its data", True),
    "BUSY": ("a script keeps it busy", True),
    "READONLY": ("it is a read-only replica: name the primary, or Sentinels (redis+sentinel://)", True),
    "MASTERDOWN": ("it is a replica that has lost its primary", True),
    "MISCONF": ("it takes no writes while it cannot save to its disk: see its log", True),
    "NOREPLICAS": ("it takes no writes while it has too few replicas", True),
    "CLUSTERDOWN": ("its cluster is down", True),
    "TRYAGAIN": ("its cluster is moving keys", True),
    "MOVED": ("it is a node of a cluster, and another one has these keys: name that one", False),
    "ASK": ("its cluster is moving keys", True),
    "WRONGPASS": ("it refuses the user or the password: check them in the URL", False),
    "NOAUTH": ("it asks for a password: give one in the URL, redis://USER:PASSWORD@HOST", False),
    "NOPERM": (f"its user may not do this: {_ACL}", False),
    "NOMASTER": ("no Sentinel that answers knows this name (their own password is ?sentinel_password=PASSWORD)", True),
    "WRONGTYPE": ("a key that begins with 'polite:' holds what scrapy-polite has not written: delete it", False),
}


def explained(error: BaseException, shown: str) -> Fault:
    """What an error of redis-py, of the network or of a script says of the server at `shown`.

    Nothing of a command is repeated, for it may hold a password.
    """
    text, passing = _said(error)
    if text == _SILENT and shown.startswith("rediss:"):
        text += ", perhaps as it is one without TLS: redis:// is without, rediss:// with"
    return Fault(f"{shown}: {text}", passing)


def is_out_of_memory(error: BaseException) -> bool:
    return "OOM" in str(error) or "used memory > 'maxmemory'" in str(error)


def is_of_value(error: BaseException) -> bool:
    """Whether a script failed at what it found under a key: another type, a text where it expected a number."""
    import redis

    return isinstance(error, redis.ResponseError) and ("WRONGTYPE" in str(error) or "user_script:" in str(error))


def _said(error: BaseException) -> tuple[str, bool]:
    if isinstance(error, RedisRefused):
        return str(error), False
    import redis
    from redis.sentinel import MasterNotFoundError

    kinds: list[tuple[type[BaseException] | tuple[type[BaseException], ...], Callable[[Any], tuple[str, bool]]]] = [
        (redis.BusyLoadingError, lambda _: _REPLIES["LOADING"]),
        (redis.exceptions.ReadOnlyError, lambda _: _REPLIES["READONLY"]),
        (redis.exceptions.OutOfMemoryError, lambda _: _REPLIES["OOM"]),
        (redis.exceptions.NoPermissionError, lambda _: _REPLIES["NOPERM"]),
        (redis.exceptions.AskError, lambda _: _REPLIES["ASK"]),
        (redis.exceptions.MovedError, lambda _: _REPLIES["MOVED"]),
        (redis.AuthenticationError, _of_login),
        (redis.ResponseError, _of_reply),
        (MasterNotFoundError, lambda _: _REPLIES["NOMASTER"]),
        ((redis.TimeoutError, TimeoutError), lambda _: (_SILENT, True)),
        ((redis.ConnectionError, OSError), _of_connection),
    ]
    for kind, said in kinds:
        if isinstance(error, kind):
            return said(error)
    return f"{type(error).__name__}", False


def _of_login(error: Exception) -> tuple[str, bool]:
    return _REPLIES["NOAUTH" if "required" in str(error) or "NOAUTH" in str(error) else "WRONGPASS"]


def _of_reply(error: Exception) -> tuple[str, bool]:
    said = str(error)
    word = re.match(r"-?([A-Z]+)\b", said)
    if word is not None and word[1] in _REPLIES:
        return _REPLIES[word[1]]
    if is_out_of_memory(error):
        return _REPLIES["OOM"]
    said = re.split(r",? with args|: '|, &|\bscript: [0-9a-f]{40}", said, maxsplit=1)[0]
    return f"it answers {said[:200]!r}", False


def _of_connection(error: BaseException) -> tuple[str, bool]:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return (
                f"its certificate cannot be verified ({cause.verify_message}): name the one that signed it with "
                "?ssl_ca_certs=FILE"
            ), False
        if isinstance(cause, ssl.SSLError):
            return f"no TLS with it ({cause.reason or 'handshake failed'}): redis:// is without, rediss:// with", False
        cause = cause.__cause__ or cause.__context__
    return f"it cannot be reached ({_short(str(error))})", True


def _short(text: str) -> str:
    """`Error 111 connecting to localhost:6379. Connection refused.` -> `Connection refused`

    `Error while reading from localhost:6379 : (104, 'Connection reset by peer')` -> `Connection reset by peer`
    """
    found = re.fullmatch(r"Error (?:.* connecting to .*?\. (.+?)\.?|while .* : \(\d+, '(.+)'\))", text, re.DOTALL)
    return ((found[1] or found[2]) if found else text)[:200].rstrip(".") or "no reason given"
