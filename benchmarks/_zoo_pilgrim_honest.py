"""18 honest, finite sites of a pilgrim.  PILGRIM_HONEST = [Site, ...]; each is 700 to 4,000 pages.

Pages depend on their URL alone (not on the seed), but for the two sites that are marked `random`.
"""

# ruff: noqa: C901, E501, RUF001, SIM905 - as it came, in other alphabets

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from functools import lru_cache, wraps
from html import escape
from random import Random, SystemRandom
from unicodedata import normalize
from urllib.parse import quote, unquote, urlencode

from _zoo import Answer, Asked, Site

PILGRIM_HONEST: list[Site] = []
VISIT = SystemRandom()
Found = Callable[[Asked], "Answer | None"]


def of(*what: object) -> Random:
    return Random("|".join(map(str, what)))


def a(href: str, text: object) -> str:
    return f'<a href="{escape(href)}">{escape(str(text))}</a>'


def ul(links: Iterable[tuple[str, object]]) -> str:
    return "<ul>" + "".join(f"<li>{a(href, text)}</li>" for href, text in links) + "</ul>"


def html(title: str, body: str, lang: str = "en", charset: str = "utf-8", head: str = "", told: bool = True) -> Answer:
    """A page; `told`: its headers tell the charset, too."""
    text = (
        f'<!DOCTYPE html>\n<html lang="{lang}"><head><meta charset="{charset}"><title>{escape(title)}</title>{head}'
        f"</head><body>{body}</body></html>"
    )
    kind = f"text/html; charset={charset}" if told else "text/html"
    return Answer(200, {"Content-Type": kind}, text.encode(charset, "xmlcharrefreplace"))


def typed(kind: str, body: str | bytes) -> Answer:
    return Answer(200, {"Content-Type": kind}, body if isinstance(body, bytes) else body.encode())


def guarded(page: Found) -> Found:
    """What cannot be understood is not found."""

    @wraps(page)
    def found(asked: Asked) -> Answer | None:
        if asked.path in ("/robots.txt", "/favicon.ico", "/sitemap.xml"):
            return None
        try:
            return page(asked)
        except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError):
            return None

    return found


def honest(name: str, *, random: bool = False) -> Callable[[Found], Found]:
    def register(page: Found) -> Found:
        PILGRIM_HONEST.append(Site(name, guarded(page), "/", False, lambda url: False, random=random))
        return page

    return register


def parts_of(asked: Asked) -> list[str]:
    return [unquote(part) for part in asked.path.split("/") if part]


def said(rng: Random, words: list[str], count: int, stop: str = ".", gap: str = " ") -> str:
    text = gap.join(rng.choices(words, k=count))
    return text[:1].title() + text[1:] + stop


def digits(value: object, zero: str) -> str:
    return "".join(chr(ord(zero) + int(sign)) if sign in "0123456789" else sign for sign in str(value))


def number_of(text: str) -> int:
    if not text.isdecimal():
        raise ValueError(text)
    return int(text)


# 1

_FA_CITIES = {"تهران": 0, "شیراز": -11, "مشهد": -32}
_FA_MONTHS = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند".split()
_FA_LENGTHS = [31] * 6 + [30] * 6
_FA_TIMES = (("اذان صبح", 260, 70), ("طلوع آفتاب", 355, 68), ("اذان ظهر", 725, 8), ("غروب آفتاب", 1090, -65),
             ("اذان مغرب", 1110, -66), ("نیمه‌شب شرعی", 1390, -20))  # fmt: skip


@honest("pg-prayer-fa")
def prayer_times(asked: Asked) -> Answer | None:
    """Prayer times of three towns for each day of the Jalali year 1403: six computed figures a page (Persian)."""

    def href(city: str, *when: int) -> str:
        at = "/".join(digits(f"{number:02}", "۰") for number in when)
        return "/" + quote(f"اوقات-شرعی/{city}/{at}")

    menu = ul((href(city, 1403), f"اوقات شرعی {city}") for city in _FA_CITIES)
    if asked.path == "/":
        return html("اوقات شرعی", f"<div dir=rtl><h1>اوقات شرعی شهرهای ایران</h1>{menu}</div>", "fa")
    _, city, *rest = parts_of(asked)
    when = [number_of(part) for part in rest]
    shift = _FA_CITIES[city]
    if when[0] != 1403 or len(when) > 3:
        return None
    if len(when) == 1:
        months = ul((href(city, 1403, month + 1), name) for month, name in enumerate(_FA_MONTHS))
        return html(f"{city} ۱۴۰۳", f"<div dir=rtl>{menu}<h1>{city} - سال ۱۴۰۳</h1>{months}</div>", "fa")
    month = when[1]
    if not 1 <= month <= 12:
        return None
    days = _FA_LENGTHS[month - 1]
    if len(when) == 2:
        cells = "".join(f"<td>{a(href(city, 1403, month, day), digits(day, '۰'))}</td>" for day in range(1, days + 1))
        return html(f"{city} {_FA_MONTHS[month - 1]}", f"<div dir=rtl>{menu}<table><tr>{cells}</table></div>", "fa")
    day = when[2]
    if not 1 <= day <= days:
        return None
    near = []
    if (month, day) != (1, 1):
        near.append((href(city, 1403, *((month, day - 1) if day > 1 else (month - 1, _FA_LENGTHS[month - 2]))), "«"))
    if (month, day) != (12, 30):
        near.append((href(city, 1403, *((month, day + 1) if day < days else (month + 1, 1))), "»"))
    near += [(href(other, 1403, month, day), other) for other in _FA_CITIES if other != city]
    bent = abs((month * 30 + day) % 360 - 105) / 180 if month < 10 else abs(month * 30 + day - 465) / 180
    rows = ""
    for label, base, swing in _FA_TIMES:
        at = int(base + swing * bent + shift)
        rows += f"<tr><th>{label}<td>{digits(f'{at // 60 % 24:02}:{at % 60:02}', '۰')}"
    title = f"{digits(day, '۰')} {_FA_MONTHS[month - 1]} ۱۴۰۳ به افق {city}"
    return html(title, f"<div dir=rtl><h1>{title}</h1><table>{rows}</table>{ul(near)}{menu}</div>", "fa")


# 2

_FI_FIRST = "järvi metsä suo kala vene meri talvi kivi lintu maa jää joki pelto tie laki koulu puu ranta".split()
_FI_LAST = (
    "kartta laitos tutkimus oikeus verkko aika alue hoito kauppa lautta mittaus opas raja silta työ asema".split()
)
_FI = [f"{first}{last}" for first in _FI_FIRST for last in _FI_LAST]
_FI_FORMATS = ("text/turtle", "application/ld+json", "application/rdf+xml")


def _fi_id(at: int) -> str:
    return f"p{(at * 7919 + 1301) % 9973 + 11000}"


_FI_IDS = {_fi_id(at): at for at in range(len(_FI))}


@honest("pg-skos-fi")
def thesaurus(asked: Asked) -> Answer | None:
    """A thesaurus: opaque ids, a URI that redirects, and three formats of each thin concept (Finnish)."""
    host = "http://pg-skos-fi.test"
    page, uri = "/luonto/fi/page/{}".format, (host + "/onto/luonto/{}").format
    if asked.path == "/":
        letters = sorted({word[0] for word in _FI})
        index = ul((f"/luonto/fi/index/{quote(letter.upper())}", letter.upper()) for letter in letters)
        return html("Luontosanasto", f"<h1>Luontosanasto</h1><p>Aakkosellinen hakemisto</p>{index}", "fi")
    parts = parts_of(asked)
    if parts[:3] == ["luonto", "fi", "index"] and len(parts) == 4:
        mine = sorted((word, at) for at, word in enumerate(_FI) if word[0].upper() == parts[3])
        links = ul((page(_fi_id(at)), word) for word, at in mine[:8])
        return (
            html(parts[3], f"<h2>{escape(parts[3])}</h2>{links}<p>ja {len(mine) - 8} muuta</p>", "fi") if mine else None
        )
    key = asked.query["uri"].rsplit("/", 1)[1] if asked.path == "/rest/v1/luonto/data" else parts[-1]
    at = _FI_IDS[key]
    first, last = divmod(at, len(_FI_LAST))
    broader = first * len(_FI_LAST) if last else (first // 2) * len(_FI_LAST)
    narrower = [first * len(_FI_LAST) + step for step in range(1, len(_FI_LAST))] if not last else []
    related = [(at + len(_FI_LAST)) % len(_FI), (at * 5 + 3) % len(_FI)]
    if asked.path == f"/onto/luonto/{key}":
        return Answer(303, {"Location": page(key), "Content-Type": "text/html"}, b"")
    if asked.path == "/rest/v1/luonto/data":
        kind = asked.query["format"]
        if kind not in _FI_FORMATS:
            return None
        if kind == "application/ld+json":
            known = {"@id": uri(key), "prefLabel": {"fi": _FI[at]}, "related": [uri(_fi_id(to)) for to in related]}
            return typed(kind, json.dumps({"@context": {"skos": "urn:skos"}, "graph": [known]}, ensure_ascii=False))
        if kind == "text/turtle":
            ends = " , ".join(f"<{uri(_fi_id(to))}>" for to in related)
            return typed(
                kind, f'<{uri(key)}> a skos:Concept ;\n skos:prefLabel "{_FI[at]}"@fi ;\n skos:related {ends} .'
            )
        return typed(kind, f'<rdf:RDF><skos:Concept rdf:about="{uri(key)}"><skos:prefLabel>{_FI[at]}</skos:prefLabel>'
                           f"</skos:Concept></rdf:RDF>")  # fmt: skip
    if asked.path != page(key):
        return None
    data = [(f"/rest/v1/luonto/data?{urlencode({'uri': uri(key), 'format': kind})}", kind) for kind in _FI_FORMATS]
    body = f"<h1>{_FI[at]}</h1><dl><dt>Yläkäsite<dd>{a(page(_fi_id(broader)), _FI[broader])}"
    body += f"<dt>Alakäsitteet<dd>{ul((page(_fi_id(to)), _FI[to]) for to in narrower)}" if narrower else ""
    body += f"<dt>Liittyvät<dd>{ul((page(_fi_id(to)), _FI[to]) for to in related)}"
    return html(_FI[at], f"{body}<dt>URI<dd>{a(uri(key), uri(key))}<dt>Lataa<dd>{ul(data)}</dl>", "fi")


# 3

_EL_CODICES = {number: 44 + number * 7 % 37 for number in (3, 17, 22, 41, 58, 77, 118, 119, 204, 230, 311, 365)}


@honest("pg-iiif-el")
def manuscripts(asked: Asked) -> Answer | None:
    """Leaves of a monastery's codices, back and front: a picture and a leaf's number, before and after (Greek)."""
    host = "http://pg-iiif-el.test"

    def href(codex: int, side: int) -> str:
        return f"/viewer.aspx?{urlencode({'cod': f'Σ.{codex}', 'f': str(side // 2 + 1) + 'rv'[side % 2]})}"

    if asked.path == "/":
        links = ul((f"/codex/{codex}", f"Κώδιξ {codex}") for codex in _EL_CODICES)
        return html("Βιβλιοθήκη", f"<h1>Ψηφιακή βιβλιοθήκη της Ιεράς Μονής</h1>{links}", "el")
    parts = parts_of(asked)
    if parts[0] == "codex":
        codex = number_of(parts[1])
        links = [(href(codex, 0), "Άνοιγμα"), (f"/iiif/{codex}/manifest.json", "IIIF")]
        return html(f"Κώδιξ {codex}", f"<h1>Κώδιξ {codex}</h1><p>φφ. {_EL_CODICES[codex]}</p>{ul(links)}", "el")
    if parts[0] == "iiif" and parts[-1] == "manifest.json" and len(parts) == 3:
        codex = number_of(parts[1])
        sides = range(2 * _EL_CODICES[codex])
        canvases = [{"id": host + href(codex, side), "type": "Canvas", "height": 3120, "width": 2080} for side in sides]
        return typed("application/ld+json", json.dumps({"id": host + asked.path, "items": canvases}))
    if parts[0] == "iiif" and parts[-1] == "default.jpg":
        codex, side = map(number_of, parts[2].split("_"))
        known = side < 2 * _EL_CODICES[codex]
        return typed("image/jpeg", b"\xff\xd8\xff\xe0" + of(codex, side).randbytes(240)) if known else None
    if parts[0] != "viewer.aspx":
        return None
    codex, leaf = number_of(asked.query["cod"].removeprefix("Σ.")), asked.query["f"]
    side = 2 * number_of(leaf[:-1]) - 2 + "rv".index(leaf[-1])
    count = 2 * _EL_CODICES[codex]
    if not 0 <= side < count or href(codex, side) != f"{asked.path}?{urlencode(asked.pairs)}":
        return None
    near = [a(href(codex, to), sign) for to, sign in ((side - 1, "‹"), (side + 1, "›")) if 0 <= to < count]
    label = f"Σ. {codex}, φ. {side // 2 + 1}{'αβ'[side % 2]}"
    image = f'<img src="/iiif/2/{codex}_{side}/full/800,/0/default.jpg" alt="">'
    return html(label, f"<div class=viewer>{image}</div><p>{label}</p>{' '.join(near)}", "el")


# 4

_PT_BRANDS = {"fiat": "Uno Argo Strada Toro", "volkswagen": "Gol Polo Saveiro Fox", "chevrolet": "Onix Celta Prisma S10",
              "ford": "Ka Fiesta Ranger Focus", "renault": "Kwid Logan Duster Clio", "toyota": "Corolla Etios Hilux Yaris",
              "honda": "Fit Civic City HR-V", "hyundai": "HB20 Creta i30 Tucson"}  # fmt: skip
_PT_TOWNS = "Curitiba Recife Manaus Santos Olinda Campinas Goiânia Natal Belém Joinville".split()
_PT_EACH, _PT_BANDS = 80, ("ate-30-mil", "30-a-60-mil", "60-a-90-mil", "acima-de-90-mil")


@lru_cache(maxsize=1)
def _pt_cars() -> dict[str, dict[str, object]]:
    cars: dict[str, dict[str, object]] = {}
    for brand, models in _PT_BRANDS.items():
        for at in range(_PT_EACH):
            rng = of("carro", brand, at)
            model, town, year = rng.choice(models.split()), rng.choice(_PT_TOWNS), rng.randrange(2004, 2025)
            key = f"{rng.getrandbits(128):032x}"
            slug = quote(f"{brand}-{model.lower()}-{year}-{town.lower()}-") + "-".join(
                (key[:8], key[8:12], key[12:16], key[16:20], key[20:])
            )
            price = rng.randrange(12, 130) * 990
            cars[slug] = {"marca": brand, "modelo": model, "ano": year, "cidade": town, "preco": price,
                          "km": rng.randrange(3, 220) * 731, "cor": rng.choice(("preto", "prata", "branco", "azul"))}  # fmt: skip
    return cars


@honest("pg-next-pt")
def used_cars(asked: Asked) -> Answer | None:
    """A server-rendered app of used cars: all is in a script's JSON, what is seen is a skeleton (Portuguese)."""
    cars = _pt_cars()

    def shown(title: str, props: object, links: Iterable[tuple[str, object]], fetched: str = "") -> Answer:
        data = json.dumps({"props": {"pageProps": props}, "buildId": "q7Zr"}, ensure_ascii=False)
        anchors = "".join(f'<a class="card" href="{escape(href)}"><span></span></a>' for href, _ in links)
        head = f'<link rel="prefetch" as="fetch" href="{fetched}">' if fetched else ""
        body = (
            f'<div id="__next"><header><a href="/">CarroCerto</a></header><main><div class="sk"></div>{anchors}</main>'
        )
        return html(title, f'{body}</div><script id="__NEXT_DATA__" type="application/json">{data}</script>', "pt-BR",
                    head=head)  # fmt: skip

    if asked.path == "/":
        return shown("CarroCerto", {"marcas": list(_PT_BRANDS)}, [(f"/carros/{brand}", brand) for brand in _PT_BRANDS])
    parts = asked.segments
    if parts[0] == "carros" and len(parts) == 2:
        mine = [slug for slug, car in cars.items() if car["marca"] == parts[1]]
        if not mine or len(asked.pairs) > 1:
            return None
        links: list[tuple[str, object]] = []
        if "faixa" in asked.query:
            band = _PT_BANDS.index(asked.query["faixa"])
            mine = [slug for slug in mine if min(int(str(cars[slug]["preco"])) // 30_000, 3) == band][:12]
        else:
            page = number_of(asked.query.get("pagina", "1"))
            if page < 1 or (page == 1 and asked.query) or len(mine) <= page * 10 - 10:
                return None
            links = [(f"{asked.path}?faixa={band}", band) for band in _PT_BANDS]
            links += [(f"{asked.path}?pagina={page + 1}", "mais")] if len(mine) > page * 10 else []
            mine = mine[page * 10 - 10 : page * 10]
        props = {"anuncios": [{**cars[slug], "slug": slug.rsplit("-", 5)[0]} for slug in mine]}
        return shown(f"{parts[1]} usados", props, [*((f"/carro/{slug}", slug) for slug in mine), *links])
    fetched = asked.path.startswith("/_next/data/q7Zr/carro/")
    slug = parts[-1].removesuffix(".json") if fetched else parts[-1]
    if not fetched and (parts[0], len(parts)) != ("carro", 2):
        return None
    car = cars[slug]
    if fetched:
        return typed("application/json", json.dumps({"pageProps": {"anuncio": car}}, ensure_ascii=False))
    alike = of("parecidos", slug).sample(sorted(cars), 6)
    return shown("Anúncio | CarroCerto", {"anuncio": car}, [(f"/carro/{one}", one) for one in alike],
                 f"/_next/data/q7Zr/carro/{slug}.json")  # fmt: skip


# 5

_EN_SENSORS = [f"{of('sensor', at).getrandbits(48):012x}" for at in range(140)]


@honest("pg-drf-en")
def browsable_api(asked: Asked) -> Answer | None:
    """A browsable API of sensors: opaque cursors, and each page once more in JSON (English)."""
    host = "http://pg-drf-en.test"

    def cursor(at: int, of_what: str) -> str:
        day = f"p=20{10 + at * 7 % 15}-{at % 12 + 1:02}-{at * 11 % 28 + 1:02}+{at:02}%3A00%3A00%2B00%3A00&k={of_what}-{at}"
        return base64.b64encode(day.encode()).decode()

    def href(path: str, at: int = 0, form: str = "") -> str:
        pairs = [("cursor", cursor(at, path))] if at else []
        pairs += [("format", form)] if form else []
        return f"{host}{path}?{urlencode(pairs)}" if pairs else host + path

    form = asked.query.get("format", "")
    if set(asked.query) - {"cursor", "format"} or form not in ("", "json"):
        return None
    path = asked.path
    count = 1
    if path == "/":
        path, data = "/", {"sensors": href("/api/sensors/", 0, form)}
    elif path == "/api/sensors/":
        count = 14
    else:
        sensor = _EN_SENSORS.index(asked.segments[2])
        rng = of("sensor", "about", sensor)
        if path == f"/api/sensors/{_EN_SENSORS[sensor]}/":
            data = {"id": _EN_SENSORS[sensor], "kind": rng.choice(("NO2", "PM10", "PM2.5", "O3")),
                    "lat": round(rng.uniform(50, 58), 5), "lon": round(rng.uniform(-5, 1), 5),
                    "observations": href(path + "observations/", 0, form), "url": href(path, 0, form)}  # fmt: skip
        elif path == f"/api/sensors/{_EN_SENSORS[sensor]}/observations/":
            count = 1 + sensor * 5 % 6
        else:
            return None
    known = {cursor(at, path): at for at in range(1, count)} if count > 1 else {}
    at = known[asked.query["cursor"]] if "cursor" in asked.query else 0
    if path.endswith("sensors/"):
        results: list[object] = [href(f"/api/sensors/{one}/", 0, form) for one in _EN_SENSORS[at * 10 : at * 10 + 10]]
    else:
        rng = of("observed", path, at)
        results = [{"t": 1_300_000_000 + at * 90_000 + hour * 3600, "v": rng.randrange(900) / 10} for hour in range(6)]
    if path.endswith(("sensors/", "observations/")):
        data = {"next": href(path, at + 1, form) if at + 1 < count else None,
                "previous": href(path, at - 1, form) if at else None, "results": results}  # fmt: skip
    if form == "json":
        return typed("application/json", json.dumps(data))
    shown = "\n".join(
        f"    &quot;{key}&quot;: {a(value, value) if str(value).startswith('http') else escape(json.dumps(value))}"
        for key, value in data.items()
        if key != "results"
    ) + "\n".join(a(one, one) if isinstance(one, str) else escape(json.dumps(one)) for one in data.get("results", []))
    return html("Api - Django REST framework", f"<ul class=breadcrumb><li>{a('/', 'Api Root')}</ul>{a(href(path, at, 'json'), 'GET json')}"
                f"<pre><b>HTTP 200 OK</b>\nAllow: GET, HEAD, OPTIONS\nVary: Accept\n\n{shown}</pre>")  # fmt: skip


# 6

_OPS = {"add": "Add", "adds": "Add with saturation", "sub": "Subtract", "subs": "Subtract with saturation",
        "mullo": "Multiply, keep the low half of", "mulhi": "Multiply, keep the high half of", "max": "Compare for maximum",
        "min": "Compare for minimum", "avg": "Average", "and": "Compute the AND of", "or": "Compute the OR of",
        "xor": "Compute the XOR of", "andnot": "Compute the NOT AND of", "sllv": "Shift left", "srlv": "Shift right",
        "rolv": "Rotate left", "rorv": "Rotate right", "unpackhi": "Unpack from the high half"}  # fmt: skip
_LANES = ("epi8", "epi16", "epi32", "epi64", "epu8", "epu16", "epu32", "epu64")
_MASKS = {"": "store the results in dst", "mask_": "store the results in dst using writemask k",
          "maskz_": "store the results in dst using zeromask k"}  # fmt: skip
_WIDTHS = {"_mm": 128, "_mm256": 256, "_mm512": 512}


@honest("pg-simd-en")
def intrinsics(asked: Asked) -> Answer | None:
    """A reference of processor functions, named by four parts combined, each of the same three sentences (English)."""

    def name(width: str, mask: str, op: str, lane: str) -> str:
        return f"{width}_{mask}{op}_{lane}"

    if asked.path == "/":
        links = ul((f"/ref/{name('_mm', '', op, 'epi8')}.html", op) for op in _OPS)
        return html("Intrinsics", f"<h1>Intrinsics reference</h1><p>Choose a family of operations.</p>{links}")
    stem = asked.path.removeprefix("/ref/").removesuffix(".html")
    if asked.path != f"/ref/{stem}.html":
        return None
    width, _, rest = stem[1:].partition("_")
    width = "_" + width
    mask = "mask_" if rest.startswith("mask_") else "maskz_" if rest.startswith("maskz_") else ""
    op, _, lane = rest.removeprefix(mask).partition("_")
    if lane not in _LANES:
        return None
    near = [name(one, mask, op, lane) for one in _WIDTHS if one != width]
    near += [name(width, one, op, lane) for one in _MASKS if one != mask]
    near += [name(width, mask, op, one) for one in _LANES if one != lane]
    bits, size = int(lane[3:]), _WIDTHS[width]
    sign = "signed" if lane[2] == "i" else "unsigned"
    told = f"{_OPS[op]} packed {sign} {bits}-bit integers in a and b, and {_MASKS[mask]}."
    code = f"FOR j := 0 to {size // bits - 1}\n  i := j*{bits}\n  dst[i+{bits - 1}:i] := {op}(a[i+{bits - 1}:i], b)\nENDFOR"
    args = "__mmask k, " if mask else ""
    return html(stem, f"<h1>{stem}</h1><code>__m{size}i {stem} ({args}__m{size}i a, __m{size}i b)</code><h2>Description</h2>"
                f"<p>{told}</p><h2>Operation</h2><pre>{code}</pre><h2>See also</h2>{ul((f'{one}.html', one) for one in near)}")  # fmt: skip


# 7

_GO_COLUMNS, _GO_ROWS = "KLMNOPQRST", range(10, 20)


@lru_cache(maxsize=1)
def _go_tree() -> dict[str, list[str]]:
    tree: dict[str, list[str]] = {}
    todo = ["/J/Q16/", "/J/R16/", "/J/Q17/", "/J/R17/"]
    starts = list(todo)
    while todo:
        node = todo.pop(0)
        rng, moves = of("joseki", node), node.split("/")[2:-1]
        many = rng.choice((2, 2, 3) if len(moves) < 4 else (0, 1, 1, 1, 2, 2) if len(moves) < 19 else (0,))
        free = [f"{column}{row}" for column in _GO_COLUMNS for row in _GO_ROWS if f"{column}{row}" not in moves]
        after = rng.sample(free, many)
        if many > 1 and moves[-1] != "TENUKI":
            after[0] = "TENUKI"
        tree[node] = [f"{node}{move}/" for move in after] if len(tree) + len(todo) < 1_300 else []
        todo += tree[node]
    tree["/"] = starts
    return tree


@honest("pg-joseki-ja")
def joseki(asked: Asked) -> Answer | None:
    """Openings of Go: a path grows by a move a page, passing repeats, a board is all there is (Japanese, Shift_JIS)."""
    if asked.path == "/":
        links = ul((href, f"{at + 1}. {href[3:-1]} からの定石") for at, href in enumerate(_go_tree()["/"]))
        return html("囲碁定石", f"<h1>囲碁定石データベース</h1>{links}", "ja", "shift_jis", told=False)
    after, moves = _go_tree()[asked.path], asked.segments[1:]
    stones = {move: "●○"[at % 2] for at, move in enumerate(moves)}
    rows = ["".join(stones.get(f"{column}{row}", "┼") for column in _GO_COLUMNS) for row in reversed(_GO_ROWS)]
    turn = "白" if len(moves) % 2 else "黒"
    links = [(href[len(asked.path) :], f"{turn} {href.split('/')[-2].replace('TENUKI', '手抜き')}") for href in after]
    board = "\n".join(rows)
    body = f"<pre>{board}</pre><p>{turn}の番です。</p>{ul(links)}{a('../' if len(moves) > 1 else '/', '一手戻る')}"
    return html("定石図", body, "ja", "shift_jis", told=False)


# 8

_CS_ACTS = {"2000/128": ("o obcích", 31), "1991/455": ("o živnostenském podnikání", 29), "2006/183": ("stavební", 30)}
_CS_DATES = ("20010101", "20020701", "20040501", "20060101", "20080701", "20100101", "20120401", "20140101", "20180715")
_CS = ("obec úřad rozhodnutí podle zákona právo povinnost osoba orgán žádost lhůta správní řízení vyhláška stavba "
       "příslušný zvláštní předpis den účinnost smlouva nebo pokud může musí stanoví zastupitelstvo").split()  # fmt: skip


@honest("pg-zakony-cs")
def legislation(asked: Asked) -> Answer | None:
    """Statutes by section and by date: most versions of a section read the same (Czech)."""

    def text(act: str, section: int, date: str) -> tuple[list[str], bool]:
        changed, blocks = False, [said(of(act, section, at), _CS, 26) for at in range(3)]
        for known in _CS_DATES[1 : _CS_DATES.index(date) + 1]:
            rng = of("novela", act, section, known)
            changed = rng.random() < 0.25
            if changed:
                blocks[rng.randrange(3)] = said(rng, _CS, 26)
        return blocks, changed

    if asked.path == "/":
        links = ul(
            (f"/sb/{act}/zneni-{_CS_DATES[-1]}", f"Zákon {name} č. {act}") for act, (name, _) in _CS_ACTS.items()
        )
        return html("Zákony", f"<h1>Sbírka zákonů v časových zněních</h1>{links}", "cs")
    _, year, number, *rest = asked.segments
    act = f"{year}/{number}"
    label, count = _CS_ACTS[act]
    date = rest[-1].removeprefix("zneni-")
    at = _CS_DATES.index(date)
    other = [(f"zneni-{known}", f"znění od {int(known[6:])}. {int(known[4:6])}. {known[:4]}") for known in _CS_DATES]
    if rest[-1] != f"zneni-{date}" or len(rest) > 2:
        return None
    if len(rest) == 1 and not asked.query:
        sections = ul((f"/sb/{act}/par-{one}/zneni-{date}", f"§ {one}") for one in range(1, count + 1))
        return html(f"Zákon č. {act}", f"<h1>Zákon {label}</h1>{sections}<h2>Časová znění</h2>{ul(other)}", "cs")
    section = number_of(rest[0].removeprefix("par-"))
    if not 1 <= section <= count or rest[0] != f"par-{section}":
        return None
    blocks, changed = text(act, section, date)
    if asked.query:
        if not changed or asked.pairs != [("porovnat", _CS_DATES[at - 1])]:
            return None
        before = text(act, section, _CS_DATES[at - 1])[0]
        rows = "".join(f"<tr><td><del>{old}</del><td><ins>{new}</ins>" for old, new in zip(before, blocks, strict=True)
                       if old != new)  # fmt: skip
        return html(f"§ {section} porovnání", f"<h1>§ {section}</h1><table>{rows}</table>{a(asked.path, 'zpět')}", "cs")
    links = other + [
        (f"../par-{one}/zneni-{date}", f"§ {one}") for one in (section - 1, section + 1) if 0 < one <= count
    ]
    links += [(f"?porovnat={_CS_DATES[at - 1]}", "porovnat s předchozím zněním")] if changed else []
    body = "".join(f"<p>({one}) {block}</p>" for one, block in enumerate(blocks, 1))
    return html(f"§ {section} zákona č. {act}", f"<h1>§ {section}</h1>{body}{ul(links)}", "cs")


# 9

_HE_GIVEN = "אברהם יצחק יעקב משה שרה רבקה רחל לאה דוד שלמה חנה מרים יוסף אסתר נחום ברוך גיטל פייגא זלמן הינדא".split()
_HE_FAMILY = "כהן לוי פרידמן רוזנברג שפירא גולדשטיין הורוביץ קפלן ברגר וייס שוורץ אדלר הלפרין בלום".split()
_HE_MONTHS = "תשרי חשון כסלו טבת שבט אדר ניסן אייר סיון תמוז אב אלול".split()
_HE_TENS, _HE_UNITS = "יכלמנסעפצ", "אבגדהוזחט"
_HE_PLOTS, _HE_ROWS, _HE_PLACES = 9, 11, 11


def _he_number(value: int) -> str:
    if value in (15, 16):
        return "ט״" + "וז"[value - 15]
    tens, units = divmod(value, 10)
    return (_HE_TENS[tens - 1] if tens else "") + (_HE_UNITS[units - 1] if units else "")


def _he_id(plot: int, row: int, place: int) -> str:
    key = f"{of('grave', plot, row, place).getrandbits(128):032X}"
    return "{" + "-".join((key[:8], key[8:12], key[12:16], key[16:20], key[20:])) + "}"


_HE_IDS = {
    _he_id(plot, row, place): (plot, row, place)
    for plot in range(_HE_PLOTS)
    for row in range(_HE_ROWS)
    for place in range(_HE_PLACES)
}


@honest("pg-graves-he")
def cemetery(asked: Asked) -> Answer | None:
    """Graves beside, before and behind each other; the next plot's map is known at a plot's end (Hebrew, windows-1255)."""

    def href(*at: int) -> str:
        return f"/Grave.asp?ID={quote(_he_id(*at), safe='')}"

    if asked.path == "/":
        return html("בית העלמין", f"<h1>בית העלמין הישן</h1>{ul([('/Plot.asp?P=1', 'חלקה א')])}", "he", "windows-1255")
    if asked.path == "/Plot.asp":
        plot = number_of(asked.query["P"])
        if not 1 <= plot <= _HE_PLOTS:
            return None
        links = [(href(plot - 1, 0, 0), "כניסה"), ("/", "ראשי")]
        return html("חלקה", f"<h1>חלקה {_he_number(plot)}</h1>{ul(links)}", "he", "windows-1255")
    if asked.path != "/Grave.asp" or len(asked.pairs) != 1:
        return None
    plot, row, place = _HE_IDS[asked.query["ID"]]
    rng = of("buried", plot, row, place)
    near = [(plot, row, place - 1), (plot, row, place + 1), (plot, row - 1, place), (plot, row + 1, place)]
    links = [(href(*at), "מצבה סמוכה") for at in near if 0 <= at[1] < _HE_ROWS and 0 <= at[2] < _HE_PLACES]
    if (row, place) == (_HE_ROWS - 1, _HE_PLACES - 1) and plot + 1 < _HE_PLOTS:
        links.append((f"/Plot.asp?P={plot + 2}", "לחלקה הבאה"))
    who = f"{rng.choice(_HE_GIVEN)} בן {rng.choice(_HE_GIVEN)} {rng.choice(_HE_FAMILY)}"
    day = f"{_he_number(rng.randrange(1, 30))} {rng.choice(_HE_MONTHS)} תר{_he_number(rng.randrange(11, 100))}"
    return html("מצבה", f"<div dir=rtl><b>{who}</b><br>{day}<br>ת.נ.צ.ב.ה.{ul(links)}</div>", "he", "windows-1255")


# 10

_KO_FIRST = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_KO_MIDDLE = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_KO_LAST = {0: "없음", 4: "ㄴ", 21: "ㅇ", 8: "ㄹ"}


@honest("pg-hangul-ko")
def syllables(asked: Asked) -> Answer | None:
    """A chart of syllables: what a page says is computed from its sign, and neighbours go round (Korean)."""

    def sign(first: int, middle: int, last: int) -> str:
        return chr(0xAC00 + (first % 19 * 21 + middle % 21) * 28 + last)

    def link(text: str) -> tuple[str, str]:
        return f"/{quote('글자')}/{quote(text)}", text

    if asked.path == "/":
        return html("한글 글자표", f"<h1>한글 글자표</h1>{ul(link(sign(at, 0, 0)) for at in range(0, 19, 4))}", "ko")
    kind, text = parts_of(asked)
    at = ord(text) - 0xAC00
    first, middle, last = at // 588, at // 28 % 21, at % 28
    if kind != "글자" or not 0 <= at < 11172 or last not in _KO_LAST:
        return None
    near = [sign(first - 1, middle, last), sign(first + 1, middle, last), sign(first, middle - 1, last)]
    near += [sign(first, middle + 1, last), *(sign(first, middle, one) for one in _KO_LAST if one != last)]
    rows = (("유니코드", f"U+{ord(text):04X}"), ("초성", _KO_FIRST[first]), ("중성", _KO_MIDDLE[middle]),
            ("종성", _KO_LAST[last]), ("UTF-8", text.encode().hex(" ").upper()), ("HTML", f"&amp;#{ord(text)};"))  # fmt: skip
    table = "".join(f"<tr><th>{label}<td>{value}" for label, value in rows)
    return html(
        f"‘{text}’ 글자 정보", f"<h1>{text}</h1><table>{table}</table><h2>이웃한 글자</h2>{ul(map(link, near))}", "ko"
    )


# 11

_RU_SKY = ("Андромеда Близнецы Большая_Медведица Весы Водолей Возничий Волк Волопас Ворон Геркулес Гидра Голубь Дева "
           "Дельфин Дракон Единорог Жертвенник Кассиопея Кит Козерог Лебедь Лев Лира Орион Павлин Пегас Персей Рыбы "
           "Скорпион Стрелец Телец Феникс Центавр Цефей").split()  # fmt: skip


@honest("pg-atlas-ru")
def sky_atlas(asked: Asked) -> Answer | None:
    """An atlas of the sky in four scales, whose sheets lead to eight around them by an image map (Russian, KOI8-R)."""
    if asked.path == "/":
        links = ul((f"/cgi-bin/atlas?z=1&ra={at * 60}&de=0", f"{at * 4} ч") for at in range(6))
        return html("Атлас", f"<h1>Звёздный атлас</h1>{links}", "ru", "koi8-r")
    if asked.path == "/map.gif":
        return typed("image/gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00;")
    z, ra, de = int(asked.query["z"]), float(asked.query["ra"]), float(asked.query["de"])
    if not 1 <= z <= 4:
        return None
    columns, rows = 3 * 2**z, 3 * 2 ** (z - 1)

    def href(scale: int, column: int, row: int) -> str:
        step = 120 / 2**scale
        return f"/cgi-bin/atlas?z={scale}&ra={column * step:g}&de={-90 + (row + 0.5) * step:g}"

    column, row = round(ra * columns / 360), round((de + 90) * rows / 180 - 0.5)
    if (
        not (0 <= column < columns and 0 <= row < rows)
        or href(z, column, row) != f"{asked.path}?{urlencode(asked.pairs)}"
    ):
        return None
    areas = ""
    for east in (-1, 0, 1):
        for north in (-1, 0, 1):
            if (east or north) and 0 <= row + north < rows:
                to = href(z, (column + east) % columns, row + north)
                areas += f'<area shape=rect coords="{east + 1},{1 - north},9,9" href="{escape(to)}" alt="">'
    links = [(href(z + 1, 2 * column + right, 2 * row + up), "крупнее") for right in (0, 1) for up in (0, 1) if z < 4]
    rng = of("sky", z, ra, de)
    stars = sum(rng.random() < 0.5 for _ in range(90))
    where = f"{int(ra // 15)} ч {int(ra % 15 * 4):02} мин, {de:+g}°"
    body = f'<img src="/map.gif" usemap="#m" alt=""><map name=m>{areas}</map><p>Лист {where}. Звёзд до 9-й величины: '
    body += f"{stars}. Созвездие: {rng.choice(_RU_SKY).replace('_', ' ')}.</p>{ul(links)}"
    return html(f"Лист {where}", body, "ru", "koi8-r")


# 12

_ZH_CITIES = ("北京010 上海021 天津022 重庆023 沈阳024 南京025 武汉027 成都028 西安029 石家庄0311 太原0351 郑州0371 长春0431 "
              "哈尔滨0451 济南0531 青岛0532 合肥0551 杭州0571 宁波0574 福州0591 厦门0592 长沙0731 广州020 深圳0755 南宁0771 "
              "南昌0791 贵阳0851 昆明0871 拉萨0891 海口0898 兰州0931 银川0951 西宁0971 乌鲁木齐0991 大连0411 苏州0512").split()  # fmt: skip
_ZH_PREFIXES = sorted(of("haoduan").sample([*range(1300000, 1400000), *range(1500000, 1600000)], 3_900))
_ZH_AT = {prefix: at for at, prefix in enumerate(_ZH_PREFIXES)}


@honest("pg-haoduan-zh")
def phone_prefixes(asked: Asked) -> Answer | None:
    """Where a telephone number's first seven digits belong: thousands of pages of one text but for a town (Chinese)."""

    def city(at: int) -> int:
        return at * 31 % len(_ZH_CITIES)

    def parted(number: int) -> tuple[str, str]:
        name = _ZH_CITIES[number].rstrip("0123456789")
        return name, _ZH_CITIES[number][len(name) :]

    if asked.path == "/":
        return html(
            "手机号段",
            f"<h1>手机号码归属地查询</h1>{ul((f'/city/{parted(at)[1]}.html', parted(at)[0]) for at in range(36))}",
            "zh",
        )
    kind, stem = asked.segments
    if not stem.endswith(".html"):
        return None
    stem = stem.removesuffix(".html")
    if kind == "city":
        code, _, page = stem.partition("_")
        number = next(at for at in range(len(_ZH_CITIES)) if parted(at)[1] == code)
        mine = [prefix for at, prefix in enumerate(_ZH_PREFIXES) if city(at) == number]
        start = 40 * (number_of(page) - 1 if page else 0)
        if start < 0 or start >= len(mine) or page == "1":
            return None
        links = [(f"/haoduan/{prefix}.html", prefix) for prefix in mine[start : start + 40]]
        links += [(f"{code}_{start // 40 + 2}.html", "下一页")] if start + 40 < len(mine) else []
        return html(f"{parted(number)[0]}号段", f"<h1>{parted(number)[0]}手机号段大全</h1>{ul(links)}", "zh")
    prefix = number_of(stem)
    at = _ZH_AT[prefix]
    name, code = parted(city(at))
    near = [_ZH_PREFIXES[to] for to in range(at - 3, at + 4) if to != at and 0 <= to < len(_ZH_PREFIXES)]
    net = "移动 联通 电信".split()[prefix // 1000 % 3]
    rows = f"<tr><td>号码段<td>{prefix}<tr><td>归属地<td>{name}<tr><td>卡类型<td>中国{net}<tr><td>区号<td>{code}"
    body = f"<h1>{prefix}是哪里的号码</h1><table>{rows}</table><p>以{prefix}开头的手机号码共有一万个，仅供参考。</p>"
    body += f"<h2>相邻号段</h2>{ul((f'/haoduan/{one}.html', one) for one in near)}{a(f'/city/{code}.html', name)}"
    return html(f"{prefix}号段归属地", body, "zh")


# 13

_TR_TEAMS = ("Akçaova Bozdağ Çamlıca Dereköy Emirdağ Göksu Hisarlı Karasu Ilıcaspor Kızılırmak Manavgat Ortaköy Ödemiş "
             "Pınarbaşı Sarıgöl Şirince Tuzla Yeşilyurt").split()  # fmt: skip
_TR_SEASONS, _TR_WEEKS = range(2011, 2024), 34


def _tr_week(season: int, week: int) -> list[tuple[str, str, str]]:
    teams = of("lig", season).sample(_TR_TEAMS, 18)
    turn = (week - 1) % 17
    ring = [teams[0], *(teams[1 + (at + turn) % 17] for at in range(17))]
    pairs = [(ring[at], ring[17 - at]) for at in range(9)]
    rng, played = of("skor", season, week), (season, week) < (2023, 15)
    found = []
    for home, guest in pairs:
        score = (
            f"{min(rng.randrange(5), rng.randrange(5))}-{min(rng.randrange(4), rng.randrange(4))}" if played else "?-?"
        )
        found.append((home, guest, score) if week <= 17 else (guest, home, score))
    return found


@lru_cache(maxsize=64)
def _tr_points(season: int, week: int) -> dict[str, int]:
    points = dict.fromkeys(_TR_TEAMS, 0) if week <= 1 else dict(_tr_points(season, week - 1))
    for home, guest, score in _tr_week(season, week):
        if "?" not in score:
            mine, theirs = map(int, score.split("-"))
            points[home] += 3 * (mine > theirs) + (mine == theirs)
            points[guest] += 3 * (mine < theirs) + (mine == theirs)
    return points


@honest("pg-lig-tr")
def league(asked: Asked) -> Answer | None:
    """Match days and tables of thirteen seasons in matrix parameters; half of the last is still to come (Turkish)."""

    def href(kind: str, **values: object) -> str:
        return f"/lig/{kind};" + ";".join(f"{key}={quote(str(value))}" for key, value in values.items())

    if asked.path == "/":
        links = ul((href("fikstur", sezon=season, hafta=1), f"{season}-{season + 1}") for season in _TR_SEASONS)
        return html("Amatör Lig", f"<h1>Bölgesel Amatör Lig</h1>{links}", "tr")
    kind, *pairs = unquote(asked.path).removeprefix("/lig/").split(";")
    values = dict(pair.split("=") for pair in pairs)
    season = number_of(values["sezon"])
    if season not in _TR_SEASONS or asked.query:
        return None
    if kind == "takim" and list(values) == ["ad", "sezon"] and values["ad"] in _TR_TEAMS:
        rows = ""
        for week in range(1, _TR_WEEKS + 1):
            rows += "".join(f"<tr><td>{week}<td>{home}<td>{guest}<td>{score}" for home, guest, score in _tr_week(season, week)
                            if values["ad"] in (home, guest))  # fmt: skip
        other = [(href("takim", ad=values["ad"], sezon=to), to) for to in (season - 1, season + 1) if to in _TR_SEASONS]
        return html(f"{values['ad']} {season}", f"<h1>{values['ad']}</h1><table>{rows}</table>{ul(other)}", "tr")
    week = number_of(values["hafta"])
    if kind not in ("fikstur", "puan") or not 1 <= week <= _TR_WEEKS or list(values) != ["sezon", "hafta"]:
        return None
    links = [
        (href(kind, sezon=season, hafta=to), f"{to}. hafta") for to in (week - 1, week + 1) if 1 <= to <= _TR_WEEKS
    ]
    links += [(href("puan" if kind == "fikstur" else "fikstur", sezon=season, hafta=week), "Puan / Fikstür")]
    links += [(href(kind, sezon=to, hafta=week), to) for to in (season - 1, season + 1) if to in _TR_SEASONS]
    if kind == "fikstur":
        games = _tr_week(season, week)
        rows = "".join(f"<tr><td>{a(href('takim', ad=home, sezon=season), home)}<td>{score}<td>{guest}"
                       for home, guest, score in games)  # fmt: skip
        rows += "<tr><td>Henüz oynanmadı." if "?" in games[0][2] else ""
    else:
        table = sorted(_tr_points(season, week).items(), key=lambda one: (-one[1], one[0]))
        rows = "".join(f"<tr><td>{at}<td>{team}<td>{points}" for at, (team, points) in enumerate(table, 1))
    return html(f"{season}-{season + 1} {week}. hafta", f"<table>{rows}</table>{ul(links)}", "tr")


# 14

_VI = ("làm sao để cài đặt phần mềm trên máy tính bị lỗi không mở được tệp ảnh mạng chậm cách sửa nhanh giúp em với ạ "
       "chương trình màn hình bàn phím mật khẩu quên tài khoản điện thoại mới cập nhật hệ thống khởi động lại").split()  # fmt: skip
_VI_TAGS = "windows linux mang may-in dien-thoai bao-mat lap-trinh excel trinh-duyet o-cung am-thanh email".split()


@honest("pg-hoidap-vi", random=True)
def questions(asked: Asked) -> Answer | None:
    """Questions, each answer at a URL of its own, a token and hot questions that change with each visit (Vietnamese)."""

    def title(number: int) -> str:
        return said(of("hoi", number), _VI, 7, "?")

    def href(number: int) -> str:
        plain = normalize("NFD", title(number).lower().replace("đ", "d"))
        slug = "".join(sign for sign in plain if sign.isascii()).strip("?").replace(" ", "-")
        return f"/hoi/{number}/{slug}"

    def tags(number: int) -> list[str]:
        return of("the", number).sample(_VI_TAGS, 2)

    numbers = range(1, 421)
    hot = ul((href(number), title(number)) for number in VISIT.sample(numbers, 5))
    token = f'<form method=post action="/dang-nhap"><input type=hidden name=csrf value="{VISIT.getrandbits(160):040x}"></form>'
    frame = f"<aside><h3>Câu hỏi nổi bật</h3>{hot}</aside>{token}"
    if asked.path == "/":
        body = ul((f"/the/{tag}", tag) for tag in _VI_TAGS) + ul(
            (href(number), title(number)) for number in range(411, 421)
        )
        return html("Hỏi đáp tin học", f"<h1>Hỏi đáp</h1>{body}{frame}", "vi")
    parts = asked.segments
    if parts[0] == "the" and len(parts) == 2 and parts[1] in _VI_TAGS:
        page = number_of(asked.query.get("trang", "1"))
        mine = [number for number in reversed(numbers) if parts[1] in tags(number)]
        if page < 1 or page * 12 - 12 >= len(mine) or (page == 1 and asked.query):
            return None
        links = [(href(number), title(number)) for number in mine[page * 12 - 12 : page * 12]]
        links += [(f"{asked.path}?trang={page + 1}", "Trang sau")] if page * 12 < len(mine) else []
        return html(f"Thẻ {parts[1]}", f"<h1>{parts[1]}</h1>{ul(links)}{frame}", "vi")
    if parts[0] == "thanh-vien" and len(parts) == 2 and 1 <= number_of(parts[1]) <= 90:
        user = number_of(parts[1])
        mine = [(href(number), title(number)) for number in numbers if number % 90 + 1 == user]
        return html(
            f"Thành viên {user}", f"<h1>thanhvien{user}</h1><p>{user * 37 % 900} điểm</p>{ul(mine)}{frame}", "vi"
        )
    number = number_of(parts[1])
    answers = [of("dap", number, at).randrange(10**5, 10**6) for at in range(of("so", number).randrange(4))]
    if number not in numbers or parts[0] != "hoi":
        return None
    asker = a(f"/thanh-vien/{number % 90 + 1}", "người hỏi")
    if len(parts) == 4 and parts[2] == "tra-loi" and number_of(parts[3]) in answers:
        body = f"<p>{said(of('loi', parts[3]), _VI, 24)}</p>{a(href(number), 'Xem câu hỏi')}"
        return html(f"Trả lời: {title(number)}", body + frame, "vi")
    if asked.path != href(number):
        return None
    body = f"<h1>{title(number)}</h1><p>{said(of('noi', number), _VI, 40)}</p>{asker}"
    for one in answers:
        body += f"<div><p>{said(of('loi', one), _VI, 24)}</p>{a(f'/hoi/{number}/tra-loi/{one}', 'Liên kết')}</div>"
    return html(title(number), body + ul((f"/the/{tag}", tag) for tag in tags(number)) + frame, "vi")


# 15

_HU_STATIONS = "Tokaj Szolnok Szeged Záhony Győr Baja Mohács Dráva-Barcs".split()


@honest("pg-vizallas-hu", random=True)
def river_gauges(asked: Asked) -> Answer | None:
    """Gauges by week: more than half of the weeks have no data, and a counter counts visits (Hungarian)."""

    def href(station: str, year: int, week: int) -> str:
        return f"/vizallas.php?{urlencode({'allomas': station, 'ev': year, 'het': f'W{week:02}'})}"

    foot = f"<p>Ön a(z) {VISIT.randrange(10**5, 10**6)}. látogató. Minden jog fenntartva.</p>"
    if asked.path == "/":
        return html(
            "Vízállás", f"<h1>Vízállások</h1>{ul((href(one, 1998, 1), one) for one in _HU_STATIONS)}{foot}", "hu"
        )
    station, year, week = asked.query["allomas"], number_of(asked.query["ev"]), number_of(asked.query["het"][1:])
    if asked.path != "/vizallas.php" or station not in _HU_STATIONS or not (1998 <= year <= 2000 and 1 <= week <= 52):
        return None
    if asked.query["het"] != f"W{week:02}" or len(asked.pairs) != 3:
        return None
    links = []
    for step in (-1, 1):
        at = year * 52 + week - 1 + step
        if 1998 <= at // 52 <= 2000:
            links.append((href(station, at // 52, at % 52 + 1), "előző hét" if step < 0 else "következő hét"))
    links += [(href(station, to, week), f"{to}. év") for to in (year - 1, year + 1) if 1998 <= to <= 2000]
    links += [(href(one, year, week), one) for one in _HU_STATIONS if one != station]
    rng = of("hu", station, year, week // 5)
    told = "<p>Ebben az időszakban nincs adat.</p>"
    if rng.random() < 0.42:
        levels = [rng.randrange(40, 700) + of(station, year, week, day).randrange(25) for day in range(7)]
        told = "<table>" + "".join(f"<tr><td>{day}<td>{level} cm" for day, level in zip(
            "hétfő kedd szerda csütörtök péntek szombat vasárnap".split(), levels, strict=True)) + "</table>"  # fmt: skip
    return html(
        f"{station} {year}. {week}. hét", f"<h1>{station}</h1><h2>{year}, {week}. hét</h2>{told}{ul(links)}{foot}", "hu"
    )


# 16

_TH_KINDS = "พระราชบัญญัติ พระราชกฤษฎีกา กฎกระทรวง ประกาศ ระเบียบ ข้อบังคับ คำสั่ง".split()
_TH_WHAT = "การประมง ป่าไม้ การศึกษา ภาษีอากร ทางหลวง โรงงาน การไฟฟ้า สหกรณ์ แร่ ที่ดิน ยา อาหาร การเดินเรือ เทศบาล".split()
_TH_ISSUES = {
    volume: sorted(of("gazette", volume).sample(range(1, 120), 26 + volume * 5 % 11)) for volume in range(118, 138)
}


@honest("pg-gazette-th")
def gazette(asked: Asked) -> Answer | None:
    """A gazette by volume and number with gaps, in Thai digits; a page but leads to a PDF and to the next (Thai)."""

    def href(volume: int, issue: int) -> str:
        return "/" + quote(f"เล่ม/{digits(volume, '๐')}/ตอน/{digits(issue, '๐')}ก")

    if asked.path == "/":
        links = ul((href(volume, issues[0]), f"เล่ม {digits(volume, '๐')}") for volume, issues in _TH_ISSUES.items())
        return html("ราชกิจจานุเบกษา", f"<h1>ราชกิจจานุเบกษา</h1>{links}", "th")
    parts = parts_of(asked)
    if parts[:2] == ["DATA", "PDF"]:
        volume, issue = number_of(parts[2]) - 2426, number_of(parts[4])
        if issue not in _TH_ISSUES[volume] or asked.path != f"/DATA/PDF/{volume + 2426}/A/{issue:03}/1.PDF":
            return None
        return typed("application/pdf", b"%PDF-1.4\n" + of("pdf", volume, issue).randbytes(600) + b"\n%%EOF")
    volume, issue = number_of(parts[1]), number_of(parts[3][:-1])
    at = _TH_ISSUES[volume].index(issue)
    if asked.path != href(volume, issue):
        return None
    rng = of("title", volume, issue)
    title = f"{rng.choice(_TH_KINDS)}{rng.choice(_TH_WHAT)} (ฉบับที่ {digits(rng.randrange(2, 9), '๐')})"
    label = f"เล่ม {digits(volume, '๐')} ตอนที่ {digits(issue, '๐')} ก"
    links = [(f"/DATA/PDF/{volume + 2426}/A/{issue:03}/1.PDF", title)]
    links += [(href(volume, _TH_ISSUES[volume][to]), word) for to, word in ((at - 1, "ก่อนหน้า"), (at + 1, "ถัดไป"))
              if 0 <= to < len(_TH_ISSUES[volume])]  # fmt: skip
    return html(label, f"<p>{label}</p>{ul(links)}", "th")


# 17

_FR_DISHES = "tarte gratin soupe salade ragoût terrine crêpe clafoutis quiche daube".split()
_FR_THINGS = ("poireaux lentilles pommes champignons truite agneau noix courge chèvre mirabelles orties châtaignes endives "
              "navets cerises sarrasin pintade oseille figues fenouil").split()  # fmt: skip
_FR = ("faites revenir les oignons dans le beurre puis ajoutez la farine et mouillez avec un verre de vin blanc laissez "
       "mijoter à feu doux pendant une heure salez poivrez servez chaud avec du pain").split()  # fmt: skip
_FR_AUTHORS = "Odile Marcel Yvonne Firmin Solange Gaston Huguette Lucien".split()


@lru_cache(maxsize=1)
def _fr_posts() -> list[tuple[str, str, dict[str, list[str]], str]]:
    posts = []
    for at, (dish, thing) in enumerate((dish, thing) for thing in _FR_THINGS for dish in _FR_DISHES):
        rng = of("recette", at)
        month = f"{2009 + at // 14}/{at * 5 % 12 + 1:02}"
        tags = [thing, *rng.sample(_FR_THINGS, 2), f"{thing}-{rng.choice(_FR_DISHES)}"]
        terms = {"mots-cles": list(dict.fromkeys(tags)), "plats": [dish], "auteurs": [rng.choice(_FR_AUTHORS).lower()],
                 "saisons": [rng.choice(("printemps", "été", "automne", "hiver"))], "archives": [month]}  # fmt: skip
        posts.append((f"/{month}/{quote(f'{dish}-aux-{thing}')}/", f"{dish.capitalize()} aux {thing}", terms, month))
    return posts


@honest("pg-recettes-fr")
def static_blog(asked: Asked) -> Answer | None:
    """Two hundred recipes of a site generator in many more lists and feeds, each of one to three recipes (French)."""
    posts = _fr_posts()
    kinds = ("mots-cles", "plats", "auteurs", "saisons", "archives")

    def term(kind: str, value: str) -> str:
        return f"/{kind}/{quote(value)}/"

    menu = ul((f"/{kind}/", kind) for kind in kinds)
    by_href = {href: (title, terms) for href, title, terms, _ in posts}
    if asked.path in by_href:
        title, terms = by_href[asked.path]
        links = ul((term(kind, value), value) for kind, values in terms.items() for value in values)
        paragraphs = "".join(f"<p>{said(of(title, at), _FR, 30)}</p>" for at in range(3))
        return html(title, f"{menu}<article><h1>{title}</h1>{paragraphs}</article>{links}", "fr")
    parts = parts_of(asked)
    feed = asked.path.endswith("/index.xml")
    parts = parts[:-1] if feed else parts
    page = number_of(parts[-1]) if "page" in parts else 1
    parts = parts[: parts.index("page")] if "page" in parts else parts
    if not (feed or asked.path.endswith("/")) or (parts and parts[0] not in kinds):
        return None
    if len(parts) == 1:
        values = sorted({value for post in posts for value in post[2][parts[0]]})
        return html(
            parts[0], f"{menu}<h1>{parts[0]}</h1>{ul((term(parts[0], value), value) for value in values)}", "fr"
        )
    mine = [post for post in posts if not parts or "/".join(parts[1:]) in post[2][parts[0]]]
    base = term(parts[0], "/".join(parts[1:])) if parts else "/"
    shown = mine[page * 6 - 6 : page * 6]
    if not shown or page < 1 or asked.path not in (base if page == 1 else f"{base}page/{page}/", f"{base}index.xml"):
        return None
    if feed:
        items = "".join(f"<item><title>{title}</title><link>http://pg-recettes-fr.test{href}</link></item>"
                        for href, title, *_ in mine[:10])  # fmt: skip
        return typed(
            "application/rss+xml", f"<rss version='2.0'><channel><title>Recettes</title>{items}</channel></rss>"
        )
    teasers = "".join(f"<h2>{a(href, title)}</h2><p>{said(of(title, 0), _FR, 30)}</p>" for href, title, *_ in shown)
    links = [(f"{base}index.xml", "RSS")] + ([(f"{base}page/{page + 1}/", "Suite")] if len(mine) > page * 6 else [])
    return html("/".join(parts) or "Recettes", f"{menu}{teasers}{ul(links)}", "fr")


# 18


@lru_cache(maxsize=1)
def _id_chain() -> tuple[list[list[str]], dict[str, tuple[int, str, str, int]], dict[str, list[str]]]:
    """The blocks' transactions, each transaction (block, from, to, amount), and those of each address."""
    addresses = [f"0x{of('alamat', at).getrandbits(160):040x}" for at in range(170)]
    blocks: list[list[str]] = []
    known: dict[str, tuple[int, str, str, int]] = {}
    mine: dict[str, list[str]] = {address: [] for address in addresses}
    for at in range(380):
        rng = of("blok", at)
        blocks.append([])
        for _ in range(rng.choice((0, 1, 1, 2, 3, 4))):
            key = f"0x{rng.getrandbits(256):064x}"
            source, target = rng.sample(addresses[: 5 + at // 2], 2) if at < 330 else rng.sample(addresses, 2)
            known[key] = (at, source, target, rng.randrange(10**6))
            blocks[-1].append(key)
            mine[source].append(key)
            mine[target].append(key)
    return blocks, known, mine


@honest("pg-rantai-id")
def block_explorer(asked: Asked) -> Answer | None:
    """A private chain of blocks: hashes lead to hashes and say hashes and figures (Indonesian)."""
    blocks, known, mine = _id_chain()
    search = '<form action="/cari" method=post><input name=q placeholder="Cari alamat / hash / blok"></form>'
    if asked.path == "/":
        last = ul((f"/blok/{at}", f"Blok {at}") for at in range(len(blocks) - 6, len(blocks)))
        return html("Penjelajah", f"<h1>Penjelajah rantai uji</h1>{search}{last}", "id")
    kind, key = asked.segments
    if kind == "blok":
        at = number_of(key)
        own = "".join(f"<li>{a(f'/tx/{one}', one)}</li>" for one in blocks[at])
        links = [(f"/blok/{to}", to) for to in (at - 1, at + 1) if 0 <= to < len(blocks)]
        rng = of("kepala", at)
        rows = f"<dt>Hash<dd>0x{rng.getrandbits(256):064x}<dt>Waktu<dd>{1_690_000_000 + at * 12}<dt>Gas<dd>{rng.randrange(10**7)}"
        return html(f"Blok #{at}", f"{search}<h1>Blok #{at}</h1><dl>{rows}</dl><ul>{own}</ul>{ul(links)}", "id")
    if kind == "tx":
        at, source, target, amount = known[key]
        links = [(f"/blok/{at}", at), (f"/alamat/{source}", source), (f"/alamat/{target}", target)]
        return html(
            f"Transaksi {key[:12]}", f"{search}<p>Berhasil</p><p>Nilai {amount / 1000:.3f}</p>{ul(links)}", "id"
        )
    if kind != "alamat":
        return None
    page = number_of(asked.query.get("hal", "1"))
    if page < 1 or (page > 1 and page * 5 - 5 >= len(mine[key])) or (page == 1 and asked.query):
        return None
    links = [(f"/tx/{one}", one) for one in mine[key][page * 5 - 5 : page * 5]]
    links += [(f"{asked.path}?hal={page + 1}", "Berikutnya")] if page * 5 < len(mine[key]) else []
    return html(f"Alamat {key[:10]}", f"{search}<p>{key}</p><p>{len(mine[key])} transaksi</p>{ul(links)}", "id")
