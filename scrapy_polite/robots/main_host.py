"""The Host line of a robots.txt: which of several mirrors of a site its pages should be asked of.

Yandex's directive, which it no longer reads (since 2018): a host, with or without scheme and port. The first line
counts, and it is for all crawlers. Of 63 real files that have one, 59 name the host that they are from.
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

from scrapy_polite.origin import DEFAULT_PORTS, Origin, site_of

#: Meta: of a request that was for a mirror, its URL there.
MIRROR_URL = "polite_mirror_url"
_SCHEMES = ("http", "https")
#: Reasons of not following that are no news to anybody.
NO_LINE, ITSELF = "no Host line", "names itself"


def named_by(line: str, of: Origin) -> Origin | None:
    """The origin that the Host line of an origin's robots.txt names; None where it names none.

    Without a scheme that of the robots.txt holds; a path is passed over (`https://www.example.com/`).
    """
    text = line.strip()
    try:
        return Origin.from_url(text if "://" in text else f"{of.scheme}://{text}")
    except ValueError:
        return None


def why_not(mirror: Origin, line: str | None) -> str:
    """Why pages of a mirror are not to be asked of the host that its robots.txt names, as far as the line says it.

    Empty: its target has to be asked.
    """
    if line is None:
        return NO_LINE
    main = named_by(line, mirror)
    if main is None or main.scheme not in _SCHEMES:
        return "it is no host"
    if main == mirror:
        return ITSELF
    if (mirror.scheme, main.scheme) == ("https", "http"):
        return "it leads from https to http"
    if _site(main) != _site(mirror):
        return "it is of another registered domain"
    return ""


def why_unconfirmed(main: Origin, line: str | None) -> str:
    """Why the main host's own robots.txt does not confirm that it is one; `line` is its Host line. Empty: it does."""
    if line is None:
        return "its own robots.txt has no Host line"
    named = named_by(line, main)
    return "" if named == main else f"its own robots.txt names {named or 'no host'}"


def moved(url: str, main: Origin) -> str:
    """The URL of the same page at another origin, its path and query as they are."""
    rest = url.partition("://")[2]
    end = min((at for at in map(rest.find, "/?#") if at >= 0), default=len(rest))
    return f"{main}{rest[end:]}"


def names_user(url: str) -> bool:
    """Whether a URL has a user name, which is for one host."""
    return "@" in urlsplit(url).netloc


def _site(origin: Origin) -> str:
    """The registered domain, whatever the port."""
    return site_of(replace(origin, port=DEFAULT_PORTS[origin.scheme]))
