"""The dialects by name: hand-made cases, each with its clause, and what holds on real files."""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots import DIALECTS, RobotsTxt
from scrapy_polite.robots.dialects import verdicts

HERE = Path(__file__).parent
CORPUS: dict[str, Any] = runpy.run_path(str(HERE / "corpus.py"))


def _cases() -> Iterable[Any]:
    for row in (HERE / "data" / "dialects.txt").read_text("utf-8").splitlines():
        if not row.startswith("#"):
            dialect, clause, agent, path, verdict, body = row.split(" | ")
            allowed, line = verdict.split()
            lines = body.replace(" ; ", "\n").replace("<blank>", "").replace("<space>", "   ")
            expected = (allowed == "allow", None if line == "-" else int(line))
            yield pytest.param(dialect, agent, path, expected, lines.encode(), id=f"{dialect}: {clause}")


@pytest.mark.parametrize(("dialect", "agent", "path", "expected", "body"), list(_cases()))
def test_clause(dialect: str, agent: str, path: str, expected: tuple[bool, int | None], body: bytes) -> None:
    decision = RobotsTxt.parse(body, agent, dialect=DIALECTS[dialect]).decide(f"http://example.com{path}")
    assert (decision.allowed, decision.line) == expected


def test_one_body_and_url_are_judged_in_each_dialect() -> None:
    found = verdicts(b"User-agent: *\nAllow: /x.pdf\nDisallow: /*.pdf", "a", "http://example.com/x.pdf")
    assert {name: decision.allowed for name, decision in found.items()} == {
        "rfc": True,
        "classic": True,
        "classic-0.0": True,
        "geoportal": True,
        "strictest": True,
    }
    found = verdicts(b"User-agent: *\nDisallow: /*.pdf", "a", "http://example.com/x.pdf")
    assert [name for name, decision in found.items() if decision.allowed] == ["classic", "classic-0.0"]


def test_delay_and_sitemaps_are_read_in_each_dialect() -> None:
    body = b"Sitemap: http://example.com/s.xml\n\nUser-agent: a\nCrawl-delay: 7\nDisallow: /x\n"
    for dialect in DIALECTS.values():
        parsed = RobotsTxt.parse(body, "a", dialect=dialect)
        assert (parsed.crawl_delay, parsed.sitemaps) == (7, ("http://example.com/s.xml",)), dialect.name
        assert (parsed.group, parsed.dialect, parsed.rule_count) == ("a", dialect.name, 1)


def wrong_of_strictest(found: Iterable[Any], body: Callable[[str], bytes]) -> tuple[int, list[Any]]:
    """Return how many questions there are, and those where `strictest` is not what all dialects allow."""
    count, wrong, file = 0, [], None
    parsed: dict[tuple[str, str], RobotsTxt] = {}
    for verdict in found:
        count += 1
        if verdict.file != file:
            file, parsed = verdict.file, {}
        for name in DIALECTS:
            if (verdict.agent, name) not in parsed:
                parsed[verdict.agent, name] = RobotsTxt.parse(body(file), verdict.agent, dialect=DIALECTS[name])
        said = {name: parsed[verdict.agent, name].decide(verdict.url).allowed for name in DIALECTS}
        strictest = said.pop("strictest")
        if strictest != all(said.values()) or (strictest and not verdict.allowed):
            wrong.append(verdict)
    return count, wrong


def test_strictest_allows_what_all_allow_on_the_kept_sample() -> None:
    found = CORPUS["verdicts"](HERE / "data" / "verdicts.tsv.xz")
    count, wrong = wrong_of_strictest(found, lambda file: (HERE / "data" / "files" / file).read_bytes())
    assert count > 1_000
    assert wrong == []


def test_an_index_of_allowed_children_is_made_in_bounded_time() -> None:
    """Each Allow is held against each length of a Disallow further up: 500 KiB of them is the worst there is."""
    parents = b"".join(b"Disallow: /" + b"a" * length + b"\n" for length in range(700))
    body = b"User-agent: *\n" + parents + (b"Allow: /" + b"a" * 700 + b"b\n") * 350
    robots_txt = RobotsTxt.parse(body, "a", dialect=DIALECTS["geoportal"])
    assert robots_txt.decide("http://example.com/" + "a" * 700 + "b/c").allowed
    assert not robots_txt.decide("http://example.com/" + "a" * 700 + "c").allowed
