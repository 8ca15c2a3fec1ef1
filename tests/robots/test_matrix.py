"""Many crawlers and URLs at once: each cell is what `RobotsTxt` says alone; expectations name what is wrong."""

from __future__ import annotations

import functools
import json
import operator
from pathlib import Path

import pytest

from scrapy_polite.robots import RFC, RobotsTxt
from scrapy_polite.robots.inputs import InputError
from scrapy_polite.robots.matrix import JsonCells, Readers, as_text, mismatch_text, read_expectations

BODY = b"""User-agent: *
Disallow: /private
Allow: /private/open

User-agent: gptbot
User-agent: bot
Disallow: /
"""
#: Crawlers that the file names, does not name, and one with digits, which is read in several ways.
AGENTS = ["gptbot", "GPTBot/1.0", "otherbot", "unknown", "*", "bot2", "other2000"]
URLS = ["/", "/private/x", "/private/open", "https://example.com/private/", "/robots.txt"]


def test_each_cell_is_what_one_crawler_is_told_alone() -> None:
    rows = list(Readers(BODY, [RFC]).cells(AGENTS, URLS))
    assert [[(cell.url, cell.agent) for cell in row] for row in rows] == [[(u, a) for a in AGENTS] for u in URLS]
    for cell in functools.reduce(operator.iadd, rows, []):
        assert cell.decision == RobotsTxt.parse(BODY, cell.agent).decide(cell.url)
    assert {cell.decision.allowed for cell in rows[1]} == {False}
    assert [cell.decision.allowed for cell in rows[0]] == [False, False, True, True, True, False, True]


def test_a_person_sees_a_line_for_each_verdict_and_a_program_an_object_for_each_cell() -> None:
    cells = next(Readers(BODY, [RFC]).cells(["gptbot", "a", "b"], ["/private/\x1bopen"]))
    assert as_text(cells, 1) == [
        "/private/\\x1bopen",
        "  refused     line 7: Disallow: /  gptbot",
        "  refused     line 2: Disallow: /private  a, b",
    ]
    read = [json.loads(line) for line in JsonCells().lines(cells)]
    assert [(one["agent"], one["line"], one["dialect"], one["url"]) for one in read] == [
        (cell.agent, cell.decision.line, "rfc", "/private/\x1bopen") for cell in cells
    ]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("allow gptbot /", "is refused at /, expected allowed: robots.txt says line 7: Disallow: / (read as rfc)"),
        ("disallow gptbot /", ""),
        ("disallow gptbot / line=7 dialect=rfc", ""),
        ("disallow gptbot / line=6", "expected refused by line 6"),
        ("allow * / line=0", ""),
        ("allow * /private/open line=0", "expected allowed by no line"),
        ("Refused: * https://example.com/private/1", ""),
    ],
)
def test_an_expectation_is_met_or_told_with_its_own_line_and_that_of_the_rule(
    line: str, wrong: str, tmp_path: Path
) -> None:
    path = tmp_path / "expect"
    path.write_text(f"# verdicts\n\n{line}\n")
    found = [mismatch_text(path, "robots.txt", one) for one in Readers(BODY, [RFC]).mismatches(read_expectations(path))]
    assert len(found) == bool(wrong)
    for text in found:
        assert text.startswith(f"{path}, line 3: ")
        assert wrong in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ": expects nothing; give: allow|disallow AGENT URL"),
        ("allow gptbot /\nmaybe gptbot /", ", line 2: 'maybe gptbot /' is no expectation; give: "),
        ("allow gptbot x", ", line 1: 'x' is no URL; give one such as "),
        ("allow !! /", ", line 1: '!!' is no crawler; give a name such as "),
        ("allow a / dialect=klingon", ", line 1: 'klingon' is no dialect; give one of rfc"),
        ("allow a / line=x", ", line 1: 'line=x' is not known; give: "),
        ("allow a /\ndisallow A /", ", line 2: contradicts line 1; delete one of the two"),
    ],
)
def test_expectations_that_cannot_be_read_are_told_in_one_line(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "expect"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_expectations(path)
    assert str(error.value).startswith(f"{path}{told}")
    assert "\n" not in str(error.value)
