"""`scrapy robots build`, and `python -m scrapy_polite.robots build`: rules in, a robots.txt out, every build kept."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite._commandline import NO, YES, CommandError
from scrapy_polite.robots.build.compose import compose_named
from scrapy_polite.robots.build.guard import Danger, dangers, representatives
from scrapy_polite.robots.build.history import Build, History, replacing
from scrapy_polite.robots.build.ruleset import octets_of, rules_of
from scrapy_polite.robots.inputs import input_errors, read_robots
from scrapy_polite.robots.known_urls import LIST, KnownUrls, UrlsOf, add_origin, named_origin, urls_of_list
from scrapy_polite.text import counted, epoch_of, printable, utc

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

NAME = "build"
TEXT = (
    "write a robots.txt that says what a file of rules says, and keep every build "
    "(exit status: 0 written, or as it was; 1 it closes so much that --confirm is needed; 2 error)"
)
_ROBOTS_TXT = "robots.txt"
_FIRST = "first build"


def add_arguments(parser: Parser, urls: str = LIST) -> None:
    """`urls` says what --urls may be."""
    parser.add_argument("rules", metavar="RULES.toml", type=Path, help="tables [[rule]], and sitemaps at the top")
    parser.add_argument(
        "--output", metavar="FILE", type=Path, help=f"the file to write (default: {_ROBOTS_TXT} beside the rules)"
    )
    parser.add_argument("--reason", metavar="TEXT", help="why the file changes, for the history")
    parser.add_argument("--at", metavar="TIME", type=_time, help="the rules that hold then, not now (2027-01-31T12:00)")
    parser.add_argument("--urls", metavar="URLS", help=f"known URLs, of which few may close: {urls}")
    add_origin(parser, "all")
    parser.add_argument("--confirm", action="store_true", help="write it although it closes / or much else")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--dry-run", action="store_true", help="print the file; write and keep nothing")
    other.add_argument("--history", action="store_true", help="list the builds; write nothing")
    other.add_argument("--back", metavar="N", type=int, help="write build N of the history again")


def _time(text: str) -> float:
    try:
        return epoch_of(text)
    except ValueError:
        raise ArgumentTypeError(f"{printable(text, 60)!r} is no time: write 2027-01-31 or 2027-01-31T12:00") from None


def run(opts: Namespace, urls_of: UrlsOf = urls_of_list) -> int:
    """Raises CommandError, and what `urls_of` raises."""
    with input_errors():
        return _listed(opts) if opts.history else _built(opts, urls_of)


def _listed(opts: Namespace) -> int:
    builds = History(opts.rules).builds()
    for build in builds:
        print(build.as_text())
    if not builds:
        print(f"nothing has been built of {printable(str(opts.rules), 300)}", file=sys.stderr)
    return YES if builds else NO


def _built(opts: Namespace, urls_of: UrlsOf) -> int:
    history = History(opts.rules)
    output: Path = opts.output or opts.rules.parent / _ROBOTS_TXT
    now = clock.system()
    at = now if opts.at is None else opts.at
    rules: bytes | None = None
    if opts.back is not None:
        body = history.body(opts.back)
    else:
        rules = octets_of(opts.rules)
        body = _composed(opts.rules, rules, at)
    old = read_robots(output) if output.exists() else None
    risks = _risks(opts, old or b"", body, urls_of)
    if opts.dry_run:
        sys.stdout.write(body.decode())
        return NO if risks and not opts.confirm else YES
    if body == old:
        print(f"{printable(str(output), 300)} says so already: nothing is written")
        return YES
    if risks and not opts.confirm:
        print("nothing is written: give --confirm if that is meant", file=sys.stderr)
        return NO
    reason = _reason(opts, history)
    confirmed = "; ".join(f"{risk.agent}: {risk.text}" for risk in risks)
    with replacing(output, body):
        build = history.keep(body, rules, at=now, valid_at=at, reason=reason, confirmed=confirmed)
    print(f"{printable(str(output), 300)}: {counted(len(body), 'byte')}, build {build.number}")
    if opts.back is not None:
        _say_back(opts, history)
    return YES


def _risks(opts: Namespace, old: bytes, new: bytes, urls_of: UrlsOf) -> list[Danger]:
    """What the change closes, which is told."""
    origin = named_origin(opts)
    known = KnownUrls(urls_of(opts.urls), opts.urls, origin) if opts.urls is not None else None
    risks = dangers(old, new, representatives(old, new), known or ())
    for risk in risks:
        print(f"for {printable(risk.agent, 60)} it {risk.text}", file=sys.stderr)
    if known and known.of_several_origins:
        print("note: the known URLs are of several origins: --origin takes those of one", file=sys.stderr)
    return risks


def _composed(path: Path, octets: bytes, at: float) -> bytes:
    rule_set = rules_of(path, octets)
    built = compose_named(path, rule_set, at)
    for note in built.notes:
        print(f"note: {printable(note, 500)}", file=sys.stderr)
    change = rule_set.next_change(at)
    if change is not None:
        print(f"note: a rule begins or ends at {utc(change):%Y-%m-%d %H:%M} UTC: build again then", file=sys.stderr)
    return built.body


def _reason(opts: Namespace, history: History) -> str:
    if opts.reason and opts.reason.strip():
        return str(opts.reason.strip())
    builds: list[Build] = history.builds()
    if opts.back is not None:
        before = next(build.reason for build in builds if build.number == opts.back)
        return f"back to build {opts.back} ({before})"
    if builds:
        raise CommandError("the file changes: say why, with --reason")
    return _FIRST


def _say_back(opts: Namespace, history: History) -> None:
    rules = history.rules(opts.back)
    kept = f" (those of build {opts.back} are kept in {printable(str(rules), 300)})" if rules.exists() else ""
    print(f"the rules stay as they are{kept}: the next build says what they say", file=sys.stderr)
