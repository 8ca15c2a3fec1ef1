"""Findings about one line: what is misspelled, mixed up, cut off or not known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import pairwise

from scrapy_polite.robots import values
from scrapy_polite.robots.lines import ALLOW, CRAWL_DELAY, SITEMAP, USER_AGENT, Directive
from scrapy_polite.robots.lint.document import Document, agent_of, path_for, shown
from scrapy_polite.robots.lint.finding import Ask, Edit, Found
from scrapy_polite.robots.lint.kinds import MENDING, Kind, alike, apart
from scrapy_polite.text import duration

#: A longer Crawl-delay keeps a reader from ever seeing a site of some size: at one a minute, 1,440 pages a day.
LONG_DELAY_S = 60.0

_SECOND_FIELD = re.compile(rb"(?i)(?<=[ \t])((?:user-?agent|disallow|allow|sitemap|crawl-delay)[ \t]*:)")
_URL = re.compile(rb"(?i)https?://[^/?#]*")
_ABSOLUTE = re.compile(rb"(?i)https?://[^/?#\s]")
_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_.-]*")
#: Blanks of ASCII, which readers skip, and of Unicode, which they take for a part of the field's name.
_INDENT = re.compile(rb"(?:[ \t]|\xc2\xa0|\xe2\x80[\x80-\x8b]|\xe3\x80\x80|\xef\xbb\xbf)+")
_KNOWN = (
    "user-agent",
    "disallow",
    "allow",
    "sitemap",
    "crawl-delay",
    "host",
    "clean-param",
    "request-rate",
    "visit-time",
)
_LIKENESS = 0.8
#: A field with blanks and no colon behind it, and what follows: one word, or what may be paths, and is no prose.
_WITHOUT_COLON = re.compile(
    rb"(?i)[ \t]*(?P<field>(?P<rule>disallow|allow)|user[- ]?agent|site-?map|crawl-?delay)[ \t]+"
    rb"(?P<value>[^:\s]\S*|(?(rule)(?:[/*]|https?://).*|(?!)))[ \t]*"
)


def _mixed_syntax(document: Document) -> Iterator[Found]:
    directives = document.directives
    for at, (number, what, value, text) in enumerate(directives):
        label = text.partition(b":")[0].strip()
        if what == USER_AGENT and (value.startswith(b"/") or _ABSOLUTE.match(value)):
            below = directives[at + 1] if at + 1 < len(directives) else None
            yield _swapped(document, directives[at], below)
        elif second := _SECOND_FIELD.search(text, text.find(b":") + 1):
            parts = _fields(text)
            asker = next((name for part in parts if (name := _agent_in(part))), None) or document.asker_at(number)
            yield Found(
                number,
                document.column(number, second.start(1)),
                f"{shown(second[1], 20)} stands in the line of {shown(label, 20)}: readers take it for its value",
                "write each field in a line of its own",
                tuple(Ask(asker, path_for(part.partition(b":")[2].strip())) for part in parts if _is_rule(part)),
                Edit(number, number, tuple(parts)),
            )


def _fields(text: bytes) -> list[bytes]:
    """A line with several fields, as one line for each."""
    starts = [0, *(found.start(1) for found in _SECOND_FIELD.finditer(text, text.find(b":") + 1)), len(text)]
    return [text[start:end].strip() for start, end in pairwise(starts)]


def _agent_in(part: bytes) -> str | None:
    label, _, value = part.partition(b":")
    return agent_of(value.strip()) if label.lower().startswith(b"user") else None


def _is_rule(part: bytes) -> bool:
    return part.partition(b":")[0].strip().lower() in (b"allow", b"disallow")


def _swapped(document: Document, agent: Directive, below: Directive | None) -> Found:
    number, _, path, text = agent
    column = document.value_column(agent)
    what = "a path" if path.startswith(b"/") else "an address"
    message = f"{shown(path)} is {what}, and no crawler's name: nobody obeys this group"
    if below is None or below[1] > ALLOW or not _NAME.fullmatch(below[2]) or below[2].startswith(b"/"):
        return Found(number, column, message, "write the name of a crawler, or * for all")
    name = below[2]
    label = text.partition(b":")[0]
    mended = (label + b": " + name, below[3].partition(b":")[0] + b": " + path)
    return Found(
        number,
        column,
        f"the path {shown(path)} stands at User-agent, the name {shown(name)} at the rule in line {below[0]}",
        f"write: User-agent: {shown(name)[1:-1]}, and below it the path",
        (Ask(agent_of(name) or "*", path_for(path)),),
        Edit(number, below[0], mended) if below[0] == number + 1 else None,
    )


def _several_paths(document: Document) -> Iterator[Found]:
    for number, what, value, text in document.directives:
        if what > ALLOW or (b" " not in value and b"\t" not in value):
            continue
        paths = list(filter(None, [word.strip(b",;") for word in value.split()]))
        if len(paths) > 1 and all(path.startswith((b"/", b"*/", b"*.")) for path in paths):
            label = text.partition(b":")[0].strip()
            yield Found(
                number,
                document.column(number, text.find(paths[1], text.find(value) + len(paths[0]))),
                f"there are {len(paths)} paths in one line: readers take them for one, which no URL has",
                "write each path in a line of its own",
                tuple(Ask(document.asker_at(number), path_for(path)) for path in paths),
                Edit(number, number, tuple(label + b": " + path for path in paths)),
            )


def _comment_cuts_value(document: Document) -> Iterator[Found]:
    for directive in document.directives:
        number, what, value, text = directive
        line = document.lines[number - 1]
        if what > ALLOW or len(line) == len(text):
            continue
        comment = line[len(text) + 1 :]
        if value and text[-1:] not in b" \t":
            mended = text + b"%23" + (comment.split(None, 1)[0] if comment[:1].strip() else b"")
        elif not value and comment.startswith(b"/"):
            mended = text.rstrip() + b" " + comment.split(None, 1)[0]
        else:
            continue
        asker = document.asker_at(number)
        asks = tuple(Ask(asker, path_for(one)) for one in (value, mended.partition(b":")[2].strip()) if one)
        yield Found(
            number,
            document.column(number, len(text)),
            f"the value is cut at '#', where a comment begins: readers see {shown(value) if value else 'nothing'}",
            "a URL's part after '#' is never sent, so rules have none: delete it; where the path itself has the "
            "character, write %23"
            if value
            else "delete the '#' if the rule is to hold, the line if not",
            asks,
            Edit(number, number, (mended,)),
        )


def _leading_spaces(document: Document) -> Iterator[Found]:
    known = {line[0] for line in document.directives}
    for number, line in enumerate(document.lines, 1):
        rest = _without_indent(line)
        field = _field_of(rest)
        if len(rest) == len(line) or (number not in known and field not in _KNOWN):
            continue
        strange = not line[: len(line) - len(rest)].isspace()
        value = rest.partition(b"#")[0].partition(b":")[2].strip()
        yield Found(
            number,
            1,
            "a character that only looks like a space stands before the field: readers skip the line"
            if strange
            else "spaces stand before the field",
            "begin the line with the field",
            _asks_of_new_line(document, number, field, value) if strange else (),
            Edit(number, number, (rest,)),
        )


def _without_indent(line: bytes) -> bytes:
    indent = _INDENT.match(line)
    return line[indent.end() :] if indent else line


def _field_of(line: bytes) -> str:
    return line.partition(b":")[0].strip().lower().decode("latin-1")


def _asks_of_new_line(document: Document, number: int, field: str, value: bytes) -> tuple[Ask, ...]:
    """What to ask about once a line, which readers skip, has the field that it is meant to have."""
    if field.startswith("user"):
        name = agent_of(value)
        rules = (line for line in document.following(number) if line[1] <= ALLOW)
        return tuple(Ask(name, path_for(rule[2])) for rule, _ in zip(rules, range(20), strict=False)) if name else ()
    if field in ("allow", "disallow"):
        agents = [line for line in document.directives if line[0] < number and line[1] == USER_AGENT]
        return (Ask((agents and agent_of(agents[-1][2])) or "*", path_for(value)),)
    return ()


def _missing_colon(document: Document) -> Iterator[Found]:
    if document.is_binary or document.is_page:
        return
    read_as = {number: value for number, _, value, _ in document.directives}
    for number, line in enumerate(document.lines, 1):
        found = _WITHOUT_COLON.fullmatch(line.partition(b"#")[0])
        if found is None:
            continue
        field, value = found["field"], found["value"].strip()
        read = read_as.get(number)
        if read is None:
            makes = "readers skip the line"
        elif read == value:
            makes = "some readers take the space for one, others skip the line"
        else:
            makes = f"some readers take {shown(read, 40)} for the value, others skip the line"
        yield Found(
            number,
            document.column(number, found.end("field")),
            f"there is no colon after {shown(field)}: {makes}",
            f"write: {shown(field)[1:-1]}: {shown(value)[1:-1]}",
            _asks_of_new_line(document, number, field.lower().decode(), value),
            Edit(number, number, (line[: found.end("field")] + b":" + line[found.end("field") :],)),
        )


def _capitals(document: Document) -> Iterator[Found]:
    for number, _, _, text in document.directives:
        label = text.partition(b":")[0]
        if without_colon := _WITHOUT_COLON.fullmatch(text):
            label = without_colon["field"]
        if label.isupper() and len(label.strip()) > 1 and not document.is_page:
            yield Found(
                number,
                document.column(number, len(label) - len(label.lstrip())),
                f"{shown(label.strip(), 20)} is in capitals; readers take it, but in paths capitals count",
                f"write: {label.strip().capitalize().decode('ascii', 'replace')}, and paths as URLs have them",
                edit=Edit(number, number, (text.replace(label, label.capitalize(), 1).rstrip(),)),
            )


def _no_leading_slash(document: Document) -> Iterator[Found]:
    below_path = {
        line[0] for agent, line in pairwise(document.directives) if agent[1] == USER_AGENT and agent[2].startswith(b"/")
    }
    for directive in document.directives:
        number, what, value, text = directive
        if what > ALLOW or not value or value[:1] in b"/*<" or number in below_path:
            continue
        without_colon = _WITHOUT_COLON.fullmatch(text)
        if without_colon and without_colon["value"].strip() != value:
            continue  # no more than the end of what is meant
        column = document.value_column(directive)
        url = _URL.match(value)
        says = "is a URL: rules have paths" if url else "does not begin with a slash"
        message = f"{shown(value)} {says}: no URL's path begins so, and the rule never matches"
        begin = url or _INDENT.match(value)
        path = value[begin.end() :] if begin else value
        if url and path in (b"", b"/"):
            fix = "delete the line: '/' would be about the whole site, and another site has a robots.txt of its own"
            yield Found(number, column, message, fix, edit=Edit(number, number, ()))
            continue
        if not path.startswith(b"/"):
            path = (b"/*" if path.startswith(b".") else b"/") + path
        yield Found(
            number,
            column,
            message,
            f"write: {shown(path)[1:-1]}",
            (Ask(document.asker_at(number), path_for(path)),),
            Edit(number, number, (text.replace(value, path, 1).rstrip(),)),
        )


def _noindex(document: Document) -> Iterator[Found]:
    for number, line in enumerate(document.lines, 1):
        label, colon, _ = line.partition(b":")
        if colon and label.strip().lower() == b"noindex":
            yield Found(
                number,
                document.column(number, len(label) - len(label.lstrip())),
                "robots.txt knows no Noindex: readers skip the line",
                "answer these pages with the header 'X-Robots-Tag: noindex', and do not disallow them",
            )


def _unknown_line(document: Document) -> Iterator[Found]:
    if document.is_binary or document.is_page:
        return
    known = {line[0] for line in document.directives}
    for number, line in enumerate(document.lines, 1):
        text = line.partition(b"#")[0].strip()
        if not text or number in known:
            continue
        label, colon, value = text.partition(b":")
        field = label.strip().lower()
        if field == b"noindex" or _field_of(_without_indent(line)) in _KNOWN or _WITHOUT_COLON.fullmatch(text):
            continue  # told of as such
        column = document.column(number, len(line) - len(line.lstrip()))
        name = field.decode("utf-8", "replace")
        likely = get_close_matches(name[:40], _KNOWN, 1, _LIKENESS) if colon else []
        if likely:
            meant = likely[0].capitalize()
            mended = meant.encode() + b": " + value.strip()
            yield Found(
                number,
                column,
                f"{shown(label, 30)} is no field: readers skip the line",
                f"write: {meant}",
                _asks_of_new_line(document, number, likely[0], value.strip()),
                Edit(number, number, (mended,)),
            )
        else:
            what = f"{shown(label, 30)} is no field" if colon else f"{shown(text, 60)} is no rule"
            yield Found(number, column, f"{what}: readers skip the line", "delete it, or begin it with # as a comment")


def _sitemap(document: Document) -> Iterator[Found]:
    for directive in document.directives:
        if directive[1] == SITEMAP and not _ABSOLUTE.match(directive[2]):
            yield Found(
                directive[0],
                document.value_column(directive),
                f"the address {shown(directive[2])} is not absolute: readers cannot ask for it"
                if directive[2]
                else "the address is missing",
                "write the whole address: https://, the host, the path",
            )


def _crawl_delay(document: Document) -> Iterator[Found]:
    for directive in document.directives:
        if directive[1] != CRAWL_DELAY:
            continue
        delay_s = values.crawl_delay([directive[2]])
        if delay_s is not None and delay_s > LONG_DELAY_S:
            yield Found(
                directive[0],
                document.value_column(directive),
                f"a page every {duration(delay_s)} is {86_400 / delay_s:,.0f} a day; some readers keep to it and see "
                "little of the site, others keep to less",
                "write a few seconds, or disallow what is costly to serve",
            )


_ONE_LINE = "takes the rest of the line for a part of the value"
_SKIPPED = "skips the line"

KINDS = (
    Kind(
        "mixed-syntax",
        "Fields and values are mixed up: a path at User-agent, a name at a rule, two fields in a line",
        alike(f"obeys no group whose name is a path; {_ONE_LINE}"),
        _mixed_syntax,
        MENDING,
    ),
    Kind(
        "several-paths",
        "Several paths stand in one line",
        alike("takes them for one path with spaces in it, which no URL has: none of them is closed"),
        _several_paths,
        MENDING,
    ),
    Kind(
        "comment-cuts-value",
        "A '#' in a value begins a comment",
        alike("reads the value up to the '#', which may close more than was meant, or nothing"),
        _comment_cuts_value,
        MENDING,
    ),
    Kind(
        "leading-spaces",
        "Spaces stand before a field",
        alike("skips spaces and tabs of ASCII; takes those of Unicode for a part of the field, and skips the line"),
        _leading_spaces,
        MENDING,
    ),
    Kind(
        "capitals",
        "Fields are written in capitals",
        alike("takes fields in any case; paths in capitals match URLs in capitals only"),
        _capitals,
    ),
    Kind(
        "no-leading-slash",
        "A path does not begin with a slash",
        alike("compares from the first character on, so that the rule never matches"),
        _no_leading_slash,
        MENDING,
    ),
    Kind(
        "missing-colon",
        "There is no colon between a field and its value",
        alike(
            "takes the space for a colon where there are two words, as Google's parser does, and skips a line of more; "
            "who keeps to the grammar of RFC 9309, as Python's urllib.robotparser, skips each"
        ),
        _missing_colon,
        MENDING,
    ),
    Kind("noindex", "Noindex is no field of robots.txt", alike(_SKIPPED), _noindex),
    Kind("unknown-line", "A line has no field that readers know", alike(_SKIPPED), _unknown_line, MENDING),
    Kind(
        "sitemap-not-absolute",
        "The address of a Sitemap is not absolute",
        apart("cannot ask for it", "knows no Sitemap lines, and skips it", geoportal="cannot ask for it"),
        _sitemap,
    ),
    Kind(
        "crawl-delay-long",
        "A Crawl-delay is longer than a minute",
        apart("need not know the field; this package keeps to it up to its limit", "does not know the field"),
        _crawl_delay,
    ),
)
