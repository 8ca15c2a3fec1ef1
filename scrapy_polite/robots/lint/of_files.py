"""Findings about a file as a whole: what it is, how it is written, how long it is. Most are told once a file."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from scrapy_polite.robots.lines import ALLOW, BOM, COMPRESSED, GZIP, USER_AGENT, UTF16_MARKS, bridged
from scrapy_polite.robots.lint.document import Document, path_for, shown
from scrapy_polite.robots.lint.finding import Ask, Edit, Found
from scrapy_polite.robots.lint.kinds import BEYOND, MENDING, Kind, alike, apart
from scrapy_polite.robots.rules import MAX_BYTES
from scrapy_polite.text import counted, unescaped

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")
#: Tags that end a line of what people see.
_BLOCK = re.compile(r"(?i)</?(?:br|p|div|li|pre|tr|h[1-6]|body|html|head|title)\b[^<>]*>")
_TAG = re.compile(rb"(?i)</?[a-z][a-z0-9]*(?:[ \t/][^<>]*)?>")
#: What ends lines for some and not for others. CRs before CRLF, as transfers by FTP leave them, make blank lines.
_LINE_END = re.compile(rb"\r\n|\r|\n")
_ODD_ENDS = re.compile(rb"\r+\n?|[\x0b\x0c]")
_ENDS = {b"\n": "several CR and a LF", b"\r": "CR alone", b"\x0b": "a vertical tab", b"\x0c": "a form feed"}


def _html(document: Document) -> Iterator[Found]:
    if document.is_page:
        count = len(document.directives)
        found = f"take {counted(count, 'line')} of it for rules" if count else "find no rule in it and fetch everything"
        fix = "answer /robots.txt with plain text, or with 404 where there is none"
        yield Found(1, 1, f"this is a web page, not a robots.txt: readers {found}", fix)
        return
    tagged = [(number, tag) for number, _, value, _ in document.directives if (tag := _TAG.search(value))]
    if tagged:
        number, tag = tagged[0]
        column = document.column(number, document.lines[number - 1].find(tag[0]))
        where = f" (and in {counted(len(tagged) - 1, 'more line')})" if len(tagged) > 1 else ""
        message = f"{shown(tag[0], 20)} is HTML: readers take it for a part of the value{where}"
        yield Found(number, column, message, "write plain text, without tags")


def _without_html(document: Document) -> bytes:
    """What a page says to people, a line for each block; of a file that is no page, its lines without tags."""
    if not document.is_page:
        return b"\n".join(_TAG.sub(b"", line) for line in document.lines)
    blocks = _BLOCK.sub("\n", document.body.decode("utf-8", "replace"))
    return unescaped(_TAG.sub(b"", blocks.encode("utf-8", "replace")).decode("utf-8", "replace")).encode()


def _binary(document: Document) -> Iterator[Found]:
    body = document.body
    if body.startswith(COMPRESSED):
        yield Found(1, 1, "the file is compressed data", "unpack it: servers compress what they send by themselves")
    elif body[:2] in UTF16_MARKS or _utf16(body):
        marked = "" if body[:2] in UTF16_MARKS else ", and no byte order mark says so"
        yield Found(1, 1, f"the file is UTF-16{marked}: most readers find no rule in it", "save it as UTF-8")
    elif mark := _CONTROL.search(body):
        number = len(_LINE_END.findall(body, 0, mark.start())) + 1
        start = max(body.rfind(b"\n", 0, mark.start()), body.rfind(b"\r", 0, mark.start())) + 1
        column = len(body[start : mark.start()].removeprefix(BOM).decode("utf-8", "replace")) + 1
        count = len(_CONTROL.findall(body))
        makes = "readers end the line there" if mark[0] == b"\0" else "no URL has it"
        what = f"there is the control character {mark[0][0]:#04x}: {makes}"
        more = f" ({counted(count, 'control character')} in all)" if count > 1 else ""
        yield Found(number, column, what + more, "delete it, or save the file anew as UTF-8 text")


def _as_text(document: Document) -> bytes:
    body = document.body
    if body.startswith(GZIP):
        try:
            return zlib.decompressobj(wbits=31).decompress(body, MAX_BYTES)
        except zlib.error:
            return body
    if body.startswith(COMPRESSED):
        return body
    if body[:2] in UTF16_MARKS:
        return bridged(body)
    if encoding := _utf16(body):
        return body.decode(encoding, "ignore").encode("utf-8", "ignore")
    return _CONTROL.sub(b"", body)


def _utf16(body: bytes) -> str:
    """The encoding of UTF-16 without a byte order mark, most of it ASCII; empty where it is none."""
    head = body[:400]
    for encoding, zeros in (("utf-16-le", head[1::2]), ("utf-16-be", head[::2])):
        if len(head) >= 8 and zeros.count(0) > 0.9 * len(zeros):
            return encoding
    return ""


def _line_ends(document: Document) -> Iterator[Found]:
    body = document.body
    if document.is_binary:
        return
    odd = _ODD_ENDS.search(body)
    while odd and odd[0] == b"\r\n":
        odd = _ODD_ENDS.search(body, odd.end())
    windows, unix = body.count(b"\r\n"), body.count(b"\n") - body.count(b"\r\n")
    if odd:
        number = len(_LINE_END.findall(body, 0, odd.start())) + 1
        name = _ENDS[odd[0][-1:]]
        makes = "some readers see a blank line, which ends a group" if odd[0][-1:] == b"\n" else "readers differ on it"
        yield Found(
            number, 1, f"the line ends in {name}: {makes}", "save the file with one kind of line end, LF or CRLF"
        )
    elif windows and unix:
        first = body.split(b"\n")
        kinds = [line[-1:] == b"\r" for line in first[:-1]]
        number = kinds.index(not kinds[0]) + 1
        message = f"line ends are mixed: {windows:,} of CRLF, {unix:,} of LF"
        yield Found(number, 1, message, "save the file with one kind of line end, LF or CRLF")


def _with_plain_ends(document: Document) -> bytes:
    return _ODD_ENDS.sub(lambda end: b"\n" if end[0][-1:] == b"\n" else b"\n" * len(end[0]), document.body)


def _bom(document: Document) -> Iterator[Found]:
    if document.body.startswith(BOM):
        yield Found(1, 1, "the file begins with a byte order mark", "save it as UTF-8 without one")


def _invalid_utf8(document: Document) -> Iterator[Found]:
    if document.is_binary or _not_utf8(document.body) is None:
        return
    says = {line[0]: line for line in document.directives}
    for number, line in enumerate(document.lines, 1):
        at = _not_utf8(line)
        if at is None:
            continue
        asks: tuple[Ask, ...] = ()
        if number in says and says[number][1] <= ALLOW:
            asks = (Ask(document.asker_at(number), path_for(_from_windows(says[number][2]))),)
        yield Found(
            number,
            document.column(number, at),
            f"byte {line[at]:#04x} is not UTF-8: {shown(line, 60)}",
            "save the file as UTF-8",
            asks,
            Edit(number, number, (_from_windows(line),)),
        )


def _not_utf8(octets: bytes) -> int | None:
    """The place of the first octet that is no UTF-8."""
    try:
        octets.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


def _from_windows(octets: bytes) -> bytes:
    """What is no UTF-8 is most often in the encoding of Windows for western Europe."""
    return octets.decode("cp1252", "replace").encode()


def _too_long(document: Document) -> Iterator[Found]:
    size = len(document.whole)
    if size > MAX_BYTES:
        beyond = Document(document.whole[len(document.body) :])
        last = document.groups[-1].asker if document.groups else "*"
        asks = tuple(
            Ask(group.asker if group.agents else last, path_for(rule[2]))
            for group in beyond.groups
            for rule in group.rules
        )
        yield Found(
            len(document.lines) + (not document.body.endswith((b"\n", b"\r"))),
            1,
            f"the file has {size:,} bytes; readers need not read more than {MAX_BYTES:,}, which end here",
            "make rules shorter: one for a folder, or a wildcard, in place of one for each file",
            asks,
        )


def _no_user_agent(document: Document) -> Iterator[Found]:
    if not document.groups or document.groups[0].agents:
        return
    rules = document.groups[0].rules
    number, _, _, text = rules[0]
    named = any(what == USER_AGENT for _, what, _, _ in document.directives)
    above = "above the first User-agent line" if named else "and no User-agent line"
    yield Found(
        number,
        1,
        f"there {'is' if len(rules) == 1 else 'are'} {counted(len(rules), 'rule')} {above}: no reader obeys "
        f"{'it' if len(rules) == 1 else 'them'}",
        "write 'User-agent: *' above it",
        tuple(Ask("*", path_for(rule[2])) for rule in rules),
        Edit(number, number, (b"User-agent: *", text)),
    )


_NO_RULES = "takes none of it for a rule, and fetches everything"

KINDS = (
    Kind(
        "html",
        "The file is a web page, or has HTML in its rules",
        alike("reads rules that stand alone in a line, tags and all; of a page without any it fetches everything"),
        _html,
        MENDING,
        _without_html,
    ),
    Kind(
        "binary",
        "The file is no text, or has control characters",
        apart(f"{_NO_RULES}; ends a line at a NUL, and may read UTF-16 that says so", _NO_RULES),
        _binary,
        MENDING,
        _as_text,
    ),
    Kind(
        "line-ends",
        "Lines end in a way that readers differ on, or in several ways",
        apart(
            "takes CR, LF and CRLF for an end of a line, nothing else",
            "sees a blank line between CR and CRLF, and ends the group there",
        ),
        _line_ends,
        MENDING,
        _with_plain_ends,
    ),
    Kind("bom", "The file begins with a byte order mark", alike("skips it; simple programs miss the first line"), _bom),
    Kind(
        "invalid-utf-8",
        "A line is not UTF-8",
        alike("compares byte by byte: the rule matches no URL that is written in UTF-8, as browsers do"),
        _invalid_utf8,
        MENDING,
    ),
    Kind(
        "too-long",
        "The file is longer than 500 KiB",
        alike("may stop after 500 KiB (RFC 9309 §2.5), and does not know the rules that follow"),
        _too_long,
        BEYOND,
    ),
    Kind(
        "no-user-agent",
        "Rules stand above any User-agent line",
        alike("skips rules that are addressed to nobody"),
        _no_user_agent,
        MENDING,
    ),
)
