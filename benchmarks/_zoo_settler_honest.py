"""20 honest, finite sites of a settler.  SETTLER_HONEST = [Site, ...]; each is 300 to 2,500 pages.

Pages depend on their URL alone (not on the seed).
"""

# ruff: noqa: C901, E501, PERF401, RUF001, SIM905 - as it came, in other alphabets

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import lru_cache
from hashlib import md5, sha1
from html import escape
from urllib.parse import quote, urlencode

from _zoo import Answer, Asked, Site
from _zoo_pilgrim_honest import Found, a, guarded, html, number_of, of, parts_of, said, typed, ul

SETTLER_HONEST: list[Site] = []


def honest(name: str) -> Callable[[Found], Found]:
    def register(page: Found) -> Found:
        SETTLER_HONEST.append(Site(f"st-{name}", guarded(page), "/", False, lambda url: False))
        return page

    return register


def moved(href: str, status: int = 302) -> Answer:
    return Answer(status, {"Location": href, "Content-Type": "text/html"}, b"<html><body>Moved</body></html>")


def dl(rows: Iterable[tuple[str, object]]) -> str:
    return "<dl>" + "".join(f"<dt>{escape(str(k))}</dt><dd>{escape(str(v))}</dd>" for k, v in rows) + "</dl>"


def table(rows: Iterable[Iterable[object]], head: Iterable[str] = ()) -> str:
    """Cells are markup."""
    top = "<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>" if head else ""
    return (
        "<table>"
        + top
        + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        + "</table>"
    )


def crumbs(*trail: tuple[str, object]) -> str:
    return "<div class=breadcrumb>" + " &raquo; ".join(a(href, text) for href, text in trail) + "</div>"


def turn(*steps: tuple[str, str] | None) -> str:
    """Next, previous and their like, as far as there are any."""
    return "<p class=pager>" + " | ".join(a(href, text) for href, text in filter(None, steps)) + "</p>"


def ensure(known: object) -> None:
    if not known:
        raise LookupError


# 1  Digital library: page scans

_DE = (
    "Pergament Einband Holzdeckel Initialen rubriziert Besitzvermerk Kloster Abschrift Schreiber Minuskel Blatt lagen "
    "Wasserzeichen Provenienz Jahrhundert lateinisch Gebete Psalter Kommentar Fragment Spiegel Ledereinband gebunden"
).split()
_CODICES = {f"ms-{kind}-{number}": 34 + number % 61 for kind, number in (
    ("lat", 12), ("lat", 117), ("lat", 204), ("germ", 33), ("germ", 48), ("germ", 160), ("graec", 7), ("fragm", 95),
    ("mus", 56))}  # fmt: skip


@honest("codices-de")
def codices(asked: Asked) -> Answer | None:
    """Manuscripts, page by page: each page is a picture, its folio and links to the one before and after (German)."""

    def frame(title: str, body: str) -> Answer:
        menu = "<nav><a href='/'>Sammlung</a> <a href='/impressum'>Impressum</a></nav>"
        foot = "<footer>Stiftsbibliothek &mdash; Digitale Sammlungen. Alle Abbildungen CC BY-NC 4.0.</footer>"
        return html(title, f"{menu}<h1>{escape(title)}</h1>{body}{foot}", "de")

    if asked.path == "/":
        return frame("Digitalisierte Handschriften", ul((f"/hs/{sign}", sign.replace("-", ". ")) for sign in _CODICES))
    if asked.path == "/impressum":
        return frame("Impressum", "<p>Stiftsbibliothek, Klosterhof 6. Verantwortlich: die Direktion.</p>")
    kind, sign, *rest = parts_of(asked)
    if kind == "bild":
        return typed("image/jpeg", b"\xff\xd8\xff\xe0" + of(asked.path).randbytes(300))
    folios = _CODICES[sign]
    label = sign.replace("-", ". ")
    if not rest:
        rng = of("hs", sign)
        about = [("Signatur", label), ("Umfang", f"{folios} Bl."), ("Format", f"{rng.randrange(18, 40)} x {rng.randrange(12, 28)} cm"),
                 ("Entstehung", f"{rng.randrange(9, 16)}. Jh."), ("Beschreibung", said(rng, _DE, 70))]  # fmt: skip
        return frame(f"Handschrift {label}", dl(about) + a(f"/hs/{sign}/0001r", "Zum Digitalisat"))
    at = (number_of(rest[0][:-1]) - 1) * 2 + "rv".index(rest[0][-1])
    ensure(0 <= at < folios * 2)

    def leaf(to: int) -> str:
        return f"/hs/{sign}/{to // 2 + 1:04}{'rv'[to % 2]}"

    rng = of(asked.path)
    data = {"canvas": sha1(asked.path.encode()).hexdigest(), "w": rng.randrange(2400, 2700), "h": rng.randrange(3300, 3600)}  # fmt: skip
    body = crumbs(("/", "Sammlung"), (f"/hs/{sign}", label)) + (
        f"<div id=viewer><img class=lazy data-src='/iiif/{sign}_{rest[0]}/full/800,/0/default.jpg' "
        f"srcset='/iiif/{sign}_{rest[0]}/full/1600,/0/default.jpg 2x' alt='fol. {rest[0].lstrip('0')}'></div>"
        f"<script>var canvas = {json.dumps(data)};</script>"
    )
    body += turn(
        (leaf(0), "|<"), (leaf(at - 1), "<") if at else None,
        (leaf(at + 1), ">") if at + 1 < folios * 2 else None, (leaf(folios * 2 - 1), ">|"),
    )  # fmt: skip
    if at % 9 == 4:
        body += a(f"/bild/{sign}_{rest[0]}.jpg", "Bild herunterladen")
    return frame(f"{label}, fol. {rest[0].lstrip('0')}", body)


# 2  Cadastre

_PL_WSIE = "Borki Dąbrówka Kamionka Lipiny Olszanka Wólka Zalesie Grabina Jesionka Sosnowo Topólka Żabieniec Rudno Młynek Brzeziny Łąki".split()
_GMINY = {"146501": "Gmina Stara Wieś", "146502": "Gmina Nowy Dwór", "146505": "Gmina Podlesie"}


@honest("dzialki-pl")
def cadastre(asked: Asked) -> Answer | None:
    """A cadastre: communes, districts, and parcels of which each has an area, a class and coordinates (Polish)."""

    def frame(title: str, body: str) -> Answer:
        menu = ul([("/", "Ewidencja gruntów i budynków"), *((f"/egib/{code}", town) for code, town in _GMINY.items())])
        foot = "<div id=stopka>Dane mają charakter poglądowy i nie stanowią dokumentu. Starostwo Powiatowe, Wydział Geodezji.</div>"
        return html(title, f"<div id=menu>{menu}</div><h2>{escape(title)}</h2>{body}{foot}", "pl")

    if asked.path == "/":
        return frame("Ewidencja gruntów", "<p>Wybierz gminę, aby wyświetlić obręby i działki ewidencyjne.</p>")
    _, code, *rest = parts_of(asked)
    town = _GMINY[code]
    villages = of("obreby", code).sample(_PL_WSIE, 7)
    if not rest:
        return frame(town, ul((f"/egib/{code}/{at + 1:04}", village) for at, village in enumerate(villages)))
    village = villages[number_of(rest[0]) - 1]
    base = f"/egib/{code}/{rest[0]}"
    size = of("size", base).randrange(55, 95)
    signs = [f"{1 + at // 3}-{1 + at % 3}" for at in range(size)]
    if len(rest) == 1:
        page = number_of(asked.query.get("strona", "1"))
        ensure(1 <= page <= (size + 24) // 25)
        links = ul(
            (f"{base}/{sign}", f"Działka nr {sign.replace('-', '/')}") for sign in signs[page * 25 - 25 : page * 25]
        )
        pager = ul(
            (f"{base}?strona={to}" if to > 1 else base, to) for to in range(1, (size + 24) // 25 + 1) if to != page
        )
        return frame(f"Obręb {rest[0]} {village}", f"<p>Liczba działek: {size}</p>{links}{pager}")
    ensure(rest[1] in signs and len(rest) == 2)
    rng = of(asked.path)
    about = [
        ("Identyfikator działki", f"{code}_2.{rest[0]}.{rest[1].replace('-', '/')}"),
        ("Województwo", "mazowieckie"), ("Gmina", town), ("Obręb", village),
        ("Pole powierzchni w ewidencji (ha)", f"{rng.uniform(0.03, 4):.4f}"),
        ("Klasoużytek", f"{rng.choice(('R', 'Ł', 'Ps', 'Ls'))}{rng.choice(('III', 'IVa', 'IVb', 'V', 'VI'))}"),
        ("X", f"{rng.uniform(5_790_000, 5_800_000):.2f}"), ("Y", f"{rng.uniform(7_500_000, 7_510_000):.2f}"),
    ]  # fmt: skip
    return frame(
        f"Działka {rest[1].replace('-', '/')}",
        crumbs(("/", "EGiB"), (f"/egib/{code}", town), (base, village)) + dl(about),
    )


# 3  TV listings

_TR = (
    "akşam haberleri komşular aşk deniz yolculuk mutfak sabah kuşağı belgesel gizli hayat yıldız gece dizi film müzik spor "
    "kardeşler şehir rüzgar umut gönül tarih çocuk oyun bahar dünya"
).split()
_KANALLAR = "kanal-birlik tele-anadolu yurt-tv ege-tv marmara-plus sinema-iki spor-ekran minik-tv belge-tv".split()
_TV_FIRST, _TV_DAYS, _SHOWS = date(2018, 10, 1), 62, 260


def _show(number: int) -> tuple[str, str]:
    title = said(of("show", number), _TR, 2, "")
    ascii_title = title.lower().translate(str.maketrans("çğıöşüâ", "cgiosua")).replace(" ", "-").replace("̇", "")
    return f"/program/{quote(ascii_title)}-{number}", title


@honest("yayin-akisi-tr")
def listings(asked: Asked) -> Answer | None:
    """What nine channels broadcast on each of 62 days, and a page for each programme (Turkish)."""

    def frame(title: str, body: str) -> Answer:
        menu = ul([("/", "Ana Sayfa"), *((f"/yayin-akisi/{kanal}/{_TV_FIRST}", kanal.replace("-", " ").title()) for kanal in _KANALLAR)])  # fmt: skip
        return html(title, f"<header>{menu}</header><main><h1>{escape(title)}</h1>{body}</main><footer>&copy; 2018 TV Rehberi</footer>", "tr")  # fmt: skip

    if asked.path == "/":
        return frame("TV Rehberi", "<h2>Popüler programlar</h2>" + ul(_show(number) for number in range(0, _SHOWS, 20)))
    kind, *rest = parts_of(asked)
    if kind == "program":
        number = number_of(rest[0].rpartition("-")[2])
        ensure(number < _SHOWS and asked.path == _show(number)[0])
        rng = of("about", number)
        data = {"@type": "TVSeries", "name": _show(number)[1], "numberOfSeasons": rng.randrange(1, 9)}
        body = f"<script type='application/ld+json'>{json.dumps(data)}</script><p>{said(rng, _TR, 45)}</p>" + dl(
            [("Tür", rng.choice(("Dizi", "Belgesel", "Yarışma", "Film"))), ("Süre", f"{rng.randrange(20, 150)} dk.")]
        )
        return frame(_show(number)[1], body + "<h3>Benzer</h3>" + ul(_show(rng.randrange(_SHOWS)) for _ in range(4)))
    kanal, day = rest[0], date.fromisoformat(rest[1])
    ensure(kind == "yayin-akisi" and kanal in _KANALLAR and 0 <= (day - _TV_FIRST).days < _TV_DAYS)
    rng, rows, minute = of(kanal, day), [], 360
    while minute < 1_740:
        rows.append((f"{minute // 60 % 24:02}:{minute % 60:02}", a(*_show(rng.randrange(_SHOWS)))))
        minute += rng.choice((30, 45, 60, 90, 120))
    steps = [
        (f"/yayin-akisi/{kanal}/{to}", label)
        for to, label in ((day - timedelta(1), "« Önceki gün"), (day + timedelta(1), "Sonraki gün »"))
        if 0 <= (to - _TV_FIRST).days < _TV_DAYS
    ]
    others = ul((f"/yayin-akisi/{other}/{day}", other) for other in _KANALLAR if other != kanal)
    return frame(f"{kanal.replace('-', ' ').title()} yayın akışı {day:%d.%m.%Y}", table(rows) + turn(*steps) + others)


# 4  Bulletin board of 2006, in Shift_JIS

_JA = "スープ が うまい 店 は どこ 俺 も 昨日 行った けど 並んだ 味噌 醤油 とんこつ 麺 硬め で 頼む と 最高 wwww 乙 >>1 保守 age sage ですね 常連 替え玉 チャーシュー メンマ 閉店 残念".split()
_JA_TOPICS = "札幌 博多 喜多方 横浜 和歌山 尾道 京都 熊本 つけ麺 家系 二郎 油そば 冷やし中華 屋台 深夜 出前 カップ麺 サッポロ一番 自作スープ 禁煙".split()


def _thread(at: int) -> tuple[int, str, int]:
    rng = of("thread", at)
    return 1_136_000_000 + at * 86_413 + rng.randrange(9_999), f"【{_JA_TOPICS[at % 20]}】{said(rng, _JA, 3, '', '')} {1 + at // 20}杯目", rng.choice((14, 44, 97, 160, 230, 305))  # fmt: skip


_THREADS = {_thread(at)[0]: _thread(at) for at in range(210)}


@honest("keijiban-ja")
def board(asked: Asked) -> Answer | None:
    """A bulletin board: threads as a whole, by hundreds, and their last fifty posts (Japanese, Shift_JIS)."""

    def frame(title: str, body: str) -> Answer:
        return html(title, f"<a href='/'>■掲示板に戻る■</a> <h3><font color=red>{escape(title)}</font></h3>{body}<hr>read.cgi ver 05.0.7.8 (2006/03/20)", "ja", "shift_jis")  # fmt: skip

    keys = list(_THREADS)
    if asked.path == "/":
        return frame("ラーメン板", ul((f"/test/read.cgi/ramen/{key}/l50", f"{at + 1}: {_THREADS[key][1]} ({_THREADS[key][2]})") for at, key in enumerate(keys[-40:])) + a("/ramen/subback.html", "スレッド一覧はこちら"))  # fmt: skip
    if asked.path == "/ramen/subback.html":
        return frame("スレッド一覧", ul((f"/test/read.cgi/ramen/{key}/l50", f"{at + 1}: {_THREADS[key][1]} ({_THREADS[key][2]})") for at, key in enumerate(keys)))  # fmt: skip
    _, _, board_name, key_text, *rest = parts_of(asked)
    key, title, posts = _THREADS[number_of(key_text)]
    ensure(board_name == "ramen" and len(rest) < 2)
    base = f"/test/read.cgi/ramen/{key}/"
    first, last = 1, posts
    if rest and rest[0] == "l50":
        first = max(1, posts - 49)
    elif rest:
        first, last = map(number_of, rest[0].split("-"))
        ensure(first % 100 == 1 and last == first + 99 and first <= posts)
        last = min(last, posts)
    told = ""
    for number in range(first, last + 1):
        rng = of(key, number)
        told += (
            f"<dt>{number} ：<font color=green><b>名無しさん</b></font>：2006/{1 + key % 12:02}/{1 + number % 28:02} "
            f"{rng.randrange(24):02}:{rng.randrange(60):02} ID:{rng.getrandbits(40):010x}<dd>{escape(said(rng, _JA, rng.randrange(2, 14), '', ''))}<br><br>"
        )
    hundreds = [(f"{base}{at}-{at + 99}", f"{at}-") for at in range(1, posts + 1, 100)] if posts > 100 else []
    return frame(title, turn((base, "全部"), *hundreds, (base + "l50", "最新50")) + f"<dl>{told}</dl>")


# 5  Sheet music

_IT = "sonata aria notturno minuetto preludio canzone barcarola serenata valzer romanza concerto toccata fuga adagio allegro inno mottetto danza".split()
_IT_NAMES = "Albertini Bassani Carulli Donati Fedeli Galuppi Lotti Marini Nardini Orlandi Pasquini Rossi Sarti Tessarini Uccelli Vitali Zanetti Bertoni Corri Durante".split()
_PARTI = ("partitura", "violino-i", "violino-ii", "viola", "violoncello")


@honest("spartiti-it")
def sheet_music(asked: Asked) -> Answer | None:
    """Composers, works and their parts, each of which can be had as a PDF (Italian)."""

    def frame(title: str, body: str) -> Answer:
        menu = ul([("/", "Home"), ("/compositori", "Compositori"), ("/licenza", "Licenza")])
        return html(title, f"<div id='top'>{menu}</div><h1>{escape(title)}</h1>{body}<div id='bottom'>Biblioteca musicale digitale &ndash; pubblico dominio</div>", "it")  # fmt: skip

    if asked.path == "/":
        return frame(
            "Spartiti gratuiti", f"<p>{said(of('it'), _IT, 40)}</p>" + a("/compositori", "Tutti i compositori")
        )
    if asked.path == "/licenza":
        return frame("Licenza", "<p>Tutte le edizioni sono di pubblico dominio.</p>")
    if asked.path == "/compositori":
        return frame("Compositori", ul((f"/compositori/{who.lower()}", who) for who in _IT_NAMES))
    kind, *rest = parts_of(asked)
    if kind == "download":
        return typed("application/pdf", b"%PDF-1.4\n" + of(asked.path).randbytes(400) + b"\n%%EOF")
    who = rest[0].title()
    ensure(kind == "compositori" and who in _IT_NAMES and len(rest) < 4)
    works = {f"op-{1 + at * 2 + len(who) % 3}": f"{_IT[(at * 5 + len(who)) % len(_IT)].title()} n. {at + 1} in {of(who, at).choice(('re', 'sol', 'la', 'do', 'mi'))} {of(who, at, 1).choice(('maggiore', 'minore'))}" for at in range(9)}  # fmt: skip
    base = f"/compositori/{rest[0]}"
    if len(rest) == 1:
        rng = of(who)
        return frame(who, f"<p>{who} ({rng.randrange(1650, 1700)}-{rng.randrange(1720, 1790)})</p>" + ul((f"{base}/{opus}", f"{title}, {opus}") for opus, title in works.items()))  # fmt: skip
    title = works[rest[1]]
    if len(rest) == 2:
        rows = [
            (a(f"{base}/{rest[1]}/{part}", part), f"{of(asked.path, part).randrange(2, 24)} pp.") for part in _PARTI
        ]
        return frame(title, crumbs(("/compositori", "Compositori"), (base, who)) + table(rows, ("Parte", "Pagine")))
    ensure(rest[2] in _PARTI)
    sign = md5(asked.path.encode()).hexdigest()[:12]
    rng = of(asked.path)
    body = (
        crumbs((base, who), (f"{base}/{rest[1]}", title))
        + f"<img src='/anteprima/{sign}.png' alt='anteprima' width=300>"
    )
    body += f"<p>{rest[2]}: {rng.randrange(2, 24)} pp., {rng.randrange(80, 900)} kB</p>"
    if rng.random() < 0.4:
        body += a(f"/download/{sign}.pdf", "Scarica PDF")
    return frame(f"{title} - {rest[2]}", body)


# 6  Star catalogue

_EL_CONST = "Ανδρομέδα Κριός Ηνίοχος Βοώτης Καρκίνος Κασσιόπη Κηφεύς Κήτος Κύκνος Δελφίνος Δράκων Δίδυμοι Ηρακλής Λέων Λύρα Ωρίων Πήγασος Περσεύς Ταύρος Παρθένος".split()


def _star(number: int) -> str:
    return f"HD{1_000 + number * 37 + number % 11}"


_STARS = {_star(number): number for number in range(1_344)}


@honest("asteria-el")
def stars(asked: Asked) -> Answer | None:
    """A catalogue of stars by hours of right ascension: a table of figures for each, and a chart (Greek)."""

    def frame(title: str, body: str) -> Answer:
        menu = " | ".join(a(f"/zoni.asp?h={hour}", f"{hour}h") for hour in range(24))
        return html(title, f"<table width=760><tr><td>{a('/', 'Κατάλογος αστέρων')}<td>{menu}</table><h2>{escape(title)}</h2>{body}<hr><small>Αστεροσκοπείο, Τμήμα Αστρομετρίας</small>", "el")  # fmt: skip

    if asked.path == "/":
        return frame("Κατάλογος φωτεινών αστέρων", "<p>Επιλέξτε ώρα ορθής αναφοράς από το μενού. Εποχή J2000.0.</p>")
    if asked.path == "/zoni.asp":
        hour, page = number_of(asked.query["h"]), number_of(asked.query.get("p", "1"))
        ensure(hour < 24 and 1 <= page <= 3 and set(asked.query) <= {"h", "p"})
        rows = []
        for number in range(hour * 56 + page * 20 - 20, min(hour * 56 + page * 20, hour * 56 + 56)):
            rng = of("star", number)
            rows.append((a(f"/aster.asp?id={_star(number)}", _star(number)), f"{rng.uniform(1, 9):.2f}"))
        pages = ul(
            (f"/zoni.asp?h={hour}" + (f"&p={to}" if to > 1 else ""), f"Σελίδα {to}") for to in (1, 2, 3) if to != page
        )
        return frame(f"Ορθή αναφορά {hour}h - σελίδα {page}", table(rows, ("Αστέρας", "mag")) + pages)
    ensure(asked.path == "/aster.asp")
    number = _STARS[asked.query["id"]]
    rng = of("star", number)
    magnitude, hour = rng.uniform(1, 9), number // 56
    rows = [
        ("Ορθή αναφορά (α)", f"{hour:02}h {rng.randrange(60):02}m {rng.uniform(0, 60):05.2f}s"),
        ("Απόκλιση (δ)", f"{rng.randrange(-89, 90):+03}° {rng.randrange(60):02}′ {rng.uniform(0, 60):04.1f}″"),
        ("Φαινόμενο μέγεθος V", f"{magnitude:.2f}"), ("Δείκτης χρώματος B-V", f"{rng.uniform(-0.3, 1.9):.3f}"),
        ("Παράλλαξη (mas)", f"{rng.uniform(0.4, 90):.2f} ± {rng.uniform(0.1, 2):.2f}"),
        ("Φασματικός τύπος", rng.choice("OBAFGKM") + str(rng.randrange(10)) + rng.choice(("V", "III", "IV", "I"))),
        ("Αστερισμός", rng.choice(_EL_CONST)),
    ]  # fmt: skip
    near = ul((f"/aster.asp?id={_star(to)}", _star(to)) for to in (number * 3 % 1_344, (number + 5) % 1_344))
    return frame(f"Αστέρας {_star(number)}", table(rows) + f"<img src='/xartis/{_star(number)}.gif' width=400 height=400 alt='χάρτης'><h4>Κοντινοί αστέρες</h4>{near}")  # fmt: skip


# 7  Election results

_SR_PARTIES = (
    "Народни савез",
    "Демократска листа",
    "Зелени покрет",
    "Сељачка странка",
    "Листа мањина",
    "Грађанска иницијатива",
)
_SR_TOWNS = "Бела Црква Ваљево Врање Зајечар Зрењанин Јагодина Кикинда Крагујевац Краљево Крушевац Лесковац Лозница Неготин Ниш Панчево Пирот Пожаревац Прокупље Сента Сомбор Суботица Ужице Чачак Шабац".split()
_IZBORI = ("2004", "2008", "2012")


@honest("izbori-sr")
def elections(asked: Asked) -> Answer | None:
    """Three elections, their districts, towns and polling stations: a table of votes for each (Serbian, Cyrillic)."""

    def frame(title: str, body: str) -> Answer:
        menu = ul([("/", "Изборна комисија"), *((f"/rezultati/{year}", f"Избори {year}.") for year in _IZBORI)])
        return html(
            title, f"<div class='sidebar'>{menu}</div><div class='content'><h1>{escape(title)}</h1>{body}</div>", "sr"
        )

    def votes(where: str, most: int) -> str:
        rng = of(where)
        cast = [rng.randrange(most // 40, most) for _ in _SR_PARTIES]
        rows = [(at + 1, party, f"{count:,}".replace(",", "."), f"{count / sum(cast):.2%}".replace(".", ",")) for at, (party, count) in enumerate(zip(_SR_PARTIES, cast, strict=True))]  # fmt: skip
        return f"<p>Уписано: {sum(cast) * 2 - rng.randrange(40)} &middot; Гласало: {sum(cast)}</p>" + table(
            rows, ("Р.б.", "Листа", "Гласова", "%")
        )

    if asked.path == "/":
        return frame("Републичка изборна комисија", "<p>Коначни резултати избора по изборним јединицама.</p>")
    kind, year, *rest = parts_of(asked)
    numbers = [number_of(part) for part in rest]
    most = [8, 5, 13]
    ensure(
        kind == "rezultati"
        and year in _IZBORI
        and len(rest) <= 3
        and all(1 <= at <= top for at, top in zip(numbers, most, strict=False))
    )
    names = [f"Избори {year}."]
    if numbers:
        names.append(f"Округ {numbers[0]}")
    if len(numbers) > 1:
        names.append(f"Општина {_SR_TOWNS[(numbers[0] * 5 + numbers[1]) % len(_SR_TOWNS)]}")
    if len(numbers) > 2:
        names.append(f"Бирачко место {numbers[2]}")
    trail = crumbs(
        *((f"/rezultati/{year}" + "".join(f"/{part}" for part in rest[:at]), names[at]) for at in range(len(rest)))
    )
    if len(rest) == 3:
        if of("open", asked.path).random() < 0.15:
            return frame(names[-1], trail + "<p>Нема података за изабрано бирачко место.</p>")
        return frame(" - ".join(names[2:]), trail + votes(asked.path, 400))
    below = ul(
        (f"{asked.path}/{at}", f"{('Округ', 'Општина', 'Бирачко место')[len(rest)]} {at}")
        for at in range(1, most[len(rest)] + 1)
    )
    return frame(names[-1], trail + votes(asked.path, 80_000 // 10 ** len(rest)) + below)


# 8  Laws

_KO = "국가는 모든 국민은 법률이 정하는 바에 의하여 권리를 가진다 대통령령으로 정한다 이 법에서 사용하는 용어의 뜻은 다음과 같다 위원회의 구성 운영에 필요한 사항은 시장 군수 구청장은 신고를 받은 때에는 지체 없이 허가를 취소할 수 있다 과태료를 부과한다".split()
_KO_LAWS = {"도로교통법": 34, "하천법": 41, "산림보호법": 28, "항만법": 37, "도서관법": 25, "식물방역법": 31}
_KO_DATES = ("19990205", "20041230", "20080331", "20110715", "20160601", "20210101")


@honest("beopnyeong-ko")
def laws(asked: Asked) -> Answer | None:
    """Laws in six versions, an article a page; most articles are the same in most versions (Korean)."""

    def frame(title: str, body: str) -> Answer:
        return html(title, f"<div id='gnb'>{ul([('/', '법령정보'), *((f'/law/{quote(law)}', law) for law in _KO_LAWS)])}</div><h2>{title}</h2>{body}<div id='footer'>국가법령정보센터 대표전화 02-1234-5678</div>", "ko")  # fmt: skip

    if asked.path == "/":
        return frame("법령정보", "<p>현행 법령과 연혁 법령을 조문별로 제공합니다.</p>")
    _, law, *rest = parts_of(asked)
    base, articles = f"/law/{quote(law)}", _KO_LAWS[law]
    if not rest:
        return frame(
            law,
            "<h3>연혁</h3>"
            + ul((f"{base}/{when}", f"[시행 {when[:4]}. {when[4:6]}. {when[6:]}.]") for when in _KO_DATES),
        )
    when = rest[0]
    version = _KO_DATES.index(when)
    shown = f"[시행 {when[:4]}. {int(when[4:6])}. {int(when[6:])}.]"
    if len(rest) == 1:
        return frame(f"{law} {shown}", ul((f"{base}/{when}/{at}", f"제{at}조") for at in range(1, articles + 1)))
    number = number_of(rest[1])
    ensure(1 <= number <= articles and len(rest) == 2)
    changed = version if number % 5 == 2 else version // 3 if number % 3 == 0 else 0
    rng = of(law, number, changed)
    clauses = "".join(f"<p>{'①②③④'[at]} {said(rng, _KO, 14)}</p>" for at in range(rng.randrange(1, 5)))
    others = ul((f"{base}/{other}/{number}", f"{other[:4]}년 판") for other in _KO_DATES if other != when)
    steps = turn((f"{base}/{when}/{number - 1}", "이전 조") if number > 1 else None, (f"{base}/{when}/{number + 1}", "다음 조") if number < articles else None)  # fmt: skip
    return frame(f"{law} 제{number}조", crumbs((base, law), (f"{base}/{when}", shown)) + f"<p>제{number}조({said(rng, _KO, 2, '')})</p>{clauses}{steps}<h4>조문 연혁</h4>{others}")  # fmt: skip


# 9  Genome browser

_GENOME = 48_000
_WIDTHS = (48_000, 12_000, 3_000, 750, 150)
_STRAINS = ("lambda1", "lambda2")


@honest("genome-en")
def genome(asked: Asked) -> Answer | None:
    """A genome browser over two small genomes: windows of five widths side by side, genes and sequences (English)."""

    def window(db: str, start: int, width: int) -> str:
        return "/cgi-bin/hgTracks?" + urlencode({"db": db, "position": f"chr1:{start + 1}-{start + width}"})

    def frame(title: str, body: str) -> Answer:
        menu = " ".join([a("/", "Genomes"), *(a(window(db, 0, _GENOME), db) for db in _STRAINS)])
        return html(title, f"<form action='/cgi-bin/hgTracks'>{menu} <input name=position></form><h3>{title}</h3>{body}<p>Tracks: Base Position, Genes, GC Percent</p>", "en")  # fmt: skip

    if asked.path == "/":
        return frame("Phage Genome Browser", "<p>Click a genome to start browsing.</p>")
    db = asked.query["db"]
    ensure(db in _STRAINS)
    if asked.path == "/cgi-bin/hgGene":
        gene = number_of(asked.query["hgg_gene"].removeprefix("gp"))
        ensure(gene < 64 and set(asked.query) == {"db", "hgg_gene"})
        rng = of(db, "gene", gene)
        rows = [("Gene", f"gp{gene}"), ("Strand", rng.choice("+-")), ("Start", gene * 750 + rng.randrange(100)), ("Length", rng.randrange(90, 640)), ("Molecular weight", f"{rng.uniform(4, 70):.1f} kDa"), ("pI", f"{rng.uniform(4, 11):.2f}")]  # fmt: skip
        return frame(f"Gene gp{gene} ({db})", dl(rows) + a(window(db, gene * 750, 750), "Genome browser view"))
    start, end = (number_of(part) for part in asked.query["position"].removeprefix("chr1:").split("-"))
    width = end - start + 1
    start -= 1
    ensure(width in _WIDTHS and start % width == 0 and 0 <= start < _GENOME)
    if asked.path == "/cgi-bin/hgc":
        ensure(width == 750 and asked.query["g"] == "getDna")
        bases = "".join(of(db, start).choices("ACGT", k=750))
        return typed(
            "text/plain", f">{db}_chr1:{start + 1}-{end}\n" + "\n".join(bases[at : at + 50] for at in range(0, 750, 50))
        )
    ensure(asked.path == "/cgi-bin/hgTracks" and set(asked.query) == {"db", "position"})
    level = _WIDTHS.index(width)
    steps = turn((window(db, start - width, width), "<") if start else None, (window(db, start + width, width), ">") if end < _GENOME else None)  # fmt: skip
    if level:
        wider = _WIDTHS[level - 1]
        steps += a(window(db, start // wider * wider, wider), "zoom out")
    body = steps + f"<img src='/trash/hgt_{md5(asked.url.encode()).hexdigest()[:10]}.png' usemap='#map' width=950>"
    if level + 1 < len(_WIDTHS):
        finer = _WIDTHS[level + 1]
        areas = "".join(f"<area shape=rect coords='{at},0,{at + 9},20' href='{escape(window(db, to, finer))}' alt='zoom in'>" for at, to in enumerate(range(start, end, finer)))  # fmt: skip
        body += f"<map name=map>{areas}</map>"
    if width in (750, 3_000):
        body += ul(
            (f"/cgi-bin/hgGene?db={db}&hgg_gene=gp{gene}", f"gp{gene}")
            for gene in range(start // 750, (end - 1) // 750 + 1)
        )
    if width == 750:
        body += a("/cgi-bin/hgc?" + urlencode({"db": db, "g": "getDna", "position": f"chr1:{start + 1}-{end}"}), "DNA")
    rng = of(db, start, width)
    return frame(f"{db} chr1:{start + 1:,}-{end:,} {width:,} bp", f"{body}<p>GC {rng.uniform(0.3, 0.7):.2%}</p>")


# 10  Job board

_AR_CITIES = "الرياض جدة مكة الدمام المدينة تبوك أبها حائل نجران الطائف جازان ينبع".split()
_AR_FIELDS = "محاسبة هندسة تمريض تعليم مبيعات تسويق برمجة قانون نقل ضيافة".split()
_AR = "مطلوب موظف خبرة لا تقل عن سنتين في مجال العمل مع إجادة اللغة الإنجليزية والحاسب الآلي راتب مجز وتأمين طبي وسكن على الراغبين إرسال السيرة الذاتية الدوام كامل المقابلات في مقر الشركة".split()


@lru_cache(maxsize=4_096)
def _jobs(city: int, field: int) -> list[str]:
    rng = of("jobs", city, field)
    count = 0 if rng.random() < 0.35 else rng.randrange(1, 15)
    return [md5(f"{city}|{field}|{at}".encode()).hexdigest()[:16] for at in range(count)]


_AR_JOBS = {job: (city, field) for city in range(12) for field in range(10) for job in _jobs(city, field)}


@honest("wazaif-ar")
def jobs(asked: Asked) -> Answer | None:
    """Jobs that can be reached by a town and a field alone, in either order and sorted; many have no job (Arabic)."""

    def frame(title: str, body: str) -> Answer:
        return html(title, f"<div dir=rtl><ul class=nav><li>{a('/', 'الرئيسية')}<li>{a('/about', 'من نحن')}</ul><h1>{title}</h1>{body}<footer>جميع الحقوق محفوظة © ٢٠١٧</footer></div>", "ar")  # fmt: skip

    def query(*pairs: tuple[str, object]) -> str:
        return "/jobs?" + urlencode(pairs)

    if asked.path == "/":
        return frame("وظائف اليوم", ul((query(("city", at)), name) for at, name in enumerate(_AR_CITIES)) + ul((query(("field", at)), name) for at, name in enumerate(_AR_FIELDS)))  # fmt: skip
    if asked.path == "/about":
        return frame("من نحن", "<p>موقع توظيف.</p>")
    if asked.path == "/jobs":
        keys = [key for key, _ in asked.pairs]
        city = number_of(asked.query["city"]) if "city" in keys else None
        field = number_of(asked.query["field"]) if "field" in keys else None
        if keys == ["city"] and city is not None:
            return frame(f"وظائف {_AR_CITIES[city]}", "<p>اختر المجال لعرض الوظائف.</p>" + ul((query(("city", city), ("field", at)), name) for at, name in enumerate(_AR_FIELDS)))  # fmt: skip
        if keys == ["field"] and field is not None:
            return frame(f"وظائف {_AR_FIELDS[field]}", "<p>اختر المدينة لعرض الوظائف.</p>" + ul((query(("field", field), ("city", at)), name) for at, name in enumerate(_AR_CITIES)))  # fmt: skip
        ensure(keys in (["city", "field"], ["field", "city"], ["city", "field", "sort"]))
        found = _jobs(city or 0, field or 0)
        title = f"وظائف {_AR_FIELDS[field or 0]} في {_AR_CITIES[city or 0]}"
        if not found:
            return frame(title, "<p>لا توجد وظائف مطابقة لبحثك حاليا.</p>")
        if keys[-1] == "sort":
            ensure(asked.query["sort"] == "salary")
            found = sorted(found)
        sort = a(query(("city", city), ("field", field), ("sort", "salary")), "ترتيب حسب الراتب")
        return frame(title, ul((f"/job/{job}", said(of("title", job), _AR, 3, "")) for job in found) + sort)
    kind, job = parts_of(asked)
    city, field = _AR_JOBS[job]
    ensure(kind == "job")
    title, rng = said(of("title", job), _AR, 3, ""), of(job)
    if rng.random() < 0.2:
        return frame(title, "<p>انتهت صلاحية هذا الإعلان.</p>")
    about = [("المدينة", _AR_CITIES[city]), ("المجال", _AR_FIELDS[field]), ("الراتب", rng.randrange(3, 20) * 1000)]
    return frame(title, f"{dl(about)}<p>{said(rng, _AR, 40)}</p>")


# 11  Weather archive

_HU_STATIONS = {12843: "Budapest", 12982: "Szeged", 12882: "Debrecen", 12942: "Pécs", 12822: "Győr", 12772: "Miskolc", 12930: "Keszthely", 12851: "Kékestető"}  # fmt: skip
_HU_MONTHS = "január február március április május június július augusztus szeptember október november december".split()


@honest("idojaras-hu")
def weather(asked: Asked) -> Answer | None:
    """Daily figures of eight stations by month for nine years, and each day of the last one (Hungarian)."""

    def frame(title: str, body: str) -> Answer:
        menu = "".join(
            f"<option value='/allomas/{number}.html'>{town}</option>" for number, town in _HU_STATIONS.items()
        )
        return html(title, f"<select>{menu}</select> {a('/', 'Éghajlati adattár')}<h1>{title}</h1>{body}<p class=kis>Az adatok tájékoztató jellegűek.</p>", "hu")  # fmt: skip

    def figures(station: int, when: date) -> list[str]:
        rng = of(station, when)
        base = 11 - 12 * (abs((when - date(when.year, 7, 15)).days) / 180)
        low = base + rng.uniform(-6, 4)
        return [
            f"{low:.1f}",
            f"{low + rng.uniform(2, 14):.1f}",
            f"{max(0, rng.uniform(-9, 12)):.1f}",
            f"{rng.uniform(985, 1035):.1f}",
        ]

    head = ("Nap", "Tmin °C", "Tmax °C", "Csapadék mm", "Légnyomás hPa")
    if asked.path == "/":
        return frame("Napi adatok", ul((f"/allomas/{number}.html", town) for number, town in _HU_STATIONS.items()))
    kind, *rest = parts_of(asked)
    station = number_of(rest[0].removesuffix(".html"))
    town = _HU_STATIONS[station]
    if kind == "napi":
        when = date.fromisoformat(rest[1])
        ensure(when.year == 2006 and station in (12843, 12982))
        near = [(f"/napi/{station}/{to}", label) for to, label in ((when - timedelta(1), "előző nap"), (when + timedelta(1), "következő nap")) if to.year == 2006]  # fmt: skip
        return frame(f"{town}, {when:%Y.%m.%d}.", dl(zip(head[1:], figures(station, when), strict=True)) + turn(*near))
    ensure(kind == "allomas")
    if len(rest) == 1:
        return frame(f"{town} ({station})", table([[year, *(a(f"/allomas/{station}/{year}-{month:02}.html", month) for month in range(1, 13))] for year in range(1998, 2007)]))  # fmt: skip
    year, month = (number_of(part) for part in rest[1].removesuffix(".html").split("-"))
    ensure(1998 <= year <= 2006 and 1 <= month <= 12)
    at, rows, when = year * 12 + month - 1, [], date(year, month, 1)
    while when.month == month:
        shown = a(f"/napi/{station}/{when}", when.day) if year == 2006 and station in (12843, 12982) else when.day
        rows.append([shown, *figures(station, when)])
        when += timedelta(1)
    near = [(f"/allomas/{station}/{to // 12}-{to % 12 + 1:02}.html", label) for to, label in ((at - 1, "&laquo;"), (at + 1, "&raquo;")) if 1998 * 12 <= to < 2007 * 12]  # fmt: skip
    return frame(f"{town} - {year}. {_HU_MONTHS[month - 1]}", crumbs((f"/allomas/{station}.html", town)) + table(rows, head) + turn(*near))  # fmt: skip


# 12  Estate agency with a session id in its links

_PT = "apartamento moradia varanda cozinha equipada garagem vista mar junto ao centro remodelado elevador arrecadação jardim piscina terraço sala ampla quartos lareira exposição solar excelente estado perto de transportes escolas comércio".split()
_CONCELHOS = "Aveiro Braga Cascais Évora Faro Leiria Oeiras Porto Setúbal Sintra Tavira Viseu".split()
_PT_SID = "b7f1d3c09ae2456681f0c4d2e97a5b13"
_HOUSES = 204


@honest("imoveis-pt")
def estate(asked: Asked) -> Answer | None:
    """Houses with three pictures each on pages of their own; one session id in links, none on pages to print (Portuguese)."""

    def link(script: str, **query: object) -> str:
        return f"/{script}.php?" + urlencode({**query, "PHPSESSID": _PT_SID})

    def frame(title: str, body: str) -> Answer:
        menu = ul((link("lista", concelho=at), town) for at, town in enumerate(_CONCELHOS))
        return html(title, f"<table><tr><td valign=top>{a('/', 'Início')}{menu}<td><h1>{title}</h1>{body}</table><p>Imobiliária, Lda. AMI 4417</p>", "pt")  # fmt: skip

    if asked.path in ("/", "/index.php"):
        return frame("Imobiliária", "<p>Casas para toda a família.</p>" + ul((link("imovel", id=1_000 + at), "Destaque") for at in (3, 50, 120)))  # fmt: skip
    ensure(asked.query.get("PHPSESSID", _PT_SID) == _PT_SID)
    if asked.path == "/lista.php":
        town, page = number_of(asked.query["concelho"]), number_of(asked.query.get("pag", "1"))
        houses = range(_HOUSES)[town :: len(_CONCELHOS)][page * 8 - 8 : page * 8]
        ensure(town < len(_CONCELHOS) and houses)
        pages = ul((link("lista", concelho=town, pag=to), f"pág. {to}") for to in (1, 2, 3) if to != page)
        return frame(f"Imóveis em {_CONCELHOS[town]}", ul((link("imovel", id=1_000 + at), f"Ref. {1_000 + at} - {of('price', at).randrange(60, 900)}.000 €") for at in houses) + pages)  # fmt: skip
    house = number_of(asked.query["id"]) - 1_000
    ensure(0 <= house < _HOUSES)
    rng, ref = of("house", house), 1_000 + house
    about = dl([("Ref.", ref), ("Tipologia", f"T{rng.randrange(5)}"), ("Área", f"{rng.randrange(38, 260)} m²"), ("Preço", f"{of('price', house).randrange(60, 900)}.000 €")])  # fmt: skip
    text = f"<p>{said(rng, _PT, 35)}</p>"
    if asked.path == "/imovel.php":
        photos = ul((link("foto", id=ref, n=at), f"foto {at}") for at in (1, 2, 3))
        return frame(f"Imóvel {ref}", about + text + photos + a(f"/imprimir.php?id={ref}", "Versão para impressão"))
    if asked.path == "/imprimir.php":
        return html(
            f"Imóvel {ref}", f"<h2>Imóvel {ref}</h2>{about}{text}<a href='/imovel.php?id={ref}'>voltar</a>", "pt"
        )
    number = number_of(asked.query["n"])
    ensure(asked.path == "/foto.php" and 1 <= number <= 3)
    return html("Fotografia", f"<center><img src='/fotos/{ref}_{number}.jpg'><br>{a(link('imovel', id=ref), 'fechar')}{turn((link('foto', id=ref, n=number % 3 + 1), 'seguinte'))}</center>", "pt")  # fmt: skip


# 13  Genealogy

_HE_FIRST_M = "אברהם יצחק יעקב משה דוד שלמה יוסף שמעון לוי נתן מרדכי ברוך אליהו חיים צבי".split()
_HE_FIRST_F = "שרה רבקה רחל לאה מרים חנה אסתר דבורה רות נעמי פריידל גיטל ציפורה יהודית".split()
_HE_LAST = "כהן הורוביץ רבינוביץ שפירא פרידמן גולדברג רוזנטל אפשטיין ליברמן קפלן".split()
_HE_TOWNS = "וילנה קרקוב לבוב אודסה צפת ירושלים ורשה מינסק בריסק יאסי".split()
_PEOPLE = 900


@honest("yohasin-he")
def genealogy(asked: Asked) -> Answer | None:
    """People, families and charts of ancestors; of one in six nothing is told, since they are alive (Hebrew)."""

    def frame(title: str, body: str) -> Answer:
        return html(title, f"<div dir=rtl>{ul([('/', 'אילן היוחסין'), ('/surnames.php', 'שמות משפחה')])}<h1>{title}</h1>{body}<div class=foot>PhpGedView 4.1</div></div>", "he")  # fmt: skip

    def private(number: int) -> bool:
        return number > 300 and of("alive", number).random() < 0.25

    def called(number: int) -> str:
        rng = of("person", number)
        first = rng.choice(_HE_FIRST_M if number % 2 else _HE_FIRST_F)
        return "פרטי" if private(number) else f"{first} {_HE_LAST[surname(number)]}"

    def surname(number: int) -> int:
        while number % 2 and number > 6:
            number = (number - 1) // 3 * 2 - 1
        return number % 10

    def person(number: int) -> tuple[str, str]:
        return f"/individual.php?pid=I{number}", called(number)

    def parents(number: int) -> list[int]:
        family = (number - 1) // 3
        return [family * 2 - 1, family * 2] if family else []

    def children(family: int) -> list[int]:
        return [at for at in range(family * 3 + 1, family * 3 + 4) if at <= _PEOPLE]

    if asked.path == "/":
        return frame("אילן היוחסין של המשפחה", "<p>ברוכים הבאים לאתר המשפחה.</p>" + ul([person(1), person(2)]))
    if asked.path == "/surnames.php":
        if not asked.query:
            return frame("שמות משפחה", ul((f"/surnames.php?surname={at}", name) for at, name in enumerate(_HE_LAST)))
        at = number_of(asked.query["surname"])
        return frame(_HE_LAST[at], ul(person(number) for number in range(1, _PEOPLE + 1) if surname(number) == at and not private(number)))  # fmt: skip
    if asked.path == "/family.php":
        family = number_of(asked.query["famid"].removeprefix("F"))
        ensure(1 <= family <= 300)
        rows = dl(
            [
                ("נישואין", f"{of('wed', family).randrange(1780, 1950)}"),
                ("מקום", of("wed", family, 1).choice(_HE_TOWNS)),
            ]
        )
        return frame(
            f"משפחה F{family}",
            ul([person(family * 2 - 1), person(family * 2)]) + rows + ul(map(person, children(family))),
        )
    number = number_of((asked.query.get("pid") or asked.query["rootid"]).removeprefix("I"))
    ensure(1 <= number <= _PEOPLE)
    if asked.path == "/pedigree.php":
        level, rows = [number], []
        for _ in range(4):
            rows.append([" ".join(a(*person(at)) for at in level)])
            level = [parent for at in level for parent in parents(at)]
        return frame(f"אילן: {called(number)}", table(rows))
    ensure(asked.path == "/individual.php")
    links = [person(at) for at in parents(number)]
    family = (number + 1) // 2
    if family <= 300:
        links.append((f"/family.php?famid=F{family}", "משפחה"))
    if private(number):
        return frame("פרטי", "<p>פרטי האדם חסויים.</p>" + ul(links))
    rng = of("facts", number)
    born = 1740 + len(f"{number:b}") * 20 + rng.randrange(15)
    facts = dl([("לידה", f"{born}, {rng.choice(_HE_TOWNS)}"), ("פטירה", f"{born + rng.randrange(20, 95)}")])
    if number % 3 == 0:
        links.append((f"/pedigree.php?rootid=I{number}", "אילן יוחסין"))
    return frame(called(number), facts + ul(links))


# 14  Mailing list in KOI8-R

_RU = "патч ядро модуль сборка не работает драйвер скрипт конфиг сервер под фрибсд линукс попробуй собрать заново спасибо кодировка локаль принтер почта sendmail маршрут таблица проблема решена версия сегодня опять ошибка".split()
_RU_PEOPLE = "Иванов Петров Сидоров Кузнецова Соколов Морозова Волков Лебедев Козлов Новикова".split()
_LIST_MONTHS = [
    f"{year}-{month}"
    for year in (1999, 2000, 2001)
    for month in "January February March April May June July August September October November December".split()
]
_LIST_SIZES = [of("list", month).randrange(14, 44) for month in _LIST_MONTHS]
_LIST_AT = [sum(_LIST_SIZES[:at]) for at in range(len(_LIST_SIZES) + 1)]


@honest("rassylka-ru")
def mailing_list(asked: Asked) -> Answer | None:
    """A list's archive by month, in four orders, with messages before and after (Russian, KOI8-R told by the page alone)."""

    def frame(title: str, body: str) -> Answer:
        return html(title, f"<h1>{escape(title)}</h1>{body}", "ru", "koi8-r", told=False)

    def subject(at: int) -> str:
        return ("Re: " if at % 3 else "") + said(of("subject", at // 3), _RU, 4, "")

    if asked.path == "/":
        return frame("Список рассылки", a("/pipermail/unix-ru/", "Архивы рассылки unix-ru"))
    _, _, *rest = parts_of(asked)
    orders = {"thread": "[ дискуссия ]", "subject": "[ тема ]", "author": "[ автор ]", "date": "[ дата ]"}
    if not rest:
        rows = []
        for month in reversed(_LIST_MONTHS):
            rows.append(
                [
                    f"{month}:",
                    *(a(f"{month}/{order}.html", text) for order, text in orders.items()),
                    a(f"{month}.txt.gz", "[ Архив gzip ]"),
                ]
            )
        return frame("Архивы unix-ru", table(rows))
    if len(rest) == 1:
        ensure(rest[0].removesuffix(".txt.gz") in _LIST_MONTHS)
        return typed("application/x-gzip", b"\x1f\x8b\x08" + of(rest[0]).randbytes(500))
    month = _LIST_MONTHS.index(rest[0])
    here = range(_LIST_AT[month], _LIST_AT[month + 1])
    name = rest[1].removesuffix(".html")
    if name in orders:
        keys: dict[str, Callable[[int], object]] = {
            "thread": int,
            "date": int,
            "subject": subject,
            "author": lambda at: _RU_PEOPLE[at * 7 % 10],
        }
        menu = " ".join(a(f"{order}.html", text) for order, text in orders.items() if order != name)
        return frame(f"Архив {rest[0]}: {orders[name]}", menu + f"<p>Сообщений: {len(here)}</p>" + ul((f"{at:06}.html", f"{subject(at)} {_RU_PEOPLE[at * 7 % 10]}") for at in sorted(here, key=keys[name])))  # fmt: skip
    at = number_of(name)
    ensure(at in here)
    rng = of("message", at)
    quoted = f"&gt; {said(of('message', at - 1), _RU, 9)}\n" if at % 3 else ""
    menu = turn((f"{at - 1:06}.html", "Предыдущее сообщение") if at - 1 in here else None, (f"{at + 1:06}.html", "Следующее сообщение") if at + 1 in here else None, *((f"{order}.html#{at}", text) for order, text in orders.items()))  # fmt: skip
    return frame(f"[unix-ru] {subject(at)}", f"<b>{_RU_PEOPLE[at * 7 % 10]}</b> <i>{rng.randrange(1, 29)} {rest[0]}</i>{menu}<hr><pre>{quoted}{said(rng, _RU, rng.randrange(4, 40))}</pre><hr>{menu}")  # fmt: skip


# 15  Git on the web

_FILES = ("README", "Makefile", "src/main.c", "src/util.c", "src/util.h", "src/parse.c", "doc/manual.txt")
_COMMITS = [sha1(f"commit {at}".encode()).hexdigest() for at in range(118)]
_EN = "fix add remove buffer parse option handle error test update memory leak option return null pointer cleanup rename value header build warning refactor introduce helper avoid overflow".split()


@honest("cgit-en")
def git_web(asked: Asked) -> Answer | None:
    """A repository's commits, patches, and the tree and files of each commit, most of which are those before (English)."""

    def touched(at: int) -> list[str]:
        return ["README", *_FILES[1:]] if at == 0 else of("touch", at).sample(_FILES, 1 + at % 2)

    def blob(path: str, at: int) -> str:
        last = max(to for to in range(at + 1) if path in touched(to))
        lines = of("blob", path).choices(_EN, k=400)
        fresh = of("blob", path, last)
        return "\n".join(" ".join(lines[line * 8 : line * 8 + 8]) for line in range(30)) + "\n" + said(fresh, _EN, 8)

    def frame(title: str, body: str) -> Answer:
        menu = " ".join(
            [
                a("/", "index"),
                a("/tinyfmt.git/log/", "log"),
                a("/tinyfmt.git/refs/", "refs"),
                a("/tinyfmt.git/tree/", "tree"),
            ]
        )
        return html(title, f"<div id='cgit'><table id='header'><tr><td>{escape(title)}</table><table class='tabs'><tr><td>{menu}</table>{body}<div class='footer'>generated by cgit v1.2.1</div></div>")  # fmt: skip

    if asked.path == "/":
        return frame("Git repositories", a("/tinyfmt.git/log/", "tinyfmt.git"))
    repo, kind, *rest = parts_of(asked)
    ensure(repo == "tinyfmt.git")
    base, path = "/tinyfmt.git", "/".join(rest)
    if kind == "refs":
        return frame("tinyfmt: refs", ul((f"{base}/snapshot/tinyfmt-0.{at}.tar.gz", f"v0.{at}") for at in range(9)))
    if kind == "snapshot":
        return typed("application/x-gzip", b"\x1f\x8b" + of(path).randbytes(600))
    if kind == "log":
        at = number_of(asked.query.get("ofs", "0"))
        chosen = [to for to in reversed(range(len(_COMMITS))) if not path or path in touched(to)]
        shown = chosen[at : at + 25]
        ensure(shown and at % 25 == 0 and (not path or path in _FILES))
        near = [(f"{base}/log/{path}?ofs={to}" if to else f"{base}/log/{path}", label) for to, label in ((at - 25, "[prev]"), (at + 25, "[next]")) if 0 <= to < len(chosen)]  # fmt: skip
        return frame(
            f"tinyfmt: log {path}",
            ul((f"{base}/commit/?id={_COMMITS[to]}", said(of("msg", to), _EN, 6, "")) for to in shown) + turn(*near),
        )
    at = _COMMITS.index(asked.query["id"]) if "id" in asked.query else len(_COMMITS) - 1
    mark = f"?id={_COMMITS[at]}" if "id" in asked.query else ""
    if kind == "patch":
        return typed("text/plain", f"From {_COMMITS[at]} Mon Sep 17 00:00:00 2001\nSubject: {said(of('msg', at), _EN, 6, '')}\n\n" + "".join(f"--- a/{file}\n+++ b/{file}\n+{blob(file, at).splitlines()[-1]}\n" for file in touched(at)))  # fmt: skip
    if kind == "commit":
        rows = [
            ("author", f"{of(at).choice(('Ann Lee', 'Bo Berg', 'C. Diaz'))} <dev@example.org>"),
            ("commit", _COMMITS[at]),
        ]
        links = [(f"{base}/tree/?id={_COMMITS[at]}", "tree"), (f"{base}/patch/?id={_COMMITS[at]}", "patch")]
        links += [(f"{base}/commit/?id={_COMMITS[at - 1]}", _COMMITS[at - 1])] if at else []
        diff = "".join(
            f"<b>diff --git a/{file} b/{file}</b>\n+{blob(file, at).splitlines()[-1]}\n" for file in touched(at)
        )
        return frame(f"tinyfmt: {said(of('msg', at), _EN, 6, '')}", dl(rows) + ul(links) + f"<pre>{diff}</pre>")
    ensure(kind == "tree")
    if not path:
        return frame("tinyfmt: tree", table([("-rw-r--r--", a(f"{base}/tree/{file}{mark}", file), a(f"{base}/log/{file}", "log"), len(blob(file, at))) for file in _FILES]))  # fmt: skip
    ensure(path in _FILES)
    return frame(
        f"tinyfmt: {path}", f"<p>blob: {sha1(blob(path, at).encode()).hexdigest()}</p><pre>{blob(path, at)}</pre>"
    )


# 16  API documentation with versions

_ZH = "返回 当前 对象 的 属性 值 如果 参数 为空 则 抛出 异常 设置 缓存 时间 默认 使用 连接 池 该 方法 已 废弃 请 改用 创建 实例 回调 函数 异步 执行 队列 消息 配置 文件 路径".split()
_VERSIONS = ("1.0", "1.1", "1.2", "2.0", "2.1", "2.2", "3.0", "3.1")
_CLASSES = {cls: [f"{verb}{noun}" for verb in ("get", "set", "create", "remove") for noun in of("api", cls).sample(("Item", "Name", "Cache", "Timeout", "Handler", "Path", "Value"), 4)] for cls in ("Client", "Session", "Queue", "Config", "Router", "Logger", "Channel")}  # fmt: skip


@honest("apidoc-zh")
def api_docs(asked: Asked) -> Answer | None:
    """Eight versions of an API's documentation, most pages of which are the same; the latest redirects (Chinese)."""

    def since(cls: str, method: str) -> int:
        return of("since", cls, method).choice((0, 0, 0, 0, 2, 3, 5))

    def frame(title: str, body: str, version: str = "3.1") -> Answer:
        menu = ul(
            [
                ("/", "文档首页"),
                ("/docs/latest/", "最新版本"),
                *((f"/docs/{version}/{cls}.html", cls) for cls in _CLASSES),
            ]
        )
        return html(title, f"<nav class='sidebar'>{menu}</nav><article><h1>{title}</h1>{body}</article><footer>最后更新 2019 · 在 GitHub 上编辑此页</footer>", "zh-CN")  # fmt: skip

    if asked.path == "/":
        return frame("开发者文档", ul((f"/docs/{version}/", f"版本 {version}") for version in _VERSIONS))
    _, version, *rest = parts_of(asked)
    if version == "latest":
        return moved("/docs/3.1/" + "/".join(rest))
    at = _VERSIONS.index(version)
    if not rest:
        return frame(f"API 参考 {version}", ul((f"/docs/{version}/{cls}.html", cls) for cls in _CLASSES) + a("/docs/latest/changelog.html", "更新日志"), version)  # fmt: skip
    if rest == ["changelog.html"] and version == "3.1":
        return frame("更新日志", dl((known, said(of("log", known), _ZH, 30, "。", "")) for known in _VERSIONS))
    if len(rest) == 1:
        cls = rest[0].removesuffix(".html")
        return frame(f"class {cls}", ul((f"/docs/{version}/{cls}/{method}.html", f"{method}()") for method in _CLASSES[cls] if since(cls, method) <= at), version)  # fmt: skip
    cls, method = rest[0], rest[1].removesuffix(".html")
    ensure(method in _CLASSES[cls] and since(cls, method) <= at and rest[1].endswith(".html"))
    rng = of("doc", cls, method, at // 3 if len(method) % 4 == 0 else "")
    body = crumbs((f"/docs/{version}/", version), (f"/docs/{version}/{cls}.html", cls))
    body += f"<pre>{cls}.{method}({rng.choice(('', 'key', 'key, value', 'options'))})</pre><p>{said(rng, _ZH, 24, '。', '')}</p>"
    body += "".join(f"<p>{said(rng, _ZH, 18, '。', '')}</p>" for _ in range(rng.randrange(3)))
    others = [
        (f"/docs/{to}/{cls}/{method}.html", to)
        for number, to in enumerate(_VERSIONS)
        if number != at and abs(number - at) < 3
    ]
    # Those before it was there are links to nowhere, as they happen.
    return frame(f"{cls}.{method}", f"{body}<div class=versions>{ul(others)}</div>", version)


# 17  Museum

_NL = "aardewerk scherf rand wand bodem geglazuurd opgraving vindplaats put spoor vlak grijs rood steengoed kogelpot middeleeuws Romeins brons munt fibula glas kraal bot naald gedraaid handgevormd versierd fragment".split()
_OBJECTS = [(40_000 + at * 3 + at % 2) for at in range(1_240)]
_NL_PERIODS = "Neolithicum Bronstijd IJzertijd Romeinse-tijd Vroege-middeleeuwen Late-middeleeuwen Nieuwe-tijd".split()


@honest("collectie-nl")
def museum(asked: Asked) -> Answer | None:
    """Finds of a museum: half of them are sherds that differ in their number, size and picture alone (Dutch)."""

    def frame(title: str, body: str) -> Answer:
        menu = ul([("/", "Museum"), ("/bezoek", "Plan je bezoek"), ("/collectie", "Collectie")])
        return html(title, f"<header>{menu}</header><main><h1>{title}</h1>{body}</main><footer><p>Geopend dinsdag t/m zondag van 11 tot 17 uur.</p></footer>", "nl")  # fmt: skip

    def called(at: int) -> str:
        return "Scherf" if at % 2 else said(of("find", at), _NL, 2, "")

    def card(at: int) -> str:
        return f"<div class=card><a href='/collectie/NM-{_OBJECTS[at]}'><img class=lazyload data-src='/thumb/{_OBJECTS[at]}.webp' alt=''>{called(at)}</a></div>"

    if asked.path == "/":
        return frame("Archeologisch museum", f"<p>{said(of('nl'), _NL, 40)}</p>" + card(0) + card(600))
    if asked.path == "/bezoek":
        return frame("Plan je bezoek", "<p>Adres: Oude Markt 4. Toegang 12 euro, kinderen gratis.</p>")
    _, *rest = parts_of(asked)
    if not rest:
        return frame(
            "Collectie", ul((f"/collectie/periode/{period}", period.replace("-", " ")) for period in _NL_PERIODS)
        )
    if rest[0] == "periode":
        period, page = _NL_PERIODS.index(rest[1]), number_of(asked.query.get("pagina", "1"))
        chosen = range(len(_OBJECTS))[period :: len(_NL_PERIODS)]
        last = (len(chosen) + 23) // 24
        ensure(1 <= page <= last)
        near = [
            (f"{asked.path}?pagina={to}", label)
            for to, label in ((page - 1, "vorige"), (page + 1, "volgende"), (last, "laatste"))
            if 1 <= to <= last
        ]
        return frame(
            _NL_PERIODS[period].replace("-", " "), "".join(map(card, chosen[page * 24 - 24 : page * 24])) + turn(*near)
        )
    at = _OBJECTS.index(number_of(rest[0].removeprefix("NM-")))
    rng, period = of("object", at), _NL_PERIODS[at % len(_NL_PERIODS)]
    height, width = rng.randrange(12, 240), rng.randrange(12, 180)
    data = {"@type": "CreativeWork", "identifier": f"NM {_OBJECTS[at]}", "height": f"{height} mm"}
    rows = [("Inventarisnummer", f"NM {_OBJECTS[at]}"), ("Periode", period.replace("-", " ")), ("Afmetingen", f"{height} x {width} mm"), ("Materiaal", "aardewerk" if at % 2 else rng.choice(("brons", "glas", "bot", "ijzer")))]  # fmt: skip
    text = "Scherf van aardewerk, gevonden bij de opgraving van de stadskern." if at % 2 else said(rng, _NL, 30)
    more = "".join(card(rng.randrange(len(_OBJECTS))) for _ in range(3))
    picture = f"<figure><img data-src='/img/{_OBJECTS[at]}.jpg' data-srcset='/img/{_OBJECTS[at]}@2x.jpg 2x' alt='{called(at)}'></figure>"
    return frame(called(at), f"<script type='application/ld+json'>{json.dumps(data)}</script>{picture}<p>{text}</p>{dl(rows)}{crumbs(('/collectie', 'Collectie'), (f'/collectie/periode/{period}', period))}<h2>Meer zoals dit</h2>{more}")  # fmt: skip


# 18  Town hall with a calendar of years

_FR = "la mairie vous informe que la fête du village aura lieu sur la place avec le marché de noël le conseil municipal se réunira à la salle polyvalente vide-grenier concert de la chorale inscription scolaire travaux de voirie bibliothèque ouverture".split()
_FR_FIRST, _FR_LAST = date(2007, 1, 1), date(2009, 12, 31)
_FR_MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split()


@honest("mairie-fr")
def town_hall(asked: Asked) -> Answer | None:
    """A town's articles, and three years of days, hardly any of which has an event (French, SPIP)."""

    def event(day: date) -> int | None:
        at = (day - _FR_FIRST).days
        return 500 + at if of("event", at).random() < 0.06 else None

    def link(day: date, label: object = None) -> tuple[str, str]:
        return f"/spip.php?page=agenda&jour={day}", str(label or f"{day:%d/%m/%Y}")

    def frame(title: str, body: str) -> Answer:
        menu = ul([("/", "Accueil"), ("/spip.php?rubrique1", "Vie municipale"), ("/spip.php?rubrique2", "Associations"), ("/spip.php?rubrique3", "Tourisme"), ("/spip.php?page=agenda&mois=2009-01", "Agenda")])  # fmt: skip
        return html(title, f"<div id='entete'>{menu}</div><h1>{escape(title)}</h1>{body}<div id='pied'>Site réalisé sous SPIP - Plan du site - Mentions légales</div>", "fr")  # fmt: skip

    if asked.path == "/":
        return frame("Commune de Saint-Aubin", f"<p>{said(of('fr'), _FR, 50)}</p>" + ul((f"/spip.php?article{at}", said(of("article", at), _FR, 4, "")) for at in range(1, 9)))  # fmt: skip
    ensure(asked.path == "/spip.php")
    first = asked.pairs[0][0]
    if first.startswith("rubrique"):
        at = number_of(first.removeprefix("rubrique"))
        ensure(1 <= at <= 3)
        return frame(
            f"Rubrique {at}",
            ul((f"/spip.php?article{to}", said(of("article", to), _FR, 4, "")) for to in range(at, 121, 3)),
        )
    if first.startswith("article"):
        at = number_of(first.removeprefix("article"))
        day = _FR_FIRST + timedelta(at - 500)
        ensure(1 <= at <= 120 or (at >= 500 and day <= _FR_LAST and event(day)))
        body = "".join(f"<p>{said(of('text', at, block), _FR, 30)}</p>" for block in range(1 + at % 4))
        return frame(said(of("article", at), _FR, 4, ""), body + (ul([link(day)]) if at >= 500 else ""))
    ensure(asked.query["page"] == "agenda")
    if "mois" in asked.query:
        year, month = (number_of(part) for part in asked.query["mois"].split("-"))
        day, cells = date(year, month, 1), []
        ensure(_FR_FIRST <= day <= _FR_LAST)
        while day.month == month:
            cells.append(a(*link(day, day.day)))
            day += timedelta(1)
        near = [(f"/spip.php?page=agenda&mois={to // 12}-{to % 12 + 1:02}", label) for to, label in ((year * 12 + month - 2, "<<"), (year * 12 + month, ">>")) if 2007 * 12 <= to < 2010 * 12]  # fmt: skip
        return frame(
            f"Agenda {_FR_MONTHS[month - 1]} {year}",
            table([cells[at : at + 7] for at in range(0, len(cells), 7)]) + turn(*near),
        )
    day = date.fromisoformat(asked.query["jour"])
    ensure(_FR_FIRST <= day <= _FR_LAST)
    near = [link(to) for to in (day - timedelta(1), day + timedelta(1)) if _FR_FIRST <= to <= _FR_LAST]
    at = event(day)
    told = (
        ul([(f"/spip.php?article{at}", said(of("article", at), _FR, 4, ""))])
        if at
        else "<p>Aucun événement ce jour.</p>"
    )
    return frame(f"Agenda du {day.day} {_FR_MONTHS[day.month - 1]} {day.year}", told + turn(*near))


# 19  Dictionary

_KA_SYLLABLES = (
    "ბა ბე გო და დე ვი ზა თე კა კი ლა ლო მა მე ნა ნი პა რა რე სა სი ტა უ ფე ქა ღო ყვა შა ჩი ცა ძა წე ჭა ხე ჯა".split()
)
_KA_STARTS = "ა ბ გ დ ე ვ კ ლ მ ნ ს ტ".split()
_KA = sorted({start + "".join(of("ka", start, at).choices(_KA_SYLLABLES, k=2 + at % 3)) for start in _KA_STARTS for at in range(150)})  # fmt: skip


@honest("leksikoni-ka")
def dictionary(asked: Asked) -> Answer | None:
    """A dictionary: an entry of a few words for each headword, the entries around it, and lists by letter (Georgian)."""

    def link(word: str) -> tuple[str, str]:
        return "/" + quote(f"სიტყვა/{word}"), word

    def frame(title: str, body: str) -> Answer:
        menu = " ".join(a("/" + quote(f"ასო/{letter}"), letter) for letter in _KA_STARTS)
        return html(title, f"<div id=letters>{a('/', 'ლექსიკონი')} {menu}</div><h1>{title}</h1>{body}", "ka")

    if asked.path == "/":
        return frame("განმარტებითი ლექსიკონი", "<p>აირჩიეთ ასო ან სიტყვა.</p>")
    kind, word, *rest = parts_of(asked)
    if kind == "ასო":
        page = number_of(rest[0]) if rest else 1
        chosen = [known for known in _KA if known.startswith(word)]
        shown = chosen[page * 50 - 50 : page * 50]
        ensure(word in _KA_STARTS and shown)
        more = [("/" + quote(f"ასო/{word}/{page + 1}"), "შემდეგი")] if len(chosen) > page * 50 else []
        return frame(f"{word} - {page}", ul(map(link, shown)) + ul(more))
    at = _KA.index(word)
    ensure(kind == "სიტყვა" and not rest)
    rng = of("entry", word)
    body = f"<p><b>{word}</b> <i>{rng.choice(('არსებითი სახელი', 'ზმნა', 'ზედსართავი'))}</i> {said(rng, _KA, rng.randrange(1, 6), '.')}</p>"
    if rng.random() < 0.25:
        body += "<p>იხ. " + a(*link(rng.choice(_KA))) + "</p>"
    return frame(word, body + turn(*(link(_KA[to]) for to in (at - 1, at + 1) if 0 <= to < len(_KA))))


# 20  Timetables

_TH_STOPS = "ตลาดกลาง โรงพยาบาล วัดใหญ่ สถานีรถไฟ มหาวิทยาลัย ศาลากลาง ท่าเรือ สนามบิน โรงเรียนเทศบาล สวนสาธารณะ ห้างสรรพสินค้า หมู่บ้านสุขใจ สี่แยกไฟแดง สะพานข้ามแม่น้ำ พิพิธภัณฑ์ สนามกีฬา ไปรษณีย์ สถานีตำรวจ".split()
_TH_DAYS = {"weekday": "วันจันทร์-ศุกร์", "saturday": "วันเสาร์", "sunday": "วันอาทิตย์"}


@honest("rot-me-th")
def timetables(asked: Asked) -> Answer | None:
    """A timetable of figures for each bus line, direction, stop and kind of day, and a version to print (Thai)."""

    def stops(line: int, way: str) -> list[int]:
        chosen = of("line", line).sample(range(len(_TH_STOPS)), 12)
        return chosen if way == "a" else chosen[::-1]

    def frame(title: str, body: str) -> Answer:
        menu = ul([("/", "หน้าแรก"), *((f"/line/{line}", f"สาย {line}") for line in range(1, 13))])
        return html(title, f"<div class='menu'>{menu}</div><h1>{title}</h1>{body}<p>โทรสอบถาม 1348</p>", "th")

    if asked.path == "/":
        return frame("ตารางเดินรถประจำทาง", ul((f"/stop/{at}", name) for at, name in enumerate(_TH_STOPS)))
    kind, *rest = parts_of(asked)
    if kind == "stop":
        at = number_of(rest[0])
        return frame(_TH_STOPS[at], ul((f"/line/{line}/{way}/{at}/weekday", f"สาย {line}") for line in range(1, 13) for way in "ab" if at in stops(line, way)))  # fmt: skip
    line = number_of(rest[0])
    ensure(1 <= line <= 12)
    if len(rest) == 1:
        return frame(
            f"สาย {line}",
            "".join(ul((f"/line/{line}/{way}/{at}/weekday", _TH_STOPS[at]) for at in stops(line, way)) for way in "ab"),
        )
    way, at, day = rest[1], number_of(rest[2]), rest[3]
    ensure(
        kind in ("line", "print")
        and way in ("a", "b")
        and at in stops(line, way)
        and day in _TH_DAYS
        and len(rest) == 4
    )
    rng, offset, rows = of("times", line, way, day), stops(line, way).index(at) * 4, []
    step = rng.choice((12, 15, 20, 24)) * (1 if day == "weekday" else 2)
    runs = [minute + offset + rng.randrange(2) for minute in range(330 + rng.randrange(30), 1_330, step)]
    for hour in range(5, 24):
        rows.append([f"<b>{hour:02}</b>", " ".join(f"{minute % 60:02}" for minute in runs if minute // 60 == hour)])
    title = f"สาย {line} ป้าย {_TH_STOPS[at]} {_TH_DAYS[day]}"
    if kind == "print":
        return html(title, f"<h2>{title}</h2>{table(rows)}", "th")
    links = [(f"/line/{line}/{way}/{at}/{other}", label) for other, label in _TH_DAYS.items() if other != day]
    if day == "weekday":
        links.append((f"/print/{line}/{way}/{at}/{day}", "พิมพ์"))
    return frame(
        title, crumbs((f"/line/{line}", f"สาย {line}"), (f"/stop/{at}", _TH_STOPS[at])) + table(rows) + ul(links)
    )
