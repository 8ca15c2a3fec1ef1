"""Every kind of finding: where it is told and where not, what proves an error, what its edits come to."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.lint import ERROR, KINDS, Finding, check
from scrapy_polite.robots.lint.document import Document
from scrapy_polite.robots.lint.kinds import MENDING
from scrapy_polite.robots.lint.readers import MENDED, READERS, WHOLE

HERE = Path(__file__).parent
CASES: dict[str, Any] = runpy.run_path(str(HERE / "cases.py"))["CASES"]
CORPUS: dict[str, Any] = runpy.run_path(str(HERE.parent / "corpus.py"))
RECOUNT: dict[str, Any] = runpy.run_path(str(HERE / "recount.py"))
MECHANICAL: frozenset[str] = RECOUNT["MECHANICAL"]
SAMPLE = {path.name: path.read_bytes() for path in sorted((HERE.parent / "data" / "files").iterdir())}

POSITIVE = [
    pytest.param(kind, case, id=f"{kind}-{n}") for kind, (cases, _) in CASES.items() for n, case in enumerate(cases)
]
NEGATIVE = [
    pytest.param(kind, body, id=f"{kind}-{n}") for kind, (_, bodies) in CASES.items() for n, body in enumerate(bodies)
]


def findings(body: bytes, kind: str) -> list[Finding]:
    return [finding for finding in check("robots.txt", body).findings if finding.id == kind]


def test_each_kind_has_three_cases_for_it_and_three_against() -> None:
    assert CASES.keys() == KINDS.keys()
    assert [kind for kind, (for_it, against) in CASES.items() if min(len(for_it), len(against)) < 3] == []


@pytest.mark.parametrize(("kind", "case"), POSITIVE)
def test_a_kind_is_found_where_it_is(kind: str, case: Any) -> None:
    found = findings(case.body, kind)
    assert found
    assert (found[0].line, found[0].level) == (case.line, case.level)
    assert found[0].column >= 1
    assert found[0].message
    assert found[0].fix
    assert list(found[0].readers) == ["rfc", "classic", "classic-0.0", "geoportal", "strictest"]


@pytest.mark.parametrize(("kind", "body"), NEGATIVE)
def test_a_kind_is_not_found_where_it_is_not(kind: str, body: bytes) -> None:
    assert findings(body, kind) == []


def faults_of_proofs(body: bytes) -> list[Finding]:
    """Errors of a file whose proof does not hold: the parser, asked anew, gives no two answers."""
    found = check("robots.txt", body).findings
    return [finding for finding in found if finding.level == ERROR and not is_proved(body, found, finding)]


def is_proved(body: bytes, found: tuple[Finding, ...], finding: Finding) -> bool:
    proof = finding.proof
    assert proof is not None
    reader, url = READERS[proof.reader], f"https://example.com{proof.path}"
    first = RobotsTxt.parse(body, proof.agent, dialect=reader).decide(url)
    if proof.other == MENDED:
        kind, document = KINDS[finding.id], Document(body)
        edits = [one.edit for one in found if one.id == finding.id and one.edit]
        mended = kind.mend(document) if kind.mend else document.edited(edits)
        second = RobotsTxt.parse(mended, proof.agent, dialect=reader).decide(url)
    elif proof.other == WHOLE:
        second = RobotsTxt.parse(body, proof.agent, dialect=reader, max_bytes=len(body)).decide(url)
    else:
        second = RobotsTxt.parse(body, proof.agent, dialect=READERS[proof.other]).decide(url)
    said = (first.allowed, first.line, second.allowed, second.line)
    return said == (proof.allowed, proof.line, not proof.allowed, proof.other_line)


@pytest.mark.parametrize(("kind", "case"), [case for case in POSITIVE if case.values[1].level == ERROR])
def test_an_error_changes_a_verdict(kind: str, case: Any) -> None:
    assert faults_of_proofs(case.body) == []


def test_errors_of_real_files_change_a_verdict() -> None:
    assert {name for name, body in SAMPLE.items() if faults_of_proofs(body)} == set()
    assert sum(finding.level == ERROR for body in SAMPLE.values() for finding in check("", body).findings) > 20


@pytest.mark.parametrize(
    ("kind", "case"),
    [case for case in POSITIVE if KINDS[case.values[0]].proof == MENDING and case.values[1].level == ERROR],
)
def test_what_is_mended_is_found_no_more(kind: str, case: Any) -> None:
    found = [one.edit for one in findings(case.body, kind) if one.edit]
    document = Document(case.body)
    mend = KINDS[kind].mend
    mended = mend(document) if mend else document.edited(found)
    assert mended != case.body
    assert findings(mended, kind) == []


def test_mechanical_kinds_of_the_kept_sample_are_those_of_an_independent_recount() -> None:
    ours = {name: {found.id for found in check(name, body).findings} & MECHANICAL for name, body in SAMPLE.items()}
    assert ours == {name: RECOUNT["kinds_of"](body) for name, body in SAMPLE.items()}


@pytest.mark.skipif(CORPUS["MISSING"] is not None, reason=str(CORPUS["MISSING"]))
def test_mechanical_kinds_of_real_files_are_those_of_an_independent_recount() -> None:
    """Of one in fifty; all of them are in `benchmarks/robots_lint.py`."""
    files = dict(sorted(CORPUS["real_files"]().items())[::50])
    ours = {name: {found.id for found in check(name, body).findings} & MECHANICAL for name, body in files.items()}
    assert ours == {name: RECOUNT["kinds_of"](body) for name, body in files.items()}
    assert {"noindex", "same-agent", "first-match", "blank-after-agent"} <= set().union(*ours.values())


def test_a_url_of_a_whole_site_is_not_made_a_rule_that_closes_the_site() -> None:
    for url in (b"http://old.example.com", b"http://old.example.com/"):
        [found] = findings(b"User-agent: *\nDisallow: %s\n" % url, "no-leading-slash")
        assert found.edit == (2, 2, ())
        assert found.fix.startswith("delete the line")


def test_a_column_counts_characters() -> None:
    [found] = findings("User-agent: *\nDisallow: /é/ /b\n".encode(), "several-paths")
    assert (found.line, found.column) == (2, 15)


def test_of_very_many_findings_of_a_kind_the_first_are_told_and_that_there_are_more() -> None:
    report = check("robots.txt", b"User-agent: *\n" + b"Noindex: /a\n" * 600)
    assert [finding.id for finding in report.findings] == ["noindex"] * 500
    assert report.cut == ("noindex",)


def test_each_mistake_that_the_docs_show_is_found() -> None:
    text = (HERE.parents[2] / "docs" / "site-check.md").read_text(encoding="utf-8")
    sections = re.split(r"^### .*\(`(.*)`\)$", text, flags=re.MULTILINE)[1:]
    shown = {
        kind: block[1].encode()
        for kind, section in zip(sections[::2], sections[1::2], strict=True)
        if (block := re.search(r"^```text\n(.*?)^```", section.partition("\n## ")[0], re.DOTALL | re.MULTILINE))
    }
    assert len(sections) // 2 == 11
    assert shown.keys() == set(sections[::2]) - {"line-ends", "binary"}
    assert [kind for kind, body in shown.items() if not findings(body, kind)] == []
