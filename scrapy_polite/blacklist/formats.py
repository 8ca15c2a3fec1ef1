"""What the lines of a list mean, in our own format and in those that people have: one line in, entries out.

A reader of a format is a function from a line (stripped, not empty) to its entries: none for a comment. It raises
Malformed for what is no line of the format, and Unsupported for one that means something that cannot be honoured here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from scrapy_polite.blacklist.entries import (
    NETWORK,
    Entry,
    Kind,
    Malformed,
    common_host,
    excepted,
    host_entries,
    network_entry,
    regex_entry,
    slashed_regex_entry,
    url_entries,
)
from scrapy_polite.blacklist.hosts import Place, literal_address, normal_host


class Unsupported(Exception):
    """A line that says what cannot be honoured here."""


LineReader = Callable[[str], Sequence[Entry]]

_SPACE = re.compile(r"\s")
_PORT = re.compile(r"[^:]+:[0-9]+|\[.*\]:[0-9]+")
_COMMENT = re.compile(r"\s+[#;].*")
_NOTHING: tuple[Entry, ...] = ()


def plain(line: str) -> Sequence[Entry]:
    """Ours: `host`, `=host`, network, URL prefix, `=URL`, `/regex/`, `!` and any of these; `# comment`, `; comment`."""
    if common_host(line):
        return (Entry(Kind.HOST, line),)
    if line[0] in "#;":
        return _NOTHING
    exception = line[0] == "!"
    if exception:
        line = line[1:].lstrip()
    if line.startswith("/"):
        entries = _slashed(line)
    else:
        line = _COMMENT.sub("", line)
        if not line or _SPACE.search(line):
            raise Malformed("more than one word" if line else "an exception to what?")
        entries = _place(line)
    return excepted(entries) if exception else entries


def _place(text: str) -> Sequence[Entry]:
    """`host`, `host:port`, `=host`, network, URL prefix or `=URL`."""
    if text[0] == "=":
        return url_entries(text[1:], Kind.URL) if "/" in text else host_entries(text[1:], Kind.EXACT_HOST)
    if NETWORK.fullmatch(text):
        return network_entry(text)
    if "/" in text:
        return url_entries(text)
    return _host_or_port(text.removeprefix("*").removeprefix("."))


def _slashed(text: str) -> Sequence[Entry]:
    """`/regex/` or `/regex/i`; a comment behind it is one if it does not end like that."""
    return slashed_regex_entry(text if text.endswith(("/", "/i")) else _COMMENT.sub("", text))


def _host_or_port(text: str) -> Sequence[Entry]:
    return url_entries(f".{text}/") if _PORT.fullmatch(text) else host_entries(text)


#: What every hosts file says of the machine itself.
_OWN_NAMES = re.compile(
    r"local|localhost|localhost\.localdomain|localhost[46](?:\.localdomain[46])?|broadcasthost|ip6-[a-z]+|0\.0\.0\.0"
)


def hosts(line: str) -> Sequence[Entry]:
    """hosts(5): `0.0.0.0 name [name...]`; just that name. An address that is reachable blocks nothing."""
    address, *names = line.partition("#")[0].split() or [""]
    if not address:
        return _NOTHING
    names = [name for name in names if not _OWN_NAMES.fullmatch(name)]
    target = literal_address(normal_host(address))
    if target is None:
        raise Malformed("no address in front")
    if not names:
        return _NOTHING
    if not (target.is_loopback or target.is_unspecified):
        raise Unsupported("leads to an address, and blocks nothing")
    named = [(name, _exact_host(name)) for name in names]
    entries = [entry for _, found in named for entry in found]
    if wrong := [name for name, found in named if not found]:
        rest = "; the other names are taken" if entries else ""
        raise Malformed(f"{wrong[0][:50]!r} is no host{rest}", entries)
    return entries


def _exact_host(name: str) -> Sequence[Entry]:
    try:
        return host_entries(name, Kind.EXACT_HOST)
    except Malformed:
        return _NOTHING


def squid(line: str) -> Sequence[Entry]:
    """`acl ... dstdomain "file"`: `.name` with subdomains, `name` just that."""
    line = line.partition("#")[0].strip()
    if not line:
        return _NOTHING
    return host_entries(line[1:]) if line.startswith(".") else host_entries(line, Kind.EXACT_HOST)


_DNSMASQ = re.compile(r"(address|server|local)=/(.+)/([^/]*)")


def dnsmasq(line: str) -> Sequence[Entry]:
    """dnsmasq.conf: `address=/name/...`, `local=/name/`, `server=/name/`; an exception if the server has an address."""
    if line.startswith("#"):
        return _NOTHING
    found = _DNSMASQ.fullmatch(_COMMENT.sub("", line))
    if found is None:
        if re.fullmatch(r"[a-z0-9-]+(?:=.*)?", line):
            raise Unsupported("another option of dnsmasq")
        raise Malformed("no line of dnsmasq.conf")
    option, names, value = found.groups()
    if "#" in names or "*" in names:
        raise Unsupported("a wildcard")
    entries = [entry for name in names.split("/") for entry in host_entries(name.removeprefix("."))]
    return excepted(entries) if value and option != "address" else entries


_COSMETIC = re.compile(r"#[@?$%]*#")
_OPTIONS = re.compile(r"(.*[^/$])\$([\w~,=|.-]+)")
_WILDCARD = re.compile(r"[*^]")
_HOSTS_LINE = re.compile(r"[0-9a-f:.]+\s")
#: They make a rule stronger, or say that it is about whole pages, as ours are.
_HARMLESS_OPTIONS = frozenset({"important", "all", "document", "doc"})


def adguard(line: str) -> Sequence[Entry]:
    """AdGuard's and Adblock's rules as far as they are about hosts, whole pages or URL prefixes; hosts files' lines."""
    if line[0] in "![":
        return _NOTHING
    if _COSMETIC.search(line):
        raise Unsupported("a rule about parts of a page")
    if line[0] == "#":
        return _NOTHING
    if _HOSTS_LINE.match(line):
        return hosts(line)
    return excepted(_adguard_rule(line[2:])) if line.startswith("@@") else _adguard_rule(line)


def _adguard_rule(rule: str) -> Sequence[Entry]:
    if len(rule) > 2 and rule.startswith("/") and rule.endswith("/"):
        return regex_entry(f"(?i){rule[1:-1]}")
    options = _OPTIONS.fullmatch(rule)
    if options:
        rule = options[1]
        unknown = [name for name in options[2].split(",") if name not in _HARMLESS_OPTIONS]
        if unknown:
            raise Unsupported(f"the option ${unknown[0]}")
    if rule.startswith("||"):
        return _adguard_host(rule[2:])
    if common_host(rule):
        return (Entry(Kind.EXACT_HOST, rule),)
    if rule.startswith("|") and "://" in rule and not _WILDCARD.search(rule):
        return url_entries(rule.strip("|"), Kind.URL if rule.endswith("|") else Kind.PREFIX)
    raise Unsupported("a pattern in the midst of URLs")


def _adguard_host(pattern: str) -> Sequence[Entry]:
    body = pattern.removesuffix("|").removesuffix("^")
    if re.search(r"[*^|]", body) or body.endswith("."):
        raise Unsupported("a wildcard")
    if "/" not in body:
        return _host_or_port(body)
    if body != pattern:
        raise Unsupported("a pattern in the midst of URLs")
    return url_entries(f".{body}")


_FRONT_MATTER = re.compile(r"---|\w+:(?:\s.*)?")
_MATCH_PATTERN = re.compile(r"(\*|https?|ftp)://(\*|(?:\*\.)?[^/*]+)(/.*)")


def ublacklist(line: str) -> Sequence[Entry]:
    """uBlacklist's match patterns (`*://*.name/*`), `/regex/`, `@` for exceptions."""
    if line[0] == "#" or _FRONT_MATTER.fullmatch(line):
        return _NOTHING
    if line[0] == "@":
        if line[1:2].isdigit():
            raise Unsupported("a highlight")
        return excepted(ublacklist(line[1:].lstrip())) if line[1:].strip("@ ") else _NOTHING
    if line[0] == "/":
        return _slashed(line)
    found = _MATCH_PATTERN.fullmatch(_COMMENT.sub("", line))
    if found is None:
        raise Unsupported("no match pattern, and no regular expression of URLs")
    _, host, path = found.groups()
    prefix = path.removesuffix("*")
    if host == "*" or "*" in prefix:
        raise Unsupported("a wildcard")
    return url_entries(host + prefix, Kind.URL if prefix == path else Kind.PREFIX)


def squidguard_urls(line: str) -> Sequence[Entry]:
    """`urls` of squidGuard's folders (UT1, Shalla): prefixes without scheme; `www.` in front makes no difference."""
    if line[0] == "#":
        return _NOTHING
    if "/" not in line or NETWORK.fullmatch(line):
        return plain(line)
    line = line.removeprefix("www.")
    entries = url_entries(line)
    place = Place.of(f"http://{line}")
    return entries if place is None or place.address else (*entries, *url_entries(f"www.{line}"))


def squidguard_expressions(line: str) -> Sequence[Entry]:
    """`expressions` of squidGuard's folders: one a line, of URLs in lower case."""
    return _NOTHING if line[0] == "#" else regex_entry(f"(?i){line}")


def exact(line: str) -> Sequence[Entry]:
    """One URL a line, and just that (URLhaus)."""
    return _NOTHING if line[0] == "#" else url_entries(line, Kind.URL)


FORMATS: dict[str, LineReader] = {
    "plain": plain,
    "hosts": hosts,
    "squid": squid,
    "dnsmasq": dnsmasq,
    "adguard": adguard,
    "ublacklist": ublacklist,
    "urls": squidguard_urls,
    "expressions": squidguard_expressions,
    "exact": exact,
}

#: What lines look like that only one format has; those of the first line alone decide.
_FIRST_LINES = {"adguard": re.compile(r"\[Adblock|\[AdGuard", re.IGNORECASE), "ublacklist": re.compile(r"---\Z")}
_LOOKS = {
    "hosts": re.compile(r"(?:0\.0\.0\.0|127\.\d+\.\d+\.\d+|::1?)\s+\S"),
    "dnsmasq": re.compile(r"(?:address|server|local)=/"),
    "adguard": re.compile(r"(?:@@)?\|\||.*##"),
    "ublacklist": re.compile(r"@?\s*(?:\*|https?)://\*|@?\s*\*://"),
    "squid": re.compile(r"\.[^/]+\Z"),
}


def recognised(lines: Sequence[str]) -> str:
    """The name of the format in which the first lines of a file are written: one that half of them show, or "plain"."""
    lines = [line.strip() for line in lines]
    lines = [line for line in lines if line and not re.match(r"#(?!#)|;|!\s", line)]
    for name, look in _FIRST_LINES.items():
        if lines and look.match(lines[0]):
            return name
    counts = {name: sum(1 for line in lines if look.match(line)) for name, look in _LOOKS.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] * 2 >= len(lines) > 0 else "plain"
