"""Findings about groups and about rules that meet: who obeys them, and which rule decides for whom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from scrapy_polite.robots.classic import CLASSIC_0_0
from scrapy_polite.robots.dialect import MAX_COST, Rule
from scrapy_polite.robots.lines import USER_AGENT
from scrapy_polite.robots.lint.document import ANYONE, Document, Group, agent_of, path_for, shown
from scrapy_polite.robots.lint.finding import Ask, Edit, Found
from scrapy_polite.robots.lint.kinds import MENDING, Kind, alike, apart
from scrapy_polite.robots.lint.readers import FIRST_MATCH
from scrapy_polite.robots.paths import normal_patterns, patterns_as_written
from scrapy_polite.robots.rfc import RFC
from scrapy_polite.text import counted

_WORD = re.compile(rb"[A-Za-z0-9]")

#: Files of one folder, closed one by one, that are told.
MANY_FILES = 10
#: Rules of a group that are asked about where one of them is enough.
_SOME = 20
#: Wildcards times paths that are compared with them, for one crawler: half a second's worth at worst.
_MAX_COMPARED = 1_000_000


def _blank_after_agent(document: Document) -> Iterator[Found]:
    directives = document.directives
    for at, (number, what, value, _) in enumerate(directives):
        if what != USER_AGENT:
            continue
        last = at + 1 == len(directives)
        end = len(document.lines) + 1 if last else directives[at + 1][0]
        between = document.lines[number : end - 1]
        if last and not document.lines[-1]:
            between = between[:-1]  # the end of the last line begins no other
        blank = next((place for place, line in enumerate(between) if not line.strip()), None)
        if blank is None:
            continue
        rules = document.group_at[number].rules[:_SOME]
        asker = agent_of(value) or ANYONE
        yield Found(
            number + 1 + blank,
            1,
            f"a blank line follows User-agent in line {number}, "
            + ("and no rule: the group is empty" if last else "where older readers see the end of the group"),
            "delete the line" if last else "delete the blank line",
            tuple(Ask(asker, path_for(rule[2])) for rule in rules),
            None if last else Edit(number + 1, end - 1, tuple(line for line in between if line.strip())),
        )


def _same_rule_twice(document: Document) -> Iterator[Found]:
    told: set[int] = set()
    for _, rules in document.told(lambda value: value.lower().decode("latin-1")):
        first: dict[tuple[bool, str], int] = {}
        for rule, pattern in zip(rules, _normal(rules), strict=True):
            number, allow = rule[0], rule[1]
            before = first.setdefault((allow, pattern), number)
            if before != number and number not in told:
                told.add(number)
                same_group = document.group_at[before] is document.group_at[number]
                yield Found(
                    number,
                    1,
                    f"the rule {shown(rule[3].strip())} stands in line {before} already",
                    "delete one of the two",
                    edit=Edit(number, number, ()) if same_group else None,
                )


def _normal(rules: Sequence[Rule]) -> list[str]:
    """Their patterns, in the spelling in which readers compare them."""
    return normal_patterns(patterns_as_written([rule[2] for rule in rules]))


def _same_agent(document: Document) -> Iterator[Found]:
    first: dict[bytes, int] = {}
    for directive in document.directives:
        number, what, value, _ = directive
        if what != USER_AGENT:
            continue
        before = first.setdefault(value.lower(), number)
        if before != number:
            group = document.group_at[number]
            apart_ = document.group_at[before] is not group
            yield Found(
                number,
                document.value_column(directive),
                f"{shown(value, 40)} has a group already, in line {before}"
                + (": newer readers put both together, older ones obey the first" if apart_ else ""),
                "write all rules for it in one group" if apart_ else "delete one of the two lines",
                tuple(Ask(agent_of(value) or ANYONE, path_for(rule[2])) for rule in group.rules[:_SOME])
                if apart_
                else (),
            )


def _wildcard_in_agent(document: Document) -> Iterator[Found]:
    for directive in document.directives:
        number, what, value, text = directive
        if what == USER_AGENT and b"*" in value and agent_of(value) != ANYONE:
            name = value[: len(agent_of(value) or "")]
            readers = f"readers take it for {shown(name, 40)}" if name else "no crawler is called so"
            column = document.value_column(directive)
            message = f"names have no wildcards: {shown(value, 40)}; {readers}"
            if value.startswith(b"*") and not _WORD.search(value):  # such as a no-break space behind it
                rules = document.group_at[number].rules[:_SOME]
                asks = tuple(Ask(ANYONE, path_for(rule[2])) for rule in rules)
                edit = Edit(number, number, (text.partition(b":")[0] + b": *",))
                yield Found(number, column, message, "write: User-agent: *", asks, edit)
            else:
                fix = f"write: {name.decode()}" if name else "write the whole name, or * alone for all"
                yield Found(number, column, message, fix)


def _first_match(document: Document) -> Iterator[Found]:
    told: set[int] = set()
    for name, rules in document.distinct:
        allows = {rule[1] for rule in rules if rule[2]}
        if len(allows) < 2:
            continue
        wildcards = sum(b"*" in rule[2] for rule in rules)
        kinds = {number: allow or not pattern for number, allow, pattern, _ in rules}
        longest, first = RFC.matcher(list(rules), MAX_COST), FIRST_MATCH.matcher(list(rules), MAX_COST)
        for rule in rules[: _MAX_COMPARED // (wildcards or 1)]:
            number, _, pattern, _ = rule
            if number in told or pattern[:1] != b"/" or b"*" in pattern or pattern.endswith(b"$"):
                continue
            path = path_for(pattern)
            by_length, by_place = longest.deciding_line(path), first.deciding_line(path)
            if by_length < 0 or by_place < 0 or kinds[by_length] == kinds[by_place]:
                continue
            told.add(number)
            does, undoes = ("allows", "refuses") if kinds[by_length] else ("refuses", "allows")
            yield Found(
                number,
                document.value_column(rule),
                f"line {by_place} {undoes} {shown(pattern)} for readers that take the first rule that matches; line "
                f"{by_length} is longer, and {does} it for the others",
                f"move line {by_length} above line {by_place}: then all of them read the same",
                (Ask(name, path),),
            )


def _allow_for_classic(document: Document) -> Iterator[Found]:
    for name, rules in document.distinct:
        allows = [rule for rule in rules if rule[1] and rule[2]]
        if not allows or len(allows) == len(rules):
            continue
        oldest = CLASSIC_0_0.matcher(list(rules), MAX_COST)
        refused = {number: bool(pattern) for number, allow, pattern, _ in rules if not allow}
        in_vain = [rule for rule in allows if refused.get(oldest.deciding_line(path_for(rule[2])), False)]
        if in_vain:
            more = f" (and {len(in_vain) - 1:,} more)" if len(in_vain) > 1 else ""
            yield Found(
                in_vain[0][0],
                1,
                f"readers that follow the text of 1994 know no Allow: {shown(in_vain[0][2])}{more} is closed to them",
                "leave it, unless such a reader is to come: then disallow only what is not to be fetched",
                (Ask(name, path_for(in_vain[0][2])),),
            )


def _conflict(document: Document) -> Iterator[Found]:
    told: set[int] = set()
    for name, rules in document.distinct:
        before: dict[str, Rule] = {}
        for rule, pattern in zip(rules, _normal(rules), strict=True):
            other = before.setdefault(pattern, rule)
            if other[1] == rule[1] or not rule[2] or rule[0] in told:
                continue
            told.add(rule[0])
            allowing, refusing = (rule, other) if rule[1] else (other, rule)
            yield Found(
                rule[0],
                document.value_column(rule),
                f"{shown(rule[2])} is allowed in line {allowing[0]} and disallowed in line {refusing[0]}",
                f"delete one of the two; newer readers obey line {allowing[0]}",
                (Ask(name, path_for(rule[2])),),
            )


def _never_applies(document: Document) -> Iterator[Found]:
    for group in document.groups:
        if group.agents and not group.names:
            agent = group.agents[0]
            said = f"{shown(agent[2], 40)} names no crawler" if agent[2] else "the name is missing"
            what = f": nobody obeys the {counted(len(group.rules), 'rule')} below" if group.rules else ""
            yield Found(agent[0], document.value_column(agent), said + what, "write a crawler's name, or * for all")
        yield from _never_deciding(document, group)


def _never_deciding(document: Document, group: Group) -> Iterator[Found]:
    patterns = _normal(group.rules)
    places = {pattern: rule for rule, pattern in zip(group.rules, patterns, strict=True)}
    some = next((rule for rule in group.rules if rule[2]), None)
    for rule, pattern in zip(group.rules, patterns, strict=True):
        number, allow, value, _ = rule
        column = document.value_column(rule)
        if not value and not allow and some is not None and group.agents:
            yield Found(
                number,
                column,
                "a Disallow without a path allows everything, and the rules beside it forbid: newer readers skip it, "
                "for older ones it decides where it comes first",
                "delete the line",
                (Ask(group.asker, path_for(some[2])),),
                Edit(number, number, ()),
            )
        elif pattern == "/robots.txt" and not allow:
            yield Found(number, column, "robots.txt itself may always be fetched", "delete the line")
        elif value and (longer := places.get(f"{pattern}*")) is not None and longer[1] != allow:
            yield Found(
                number,
                column,
                f"{shown(longer[2])} in line {longer[0]} matches the same URLs and is longer: this rule never decides",
                "delete one of the two",
                (Ask(group.asker, path_for(value)),),
            )


def _many_files(document: Document) -> Iterator[Found]:
    for group in document.groups:
        folders: Counter[bytes] = Counter()
        first: dict[bytes, int] = {}
        for number, allow, pattern, _ in group.rules:
            folder, _, name = pattern.rpartition(b"/")
            if not allow and pattern[:1] == b"/" and b"." in name and b"*" not in pattern and b"?" not in pattern:
                folders[folder] += 1
                first.setdefault(folder, number)
        for folder, count in folders.items():
            if count >= MANY_FILES:
                where = f"the folder {shown(folder + b'/')}" if folder else "the top of the site"
                yield Found(
                    first[folder],
                    1,
                    f"{count:,} files of {where} are disallowed one by one",
                    f"disallow the folder, if it has nothing else: {shown(folder + b'/')[1:-1]}"
                    if folder
                    else "move the files into a folder, and disallow that",
                )


_ALL = "puts all groups of a name together"

KINDS = (
    Kind(
        "blank-after-agent",
        "A blank line stands between User-agent and the rules",
        apart("skips blank lines", "ends the group at the blank line: its rules are nobody's"),
        _blank_after_agent,
        MENDING,
    ),
    Kind("same-rule-twice", "A rule stands twice in what one crawler obeys", alike("obeys it once"), _same_rule_twice),
    Kind(
        "same-agent",
        "A crawler is named in several places",
        apart(_ALL, "obeys the first record that names it, and no other"),
        _same_agent,
        ("rfc", "classic"),
    ),
    Kind(
        "wildcard-in-agent",
        "A crawler's name has a wildcard",
        apart("reads the name up to the wildcard; a name that begins with one is nobody's", "takes it for a letter"),
        _wildcard_in_agent,
        MENDING,
    ),
    Kind(
        "first-match",
        "The first rule that matches says otherwise than the longest one",
        apart(
            "the longest rule decides",
            "the first rule that matches decides, as in Python's urllib.robotparser",
            classic_0_0="knows Disallow only",
            geoportal="the first rule decides, but for an Allow beneath a Disallow",
        ),
        _first_match,
        ("rfc", "first-match"),
    ),
    Kind(
        "allow-for-classic",
        "Readers that know no Allow are kept out of what it opens",
        apart("obeys Allow", "obeys Allow", classic_0_0="skips Allow: what is disallowed stays closed"),
        _allow_for_classic,
    ),
    Kind(
        "conflict",
        "One path is allowed and disallowed",
        apart("Allow wins", "the line that comes first wins", classic_0_0="Disallow wins", geoportal="Allow wins"),
        _conflict,
        ("rfc", "first-match"),
    ),
    Kind(
        "never-applies",
        "A rule never decides, or its group is nobody's",
        apart("never comes to it", "may come to it, where it stands first"),
        _never_applies,
        ("rfc", "first-match"),
    ),
    Kind(
        "many-files",
        "Many files of one folder are disallowed one by one",
        alike("obeys each; a rule for the folder says the same, and the list tells everybody what is in it"),
        _many_files,
    ),
)
