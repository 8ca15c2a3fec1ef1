"""Farms: hosts whose robots.txt says the same, which hints at one owner or one system. Never a rule of pace.

Files are compared by their lines that mean something: field and value, the host's own name in a value left open;
comments, blank lines, unknown fields and the case of fields and crawlers' names do not count. What well-known systems
write by default, and files that say nothing of their own, are told apart: hosts that share those share no owner.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from typing import TypeAlias

from scrapy_polite.robots.lines import ALLOW, DISALLOW, USER_AGENT, Field, Misread, directives, split_lines
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.text import counted, printable

#: Fields and values of a file, in their order.
Normal: TypeAlias = tuple[tuple[Field, bytes], ...]

#: A system, and paths that its default closes; a file that closes all of them, and few others, is its default.
_DEFAULTS: Mapping[str, frozenset[bytes]] = {
    "WordPress": frozenset({b"/wp-admin/"}),
    "Drupal": frozenset({b"/core/", b"/profiles/", b"/web.config", b"/admin/"}),
    "Drupal 7": frozenset({b"/includes/", b"/misc/", b"/modules/", b"/profiles/", b"/scripts/", b"/themes/"}),
    "Joomla": frozenset({b"/administrator/", b"/components/", b"/language/", b"/plugins/"}),
    "Shopify": frozenset({b"/admin", b"/cart", b"/orders", b"/checkouts/", b"/checkout", b"/carts", b"/account"}),
    "Squarespace": frozenset({b"/config", b"/search", b"/account", b"/api/", b"/static/"}),
}
#: Rules that a default may have besides, by its system: versions differ, and what goes beyond is the owner's own.
_BESIDES = {"WordPress": 1, "Drupal": 80, "Drupal 7": 80, "Joomla": 15, "Shopify": 120, "Squarespace": 20}

#: The picture: pixels of a row, of the names, of the longest bar; and rows at most.
_ROW, _NAMES, _BAR, _MAX_ROWS = 22, 260, 400, 100


@dataclass(frozen=True, slots=True)
class Farm:
    """Hosts, two at least, whose files say the same. `digest` names what they say, `system` what is known to say it by
    itself ("WordPress", "empty"; else empty), and `rules` counts its Allow and Disallow lines."""

    digest: str
    hosts: tuple[str, ...]
    system: str
    rules: int


def normal(host: str, body: bytes) -> Normal:
    """What counts of a file. `host` is the name that it may have in its values (Sitemap, Host)."""
    bare = host.lower().removeprefix("www.").encode("utf-8", "replace")
    lines = directives(split_lines(body[:MAX_BYTES]), Misread())
    return tuple([(field, _normal_value(field, value, bare)) for _, field, value, _ in lines])


def _normal_value(field: Field, value: bytes, bare: bytes) -> bytes:
    if field in (ALLOW, DISALLOW):
        return value
    if field == USER_AGENT or not bare:
        return value.lower()
    return value.lower().replace(bare, b"HOST").replace(b"www.HOST", b"HOST")


def system_of(said: Normal) -> str:
    """What writes such a file by itself, or that it says nothing; empty where neither is so."""
    if not said:
        return "empty"
    rules = [(field, value) for field, value in said if field in (ALLOW, DISALLOW)]
    closed = {value for field, value in rules if field == DISALLOW and value}
    if not closed:
        return "allows everything"
    agents = {value for field, value in said if field == USER_AGENT}
    if closed == {b"/"} and len(rules) == 1 and agents == {b"*"}:
        return "closes everything"
    for system, paths in _DEFAULTS.items():
        if paths <= closed and len(rules) <= len(paths) + _BESIDES[system]:
            return system
    return ""


def farms(files: Iterable[tuple[str, bytes]]) -> list[Farm]:
    """The farms among hosts and their files, the largest first; those of known systems last. A host counts once."""
    hosts: dict[bytes, dict[str, None]] = {}
    about: dict[bytes, tuple[str, int]] = {}
    for host, body in files:
        said = normal(host, body)
        key = sha256(repr(said).encode()).digest()  # the files themselves need not stay in memory
        hosts.setdefault(key, {})[host] = None
        if key not in about:
            about[key] = system_of(said), sum(field in (ALLOW, DISALLOW) for field, _ in said)
    found = [Farm(key.hex()[:16], tuple(sorted(names)), *about[key]) for key, names in hosts.items() if len(names) > 1]
    return sorted(found, key=lambda farm: (bool(farm.system), -len(farm.hosts), farm.hosts))


def as_text(found: Sequence[Farm], shown: int) -> Iterator[str]:
    """The table; of each farm `shown` hosts."""
    for farm in found:
        names = ", ".join(printable(host, 100) for host in farm.hosts[:shown])
        more = f" and {len(farm.hosts) - shown:,} more" if len(farm.hosts) > shown else ""
        what = farm.system or f"{farm.digest}, {counted(farm.rules, 'rule')}"
        yield f"{len(farm.hosts):>7,}  {what:<30}  {names}{more}"


def as_json(farm: Farm) -> str:
    return json.dumps(
        {"digest": farm.digest, "system": farm.system or None, "rules": farm.rules, "hosts": list(farm.hosts)}
    )


def as_svg(found: Sequence[Farm]) -> str:
    """A picture: a bar for each farm, as long as it has hosts; those of known systems in grey."""
    rows = found[:_MAX_ROWS]
    longest = max((len(farm.hosts) for farm in rows), default=1)
    width, height = _NAMES + _BAR + 80, _ROW * len(rows) + 10
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        "<title>Hosts that share one robots.txt</title>",
    ]
    for number, farm in enumerate(rows):
        y, length = number * _ROW + 5, max(_BAR * len(farm.hosts) / longest, 1)
        name = escape(printable(farm.system or farm.hosts[0], 36))
        names = escape(", ".join(printable(host, 100) for host in farm.hosts[:20]))
        colour = "#999" if farm.system else "#2a6f97"
        lines.append(
            f"<g><title>{names}</title>"
            f'<text x="{_NAMES - 8}" y="{y + 14}" font-size="13" text-anchor="end">{name}</text>'
            f'<rect x="{_NAMES}" y="{y + 2}" width="{length:.1f}" height="{_ROW - 6}" fill="{colour}"/>'
            f'<text x="{_NAMES + length + 6:.1f}" y="{y + 14}" font-size="13">{len(farm.hosts):,}</text></g>'
        )
    return "\n".join([*lines, "</svg>", ""])
