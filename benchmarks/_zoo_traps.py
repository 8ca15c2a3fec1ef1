"""Forty more traps for the zoo, as the web has them, and a larger honest site to lead into any of them.

They were written without a look at what has to tell them apart. Dates reckon by the Gregorian calendar, without end.
"""

# ruff: noqa: RUF001 (letters of other scripts look like ours)

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NoBase64
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from hashlib import sha1
from html import escape
from itertools import count
from math import atan, degrees, gcd, isqrt, pi, sinh
from random import Random
from urllib.parse import quote, urlencode

from _zoo import HTML, WORDS, Answer, Asked, Leaf, Site, _hex, name, prose, trap

MORE: list[Site] = []

#: Longer URLs than this are refused, as most servers do.
_LONGEST = 8_000

#: How many pages have been asked for of the sites that count them.
_VISITS = count(1)


# What the pages are made of


def _a(href: str, text: object, **more: str) -> str:
    told = "".join(f' {key.rstrip("_")}="{value}"' for key, value in more.items())
    return f'<a href="{escape(href)}"{told}>{escape(str(text))}</a>'


def _list(links: Iterable[tuple[str, object]], kind: str = "links") -> str:
    return f'<ul class="{kind}">' + "".join(f"<li>{_a(href, text)}</li>" for href, text in links) + "</ul>"


def _paragraphs(*blocks: str) -> str:
    return "".join(f"<p>{block}</p>" for block in blocks)


def _table(rows: Iterable[Iterable[object]], head: Iterable[object] = (), kind: str = "data") -> str:
    """Cells are markup; the caller has escaped what has to be."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="{kind}">{f"<thead><tr>{top}</tr></thead>" if top else ""}<tbody>{body}</tbody></table>'


def _page(
    title: str,
    main: str,
    menu: Iterable[str] = ("Home", "News", "About us", "Contact"),
    foot: str = "",
    lang: str = "en",
    head: str = "",
) -> Answer:
    """A page as templates make it: its menu and footer lead to the home page and to the honest articles."""
    entries = _list(((f"/article/{at - 1}" if at else "/", text) for at, text in enumerate(menu)), "menu")
    turned = ' dir="rtl"' if lang == "ar" else ""
    return Answer(
        200,
        HTML,
        (
            f'<!DOCTYPE html>\n<html lang="{lang}"{turned}><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">{head}'
            f"<style>body {{font-family: sans-serif}} table {{border-collapse: collapse}}</style></head>\n"
            f'<body><header><nav class="top">{entries}</nav></header>\n<main id="content"><h1>{escape(title)}</h1>\n'
            f'{main}\n</main>\n<footer class="site-footer"><p>{foot}</p></footer></body></html>\n'
        ).encode(),
    )


def _number(text: str | None, most: int = 9) -> int | None:
    """The number that `text` is, of at most so many digits."""
    return int(text) if text is not None and re.fullmatch(rf"-?[0-9]{{1,{most}}}", text) else None


def _whole(text: str | None, most: int = 9) -> int | None:
    found = _number(text, most)
    return None if found is None or found < 0 else found


# Days, weeks and months

_CYCLE = 146_097  # days in 400 years, which are whole weeks
_FIRST = date(2000, 1, 1).toordinal()


def _ordinal(year: int, month: int, day: int) -> int:
    return date(2000 + year % 400, month, day).toordinal() + (year // 400 - 5) * _CYCLE


def _civil(ordinal: int) -> tuple[int, int, int]:
    cycles, rest = divmod(ordinal - _FIRST, _CYCLE)
    found = date.fromordinal(_FIRST + rest)
    return found.year + 400 * cycles, found.month, found.day


def _weekday(ordinal: int) -> int:
    return (ordinal + 6) % 7


def _length(year: int, month: int) -> int:
    return monthrange(2000 + year % 400, month)[1]


def _iso(ordinal: int) -> str:
    year, month, day = _civil(ordinal)
    return f"{year:04}-{month:02}-{day:02}"


def _parsed(year: str, month: str, day: str = "1") -> int | None:
    """The day that a URL names, if there is such a day after the year 0."""
    if not all(re.fullmatch("[0-9]{1,6}", part) for part in (year, month, day)):
        return None
    if int(year) < 1 or not 1 <= int(month) <= 12 or not 1 <= int(day) <= _length(int(year), int(month)):
        return None
    return _ordinal(int(year), int(month), int(day))


def _parsed_iso(text: str) -> int | None:
    parts = text.split("-")
    return _parsed(*parts) if len(parts) == 3 else None


def _monday(year: int, week: int = 1) -> int:
    """The first day of a week of the ISO calendar."""
    fourth = _ordinal(year, 1, 4)
    return fourth - _weekday(fourth) + 7 * (week - 1)


def _grid(year: int, month: int, cells: list[str], weekdays: Iterable[str], first: int = 0) -> str:
    """A month as a table of weeks that start on `first` (0: Monday)."""
    blank = (_weekday(_ordinal(year, month, 1)) - first) % 7
    padded = [*["&nbsp;"] * blank, *cells]
    padded += ["&nbsp;"] * (-len(padded) % 7)
    return _table([padded[at : at + 7] for at in range(0, len(padded), 7)], weekdays, "calendar month")


_DE_DAYS = ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag")
_DE_MONTHS = ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
              "November", "Dezember")  # fmt: skip


@trap("/termine/2026/kw47/", MORE, silent=True)
def kalenderwochen(asked: Asked) -> Answer | None:
    """German weeks without an event."""
    found = re.fullmatch(r"/termine/([0-9]{1,6})/kw([0-9]{2})/", asked.path)
    if not found or int(found[1]) < 1:
        return None
    year, week = int(found[1]), int(found[2])
    last = (_monday(year + 1) - _monday(year)) // 7
    if not 1 <= week <= last:
        return None
    monday = _monday(year, week)
    rows = []
    for at in range(7):
        _, month, day = _civil(monday + at)
        rows.append((_DE_DAYS[at], f"{day}. {_DE_MONTHS[month - 1]}", "<em>Keine Veranstaltungen</em>"))
    before = (year, week - 1) if week > 1 else (year - 1, (monday - _monday(year - 1)) // 7)
    after = (year, week + 1) if week < last else (year + 1, 1)
    near = [
        (*before, "« Vorige Woche"),
        (*after, "Nächste Woche »"),
        (year - 1, min(week, 52), f"{year - 1}"),
        (year + 1, min(week, 52), f"{year + 1}"),
    ]
    links = [(f"/termine/{to}/kw{number:02}/", text) for to, number, text in near if to > 0]
    return _page(
        f"Veranstaltungen: Kalenderwoche {week}, {year}",
        _list(links, "pager")
        + _table(rows, ("Wochentag", "Datum", "Veranstaltungen"))
        + _paragraphs(
            "Für den gewählten Zeitraum liegen keine Veranstaltungen vor. Bitte wählen Sie eine andere Woche oder "
            "ändern Sie die Auswahl der Rubriken. Alle Angaben ohne Gewähr.",
            "Vereine und Einrichtungen der Gemeinde können ihre Termine bis zum zehnten des Vormonats schriftlich an "
            "das Hauptamt melden. Die Veröffentlichung ist kostenlos.",
        ),
        ("Startseite", "Rathaus & Bürgerservice", "Leben in der Gemeinde", "Tourismus", "Impressum"),
        "Gemeindeverwaltung, Rathausplatz 1. Öffnungszeiten: Montag bis Freitag 8 bis 12, Donnerstag 14 bis 18 Uhr.",
        "de",
    )


_FR_DAYS = ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
_FR_MONTHS = ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
              "novembre", "décembre")  # fmt: skip


@trap("/agenda/2026-11-23/", MORE, silent=True)
def agenda_du_jour(asked: Asked) -> Answer | None:
    """French days without an event, each with its month to choose from."""
    segments = asked.segments
    if len(segments) != 2 or segments[0] != "agenda" or (at := _parsed_iso(segments[1])) is None:
        return None
    year, month, day = _civil(at)
    days = [
        f"<strong>{number}</strong>" if number == day else _a(f"/agenda/{year:04}-{month:02}-{number:02}/", number)
        for number in range(1, _length(year, month) + 1)
    ]
    steps = (
        (-1, "Jour précédent"),
        (1, "Jour suivant"),
        (-day, "Mois précédent"),
        (len(days) - day + 1, "Mois suivant"),
    )
    links = [(f"/agenda/{_iso(at + step)}/", text) for step, text in steps if at + step > 0]
    return _page(
        f"Agenda du {_FR_DAYS[_weekday(at)]} {day} {_FR_MONTHS[month - 1]} {year}",
        '<p class="vide">Aucun événement n’est prévu à cette date.</p>'
        + _list(links, "pager")
        + f"<h2>{_FR_MONTHS[month - 1].capitalize()} {year}</h2>"
        + _grid(year, month, days, ("L", "M", "M", "J", "V", "S", "D"))
        + _paragraphs(
            "Retrouvez ici toutes les manifestations de la commune : concerts, expositions, marchés, réunions "
            "publiques et rencontres. Cliquez sur une date du calendrier pour afficher le programme de la journée.",
            "Vous organisez une manifestation ? Proposez-la au service culturel au moins trois semaines à l’avance.",
        ),
        ("Accueil", "Ma ville", "Vie pratique", "Culture et loisirs", "Nous contacter"),
        "Mairie, place de la République. Mentions légales. Plan du site. Accessibilité : non conforme.",
        "fr",
    )


_RU_DAYS = ("понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье")
_RU_MONTHS = ("января", "февраля", "марта", "апреля", "мая", "июня", "июля", "августа", "сентября", "октября",
              "ноября", "декабря")  # fmt: skip


def _dotted(ordinal: int) -> str:
    year, month, day = _civil(ordinal)
    return f"{day:02}.{month:02}.{year:04}"


@trap("/afisha/?date=23.11.2026", MORE, silent=True)
def afisha_po_datam(asked: Asked) -> Answer | None:
    """Russian days without a performance, with the week around each."""
    parts = asked.query.get("date", "").split(".")
    if asked.path != "/afisha/" or len(parts) != 3 or (at := _parsed(*reversed(parts))) is None:
        return None
    year, month, day = _civil(at)
    week = [at - _weekday(at) + number for number in range(-1, 8)]
    links = [(f"/afisha/?date={_dotted(to)}", f"{_RU_DAYS[_weekday(to)]}, {_civil(to)[2]}") for to in week if to > 0]
    return _page(
        f"Афиша: {_RU_DAYS[_weekday(at)]}, {day} {_RU_MONTHS[month - 1]} {year} года",
        _list(links, "week")
        + '<div class="empty">На выбранную дату мероприятий не найдено.</div>'
        + _paragraphs(
            "Здесь публикуется расписание спектаклей, концертов, выставок и экскурсий нашего города. Выберите день, "
            "чтобы увидеть программу, или вернитесь к ближайшим событиям на главной странице.",
            "Билеты продаются в кассе дома культуры ежедневно с десяти до девятнадцати часов, перерыв на обед с "
            "тринадцати до четырнадцати. Администрация оставляет за собой право заменить программу.",
        ),
        ("Главная", "Новости", "О нас", "Коллективы", "Контакты"),
        "Дом культуры. При использовании материалов ссылка на сайт обязательна. Версия для слабовидящих.",
        "ru",
    )


_AR_MONTHS = ("يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر",
              "ديسمبر")  # fmt: skip
_AR_DAYS = ("السبت", "الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة")
_ARABIC = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


@trap("/ar/events/calendar?y=2026&m=11", MORE, silent=True)
def taqwim_shahri(asked: Asked) -> Answer | None:
    """Arabic months without an event, in Arabic-Indic digits."""
    year, month = _whole(asked.query.get("y"), 6), _whole(asked.query.get("m"), 2)
    if asked.path != "/ar/events/calendar" or not year or not month or month > 12:
        return None
    at = year * 12 + month - 1
    steps = ((-1, "الشهر السابق"), (1, "الشهر التالي"), (-12, "السنة السابقة"), (12, "السنة التالية"))
    links = [
        (f"/ar/events/calendar?y={(at + step) // 12}&m={(at + step) % 12 + 1}", text)
        for step, text in steps
        if at + step >= 12
    ]
    days = [f"<span>{str(day).translate(_ARABIC)}</span>" for day in range(1, _length(year, month) + 1)]
    return _page(
        f"تقويم الفعاليات: {_AR_MONTHS[month - 1]} {str(year).translate(_ARABIC)}",
        _list(links, "pager")
        + _grid(year, month, days, _AR_DAYS, 5)
        + _paragraphs(
            "لا توجد فعاليات في هذا الشهر.",
            "يعرض هذا التقويم الفعاليات والندوات والدورات التدريبية التي تنظمها الجامعة على مدار السنة. يمكنكم التنقل "
            "بين الأشهر باستخدام الروابط أعلى الجدول، كما يمكنكم الاشتراك في النشرة البريدية لتصلكم آخر الأخبار.",
            "للاستفسار عن مواعيد التسجيل والقبول يرجى التواصل مع عمادة شؤون الطلاب خلال أوقات الدوام الرسمي.",
        ),
        ("الرئيسية", "عن الجامعة", "الكليات", "الأخبار", "اتصل بنا"),
        "جميع الحقوق محفوظة. سياسة الخصوصية. خريطة الموقع.",
        "ar",
    )


_JA_DAYS = ("日", "月", "火", "水", "木", "金", "土")
_EPOCH = date(1970, 1, 1).toordinal()


@trap("/yotei/index.cgi?t=1795392000", MORE, silent=True)
def yotei_hyo(asked: Asked) -> Answer | None:
    """Japanese days of no plans, by Unix time, each with its month."""
    time = _number(asked.query.get("t"), 14)
    if asked.path != "/yotei/index.cgi" or time is None or (at := _EPOCH + time // 86_400) < 1:
        return None
    year, month, day = _civil(at)
    first, many = at - day + 1, _length(year, month)

    def link(ordinal: int, text: object) -> str:
        return _a(f"/yotei/index.cgi?t={(ordinal - _EPOCH) * 86_400}", text) if ordinal > 0 else escape(str(text))

    days = [f"<b>{number}</b>" if number == day else link(first + number - 1, number) for number in range(1, many + 1)]
    near = (
        link(first - 1, "<< 前の月"),
        link(at - 1, "前の日"),
        link(at + 1, "次の日"),
        link(first + many, "次の月 >>"),
    )
    return _page(
        f"{year}年{month}月{day}日({_JA_DAYS[(_weekday(at) + 1) % 7]})の予定",
        f'<div class="navi">{" | ".join(near)}</div><h2>{year}年{month}月</h2>'
        + _grid(year, month, days, _JA_DAYS, 6)
        + _paragraphs(
            "この日の予定はありません。",
            "カレンダーの日付をクリックすると、その日の予定が表示されます。会議室の予約や行事の登録は、"
            "事務局の担当者までご連絡ください。登録には利用者番号が必要です。",
            "祝日および年末年始は休館いたします。開館時間は午前九時から午後五時までです。ご来館の際は公共の交通機関をご利用ください。",
        ),
        ("トップ", "お知らせ", "施設案内", "利用方法", "アクセス"),
        "市民会館 事務局 このサイトについて 個人情報の取り扱い",
        "ja",
    )


_ES_MONTHS = ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
              "noviembre", "diciembre")  # fmt: skip


def _es(ordinal: int) -> str:
    year, month, day = _civil(ordinal)
    return f"{day} de {_ES_MONTHS[month - 1]} de {year}"


@trap("/reservas/disponibilidad?from=2026-11-23&to=2026-11-30", MORE)
def disponibilidad_por_fechas(asked: Asked) -> Answer | None:
    """Spanish: no room is free between any two dates."""
    start, end = _parsed_iso(asked.query.get("from", "")), _parsed_iso(asked.query.get("to", ""))
    if asked.path != "/reservas/disponibilidad" or start is None or end is None:
        return None
    steps = (
        (-7, -7, "Semana anterior"),
        (7, 7, "Semana siguiente"),
        (-1, 0, "Llegar un día antes"),
        (1, 0, "Llegar un día después"),
        (0, -1, "Salir un día antes"),
        (0, 1, "Salir un día después"),
        (0, 7, "Una semana más"),
    )
    links = [
        (f"/reservas/disponibilidad?from={_iso(start + before)}&to={_iso(end + after)}", text)
        for before, after, text in steps
        if 0 < start + before < end + after
    ]
    rooms = ("Habitación individual", "Habitación doble", "Habitación doble superior", "Suite familiar", "Apartamento")
    return _page(
        f"Disponibilidad del {_es(start)} al {_es(end)}",
        f"<p>Noches: {max(end - start, 0)}</p>"
        + _table(((room, "Completo", "&ndash;") for room in rooms), ("Habitación", "Disponibilidad", "Precio"))
        + "<p>No hay habitaciones disponibles en las fechas elegidas. Pruebe con otras fechas:</p>"
        + _list(links, "fechas")
        + _paragraphs(
            "La entrada se realiza a partir de las quince horas y la salida antes de las doce. El desayuno está "
            "incluido en todas las tarifas. Se admiten animales de compañía previa petición y con suplemento.",
            "Las reservas pueden cancelarse sin gastos hasta siete días antes de la llegada. Consulte nuestras ofertas "
            "para grupos y estancias largas en recepción.",
        ),
        ("Inicio", "El hotel", "Habitaciones", "Restaurante", "Cómo llegar"),
        "Hotel familiar junto al mar. Aviso legal. Política de privacidad. Condiciones de reserva.",
        "es",
    )


_PL_MONTHS = ("stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca", "lipca", "sierpnia", "września",
              "października", "listopada", "grudnia")  # fmt: skip
_CURRENCIES = (("USD", "dolar amerykański", 3.9), ("EUR", "euro", 4.3), ("CHF", "frank szwajcarski", 4.5),
               ("GBP", "funt szterling", 5.1), ("CZK", "korona czeska", 0.17), ("SEK", "korona szwedzka", 0.38),
               ("NOK", "korona norweska", 0.37), ("DKK", "korona duńska", 0.58), ("HUF", "forint", 0.011),
               ("UAH", "hrywna", 0.094), ("JPY", "jen", 0.026), ("CAD", "dolar kanadyjski", 2.9),
               ("AUD", "dolar australijski", 2.6), ("TRY", "lira turecka", 0.12))  # fmt: skip


@trap("/kursy/2026-11-23/", MORE, undecidable=True)
def kursy_walut(asked: Asked) -> Answer | None:
    """Polish: exchange rates for any date, with figures of their own."""
    segments = asked.segments
    if len(segments) != 2 or segments[0] != "kursy" or (at := _parsed_iso(segments[1])) is None:
        return None
    year, month, day = _civil(at)
    rng = asked.of("rates", at)
    rows = [
        (
            f"1 {code}",
            escape(told),
            f"{rate * rng.uniform(0.9, 1.1):.4f}".replace(".", ","),
            f"{rng.uniform(-2, 2):+.2f}%",
        )
        for code, told, rate in _CURRENCIES
    ]
    steps = ((-1, "poprzedni dzień"), (1, "następny dzień"), (-7, "tydzień wcześniej"), (7, "tydzień później"),
             (-365, "rok wcześniej"), (365, "rok później"))  # fmt: skip
    links = [(f"/kursy/{_iso(at + step)}/", text) for step, text in steps if at + step > 0]
    return _page(
        f"Kursy walut z dnia {day} {_PL_MONTHS[month - 1]} {year} r.",
        f"<p>Tabela nr {at % 255 + 1:03}/A z dnia {_iso(at)}</p>"
        + _table(rows, ("Kod", "Nazwa waluty", "Kurs średni", "Zmiana"))
        + _list(links, "pager")
        + _paragraphs(
            "Kursy mają charakter wyłącznie informacyjny i nie stanowią oferty w rozumieniu kodeksu cywilnego. "
            "Transakcje zawierane są po kursie obowiązującym w chwili ich realizacji."
        ),
        ("Strona główna", "Notowania", "Kantory", "Kalkulator", "Kontakt"),
        "Regulamin serwisu. Polityka prywatności. Wszelkie prawa zastrzeżone.",
        "pl",
    )


_HI_MONTHS = ("जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर")
_HI_DAYS = ("सोमवार", "मंगलवार", "बुधवार", "गुरुवार", "शुक्रवार", "शनिवार", "रविवार")
_DEVANAGARI = str.maketrans("0123456789", "०१२३४५६७८९")
_SYNODIC = 29.530588853


@trap("/panchang/2026/", MORE)
def panchang_by_year(asked: Asked) -> Answer | None:
    """Hindi: the full and new moons and the tides of any year."""
    if len(asked.segments) != 2 or asked.segments[0] != "panchang" or not (year := _whole(asked.segments[1], 6)):
        return None
    first, end = _ordinal(year, 1, 1), _ordinal(year + 1, 1, 1)
    moon = _FIRST + 5.76
    at = -int((moon - first) // (_SYNODIC / 2))
    rows = []
    while (when := moon + at * _SYNODIC / 2) < end:
        ordinal, minute = int(when // 1), int(when % 1 * 1_440)
        _, month, day = _civil(ordinal)
        cells = (
            "पूर्णिमा" if at % 2 else "अमावस्या",
            f"{day} {_HI_MONTHS[month - 1]} {year}",
            _HI_DAYS[_weekday(ordinal)],
            f"{minute // 60:02}:{minute % 60:02}",
            f"{3.4 + when * 7 % 13 / 9:.2f} मी",
        )
        rows.append(cells)
        at += 1
    years = [to for to in (year - 100, year - 10, year - 1, year + 1, year + 10, year + 100) if to > 0]
    return _page(
        f"पंचांग {str(year).translate(_DEVANAGARI)}: पूर्णिमा, अमावस्या और ज्वार",
        _list(((f"/panchang/{to}/", str(to).translate(_DEVANAGARI)) for to in years), "years")
        + _table(rows, ("तिथि", "दिनांक", "वार", "समय", "उच्च ज्वार")).translate(_DEVANAGARI)
        + _paragraphs(
            "सभी समय भारतीय मानक समय के अनुसार दिए गए हैं। ज्वार की ऊँचाई मुख्य बंदरगाह के लिए है और मौसम के अनुसार बदल सकती है।",
            "किसी अन्य वर्ष की सारणी देखने के लिए ऊपर दी गई कड़ियों का प्रयोग करें। मछुआरों और यात्रियों को सलाह दी जाती है कि वे "
            "स्थानीय सूचना पर भी ध्यान दें।",
        ),
        ("मुखपृष्ठ", "समाचार", "त्योहार", "राशिफल", "संपर्क"),
        "सर्वाधिकार सुरक्षित। गोपनीयता नीति।",
        "hi",
    )


_IT_MONTHS = ("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre",
              "novembre", "dicembre")  # fmt: skip


@trap("/almanacco.php?a=2026&m=11&g=23", MORE)
def almanacco_con_contatore(asked: Asked) -> Answer | None:
    """Italian days with a counter of visitors and the time it took, which differ at each visit."""
    query = asked.query
    at = _parsed(query.get("a", ""), query.get("m", ""), query.get("g", ""))
    if asked.path != "/almanacco.php" or at is None:
        return None
    year, month, day = _civil(at)
    visit = next(_VISITS)
    links = []
    for step, text in ((-1, "Ieri"), (1, "Domani"), (-30, "Un mese fa"), (30, "Tra un mese")):
        if at + step > 0:
            to = _civil(at + step)
            links.append((f"/almanacco.php?a={to[0]}&m={to[1]}&g={to[2]}", text))
    return _page(
        f"Almanacco del {day} {_IT_MONTHS[month - 1]} {year}",
        _list(links, "pager")
        + _paragraphs(
            "Per questo giorno non è stato segnalato nessun avvenimento. Se conosci una ricorrenza, una festa o un "
            "anniversario, scrivi alla redazione e lo aggiungeremo volentieri.",
            "L’almanacco raccoglie proverbi, ricorrenze e curiosità per ogni giorno dell’anno, a cura degli amici "
            "della biblioteca comunale. Le fasi della luna e gli orari del sole si riferiscono alla nostra valle.",
        )
        + f'<table class="contatore"><tr><td>Sei il visitatore numero</td><td>{184_220 + visit:07}</td></tr>'
        f"<tr><td>Utenti in linea</td><td>{Random(visit).randrange(1, 40)}</td></tr></table>",
        ("Home", "Notizie", "La biblioteca", "Gli amici", "Scrivici"),
        f"Pagina generata in {Random(~visit).uniform(0.02, 0.9):.3f} secondi, {visit % 23 + 9} query.",
        "it",
    )


# Lists, searches and shops

_COLORS = ("Black", "White", "Navy", "Olive", "Wine", "Sand", "Grey", "Teal")
_FACETS = {
    "color": _COLORS,
    "size": ("XS", "S", "M", "L", "XL", "XXL", "One size", "Made to measure"),
    "brand": tuple(word.title() for word in WORDS[100:108]),
    "material": ("Cotton", "Wool", "Linen", "Silk", "Leather", "Denim", "Fleece", "Viscose"),
    "season": ("Spring", "Summer", "Autumn", "Winter", "All year", "Rain", "Snow", "Travel"),
    "price": ("under 10", "10 to 20", "20 to 40", "40 to 60", "60 to 100", "100 to 200", "200 to 500", "over 500"),
}


@lru_cache(maxsize=4)
def _goods(seed: int) -> list[tuple[str, str, tuple[int, ...]]]:
    """Of two hundred products the title, the teaser, and the value of each facet."""
    rng = Random(f"{seed}|goods")
    return [
        (name(rng, 3).replace("-", " ").title(), prose(rng, 14), tuple(rng.randrange(8) for _ in _FACETS))
        for _ in range(200)
    ]


@lru_cache(maxsize=4)
def _counts(seed: int) -> Counter[tuple[str, int]]:
    """How many of the products have each value."""
    return Counter(pair for _, _, values in _goods(seed) for pair in zip(_FACETS, values, strict=True))


@trap("/search/products?f%5B0%5D=color%3A3", MORE)
def numbered_facets(asked: Asked) -> Answer | None:
    """Facets of any number at once, numbered in the order in which they were chosen."""
    if asked.path != "/search/products":
        return None
    chosen = [value for key, value in asked.pairs if re.fullmatch(r"f\[\d+\]", key) and value.count(":") == 1]
    wanted: dict[str, set[str]] = {}
    for one in chosen:
        wanted.setdefault(one.partition(":")[0], set()).add(one.partition(":")[2])

    def link(values: list[str]) -> str:
        return "/search/products?" + "&".join(f"f%5B{at}%5D={value}" for at, value in enumerate(values))

    taken = [quote(value) for value in chosen]
    more = f"{link(taken)}{'&' if taken else ''}f%5B{len(taken)}%5D="
    asides = []
    for facet, labels in _FACETS.items():
        items = []
        for at, label in enumerate(labels):
            if f"{facet}:{at}" in chosen:
                items.append((link([one for one in taken if one != f"{facet}%3A{at}"]), f"(-) {label}"))
            else:
                items.append((f"{more}{facet}%3A{at}", f"{label} ({_counts(asked.seed)[facet, at]})"))
        asides.append(f"<h3>Filter by {facet}</h3>{_list(items, 'facetapi-facet')}")
    found = [
        (title, teaser)
        for title, teaser, values in _goods(asked.seed)
        if all(str(values[at]) in wanted.get(facet, str(values[at])) for at, facet in enumerate(_FACETS))
    ]
    rows = "".join(f'<div class="views-row"><h2>{title}</h2><p>{teaser}</p></div>' for title, teaser in found[:10])
    return _page(
        "Products",
        f"<p>{len(found)} results</p>"
        + (rows or "<p>Your search yielded no results. Check if your spelling is correct, or remove a filter.</p>")
        + f'<aside class="region-sidebar">{"".join(asides)}</aside>',
        ("Home", "Collections", "Our shops", "Size guide", "Help"),
        "Free returns within thirty days. All prices include tax. Terms of sale. Privacy notice.",
    )


_SHELVES = {
    word: {WORDS[400 + at * 30 + facet]: WORDS[1_000 + at * 30 + facet * 5 :][:5] for facet in range(4)}
    for at, word in enumerate(WORDS[200:224])
}


@trap(f"/shop/{WORDS[200]}/", MORE)
def facets_of_each_category(asked: Asked) -> Answer | None:
    """Two dozen categories with facets of their own, of which any values go together."""
    if len(asked.segments) != 2 or asked.segments[0] != "shop" or (shelf := asked.segments[1]) not in _SHELVES:
        return None
    facets = _SHELVES[shelf]
    chosen = {facet: asked.query[facet].split(",") for facet in facets if asked.query.get(facet)}
    sides = []
    for facet, values in facets.items():
        links = []
        for value in values:
            mine = chosen.get(facet, [])
            now = {**chosen, facet: [one for one in mine if one != value] if value in mine else sorted([*mine, value])}
            query = urlencode({known: ",".join(ones) for known, ones in now.items() if ones}, safe=",")
            links.append((f"/shop/{shelf}/{'?' if query else ''}{query}", value.title()))
        sides.append(f"<fieldset><legend>{facet.title()}</legend>{_list(links, 'filter')}</fieldset>")
    rng = asked.of(shelf, sorted(chosen.items()))
    goods = [_goods(asked.seed)[number] for number in rng.sample(range(200), rng.randint(0, 12))]
    tiles = _table([(title, teaser, _a(f"/article/{len(title) % 12}", "Delivery")) for title, teaser, _ in goods])
    told = "; ".join(f"{facet}: {' or '.join(values)}" for facet, values in chosen.items())
    return _page(
        f"{shelf.title()} {told}",
        _list([(f"/shop/{other}/", other.title()) for other in _SHELVES], "categories")
        + "".join(sides)
        + (tiles if goods else "<p>No products match your selection. Try to remove a filter.</p>")
        + "<p>Showing all results. Prices are shown at checkout.</p>",
        ("Start", "Offers", "Service", "Shipping", "Payment"),
        "Wholesale and retail since 1974. Ordered before noon, sent the same day. Secure payment by card or invoice.",
    )


_THINGS = [f"{WORDS[at * 5 + 3]}-{WORDS[at * 4 + 11][:3]}{at + 100}" for at in range(300)]
_PLACE = {thing: at for at, thing in enumerate(_THINGS)}
_SPECIFICATIONS = ("Weight", "Height", "Width", "Depth", "Battery", "Memory", "Display", "Camera", "Year", "Guarantee")


@lru_cache(maxsize=1_024)
def _thing(seed: int, at: int) -> tuple[str, list[str]]:
    rng = Random(f"{seed}|thing|{at}")
    return prose(rng, 30), [f"{rng.randrange(5, 900)} {rng.choice(('g', 'mm', 'h', 'GB'))}" for _ in _SPECIFICATIONS]


@trap(f"/compare/{_THINGS[0]}-vs-{_THINGS[1]}", MORE)
def compare_any_two(asked: Asked) -> Answer | None:
    """Any two of three hundred things side by side."""
    one, _, other = asked.path.removeprefix("/compare/").partition("-vs-")
    if one not in _PLACE or other not in _PLACE:
        return None
    (text, own), (other_text, others) = _thing(asked.seed, _PLACE[one]), _thing(asked.seed, _PLACE[other])
    names = [thing.replace("-", " ").title() for thing in (one, other)]
    pairs = [(other, one)]
    pairs += [(one, thing) for thing in asked.rng.sample(_THINGS, 4)]
    pairs += [(thing, other) for thing in asked.rng.sample(_THINGS, 4)]
    pairs += [(asked.rng.choice(_THINGS), asked.rng.choice(_THINGS)) for _ in range(3)]
    links = [(f"/compare/{a}-vs-{b}", f"{a} vs {b}".replace("-", " ").title()) for a, b in pairs]
    return _page(
        f"{names[0]} vs {names[1]}: which one is better?",
        _paragraphs("We have compared the two for you in every detail. See below which of them wins.", text, other_text)
        + _table(zip(_SPECIFICATIONS, own, others, strict=True), ("", *names), "specs")
        + "<h2>Popular comparisons</h2>"
        + _list(links, "related"),
        ("Home", "Phones", "Tablets", "Watches", "About"),
        "As an associate we earn from qualifying purchases. Specifications may differ from country to country.",
    )


@trap("/archive?page=1", MORE, undecidable=True)
def pager_with_sentence_of_the_day(asked: Asked) -> Answer | None:
    """Eight pages of posts, then empty ones, each of which has a sentence that no other has."""
    number = _whole(asked.query.get("page"))
    if asked.path != "/archive" or not number:
        return None
    if number <= 8:
        posts = "".join(
            f"<article><h2>{name(rng, 3)}</h2><p>{prose(rng, 25)}</p></article>"
            for rng in (asked.of("post", number, at) for at in range(6))
        )
    else:
        posts = '<p class="no-results">Sorry, no posts matched your criteria.</p>'
    pages = [to for to in range(number - 2, number + 4) if to > 0 and to != number]
    return _page(
        f"Archive – page {number}",
        posts
        + f"<nav class='pagination'>{' '.join(_a(f'/archive?page={to}', to) for to in pages)} "
        + _a(f"/archive?page={number + 1}", "Older posts »", rel="next")
        + "</nav>"
        + f"<aside><h3>Sentence of the day</h3><blockquote>{prose(asked.rng, 16)}</blockquote></aside>",
        ("Home", "Blog", "About", "Subscribe"),
        "Proudly written on a kitchen table. Comments are moderated, and may be closed after a month. Subscribe to our "
        "letter and never miss a post: it is sent on the first Sunday of each month, and you can leave at any time. "
        "Opinions are our own. Words and pictures may be used elsewhere if the author is named and a link is set.",
    )


_ASKED_FOR = ("cheap", "second hand", "near me", "for beginners", "reviews", "pictures", "manual", "online", "rental",
              "repair", "opening hours", "history")  # fmt: skip


@trap("/search?q=garden+chair", MORE, silent=True)
def search_that_echoes(asked: Asked) -> Answer | None:
    """No results, whatever is looked for, but the same dozen words to add to it or to take away."""
    wanted = " ".join(asked.query.get("q", "").split())
    if asked.path != "/search" or not wanted or len(wanted) > 300:
        return None
    shown = escape(wanted)
    links = []
    for extra in _ASKED_FOR:
        query = wanted.replace(extra, "").strip() if extra in wanted else f"{wanted} {extra}"
        if query:
            links.append((f"/search?{urlencode({'q': ' '.join(query.split())})}", query))
    return _page(
        f"{wanted} – search results",
        _paragraphs(
            f"Your search for <b>{shown}</b> did not match any documents. Here is all you need to know about {shown}: "
            f"find the best {shown} in your area, compare prices of {shown} and save up to 70%.",
            f"Tips: make sure that all words of “{shown}” are spelled correctly, try other words than {shown}, or try "
            "more general words. You may also browse our categories or write to us.",
        )
        + "<h2>Related searches</h2>"
        + _list(links, "related")
        + f'<form action="/search"><input name="q" value="{shown}"><button>Search</button></form>',
        ("Home", "Categories", "Shops", "Help"),
        f"People looking for {shown} trust us. Imprint. Privacy. Terms of use.",
    )


_SOURCES = [f"{word}.{ending}" for word, ending in zip(WORDS[::120], ("org", "net", "info") * 9, strict=False)]


@trap(f"/find/{WORDS[5]}+{WORDS[9]}", MORE)
def related_searches(asked: Asked) -> Answer | None:
    """Ten suggestions on each page of results, of which all say something of a few hundred snippets."""
    if len(asked.segments) != 2 or asked.segments[0] != "find":
        return None
    wanted = asked.segments[1].replace("%20", "+").split("+")[:5]
    rng = asked.rng
    links = []
    for _ in range(10):
        words = [rng.choice(wanted), *rng.choices(WORDS, k=rng.randint(1, 2))]
        rng.shuffle(words)
        links.append((f"/find/{quote('+'.join(words), safe='+')}", " ".join(words)))
    snippets = "".join(
        f"<li><cite>{_SOURCES[number % len(_SOURCES)]}</cite><p>… {prose(asked.of('snippet', number), 22)}</p></li>"
        for number in rng.sample(range(300), 8)
    )
    return _page(
        " ".join(wanted),
        f"<p>About {rng.randrange(1_000, 900_000):,} results</p><ol class='results'>{snippets}</ol>"
        "<h2>People also search for</h2>" + _list(links, "suggestions"),
        ("Home", "Web", "Pictures", "Preferences"),
        "Results are gathered from partners and may include advertising. Report a result.",
    )


@trap("/feed?order=random&seed=4711", MORE)
def shuffled_feed(asked: Asked) -> Leaf | None:
    """Three hundred posts in an order of chance, which another seed shuffles anew."""
    seed, page = asked.query.get("seed", "")[:20], _whole(asked.query.get("page", "1"), 4)
    if asked.path != "/feed" or not page:
        return None
    posts = asked.of("order", seed).sample(range(300), 300)[page * 12 - 12 : page * 12]
    after = [(f"/feed?order=random&seed={seed}&page={page + 1}", "More")] if page < 25 else []
    anew = [(f"/feed?order=random&seed={asked.rng.randrange(10**6)}", text) for text in ("Shuffle", "Surprise me")]
    blocks = [prose(asked.of("post", post), 20) for post in posts]
    return Leaf("From our community", ["In no particular order.", *blocks], [*after, *anew])


_TAGS = WORDS[300:500]


@trap(f"/bookmarks/tag/{_TAGS[0]}", MORE)
def tags_joined(asked: Asked) -> Answer | None:
    """Bookmarks that have all of some tags, with more tags to add."""
    if len(asked.segments) != 3 or asked.segments[:2] != ["bookmarks", "tag"]:
        return None
    tags = asked.segments[2].split("+")
    if not set(tags) <= set(_TAGS):
        return None
    base = "/bookmarks/tag/"
    more = [tag for tag in asked.rng.sample(_TAGS, 12) if tag not in tags]
    links = [(f"{base}{'+'.join([*tags, tag])}", f"+ {tag}") for tag in more[: 12 if len(tags) < 60 else 0]]
    links += [(f"{base}{tag}", tag) for tag in more[:4]]
    if len(tags) > 1:
        links += [(base + "+".join(one for one in tags if one != tag), f"- {tag}") for tag in tags]
    rng = asked.of(sorted(tags))
    rows = []
    for number in rng.sample(range(150), max(10 - 2 * len(tags), 0)):
        mark = asked.of("bookmark", number)
        rows.append((name(mark, 3), prose(mark, 12), f"saved by {mark.randrange(2, 400)} people"))
    return _page(
        "Bookmarks tagged " + " + ".join(tags),
        (_table(rows, ("Title", "Notes", "")) if rows else "<p>Nobody has bookmarked anything with all these tags.</p>")
        + "<h2>Related tags</h2>"
        + _list(links, "tags"),
        ("Home", "Popular", "Recent", "Register"),
        "Save links, share them, and find what others have saved. There is a button for your browser.",
    )


@trap("/item/12?viewed=3", MORE)
def recently_viewed(asked: Asked) -> Leaf | None:
    """A hundred products, whose links carry on the last six that were looked at."""
    number = _whole(asked.segments[1], 3) if len(asked.segments) == 2 and asked.segments[0] == "item" else None
    if number is None or number >= 100:
        return None
    viewed = [one for one in asked.query.get("viewed", "").split(",") if _whole(one, 3) is not None]
    carried = ",".join([*(one for one in viewed if one != str(number)), str(number)][-6:])
    links = [(f"/item/{(number * 3 + step) % 100}?viewed={carried}", "You may also like") for step in (1, 8, 27, 64)]
    links += [(f"/item/{one}?viewed={carried}", f"Recently viewed: {_item(asked, int(one))}") for one in viewed[-6:]]
    rng = asked.of("item", number)
    return Leaf(_item(asked, number), [prose(rng, 90), f"{rng.randrange(5, 90)}.95, in stock"], links)


def _item(asked: Asked, number: int) -> str:
    return name(asked.of("name of item", number), 2).replace("-", " ").title()


@trap("/gaestebuch.php?offset=0", MORE)
def gaestebuch(asked: Asked) -> Answer | None:
    """German: a guestbook of twelve pages, with empty ones after them."""
    offset = _whole(asked.query.get("offset"))
    if asked.path != "/gaestebuch.php" or offset is None:
        return None
    entries = "".join(
        f"<tr><td><b>{name(rng, 1).title()}</b> schrieb am {rng.randrange(1, 29)}.{rng.randrange(1, 13)}.2009:</td>"
        f"<td>{prose(rng, 18)}</td></tr>"
        for rng in (asked.of("entry", number) for number in range(offset, min(offset + 10, 120)))
    )
    steps = [
        (to, text) for to, text in ((offset - 10, "Neuere"), (offset + 10, "Ältere"), (offset + 100, "»»")) if to >= 0
    ]
    return _page(
        "Gästebuch",
        "<p>Insgesamt 120 Einträge. Vielen Dank für Ihren Besuch auf unserer Seite, wir freuen uns über jeden Gruß! "
        "Bitte beachten Sie, dass neue Einträge erst nach einer Prüfung zu sehen sind. Ihre E-Mail-Adresse wird nicht "
        "angezeigt. HTML ist nicht erlaubt, Smileys werden ersetzt. Pflichtfelder sind mit einem Stern versehen.</p>"
        + (f'<table class="gb">{entries}</table>' if entries else "<p>Keine weiteren Einträge vorhanden.</p>")
        + _list(((f"/gaestebuch.php?offset={to}", text) for to, text in steps), "blaettern")
        + '<form method="post"><input name="name"><textarea name="text"></textarea><button>Eintragen</button></form>',
        ("Startseite", "Über uns", "Fotos", "Unser Hund", "Impressum"),
        "Einträge mit beleidigendem Inhalt werden gelöscht. Diese Seite ist für 1024 mal 768 Bildpunkte gemacht.",
        "de",
    )


# Mazes


def _leads_nowhere(asked: Asked, path: str) -> bool:
    return asked.of("dead end", path).random() < 1 / 3


@trap("/essays/beginning", MORE)
def maze_of_few_links(asked: Asked) -> Leaf | None:
    """Random text with two or three links to more of it; a fifth of the pages leads nowhere."""
    if len(asked.segments) != 2 or asked.segments[0] != "essays":
        return None
    links: list[str] = []
    if asked.segments[1] == "beginning" or not _leads_nowhere(asked, asked.path):
        links = [f"/essays/{name(asked.rng, 3)}" for _ in range(asked.rng.randint(2, 3))]
        while _leads_nowhere(asked, links[0]):
            links[0] = f"/essays/{name(asked.rng, 3)}"
    return Leaf(name(asked.rng, 3), [prose(asked.rng, 120), prose(asked.rng, 90)], links)


_HUBS = [f"{WORDS[at * 5]}-{WORDS[at * 5 + 3]}" for at in range(300)]


@trap(f"/topics/{_HUBS[0]}/", MORE)
def maze_of_many_hubs(asked: Asked) -> Leaf | None:
    """Random pages, each of which belongs to some of three hundred topics, which list such pages."""
    if len(asked.segments) != 2:
        return None
    kind, slug = asked.segments
    topics = [(f"/topics/{hub}/", hub.replace("-", " ")) for hub in asked.rng.sample(_HUBS, 5)]
    if kind == "topics" and slug in _HUBS:
        mine = [name(asked.rng, 4) for _ in range(16)]
        return Leaf(slug.replace("-", " "), [prose(asked.rng, 40)], [*topics, *((f"/read/{one}", one) for one in mine)])
    if kind != "read":
        return None
    mine = [name(asked.rng, 4) for _ in range(4)]
    return Leaf(slug.replace("-", " "), [prose(asked.rng, 180)], [*topics, *((f"/read/{one}", one) for one in mine)])


@trap("/handbook/", MORE)
def maze_of_breadcrumbs(asked: Asked) -> Answer | None:
    """A manual whose chapters have chapters, with a way back up and across."""
    parts = asked.segments
    if not parts or parts[0] != "handbook" or len(parts) > 60 or not asked.path.endswith("/"):
        return None
    crumbs = "".join(
        f'<li itemprop="itemListElement">{_a("/" + "/".join(parts[:at]) + "/", parts[at - 1].replace("-", " "))}</li>'
        for at in range(1, len(parts))
    )

    def below(path: str) -> list[tuple[str, str]]:
        rng = asked.of("chapters", path)
        names = [name(rng, 2) for _ in range(5)]
        return [(f"{path}{one}/", one.replace("-", " ").capitalize()) for one in names]

    above = "/" + "/".join([*parts[:-1], ""])
    across = [link for link in below(above) if link[0] != asked.path] if len(parts) > 1 else []
    return _page(
        parts[-1].replace("-", " ").capitalize(),
        f'<ol class="breadcrumb" itemscope itemtype="https://schema.org/BreadcrumbList">{crumbs}</ol>'
        + _paragraphs(prose(asked.rng, 70), prose(asked.rng, 60))
        + "<h2>In this chapter</h2>"
        + _list(below(asked.path) if len(parts) < 60 else [], "toc")
        + "<h2>See also</h2>"
        + _list(across, "siblings"),
        ("Home", "Handbook", "Changes", "Licence"),
        "This handbook is written by its readers. Was this page of use to you? Suggest an edit.",
    )


@trap("/story/once-upon-a-time", MORE, undecidable=True)
def chain_of_new_text(asked: Asked) -> Leaf | None:
    """A story that goes on and on."""
    if len(asked.segments) != 2 or asked.segments[0] != "story":
        return None
    after = name(asked.rng, 4)
    return Leaf(
        asked.segments[1].replace("-", " ").capitalize(),
        [prose(asked.rng, asked.rng.randint(60, 120)) for _ in range(3)],
        [(f"/story/{after}", after.replace("-", " ").capitalize())],
    )


@trap("/plates/1/1", MORE, undecidable=True)
def lattice_of_text(asked: Asked) -> Leaf | None:
    """Two more pages from each, by which ways meet again and never lead back."""
    numbers = [_whole(segment) for segment in asked.segments[1:]]
    if asked.segments[:1] != ["plates"] or len(numbers) != 2 or None in numbers:
        return None
    row, column = (number or 0 for number in numbers)
    links = [(f"/plates/{row + 1}/{column}", "Below"), (f"/plates/{row}/{column + 1}", "Beside")]
    return Leaf(name(asked.rng, 3).replace("-", " "), [prose(asked.rng, 110), prose(asked.rng, 60)], links)


@trap("/words?len=3&start=ba&roll=1", MORE, undecidable=True)
def word_lists(asked: Asked) -> Answer | None:
    """Made-up words of any length and beginning."""
    length, start = _whole(asked.query.get("len"), 2), asked.query.get("start", "")
    if asked.path != "/words" or not length or length > 12 or not re.fullmatch("[a-z]{1,4}", start):
        return None
    syllables = [first + second for first in "bcdfghjklmnprstvwz" for second in "aeiou"]
    words = [start + "".join(asked.rng.choices(syllables, k=length)) for _ in range(60)]
    links = [(f"/words?len={to}&start={start}&roll=1", f"{to} syllables") for to in range(1, 13) if to != length]
    links += [(f"/words?len={length}&start={word[:3]}&roll=1", f"starting with {word[:3]}") for word in words[:6]]
    links += [
        (f"/words?len={length}&start={to}&roll=1", f"with {to}") for to in asked.rng.sample(syllables, 6) if to != start
    ]
    links.append((f"/words?len={length}&start={start}&roll={asked.rng.randrange(10**6)}", "Generate again"))
    return _page(
        f"Random words starting with {start}",
        "<p>Here is your list of words for games, names of characters, brands and passwords. Copy what you like.</p>"
        + _table([words[at : at + 6] for at in range(0, 60, 6)], kind="words")
        + _list(links, "options"),
        ("Home", "Names", "Words", "Passwords"),
        "Words are made up by a computer. Should one of them offend you, please generate again.",
    )


# Pictures, versions, maps

_PICTURES = ("harbour", "lighthouse", "old-town", "market", "church", "bridge", "castle", "beach", "museum", "station")


@trap("/thumb/320x200/harbour.html", MORE, silent=True)
def picture_sizes(asked: Asked) -> Answer | None:
    """A page for each size of each of ten pictures."""
    found = re.fullmatch(r"/thumb/([1-9][0-9]{0,5})x([1-9][0-9]{0,5})/([a-z-]+)\.html", asked.path)
    if not found or found[3] not in _PICTURES:
        return None
    width, height, picture = int(found[1]), int(found[2]), found[3]
    sizes = [
        (width * 2, height * 2),
        (width // 2, height // 2),
        (width + 10, height),
        (width, height + 10),
        (width - 10, height),
        (width, height - 10),
        (height, width),
        (width * 4 // 3, height),
    ]
    links = [(f"/thumb/{w}x{h}/{picture}.html", f"{w} × {h}") for w, h in sizes if 0 < w < 10**6 and 0 < h < 10**6]
    others = [(f"/thumb/{width}x{height}/{other}.html", other.replace("-", " ").title()) for other in _PICTURES]
    return _page(
        f"{picture.replace('-', ' ').title()} – {width} × {height}",
        f'<figure><img src="/static/{picture}.jpg" width="{width}" height="{height}" alt="{picture}">'
        f"<figcaption>{picture.replace('-', ' ').title()}, {width} by {height} pixels</figcaption></figure>"
        "<h2>Other sizes</h2>"
        + _list(links, "sizes")
        + "<h2>Other pictures in this size</h2>"
        + _list(others, "pictures")
        + _paragraphs(
            "Choose the size that fits your screen, or enter width and height by hand. Pictures may be used for "
            "private purposes free of charge. For use in print please ask for the original file."
        ),
        ("Home", "Gallery", "Licence", "Contact"),
        "All photographs by the tourist office. Sizes are made when they are first asked for, which may take a while.",
    )


_TITLES = [word.title() for word in WORDS[600:640]]


def _revision(asked: Asked, title: str, number: int) -> list[str]:
    """Ten sentences, of which one is rewritten every forty revisions."""
    return [prose(asked.of(title, at, (number + at * 40) // 400), 14) for at in range(10)]


@trap(f"/w/index.php?title={_TITLES[0]}&diff=4813&oldid=4807", MORE, undecidable=True)
def differences_of_revisions(asked: Asked) -> Answer | None:
    """What changed from any revision of a page to any other, and lists of revisions."""
    title, script = asked.query.get("title", ""), "/w/index.php?title="
    if asked.path != "/w/index.php" or title not in _TITLES:
        return None
    menu = ("Main page", "Community portal", "Recent changes", "Help")
    foot = "Content is available under a free licence unless otherwise noted. Privacy policy. About. Disclaimers."
    if asked.query.get("action") == "history":
        offset = _whole(asked.query.get("offset"))
        if offset is None:
            return None
        rows = []
        for number in range(offset, max(offset - 20, 1), -1):
            rng = asked.of("edit", title, number)
            rows.append(
                (
                    _a(f"{script}{title}&diff={number}&oldid={number - 1}", "prev"),
                    _a(f"{script}{title}&diff=250000&oldid={number}", "cur"),
                    _TITLES[rng.randrange(40)],
                    f"({rng.randrange(-900, 900):+} bytes)",
                    f"<i>{prose(rng, 5)}</i>",
                )
            )
        older = [(f"{script}{title}&action=history&offset={max(offset - 20, 1)}", "older 20")] if offset > 20 else []
        newer = [(f"{script}{title}&action=history&offset={offset + 20}", "newer 20")] if offset < 250_000 else []
        return _page(f"{title}: Revision history", _list([*newer, *older], "pager") + _table(rows), menu, foot)
    new, old = _whole(asked.query.get("diff")), _whole(asked.query.get("oldid"))
    if not new or not old or max(new, old) > 250_000:
        return None
    after, before = _revision(asked, title, new), _revision(asked, title, old)
    changed = [
        (f"<del>{was}</del>", f"<ins>{now}</ins>") if was != now else (was, was)
        for was, now in zip(before, after, strict=True)
    ]
    rng = asked.rng
    pairs = [(old, max(old - rng.randint(1, 9), 1)), (min(new + rng.randint(1, 9), 250_000), new)]
    pairs += [(rng.randint(1, 250_000), rng.randint(1, 250_000)) for _ in range(4)]
    links = [(f"{script}{title}&diff={a}&oldid={b}", text) for (a, b), text in zip(
        pairs, ("← Previous edit", "Next edit →", "by the same editor", "reverted", "merged", "linked"), strict=True
    )]  # fmt: skip
    links.append((f"{script}{title}&action=history&offset={new}", "View history"))
    links += [(f"{script}{other}&diff={new}&oldid={old}", other) for other in rng.sample(_TITLES, 2)]
    return _page(
        f"{title}: Difference between revisions",
        _table(changed, (f"Revision as of edit {old}", f"Latest revision as of edit {new}"), "diff")
        + f"<h2>Revision {new}</h2>"
        + _paragraphs(*after)
        + _list(links, "portlet"),
        menu,
        foot,
    )


_FILES = [f"{folder}/{word}.py" for at, folder in enumerate(("src", "src/core", "tests", "docs", "tools", "examples"))
          for word in WORDS[700 + at * 8 : 708 + at * 8]]  # fmt: skip
_REPOSITORY = "/nemo/harbour"


def _lines(asked: Asked, path: str, sha: str) -> list[str]:
    """A file's text, of which there are four versions."""
    rng = asked.of("file", path, int(sha[0], 16) // 4)
    return [f"def {name(rng, 2).replace('-', '_')}({', '.join(rng.choices(WORDS, k=2))}): ..." for _ in range(16)]


@trap(f"{_REPOSITORY}/commits/9f3c1d7e{'0' * 31}1", MORE)
def commits_and_files(asked: Asked) -> Answer | None:
    """A repository of fifty files, to be seen as of any commit."""
    found = re.fullmatch(rf"{_REPOSITORY}/(commits|tree|blob|blame)/([0-9a-f]{{40}})(?:/(.+))?", asked.path)
    if not found or (found[3] or "") not in {"commits": ("", *_FILES), "tree": ("",)}.get(found[1], _FILES):
        return None
    kind, sha, path = found[1], found[2], found[3] or ""
    rng = asked.of("commit", sha)
    parents = [_hex(rng, 40) for _ in range(10)]

    def to(where: str, commit: str, file: str = "") -> str:
        return f"{_REPOSITORY}/{where}/{commit}" + (f"/{file}" if file else "")

    if kind == "tree":
        rows = [(_a(to("blob", sha, file), file), prose(asked.of(file), 4)) for file in _FILES]
        main = _table(rows) + _list([(to("commits", sha), "History"), (to("tree", parents[0]), "parent")])
    elif kind == "commits":
        rows = []
        for parent in parents:
            message = prose(asked.of("message", int(parent[:4], 16) % 80), 6)
            rows.append((_a(to("tree", parent), message), _a(to("commits", parent, path), parent[:7])))
        main = _table(rows, ("Message", "Commit")) + _list([(to("commits", parents[-1], path), "Older")])
    else:
        lines = _lines(asked, path, sha)
        if kind == "blame":
            cells = [
                (_a(to("blame", parents[at % 5], path), parents[at % 5][:7]), line) for at, line in enumerate(lines)
            ]
        else:
            cells = [(str(at), f"<code>{line}</code>") for at, line in enumerate(lines, 1)]
        others = [("blob", "Code"), ("blame", "Blame"), ("commits", "History")]
        main = _list([(to(other, sha, path), text) for other, text in others]) + _table(cells, kind="blob")
        main += _a(to("tree", sha), f"Browse files at {sha[:7]}")
    return _page(
        f"{path or 'harbour'} at {sha[:10]}",
        main,
        ("Explore", "Repositories", "Users", "Help"),
        "Powered by a self-hosted Git service. Page: 31ms. Template: 4ms. Licences. API.",
    )


@trap("/map/12/2200/1343", MORE)
def map_tiles(asked: Asked) -> Answer | None:
    """A page for each tile of a map, down to the finest scale."""
    numbers = [_whole(segment) for segment in asked.segments[1:]]
    if asked.segments[:1] != ["map"] or len(numbers) != 3 or None in numbers:
        return None
    zoom, x, y = (number or 0 for number in numbers)
    side = 1 << min(zoom, 30)
    if zoom > 24 or x >= side or y >= side:
        return None
    near = (("North", 0, -1), ("South", 0, 1), ("East", 1, 0), ("West", -1, 0), ("North-east", 1, -1),
            ("South-west", -1, 1))  # fmt: skip
    links = [(f"/map/{zoom}/{(x + dx) % side}/{y + dy}", text) for text, dx, dy in near if 0 <= y + dy < side]
    if zoom < 24:
        links += [(f"/map/{zoom + 1}/{2 * x + at % 2}/{2 * y + at // 2}", f"Zoom in ({at + 1})") for at in range(4)]
    if zoom:
        links.append((f"/map/{zoom - 1}/{x // 2}/{y // 2}", "Zoom out"))
    east, north = x / side * 360 - 180, degrees(atan(sinh(pi * (1 - 2 * y / side))))
    return _page(
        f"Map sheet {zoom}/{x}/{y}",
        f'<img src="/static/tile.png" width="256" height="256" alt="Map sheet {zoom}/{x}/{y}">'
        + _table((("Zoom", zoom), ("Column", x), ("Row", y), ("West", f"{east:.5f}"), ("North", f"{north:.5f}")))
        + _list(links, "moves")
        + _paragraphs(
            "Use the links to move the map by one sheet or to change its scale. Sheets are drawn anew once a week. "
            "There is no data for some regions yet. Report an error on the map, or help us to complete it.",
            "The map shows roads, paths, woods, waters and boundaries. Contour lines are shown from the eleventh step "
            "of the scale on. Not to be used for navigation at sea or in the air.",
        ),
        ("Home", "Legend", "Download", "Contribute"),
        "Map data by volunteers, under an open licence. Projection: spherical Mercator.",
    )


# Parameters that do not matter


@trap("/page/1?ref=start", MORE)
def page_variants(asked: Asked) -> Leaf | None:
    """Fifty pages to print, to share and to come from somewhere, which carry the variant on."""
    number = _whole(asked.segments[1], 2) if len(asked.segments) == 2 and asked.segments[0] == "page" else None
    if number is None or number >= 50:
        return None
    kept = {key: value for key, value in asked.query.items() if key in ("print", "utm_source", "utm_campaign")}

    def link(to: int, **more: object) -> str:
        return f"/page/{to}?{urlencode({**kept, **more})}"

    rng = asked.of("page", number)
    links = [
        (link((number * 7 + step) % 50, ref=f"p{number}-{_hex(asked.rng, 4)}"), f"Page {(number * 7 + step) % 50}")
        for step in (1, 2, 3, 11)
    ]
    links.append((link(number, print=1), "Print this page"))
    links += [
        (
            link(number, utm_source=source, utm_medium="social", utm_campaign=f"share-{asked.rng.randrange(10**4)}"),
            source,
        )
        for source in ("facebook", "mastodon", "email")
    ]
    told = "Printed from our website." if "print" in kept else "Share this page with your friends."
    return Leaf(name(rng).replace("-", " ").title(), [prose(rng, 90), prose(rng, 70), told], links)


@trap("/board/1?token=0a1b2c3d4e5f6071", MORE)
def tokens_in_each_page(asked: Asked) -> Answer | None:
    """Sixty pages whose form and links have a token that is new at each visit."""
    number = _whole(asked.segments[1], 2) if len(asked.segments) == 2 and asked.segments[0] == "board" else None
    if number is None or number >= 60:
        return None
    token = sha1(f"{asked.seed}|{next(_VISITS)}".encode()).hexdigest()
    rng = asked.of("board", number)
    links = [
        (f"/board/{(number * 7 + step) % 60}?token={token[:16]}", f"Topic {(number * 7 + step) % 60}")
        for step in (1, 2, 5, 13, 29)
    ]
    rows = [(name(rng, 1).title(), prose(rng, 18)) for _ in range(5)]
    form = (
        f'<form method="post" action="/board/{number}"><input type="hidden" name="authenticity_token" value="{token}">'
        f'<textarea name="text"></textarea><button>Reply</button></form><script nonce="{token[24:]}">init();</script>'
    )
    return _page(
        name(rng, 3).replace("-", " ").title(),
        _table(rows, ("Author", "Message"), "posts") + form + _list(links, "topics"),
        ("Index", "Rules", "Members", "Search"),
        "All times are local. You cannot post new topics in this forum. You cannot vote in polls.",
        head=f'<meta name="csrf-param" content="authenticity_token"><meta name="csrf-token" content="{token}">',
    )


_LETTERS = "abcdefghijklmnopqrstuvwxyz012345"


@trap("/(S(lit3py55t21z5v55vlm25s55))/catalog/12.aspx", MORE)
def session_in_brackets(asked: Asked) -> Answer | None:
    """Eighty pages below a session's key, which is new in each link."""
    found = re.fullmatch(
        r"/\(S\(([a-z0-9]{24})\)\)/catalog/([0-9]{1,2})\.aspx", asked.path.replace("%28", "(").replace("%29", ")")
    )
    if not found or int(found[2]) >= 80:
        return None
    number = int(found[2])
    rng = asked.of("catalog", number)

    def link(to: int) -> str:
        return f"/(S({''.join(asked.rng.choices(_LETTERS, k=24))}))/catalog/{to}.aspx"

    targets = [(number * 9 + step) % 80 for step in (1, 4, 10, 23, 57)]
    rows = [(f"{rng.randrange(10**5):05}", prose(rng, 6), f"{rng.randrange(2, 300)}.00") for _ in range(8)]
    return _page(
        f"Catalogue, part {number}",
        f'<p id="ctl00_main_intro">{prose(rng, 40)}</p>'
        + _table(rows, ("Number", "Description", "Price"), "ctl00_main_grid")
        + _list([(link(to), f"Part {to}") for to in targets], "ctl00_main_parts"),
        ("Default", "Company", "Dealers", "Order form"),
        "Prices without tax, subject to change. Minimum order 50.00. Cookies are not required to use this catalogue.",
    )


_LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "nl": "Nederlands",
    "pt": "Português",
    "sv": "Svenska",
}


@trap("/info/1?lang=en", MORE)
def language_switch_stacks(asked: Asked) -> Leaf | None:
    """Twenty pages in six languages, whose switch appends to the query."""
    number = _whole(asked.segments[1], 2) if len(asked.segments) == 2 and asked.segments[0] == "info" else None
    if number is None or number >= 20:
        return None
    codes = [value for key, value in asked.pairs if key == "lang" and value in _LANGUAGES] or ["en"]
    query = "&".join(f"lang={code}" for code in codes)
    links = [(f"/info/{(number + step) % 20}?{query}", "→") for step in (1, 7)]
    if len(codes) < 80:
        links += [(f"/info/{number}?{query}&lang={code}", told) for code, told in _LANGUAGES.items()]
    rng = asked.of("info", number, codes[-1])
    return Leaf(name(rng).replace("-", " ").title(), [prose(rng, 60), prose(rng, 60)], links)


@trap("/account/login?return=%2F", MORE, silent=True)
def signing_in_first(asked: Asked) -> Answer | None:
    """Who wants to sign in, to register or to have a new password is to come back afterwards."""
    told = {
        "login": ("Sign in", "Please sign in to your account to continue."),
        "register": ("Create an account", "An account is free of charge and takes a minute."),
        "password": ("Forgot your password?", "Enter your address and we will send you a link."),
    }
    if len(asked.segments) != 2 or asked.segments[0] != "account" or asked.segments[1] not in told:
        return None
    if len(asked.url) > _LONGEST:
        return Answer(414, HTML, b"<html><title>414</title><h1>414 Request-URI Too Large</h1></html>")
    here = quote(asked.url.partition(asked.host)[2], safe="")
    here = here if len(here) < _LONGEST - 100 else "%2F"
    links = [(f"/account/{kind}?return={here}", title) for kind, (title, _) in told.items()]
    title, text = told[asked.segments[1]]
    return _page(
        title,
        f'<p>{text}</p><form method="post"><label>E-mail <input name="email"></label>'
        '<label>Password <input type="password"></label><input type="hidden" name="return" '
        f'value="{escape(asked.query.get("return", "/"))}"><button>OK</button></form>'
        + _list(links, "account")
        + _paragraphs(
            "With an account you can follow your orders, keep a list of wishes, and be told of news before others are. "
            "We never pass on your address. You can delete your account at any time in its settings.",
            "By going on you agree to our terms of use and confirm that you have read the notice on privacy.",
        ),
        ("Home", "Catalogue", "Basket", "Help"),
        "Questions? Our customer service is there for you on weekdays from nine to five.",
    )


# Answers to anything that is asked


@trap("/quiz?a=1", MORE)
def quiz_of_answers(asked: Asked) -> Answer | None:
    """Twenty-four questions over and over, with all answers so far in the URL."""
    given = asked.query.get("a", "")
    if asked.path != "/quiz" or not re.fullmatch("[1-4]*", given):
        return None
    number = len(given)
    rng = asked.of("question", number % 24)
    question = prose(rng, 12).rstrip(".").capitalize() + "?"
    links = [
        (f"/quiz?a={given}{answer}", prose(rng, 4).rstrip(".")) for answer in range(1, 5 if number < _LONGEST else 1)
    ]
    right = sum(1 for at, answer in enumerate(given) if str(at * 7 % 4 + 1) == answer)
    return _page(
        f"Question {number + 1}",
        f'<p class="score">You have answered {number} questions, {right} of them right.</p><h2>{question}</h2>'
        + _list(links, "answers")
        + _list([(f"/quiz?a={given[:-1]}", "Back")] if given else [], "back")
        + _paragraphs(
            "Choose the answer that fits best. There is no limit of time. After the last question you will learn which "
            "of our twelve animals you are, and can share the result with your friends."
        ),
        ("Home", "All quizzes", "Ranking", "Make your own"),
        "For entertainment only. Results are not stored. More than two million people have taken part.",
    )


def _cursor(offset: int, key: str) -> str:
    return urlsafe_b64encode(f"o={offset}&p={key}".encode()).decode().rstrip("=")


_ENDPOINTS = ("items", "users", "orders")


@trap("/api/v1/items/?cursor=" + _cursor(0, "00ff00ff"), MORE)
def api_explorer(asked: Asked) -> Answer | None:
    """Bodies in JSON, shown by an explorer, with next links that begin again after the last record."""
    parts = asked.segments
    if len(parts) not in (3, 4) or parts[:2] != ["api", "v1"] or parts[2] not in _ENDPOINTS:
        return None
    base = f"/api/v1/{parts[2]}/"

    def record(number: int) -> str:
        rng = asked.of(parts[2], number)
        return (
            f'{{"id": {number}, "url": "{_a(f"{base}{number}/", f"{base}{number}/")}", "name": "{name(rng)}", '
            f'"note": "{prose(rng, 7)}", "size": {rng.randrange(10**4)}, "active": {rng.choice(("true", "false"))}}}'
        )

    if len(parts) == 4:
        if (number := _whole(parts[3], 3)) is None or number >= 400:
            return None
        body = record(number)
    else:
        cursor = asked.query.get("cursor", "")
        try:
            told = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        except (NoBase64, ValueError):
            return None
        if not (found := re.fullmatch(r"o=([0-9]{1,9})&p=[0-9a-f]{8}", told)):
            return None
        offset = int(found[1])
        after, before = (
            f"{base}?cursor={_cursor(to, _hex(asked.rng, 8))}" for to in (offset + 10, max(offset - 10, 0))
        )
        records = ",\n    ".join(record((offset + at) % 400) for at in range(10))
        ends = f'"next": "{_a(after, after)}",\n  "previous": "{_a(before, before)}"'
        body = f'{{\n  {ends},\n  "results": [\n    {records}\n  ]\n}}'
    starts = [(f"/api/v1/{other}/?cursor={_cursor(0, '00ff00ff')}", other.title()) for other in _ENDPOINTS]
    return _page(
        f"{parts[2].title()} {'Instance' if len(parts) == 4 else 'List'}",
        _list(starts, "breadcrumb")
        + f"<pre>GET {escape(base)}</pre><pre>HTTP 200 OK\nAllow: GET, HEAD, OPTIONS\nContent-Type: application/json\n"
        f"Vary: Accept</pre><pre class='prettyprint'>{body}</pre>",
        ("Api Root", "Docs", "Changes", "Log in"),
        "Requests without a key are limited to sixty a minute.",
    )


@trap("/random?k=1f2e3d4c", MORE)
def random_entry(asked: Asked) -> Leaf | Answer | None:
    """A link that redirects to one of 250 entries, under an address of its own each time."""
    key = asked.query.get("k", "")[:16]
    if asked.path == "/random":
        entry = asked.rng.randrange(250)
        return Answer(302, {"Location": f"/entry/{entry}?{urlencode({'k': key})}"}, b"")
    number = _whole(asked.segments[1], 3) if len(asked.segments) == 2 and asked.segments[0] == "entry" else None
    if number is None or number >= 250:
        return None
    rng = asked.of("entry", number)
    links = [(f"/random?k={_hex(asked.rng, 8)}", text) for text in ("Random entry", "Another one", "I feel lucky")]
    links.append((f"/entry/{(number + 1) % 250}?{urlencode({'k': key})}", "Next entry"))
    return Leaf(name(rng).replace("-", " ").title(), [prose(rng, 90), prose(rng, 50)], links)


@trap("/number/0305550142", MORE, silent=True)
def who_has_called(asked: Asked) -> Answer | None:
    """A directory of all telephone numbers, of which nothing is known of any."""
    if not (found := re.fullmatch("/number/(0[0-9]{9})", asked.path)):
        return None
    at = int(found[1])
    shown = f"{found[1][:3]} {found[1][3:6]} {found[1][6:]}"
    near = [to for step in (1, 10, 1_000, 10**6) for to in (at - step, at + step) if 0 <= to < 10**9]
    links = [(f"/number/{to:010}", f"{to:010}") for to in near]
    return _page(
        f"Who called from {shown}?",
        _table((("Number", shown), ("Area", found[1][:3]), ("Comments", "0"), ("Rating", "neutral"), ("Searches", "1")))
        + _paragraphs(
            f"Have you had a call from {shown}? Nobody has reported this number yet. Be the first to write a comment, "
            "and warn others of unwanted calls, of sales on the telephone, and of fraud.",
            "Never give away a password or the number of a card on the telephone. Do not call back numbers that you do "
            "not know. You can block a number in the settings of your telephone.",
        )
        + "<h2>Similar numbers</h2>"
        + _list(links, "numbers"),
        ("Home", "Latest comments", "Area codes", "Block calls"),
        "Comments are the opinions of our users. Contact us to have an entry removed.",
    )


@trap("/whois/81.169.144.7", MORE, undecidable=True)
def whois_of_addresses(asked: Asked) -> Answer | None:
    """What is known of any IP address, which is what is known of its network."""
    found = re.fullmatch(r"/whois/([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})", asked.path)
    if not found or any(int(part) > 255 for part in found.groups()):
        return None
    parts = [int(part) for part in found.groups()]
    at = int.from_bytes(bytes(parts), "big")

    def shown(address: int) -> str:
        return ".".join(map(str, (address % 2**32).to_bytes(4, "big")))

    rng = asked.of("network", parts[:2])
    others = [at - 1, at + 1, at - 256, at + 256, at ^ 0x80, *(asked.rng.getrandbits(32) for _ in range(3))]
    rows = (
        ("IP address", shown(at)),
        ("Decimal", at),
        ("Reverse name", f"{parts[3]}.{parts[2]}.{parts[1]}.{parts[0]}.in-addr.arpa"),
        ("Network", f"{parts[0]}.{parts[1]}.0.0/16"),
        ("Net name", name(rng, 2).upper()),
        ("Organisation", f"{name(rng, 2).replace('-', ' ').title()} Ltd."),
        ("Country", rng.choice(("DE", "FR", "US", "NL", "BR", "JP", "IN", "ZA"))),
        ("Origin", f"AS{rng.randrange(1_000, 60_000)}"),
        ("Abuse contact", f"abuse at {name(rng, 1)} dot example"),
    )
    return _page(
        f"{shown(at)} – IP address lookup",
        _table(rows)
        + "<h2>Neighbours and recent lookups</h2>"
        + _list([(f"/whois/{shown(to)}", shown(to)) for to in others], "addresses")
        + _paragraphs(
            "The location of an address is an estimate and may be wrong by some hundred kilometres. Data is refreshed "
            "once a day from the regional registries. Do not contact us about the contents of the sites of others."
        ),
        ("Home", "My IP", "DNS lookup", "Blacklist check"),
        "This tool is provided as it is, without any warranty. Automated queries are not permitted.",
    )


_PRIMES = [number for number in range(2, 60) if all(number % below for below in range(2, isqrt(number) + 1))]


@trap("/integer/360", MORE, undecidable=True)
def facts_of_integers(asked: Asked) -> Answer | None:
    """What can be reckoned of any whole number."""
    if not (found := re.fullmatch("/integer/([1-9][0-9]{0,59})", asked.path)):
        return None
    number = int(found[1])
    factors, rest = [], number
    for prime in _PRIMES:
        while rest % prime == 0:
            factors.append(str(prime))
            rest //= prime
    if rest > 1 or not factors:
        factors.append(str(rest))
    root = isqrt(number)
    rows = (
        ("Small factors", " × ".join(factors)),
        ("Parity", "odd" if number % 2 else "even"),
        ("Sum of digits", sum(map(int, found[1]))),
        ("Binary", f"{number:b}"),
        ("Hexadecimal", f"{number:X}"),
        ("Octal", f"{number:o}"),
        ("Square", number * number),
        ("Root", f"{root} and {number - root * root} over"),
        ("Perfect square", "yes" if root * root == number else "no"),
        ("Common with 5040", gcd(number, 5_040)),
        ("Reversed", found[1][::-1]),
    )
    near = [number - 1, number + 1, 2 * number, number // 2, number + sum(map(int, found[1]))]
    links = [(f"/integer/{to}", f"The number {to}") for to in near if 0 < to < 10**60]
    return _page(
        f"The number {number}",
        f"<p>All about the number {number}: its factors, its digits, and how it is written in other bases.</p>"
        + _table(rows, kind="facts")
        + _list(links, "numbers")
        + _paragraphs(
            "Every whole number has something to tell. Share the facts about your favourite number with your class, "
            "and find out what it has in common with the day you were born."
        ),
        ("Home", "Primes", "Sequences", "Calculator"),
        "All figures are reckoned when the page is asked for.",
    )


# A larger honest site that leads into a trap

BIG_START = "/site/"
_SECTIONS = ("politics", "business", "science", "culture", "sport", "travel", "food", "opinion")
_BOARDS = ("general", "help", "market", "projects", "off-topic")
_TERMS = [f"{WORDS[at * 10 + 2]}-{WORDS[at * 10 + 7]}" for at in range(150)]
_ALBUMS = 10
_PHOTOS = 9
_THREADS = 12


def _headline(asked: Asked, kind: str, number: int) -> str:
    return name(asked.of("big", kind, number), 4).replace("-", " ").capitalize()


def _article(asked: Asked, number: int) -> tuple[str, str]:
    told = _headline(asked, "article", number)
    return f"/site/article/{number}-{told.lower().replace(' ', '-')}", told


def _in(text: str, below: int) -> int | None:
    """The number that a path names, written as the site's own links write it."""
    return int(text) if re.fullmatch("0|[1-9][0-9]{0,3}", text) and int(text) < below else None


def _numbered(asked: Asked, last: int) -> int | None:
    page = _whole(asked.query.get("page", "1"), 3)
    return page if page and page <= last else None


def big_host(asked: Asked) -> Leaf | Answer | None:
    """An honest site of about a thousand pages of many shapes, all of them below `BIG_START`."""
    parts = asked.segments
    if parts[:1] != ["site"] or (len(parts) == 1 and asked.path != BIG_START):
        return None
    if len(parts) == 1:
        links = [(f"/site/{kind}/", kind.title()) for kind in ("products", "gallery", "forum", "info")]
        links += [(f"/site/news/{section}/", section.title()) for section in _SECTIONS]
        return Leaf(
            "Welcome", [prose(asked.of("big", "home"), 80)], [*links, *(_article(asked, at * 37) for at in range(10))]
        )
    shapes = {
        "news": _big_news,
        "article": _big_article,
        "products": _big_products,
        "info": _big_info,
        "gallery": _big_gallery,
        "forum": _big_forum,
    }
    return shapes[parts[1]](asked, parts[2:]) if parts[1] in shapes else None


def _big_news(asked: Asked, rest: list[str]) -> Leaf | None:
    """A section: fifty articles on five pages."""
    page = _numbered(asked, 5)
    if len(rest) != 1 or rest[0] not in _SECTIONS or page is None:
        return None
    at = _SECTIONS.index(rest[0])
    base = f"/site/news/{rest[0]}/"
    pages = [(f"{base}?page={to}" if to > 1 else base, f"Page {to}") for to in range(1, 6) if to != page]
    mine = [_article(asked, at * 50 + number) for number in range(page * 10 - 10, page * 10)]
    teasers = [prose(asked.of("teaser", href), 20) for href, _ in mine]
    return Leaf(f"{rest[0].title()}, page {page}", teasers, [*mine, *pages, ("/site/", "Front page")])


def _big_article(asked: Asked, rest: list[str]) -> Leaf | None:
    number = _in(rest[0].partition("-")[0], 400) if len(rest) == 1 else None
    if number is None or _article(asked, number)[0] != asked.path:
        return None
    rng = asked.of("text", number)
    section = _SECTIONS[number // 50]
    near = [_article(asked, to) for to in {(number + 1) % 400, rng.randrange(400), rng.randrange(400)} - {number}]
    blocks = [f"By {name(rng, 2).replace('-', ' ').title()}", *(prose(rng, rng.randint(30, 90)) for _ in range(4))]
    return Leaf(_article(asked, number)[1], blocks, [(f"/site/news/{section}/", section.title()), *sorted(near)])


def _big_products(asked: Asked, rest: list[str]) -> Answer | None:
    """Ten lists of twenty products, and their pages with four related ones."""
    menu, foot = ("Home", "Shop", "Service", "Shipping"), prose(asked.of("big", "shop"), 25)
    if not rest:
        if (page := _numbered(asked, 10)) is None:
            return None
        rows = [
            (
                _a(f"/site/products/{number}", _headline(asked, "product", number)),
                f"{asked.of('price', number).randrange(3, 400)}.90",
            )
            for number in range(page * 20 - 20, page * 20)
        ]
        pages = [to for to in (1, page - 1, page + 1, page + 2, 10) if 0 < to <= 10 and to != page]
        links = [(f"/site/products/{f'?page={to}' if to > 1 else ''}", f"Page {to}") for to in dict.fromkeys(pages)]
        return _page(f"All products, page {page}", _table(rows, ("Product", "Price")) + _list(links), menu, foot)
    if len(rest) != 1 or (number := _in(rest[0], 200)) is None:
        return None
    rng = asked.of("product", number)
    related = [(f"/site/products/{to}", _headline(asked, "product", to)) for to in rng.sample(range(200), 4)]
    price = f"{asked.of('price', number).randrange(3, 400)}.90"
    rows = [(name(rng, 1).title(), f"{rng.randrange(2, 900)} {rng.choice(('mm', 'g', 'W', 'l'))}") for _ in range(7)]
    return _page(
        _headline(asked, "product", number),
        f'<img src="/site/pictures/p{number}.jpg" alt=""><p class="price">{price}</p>'
        + _paragraphs(prose(rng, 60))
        + _table(rows)
        + "<h2>Goes well with</h2>"
        + _list([*related, ("/site/products/", "All products")]),
        menu,
        foot,
    )


def _big_info(asked: Asked, rest: list[str]) -> Leaf | None:
    """A glossary of short pages."""
    if not rest:
        return Leaf("From A to Z", [], [(f"/site/info/{term}", term.replace("-", " ")) for term in _TERMS])
    if len(rest) != 1 or rest[0] not in _TERMS:
        return None
    rng = asked.of("term", rest[0])
    return Leaf(rest[0].replace("-", " ").title(), [prose(rng, rng.randint(6, 30))], [("/site/info/", "From A to Z")])


def _big_gallery(asked: Asked, rest: list[str]) -> Leaf | None:
    """Ten albums of nine photographs, whose pages say next to nothing."""
    if not rest:
        albums = [(f"/site/gallery/{album}/", _headline(asked, "album", album)) for album in range(_ALBUMS)]
        return Leaf("Photographs", ["Our readers' best pictures."], albums)
    if len(rest) > 2 or (album := _in(rest[0], _ALBUMS)) is None:
        return None
    base = f"/site/gallery/{album}/"
    if len(rest) == 1:
        pictures = "".join(f'<img src="/site/pictures/a{album}-{at}-small.jpg" alt="">' for at in range(_PHOTOS))
        photos = [(f"{base}{at}", f"Picture {at + 1}") for at in range(_PHOTOS)]
        return Leaf(_headline(asked, "album", album), [], [*photos, ("/site/gallery/", "All albums")], pictures)
    if (photo := _in(rest[1], _PHOTOS)) is None:
        return None
    links = [(f"{base}{to}", text) for to, text in ((photo - 1, "Previous"), (photo + 1, "Next")) if 0 <= to < _PHOTOS]
    picture = f'<img src="/site/pictures/a{album}-{photo}.jpg" alt="">'
    return Leaf(f"Picture {photo + 1} of {_PHOTOS}", ["All rights reserved."], [*links, (base, "Album")], picture)


def _big_forum(asked: Asked, rest: list[str]) -> Answer | None:
    """Five boards of twelve threads, some of which have a second page."""
    menu, foot = ("Home", "Rules", "Members"), "Please be kind to each other. All times are local."
    if not rest:
        boards = [(f"/site/forum/{board}/", board.title()) for board in _BOARDS]
        return _page("Forum", f"<p>{prose(asked.of('big', 'forum'), 30)}</p>" + _list(boards, "boards"), menu, foot)
    if len(rest) > 2 or rest[0] not in _BOARDS:
        return None
    at = _BOARDS.index(rest[0])
    base = f"/site/forum/{rest[0]}/"
    if len(rest) == 1:
        rows = [
            (
                _a(f"{base}{thread}", _headline(asked, "thread", at * _THREADS + thread)),
                asked.of("views", at, thread).randrange(900),
            )
            for thread in range(_THREADS)
        ]
        return _page(rest[0].title(), _table(rows, ("Thread", "Views")) + _a("/site/forum/", "All boards"), menu, foot)
    thread = _in(rest[1], _THREADS)
    page = _numbered(asked, 2 if thread is not None and thread % 3 == 0 else 1)
    if thread is None or page is None:
        return None
    rng = asked.of("thread", at, thread, page)
    posts = [(f"<b>{name(rng, 1).title()}</b>", prose(rng, rng.randint(8, 50))) for _ in range(rng.randint(2, 9))]
    links = [(base, rest[0].title())]
    if thread % 3 == 0:
        links.append((f"{base}{thread}?page=2", "Next page") if page == 1 else (f"{base}{thread}", "First page"))
    return _page(_headline(asked, "thread", at * _THREADS + thread), _table(posts) + _list(links), menu, foot)
