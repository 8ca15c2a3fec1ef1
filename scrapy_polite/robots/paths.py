"""The part of a URL that rules are compared with, and the two spellings in which they are compared.

*As written* is how Google's parser compares: a rule's octets above ASCII are percent-encoded and its escapes put in
upper case, a URL is taken as it is. *Normal* is RFC 9309 §2.2.2: on both sides escaped unreserved characters are
decoded and characters that no URI may contain are encoded. Reserved characters and their escapes stay apart
(RFC 3986 §2.2), except that `*` and `$` in a URL are spelled `%2A` and `%24`, which is how a rule writes them when it
means the character (RFC 9309 §2.2.3).
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import lru_cache

_TYPICAL_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?;#]*(/[^#]*)")
_PATH_START = re.compile(r"[/?;]")

_UNRESERVED = string.ascii_letters + string.digits + "-._~"
_RESERVED = ":/?#[]@!$&'()*+,;="
# An escape in upper case is normal, but for those of letters, digits, "-", ".", "_" and "~".
_ESCAPE = r"%(?![0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF])(?:[0-9A-Fa-f]{2})?"
_NOT_NORMAL = re.compile(rf"{_ESCAPE}|[^{re.escape(_UNRESERVED + _RESERVED)}%\n]")
_INNER_DOLLAR = re.compile(r"\$(?!\n|\Z)")
_NOT_NORMAL_IN_URL = re.compile(rf"{_ESCAPE}|[^{re.escape(_UNRESERVED + _RESERVED)}%]|[*$]")
# Most patterns and URLs have none of these. A single set is found five times as fast as one of several alternatives.
_SUSPECT = re.compile(rf"[^{re.escape(_UNRESERVED + _RESERVED.replace('$', ''))}\n]")
_SUSPECT_IN_URL = re.compile(rf"[^{re.escape(_UNRESERVED + _RESERVED.replace('$', '').replace('*', ''))}]")
_LOWER_CASE_ESCAPE = re.compile(r"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")


def _normal_escapes() -> dict[str, str]:
    spelled = {chr(code): f"%{code:02X}" for code in range(128)}
    for code in range(256):
        normal = chr(code) if chr(code) in _UNRESERVED else f"%{code:02X}"
        for high in {f"{code:02x}"[0], f"{code:02X}"[0]}:
            for low in {f"{code:02x}"[1], f"{code:02X}"[1]}:
                spelled[f"%{high}{low}"] = normal
    return spelled


_ABOVE_ASCII = {octet: f"%{octet:02X}" for octet in range(0x80, 0x100)}
_NORMAL = _normal_escapes()


def _normal(match: re.Match[str]) -> str:
    return _NORMAL[match[0]]


def path_of(url: str) -> str:
    """Return path, parameters and query of a URL, as Google's parser cuts them out; "/" where there are none.

    Any string will do; what is above ASCII comes back percent-encoded, as both the RFC and Google's parser ask.
    """
    typical = _TYPICAL_URL.match(url)
    path = typical[1] if typical else _path_of_any(url)
    return path if path.isascii() else _encoded(path.encode("utf-8", "surrogatepass"))


def _path_of_any(url: str) -> str:
    start = 2 if url.startswith("//") else 0
    first = _PATH_START.search(url, start)
    scheme_end = url.find("://", start)
    authority = start
    if scheme_end >= 0 and not (first and first.start() < scheme_end):
        authority = scheme_end + 3
    found = _PATH_START.search(url, authority)
    if found is None:
        return "/"
    fragment = url.find("#", start)
    if 0 <= fragment < found.start():
        return "/"
    path = url[found.start() : fragment] if fragment >= 0 else url[found.start() :]
    return path if path[0] == "/" else f"/{path}"


def _encoded(octets: bytes) -> str:
    return octets.decode("latin-1").translate(_ABOVE_ASCII)


def normal_path(path: str) -> str:
    """Return the normal spelling of a path; the same object where it is spelled so already."""
    suspect = _SUSPECT_IN_URL.search(path)
    if suspect is None or not _NOT_NORMAL_IN_URL.search(path, suspect.start()):
        return path
    return _NOT_NORMAL_IN_URL.sub(_normal, path)


def patterns_as_written(patterns: Sequence[bytes]) -> list[str]:
    """Return rules' patterns as Google's parser compares them. The length of one is its precedence."""
    if not patterns:
        return []
    together = b"\n".join(patterns)  # a file's patterns are spelled at once: most need nothing
    text = together.decode("ascii") if together.isascii() else _encoded(together)
    if "%" in text:
        text = _LOWER_CASE_ESCAPE.sub(_upper, text)
    return text.split("\n")


def _upper(match: re.Match[str]) -> str:
    return _upper_case(match[0])


@lru_cache(maxsize=1_024)  # a file may have 170,000 escapes: one string for each that differs
def _upper_case(escape: str) -> str:
    return escape.upper()


def normal_patterns(patterns: list[str]) -> list[str]:
    """Return the normal spelling of patterns as written: `*` and a final `$` keep their meaning.

    The same list where all are spelled so already.
    """
    text = "\n".join(patterns)
    if not _SUSPECT.search(text) or not (_NOT_NORMAL.search(text) or _INNER_DOLLAR.search(text)):
        return patterns
    return _INNER_DOLLAR.sub("%24", _NOT_NORMAL.sub(_normal, text)).split("\n")
