"""URLs of Redis and Valkey servers, as redis-py and scrapy-redis have them, and one for Sentinel.

    redis://[[USER]:PASSWORD@]HOST[:PORT][/DB][?OPTIONS]
    rediss://...                                                    the same over TLS
    unix://[[USER]:PASSWORD@]/PATH/OF/SOCKET[?db=DB]
    redis+sentinel://[[USER]:PASSWORD@]HOST[:PORT][,HOST[:PORT]...]/SERVICE[/DB]

No message repeats a URL as it was given: it may hold a password.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

SCHEMES = ("redis", "rediss", "unix", "redis+sentinel")
EXPECTED = "redis://HOST:PORT/DB, rediss://HOST:PORT/DB, unix:///SOCKET or redis+sentinel://HOST:PORT,HOST:PORT/SERVICE"

PORT, SENTINEL_PORT = 6379, 26379
#: Alone it names the server of a project that has one already.
BARE = "redis://"

#: How redis-py is to use TLS, by its own names: the files with certificates, and what is checked.
_TLS_OPTIONS = (
    "ssl_ca_certs",
    "ssl_ca_path",
    "ssl_certfile",
    "ssl_keyfile",
    "ssl_password",
    "ssl_cert_reqs",
    "ssl_check_hostname",
)
_CHECKS = ("required", "optional", "none")
#: Options of a URL: the others of redis-py are for the client to choose (timeouts, retries, encodings).
_OPTIONS = ("db", "name", "username", "password", "sentinel_username", "sentinel_password", *_TLS_OPTIONS)
_NONE: Mapping[str, Any] = {}
_NAME = re.compile(r"[A-Za-z0-9._-]{1,64}")


class RedisUrlError(ValueError):
    """A URL, or a setting beside it, that names no server. The message repeats no password."""


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """Where a server is. `hosts` are those of the server itself, or of Sentinels that know `service`; none: `socket`.

    `name` tells apart what several projects keep on one server (the option `name`), "" where nobody says.
    """

    scheme: str
    hosts: tuple[tuple[str, int], ...]
    socket: str = ""
    service: str = ""
    db: int = 0
    name: str = ""
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    sentinel: Mapping[str, str] = field(default_factory=dict, repr=False)
    tls: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @classmethod
    def parse(cls, value: str, url: str = "", params: Mapping[str, Any] | None = None) -> RedisUrl:
        """The server that `value` names.

        `redis://` alone means that of the project's scrapy-redis (`redis://?name=NAME`: with that name): `url` is its
        REDIS_URL; `params`, its REDIS_PARAMS, count where the URL says nothing itself. Where both are missing it is the
        one of this machine. Raises RedisUrlError.
        """
        if not names_project_server(value):
            return _parsed(value)
        known = {name: value for name, value in (params or {}).items() if name in (*_OPTIONS, "host", "port")}
        host, port = str(known.pop("host", "localhost")), _number("port", known.pop("port", PORT), 65_535)
        url = url or f"redis://{_address(host, port)}"
        return _parsed(url, known, _options("redis", value.strip()[len(BARE) + 1 :]))

    @property
    def shown(self) -> str:
        """The URL without user, password and options but the name: for logs and commands."""
        if self.socket:
            return f"unix://{self.socket}?db={self.db}{f'&name={self.name}' if self.name else ''}"
        place = ",".join(_address(host, port) for host, port in self.hosts)
        service = f"/{self.service}" if self.service else ""
        return f"{self.scheme}://{place}{service}/{self.db}{f'?name={self.name}' if self.name else ''}"

    def moved(self, host: str, port: int) -> RedisUrl:
        """To another node of a cluster. One that does not know its own host says "", which means the same host."""
        (same, _), *_ = self.hosts or (("localhost", port),)
        return replace(self, hosts=((host or same, port),), socket="", service="")


def names_project_server(value: str) -> bool:
    """Whether `value` is `redis://` alone, or with options."""
    value = value.strip().lower()
    return value == BARE or value.startswith(f"{BARE}?")


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _parsed(text: str, defaults: Mapping[str, Any] = _NONE, over: Mapping[str, Any] = _NONE) -> RedisUrl:
    """`defaults` are options that count where the URL does not say them, `over` those that count before it."""
    scheme, parts = _split(text.strip())
    user_info, _, place = parts.netloc.rpartition("@")
    options = {**defaults, **_options(scheme, parts.query), **_login(user_info)}
    if scheme == "unix":
        if place or not parts.path:
            raise RedisUrlError("unix:// URL without a path: the socket's has three slashes, unix:///run/valkey.sock")
        return _made(scheme, (), {**options, **over}, socket=unquote(parts.path))
    hosts = tuple(_host(scheme, one) for one in place.split(","))
    path, service = [unquote(step) for step in parts.path.split("/")[1:] if step], ""
    if scheme == "redis+sentinel":
        if not path:
            raise RedisUrlError("redis+sentinel:// URL without a service: it ends with its name, /mymaster")
        service, *path = path
    elif len(hosts) > 1:
        raise RedisUrlError(f"{scheme}:// URL with several hosts: of Sentinels it begins with redis+sentinel://")
    if len(path) > 1:
        raise RedisUrlError(f"{scheme}:// URL with more behind the number of its database, expected {EXPECTED}")
    return _made(scheme, hosts, {**options, **({"db": path[0]} if path else {}), **over}, service=service)


def _split(text: str) -> tuple[str, SplitResult]:
    """The scheme, which is one of `SCHEMES`, and the parts."""
    try:
        parts = urlsplit(text)
    except ValueError:
        raise RedisUrlError(f"not a URL of a Redis or Valkey server, expected {EXPECTED}") from None
    scheme = parts.scheme.lower()
    if scheme not in SCHEMES or not text.lower().startswith(f"{scheme}://"):
        raise RedisUrlError(f"not a URL of a Redis or Valkey server, expected {EXPECTED}")
    if parts.fragment:
        raise RedisUrlError(f"{scheme}:// URL with a '#': write it as %23")
    return scheme, parts


def _login(user_info: str) -> dict[str, Any]:
    user, colon, password = user_info.partition(":")
    found = {"username": unquote(user)} if user else {}
    return found | ({"password": unquote(password)} if colon else {})


def _made(
    scheme: str, hosts: tuple[tuple[str, int], ...], options: dict[str, Any], *, socket: str = "", service: str = ""
) -> RedisUrl:
    name = str(options.get("name", ""))
    if name and not _NAME.fullmatch(name):
        raise RedisUrlError(f"option name of a {scheme}:// URL: expected up to 64 letters, digits, '.', '_', '-'")
    if options.get("ssl_cert_reqs", _CHECKS[0]) not in _CHECKS:
        raise RedisUrlError(f"option ssl_cert_reqs of a {scheme}:// URL: expected {' or '.join(_CHECKS)}")
    sentinel = {key: f"sentinel_{key}" for key in ("username", "password")}
    return RedisUrl(
        scheme,
        hosts,
        socket,
        service,
        _number("database", options.get("db", 0), 65_535),
        name,
        _text(options.get("username")),
        _text(options.get("password")),
        {key: str(options[option]) for key, option in sentinel.items() if option in options},
        {key: _flag(options[key]) for key in _TLS_OPTIONS if key in options},
    )


def _options(scheme: str, query: str) -> dict[str, Any]:
    options = dict(parse_qsl(query, keep_blank_values=True))
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise RedisUrlError(
            f"option {unknown[0][:40]!r} of a {scheme}:// URL is not known, expected one of {', '.join(_OPTIONS)}"
        )
    return options


def _host(scheme: str, text: str) -> tuple[str, int]:
    default = SENTINEL_PORT if scheme == "redis+sentinel" else PORT
    found = re.fullmatch(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]\s]+))(?::(\d+))?", text)
    if found is None:
        raise RedisUrlError(
            f"{scheme}:// URL without a host and port that can be read, expected {EXPECTED}; "
            "in user and password write '@', ':', '/', '?', '#' as %40, %3A, %2F, %3F, %23"
        )
    return unquote(found[1] or found[2]), _number("port", found[3] or default, 65_535)


def _number(what: str, value: Any, most: int) -> int:
    text = str(value)
    if not text.isascii() or not text.isdecimal() or int(text) > most:
        raise RedisUrlError(f"{what} of a Redis or Valkey URL: expected a number up to {most:,}")
    return int(text)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _flag(value: Any) -> Any:
    return {"true": True, "false": False}.get(value.lower(), value) if isinstance(value, str) else value
