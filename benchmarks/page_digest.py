"""What a page's digest costs, and which changes of a page it sees through.

    python benchmarks/page_digest.py

Beside ours: the digest of the raw page, and SimHash (64 bits, three words, distance 3) as Manku et al. (WWW'07) use it.
Exits with 1 if a page of 50 KiB takes more than 1.2 ms, if a page whose dates, counters and tokens changed is taken for
another, if two pages with different words are taken for one, or if a page of 960 kB that is made to take long takes
more than four times as long as one of half its size.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable
from hashlib import blake2b
from random import Random
from time import process_time

import lxml.html
from _zoo import WORDS, prose
from scrapy_polite.traps.page_digest import of_tree

PAGES = 120
MAX_MS = 1.2
SIZES = {"8 KiB": 8 * 1024, "50 KiB": 50 * 1024}
URL = "http://example.test/page?q=thing"


def page(blocks: list[str], changing: str = "", *, title: str = "A page") -> str:
    """An HTML page of about twice the size of its text, as pages are, or more."""
    cards = "".join(
        f'<div class="card card--wide" data-tracking="block-{at}"><h3 class="card__title"><a class="card__link"'
        f' href="/item/{at}">More</a></h3><div class="card__body"><p class="card__text">{block}</p></div></div>'
        for at, block in enumerate(blocks)
    )
    return (
        f"<!doctype html><html><head><title>{title}</title><script>var state = {{'a': 1}};</script></head>"
        f"<body>{cards}<p>{changing}</p></body></html>"
    )


def sized(rng: Random, size: int) -> str:
    blocks: list[str] = []
    while len(page(blocks)) < size:
        blocks.append(prose(rng, 30))
    return page(blocks)


def counters(rng: Random) -> str:
    return (
        f"{rng.randrange(1, 29)} {rng.choice(('March', 'May'))} {rng.randrange(1999, 2030)}, {rng.randrange(24)}:30,"
        f" visitor {rng.randrange(10**6)}, {rng.random():.3f} s, {rng.getrandbits(128):032x}"
    )


def pair(rng: Random, change: str) -> tuple[str, str]:
    """Two pages that differ in `change`."""
    blocks = [prose(rng, 30) for _ in range(20)]
    other = list(blocks)
    if change == "dates, counters, tokens":
        return page(blocks, counters(rng)), page(blocks, counters(rng))
    if change == "three words":
        other[3] = " ".join([*prose(rng, 3).split(), *other[3].split()[3:]])
    elif change == "a rotating line":
        other[0] = prose(rng, 8)
    elif change == "40 words of 640":
        other[5] = prose(rng, 40)
    elif change == "markup and scripts":
        return page(blocks), page(blocks).replace("card__text", "card__text2").replace("'a': 1", "'b': 2")
    elif change == "a table's numbers":
        rows = [[str(rng.randrange(1_000)) for _ in range(30)] for _ in range(2)]
        return page([*blocks, " ".join(rows[0])]), page([*blocks, " ".join(rows[1])])
    return page(blocks), page(other)


#: Whether the two are one and the same page to a reader; None: as one takes it.
CHANGES: dict[str, bool | None] = {
    "markup and scripts": True,
    "dates, counters, tokens": True,
    "a rotating line": None,
    "three words": None,
    "40 words of 640": False,
    "a table's numbers": False,
}


def simhash(html: str) -> int:
    words = lxml.html.fromstring(html).text_content().lower().split()
    sums = [0] * 64
    for at in range(len(words) - 2):
        mark = int.from_bytes(blake2b(" ".join(words[at : at + 3]).encode(), digest_size=8).digest(), "big")
        for bit in range(64):
            sums[bit] += 1 if mark >> bit & 1 else -1
    return sum(1 << bit for bit, total in enumerate(sums) if total > 0)


SAME: dict[str, Callable[[str, str], bool]] = {
    "ours": lambda a, b: of_tree(lxml.html.fromstring(a), URL).digest == of_tree(lxml.html.fromstring(b), URL).digest,
    "raw": lambda a, b: a == b,
    "SimHash": lambda a, b: (simhash(a) ^ simhash(b)).bit_count() <= 3,
}


#: What is repeated on a page that is made to take long.
HOSTILE = {
    "comments": "a<!---->",
    "instructions": "a<?x?>",
    "combining marks": "\u0301\u0316",
    "ligatures of 18 letters": "\ufdfa",
    "spaces": "a  ",
    "scripts": "<script>x</script>",
    "templates": "<template>x</template>",
    "links": "<a href=/x>/x</a>",
    "pictures": "<img src=/x?v=1>",
    "numbers": "1 ",
    "tokens": "a1b2c3 ",
}
HOSTILE_BYTES = 960_000
MAX_GROWTH = 4.0


def hostile(piece: str, size: int) -> float:
    """Seconds that a page takes on which a piece is repeated."""
    root = lxml.html.fromstring(f"<p>{' '.join(WORDS[:60])}</p><p>a" + piece * (size // len(piece.encode())))
    begin = process_time()
    of_tree(root, URL)
    return process_time() - begin


def main() -> int:
    failed = False
    for label, size in SIZES.items():
        rng = Random(1)
        taken, parsing = [], []
        for _ in range(PAGES):
            html = sized(rng, size)
            begin = process_time()
            root = lxml.html.fromstring(html)
            parsed = process_time()
            of_tree(root, URL)
            taken.append(process_time() - parsed)
            parsing.append(parsed - begin)
        ms = statistics.median(taken) * 1e3
        print(f"{label}: {ms:.2f} ms a page (the parse that it shares: {statistics.median(parsing) * 1e3:.2f} ms)")
        failed |= ms > MAX_MS
    print(f"\n{HOSTILE_BYTES // 1_000} kB that are made to take long")
    for what, piece in HOSTILE.items():
        half, whole = (min(hostile(piece, size) for _ in range(3)) for size in (HOSTILE_BYTES // 2, HOSTILE_BYTES))
        slow = whole > MAX_GROWTH * half
        failed |= slow
        print(f"{what:<26}{whole:>7.2f} s, {whole / half:.1f} times as long as half of it{'  FAIL' if slow else ''}")
    print(f"\nshare of {PAGES} pairs taken for the same page\n{'':<26}" + "".join(f"{name:>10}" for name in SAME))
    for change, expected in CHANGES.items():
        rng = Random(change)
        pairs = [pair(rng, change) for _ in range(PAGES)]
        shares = {
            name: statistics.mean(same(a, b) for a, b in pairs[: 20 if name == "SimHash" else None])
            for name, same in SAME.items()
        }
        wrong = expected is not None and shares["ours"] != expected
        failed |= wrong
        print(f"{change:<26}" + "".join(f"{share:>10.2f}" for share in shares.values()) + ("  FAIL" if wrong else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
