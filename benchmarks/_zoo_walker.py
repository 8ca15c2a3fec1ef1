"""Honest sites of people who tried the add-on as newcomers in November 2026, and lost pages of them; and their kin.

Of the first, bolts whose pages lead to nothing but their neighbours, one in five crawls left 780 of 1,922 pages. Almost
nothing is said there that a URL does not say. Of the next four another one lost up to 95 %: a part of their URLs does
not matter at some pages and does at others, or all says nothing for a year. Of the last seven a third one lost as much:
what says something is hidden among what says nothing. Five of these have a calendar without an end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from _zoo import WORDS, Answer, Asked, Leaf, Site, honest, prose

WALKER_HONEST: list[Site] = []

_Place = tuple[int, ...]


def _neighbours(place: _Place, sizes: Sequence[int], *, around: bool) -> list[_Place]:
    found = []
    for at, size in enumerate(sizes):
        for step in (-1, 1):
            moved = place[at] + step
            if around or 0 <= moved < size:
                found.append((*place[:at], moved % size, *place[at + 1 :]))
    return found


def _place(names: Sequence[str], labels: Sequence[Sequence[str]]) -> _Place | None:
    if len(names) != len(labels) or any(name not in known for name, known in zip(names, labels, strict=True)):
        return None
    return tuple(known.index(name) for name, known in zip(names, labels, strict=True))


def _grid(
    asked: Asked,
    labels: Sequence[Sequence[str]],
    names: Sequence[str] | None,
    url: Callable[[Sequence[str]], str],
    says: Callable[[_Place], str],
    *,
    around: bool = False,
) -> Leaf | Answer | None:
    """A page of a grid: `names` is what its URL says, one of `labels` along each measure."""
    first = url([known[0] for known in labels])
    if asked.path == "/" and not asked.query:
        return Leaf("Home", ["All that we have."], [first, "/terms.html"])
    if asked.path == "/terms.html":
        return Leaf("Terms", ["We ship what we have."], ["/"])
    place = _place(names, labels) if names is not None else None
    if place is None:
        return None
    named = [
        [known[at] for known, at in zip(labels, one, strict=True)]
        for one in _neighbours(place, [len(known) for known in labels], around=around)
    ]
    links = [(url(one), " ".join(one)) for one in named]
    return Leaf(" ".join(names or ()), [says(place)], [*links, "/"])


def _numbers(*values: object) -> list[str]:
    return [str(value) for value in values]


_BOLTS = [
    ["hex-bolt", "socket-cap", "flat-head", "stud", "set-screw"],
    _numbers(3, 4, 5, 6, 8, 10, 12, 16),
    _numbers(8, 10, 12, 16, 20, 25, 30, 40, 50, 60, 80, 100),
    ["a2", "a4", "zn", "br"],
]


@honest(WALKER_HONEST)
def bolts(asked: Asked) -> Leaf | Answer | None:
    """Bolts by head, diameter, length and material; one of sixty prices."""
    parts = asked.path.removesuffix(".html").split("/")[1:]
    names = None
    if len(parts) == 3 and parts[0] == "parts" and asked.path.endswith(".html") and parts[2][:1] == "m":
        size, _, material = parts[2][1:].partition("-")
        names = [parts[1], *size.split("x"), material]

    def says(place: _Place) -> str:
        price = (place[0] + 1) * 5 + place[1] * 3 + place[2] + place[3]
        return f"Price per 100: {price}.00 EUR. In stock. Metric thread, DIN standard, delivery in two days."

    return _grid(asked, _BOLTS, names, lambda one: f"/parts/{one[0]}/m{one[1]}x{one[2]}-{one[3]}.html", says)


def _of_path(asked: Asked, first: str, end: str = "") -> list[str] | None:
    parts = asked.path.removesuffix(end).split("/")[1:]
    return parts[1:] if parts[:1] == [first] and asked.path.endswith(end) else None


@honest(WALKER_HONEST)
def kartenblaetter(asked: Asked) -> Leaf | Answer | None:
    """Sheets of a German map, 45 by 40; each leads to the four around it."""
    labels = [_numbers(*range(2601, 2646)), _numbers(*range(1, 41))]
    names = _of_path(asked, "blatt")

    def says(place: _Place) -> str:
        return f"Amtliche Karte 1:25000, Stand {1950 + asked.of(place).randrange(70)}. Preis 8,90 Euro."

    return _grid(asked, labels, names, lambda one: f"/blatt/{'/'.join(one)}", says)


@honest(WALKER_HONEST)
def paint_mixer(asked: Asked) -> Leaf | Answer | None:
    """Colours by red, green and blue, thirteen steps of each."""
    labels = [_numbers(*range(0, 256, 21))] * 3
    names = [asked.query.get(name, "") for name in "rgb"] if asked.path == "/colour" and len(asked.pairs) == 3 else None

    def says(place: _Place) -> str:
        tone = ["a warm tone", "a cold tone", "a grey tone"][sum(place) % 3]
        return f"{tone}, lightness {sum(place) * 100 // 36} of 100, between {max(place)} and {min(place)}"

    return _grid(asked, labels, names, lambda one: f"/colour?r={one[0]}&g={one[1]}&b={one[2]}", says)


@honest(WALKER_HONEST)
def filtres_industriels(asked: Asked) -> Leaf | Answer | None:
    """Filters in French by six values of each of four measures, in a ring: the last leads to the first."""
    labels = [
        _numbers(*range(10, 70, 10)),
        _numbers(*range(100, 700, 100)),
        ["pp", "pe", "pa", "ptfe", "inox", "verre"],
    ]
    labels.append(["g1", "g2", "f5", "f7", "h10", "h13"])
    names = _of_path(asked, "filtre", ".php")

    def says(place: _Place) -> str:
        price = 12.5 * (place[0] + 1) + 4.3 * place[1] + 7 * place[2] + place[3] / 2
        return f"Disponible sous {asked.of(place).randint(2, 30)} jours. Prix : {price:.1f} euros hors taxes."

    return _grid(asked, labels, names, lambda one: f"/filtre/{'/'.join(one)}.php", says, around=True)


@honest(WALKER_HONEST)
def test_reports(asked: Asked) -> Leaf | Answer | None:
    """Results of a test by board, system, compiler, level and day; passed or failed."""
    labels = [["uno", "due", "nano"], ["linux", "bsd", "nt"], ["gcc", "clang", "icc"], ["o0", "o1", "o2", "o3"]]
    labels.append(_numbers(*range(20240101, 20240120)))
    names = _of_path(asked, "report", ".txt.html")

    def says(place: _Place) -> str:
        failed = asked.of(place).choice([0, 0, 0, 1, 2, 3, 17])
        return f"{412 - failed} passed, {failed} failed, took {30 + asked.of('s', place).randrange(20)} s"

    return _grid(asked, labels, names, lambda one: f"/report/{'/'.join(one)}.txt.html", says)


@honest(WALKER_HONEST)
def hexagons(asked: Asked) -> Leaf | Answer | None:
    """A board of 44 by 44 hexagons in Japanese, by a number of the row and one of the place."""
    names = _of_path(asked, "hex")
    place = _place(names, [_numbers(*range(44))] * 2) if names is not None else None
    if asked.path == "/":
        return Leaf("盤", ["六角形の盤。"], ["/hex/21/21"])
    if place is None:
        return None
    row, column = place
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1 if row % 2 else 1), (-1, -1 if row % 2 else 1)]
    around = [(row + down, column + right) for down, right in steps]
    links = [f"/hex/{one}/{other}" for one, other in around if 0 <= one < 44 and 0 <= other < 44]
    ground = asked.of(row // 3, column // 4).choice(["草", "水", "森", "山", "町", "砂"])
    return Leaf(f"{row}-{column}", [f"{ground}、高さ{asked.of(row, column).randrange(40)}"], links)


_FIRST_DAY, _DAYS, _SILENT = date(2009, 3, 1), 1_150, 2010


@honest(WALKER_HONEST)
def gazete_arsivi(asked: Asked) -> Leaf | Answer | None:
    """A Turkish newspaper by day, from the last one back; nothing appeared for a whole year."""
    if asked.path == "/":
        return Leaf("Gazete", ["Gazete"], [f"/arsiv/{_FIRST_DAY + timedelta(_DAYS - 1):%Y/%m/%d}"])
    day, _, number = asked.path.removeprefix("/haber/").partition("-")
    if asked.path.startswith("/haber/") and day.isdigit() and number in ("0", "1"):
        articles = _articles(asked, int(day))
        return Leaf(f"Haber {day}", [prose(asked.rng)], [_day(int(day))]) if int(number) < articles else None
    try:
        at = (date.fromisoformat("-".join(asked.segments[1:])) - _FIRST_DAY).days
    except ValueError:
        return None
    if asked.segments[:1] != ["arsiv"] or not 0 <= at < _DAYS:
        return None
    links = [(f"/haber/{at}-{one}", prose(asked.rng, 5)) for one in range(_articles(asked, at))]
    near = [_day(one) for one in (at - 1, at + 1) if 0 <= one < _DAYS]
    return Leaf(f"{_FIRST_DAY + timedelta(at):%d.%m.%Y}", [] if links else ["Haber yok."], [*links, *near])


def _day(at: int) -> str:
    return f"/arsiv/{_FIRST_DAY + timedelta(at):%Y/%m/%d}"


def _articles(asked: Asked, at: int) -> int:
    rng = asked.of("day", at)
    is_silent = (_FIRST_DAY + timedelta(at)).year == _SILENT
    return 0 if is_silent or not 0 <= at < _DAYS else rng.choice((0, 0, 0, 1, 2))


@honest(WALKER_HONEST)
def woerterbuch(asked: Asked) -> Leaf | Answer | None:
    """A German dictionary that finds a word in any case, though one in 25 is another word with a capital."""
    words = WORDS[:700]
    if asked.path == "/":
        return Leaf("Wörterbuch", ["Alle Wörter."], [f"/seite/{page}" for page in range(35)])
    kind, word = (*asked.segments, "", "")[:2]
    if kind == "seite" and word.isdigit() and int(word) < 35:
        return Leaf(f"Seite {word}", [], [f"/wort/{one}" for one in words[int(word) * 20 : int(word) * 20 + 20]])
    if kind != "wort" or word.lower() not in words:
        return None
    at = words.index(word.lower())
    if word != word.lower() and at % 25 == 0:
        return Leaf(word, [prose(asked.rng, 20)], ["/"])
    rng = asked.of("word", at)
    see = [(f"/wort/{one.capitalize()}", one.capitalize()) for one in rng.sample(words, 3)]
    return Leaf(word.lower(), [prose(rng, 20)], see)


@honest(WALKER_HONEST, again=lambda url: "/zapis/" in url and "?" in url)
def rubriki(asked: Asked) -> Leaf | Answer | None:
    """A Russian blog: posts show the same on each `page` of their comments, lists of posts do not."""
    kind, name = (*asked.segments, "", "")[:2]
    page = asked.query.get("page", "1")
    if asked.path == "/":
        return Leaf(
            "Блог", ["Записи."], [*(f"/zapis/{at}" for at in range(200)), *(f"/rubrika/{at}" for at in range(6))]
        )
    if not name.isdigit() or not page.isdigit():
        return None
    at = int(name)
    if kind == "zapis" and at < 900:
        return Leaf(f"Запись {at}", [prose(asked.of(at))], [(f"/zapis/{at}?page={one}", str(one)) for one in (1, 2, 3)])
    if kind == "rubrika" and at < 6 and 1 <= int(page) <= 15:
        posts = [f"/zapis/{at + 6 * one}" for one in range(int(page) * 10 - 10, int(page) * 10)]
        near = range(max(int(page) - 3, 1), min(int(page) + 3, 15) + 1)
        return Leaf("Рубрика", [], [*posts, *((f"/rubrika/{at}?page={one}", str(one)) for one in near)])
    return None


@honest(WALKER_HONEST, again=lambda url: "/club/" in url and "?" in url)
def saisons(asked: Asked) -> Leaf | Answer | None:
    """French clubs and tables of leagues. All lead to themselves by season, but only tables differ by it."""
    kind, name = (*asked.segments, "", "")[:2]
    season = asked.query.get("saison", "")
    if asked.path == "/":
        return Leaf("Clubs", ["Tous les clubs."], [f"/club/{at}" for at in range(120)])
    if not name.isdigit() or season not in ("", *map(str, range(2014, 2024))):
        return None
    at = int(name)
    seasons = [(f"{asked.path}?saison={year}", str(year)) for year in range(2014, 2024)]
    if kind == "club" and at < 120:
        return Leaf(f"Club {at}", [prose(asked.of(at))], [*seasons, "/ligues/1"])
    if kind == "ligues" and 1 <= at <= 4:
        tables = [f"/classement/{one}" for one in range(at * 10 - 10, at * 10)]
        return Leaf("Ligues", [], [*tables, *([f"/ligues/{at + 1}"] if at < 4 else [])])
    if kind == "classement" and at < 40:
        teams = [f"{team} {asked.rng.randint(8, 90)}" for team in asked.rng.sample(WORDS, 12)]
        return Leaf(f"Classement {season}", teams, seasons)
    return None


def _month_of(numbers: Sequence[str]) -> tuple[int, int] | None:
    """Year and month, of a page of theirs or of one of their days."""
    if len(numbers) not in (2, 3) or not all(number.isdigit() for number in numbers):
        return None
    year, month = int(numbers[0]), int(numbers[1])
    return (year, month) if 1 <= year <= 9_999 and 1 <= month <= 12 else None


def _empty(numbers: Sequence[str], url: Callable[[int, int, int], str], title: str, says: str) -> Leaf | None:
    """A month of an empty calendar, which leads to its days and to the months around; or a day, which leads to it. A
    `url` of day 0 is the month's."""
    found = _month_of(numbers)
    if found is None:
        return None
    year, month = found
    if len(numbers) == 3:
        return Leaf(title, [says], [url(year, month, 0), "/"])
    around = [((year * 12 + month - 1 + step) // 12, (month - 1 + step) % 12 + 1) for step in (-1, 1)]
    days = [url(year, month, day) for day in range(1, 29)]
    return Leaf(title, [says], [*days, *(url(*one, 0) for one in around), "/"])


def _dated(begin: str, between: str = "-", end: str = "") -> Callable[[int, int, int], str]:
    """The URLs of a calendar's days, and for day 0 of its months."""

    def day_url(year: int, month: int, day: int) -> str:
        return f"{begin}{year}{between}{month:02}" + (f"{between}{day:02}" if day else "") + end

    return day_url


def _next_to(at: int, count: int, url: Callable[[int], str]) -> list[str]:
    return [url(one) for one in (at - 1, at + 1) if 0 <= one < count]


@honest(WALKER_HONEST, again=lambda url: "page=day" in url)
def stories(asked: Asked) -> Leaf | Answer | None:
    """Stories of a script, each of which leads to the next one alone, beside an empty calendar of it without an end."""

    day_url = _dated("/index.php?page=day&id=")
    page, name = asked.query.get("page"), asked.query.get("id", "")
    if asked.path == "/":
        return Leaf("Home", ["Welcome."], ["/index.php?page=story&id=0", day_url(2024, 5, 0)])
    if asked.path != "/index.php":
        return None
    if page == "day":
        return _empty(name.split("-"), day_url, "Calendar", "Nothing is planned.")
    if page != "story" or not name.isdigit() or int(name) >= 400:
        return None
    near = _next_to(int(name), 400, lambda one: f"/index.php?page=story&id={one}")
    return Leaf(f"Story {name}", [prose(asked.rng)], [*near, "/", day_url(2024, 5, 0)])


@honest(WALKER_HONEST, again=lambda url: "post-" not in url and url.count("/") > 3)
def archives_by_day(asked: Asked) -> Leaf | Answer | None:
    """Posts by their dates, each of which leads to the next one alone, beside empty archives by day without an end."""

    day_url = _dated("/", "/", "/")

    def post_url(at: int) -> str:
        day = date(2023, 1, 1) + timedelta(days=3 * at)
        return f"{day_url(day.year, day.month, day.day)}post-{at}/"

    if asked.path == "/":
        return Leaf("Blog", ["All posts."], [post_url(0), day_url(2024, 5, 0)])
    last = asked.segments[-1]
    if not last.startswith("post-"):
        return _empty(asked.segments, day_url, "Archive", "There are no posts on this day.")
    at = int(last[5:]) if last[5:].isdigit() else 500
    if at >= 500 or asked.path != post_url(at):
        return None
    return Leaf(f"Post {at}", [prose(asked.rng)], [*_next_to(at, 500, post_url), "/"])


@honest(WALKER_HONEST, again=lambda url: "/en/calendar" in url)
def diary(asked: Asked) -> Leaf | Answer | None:
    """A diary below a language, each day of which leads to the next one alone, beside a calendar without an end."""

    day_url = _dated("/en/calendar/", "/")
    kind, *names = asked.segments[1:] or [""]
    if asked.path == "/":
        return Leaf("Home", ["Welcome."], ["/en/diary/0", day_url(2024, 5, 0)])
    if kind == "calendar":
        return _empty(names, day_url, "Calendar", "No events.")
    if kind != "diary" or len(names) != 1 or not names[0].isdigit() or int(names[0]) >= 300:
        return None
    near = _next_to(int(names[0]), 300, lambda one: f"/en/diary/{one}")
    return Leaf(f"Day {names[0]}", [prose(asked.rng)], [*near, day_url(2024, 5, 0), "/"])


def _in_script(
    asked: Asked, script: str, kinds: tuple[str, str], count: int, empty: tuple[str, str], says: Callable[[int], Leaf]
) -> Leaf | None:
    """A site of one script, whose pages are of two `kinds`: so many that it `says`, and an empty calendar's."""
    page, day = kinds
    if asked.path == "/":
        return Leaf("Home", ["All that we have."], [f"{script}{page}-0", _dated(f"{script}{day}-")(2024, 5, 0)])
    if f"{asked.path}?id=" != script:
        return None
    kind, _, rest = asked.query.get("id", "").partition("-")
    if kind == day:
        return _empty(rest.split("-"), _dated(f"{script}{day}-"), *empty)
    return says(int(rest)) if kind == page and rest.isdigit() and int(rest) < count else None


@honest(WALKER_HONEST, again=lambda url: "id=tag" in url)
def urteile(asked: Asked) -> Leaf | Answer | None:
    """German judgements that cite two others, each with its own day in an empty calendar without an end."""
    script = "/gericht.php?id="

    def says(at: int) -> Leaf:
        cited = [f"{script}urteil-{one}" for one in ((at + 1) % 1_000, asked.of(at).randrange(1_000))]
        day = date(1994, 1, 1) + timedelta(days=11 * at)
        links = [*cited, _dated(f"{script}tag-")(day.year, day.month, day.day), "/"]
        return Leaf(f"Urteil {at}", [prose(asked.of(at))], links)

    return _in_script(asked, script, ("urteil", "tag"), 1_000, ("Kalender", "Keine Termine an diesem Tag."), says)


@honest(WALKER_HONEST, again=lambda url: "id=month" in url)
def wiki_of_a_club(asked: Asked) -> Leaf | Answer | None:
    """Articles that lead to four others, and each to a month of an empty calendar without an end."""
    script = "/club?id="

    def says(at: int) -> Leaf:
        rng = asked.of(at)
        others = [(at + 1) % 1_200, *(rng.randrange(1_200) for _ in range(3))]
        month = _dated(f"{script}month-")(1900 + at % 120, at % 12 + 1, 0)
        return Leaf(f"Article {at}", [prose(rng)], [*(f"{script}article-{one}" for one in others), month, "/"])

    return _in_script(asked, script, ("article", "month"), 1_200, ("Calendar", "There are no meetings."), says)


@honest(WALKER_HONEST)
def classes_of_a_library(asked: Asked) -> Leaf | Answer | None:
    """Classes by eights, of which one in thirty has books, in runs of thirty."""
    if asked.path == "/":
        return Leaf("Library", ["Our books by their classes."], ["/class/"])
    numbers = asked.segments[1:]
    if asked.segments[0] != "class" or len(numbers) > 4 or not all(one in list("01234567") for one in numbers):
        return None
    has_books = len(numbers) == 4 and int("".join(numbers), 8) // 30 % 30 == 15
    below = [f"/class/{'/'.join([*numbers, str(one)])}" for one in range(8)] if len(numbers) < 4 else []
    return Leaf(f"Class {'.'.join(numbers)}", [prose(asked.rng, 20) if has_books else "No books."], [*below, "/"])


@honest(WALKER_HONEST)
def archive_by_day(asked: Asked) -> Leaf | Answer | None:
    """Ten years of a club's days. Something was posted on few of them, and only in the last two years."""
    kind, *names = asked.segments or ("",)
    if asked.path == "/":
        return Leaf("Club", ["What we did."], ["/archive/"])
    if kind != "archive" or not all(name.isdigit() for name in names):
        return None
    below: Sequence[object] = [range(2015, 2025), range(1, 13), range(1, 31), ()][min(len(names), 3)]
    if len(names) > 3 or (names and not 2015 <= int(names[0]) <= 2024):
        return None
    if any(not 1 <= int(name) <= most for name, most in zip(names[1:], (12, 30), strict=False)):
        return None
    has_post = len(names) == 3 and int(names[0]) >= 2023 and asked.rng.random() < 0.05
    says = prose(asked.rng) if has_post else "Nothing was posted."
    return Leaf("Archive", [says], [*(f"/archive/{'/'.join([*names, str(one)])}" for one in below), "/"])
