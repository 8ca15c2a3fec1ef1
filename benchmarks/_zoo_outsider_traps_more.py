"""More traps of an outsider, from a source browser to a content farm (see `_zoo_outsider`)."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from datetime import datetime, timezone
from hashlib import md5
from html import escape
from random import Random
from urllib.parse import quote, unquote, urlencode, urlsplit

from _zoo import Answer, Asked, Site, trap
from _zoo_honest import _split
from _zoo_outsider import anchor, digest, doc, items, rare, slug, table, text, token, ul, vocab, words, xml
from _zoo_outsider_traps import _is_below

OUTSIDER_MORE: list[Site] = []


def _has_query(url: str) -> bool:
    return bool(urlsplit(url).query)


@trap("/?p=core.git;a=summary;h=0", OUTSIDER_MORE, _has_query)
def gitweb_combos(asked: Asked) -> Answer:
    """A source browser: 3,000 commits, 80 files, several actions and pairs of commits, between semicolons."""
    got = dict(x.partition("=")[::2] for x in urlsplit(asked.url).query.split(";"))
    c = int(got.get("hb", got.get("h", "0"))[:6], 16) % 3000 if len(got.get("hb", got.get("h", ""))) > 6 else 0

    def sha(number: int) -> str:
        return f"{number % 3000:06x}" + digest(asked.seed, number % 3000)[:34]

    f = int(got.get("f", "f0")[1:3].strip(".") or 0) if "f" in got else 0
    names = [f"f{k:02}.c" for k in range(80)]
    k = asked.rng.randrange
    links = [f"/?p=core.git;a={act};f={names[k(80)]};hb={sha(c + k(9))}" for act in ("blob", "blame", "raw", "history")]
    links += [
        f"/?p=core.git;a=commitdiff;h={sha(c + 1)};hp={sha(c + k(400))}",
        f"/?p=core.git;a=tree;hb={sha(c + 1)}",
        f"/?p=core.git;a=blobdiff;f={names[f]};hb={sha(c)};hp={sha(c + k(400))}",
    ]
    body = "\n".join(
        text("en", asked.of("line", f, j, c // asked.of("fr", f, j).randint(50, 900)), 6) for j in range(25)
    )
    return doc(
        f"core.git {got.get('a')} {names[f]}",
        f"<p>commit {sha(c)}: {rare('en', asked.of('msg', c), 5)}</p><pre>{body}</pre>"
        + ul((x, "link") for x in links),
        "en",
        2,
    )


@trap("/viewtopic.php?t=1&highlight=foo&sid=0", OUTSIDER_MORE)
def phpbb_highlight(asked: Asked) -> Answer:
    """A Polish forum of 50 topics. The query has words to highlight and a session that is new on each page."""
    t = int(asked.query["t"])
    posts = [text("pl", asked.of("ph", t, k), 35).split() for k in range(5)]
    hl = set(asked.query["highlight"].split())
    body = "".join("<p>" + " ".join(f"<b>{w}</b>" if w in hl else w for w in p) + "</p>" for p in posts)
    sid = f"{asked.rng.randrange(16**32):032x}"
    pick = [w for p in posts for w in p if w.isalpha()]
    links = []
    for j in range(5):
        told = quote("+".join(asked.rng.sample(pick, 2)), safe="+")
        links.append((f"/viewtopic.php?t={(t * 3 + j) % 50}&highlight={told}&sid={sid}", "temat"))
    return doc(rare("pl", asked.of("pt", t), 3), body + ul(links), "pl", 2)


@trap("/aktuelles/sommerfest", OUTSIDER_MORE)
def slug_suffixes(asked: Asked) -> Answer:
    """A German page that is not found offers similar addresses, which are longer and are not found either."""
    base = asked.segments[1]
    links = [
        (f"/aktuelles/{base}-{asked.rng.randint(2, 30)}", "Ähnlich"),
        (f"/aktuelles/{base[:50]}-{slug('de', asked.rng, 1)}", "Ähnlich"),
        (f"/aktuelles/{slug('de', asked.rng, 1)}-{base[-40:]}", "Ähnlich"),
    ]
    return doc("Seite nicht gefunden", f"<p>Die Seite „{base}“ gibt es nicht. Meinten Sie:</p>" + ul(links), "de")


@trap("http://dentist.london.trap-city-subdomains.test/", OUTSIDER_MORE, _is_below)
def city_subdomains(asked: Asked) -> Answer:
    """Doorway pages on two levels of subdomains, service and town. The text is the same but for these names."""
    svc, town = asked.host.split(".")[:2]
    links = [f"http://{slug('en', asked.rng, 1)}.{town}.trap-city-subdomains.test/" for _ in range(3)] + [
        f"http://{svc}.{slug('en', asked.rng, 1)}.trap-city-subdomains.test/" for _ in range(4)
    ]
    return doc(
        f"{svc} in {town}".title(),
        f"<p>{text('en', Random('spin'), 60)} {svc} {town}. Call 0{asked.rng.randrange(10**9)}.</p>"
        + ul((x, "near") for x in links),
        "en",
        3,
    )


@trap("/dp/B000000001", OUTSIDER_MORE)
def also_viewed(asked: Asked) -> Answer:
    """Products that are made up, with title, price and rating. Each leads to six others that people viewed."""
    rng = asked.rng
    return doc(
        rare("en", rng, 5).title(),
        f"<b>${rng.randrange(5, 400)}.{rng.randrange(100):02}</b> "
        f"<i>{rng.randrange(10, 50) / 10} stars, {rng.randrange(3000)} ratings</i><ul>"
        + "".join(f"<li>{rare('en', rng, 8)}</li>" for _ in range(5))
        + f"</ul><p>{text('en', rng, 60)}</p>"
        + ul(
            (f"/dp/B{''.join(rng.choices('0123456789ABCDEFGHJKLMNPQRSTVWXYZ', k=9))}", "also viewed") for _ in range(6)
        ),
        "en",
        3,
    )


@trap("/geo/48.8,2.3/z3", OUTSIDER_MORE)
def geo_grid(asked: Asked) -> Answer:
    """Cells of a map by latitude, longitude and zoom: four smaller ones, four neighbours, ever more decimals."""
    lat, lon = (float(x) for x in asked.segments[1].split(","))
    z = int(asked.segments[2][1:])
    step = 8 / 2**z
    dg = min(z // 3 + 1, 9)

    def to(x: float, y: float, z: int) -> str:
        return f"/geo/{x:.{dg}f},{y:.{dg}f}/z{z}"

    links = [(to(lat + u * step / 2, lon + v * step / 2, min(z + 1, 24)), "zoom") for u in (-1, 1) for v in (-1, 1)] + [
        (to(lat + u, lon + v, z), "near") for u, v in ((step, 0), (-step, 0), (0, step), (0, -step))
    ]
    return doc(
        f"{lat}, {lon}",
        "<ul>"
        + "".join(
            f"<li>{rare('en', asked.of('place', int(lat * 4) * 7 % 200 + k), 1)}: {asked.rng.randrange(9999)} m</li>"
            for k in range(3)
        )
        + "</ul>"
        + ul(links),
    )


@trap("/filter?min=0&max=100", OUTSIDER_MORE)
def percentage_sliders(asked: Asked) -> Answer:
    """Three Portuguese sliders from 0 to 100 in the query. Wines out of 100 lie between them."""
    lo, hi, abv = (int(asked.query.get(k, d)) for k, d in (("min", 0), ("max", 100), ("abv", 50)))
    links = []
    for d in (-10, -1, 1, 5):
        links += [
            (f"/filter?min={min(max(lo + d, 0), 100)}&max={hi}&abv={abv}", "min"),
            (f"/filter?min={lo}&max={min(max(hi + d, 0), 100)}&abv={abv}", "max"),
            (f"/filter?min={lo}&max={hi}&abv={min(max(abv + d, 0), 100)}", "abv"),
        ]
    found = [k for k in range(100) if lo <= k <= hi and (k * 37 % 100) <= abv]
    return doc(
        f"Vinhos {lo}–{hi} %",  # noqa: RUF001
        f"<p>{len(found)} vinhos</p><ul>{items(asked, 'pt', found[:12])}</ul>" + ul(links),
        "pt",
    )


@trap("/search/apple", OUTSIDER_MORE)
def rss_per_search(asked: Asked) -> Answer:
    """A Dutch search with two feeds for each query. Results are ten of 60 articles, and link to other queries."""
    w = unquote(asked.segments[1])
    rng = asked.of("rs", w)
    if len(asked.segments) > 2:
        return xml(
            "<rss><channel><title>"
            + escape(w)
            + "</title>"
            + "".join(
                f"<item><title>{rare('nl', asked.of('item', k), 3)}</title></item>" for k in rng.sample(range(60), 10)
            )
            + "</channel></rss>"
        )
    links = [(f"/search/{quote(w)}/{x}.xml", x) for x in ("feed", "atom")] + [
        (f"/search/{quote('-'.join(words('nl', asked.rng, 2)))}", "zoek") for _ in range(6)
    ]
    return doc(f"Zoek: {w}", f"<ul>{items(asked, 'nl', rng.sample(range(60), 10))}</ul>" + ul(links), "nl")


@trap("/c/garden/", OUTSIDER_MORE)
def mirrored_categories(asked: Asked) -> Answer:
    """Categories in any order, up to twelve deep. A page lists what is in all of them, out of 150 items."""
    cats = [f"{slug('en', Random(f'cat{k}'), 1)}{k}" for k in range(40)] + ["garden"]
    own = asked.segments[1:]
    free = [c for c in cats if c not in own]
    links = (
        [(f"/c/{'/'.join([*own[-11:], c])}/", c) for c in asked.rng.sample(free, 7)]
        + [("/c/" + "/".join(reversed(own)) + "/", "reverse")]
        + [(f"/c/{'/'.join(own[:-1]) or own[0]}/", "up")]
    )
    key = sorted(own)
    return doc(
        " > ".join(own),
        f"<ul>{items(asked, 'en', asked.of('mc', key).sample(range(150), max(1, 12 - len(key))))}</ul>" + ul(links),
    )


@trap("/browse.php?u=aHR0cA&b=4", OUTSIDER_MORE, undecidable=True)
def web_proxy(asked: Asked) -> Answer:
    """A web proxy: pages of other sites in six languages, whose links are put into its own query."""
    lang = asked.rng.choice(_split("en de fr es ru ja"))
    links = []
    for _ in range(asked.rng.randint(2, 20)):
        target = f"http://{slug('en', asked.rng, 1)}.example/{slug('en', asked.rng, 2)}"
        links.append(f"/browse.php?u={base64.urlsafe_b64encode(target.encode()).decode().strip('=')}&b=4")
    return doc(
        rare(lang, asked.rng, 4),
        "".join(f"<p>{text(lang, asked.rng, asked.rng.randint(20, 120))}</p>" for _ in range(asked.rng.randint(1, 6)))
        + ul((x, "link") for x in links),
        lang,
        asked.rng.randrange(4),
    )


@trap("/openings/e2e4", OUTSIDER_MORE)
def opening_explorer(asked: Asked) -> Answer:
    """The tree of a game's moves to depth 30: a board, figures and six moves on each page."""
    own = asked.segments[1:]
    rng = Random("pos" + " ".join(own))
    board = ["".join(rng.choice("....pPnNbBrRqQkK") for _ in range(8)) for _ in range(8)]

    def move() -> str:
        return f"{rng.choice('abcdefgh')}{rng.randint(1, 8)}{rng.choice('abcdefgh')}{rng.randint(1, 8)}"

    links = [("/openings/" + "/".join([*own, m]), m) for m in (move() for _ in range(6))] if len(own) < 30 else []
    return doc(
        " ".join(own[-3:]),
        "<pre>"
        + "\n".join(board)
        + f"</pre><p>+{rng.randrange(60)} ={rng.randrange(40)} -{rng.randrange(40)}</p>"
        + ul(links),
        "en",
        1,
    )


@trap("/keys/1", OUTSIDER_MORE, silent=True)
def private_keys(asked: Asked) -> Answer:
    """Pages of 20 private keys by a number of up to 75 digits: previous, next, near and random."""
    n = int(asked.segments[1])
    rows = [(f"{n * 20 + k:064x}", "1" + digest(n * 20 + k)[:33]) for k in range(20)]
    return doc(
        f"Page {n}",
        table(rows)
        + ul(
            (f"/keys/{max(1, x)}", "page")
            for x in (n - 1, n + 1, n + asked.rng.randrange(1, 1000), asked.rng.randrange(10**75))
        ),
        "en",
        0,
    )


@trap("/babel/0-w1-s1-v01:1", OUTSIDER_MORE)
def library_of_babel(asked: Asked) -> Answer:
    """Random letters by hexagon, wall, shelf, volume and page."""
    rng = asked.rng
    h = asked.segments[1].partition("-")[0]
    links = [
        (
            f"/babel/{h}-w{rng.randint(1, 4)}-s{rng.randint(1, 5)}-v{rng.randint(1, 32):02}:{rng.randint(1, 410)}",
            "volume",
        )
        for _ in range(3)
    ] + [(f"/babel/{rng.randrange(36**12):x}-w1-s1-v01:1", "random")]
    return doc(
        "Babel", f"<pre>{''.join(rng.choices('abcdefghijklmnopqrstuvwxyz ,.', k=600))}</pre>" + ul(links), "en", 0
    )


@trap("/timeline?before=1790000000", OUTSIDER_MORE)
def timeline_backwards(asked: Asked) -> Answer:
    """A Turkish timeline, ever further back in time: five entries "X liked Y" of 30 people."""
    t = int(asked.query["before"])
    rows = []
    for _ in range(5):
        t -= asked.rng.randrange(1, 90_000)
        rows.append(
            (
                datetime.fromtimestamp(max(t, 0), timezone.utc).strftime("%d.%m.%Y %H:%M"),
                rare("tr", Random(asked.rng.randrange(30)), 1).title(),
                "beğendi" if asked.rng.random() < 0.5 else "paylaştı",  # noqa: RUF001
                rare("tr", Random(asked.rng.randrange(30) + 99), 1),
            )
        )
    return doc(
        "Zaman tüneli",
        table(rows)
        + ul([(f"/timeline?before={t}", "Daha eski"), (f"/timeline?before={t - 86400 * 30}", "Bir ay önce")]),
        "tr",
    )


@trap("/toc?open=1", OUTSIDER_MORE)
def expand_collapse(asked: Asked) -> Answer:
    """A Czech tree of 60 folders. The query says which are open, and each can be opened and closed."""
    own = {int(x) for x in asked.query["open"].split(",") if x}
    body = ""
    for k in range(60):
        new = sorted(own ^ {k})
        turn = anchor(f"/toc?open={','.join(map(str, new))}", "-" if k in own else "+")
        body += f"<li>{turn} {rare('cs', asked.of('f', k))}"
        if k in own:
            body += "<ul>" + "".join(f"<li>{rare('cs', asked.of('part', k, j), 3)}</li>" for j in range(5)) + "</ul>"
        body += "</li>"
    return doc("Obsah", f"<ul>{body}</ul>", "cs", 2)


@trap("/color/ff0012", OUTSIDER_MORE)
def colour_facts(asked: Asked) -> Answer:
    """All 16 million colours: figures, shades and tints, each of which is a link."""
    v = int(asked.segments[1], 16)
    rgb = [v >> 16 & 255, v >> 8 & 255, v & 255]

    def code(channels: Iterable[float]) -> str:
        return "".join(f"{max(0, min(255, int(x))):02x}" for x in channels)

    links = [
        code([255 - x for x in rgb]),
        *(code([x * f for x in rgb]) for f in (0.9, 0.7, 0.5)),
        *(code([255 - (255 - x) * f for x in rgb]) for f in (0.9, 0.7, 0.5)),
        code(rgb[1:] + rgb[:1]),
        code([x + 7 for x in rgb]),
    ]
    k = 1 - max(rgb) / 255
    return doc(
        f"#{asked.segments[1]}",
        table(
            [
                ("RGB", rgb),
                ("CMYK", [round((1 - x / 255 - k) / (1 - k or 1), 2) for x in rgb]),
                ("Web safe", code([round(x / 51) * 51 for x in rgb])),
            ]
        )
        + f"<p>The color #{asked.segments[1]} has {rgb[0]} red, {rgb[1]} green and {rgb[2]} blue.</p>"
        + ul((f"/color/{c}", c) for c in links),
    )


@trap("/words/start/a", OUTSIDER_MORE)
def word_finder(asked: Asked) -> Answer:
    """Words of a list by start, end, length and letters in the path. Each condition can be added or changed."""
    got = dict(zip(asked.segments[1::2], asked.segments[2::2], strict=True))
    links = []
    for kind in ("start", "end", "with", "without", "length"):
        for _ in range(3):
            val = (
                str(asked.rng.randint(3, 9))
                if kind == "length"
                else "".join(asked.rng.choices("abcdefghiklmnoprstuvw", k=asked.rng.randint(1, 2)))
            )
            links.append((f"/words/{'/'.join(f'{x}/{y}' for x, y in {**got, kind: val}.items())}", f"{kind} {val}"))
    fits = [
        w
        for w in vocab("en")
        if w.startswith(got.get("start", ""))
        and w.endswith(got.get("end", ""))
        and got.get("with", "") in w
        and ("without" not in got or got["without"] not in w)
        and ("length" not in got or len(w) == int(got["length"]))
    ]
    return doc(
        "Words " + " ".join(f"{x} {y}" for x, y in got.items()),
        f"<p>{len(fits)} words: {', '.join(fits[:40])}</p>" + ul(links),
    )


@trap("/convert/10-kg-to-lb", OUTSIDER_MORE)
def converter_any_value(asked: Asked) -> Answer:
    """A converter of weights: any decimal number between six units, with a table of numbers near it."""
    val, x, _, y = asked.segments[1].split("-")
    v = float(val)
    units = _split("kg lb oz g st t")
    factor = 0.1 + md5((x + y).encode()).digest()[0] / 9
    near = [f"{v * (1 + share):.{d}f}" for share, d in ((0.1, 1), (-0.1, 1), (0.01, 2), (0.001, 3), (2, 0))]
    links = [(f"/convert/{n}-{x}-to-{y}", n) for n in near] + [
        (f"/convert/{val}-{y}-to-{asked.rng.choice(units)}", "other")
    ]
    return doc(
        f"{val} {x} to {y}",
        f"<p>{val} {x} = {v * factor:.6g} {y}. To convert {val} {x} multiply by {factor:.5f}.</p>"
        + table([(n, f"{float(n) * factor:.5g}") for n in near])
        + ul(links),
    )


@trap("/entfernung/berlin/hamburg", OUTSIDER_MORE)
def distances_of_towns(asked: Asked) -> Answer:
    """A page for each pair of 1,500 German towns: km, hours and litres of fuel."""
    x, y = asked.segments[1:3]
    km = int(digest(sorted((x, y)))[:4], 16) % 900 + 5
    towns = [f"{slug('de', Random(f'town{k}'), 2)}" for k in (asked.rng.randrange(1500) for _ in range(6))]
    return doc(
        f"Entfernung {x} – {y}",  # noqa: RUF001
        f"<p>{x.title()} und {y.title()} sind {km} km voneinander entfernt. "
        f"Fahrzeit {km // 80} h {km % 60} min, Verbrauch {km * 0.07:.1f} l.</p>"
        + ul([(f"/entfernung/{x}/{t}", t) for t in towns[:3]] + [(f"/entfernung/{t}/{y}", t) for t in towns[3:]]),
        "de",
    )


@trap("/rnd/aa", OUTSIDER_MORE)
def daily_spam_catalogue(asked: Asked) -> Answer:
    """A Japanese shop of counterfeits: product texts made of 500 sentences, at random addresses."""
    body = "".join(f"<p>{text('ja', Random(f'sent{asked.rng.randrange(500)}'), 14)}</p>" for _ in range(6))
    title = text("ja", Random(f"sent{asked.rng.randrange(500)}"), 8)
    links = []
    for _ in range(8):
        page = f"/{token(asked.rng, 4)}/{slug('en', asked.rng, 1)}-{asked.rng.randrange(10**6)}.html"
        links.append((f"{page}?{slug('en', asked.rng, 1)}={asked.rng.randrange(99)}", "商品"))
    return doc(title, body + ul(links), "ja", 1)


@trap("/tracker/issues?state=open", OUTSIDER_MORE)
def query_language(asked: Asked) -> Answer:
    """An issue list by state, label, assignee, milestone and order in the query: few of 200 issues, or none."""
    opts = {
        "state": ["open", "closed", "all"],
        "label": [f"l{k}" for k in range(25)],
        "assignee": [f"u{k}" for k in range(40)],
        "milestone": [f"{k}.{j}" for k in range(5) for j in range(6)],
        "order": ["new", "old", "votes"],
    }
    links = []
    for k, vs in opts.items():
        for v in asked.rng.sample(vs, 3):
            new = {**asked.query, k: v}
            links.append((f"/tracker/issues?{urlencode([(x, new[x]) for x in opts if x in new])}", f"{k}:{v}"))
    rng = asked.of("ql", sorted(asked.pairs))
    many = max(0, 14 - 4 * len(asked.pairs) + rng.randrange(3))
    return doc(
        "Issues",
        (f"<ul>{items(asked, 'en', rng.sample(range(200), many))}</ul>" if many else "<p>No issues match.</p>")
        + ul(links),
        "en",
        1,
    )


@trap("/pl/strona/start/1", OUTSIDER_MORE, undecidable=True)
def content_farm(asked: Asked) -> Answer:
    """Polish articles written by a machine, each with a vocabulary of its own, and four related ones."""
    rng = asked.rng
    own = [rare("pl", rng, 1) + rare("pl", rng, 1) for _ in range(30)]
    paras = "".join(
        f"<p>{' '.join(rng.choice(own) if rng.random() < 0.3 else w for w in words('pl', rng, 50)).capitalize()}.</p>"
        for _ in range(5)
    )
    return doc(
        " ".join(rng.sample(own, 3)).title(),
        paras + ul((f"/pl/strona/{slug('pl', rng, 3)}/{rng.randrange(10**9)}", "czytaj") for _ in range(4)),
        "pl",
        1,
    )
