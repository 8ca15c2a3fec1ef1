"""URL rules on real URLs, on the shapes of known traps and on hostile URLs, beside the rules of four other crawlers.

    python benchmarks/url_rules.py

Needs the corpus (POLITE_CORPUS). The peers' rules are written in Python as their sources define them: what they hit is
what the crawler hits; their times are those of Python's `re`, where they are regular expressions. Exits with 1 if more
than 6 of 100,000 real URLs meet a rule, if a URL takes more than 15 µs, or a hostile one 1 ms.
"""

from __future__ import annotations

import random
import re
import runpy
import statistics
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from scrapy.settings.default_settings import URLLENGTH_LIMIT

from scrapy_polite.traps.url_rules import RULES, Hit, UrlRules

CORPUS: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "tests" / "traps" / "corpus.py"))

URL_RULES = UrlRules()
MAX_SHARE = 6e-5
MAX_US = 15.0
MAX_HOSTILE_US = 1_000.0
TIMED_EVERY = 10  # of the corpus' URLs
REPEATS = 3
#: Hosts whose URLs that meet a rule were found, by reading them, to come from endless spaces.
TRAPS = ("b9dm.com", "momoshop.com.tw", "www.wildwechsel.de")

NUTCH_LOOP = re.compile(r".*(/[^/]+)/[^/]+\1/[^/]+\1/")
NUTCH_QUERY = re.compile(r"[?*!@=]")
HERITRIX = re.compile(r".*?/(.*?/)\1{2,}.*", re.DOTALL)
BUBING = (re.compile(r".*(/.*)\1{2,}/.*", re.DOTALL), re.compile(r".*(/.*)\1{2,}", re.DOTALL))


def hits_of(url: str) -> list[Hit]:
    """The rules that a URL meets, and Scrapy's limit of its length."""
    hits = URL_RULES.hits(url)
    return [*hits, Hit("url-length", f"{len(url):,} characters")] if len(url) > URLLENGTH_LIMIT else hits


def ours(url: str) -> bool:
    return bool(hits_of(url))


def nutch(url: str) -> bool:
    """conf/regex-urlfilter.txt.template: the rule "to break loops"."""
    return NUTCH_LOOP.search(url) is not None


def nutch_query(url: str) -> bool:
    """The rule before it, also on by default: "skip URLs containing certain characters as probable queries"."""
    return NUTCH_QUERY.search(url) is not None


def heritrix(url: str) -> bool:
    """PathologicalPathDecideRule, maxRepetitions 2 (the default), and TooManyPathSegmentsDecideRule, 20."""
    return HERITRIX.fullmatch(url) is not None or urlsplit(url).path.count("/") > 20


def stormcrawler(url: str) -> bool:
    """BasicURLFilter: maxPathRepetition 3 (the default), maxLength 1024 (the archetype's)."""
    if len(url) > 1024:
        return True
    elements = url.rstrip("/").split("/")
    return len(elements) > 4 and any(times >= 3 for element, times in Counter(elements).items() if element)


def bubing(url: str) -> bool:
    """DuplicateSegmentsLessThan(3), the manual's example, as the assertions in its source define it."""
    path = urlsplit(url).path
    return any(pattern.fullmatch(path) for pattern in BUBING)


CRAWLERS: dict[str, Callable[[str], bool]] = {
    "scrapy-polite": ours,
    "Heritrix": heritrix,
    "Nutch": nutch,
    "StormCrawler": stormcrawler,
    "BUbiNG": bubing,
}

#: Trap or not, and a URL of that shape.
SHAPES: list[tuple[bool, str]] = [
    (True, "/foo" * 10 + "/x"),
    (True, "/foo/bar" * 10 + "/x"),
    (True, "/foo/bar" * 10),
    (True, "/one/two/six" * 10 + "/"),
    (True, "".join(f"/page/{at}" for at in range(1, 11))),
    (True, "/about/news/about/team/news/about/about/jobs/about" * 2),
    (True, "/a" + "/www.google.com" * 10 + "/"),
    (True, "/?" + "a=1&b=2&" * 10),
    (True, "/?" + "?".join(f"page={at}" for at in range(1, 65))),
    (True, "/?a=1&amp%2525253Bb=2"),
    (True, "/?a=1&amp;amp;b=2"),
    (True, "/?from=http://a/?from=http://a/?from=http://a/"),
    (True, "/x/%22+url+%22"),
    (True, "/thread/7%5B/url%5D"),
    (False, "/11/11/11/p"),
    (False, "/2024/01/01/01/"),
    (False, "/lviv/lviv/lviv/lychakivska/12/"),
    (False, "/e4/e5/Nf3/Nf6/Ng1/Ng8/Nf3/Nf6/Ng1/Ng8/Nf3/Nf6/Ng1/Ng8"),
    (False, "/key/yes/yes/yes/yes/yes/yes/no/yes/yes/yes/"),
    (False, "/jobs/all/all/all"),
    (False, "/a////b"),
    (False, "/p?next=/a/a/a/b"),
    (False, "/101264/0/0/0/1/"),
    (False, "/tensorflow/tensorflow/blob/2f1e8c/tensorflow/core.cc"),
    (False, "/5d2e/-/progressive/yes/-/format/jpeg/-/stretch/off/"),
    (False, "/9c/4d/dd/aa/47/1b/2c/3d/4e/5f/60/0e/11/f0/9c/4d/dd/aa/47/1b/2c/photo.jpg"),
]


def hostile() -> dict[str, str]:
    def fill(unit: str, start: str = "/") -> str:
        return ("http://example.com" + start + unit * 2_083)[:1_900]

    draw = random.Random(1)
    return {
        "two words in any order": fill("".join(draw.choice(["/foo", "/bar"]) for _ in range(500))),
        # The Thue-Morse sequence, in which nothing occurs three times in a row.
        "two letters, nothing thrice in a row": fill("".join("/" + "ab"[n.bit_count() & 1] for n in range(1_000))),
        "new segment after new segment": fill("".join(f"/s{number}" for number in range(500))),
        "slashes": fill("/"),
        "one long segment": fill("a"),
        "quotes and plus signs": fill('"+'),
        "empty parameters": fill("&", "/?"),
        "parameters of one letter": fill("".join(f"&{chr(97 + n % 26)}={n}" for n in range(500)), "/?"),
        "escaped percent signs": fill("25", "/%"),
        "schemes": fill("http:/&", "/?"),
        "a megabyte of segments": "http://example.com" + "/foo" * 250_000,
    }


def us(call: Callable[[str], object], url: str) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        begin = perf_counter()
        call(url)
        best = min(best, perf_counter() - begin)
    return best * 1e6


def on_real_urls(urls: list[str]) -> dict[str, bool]:
    print(f"{len(urls):,} real URLs; those that meet a rule:")
    hits = {url: found for url in urls if (found := hits_of(url))}
    for url, (hit, *_) in hits.items():
        trap = "a trap" if urlsplit(url).hostname in TRAPS else ""
        print(f"  {hit.rule:<20}{trap:<8}{hit.detail[:60]}\n      {url[:180]}{'...' if len(url) > 180 else ''}")
    count = Counter(hit.rule for found in hits.values() for hit in found)
    print("\nURLs by rule: " + ", ".join(f"{rule} {count[rule]}" for rule in ("url-length", *RULES)))

    print(f"\n{'':<16}{'hits':>8}{'of all':>10}{'hosts':>7}{'µs: median':>12}{'mean':>8}{'99 %':>8}{'most':>10}")
    sample = urls[::TIMED_EVERY]
    for name, meets in (CRAWLERS | {"Nutch's [?*!@=]": nutch_query}).items():
        met = [url for url in urls if meets(url)]
        times = sorted(us(meets, url) for url in sample)
        hosts = len({urlsplit(url).hostname for url in met})
        print(
            f"{name:<16}{len(met):>8,}{len(met) / len(urls):>10.4%}{hosts:>7,}{statistics.median(times):>12.1f}"
            f"{statistics.fmean(times):>8.1f}{times[int(len(times) * 0.99)]:>8.1f}{times[-1]:>10.1f}",
            flush=True,
        )
        if meets is ours:
            median, mean = statistics.median(times), statistics.fmean(times)
    share, traps = len(hits) / len(urls), sum(urlsplit(url).hostname in TRAPS for url in hits)
    return {
        f"at most 0.006 % of real URLs meet a rule: {share:.4%} ({traps} of {len(hits)} are traps)": (
            share <= MAX_SHARE
        ),
        f"at most 15 µs a URL: median {median:.1f}, mean {mean:.1f}": max(median, mean) <= MAX_US,
    }


def on_known_shapes() -> dict[str, bool]:
    print(f"\n{'':<86}" + "".join(f"{name:>14}" for name in CRAWLERS))
    wrong = dict.fromkeys(CRAWLERS, 0)
    for trap, path in SHAPES:
        cells = []
        for name, meets in CRAWLERS.items():
            met = meets("http://example.com" + path)
            wrong[name] += met is not trap
            cells.append(f"{'ok' if met is trap else 'missed' if trap else 'FALSE HIT':>14}")
        print(f"{'trap' if trap else 'real':<6}{path[:78]:<80}" + "".join(cells))
    print(f"{'wrong':<86}" + "".join(f"{count:>14}" for count in wrong.values()))
    return {f"every known shape is judged rightly: {wrong['scrapy-polite']} wrong": wrong["scrapy-polite"] == 0}


def on_hostile_urls() -> dict[str, bool]:
    print(f"\n{'1,900 characters, µs':<38}" + "".join(f"{name:>14}" for name in CRAWLERS))
    worst = 0.0
    for what, url in hostile().items():
        # The others' time grows with the square of the length, or faster: a megabyte would not end.
        measured = {name: us(meets, url) for name, meets in CRAWLERS.items() if meets is ours or len(url) < 2_000}
        worst = max(worst, measured["scrapy-polite"])
        print(f"{what:<38}" + "".join(f"{f'{took:,.0f}':>14}" for took in measured.values()), flush=True)
    return {f"a hostile URL takes at most 1 ms: {worst / 1e3:.2f} ms": worst <= MAX_HOSTILE_US}


def main() -> int:
    if CORPUS["MISSING"]:
        sys.exit(CORPUS["MISSING"])
    claims = on_real_urls(CORPUS["real_urls"]()) | on_known_shapes() | on_hostile_urls()
    print()
    for claim, holds in claims.items():
        print(f"{'ok  ' if holds else 'FAIL'} {claim}")
    return 0 if all(claims.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
