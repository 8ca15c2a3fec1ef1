"""12 endless traps of a pilgrim, as they happen on real sites.  PILGRIM = [Site, ...]; each has a small honest part of
its own (`hosted=False`).

`silent` are those whose pages say nothing that their URLs do not explain; `random` those whose pages differ with every
visit.
"""

# ruff: noqa: B009, E501, RUF001, SIM905 - as it came, in other alphabets

from __future__ import annotations

import base64
from collections.abc import Callable
from html import escape
from math import prod
from urllib.parse import quote, unquote, urlencode, urlsplit

from _zoo import Answer, Asked, Site
from _zoo_pilgrim_honest import VISIT, Found, a, digits, guarded, html, number_of, of, parts_of, said, ul

PILGRIM: list[Site] = []


def trap(
    name: str,
    start: str,
    inside: Callable[[str], bool],
    *,
    silent: bool = False,
    undecidable: bool = False,
    random: bool = False,
) -> Callable[[Found], Found]:
    """Register a trap that begins at `start` and of which `inside(url)` tells the URLs."""

    def register(page: Found) -> Found:
        site = Site(f"pg-trap-{name}", guarded(page), start, True, inside, random, silent, undecidable, hosted=False)
        PILGRIM.append(site)
        return page

    return register


def redirect(href: str) -> Answer:
    return Answer(301, {"Location": href, "Content-Type": "text/html"}, b"")


# 1

_HI_MONTHS = "चैत्र वैशाख ज्येष्ठ आषाढ़ श्रावण भाद्रपद आश्विन कार्तिक मार्गशीर्ष पौष माघ फाल्गुन".split()
_HI_DAYS = "प्रतिपदा द्वितीया तृतीया चतुर्थी पंचमी षष्ठी सप्तमी अष्टमी नवमी दशमी एकादशी द्वादशी त्रयोदशी चतुर्दशी पूर्णिमा".split()
_HI_STARS = "अश्विनी भरणी कृत्तिका रोहिणी मृगशिरा आर्द्रा पुनर्वसु पुष्य आश्लेषा मघा हस्त चित्रा स्वाति विशाखा मूल श्रवण".split()
_HI = ("इस दिन भक्त उपवास रखते हैं और मंदिर में दीप जलाते पूजा के बाद प्रसाद बाँटा जाता है कथा सुनने से मनोकामना पूरी होती "
       "घर की सफाई मिठाई बनती परिवार मिलकर गीत गाते नदी में स्नान दान पुण्य का महत्व माना गया").split()  # fmt: skip


@trap(
    "panchang",
    "/%E0%A4%AA%E0%A4%82%E0%A4%9A%E0%A4%BE%E0%A4%82%E0%A4%97/%E0%A5%A8%E0%A5%A6%E0%A5%AE%E0%A5%A7/%E0%A5%A6%E0%A5%A7/%E0%A5%A6%E0%A5%A7",
    lambda url: unquote(urlsplit(url).path).startswith("/पंचांग/"),
    silent=True,
)
def almanac(asked: Asked) -> Answer | None:
    """An almanac of the lunar calendar, computed for each day of any year; feasts are articles (Hindi)."""

    def day(at: int) -> tuple[str, str]:
        year, rest = divmod(at, 360)
        shown = [digits(f"{part:02}", "०") for part in (year, rest // 30 + 1, rest % 30 + 1)]
        return "/" + quote("पंचांग/" + "/".join(shown)), " ".join((shown[2], _HI_MONTHS[rest // 30], shown[0]))

    menu = ul([("/", "मुखपृष्ठ"), ("/vrat/1", "व्रत-त्योहार"), (day(2081 * 360)[0], "आज का पंचांग")])
    if asked.path == "/":
        return html(
            "पंचांग और त्योहार", f"{menu}<h1>व्रत और त्योहार</h1>{ul((f'/vrat/{at}', at) for at in range(1, 21))}", "hi"
        )
    parts = parts_of(asked)
    if parts[0] == "vrat":
        at = number_of(parts[1])
        if not 1 <= at <= 48:
            return None
        body = "".join(f"<p>{said(of('vrat', at, block), _HI, 30, '।')}</p>" for block in range(4))
        links = [day(2081 * 360 + at * 7)] + ([(f"/vrat/{at + 1}", "अगला व्रत")] if at < 48 else [])
        return html(
            said(of("vrat", at), _HI, 3, ""),
            f"{menu}<h1>{said(of('vrat', at), _HI, 3, '')}</h1>{body}{ul(links)}",
            "hi",
        )
    year, month, tithi = map(number_of, parts[1:])
    if not (1 <= month <= 12 and 1 <= tithi <= 30 and year > 0):
        return None
    at = year * 360 + month * 30 + tithi - 31
    rise, sets = 340 + abs(at % 360 - 180) // 3, 1120 - abs(at % 360 - 180) // 3
    rows = f"<dt>तिथि<dd>{_HI_DAYS[(tithi - 1) % 15]}<dt>नक्षत्र<dd>{_HI_STARS[at * 7 % 16]}"
    for label, time in (("सूर्योदय", rise), ("सूर्यास्त", sets)):
        rows += f"<dt>{label}<dd>{digits(f'{time // 60}:{time % 60:02}', '०')}"
    links = [day(at + step) for step in (-1, 1, -30, 30, 360)] + (
        [(f"/vrat/{at % 48 + 1}", "आज का व्रत")] if at % 11 == 0 else []
    )
    return html(f"पंचांग {day(at)[1]}", f"{menu}<h1>{day(at)[1]}</h1><dl>{rows}</dl>{ul(links)}", "hi")


# 2

_TONGUES = {
    "es": "el ayuntamiento informa que la solicitud puede presentarse en la oficina antes del plazo con todos los documentos",
    "en": "the council informs that the request may be filed at the office before the deadline with all of the papers",
    "fr": "la mairie informe que la demande peut se déposer au bureau avant le délai avec tous les documents requis",
    "ca": "l'ajuntament informa que la sol·licitud es pot presentar a l'oficina abans del termini amb tots els documents",
}
_CA_PAGES = ("padro llicencies impostos escoles biblioteca mercat deixalles transport platges cementiri esports joventut "
             "cultura arxiu plens pressupost ocupacio habitatge policia festes entitats premsa").split()  # fmt: skip


@trap(
    "traduccions",
    "/ca/padro/es/en/",
    lambda url: sum(part in _TONGUES for part in urlsplit(url).path.split("/")[2:]) > 1,
)
def translations(asked: Asked) -> Answer | None:
    """A town's site whose choice of languages is a relative link: translations of translations (Catalan)."""
    menu = ul((f"/ca/{page}/", page.capitalize()) for page in _CA_PAGES[:9])
    if asked.path == "/":
        return redirect("/ca/")
    _, *rest = asked.segments
    chain = [part for part in rest if part in _TONGUES]
    pages = [part for part in rest if part not in _TONGUES]
    if asked.segments[0] != "ca" or not asked.path.endswith("/") or len(pages) > 1 or rest != pages + chain:
        return None
    tongue = chain[-1] if chain else "ca"
    if not pages:
        return (
            None
            if chain
            else html("Ajuntament", f"{menu}<h1>Ajuntament</h1>{ul((f'{page}/', page) for page in _CA_PAGES)}", "ca")
        )
    at = _CA_PAGES.index(pages[0])
    body = "".join(f"<p>{said(of(at, block, chain), _TONGUES[tongue].split(), 22)}</p>" for block in range(4))
    links = [(f"{code}/", code.upper()) for code in _TONGUES if code != tongue and (chain or code != "ca")]
    after = ul([(f"/ca/{_CA_PAGES[(at + 1) % len(_CA_PAGES)]}/", "Següent")])
    return html(f"{pages[0].capitalize()}", f"{ul(links)}{menu}<h1>{pages[0].capitalize()}</h1>{body}{after}", tongue)


# 3

_PL_KINDS = "buty kurtki plecaki namioty spiwory czapki".split()
_PL_FACETS = {"kolor": "czarny bialy zielony szary granatowy bordowy".split(), "marka": "Wierch Hala Turnia Dunajec".split(),
              "rozmiar": "S M L XL".split(), "material": "bawelna welna puch poliester".split()}  # fmt: skip
_PL = "lekki mocny na szlak zimowy letni wodoodporny wygodny ciepły dla kobiet mężczyzn turystyczny klasyczny miejski".split()


@trap(
    "filtry",
    "/lista/buty?kolor=czarny",
    lambda url: urlsplit(url).path.startswith("/lista/") and bool(urlsplit(url).query),
)
def filters(asked: Asked) -> Answer | None:
    """A shop's filters, several values of each in the order of clicks, and sorts and views on top (Polish)."""

    def product(number: int) -> tuple[str, str]:
        kind = _PL_KINDS[number % 6]
        return f"/p/{number + 1000}-{kind}.html", f"{kind.capitalize()} {said(of('pl', number), _PL, 3, '').lower()}"

    menu = ul((f"/lista/{kind}", kind) for kind in _PL_KINDS)
    if asked.path == "/":
        links = ul([("/regulamin", "Regulamin"), ("/promocja", "Promocja")])
        return html("Sklep górski", f"{menu}<h1>Sklep górski</h1>{links}", "pl")
    if asked.path == "/promocja":
        return redirect(product(89)[0])
    if asked.path == "/regulamin":
        return html("Regulamin", f"{menu}<p>{said(of('regulamin'), _PL, 80)}</p>", "pl")
    parts = asked.segments
    if parts[0] == "p":
        number = number_of(parts[1].split("-")[0]) - 1000
        if not 0 <= number < 90 or asked.path != product(number)[0]:
            return None
        rng = of("opis", number)
        told = "".join(f"<dt>{facet}<dd>{rng.choice(values)}" for facet, values in _PL_FACETS.items())
        alike = ul([product((number + 6) % 90), product((number + 12) % 90)])
        body = f"{menu}<h1>{product(number)[1]}</h1><p>{said(rng, _PL, 40)}</p><dl>{told}</dl>{rng.randrange(40, 900)},99 zł"
        return html(product(number)[1], f"{body}{alike}", "pl")
    kind = _PL_KINDS.index(parts[1])
    mine = [number for number in range(90) if number % 6 == kind]
    chosen = dict(asked.pairs)
    links = []
    for facet, values in _PL_FACETS.items():
        had = chosen.get(facet, "").split("~") if facet in chosen else []
        for value in values:
            new = [one for one in had if one != value] if value in had else [*had, value]
            links.append(
                ({**chosen, facet: "~".join(new)} if new else {k: v for k, v in chosen.items() if k != facet}, value)
            )
    links += [({**chosen, "sort": sort}, sort) for sort in ("cena", "nazwa", "nowe")]
    links += [({**chosen, "widok": view}, view) for view in ("lista", "siatka")]
    if chosen:
        rng = of("filtr", kind, *sorted("~".join(chosen[facet] for facet in _PL_FACETS if facet in chosen).split("~")))
        mine = sorted(rng.sample(mine, rng.randrange(0, 7)))
    found = ul(product(number) for number in mine) if mine else "<p>Brak produktów spełniających kryteria.</p>"
    sides = ul((f"{asked.path}?{urlencode(to)}" if to else asked.path, text) for to, text in links)
    return html(f"{parts[1].capitalize()} ({len(mine)})", f"{menu}{sides}<h1>{parts[1].capitalize()}</h1>{found}", "pl")


# 4

_UK = ("рада вирішила затвердити положення про порядок використання коштів місцевого бюджету на поточний рік відповідно до "
       "закону контроль за виконанням рішення покласти на комісію голова секретар громада земельна ділянка оренда").split()  # fmt: skip


@trap(
    "sesiya", "/akt/1;jsessionid=F195D5A361A7B19A7542FEAA938180B8.node3", lambda url: ";jsessionid=" in url, random=True
)
def sessions(asked: Asked) -> Answer | None:
    """A council's acts: its server writes a new session into each link of a visitor without cookies (Ukrainian)."""
    path, _, session = asked.path.partition(";jsessionid=")

    def link(number: int, word: str) -> tuple[str, str]:
        key = (
            session
            if session and VISIT.random() < 0.5
            else f"{VISIT.getrandbits(128):032X}.node{VISIT.randrange(1, 4)}"
        )
        return f"/akt/{number};jsessionid={key}", word

    def shown(title: str, body: str) -> Answer:
        menu = ul([("/", "Головна"), ("/karta.html", "Карта сайту"), link(1, "Рішення")])
        return html(title, f"{menu}<h1>{title}</h1>{body}", "uk", "windows-1251")

    if asked.path == "/":
        return shown(
            "Селищна рада",
            f"<p>{said(of('рада'), _UK, 30)}</p>{ul(link(at, f'Рішення № {at}') for at in range(60, 71))}",
        )
    if asked.path == "/karta.html":
        return shown("Карта сайту", ul((f"/akt/{at}", f"№ {at}") for at in range(1, 71)))
    number = number_of(path.removeprefix("/akt/"))
    if not 1 <= number <= 70:
        return None
    near = ul(
        link(to, f"Рішення № {to}")
        for to in (number - 1, number + 1, number * 3 % 70 + 1, number * 7 % 70 + 1)
        if 1 <= to <= 70
    )
    return shown(
        f"Рішення № {number}", "".join(f"<p>{said(of('акт', number, at), _UK, 28)}</p>" for at in range(4)) + near
    )


# 5

_NL = ("de gemeente opent morgen een nieuwe fietsbrug over het kanaal bewoners zijn blij met het plan maar vrezen drukte in "
       "de buurt volgens wethouder is er genoeg ruimte voor iedereen de school viert feest brand in loods").split()  # fmt: skip
_NL_TOPICS = "binnenland sport cultuur economie verkeer weer".split()
_NL_LAST = 5


def _nl_beyond(url: str) -> bool:
    page = urlsplit(url).path.rstrip("/").rpartition("/pagina/")[2]
    return "/pagina/" in url and page.isdigit() and int(page) > _NL_LAST


@trap("pagina", "/nieuws/binnenland/pagina/6/", _nl_beyond)
def beyond_the_end(asked: Asked) -> Answer | None:
    """A paper's lists whose pager leads on behind the last page, with other news beside the empty list (Dutch)."""

    def article(number: int) -> tuple[str, str]:
        return f"/artikel/{number}", said(of("nl", number), _NL, 7, "")

    menu = ul((f"/nieuws/{topic}/pagina/1/", topic) for topic in _NL_TOPICS)
    if asked.path == "/":
        if "p" in asked.query:
            return redirect("/artikel/111") if asked.query["p"] == "111" else None
        return html(
            "De Dorpsbode", f"{menu}<h1>De Dorpsbode</h1>{ul([article(0), ('/?p=111', 'Uit het archief')])}", "nl"
        )
    parts = asked.segments
    if parts[0] == "artikel":
        number = number_of(parts[1])
        body = "".join(f"<p>{said(of('nl', number, at), _NL, 30)}</p>" for at in range(4))
        return html(article(number)[1], f"{menu}<h1>{article(number)[1]}</h1>{body}", "nl") if number <= 111 else None
    topic, page = _NL_TOPICS.index(parts[1]), number_of(parts[3])
    if parts[2] != "pagina" or page < 1:
        return None
    items = [article((topic * _NL_LAST + page - 1) * 3 + at) for at in range(3)] if page <= _NL_LAST else []
    rng = of("lees ook", topic, page)
    beside = [article(number) for number in rng.sample(range(90), 3)]
    pager = [(f"/nieuws/{parts[1]}/pagina/{to}/", to) for to in (page - 1, page + 1, page + 2, page + 10) if to > 0]
    pager = pager if page >= _NL_LAST else [one for one in pager if int(one[1]) <= _NL_LAST + 1]
    found = ul(items) if items else "<p>Er zijn geen berichten gevonden in deze rubriek.</p>"
    return html(
        f"{parts[1]} - pagina {page}", f"{menu}<h1>{parts[1]}</h1>{found}<h2>Lees ook</h2>{ul(beside)}{ul(pager)}", "nl"
    )


# 6

_DE_MAKERS = "Nordwind Thermalux Kaltbach Sonnhof Erdmann Wolkenstein".split()
_DE = "leise sparsam robust aussen innen aufgestellt mit Kältemittel Vorlauf Pufferspeicher Regelung Garantie Altbau Neubau".split()
_DE_GOODS = [
    f"{maker.lower()}-{model}"
    for maker in _DE_MAKERS
    for model in ("s6", "s8", "m10", "m12", "l14", "l16", "xl", "duo", "eco")
]


@trap("vergleich", "/vergleich/nordwind-s6-vs-thermalux-l14", lambda url: urlsplit(url).path.startswith("/vergleich/"))
def comparisons(asked: Asked) -> Answer | None:
    """Heat pumps set beside each other, up to seven in any order, of data that their own pages tell (German)."""

    def rows(good: str) -> list[str]:
        rng = of("pumpe", good)
        return [f"{rng.randrange(40, 190) / 10} kW", f"COP {rng.randrange(30, 56) / 10}", f"{rng.randrange(38, 62)} dB(A)",
                f"{rng.randrange(6, 21)} 490 €", said(rng, _DE, 4, "")]  # fmt: skip

    menu = ul([("/", "Start"), *((f"/hersteller/{maker}", maker) for maker in _DE_MAKERS)])
    if asked.path == "/":
        return html("Wärmepumpen", f"{menu}<h1>Wärmepumpen im Test</h1><p>{said(of('test'), _DE, 40)}</p>", "de")
    kind, which = asked.segments
    if kind == "hersteller" and which in _DE_MAKERS:
        mine = [good for good in _DE_GOODS if good.startswith(which.lower())]
        return html(which, f"{menu}<h1>{which}</h1>{ul((f'/produkt/{good}', good) for good in mine)}", "de")
    if kind == "produkt" and which in _DE_GOODS:
        others = of("gegen", which).sample(_DE_GOODS, 3)
        links = ul((f"/vergleich/{which}-vs-{other}", f"Vergleich mit {other}") for other in others if other != which)
        body = "".join(f"<li>{row}" for row in rows(which)) + f"</ul><p>{said(of('text', which), _DE, 40)}</p>"
        return html(which, f"{menu}<h1>{which}</h1><ul>{body}{links}", "de")
    goods = which.split("-vs-")
    if kind != "vergleich" or not set(goods) <= set(_DE_GOODS) or not 1 < len(set(goods)) == len(goods) <= 7:
        return None
    more = [good for good in of("dazu", which).sample(_DE_GOODS, 5) if good not in goods] if len(goods) < 7 else []
    links = [(f"/vergleich/{'-vs-'.join([*goods, good])}", f"{good} hinzufügen") for good in more]
    less = [[one for one in goods if one != good] for good in goods] if len(goods) > 2 else []
    links += [(f"/vergleich/{'-vs-'.join(rest)}", "entfernen") for rest in less]
    table = "".join(
        f"<tr><td>{a(f'/produkt/{good}', good)}" + "".join(f"<td>{row}" for row in rows(good)) for good in goods
    )
    return html(" oder ".join(goods), f"{menu}<h1>Vergleich</h1><table>{table}</table>{ul(links)}", "de")


# 7

_SV = ("talet kallas perfekt om summan av dess delare är lika med sig självt redan grekerna visste detta men beviset kom senare "
       "primtal finns hur många som helst enligt Euklides serien går mot noll varje jämnt tal kan skrivas som").split()  # fmt: skip


@trap("tal", "/tal/28", lambda url: urlsplit(url).path.startswith("/tal/"), silent=True)
def numbers(asked: Asked) -> Answer | None:
    """What can be computed about any number: its factors, digits, notations, and the numbers that follow (Swedish)."""
    menu = ul([("/", "Hem"), ("/artikel/1", "Artiklar"), ("/tal/28", "Om ett tal")])
    if asked.path == "/":
        return html(
            "Talens värld", f"{menu}<h1>Talens värld</h1>{ul((f'/tal/{at}', at) for at in (7, 12, 1729))}", "sv"
        )
    kind, shown = asked.segments
    number = number_of(shown)
    if kind == "artikel":
        links = ul([(f"/artikel/{number + 1}", "Nästa artikel"), (f"/tal/{number * 12}", number * 12)][number == 42 :])
        body = "".join(f"<p>{said(of('artikel', number, at), _SV, 35)}</p>" for at in range(4))
        return (
            html(f"Artikel {number}", f"{menu}<h1>Artikel {number}</h1>{body}{links}", "sv")
            if 1 <= number <= 42
            else None
        )
    if kind != "tal" or str(number) != shown or not 0 < number < 10**16:
        return None
    factors, rest = [], number
    for divisor in range(2, 1_000):
        while rest % divisor == 0:
            factors.append(divisor)
            rest //= divisor
    factors += [rest] if rest > 1 else []
    divisors = prod(factors.count(factor) + 1 for factor in set(factors))
    rows = (("Primfaktorer", " · ".join(map(str, factors)) or "1"), ("Antal delare", divisors), ("Binärt", f"{number:b}"),
            ("Hexadecimalt", f"{number:X}"), ("Kvadratrot", f"{number ** 0.5:.6f}"), ("Siffersumma", sum(map(int, shown))))  # fmt: skip
    near = {number - 1, number + 1, 2 * number, number * number, int(shown[::-1]), number // 2} - {0, number}
    table = "".join(f"<tr><th>{label}<td>{value}" for label, value in rows)
    links = ul((f"/tal/{to}", to) for to in sorted(near) if to < 10**16)
    return html(f"Talet {number}", f"{menu}<h1>Talet {number}</h1><table>{table}</table>{links}", "sv")


# 8

_IT = ("sindaco piazza mercato festa strada scuola ponte lavori treno sciopero museo mostra calcio vittoria neve mare porto "
       "incendio concerto teatro ospedale medici bilancio tasse turismo estate vino raccolta olio fiera sagra premio").split()  # fmt: skip


def _it_article(number: int) -> str:
    return f"/notizie/{'-'.join(of('notizia', number).choices(_IT, k=3))}-{number}/"


_IT_KNOWN = {_it_article(number): number for number in range(100, 195)}


@trap(
    "non-trovata",
    "/notizie/lavori-museo-museo/",
    lambda url: urlsplit(url).path not in ("", "/", *_IT_KNOWN) or bool(urlsplit(url).query),
)
def soft_not_found(asked: Asked) -> Answer | None:
    """A paper that answers anything with an apology and guesses, made of the words of the address (Italian)."""
    recent = ul((_it_article(number), f"Notizia {number}") for number in range(188, 195))
    side = f"<aside><h3>Ultime notizie</h3>{recent}</aside>"
    number = 188 if asked.path == "/" else _IT_KNOWN.get(asked.path, 0)
    if number:
        title = " ".join(asked.segments[1].split("-")[:3]).capitalize() if asked.path != "/" else "Il Quotidiano"
        body = "".join(
            f"<p>{said(of('testo', number, at), [*_IT, *'il la di a per con dopo senza'.split()], 30)}</p>"
            for at in range(4)
        )
        dead = "-".join(of("vecchia", number).choices(_IT, k=3))
        links = [(f"/notizie/{dead}/", "Leggi anche"), (_it_article(max(number - 1, 100)), "Precedente")]
        return html(title, f"<h1>{title}</h1>{body}{ul(links)}{side}", "it")
    words = [word for word in unquote(asked.path).replace("/", "-").split("-") if word.isalpha() and word != "notizie"][
        :4
    ]
    rng = of("forse", asked.path)
    guesses = []
    for _ in range(4):
        near = [*rng.sample(words, min(len(words), 2)), rng.choice(_IT)]
        guesses.append((f"/{rng.choice(('notizie', 'cerca', 'tag'))}/{'-'.join(near)}/", " ".join(near).capitalize()))
    guesses.append((_it_article(rng.randrange(100, 195)), "Potrebbe interessarti"))
    body = "<h1>Ops!</h1><p>La pagina richiesta non è disponibile o è stata spostata.</p><h2>Forse cercavi</h2>"
    return html("Pagina non trovata", f"{body}{ul(guesses)}{side}", "it")


# 9

_AR = ("صورة من رحلتنا إلى الجبل اليوم وصفة سهلة لحساء العدس مع الخبز الساخن كتاب جميل قرأته هذا الأسبوع عن تاريخ المدينة القديمة "
       "صباح الخير يا أصدقاء سؤال هل جرب أحد هذا التطبيق شكرا للجميع على الدعم مباراة رائعة أمس").split()  # fmt: skip


@trap(
    "istikshaf",
    "/discover?tab=for_you&cursor=Zm9yX3lvdTowZmJjZGJkZDYxMTNkMDc5ZjA",
    lambda url: urlsplit(url).path == "/discover",
    random=True,
)
def feed(asked: Asked) -> Answer | None:
    """A feed of what might please, which mixes the same ninety posts anew behind opaque cursors (Arabic)."""

    def post(number: int) -> str:
        return f"<article><p>{said(of('منشور', number), _AR, 14)}</p>{a(f'/p/{number:05x}', 'فتح')}</article>"

    def cursor(tab: str) -> tuple[str, str]:
        key = base64.urlsafe_b64encode(f"{tab}:{VISIT.getrandbits(72):018x}".encode()).decode().rstrip("=")
        return f"/discover?{urlencode({'tab': tab, 'cursor': key})}", {
            "for_you": "المزيد",
            "latest": "الأحدث",
            "media": "وسائط",
        }[tab]

    posts = [7_000 + at * 37 for at in range(90)]
    menu = ul([("/", "الرئيسية"), ("/u/", "الأعضاء"), cursor("for_you")])
    if asked.path == "/":
        body = menu + "".join(post(number) for number in posts[:6])
    elif asked.path == "/discover":
        if asked.query.get("tab") not in ("for_you", "latest", "media"):
            return None
        shown = VISIT.sample(posts, 8)
        body = (
            menu + "".join(post(number) for number in shown) + ul(cursor(tab) for tab in ("for_you", "latest", "media"))
        )
    elif asked.segments[0] == "u":
        user = number_of(asked.segments[1]) if len(asked.segments) > 1 else 0
        mine = [number for number in posts if number % 15 == user - 1]
        if user > 15 or asked.path != (f"/u/{user}" if user else "/u/"):
            return None
        body = menu + (
            "".join(post(number) for number in mine) if user else ul((f"/u/{at}", f"عضو {at}") for at in range(1, 16))
        )
    else:
        number = int(asked.segments[1], 16)
        if number not in posts or asked.path != f"/p/{number:05x}":
            return None
        replies = "".join(f"<p>{said(of('رد', number, at), _AR, 9)}</p>" for at in range(number % 4))
        body = menu + post(number) + replies + a(f"/u/{number % 15 + 1}", "الكاتب")
    return html("ساحة", f"<div dir=rtl>{body}</div>", "ar")


# 10

_KA = ("მდინარე სოფელი ეკლესია მთა მეფე ბრძოლა პოეტი ციხე ტბა ქალაქი ხელნაწერი საუკუნე აღმოსავლეთ დასავლეთ კახეთი სვანეთი იმერეთი "
       "არის მდებარეობს დაიბადა ააშენა ძველი დიდი პირველი ცნობილი ქართული ისტორიული").split()  # fmt: skip


@trap(
    "vikipedia",
    "/index.php?title=%E1%83%9B%E1%83%93%E1%83%98%E1%83%9C%E1%83%90%E1%83%A0%E1%83%94_%E1%83%A1%E1%83%90%E1%83%A3%E1%83%99%E1%83%A3%E1%83%9C%E1%83%94&action=history",
    lambda url: urlsplit(url).path == "/index.php",
)
def wiki_specials(asked: Asked) -> Answer | None:
    """A wiki's special pages: histories, differences, what links here, changes since; any limits and offsets (Georgian)."""
    titles = [f"{first}_{second}" for first in _KA[:11] for second in _KA[11:17]]

    def special(**pairs: object) -> str:
        return f"/index.php?{urlencode(pairs)}"

    def tabs(title: str) -> str:
        return ul([(special(title=title, action="history"), "ისტორია"),
                   (special(title="სპეციალური:ბმული_გვერდზე/" + title), "რა არის მიბმული აქ"),
                   (special(title="სპეციალური:დაკავშირებული_ცვლილებები", target=title, days=7), "დაკავშირებული ცვლილებები"),
                   (special(title="სპეციალური:შესვლა", returnto=title), "შესვლა")])  # fmt: skip

    if asked.path == "/":
        return html("მთავარი", f"<h1>ვიკი</h1>{ul((f'/wiki/{quote(title)}', title) for title in titles[:5])}", "ka")
    parts = parts_of(asked)
    if parts[0] == "wiki":
        title = parts[1]
        rng, at = of("სტატია", title), titles.index(title)
        links = [titles[(at + 1) % 66], titles[at * 5 % 66], rng.choice(titles)]
        body = "".join(f"<p>{said(rng, _KA, 25)}</p>" for _ in range(3)) + ul(
            (f"/wiki/{quote(one)}", one) for one in links
        )
        return html(title, f"{tabs(title)}<h1>{title}</h1>{body}", "ka")
    title = asked.query["title"]
    rng = of("revisions", *sorted(asked.pairs))
    base = next(
        (one for one in titles if one in (title, asked.query.get("target"), title.rpartition("/")[2])), titles[0]
    )
    if asked.path != "/index.php":
        return None
    ids = sorted(rng.sample(range(1, 9_000), 7))
    links = []
    if title == base:
        links = [(special(title=base, diff=ids[at + 1], oldid=ids[at]), f"{ids[at]} (წინ)") for at in range(6)]
        links += [(special(title=base, action="history", offset=20180101000000 + ids[at] * 7, limit=limit), limit)
                  for at, limit in enumerate((20, 50, 100, 250, 500))]  # fmt: skip
    elif "target" in asked.query:
        links = [({**asked.query, name: value}, f"{name} {value}") for name, value in
                 (("days", ids[0] % 30 + 1), ("limit", 50), ("limit", 500), ("hideminor", 1), ("from", 20240000000000 + ids[1]))]  # fmt: skip
        links = [(special(**pairs), text) for pairs, text in links]
    elif "/" in title:
        links = [(special(title=title, limit=limit, **{"from": ids[limit % 7]}), limit) for limit in (20, 50, 100, 250)]
    rows = "".join(f"<li>{one} . . {said(of('edit', one % 400), _KA, 5)}" for one in ids[:4])
    body = f"{tabs(base)}<h1>{escape(title)}</h1><ul>{rows}</ul>{ul(links)}{a(f'/wiki/{quote(base)}', base)}"
    return html(f"{title} - ვიკი", body, "ka")


# 11

_EN_SUBJECTS = ("hens tomatoes kayaks gutters toddlers sourdough laptops geckos bicycles mortgages violins allergies drones "
                "boilers orchids marathons curtains pensions puppies telescopes").split()  # fmt: skip
_EN_ASK = ("how-often-should-you why-do-people when-is-it-best-to can-you-safely what-happens-if-you is-it-worth-it-to "
           "how-much-does-it-cost-to").split()  # fmt: skip
_EN_DO = (
    "clean feed store repair insure move paint buy sell train trim share cover replace label heat rent lend".split()
)
_EN_WHEN = ("in-winter before-a-holiday on-a-budget without-tools in-a-small-flat at-night with-children after-rain near-the-sea "
            "in-your-forties while-travelling during-a-heatwave by-yourself in-the-north").split()  # fmt: skip
_EN = ("experts usually suggest a gentle routine because warm surfaces dry faster than most owners expect start slowly check "
       "twice keep notes ask your local shop about spare parts prices vary by region material age season weight and habit "
       "avoid harsh products rinse well wait several hours then test again if nothing improves consider a professional "
       "review insurance terms compare offers read labels measure first cut later").split()  # fmt: skip


@trap(
    "also-asked",
    "/answers/when-is-it-best-to-lend-marathons-while-travelling-and-lend-boilers",
    lambda url: urlsplit(url).path.startswith("/answers/"),
    undecidable=True,
)
def also_asked(asked: Asked) -> Answer | None:
    """Answers that a machine writes to whatever is asked, each with what people also ask (English)."""

    def question(rng: object) -> str:
        words = [getattr(rng, "choice")(part) for part in (_EN_ASK, _EN_DO, _EN_SUBJECTS, _EN_WHEN)]
        return "-".join([*words, "and", getattr(rng, "choice")(_EN_DO), getattr(rng, "choice")(_EN_SUBJECTS)])

    menu = ul([("/", "Home"), ("/guides/1", "Guides"), ("/about", "About us")])
    if asked.path in ("/", "/about"):
        asks = ul((f"/answers/{question(of('home', at))}", "Trending") for at in range(5)) if asked.path == "/" else ""
        return html("Everyday answers", f"{menu}<h1>Everyday answers</h1><p>{said(of(asked.path), _EN, 60)}</p>{asks}")
    kind, slug = asked.segments
    if kind == "guides":
        number = number_of(slug)
        if not 1 <= number <= 55:
            return None
        body = "".join(f"<p>{said(of('guide', number, at), _EN, 50)}</p>" for at in range(5))
        links = [
            (f"/guides/{number % 55 + 1}", "Next guide"),
            (f"/answers/{question(of('guide', number))}", "Readers ask"),
        ]
        return html(f"Guide {number}", f"{menu}<h1>Guide {number}</h1>{body}{ul(links)}")
    words = slug.split("-")
    if kind != "answers" or words[-1] not in _EN_SUBJECTS or "and" not in words:
        return None
    rng = of("answer", slug)
    title = " ".join(words).capitalize() + "?"
    body = "".join(f"<p>{said(rng, [*_EN, *words], rng.randrange(30, 70))}</p>" for _ in range(rng.randrange(3, 6)))
    asks = ul(
        (f"/answers/{one}", one.replace("-", " ").capitalize() + "?") for one in (question(rng) for _ in range(5))
    )
    return html(title, f"{menu}<h1>{title}</h1>{body}<h2>People also ask</h2>{asks}")


# 12

_DA = ("Ærø Assens Billund Bornholm Faxe Fanø Favrskov Gribskov Haderslev Hjørring Holbæk Ikast Jammerbugt Kolding Langeland "
       "Lejre Læsø Mariager Morsø Nyborg Odder Ringsted Rudersdal Samsø Skive Solrød Struer Svendborg Thisted Tønder Vejen "
       "Viborg Vordingborg Allerød Brøndby Egedal Hedensted Norddjurs Odsherred Slagelse").split()  # fmt: skip
_DA_TEXT = ("kommunen ligger ved vandet og har mange små havne skolen er bygget i gule sten turister kommer om sommeren for at "
            "bade og cykle færgen sejler hver time til øen kirken er fra middelalderen markerne er flade").split()  # fmt: skip


@trap("kort", "/kort?e=570000.0&n=6220000.0&m=100000", lambda url: urlsplit(url).path == "/kort", silent=True)
def plain_map(asked: Asked) -> Answer | None:
    """A map for browsers without scripts: east, west, nearer, farther, for ever, and figures at its foot (Danish)."""

    def href(east: float, north: float, scale: int) -> str:
        return f"/kort?{urlencode({'e': f'{east:.1f}', 'n': f'{north:.1f}', 'm': scale})}"

    def place(at: int) -> tuple[str, str]:
        return f"/kommune/{quote(_DA[at].lower())}", _DA[at]

    menu = ul([("/", "Forside"), (href(570_000, 6_220_000, 100_000), "Kort")])
    if asked.path == "/":
        areas = "".join(
            f'<area shape=circle coords="{at},{at},3" href="{place(at)[0]}" alt="{_DA[at]}">' for at in range(0, 40, 2)
        )
        return html("Danmarks kommuner", f"{menu}<h1>Danmarks kommuner</h1><map name=dk>{areas}</map>", "da")
    if asked.path != "/kort":
        at = [name.lower() for name in _DA].index(parts_of(asked)[1])
        body = "".join(f"<p>{said(of('kommune', at, block), _DA_TEXT, 30)}</p>" for block in range(3))
        rng = of("sted", at)
        links = [
            place((at + 1) % 40),
            (href(rng.randrange(450_000, 720_000), rng.randrange(6_050_000, 6_400_000), 50_000), "Vis på kort"),
        ]
        return html(_DA[at], f"{menu}<h1>{_DA[at]}</h1>{body}{ul(links)}", "da")
    east, north, scale = float(asked.query["e"]), float(asked.query["n"]), number_of(asked.query["m"])
    step = scale * 0.15
    links = [(href(east + x * step, north + y * step, scale), arrow) for x, y, arrow in
             ((0, 1, "nord"), (0, -1, "syd"), (1, 0, "øst"), (-1, 0, "vest"))]  # fmt: skip
    links += [(href(east, north, scale // 2), "ind")] if scale > 2_000 else []
    links += [(href(east, north, scale * 2), "ud")] if scale < 2_000_000 else []
    foot = f"<p>Ø {east:.1f} N {north:.1f} (UTM 32) Målestok 1:{scale}</p>"
    return html("Kort", f"{menu}{ul(links)}{foot}", "da")
