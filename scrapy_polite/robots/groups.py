"""Which lines of a robots.txt apply to one crawler, by RFC 9309 §2.2.1 and as Google's open-source parser has it.

Groups that address other crawlers are skipped here, so that nothing later is paid for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from scrapy_polite.robots.dialect import Group, Rule, Values
from scrapy_polite.robots.lines import (
    ALLOW,
    CLEAN_PARAM,
    HOST,
    SITEMAP,
    USER_AGENT,
    Field,
    Misread,
    directives,
)

#: Fields that are for all crawlers, wherever they stand.
SITE_WIDE = frozenset({SITEMAP, HOST, CLEAN_PARAM})

#: Values kept of one field, and octets of a value: more than any real file has, few enough to hold for every origin.
MAX_VALUES = 500
MAX_VALUE = 2083


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to tell whether a User-agent line addresses the crawler: what `token` matches of it equals `name`.

    `name` None is a crawler that no line addresses but `*`.
    """

    name: bytes | None
    token: re.Pattern[bytes]

    def addresses(self, value: bytes) -> bool:
        if self.name is None:
            return False
        token = self.token.match(value)
        return token is not None and token[0].lower() == self.name


_RFC_TOKEN = re.compile(rb"[A-Za-z_-]+")
_TOKEN_WITH_DIGITS = re.compile(rb"[A-Za-z0-9_-]+")


@lru_cache(maxsize=64)  # a crawl goes by one name, rarely by two or three
def readings(token: str | None) -> tuple[Reading, ...]:
    """Return every way in which a file may address the crawler `token`; it has to be allowed in each of them.

    One, but for a name with digits. RFC 9309 has no such product tokens: of `Bot2000` Google's parser finds no line at
    all, a parser that cuts names where the RFC does finds `Bot`, and site owners mean `Bot2000`. All three are obeyed.
    """
    name = token.lower().encode("ascii", "ignore") if token else b""
    stem = _RFC_TOKEN.match(name)
    if stem and stem[0] == name:
        return (Reading(name, _RFC_TOKEN),)
    anyone = Reading(None, _RFC_TOKEN)
    if not name:
        return (anyone,)
    whole = Reading(name, _TOKEN_WITH_DIGITS)
    return (whole, Reading(stem[0], _RFC_TOKEN), anyone) if stem else (whole, anyone)


def groups(lines: Sequence[bytes], token: str | None) -> list[Group]:
    """Return what a file says to the crawler, once for each reading of its name that makes a difference.

    Most files address everyone alike, so that all readings of a name with digits find the same.
    """
    ways = readings(token)
    if len(ways) > 1:
        # The shortest name that a line may address: where it is not in the file, no reading differs from another.
        shortest = min((way.name for way in ways if way.name), key=len)
        if not any(shortest in line.lower() for line in lines):
            ways = ways[:1]
    found: list[Group] = []
    for reading in ways:
        group = select(lines, reading)
        if group not in found:
            found.append(group)
    return found


#: What is said to the crawler by name, or to everyone: its rules and its values.
_Part: TypeAlias = tuple[list[Rule], Values]


def select(lines: Sequence[bytes], reading: Reading) -> Group:
    """Return the merged groups that address the crawler, or else those of `*` (RFC 9309 §2.2.1).

    A group is closed by the first User-agent line after a rule, and by nothing else (§2.2.4): neither by a blank line,
    nor by Crawl-delay, nor by a field that nobody knows. Crawl-delay and the like belong to the User-agent lines right
    above them, as Protego and urllib read them: there they close a group as a rule does.
    """
    own: _Part = ([], {})
    everyone: _Part = ([], {})
    ever_own = ever_everyone = in_rules = in_values = False
    current: _Part | None = None
    named: _Part | None = None
    site_values: Values = {}
    misread = Misread()

    for number, field, value, line in directives(lines, misread):
        if field <= ALLOW:  # or DISALLOW
            in_values = True
            if current is not None:
                in_rules = True
                current[0].append((number, field == ALLOW, value, line))
        elif field == USER_AGENT:
            if in_rules:
                current, in_rules = None, False
            if in_values:
                named, in_values = None, False
            if value[:1] == b"*" and not value[1:2].strip():
                ever_everyone = True
                current, named = current or everyone, named or everyone
            elif reading.addresses(value):
                ever_own = True
                current = named = own
        elif field in SITE_WIDE:
            keep(site_values, field, value)
        else:
            in_values = True
            keep(named and named[1], field, value)

    rules, values = own if ever_own else everyone
    name = reading.name.decode() if ever_own and reading.name else "*" if ever_everyone else None
    return Group(name, rules, values | site_values, misread)


def keep(values: Values | None, field: Field, value: bytes) -> None:
    """Add a value to those of its field, within bounds."""
    if values is None or not value or len(value) > MAX_VALUE:
        return
    kept = values.setdefault(field, [])
    if len(kept) < MAX_VALUES and value not in kept:
        kept.append(value)
