"""The table of words that stand in dates: which words are in it, of which languages, and what it costs."""

# ruff: noqa: RUF001 - letters of other alphabets look like Latin ones

from __future__ import annotations

import re
import subprocess
import sys
from importlib.resources import files
from unicodedata import normalize

import pytest

from scrapy_polite.traps.date_words import date_words, digits, without_date_names

TABLE = files("scrapy_polite.traps").joinpath("date_words.txt")
MAX_BYTES = 150_000


def words_left(text: str) -> list[str]:
    """The words of a text that stand in no date."""
    text = without_date_names(digits(normalize("NFKC", text).lower()))
    return [word for word in re.findall(r"[^\W\d_]+", text) if word not in date_words()]


@pytest.mark.parametrize(
    "words",
    [
        "january jan march may sept monday mon tue am pm week weeks year minutes ago",
        "märz dezember montag mo jahr jahren monaten woche kw",
        "février août lundi mars semaine matin",
        "enero sábado miércoles años",
        "janeiro fev segunda feira",
        "января январь вт понедельник среду недель дня г",
        "січня понеділок тижнів",
        "stycznia styczeń poniedziałek tygodni",
        "ledna pondělí týdny",
        "ocak şubat pazartesi hafta",
        "ιανουαρίου ιανουάριος δευτέρα εβδομάδα",
        "tammikuuta maanantaina viikkoa",
        "نوفمبر الاثنين أسبوع ص م",
        "ژانویه دوشنبه هفته",
        "ינואר בינואר שני שבוע",
        "فروردین اردیبهشت مرداد آبان اسفند",
        "محرم رجب شعبان رمضان شوال ذیقعده",
        "תשרי חשוון כסלו בניסן אלול",
        "चैत्र वैशाख कार्तिक मार्गशीर्ष",
        "মাঘ ফাল্গুন শ্রাবণ",
        "መስከረም ጥቅምት ጳጉሜን",
        "जनवरी मई सोमवार सप्ताह",
        "월요일 오전 년 월 일",
        "年 月 日 时 時 分 週 周",
        "st nd rd th utc gmt cet cest est edt pst pdt",
    ],
    ids=lambda words: words.split()[0],
)
def test_words_of_dates_are_known(words: str) -> None:
    assert [word for word in words.split() if word not in date_words()] == []


PROSE = (
    "mehr tout azar artikel the price of de la el da do so to on in an is des der und que по не за صفر اول في من می और "
    "上海 a x"
)


@pytest.mark.parametrize("word", PROSE.split())
def test_words_of_prose_are_no_words_of_dates(word: str) -> None:
    assert word not in date_words()


@pytest.mark.parametrize(
    "date",
    [
        "3rd March 2026, 10:15 pm",
        "Montag, 3. März 2026",
        "lundi 3 février 2026",
        "3 января 2026 г.",
        "poniedziałek, 3 stycznia 2026",
        "3 Ocak 2026 Pazartesi",
        "Δευτέρα 3 Ιανουαρίου 2026",
        "الاثنين، ٣ نوفمبر ٢٠٢٦",
        "دوشنبه ۳ ژانویه ۲۰۲۶",
        "יום שני, 3 בינואר 2026",
        "सोमवार, ३ जनवरी २०२६",
        "সোমবার, ৩ মার্চ, ২০২৬",
        "திங்கள், 3 மார்ச், 2026",
        "2026年3月3日(月)",
        "2026年3月3日月曜日 午後10時15分",
        "2026年3月3日星期一 下午",
        "２０２６年３月３日週一",
        "2026년 3월 3일 월요일 오후",
        "วันจันทร์ 3 มกราคม 2026",
        "3 ม.ค. 2026",
        "ວັນຈັນ 3 ມັງກອນ 2026",
    ],
)
def test_nothing_is_left_of_a_date(date: str) -> None:
    assert words_left(date) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("会議は3月3日月曜日に東京で", "会議は に東京で"),
        ("会议于星期一在上海", "会议于 在上海"),
        ("ประชุมมกราคมกรุงเทพ", "ประชุม กรุงเทพ"),
        ("सोमवार को दिल्ली में", "को दिल्ली में"),
        ("सोमवारका", "सोमवारका"),
    ],
    ids=["Japanese", "Chinese", "Thai", "Hindi", "part of a Hindi word"],
)
def test_names_that_are_no_words_are_taken_out_of_a_text(text: str, left: str) -> None:
    found = without_date_names(text)
    assert re.sub(r"[\d月日\s]+", " ", found).strip() == left


@pytest.mark.parametrize("text", ["", "on monday, 3 may", "am montag, 3. märz", "понедельник", "월요일"])
def test_a_text_of_words_is_left_as_it_is(text: str) -> None:
    assert without_date_names(text) is text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("٢٠٢٦/٠٣/٠١", "2026/03/01"),
        ("१५ मार्च २०२६", "15 मार्च 2026"),
        ("２０２６年", "2026年"),
        ("۱۴۰۴", "1404"),
        ("x² ½ 三 é 7", "x² ½ 三 é 7"),
        ("7 May", "7 May"),
    ],
    ids=["Arabic", "Devanagari", "full width", "Persian", "no decimal digits", "ASCII"],
)
def test_decimal_digits_are_read_in_every_script(text: str, read: str) -> None:
    assert digits(text) == read


def test_the_table_is_small_sorted_and_says_where_it_comes_from() -> None:
    table = TABLE.read_bytes()
    head, *words = table.decode().splitlines()
    assert len(table) < MAX_BYTES
    assert words == sorted(set(words))
    assert all(part in head for part in ("CLDR", "Unicode License v3", "python docs/date_words.py"))


def test_the_table_is_in_the_form_that_texts_are_in() -> None:
    text = TABLE.read_text(encoding="utf-8").partition("\n")[2]
    assert text == normalize("NFKC", text).lower()


def test_the_table_is_not_read_before_it_is_needed() -> None:
    code = """
from scrapy_polite.traps import date_words
assert date_words.date_words.cache_info().currsize == 0
assert "may" in date_words.date_words()
assert date_words.date_words.cache_info().currsize == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)
