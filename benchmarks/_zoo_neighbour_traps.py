"""Sixteen endless spaces modelled on real web software, by one who has not read the crawler's rules."""

# ruff: noqa: RUF001, E501, SIM905, C901, B905, RUF005 - other alphabets, and many kinds of pages a site
# fmt: off

from __future__ import annotations

import random as chance
from datetime import date, timedelta
from functools import lru_cache, partial
from hashlib import sha1
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlencode, urlsplit

from _zoo_guest_base import (
    EN,
    HI,
    JA,
    KA,
    KO,
    PT,
    TH,
    VI,
    Lang,
    Made,
    a,
    doc,
    plain,
    registered,
    slug,
    table,
    ul,
)

if TYPE_CHECKING:
    from _zoo import Asked, Site

NEIGHBOUR: list[Site] = []

DE = Lang("de", "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei Verein Heimat Dorf Chor Probe Wanderung Museum Führung Vortrag Fest Kirche Saal Abend Anmeldung Eintritt frei Beginn Uhr Treffpunkt Mitglieder Gäste willkommen")
AR = Lang("ar", "في من على إلى عن مع هذا التي الذي كان يوم شهر سنة صلاة مسجد رمضان عيد حج الفجر الظهر العصر المغرب العشاء الهلال القمر مكة المدينة القاهرة دمشق بغداد تونس الرباط كتاب حديث سيرة فضل خير بركة صوم زكاة", order=1)
RU = Lang("ru", "и в не на что с как для из по от до при это обувь ботинки кроссовки туфли сапоги кожа замша подошва каблук стелька шнурок молния зимние летние удобные лёгкие прочные мужские женские детские цена размер цвет скидка доставка наличие магазин коллекция материал производство уход носки прогулка город спорт")
SV = Lang("sv", "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år museum samling föremål trä järn tyg keramik gåva okänd bonde kyrka gård skåp kista sked skål vävnad spets silver glas målning snidad daterad funnen skänkt inköpt socken härad")
FR = Lang("fr", "de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce aspirateur puissance autonomie sac filtre brosse bruit poids batterie charge cuve tapis parquet garantie marque silencieux efficace léger maniable prix avis test qualité usage quotidien maison")
IT = Lang("it", "di e il la che in un a per è una sono mi si lo ha camicia maglia lino cotone seta lana giacca sartoria taglio vestibilità colletto bottoni tasche manica tessuto morbido elegante estivo classico moderno lavaggio consegna reso taglia colore collezione artigianale toscana napoli")
ZH = Lang("zh", "手工 木质 陶瓷 茶具 家居 装饰 收纳 创意 礼品 北欧 中式 复古 简约 客厅 卧室 厨房 书桌 台灯 花瓶 挂画 地毯 抱枕 窗帘 餐具 水杯 碗碟 竹编 棉麻 玻璃 金属 纯色 图案 环保 耐用 轻便 大号 小号 高档 现货 定制 我们 可以 适合 使用 设计 材质 尺寸 颜色 清洁 保养", sep="", stop="。", order=1)

trap = partial(registered, NEIGHBOUR)


# ---------------------------------------------------------------------------------------------- 1: events plug-in (de)

MONATE = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
TAGE = "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split()
RUNDE = {1: ("Stammtisch", "19:30"), 3: ("Chorprobe", "20:00"), 6: ("Museum geöffnet", "14:00")}


def _termine_am(tag: date) -> list[tuple[str, str]]:
    found = [RUNDE[tag.weekday()]] if tag.weekday() in RUNDE else []
    if tag.weekday() == 4 and tag.day <= 7:
        found.append(("Heimatabend", "19:00"))
    return found


@trap("/termine/", silent=True)
def heimatverein_termine(asked: Asked) -> Made | None:
    """German: The Events Calendar of a WordPress, with its views, its date bar and its calendar files."""
    seg = [unquote(s) for s in asked.segments]
    if not seg or seg[0] not in ("termine", "termin"):
        return None
    heute = date(2024, 5, 14)
    try:
        if "tribe-bar-date" in asked.query:
            tag = date.fromisoformat(asked.query["tribe-bar-date"])
        elif len(seg) > 2 and seg[1] == "monat":
            tag = date.fromisoformat(seg[2] + "-01")
        elif len(seg) > 2:
            tag = date.fromisoformat(seg[2])
        else:
            tag = heute
    except ValueError:
        return None
    if not 1000 < tag.year < 9000:
        return None
    view = seg[1] if len(seg) > 1 else "monat"
    days = {"monat": 31, "woche": 7, "tag": 1, "liste": 14}
    if seg[0] == "termin":
        title, hour = next(((t, h) for t, h in _termine_am(tag) if slug(t) == view), ("", ""))
        if not title:
            return None
        span = 1
    elif view not in days:
        return None
    else:
        title, hour, span = f"Veranstaltungen {MONATE[tag.month - 1]} {tag.year}", "", days[view]
    first = tag.replace(day=1) if view == "monat" else tag
    if "ical" in asked.query or "outlook-ical" in asked.query:
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Heimatverein - ECPv6.3.5//NONSGML v1.0//EN"]
        for i in range(span):
            day = first + timedelta(i)
            for what, when in _termine_am(day):
                lines += ["BEGIN:VEVENT", f"DTSTART:{day:%Y%m%d}T{when.replace(':', '')}00", f"SUMMARY:{what}", f"UID:{day}-{slug(what)}@heimatverein", "END:VEVENT"]
        return plain("\r\n".join([*lines, "END:VCALENDAR", ""]), "text/calendar; charset=utf-8")

    def month(d: date) -> str:
        return f"/termine/monat/{d:%Y-%m}/"

    last, then = first - timedelta(span), first + timedelta(span)
    if view == "monat":
        last, then = (first - timedelta(1)).replace(day=1), (first + timedelta(32)).replace(day=1)
    bar = ul([
        a(f"/termine/liste/?tribe-bar-date={tag}", "Liste"), a(month(tag), "Monat"), a(f"/termine/woche/{tag}/", "Woche"),
        a(f"/termine/tag/{tag}/", "Tag"), a("/termine/", "Heute"),
    ])
    head = f"<header><a href=/>Heimatverein Oberdorf e. V.</a></header><nav class=tribe-events-c-view-selector>{bar}</nav><h1>{title}</h1>"
    here = asked.path + "?" + (f"tribe-bar-date={tag}&" if "tribe-bar-date" in asked.query else "")
    foot = ul([a(here + "ical=1", "Zum Kalender hinzufügen: iCalendar"), a(here + "outlook-ical=1", "Outlook .ics-Datei exportieren"), a(f"/termine/liste/?tribe-bar-date={last}&eventDisplay=past", "Vorherige Veranstaltungen")])
    foot += "<footer>Heimatverein Oberdorf e. V. · Impressum · Datenschutz · Präsentiert von WordPress</footer>"
    if seg[0] == "termin":
        near = [tag + timedelta(7 * i) for i in (-5, -4, -1, 1, 4, 5)]
        near = [d for d in near if any(w == title for w, _ in _termine_am(d))]
        body = f"<p>{TAGE[tag.weekday()]}, {tag.day}. {MONATE[tag.month - 1]} {tag.year}, {hour} Uhr</p><p>Wiederkehrende Veranstaltung im Vereinsheim, Hauptstraße 12. Gäste sind willkommen.</p>"
        body += ul(a(f"/termin/{view}/{d}/", f"{title} am {d.day}. {MONATE[d.month - 1]}") for d in near)
        return doc("de", title, head + body + foot)
    if view == "monat":
        cells, day = [], first - timedelta(first.weekday())
        while day < then or day.weekday():
            events = "".join("<br>" + a(f"/termin/{slug(w)}/{day}/", f"{h} {w}") for w, h in _termine_am(day)) if day.month == first.month else ""
            cells.append(a(f"/termine/tag/{day}/", day.day) + events)
            day += timedelta(1)
        body = table([cells[i : i + 7] for i in range(0, len(cells), 7)], TAGE)
        nav = [a(month(last), "« " + MONATE[last.month - 1]), a(month(then), MONATE[then.month - 1] + " »")]
    else:
        found = [(first + timedelta(i), w, h) for i in range(span) for w, h in _termine_am(first + timedelta(i))]
        body = "".join(f"<article><h3>{a(f'/termin/{slug(w)}/{d}/', w)}</h3><time>{d.day}. {MONATE[d.month - 1]} {d.year} {h}</time></article>" for d, w, h in found)
        body = body or "<p>Es sind keine anstehenden Veranstaltungen vorhanden.</p>"
        if view == "liste":
            nav = [a(f"/termine/liste/?tribe-bar-date={last}", "Vorherige"), a(f"/termine/liste/?tribe-bar-date={then}", "Nächste")]
        else:
            nav = [a(f"/termine/{view}/{last}/", "« zurück"), a(f"/termine/{view}/{then}/", "weiter »")]
    return doc("de", f"{title} – Heimatverein", head + ul(nav) + body + ul(nav) + foot)


# ----------------------------------------------------------------------------------------------- 2: Hijri calendar (ar)

HIJRI = ["محرم", "صفر", "ربيع الأول", "ربيع الآخر", "جمادى الأولى", "جمادى الآخرة", "رجب", "شعبان", "رمضان", "شوال", "ذو القعدة", "ذو الحجة"]
AYYAM = ["الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"]
FAJR = ["الفجر", "الشروق", "الظهر", "العصر", "المغرب", "العشاء"]


def _arab(n: int, width: int = 0) -> str:
    return str(n).zfill(width).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))


def _hijri_jdn(y: int, m: int, d: int) -> int:
    return d + (59 * (m - 1) + 1) // 2 + (y - 1) * 354 + (3 + 11 * y) // 30 + 1948439


def _gregorian(jdn: int) -> tuple[int, int, int]:
    f = jdn + 1401 + (((4 * jdn + 274277) // 146097) * 3) // 4 - 38
    e = 4 * f + 3
    h = 5 * ((e % 1461) // 4) + 2
    m = (h // 153 + 2) % 12 + 1
    return e // 1461 - 4716 + (14 - m) // 12, m, (h % 153) // 5 + 1


@trap("/" + quote("التقويم") + "/" + quote("١٤٤٥") + "/" + quote("٠٩") + "/", silent=True)
def taqwim_hijri(asked: Asked) -> Made | None:
    """Arabic: a Hijri calendar of years, months and days in Arabic digits, right to left."""
    seg = [unquote(s) for s in asked.segments]
    if not 2 <= len(seg) <= 4 or seg[0] != "التقويم" or not all(s.isdigit() for s in seg[1:]):
        return None
    y, m, d = [int(s) for s in seg[1:]] + [0] * (4 - len(seg))
    if not 1 <= y <= 99_999 or m > 12 or d > 30:
        return None

    def link(text: str, *at: int) -> str:
        return a("/التقويم/" + "".join(_arab(n, 0 if i == 0 else 2) + "/" for i, n in enumerate(at)), text)

    head = "<header><a href=/>الرئيسية</a> | مسجد النور</header><nav>" + ul([link(f"سنة {_arab(y)} هـ", y), link(f"السنة السابقة {_arab(max(y - 1, 1))}", max(y - 1, 1)), link(f"السنة التالية {_arab(y + 1)}", y + 1)]) + "</nav>"
    foot = "<footer>جميع الحقوق محفوظة — التقويم حسابي وقد يختلف يوماً عن الرؤية</footer>"
    if not m:
        body = f"<h1>التقويم الهجري لسنة {_arab(y)}</h1>" + table([[link(f"{HIJRI[k + c]}", y, k + c + 1) for c in range(3)] for k in range(0, 12, 3)])
        body += "<p>" + " ".join(link(_arab(n), n) for n in range(max(1, y - y % 10 - 10), y - y % 10 + 20)) + "</p>"
        return doc("ar", f"سنة {_arab(y)}", head + body + foot, rtl=True)
    long = _hijri_jdn(y + m // 12, m % 12 + 1, 1) - _hijri_jdn(y, m, 1)
    if d:
        if d > long:
            return None
        jdn = _hijri_jdn(y, m, d)
        gy, gm, gd = _gregorian(jdn)
        name = f"{AYYAM[(jdn + 1) % 7]} {_arab(d)} {HIJRI[m - 1]} {_arab(y)} هـ"
        shift = (gm * 30 + gd) % 183
        times = [_arab((4 + i * 3 - (i > 3) * (i - 3)) % 24, 2) + ":" + _arab((shift // 4 + i * 11) % 60, 2) for i in range(6)]
        before = (y, m, d - 1) if d > 1 else (y, m - 1, 29) if m > 1 else (max(y - 1, 1), 12, 29)
        after = (y, m, d + 1) if d < long else (y, m + 1, 1) if m < 12 else (y + 1, 1, 1)
        body = f"<h1>{name}</h1><p>الموافق {_arab(gd)}/{_arab(gm)}/{_arab(gy)} م</p>" + table([times], FAJR)
        body += ul([link("اليوم السابق", *before), link("اليوم التالي", *after), link(HIJRI[m - 1], y, m), a(asked.path + "?print=1", "نسخة للطباعة")])
        return doc("ar", name, (head if "print" not in asked.query else "") + body + foot, rtl=True)
    first = (_hijri_jdn(y, m, 1) + 1) % 7
    cells = [""] * first + [link(_arab(n), y, m, n) for n in range(1, long + 1)]
    body = f"<h1>{HIJRI[m - 1]} {_arab(y)} هـ</h1>" + table([cells[i : i + 7] for i in range(0, len(cells), 7)], AYYAM)
    body += ul([link("الشهر السابق", *((y, m - 1) if m > 1 else (max(y - 1, 1), 12))), link("الشهر التالي", *((y, m + 1) if m < 12 else (y + 1, 1)))])
    return doc("ar", f"{HIJRI[m - 1]} {_arab(y)}", head + body + foot, rtl=True)


# ------------------------------------------------------------------------------------------- 3: facets in the path (ru)

RU_FACETS = {
    "brand": "alfa rieker ekko salamander tamaris ralf keddo zenden patrol strobbs".split(),
    "color": "chernyj belyj korichnevyj sinij krasnyj seryj bezhevyj zelenyj".split(),
    "size": [str(n) for n in range(35, 47)],
    "material": "kozha zamsha tekstil nubuk rezina".split(),
    "sezon": "zima leto demisezon".split(),
    "pol": "muzhskoj zhenskij detskij".split(),
    "cena": "do-2000 2000-4000 4000-8000 ot-8000".split(),
}
RU_NAMES = {"brand": "Бренд", "color": "Цвет", "size": "Размер", "material": "Материал", "sezon": "Сезон", "pol": "Пол", "cena": "Цена"}


@lru_cache(4)
def _shoes(seed: int) -> list[tuple[str, str, dict[str, list[str]], int]]:
    made = []
    for i in range(260):
        rng = Random(f"{seed}|obuv|{i}")
        has = {k: rng.sample(v, 5) if k == "size" else [rng.choice(v)] for k, v in RU_FACETS.items()}
        made.append((f"{has['brand'][0]}-{10_000 + i * 37}", RU.title(rng, 3), has, rng.randrange(990, 12_000, 10)))
    return made


@trap("/catalog/obuv/")
def obuv_filter(asked: Asked) -> Made | None:
    """Russian: the smart filter of a Bitrix shop of 260 shoes, whose facets combine as segments of the path."""
    seg = asked.segments
    if seg[:2] != ["catalog", "obuv"]:
        return None
    head = "<header><a href=/>Обувной дом</a> " + a("/catalog/obuv/", "Каталог") + " 8 (800) 555-01-23</header>"
    foot = "<footer>© Обувной дом. Доставка по всей России. Оплата при получении.</footer>"
    goods = _shoes(asked.seed)
    if len(seg) == 3 and seg[2] != "filter":
        for at, title, has, price in goods:
            if at == seg[2]:
                rng = asked.of("obuv", at)
                body = f"<h1>{title}</h1><b>{price} ₽</b>" + table([(RU_NAMES[k], ", ".join(v)) for k, v in has.items()]) + RU.paras(rng, 2)
                body += ul([a(f"/catalog/obuv/filter/{k}-is-{v[0]}/apply/", f"{RU_NAMES[k]}: {v[0]}") for k, v in has.items()])
                return doc("ru", title, head + body + foot)
        return None
    picked: dict[str, list[str]] = {}
    if len(seg) > 2:
        if seg[-1] != "apply":
            return None
        for part in seg[3:-1]:
            k, _, vs = part.partition("-is-")
            if k not in RU_FACETS or k in picked or not set(vs.split("-or-")) <= set(RU_FACETS[k]):
                return None
            picked[k] = vs.split("-or-")

    def url(of: dict[str, list[str]]) -> str:
        parts = "".join(f"{k}-is-{'-or-'.join(vs)}/" for k, vs in of.items() if vs)
        return f"/catalog/obuv/filter/{parts}apply/" if parts else "/catalog/obuv/"

    found = [g for g in goods if all(set(vs) & set(g[2][k]) for k, vs in picked.items())]
    page = int(asked.query["PAGEN_1"]) if asked.query.get("PAGEN_1", "").isdigit() else 1
    side = ""
    for k, values in RU_FACETS.items():
        rows = []
        for v in values:
            now = picked.get(k, [])
            n = sum(v in g[2][k] for g in found)
            rows.append(a(url({**picked, k: [x for x in now if x != v] if v in now else [*now, v]}), ("☑ " if v in now else "") + v) + f" ({n})")
        side += f"<h4>{RU_NAMES[k]}</h4>" + ul(rows)
    shown = found[(page - 1) * 12 : page * 12]
    body = f"<h1>Обувь {' '.join(v for vs in picked.values() for v in vs)}</h1><p>Найдено: {len(found)}</p>"
    body += ul(a(f"/catalog/obuv/{at}/", title) + f" <b>{price} ₽</b>" for at, title, _, price in shown) if shown else "<p>К сожалению, по вашему запросу ничего не найдено.</p>"
    body += " ".join(a(f"{asked.path}?PAGEN_1={n}", n) for n in range(1, (len(found) + 11) // 12 + 1) if n != page)
    return doc("ru", "Обувь — каталог", f"{head}<aside>{side}</aside><main>{body}</main>{foot}")


# ------------------------------------------------------------------------------------------ 4: ;jsessionid= anew (pt)

PT_SECOES = "inicio noticias licitacoes secretarias saude educacao obras cultura turismo transparencia ouvidoria contato".split()


@trap("/portal/inicio.jsf", varies=True)
def prefeitura_sessao(asked: Asked) -> Made | None:
    """Portuguese: a town hall on JSF whose servers forget each session, so that all links carry a new one."""
    path, _, _ = asked.path.partition(";")
    seg = [s for s in path.split("/") if s]
    if not 2 <= len(seg) <= 3 or seg[0] != "portal" or not seg[-1].endswith(".jsf"):
        return None
    section = seg[1].removesuffix(".jsf")
    if section not in PT_SECOES:
        return None
    number = 0
    if len(seg) == 3:
        text = seg[2].removeprefix("item").removesuffix(".jsf")
        if not text.isdigit() or not 1 <= int(text) <= 8:
            return None
        number = int(text)
    session = f"{chance.getrandbits(128):032X}.node{chance.randrange(1, 4)}"
    cid = chance.randrange(1, 90_000)

    def link(at: str, text: str, more: str = "") -> str:
        return a(f"/portal/{at}.jsf;jsessionid={session}{more}", text)

    rng = asked.of("prefeitura", section, number)
    title = PT.title(rng, 4)
    menu = ul(link(s, s.capitalize()) for s in PT_SECOES)
    body = f"<h1>{title}</h1>{PT.paras(rng, 3)}"
    if not number:
        body += ul(link(f"{section}/item{n}", PT.title(asked.of("prefeitura", section, n), 4)) for n in range(1, 9))
    body += ul([link(section if not number else f"{section}/item{number}", "Versão para impressão", f"?cid={cid}"), link("ouvidoria", "Fale conosco", f"?cid={cid}")])
    form = f'<form method=post action="{path};jsessionid={session}"><input type=hidden name=javax.faces.ViewState value="{chance.getrandbits(60)}:{chance.getrandbits(60)}"></form>'
    return doc("pt-BR", title + " - Prefeitura", f"<header><a href=/>Prefeitura Municipal</a></header>{menu}{body}{form}<footer>Praça da Matriz, 100 - Centro</footer>")


# ------------------------------------------------------------------------------------ 5: relative links gone wrong (ja)

LAB = {"kenkyu": "研究", "member": "構成員", "gyoseki": "業績", "kogi": "講義", "news": "お知らせ", "access": "交通", "setsubi": "設備", "link": "関連"}


@trap("/lab/index.php/")
def kenkyushitsu(asked: Asked) -> Made | None:
    """Japanese: a laboratory's site where any path is answered by its end, and the menu lacks its first slash."""
    seg = asked.segments
    if seg[:2] != ["lab", "index.php"] or len(asked.path) > 1_800:
        return None
    last = seg[-1]
    topic, _, item = last.removesuffix(".html").partition("-")
    if topic not in LAB:
        topic, item = "", ""
    rng = asked.of("lab", topic, item)
    title = LAB.get(topic, "ホーム") + (f" {JA.title(rng, 3)}" if item else "")
    menu = ul(a(f"{k}/", v) for k, v in LAB.items())
    body = f"<h1>{title}</h1><img src=/lab/img/{topic or 'top'}.jpg alt=''>{JA.paras(rng, 3)}"
    if topic and not item:
        body += ul(a(f"{topic}-{n}.html", JA.title(asked.of("lab", topic, str(n)), 3)) for n in range(1, 7))
    crumbs = " &gt; ".join([a("/", "大学"), a("/lab/index.php/", "研究室"), *(LAB[s] for s in seg[2:] if s in LAB)])
    return doc("ja", title + " | 第三研究室", f"<div id=crumb>{crumbs}</div><div id=menu>{menu}</div>{body}<address>〒606-0000 京都 理学部二号館</address>")


# ---------------------------------------------------------------------------------- 6: toggles that pile up, a list (sv)

SV_KOL = "namn accnr datum socken material teknik längd bredd givare skick".split()


@lru_cache(700)
def _objekt(seed: int, n: int) -> list[str]:
    rng = Random(f"{seed}|samling|{n}")
    return [SV.title(rng, 2), f"HM {1000 + n}", str(rng.randrange(1640, 1950)), SV.name(rng, 1), SV.w(rng), SV.w(rng), f"{rng.randrange(5, 200)} cm", f"{rng.randrange(5, 90)} cm", SV.name(rng, 2), rng.choice(["gott", "skadat", "lagat"])]


@trap("/samling/lista")
def samling_lista(asked: Asked) -> Made | None:
    """Swedish: a museum's list of 320 objects, each click on its head adding one more pair to the query."""
    seg = asked.segments
    if seg[:1] != ["samling"] or len(asked.url) > 1_900:
        return None
    head = "<header><a href=/>Hembygdsmuseet</a> " + a("/samling/lista", "Samlingen") + "</header>"

    def thing(n: int) -> list[str]:
        return _objekt(asked.seed, n)

    if seg[1:2] == ["objekt"] and len(seg) == 3 and seg[2].isdigit() and int(seg[2]) < 320:
        row = thing(int(seg[2]))
        return doc("sv", row[0], head + f"<h1>{row[0]}</h1>" + table(zip(SV_KOL, row)) + SV.paras(asked.of("samling-text", seg[2]), 2) + a("/samling/lista", "Till listan"))
    if seg != ["samling", "lista"]:
        return None
    hidden = {v for k, v in asked.pairs if k == "dolj[]"}
    rows = [(n, thing(n)) for n in range(320)]
    page = 0
    for k, v in asked.pairs:
        if k == "sort[]" and v.split(".")[0] in SV_KOL:
            at = SV_KOL.index(v.split(".")[0])
            rows.sort(key=lambda row: row[1][at], reverse=v.endswith("desc"))
        elif k == "skick[]":
            rows = [row for row in rows if row[1][9] != v]
        elif k == "sida" and v.isdigit():
            page = int(v)
    query = urlsplit(asked.url).query

    def more(k: str, v: str, text: str) -> str:
        return a("/samling/lista?" + (query + "&" if query else "") + urlencode({k: v}), text)

    shown = [i for i, k in enumerate(SV_KOL) if k not in hidden]
    tops = [f"{SV_KOL[i]} {more('sort[]', SV_KOL[i] + '.asc', '▲')}{more('sort[]', SV_KOL[i] + '.desc', '▼')} {more('dolj[]', SV_KOL[i], '×')}" for i in shown]
    body = table([[a(f"/samling/objekt/{n}", row[i]) if i == 1 or len(shown) < 3 else row[i] for i in shown] for n, row in rows[page * 20 : page * 20 + 20]], tops)
    tools = ul([more("skick[]", s, f"utan {s}") for s in ("gott", "skadat", "lagat")] + [more("vy", v, v) for v in ("tabell", "bilder", "karta")] + [more("per", v, v) for v in ("20", "50")])
    pages = " ".join(more("sida", str(n), str(n + 1)) for n in range((len(rows) + 19) // 20))
    return doc("sv", "Samlingen", f"{head}<h1>Samlingen</h1>{tools}<p>{len(rows)} föremål</p>{body}<p>{pages}</p>")


# --------------------------------------------------------------------------- 7: a search that suggests searches (hi)

@trap("/khoj?q=" + quote("डाक"))
def khoj_samachar(asked: Asked) -> Made | None:
    """Hindi: the search of a newspaper of 90 stories, with related searches under each."""
    head = "<header><a href=/>ग्राम समाचार</a><form action=/khoj><input name=q></form></header>"
    seg = asked.segments
    if len(seg) == 2 and seg[0] == "khabar" and seg[1].isdigit() and int(seg[1]) < 90:
        rng = asked.of("khabar", int(seg[1]))
        title = HI.title(rng, 5)
        tags = ul(a("/khoj?q=" + quote(w), "#" + w) for w in title.split())
        return doc("hi", title, head + f"<h1>{title}</h1>{HI.paras(rng, 3)}{tags}")
    if seg != ["khoj"] or not asked.query.get("q"):
        return None
    words = asked.query["q"].split()[:6]
    page = int(asked.query["page"]) if asked.query.get("page", "").isdigit() else 1
    hits = sorted({asked.of("khoj", w).randrange(90) for w in words} | {asked.of("khoj", w, n).randrange(90) for w in words for n in range(9)})
    shown = hits[(page - 1) * 10 : page * 10]
    rng = asked.of("suggest", " ".join(words))
    near = [words[:-1] + [HI.w(rng)] for _ in range(3)] + [[*words[-2:], HI.rare(rng)] for _ in range(4)] + [[HI.w(rng), words[0]]]
    text = " ".join(words)
    body = f"<h1>“{text}” के लिए खोज</h1><p>{len(hits)} परिणाम</p>"
    for n in shown:
        body += f"<h3>{a(f'/khabar/{n}', HI.title(asked.of('khabar', n), 5))}</h3><p>{HI.sent(asked.of('khabar-text', n))}</p>"
    body += " ".join(a(f"/khoj?q={quote(text)}&page={n}", n) for n in range(1, (len(hits) + 9) // 10 + 1) if n != page)
    body += "<h2>संबंधित खोजें</h2>" + ul(a("/khoj?q=" + quote(" ".join(w)).replace("%20", "+"), " ".join(w)) for w in near)
    return doc("hi", f"{text} - खोज", head + body + "<footer>संपर्क | हमारे बारे में</footer>")


# ------------------------------------------------------------------------------------- 8: any products compared (fr)

FR_MARQUES = "Rowenta Miele Dyson Bosch Philips Electrolux Karcher Hoover Moulinex Shark Samsung Tefal".split()
FR_FICHE = {"Puissance": "W", "Bruit": "dB", "Poids": "g", "Cuve": "cl", "Autonomie": "min", "Rayon d'action": "cm", "Garantie": "mois", "Prix": "€"}
FR_N = 1_400


@trap("/aspirateurs/")
def comparateur_aspirateurs(asked: Asked) -> Made | None:
    """French: two or three of 1,400 vacuum cleaners side by side, in any order."""
    seg = asked.segments

    def product(n: int) -> tuple[str, str, dict[str, int]]:
        rng = asked.of("aspi", n)
        title = f"{rng.choice(FR_MARQUES)} {rng.choice('XVSTRC')}{rng.randrange(100, 999)} {FR.rare(rng).capitalize()}"
        top = (2400, 90, 9000, 500, 80, 1200, 60, 900)
        return f"{slug(title)}-{n}".encode("ascii", "ignore").decode(), title, {k: rng.randrange(t // 8, t) for k, t in zip(FR_FICHE, top)}

    def number(text: str) -> int:
        last = text.rpartition("-")[2]
        n = int(last) if last.isdigit() else -1
        return n if 0 <= n < FR_N and product(n)[0] == text else -1

    head = "<header><a href=/>CompareTout</a> " + a("/aspirateurs/", "Aspirateurs") + " Lave-linge Réfrigérateurs</header>"
    foot = "<footer>Prix relevés chez nos partenaires. Mentions légales</footer>"
    if seg == ["aspirateurs"]:
        page = int(asked.query["p"]) if asked.query.get("p", "").isdigit() else 1
        if not 1 <= page <= FR_N // 20:
            return None
        rows = [product(n) for n in range((page - 1) * 20, page * 20)]
        body = "<h1>Aspirateurs</h1>" + ul(a(f"/aspirateurs/{at}.html", title) + f" {fiche['Prix']} €" for at, title, fiche in rows)
        return doc("fr", "Aspirateurs", head + body + " ".join(a(f"/aspirateurs/?p={n}", n) for n in range(max(1, page - 3), min(FR_N // 20, page + 3) + 1)) + foot)
    if len(seg) != 2 or not seg[1].endswith(".html"):
        return None
    nums = [number(s) for s in seg[1].removesuffix(".html").split("-vs-")]
    if -1 in nums or len(set(nums)) != len(nums) or (seg[0], len(nums)) not in (("aspirateurs", 1), ("comparer", 2), ("comparer", 3)):
        return None
    rows = [product(n) for n in nums]
    rng = asked.of("versus", *nums)

    def versus(*of: int) -> str:
        return a("/comparer/" + "-vs-".join(product(n)[0] for n in of) + ".html", " vs ".join(product(n)[1] for n in of))

    others = [n for n in rng.sample(range(FR_N), 9) if n not in nums]
    title = " vs ".join(r[1] for r in rows)
    body = f"<h1>{title}</h1>" + table([[f"{k} ({u})", *(r[2][k] for r in rows)] for k, u in FR_FICHE.items()], ["", *(a(f"/aspirateurs/{r[0]}.html", r[1]) for r in rows)])
    if len(nums) == 1:
        body += FR.paras(asked.of("aspi-texte", *nums), 2)
    else:
        best = max(rows, key=lambda r: r[2]["Puissance"])
        body += f"<p>Le {best[1]} est le plus puissant avec {best[2]['Puissance']} W.</p>"
    body += "<h2>Comparaisons populaires</h2>" + ul([versus(nums[0], n) for n in others[:4]] + [versus(n, nums[-1]) for n in others[4:6]] + ([versus(*nums, n) for n in others[:3]] if len(nums) == 2 else []))
    return doc("fr", title, head + body + foot)


# -------------------------------------------------------------------------- 9: random text against AI crawlers, as a wiki

@trap("/wiki/Main_Page")
def tarpit_wiki(asked: Asked) -> Made | None:
    """English: a maze of random text made to keep AI crawlers busy, with a wiki's pages for each node."""
    seg = asked.segments
    if len(seg) != 2 or seg[0] != "wiki" or len(seg[1]) > 120:
        return None
    space, colon, name = unquote(seg[1]).partition(":")
    if not colon:
        space, name = "", space
    if space not in ("", "Talk", "Category", "History", "Special"):
        return None
    rng = asked.of("wiki", space, name)
    shown = name.replace("_", " ")

    def node(r: Random) -> str:
        return "_".join(EN.rare(r) for _ in range(r.choice((1, 2, 2, 3)))).capitalize()

    def link(to: str, of: str = "") -> str:
        return a(f"/wiki/{of + ':' if of else ''}{quote(to)}", (of + ":" if of else "") + to.replace("_", " "))

    tabs = ul([link(name), link(name, "Talk"), link(name, "History")]) if space != "Category" else ul([link(name, "Category")])
    side = ul([link("Main_Page"), link("Recent_changes", "Special"), link(node(rng), "Category"), a("/", "About us")])
    title = shown if not space else f"{space}: {shown}"
    if space == "Category" or space == "Special":
        body = ul(link(node(rng)) for _ in range(rng.randrange(8, 20))) + ul(link(node(rng), "Category") for _ in range(3))
    elif space == "History":
        body = ul(f"{rng.randrange(1, 29)} May 20{rng.randrange(10, 25)} {EN.name(rng, 1)} ({rng.randrange(-900, 900):+d}) {EN.sent(rng)}" for _ in range(rng.randrange(3, 12)))
    elif space == "Talk":
        body = "".join(f"<h3>{EN.title(rng)}</h3><p>{EN.prose(rng, 2)} —{EN.name(rng, 1)}</p>" for _ in range(rng.randrange(1, 4))) + link(node(rng))
    else:
        body = ""
        for _ in range(rng.randrange(2, 5)):
            body += f"<h2>{EN.title(rng, 3)}</h2>"
            body += "".join(f"<p>{EN.prose(rng, 2)} {link(node(rng))} {EN.prose(rng, 2)}</p>" for _ in range(rng.randrange(1, 4)))
        body += f"<div class=catlinks>{link(node(rng), 'Category')} {link(node(rng), 'Category')}</div>"
    return doc("en", title + " - Open Encyclopedia", f"<div id=p-tabs>{tabs}</div><h1>{title}</h1>{body}<div id=p-nav>{side}</div><footer>Text is available under a free licence.</footer>", "<meta name=generator content='MediaWiki 1.39.3'>")


# ------------------------------------------------------------------------- 10: a feed whose cursor never comes round (ko)

@trap("/feed")
def madang_feed(asked: Asked) -> Made | None:
    """Korean: a board of 84 posts whose "more" link carries a token that is new each time, as the posts come round."""
    head = "<header><a href=/>마당</a> " + a("/feed", "전체 글") + "</header>"
    seg = asked.segments
    if len(seg) == 2 and seg[0] == "post" and seg[1].isdigit() and int(seg[1]) < 84:
        rng = asked.of("madang", int(seg[1]))
        title = KO.title(rng)
        body = f"<h1>{title}</h1><p>{KO.name(rng, 1)}</p>{KO.paras(rng, 3)}" + ul(KO.sent(rng) for _ in range(rng.randrange(7)))
        return doc("ko", title, head + body + a("/feed", "목록"))
    if seg != ["feed"]:
        return None
    token = asked.query.get("next", "") or asked.query.get("prev", "")
    if token and (len(token) != 40 or set(token) - set("0123456789abcdef")):
        return None
    at = int(token[:4] or "0", 16) % 84 if token else 0

    def to(which: str, step: int) -> str:
        mark = sha1(f"{asked.seed}|{which}|{token}".encode()).hexdigest()
        return f"/feed?{which}={(at + step) % 84:04x}{mark[4:]}"

    body = "".join(f"<article><h3>{a(f'/post/{(at + i) % 84}', KO.title(asked.of('madang', (at + i) % 84)))}</h3><p>{KO.sent(asked.of('madang-line', (at + i) % 84))}</p></article>" for i in range(9))
    nav = a(to("next", 9), "다음 글 더 보기", " rel=next") + (" " + a(to("prev", -9), "이전", " rel=prev") if token else "")
    return doc("ko", "전체 글 - 마당", head + body + nav)


# ----------------------------------------------------------------------------------- 11: from/to of a portal's series (th)

THAI = "แม่น้ำปิง แม่น้ำวัง แม่น้ำยม แม่น้ำน่าน แม่น้ำชี แม่น้ำมูล แม่น้ำท่าจีน แม่น้ำแม่กลอง เขื่อนภูมิพล เขื่อนสิริกิติ์".split()
TH_STEP = {"hour": "รายชั่วโมง", "day": "รายวัน", "week": "รายสัปดาห์", "month": "รายเดือน"}


def _thai(d: date) -> str:
    return f"{d.day:02}/{d.month:02}/{d.year + 543}".translate(str.maketrans("0123456789", "๐๑๒๓๔๕๖๗๘๙"))


@trap("/water/stat?station=0&from=01-05-2567&to=08-05-2567&step=day")
def radap_nam(asked: Asked) -> Made | None:
    """Thai: water levels from any day to any other, in the years of the Buddha, by hour, day, week or month."""
    if asked.segments != ["water", "stat"]:
        return None
    try:
        station, step = int(asked.query["station"]), asked.query["step"]
        first, last = (date(int(y) - 543, int(m), int(d)) for d, m, y in (asked.query[k].split("-") for k in ("from", "to")))
    except (KeyError, ValueError):
        return None
    if not 0 <= station < 10 or step not in TH_STEP or not 1500 < first.year <= last.year < 3000 or last < first:
        return None

    def link(text: str, f: date, t: date, st: int = station, by: str = step) -> str:
        return a(f"/water/stat?station={st}&from={f:%d-%m}-{f.year + 543}&to={t:%d-%m}-{t.year + 543}&step={by}", text)

    long = last - first
    gap = {"hour": 0, "day": 1, "week": 7, "month": 30}[step]
    rows = []
    for i in range(24):
        day = first + timedelta(gap * i)
        if day > last:
            break
        level = asked.of("nam", station, day.toordinal(), i if not gap else 0).gauss(3 + 2 * ((day.month - 2) % 12) / 11, 0.4)
        known = date(1960, 1, 1) <= day <= date(2024, 5, 20)
        rows.append((_thai(day) + (f" {i:02}:00" if not gap else ""), f"{level:.2f}" if known else "-", f"{level ** 2 * 11:.0f}" if known else "-"))
    one = timedelta(1)
    nav = [link("◀ ช่วงก่อนหน้า", first - long - one, first - one), link("ช่วงถัดไป ▶", last + one, last + long + one), link("ขยาย +7", first, last + timedelta(7)), link("ขยาย -7", first - timedelta(7), last), link("ครึ่งแรก", first, first + long // 2), link("ปีก่อน", first - timedelta(365), last - timedelta(365))]
    nav += [link(text, first, last, by=by) for by, text in TH_STEP.items()]
    side = ul(link(text, first, last, st=n) for n, text in enumerate(THAI))
    title = f"ระดับน้ำ {THAI[station]} {_thai(first)} - {_thai(last)}"
    body = f"<h1>{title}</h1><h2>{TH_STEP[step]}</h2>{table(rows, ['วันที่', 'ระดับ (ม.)', 'ปริมาณ (ลบ.ม./วิ)'])}{ul(nav)}{side}"
    return doc("th", title, f"<header><a href=/>ศูนย์ข้อมูลน้ำ</a></header>{body}<footer>{TH.sent(asked.of('foot'))}</footer>")


# ---------------------------------------------------------------- 12: currency, size, colour and ref of a finite shop (it)

IT_VALUTE = {"EUR": 1.0, "USD": 1.08, "GBP": 0.86, "CHF": 0.97, "JPY": 168.0, "SEK": 11.4, "PLN": 4.3, "CZK": 24.9, "DKK": 7.46, "CAD": 1.47}
IT_TAGLIE = "XS S M L XL XXL".split()
IT_COLORI = "bianco nero blu verde sabbia bordeaux grigio".split()


@trap("/negozio")
def sartoria_varianti(asked: Asked) -> Made | None:
    """Italian: 130 shirts, each a page per currency, size, colour, and page one came from."""
    seg = asked.segments
    if not seg or seg[0] != "negozio" or len(seg) > 2:
        return None
    query = asked.query
    if query.get("currency", "EUR") not in IT_VALUTE:
        return None
    currency = query.get("currency", "EUR")

    def shirt(n: int) -> tuple[str, str, int]:
        rng = asked.of("camicia", n)
        title = IT.title(rng, 3)
        return f"{slug(title).encode('ascii', 'ignore').decode()}-{n}", title, rng.randrange(39, 290)

    def link(n: int, ref: str) -> str:
        at, title, price = shirt(n)
        pairs = {"currency": currency, "ref": ref} if currency != "EUR" else {"ref": ref}
        return a(f"/negozio/{at}?" + urlencode(pairs), f"{title} {price * IT_VALUTE[currency]:.2f} {currency}")

    head = "<header><a href=/>Sartoria Bellini</a> " + a("/negozio" + (f"?currency={currency}" if currency != "EUR" else ""), "Negozio") + "</header>"
    foot = "<footer>Spedizione gratuita sopra i 99 €. P. IVA 01234567890</footer>"
    if len(seg) == 1:
        page = int(query["pagina"]) if query.get("pagina", "").isdigit() else 1
        if not 1 <= page <= 7:
            return None
        body = ul(link(n, f"lista-{page}-{i}") for i, n in enumerate(range((page - 1) * 20, min(page * 20, 130))))
        body += " ".join(a("/negozio?" + urlencode({"currency": currency, "pagina": p}), p) for p in range(1, 8))
        body += " ".join(a("/negozio?" + urlencode({"currency": c}), c) for c in IT_VALUTE)
        return doc("it", "Negozio", head + "<h1>Negozio</h1>" + body + foot)
    last = seg[1].rpartition("-")[2]
    n = int(last) if last.isdigit() else 999
    if n >= 130 or shirt(n)[0] != seg[1]:
        return None
    at, title, price = shirt(n)

    def variant(text: str, **new: str) -> str:
        return a(f"/negozio/{at}?" + urlencode({**query, **new}), text)

    size, colour = query.get("taglia", "M"), query.get("colore", IT_COLORI[n % 7])
    rng = asked.of("camicia-testo", n)
    body = f"<h1>{title}</h1><img src=/img/{at}-{quote(colour)}.jpg alt='{title}'><b>{price * IT_VALUTE[currency]:.2f} {currency}</b><p>Taglia {size}, colore {colour}</p>{IT.paras(rng, 2)}"
    body += ul(variant(c, currency=c) for c in IT_VALUTE) + ul(variant(t, taglia=t) for t in IT_TAGLIE) + ul(variant(c, colore=c) for c in IT_COLORI)
    body += "<h2>Potrebbe piacerti</h2>" + ul(link(m, f"rel-{n}-{i}") for i, m in enumerate(rng.sample(range(130), 6)))
    return doc("it", f"{title} | Sartoria Bellini", head + body + foot)


# --------------------------------------------------------------------------------- 13: similar items without end (zh)

@trap("/item/6041882375.html", undecidable=True)
def xiangsi_shangpin(asked: Asked) -> Made | None:
    """Chinese: a mill of generated goods with pictures of their own, each with twelve similar ones."""
    seg = asked.segments
    if len(seg) != 2:
        return None
    number, _, kind = seg[1].partition(".")
    if not (len(number) == 10 and number.isascii() and number.isdigit()):
        return None
    rng = asked.of("goods", number)
    title = ZH.title(rng, rng.randrange(5, 9))
    price = rng.randrange(900, 90_000) / 100
    if seg[0] == "img" and kind == "svg":
        shapes = "".join(f'<circle cx="{rng.randrange(200)}" cy="{rng.randrange(200)}" r="{rng.randrange(5, 60)}" fill="#{rng.randrange(1 << 24):06x}"/>' for _ in range(5))
        return plain(f'<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200">{shapes}</svg>', "image/svg+xml")
    if seg[0] == "shop" and kind == "html":
        owner = ZH.title(rng, 2) + "旗舰店"
        goods = "".join(f"<li>{a(f'/item/{n}.html', ZH.title(asked.of('goods', n), 5))}</li>" for n in (str(rng.randrange(10**9, 10**10)) for _ in range(20)))
        return doc("zh-CN", owner, f"<header><a href=/>好物集</a></header><h1>{owner}</h1><p>{ZH.prose(rng, 2)}</p><ul>{goods}</ul>")
    if seg[0] != "item" or kind != "html":
        return None
    facts = table([(ZH.w(rng), ZH.w(rng) + ZH.w(rng)) for _ in range(rng.randrange(5, 12))])
    near = ""
    for _ in range(12):
        n = str(rng.randrange(10**9, 10**10))
        other = asked.of("goods", n)
        near += f"<li><a href=/item/{n}.html><img src=/img/{n}.svg>{ZH.title(other, other.randrange(5, 9))}</a> ¥{other.randrange(900, 90_000) / 100:.2f}</li>"
    says = "".join(f"<li>{ZH.w(rng)}***{ZH.w(rng)}：{ZH.sent(rng)}</li>" for _ in range(rng.randrange(8)))
    shop = a(f"/shop/{rng.randrange(10**9, 10**10)}.html", "进店逛逛")
    body = f"<h1>{title}</h1><img src=/img/{number}.svg><b>¥{price:.2f}</b> {shop}{facts}{ZH.paras(rng, 3)}<h2>评价</h2><ul>{says}</ul><h2>相似商品</h2><ul>{near}</ul>"
    return doc("zh-CN", title, f"<header><a href=/>好物集</a></header>{body}<footer>京ICP备00000000号</footer>")


# ------------------------------------------------------------------------------------- 14: commit, path and view (en)

GIT_COMMITS = 38_000
GIT_FILES = [f"{d}/{n}.{e}" for d, e in (("src/core", "c"), ("src/ui", "c"), ("src/net", "c"), ("include", "h"), ("po", "po"), ("tests", "py"), ("doc", "txt")) for n in (EN.base[i] + "_" + EN.base[-1 - i] for i in range(3, 43))]
GIT_PERIODS = {f: Random(f"kite|{f}").randrange(60, 4_000) for f in GIT_FILES}


@lru_cache(4)
def _hashes(seed: int) -> tuple[list[str], dict[str, int]]:
    made = [sha1(f"{seed}|commit|{n}".encode()).hexdigest() for n in range(GIT_COMMITS)]
    return made, {h: n for n, h in enumerate(made)}


@trap("/cgit/kite.git/log/")
def cgit_kite(asked: Asked) -> Made | None:
    """English: cgit over 38,000 commits of 280 files: log, tree, blame, plain, diff and patch at each of them."""
    seg = asked.segments
    if seg[:2] != ["cgit", "kite.git"]:
        return None
    names, at = _hashes(asked.seed)
    view, path = (seg[2] if len(seg) > 2 else "log"), "/".join(seg[3:])
    sha = asked.query.get("id") or asked.query.get("h") or names[-1]
    if sha not in at or view not in ("log", "tree", "blame", "plain", "commit", "diff", "patch"):
        return None
    now = at[sha]
    is_file = path in GIT_FILES
    inner = [f for f in GIT_FILES if not path or f.startswith(path + "/")]
    if not is_file and not inner:
        return None

    def link(to: str, where: str, n: int, text: str) -> str:
        return a(f"/cgit/kite.git/{to}/{where}?id={names[n]}", text)

    def period(f: str) -> int:
        return GIT_PERIODS[f]

    def version(f: str, n: int) -> int:
        return (n + GIT_PERIODS[f] // 3) // GIT_PERIODS[f]

    def lines(f: str, n: int) -> list[str]:
        v = version(f, n)
        rng = asked.of("kite", f)
        text = [f"{EN.w(rng)}_{EN.w(rng)}({EN.w(rng)}, {rng.randrange(99)});" for _ in range(rng.randrange(12, 50))]
        for i in range(max(0, v - 30), v):
            r = asked.of("kite", f, i)
            text[r.randrange(len(text))] = f"{EN.w(r)} = {EN.rare(r)}_{EN.w(r)}({r.randrange(999)});"
        return text

    def subject(n: int) -> str:
        r = asked.of("subject", n)
        return f"{r.choice(('core', 'ui', 'net', 'po', 'tests'))}: {EN.title(r, r.randrange(3, 7)).lower()}"

    def touched(n: int) -> list[str]:
        return [f for f in GIT_FILES if n and version(f, n) != version(f, n - 1)][:6] or [asked.of("touch", n).choice(GIT_FILES)]

    if view == "plain":
        return plain("\n".join(lines(path, now))) if is_file else None
    author = EN.name(asked.of("author", now % 41), 2)
    if view == "patch":
        return plain(f"From {sha} Mon Sep 17 00:00:00 2001\nFrom: {author}\nSubject: [PATCH] {subject(now)}\n---\n " + "\n ".join(touched(now)))
    tabs = ul([a("/cgit/kite.git/", "summary"), *(link(v, path, now, v) for v in ("log", "tree", "commit", "diff"))])
    crumbs = " / ".join(link("tree", "/".join(seg[3 : i + 1]), now, seg[i]) for i in range(3, len(seg)))
    if view == "log":
        ofs = int(asked.query["ofs"]) if asked.query.get("ofs", "").isdigit() else 0
        step = period(path) if is_file else 1
        shown = [n for n in range(now - ofs * step, now - ofs * step - 20 * step, -step) if n >= 0]
        body = table([[link("commit", path, n, subject(n)), EN.name(asked.of("author", n % 41), 2), str(date(2006, 1, 1) + timedelta(n // 6))] for n in shown], ["Commit message", "Author", "Age"])
        body += a(f"/cgit/kite.git/log/{path}?id={sha}&ofs={ofs + 20}", "[next]") if len(shown) == 20 else ""
    elif view in ("commit", "diff"):
        body = f"<table><tr><td>author<td>{author}<tr><td>commit<td>{sha} ({link('patch', path, now, 'patch')})<tr><td>tree<td>{link('tree', path, now, sha[:12])}"
        body += f"<tr><td>parent<td>{link('commit', path, max(now - 1, 0), names[max(now - 1, 0)])}</table><h3>{subject(now)}</h3>"
        for f in touched(now):
            body += f"<p>{link('diff', f, now, f)} {link('tree', f, now, 'file')}</p>"
            if view == "diff":
                old, new = lines(f, max(now - 1, 0)), lines(f, now)
                body += "<pre>" + "\n".join(f"-{o}\n+{n}" for o, n in zip(old, new) if o != n) + "</pre>"
    elif is_file:
        tools = f"({link('plain', path, now, 'plain')}) ({link('blame', path, now, 'blame')}) ({link('log', path, now, 'log')})"
        rows = [[link("commit", path, max(0, now - asked.of("blame", path, i, version(path, now)).randrange(5_000)), "^") if view == "blame" and i % 7 == 0 else i + 1, f"<code>{t}</code>"] for i, t in enumerate(lines(path, now))]
        body = tools + table(rows)
    else:
        depth = path.count("/") + 1 if path else 0
        kids = sorted({"/".join(f.split("/")[: depth + 1]) for f in inner})
        body = table([["-rw-r--r--" if k in GIT_FILES else "d---------", link("tree", k, now, k.split("/")[-1]), link("log", k, now, "log"), *([link("plain", k, now, "plain"), link("blame", k, now, "blame")] if k in GIT_FILES else [])] for k in kids])
    return doc("en", f"kite.git - {view} {path}", f"<header><a href=/>index</a> : {a('/cgit/kite.git/', 'kite.git')}</header>{tabs}<div class=path>path: {link('tree', '', now, 'root')} / {crumbs}</div>{body}<footer>generated by cgit v1.2.3</footer>")


# -------------------------------------------------------------------------------- 15: a dictionary of any word (ka)

KA_WORDS = sorted(set(KA.base + KA.made))
KA_LETTERS = "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ"


@trap("/" + quote("სიტყვა") + "/" + quote("ყვავილი"))
def leksikoni_ka(asked: Asked) -> Made | None:
    """Georgian: a dictionary of a thousand words that answers any other one with its neighbours."""
    seg = [unquote(s) for s in asked.segments]
    if len(seg) not in (2, 3) or seg[0] not in ("სიტყვა", "რითმა") or not 1 < len(seg[1]) < 24 or set(seg[1]) - set(KA_LETTERS):
        return None
    word, rng = seg[1], asked.of("leksikoni", seg[1])

    def link(w: str, kind: str = "სიტყვა", text: str = "") -> str:
        return a(f"/{kind}/{w}", text or w)

    near = set()
    for _ in range(10):
        i, letter = rng.randrange(len(word)), rng.choice(KA_LETTERS)
        near.add(rng.choice([word[:i] + letter + word[i + 1 :], word[:i] + letter + word[i:], word[:i] + word[i + 1 :]]))
    near = sorted(w for w in near if 1 < len(w) < 24 and w != word)
    i = rng.randrange(len(KA_WORDS))
    if seg[0] == "რითმა":
        ends = [KA.rare(rng)[:-2] + word[-3:] for _ in range(12)]
        body = f"<h1>რითმები: {word}</h1>" + ul(link(w) for w in ends if 1 < len(w) < 24) + link(word)
    elif word in KA_WORDS:
        at = KA_WORDS.index(word)
        body = f"<h1>{word}</h1><ol><li>{KA.sent(rng)}<li>{KA.sent(rng)}</ol><p>{KA.prose(rng, 2)}</p>" + ul(link(w) for w in KA_WORDS[max(0, at - 3) : at + 4] if w != word)
    else:
        body = f"<h1>{word}</h1><p>სიტყვა „{word}“ ლექსიკონში ჯერ არ არის. დაამატეთ განმარტება!</p>"
    body += "<h2>ხომ არ გულისხმობდით</h2>" + ul(map(link, near)) + "<h2>იხილეთ აგრეთვე</h2>" + ul([link(word, "რითმა", "რითმები"), link(word + "ში" if len(word) < 20 else word[:2]), link(KA_WORDS[i])])
    return doc("ka", f"{word} - ლექსიკონი", f"<header><a href=/>ლექსიკონი</a><form><input name=w></form></header>{body}<footer>ყველა უფლება დაცულია</footer>")


# ------------------------------------------------------------------------------------- 16: links that wrap links (vi)

@trap("/xem?url=" + quote("http://bao-moi.example/", safe=""))
def rut_gon_link(asked: Asked) -> Made | None:
    """Vietnamese: previews of any address, with the links found there and with wrappings of the preview itself."""
    seg, url = asked.segments, asked.query.get("url", "")
    if len(seg) != 1 or seg[0] not in ("xem", "dich", "rut-gon") or not url.startswith(("http://", "https://")) or len(asked.url) > 1_900:
        return None
    rng = asked.of("xem", url)

    def wrap(to: str, of: str, text: str) -> str:
        return a(f"/{of}?url={quote(to, safe='')}", text)

    host = urlsplit(url).hostname or ""
    title = VI.title(rng, 6)
    found = []
    for _ in range(7):
        other = rng.random() < 0.3
        site = f"{'-'.join(rng.choice(('tin', 'bao', 'cho', 'hoc', 'xe', 'nha')) for _ in range(2))}-{rng.randrange(999)}.example" if other else host if host.endswith(".example") else "bao-moi.example"
        found.append(f"http{'s' * rng.randrange(2)}://{site}/{rng.choice(('tin-tuc', 'the-thao', 'video', 'a'))}/{rng.randrange(10**6)}")
    body = f"<h1>{title}</h1><p>Địa chỉ gốc: <code>{quote(url, safe=':/?=&%')}</code></p>"
    if seg[0] == "xem":
        body += f"<img src='/anh-chup?u={sha1(url.encode()).hexdigest()[:10]}' alt=''><blockquote>{VI.prose(rng, 2)}</blockquote><h2>Liên kết trong trang</h2>" + ul(wrap(u, "xem", u) for u in found)
    elif seg[0] == "dich":
        body += f"<p>Đang tải bản dịch của trang {host}…</p>" + ul(wrap(u, "dich", u) for u in found[:4])
    else:
        body += f"<p>Liên kết rút gọn: <b>rgl.example/{sha1(url.encode()).hexdigest()[:7]}</b></p>"
    body += ul([wrap(url, "xem", "Xem trước"), wrap(url, "dich", "Dịch trang"), wrap(url, "rut-gon", "Rút gọn"), wrap(asked.url, "rut-gon", "Chia sẻ trang này"), wrap(asked.url, "xem", "Xem trước trang này")])
    return doc("vi", f"{title} - Rút Gọn Link", f"<header><a href=/>Rút Gọn Link</a></header>{body}<footer>Không chịu trách nhiệm về nội dung bên ngoài</footer>")
