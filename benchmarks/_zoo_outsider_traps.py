"""Traps of an outsider, from tokens to bookings (see `_zoo_outsider`)."""

from __future__ import annotations

import base64
from datetime import date, datetime, timedelta
from hashlib import md5
from random import Random
from urllib.parse import quote, unquote, urlencode, urlsplit

from _zoo import Answer, Asked, Site, trap
from _zoo_honest import _split
from _zoo_outsider import anchor, doc, items, rare, redirect, slug, table, text, token, ul, vocab, words

OUTSIDER: list[Site] = []


def _is_below(url: str) -> bool:
    """Whether a URL is of a subdomain."""
    return urlsplit(url).netloc.count(".") > 1


@trap("/stream/start", OUTSIDER)
def token_prev_next(asked: Asked) -> Answer:
    """Previous and next are 22 random characters. A page shows ten of 80 items."""
    return doc(
        "Stream",
        f"<ul>{items(asked, 'en', asked.rng.sample(range(80), 10))}</ul>"
        + ul((f"/stream/{token(asked.rng)}", t) for t in ("Previous", "Next")),
    )


@trap("/feed?cursor=eyJvIjowfQ", OUTSIDER, undecidable=True)
def load_more_cursor(asked: Asked) -> Answer:
    """French posts behind one link "load more", a random cursor. The posts are new each time."""
    return doc(
        "Fil",
        "".join(f"<p>{text('fr', asked.rng, 20)}</p>" for _ in range(6))
        + anchor(
            "/feed?cursor=" + base64.urlsafe_b64encode(asked.rng.randbytes(15)).decode().strip("="), "Charger plus"
        ),
        "fr",
    )


@trap("/more?after=AAAA", OUTSIDER)
def load_more_recycled(asked: Asked) -> Answer:
    """Greek posts behind one link "load more", a random token. Each page shuffles six out of 250."""
    return doc(
        "Ροή",
        "".join(f"<p>{text('el', asked.of('post', k), 20)}</p>" for k in asked.rng.sample(range(250), 6))
        + anchor("/more?after=" + token(asked.rng, 16), "Περισσότερα"),
        "el",
    )


@trap("/scroll?offset=0&limit=20", OUTSIDER)
def infinite_scroll(asked: Asked) -> Answer:
    """A Korean list by offset and limit. Its 130 items begin again from the start."""
    start, limit = int(asked.query["offset"]), int(asked.query["limit"])
    links = [
        (f"/scroll?offset={start + limit}&limit={limit}", "더보기"),
        (f"/scroll?offset={start + limit}&limit={limit % 60 + 20}", "더"),
        (f"/scroll?offset={max(start - limit, 0)}&limit={limit}", "이전"),
    ]
    return doc("목록", f"<ul>{items(asked, 'ko', [(start + k) % 130 for k in range(limit)])}</ul>" + ul(links), "ko", 1)


_TZ = _split("Europe/Paris America/New_York Asia/Tokyo Australia/Perth Africa/Cairo Asia/Kolkata UTC America/Lima")


@trap("/cal/2026/11/12?tz=UTC", OUTSIDER)
def calendar_tz(asked: Asked) -> Answer:
    """Days before and after, and eight time zones in the query. The time of sunrise differs."""
    y, m, d = map(int, asked.segments[1:4])
    at = date(min(max(y, 2), 9997), m, d)
    tz = asked.query["tz"]
    sun = f"{5 + asked.rng.randrange(3)}:{asked.rng.randrange(60):02}"
    links = [
        (f"/cal/{x.year}/{x.month}/{x.day}?tz={tz}", str(x)) for x in (at + timedelta(k) for k in (-7, -1, 1, 7, 30))
    ]
    return doc(
        f"{at:%A %d %B %Y}",
        f"<p>Sunrise {sun}. Nothing planned.</p>" + ul(links + [(f"/cal/{y}/{m}/{d}?tz={z}", z) for z in _TZ]),
    )


@trap("/compare?ids=3,7", OUTSIDER)
def compare_grows(asked: Asked) -> Answer:
    """A comparison of up to six of 60 products, whose numbers are in the query. Each link adds or removes one."""
    ids = [int(x) for x in asked.query["ids"].split(",") if x]
    links = []
    for k in asked.rng.sample(range(60), 8):
        new = [x for x in ids if x != k] if k in ids else [*ids, k][-6:]
        told = f"{'-' if k in ids else '+'} {rare('en', asked.of('item', k), 3)}"
        links.append((f"/compare?ids={','.join(map(str, new))}", told))
    rows = [
        (rare("en", asked.of("item", k), 3), asked.of("pr", k).randrange(900), asked.of("w", k).randrange(99))
        for k in ids
    ]
    return doc("Compare", table(rows) + ul(links), "en", 3)


@trap("/cart?c=1x1", OUTSIDER)
def cart_in_url(asked: Asked) -> Answer:
    """A German basket of 25 products that is all in the query. Links add one or take one away."""
    cart: dict[int, int] = {}
    for entry in filter(None, asked.query["c"].split(".")):
        product, _, many = entry.partition("x")
        cart[int(product)] = int(many)
    links = []
    for k in sorted({*cart, *asked.rng.sample(range(25), 4)}):
        for d in (1, -1):
            new = {**cart, k: cart.get(k, 0) + d}
            c = ".".join(f"{x}x{n}" for x, n in sorted(new.items()) if n > 0)
            links.append((f"/cart?c={c}", "+" if d > 0 else "−"))  # noqa: RUF001
    total = sum(n * asked.of("pr", k).randrange(5, 900) for k, n in cart.items())
    return doc(
        "Warenkorb",
        table([(rare("de", asked.of("item", k), 2), n) for k, n in cart.items()])
        + f"<p>Summe {total},90 €</p>"
        + ul(links),
        "de",
    )


@trap("/texte/1.html", OUTSIDER)
def variants_multiplied(asked: Asked) -> Answer:
    """Forty French texts whose suffixes for print, size and language add up in any order."""
    n, *mods = asked.path.split("/")[2][:-5].split(".")
    rng = asked.of("tx", n)
    links = [
        (f"/texte/{'.'.join([n, *[x for x in mods if x != m][-7:], m])}.html", m)
        for m in _split("print amp lite big small nl fr mono")
    ]
    links += [
        (f"/texte/{(int(n) + 1) % 40}.{'.'.join(mods)}.html" if mods else f"/texte/{(int(n) + 1) % 40}.html", "suivant")
    ]
    return doc(rare("fr", rng), f"<p>{text('fr', rng, 120)}</p>" + ul(links), "fr", 0 if "print" in mods else 1)


@trap("/doc/intro/", OUTSIDER)
def relative_new_folder(asked: Asked) -> Answer:
    """A relative link without a leading slash: the path grows by a new word each time. There are 30 texts."""
    rng = asked.of("tx", int(md5(asked.segments[-1].encode()).hexdigest(), 16) % 30)
    links = [(f"{slug('en', asked.rng, 1)}/", "section") for _ in range(2)] + [
        (f"../{slug('en', asked.rng, 1)}/", "see also")
    ]
    return doc(rare("en", rng), f"<p>{text('en', rng, 80)}</p>" + ul(links))


@trap("/s?q=" + quote("山川"), OUTSIDER)
def suggested_queries(asked: Asked) -> Answer:
    """A Japanese search: five of 40 results, and eight suggested queries of one to four words."""
    lang = "ja"
    key = asked.query["q"]
    return doc(
        f"「{key}」の検索結果",
        f"<ol>{items(asked, lang, asked.of('s', key).sample(range(40), 5))}</ol>"
        + ul((f"/s?q={quote(' '.join(words(lang, asked.rng, asked.rng.randint(1, 4))))}", "候補") for _ in range(8)),
        lang,
    )


@trap("/topic/cheap-red-shoes", OUTSIDER)
def seo_topics(asked: Asked) -> Answer:
    """Text with the words of the path put in, and related searches that swap one of these words."""
    parts = asked.segments[1].split("-")
    links = []
    for _ in range(9):
        new = parts[:]
        new[asked.rng.randrange(len(new))] = asked.rng.choice(vocab("en")[40:1200])
        links.append((f"/topic/{'-'.join(new)}", " ".join(new)))
    w = " ".join(parts)
    spin = [
        f"Looking for {w}? {asked.rng.choice(('Find', 'Discover', 'Compare', 'Get'))} the best {w} near you.",
        f"Our {parts[-1]} are {parts[0]}.",
        f"People who like {w} also like {asked.rng.choice(vocab('en')[40:])}.",
    ]
    asked.rng.shuffle(spin)
    return doc(w.title(), "".join(f"<p>{x}</p>" for x in spin) + ul(links), "en", 3)


@trap("/f/rot", OUTSIDER)
def negative_filters(asked: Asked) -> Answer:
    """German filters, 24 of them: each is put in, left out or excluded by a minus. Products of 90, or none."""
    filters = [f"{x}{k}" for x in ("rot", "blau", "groesse-", "marke-") for k in range(6)]
    chosen = unquote(asked.segments[1]).split(",")
    links = []
    for f in asked.rng.sample(filters, 12):
        rest = [c for c in chosen if c.lstrip("-") != f]
        links.append((f"/f/{','.join(sorted([*rest, asked.rng.choice(('', '-')) + f]))}", f"{f}"))
    found = asked.of("f", sorted(chosen)).sample(range(90), asked.of("nf", sorted(chosen)).randrange(12))
    return doc(
        "Filter: " + ", ".join(chosen),
        (f"<ul>{items(asked, 'de', found)}</ul>" if found else "<p>Keine Treffer.</p>") + ul(links),
        "de",
    )


@trap("/shop/item/1?cur=EUR&lang=en", OUTSIDER)
def currency_language_sort(asked: Asked) -> Answer:
    """Forty products in 12 currencies, ten languages, six orders and five page sizes, with converted prices."""
    n = int(asked.segments[2])
    opts = {
        "cur": _split("EUR USD GBP JPY CHF SEK PLN CZK HUF TRY INR BRL"),
        "lang": _split("en de fr es it nl pl sv pt fi"),
        "sort": _split("p n r d s b"),
        "ps": _split("12 24 48 96 all"),
    }
    lang = asked.query.get("lang", "en")
    rate = 0.1 + md5(asked.query.get("cur", "EUR").encode()).digest()[0]
    links = [
        (f"/shop/item/{n}?{urlencode({**asked.query, k: v})}", v)
        for k, vs in opts.items()
        for v in asked.rng.sample(vs, 3)
    ]
    links += [(f"/shop/item/{(n * 3 + j) % 40}?{urlencode(asked.query)}", "next") for j in (1, 2)]
    rng = Random(f"sh{n}{lang}{asked.seed}")
    return doc(
        rare(lang, rng),
        f"<p>{text(lang, rng, 50)}</p><b>{n * 7.31 * rate:.2f} {asked.query.get('cur')}</b>" + ul(links),
        lang,
    )


@trap("http://s0aaaa.trap-session-subdomain.test/w/1", OUTSIDER, _is_below)
def session_subdomain(asked: Asked) -> Answer:
    """The session is the subdomain, and new on each page. There are 60 Italian pages."""
    n = int(asked.segments[1]) if len(asked.segments) > 1 else 0
    rng = asked.of("w", n)
    return doc(
        rare("it", rng),
        f"<p>{text('it', rng, 90)}</p>"
        + ul(
            (f"http://s{asked.rng.randrange(16**6):06x}.trap-session-subdomain.test/w/{(n * 5 + j) % 60}", "pagina")
            for j in (1, 2, 7)
        ),
        "it",
    )


@trap("/item/1?from=home", OUTSIDER)
def referrer_tracking(asked: Asked) -> Answer:
    """Seventy Swedish items whose query says by which items and links one has come."""
    n = int(asked.segments[1])
    trail = asked.query["from"].split(".")[-7:]
    rng = asked.of("it", n)
    return doc(
        rare("sv", rng, 3),
        f"<p>{text('sv', rng, 60)}</p>"
        + ul((f"/item/{(n * 3 + j) % 70}?from={'.'.join([*trail, str(n), str(j)])}", "vara") for j in range(6)),
        "sv",
    )


@trap("/sso?state=AAAA&step=1", OUTSIDER)
def sso_states(asked: Asked) -> Answer:
    """Redirects to a sign-in page whose three links redirect again, each with a random state."""
    if asked.path == "/sso":
        return redirect(f"/login?state={token(asked.rng, 40)}")
    return doc(
        "Sign in",
        "<form><input name=u><input name=p type=password></form><p>You must sign in to continue.</p>"
        + ul(
            (f"/sso?state={token(asked.rng, 40)}&step={k}", t)
            for k, t in enumerate(("Google", "SAML", "Forgot password?"))
        ),
    )


@trap("/quote/7d1c2f4e-0001", OUTSIDER)
def quotes_by_uuid(asked: Asked) -> Answer:
    """ "Another one!": a random address shows one of 400 quotes, and leads to four new addresses."""
    rng = asked.of("qt", asked.rng.randrange(400))
    return doc(
        "Quote",
        f"<blockquote>{text('en', rng, 18)}</blockquote>"
        + ul(
            (f"/quote/{asked.rng.randrange(16**8):08x}-{asked.rng.randrange(16**4):04x}", "Another one!")
            for _ in range(4)
        ),
        "en",
        0,
    )


def _markov(rng: Random, lang: str, n: int, size: int) -> str:
    known = vocab(lang)[:size]
    at, out = rng.randrange(size), []
    for _ in range(n):
        out.append(known[at])
        at = (at * 31 + rng.randrange(12) * 7 + 1) % size
    return " ".join(out).capitalize() + "."


@trap("/library/", OUTSIDER)
def markov_varied(asked: Asked) -> Answer:
    """A tarpit of Markov text over 3,000 words, with paths of one to three levels, dates, authors and images."""
    links = [
        (
            "/library/"
            + "/".join(slug("en", asked.rng, asked.rng.randint(1, 4)) for _ in range(asked.rng.randint(1, 3)))
            + asked.rng.choice(("", "/", ".html")),
            rare("en", asked.rng, 3),
        )
        for _ in range(asked.rng.randint(3, 9))
    ]
    return doc(
        rare("en", asked.rng, 5).capitalize(),
        f"<p>By {rare('en', asked.rng).title()}, {asked.rng.randint(1, 28)} May {asked.rng.randint(1990, 2025)}</p>"
        f"<img src='/i/{asked.rng.randrange(9999)}.png'>"
        + "".join(f"<p>{_markov(asked.rng, 'en', 60, 3000)}</p>" for _ in range(asked.rng.randint(2, 7)))
        + ul(links),
    )


@trap("/bin/index.php/a", OUTSIDER)
def markov_small(asked: Asked) -> Answer:
    """A tarpit of 70 Russian words in all: one paragraph, and links of hexadecimal digits."""
    return doc(
        _markov(asked.rng, "ru", 3, 70),
        f"<p>{_markov(asked.rng, 'ru', 45, 70)}</p>"
        + ul((f"/bin/index.php/{asked.rng.randrange(16**7):07x}", _markov(asked.rng, "ru", 2, 70)) for _ in range(5)),
        "ru",
        2,
    )


@trap("/map?120,80", OUTSIDER)
def image_map_clicks(asked: Asked) -> Answer:
    """An image map on the server: areas at coordinates. A page says where one is, and one of 50 places."""
    x, y = (int(v) for v in urlsplit(asked.url).query.split(","))
    areas = ""
    for _ in range(6):
        near = (max(at + asked.rng.randint(-60, 60), 0) for at in (x, y))
        areas += f'<area shape="rect" href="/map?{",".join(map(str, near))}">'
    place = rare("en", asked.of("pl", (x // 40 * 7 + y // 40) % 50), 1)
    image = f"<img src='/map.cgi?{x},{y}' usemap='#m'><map name=m>{areas}</map>"
    return doc("Map", f"{image}<p>You clicked on {x}, {y}: {place}</p>", "en", 2)


@trap("/reserver?arrivee=2026-11-12&nuits=2&pers=2", OUTSIDER)
def booking_dates(asked: Asked) -> Answer:
    """French hotel rooms and prices for any date, number of nights and number of guests."""
    d, n, p = date.fromisoformat(asked.query["arrivee"]), int(asked.query["nuits"]), int(asked.query["pers"])

    def to(d: date, n: int, p: int) -> str:
        return f"/reserver?arrivee={d}&nuits={max(n, 1)}&pers={max(p, 1)}"

    links = (
        [(to(d + timedelta(k), n, p), str(d + timedelta(k))) for k in (-1, 1, 7, 30)]
        + [(to(d, n + k, p), "nuits") for k in (-1, 1)]
        + [(to(d, n, p + k), "pers.") for k in (-1, 1)]
    )
    rooms = [
        (
            f"Chambre {k}",
            "complet"
            if asked.of(d, k).random() < 0.4
            else f"{n * (60 + 9 * k + asked.of(d, 'p').randrange(40)) + 8 * p} €",
        )
        for k in range(1, 8)
    ]
    return doc(f"Réservation du {d}", table(rooms) + ul(links), "fr", 3)


@trap("/sala/3/2026-11-12T14:00", OUTSIDER)
def hourly_availability(asked: Asked) -> Answer:
    """Spanish rooms by hour, free or taken: the next hour, the same hour tomorrow, other rooms."""
    room, at = int(asked.segments[1]), datetime.fromisoformat(asked.segments[2])

    def to(number: int, when: datetime) -> str:
        return f"/sala/{number}/{when:%Y-%m-%dT%H:%M}"

    state = (
        "Libre"
        if asked.rng.random() < 0.6
        else f"Reservada por {rare('es', asked.of('u', asked.rng.randrange(30)), 1).title()}"
    )
    return doc(
        f"Sala {room}",
        f"<p>{at:%d/%m/%Y %H:%M}: {state}</p>"
        + ul(
            [(to(room, at + timedelta(hours=k)), "hora") for k in (-1, 1, 24)]
            + [(to(room % 9 + k, at), "sala") for k in (0, 1)]
        ),
        "es",
    )
