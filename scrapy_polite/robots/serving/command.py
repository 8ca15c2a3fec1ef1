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
from scrapy_polite.robots.inputs import input_errors
from scrapy_polite.robots.known_urls import LIST, KnownUrls, UrlsOf, urls_of_list
from scrapy_polite.robots.serving.store import ANY_HOST, ConfirmationNeeded, RobotsStore, StoreError, checked_host
from scrapy_polite.text import printable, utc

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser

NAME = "publish"
TEXT = (
    "put the rules of a host into the store that scrapy_polite.serve serves; to all clients, or to a share of them "
    "(exit status: 0 done; 1 it closes so much that --confirm is needed; 2 error)"
)


def add_arguments(parser: Parser, urls: str = LIST) -> None:
    """`urls` says what --urls may be."""
    parser.add_argument("store", metavar="STORE", type=Path, help="the file that is served; made if there is none")
    parser.add_argument("host", metavar="HOST", help=f"such as shop.example; {ANY_HOST} for all that have no rules")
    parser.add_argument("rules", metavar="RULES.toml", type=Path, nargs="?", help="as of scrapy robots build")
    parser.add_argument("--reason", metavar="TEXT", help="why, for the history")
    parser.add_argument(
        "--share", metavar="PERCENT", type=_share, default=1.0, help="a canary, for this share of clients"
    )
    parser.add_argument("--urls", metavar="URLS", help=f"known URLs, of which few of this host may close: {urls}")
    parser.add_argument("--confirm", action="store_true", help="do it although it closes / or much else")
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


def run(opts: Namespace, urls_of: UrlsOf = urls_of_list) -> int:
    """Raises CommandError, and what `urls_of` raises."""
    told = [opts.rules is not None, opts.promote, opts.back is not None, opts.history]
    if sum(told) != 1:
        raise CommandError("give RULES.toml, or one of --promote, --back and --history")
    try:
        with input_errors():
            rules = _rules(opts)  # before the store is made
            with closing(RobotsStore(opts.store, make=rules is not None)) as store:
                return _listed(store, opts.host) if opts.history else _changed(store, opts, rules, urls_of)
    except ConfirmationNeeded as error:
        print(*error.dangers, "nothing is changed: give --confirm if that is meant", sep="\n", file=sys.stderr)
        return NO
    except StoreError as error:
        raise CommandError(str(error)) from error


def _rules(opts: Namespace) -> bytes | None:
    if opts.rules is None:
        return None
    if not (opts.reason or "").strip():
        raise CommandError("say why, with --reason")
    return octets_of(opts.rules)


def _listed(store: RobotsStore, host: str) -> int:
    current, canary, share = store.standing(host)
    for version in store.history(host):
        served = {current: "  (served)", canary: f"  (canary, {100 * share:g} %)"}.get(version.number, "")
        confirmed = f"  (confirmed: {printable(version.confirmed)})" if version.confirmed else ""
        when = f"{utc(version.at):%Y-%m-%d %H:%M} UTC"
        print(f"{version.number:>4}  {when}  {printable(version.reason)}{confirmed}{served}")
    return YES


def _changed(store: RobotsStore, opts: Namespace, rules: bytes | None, urls_of: UrlsOf) -> int:
    host = checked_host(opts.host)
    known = (
        KnownUrls(urls_of(opts.urls), opts.urls, None if host == ANY_HOST else host.strip("[]"))
        if opts.urls is not None
        else ()
    )
    now = clock.system()
    if rules is not None:
        number = store.publish(
            opts.host,
            rules,
            now=now,
            reason=opts.reason.strip(),
            share=opts.share,
            confirm=opts.confirm,
            urls=known,
            name=opts.rules,
        )
    elif opts.promote:
        number = store.promote(opts.host)
    else:
        number = opts.back
        store.back(opts.host, number, now=now, confirm=opts.confirm, urls=known)
    _, canary, share = store.standing(opts.host)
    whom = f"{100 * share:g} % of clients" if canary == number else "all clients"
    print(f"{printable(opts.host, 300)}: version {number} is served to {whom}")
    return YES
