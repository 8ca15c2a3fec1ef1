"""Honest sites whose pages lead to nothing but their neighbours, along two to five measures.

The first is of somebody who tried the add-on as a newcomer in November 2026: one in five crawls left 780 of its 1,922
pages. The others are its kin. Almost nothing is said that a URL does not say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from _zoo import Answer, Asked, Leaf, Site, honest

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
