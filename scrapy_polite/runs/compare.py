"""What has changed from one run to another, from the reports of both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scrapy_polite.text import counted, duration, printable

#: Hosts whose numbers changed that are named, those that changed most.
MAX_CHANGED = 200
#: A host's pages have changed where they differ by this share, and by so many.
_SHARE, _LEAST = 0.2, 5
#: Runs are as long as each other where neither took longer than so much of the other's time, or by more than that.
_LONGER, _LONGER_S = 1.25, 10.0
Found = Mapping[str, Any]


def against(now: Found, before: Found) -> dict[str, Any]:
    """The value of the key `against`, documented in docs/runs.md: what was, and what is, in pairs."""
    hosts = {host["origin"]: host for host in now["hosts"]}
    hosts_before = {host["origin"]: host for host in before["hosts"]}
    both = [(hosts_before[origin], host) for origin, host in hosts.items() if origin in hosts_before]
    copies, copies_before = _last_copies(now), _last_copies(before)
    changed = [pair for pair in both if _differs(*pair)]
    changed.sort(key=lambda pair: -abs(pair[1]["pages"] - pair[0]["pages"]))
    traps, traps_before = _traps(now), _traps(before)
    found: dict[str, Any] = {
        "run": {key: before["run"][key] for key in ("name", "spider", "started", "seconds")},
        "unlike": list(_unlike(before, now)),
        "ended": [before["ended"], now["ended"]],
        "pages": {key: [before["pages"][key], now["pages"][key]] for key in ("sent", "answered", "without_answer")},
        "by_status": _pairs(before["pages"]["by_status"], now["pages"]["by_status"], lambda count: count),
        "refused": _pairs(before["refused"], now["refused"], lambda one: one["count"] if one else 0),
        "hosts": {
            "new": sorted(hosts.keys() - hosts_before.keys()),
            "gone": sorted(hosts_before.keys() - hosts.keys()),
            "changed": [
                {"origin": host["origin"]}
                | {key: [was[key], host[key]] for key in ("pages", "refused", "delay_s", "waited_s", "robots")}
                for was, host in changed[:MAX_CHANGED]
            ],
        },
        "robots": [
            {"origin": origin, "digest": [copies_before[origin]["digest"], copy["digest"]]}
            | {"state": [copies_before[origin]["state"], copy["state"]]}
            for origin, copy in copies.items()
            if origin in copies_before and copies_before[origin]["digest"] != copy["digest"]
        ],
        "traps": {
            "new": [dict(zip(("site", "place"), key, strict=True)) for key in sorted(traps - traps_before)],
            "gone": [dict(zip(("site", "place"), key, strict=True)) for key in sorted(traps_before - traps)],
        },
    }
    return found | {"sentences": list(_sentences(found))}


def _last_copies(found: Found) -> dict[str, Any]:
    return {copy["origin"]: copy for copy in found["robots"]}


def _traps(found: Found) -> set[tuple[str, str]]:
    return {(trap["site"], trap["place"]) for trap in found["traps"]}


def _differs(was: Found, host: Found) -> bool:
    pages = abs(host["pages"] - was["pages"])
    if pages >= max(_LEAST, _SHARE * was["pages"]) or abs(host["refused"] - was["refused"]) >= _LEAST:
        return True
    return bool(host["delay_s"] != was["delay_s"] or host["robots"] != was["robots"])


def _pairs(before: Found, now: Found, count: Callable[[Any], int]) -> dict[str, list[int]]:
    """What there was and is of each key, where that differs."""
    keys = dict.fromkeys([*now, *before])
    pairs = {key: [count(before.get(key, 0)), count(now.get(key, 0))] for key in keys}
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def _unlike(before: Found, now: Found) -> Iterable[str]:
    """What makes the numbers of two runs differ, whatever the sites did."""
    was, run = before["run"], now["run"]
    if was["spider"] != run["spider"]:
        yield (
            f"The runs are of different spiders: {printable(was['spider'], 60)!r} before, "
            f"{printable(run['spider'], 60)!r} now."
        )
    shorter_s, longer_s = sorted((was["seconds"], run["seconds"]))
    if longer_s > max(_LONGER * shorter_s, shorter_s + _LONGER_S):
        yield (
            f"The runs are not equally long, so counts differ for that alone: {duration(was['seconds'])} before, "
            f"{duration(run['seconds'])} now."
        )
    for found, when in ((before, "before"), (now, "now")):
        if found["ended"] is None:
            yield f"The run {when} is not over: its counts still rise."
        if found["missed"]:
            yield f"The record of the run {when} lacks {counted(found['missed'], 'line')}."


def _sentences(found: Found) -> Iterable[str]:
    """What a person should know first; the texts from the network are escaped."""
    yield from found["unlike"]
    (was, now), hosts = found["pages"]["sent"], found["hosts"]
    yield f"Pages: {was:,} before, {now:,} now."
    if hosts["new"] or hosts["gone"]:
        yield f"{counted(len(hosts['new']), 'origin')} came, {counted(len(hosts['gone']), 'origin')} went."
    if found["robots"]:
        names = ", ".join(printable(one["origin"], 60) for one in found["robots"][:3])
        more = f" and {len(found['robots']) - 3:,} more" if len(found["robots"]) > 3 else ""
        yield f"The robots.txt has changed of {names}{more}."
    for reason, (was, now) in list(found["refused"].items())[:3]:
        yield f"Refused for {printable(reason, 60)}: {was:,} before, {now:,} now."
    for trap in found["traps"]["new"][:3]:
        yield f"New place that looks endless: {printable(trap['site'], 60)} {printable(trap['place'], 80)}."
