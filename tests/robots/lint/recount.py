"""The mechanical kinds of findings counted a second time, by nothing of the package: text, regular expressions, loops.

Loaded with `runpy`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote

#: Kinds that are counted a second time.
MECHANICAL = frozenset(
    {
        "bom",
        "too-long",
        "missing-colon",
        "noindex",
        "same-agent",
        "wildcard-in-agent",
        "no-user-agent",
        "blank-after-agent",
        "same-rule-twice",
        "sitemap-not-absolute",
        "crawl-delay-long",
        "first-match",
    }
)

_FIELDS = {
    "agent": "user-?agent|user agent",
    "allow": "allow",
    "disallow": "disallow|dissallow|dissalow|disalow|diasllow|disallaw",
    "sitemap": "site-?map",
    "delay": "crawl[- ]?delay$",
    "other": "(request[- ]rate|visit[- ]time|host|clean-param)$",
}
_LINE = tuple[int, str, str]
_BLANKS = " \t\x0b\x0c"


def lines_of(body: bytes) -> list[str]:
    """Lines as Latin-1, so that octets are characters."""
    if len(body) > 512_000:
        body = body[: max(body.rfind(b"\n", 0, 512_001), body.rfind(b"\r", 0, 512_001), 0)]
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        body = body.decode("utf-16", "ignore").encode()
    text = body.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    return [line.partition("\0")[0] for line in re.split("\r\n|\r|\n", text)]


def fields_of(lines: list[str]) -> Iterator[_LINE]:
    """Number, field and value of each line that has one; a colon may be missing between two words."""
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip(_BLANKS)
        label, colon, value = text.partition(":")
        words = re.split("[ \t]+", text)
        if not colon and len(words) == 2:
            label, value = words
        elif not colon:
            continue
        elif re.match("site-?map$", words[0], re.IGNORECASE) and len(words) == 2:  # the URL has the first colon
            label, value = words
        for name, spellings in _FIELDS.items():
            if re.match(spellings, label.strip(_BLANKS), re.IGNORECASE):
                yield number, name, value.strip(_BLANKS)
                break


def groups_of(fields: list[_LINE]) -> Iterator[tuple[list[str], list[_LINE]]]:
    agents: list[str] = []
    rules: list[_LINE] = []
    for line in fields:
        if line[1] == "agent":
            if rules:
                yield agents, rules
                agents, rules = [], []
            agents.append(line[2])
        elif line[1] in ("allow", "disallow"):
            rules.append(line)
    yield agents, rules


def spelled(pattern: str) -> str:
    """A pattern in one spelling: escapes of unreserved characters decoded, what no URL holds escaped."""
    parts = re.split("(%[0-9A-Fa-f]{2})", pattern)
    for place in range(1, len(parts), 2):
        one = unquote(parts[place], "latin-1")
        parts[place] = one if re.fullmatch("[A-Za-z0-9._~-]", one) else parts[place].upper()
    kept = ":/?#[]@!$&'()*+,;=~"
    parts[::2] = [quote(part.encode("latin-1"), kept) for part in parts[::2]]
    text = "".join(parts)
    return text[:-1].replace("$", "%24") + text[-1:]


def matcher(pattern: str) -> Callable[[str], object]:
    if "*" not in pattern and not pattern.endswith("$"):
        return lambda path: path.startswith(pattern)
    end = pattern.endswith("$")
    literals = pattern[: -1 if end else None].split("*")
    return re.compile(".*?".join(map(re.escape, literals)) + ("$" if end else ""), re.DOTALL).match


def kinds_of(body: bytes) -> set[str]:
    """The ids of the mechanical kinds that a file has."""
    lines = lines_of(body)
    fields = list(fields_of(lines))
    groups = list(groups_of(fields))
    agents = [value for _, name, value in fields if name == "agent"]
    found = {
        "bom": body.startswith(b"\xef\xbb\xbf"),
        "too-long": len(body) > 512_000,
        "noindex": any(re.match(r"[ \t]*noindex[ \t]*:", line, re.IGNORECASE) for line in lines),
        "missing-colon": any(_lacks_colon(line) for line in lines),
        "same-agent": max(Counter(map(str.lower, agents)).values(), default=0) > 1,
        "wildcard-in-agent": any("*" in name and not re.match(r"\*([ \t]|$)", name) for name in agents),
        "no-user-agent": bool(not groups[0][0] and groups[0][1]),
        "blank-after-agent": _blank_after_agent(lines, fields),
        "same-rule-twice": _same_rule_twice(groups),
        "sitemap-not-absolute": any(
            name == "sitemap" and not re.match(r"https?://[^/?#\s]", value, re.IGNORECASE) for _, name, value in fields
        ),
        "crawl-delay-long": any(
            name == "delay" and re.fullmatch(r"[0-9]{1,9}(\.[0-9]*)?", value) and float(value) > 60
            for _, name, value in fields
        ),
        "first-match": _first_match(groups),
    }
    return {kind for kind, is_found in found.items() if is_found}


def _lacks_colon(line: str) -> bool:
    text = re.sub("(?i)^user agent", "user-agent", line.partition("#")[0].strip(" \t"))
    field, *values = re.split("[ \t]+", text)
    if not values or values[0].startswith(":"):
        return False
    if field.lower() in ("allow", "disallow"):
        return len(values) == 1 or re.match("[/*]|https?://", values[0], re.IGNORECASE) is not None
    names = ("user-agent", "useragent", "sitemap", "site-map", "crawl-delay", "crawldelay")
    return field.lower() in names and len(values) == 1


def _blank_after_agent(lines: list[str], fields: list[_LINE]) -> bool:
    if lines and not lines[-1]:
        lines = lines[:-1]
    numbers = [number for number, _, _ in fields] + [len(lines) + 1]
    pairs = zip(fields, numbers[1:], strict=True)
    return any(
        name == "agent" and not all(line.strip(_BLANKS) for line in lines[number : below - 1])
        for (number, name, _), below in pairs
    )


def _same_rule_twice(groups: list[tuple[list[str], list[_LINE]]]) -> bool:
    seen: set[tuple[str, str, str]] = set()
    for agents, rules in groups:
        for agent in set(map(str.lower, agents)):
            for _, name, pattern in rules:
                key = agent, name, spelled(pattern)
                if key in seen:
                    return True
                seen.add(key)
    return False


def _first_match(groups: list[tuple[list[str], list[_LINE]]]) -> bool:
    told: dict[str, list[tuple[bool, str]]] = {}
    for agents, rules in groups:
        for token in {_token(agent) for agent in agents} - {""}:
            told.setdefault(token, []).extend((name == "allow", pattern) for _, name, pattern in rules)
    return any(_differs(rules) for rules in {tuple(rules) for rules in told.values()})


def _token(agent: str) -> str:
    found = re.match(r"\*(?=[ \t]|$)|[A-Za-z0-9_-]+", agent)
    return found[0].lower() if found else ""


def _differs(rules: tuple[tuple[bool, str], ...]) -> bool:
    """Whether the path of a rule is allowed by the first rule that matches and not by the longest, or the reverse."""
    if len({allow for allow, pattern in rules if pattern}) < 2 or len(rules) > 5_000:
        return False
    # An empty Disallow allows everything, an empty Allow says nothing.
    meant = [(allow or not pattern, pattern) for allow, pattern in rules if pattern or not allow]
    compiled = [(allow, _length(pattern), matcher(spelled(pattern))) for allow, pattern in meant]
    # To Google's parser, who allows an index page allows its directory.
    index = [re.match(r"(.*/)index\.htm[^/]*$", pattern) for allow, pattern in rules if allow]
    compiled += [(True, _length(found[1]) + 1, matcher(f"{spelled(found[1])}$")) for found in index if found]
    for _, path in rules:
        if path[:1] == "/" and "*" not in path and path[-1] != "$":
            url = spelled(path)
            hits = [(length, allow) for allow, length, match in compiled if match(url)]
            if hits and hits[0][1] != max(hits)[1]:
                return True
    return False


def _length(pattern: str) -> int:
    """Octets above ASCII count as their escapes do."""
    return sum(1 if ord(one) < 128 else 3 for one in pattern)
