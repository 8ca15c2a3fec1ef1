"""The one room that stands between a host's name and the connection that is made to one of its addresses.

What resolves names differs by what the crawl runs on. Through Twisted's reactor: its `nameResolver`, which Scrapy's
DNS_RESOLVER (TWISTED_DNS_RESOLVER) is behind, whichever it is. Without a reactor: the event loop's `getaddrinfo`, which
aiohttp and httpx use; a loop that cannot be given another (uvloop), and aiodns, leave only `resolve` beforehand.
An address is stopped after it was resolved and before it is connected to, so a name that leads elsewhere the second
time it is asked for (DNS rebinding) leads nowhere.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.reactor import is_reactor_installed

from scrapy_polite import _loop

if TYPE_CHECKING:
    from typing import Protocol

    class Guard(Protocol):
        def stops(self, host: str, address: str) -> bool:
            """Whether no connection to `address` may be made for `host`."""


logger = logging.getLogger(__name__)

#: One for each crawl of this process: they share what resolves their names.
_guards: WeakSet[Any] = WeakSet()
_unguarded_loops: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def guard(one: Guard) -> None:
    """Have `one` asked from now on, before any connection is made. To be called while the loop runs; again, too."""
    _guards.add(one)
    if is_reactor_installed():
        from twisted.internet import reactor

        resolver: Any = reactor.nameResolver
        if not isinstance(resolver, _GuardedResolver):
            reactor.installNameResolver(_GuardedResolver(resolver))
    if is_asyncio_available():
        _guard_loop(asyncio.get_running_loop())


async def resolve(host: str) -> list[str]:
    """The addresses of a host, as a connection to it would be given them, unguarded; none where there are none."""
    if is_reactor_installed():
        from twisted.internet import reactor

        resolver: Any = reactor.nameResolver
        receiver = _Collector()
        inner = resolver.inner if isinstance(resolver, _GuardedResolver) else resolver
        inner.resolveHostName(receiver, host)
        return await receiver.complete
    loop = asyncio.get_running_loop()
    getaddrinfo = getattr(loop.getaddrinfo, "inner", loop.getaddrinfo)
    try:
        found = await getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return []
    return [str(where[0]) for *_, where in found]


def _is_stopped(host: str, address: str) -> bool:
    return any(one.stops(host, address) for one in list(_guards))


# Twisted: what has its interfaces IHostnameResolver and IResolutionReceiver, so the names are not ours


class _GuardedResolver:
    def __init__(self, inner: Any) -> None:
        self.inner = inner

    def resolveHostName(self, resolutionReceiver: Any, hostName: str, *args: Any, **kwargs: Any) -> Any:  # noqa: N802, N803
        return self.inner.resolveHostName(_Sieve(resolutionReceiver, hostName), hostName, *args, **kwargs)


class _Sieve:
    """Hands on the addresses that no guard stops."""

    def __init__(self, receiver: Any, host: str) -> None:
        self._receiver = receiver
        self._host = host

    def resolutionBegan(self, resolutionInProgress: Any) -> None:  # noqa: N802, N803
        self._receiver.resolutionBegan(resolutionInProgress)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        if not _is_stopped(self._host, getattr(address, "host", "")):
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        self._receiver.resolutionComplete()


class _Collector:
    def __init__(self) -> None:
        self.complete: _loop.Waiter[list[str]] = _loop.Waiter()
        self._addresses: list[str] = []

    def resolutionBegan(self, resolutionInProgress: Any) -> None:  # noqa: N802, N803
        pass

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        self._addresses.append(getattr(address, "host", ""))

    def resolutionComplete(self) -> None:  # noqa: N802
        self.complete.fire(self._addresses)


# asyncio


def _guard_loop(loop: asyncio.AbstractEventLoop) -> None:
    inner = loop.getaddrinfo
    if hasattr(inner, "inner") or loop in _unguarded_loops:
        return

    async def getaddrinfo(host: Any, port: Any, **kwargs: Any) -> Any:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host or ""
        found = await inner(host, port, **kwargs)
        passing = [one for one in found if not _is_stopped(name, str(one[4][0]))]
        if found and not passing:
            raise socket.gaierror(socket.EAI_NONAME, f"no address of {name} may be connected to")
        return passing

    getaddrinfo.inner = inner  # type: ignore[attr-defined]
    try:
        loop.getaddrinfo = getaddrinfo  # type: ignore[method-assign]
    except AttributeError:
        _unguarded_loops.add(loop)
        logger.info("%s has no room for a guard: addresses are checked before they are connected to only", loop)
