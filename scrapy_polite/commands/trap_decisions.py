"""What a person decides of URL patterns: which ones are meant, and what is kept of a decision."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from scrapy_polite.commands import CommandError, url_of
from scrapy_polite.origin import Origin, site_of
from scrapy_polite.store.quarantines import MAX_PLACE_LENGTH, Quarantine
from scrapy_polite.text import printable
from scrapy_polite.traps.patterns import matches, parameter_names, parted, without_host

#: The kind of a pattern that no crawl has found: a key of `traps.verdict.KINDS`.
BY_HAND = "by-hand"


def by_hand(site: str, place: str, now: float) -> Quarantine:
    """A pattern that a person knows before any crawl does."""
    return Quarantine(site, place, BY_HAND, "by hand", (), now, math.inf)


def decided(found: Quarantine, decision: str, now: float) -> Quarantine:
    """What is kept of a decision: "confirmed" or "released"."""
    # What another machine's clock was ahead must not outdo a person.
    return replace(found, decision=decision, until=math.inf, updated_at=max(now, found.as_of(now).updated_at))


def chosen(found: Sequence[Quarantine], words: Sequence[str]) -> Sequence[Quarantine]:
    """Those of SITE, or of SITE and PATTERN, as `words` name them, of a page's URL those that it is of; without words,
    all. Raises CommandError."""
    if not words:
        return found
    try:
        found = of_site(found, words[0])
        if len(words) == 1:
            url = url_of(words[0])
            return [one for one in found if matches(one.place, url)] if is_page(words[0]) else found
        place = words[1]
        if not any(quarantine.place == place for quarantine in found):
            place = _pattern(place)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return [quarantine for quarantine in found if quarantine.place == place]


def is_page(word: str) -> bool:
    """Whether a word is the URL of a page, with its scheme or without, not of a site's home."""
    _, path, query = parted(url_of(word))
    return path != "/" or bool(query)


def of_site(found: Sequence[Quarantine], word: str) -> Sequence[Quarantine]:
    """Those of a site, which any of its hosts names, or any URL. Raises ValueError."""
    site = word
    if not any(quarantine.site == site for quarantine in found):
        site = _site(word)
    return [quarantine for quarantine in found if quarantine.site == site]


def pattern_key(
    site: str, place: str, known: dict[tuple[str, str], Quarantine], *, by_crawl: bool = False
) -> tuple[str, str]:
    """Site and pattern as they are kept. Raises ValueError; what a crawl has kept is right as it is."""
    if (site, place) in known or (by_crawl and len(site) + len(place) <= MAX_PLACE_LENGTH):
        return site, place
    return _site(site), _pattern(place)


def _site(word: str) -> str:
    """The site of a host, or of any URL. Raises ValueError."""
    origin = Origin.from_url(url_of(word))
    return site_of(origin)


def _pattern(text: str) -> str:
    """A pattern (see `traps.patterns`), with the names of its parameters in order. Raises ValueError."""
    if len(text) > MAX_PLACE_LENGTH // 2:
        raise ValueError(f"a pattern has {MAX_PLACE_LENGTH // 2:,} characters at most: {quoted(text)}")
    path, _, names = without_host(text).partition("?")
    segments = path.split("/")
    if fault := next((told for broken, told in _FAULTS if broken(text, segments, names)), ""):
        raise ValueError(f"{quoted(text)} is no pattern: {fault}")
    names = parameter_names(names)
    return text.partition("?")[0] + (f"?{names}" if names else "")


#: What is wrong with a pattern, the segments of its path or its parameter names, if anything; the first counts.
_FAULTS: tuple[tuple[Callable[[str, Sequence[str], str], object], str], ...] = (
    (
        lambda text, segments, names: len(segments) < 2 or segments[0],
        "it begins with '/', as in '/calendar/**' or '/search?page&q', or with a host, as in '//shop.example.com/x/*'",
    ),
    (
        lambda text, segments, names: not re.fullmatch(r"[!-~]*", text) or "#" in text,
        "write it as it stands in a URL, '%20' for a space, and without '#'",
    ),
    (
        lambda text, segments, names: any("*" in segment and segment not in ("*", "**") for segment in segments),
        "'*' stands for one whole segment, and '**' at the end for all that follows",
    ),
    (
        lambda text, segments, names: "**" in segments[: -1 if segments[-1] else -2],
        "'**' stands at the end",
    ),
    (lambda text, segments, names: "=" in names, "after '?' stand names of parameters, such as '?page&q'"),
)


def quoted(value: object) -> str:
    return printable(repr(value), 60)
