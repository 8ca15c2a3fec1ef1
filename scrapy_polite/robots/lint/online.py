"""Findings that a file alone does not show (`--online`): how an origin answers for it, and whether its Sitemaps answer.

Pure functions of what was asked before: `scrapy robots lint` asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.origin import Origin
from scrapy_polite.robots.access import Access, Policy, standing
from scrapy_polite.robots.lines import SITEMAP
from scrapy_polite.robots.lint.document import ANYONE, Document, shown
from scrapy_polite.robots.lint.finding import Finding, Found, Proof
from scrapy_polite.robots.lint.kinds import Kind, alike, apart
from scrapy_polite.robots.lint.readers import MENDED
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from scrapy_polite.store.robots import RobotsCopy

#: Sitemaps that are asked for of one file. More: a file of 500 KiB has some 10,000 lines, and a check that asks for
#: them all takes hours at the pace of a polite crawl.
MAX_SITEMAPS = 50
#: Dialects that differ on what the status of a robots.txt means.
_RFC, _CLASSIC = "rfc", "classic"


def _in_no_file(document: Document) -> Iterator[Found]:
    return iter(())


_SITEMAP = Kind(
    "sitemap-unreachable",
    "A Sitemap cannot be fetched (`--online`)",
    alike("learns none of the addresses in it"),
    _in_no_file,
)
_REDIRECT = Kind(
    "redirect-leaves-origin",
    "robots.txt is redirected to another origin (`--online`)",
    apart(
        "follows five redirects at least, and keeps to what it finds there (RFC 9309 §2.3.1.2)",
        "follows redirects until it finds the file",
    ),
    _in_no_file,
)
_STATUS = Kind(
    "status-for-all",
    "The status of robots.txt alone closes or opens everything (`--online`)",
    apart(
        "fetches everything at 4xx, and nothing at 5xx and 429",
        "fetches nothing at 401, 403, 429 and 5xx, and everything at other 4xx",
    ),
    _in_no_file,
    proof=(_RFC, _CLASSIC),
)

#: All kinds of findings that need the network, by id.
ONLINE_KINDS: dict[str, Kind] = {kind.id: kind for kind in (_STATUS, _REDIRECT, _SITEMAP)}


class Sitemap(NamedTuple):
    """A line that names a Sitemap by an address which can be asked for."""

    line: int
    column: int
    url: str


def sitemaps(body: bytes) -> list[Sitemap]:
    """The Sitemaps of a file, those of http and https alone; others are findings of the file itself, or unusual."""
    document = Document(body)
    found = []
    for directive in document.directives:
        if directive[1] != SITEMAP:
            continue
        url = directive[2].decode("utf-8", "replace")
        try:
            scheme = Origin.from_url(url).scheme
        except ValueError:
            continue
        if scheme in ("http", "https"):
            found.append(Sitemap(directive[0], document.value_column(directive), url))
    return found


def answer_findings(origin: Origin, copy: RobotsCopy) -> list[Finding]:
    """What the answer to an origin's robots.txt says, whatever the file says. The copy was fetched for this check."""
    findings = []
    away = next((hop for hop in copy.hops if Origin.from_url(hop) != origin), None)
    if away is not None:
        findings.append(
            _REDIRECT.finding(
                Found(
                    1,
                    1,
                    f"robots.txt is redirected to {shown(away.encode())}, of another origin: what is said there holds "
                    f"for {origin} too, and a crawler that follows no redirect finds no file",
                    f"answer {origin.robots_url} with 200 and the file",
                ),
            )
        )
    rfc, classic = (_is_open(copy, dialect) for dialect in (_RFC, _CLASSIC))
    if rfc is not None:
        findings.append(_of_status(copy, rfc, bool(classic)))
    return findings


def _is_open(copy: RobotsCopy, dialect: str) -> bool | None:
    """Whether the answer alone opens everything, or closes it; None where the file decides."""
    access = standing(copy, copy.updated_at, Policy().of(dialect)).access
    return None if access is Access.RULES else access is Access.OPEN


def _of_status(copy: RobotsCopy, rfc: bool, classic: bool) -> Finding:
    why = printable(copy.failure, 100) or f"HTTP {copy.status}"
    if not rfc:
        # Closed to all: any file at all, an empty one too, allows more.
        proof = Proof(ANYONE, "/", _RFC, False, None, MENDED, None)
        found = Found(1, 1, f"the answer is {why}: nothing may be fetched", "answer with 200 and the file, or with 404")
        return _STATUS.finding(found, proof)
    if not classic:
        found = Found(
            1,
            1,
            f"the answer is {why}: some crawlers fetch everything, others nothing",
            "answer with 200 and the file, or with 404 where everything may be fetched",
        )
        return _STATUS.finding(found, Proof(ANYONE, "/", _RFC, True, None, _CLASSIC, None))
    return _STATUS.finding(
        Found(
            1, 1, f"the answer is {why}: everything may be fetched", "answer with 200 and a file, if rules are meant"
        ),
    )


def sitemap_findings(body: bytes, faults: Mapping[str, str]) -> list[Finding]:
    """`faults` says by URL why it cannot be fetched; empty of one that can, and none of one that was not asked for."""
    return [
        _SITEMAP.finding(
            Found(
                one.line,
                one.column,
                f"the Sitemap {shown(one.url.encode())} cannot be fetched: {printable(why, 200)}",
                "correct the address, or delete the line",
            ),
        )
        for one in sitemaps(body)
        if (why := faults.get(one.url))
    ]


def to_ask(body: bytes) -> list[str]:
    """The Sitemaps of a file that are asked for, each once."""
    return list(dict.fromkeys(one.url for one in sitemaps(body)))[:MAX_SITEMAPS]
