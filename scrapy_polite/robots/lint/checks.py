"""`check`: everything that is found in one robots.txt, each an error or a hint as it has been proved."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice

from scrapy_polite.robots.lint import of_files, of_groups, of_lines
from scrapy_polite.robots.lint.document import Document
from scrapy_polite.robots.lint.finding import Finding, Found, Proof, Report
from scrapy_polite.robots.lint.kinds import BEYOND, MENDING, Kind
from scrapy_polite.robots.lint.readers import READERS, Readings

#: All kinds of findings in a file, by id.
KINDS: dict[str, Kind] = {kind.id: kind for kind in (*of_files.KINDS, *of_lines.KINDS, *of_groups.KINDS)}

#: Findings of a kind in one file that are told.
MAX_OF_A_KIND = 500


def check(name: str, whole: bytes) -> Report:
    """Return what there is to say of a file; `name` is what it is called. Nothing in it raises."""
    document = Document(whole)
    readings = Readings(whole)
    findings: list[Finding] = []
    cut = []
    for kind in KINDS.values():
        found = list(islice(kind.check(document), MAX_OF_A_KIND + 1))
        if len(found) > MAX_OF_A_KIND:
            cut.append(kind.id)
            found.pop()
        if found:
            findings += _proved(kind, found, document, readings)
    return Report.of(name, findings, cut)


def _proved(kind: Kind, found: Sequence[Found], document: Document, readings: Readings) -> list[Finding]:
    mended = _mended(kind, found, document) if kind.proof == MENDING else b""
    return [kind.finding(one, _proof(kind, one, document, readings, mended)) for one in found]


def _mended(kind: Kind, found: Sequence[Found], document: Document) -> bytes:
    return kind.mend(document) if kind.mend else document.edited(one.edit for one in found if one.edit)


def _proof(kind: Kind, one: Found, document: Document, readings: Readings, mended: bytes) -> Proof | None:
    if kind.proof is None:
        return None
    if kind.proof == BEYOND:
        return readings.beyond(one.asks)
    if kind.proof != MENDING:
        return readings.differing(one.asks, *kind.proof)
    if kind.mend:
        asks = tuple(dict.fromkeys(chain(document.asks(), Document(mended).asks())))
        return readings.changed(asks, mended, READERS)
    return readings.changed(one.asks, mended, READERS) if one.edit else None
