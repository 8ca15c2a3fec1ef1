"""Honest, finite sites whose pages say known things in new combinations, most of them along chains without an index.

Shapes of an outsider's sites, tried in November 2026: rules that had lost nothing on 93 other sites lost half to nine
tenths of these, for every word and figure on a page had been seen before. Pure functions of a URL as those of `_zoo`.
"""

from __future__ import annotations

from datetime import date, timedelta

from _zoo import Answer, Asked, Site, honest
from _zoo_honest import _answer, _at, _links, _pager, _person, _table, _told, _words

RECOMBINED: list[Site] = []


def _named(asked: Asked, what: str, count: int, language: str = "en") -> list[str]:
    return [_person(asked.of(what, at), language) for at in range(count)]


@honest(RECOMBINED)
def league_by_matchday(asked: Asked) -> Answer | None:
    """30 seasons of 34 matchdays, each a chain: the same 18 teams in other pairs, with scores."""
    if asked.path == "/":
        return _answer("de", "Liga", _links((f"/liga/{1990 + at}/34", 1990 + at) for at in range(30)))
    if not (found := _at(asked, "/liga/#/#", 2020, 35)) or found[0] < 1990 or not found[1]:
        return None
    year, day = found
    teams = [f"SC {_words(asked.of('team', at), 'de', 1)}" for at in range(18)]
    asked.rng.shuffle(teams)
    rows = [(*teams[at : at + 2], f"{asked.rng.randrange(5)}:{asked.rng.randrange(5)}") for at in range(0, 18, 2)]
    near = _links((f"/liga/{year}/{to}", f"{to}. Spieltag") for to in (day - 1, day + 1) if 1 <= to <= 34)
    return _answer("de", f"Saison {year}, {day}. Spieltag", _table(rows) + near)


@honest(RECOMBINED)
def roster_by_week(asked: Asked) -> Answer | None:
    """The pharmacies on duty: 3 of 18 names a day, by week and year in the query."""
    if asked.path == "/":
        return _answer("en", "On duty", _links((f"/duty?year={year}&week=1", year) for year in range(2004, 2024)))
    if not (found := _at(asked, "/duty?year=#&week=#", 2024, 53)) or found[0] < 2004 or not found[1]:
        return None
    year, week = found
    names = _named(asked, "chemist", 18)
    rows = [(day, *asked.rng.sample(names, 3)) for day in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")]
    near = _links((f"/duty?year={year}&week={to}", to) for to in (week - 1, week + 1) if 1 <= to <= 52)
    return _answer("en", f"Week {week}, {year}", _table(rows) + near)


@honest(RECOMBINED)
def menu_of_the_day(asked: Asked) -> Answer | None:
    """A canteen: 4 of 60 dishes each day, the newest first, one chain of a thousand."""
    if asked.path == "/":
        return _answer("fr", "Cantine", _links([("/menu/999", "aujourd'hui")]))
    if not (found := _at(asked, "/menu/#", 1_000)):
        return None
    dishes = [_words(asked.of("dish", at), "fr", 4) for at in range(60)]
    return _answer(
        "fr", f"Menu {found[0]}", _told(*asked.rng.sample(dishes, 4)) + _pager("fr", found[0], 1_000, "/menu/#")
    )


@honest(RECOMBINED)
def school_timetables(asked: Asked) -> Answer | None:
    """32 classes in 40 weeks: known subjects in known rooms, a chain for each class."""
    if asked.path == "/":
        return _answer("en", "Timetables", _links((f"/plan/{at}/0", f"class {at}") for at in range(32)))
    if not (found := _at(asked, "/plan/#/#", 32, 40)):
        return None
    subjects = [_words(asked.of("subject", at), "en", 1) for at in range(9)]
    rows = [[f"{asked.rng.choice(subjects)} R{asked.rng.randrange(1, 31)}" for _ in range(5)] for _ in range(6)]
    return _answer("en", f"Week {found[1]}", _table(rows) + _pager("en", found[1], 40, f"/plan/{found[0]}/#"))


@honest(RECOMBINED)
def departures_by_date(asked: Asked) -> Answer | None:
    """3 lines on 365 days: which departures there are depends on the day of the week and the season alone."""
    first = date(2023, 1, 1)
    if asked.path == "/":
        return _answer("en", "Ferries", _links((f"/line/{line}?date={first}", line) for line in "ABC"))
    line, day = asked.path.removeprefix("/line/"), asked.query.get("date", "")
    try:
        number = (date.fromisoformat(day) - first).days
    except ValueError:
        return None
    if line not in "ABC" or not 0 <= number < 365:
        return None
    rng = asked.of(line, (first + timedelta(number)).weekday() > 4, number // 122)
    rows = [(f"{rng.randrange(5, 23)}:{rng.randrange(0, 60, 5):02}",) for _ in range(14)]
    near = [first + timedelta(to) for to in (number - 1, number + 1) if 0 <= to < 365]
    return _answer("en", f"Line {line}, {day}", _table(rows) + _links((f"/line/{line}?date={to}", to) for to in near))


@honest(RECOMBINED)
def pollen_by_week(asked: Asked) -> Answer | None:
    """8 regions in 4 years: five levels from 0 to 3, all 0 but in spring; links to weeks and years beside."""
    if asked.path == "/":
        return _answer("en", "Pollen", _links((f"/pollen/{at}/2019/1", at) for at in range(8)))
    if not (found := _at(asked, "/pollen/#/#/#", 8, 2023, 53)) or found[1] < 2019 or not found[2]:
        return None
    region, year, week = found
    rows = [
        (what, asked.rng.randrange(4) if 13 <= week <= 25 else 0) for what in ("alder", "birch", "grass", "rye", "ash")
    ]
    near = [(year, week - 1), (year, week + 1), (year - 1, week), (year + 1, week)]
    links = [(f"/pollen/{region}/{y}/{w}", f"{y}/{w}") for y, w in near if 2019 <= y < 2023 and 1 <= w <= 52]
    return _answer("en", f"Week {week} of {year}", _table(rows) + _links(links))


@honest(RECOMBINED)
def roll_call_votes(asked: Asked) -> Answer | None:
    """60 members, yes, no or absent; lists of 25 votes, each of which leads to the next list."""
    if asked.path == "/":
        return _answer("en", "Votes", _links([("/votes/0", "all votes")]))
    if found := _at(asked, "/votes/#", 40):
        votes = range(found[0] * 25, found[0] * 25 + 25)
        return _answer(
            "en", "Votes", _links((f"/vote/{at}", at) for at in votes) + _pager("en", found[0], 40, "/votes/#")
        )
    if not (found := _at(asked, "/vote/#", 1_000)):
        return None
    members = _named(asked, "member", 60)
    return _answer(
        "en", f"Vote {found[0]}", _table((one, asked.rng.choice(("yes", "no", "absent"))) for one in members)
    )


@honest(RECOMBINED)
def taxonomy(asked: Asked) -> Answer | None:
    """A tree of names, eight deep: a page says how many are below it, and links to them."""
    names = asked.segments

    def below(path: list[str]) -> list[str]:
        rng = asked.of("taxa", *path)
        return [_words(rng, "en", 2).replace(" ", "") for _ in range(rng.randint(1, 3))] if len(path) < 8 else []

    if asked.path == "/" or names[0] != "taxa" or not asked.path.endswith("/"):
        return _answer("en", "Flora", _links([("/taxa/", "Plantae")])) if asked.path == "/" else None
    if any(name not in below(names[1:at]) for at, name in enumerate(names) if at):
        return None
    found = below(names[1:])
    return _answer("en", names[-1], _told(f"{len(found)} taxa") + _links((f"{one}/", one) for one in found))


@honest(RECOMBINED)
def thesaurus(asked: Asked) -> Answer | None:
    """A thousand words, each with links to five others and nothing else."""
    words = [
        f"{_words(asked.of('word', at), 'en', 1).lower()}{'abcdefghij'[at % 10]}{at // 10:x}" for at in range(1_000)
    ]
    if asked.path == "/" and not asked.query:
        return _answer("en", "Thesaurus", _links((f"/?q={words[at]}", words[at]) for at in range(0, 1_000, 50)))
    if asked.path != "/" or asked.query.get("q") not in words:
        return None
    at = words.index(asked.query["q"])
    found = [words[(at + 1) % 1_000], *asked.rng.sample(words, 5)]
    return _answer("en", words[at], _links((f"/?q={one}", one) for one in found))


@honest(RECOMBINED)
def gauges_with_gaps(asked: Asked) -> Answer | None:
    """Three rivers for 500 to 700 days, in chains: one day in eight has figures, the others no data."""
    days = (700, 640, 500)
    if asked.path == "/":
        return _answer("de", "Pegel", _links((f"/pegel/{at}/0", at) for at in range(3)))
    if not (found := _at(asked, "/pegel/#/#", 3, 700)) or found[1] >= days[found[0]]:
        return None
    rows = [(f"{hour:02}:00", f"{asked.rng.uniform(1, 4):.2f} m") for hour in (0, 6, 12, 18)]
    body = _table(rows) if asked.rng.random() < 0.12 else _told("Keine Daten.")
    return _answer("de", f"Tag {found[1]}", body + _pager("de", found[1], days[found[0]], f"/pegel/{found[0]}/#"))


@honest(RECOMBINED)
def hourly_values(asked: Asked) -> Answer | None:
    """Two sensors, 31 days, 24 hours: an index of days, of hours, and one of ten values, mostly 0."""
    if asked.path == "/":
        return _answer("en", "Sensors", _links((f"/log/{at}", at) for at in range(2)))
    if found := _at(asked, "/log/#", 2):
        return _answer("en", "Days", _links((f"/log/{found[0]}/{day}", day) for day in range(31)))
    if found := _at(asked, "/log/#/#", 2, 31):
        return _answer("en", "Hours", _links((f"/log/{found[0]}/{found[1]}/{hour}", hour) for hour in range(24)))
    if not (found := _at(asked, "/log/#/#/#", 2, 31, 24)):
        return None
    return _answer(
        "en", f"Hour {found[2]}", _told(f"{0 if asked.rng.random() < 0.8 else asked.rng.randrange(1, 10)} µSv")
    )
