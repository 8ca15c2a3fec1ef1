from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_polite.robots.dialect import NO_RULE, TOO_COSTLY
from scrapy_polite.robots.matcher import RuleIndex
from scrapy_polite.robots.rfc import allows, forbids, line_of, rank_of, ranked


def naive(rules: list[tuple[str, bool]], path: str) -> tuple[bool, int] | None:
    """Whether the longest matching pattern allows, and its line: every rule tried with a regular expression."""
    best: tuple[int, bool, int] | None = None
    for line, (pattern, allow) in enumerate(rules, 1):
        directory = re.sub(r"/index\.htm[^/]*\Z", "/$", pattern)
        for candidate in {pattern, directory} if allow else {pattern}:
            literal = candidate[:-1] if candidate.endswith("$") else candidate
            expression = re.escape(literal).replace(r"\*", ".*") + (r"\Z" if candidate.endswith("$") else "")
            if re.match(expression, path, re.DOTALL):
                best = max(best or (-1, False, 0), (len(candidate), allow, -line))
    return None if best is None else (best[1], -best[2])


def indexed(rules: list[tuple[str, bool]], path: str) -> tuple[bool, int] | None:
    patterns = [pattern for pattern, _ in rules]
    read = [(line, allow, pattern.encode(), b"") for line, (pattern, allow) in enumerate(rules, 1)]
    ranks = [rank_of(pattern, allow, line) for pattern, (line, allow, _, _) in zip(patterns, read, strict=True)]
    rank = RuleIndex(ranked(patterns, ranks)).best_rank(path)
    return None if rank == NO_RULE else (allows(rank), line_of(rank))


PIECES = ["/", "a", "b", "ab", "*", "$", "?", "index.html", "/index.htm"]
patterns = st.lists(st.sampled_from(PIECES), max_size=7).map("".join)
paths = st.lists(st.sampled_from([piece for piece in PIECES if piece != "*"]), max_size=9).map(
    lambda p: "/" + "".join(p)
)


@given(st.lists(st.tuples(patterns, st.booleans()), max_size=12), paths)
@example([("/a*b", False), ("/a", True), ("/a/b$", True)], "/a/b")
@example([("/index.html", True), ("/", False)], "/")
@example([("*", False), ("", True)], "/")
def test_index_finds_the_rule_and_line_that_trying_every_rule_finds(rules: list[tuple[str, bool]], path: str) -> None:
    assert indexed(rules, path) == naive(rules, path)


@given(st.lists(st.tuples(st.text("/a", max_size=6), st.booleans()), max_size=40), st.text("/a", max_size=9))
def test_index_agrees_on_deeply_nested_literals(rules: list[tuple[str, bool]], path: str) -> None:
    assert indexed(rules, "/" + path) == naive(rules, "/" + path)


@pytest.mark.parametrize(
    ("rules", "path", "line"),
    [
        pytest.param([("/a", False), ("/a", True)], "/ab", 2, id="Allow wins a tie"),
        pytest.param([("/a*", False), ("/ab", True), ("/*b", False)], "/ab", 2, id="Allow wins a tie of wildcards"),
        pytest.param([("/a", False), ("/a", False)], "/a", 1, id="the first of equals"),
        pytest.param([("/abc", True), ("/*c*d", False)], "/abcd", 2, id="longest pattern, not longest match"),
        pytest.param([("/*?", False), ("/a/b", True)], "/a/b?q", 2, id="a question mark counts once"),
        pytest.param([("/a$", False), ("/a*", True)], "/a", 2, id="the anchor counts as a character"),
    ],
)
def test_longest_pattern_decides_rfc9309_2_2_2(rules: list[tuple[str, bool]], path: str, line: int) -> None:
    found = indexed(rules, path)
    assert found is not None
    assert found[1] == line


def test_empty_pattern_matches_all_and_forbids_nothing() -> None:
    rank = RuleIndex([("", rank_of("", False, 7))]).best_rank("/a")
    assert (line_of(rank), forbids(rank), allows(rank)) == (7, False, False)


def test_look_up_that_would_take_too_long_is_not_begun() -> None:
    rules = [(f"/*x{line}", rank_of(f"/*x{line}", False, line)) for line in range(1, 101)]
    index = RuleIndex(rules, max_cost=100_000)
    assert line_of(index.best_rank("/x1")) == 1
    assert index.best_rank("/" + "x" * 10_000) == TOO_COSTLY


def test_cost_counts_only_wildcards_whose_head_begins_the_path() -> None:
    rules = [(f"/d{line}/*x", rank_of(f"/d{line}/*x", False, line)) for line in range(1, 1001)]
    index = RuleIndex(rules, max_cost=100_000)
    assert line_of(index.best_rank("/d7/" + "y" * 10_000 + "x")) == 7
