"""What is built of rules says what they say, to every reader, in a file that has nothing to find fault with."""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.build.compose import TooLargeError, compose
from scrapy_polite.robots.build.ruleset import Rule, RuleSet
from scrapy_polite.robots.lint import check

RANDOM: dict[str, Any] = runpy.run_path(str(Path(__file__).with_name("rule_sets.py")))


def built(*rules: Rule, at: float = 0.0) -> list[str]:
    return compose(RuleSet(rules), at).body.decode().splitlines()


def test_random_rules_are_read_as_they_are_meant_by_the_reference_and_by_protego() -> None:
    results = [RANDOM["differing"](seed, 15) for seed in range(60)]
    assert sum(verdicts for verdicts, _, _ in results) == 60 * 15 * 6
    assert [text for _, found, _ in results for text in found] == []


def test_where_protego_cannot_be_had_to_agree_that_is_told_and_rfc_9309_holds() -> None:
    rule = Rule(("*",), allow=("/*/b*",), disallow=("/?&/b$", "/?q="))
    built = compose(RuleSet((rule,)), 0.0)
    assert [note.partition(",")[0] for note in built.notes] == ["Protego"]
    robots = RobotsTxt.parse(built.body, "bot")
    assert [robots.decide(path).allowed for path in ("/?q=/b", "/?&/b", "/?&/bc", "/?q=1")] == [
        True,
        False,
        True,
        False,
    ]


def test_what_is_built_has_nothing_for_lint_to_find_but_what_its_rules_ask_for() -> None:
    found = {
        (finding.level, finding.id)
        for seed in range(60)
        for finding in check("robots.txt", compose(RANDOM["rule_set"](random.Random(seed)), 1_000.0).body).findings
    }
    assert found == {("hint", "allow-for-classic")}


def test_groups_with_equal_rules_are_one_and_that_for_everybody_is_the_last() -> None:
    shop = Rule(("*", "Abot"), disallow=("/cart/",))
    closed = Rule(("Bbot", "Cbot"), disallow=("/",))
    assert built(shop, Rule(("Abot",), crawl_delay=10), closed, Rule(("cbot",), allow=("/",))) == [
        "User-agent: Abot",
        "Disallow: /cart/",
        "Crawl-delay: 10",
        "",
        "User-agent: Bbot",
        "Disallow: /",
        "",
        "User-agent: Cbot",
        "Allow: /",
        "",
        "User-agent: *",
        "Disallow: /cart/",
    ]
    assert built(shop) == ["User-agent: Abot", "User-agent: *", "Disallow: /cart/"]


def test_a_rule_that_never_decides_is_left_out_and_the_longest_stands_first() -> None:
    rule = Rule(("*",), allow=("/a/b", "/x"), disallow=("/a", "/a*", "/x", "/é", "/%7ea"))
    assert built(rule)[1:] == ["Disallow: /%C3%A9", "Allow: /a/b", "Disallow: /a*", "Disallow: /~a", "Allow: /x"]


def test_of_several_delays_the_longest_counts_and_nothing_said_is_all_allowed() -> None:
    assert built(Rule(("*",), crawl_delay=2.5), Rule(("*",), crawl_delay=1)) == [
        "User-agent: *",
        "Disallow:",
        "Crawl-delay: 2.5",
    ]


@pytest.mark.parametrize(("at", "closed"), [(99.0, False), (100.0, True), (199.0, True), (200.0, False)])
def test_a_rule_holds_from_its_first_moment_on_and_no_longer_at_its_last(at: float, closed: bool) -> None:
    rules = Rule(("*",), disallow=("/x",)), Rule(("*",), disallow=("/",), begins=100.0, ends=200.0)
    assert ("Disallow: /" in built(*rules, at=at)) is closed
    assert RuleSet(rules).next_change(at) == {99.0: 100.0, 100.0: 200.0, 199.0: 200.0, 200.0: None}[at]


def test_rules_of_everybody_that_a_named_crawler_no_longer_obeys_are_told() -> None:
    everybody = Rule(("*",), disallow=("/private/",), line=3)
    [note] = compose(RuleSet((everybody, Rule(("Abot",), crawl_delay=5))), 0.0).notes
    assert note.startswith("Abot is named, and no longer obeys what is disallowed to * (line 3)")
    assert compose(RuleSet((Rule(("*", "Abot"), disallow=("/p/",)), Rule(("Abot",), crawl_delay=5))), 0.0).notes == ()


def test_a_file_that_readers_need_not_read_whole_is_refused() -> None:
    fits = tuple(f"/{number:05}-{'x' * 80}" for number in range(5_000))
    body = compose(RuleSet((Rule(("*",), disallow=fits),)), 0.0).body
    assert 480_000 < len(body) <= 512_000
    assert not RobotsTxt.parse(body, "bot").decide("/04999-" + "x" * 80).allowed
    with pytest.raises(TooLargeError, match=r"robots.txt of 990,014 bytes") as refused:
        compose(RuleSet((Rule(("*",), disallow=(*fits, *(f"/y{one}" for one in fits)), line=7),)), 0.0)
    assert refused.value.line == 7


def test_an_index_page_that_is_allowed_allows_its_folder_for_all_readers() -> None:
    assert built(Rule(("*",), allow=("/a/index.html",), disallow=("/a/",)))[1:] == [
        "Allow: /a/index.html",
        "Allow: /a/$",
        "Disallow: /a/",
    ]
