"""Fourteen traps in fourteen languages, each on the small honest site of `Site`, by who made `_zoo_guest_honest`."""

# ruff: noqa: RUF001, E501, SIM905 - other alphabets, and many kinds of pages a site
# fmt: off

from __future__ import annotations

import random as chance
from datetime import datetime, timedelta, timezone
from functools import partial
from hashlib import md5
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from _zoo_guest_base import EN, Lang, Made, a, doc, moved, registered, slug, table, ul

if TYPE_CHECKING:
    from _zoo import Asked, Site

GUEST: list[Site] = []

NL = Lang("nl", "de en van het een in is dat op te zijn met voor niet aan er om nieuws vereniging agenda contact leden wedstrijd uitslag bestuur sporthal jeugd training foto seizoen")
SK = Lang("sk", "a v na sa je že z do s to kabát topánky cena farba veľkosť zľava nový pánske dámske detské zimné letné bavlna koža značka sklad doprava")
ID = Lang("id", "yang dan di dari ini untuk dengan tidak itu dalam pada adalah dia saya akan bab malam hutan naga pedang raja putri guru murid gunung desa hati api angin rumah jalan kata mata tangan lalu kemudian tetapi sudah belum kembali datang pergi melihat")
FR = Lang("fr", "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se maison jardin recette voyage prix avis photo vidéo achat guide conseil santé chien chat voiture cheval hôtel plage montagne")
IT = Lang("it", "di e il la che in un a per è una sono mi si lo ha cucina pasta vino viaggio mare arte musica libro cinema foto sole città storia natura estate inverno bambini festa")
CS = Lang("cs", "a se na je v že s o do telefon displej paměť procesor baterie fotoaparát hmotnost výška šířka barva záruka cena rozlišení nabíjení konektor skladem výrobce")
RO = Lang("ro", "și în de la a cu nu este pe din pagina căutare produs știri oraș magazin contact despre servicii oferte reduceri blog ajutor livrare cont coș")
DE = Lang("de", "der die und in den von zu das mit sich des auf Dienst Fehler Warnung Verbindung Anfrage gestartet beendet Zeitüberschreitung Benutzer Sitzung Datenbank Speicher Knoten Warteschlange abgelehnt wiederholt angemeldet")
LT = Lang("lt", "ir yra kad su į iš tai buvo per kaip miestas upė ežeras kalnas istorija karalius valstybė bažnyčia metais amžius žmonės kalba kultūra menas mokslas gyventojai rajonas")
RU = Lang("ru", "и в не на что с как это по из музыка песня альбом группа плейлист слушать перемешать дальше трек минута жанр рок джаз случайно")

trap = partial(registered, GUEST)


@trap("/cuenta/9.12.11.5.18", silent=True)
def cuenta_larga(asked: Asked) -> Made | None:
    """Spanish: the Long Count of the Maya, on and on."""
    if len(asked.segments) != 2 or asked.segments[0] != "cuenta":
        return None
    try:
        count = [int(part) for part in asked.segments[1].split(".")]
    except ValueError:
        return None
    size = [144_000, 7_200, 360, 20, 1]
    if len(count) != len(size):
        return None
    day = sum(c * s for c, s in zip(count, size, strict=True))

    def label(n: int) -> str:
        out = []
        for s in size:
            out.append(str(n // s))
            n %= s
        return ".".join(out)

    signs = "imix ik akbal kan chicchan cimi manik lamat muluc oc chuen eb ben ix men cib caban etznab cauac ahau".split()
    steps = (("día siguiente", 1), ("uinal siguiente", 20), ("tun siguiente", 360), ("katún siguiente", 7200), ("día anterior", -1))
    links = [a(f"/cuenta/{label(day + d)}", t) for t, d in steps if day + d >= 0]
    return doc("es", f"Cuenta larga {label(day)}", f"<h1>{label(day)}</h1><p>{(day + 3) % 13 + 1} {signs[(day + 19) % 20]}</p>"
        f"<p>No hay ceremonias en este día.</p>{ul(links)}")


@trap("/index.php/nieuws/overzicht/", silent=True)
def sportvereniging_de_eik(asked: Asked) -> Made | None:
    """Dutch: links without a leading slash below index.php."""
    if not asked.path.startswith("/index.php/"):
        return None
    last = asked.segments[-1] if asked.segments else ""
    known = {"overzicht": 1, "nieuws": 2, "agenda": 3, "uitslagen": 4, "leden": 5, "bestuur": 6, "index.php": 1, "jeugd": 7}
    if last not in known:
        return None
    rng = asked.of("nl", known[last])
    menu = ul(a(h, h.strip("/").split("/")[-1]) for h in ("nieuws/overzicht/", "agenda/", "uitslagen/jeugd/", "leden/bestuur/"))
    return doc("nl", NL.title(rng, 3), f"<div id=menu>{menu}</div><h1>{last}</h1>{NL.paras(rng, 3)}")


@trap("/oblecenie/filter/cena-10-90", silent=True)
def kabatik_eshop(asked: Asked) -> Made | None:
    """Slovak: a filter of prices, colours and sizes that only grows."""
    seg = asked.segments
    if len(seg) < 3 or seg[:2] != ["oblecenie", "filter"] or len(seg) > 60:
        return None
    lo, hi = 0, 1_000
    for part in seg[2:]:
        bits = part.split("-")
        if bits[0] == "cena" and len(bits) == 3 and bits[1].isdecimal() and bits[2].isdecimal():
            lo, hi = max(lo, int(bits[1])), min(hi, int(bits[2]))
    goods = [(SK.title(asked.of("good", n), 2), asked.of("price", n).randrange(5, 300)) for n in range(60)]
    show = ul(f"{g} {p} €" for g, p in goods if lo <= p <= hi) if lo < hi else "<p>Žiadny tovar nezodpovedá filtru.</p>"
    rng = asked.rng
    base = asked.path.rstrip("/")
    links = [a(f"{base}/cena-{lo + rng.randrange(0, 9)}-{hi - rng.randrange(0, 9)}", "upraviť cenu")]
    filters = [*(("farba", v) for v in ("cervena", "modra", "biela")), *(("velkost", v) for v in ("s", "m", "l", "xl"))]
    links += [a(f"{base}/{f}-{v}", f"{f}: {v}") for f, v in rng.sample(filters, 4)]
    return doc("sk", "Oblečenie", f"<h1>Oblečenie</h1>{ul(links)}{show}")


@trap("/(S(start))/playlist.aspx", silent=True, varies=True)
def radio_peremeshka(asked: Asked) -> Made | None:
    """Russian: a session in the path, another with every visit, and a playlist in another order each time."""
    if not asked.path.startswith("/(S("):
        return None
    token = "".join(chance.choices("abcdefghijklmnopqrstuvwxyz012345", k=24))
    leaf = asked.segments[-1]
    tracks = [RU.title(asked.of("track", n), 3) for n in range(30)]
    if leaf.startswith("track") and leaf[5:-5].isdecimal() and int(leaf[5:-5]) < 30:
        body = f"<h1>{tracks[int(leaf[5:-5])]}</h1>"
    elif leaf == "playlist.aspx":
        body = "<h1>Плейлист</h1>" + "".join(a(f"/(S({token}))/track{n}.aspx", tracks[n]) + "<br>" for n in chance.sample(range(30), 12))
    else:
        return None
    return doc("ru", "Радио", body + a(f"/(S({token}))/playlist.aspx?shuffle={chance.randrange(10 ** 9)}", "перемешать"))


@trap("/baca/0001-awal")
def novel_bab_baru(asked: Asked) -> Made | None:
    """Indonesian: a mill of serial novels; next and related have no end."""
    if len(asked.segments) != 2 or asked.segments[0] != "baca":
        return None
    rng = asked.rng
    ident = asked.segments[1].split("-")[0]
    title = ID.title(rng, 3)

    def called(k: object) -> str:
        return ID.title(Random(f"{ident}{k}"), 3)

    def to(k: object) -> str:
        return f"/baca/{md5(f'{ident}{k}{asked.seed}'.encode()).hexdigest()[:10]}-{slug(called(k))}"

    return doc("id", f"Bab {rng.randrange(1, 900)}: {title}",
        f"<nav>{a('/', 'Beranda')}</nav><h1>{title}</h1><p class=by>Oleh {ID.name(rng)} · {rng.randrange(100, 90_000)} dibaca</p>"
        f"{ID.paras(rng, rng.randrange(4, 11))}{a(to('next'), 'Bab berikutnya')}"
        f"<h3>Terkait</h3>{ul(a(to(k), called(k)) for k in range(5))}")


@trap("/recherche?q=maison")
def trouve_tout(asked: Asked) -> Made | None:
    """French: searches that suggest searches."""
    if asked.path != "/recherche" or "q" not in asked.query:
        return None
    rng, asks = asked.rng, asked.query["q"]
    words = asks.split()
    number = asked.query.get("page", "1")
    page = int(number) if number.isdecimal() else 1
    hits = "".join(
        f"<div class=hit><h3>{FR.title(rng, 4)} {rng.choice(words) if words else ''}</h3>"
        f"<cite>www.{FR.rare(rng)}.fr</cite><p>{FR.sent(rng)} … {FR.sent(rng)}</p></div>"
        for _ in range(8))
    near = [*(" ".join([*words, FR.w(rng)][-4:]) for _ in range(5)), *(FR.title(rng, 2).lower() for _ in range(3))]
    return doc("fr", f"Résultats pour {asks[:90]}",
        f"<form action=/recherche><input name=q></form><p>Environ {rng.randrange(10 ** 3, 10 ** 7)} résultats</p>{hits}"
        f"<h4>Recherches associées</h4>{ul(a('/recherche?q=' + quote(n), n) for n in near)}"
        f"{a('/recherche?q=' + quote(asks) + f'&page={page + 1}', 'Suivant')}")


_TAGS = sorted({IT.rare(Random(n)) for n in range(60)})[:40]


@trap("/tag/" + quote(_TAGS[7]), silent=True)
def blog_del_sole(asked: Asked) -> Made | None:
    """Italian: any set of forty tags."""
    if len(asked.segments) != 2 or asked.segments[0] != "tag":
        return None
    chosen = unquote(asked.segments[1]).split("+")
    if not set(chosen) <= set(_TAGS) or len(set(chosen)) < len(chosen):
        return None
    posts = [n for n in range(300) if set(chosen) <= set(asked.of("post", n).sample(_TAGS, 12))]
    show = ul(IT.title(asked.of("title", n), 5) for n in posts) if posts else "<p>Nessun articolo con questi tag.</p>"

    def to(tags: list[str]) -> str:
        return "/tag/" + quote("+".join(sorted(tags)), safe="+")

    cloud = [a(to([*chosen, t]), f"+ {t}") for t in _TAGS if t not in chosen]
    if len(chosen) > 1:
        cloud += [a(to([t for t in chosen if t != c]), f"- {c}") for c in chosen]
    return doc("it", ", ".join(chosen), f"<h1>{', '.join(chosen)}</h1>{show}<div class=cloud>{' '.join(cloud)}</div>")


def _phone(asked: Asked, n: int) -> list[str]:
    rng = asked.of("phone", n)
    return [f"{CS.rare(rng).capitalize()} {rng.randrange(1, 30)}", f'{rng.uniform(4, 7):.1f}"', f"{rng.choice((4, 6, 8, 12))} GB",
        f"{rng.randrange(2500, 6000)} mAh", f"{rng.randrange(2, 40) * 500} Kč"]


@trap("/porovnani/12-vs-200-vs-301", silent=True)
def porovnej_mobily(asked: Asked) -> Made | None:
    """Czech: any three of 400 telephones, compared."""
    parts = asked.segments[1].split("-vs-") if len(asked.segments) == 2 and asked.segments[0] == "porovnani" else []
    if len(parts) != 3 or not all(p.isdecimal() and int(p) < 400 for p in parts) or len(set(parts)) < 3:
        return None
    trio = [int(p) for p in parts]
    columns = [_phone(asked, n) for n in trio]
    links = []
    for k in range(3):
        for n in asked.rng.sample(range(400), 4):
            other = sorted({*trio[:k], *trio[k + 1 :], n})
            if len(other) == 3:
                links.append(a("/porovnani/" + "-vs-".join(map(str, other)), f"místo {columns[k][0]}: {_phone(asked, n)[0]}"))
    return doc("cs", " vs ".join(c[0] for c in columns), "<h1>Porovnání</h1>" + table(zip(("Model", "Displej", "Paměť", "Baterie", "Cena"), *columns, strict=True)) + ul(links))


@trap("/kart/3/4/2", silent=True)
def kartblad(asked: Asked) -> Made | None:
    """Norwegian: a map as pages, in eighteen levels of zoom."""
    seg = asked.segments
    if len(seg) != 4 or seg[0] != "kart" or not all(s.isdecimal() for s in seg[1:]):
        return None
    z, x, y = map(int, seg[1:])
    if z > 18 or not 0 <= x < 2**z or not 0 <= y < 2**z:
        return None
    to = [("nord", z, x, y - 1), ("sør", z, x, y + 1), ("vest", z, x - 1, y), ("øst", z, x + 1, y), ("ut", z - 1, x // 2, y // 2)]
    to += [("inn", z + 1, 2 * x + i, 2 * y + j) for i in (0, 1) for j in (0, 1)]
    links = [a(f"/kart/{w}/{u}/{v}", t) for t, w, u, v in to if 0 <= w <= 18 and 0 <= u < 2**w and 0 <= v < 2**w]
    return doc("no", "Kart", f"<img src='/fliser/{z}/{x}/{y}.png' width=512>"
        f"<p>Målestokk 1:{591_657_550 // 2**z}</p>{' '.join(links)}")


@trap("/people/john-carter/springfield-oh-44031")
def peoplepages(asked: Asked) -> Made | None:
    """English: people made up on demand."""
    seg = asked.segments
    if len(seg) != 3 or seg[0] != "people":
        return None
    rng = asked.rng
    first = "Mary James Linda Robert Susan Michael Karen David Nancy Joseph Betty Thomas Ruth Frank Doris Walter".split()
    last = "Carter Nolan Becker Fields Okafor Ramirez Stone Hughes Petrov Lindgren Moore Tran Kowalski Abbott Singh".split()
    towns = "springfield-oh clinton-ia fairview-tx salem-or dover-de ashland-ky milton-vt georgetown-sc".split()
    who = seg[1].replace("-", " ").title()
    kin = [(rng.choice(first), rng.choice(last)) for _ in range(rng.randrange(4, 10))]

    def link(one: str, family: str) -> str:
        return a(f"/people/{one}-{family}/{rng.choice(towns)}-{rng.randrange(10_000, 99_999)}".lower(),
            f"{one} {family}, age {rng.randrange(19, 95)}")

    homes = "".join(
        f"<li>{rng.randrange(10, 9900)} {EN.rare(rng).title()} {rng.choice(('St', 'Ave', 'Rd', 'Ct'))}, "
        f"{EN.rare(rng).title()} ({rng.randrange(1980, 2010)}–{rng.randrange(2011, 2024)})</li>"
        for _ in range(rng.randrange(1, 6)))
    return doc("en", f"{who} | PeoplePages",
        f"<h1>{who}, age {rng.randrange(20, 95)}</h1><p>Phone: ({rng.randrange(201, 989)}) 555-{rng.randrange(1000, 9999)}</p>"
        f"<h2>Addresses</h2><ul>{homes}</ul><h2>Known relatives</h2>{ul(link(*names) for names in kin)}"
        f"<p>{who} has worked as a {rng.choice(('clerk', 'welder', 'nurse', 'roofer', 'teacher'))} "
        f"at {EN.rare(rng).title()} {rng.choice(('Inc.', 'LLC', 'Bros.'))} since {rng.randrange(1979, 2023)}.</p>")


@trap("/r?n=1&t=9", silent=True)
def lankhopp(asked: Asked) -> Made | None:
    """Swedish: redirects that count, with a page to wait on now and then."""
    count, ticket = asked.query.get("n", ""), asked.query.get("t", "")
    if asked.path != "/r" or not count.isdecimal() or not ticket.isdecimal():
        return None
    n, t = int(count), int(ticket)
    following = f"/r?n={n + 1}&t={(t * 7 + n) % 1_000_003}"
    if n % 4:
        return moved(following)
    return doc("sv", "Vänta", f"<p>Du vidarebefordras strax…</p>{a(following, 'Klicka här om inget händer')} "
        f"{a(f'/r?n={n + 2}&t={(t + 1) % 1_000_003}', 'Annan server')}")


@trap("/pagini/ajutor", silent=True)
def magazin_negasit(asked: Asked) -> Made | None:
    """Romanian: whatever is asked for is "not found", with status 200 and guesses below it."""
    rng = asked.rng
    base = asked.path.rstrip("/")
    if len(base) > 1_500:
        return None
    links = [a(f"{base}/{quote(RO.base[rng.randrange(10, len(RO.base))])}", "poate căutați aceasta") for _ in range(4)]
    links.append(a(f"{base.rsplit('/', 1)[0]}/{quote(RO.rare(rng))}.html", "sau aceasta"))
    return doc("ro", "Pagina nu a fost găsită",
        f"<h1>Ne pare rău!</h1><p>Pagina cerută nu există sau a fost mutată. "
        f"Verificați adresa sau folosiți sugestiile de mai jos.</p>{ul(links)}")


@trap("/log/2024/03/14/15/07")
def protokollserver(asked: Asked) -> Made | None:
    """German: logs by the minute, back and forth in time."""
    seg = asked.segments
    if len(seg) != 6 or seg[0] != "log":
        return None
    try:
        year, month, day, hour, minute = map(int, seg[1:])
        at = datetime(year, month, day, hour, minute, tzinfo=timezone.utc)
    except ValueError:
        return None
    rng = asked.rng
    lines = "\n".join(
        f"{at:%Y-%m-%d %H:%M}:{s:02d} [{rng.choice(('INFO', 'INFO', 'WARN', 'FEHLER'))}] knoten{rng.randrange(1, 40)} pid={rng.randrange(300, 32_000)} "
        f"{DE.sent(rng)} dauer={rng.randrange(2, 9000)}ms id={rng.getrandbits(48):012x}"
        for s in sorted(rng.sample(range(60), rng.randrange(8, 25))))
    steps = [("Minute zurück", -1), ("Minute vor", 1), ("Stunde zurück", -60), ("Stunde vor", 60), ("Tag zurück", -1440), ("Tag vor", 1440)]
    to = [(at + timedelta(minutes=m), t) for t, m in steps]
    return doc("de", f"Protokoll {at:%d.%m.%Y %H:%M}",
        f"<pre>{lines}</pre>" + ul(a(f"/log/{then:%Y/%m/%d/%H/%M}", t) for then, t in to if 1000 < then.year < 9000))


@trap("/w/index.php?title=Miestas_1&diff=1400&oldid=1399")
def vikis_lt(asked: Asked) -> Made | None:
    """Lithuanian: differences of any two revisions of a wiki."""
    query = asked.query
    if asked.path != "/w/index.php" or set(query) != {"title", "diff", "oldid"} or not (query["diff"].isdecimal() and query["oldid"].isdecimal()):
        return None
    new, old, title = int(query["diff"]), int(query["oldid"]), query["title"]
    if not 0 < old < new <= 5_000 or len(title) > 60:
        return None
    rng = asked.rng
    rows = "".join(
        f"<tr><td class=diff-marker>−</td><td>{LT.sent(rng)}</td><td class=diff-marker>+</td><td>{LT.sent(rng)}</td></tr>"
        for _ in range(rng.randrange(2, 8)))

    def to(page: str, n: int, o: int) -> str:
        return f"/w/index.php?title={quote(page)}&diff={n}&oldid={o}"

    pairs = (("← ankstesnis", old, old - 1), ("vėlesnis →", new + 1, new),
        ("platesnis", new + rng.randrange(1, 90), old), ("siauresnis", new, old + rng.randrange(1, 90)))
    links = [a(to(title, n, o), t) for t, n, o in pairs if 0 < o < n <= 5_000]
    n = rng.randrange(300, 5_000)
    links.append(a(to(f"{LT.base[rng.randrange(11, 25)].capitalize()}_{rng.randrange(1, 60)}", n, n - rng.randrange(1, 200)), "kitas straipsnis"))
    return doc("lt", f"Skirtumas: {title}",
        f"<h1>Skirtumas tarp puslapio „{title}“ versijų</h1><p>{LT.name(rng)} ({rng.randrange(-900, 2000):+d})</p>"
        f"<table class=diff>{rows}</table>{' '.join(links)}")
