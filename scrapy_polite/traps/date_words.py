"""The words that stand in dates, in every language of CLDR: names of months and weekdays, parts of the day, units.

The unit of work is a word, or a text. Both are expected in lower case and in the normal form NFKC, as the table is:
`date_words.txt`, which `docs/date_words.py` writes. It is read when the first word is asked for.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from unicodedata import category, decimal

#: Scripts written without spaces: Thai, Lao, Tibetan, Burmese; Khmer; kana; Han.
_UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff"
UNSPACED = re.compile(f"[{_UNSPACED}]")

#: Scripts of India, from Devanagari to Sinhala. They have spaces, but `\w` is false of their vowel signs.
_INDIC = "\u0900-\u0dff"
INDIC_WORD = re.compile("[{}]+".format("".join(char for char in map(chr, range(0x900, 0xE00)) if category(char) < "N")))

_NAMED = re.compile(f"[{_INDIC}{_UNSPACED}]")
_OTHER_DIGIT = re.compile("(?![0-9])\\d")


def without_date_names(text: str) -> str:
    """A text without those names that `\\w+` does not find: of scripts without spaces, or with vowel signs."""
    if text.isascii() or not _NAMED.search(text):
        return text
    words = date_words()
    text = INDIC_WORD.sub(lambda match: " " if match[0] in words else match[0], text)
    return _names().sub(" ", text)


def digits(text: str) -> str:
    """A text with ASCII digits for the decimal digits of every script, as the Arabic and the full-width ones."""
    return text if text.isascii() else _OTHER_DIGIT.sub(lambda match: str(decimal(match[0])), text)


@cache
def date_words() -> frozenset[str]:
    """The whole table. A word of a few letters that prose is full of, as "de", is not in it."""
    lines = files(__package__).joinpath("date_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))


@cache
def _names() -> re.Pattern[str]:
    """The names without spaces round them. One of a single character would be found in other words too."""
    by_first: dict[str, list[str]] = {}
    # The longest first: 星期一 before 星期.
    for name in sorted(date_words(), key=len, reverse=True):
        if len(name) > 1 and UNSPACED.match(name):
            by_first.setdefault(name[0], []).append(re.escape(name[1:]))
    # By their first character, so that few are tried at each place of a text.
    return re.compile("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in by_first.items()))
