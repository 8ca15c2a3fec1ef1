"""robots.txt files made to hurt a parser, 500 KiB each unless their name says otherwise, by name.

Loaded by `test_hostile.py` and by `benchmarks/robots_hostile.py`.
"""

from __future__ import annotations

from collections.abc import Callable

SIZE = 500 * 1024
STAR = b"User-agent: *\n"

#: The longest URL that Scrapy asks for by default (URLLENGTH_LIMIT is 2,083), of the letters that the bodies use.
URL = "http://example.com/" + "a" * 1981


def _filled(line: Callable[[int], bytes], head: bytes = STAR) -> bytes:
    lines, size, number = [head], len(head), 0
    while True:
        lines.append(line(number))
        size += len(lines[-1])
        number += 1
        if size > SIZE:
            return b"".join(lines)[:SIZE]


def _repeated(text: bytes, head: bytes = STAR) -> bytes:
    return (head + text * (SIZE // len(text)))[:SIZE]


def _agents_and_rules(count: int) -> bytes:
    agents = b"".join(b"User-agent: bot%d\n" % number for number in range(count))
    return agents + STAR + b"".join(b"Disallow: /%d\n" % number for number in range(count))


def _nested() -> bytes:
    return _filled(lambda number: b"Disallow: /" + b"a" * number + b"\n")


BODIES: dict[str, bytes] = {
    "one rule of nine wildcards": STAR + b"Disallow: /*a*a*a*a*a*a*a*a*b\n",
    "one rule of 1,000 wildcards": STAR + b"Disallow: /" + b"*a" * 1000 + b"b\n",
    "one rule of wildcards": _repeated(b"*a", STAR + b"Disallow: /"),
    "rules of 41 wildcards": _filled(lambda number: b"Disallow: /" + b"*a" * 41 + b"b%d\n" % number),
    "needles that nearly match": _filled(lambda _: b"Disallow: *" + b"a" * 500 + b"b" + b"a" * 500 + b"\n"),
    "distinct needles that nearly match": _filled(
        lambda number: b"Disallow: *" + b"a" * (number % 97) + b"b" + b"a" * 97 + b"%d\n" % number
    ),
    "short wildcards": _filled(lambda number: b"Disallow: /*%d\n" % number),
    "short wildcards with a tail": _filled(lambda number: b"Disallow: /*%d$\n" % number),
    "short wildcards of two needles": _filled(lambda number: b"Disallow: /*a*%d\n" % number),
    "wildcards under nested heads": _filled(lambda number: b"Disallow: /" + b"a" * (number % 900) + b"*b\n"),
    "Allow and Disallow in turn": _filled(
        lambda number: (b"Allow: /*a%d\n", b"Disallow: /*a%d\n")[number % 2] % number
    ),
    "20,000 literals": STAR + b"".join(b"Disallow: /path/%06d\n" % number for number in range(20_000)),
    "literals": _filled(lambda number: b"Disallow: /%d\n" % number),
    "nested literals": _nested(),
    "one literal again and again": _repeated(b"Disallow: /a\n"),
    "anchored literals": _filled(lambda number: b"Disallow: /%d$\n" % number),
    "dollars": _filled(lambda _: b"Disallow: /$$$$$$$$x$\n"),
    "index pages": _filled(lambda number: b"Allow: /%d/index.html\n" % number),
    "user agents": _filled(lambda number: b"User-agent: bot%d\n" % number),
    "user agents, then one again and again": _filled(
        lambda number: b"User-agent: b%d\n" % number if number < 18_000 else b"User-agent: b1\n"
    ),
    "3,000 agents times 3,000 rules": _agents_and_rules(3_000),
    "14,000 agents times 14,000 rules": _agents_and_rules(14_000)[:SIZE],
    "a group per rule": _filled(lambda number: b"User-agent: *\nDisallow: /%d\n" % number),
    "no line end": b"a" * SIZE,
    "words and no line end": _repeated(b"disallow ", b""),
    "a path": _repeated(b"a", STAR + b"Disallow: /"),
    "NULs": b"\0" * SIZE,
    "a NUL in every line": _filled(lambda number: b"Disallow: /%d\0x\n" % number),
    "replacement characters": _repeated("\ufffd".encode(), STAR + b"Disallow: /"),
    "octets above ASCII in every rule": _filled(lambda _: b"Disallow: /" + b"\xff" * 50 + b"\n"),
    "escaped letters": _filled(lambda _: b"Disallow: /" + b"%41" * 50 + b"\n"),
    "escaped percent signs": _filled(lambda _: b"Disallow: /" + b"%25" * 50 + b"\n"),
    "bare percent signs": _filled(lambda _: b"Disallow: /" + b"%" * 150 + b"\n"),
    "escapes in lower case": _filled(lambda _: b"Disallow: /" + b"%ff" * 50 + b"\n"),
    "one rule of escaped letters": _repeated(b"%41", STAR + b"Disallow: /"),
    "line feeds": b"\n" * SIZE,
    "carriage returns": b"\r" * SIZE,
    "both in turn": b"\n\r" * (SIZE // 2),
    "colons": b":" * SIZE,
    "a colon per line": b":\n" * (SIZE // 2),
    "a letter per line": b"a\n" * (SIZE // 2),
    "unknown fields": _filled(lambda number: b"%x:\n" % number),
    "comments": b"#\n" * (SIZE // 2),
    "hashes": b"#" * SIZE,
    "blanks": b" " * SIZE,
    "a blank per line": b" \n" * (SIZE // 2),
    "crawl delays": _filled(lambda number: b"Crawl-delay: %d\n" % number),
    "request rates and visit times": _filled(
        lambda number: b"Request-rate: 1/%d\nVisit-time: 0%d-0800\n" % ((number,) * 2)
    ),
    "sitemaps": _filled(lambda number: b"Sitemap: http://example.com/%d\n" % number),
    "long sitemaps": _filled(lambda number: b"Sitemap: http://example.com/%d" % number + b"a" * 2_000 + b"\n"),
    "clean-params": _filled(lambda number: b"Clean-param: p%d /\n" % number),
    "UTF-16": ("\ufeff" + "User-agent: *\nDisallow: /a\n" * (SIZE // 54)).encode("utf-16-le"),
    "a UTF-16 mark on rules": b"\xff\xfe" + _filled(lambda number: b"Disallow: /%d\n" % number)[:-2],
    "a web page": _repeated(b"<p>User-agent: <b>*</b><br>Disallow: /</p>\n", b"<!doctype html>\n"),
    "random octets": bytes((number * number * 2654435761 >> 16) & 0xFF for number in range(SIZE)),
}
