"""What a kind of finding is: its stable id, what is wrong, what readers make of it, how it is found and proved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from scrapy_polite.robots.lint.finding import ERROR, HINT, Finding

if TYPE_CHECKING:
    from scrapy_polite.robots.lint.document import Document
    from scrapy_polite.robots.lint.finding import Found, Proof

#: How what a kind finds may be shown to change a verdict. None: it changes none.
#: - a pair of readers that differ on the file as it is,
#: - MENDING: one reader, before and after all edits of the kind,
#: - BEYOND: one who stops at 500 KiB, and one who does not.
MENDING, BEYOND = "mending", "beyond"

_DIALECTS = ("rfc", "classic", "classic-0.0", "geoportal", "strictest")


@dataclass(frozen=True, slots=True)
class Kind:
    """`title` is one sentence for a list of rules, `readers` what each dialect's readers make of it.

    `proof` is how it earns to be an error: see above. `mend` makes the file without any finding of this kind, where
    that is not done by the edits of its findings.
    """

    id: str
    title: str
    readers: Mapping[str, str]
    check: Callable[[Document], Iterable[Found]]
    proof: str | tuple[str, str] | None = None
    mend: Callable[[Document], bytes] | None = None

    def finding(self, one: Found, proof: Proof | None = None) -> Finding:
        """What was found, as an error where it has been proved."""
        level = ERROR if proof else HINT
        return Finding(self.id, one.line, one.column, level, one.message, one.fix, self.readers, one.edit, proof)


def alike(text: str) -> Mapping[str, str]:
    """All readers make the same of it."""
    return MappingProxyType(dict.fromkeys(_DIALECTS, text))


def apart(rfc: str, classic: str, *, classic_0_0: str = "", geoportal: str = "") -> Mapping[str, str]:
    """Readers differ: those of RFC 9309, of the draft of 1996, of the text of 1994, of Geoportal."""
    texts = (rfc, classic, classic_0_0 or classic, geoportal or rfc, "fetches what all of these allow, and no more")
    return MappingProxyType(dict(zip(_DIALECTS, texts, strict=True)))
