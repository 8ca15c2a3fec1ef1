"""The key under which a URL is remembered as seen: the same for URLs that name the same page.

By default what RFC 3986 §6.2.2 and §6.2.3 call equivalent, and what no page depends on: the order of parameters with
different names, session identifiers (known by name and shape), marks of advertisers. What only most sites do is an
option. A key is compared and never fetched, so the worst of a wrong one is a page missed, which is why in doubt two
URLs stay two: `+` and `%20`, `?a` and `?a=`, `//` and `/`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from scrapy_polite.links import without_dots
from scrapy_polite.origin import DEFAULT_PORTS, Origin

if TYPE_CHECKING:
    from typing_extensions import Self

_PARTS = re.compile(r"([A-Za-z]+)://([^/?#]*)([^?#]*)\??([^#]*)")

_UNRESERVED = string.ascii_letters + string.digits + "-._~"
_RESERVED = ":/?#[]@!$&'()*+,;="
# Escapes of octets above ASCII in upper case, the most frequent ones, are normal. A `%` that begins no escape is
# written `%25`: else what follows it could become one.
_NOT_NORMAL = re.compile(rf"%(?![89A-F][0-9A-F])(?:[0-9A-Fa-f]{{2}})?|[^{re.escape(_UNRESERVED + _RESERVED)}%]")
_ESCAPE = re.compile(r"%..")
_ESCAPED = {chr(octet): f"%{octet:02X}" for octet in range(0x80)}
_ABOVE_ASCII = {octet: f"%{octet:02X}" for octet in range(0x80, 0x100)}

#: What Tomcat, PHP, ASP, osCommerce and Zen Cart call a session: with such a name any token of 16 characters is one.
_SESSION_NAMES = frozenset({"jsessionid", "phpsessid", "phpsessionid", "oscsid", "zenid"})
_TOKEN = re.compile(r"[\w.!,~-]{16,}", re.ASCII)
#: These may as well be a station's, or a sitting's of a parliament: what is random has digits here and there.
_VAGUE_SESSION_NAMES = frozenset({"sid", "sessid", "sessionid", "session_id"})
_ALPHANUMERIC = re.compile(r"[0-9A-Za-z]{16,}")
_NUMBER = re.compile(r"[0-9]+")
_NUMBERS_IN_RANDOM = 3
_ASP_SESSION = re.compile(r"aspsessionid[a-z]{8}=[a-z]{24}", re.IGNORECASE)
_SESSION_IN_PATH = re.compile(r";jsessionid=[\w.!%+~-]{16,}(?=[;/]|\Z)", re.ASCII | re.IGNORECASE)
# ASP.NET's cookieless sessions: /(S(lit3py55t21z5v55vlm25s55))/page.aspx, with other such parts or without.
_ASP_NET_SEGMENT = re.compile(r"\((?:[AFX]\([^()/]*\))*S\([a-z0-9]{24}\)(?:[AFX]\([^()/]*\))*\)")
_COLDFUSION = frozenset({"cfid", "cftoken"})

#: Which advertisement, mail or post a visitor came by; beside `utm_*`.
_TRACKING_NAMES = frozenset(
    {
        *("gclid", "gclsrc", "dclid", "gbraid", "wbraid", "srsltid", "_ga", "_gl"),  # Google
        *("fbclid", "igshid", "msclkid", "twclid", "ttclid", "li_fat_id", "epik", "yclid", "ymclid", "_openstat"),
        *("mc_cid", "mc_eid", "mkt_tok", "_hsenc", "_hsmi", "vero_id", "oly_anon_id", "oly_enc_id", "wickedid"),
        *(f"{tool}_{mark}" for tool in ("pk", "mtm") for mark in ("campaign", "kwd", "keyword", "source", "medium")),
        *(f"{tool}_{mark}" for tool in ("pk", "mtm") for mark in ("content", "cid")),
    }
)
#: On a map `utm` is the Universal Transverse Mercator grid.
_COORDINATES = re.compile(r"utm_(?:[xyzen]|zone|band|hemisphere|east(?:ing)?|north(?:ing)?)")

_INDEX_PAGE = re.compile(
    r"(?:index|default)\.(?:html?|shtml|xhtml|php[345]?|aspx?|jspx?|cfm)|home\.html?|welcome\.html?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class CleanParam:
    """Yandex's `Clean-param` of a robots.txt: parameters that no page under a path depends on.

    `path` is a prefix, in which `*` stands for anything. Names and path are case-sensitive
    (https://yandex.com/support/webmaster/robot-workings/clean-param.html).
    """

    names: frozenset[str]
    path: str = ""

    @classmethod
    def read(cls, value: str) -> Self | None:
        """From `name[&name...] [path]`; None where no name is given."""
        names, _, path = value.strip().partition(" ")
        known = frozenset(filter(None, names.split("&")))
        return cls(known, path.strip()) if known else None

    def covers(self, path: str) -> bool:
        first, *others = self.path.split("*")
        if not path.startswith(first):
            return False
        at = len(first)
        for part in others:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return True


@lru_cache(maxsize=1_000)
def clean_params(values: tuple[str, ...]) -> tuple[CleanParam, ...]:
    """The `Clean-param` lines of one robots.txt, as `RobotsTxt.clean_params` has them; a bad one is left out."""
    return tuple(filter(None, map(CleanParam.read, values)))


@dataclass(frozen=True, slots=True)
class KeyOptions:
    """What makes two URLs of a site the same page.

    On by default: `sessions` and `tracking` (such parameters do not count). Off: `case` (of the path does not count),
    `index` (`/a/index.html` is `/a/`), `www` (`www.example.com` is `example.com`), `scheme` (http is https), `slash`
    (`/a/` is `/a`), `clean_param` (what the site's robots.txt declares, to be put into `clean_params`, is believed).
    """

    sessions: bool = True
    tracking: bool = True
    case: bool = False
    index: bool = False
    www: bool = False
    scheme: bool = False
    slash: bool = False
    clean_param: bool = False
    clean_params: tuple[CleanParam, ...] = ()

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """From a mapping such as {"case": True}. Raises ValueError for anything else."""
        names = [option.name for option in fields(cls) if isinstance(option.default, bool)]
        for name, value in given.items():
            if name not in names:
                raise ValueError(f"{name!r} is no option; the options are {', '.join(names)}")
            if not isinstance(value, bool):
                raise ValueError(f"{name!r} is {value!r}, expected True or False")
        return cls(**given)


DEFAULT_OPTIONS = KeyOptions()


def key(url: str, options: KeyOptions = DEFAULT_OPTIONS) -> str:
    """The key of an absolute http, https or ftp URL; any other string is its own key. Never raises.

    The key of a key is itself.
    """
    parts = _PARTS.match(url)
    if parts is None:
        return url
    scheme, netloc, path, query = parts.groups()
    scheme = scheme.lower()
    if scheme not in DEFAULT_PORTS:
        return url
    path = _path_key(path, options)
    if query:
        query = _query_key(query, path, options)
    return f"{_origin_key(scheme, netloc, options.www, options.scheme)}{path}{'?' if query else ''}{query}"


@lru_cache(maxsize=2_000)
def default_key(url: str) -> str:
    """`key` by the default options: of each link it is asked for by the visited set, and by the groups of its site."""
    return key(url)


@lru_cache(maxsize=10_000)
def _origin_key(scheme: str, netloc: str, www: bool, any_scheme: bool) -> str:
    """§3.2.2, §6.2.2.1, §6.2.3. User information stays as it is; so does a host that none can have."""
    user, at, host = netloc.rpartition("@")
    try:
        origin = Origin.from_url(f"{scheme}://{host}/")
    except ValueError:
        return f"{scheme}://{netloc}"
    name = origin.netloc
    if www:
        start = 0
        while name.startswith("www.", start) and name.find(".", start + 4) > 0:
            start += 4
        name = name[start:]
    if any_scheme and scheme in {"http", "https"} and origin.port == DEFAULT_PORTS[scheme]:
        scheme = "http"
    return f"{scheme}://{user}{at}{name}"


def _path_key(path: str, options: KeyOptions) -> str:
    path = _normal(path)
    if options.sessions:
        if ";" in path:
            path = _SESSION_IN_PATH.sub("", path)
        if "/(" in path:
            path = "/".join(segment for segment in path.split("/") if not _ASP_NET_SEGMENT.fullmatch(segment))
    if "/." in path:
        path = without_dots(path)
    if options.case:
        path = _ESCAPE.sub(_upper, path.lower())
    if options.index or options.slash:
        path = _without_end(path, options)
    return path or "/"


def _without_end(path: str, options: KeyOptions) -> str:
    """Without the name of an index page, and without slashes at the end, or both by turns."""
    segments = path.split("/")
    while len(segments) > 1:
        if options.index and _INDEX_PAGE.fullmatch(segments[-1]):
            segments[-1] = ""
        if not (options.slash and segments[-1] == ""):
            break
        segments.pop()
    return "/".join(segments)


def _query_key(query: str, path: str, options: KeyOptions) -> str:
    """Two parameters of one name keep their order: it may mean something."""
    declared = [known.names for known in options.clean_params if known.covers(path)]
    pairs = []
    names = set()
    for pair in _normal(query).split("&"):
        name, _, value = pair.partition("=")
        if not (name or value) or any(name in undue for undue in declared):
            continue
        lower = name.lower()
        if options.tracking and (lower in _TRACKING_NAMES or _is_utm(lower)):
            continue
        if options.sessions and _is_session(lower, value):
            continue
        names.add(lower)
        pairs.append((name, pair))
    if options.sessions and names >= _COLDFUSION:
        pairs = [(name, pair) for name, pair in pairs if name.lower() not in _COLDFUSION]
    if len(pairs) > 1:
        pairs.sort(key=itemgetter(0))
    return "&".join([pair for _, pair in pairs])


def _is_utm(name: str) -> bool:
    return name.startswith("utm_") and not _COORDINATES.fullmatch(name)


def _is_session(name: str, value: str) -> bool:
    """Whether a parameter (its name in lower case) holds a session identifier, by name and shape."""
    if name in _SESSION_NAMES:
        return _TOKEN.fullmatch(value) is not None
    if name in _VAGUE_SESSION_NAMES:
        return _ALPHANUMERIC.fullmatch(value) is not None and len(_NUMBER.findall(value)) >= _NUMBERS_IN_RANDOM
    return name.startswith("aspsessionid") and _ASP_SESSION.fullmatch(f"{name}={value}") is not None


def _normal(text: str) -> str:
    """§6.2.2.1 and §6.2.2.2: escapes in upper case, none of an unreserved character; what no URI may hold escaped."""
    if not text.isascii():
        text = text.encode("utf-8", "surrogatepass").decode("latin-1").translate(_ABOVE_ASCII)
    return _NOT_NORMAL.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 1:
        return _ESCAPED[found]
    character = chr(int(found[1:], 16))
    return character if character in _UNRESERVED else found.upper()


def _upper(match: re.Match[str]) -> str:
    return match[0].upper()
