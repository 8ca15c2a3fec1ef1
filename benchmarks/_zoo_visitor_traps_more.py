"""More traps of a visitor, from a tracker of bugs to an account (see `_zoo_visitor`)."""

from __future__ import annotations

import json
from html import escape
from itertools import pairwise
from random import Random
from urllib.parse import quote, urlencode

from _zoo import HTML, Answer, Asked, Site, trap
from _zoo_outsider import anchor, digest, doc, rare, redirect, slug, table, text, token, ul, words
from _zoo_visitor import called, lay, num, raw, row, steps

VISITOR_MORE: list[Site] = []


@trap("/buglist.cgi?product=core&order=bug_id", VISITOR_MORE)
def chyby(asked: Asked) -> Answer | None:
    """A Czech tracker of bugs: lists by fields, by any chain of orders and sets of columns."""
    fields = ["product", "component", "status", "priority", "assignee", "version", "os"]
    keys = [
        "bug_id",
        "priority",
        "status",
        "changed",
        "assignee",
        "votes",
        "summary",
        "component",
        "opened",
        "severity",
    ]
    if asked.path != "/buglist.cgi" or any(key not in {*fields, "order", "columns"} for key, _ in asked.pairs):
        return None
    order = [one for one in asked.query.get("order", "bug_id").split(",") if one.removesuffix(" DESC") in keys]
    chosen = [(key, value) for key, value in asked.pairs if key in fields]
    columns = [one for one in asked.query.get("columns", "bug_id,status,summary").split(",") if one in keys]

    def to(pairs: list[tuple[str, str]], by: list[str], shown: list[str]) -> str:
        more = [("columns", ",".join(shown))] if shown != ["bug_id", "status", "summary"] else []
        return "/buglist.cgi?" + urlencode([*pairs, ("order", ",".join(by)), *more])

    head = []
    for key in columns:
        rest = [one for one in order if one.removesuffix(" DESC") != key]
        first = f"{key} DESC" if order[:1] == [key] else key
        head.append(anchor(to(chosen, [first, *rest], columns), key))
    shown = sorted(range(60), key=lambda at: digest(order, at))[: max(1, 25 - 4 * len(chosen))]
    rows = []
    for at in shown:
        own = {"bug_id": str(9000 + at), "summary": rare("cs", asked.of("bug", at), 5)}
        rows.append([own.get(key) or rare("cs", asked.of(key, at % 5), 1) for key in columns])
    values = ((key, slug("cs", asked.of(key, at), 1)) for key in fields if key not in dict(chosen) for at in range(4))
    more = [(to([*chosen, (key, value)], order, columns), f"{key}: {value}") for key, value in values]
    widths = [(to(chosen, order, [*columns, key]), f"+ {key}") for key in keys if key not in columns]
    return lay(0, f"Seznam chyb ({len(shown)})", table([head, *rows]) + row(widths), "cs", [("/", "Domů")], more)


@trap("/forum/viewtopic.php?f=3&t=1", VISITOR_MORE)
def grzyby_forum(asked: Asked) -> Answer | None:
    """A Polish forum of mushrooms: links of reply, quote, report, print, last and one's own for each of many posts."""
    get = asked.query.get
    forum, topic, post = num(get("f"), 1, 30), num(get("t"), 1, 90_000), num(get("p"), 1, 900_000)
    nav = [("/", "Strona główna"), ("/forum/viewtopic.php?f=3&t=1", "Forum")]
    if asked.path == "/forum/posting.php":
        mode = asked.query.get("mode")
        if mode not in {"reply", "quote"}:
            return None
        back = quote(asked.url.split("/", 3)[3], safe="")
        login = row([(f"/forum/ucp.php?mode=login&redirect={back}", "Logowanie")])
        return lay(2, "Zaloguj się", f"<p>Musisz się zalogować, aby pisać na forum.</p>{login}", "pl", nav)
    if asked.path in {"/forum/report.php", "/forum/ucp.php", "/forum/memberlist.php"}:
        return lay(2, "Informacja", "<p>Nie masz uprawnień do tej strony.</p>", "pl", nav)
    if asked.path != "/forum/viewtopic.php" or not (topic or post):
        return None
    topic = topic or post // 10 + 1
    forum = forum or topic % 30 + 1
    base = f"/forum/viewtopic.php?f={forum}&t={topic}"
    if asked.query.get("view") == "print":
        posts = (text("pl", asked.of("post", topic * 10 + at), 30) for at in range(10))
        return doc(rare("pl", asked.of("topic", topic), 4), "".join(f"<p>{one}</p>" for one in posts), "pl", 0)
    body = ""
    for number in range(topic * 10 - 10, topic * 10):
        at = number or 1
        links = [
            (f"/forum/viewtopic.php?p={at}#p{at}", f"#{at}"),
            (f"/forum/posting.php?mode=quote&f={forum}&p={at}", "Cytuj"),
            (f"/forum/report.php?f={forum}&p={at}", "Zgłoś"),
            (f"/forum/memberlist.php?mode=viewprofile&u={at * 7919 % 50_000}", rare("pl", asked.of("user", at), 1)),
        ]
        body += f"<div class=post>{row(links)}<p>{text('pl', asked.of('post', at), 30)}</p></div>"
    tools = [
        (f"/forum/posting.php?mode=reply&f={forum}&t={topic}", "Odpowiedz"),
        (f"{base}&view=print", "Drukuj"),
        *(
            (f"{base}&st={days}&sk={key}&sd={way}", f"{days} {key} {way}")
            for days in (0, 7, 30)
            for key in "ta"
            for way in "ad"
        ),
        (f"{base}&hilit={quote(words('pl', asked.rng, 1)[0])}", "Podświetl"),
    ]
    near = (topic % 90_000 + 1, topic * 31 % 90_000 + 1, topic * 77 % 90_000 + 1)
    other = [(f"/forum/viewtopic.php?f={one % 30 + 1}&t={one}", rare("pl", asked.of("topic", one), 4)) for one in near]
    return lay(2, rare("pl", asked.of("topic", topic), 4), row(tools) + body, "pl", nav, other)


@trap("/web/(S(k3f0qz2m1x))/default.aspx", VISITOR_MORE)
def kaiin(asked: Asked) -> Answer | None:
    """A Japanese members' site with sessions in its paths: without cookies each page gives its links a new one."""
    parts = asked.segments
    if len(parts) != 3 or parts[0] != "web" or not parts[1].startswith("(S("):
        return None
    pages = ["default", "news", "faq", "kaisoku", "access", *(f"koza{at}" for at in range(24))]
    name = parts[2].removesuffix(".aspx")
    if name not in pages:
        return None
    session = f"/web/(S({token(asked.rng, 12).lower().replace('-', '0').replace('_', '1')}))/"
    links = [(f"{session}{one}.aspx", rare("ja", Random(one), 2)) for one in pages]
    body = f"<p>{text('ja', asked.of('kaiin', name), 60)}</p>"
    return lay(0, rare("ja", Random(name), 2), body, "ja", links[:5], links[5:])


@trap("/termekek/butor/", VISITOR_MORE)
def butorbolt(asked: Asked) -> Answer | None:
    """A Hungarian shop whose menu has links that lack their slash: each section leads deeper into itself."""
    menu = ["termekek/butor/", "termekek/lampa/", "akcio/", "rolunk/", "kapcsolat/", "blog/hirek/"]
    parts = asked.segments or [""]
    known = {part for one in menu for part in one.split("/") if part}
    if any(part not in known for part in parts) or len(asked.url) > 1_900:
        return None
    rng = asked.of("section", parts[-1])
    body = f"<p>{text('hu', rng, 70)}</p>"
    goods = "".join(f"<li>{rare('hu', rng, 2)} {rng.randint(2, 90)} 900 Ft</li>" for _ in range(8))
    nav = [("/", "Kezdőlap"), *((one, one.strip("/").split("/")[-1].title()) for one in menu)]
    return lay(1, parts[-1].title(), f"{body}<ul>{goods}</ul>", "hu", nav)


@trap("/pub/", VISITOR_MORE, silent=True)
def ftp_mirror(asked: Asked) -> Answer | None:
    """A mirror's index of directories with a symbolic link to the directory above and one to itself."""
    parts = asked.segments
    trees = {
        "pub": ["dists", "pool", "project", "latest"],
        "dists": ["stable", "testing", "README"],
        "stable": ["main", "Release"],
        "testing": ["main", "Release"],
        "main": ["pub", "Packages.gz"],
        "pool": ["a", "b", "c"],
        "project": ["pub", "trace"],
        "latest": ["dists", "pool", "latest", "project"],
    }
    if parts[:1] != ["pub"] or len(parts) > 60:
        return None
    for one, two in pairwise(parts):
        if two not in trees.get(one, []):
            return None
    if parts[-1] not in trees:
        return raw("text/plain", f"{parts[-1]}\n") if not asked.path.endswith("/") or parts[-1] in "abc" else None
    lines = ""
    for one in trees[parts[-1]]:
        name = f"{one}/" if one in trees else one
        lines += f'<a href="{name}">{name}</a>   2024-03-{10 + len(one)} 08:1{len(one) % 10}    -\n'
    title = f"Index of {asked.path}"
    out = (
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1><hr><pre>"
        f'<a href="../">../</a>\n{lines}</pre><hr></body></html>'
    )
    return Answer(200, HTML, out.encode())


@trap("/vecchio/negozio/", VISITOR_MORE, silent=True)
def trattoria(asked: Asked) -> Answer | None:
    """An Italian restaurant that serves its home page at any path, whose links are relative to it."""
    rng = asked.of("home")
    links = [(f"{one}/", one.title()) for one in ("menu", "vini", "prenota", "dove-siamo", "foto", "eventi")]
    body = f"<img src=/hero.jpg><p>{text('it', rng, 60)}</p><h2>{rare('it', rng)}</h2><p>{text('it', rng, 70)}</p>"
    return lay(1, "Trattoria", body, "it", [("/", "Home"), *links])


@trap("/en/start/", VISITOR_MORE)
def comissao(asked: Asked) -> Answer | None:
    """An agency whose switch of languages puts each language before the path, and leaves the last ones there."""
    langs = ["en", "de", "fr", "pt", "it", "el", "pl", "fi"]
    parts = asked.segments
    pages = ["start", "about", "tenders", "jobs", "press", "contact"]
    if len(parts) < 2 or parts[-1] not in pages or any(one not in langs for one in parts[:-1]) or len(parts) > 300:
        return None
    lang = parts[0]
    switch = [(f"/{one}{asked.path}", one.upper()) for one in langs if one != lang]
    own = "/".join(parts[:-1])
    nav = [(f"/{own}/{one}/", rare(lang, Random(one), 1)) for one in pages]
    body = f"<p>{text(lang, asked.of(lang, parts[-1]), 90)}</p>"
    return lay(2, rare(lang, Random(parts[-1]), 1).title(), body, lang, nav, switch)


@trap("/konto/anmelden?return=%2F", VISITOR_MORE, silent=True)
def stadtwerke(asked: Asked) -> Answer | None:
    """A portal whose login, help and language links each carry the page they were on, which carries its own."""
    forms = {
        "/konto/anmelden": "Anmelden",
        "/konto/registrieren": "Registrieren",
        "/konto/passwort": "Passwort vergessen",
        "/hilfe": "Hilfe",
        "/konto/sprache": "Sprache",
    }
    if asked.path not in forms or "return" not in asked.query or len(asked.url) > 60_000:
        return None
    here = asked.path + "?" + asked.url.partition("?")[2]
    links = [(f"{one}?return={quote(here, safe='')}", told) for one, told in forms.items()]
    form = "<form method=post><input name=user><input name=pass type=password><button>Weiter</button></form>"
    return lay(2, forms[asked.path], form, "de", [("/", "Start")], links)


@trap("/kaart?z=7&x=66&y=42", VISITOR_MORE, silent=True)
def kaart(asked: Asked) -> Answer | None:
    """A Dutch map: four neighbours, zoom in and out, and three layers of every tile."""
    zoom = num(asked.query.get("z"), 0, 22)
    layer = asked.query.get("laag", "basis")
    if asked.path != "/kaart" or zoom is None or layer not in {"basis", "lucht", "kadaster"}:
        return None
    x, y = num(asked.query.get("x"), 0, 2**zoom - 1), num(asked.query.get("y"), 0, 2**zoom - 1)
    if x is None or y is None:
        return None

    def to(z: int, x: int, y: int, more: str) -> str:
        return f"/kaart?z={z}&x={x}&y={y}" + (f"&laag={more}" if more != "basis" else "")

    around = ((x - 1, y, "west"), (x + 1, y, "oost"), (x, y - 1, "noord"), (x, y + 1, "zuid"))
    moves = [(to(zoom, a, b, layer), told) for a, b, told in around if 0 <= a < 2**zoom and 0 <= b < 2**zoom]
    corners = ((2 * x, 2 * y), (2 * x, 2 * y + 1), (2 * x + 1, 2 * y), (2 * x + 1, 2 * y + 1)) if zoom < 22 else ()
    moves += [(to(zoom + 1, *corner, layer), "inzoomen") for corner in corners]
    moves += [(to(zoom - 1, x // 2, y // 2, layer), "uitzoomen")] if zoom else []
    layers = [(to(zoom, x, y, one), one) for one in ("basis", "lucht", "kadaster")]
    body = f"<div id=map><img src='/tegel/{zoom}/{x}/{y}.png'></div>{row(moves)}"
    return lay(2, "Kaart", body, "nl", [("/", "Home"), *layers])


@trap("/foto/1201/w/640/h/480", VISITOR_MORE)
def billedbank(asked: Asked) -> Answer | None:
    """A Danish picture bank that resizes to any width, height and quality, each of other bytes."""
    parts = asked.segments
    if len(parts) not in {6, 8} or parts[0] not in {"foto", "img"} or parts[2::2] not in (["w", "h"], ["w", "h", "q"]):
        return None
    at, wide, high = num(parts[1], 1200, 1239), num(parts[3], 16, 4096), num(parts[5], 16, 4096)
    quality = num(parts[7], 1, 100) if len(parts) == 8 else 80
    if not at or not wide or not high or not quality:
        return None
    if parts[0] == "img":
        return raw("image/jpeg", b"\xff\xd8\xff\xe0" + asked.rng.randbytes(400 + wide * high // 8000) + b"\xff\xd9")

    def to(kind: str, one: int, w: int, h: int, q: int = 80) -> str:
        return f"/{kind}/{one}/w/{w}/h/{h}" + (f"/q/{q}" if q != 80 else "")

    scaled = ((one, wide * one // 100, high * one // 100) for one in (50, 75, 90, 110, 125, 150, 200))
    sizes = [(to("foto", at, max(16, min(4096, w)), max(16, min(4096, h)), quality), f"{one}%") for one, w, h in scaled]
    sizes += [
        (to("foto", at, max(16, wide - 10), high, quality), "smallere"),
        (to("foto", at, wide, max(16, high - 10), quality), "lavere"),
    ]
    sizes += [(to("foto", at, wide, high, one), f"kvalitet {one}") for one in (60, quality % 100 + 1)]
    flip = [(to("foto", one, wide, high), f"Billede {one}") for one in (at - 1, at + 1) if 1200 <= one <= 1239]
    size = f"{wide} × {high}, {(400 + wide * high // 8000) // 1000} kB"  # noqa: RUF001
    body = f"<p>{anchor(to('img', at, wide, high, quality), 'Hent')} {size}</p>"
    body += f"<p>{rare('da', asked.of('foto', at), 6)}</p>{row(sizes)}"
    return lay(1, f"Billede {at}", body, "da", [("/", "Forside")], flip)


_DI = [slug("id", Random(f"kota{at}"), 1) for at in range(600)]
_JASA = [slug("id", Random(f"jasa{at}"), 2) for at in range(40)]


@trap(f"/{_JASA[0]}-di-{_DI[0]}-dekat-{_DI[1]}", VISITOR_MORE)
def jasa_dekat(asked: Asked) -> Answer | None:
    """Indonesian pages for search engines: each service in each town near each other town, of one spun text."""
    job, _, rest = asked.path[1:].partition("-di-")
    town, _, near = rest.partition("-dekat-")
    if job not in _JASA or town not in _DI or near not in _DI:
        return None
    rng = asked.of(job, town, near)
    told = [one.replace("-", " ").title() for one in (job, town, near)]
    spun = " ".join(
        rng.choice(pair).format(*told)
        for pair in (
            ("Apakah Anda mencari {0} di {1}?", "Butuh {0} terbaik di {1}?", "Cari {0} murah di {1}?"),
            ("Kami melayani {1}, {2} dan sekitarnya.", "Tim kami siap datang ke {1} dekat {2}."),
            ("Hubungi kami hari ini untuk {0} terpercaya.", "Pesan {0} sekarang juga."),
            ("Harga mulai Rp {0} bersahabat.", "Gratis konsultasi {0} untuk warga {2}."),
        )
    )
    links = [(f"/{job}-di-{one}-dekat-{town}", f"{told[0]} {one.title()}") for one in rng.sample(_DI, 12)]
    jobs = rng.sample(_JASA, 8)
    links += [(f"/{one}-di-{town}-dekat-{near}", f"{one.replace('-', ' ').title()} {told[1]}") for one in jobs]
    body = f"<p>{spun}</p><p>☎ 08{rng.randrange(10**9):09}</p>{ul(links)}"
    return lay(2, f"{told[0]} di {told[1]} dekat {told[2]}", body, "id", [("/", "Beranda")], said=60)


@trap("/library/", VISITOR_MORE, undecidable=True)
def stacks(asked: Asked) -> Answer | None:
    """A tarpit: pages of babble under paths of words, each leading to some more, at any depth."""
    if not asked.path.startswith("/library/") or asked.query or len(asked.segments) > 12:
        return None
    rng, here = asked.rng, asked.path.rstrip("/")
    links = []
    for _ in range(rng.randint(3, 9)):
        stem = here if rng.random() < 0.4 and len(asked.segments) < 9 else "/library/" + slug("en", rng, 1)
        leaf = slug("en", rng, rng.randint(1, 3)) + rng.choice(["", "/", ".html"])
        links.append((f"{stem}/{leaf}".replace(".html/", "/"), rare("en", rng, 3)))
    body = "".join(f"<p>{text('en', rng, rng.randint(20, 140))}</p>" for _ in range(rng.randint(2, 6)))
    title = rare("en", rng, 4).title()
    return doc(title, body + ul(links), "en", rng.choice((0, 0, 1)) if len(asked.segments) == 1 else 0)


@trap("/tim-kiem?q=" + quote("sách cũ"), VISITOR_MORE)
def tim_kiem(asked: Asked) -> Answer | None:
    """A Vietnamese shop's search, whose related searches are links to searches with related ones of their own."""
    asks = asked.query.get("q", "").split()
    if asked.path != "/tim-kiem" or not asks or len(asks) > 8 or any(key not in {"q", "trang"} for key in asked.query):
        return None
    page = num(asked.query.get("trang", "1"), 1, 5)
    if not page:
        return None
    rng = asked.of("search", sorted(asks))
    found = [rng.randrange(500) for _ in range(10 * page)][-10:]
    goods = "".join(
        f"<li>{called(asked.seed, 'vi', 4, 'book', at)} - {asked.of('gia', at).randint(20, 400)}.000đ</li>"
        for at in found
    )
    related = [" ".join([*asks[-(1 + asked.rng.randrange(3)) :], one]) for one in words("vi", asked.rng, 6)]
    related += [" ".join(words("vi", asked.rng, 2)) for _ in range(2)]
    pages = row((f"/tim-kiem?{urlencode({'q': ' '.join(asks), 'trang': at})}", at) for at in range(1, 6))
    more = ul((f"/tim-kiem?{urlencode({'q': one})}", one) for one in related)
    body = f"<ul>{goods}</ul>{pages}<h4>Tìm kiếm liên quan</h4>{more}"
    return lay(2, f"Kết quả cho “{' '.join(asks)}”", body, "vi", [("/", "Trang chủ")])


@trap("/uutiset?sivu=1", VISITOR_MORE)
def uutiset(asked: Asked) -> Answer | None:
    """Finnish news whose pager goes on past its end: six pages of titles, then empty ones that lead on for ever."""
    page = num(asked.query.get("sivu"), 1, 999_999_999)
    if asked.path != "/uutiset" or not page:
        return None
    links = "<p>Ei uutisia.</p>"
    if page <= 6:
        own = range(page * 2 - 2, page * 2)
        links = ul((f"/article/{at}", rare("fi", asked.of("uutinen", at), 4)) for at in own)
    near = range(max(1, page - 2), page + 3)
    pages = [("/uutiset?sivu=1", "Ensimmäinen"), *((f"/uutiset?sivu={at}", at) for at in near)]
    pages.append((f"/uutiset?sivu={page + 1}", "Seuraava"))
    return lay(1, "Uutiset", links + row(pages), "fi", [("/", "Etusivu")])


@trap("/galereia/storinka/1/", VISITOR_MORE)
def galereia(asked: Asked) -> Answer | None:
    """A Ukrainian gallery whose pager wraps around: past 40 pages the same ones come again under greater numbers."""
    parts = asked.segments
    page = num(parts[2], 1, 999_999_999) if len(parts) == 3 and parts[:2] == ["galereia", "storinka"] else None
    if not page:
        return None
    true = (page - 1) % 40
    pictures = ""
    for at in range(6):
        told = called(asked.seed, "uk", 3, "pic", true, at)
        pictures += f"<figure><img src=/k/{true * 6 + at}.jpg><figcaption>{told}</figcaption></figure>"
    before = f"/galereia/storinka/{page - 1}/" if page > 1 else None
    turn = steps(before, f"/galereia/storinka/{page + 1}/", "Назад", "Далі")
    return lay(2, "Галерея", pictures + turn, "uk", [("/", "Головна")], said=30)


@trap("/zhishu/tree.php?open=1", VISITOR_MORE)
def zhishu(asked: Asked) -> Answer | None:
    """A Chinese tree of subjects: its URL names each open branch, each page opens or closes one more."""
    opened = [one for one in asked.query.get("open", "").split(",") if one]
    nodes = {"1": 7, "2": 6, "3": 5, "4": 6, **{f"{a}.{b}": (a * b) % 5 + 1 for a in range(1, 5) for b in range(1, 8)}}
    if asked.path != "/zhishu/tree.php" or any(one not in nodes for one in opened):
        return None

    def to(one: str) -> str:
        left = [at for at in opened if at != one] if one in opened else [*opened, one]
        return "/zhishu/tree.php?open=" + ",".join(left)

    def branch(one: str) -> str:
        told = called(asked.seed, "zh", 3, "node", one)
        if one not in nodes:
            return f"<li>{told}</li>"
        below = "".join(branch(f"{one}.{at}") for at in range(1, nodes[one] + 1)) if one in opened else ""
        return f"<li>{anchor(to(one), '[-]' if one in opened else '[+]')} {told}<ul>{below}</ul></li>"

    tree = "".join(branch(str(at)) for at in range(1, 5))
    return lay(4, "分类目录", f"<ul>{tree}</ul>", "zh", [("/", "首页"), ("/zhishu/tree.php", "全部折叠")])


@trap("/stiri?src=home", VISITOR_MORE)
def stiri(asked: Asked) -> Answer | None:
    """Romanian news whose links append where they were followed from, with a counter of visitors and a clock."""
    parts = asked.segments
    sections = ["stiri", "sport", "politica", "cultura", "meteo"]
    if not asked.query or len(asked.url) > 1_500 or any(key != "src" for key in asked.query):
        return None
    at = num(parts[1], 1, 30) if len(parts) == 2 else 0
    if (parts[:1] and parts[0] not in sections) or at is None or len(parts) > 2:
        return None
    here = asked.url.partition("?")[2]
    where = f"{parts[0] if parts else 'home'}{at or ''}"

    def link(path: str, box: str) -> str:
        return f"{path}?{here}&src={where}_{box}"

    nav = [(link(f"/{one}", "menu"), one.title()) for one in sections]
    topic = parts[0] if parts else "stiri"
    tops = asked.of("top", topic).sample(range(1, 31), 8)
    side = [(link(f"/{topic}/{one}", "top"), called(asked.seed, "ro", 4, topic, one)) for one in tops]
    rng = asked.of("stire", topic, at)
    visitor, clock = asked.rng.randrange(1_000_000), [asked.rng.randrange(most) for most in (24, 60, 60)]
    counter = f"<p>Vizitator nr. {visitor:07} · ora {':'.join(f'{one:02}' for one in clock)}"
    counter += f" · online: {asked.rng.randint(3, 400)}</p>"
    return lay(2, called(asked.seed, "ro", 4, topic, at), f"<p>{text('ro', rng, 100)}</p>{counter}", "ro", nav, side)


@trap("/api/explorer/v2/events?limit=20", VISITOR_MORE, undecidable=True)
def explorer(asked: Asked) -> Answer | None:
    """An explorer of an interface: a page of JSON records and a cursor to the next ones, for ever."""
    limit = num(asked.query.get("limit", "20"), 1, 100)
    if asked.path != "/api/explorer/v2/events" or limit not in {10, 20, 50}:
        return None
    rng = Random(f"{asked.seed}{asked.query.get('cursor', '')}{limit}")
    records = [
        {
            "id": token(rng, 12),
            "type": rng.choice(["push", "watch", "fork", "issue"]),
            "actor": slug("en", rng, 1),
            "at": 1_700_000_000 + rng.randrange(10**7),
            "size": rng.randrange(999),
        }
        for _ in range(limit // 2)
    ]
    after, before = token(rng, 24), token(rng, 24)
    links = [
        (f"/api/explorer/v2/events?limit={limit}&cursor={after}", "next"),
        (f"/api/explorer/v2/events?limit={limit}&cursor={before}", "prev"),
    ]
    links += [
        (f"/api/explorer/v2/events?limit={one}&cursor={after}", f"limit={one}")
        for one in (10, 50)
        if rng.random() < 0.2
    ]
    told = escape(json.dumps({"results": records, "next": after}, indent=1))
    body = f"<pre>HTTP 200 OK\nContent-Type: application/json\n\n{told}</pre>"
    return lay(3, "GET /v2/events", body, "en", [("/", "API"), *links], said=0)


@trap("/compte/", VISITOR_MORE, silent=True)
def mutuelle(asked: Asked) -> Answer | None:
    """A French insurer's account: each page sends to a login with a nonce, whose links get new ones."""
    areas = ["", "remboursements", "devis", "messages", "documents", "carte"]
    if asked.segments[:1] == ["compte"] and asked.path.endswith("/") and len(asked.segments) < 3:
        if "/".join(asked.segments[1:]) not in areas:
            return None
        told = {"client_id": "web", "redirect_uri": asked.path, "nonce": digest(asked.url, asked.seed)[:16]}
        return redirect(f"/sso/authorize?{urlencode({**told, 'state': token(asked.rng, 10)})}")
    if asked.path == "/sso/authorize" and asked.query.get("nonce"):
        nav = [("/", "Accueil")]
        for one in areas:
            href = f"/compte/{one}/?t={asked.rng.randrange(10**9)}".replace("//", "/")
            nav.append((href, (one or "compte").title()))
        form = f"<form method=post><input type=hidden name=nonce value='{token(asked.rng, 16)}'>"
        form += "<input name=id><input type=password name=mdp></form>"
        side = []
        for one in ("franceconnect", "mobile"):
            told = {"client_id": one, "redirect_uri": asked.query.get("redirect_uri", "/")}
            told["nonce"] = digest(asked.url, one)[:16]
            side.append((f"/sso/authorize?{urlencode(told)}", one))
        return lay(1, "Connexion", form, "fr", nav, side)
    return None
