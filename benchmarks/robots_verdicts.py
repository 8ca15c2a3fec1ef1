"""Verdicts on robots.txt: ours, Protego's and urllib.robotparser's beside those of Google's parser and of the suites.

    python benchmarks/robots_verdicts.py

Needs the corpus (POLITE_CORPUS). Exits with 1 if one of our verdicts is looser than the reference, more than 0.3 % are
stricter, fewer than 99 % name its line, a conformance case is lost that the tests do not list, the dialect `strictest`
is looser once, the others are not looser as often as `robots.dialects.LOOSER` says, or a decision in another dialect
takes more than twice as long as in `rfc` (median).
"""

from __future__ import annotations

import runpy
import statistics
import sys
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from urllib.robotparser import RobotFileParser

from protego import Protego

from scrapy_polite.robots import DIALECTS, RobotsTxt
from scrapy_polite.robots.dialects import LOOSER

TESTS = Path(__file__).parents[1] / "tests" / "robots"
CORPUS: dict[str, Any] = runpy.run_path(str(TESTS / "corpus.py"))
LISTED: dict[str, str] = runpy.run_path(str(TESTS / "test_conformance.py"))["DEVIATIONS"]

MAX_STRICTER = 0.003
MIN_SAME_LINE = 0.99
MAX_DIALECT_RATIO = 2.0


class Answer(NamedTuple):
    allowed: bool
    line: int | None
    evidence: str


def ours(body: bytes, agent: str) -> Callable[[str], Answer]:
    robots_txt = RobotsTxt.parse(body, agent)

    def answer(url: str) -> Answer:
        decision = robots_txt.decide(url)
        return Answer(decision.allowed, decision.line or 0, decision.rule or "")

    return answer


def protego(body: bytes, agent: str) -> Callable[[str], Answer]:
    parsed = Protego.parse(body.decode("utf-8-sig", "ignore"))
    return lambda url: Answer(parsed.can_fetch(url, agent), None, "")


def standard_library(body: bytes, agent: str) -> Callable[[str], Answer]:
    parsed = RobotFileParser()
    parsed.parse(body.decode("utf-8-sig", "ignore").splitlines())
    return lambda url: Answer(parsed.can_fetch(agent, url), None, "")


PARSERS = {"scrapy-polite": ours, "Protego": protego, "urllib.robotparser": standard_library}


def class_of(url: str, evidence: str) -> str:
    """Name why a verdict is stricter than the reference's."""
    if "%" in url and "%" in evidence:
        return "escapes that differ in case, or escape what needs none (RFC 9309 §2.2.2)"
    if "%" in url:
        return "a rule that does not escape what a URL must (RFC 9309 §2.2.2)"
    return "other"


def report(
    title: str, questions: list[tuple[tuple[str, str], bytes, str, str, bool, int]]
) -> dict[str, dict[str, Any]]:
    """`questions`: key of the file and agent, body, agent, URL, expected verdict and line (-1: none is given)."""
    figures = {}
    print(f"\n{title}: {len(questions):,} questions")
    print(f"  {'':<20}{'agree':>9}{'looser':>9}{'stricter':>10}{'same line':>11}{'errors':>8}")
    for name, parser in PARSERS.items():
        parsed = lru_cache(maxsize=8)(lambda key, body, parser=parser: parser(body, key[1]))
        count: Counter[str] = Counter()
        classes: Counter[str] = Counter()
        looser = []
        for key, body, _, url, allowed, line in questions:
            try:
                answer = parsed(key, body)(url)
            except Exception as error:  # noqa: BLE001  # a peer's error is a figure
                count["errors"] += 1
                looser.append((key, url, repr(error)))
                continue
            if answer.allowed == allowed:
                count["agree"] += 1
                count["same line"] += answer.line == line
            elif answer.allowed:
                count["looser"] += 1
                looser.append((key, url, f"line {line}"))
            else:
                count["stricter"] += 1
                classes[class_of(url, answer.evidence)] += 1
        figures[name] = {"count": count, "looser": looser, "classes": classes}
        same = f"{count['same line'] / max(count['agree'], 1):.2%}" if name == "scrapy-polite" and line >= 0 else "-"
        print(
            f"  {name:<20}{count['agree'] / len(questions):>9.2%}{count['looser']:>9,}{count['stricter']:>10,}"
            f"{same:>11}{count['errors']:>8,}"
        )
    return figures


def compare_dialects(
    questions: list[tuple[tuple[str, str], bytes, str, str, bool, int]],
) -> dict[str, tuple[int, float]]:
    """Print and return of each dialect how often it is looser, and how long a decision takes beside `rfc` (median)."""
    figures = {}
    print(f"\nDialects beside Google's parser: {len(questions):,} questions")
    print(f"  {'':<20}{'looser':>18}{'stricter':>18}{'time beside rfc':>17}")
    rfc = 0.0
    for name, dialect in DIALECTS.items():
        parsed = lru_cache(maxsize=8)(lambda key, body, dialect=dialect: RobotsTxt.parse(body, key[1], dialect=dialect))
        looser = stricter = 0
        times = []
        for key, body, _, url, allowed, _ in questions:
            robots_txt = parsed(key, body)
            robots_txt.decide(url)  # makes the decision that is remembered
            begin = perf_counter()
            decision = robots_txt.decide(url)
            times.append(perf_counter() - begin)
            looser += decision.allowed and not allowed
            stricter += allowed and not decision.allowed
        took = statistics.median(times)
        rfc = rfc or took
        shares = "".join(f"{number:>9,} ({number / len(questions):>6.2%})" for number in (looser, stricter))
        print(f"  {name:<20}{shares}{took / rfc:>17.2f}")
        figures[name] = (looser, took / rfc)
    return figures


def main() -> int:
    if CORPUS["MISSING"]:
        sys.exit(CORPUS["MISSING"])
    files = CORPUS["real_files"]()
    reference = [
        ((verdict.file, verdict.agent), files[verdict.file], verdict.agent, verdict.url, verdict.allowed, verdict.line)
        for verdict in CORPUS["verdicts"]()
    ]
    suites = [
        ((case.name, case.agent), case.body, case.agent, case.url, case.allowed, -1) for case in CORPUS["conformance"]()
    ]
    on_files = report("Google's parser on real files", reference)["scrapy-polite"]
    for reason, number in on_files["classes"].most_common():
        print(f"    stricter: {number:,} x {reason}")
    for looser in on_files["looser"]:
        print("    LOOSER:", *looser)
    on_suites = report("Conformance suites", suites)["scrapy-polite"]
    lost = len(suites) - on_suites["count"]["agree"]
    print(f"    not as the suite says: {lost}, all listed with their clause: {lost == len(LISTED)}")

    dialects = compare_dialects(reference)

    count = on_files["count"]
    claims = {
        "no verdict is looser": not on_files["looser"],
        "at most 0.3 % are stricter": count["stricter"] <= MAX_STRICTER * len(reference),
        "each class of them has a name": "other" not in on_files["classes"],
        "99 % name the reference's line": count["same line"] >= MIN_SAME_LINE * count["agree"],
        "no unlisted case is lost": lost <= len(LISTED),
        "strictest is never looser": dialects["strictest"][0] == 0,
        "the others are looser as often as crawls are told that set them for all": all(
            round(100 * dialects[name][0] / len(reference), 1) == per_cent for name, per_cent in LOOSER.items()
        ),
        "a decision takes at most twice as long in any dialect": max(ratio for _, ratio in dialects.values())
        <= MAX_DIALECT_RATIO,
    }
    print()
    for claim, holds in claims.items():
        print(f"{'ok  ' if holds else 'FAIL'} {claim}")
    return 0 if all(claims.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
