"""24 honest, finite sites of a tenant.  TENANT_HONEST = [Site, ...]; each is 300 to 2,500 pages.

Pages depend on their URL alone (not on the seed), but for the two sites that are marked `random`.
"""


# ruff: noqa: B007, B905, C401, C901, DTZ001, E501, N802, PLW0108, RUF001, RUF021, SIM905 - as it came, in other alphabets

from __future__ import annotations

import base64
import hashlib
import json
import random as _random
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import lru_cache
from html import escape
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from _zoo import Answer, Asked, Site

TENANT_HONEST: list[Site] = []


def R(*what: object) -> _random.Random:
    return _random.Random("|".join(map(str, what)))


def U(path: str) -> str:
    """A path as it is written in a link: escaped, but for what may stay."""
    return quote(path, safe="/;=,:@-._~!$'()*+")


def sha(*what: object) -> str:
    return hashlib.sha256("|".join(map(str, what)).encode()).hexdigest()


def a(href: str, text: object) -> str:
    return f'<a href="{escape(href)}">{text}</a>'


def html(title: str, body: str, lang: str, *, enc: str = "utf-8", head: str = "", rtl: bool = False) -> Answer:
    way = ' dir="rtl"' if rtl else ""
    text = (
        f'<!DOCTYPE html>\n<html lang="{lang}"{way}><head><meta charset="{enc}"><title>{title}</title>{head}</head>\n'
        f"<body>{body}</body></html>\n"
    )
    return Answer(200, {"Content-Type": f"text/html; charset={enc}"}, text.encode(enc, "xmlcharrefreplace"))


def raw(text: str, kind: str, enc: str = "utf-8") -> Answer:
    return Answer(200, {"Content-Type": f"{kind}; charset={enc}"}, text.encode(enc, "replace"))


def to(where: str, status: int = 302) -> Answer:
    return Answer(status, {"Location": where, "Content-Type": "text/html; charset=utf-8"}, b"")


def path_of(asked: Asked) -> str:
    return unquote(asked.path)


def query_of(asked: Asked, enc: str = "utf-8") -> dict[str, str]:
    return dict(parse_qsl(urlsplit(asked.url).query, keep_blank_values=True, encoding=enc))


def number(text: str | None, least: int, most: int) -> int | None:
    """A plain decimal number within bounds, without leading zeros or a plus sign."""
    if text is None or not re.fullmatch(r"-?(0|[1-9][0-9]{0,11})", text):
        return None
    return int(text) if least <= int(text) <= most and text != "-0" else None


Page = Callable[[Asked], "Answer | None"]


def tenant(
    name: str, *, varies: bool = False, again: Callable[[str], bool] = lambda url: False
) -> Callable[[Callable[[], Page]], Callable[[], Page]]:
    """Register the site that `build` makes (when it is first asked for)."""

    def register(build: Callable[[], Page]) -> Callable[[], Page]:
        build = lru_cache(maxsize=1)(build)
        TENANT_HONEST.append(Site(name, lambda asked: build()(asked), "/", False, again, random=varies))
        return build

    return register


# ------------------------------------------------ 1  Vietnamese: every position of the towers of Hanoi, six discs


@tenant("tn-thap-ha-noi")
def _hanoi() -> Page:
    pegs = "ABC"

    def moves(state: str) -> list[tuple[int, str, str]]:
        top = {}
        for disc, peg in enumerate(state):
            top.setdefault(peg, disc)  # disc 0 is the smallest
        found = []
        for disc, peg in enumerate(state):
            if top[peg] == disc:
                found += [
                    (disc, other, state[:disc] + other + state[disc + 1 :])
                    for other in pegs
                    if other != peg and top.get(other, 99) > disc
                ]
        return found

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html(
                "Tháp Hà Nội",
                "<h1>Tháp Hà Nội, sáu đĩa</h1><p>Mỗi lần chỉ được chuyển một đĩa, không được đặt đĩa lớn lên đĩa nhỏ."
                f" {a(U('/thế/AAAAAA'), 'Bắt đầu')} &middot; {a(U('/luật'), 'Luật chơi')}</p>",
                "vi",
            )
        if path == "/luật":
            return html("Luật chơi", "<p>Trò chơi do Édouard Lucas nghĩ ra năm 1883.</p>" + a("/", "Trang đầu"), "vi")
        if (found := re.fullmatch(r"/thế/([ABC]{6})", path)) is None:
            return None
        state = found[1]
        rows = "".join(
            "<tr>" + "".join(f"<td>{'▬' * (disc + 1) if state[disc] == peg else '│'}</td>" for peg in pegs) + "</tr>"
            for disc in range(6)
        )
        links = "".join(
            f"<li>{a(U(f'/thế/{then}'), f'đĩa {disc + 1} → {peg}')}</li>" for disc, peg, then in moves(state)
        )
        return html(
            "Tháp Hà Nội", f"<table>{rows}<tr><th>A</th><th>B</th><th>C</th></tr></table><ul>{links}</ul>", "vi"
        )

    return page


# ------------------------------------------------ 2  Greek: orbits of 3n+1, each page leading to the next number only

_STARTS = (27, 97, 703, 871, 6171, 77031, 837799, 8400511)


@lru_cache(maxsize=1)
def _orbits() -> dict[int, int]:
    """Every number of the orbits, and how many steps from 1 it is."""
    steps = {1: 0}
    for start in _STARTS:
        way = []
        at = start
        while at not in steps:
            way.append(at)
            at = at * 3 + 1 if at % 2 else at // 2
        for done, passed in enumerate(reversed(way)):
            steps[passed] = steps[at] + done + 1
    return steps


@tenant("tn-troxies")
def _greek() -> Page:
    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            links = "".join(f"<li>{a(U(f'/τροχιά/{start}'), start)}</li>" for start in _STARTS)
            return html(
                "Τροχιές 3ν+1",
                "<h1>Η εικασία του Κόλατς</h1><p>Οι τροχιές μερικών αριθμών-ρεκόρ, βήμα προς βήμα, ως το 1.</p>"
                f"<ul>{links}</ul>",
                "el",
            )
        if (found := re.fullmatch(r"/τροχιά/([1-9][0-9]{0,17})", path)) is None or (
            at := int(found[1])
        ) not in _orbits():
            return None
        then = at * 3 + 1 if at % 2 else at // 2
        how = f"Περιττός: 3·{at}+1 = " if at % 2 else f"Άρτιος: {at}/2 = "
        step = how + a(U(f"/τροχιά/{then}"), then) if at > 1 else "Τέλος. " + a("/", "Αρχή")
        return html(f"ν = {at}", f"<h1>{at}</h1><p>{step}</p><p>Απομένουν βήματα: {_orbits()[at]}</p>", "el")

    return page


# ------------------------------------------------ 3  English: change ringing, all orders of six bells as path segments


@tenant("tn-change-ringing")
def _bells() -> Page:
    bells = ("treble", "two", "three", "four", "five", "tenor")
    first = [
        "Cambridge",
        "Plain",
        "Kent",
        "Oxford",
        "Norwich",
        "Little",
        "Double",
        "Single",
        "St Clement's",
        "Grandsire",
    ]
    second = ["Bob Minor", "Surprise Minor", "Treble Bob Minor", "Court Minor", "Place Minor"]
    methods = [f"{one} {two}" for one in first for two in second]
    changes = {"x": (0, 2, 4), "14": (1, 4), "16": (1, 3), "12": (2, 4), "36": (0, 3), "56": (0, 2), "34": (0, 4)}

    def ring(order: tuple[str, ...], change: str) -> tuple[str, ...]:
        rung = list(order)
        for at in changes[change]:
            rung[at], rung[at + 1] = rung[at + 1], rung[at]
        return tuple(rung)

    def url(order: tuple[str, ...]) -> str:
        return "/row/" + "/".join(order)

    def digits(order: tuple[str, ...]) -> str:
        return "".join(str(bells.index(bell) + 1) for bell in order)

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            links = "".join(f"<li>{a(f'/method/{at + 1}', method)}</li>" for at, method in enumerate(methods))
            return html(
                "The Minor Ringers' Handbook",
                f"<h1>Rows</h1>{a(url(bells), 'Rounds')}<h2>Methods</h2><ul>{links}</ul>",
                "en",
            )
        if path.startswith("/method/") and (at := number(path[8:], 1, len(methods))):
            rng, order, rung = R("bells", at), bells, [bells]
            notation = [rng.choice(list(changes)) for _ in range(12)]
            for change in notation:
                order = ring(order, change)
                rung.append(order)
            rows = "".join(f"<tr><td>{a(url(one), digits(one))}</td></tr>" for one in rung)
            return html(
                methods[at - 1],
                f"<h1>{methods[at - 1]}</h1><p>Place notation {'.'.join(notation)}</p><table>{rows}</table>{a('/', 'Index')}",
                "en",
            )
        if path.startswith("/row/"):
            order = tuple(path[5:].split("/"))
            if sorted(order) != sorted(bells):
                return None
            sign = sum(digits(order)[i] > digits(order)[j] for i in range(6) for j in range(i + 1, 6)) % 2
            links = " ".join(a(url(ring(order, change)), change) for change in changes)
            return html(
                f"Row {digits(order)}",
                f"<h1>{digits(order)}</h1><p>{'Odd' if sign else 'Even'} row.</p><p>Next change: {links}</p>{a('/', 'Index')}",
                "en",
            )
        return None

    return page


# ------------------------------------------------ 4  Hungarian: a plant key whose URL keeps every choice made so far


@tenant("tn-novenyhatarozo")
def _key() -> Page:
    organs = {
        "Levél": ["ép", "fogazott", "karéjos", "szárnyalt", "tűhegyes", "molyhos", "kopasz", "ülő", "nyeles"],
        "Virág": ["sárga", "fehér", "lila", "magányos", "fürtben áll", "ernyőben áll", "sugaras", "kétajkú"],
        "Szár": ["négyélű", "hengeres", "heverő", "felálló", "tüskés", "elágazó", "egyszerű"],
        "Termés": ["tok", "bogyó", "becő", "makkocska", "kaszat", "hüvely"],
        "Gyökér": ["karószerű", "bojtos", "gumós", "hagymás"],
    }
    genera = "Viola Carex Galium Veronica Campanula Trifolium Vicia Silene Rumex Salvia Stachys Allium Poa Festuca Juncus Geum Rosa Rubus Draba Sedum Iris Orchis".split()
    epithets = "hungarica montana palustris arvensis sylvestris minor major alba lutea nigra hirsuta glabra tenuis repens erecta vernalis autumnalis pannonica".split()
    hungarian = "ibolya sás galaj veronika harangvirág lóhere bükköny habszegfű lórom zsálya tisztesfű hagyma perje csenkesz szittyó gyömbérgyökér rózsa szeder daravirág varjúháj nőszirom kosbor".split()
    traits = "magyar hegyi mocsári mezei erdei kis nagy fehér sárga fekete borzas kopasz vékony kúszó felálló tavaszi őszi pannon".split()
    species = [(f"{genera[g]} {epithets[e]}", f"{traits[e]} {hungarian[g]}") for g in range(22) for e in range(18)]
    R("key-order").shuffle(species)

    leaves: dict[str, int] = {}
    inner: set[str] = set()
    rng = R("key-tree")

    def split(way: str, low: int, high: int) -> None:
        if high - low == 1:
            leaves[way] = low
            return
        inner.add(way)
        middle = low + max(1, min(high - low - 1, int((high - low) * rng.choice((0.08, 0.2, 0.5, 0.5, 0.7)))))
        split(way + "A", low, middle)
        split(way + "B", middle, high)

    split("", 0, len(species))

    def slug(at: int) -> str:
        return "/faj/" + species[at][0].lower().replace(" ", "-")

    def couplet(way: str) -> tuple[str, list[str]]:
        chosen = R("couplet", way)
        organ = chosen.choice(list(organs))
        return organ, chosen.sample(organs[organ], 2)

    where = {at: way for way, at in leaves.items()}
    slugs = {slug(at): at for at in range(len(species))}

    def page(asked: Asked) -> Answer | None:
        path, query = path_of(asked), query_of(asked)
        if path == "/":
            return html(
                "Növényhatározó",
                f"<h1>Hazai növények határozója</h1><p>Válasszon minden lépésben a két állítás közül.</p>{a('/kulcs?ut=', 'Kezdés')}",
                "hu",
            )
        if path == "/kulcs" and (way := query.get("ut")) in inner:
            organ, two = couplet(way)
            body = "".join(
                f"<p>{organ} {trait} … "
                + (
                    a(slug(leaves[way + letter]), species[leaves[way + letter]][1])
                    if way + letter in leaves
                    else a(f"/kulcs?ut={way + letter}", "tovább")
                )
                + "</p>"
                for letter, trait in zip("AB", two)
            )
            back = a(f"/kulcs?ut={way[:-1]}", "vissza") if way else a("/", "vissza")
            return html("Növényhatározó", f"<h1>{len(way) + 1}. lépés</h1>{body}<p>{back}</p>", "hu")
        if path in slugs:
            latin, called = species[slugs[path]]
            way = where[slugs[path]]
            told = [
                "{} {}".format(organ, two["AB".index(way[at])])
                for at, (organ, two) in ((at, couplet(way[:at])) for at in range(max(0, len(way) - 4), len(way)))
            ]
            return html(
                called,
                f"<h1>{called}</h1><p><i>{latin}</i></p><p>{'; '.join(told)}.</p>{a(f'/kulcs?ut={way[:-1]}', 'A kulcsban')}",
                "hu",
            )
        return None

    return page


# ------------------------------------------------ 5  Malay: a faculty's site that holds its own backups, one inside another


@lru_cache(maxsize=1)
def _snapshots() -> list[dict[str, int]]:
    """For each backup, newest first: its pages and the year in which each was last changed before it."""
    found = []
    for year in (2013, 2010, 2007, 2004, 2001):
        pages = {}
        kinds = [("kakitangan", 60), ("kursus", 130), ("penerbitan", 120), ("berita", 150)]
        for kind, many in kinds:
            for at in range(1, many + 1):
                rng = R("lama", kind, at)
                born = rng.randint(1998, 2013)
                changes = [one for one in (born, *(born + rng.randint(1, 12) for _ in range(3))) if one <= year]
                if changes:
                    pages[f"{kind}/{at:03}.html"] = max(changes)
        found.append(pages)
    return found


def _unchanged(url: str) -> bool:
    """A page of a backup that the site (or a newer backup) still has, word by word."""
    path = urlsplit(url).path
    depth = len(re.match(r"(?:/lama)*", path)[0]) // 5
    one = path.rsplit("lama/", 1)[-1].lstrip("/")
    shots = _snapshots()
    return 0 < depth < len(shots) and one in shots[depth] and shots[depth - 1].get(one) == shots[depth][one]


@tenant("tn-jabatan-sejarah", again=_unchanged)
def _backups() -> Page:
    words = "sejarah kampung pantai sungai pelabuhan istana sultan perdagangan lada timah getah masjid sekolah surat arkib peta perang damai laut pasar rumah adat bahasa sastera manuskrip kapal jalan kota hutan sawah".split()
    kinds = {"kakitangan": "Kakitangan", "kursus": "Kursus", "penerbitan": "Penerbitan", "berita": "Berita"}
    years = (2013, 2010, 2007, 2004, 2001)

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        depth = len(re.match(r"(?:/lama)*", path)[0]) // 5
        if depth >= len(years):
            return None
        rest = path[depth * 5 :].lstrip("/")
        pages = _snapshots()[depth]
        if rest in ("", "index.html"):
            base = "" if path.endswith("/") or rest else "lama/"
            links = "".join(f"<li>{a(f'{base}{kind}/index.html', told)}</li>" for kind, told in kinds.items())
            older = f"<p>{a(base + 'lama/index.html', 'Laman web lama')}</p>" if depth + 1 < len(years) else ""
            return html(
                "Jabatan Sejarah",
                f"<h1>Jabatan Sejarah</h1><p>Kemas kini {years[depth]}</p><ul>{links}</ul>{older}",
                "ms",
            )
        kind = rest.partition("/")[0]
        if kind in kinds and rest == f"{kind}/index.html":
            mine = sorted(one for one in pages if one.startswith(kind))
            links = "".join(f"<li>{a(one.partition('/')[2], f'{kinds[kind]} {one[-8:-5]}')}</li>" for one in mine)
            return html(kinds[kind], f"<h1>{kinds[kind]}</h1><ul>{links}</ul>{a('../index.html', 'Utama')}", "ms")
        if rest in pages:
            rng = R("lama", rest, pages[rest])
            title = f"{rng.choice(words)} {rng.choice(words)}".capitalize()
            text = " ".join(rng.choices(words, k=45)).capitalize()
            return html(
                title,
                f"<h1>{title}</h1><p>{text}.</p><p>Dikemas kini pada {pages[rest]}.</p>{a('index.html', kinds[kind])} {a('../index.html', 'Utama')}",
                "ms",
            )
        return None

    return page


# ------------------------------------------------ 6  Georgian: surnames, letter by letter, each letter one path segment


@tenant("tn-gvarebi")
def _trie() -> Page:
    stems = "კაკა მამა ბაბა დადა ნინი გიორგა ბერი ჯავა მელი ღვინი ქორი ცხვარა ლომი დათუა მგალო ხარა მჭედლი კობა გოგო ჭანტუ წერე შენგე თავართ სულა ფირო რუსი ზაზა იმედა ჟღენ ვაშა ყიფი ძაძა არაბ ებრა ოთხმე უგულა ტატი პაპა".split()
    ends = ["შვილი", "ძე", "ია", "ური", "იანი", "უა", "ავა", "ელი", "ნა"]
    regions = ["ქართლი", "კახეთი", "იმერეთი", "სამეგრელო", "გურია", "სვანეთი", "რაჭა", "აჭარა"]
    names = sorted(
        {stem + R("gvari", stem, end).choice(["", "ბა", "რა", "ნა", "კა"]) + end for stem in stems for end in ends}
    )
    below: dict[str, set[str]] = {}
    for name in names:
        for at in range(len(name)):
            below.setdefault(name[:at], set()).add(name[at])

    def url(prefix: str) -> str:
        return U("/ანბანი/" + "".join(f"{letter}/" for letter in prefix))

    known = set(names)

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html("გვარების ნუსხა", f"<h1>გვარები</h1><p>{a(url(''), 'ანბანით')}</p>", "ka")
        if not re.fullmatch(r"/ანბანი/(?:./)*", path):
            return None
        prefix = path[8:].replace("/", "")
        if prefix not in below and prefix not in known:
            return None
        links = " ".join(a(url(prefix + letter), letter) for letter in sorted(below.get(prefix, ())))
        told = ""
        if prefix in known:
            rng = R("gvari", prefix)
            told = (
                "<table>"
                + "".join(f"<tr><td>{region}</td><td>{rng.randint(0, 900)}</td></tr>" for region in regions)
                + "</table>"
            )
        return html(
            prefix or "ანბანი",
            f"<h1>{prefix}</h1>{told}<p>{links}</p>{a(url(prefix[:-1]) if prefix else '/', '←')}",
            "ka",
        )

    return page


# ------------------------------------------------ 7  Finnish: a text adventure, one page for each place and each bag


@tenant("tn-seikkailu")
def _adventure() -> Page:
    items = {"A": "avain", "K": "köysi", "L": "lyhty", "S": "sapeli", "V": "viitta"}
    nouns = "luola silta torni kellari mylly kappeli lampi polku kallio vaja holvi portti kaivo tupa aitta niitty suo rotko sali käytävä".split()
    adjectives = "pimeä vanha kylmä kostea hiljainen kapea korkea unohdettu".split()
    doings = "Kaukaa kuuluu huhuilua. Lattialla on tuhkaa. Seinään on raapustettu nimi. Ovi narisee tuulessa. Haiset savulta. Joku on käynyt täällä äsken. Vesi tippuu katosta. Tuuli puhaltaa pohjoisesta.".split(
        ". "
    )
    ways = ["pohjoiseen", "etelään", "itään", "länteen", "alas", "ylös"]
    many = 56
    edges: dict[int, list[tuple[str, int, str]]] = {}
    for at in range(many):
        rng = R("seikkailu", at)
        aims = {
            (at + 1) % many,
            rng.randrange(many),
            rng.randrange(many),
            rng.choice([max(0, at - 1), rng.randrange(many)]),
        } - {at}
        edges[at] = [(way, aim, rng.choice(["", "", "", *items])) for way, aim in zip(ways, sorted(aims))]
        edges[at][-1] = (*edges[at][-1][:2], "")
    here = dict(zip(R("esineet").sample(range(4, many), 5), items))

    def bag(held: set[str]) -> str:
        return "".join(sorted(held))

    def url(at: int, held: str) -> str:
        return f"/peli.php?kohta={at + 1}&laukku={held}"

    def page(asked: Asked) -> Answer | None:
        path, query = path_of(asked), query_of(asked)
        if path == "/":
            return html(
                "Kadonneen kellon arvoitus",
                f"<h1>Kadonneen kellon arvoitus</h1><p>Seikkailu ilman noppaa.</p>{a(url(0, ''), 'Aloita')}",
                "fi",
            )
        at, held = number(query.get("kohta"), 1, many), query.get("laukku", "?")
        if path != "/peli.php" or at is None or held != bag(set(held)) or set(held) - set(items):
            return None
        at -= 1
        rng = R("paikka", at)
        place = f"{rng.choice(adjectives)} {rng.choice(nouns)}".capitalize()
        body = f"<h1>{place}</h1><p>{rng.choice(doings)}. {rng.choice(doings)}.</p>"
        links = [
            a(url(aim, held), f"Mene {way}")
            if not needs or needs in held
            else f"{way.capitalize()} ei pääse ilman: {items[needs]}"
            for way, aim, needs in edges[at]
        ]
        if at in here and here[at] not in held:
            links.append(a(url(at, bag({*held, here[at]})), f"Ota {items[here[at]]}"))
        bagged = ", ".join(items[one] for one in held) or "tyhjä"
        return html(
            f"Kohta {at + 1}",
            body + "<ul>" + "".join(f"<li>{link}</li>" for link in links) + f"</ul><p>Laukku: {bagged}</p>",
            "fi",
        )

    return page


# ------------------------------------------------ 8  Korean: annals of short reigns; most entries say what others say


@tenant("tn-sillok")
def _annals() -> Page:
    kings = [("kea", "문종실록", 1450, 2), ("kfa", "단종실록", 1452, 3), ("kha", "예종실록", 1468, 2)]
    usual = [
        "경연에 나아갔다.",
        "비가 내렸다.",
        "상참을 받고 경연에 나아갔다.",
        "윤대를 행하였다.",
        "태백성이 낮에 나타났다.",
        "햇무리가 졌다.",
        "조참을 받았다.",
        "종묘에 제사를 지냈다.",
    ]
    who = [
        "대사헌",
        "좌의정",
        "우의정",
        "병조판서",
        "이조참판",
        "사간원",
        "집의",
        "함길도 관찰사",
        "경상도 관찰사",
        "예문관 제학",
    ]
    what = [
        "흉년의 구휼을 청하다",
        "변방의 방비를 아뢰다",
        "사직을 청하니 윤허하지 않다",
        "왜인의 접대를 논하다",
        "축성을 중지하기를 청하다",
        "노비의 송사를 아뢰다",
        "과거의 폐단을 말하다",
        "염초의 제조를 건의하다",
    ]
    stems, branches = "갑을병정무기경신임계", "자축인묘진사오미신유술해"
    entries: dict[str, list[str]] = {}  # of a day: identifiers
    months: dict[str, list[str]] = {}  # of a month: days
    order: list[str] = []
    for code, _, first, years in kings:
        for year in range(years):
            for month in range(1, 13):
                for leap in (0, 1) if R("윤", code, year).randint(1, 12) == month and year % 2 else (0,):
                    key = f"{code}_1{year:02}{month:02}{leap}"
                    for day in range(1, 31):
                        rng = R("sillok", key, day)
                        if rng.random() < 0.78:
                            continue
                        made = [f"{key}{day:02}_{at:03}" for at in range(1, rng.choice((1, 1, 2, 2, 3, 5)) + 1)]
                        entries[f"{key}{day:02}"] = made
                        months.setdefault(key, []).append(f"{key}{day:02}")
                        order += made
    place = {one: at for at, one in enumerate(order)}
    titles = {code: title for code, title, _, _ in kings}

    def dated(key: str) -> str:
        year, month, leap = int(key[5:7]), int(key[7:9]), key[9] == "1"
        told = f"{titles[key[:3]]} {'즉위년' if not year else f'{year}년'} {'윤' if leap else ''}{month}월"
        if len(key) < 12:
            return told
        day = int(key[10:12])
        at = R("간지", key[:10]).randrange(60) + day
        return f"{told} {day}일 {stems[at % 10]}{branches[at % 12]}"

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html(
                "실록",
                "<h1>실록</h1><ul>"
                + "".join(f"<li>{a('/list/' + code, title)}</li>" for code, title, _, _ in kings)
                + "</ul>",
                "ko",
            )
        kind, _, key = path[1:].partition("/")
        if kind == "list" and key in titles:
            return html(
                titles[key],
                f"<h1>{titles[key]}</h1>"
                + " ".join(a(f"/month/{one}", dated(one)) for one in months if one.startswith(key)),
                "ko",
            )
        if kind == "month" and key in months:
            return html(
                dated(key),
                f"<h1>{dated(key)}</h1><ol>"
                + "".join(f"<li>{a(f'/day/{one}', dated(one))}</li>" for one in months[key])
                + "</ol>",
                "ko",
            )
        if kind == "day" and key in entries:
            return html(
                dated(key),
                f"<h1>{dated(key)}</h1>"
                + "<br>".join(a(f"/id/{one}", f"{at + 1}번째기사") for at, one in enumerate(entries[key])),
                "ko",
            )
        if kind == "id" and key in place:
            rng = R("기사", key)
            text = rng.choice(usual) if rng.random() < 0.75 else f"{rng.choice(who)}에서 {rng.choice(what)}."
            near = [
                (place[key] + step, told)
                for step, told in ((-1, "이전기사"), (1, "다음기사"))
                if 0 <= place[key] + step < len(order)
            ]
            return html(
                dated(key[:12]),
                f"<h1>{dated(key[:12])}</h1><p>○{text}</p>"
                + " ".join(a(f"/id/{order[at]}", told) for at, told in near),
                "ko",
            )
        return None

    return page


# ------------------------------------------------ 9  Khmer: hearings, one turn of speech a page, most of them "Yes."


@tenant("tn-savanakar")
def _hearings() -> Page:
    yes = ["បាទ។", "បាទ លោកប្រធាន។", "ខ្ញុំមិនចាំទេ។", "ទេ។", "បាទ ត្រឹមត្រូវហើយ។"]
    asks = [
        "តើលោកនៅទីណានៅពេលនោះ?",
        "តើលោកបានឃើញដោយផ្ទាល់ភ្នែកទេ?",
        "សូមលោកបញ្ជាក់ម្ដងទៀត។",
        "តើមានមនុស្សប៉ុន្មាននាក់?",
        "តើលោកចាំថ្ងៃខែទេ?",
        "សូមបន្ត។",
    ]
    tells = [
        "ខ្ញុំធ្វើស្រែនៅភូមិជាមួយឪពុកម្ដាយ។",
        "យើងដើរពីរថ្ងៃទើបដល់ទន្លេ។",
        "ពេលនោះខ្ញុំមានអាយុដប់បួនឆ្នាំ។",
        "គេឲ្យយើងជីកប្រឡាយនៅរដូវប្រាំង។",
        "ម្ហូបមានតែបបររាវ។",
        "ខ្ញុំបានវិលមកផ្ទះវិញនៅចុងឆ្នាំ។",
    ]
    turns = {session: R("khmer", session).randint(150, 230) for session in range(1, 7)}
    digits = str.maketrans("0123456789", "០១២៣៤៥៦៧៨៩")

    def url(session: int, turn: int) -> str:
        return U(f"/សវនាការ/{session}/{turn}")

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html(
                "សវនាការ",
                "<h1>ប្រតិចារិក</h1>"
                + "".join(f"<p>{a(url(one, 1), 'សវនាការទី' + str(one).translate(digits))}</p>" for one in turns),
                "km",
            )
        if (found := re.fullmatch(r"/សវនាការ/(\d+)/(\d+)", path)) is None:
            return None
        session, turn = number(found[1], 1, 6), number(found[2], 1, 999)
        if session is None or turn is None or turn > turns[session]:
            return None
        rng = R("khmer", session, turn)
        said = (
            rng.choice(asks) if turn % 2 else (rng.choice(yes) if rng.random() < 0.8 else "".join(rng.sample(tells, 2)))
        )
        speaker = "ប្រធាន" if turn % 2 else "សាក្សី"
        near = [(turn + step, told) for step, told in ((-1, "មុន"), (1, "បន្ទាប់")) if 1 <= turn + step <= turns[session]]
        return html(
            "ប្រតិចារិក",
            f"<h2>{speaker}</h2><blockquote>{said}</blockquote>"
            + " ".join(a(url(session, at), told) for at, told in near),
            "km",
        )

    return page


# ------------------------------------------------ 10  Italian: inscriptions as linked data: every link is a 303


@tenant("tn-epigrafi-dati")
def _linked_data() -> Page:
    many = 340
    names = (
        "Iulius Claudius Flavius Aelius Aurelius Cornelius Valerius Antonius Licinius Marcius Octavius Sextius".split()
    )
    more = "Felix Primus Secundus Maximus Hermes Onesimus Crescens Ianuarius Fortunatus Victor Eutychus Celer".split()
    places = "Aquileia Ostia Pompei Puteoli Mediolanum Brixia Verona Bononia Ariminum Capua Beneventum Brundisium Tarentum Rhegium Syracusae Panhormus Caralis Turris Luna Pisae Arretium Clusium".split()
    gaps = {at for at in range(1, many + 1) if R("edr", at).random() < 0.04}

    def ident(at: int) -> str:
        return f"EDR{at * 7 + 1000:06}"

    known = {ident(at): at for at in range(1, many + 1) if at not in gaps}
    numbers = list(known.values())

    def facts(at: int) -> tuple[str, str, int]:
        rng = R("iscrizione", at)
        who = f"{rng.choice(names)} {rng.choice(more)}"
        age = rng.randint(3, 80)
        return f"D(is) M(anibus) / {who} / v(ixit) a(nnis) {age} / h(ic) s(itus) e(st)", rng.choice(places), age

    def page(asked: Asked) -> Answer | None:
        path, query = path_of(asked), query_of(asked)
        host = f"http://{asked.host}"
        if path == "/":
            return html(
                "Epigrafi latine",
                f"<h1>Epigrafi latine</h1><p>{a('/lista?pagina=1', 'Tutte le iscrizioni')} {a('/vocabolario#formula', 'Vocabolario')}</p>",
                "it",
            )
        if path == "/vocabolario":
            return html(
                "Vocabolario",
                "<dl><dt id='formula'>formula</dt><dd>testo ricorrente</dd><dt id='luogo'>luogo</dt><dd>luogo di rinvenimento</dd></dl>",
                "it",
            )
        if path == "/lista" and (at := number(query.get("pagina"), 1, (len(numbers) + 19) // 20)):
            mine = numbers[at * 20 - 20 : at * 20]
            near = " ".join(
                a(f"/lista?pagina={to_}", told)
                for to_, told in ((at - 1, "precedente"), (at + 1, "seguente"))
                if 1 <= to_ <= (len(numbers) + 19) // 20
            )
            return html(
                "Lista",
                "<ul>" + "".join(f"<li>{a(f'/id/{ident(one)}#it', ident(one))}</li>" for one in mine) + f"</ul>{near}",
                "it",
            )
        kind, _, key = path[1:].partition("/")
        if kind == "id":
            if key in known:
                return to(f"/doc/{key}", 303)
            if key.startswith("luogo/") and key[6:] in places:
                return to(f"/doc/{key}", 303)
            return None
        if kind == "doc" and key in known:
            at = known[key]
            text, place, _ = facts(at)
            data = " ".join(a(f"/data/{key}.{form}", form) for form in ("rdf", "ttl", "jsonld"))
            like = " ".join(a(f"/id/{ident(one)}#it", ident(one)) for one in R("simili", at).sample(numbers, 3))
            return html(
                key,
                f"<h1>{key}</h1><pre>{text}</pre><p>Luogo: {a(f'/id/luogo/{place}', place)}</p><p>Dati: {data}</p><p>Formulario simile: {like}</p>",
                "it",
                head=f'<link rel="alternate" type="application/rdf+xml" href="/data/{key}.rdf">',
            )
        if kind == "doc" and key.startswith("luogo/") and key[6:] in places:
            mine = [one for one in numbers if facts(one)[1] == key[6:]][:12]
            return html(
                key[6:], f"<h1>{key[6:]}</h1>" + " ".join(a(f"/id/{ident(one)}", ident(one)) for one in mine), "it"
            )
        if kind == "data":
            key, _, form = key.rpartition(".")
            if key not in known:
                return None
            text, place, age = facts(known[key])
            if form == "rdf":
                return raw(
                    '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:epigrafe:">'
                    f'<rdf:Description rdf:about="{host}/id/{key}"><e:testo>{escape(text)}</e:testo><e:luogo rdf:resource="{host}/id/luogo/{place}"/></rdf:Description></rdf:RDF>',
                    "application/rdf+xml",
                )
            if form == "ttl":
                return raw(
                    f'<{host}/id/{key}> <urn:epigrafe:testo> "{text}" ;\n  <urn:epigrafe:luogo> <{host}/id/luogo/{place}> .\n',
                    "text/turtle",
                )
            if form == "jsonld":
                return raw(
                    json.dumps(
                        {"@id": f"{host}/id/{key}", "testo": text, "luogo": f"{host}/id/luogo/{place}", "anni": age}
                    ),
                    "application/ld+json",
                )
        return None

    return page


# ------------------------------------------------ 11  Turkish: registers in framesets, ISO-8859-9, classic ASP


@tenant("tn-defter-cerceve")
def _frames() -> Page:
    leaves = {defter: R("defter", defter).randint(32, 52) for defter in range(1, 7)}
    villages = "Karapınar Yukarıçay Eskiköy Taşlıca Değirmendere Çamlıbel Akören Sarıveliler Gökçeli İncesu Üçkuyu Şeyhler".split()
    yields = "buğday arpa nohut bal koyun bağ bostan pamuk".split()
    enc = "iso-8859-9"

    def where(query: dict[str, str]) -> tuple[int, int, str] | None:
        defter, leaf, side = number(query.get("no"), 1, 6), number(query.get("v"), 1, 99), query.get("yuz")
        return (defter, leaf, side) if defter and leaf and leaf <= leaves[defter] and side in ("a", "b") else None

    def shell(title: str, frames: str, links: str) -> Answer:
        # its links are in a body after the frameset, not in <noframes>, which parsers take as mere text today
        text = f"<html><head><title>{title}</title></head>{frames}</frameset><body>{links}</body></html>"
        return raw(text, "text/html", enc)

    def page(asked: Asked) -> Answer | None:
        path, query = asked.path, query_of(asked)
        if path == "/":
            body = "".join(f"<p>{a(f'defter.asp?no={one}', f'Tahrir Defteri No. {one}')}</p>" for one in leaves)
            return html("Tahrir Defterleri", f"<h1>Tahrir Defterleri</h1>{body}", "tr", enc=enc)
        if path == "/defter.asp" and (one := number(query.get("no"), 1, 6)):
            first, menu = f"varak.asp?no={one}&v=1&yuz=a", f"menu.asp?no={one}"
            return shell(
                f"Defter {one}",
                f'<frameset cols="180,*"><frame name="sol" src="{escape(menu)}"><frame name="sag" src="{escape(first)}">',
                a(menu, "Varaklar") + " " + a(first, "İlk varak"),
            )
        if path == "/menu.asp" and (one := number(query.get("no"), 1, 6)):
            links = "".join(
                f'<a href="varak.asp?no={one}&amp;v={leaf}&amp;yuz={side}" target="sag">{leaf}{side}</a><br>'
                for leaf in range(1, leaves[one] + 1)
                for side in "ab"
            )
            return html("Varaklar", links, "tr", enc=enc)
        if (at := where(query)) is None:
            return None
        tail = f"no={at[0]}&v={at[1]}&yuz={at[2]}"
        if path == "/varak.asp":
            return shell(
                "Varak",
                f'<frameset rows="60%,*"><frame src="{escape("goruntu.asp?" + tail)}"><frame src="{escape("ceviri.asp?" + tail)}">',
                a("goruntu.asp?" + tail, "Görüntü") + " " + a("ceviri.asp?" + tail, "Çeviri yazı"),
            )
        if path == "/goruntu.asp":
            return html("Görüntü", f'<img src="/resim/{sha("defter", *at)[:20]}.jpg" alt="">', "tr", enc=enc)
        if path == "/ceviri.asp":
            rng = R("defter", *at)
            if rng.random() < 0.6:
                return html("Çeviri yazı", "<p>Bu varak henüz okunmadı.</p>", "tr", enc=enc)
            rows = "".join(
                f"<tr><td>{rng.choice(yields)}</td><td>{rng.randint(10, 900)} akçe</td></tr>" for _ in range(4)
            )
            return html(
                "Çeviri yazı",
                f"<p>Karye-i {rng.choice(villages)}, hane {rng.randint(4, 60)}</p><table>{rows}</table>",
                "tr",
                enc=enc,
            )
        return None

    return page


# ------------------------------------------------ 12  Bengali: river gauges, matrix parameters in Bengali figures, three formats


@tenant("tn-nodir-poriman")
def _gauges() -> Page:
    stations = "গোয়ালন্দ ভৈরব চাঁদপুর সারদা বাহাদুরাবাদ হার্ডিঞ্জ শেরপুর কানাইঘাট সুনামগঞ্জ মাওয়া কুড়িগ্রাম ডালিয়া".split()
    months = {6: "জুন", 7: "জুলাই", 8: "আগস্ট", 9: "সেপ্টেম্বর", 10: "অক্টোবর"}
    years = range(1984, 1993)
    bengali = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
    latin = str.maketrans("০১২৩৪৫৬৭৮৯", "0123456789")

    def bn(one: object) -> str:
        return str(one).translate(bengali)

    def url(station: int, year: int = 0, month: int = 0, form: str = "") -> str:
        made = f"/পাঠ;স্টেশন={bn(station)}" + (f";সাল={bn(year)}" if year else "") + (f";মাস={bn(month)}" if month else "")
        return U(made + (f";রূপ={form}" if form else ""))

    def read(station: int, year: int, month: int) -> list[tuple[int, float | None]]:
        rng = R("nodi", station, year, month)
        if rng.random() < 0.3:
            return []
        level = rng.uniform(4, 15)
        found = []
        for day in range(1, 31):
            level += rng.gauss(0, 0.15)
            found.append((day, None if rng.random() < 0.35 else round(level, 2)))
        return found

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html(
                "নদীর পরিমাপ",
                "<h1>নদীর পানির উচ্চতা</h1>"
                + "".join(f"<p>{a(url(at + 1), name)}</p>" for at, name in enumerate(stations)),
                "bn",
            )
        head, *parts = path.split(";")
        keys = [part.partition("=")[0] for part in parts]
        values = [part.partition("=")[2] for part in parts]
        if head != "/পাঠ" or keys != ["স্টেশন", "সাল", "মাস", "রূপ"][: len(keys)] or not keys:
            return None
        if any(value.isascii() for value in values[:3]):
            return None
        numbers = [number(value.translate(latin), 1, 2_000) for value in values[:3]]
        if None in numbers or numbers[0] > len(stations):
            return None
        station, called = numbers[0], stations[numbers[0] - 1]
        if len(keys) == 1:
            return html(
                called,
                f"<h1>{called}</h1>"
                + " ".join(a(url(station, year), bn(year)) for year in years)
                + f"<p>{a('/', 'সূচি')}</p>",
                "bn",
            )
        year = numbers[1]
        if year not in years:
            return None
        if len(keys) == 2:
            return html(
                f"{called} {bn(year)}",
                f"<h1>{called}, {bn(year)}</h1>"
                + " ".join(a(url(station, year, month), months[month]) for month in months),
                "bn",
            )
        month = numbers[2]
        if month not in months:
            return None
        found = read(station, year, month)
        if len(keys) == 3:
            title = f"{called}, {months[month]} {bn(year)}"
            if not found:
                return html(title, f"<h1>{title}</h1><p>তথ্য নেই।</p>{a(url(station, year), 'পিছনে')}", "bn")
            rows = "".join(
                f"<tr><td>{bn(day)}</td><td>{'—' if level is None else bn(level)}</td></tr>" for day, level in found
            )
            forms = " ".join(a(url(station, year, month, form), form) for form in ("csv", "json"))
            return html(
                title, f"<h1>{title}</h1><table>{rows}</table><p>{forms}</p>{a(url(station, year), 'পিছনে')}", "bn"
            )
        if (
            not found or R("hariye", station, year, month, values[3]).random() < 0.03
        ):  # a file that was lost: a broken link
            return None
        if values[3] == "csv":
            return raw(
                "দিন,মিটার\n" + "".join(f"{day},{'' if level is None else level}\n" for day, level in found), "text/csv"
            )
        if values[3] == "json":
            return raw(
                json.dumps({"station": station, "year": year, "month": month, "m": [level for _, level in found]}),
                "application/json",
            )
        return None

    return page


# ------------------------------------------------ 13  Hebrew: values of words; of most numbers there are no words


@tenant("tn-gimatria")
def _gematria() -> Page:
    enc = "windows-1255"
    values = dict(zip("אבגדהוזחטיכלמנסעפצקרשת", [*range(1, 10), *range(10, 100, 10), 100, 200, 300, 400]))
    values |= {"ך": 20, "ם": 40, "ן": 50, "ף": 80, "ץ": 90}
    words = sorted(
        set(
            "שלום אהבה אחד חיים תורה ירושלים מלך שמש ירח כוכב ים הר נהר עץ פרי לחם מים אש רוח אדמה בית דלת חלון ספר עט נייר ילד ילדה אב אם אח אחות סבא דוד משה אברהם יצחק יעקב יוסף בנימין שרה רבקה רחל לאה "
            "מרים אהרן שמואל שאול שלמה נתן אליהו יונה דניאל אסתר מרדכי רות נעמי בועז גמל סוס כלב חתול דב אריה נשר דג נמלה דבורה זית גפן תאנה רימון תמר חיטה שעורה יין שמן מלח דבש חלב בשר ביצה כסף זהב ברזל "
            "נחושת אבן חול עפר גשם שלג רעם ברק ענן קשת בוקר ערב לילה יום שבוע חודש שנה קיץ חורף אביב סתיו צפון דרום מזרח מערב ימין שמאל ראש יד רגל עין אוזן פה לב דם עור שיער שן לשון קול שיר ריקוד כינור חליל תוף "
            "אמת שקר צדק חסד רחמים גבורה תפארת נצח הוד יסוד מלכות כתר חכמה בינה דעת ברית שבת פסח סוכות פורים חנוכה".split()
        )
    )
    most = 700

    def value(word: str) -> int:
        return sum(values[letter] for letter in word)

    def word_url(word: str) -> str:
        return "/mila.asp?m=" + quote(word, encoding=enc)

    of: dict[int, list[str]] = {}
    for word in words:
        of.setdefault(value(word), []).append(word)

    def page(asked: Asked) -> Answer | None:
        query = query_of(asked, enc)
        if asked.path == "/":
            return html("גימטריה", f"<h1>גימטריה</h1><p>{a('/mispar.asp?n=1', 'מספרים')}</p>", "he", enc=enc, rtl=True)
        if asked.path == "/mispar.asp":
            at = number(query.get("n"), 1, 1_000)
            if at is None or at > most and at not in of:
                return None
            body = " ".join(a(word_url(word), word) for word in of.get(at, [])) or "אין מילים בערך זה."
            near = [
                (at + step, told) for step, told in ((-1, "הקודם"), (1, "הבא")) if 1 <= at + step <= most and at <= most
            ]
            return html(
                str(at),
                f"<h1>{at}</h1><p>{body}</p>" + " ".join(a(f"/mispar.asp?n={one}", told) for one, told in near),
                "he",
                enc=enc,
                rtl=True,
            )
        if asked.path == "/mila.asp" and (word := query.get("m")) in words:
            rows = "".join(f"<tr><td>{letter}</td><td>{values[letter]}</td></tr>" for letter in word)
            return html(
                word,
                f"<h1>{word}</h1><table>{rows}</table><p>{a(f'/mispar.asp?n={value(word)}', value(word))}</p>",
                "he",
                enc=enc,
                rtl=True,
            )
        return None

    return page


# ------------------------------------------------ 14  Ukrainian: what a station played, hour by hour, from 140 songs


@tenant("tn-radio-efir")
def _radio() -> Page:
    singers = "Тріо Калина|Оркестр Дніпро|Марко Вітер|Соломія Гай|Гурт Кобза|Левко Ставний|Дует Мрія|Ансамбль Полісся|Оксана Довга|Хор Черемош".split(
        "|"
    )
    songs = "Ой у лузі|Зелений гай|Моя дорога|Вечірній дзвін|Біла хата|Над рікою|Листопад|Перша зірка|Чорнобривці|Далекий потяг|Смерекова|Дощ іде|Колискова|Червона рута".split(
        "|"
    )
    night = "Музика без слів"
    first, hours = datetime(2011, 3, 1), 61 * 24

    def url(at: int) -> str:
        when = first + timedelta(hours=at)
        return U(f"/ефір/{when:%Y-%m-%d}/{when.hour}")

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html(
                "Радіо Ятрань",
                f"<h1>Радіо Ятрань</h1><p>Станція замовкла 30 квітня 2011 року. {a(url(hours - 1), 'Остання година')}</p>",
                "uk",
            )
        if (found := re.fullmatch(r"/ефір/(\d{4}-\d\d-\d\d)/(\d+)", path)) is None or number(found[2], 0, 23) is None:
            return None
        try:
            at = int((datetime.fromisoformat(found[1]) - first).total_seconds()) // 3600 + int(found[2])
        except ValueError:
            return None
        if not 0 <= at < hours:
            return None
        rng = R("ефір", at)
        if int(found[2]) in (1, 2, 3, 4):
            rows = f"<li>{night}</li>"
        else:
            rows = "".join(f"<li>{rng.choice(singers)} — {rng.choice(songs)}</li>" for _ in range(12))
        near = [
            (at + step, told)
            for step, told in ((-24, "добою раніше"), (-1, "раніше"), (1, "пізніше"))
            if 0 <= at + step < hours
        ]
        return html(
            "Звучало в ефірі",
            f"<h1>Звучало в ефірі</h1><ol>{rows}</ol>" + " ".join(a(url(one), told) for one, told in near),
            "uk",
        )

    return page


# ------------------------------------------------ 15  Russian: FidoNet echoes in KOI8-R, each message as page and as text


@tenant("tn-fido-echo")
def _fido() -> Page:
    enc = "koi8-r"
    areas = {
        name: R("fido", name).randint(80, 125)
        for name in (
            "RU.GARDEN",
            "SU.BOOKS",
            "RU.HAMRADIO",
            "N5020.POINT",
            "SU.HUMOR",
            "RU.FISHING",
            "MO.TALK",
            "SU.CHESS",
        )
    }
    who = "Ivan Petrov|Oleg Sidorov|Anna Kim|Serge Volkov|Dmitry Belov|Max Orlov|Pavel Gusev|Elena Krot".split("|")
    says = "Не согласен в корне.|А где это почитать?|Модератор, примите меры.|У меня на 2400 еле тянет.|Спасибо, помогло.|Попробуй ещё раз вечером.|Это уже обсуждали в прошлом году.|Рассада взошла плохо.|Антенну поднял на пять метров.|Кто едет на пиво в субботу?|Книга вышла в Питере.|Клюёт на опарыша.|Ферзь уходит, и всё.|Роутинг опять сломан.".split(
        "|"
    )
    subjects = "помидоры|модем|антенна|дебют|щука|пойнтовка|опечатки|продам диск|вопрос новичка|правила эхи".split("|")

    def facts(area: str, at: int) -> dict:
        rng = R("msg", area, at)
        reply = rng.randint(max(1, at - 9), at - 1) if at > 1 and rng.random() < 0.7 else 0
        body = [] if rng.random() < 0.08 else rng.sample(says, rng.randint(1, 4))
        return {
            "from": rng.choice(who),
            "to": rng.choice(who) if reply else "All",
            "reply": reply,
            "subj": rng.choice(subjects),
            "body": body,
            "id": f"2:5020/{rng.randint(1, 999)} {rng.getrandbits(32):08x}",
        }

    def text(area: str, at: int) -> str:
        one = facts(area, at)
        quoted = (
            [
                f" {''.join(word[0] for word in facts(area, one['reply'])['from'].split())}> {line}"
                for line in facts(area, one["reply"])["body"]
            ]
            if one["reply"]
            else []
        )
        return "\r\n".join(
            [
                f"From: {one['from']}",
                f"To  : {one['to']}",
                f"Subj: {one['subj']}",
                f"@MSGID: {one['id']}",
                "",
                *quoted,
                *one["body"],
                "",
                f"--- GoldED  * Origin: {area.lower()} ({one['id'].split()[0]})",
            ]
        )

    def page(asked: Asked) -> Answer | None:
        path, query = path_of(asked), query_of(asked)
        if path == "/":
            return html(
                "Архив эхоконференций",
                "<h1>Эхи</h1><ul>"
                + "".join(f"<li>{a(f'/echo/{area}/?from=1', area)} {many}</li>" for area, many in areas.items())
                + "</ul>",
                "ru",
                enc=enc,
            )
        if (found := re.fullmatch(r"/echo/([A-Z0-9.]+)/(?:(\d+)\.(html|msg))?", path)) is None or found[1] not in areas:
            return None
        area, many = found[1], areas[found[1]]
        if not found[2]:
            start = number(query.get("from"), 1, many)
            if start is None or start % 40 != 1:
                return None
            near = " ".join(a(f"?from={one}", f"{one}-") for one in range(1, many + 1, 40) if one != start)
            rows = "".join(
                f"<tr><td>{a(f'{at}.html', at)}<td>{facts(area, at)['subj']}"
                for at in range(start, min(start + 40, many + 1))
            )
            return html(area, f"<h1>{area}</h1><table>{rows}</table>{near}", "ru", enc=enc)
        at = number(found[2], 1, many)
        if at is None or query:
            return None
        if found[3] == "msg":
            return raw("" if not facts(area, at)["body"] else text(area, at), "text/plain", enc)
        one = facts(area, at)
        links = [a(f"{one['reply']}.html", "на что ответ")] if one["reply"] else []
        links += [
            a(f"{to_}.html", told) for to_, told in ((at - 1, "&lt;&lt;"), (at + 1, "&gt;&gt;")) if 1 <= to_ <= many
        ]
        return html(
            one["subj"],
            f"<pre>{escape(text(area, at))}</pre>" + " | ".join([*links, a(f"{at}.msg", "текст")]),
            "ru",
            enc=enc,
        )

    return page


# ------------------------------------------------ 16  Portuguese: a block explorer of a dead coin: all names are hashes


@tenant("tn-explorador-blocos")
def _blocks() -> Page:
    height = 390
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

    def address(at: int) -> str:
        rng = R("endereco", at)
        return "M" + "".join(rng.choices(alphabet, k=33))

    addresses = [address(at) for at in range(160)]
    blocks = [sha("bloco", at) for at in range(height)]
    txs: dict[str, tuple[int, str, str, float]] = {}
    of: dict[str, list[str]] = {}
    inside: list[list[str]] = []
    for at in range(height):
        rng = R("txs", at)
        made = []
        for one in range(1 + (rng.randint(1, 4) if rng.random() < 0.4 else 0)):
            key = sha("tx", at, one)
            aim, source = rng.choice(addresses[: 8 + at // 2]), rng.choice(addresses[: 8 + at // 2])
            txs[key] = (at, source if one else "", aim, 50.0 if not one else round(rng.uniform(0.01, 90), 4))
            made.append(key)
            for each in {aim, source} if one else {aim}:
                of.setdefault(each, []).append(key)
        inside.append(made)
    known = {one: at for at, one in enumerate(blocks)}
    per = 15

    def page(asked: Asked) -> Answer | None:
        kind, _, key = path_of(asked)[1:].partition("/")
        query = query_of(asked)
        if not kind:
            return html(
                "Explorador Moeda do Bairro",
                f"<h1>Moeda do Bairro</h1><p>Último bloco: {a('/altura/ultimo', height - 1)}</p>",
                "pt",
            )
        if kind == "altura" and key == "ultimo":
            return to(f"/bloco/{blocks[-1]}")
        if kind == "bloco" and key in known:
            at = known[key]
            near = "".join(
                f"<p>{told}: {a(f'/bloco/{blocks[one]}', blocks[one])}</p>"
                for one, told in ((at - 1, "Anterior"), (at + 1, "Seguinte"))
                if 0 <= one < height
            )
            rows = "".join(f"<li>{a(f'/tx/{one}', one)}</li>" for one in inside[at])
            return html(
                f"Bloco {key[:12]}",
                f"<h1>Bloco</h1><code>{key}</code>{near}<p>Nonce {R('nonce', at).getrandbits(32)}</p><ul>{rows}</ul>",
                "pt",
            )
        if kind == "tx" and key in txs:
            at, source, aim, amount = txs[key]
            given = a(f"/endereco/{source}", source) if source else "Moedas novas"
            return html(
                f"Transação {key[:12]}",
                f"<h1>Transação</h1><code>{key}</code><p>{given} → {a(f'/endereco/{aim}', aim)}</p><p>{amount} MB</p><p>{a(f'/bloco/{blocks[at]}', 'Bloco')}</p>",
                "pt",
            )
        if kind == "endereco" and key in of:
            pages = (len(of[key]) + per - 1) // per
            at = number(query.get("p", "1"), 1, pages)
            if at is None or query.get("p") == "1":
                return None
            rows = "".join(f"<li>{a(f'/tx/{one}', one)}</li>" for one in of[key][at * per - per : at * per])
            near = " ".join(
                a(f"/endereco/{key}" + (f"?p={one}" if one > 1 else ""), one)
                for one in range(1, pages + 1)
                if one != at
            )
            return html(f"Endereço {key}", f"<h1>Endereço</h1><code>{key}</code><ul>{rows}</ul>{near}", "pt")
        return None

    return page


# ------------------------------------------------ 17  Amharic: a gazette by the Ethiopian calendar, redirects from the other one


@tenant("tn-negarit")
def _gazette() -> Page:
    months = "መስከረም ጥቅምት ኅዳር ታኅሣሥ ጥር የካቲት መጋቢት ሚያዝያ ግንቦት ሰኔ ሐምሌ ነሐሴ ጳጉሜን".split()
    kinds = ["አዋጅ", "ደንብ", "ማስታወቂያ", "ትእዛዝ"]
    about = [
        "ስለ ቡና ንግድ",
        "ስለ መሬት ይዞታ",
        "ስለ ትምህርት ቤቶች",
        "ስለ ጉምሩክ ቀረጥ",
        "ስለ ባቡር መንገድ",
        "ስለ ሕዝብ ጤና",
        "ስለ ፍርድ ቤቶች",
        "ስለ ደን ጥበቃ",
        "ስለ ፖስታ አገልግሎት",
        "ስለ ውኃ ክፍያ",
    ]
    years = range(1958, 1965)

    def ordinal(year: int, month: int, day: int) -> int:
        return 1724221 + 365 * (year - 1) + year // 4 + 30 * (month - 1) + day - 1 - 1721425

    issues: dict[tuple[int, int, int], int] = {}
    for year in years:
        for month in range(1, 14):
            for day in range(1, (6 if year % 4 == 3 else 5) + 1 if month == 13 else 31):
                if R("ነጋሪት", year, month, day).random() < 0.17:
                    issues[year, month, day] = len(issues) + 1
    other = {date.fromordinal(ordinal(*one)).isoformat(): one for one in issues}
    lost = {one for one in other if R("lost", one).random() < 0.03}  # the scans' list still names them
    dead_days = set(
        R("dead").sample(
            sorted(set(date.fromordinal(ordinal(1958, 1, 1) + at).isoformat() for at in range(2500)) - set(other)), 25
        )
    )
    solar: dict[str, list[str]] = {}
    for one in sorted({*other, *dead_days}):
        solar.setdefault(one[:7], []).append(one)

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            body = "".join(f"<p>{a(U(f'/ዓመት/{year}'), f'{year} ዓ.ም.')}</p>" for year in years)
            return html("ነጋሪት ጋዜጣ", f"<h1>ነጋሪት ጋዜጣ</h1>{body}<p>{a('/gc/', 'በአውሮፓ አቆጣጠር')}</p>", "am")
        if path == "/gc/":
            return html("በአውሮፓ አቆጣጠር", " ".join(a(f"/gc/{one}", one) for one in solar), "am")
        if path.startswith("/gc/"):
            key = path[4:]
            if key in solar:
                return html(
                    key,
                    f"<h1>{key}</h1><ul>" + "".join(f"<li>{a(f'/gc/{one}', one)}</li>" for one in solar[key]) + "</ul>",
                    "am",
                )
            if key in other and key not in lost:
                return to(U("/ጋዜጣ/{}/{}/{}".format(*other[key])), 301 if R(key).random() < 0.5 else 302)
            return None
        parts = path.split("/")[1:]
        numbers = [number(part, 1, 1999) for part in parts[1:]]
        if None in numbers or not numbers or numbers[0] not in years:
            return None
        if parts[0] == "ዓመት" and len(numbers) == 1:
            return html(
                str(numbers[0]),
                f"<h1>{numbers[0]}</h1>"
                + "".join(f"<p>{a(U(f'/ወር/{numbers[0]}/{at}'), name)}</p>" for at, name in enumerate(months, 1)),
                "am",
            )
        if parts[0] == "ወር" and len(numbers) == 2 and numbers[1] <= 13:
            days = range(1, (6 if numbers[0] % 4 == 3 else 5) + 1 if numbers[1] == 13 else 31)
            cells = " ".join(
                a(U("/ጋዜጣ/{}/{}/{}".format(*numbers, day)), day) if (*numbers, day) in issues else str(day)
                for day in days
            )
            return html(
                f"{months[numbers[1] - 1]} {numbers[0]}",
                f"<h1>{months[numbers[1] - 1]} {numbers[0]}</h1><p>{cells}</p>",
                "am",
            )
        if parts[0] == "ጋዜጣ" and tuple(numbers) in issues:
            at = issues[tuple(numbers)]
            rng = R("ጽሑፍ", at)
            items = "".join(
                f"<li>{rng.choice(kinds)} ቁጥር {rng.randint(1, 400)} {rng.choice(about)}</li>"
                for _ in range(rng.randint(1, 3))
            )
            solar_day = date.fromordinal(ordinal(*numbers)).isoformat()
            return html(
                f"ቁጥር {at}",
                f"<h1>{months[numbers[1] - 1]} {numbers[2]} {numbers[0]}</h1><ol>{items}</ol><p>{a(f'/gc/{solar_day[:7]}', solar_day)}</p>",
                "am",
            )
        return None

    return page


# ------------------------------------------------ 18  Hindi: plots of land, numbers with slashes (12/3/1) in one escaped segment


@tenant("tn-bhulekh")
def _plots() -> Page:
    districts = {"नर्मदापुर": ["सोहागी", "पिपरियाखेड़ा"], "देवगढ़": ["कोटरा", "बरखेड़ी"]}
    villages = "रामपुर हरदा खेड़ीकलां बिजौरी सेमरी धामनी डोंगरगांव पलासी".split()
    owners = "रामलाल सीताराम गीताबाई मोहनसिंह कमलाबाई शंकरलाल भगवानदास लक्ष्मीबाई हरिराम गोपालसिंह".split()
    crops = "गेहूँ सोयाबीन चना धान परती मक्का".split()

    @lru_cache(maxsize=64)
    def plots(village: str) -> dict[str, list[str]]:
        """Every plot of a village and its parts."""
        found: dict[str, list[str]] = {}

        def divide(key: str, level: int) -> None:
            rng = R("खसरा", village, key)
            many = rng.choice((2, 2, 3)) if level < 5 and rng.random() < (0.32, 0.4, 0.4, 0.35, 0.3)[level] else 0
            found[key] = [f"{key}/{at + 1}" for at in range(many)]
            for part in found[key]:
                divide(part, level + 1)

        for at in range(1, 19):
            divide(str(at), 0)
        return found

    def url(*parts: str) -> str:
        return "/" + "/".join(quote(part, safe="") for part in parts)

    def page(asked: Asked) -> Answer | None:
        parts = [unquote(part) for part in asked.path.split("/")[1:]]
        if parts == [""]:
            return html("भूलेख", "<h1>भू-अभिलेख</h1>" + "".join(f"<p>{a(url(one), one)}</p>" for one in districts), "hi")
        district, *rest = parts
        if district not in districts:
            return None
        if not rest:
            return html(
                district,
                f"<h1>{district}</h1>" + "".join(f"<p>{a(url(district, one), one)}</p>" for one in districts[district]),
                "hi",
            )
        if rest[0] not in districts[district]:
            return None
        if len(rest) == 1:
            return html(
                rest[0],
                f"<h1>{rest[0]}</h1>" + "".join(f"<p>{a(url(district, rest[0], one), one)}</p>" for one in villages),
                "hi",
            )
        if rest[1] not in villages:
            return None
        here = plots("/".join((district, *rest[:2])))
        if len(rest) == 2:
            body = " ".join(a(url(district, *rest, one), one) for one in here if "/" not in one)
            return html(rest[1], f"<h1>ग्राम {rest[1]}</h1><p>खसरा: {body}</p>", "hi")
        if len(rest) == 3 and rest[2] in here:
            rng = R("भू", district, *rest)
            below = " ".join(a(url(district, *rest[:2], one), one) for one in here[rest[2]])
            told = f"<p>बटांक: {below}</p>" if below else f"<p>भूमिस्वामी: {rng.choice(owners)}, {rng.choice(crops)}</p>"
            return html(
                f"खसरा {rest[2]}",
                f"<h1>खसरा {rest[2]}</h1><p>रकबा {rng.randint(3, 400) / 100:.2f} हेक्टेयर</p>{told}{a(url(district, *rest[:2]), 'ग्राम')}",
                "hi",
            )
        return None

    return page


# ------------------------------------------------ 19  Chinese: opera performances, lists with offsets below zero, GB18030


@tenant("tn-liyuan-yanchu")
def _offsets() -> Page:
    enc = "gb18030"
    plays = "空城计 霸王别姬 贵妃醉酒 四郎探母 锁麟囊 打渔杀家 玉堂春 白蛇传 定军山 群英会 西厢记 牡丹亭 长生殿 铡美案 秦香莲 穆桂英挂帅 三岔口 野猪林".split()
    actors = "梅香云 程砚秋 马连生 谭小培 荀慧芳 尚小霞 余叔石 杨宝林 裘盛武 言菊亭".split()
    houses = "广和楼 吉祥园 天蟾舞台 中和园 长安戏院 三庆园".split()
    many, zero, per = 860, 420, 20
    first = date(1931, 2, 17)
    days, when = [], first
    for at in range(many):
        when += timedelta(days=R("戏", at).choice((0, 1, 1, 2, 5)))
        days.append(when)
    told = [
        (R("ju", at).choice(plays), R("jue", at).choice(actors), R("yuan", at).choice(houses)) for at in range(many)
    ]
    orders = {
        "jumu": sorted(range(many), key=lambda at: (plays.index(told[at][0]), at)),
        "yanyuan": sorted(range(many), key=lambda at: (actors.index(told[at][1]), -at)),
    }
    at_house = {house: [at for at in range(many) if told[at][2] == house] for house in houses}

    def row(at: int) -> str:
        return f"<li>{days[at]:%Y.%m.%d} {a(f'/xi.php?id={at + 1}', told[at][0])}</li>"

    def page(asked: Asked) -> Answer | None:
        path, query = asked.path, query_of(asked, enc)
        if path == "/":
            links = [
                a("/biao.php?px=riqi&pianyi=0", "抗战爆发前后"),
                a("/biao.php?px=jumu&pianyi=0", "按剧目"),
                a("/biao.php?px=yanyuan&pianyi=0", "按演员"),
            ]
            links += [a(f"/yuan.php?ming={quote(house, encoding=enc)}&ye=1", house) for house in houses]
            return html("梨园演出史料", "<h1>梨园演出史料</h1>" + "<br>".join(links), "zh", enc=enc)
        if path == "/biao.php":
            offset = number(query.get("pianyi"), -zero, many)
            if offset is None or offset % per:
                return None
            if query.get("px") == "riqi":
                low = offset + zero
                mine = [at for at in range(low, low + per) if at < many]
            elif query.get("px") in orders and offset >= 0:
                low = offset
                mine = orders[query["px"]][low : low + per]
            else:
                return None
            if not mine:
                return None
            least = -zero if query["px"] == "riqi" else 0
            near = [(offset - per, "更早" if least else "上一页")] if offset > least else []
            near += [(offset + per, "更晚" if least else "下一页")] if low + per < many else []
            links = " ".join(a(f"/biao.php?px={query['px']}&pianyi={one}", word) for one, word in near)
            return html("演出表", f"<h1>演出表</h1><ul>{''.join(map(row, mine))}</ul>{links}", "zh", enc=enc)
        if path == "/yuan.php" and (house := query.get("ming")) in houses:
            pages = (len(at_house[house]) + per - 1) // per
            if (at := number(query.get("ye"), 1, pages)) is None:
                return None
            links = " ".join(
                a(f"/yuan.php?ming={quote(house, encoding=enc)}&ye={one}", one)
                for one in (1, at - 1, at + 1, pages)
                if 1 <= one <= pages and one != at
            )
            return html(
                house,
                f"<h1>{house}</h1><ul>{''.join(map(row, at_house[house][at * per - per : at * per]))}</ul>{links}",
                "zh",
                enc=enc,
            )
        if path == "/xi.php" and (at := number(query.get("id"), 1, many)):
            play, actor, house = told[at - 1]
            return html(play, f"<h1>{play}</h1><p>{days[at - 1]:%Y.%m.%d}，{house}，{actor}主演。</p>", "zh", enc=enc)
        return None

    return page


# ------------------------------------------------ 20  Estonian: when refuse is collected: 500 addresses, seven schedules


@tenant("tn-prugivedu")
def _refuse() -> Page:
    streets = "Kase Pärna Tamme Kuuse Vahtra Sireli Roosi Kooli Jaama Turu Mere Lille Aia Põllu Metsa Veski Kivi Lootuse Päikese Kesk Raudtee Sõpruse Vabaduse Õuna Kirsi Toome Nurme Luha Oja Järve".split()
    houses = {street: sorted(R("prügi", street).sample(range(1, 60), 16)) for street in streets}
    days = "esmaspäev teisipäev kolmapäev neljapäev reede".split()

    def schedule(zone: int, year: int) -> list[date]:
        at = date(year, 1, 1) + timedelta(days=zone)
        found = []
        while at.year == year:
            found.append(at)
            at += timedelta(days=28 if zone % 2 else 14)
        return found

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html(
                "Prügiveo kalender",
                "<h1>Prügiveo kalender</h1>" + " ".join(a(U(f"/tänav/{one}/"), f"{one} tänav") for one in streets),
                "et",
            )
        if (found := re.fullmatch(r"/tänav/(\w+)/(?:(\d+)/(2023|2024)\.(html|ics))?", path)) is None or found[
            1
        ] not in houses:
            return None
        street = found[1]
        if not found[2]:
            return html(
                f"{street} tänav",
                f"<h1>{street} tänav</h1>" + " ".join(a(f"{one}/2024.html", one) for one in houses[street]),
                "et",
            )
        house = number(found[2], 1, 60)
        if house not in houses[street]:
            return None
        zone, year = streets.index(street) % 7, int(found[3])
        dates = schedule(zone, year)
        if found[4] == "ics":
            if year == 2023:
                return None
            events = "".join(
                f"BEGIN:VEVENT\r\nUID:{one:%Y%m%d}-{zone}@prugi\r\nDTSTART;VALUE=DATE:{one:%Y%m%d}\r\nSUMMARY:Olmejäätmed\r\nEND:VEVENT\r\n"
                for one in dates
            )
            return raw(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n", "text/calendar")
        other = a(f"{4047 - year}.html", 4047 - year) + (
            " " + a("2024.ics", "Lisa kalendrisse") if year == 2024 else ""
        )
        rows = "".join(f"<li>{one:%d.%m.%Y}</li>" for one in dates)
        return html(
            f"{street} {house}",
            f"<h1>{street} {house}</h1><p>Olmejäätmed, {days[zone % 5]}</p><ul>{rows}</ul>{other}",
            "et",
        )

    return page


# ------------------------------------------------ 21  Catalan: fungi, twice moved: stubs that refresh to stubs


@tenant("tn-bolets-mudats")
def _moved() -> Page:
    genera = "rovelló pinetell fredolic llenega cep rossinyol carlet moixernó ou de reig trompeta camagroc apagallums múrgola escarlet llengua de bou mataparent".split()
    kinds = "negre blanc groc de pi de bec vermell de bruc clapat pudent bord de riera d'alzina".replace(
        " de ", "_de_"
    ).split()
    where = "pinedes fagedes alzinars prats brugueroles rouredes avetoses camins".split()
    many = 410

    def name(at: int) -> str:
        rng = R("bolet", at)
        return f"{rng.choice(genera)} {rng.choice(kinds).replace('_', ' ')} ({at})"

    def stub(where_: str, delay: int) -> Answer:
        return html(
            "Pàgina moguda",
            f"<p>Aquesta pàgina ha canviat d'adreça. {a(where_, 'Cliqueu aquí')} si el navegador no us hi porta.</p>",
            "ca",
            head=f'<meta http-equiv="refresh" content="{delay}; url={where_}">',
        )

    def page(asked: Asked) -> Answer | None:
        path = path_of(asked)
        if path == "/":
            return html(
                "Bolets del Montsec",
                f"<h1>Bolets del Montsec</h1><p>{a('/bolets/index.html', 'Índex nou')} {a('/~bolets/', 'Índex de 2003')} {a('/pagines/index.htm', 'Índex de 1998')}</p>",
                "ca",
            )
        if path == "/bolets/index.html":
            return html(
                "Índex",
                "<h1>Índex</h1>" + " ".join(a(f"fitxa/{at}", name(at)) for at in range(1, many + 1) if at % 3),
                "ca",
            )
        if path == "/~bolets/":
            return html(
                "Índex 2003",
                "<h1>Índex</h1><ul>"
                + "".join(f"<li>{a(f'b{at:03}.html', name(at))}</li>" for at in range(1, many + 1))
                + "</ul>",
                "ca",
            )
        if path == "/pagines/index.htm":
            return html(
                "Índex 1998",
                "<h1>Índex</h1>" + "<br>".join(a(f"B{at:03}.HTM", name(at)) for at in range(1, many + 1) if at % 2),
                "ca",
            )
        if (found := re.fullmatch(r"/bolets/fitxa/(\d+)", path)) and (at := number(found[1], 1, many)):
            rng = R("fitxa", at)
            return html(
                name(at),
                f"<h1>{name(at)}</h1><p>Es fa a {rng.choice(where)} i {rng.choice(where)}, barret de {rng.randint(2, 9)} a {rng.randint(10, 24)} cm.</p>{a('/bolets/index.html', 'Índex')}",
                "ca",
                head=f'<link rel="canonical" href="/bolets/fitxa/{at}">',
            )
        if (found := re.fullmatch(r"/~bolets/b(\d{3})\.html", path)) and 1 <= int(found[1]) <= many:
            return stub(f"/bolets/fitxa/{int(found[1])}", 0)
        if (
            (found := re.fullmatch(r"/pagines/B(\d{3})\.HTM", path))
            and 1 <= int(found[1]) <= many
            and int(found[1]) % 2
        ):
            return stub(f"/~bolets/b{found[1]}.html", 5)
        return None

    return page


# ------------------------------------------------ 22  Czech: genome of a phage in windows of three sizes, XHTML


@tenant("tn-genom-fagu")
def _genome() -> Page:
    length = 24_000
    genome = "".join(R("genom").choices("ACGT", k=length))
    sizes = (60, 300, 1_500)
    genes = [(at * 1_600 + R("gen", at).randrange(300), R("gen", at).randrange(20, 40) * 30) for at in range(14)]
    codons = dict(
        zip(
            (x + y + z for x in "TCAG" for y in "TCAG" for z in "TCAG"),
            "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG",
        )
    )

    def xhtml(title: str, body: str) -> Answer:
        text = (
            '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">\n'
            f'<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="cs"><head><title>{title}</title></head><body>{body}</body></html>'
        )
        return raw(text, "application/xhtml+xml")

    def url(low: int, size: int) -> str:
        return f"/prohlizec?usek=fag1:{low + 1}-{low + size}"

    def page(asked: Asked) -> Answer | None:
        path, query = asked.path, query_of(asked)
        if path == "/":
            return xhtml(
                "Genom fága",
                f"<h1>Genom fága B17</h1><p>{a(url(0, 1_500), 'Prohlížeč')}</p><ul>"
                + "".join(f"<li>{a(f'/gen/{at + 1}', f'orf{at + 1}')}</li>" for at in range(14))
                + "</ul>",
            )
        if path == "/prohlizec" and (found := re.fullmatch(r"fag1:([1-9]\d*)-([1-9]\d*)", query.get("usek", ""))):
            low, size = int(found[1]) - 1, int(found[2]) - int(found[1]) + 1
            if size not in sizes or low % (size // 2) or low + size > length:
                return None
            links = [
                (low + step, size, told)
                for step, told in ((-size // 2, "‹"), (size // 2, "›"))
                if 0 <= low + step <= length - size
            ]
            if size > 60:
                small = sizes[sizes.index(size) - 1]
                links += [(low, small, "+"), (low + size // 2, small, "+")]
            if size < 1_500:
                big = sizes[sizes.index(size) + 1]
                links.append((min(low // (big // 2) * (big // 2), length - big), big, "−"))
            shown = "\n".join(genome[at : at + 60] for at in range(low, low + size, 60))
            return xhtml(
                query["usek"], f"<pre>{shown}</pre><p>" + " ".join(a(url(*one[:2]), one[2]) for one in links) + "</p>"
            )
        if (found := re.fullmatch(r"/gen/(\d+)(\.fasta)?", path)) and (at := number(found[1], 1, 14)):
            low, size = genes[at - 1]
            protein = "".join(codons[genome[one : one + 3]] for one in range(low, low + size, 3))
            if found[2]:
                return raw(f">orf{at}\n{protein}\n", "text/plain")
            return xhtml(
                f"orf{at}",
                f"<h1>orf{at}</h1><p>{low + 1}–{low + size}</p><pre>{protein}</pre><p>{a(url(low // 150 * 150, 300), 'v genomu')} {a(f'/gen/{at}.fasta', 'FASTA')}</p>",
            )
        return None

    return page


# ------------------------------------------------ 23  Arabic: short posts behind opaque cursors, both ways, with JSON twins


@tenant("tn-mudawwana-muaasharat", varies=True)
def _cursors() -> Page:
    many, per = 620, 20
    says = "صباح الخير من الميناء|وصلت السفينة متأخرة|الجو اليوم غائم|قهوة ثم عمل|أنصح بقراءة هذا الكتاب|المباراة كانت جميلة|انقطعت الكهرباء مرة أخرى|السوق مزدحم اليوم|صورة من السطح|عاد القط إلى البيت|نلتقي مساء الخميس|البحر هادئ".split(
        "|"
    )
    tags = "بحر مدينة قراءة طبخ رياضة طقس سفر موسيقى".split()
    ids = [105_000_000_000_000_000 + at * 7_340_033_001 + R("snow", at).randrange(10**9) for at in range(many)][::-1]
    place = {str(one): at for at, one in enumerate(ids)}
    of_tag = {tag: [at for at in range(many) if tag in R("وسم", ids[at]).sample(tags, 2)] for tag in tags}

    def cursor(way: str, at: int) -> str:
        return base64.urlsafe_b64encode(json.dumps({"d": way, "id": str(ids[at])}).encode()).decode().rstrip("=")

    known = {cursor(way, at): (way, at) for way in ("max", "min") for at in range(many)}

    def window(feed: list[int], mark: str | None) -> list[int] | None:
        if mark is None:
            return feed[:per]
        if mark not in known or known[mark][1] not in feed:
            return None
        way, at = known[mark][0], feed.index(known[mark][1])
        shown = feed[at + 1 : at + 1 + per] if way == "max" else feed[max(0, at - per) : at]
        return shown or None

    def seen() -> str:
        return f"<p>المشاهدات: {_random.randrange(10**6)}</p>"

    def page(asked: Asked) -> Answer | None:
        path, query = path_of(asked), query_of(asked)
        feed, base = None, path
        if path == "/":
            links = " ".join(a(U(f"/وسم/{tag}"), f"#{tag}") for tag in tags)
            return html("نورس", f"<h1>نورس</h1><p>{a(U('/خط'), 'كل المنشورات')} {links}</p>{seen()}", "ar", rtl=True)
        if path in ("/خط", "/api/outbox"):
            feed = list(range(many))
        elif path.startswith("/وسم/") and path[5:] in tags:
            feed = of_tag[path[5:]]
        if feed is not None:
            if set(query) - {"cursor"} or (shown := window(feed, query.get("cursor"))) is None:
                return None
            older = f"?cursor={cursor('max', shown[-1])}" if shown[-1] != feed[-1] else ""
            newer = f"?cursor={cursor('min', shown[0])}" if shown[0] != feed[0] else ""
            if path == "/api/outbox":
                host = f"http://{asked.host}"
                return raw(
                    json.dumps(
                        {
                            "type": "OrderedCollectionPage",
                            "items": [f"{host}{U(f'/منشور/{ids[at]}')}" for at in shown],
                            **({"next": f"{host}/api/outbox{older}"} if older else {}),
                        }
                    ),
                    "application/activity+json",
                )
            rows = "".join(f"<li>{a(U(f'/منشور/{ids[at]}'), R('قول', ids[at]).choice(says))}</li>" for at in shown)
            twin = (
                a("/api/outbox" + (f"?cursor={query['cursor']}" if "cursor" in query else ""), "JSON")
                if path == "/خط"
                else ""
            )
            near = " ".join(a(U(base) + one, told) for one, told in ((newer, "أحدث"), (older, "أقدم")) if one)
            return html("المنشورات", f"<ul>{rows}</ul><p>{near} {twin}</p>{seen()}", "ar", rtl=True)
        if path.startswith("/منشور/") and path[7:] in place and not query:
            rng = R("قول", path[7:])
            mine = R("وسم", int(path[7:])).sample(tags, 2)
            return html(
                "منشور",
                f"<p>{rng.choice(says)}</p><p>{' '.join(a(U(f'/وسم/{tag}'), '#' + tag) for tag in mine)}</p>{seen()}",
                "ar",
                rtl=True,
            )
        return None

    return page


# ------------------------------------------------ 24  Persian: poems, couplets of their own pages, drawn lots, random teasers


@tenant("tn-divan-fal", varies=True)
def _divan() -> Page:
    many = 190
    words = "دل می گل باد صبا یار شب ماه جام ساقی باغ سرو زلف چشم خون عشق راه شمع پروانه بهار خزان مست خراب کوی دوست غم شادی سحر نسیم بوی مژده وصل هجر خال لب نرگس بلبل چنگ نی خرقه".split()
    ends = "آمد رفت نیست کجاست ماند گذشت شد بود است مپرس".split()

    def couplets(at: int) -> list[tuple[str, str]]:
        rng = R("غزل", at)
        end = rng.choice(ends)
        return [
            (" ".join(rng.choices(words, k=6)), " ".join(rng.choices(words, k=5)) + " " + end)
            for _ in range(rng.randint(5, 9))
        ]

    of_word: dict[str, list[int]] = {}
    for at in range(1, many + 1):
        for word in sorted(
            {word for one in couplets(at)[:2] for half in one for word in half.split() if word in words}
        ):
            of_word.setdefault(word, []).append(at)

    def drawn() -> str:
        links = " ".join(a(U(f"/غزل/{at}"), f"غزل {at}") for at in _random.sample(range(1, many + 1), 3))
        return f"<aside>شاید بخوانید: {links}</aside>"

    def page(asked: Asked) -> Answer | None:
        path, query = path_of(asked), query_of(asked)
        if path == "/":
            lots = " ".join(a(f"{U('/فال')}?{quote('نیت')}={at}", at) for at in range(1, 33))
            return html(
                "دیوان",
                f"<h1>دیوان</h1><p>{a(U('/غزل/1'), 'غزل نخست')} {a(U('/واژه‌نما'), 'واژه‌نما')}</p><p>فال: {lots}</p>{drawn()}",
                "fa",
                rtl=True,
            )
        if path == "/فال" and (lot := number(query.get("نیت"), 1, 32)):
            return to(U(f"/غزل/{R('فال', lot).randint(1, many)}"))
        if path == "/واژه‌نما":
            return html(
                "واژه‌نما", " ".join(a(U(f"/واژه/{word}"), word) for word in sorted(of_word)) + drawn(), "fa", rtl=True
            )
        if path.startswith("/واژه/") and path[6:] in of_word:
            links = " ".join(a(U(f"/غزل/{at}"), at) for at in of_word[path[6:]])
            return html(path[6:], f"<h1>{path[6:]}</h1><p>{links}</p>{drawn()}", "fa", rtl=True)
        if (found := re.fullmatch(r"/غزل/([0-9]+)(?:/بیت/([0-9]+))?", path)) and (at := number(found[1], 1, many)):
            mine = couplets(at)
            if found[2] is None:
                rows = "".join(
                    f"<p>{one} / {two} {a(U(f'/غزل/{at}/بیت/{row}'), '#')}</p>"
                    for row, (one, two) in enumerate(mine, 1)
                )
                near = " ".join(
                    a(U(f"/غزل/{one}"), told) for one, told in ((at - 1, "پیشین"), (at + 1, "پسین")) if 1 <= one <= many
                )
                return html(f"غزل {at}", f"<h1>غزل {at}</h1>{rows}<p>{near}</p>{drawn()}", "fa", rtl=True)
            if row := number(found[2], 1, len(mine)):
                one, two = mine[row - 1]
                return html(
                    f"غزل {at}، بیت {row}",
                    f"<p>{one}</p><p>{two}</p>{a(U(f'/غزل/{at}'), 'غزل')}{drawn()}",
                    "fa",
                    rtl=True,
                )
        return None

    return page
