"""Traps of a stranger, who had read neither the rules nor the other sites (November 2026).

Pure functions of a URL and a seed.
"""

# ruff: noqa: RUF001 - these are other alphabets

from __future__ import annotations

import base64
import re
from datetime import date, datetime, timedelta, timezone
from hashlib import sha1
from html import escape
from itertools import pairwise
from math import sin
from random import Random
from urllib.parse import quote, unquote, urlencode, urlsplit

from _zoo import HTML, Answer, Asked, Site, trap
from _zoo_honest import _split

STRANGER: list[Site] = []


def out(html: str, status: int = 200, headers: dict[str, str] = HTML) -> Answer:
    return Answer(status, headers, html.encode())


def move(to: str, status: int = 302) -> Answer:
    return out(f'<html><body><a href="{escape(to)}">Moved</a></body></html>', status, {**HTML, "Location": to})


def a(href: str, text: object, more: str = "") -> str:
    return f'<a href="{escape(href)}"{more}>{escape(str(text))}</a>'


def say(rng: Random, words: list[str], n: int, stop: str = ".") -> str:
    """Some sentences of n words altogether."""
    text = []
    while n > 0:
        k = min(n, rng.randint(5, 12))
        sentence = " ".join(rng.choices(words, k=k))
        text.append(sentence[:1].upper() + sentence[1:] + stop)
        n -= k
    return " ".join(text)


def iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def ymd(year: str, month: str = "1", day: str = "1") -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def plus(day: date, days: int) -> date:
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def number(text: str | None, default: int = 0) -> int:
    return int(text) if text and re.fullmatch(r"-?[0-9]{1,15}", text) else default


PL_MONTHS = _split("styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień")
PL_DAYS = _split("poniedziałek wtorek środa czwartek piątek sobota niedziela")


@trap("/kalendarz/2024/05/14/", STRANGER, silent=True)
def st_kalendarz_dzien(asked: Asked) -> Answer | None:
    """Polish: a calendar by day, month and year, with nothing in it (WordPress plug-in)."""
    parts = asked.segments
    if not parts or parts[0] != "kalendarz" or not 2 <= len(parts) <= 4 or not (day := ymd(*parts[1:])):
        return None
    if not 1 < day.year < 9999:
        return None
    body = "<p class='brak'>Brak wydarzeń.</p>"
    if len(parts) == 2:
        title = f"Rok {day.year}"
        body += "".join(a(f"/kalendarz/{day.year}/{m:02}/", PL_MONTHS[m - 1]) for m in range(1, 13))
        ways = [(f"/kalendarz/{day.year + k}/", f"Rok {day.year + k}") for k in (-1, 1)]
    elif len(parts) == 3:
        title = f"{PL_MONTHS[day.month - 1]} {day.year}"
        last = plus(date(day.year + day.month // 12, day.month % 12 + 1, 1), -1).day
        cells = ["<td></td>"] * day.weekday()
        cells += [f"<td>{a(f'/kalendarz/{day:%Y/%m}/{n:02}/', n)}</td>" for n in range(1, last + 1)]
        rows = "".join(f"<tr>{''.join(cells[i : i + 7])}</tr>" for i in range(0, len(cells), 7))
        body += f"<table class='kal'><tr>{''.join(f'<th>{d[:2]}</th>' for d in PL_DAYS)}</tr>{rows}</table>"
        near = [plus(day, step) for step in (-1, 31)]
        ways = [(f"/kalendarz/{d:%Y/%m}/", f"{PL_MONTHS[d.month - 1]} {d.year}") for d in near]
    else:
        title = f"{PL_DAYS[day.weekday()]}, {day.day} {PL_MONTHS[day.month - 1]} {day.year}"
        near = [plus(day, step) for step in (-1, 1, -7, 7)]
        ways = [(f"/kalendarz/{d:%Y/%m/%d}/", d.strftime("%d.%m.%Y")) for d in near]
        ways += [(f"/kalendarz/{day:%Y/%m}/", "Miesiąc"), (f"/kalendarz/{day:%Y}/", "Rok")]
    nav = "".join(f"<li>{a(*way)}</li>" for way in ways)
    return out(
        f"<!DOCTYPE html><html lang='pl'><head><title>{title} – Kalendarz</title></head><body class='tribe'>"
        f"<header>{a('/', 'Strona główna')}</header><main><h1>{title}</h1>{body}"
        f"<ul class='nawigacja'>{nav}</ul></main></body></html>"
    )


FA_MONTHS = _split("فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند")
FA_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


def fa(n: int, width: int = 0) -> str:
    return f"{n:0{width}}".translate(FA_DIGITS)


@trap("/taqvim/" + quote("۱۴۰۳/۰۵"), STRANGER, silent=True)
def st_jalali(asked: Asked) -> Answer | None:
    """Persian: the solar calendar by month and week, in Persian digits."""
    parts = unquote(asked.path).strip("/").split("/")
    week = len(parts) == 4 and parts[1] == "هفته"
    if parts[0] != "taqvim" or not (week or len(parts) == 3) or not all(p.isdecimal() for p in parts[-2:]):
        return None
    year, which = int(parts[-2]), int(parts[-1])
    if not (1 <= year <= 99999 and 1 <= which <= (52 if week else 12)):
        return None

    def month(y: int, m: int) -> str:
        y, m = y + (m - 1) // 12, (m - 1) % 12 + 1
        return a(f"/taqvim/{quote(fa(y))}/{quote(fa(m, 2))}", f"{FA_MONTHS[m - 1]} {fa(y)}")

    def weeks(y: int, w: int) -> str:
        y, w = y + (w - 1) // 52, (w - 1) % 52 + 1
        return a(f"/taqvim/{quote('هفته')}/{quote(fa(y))}/{quote(fa(w, 2))}", f"هفتهٔ {fa(w)} سال {fa(y)}")

    if week:
        title = f"هفتهٔ {fa(which)} سال {fa(year)}"
        grid = f"<p>{weeks(year, which - 1)} | {weeks(year, which + 1)} | {month(year, (which - 1) * 12 // 52 + 1)}</p>"
    else:
        title = f"{FA_MONTHS[which - 1]} {fa(year)}"
        first = (year * 365 + (year * 8 + 29) // 33 + (which - 1) * 30 + min(which - 1, 6)) % 7
        days = 31 if which < 7 else 30 if which < 12 else 29 + ((year * 8 + 29) % 33 < 8)
        cells = ["&nbsp;"] * first + [fa(d) for d in range(1, days + 1)]
        cells = [f"<td>{cell}</td>" for cell in cells]
        rows = "".join(f"<tr>{''.join(cells[i : i + 7])}</tr>" for i in range(0, len(cells), 7))
        steps = ((0, -1), (0, 1), (1, 0), (-1, 0), (10, 0))
        links = [month(year + years, which + months) for years, months in steps]
        links += [weeks(year, (which - 1) * 52 // 12 + k) for k in range(1, 5)]
        grid = f"<table dir=rtl border=1>{rows}</table>{' | '.join(links)}"
    return out(
        f'<html dir="rtl" lang="fa"><head><meta charset="utf-8"><title>تقویم {title}</title></head><body>'
        f"<h2>تقویم {title}</h2><div>مناسبتی ثبت نشده است</div>{grid}<hr>{a('/', 'خانه')}</body></html>"
    )


HI_TITHI = _split("प्रतिपदा द्वितीया तृतीया चतुर्थी पंचमी षष्ठी सप्तमी अष्टमी नवमी दशमी एकादशी द्वादशी त्रयोदशी चतुर्दशी पूर्णिमा")
HI_STARS = _split(
    """
    अश्विनी भरणी कृत्तिका रोहिणी मृगशिरा आर्द्रा पुनर्वसु पुष्य आश्लेषा मघा पूर्वाफाल्गुनी उत्तराफाल्गुनी हस्त चित्रा स्वाति विशाखा अनुराधा
    ज्येष्ठा मूल पूर्वाषाढ़ा उत्तराषाढ़ा श्रवण धनिष्ठा शतभिषा पूर्वाभाद्रपद उत्तराभाद्रपद रेवती
    """
)
HI_WEEK = _split("सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार")
_HI_PLACES = _split(
    "delhi mumbai varanasi jaipur patna ujjain bhopal lucknow pune indore ranchi raipur dehradun shimla"
)
_HI_NAMES = _split("दिल्ली मुंबई वाराणसी जयपुर पटना उज्जैन भोपाल लखनऊ पुणे इंदौर रांची रायपुर देहरादून शिमला")
HI_TOWNS = dict(zip(_HI_PLACES, _HI_NAMES, strict=True))


@trap("/panchang?din=14-05-2024&nagar=delhi", STRANGER)
def st_panchang(asked: Asked) -> Answer | None:
    """Hindi: an almanac of any day for any town."""
    when, town = asked.query.get("din", ""), asked.query.get("nagar", "")
    day = ymd(*when.split("-")[::-1]) if when.count("-") == 2 else None
    if asked.path != "/panchang" or not day or town not in HI_TOWNS or not 2 < day.year < 9998:
        return None
    place = list(HI_TOWNS).index(town)
    n = day.toordinal()
    age = (n * 30 / 29.530588) % 30

    def clock(minutes: float) -> str:
        return f"{int(minutes) // 60 % 24:02}:{int(minutes) % 60:02}"

    season = sin((day.timetuple().tm_yday - 80) / 58.1)
    rise = 360 - 45 * season + place * 3
    half = (780 + 90 * season) / 8
    rahu = rise + half * (1, 6, 4, 5, 3, 2, 7)[day.weekday()]
    facts = [
        ("सूर्योदय", clock(rise)),
        ("सूर्यास्त", clock(rise + half * 8)),
        ("तिथि", f"{'शुक्ल' if age < 15 else 'कृष्ण'} {HI_TITHI[int(age) % 15]} {clock((1 - age % 1) * 1440)} तक"),
        ("नक्षत्र", f"{HI_STARS[int(n * 27 / 27.32166) % 27]} {clock(n * 37 % 1440)} तक"),
        ("राहुकाल", f"{clock(rahu)} से {clock(rahu + half)}"),
        ("अभिजित मुहूर्त", f"{clock(rise + half * 4 - 24)} से {clock(rise + half * 4 + 24)}"),
        ("विक्रम संवत", str(day.year + 57)),
        ("शक संवत", str(day.year - 78)),
    ]

    def at(d: date, where: str) -> str:
        return "/panchang?" + urlencode({"din": d.strftime("%d-%m-%Y"), "nagar": where})

    rows = "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in facts)
    near = " ".join(a(at(plus(day, k), town), plus(day, k).strftime("%d/%m/%Y")) for k in (-30, -7, -1, 1, 7, 30))
    other = "".join(f"<option>{v}</option>" for v in HI_TOWNS.values())
    towns = " · ".join(a(at(day, k), v) for k, v in HI_TOWNS.items() if k != town)
    return out(
        f"<!doctype html><html lang=hi><meta charset=utf-8><title>{HI_TOWNS[town]} पंचांग {day:%d/%m/%Y}</title>"
        f"<body><h1>आज का पंचांग</h1><h2>{HI_WEEK[day.weekday()]}, {day:%d/%m/%Y}, {HI_TOWNS[town]}</h2><dl>{rows}</dl>"
        f"<nav>{near}</nav><form><select>{other}</select></form><section>{towns}</section>{a('/', 'मुखपृष्ठ')}"
    )


DE_STOPS = _split(
    """
    Altenau Birkheim Celldorf Dornstadt Eichberg Falkenau Grünhain Hohenfels Ilmbach Jägersruh Kaltenbrunn Lindow
    Moosach Neukirch Oberwald Pfaffenau Quellendorf Rabenstein Seeheim Tannroda Unterau Vogelsang Weidenbach Zollstadt
    """
)


@trap("/auskunft?von=Altenau&nach=Seeheim&datum=14.05.2024&zeit=08:12", STRANGER)
def st_fahrplan(asked: Asked) -> Answer | None:
    """German: a timetable with earlier and later trains."""
    q = asked.query
    if asked.path != "/auskunft" or q.get("von") not in DE_STOPS or q.get("nach") not in DE_STOPS:
        return None
    try:
        when = datetime.strptime(f"{q.get('datum')} {q.get('zeit')}", "%d.%m.%Y %H:%M").replace(tzinfo=timezone.utc)
    except ValueError:
        return None
    if not 1900 < when.year < 9000:
        return None
    route = asked.of("route", q["von"], q["nach"])
    every, ride = route.choice((20, 30, 60)), route.randint(18, 190)
    first, train = route.randint(0, 19), route.randint(1000, 9000)
    via = route.choice(DE_STOPS)

    def at(moment: datetime, back: bool = False, **other: str) -> str:
        start, end = (q["nach"], q["von"]) if back else (q["von"], q["nach"])
        query = {"von": start, "nach": end, "datum": f"{moment:%d.%m.%Y}", "zeit": f"{moment:%H:%M}", **other}
        return "/auskunft?" + urlencode(query)

    rows, leave = "", when + timedelta(minutes=(first - when.minute) % every)
    for _ in range(5):
        arrive = leave + timedelta(minutes=ride)
        kind = "RE" if leave.hour % 2 else "RB"
        fare = f"{4 + ride * 0.19:.2f}".replace(".", ",")
        rows += (
            f"<TR><TD>ab {leave:%H:%M}<BR>an {arrive:%H:%M}<TD>{ride // 60}:{ride % 60:02}"
            f"<TD>{kind} {train + leave.hour}<TD>{fare} EUR<TD>{a(at(leave, via=via), 'über ' + via)}"
            f"<TD>{a(at(arrive, True), 'Rückfahrt')}</TR>"
        )
        leave += timedelta(minutes=every)
    links = [(at(when - timedelta(minutes=every * 4)), "&lt; Früher"), (at(leave), "Später &gt;")]
    links += [(at(when + timedelta(days=k)), t) for k, t in ((-1, "Vortag"), (1, "Folgetag"))]
    return out(
        f"<HTML><HEAD><TITLE>Fahrplanauskunft {q['von']} - {q['nach']}</TITLE></HEAD><BODY BGCOLOR=#FFFFFF>"
        f"<H2>Ihre Verbindungen von {q['von']} nach {q['nach']}</H2>am {when:%d.%m.%Y} ab {when:%H:%M} Uhr, über {via}"
        f"<TABLE BORDER=1 CELLPADDING=4>{rows}</TABLE>"
        + " | ".join(f'<A HREF="{escape(h)}">{t}</A>' for h, t in links)
        + "<P>Alle Angaben ohne Gewähr. <A HREF=/>Startseite</A></BODY></HTML>"
    )


IT_ROOMS = ["singola", "doppia", "tripla", "suite", "familiare"]


@trap("/disponibilita?arrivo=2024-06-01&partenza=2024-06-03&adulti=2&camera=doppia", STRANGER, silent=True)
def st_disponibilita(asked: Asked) -> Answer | None:
    """Italian: a search for free rooms that finds none."""
    q = asked.query
    come, leave, adults = iso(q.get("arrivo", "")), iso(q.get("partenza", "")), number(q.get("adulti"))
    if asked.path != "/disponibilita" or not come or not leave or come >= leave:
        return None
    if not 1 <= adults <= 9 or come.year > 9990:
        return None

    def at(**new: object) -> str:
        old = {"arrivo": come, "partenza": leave, "adulti": adults, "camera": q.get("camera", "doppia")}
        return "/disponibilita?" + urlencode({**old, **new})

    links = []
    for k in (-7, -3, -1, 1, 3, 7):
        day, end = plus(come, k), plus(leave, k)
        links.append((at(arrivo=day, partenza=end), f"{day:%d/%m}–{end:%d/%m}"))
    links.append((at(partenza=plus(leave, 1)), "Una notte in più"))
    links.append((at(camera=IT_ROOMS[(adults + 1) % 5]), "Altra camera"))
    links.append((at(adulti=adults % 9 + 1), "Aggiungi un ospite"))
    links += [(at(camera=room), room) for room in IT_ROOMS]
    items = "".join(f'<div class="col-md-2">{a(h, t, " class=btn")}</div>' for h, t in links)
    return out(
        f'<!DOCTYPE html><html lang="it"><head><title>Disponibilità dal {come:%d/%m/%Y} al {leave:%d/%m/%Y}</title>'
        '</head><body><div class="container">'
        f"<h3>{adults} ospiti, camera {escape(q.get('camera', ''))}, {(leave - come).days} notti</h3>"
        '<div class="alert alert-warning">Spiacenti, nessuna camera disponibile per le date scelte. '
        f'Prova con altre date:</div><div class="row">{items}</div></div>'
        f"<footer>{a('/', 'Hotel')}</footer></body></html>"
    )


RU_FILTERS = {
    "brend": ["vostok", "zarya", "luch", "sever", "iskra", "raduga", "kometa"],
    "cvet": ["chernyj", "belyj", "seryj", "sinij", "krasnyj"],
    "diagonal": ["13", "14", "15", "16", "17"],
    "pamyat": ["8gb", "16gb", "32gb", "64gb"],
    "ekran": ["ips", "oled", "tn"],
    "cena": ["do-30000", "do-50000", "do-80000", "do-150000"],
    "nalichie": ["est", "zakaz"],
    "sort": ["cena", "novizna", "rejting"],
}
RU_WORDS = _split(
    """
    лёгкий надёжный корпус экран быстрый накопитель клавиатура подсветка батарея долго работает тихий для работы и учёбы
    дома офиса игр
    """
)


@trap("/katalog/noutbuki/", STRANGER)
def st_filtr_v_puti(asked: Asked) -> Answer | None:
    """Russian: filters as path segments in any order (shop)."""
    parts = asked.segments
    if parts[:2] != ["katalog", "noutbuki"]:
        return None
    chosen = [p.partition("-")[::2] for p in parts[2:]]
    if any(v not in RU_FILTERS.get(k, ()) for k, v in chosen) or len(set(chosen)) < len(chosen):
        return None
    base = asked.path.rstrip("/") + "/"
    side = ""
    for key, values in RU_FILTERS.items():
        side += f"<fieldset><legend>{key}</legend>"
        for v in values:
            on = (key, v) in chosen
            to = base.replace(f"/{key}-{v}/", "/") if on else f"{base}{key}-{v}/"
            side += f"<label><input type=checkbox{' checked' if on else ''}>{a(to, v)}</label>"
        side += "</fieldset>"

    def fits(i: int, place: int, key: str) -> bool:
        values = RU_FILTERS[key]
        return key == "sort" or (key, values[(i * 7 + i // (place + 3)) % len(values)]) in chosen

    found = [i for i in range(240) if all(fits(i, place, key) for place, (key, _) in enumerate(chosen))]
    goods = ""
    for i in found[:8]:
        rng = asked.of("ware", i)
        goods += (
            f"<div class='tovar'><b>Ноутбук {RU_FILTERS['brend'][i * 7 % 7].title()} N{i + 100}</b>"
            f"<p>{say(rng, RU_WORDS, 14)}</p><span>{rng.randint(20, 150)} 990 руб.</span></div>"
        )
    return out(
        f"<!DOCTYPE html><html><head><title>Ноутбуки {' '.join(v for _, v in chosen)} купить</title></head><body>"
        f"<div id=top>{a('/', 'Главная')}</div><aside>{side}</aside><div id=list><h1>Ноутбуки</h1>"
        f"<p>Найдено: {len(found)}</p>{goods or 'Ничего не найдено'}</div></body></html>"
    )


FR_WORDS = _split(
    """
    bonjour je cherche une solution pour mon jardin merci les tomates ont soif cette année avec beaucoup de soleil et
    peu d'eau faut-il couper
    """
)


@trap("/forum/accueil.do", STRANGER)
def st_jsessionid(asked: Asked) -> Answer | None:
    """French: a session id in the path of each link, new with each page (servlet without cookies)."""
    path = asked.path.partition(";")[0]
    sid = f";jsessionid={asked.rng.getrandbits(128):032X}.noeud{asked.rng.randint(1, 4)}"
    if path == "/forum/accueil.do":
        title = "Forum du jardinier"
        body = "".join(
            f"<li>{a(f'/forum/sujet.do{sid}?id={i}', say(asked.of('t', i), FR_WORDS, 6))}</li>" for i in range(30)
        )
    elif path == "/forum/sujet.do" and 0 <= (i := number(asked.query.get("id"), -1)) < 30:
        title = say(asked.of("t", i), FR_WORDS, 6)
        rng = asked.of("posts", i)
        body = "".join(f"<li><em>membre{rng.randint(1, 60)}</em> : {say(rng, FR_WORDS, 45)}</li>" for _ in range(4))
        body += (
            f"<li>{a(f'/forum/sujet.do{sid}?id={(i + 1) % 30}', 'Sujet suivant')}</li>"
            f"<li>{a(f'/forum/repondre.do{sid}?id={i}', 'Répondre')}</li>"
        )
    elif path == "/forum/repondre.do":
        title = "Connexion requise"
        body = f"<li>Vous devez être connecté. {a(f'/forum/accueil.do{sid}', 'Retour')}</li>"
    else:
        return None
    return out(
        '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head>'
        f"<body><h1>{title}</h1><ul>{body}</ul>"
        f"<p>{a(f'/forum/accueil.do{sid}', 'Accueil du forum')} {a('/', 'Site')}</p></body></html>"
    )


HU_WORDS = _split(
    """
    szép kézzel készült fa játék gyerekeknek tartós natúr festék nélkül ajándék születésnapra kis nagy asztal szék polc
    bükk tölgy
    """
)


@trap("/kezdolap", STRANGER)
def st_munkamenet_host(asked: Asked) -> Answer | None:
    """Hungarian: a session id in the host name."""
    host = f"http://s{asked.rng.getrandbits(40):010x}.trap-st-munkamenet-host.test"
    if asked.path == "/kezdolap":
        title, body = "Fajáték bolt", ""
    elif (found := re.fullmatch(r"/termek/(\d{1,2})", asked.path)) and int(found[1]) < 60:
        rng = asked.of("ware", found[1])
        title = say(rng, HU_WORDS, 3, "")
        body = f"<p>{say(rng, HU_WORDS, 70)}</p><p>Ára: {rng.randint(10, 90)} 900 Ft</p>"
    else:
        return None
    pick = asked.of("near", asked.path).sample(range(60), 9)
    links = "".join(f"<td>{a(f'{host}/termek/{i}', say(asked.of('ware', str(i)), HU_WORDS, 3, ''))}</td>" for i in pick)
    return out(
        f"<html><head><title>{title}</title></head><body><table width=100%><tr><td colspan=9>"
        f"<font size=5>{title}</font></td></tr><tr><td colspan=9>{body}</td></tr><tr>{links}</tr></table>"
        f"<a href='{host}/kezdolap'>Kezdőlap</a></body></html>"
    )


ES_PAGES = {
    "empresa": "La empresa",
    "noticias": "Noticias",
    "contacto": "Contacto",
    "productos": "Productos",
    "galeria": "Galería",
    "aviso-legal": "Aviso legal",
    "clientes": "Clientes",
}
ES_WORDS = _split(
    """
    nuestra empresa familiar trabaja desde hace años con materiales de calidad para ofrecer a los clientes un servicio
    cercano rápido y serio
    """
)


@trap("/web/empresa/", STRANGER)
def st_rutas_relativas(asked: Asked) -> Answer | None:
    """Spanish: relative links without a leading slash below a front controller."""
    parts = asked.segments
    if not parts or parts[0] != "web" or parts[-1] not in ES_PAGES or len(asked.path) > 4000:
        return None
    here = parts[-1]
    rng = asked.of("text", here)
    menu = "\n".join(f"    <li class='menu-item'><a href='{key}/'>{name}</a></li>" for key, name in ES_PAGES.items())
    return out(
        f"<!DOCTYPE html>\n<html lang='es'>\n<head>\n  <title>{ES_PAGES[here]} | Talleres Ribera</title>\n</head>\n"
        f"<body>\n  <ul id='menu'>\n{menu}\n  </ul>\n  <article>\n    <h1>{ES_PAGES[here]}</h1>\n"
        f"    <p>{say(rng, ES_WORDS, 80)}</p>\n    <p>{say(rng, ES_WORDS, 50)}</p>\n  </article>\n"
        "  <a href='/'>Portada</a>\n</body>\n</html>"
    )


KO_WORDS = _split("여름 겨울 신발 가방 세일 추천 신상품 여성 남성 아동 모자 코트 운동화 할인 기획전 이벤트 후기 브랜드")


@trap("/shop/" + quote("여름-신발"), STRANGER, silent=True)
def st_soft404_suggest(asked: Asked) -> Answer | None:
    """Korean: 'not found' with status 200, which suggests addresses made of the one asked for."""
    asked_for = unquote(asked.path).strip("/")
    words = [w for w in re.split(r"[-/]", asked_for) if w in KO_WORDS][-6:] or ["신발"]
    rng = asked.of("suggest", asked_for)
    hints = []
    for _ in range(7):
        new = list(words)
        if rng.random() < 0.5 or len(new) < 3:
            new.insert(rng.randrange(len(new) + 1), rng.choice(KO_WORDS))
        else:
            new[rng.randrange(len(new))] = rng.choice(KO_WORDS)
        hints.append(f"/{rng.choice(('shop', 'item', 'event'))}/{'-'.join(new)}")
    items = "".join(f"<li>{a(quote(h), h)}</li>" for h in hints)
    return out(
        "<!DOCTYPE html><html lang='ko'><head><title>페이지를 찾을 수 없습니다</title></head><body><div class='error'>"
        f"<h1>죄송합니다</h1><p>요청하신 주소 <code>/{escape(asked_for)}</code>"
        f" 를 찾을 수 없습니다. 혹시 다음 페이지를 찾으셨나요?</p><ol>{items}</ol>"
        f"{a('/', '홈으로')}</div></body></html>"
    )


EN_BABBLE = _split(
    """
    the a river keeper lantern walks under old stone and never returns while seven birds count their silver shadows
    beyond every gate is another garden of glass where letters sleep until morning opens like bread salt wool amber
    copper moss
    """
)


@trap("/wander/amber/gate", STRANGER)
def st_babble_maze(asked: Asked) -> Answer | None:
    """English: a maze of babble against robots."""
    if not asked.path.startswith("/wander/"):
        return None
    rng = asked.of("maze", asked.path)
    paragraphs = ""
    for _ in range(rng.randint(3, 6)):
        words = rng.choices(EN_BABBLE, k=rng.randint(30, 90))
        i = rng.randrange(len(words))
        to = "/wander/" + "/".join(rng.choices(EN_BABBLE, k=rng.randint(2, 5)))
        words[i] = f'<a href="{to}">{words[i]}</a>'
        paragraphs += f"<p>{' '.join(words)}.</p>\n"
    more = ""
    for _ in range(5):
        to = "/wander/" + "/".join(rng.choices(EN_BABBLE, k=rng.randint(2, 5)))
        more += f'<li><a href="{to}">{" ".join(rng.choices(EN_BABBLE, k=2))}</a>'
    return out(
        f"<html><head><title>{' '.join(rng.choices(EN_BABBLE, k=3))}</title></head><body>\n{paragraphs}"
        f"<ul>{more}</ul></body></html>"
    )


TR_WORDS = _split(
    """
    belediye yeni park açılış törenle başkan köprü yol çalışması kültür etkinlik okul spor takım maç sonuç hava durumu
    yarın halk pazar
    """
)


@trap("/haberler?sayfa=1", STRANGER, silent=True)
def st_sayfalama(asked: Asked) -> Answer | None:
    """Turkish: an archive whose pager goes on past the end."""
    if found := re.fullmatch(r"/haber/(\d{1,3})", asked.path):
        if (i := int(found[1])) >= 120:
            return None
        rng = asked.of("news", i)
        return out(
            f"<html><head><title>{say(rng, TR_WORDS, 5)}</title></head><body><h1>Haber</h1>"
            f"<p>{say(rng, TR_WORDS, 90)}</p><a href='/haberler?sayfa=1'>Haberler</a></body></html>"
        )
    page = number(asked.query.get("sayfa"))
    if asked.path != "/haberler" or page < 1:
        return None
    items = "".join(
        f"<article><h3>{a(f'/haber/{i}', say(asked.of('news', i), TR_WORDS, 5))}</h3></article>"
        for i in range((page - 1) * 10, min(page * 10, 120))
    )
    window = [*(n for n in range(page - 4, page + 6) if n > 0 and n != page), page + 10, page + 50]
    pager = "".join(f"<li class='page-item'>{a(f'/haberler?sayfa={n}', n)}</li>" for n in window)
    return out(
        f"<!doctype html><html lang='tr'><head><title>Haberler - Sayfa {page}</title></head><body>"
        f"<main>{items or '<p>Gösterilecek kayıt bulunamadı.</p>'}</main><ul class='pagination'>{pager}</ul>"
        "<a href='/'>Ana sayfa</a></body></html>"
    )


SV_WORDS = _split(
    """
    en gubbe gick till affären och frågade efter mjölk men kassörskan sa att kon hade semester hos sin moster i skåne
    varje sommar
    """
)


@trap("/slumpa?r=0.5137", STRANGER)
def st_slumpsida(asked: Asked) -> Answer | None:
    """Swedish: 'a random one' with a number against the cache, which redirects."""
    if asked.path == "/slumpa":
        return move(f"/vits/{asked.rng.randrange(90)}?s={asked.rng.getrandbits(32):08x}")
    found = re.fullmatch(r"/vits/(\d{1,2})", asked.path)
    if not found or int(found[1]) >= 90:
        return None
    rng = asked.of("joke", found[1])
    again = " ".join(
        a(f"/slumpa?r={asked.rng.random():.6f}", text, " rel=nofollow")
        for text in ("En till!", "Slumpa", "Ny vits", "Överraska mig")
    )
    return out(
        f"<!DOCTYPE html><html><head><title>Vits nr {found[1]}</title></head><body style='text-align:center'>"
        f"<blockquote>{say(rng, SV_WORDS, 40)}</blockquote><p>Betyg: {rng.randint(1, 5)} av 5</p><p>{again}</p>"
        f"<small>{a('/', 'Hem')}</small></body></html>"
    )


ZH_WORDS = _split(
    """
    天气 北京 上海 学习 方法 价格 图片 下载 在线 电影 小说 游戏 攻略 手机 电脑 汽车 旅游 美食 做法 大全 最新 免费 排行榜
    怎么样 多少钱 哪里 推荐 视频
    """
)


@trap("/s?wd=" + quote("北京 天气"), STRANGER)
def st_xiangguan_sousuo(asked: Asked) -> Answer | None:
    """Chinese: a search page with related searches."""
    text = asked.query.get("wd", "")
    start = number(asked.query.get("pn"))
    if asked.path != "/s" or not text or len(text) > 200:
        return None
    rng = asked.of("found", text, start)
    words = text.split()
    hits = "".join(
        f"<div class=result><h3>{escape(''.join(words))}{''.join(rng.choices(ZH_WORDS, k=2))}</h3>"
        f"<p>{'，'.join(''.join(rng.choices(ZH_WORDS, k=3)) for _ in range(6))}。<em>{escape(words[0])}</em></p></div>"
        for _ in range(8)
    )
    related = []
    for _ in range(8):
        new = words[-4:]
        if len(new) > 2 and rng.random() < 0.4:
            new.pop(rng.randrange(len(new)))
        related.append(" ".join([*new, rng.choice(ZH_WORDS)]))
    links = "".join(f"<td>{a('/s?wd=' + quote(r), r)}</td>" for r in related)
    pages = " ".join(a(f"/s?wd={quote(text)}&pn={n * 10}", n + 1) for n in range(start // 10, start // 10 + 6))
    return out(
        f"<!DOCTYPE html><html><head><title>{escape(text)}_搜索</title></head><body><form action=/s>"
        f"<input name=wd value='{escape(text)}'></form><p>为您找到相关结果约{rng.randint(1000, 99999)}00个</p>{hits}"
        f"<table><tr><th>相关搜索</th>{links}</tr></table><div id=page>{pages}</div></body></html>"
    )


@trap("/mapa?x=14.42120&y=50.08740&z=13", STRANGER, silent=True)
def st_mapa_posun(asked: Asked) -> Answer | None:
    """Czech: a map that is panned and zoomed by links."""
    q = asked.query
    try:
        x, y, z = float(q["x"]), float(q["y"]), int(q["z"])
    except (KeyError, ValueError):
        return None
    if asked.path != "/mapa" or not (abs(x) <= 180 and abs(y) <= 85 and 2 <= z <= 19):
        return None
    step = 90 / 2**z
    layer = q.get("vrstva", "")

    def at(dx: float, dy: float, dz: int, lay: str = layer) -> str:
        u, v = (x + dx * step + 180) % 360 - 180, min(max(y + dy * step, -84), 84)
        return f"/mapa?x={u:.5f}&y={v:.5f}&z={min(max(z + dz, 2), 19)}" + (f"&vrstva={lay}" if lay else "")

    names = _split("SZ sever SV západ východ JZ jih JV")
    ways = [(at(dx, dy, 0), names.pop(0)) for dy in (1, 0, -1) for dx in (-1, 0, 1) if dx or dy]
    arrows = "".join(f'<area shape="rect" coords="0,0,9,9" href="{escape(way)}" alt="{t}">' for way, t in ways)
    zooms = [a(at(0, 0, 1), "+"), a(at(0, 0, -1), "−")]
    links = " ".join([*zooms, *(a(at(0, 0, 0, lay), lay) for lay in ("turisticka", "letecka", "zimni"))])
    text = " ".join(a(*way) for way in ways)
    return out(
        f"<html><head><title>Mapa {y:.4f}N {x:.4f}E</title></head><body><map name=m>{arrows}</map>"
        f"<img usemap=#m src='/dlazdice/{z}/{int((x + 180) / 360 * 2**z)}.png'>"
        f"<div>Střed mapy: {y:.5f}, {x:.5f}; měřítko {z}</div><div>{text}</div><div>{links}</div>"
        "<a href='/'>Úvod</a></body></html>"
    )


PT_WORDS = _split(
    """
    praia ao fim da tarde com barcos azuis perto do cais antigo onde as gaivotas esperam pelo peixe fresco da manhã
    """
)
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@trap("/galeria/foto.php?id=1&w=640&h=480", STRANGER)
def st_redimensionar(asked: Asked) -> Answer | None:
    """Portuguese: a gallery with pictures in any size, quality and angle."""
    if re.fullmatch(r"/thumbs/\d+x\d+-q\d+-r\d+/foto\d+\.png", asked.path):
        return Answer(200, {"Content-Type": "image/png"}, PNG)
    q = asked.query
    which, w, h = number(q.get("id")), number(q.get("w")), number(q.get("h"))
    quality, angle = number(q.get("q"), 80), number(q.get("rodar"))
    if asked.path != "/galeria/foto.php" or not (1 <= which <= 48 and 16 <= w <= 5000 and 16 <= h <= 5000):
        return None

    def at(i: int = which, w: int = w, h: int = h, quality: int = quality, angle: int = angle) -> str:
        return f"/galeria/foto.php?id={i}&w={w}&h={h}&q={quality}&rodar={angle % 360}"

    def image(w: int, h: int) -> str:
        return f"/thumbs/{w}x{h}-q{quality}-r{angle}/foto{which}.png"

    rng = asked.of("photo", which)
    links = [
        (at(w=w * 11 // 10, h=h * 11 // 10), "Aumentar"),
        (at(w=max(16, w * 9 // 10), h=max(16, h * 9 // 10)), "Reduzir"),
        (at(w=w + 10), "+ largo"),
        (at(h=h + 10), "+ alto"),
        (at(quality=max(5, quality - 5)), "Menos qualidade"),
        (at(angle=angle + 90), "Rodar"),
        (at(which % 48 + 1), "Seguinte"),
        (at((which - 2) % 48 + 1), "Anterior"),
        (image(w * 2, h * 2), "Transferir 2x"),
        (image(w, h), "Transferir"),
    ]
    return out(
        f"<!doctype html><html lang=pt><head><title>Foto {which}</title></head><body><figure>"
        f"<img src='{image(w, h)}' srcset='{image(w * 2, h * 2)} 2x' width={w} height={h}>"
        f"<figcaption>{say(rng, PT_WORDS, 16)}</figcaption></figure><p>{' | '.join(a(*link) for link in links)}</p>"
        "<p><a href=/>Início</a></p></body></html>"
    )


EL_WORDS = _split(
    """
    νησί θάλασσα πόλη ιστορία αρχαίο λιμάνι μουσείο βουνό ποτάμι χωριό εκκλησία κάστρο δρόμος αγορά τέχνη μουσική βιβλίο
    σχολείο γέφυρα πλατεία
    """
)


@trap("/w/index.php?title=" + quote("Νησί_λιμάνι"), STRANGER)
def st_wiki_diafores(asked: Asked) -> Answer | None:
    """Greek: a wiki with its histories, differences and special pages."""
    q = asked.query
    if asked.path != "/w/index.php":
        return None
    title = q.get("title", "")
    words = [word.lower() for word in title.split(":", 1)[-1].split("_")]
    if any(word not in EL_WORDS for word in words):
        return None
    name = "_".join(words).capitalize()
    rng = asked.of("article", name)
    revisions = sorted(100000 + rng.randrange(800000) for _ in range(60))

    def at(**new: object) -> str:
        return "/w/index.php?" + urlencode({"title": name, **new})

    others = ["_".join(rng.sample(EL_WORDS, 2)).capitalize() for _ in range(6)]
    pick = asked.rng
    if title.startswith("Ειδικό"):
        body = "<h2>Σχετικές αλλαγές</h2>"
        for other in others:
            to = f"/w/index.php?title={quote(other)}&diff={100000 + pick.randrange(800000)}&oldid=prev"
            body += f"<li>{a(to, 'διαφορά')} {other}</li>"
        base = f"/w/index.php?title={quote('Ειδικό:' + name)}"
        ways = [(days, limit, bots) for days in (1, 7, 30) for limit in (50, 250) for bots in (0, 1)]
        body += "".join(a(f"{base}&days={d}&limit={n}&hidebots={b}", f"{d} ημέρες {n}") for d, n, b in ways)
    elif q.get("action") == "history":
        n = number(q.get("offset")) % 60
        body = "<h2>Ιστορικό</h2>"
        for i, r in list(enumerate(revisions))[n : n + 20]:
            now, last = at(diff=revisions[-1], oldid=r), at(diff=r, oldid=revisions[i - 1])
            body += f"<li>({a(now, 'τρέχουσα')} | {a(last, 'προηγ')}) {a(at(oldid=r), r)} <i>Χρήστης{r % 37}</i></li>"
        pages = ((20, 20), (7, 50), (0, 100), (0, 500))
        body += " ".join(a(at(action="history", offset=n + k, limit=m), m) for k, m in pages)
    elif "diff" in q:
        old, new = number(q.get("oldid"), revisions[0]), number(q.get("diff"), revisions[-1])
        first, second = say(asked.of(name, old % 60), EL_WORDS, 30), say(asked.of(name, new % 60), EL_WORDS, 30)
        body = (
            f"<table class='diff'><tr><td>Αναθεώρηση {old}</td><td>Αναθεώρηση {new}</td></tr>"
            f"<tr><td class='diff-deletedline'>− {first}</td><td class='diff-addedline'>+ {second}</td></tr></table>"
        )
        near = pick.sample(revisions, 4)
        steps = [
            (at(diff=new, oldid=near[0]), "← Προηγούμενη"),
            (at(diff=near[1], oldid=new), "Επόμενη →"),
            (at(diff=near[2], oldid=near[3], diffmode="source"), "Πηγή"),
        ]
        body += " ".join(a(*step) for step in steps)
    else:
        also = "".join(f"<li>{a('/w/index.php?title=' + quote(o), o.replace('_', ' '))}</li>" for o in others)
        body = f"<p>{say(rng, EL_WORDS, 120)}</p>{also}"
    tabs = [
        (at(), "Άρθρο"),
        (at(action="history"), "Ιστορικό"),
        (at(printable="yes", oldid=q.get("oldid", revisions[-1])), "Εκτύπωση"),
        (f"/w/index.php?title={quote('Ειδικό:' + name)}", "Σχετικές αλλαγές"),
    ]
    shown = name.replace("_", " ")
    return out(
        f'<!DOCTYPE html><html lang="el"><head><title>{shown} – Βίκι</title></head>'
        f'<body class="mediawiki"><div id="content"><h1 id="firstHeading">{shown}</h1>{body}</div>'
        f'<div id="p-cactions"><ul>{"".join(f"<li>{a(*t)}</li>" for t in tabs)}</ul></div>'
        f"{a('/', 'Πύλη')}</body></html>"
    )


GIT_FILES = [
    f"{folder}/{file}"
    for folder in ("src", "src/util", "doc", "test", "lib")
    for file in _split("main.c parse.c hash.c queue.h README Makefile list.c io.c time.h log.c net.c conf.h")
]
GIT_WORDS = _split(
    """
    fix leak in parser when buffer is empty add test for queue remove unused header rename function handle null avoid
    overflow document option
    """
)


GIT_COMMITS = 3000


def _git_at(action: str, **more: object) -> str:
    return f"/gitweb.cgi?p=tools.git;a={action}" + "".join(f";{key}={value}" for key, value in more.items())


def _git_commit(i: int) -> str:
    return f"{i:04x}" + sha1(repr(("commit", i)).encode()).hexdigest()[4:]


def _git_links(i: int) -> str:
    return " | ".join(a(_git_at(act, h=_git_commit(i)), act) for act in ("commit", "commitdiff", "tree", "patch"))


def _git_views(file: str, i: int, *views: str, gap: str = " | ") -> str:
    return gap.join(a(_git_at(view, f=file, hb=_git_commit(i)), view) for view in views)


def _git_asked(q: dict[str, str]) -> int | None:
    """Which commit is asked for, if there is one."""
    if q.get("a") in ("log", "shortlog"):
        return 0
    try:
        here = int(q.get("hb", q.get("h", "0000"))[:4], 16)
    except ValueError:
        return None
    return here if here < GIT_COMMITS else None


@trap("/gitweb.cgi?p=tools.git;a=log;pg=0", STRANGER)
def st_gitweb(asked: Asked) -> Answer | None:
    """English: gitweb, every file at every commit in every view."""
    q = dict(part.partition("=")[::2] for part in urlsplit(asked.url).query.replace("&", ";").split(";"))
    if asked.path != "/gitweb.cgi" or q.get("p") != "tools.git" or (here := _git_asked(q)) is None:
        return None
    rng = asked.of("commit", here)
    subject = say(rng, GIT_WORDS, 6, "")
    when = datetime(2023, 1, 1, tzinfo=timezone.utc) - timedelta(hours=here * 9 + rng.randint(0, 8))
    action, file = q.get("a"), q.get("f", "")
    if action in ("log", "shortlog"):
        page = number(q.get("pg"))
        if not 0 <= page * 25 < GIT_COMMITS:
            return None
        rows = "".join(
            f"<tr><td>{a(_git_at('commit', h=_git_commit(i)), say(asked.of('commit', i), GIT_WORDS, 6, ''))}</td>"
            f"<td>{_git_links(i)}</td></tr>"
            for i in range(page * 25, page * 25 + 25)
        )
        more = f"{a(_git_at('log', pg=page + 1), 'next')} {a(_git_at('shortlog', pg=page), 'shortlog')}"
        body = f"<table>{rows}</table>{more}"
    elif action == "tree":
        rows = "".join(
            f"<tr><td class=mode>-rw-r--r--</td><td>{a(_git_at('blob', f=f, hb=_git_commit(here)), f)}</td>"
            f"<td>{_git_views(f, here, 'blame', 'history', 'blob_plain')}</td></tr>"
            for f in GIT_FILES
        )
        body = f"<table>{rows}</table>"
    elif action in ("blob", "blame", "blob_plain") and file in GIT_FILES:
        code = asked.of("blob", file, here // 400)
        lines = [
            f"{'static ' if code.random() < 0.2 else ''}int {code.choice(GIT_WORDS)}_{code.choice(GIT_WORDS)}(int n) "
            f"{{ return n + {code.randint(0, 99)}; }}"
            for _ in range(30)
        ]
        if action == "blob_plain":
            return out("\n".join(lines), headers={"Content-Type": "text/plain; charset=utf-8"})
        origins = [_git_at("commit", h=_git_commit((here + n * 7) % GIT_COMMITS)) for n in range(30)]
        text = "\n".join(
            f"{a(origins[n], _git_commit(here)[:8]) if action == 'blame' else n} {escape(line)}"
            for n, line in enumerate(lines)
        )
        body = f"<pre>{text}</pre>{_git_views(file, here, 'blob', 'blame', 'history', gap=' ')}"
    elif action == "history" and file in GIT_FILES:
        body = ""
        for i in range(here, min(here + 800, GIT_COMMITS), 40):
            before = _git_commit(min(i + 40, GIT_COMMITS - 1))
            diff = a(_git_at("blobdiff", f=file, hb=_git_commit(i), hpb=before), "diff to previous")
            body += f"<li>{diff} {_git_views(file, i, 'blob')} {_git_links(i)}</li>"
    elif action in ("commit", "commitdiff", "patch", "blobdiff"):
        touched = rng.sample(GIT_FILES, 3)
        diffs = "".join(
            f"--- a/{f}\n+++ b/{f}\n-{say(rng, GIT_WORDS, 5, ';')}\n+{say(rng, GIT_WORDS, 5, ';')}\n" for f in touched
        )
        views = "".join(f"<li>{f} {_git_views(f, here, 'blob', 'blame', 'history', 'blobdiff')}</li>" for f in touched)
        parent = _git_commit(min(here + 1, GIT_COMMITS - 1))
        body = (
            f"<p>{escape(subject)}</p><pre>{diffs}</pre>parent {a(_git_at('commit', h=parent), parent)}"
            f"<br>{_git_links(here)}<ul>{views}</ul>"
        )
    else:
        return None
    return out(
        f"<html xmlns='http://www.w3.org/1999/xhtml'><head><title>tools.git / {action} {file}</title></head><body>"
        f"<div class='page_header'>{a('/', 'projects')} / tools.git / {action}</div>"
        f"<div class='title'>{escape(subject)} <span>{when:%a, %d %b %Y %H:%M:%S +0000}</span></div>"
        f"<div class='page_body'>{body}</div></body></html>"
    )


VI_MAKERS = _split("sao-mai rong-vang song-hong truc-xanh hoa-sen bien-dong")
VI_PHONES = [f"{m}-{s}{n}" for m in VI_MAKERS for s in ("x", "note-", "pro-") for n in range(3, 11)]


@trap("/so-sanh/sao-mai-x3-vs-hoa-sen-pro-7", STRANGER)
def st_so_sanh(asked: Asked) -> Answer | None:
    """Vietnamese: any two or three telephones side by side."""
    parts = asked.segments
    if len(parts) != 2 or parts[0] != "so-sanh":
        return None
    chosen = parts[1].split("-vs-")
    if not 2 <= len(chosen) <= 3 or any(c not in VI_PHONES for c in chosen):
        return None

    def specs(phone: str) -> list[str]:
        rng = asked.of("phone", phone)
        return [
            f"{rng.randint(40, 280) / 10:.1f} triệu",
            f'{rng.randint(55, 69) / 10}"',
            f"{rng.choice((4, 6, 8, 12, 16))} GB",
            f"{rng.choice((64, 128, 256, 512))} GB",
            f"{rng.randint(30, 60) * 100} mAh",
            f"{rng.choice((12, 48, 50, 64, 108))} MP",
            rng.choice(("OLED", "LCD", "AMOLED")),
        ]

    table = [specs(c) for c in chosen]
    rows = "".join(
        f"<tr><th>{k}</th>{''.join(f'<td>{s[i]}</td>' for s in table)}</tr>"
        for i, k in enumerate(("Giá", "Màn hình", "RAM", "Bộ nhớ", "Pin", "Camera", "Tấm nền"))
    )
    rng = asked.of("pairs", parts[1])
    links = []
    for other in rng.sample(VI_PHONES, 5):
        links += [[chosen[0], other], [*chosen[:2], other], [chosen[-1], other, chosen[0]]]
    more = "".join(
        f"<li>{a('/so-sanh/' + '-vs-'.join(way), ' và '.join(way))}</li>" for way in links if len(set(way)) == len(way)
    )
    return out(
        f"<!DOCTYPE html><html lang=vi><head><title>So sánh {' và '.join(chosen)}</title></head><body>"
        "<h1>So sánh điện thoại</h1><table class=compare>"
        f"<tr><th></th>{''.join(f'<td>{c}</td>' for c in chosen)}</tr>{rows}</table>"
        f"<h2>So sánh khác</h2><ul>{more}</ul>{a('/', 'Trang chủ')}</body></html>"
    )


FI_DIGITS = _split("nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän")


@trap("/luku/1729", STRANGER)
def st_lukutietoa(asked: Asked) -> Answer | None:
    """Finnish: facts about any number."""
    found = re.fullmatch(r"/luku/([1-9]\d{0,11})", asked.path)
    if not found:
        return None
    n = int(found[1])
    rest, factors, p = n, [], 2
    while p * p <= rest and p < 3000:
        while rest % p == 0:
            factors.append(p)
            rest //= p
        p += 1
    if rest > 1:
        factors.append(rest)
    next_collatz = n // 2 if n % 2 == 0 else 3 * n + 1
    facts = [
        ("Sanoin", " ".join(FI_DIGITS[int(d)] for d in str(n))),
        ("Tekijät", " × ".join(map(str, factors)) or "1"),
        ("Binäärinä", f"{n:b}"),
        ("Heksana", f"{n:X}"),
        ("Neliö", n * n),
        ("Neliöjuuri", f"{n**0.5:.5f}".replace(".", ",")),
        ("Parillisuus", "parillinen" if n % 2 == 0 else "pariton"),
        ("Numeroiden summa", sum(map(int, str(n)))),
    ]
    links = {n - 1, n + 1, n * 2, n + 100, next_collatz, int(str(n)[::-1]), n * n % 10**9, *factors} - {0, n}
    rows = "".join(f"<div class='r'><span>{k}</span><strong>{v}</strong></div>" for k, v in facts)
    return out(
        f"<!doctype html><html lang=fi><head><title>Luku {n}</title></head><body><h1>{n}</h1>"
        f"<div class='facts'>{rows}</div><p>Katso myös: {', '.join(a(f'/luku/{i}', i) for i in sorted(links))}</p>"
        f"<p>{a('/', 'Etusivu')}</p></body></html>"
    )


@trap("/denwa/03", STRANGER, silent=True)
def st_denwa_bangou(asked: Asked) -> Answer | None:
    """Japanese: a page for each telephone number, by leading digits, without anybody's comment."""
    found = re.fullmatch(r"/denwa/(0\d{1,9})", asked.path)
    if not found:
        return None
    digits = found[1]
    if len(digits) < 10:
        items = "".join(
            f"<li>{a(f'/denwa/{digits}{d}', f'{digits}{d}' + ('で始まる番号' if len(digits) < 9 else ''))}</li>"
            for d in range(10)
        )
        body = f"<h1>{digits}で始まる電話番号</h1><ul class='cols'>{items}</ul>"
    else:
        shown = f"{digits[:2]}-{digits[2:6]}-{digits[6:]}"
        near = " ".join(a(f"/denwa/0{(int(digits) + k) % 10**9:09}", k) for k in (-10, -1, 1, 10))
        body = f"<h1>{shown}</h1><p>電話番号 {shown} の口コミはまだありません。</p><p>{near}</p>"
    crumbs = " &gt; ".join(a(f"/denwa/{digits[:k]}", digits[:k]) for k in range(2, len(digits)))
    return out(
        f"<!DOCTYPE html><html lang='ja'><head><title>{digits} 電話番号検索</title></head><body>"
        f"<p>{a('/', 'トップ')} {crumbs}</p>{body}<p>電話番号検索</p></body></html>"
    )


AR_LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
AR_WORDS = _split(
    "اسم يدل على شيء في اللغة ويقال عند العرب كثير من الناس وهو ضد القليل جمع مفرد فعل ماض مضارع صفة مكان زمان"
)


@trap("/" + quote("معجم") + "/" + quote("كتب"), STRANGER)
def st_mujam(asked: Asked) -> Answer | None:
    """Arabic: a dictionary that explains any word."""
    parts = unquote(asked.path).strip("/").split("/")
    if len(parts) != 2 or parts[0] != "معجم":
        return None
    word = parts[1]
    if not 2 <= len(word) <= 14 or any(letter not in AR_LETTERS for letter in word):
        return None
    rng = asked.of("word", word)
    root = (word.lstrip("مايتن") or word)[:3]
    near = {"م" + root, root + "ون", "ا" + root, "ي" + root, root[::-1]}
    for _ in range(7):
        i = rng.randrange(len(root))
        near.add(root[:i] + rng.choice(AR_LETTERS) + root[i + 1 :])
    near = {w for w in near if len(w) > 1} - {word}
    meanings = "".join(f"<li>{word}: {say(rng, AR_WORDS, 12)}</li>" for _ in range(rng.randint(1, 3)))
    links = "، ".join(f'<a href="/معجم/{w}">{w}</a>' for w in sorted(near))
    return out(
        f'<!DOCTYPE html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>معنى كلمة {word}</title></head>'
        f"<body><h1>معنى {word} في المعجم</h1><ol>{meanings}</ol><p>كلمات قريبة: {links}</p>"
        '<a href="/">الرئيسية</a></body></html>'
    )


NO_WORDS = _split(
    """
    båten lå ved brygga hele vinteren og ingen visste hvem som eide den før presten spurte fiskeren om nøkkelen til
    naustet
    """
)


@trap("/tema/1", STRANGER)
def st_retur_adresse(asked: Asked) -> Answer | None:
    """Norwegian: a return address within the return address."""
    here = asked.path + (f"?{urlsplit(asked.url).query}" if "?" in asked.url else "")
    if len(here) > 7000:
        return out("<h1>414 Request-URI Too Large</h1>", 414)
    back = "?retur=" + quote(here, safe="")
    if found := re.fullmatch(r"/tema/(\d{1,2})", asked.path):
        i = int(found[1])
        if not 1 <= i <= 30:
            return None
        rng = asked.of("tema", i)
        body = f"<h1>{say(rng, NO_WORDS, 4, '')}</h1><p>{say(rng, NO_WORDS, 70)}</p>"
        body += "".join(f"<p>{a(f'/tema/{k}{back}', f'Tema {k}')}</p>" for k in rng.sample(range(1, 31), 5))
    elif asked.path in ("/konto/logg-inn", "/konto/ny", "/konto/sprak"):
        body = (
            "<h1>Min side</h1><form method=post><input name=epost><input type=password name=passord></form>"
            "<p>Du må logge inn for å fortsette.</p>"
        )
    else:
        return None
    ways = [
        (f"/konto/{page}{back}", t) for page, t in (("logg-inn", "Logg inn"), ("ny", "Ny bruker"), ("sprak", "Språk"))
    ]
    menu = " | ".join(a(*way) for way in [*ways, (asked.query.get("retur", "/"), "Tilbake")])
    return out(
        f"<!doctype html><html lang=nb><head><title>Debatt</title></head><body><div class=topp>{menu}</div>{body}"
        "<a href=/>Forsiden</a></body></html>"
    )


RO_WORDS = _split(
    """
    guvernul anunță noi măsuri pentru transport în oraș elevii vor primi burse iar spitalul județean are echipamente
    moderne spun medicii
    """
)


@trap("/stiri/prima?ref=start", STRANGER)
def st_urmarire(asked: Asked) -> Answer | None:
    """Romanian: news whose links say where they were seen, and when."""
    found = re.fullmatch(r"/stiri/(?:prima|stire-(\d{1,2}))", asked.path)
    if not found:
        return None
    i = int(found[1] or 0)
    rng = asked.of("news", i)
    boxes = ""
    for box in ("citeste-si", "cele-mai-citite", "recomandari"):
        for place in range(1, 4):
            k = asked.of("box", box, i, place).randrange(80)
            to = (
                f"/stiri/stire-{k}?ref={box}&poz={place}&din={i}&imp={asked.rng.getrandbits(48):012x}"
                f"&utm_source=intern&utm_medium={box}"
            )
            boxes += f"<div class='{box}'>{a(to, say(asked.of('news', k), RO_WORDS, 5, ''))}</div>"
    return out(
        f"<!DOCTYPE html><html lang='ro'><head><title>{say(rng, RO_WORDS, 5, '')}</title></head><body>"
        f"<h1>{say(asked.of('news', i), RO_WORDS, 5, '')}</h1><div class='corp'><p>{say(rng, RO_WORDS, 60)}</p>"
        f"<p>{say(rng, RO_WORDS, 60)}</p></div>{boxes}{a('/', 'Acasă')}</body></html>"
    )


LANGS = {
    "en": ("About us", "we make good ropes for ships and mountains in our small mill by the sea"),
    "de": ("Über uns", "wir machen gute seile für schiffe und berge in unserer kleinen fabrik am meer"),
    "fr": ("À propos", "nous faisons de bonnes cordes pour les bateaux et la montagne"),
    "ru": ("О нас", "мы делаем хорошие канаты для кораблей и гор у моря"),
    "ja": ("会社概要", "私たち は 海 の そば の 小さな 工場 で 良い 綱 を 作り ます"),
    "el": ("Σχετικά", "φτιάχνουμε καλά σχοινιά για πλοία και βουνά"),
    "da": ("Om os", "vi laver gode reb til skibe og bjerge i vores lille fabrik"),
}
LANG_PAGES = ["about", "ropes", "jobs", "press", "contact", "dealers", "quality", "history"]


@trap("/en/about", STRANGER)
def st_sprachwechsel(asked: Asked) -> Answer | None:
    """Many languages: a switcher that puts one more language before the path."""
    parts = asked.segments
    if len(parts) < 2 or parts[-1] not in LANG_PAGES or len(asked.path) > 3000:
        return None
    if any(part not in LANGS for part in parts[:-1]):
        return None
    head, words = LANGS[parts[0]]
    rng = asked.of("page", parts[0], parts[-1])
    flags = "".join(
        f'<a hreflang="{k}" href="/{k}{asked.path}"><img alt="{k}" src="/f/{k}.gif"></a>'
        for k in LANGS
        if k != parts[0]
    )
    prefix = "/" + "/".join(parts[:-1])
    menu = "".join(f"<li>{a(f'{prefix}/{page}', page)}</li>" for page in LANG_PAGES)
    return out(
        f'<!DOCTYPE html><html lang="{parts[0]}"><head><title>{head}: {parts[-1]}</title></head><body>'
        f'<div id="flags">{flags}</div><nav><ul>{menu}</ul></nav><h1>{head}</h1>'
        f"<p>{say(rng, words.split(), 60)}</p></body></html>"
    )


HE_NAMES = _split("רהיטים שולחנות כיסאות מנורות שטיחים וילונות מדפים מיטות ארונות מראות כריות גינה")
HE_IDS = [20, 24, 25, 33, 34, 41, 45, 52, 57, 58, 60, 63]


@trap("/index.php?route=product/category&path=20", STRANGER)
def st_perurei_lechem(asked: Asked) -> Answer | None:
    """Hebrew: a breadcrumb in the query that grows through categories within each other (OpenCart)."""
    path = asked.query.get("path", "")
    ids = [number(p, -1) for p in path.split("_")]
    if asked.path != "/index.php" or any(i not in HE_IDS for i in ids) or len(ids) > 300:
        return None
    here = ids[-1]
    name = HE_NAMES[HE_IDS.index(here)]
    rng = asked.of("category", here)
    if item := number(asked.query.get("product_id")):
        if not 1 <= item <= 200:
            return None
        ware = asked.of("ware", item)
        body = f"<h1>דגם {item}</h1><p>{say(ware, HE_NAMES, 40)}</p><b>{ware.randint(50, 900)} ₪</b>"
    else:
        body = f"<h1>{name}</h1>"
        for i in rng.sample(range(1, 201), 6):
            link = a(f"/index.php?route=product/product&path={path}&product_id={i}", f"דגם {i}")
            body += f"<div class='product-thumb'>{link} {asked.of('ware', i).randint(50, 900)} ₪</div>"
    children = rng.sample([i for i in HE_IDS if i != here], 4)
    side = "".join(
        f"<a class='list-group-item' href='/index.php?route=product/category&amp;path={path}_{i}'>"
        f"{HE_NAMES[HE_IDS.index(i)]}</a>"
        for i in children
    )
    crumbs = " » ".join(
        a("/index.php?route=product/category&path=" + "_".join(map(str, ids[: k + 1])), HE_NAMES[HE_IDS.index(ids[k])])
        for k in range(len(ids))
    )
    return out(
        f"<!DOCTYPE html><html dir='rtl' lang='he'><head><title>{name}</title></head><body>"
        f"<ul class='breadcrumb'>{a('/', 'בית')} » {crumbs}</ul><div class='list-group'>{side}</div>"
        f"{body}</body></html>"
    )


TREE = {
    "pub": ["linux", "docs", "mirror", "incoming"],
    "linux": ["iso", "packages", "latest"],
    "docs": ["howto", "faq", "pub"],
    "mirror": ["linux", "docs", "cpan"],
    "incoming": ["tmp"],
    "iso": ["old", "current"],
    "packages": ["main", "extra"],
    "latest": ["linux", "iso"],
    "howto": ["img"],
    "faq": ["docs"],
    "cpan": ["mirror", "modules"],
    "tmp": ["pub"],
    "old": ["latest"],
    "current": ["packages"],
    "main": [],
    "extra": ["linux"],
    "img": [],
    "modules": ["cpan"],
}


@trap("/pub/", STRANGER)
def st_autoindex(asked: Asked) -> Answer | None:
    """English: a directory listing with links to directories above, sorted in any way."""
    parts = asked.segments
    if not parts or parts[0] != "pub" or len(asked.path) > 3000:
        return None
    if parts[-1].endswith(".txt"):
        return out(say(asked.of("file", parts[-1]), EN_BABBLE, 40), headers={"Content-Type": "text/plain"})
    if any(child not in TREE.get(parent, ()) for parent, child in pairwise(parts)):
        return None
    if not asked.path.endswith("/"):
        return move(asked.path + "/", 301)
    here, rng = parts[-1], asked.of("dir", parts[-1])
    entries = [f"{d}/" for d in TREE[here]] + [f"{rng.choice(EN_BABBLE)}-{here}{i}.txt" for i in range(4)]
    rows = "".join(
        f'<img src="/icons/f.gif" alt="[ ]"> <a href="{e}">{e}</a>{" " * (30 - len(e))}'
        f"{2003 + rng.randint(0, 15)}-0{rng.randint(1, 9)}-1{rng.randint(0, 9)} "
        f"1{rng.randint(0, 9)}:2{rng.randint(0, 9)}  {'-' if e[-1] == '/' else str(rng.randint(1, 90)) + 'K'}\n"
        for e in entries
    )
    columns = (("N", "D", "Name"), ("M", "A", "Last modified"), ("S", "A", "Size"), ("D", "A", "Description"))
    sort = "".join(f'<a href="?C={column};O={order}">{text}</a> ' for column, order, text in columns)
    return out(
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html>\n'
        f" <head><title>Index of {asked.path}</title></head>\n <body>\n<h1>Index of {asked.path}</h1>\n"
        f'<pre>{sort}<hr><a href="../">Parent Directory</a>\n{rows}<hr></pre>\n'
        "<address>Apache/2.2.3 Server</address>\n</body></html>"
    )


SR_WORDS = _split(
    """
    возим стари ауто и пита ме комшија где да купим филтер уља за зиму хвала на одговору радио сам то прошле године код
    мајстора поздрав свима
    """
)


@trap("/viewtopic.php?f=1&t=100", STRANGER)
def st_phpbb(asked: Asked) -> Answer | None:
    """Serbian (Cyrillic): a forum with links for each post and each order (phpBB)."""
    q = asked.query
    topics = 2500
    script = asked.path.strip("/")
    if script == "viewtopic.php":
        if "p" in q:
            post = number(q["p"])
            topic, start = post // 40, post % 40 // 10 * 10
        else:
            topic, start = number(q.get("t")), number(q.get("start"))
        if not 1 <= topic < topics or not 0 <= start < 40:
            return None
        forum = topic % 9
        title = say(asked.of("topic", topic), SR_WORDS, 5, "")
        keep = "".join(f"&{k}={quote(q[k])}" for k in ("st", "sk", "sd", "hilit") if k in q)
        body = f"<h2>{a(f'/viewtopic.php?f={forum}&t={topic}{keep}', title)}</h2>"
        for post in range(topic * 40 + start, topic * 40 + start + 10):
            rng = asked.of("post", post)
            ways = [
                (f"/posting.php?mode=quote&f={forum}&p={post}", "Цитат"),
                (f"/report.php?f={forum}&p={post}", "Пријави"),
                (f"/viewtopic.php?p={post}{keep}", f"#{post}"),
                (f"/search.php?author_id={rng.randrange(900)}&sr=posts", f"корисник{rng.randrange(900)}"),
            ]
            buttons = " ".join(a(*way) for way in ways)
            body += f"<div id='p{post}' class='post'><div class='content'>{say(rng, SR_WORDS, 20)}</div>{buttons}</div>"
        here = f"/viewtopic.php?f={forum}&t={topic}"
        order = [f"{here}&start={start}&st={s}&sk={k}&sd={d}" for s in (0, 7, 30) for k in "at" for d in "ad"]
        body += " ".join(a(o, o[-4:]) for o in order)
        body += "".join(a(f"{here}&start={n}{keep}", n // 10 + 1) for n in (0, 10, 20, 30))
        ways = [
            (f"{here}&view=print", "Штампа"),
            (f"/viewtopic.php?f={forum}&t={topic + 1}", "Следећа тема"),
            (f"/posting.php?mode=reply&f={forum}&t={topic}", "Одговори"),
        ]
        body += " ".join(a(*way) for way in ways)
    elif script in ("posting.php", "report.php"):
        title = "Пријава"
        back = a(f"/viewtopic.php?p={number(q.get('p'), 4000)}", "Назад")
        body = f"<p>Морате бити пријављени да бисте наставили.</p>{back}"
    elif script == "search.php":
        who = number(q.get("author_id"))
        title = f"Поруке корисника {who}"
        rng = asked.of("author", who)
        body = ""
        for post in rng.sample(range(40, topics * 40), 8):
            to = f"/viewtopic.php?p={post}&hilit={quote(rng.choice(SR_WORDS))}"
            body += f"<p>{a(to, say(asked.of('post', post), SR_WORDS, 8))}</p>"
    else:
        return None
    return out(
        f"<!DOCTYPE html><html lang='sr'><head><title>{title}</title></head><body id='phpbb'>"
        f"<div id='wrap'>{a('/', 'Почетна')}{body}</div></body></html>"
    )


ET_EVENTS = {
    0: ("joogatund", "Joogatund", "Rahulik joogatund kõigile, võta oma matt kaasa."),
    2: ("laulukoor", "Laulukoor", "Segakoori proov rahvamajas."),
    4: ("malering", "Malering", "Maleõhtu raamatukogus, algajad on oodatud."),
    5: ("turg", "Talupoegade turg", "Kohalik toit ja käsitöö keskväljakul."),
}


@trap("/sundmused/nimekiri/2024-05-14/", STRANGER)
def st_ical_eksport(asked: Asked) -> Answer | None:
    """Estonian: weekly events for ever, with exports of each view."""
    parts = asked.segments
    if len(parts) != 3 or parts[0] not in ("sundmused", "sundmus"):
        return None
    if not (day := iso(parts[2])) or not 1 < day.year < 9990:
        return None
    single, views = parts[0] == "sundmus", ("nimekiri", "paev", "nadal")
    days = [plus(day, k) for k in range(1 if single else 7)]
    found = [(one, ET_EVENTS[one.weekday()]) for one in days if one.weekday() in ET_EVENTS]
    if parts[1] not in ([event[0] for _, event in found] if single else views):
        return None
    if "ical" in asked.query or "outlook-ical" in asked.query:
        text = "".join(
            f"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:{d:%Y%m%d}\r\nSUMMARY:{e[1]}\r\nUID:{e[0]}-{d}@test\r\nEND:VEVENT\r\n"
            for d, e in found
        )
        text = f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{text}END:VCALENDAR\r\n"
        return out(text, headers={"Content-Type": "text/calendar; charset=utf-8"})
    if "feed" in asked.query:
        text = "".join(
            f"<item><title>{e[1]} {d}</title><link>http://{asked.host}/sundmus/{e[0]}/{d}/</link></item>"
            for d, e in found
        )
        text = f"<?xml version='1.0'?><rss version='2.0'><channel><title>Sündmused</title>{text}</channel></rss>"
        return out(text, headers={"Content-Type": "application/rss+xml"})
    items = "".join(
        f"<article class='vevent'><h3>{a(f'/sundmus/{e[0]}/{d}/', e[1])}</h3><time>{d:%d.%m.%Y}</time>"
        f"<p>{e[2]}</p></article>"
        for d, e in found
    )
    near = [plus(day, step) for step in (-7, 7, 30)]
    ways = [(f"/sundmused/{view}/{d}/", f"{view} {d:%d.%m}") for view in views for d in near]
    ways += [(f"{asked.path}?{x}=1", x) for x in ("ical", "outlook-ical", "feed")]
    return out(
        f"<!DOCTYPE html><html lang='et'><head><title>Sündmused {day:%d.%m.%Y}</title></head><body>"
        f"<div class='tribe-events'>{items}</div><nav>{''.join(f'<span>{a(*w)}</span>' for w in ways)}</nav>"
        "<a href='/'>Avaleht</a></body></html>"
    )


OLD_PAGES = [
    "",
    *(f"{page}.html" for page in _split("news links guestbook cats music faq about webring photos")),
]
OLD_START = datetime(1990, 1, 1, tzinfo=timezone.utc)


@trap("/web/20040315120000/http://home.example/~ann/", STRANGER)
def st_captures(asked: Asked) -> Answer | None:
    """English: an archive of captures by time, which redirects to the nearest."""
    found = re.fullmatch(r"/web/(\d{14})/http://home\.example/~ann/([a-z.]*)", asked.path)
    if not found or found[2] not in OLD_PAGES:
        return None
    page = found[2]
    try:
        when = datetime.strptime(found[1], "%Y%m%d%H%M%S").replace(tzinfo=timezone.utc)
    except ValueError:
        return None
    when = max(when, datetime(1997, 1, 2, tzinfo=timezone.utc))
    when = min(when, datetime(2024, 12, 1, tzinfo=timezone.utc))

    def capture(p: str, moment: datetime) -> datetime:
        slot = int((moment - OLD_START).total_seconds()) // 14400
        return OLD_START + timedelta(seconds=slot * 14400 + asked.of("capture", p, slot).randrange(14400))

    def at(p: str, moment: datetime) -> str:
        return f"/web/{moment:%Y%m%d%H%M%S}/http://home.example/~ann/{p}"

    nearest = capture(page, when)
    if f"{nearest:%Y%m%d%H%M%S}" != found[1]:
        return move(at(page, nearest))
    rng = asked.of("old", page, when.year // 3)
    steps = [(-4, "previous capture"), (4, "next capture"), (-720, "month before"), (720, "month after")]
    bar = [(capture(page, when + timedelta(hours=h)), t) for h, t in [*steps, (8760, "next year")]]
    return out(
        "<HTML><HEAD><TITLE>ann's home page</TITLE></HEAD><BODY BACKGROUND=stars.gif>"
        f"<DIV ID=toolbar>Captured {when:%H:%M:%S %b %d, %Y} {' '.join(a(at(page, m), t) for m, t in bar)}</DIV>"
        f"<CENTER><H1>{page.split('.')[0].upper() or 'WELCOME'}</H1></CENTER>"
        f"<P>{say(rng, EN_BABBLE, 60)}<P>{' ~ '.join(a(at(p, when), p or 'home') for p in OLD_PAGES)}"
        "<P><I>Best viewed at 800x600</I></BODY></HTML>"
    )


@trap("/logs/lounge?before=1715690000&limit=25", STRANGER)
def st_chatlog(asked: Asked) -> Answer | None:
    """English: chat logs by moment; each message is in many windows."""
    q = asked.query
    limit = number(q.get("limit"), 25)
    key = next((k for k in ("before", "after", "around") if k in q), "")
    if asked.path != "/logs/lounge" or not key or not 1 <= limit <= 100:
        return None
    moment = number(q[key])
    first, last, gap = 1500000000, 1715700000, 7000
    total = (last - first) // gap
    here = min(max((moment - first) // gap, 0), total)
    if key == "before":
        span = range(max(0, here - limit // 2), here)
    elif key == "after":
        span = range(here, min(total, here + limit // 2))
    else:
        span = range(max(0, here - limit // 4), min(total, here + limit // 4))
    lines = ""
    for i in span:
        rng = asked.of("line", i)
        stamp = first + i * gap + rng.randrange(gap)
        at = datetime.fromtimestamp(stamp, timezone.utc)
        lines += (
            f"<div class=m><a href='/logs/lounge?around={stamp}&amp;limit={limit}'>[{at:%Y-%m-%d %H:%M:%S}]</a>"
            f" &lt;{rng.choice(('ivy', 'otto', 'kai', 'mo', 'zed'))}&gt; {say(rng, EN_BABBLE, rng.randint(3, 9))}</div>"
        )
    ways = [
        (f"/logs/lounge?before={moment - gap * limit // 2}&limit={limit}", "earlier"),
        (f"/logs/lounge?after={moment + gap * limit // 2}&limit={limit}", "later"),
    ]
    ways += [(f"/logs/lounge?{key}={moment}&limit={n}", f"{n} lines") for n in (10, 25, 50, 100)]
    return out(
        f"<!doctype html><title>#lounge log</title><body><h1>#lounge</h1>{lines or '<i>No messages.</i>'}"
        f"<p>{' '.join(a(*w) for w in ways)}<p><a href=/>logs</a>"
    )


LT_TRADES = _split(
    """
    santechnikas elektrikas stogdengys dazytojas kirpejas advokatas vertejas fotografas staliaus-darbai valymas taksi
    baldu-gamyba
    """
)
LT_PARTS = _split("kau nas vil ner jo kis ma ri jam po le sta lin gar liu te us ai pa ne ve zis uk mer ge tau ra ge")
LT_WORDS = _split(
    """
    patikimas meistras jūsų mieste greitai ir pigiai atvyksta per valandą skambinkite dabar nemokama konsultacija
    garantija visiems darbams kokybė
    """
)


@trap("/paslaugos/", STRANGER)
def st_miestai_amatai(asked: Asked) -> Answer | None:
    """Lithuanian: doorway pages on hosts for town and trade."""
    label = asked.host.removesuffix("trap-st-miestai-amatai.test").strip(".") or "santechnikas.kaunas"
    trade, _, town = label.partition(".")
    if asked.path not in ("/paslaugos/", "/kainos/") or trade not in LT_TRADES:
        return None
    rng = asked.of("door", label)
    towns = ["".join(rng.choices(LT_PARTS, k=rng.randint(2, 3))) for _ in range(6)]
    others = [f"{trade}.{t}" for t in towns] + [f"{t}.{town}" for t in rng.sample(LT_TRADES, 4)]
    links = "".join(
        f"<a href='http://{o}.trap-st-miestai-amatai.test/paslaugos/' title='{o}'>{o.replace('.', ' ')}</a>, "
        for o in others
    )
    return out(
        f"<!DOCTYPE html><html lang=lt><head><title>{trade.title()} {town.title()} - pigiai</title>"
        f"<meta name=keywords content='{trade}, {town}, {trade} {town}'></head><body>"
        f"<h1>{trade.title()} {town.title()}</h1><p>{trade.title()} {town.title()}: {say(rng, LT_WORDS, 40)}</p>"
        f"<p>Tel. 8 6{rng.randint(1000000, 9999999)}</p><a href='/kainos/'>Kainos</a> {links}</body></html>"
    )


SL_WORDS = _split(
    """
    ponudba novih izdelkov za dom in vrt na voljo takoj dostava po vsej državi brez stroškov pokličite nas vsak dan od
    osmih naprej
    """
)


@trap("/Izdelki/Seznam.aspx?Skupina=1", STRANGER)
def st_velike_crke(asked: Asked) -> Answer | None:
    """Slovene: addresses in any case of letters (IIS)."""
    q = {k.lower(): v for k, v in asked.query.items()}
    path = unquote(asked.path).lower()
    mix = asked.rng

    def any_case(text: str) -> str:
        return "".join(mix.choice((c.upper(), c.lower())) if mix.random() < 0.3 else c for c in text)

    def group(i: int) -> str:
        return f"{any_case('/Izdelki/Seznam.aspx')}?{any_case('Skupina')}={i}"

    if path == "/izdelki/seznam.aspx" and 1 <= (i := number(q.get("skupina"))) <= 8:
        title = f"Skupina {i}"
        body = ""
        for item in range(i * 100, i * 100 + 6):
            to = f"{any_case('/Izdelki/Izdelek.aspx')}?{any_case('Sifra')}={item}"
            body += f"<tr><td>{a(to, f'Izdelek {item}')}</td></tr>"
    elif path == "/izdelki/izdelek.aspx" and 100 <= (i := number(q.get("sifra"))) < 900:
        title = f"Izdelek {i}"
        rng = asked.of("ware", i)
        body = f"<tr><td>{say(rng, SL_WORDS, 60)}</td><td>{rng.randint(5, 200)},90 EUR</td></tr>"
    else:
        return None
    menu = "".join(f"<span id='ctl00_m{i}'>{a(group(i), f'Skupina {i}')}</span>" for i in range(1, 9))
    return out(
        f"<html><head><title>{title}</title></head><body><form id='aspnetForm' method='post'>"
        f"<input type='hidden' name='__VIEWSTATE' value='/wEPDwUK' />{menu}<h2>{title}</h2><table>{body}</table></form>"
        "<a href='/'>Domov</a></body></html>"
    )


TH_WORDS = _split(
    "ข้อใด ถูกต้อง ที่สุด เกี่ยวกับ ประเทศ ไทย เมืองหลวง แม่น้ำ ภูเขา จังหวัด ทะเล ข้าว ช้าง ภาษา วัด ตลาด ประวัติ ศาสตร์ คณิต จำนวน"
)


@trap("/exam?set=4711&q=1&ans=", STRANGER)
def st_khosop(asked: Asked) -> Answer | None:
    """Thai: an examination whose answers are in the address."""
    exam, step, given = number(asked.query.get("set")), number(asked.query.get("q")), asked.query.get("ans", "")
    if asked.path != "/exam" or exam < 1 or not 1 <= step <= 11 or not re.fullmatch(f"[ABCD-]{{{step - 1}}}", given):
        return None
    questions = asked.of("set", exam).sample(range(200), 10)
    right = "".join(asked.of("question", k).choice("ABCD") for k in questions)

    def new_set() -> str:
        return f"/exam?set={asked.rng.randint(1, 10**6)}&q=1&ans="

    if step == 11:
        score = sum(x == y for x, y in zip(given, right, strict=True))
        body = f"<h1>ผลสอบ: {score} / 10</h1>"
        body += "".join(f"<li>{a(new_set(), 'ชุดใหม่')}</li>" for _ in range(3))
    else:
        rng = asked.of("question", questions[step - 1])
        rng.choice("ABCD")
        body = f"<h1>ข้อ {step}</h1><p>{''.join(rng.choices(TH_WORDS, k=9))}?</p>"
        here = f"/exam?set={exam}&q={step + 1}&ans={given}"
        body += "".join(f"<li>{a(here + c, f'{c}. ' + ''.join(rng.choices(TH_WORDS, k=3)))}</li>" for c in "ABCD")
        body += f"{a(here + '-', 'ข้าม')} {a(new_set(), 'สุ่มชุดใหม่')}"
    return out(
        f"<!DOCTYPE html><html lang=th><head><title>แบบทดสอบ ชุดที่ {exam}</title></head><body>"
        f"<div class=quiz>{body}</div><footer>{a('/', 'หน้าแรก')}</footer></body></html>"
    )


@trap("/tamashi/44", STRANGER)
def st_otkhi_zedized(asked: Asked) -> Answer | None:
    """Georgian: a game (four in a row) by the sequence of moves."""
    found = re.fullmatch(r"/tamashi/([1-7]{0,42})", asked.path)
    if not found:
        return None
    moves = found[1]
    columns: dict[str, list[str]] = {c: [] for c in "1234567"}
    for i, c in enumerate(moves):
        if len(columns[c]) == 6:
            return None
        columns[c].append("●○"[i % 2])
    heights = range(5, -1, -1)
    rows = "\n".join(" ".join(discs[r] if r < len(discs) else "·" for discs in columns.values()) for r in heights)
    free = "".join(f"<td>{a(f'/tamashi/{moves}{c}', c)}</td>" for c in "1234567" if len(columns[c]) < 6)
    weigh = asked.of("eval", rows).randint(-99, 99) / 10
    undo = a(f"/tamashi/{moves[:-1]}", "უკან") if len(moves) > 1 else ""
    return out(
        f"<!DOCTYPE html><html lang='ka'><head><title>ოთხი ზედიზედ – სვლა {len(moves)}</title></head><body>"
        f"<h1>ოთხი ზედიზედ</h1><pre>{rows}</pre><table><tr>{free}</tr></table>"
        f"<p>სვლა: {'თეთრი' if len(moves) % 2 else 'შავი'}; შეფასება {weigh}</p>"
        f"{undo} {a('/', 'მთავარი')}</body></html>"
    )


_DE_KINDS = {"Lackierung": 8, "Räder": 6, "Polster": 6, "Assistenzpaket": 5, "Motor": 5, "Dachträger": 3}
DE_OPTIONS = {f"{name[0]}{n}": f"{name} {n}" for name, most in _DE_KINDS.items() for n in range(1, most + 1)}


@trap("/konfigurator/modell/?opt=L1.M1.R1", STRANGER)
def st_konfigurator(asked: Asked) -> Answer | None:
    """German: a configurator by the set of options."""
    chosen = [o for o in asked.query.get("opt", "").split(".") if o]
    if asked.path not in ("/konfigurator/modell/", "/konfigurator/drucken/"):
        return None
    if any(option not in DE_OPTIONS for option in chosen):
        return None
    price = 21900 + sum(asked.of("price", o).randrange(90, 2900, 10) for o in chosen)

    def at(options: list[str], page: str = "modell") -> str:
        return f"/konfigurator/{page}/?opt=" + ".".join(options)

    items = ""
    for o, name in DE_OPTIONS.items():
        single = o[0] in "LMPR"
        new = sorted({x for x in chosen if not (single and x[0] == o[0])} | {o})
        if o in chosen and not single:
            new = [x for x in chosen if x != o]
        items += (
            f"<div class='option{' gewaehlt' if o in chosen else ''}'>{a(at(new), name)} "
            f"<small>{asked.of('price', o).randrange(90, 2900, 10)} €</small></div>"
        )
    summary = "".join(f"<li>{DE_OPTIONS[o]}</li>" for o in chosen)
    return out(
        f"<!doctype html><html lang=de><head><title>Ihr Wunschfahrzeug: {price} €</title></head><body>"
        f"<section class=summe><h2>Ihre Konfiguration</h2><ul>{summary}</ul>"
        f"<b>Gesamtpreis {price:,} €</b> {a(at(chosen, 'drucken'), 'Drucken')}</section>"
        f"{items if 'modell' in asked.path else a(at(chosen), 'Zurück')}<p>{a('/', 'Autohaus')}</p></body></html>"
    )
