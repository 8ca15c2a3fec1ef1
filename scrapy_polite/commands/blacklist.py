"""`scrapy polite blacklist`: which list, file and line says what of a URL; one entry more; what lists would refuse of a
crawl that has been; what they hold.
"""

from __future__ import annotations

import glob
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite._project import project_folder
from scrapy_polite.blacklist.formats import recognised
from scrapy_polite.blacklist.hosts import Place, is_private
from scrapy_polite.blacklist.lines import ListError, text_lines
from scrapy_polite.blacklist.reader import line_of
from scrapy_polite.blacklist.sources import TAKEDOWN, Source, compiled_path, fingerprint
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand, url_of
from scrapy_polite.commands.listfile import add, entries_of, first_lines, in_words, readable, refuse_public_suffixes
from scrapy_polite.commands.what_if import test
from scrapy_polite.services.blacklists import compiled_folder, list_store, read_lists, reason, takedowns_path
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy_polite.blacklist.lists import Lists, Match
    from scrapy_polite.blacklist.reader import Faults
    from scrapy_polite.blacklist.table import Table

_MAX_EXAMPLES = 3
_LOOKED_AT = 200


# check


@dataclass(frozen=True, slots=True)
class Said:
    """What one file says of a URL. `role`: "blacklist", "allowlist" or "takedown"; `line` is null where the entry is no
    longer there; `entry` is in its one spelling, an exception with `!`.
    """

    role: str
    list: str
    action: str
    file: str
    line: int | None
    entry: str
    kind: str

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{printable(where, 200)}: {printable(self.entry, 200)}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The fields are the keys of `--json`.

    `allowed`, `reason` (a key of `decision.REASONS`, empty where nothing refuses) and `by`, what decided, are as the
    lists have it; `others` is what else they say. `policy`: "audit" where a crawl fetches what they refuse, and counts.
    """

    url: str
    allowed: bool
    reason: str
    by: Said | None
    others: tuple[Said, ...]
    policy: str

    def as_text(self) -> str:
        lines = [printable(self.url, 300), _row("allowed" if self.allowed else "refused", self._evidence())]
        lines += [_row("also", f"{said}  ({_role(said)})") for said in self.others]
        if self.policy == "audit":
            lines.append(
                _row("the crawl", "fetches what is refused, and counts it: blacklists are in audit (POLITE_MODE)")
            )
        return "\n".join(lines)

    def _evidence(self) -> str:
        if self.by is not None:
            return f"{self.by}  ({_role(self.by) if self.allowed else self.reason})"
        return f"no address of the public Internet  ({self.reason})" if self.reason else "no list names it"


def _row(label: str, text: str) -> str:
    return f"  {label:<10}  {text}"


def _role(said: Said) -> str:
    of = f"{said.role} in audit" if said.action == "audit" else said.role
    return f"exception of that {of}" if said.entry.startswith("!") else of


def _check(command: SubcommandsCommand, opts: Namespace) -> int:
    settings = shared(command.configured(), PoliteSettings)
    places = [_place(url) for url in opts.urls]
    with readable():
        lists = read_lists(settings)
        verdicts = [_verdict(url, place, lists, settings) for url, place in zip(opts.urls, places, strict=True)]
    for index, found in enumerate(verdicts):
        print(json.dumps(asdict(found)) if opts.json else "\n" * bool(index) + found.as_text())
    return YES if all(found.allowed for found in verdicts) else NO


def _place(url: str) -> Place:
    place = Place.of(url_of(url))
    if place is None:
        raise CommandError(f"{printable(repr(url))}: expected an http, https or ftp URL, or a host")
    return place


def _verdict(url: str, place: Place, lists: Lists, settings: PoliteSettings) -> Verdict:
    match = lists.check_place(place)
    why = reason(match) if match is not None and match.action != "audit" else ""
    if not why and settings.private_addresses == "refuse" and is_private(place.host) and not lists.allow(place):
        why = "blacklist/private-address"
    said = list(_said(place, lists))
    by = next((one for one in said if _decides(one, match)), None) if why != "blacklist/private-address" else None
    others = tuple(one for one in said if one is not by)
    return Verdict(url, not why, why, by, others, "audit" if settings.audits("blacklist") else "enforce")


def _said(place: Place, lists: Lists) -> Iterator[Said]:
    roles = (("takedown", lists.takedowns), ("blacklist", lists.blacklists), ("allowlist", lists.allowlists))
    for role, named in roles:
        for one in named:
            for path, compiled in one.files:
                for table, exception in ((compiled.named, False), (compiled.excepted, True)):
                    found = table.find(place)
                    if found is not None:
                        entry = found._replace(exception=exception)
                        line = line_of(path, compiled.format, entry)
                        yield Said(role, one.name, one.action, str(path), line, str(entry), entry.kind.value)


def _decides(said: Said, match: Match | None) -> bool:
    """Whether it is this that refuses; where nothing does, that keeps others from it."""
    if match is None:
        return (said.role == "allowlist") != said.entry.startswith("!")
    return (said.list, said.file, said.entry) == (match.list, str(match.file), str(match.entry))


# add


def _add(command: SubcommandsCommand, opts: Namespace) -> int:
    settings = shared(command.configured(), PoliteSettings)
    entries = entries_of(opts.entry)
    if not opts.public_suffix:
        refuse_public_suffixes(entries)
    path = Path(opts.list).absolute() if opts.list else _first_of_ours(settings)
    if opts.list and (why_not := _not_ours(path, _format_in_settings(settings, path))):
        raise CommandError(f"{path}: {why_not}")
    new = add(path, entries, opts.why or "")
    lines = first_lines(path, entries)
    for entry in entries:
        print(f"{'added to' if entry in new else 'already in'} {path}, line {lines[entry]}: {printable(str(entry))}")
        print(_row("covers", printable(in_words(entry), 300)))
    if path not in {file.resolve() for file in _files(settings)} | set(_files(settings)):
        print(f"no crawl reads {path}: name it in POLITE_BLACKLISTS", file=sys.stderr)
    return YES


def _first_of_ours(settings: PoliteSettings) -> Path:
    for source in settings.blacklists:
        for path in _files_of(source) or _yet_to_be_made(source):
            if not _not_ours(path, source.format):
                return path
    raise CommandError(
        "POLITE_BLACKLISTS names no file of our own format that can be written to: "
        "name one there (it need not be there yet), such as 'lists/own.txt', or give --list FILE"
    )


def _yet_to_be_made(source: Source) -> list[Path]:
    return [] if glob.has_magic(source.path) else [project_folder() / source.path]


def _not_ours(path: Path, format_name: str | None) -> str:
    """Why no entry can be added to a file; empty where one can."""
    if not path.exists():
        return f"{format_name!r} is not our own format" if format_name not in (None, "plain") else ""
    if not (os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)):
        return "it cannot be written"
    try:
        found = format_name or recognised(list(islice(text_lines(path), _LOOKED_AT)))
        if found != "plain":
            return f"its format is {found!r}, and entries are added to our own format alone"
        first_lines(path, ())
    except (ListError, CommandError) as error:
        return str(error)
    return ""


def _format_in_settings(settings: PoliteSettings, path: Path) -> str | None:
    return next((source.format for source in settings.blacklists if path in _files_of(source)), None)


def _files(settings: PoliteSettings) -> list[Path]:
    return [path for source in settings.blacklists for path in _files_of(source)]


def _files_of(source: Source) -> list[Path]:
    try:
        return [file.path for file in source.files(project_folder())]
    except ListError:
        return []


# stats


@dataclass(frozen=True, slots=True)
class Row:
    """One file. The fields are the keys of `--json`.

    `entries` and `exceptions` are counts by kind; `malformed` and `unsupported` have the `count` of lines that were not
    taken, and the `first` of them; `compiled_bytes` is null where it is not known; `changed_at` is ISO 8601, UTC.
    """

    role: str
    list: str
    action: str
    file: str
    format: str
    entries: dict[str, int]
    exceptions: dict[str, int]
    malformed: dict[str, Any]
    unsupported: dict[str, Any]
    bytes: int
    compiled_bytes: int | None
    changed_at: str

    def as_text(self, now: float) -> str:
        age = duration(max(now - datetime.fromisoformat(self.changed_at).timestamp(), 0.0))
        facts = [self.role, *([] if self.action == "drop" else [self.action]), self.format, f"changed {age} ago"]
        lines = [f"{self.file} ({', '.join(dict.fromkeys(facts))})"]
        for label, counts in (("entries", self.entries), ("exceptions", self.exceptions)):
            if counts or label == "entries":
                kinds = ", ".join(f"{kind} {count:,}" for kind, count in counts.items())
                lines.append(f"  {label:<11}  {sum(counts.values()):,}{f': {kinds}' if kinds else ''}")
        for label, faults in (("malformed", self.malformed), ("unsupported", self.unsupported)):
            if faults["count"]:
                lines.append(f"  {label:<11}  {counted(faults['count'], 'line')}")
                lines += [
                    f"{'':15}line {one['line']}: {printable(one['text'], 80)}  ({printable(one['why'], 80)})"
                    for one in faults["first"][:_MAX_EXAMPLES]
                ]
        compiled = "" if self.compiled_bytes is None else f", compiled {self.compiled_bytes:,}"
        lines.append(f"  {'bytes':<11}  {self.bytes:,}{compiled}")
        return "\n".join(lines)


def _stats(command: SubcommandsCommand, opts: Namespace) -> int:
    settings = shared(command.configured(), PoliteSettings)
    now = clock.system()
    with readable():
        rows = list(_rows(settings))
    for index, row in enumerate(rows):
        print(json.dumps(asdict(row)) if opts.json else "\n" * bool(index) + row.as_text(now))
    if not rows and not opts.json:
        print("no list is named: see POLITE_BLACKLISTS")
    return YES


def _rows(settings: PoliteSettings) -> Iterator[Row]:
    compiled = {taken.file: taken.compiled for taken in list_store(settings).open()}
    takedowns = Source(str(takedowns_path(settings)), "plain", TAKEDOWN)
    roles = (("takedown", (takedowns,)), ("blacklist", settings.blacklists), ("allowlist", settings.allowlists))
    for role, sources in roles:
        for source in sources:
            if role == "takedown" and not takedowns_path(settings).exists():
                continue
            for file in source.files(project_folder()):
                found, seen = compiled[file], fingerprint(file.path)
                kept = compiled_path(compiled_folder(), file, seen)
                yield Row(
                    role,
                    source.path,
                    source.action,
                    str(file.path),
                    found.format,
                    _counts(found.named),
                    _counts(found.excepted),
                    _faults(found.malformed),
                    _faults(found.unsupported),
                    seen.size,
                    kept.stat().st_size if kept.exists() else None,
                    datetime.fromtimestamp(seen.mtime_ns / 1e9, timezone.utc).isoformat(timespec="seconds"),
                )


def _counts(table: Table) -> dict[str, int]:
    return {kind.value: count for kind, count in table.counts.items()}


def _faults(faults: Faults) -> dict[str, Any]:
    return asdict(faults)


# Usage


def add_subcommands(parser: Parser) -> None:
    blacklist = parser.subcommand("blacklist", "what the lists of what is never visited say, and hold")
    check = blacklist.subcommand(
        "check",
        "which list, file and line says what of them (exit status: 0 all allowed, 1 not all, 2 error)",
        _check,
    )
    check.add_argument("urls", metavar="URL|HOST", nargs="+")
    check.add_argument("--json", action="store_true", help="one JSON object a line for each")
    more = blacklist.subcommand(
        "add", "add an entry to a list of our own format: by default the first that POLITE_BLACKLISTS names", _add
    )
    more.add_argument("entry", metavar="ENTRY", help="a host with its subdomains, a URL, an address ...")
    more.add_argument("--list", metavar="FILE", help="the list that it is added to")
    more.add_public_suffix()
    more.add_argument("--why", metavar="TEXT", help="a reason, kept before it as a comment")
    tried = blacklist.subcommand(
        "test",
        "which requests of a log, a file of URLs, JSON Lines, or of a job these lists would have refused",
        test,
    )
    tried.add_argument("path", metavar="LOGFILE|JOBDIR", nargs="?")
    tried.add_argument("--job", metavar="JOB", help="instead of a file: a job on POLITE_FRONTIER")
    tried.add_argument("--all", action="store_true", help="all entries, not only the first 20")
    tried.add_argument("--json", action="store_true", help="one JSON object a line for each entry")
    stats = blacklist.subcommand("stats", "what is in each list, and what of it could not be taken", _stats)
    stats.add_argument("--json", action="store_true", help="one JSON object a line for each file")
