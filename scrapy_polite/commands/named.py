"""What a person names to `scrapy polite takedown`: a URL, the beginning of URLs, an origin, or a host."""

from __future__ import annotations

from dataclasses import dataclass

from scrapy_polite.blacklist.entries import NETWORK, Entry, Kind
from scrapy_polite.blacklist.hosts import Place
from scrapy_polite.commands import CommandError
from scrapy_polite.commands.listfile import entries_of
from scrapy_polite.frontier.removal import Asked
from scrapy_polite.text import printable


@dataclass(frozen=True, slots=True)
class Named:
    """What a person has named, its entries in a list, and its URL where it is just one."""

    word: str
    entries: tuple[Entry, ...]
    url: str = ""

    @classmethod
    def of(cls, word: str) -> Named:
        """From a URL, which is meant alone; the beginning of URLs, with a slash or `*` at its end; an origin; a host,
        which is meant with its subdomains, `=host` without. `=URL` is that one, whatever its end. Raises CommandError.
        """
        text = word.strip()
        if NETWORK.fullmatch(text) or text.startswith(("/", "!", "#")):
            raise CommandError(f"{printable(repr(word), 100)}: expected a URL, the beginning of URLs, or a host")
        if "/" in text and not text.startswith("="):
            place = Place.of(text if "://" in text else f"http://{text}")
            if place is not None and place.path == "/":
                text = f"http://{place.netlocs[-1]}/"
            else:
                text = text.removesuffix("*") if text.endswith(("/", "*")) else f"={text}"
        entries = tuple(entries_of(text))
        alone = entries[0].kind is Kind.URL
        return cls(word, entries, text.removeprefix("=") if alone else "")

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The requests that it may have been visited by, where it is one URL. A list knows no schemes."""
        rest = self.url.partition("://")[2] or self.url
        return tuple(
            Asked(f"{scheme}://{rest}", method)
            for scheme in ("https", "http")
            for method in ("GET", "HEAD")
            if self.url
        )
