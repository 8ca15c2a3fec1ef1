"""Traps of a visitor, from calendars to a repository (see `_zoo_visitor`)."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from random import Random
from urllib.parse import quote, unquote, urlencode

from _zoo import Answer, Asked, Site, trap
from _zoo_honest import _split
from _zoo_outsider import anchor, digest, doc, rare, slug, table, text, ul, vocab, words
from _zoo_visitor import called, lay, num, raw, row, steps

VISITOR: list[Site] = []


@trap("/calendar/?y=2569&m=11", VISITOR, silent=True)
def patithin(asked: Asked) -> Answer | None:
    """A plugin's calendar of the Thai Buddhist era: months and days without events, forward and back for ever."""
    year, month, day = (num(asked.query.get(key), 1, most) for key, most in (("y", 99_999), ("m", 12), ("d", 31)))
    if asked.path != "/calendar/" or not year or not month:
        return None
    months = _split("ม.ค. ก.พ. มี.ค. เม.ย. พ.ค. มิ.ย. ก.ค. ส.ค. ก.ย. ต.ค. พ.ย. ธ.ค.")
    if "d" in asked.query:
        if not day:
            return None
        nav = [("/", "หน้าแรก"), (f"/calendar/?y={year}&m={month}", "กลับ")]
        return lay(1, f"{day} {months[month - 1]} {year}", "<p>ไม่มีกิจกรรมในวันนี้</p>", "th", nav)
    ends = [31, 28 + (year % 4 == 3), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    cells = [anchor(f"/calendar/?y={year}&m={month}&d={at}", at) for at in range(1, ends + 1)]
    weeks = table([cells[at : at + 7] for at in range(0, ends, 7)])
    last, after = (year - (month == 1), (month + 10) % 12 + 1), (year + (month == 12), month % 12 + 1)
    turn = steps(f"/calendar/?y={last[0]}&m={last[1]}" if last[0] else None, f"/calendar/?y={after[0]}&m={after[1]}")
    return lay(1, f"{months[month - 1]} {year}", turn + weeks + "<p>ไม่มีกิจกรรม</p>", "th", [("/", "หน้าแรก")])


@trap("/events/month/1405/09/", VISITOR, silent=True)
def taqvim(asked: Asked) -> Answer | None:
    """An events plugin with Jalali dates in its path: views by month, week, day and list, each with an ical export."""
    parts = asked.segments
    views = {"month": "ماه", "week": "هفته", "day": "روز", "list": "فهرست"}
    names = _split("فروردین اردیبهشت خرداد تیر مرداد شهریور مهر آبان آذر دی بهمن اسفند")
    if len(parts) not in {4, 5} or parts[0] != "events" or parts[1] not in views:
        return None
    year, month = num(parts[2], 1, 99_999), num(parts[3], 1, 12, 2)
    if not year or not month:
        return None
    ends = 31 if month < 7 else 30 if month < 12 else 29
    day = num(parts[4], 1, ends, 2) if len(parts) == 5 else 1
    if not day:
        return None
    if asked.query.get("ical"):
        return raw("text/calendar", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n")

    def to(view: str, when: int, one: int) -> str:
        return f"/events/{view}/{when // 12}/{when % 12 + 1:02}/" + (f"{one:02}/" if view in {"day", "week"} else "")

    now = year * 12 + month - 1
    after = (now + (day == ends), day % ends + 1) if parts[1] in {"day", "week"} else (now + 1, 1)
    links = [(to(parts[1], now - 1, 1), "قبلی"), (to(parts[1], *after), "بعدی")]
    tabs = [(to(view, now, day), told) for view, told in views.items()]
    body = ul(tabs) + row(links)
    if parts[1] == "month":
        weeks = (range(first, min(first + 7, ends + 1)) for first in range(1, ends + 1, 7))
        body += table([anchor(to("day", now, one), one) for one in week] for week in weeks)
    body += f"<p>رویدادی یافت نشد</p>{anchor(f'{asked.path}?ical=1', 'iCal')}"
    return lay(2, f"{names[month - 1]} {year}", body, "ar", [("/", "خانه")], said=40)


@trap("/luach/5787/kislev", VISITOR, silent=True)
def luach(asked: Asked) -> Answer | None:
    """A Hebrew calendar of a community: each month leads to the next, each day to its page and a print of it."""
    months = _split("tishrei cheshvan kislev tevet shvat adar nisan iyar sivan tamuz av elul")
    told = _split("תשרי חשון כסלו טבת שבט אדר ניסן אייר סיון תמוז אב אלול")  # noqa: RUF001
    parts = asked.segments
    year = num(parts[1], 1, 99_999) if len(parts) in {3, 4} and parts[0] == "luach" else None
    if not year or parts[2] not in months:
        return None
    at = months.index(parts[2])
    ends = 30 - at % 2
    base = f"/luach/{year}/{parts[2]}"
    if len(parts) == 4:
        day = num(parts[3], 1, ends)
        if not day:
            return None
        body = f"<p>אין אירועים ביום זה</p>{row([(base, 'חזרה')])}"
        if "print" not in asked.query:
            body += anchor(f"{asked.path}?print=1", "הדפסה")
        return doc(f"{day} {told[at]} {year}", body, "he", 0)
    flip = [year * 12 + at - 1, year * 12 + at + 1]
    turn = row((f"/luach/{one // 12}/{months[one % 12]}", f"{told[one % 12]} {one // 12}") for one in flip if one >= 12)
    years = row([(f"/luach/{year + step}/{parts[2]}", year + step) for step in (-10, -1, 1, 10) if year + step > 0])
    days = row(((f"{base}/{day}", day) for day in range(1, ends + 1)), " ")
    return doc(f"{told[at]} {year}", turn + years + days, "he", 3)


@trap("/tra-tip/query?startStation=1000&endStation=3300&rideDate=115/11/25&startTime=06:00", VISITOR)
def shikebiao(asked: Asked) -> Answer | None:
    """A Taiwanese timetable with ROC dates: from, to, day and hour, each with links to those beside it."""
    stations = {str(1000 + at * 100): rare("zh", asked.of("st", at), 2) for at in range(40)}
    get = asked.query.get
    one, two, bits = get("startStation"), get("endStation"), get("rideDate", "").split("/")
    hour = num(get("startTime", "")[:2], 0, 23, 2)
    try:
        when = date(int(bits[0]) + 1911, int(bits[1]), int(bits[2]))
    except (ValueError, IndexError):
        return None
    if (
        asked.path != "/tra-tip/query"
        or one not in stations
        or two not in stations
        or hour is None
        or not 1950 < when.year < 9990
    ):
        return None

    def to(first: str, last: str, day: date, at: int) -> str:
        said = f"{day.year - 1911}/{day.month:02}/{day.day:02}"
        return f"/tra-tip/query?startStation={first}&endStation={last}&rideDate={said}&startTime={at:02}:00"

    rng, trains = asked.rng, []
    for at in range(rng.randint(2, 9)):
        number, leaves = rng.randint(100, 4000), f"{(hour + at // 3) % 24:02}:{rng.randrange(60):02}"
        trains.append([number, leaves, f"{rng.randint(1, 5)}時{rng.randrange(60)}分", f"${rng.randint(20, 900)}"])
    days = ((when - timedelta(days=1), "前一日"), (when + timedelta(days=1), "後一日"))
    turns = [(to(one, two, day, hour), told) for day, told in days]
    turns += [(to(two, one, when, hour), "去回程對調"), (to(one, two, when, (hour + 3) % 24), "較晚")]
    others = [(to(one, at, when, hour), stations[at]) for at in asked.rng.sample(sorted(stations), 6)]
    return lay(0, f"{stations[one]} → {stations[two]}", row(turns) + table(trains), "zh", [("/", "首頁")], others)


@trap("/buchen/?anreise=2026-12-01&abreise=2026-12-03&erw=2&kind=0", VISITOR)
def zimmer_frei(asked: Asked) -> Answer | None:
    """A guesthouse's booking engine: any arrival, departure, adults and children, with prices of the day."""
    try:
        come, go = (date.fromisoformat(asked.query.get(key, "")) for key in ("anreise", "abreise"))
    except ValueError:
        return None
    adults, children = num(asked.query.get("erw"), 1, 6), num(asked.query.get("kind"), 0, 4)
    if (
        asked.path != "/buchen/"
        or adults is None
        or children is None
        or not 1 <= (go - come).days <= 28
        or not 1990 < come.year < 9000
    ):
        return None

    def to(first: date, nights: int, old: int, young: int) -> str:
        days = {"anreise": first, "abreise": first + timedelta(days=nights)}
        return "/buchen/?" + urlencode({**days, "erw": old, "kind": young})

    nights = (go - come).days
    rooms = []
    for at in range(7):
        price = f"{asked.of(come, at).randint(49, 160) * nights},00 EUR"
        told = "ausgebucht" if asked.of(come, at).random() < 0.3 else price
        rooms.append([rare("de", asked.of("room", at), 1).title(), told])
    links = [(to(come + timedelta(days=7 * step), nights, adults, children), f"{step:+d} Woche") for step in (-1, 1)]
    links += [(to(come + timedelta(days=step), nights, adults, children), f"{step:+d} Tag") for step in (-1, 1)]
    links += [(to(come, at, adults, children), f"{at} Nächte") for at in (1, 2, 3, 5, 7, 14)]
    links += [(to(come, nights, at, children), f"{at} Erwachsene") for at in range(1, 5)]
    links += [(to(come, nights, adults, at), f"{at} Kinder") for at in range(4)]
    nav = [("/", "Gasthof"), ("/#anfahrt", "Anfahrt")]
    return lay(2, f"Verfügbarkeit {come:%d.%m.%Y} – {go:%d.%m.%Y}", table(rooms), "de", nav, links)  # noqa: RUF001


@trap("/ucuz-ucak-bileti/ist-esb/2026-12-05", VISITOR)
def ucuz_bilet(asked: Asked) -> Answer | None:
    """Turkish fare pages for any pair of 60 airports on any day, one way or with the way back."""
    codes = ["ist", "esb", *("".join(Random(f"iata{at}").choices("abcdefghijklmnoprstuvyz", k=3)) for at in range(58))]
    parts = asked.segments
    if len(parts) not in {3, 4} or parts[0] != "ucuz-ucak-bileti":
        return None
    pair = parts[1].split("-")
    try:
        days = [date.fromisoformat(part) for part in parts[2:]]
    except ValueError:
        return None
    if len(pair) != 2 or any(one not in codes for one in pair) or not 2000 < days[0].year < 9000 or days[-1] < days[0]:
        return None
    base = f"/ucuz-ucak-bileti/{parts[1]}/"
    around = [days[0] + timedelta(days=step) for step in range(-3, 4) if step]
    near = [(f"{base}{day}", f"{day:%d.%m} {asked.of(pair, day).randint(400, 4000)} TL") for day in around]
    back = [(f"{base}{days[0]}/{days[0] + timedelta(days=step)}", f"{step} gün") for step in (3, 7, 10)]
    rng, (here, there) = asked.rng, (one.upper() for one in pair)
    others = rng.sample(codes, 5)
    other = [(f"/ucuz-ucak-bileti/{pair[0]}-{one}/{days[0]}", f"{here} {one.upper()}") for one in others]
    fares = []
    for _ in range(rng.randint(3, 14)):
        carrier = rare("tr", asked.of("carrier", rng.randrange(9)), 1).title()
        leaves, price = f"{rng.randrange(24):02}:{rng.randrange(0, 60, 5):02}", f"{rng.randint(400, 4000)} TL"
        fares.append([carrier, leaves, price])
    foot = [(f"/ucuz-ucak-bileti/{pair[1]}-{pair[0]}/{days[0]}", "Dönüş")]
    body = table(fares) + ul(near) + ul(back)
    return lay(1, f"{here} {there} uçak bileti", body, "tr", [("/", "Ana sayfa")], other, foot)


_FACETS = {"marque": 12, "couleur": 10, "taille": 7, "matiere": 8, "saison": 4}


@trap("/catalogue?cat=chaussures", VISITOR)
def boutique(asked: Asked) -> Answer | None:
    """A French shop's facets: several brands, colours and sizes at once, price sliders, order and number per page."""
    if asked.path != "/catalogue" or asked.query.get("cat") != "chaussures":
        return None
    chosen = [(key, value) for key, value in asked.pairs if key.removesuffix("[]") in _FACETS]
    rest = [(key, value) for key, value in asked.pairs if key in {"min", "max", "tri", "par_page"}]

    def to(more: list[tuple[str, str]]) -> str:
        return "/catalogue?" + urlencode([("cat", "chaussures"), *more])

    side = []
    for key, count in _FACETS.items():
        for at in range(count):
            pair = (f"{key}[]", called(asked.seed, "fr", 1, key, at))
            kept = [one for one in chosen if one != pair] if pair in chosen else [*chosen, pair]
            side.append((to([*kept, *rest]), f"{'x ' if pair in chosen else ''}{pair[1]}"))
    low = int(dict(rest).get("min", "0")) if dict(rest).get("min", "0").isdigit() else 0
    lows = (low + step for step in (5, 10, 50) if low < 1000)
    side += [(to([*chosen, ("min", str(at)), ("max", str(at + 50))]), f"{at}-{at + 50} €") for at in lows]
    orders = (("tri", "prix"), ("tri", "nom"), ("tri", "note"), ("par_page", "24"), ("par_page", "48"))
    sorts = [(to([*chosen, *(one for one in rest if one[0] != key), (key, value)]), value) for key, value in orders]
    prices = [asked.of("p", at).randint(10, 400) for at in range(120)]
    left = [at for at in range(120) if all(asked.of("has", at, pair).random() < 0.4 for pair in chosen)]
    left = [at for at in left if low <= prices[at]]
    goods = "".join(
        f"<li><img src=/i/{at}.jpg> {rare('fr', asked.of('shoe', at), 3)} {prices[at]},90 €</li>" for at in left[:12]
    )
    none = "<p>Aucun article ne correspond à votre sélection.</p>"
    body = row(sorts) + (f"<p>{len(left)} articles</p><ul>{goods}</ul>" if left else none)
    return lay(2, "Chaussures", body, "fr", [("/", "Accueil")], side, said=40)


@trap("/shop/shoes/", VISITOR)
def shinbal(asked: Asked) -> Answer | None:
    """A Korean shop with facets as segments of the path, in any order and any number."""
    parts = asked.segments
    groups = {"color": 8, "size": 6, "brand": 10, "price": 5, "gender": 3, "rating": 4, "heel": 5, "width": 3}
    if parts[:2] != ["shop", "shoes"]:
        return None
    chosen = parts[2:]
    for one in chosen:
        group, _, at = one.partition("-")
        if group not in groups or num(at, 0, groups[group] - 1) is None:
            return None
    if len(set(chosen)) < len(chosen):
        return None
    side = [
        (f"{asked.path}{group}-{at}/", rare("ko", asked.of(group, at), 1))
        for group, count in groups.items()
        for at in range(count)
        if f"{group}-{at}" not in chosen
    ]
    side = side[::2] if len(chosen) > 2 else side
    drop = [("/" + "/".join(parts[: at + 2] + parts[at + 3 :]) + "/", f"x {one}") for at, one in enumerate(chosen)]
    rng = asked.of("found", sorted(chosen))
    found = [
        f"{rare('ko', asked.of('good', rng.randrange(200)), 2)} {rng.randint(9, 300)},000원"
        for _ in range(max(0, 14 - 3 * len(chosen)))
    ]
    body = row(drop) + (table([[one] for one in found]) if found else "<p>상품이 없습니다.</p>")
    return lay(1, " ".join(chosen) or "신발", body, "ko", [("/", "홈")], side)


_ETIQUETAS = [quote(slug("es", Random(f"tag{at}"), 1)) for at in range(90)]


@cache
def _tagged(tag: str, seed: int) -> frozenset[int]:
    rng = Random(f"{seed}tagged{tag}")
    return frozenset(at for at in range(400) if rng.random() < 0.35)


@trap("/etiqueta/" + _ETIQUETAS[0], VISITOR)
def etiquetas(asked: Asked) -> Answer | None:
    """A Spanish blog's tags: each list of posts offers to be cut with other tags, joined by plus signs."""
    parts = asked.segments
    chosen = parts[1].split("+") if len(parts) == 2 and parts[0] == "etiqueta" else []
    if not chosen or any(one not in _ETIQUETAS for one in chosen) or len(chosen) > 9:
        return None
    posts = sorted(frozenset.intersection(*(_tagged(one, asked.seed) for one in chosen)))[:8]
    found = "".join(
        f"<h2>{rare('es', asked.of('post', at), 4)}</h2><p>{text('es', asked.of('post', at), 40)}</p>" for at in posts
    )
    found = found or "<p>No hay entradas con estas etiquetas.</p>"
    others = [one for one in asked.rng.sample(_ETIQUETAS, 14) if one not in chosen and len(chosen) < 9]
    more = [(f"/etiqueta/{'+'.join([*chosen, one])}", f"+ {unquote(one)}") for one in others]
    cloud = [(f"/etiqueta/{one}", unquote(one)) for one in _ETIQUETAS[:25]]
    return lay(1, unquote(" + ".join(chosen)), found, "es", [("/", "Inicio")], [*more, *cloud])


@trap("/index.php?title=%D0%93%D0%BB%D0%B0%D0%B2%D0%BD%D0%B0%D1%8F&action=history", VISITOR)
def vikistranitsy(asked: Asked) -> Answer | None:
    """A Russian wiki's special pages: history by offset and limit, any two revisions, what links here, logs."""
    title, get = asked.query.get("title", ""), asked.query.get
    if asked.path != "/index.php" or not title:
        return None

    def named(at: int) -> str:
        return rare("ru", asked.of("wiki", at), 2).replace(" ", "_").capitalize() if at else "Главная"

    base = f"/index.php?title={quote(title)}"
    tools = [
        (f"/index.php?title={quote('Служебная:Ссылки_сюда/' + title.split('/')[-1])}", "Ссылки сюда"),
        (f"{base}&action=history", "История"),
        (f"{base}&action=edit", "Править"),
        (f"{base}&printable=yes", "Версия для печати"),
        (f"{base}&action=info", "Сведения"),
        (f"/index.php?title={quote('Служебная:Журналы')}&page={quote(title)}", "Журналы"),
    ]
    rng = asked.of("wikipage", title)
    if get("action") == "history":
        limit = num(get("limit", "50"), 20, 500) or 50
        at = num(get("offset", "20260101"), 1, 999_999_999) or 20_260_101
        revisions = [at * 7 % 900_000 + step * 13 for step in range(10)]
        rows = [
            [
                anchor(f"{base}&oldid={one}", one),
                anchor(f"{base}&diff={one}&oldid={two}", "разн."),
                anchor(f"{base}&action=edit&undo={one}", "отменить"),
                rare("ru", asked.of("u", one), 1),
            ]
            for one, two in pairwise(revisions)
        ]
        turns = [(f"{base}&action=history&offset={at - 40 * step}&limit={limit}", step) for step in (1, 2)]
        turns += [(f"{base}&action=history&offset={at}&limit={one}", one) for one in (20, 50, 100, 250, 500)]
        return lay(4, f"{title}: история изменений", row(turns) + table(rows), "ru", [("/", "Вики")], tools)
    if "diff" in asked.query or "oldid" in asked.query:
        one = num(get("oldid"), 1, 9_999_999) or 1
        turn = row(
            [
                (f"{base}&diff=prev&oldid={one}", "← Предыдущая"),
                (f"{base}&diff=next&oldid={one + 13}", "Следующая →"),
                (f"{base}&oldid={one - 13 if one > 13 else 1}", "Старая"),
            ]
        )
        body = f"<p>Версия {one}</p><p>{text('ru', rng, 80)}</p><p>{text('ru', asked.of('rev', one), 12)}</p>"
        return lay(4, title, turn + body, "ru", [("/", "Вики")], tools)
    if title.startswith("Служебная:"):
        start = num(get("from", "0"), 0, 9_999_999) or 0
        names = [named((start + at * 31) % 4000) for at in range(20)]
        links = ul((f"/index.php?title={quote(name)}", name) for name in names)
        own = f"&page={quote(asked.query['page'])}" if get("page") else ""
        sizes = ((20, 20), (50, 50), (100, 100), (20, 620))
        turn = row((f"{base}{own}&limit={limit}&from={start + step}", limit) for limit, step in sizes)
        spaces = [(f"{base}{own}&namespace={at}", at) for at in range(8)]
        return lay(4, title, turn + links, "ru", [("/", "Вики")], [*tools, *spaces])
    body = "<textarea>" * (get("action") == "edit") + text("ru", rng, 90) + "</textarea>" * (get("action") == "edit")
    see = ul((f"/index.php?title={quote(named(at))}", named(at)) for at in rng.sample(range(4000), 6))
    return lay(4, title, body + see, "ru", [("/", "Вики")], tools)


@trap("/gitweb/?p=core.git;a=summary", VISITOR)
def gitweb(asked: Asked) -> Answer | None:
    """A browser of a repository: each path at each of 20,000 commits, as blob, raw, history, tree and difference."""
    query = dict(part.partition("=")[::2] for part in asked.url.partition("?")[2].replace("&", ";").split(";"))
    act, commit = query.get("a", "summary"), num(query.get("hb", "20000"), 1, 20_000)
    if asked.path != "/gitweb/" or query.get("p") != "core.git" or commit is None:
        return None
    base = "/gitweb/?p=core.git"

    def of(what: str, at: int, path: str = "") -> str:
        return f"{base};a={what};hb={at}" + (f";f={path}" if path else "")

    nav = [(f"{base};a=summary", "summary")]
    nav += [(of(what, commit), what) for what in ("shortlog", "log", "commit", "commitdiff", "tree")]
    path = query.get("f", "")
    names = Random(f"gt{path}").sample(vocab("la")[60:400], 14)
    if act in {"summary", "shortlog", "log"}:
        rows = [
            [
                anchor(of("commit", at), digest(at)[:8]),
                rare("en", asked.of("msg", at), 5),
                anchor(of("tree", at), "tree"),
                anchor(of("snapshot", at), "snapshot"),
            ]
            for at in range(commit, max(0, commit - 20), -1)
        ]
        on = [(of(act, commit - 20), "next")] if commit > 20 else []
        return lay(3, f"core.git {act}", table(rows), "en", [*nav, *on], said=0)
    if act in {"commit", "commitdiff", "snapshot"}:
        known = Random("gt").sample(vocab("la")[60:400], 14)
        files = [f"{known[asked.of('file', commit, at).randrange(14)]}.c" for at in range(3)]
        body = f"<pre>{rare('en', asked.of('msg', commit), 5)}\n{digest(commit)}</pre>"
        body += row((of("blob", commit, one), one) for one in files)
        if act == "commitdiff":
            new, old = text("en", asked.of("diff", commit), 20), text("en", asked.of("diff", commit - 1), 9)
            body += f"<pre>+{new}\n-{old}</pre>"
        parent = [(of(act, commit - 1), "parent")] if commit > 1 else []
        return lay(3, f"core.git {act}", body, "en", [*nav, *parent], said=0)
    if act == "tree" and path.count("/") < 4:
        rows = []
        for at, one in enumerate(names):
            full = f"{path}/{one}".strip("/")
            kind = "tree" if at < 5 and path.count("/") < 3 else "blob"
            full += "" if kind == "tree" else ".c"
            rows.append([one, anchor(of(kind, commit, full), kind), anchor(of("history", commit, full), "history")])
        return lay(3, f"core.git / {path}", table(rows), "en", nav, said=0)
    if act in {"blob", "blame", "blob_plain"} and path.endswith(".c"):
        at = commit // asked.of("age", path).randint(20, 900)
        lines = (words("la", asked.of("line", path, n + at * (n % 9 == 3)), 5) for n in range(30))
        code = "\n".join(f"{n} {' '.join(line)};" for n, line in enumerate(lines, 1))
        views = [(of(what, commit, path), what) for what in ("blob", "blame", "blob_plain", "history")]
        return lay(3, path, f"<pre>{code}</pre>", "en", [*nav, *views], said=0)
    if act == "history" and path:
        kind = "blob" if path.endswith(".c") else "tree"
        rows = [
            [
                anchor(of(kind, at, path), rare("en", asked.of("msg", at), 5)),
                anchor(of("commitdiff", at), "diff"),
                anchor(of(kind, at - 1, path), "prev"),
            ]
            for at in range(commit, 1, -97)[:15]
        ]
        return lay(3, f"{path} history", table(rows), "en", nav, said=0)
    return None
