"""What the sites of a visitor are made of: five layouts, rows of links, and numbers as URLs write them.

Somebody who had read neither the rules nor the other sites wrote 34 honest sites and 30 traps in November 2026, with
the words and the markup of `_zoo_outsider`. Pure functions of a URL and a seed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from random import Random

from _zoo import HTML, Answer
from _zoo_outsider import anchor, rare, text, ul


def num(told: str | None, low: int, high: int, width: int = 0) -> int | None:
    """The number that a string writes, without needless zeros, if it is within the limits."""
    if not told or not told.isascii() or not told.isdigit() or len(told) > 9:
        return None
    at = int(told)
    return at if low <= at <= high and len(told) == max(width, len(str(at))) else None


def row(links: Iterable[tuple[str, object]], between: str = " | ") -> str:
    return between.join(anchor(*link) for link in links)


def lay(
    kind: int,
    title: str,
    body: str,
    lang: str,
    nav: Iterable[tuple[str, object]] = (),
    side: Iterable[tuple[str, object]] = (),
    foot: Iterable[tuple[str, object]] = (),
    said: int = 20,
) -> Answer:
    """A page in one of five layouts, with the site's own navigation, sidebar and footer."""
    rng = Random(f"lay{lang}{kind}{said}")
    name, legal = rare(lang, rng, 2), text(lang, rng, said) if said else ""
    top = f"<html lang={lang}><head><meta charset=utf-8><title>{escape(title)} - {name}</title>"
    if kind == 0:
        out = (
            f"{top}</head><body bgcolor=white><table width=760 border=0><tr><td colspan=2><a href='/'><b>{name}</b></a>"
            f"<br>{row(nav)}</td></tr><tr><td valign=top width=150>{row(side, '<br>')}</td><td valign=top>"
            f"<h2>{escape(title)}</h2>{body}</td></tr></table><hr><small>{legal} {row(foot)}</small></body></html>"
        )
    elif kind == 1:
        out = (
            f"<!doctype html>{top}<meta name=viewport content='width=device-width'><link rel=stylesheet href=/s.css>"
            f"</head><body><header><a class=logo href='/'>{name}</a><nav>{ul(nav)}</nav></header><div class=wrap><main>"
            f"<article><h1>{escape(title)}</h1>{body}</article></main><aside>{ul(side)}</aside></div><footer><p>{legal}"
            f"</p>{ul(foot)}</footer></body></html>"
        )
    elif kind == 2:
        out = (
            f"<!DOCTYPE html>{top}<script>window.dataLayer=[];</script></head><body class='page'><div class='navbar'>"
            f"<div class='container'><a class='navbar-brand' href='/'>{name}</a>{row(nav, ' ')}</div></div>"
            f"<div class='container'><div class='row'><div class='col-md-3'>{ul(side)}</div><div class='col-md-9'>"
            f"<div class='page-header'><h1>{escape(title)}</h1></div>{body}</div></div></div><div id='footer'>"
            f"<p class='muted'>{legal}</p>{row(foot, ' · ')}</div></body></html>"
        )
    elif kind == 3:
        out = f"{top}</head><body><h1>{escape(title)}</h1>{body}<p>{row([*nav, *side, *foot])}</p></body></html>"
    else:
        out = (
            f"<!DOCTYPE html>{top}</head><body><div id=wrapper><div id=breadcrumb>{row(nav, ' &raquo; ')}</div>"
            f"<div id=content><h3>{escape(title)}</h3>{body}</div><div id=menu>{ul(side)}</div>"
            f"<div id=foot>{row(foot, ' ')} <em>{legal}</em></div></div></body></html>"
        )
    return Answer(200, HTML, out.encode())


@cache
def called(seed: int, lang: str, count: int, *what: object) -> str:
    """The name of a thing, the same for the same seed."""
    return rare(lang, Random(f"{seed}|{what}"), count)


def raw(kind: str, body: str | bytes) -> Answer:
    return Answer(200, {"Content-Type": kind}, body.encode() if isinstance(body, str) else body)


def steps(before: str | None, after: str | None, back: str = "«", on: str = "»") -> str:
    """Links to the pages before and after."""
    links = [*([(before, back)] if before else []), *([(after, on)] if after else [])]
    return f"<p class=nav>{row(links, ' ')}</p>"
