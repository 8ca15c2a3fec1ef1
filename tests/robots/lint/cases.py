"""Three files or more in which a kind of finding is, with its line and level, and three or more in which it is not.

`STAR` and `ANY` stand for a group that the lines are in. Loaded with `runpy`.
"""

from __future__ import annotations

import gzip
from typing import NamedTuple

E, H = "error", "hint"
STAR = b"User-agent: *\n"
_LONG = b"".join(b"Disallow: /%07d/%s\n" % (number, b"x" * 80) for number in range(5_200))


class Case(NamedTuple):
    """`line` is that of the first finding of its kind, and `level` its level."""

    body: bytes
    line: int
    level: str


def _files(count: int, folder: bytes = b"/news/") -> bytes:
    return b"".join(b"Disallow: %spage%d.html\n" % (folder, number) for number in range(count))


CASES: dict[str, tuple[list[Case], list[bytes]]] = {
    "html": (
        [
            Case(b"<!DOCTYPE html>\n<html><body>Not found</body></html>", 1, H),
            Case(b"<html><body><pre>User-agent: *<br>Disallow: /private/<br></pre></body></html>", 1, E),
            Case(STAR + b"Disallow: /private/<br>\n", 2, E),
            Case(b"<meta name=viewport><style>body { margin: 0 }</style>", 1, H),
        ],
        [STAR + b"Disallow: /private/\n", STAR + b"Disallow: /a<b\n", b"# <html>\n" + STAR + b"Disallow: /*<*\n"],
    ),
    "binary": (
        [
            Case(gzip.compress(STAR + b"Disallow: /private/\n"), 1, E),
            Case((STAR + b"Disallow: /private/\n").decode().encode("utf-16-le"), 1, E),
            Case(STAR + b"Disallow: /pri\0vate/\n", 2, E),
            Case(STAR + b"Disallow: /a\n# \x07\n", 3, H),
            Case((STAR + b"Disallow: /a\n").decode().encode("utf-16"), 1, E),
            Case((STAR + b"Disallow:\n").decode().encode("utf-16"), 1, H),
        ],
        [
            STAR + b"Disallow:\t/a\n",
            STAR + "Disallow: /ä\n".encode(),
            b"\xef\xbb\xbf" + STAR + b"Disallow: /a\r\n",
        ],
    ),
    "line-ends": (
        [
            Case(STAR[:-1] + b"\r\r\nDisallow: /private/\r\r\n", 1, E),
            Case(b"User-agent: *\rDisallow: /private/\r", 1, H),
            Case(b"User-agent: *\r\nDisallow: /a\nDisallow: /b\r\n", 2, H),
            Case(STAR + b"Disallow: /a\x0bDisallow: /b\n", 2, E),
        ],
        [STAR + b"Disallow: /a\n", b"User-agent: *\r\nDisallow: /a\r\n", STAR + b"Disallow: /a"],
    ),
    "bom": (
        [
            Case(b"\xef\xbb\xbf" + STAR, 1, H),
            Case(b"\xef\xbb\xbf\n" + STAR, 1, H),
            Case(b"\xef\xbb\xbf# made by hand\n" + STAR, 1, H),
        ],
        [STAR, b"\n" + STAR, b"# \xef\xbb\xbf\n" + STAR],
    ),
    "invalid-utf-8": (
        [
            Case(STAR + b"Disallow: /caf\xe9/\n", 2, E),
            Case(STAR + b"Disallow: /a\n# caf\xe9\n", 3, H),
            Case(STAR + b"Disallow: /a\nAllow: /caf\xe9/\n", 3, H),
        ],
        [STAR + "Disallow: /café/\n".encode(), STAR + b"Disallow: /caf%E9/\n", STAR + b"Disallow: /cafe/\n"],
    ),
    "too-long": (
        [
            Case(STAR + _LONG + b"Disallow: /private/\n", 5121, E),
            Case(STAR + b"# " + b"x" * 600_000, 2, H),
            Case(STAR + b"Disallow: /\n" + _LONG, 5122, H),
        ],
        [STAR, STAR + _LONG[: 98 * 5_000], STAR + b"#" * 511_986],
    ),
    "no-user-agent": (
        [
            Case(b"Disallow: /private/\n", 1, E),
            Case(b"# for all\n\nDisallow: /private/\n\nUser-agent: foo\nDisallow: /\n", 3, E),
            Case(b"Allow: /\n", 1, H),
            Case(b"Sitemap: https://example.com/s.xml\nDisallow:\n", 2, H),
        ],
        [STAR + b"Disallow: /private/\n", b"Sitemap: https://example.com/s.xml\n", b"\n\n" + STAR + b"Disallow:\n"],
    ),
    "mixed-syntax": (
        [
            Case(b"User-agent: /private/\nDisallow: Googlebot\n", 1, E),
            Case(b"User-agent: * Disallow: /private/\n", 1, E),
            Case(STAR + b"Disallow: /a Disallow: /b\n", 2, E),
            Case(b"User-agent: /private/\n", 1, H),
        ],
        [
            b"User-agent: Googlebot\nDisallow: /private/\n",
            STAR + b"Disallow: /allow:/\n",
            STAR + b"Disallow: /a # Disallow: /b\n",
        ],
    ),
    "several-paths": (
        [
            Case(STAR + b"Disallow: /css/ /cgi-bin/ /images/\n", 2, E),
            Case(STAR + b"Disallow: /a, /b\n", 2, E),
            Case(STAR + b"Disallow: /\nAllow: /a\t/b\n", 3, E),
        ],
        [STAR + b"Disallow: /a\nDisallow: /b\n", STAR + b"Disallow: /my file\n", STAR + b"Disallow: /a # /b\n"],
    ),
    "comment-cuts-value": (
        [
            Case(STAR + b"Disallow: /#search\n", 2, E),
            Case(STAR + b"Disallow: #/private/\n", 2, E),
            Case(STAR + b"Disallow: /shop/list#top\n", 2, E),
            Case(STAR + b"Disallow: /\nDisallow: /shop#top\n", 3, H),
        ],
        [
            STAR + b"Disallow: /cgi-bin/ # no programs\n",
            STAR + b"Disallow: # nothing\n",
            STAR + b"# Disallow: /a#b\nDisallow: /a%23b\n",
        ],
    ),
    "leading-spaces": (
        [
            Case(STAR + b"  Disallow: /private/\n", 2, H),
            Case(b"\tUser-agent: *\nDisallow: /private/\n", 1, H),
            Case(STAR + b"\xc2\xa0Disallow: /private/\n", 2, E),
            Case(STAR + b"Disallow: /a\n\n\xef\xbb\xbfUser-agent: foo\nDisallow: /b\n", 4, E),
        ],
        [STAR + b"Disallow:  /private/\n", STAR + b" # a comment\nDisallow: /a\n", STAR + b"   \nDisallow: /a\n"],
    ),
    "capitals": (
        [
            Case(b"USER-AGENT: EXCITE\nDISALLOW:\n", 1, H),
            Case(STAR + b"DISALLOW: /private/\n", 2, H),
            Case(STAR + b"Disallow: /a\nSITEMAP: https://example.com/s.xml\n", 3, H),
        ],
        [STAR + b"Disallow: /PRIVATE/\n", b"user-agent: *\ndisallow: /a\n", b"User-Agent: FOO\nDisallow: /\n"],
    ),
    "no-leading-slash": (
        [
            Case(STAR + b"Disallow: private/\n", 2, E),
            Case(STAR + b"Disallow: https://example.com/private/\n", 2, E),
            Case(STAR + b"Disallow: https://old.example.com\n", 2, H),
            Case(STAR + b"Disallow: .pdf\n", 2, E),
            Case(STAR + b"Disallow private/\n", 2, E),
            Case(STAR + b"Disallow: \xc2\xa0/private/\n", 2, E),
            Case(STAR + b"Disallow: /\nDisallow: private/\n", 3, H),
        ],
        [STAR + b"Disallow: /private/\n", STAR + b"Disallow: *.pdf\n", STAR + b"Disallow:\n"],
    ),
    "missing-colon": (
        [
            Case(STAR + b"Disallow /private/\n", 2, E),
            Case(b"User-agent *\nDisallow: /private/\n", 1, E),
            Case(STAR + b"Disallow /a /b # both\n", 2, E),
            Case(STAR + b"Disallow /wiki/Special:Search\n", 2, E),
            Case(b"Sitemap https://example.com/s.xml\n", 1, H),
            Case(STAR + b"Disallow private/\n", 2, H),
        ],
        [
            STAR + b"Disallow : /private/\n",
            STAR + b"# Disallow /private/\nDisallow: /a b\n",
            STAR + b"Disallow: /a\nAllow all robots\nUser-agent lines stand above\n",
        ],
    ),
    "noindex": (
        [
            Case(STAR + b"Noindex: /private/\n", 2, H),
            Case(STAR + b"Disallow: /a\n noindex : /b\n", 3, H),
            Case(b"NOINDEX: /\n", 1, H),
        ],
        [STAR + b"Disallow: /noindex:/\n", STAR + b"# Noindex: /a\n", STAR + b"Disallow: /a\n"],
    ),
    "unknown-line": (
        [
            Case(STAR + b"Dissalllow: /private/\n", 2, E),
            Case(STAR + b"LLM-Policy: none\n", 2, H),
            Case(STAR + b"Disallow: /a\nthis file is for robots\n", 3, H),
            Case(b"Usr-agent: foo\nDisallow: /private/\n", 1, E),
        ],
        [STAR + b"Disalow: /a\n", STAR + b"# LLM-Policy: none\n", STAR + b"Host: example.com\nCrawl-delay: 1\n"],
    ),
    "sitemap-not-absolute": (
        [
            Case(b"Sitemap: /sitemap.xml\n", 1, H),
            Case(b"Sitemap: www.example.com/sitemap.xml\n", 1, H),
            Case(STAR + b"Sitemap:\n", 2, H),
        ],
        [
            b"Sitemap: https://example.com/sitemap.xml\n",
            b"sitemap: HTTP://example.com/sitemap.xml\n",
            b"# Sitemap: /sitemap.xml\n",
        ],
    ),
    "crawl-delay-long": (
        [
            Case(STAR + b"Crawl-delay: 61\n", 2, H),
            Case(STAR + b"Disallow: /a\nCrawl-delay: 3600\n", 3, H),
            Case(STAR + b"crawl-delay: 86400 # a day\n", 2, H),
        ],
        [STAR + b"Crawl-delay: 60\n", STAR + b"Crawl-delay: soon\n", STAR + b"# Crawl-delay: 3600\n"],
    ),
    "blank-after-agent": (
        [
            Case(STAR + b"\nDisallow: /private/\n", 2, E),
            Case(STAR + b"# all of them\n  \nDisallow: /private/\n", 3, E),
            Case(b"User-agent: foo\n\nUser-agent: bar\nDisallow: /\n", 2, E),
            Case(STAR + b"\nDisallow:\n", 2, H),
            Case(STAR + b"\n", 2, H),
        ],
        [
            STAR + b"Disallow: /a\n\nDisallow: /b\n",
            STAR + b"# a comment\nDisallow: /a\n",
            b"\n" + STAR + b"Disallow: /a\n\n",
        ],
    ),
    "same-rule-twice": (
        [
            Case(STAR + b"Disallow: /a\nDisallow: /b\nDisallow: /a\n", 4, H),
            Case(STAR + b"Disallow: /a\n\nUser-agent: *\nDisallow: /a\n", 5, H),
            Case(STAR + b"Disallow: /%7euser\nDisallow: /~user\n", 3, H),
        ],
        [
            STAR + b"Disallow: /a\nDisallow: /A\n",
            STAR + b"Disallow: /a\nAllow: /a\n",
            STAR + b"Disallow: /a\n\nUser-agent: foo\nDisallow: /a\n",
        ],
    ),
    "same-agent": (
        [
            Case(STAR + b"Disallow: /a\n\nUser-agent: *\nDisallow: /b\n", 4, E),
            Case(b"User-agent: Foo\nDisallow: /a\n\nUser-agent: foo\nDisallow: /b\n", 4, E),
            Case(STAR + STAR + b"Disallow: /a\n", 2, H),
        ],
        [
            STAR + b"Disallow: /a\n\nUser-agent: foo\nDisallow: /b\n",
            b"User-agent: foo\nUser-agent: bar\nDisallow: /\n",
            STAR + b"Disallow: /a\n# User-agent: *\nDisallow: /b\n",
        ],
    ),
    "wildcard-in-agent": (
        [
            Case(b"User-agent: Googlebot*\nDisallow: /\n", 1, H),
            Case(b"User-agent: *bot\nDisallow: /\n", 1, H),
            Case(b"User-agent: *\xa0\nDisallow: /private/\n", 1, E),
            Case(STAR + b"Disallow: /a\nUser-agent: Foo.*\nDisallow: /\n", 3, H),
        ],
        [STAR + b"Disallow: /*\n", b"User-agent: Googlebot\nDisallow: /\n", b"User-agent: * # all\nDisallow:\n"],
    ),
    "first-match": (
        [
            Case(STAR + b"Disallow: /\nAllow: /public/\n", 3, E),
            Case(STAR + b"Allow: /\nDisallow: /private/\n", 3, E),
            Case(b"User-agent: foo\nDisallow: /*.php\nAllow: /public/index.php\n", 3, E),
        ],
        [
            STAR + b"Allow: /public/\nDisallow: /\n",
            STAR + b"Disallow: /a\nAllow: /b\n",
            STAR + b"Disallow: /\nDisallow: /private/\n",
        ],
    ),
    "allow-for-classic": (
        [
            Case(STAR + b"Allow: /public/\nDisallow: /\n", 2, H),
            Case(STAR + b"Disallow: /a/\nAllow: /a/b\n", 3, H),
            Case(b"User-agent: foo\nAllow: /a\nAllow: /b\nDisallow: /b\n", 3, H),
        ],
        [STAR + b"Allow: /\n", STAR + b"Disallow: /a\nAllow: /b\n", STAR + b"Disallow: /\n"],
    ),
    "conflict": (
        [
            Case(STAR + b"Disallow: /a\nAllow: /a\n", 3, E),
            Case(STAR + b"Allow: /a\nDisallow: /a\n", 3, H),
            Case(STAR + b"Disallow: /\n\nUser-agent: *\nAllow: /\n", 5, E),
        ],
        [
            STAR + b"Disallow: /a\nAllow: /a/\n",
            STAR + b"Disallow: /a\n\nUser-agent: foo\nAllow: /a\n",
            STAR + b"Disallow: /a\nDisallow: /a\n",
        ],
    ),
    "never-applies": (
        [
            Case(STAR + b"Disallow:\nDisallow: /private/\n", 2, E),
            Case(b"User-agent:\nDisallow: /private/\n", 1, H),
            Case(STAR + b"Disallow: /robots.txt\n", 2, H),
            Case(STAR + b"Allow: /a\nDisallow: /a*\n", 2, E),
        ],
        [STAR + b"Disallow:\n", STAR + b"Allow: /a\nDisallow: /a\n", STAR + b"Disallow: /a\nDisallow: /a*\n"],
    ),
    "many-files": (
        [
            Case(STAR + _files(10), 2, H),
            Case(STAR + b"Disallow: /a\n" + _files(12, b"/"), 3, H),
            Case(b"User-agent: foo\n" + _files(11, b"/a/b/"), 2, H),
        ],
        [STAR + _files(9), STAR + _files(9) + _files(9, b"/shop/"), STAR + _files(12).replace(b".html", b"/")],
    ),
}
