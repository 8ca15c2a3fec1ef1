"""What single settings may hold that is more than a number or a word: modes, traps, lists, the store, statuses."""

from __future__ import annotations

import json
import math
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.utils.misc import load_object

from scrapy_polite.blacklist.sources import Source
from scrapy_polite.settings.kinds import (
    Kind,
    PartError,
    by_parts,
    count,
    instead,
    number,
    read_mapping,
    read_path,
    read_text,
)
from scrapy_polite.store.factory import (
    EXPECTED,
    SERVER_EXPECTED,
    ClientMissing,
    StoreLocation,
    StoreUrlError,
    is_url,
    takes_project_server,
)
from scrapy_polite.traps.url_rules import RULES, UrlRules

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PARTS = ("robots", "pacing", "traps", "directives", "blacklist", "recrawl")
_MODES = ("enforce", "audit")


def _read_modes(value: Any) -> dict[str, str]:
    if value in _MODES:
        return dict.fromkeys(PARTS, value)
    modes = read_mapping(value)
    for part, mode in modes.items():
        if part not in PARTS:
            raise PartError(f"{part!r} is no part" + instead(part, PARTS))
        if mode not in _MODES:
            raise PartError(f"{part!r} is {mode!r}, expected {' or '.join(map(repr, _MODES))}")
    return dict.fromkeys(PARTS, "enforce") | modes


MODE = Kind("'enforce', 'audit', or a dict from part to one of them, such as {'robots': 'audit'}", _read_modes)

#: What can be done about a URL that is a trap's by proof, and about a group of them that is suspected.
TRAP_ACTIONS = ("defer", "drop", "log", "off")
#: What groups of URL patterns are suspected of, and the only trap that is deferred: the others are proof.
ENDLESS = "endless"
#: Links to other sites on an error page made for robots.
ROBOT_ERROR = "robot-error"
TRAPS = ("url-length", *RULES, "long-url", "alias", "by-hand", ROBOT_ERROR, ENDLESS)
DEFAULT_TRAPS = dict.fromkeys(TRAPS, "drop") | {"long-url": "log", ENDLESS: "defer"}


def _read_traps(value: Any) -> dict[str, str]:
    if value in ("defer", "drop"):  # neither refuses for its length alone what is within the limit
        return DEFAULT_TRAPS | {ENDLESS: value}
    if value in TRAP_ACTIONS:
        return dict.fromkeys(TRAPS, value)
    traps = read_mapping(value)
    for name, action in traps.items():
        if name not in TRAPS:
            raise PartError(f"{name!r} is no trap" + instead(name, TRAPS))
        actions = TRAP_ACTIONS if name == ENDLESS else TRAP_ACTIONS[1:]
        if action not in actions:
            raise PartError(f"{name!r} is {action!r}" + instead(action, actions, 0.6))
    return traps


TRAP_ACTION = Kind(
    f"{', '.join(map(repr, TRAP_ACTIONS))}, or a dict from trap to one of them, such as {{'endless': 'drop'}}",
    _read_traps,
)

_TRAP_LIMITS = tuple(f.name for f in fields(UrlRules) if f.name != "without")
_TRAP_LIMIT = count(0, 1_000_000)


@by_parts
def _read_trap_limits(limits: dict[str, Any]) -> UrlRules:
    for name, limit in limits.items():
        if name in ("budget", "cap"):
            raise ValueError(f"{name!r} is no limit of URLs: set POLITE_TRAP_{name.upper()}")
        if name not in _TRAP_LIMITS:
            raise ValueError(f"{name!r} is no limit" + instead(name, _TRAP_LIMITS))
        try:
            limits[name] = _TRAP_LIMIT.read(limit)
        except (ValueError, TypeError, OverflowError) as error:
            raise ValueError(f"{name!r}{_TRAP_LIMIT.complaint(limit, error)}") from None
    return UrlRules(**limits)


TRAP_LIMITS = Kind("a dict such as {'max_depth': 30}", _read_trap_limits)


def _read_sources(value: Any) -> tuple[Source, ...]:
    if isinstance(value, str):  # from the command line
        if value.lstrip().startswith("{"):
            raise ValueError
        value = json.loads(value) if value.lstrip().startswith("[") else [one for one in value.split(",") if one]
    if isinstance(value, (Mapping, bytes)) or not isinstance(value, Iterable):
        raise ValueError
    try:
        return tuple(map(Source.read, value))
    except ValueError as error:
        raise PartError(str(error)) from None


def _read_allowlists(value: Any) -> tuple[Source, ...]:
    sources = _read_sources(value)
    if odd := next((source for source in sources if source.action != "drop"), None):
        raise PartError(f"{odd.path!r} has the action {odd.action!r}: an allowlist has none")
    return sources


def _read_names(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):  # from the command line
        value = json.loads(value) if value.lstrip().startswith("[") else [one for one in value.split(",") if one]
    if isinstance(value, (Mapping, bytes)) or not isinstance(value, Iterable):
        raise ValueError
    return tuple(read_text(name) for name in value)


NAMES = Kind("a list of names", _read_names)

_SOURCES = "a list of files, patterns (`lists/*.txt`), folders"
BLACKLISTS = Kind(
    f"{_SOURCES} and dicts such as {{'path': 'ads.gz', 'format': 'hosts', 'action': 'audit'}}", _read_sources
)
ALLOWLISTS = Kind(f"{_SOURCES} and dicts such as {{'path': 'ours', 'format': 'plain'}}", _read_allowlists)

#: What `off` is among numbers of URLs.
NO_LIMIT = -1


def _read_skip_dynamic(value: Any) -> int:
    return NO_LIMIT if value == "off" else int(number(value, to=int, low=0, high=1_000_000))


SKIP_DYNAMIC = Kind("'off', or a whole number from 0 to 1,000,000", _read_skip_dynamic)


def _read_crawl_delay_cap(value: Any) -> float:
    return math.inf if value == "in full" else float(number(value, to=float, low=0, high=86_400))


CRAWL_DELAY_CAP = Kind("seconds from 0 to 86,400, or 'in full'", _read_crawl_delay_cap)


def _read_statuses(value: Any) -> frozenset[int]:
    if isinstance(value, str):
        value = value.split(",")
    return frozenset(number(status, to=int, low=400, high=599) for status in value)


STATUSES = Kind("a list of HTTP statuses from 400 to 599", _read_statuses)


def _read_store(value: Any) -> StoreLocation:
    if isinstance(value, str) and is_url(value) and not value.isprintable():
        raise PartError("a URL with characters that cannot be printed")  # it may hold a password
    try:
        return StoreLocation.parse(read_path(value))
    except ClientMissing as error:
        raise PartError(str(error)) from None
    except StoreUrlError as error:
        raise PartError(f"{error}, expected {EXPECTED}") from None


def project_store(settings: BaseSettings, name: str = "POLITE_STORE") -> StoreLocation | None:
    """What a setting is where it names the server of the project's scrapy-redis; else None.

    Raises PartError.
    """
    value = settings.get(name)
    if not isinstance(value, str) or not takes_project_server(value):
        return None
    return project_server(settings, value, f", which {name} names,")


def project_server(settings: BaseSettings, value: str = "redis://", why: str = "") -> StoreLocation:
    """The server that scrapy-redis would use (see its `connection.py`). Raises PartError."""
    params: dict[str, Any] = settings.getdict("REDIS_PARAMS")
    params |= {
        name: settings.get(f"REDIS_{name.upper()}") or params.get(name) for name in ("host", "port", "db", "url")
    }
    url = params.pop("url") or ""
    try:
        return StoreLocation.parse(value, url, {name: given for name, given in params.items() if given is not None})
    except StoreUrlError as error:
        raise PartError(f"REDIS_URL or REDIS_PARAMS{why} is wrong: {error}") from None


STORE = Kind(EXPECTED, _read_store)


def _read_frontier(value: Any) -> StoreLocation:
    if not (isinstance(value, str) and is_url(value)):
        raise ValueError
    location = _read_store(value)
    if location.server is None:
        raise PartError(f"only a server keeps a queue for several processes, expected {SERVER_EXPECTED}")
    return location


FRONTIER = Kind(SERVER_EXPECTED, _read_frontier)


def _read_job(value: Any) -> str:
    if len(text := read_text(value)) > _MAX_JOB:
        raise ValueError
    return text


_MAX_JOB = 100
JOB = Kind(f"a printable text of at most {_MAX_JOB} characters", _read_job)


def _read_email(value: Any) -> str:
    if not re.fullmatch(r"[^@\s<>,]+@[^@\s<>,]+", read_text(value)):
        raise ValueError
    return str(value)


EMAIL = Kind("an e-mail address", _read_email)


def _read_webhook(value: Any) -> str:
    # What is wrong is said without the value: a webhook's URL is a secret.
    if not isinstance(value, str) or not value.isascii() or not value.isprintable() or len(value) > _MAX_URL:
        raise PartError(f"no URL, expected {_WEBHOOK}")
    try:
        parts = urlsplit(value)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or " " in value or parts.fragment:
        raise PartError(f"no URL of a web server, expected {_WEBHOOK}")
    return value


_MAX_URL = 2_000
_WEBHOOK = "an http or https URL such as 'https://chat.example/hooks/ID'"
WEBHOOK = Kind(_WEBHOOK, _read_webhook)


def _read_command(value: Any) -> tuple[str, ...]:
    # As above: a command line may have a token in it.
    try:
        words = (
            (json.loads(value) if value.lstrip().startswith("[") else shlex.split(value))
            if isinstance(value, str)
            else value
        )
    except ValueError:
        raise PartError(f"no command line that can be read, expected {_COMMAND}") from None
    if not isinstance(words, (list, tuple)) or not words:
        raise PartError(f"no command, expected {_COMMAND}")
    if not words[0] or not all(isinstance(word, str) and "\0" not in word for word in words):
        raise PartError(f"a list of other things than texts, expected {_COMMAND}")
    return tuple(words)


_COMMAND = "a command line, or a list of a program and its arguments"
COMMAND = Kind(_COMMAND, _read_command)


def _read_function(value: Any) -> Callable[..., str]:
    try:
        function = load_object(value)
    except (ImportError, NameError, TypeError, AttributeError) as error:
        raise ValueError(f"it cannot be imported: {error}") from error
    if not callable(function):
        raise ValueError("it is not callable")
    return function  # type: ignore[no-any-return]


URL_FUNCTION = Kind("the import path of a function from request to URL", _read_function)
