"""`scrapy polite traps`: which URL patterns of which sites look endless, why, and what a person decides of them.

A decision is kept in the store, where crawls find it; a review file (TOML) carries many to a person and back.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite._crawl import shared
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.commands.gates import MAX_SHOWN
from scrapy_polite.commands.store_there import opened
from scrapy_polite.commands.trap_decisions import by_hand, chosen, decided, is_page, of_site, pattern_key
from scrapy_polite.commands.trap_report import EFFECTS, heading, latest, print_facts, print_json, print_table
from scrapy_polite.commands.trap_review import ReviewError, decisions_of, read_review, review
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.base import Store, every_quarantine
from scrapy_polite.text import counted, printable
from scrapy_polite.traps.patterns import without_host

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy_polite.store.quarantines import Quarantine

#: Patterns of a site that are named where the one that is asked for is not known.
_MAX_KNOWN = 5


def _list(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    now = clock.system()
    with _store(command) as store:
        found = latest(chosen(every_quarantine(store), words), now)
        title = f"{heading(found, words, now)} ({store.description})"
    if words and not found:
        print(title, file=sys.stderr)
        return NO
    shown = found[: None if opts.all else MAX_SHOWN]
    if opts.json:
        print_json(shown)
        return YES
    print(title)
    if shown:
        print_table(shown, now)
    if len(found) > len(shown):
        print(f"and {len(found) - len(shown):,} more: --all shows them")
    return YES


def _show(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    now = clock.system()
    with _store(command) as store:
        stored = every_quarantine(store)
        found = latest(chosen(stored, words), now)
        if not found:
            return _unknown(words, stored, store)
    if opts.json:
        print_json(found)
        return YES
    print_facts(found, now, command.configured())
    return YES


def _export(command: SubcommandsCommand, opts: Namespace) -> int:
    to_file = opts.file not in (None, "-")
    if opts.force and not to_file:
        raise CommandError("--force goes with FILE")
    with _store(command) as store:
        found = latest(every_quarantine(store), clock.system())
        where = store.description
    if not found:
        print(f"no pattern is known ({where})", file=sys.stderr)
        return NO
    text = review(found).encode()
    if not to_file:
        sys.stdout.flush()
        sys.stdout.buffer.write(text)  # UTF-8, as TOML has it, whatever the terminal's encoding
        return YES
    _write(opts.file, text, over=opts.force)
    kind = "" if opts.file.endswith(".toml") else ", as TOML"
    print(f"{counted(len(found), 'pattern')} written to {printable(opts.file)}{kind}")
    return YES


def _write(path: str, text: bytes, *, over: bool) -> None:
    """Write a file that its owner alone may read, as the store. Raises CommandError."""
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if over else os.O_EXCL)
    try:
        with open(path, "wb", opener=lambda name, _: os.open(name, flags, 0o600)) as file:
            file.write(text)
    except FileExistsError as error:
        raise CommandError(f"{path!r} is there already: name another, or give --force to overwrite it") from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{path!r} cannot be written: {getattr(error, 'strerror', error)}") from error


def _confirm(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    if len(words) == 1 and not ("://" in words[0] and is_page(words[0])):
        if opts.why:
            raise CommandError("--why goes with SITE and PATTERN, or the whole URL of a page")
        return _carry_out(command, words[0])
    if os.path.isfile(words[0]):
        raise CommandError(f"{words[0]!r} is a file: a review file goes without PATTERN")
    return _decide(command, words, "confirmed", why=opts.why)


def _carry_out(command: SubcommandsCommand, path: str) -> int:
    """Carry out the decisions of a review file: all of them, or none."""
    try:
        text = Path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise CommandError(
            f"there is no file {path!r}: give a review file, or SITE and PATTERN ('/**' is all of a site), or the URL "
            "of a page other than the home page"
        ) from error
    except (OSError, ValueError) as error:
        raise CommandError(f"{path!r} cannot be read: {getattr(error, 'strerror', error)}") from error
    now = clock.system()
    try:
        entries = read_review(text, now)
        with_decision = [entry for entry in entries if entry.decision]
        if not with_decision:
            print(f"{printable(path)} holds no decision: write 'confirm' or 'release' into it first", file=sys.stderr)
            return NO
        with _store(command, create=True) as store:
            known = {(found.site, found.place): found for found in every_quarantine(store)}
            _keep(store, decisions_of(with_decision, known, now))
    except ReviewError as error:
        raise CommandError(f"{printable(path)}: {error}") from error
    if left := len(entries) - len(with_decision):
        print(f"{counted(left, 'pattern')} without a decision")
    return YES


def _release(command: SubcommandsCommand, opts: Namespace) -> int:
    return _decide(command, _words(opts), "released")


def _decide(command: SubcommandsCommand, words: Sequence[str], decision: str, *, why: str | None = None) -> int:
    now = clock.system()
    with _store(command, create=len(words) > 1) as store:
        stored = every_quarantine(store)
        found = latest(chosen(stored, words), now)
        if not found and len(words) == 1:
            return _unknown(words, stored, store)
        if not found:  # a person may know it before any crawl does, or may have mistyped it
            _unknown(words, stored, store)
            print("kept all the same, for crawls to come: if it is mistyped, `forget` takes it back", file=sys.stderr)
            site, place = pattern_key(words[0], words[1], {})
            found = [by_hand(site, place, now)]
        if len(words) == 1:
            found = _without_others(found, decision)
        if why:
            found = [replace(quarantine, evidence=why) for quarantine in found]
        if found:
            _keep(store, [decided(quarantine, decision, now) for quarantine in found])
    return YES if found else NO


def _without_others(found: Sequence[Quarantine], decision: str) -> list[Quarantine]:
    """Those of which a person has not decided otherwise: that is changed by its name alone, not by that of a site, or
    of a page that it is of, too."""
    others = [quarantine for quarantine in found if quarantine.decision not in ("", decision)]
    for quarantine in others[:MAX_SHOWN]:
        name = f"{printable(quarantine.site)} {printable(quarantine.place)}"
        print(f"left as it is, {quarantine.decision}: {name} (to change that, name the pattern)", file=sys.stderr)
    if len(others) > MAX_SHOWN:
        print(f"and {len(others) - MAX_SHOWN:,} more", file=sys.stderr)
    return [quarantine for quarantine in found if quarantine.decision in ("", decision)]


def _forget(command: SubcommandsCommand, opts: Namespace) -> int:
    words = _words(opts)
    with _store(command) as store:
        stored = every_quarantine(store)
        found = chosen(stored, words)
        dropped = [store.quarantines.forget(quarantine.site, quarantine.place) for quarantine in found]
        count = sum(future.result() for future in dropped)
        if not count:
            return _unknown(words, stored, store)
    print(f"{counted(count, 'pattern')} forgotten: the next crawl judges anew, one that runs keeps to what it knows")
    return YES


def _keep(store: Store, quarantines: Sequence[Quarantine]) -> None:
    for future in [store.quarantines.keep(quarantine) for quarantine in quarantines]:
        future.result()
    for quarantine in quarantines[:MAX_SHOWN]:
        is_all = quarantine.decision == "confirmed" and without_host(quarantine.place) == "/**"
        warning = "  (all pages of the site!)" if is_all else ""
        print(f"{quarantine.decision}: {printable(quarantine.site)} {printable(quarantine.place)}{warning}")
    if len(quarantines) > MAX_SHOWN:
        counts = Counter(quarantine.decision for quarantine in quarantines[MAX_SHOWN:])
        print("and " + ", ".join(f"{count:,} more {decision}" for decision, count in counts.items()))
    made = {quarantine.decision for quarantine in quarantines}
    print("\n".join(effect for decision, effect in EFFECTS.items() if decision in made))
    print(f"kept in {store.description}")


def _words(opts: Namespace) -> Sequence[str]:
    return [word for word in (opts.site, getattr(opts, "pattern", None)) if word is not None]


def _unknown(words: Sequence[str], stored: Sequence[Quarantine], store: Store) -> int:
    found = of_site(stored, words[0])
    known = f"; of {printable(found[0].site)}: {_some([one.place for one in found])}" if found else ""
    if ports := sorted({found.site for found in stored if found.site.rpartition(":")[0] == words[0]}):
        known += f"; with a port: {_some(ports)}"
    print(f"nothing is stored of {' '.join(map(printable, words))} ({store.description}{known})", file=sys.stderr)
    return NO


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MAX_KNOWN:,} more" if len(names) > _MAX_KNOWN else ""
    return ", ".join(map(printable, names[:_MAX_KNOWN])) + more


# The store


def _store(command: SubcommandsCommand, *, create: bool = False) -> AbstractContextManager[Store]:
    return opened(shared(command.configured(), PoliteSettings), create=create)


# Usage

_SITE = "any host of it; or a page's URL, for the patterns that it is of"
_PATTERN = "as `list` shows it, such as '/calendar?m&y'"


def add_subcommands(parser: Parser) -> None:
    traps = parser.subcommand("traps", "which URL patterns look endless, and what a person decides of them")
    of_all = traps.subcommand(
        "list",
        "every pattern that is suspected, not followed further or was decided on, the latest first (exit status: 1 "
        "nothing known of SITE)",
        _list,
    )
    of_all.add_argument("site", metavar="SITE", nargs="?", help=_SITE)
    of_all.add_argument("--all", action="store_true", help=f"all patterns, not only the first {MAX_SHOWN}")
    of_one = traps.subcommand(
        "show", "all that is known: why, links left, examples, what to do (exit status: 1 nothing)", _show
    )
    for listed in (of_all, of_one):
        listed.add_argument("--json", action="store_true", help="one JSON object a line for each")
    export = traps.subcommand("export", "write a review file, to be filled in by a person", _export)
    export.add_argument("file", metavar="FILE", nargs="?", help="without it, or `-`, to standard output")
    export.add_argument("--force", action="store_true", help="overwrite a file that is there")
    confirm = traps.subcommand(
        "confirm", "carry out the decisions of a review file; or refuse the links of one pattern for good", _confirm
    )
    confirm.add_argument(
        "site", metavar="FILE | SITE", help="a review file; any host of the site; or a page's URL, as for `show`"
    )
    confirm.add_argument("pattern", metavar="PATTERN", nargs="?", help=_PATTERN)
    confirm.add_argument("--why", metavar="TEXT", help="a reason, kept as its evidence")
    release = traps.subcommand(
        "release",
        "it is no trap and never suspected again: the next run follows its links; all of a site that is known, or one "
        "pattern, known or not (exit status: 1 nothing known)",
        _release,
    )
    forget = traps.subcommand(
        "forget", "forget what is known and decided, to be judged anew (exit status: 1 nothing known)", _forget
    )
    for named in (of_one, release, forget):
        named.add_argument("site", metavar="SITE", help=_SITE)
        named.add_argument("pattern", metavar="PATTERN", nargs="?", help=_PATTERN)
    for each in (of_all, of_one, export, confirm, release, forget):
        each.add_store()
