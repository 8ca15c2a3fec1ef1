"""More honest, finite sites of the shapes that the web has, in six languages, which look like traps to the naive.

Pure functions of a URL as those of `_zoo`. They were written without a look at the rules of quarantine.
"""

# ruff: noqa: RUF001 - these are other alphabets

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import lru_cache
from html import escape
from random import Random
from urllib.parse import quote, unquote, urlsplit

from _zoo import HTML, WORDS, Answer, Asked, Site, _hex, honest, name

MORE_HONEST: list[Site] = []


def _split(words: str) -> list[str]:
    return words.split()


# Languages

#: Small words, fronts, stems and ends of words.
_TONGUES = {
    "en": (
        "the of and to in is was for on with as by at from it that this or are be not has had its an but",
        "",
        """
        walk light work paint turn farm sail print form build water plant hunt ship order charm mark rest cook fish box
        land bank post sort fold lock rain sign star note test wind field garden butter silver winter summer matter
        number river market corner letter doctor master shelter thunder whisper wander answer wonder
        """,
        "s ed ing er ers less ward like man men house side yard line",
    ),
    "de": (
        "der die das und in zu den mit von für auf ist im nicht ein eine als auch es an werden aus sich dass nach bei",
        "",
        """
        Haus Garten Wasser Stadt Berg Wald Brief Licht Winter Sommer Markt Kirch Schul Wein Brot Stein Holz Feld Land
        See Meer Vogel Pferd Korn Salz Gold Silber Nacht Morgen Abend Herz Hand Kopf Buch Bild Turm Glas Schiff Mond
        """,
        "weg tor haus hof werk platz bau meister dorf bach grund stück zeit arbeit recht ordnung karte wagen blatt",
    ),
    "fr": (
        "le la les de des un une et en du que dans pour au sur avec ce qui est par ne pas plus son sa se il elle",
        "",
        """
        parl chant travers regard port march trouv mont pass tomb gard laiss pens demand dessin gagn jou lav compt
        montr quitt ferm coup plant sembl pouss tourn arriv rest dans aim cherch donn entr habit invit oubli prépar
        """,
        "er é ée és ées ait aient ant era erait ons ez ent eur euse",
    ),
    "ru": (
        "и в не на он что как это по но из у за от так же для мы вы они она было был бы уже ещё когда если",
        "",
        """
        дом город лес завод мост сад вечер голос берег хлеб поезд парус остров холод закон вопрос ответ народ обед урок
        стол ветеран разговор рассказ журнал музей театр магазин вокзал самолёт корабль пароход колокол учебник
        """,
        "а у ом е ы ов ам ами ах",
    ),
    "ar": (
        "في من على إلى عن مع هذا هذه التي الذي كان كانت قد لا ما أن إن هو هي ثم بعد قبل عند كل بين",
        "ال وال بال لل و",
        """
        كتاب بيت مدينة شارع مدرسة جامعة نهر بحر جبل سماء شمس قمر ليل نهار صباح مساء طعام خبز ماء باب نافذة سوق قرية
        طريق سيارة قطار مطار وزير رئيس مجلس قانون محكمة صحيفة خبر لغة كلمة شاعر قصيدة معلم طالب طبيب عامل تاجر متحف
        """,
        "ها هم نا",
    ),
    "ja": (
        "は が を に の と も で へ から まで です ます した して いる ある ない この その あの とても また",
        "",
        """
        山 川 海 空 花 森 雨 風 雪 月 星 春 夏 秋 冬 朝 夜 東 西 南 北 大 小 新 古 高 白 黒
        赤 青 金 石 木 水 町 国
        """,
        "道 村 田 原 島 口 本 手 人 子 家 寺 門 橋 船 車 駅 声 心 色 光 草 鳥 魚 野",
    ),
}
#: Home, previous, next, and what is at the foot of each page.
_CHROME = {
    "en": ("Home", "Previous", "Next", "All rights reserved. Terms of use. Privacy. Contact us."),
    "de": ("Startseite", "Zurück", "Weiter", "Alle Rechte vorbehalten. Impressum. Datenschutz. Kontakt."),
    "fr": ("Accueil", "Précédent", "Suivant", "Tous droits réservés. Mentions légales. Nous contacter."),
    "ru": ("Главная", "Назад", "Вперёд", "Все права защищены. О сайте. Обратная связь."),
    "ar": ("الرئيسية", "السابق", "التالي", "جميع الحقوق محفوظة. اتصل بنا. سياسة الخصوصية."),
    "ja": ("ホーム", "前へ", "次へ", "無断転載を禁じます。お問い合わせ。プライバシーポリシー。"),
}
_MONTHS = {
    "en": _split("January February March April May June July August September October November December"),
    "de": _split("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    "fr": _split("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    "ru": _split("января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    "ar": _split("يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر"),
    "ja": [f"{month}月" for month in range(1, 13)],
}
_WEEKDAYS = {
    "en": _split("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "de": _split("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag"),
    "fr": _split("lundi mardi mercredi jeudi vendredi samedi dimanche"),
    "ru": _split("понедельник вторник среда четверг пятница суббота воскресенье"),
    "ar": _split("الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد"),
    "ja": _split("月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日"),
}
_PEOPLE = {
    "en": ("John Mary William Ann Thomas Alice Henry Jane", "Smith Baker Carter Wright Turner Cook Mason Shepherd"),
    "de": ("Anna Johann Maria Georg Elisabeth Michael Barbara Hans", "Müller Huber Schneider Bauer Weber Maier Koch"),
    "fr": ("Jean Marie Pierre Jeanne Louis Anne François Claire", "Martin Bernard Dubois Moreau Laurent Girard Roux"),
    "ru": ("Иван Мария Пётр Анна Николай Ольга Сергей Елена", "Петренко Шевчук Ткаченко Бондарь Белых Черных Долгих"),
    "ar": ("محمد فاطمة أحمد مريم علي زينب يوسف سارة", "الحسن النجار الحداد المصري الشامي العلي الخطيب"),
    "ja": ("太郎 花子 一郎 美咲 健太 由美 誠 恵", "佐藤 鈴木 高橋 田中 伊藤 渡辺 山本 中村"),
}
_TOWNS = {
    "de": _split(
        "Passau Regensburg Landshut Augsburg Kempten Bamberg Coburg Erlangen Fürth Ansbach Straubing Freising"
    ),
    "fr": _split("Lyon Dijon Mâcon Tours Nantes Rennes Brest Angers Poitiers Limoges Pau Nîmes Arles Metz Nancy Reims"),
    "ja": _split(
        "上野 新宿 品川 大宮 横浜 千葉 熱海 小田原 高崎 宇都宮 水戸 長野 松本 甲府 三島 静岡 浜松 名古屋 京都 大阪"
    ),
}
_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


@lru_cache
def _vocabulary(language: str) -> tuple[list[str], list[str]]:
    """Words that mean something, and these among small words as they come in a text."""
    small, fronts, stems, ends = (part.split() for part in _TONGUES[language])
    forms = [front + stem + end for front in ("", *fronts) for stem in stems for end in ("", *ends)]
    return forms, forms + small * (len(forms) // len(small))


def _words(rng: Random, language: str, count: int = 2) -> str:
    words = ("" if language == "ja" else " ").join(rng.choices(_vocabulary(language)[0], k=count))
    return words[:1].upper() + words[1:]


def _said(rng: Random, language: str, count: int = 60) -> str:
    """Sentences of `count` words in all."""
    glue, stop = ("", "。") if language == "ja" else (" ", ". ")
    words = rng.choices(_vocabulary(language)[1], k=count)
    sentences = [glue.join(words[at : at + 9]) for at in range(0, count, 9)]
    return "".join(f"{one[0].upper()}{one[1:]}{stop}" for one in sentences).strip()


def _person(rng: Random, language: str) -> str:
    given, family = (rng.choice(part.split()) for part in _PEOPLE[language])
    return f"{family}{given}" if language == "ja" else f"{given} {family}"


def _dated(day: date, language: str) -> str:
    weekday, month = _WEEKDAYS[language][day.weekday()], _MONTHS[language][day.month - 1]
    if language == "ja":
        return f"{day.year}年{month}{day.day}日 {weekday}"
    comma = {"fr": "", "ar": "،"}.get(language, ",")
    return f"{weekday}{comma} {day.day}{'.' if language == 'de' else ''} {month} {day.year}"


def _clock(minutes: float) -> str:
    return f"{int(minutes) // 60 % 24:02}:{int(minutes) % 60:02}"


# Pages


def _answer(language: str, title: str, body: str, head: str = "", heading: str = "") -> Answer:
    home, _, _, foot = _CHROME[language]
    turned = ' dir="rtl"' if language == "ar" else ""
    return Answer(
        200,
        HTML,
        f'<!doctype html>\n<html lang="{language}"{turned}>\n<head><meta charset="utf-8"><title>{title}</title>{head}'
        f'</head>\n<body><header><a href="/">{home}</a></header>\n<main><h1>{heading or title}</h1>\n{body}\n</main>\n'
        f"<footer><p>{foot}</p></footer></body></html>\n".encode(),
    )


def _links(links: Iterable[tuple[str, object]], kind: str = "list") -> str:
    items = "".join(f'<li><a href="{escape(href)}">{text}</a></li>\n' for href, text in links)
    return f'<ul class="{kind}">\n{items}</ul>'


def _table(rows: Iterable[Iterable[object]]) -> str:
    lines = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
    return "<table>\n" + "".join(f"<tr>{line}</tr>\n" for line in lines) + "</table>"


def _told(*paragraphs: str) -> str:
    return "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)


@lru_cache(maxsize=512)
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(re.escape(pattern).replace(r"\#", r"(\d{1,7})"))


def _at(asked: Asked, pattern: str, *limits: int) -> list[int] | None:
    """The numbers in a path (and query, if `pattern` has one) at the places of #, if each is below its limit."""
    parts = urlsplit(asked.url)
    found = _pattern(pattern).fullmatch(f"{parts.path}?{parts.query}" if "?" in pattern else parts.path)
    numbers = [int(number) for number in found.groups()] if found else None
    return numbers if numbers and all(map(int.__lt__, numbers, limits)) else None


def _to(pattern: str, *numbers: int) -> str:
    for number in numbers:
        pattern = pattern.replace("#", str(number), 1)
    return pattern


def _lists(
    asked: Asked,
    language: str,
    title: str,
    count: int,
    item: str | Callable[[int], str],
    text: Callable[[int], object] = lambda number: number + 1,
    *,
    per: int = 20,
    at: str = "/list/#",
) -> Answer | None:
    """The home page, which links to lists of `per` items each, and these lists."""
    if asked.path == "/":
        lists = range(-(-count // per))
        return _answer(language, title, _links((_to(at, one), f"{title} {one + 1}") for one in lists))
    if not (found := _at(asked, at, -(-count // per))):
        return None
    mine = range(found[0] * per, min(found[0] * per + per, count))
    href = item if callable(item) else lambda number: _to(item, number)
    return _answer(language, f"{title} {found[0] + 1}", _links((href(number), text(number)) for number in mine))


def _pager(language: str, number: int, count: int, pattern: str) -> str:
    """Links to the page before and to the next."""
    _, before, after, _ = _CHROME[language]
    steps = ((-1, before), (1, after))
    return _links(((_to(pattern, number + by), to) for by, to in steps if 0 <= number + by < count), "pager")


@lru_cache
def _months(first: date, days: int) -> list[date]:
    return sorted({(first + timedelta(number)).replace(day=1) for number in range(days)})


def _calendar(
    asked: Asked,
    language: str,
    title: str,
    form: str,
    first: date,
    days: int,
    told: Callable[[date], str],
    *,
    months_linked: bool = False,
) -> Answer | None:
    """A home page, months, and days that are linked one by one: `told` is what is on the page of a day.

    `form`: the URL of a day as of `strftime`. `months_linked`: the home page leads to the first month only.
    """
    months, monthly = _months(first, days), form.partition("%d")[0].rstrip("/-")
    _, before, after, _ = _CHROME[language]

    def called(month: date) -> str:
        return f"{_MONTHS[language][month.month - 1]} {month.year}"

    if asked.path == "/":
        listed = months[:1] if months_linked else months
        return _answer(language, title, _links((month.strftime(monthly), called(month)) for month in listed))
    if (found := _at(asked, re.sub("%.", "#", monthly), 9_999, 13)) and found[1]:
        month = date(found[0], found[1], 1)
        if month not in months:
            return None
        mine = [day for day in map(month.__add__, map(timedelta, range(31))) if day.month == month.month]
        body = _links(((day.strftime(form), day.day) for day in mine if (day - first).days < days), "days")
        near = [(months.index(month) + by, to) for by, to in ((-1, before), (1, after)) if months_linked]
        body += _links((months[at].strftime(monthly), to) for at, to in near if 0 <= at < len(months))
        return _answer(language, called(month), body)
    found = _at(asked, re.sub("%.", "#", form), 9_999, 13, 32)
    day = _existing(found) if found else None
    if not day or not 0 <= (day - first).days < days:
        return None
    steps = [(day + timedelta(by), to) for by, to in ((-1, before), (1, after))]
    pager = _links(((near.strftime(form), to) for near, to in steps if 0 <= (near - first).days < days), "pager")
    return _answer(language, _dated(day, language), told(day) + pager)


def _existing(numbers: list[int]) -> date | None:
    try:
        return date(*numbers)
    except ValueError:
        return None


def _novel(asked: Asked, language: str, title: str, count: int, pattern: str, words: int) -> Answer | None:
    """Chapters that next alone leads to."""
    if asked.path == "/":
        return _answer(language, title, _links([(_to(pattern, 1), "1")]))
    if not (found := _at(asked, pattern, count + 1)) or not found[0]:
        return None
    text = _told(*(_said(asked.rng, language, words // 4) for _ in range(4)))
    after = [(_to(pattern, found[0] + 1), _CHROME[language][2])] if found[0] < count else []
    return _answer(language, f"{title} {found[0]}", text + _links(after, "pager"))


@lru_cache(maxsize=16)
def _hashes(seed: int, count: int) -> dict[str, int]:
    """So many names of forty digits, and their numbers."""
    return {_hex(Random(f"{seed}|hash|{number}"), 40): number for number in range(count)}


def _jump(number: int, count: int) -> int:
    """Where a cycle through all numbers goes on, in no order to be seen (a full period where 60 divides `count`)."""
    return (number * 7_321 + 10_007) % count


# Shapes that were asked for


@honest(MORE_HONEST)
def shells_with_json(asked: Asked) -> Answer | None:
    """Products that are one shell of HTML, with all that is known of them in JSON."""
    if not _at(asked, "/product/#", 600):
        return _lists(asked, "en", "Products", 600, "/product/#", lambda number: _words(asked.of(number), "en"))
    rng = asked.of(int(asked.segments[1]))
    known = {"name": _words(rng, "en"), "price": rng.randrange(100, 99_999) / 100, "stock": rng.randrange(90)}
    state = json.dumps({"product": {**known, "sku": _hex(rng, 10), "description": _said(rng, "en", 40)}})
    shell = '<div id="root"><div class="skeleton"></div></div><noscript>Please turn on JavaScript.</noscript>'
    return _answer("en", "Shop", f'{shell}<script type="application/json" id="state">{state}</script>')


@honest(MORE_HONEST)
def picture_srcset(asked: Asked) -> Answer | None:
    """A gallery of pages that differ in the sources of one picture."""
    if not (found := _at(asked, "/photo/#", 500)):
        return _lists(asked, "en", "Photographs", 500, "/photo/#")
    stem = f"/p/{_hex(asked.of('picture', found[0]))}"
    sources = ", ".join(f"{stem}-{width}.webp {width}w" for width in (400, 800, 1_600))
    picture = f'<picture><source srcset="{sources}" type="image/webp"><img src="{stem}-800.jpg" alt=""></picture>'
    return _answer("en", "Photograph", picture + _pager("en", found[0], 500, "/photo/#"))


@honest(MORE_HONEST)
def picture_by_query(asked: Asked) -> Answer | None:
    """A gallery of pages that differ in the query of one picture's address."""
    if not (found := _at(asked, "/show.php?id=#", 500)):
        return _lists(asked, "en", "Album", 500, "/show.php?id=#", lambda number: "photo", at="/album.php?p=#")
    picture = f'<img src="/i.php?f={_hex(asked.of("picture", found[0]))}" alt="">'
    return _answer("en", "Photo", picture + _pager("en", found[0], 500, "/show.php?id=#"))


@honest(MORE_HONEST)
def census_tracts(asked: Asked) -> Answer | None:
    """Pages of the same long method, with six figures each."""
    if not (found := _at(asked, "/tract/#", 800)):
        return _lists(asked, "en", "County", 800, "/tract/#", per=40, at="/county/#")
    labels = ("Population", "Households", "Median age", "Median income", "Housing units", "Vacant")
    figures = _table((label, asked.rng.randrange(20, 9_000)) for label in labels)
    near = _links((_to("/tract/#", to), to) for to in ((found[0] + step) % 800 for step in (-25, -1, 1, 25)))
    return _answer("en", f"Census tract {found[0]}", figures + _told(_said(asked.of("method"), "en", 250)) + near)


@honest(MORE_HONEST)
def spare_parts_related(asked: Asked) -> Answer | None:
    """Parts of one description, which differ in number, price and size."""

    def sku(number: int) -> str:
        return f"{asked.of('sku', number).randrange(10**7):07}"

    if not _at(asked, "/part/#", 800):
        return _lists(asked, "en", "Parts", 800, "/part/#", sku)
    rng, number = asked.rng, int(asked.segments[1])
    rows = [
        ("SKU", sku(number)),
        ("Price", f"{rng.randrange(100, 9_999) / 100:.2f}"),
        ("Size", f"M{rng.randrange(99)}"),
    ]
    related = _links((f"/part/{to}", sku(to)) for to in rng.sample(range(800), 4))
    return _answer("en", "Spare part", _table(rows) + _told(_said(asked.of("part"), "en", 80)) + related)


@honest(MORE_HONEST)
def ranges_then_articles(asked: Asked) -> Answer | None:
    """A catalogue by ranges of numbers, and by ranges within these."""
    if found := _at(asked, "/article/#", 800):
        return _answer("en", _words(asked.rng, "en", 3), _told(f"No. {found[0]}", _said(asked.rng, "en", 60)))
    if asked.path != "/" and not _at(asked, "/range/#-#", 800, 800):
        return None
    first, last = (0, 799) if asked.path == "/" else map(int, asked.segments[1].split("-"))
    size = {800: 80, 80: 8, 8: 1}.get(last - first + 1, 0)
    if not size or first % (size * (10 if size > 1 else 8)):
        return None
    parts = range(first, last + 1, size)
    links = [(f"/range/{at}-{at + size - 1}", f"{at} - {at + size - 1}") for at in parts]
    return _answer("en", f"{first} - {last}", _links(links if size > 1 else [(f"/article/{at}", at) for at in parts]))


@honest(MORE_HONEST)
def timetables(asked: Asked) -> Answer | None:
    """Stops with 64 times each, and links to three stops."""
    if asked.path == "/":
        return _answer("en", "Timetables", _links((f"/stop/{to}", f"Stop {to}") for to in range(0, 500, 100)))
    if not (found := _at(asked, "/stop/#", 500)):
        return None
    times = sorted(asked.rng.sample(range(300, 1_430), 64))
    table = _table([_clock(time) for time in times[at : at + 8]] for at in range(0, 64, 8))
    near = ((found[0] + step) % 500 for step in (1, 7, 43))
    return _answer("en", f"Stop {found[0]}", table + _links((f"/stop/{to}", f"Stop {to}") for to in near))


_FACETS = {
    "brand": _split("alder birch cedar elm rowan"),
    "colour": _split("black blue green red white"),
    "fit": _split("loose regular slim wide"),
    "material": _split("cotton linen silk wool"),
    "season": _split("autumn spring summer winter"),
    "size": _split("l m s xl xs"),
}


@lru_cache(maxsize=8)
def _faceted(seed: int) -> list[dict[str, str]]:
    rng = Random(f"{seed}|faceted")
    return [{facet: rng.choice(values) for facet, values in _FACETS.items()} for _ in range(800)]


@honest(MORE_HONEST)
def facets_only_way(asked: Asked) -> Answer | None:
    """A shop where choosing values of one or two facets is the only way to a product."""
    if found := _at(asked, "/item/#", 800):
        rows = _table(_faceted(asked.seed)[found[0]].items())
        return _answer("en", _words(asked.of("item", found[0]), "en", 3), rows + _told(_said(asked.rng, "en", 50)))
    chosen = asked.query
    if asked.path not in ("/", "/shop") or any(value not in _FACETS.get(facet, ()) for facet, value in asked.pairs):
        return None
    free = [(facet, value) for facet, values in _FACETS.items() if facet not in chosen for value in values]
    hrefs = ["/shop?" + "&".join(f"{a}={b}" for a, b in sorted([*chosen.items(), pair])) for pair in free]
    links = zip(hrefs, (f"{facet}: {value}" for facet, value in free), strict=True)
    if not chosen:
        return _answer("en", "Clothes", _links(links))
    items = [at for at, known in enumerate(_faceted(asked.seed)) if chosen.items() <= known.items()]
    shown = _links(
        (f"/item/{at}", _words(asked.of("item", at), "en", 3)) for at in items[: 12 if len(chosen) < 2 else 99]
    )
    return _answer("en", ", ".join(chosen.values()), shown + (_links(links, "facets") if len(chosen) < 2 else ""))


def _answered(asked: Asked, number: int) -> int:
    """The message that a message answers."""
    return asked.of("to", number).randrange(max(number - 6, 0), number)


@honest(MORE_HONEST)
def mailing_list_thread(asked: Asked) -> Answer | None:
    """One thread of short replies, each over what it answers."""
    if asked.path == "/":
        return _answer("en", "Archive of the list", _links([("/msg0.html", "[dev] Proposal")]))
    if not (found := _at(asked, "/msg#.html", 600)):
        return None
    at = number = found[0]
    lines = [f"From: {_person(asked.of('from', at), 'en')}\n"]
    for depth in range(5):
        rng = asked.of("message", at)
        lines.append(f"{'&gt; ' * depth}{_said(rng, 'en', rng.randint(5, 20))}")
        if not at:
            break
        at = _answered(asked, at)
        lines.append(f"{'&gt; ' * depth}{_person(asked.of('from', at), 'en')} wrote:")
    links = [(f"/msg{_answered(asked, number)}.html", "In reply to")] if number else []
    body = f"<pre>{chr(10).join(lines)}</pre>" + _links(links) + _pager("en", number, 600, "/msg#.html")
    return _answer("en", "Re: [dev] Proposal" if number else "[dev] Proposal", body)


@honest(MORE_HONEST)
def parliament_votes(asked: Asked) -> Answer | None:
    """Votes with four figures each, under the same long rules."""
    if not (found := _at(asked, "/vote/#", 700)):
        return _lists(asked, "en", "Session", 700, "/vote/#", at="/session/#")
    figures = _table((kind, asked.rng.randrange(300)) for kind in ("For", "Against", "Abstained", "Absent"))
    rules = _told(*(_said(asked.of("rules", at), "en", 125) for at in range(4)))
    return _answer("en", f"Vote {found[0]}", figures + rules + _pager("en", found[0], 700, "/vote/#"))


@honest(MORE_HONEST, most=20_000)
def similar_records(asked: Asked) -> Answer | None:
    """Records that lead to four others each, all over the catalogue."""
    count = 120_000
    found = _at(asked, "/record/#", count)
    if not found and asked.path != "/":
        return None
    similar = [_jump(found[0], count), *(asked.rng.randrange(count) for _ in range(3))] if found else range(20)
    links = _links((f"/record/{to}", _words(asked.of("record", to), "en")) for to in similar)
    if not found:
        return _answer("en", "Catalogue", links)
    rng = asked.of("record", found[0])
    title = _words(rng, "en")
    rows = (("Author", _person(rng, "en")), ("Year", rng.randrange(1850, 2024)), ("Pages", rng.randrange(40, 900)))
    return _answer("en", title, _table(rows) + _told(_said(rng, "en", 25)) + "<h2>Similar</h2>" + links)


def _large_wiki(asked: Asked, uniform: int, popular: int) -> Answer | None:
    count = 300_000
    found = _at(asked, "/wiki/#", count)
    if not found and asked.path != "/":
        return None
    rng = asked.rng
    linked = [_jump(found[0] if found else 0, count), *(rng.randrange(count) for _ in range(uniform - 1))]
    linked += [min(int(rng.paretovariate(0.6)), count) - 1 for _ in range(popular)]
    text = _told(_said(rng, "en", 60), _said(rng, "en", 30))
    links = _links((f"/wiki/{to}", _words(asked.of(to), "en")) for to in linked)
    return _answer("en", _words(asked.of(found[0]), "en") if found else "Wiki", text + links)


@honest(MORE_HONEST, most=20_000)
def wiki_of_300_000(asked: Asked) -> Answer | None:
    """Articles that link to six others, evenly."""
    return _large_wiki(asked, 6, 0)


@honest(MORE_HONEST, most=20_000)
def wiki_skewed_300_000(asked: Asked) -> Answer | None:
    """Articles that link to eight others, half of them such as many link to."""
    return _large_wiki(asked, 4, 4)


# German


@honest(MORE_HONEST)
def kalender_2024(asked: Asked) -> Answer | None:
    """All days of a leap year, of which few have an event."""
    if found := _at(asked, "/termin/#", 366):
        return _answer("de", _words(asked.of(found[0]), "de"), _told(_said(asked.rng, "de", 70)))

    def told(day: date) -> str:
        number = day.timetuple().tm_yday - 1
        if asked.of("event", number).random() > 0.15:
            return _told("Heute finden keine Veranstaltungen statt.")
        return _links([(f"/termin/{number}", _words(asked.of(number), "de"))])

    return _calendar(asked, "de", "Veranstaltungskalender", "/%Y/%m/%d", date(2024, 1, 1), 366, told)


@honest(MORE_HONEST)
def gesetzbuch(asked: Asked) -> Answer | None:
    """Numbered paragraphs of a law."""
    if not (found := _at(asked, "/gesetz/p#.html", 900)):
        return _lists(
            asked, "de", "Abschnitt", 900, "/gesetz/p#.html", lambda at: f"§ {at + 1}", per=30, at="/abschnitt/#"
        )
    lines = [f"({at}) {_said(asked.rng, 'de', asked.rng.randint(9, 27))}" for at in range(1, asked.rng.randint(2, 5))]
    return _answer("de", f"§ {found[0] + 1}", _told(*lines) + _pager("de", found[0], 900, "/gesetz/p#.html"))


@lru_cache(maxsize=64)
def _season(seed: int, season: int) -> list[tuple[list[list[object]], list[list[object]]]]:
    """For each match day its results, and the table after it."""
    rng = Random(f"{seed}|season|{season}")
    teams = [f"{kind} {town}" for town in _TOWNS["de"] for kind in ("FC", "TSV")][:18]
    rng.shuffle(teams)
    known = {team: [0, 0, 0] for team in teams}
    days = []
    for day in range(34):
        ring = [teams[0], *(teams[1 + (at + day) % 17] for at in range(17))]
        results: list[list[object]] = []
        for at in range(9):
            pair = [ring[at], ring[17 - at]][:: 1 if (day + (day >= 17) + at) % 2 else -1]
            goals = rng.choices(range(6), (8, 9, 6, 3, 2, 1), k=2)
            for team, own, other in ((pair[0], goals[0], goals[1]), (pair[1], goals[1], goals[0])):
                gained = 3 if own > other else int(own == other)
                known[team] = [was + more for was, more in zip(known[team], (gained, own, other), strict=True)]
            results.append([*pair, "{}:{}".format(*goals)])
        order = sorted(known.items(), key=lambda item: (-item[1][0], item[1][2] - item[1][1], item[0]))
        table: list[list[object]] = [
            [rank, team, f"{scored}:{let_in}", points] for rank, (team, (points, scored, let_in)) in enumerate(order, 1)
        ]
        days.append((results, table))
    return days


@honest(MORE_HONEST)
def fussball_spieltage(asked: Asked) -> Answer | None:
    """Results and the table after each match day of sixteen seasons."""
    if not (found := _at(asked, "/saison/#/spieltag/#", 16, 34)):
        return _lists(
            asked, "de", "Saison", 16 * 34, lambda at: f"/saison/{at // 34}/spieltag/{at % 34}", per=34, at="/saison/#"
        )
    results, table = _season(asked.seed, found[0])[found[1]]
    pager = _pager("de", found[1], 34, f"/saison/{found[0]}/spieltag/#")
    return _answer("de", f"{found[1] + 1}. Spieltag {2000 + found[0]}", _table(results) + _table(table) + pager)


@honest(MORE_HONEST)
def immobilien_anzeigen(asked: Asked) -> Answer | None:
    """Flats to let, in the same words of the same agent."""

    def called(number: int) -> str:
        rng = asked.of("flat", number)
        return f"{rng.randint(1, 6)}-Zimmer-Wohnung in {rng.choice(_TOWNS['de'])}"

    if not (found := _at(asked, "/expose/#", 700)):
        return _lists(asked, "de", "Angebote", 700, "/expose/#", called, at="/suche?seite=#")
    rng = asked.rng
    rows = [("Kaltmiete", f"{rng.randrange(300, 2_500)} Euro"), ("Wohnfläche", f"{rng.randrange(25, 180)} m²")]
    rows += [("Baujahr", str(rng.randrange(1890, 2023))), ("Straße", f"{_words(rng, 'de', 1)} {rng.randrange(1, 150)}")]
    similar = _links((f"/expose/{to}", called(to)) for to in rng.sample(range(700), 3))
    return _answer("de", called(found[0]), _table(rows) + _told(_said(asked.of("agent"), "de", 120)) + similar)


@honest(MORE_HONEST)
def kirchenbuch(asked: Asked) -> Answer | None:
    """Baptisms of two hundred years, by quarters, under the same few names."""
    found = _at(asked, "/taufen/#/#", 200, 4)
    if not found:
        return _lists(asked, "de", "Taufen", 800, lambda at: f"/taufen/{at // 4}/{at % 4}", per=4, at="/jahr/#")
    rows = [
        (f"{rng.randint(1, 28)}. {_MONTHS['de'][found[1] * 3 + at // 4]}", *(_person(rng, "de") for _ in range(3)))
        for at, rng in enumerate([asked.rng] * 12)
    ]
    return _answer("de", f"Taufen {1650 + found[0]}, {found[1] + 1}. Quartal", _table(rows))


@honest(MORE_HONEST)
def buslinien(asked: Asked) -> Answer | None:
    """Departures by the hour, at each stop of each line."""
    if not (found := _at(asked, "/linie/#/halt/#", 20, 25)):
        return _lists(asked, "de", "Linie", 500, lambda at: f"/linie/{at // 25}/halt/{at % 25}", per=25, at="/linie/#")
    line, stop = found
    starts = sorted(asked.of("line", line).sample(range(0, 60, 3), 3))
    offset = sum(asked.of("line", line, at).randint(1, 4) for at in range(stop))
    rows = [(hour, *((start + offset) % 60 for start in starts)) for hour in range(5, 23)]
    called = _words(asked.of("stop", line, stop), "de", 1)
    return _answer("de", f"Linie {line + 1}: {called}", _table(rows) + _pager("de", stop, 25, f"/linie/{line}/halt/#"))


# French


@honest(MORE_HONEST)
def recettes(asked: Asked) -> Answer | None:
    """Recipes out of few ingredients."""
    kinds = _split("Tarte Soupe Gratin Salade Gâteau Terrine Omelette Quiche Purée Compote")
    foods = _split(
        "pommes poires carottes poireaux oignons champignons courgettes tomates épinards lentilles noix figues"
    )

    def called(number: int) -> str:
        rng = asked.of("recipe", number)
        return "{} aux {} et aux {}".format(rng.choice(kinds), *rng.sample(foods, 2))

    if not (found := _at(asked, "/recette-#.html", 600)):
        return _lists(asked, "fr", "Recettes", 600, "/recette-#.html", called, at="/rubrique-#.html")
    rng = asked.rng
    needed = [
        f"{rng.randrange(50, 900, 25)} g de {food}" for food in rng.sample([*foods, "farine", "beurre", "sucre"], 6)
    ]
    steps = f"Préchauffez le four à {rng.randrange(150, 240, 10)} °C. Laissez cuire {rng.randrange(10, 90, 5)} minutes."
    return _answer("fr", called(found[0]), _told(*needed, steps, _said(rng, "fr", 35)))


@honest(MORE_HONEST)
def jurisprudence(asked: Asked) -> Answer | None:
    """Decisions of a court, half of whose words are the same."""

    def called(number: int) -> str:
        return f"Arrêt no {asked.of('case', number).randrange(10, 99)}-{10_000 + number * 7}"

    if not (found := _at(asked, "/decision/#", 700)):
        return _lists(asked, "fr", "Décisions", 700, "/decision/#", called, at="/decisions?page=#")
    rng = asked.rng
    decided = date(2005, 1, 1) + timedelta(rng.randrange(6_000))
    parties = f"{_person(rng, 'fr')}, demandeur, contre {_person(rng, 'fr')}, défendeur"
    return _answer(
        "fr",
        called(found[0]),
        _told(
            "RÉPUBLIQUE FRANÇAISE. AU NOM DU PEUPLE FRANÇAIS. LA COUR DE CASSATION a rendu l'arrêt suivant :",
            f"Audience publique du {_dated(decided, 'fr')}. {parties}.",
            _said(asked.of("formula"), "fr", 120),
            f"Sur le moyen unique : {_said(rng, 'fr', 45)}",
            f"PAR CES MOTIFS : {rng.choice(('REJETTE le pourvoi', 'CASSE ET ANNULE'))} ; condamne aux dépens.",
        ),
    )


@honest(MORE_HONEST)
def releves_meteo(asked: Asked) -> Answer | None:
    """Tables of figures by station and month."""
    if not (found := _at(asked, "/station/#/mois/#", 16, 36)):
        return _lists(
            asked, "fr", "Station", 16 * 36, lambda at: f"/station/{at // 36}/mois/{at % 36}", per=36, at="/station/#"
        )
    station, month = found
    rng = asked.rng
    rows = [
        (
            day,
            *(f"{rng.gauss(15 - 10 * math.cos(month * math.pi / 6) + by, 3):.1f}" for by in (-5, 4)),
            rng.randrange(20),
        )
        for day in range(1, 29)
    ]
    table = _table([("Jour", "Minimale", "Maximale", "Pluie (mm)"), *rows])
    title = f"{_TOWNS['fr'][station]}, {_MONTHS['fr'][month % 12]} {2019 + month // 12}"
    return _answer("fr", title, table + _pager("fr", month, 36, f"/station/{station}/mois/#"))


@honest(MORE_HONEST)
def archives_du_journal(asked: Asked) -> Answer | None:
    """A year of a newspaper by date, two articles a day."""
    first = date(1936, 1, 1)

    def told(day: date) -> str:
        number = (day - first).days * 2
        return _links((f"/article/{at}.html", _words(asked.of("head", at), "fr", 4)) for at in (number, number + 1))

    if found := _at(asked, "/article/#.html", 732):
        return _answer("fr", _words(asked.of("head", found[0]), "fr", 4), _told(_said(asked.rng, "fr", 130)))
    return _calendar(asked, "fr", "Archives", "/archives/%Y/%m/%d", first, 366, told)


@honest(MORE_HONEST)
def departs_trains(asked: Asked) -> Answer | None:
    """Departures of sixteen stations by date, for two weeks, in both directions."""
    towns = _TOWNS["fr"]
    if not (found := _at(asked, "/gare/#?jour=#", 16, 28)):
        return _lists(
            asked, "fr", "Gare", 16 * 28, lambda at: f"/gare/{at // 28}?jour={at % 28}", per=28, at="/gares/#"
        )
    rng, (station, number) = asked.rng, found
    rows = [
        (_clock(time), f"TER {rng.randrange(17_000, 18_000)}", rng.choice(towns), f"Voie {rng.randint(1, 9)}")
        for time in sorted(rng.sample(range(300, 1_400, 5), 24))
    ]
    day = _dated(date(2024, 3, 4) + timedelta(number // 2), "fr")
    title = f"{('Départs', 'Arrivées')[number % 2]}, {towns[station]}, {day}"
    return _answer("fr", title, _table(rows) + _pager("fr", number, 28, f"/gare/{station}?jour=#"))


# Russian


@honest(MORE_HONEST)
def slovar(asked: Asked) -> Answer | None:
    """A dictionary by first letters, its words in the addresses."""
    forms = sorted(set(_vocabulary("ru")[0]))
    letters = sorted({form[0] for form in forms})
    wanted = unquote(asked.path[1:])
    if not wanted:
        return _answer("ru", "Словарь", _links((f"/{quote(f'буква/{letter}')}", letter.upper()) for letter in letters))
    kind, _, word = wanted.partition("/")
    if kind == "буква" and word in letters:
        mine = [form for form in forms if form[0] == word]
        return _answer("ru", word.upper(), _links((f"/{quote(f'слово/{form}')}", form) for form in mine))
    if kind != "слово" or word not in forms:
        return None
    likened = asked.rng.sample(forms, 3)
    body = _told(f"{word}, существительное, мужской род. Значение: {_said(asked.rng, 'ru', 8)}")
    return _answer("ru", word, body + _links((f"/{quote(f'слово/{form}')}", f"см. {form}") for form in likened))


@honest(MORE_HONEST)
def shakhmatnye_partii(asked: Asked) -> Answer | None:
    """Games of chess: players, moves, a result."""

    def called(number: int) -> str:
        return f"{_person(asked.of('white', number), 'ru')} - {_person(asked.of('black', number), 'ru')}"

    def move() -> str:
        piece = asked.rng.choice(("", "", "К", "К:", "С", "С:", "Л", "Ф", "Кр"))
        return piece + asked.rng.choice("abcdefgh") + asked.rng.choice("2345678")

    if not (found := _at(asked, "/partiya/#", 800)):
        return _lists(asked, "ru", "Дебют", 800, "/partiya/#", called, at="/debyut/#")
    moves = " ".join(f"{at}. {move()} {move()}" for at in range(1, asked.rng.randint(20, 60)))
    result = asked.rng.choice(("1-0", "0-1", "1/2-1/2"))
    return _answer("ru", called(found[0]), _told(f"{1950 + found[0] % 70} год", f"{moves} {result}"))


@honest(MORE_HONEST)
def arkhiv_novostey(asked: Asked) -> Answer | None:
    """Short news by date, over two years."""

    def told(day: date) -> str:
        return _told(
            *(f"{_clock(time)} {_said(asked.rng, 'ru', 18)}" for time in sorted(asked.rng.sample(range(1_440), 3)))
        )

    return _calendar(asked, "ru", "Архив новостей", "/arhiv/%Y/%m/%d.html", date(2021, 1, 1), 730, told)


@honest(MORE_HONEST)
def roman_po_glavam(asked: Asked) -> Answer | None:
    """A novel of four hundred chapters."""
    return _novel(asked, "ru", "Глава", 400, "/glava-#.html", 320)


@honest(MORE_HONEST)
def elektrichki(asked: Asked) -> Answer | None:
    """Local trains: each with its stops and times, and the trains before and after it."""
    if not (found := _at(asked, "/poezd/#", 450)):
        return _lists(
            asked, "ru", "Направление", 450, "/poezd/#", lambda at: 6_001 + at * 2, per=30, at="/napravlenie/#"
        )
    line, at = divmod(found[0], 30)
    time, rows = 270.0 + at * 37, []
    for stop in range(18):
        time += asked.of("run", line, stop).randint(2, 7)
        rows.append((_words(asked.of("stop", line, stop), "ru", 1), _clock(time), _clock(time + 1)))
    title = f"Электричка {6_001 + found[0] * 2}"
    return _answer(
        "ru", title, _table([("Станция", "Прибытие", "Отправление"), *rows]) + _pager("ru", found[0], 450, "/poezd/#")
    )


# Arabic


@honest(MORE_HONEST)
def mawaqit_as_salat(asked: Asked) -> Answer | None:
    """Times of prayer in three towns for each day of a year."""
    towns = (("القاهرة", 30.04, 31.24, 2), ("عمّان", 31.95, 35.93, 3), ("الرياض", 24.71, 46.68, 3))
    if not (found := _at(asked, "/salat/#/#", 3, 366)):
        return _lists(
            asked, "ar", "مواقيت", 3 * 366, lambda at: f"/salat/{at // 366}/{at % 366}", per=61, at="/mawaqit/#"
        )
    (town, north, east, zone), number = towns[found[0]], found[1]
    sun = math.radians(23.45 * math.sin(math.tau * (285 + number) / 365))
    wave = math.tau * (number - 80) / 365
    noon = 720 - 4 * (east - zone * 15) - 9.87 * math.sin(2 * wave) + 7.53 * math.cos(wave) + 1.5 * math.sin(wave)
    at = math.radians(north)

    def half(height: float) -> float:
        """Minutes between noon and the sun's standing at `height`."""
        up = math.sin(math.radians(height)) - math.sin(at) * math.sin(sun)
        return 4 * math.degrees(math.acos(up / (math.cos(at) * math.cos(sun))))

    afternoon = math.degrees(math.atan(1 / (1 + math.tan(abs(at - sun)))))
    times = (
        noon - half(-18.5),
        noon - half(-0.83),
        noon,
        noon + half(afternoon),
        noon + half(-0.83),
        noon + half(-17.5),
    )
    rows = zip(("الفجر", "الشروق", "الظهر", "العصر", "المغرب", "العشاء"), map(_clock, times), strict=True)
    title = f"مواقيت الصلاة في {town}، {_dated(date(2024, 1, 1) + timedelta(number), 'ar')}".translate(_ARABIC)
    return _answer("ar", title, _table(rows).translate(_ARABIC) + _pager("ar", number, 366, f"/salat/{found[0]}/#"))


@honest(MORE_HONEST)
def mujam(asked: Asked) -> Answer | None:
    """A dictionary of short entries."""
    forms = _vocabulary("ar")[0]
    if not (found := _at(asked, "/kalima/#", 800)):
        return _lists(asked, "ar", "باب", 800, "/kalima/#", lambda at: forms[at], per=25, at="/bab/#")
    near = _links((f"/kalima/{to}", forms[to]) for to in asked.rng.sample(range(800), 2))
    return _answer("ar", forms[found[0]], _told(f"المعنى: {_said(asked.rng, 'ar', 7)}") + near)


@honest(MORE_HONEST)
def akhbar_yawmiyya(asked: Asked) -> Answer | None:
    """Two pieces of news for each day of a year."""

    def told(day: date) -> str:
        return _told(*(_said(asked.rng, "ar", 27) for _ in range(2)))

    return _calendar(asked, "ar", "أخبار", "/akhbar?date=%Y-%m-%d", date(2023, 1, 1), 365, told)


@honest(MORE_HONEST)
def muqtanayat_al_mathaf(asked: Asked) -> Answer | None:
    """Objects of a museum in the same words, all but the number in its inventory."""
    if not (found := _at(asked, "/qita/#", 600)):
        return _lists(asked, "ar", "قاعة", 600, "/qita/#", lambda number: "قطعة", at="/qaa/#")
    number = asked.of("object", found[0]).randrange(10**6)
    told = _told(
        f"رقم الجرد: {number}".translate(_ARABIC), "درهم من الفضة. العصر العباسي.", _said(asked.of("hall"), "ar", 80)
    )
    return _answer("ar", "قطعة من مقتنيات المتحف", told + _pager("ar", found[0], 600, "/qita/#"))


# Japanese


@honest(MORE_HONEST)
def manga_chapters(asked: Asked) -> Answer | None:
    """Pages with one picture each."""
    if not (found := _at(asked, "/manga/#/#", 40, 18)):
        return _lists(asked, "ja", "第", 720, lambda at: f"/manga/{at // 18}/{at % 18}", per=18, at="/wa/#")
    picture = f'<img src="/scan/{_hex(asked.of("scan", *found), 16)}.jpg" alt="">'
    body = picture + _pager("ja", found[1], 18, f"/manga/{found[0]}/#")
    if found[1] == 17 and found[0] < 39:
        body += _links([(f"/manga/{found[0] + 1}/0", "次の話")])
    return _answer("ja", "漫画", body)


@honest(MORE_HONEST)
def haiku_shu(asked: Asked) -> Answer | None:
    """Haiku, three short lines a page."""
    if not (found := _at(asked, "/ku/#", 1_000)):
        return _lists(asked, "ja", "句集", 1_000, "/ku/#", lambda at: f"第{at + 1}句", per=25, at="/kushu/#")
    rng = asked.rng
    season = rng.choice(_split("初桜や 五月雨や 名月や 初雪や 夕立や 菜の花や 木枯や 蝉時雨"))
    seen = rng.choice(_split("に聞こえる の上に立つ を渡りけり に影ひとつ の匂いかな"))
    ku = f"{season}<br>{_words(rng, 'ja', 1)}{seen}<br>{_words(rng, 'ja', 1)}かな"
    return _answer("ja", "俳句", f"<p>{ku}</p><p>{_person(rng, 'ja')}</p>" + _pager("ja", found[0], 1_000, "/ku/#"))


@honest(MORE_HONEST)
def densha_jikoku(asked: Asked) -> Answer | None:
    """Departures of trains by station, direction and kind of day."""
    if not (found := _at(asked, "/eki/#/#", 60, 6)):
        return _lists(asked, "ja", "駅", 360, lambda at: f"/eki/{at // 6}/{at % 6}", per=6, at="/eki/#")
    towns, rng, (station, kind) = _TOWNS["ja"], asked.rng, found
    rows = [(f"{hour}時", *sorted(rng.sample(range(60), rng.randint(3, 9)))) for hour in range(5, 24)]
    called = f"{_words(asked.of('station', station), 'ja', 1)}駅 {('平日', '土曜', '休日')[kind % 3]} {towns[kind]}方面"
    near = _links((f"/eki/{to}/{kind}", "隣の駅") for to in (station - 1, station + 1) if 0 <= to < 60)
    return _answer("ja", called, _table(rows) + near)


@honest(MORE_HONEST)
def tenki_kiroku(asked: Asked) -> Answer | None:
    """The weather of each day of two years, in a few figures."""

    def told(day: date) -> str:
        warm = 15 - 11 * math.cos((day.timetuple().tm_yday - 20) * math.tau / 365)
        rows = [
            ("天気", asked.rng.choice(_split("晴れ 曇り 雨 雪"))),
            ("最高気温", f"{asked.rng.gauss(warm + 4, 3):.1f}度"),
        ]
        return _table(
            [*rows, ("最低気温", f"{asked.rng.gauss(warm - 4, 3):.1f}度"), ("湿度", f"{asked.rng.randrange(30, 99)}%")]
        )

    return _calendar(asked, "ja", "天気の記録", "/tenki/%Y-%m-%d", date(2022, 1, 1), 730, told)


@honest(MORE_HONEST)
def shosetsu(asked: Asked) -> Answer | None:
    """A novel by chapters."""
    return _novel(asked, "ja", "第", 300, "/n4830/#/", 240)


# English, or none


@lru_cache(maxsize=8)
def _packages(seed: int) -> dict[str, list[str]]:
    """The classes of each package."""
    rng = Random(f"{seed}|javadoc")
    words = [word.capitalize() for word in _TONGUES["en"][2].split()]
    packages = _split("io net util text math sql xml json image audio cache auth mail queue")
    pairs = rng.sample([first + second for first in words for second in words if first != second], 14 * 25)
    return {package: sorted(pairs[at::14]) for at, package in enumerate(packages)}


@honest(MORE_HONEST)
def api_javadoc(asked: Asked) -> Answer | None:
    """Classes by package, each with a page on its use; inherited methods are told again on each."""
    packages = _packages(asked.seed)
    if asked.path == "/":
        return _answer("en", "Overview", _links((f"/api/org/acme/{one}/package-summary.html", one) for one in packages))
    package, *use, page = [*asked.segments[3:], "", ""][: max(len(asked.segments) - 3, 2)]
    kind, known = page.removesuffix(".html"), packages.get(package, [])
    folder = f"/api/org/acme/{package}"
    if known and kind == "package-summary":
        return _answer("en", f"Package org.acme.{package}", _links((f"{one}.html", one) for one in known))
    if kind not in known or use not in ([], ["class-use"]):
        return None
    if use:
        users = asked.rng.sample([(f"{folder}/{one}.html", one) for one in known], 3)
        body = _told(f"Uses of {kind} in org.acme.{package}") + _links([*users, (f"{folder}/{kind}.html", "Class")])
        return _answer("en", f"Uses of Class org.acme.{package}.{kind}", body)
    methods = sorted({_words(asked.rng, "en", 1) for _ in range(asked.rng.randint(2, 9))})
    rows = [(f"void set{one}(int value)", f"Sets the {one.lower()}. Throws IllegalStateException.") for one in methods]
    rows += [
        (f"{one}()", "Inherited from java.lang.Object") for one in _split("clone equals finalize getClass hashCode")
    ]
    links = _links([(f"{folder}/class-use/{kind}.html", "Use"), (f"{folder}/package-summary.html", "Package")])
    return _answer("en", f"Class {kind}", _table(rows) + links)


@lru_cache(maxsize=8)
def _manual(seed: int) -> dict[str, int]:
    """Names of pages of a manual with their sections, 640 in all."""
    names = Random(f"{seed}|manual").sample(WORDS, 640)
    return {f"man{at // 80 + 1}/{one}.{at // 80 + 1}.html": at for at, one in enumerate(names)}


@honest(MORE_HONEST)
def man_pages(asked: Asked) -> Answer | None:
    """Pages of a manual in eight sections, with the same words on reporting bugs and on copyright."""
    pages = list(_manual(asked.seed))
    if (number := _manual(asked.seed).get(asked.path[1:])) is None:
        called = [page.partition("/")[2][:-5] for page in pages]
        return _lists(
            asked, "en", "Section", 640, lambda at: "/" + pages[at], called.__getitem__, per=80, at="/section/#"
        )
    rng, called_so = asked.rng, pages[number].partition("/")[2][:-7]
    options = (
        f"-{rng.choice('abcdefghv')}, --{_words(rng, 'en', 1).lower()}\n    {_said(rng, 'en', 9)}" for _ in range(4)
    )
    text = "\n".join([f"NAME\n  {called_so} - {_words(rng, 'en', 5).lower()}\n", "OPTIONS", *options])
    same = f"REPORTING BUGS\n{_said(asked.of('bugs'), 'en', 40)}\nCOPYRIGHT\n{_said(asked.of('copyright'), 'en', 60)}"
    also = _links((f"/{page}", page.partition("/")[2][:-5]) for page in rng.sample(pages, 3))
    return _answer("en", called_so, f"<pre>{text}\n{same}</pre>" + also)


@honest(MORE_HONEST)
def git_log(asked: Asked) -> Answer | None:
    """Four hundred commits by their hashes, each with its parent, its child and its change."""
    hashes = _hashes(asked.seed, 400)
    names = list(hashes)
    if (number := hashes.get(asked.path.removeprefix("/commit/"))) is None:
        return _lists(
            asked, "en", "Log", 400, lambda at: f"/commit/{names[at]}", lambda at: names[at][:8], at="/log?page=#"
        )
    rng = asked.rng
    change = "\n".join(f"{sign}    {_words(rng, 'en', 4).lower()}" for sign in rng.choices("+- ", k=rng.randint(2, 12)))
    day = _dated(date(2021, 1, 1) + timedelta(number), "en")
    near = _links((f"/commit/{names[to]}", names[to][:8]) for to in (number - 1, number + 1) if 0 <= to < 400)
    body = f"<pre>commit {names[number]}\nAuthor: {_person(rng, 'en')}\nDate: {day}\n\n{change}</pre>"
    return _answer("en", _words(rng, "en", 4), body + near)


def _folder(asked: Asked, path: str) -> list[str]:
    """What is in a folder of the FTP server."""
    rng, depth = asked.of("folder", path), path.count("/") - 1
    folders = [
        f"{one}/" for one in rng.sample(_split("bin contrib doc dist old pool src tests"), (7, 4, 3, 2, 0)[depth])
    ]
    files = [f"{name(rng, 1)}-{rng.randint(0, 9)}.{rng.randint(0, 20)}.txt" for _ in range(rng.randint(1, 3))]
    return sorted([*(one for one in folders if f"/{one}" not in path), "README", *files])


@honest(MORE_HONEST)
def ftp_index(asked: Asked) -> Answer | None:
    """Folders of the same few names within each other, and files."""
    path, parts = "/", asked.path.split("/")[1:]
    for at, part in enumerate(parts[:-1]):
        if at > 3 or f"{part}/" not in _folder(asked, path):
            return None
        path += f"{part}/"
    if not parts[-1]:
        links = [(one, one) for one in (["../"] if parts[:-1] else []) + _folder(asked, path)]
        return _answer("en", f"Index of {path}", _links(links))
    if parts[-1] not in _folder(asked, path):
        return None
    return Answer(200, {"Content-Type": "text/plain; charset=utf-8"}, _said(asked.rng, "en", 50).encode())


@honest(MORE_HONEST)
def forum_of_quotes(asked: Asked) -> Answer | None:
    """Threads of six pages; each post quotes one before it, and everybody has a signature."""
    if not (found := _at(asked, "/viewtopic.php?t=#&start=#", 70, 60)) or found[1] % 10:
        return _lists(
            asked, "en", "Board", 70, "/viewtopic.php?t=#&start=0", lambda at: _words(asked.of(at), "en", 4), per=10
        )
    thread, start = found

    def post(number: int) -> str:
        rng = asked.of("post", thread, number)
        return _said(rng, "en", rng.randint(6, 40))

    posts = []
    signing = asked.of("signatures")
    signatures = [_said(signing, "en", 20) for _ in range(12)]
    for number in range(start, start + 10):
        quoted = f"<blockquote>{post(asked.rng.randrange(number))}</blockquote>" if number else ""
        signed = f"<p>--<br>{asked.rng.choice(signatures)}</p>"
        posts.append(f"<article>{quoted}<p>{post(number)}</p>{signed}</article>")
    links = [(f"/viewtopic.php?t={thread}&start={at}", at // 10 + 1) for at in range(0, 60, 10) if at != start]
    return _answer("en", _words(asked.of(thread), "en", 4), "\n".join(posts) + _links(links))


@honest(MORE_HONEST)
def price_list_sku(asked: Asked) -> Answer | None:
    """Pages of a number and a price."""
    if not (found := _at(asked, "/sku/#", 1_200)):
        return _lists(asked, "en", "Prices", 1_200, "/sku/#", per=50, at="/prices/#")
    return _answer("en", f"SKU {found[0] * 37 + 10_000}", _told(f"EUR {asked.rng.randrange(99, 99_999) / 100:.2f}"))


@honest(MORE_HONEST)
def web_novel_1500(asked: Asked) -> Answer | None:
    """Fifteen hundred chapters that next alone leads to."""
    return _novel(asked, "en", "Chapter", 1_500, "/chapter/#", 300)


@honest(MORE_HONEST)
def sudoku(asked: Asked) -> Answer | None:
    """Puzzles: the same page but for its digits."""
    if not (found := _at(asked, "/puzzle/#", 600)):
        return _lists(asked, "en", "Puzzles", 600, "/puzzle/#", per=30)
    rng = asked.rng

    def shuffled() -> list[int]:
        return [band * 3 + at for band in rng.sample(range(3), 3) for at in rng.sample(range(3), 3)]

    rows, columns, digits = shuffled(), shuffled(), rng.sample(range(1, 10), 9)
    solved = [[digits[(3 * (row % 3) + row // 3 + column) % 9] for column in columns] for row in rows]
    grid = _table([digit if rng.random() < 0.4 else "" for digit in row] for row in solved)
    return _answer("en", "Sudoku", grid + _pager("en", found[0], 600, "/puzzle/#"))


@honest(MORE_HONEST)
def sheet_music(asked: Asked) -> Answer | None:
    """Books of scanned music: a picture a page."""
    if not (found := _at(asked, "/book/#/page/#", 12, 40)):
        return _lists(asked, "en", "Book", 480, lambda at: f"/book/{at // 40}/page/{at % 40}", per=40, at="/book/#")
    picture = f'<img src="/scan/{_hex(asked.of("sheet", *found), 16)}.png" alt="Sheet music">'
    return _answer("en", "Sheet music", picture + _pager("en", found[1], 40, f"/book/{found[0]}/page/#"))


@honest(MORE_HONEST)
def phone_book(asked: Asked) -> Answer | None:
    """Names and numbers, forty a page."""
    letters = sorted({word[0] for word in WORDS})
    if asked.path == "/":
        return _answer("en", "Phone book", _links((f"/{letter}/0", letter.upper()) for letter in letters))
    found = _at(asked, f"/{asked.path[1:2]}/#", 40)
    if not found or asked.path[1] not in letters:
        return None
    rng, letter = asked.rng, asked.path[1]
    families = sorted(rng.choices([word.capitalize() for word in WORDS if word[0] == letter], k=40))
    rows = [(one, _person(rng, "en").split()[0], f"555-{rng.randrange(10_000):04}") for one in families]
    return _answer(
        "en", f"{letter.upper()}, page {found[0] + 1}", _table(rows) + _pager("en", found[0], 40, f"/{letter}/#")
    )


@honest(MORE_HONEST)
def sports_statistics(asked: Asked) -> Answer | None:
    """Tables of figures for each team and season."""
    if not (found := _at(asked, "/team/#/season/#", 30, 16)):
        return _lists(asked, "en", "Team", 480, lambda at: f"/team/{at // 16}/season/{at % 16}", per=16, at="/team/#")
    team, season = found
    head = ("Player", "Games", "Points", "Rebounds", "Assists", "Fouls")
    players = [_person(asked.of("player", team, season // 4, at), "en") for at in range(12)]
    rows = [(one, *(asked.rng.randrange(top) for top in (82, 2_000, 800, 600, 250))) for one in players]
    return _answer(
        "en",
        f"Team {team + 1}, {2005 + season}",
        _table([head, *rows]) + _pager("en", season, 16, f"/team/{team}/season/#"),
    )


@honest(MORE_HONEST)
def faq_accordion(asked: Asked) -> Answer | None:
    """Questions by subject: six of the eight on a page are on each other page too."""
    if not (found := _at(asked, "/faq/#", 250)):
        return _lists(asked, "en", "Help", 250, "/faq/#", lambda at: _words(asked.of("subject", at), "en"), per=25)
    asking = [asked.of("question", at if at < 6 else (found[0], at)) for at in range(8)]
    body = "".join(
        f"<details><summary>{_words(one, 'en', 6)}?</summary><p>{_said(one, 'en', 30)}</p></details>" for one in asking
    )
    return _answer("en", "Questions and answers", body + _pager("en", found[0], 250, "/faq/#"))


@honest(MORE_HONEST)
def printable_twins(asked: Asked) -> Answer | None:
    """Articles, each of them once more for a printer."""
    if not (found := _at(asked, "/article/#", 400)):
        return _lists(asked, "en", "Articles", 400, "/article/#", lambda at: _words(asked.of("title", at), "en", 3))
    text, title = _told(_said(asked.of("text", found[0]), "en", 140)), _words(asked.of("title", found[0]), "en", 3)
    if asked.query:
        return Answer(200, HTML, f"<html><title>{title}</title><h1>{title}</h1>{text}</html>".encode())
    links = [(f"/article/{found[0]}?print=1", "Print"), (f"/article/{(found[0] + 1) % 400}", "Read on")]
    return _answer("en", title, text + _links(links))


@honest(MORE_HONEST)
def five_languages_by_query(asked: Asked) -> Answer | None:
    """Pages in five languages by a parameter, the same pictures and figures in each."""
    language = asked.query.get("lang", "en")
    if language not in ("en", "de", "fr", "ru", "ja"):
        return None
    if not (found := _at(asked, "/page/#", 200)):
        return _lists(asked, "en", "Pages", 200, "/page/#?lang=en")
    figures = _table((_words(asked.rng, language, 1), asked.of(found[0], at).randrange(999)) for at in range(4))
    picture = f'<img src="/pictures/{found[0]}.jpg" alt="">'
    others = _links((f"/page/{found[0]}?lang={one}", one) for one in ("en", "de", "fr", "ru", "ja") if one != language)
    return _answer(
        language, _words(asked.rng, language), picture + figures + _told(_said(asked.rng, language, 60)) + others
    )


@honest(MORE_HONEST)
def props_in_attributes(asked: Asked) -> Answer | None:
    """Pages of which all that is their own is in an attribute."""
    if not (found := _at(asked, "/item/#", 600)):
        return _lists(asked, "en", "Items", 600, "/item/#", per=30, at="/items?page=#")
    rng = asked.rng
    props = {"id": found[0], "name": _words(rng, "en"), "price": rng.randrange(10**4), "text": _said(rng, "en", 20)}
    return _answer("en", "Item", f"<div class='card' data-props='{json.dumps(props)}'></div><p>Loading ...</p>")


@honest(MORE_HONEST)
def svg_charts(asked: Asked) -> Answer | None:
    """Pages that differ in the path of a chart."""
    if not (found := _at(asked, "/chart/#", 500)):
        return _lists(asked, "en", "Charts", 500, "/chart/#")
    height, points = 100, []
    for at in range(60):
        height += asked.rng.randint(-9, 9)
        points.append(f"{'L' if at else 'M'}{at * 10} {height}")
    chart = f'<svg viewBox="0 0 600 200"><path fill="none" stroke="navy" d="{" ".join(points)}"/></svg>'
    return _answer("en", "Chart", chart + _pager("en", found[0], 500, "/chart/#"))


@honest(MORE_HONEST)
def background_images(asked: Asked) -> Answer | None:
    """Pages that differ in the picture behind a box."""
    if not (found := _at(asked, "/wallpaper/#", 500)):
        return _lists(asked, "en", "Wallpapers", 500, "/wallpaper/#", lambda at: "wallpaper")
    style = f"background-image: url('/img/{_hex(asked.of('wallpaper', found[0]))}.jpg')"
    return _answer(
        "en", "Wallpaper", f'<div class="full" style="{style}"></div>' + _pager("en", found[0], 500, "/wallpaper/#")
    )


@honest(MORE_HONEST)
def titles_only(asked: Asked) -> Answer | None:
    """Pages that differ in their <title>."""
    if not (found := _at(asked, "/sign/#", 400)):
        return _lists(asked, "en", "Signs", 400, "/sign/#")
    title = _words(asked.of("sign", found[0]), "en", 3)
    return _answer(
        "en", title, _told(_said(asked.of("signs"), "en", 40)) + _pager("en", found[0], 400, "/sign/#"), heading="Sign"
    )


@honest(MORE_HONEST)
def og_image_only(asked: Asked) -> Answer | None:
    """Cards to be shared, which differ in the picture that their head names."""
    if not (found := _at(asked, "/card/#", 400)):
        return _lists(asked, "en", "Cards", 400, "/card/#", lambda at: "card")
    head = f'<meta property="og:image" content="https://cards.example/{_hex(asked.of("card", found[0]), 24)}.jpg">'
    return _answer("en", "A card for you", _told("Share this card.") + _pager("en", found[0], 400, "/card/#"), head)


@honest(MORE_HONEST)
def calendar_with_ends(asked: Asked) -> Answer | None:
    """Two years of which the first and the last five months are empty; previous and next end there."""
    first = date(2024, 1, 1)
    if found := _at(asked, "/event/#", 731):
        return _answer("en", _words(asked.of(found[0]), "en"), _told(_said(asked.rng, "en", 50)))

    def told(day: date) -> str:
        number = (day - first).days
        if not 152 <= number < 578 or asked.of("event", number).random() > 0.3:
            return _told("There are no events on this day.")
        return _links([(f"/event/{number}", _words(asked.of(number), "en"))])

    return _calendar(asked, "en", "Events", "/calendar/%Y-%m-%d", first, 731, told, months_linked=True)


@honest(MORE_HONEST)
def genealogy(asked: Asked) -> Answer | None:
    """A family of a thousand: names, years, and links to parent and children."""

    def called(number: int) -> str:
        return f"{_person(asked.of('person', number), 'en').split()[0]} Wright"

    if asked.path == "/":
        return _answer("en", "The Wrights", _links([("/person/0", called(0))]))
    if not (found := _at(asked, "/person/#", 1_000)):
        return None
    number, generation, at = found[0], 0, found[0]
    while at:
        at, generation = (at - 1) // 3, generation + 1
    born = 1650 + generation * 30 + asked.rng.randrange(12)
    rows = [("Born", born), ("Died", born + asked.rng.randrange(20, 90)), ("Married", _person(asked.rng, "en"))]
    rows.append(("Parish", _words(asked.rng, "en", 1)))
    near = [*([(number - 1) // 3] if number else []), *range(number * 3 + 1, min(number * 3 + 4, 1_000))]
    return _answer("en", called(number), _table(rows) + _links((f"/person/{to}", called(to)) for to in near))
