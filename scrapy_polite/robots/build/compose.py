"""From rules to the robots.txt that says them: groups with equal rules merged, in an order that all readers take alike.

Rules stand from the longest to the shortest, Allow first among equals, so that a reader that takes the first one that
matches (the draft of 1996, Python's urllib) takes the one that RFC 9309 §2.2.2 has decide. What no reader ever comes to
is left out. Paths are written in their normal spelling (`robots.paths`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from scrapy_polite.robots.build.ruleset import ANYONE, Rule, RuleSet
from scrapy_polite.robots.dialect import TOO_COSTLY
from scrapy_polite.robots.inputs import fault
from scrapy_polite.robots.matcher import RuleIndex
from scrapy_polite.robots.paths import normal_patterns, patterns_as_written
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.text import counted

#: What Protego, and so Scrapy, counts as one character; others as the three of their escape.
_SINGLE_IN_PROTEGO = "/%*=$"
_INDEX_PAGE = "index.htm"


class TooLargeError(ValueError):
    """The file would be longer than readers need to read. `line` is that of the rule with the longest paths."""

    def __init__(self, size: int, line: int | None) -> None:
        super().__init__(
            f"makes a robots.txt of {counted(size, 'byte')}; readers need not read more than {MAX_BYTES:,}"
        )
        self.line = line


@dataclass(frozen=True, slots=True)
class Told:
    """What is said to a crawler: patterns and whether they allow, in the order in which they decide.

    `alike` is false where Protego may have another one decide than RFC 9309 does.
    """

    rules: tuple[tuple[str, bool], ...] = ()
    crawl_delay: float | None = None
    alike: bool = True


def told(rules: Iterable[Rule]) -> Told:
    """What these rules say together, to a crawler that all of them name.

    Of several delays the longest counts. A path that is allowed and disallowed is allowed, as RFC 9309 §2.2.2 has it.
    Who allows an index page allows its folder, as Google does; it is written down, so that others do.
    """
    rules = list(rules)
    allowed = dict.fromkeys(_spelled(path for rule in rules for path in rule.allow), True)
    for pattern in list(allowed):
        folder, _, page = pattern.rpartition("/")
        if page.startswith(_INDEX_PAGE):
            allowed[f"{folder}/$"] = True
    patterns = dict.fromkeys(_spelled(path for rule in rules for path in rule.disallow), False) | allowed
    order = sorted(patterns.items(), key=lambda one: (len(one[0]), one[1]), reverse=True)
    delays = [rule.crawl_delay for rule in rules if rule.crawl_delay is not None]
    deciding = _deciding(order)
    padded = _for_protego(deciding)
    return Told(tuple(padded or deciding), max(delays, default=None), padded is not None)


def _spelled(paths: Iterable[str]) -> list[str]:
    return normal_patterns(patterns_as_written([path.encode() for path in paths]))


def _deciding(rules: list[tuple[str, bool]]) -> list[tuple[str, bool]]:
    """The rules without those that never decide, as one before them matches all that they match."""
    index = RuleIndex([(pattern, -place + len(rules)) for place, (pattern, _) in enumerate(rules)])
    return [
        one for place, one in enumerate(rules) if index.best_rank(_any_of(one[0])) in (len(rules) - place, TOO_COSTLY)
    ]


def _any_of(pattern: str) -> str:
    """A path that only those patterns match that match all paths of this one: its wildcards stand for a NUL."""
    return (pattern[:-1] if pattern.endswith("$") else f"{pattern}\0").replace("*", "\0")


def _for_protego(rules: list[tuple[str, bool]]) -> list[tuple[str, bool]] | None:
    """The rules, such that those decide for Protego too that decide by RFC 9309.

    Protego counts `?`, `&` and their like as the three characters of their escape. A rule that would lose by that gets
    a `*` for each character that it lacks at its end, or beside another `*`: it matches the same URLs, and is longer.
    None where that cannot be, for a rule that is for one URL alone (`/x$`): one of 3,000 random sets of rules.
    """
    excess = {pattern: len(quote(pattern, safe=_SINGLE_IN_PROTEGO)) - len(pattern) for pattern, _ in rules}
    if not any(excess.values()) or len({allows for _, allows in rules}) < 2:
        return rules
    padded: list[tuple[str, bool]] = []
    #: Those that may win too often, of each verdict, with their length to either reader.
    feared: dict[bool, list[tuple[int, int, str]]] = {True: [], False: []}
    for pattern, allows in reversed(rules):
        size, more = len(pattern), excess[pattern]
        lack = 0
        for by_rfc, by_protego, other in feared[not allows]:
            equal = 0 if allows else 1  # of two as long, Allow decides
            short = max(by_rfc + equal - size, by_protego + equal - size - more)
            if short > lack and _may_meet(pattern, other):
                lack = short
        longer = _longer(pattern, lack)
        if len(longer) < size + lack:
            return None
        if more or lack:
            feared[allows].append((size + lack, size + lack + more, longer))
        padded.append((longer, allows))
    padded.sort(key=lambda one: (len(one[0]), one[1]), reverse=True)
    return padded


def _may_meet(one: str, other: str) -> bool:
    """Whether there may be a URL that both patterns match; False is sure."""
    head, other_head = _head(one), _head(other)
    if not head.startswith(other_head) and not other_head.startswith(head):
        return False
    for exact, pattern in ((one, other), (other, one)):
        if exact.endswith("$") and "*" not in exact:
            return RuleIndex([(pattern, 1)]).best_rank(exact[:-1]) == 1
    return True


def _head(pattern: str) -> str:
    return pattern.partition("*")[0].removesuffix("$")


def _longer(pattern: str, by: int) -> str:
    if not pattern.endswith("$"):
        return pattern + "*" * by
    head, star, tail = pattern.partition("*")
    return head + "*" * by + star + tail if star else pattern


@dataclass(frozen=True, slots=True)
class Built:
    """A robots.txt, and what a person is to know of it."""

    body: bytes
    notes: tuple[str, ...]


def compose(rule_set: RuleSet, at: float) -> Built:
    """The robots.txt of the rules that hold at a time (epoch seconds). Raises TooLargeError."""
    by_name, spelling = _by_name(rule_set, at)
    groups = _merged(by_name)
    # Some readers take the first group that fits: that for everybody is the last.
    ordered = sorted(groups.items(), key=lambda group: ANYONE in group[1])
    parts = [_group([spelling[name] for name in sorted(names, key=ANYONE.__eq__)], said) for said, names in ordered]
    if rule_set.sitemaps:
        parts.append("".join(f"Sitemap: {url}\n" for url in rule_set.sitemaps))
    body = "\n".join(parts).encode()
    if len(body) > MAX_BYTES:
        longest = max(rule_set.rules, key=lambda rule: sum(map(len, (*rule.allow, *rule.disallow))))
        raise TooLargeError(len(body), longest.line)
    notes = [
        f"Protego, and so Scrapy, may read the rules for {spelling[names[0]]} otherwise than RFC 9309 has them: it "
        "counts '?', '&' and their like as three characters; use fewer wildcards beside them"
        for said, names in groups.items()
        if not said.alike
    ]
    if not by_name:
        notes.append("no rule holds then: the file allows everything")
    return Built(body, (*_notes(by_name, spelling), *notes))


def _by_name(rule_set: RuleSet, at: float) -> tuple[dict[str, list[Rule]], dict[str, str]]:
    """The rules in force that name each crawler, by its name in lower case; and how that is spelled first."""
    rules: dict[str, list[Rule]] = {}
    spelling: dict[str, str] = {}
    for rule in rule_set.rules:
        if rule.holds(at):
            for agent in rule.agents:
                spelling.setdefault(agent.lower(), agent)
            for name in dict.fromkeys(map(str.lower, rule.agents)):
                rules.setdefault(name, []).append(rule)
    return rules, spelling


def _merged(by_name: dict[str, list[Rule]]) -> dict[Told, list[str]]:
    """The crawlers that are told the same."""
    groups: dict[Told, list[str]] = {}
    known: dict[tuple[int, ...], Told] = {}
    for name, rules in by_name.items():
        key = tuple(map(id, rules))
        if key not in known:
            known[key] = told(rules)
        groups.setdefault(known[key], []).append(name)
    return groups


def compose_named(path: Path, rule_set: RuleSet, at: float) -> Built:
    """The same of the rules of a file. Raises InputError, which names it, where that is too long."""
    try:
        return compose(rule_set, at)
    except TooLargeError as error:
        raise fault(path, error.line, str(error), "disallow folders, or use wildcards, not single files") from error


def _group(names: list[str], said: Told) -> str:
    lines = [f"User-agent: {name}" for name in names]
    lines += [f"{'Allow' if allows else 'Disallow'}: {pattern}" for pattern, allows in said.rules]
    if not said.rules:
        lines.append("Disallow:")
    if said.crawl_delay is not None:
        lines.append(f"Crawl-delay: {said.crawl_delay:g}")
    return "\n".join(lines) + "\n"


def _notes(by_name: dict[str, list[Rule]], spelling: dict[str, str]) -> list[str]:
    """What is right by RFC 9309, and may not be what was meant."""
    notes = []
    everybody = by_name.get(ANYONE, [])
    for name, rules in by_name.items():
        if name == ANYONE:
            continue
        lost = [rule for rule in everybody if rule not in rules and rule.disallow]
        if lost and not any("/" in rule.disallow for rule in rules):
            where = f" (line {lost[0].line})" if lost[0].line else ""
            notes.append(
                f"{spelling[name]} is named, and no longer obeys what is disallowed to *{where}: name it there too, "
                "unless that is meant"
            )
        if any(char.isdigit() for char in name):
            notes.append(f"{spelling[name]} has a digit: RFC 9309 knows none in a name, and readers differ on it")
    return notes
