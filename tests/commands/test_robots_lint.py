"""`scrapy robots lint` and `python -m scrapy_polite.robots lint` on the real command line."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from crawls import environment
from projects import scrapy
from scrapy_polite.robots.__main__ import main
from scrapy_polite.robots.lint import KINDS, check
from scrapy_polite.robots.lint.output import as_sarif

_CASES = Path(__file__).parents[1] / "robots" / "lint" / "cases.py"
CASES: dict[str, Any] = runpy.run_path(str(_CASES))["CASES"]
CLEAN = "User-agent: *\nDisallow: /private/\n"
HINTS = CLEAN + "Noindex: /old/\n"
ERRORS = "User-agent: *\nDisallow: private/, é\nNoindex: /old/\nDisallow: /a /b\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("clean", CLEAN), ("hints", HINTS), ("errors", ERRORS)):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    return tmp_path


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def lint(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """`python -m scrapy_polite.robots lint` in this process (`test_subcommands.py` starts one)."""
    monkeypatch.chdir(folder)

    def run(*words: str) -> Done:
        try:
            status = main(["lint", *words])
        except SystemExit as wrong_usage:
            status = int(wrong_usage.code or 0)
        return Done(status, *capsys.readouterr())

    return run


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["clean.txt"], 0),
        (["hints.txt"], 0),
        (["--strict", "hints.txt"], 1),
        (["clean.txt", "errors.txt"], 1),
        (["--ignore", "no-leading-slash", "--ignore", "several-paths", "errors.txt"], 0),
        (["errors.txt", "missing.txt"], 2),
        (["."], 2),
        (["--ignore", "nothing", "clean.txt"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_the_exit_status_tells_hints_errors_and_what_cannot_be_read(
    folder: Path, lint: Callable[..., Done], words: list[str], status: int
) -> None:
    done = lint(*words)
    assert done.returncode == status, done.stderr


def test_scrapy_runs_the_same_command(folder: Path, lint: Callable[..., Done]) -> None:
    done = scrapy(folder, "robots", "lint", "errors.txt")
    assert done.returncode == 1
    assert done.stdout == lint("errors.txt").stdout


def test_a_person_is_told_place_readers_proof_and_fix(folder: Path, lint: Callable[..., Done]) -> None:
    lines = lint("errors.txt").stdout.splitlines()
    assert lines[0].startswith("errors.txt:2:11: error: 'private/, ")
    assert lines[0].endswith("[no-leading-slash]")
    assert [line.split()[0] for line in lines[1:4]] == ["readers", "proof", "fix"]
    assert lines[-1] == "errors.txt: 2 errors, 1 hint"


def test_json_has_one_object_a_line_for_each_finding(folder: Path, lint: Callable[..., Done]) -> None:
    found = [json.loads(line) for line in lint("--json", "errors.txt", "clean.txt").stdout.splitlines()]
    assert [(one["id"], one["line"], one["column"], one["level"]) for one in found] == [
        ("no-leading-slash", 2, 11, "error"),
        ("noindex", 3, 1, "hint"),
        ("several-paths", 4, 14, "error"),
    ]
    assert {"file", "id", "line", "column", "level", "message", "fix", "readers", "proof", "edit"} == found[0].keys()
    assert found[2]["edit"] == {"first": 4, "last": 4, "lines": ["Disallow: /a", "Disallow: /b"]}
    assert (found[2]["proof"]["path"], found[2]["proof"]["allowed"]) == ("/a", True)


def test_sarif_has_one_run_whose_results_lead_to_its_rules(folder: Path, lint: Callable[..., Done]) -> None:
    log: dict[str, Any] = json.loads(lint("--sarif", "errors.txt", "hints.txt").stdout)
    [run] = log["runs"]
    assert log["version"] == "2.1.0"
    rules, results = run["tool"]["driver"]["rules"], run["results"]
    assert [rules[result["ruleIndex"]]["id"] for result in results] == [result["ruleId"] for result in results]
    assert {result["level"] for result in results} == {"error", "note"}
    place = results[0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "errors.txt"}, "region": {"startLine": 2, "startColumn": 11}}
    [replacement] = results[2]["fixes"][0]["artifactChanges"][0]["replacements"]
    assert replacement["insertedContent"] == {"text": "Disallow: /a\nDisallow: /b\n"}


#: Of each object of SARIF 2.1.0 (§3) that is written: the properties that it must have, and the others that it may.
SARIF: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema"}),
    "runs": ({"tool"}, {"columnKind", "results"}),
    "tool": ({"driver"}, set()),
    "driver": ({"name"}, {"semanticVersion", "rules"}),
    "rules": ({"id"}, {"shortDescription", "help", "defaultConfiguration"}),
    "shortDescription": ({"text"}, set()),
    "help": ({"text"}, set()),
    "defaultConfiguration": (set(), {"level"}),
    "results": ({"message"}, {"ruleId", "ruleIndex", "level", "locations", "fixes", "properties"}),
    "message": ({"text"}, set()),
    "locations": (set(), {"physicalLocation"}),
    "physicalLocation": (set(), {"artifactLocation", "region"}),
    "artifactLocation": (set(), {"uri"}),
    "region": (set(), {"startLine", "startColumn"}),
    "fixes": ({"artifactChanges"}, {"description"}),
    "description": ({"text"}, set()),
    "artifactChanges": ({"artifactLocation", "replacements"}, set()),
    "replacements": ({"deletedRegion"}, {"insertedContent"}),
    "deletedRegion": (set(), {"startLine", "startColumn", "endLine", "endColumn"}),
    "insertedContent": (set(), {"text"}),
}
#: What values are to be (§3.27.10, §3.30.5, RFC 3986 §4.1).
SARIF_VALUES: dict[str, Callable[[Any], bool]] = {
    "version": lambda value: value == "2.1.0",
    "level": lambda value: value in ("error", "note"),
    "text": lambda value: isinstance(value, str),
    "uri": lambda value: re.fullmatch(r"[A-Za-z0-9:/?#\[\]@!$&'()*+,;=._~%-]+", value) is not None,
    **dict.fromkeys(
        ("startLine", "startColumn", "endLine", "endColumn"), lambda value: isinstance(value, int) and value > 0
    ),
}


def sarif_faults(name: str, value: Any) -> Iterator[str]:
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            must, may = SARIF[name]
            if not must <= one.keys() <= must | may:
                yield f"{name}: {sorted(one)}"
            for key, part in one.items():
                if key != "properties":
                    yield from sarif_faults(key, part)
        elif not SARIF_VALUES.get(name, lambda _: True)(one):
            yield f"{name}: {one!r}"


def test_sarif_of_every_kind_of_finding_is_as_the_standard_wants_it() -> None:
    names = [os.fsdecode(b"caf\xe9 #1.txt"), "/srv/\u00e9/robots.txt", "https://u:p@example.com", "-"]
    bodies = [case.body for cases, _ in CASES.values() for case in cases]
    reports = [check(names[number % len(names)], body) for number, body in enumerate(bodies)]
    log = json.loads(as_sarif(reports, KINDS.values()))
    assert set(sarif_faults("log", log)) == set()
    [run] = log["runs"]
    assert {one["ruleId"] for one in run["results"]} == KINDS.keys()
    assert {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for one in run["results"]} == {
        "caf%E9%20%231.txt",
        "file:///srv/%C3%A9/robots.txt",
        "https://***@example.com",
        "-",
    }


def test_annotations_of_github_escape_what_ends_them(folder: Path, lint: Callable[..., Done]) -> None:
    (folder / "a,b:c%\r\n.txt").write_text("User-agent: *\nDisallow: 100%/\n")
    [line] = lint("--github", "a,b:c%\r\n.txt").stdout.splitlines()
    place = "::error file=a%2Cb%3Ac%25%0D%0A.txt,line=2,col=11,title=no-leading-slash"
    assert line.startswith(f"{place}::'100%25/' does not begin with a slash: ")


def test_standard_input_is_read_where_the_file_is_a_dash(folder: Path) -> None:
    line = [sys.executable, "-m", "scrapy_polite.robots", "lint", "--json", "-"]
    done = subprocess.run(
        line, cwd=folder, env=environment(), input=HINTS, capture_output=True, text=True, timeout=60, check=False
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["noindex"]


def test_what_a_file_holds_is_printed_escaped(folder: Path, lint: Callable[..., Done]) -> None:
    (folder / "bad.txt").write_bytes(
        b"User-agent: *\nDisallow: \x1b]0;x\x07\xe2\x80\xae\n\xff\xfe\x00\n" + b"y" * 5_000
    )
    done = lint("bad.txt")
    assert all(line.isprintable() and len(line) < 400 for line in done.stdout.splitlines())


def test_what_cannot_be_read_is_told_in_one_line_with_what_to_do(folder: Path, lint: Callable[..., Done]) -> None:
    done = lint("missing.txt")
    assert done.stderr == "missing.txt: cannot be read (No such file or directory); give the path of a robots.txt\n"
