"""The tags of a page, as the HTML standard's tokenizer finds them (§13.2.5), without a tree.

The unit of work is one page. Told are the tags of `NAMES`, also those in `<noscript>` and `<template>`; what stands in
a comment, in an attribute, or in an element like `<script>` is no tag. To make a tree, libxml2 compares each attribute
of a tag with all others: 37,500 of them (326 KB) take nine seconds. Here the page is passed once at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from html import unescape
from html.entities import html5
from typing import TypeAlias

from scrapy.http import HtmlResponse, Response

#: The tags that speak to robots, and those that link or frame a page.
NAMES = frozenset((b"a", b"area", b"base", b"frame", b"iframe", b"meta"))

#: A longer page is not looked at.
MAX_BYTES = 1_000_000

#: A page is looked at up to so many `<` and so many `=`. Each takes up to a microsecond, so this bounds the time. Pages
#: of the usual kind have one of either in 25 bytes or more.
MAX_MARKS = 20_000

#: Where a tag begins, its name in lower case, and what stands behind the name.
Tag: TypeAlias = tuple[int, bytes, bytes]

#: Elements whose content is text, whatever it looks like (HTML §13.2.6.4.7).
_RAW = frozenset((b"iframe", b"noembed", b"noframes", b"plaintext", b"script", b"style", b"textarea", b"title", b"xmp"))

_END_OF_NAME = r"(?=[ \t\n\f\r/>])"
_VALUE = r"""(?:"[^"]*(?:"|\Z)|'[^']*(?:'|\Z)|[^ \t\n\f\r"'>][^ \t\n\f\r>]*|)"""
#: Any number of names, and the value of the last one. A name may begin with `=`, so behind a slash none has a value.
_ATTRIBUTE = rf"[ \t\n\f\r/]*(%s[^ \t\n\f\r/>][^=>]*)(?:(?<!/)(?<!/[ \t\n\f\r])=[ \t\n\f\r]*(%s{_VALUE}))?"
# Whatever stands behind a name, this matches up to the tag's end: nothing is tried twice.
_ATTRIBUTES = rf"(?:{_ATTRIBUTE % ('?:', '?:')})*[ \t\n\f\r/]*"
# Nearly all tags have values in double quotes, and no `<` in them.
_PLAIN_ATTRIBUTES = r"""(?:[^<>"'=]+=(?<![ \t\n\f\r/]=)"[^"<]*")*[^<>"'=]*"""
#: In a page in lower case: a tag that is told, or whose content is text; a comment; and what else may have a `<` in it.
_MARK = re.compile(
    rf"<(?!/[a-z0-9]*>)(?:({b'|'.join(sorted(NAMES | _RAW)).decode()}){_END_OF_NAME}"
    rf"(?:({_PLAIN_ATTRIBUTES})>|({_ATTRIBUTES})(>?))"
    r"|(!--)(?:[^>]*>(?<=-->))?|[!?][^>]*|/[^a-z>][^>]*"
    rf"|/?[a-z](?![^<>\"']*>|[a-z0-9]*{_END_OF_NAME}{_PLAIN_ATTRIBUTES}>)[^ \t\n\f\r/>]*{_ATTRIBUTES})".encode()
)
_NAME_AND_VALUE = re.compile((_ATTRIBUTE % ("", "")).encode())
_NAME = re.compile(rb"([^ \t\n\f\r/]*)[ \t\n\f\r/]*\Z")
_MAX_NAME = 100

_SELF_CLOSING = (b'"/', b"'/", b" /", b"\t/", b"\n/", b"\r/")
_COMMENT_END = re.compile(rb"--!?>")
_RAW_END = {name: re.compile(rb"</" + name + _END_OF_NAME.encode()) for name in _RAW}
#: In a script: what ends it or leads to another state, by state. A comment in it may have `<script>` and `</script>`.
_SCRIPT = (
    (re.compile(rb"(?:<!--(?!-?>)|</script(?=[ \t\n\f\r/>]))"), {b"<!--": 1}),
    (re.compile(rb"(?:-->|</?script(?=[ \t\n\f\r/>]))"), {b"-->": 0, b"<script": 2}),
    (re.compile(rb"(?:-->|</script(?=[ \t\n\f\r/>]))"), {b"-->": 0, b"</script": 1}),
)

#: In an attribute, a name without `;` is none before `=` or another letter: `?a=1&copy=2`.
_REFERENCE = re.compile(r"&(?:#(?:[0-9]+|[xX][0-9a-fA-F]+);?|[A-Za-z][A-Za-z0-9]{1,31}(?:;|(?![=A-Za-z0-9])))")
_MAX_REFERENCE = 100


class Markup:
    """The tags of one page. `lower` is the page in lower case: most need no more than a look at it."""

    def __init__(self, response: HtmlResponse) -> None:
        self._response = response
        self._body = response.body
        self._decoded = False
        # UTF-16 has zeros, ISO 2022 has escapes; all others write ASCII as it is.
        if b"\0" in self._body or b"\x1b" in self._body:
            self._body = response.text.replace("\0", "").encode("utf-8", "replace")
            self._decoded = True
        self.lower = self._body.lower()
        self._seen: list[Tag] = []
        self._rest = _tags(self._body, self.lower)

    @property
    def url(self) -> str:
        return self._response.url

    @cached_property
    def encoding(self) -> str:
        """What the page is written in, which its URLs are written in too."""
        return self._response.encoding

    def tags(self) -> Iterator[Tag]:
        """The tags in their order."""
        yield from self._seen
        for tag in self._rest:
            self._seen.append(tag)
            yield tag

    def text(self, value: bytes) -> str:
        """The value of an attribute, without character references."""
        text = value.decode("utf-8" if self._decoded else self.encoding, "replace")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return _REFERENCE.sub(_character, text) if "&" in text else text


def of_response(response: Response) -> Markup | None:
    """The markup of a page; None of one that is no HTML, or too long."""
    return Markup(response) if isinstance(response, HtmlResponse) and len(response.body) <= MAX_BYTES else None


def attributes(behind: bytes) -> dict[bytes, bytes]:
    """The attributes of a tag that have a value, as it is written, by name in lower case; the first of a name counts.

    `behind` is what stands behind the tag's name.
    """
    values: dict[bytes, bytes] = {}
    for names, value in _NAME_AND_VALUE.findall(behind):
        if value:
            name = (names if names.isalpha() else _last(names)).lower()
            if name not in values:
                values[name] = value[1:-1] if value[0] in b"\"'" else value
    return values


def _last(names: bytes) -> bytes:
    found = _NAME.search(names[-_MAX_NAME:])
    return found[1] if found else b""


def _tags(body: bytes, lower: bytes) -> Iterator[Tag]:
    lower = _up_to(b"=", _up_to(b"<", lower))
    at = 0
    while at < len(lower):
        for found in _MARK.finditer(lower, at):
            name, plain, _, end, comment = found.groups()
            if name:
                if plain is None and not end:
                    return
                behind = body[found.end(1) : found.end() - 1]
                if name in NAMES:
                    yield found.start(), name, behind
                if name in _RAW and not _closes_itself(behind):
                    at = _raw_end(name, lower, found.end())
                    break
            elif comment and lower[found.end() - 1 : found.end()] != b">":
                closed = _COMMENT_END.search(lower, found.end())
                at = closed.end() if closed else len(lower)
                break
        else:
            return


def _closes_itself(behind: bytes) -> bool:
    """`<script src="x"/>`, as XHTML writes it and libxml2 reads it; for the standard the slash is nothing."""
    return behind.endswith(_SELF_CLOSING) or behind == b"/"


def _raw_end(name: bytes, lower: bytes, at: int) -> int:
    """Where the content of an element ends that begins at a position."""
    if name == b"plaintext":
        return len(lower)
    found = _RAW_END[name].search(lower, at)
    if name != b"script" or lower.find(b"<!--", at, found.start() if found else len(lower)) < 0:
        return found.start() if found else len(lower)
    state = 0
    while found := _SCRIPT[state][0].search(lower, at):
        following = _SCRIPT[state][1].get(found[0])
        if following is None:
            return found.start()
        state, at = following, found.end()
    return len(lower)


def _up_to(mark: bytes, page: bytes) -> bytes:
    """The page up to the last of `MAX_MARKS` marks."""
    if len(page) <= MAX_MARKS or page.count(mark) <= MAX_MARKS:
        return page
    return page[: -len(page.split(mark, MAX_MARKS)[-1]) - 1]


def _character(reference: re.Match[str]) -> str:
    written = reference[0]
    if written[1] == "#":
        # A number of many digits, which Python refuses to read, is no character.
        return unescape(written) if len(written) <= _MAX_REFERENCE else "\N{REPLACEMENT CHARACTER}"
    return html5.get(written[1:], written)
