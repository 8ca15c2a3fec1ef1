"""Reports as Markdown (CommonMark with GitHub's tables), in which nothing from the network has a meaning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from scrapy_polite.runs.words import (
    LEAST_WAIT_S,
    asked_by,
    clock,
    day,
    main_host_of,
    phrase,
    recrawl_in_words,
    sitemaps_in_words,
    state_of,
)
from scrapy_polite.text import counted, duration, printable

MAX_ROWS = 50


def code(text: object, limit: int = 200) -> str:
    """A text as a code span that stands in a table too. What would end either is replaced by what looks like it."""
    shown = printable(str(text), limit).replace("`", "\u02cb").replace("|", "¦")
    return f"`{shown}`" if shown.strip() else ""


def plain(text: str) -> str:
    """A sentence of ours with a text from the network in it: as text, whatever is in it."""
    return _MEANING.sub(lambda found: f"&#{ord(found[0])};", printable(text, 1_000))


#: What Markdown or HTML give a meaning to, and the beginnings of addresses that become links by themselves. An
#: underscore within a word, and most signs before a space, have none: a person reads this in a terminal too.
_MEANING = re.compile(r"[\\`*{}\[\]<>#|~$]|(?<![^\W_])_|_(?![^\W_])|[&!@:^](?!\s|$)|[wW](?=[wW]{2}\.)")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table; none where it has no rows."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *lines] if lines else []


def markdown(found: dict[str, Any]) -> str:
    """The report of `runs.report.report` as a page."""
    run, pages = found["run"], found["pages"]
    lines = [f"# Crawl report: {code(run['spider'], 80)}", "", " ".join(plain(text) for text in found["verdict"]), ""]
    lines += table(
        ("", ""),
        [
            ("Run", code(run["folder"], 500)),
            ("Time", f"{_time(run['started'])} to {_time(run['last_at'])} UTC ({duration(run['seconds'])})"),
            ("Ended", code(found["ended"] or "it is running")),
            ("Pages", f"{pages['sent']:,} requested, {pages['answered']:,} answered, {pages['bytes']:,} bytes"),
            ("Answers", ", ".join(f"{count:,} with HTTP {phrase(one)}" for one, count in pages["by_status"].items())),
            *(("No answer", f"{count:,} ({code(error, 80)})") for error, count in pages["by_error"].items()),
            ("Rules", ", ".join(f"{count:,} {code(state, 40)}" for state, count in pages["by_rules"].items())),
            ("As", code(run["user_agent"])),
        ],
    )
    if found["forecast"]:
        lines += _section("When it ends", _forecast(found["forecast"]))
    lines += _section("Warnings", [f"- {_time(one['at'])} {plain(one['text'])}" for one in found["unmet"][:MAX_ROWS]])
    lines += _section("What to do next", [_to_do(one) for one in found["next"]])
    lines += _changed(found["against"]) if found["against"] else []
    for title, reasons in (("Refused", found["refused"]), ("Noticed, not refused", found["audited"])):
        refusals = [
            (code(reason), f"{one['count']:,}", str(one["line"] or ""), code(one["detail"]), code(one["example"]))
            for reason, one in reasons.items()
        ]
        lines += _section(title, table(("Reason", "Requests", "Line", "Evidence", "Example"), refusals))
    traps = [
        (code(one["site"]), code(one["place"]), code(state_of(one)), f"{one['links']:,}", code(one["evidence"]))
        for one in found["traps"]
    ]
    lines += _section("Places that look endless", table(("Site", "Place", "State", "Links left", "Evidence"), traps))
    lines += _section("Host lines of robots.txt", _main_hosts(found["main_hosts"]))
    lines += _section("Sitemaps", _sitemaps(found["sitemaps"]))
    lines += _section("Pages that were known", [recrawl_in_words(found["recrawl"])] if found["recrawl"] else [])
    waits = [
        (code(one["origin"]), duration(one["seconds"]), code(asked_by(one["asked_by"])))
        for one in found["waiting"][:MAX_ROWS]
        if one["seconds"] >= LEAST_WAIT_S
    ]
    lines += _section("What the crawl waited for", table(("Origin", "In all", "Why"), waits))
    hosts = [
        (
            code(one["origin"], 100),
            f"{one['pages']:,}",
            ", ".join(f"{'no answer' if name == 'none' else name}: {n:,}" for name, n in one["answers"].items()),
            f"{one['refused']:,}",
            f"{one['delay_s']:g} s {code(one['delay_source'])}" if one["delay_s"] else "",
            code(one["robots"], 100) or "not asked for",
        )
        for one in found["hosts"][:MAX_ROWS]
    ]
    lines += _section("Origins", table(("Origin", "Pages", "Answers", "Refused", "Delay", "robots.txt"), hosts))
    if len(found["hosts"]) > MAX_ROWS:
        lines += ["", f"and {counted(len(found['hosts']) - MAX_ROWS, 'more origin')}: `--json` has them all"]
    return "\n".join(lines) + "\n"


def _forecast(forecast: dict[str, Any]) -> list[str]:
    """When it ends, what cannot be done in time, and the hosts that take longest."""
    hosts = [
        (
            code(one["host"], 80),
            f"{one['queued']:,}",
            f"{one['pace_s']:.3g} s {code(one['pace_source'], 40)}",
            _time(one["ends_at"]) if one["ends_at"] else "not known",
        )
        for one in forecast["hosts"]
    ]
    unmet = [f"- {plain(one['text'])}: {plain(one['advice'])}" for one in forecast["unmet"][:MAX_ROWS]]
    shown = [plain(forecast["text"]), "", *unmet, *([""] if unmet else [])]
    return shown + table(("Host", "Queued", "One every", "Done (UTC)"), hosts)


def _main_hosts(named: list[dict[str, Any]]) -> list[str]:
    rows = [(code(one["origin"], 100), code(one["line"], 100), plain(main_host_of(one))) for one in named[:MAX_ROWS]]
    return table(("Origin", "Main host", "What was done"), rows)


def _sitemaps(sitemaps: dict[str, Any]) -> list[str]:
    rows = [
        (code(one["url"]), f"{one['seeds']:,} and {counted(one['sitemaps'], 'sitemap')}", plain(one["fault"] or ""))
        for one in sitemaps["files"][:MAX_ROWS]
    ]
    shown = table(("Sitemap", "Seeds", "Fault"), rows)
    return [plain(sitemaps_in_words(sitemaps)), "", *shown] if rows else []


def _changed(changes: dict[str, Any]) -> list[str]:
    """What has changed since another run."""
    rows = [
        (
            code(one["origin"], 100),
            f"{one['pages'][0]:,} → {one['pages'][1]:,}",
            f"{one['refused'][0]:,} → {one['refused'][1]:,}",
            f"{one['delay_s'][0]:g} → {one['delay_s'][1]:g} s",
            " → ".join(filter(None, (code(text, 80) for text in dict.fromkeys(one["robots"])))),
        )
        for one in changes["hosts"]["changed"][:MAX_ROWS]
    ]
    since = f"Since the run {code(changes['run']['name'], 80)} of {_time(changes['run']['started'])} UTC"
    lines = [since, "", *(f"- {plain(sentence)}" for sentence in changes["sentences"]), ""]
    for name in ("new", "gone"):
        if some := changes["hosts"][name]:
            lines += [f"Origins, {name}: {', '.join(code(origin, 80) for origin in some[:MAX_ROWS])}", ""]
    return _section("What has changed", lines + table(("Origin", "Pages", "Refused", "Delay", "robots.txt"), rows))


def _time(iso: str) -> str:
    return f"{day(iso)} {clock(iso)}"


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *lines] if lines else []


def _to_do(one: dict[str, str | None]) -> str:
    command = f" {code(one['command'], 500)}" if one["command"] else ""
    return f"- {plain(one['text'] or '')}{command}"
