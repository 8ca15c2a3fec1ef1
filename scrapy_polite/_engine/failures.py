"""Why a download failed, in a phrase, and whose failure it is."""

from __future__ import annotations

from scrapy.exceptions import IgnoreRequest, StopDownload

from scrapy_polite._scrapy.handlers import HeadersTooLong

UNRESOLVED = "host name cannot be resolved"
#: The first fitting part of an exception's class name -> a phrase. Names: the classes differ by version and handler.
_FAILURES = (
    ("Timeout", "timed out"),
    ("TimedOut", "timed out"),
    ("ConnectionRefused", "connection refused"),
    ("ResolveHost", UNRESOLVED),
    ("DNSLookup", UNRESOLVED),
    ("DataLoss", "the body broke off"),
    ("IgnoreRequest", "a middleware of the project refused it"),
)
#: The same of a list of reasons, which has their classes in its text.
_REASONS = (
    ("SSL.Error", "TLS failed: the server may speak none at this port, or has no valid certificate"),
    ("ConnectionDone", "the server closed the connection"),
    ("ConnectionLost", "the connection broke off"),
)
#: The packages whose exceptions say that the network has failed.
_NETWORK = frozenset(
    ("scrapy", "twisted", "OpenSSL", "service_identity", "h2", "httpx", "httpcore", "aiohttp", "playwright")
)
#: A handler of the project has cut a robots.txt.
STOPPED = "a handler of the project has stopped its download (StopDownload); let it leave robots.txt alone"


def is_unresolved(error: Exception | None) -> bool:
    """Whether a download failed as its host name has no address: twisted's DNSLookupError, Scrapy's of other names."""
    return any(phrase == UNRESOLVED and part in type(error).__name__ for part, phrase in _FAILURES)


def kind_of(error: Exception) -> str:
    """How a download failed, to be counted: a phrase, or the name of the exception's class."""
    name = type(error).__name__
    return _phrase(error, name) or name


def phrase_of(error: Exception, timeout_s: float) -> str:
    name = type(error).__name__
    if isinstance(error, StopDownload):
        return STOPPED
    if HeadersTooLong.__name__ in str(error):  # one of a list of reasons
        return str(HeadersTooLong())
    phrase = _phrase(error, name)
    if phrase == "timed out":
        return f"timed out after {timeout_s:g} s"
    return phrase or f"{name}: {error}"[:200].rstrip(": ")


def _phrase(error: Exception, name: str) -> str:
    phrase = next((phrase for part, phrase in _FAILURES if part in name), "")
    return phrase or next((phrase for part, phrase in _REASONS if part in str(error)), "")


def is_of_project(error: Exception) -> bool:
    """Whether the project's own code has raised it: neither the network, nor the libraries that use it."""
    if isinstance(error, StopDownload):
        return True
    return not isinstance(error, (OSError, IgnoreRequest)) and type(error).__module__.partition(".")[0] not in _NETWORK
