"""Honest sites of a visitor, from a council's minutes to a family tree (see `_zoo_visitor`)."""

from __future__ import annotations

import json
from datetime import date, timedelta
from functools import cache
from random import Random
from urllib.parse import quote, unquote

from _zoo import HTML, Answer, Asked, Site, honest
from _zoo_outsider import anchor, digest, doc, rare, table, text, ul, xml
from _zoo_visitor import called, lay, num, raw, row, steps

VISITOR_HONEST: list[Site] = []


@honest(VISITOR_HONEST)
def rada_gminy(asked: Asked) -> Answer | None:
    """Minutes of a Polish council: one chain of points through 60 sessions, by previous and next alone."""
    nav = [("/", "Strona główna"), ("/kontakt", "Kontakt"), ("/bip", "BIP"), ("/deklaracja", "Dostępność")]
    counts = [asked.of("n", at).randint(12, 24) for at in range(60)]
    if asked.path == "/":
        body = f"<p>{text('pl', asked.of('home'), 90)}</p>{ul([('/protokol?sesja=1&punkt=1', 'Protokoły z sesji')])}"
        return lay(0, "Rada Gminy", body, "pl", nav)
    if asked.path in {"/kontakt", "/bip", "/deklaracja"}:
        return lay(0, asked.path[1:].capitalize(), f"<p>{text('pl', asked.rng, 120)}</p>", "pl", nav)
    session, point = num(asked.query.get("sesja"), 1, 60), num(asked.query.get("punkt"), 1, 24)
    if asked.path != "/protokol" or not session or not point or point > counts[session - 1]:
        return None
    rng = asked.of("point", session, point)
    when = date(2015, 1, 29) + timedelta(days=31 * session)
    yes, no = rng.randint(8, 15), rng.randint(0, 4)
    if point in {1, 2, counts[session - 1]}:
        body = f"<p>{['Otwarcie sesji.', 'Przyjęcie porządku obrad.', 'Zamknięcie sesji.'][min(point, 3) - 1]}</p>"
    else:
        body = f"<p>{text('pl', rng, rng.randint(20, 180))}</p>"
        body += f"<p>Za: {yes}, przeciw: {no}, wstrzymało się: {max(15 - yes - no, 0)}</p>"
    last = (session - 1, counts[session - 2]) if point == 1 else (session, point - 1)
    after = (session + 1, 1) if point == counts[session - 1] else (session, point + 1)
    before = f"/protokol?sesja={last[0]}&punkt={last[1]}" if last[0] else None
    on = f"/protokol?sesja={after[0]}&punkt={after[1]}" if after[0] <= 60 else None
    body += steps(before, on, "poprzedni", "następny")
    return lay(0, f"Sesja {session} z dnia {when:%d.%m.%Y}, pkt {point}", body, "pl", nav)


@honest(VISITOR_HONEST)
def haltestellen(asked: Asked) -> Answer | None:
    """Bus stops of 38 German lines: departure tables that hardly differ."""
    nav = [("/", "Start"), ("/linien", "Linien"), ("/tarife", "Tarife"), ("/impressum", "Impressum")]
    if asked.path == "/":
        return lay(2, "Verkehrsbetriebe", f"<p>{text('de', asked.of('h'), 60)}</p>", "de", nav)
    if asked.path in {"/tarife", "/impressum"}:
        return lay(2, asked.path[1:].capitalize(), f"<p>{text('de', asked.rng, 200)}</p>", "de", nav)
    if asked.path == "/linien":
        return lay(2, "Linien", ul((f"/linie/{at}/", f"Linie {at}") for at in range(1, 39)), "de", nav)
    parts = asked.segments
    line = num(parts[1], 1, 38) if len(parts) > 1 and parts[0] == "linie" else None
    if not line:
        return None
    stops = asked.of("stops", line).randint(18, 38)
    named = [rare("de", asked.of("stop", line * 17 % 9, at), 1).title() + "straße" for at in range(stops)]
    side = [(f"/linie/{line}/halt/{at}", stop) for at, stop in enumerate(named)]
    if len(parts) == 2:
        return lay(2, f"Linie {line}", f"<p>{named[0]} – {named[-1]}</p>", "de", nav, side)  # noqa: RUF001
    at = num(parts[3], 0, stops - 1) if len(parts) == 4 and parts[2] == "halt" else None
    if at is None:
        return None
    first = asked.of("first", line).randrange(10)
    rows = [
        [f"{hour:02}", " ".join(f"{(first + at + step * 20) % 60:02}" for step in range(3))] for hour in range(5, 24)
    ]
    return lay(2, f"Linie {line}: {named[at]}", table(rows), "de", nav, side[max(0, at - 3) : at + 4])


@honest(VISITOR_HONEST)
def psakim(asked: Asked) -> Answer | None:
    """Decisions of an Israeli court by year and month, some only of one line."""
    nav = [("/", "ראשי"), ("/about", "אודות"), ("/search", "חיפוש")]
    years = range(2008, 2020)
    if asked.path == "/":
        return lay(1, "בית המשפט", ul((f"/psak/{year}/", year) for year in years), "he", nav)
    if asked.path in {"/about", "/search"}:
        return lay(1, "אודות", f"<p>{text('he', asked.rng, 80)}</p>", "he", nav)
    parts = asked.segments
    year = num(parts[1], 2008, 2019) if len(parts) in {2, 3, 4} and parts[0] == "psak" else None
    if not year:
        return None
    foot = [(f"/psak/{other}/", other) for other in years]
    if len(parts) == 2:
        links = ul((f"/psak/{year}/{month:02}/", f"{month:02}/{year}") for month in range(1, 13))
        return lay(1, f"פסקי דין {year}", links, "he", nav, foot=foot)
    month = num(parts[2], 1, 12, 2)
    if not month:
        return None
    count = asked.of("count", year, month).randint(8, 26)
    if len(parts) == 3:
        rows = [
            [anchor(f"/psak/{year}/{month:02}/{1000 + at}.html", f"עא {1000 + at}/{year % 100:02}")]
            for at in range(count)
        ]
        return lay(1, f"{month:02}/{year}", table(rows), "he", nav, foot=foot)
    at = num(parts[3].removesuffix(".html"), 1000, 999 + count)
    if not at:
        return None
    rng = asked.of("psak", year, month, at)
    body = f"<p>{rare('he', rng)} נגד {rare('he', rng)}</p>"
    if rng.random() < 0.4:
        body += "<p>הערעור נדחה.</p>"
    else:
        body += "".join(f"<p>{n + 1}. {text('he', rng, rng.randint(30, 120))}</p>" for n in range(rng.randint(2, 12)))
    return lay(
        1, f"עא {at}/{year % 100:02}", body, "he", nav, [(f"/psak/{year}/{month:02}/", f"{month:02}/{year}")], foot
    )


@honest(VISITOR_HONEST)
def phanmai(asked: Asked) -> Answer | None:
    """A Thai database of plants: families, genera, species, with a label and a value each."""
    nav = [("/", "หน้าแรก"), ("/plants/", "พรรณไม้")]
    parts = asked.segments or [""]
    if asked.path == "/":
        return lay(4, "ฐานข้อมูลพรรณไม้", f"<p>{text('th', asked.of('h'), 40)}</p>", "th", nav)
    if parts[0] != "plants" or len(parts) > 4:
        return None
    where, trail = "/plants/", [*nav]
    for depth, part in enumerate(parts[1:]):
        known = _genera(asked, where, depth)
        if unquote(part) not in known:
            return None
        where += quote(unquote(part)) + "/"
        trail.append((where, unquote(part)))
    if len(parts) < 4:
        known = _genera(asked, where, len(parts) - 1)
        return lay(4, trail[-1][1], ul((where + quote(one) + "/", one) for one in known), "th", trail[:-1])
    rng = asked.of("species", where)
    labels = ["ชื่อวงศ์", "ความสูง", "ดอก", "ผล", "ถิ่นกำเนิด", "สถานะ"]
    values = [parts[1], f"{rng.randint(1, 40)} m", *(rare("th", rng, 1) for _ in range(3))]
    values.append(rng.choice(["LC", "NT", "VU", "EN"]))
    return lay(4, trail[-1][1], table(zip(labels, values, strict=True)), "th", trail[:-1], said=0)


def _genera(asked: Asked, where: str, depth: int) -> list[str]:
    rng = asked.of("genera", where)
    count = (16, rng.randint(3, 12), rng.randint(2, 22))[depth]
    return list(dict.fromkeys(rare("la", rng, 1).capitalize() + ("aceae", "ium", "ensis")[depth] for _ in range(count)))


@honest(VISITOR_HONEST)
def ristikot(asked: Asked) -> Answer | None:
    """A Finnish archive of 900 crosswords: grid and solution, by previous and next alone."""
    if asked.path == "/":
        body = f"<p>{text('fi', asked.of('h'), 50)}</p>" + ul([("/ristikko/900", "Uusin ristikko")])
        return doc("Ristikkoarkisto", body, "fi", 2)
    parts = asked.segments
    at = num(parts[1], 1, 900) if len(parts) in {2, 3} and parts[0] == "ristikko" else None
    if not at or parts[2:] not in ([], ["ratkaisu"]):
        return None
    rng = asked.of("grid", at)
    letters = [[rng.choice("AEIOUKLMNPRST") if rng.random() < 0.8 else "" for _ in range(9)] for _ in range(9)]
    clues = "".join(f"<li>{rare('fi', rng, 2)} ({rng.randint(3, 9)})</li>" for _ in range(14))
    before, after = (f"/ristikko/{one}" if 1 <= one <= 900 else None for one in (at - 1, at + 1))
    links = steps(before, after, "Edellinen", "Seuraava")
    if parts[2:]:
        return doc(f"Ratkaisu {at}", table(letters) + ul([(f"/ristikko/{at}", "Takaisin")]), "fi", 2)
    grid = table([["&nbsp;" if letter else "#" for letter in line] for line in letters])
    body = grid + f"<ol>{clues}</ol>" + ul([(f"/ristikko/{at}/ratkaisu", "Ratkaisu")]) + links
    return doc(f"Ristikko {at}", body, "fi", 2)


@honest(VISITOR_HONEST)
def ingu_tonggye(asked: Asked) -> Answer | None:
    """Korean statistics of 150 municipalities in 20 years, whose pages differ in seven figures."""
    nav = [("/", "홈"), ("/stat/list.do", "지역"), ("/stat/guide.do", "이용안내")]
    towns = _towns("ko", 150, "시", asked.seed)
    if asked.path == "/":
        return lay(2, "인구통계", f"<p>{text('ko', asked.of('h'), 30)}</p>", "ko", nav)
    if asked.path == "/stat/guide.do":
        return lay(2, "이용안내", f"<p>{text('ko', asked.of('g'), 200)}</p>", "ko", nav)
    if asked.path == "/stat/list.do":
        links = ul((f"/stat/view.do?region={11000 + at * 10}&year=2003", town) for at, town in enumerate(towns))
        return lay(2, "지역", links, "ko", nav)
    region, year = num(asked.query.get("region"), 11000, 12490), num(asked.query.get("year"), 2003, 2022)
    if asked.path != "/stat/view.do" or not region or region % 10 or not year:
        return None
    rng = asked.of("stat", region, year)
    men, women = rng.randint(3_000, 400_000), rng.randint(3_000, 400_000)
    rows = [["총인구", men + women], ["남", men], ["여", women], ["세대", (men + women) * 10 // 23]]
    rows += [["출생", rng.randint(9, 4000)], ["사망", rng.randint(9, 4000)], ["고령", rng.randint(900, 40000)]]
    side = [(f"/stat/view.do?region={region}&year={other}", f"{other}년") for other in range(2003, 2023)]
    return lay(2, f"{towns[(region - 11000) // 10]} {year}년", table(rows), "ko", nav, side)


@cache
def _towns(lang: str, count: int, end: str, seed: int) -> list[str]:
    rng = Random(f"{seed}towns{lang}")
    return [rare(lang, rng, 1).title() + end for _ in range(count)]


@honest(VISITOR_HONEST)
def cifras(asked: Asked) -> Answer | None:
    """Brazilian lyrics and chords: artists from A to Z, each song as lyrics, chords, tab and for print."""
    letters = "abcdefghijlmnoprstuvz"
    nav = [(f"/letra/{letter}/", letter.upper()) for letter in letters]
    parts = asked.segments or [""]
    if asked.path == "/":
        return lay(1, "Cifras e letras", f"<p>{text('pt', asked.of('h'), 40)}</p>", "pt", nav)
    if parts[0] == "letra" and len(parts) == 2 and len(parts[1]) == 1 and parts[1] in letters:
        count = asked.of("artists", parts[1]).randint(2, 8)
        links = ((f"/{parts[1]}-artista-{at}/", rare("pt", asked.of("a", parts[1], at))) for at in range(count))
        return lay(1, parts[1].upper(), ul(links), "pt", nav)
    bits = parts[0].split("-")
    if len(bits) != 3 or bits[1] != "artista" or len(bits[0]) != 1 or bits[0] not in letters or len(parts) > 3:
        return None
    at = num(bits[2], 0, asked.of("artists", bits[0]).randint(2, 8) - 1)
    if at is None:
        return None
    base, songs = f"/{parts[0]}/", asked.of("songs", parts[0]).randint(3, 11)
    if len(parts) == 1:
        links = ((f"{base}{song}/", rare("pt", asked.of(base, song), 3)) for song in range(songs))
        return lay(1, rare("pt", asked.of("a", bits[0], at)), ul(links), "pt", nav)
    song = num(parts[1], 0, songs - 1)
    if song is None or parts[2:] not in ([], ["cifra"], ["tab"], ["imprimir.html"]):
        return None
    rng = asked.of("song", base, song)
    chorus = [text("pt", rng, 7) for _ in range(4)]
    lines = [line for _ in range(3) for line in [*(text("pt", rng, 8) for _ in range(4)), *chorus]]
    if parts[2:] == ["imprimir.html"]:
        return doc(rare("pt", asked.of(base, song), 3), "<br>".join(lines), "pt", 0)
    if parts[2:]:
        chords = rng.sample(["Am", "G", "C", "D7", "Em", "F", "Bm"], 4)
        over = " ".join(chords) if parts[2] == "cifra" else "e|--0--2--3--|"
        lines = [f"<b>{over}</b>\n{line}" for line in lines]
    side = [(f"{base}{song}/{view}", view or "letra") for view in ("", "cifra", "tab", "imprimir.html")]
    body = "<pre>" + "\n".join(lines) + "</pre>"
    return lay(1, rare("pt", asked.of(base, song), 3), body, "pt", nav, [*side, (base, "mais do artista")])


@honest(VISITOR_HONEST)
def shozouhin(asked: Asked) -> Answer | None:
    """A Japanese museum's 1,500 objects, of few words each."""
    nav = [("/", "トップ"), ("/collection/?p=1", "所蔵品"), ("/access.html", "アクセス")]
    if asked.path == "/":
        return lay(1, "市立博物館", f"<p>{text('ja', asked.of('h'), 40)}</p>", "ja", nav, said=6)
    if asked.path == "/access.html":
        return lay(1, "アクセス", f"<p>{text('ja', asked.of('a'), 40)}</p>", "ja", nav, said=6)
    if asked.path == "/collection/":
        page = num(asked.query.get("p"), 1, 75)
        if not page:
            return None
        items = range(page * 20 - 19, page * 20 + 1)
        links = ul((f"/collection/item.php?id={at}&p={page}", rare("ja", asked.of("obj", at), 2)) for at in items)
        pages = row((f"/collection/?p={at}", at) for at in range(max(1, page - 3), min(75, page + 3) + 1))
        return lay(1, f"所蔵品一覧 {page}/75", links + pages, "ja", nav, said=6)
    at = num(asked.query.get("id"), 1, 1500)
    if asked.path != "/collection/item.php" or not at or num(asked.query.get("p"), 1, 75) != (at + 19) // 20:
        return None
    rng = asked.of("obj", at)
    rows = [["名称", rare("ja", rng, 2)], ["時代", rng.choice(["江戸", "明治", "大正", "室町"])]]
    rows.append(["寸法", f"{rng.randint(3, 90)}.{rng.randrange(10)}cm"])
    body = f"<img src='/img/{at}.jpg' alt=''>{table(rows)}{row([(f'/collection/?p={(at + 19) // 20}', '一覧へ')])}"
    return lay(1, rare("ja", asked.of("obj", at), 2), body, "ja", nav, said=6)


@honest(VISITOR_HONEST)
def kairos(asked: Asked) -> Answer | None:
    """The weather of a Greek station on each day from 2005 to 2010."""
    nav = [("/", "Αρχική"), ("/arxeio/", "Αρχείο"), ("/stathmos.html", "Ο σταθμός")]  # noqa: RUF001
    first, last = date(2005, 1, 1), date(2010, 12, 31)
    parts = asked.segments or [""]
    if asked.path == "/":
        return lay(0, "Μετεωρολογικός σταθμός", f"<p>{text('el', asked.of('h'), 70)}</p>", "el", nav)
    if asked.path == "/stathmos.html":
        return lay(0, "Ο σταθμός", f"<p>{text('el', asked.of('s'), 150)}</p>", "el", nav)  # noqa: RUF001
    if parts[0] != "arxeio" or len(parts) > 4:
        return None
    if len(parts) == 1:
        return lay(0, "Αρχείο", ul((f"/arxeio/{year}/", year) for year in range(2005, 2011)), "el", nav)
    year = num(parts[1], 2005, 2010)
    month = num(parts[2], 1, 12, 2) if len(parts) > 2 else 1
    if not year or not month:
        return None
    if len(parts) == 2:
        links = ul((f"/arxeio/{year}/{at:02}/", f"{at:02}/{year}") for at in range(1, 13))
        return lay(0, f"Αρχείο {year}", links, "el", nav)
    days = ((date(year, month, 28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)).day
    if len(parts) == 3:
        links = row(((f"/arxeio/{year}/{month:02}/{at:02}", at) for at in range(1, days + 1)), " ")
        return lay(0, f"{month:02}/{year}", links, "el", nav)
    day = num(parts[3], 1, days, 2)
    if not day:
        return None
    when, rng = date(year, month, day), asked.of("day", year, month, day)
    rows = [["Ώρα", "°C", "hPa", "%", "m/s"]]
    for hour in range(0, 24, 3):
        told = rng.randint(2, 35), rng.randint(990, 1030), rng.randint(20, 99), rng.randint(0, 20)
        rows.append([f"{hour:02}:00", *map(str, told)])
    around = [when + timedelta(days=step) for step in (-1, 1)]
    side = [(f"/arxeio/{one:%Y/%m/%d}", f"{one:%d/%m}") for one in around if first <= one <= last]
    return lay(0, f"{when:%d/%m/%Y}", table(rows), "el", nav, side)


@honest(VISITOR_HONEST)
def sahifa(asked: Asked) -> Answer | None:
    """An Arabic paper of 20 years: a page for each day, with no article, one or two (about 12,000 pages)."""
    nav = [("/", "الرئيسية"), ("/archive.aspx?date=1990-01-01", "الأرشيف"), ("/about.aspx", "من نحن")]
    first, last = date(1990, 1, 1), date(2009, 12, 31)
    if asked.path == "/":
        links = ul((f"/archive.aspx?date={year}-01-01", year) for year in range(1990, 2010))
        return lay(2, "صحيفة", f"<p>{text('ar', asked.of('h'), 60)}</p>{links}", "ar", nav)
    if asked.path == "/about.aspx":
        return lay(2, "من نحن", f"<p>{text('ar', asked.of('ab'), 160)}</p>", "ar", nav)
    try:
        when = date.fromisoformat(asked.query.get("date", ""))
    except ValueError:
        return None
    if not first <= when <= last or asked.query["date"] != when.isoformat():
        return None
    count = asked.of("count", when).choice((0, 1, 1, 1, 0))
    if asked.path == "/archive.aspx":
        links = (
            (f"/article.aspx?date={when}&id={at}", rare("ar", asked.of("art", when, at), 4)) for at in range(count)
        )
        found = ul(links) if count else "<p>لا توجد مقالات</p>"
        around = [when + timedelta(days=step) for step in (-1, 1)]
        side = [(f"/archive.aspx?date={one}", one) for one in around if first <= one <= last]
        return lay(2, f"{when:%d-%m-%Y}", found, "ar", nav, side)
    at = num(asked.query.get("id"), 0, count - 1)
    if asked.path != "/article.aspx" or at is None:
        return None
    rng = asked.of("art", when, at)
    title = rare("ar", rng, 4)
    body = "".join(f"<p>{text('ar', rng, 60)}</p>" for _ in range(rng.randint(1, 4)))
    return lay(2, title, f"<p class=date>{when}</p>{body}", "ar", nav)


@honest(VISITOR_HONEST)
def gyankosh(asked: Asked) -> Answer | None:
    """A Hindi wiki of 380 articles, each with its history of three to six revisions."""
    at = num(asked.query.get("title", "").removeprefix("L"), 0, 379)
    nav = [("/", "मुखपृष्ठ"), ("/index.php?title=Suchi", "सूची")]
    if asked.path == "/":
        return lay(4, "ज्ञानकोश", f"<p>{text('hi', asked.of('h'), 70)}</p>", "hi", nav)
    if asked.path != "/index.php":
        return None

    def titled(which: int) -> str:
        return rare("hi", asked.of("title", which), 2)

    if asked.query.get("title") == "Suchi":
        links = ul((f"/index.php?title=L{which}", titled(which)) for which in range(380))
        return lay(4, "सूची", links, "hi", nav)
    if at is None:
        return None
    base, old = f"/index.php?title=L{at}", asked.of("revs", at).randint(3, 6)
    tabs = [(base, "लेख"), (f"{base}&action=history", "इतिहास")]
    if asked.query.get("action") == "history":
        rows = [
            [
                anchor(f"{base}&oldid={at * 10 + rev}", f"{rev + 1} जनवरी {2009 + rev}"),
                rare("hi", asked.of("user", at, rev), 1),
            ]
            for rev in range(old)
        ]
        return lay(4, f"{titled(at)}: इतिहास", table(rows), "hi", [*nav, *tabs])
    revision = (
        num(asked.query.get("oldid"), at * 10, at * 10 + old - 1) if "oldid" in asked.query else at * 10 + old - 1
    )
    if revision is None:
        return None
    paragraphs = [text("hi", asked.of("par", at, n), 45) for n in range(revision - at * 10 + 2)]
    body = "".join(f"<p>{one}</p>" for one in paragraphs)
    see = ul((f"/index.php?title=L{which}", titled(which)) for which in asked.of("see", at).sample(range(380), 5))
    return lay(4, titled(at), body + see, "hi", [*nav, *tabs])


@honest(VISITOR_HONEST)
def anh_dep(asked: Asked) -> Answer | None:
    """A Vietnamese photo gallery: albums, photos, and four sizes of each, which end."""
    nav = [("/", "Trang chủ"), ("/album/", "Album")]
    parts = asked.segments or [""]
    if asked.path == "/":
        return lay(3, "Ảnh đẹp", f"<p>{text('vi', asked.of('h'), 40)}</p>", "vi", nav)
    if parts[0] != "album" or len(parts) > 4:
        return None
    if len(parts) == 1:
        links = ul((f"/album/{at}/", called(asked.seed, "vi", 2, "album", at)) for at in range(1, 25))
        return lay(3, "Album", links, "vi", nav)
    album = num(parts[1], 1, 24)
    if not album:
        return None
    photos = asked.of("photos", album).randint(9, 36)
    if len(parts) == 2:
        thumbs = "".join(
            f"<a href='/album/{album}/{at}/'><img src='/t/{album}-{at}.jpg'></a> " for at in range(1, photos + 1)
        )
        return lay(3, called(asked.seed, "vi", 2, "album", album), thumbs, "vi", nav)
    at, sizes = num(parts[2], 1, photos), ["nho", "vua", "lon", "goc"]
    if not at or (parts[3:] and parts[3] not in sizes):
        return None
    base = f"/album/{album}/{at}/"
    size = parts[3] if parts[3:] else ""
    links = [(base + one, one) for one in sizes]
    around = ((at - 1, "Trước"), (at + 1, "Sau"))
    links += [(f"/album/{album}/{one}/{size}", told) for one, told in around if 1 <= one <= photos]
    image = f"<img src='/p/{album}-{at}-{size or 'vua'}.jpg' alt='IMG_{album * 100 + at:04}'>"
    return lay(3, f"Ảnh {at}/{photos}", f"{image}<br>{row(links)}", "vi", nav, said=0)


@honest(VISITOR_HONEST)
def datos_abiertos(asked: Asked) -> Answer | None:
    """A Spanish portal of open data: 420 sets, each as HTML, JSON, XML and CSV, some with a PDF."""
    nav = [("/", "Inicio"), ("/dataset?page=1", "Conjuntos de datos"), ("/aviso-legal", "Aviso legal")]
    if asked.path == "/":
        return lay(2, "Datos abiertos", f"<p>{text('es', asked.of('h'), 80)}</p>", "es", nav)
    if asked.path == "/aviso-legal":
        return lay(2, "Aviso legal", f"<p>{text('es', asked.of('a'), 300)}</p>", "es", nav)
    if asked.path == "/dataset":
        page = num(asked.query.get("page"), 1, 42)
        if not page:
            return None
        near = {1, 42, *(at for at in (page - 1, page, page + 1) if 1 <= at <= 42)}
        pages = row((f"/dataset?page={at}", at) for at in sorted(near))
        own = range(page * 10 - 9, page * 10 + 1)
        links = ul((f"/dataset/ds-{at:04}", called(asked.seed, "es", 4, "ds", at)) for at in own)
        return lay(2, f"Conjuntos de datos ({page})", links + pages, "es", nav)
    stem, _, kind = asked.path.removeprefix("/dataset/ds-").partition(".")
    at = num(stem, 1, 420, 4)
    kinds = ["json", "xml", "csv", *(["pdf"] if at and at % 5 == 0 else [])]
    if not at or not asked.path.startswith("/dataset/ds-") or (kind and kind not in kinds):
        return None
    rng = asked.of("rows", at)
    rows = [(2000 + n, rng.randint(1, 99_999), round(rng.random() * 100, 1)) for n in range(rng.randint(5, 22))]
    if kind:
        return _dataset(kind, at, rows, rng)
    formats = ul((f"/dataset/ds-{at:04}.{one}", one.upper()) for one in kinds)
    return lay(2, called(asked.seed, "es", 4, "ds", at), f"<p>{text('es', rng, 35)}</p>{formats}", "es", nav)


def _dataset(kind: str, at: int, rows: list[tuple[int, int, float]], rng: Random) -> Answer:
    if kind == "json":
        return raw("application/json", json.dumps({"id": at, "rows": rows}))
    if kind == "csv":
        return raw("text/csv", "anio;total;pct\r\n" + "".join(";".join(map(str, one)) + "\r\n" for one in rows))
    if kind == "xml":
        return xml(f"<ds id='{at}'>" + "".join(f"<r a='{a}' t='{b}' p='{c}'/>" for a, b, c in rows) + "</ds>")
    return raw("application/pdf", b"%PDF-1.4\n% " + text("es", rng, 80).encode() + b"\n%%EOF\n")


@honest(VISITOR_HONEST)
def tek_sayfa(asked: Asked) -> Answer | None:
    """A Turkish shop in one-page shells: the same shell on 640 pages, with its data as JSON in a script."""
    parts = asked.segments
    data: dict[str, object] = {"build": digest("build", asked.seed)[:12], "locale": "tr-TR"}
    links = [("/", "Ana Sayfa"), *((f"/k/{at}", f"Kategori {at}") for at in range(1, 17))]
    at = num(parts[1], 1, 16 if parts[0] == "k" else 624) if len(parts) == 2 and parts[0] in {"k", "u"} else None
    if asked.path == "/":
        data["page"] = "home"
    elif at and parts[0] == "k":
        goods = [(one, called(asked.seed, "tr", 2, "u", one)) for one in range(at * 39 - 38, at * 39 + 1)]
        data |= {"page": "category", "id": at, "items": [{"id": one, "t": told} for one, told in goods]}
        links += [(f"/u/{one}", told) for one, told in goods]
    elif at:
        rng = asked.of("u", at)
        data |= {"page": "product", "id": at, "title": called(asked.seed, "tr", 2, "u", at)}
        data |= {"price": rng.randint(20, 9000), "stock": rng.randrange(50), "text": text("tr", rng, 40)}
    else:
        return None
    head = "<meta charset=utf-8><title>Mağaza</title><script defer src='/static/js/main.8f3c.js'></script>"
    state = json.dumps(data, ensure_ascii=False)
    out = (
        f"<!doctype html><html lang=tr><head>{head}</head><body><div id=root></div>"
        f"<script id=__STATE__ type='application/json'>{state}</script>"
        f"<noscript>{''.join(anchor(*link) for link in links)}</noscript></body></html>"
    )
    return Answer(200, HTML, out.encode())


@honest(VISITOR_HONEST)
def glossaire(asked: Asked) -> Answer | None:
    """A French glossary of 320 terms, whose sidebar links each page to all the others."""
    side = [(f"/terme/{at}", called(asked.seed, "fr", 1, "terme", at)) for at in range(320)]
    nav = [("/", "Accueil"), ("/mentions", "Mentions légales")]
    if asked.path == "/":
        return lay(4, "Glossaire", f"<p>{text('fr', asked.of('h'), 60)}</p>", "fr", nav, side)
    if asked.path == "/mentions":
        return lay(4, "Mentions légales", f"<p>{text('fr', asked.of('m'), 160)}</p>", "fr", nav, side)
    at = num(asked.path.removeprefix("/terme/"), 0, 319)
    if at is None or not asked.path.startswith("/terme/"):
        return None
    told = text("fr", asked.of("terme", at), asked.of("length", at).randint(8, 60))
    return lay(4, side[at][1], f"<p>{told}</p>", "fr", nav, side)


@honest(VISITOR_HONEST)
def zavod(asked: Asked) -> Answer | None:
    """A Russian factory's products, with links that lack their slash and lead to 404s from each page."""
    nav = [("/", "Главная"), ("/produkcia/", "Продукция"), ("/o-zavode.html", "О заводе")]  # noqa: RUF001
    wrong = [("produkcia/", "Каталог"), ("kontakty.html", "Контакты")]
    parts = asked.segments or [""]
    if asked.path == "/":
        body = f"<p>{text('ru', asked.of('h'), 80)}</p>"
        return lay(0, "Завод", body, "ru", nav, foot=[("/kontakty.html", "Контакты")])
    if asked.path in {"/o-zavode.html", "/kontakty.html"}:
        return lay(0, "О заводе", f"<p>{text('ru', asked.rng, 140)}</p>", "ru", nav)  # noqa: RUF001
    if parts[0] != "produkcia" or len(parts) > 3:
        return None
    if asked.path == "/produkcia/":
        links = ul((f"/produkcia/gruppa-{at}/", called(asked.seed, "ru", 2, "gr", at)) for at in range(1, 23))
        return lay(0, "Продукция", links, "ru", nav)
    group = num(parts[1].removeprefix("gruppa-"), 1, 22) if len(parts) > 1 and parts[1].startswith("gruppa-") else None
    if not group:
        return None
    count, name = asked.of("goods", group).randint(12, 34), called(asked.seed, "ru", 1, "gr", group)
    if len(parts) == 2 and asked.path.endswith("/"):
        links = ul((f"izdelie-{at}.html", f"{name} {at * 10}") for at in range(1, count + 1))
        return lay(0, called(asked.seed, "ru", 2, "gr", group), links, "ru", nav, foot=wrong)
    at = num(parts[2].removeprefix("izdelie-").removesuffix(".html"), 1, count) if len(parts) == 3 else None
    if not at or parts[2] != f"izdelie-{at}.html" or asked.path.endswith("/"):
        return None
    rng = asked.of("good", group, at)
    rows = [["Масса, кг", rng.randint(1, 900)], ["Длина, мм", rng.randint(10, 6000)]]  # noqa: RUF001
    rows.append(["ГОСТ", f"{rng.randint(1000, 9999)}-{rng.randint(70, 99)}"])
    foot = [*wrong, *([(f"pasport/{at}.pdf", "Паспорт")] if at % 3 else [])]
    return lay(0, f"{name} {at * 10}", table(rows) + f"<p>{text('ru', rng, 12)}</p>", "ru", nav, foot=foot)


@honest(VISITOR_HONEST)
def gonggao(asked: Asked) -> Answer | None:
    """Notices of a Chinese authority: a pager of 800 pages, four notices each, next and last alone."""
    nav = [("/", "首页"), ("/gk/index.jsp?page=1", "政务公开"), ("/fw.jsp", "服务")]
    foot = [("/sitemap.jsp", "网站地图"), ("/about.jsp", "关于我们")]
    if asked.path == "/":
        return lay(2, "市人民政府", f"<p>{text('zh', asked.of('h'), 40)}</p>", "zh", nav, foot=foot)
    if asked.path in {"/fw.jsp", "/sitemap.jsp", "/about.jsp"}:
        return lay(2, "网站地图", f"<p>{text('zh', asked.rng, 60)}</p>", "zh", nav, foot=foot)
    if asked.path == "/gk/index.jsp":
        page = num(asked.query.get("page"), 1, 800)
        if not page:
            return None
        own = range(page * 4 - 3, min(page * 4, 3190) + 1)
        links = ul((f"/gk/content.jsp?id={at}", called(asked.seed, "zh", 6, "gg", at)) for at in own)
        on = [(f"/gk/index.jsp?page={page + 1}", "下一页")] if page < 800 else []
        turn = row([*on, ("/gk/index.jsp?page=800", "尾页")])
        return lay(2, f"公告 第{page}页 共800页", links + turn, "zh", nav, foot=foot)
    at = num(asked.query.get("id"), 1, 3190)
    if asked.path != "/gk/content.jsp" or not at:
        return None
    rng = asked.of("notice", at)
    body = f"<p>发布日期：{date(2024, 1, 1) - timedelta(days=at)}</p><p>{text('zh', rng, rng.randint(20, 90))}</p>"  # noqa: RUF001
    return lay(2, called(asked.seed, "zh", 6, "gg", at), body, "zh", nav, foot=foot)


@honest(VISITOR_HONEST)
def shakhy(asked: Asked) -> Answer | None:
    """Fifty Ukrainian chess games, a page for each move with the board, by previous and next."""
    nav = [("/", "Головна"), ("/partii", "Партії")]
    if asked.path == "/":
        return lay(3, "Шахи", f"<p>{text('uk', asked.of('h'), 50)}</p>", "uk", nav)
    lengths = [asked.of("plies", at).randint(30, 90) for at in range(50)]
    players = [f"{called(asked.seed, 'uk', 1, 'w', at)} - {called(asked.seed, 'uk', 1, 'b', at)}" for at in range(50)]
    if asked.path == "/partii":
        return lay(3, "Партії", ul((f"/partia?n={at}&hid=0", told) for at, told in enumerate(players)), "uk", nav)
    at, ply = num(asked.query.get("n"), 0, 49), num(asked.query.get("hid"), 0, 90)
    if asked.path != "/partia" or at is None or ply is None or ply > lengths[at]:
        return None
    board = [list("rnbqkbnr"), ["p"] * 8, *(["."] * 8 for _ in range(4)), ["P"] * 8, list("RNBQKBNR")]
    rng, move = asked.of("game", at), ""
    for side in range(ply):
        taken = [(y, x) for y in range(8) for x in range(8) if board[y][x] != "."]
        own = [(y, x) for y, x in taken if board[y][x].isupper() == (side % 2 == 0)]
        (y, x), (to_y, to_x) = rng.choice(own), (rng.randrange(8), rng.randrange(8))
        if board[to_y][to_x].lower() != "k":
            board[to_y][to_x], board[y][x] = board[y][x], "."
        move = f"{side // 2 + 1}.{'..' if side % 2 else ''} {'abcdefgh'[to_x]}{8 - to_y}"
    before, after = (f"/partia?n={at}&hid={one}" if 0 <= one <= lengths[at] else None for one in (ply - 1, ply + 1))
    return lay(3, players[at], f"<p>{move}</p>{table(board)}{steps(before, after)}", "uk", nav, said=0)


@honest(VISITOR_HONEST)
def norm(asked: Asked) -> Answer | None:
    """A Dutch standard with numbered sections of up to five levels, a page each."""
    if asked.path == "/":
        links = ul((f"/norm/{at}", f"Hoofdstuk {at}") for at in range(1, 13))
        return doc("Bouwbesluit", f"<p>{text('nl', asked.of('h'), 60)}</p>{links}", "nl", 1)
    parts = asked.segments
    levels = parts[1].split(".") if len(parts) == 2 and parts[0] == "norm" else []
    if not levels or len(levels) > 5:
        return None
    for depth in range(len(levels)):
        if not num(levels[depth], 1, _sections(asked.seed, ".".join(levels[:depth]))):
            return None
    here = ".".join(levels)
    below = _sections(asked.seed, here)
    up = ".".join(levels[:-1])
    at, last = int(levels[-1]), _sections(asked.seed, up)
    stem = f"/norm/{up}." if up else "/norm/"
    names = ((one, called(asked.seed, "nl", 2, "s", here, one)) for one in range(1, below + 1))
    body = f"<p>{text('nl', asked.of('s', here), asked.of('l', here).randint(6, 90))}</p>"
    body += ul((f"/norm/{here}.{one}", f"{here}.{one} {told}") for one, told in names)
    turns = [(f"/norm/{up}", "omhoog")] if up else []
    turns += [(f"{stem}{one}", told) for one, told in ((at - 1, "vorige"), (at + 1, "volgende")) if 1 <= one <= last]
    body += row(turns)
    return doc(f"{here} {called(asked.seed, 'nl', 2, 's', up, at)}", body, "nl", 1)


def _sections(seed: int, where: str) -> int:
    depth = where.count(".") + bool(where)
    if not 0 < depth < 5:
        return 0 if depth else 12
    return (7, 6, 5, 3)[depth - 1] - Random(f"{seed}|section{where}").randrange(4 if depth < 3 else 6)


@honest(VISITOR_HONEST)
def slakttrad(asked: Asked) -> Answer | None:
    """A Swedish genealogy of 2,000 persons with names and years, linked as parents and children."""
    nav = [("/", "Start"), ("/surnames.php", "Efternamn"), ("/om.php", "Om sidan")]
    if asked.path == "/":
        body = f"<p>{text('sv', asked.of('h'), 40)}</p>{ul([('/getperson.php?personID=I1&tree=lund', 'Anfadern')])}"
        return lay(0, "Släktträd", body, "sv", nav)
    if asked.path == "/om.php":
        return lay(0, "Om sidan", f"<p>{text('sv', asked.of('o'), 90)}</p>", "sv", nav)
    if asked.path == "/surnames.php":
        names = ((at, called(asked.seed, "sv", 1, "sur", at % 37)) for at in range(1, 2001, 53))
        links = ul((f"/getperson.php?personID=I{at}&tree=lund", told) for at, told in names)
        return lay(0, "Efternamn", links, "sv", nav)
    at = num(asked.query.get("personID", "").removeprefix("I"), 1, 2000)
    if asked.path != "/getperson.php" or not at or asked.query.get("tree") != "lund":
        return None

    def person(one: int) -> tuple[str, str]:
        first, last = called(asked.seed, "sv", 1, "first", one % 61), called(asked.seed, "sv", 1, "sur", one % 37)
        return f"/getperson.php?personID=I{one}&tree=lund", f"{first.title()} {last.title()}"

    born = 1650 + 34 * (at.bit_length() - 1) + asked.of("born", at).randrange(12)
    children = [person(one) for one in (2 * at, 2 * at + 1) if one <= 2000]
    rows = [["Född", born], ["Död", born + asked.of("died", at).randint(1, 88)]]
    rows += [["Far", row([person(at // 2)]) if at > 1 else "okänd"], ["Barn", row(children, "<br>") or "inga"]]
    return lay(0, person(at)[1], table(rows), "sv", nav, said=0)
