"""Twenty-one honest, finite sites in twenty-one languages, found by filters, lists, tags, tables and calendars.

By somebody who had read neither the rules nor the other sites (November 2026); the last eight were made after the
first results had been seen. A further one, tenders by day with 270 silent days after 120, is not whole (docs/traps.md,
"What nobody can tell").
"""

# ruff: noqa: RUF001, E501, C901, B905, SIM905 - other alphabets, and many kinds of pages a site
# fmt: off

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from html import escape
from itertools import combinations
from random import Random
from urllib.parse import quote, unquote, urlencode

from _zoo import HTML, Answer, Asked, Site, honest

Pairs = list[tuple[str, str]]


def mixed(pairs: Iterable[tuple[str, object]]) -> Pairs:
    """Always the same order for the same set, but another one for another set."""
    known = sorted((a, str(b)) for a, b in pairs)
    Random(repr(known)).shuffle(known)
    return known


def q(path: str, pairs: Iterable[tuple[str, object]]) -> str:
    pairs = list(pairs)
    return f"{path}?{urlencode([(a, str(b)) for a, b in pairs])}" if pairs else path


def qm(path: str, pairs: Iterable[tuple[str, object]]) -> str:
    return q(path, mixed(pairs))


def a(href: str, text: object) -> str:
    return f'<a href="{escape(href)}">{escape(str(text))}</a>'


def ul(items: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{one}</li>" for one in items) + "</ul>"


def rows(pairs: Iterable[Iterable[object]]) -> str:
    return "<table>" + "".join("<tr>" + "".join(f"<td>{c}</td>" for c in r) + "</tr>" for r in pairs) + "</table>"


def p(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def said(rng: Random, words: str | list[str], count: int, join: str = " ", end: str = ".") -> str:
    words = words.split() if isinstance(words, str) else words
    out = []
    while count > 0:
        n = min(count, rng.randint(6, 11))
        one = join.join(rng.choice(words) for _ in range(n))
        out.append(one[:1].upper() + one[1:] + end)
        count -= n
    return (" " if join else "").join(out)


class Look:
    """The frame of one site."""
    def __init__(self, lang: str, name: str, nav: list[tuple[str, str]], foot: str, rtl: bool = False) -> None:
        self.lang, self.name, self.foot = lang, name, foot
        self.nav = "<nav>" + " | ".join(a(h, t) for h, t in nav) + "</nav>"
        self.dir = " dir='rtl'" if rtl else ""

    def __call__(self, title: str, *body: str) -> Answer:
        return Answer(200, HTML, (
            f"<!DOCTYPE html><html lang='{self.lang}'{self.dir}><head><meta charset='utf-8'>"
            f"<title>{escape(title)} – {self.name}</title></head><body><header>{self.nav}</header>"
            f"<main><h1>{escape(title)}</h1>{''.join(body)}</main><footer>{self.foot}</footer></body></html>"
        ).encode())


def enc(text: str) -> str:
    return quote(text, safe="")


def dec(text: str) -> str:
    return unquote(text)



FOREIGNER_HONEST: list[Site] = []


def num(text: str | None, below: int, first: int = 0) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and str(int(text)) == text and first <= int(text) < below else None


# 1 ------------------------------------------------------------------ Polish: flats by combinations of filters
PL = Look("pl", "Mieszkam.test", [("/", "Strona główna"), ("/szukaj", "Szukaj")],
          p("Portal nie pośredniczy w transakcjach. Ogłoszenia nie stanowią oferty w rozumieniu Kodeksu cywilnego. "
            "Korzystając z serwisu, akceptujesz regulamin i politykę prywatności."))
PL_F = {"miasto": ["krakow", "gdansk", "lodz", "wroclaw", "poznan", "lublin"], "typ": ["mieszkanie", "dom", "lokal"],
        "pokoje": ["1", "2", "3", "4"], "cena": ["do-300", "300-500", "500-800", "od-800"]}
PL_STREETS = "Długa Krótka Polna Leśna Ogrodowa Szkolna Kościuszki Mickiewicza Słowackiego Lipowa Kwiatowa Sienkiewicza".split()


@lru_cache(4)
def pl_flats(seed: int) -> list[dict[str, str]]:
    rng, out = Random(f"{seed}|pl"), []
    for m in PL_F["miasto"]:
        for t in PL_F["typ"]:
            for r in PL_F["pokoje"]:
                for c in PL_F["cena"]:
                    out += [{"miasto": m, "typ": t, "pokoje": r, "cena": c} for _ in range(rng.choice((0, 1, 2, 3, 4, 6)))]
    rng.shuffle(out)
    return out


@honest(FOREIGNER_HONEST)
def mieszkam(asked: Asked) -> Answer | None:
    """Offers show in a list only once it is no longer than eight."""
    flats = pl_flats(asked.seed)
    if asked.path == "/" and not asked.pairs:
        return PL("Nieruchomości", p("Wybierz miasto:"), ul(a(q("/szukaj", [("miasto", m)]), m.title()) for m in PL_F["miasto"]))

    def line(i: int) -> str:
        f, rng = flats[i], asked.of("flat", i)
        return f"{f['typ'].title()}, {f['pokoje']} pok., {rng.randint(22, 140)} m², ul. {rng.choice(PL_STREETS)} {rng.randint(1, 99)}"

    if asked.path == "/szukaj":
        f = asked.query
        if asked.pairs != mixed(f.items()) or any(k not in PL_F or v not in PL_F[k] for k, v in f.items()):
            return None
        hits = [i for i, one in enumerate(flats) if all(one[k] == v for k, v in f.items())]
        if not hits:
            return None
        box = []
        for k, values in PL_F.items():
            box.append(f"<h3>{k}</h3>")
            if k in f:
                box.append(a(qm("/szukaj", [x for x in f.items() if x[0] != k]), f"usuń filtr {f[k]}"))
            for v in values:
                n = sum(one[k] == v and all(one[x] == y for x, y in f.items() if x != k) for one in flats)
                if n and f.get(k) != v:
                    box.append(a(qm("/szukaj", {**f, k: v}.items()), f"{v} ({n})"))
        main = ul(a(f"/oferta/{i}", line(i)) for i in hits) if len(hits) <= 8 else p("Zbyt wiele wyników, zawęź kryteria wyszukiwania.")
        return PL("Oferty: " + (", ".join(f.values()) or "wszystkie"), p(f"Znaleziono ofert: {len(hits)}"), main, "<aside>", *box, "</aside>")
    i = num(asked.path.removeprefix("/oferta/"), len(flats)) if asked.path.startswith("/oferta/") and not asked.pairs else None
    if i is None:
        return None
    f, rng = flats[i], asked.of("more", i)
    same = [j for j, one in enumerate(flats) if one == f and j != i][:2]
    return PL(line(i), p(f"{f['miasto'].title()}. Piętro {rng.randint(0, 9)}, rok budowy {rng.randint(1920, 2023)}. "
              f"{rng.choice(['Balkon.', 'Bez balkonu.', 'Taras.', 'Ogródek.'])} {rng.choice(['Do remontu.', 'Do zamieszkania.', 'Stan deweloperski.'])}",
              f"Tel. {rng.randint(500, 899)} {rng.randint(100, 999)} {rng.randint(100, 999)}"),
              a(q("/szukaj", [("miasto", f["miasto"])]), "Więcej w tym mieście"), "<h2>Podobne</h2>", ul(a(f"/oferta/{j}", line(j)) for j in same))


# 2 ------------------------------------------------------------------ Greek: a catalogue of many lists
EL = Look("el", "Δημοτική Βιβλιοθήκη", [("/", "Αρχική"), ("/subjects", "Θέματα"), ("/years", "Έτη")],
          p("Ώρες λειτουργίας: Δευτέρα έως Παρασκευή 9–14. Ο δανεισμός διαρκεί δεκαπέντε ημέρες και ανανεώνεται μία φορά."))
EL_W = ("θάλασσα νύχτα δρόμος παιδί πόλεμος σπίτι φως ιστορία ποιήματα αγάπη νησί γράμματα χρόνος ουρανός μητέρα ταξίδι λόγος "
        "σιωπή πέτρα άνεμος κήπος μνήμη δάσος αρχαία νέα μικρή μεγάλη χαμένη πόλη φωνή τραγούδια λαός γη").split()
EL_N = "Παπαδόπουλος Γεωργίου Νικολάου Βασιλείου Δημητρίου Οικονόμου Αγγελή Καραγιάννη Μακρή Ρίζος Σταύρου Τσάτσος Ξένος Λάμπρου".split()
EL_F = "Μαρία Ελένη Γιώργος Κώστας Άννα Νίκος Σοφία Πέτρος Ιωάννα Στέλιος Θανάσης Ζωή Βασίλης".split()
EL_L = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ"
EL_S = ("title", "year", "acq")
EL_SIZE = 15


@lru_cache(4)
def el_books(seed: int) -> list[dict]:
    rng = Random(f"{seed}|el")
    return [{"title": " ".join(rng.choices(EL_W, k=rng.choice((1, 2, 2, 3)))).capitalize(), "author": rng.randrange(170) if rng.random() < 0.8 else None,
             "subject": rng.randrange(30) if rng.random() < 0.75 else None, "year": rng.randint(1925, 2010), "acq": rng.randrange(10**6)} for _ in range(1100)]


@lru_cache(4)
def el_who(seed: int) -> list[str]:
    rng = Random(f"{seed}|elwho")
    return [f"{rng.choice(EL_F)} {rng.choice(EL_N)}" for _ in range(170)]


@honest(FOREIGNER_HONEST)
def vivliothiki(asked: Asked) -> Answer | None:
    """Records in lists by author, subject and year, each in three orders; some only in that of their year."""
    books = el_books(asked.seed)
    who = el_who(asked.seed)
    letter = {n: EL_L[n % 24] for n in range(170)}

    def subject(n: int) -> str:
        return " ".join(asked.of("subject", n).choices(EL_W, k=2)).capitalize() + f" ({n + 100})"

    head = asked.segments[:1]
    if asked.path == "/" and not asked.pairs:
        return EL("Κατάλογος", p("Συγγραφείς κατά γράμμα:"), " ".join(a(q("/authors", [("g", g)]), g) for g in EL_L))
    if asked.path == "/authors" and list(asked.query) == ["g"] and len(asked.query["g"]) == 1 and asked.query["g"] in EL_L:
        mine = [n for n in range(170) if letter[n] == asked.query["g"]]
        return EL("Συγγραφείς " + asked.query["g"], ul(a(q("/list", [("by", "author"), ("id", n)]), who[n]) for n in mine if any(b["author"] == n for b in books)))
    if asked.path == "/subjects" and not asked.pairs:
        return EL("Θέματα", ul(a(q("/list", [("by", "subject"), ("id", n)]), subject(n)) for n in range(30)))
    if asked.path == "/years" and not asked.pairs:
        return EL("Έτη έκδοσης", ul(a(q("/list", [("by", "year"), ("id", y)]), y) for y in range(1925, 2011) if any(b["year"] == y for b in books)))
    if asked.path == "/list":
        by, key = asked.query.get("by"), num(asked.query.get("id"), 2100)
        page, sort = num(asked.query.get("page", "1"), 99, 1), asked.query.get("sort", "title")
        if by not in ("author", "subject", "year") or key is None or page is None or sort not in EL_S:
            return None
        own = [("by", by), ("id", str(key)), *([("sort", sort)] if sort != "title" else []), *([("page", str(page))] if page > 1 else [])]
        hits = sorted((n for n, b in enumerate(books) if b[by] == key), key=lambda n: (books[n][sort], n))
        if asked.pairs != own or len(hits) <= (page - 1) * EL_SIZE:
            return None
        shown = hits[(page - 1) * EL_SIZE : page * EL_SIZE]
        name = who[key] if by == "author" else subject(key) if by == "subject" else f"Έτος {key}"
        orders = [a(q("/list", [("by", by), ("id", key), *([("sort", s)] if s != "title" else [])]), f"[{t}]" if s == sort else t) for s, t in zip(EL_S, ("τίτλος", "έτος", "πρόσκτηση"))]
        more = [a(q("/list", [*[x for x in own if x[0] != "page"], ("page", page + 1)]), "Επόμενη")] if len(hits) > page * EL_SIZE else []
        return EL(name, p("Ταξινόμηση: " + " ".join(orders)), ul(a(f"/record/{n + 40211}", f"{books[n]['title']}, {books[n]['year']}") for n in shown), *more)
    n = num(asked.segments[1], 41311, 40211) if head == ["record"] and len(asked.segments) == 2 and not asked.pairs else None
    if n is None:
        return None
    b, rng = books[n - 40211], asked.of("rec", n)
    au = a(q("/list", [("by", "author"), ("id", b["author"])]), who[b["author"]]) if b["author"] is not None else "Ανώνυμο"
    su = a(q("/list", [("by", "subject"), ("id", b["subject"])]), subject(b["subject"])) if b["subject"] is not None else "—"
    return EL(b["title"], rows([("Συγγραφέας", au), ("Θέμα", su), ("Έτος", a(q("/list", [("by", "year"), ("id", b["year"])]), b["year"])),
              ("Σελίδες", rng.randint(48, 620)), ("Ταξιθετικός αριθμός", f"{rng.randint(100, 999)}.{rng.randint(1, 99)}"),
              ("Διαθεσιμότητα", rng.choice(["Διαθέσιμο", "Σε δανεισμό", "Αναγνωστήριο"]))]))


# 3 ------------------------------------------------------------------ Portuguese: an open data portal
PT = Look("pt", "Dados Abertos", [("/", "Início"), ("/dataset", "Conjuntos de dados"), ("/organization", "Organizações"), ("/group", "Grupos")],
          p("Os dados são disponibilizados sob a licença Creative Commons Atribuição 4.0. O portal não se responsabiliza pela exatidão dos dados."))
PT_F = {"organization": ["ine", "ministerio-saude", "camara-lisboa", "camara-porto", "camara-braga", "instituto-mar", "autoridade-transportes", "agencia-ambiente",
        "direcao-escolas", "turismo", "protecao-civil", "aeroportos", "florestas", "aguas"], "groups": ["saude", "educacao", "transportes", "ambiente", "economia", "cultura", "seguranca", "populacao"],
        "tags": ["orcamento", "censos", "escolas", "hospitais", "autocarros", "estradas", "incendios", "agua", "ar", "praias", "museus", "emprego", "energia", "residuos", "turistas", "pescas", "cadastro", "ciclovias"],
        "res_format": ["CSV", "JSON", "XLSX", "SHP", "PDF", "WMS"]}
PT_T = "Relação Lista Mapa Estatísticas Inventário Evolução Localização Registo".split()
PT_W = ("dados anuais por concelho freguesia com série valores totais média número de utentes recolhidos pelo serviço atualização mensal trimestral ficheiro inclui "
        "coordenadas indicadores nacionais desde contagem veículos alunos leitos estações").split()
PT_P = "Lisboa Porto Braga Faro Évora Coimbra Aveiro Viseu Setúbal Leiria Açores Madeira".split()


@lru_cache(4)
def pt_sets(seed: int) -> list[dict]:
    rng, out = Random(f"{seed}|pt"), []
    for n in range(450):
        tags = rng.sample(PT_F["tags"], rng.choice((1, 2, 3)))
        out.append({"title": f"{rng.choice(PT_T)} de {tags[0]} – {rng.choice(PT_P)} {rng.randint(2001, 2024)}", "organization": [rng.choice(PT_F["organization"])],
                    "groups": rng.sample(PT_F["groups"], rng.choice((0, 1, 1, 2))), "tags": tags, "res_format": rng.sample(PT_F["res_format"], rng.choice((1, 1, 2, 3))), "slug": f"{tags[0]}-{n * 37 % 9973}"})
    return out


@honest(FOREIGNER_HONEST)
def dados_abertos(asked: Asked) -> Answer | None:
    """Facets one or two at a time; without any, only the first hundred sets show; a page for each resource."""
    sets = pt_sets(asked.seed)
    if asked.path == "/" and not asked.pairs:
        return PT("Dados abertos", p("Pesquise entre os conjuntos de dados publicados."), ul(a(q("/dataset", [("tags", t)]), t) for t in PT_F["tags"][:6]))
    if asked.path == "/organization" and not asked.pairs:
        return PT("Organizações", ul(a(f"/organization/{o}", o) for o in PT_F["organization"]))
    if asked.path == "/group" and not asked.pairs:
        return PT("Grupos", ul(a(q("/dataset", [("groups", o)]), o) for o in PT_F["groups"]))
    if asked.path == "/dataset":
        f = {k: v for k, v in asked.pairs if k != "page"}
        page = num(asked.query.get("page", "1"), 99, 1)
        if page is None or len(f) > 2 or any(k not in PT_F or v not in PT_F[k] for k, v in f.items()):
            return None
        own = [*mixed(f.items()), *([("page", str(page))] if page > 1 else [])]
        hits = [n for n, s in enumerate(sets) if all(v in s[k] for k, v in f.items())]
        most = min(len(hits), 100) if not f else len(hits)
        if asked.pairs != own or most <= 20 * (page - 1):
            return None
        box = []
        for k, values in PT_F.items():
            if k in f:
                box.append(a(qm("/dataset", [x for x in f.items() if x[0] != k]), f"× {f[k]}"))
            elif len(f) < 2:
                counts = {v: sum(v in sets[n][k] for n in hits) for v in values}
                box.append(f"<h3>{k}</h3>" + ul(a(qm("/dataset", {**f, k: v}.items()), f"{v} ({c})") for v, c in sorted(counts.items(), key=lambda x: (-x[1], x[0])) if c))
        pager = [a(q("/dataset", [*mixed(f.items()), *([("page", n)] if n > 1 else [])]), n) for n in range(max(1, page - 1), min(-(-most // 20), page + 1) + 1)]
        return PT(" / ".join(f.values()) or "Conjuntos de dados", p(f"{len(hits)} conjuntos de dados encontrados"),
                  *(f"<div><h2>{a('/dataset/' + sets[n]['slug'], sets[n]['title'])}</h2><p>{said(asked.of('notes', n), PT_W, 14)}</p></div>" for n in hits[20 * page - 20 : min(20 * page, most)]),
                  p(" ".join(pager)), "<aside>", *box, "</aside>")
    seg = asked.segments
    if asked.pairs or len(seg) < 2:
        return None
    if seg[0] == "organization" and len(seg) == 2 and seg[1] in PT_F["organization"]:
        return PT(seg[1], p(said(asked.of("org", seg[1]), PT_W, 25)), a(q("/dataset", [("organization", seg[1])]), "Ver conjuntos de dados"))
    found = next((n for n, s in enumerate(sets) if s["slug"] == seg[1]), None)
    if seg[0] != "dataset" or found is None:
        return None
    s = sets[found]
    if len(seg) == 2:
        return PT(s["title"], p(said(asked.of("notes", found), PT_W, 14), said(asked.of("notes2", found), PT_W, 20)), a(f"/organization/{s['organization'][0]}", s["organization"][0]),
                  ul(a(f"/dataset/{s['slug']}/resource/{n}", f"{s['title']} ({r})") for n, r in enumerate(s["res_format"])), p(" ".join(a(q("/dataset", [("tags", t)]), t) for t in s["tags"])))
    n = num(seg[3], len(s["res_format"])) if len(seg) == 4 and seg[2] == "resource" else None
    if n is None:
        return None
    rng = asked.of("res", found, n)
    return PT(f"{s['title']} ({s['res_format'][n]})", rows([("Formato", s["res_format"][n]), ("Tamanho", f"{rng.randint(2, 900)} kB"), ("Última atualização", f"{rng.randint(1, 28)}/{rng.randint(1, 12)}/2024"), ("Licença", "CC-BY")]),
              a(f"/dataset/{s['slug']}", "Voltar"))


# 4 ------------------------------------------------------------------ Arabic: jobs by town, trade and level
AR = Look("ar", "وظائف اليوم", [("/", "الرئيسية"), ("/jobs/all/all/all", "كل الوظائف")],
          p("جميع الحقوق محفوظة. لا يتحمل الموقع مسؤولية محتوى الإعلانات المنشورة من قبل أصحاب العمل."), rtl=True)
AR_T = ["الرياض", "جدة", "الدمام", "دبي", "القاهرة", "عمان", "بيروت", "الكويت", "مسقط", "الدوحة", "تونس"]
AR_J = ["محاسب", "سائق", "مهندس", "ممرض", "معلم", "طباخ", "مبرمج", "بائع", "كهربائي", "سكرتير"]
AR_L = ["مبتدئ", "متوسط", "خبير"]
AR_TEXT = ("نحن شركة رائدة في مجالها ونبحث عن موظفين يتمتعون بروح الفريق والقدرة على تحمل ضغط العمل. يشترط في المتقدم حسن السيرة والسلوك وإجادة استخدام الحاسب الآلي. "
           "نقدم راتبا مجزيا وتأمينا صحيا وإجازة سنوية مدفوعة وفرصا للترقية والتدريب. على الراغبين إرسال السيرة الذاتية مع صورة حديثة وسيتم التواصل مع المرشحين المناسبين فقط. "
           "آخر موعد للتقديم نهاية الشهر الحالي ولا تقبل الطلبات بعد هذا التاريخ. ")
AR_C = ["الأمل", "النور", "الخليج", "المستقبل", "الواحة", "الصقر", "البركة", "الريادة", "السلام", "الفجر"]


@lru_cache(4)
def ar_jobs(seed: int) -> list[tuple[int, int, int]]:
    rng = Random(f"{seed}|ar")
    return [(rng.randrange(11), rng.randrange(10), rng.choice((0, 0, 1, 1, 2))) for _ in range(780)]


@honest(FOREIGNER_HONEST)
def wazaif(asked: Asked) -> Answer | None:
    """Lists show ten a page and three pages at most, so that old jobs are only in narrow ones."""
    jobs, seg = ar_jobs(asked.seed), asked.segments
    names = (AR_T, AR_J, AR_L)

    def to(f: list[int | None], page: int = 1) -> str:
        return "/jobs/" + "/".join("all" if v is None else enc(names[k][v]) for k, v in enumerate(f)) + (f"?page={page}" if page > 1 else "")

    def title(n: int) -> str:
        t, j, lev = jobs[n]
        return f"مطلوب {AR_J[j]} {AR_L[lev]} في {AR_T[t]}"

    if asked.path == "/" and not asked.pairs:
        return AR("وظائف", p("اختر المدينة"), ul(a(to([n, None, None]), t) for n, t in enumerate(AR_T)))
    if seg[:1] == ["job"] and len(seg) == 2 and not asked.pairs:
        n = num(seg[1], 5000 + 780, 5000)
        if n is None:
            return None
        n -= 5000
        rng = asked.of("job", n)
        like = [m for m in range(len(jobs)) if jobs[m][:2] == jobs[n][:2] and m != n][:3]
        return AR(title(n), p(AR_TEXT), rows([("الشركة", f"شركة {rng.choice(AR_C)} {rng.choice(AR_C)}"), ("الراتب", rng.randint(20, 190) * 100), ("المرجع", 5000 + n)]), p(AR_TEXT[:200]),
                  "<h2>وظائف مشابهة</h2>", ul(a(f"/job/{5000 + m}", title(m)) for m in like), a(to([jobs[n][0], None, None]), "وظائف أخرى في المدينة"))
    if seg[:1] != ["jobs"] or len(seg) != 4 or asked.pairs not in ([], [("page", asked.query.get("page", ""))]):
        return None
    f: list[int | None] = []
    for k, one in enumerate(map(dec, seg[1:])):
        if one != "all" and one not in names[k]:
            return None
        f.append(None if one == "all" else names[k].index(one))
    page = num(asked.query["page"], 4, 2) if asked.pairs else 1
    hits = [n for n, j in enumerate(jobs) if all(v is None or j[k] == v for k, v in enumerate(f))]
    if page is None or not hits or len(hits) <= 10 * page - 10:
        return None
    box = []
    for k in range(3):
        if f[k] is not None:
            box.append(a(to([*f[:k], None, *f[k + 1 :]]), f"إلغاء {names[k][f[k]]}"))
        for v, text in enumerate(names[k]):
            if v != f[k] and any(j[k] == v and all(w is None or j[x] == w for x, w in enumerate(f) if x != k) for j in jobs):
                box.append(a(to([*f[:k], v, *f[k + 1 :]]), text))
    more = [a(to(f, page + 1), "التالي")] if page < 3 and len(hits) > 10 * page else []
    return AR("وظائف " + " ".join(names[k][v] for k, v in enumerate(f) if v is not None), p(f"عدد النتائج {len(hits)}"), ul(a(f"/job/{5000 + n}", title(n)) for n in hits[10 * page - 10 : 10 * page]), *more,
              "<aside>" + " ".join(box) + "</aside>")


# 5 ------------------------------------------------------------------ Japanese: a museum's lists of a hundred
JA = Look("ja", "郷土博物館", [("/", "トップ"), ("/shozo?page=1", "所蔵品一覧")], p("画像の無断転載を禁じます。ご利用の際は事前に申請書を提出してください。"))
JA_K = ["土器片", "石斧", "古文書", "農具", "茶碗", "絵葉書", "刀", "掛軸", "着物", "写真", "古銭", "玩具"]
JA_E = ["縄文時代", "弥生時代", "江戸時代", "明治時代", "大正時代", "昭和時代", "年代不詳"]
JA_N = 1150


@honest(FOREIGNER_HONEST)
def hakubutsukan(asked: Asked) -> Answer | None:
    """Objects of hardly any words, linked only from lists of a hundred in two views and two orders; a page for each picture."""
    def kind(n: int) -> str:
        return asked.of("kind", n).choice(JA_K)

    if asked.path == "/" and not asked.pairs:
        return JA("郷土博物館", p("当館の所蔵品を公開しています。"), a("/shozo?page=1", "一覧へ"))
    if asked.path == "/shozo":
        page, view, order = num(asked.query.get("page"), 13, 1), asked.query.get("view"), asked.query.get("order")
        f = {k: v for k, v in (("view", view), ("order", order), ("page", str(page))) if v}
        if page is None or view not in (None, "tile") or order not in (None, "age") or asked.pairs != mixed(f.items()) or 100 * page - 100 >= JA_N:
            return None
        ids = list(range(JA_N))
        if order:
            asked.of("age").shuffle(ids)
        more = [a(qm("/shozo", {**f, "page": str(page + 1)}.items()), "次の100件")] if 100 * page < JA_N else []
        other = [a(qm("/shozo", {**{k: v for k, v in f.items() if k != "view"}, **({} if view else {"view": "tile"})}.items()), "表示切替"),
                 a(qm("/shozo", {**{k: v for k, v in f.items() if k != "order"}, **({} if order else {"order": "age"})}.items()), "並べ替え")]
        cell = (lambda n: f"<div><img src='/t/{n}.jpg'>{a(f'/shozo/J{n * 3 + 10007}', kind(n))}</div>") if view else (lambda n: f"<li>{a(f'/shozo/J{n * 3 + 10007}', f'{kind(n)} J{n * 3 + 10007}')}</li>")
        return JA(f"所蔵品一覧 {page}ページ", p(" ".join(other)), *(cell(n) for n in ids[100 * page - 100 : 100 * page]), *more)
    seg = asked.segments
    code = num(seg[1][1:], JA_N * 3 + 10007, 10007) if len(seg) in (2, 3) and seg[0] == "shozo" and seg[1][:1] == "J" and not asked.pairs else None
    if code is None or (code - 10007) % 3 or seg[2:] not in ([], ["gazo"]):
        return None
    n = (code - 10007) // 3
    rng = asked.of("obj", n)
    if seg[2:]:
        return JA(f"{kind(n)} 画像", f"<img src='/g/{code}.jpg'>", a(f"/shozo/J{code}", "戻る"))
    return JA(kind(n), p(f"{rng.choice(JA_E)}。高さ{rng.randint(2, 60)}cm、幅{rng.randint(2, 60)}cm。寄贈。"), a(f"/shozo/J{code}/gazo", "画像を拡大"))


# 6 ------------------------------------------------------------------ Russian: questions, answers and lists that repeat them
RU = Look("ru", "Спроси соседа", [("/", "Главная"), ("/voprosy?tab=novye", "Вопросы"), ("/metki", "Метки")], p("Ответы отражают мнение их авторов. Администрация оставляет за собой право удалять сообщения."))
RU_W = ("как почему можно ли если чтобы трактор насос картофель рассада теплица удобрение поливать каждый день вода плохо растёт желтеют листья сосед говорит весной осенью почва глина песок "
        "двигатель не заводится искра масло фильтр куры несутся зимой корм стены крыша течёт утеплить печь дрова дымит колодец глубина забор столбы краска").split()
RU_T = ["огород", "трактор", "куры", "печь", "крыша", "колодец", "теплица", "картофель", "забор", "насос", "пчёлы", "кролики", "яблони", "почва", "дрова", "баня", "электрика", "полив", "удобрения", "погреб", "виноград", "козы", "пруд", "газон", "трубы"]
RU_Q, RU_U, RU_P = 800, 230, 20
RU_TABS = ["novye", "aktivnye", "golosa", "bez-otveta"]


@lru_cache(4)
def ru_data(seed: int):
    rng = Random(f"{seed}|ru")
    qs = [{"title": said(rng, RU_W, 7, end="?"), "tags": sorted(rng.sample(range(25), rng.choice((1, 2, 2, 3)))), "by": rng.randrange(RU_U), "answers": [rng.randrange(RU_U) for _ in range(rng.choice((0, 1, 1, 2, 3)))],
           "votes": rng.randrange(90), "active": rng.random()} for _ in range(RU_Q)]
    pairs: dict[tuple[int, int], list[int]] = {}
    for n, one in enumerate(qs):
        for pair in combinations(one["tags"], 2):
            pairs.setdefault(pair, []).append(n)
    return qs, {k: v for k, v in pairs.items() if len(v) >= 3}


@honest(FOREIGNER_HONEST)
def sprosi_soseda(asked: Asked) -> Answer | None:
    """Four orders of all questions, lists by tag and by two tags, which repeat titles and first lines; users with three tabs."""
    qs, pairs = ru_data(asked.seed)

    def first(n: int) -> str:
        return said(asked.of("body", n), RU_W, 22)

    def who(u: int) -> str:
        return a(f"/user/{u}", f"участник{u}")

    def listed(ids: list[int]) -> str:
        return "".join(f"<div><h3>{a(f'/vopros/{n + 311}', qs[n]['title'])}</h3><p>{first(n)}</p>{' '.join(a(tag([t]), RU_T[t]) for t in qs[n]['tags'])} {who(qs[n]['by'])}</div>" for n in ids)

    def tag(ts: list[int], page: int = 1) -> str:
        return "/metka/" + "+".join(enc(RU_T[t]) for t in ts) + (f"?page={page}" if page > 1 else "")

    if asked.path == "/" and not asked.pairs:
        return RU("Спроси соседа", listed(list(range(RU_Q - 1, RU_Q - 11, -1))))
    if asked.path == "/metki" and not asked.pairs:
        return RU("Метки", ul(a(tag([t]), text) for t, text in enumerate(RU_T)))
    seg = asked.segments
    if asked.path == "/voprosy":
        tab, page = asked.query.get("tab"), num(asked.query.get("page", "1"), 99, 1)
        if tab not in RU_TABS or page is None:
            return None
        ids = list(range(RU_Q - 1, -1, -1))
        if tab == "aktivnye":
            ids.sort(key=lambda n: qs[n]["active"])
        elif tab == "golosa":
            ids.sort(key=lambda n: -qs[n]["votes"])
        elif tab == "bez-otveta":
            ids = [n for n in ids if not qs[n]["answers"]]
        own = [("tab", tab)] + ([("page", str(page))] if page > 1 else [])
        if asked.pairs != mixed(own) or RU_P * (page - 1) >= len(ids):
            return None
        last = -(-len(ids) // RU_P)
        near = sorted({1, last, *range(max(1, page - 2), min(last, page + 2) + 1)})
        pager = " ".join(a(qm("/voprosy", [("tab", tab), *([("page", n)] if n > 1 else [])]), n) for n in near)
        return RU(f"Вопросы, страница {page}", p(" ".join(a(q("/voprosy", [("tab", t)]), t) for t in RU_TABS)), listed(ids[RU_P * page - RU_P : RU_P * page]), p(pager))
    if len(seg) < 2:
        return None
    if seg[0] == "metka" and len(seg) == 2:
        names = [dec(x) for x in seg[1].split("+")]
        if any(x not in RU_T for x in names) or len(names) > 2:
            return None
        ts = [RU_T.index(x) for x in names]
        page = num(asked.query.get("page", "1"), 99, 1)
        ids = [n for n, one in enumerate(qs) if set(ts) <= set(one["tags"])]
        if page is None or asked.pairs != ([("page", str(page))] if page > 1 else []) or (len(ts) == 2 and tuple(ts) not in pairs) or RU_P * (page - 1) >= len(ids):
            return None
        more = [a(tag(ts, page + 1), "дальше")] if len(ids) > RU_P * page else []
        box = [a(tag(list(k)), " + ".join(RU_T[t] for t in k)) for k in pairs if len(ts) == 1 and ts[0] in k]
        return RU("Метка " + " + ".join(names), listed(ids[RU_P * page - RU_P : RU_P * page]), *more, "<aside>Связанные метки " + " ".join(box) + "</aside>")
    if seg[0] == "vopros" and len(seg) == 2 and not asked.pairs and (n := num(seg[1], RU_Q + 311, 311)) is not None:
        n -= 311
        one = qs[n]
        like = [m for m in range(n + 1, RU_Q) if set(one["tags"]) & set(qs[m]["tags"])][:4]
        return RU(one["title"], p(first(n), said(asked.of("rest", n), RU_W, 20)), *(f"<div>{p(said(asked.of('ans', n, k), RU_W, 25))}{a(f'/user/{u}', f'участник{u}')}</div>" for k, u in enumerate(one["answers"])),
                  p(" ".join(a(tag([t]), RU_T[t]) for t in one["tags"])), "<aside>Похожие " + ul(a(f"/vopros/{m + 311}", qs[m]["title"]) for m in like) + "</aside>")
    if seg[0] == "user" and len(seg) == 2 and (u := num(seg[1], RU_U)) is not None:
        tab = asked.query.get("tab")
        if asked.pairs != ([("tab", tab)] if tab else []) or tab not in (None, "voprosy", "otvety"):
            return None
        tabs = p(" ".join(a(q(asked.path, [("tab", t)] if t else []), t or "профиль") for t in (None, "voprosy", "otvety")))
        if tab is None:
            return RU(f"участник{u}", tabs, p(f"На сайте с {asked.of('since', u).randint(2009, 2023)} года. Репутация {asked.of('rep', u).randint(1, 4000)}."))
        ids = [n for n, one in enumerate(qs) if (one["by"] == u if tab == "voprosy" else u in one["answers"])]
        return RU(f"участник{u}: {'вопросы' if tab == 'voprosy' else 'ответы'}", tabs, ul(a(f"/vopros/{n + 311}", qs[n]["title"]) for n in ids) if ids else p("Пока ничего нет."))
    return None


# 7 ------------------------------------------------------------------ Hungarian: a wiki with every revision and difference
HU = Look("hu", "Falutörténeti Wiki", [("/", "Kezdőlap"), ("/index.php?title=Speci%C3%A1lis:Lapok", "Összes lap")], p("A lap szövege Creative Commons Nevezd meg! – Így add tovább! licenc alatt felhasználható."))
HU_W = ("a falu temploma század elején épült birtokos család kastély malom patak híd iskola lakosság népszámlálás szerint határában szőlő erdő régi térkép oklevél említi először település "
        "jobbágyok gazdasága után vármegye járás vasútállomás háború plébánia harang nagy kis felső alsó").split()
HU_A, HU_B = "Kis Nagy Felső Alsó Szent Magyar Német Puszta Új Ó".split(), "falu telek háza vár szeg halom keresztúr völgy patak major".split()
HU_N = 190


@lru_cache(4)
def hu_pages(seed: int) -> list[tuple[str, list[int]]]:
    rng, out, rev = Random(f"{seed}|hu"), [], 1000
    titles = [x + y for x in HU_A for y in HU_B] + [x + y + "-puszta" for x in HU_A for y in HU_B]
    rng.shuffle(titles)
    for t in titles[:HU_N]:
        revs = []
        for _ in range(rng.choice((1, 3, 4, 6, 9))):
            rev += rng.randint(1, 9)
            revs.append(rev)
        out.append((t, revs))
    return out


@honest(FOREIGNER_HONEST)
def falu_wiki(asked: Asked) -> Answer | None:
    """Articles, histories, old revisions and differences between neighbours; parameters in an order of each set's own."""
    lapok = hu_pages(asked.seed)
    at = {t: n for n, (t, _) in enumerate(lapok)}

    def to(**f: object) -> str:
        return qm("/index.php", f.items())

    if asked.path == "/" and not asked.pairs:
        return HU("Kezdőlap", p("Üdvözlünk a falutörténeti wikiben!"), ul(a(to(title=t), t) for t, _ in lapok[:5]))
    if asked.path != "/index.php" or asked.pairs != mixed(asked.query.items()):
        return None
    f = dict(asked.query)
    title = f.pop("title", None)
    if title == "Speciális:Lapok":
        start = num(f.pop("offset", "0"), HU_N)
        if f or start is None or start % 50 or (start == 0 and "offset" in asked.query):
            return None
        more = [a(to(title=title, offset=start + 50), "következő 50")] if start + 50 < HU_N else []
        return HU("Összes lap", ul(a(to(title=t), t) for t, _ in lapok[start : start + 50]), *more)
    if title not in at:
        return None
    n = at[title]
    revs = lapok[n][1]

    def para(version: int) -> list[str]:
        out = [said(asked.of("para", n, k), HU_W, 30) for k in range(3)]
        for v in range(version + 1):
            r = asked.of("edit", n, v)
            out[r.randrange(3)] += " " + said(r, HU_W, 8)
        return out

    see = asked.of("see", n).sample(lapok, 3)
    tabs = p(a(to(title=title), "Szócikk"), a(to(title=title, action="history"), "Laptörténet"))
    if not f:
        return HU(title, tabs, p(*para(len(revs) - 1)), ul(a(to(title=t), t) for t, _ in see))
    if f == {"action": "history"}:
        items = []
        for k in range(len(revs) - 1, -1, -1):
            r = asked.of("who", revs[k])
            links = ([a(to(title=title, oldid=revs[k]), f"{r.randint(2006, 2023)}. {r.randint(1, 12)}. {r.randint(1, 28)}.")] if k < len(revs) - 1 else ["jelenlegi"]) + ([a(to(title=title, diff=revs[k], oldid=revs[k - 1]), "előző")] if k else [])
            items.append(" ".join(links) + f" Szerkesztő{r.randint(1, 40)}")
        return HU(f"„{title}” laptörténete", tabs, ul(items))
    old = num(f.get("oldid"), 10**6)
    if old not in revs:
        return None
    k = revs.index(old)
    if set(f) == {"oldid"} and k < len(revs) - 1:
        near = [a(to(title=title, oldid=revs[j]), w) for j, w in ((k - 1, "régebbi"), (k + 1, "újabb")) if 0 <= j < len(revs) - 1]
        return HU(title, tabs, p(f"Ez a lap egy korábbi változata ({old})."), *near, p(*para(k)))
    if set(f) == {"oldid", "diff"} and k + 1 < len(revs) and f["diff"] == str(revs[k + 1]):
        r = asked.of("edit", n, k + 1)
        r.randrange(3)
        return HU(f"„{title}” változatai közötti eltérés", tabs, p("+ " + said(r, HU_W, 8)))
    return None


# 9 ------------------------------------------------------------------ Swedish: seasons, leagues, rounds, matches, players
SV = Look("sv", "Bandyarkivet", [("/", "Start"), ("/lag", "Lag")], p("Uppgifterna är sammanställda ur årsböcker och tidningar. Rättelser mottas tacksamt."))
SV_LAG = [f"{x} {y}" for x in ("IFK", "BK", "SK", "GIF") for y in ("Motala", "Vetlanda", "Sandvik", "Edsbyn", "Kalix", "Nässjö")]
SV_D, SV_Y = ["allsvenskan", "division-1", "division-2"], list(range(1971, 1981))
SV_F, SV_L = "Lars Bengt Sven Göran Kjell Olle Per Stig Håkan Ulf".split(), "Andersson Berg Dahl Ek Forsman Lind Nyström Sjöberg Öberg Åkesson".split()


@lru_cache(4)
def sv_players(seed: int) -> list[tuple[str, int, int, int]]:
    rng = Random(f"{seed}|sv")
    return [(f"{rng.choice(SV_F)} {rng.choice(SV_L)}", n % 24, y := rng.choice(SV_Y), min(y + rng.choice((0, 1, 2, 4)), 1980)) for n in range(250)]


@honest(FOREIGNER_HONEST)
def bandyarkivet(asked: Asked) -> Answer | None:
    """Matches that only their round leads to; squads by season as a query; a page for each season of a player."""
    players, seg = sv_players(asked.seed), asked.segments
    if asked.path == "/" and not asked.pairs:
        return SV("Bandyarkivet", ul(a(f"/{y}/", f"Säsongen {y}/{y % 100 + 1}") for y in SV_Y))
    if asked.path == "/lag" and not asked.pairs:
        return SV("Lag", ul(a(f"/lag/{n}", t) for n, t in enumerate(SV_LAG)))
    if seg[0] == "lag" and len(seg) == 2 and (n := num(seg[1], 24)) is not None:
        y = num(asked.query.get("sasong", "1971"), 1981, 1971)
        if y is None or asked.pairs not in ([], [("sasong", str(y))]):
            return None
        if not asked.pairs:
            return SV(SV_LAG[n], p(f"Bildad {asked.of('lag', n).randint(1895, 1935)}."), ul(a(q(asked.path, [("sasong", s)]), s) for s in SV_Y))
        squad = [k for k, one in enumerate(players) if one[1] == n and one[2] <= y <= one[3]]
        return SV(f"{SV_LAG[n]} {y}", ul(a(f"/spelare/{k}", players[k][0]) for k in squad) if squad else p("Truppen är okänd."), p(" ".join(a(q(asked.path, [("sasong", s)]), s) for s in SV_Y)))
    if asked.pairs:
        return None
    if seg[0] == "spelare" and len(seg) in (2, 3) and (k := num(seg[1], 250)) is not None:
        name, lag, y1, y2 = players[k]
        if len(seg) == 2:
            return SV(name, p(f"Född {asked.of('born', k).randint(1940, 1960)}. {SV_LAG[lag]}."), ul(a(f"/spelare/{k}/{y}", y) for y in range(y1, y2 + 1)), a(f"/lag/{lag}", SV_LAG[lag]))
        y = num(seg[2], y2 + 1, y1)
        r = asked.of("stat", k, y)
        return None if y is None else SV(f"{name} {y}", rows([("Matcher", r.randint(0, 20)), ("Mål", r.randint(0, 15)), ("Utvisningar", r.randint(0, 40))]), a(f"/spelare/{k}", "Tillbaka"))
    y = num(seg[0], 1981, 1971)
    if y is None:
        return None
    base = f"/{y}/"
    if asked.path == base:
        return SV(f"Säsongen {y}", ul(a(f"{base}{d}/", d) for d in SV_D))
    if len(seg) < 2 or seg[1] not in SV_D:
        return None
    teams = asked.of("teams", y).sample(range(24), 24)[8 * SV_D.index(seg[1]) : 8 * SV_D.index(seg[1]) + 8]
    base += seg[1] + "/"
    if asked.path == base:
        r = asked.of("table", base)
        return SV(f"{seg[1]} {y}", rows((a(f"/lag/{t}", SV_LAG[t]), 10, r.randint(5, 60), r.randint(0, 20)) for t in teams), ul(a(f"{base}omgang-{o}", f"Omgång {o}") for o in range(1, 11)))
    o = num(seg[2].removeprefix("omgang-"), 11, 1) if seg[2].startswith("omgang-") else None
    if o is None or not asked.path.startswith(f"{base}omgang-{o}"):
        return None
    order = asked.of("round", y, o).sample(teams, 8)
    games = list(zip(order[::2], order[1::2]))

    def result(m: int) -> str:
        r = asked.of("game", y, seg[1], o, m)
        return f"{SV_LAG[games[m][0]]} – {SV_LAG[games[m][1]]} {r.randint(0, 9)}–{r.randint(0, 9)}"

    if len(seg) == 3 and not asked.path.endswith("/"):
        return SV(f"{seg[1]} {y}, omgång {o}", ul(a(f"{asked.path}/match-{m}", result(m)) for m in range(4)), a(base, "Tabell"))
    m = num(seg[3].removeprefix("match-"), 4) if len(seg) == 4 else None
    return None if m is None or asked.path != f"{base}omgang-{o}/match-{m}" else SV(result(m), p(f"Publik: {asked.of('crowd', y, seg[1], o, m).randint(40, 4200)}. Domare: {asked.of('ref', y, o, m).choice(SV_L)}."), a(f"{base}omgang-{o}", "Omgången"))


# 10 ----------------------------------------------------------------- Czech: a bus operator
CS = Look("cs", "Autobusy Podhůří", [("/", "Úvod"), ("/linky", "Linky"), ("/zastavky", "Zastávky")], p("Platí od 12. prosince. Změna jízdního řádu vyhrazena. Spoje označené křížkem jedou v neděli a ve státem uznané svátky."))
CS_Z = [f"{x}, {y}" for x in "Lhota Újezd Březová Kamenice Hradec Dolany Habrová Slatina Petrov Javorník Podlesí Vrchlabí Dubec Zálesí".split() for y in "náměstí škola rozcestí nádraží kostel hostinec obecní-úřad most pila hřbitov".split()]
CS_D, CS_S = ["pracovni", "sobota", "nedele"], ["tam", "zpet"]


@lru_cache(4)
def cs_lines(seed: int) -> list[list[int]]:
    rng = Random(f"{seed}|cs")
    pool = list(range(140))
    rng.shuffle(pool)
    return [[*pool[n * 4 : n * 4 + 4], *rng.sample(range(140), 8)] for n in range(35)]


@honest(FOREIGNER_HONEST)
def autobusy(asked: Asked) -> Answer | None:
    """Timetables by line, direction and day, and of each stop by line, direction and day."""
    lines = [list(dict.fromkeys(one)) for one in cs_lines(asked.seed)]
    if asked.path == "/" and not asked.pairs:
        return CS("Autobusy Podhůří", p("Vítejte na stránkách dopravce."), ul([a("/linky", "Linky"), a("/zastavky", "Zastávky")]))
    if asked.path == "/linky" and not asked.pairs:
        return CS("Linky", ul(a(f"/linka/{n + 540}", f"{n + 540} {CS_Z[s[0]]} – {CS_Z[s[-1]]}") for n, s in enumerate(lines)))
    if asked.path == "/zastavky":
        page = num(asked.query.get("strana", "1"), 8, 1)
        if page is None or asked.pairs != ([("strana", str(page))] if page > 1 else []):
            return None
        more = [a(q("/zastavky", [("strana", page + 1)]), "Další")] if page < 7 else []
        return CS("Zastávky", ul(a(f"/zastavka/{z}", CS_Z[z]) for z in range(20 * page - 20, 20 * page)), *more)
    seg = asked.segments
    if len(seg) != 2:
        return None
    if seg[0] == "linka" and (n := num(seg[1], 575, 540)) is not None:
        f, n = asked.query, n - 540
        full = [a(qm(asked.path, [("smer", s), ("den", d)]), f"{s}, {d}") for s in CS_S for d in CS_D]
        if not asked.pairs:
            return CS(f"Linka {n + 540}", ul(full))
        if set(f) != {"smer", "den"} or f["smer"] not in CS_S or f["den"] not in CS_D or asked.pairs != mixed(f.items()):
            return None
        stops = lines[n] if f["smer"] == "tam" else lines[n][::-1]
        r = asked.of("go", n, f["smer"], f["den"])
        starts = sorted(r.sample(range(300, 1320), 5 if f["den"] == "pracovni" else 3))
        table = rows([(a(f"/zastavka/{z}", CS_Z[z]), *(f"{(t + 4 * k) // 60}:{(t + 4 * k) % 60:02}" for t in starts)) for k, z in enumerate(stops)])
        return CS(f"Linka {n + 540} {f['smer']} {f['den']}", table, p(" ".join(full)))
    if seg[0] == "zastavka" and (z := num(seg[1], 140)) is not None:
        f = asked.query
        mine = [n for n, s in enumerate(lines) if z in s]
        if not asked.pairs:
            return CS(CS_Z[z], p(f"Pásmo {asked.of('zone', z).randint(1, 40)}."), ul(a(qm(asked.path, [("linka", n + 540), ("smer", s), ("den", "pracovni")]), f"{n + 540} {s}") for n in mine for s in CS_S))
        n = num(f.get("linka"), 575, 540)
        if set(f) != {"linka", "smer", "den"} or n is None or n - 540 not in mine or f["smer"] not in CS_S or f["den"] not in CS_D or asked.pairs != mixed(f.items()):
            return None
        r = asked.of("dep", z, n, f["smer"], f["den"])
        times = sorted(r.sample(range(300, 1320), 5 if f["den"] == "pracovni" else 2))
        return CS(f"{CS_Z[z]}, linka {n}, {f['smer']}, {f['den']}", p("  ".join(f"{t // 60}:{t % 60:02}" for t in times)), p(" ".join(a(qm(asked.path, {**f, "den": d}.items()), d) for d in CS_D if d != f["den"])), a(f"/linka/{n}", f"Linka {n}"))
    return None


# 11 ----------------------------------------------------------------- Chinese: a price list of few words
ZH = Look("zh", "五金价格表", [("/", "首页")], p("价格仅供参考"))
ZH_C, ZH_B = ["螺丝", "螺母", "垫圈", "钉子", "合页", "锁", "钻头", "砂纸", "胶水", "电线"], ["长城", "东方", "红星", "飞鹰", "得力"]
ZH_N = 1600


@lru_cache(4)
def zh_goods(seed: int) -> list[dict]:
    rng = Random(f"{seed}|zh")
    return [{"c": n % 10, "b": rng.randrange(5), "price": rng.randrange(1, 400) / 4, "sold": rng.randrange(900), "spec": f"M{rng.randint(2, 20)}×{rng.randint(5, 90)}", "stock": rng.random() < 0.7} for n in range(ZH_N)]


@honest(FOREIGNER_HONEST)
def wujin(asked: Asked) -> Answer | None:
    """Goods of four words each; lists by kind, maker, stock and three orders, thirty a page; goods lead nowhere."""
    goods = zh_goods(asked.seed)
    if asked.path == "/" and not asked.pairs:
        return ZH("五金", ul(a(q("/list.php", [("c", n)]), t) for n, t in enumerate(ZH_C)))
    if asked.path == "/p.php" and list(asked.query) == ["id"] and (n := num(asked.query["id"], 20000 + ZH_N, 20000)) is not None and len(asked.pairs) == 1:
        g = goods[n - 20000]
        return ZH(f"{ZH_C[g['c']]} {g['spec']}", p(f"{ZH_B[g['b']]} {g['price']:.2f}元 {'有货' if g['stock'] else '缺货'}"))
    if asked.path != "/list.php":
        return None
    f = asked.query
    c, b, page, o, s = num(f.get("c"), 10), num(f.get("b"), 5), num(f.get("page", "1"), 99, 1), f.get("o"), f.get("s")
    if c is None or page is None or o not in (None, "price", "sold") or s not in (None, "1") or ("b" in f and b is None) or set(f) - {"c", "b", "page", "o", "s"} or asked.pairs != mixed(f.items()) or f.get("page") == "1":
        return None
    ids = [n for n, g in enumerate(goods) if g["c"] == c and (b is None or g["b"] == b) and (s is None or g["stock"])]
    if o:
        ids.sort(key=lambda n: (goods[n][o], n))
    if 30 * (page - 1) >= len(ids):
        return None
    g0 = {k: v for k, v in f.items() if k != "page"}
    bar = [a(qm("/list.php", {**{k: v for k, v in g0.items() if k != "o"}, **({"o": x} if x else {})}.items()), t) for x, t in ((None, "默认"), ("price", "价格"), ("sold", "销量"))]
    bar += [a(qm("/list.php", {**{k: v for k, v in g0.items() if k != "b"}, **({"b": x} if x is not None else {})}.items()), t) for x, t in ((None, "全部"), *enumerate(ZH_B))]
    bar += [a(qm("/list.php", {**{k: v for k, v in g0.items() if k != "s"}, **({} if s else {"s": "1"})}.items()), "有货")]
    more = [a(qm("/list.php", {**g0, "page": page + 1}.items()), "下一页")] if 30 * page < len(ids) else []
    return ZH(ZH_C[c] + (ZH_B[b] if b is not None else ""), p(" ".join(bar)), rows((a(q("/p.php", [("id", 20000 + n)]), goods[n]["spec"]), f"{goods[n]['price']:.2f}") for n in ids[30 * page - 30 : 30 * page]), *more)


# 12 ----------------------------------------------------------------- Korean: a register of companies
KO = Look("ko", "기업등록부", [("/", "처음"), ("/jiyeok", "지역별")], p("본 자료는 법적 효력이 없습니다. 등기사항증명서는 등기소에서 발급받으시기 바랍니다."))
KO_G = list("가나다라마바사아자차카타파하")
KO_A, KO_B = "가람 나래 다온 라온 마루 바다 사랑 아리 자연 차오름 카이 타임 파란 하늘".split(), "전자 건설 식품 물산 통상 산업 기계 섬유 화학 정보".split()
KO_R, KO_S = ["서울", "부산", "대구", "인천", "광주", "대전", "울산", "수원", "전주", "제주"], "김 이 박 최 정 강 조 윤 장 임".split()
KO_N = 1300


@lru_cache(4)
def ko_firms(seed: int) -> list[tuple[int, str, int]]:
    rng = Random(f"{seed}|ko")
    return [(g := rng.randrange(14), f"주식회사 {KO_A[g]}{rng.choice(KO_B)}" + rng.choice(["", "", "제이", "원"]), rng.randrange(10) if rng.random() < 0.5 else -1) for _ in range(KO_N)]


@honest(FOREIGNER_HONEST)
def gieop(asked: Asked) -> Answer | None:
    """Lists by letter of ten each that lead to the next alone; half of the firms are in a list of their region, too; officers on a page of their own."""
    firms = ko_firms(asked.seed)
    if asked.path == "/" and not asked.pairs:
        return KO("기업등록부", p("가나다순"), " ".join(a(f"/sunseo/{enc(g)}/1", g) for g in KO_G))
    if asked.path == "/jiyeok" and not asked.pairs:
        return KO("지역별", " ".join(a(q("/geomsaek", [("jiyeok", r)]), r) for r in KO_R))
    seg = asked.segments

    def code(n: int) -> str:
        return f"{110111 + n * 7:06}-{asked.of('code', n).randint(1000, 9999)}"

    if asked.path == "/geomsaek":
        r, page = asked.query.get("jiyeok"), num(asked.query.get("page", "1"), 99, 1)
        own = [("jiyeok", r)] + ([("page", str(page))] if page != 1 else [])
        if r not in KO_R or page is None or asked.pairs != mixed(own):
            return None
        ids = [n for n, one in enumerate(firms) if one[2] == KO_R.index(r)]
        if 20 * page - 20 >= len(ids):
            return None
        more = [a(qm("/geomsaek", [("jiyeok", r), ("page", page + 1)]), "다음")] if 20 * page < len(ids) else []
        return KO(r, ul(a(f"/hoesa/{code(n)}", firms[n][1]) for n in ids[20 * page - 20 : 20 * page]), *more)
    if asked.pairs or len(seg) < 2:
        return None
    if seg[0] == "sunseo" and len(seg) == 3 and dec(seg[1]) in KO_G:
        page, ids = num(seg[2], 99, 1), [n for n, one in enumerate(firms) if one[0] == KO_G.index(dec(seg[1]))]
        if page is None or 10 * page - 10 >= len(ids):
            return None
        more = [a(f"/sunseo/{enc(dec(seg[1]))}/{page + 1}", "다음")] if 10 * page < len(ids) else []
        return KO(f"{dec(seg[1])} ({page})", ul(a(f"/hoesa/{code(n)}", firms[n][1]) for n in ids[10 * page - 10 : 10 * page]), *more)
    if seg[0] == "hoesa" and len(seg) in (2, 3):
        first = num(seg[1].partition("-")[0], 10**6)
        n = (first - 110111) // 7 if first is not None else -1
        if not 0 <= n < KO_N or code(n) != seg[1] or seg[2:] not in ([], ["imwon"]):
            return None
        r = asked.of("firm", n)
        boss = f"{r.choice(KO_S)}{r.choice('민지현수영호진')}{r.choice('우은석희준아')}"
        if seg[2:]:
            return KO(f"{firms[n][1]} 임원", p(f"대표이사 {boss}", f"감사 {r.choice(KO_S)}{r.choice('민지현수영호진')}{r.choice('우은석희준아')}"), a(f"/hoesa/{seg[1]}", "뒤로"))
        return KO(firms[n][1], rows([("등록번호", seg[1]), ("대표", boss), ("소재지", KO_R[firms[n][2]] if firms[n][2] >= 0 else "미상"), ("자본금", f"{r.randint(1, 90)}천만원")]), a(f"/hoesa/{seg[1]}/imwon", "임원"))
    return None


# 13 ----------------------------------------------------------------- Hindi: recipes by two tags and time
HI = Look("hi", "घर का खाना", [("/", "मुखपृष्ठ"), ("/khoj", "खोज")], p("सभी व्यंजन हमारी रसोई में आज़माए गए हैं। सामग्री की मात्रा चार लोगों के लिए है।"))
HI_T = ["दाल", "चावल", "रोटी", "आलू", "पनीर", "मिठाई", "नाश्ता", "चटनी", "सब्ज़ी", "मसाला", "दही", "बेसन", "हरा", "सूखा", "तला", "व्रत", "बच्चे", "सर्दी", "गर्मी", "त्योहार"]
HI_M = ["15", "30", "60"]
HI_W = "प्याज टमाटर अदरक लहसुन हल्दी मिर्च धनिया जीरा तेल गरम करें धीमी आंच पर पकाएं पानी डालें नमक स्वादानुसार मिलाएं पांच मिनट भूनें ढककर रखें परोसें घी कटोरी चम्मच बारीक काट लें आटा गूंथें".split()
HI_N = 520


@lru_cache(4)
def hi_dishes(seed: int) -> list[tuple[list[int], str]]:
    rng = Random(f"{seed}|hi")
    return [(sorted(rng.sample(range(20), rng.choice((2, 3, 3, 4)))), rng.choice(HI_M)) for _ in range(HI_N)]


@honest(FOREIGNER_HONEST)
def ghar_ka_khana(asked: Asked) -> Answer | None:
    """Lists of up to two tags (a parameter given twice) and a time; five dishes show unless two tags are chosen."""
    dishes = hi_dishes(asked.seed)

    def name(n: int) -> str:
        r = asked.of("dish", n)
        return f"{r.choice(['शाही', 'देसी', 'मसालेदार', 'झटपट', 'पंजाबी', 'कुरकुरा', 'खट्टा', 'सादा'])} {HI_T[dishes[n][0][0]]} {r.choice(['करी', 'पुलाव', 'टिक्की', 'हलवा', 'भरता', 'पराठा', 'कढ़ी', 'खीर'])}"

    if asked.path == "/" and not asked.pairs:
        return HI("घर का खाना", p("आज क्या बनाएं?"), ul(a(f"/vyanjan/{n}", name(n)) for n in asked.of("home").sample(range(HI_N), 6)))
    if asked.path == "/khoj":
        tags, times = [v for k, v in asked.pairs if k == "tag"], [v for k, v in asked.pairs if k == "samay"]
        if any(t not in HI_T for t in tags) or len(set(tags)) != len(tags) or len(tags) > 2 or len(times) > 1 or any(t not in HI_M for t in times) or len(tags) + len(times) != len(asked.pairs) or asked.pairs != mixed(asked.pairs):
            return None
        ts = {HI_T.index(t) for t in tags}
        ids = [n for n, (have, time) in enumerate(dishes) if ts <= set(have) and (not times or times[0] == time)]
        if not ids:
            return None
        box = [a(qm("/khoj", [x for x in asked.pairs if x != ("tag", t)]), f"{t} हटाएं") for t in tags]
        if len(tags) < 2:
            box += [a(qm("/khoj", [*asked.pairs, ("tag", t)]), t) for k, t in enumerate(HI_T) if t not in tags and any(k in dishes[n][0] for n in ids)]
        box += [a(qm("/khoj", [x for x in asked.pairs if x[0] != "samay"]), "समय हटाएं")] if times else [a(qm("/khoj", [*asked.pairs, ("samay", m)]), f"{m} मिनट") for m in HI_M if any(dishes[n][1] == m for n in ids)]
        return HI("व्यंजन: " + (", ".join(tags + times) or "सभी"), p(f"{len(ids)} व्यंजन"), ul(a(f"/vyanjan/{n}", name(n)) for n in (ids if len(tags) == 2 else ids[:5])), "<aside>" + " ".join(box) + "</aside>")
    n = num(asked.segments[1], HI_N) if len(asked.segments) == 2 and asked.segments[0] == "vyanjan" and not asked.pairs else None
    if n is None:
        return None
    like = [m for m in range(HI_N) if len(set(dishes[m][0]) & set(dishes[n][0])) > 1 and m < n][:3]
    return HI(name(n), p(said(asked.of("cook", n), HI_W, 45, end="।"), f"समय: {dishes[n][1]} मिनट"), p(" ".join(a(q("/khoj", [("tag", HI_T[t])]), HI_T[t]) for t in dishes[n][0])), "<aside>मिलते-जुलते " + ul(a(f"/vyanjan/{m}", name(m)) for m in like) + "</aside>")


# 14 ----------------------------------------------------------------- Hebrew: a finite calendar with views and categories
HE = Look("he", "לוח אירועים", [("/", "דף הבית"), ("/luach?view=month&date=2019-12", "לוח")], p("ייתכנו שינויים. יש להתעדכן באתר לפני ההגעה. הכניסה חופשית אלא אם צוין אחרת."), rtl=True)
HE_C = ["muzika", "teatron", "yeladim", "hartzaot", "tiyulim"]
HE_CN = dict(zip(HE_C, ["מוזיקה", "תיאטרון", "ילדים", "הרצאות", "טיולים"]))
HE_W = "ערב שירה עם להקה מקומית הצגה חדשה סיפור לילדים הרצאה על תולדות העיר סיור בשוק מפגש קריאה יוצר סרט קצר ריקוד משפחה גן ים לילה אור קפה ספר נעורים".split()
HE_FIRST, HE_MONTHS = 2017 * 12, 36


@lru_cache(4)
def he_events(seed: int) -> list[tuple[date, str]]:
    rng = Random(f"{seed}|he")
    out = []
    for _ in range(380):
        m = rng.choice([x for x in range(36) if x not in range(8, 15)])
        out.append((date(2017 + m // 12, m % 12 + 1, rng.randint(1, 28)), rng.choice(HE_C)))
    return sorted(out)


@honest(FOREIGNER_HONEST)
def luach(asked: Asked) -> Answer | None:
    """Months, weeks of them and days, with or without a category; seven months are empty; only the last month is known at first."""
    events = he_events(asked.seed)

    def title(n: int) -> str:
        return " ".join(asked.of("event", n).choices(HE_W, k=3))

    def to(view: str, at: str, cat: str | None = None) -> str:
        return q("/luach", [("view", view), ("date", at), *([("cat", cat)] if cat else [])]) if len(at) % 2 else q("/luach", [("view", view), *([("cat", cat)] if cat else []), ("date", at)]) if cat else q("/luach", [("view", view), ("date", at)])

    if asked.path == "/" and not asked.pairs:
        return HE("לוח אירועים", p("ברוכים הבאים ללוח האירועים העירוני."), a(to("month", "2019-12"), "דצמבר 2019"))
    seg = asked.segments
    if seg[:1] == ["event"] and len(seg) == 2 and not asked.pairs and (n := num(seg[1], 380)) is not None:
        day, cat = events[n]
        return HE(title(n), p(f"{day:%d.%m.%Y}, {asked.of('hour', n).randint(9, 21)}:00. {HE_CN[cat]}.", said(asked.of("text", n), HE_W, 14)), a(to("month", f"{day:%Y-%m}"), "חזרה ללוח"))
    if asked.path != "/luach":
        return None
    view, at, cat = asked.query.get("view"), asked.query.get("date", ""), asked.query.get("cat")
    if asked.url.partition("?")[2] != to(view or "", at, cat).partition("?")[2] or (cat is not None and cat not in HE_C):
        return None
    try:
        day = date.fromisoformat(at if view == "day" else f"{at}-01")
    except ValueError:
        return None
    m = day.year * 12 + day.month - 1 - HE_FIRST
    if not 0 <= m < HE_MONTHS:
        return None
    month = [(n, e) for n, e in enumerate(events) if (e[0].year, e[0].month) == (day.year, day.month) and cat in (None, e[1])]
    if view == "month":
        near = [a(to("month", f"{(HE_FIRST + x) // 12}-{(HE_FIRST + x) % 12 + 1:02}", cat), w) for x, w in ((m - 1, "הקודם"), (m + 1, "הבא")) if 0 <= x < HE_MONTHS]
        days = [a(to("day", f"{at}-{d:02}"), d) for d in range(1, 29)] if not cat else [f"{e[0].day}: {a(f'/event/{n}', title(n))}" for n, e in month]
        cats = [a(to("month", at, c), HE_CN[c]) for c in HE_C if c != cat] + ([a(to("month", at), "הכול")] if cat else [])
        return HE(f"{day.month}/{day.year}" + (f" {HE_CN[cat]}" if cat else ""), p(" ".join(near), " ".join(cats)), " ".join(days) if days else p("אין אירועים בחודש זה."))
    if view == "day" and not cat and day.day <= 28:
        mine = [(n, e) for n, e in month if e[0] == day]
        return HE(f"{day:%d.%m.%Y}", ul(f"{HE_CN[e[1]]} {a(f'/event/{n}', title(n))}" for n, e in mine) if mine else p("אין אירועים ביום זה."), a(to("month", at[:7]), "לחודש"))
    return None



# A Ukrainian: addresses, where region, district and town may have one name, so that segments come again
UA = Look("uk", "Адресний реєстр", [("/", "Головна")], p("Відомості реєстру є відкритими та мають довідковий характер."))
UA_R = "kyiv lviv poltava odesa sumy rivne".split()
UA_S = "шевченка франка лесі-українки садова шкільна миру зелена молодіжна польова центральна соборна нова лісова київська".split()


@honest(FOREIGNER_HONEST)
def adresy(asked: Asked) -> Answer | None:
    """/region/district/town/street/: the chief town of a region has the name of its district and region."""
    seg = [dec(s) for s in asked.segments]
    if asked.pairs or (asked.path != "/" and not asked.path.endswith("/")):
        return None
    if not seg:
        return UA("Адресний реєстр", ul(a(f"/{r}/", r) for r in UA_R))
    if seg[0] not in UA_R or len(seg) > 5:
        return None
    rng = asked.of("districts", seg[0])
    districts = [seg[0]] + [f"{seg[0][:3]}{x}" for x in rng.sample(["yn", "ivka", "sk", "opil", "hrad"], 2)]
    if len(seg) == 1:
        return UA(seg[0], ul(a(f"{asked.path}{d}/", d) for d in districts))
    if seg[1] not in districts:
        return None
    towns = [seg[1]] + [f"{seg[1][:4]}{x}" for x in asked.of("towns", *seg[:2]).sample(["ky", "ne", "iv", "ets", "ove"], 2)]
    if len(seg) == 2:
        return UA(f"{seg[1]} район", ul(a(f"{asked.path}{t}/", t) for t in towns))
    if seg[2] not in towns:
        return None
    streets = asked.of("streets", *seg[:3]).sample(UA_S, 12 if seg[0] == seg[1] == seg[2] else 4)
    if len(seg) == 3:
        return UA(f"м. {seg[2]}", ul(a(f"{asked.path}{enc(s)}/", s) for s in streets))
    if seg[3] not in streets:
        return None
    count = asked.of("houses", *seg[:4]).randint(3, 9)
    if len(seg) == 4:
        return UA(f"вул. {seg[3]}", ul(a(f"{asked.path}{h}/", h) for h in range(1, count + 1)))
    h = num(seg[4], count + 1, 1)
    return None if h is None else UA(f"{seg[3]}, {h}", p(f"Індекс {asked.rng.randint(10000, 99999)}. Поверхів {asked.rng.randint(1, 9)}."))


# B Vietnamese: ten boxes to tick, 1,024 lists, each good shown only where all its boxes are ticked and no other
VI = Look("vi", "Cho thuê phòng trọ", [("/", "Trang chủ"), ("/loc", "Tìm phòng")], p("Thông tin do người đăng cung cấp. Vui lòng kiểm tra kỹ trước khi đặt cọc."))
VI_K = ["wifi", "maylanh", "gac", "bep", "wc-rieng", "giu-xe", "ban-cong", "thu-cung", "may-giat", "tu-lanh"]
VI_W = "phòng rộng thoáng mát gần chợ trường đại học xe buýt an ninh giờ tự do sạch sẽ hẻm yên tĩnh chủ nhà thân thiện mới xây".split()


@lru_cache(4)
def vi_rooms(seed: int) -> dict[frozenset[str], list[int]]:
    rng, out = Random(f"{seed}|vi"), {}
    for n in range(900):
        out.setdefault(frozenset(rng.sample(VI_K, rng.randint(1, 9))), []).append(n)
    return out


@honest(FOREIGNER_HONEST)
def phong_tro(asked: Asked) -> Answer | None:
    """The whole power set of ten boxes, as k=a&k=b in an order of each set's own."""
    rooms = vi_rooms(asked.seed)
    if asked.path == "/" and not asked.pairs:
        return VI("Phòng trọ", p("Chọn tiện nghi bạn cần"), a("/loc", "Bắt đầu tìm"))
    if asked.path == "/loc":
        chosen = {v for _, v in asked.pairs}
        if asked.pairs != mixed(("co", v) for v in chosen) or not chosen <= set(VI_K):
            return None
        mine = rooms.get(frozenset(chosen), [])
        box = [a(qm("/loc", [("co", x) for x in chosen ^ {v}]), ("☑ " if v in chosen else "☐ ") + v) for v in VI_K]
        return VI("Tìm phòng", "<form>" + " ".join(box) + "</form>", ul(a(f"/phong/{n}", f"Phòng {asked.of('m', n).randint(12, 40)} m²") for n in mine) if mine else p("Không có phòng phù hợp."))
    n = num(asked.segments[1], 900) if asked.segments[:1] == ["phong"] and len(asked.segments) == 2 and not asked.pairs else None
    return None if n is None else VI(f"Phòng {asked.of('m', n).randint(12, 40)} m²", p(said(asked.of("t", n), VI_W, 12), f"{asked.of('g', n).randint(10, 60) / 10} triệu / tháng"), a("/loc", "Quay lại"))


# C Finnish: forty-five phones, each compared with each other
FI = Look("fi", "Puhelinvertailu", [("/", "Etusivu")], p("Hinnat sisältävät arvonlisäveron. Emme vastaa mahdollisista virheistä tiedoissa."))


@honest(FOREIGNER_HONEST)
def vertailu(asked: Asked) -> Answer | None:
    """Comparisons say what the phones' pages say; an answer of a user is on some comparisons, on a page of its own."""
    def spec(n: int) -> list[str]:
        r = asked.of("spec", n)
        return [f"Malli {r.choice('ABCXZ')}{n + 10}", f"{r.choice((64, 128, 256))} Gt", f"{r.randint(52, 69) / 10} tuumaa", f"{r.randint(12, 108)} Mpx", f"{r.randint(3000, 6000)} mAh", f"{r.randint(99, 1299)} €"]

    seg = asked.segments
    if asked.pairs or (seg and len(seg) != 2):
        return None
    if not seg:
        return FI("Puhelimet", ul(a(f"/puhelin/{n}", spec(n)[0]) for n in range(45)))
    if seg[0] == "puhelin" and (n := num(seg[1], 45)) is not None:
        return FI(spec(n)[0], rows([x] for x in spec(n)), "<h2>Vertaa</h2>", ul(a(f"/vertaa/{min(n, m)}-vs-{max(n, m)}", spec(m)[0]) for m in range(45) if m != n))
    if seg[0] == "mielipide" and (n := num(seg[1], 1980)) is not None and Random(f"op{n}").random() < 0.4 and n // 45 < n % 45:
        return FI("Käyttäjän mielipide", p(f"Nimimerkki {asked.rng.randint(10**4, 10**5)}: Valitsin mallin {spec(n % 45)[0]}, koska {asked.rng.choice(['akku kestää', 'kamera on parempi', 'hinta on halvempi', 'näyttö on isompi'])}."))
    if seg[0] != "vertaa":
        return None
    x, _, y = seg[1].partition("-vs-")
    x, y = num(x, 45), num(y, 45)
    if x is None or y is None or x >= y:
        return None
    said_ = [a(f"/mielipide/{x * 45 + y}", "Mielipide")] if Random(f"op{x * 45 + y}").random() < 0.4 else []
    return FI(f"{spec(x)[0]} vai {spec(y)[0]}?", rows(zip(spec(x), spec(y))), *said_, p(" ".join(a(f"/vertaa/{min(x, m)}-vs-{max(x, m)}", spec(m)[0]) for m in ((y + 1) % 45, (y + 7) % 45) if m != x)))


# D Norwegian: a map of 46 by 46 tiles, of which hardly any has a cabin
NO = Look("nb", "Hyttekart", [("/", "Forside")], p("Kartdata fra Kartverket. Nøkkel hentes hos turlaget. Vis hensyn i fjellet."))


@honest(FOREIGNER_HONEST)
def hyttekart(asked: Asked) -> Answer | None:
    """Tiles by x and y as a query, in the order of each set's own; cabins are on one tile in twelve."""
    if asked.path == "/" and not asked.pairs:
        return NO("Hyttekart", p("Flytt kartet for å finne hytter."), a(qm("/kart", [("x", 23), ("y", 23)]), "Åpne kartet"))
    if asked.path == "/kart":
        x, y = num(asked.query.get("x"), 46), num(asked.query.get("y"), 46)
        if x is None or y is None or asked.pairs != mixed([("x", x), ("y", y)]):
            return None
        here = asked.of("cabin", x, y).random() < 1 / 12
        move = [a(qm("/kart", [("x", x + i), ("y", y + j)]), w) for i, j, w in ((1, 0, "øst"), (-1, 0, "vest"), (0, 1, "nord"), (0, -1, "sør")) if 0 <= x + i < 46 and 0 <= y + j < 46]
        return NO("Kart", p(" ".join(move)), a(f"/hytte/{x * 46 + y}", "Hytte") if here else p("Ingen hytter her."))
    n = num(asked.segments[1], 2116) if asked.segments[:1] == ["hytte"] and len(asked.segments) == 2 and not asked.pairs else None
    if n is None or asked.of("cabin", n // 46, n % 46).random() >= 1 / 12:
        return None
    r = asked.of("hut", n)
    return NO(f"{r.choice(['Stor', 'Lille', 'Gamle', 'Nye', 'Øvre'])}{r.choice(['bu', 'stua', 'hytta', 'setra', 'koia'])}", p(f"{r.randint(300, 1600)} moh. {r.randint(4, 60)} senger. {r.choice(['Betjent', 'Ubetjent', 'Selvbetjent'])}."))


# E Romanian: loans by sum, months and bank: a finite table of nothing but figures, with offers now and then
RO = Look("ro", "Calculator de rate", [("/", "Acasă")], p("Valorile sunt orientative și nu reprezintă o ofertă fermă. Verificați condițiile la sediul băncii."))
RO_S, RO_M, RO_B = list(range(5000, 100001, 5000)), [12, 24, 36, 48, 60, 72, 84, 120], ["alfa", "carpati", "dacia", "istru", "moldova", "unirea", "vest"]


@honest(FOREIGNER_HONEST)
def rate(asked: Asked) -> Answer | None:
    """Steps up and down by each of three; every ninth page leads to an offer of one sentence."""
    if asked.path == "/" and not asked.pairs:
        return RO("Calculator", p("Calculați rata lunară."), a(qm("/rata", [("suma", 50000), ("luni", 48), ("banca", "dacia")]), "Calculează"))
    if asked.path == "/rata" and set(asked.query) == {"suma", "luni", "banca"}:
        s, m, b = asked.query["suma"], asked.query["luni"], asked.query["banca"]
        if s not in map(str, RO_S) or m not in map(str, RO_M) or b not in RO_B or asked.pairs != mixed(asked.pairs) or len(asked.pairs) != 3:
            return None
        i, j, k = RO_S.index(int(s)), RO_M.index(int(m)), RO_B.index(b)
        near = [(i + x, j + y, k + z) for x, y, z in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
        links = [a(qm("/rata", [("suma", RO_S[x]), ("luni", RO_M[y]), ("banca", RO_B[z])]), f"{RO_S[x]} lei, {RO_M[y]} luni, {RO_B[z]}") for x, y, z in near if 0 <= x < len(RO_S) and 0 <= y < len(RO_M) and 0 <= z < len(RO_B)]
        rate_ = (5 + k * 0.7 + j * 0.2) / 1200
        pay = int(s) * rate_ / (1 - (1 + rate_) ** -int(m))
        n = (i * 8 + j) * 7 + k
        return RO(f"{s} lei pe {m} luni", p(f"Rata lunară: {pay:.2f} lei. Total: {pay * int(m):.2f} lei."), ul(links), *([a(f"/oferta/{n}", "Ofertă specială")] if n % 9 == 4 else []))
    n = num(asked.segments[1], 1120) if asked.segments[:1] == ["oferta"] and len(asked.segments) == 2 and not asked.pairs else None
    return None if n is None or n % 9 != 4 else RO(f"Oferta {n}", p(f"Dobândă redusă cu {asked.rng.randint(1, 9) / 10} puncte până la {asked.rng.randint(1, 28)} {asked.rng.choice(['martie', 'mai', 'iunie', 'octombrie'])}."))


# F Thai: gold prices day by day in Buddhist years, with the date thrice the same (11/11/11)
TH = Look("th", "ราคาทองคำ", [("/", "หน้าแรก")], p("ราคาอ้างอิงจากสมาคมค้าทองคำ อาจมีการเปลี่ยนแปลงระหว่างวัน"))
TH_Y = list(range(8, 13))


@honest(FOREIGNER_HONEST)
def thong(asked: Asked) -> Answer | None:
    """/r/yy/m/d/ from year to month to day: many days repeat a number, as 11/11/11 and 10/10/10/."""
    seg = asked.segments
    if asked.path == "/" and not asked.pairs:
        return TH("ราคาทอง", ul(a(f"/r/{y}/", f"ปี 25{y + 43}") for y in TH_Y))
    n = [num(s, 40, 1) for s in seg[1:]]
    if seg[:1] != ["r"] or not 1 <= len(n) <= 3 or None in n or n[0] not in TH_Y or asked.pairs or not asked.path.endswith("/") or (len(n) > 1 and n[1] > 12) or (len(n) > 2 and n[2] > 28):
        return None
    if len(n) < 3:
        return TH("/".join(map(str, n)), ul(a(f"{asked.path}{x}/", x) for x in range(1, 13 if len(n) == 1 else 29)))
    return TH(f"ราคาทองวันที่ {n[2]}/{n[1]}/25{n[0] + 43}", p(f"รับซื้อ {asked.rng.randint(12000, 26000)} บาท ขายออก {asked.rng.randint(12000, 26000)} บาท"))


# G Turkish: three orders one upon the other in the path, all finite, of lists of the same villas
TR = Look("tr", "Yazlık Kirala", [("/", "Ana sayfa"), ("/liste/", "Liste")], p("Fiyatlar gecelik olup temizlik ücreti dahil değildir. Rezervasyon için ön ödeme gerekir."))
TR_K = ["fiyat", "puan", "oda", "deniz"]
TR_V = 640


@honest(FOREIGNER_HONEST)
def yazlik(asked: Asked) -> Answer | None:
    """/liste/fiyat/puan/…: any order of up to four keys (65 lists), ten of 640 villas a page, eight pages; villas lead to two more."""
    seg = asked.segments
    if asked.path == "/" and not asked.pairs:
        return TR("Yazlık", p("Tatiliniz için villalar"), a("/liste/", "Tüm villalar"))
    if seg[:1] == ["liste"] and asked.path.endswith("/"):
        keys, page = seg[1:], num(asked.query.get("s", "1"), 9, 1)
        if len(set(keys)) != len(keys) or not set(keys) <= set(TR_K) or page is None or asked.pairs != ([("s", str(page))] if page > 1 else []):
            return None
        ids = list(range(TR_V))
        asked.of("order", tuple(keys)).shuffle(ids)
        more = [a(f"{asked.path}?s={page + 1}", "Sonraki")] if page < 8 else []
        links = [a(f"/liste/{'/'.join([*keys, k])}/", f"sonra {k}") for k in TR_K if k not in keys] + ([a("/liste/" + "".join(x + "/" for x in keys[:-1]), "geri")] if keys else [])
        return TR("Villalar " + ", ".join(keys), p(" ".join(links)), ul(a(f"/villa/{n}", f"Villa {n}, {asked.of('v', n).randint(2, 9)} oda") for n in ids[10 * page - 10 : 10 * page]), *more)
    n = num(seg[1], TR_V) if seg[:1] == ["villa"] and len(seg) == 2 and not asked.pairs else None
    return None if n is None else TR(f"Villa {n}", p(f"{asked.of('v', n).randint(2, 9)} oda, denize {asked.rng.randint(50, 4000)} m, gecelik {asked.rng.randint(900, 9000)} TL."), ul(a(f"/villa/{m}", f"Villa {m}") for m in ((n + 1) % TR_V, n * 3 % TR_V)))


# H Bulgarian: every road from town to town, and the places between
BG = Look("bg", "Разстояния", [("/", "Начало")], p("Разстоянията са по най-краткия път и са приблизителни."))
BG_T = "софия пловдив варна бургас русе плевен сливен добрич шумен перник хасково ямбол пазарджик благоевград враца габрово видин монтана кърджали кюстендил ловеч разград силистра смолян търговище".split()


@honest(FOREIGNER_HONEST)
def razstoyania(asked: Asked) -> Answer | None:
    """From each of 25 towns to each other, by car, bus and train: three numbers a page; links to the way back and to two more."""
    if asked.path == "/" and not asked.pairs:
        return BG("Разстояния", p("Изберете начален град"), ul(a(q("/ot", [("grad", t)]), t) for t in BG_T))
    if asked.path == "/ot" and list(asked.query) == ["grad"] and asked.query["grad"] in BG_T and len(asked.pairs) == 1:
        return BG(f"От {asked.query['grad']}", ul(a(qm("/pat", [("ot", asked.query["grad"]), ("do", t), ("s", "kola")]), t) for t in BG_T if t != asked.query["grad"]))
    f = asked.query
    if asked.path != "/pat" or set(f) != {"ot", "do", "s"} or f["ot"] not in BG_T or f["do"] not in BG_T or f["ot"] == f["do"] or f["s"] not in ("kola", "avtobus", "vlak") or asked.pairs != mixed(f.items()):
        return None
    km = asked.of("km", *sorted((f["ot"], f["do"]))).randint(40, 520)
    links = [a(qm("/pat", {**f, "s": s}.items()), s) for s in ("kola", "avtobus", "vlak") if s != f["s"]] + [a(qm("/pat", [("ot", f["do"]), ("do", f["ot"]), ("s", f["s"])]), "обратно")]
    return BG(f"{f['ot']} – {f['do']} ({f['s']})", p(f"{km} км, {km * {'kola': 60, 'avtobus': 75, 'vlak': 90}[f['s']] // 70} минути."), p(" ".join(links)))


# The sweep: the tender archive with one silence of so many days, that begins 90 days (or 400) before the last day; and with a menu of months
