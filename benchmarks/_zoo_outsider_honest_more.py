"""More honest sites of an outsider, from laws to a concordance (see `_zoo_outsider`)."""

from __future__ import annotations

import json
import math
from datetime import date, timedelta
from hashlib import md5
from itertools import pairwise
from random import Random
from urllib.parse import quote

from _zoo import HTML, Answer, Asked, Site, honest
from _zoo_honest import _split
from _zoo_outsider import anchor, doc, pager, rare, slug, table, text, ul, words, xml

OUTSIDER_HONEST_MORE: list[Site] = []


@honest(OUTSIDER_HONEST_MORE)
def lovsamling(asked: Asked) -> Answer:
    """Danish laws: versions of a paragraph by date. They differ in one word, or in nothing but the date."""
    parts, lang = asked.segments, "da"
    if not parts:
        return doc("Lovsamling", ul((f"/lov/{n}/", f"Lov nr. {n}") for n in range(101, 121)), lang, 1)
    n = int(parts[1])
    pars = asked.of("lov", n).randint(15, 30)
    if len(parts) == 2:
        return doc(f"Lov nr. {n}", ul((f"/lov/{n}/par-{p}/", f"§ {p}") for p in range(1, pars + 1)), lang, 1)
    p = int(parts[2][4:])
    rng = asked.of("par", n, p)
    days = sorted(f"{rng.randint(1985, 2025)}-{rng.choice(('01-01', '07-01'))}" for _ in range(rng.randint(1, 6)))
    told = text(lang, rng, rng.randint(12, 50)).split()
    if len(parts) == 4:
        at = days.index(parts[3])
        for v in range(at):
            if asked.of("v", n, p, v).random() < 0.6:
                told[asked.of("w", n, p, v).randrange(len(told))] = rare(lang, asked.of("x", n, p, v), 1)
        return doc(
            f"§ {p}",
            f"<p>Gældende fra {parts[3]}</p><p>{' '.join(told)}</p>" + ul((f"/lov/{n}/par-{p}/{d}", d) for d in days),
            lang,
            1,
        )
    links = [(f"/lov/{n}/par-{p}/{d}", d) for d in days]
    return doc(
        f"Lov {n} § {p}",
        "<p>Versioner</p>" + ul(links + ([(f"/lov/{n}/par-{p + 1}/", "næste")] if p < pars else [])),
        lang,
        1,
    )


@honest(OUTSIDER_HONEST_MORE)
def liga_rezultate(asked: Asked) -> Answer:
    """A Romanian football league: seasons, matchdays and teams, tables of the same 18 names and of figures."""
    parts, lang = asked.segments, "ro"
    teams = [slug(lang, Random(f"team{k}"), 1) + f"-{k}" for k in range(18)]
    if not parts:
        return doc("Arhiva ligii", ul((f"/sezon/{y}-{(y + 1) % 100:02}/", y) for y in range(1970, 1996)), lang, 2)
    if len(parts) == 2:
        return doc(
            f"Sezonul {parts[1]}",
            ul((f"etapa/{n}", f"Etapa {n}") for n in range(1, 35)) + ul((f"echipa/{t}", t) for t in teams),
            lang,
            2,
        )
    rng = asked.of("s", parts)
    if parts[2] == "etapa":
        n = int(parts[3])
        ts = teams[:]
        rng.shuffle(ts)
        return doc(
            f"Etapa {n}",
            table([(ts[k], f"{rng.randrange(5)}-{rng.randrange(4)}", ts[k + 1]) for k in range(0, 18, 2)])
            + ul((f"{k}", "»«") for k in (n - 1, n + 1) if 0 < k < 35),
            lang,
            2,
        )
    return doc(
        parts[3],
        table([("V", "E", "Î", "G"), (rng.randrange(20), rng.randrange(10), rng.randrange(10), rng.randrange(60))]),
        lang,
        2,
    )


@honest(OUTSIDER_HONEST_MORE)
def wiki_lich_su(asked: Asked) -> Answer:
    """A Vietnamese wiki with history, old revisions, differences between neighbouring revisions, and talk pages."""
    lang = "vi"
    if asked.path == "/":
        return doc("Wiki", ul((f"/index.php?title={_viet(asked, n)}", "trang") for n in range(0, 160, 8)), lang, 3)
    t = asked.query["title"]
    talk = t.startswith("Talk:")
    n = int(t.rsplit("_", 1)[1])
    rng = asked.of("wiki", n, talk)
    revs = [n * 1000 + talk * 500 + k * 7 for k in range(rng.randint(1, 3) if talk else rng.randint(1, 6))]
    base = f"/index.php?title={t}"
    if asked.query.get("action") == "history":
        return doc(
            f"Lịch sử của {t}",
            ul((f"{base}&oldid={v}", v) for v in revs)
            + ul((f"{base}&diff={w}&oldid={v}", "khác") for v, w in pairwise(revs)),
            lang,
            3,
        )
    v = int(asked.query.get("diff", asked.query.get("oldid", revs[-1])))
    paras = [
        text(lang, asked.of("para", n, talk, k if asked.of("ch", n, k).random() < 0.8 else (k, v)), 25)
        for k in range(3 + revs.index(v))
    ]
    if "diff" in asked.query:
        return doc(
            f"{t}: khác biệt",
            f"<table><tr><td>- {paras[-2] if len(paras) > 1 else ''}</td><td>+ {paras[-1]}</td></tr></table>",
            lang,
            3,
        )
    links = [(f"{base}&action=history", "Lịch sử")] if not asked.query.get("oldid") else [(base, "hiện tại")]
    if not talk and not asked.query.get("oldid"):
        links += [
            (f"/index.php?title={_viet(asked, k)}", "xem")
            for k in {(n * 2 + 1) % 160, (n + 1) % 160, rng.randrange(160)}
        ]
        if n % 3 == 0:
            links.append((f"/index.php?title=Talk:{_viet(asked, n)}", "Thảo luận"))
    return doc(t, "".join(f"<p>{x}</p>" for x in paras) + ul(links), lang, 3)


def _viet(asked: Asked, n: int) -> str:
    return f"{quote('_'.join(rare('vi', asked.of('vt', n), 2).split()))}_{n}"


@honest(OUTSIDER_HONEST_MORE)
def hypermail(asked: Asked) -> Answer:
    """A mailing list by thread, date and author. Messages are "+1", thanks, or short texts below quotes."""
    parts = asked.segments
    if not parts:
        return doc(
            "list archive",
            ul(
                (f"/{1996 + m // 12}-{m % 12 + 1:02}/{k}.html", k)
                for m in range(24)
                for k in ("thread", "date", "author")
            ),
            "en",
            0,
        )
    rng = asked.of("month", parts[0])
    many = rng.randint(40, 110)
    if not parts[1].startswith("msg"):
        order = list(range(many))
        if parts[1] != "date.html":
            asked.of(parts).shuffle(order)
        return doc(
            f"{parts[0]} {parts[1]}",
            ul((f"msg{n:05}.html", f"Re: {rare('en', asked.of(parts[0], n // 5), 3)}") for n in order),
            "en",
            0,
        )
    n = int(parts[1][3:8])
    m = asked.of("msg", parts)
    own = m.choice(("+1", "Thanks!", "Me too.", text("en", m, 30), text("en", m, 80)))
    quoted = text("en", asked.of("root", parts[0], n // 5), 60)
    return doc(
        f"Re: {rare('en', asked.of(parts[0], n // 5), 3)}",
        f"<pre>On {parts[0]}, somebody wrote:\n&gt; {quoted}\n\n{own}</pre>"
        + ul((f"msg{n + d:05}.html", t) for d, t in ((-1, "prev"), (1, "next")) if 0 <= n + d < many)
        + ul((f"{k}.html", k) for k in ("thread", "date", "author")),
        "en",
        0,
    )


@honest(OUTSIDER_HONEST_MORE)
def spa_listing(asked: Asked) -> Answer:
    """A Korean single-page application: no text but JSON in a script, links in <noscript>."""
    parts, lang = asked.segments, "ko"
    if not parts or parts[0] == "list":
        p = int(asked.query.get("p", 0))
        links = "".join(anchor(f"/view/{n}", n) for n in range(p * 25, p * 25 + 25)) + (
            anchor(f"/list?p={p + 1}", "다음") if p < 39 else ""
        )
        state: dict[str, object] = {"page": p}
    else:
        n = int(parts[1])
        rng = asked.of("v", n)
        links = anchor("/", "홈")
        state = {"id": n, "title": rare(lang, rng, 3), "body": text(lang, rng, 40), "stars": rng.randrange(50) / 10}
    return Answer(
        200,
        HTML,
        (
            f"<!doctype html><html><head><title>앱</title><script>window.__STATE__={json.dumps(state)}</script></head>"
            f"<body><div id=app></div><noscript>{links}</noscript></body></html>"
        ).encode(),
    )


@honest(OUTSIDER_HONEST_MORE)
def sitemaps_only(asked: Asked) -> Answer:
    """Hebrew articles without any link. The home page links to an index of four sitemaps of 500."""
    lang = "he"
    host = "http://sitemaps-only.test"
    if asked.path == "/":
        return doc("אתר", ul([("/sitemap.xml", "מפה")]), lang, 1)
    if asked.path == "/sitemap.xml":
        return xml(
            "<sitemapindex>"
            + "".join(f"<sitemap><loc>{host}/sitemap-{n}.xml</loc></sitemap>" for n in range(4))
            + "</sitemapindex>"
        )
    if asked.path.startswith("/sitemap-"):
        n = int(asked.path[9:-4])
        return xml(
            "<urlset>"
            + "".join(
                f"<url><loc>{host}/{quote(slug(lang, asked.of('sm', k), 2))}-{k}/</loc></url>"
                for k in range(n * 500, n * 500 + 500)
            )
            + "</urlset>"
        )
    rng = asked.of("a", asked.path)
    return doc(
        rare(lang, asked.of("sm", int(asked.path.strip("/").rsplit("-", 1)[1])), 2),
        f"<p>{text(lang, rng, rng.choice((10, 40, 120)))}</p>",
        lang,
        1,
    )


@honest(OUTSIDER_HONEST_MORE)
def nedan_hitotsu(asked: Asked) -> Answer:
    """A Japanese price list: a page shows one price and nothing else. All have the same title."""
    parts, lang = asked.segments, "ja"
    if not parts:
        return doc("価格表", ul((f"/bunrui/{n}", f"分類{n}") for n in range(30)), lang, 0)
    if parts[0] == "bunrui":
        rng = asked.of("b", parts[1])
        return doc("分類", ul((f"/kakaku/49{rng.randrange(10**11):011}", "価格") for _ in range(50)), lang, 0)
    return doc("価格", f"<p>{asked.rng.randrange(80, 9800):,}円</p>", lang, 0)


@honest(OUTSIDER_HONEST_MORE)
def wayback_finite(asked: Asked) -> Answer:
    """A web archive: calendars of eight years, and copies of a few pages by time, often with the same text."""
    parts = asked.segments
    hosts = ["www.example-press.org", "home.example-isp.net/~karl", "shop.example-toys.com"]
    if not parts:
        return doc("Archive", ul((f"/web/2001*/http://{h}/", h) for h in hosts), "en", 1)
    stamp, _, target = asked.path[5:].partition("/")
    if stamp.endswith("*"):
        y = int(stamp[:4])
        rng = asked.of("cal", y, target)
        stamps = [
            f"{y}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"
            f"{rng.randrange(24):02}{rng.randrange(60):02}{rng.randrange(60):02}"
            for _ in range(18)
        ]
        return doc(
            f"{target} in {y}",
            ul((f"/web/{t}/{target}", t) for t in stamps) + ul((f"/web/{k}*/{target}", k) for k in range(1997, 2005)),
            "en",
            1,
        )
    tail = target.rsplit("/", 1)[1]
    base = target[: len(target) - len(tail)]
    version = asked.of("ver", target).randint(2, 5)
    rng = asked.of("cap", target, int(stamp[:6]) * version // 1200)
    links = [(f"/web/{stamp}/{base}{k}", k) for k in ("news.html", "contact.html", "links.html")] if not tail else []
    return doc(
        rare("en", asked.of(target), 3),
        f"<div id=wm>Captured {stamp}</div><p>{text('en', rng, 80)}</p>" + ul(links),
        "en",
        1,
    )


_MENSES = _split("Ianuarii Februarii Martii Aprilis Maii Iunii Iulii Augusti")
_BAPTIZATI = _split("Ioannes Petrus Iosephus Maria Anna Catharina")
_PATRES = _split("Michaelis Georgii Pauli Martini")


@honest(OUTSIDER_HONEST_MORE)
def matricula_parochialis(asked: Asked) -> Answer:
    """Latin parish registers: a picture and one entry in a formula, and links to the leaf before and after."""
    parts, lang = asked.segments, "la"
    libri = _split("I II III IV V VI VII VIII")
    if not parts:
        return doc("Matricula", ul((f"/liber/{b}/fol-001r", f"Liber {b}") for b in libri), lang, 0)
    n = int(parts[2][4:7]) * 2 + (parts[2][7] == "v")
    last = 220 + 10 * libri.index(parts[1])
    rng = asked.of("e", parts)
    entry = (
        f"Die {rng.randint(1, 28)} mensis {rng.choice(_MENSES)} anno 17{rng.randrange(99):02} baptizatus est "
        f"{rng.choice(_BAPTIZATI)} filius legitimus {rng.choice(_PATRES)}."
    )
    if rng.random() < 0.3:
        entry = ""
    return doc(
        f"Liber {parts[1]}, fol. {parts[2][4:]}",
        f"<img src='/scan/{parts[1]}/{parts[2]}.jpg'><p>{entry}</p>"
        + ul((f"/liber/{parts[1]}/fol-{k // 2:03}{'rv'[k % 2]}", "folium") for k in (n - 1, n + 1) if 2 <= k < last),
        lang,
        0,
    )


@honest(OUTSIDER_HONEST_MORE)
def rozvrh_hodin(asked: Asked) -> Answer:
    """Slovak school timetables: 24 classes in 40 weeks. The weeks of a class are the same but for a rare change."""
    parts, lang = asked.segments, "sk"
    cls = [f"{y}{c}" for y in range(1, 9) for c in "ABC"]
    subj = _split("Mat Slj Anj Dej Geo Bio Fyz Che Tev Hud")
    if not parts:
        return doc("Rozvrhy", ul((f"/trieda/{c}/tyzden/1", c) for c in cls), lang, 1)
    w = int(parts[3])
    rng = asked.of("tt", parts[1])
    rows = [[d] + [rng.choice(subj) for _ in range(6)] for d in _split("Po Ut St Št Pi")]
    v = asked.rng
    if v.random() < 0.3:
        rows[v.randrange(5)][v.randint(1, 6)] = "odpadá"
    day = date(2025, 9, 1) + timedelta(7 * (w - 1))
    return doc(
        f"{parts[1]}, {day:%d.%m.%Y}",
        table(rows) + ul((f"/trieda/{parts[1]}/tyzden/{k}", "týždeň") for k in (w - 1, w + 1) if 1 <= k <= 40),
        lang,
        1,
    )


@honest(OUTSIDER_HONEST_MORE)
def one_word_differs(asked: Asked) -> Answer:
    """Some 1,200 surnames, listed by letter: 250 words that are all the same, with the name put in."""
    parts = asked.segments
    if not parts:
        return doc("Surnames", ul((f"/names/{c}/", c) for c in "ABCDEFGHIKLMNOPRSTW"), "en", 3)
    if len(parts) == 2:
        return doc(
            parts[1],
            ul(
                (f"/names/{parts[1]}/{x.lower()}", x)
                for x in sorted({parts[1] + rare("en", asked.of("n", parts[1], k), 1) for k in range(62)})
            ),
            "en",
            3,
        )
    x = parts[2].title()
    return doc("Your name", f"<p>The name {x}. {text('en', Random('boiler'), 250)}</p>", "en", 3)


@honest(OUTSIDER_HONEST_MORE)
def herbarium_22000(asked: Asked) -> Answer:
    """22,000 herbarium sheets below families, genera and species: who collected it, number, date and place."""
    parts, lang = asked.segments, "la"
    if not parts:
        return doc("Herbarium", ul((f"/{f}/", f) for f in _fams(asked)), lang, 1)
    if parts[0] == "specimen":
        rng = asked.rng
        return doc(
            parts[1],
            table(
                [
                    ("Leg.", f"{rare('de', asked.of('col', rng.randrange(80)), 1).title()} {rng.randrange(9999)}"),
                    ("Date", f"{rng.randint(1, 28)}.{rng.randint(1, 12)}.{rng.randint(1840, 1990)}"),
                    ("Loc.", rare("de", asked.of("loc", rng.randrange(900))).title()),
                    ("Det.", rare("de", asked.of("col", rng.randrange(80)), 1).title()),
                ]
            )
            + f"<img src='/img/{parts[1]}.jpg'>",
            lang,
            1,
        )
    depth = len(parts)
    rng = asked.of("tax", parts)
    if depth < 3:
        return doc(
            " ".join(parts),
            ul((f"{slug(lang, asked.of('tx', parts, k), 1)}{k}/", "taxon") for k in range(rng.randint(6, 10))),
            lang,
            1,
        )
    return doc(
        " ".join(parts),
        ul((f"/specimen/B{rng.randrange(10**9):09}", "sheet") for _ in range(int(2 + 70 * rng.random() ** 3))),
        lang,
        1,
    )


def _fams(asked: Asked) -> list[str]:
    return [slug("la", asked.of("fam", k), 1) + "aceae" for k in range(16)] + [
        slug("la", asked.of("fam", k), 2) + "aceae" for k in range(16, 22)
    ]


@honest(OUTSIDER_HONEST_MORE)
def pytannia_21000(asked: Asked) -> Answer:
    """20,000 Ukrainian questions, a third without an answer: a list of 400 pages, tags with pages, related ones."""
    parts, lang = asked.segments, "uk"
    if not parts:
        return doc("Питання", ul([("/questions?page=1", "усі"), ("/tags", "теги")]), lang, 3)  # noqa: RUF001
    if parts[0] == "tags":
        return doc("Теги", ul((f"/tag/{n}", rare(lang, Random(f"tag{n}"), 1)) for n in range(120)), lang, 3)
    page = int(asked.query.get("page", 1))
    if parts[0] == "questions" and len(parts) == 1:
        return doc(
            "Усі питання",  # noqa: RUF001
            ul((_pyt(asked, n), rare(lang, asked.of("py", n), 4)) for n in range(page * 50 - 50, page * 50))
            + (anchor(f"/questions?page={page + 1}", "далі") if page < 400 else ""),
            lang,
            3,
        )
    if parts[0] == "tag":
        n = int(parts[1])
        last = 2 + n % 13
        return doc(
            rare(lang, Random(f"tag{n}"), 1),
            ul(
                (_pyt(asked, k), rare(lang, asked.of("py", k), 4))
                for k in (asked.of("tg", n, page, j).randrange(20000) for j in range(15))
            )
            + pager(f"/tag/{n}", page, last),
            lang,
            3,
        )
    n = int(parts[1])
    rng = asked.of("qa", n)
    body = f"<p>{text(lang, rng, rng.choice((8, 25, 60)))}</p>" + (
        "<p>Немає відповідей.</p>" if rng.random() < 0.33 else f"<p>{text(lang, rng, 40)}</p>"
    )
    return doc(
        rare(lang, asked.of("py", n), 4),
        body
        + ul((_pyt(asked, rng.randrange(20000)), "схожі") for _ in range(4))
        + ul((f"/tag/{rng.randrange(120)}", "тег") for _ in range(2)),
        lang,
        3,
    )


def _pyt(asked: Asked, n: int) -> str:
    return f"/questions/{n}/{quote(slug('uk', asked.of('py', n), 4))}"


@honest(OUTSIDER_HONEST_MORE)
def crossword_answers(asked: Asked) -> Answer:
    """Crossword clues, listed by puzzle and date: "The answer is X (5 letters)" amid text that is always the same."""
    parts = asked.segments
    if not parts:
        return doc(
            "Crossword answers", ul((f"/puzzle/{date(2024, 1, 1) + timedelta(n)}", n) for n in range(70)), "en", 3
        )
    if parts[0] == "puzzle":
        d = date.fromisoformat(parts[1])
        sides = [
            (f"/puzzle/{x}", str(x))
            for x in (d - timedelta(1), d + timedelta(1))
            if date(2024, 1, 1) <= x < date(2024, 3, 11)
        ]
        return doc(
            f"Puzzle of {d}",
            ul((f"/clue/{slug('en', asked.of('cl', parts[1], k), 3)}-crossword-clue", "clue") for k in range(30))
            + ul(sides),
            "en",
            3,
        )
    x = rare("en", asked.of("ans", parts[1]), 1)
    return doc(
        "Crossword clue",
        f"<p>The answer is {x.upper()} ({len(x)} letters). {text('en', Random('cw'), 90)}</p>",
        "en",
        3,
    )


@honest(OUTSIDER_HONEST_MORE)
def cep_brasil(asked: Asked) -> Answer:
    """Brazilian post codes as a tree of digits. A leaf is a street, or "CEP não utilizado" (not in use)."""
    parts, lang = asked.segments, "pt"
    if not parts:
        return doc("CEP", ul((f"/cep/{d}/", f"{d}xxxx") for d in range(10)), lang, 1)
    c = parts[1]
    if "-" in c:
        rng = asked.rng
        return doc(
            c,
            "<p>CEP não utilizado.</p>"
            if rng.random() < 0.25
            else f"<p>Rua {rare(lang, rng).title()}, {rare(lang, asked.of('b', c[:3]), 1).title()}</p>",
            lang,
            1,
        )
    rng = asked.of("cep", c)
    if len(c) < 3:
        return doc(f"CEP {c}", ul((f"/cep/{c}{d}/", f"{c}{d}") for d in sorted(rng.sample(range(10), 4))), lang, 1)
    return doc(
        f"CEP {c}",
        ul(
            (f"/cep/{c}{k:02}-{j:03}", f"{c}{k:02}")
            for k, j in sorted({(rng.randrange(100), rng.randrange(0, 1000, 10)) for _ in range(15)})
        ),
        lang,
        1,
    )


@honest(OUTSIDER_HONEST_MORE)
def carte_des_nucleides(asked: Asked) -> Answer | None:
    """A French chart of nuclides: four figures on each, and links to the four neighbours only."""
    parts, lang = asked.segments, "fr"
    if not parts:
        return doc("Nucléides", ul([("/nucleide/Z1/N0", "hydrogène")]), lang, 1)
    z, n = int(parts[1][1:]), int(parts[2][1:])
    if not _stable(z, n):
        return None
    rng = asked.rng
    ends = [
        (f"/nucleide/Z{z + x}/N{n + y}", "voisin")
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if _stable(z + x, n + y)
    ]
    return doc(
        f"Z = {z}, N = {n}",
        table(
            [
                ("A", z + n),
                ("Masse", f"{(z + n) * 0.9991 + rng.random() / 50:.6f}"),
                ("T½", f"{rng.random():.3f}e{rng.randint(-8, 9)} s"),
                ("Spin", f"{rng.randrange(9)}/2"),
            ]
        )
        + ul(ends),
        lang,
        1,
    )


def _stable(z: int, n: int) -> bool:
    middle = z * (1 + 0.0048 * z)
    return 1 <= z <= 100 and n >= 0 and abs(n - middle) <= 2 + min(z / 5, 9)


@honest(OUTSIDER_HONEST_MORE)
def chandra_kala(asked: Asked) -> Answer:
    """Hindi moon phases by month, 1900 to 2010, computed. Links to the month and year before and after."""
    parts, lang = asked.segments, "hi"
    if not parts:
        return doc("चन्द्र कला", ul([("/chandra/1955/06", "1955")]), lang, 0)
    y, m = int(parts[1]), int(parts[2])
    at = y * 12 + m - 1
    base = (date(y, m, 1) - date(1900, 1, 1)).days
    days = [(d, f"{50 - 50 * math.cos((base + d) * 2 * math.pi / 29.53059):.0f}%") for d in range(1, 29)]
    return doc(
        f"{m:02}/{y}",
        table(days)
        + ul(
            (f"/chandra/{t // 12}/{t % 12 + 1:02}", "·")
            for t in (at - 12, at - 1, at + 1, at + 12)
            if 1900 * 12 <= t < 2011 * 12
        ),
        lang,
        0,
    )


@honest(OUTSIDER_HONEST_MORE)
def nangsue(asked: Asked) -> Answer:
    """A Thai book of 1,300 pages that "next" alone leads to. Some are blank."""
    parts, lang = asked.segments, "th"
    if not parts:
        return doc("หนังสือ", ul([("/read/1", "เริ่ม")]), lang, 0)
    n = int(parts[1])
    rng = asked.of("pg", n)
    return doc(
        f"หน้า {n}",
        f"<p>{text(lang, rng, 60) if rng.random() > 0.1 else ''}</p>"
        + (anchor(f"/read/{n + 1}", "ต่อไป") if n < 1300 else ""),
        lang,
        0,
    )


@honest(OUTSIDER_HONEST_MORE)
def bank_soal(asked: Asked) -> Answer:
    """Indonesian exam questions: a sum and four answers, and a page with the one letter that is right."""
    parts, lang = asked.segments, "id"
    subs = _split("matematika fisika kimia biologi sejarah geografi ekonomi bahasa")
    if not parts:
        return doc("Bank soal", ul((f"/soal/{x}/1", x) for x in subs), lang, 1)
    n = int(parts[2])
    rng = asked.of("so", parts[1], n)
    x, y = rng.randrange(100), rng.randrange(100)
    if parts[0] == "jawaban":
        return doc("Jawaban", f"<p>{rng.choice('ABCD')}</p>", lang, 1)
    return doc(
        f"Soal {n}",
        f"<p>Berapa {x} {rng.choice('+-×')} {y}?</p>"  # noqa: RUF001
        f"<p>A. {rng.randrange(999)} B. {rng.randrange(999)} C. {rng.randrange(999)} D. {rng.randrange(999)}</p>"
        + ul(
            [(f"/jawaban/{parts[1]}/{n}", "lihat jawaban")]
            + ([(f"/soal/{parts[1]}/{n + 1}", "berikutnya")] if n < 110 else [])
        ),
        lang,
        1,
    )


@honest(OUTSIDER_HONEST_MORE)
def typo3_altbau(asked: Asked) -> Answer:
    """A German town's site in two languages. A third of the English pages have the German text."""
    lang = "de"
    if asked.path == "/":
        return doc("Stadt", ul((_t3(n, 0), rare(lang, asked.of("t", n))) for n in range(1, 13)), lang, 3)
    n, other = int(asked.query["id"]), int(asked.query["L"])
    rng = asked.of("t3", n, 0 if n % 3 == 0 else other)
    kids = [k for k in range(n * 3 + 10, n * 3 + 13) if k < 650]
    return doc(
        rare(lang, asked.of("t", n)),
        f"<p>{text(lang if other == 0 or n % 3 == 0 else 'en', rng, rng.choice((5, 30, 90)))}</p>"
        + ul((_t3(k, other), rare(lang, asked.of("t", k))) for k in kids)
        + anchor(_t3(n, 1 - other), "DE/EN"),
        lang,
        3,
    )


def _t3(n: int, other: int) -> str:
    return f"/index.php?id={n}&L={other}&cHash={md5(f'{n}.{other}'.encode()).hexdigest()[:10]}"


@honest(OUTSIDER_HONEST_MORE)
def konkordanz(asked: Asked) -> Answer:
    """A Russian concordance: each occurrence of a word has a page of one line, with previous and next."""
    parts, lang = asked.segments, "ru"
    if not parts:
        return doc("Конкорданс", ul((f"/slovo/{n}", rare(lang, asked.of("w", n), 1)) for n in range(120)), lang, 1)
    n = int(parts[1])
    many = asked.of("occ", n).randint(2, 24)
    if len(parts) == 2:
        return doc(rare(lang, asked.of("w", n), 1), ul((f"/slovo/{n}/{k}", k) for k in range(many)), lang, 1)
    k = int(parts[2])
    line = asked.of("line", asked.of("ln", n, k).randrange(400))
    return doc(
        rare(lang, asked.of("w", n), 1),
        f"<p>{' '.join(words(lang, line, 6))}</p>"
        + ul((f"/slovo/{n}/{j}", "·") for j in (k - 1, k + 1) if 0 <= j < many),
        lang,
        1,
    )
