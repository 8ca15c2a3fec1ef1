"""`scrapy robots publish`, `python -m scrapy_polite.robots publish`: rules of a host into the store that is served."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite import clock
from scrapy_polite._commandline import NO, YES, CommandError
from scrapy_polite.robots.build.ruleset import octets_of
from scrapy_polite.robots.inputs import InputError, read_urls
from scrapy_polite.robots.serving.store import ANY_HOST, ConfirmationNeeded, RobotsStore, StoreError
from scrapy_polite.text import printable, utc

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

NAME = "publish"
TEXT = (
    "put the rules of a host into the store that scrapy_polite.serve serves; to all clients, or to a share of them "
    "(exit status: 0 done; 1 it closes so much that --confirm is needed; 2 error)"
)


def add_arguments(parser: Parser) -> None:
    parser.add_argument("store", metavar="STORE", type=Path, help="the file that is served; made if there is none")
    parser.add_argument("host", metavar="HOST", help=f"such as shop.example; {ANY_HOST} for all that have no rules")
    parser.add_argument("rules", metavar="RULES.toml", type=Path, nargs="?", help="as of scrapy robots build")
    parser.add_argument("--reason", metavar="TEXT", help="why, for the history")
    parser.add_argument(
        "--share", metavar="PERCENT", type=_share, default=1.0, help="a canary, for this share of clients"
    )
    parser.add_argument(
        "--urls", metavar="FILE", type=Path, help="known URLs or paths, one a line, of which few may close"
    )
    parser.add_argument("--confirm", action="store_true", help="publish it although it closes / or much else")
    other = parser.add_mutually_exclusive_group()
    other.add_argument("--promote", action="store_true", help="serve the canary to all clients")
    other.add_argument("--back", metavar="N", type=int, help="serve version N to all clients, and no canary")
    other.add_argument("--history", action="store_true", help="list the versions of the host")


def _share(text: str) -> float:
    try:
        share = float(text.removesuffix("%")) / 100
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ArgumentTypeError(f"{printable(text, 20)!r} is no share: give a percentage such as 5")
    return share


def run(opts: Namespace) -> int:
    told = [opts.rules is not None, opts.promote, opts.back is not None, opts.history]
    if sum(told) != 1:
        raise CommandError("give RULES.toml, or one of --promote, --back and --history")
    try:
        with closing(RobotsStore(opts.store, make=opts.rules is not None)) as store:
            return _done(store, opts)
    except (InputError, StoreError) as error:
        raise CommandError(str(error)) from error


def _done(store: RobotsStore, opts: Namespace) -> int:
    host = printable(opts.host, 300)
    if opts.history:
        current, canary, share = store.standing(opts.host)
        for version in store.history(opts.host):
            served = {current: "  (served)", canary: f"  (canary, {100 * share:g} %)"}.get(version.number, "")
            confirmed = f"  (confirmed: {printable(version.confirmed)})" if version.confirmed else ""
            when = f"{utc(version.at):%Y-%m-%d %H:%M} UTC"
            print(f"{version.number:>4}  {when}  {printable(version.reason)}{confirmed}{served}")
    elif opts.promote:
        print(f"{host}: version {store.promote(opts.host)} is served to all clients")
    elif opts.back is not None:
        store.back(opts.host, opts.back)
        print(f"{host}: version {opts.back} is served to all clients")
    else:
        return _published(store, opts, host)
    return YES


def _published(store: RobotsStore, opts: Namespace, host: str) -> int:
    if not (opts.reason or "").strip():
        raise CommandError("say why, with --reason")
    rules = octets_of(opts.rules)
    try:
        number = store.publish(
            opts.host,
            rules,
            now=clock.system(),
            reason=opts.reason.strip(),
            share=opts.share,
            confirm=opts.confirm,
            urls=read_urls(opts.urls) if opts.urls else (),
            name=opts.rules,
        )
    except ConfirmationNeeded as error:
        print(*error.dangers, "nothing is published: give --confirm if that is meant", sep="\n", file=sys.stderr)
        return NO
    _, canary, share = store.standing(opts.host)
    whom = f"{100 * share:g} % of clients" if canary == number else "all clients"
    print(f"{host}: version {number} is served to {whom}")
    return YES
