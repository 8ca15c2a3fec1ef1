"""The report of a run as plain values: what `--json` prints, and what the pages for people are made of.

Its keys are documented in docs/runs.md. Texts from the network are as they came: whoever shows them escapes them.
"""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scrapy_polite.runs.forecast import forecast
from scrapy_polite.runs.missing import missing
from scrapy_polite.runs.records import Left, MainHost, Refusal, Sitemap, Trap, Unmet
from scrapy_polite.runs.run import Run, State
from scrapy_polite.runs.tally import PAGES, REFUSED, WAITING, OriginTally, ReasonTally, RobotsPeriod, RunTally
from scrapy_polite.runs.timeline import CLOSED
from scrapy_polite.runs.values import mapping, whole
from scrapy_polite.text import counted, duration, printable, utc

_MAX_WAITING, _MAX_NEXT = 20, 20
#: Share of a host's answers that failed from which on a person should look.
_BAD_SHARE, _BAD_LEAST = 0.5, 5


def report(run: Run, now: float | None = None) -> dict[str, Any]:
    """Reads the whole run once: some 20 µs a line."""
    now = time.time() if now is None else now
    tally = RunTally()
    for worker in run.workers:
        tally.add_all(worker.records())
    state = run.state(now)
    last_at = max(run.last_at, tally.last_at)
    tally.end(last_at)
    in_flight = 0 if state is State.ENDED else sum(len(worker.in_flight) for worker in run.workers)
    origins = sorted(tally.origins.values(), key=_concern, reverse=True)
    found: dict[str, Any] = {
        "run": {
            "name": run.name,
            "folder": str(run.folder),
            "spider": run.spider,
            "job": run.head.get("job"),
            "started": iso(run.started),
            "last_at": iso(last_at),
            "seconds": round(max(last_at - run.started, 0.0), 3),
            "workers": len(run.workers),
            "user_agent": str(run.head.get("user_agent", "")),
            "token": str(run.head.get("token", "")),
            "settings": mapping(run.head.get("settings")),
            "versions": mapping(run.head.get("versions")),
        },
        "ended": {State.RUNNING: None, State.KILLED: state.value}.get(state, run.reason),
        "pages": {
            "sent": tally.pages + in_flight,
            "answered": tally.pages - tally.by_status[0],
            "without_answer": tally.by_status[0],
            "bytes": tally.size_bytes,
            "robots_txt": tally.fetches,
            "by_rules": dict(tally.by_rules.most_common()),
            "by_error": dict(tally.by_error.most_common()),
            "by_status": {str(status): count for status, count in sorted(tally.by_status.items()) if status},
        },
        "refused": _reasons(tally.refused),
        "audited": _reasons(tally.audited),
        "deferred": _deferred(tally),
        "left": _reasons(tally.left),
        "hosts": [_host(origin) for origin in origins],
        "robots": [_robots(held) for held in tally.robots],
        "main_hosts": [_main_host(one, tally) for one in tally.main_hosts.values()],
        "sitemaps": _sitemaps(tally),
        "recrawl": _recrawl(run),
        "traps": [_trap(trap) for trap in tally.traps.values()],
        "waiting": _waiting(origins),
        "timeline": {
            "from": iso(tally.timeline.began),
            "step_s": tally.timeline.step_s,
            "pages": tally.timeline.of(PAGES),
            "refused": tally.timeline.of(REFUSED),
            "waiting_hosts": tally.timeline.mean_of(WAITING),
            "closed_hosts": tally.timeline.of(CLOSED),
        },
        "forecast": forecast(run, now),
        "unmet": [_unmet(one) for one in tally.unmet],
        "against": None,
        "missed": max(tally.missed, run.missed),
        "record_fault": run.fault or None,
    }
    found["next"] = [*_lacks(run), *_next(found, origins)][:_MAX_NEXT]
    found["verdict"] = [_what_it_was(found, state), _what_was_refused(found), _what_took_time(found)]
    return found


def iso(at: float) -> str:
    return utc(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _concern(tally: OriginTally) -> tuple[float, int]:
    return tally.refused + 10 * tally.closed + sum(tally.waited.values()), tally.pages


def _reasons(found: Mapping[str, ReasonTally]) -> dict[str, Any]:
    """Of each reason its count, and line, rule, detail and URL of the first example; the most frequent first."""
    ordered = sorted(found.items(), key=lambda one: -one[1].count)
    return {reason: {"count": tally.count, **_example(tally)} for reason, tally in ordered}


def _example(tally: ReasonTally) -> dict[str, Any]:
    first: Refusal | Left = tally.examples[0]
    line, rule = (first.line or None, first.rule) if isinstance(first, Refusal) else (None, "")
    more = [example.url for example in tally.examples[1:]]
    return {"line": line, "rule": rule, "detail": first.detail, "example": first.url, "more_examples": more}


def _deferred(tally: RunTally) -> dict[str, Any]:
    if not tally.deferred:
        return {}
    patterns = sorted(tally.deferred_by_pattern.items(), key=lambda one: -one[1][0])
    return {
        "trap/endless": {
            "count": tally.deferred,
            "line": None,
            "example": patterns[0][1][1],
            "patterns": {pattern: count for pattern, (count, _) in patterns[:100]},
        }
    }


def _host(origin: OriginTally) -> dict[str, Any]:
    kinds = {"2xx": 2, "3xx": 3, "4xx": 4, "5xx": 5, "none": 0}
    return {
        "origin": origin.origin,
        "pages": origin.pages,
        "bytes": origin.size_bytes,
        "answers": {name: origin.statuses[digit] for name, digit in kinds.items() if origin.statuses[digit]},
        "refused": origin.refused,
        "audited": origin.audited,
        "left": origin.left,
        "delay_s": origin.delay_s,
        "delay_source": origin.delay_source,
        "asked_s": origin.asked_s or None,
        "waited_s": round(sum(origin.waited.values()), 3),
        "slowest_s": origin.slowest_s,
        "closed": origin.closed,
        "closed_s": round(origin.closed_s, 3),
        "why_closed": origin.why_closed,
        "robots": origin.robots,
        "abandoned": origin.abandoned,
    }


def _robots(held: RobotsPeriod) -> dict[str, Any]:
    return {
        "origin": held.origin,
        "from": iso(held.since),
        "to": None if held.until is None else iso(held.until),
        "status": held.status or None,
        "digest": held.digest,
        "state": held.text,
    }


def _main_host(one: MainHost, tally: RunTally) -> dict[str, Any]:
    moved = tally.origins.get(one.origin) if not one.why else None
    requests = moved.moved if moved is not None else 0
    return {"origin": one.origin, "line": one.line, "why": one.why or None, "requests": requests}


def _trap(trap: Trap) -> dict[str, Any]:
    return {
        "site": trap.site,
        "place": trap.place,
        "kind": trap.kind,
        "state": trap.what,
        "evidence": trap.evidence,
        "example": trap.example,
        "links": trap.links,
        "command": trap.command or None,
    }


def _unmet(one: Unmet) -> dict[str, Any]:
    return {
        "at": iso(one.at),
        "setting": one.setting,
        "host": one.host or None,
        "until": iso(one.until),
        "share": one.share,
        "requests": one.requests,
        "text": one.text,
    }


def _sitemaps(tally: RunTally) -> dict[str, Any]:
    return {
        "read": tally.sitemaps_read,
        "failed": tally.sitemaps_failed,
        "entries": {what: count for what, count in tally.sitemap_entries.items() if count},
        "files": [_sitemap(one) for one in tally.sitemaps.values()],
    }


def _recrawl(run: Run) -> dict[str, int]:
    """What came of pages under POLITE_RECRAWL, of all processes, as far as their snapshots say."""
    came: Counter[str] = Counter()
    for worker in run.workers:
        for outcome, count in mapping(worker.snapshot.get("recrawl")).items():
            came[str(outcome)] += whole(count)
    return dict(came.most_common())


def _sitemap(one: Sitemap) -> dict[str, Any]:
    listed = {"seeds": one.seeds, "sitemaps": one.sitemaps, "out_of_scope": one.out_of_scope}
    return {"url": one.url, "fault": one.fault or None, **listed, "too_long": one.too_long, "too_deep": one.too_deep}


def _waiting(origins: list[OriginTally]) -> list[dict[str, Any]]:
    """For which hosts their queues had to wait, and who asked for it; the longest first."""
    found = [
        {"origin": tally.origin, "seconds": round(seconds, 3), "asked_by": source}
        for tally in origins
        for source, seconds in tally.waited.items()
    ]
    found += [
        {"origin": tally.origin, "seconds": round(tally.closed_s, 3), "asked_by": tally.why_closed}
        for tally in origins
        if tally.closed
    ]
    return sorted(found, key=lambda one: -one["seconds"])[:_MAX_WAITING]  # type: ignore[operator]


def _what_it_was(found: Mapping[str, Any], state: State) -> str:
    run, pages = found["run"], found["pages"]
    hosts = sum(1 for host in found["hosts"] if host["pages"])
    asked = f"{counted(pages['sent'], 'page')} of {counted(hosts, 'origin')}"
    took = duration(run["seconds"])
    who = printable(run["spider"], 60)
    if state is State.RUNNING:
        return f"The crawl {who} has been running for {took} and has requested {asked} so far."
    if state is State.ENDED:
        how = f"and ended as {printable(str(found['ended']), 60)!r}"
    else:
        how = "and ended without closing (it was killed, the machine stopped, or the record could not be written)"
    if fault := printable(found["record_fault"] or "", 100):
        if state is State.KILLED:
            return (
                f"The crawl {who} requested {asked} in the {took} that are recorded: its record ended before it did "
                f"({fault}), and how it ended is not known."
            )
        how += f"; its record ended before it did ({fault})"
    return f"The crawl {who} ran for {took}, requested {asked}, {how}."


def _what_was_refused(found: Mapping[str, Any]) -> str:
    refused = sum(one["count"] for one in found["refused"].values())
    deferred = sum(one["count"] for one in found["deferred"].values())
    parts = []
    if refused:
        reason, first = next(iter(found["refused"].items()))
        most = "" if first["count"] == refused else f", most of them ({first['count']:,})"
        parts.append(f"{counted(refused, 'request was', 'requests were')} refused{most} for {reason}")
    if deferred:
        parts.append(f"{counted(deferred, 'link')} had to wait, as what they lead to looks endless")
    failed = sum(count for status, count in found["pages"]["by_status"].items() if status >= "5")
    failed += found["pages"]["without_answer"]
    if failed:
        parts.append(f"{counted(failed, 'request')} failed at the host")
    if unread := sum(host["robots"].startswith("unreachable") for host in found["hosts"]):
        parts.append(f"the robots.txt of {counted(unread, 'origin')} could not be read")
    text = "; ".join(parts) if parts else "nothing was refused, and nothing failed"
    return f"{text[0].upper()}{text[1:]}."


def _what_took_time(found: Mapping[str, Any]) -> str:
    waiting = found["waiting"]
    if not waiting or waiting[0]["seconds"] < 1:
        return "No host had to be waited for."
    first = waiting[0]
    return (
        f"The longest waits were for {printable(first['origin'], 80)}: {duration(first['seconds'])} in all, because of "
        f"{printable(first['asked_by'], 80)}."
    )


def _lacks(run: Run) -> Iterator[dict[str, str | None]]:
    for text in missing(run):
        yield {"text": text, "command": None}


def _next(found: Mapping[str, Any], origins: list[OriginTally]) -> Iterator[dict[str, str | None]]:
    """What a person may do about it: a sentence, and a command where there is one."""
    if found["ended"] == State.KILLED.value and not found["record_fault"]:
        yield {"text": "The crawl was cut off. With JOBDIR the same command goes on where it was.", "command": None}
    for trap in found["traps"]:
        if trap["command"]:
            yield {
                "text": f"{printable(trap['site'], 60)}: {printable(trap['place'], 80)} was followed no further. If it "
                "is no trap, have its links followed, then crawl again:",
                "command": trap["command"],
            }
    for tally in origins:
        origin = printable(tally.origin, 80)
        failed = tally.statuses[5] + tally.statuses[0]
        if tally.robots.startswith("unreachable"):
            yield {"text": f"{origin} had no readable robots.txt. See whether it has now:", "command": _check(tally)}
        elif tally.pages >= _BAD_LEAST and failed >= _BAD_SHARE * tally.pages:
            yield {"text": f"{origin} failed {failed:,} of {tally.pages:,} times: crawl it later.", "command": None}
        elif tally.pages >= _BAD_LEAST and tally.statuses[4] >= _BAD_SHARE * tally.pages:
            yield {
                "text": f"{origin} answered {tally.statuses[4]:,} of {tally.pages:,} times with 4xx: look at the "
                "links, or at whether the site wants to be crawled.",
                "command": None,
            }


def _check(tally: OriginTally) -> str | None:
    command = shlex.join(["scrapy", "robots", "check", tally.origin])
    return command if printable(command, 300) == command else None
