"""Findings as text for a person, as JSON, as SARIF 2.1.0 and as annotations of GitHub's workflows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from scrapy_polite.robots.lint.finding import ERROR, Edit, Finding, Proof, Report
from scrapy_polite.robots.lint.readers import MENDED, WHOLE
from scrapy_polite.text import counted, printable, without_credentials

if TYPE_CHECKING:
    from scrapy_polite.robots.lint.kinds import Kind

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_OTHERS = {MENDED: "once that is mended", WHOLE: "for one who reads it all"}


def as_text(report: Report) -> Iterator[str]:
    """Lines for a person. What readers make of a kind of finding is told with the first of its kind."""
    name = printable(report.name, 300)
    told: set[str] = set()
    for finding in report.findings:
        yield f"{name}:{finding.line}:{finding.column}: {finding.level}: {finding.message}  [{finding.id}]"
        if finding.id not in told:
            told.add(finding.id)
            for dialects, text in _by_text(finding.readers):
                yield f"    {'readers':<8}  {dialects}: {text}"
        if finding.proof:
            yield f"    {'proof':<8}  {proof_text(finding.proof)}"
        yield f"    {'fix':<8}  {finding.fix}"
    for kind in report.cut:
        yield f"{name}: there are more of {kind}, which are not told"
    yield f"{name}: {summary(report)}"


def summary(report: Report) -> str:
    """`2 errors, 5 hints`, or that there is nothing to say."""
    errors = sum(finding.level == ERROR for finding in report.findings)
    hints = len(report.findings) - errors
    parts = [counted(count, noun) for count, noun in ((errors, "error"), (hints, "hint")) if count]
    return ", ".join(parts) or "nothing to mend"


def _by_text(readers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """What readers make of it, with the dialects that say the same."""
    dialects: dict[str, list[str]] = {}
    for dialect, text in readers.items():
        dialects.setdefault(text, []).append(dialect)
    for text, names in dialects.items():
        yield "each" if len(names) == len(readers) else ", ".join(names), text


def proof_text(proof: Proof) -> str:
    """A proof in one sentence."""
    path, agent = printable(proof.path, 100), printable(proof.agent, 40)
    first = f"{path} is {_verdict(proof.allowed, proof.line)} to {agent}, read as {proof.reader}"
    other = _OTHERS.get(proof.other, f"read as {proof.other}")
    return f"{first}; {_verdict(not proof.allowed, proof.other_line)} {other}"


def _verdict(allowed: bool, line: int | None) -> str:
    return ("allowed" if allowed else "refused") + (f" (line {line})" if line else "")


def as_json(report: Report) -> Iterator[str]:
    """An object a line for each finding."""
    for finding in report.findings:
        yield json.dumps(
            {
                "file": without_credentials(report.name),
                "id": finding.id,
                "line": finding.line,
                "column": finding.column,
                "level": finding.level,
                "message": finding.message,
                "fix": finding.fix,
                "readers": dict(finding.readers),
                "proof": _proof(finding.proof),
                "edit": _edit(finding.edit),
            }
        )


def _proof(proof: Proof | None) -> dict[str, Any] | None:
    return {name: getattr(proof, name) for name in Proof.__slots__} if proof else None


def _edit(edit: Edit | None) -> dict[str, Any] | None:
    if edit is None:
        return None
    return {"first": edit.first, "last": edit.last, "lines": [line.decode("utf-8", "replace") for line in edit.lines]}


def as_github(report: Report) -> Iterator[str]:
    """Workflow commands, which GitHub shows beside the lines; it knows no level below a notice."""
    for finding in report.findings:
        command = "error" if finding.level == ERROR else "notice"
        where = f"file={_property(report.name)},line={finding.line},col={finding.column},title={finding.id}"
        yield f"::{command} {where}::{_escaped(f'{finding.message}. Fix: {finding.fix}')}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(without_credentials(text)).replace(":", "%3A").replace(",", "%2C")


def as_sarif(reports: Sequence[Report], kinds: Iterable[Kind]) -> str:
    """All reports as one log of SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), with one run."""
    rules = [_sarif_rule(kind) for kind in kinds]
    places = {rule["id"]: place for place, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "scrapy-polite robots lint",
                **_version(),
                "rules": rules,
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(report.name, one, places) for report in reports for one in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1)


def _version() -> dict[str, str]:
    try:
        return {"semanticVersion": metadata.version("scrapy-polite")}
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        return {}


def _sarif_rule(kind: Kind) -> dict[str, Any]:
    readers = " ".join(f"{dialects}: {text}." for dialects, text in _by_text(kind.readers))
    return {
        "id": kind.id,
        "shortDescription": {"text": f"{kind.title}."},
        "help": {"text": f"What readers make of it: {readers}"},
        "defaultConfiguration": {"level": "note" if kind.proof is None else "error"},
    }


def _sarif_result(name: str, finding: Finding, places: Mapping[str, int]) -> dict[str, Any]:
    place = {"uri": _uri(name)}
    result: dict[str, Any] = {
        "ruleId": finding.id,
        "ruleIndex": places[finding.id],
        "level": "error" if finding.level == ERROR else "note",
        "message": {"text": f"{finding.message}. Fix: {finding.fix}."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": place,
                    "region": {"startLine": finding.line, "startColumn": finding.column},
                }
            }
        ],
        "properties": {"readers": dict(finding.readers), "proof": _proof(finding.proof)},
    }
    if finding.edit:
        first, last, lines = finding.edit
        text = "".join(line.decode("utf-8", "replace") + "\n" for line in lines)
        change = {
            "artifactLocation": place,
            "replacements": [
                {
                    "deletedRegion": {"startLine": first, "startColumn": 1, "endLine": last + 1, "endColumn": 1},
                    "insertedContent": {"text": text},
                }
            ],
        }
        result["fixes"] = [{"description": {"text": finding.fix}, "artifactChanges": [change]}]
    return result


def _uri(name: str) -> str:
    """A URL as it is; a path as a URI: relative to where the command runs, which is what GitHub expects."""
    if "://" in name:
        return without_credentials(name)
    path = Path(name)
    return path.as_uri() if path.is_absolute() else quote(os.fsencode(path.as_posix()))
