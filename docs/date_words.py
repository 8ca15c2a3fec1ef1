"""Write `scrapy_polite/traps/date_words.txt`: the words that stand in dates, in every language of CLDR.

    python docs/date_words.py            write
    python docs/date_words.py --check    change nothing; exit status 1 where the file is out of date

The names come from babel, and those of months in other calendars, which babel does not have, from ICU (icu4py): their
versions decide on that of CLDR, and tox.ini pins them. Of babel's data these are left out: narrow names (mostly one
letter), eras, quarters. It has no words for today and yesterday.
"""

# ruff: noqa: RUF001, RUF003 - letters of other alphabets look like Latin ones

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from unicodedata import normalize

from babel import localedata
from babel.core import get_cldr_version
from icu4py.messageformat import MessageFormat

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the scripts of this tree, whatever is installed

from scrapy_polite.traps.date_words import INDIC_WORD, UNSPACED  # noqa: E402

FILE = ROOT / "scrapy_polite" / "traps" / "date_words.txt"
HEAD = (
    f"# Words of dates in all languages, from Unicode CLDR {get_cldr_version()} by babel and ICU, under the Unicode "
    "License v3 (https://www.unicode.org/license.txt). Made by: python docs/date_words.py\n"
)

WIDTHS = {
    "months": ("wide", "abbreviated"),
    "days": ("wide", "abbreviated", "short"),
    "day_periods": ("wide", "abbreviated"),
}
UNITS = ("year", "month", "week", "day", "hour", "minute", "second")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
PARTS = (*WIDTHS, "unit_patterns", "unit_display_names", "date_fields")

#: Calendars, and the languages in which their months are written where they are in use. In any other language they are
#: foreign words, many of which mean something else there: Mehr, Tir, Tout.
CALENDARS = {
    "persian": "fa",
    "islamic": "ar fa ps sd ug ur",
    "hebrew": "he yi",
    "indian": "as bn gu hi kn kok mai ml mr ne or pa ta te",
    "ethiopic": "am ti",
}
#: Days in whose months all names occur, leap months too.
DAYS = [datetime(2024, 1, 1, 12, tzinfo=timezone.utc) + timedelta(days=5 * step) for step in range(240)]

#: What stands in dates and is not in CLDR's names, or too short to be taken from them: г is a Russian year, ص and م are
#: Arabic a.m. and p.m., मई and its like are May.
MORE = """
    th st nd rd utc gmt cet cest est edt pst pdt kw
    年 月 日 时 時 分 시 년 월 일 週 周
    г ص م मई मे মে ਮਈ મે ମଇ மே మే ಮೇ
"""

#: Languages with so many pages that their short words are worth it. "are", "her" and "was" are names in others.
LARGE = """
    af ar az bg bs ca cs cy da de el en es et eu fa fi fil fr ga gl he hi hr hu hy id is it ja ka kk ko lb lt lv mk ms
    mt nb nl nn no pl pt ro ru sk sl sq sr sv sw th tr uk uz vi zh
"""

#: Words that pages are full of. Most are names too, but short ones: "so" is a German Sunday, "la" a Finnish Saturday.
PROSE = """
    aa al ale an and any api are as at au az ba be bi bir bis bu by can ce ch che chi ci com cs cu da dal dan das dat dc
    dd de del dem den der des det di die dim din dl do don dos dt du el em en er es este et eu for form fra fred freed
    gli ha hai han has he her here het hij him his ho hoy i il ile in ip is isn it ja je kan ke ki kun la las le led les
    let ll lo los ma mais man mas md me mean men mes met mi mis mit mm mot mount mp mu my na nas ne nie nm no nos not
    now o od of om on open or os par pas pay pe per po pod pop poslije pot pr pre prije pro przed qui sa se sem ses sh
    sha si sie sin so som son su sub sul ta tag te ten than that the time to ton tr tra tu tva un una unit uri us va val
    van vas ve vi vm vo von vor was we wer wiki wir ws ya yang you za ze zu
    après en là önce på până sonra és și é à öğleden după
    да до за на не но об под по пр през прије сл то
    δε και να το
    אב אחד אחר אחת שתי
    از الآخر الآخرة الأولى الاخر الاول الثانی الحج اول بعد به بیع جماعه دیگر ذو ذي سه صفر قبل في ما من می نیمه
    મહા
    수 ที่แล้ว ในอีก ໃນອີກ ព្រ មុន ទៀត အတွင်း
"""

#: Written together with the name that follows: Hebrew "in".
PREFIX = {"he": "ב"}

#: Kana, Han and Hangul, of which one character can be a word.
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
_TOKEN = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\{0\}|\d+")


def strings(value: Any) -> Iterator[str]:
    """The strings in nested dictionaries, but for those as "{0} per week"."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key in value:
            if key != "per":
                yield from strings(value[key])


def tokens(name: str) -> list[str]:
    """The words of a name, without its numbers; those of scripts without spaces as they stand, dots and all."""
    name = _NUMBER.sub(" ", normalize("NFKC", name).lower())
    if UNSPACED.search(name):
        return [*filter(UNSPACED.match, name.split())]
    return INDIC_WORD.findall(name) or _TOKEN.findall(name)


def names(data: Mapping[str, Any]) -> Iterator[list[str]]:
    """The names in a locale's data, each as its words."""
    for kind, widths in WIDTHS.items():
        for context in ("format", "stand-alone"):
            for width in widths:
                yield from map(tokens, strings(data[kind][context].get(width)))
    for kind in ("unit_patterns", "unit_display_names"):
        for unit in UNITS:
            yield from map(tokens, strings(data[kind].get(f"duration-{unit}")))


def other_months(identifier: str) -> Iterator[list[str]]:
    """The names of months in other calendars, in a language where these are in use."""
    for calendar, languages in CALENDARS.items():
        if identifier in languages.split():
            months = MessageFormat("{day, date, MMMM}/{day, date, LLLL}", f"{identifier}@calendar={calendar}")
            for name in sorted({name for day in DAYS for name in months.format({"day": day}).split("/")}):
                yield tokens(name)


def relative(data: Mapping[str, Any]) -> Iterator[list[str]]:
    """The words of "in {0} weeks" and its like. A word of more units than one is no name: "in", "ago"."""
    for units in (UNITS, WEEKDAYS):
        units_of: dict[str, set[str]] = {}
        for unit in units:
            for width in ("", "-short", "-narrow"):
                for pattern in strings(data["date_fields"].get(unit + width)):
                    for token in tokens(pattern):
                        units_of.setdefault(token, set()).add(unit)
        yield [token for token, found in units_of.items() if len(found) == 1]


def words() -> set[str]:
    large = frozenset(LARGE.split())
    found: set[str] = set()
    found_in_large: set[str] = set()
    whole_in_large: set[str] = set()
    for identifier in localedata.locale_identifiers():
        language = identifier.partition("_")[0]
        loaded = localedata.load(identifier)
        # A copy: babel keeps resolved aliases in data that locales share, so that one has the names of another.
        data = localedata.LocaleDataDict(deepcopy({part: loaded[part] for part in PARTS}))
        named = [*names(data), *other_months(identifier)]
        whole = {name[0] for name in named if len(name) == 1}
        of_locale = {word for name in (*named, *relative(data)) for word in name}
        if prefix := PREFIX.get(language):
            of_locale |= {prefix + word for word in whole}
        found |= of_locale
        if language in large:
            found_in_large |= of_locale
            whole_in_large |= whole

    def is_clear(word: str) -> bool:
        """Whether a word is long enough not to be found in other names and words."""
        if _EAST_ASIAN.match(word):
            return True
        if UNSPACED.match(word):
            return len(word) >= 3 and sum(map(str.isalpha, word)) >= 2
        if INDIC_WORD.match(word):
            return len(word) >= 3
        if word.isascii() and len(word) <= 3:
            return len(word) > 1 and word in whole_in_large
        if word.isascii() and len(word) == 4:
            return word in found_in_large
        return len(word) > 1

    return {*filter(is_clear, found.difference(PROSE.split())), *MORE.split()}


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the table of words of dates.")
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args().check

    name = FILE.relative_to(ROOT)
    old = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
    new = HEAD + "".join(f"{word}\n" for word in sorted(words()))
    if new == old:
        print(f"{name}: nothing to mend")
    elif check:
        print(f"{name}: out of date; run python docs/date_words.py")
        return 1
    else:
        FILE.write_text(new, encoding="utf-8", newline="\n")
        print(f"{name}: written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
