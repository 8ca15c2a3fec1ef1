"""`scrapy polite audit HOST`: what was done on one site, for the person who runs it and asks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand, url_of
from scrapy_polite.commands.run_there import run_of, runs
from scrapy_polite.runs.audit import Place, audit
from scrapy_polite.text import counted, duration, printable

if TYPE_CHECKING:
    from argparse import Namespace

_MAX_TEXT = 20_000


def add_subcommands(parser: Parser) -> None:
    command = parser.subcommand(
        "audit",
        "what was done on one host, request by request, for its administrator (exit status: 1 nothing is recorded)",
        _audit,
    )
    command.add_argument("host", metavar="HOST", help="a host, or an origin such as http://shop.example:8080")
    command.add_argument(
        "--run", dest="which", metavar="RUN", help="this run alone: its folder, its name, or a spider's last"
    )
    command.add_argument("--json", action="store_true", help="print it as one JSON object")


def _audit(command: SubcommandsCommand, opts: Namespace) -> int:
    try:
        place = Place.of(url_of(opts.host))
    except ValueError as error:
        raise CommandError(str(error)) from error
    found = audit(place, [run_of(opts.which)] if opts.which else runs())
    if found is None and place.origin.startswith("https:") and "://" not in opts.host:  # of a port alone both are meant
        by_http = Place.of(url_of(f"http://{opts.host}"))
        found = audit(by_http, [run_of(opts.which)] if opts.which else runs(again=True))
    if found is None:
        text = f"nothing is recorded of {printable(place.origin or place.host)}"
        print(text, file=sys.stderr if opts.json else sys.stdout)
        return NO
    if opts.json:
        print(json.dumps(found, indent=1))
    else:
        for line in _lines(found):
            print(line)
    return YES


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    who, gaps = found["who"], found["gaps"]
    yield f"Requests to {printable(found['origin'] or found['host'])}, {found['from']} to {found['to']}"
    yield ""
    yield f"  made by     {printable(who['user_agent'])}"
    for other in sorted({one["user_agent"] for one in found["runs"]} - {who["user_agent"]}):
        yield f"  and by      {printable(other)}"
    if who["contact"]:
        yield f"  contact     {printable(who['contact'])}"
    pages = [one for one in found["requests"] if one["for"] == "page"]
    yield f"  requests    {counted(len(pages), 'page')}, {len(found['requests']) - len(pages):,} for robots.txt"
    if gaps["asked_s"]:
        by = printable(gaps["asked_by"], 60)
        yield f"  asked for   {gaps['asked_s']:g} s from an answer to the next request ({by})"
    if gaps["least_s"] is not None:
        pause = "" if gaps["least_pause_s"] is None else f"; from an answer to a page {gaps['least_pause_s']:g} s"
        least, median = gaps["least_s"], gaps["median_s"]
        yield f"  kept        at least {least:g} s between two requests (median {median:g} s){pause}"
        if gaps["shorter"]:
            yield f"  shorter     {counted(gaps['shorter'], 'pause was', 'pauses were')} shorter than asked for"
    refused = counted(
        len(found["refused"]), "request was refused before it was", "requests were refused before they were"
    )
    yield f"  not made    {refused} sent"
    for one in found["incomplete"]:
        yield f"  incomplete  {printable(one['run'])}: {one['text']}"
    yield from _opt_out(found)
    yield from _section("robots.txt, as it was read", map(_robots, found["robots"]))
    yield from _section(
        "Requests: time, status, bytes, seconds, gap, line of robots.txt that allows it, URL",
        map(_request, found["requests"]),
    )
    unknown = (f"  {one['at']}  {printable(one['url'])}" for one in found["unknown"])
    yield from _section("Under way when the crawl was killed: sent, perhaps answered", unknown)
    yield from _section("Not requested: time, reason, evidence, URL", map(_refusal, found["refused"]))
    closed = (f"  {one['at']}  {duration(one['seconds'])} ({printable(one['why'], 100)})" for one in found["closed"])
    yield from _section("Left alone for a time", closed)


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if not number:
            yield f"\n{title}"
        yield line


def _opt_out(found: Mapping[str, Any]) -> Iterator[str]:
    who = found["who"]
    yield "\nTo be left out"
    yield f"  Put this into robots.txt; it is read again within {duration(who['robots_max_age_s'])}:"
    yield f"    User-agent: {printable(who['token'] or '*', 60)}"
    yield "    Disallow: /"
    yield "  `Crawl-delay: 10` in place of `Disallow: /` asks for ten seconds between two requests."
    if who["contact"]:
        yield f"  Or write to {printable(who['contact'])}."


def _robots(one: Mapping[str, Any]) -> str:
    head = f"  {printable(one['origin'])} from {one['from']} to {one['to']}: {printable(one['state'])}"
    if one["text"] is None:
        return head
    lines = one["text"][:_MAX_TEXT].splitlines()
    return "\n".join([f"{head}, SHA-256 {one['digest']}...", *(f"    | {printable(line, 300)}" for line in lines)])


def _request(one: Mapping[str, Any]) -> str:
    gap = "" if one["gap_s"] is None else f"{one['gap_s']:.3f}"
    status = one["status"] or "none"
    return (
        f"  {one['at']} {status:>4} {one['bytes']:>9,} {one['seconds']:>7.3f} {gap:>9} {one['line'] or '':>4}  "
        f"{printable(one['url'], 500)}"
    )


def _refusal(one: Mapping[str, Any]) -> str:
    reason, detail = printable(one["reason"], 60), printable(one["detail"], 100)
    return f"  {one['at']}  {reason} ({detail})  {printable(one['url'], 500)}"
