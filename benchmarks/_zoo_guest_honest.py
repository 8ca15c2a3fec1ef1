"""Twenty-five honest, finite sites in twenty-four languages, by somebody who had read neither the rules nor the other
sites (November 2026).
"""

# ruff: noqa: RUF001, E501, C901 - other alphabets, and many kinds of pages a site
# fmt: off

from __future__ import annotations

import random as chance
import time
from datetime import date, timedelta
from hashlib import md5, sha1
from html import escape
from itertools import combinations, count
from json import dumps
from random import Random
from urllib.parse import quote
from uuid import UUID

from _zoo import Answer, Site
from _zoo_guest_base import (
    BN,
    CA,
    EL,
    EN,
    EU,
    FA,
    FI,
    HE,
    HI,
    HU,
    HY,
    IS,
    JA,
    KA,
    KO,
    MN,
    PL,
    PT,
    SW,
    TA,
    TH,
    TR,
    UK,
    VI,
    Building,
    a,
    doc,
    honest,
    moved,
    plain,
    q,
    slug,
    table,
    ul,
)

GUEST_HONEST: list[Site] = []


@honest(GUEST_HONEST)
def xebuyt_thanhpho(b: Building) -> None:
    """Vietnamese: bus lines and stops, with times and the stops near by."""
    r = b.of("net")
    stops = [(f"{VI.name(r, 2)} {n % 90 + 1}", r.uniform(20.9, 21.1), r.uniform(105.7, 105.9)) for n in range(520)]
    lines = [r.sample(range(520), 26) for _ in range(34)]
    used = sorted({s for line in lines for s in line})
    head = "<style>th{background:#fc0}</style><script>var map=null;</script>"

    def frame(title: str, body: str) -> str:
        return doc("vi", title, f"<header>{a('/', 'Xe buýt')} | {a('/tuyen/', 'Các tuyến')}</header><h1>{title}</h1>{body}"
            f"<footer>Trung tâm quản lý giao thông công cộng. Đường dây nóng 1900 1296.</footer>", head)

    def stop_url(s: int) -> str:
        return q(f"/tram/{slug(stops[s][0])}-{s:04d}.html")

    def stop(rng: Random, s: int) -> str:
        name, lat, lon = stops[s]
        rows = []
        for n, order in enumerate(lines):
            if s in order:
                t = rng.randrange(280, 330)
                times = [divmod(t + k * 23, 60) for k in range(rng.randrange(9, 22))]
                rows.append([a(f"/tuyen/{n + 1:02d}/", f"Tuyến {n + 1:02d}"), " ".join(f"{hour:02d}:{minute:02d}" for hour, minute in times)])
        near = sorted(used, key=lambda o: (stops[o][1] - lat) ** 2 + (stops[o][2] - lon) ** 2)[1:6]
        return frame(f"Trạm {name}", f"<p>{lat:.5f}, {lon:.5f}</p>{table(rows, ['Tuyến', 'Giờ'])}<h2>Gần đây</h2>{ul(a(stop_url(o), stops[o][0]) for o in near)}")

    def line(rng: Random, n: int) -> str:
        ends = stops[lines[n][0]][0], stops[lines[n][-1]][0]
        return frame(f"Tuyến {n + 1:02d}: {ends[0]} – {ends[1]}", f"<p>Giá vé {rng.choice((7000, 9000, 12000))} đồng. {VI.prose(rng, 2)}</p>{a('luot-di', 'Lượt đi')} {a('luot-ve', 'Lượt về')}")

    def way(rng: Random, n: int, back: bool) -> str:
        order = lines[n][::-1] if back else lines[n]
        return frame(f"Tuyến {n + 1:02d} lượt {'về' if back else 'đi'}", "<ol>" + "".join(f"<li>{a(stop_url(s), stops[s][0])} +{k * 3}′</li>" for k, s in enumerate(order)) + "</ol>")

    b.put("/", lambda rng: frame("Xe buýt thành phố", VI.paras(rng, 2) + a("/tuyen/", "Các tuyến")))
    b.put("/tuyen/", lambda rng: frame("Các tuyến", ul(a(f"/tuyen/{n + 1:02d}/", f"Tuyến {n + 1:02d}") for n in range(34))))
    b.put("/tuyen", lambda rng: moved("/tuyen/", 301))
    for n in range(34):
        b.put(f"/tuyen/{n + 1:02d}/", line, n)
        b.put(f"/tuyen/{n + 1:02d}/luot-di", way, n, False)
        b.put(f"/tuyen/{n + 1:02d}/luot-ve", way, n, True)
    for s in used:
        b.put(stop_url(s), stop, s)


@honest(GUEST_HONEST)
def birosagi_hatarozatok(b: Building) -> None:
    """Hungarian, ASP.NET: judgments by year and page; old links to them redirect, and attachments are missing."""
    r = b.of("cases")
    cases: list[tuple[str, int]] = []
    for year in range(2009, 2019):
        numbers = sorted(r.sample(range(20_000, 21_900), r.randrange(50, 95)))
        cases += [(f"{r.randrange(1, 40)}.{r.choice('PGBM')}.{n // 1000}.{n % 1000:03d}/{year}/{r.randrange(3, 44)}", year) for n in numbers]
    by_year = {y: [c for c, at in cases if at == y] for y in range(2009, 2019)}

    def url(c: str) -> str:
        return f"/Reszletek.aspx?ugyszam={quote(c, safe='')}"

    def number(c: str) -> int:
        return int(md5(c.encode()).hexdigest()[:7], 16)

    def frame(title: str, body: str) -> str:
        return doc("hu", title, f"<form id='aspnetForm' method=post action='/Kereses.aspx'><input type=hidden name=__VIEWSTATE value='{md5(title.encode()).hexdigest() * 6}'>"
            f"<div id=ctl00_menu>{a('/', 'Nyitólap')} {a('/Sugo.aspx', 'Súgó')}</div><h2>{title}</h2>{body}"
            f"</form><div class=lab>Az adatbázis tájékoztató jellegű, hivatalos iratként nem használható.</div>")

    def listing(rng: Random, y: int, p: int) -> str:
        part = by_year[y][p * 10 : p * 10 + 10]
        last = (len(by_year[y]) - 1) // 10
        pager = " ".join(a(f"/Lista.aspx?ev={y}&lap={k + 1}", k + 1) for k in range(last + 1) if k != p)
        return frame(f"{y}. évi határozatok, {p + 1}. lap", table([[a(url(c), c), a(f"/ugy.aspx?id={number(c)}", "régi hivatkozás")] for c in part]) + pager)

    def case(rng: Random, c: str) -> str:
        rel = rng.sample(cases, 3)
        return frame(c, f"<dl><dt>Bíró</dt><dd>dr. {HU.name(rng)}</dd><dt>Kelt</dt><dd>{rng.randrange(1, 29)}.{rng.randrange(1, 13):02d}.</dd></dl>"
            f"{HU.paras(rng, rng.randrange(2, 12))}<h3>Kapcsolódó</h3>{ul(a(url(o), o) for o, _ in rel)}"
            f"<p>{a('/Melleklet.aspx?nincs=' + str(number(c) % 40), 'Melléklet')}</p>")

    b.put("/", lambda rng: frame("Bírósági Határozatok Gyűjteménye", HU.paras(rng, 1) + ul(a(f"/Lista.aspx?ev={y}&lap=1", y) for y in by_year)))
    b.put("/Sugo.aspx", lambda rng: frame("Súgó", HU.paras(rng, 9)))
    for y, of in by_year.items():
        for p in range((len(of) + 9) // 10):
            b.put(f"/Lista.aspx?ev={y}&lap={p + 1}", listing, y, p)
    for c, _y in cases:
        b.put(url(c), case, c)
        b.put(f"/ugy.aspx?id={number(c)}", lambda rng, c=c: moved(url(c), 301))


@honest(GUEST_HONEST)
def pin_kosh(b: Building) -> None:
    """Hindi: postal codes by state and district; a page says almost nothing within a large frame."""
    r = b.of("pins")
    tree: dict[str, dict[str, list[int]]] = {}
    for st in range(7):
        state = f"{HI.base[st * 3]}{HI.rare(r)}"
        tree[state] = {}
        for k in range(r.randrange(8, 14)):
            first = 100_000 + st * 100_000 + k * 900
            pins = sorted(r.sample(range(first, first + 800), r.randrange(10, 27)))
            tree[state][f"{HI.rare(r)}{k or ''}पुर"] = pins
    menu = ul(a(q(f"/पिन/{s}/"), s) for s in tree) + "<div class=ad>" + HI.paras(b.of("ad"), 5) + "</div>"
    foot = "<div class=f>" + HI.paras(b.of("foot"), 4) + "</div>"

    def frame(title: str, body: str) -> str:
        return doc("hi", title, f"<div id=top>{a('/', 'मुखपृष्ठ')}{menu}</div><main><h1>{title}</h1>{body}</main>{foot}")

    b.put("/", lambda rng: frame("पिन कोड निर्देशिका", "<p>राज्य चुनें।</p>"))
    for s, districts in tree.items():
        b.put(q(f"/पिन/{s}/"), lambda rng, s=s: frame(s, ul(a(q(f"/पिन/{s}/{d}/"), d) for d in tree[s])))
        for d, pins in districts.items():
            b.put(q(f"/पिन/{s}/{d}/"), lambda rng, s=s, d=d: frame(d, ul(a(q(f"/पिन/{s}/{d}/{p}"), p) for p in tree[s][d])))
            for p in pins:
                b.put(q(f"/पिन/{s}/{d}/{p}"), lambda rng, p=p: frame(str(p), f"<b>{p}</b> {HI.name(rng, 1)} {rng.choice(('शाखा', 'उप', 'प्रधान'))}"))


@honest(GUEST_HONEST)
def netiyot(b: Building) -> None:
    """Hebrew: verbs by letter and root, and tables of their forms and tenses."""
    r = b.of("roots")
    letters = "אבגדהזחטיכלמנסעפצקרשת"
    roots = sorted({"".join(r.sample(letters, 3)) for _ in range(130)})
    forms = ["קל", "נפעל", "פיעל", "פועל", "הפעיל", "הופעל", "התפעל"]
    has = {x: r.sample(forms, r.randrange(2, 6)) for x in roots}

    def frame(t: str, body: str) -> str:
        return doc("he", t, f"<nav>{a('/', 'ראשי')}</nav><article><h1>{t}</h1>{body}</article><aside>מילון הנטיות המלא</aside>", rtl=True)

    def root_url(x: str) -> str:
        return q(f"/שורש/{x}")

    def form_page(rng: Random, x: str, f: str, tense: str) -> str:
        starts, ends = {"עבר": ("", "תי ת נו תם"), "עתיד": ("אתינ", "ו"), "הווה": ("מ", "ים ות ת")}[tense]
        rows = [[p + x + e, rng.choice(("נפוץ", "נדיר", ""))] for p in starts or [""] for e in ["", *ends.split()]]
        other = " ".join(a(f"?binyan={quote(f)}&zman={quote(t)}", t) for t in ("עבר", "הווה", "עתיד") if t != tense)
        return frame(f"{x} – {f} – {tense}", table(rows) + other + a(root_url(x), "חזרה לשורש"))

    b.put("/", lambda rng: frame("לוחות נטייה", HE.paras(rng, 1) + " ".join(a(q(f"/אות/{c}"), c) for c in letters)))
    for c in letters:
        b.put(q(f"/אות/{c}"), lambda rng, c=c: frame(c, ul(a(root_url(x), x) for x in roots if x[0] == c) or "אין"))
    for n, x in enumerate(roots):
        b.put(root_url(x), lambda rng, x=x, n=n: frame(x, HE.paras(rng, 2) + ul(a(f"{root_url(x)}?binyan={quote(f)}&zman={quote('עבר')}", f) for f in has[x]) + a(root_url(roots[n - 1]), "הקודם")))
        for f in has[x]:
            for t in ("עבר", "הווה", "עתיד"):
                b.put(f"{root_url(x)}?binyan={quote(f)}&zman={quote(t)}", form_page, x, f, t)


@honest(GUEST_HONEST)
def herbariumi(b: Building) -> None:
    """Georgian: a herbarium, whose pages have the same words and other pictures."""
    r = b.of("sheets")
    ids = [str(UUID(int=r.getrandbits(128), version=4)) for _ in range(560)]
    families = [KA.rare(r) + "სებრნი" for _ in range(28)]
    fam = {i: r.randrange(28) for i in ids}

    def frame(body: str) -> str:
        return doc("ka", "ჰერბარიუმი", f"<div class=logo>{a('/', 'ჰერბარიუმი')}</div>{body}<small>ბოტანიკის ინსტიტუტი</small>")

    def sheet(rng: Random, i: str) -> str:
        return frame(f"<figure><img src='/iiif/{i}/full/800,/0/default.jpg' alt=''><figcaption>ნიმუში</figcaption></figure>"
            f"{a(f'/specimen/{i}/label', 'ეტიკეტი')} {a(f'/ojaxi/{fam[i]}', 'ოჯახი')}")

    def label(rng: Random, i: str) -> str:
        return frame(f"<img src='/iiif/{i}/pct:60,80,40,20/max/0/default.jpg'><pre>"
            f"{sha1(i.encode()).hexdigest()[:9].upper()}\n{rng.randrange(1, 31)}.{rng.randrange(1, 13)}.{rng.randrange(1871, 1990)}\n{rng.randrange(100, 2900)} მ</pre>"
            f"{a(f'/specimen/{i}', 'უკან')}")

    b.put("/", lambda rng: frame(KA.paras(rng, 3) + ul(a(f"/ojaxi/{n}", f) for n, f in enumerate(families))))
    for n in range(len(families)):
        b.put(f"/ojaxi/{n}", lambda rng, n=n: frame(f"<h1>{families[n]}</h1><div class=grid>" +
            "".join(f"<a href='/specimen/{i}'><img src='/iiif/{i}/square/120,/0/default.jpg'></a>" for i in ids if fam[i] == n) + "</div>"))
    for i in ids:
        b.put(f"/specimen/{i}", sheet, i)
        b.put(f"/specimen/{i}/label", label, i)


@honest(GUEST_HONEST)
def orodha_ya_simu(b: Building) -> None:
    """Swahili: a telephone directory, each list in three orders."""
    r = b.of("people")
    people = [(f"{SW.name(r, 1)} {SW.name(r, 1)}", f"07{r.randrange(10, 99)} {r.randrange(100, 999)} {r.randrange(100, 999)}", SW.base[r.randrange(25, 40)], SW.name(r, 1)) for _ in range(640)]
    letters = sorted({p[0][0] for p in people})
    order = {"jina": 0, "namba": 1, "kazi": 2}

    def frame(title: str, body: str) -> str:
        return doc("sw", title, f"<center><h1>{title}</h1>{body}<hr>{a('/', 'Nyumbani')} &copy; Kampuni ya Simu</center>")

    def listing(rng: Random, letter: str, by: str, p: int) -> str:
        of = sorted((n for n, x in enumerate(people) if x[0][0] == letter), key=lambda n: (people[n][order[by]], n))
        rows = [[a(f"/mtu.php?id={n}", people[n][0]), people[n][1], people[n][2]] for n in of[p * 12 : p * 12 + 12]]
        go = "".join(a(f"/orodha.php?herufi={quote(letter)}&panga={by}&ukurasa={k}", k + 1) + " " for k in range((len(of) + 11) // 12))
        sorts = [a(f"/orodha.php?herufi={quote(letter)}&panga={o}&ukurasa=0", o) for o in order]
        return frame(f"Herufi {letter}", table(rows, sorts) + go)

    b.put("/", lambda rng: frame("Orodha ya Simu", " ".join(a(f"/orodha.php?herufi={quote(c)}&panga=jina&ukurasa=0", c) for c in letters)))
    for c in letters:
        for by in order:
            for p in range((sum(x[0][0] == c for x in people) + 11) // 12):
                b.put(f"/orodha.php?herufi={quote(c)}&panga={by}&ukurasa={p}", listing, c, by, p)
    for n, x in enumerate(people):
        b.put(f"/mtu.php?id={n}", lambda rng, x=x: frame(x[0], table([["Namba", x[1]], ["Kazi", x[2]], ["Mji", x[3]], ["S.L.P.", rng.randrange(10, 9999)]])))


@honest(GUEST_HONEST)
def makruk_open(b: Building) -> None:
    """Thai: a chess tournament of all against all, as a table of links."""
    r = b.of("players")
    names = [f"{TH.w(r)}{TH.rare(r)} {TH.rare(r)}" for _ in range(44)]
    won = {pair: r.choice(("1-0", "0-1", "½-½")) for pair in combinations(range(44), 2)}

    def frame(t: str, body: str) -> str:
        return doc("th", t, f"<div>{a('/', 'ตารางคะแนน')}</div><h2>{t}</h2>{body}")

    def against(i: int, j: int) -> str:
        low, high = min(i, j), max(i, j)
        return a(q(f"/คู่/{low + 1}/{high + 1}"), won[low, high]) if i != j else "×"

    def game(rng: Random, i: int, j: int) -> str:
        moves = " ".join(
            f"{k}.{rng.choice('รมคขบ')}{rng.choice('กขคงจฉชญ')}{rng.randrange(1, 9)} {rng.choice('รมคขบ')}{rng.choice('กขคงจฉชญ')}{rng.randrange(1, 9)}"
            for k in range(1, rng.randrange(14, 50)))
        return frame(f"{names[i]} – {names[j]}", f"<p class=r>{won[i, j]}</p><p>{moves}</p>")

    b.put("/", lambda rng: frame("ตารางคะแนน", table([[a(q(f"/ผู้เล่น/{i + 1}"), names[i]), *(against(i, j) for j in range(44))] for i in range(44)])))
    for i in range(44):
        b.put(q(f"/ผู้เล่น/{i + 1}"), lambda rng, i=i: frame(names[i], TH.paras(rng, 2) + f"<p>Elo {rng.randrange(1500, 2500)}</p>"))
    for i, j in won:
        b.put(q(f"/คู่/{i + 1}/{j + 1}"), game, i, j)


@honest(GUEST_HONEST)
def toponymia(b: Building) -> None:
    """Greek: a gazetteer by matrix parameters, where a place links to its neighbours alone."""
    r = b.of("places")
    side = 30
    places = [(f"{EL.w(r).capitalize()} {EL.rare(r).capitalize()}", 36 + n // side * 0.05 + r.uniform(0, 0.04), 24 + n % side * 0.05 + r.uniform(0, 0.04)) for n in range(side * side)]

    def url(n: int) -> str:
        return f"/topos;lat={places[n][1]:.4f};lon={places[n][2]:.4f}"

    def place(rng: Random, n: int) -> str:
        near = [n + d for d, ok in ((-side, n >= side), (side, n < side * (side - 1)), (-1, n % side), (1, n % side < side - 1)) if ok]
        return doc("el", places[n][0],
            f"<h1>{places[n][0]}</h1><p class=geo>{places[n][1]:.4f}°Β {places[n][2]:.4f}°Α, "
            f"υψόμετρο {rng.randrange(0, 900)} μ., κάτοικοι {rng.choice((0, 0, rng.randrange(2, 4000)))}</p>"
            + (f"<p>{EL.prose(rng, 2)}</p>" if rng.random() < 0.35 else "")
            + "<h4>Γειτονικά</h4>" + " ".join(a(url(k), places[k][0]) for k in near) + f"<p>{a('/', 'Αρχή')}</p>")

    b.put("/", lambda rng: doc("el", "Τοπωνύμια", "<h1>Τοπωνύμια</h1>" + EL.paras(rng, 2) + a(url(465), places[465][0])))
    for n in range(len(places)):
        b.put(url(n), place, n)


@honest(GUEST_HONEST)
def seoga(b: Building) -> None:
    """Korean: the shelves of a library as deep folders, whose content is JSON within a script."""
    widths = (10, 4, 3, 3)

    def walk(path: str, depth: int) -> None:
        kids = [str(k) for k in sorted(b.of("shelf", path).sample(range(10), widths[depth]))] if depth < len(widths) else []
        code = path.replace("/", "")
        here = "/서가/" + "".join(p + "/" for p in path.split("/") if p)

        def show(rng: Random) -> str:
            books = [] if kids else [
                {"제목": KO.title(rng, 3), "저자": rng.choice(KO.base[-12:]),
                "청구기호": f"{code.ljust(3, '0')}-{rng.randrange(10, 99)}", "쪽": rng.randrange(90, 900)}
                for _ in range(rng.randrange(3, 20))]
            return doc("ko", f"서가 {code}",
                f"<div id=root></div><script type='application/json' id=state>{dumps({'서가': code, 'books': books}, ensure_ascii=False)}</script>"
                f"<script src=/app.js></script><noscript>"
                + ul(a(q(here + k + "/"), code + k) for k in kids) + a("../", "위로") + "</noscript>")

        b.put(q(here), show)
        for k in kids:
            walk(f"{path}/{k}" if path else k, depth + 1)

    walk("", 0)
    b.put("/", lambda rng: doc("ko", "시립 도서관", KO.paras(rng, 2) + a(q("/서가/"), "서가 보기")))


@honest(GUEST_HONEST)
def saa_arkisto(b: Building) -> None:
    """Finnish: weather records as folders of plain text files."""
    r = b.of("stations")
    ids = sorted(r.sample(range(100_540, 104_800), 24))
    names = {i: FI.name(r, 1) for i in ids}

    def month(rng: Random, i: int, y: int, m: int) -> Answer:
        base = (-8, -9, -4, 2, 9, 14, 17, 15, 10, 4, -1, -6)[m - 1]
        return plain(f"# {i} {names[i]} {y}-{m:02d}\nd;tmax;tmin;rr;ff\n" + "".join(
            f"{d};{base + rng.gauss(4, 3):.1f};{base - rng.gauss(4, 3):.1f};{max(0, rng.gauss(0, 4)):.1f};{rng.randrange(0, 15)}\n"
            for d in range(1, 29)))

    b.put("/", lambda rng: doc("fi", "Sääarkisto", "<h1>Index of /</h1><pre>" + "\n".join(a(f"{i}/", f"{i}/") + f"   {names[i]}" for i in ids) + "</pre>" + a("LUEMINUT.txt", "LUEMINUT.txt")))
    b.put("/LUEMINUT.txt", lambda rng: plain("\n\n".join(FI.prose(rng, 5) for _ in range(9))))
    for i in ids:
        b.put(f"/{i}/", lambda rng, i=i: doc("fi", f"/{i}", f"<h1>Index of /{i}</h1><pre>" + "\n".join([a("../", "../"), *(a(f"{y}/", f"{y}/") for y in range(2014, 2018))]) + "</pre>"))
        b.put(f"/{i}", lambda rng, i=i: moved(f"/{i}/", 301))
        for y in range(2014, 2018):
            b.put(f"/{i}/{y}/", lambda rng, i=i, y=y: doc("fi", f"/{i}/{y}",
                f"<h1>Index of /{i}/{y}</h1><pre>" + "\n".join([a("../", "../"), *(a(f"kk_{m:02d}.csv", f"kk_{m:02d}.csv") for m in range(1, 13))]) + "</pre>"))
            for m in range(1, 13):
                b.put(f"/{i}/{y}/kk_{m:02d}.csv", month, i, y, m)


@honest(GUEST_HONEST)
def protokoly_rady(b: Building) -> None:
    """Ukrainian: minutes of a council by day, with comments and a form to reply to each."""
    r = b.of("days")
    days = sorted({date(2015, 1, 5) + timedelta(r.randrange(0, 1900)) for _ in range(330)})
    side = "<div class=widget><h4>Архів</h4>" + ul(a(f"/{y}/", y) for y in sorted({d.year for d in days})) + "</div>"
    talk = {n: r.randrange(0, 5) if r.random() < 0.6 else 0 for n in range(len(days))}

    def frame(t: str, body: str) -> str:
        return doc("uk", t, f"<div id=wrap>{a('/', 'Міська рада')}<h1>{t}</h1>{body}</div>{side}")

    def url(n: int) -> str:
        return f"/{days[n]:%Y/%m/%d}/protokol-{n + 1}/"

    def minutes(rng: Random, n: int) -> str:
        items = "".join(f"<h3>{k}. {UK.title(rng, 6)}</h3>{UK.paras(rng, 1)}<p>За – {rng.randrange(10, 30)}, проти – {rng.randrange(0, 9)}.</p>" for k in range(1, rng.randrange(2, 7)))
        said = "".join(f"<div class=c id=c{k}>{UK.name(rng)}: {UK.prose(rng, 2)} {a(f'/comment/reply/{n + 1}/{k + 1}', 'відповісти', ' rel=nofollow' if n % 2 else '')}</div>" for k in range(talk[n]))
        go = " ".join(a(url(k), t) for k, t in ((n - 1, "←"), (n + 1, "→")) if 0 <= k < len(days))
        return frame(f"Протокол № {n + 1}", items + said + f"<form method=post action='/comment/add/{n + 1}'><textarea name=t></textarea></form>" + go)

    b.put("/", lambda rng: frame("Міська рада", UK.paras(rng, 2) + ul(a(url(n), f"Протокол № {n + 1}") for n in range(len(days) - 1, len(days) - 11, -1))))
    for y in {d.year for d in days}:
        b.put(f"/{y}/", lambda rng, y=y: frame(str(y), ul(a(f"/{y}/{m:02d}/", f"{m:02d}.{y}") for m in sorted({d.month for d in days if d.year == y}))))
    for y, m in {(d.year, d.month) for d in days}:
        b.put(f"/{y}/{m:02d}/", lambda rng, y=y, m=m: frame(f"{m:02d}.{y}", ul(a(f"/{d:%Y/%m/%d}/", f"{d:%d.%m.%Y}") for d in days if (d.year, d.month) == (y, m))))
    for n, d in enumerate(days):
        b.put(f"/{d:%Y/%m/%d}/", lambda rng, n=n: frame(f"{days[n]:%d.%m.%Y}", a(url(n), f"Протокол № {n + 1}")))
        b.put(url(n), minutes, n)
        for k in range(talk[n]):
            b.put(f"/comment/reply/{n + 1}/{k + 1}", lambda rng, n=n, k=k: frame("Відповісти на коментар",
                f"<form method=post><input type=hidden name=pid value={k + 1}><textarea></textarea><input type=submit></form>{a(url(n), 'скасувати')}"))


@honest(GUEST_HONEST)
def isai_suvadi(b: Building) -> None:
    """Tamil: songs, each in twelve keys and to be printed."""
    r = b.of("songs")
    keys = ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]
    songs = [(f"{TA.w(r)} {TA.rare(r)}", [r.randrange(0, 12) for _ in range(56)]) for _ in range(120)]

    def frame(t: str, body: str) -> str:
        return doc("ta", t, f"<div class=nav>{a('/', 'முகப்பு')}</div><h1>{t}</h1>{body}")

    def song(rng: Random, n: int, k: int, paper: bool) -> str:
        name, tune = songs[n]
        lines = [" ".join(keys[(t + k) % 12] for t in tune[x : x + 8]) for x in range(0, 56, 8)]
        body = f"<pre class=abc>{chr(10).join(lines)}</pre>"
        if paper:
            return doc("ta", name, f"<h2>{name}</h2>{body}")
        text = b.of("lyrics", n)
        return frame(f"{name} ({keys[k]})", body + f"<blockquote>{'<br>'.join(TA.sent(text) for _ in range(6))}</blockquote>" +
            " ".join(a(f"/paadal/{n + 1}?key={o}", o) for o in keys) + a(f"/paadal/{n + 1}/print", "அச்சிடு"))

    b.put("/", lambda rng: frame("இசைச் சுவடி", ul(a(f"/paadal/{n + 1}?key=C", s[0]) for n, s in enumerate(songs))))
    for n in range(120):
        b.put(f"/paadal/{n + 1}/print", song, n, 0, True)
        for k, o in enumerate(keys):
            b.put(f"/paadal/{n + 1}?key={o}", song, n, k, False)


@honest(GUEST_HONEST)
def khabar_shahr(b: Building) -> None:
    """Persian: news by Persian date, and by tags whose lists show nothing new."""
    r = b.of("news")
    tags = [FA.rare(r) + "‌ها" for _ in range(40)]
    news = [(1397 + n // 330, n % 330 // 28 + 1, n % 28 + 1, FA.title(r, 5), r.sample(range(40), 3)) for n in range(700)]
    of = {t: [n for n in range(700) if t in news[n][4]] for t in range(40)}

    def fa(n: int, w: int = 1) -> str:
        return f"{n:0{w}d}".translate({48 + k: 0x6F0 + k for k in range(10)})

    def url(n: int) -> str:
        return f"/اخبار/{fa(news[n][0])}/{fa(news[n][1], 2)}/{fa(news[n][2], 2)}/{n + 1000}"

    def tag_url(t: int, p: int) -> str:
        return f"/برچسب/{tags[t]}" + (f"/صفحه/{fa(p)}" if p > 1 else "")

    def frame(t: str, body: str) -> str:
        return doc("fa", t, f"<header>{a('/', 'خانه')} {a('/آرشیو', 'آرشیو')}</header><h1>{t}</h1>{body}<footer>{FA.prose(b.of('foot'), 3)}</footer>", rtl=True)

    def tagged(rng: Random, t: int, p: int) -> str:
        last = (len(of[t]) + 7) // 8
        return frame(tags[t], ul(a(url(n), news[n][3]) for n in of[t][p * 8 - 8 : p * 8]) + "".join(a(tag_url(t, k), fa(k)) for k in range(1, last + 1) if k != p))

    b.put("/", lambda rng: frame("خبر شهر", ul(a(url(n), news[n][3]) for n in range(699, 680, -1))))
    b.put("/آرشیو", lambda rng: frame("آرشیو", ul(a(f"/آرشیو/{fa(y)}/{fa(m)}", f"{fa(y)}/{fa(m)}") for y, m in sorted({x[:2] for x in news}))))
    for y, m in {x[:2] for x in news}:
        b.put(f"/آرشیو/{fa(y)}/{fa(m)}", lambda rng, y=y, m=m: frame(f"{fa(y)}/{fa(m)}", ul(a(url(n), x[3]) for n, x in enumerate(news) if x[:2] == (y, m))))
    for n, x in enumerate(news):
        b.put(url(n), lambda rng, x=x: frame(x[3], FA.paras(rng, 4) + ul(a(tag_url(t, 1), tags[t]) for t in x[4])))
    for t, found in of.items():
        for p in range(1, (len(found) + 7) // 8 + 1):
            b.put(tag_url(t, p), tagged, t, p)


@honest(GUEST_HONEST)
def ferreteria_puig(b: Building) -> None:
    """Catalan: an ironmonger's facets are the only way to the goods; a query may be in any order."""
    r = b.of("goods")
    brands = list(dict.fromkeys(CA.rare(r) for _ in range(6)))
    facets = {"marca": brands, "color": [*CA.base[-3:], "negre"], "mida": ["S", "M", "L", "XL", "XXL"]}
    goods = [(f"84{r.randrange(10 ** 10, 10 ** 11)}", CA.title(r, 3), {f: r.choice(v) for f, v in facets.items()}, r.uniform(0.1, 90)) for _ in range(420)]

    def link(chosen: dict[str, str]) -> str:
        return "/cataleg" + ("?" + "&".join(f"{f}={quote(v)}" for f, v in sorted(chosen.items())) if chosen else "")

    def frame(t: str, body: str) -> str:
        return doc("ca", t, f"<nav>{a('/', 'Ferreteria Puig')}</nav><h1>{t}</h1>{body}<footer>Horari: dilluns a dissabte de 9 a 13.30 h.</footer>")

    def listing(rng: Random, chosen: dict[str, str]) -> str:
        more = [a(link({**chosen, f: v}), f"{f}: {v}") for f, of in facets.items() if f not in chosen for v in of]
        fit = [g for g in goods if all(g[2][f] == v for f, v in chosen.items())]
        show = "".join(f"<div class=p>{a('/p/' + g[0], g[1])} <b>{g[3]:.2f} €</b></div>" for g in fit) if len(chosen) == 3 else f"<p>{len(fit)} articles. Trieu més filtres.</p>"
        return frame("Catàleg", ul(more) + (show or "<p>Cap article.</p>"))

    b.put("/", lambda rng: frame("Ferreteria Puig", CA.paras(rng, 2) + a("/cataleg", "Catàleg")))
    choices: list[dict[str, str]] = [{}]
    for f, of in facets.items():
        choices += [{**c, f: v} for c in choices for v in of]
    for c in choices:
        b.put(link(c), listing, c)
    for g in goods:
        b.put(f"/p/{g[0]}", lambda rng, g=g: frame(g[1], f"<p class=preu>{g[3]:.2f} €</p>{table(g[2].items())}<p>EAN {g[0]}. {CA.prose(rng, 2)}</p>"))


@honest(GUEST_HONEST)
def ugiin_bichig(b: Building) -> None:
    """Mongolian: a family tree as static files, as Gramps writes them."""
    r = b.of("tree")
    n_all = 1400
    people = [(r.choice(MN.base[20:38]) + (MN.rare(r) if r.random() < 0.5 else ""), md5(f"{b.seed}{n}".encode()).hexdigest()[:19]) for n in range(n_all)]
    up = {n: (n - 1) // 3 for n in range(1, n_all)}
    kids = {n: range(n * 3 + 1, min(n * 3 + 4, n_all)) for n in range(n_all)}

    def url(n: int) -> str:
        return f"/ppl/{people[n][1][-1]}/{people[n][1][-2]}/{people[n][1]}.html"

    def rel(n: int) -> str:
        return "../../.." + url(n)

    def gen(n: int) -> int:
        return 0 if n == 0 else 1 + gen(up[n])

    def person(rng: Random, n: int) -> str:
        born = 1690 + gen(n) * 34 + rng.randrange(-6, 7)
        links = ([a(rel(up[n]), people[up[n]][0], " class=parent")] if n else []) + [a(rel(k), people[k][0]) for k in kids[n]]
        note = f"<div class=note>{MN.prose(rng, 3)}</div>" if rng.random() < 0.2 else ""
        return doc("mn", people[n][0], f"<div id=hdr>{a('../../../index.html', 'Угийн бичиг')}</div><h3>{people[n][0]}</h3>"
            f"{table([['Төрсөн', born], ['Нас барсан', born + rng.randrange(1, 90)], ['ID', f'I{n:04d}']])}"
            f"{note}<div id=pedigree>{ul(links)}</div>")

    for home in ("/", "/index.html"):
        b.put(home, lambda rng: doc("mn", "Угийн бичиг", f"<h1>Угийн бичиг</h1>{MN.paras(b.of('home'), 3)}{a(url(0).lstrip('/'), people[0][0])}"))
    for n in range(n_all):
        b.put(url(n), person, n)


@honest(GUEST_HONEST)
def git_libtally(b: Building) -> None:
    """English: a source browser (cgit) of 29 files in 40 revisions."""
    r = b.of("repo")
    shas = [sha1(f"{b.seed}{n}".encode()).hexdigest() for n in range(40)]
    files = [f"{d}{EN.rare(r)}{k}.{e}" for k, (d, e) in enumerate([("src/", "c")] * 12 + [("include/", "h")] * 8 + [("tests/", "c")] * 7 + [("", "md")] * 2)]
    touched = [sorted(r.sample(files, r.randrange(1, 5))) for _ in shas]
    top = f"<table id=header><tr><td>{a('/', 'index')} : {a('/libtally.git/log/', 'libtally.git')}</td></tr><tr><td>tally things</td></tr></table>"

    def frame(t: str, body: str) -> str:
        return doc("en", t, f"<div id=cgit>{top}<div class=content>{body}</div><div class=footer>generated by cgit v1.2.1</div></div>")

    def text(f: str, n: int) -> str:
        rng = b.of("file", f)
        lines = [
            f"static int {EN.rare(rng)}_{EN.rare(rng)}(struct {EN.rare(rng)} *p, int n)\n{{\n"
            f"\tif (!p->{EN.rare(rng)})\n\t\treturn -{rng.randrange(1, 30)};\n\treturn {EN.rare(rng)}(p, n + {rng.randrange(99)});\n}}\n"
            for _ in range(6)]
        for k in range(n + 1):
            if f in touched[k]:
                lines[k % 6] = lines[k % 6].replace("n +", f"n * {k} +")
        return "\n".join(lines)

    def blob(rng: Random, f: str, n: int) -> str:
        raw = a(f"/libtally.git/plain/{f}?id={shas[n]}", "plain") if n % 8 == 7 else "plain"
        return frame(f"{f} - libtally", f"<div class=path>path: root/{f} ({raw})</div><pre><code>{escape(text(f, n))}</code></pre>")

    def commit(rng: Random, n: int) -> str:
        diff = "".join(f"diff --git a/{f} b/{f}\n-\tn + {rng.randrange(99)}\n+\tn * {n} + {rng.randrange(99)}\n" for f in touched[n])
        tree = a(f"/libtally.git/tree/?id={shas[n]}", sha1(shas[n].encode()).hexdigest())
        rows = [["author", EN.name(rng)], ["commit", shas[n]], ["tree", tree]]
        if n:
            rows.append(["parent", a(f"/libtally.git/commit/?id={shas[n - 1]}", shas[n - 1])])
        return frame(f"commit {shas[n][:8]}", table(rows) + f"<p>{EN.title(rng, 6)}</p><pre>{diff}</pre>")

    b.put("/", lambda rng: frame("Git repositories", a("/libtally.git/log/", "libtally.git")))
    b.put("/libtally.git/log/", lambda rng: frame("log", ul(a(f"/libtally.git/commit/?id={s}", EN.title(rng, 5)) for s in reversed(shas))))
    for n, s in enumerate(shas):
        b.put(f"/libtally.git/commit/?id={s}", commit, n)
        b.put(f"/libtally.git/tree/?id={s}", lambda rng, s=s: frame("tree", table([["-rw-r--r--", a(f"/libtally.git/tree/{f}?id={s}", f)] for f in files])))
        for f in files:
            b.put(f"/libtally.git/tree/{f}?id={s}", blob, f, n)
            if n % 8 == 7:
                b.put(f"/libtally.git/plain/{f}?id={s}", lambda rng, f=f, n=n: plain(text(f, n)))


#: Visits so far, of all sensors.
_VISITS = count(104_234)


@honest(GUEST_HONEST, varies=True)
def czujniki_miasta(b: Building) -> None:
    """Polish: sensors by week; three figures in a frame with a clock and a counter of visits."""
    names = [PL.name(b.of("sensor", n), 2) for n in range(18)]
    side = ul(a(f"/czujnik/{n}/", x) for n, x in enumerate(names)) + PL.paras(b.of("side"), 4)

    def frame(title: str, body: str) -> str:
        return doc("pl", title, f"<div class=l>{a('/', 'Start')}{side}</div><h1>{title}</h1>{body}"
            f"<div class=f>Odwiedzin: {next(_VISITS)}. Teraz jest {time.strftime('%H:%M:%S')}. "
            f"<img src='/licznik.gif?r={chance.random()}'>"
            f"<input type=hidden name=csrf value='{chance.getrandbits(128):032x}'></div>")

    def week(rng: Random, n: int, y: int, w: int) -> str:
        beside = ((y if w > 1 else y - 1, w - 1 or 52, "wcześniej"), (y if w < 52 else y + 1, w % 52 + 1, "później"))
        ends = " ".join(a(f"/czujnik/{n}/{x}-W{v:02d}", t) for x, v, t in beside if 2021 <= x <= 2022)
        return frame(f"{y}-W{w:02d}", f"<span>{rng.uniform(3, 60):.1f}</span> <span>{rng.uniform(5, 90):.1f}</span> <span>{rng.uniform(-9, 27):.1f}</span><br>{ends}")

    b.put("/", lambda rng: frame("Czujniki miasta", PL.paras(rng, 1)))
    for n in range(18):
        b.put(f"/czujnik/{n}/", lambda rng, n=n: frame(names[n], PL.paras(rng, 1) + a(f"/czujnik/{n}/2021-W01", "pomiary")))
        for y in (2021, 2022):
            for w in range(1, 53):
                b.put(f"/czujnik/{n}/{y}-W{w:02d}", week, n, y, w)


@honest(GUEST_HONEST)
def indice_pacotes(b: Building) -> None:
    """Portuguese: an index of packages, with redirects to trailing slashes, and with JSON."""
    r = b.of("packages")
    names = sorted({f"{PT.rare(r)}-{PT.w(r)}".lower() for _ in range(330)})
    numbers = {n: sorted({(r.randrange(0, 3), r.randrange(0, 12), r.randrange(0, 5)) for _ in range(r.randrange(1, 5))}) for n in names}
    releases = {n: [".".join(map(str, v)) for v in of] for n, of in numbers.items()}

    def simple(rng: Random, n: str) -> str:
        links = "".join(a(f"/pacote/{n}/{v}/json", f"{n}-{v}.tar.gz") + "<br>" for v in releases[n]) + a(f"/pacote/{n}", "projeto")
        top = f"<meta name='pypi:repository-version' content='1.0'><title>Links for {n}</title>"
        return f"<!DOCTYPE html><html><head>{top}</head><body><h1>Links for {n}</h1>{links}</body></html>"

    def js(rng: Random, n: str, v: str) -> Answer:
        return plain(dumps({"info": {"name": n, "version": v, "summary": PT.title(rng, 7), "description": PT.prose(rng, rng.randrange(1, 9)),
            "license": rng.choice(["MIT", "GPL", "BSD"])},
            "requires": rng.sample(names, rng.randrange(0, 4)), "sha256": f"{rng.getrandbits(256):064x}"},
            ensure_ascii=False), "application/json")

    def project(rng: Random, n: str) -> str:
        return doc("pt", n, f"<h1>{n}</h1>{PT.paras(rng, 2)}<h2>Depende de</h2>{ul(a('/simple/' + o.upper() if rng.random() < 0.2 else '/simple/' + o, o) for o in rng.sample(names, 3))}")

    b.put("/", lambda rng: doc("pt", "Índice", PT.paras(rng, 1) + a("/simple/", "simple")))
    b.put("/simple/", lambda rng: doc("pt", "Simple index", "<br>".join(a(f"/simple/{n}/", n) for n in names)))
    for n in names:
        b.put(f"/simple/{n}/", simple, n)
        b.put(f"/simple/{n}", lambda rng, n=n: moved(f"/simple/{n}/", 301))
        b.put(f"/pacote/{n}", project, n)
        for v in releases[n]:
            b.put(f"/pacote/{n}/{v}/json", js, n, v)


@honest(GUEST_HONEST)
def gunluk_bulmaca(b: Building) -> None:
    """Turkish: crosswords in one long chain, their solutions aside."""

    def grid(rng: Random, solved: bool) -> str:
        cells = [[rng.choice("ABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ") if rng.random() < 0.8 else "■" for _ in range(9)] for _ in range(9)]
        return table([[c if solved or c == "■" else "&nbsp;" for c in row] for row in cells])

    def puzzle(rng: Random, n: int, solved: bool) -> str:
        cells = grid(b.of("grid", n), solved)
        clues = b.of("clues", n)
        if solved:
            return doc("tr", f"Çözüm {n}", f"<h1>Çözüm {n}</h1>{cells}{a(f'/bulmaca-{n}.htm', 'Bulmacaya dön')}")
        links = (a(f"/bulmaca-{n - 1}.htm", "« Önceki") if n > 1 else "") + (a(f"/bulmaca-{n + 1}.htm", "Sonraki »") if n < 480 else "")
        return doc("tr", f"Bulmaca {n}", f"<h1>Bulmaca {n}</h1>{cells}<h4>Soldan sağa</h4><ol>{''.join(f'<li>{TR.title(clues, 3)}</li>' for _ in range(8))}</ol>{a(f'/cozum-{n}.htm', 'Çözüm')} {links}")

    b.put("/", lambda rng: doc("tr", "Günlük bulmaca", "<h1>Günlük bulmaca</h1>" + a("/bulmaca-1.htm", "İlk bulmaca")))
    for n in range(1, 481):
        b.put(f"/bulmaca-{n}.htm", puzzle, n, False)
        b.put(f"/cozum-{n}.htm", puzzle, n, True)


@honest(GUEST_HONEST)
def shiryokan(b: Building) -> None:
    """Japanese: a museum on four subdomains, a third of it translated."""
    r = b.of("things")
    things = [(f"{r.choice('ABCD')}-{r.randrange(1000, 9999)}-{n}", r.randrange(300, 1940), r.uniform(1, 200)) for n in range(210)]
    tongues = {"www": ("ja", "次へ", JA), "en": ("en", "next", EN), "eu": ("eu", "hurrengoa", EU), "pt": ("pt", "seguinte", PT)}

    def host(t: str, path: str = "/") -> str:
        return f"http://{t}.shiryokan.test{path}"

    def frame(t: str, path: str, title: str, body: str) -> str:
        flags = " ".join(a(host(o, path), o) for o in tongues if o != t)
        return doc(tongues[t][0], title, f"<div class=lang>{flags}</div>{a('/', 'HOME')}<h1>{title}</h1>{body}")

    def thing(rng: Random, t: str, n: int) -> str:
        i, y, cm = things[n]
        words = tongues[t][2] if n % 3 == 0 else JA
        return frame(t, f"/item/{i}", i, f"<img src='http://img.shiryokan.test/{i}.jpg'><p>{y} / {cm:.1f} cm</p>"
            f"<p>{words.prose(b.of('text', words.code, n), 4)}</p>"
            + (a(f"/item/{things[n + 1][0]}", tongues[t][1]) if n < 209 else ""))

    b.put("/", lambda rng: doc("ja", "資料館", " ".join(a(host(t), t) for t in tongues)))
    for t in tongues:
        b.put(host(t), lambda rng, t=t: frame(t, "/", "資料館", tongues[t][2].paras(rng, 2) + ul(a(f"/list/{p}", p) for p in range(1, 15))))
        for p in range(1, 15):
            b.put(host(t, f"/list/{p}"), lambda rng, t=t, p=p: frame(t, f"/list/{p}", str(p), ul(a(f"/item/{x[0]}", x[0]) for x in things[p * 15 - 15 : p * 15])))
        for n, x in enumerate(things):
            b.put(host(t, f"/item/{x[0]}"), thing, t, n)


@honest(GUEST_HONEST)
def opera_nstatex(b: Building) -> None:
    """Armenian: seats of a theatre, whose pages differ in one attribute; a few lead to stories."""
    r = b.of("gifts")
    seats = [(part, row, seat) for part in ("parter", "amfi", "balkon") for row in range(1, 25) for seat in range(1, 23)]
    gifts = {s: n for n, s in enumerate(r.sample(seats, 70))}

    def frame(body: str) -> str:
        return doc("hy", "Օպերա", f"<div>{a('/', 'Օպերա')}</div>{body}")

    def url(s: tuple[str, int, int]) -> str:
        return f"/tegh?part={s[0]}&row={s[1]}&seat={s[2]}"

    def seat(rng: Random, s: tuple[str, int, int]) -> str:
        gift = a(f"/nvirum/{gifts[s]}", "Նվիրատու") if s in gifts else ""
        return frame(f"<svg viewBox='0 0 500 500'><circle r=4 cx={s[2] * 20} cy={s[1] * 20} data-part={s[0]}></circle></svg><p>Ձեր տեղը դահլիճում</p>{gift}")

    b.put("/", lambda rng: frame(HY.paras(rng, 2) + ul(a(f"/srah/{p}", p) for p in ("parter", "amfi", "balkon"))))
    for p in ("parter", "amfi", "balkon"):
        b.put(f"/srah/{p}", lambda rng, p=p: frame(ul(a(f"/srah/{p}/{row}", f"Շարք {row}") for row in range(1, 25))))
        for row in range(1, 25):
            b.put(f"/srah/{p}/{row}", lambda rng, p=p, row=row: frame(" ".join(a(url((p, row, s)), s) for s in range(1, 23))))
    for s in seats:
        b.put(url(s), seat, s)
    for n in range(70):
        b.put(f"/nvirum/{n}", lambda rng: frame(f"<h1>{HY.name(rng)}</h1>{HY.paras(rng, 4)}"))


@honest(GUEST_HONEST)
def skakskyrslur(b: Building) -> None:
    """Icelandic: chess games move by move, in chains of boards."""
    r = b.of("games")
    games = [(IS.name(r), IS.name(r), r.randrange(30, 90)) for _ in range(28)]

    def board(g: int, plies: int) -> str:
        rng = b.of("moves", g)
        at = [list(row) for row in ("rnbqkbnr", "pppppppp", *["........"] * 4, "PPPPPPPP", "RNBQKBNR")]
        for k in range(plies):
            men = [(y, x) for y in range(8) for x in range(8) if at[y][x] != "." and at[y][x].isupper() == (k % 2 == 0)]
            y, x = rng.choice(men)
            free = [(v, w) for v in range(max(0, y - 2), min(8, y + 3)) for w in range(max(0, x - 2), min(8, x + 3)) if at[v][w] == "."]
            if free:
                v, w = rng.choice(free)
                at[v][w], at[y][x] = at[y][x], "."
        return "\n".join(" ".join(row) for row in at)

    def ply(rng: Random, g: int, n: int) -> str:
        go = (a(f"/skak/{g + 1}/{n - 1}", "<") if n else "") + " " + (a(f"/skak/{g + 1}/{n + 1}", ">") if n < games[g][2] else a(f"/skak/{g + 1}.pgn", "PGN"))
        return doc("is", f"{games[g][0]} - {games[g][1]}", f"<tt>{n}</tt><pre>{board(g, n)}</pre>{go}")

    b.put("/", lambda rng: doc("is", "Skákskýrslur", IS.paras(rng, 2) + ul(a(f"/skak/{n + 1}/0", f"{g[0]} - {g[1]}") for n, g in enumerate(games))))
    for g, (white, black, last) in enumerate(games):
        b.put(f"/skak/{g + 1}.pgn", lambda rng, w=white, k=black, last=last: plain(f'[White "{w}"]\n[Black "{k}"]\n\n' +
            " ".join(f"{m}. {rng.choice('RNBQK')}{rng.choice('abcdefgh')}{rng.randrange(1, 9)}"
            for m in range(1, last // 2)), "application/x-chess-pgn"))
        for n in range(last + 1):
            b.put(f"/skak/{g + 1}/{n}", ply, g, n)


@honest(GUEST_HONEST, varies=True)
def bugs_orchard(b: Building) -> None:
    """English: a bug tracker (Bugzilla) with orders of lists, trees of bugs, tokens and times."""
    r = b.of("bugs")
    ids = sorted(r.sample(range(10_000, 19_000), 430))
    info = {i: (r.choice(["gui", "core", "net", "doc", "build"]), r.choice(["NEW", "FIXED", "WONTFIX"]), r.choice(["minor", "major", "crash"])) for i in ids}

    def frame(title: str, body: str) -> str:
        return doc("en", title, f"<div id=header>{a('/', 'Orchard Bugzilla')} {a('/describecomponents.cgi', 'Browse')}</div>"
            f"<h1>{title}</h1>{body}<div id=footer>Page took {chance.random():.4f} s</div>",
            f"<script nonce='{chance.getrandbits(64):x}'>var token='{chance.getrandbits(96):x}'</script>")

    def listing(rng: Random, c: str, order: str, way: str) -> str:
        of = sorted((i for i in ids if info[i][0] == c), key=lambda i: (info[i][1:][order == "severity"] if order != "id" else i, i), reverse=way == "desc")
        sorts = [a(f"/buglist.cgi?component={c}&order={o}&dir={w}", f"{o} {w}") for o in ("id", "status", "severity") for w in ("asc", "desc")]
        return frame(f"Bugs in {c}", " ".join(sorts) + table([[a(f"/show_bug.cgi?id={i}", i), *info[i][1:]] for i in of]))

    def bug(rng: Random, i: int) -> str:
        said = "".join(
            f"<div class=bz_comment id=c{k}><b>{EN.name(rng)}</b> {date(2012, 1, 1) + timedelta(rng.randrange(3000))}"
            f"<pre>{EN.prose(rng, rng.randrange(1, 6))}</pre></div>"
            for k in range(rng.randrange(1, 7)))
        deps = rng.sample(ids, rng.randrange(0, 3))
        return frame(f"{i} – {EN.title(rng, 6)}",
            f"<p>{' '.join(info[i])}</p>Depends on: {' '.join(a(f'/show_bug.cgi?id={d}', d) for d in deps)} "
            f"{a(f'/showdependencytree.cgi?id={i}&hide_resolved=1', 'tree')} {a(f'/show_activity.cgi?id={i}', 'history')} "
            f"{a(f'/show_bug.cgi?ctype=xml&id={i}', 'XML')}"
            f"{said}<form method=post action=/process_bug.cgi>"
            f"<input type=hidden name=token value='{int(time.time())}-{chance.getrandbits(80):x}'><textarea></textarea></form>")

    b.put("/", lambda rng: frame("Orchard Bugzilla", EN.paras(rng, 1)))
    b.put("/describecomponents.cgi", lambda rng: frame("Components", ul(a(f"/buglist.cgi?component={c}&order=id&dir=asc", c) for c in ("gui", "core", "net", "doc", "build"))))
    for c in ("gui", "core", "net", "doc", "build"):
        for o in ("id", "status", "severity"):
            for w in ("asc", "desc"):
                b.put(f"/buglist.cgi?component={c}&order={o}&dir={w}", listing, c, o, w)
    for i in ids:
        b.put(f"/show_bug.cgi?id={i}", bug, i)
        b.put(f"/show_activity.cgi?id={i}", lambda rng, i=i: frame(f"Changes made to bug {i}",
            table([[EN.name(rng), rng.choice(("status", "cc", "keywords")), EN.w(rng), EN.w(rng)]
            for _ in range(rng.randrange(0, 5))]) + a(f"/show_bug.cgi?id={i}", "back")))
        b.put(f"/show_bug.cgi?ctype=xml&id={i}", lambda rng, i=i: plain(
            f"<?xml version='1.0'?><bugzilla><bug><bug_id>{i}</bug_id><component>{info[i][0]}</component>"
            f"<bug_status>{info[i][1]}</bug_status></bug></bugzilla>", "application/xml"))
        for hide in (0, 1):
            b.put(f"/showdependencytree.cgi?id={i}&hide_resolved={hide}", lambda rng, i=i, hide=hide: frame(
                f"Dependency tree for bug {i}", "<p>does not depend on any open bugs.</p>" +
                a(f"/showdependencytree.cgi?id={i}&hide_resolved={1 - hide}", "Show resolved" if hide else "Hide resolved")
                + a(f"/show_bug.cgi?id={i}", i)))


@honest(GUEST_HONEST)
def ain_kosh(b: Building) -> None:
    """Bengali: laws as XML, section after section."""
    r = b.of("acts")
    acts = [(n + 1, BN.title(r, 3) + " আইন", r.randrange(8, 34)) for n in range(48)]

    def bn(n: int) -> str:
        return str(n).translate({48 + k: 0x9E6 + k for k in range(10)})

    def frame(t: str, body: str) -> Answer:
        return plain(f"<?xml version='1.0' encoding='UTF-8'?>\n<?xml-stylesheet href='/law.xsl' type='text/xsl'?>\n"
            f"<act xmlns:h='http://www.w3.org/1999/xhtml' xmlns='http://www.w3.org/1999/xhtml'>"
            f"<title>{t}</title>{body}</act>", "application/xhtml+xml")

    def section(rng: Random, n: int, k: int) -> Answer:
        t, total = acts[n - 1][1:]
        return frame(f"{t}, ধারা {bn(k)}", f"<num>{bn(k)}</num><text>{BN.prose(rng, rng.randrange(1, 7))}</text>"
            f"{a(f'/act-{n}.xml', 'সূচি')}"
            + (a(f"/act-{n}/section-{bn(k + 1)}.xml", "পরবর্তী") if k < total else ""))

    b.put("/", lambda rng: doc("bn", "আইন কোষ", ul(a(f"/act-{n}.xml", t) for n, t, _ in acts)))
    for n, t, total in acts:
        b.put(f"/act-{n}.xml", lambda rng, n=n, t=t, total=total: frame(t, f"<preamble>{BN.prose(rng, 3)}</preamble>" + "".join(a(f"/act-{n}/section-{bn(k)}.xml", bn(k)) for k in range(1, total + 1))))
        for k in range(1, total + 1):
            b.put(f"/act-{n}/section-{bn(k)}.xml", section, n, k)


@honest(GUEST_HONEST)
def argazki_bilduma(b: Building) -> None:
    """Basque: a gallery (Piwigo) of pictures in sizes, with paths within the query."""
    r = b.of("albums")
    albums = [[n * 100 + k for k in range(r.randrange(18, 40))] for n in range(15)]

    def frame(t: str, body: str) -> str:
        return doc("eu", t, f"<div id=theHeader>{a('/', 'Bilduma')}</div><h2>{t}</h2>{body}<div id=copyright>Powered by Piwigo</div>")

    def pic(n: int, i: int) -> str:
        return f"/picture.php?/{i}/category/{n}"

    def album_url(n: int, start: int) -> str:
        return f"/index.php?/category/{n}" + (f"/start-{start}" if start else "")

    def album(rng: Random, n: int, start: int) -> str:
        of = albums[n]
        shown = "".join(f'<a href="{pic(n, i)}"><img src="/_data/i/upload/{i}-th.jpg"></a>' for i in of[start : start + 12])
        return frame(f"{n + 1}. bilduma", shown + " ".join(a(album_url(n, s), s // 12 + 1) for s in range(0, len(of), 12) if s != start))

    def picture(rng: Random, n: int, k: int) -> str:
        i, of = albums[n][k], albums[n]
        links = [a(pic(n, of[k + d]), t) for d, t in ((-1, "aurrekoa"), (1, "hurrengoa")) if 0 <= k + d < len(of)]
        return frame(f"DSC_{4000 + i * 7 % 5000}",
            f"<img src='/_data/i/upload/{i}-me.jpg' width=792 height={rng.choice((528, 594))}> "
            + " ".join(links)
            + " ".join(a(f"/i.php?/upload/{i}-{z}.jpg", z) for z in ("sm", "xl"))
            + (f"<p>{EU.prose(rng, 1)}</p>" if rng.random() < 0.15 else ""))

    def image(rng: Random, i: int, z: str) -> Answer:
        return Answer(200, {"Content-Type": "image/jpeg"}, b"\xff\xd8\xff\xe0\x00\x10JFIF" + rng.randbytes(900 if z == "sm" else 4_000).replace(b"<", b"."))

    b.put("/", lambda rng: frame("Argazki bilduma", ul(a(f"/index.php?/category/{n}", EU.title(rng, 2)) for n in range(15))))
    for n, of in enumerate(albums):
        for p in range(0, len(of), 12):
            b.put(album_url(n, p), album, n, p)
        for k, i in enumerate(of):
            b.put(pic(n, i), picture, n, k)
            for z in ("sm", "xl"):
                b.put(f"/i.php?/upload/{i}-{z}.jpg", image, i, z)
