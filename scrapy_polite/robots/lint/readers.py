"""Who reads a robots.txt in which way, and the proof that a finding changes what one of them may fetch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy_polite.robots.classic import FirstMatch
from scrapy_polite.robots.dialect import Dialect, Group, Rule
from scrapy_polite.robots.dialects import DIALECTS
from scrapy_polite.robots.geoportal import FirstMatchWithWildcards
from scrapy_polite.robots.groups import groups
from scrapy_polite.robots.lines import UTF16_MARKS
from scrapy_polite.robots.lint.document import ANYONE
from scrapy_polite.robots.lint.finding import Ask, Proof
from scrapy_polite.robots.paths import normal_patterns, patterns_as_written
from scrapy_polite.robots.rfc import RFC
from scrapy_polite.robots.rules import MAX_BYTES, RobotsTxt

if TYPE_CHECKING:
    from scrapy_polite.decision import Decision

#: What the second answer of a proof is to, where it is no other dialect's.
MENDED, WHOLE = "mended", "whole"

#: Octets that readers are given of one file and what its edits make of it, over all proofs: three readings of the
#: longest file, which take 0.4 s at worst, hundreds of an ordinary one. Fewer: errors of long files are told as hints.
_MAX_PARSED = 3 * MAX_BYTES
#: Questions that are asked about one finding: where no other is answered in two ways, it stays a hint.
_MAX_ASKS = 1_000


def _in_file_order(rules: list[Rule], max_cost: int) -> FirstMatchWithWildcards:
    kept = [rule for rule in rules if rule[2] or not rule[1]]
    patterns = normal_patterns(patterns_as_written([rule[2] for rule in kept]))
    return FirstMatchWithWildcards(FirstMatch.ordered(patterns, [rule[0] for rule in kept], max_cost))


#: Readers that know wildcards and take the first rule that matches, as urllib.robotparser of Python does without them.
FIRST_MATCH = Dialect("first-match", groups, _in_file_order)

_FIELD_AND_COLON = re.compile(rb"[ \t]*[A-Za-z-]+(?: agent)?[ \t]*:")


def _by_the_grammar(lines: Sequence[bytes], token: str | None) -> Sequence[Group]:
    found = groups([line if _FIELD_AND_COLON.match(line) else b"" for line in lines], token)
    if lines[0][:2] in UTF16_MARKS:  # a group without a name would be looked for in another encoding
        return [replace(group, name=ANYONE) for group in found]
    return found


#: Readers that take what the grammar of RFC 9309 §2.2 has, and no more: UTF-8, a colon behind each field. So does
#: urllib.robotparser of Python.
RFC_GRAMMAR = Dialect("rfc-grammar", _by_the_grammar, RFC.matcher)

READERS: dict[str, Dialect] = {
    **{name: dialect for name, dialect in DIALECTS.items() if name != "strictest"},
    FIRST_MATCH.name: FIRST_MATCH,
    RFC_GRAMMAR.name: RFC_GRAMMAR,
}


class Readings:
    """What readers make of one file, as it is and as its edits leave it; each is read once, within a bound."""

    def __init__(self, whole: bytes) -> None:
        self.whole = whole
        self._left = max(_MAX_PARSED, 2 * len(whole)) if len(whole) > MAX_BYTES else _MAX_PARSED
        self._read: dict[tuple[bytes, str, str, int], RobotsTxt] = {}

    def differing(self, asks: Iterable[Ask], reader: str, other: str) -> Proof | None:
        """The first question that two dialects answer in different ways."""
        return self._first(asks, self.whole, reader, self.whole, other, other)

    def changed(self, asks: Sequence[Ask], mended: bytes, readers: Iterable[str]) -> Proof | None:
        """The first question that a reader answers in another way once the file is mended."""
        if mended == self.whole:
            return None
        found = (self._first(asks, self.whole, reader, mended, reader, MENDED) for reader in readers)
        return next(filter(None, found), None)

    def beyond(self, asks: Iterable[Ask]) -> Proof | None:
        """The first question that one who reads the whole of a long file answers in another way."""
        return self._first(asks, self.whole, "rfc", self.whole, "rfc", WHOLE)

    def _first(
        self, asks: Iterable[Ask], body: bytes, reader: str, other_body: bytes, other_reader: str, other: str
    ) -> Proof | None:
        whole = len(other_body) if other == WHOLE else MAX_BYTES
        for number, (agent, path) in enumerate(asks):
            one = self._robots(body, agent, reader, MAX_BYTES)
            two = self._robots(other_body, agent, other_reader, whole)
            if number >= _MAX_ASKS or one is None or two is None:
                return None
            url = f"https://example.com{path}"
            first, second = one.decide(url), two.decide(url)
            if first.allowed != second.allowed and not _undecided(first, second):
                return Proof(agent, path, reader, first.allowed, first.line, other, second.line)
        return None

    def _robots(self, body: bytes, agent: str, reader: str, max_bytes: int) -> RobotsTxt | None:
        """None once readers have been given as much as they are to be given."""
        key = body, agent, reader, max_bytes
        found = self._read.get(key)
        if found is None:
            octets = min(len(body), max_bytes)
            if octets > self._left:
                return None
            self._left -= octets
            found = self._read[key] = RobotsTxt.parse(body, agent, dialect=READERS[reader], max_bytes=max_bytes)
        return found


def _undecided(*decisions: Decision) -> bool:
    """Whether a reader has given up on a question: that is no answer."""
    return any(decision.reason == "robots/too-costly" for decision in decisions)
