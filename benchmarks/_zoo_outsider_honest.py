"""Honest sites of an outsider, from a library's catalogue to a museum (see `_zoo_outsider`)."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random
from urllib.parse import quote, unquote

from _zoo import Answer, Asked, Site, honest
from _zoo_honest import _split
from _zoo_outsider import anchor, doc, pager, rare, slug, table, text, ul, words

OUTSIDER_HONEST: list[Site] = []


@honest(OUTSIDER_HONEST)
def opac_catalogue(asked: Asked) -> Answer:
    """A Czech library: letters lead to headings, these to each other and to 900 records with authors."""
    parts, lang = asked.segments, "cs"
    heads, recs, auths = 180, 900, 200
    if not parts:
        return doc("Katalog", ul((f"/rejstrik/{c}", c) for c in "abcdefghijklmnopqr"), lang, 2)
    if parts[0] == "rejstrik":
        at = "abcdefghijklmnopqr".index(parts[1])
        return doc(
            f"Rejstřík {parts[1]}",
            ul((f"/heslo/{n}", rare(lang, asked.of("h", n))) for n in range(at * 10, at * 10 + 10)),
            lang,
            2,
        )
    n = int(parts[1])
    rng = asked.of(parts[0], n)
    if parts[0] == "heslo":
        own = [*range(n, recs, heads), *(rng.randrange(recs) for _ in range(6))]
        return doc(
            f"Heslo: {rare(lang, asked.of('h', n))}",
            "<p>viz též:</p>"
            + ul((f"/heslo/{k}", rare(lang, asked.of("h", k))) for k in {rng.randrange(heads) for _ in range(5)})
            + ul((f"/zaznam/{k:06}", rare(lang, asked.of("z", k), 3)) for k in dict.fromkeys(own)),
            lang,
            2,
        )
    if parts[0] == "autor":
        return doc(
            rare(lang, asked.of("a", n)).title(),
            ul((f"/zaznam/{k:06}", rare(lang, asked.of("z", k), 3)) for k in range(n, recs, auths)),
            lang,
            2,
        )
    au = n % auths
    return doc(
        rare(lang, asked.of("z", n), 3),
        table(
            [
                ("Autor", anchor(f"/autor/{au}", rare(lang, asked.of("a", au)).title())),
                ("Vydáno", 1880 + rng.randrange(140)),
                ("ISBN", rng.randrange(10**9, 10**10)),
                ("Signatura", f"{rng.randrange(100)} {rng.choice('ABCDEF')} {rng.randrange(9999)}"),
            ]
        )
        + ul((f"/heslo/{k}", rare(lang, asked.of("h", k))) for k in {n % heads, rng.randrange(heads)}),
        lang,
        2,
    )


_PARTS = _split(
    "flauto oboe clarinetto fagotto corno tromba timpani violino-1 violino-2 viola violoncello contrabbasso partitura"
)


@honest(OUTSIDER_HONEST)
def spartiti_parti(asked: Asked) -> Answer:
    """Italian sheet music: composers, works, a page for each part that says "Parte: viola. 3 pp. PDF", no more."""
    parts, lang = asked.segments, "it"
    if not parts:
        return doc(
            "Archivio di spartiti",
            ul((f"/compositore/{n}/", rare(lang, asked.of("c", n)).title()) for n in range(25)),
            lang,
        )
    n = int(parts[1])
    if len(parts) == 2:
        return doc(
            rare(lang, asked.of("c", n)).title(),
            ul((f"opera-{k}/", f"{rare(lang, asked.of('o', n, k))}, op. {k}") for k in range(1, 6)),
            lang,
        )
    if len(parts) == 3:
        k = int(parts[2].split("-")[1])
        return doc(
            f"{rare(lang, asked.of('o', n, k))}, op. {k}",
            ul((f"{p}.html", p) for p in asked.of("p", n, k).sample(_PARTS, 12)),
            lang,
        )
    part = parts[3][:-5]
    return doc("Scarica", f"<p>Parte: {part}. {asked.rng.randint(1, 9)} pp. PDF</p>", lang)


def _acc(rng: Random) -> str:
    return (
        rng.choice("OPQ")
        + str(rng.randrange(10))
        + "".join(rng.choices("ABCDEFGHKLMNRSTVXYZ0123456789", k=3))
        + str(rng.randrange(10))
    )


@lru_cache(maxsize=8)
def _accs(seed: int, many: int) -> tuple[list[str], dict[str, int]]:
    rng = Random(f"acc{seed}")
    found = list(dict.fromkeys(_acc(rng) for _ in range(many * 2)))[:many]
    return found, {x: i for i, x in enumerate(found)}


@honest(OUTSIDER_HONEST)
def protein_database(asked: Asked) -> Answer:
    """Proteins: a sequence, and links to other entries and terms. Most of 1,500 are reached by such links alone."""
    parts = asked.segments
    accs, at = _accs(asked.seed, 1500)
    if not parts:
        return doc("ProtBase", "<p>Statistics: 1500 entries.</p>" + ul((f"/entry/{x}", x) for x in accs[:10]), "en", 3)
    if parts[0] == "go":
        n = int(parts[1][3:])
        return doc(
            f"GO:{n:07}",
            f"<p>{text('en', asked.of('go', n), 20)}</p>"
            + ul((f"/entry/{accs[k]}", accs[k]) for k in range(n % 150, 1500, 150)),
            "en",
            3,
        )
    n = at[parts[1]]
    rng = asked.of("e", n)
    seq = "".join(rng.choices("ACDEFGHIKLMNPQRSTVWY", k=rng.randint(80, 400)))
    near = {min(2 * n + 1, 1499), min(2 * n + 2, 1499), *(rng.randrange(1500) for _ in range(4))}
    return doc(
        parts[1],
        table([("Length", len(seq)), ("Mass", len(seq) * 110 + rng.randrange(99)), ("Organism", rare("la", rng))])
        + f"<pre>{seq}</pre>"
        + ul((f"/entry/{accs[k]}", accs[k]) for k in near)
        + ul((f"/go/GO:{k:07}", f"GO:{k:07}") for k in {n % 150, rng.randrange(150)}),
        "en",
        3,
    )


@honest(OUTSIDER_HONEST)
def acordaos_citados(asked: Asked) -> Answer:
    """Portuguese court decisions in the same formulas. The lists show every third, the others are only cited."""
    parts, lang = asked.segments, "pt"
    if not parts:
        return doc("Jurisprudência", ul((f"/ano/{y}", y) for y in range(1998, 2018)), lang)
    if parts[0] == "ano":
        y = int(parts[1])
        return doc(
            f"Acórdãos de {y}",
            ul((f"/acordao/{n}-{y % 100:02}.TBPRT", f"Proc. {n}/{y}") for n in range(0, 60, 3)),
            lang,
        )
    n, y = int(parts[1].split("-")[0]), int(parts[1].split("-")[1][:2])
    rng = asked.of("ac", n, y)
    cited = {f"/acordao/{k}-{y:02}.TBPRT" for k in (n + 1, n + 2) if n % 3 == 0}
    older = (1998 + rng.randrange(20)) % 100
    cited.add(f"/acordao/{rng.randrange(60)}-{older:02}.TBPRT")
    rulings = (
        "Nega-se provimento ao recurso.",
        "Concede-se provimento ao recurso.",
        "Rejeita-se o recurso por inadmissível.",
    )
    return doc(
        f"Acórdão {n}/{y:02}",
        f"<p>Relator: {rare(lang, asked.of('rel', rng.randrange(12))).title()}</p>"
        f"<p>Acordam os juízes no Tribunal: {rng.choice(rulings)} Custas pelo recorrente. Notifique.</p>"
        f"<p>{text(lang, rng, rng.choice((6, 6, 6, 200)))}</p>" + ul((c, "citado") for c in sorted(cited)),
        lang,
    )


@honest(OUTSIDER_HONEST)
def forum_nastepny_temat(asked: Asked) -> Answer | None:
    """A Polish forum with full quotes of the posts before. Most threads are reached by "next thread" alone."""
    parts, lang = asked.segments, "pl"
    if not parts:
        return doc("Forum", ul((f"/dzial/{n}", rare(lang, asked.of("d", n))) for n in range(6)), lang, 2)
    n = int(parts[1].split("-")[0])
    if parts[0] == "dzial":
        return doc(
            rare(lang, asked.of("d", n)), ul((_temat(asked, k), "temat") for k in range(n * 150, n * 150 + 5)), lang, 2
        )
    pages = asked.of("many", n).choice((1, 1, 1, 2, 3))
    page = int(asked.query.get("strona", 1))
    if page > pages:
        return None
    posts, last = "", ""
    for k in range(6):
        rng = asked.of("post", n, page, k)
        own = text(lang, rng, rng.choice((3, 5, 10, 30)))
        posts += (
            f"<div class=post><b>user{rng.randrange(300)}</b>"
            + (f"<blockquote>{last}</blockquote>" if last else "")
            + f"<p>{own}</p></div>"
        )
        last = (f"<blockquote>{last}</blockquote>" if last and len(last) < 2500 else "") + own
    links = [(f"{_temat(asked, n)}?strona={page + 1}", "dalej")] if page < pages else []
    if n % 150 != 149:
        links.append((_temat(asked, n + 1), "następny temat »"))
    if n % 150:
        links.append((_temat(asked, n - 1), "« poprzedni temat"))
    return doc(rare(lang, asked.of("t", n), 3), posts + ul(links), lang, 2)


def _temat(asked: Asked, n: int) -> str:
    return f"/temat/{n}-{slug('pl', asked.of('t', n), 3)}"


@honest(OUTSIDER_HONEST)
def antavla_sosa(asked: Asked) -> Answer:
    """A Swedish pedigree: n leads to 2n (father) and 2n + 1 (mother), ten times. Most are "Okänd" (unknown)."""
    parts, lang = asked.segments, "sv"
    if not parts:
        return doc("Släkten", ul([("/anor/1", "Antavla")]), lang, 0)
    n = int(parts[1])
    rng = asked.of("p", n)
    body = "<p>Okänd.</p>"
    if n <= 63 or rng.random() >= 0.7:
        name, born = rare(lang, rng).title(), 2000 - 28 * n.bit_length() + rng.randrange(12)
        body = f"<p>{name}, f. {born} i {rare(lang, rng, 1).title()}.</p>"
    links = [(f"/anor/{n // 2}", "barn")] if n > 1 else []
    if n < 512:
        links += [(f"/anor/{2 * n}", "fader"), (f"/anor/{2 * n + 1}", "moder")]
    return doc(f"Ana {n}", body + ul(links), lang, 0)


@honest(OUTSIDER_HONEST)
def partidas_ajedrez(asked: Asked) -> Answer:
    """A Spanish chess database: codes of openings lead to games, which are moves and a result."""
    path, lang = asked.path, "es"
    if path == "/":
        return doc("Base de partidas", ul((f"/eco.php?c={c}", c) for c in "ABCDE"), lang, 2)
    if path == "/eco.php":
        c = asked.query["c"]
        if len(c) == 1:
            return doc(f"Aperturas {c}", ul((f"/eco.php?c={c}{k:02}", f"{c}{k:02}") for k in range(100)), lang, 2)
        rng = asked.of("eco", c)
        return doc(
            c,
            f"<p>{rare(lang, rng)}</p>"
            + ul((f"/partida.php?g={rng.randrange(10**6)}&eco={c}", "partida") for _ in range(rng.randrange(6))),
            lang,
            2,
        )
    rng = asked.rng
    moves = " ".join(f"{k}. {_move(rng)} {_move(rng)}" for k in range(1, rng.randint(12, 60)))
    return doc(
        f"{rare(lang, rng, 1).title()} - {rare(lang, rng, 1).title()}",
        f"<p>{moves} {rng.choice(('1-0', '0-1', '½-½'))}</p>",
        lang,
        2,
    )


def _move(rng: Random) -> str:
    return rng.choice(("", "", "N", "B", "R", "Q", "K")) + rng.choice("abcdefgh") + rng.choice("12345678")


@honest(OUTSIDER_HONEST)
def szotar_szomszedok(asked: Asked) -> Answer:
    """A Hungarian dictionary of 2,600 entries of one line. Each links to the two before and the two after it only."""
    parts, lang = asked.segments, "hu"
    if not parts:
        return doc("Szótár", ul([(_szo(asked, 0), "A")]), lang, 1)
    n = int(parts[1].rsplit("-", 1)[1])
    return doc(
        rare(lang, asked.of("szo", n), 1),
        f"<p><i>fn.</i> {' '.join(words(lang, asked.of('j', n), asked.of('k', n).randint(1, 5)))}</p>"
        + ul((_szo(asked, n + d), rare(lang, asked.of("szo", n + d), 1)) for d in (-2, -1, 1, 2) if 0 <= n + d < 2600),
        lang,
        1,
    )


def _szo(asked: Asked, n: int) -> str:
    return f"/szo/{quote(slug('hu', asked.of('szo', n), 1))}-{n}"


@honest(OUTSIDER_HONEST)
def vaerstasjoner(asked: Asked) -> Answer:
    """Norwegian weather stations by month, with previous and next. Two thirds say "Ingen data" (no data)."""
    parts, lang = asked.segments, "no"
    if not parts:
        return doc(
            "Klimaarkiv", ul((f"/stasjon/{n * 410 + 99}/", rare(lang, asked.of("st", n))) for n in range(14)), lang, 1
        )
    n = int(parts[1])
    if len(parts) == 2:
        return doc(f"Stasjon {n}", ul((f"/stasjon/{n}/{y}-01", y) for y in range(1961, 1972)), lang, 1)
    y, m = map(int, parts[2].split("-"))
    at = y * 12 + m - 1
    rng = asked.rng
    body = (
        "<p>Ingen data for denne måneden.</p>"
        if rng.random() < 0.66
        else table(
            [("Dato", "Maks", "Min", "Nedbør")]
            + [
                (
                    d,
                    f"{rng.gauss(8 - abs(m - 7) * 3, 4):.1f}",
                    f"{rng.gauss(1 - abs(m - 7) * 3, 4):.1f}",
                    f"{max(0, rng.gauss(0, 5)):.1f}",
                )
                for d in range(1, 29)
            ]
        )
    )
    return doc(
        f"{n}: {m:02}/{y}",
        body
        + ul((f"/stasjon/{n}/{t // 12}-{t % 12 + 1:02}", "«»") for t in (at - 1, at + 1) if 1961 * 12 <= t < 1972 * 12),
        lang,
        1,
    )


@honest(OUTSIDER_HONEST)
def bushaltes(asked: Asked) -> Answer:
    """Dutch bus stops and lines: a stop is a name and its lines, a line has a page of minutes for each stop."""
    parts, lang = asked.segments, "nl"
    if not parts:
        return doc("Busboekje", ul((f"/lijn/{n}", f"Lijn {n}") for n in range(1, 31)), lang, 3)
    n = int(parts[1])
    stops = [asked.of("l", n, k).randrange(350) for k in range(20)] if parts[0] == "lijn" else []
    if parts[0] == "lijn" and len(parts) == 2:
        return doc(
            f"Lijn {n}",
            ul(
                (f"/lijn/{n}/{d}/{k}", f"{d} {rare(lang, asked.of('h', h))}")
                for d in ("heen", "terug")
                for k, h in enumerate(stops)
            ),
            lang,
            3,
        )
    if parts[0] == "lijn":
        k, rng = int(parts[3]), asked.rng
        return doc(
            f"Lijn {n} {parts[2]}",
            table([(f"{h:02}", " ".join(f"{x:02}" for x in sorted(rng.sample(range(60), 3)))) for h in range(6, 23)])
            + anchor(f"/halte/{stops[k]}", "halte"),
            lang,
            3,
        )
    return doc(
        f"Halte {rare(lang, asked.of('h', n))}",
        ul((f"/lijn/{k}", f"Lijn {k}") for k in {asked.of("hl", n, j).randint(1, 30) for j in range(3)}),
        lang,
        3,
    )


@honest(OUTSIDER_HONEST)
def tarifler_malzeme(asked: Asked) -> Answer:
    """Turkish recipes that only lists by ingredient and meal, in the query, lead to. Many of these lists are empty."""
    lang = "tr"
    m_all = [f"{slug(lang, Random(f'm{k}'), 1)}-{k}" for k in range(40)]
    o_all = _split("kahvalti ogle aksam tatli corba salata")
    if asked.path == "/":
        return doc("Tarifler", ul((f"/tarifler?malzeme={m}", m) for m in m_all), lang, 1)
    if asked.path == "/tarifler":
        m = asked.query["malzeme"]
        if "ogun" not in asked.query:
            return doc(m, ul((f"/tarifler?malzeme={m}&ogun={o}", o) for o in o_all), lang, 1)
        rng = asked.of("list", m, asked.query["ogun"])
        found = [rng.randrange(700) for _ in range(rng.choice((0, 0, 2, 5, 12)))]
        return doc(
            f"{m}, {asked.query['ogun']}",
            ul((_tarif(asked, n), rare(lang, asked.of("ta", n), 3)) for n in found)
            if found
            else "<p>Sonuç bulunamadı.</p>",  # noqa: RUF001
            lang,
            1,
        )
    n = int(asked.path.rsplit("-", 1)[1])
    rng = asked.of("body", n)
    return doc(
        rare(lang, asked.of("ta", n), 3),
        ul((f"/tarifler?malzeme={m}", m) for m in rng.sample(m_all, 4)) + f"<p>{text(lang, rng, 90)}</p>",
        lang,
        1,
    )


def _tarif(asked: Asked, n: int) -> str:
    return f"/tarif/{quote(slug('tr', asked.of('ta', n), 3))}-{n}"


@honest(OUTSIDER_HONEST)
def puhelinluettelo(asked: Asked) -> Answer:
    """A Finnish phone book: ranges of 1,000 and 100 numbers, then a name or "Ei julkinen" (not public)."""
    parts, lang = asked.segments, "fi"
    if not parts:
        return doc("Numerohaku", ul((f"/040{n}000-040{n}999/", f"040 {n}000") for n in (1, 4, 7)), lang, 1)
    lo, _, hi = parts[0].partition("-")
    if not hi:
        rng = asked.rng
        return doc(lo, f"<p>{lo}: {'Ei julkinen' if rng.random() < 0.5 else rare(lang, rng).title()}</p>", lang, 1)
    if int(hi) - int(lo) > 100:
        return doc(
            parts[0],
            ul((f"/0{int(lo) + k}-0{int(lo) + k + 99}/", f"0{int(lo) + k}") for k in range(0, 1000, 100)),
            lang,
            1,
        )
    rng = asked.rng
    return doc(
        parts[0], ul((f"/0{int(lo) + k}", f"0{int(lo) + k}") for k in sorted(rng.sample(range(100), 60))), lang, 1
    )


_COMPONENTS = _split("general layout network printing security installer mail themes build docs search sync")


@honest(OUTSIDER_HONEST)
def bugzilla(asked: Asked) -> Answer:
    """A bug tracker: half of the bugs are one line and a link to the bug that they duplicate. Lists have pages."""
    if asked.path == "/":
        return doc("Bugzilla", ul((f"/buglist.cgi?component={c}", c) for c in _COMPONENTS), "en", 2)
    if asked.path == "/buglist.cgi":
        at, page = _COMPONENTS.index(asked.query["component"]), int(asked.query.get("page", 1))
        ids = range(at + (page - 1) * 600, min(at + page * 600, 2400), 12)
        return doc(
            f"Component {_COMPONENTS[at]}",
            ul((f"/show_bug.cgi?id={n}", f"Bug {n}") for n in ids)
            + pager(f"/buglist.cgi?component={_COMPONENTS[at]}", page, 4),
            "en",
            2,
        )
    n = int(asked.query["id"])
    rng = asked.of("bug", n)
    if rng.random() < 0.55 and n > 20:
        k = rng.randrange(n)
        told = rng.choice(("crash", "It does not work", "same here", "see summary"))
        same = anchor(f"/show_bug.cgi?id={k}", f"bug {k}")
        return doc(
            f"Bug {n}", f"<p>{told}</p><p>*** This bug has been marked as a duplicate of {same} ***</p>", "en", 2
        )
    return doc(
        f"Bug {n} - {rare('en', rng, 4)}",
        "".join(f"<pre>{text('en', rng, rng.choice((8, 30, 60)))}</pre>" for _ in range(rng.randint(1, 4)))
        + f"<p>Blocks: {anchor(f'/show_bug.cgi?id={rng.randrange(2400)}', 'bug')}</p>",
        "en",
        2,
    )


_FOLDERS = _split("drivers fs kernel lib net mm")


@honest(OUTSIDER_HONEST)
def lxr_source(asked: Asked) -> Answer:
    """Source code in which each identifier leads to a page that lists files and lines."""
    parts = asked.segments
    if not parts:
        return doc("LXR", ul((f"/lxr/source/{d}/", d) for d in _FOLDERS), "en", 0)
    if parts[1] == "ident":
        i = asked.query["i"]
        k = int(i.rsplit("_", 1)[1])
        rng = asked.of("id", k)
        return doc(
            i,
            "<p>Referenced in:</p>"
            + ul(
                (_lxr(n) + f"#L{rng.randrange(400)}", f"line {rng.randrange(400)}")
                for n in {k % 360, rng.randrange(360)}
            ),
            "en",
            0,
        )
    if asked.path.endswith("/"):
        d = _FOLDERS.index(parts[2])
        return doc(asked.path, ul((_lxr(n), _lxr(n).rsplit("/", 1)[1]) for n in range(d * 60, d * 60 + 60)), "en", 0)
    n = int(re.sub(r".*?(\d+)\.c", r"\1", asked.path))
    rng = asked.of("src", n)
    ids = [n, n + 360, n + 720] + [int(1080 * rng.random() ** 3) for _ in range(25)]
    code = "\n".join(
        f"<a name='L{x}'>{x:4}</a> {rng.choice(('static int', 'return', 'if (!', 'goto', '*p ='))} "
        f"{anchor(f'/lxr/ident?i={_ident(asked, k)}', _ident(asked, k))}({rng.randrange(64)});"
        for x, k in enumerate(ids)
    )
    return doc(asked.path, f"<pre>{code}</pre>", "en", 0)


def _lxr(n: int) -> str:
    return f"/lxr/source/{_FOLDERS[n // 60]}/{slug('en', Random(n), 1)}{n}.c"


def _ident(asked: Asked, k: int) -> str:
    return f"{'_'.join(rare('en', asked.of('i', k), 2).split())}_{k}"


@honest(OUTSIDER_HONEST)
def akinita(asked: Asked) -> Answer | None:
    """Greek real estate: pages of adverts by town and type. An advert is three figures and a phone number."""
    parts, lang = asked.segments, "el"
    if not parts:
        return doc(
            "Ακίνητα",
            ul((f"/{c}/", c) for c in _split("athina patra volos chania larisa ioannina kavala rodos")),
            lang,
            3,
        )
    if parts[0] == "aggelia":
        rng = asked.rng
        return doc(
            f"Κωδ. {parts[1]}",
            f"<p>{rng.randint(25, 180)} τ.μ., {rng.randint(0, 7)}ος όροφος, {rng.randint(30, 400)}.000 €. "
            f"Τηλ. 2{rng.randrange(10**8, 10**9)}</p><img src='/f/{parts[1]}.jpg'>",
            lang,
            3,
        )
    if len(parts) == 1:
        return doc(parts[0], ul((f"/{parts[0]}/{t}/", t) for t in _split("polisi enoikiasi oikopeda garage")), lang, 3)
    page = int(asked.query.get("page", 1))
    last = asked.of("n", parts).randint(1, 9)
    if page > last:
        return None
    rng = asked.of("l", parts, page)
    return doc(
        f"{parts[0]} {parts[1]}",
        ul((f"/aggelia/{rng.randrange(10**7)}", "Αγγελία") for _ in range(10))
        + pager(f"/{parts[0]}/{parts[1]}/", page, last),
        lang,
        3,
    )


@honest(OUTSIDER_HONEST)
def cangpin(asked: Asked) -> Answer:
    """A Chinese museum: rooms list objects. An object is a picture and a number, and links to the next."""
    parts, lang = asked.segments, "zh"
    if not parts:
        return doc("博物馆", ul((f"/{quote('展厅')}/{n}", f"第{n}展厅") for n in range(1, 21)), lang, 1)
    n = int(parts[1])
    if unquote(parts[0]) == "展厅":
        return doc(f"第{n}展厅", ul((f"/{quote('藏品')}/{k:06}", "图") for k in range(n * 100, n * 100 + 70)), lang, 1)
    rng = asked.of("c", n)
    sides = [(f"/{quote('藏品')}/{n + d:06}", t) for d, t in ((-1, "上一件"), (1, "下一件")) if 0 <= n % 100 + d < 70]
    return doc("藏品", f"<img src='/img/{n:06}.jpg'><p>故{rng.randrange(10**8):08}</p>" + ul(sides), lang, 1)
