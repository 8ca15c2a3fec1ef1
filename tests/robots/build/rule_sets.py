"""Random sets of rules, and what they say of a URL, written down a second time and as simply as can be.

Used by a test with a few sets, and by `benchmarks/robots_build.py` with a thousand.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from protego import Protego

from scrapy_polite.robots import RobotsTxt
from scrapy_polite.robots.build.compose import compose
from scrapy_polite.robots.build.ruleset import Rule, RuleSet

AGENTS = ("*", "Alphabot", "betabot", "Gamma-Bot", "delta_bot", "Omegabot")
#: No rule names it.
UNNAMED = "unlistedcrawler"
#: Readers differ on "$" in a URL and on escapes of reserved characters, whatever the file says.
_PIECES = (
    "/a",
    "/b",
    "/ab",
    "a",
    "b",
    "c",
    "/",
    "?",
    "?q=",
    "&",
    "=1",
    "+",
    ";x",
    "*",
    "*",
    ".html",
    "/index.html",
    "~",
)
_SAID = ("é", "%41", "%c3%a9", "!")


def rule_set(random_: random.Random) -> RuleSet:
    """Up to eight rules whose paths often meet, some of them not in force at the time 1,000."""
    return RuleSet(tuple(_rule(random_) for _ in range(random_.randint(1, 8))), ())


def _rule(random_: random.Random) -> Rule:
    begins = random_.choice((-float("inf"), -float("inf"), 500.0, 1_000.0, 2_000.0))
    ends = random_.choice((float("inf"), float("inf"), 1_000.0, 3_000.0))
    return Rule(
        agents=tuple(random_.sample(AGENTS, random_.randint(1, 3))),
        allow=tuple(_pattern(random_) for _ in range(random_.randint(0, 4))),
        disallow=tuple(_pattern(random_) for _ in range(random_.randint(0, 4))),
        crawl_delay=random_.choice((None, None, 1.5, 10)),
        begins=begins,
        ends=ends,
    )


def _pattern(random_: random.Random) -> str:
    pieces = [random_.choice(_PIECES if random_.random() < 0.9 else _SAID) for _ in range(random_.randint(0, 4))]
    return "/" + "".join(pieces).lstrip("/") + ("$" if random_.random() < 0.15 else "")


def paths(random_: random.Random, rules: RuleSet, count: int) -> Iterator[str]:
    """Paths that the rules are about."""
    patterns = [path for rule in rules.rules for path in (*rule.allow, *rule.disallow)] or ["/"]
    for _ in range(count):
        path = random_.choice(patterns).removesuffix("$")
        while "*" in path:
            path = path.replace("*", random_.choice(("", "a", "/b", "c?", "ab/x")), 1)
        yield _normal(path + random_.choice(("", "", "a", "/b", "?q=1", ".html")))


def _normal(text: str) -> str:
    """The spelling in which the builder writes the few characters of `_SAID`."""
    return text.replace("é", "%C3%A9").replace("%c3%a9", "%C3%A9").replace("%41", "A")


def allowed(rules: RuleSet, at: float, agent: str, path: str) -> bool:
    """Whether the rules let a crawler fetch a path: the longest one that matches decides, Allow of two as long."""
    named = [rule for rule in rules.rules if rule.begins <= at < rule.ends and agent in rule.agents]
    told = named or [rule for rule in rules.rules if rule.begins <= at < rule.ends and "*" in rule.agents]
    verdicts = [(0, True)]
    for allows, kind in ((True, "allow"), (False, "disallow")):
        patterns = [_normal(pattern) for rule in told for pattern in getattr(rule, kind)]
        if allows:  # an index page is its folder's
            patterns += [f"{one.rpartition('/')[0]}/$" for one in patterns if "/index.htm" in one[one.rfind("/") :]]
        verdicts += [(len(one), allows) for one in patterns if _matches(one, path)]
    return max(verdicts)[1]


def _matches(pattern: str, path: str) -> bool:
    end = r"\Z" if pattern.endswith("$") else ""
    parts = map(re.escape, pattern.removesuffix("$").split("*"))
    return re.match(".*".join(parts) + end, path) is not None


def differing(seed: int, count: int) -> tuple[int, list[str], bool]:
    """How many verdicts there are of one random set, those that a reader of what is built does not give, and whether
    the build says that Protego may read it otherwise."""
    random_ = random.Random(seed)
    rules = rule_set(random_)
    built = compose(rules, 1_000.0)
    asked = list(paths(random_, rules, count))
    found = list(_differing(rules, built.body, asked))
    return len(asked) * len(AGENTS), found, any(note.startswith("Protego") for note in built.notes)


def _differing(rules: RuleSet, body: bytes, asked: Sequence[str]) -> Iterator[str]:
    protego = Protego.parse(body.decode())
    for agent in (*AGENTS[1:], UNNAMED):
        robots = RobotsTxt.parse(body, agent)
        for path in asked:
            url = f"https://example.com{path}"
            said = allowed(rules, 1_000.0, agent, path), robots.decide(url).allowed, protego.can_fetch(url, agent)
            if len(set(said)) > 1:
                yield f"{agent} {path}: rules {said[0]}, reference {said[1]}, Protego {said[2]}\n{body.decode()}"
