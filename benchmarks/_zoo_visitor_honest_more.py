"""More honest sites of a visitor, from a film archive to a reader of comics (see `_zoo_visitor`)."""

from __future__ import annotations

from functools import cache
from random import Random
from urllib.parse import quote

from _zoo import HTML, Answer, Asked, Site, honest
from _zoo_honest import _split
from _zoo_outsider import anchor, digest, doc, rare, slug, table, text, ul, vocab, words
from _zoo_visitor import called, lay, num, raw, row, steps

VISITOR_HONEST_MORE: list[Site] = []


@honest(VISITOR_HONEST_MORE)
def cineteca(asked: Asked) -> Answer | None:
    """An Italian film archive: 900 films and 500 persons that link to one another."""
    nav = [
        ("/", "Home"),
        ("/film/", "Film"),
        ("/persone/", "Persone"),
        ("/visite", "Visite"),
        ("/contatti", "Contatti"),
    ]
    parts = asked.segments

    def film(at: int) -> tuple[str, str]:
        told = rare("it", asked.of("film", at), 2).title()
        return f"/film/{at}-{quote(slug('it', asked.of('film', at), 2))}", told

    def person(at: int) -> tuple[str, str]:
        return f"/persone/{at}", rare("it", asked.of("person", at), 2).title()

    if asked.path == "/":
        return lay(1, "Cineteca", f"<p>{text('it', asked.of('h'), 90)}</p>", "it", nav, [film(at) for at in range(8)])
    if asked.path in {"/visite", "/contatti"}:
        return lay(1, parts[0].title(), f"<p>{text('it', asked.rng, 90)}</p>", "it", nav)
    if asked.path in {"/film/", "/persone/"}:
        every = (film(at) for at in range(900)) if parts[0] == "film" else (person(at) for at in range(500))
        return lay(1, parts[0].title(), ul(every), "it", nav)
    if len(parts) != 2:
        return None
    if parts[0] == "film":
        at = num(parts[1].partition("-")[0], 0, 899)
        if at is None or asked.path != film(at)[0]:
            return None
        rng = asked.of("filmpage", at)
        cast = [person((at * 7 + one * 61) % 500) for one in range(rng.randint(2, 7))]
        rows = [["Anno", rng.randint(1910, 1999)], ["Durata", f"{rng.randint(8, 190)} min"]]
        rows.append(["Supporto", rng.choice(["35 mm", "16 mm", "nitrato"])])
        side = [film((at + one) % 900) for one in (1, 30, 222)]
        return lay(1, film(at)[1], table(rows) + ul(cast), "it", nav, side)
    at = num(parts[1], 0, 499)
    if parts[0] != "persone" or at is None:
        return None
    films = [one for one in range(900) if any((one * 7 + step * 61) % 500 == at for step in range(3))]
    return lay(1, person(at)[1], ul(map(film, films)), "it", nav)


@honest(VISITOR_HONEST_MORE)
def arlista(asked: Asked) -> Answer | None:
    """A Hungarian price list: 30 categories in pages, with an item page of price and unit."""
    nav = [("/", "Kezdőlap"), ("/szallitas.html", "Szállítás"), ("/aszf.html", "ÁSZF")]
    side = [(f"/arlista?kat={at}&oldal=1", called(asked.seed, "hu", 1, "kat", at)) for at in range(1, 31)]
    if asked.path == "/":
        return lay(0, "Árlista", f"<p>{text('hu', asked.of('h'), 40)}</p>", "hu", nav, side)
    if asked.path in {"/szallitas.html", "/aszf.html"}:
        return lay(0, "Szállítás", f"<p>{text('hu', asked.rng, 250)}</p>", "hu", nav, side)
    kind = num(asked.query.get("kat"), 1, 30)
    pages = asked.of("pages", kind).randint(2, 9) if kind else 0
    if asked.path == "/arlista":
        page = num(asked.query.get("oldal"), 1, pages) if kind else None
        if not page:
            return None
        own = range(page * 12 - 11, page * 12 + 1)
        names = (anchor(f"/cikk?kat={kind}&cikk={at}", called(asked.seed, "hu", 2, "cikk", kind, at)) for at in own)
        prices = (f"{asked.of('ar', kind, at).randrange(90, 90_000)} Ft" for at in own)
        goods = table(zip(names, prices, strict=True))
        pager = row((f"/arlista?kat={kind}&oldal={at}", at) for at in range(1, pages + 1))
        return lay(0, f"{side[kind - 1][1]} ({page}/{pages})", goods + pager, "hu", nav, side)
    at = num(asked.query.get("cikk"), 1, pages * 12) if kind else None
    if asked.path != "/cikk" or not at:
        return None
    unit = asked.of("unit", at).choice(["db", "kg", "m", "csomag"])
    told = f"<p>Ár: {asked.of('ar', kind, at).randrange(90, 90_000)} Ft / {unit}</p>"
    return lay(0, called(asked.seed, "hu", 2, "cikk", kind, at), told, "hu", nav, side)


@honest(VISITOR_HONEST_MORE)
def javadoc(asked: Asked) -> Answer | None:
    """The generated documentation of a library: packages, classes, their uses and trees, in deep paths."""
    kinds = _split("Builder Factory Handler Reader Writer Context Exception Listener Policy Registry Stream Visitor")
    packages = [
        f"org/{Random(f'{asked.seed}pk{at // 12}').choice(['acme', 'sys'])}/"
        + "/".join(Random(f"{asked.seed}p{at}").choices(vocab("la")[40:140], k=1 + at % 4))
        for at in range(36)
    ]
    nav = [
        ("/overview-summary.html", "Overview"),
        ("/overview-tree.html", "Tree"),
        ("/deprecated-list.html", "Deprecated"),
        ("/index-all.html", "Index"),
        ("/help-doc.html", "Help"),
    ]
    if asked.path == "/":
        return lay(3, "API", "", "en", nav, said=0)
    if asked.path == "/overview-summary.html":
        links = ul((f"/{one}/package-summary.html", one.replace("/", ".")) for one in dict.fromkeys(packages))
        return lay(3, "Overview", links, "en", nav, said=0)
    if asked.path in dict(nav):
        return lay(3, asked.path[1:-5], f"<p>{text('en', asked.rng, 60)}</p>", "en", nav, said=0)
    package, _, leaf = asked.path[1:].rpartition("/")
    use = package.endswith("/class-use")
    package = package.removesuffix("/class-use")
    if package not in packages or not leaf.endswith(".html"):
        return None
    rng = asked.of("package", package)
    names = (rng.choice(vocab("la")[40:]).title() + rng.choice(kinds) for _ in range(rng.randint(6, 40)))
    classes = list(dict.fromkeys(names))
    if leaf in {"package-summary.html", "package-tree.html"} and not use:
        links = ul((f"{one}.html", one) for one in classes)
        links += row([("package-summary.html", "Package"), ("package-tree.html", "Tree")])
        return lay(3, package.replace("/", "."), links, "en", nav, said=0)
    if leaf[:-5] not in classes:
        return None
    own = leaf[:-5]
    if use:
        told = "<p>No usage of this class</p>" if len(own) % 3 else ul((f"../{one}.html", one) for one in classes[:4])
        return lay(3, f"Uses of {own}", told, "en", nav, [(f"../{leaf}", "Class")], said=0)
    members = asked.of("class", package, own)
    types, verbs = ["void", "int", "boolean", "String", *classes], ["get", "set", "is", "add", "on", "with"]
    rows = [
        [members.choice(types), f"{members.choice(verbs)}{members.choice(vocab('la')[40:]).title()}()"]
        for _ in range(members.randint(1, 14))
    ]
    side = [("package-summary.html", "Package"), (f"class-use/{leaf}", "Use")]
    side += [(f"{one}.html", one) for one in members.sample(classes, min(3, len(classes)))]
    return lay(3, f"Class {own}", table(rows), "en", nav, side, said=0)


@honest(VISITOR_HONEST_MORE)
def kod(asked: Asked) -> Answer | None:
    """A browser of a finite tree of code at three tags, with lines that barely change from tag to tag."""
    parts = asked.segments
    nav = [("/", "core"), *((f"/v{tag}/source", f"v{tag}") for tag in ("1.0", "1.1", "2.0"))]
    if asked.path == "/":
        return lay(3, "core cross reference", f"<p>{text('en', asked.of('h'), 30)}</p>", "en", nav, said=0)
    if len(parts) < 2 or parts[0] not in {"v1.0", "v1.1", "v2.0"} or parts[1] != "source" or len(parts) > 6:
        return None
    below = {f"{one}{end}" for one, end in _entries("", asked.seed)}
    for depth, part in enumerate(parts[2:]):
        if part not in below:
            return None
        below = {f"{one}{end}" for one, end in _entries("/".join(parts[2 : depth + 3]), asked.seed)}
    where = "/".join(parts[2:])
    tags = [(f"/{tag}/source" + (f"/{where}" if where else ""), tag) for tag in ("v1.0", "v1.1", "v2.0")]
    if "." in (parts[-1] if parts[2:] else ""):
        rng = asked.of("file", where)
        lines = [
            f"{'    ' * (n % 3)}{' '.join(words('la', rng, rng.randint(1, 6)))};" for n in range(rng.randint(6, 60))
        ]
        lines[len(lines) // 2] = f"#define VERSION {parts[0][1:]}"
        told = "\n".join(f"<a name=L{n}>{n}</a> {line}" for n, line in enumerate(lines, 1))
        return lay(3, f"{where} - {parts[0]}", f"<pre>{told}</pre>", "en", nav, tags, said=0)
    names = sorted(below)
    sizes = (f"{asked.of('size', where, one).randint(90, 9000)} bytes" if "." in one else "-" for one in names)
    rows = zip((anchor(f"{asked.path.rstrip('/')}/{one}", one) for one in names), sizes, strict=True)
    return lay(3, f"/{where} - {parts[0]}", table(rows), "en", nav, tags, said=0)


@cache
def _entries(where: str, seed: int) -> tuple[tuple[str, str], ...]:
    rng, depth = Random(f"{seed}|tree{where}"), where.count("/") + bool(where)
    if depth > 3 or "." in where:
        return ()
    folders = (7, rng.randint(0, 4), rng.randint(0, 2), 0)[depth]
    names = rng.sample(vocab("la")[50:300], folders + rng.randint(4, 11))
    return tuple((one, "" if at < folders else rng.choice((".c", ".h", ".c", ".S"))) for at, one in enumerate(names))


@honest(VISITOR_HONEST_MORE)
def modelari(asked: Asked) -> Answer | None:
    """A Czech forum with threads of up to 50 pages, by start=15, 30, 45..., and members who say little."""
    nav = [("/", "Obsah fóra"), ("/faq.php", "FAQ"), ("/search.php", "Hledat"), ("/rules.php", "Pravidla")]
    forum, thread = num(asked.query.get("f"), 1, 9), num(asked.query.get("t"), 1, 216)
    if asked.path == "/":
        rows = [
            [anchor(f"/viewforum.php?f={at}", called(asked.seed, "cs", 2, "f", at)), at * 31] for at in range(1, 10)
        ]
        return lay(2, "Modeláři", table(rows), "cs", nav)
    if asked.path in {"/faq.php", "/search.php", "/rules.php"} and not asked.query:
        return lay(2, "FAQ", f"<p>{text('cs', asked.rng, 150)}</p>", "cs", nav)
    if not forum:
        return None
    own = range(forum * 24 - 23, forum * 24 + 1)
    last = {at: 15 * (asked.of("length", at).choice((0, 0, 1, 2, 4, 12, 30, 49))) for at in own}
    if asked.path == "/viewforum.php":
        rows = []
        for at in own:
            base = f"/viewtopic.php?f={forum}&t={at}"
            starts = [one for one in sorted({15, last[at]}) if 0 < one <= last[at]]
            pages = row((f"{base}&start={one}", one // 15 + 1) for one in starts)
            rows.append([anchor(base, called(asked.seed, "cs", 4, "t", at)), pages])
        return lay(2, called(asked.seed, "cs", 2, "f", forum), table(rows), "cs", nav)
    start = num(asked.query.get("start"), 15, 15 * 49) if "start" in asked.query else 0
    if asked.path != "/viewtopic.php" or thread not in own or start is None or start % 15 or start > last[thread]:
        return None
    posts = ""
    for at in range(start, start + 15):
        told = text("cs", asked.of("post", thread, at), asked.of("len", thread, at).choice((2, 5, 12, 40)))
        who = called(asked.seed, "cs", 1, "u", asked.of(thread, at).randrange(80))
        posts += f"<div class=post><b>{who}</b><p>{told}</p></div>"
    base = f"/viewtopic.php?f={forum}&t={thread}"
    around = ((start - 15, "Předchozí"), (start + 15, "Další"))
    turn = row((base + (f"&start={at}" if at else ""), told) for at, told in around if 0 <= at <= last[thread])
    back = [(f"/viewforum.php?f={forum}", "Zpět")]
    return lay(2, called(asked.seed, "cs", 4, "t", thread), turn + posts + turn, "cs", nav, back)


@honest(VISITOR_HONEST_MORE)
def conventions(asked: Asked) -> Answer | None:
    """Treaties of an organisation: 130 documents in fourteen parallel translations, each linking all others."""
    langs = ["en", "fr", "de", "es", "pt", "it", "el", "pl", "fi", "sv", "ru", "ar", "zh", "ko"]
    parts = asked.segments
    lang = parts[0] if parts else "en"
    nav = [(f"/{one}/", one) for one in langs]
    if lang not in langs or len(parts) > 3:
        return None
    if len(parts) < 2:
        names = ((at, called(asked.seed, lang, 3, "doc", at)) for at in range(1, 131))
        links = ul((f"/{lang}/doc/{at}", f"CETS {at:03} {told}") for at, told in names)
        return lay(1, rare(lang, Random("conv")), links, lang, nav)
    at = num(parts[2], 1, 130) if len(parts) == 3 and parts[1] == "doc" else None
    if not at:
        return None
    rng = asked.of("doc", lang, at)
    body = "".join(f"<h4>§ {n}</h4><p>{text(lang, rng, 35)}</p>" for n in range(1, asked.of("n", at).randint(3, 12)))
    side = [(f"/{one}/doc/{at}", one) for one in langs if one != lang]
    return lay(1, called(asked.seed, lang, 3, "doc", at), body, lang, nav, side)


@honest(VISITOR_HONEST_MORE)
def dapur_ibu(asked: Asked) -> Answer | None:
    """An Indonesian box of 700 recipes: categories, next recipe, print, and for two, four or eight eaters."""
    nav = [("/", "Beranda"), *((f"/kategori/{at}", called(asked.seed, "id", 1, "kat", at)) for at in range(1, 15))]
    parts = asked.segments or [""]
    if asked.path == "/":
        return lay(4, "Dapur Ibu", f"<p>{text('id', asked.of('h'), 60)}</p>", "id", nav)
    if parts[0] == "kategori" and len(parts) == 2:
        kind = num(parts[1], 1, 14)
        if not kind:
            return None
        links = ul((f"/resep/{at}.html", called(asked.seed, "id", 3, "resep", at)) for at in range(kind, 701, 14))
        return lay(4, nav[kind][1], links, "id", nav)
    is_recipe = len(parts) == 2 and parts[0] == "resep" and parts[1].endswith(".html")
    at = num(parts[1].removesuffix(".html"), 1, 700) if is_recipe else None
    porsi = asked.query.get("porsi", "4")
    if not at or porsi not in {"2", "4", "8"} or set(asked.query) - {"porsi", "cetak"}:
        return None
    rng = asked.of("resep", at)
    ingredients = "".join(
        f"<li>{rng.randint(1, 20) * 25 * int(porsi)} g {rare('id', rng, 1)}</li>" for _ in range(rng.randint(4, 11))
    )
    how = "".join(f"<li>{text('id', rng, 18)}</li>" for _ in range(rng.randint(2, 8)))
    title = called(asked.seed, "id", 3, "resep", at)
    if "cetak" in asked.query:
        return doc(title, f"<ul>{ingredients}</ul><ol>{how}</ol>", "id", 0)
    side = [(f"/resep/{at}.html" + (f"?porsi={one}" if one != "4" else ""), f"{one} porsi") for one in "248"]
    side.append((f"/resep/{at}.html?cetak=1", "Cetak"))
    on = f"/resep/{at + 1}.html" if at < 700 else None
    return lay(4, title, f"<ul>{ingredients}</ul><ol>{how}</ol>{steps(None, on)}", "id", nav, side)


@honest(VISITOR_HONEST_MORE)
def primarie(asked: Asked) -> Answer | None:
    """A Romanian town hall: decisions by year in Drupal-like lists, each with a scan in PDF."""
    nav = [
        ("/", "Acasă"),
        ("/primar", "Primar"),
        ("/consiliu", "Consiliul local"),
        ("/taxe", "Taxe"),
        ("/contact", "Contact"),
    ]
    side = [(f"/hotarari?an={year}&page=0", f"Hotărâri {year}") for year in range(2009, 2025)]
    if asked.path == "/":
        return lay(2, "Primăria", f"<p>{text('ro', asked.of('h'), 70)}</p>", "ro", nav, side)
    if asked.path in {"/primar", "/consiliu", "/taxe", "/contact"}:
        return lay(2, asked.path[1:].title(), f"<p>{text('ro', asked.rng, 200)}</p>", "ro", nav, side)
    if asked.path == "/hotarari":
        year, page = num(asked.query.get("an"), 2009, 2024), num(asked.query.get("page"), 0, 11)
        count = asked.of("count", year).randint(40, 118) if year else 0
        if not year or page is None or page * 10 >= count:
            return None
        own = range(page * 10 + 1, min(count, page * 10 + 10) + 1)
        links = ul((f"/hotararea-{at}-din-{year}", f"Hotărârea nr. {at}/{year}") for at in own)
        pager = row((f"/hotarari?an={year}&page={one}", one + 1) for one in range((count + 9) // 10))
        return lay(2, f"Hotărâri {year}", links + pager, "ro", nav, side)
    bits = asked.path[1:].removesuffix(".pdf").split("-")
    year = num(bits[3], 2009, 2024) if len(bits) == 4 and (bits[0], bits[2]) == ("hotararea", "din") else None
    at = num(bits[1], 1, asked.of("count", year).randint(40, 118)) if year else None
    if not at:
        return None
    if asked.path.endswith(".pdf"):
        return raw("application/pdf", b"%PDF-1.5\n" + asked.rng.randbytes(700) + b"\n%%EOF")
    body = f"<p>privind {text('ro', asked.of('hcl', year, at), 14)}</p>{anchor(asked.path + '.pdf', 'Descarcă')}"
    return lay(2, f"Hotărârea nr. {at}/{year}", body, "ro", nav, side)


@honest(VISITOR_HONEST_MORE)
def bibliotek(asked: Asked) -> Answer | None:
    """A Norwegian library's 3,900 records as shown, with labels and as MARC (about 12,000 pages)."""
    nav = [("/", "Hjem"), ("/cgi-bin/koha/opac-browse.pl?hylle=1", "Hyller"), ("/apningstider", "Åpningstider")]
    number, view = num(asked.query.get("biblionumber"), 1, 3900), asked.query.get("view", "")
    if asked.path == "/":
        return lay(2, "Bibliotek", f"<p>{text('no', asked.of('h'), 40)}</p>", "no", nav)
    if asked.path == "/apningstider":
        return lay(2, "Åpningstider", table([day, "10-18"] for day in ("man", "tir", "ons", "tor", "fre")), "no", nav)
    if asked.path == "/cgi-bin/koha/opac-browse.pl":
        shelf = num(asked.query.get("hylle"), 1, 130)
        if not shelf:
            return None
        own, base = range(shelf * 30 - 29, shelf * 30 + 1), "/cgi-bin/koha/opac-detail.pl?biblionumber="
        links = ul((f"{base}{at}", called(asked.seed, "no", 3, "bok", at)) for at in own)
        before, after = (f"{asked.path}?hylle={one}" if 1 <= one <= 130 else None for one in (shelf - 1, shelf + 1))
        return lay(2, f"Hylle {shelf}", links + steps(before, after), "no", nav)
    if asked.path != "/cgi-bin/koha/opac-detail.pl" or not number or view not in {"", "labeled", "marc"}:
        return None
    rng = asked.of("record", number)
    author, year, pages = rare("no", rng), rng.randint(1890, 2015), rng.randint(40, 700)
    title, base = called(asked.seed, "no", 3, "bok", number), f"/cgi-bin/koha/opac-detail.pl?biblionumber={number}"
    if view == "marc":
        body = f"<pre>001 {number:07}\n008 {year}s no\n100 1_ $a {author}\n245 10 $a {title}\n"
        body += f"260 __ $c {year}\n300 __ $a {pages} s.</pre>"
    elif view:
        body = table([["Forfatter", author], ["Tittel", title], ["År", year], ["Omfang", f"{pages} s."]])
    else:
        body = f"<p>{title} / {author}. {year}. {pages} s.</p>"
    views = row((base + (f"&view={one}" if one else ""), one or "normal") for one in ("", "labeled", "marc"))
    return lay(2, title, body + views, "no", nav)


@honest(VISITOR_HONEST_MORE)
def diario_oficial(asked: Asked) -> Answer | None:
    """A Portuguese gazette as scans: a page for each scanned page, with an image and the next, nearly no word."""
    parts = asked.segments
    if asked.path == "/":
        return doc("Diário", ul((f"/diario/{year}/001/0001", year) for year in range(1926, 1934)), "pt", 0)
    year = num(parts[1], 1926, 1933) if len(parts) == 4 and parts[0] == "diario" else None
    issue = num(parts[2], 1, 30, 3) if year else None
    count = asked.of("pages", year, issue).randint(6, 20) if issue else 0
    page = num(parts[3], 1, count, 4) if issue else None
    if not page:
        return None
    after = (issue, page + 1) if page < count else (issue + 1, 1)
    on = f"/diario/{year}/{after[0]:03}/{after[1]:04}" if after[0] <= 30 else None
    out = (
        f"<html><head><title>{year} n.º {issue}, p. {page}</title></head><body>"
        f"<img src='/scan/{year}{issue:03}{page:04}.png' width=900>{steps(None, on, on='&gt;')}"
        "<a href='/'>início</a></body></html>"
    )
    return Answer(200, HTML, out.encode())


@honest(VISITOR_HONEST_MORE)
def lexicon(asked: Asked) -> Answer | None:
    """A Latin dictionary: letters, and 1,800 entries of a line each that link the entries before and after."""
    entries = _lexicon()
    if asked.path == "/":
        letters = sorted({word[0] for word in entries})
        return doc("Lexicon", row((f"/littera/{one}", one.upper()) for one in letters), "la", 2)
    parts = asked.segments
    if len(parts) != 2:
        return None
    if parts[0] == "littera" and len(parts[1]) == 1 and any(word[0] == parts[1] for word in entries):
        own = ((f"/verbum/{word}", word) for word in entries if word[0] == parts[1])
        return doc(parts[1].upper(), row(own, " "), "la", 2)
    if parts[0] != "verbum" or parts[1] not in entries:
        return None
    at, rng = entries.index(parts[1]), asked.of("verbum", parts[1])
    ends = rng.choice(["ae f.", "i m.", "is n.", "ere v."])
    told = " ".join(words("en", rng, rng.randint(1, 6)))
    before, after = (f"/verbum/{entries[one]}" if 0 <= one < len(entries) else None for one in (at - 1, at + 1))
    return doc(parts[1], f"<p><b>{parts[1]}</b>, -{ends} {told}</p>{steps(before, after)}", "la", 2)


@cache
def _lexicon() -> list[str]:
    return sorted(Random("lexicon").sample(vocab("la")[30:], 1800))


@honest(VISITOR_HONEST_MORE)
def kurssit(asked: Asked) -> Answer | None:
    """A Finnish university's 140 courses in six terms and two languages, whose texts hardly change by term."""
    if asked.path == "/":
        links = ul((f"/opas?laitos={at}&kieli=fi", called(asked.seed, "fi", 2, "laitos", at)) for at in range(10))
        return lay(1, "Opinto-opas", links, "fi", [("/", "Etusivu")])
    lang = asked.query.get("kieli")
    if lang not in {"fi", "en"}:
        return None
    other = "en" if lang == "fi" else "fi"
    units = [(f"/opas?laitos={at}&kieli={lang}", called(asked.seed, lang, 2, "laitos", at)) for at in range(10)]
    nav = [("/", "Etusivu"), *units]
    if asked.path == "/opas":
        unit = num(asked.query.get("laitos"), 0, 9)
        if unit is None:
            return None
        names = ((at, called(asked.seed, lang, 3, "k", at)) for at in range(unit * 14, unit * 14 + 14))
        links = ul((f"/opas/kurssi?koodi=K{at:03}&kausi=2019s&kieli={lang}", f"K{at:03} {told}") for at, told in names)
        return lay(1, nav[unit + 1][1], links, lang, nav, [(f"/opas?laitos={unit}&kieli={other}", "fi/en")])
    at, term = num(asked.query.get("koodi", "").removeprefix("K"), 0, 139, 3), asked.query.get("kausi")
    terms = ["2019s", "2020k", "2020s", "2021k", "2021s", "2022k"]
    if asked.path != "/opas/kurssi" or at is None or term not in terms:
        return None
    rng = asked.of("kurssi", at, term)
    teacher = called(asked.seed, "fi", 2, "ope", rng.randrange(60))
    rows = [["op", asked.of("op", at).randint(2, 10)], ["opettaja", teacher]]
    rows += [["ma-pe", f"{rng.randint(8, 16)}-{rng.randint(17, 19)}"], ["sali", f"U{rng.randint(100, 400)}"]]
    side = [(f"/opas/kurssi?koodi=K{at:03}&kausi={one}&kieli={lang}", one) for one in terms]
    side.append((f"/opas/kurssi?koodi=K{at:03}&kausi={term}&kieli={other}", "fi/en"))
    body = f"<p>{text(lang, asked.of('text', at, lang), 50)}</p>{table(rows)}"
    return lay(1, f"K{at:03} {called(asked.seed, lang, 3, 'k', at)}", body, lang, nav, side)


@honest(VISITOR_HONEST_MORE)
def xiaoxingxing(asked: Asked) -> Answer | None:
    """A Chinese table of 2,900 minor planets, whose pages are figures alone."""
    if asked.path == "/":
        return doc("小行星", row(((f"/mp/{at:05}-{at + 99:05}.htm", at) for at in range(1, 2901, 100)), " "), "zh", 3)
    stem = asked.path.removeprefix("/mp/").removesuffix(".htm")
    if asked.path != f"/mp/{stem}.htm":
        return None
    first, _, last = stem.partition("-")
    at = num(first, 1, 2900, 5)
    if not at or (last and (at % 100 != 1 or last != f"{at + 99:05}")):
        return None
    if last:
        lines = (range(line, line + 10) for line in range(at, at + 100, 10))
        return doc(stem, table([anchor(f"/mp/{one:05}.htm", one) for one in line] for line in lines), "zh", 3)
    rng = asked.of("mp", at)
    limits = {"a": 4, "e": 0.4, "i": 30, "Ω": 360, "ω": 360, "M": 360, "H": 18}
    rows = [[key, f"{rng.random() * most:.7f}"] for key, most in limits.items()]
    return doc(f"({at})", table(rows), "zh", 3)


@honest(VISITOR_HONEST_MORE)
def manga_reader(asked: Asked) -> Answer | None:
    """A Japanese reader of comics: 90 chapters, a page for each image, whose words are the same everywhere."""
    parts = asked.segments
    if asked.path == "/":
        return doc("漫画", ul((f"/read/{at}/1", f"第{at}話") for at in range(1, 91)), "ja", 1)
    at = num(parts[1], 1, 90) if len(parts) == 3 and parts[0] == "read" else None
    count = asked.of("images", at).randint(16, 44) if at else 0
    page = num(parts[2], 1, count) if at else None
    if not page:
        return None
    pages = "".join(f"<a href='/read/{at}/{one}'>{one}</a> " for one in range(1, count + 1))
    after = f"/read/{at}/{page + 1}" if page < count else f"/read/{at + 1}/1" if at < 90 else None
    image = f"<img src='//cdn.example/{digest(at, page)[:12]}.webp' alt=''>"
    return doc("漫画を読む", f"{image}{pages}{steps(None, after, on='次へ')}", "ja", 1)
