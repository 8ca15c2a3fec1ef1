"""24 honest, finite web sites.  HONEST = [(name, respond), ...]
respond(path) -> (status, content type, body) or (status, content type, body, location)
"""

# ruff: noqa: B007, B905, C901, E501, E741, F841, N802, N806, PERF401, PIE804, RUF001, RUF005, RUF021, RUF059, SIM905, UP031 - as it came, in other alphabets

import datetime as dt
import hashlib
import json
import random
from urllib.parse import parse_qsl, quote, unquote

H = "text/html; charset=utf-8"
T = "text/plain; charset=utf-8"
J = "application/json; charset=utf-8"
X = "application/xml; charset=utf-8"


def _split(path):
    p, _, q = path.partition("#")[0].partition("?")
    return "/" + unquote(p).removeprefix("/"), dict(parse_qsl(q, keep_blank_values=True))


def _int(s, lo, hi):
    """The number s if it is a plain one within lo..hi, otherwise None."""
    if s is None or not s.isascii() or not s.isdigit() or len(s) > 9 or (len(s) > 1 and s[0] == "0"):
        return None
    n = int(s)
    return n if lo <= n <= hi else None


def _int0(s, lo, hi, width):
    if s is None or not s.isascii() or not s.isdigit() or len(s) != width:
        return None
    n = int(s)
    return n if lo <= n <= hi else None


def R(*k):
    return random.Random("|".join(map(str, k)))


def Q(s):
    return quote(s, safe="/")


def ok(body, ctype=H):
    enc = ctype.rpartition("charset=")[2]
    return 200, ctype, body.encode(enc, "xmlcharrefreplace")


def nf(text="Not found", ctype=H):
    enc = ctype.rpartition("charset=")[2]
    b = (
        '<!DOCTYPE html><html><head><title>404</title></head><body><h1>404</h1><p>%s</p><p><a href="/">&#8962;</a></p></body></html>'
        % text
    )
    return 404, ctype, b.encode(enc, "xmlcharrefreplace")


def redir(loc, code=302):
    return code, H, b"", loc


# ---------------------------------------------------------------- 1  Finnish map sheets
def _fi():
    def land(x, y):
        a = ((x - 15) / 13.5) ** 2 + ((y - 14) / 13.2) ** 2 < 1
        b = ((x - 27) / 8.2) ** 2 + ((y - 8) / 8.6) ** 2 < 1
        c = x > 29 and y > 19 and (x + y) % 7 != 3
        lake = ((x - 17) / 2.6) ** 2 + ((y - 12) / 1.9) ** 2 < 1
        return (a or b or c) and not lake

    s3 = {(x, y) for x in range(36) for y in range(27) if land(x, y)}
    s2 = {(x // 3, y // 3) for x, y in s3}
    s1 = {(x // 3, y // 3) for x, y in s2}
    have = {1: s1, 2: s2, 3: s3}
    alku = "Ala Ylä Iso Vähä Kivi Hauki Lehmä Korpi Honka Musta Sala Pyhä Ahven Rauta Susi Karhu Joutsen Kuusi Lammas Tervo".split()
    loppu = "koski järvi niemi lampi saari mäki vaara salmi lahti joki suo kangas ranta perä kylä".split()

    def name(z, x, y):
        r = R("fi", z, x, y)
        return r.choice(alku) + r.choice(loppu)

    def url(z, x, y):
        return "/kartta?x=%d&amp;y=%d&amp;z=%d" % (x, y, z)

    def wrap(title, body):
        return ok(
            '<!DOCTYPE html>\n<html lang="fi"><head><meta charset="utf-8"><title>%s</title>\n<link rel="stylesheet" href="/k.css">'
            '<script>var _lehti="%s";function koko(){document.body.className="koko"}</script></head>\n<body>%s'
            '<p class="ala"><a href="/">Etusivu</a> <a href="/tietoja">Tietoja</a> <a href="/merkit">Karttamerkit</a></p></body></html>'
            % (title, title, body)
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "Pitäjänkartat 1:20 000",
                "<h1>Pitäjänkartat</h1><p>Digitoidut karttalehdet vuosilta 1915–1938. Valitse alue.</p><p>"
                + " ".join('<a href="%s">%s</a>' % (url(1, x, y), name(1, x, y)) for x, y in sorted(s1))
                + "</p>",
            )
        if p == "/tietoja":
            return wrap(
                "Tietoja",
                '<h1>Tietoja aineistosta</h1><p>Kartat on skannattu 300 dpi tarkkuudella. Merialueilta lehtiä ei ole painettu.</p><p><a href="mailto:kartat@example.fi">Palaute</a></p>',
            )
        if p == "/merkit":
            return wrap(
                "Karttamerkit",
                "<table><tr><td>▲</td><td>kolmiopiste</td></tr><tr><td>†</td><td>kirkko</td></tr><tr><td>≈</td><td>suo</td></tr></table>",
            )
        if p != "/kartta":
            return nf("Sivua ei löydy")
        z, x, y = _int(q.get("z"), 1, 3), _int(q.get("x"), 0, 99), _int(q.get("y"), 0, 99)
        if z is None or x is None or y is None or (x, y) not in have[z]:
            return nf("Karttalehteä ei ole")
        rows = []
        for dy in (-1, 0, 1):
            c = []
            for dx in (-1, 0, 1):
                if not dx and not dy:
                    c.append('<td><img src="/lehdet/%d/%d_%d.jpg" width="640" height="640" alt=""></td>' % (z, x, y))
                elif (x + dx, y + dy) in have[z]:
                    c.append(
                        '<td><a href="%s">%s</a></td>' % (url(z, x + dx, y + dy), "↖↑↗←·→↙↓↘"[(dy + 1) * 3 + dx + 1])
                    )
                else:
                    c.append("<td></td>")
            rows.append("<tr>" + "".join(c) + "</tr>")
        out = '<h1>%s</h1><table class="kartta">%s</table>' % (name(z, x, y), "".join(rows))
        if z > 1:
            out += '<a href="%s">−</a> ' % url(z - 1, x // 3, y // 3)
        if z < 3:
            out += (
                '<div class="suurenna">'
                + "".join(
                    '<a href="%s">+</a> ' % url(z + 1, x * 3 + i, y * 3 + j)
                    for j in range(3)
                    for i in range(3)
                    if (x * 3 + i, y * 3 + j) in have[z + 1]
                )
                + "</div>"
            )
        return wrap("%d%02d %02d" % (z, x, y), out)

    return respond


# ---------------------------------------------------------------- 2  Vietnamese genealogy
def _vi():
    r = R("vi-gia-pha")
    ten = "An Bình Cường Dũng Đạt Hải Hòa Hùng Khánh Lâm Long Minh Nam Nghĩa Phúc Quang Sơn Tài Thành Thắng Thọ Tín Trung Tuấn Việt Vinh".split()
    tenn = "Anh Bích Chi Dung Hà Hằng Hạnh Hoa Hồng Huệ Hương Lan Liên Mai Nga Ngọc Nhung Phượng Quỳnh Thảo Thu Thủy Trang Tuyết Xuân Yến".split()
    ho = "Trần Lê Phạm Hoàng Vũ Đặng Bùi Đỗ Hồ Ngô Dương Lý".split()
    dem = "Văn Hữu Đức Công Quốc Bá Đình".split()
    P = {}

    def add(**k):
        k["id"] = len(P) + 1
        P[k["id"]] = k
        return k["id"]

    root = add(ten="Nguyễn Phúc Tổ", nu=False, doi=1, cha=0, me=0, vc=[], con=[], sinh=1690)
    lop = [root]
    for doi in range(1, 12):
        moi = []
        r.shuffle(lop)
        for i in sorted(lop):
            a = P[i]
            if a["nu"] or len(P) > 1080:
                continue
            vo = add(
                ten="%s Thị %s" % (r.choice(ho), r.choice(tenn)),
                nu=True,
                doi=doi,
                cha=0,
                me=0,
                vc=[i],
                con=[],
                sinh=a["sinh"] + r.randint(-2, 7),
            )
            a["vc"].append(vo)
            for n in range(r.choice([1, 2, 2, 3, 3, 4]) + (doi < 4)):
                nu = r.random() < 0.4
                t = "Nguyễn %s %s" % ("Thị" if nu else r.choice(dem), r.choice(tenn if nu else ten))
                c = add(
                    ten=t,
                    nu=nu,
                    doi=doi + 1,
                    cha=i,
                    me=vo,
                    vc=[],
                    con=[],
                    sinh=a["sinh"] + 22 + 3 * n + r.randint(0, 2),
                )
                a["con"].append(c)
                P[vo]["con"].append(c)
                moi.append(c)
        lop = moi
        if not lop:
            break
    doimax = max(a["doi"] for a in P.values())

    def url(i):
        return Q("/người/%s.%d" % (P[i]["ten"].lower().replace(" ", "-"), i))

    def a(i):
        return '<a href="%s">%s</a>' % (url(i), P[i]["ten"])

    menu = "".join('<li><a href="%s">Đời thứ %d</a></li>' % (Q("/đời/%d" % d), d) for d in range(1, doimax + 1))

    def wrap(t, b):
        return ok(
            '<!doctype html><html lang="vi"><head><meta charset="utf-8"><title>%s – Gia phả họ Nguyễn làng Đông</title></head><body><div id="trai"><h3>Các đời</h3><ul>%s</ul></div>'
            '<div id="chinh"><h2>%s</h2>%s</div><div id="chan">Ban liên lạc dòng họ giữ bản quyền. Mọi đóng góp xin gửi về nhà thờ họ.</div></body></html>'
            % (t, menu, t, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")
        if p == "/":
            return wrap(
                "Gia phả họ Nguyễn",
                "<p>Thủy tổ: %s. Gia phả ghi lại %d người trong %d đời.</p>" % (a(root), len(P), doimax),
            )
        if len(s) == 3 and s[1] == "đời":
            d = _int(s[2], 1, doimax)
            if d:
                return wrap(
                    "Đời thứ %d" % d,
                    "<ol>"
                    + "".join("<li>%s</li>" % a(i) for i in P if P[i]["doi"] == d and P[i]["cha"] or i == d == 1)
                    + "</ol>",
                )
        if len(s) == 3 and s[1] == "người":
            i = _int(s[2].rpartition(".")[2], 1, len(P))
            if i and p == unquote(url(i)):
                k = P[i]
                rr = R("vi", i)
                b = (
                    "<table><tr><th>Sinh</th><td>%d</td></tr><tr><th>Mất</th><td>%s</td></tr><tr><th>Đời</th><td>%d</td></tr>"
                    % (k["sinh"], k["sinh"] + rr.randint(38, 88) if k["sinh"] < 1935 else "", k["doi"])
                )
                if k["cha"]:
                    b += "<tr><th>Cha</th><td>%s</td></tr><tr><th>Mẹ</th><td>%s</td></tr>" % (a(k["cha"]), a(k["me"]))
                    anh = [c for c in P[k["cha"]]["con"] if c != i]
                    if anh:
                        b += "<tr><th>Anh chị em</th><td>%s</td></tr>" % ", ".join(map(a, anh))
                for v in k["vc"]:
                    b += "<tr><th>%s</th><td>%s</td></tr>" % ("Chồng" if k["nu"] else "Vợ", a(v))
                if k["con"]:
                    b += "<tr><th>Con</th><td>%s</td></tr>" % ", ".join(map(a, k["con"]))
                b += "</table>"
                if not k["cha"] and i % 61 == 0:
                    b += '<p>Xem thêm <a href="%s">họ ngoại</a></p>' % Q("/họ-ngoại/%d" % i)
                return wrap(k["ten"], b)
        return nf("Không tìm thấy trang")

    return respond


# ---------------------------------------------------------------- 3  Thai temple calendar, Buddhist years
def _th():
    M = "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม".split()
    Y0, Y1 = 2553, 2567
    ev = {}
    pool = [
        "งานปิดทองฝังลูกนิมิต",
        "ทำบุญตักบาตรเทโว",
        "บวชสามเณรภาคฤดูร้อน",
        "ทอดผ้าป่าสามัคคี",
        "ประชุมคณะกรรมการวัด",
        "งานประจำปีหลวงพ่อโต",
        "อบรมปฏิบัติธรรม ๓ วัน",
        "พิธีสวดพระอภิธรรม",
        "ตลาดนัดวัด",
        "ฟังเทศน์มหาชาติ",
    ]
    for y in range(Y0, Y1 + 1):
        r = R("th", y)
        for m, d, n in (
            (2, r.randint(8, 28), "วันมาฆบูชา"),
            (4, 13, "วันสงกรานต์"),
            (5, r.randint(4, 29), "วันวิสาขบูชา"),
            (7, r.randint(7, 30), "วันอาสาฬหบูชา"),
            (11, r.randint(1, 27), "วันลอยกระทง"),
        ):
            ev[y, m, d] = n
        for _ in range(r.randint(5, 13)):
            ev.setdefault((y, r.randint(1, 12), r.randint(1, 28)), r.choice(pool))
    keys = sorted(ev)

    def wrap(t, b):
        return ok(
            '<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>%s</title>'
            '<style>td{width:40px;height:40px;vertical-align:top}</style></head><body bgcolor="#fff8e1"><center><img src="/banner.gif" alt="วัด"></center>%s<hr><font size="1">วัดสวนแก้ว ตำบลบางเลน | <a href="/">หน้าแรก</a></font></body></html>'
            % (t, b)
        )

    def mu(y, m):
        return Q("/ปฏิทิน/%d/%d" % (y, m))

    def du(k):
        return Q("/งาน/%d-%02d-%02d" % k)

    def respond(path):
        p, q = _split(path)
        s = p.split("/")
        if p == "/":
            return wrap("วัดสวนแก้ว", '<h1>วัดสวนแก้ว</h1><p>ยินดีต้อนรับ</p><p><a href="%s">ปฏิทินกิจกรรม</a></p>' % mu(Y1, 12))
        if len(s) == 3 and s[1] == "ปฏิทิน":
            y = _int(s[2], Y0, Y1)
            if y:
                return wrap(
                    "พ.ศ. %d" % y,
                    "<h1>พ.ศ. %d</h1><ul>%s</ul>"
                    % (
                        y,
                        "".join(
                            '<li><a href="%s">%s</a> (%d)</li>'
                            % (mu(y, m), M[m - 1], sum(k[:2] == (y, m) for k in keys))
                            for m in range(1, 13)
                        ),
                    ),
                )
        if len(s) == 4 and s[1] == "ปฏิทิน":
            y, m = _int(s[2], Y0, Y1), _int(s[3], 1, 12)
            if y and m:
                first = dt.date(y - 543, m, 1)
                days = ((dt.date(y - 543 + m // 12, m % 12 + 1, 1)) - first).days
                cells = [""] * ((first.weekday() + 1) % 7) + list(range(1, days + 1))
                b = '<h2>%s %d</h2><table border="1"><tr><th>อา<th>จ<th>อ<th>พ<th>พฤ<th>ศ<th>ส</tr>' % (M[m - 1], y)
                for i in range(0, len(cells), 7):
                    b += "<tr>"
                    for c in cells[i : i + 7]:
                        b += (
                            '<td>%s<br><a href="%s">%s</a></td>' % (c, du((y, m, c)), ev[y, m, c])
                            if (y, m, c) in ev
                            else "<td>%s</td>" % c
                        )
                    b += "</tr>"
                b += "</table><p>"
                if (y, m) > (Y0, 1):
                    b += '<a href="%s">&laquo; เดือนก่อน</a> ' % (mu(y, m - 1) if m > 1 else mu(y - 1, 12))
                b += '<a href="%s">ทั้งปี</a> ' % Q("/ปฏิทิน/%d" % y)
                if (y, m) < (Y1, 12):
                    b += '<a href="%s">เดือนหน้า &raquo;</a>' % (mu(y, m + 1) if m < 12 else mu(y + 1, 1))
                return wrap("%s %d" % (M[m - 1], y), b + "</p>")
        if len(s) == 3 and s[1] == "งาน":
            try:
                k = tuple(map(int, s[2].split("-")))
            except ValueError:
                k = ()
            if k in ev and p == unquote(du(k)):
                r = R("th", k)
                return wrap(
                    ev[k],
                    '<h2>%s</h2><p>วันที่ %d %s พ.ศ. %d เวลา %02d.%02d น.</p><p>ขอเชิญญาติโยมร่วมงาน ณ %s</p><p><a href="%s">กลับไปปฏิทิน</a></p>'
                    % (
                        ev[k],
                        k[2],
                        M[k[1] - 1],
                        k[0],
                        r.randint(6, 18),
                        r.choice([0, 30]),
                        r.choice(["ศาลาการเปรียญ", "อุโบสถ", "ลานวัด", "หอฉัน"]),
                        mu(k[0], k[1]),
                    ),
                )
        return nf("ไม่พบหน้า")

    return respond


# ---------------------------------------------------------------- 4  Ukrainian dictionary (raw IRIs in links)
def _uk():
    pre = ["", "ви", "від", "до", "за", "на", "об", "пере", "під", "по", "при", "про", "роз"]
    roots = [
        ("писати", "писання", "письмовий"),
        ("казати", "казання", "казаний"),
        ("нести", "несення", "несений"),
        ("робити", "роблення", "роблений"),
        ("ходити", "ходження", "ходовий"),
        ("водити", "водіння", "водний"),
        ("возити", "возіння", "возовий"),
        ("бирати", "бирання", "бираний"),
        ("лити", "лиття", "литий"),
        ("мити", "миття", "митий"),
        ("кидати", "кидання", "киданий"),
        ("ставити", "ставлення", "ставлений"),
        ("кладати", "кладання", "кладний"),
        ("читати", "читання", "читаний"),
        ("міряти", "міряння", "міряний"),
        ("рубати", "рубання", "рубаний"),
        ("копати", "копання", "копаний"),
        ("сипати", "сипання", "сипаний"),
        ("пекти", "печення", "печений"),
        ("варити", "варіння", "варений"),
        ("шити", "шиття", "шитий"),
        ("крити", "криття", "критий"),
        ("гнати", "гнання", "гнаний"),
        ("тягти", "тягнення", "тягнений"),
        ("садити", "садіння", "садовий"),
        ("палити", "палення", "палений"),
        ("будувати", "будування", "будований"),
        ("малювати", "малювання", "мальований"),
    ]
    W = {}
    for ri, ws in enumerate(roots):
        for f in pre:
            for k, w in enumerate(ws):
                W[f + w] = (ri, f, k)
    words = sorted(W)
    pos = {w: i for i, w in enumerate(words)}
    letters = sorted({w[0] for w in words})
    pairs = sorted({w[:2] for w in words})
    cz = ["дієслово", "іменник, с. р.", "прикметник"]

    def wl(w):
        return '<a href="/слово/%s">%s</a>' % (w, w)

    def wrap(t, b):
        nav = " ".join('<a href="/літера/%s">%s</a>' % (c, c.upper()) for c in letters)
        return ok(
            '<!DOCTYPE html><html lang="uk"><head><meta charset="utf-8"><title>%s</title></head><body><nav>%s</nav><main>%s</main></body></html>'
            % (t, nav, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")
        if p == "/":
            return wrap("Словник похідних слів", "<h1>Словник похідних слів</h1><p>%d слів</p>" % len(words))
        if len(s) == 3 and s[1] == "літера" and s[2] in letters:
            return wrap(
                s[2].upper(),
                "<ul>"
                + "".join('<li><a href="/літера/%s/%s">%s…</a></li>' % (s[2], x, x) for x in pairs if x[0] == s[2])
                + "</ul>",
            )
        if len(s) == 4 and s[1] == "літера" and s[3] in pairs and s[3][0] == s[2]:
            return wrap(s[3], "<p>" + ", ".join(wl(w) for w in words if w.startswith(s[3])) + "</p>")
        if len(s) == 3 and s[1] == "слово" and s[2] in W:
            w = s[2]
            ri, f, k = W[w]
            i = pos[w]
            b = "<h1>%s</h1><p><i>%s</i></p>" % (w, cz[k])
            st = w[:-2]
            if k == 0:
                b += (
                    "<table>"
                    + "".join(
                        "<tr><td>%s</td><td>%s</td></tr>" % (a, st + e)
                        for a, e in (
                            ("мин. ч.", "в"),
                            ("ж. р.", "ла"),
                            ("с. р.", "ло"),
                            ("мн.", "ли"),
                            ("дієприсл.", "вши"),
                        )
                    )
                    + "</table>"
                )
            elif k == 1:
                b += (
                    "<table>"
                    + "".join(
                        "<tr><td>%s</td><td>%s</td></tr>" % (a, w[:-1] + e)
                        for a, e in (("Н.", "я"), ("Р.", "я"), ("Д.", "ю"), ("О.", "ям"), ("М.", "і"))
                    )
                    + "</table>"
                )
            else:
                b += (
                    "<table>"
                    + "".join(
                        "<tr><td>%s</td><td>%s</td></tr>" % (a, st + e)
                        for a, e in (("Н.", "ий"), ("Р.", "ого"), ("Д.", "ому"), ("О.", "им"), ("М.", "ому"))
                    )
                    + "</table>"
                )
            b += "<p>Див. також: %s</p>" % ", ".join(wl(f + x) for x in roots[ri] if f + x != w)
            b += "<p>Від того ж кореня: %s</p>" % ", ".join(wl(x + roots[ri][k]) for x in pre if x != f)
            b += "<p>%s | %s</p>" % (
                "← " + wl(words[i - 1]) if i else "",
                wl(words[i + 1]) + " →" if i + 1 < len(words) else "",
            )
            return wrap(w, b)
        return nf("Слова немає у словнику")

    return respond


# ---------------------------------------------------------------- 5  Swahili bus timetable
def _sw():
    names = [
        x.replace("_", " ")
        for x in (
            "Kariakoo Posta Mnazi_Mmoja Magomeni Manzese Ubungo Kimara Mbezi Kibamba Mwenge Tegeta Bunju Kawe Masaki Msasani Kinondoni Morocco Sinza Tandale Mabibo "
            "Tabata Segerea Kinyerezi Gongo_la_Mboto Pugu Buguruni Vingunguti Temeke Tandika Mbagala Kigamboni Keko Kurasini Mtoni Yombo Ilala Upanga Muhimbili Jangwani "
            "Makumbusho Mikocheni Mbweni Boko Goba Makongo Chuo_Kikuu Riverside External Relini"
        ).split()
    ]
    days = "jumatatu jumanne jumatano alhamisi ijumaa jumamosi jumapili".split()
    routes = {}
    r = R("sw")
    for n in range(1, 33):
        routes[n] = r.sample(range(len(names)), r.randint(5, 9))
    base = {n: sorted(r.sample(range(300, 1320, 5), r.randint(9, 16))) for n in routes}
    step = {n: [r.randint(4, 14) for _ in routes[n]] for n in routes}

    def trips(n, d):
        t = list(base[n])
        rr = R("sw", n, d)
        t[rr.randrange(len(t))] += rr.choice([1, 2, 3])  # one departure differs from day to day
        if d == 6:
            t = t[1:]
        return t

    def wrap(t, b):
        return ok(
            "<!DOCTYPE html>\n<html lang='sw'>\n<head><title>%s</title>\n<meta name='viewport' content='width=device-width'></head>\n<body>\n<header><a href='/'>Ratiba ya daladala</a> | <a href='/vituo'>Vituo</a> | <a href='/njia'>Njia</a> | <a href='tel:+255700000000'>Piga simu</a></header>\n%s\n</body>\n</html>"
            % (t, b)
        )

    def ru(n, d, m):
        return "/ratiba?njia=%d&amp;siku=%s&amp;mwelekeo=%d" % (n, days[d], m)

    def su(k, d):
        return "/kituo?id=%d&amp;siku=%s" % (k + 1, days[d])

    def hm(x):
        return "%02d:%02d" % (x // 60 % 24, x % 60)

    def respond(path):
        p, q = _split(path)
        d = days.index(q["siku"]) if q.get("siku") in days else None
        if p == "/":
            return wrap("Ratiba", "<h1>Ratiba ya daladala Dar es Salaam</h1><p>Chagua njia au kituo.</p>")
        if p == "/njia":
            return wrap(
                "Njia",
                "<ul>"
                + "".join(
                    "<li><a href='%s'>%d: %s – %s</a></li>" % (ru(n, 0, 1), n, names[v[0]], names[v[-1]])
                    for n, v in routes.items()
                )
                + "</ul>",
            )
        if p == "/vituo":
            used = sorted({k for v in routes.values() for k in v})
            return wrap(
                "Vituo", "<ul>" + "".join("<li><a href='%s'>%s</a></li>" % (su(k, 0), names[k]) for k in used) + "</ul>"
            )
        if p == "/ratiba" and d is not None:
            n, m = _int(q.get("njia"), 1, 32), _int(q.get("mwelekeo"), 1, 2)
            if n and m:
                v = routes[n] if m == 1 else routes[n][::-1]
                b = "<h1>Njia %d: %s – %s</h1><p>%s</p><table>" % (
                    n,
                    names[v[0]],
                    names[v[-1]],
                    " ".join(
                        "<b>%s</b>" % x if i == d else "<a href='%s'>%s</a>" % (ru(n, i, m), x)
                        for i, x in enumerate(days)
                    ),
                )
                off = 0
                tt = trips(n, d)
                for k, st in zip(v, step[n]):
                    b += "<tr><th><a href='%s'>%s</a></th>%s</tr>\n" % (
                        su(k, d),
                        names[k],
                        "".join("<td>%s</td>" % hm(x + off + 7 * (m - 1)) for x in tt),
                    )
                    off += st
                return wrap("Njia %d" % n, b + "</table><p><a href='%s'>Geuza mwelekeo</a></p>" % ru(n, d, 3 - m))
        if p == "/kituo" and d is not None:
            k = _int(q.get("id"), 1, len(names))
            if k:
                k -= 1
                rows = ""
                for n, v in routes.items():
                    if k in v:
                        off = sum(step[n][: v.index(k)])
                        rows += "<tr><td><a href='%s'>%d</a></td><td>%s</td><td>%s</td></tr>" % (
                            ru(n, d, 1),
                            n,
                            names[v[-1]],
                            " ".join(hm(x + off) for x in trips(n, d)[:6]),
                        )
                if rows:
                    return wrap(
                        names[k],
                        "<h1>%s</h1><p>%s</p><table>%s</table>"
                        % (
                            names[k],
                            " ".join(
                                "<b>%s</b>" % x if i == d else "<a href='%s'>%s</a>" % (su(k, i), x)
                                for i, x in enumerate(days)
                            ),
                            rows,
                        ),
                    )
        return nf("Ukurasa haupo")

    return respond


# ---------------------------------------------------------------- 6  Urdu weekly, Hijri archive (token site)
def _ur():
    M = "محرم|صفر|ربیع الاول|ربیع الثانی|جمادی الاول|جمادی الثانی|رجب|شعبان|رمضان|شوال|ذوالقعدہ|ذوالحجہ".split("|")
    topics = "تعلیم صحت کھیل ادب معیشت زراعت موسم شہر".split()
    Y0, Y1 = 1436, 1440
    issues = [
        (y, m, d)
        for y in range(Y0, Y1 + 1)
        for m in range(1, 13)
        for d in (2, 9, 16, 23)
        if R("urx", y, m, d).random() > 0.08
    ]
    arts = []
    for i in issues:
        for n in range(3):
            arts.append((i, topics[R("ur", i, n).randrange(len(topics))]))
    subj = "شہر کے سرکاری اسکول|گاؤں کی سڑک|ضلعی ہسپتال|گندم کی فصل|مقامی ٹیم|نوجوان شاعر|سبزی منڈی|بلدیہ|دریا کا پانی|کتابوں کا میلہ".split(
        "|"
    )
    pred = "کی حالت بہتر ہو گئی|کے بارے میں اجلاس ہوا|پر عوام نے احتجاج کیا|کے لیے نئی رقم منظور|کا افتتاح کر دیا گیا|کی کمی پر تشویش|کی تاریخ پر ایک نظر|کا مسئلہ حل نہ ہو سکا".split(
        "|"
    )
    sent = [
        "انتظامیہ کے مطابق کام جلد مکمل ہو جائے گا۔",
        "مقامی لوگوں نے اس فیصلے کا خیر مقدم کیا۔",
        "گزشتہ سال بھی ایسی ہی صورت حال تھی۔",
        "ماہرین کا کہنا ہے کہ مزید وقت درکار ہے۔",
        "اس موقع پر اساتذہ اور طلبہ بھی موجود تھے۔",
        "وزیر نے رپورٹ طلب کر لی ہے۔",
        "بارش کے باعث پروگرام ملتوی کر دیا گیا۔",
        "رقم اگلے مہینے جاری کی جائے گی۔",
    ]

    def title(i):
        r = R("urt", i)
        return r.choice(subj) + " " + r.choice(pred)

    def iu(k):
        return Q("/محفوظات/%d/%02d/%02d/" % k)

    def mu(y, m):
        return Q("/محفوظات/%d/%02d/" % (y, m))

    def au(i):
        return Q("/مضمون/%d/%s/" % (i + 1001, title(i).replace(" ", "-")))

    menu = "".join('<li><a href="%s">%s</a></li>' % (Q("/موضوع/" + t), t) for t in topics) + "".join(
        '<li><a href="%s">%d ھ</a></li>' % (Q("/محفوظات/%d/" % y), y) for y in range(Y0, Y1 + 1)
    )
    boil = (
        '<div class="sidebar"><h4>ہفت روزہ چراغ</h4><p>چراغ ایک آزاد ہفت روزہ اخبار ہے جو ہر ہفتے شائع ہوتا ہے۔ ادارے کا مضمون نگاروں کی رائے سے متفق ہونا ضروری نہیں۔ تمام حقوق بحق ادارہ محفوظ ہیں۔ اشتہارات کے لیے دفتر سے رابطہ کیجیے۔ خریداری کا سالانہ چندہ پانچ سو روپے ہے۔</p></div>'
        * 2
    )

    def wrap(t, b):
        tok = "%032x" % random.getrandbits(128)
        return ok(
            '<!DOCTYPE html><html dir="rtl" lang="ur"><head><meta charset="utf-8"><title>%s | چراغ</title><meta name="csrf-token" content="%s"><script>var nonce="%s",ad=%d;</script></head>'
            '<body><ul class="menu"><li><a href="/">سرورق</a></li><li><a href="%s">تازہ شمارہ</a></li>%s</ul><article><h1>%s</h1>%s</article>%s'
            "<footer>آج کے قارئین: %d</footer></body></html>"
            % (
                t,
                tok,
                tok[:8],
                random.randrange(10**6),
                Q("/شمارہ/تازہ"),
                menu,
                t,
                b,
                boil,
                random.randrange(100, 9000),
            )
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")
        if p == "/":
            return wrap("ہفت روزہ چراغ", "<p>محفوظات سال کے لحاظ سے دیکھیے۔</p>")
        if p == "/شمارہ/تازہ":
            return redir(iu(issues[-1]))
        if s[1] == "محفوظات" and s[-1] == "" and 4 <= len(s) <= 6:
            y = _int(s[2], Y0, Y1)
            m = _int0(s[3], 1, 12, 2) if len(s) > 4 else None
            if y and len(s) == 4:
                return wrap(
                    "%d ہجری" % y,
                    "<ul>"
                    + "".join('<li><a href="%s">%s</a></li>' % (mu(y, k), M[k - 1]) for k in range(1, 13))
                    + "</ul>",
                )
            if y and m and len(s) == 5:
                return wrap(
                    "%s %d ہجری" % (M[m - 1], y),
                    "<ul>"
                    + "".join(
                        '<li><a href="%s">%d %s</a></li>' % (iu(k), k[2], M[m - 1]) for k in issues if k[:2] == (y, m)
                    )
                    + "</ul>",
                )
            d = _int0(s[4], 1, 30, 2) if len(s) == 6 else None
            if y and m and d and (y, m, d) in issues:
                n = issues.index((y, m, d))
                b = (
                    "<ul>"
                    + "".join('<li><a href="%s">%s</a></li>' % (au(i), title(i)) for i in range(3 * n, 3 * n + 3))
                    + "</ul>"
                )
                if n:
                    b += '<a href="%s">پچھلا شمارہ</a> ' % iu(issues[n - 1])
                if n + 1 < len(issues):
                    b += '<a href="%s">اگلا شمارہ</a>' % iu(issues[n + 1])
                return wrap("شمارہ %d، %d %s %d ھ" % (n + 1, d, M[m - 1], y), b)
        if len(s) == 5 and s[1] == "مضمون":
            i = _int(s[2], 1001, 1000 + len(arts))
            if i:
                i -= 1001
                if p != unquote(au(i)):
                    return redir(au(i), 301)
                r = R("urb", i)
                return wrap(
                    title(i),
                    '<p class="m"><a href="%s">%d %s %d ھ</a> · <a href="%s">%s</a></p>'
                    % (
                        iu(arts[i][0]),
                        arts[i][0][2],
                        M[arts[i][0][1] - 1],
                        arts[i][0][0],
                        Q("/موضوع/" + arts[i][1]),
                        arts[i][1],
                    )
                    + "".join("<p>%s</p>" % " ".join(r.sample(sent, r.randint(2, 4))) for _ in range(3)),
                )
        if len(s) == 3 and s[1] == "موضوع" and s[2] in topics:
            mine = [i for i, a in enumerate(arts) if a[1] == s[2]]
            n = (len(mine) + 19) // 20
            k = _int(q.get("صفحہ", "1"), 1, n)
            if k:
                return wrap(
                    "%s – صفحہ %d" % (s[2], k),
                    "<ul>"
                    + "".join('<li><a href="%s">%s</a></li>' % (au(i), title(i)) for i in mine[20 * k - 20 : 20 * k])
                    + "</ul>"
                    + " ".join(
                        '<a href="%s?%s=%d">%d</a>' % (Q(p), Q("صفحہ"), j, j) for j in range(2, n + 1) if j != k
                    ),
                )
        return nf("صفحہ نہیں ملا")

    return respond


# ---------------------------------------------------------------- 7  Armenian manuscripts, folio by folio
def _hy():
    ms = {
        2374: ("Էջմիածնի Ավետարան", 116),
        7739: ("Ավետարան Լազարյան", 98),
        10675: ("Մալաթիայի Ավետարան", 149),
        197: ("Աստվածաշունչ", 131),
        1568: ("Տաղարան", 87),
        4806: ("Հայսմավուրք", 102),
    }
    side = "աբ"

    def fu(m, n):
        return Q("/ձեռագիր/%d/%d%s" % (m, n // 2 + 1, side[n % 2]))

    def respond(path):
        p, q = _split(path)
        s = p.split("/")
        if p == "/":
            return ok(
                "<meta charset=utf-8><title>Ձեռագրեր</title><h1>Թվայնացված ձեռագրեր</h1>"
                + "".join("<p><a href=%s>ՄՄ %d</a>" % (Q("/ձեռագիր/%d" % m), m) for m in ms)
            )
        if len(s) >= 3 and s[1] == "ձեռագիր":
            m = _int(s[2], 1, 99999)
            if m in ms:
                t, n = ms[m][0], ms[m][1] * 2
                if len(s) == 3:
                    return ok(
                        "<meta charset=utf-8><title>ՄՄ %d</title><h1>%s</h1><p>%d թերթ, մագաղաթ</p><p><a href=%s>Սկսել</a> <a href=/>Ցանկ</a>"
                        % (m, t, n // 2, fu(m, 0))
                    )
                if len(s) == 4 and s[3][-1:] in side and s[3]:
                    f = _int(s[3][:-1], 1, n // 2)
                    if f:
                        k = 2 * f - 2 + side.index(s[3][-1])
                        a = []
                        if k:
                            a += ["<a href=%s>|&lt;</a>" % fu(m, 0), "<a href=%s>&lt;</a>" % fu(m, k - 1)]
                        if k + 1 < n:
                            a += ["<a href=%s>&gt;</a>" % fu(m, k + 1), "<a href=%s>&gt;|</a>" % fu(m, n - 1)]
                        return ok(
                            "<meta charset=utf-8><title>ՄՄ %d</title><p><a href=%s>%s</a> %s</p><img src=/iiif/%d/%04d/full/800,/0/default.jpg>"
                            % (m, Q("/ձեռագիր/%d" % m), t, " ".join(a), m, k)
                        )
        return nf("Չի գտնվել")

    return respond


# ---------------------------------------------------------------- 8  Tamil election results by booth
def _ta():
    years = (2006, 2011, 2016)
    seats = "மதுரை திருச்சி கோவை சேலம் ஈரோடு தஞ்சாவூர் நாகை கடலூர் வேலூர் தேனி விருதுநகர் சிவகங்கை கரூர் நாமக்கல் அரியலூர் பெரம்பலூர் தென்காசி".split()
    cand = "முருகன் செல்வி கண்ணன் லட்சுமி ராஜா மீனா பழனி குமார் வள்ளி ஆறுமுகம் சரவணன் கமலா".split()
    sym = "மரம் விளக்கு குடை மிதிவண்டி படகு".split()
    nb = {(y, i): R("ta", y, i).randint(17, 29) for y in years for i in range(len(seats))}

    def row(y, i, b):
        r = R("ta", y, i, b)
        return [r.randint(12, 640) for _ in sym] + [r.randint(0, 19)]

    def names(y, i):
        return R("tac", y, i).sample(cand, len(sym))

    def u(*k):
        return Q("/" + "/".join(map(str, k)))

    def wrap(t, b, bc):
        return ok(
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="ta"><head><meta http-equiv="content-type" content="text/html; charset=utf-8" /><title>%s</title></head><body>\n<p class="bc">%s</p>\n<h1>%s</h1>\n%s\n<p><small>ஆதாரம்: படிவம் 20. இறுதி முடிவுகள். ஏதேனும் பிழை இருந்தால் தெரிவிக்கவும்.</small></p></body></html>'
            % (t, bc, t, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        home = '<a href="/">முகப்பு</a>'
        if p == "/":
            return wrap(
                "தேர்தல் முடிவுகள்",
                "<ul>" + "".join('<li><a href="%s">%d</a></li>' % (u("தேர்தல்", y), y) for y in years) + "</ul>",
                "",
            )
        if s[0] == "தேர்தல்" and 2 <= len(s) <= 4:
            y = _int(s[1], 2006, 2016)
            if y in years:
                bc = home + ' » <a href="%s">%d</a>' % (u("தேர்தல்", y), y)
                if len(s) == 2:
                    return wrap(
                        "தேர்தல் %d" % y,
                        "<ol>"
                        + "".join('<li><a href="%s">%s</a></li>' % (u("தேர்தல்", y, x), x) for x in seats)
                        + "</ol>",
                        home,
                    )
                if s[2] in seats:
                    i = seats.index(s[2])
                    if len(s) == 3:
                        tot = [sum(c) for c in zip(*(row(y, i, b) for b in range(1, nb[y, i] + 1)))]
                        b = (
                            '<table border="1">'
                            + "".join(
                                "<tr><td>%s</td><td>%s</td><td>%d</td></tr>" % k for k in zip(names(y, i), sym, tot)
                            )
                            + "</table><p>வாக்குச்சாவடிகள்: "
                            + " ".join(
                                '<a href="%s">%d</a>' % (u("தேர்தல்", y, s[2], b), b) for b in range(1, nb[y, i] + 1)
                            )
                            + "</p>"
                        )
                        return wrap("%s %d" % (s[2], y), b, bc)
                    k = _int(s[3], 1, nb[y, i])
                    if k:
                        v = row(y, i, k)
                        b = (
                            '<table border="1"><tr><th>வேட்பாளர்</th><th>சின்னம்</th><th>வாக்குகள்</th></tr>'
                            + "".join(
                                "<tr><td>%s</td><td>%s</td><td>%d</td></tr>" % x for x in zip(names(y, i), sym, v)
                            )
                            + '<tr><td colspan="2">செல்லாதவை</td><td>%d</td></tr><tr><td colspan="2">மொத்தம்</td><td>%d</td></tr></table>'
                            % (v[-1], sum(v))
                        )
                        oth = [z for z in years if z != y and k <= nb[z, i]]
                        b += "<p>" + " ".join('<a href="%s">%d</a>' % (u("தேர்தல்", z, s[2], k), z) for z in oth) + "</p>"
                        return wrap(
                            "%s – வாக்குச்சாவடி %d" % (s[2], k),
                            b,
                            bc + ' » <a href="%s">%s</a>' % (u("தேர்தல்", y, s[2]), s[2]),
                        )
        return nf("பக்கம் இல்லை")

    return respond


# ---------------------------------------------------------------- 9  Portuguese screw shop: one page per variant (visit counter)
def _pt():
    roscas = ["M3", "M4", "M5", "M6", "M8", "M10", "M12"]
    comps = [8, 10, 12, 16, 20, 25, 30, 40, 50, 60, 80]
    mats = {"inox-a2": "aço inox A2", "inox-a4": "aço inox A4", "zincado": "aço zincado 8.8", "latao": "latão"}
    cabs = {"sextavada": "cabeça sextavada", "allen": "cabeça cilíndrica Allen", "escareada": "cabeça escareada"}

    def exists(ro, c, m, k):
        d = int(ro[1:])
        return c >= 2 * d and c <= 14 * d and not (m == "latao" and d > 8) and not (k == "escareada" and d > 10)

    allv = [(ro, c, m, k) for ro in roscas for c in comps for m in mats for k in cabs if exists(ro, c, m, k)]
    vs = set(allv)

    def u(v):
        return "/produto.php?rosca=%s&amp;comp=%d&amp;material=%s&amp;cabeca=%s" % v

    menu = (
        '<div id="menu"><ul>'
        + "".join(
            '<li><a href="%s">Parafusos %s</a></li>' % (u(next(v for v in allv if v[0] == ro)), ro) for ro in roscas
        )
        + '<li><a href="/entregas.php">Prazos de entrega</a></li><li><a href="/contacto.php">Contacto</a></li><li><a href="javascript:void(0)" onclick="abrir()">Carrinho (0)</a></li></ul></div>'
    )

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="pt"><head><meta charset="utf-8"><title>%s - Parafusaria Central</title><script src="/js/jquery.js"></script></head><body>%s<div id="c"><h1>%s</h1>%s</div>'
            '<div id="rodape">Parafusaria Central, Lda. &middot; Rua do Comércio 14, Braga &middot; Preços sem IVA. Visitas: %07d</div></body></html>'
            % (t, menu, t, b, random.randrange(10**7))
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap("Parafusaria Central", "<p>Desde 1961 ao serviço da indústria. Escolha a rosca no menu.</p>")
        if p == "/entregas.php":
            return wrap("Prazos de entrega", "<p>Encomendas até às 15h são expedidas no próprio dia.</p>")
        if p == "/contacto.php":
            return wrap("Contacto", '<p>Tel. 253 000 000, <a href="mailto:geral@example.pt">geral@example.pt</a></p>')
        c = _int(q.get("comp"), 1, 999)
        v = (q.get("rosca"), c, q.get("material"), q.get("cabeca"))
        if p == "/produto.php" and v in vs:
            r = R("pt", v)
            d = int(v[0][1:])
            b = (
                '<img src="/img/%s.jpg"><table><tr><td>Ref.</td><td>%s%03d-%s</td></tr><tr><td>Rosca</td><td>%s</td></tr><tr><td>Comprimento</td><td>%d mm</td></tr><tr><td>Preço por 100</td><td>%.2f €</td></tr><tr><td>Em stock</td><td>%d</td></tr></table>'
                % (
                    v[3],
                    v[3][:2].upper(),
                    c,
                    v[2][:3].upper() + v[2][-1],
                    v[0],
                    c,
                    (d * d * c / 160 + 1.2) * {"inox-a2": 2, "inox-a4": 3, "zincado": 1, "latao": 4}[v[2]],
                    r.randint(0, 90) * 50,
                )
            )
            for lab, opts, f in (
                ("Comprimento", comps, lambda o: (v[0], o, v[2], v[3])),
                ("Material", list(mats), lambda o: (v[0], c, o, v[3])),
                ("Cabeça", list(cabs), lambda o: (v[0], c, v[2], o)),
                ("Rosca", roscas, lambda o: (o, c, v[2], v[3])),
            ):
                b += '<p class="op">%s: %s</p>' % (
                    lab,
                    " ".join(
                        "<strong>%s</strong>" % o if f(o) == v else '<a href="%s">%s</a>' % (u(f(o)), o)
                        for o in opts
                        if f(o) in vs
                    ),
                )
            return wrap("Parafuso %s×%d %s, %s" % (v[0], c, cabs[v[3]], mats[v[2]]), b)
        return nf("Página não encontrada")

    return respond


# ---------------------------------------------------------------- 10  Greek laws, every wording of every article
def _el():
    laws = {
        4412: ("Δημόσιες συμβάσεις", 2016),
        4172: ("Φορολογία εισοδήματος", 2013),
        3852: ("Πρόγραμμα Καλλικράτης", 2010),
        4495: ("Δομημένο περιβάλλον", 2017),
        2725: ("Ερασιτεχνικός αθλητισμός", 1999),
        3528: ("Κώδικας υπαλλήλων", 2007),
        4009: ("Δομή των ΑΕΙ", 2011),
        2960: ("Τελωνειακός κώδικας", 2001),
        4001: ("Αγορές ενέργειας", 2011),
        2696: ("Κώδικας οδικής κυκλοφορίας", 1999),
        3028: ("Προστασία αρχαιοτήτων", 2002),
    }
    NA = {n: R("el", n).randint(12, 22) for n in laws}
    V = {}
    for n, (t, y) in laws.items():
        for a in range(1, NA[n] + 1):
            r = R("elv", n, a)
            ds = [dt.date(y, r.randint(1, 12), r.randint(1, 28))]
            for _ in range(r.choice([0, 1, 1, 2, 2, 3, 4, 5])):
                ds.append(ds[-1] + dt.timedelta(r.randint(60, 900)))
            V[n, a] = [d.isoformat() for d in ds]
    subj = [
        "Η αρμόδια αρχή",
        "Ο Υπουργός",
        "Το δημοτικό συμβούλιο",
        "Ο ενδιαφερόμενος",
        "Η επιτροπή",
        "Ο υπόχρεος",
        "Η αναθέτουσα αρχή",
    ]
    verb = [
        "υποβάλλει αίτηση",
        "εκδίδει απόφαση",
        "καταβάλλει πρόστιμο {n} ευρώ",
        "γνωστοποιεί το γεγονός",
        "τηρεί μητρώο",
        "εγκρίνει το σχέδιο",
        "ορίζει εισηγητή",
    ]
    tail = [
        "εντός προθεσμίας {n} ημερών.",
        "κατά τα οριζόμενα στο προηγούμενο άρθρο.",
        "με αιτιολογημένη πράξη.",
        "ύστερα από γνώμη του Συμβουλίου.",
        "έως το τέλος του έτους.",
        "εφόσον συντρέχουν οι προϋποθέσεις της παρ. 1.",
    ]

    def para(r):
        return ("%s %s %s" % (r.choice(subj), r.choice(verb), r.choice(tail))).replace(
            "{n}", str(r.choice([5, 10, 20, 30, 60, 90, 500]))
        )

    def text(n, a, k):
        ps = [para(R("elp", n, a, i)) for i in range(R("eln", n, a).randint(3, 7))]
        for j in range(1, k + 1):
            r = R("elc", n, a, j)
            ps[r.randrange(len(ps))] = para(r)
        return ps

    def u(*k):
        return Q("/νόμος/" + "/".join(map(str, k)))

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html>\n<html lang="el">\n<head>\n<meta charset="utf-8">\n<title>%s</title>\n</head>\n<body>\n<div class="top"><a href="/">Κωδικοποιημένη νομοθεσία</a></div>\n<div class="main">\n<h1>%s</h1>\n%s\n</div>\n<div class="foot">Τα κείμενα δεν είναι επίσημα. Επίσημο είναι μόνο το Φύλλο της Εφημερίδας της Κυβερνήσεως.</div>\n</body>\n</html>'
            % (t, t, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        if p == "/":
            return wrap(
                "Νόμοι",
                "<ul>"
                + "".join(
                    '<li><a href="%s">ν. %d/%d</a> %s</li>' % (u(n), n, y, t) for n, (t, y) in sorted(laws.items())
                )
                + "</ul>",
            )
        n = _int(s[1], 1, 9999) if len(s) > 1 and s[0] == "νόμος" else None
        if n not in laws:
            return nf("Η σελίδα δεν βρέθηκε")
        t, y = laws[n]
        if len(s) == 2:
            return wrap(
                "ν. %d/%d" % (n, y),
                "<p>%s</p><ul>" % t
                + "".join('<li><a href="%s">Άρθρο %d</a></li>' % (u(n, "άρθρο", a), a) for a in range(1, NA[n] + 1))
                + "</ul>",
            )
        a = _int(s[3], 1, NA[n]) if len(s) > 3 and s[2] == "άρθρο" else None
        if a:
            ds = V[n, a]
            if len(s) == 4:
                return redir(u(n, "άρθρο", a, "έκδοση", ds[-1]))
            if len(s) == 6 and s[4] == "έκδοση" and s[5] in ds:
                k = ds.index(s[5])
                b = "<p>Ισχύς από %s%s</p>" % (ds[k], " έως " + ds[k + 1] if k + 1 < len(ds) else "")
                b += "".join("<p>%d. %s</p>\n" % (i + 1, x) for i, x in enumerate(text(n, a, k)))
                b += (
                    '<ul class="ek">'
                    + "".join('<li><a href="%s">%s</a></li>' % (u(n, "άρθρο", a, "έκδοση", d), d) for d in ds)
                    + "</ul>"
                )
                if k:
                    b += '<p><a href="%s">Σύγκριση με την προηγούμενη</a></p>' % u(
                        n, "άρθρο", a, "σύγκριση", ds[k - 1] + ".." + ds[k]
                    )
                b += (
                    "<p>"
                    + ('<a href="%s">Προηγούμενο άρθρο</a> ' % u(n, "άρθρο", a - 1) if a > 1 else "")
                    + ('<a href="%s">Επόμενο άρθρο</a>' % u(n, "άρθρο", a + 1) if a < NA[n] else "")
                    + "</p>"
                )
                return wrap("ν. %d/%d, άρθρο %d" % (n, y, a), b)
            if len(s) == 6 and s[4] == "σύγκριση":
                for k in range(1, len(ds)):
                    if s[5] == ds[k - 1] + ".." + ds[k]:
                        o, w = text(n, a, k - 1), text(n, a, k)
                        b = "".join(
                            "<p>%d. %s</p>" % (i + 1, x if x == z else "<del>%s</del> <ins>%s</ins>" % (x, z))
                            for i, (x, z) in enumerate(zip(o, w))
                        )
                        return wrap(
                            "ν. %d/%d, άρθρο %d: σύγκριση" % (n, y, a),
                            b
                            + '<p><a href="%s">%s</a> <a href="%s">%s</a></p>'
                            % (
                                u(n, "άρθρο", a, "έκδοση", ds[k - 1]),
                                ds[k - 1],
                                u(n, "άρθρο", a, "έκδοση", ds[k]),
                                ds[k],
                            ),
                        )
        return nf("Η σελίδα δεν βρέθηκε")

    return respond


# ---------------------------------------------------------------- 11  Korean baseball records, EUC-KR, classic ASP
def _ko():
    K = "text/html; charset=euc-kr"
    teams = ["한빛", "청룡", "백호", "현무", "주작", "태양", "바다", "별빛"]
    fam = "김이박최정강조윤장임한오서신권황안송류홍"
    giv = "민준 서준 도윤 예준 시우 하준 지호 주원 준서 건우 현우 우진 선우 연우 정우 승현 승민 지훈 유준 진우 성민 재윤 동현 태윤 민재".split()
    Y0, Y1 = 2009, 2016
    players, r = [], R("ko")
    for i in range(128):
        a = r.randint(Y0, Y1 - 1)
        players.append((r.choice(fam) + r.choice(giv), i % 8, a, min(Y1, a + r.randint(1, 6)), r.random() < 0.35))
    games = {}
    for y in range(Y0, Y1 + 1):
        for m in range(4, 10):
            for _ in range(9):
                d = R("kog", y, m, _).randint(1, 28)
                h, g = R("koh", y, m, _).sample(range(8), 2)
                games["%d%02d%02d%d%d" % (y, m, d, g, h)] = (y, m, d, g, h)

    def wrap(t, b):
        return ok(
            '<HTML>\n<HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=euc-kr">\n<TITLE>%s</TITLE></HEAD>\n<BODY BGCOLOR=#FFFFFF>\n<TABLE WIDTH=100%%><TR><TD><A HREF="/">처음</A></TD><TD><A HREF="/schedule.asp?year=%d&amp;month=4">일정</A></TD><TD><A HREF="/team.asp?team=0">선수단</A></TD></TR></TABLE>\n<H2>%s</H2>\n%s\n</BODY></HTML>'
            % (t, Y1, t, b),
            K,
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap("사회인 야구 기록실", "<P>2009년부터 2016년까지의 기록입니다.</P>")
        if p == "/schedule.asp":
            y, m = _int(q.get("year"), Y0, Y1), _int(q.get("month"), 4, 9)
            if y and m:
                b = (
                    "<P>"
                    + " ".join(
                        '<A HREF="/schedule.asp?year=%d&amp;month=%d">%d</A>' % (k, m, k) for k in range(Y0, Y1 + 1)
                    )
                    + "<P>"
                    + " ".join(
                        '<A HREF="/schedule.asp?year=%d&amp;month=%d">%d월</A>' % (y, k, k) for k in range(4, 10)
                    )
                )
                b += (
                    "<TABLE BORDER=1>"
                    + "".join(
                        "<TR><TD>%d일<TD><A HREF=/box.asp?gid=%s>%s : %s</A>" % (v[2], g, teams[v[3]], teams[v[4]])
                        for g, v in sorted(games.items())
                        if v[:2] == (y, m)
                    )
                    + "</TABLE>"
                )
                return wrap("%d년 %d월" % (y, m), b)
        if p == "/team.asp":
            t = _int(q.get("team"), 0, 7)
            if t is not None:
                return wrap(
                    teams[t],
                    "<P>"
                    + " ".join("<A HREF=/team.asp?team=%d>%s</A>" % (i, x) for i, x in enumerate(teams))
                    + "<UL>"
                    + "".join(
                        "<LI><A HREF=/player.asp?no=%d>%s</A>" % (i + 1, x[0])
                        for i, x in enumerate(players)
                        if x[1] == t
                    )
                    + "</UL>",
                )
        if p == "/box.asp" and q.get("gid") in games:
            y, m, d, g, h = games[q["gid"]]
            rr = R("kob", q["gid"])
            b = "<TABLE BORDER=1><TR><TH><TH>" + "<TH>".join(map(str, range(1, 10))) + "<TH>R"
            for t in (g, h):
                v = [rr.choice([0, 0, 0, 0, 1, 1, 2, 4]) for _ in range(9)]
                b += (
                    "<TR><TD><A HREF=/team.asp?team=%d>%s</A>" % (t, teams[t])
                    + "".join("<TD>%d" % x for x in v)
                    + "<TD>%d" % sum(v)
                )
            b += "</TABLE><P>"
            for t in (g, h):
                pl = [i for i, x in enumerate(players) if x[1] == t and x[2] <= y <= x[3]]
                b += (
                    " ".join(
                        '<A HREF="/player.asp?no=%d&amp;year=%d">%s</A> %d'
                        % (i + 1, y, players[i][0], rr.randint(0, 4))
                        for i in pl[:9]
                    )
                    + "<BR>"
                )
            return wrap("%d.%d.%d %s - %s" % (y, m, d, teams[g], teams[h]), b)
        if p == "/player.asp":
            n = _int(q.get("no"), 1, len(players))
            if n:
                nm, t, a, z, pit = players[n - 1]
                y = None
                if "year" in q:
                    y = _int(q["year"], a, z)
                    if not y:
                        return nf("기록이 없습니다", K)
                head = "<TR><TH>" + "<TH>".join(
                    ["연도", "경기", "이닝", "승", "패", "자책"]
                    if pit
                    else ["연도", "경기", "타수", "안타", "홈런", "타점"]
                )

                def line(yy, mm=0):
                    k = R("kos", n, yy, mm)
                    return [k.randint(3, 20), k.randint(20, 110), k.randint(1, 20), k.randint(0, 9), k.randint(0, 30)]

                if y is None:
                    b = (
                        "<P><A HREF=/team.asp?team=%d>%s</A><TABLE BORDER=1>%s" % (t, teams[t], head)
                        + "".join(
                            '<TR><TD><A HREF="/player.asp?no=%d&amp;year=%d">%d</A><TD>' % (n, k, k)
                            + "<TD>".join(map(str, line(k)))
                            for k in range(a, z + 1)
                        )
                        + "</TABLE>"
                    )
                    return wrap(nm, b)
                b = (
                    "<TABLE BORDER=1>"
                    + head.replace("연도", "월")
                    + "".join("<TR><TD>%d<TD>" % k + "<TD>".join(map(str, line(y, k))) for k in range(4, 10))
                    + "</TABLE><A HREF=/player.asp?no=%d>통산</A>" % n
                )
                if y > a:
                    b += ' <A HREF="/player.asp?no=%d&amp;year=%d">%d</A>' % (n, y - 1, y - 1)
                if y < z:
                    b += ' <A HREF="/player.asp?no=%d&amp;year=%d">%d</A>' % (n, y + 1, y + 1)
                return wrap("%s %d" % (nm, y), b)
        return nf("페이지가 없습니다", K)

    return respond


# ---------------------------------------------------------------- 12  Icelandic weather logs: nginx directory listing, text files, ISO-8859-1
def _is():
    L = "text/plain; charset=iso-8859-1"
    st = {"stod_001_reykjavik": 2018, "stod_422_akureyri": 2018, "stod_798_hofn": 2019, "stod_990_keflavik": 2019}
    tree = {}

    def put(path):
        parts = path.strip("/").split("/")
        d = "/"
        for x in parts[:-1]:
            tree.setdefault(d, set()).add(x + "/")
            d += x + "/"
        tree.setdefault(d, set()).add(parts[-1])

    files = {}
    for s, y in st.items():
        for i in range(365):
            d = dt.date(y, 1, 1) + dt.timedelta(i)
            if R("is", s, i).random() < 0.12:
                continue
            f = "/gogn/athuganir/%s/%d/%02d/%s.txt" % (s, y, d.month, d.isoformat())
            files[f] = (s, d)
            put(f)
        f = "/gogn/athuganir/%s/LESTU_MIG.txt" % s
        files[f] = (s, None)
        put(f)

    def respond(path):
        p, q = _split(path)
        if p in tree:
            b = "<html>\r\n<head><title>Index of %s</title></head>\r\n<body>\r\n<h1>Index of %s</h1><hr><pre>" % (p, p)
            if p != "/":
                b += '<a href="../">../</a>\r\n'
            for x in sorted(tree[p]):
                b += '<a href="%s">%s</a>%s02-Jan-2020 03:14 %19s\r\n' % (
                    x,
                    x,
                    " " * max(1, 51 - len(x)),
                    "-" if x[-1] == "/" else R("isz", p, x).randint(900, 1100),
                )
            return ok(b + "</pre><hr></body>\r\n</html>\r\n")
        if p + "/" in tree:
            return redir(Q(p) + "/", 301)
        if p in files:
            s, d = files[p]
            if d is None:
                return ok(
                    "Stöð: %s\nMælt á þriggja tíma fresti. Hiti í °C, vindur í m/s, úrkoma í mm.\nEyður eru í gögnunum þegar mælir bilaði.\n"
                    % s,
                    L,
                )
            r = R("isd", p)
            t = 4 - 9 * (abs(d.month - 7) - 3) / 3
            return ok(
                "# stöð %s dagur %s\n# kl hiti vindur átt úrkoma\n" % (s.split("_")[1], d)
                + "".join(
                    "%02d %5.1f %4.1f %3s %4.1f\n"
                    % (
                        h,
                        t + r.gauss(0, 3),
                        abs(r.gauss(6, 4)),
                        r.choice("N NA A SA S SV V NV".split()),
                        max(0, r.gauss(-1, 2)),
                    )
                    for h in range(0, 24, 3)
                ),
                L,
            )
        return nf("404 Not Found")

    return respond


# ---------------------------------------------------------------- 13  Amharic calendar: a ring of saints' days, and years
def _am():
    M = "መስከረም ጥቅምት ኅዳር ታኅሣሥ ጥር የካቲት መጋቢት ሚያዝያ ግንቦት ሰኔ ሐምሌ ነሐሴ ጳጉሜን".split()
    Sd = {
        1: "ልደታ ለማርያም",
        3: "በዓታ ለማርያም",
        5: "አቡነ ገብረ መንፈስ ቅዱስ",
        7: "ሥላሴ",
        10: "ቅዱስ መስቀል",
        12: "ቅዱስ ሚካኤል",
        16: "ኪዳነ ምሕረት",
        19: "ቅዱስ ገብርኤል",
        21: "ቅድስት ማርያም",
        23: "ቅዱስ ጊዮርጊስ",
        24: "አቡነ ተክለ ሃይማኖት",
        27: "መድኃኔ ዓለም",
        29: "በዓለ እግዚአብሔር",
    }
    F = {
        (1, 1): "ዕንቁጣጣሽ",
        (1, 17): "መስቀል",
        (4, 29): "ገና",
        (5, 11): "ጥምቀት",
        (6, 23): "የዓድዋ ድል",
        (12, 13): "ደብረ ታቦር",
        (12, 16): "ፍልሰታ",
    }
    Y0, Y1 = 1993, 2020
    D = "፩ ፪ ፫ ፬ ፭ ፮ ፯ ፰ ፱".split()
    Tn = "፲ ፳ ፴".split()

    def gz(n):
        return (Tn[n // 10 - 1] if n >= 10 else "") + (D[n % 10 - 1] if n % 10 else "")

    def n_days(m):
        return 30 if m < 13 else 6

    def du(m, d):
        return Q("/ስንክሳር/%s/%d" % (M[m - 1], d))

    def cu(y, m):
        return Q("/ዘመን/%d/%s" % (y, M[m - 1]))

    def wrap(t, b):
        return ok(
            '<!doctype html>\n<html lang="am">\n<meta charset="utf-8">\n<title>%s</title>\n<body>\n<p><a href="/">መግቢያ</a> · <a href="%s">ዓመታት</a></p>\n<h1>%s</h1>\n%s\n</body>\n</html>\n'
            % (t, Q("/ዘመን"), t, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        if p == "/":
            return wrap(
                "ስንክሳር", "<ul>" + "".join('<li><a href="%s">%s</a></li>' % (Q("/ስንክሳር/" + x), x) for x in M) + "</ul>"
            )
        if s[0] == "ስንክሳር" and len(s) in (2, 3) and s[1] in M:
            m = M.index(s[1]) + 1
            if len(s) == 2:
                return wrap(
                    s[1],
                    "<p>"
                    + " ".join('<a href="%s">%s</a>' % (du(m, d), gz(d)) for d in range(1, n_days(m) + 1))
                    + "</p>",
                )
            d = _int(s[2], 1, n_days(m))
            if d:
                pr = (m, d - 1) if d > 1 else ((m - 2) % 13 + 1, n_days((m - 2) % 13 + 1))
                nx = (m, d + 1) if d < n_days(m) else (m % 13 + 1, 1)
                b = "<p>%s</p>" % Sd.get(d, "የዕለቱ ቅዱሳን")
                if (m, d) in F:
                    b += "<p><b>%s</b></p>" % F[m, d]
                b += "<p>%s ምዕራፍ %s</p>" % (
                    R("am", m, d).choice(["ማቴዎስ", "ማርቆስ", "ሉቃስ", "ዮሐንስ"]),
                    gz(R("am2", m, d).randint(1, 21)),
                )
                return wrap(
                    "%s %s" % (s[1], gz(d)),
                    b + '<p><a href="%s">« ትናንት</a> | <a href="%s">ነገ »</a></p>' % (du(*pr), du(*nx)),
                )
        if s[0] == "ዘመን":
            if len(s) == 1:
                return wrap(
                    "ዓመታት",
                    "<p>" + " ".join('<a href="%s">%d</a>' % (Q("/ዘመን/%d" % y), y) for y in range(Y0, Y1 + 1)) + "</p>",
                )
            y = _int(s[1], Y0, Y1)
            if y and len(s) == 2:
                return wrap(
                    "%d ዓ.ም." % y,
                    "<p>ዘመነ %s</p><p>" % ["ዮሐንስ", "ማቴዎስ", "ማርቆስ", "ሉቃስ"][y % 4]
                    + " ".join('<a href="%s">%s</a>' % (cu(y, m), M[m - 1]) for m in range(1, 14))
                    + "</p>",
                )
            if y and len(s) == 3 and s[2] in M:
                m = M.index(s[2]) + 1
                nd = 30 if m < 13 else 6 if y % 4 == 3 else 5
                wd = (y + y // 4 + 2 * (m - 1) + 1) % 7
                c = ["<td></td>"] * wd + ['<td><a href="%s">%s</a></td>' % (du(m, d), gz(d)) for d in range(1, nd + 1)]
                b = (
                    "<table>"
                    + "".join("<tr>%s</tr>" % "".join(c[i : i + 7]) for i in range(0, len(c), 7))
                    + "</table><p>"
                )
                if (y, m) > (Y0, 1):
                    b += '<a href="%s">&lt;</a> ' % (cu(y, m - 1) if m > 1 else cu(y - 1, 13))
                if (y, m) < (Y1, 13):
                    b += '<a href="%s">&gt;</a>' % (cu(y, m + 1) if m < 13 else cu(y + 1, 1))
                return wrap("%s %d" % (s[2], y), b + "</p>")
        return nf("ገጹ አልተገኘም")

    return respond


# ---------------------------------------------------------------- 14  Factor tables up to 100 000: numbers only
def _en():
    N = 100000
    spf = list(range(N))
    for i in range(2, 317):
        if spf[i] == i:
            for j in range(i * i, N, i):
                if spf[j] == j:
                    spf[j] = i

    def fac(n):
        out = []
        while n > 1:
            out.append(spf[n])
            n //= spf[n]
        return ".".join(map(str, out)) or "1"

    def f(k):
        return "%06d.html" % (k * 100)

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return ok(
                "<HTML><TITLE>Factor Table</TITLE><H3>0 - 99999</H3><PRE>\n"
                + "\n".join('<A HREF="t/%s">%6d</A>' % (f(k), k * 100) for k in range(0, 1000, 100))
                + "\n</PRE></HTML>"
            )
        if p.startswith("/t/") and p.endswith(".html"):
            n = _int0(p[3:-5], 0, N - 100, 6)
            if n is not None and n % 100 == 0:
                k = n // 100
                rows = "\n".join(
                    "  ".join("%6d %-16s" % (x, fac(x)) for x in range(n + i, n + 100, 25) if x) for i in range(25)
                )
                nav = " ".join(
                    '<A HREF="%s">%s</A>' % (f(k + d), t)
                    for d, t in (
                        (-100, "-10000"),
                        (-10, "-1000"),
                        (-1, "-100"),
                        (1, "+100"),
                        (10, "+1000"),
                        (100, "+10000"),
                    )
                    if 0 <= k + d < 1000
                )
                return ok('<HTML><TITLE>%d</TITLE><PRE>\n%s\n\n%s <A HREF="/">0</A></PRE></HTML>' % (n, rows, nav))
        return nf("")

    return respond


# ---------------------------------------------------------------- 15  German forum with quotes (form token)
def _de():
    forums = [
        "Motor und Getriebe",
        "Elektrik",
        "Karosserie",
        "Suche und Biete",
        "Treffen",
        "Plauderecke",
        "Werkzeug",
        "Anhänger",
    ]
    nick = "Schrauber Trecker_Toni Dieselfan Karl-Heinz oldtimer59 Moosbauer Rostlaube Zylinder4 Unimogler Hofhund Fendtfreund lanz_bulldog Eicher3 Güldner Schlepperpit Waldläufer Heuwender Kurbel Nockenwelle Einspritzer".split()
    users = [n if i == 0 else "%s%d" % (n, i * 7 + 3) for i in range(4) for n in nick]
    what = [
        "Anlasser dreht nicht",
        "Ölverlust am Getriebe",
        "Welche Reifen?",
        "Kupplung rutscht",
        "Lichtmaschine lädt nicht",
        "Hydraulik zu langsam",
        "Farbton gesucht",
        "Kaltstart im Winter",
        "Typenschild fehlt",
        "Treffen im Herbst",
        "Verteilereinspritzpumpe undicht",
        "TÜV nicht bestanden",
    ]
    typ = [
        "D15",
        "F1L612",
        "Dexheimer 222",
        "Hanomag R16",
        "MAN 4R3",
        "Deutz D40",
        "Porsche Junior",
        "Allgaier A111",
        "Kramer KL11",
        "Holder A12",
    ]
    sent = [
        "Das hatte ich letztes Jahr auch.",
        "Hast du schon die Masse geprüft?",
        "Bei mir war es der Simmerring.",
        "Bilder wären hilfreich.",
        "Steht alles im Werkstatthandbuch auf Seite 44.",
        "Danke für die schnelle Antwort!",
        "Ich würde zuerst den Filter tauschen.",
        "Das Teil gibt es leider nicht mehr neu.",
        "Probier es mal mit einem Dichtring aus Kupfer.",
        "Am Wochenende schaue ich nach.",
        "Läuft wieder, vielen Dank an alle.",
        "So ein Quatsch, das hält nie.",
        "Hier noch ein Foto von der anderen Seite.",
    ]
    topics = []
    for i in range(210):
        r = R("de", i)
        topics.append((i % 8 + 1, "%s: %s" % (r.choice(typ), r.choice(what)), min(110, int(r.expovariate(1 / 22)) + 1)))

    def post(t, n):
        r = R("dep", t, n)
        u = r.randrange(len(users))
        txt = " ".join(r.sample(sent, r.randint(1, 3)))
        quo = n - r.randint(1, min(4, n)) if n and r.random() < 0.45 else None
        return u, txt, quo

    def tu(t, n=0):
        s = n // 10 * 10
        return "./viewtopic.php?f=%d&amp;t=%d" % (topics[t][0], t + 100) + ("&amp;start=%d" % s if s else "")

    def fu(f, s=0):
        return "./viewforum.php?f=%d" % f + ("&amp;start=%d" % s if s else "")

    def pu(u):
        return "./memberlist.php?mode=viewprofile&amp;u=%d" % (u + 50)

    def wrap(t, b):
        tok = hashlib.sha1(str(random.random()).encode()).hexdigest()
        nav = '<div class="navbar"><ul class="linklist"><li><a href="./">Foren-Übersicht</a></li><li><a href="./memberlist.php">Mitglieder</a></li><li><a href="./faq.php">FAQ</a></li></ul></div>'
        return ok(
            '<!DOCTYPE html>\n<html dir="ltr" lang="de">\n<head>\n<meta charset="utf-8" />\n<title>Schlepperforum - %s</title>\n<script>var phpbb={};</script></head>\n<body id="phpbb" class="section-viewtopic">\n<div id="wrap">%s<div id="page-body">\n<h2>%s</h2>\n%s\n'
            '<form action="./ucp.php?mode=login" method="post"><input type="hidden" name="creation_time" value="%d" /><input type="hidden" name="form_token" value="%s" /><input type="submit" value="Anmelden" /></form></div>'
            '<div class="copyright">Alle Zeiten sind UTC+01:00<br>Powered by phpBB® Forum Software © phpBB Limited</div></div></body></html>'
            % (t, nav, t, b, random.randrange(1600000000, 1700000000), tok)
        )

    def pages(n, per, url, cur):
        k = (n + per - 1) // per
        if k < 2:
            return ""
        out = []
        for i in range(k):
            out.append("<strong>%d</strong>" % (i + 1) if i == cur else '<a href="%s">%d</a>' % (url(i * per), i + 1))
        if cur + 1 < k:
            out.append('<a href="%s" rel="next">Nächste</a>' % url((cur + 1) * per))
        return '<div class="pagination">%s</div>' % " ".join(out)

    def respond(path):
        p, q = _split(path)
        if p in ("/", "/index.php"):
            if p != "/":
                return redir("/", 301)
            return wrap(
                "Foren-Übersicht",
                "<ul>"
                + "".join(
                    '<li><a href="%s" class="forumtitle">%s</a></li>' % (fu(i + 1), x) for i, x in enumerate(forums)
                )
                + "</ul>",
            )
        if p == "/faq.php":
            return wrap("FAQ", '<p>Bitte zuerst lesen. <a href="./index.php">Zurück</a></p>')
        st = _int(q.get("start", "0"), 0, 5000)
        if st is None:
            return nf("Ungültig")
        if p == "/viewforum.php":
            f = _int(q.get("f"), 1, 8)
            mine = [i for i, t in enumerate(topics) if t[0] == f]
            if f and st < len(mine):
                b = (
                    "<ul>"
                    + "".join(
                        '<li><a href="%s" class="topictitle">%s</a> (%d Antworten) <a href="%s#p%d">Letzter Beitrag</a></li>'
                        % (tu(i), topics[i][1], topics[i][2] - 1, tu(i, topics[i][2] - 1), i * 200 + topics[i][2] - 1)
                        for i in mine[st : st + 15]
                    )
                    + "</ul>"
                )
                return wrap(forums[f - 1], b + pages(len(mine), 15, lambda s: fu(f, s), st // 15))
        if p == "/viewtopic.php":
            t = _int(q.get("t"), 100, 99 + len(topics))
            if t:
                t -= 100
                n = topics[t][2]
                if st < n:
                    b = '<p><a href="%s">%s</a></p>' % (fu(topics[t][0]), forums[topics[t][0] - 1]) + pages(
                        n, 10, lambda s: tu(t, s), st // 10
                    )
                    for k in range(st, min(st + 10, n)):
                        u, txt, quo = post(t, k)
                        b += '<div id="p%d" class="post"><a href="%s" class="username">%s</a><div class="content">' % (
                            t * 200 + k,
                            pu(u),
                            users[u],
                        )
                        if quo is not None:
                            qu, qt, qq = post(t, quo)
                            if qq is not None:
                                w = post(t, qq)
                                qt = (
                                    "<blockquote><cite>%s hat geschrieben:</cite>%s</blockquote>" % (users[w[0]], w[1])
                                    + qt
                                )
                            b += (
                                '<blockquote><div><cite>%s hat geschrieben: <a href="%s#p%d">↑</a></cite>%s</div></blockquote>'
                                % (users[qu], tu(t, quo), t * 200 + quo, qt)
                            )
                        b += txt + "</div></div>\n"
                    return wrap(topics[t][1], b)
        if p == "/memberlist.php":
            if q.get("mode") == "viewprofile":
                u = _int(q.get("u"), 50, 49 + len(users))
                if u:
                    r = R("deu", u)
                    return wrap(
                        "Profil von " + users[u - 50],
                        "<dl><dt>Beiträge</dt><dd>%d</dd><dt>Wohnort</dt><dd>%s</dd><dt>Dabei seit</dt><dd>%d</dd></dl>"
                        % (
                            r.randint(3, 900),
                            r.choice(["Allgäu", "Eifel", "Lüneburger Heide", "Oberpfalz", "Hunsrück"]),
                            r.randint(2004, 2019),
                        ),
                    )
            elif "mode" not in q and st < len(users):
                return wrap(
                    "Mitglieder",
                    "<ul>"
                    + "".join(
                        '<li><a href="%s">%s</a></li>' % (pu(i), users[i]) for i in range(st, min(st + 20, len(users)))
                    )
                    + "</ul>"
                    + pages(len(users), 20, lambda s: "./memberlist.php" + ("?start=%d" % s if s else ""), st // 20),
                )
        return nf("Das angeforderte Thema existiert nicht.")

    return respond


# ---------------------------------------------------------------- 16  French town figures: everything inside <script>
def _fr():
    a = "Saint-Martin Villeneuve Montreuil Beaumont Chantenay Rochefort Clairvaux Fontenay La-Chapelle Bellegarde Aubigny Neuville Châteauneuf Pont Verneuil Ligny".split()
    b = "sur-Loire le-Vieux en-Forêt les-Bains du-Lac aux-Bois la-Rivière sous-Bois".split()
    com = []
    for i in range(126):
        r = R("fr", i)
        com.append(("%02d%03d" % (36 + i // 32, i % 32 * 7 + 3), a[i % 16] + "-" + b[(i // 16 + i) % 8]))
    tabs = ["population", "logement", "emploi", "revenus", "entreprises", "tourisme", "elections"]
    byc = {c: i for i, (c, n) in enumerate(com)}

    def wrap(title, nav, data):
        return ok(
            '<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>Chiffres clés</title><link rel="preload" href="/static/app.8f3c1.js" as="script"></head><body><div id="app"></div><nav hidden>%s</nav>'
            '<script>window.__INITIAL_STATE__=%s;</script><script src="/static/app.8f3c1.js"></script></body></html>'
            % (nav, json.dumps(data, ensure_ascii=False, separators=(",", ":")))
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        deps = sorted({c[:2] for c, n in com})
        if p == "/":
            return wrap(
                "",
                "".join('<a href="/departement/%s">%s</a>' % (d, d) for d in deps),
                {"page": "accueil", "maj": "2019-06-24"},
            )
        if s[0] == "departement" and len(s) == 2 and s[1] in deps:
            return wrap(
                "",
                '<a href="/"></a>' + "".join('<a href="/commune/%s"></a>' % c for c, n in com if c[:2] == s[1]),
                {"page": "departement", "code": s[1], "communes": [{"c": c, "n": n} for c, n in com if c[:2] == s[1]]},
            )
        if s[0] == "commune" and len(s) == 2 and s[1] in byc:
            i = byc[s[1]]
            if "onglet" in q and q["onglet"] not in tabs:
                return nf("Page introuvable")
            o = q.get("onglet")
            nav = '<a href="/departement/%s"></a>' % s[1][:2] + "".join('<a href="?onglet=%s"></a>' % t for t in tabs)
            r = R("frd", i, o)
            d = {"page": "commune", "code": s[1], "nom": com[i][1]}
            if o:
                d["onglet"] = o
                d["series"] = [
                    {"annee": y, "v": [r.randint(10, 4000) for _ in range(5)]} for y in (1999, 2008, 2013, 2018)
                ]
            return wrap("", nav, d)
        return nf("Page introuvable")

    return respond


# ---------------------------------------------------------------- 17  Japanese postcodes: indexes of indexes, Shift_JIS
def _ja():
    S = "text/html; charset=shift_jis"
    pref = (
        "北海道 青森県 岩手県 宮城県 秋田県 山形県 福島県 茨城県 栃木県 群馬県 埼玉県 千葉県 東京都 神奈川県 新潟県 富山県 石川県 福井県 山梨県 長野県 岐阜県 静岡県 愛知県 三重県 "
        "滋賀県 京都府 大阪府 兵庫県 奈良県 和歌山県 鳥取県 島根県 岡山県 広島県 山口県 徳島県 香川県 愛媛県 高知県 福岡県 佐賀県 長崎県 熊本県 大分県 宮崎県 鹿児島県 沖縄県"
    ).split()
    c1 = "大 小 高 新 上 下 中 東 西 南 北 松 竹 梅 桜 青".split()
    c2 = "山 川 田 原 野 島 崎 沢 谷 森 浜 津 橋 井".split()
    t3 = "本町 栄町 旭町 緑ヶ丘 元町 中央 港町 幸町 末広町 若葉台 曙町 寺町 駅前 新町".split()

    def cities(i):
        r = R("ja", i)
        return [
            x + r.choice(["市", "市", "町", "村"]) for x in dict.fromkeys(r.choice(c1) + r.choice(c2) for _ in range(5))
        ]

    def towns(i, j):
        return R("jat", i, j).sample(t3, R("jan", i, j).randint(3, 7))

    kana = "あ か さ た な は ま や ら わ".split()

    def wrap(t, b):
        return ok(
            '<html lang="ja"><head><meta http-equiv="content-type" content="text/html; charset=Shift_JIS"><title>%s</title></head><body text="#000000" link="#0000cc"><font size="+1"><b>%s</b></font><br>%s<hr size="1"><a href="/">トップへ</a></body></html>'
            % (t, t, b),
            S,
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        if p == "/":
            return wrap(
                "郵便番号のさくいん",
                "<table>"
                + "".join('<tr><td><a href="/%02d/">%s</a></td></tr>' % (i + 1, x) for i, x in enumerate(pref))
                + "</table>",
            )
        i = _int0(s[0], 1, 47, 2)
        if i:
            cs = cities(i)
            if s[1:] == [""]:
                return wrap(
                    pref[i - 1],
                    "<ol>"
                    + "".join('<li><a href="%02d/">%s</a></li>' % (j + 1, x) for j, x in enumerate(cs))
                    + "</ol>",
                )
            j = _int0(s[1], 1, len(cs), 2) if len(s) == 3 else None
            if j:
                ts = towns(i, j)
                if s[2] == "":
                    return wrap(
                        pref[i - 1] + cs[j - 1],
                        "".join('<a href="%d.html">%s</a><br>' % (k + 1, x) for k, x in enumerate(ts))
                        + '<a href="../">%s</a>' % pref[i - 1],
                    )
                if s[2].endswith(".html"):
                    k = _int(s[2][:-5], 1, len(ts))
                    if k:
                        return wrap(
                            pref[i - 1] + cs[j - 1] + ts[k - 1],
                            '〒%02d%d-%02d%02d<br><a href="./">%s</a>'
                            % (i, j, R("jaz", i, j).randint(0, 99), k, cs[j - 1]),
                        )
        return nf("ページがありません", S)

    return respond


# ---------------------------------------------------------------- 18  Spanish open data: JSON documents
def _es():
    est = {}
    nom = "Retiro Vallecas Moratalaz Arturo_Soria Cuatro_Caminos Barajas Villaverde Farolillo Sanchinarro El_Pardo Ensanche Urbanización Casa_de_Campo Tres_Olivos Juan_Carlos_I Castellana Méndez_Álvaro Escuelas_Aguirre Plaza_Elíptica Cuatro_Vientos".split()
    for i, n in enumerate(nom):
        est["E%03d" % (4 + 3 * i)] = n.replace("_", " ")
    ids = sorted(est)
    mon = ["%d-%02d" % (y, m) for y in (2015, 2016, 2017, 2018) for m in range(1, 13)]

    def start(e):
        return R("es", e).choice([0, 0, 0, 5, 14, 27])

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>%s · Datos abiertos</title><meta property="og:title" content="%s"></head><body class="node"><header><a href="/">Datos abiertos</a> <a href="/api">API</a> <a href="/licencia">Licencia</a></header><main><h1>%s</h1>%s</main>'
            "<aside><p>Los datos se publican mensualmente con una semana de retraso. Las mediciones son provisionales hasta su validación definitiva por el servicio de calidad del aire.</p></aside></body></html>"
            % (t, t, t, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        if p == "/":
            return wrap(
                "Calidad del aire",
                "<ul>" + "".join('<li><a href="/estacion/%s">%s</a></li>' % (e, est[e]) for e in ids) + "</ul>",
            )
        if p == "/licencia":
            return wrap("Licencia", "<p>Reutilización libre citando la fuente.</p>")
        if p == "/api":
            return wrap(
                "API",
                '<p>Ejemplo: <code>/api/v1/mediciones.json?estacion=E004&amp;mes=2015-01</code></p><p><a href="/api/v1/estaciones.json">Lista de estaciones</a></p>',
            )
        if p == "/api/v1/estaciones.json":
            return ok(
                json.dumps(
                    [{"id": e, "nombre": est[e], "href": "/api/v1/estaciones/%s.json" % e} for e in ids],
                    ensure_ascii=False,
                ),
                J,
            )
        if s[0] == "estacion" and len(s) == 2 and s[1] in est:
            e = s[1]
            return wrap(
                est[e],
                '<p><a href="/api/v1/estaciones/%s.json">JSON</a></p><table>' % e
                + "".join(
                    '<tr><td>%s</td><td><a href="/api/v1/mediciones.json?estacion=%s&amp;mes=%s">JSON</a></td></tr>'
                    % (m, e, m)
                    for m in mon[start(e) :]
                )
                + "</table>",
            )
        if s[:3] == ["api", "v1", "estaciones"] and len(s) == 4 and s[3].endswith(".json") and s[3][:-5] in est:
            e = s[3][:-5]
            return ok(
                json.dumps(
                    {
                        "id": e,
                        "nombre": est[e],
                        "lat": round(40.3 + R(e).random() / 5, 5),
                        "lon": round(-3.8 + R(e, 1).random() / 5, 5),
                        "desde": mon[start(e)],
                    },
                    ensure_ascii=False,
                ),
                J,
            )
        if p == "/api/v1/mediciones.json":
            e, m = q.get("estacion"), q.get("mes")
            if e in est and m in mon[start(e) :]:
                i = mon.index(m)
                r = R("esm", e, m)
                y, mm = map(int, m.split("-"))
                n = (dt.date(y + mm // 12, mm % 12 + 1, 1) - dt.date(y, mm, 1)).days
                return ok(
                    json.dumps(
                        {
                            "estacion": e,
                            "mes": m,
                            "no2": [r.randint(8, 90) for _ in range(n)],
                            "pm10": [r.randint(5, 60) for _ in range(n)],
                            "siguiente": "/api/v1/mediciones.json?estacion=%s&mes=%s" % (e, mon[i + 1])
                            if i + 1 < len(mon)
                            else None,
                        }
                    ),
                    J,
                )
            return 404, J, b'{"error":"no encontrado"}'
        return nf("No encontrado")

    return respond


# ---------------------------------------------------------------- 19  Polish ship's diary: one long chain
def _pl():
    r = R("pl")
    d = dt.date(1931, 3, 2)
    days = []
    while len(days) < 640:
        days.append(d)
        d += dt.timedelta(r.choice([1, 1, 1, 1, 2, 3, 6]))
    pos = {x.isoformat(): i for i, x in enumerate(days)}
    a = [
        "Wiatr północno-zachodni, 5 stopni.",
        "Cisza, żagle wiszą.",
        "Sztorm od rana, załoga na pokładzie.",
        "Mgła, dzwon co dwie minuty.",
        "Morze spokojne, słońce.",
        "Deszcz, widzialność zła.",
    ]
    b = [
        "Kucharz zachorował.",
        "Przebyto 112 mil.",
        "Naprawiono ster.",
        "Minęliśmy parowiec duński.",
        "Bosman wydał nowe liny.",
        "Zapas wody wystarczy na trzy tygodnie.",
        "W porcie załadowano drewno.",
        "Kapitan pisał listy.",
        "Złowiono dwa dorsze.",
        "Zmiana wachty bez uwag.",
    ]
    m = "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split()

    def respond(path):
        p, q = _split(path)
        top = '<!DOCTYPE html><html lang="pl"><head><meta charset="utf-8"><title>Dziennik okrętowy „Wilia”</title></head><body>'
        if p == "/":
            return ok(
                top
                + '<h1>Dziennik okrętowy „Wilia” 1931–1935</h1><p>Przepisany przez wnuczkę kapitana, wpis po wpisie.</p><p><a href="/wpis/%s">Zacznij czytać</a></p></body></html>'
                % days[0]
            )
        if p.startswith("/wpis/") and p[6:] in pos:
            i = pos[p[6:]]
            x = days[i]
            rr = R("plw", i)
            out = top + "<h2>%d %s %d</h2><p>%s %s</p><p>" % (
                x.day,
                m[x.month - 1],
                x.year,
                rr.choice(a),
                " ".join(rr.sample(b, rr.randint(1, 3))),
            )
            if i:
                out += '<a href="/wpis/%s" rel="prev">poprzedni</a> ' % days[i - 1]
            if i + 1 < len(days):
                out += '<a href="/wpis/%s" rel="next">następny</a>' % days[i + 1]
            return ok(out + "</p></body></html>")
        return nf("Nie ma takiej strony")

    return respond


# ---------------------------------------------------------------- 20  Indian villages: the same pages in seven languages
def _in():
    lab = {
        "hi": ("हिन्दी", "गाँव", "जनसंख्या", "क्षेत्रफल", "विद्यालय", "तहसील", "मुखपृष्ठ"),
        "mr": ("मराठी", "गाव", "लोकसंख्या", "क्षेत्रफळ", "शाळा", "तालुका", "मुखपृष्ठ"),
        "gu": ("ગુજરાતી", "ગામ", "વસ્તી", "વિસ્તાર", "શાળા", "તાલુકો", "મુખ્ય પાનું"),
        "bn": ("বাংলা", "গ্রাম", "জনসংখ্যা", "আয়তন", "বিদ্যালয়", "তহশিল", "প্রধান পাতা"),
        "te": ("తెలుగు", "గ్రామం", "జనాభా", "విస్తీర్ణం", "పాఠశాల", "మండలం", "మొదటి పేజీ"),
        "kn": ("ಕನ್ನಡ", "ಗ್ರಾಮ", "ಜನಸಂಖ್ಯೆ", "ವಿಸ್ತೀರ್ಣ", "ಶಾಲೆ", "ತಾಲೂಕು", "ಮುಖಪುಟ"),
        "en": ("English", "Village", "Population", "Area", "School", "Tehsil", "Home"),
    }
    sy1 = "Ram Kishan Shiv Dev Madho Bhim Gopal Hari Jai Lakshmi Chand Nand".split()
    sy2 = "pur garh nagar wadi gaon khera".split()
    vil = [(a + b).lower() for a in sy1 for b in sy2]
    teh = [vil[i : i + 12] for i in range(0, 72, 12)]

    def wrap(l, tail, t, b):
        sw = " | ".join(
            '<a href="/%s%s" hreflang="%s">%s</a>' % (k, tail, k, v[0]) if k != l else "<b>%s</b>" % v[0]
            for k, v in lab.items()
        )
        return ok(
            '<!DOCTYPE html><html lang="%s"><head><meta charset="utf-8"><title>%s</title>%s</head><body><div class="lang">%s</div><p><a href="/%s/">%s</a></p><h1>%s</h1>%s</body></html>'
            % (
                l,
                t,
                "".join('<link rel="alternate" hreflang="%s" href="/%s%s">' % (k, k, tail) for k in lab),
                sw,
                l,
                lab[l][6],
                t,
                b,
            )
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        if p == "/":
            return redir("/hi/")
        l = s[0]
        if l in lab:
            w = lab[l]
            if s[1:] == [""]:
                return wrap(
                    l,
                    "/",
                    w[1],
                    "<ul>"
                    + "".join('<li><a href="/%s/tehsil-%d">%s %d</a></li>' % (l, i + 1, w[5], i + 1) for i in range(6))
                    + "</ul>",
                )
            if len(s) == 2 and s[1].startswith("tehsil-"):
                i = _int(s[1][7:], 1, 6)
                if i:
                    return wrap(
                        l,
                        "/" + s[1],
                        "%s %d" % (w[5], i),
                        "<ul>"
                        + "".join('<li><a href="/%s/%s">%s</a></li>' % (l, v, v.title()) for v in teh[i - 1])
                        + "</ul>",
                    )
            if len(s) == 2 and s[1] in vil:
                r = R("in", s[1])
                i = vil.index(s[1])
                b = (
                    '<table><tr><th>%s</th><td>%d</td></tr><tr><th>%s</th><td>%d ha</td></tr><tr><th>%s</th><td>%d</td></tr></table><p><a href="/%s/tehsil-%d">%s</a></p>'
                    % (
                        w[2],
                        r.randint(120, 7000),
                        w[3],
                        r.randint(60, 900),
                        w[4],
                        r.randint(0, 3),
                        l,
                        i // 12 + 1,
                        w[5],
                    )
                )
                return wrap(l, "/" + s[1], "%s %s" % (w[1], s[1].title()), b)
        return nf("404")

    return respond


# ---------------------------------------------------------------- 21  Arabic library catalogue: books only through facets
def _ar():
    arts = "فقه حديث تفسير نحو شعر تاريخ طب فلك حساب رحلات منطق تصوف".split()
    first = "كتاب شرح مختصر رسالة حاشية ديوان مقدمة نزهة تحفة كشف".split()
    second = "البيان الأصول المسائل الأدب النجوم الأبدان الأخبار البلدان اللغة العلوم القلوب الحساب".split()
    auth = [
        "ابن %s %s" % (a, b)
        for a in "يوسف عمر سعيد حسن خالد طاهر".split()
        for b in "البغدادي الأندلسي المصري الدمشقي المكي القيرواني الشيرازي".split()
    ]
    books = []
    for i in range(620):
        r = R("ar", i)
        a = r.randrange(len(auth))
        books.append(
            ("%s %s في %s" % (r.choice(first), r.choice(second), r.choice(second)), a, 2 + a % 12, r.choice(arts))
        )

    def lu(**k):
        return "/" + Q("كتب") + ("?" + "&amp;".join("%s=%s" % (Q(a), Q(str(b))) for a, b in k.items()) if k else "")

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="ar" dir="rtl"><head><meta charset="utf-8"><title>%s</title></head><body><header class="site-header"><a href="/">خزانة المخطوطات</a><form action="/%s"><input name="%s"></form></header>%s<footer>جميع الحقوق محفوظة لخزانة المخطوطات</footer></body></html>'
            % (t, Q("بحث"), Q("كلمة"), b)
        )

    def respond(path):
        p, q = _split(path)
        if p == "/":
            return wrap(
                "خزانة المخطوطات", '<p>فهرس فيه %d مخطوطا.</p><p><a href="%s">تصفح الفهرس</a></p>' % (len(books), lu())
            )
        if p == "/كتب":
            c = _int(q["قرن"], 2, 13) if "قرن" in q else 0
            f, a = q.get("فن"), q.get("مؤلف")
            if c is None or (a is not None and a not in auth):
                return nf("لا نتائج")
            hit = [
                i
                for i, b in enumerate(books)
                if (not c or b[2] == c) and (f is None or b[3] == f) and (a is None or auth[b[1]] == a)
            ]
            if not hit:
                return nf("لا نتائج")
            o = '<div class="facets">'
            if a is None:
                if f is None:
                    for x in arts:
                        n = sum(books[i][3] == x for i in hit)
                        if n:
                            o += '<a href="%s">%s (%d)</a> ' % (lu(**({"قرن": c} if c else {}), **{"فن": x}), x, n)
                if not c:
                    for x in range(2, 14):
                        n = sum(books[i][2] == x for i in hit)
                        if n:
                            o += '<a href="%s">القرن %d (%d)</a> ' % (
                                lu(**{"قرن": x}, **({"فن": f} if f else {})),
                                x,
                                n,
                            )
                if c and f is None:
                    for x in sorted({books[i][1] for i in hit}):
                        o += '<a href="%s">%s</a> ' % (lu(**{"مؤلف": auth[x]}), auth[x])
            o += '<a href="%s">إزالة التصفية</a></div>' % lu()
            if (c and f) or a:
                o += (
                    "<ol>"
                    + "".join(
                        '<li><a href="%s?%s=%d">%s</a></li>' % (Q("/مخطوط"), Q("رقم"), i + 1, books[i][0]) for i in hit
                    )
                    + "</ol>"
                )
            else:
                o += "<p>%d مخطوطا، اختر تصفية أخرى.</p>" % len(hit)
            return wrap("الفهرس", o)
        if p == "/مخطوط":
            i = _int(q.get("رقم"), 1, len(books))
            if i:
                t, a, c, f = books[i - 1]
                r = R("arb", i)
                return wrap(
                    t,
                    '<h1>%s</h1><table><tr><td>المؤلف</td><td><a href="%s">%s</a></td></tr><tr><td>القرن</td><td>%d هـ</td></tr><tr><td>الفن</td><td>%s</td></tr><tr><td>الأوراق</td><td>%d</td></tr><tr><td>نسخ سنة</td><td>%d هـ</td></tr></table>'
                    % (t, lu(**{"مؤلف": auth[a]}), auth[a], c, f, r.randint(14, 390), c * 100 + r.randint(0, 150)),
                )
        return nf("الصفحة غير موجودة")

    return respond


# ---------------------------------------------------------------- 22  Chinese go games, one page per move
def _zh():
    N = 19
    names = [
        ("范西屏", "施襄夏"),
        ("黄龙士", "徐星友"),
        ("吴清源", "木谷实"),
        ("顾水如", "刘棣怀"),
        ("过惕生", "陈祖德"),
        ("周懒予", "汪汉年"),
        ("梁魏今", "程兰如"),
    ]

    def play(seed, n):
        r = R("zh", seed)
        bd, out, moves = {}, [], []
        nb = {
            (x, y): [(a, b) for a, b in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if 0 <= a < N and 0 <= b < N]
            for x in range(N)
            for y in range(N)
        }

        def dead(p):
            c, seen, todo = bd[p], {p}, [p]
            while todo:
                for z in nb[todo.pop()]:
                    if z not in bd:
                        return None
                    if bd[z] == c and z not in seen:
                        seen.add(z)
                        todo.append(z)
            return seen

        last = (15, 3)
        for k in range(n):
            col = k % 2
            for _ in range(60):
                if r.random() < 0.7:
                    p = (min(N - 1, max(0, last[0] + r.randint(-3, 3))), min(N - 1, max(0, last[1] + r.randint(-3, 3))))
                else:
                    p = (r.randint(2, 16), r.randint(2, 16))
                if p in bd:
                    continue
                bd[p] = col
                cap = set()
                for z in nb[p]:
                    if z in bd and bd[z] != col:
                        cap |= dead(z) or set()
                if not cap and dead(p):
                    del bd[p]
                    continue
                for z in cap:
                    del bd[z]
                last = p
                break
            moves.append(last)
            out.append(
                "\n".join("".join("┼" if (x, y) not in bd else "●○"[bd[x, y]] for x in range(N)) for y in range(N))
            )
        return out, moves

    games = [(b, w) + play(i, R("zhn", i).randint(150, 240)) for i, (b, w) in enumerate(names)]

    def u(g, k):
        return Q("/棋谱/%d/第%d手" % (g + 1, k))

    def respond(path):
        p, q = _split(path)
        s = p.split("/")
        if p == "/":
            return ok(
                '<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>古今名局</title></head><body><h1>古今名局</h1><ul>'
                + "".join(
                    '<li><a href="%s">%s 对 %s</a>(%d手)</li>' % (Q("/棋谱/%d" % (i + 1)), g[0], g[1], len(g[2]))
                    for i, g in enumerate(games)
                )
                + "</ul></body></html>"
            )
        if len(s) in (3, 4) and s[1] == "棋谱":
            g = _int(s[2], 1, len(games))
            if g:
                b, w, bd, mv = games[g - 1]
                n = len(bd)
                if len(s) == 3:
                    return ok(
                        '<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>%s 对 %s</title></head><body><p>黑:%s<br>白:%s<br>%s</p><p><a href="%s">开始</a> <a href="%s">终局</a></p><p><a href="/">目录</a></p></body></html>'
                        % (b, w, b, w, ["白胜半子", "黑胜二子", "黑中盘胜"][g % 3], u(g - 1, 1), u(g - 1, n))
                    )
                k = _int(s[3][1:-1], 1, n) if s[3][:1] == "第" and s[3][-1:] == "手" else None
                if k:
                    a = [(k - 10, "«"), (k - 1, "‹"), (k + 1, "›"), (k + 10, "»")]
                    return ok(
                        '<!DOCTYPE html><html lang="zh-CN"><head><meta charset="utf-8"><title>第%d手</title><style>pre{line-height:1}</style></head><body><pre>%s</pre><p>%s%s</p><p>%s <a href="%s">棋谱</a></p></body></html>'
                        % (
                            k,
                            bd[k - 1],
                            "黑白"[(k - 1) % 2],
                            "ABCDEFGHJKLMNOPQRST"[mv[k - 1][0]] + str(19 - mv[k - 1][1]),
                            " ".join('<a href="%s">%s</a>' % (u(g - 1, j), t) for j, t in a if 1 <= j <= n),
                            Q("/棋谱/%d" % g),
                        )
                    )
        return nf("页面不存在")

    return respond


# ---------------------------------------------------------------- 23  Hebrew podcast: feeds, sitemaps, transcripts
def _he():
    cats = ["היסטוריה", "מדע", "ספרות", "מוזיקה", "טבע", "כלכלה"]
    sub = "המים הלחם הזמן הזיכרון המדבר הים השפה הכסף הציפורים העיר המכונה הירח".split()
    pat = ["תולדות %s", "איך עובד %s", "שיחה על %s", "מי המציא את %s", "%s, חלק שני", "המדריך אל %s", "סודות %s"]
    sent = [
        "היום אנחנו מדברים עם אורחת מיוחדת.",
        "השאלה הזאת מעסיקה חוקרים כבר מאה שנה.",
        "אפשר למצוא קישורים בתיאור הפרק.",
        "תודה לכל המאזינים ששלחו הודעות.",
        "נחזור אחרי הפסקה קצרה.",
        "יש על זה ספר מצוין משנות השבעים.",
        "בואו נתחיל מההתחלה.",
        "זה לא כל כך פשוט.",
    ]
    eps = [
        (
            R("he", i).choice(cats),
            R("het", i).choice(pat) % R("hes", i).choice(sub),
            dt.date(2012, 1, 8) + dt.timedelta(7 * i),
        )
        for i in range(372)
    ]

    def eu(i):
        return Q("/פרק/%d" % (i + 1))

    def wrap(t, b, feed="/feed.xml"):
        return ok(
            '<!DOCTYPE html>\n<html dir="rtl" lang="he-IL">\n<head>\n<meta charset="UTF-8">\n<title>%s - רדיו קטן</title>\n<link rel="alternate" type="application/rss+xml" href="%s">\n<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite","name":"רדיו קטן"}</script>\n</head>\n<body class="wp">\n<div class="menu">%s <a href="/feed.xml">RSS</a> <a href="/sitemap.xml">מפת אתר</a></div>\n<h1>%s</h1>\n%s\n<div class="widget"><h3>על הפודקאסט</h3><p>רדיו קטן הוא פודקאסט שבועי על דברים קטנים. חדש בכל יום ראשון.</p></div>\n</body></html>'
            % (t, feed, " ".join('<a href="%s">%s</a>' % (Q("/נושא/" + c), c) for c in cats), t, b)
        )

    def rss(t, ii):
        return ok(
            '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel><title>%s</title>' % t
            + "".join(
                "<item><title>%s</title><link>%s</link><guid>%d</guid><pubDate>%s</pubDate></item>"
                % (eps[i][1], eu(i), i + 1, eps[i][2].strftime("%a, %d %b %Y 06:00:00 +0200"))
                for i in ii
            )
            + "</channel></rss>",
            X,
        )

    def listing(t, ii, base, q, feed):
        n = (len(ii) + 11) // 12
        k = _int(q.get("page", "1"), 1, n)
        if not k:
            return nf("הדף לא נמצא")
        b = "".join(
            '<div class="ep"><a href="%s">%s</a> <span>%s</span></div>'
            % (eu(i), eps[i][1], eps[i][2].strftime("%d.%m.%Y"))
            for i in ii[12 * k - 12 : 12 * k]
        )
        if k > 1:
            b += '<a href="%s">חדשים יותר</a> ' % (base + ("?page=%d" % (k - 1) if k > 2 else ""))
        if k < n:
            b += '<a href="%s?page=%d">ישנים יותר</a>' % (base, k + 1)
        return wrap(t, b + '<p><a href="%s">RSS</a></p>' % feed, feed)

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        new = list(range(len(eps)))[::-1]
        if p == "/":
            return listing("רדיו קטן", new, "/", q, "/feed.xml")
        if p == "/feed.xml":
            return rss("רדיו קטן", new[:50])
        if p == "/robots.txt":
            return ok("User-agent: *\nDisallow: /wp-admin/\nSitemap: /sitemap.xml\n", T)
        if p == "/sitemap.xml":
            return ok(
                '<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                + "".join("<sitemap><loc>/sitemap-%d.xml</loc></sitemap>" % k for k in range(1, 5))
                + "</sitemapindex>",
                X,
            )
        if p.startswith("/sitemap-") and p.endswith(".xml"):
            k = _int(p[9:-4], 1, 4)
            if k:
                return ok(
                    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
                    + "".join(
                        "<url><loc>%s</loc><lastmod>%s</lastmod></url>" % (eu(i), eps[i][2])
                        for i in range(100 * k - 100, min(100 * k, len(eps)))
                    )
                    + "</urlset>",
                    X,
                )
        if len(s) >= 2 and s[0] == "נושא" and s[1] in cats:
            mine = [i for i in new if eps[i][0] == s[1]]
            if len(s) == 2:
                return listing(s[1], mine, Q(p), q, Q(p) + "/feed.xml")
            if s[2:] == ["feed.xml"]:
                return rss(s[1], mine)
        if s[0] == "פרק" and len(s) in (2, 3):
            i = _int(s[1], 1, len(eps))
            if i:
                i -= 1
                r = R("hee", i)
                if len(s) == 2:
                    b = (
                        '<p>%s</p><p>%s</p><audio src="/mp3/%d.mp3" controls></audio><p><a href="%s">%s</a> | <a href="%s">תמליל</a></p>'
                        % (
                            eps[i][2].strftime("%d.%m.%Y"),
                            " ".join(r.sample(sent, 2)),
                            i + 1,
                            Q("/נושא/" + eps[i][0]),
                            eps[i][0],
                            eu(i) + Q("/תמליל.txt"),
                        )
                    )
                    if i:
                        b += '<a href="%s">הפרק הקודם</a> ' % eu(i - 1)
                    if i + 1 < len(eps):
                        b += '<a href="%s">הפרק הבא</a>' % eu(i + 1)
                    return wrap("פרק %d: %s" % (i + 1, eps[i][1]), b)
                if s[2] == "תמליל.txt":
                    return ok(
                        "פרק %d: %s\n\n" % (i + 1, eps[i][1])
                        + "\n".join("[%02d:%02d] %s" % (k // 4, k % 4 * 15, r.choice(sent)) for k in range(24))
                        + "\n",
                        T,
                    )
        return nf("הדף לא נמצא")

    return respond


# ---------------------------------------------------------------- 24  Georgian lottery: numbers, draws, ball statistics
def _ka():
    n = 780
    d0 = dt.date(2010, 1, 6)
    days = [d0 + dt.timedelta(3 * i + (i % 2)) for i in range(n)]
    res = [sorted(R("ka", i).sample(range(1, 43), 6)) for i in range(n)]
    ys = sorted({d.year for d in days})
    M = "იანვარი თებერვალი მარტი აპრილი მაისი ივნისი ივლისი აგვისტო სექტემბერი ოქტომბერი ნოემბერი დეკემბერი".split()

    def du(i):
        return Q("/გათამაშება/%d" % (i + 1))

    def bu(b, y=None):
        return Q("/ბურთი/%d" % b) + ("?%s=%d" % (Q("წელი"), y) if y else "")

    def yu(y):
        return Q("/წელი/%d" % y)

    def wrap(t, b):
        return ok(
            '<!DOCTYPE html><html lang="ka"><head><meta charset="utf-8"><title>%s</title><script>window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}</script></head><body><table width="100%%"><tr><td width="150">%s</td><td><h3>%s</h3>%s</td></tr></table></body></html>'
            % (t, "<br>".join(['<a href="/">6/42</a>'] + ['<a href="%s">%d</a>' % (yu(y), y) for y in ys]), t, b)
        )

    def respond(path):
        p, q = _split(path)
        s = p.split("/")[1:]
        if p == "/":
            return wrap(
                "ლოტო 6/42", "<p>" + " ".join('<a href="%s">%d</a>' % (bu(b), b) for b in range(1, 43)) + "</p>"
            )
        if len(s) == 2 and s[0] == "წელი":
            y = _int(s[1], ys[0], ys[-1])
            if y:
                return wrap(
                    str(y),
                    "<table>"
                    + "".join(
                        '<tr><td><a href="%s">%d</a></td><td>%s</td></tr>' % (du(i), i + 1, d.strftime("%d.%m"))
                        for i, d in enumerate(days)
                        if d.year == y
                    )
                    + "</table>",
                )
        if len(s) == 2 and s[0] == "გათამაშება":
            i = _int(s[1], 1, n)
            if i:
                i -= 1
                r = R("kap", i)
                b = (
                    "<p>%d %s %d</p><p>%s</p><table><tr><td>6</td><td>%d</td></tr><tr><td>5</td><td>%d</td></tr><tr><td>4</td><td>%d</td></tr></table>"
                    % (
                        days[i].day,
                        M[days[i].month - 1],
                        days[i].year,
                        " ".join('<a href="%s">%d</a>' % (bu(x), x) for x in res[i]),
                        r.random() < 0.03,
                        r.randint(0, 9),
                        r.randint(60, 300),
                    )
                )
                if i:
                    b += '<a href="%s">%d</a> ' % (du(i - 1), i)
                if i + 1 < n:
                    b += '<a href="%s">%d</a>' % (du(i + 1), i + 2)
                return wrap("№ %d" % (i + 1), b)
        if len(s) == 2 and s[0] == "ბურთი":
            b = _int(s[1], 1, 42)
            y = _int(q["წელი"], ys[0], ys[-1]) if "წელი" in q else 0
            if b and y is not None:
                if not y:
                    return wrap(
                        str(b),
                        "<table>"
                        + "".join(
                            '<tr><td><a href="%s">%d</a></td><td>%d</td></tr>'
                            % (bu(b, k), k, sum(b in res[i] for i in range(n) if days[i].year == k))
                            for k in ys
                        )
                        + "</table>",
                    )
                return wrap(
                    "%d / %d" % (b, y),
                    " ".join(
                        '<a href="%s">%d</a>' % (du(i), i + 1) for i in range(n) if days[i].year == y and b in res[i]
                    )
                    + "<p>%s</p>"
                    % " ".join('<a href="%s">%d</a>' % (bu(k, y), k) for k in (b - 1, b + 1) if 1 <= k <= 42),
                )
        return nf("გვერდი ვერ მოიძებნა")

    return respond


HONEST = [
    ("fi_map_sheets", _fi()),
    ("vi_genealogy", _vi()),
    ("th_temple_calendar", _th()),
    ("uk_dictionary", _uk()),
    ("sw_bus_timetable", _sw()),
    ("ur_hijri_weekly", _ur()),
    ("hy_manuscripts", _hy()),
    ("ta_booth_results", _ta()),
    ("pt_screw_variants", _pt()),
    ("el_law_versions", _el()),
    ("ko_baseball", _ko()),
    ("is_weather_logs", _is()),
    ("am_saints_ring", _am()),
    ("en_factor_tables", _en()),
    ("de_forum", _de()),
    ("fr_script_data", _fr()),
    ("ja_postcodes", _ja()),
    ("es_json_api", _es()),
    ("pl_ship_diary", _pl()),
    ("in_seven_languages", _in()),
    ("ar_facet_catalogue", _ar()),
    ("zh_go_moves", _zh()),
    ("he_podcast_feeds", _he()),
    ("ka_lottery", _ka()),
]
