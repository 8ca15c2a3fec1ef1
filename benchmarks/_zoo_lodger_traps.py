"""14 endless web sites.  TRAPS = [(name, respond, inside), ...]
respond(path) -> (status, content type, body) or (status, content type, body, location)
inside(path) -> True where the path (with its query) belongs to the endless part
"""

# ruff: noqa: B905, C901, DTZ001, DTZ007, E501, N806, N812, PIE810, RUF001, RUF005, RUF021, RUF059, SIM905, UP031 - as it came, in other alphabets

import datetime as dt
import hashlib
from html import escape as E
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlencode

from _zoo_lodger_honest import H, Q, R, redir


def _split(path):
    p, _, q = path.partition("#")[0].partition("?")
    return "/" + unquote(p).removeprefix("/"), parse_qsl(q, keep_blank_values=True)


def _int(s, lo, hi):
    try:
        n = int(s)
    except (TypeError, ValueError):
        return None
    return n if lo <= n <= hi else None


def ok(b):
    return 200, H, b.encode()


def nf(t):
    return (
        404,
        H,
        (
            '<!DOCTYPE html><html><head><title>404</title></head><body><h1>404</h1><p>%s</p><a href="/">/</a></body></html>'
            % t
        ).encode(),
    )


def md5(s):
    return hashlib.md5(s.encode()).hexdigest()


# ---------------------------------------------------------------- 1  Norwegian village hall: month calendar without end
def _no():
    M = "januar februar mars april mai juni juli august september oktober november desember".split()
    what = [
        "Bingo",
        "Loppemarked",
        "Årsmøte",
        "Dugnad",
        "Juletrefest",
        "Konsert med koret",
        "Bygdekino",
        "Strikkekafé",
        "Foredrag om slekt",
        "Dans med Oddvars",
        "17. mai-frokost",
        "Temakveld",
    ]
    ev = []
    for i in range(34):
        r = R("no", i)
        ev.append((2018 + r.randint(0, 1), r.randint(1, 12), r.randint(1, 28), r.choice(what), r.randint(11, 20)))
    ev.sort()
    pages = {
        "/om": ("Om huset", "Grendehuset ble bygget på dugnad i 1954 og har plass til 120."),
        "/leie": ("Leie", "Leie av storsalen koster 1800 kroner. Kjøkken er inkludert. Nøkkel hentes hos vaktmester."),
        "/styret": ("Styret", "Leder, nestleder, kasserer og to vara. Styret møtes første mandag i måneden."),
        "/kontakt": ("Kontakt", "post@example.no"),
    }

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="no"><head><meta charset="utf-8"><title>%s – Lia grendehus</title></head><body><ul id="meny"><li><a href="/">Hjem</a></li>%s<li><a href="/arrangement">Arrangementer</a></li><li><a href="/kalender">Kalender</a></li></ul><h1>%s</h1>%s<p class="bunn">Lia grendehus, drevet av Lia vel</p></body></html>'
            % (t, "".join('<li><a href="%s">%s</a></li>' % (k, v[0]) for k, v in pages.items()), t, b)
        )

    def respond(path):
        p, q = _split(path)
        q = dict(q)
        if p == "/":
            return wrap(
                "Velkommen",
                "<p>Nytt fra huset: %s</p>"
                % ", ".join('<a href="/arrangement/%d">%s</a>' % (i + 1, ev[i][3]) for i in range(30, 34)),
            )
        if p in pages:
            return wrap(pages[p][0], "<p>%s</p>" % pages[p][1])
        if p == "/arrangement":
            return wrap(
                "Arrangementer",
                "<ul>"
                + "".join(
                    '<li><a href="/arrangement/%d">%s %d.%d.%d</a></li>' % (i + 1, e[3], e[2], e[1], e[0])
                    for i, e in enumerate(ev)
                )
                + "</ul>",
            )
        if p.startswith("/arrangement/"):
            i = _int(p[13:], 1, len(ev))
            if i:
                e = ev[i - 1]
                return wrap(
                    e[3], "<p>%d. %s %d kl. %d. Alle er velkomne! Kaffesalg.</p>" % (e[2], M[e[1] - 1], e[0], e[4])
                )
        if p == "/kalender":
            y, m = _int(q.get("aar", 2019), -99999, 99999), _int(q.get("mnd", 6), 1, 12)
            if y is None or m is None:
                return nf("Finner ikke siden")
            mine = {e[2]: (i + 1, e[3]) for i, e in enumerate(ev) if e[:2] == (y, m)}
            nd = [31, 29 if y % 4 == 0 and (y % 100 or y % 400 == 0) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][
                m - 1
            ]
            yy, mm = (y, m) if m > 2 else (y - 1, m + 12)
            wd = (1 + 13 * (mm + 1) // 5 + yy + yy // 4 - yy // 100 + yy // 400 + 5) % 7
            c = [""] * wd + [
                "%d%s" % (d, ' <a href="/arrangement/%d">%s</a>' % mine[d] if d in mine else "")
                for d in range(1, nd + 1)
            ]
            b = (
                "<table>"
                + "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % x for x in c[i : i + 7]) for i in range(0, len(c), 7))
                + "</table>"
            )
            pv, nx = (y, m - 1) if m > 1 else (y - 1, 12), (y, m + 1) if m < 12 else (y + 1, 1)
            b += (
                '<p><a href="/kalender?aar=%d&amp;mnd=%d">&laquo;&laquo;</a> <a href="/kalender?aar=%d&amp;mnd=%d">&laquo; %s</a> <a href="/kalender?aar=%d&amp;mnd=%d">%s &raquo;</a> <a href="/kalender?aar=%d&amp;mnd=%d">&raquo;&raquo;</a></p>'
                % (y - 1, m, pv[0], pv[1], M[pv[1] - 1], nx[0], nx[1], M[nx[1] - 1], y + 1, m)
            )
            return wrap("%s %d" % (M[m - 1], y), b)
        return nf("Finner ikke siden")

    return respond, lambda path: _split(path)[0] == "/kalender"


# ---------------------------------------------------------------- 2  Czech shoe shop: filters chained in the order of clicks
def _cs():
    filt = [
        ("barva", "cerna bila hneda seda modra cervena bezova".split()),
        ("velikost", [str(i) for i in range(36, 48)]),
        ("znacka", "bata tamaris rieker gabor kamik prestige".split()),
        ("material", "kuze textil semis guma".split()),
        ("sezona", "leto zima celorocni".split()),
    ]
    allf = ["%s-%s" % (a, v) for a, vs in filt for v in vs]
    nm = ["Polobotky", "Tenisky", "Sandály", "Holínky", "Kozačky", "Mokasíny", "Pantofle", "Trekové boty"]
    prod = []
    for i in range(46):
        r = R("cs", i)
        prod.append(
            (
                r.choice(nm),
                {"%s-%s" % (a, v) for a, vs in filt for v in r.sample(vs, 5 if a == "velikost" else 1)},
                r.randint(4, 39) * 100 - 1,
            )
        )

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="cs"><head><meta charset="utf-8"><title>%s | Obuv Novák</title></head><body><div class="hlava"><a href="/">Obuv Novák</a> <a href="/prodejny">Prodejny</a> <a href="/obuv/">Veškerá obuv</a></div><h1>%s</h1>%s<div class="pata">Doprava zdarma nad 1500 Kč. Vrácení do 14 dnů.</div></body></html>'
            % (t, t, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.strip("/").split("/")
        if p == "/":
            return wrap(
                "Nabídka",
                "".join(
                    '<div><a href="/detail/%d">%s</a> %d Kč</div>' % (i + 1, x[0], x[2]) for i, x in enumerate(prod)
                ),
            )
        if p == "/prodejny":
            return wrap("Prodejny", "<p>Brno, Jihlava, Třebíč. Otevřeno po–pá 9–18.</p>")
        if s[0] == "detail" and len(s) == 2:
            i = _int(s[1], 1, len(prod))
            if i:
                x = prod[i - 1]
                return wrap(
                    "%s %d" % (x[0], 1000 + i),
                    '<table>%s</table><p>%d Kč</p><p><a href="/detail/%d">Další model</a></p>'
                    % (
                        "".join("<tr><td>%s</td><td>%s</td></tr>" % tuple(f.split("-")) for f in sorted(x[1])),
                        x[2],
                        i % len(prod) + 1,
                    ),
                )
        if s[0] == "obuv" and p.endswith("/"):
            act = s[1:]
            if all(f in allf for f in act) and len(set(act)) == len(act):
                grp = {}
                for f in act:
                    grp.setdefault(f.split("-")[0], set()).add(f)
                hit = [i for i, x in enumerate(prod) if all(g & x[1] for g in grp.values())]
                b = '<div class="filtry">'
                for a, vs in filt:
                    b += "<h4>%s</h4>" % a
                    for v in vs:
                        f = "%s-%s" % (a, v)
                        if f in act:
                            b += '<a class="zapnuto" href="/%s/">%s ✕</a> ' % (
                                "/".join(["obuv"] + [g for g in act if g != f]),
                                v,
                            )
                        else:
                            b += '<a href="/%s/">%s</a> ' % ("/".join(["obuv"] + act + [f]), v)
                b += "</div>" + (
                    "".join(
                        '<div><a href="/detail/%d">%s</a> %d Kč</div>' % (i + 1, prod[i][0], prod[i][2]) for i in hit
                    )
                    or "<p>Žádné zboží neodpovídá.</p>"
                )
                return wrap("Obuv" + (" – " + ", ".join(f.split("-")[1] for f in act) if act else ""), b)
        return nf("Stránka nenalezena")

    return respond, lambda path: _split(path)[0].startswith("/obuv/")


# ---------------------------------------------------------------- 3  Bulgarian antiquarian: a new session in every link
def _bg():
    auth = "Иван Вазов|Елин Пелин|Йордан Йовков|Пейо Яворов|Димчо Дебелянов|Алеко Константинов|Христо Смирненски|Гео Милев".split(
        "|"
    )
    tit = "Под игото|Гераците|Старопланински легенди|Стихотворения|Избрани творби|До Чикаго и назад|Чичовци|Вечери в Антимовския хан|Разкази|Писма".split(
        "|"
    )
    books = [
        (R("bg", i).choice(auth), R("bgt", i).choice(tit), R("bgy", i).randint(1896, 1978), R("bgp", i).randint(4, 90))
        for i in range(42)
    ]

    def wrap(t, b, shop):
        return ok(
            '<html><head><meta charset="utf-8"><title>%s - Антиквариат Стария град</title></head><body><table><tr><td><a href="/">Начало</a><br><a href="%s">За нас</a><br><a href="%s">Каталог</a></td><td><h2>%s</h2>%s</td></tr></table></body></html>'
            % (t, Q("/за-нас"), shop, t, b)
        )

    def respond(path):
        p, q = _split(path)
        q = dict(q)
        sid = md5("сесия" + path)  # no cookie came back, so the server opens another session

        def su(s, **k):
            return Q(s) + "?" + "&amp;".join("%s=%s" % x for x in list(k.items()) + [("PHPSESSID", sid)])

        shop = Q("/магазин")
        if p == "/":
            return wrap(
                "Антиквариат",
                "<ul>"
                + "".join(
                    '<li><a href="%s">%s: %s</a></li>' % (Q("/книга/%d" % (i + 1)), b[0], b[1])
                    for i, b in enumerate(books)
                )
                + "</ul>",
                shop,
            )
        if p == "/за-нас":
            return wrap("За нас", "<p>Изкупуваме и продаваме стари книги в Пловдив от 1992 година.</p>", shop)
        s = p.split("/")
        if p.startswith("/книга/") or p.startswith("/магазин/книга/"):
            i = _int(s[-1], 1, len(books))
            if i:
                b = books[i - 1]
                t = "<p>%s, %d г., %d лв.</p>" % (b[0], b[2], b[3])
                if s[1] == "магазин":
                    return wrap(
                        b[1],
                        t
                        + '<p><a href="%s">В кошницата</a> <a href="%s">Обратно</a></p>'
                        % (su("/магазин/кошница", dobavi=i), su("/магазин", str=(i + 9) // 10)),
                        su("/магазин"),
                    )
                return wrap(b[1], t, shop)
        if p == "/магазин":
            k = _int(q.get("str", 1), 1, 5)
            if k:
                return wrap(
                    "Каталог",
                    "<ol>"
                    + "".join(
                        '<li><a href="%s">%s</a></li>' % (su("/магазин/книга/%d" % (i + 1)), books[i][1])
                        for i in range(10 * k - 10, min(10 * k, 42))
                    )
                    + "</ol>"
                    + " ".join('<a href="%s">%d</a>' % (su("/магазин", str=j), j) for j in range(1, 6)),
                    su("/магазин"),
                )
        if p == "/магазин/кошница":
            return wrap(
                "Кошница", '<p>Кошницата е празна.</p><a href="%s">Към каталога</a>' % su("/магазин"), su("/магазин")
            )
        return nf("Няма такава страница")

    return respond, lambda path: _split(path)[0].startswith("/магазин")


# ---------------------------------------------------------------- 4  Indonesian paper: relative links that pile up
def _id():
    sec = {"ekonomi": "Ekonomi", "olahraga": "Olahraga", "budaya": "Budaya", "desa": "Kabar Desa"}
    subj = "Harga cabai|Panen padi|Tim bulu tangkis|Festival wayang|Jembatan gantung|Pasar ikan|Sekolah dasar|Koperasi nelayan|Jalan desa|Kelompok batik".split(
        "|"
    )
    pred = "naik menjelang lebaran|mulai diperbaiki|meraih penghargaan|kembali dibuka|menunggu bantuan|diminati wisatawan|terkena banjir|mendapat dana baru".split(
        "|"
    )
    tail = [
        "Warga berharap pekerjaan selesai bulan depan.",
        "Kepala desa membenarkan kabar itu.",
        "Menurut petugas, cuaca masih menjadi kendala.",
        "Acara dihadiri ratusan orang.",
        "Rinciannya akan diumumkan pekan depan.",
    ]

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        if p == "/":
            return ok(
                '<html><head><meta charset="utf-8"><title>Kabar Pesisir</title></head><body><h1>Kabar Pesisir</h1>'
                + "".join('<a href="%s/index.html">%s</a> ' % x for x in sec.items())
                + "<ul>"
                + "".join(
                    '<li><a href="%s/artikel-%d.html">%s</a></li>' % (k, i, R("id", k, i).choice(subj))
                    for k in sec
                    for i in range(1, 13)
                )
                + "</ul></body></html>"
            )
        # the rewrite rule looks at the last folder and the file only
        if len(s) >= 2 and all(x in sec for x in s[:-1]):
            k, f = s[-2], s[-1]
            # the menu include was written for the home page: no leading slash
            menu = '<a href="/">Beranda</a> ' + "".join('<a href="%s/index.html">%s</a> ' % x for x in sec.items())
            if f == "index.html":
                return ok(
                    '<html><head><meta charset="utf-8"><title>%s</title></head><body>%s<h2>%s</h2><ul>%s</ul></body></html>'
                    % (
                        sec[k],
                        menu,
                        sec[k],
                        "".join(
                            '<li><a href="artikel-%d.html">%s</a></li>' % (i, R("id", k, i).choice(subj))
                            for i in range(1, 13)
                        ),
                    )
                )
            if f.startswith("artikel-") and f.endswith(".html"):
                i = _int(f[8:-5], 1, 12)
                if i:
                    r = R("id", k, i)
                    t = "%s %s" % (r.choice(subj), r.choice(pred))
                    return ok(
                        '<html><head><meta charset="utf-8"><title>%s</title></head><body>%s<h2>%s</h2><p>%s</p><p>%s</p></body></html>'
                        % (t, menu, t, " ".join(r.sample(tail, 3)), " ".join(r.sample(tail, 2)))
                    )
        return nf("Halaman tidak ditemukan")

    return respond, lambda path: _split(path)[0].count("/") > 2


# ---------------------------------------------------------------- 5  Dutch archive: search within the results
def _nl():
    words = "molen brug kerk haven dijk markt school trein fiets boerderij schip veer sluis storm ijs kermis bakker smid raadhuis gracht polder toren kaas tulp watersnood winter processie veemarkt tram loods".split()
    docs = []
    for i in range(54):
        r = R("nl", i)
        docs.append((r.sample(words, 7), r.randint(1880, 1965)))

    def tit(d):
        return "%s bij de %s, %d" % (d[0][0].capitalize(), d[0][1], d[1])

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="nl"><head><meta charset="utf-8"><title>%s - Beeldbank</title></head><body><nav><a href="/">Beeldbank</a> | <a href="/over">Over ons</a></nav><form action="/zoeken"><input name="q"></form><h1>%s</h1>%s</body></html>'
            % (t, t, b)
        )

    def su(ws):
        return "/zoeken?" + E(urlencode([("q", ws[0])] + [("binnen", w) for w in ws[1:]]))

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Beeldbank Waterland",
                "<ul>"
                + "".join('<li><a href="/foto/%d">%s</a></li>' % (i + 1, tit(d)) for i, d in enumerate(docs))
                + "</ul>",
            )
        if p == "/over":
            return wrap("Over ons", "<p>Vrijwilligers beschrijven elke dinsdag oude foto’s.</p>")
        if p.startswith("/foto/"):
            i = _int(p[6:], 1, len(docs))
            if i:
                d = docs[i - 1]
                return wrap(
                    tit(d),
                    '<img src="/groot/%d.jpg"><p>Trefwoorden: %s</p>'
                    % (i, ", ".join('<a href="%s">%s</a>' % (su([w]), w) for w in d[0])),
                )
        if p == "/zoeken":
            ws = [v.lower() for k, v in q if k in ("q", "binnen")]
            if ws:
                hit = [i for i, d in enumerate(docs) if all(w in d[0] for w in ws)]
                b = "<p>%d resultaten voor: %s</p><ul>%s</ul>" % (
                    len(hit),
                    E(" + ".join(ws)),
                    "".join('<li><a href="/foto/%d">%s</a></li>' % (i + 1, tit(docs[i])) for i in hit),
                )
                if not hit:
                    b += "<p>Niets gevonden. Probeer een ander woord.</p>"
                r = R("nlz", *ws)
                b += "<h3>Zoek binnen deze resultaten</h3>" + " ".join(
                    '<a href="%s">%s</a>' % (su(ws + [w]), w) for w in r.sample(words, 8) if w not in ws
                )
                if len(ws) > 1:
                    b += (
                        "<p>"
                        + " ".join(
                            '<a href="%s">zonder %s</a>' % (su([x for x in ws if x != w]), E(w))
                            for w in ws
                            if len(set(ws)) > 1
                        )
                        + "</p>"
                    )
                return wrap("Zoeken", b)
        return nf("Pagina niet gevonden")

    return respond, lambda path: _split(path)[0] == "/zoeken"


# ---------------------------------------------------------------- 6  Vietnamese phone shop: compare lists
def _vi():
    br = "Sao Mai|Hồng Hà|Trúc|Lạc Việt|Biển Đông".split("|")
    ph = []
    for i in range(48):
        r = R("vi", i)
        ph.append(
            (
                "%s %s%d" % (r.choice(br), r.choice("ABMXZ"), r.randint(3, 90)),
                r.randint(2, 29) * 500000,
                r.choice([2, 3, 4, 6, 8]),
                r.choice([32, 64, 128, 256]),
                r.choice([3000, 4000, 5000]),
            )
        )

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="vi"><head><meta charset="utf-8"><title>%s</title></head><body><div class="top"><a href="/">Trang chủ</a> · <a href="%s">Bảo hành</a></div><h1>%s</h1>%s<div class="bot">Hotline 1900 0000. Giá đã gồm VAT.</div></body></html>'
            % (t, Q("/bảo-hành"), t, b)
        )

    def cu(ids):
        return Q("/so-sánh") + "?sp=" + ",".join(map(str, ids))

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Điện thoại",
                "<ul>"
                + "".join(
                    '<li><a href="%s">%s</a> %s₫</li>' % (Q("/điện-thoại/%d" % (i + 1)), x[0], format(x[1], ","))
                    for i, x in enumerate(ph)
                )
                + "</ul>",
            )
        if p == "/bảo-hành":
            return wrap("Bảo hành", "<p>Bảo hành 12 tháng, đổi mới trong 30 ngày.</p>")
        if p.startswith("/điện-thoại/"):
            i = _int(p.split("/")[-1], 1, len(ph))
            if i:
                x = ph[i - 1]
                return wrap(
                    x[0],
                    '<table><tr><td>Giá</td><td>%s₫</td></tr><tr><td>RAM</td><td>%d GB</td></tr><tr><td>Bộ nhớ</td><td>%d GB</td></tr><tr><td>Pin</td><td>%d mAh</td></tr></table><a href="%s">+ So sánh</a>'
                    % (x[0] and format(x[1], ","), x[2], x[3], x[4], cu([i])),
                )
        if p == "/so-sánh":
            try:
                ids = [int(x) for x in dict(q).get("sp", "").split(",")]
            except (ValueError, OverflowError):
                ids = []
            if ids and all(1 <= i <= len(ph) for i in ids) and len(set(ids)) == len(ids):
                rows = list(zip(*(ph[i - 1] for i in ids)))
                b = (
                    "<table>"
                    + "".join("<tr>%s</tr>" % "".join("<td>%s</td>" % c for c in r) for r in rows)
                    + "<tr>%s</tr></table>"
                    % "".join(
                        '<td><a href="%s">Bỏ</a></td>' % (cu([j for j in ids if j != i]) if len(ids) > 1 else "/")
                        for i in ids
                    )
                )
                b += "<h3>Thêm sản phẩm</h3>" + " ".join(
                    '<a href="%s">+ %s</a>' % (cu(ids + [i + 1]), ph[i][0]) for i in range(len(ph)) if i + 1 not in ids
                )
                return wrap("So sánh %d sản phẩm" % len(ids), b)
        return nf("Không tìm thấy")

    return respond, lambda path: _split(path)[0] == "/so-sánh"


# ---------------------------------------------------------------- 7  Hungarian poem generator: nonsense with permalinks
def _hu():
    a = "hallgat fut zúg ragyog alszik zizeg hull nevet vár remeg".split()
    n = "éj hold kert folyó madár köd ablak harang kő levél szél kenyér lámpa út só".split()
    j = "sápadt kék régi néma ezüst hideg édes rozsdás messzi törött".split()
    real = [
        "Ősz a Tiszánál",
        "Nagyanyám konyhája",
        "Vasárnap",
        "A kútnál",
        "Levél Pestről",
        "Hóesés",
        "Búcsú a laktanyától",
        "Este a padon",
        "Körtefa",
        "Az utolsó villamos",
        "Szüret",
        "Kisvárosi állomás",
        "Anyám keze",
        "A molnár",
        "Tavaszi sár",
        "Két part",
        "Gyertya",
        "Áprilisi eső",
    ]

    def line(r):
        return r.choice(
            [
                "%s %s %s," % (r.choice(j), r.choice(n), r.choice(a)),
                "a %s %s %s" % (r.choice(j), r.choice(n), r.choice(a)),
                "s %s a %s," % (r.choice(a), r.choice(n)),
                "%s, %s, %s" % tuple(r.sample(n, 3)),
            ]
        )

    def wrap(t, b):
        return ok(
            '<!doctype html><html lang="hu"><head><meta charset="utf-8"><title>%s</title></head><body><h1>%s</h1>%s<p><a href="/">Verseim</a> <a href="%s">A gépről</a></p></body></html>'
            % (t, t, b, Q("/a-gépről"))
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Verseim",
                "<ul>"
                + "".join('<li><a href="%s">%s</a></li>' % (Q("/vers/" + t.lower().replace(" ", "-")), t) for t in real)
                + "</ul>",
            )
        if p == "/a-gépről":
            return wrap(
                "A versgép",
                '<p>Nyugdíjas programozó vagyok. Írtam egy gépet, amely verset farag.</p><p><a href="/gep/00000001">Próbáld ki!</a></p>',
            )
        if p.startswith("/vers/"):
            for i, t in enumerate(real):
                if p[6:] == t.lower().replace(" ", "-"):
                    r = R("hu", i)
                    return wrap(
                        t,
                        "<p>"
                        + "<br>".join(line(r) for _ in range(12))
                        + "</p>"
                        + (
                            '<p><a href="%s">következő</a></p>' % Q("/vers/" + real[i + 1].lower().replace(" ", "-"))
                            if i + 1 < len(real)
                            else ""
                        ),
                    )
        if p.startswith("/gep/") and len(p) == 13 and all(c in "0123456789abcdef" for c in p[5:]):
            r = R("gep", p)
            t = "%s %s" % (r.choice(j).capitalize(), r.choice(n))
            return wrap(
                t,
                "<p>"
                + "<br>".join(line(r) for _ in range(r.randint(4, 14)))
                + "</p><p>Még ilyet: "
                + " ".join('<a href="/gep/%08x">%s</a>' % (r.getrandbits(32), r.choice(n)) for _ in range(5))
                + "</p>",
            )
        return nf("Nincs ilyen oldal")

    return respond, lambda path: _split(path)[0].startswith("/gep/")


# ---------------------------------------------------------------- 8  Croatian map: pan and zoom without bounds
def _hr():
    isl = "Krk Cres Brač Hvar Pag Korčula Dugi_otok Mljet Rab Vis Lošinj Pašman Šolta Ugljan Lastovo Čiovo Olib Molat Vir Murter Unije Iž Silba Žirje Susak".split()
    isl = [x.replace("_", " ") for x in isl]

    def pos(i):
        return 42.7 + R("hr", i).random() * 2.5, 14.3 + R("hr2", i).random() * 3

    def mu(la, lo, z):
        return "/karta?lat=%.5f&amp;lon=%.5f&amp;z=%d" % (la, lo, z)

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="hr"><head><meta charset="utf-8"><title>%s</title><script src="/leaflet.js"></script></head><body><h1>%s</h1>%s<footer><a href="/">Otoci</a> <a href="/trajekti">Trajekti</a></footer></body></html>'
            % (t, t, b)
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Otoci", "<ul>" + "".join('<li><a href="%s">%s</a></li>' % (Q("/otok/" + x), x) for x in isl) + "</ul>"
            )
        if p == "/trajekti":
            return wrap("Trajekti", "<p>Red plovidbe vrijedi od lipnja do rujna. U slučaju bure linije ne voze.</p>")
        if p.startswith("/otok/") and p[6:] in isl:
            i = isl.index(p[6:])
            r = R("hri", i)
            return wrap(
                isl[i],
                '<p>Površina %d km², stanovnika %d. Najviši vrh %d m.</p><p><a href="%s">Prikaži na karti</a></p>'
                % (r.randint(3, 400), r.randint(20, 15000), r.randint(40, 770), mu(*pos(i), 11)),
            )
        if p == "/karta":
            d = dict(q)
            try:
                la, lo, z = float(d["lat"]), float(d["lon"]), int(d["z"])
            except (KeyError, ValueError):
                return nf("Neispravni parametri")
            if not (abs(la) <= 1e6 and abs(lo) <= 1e6 and abs(z) <= 1000):
                return nf("Neispravni parametri")
            st = 360 / 2.0 ** min(max(z, 0), 18)
            b = '<img src="/render?bbox=%.5f,%.5f,%.5f,%.5f"><p>' % (lo - st, la - st, lo + st, la + st)
            b += " ".join(
                '<a href="%s">%s</a>' % (mu(la + dy * st / 2, lo + dx * st / 2, z), t)
                for t, dy, dx in (("sjever", 1, 0), ("jug", -1, 0), ("istok", 0, 1), ("zapad", 0, -1))
            )
            b += ' <a href="%s">+</a> <a href="%s">−</a></p>' % (mu(la, lo, z + 1), mu(la, lo, z - 1))
            near = [i for i in range(len(isl)) if abs(pos(i)[0] - la) < st and abs(pos(i)[1] - lo) < st]
            return wrap("Karta", b + " ".join('<a href="%s">%s</a>' % (Q("/otok/" + isl[i]), isl[i]) for i in near))
        return nf("Stranica ne postoji")

    return respond, lambda path: _split(path)[0] == "/karta"


# ---------------------------------------------------------------- 9  Danish recipes: print, mail and login links that carry the page they came from
def _da():
    ing = "rødkål kartofler porrer sild æbler rugbrød flæsk hyben jordskokker rabarber gulerødder kyllinger".split()
    kind = "suppe gratin tærte salat gryde postej".split()
    rec = ["%s med %s" % (kind[i % 6].capitalize(), ing[(i * 5 + i // 6) % 12]) for i in range(40)]

    def wrap(t, b, here):
        h = quote(here, safe="")
        return ok(
            '<!DOCTYPE html><html lang="da"><head><meta charset="utf-8"><title>%s - Mormors køkken</title></head><body><div><a href="/">Opskrifter</a> <a href="/om">Om</a></div><h1>%s</h1>%s<div class="v"><a href="/udskriv?side=%s">Udskriv</a> <a href="/tip?side=%s">Tip en ven</a> <a href="/login?retur=%s">Log ind</a></div></body></html>'
            % (t, t, b, h, h, h)
        )

    def respond(path):
        here = path.partition("#")[0]
        p, q = _split(path)
        q = dict(q)
        if p == "/":
            return wrap(
                "Opskrifter",
                "<ul>"
                + "".join('<li><a href="/opskrift/%d">%s</a></li>' % (i + 1, x) for i, x in enumerate(rec))
                + "</ul>",
                here,
            )
        if p == "/om":
            return wrap("Om", "<p>Jeg har skrevet mormors opskrifter af efter hendes håndskrevne bog.</p>", here)

        def recipe(i):
            r = R("da", i)
            return "<ul>%s</ul><p>Kog, rør og smag til. Serveres med rugbrød.</p>" % "".join(
                "<li>%d g %s</li>" % (r.randint(1, 12) * 50, x) for x in r.sample(ing, 5)
            )

        if p.startswith("/opskrift/"):
            i = _int(p[10:], 1, len(rec))
            if i:
                return wrap(rec[i - 1], recipe(i), here)
        if p == "/udskriv" and "side" in q:
            m = q["side"]
            i = _int(m[10:], 1, len(rec)) if m.startswith("/opskrift/") else None
            return wrap("Udskriftsvenlig", recipe(i) if i else "<p>Siden er klar til udskrift.</p>", here)
        if p == "/tip" and "side" in q:
            return wrap(
                "Tip en ven",
                '<form method="post"><input name="til"><textarea></textarea></form><p>Du tipper om: %s</p>'
                % E(q["side"][:80]),
                here,
            )
        if p == "/login" and "retur" in q:
            return wrap(
                "Log ind", '<form method="post"><input name="navn"><input type="password" name="kode"></form>', here
            )
        return nf("Siden findes ikke")

    return respond, lambda path: _split(path)[0] in ("/udskriv", "/tip", "/login")


# ---------------------------------------------------------------- 10  Lithuanian clinic: next free appointment
def _lt():
    doc = "Kazlauskienė Petrauskas Jankauskaitė Stankevičius Vasiliauskienė Žukauskas Butkus Paulauskaitė Urbonas Kavaliauskienė Navickas Ramanauskaitė".split()
    sp = "šeimos gydytoja|kardiologas|akių gydytoja|chirurgas|dermatologė|ausų gydytojas|ortopedas|neurologė|urologas|endokrinologė|alergologas|vaikų gydytoja".split(
        "|"
    )
    info = {
        "/kainos": "Kainos",
        "/darbo-laikas": "Darbo laikas",
        "/pacientams": "Pacientams",
        "/naujienos": "Naujienos",
        "/kontaktai": "Kontaktai",
    }

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="lt"><head><meta charset="utf-8"><title>%s</title></head><body><ul class="nav"><li><a href="/">Pradžia</a></li>%s</ul><h1>%s</h1>%s</body></html>'
            % (t, "".join('<li><a href="%s">%s</a></li>' % x for x in info.items()), t, b)
        )

    def free(g, t):
        """The first free quarter of an hour after t, in working hours."""
        while True:
            t += dt.timedelta(minutes=15)
            if t.weekday() > 4:
                t = dt.datetime.combine(t.date() + dt.timedelta(7 - t.weekday()), dt.time(8))
            elif t.hour >= 17:
                t = dt.datetime.combine(t.date() + dt.timedelta(1), dt.time(7, 45))
                continue
            elif t.hour < 8:
                t = t.replace(hour=8, minute=0)
            if R("lt", g, t).random() < 0.3:
                return t

    def u(g, t):
        return "/registracija?gydytojas=%d&amp;nuo=%s" % (g, t.strftime("%Y-%m-%dT%H:%M"))

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Poliklinika „Liepa“",
                "<ul>"
                + "".join('<li><a href="/gydytojai/%d">%s</a>, %s</li>' % (i + 1, d, sp[i]) for i, d in enumerate(doc))
                + "</ul>",
            )
        if p in info:
            return wrap(
                info[p],
                "<p>%s</p>"
                % {
                    "/kainos": "Konsultacija 35 €, pakartotinė 25 €.",
                    "/darbo-laikas": "Pirmadienį–penktadienį 8–17 val.",
                    "/pacientams": "Atsineškite asmens dokumentą ir siuntimą.",
                    "/naujienos": "Rugsėjį pradedame skiepyti nuo gripo.",
                    "/kontaktai": "Liepų g. 12, Klaipėda",
                }[p],
            )
        if p.startswith("/gydytojai/"):
            i = _int(p[11:], 1, 12)
            if i:
                return wrap(
                    doc[i - 1],
                    '<p>%s, dirba nuo %d metų, %d kabinetas.</p><p><a href="%s">Registruotis</a></p>'
                    % (sp[i - 1], R("ltd", i).randint(1988, 2017), 200 + i, u(i, dt.datetime(2023, 9, 4, 8))),
                )
        if p == "/registracija":
            d = dict(q)
            g = _int(d.get("gydytojas"), 1, 12)
            try:
                t = dt.datetime.strptime(d.get("nuo", ""), "%Y-%m-%dT%H:%M")
            except (ValueError, OverflowError):
                t = None
            if g and t and 1900 < t.year < 9990:
                f = free(g, t)
                return wrap(
                    "Registracija",
                    '<p>Gydytojas: <a href="/gydytojai/%d">%s</a></p><p>Artimiausias laisvas laikas: <b>%s</b></p><form method="post"><button>Rezervuoti</button></form><p><a href="%s">Kitas laisvas laikas</a> <a href="%s">Kita diena</a> <a href="%s">Kita savaitė</a></p>'
                    % (
                        g,
                        doc[g - 1],
                        f.strftime("%Y-%m-%d %H:%M"),
                        u(g, f),
                        u(g, dt.datetime.combine(f.date() + dt.timedelta(1), dt.time(8))),
                        u(g, dt.datetime.combine(f.date() + dt.timedelta(7), dt.time(8))),
                    ),
                )
        return nf("Puslapis nerastas")

    return respond, lambda path: _split(path)[0] == "/registracija"


# ---------------------------------------------------------------- 11  Filipino board: reply and quote forms
def _tl():
    t = [
        "Saan masarap ang halo-halo?",
        "Biyahe papuntang Batanes",
        "Tanong tungkol sa lupa",
        "Lumang litrato ng Iloilo",
        "Resipe ng sinigang",
        "Paano mag-ayos ng bubong",
        "Mga kanta noong 1970",
        "Bagyo sa Samar",
        "Alagang kalabaw",
        "Pista ng bayan",
        "Wikang Waray",
        "Palay o mais?",
        "Nawawalang aso",
        "Bus papuntang Bicol",
    ]
    s = [
        "Salamat sa impormasyon.",
        "Dati rin akong nakatira doon.",
        "Mas mainam kung maaga ka.",
        "Hindi ako sigurado.",
        "Tanungin mo ang kapitan.",
        "Oo, totoo iyan.",
        "Ingat kayo palagi.",
        "May litrato ka ba?",
    ]

    def wrap(h, b):
        return ok(
            '<html><head><meta charset="utf-8"><title>%s</title></head><body><a href="/">Usapan</a> <a href="/tuntunin">Mga tuntunin</a><hr><h2>%s</h2>%s</body></html>'
            % (E(h), E(h), b)
        )

    def ru(sa, subj, qn=0):
        return "/sagot.cgi?" + E(urlencode([("sa", sa), ("paksa", "Re: " + subj)] + ([("sipi", qn)] if qn else [])))

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Usapan",
                "<ul>" + "".join('<li><a href="/paksa/%d">%s</a></li>' % (i + 1, x) for i, x in enumerate(t)) + "</ul>",
            )
        if p == "/tuntunin":
            return wrap("Mga tuntunin", "<p>Maging magalang. Bawal ang patalastas.</p>")
        if p.startswith("/paksa/"):
            k = p[7:].split("/")
            i = _int(k[0], 1, len(t))
            if i and len(k) == 1:
                return wrap(
                    t[i - 1],
                    "".join(
                        '<p>%s <a href="/paksa/%d/%d">#%d</a></p>' % (R("tl", i, n).choice(s), i, n, n)
                        for n in range(1, 4)
                    ),
                )
            n = _int(k[1], 1, 3) if i and len(k) == 2 else None
            if n:
                return wrap(
                    t[i - 1] + " #%d" % n,
                    '<p>%s</p><a href="%s">Sumagot</a> <a href="/paksa/%d">Bumalik</a>'
                    % (R("tl", i, n).choice(s), ru(10 * i + n, t[i - 1]), i),
                )
        if p == "/sagot.cgi":
            d = dict(q)
            sa, subj = _int(d.get("sa"), 1, 10**9), d.get("paksa", "")
            if sa:
                nid = int(md5("%d%s" % (sa, subj))[:6], 16) + 1000
                # the preview below the form carries reply links of its own
                return wrap(
                    subj,
                    '<form method="post"><input name="paksa" value="%s"><textarea>%s</textarea></form><div class="preview"><p>%s</p><a href="%s">Sumagot</a> <a href="%s">Sumagot na may sipi</a></div>'
                    % (
                        E(subj),
                        "&gt; " * min(9, subj.count("Re:")),
                        R("tls", sa).choice(s),
                        ru(nid, subj),
                        ru(nid, subj, d.get("sipi") and int(md5(d["sipi"])[:2], 16) + 1 or sa),
                    ),
                )
        return nf("Walang ganyang pahina")

    return respond, lambda path: _split(path)[0] == "/sagot.cgi"


# ---------------------------------------------------------------- 12  Kazakh bank: exchange rates for any date
def _kk():
    cur = {
        "USD": "АҚШ доллары",
        "EUR": "Еуро",
        "RUB": "Ресей рублі",
        "CNY": "Қытай юані",
        "KGS": "Қырғыз сомы",
        "GBP": "Фунт",
    }
    br = "Алматы Астана Шымкент Қарағанды Ақтөбе Тараз Павлодар Өскемен Семей Атырау Қостанай Қызылорда Орал Петропавл Ақтау Көкшетау Талдықорған Екібастұз".split()

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="kk"><head><meta charset="utf-8"><title>%s</title></head><body><div id="menu"><a href="/">Басты бет</a> <a href="%s">Бөлімшелер</a> <a href="%s">Валюта бағамы</a></div><h1>%s</h1>%s</body></html>'
            % (t, Q("/бөлімше/"), Q("/бағам"), t, b)
        )

    def u(d, c):
        return "%s?%s=%s&amp;%s=%s" % (
            Q("/бағам"),
            Q("күні"),
            d.strftime("%d.%m.%Y") if d.year > 999 else d.strftime("%d.%m.") + "%04d" % d.year,
            Q("валюта"),
            c,
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap("Дала банкі", "<p>Салымдар, несиелер, аударымдар.</p>")
        if p == "/бөлімше/":
            return wrap(
                "Бөлімшелер",
                "<ul>" + "".join('<li><a href="%s">%s</a></li>' % (Q("/бөлімше/" + x), x) for x in br) + "</ul>",
            )
        if p.startswith("/бөлімше/") and p[9:] in br:
            r = R("kk", p)
            return wrap(
                p[9:],
                "<p>%s көшесі, %d. Жұмыс уақыты 9:00–18:00.</p>"
                % (r.choice(["Абай", "Қонаев", "Төле би", "Сәтбаев"]), r.randint(1, 200)),
            )
        if p == "/бағам":
            d = dict(q)
            c = d.get("валюта", "USD")
            try:
                a, m, y = map(int, d.get("күні", "14.10.2022").split("."))
                day = dt.date(y, m, a)
            except (ValueError, OverflowError):
                return nf("Күн қате")
            if c not in cur or not 2 < day.year < 9998:
                return nf("Валюта жоқ")
            v = {"USD": 470, "EUR": 500, "RUB": 6, "CNY": 65, "KGS": 5.5, "GBP": 580}[c]
            wk = day - dt.timedelta(max(0, day.weekday() - 4))  # at weekends Friday's rate stands
            b = "<p>%s: 1 %s = %.2f ₸</p><p>" % (day.strftime("%d.%m.%Y"), c, v * (1 + R("kkr", wk, c).gauss(0, 0.02)))
            b += " ".join(
                '<a href="%s">%s</a>' % (u(day + dt.timedelta(n), c), t)
                for n, t in ((-30, "−30"), (-1, "← алдыңғы күн"), (1, "келесі күн →"), (30, "+30"))
            )
            return wrap(
                cur[c], b + "</p><p>" + " ".join('<a href="%s">%s</a>' % (u(day, k), k) for k in cur if k != c) + "</p>"
            )
        return nf("Бет табылмады")

    return respond, lambda path: _split(path)[0] == "/бағам"


# ---------------------------------------------------------------- 13  Persian bazaar: 'others searched for' queries made up at random
def _fa():
    w = "فرش گلیم قالیچه سماور چراغ کاسه بشقاب آینه صندوق پارچه ترمه انگشتر فیروزه نقره مس سفال گلدان قلمدان جاجیم خورجین".split()
    ad = "قدیمی دستباف کوچک بزرگ ارزان نو آبی قرمز اصفهان تبریز کاشان شیراز یزد کرمان چوبی نقره‌ای دست‌دوم هدیه".split()
    goods = ["%s %s" % (R("fa", i).choice(w), R("fa2", i).choice(ad)) for i in range(38)]

    def su(s):
        return Q("/جستجو") + "?q=" + quote_plus(s)

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="fa" dir="rtl"><head><meta charset="utf-8"><title>%s</title><meta name="robots" content="index,follow"></head><body><div><a href="/">بازارچه</a> <a href="%s">راهنما</a></div><h1>%s</h1>%s<div class="f">ضمانت بازگشت کالا تا هفت روز</div></body></html>'
            % (E(t), Q("/راهنما"), E(t), b)
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "بازارچه",
                "<ul>"
                + "".join('<li><a href="%s">%s</a></li>' % (Q("/کالا/%d" % (i + 1)), g) for i, g in enumerate(goods))
                + "</ul>",
            )
        if p == "/راهنما":
            return wrap("راهنما", "<p>برای خرید کافی است تماس بگیرید.</p>")
        if p.startswith("/کالا/"):
            i = _int(p.split("/")[-1], 1, len(goods))
            if i:
                r = R("fag", i)
                return wrap(
                    goods[i - 1],
                    "<p>بها: %d تومان</p><p>وزن %d گرم، ساخت دست.</p>"
                    % (r.randint(20, 900) * 1000, r.randint(90, 9000))
                    + (
                        '<p>جستجوی مشابه: <a href="%s">%s</a></p>' % (su(goods[i - 1]), goods[i - 1])
                        if i % 4 == 0
                        else ""
                    ),
                )
        if p == "/جستجو":
            s = dict(q).get("q", "")
            if s:
                r = R("fas", s)
                hit = [i for i, g in enumerate(goods) if any(x in g.split() for x in s.split())]
                b = (
                    "<ul>"
                    + "".join(
                        '<li><a href="%s">%s</a></li>' % (Q("/کالا/%d" % (i + 1)), goods[i])
                        for i in r.sample(hit, min(len(hit), 5))
                    )
                    + "</ul><h3>دیگران این را هم جستجو کرده‌اند</h3><ul>"
                )
                for _ in range(6):
                    t = " ".join([r.choice(w)] + r.sample(ad, r.randint(1, 4)))
                    b += '<li><a href="%s">%s</a></li>' % (su(t), t)
                return wrap(s, b + "</ul>")
        return nf("صفحه پیدا نشد")

    return respond, lambda path: _split(path)[0] == "/جستجو"


# ---------------------------------------------------------------- 14  Slovak guest houses: cookie test that redirects for ever
def _sk():
    nm = "Penzión Kriváň|Chata pod lesom|Ubytovanie u Márie|Zrub Orava|Apartmán Tatry|Dom pri potoku|Penzión Javor|Koliba Liptov|Vila Zuzana|Chalupa Hronec|Hostinec Poľana|Drevenica Ždiar|Penzión Rys|Apartmán Centrum|Chata Salaš|Dvor Spiš".split(
        "|"
    )

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="sk"><head><meta charset="utf-8"><title>%s</title></head><body><a href="/">Ubytovanie</a> <a href="/podmienky">Podmienky</a><h1>%s</h1>%s</body></html>'
            % (t, t, b)
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Ubytovanie",
                "<ul>" + "".join('<li><a href="/dom/%d">%s</a></li>' % (i + 1, x) for i, x in enumerate(nm)) + "</ul>",
            )
        if p == "/podmienky":
            return wrap("Podmienky", "<p>Storno do 14 dní pred príchodom bez poplatku.</p>")
        if p.startswith("/dom/"):
            k = p.split("/")
            i = _int(k[2], 1, len(nm))
            if i and len(k) == 3:
                r = R("sk", i)
                return wrap(
                    nm[i - 1],
                    '<p>%d lôžok, %d € za noc.</p><p><a href="/dom/%d/izby">Izby</a> <a href="/rezervacia?dom=%d">Rezervovať</a></p>'
                    % (r.randint(2, 30), r.randint(12, 60), i, i),
                )
            if i and k[3:] == ["izby"]:
                return wrap(nm[i - 1] + " – izby", "<p>Izby majú vlastnú kúpeľňu a výhľad na hory.</p>")
        if p == "/rezervacia":
            d = dict(q)
            i = _int(d.get("dom"), 1, len(nm))
            if i:
                n = sum(k == "test" for k, v in q)
                if n % 6 != 5:
                    # no cookie: set it, and come again with another mark of the time
                    tok = md5(path)[:6]
                    return redir(path.partition("#")[0] + "&test=" + tok)
                return wrap(
                    "Zapnite cookies",
                    '<p>Váš prehliadač neprijíma cookies.</p><p><a href="%s">Skúsiť znova</a> <a href="%s">Skúsiť v inom jazyku</a></p>'
                    % (E(path + "&test=1"), E(path + "&test=2&jazyk=en")),
                )
        return nf("Stránka neexistuje")

    return respond, lambda path: _split(path)[0] == "/rezervacia"


TRAPS = [
    ("no_month_calendar",) + _no(),
    ("cs_filter_order",) + _cs(),
    ("bg_session_ids",) + _bg(),
    ("id_piling_links",) + _id(),
    ("nl_search_within",) + _nl(),
    ("vi_compare_lists",) + _vi(),
    ("hu_poem_machine",) + _hu(),
    ("hr_map_pan_zoom",) + _hr(),
    ("da_print_login_return",) + _da(),
    ("lt_next_appointment",) + _lt(),
    ("tl_reply_forms",) + _tl(),
    ("kk_rates_by_date",) + _kk(),
    ("fa_others_searched",) + _fa(),
    ("sk_cookie_redirect",) + _sk(),
]
