"""A reading as the lines of a terminal: as many and as wide as it has room for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from scrapy_polite.text import counted, duration, moment
from scrapy_polite.watch.cells import columns, cut, folded, padded
from scrapy_polite.watch.reading import LATE_S

if TYPE_CHECKING:
    from scrapy_polite.watch.reading import HostReading, Reading, RunReading

#: Ways to show a line: ECMA-48's "select graphic rendition".
PLAIN, STRONG, SOFT, BAD = "", "1", "2", "31"
#: Narrower terminals get a table of three columns.
_WIDE = 72
_INDENT, _LABEL = "  ", 9
#: Hosts of a run at most, sentences beyond the first, and alerts.
_MAX_HOSTS, _MAX_MORE, _MAX_ALERTS = 10, 4, 3
_NONE = "without an answer"
_STATES = ("ready", "in turn", "waiting for robots.txt", "closed")


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    style: str = PLAIN

    def painted(self) -> str:
        return f"\x1b[{self.style}m{self.text}\x1b[0m" if self.style and self.text else self.text


def lines(reading: Reading, width: int, height: int | None = None) -> list[Line]:
    """No line is wider than `width` columns, and there are no more than `height` lines: of each run as much is shown as
    there is room for."""
    width = max(width, 10)
    names = _names(reading.runs)
    heads = [list(head(reading, names, width)) for head in (_head, _answers_cut)]
    tail = list(_tail(reading, width))
    forms = [[list(show(run, names[run.key], reading.at, width)) for show in _FORMS] for run in reading.runs]
    for head in heads:
        room = inf if height is None else height - len(head) - len(tail)
        if sum(len(form[0]) for form in forms) <= room:
            return [*head, *(line for form in _largest(forms, room) for line in form), *tail]
    found = [heads[-1][0], *(_line(run, names[run.key], reading.at, width) for run in reading.runs), *tail]
    hidden = max(len(found) - max(height or 1, 1), 0) + 1
    if hidden == 1:
        return found
    return [*found[:-hidden], Line(cut(f"… {counted(hidden, 'more line')}: this window is too low", width), SOFT)]


def _largest(forms: Sequence[Sequence[list[Line]]], room: float) -> list[list[Line]]:
    """Of each run the largest of its forms, from the small to the large, so that all fit: each run gets the next form
    before one gets the next but one, the first ones first."""
    chosen, left = [0] * len(forms), room - sum(len(form[0]) for form in forms)
    for step in range(1, len(_FORMS)):
        for at, form in enumerate(forms):
            more = len(form[step]) - len(form[step - 1])
            if chosen[at] == step - 1 and more <= left:
                chosen[at], left = step, left - more
    return [form[at] for form, at in zip(forms, chosen, strict=True)]


def _names(runs: Sequence[RunReading]) -> dict[str, str]:
    """A run is called by its spider, and with its name where several have that spider."""
    spiders = [run.spider for run in runs]
    return {run.key: run.spider if spiders.count(run.spider) == 1 else f"{run.spider} {run.run}" for run in runs}


def _head(reading: Reading, names: Mapping[str, str], width: int) -> Iterator[Line]:
    """Why what runs is still running."""
    running = [run for run in reading.runs if run.is_running]
    if len(running) == 1:
        yield from _text(f"Why is it still running? {_answer(running[0])}", width, STRONG)
    elif running:
        yield from _text(f"Why are these {len(running)} still running?", width, STRONG)
        for run in running:
            yield from _text(f"{names[run.key]}: {_answer(run)}", width, STRONG, _INDENT)
    elif reading.runs:
        last = reading.runs[0]
        yield from _text(f"{names[last.key]}: {_answer(last)}", width, STRONG)
    elif reading.trouble:
        yield from _text(f"No run in {reading.root} can be read.", width, STRONG)
    else:
        yield from _text(f"No crawl has written anything to {reading.root} yet.", width, STRONG)


def _answers_cut(reading: Reading, names: Mapping[str, str], width: int) -> Iterator[Line]:
    """The same, with a line for each."""
    head = list(_head(reading, names, width))
    yield head[0]
    if len(head) > 1:
        for run in reading.runs:
            if run.is_running:
                yield Line(cut(f"{_INDENT}{names[run.key]}: {_answer(run)}", width), STRONG)


def _answer(run: RunReading) -> str:
    return run.why[0] if run.why else "Nothing is known of it yet."


def _tail(reading: Reading, width: int) -> Iterator[Line]:
    if reading.more:
        yield from _text(f"and {counted(reading.more, 'more run')}: name a spider or a run to see it", width, SOFT)
    for trouble in reading.trouble:
        yield from _text(trouble, width, BAD)


def _full(run: RunReading, name: str, now: float, width: int) -> Iterator[Line]:
    yield from _medium(run, name, now, width)
    for sentence in run.why[1 : 1 + _MAX_MORE]:
        yield from _labelled("also", sentence, width, SOFT)
    yield from _hosts(run.queues[:_MAX_HOSTS], now, width)


def _medium(run: RunReading, name: str, now: float, width: int) -> Iterator[Line]:
    yield Line("")
    yield from _title(run, name, now, width)
    for label, text in _facts(run, now):
        yield from _labelled(label, text, width)
    for warning in run.warnings:
        yield from _labelled("warning", warning, width, BAD)
    for alert in run.alerts[:_MAX_ALERTS]:
        yield from _labelled("alert", f"{duration(now - alert.at)} ago: {alert.text}", width, BAD)


def _short(run: RunReading, name: str, now: float, width: int) -> Iterator[Line]:
    yield from _title(run, name, now, width)
    counts = f"{_pages(run)}; {counted(run.queued, 'request')} queued; {sum(run.refused.values()):,} refused"
    yield from _text(counts, width, PLAIN, _INDENT)
    for warning in run.warnings[:1]:
        yield Line(cut(f"{_INDENT}{warning}", width), BAD)


def _numbers(run: RunReading, name: str, now: float, width: int) -> Iterator[Line]:
    yield Line(cut(f"{name}: {_in_short(run, now)}", width), _style(run, now))


def _line(run: RunReading, name: str, now: float, width: int) -> Line:
    """All of a run in one line, and its answer."""
    answer = f". {_answer(run)}" if run.is_running else ""
    return Line(cut(f"{name}: {_in_short(run, now)}{answer}", width), _style(run, now))


def _in_short(run: RunReading, now: float) -> str:
    state = ("late" if _is_late(run, now) else "running") if run.is_running else run.ended or run.state
    rate = "" if run.a_second is None else f", {run.a_second:.3g}/s"
    return f"{state}, {counted(run.sent, 'page')}{rate}, {run.queued:,} queued"


def _style(run: RunReading, now: float) -> str:
    return BAD if _is_late(run, now) or run.warnings else PLAIN


def _title(run: RunReading, name: str, now: float, width: int) -> Iterator[Line]:
    took = duration(run.last_at - run.started)
    processes = f" in {counted(run.processes, 'process', 'processes')}" if run.processes > 1 else ""
    if run.is_running:
        heard = f", last heard of {duration(now - run.last_at)} ago" if _is_late(run, now) else ""
        state = f"running for {duration(now - run.started)}{processes}{heard}"
    else:
        state = f"{run.ended or run.state}, {duration(now - run.last_at)} ago, after {took}"
    bad = _is_late(run, now) or (not run.is_running and not run.ended)
    job = f" (job {run.job})" if run.job and run.job != run.spider else ""
    yield from _text(f"{name}{job}: {state}", width, BAD if bad else STRONG)


def _is_late(run: RunReading, now: float) -> bool:
    return run.is_running and now - run.last_at > LATE_S


def _pages(run: RunReading) -> str:
    late = "" if run.a_second is None else f", {run.a_second:.3g} a second of late"
    return f"{counted(run.sent, 'page')} requested{late}, {run.in_all:.3g} a second in all"


def _facts(run: RunReading, now: float) -> Iterator[tuple[str, str]]:
    """Label and text of each; what is not there has none."""
    if run.last_at <= run.started:
        return  # there is no snapshot yet
    yield "pages", _pages(run)
    if run.answered:
        parts = (f"{count:,} {_NONE if kind == 'none' else kind}" for kind, count in run.answered.items())
        yield "answers", ", ".join(parts)
    if run.is_running or run.queued:
        deferred = f"; {counted(run.deferred, 'link')} deferred so far" if run.deferred else ""
        yield "queue", f"{counted(run.queued, 'request')} queued, {run.in_flight:,} in flight{deferred}"
    if run.ends_at is not None:
        least = "at least " if run.ends_later else ""
        yield "left", f"{least}{duration(run.ends_at - now)}, to {moment(run.ends_at, now)}"
    about = "" if run.hosts_exact else "about "
    hosts = [f"{about}{run.hosts[state]:,} {state}" for state in _STATES if run.hosts.get(state)]
    if hosts and run.is_running:
        yield "hosts", ", ".join(hosts)
    if run.robots:
        yield "robots", ", ".join(f"{count:,} {state}" for state, count in run.robots.items())
    for label, counts in (("refused", run.refused), ("noticed", run.audited)):
        total = f"{sum(counts.values()):,}: " if len(counts) > 1 else ""
        if counts:
            yield label, total + ", ".join(f"{count:,} {reason}" for reason, count in counts.items())
    if run.left:
        yield "stayed", f"{counted(run.left, 'link')} of places that look endless stayed behind"


def _hosts(hosts: Sequence[HostReading], now: float, width: int) -> Iterator[Line]:
    """A table of the hosts that take longest."""
    if not hosts:
        return
    cells = _CELLS if width >= _WIDE else {name: _CELLS[name] for name in ("queued", "time left")}
    rows = [["host", *cells], *([host.host, *(cell(host, now) for cell in cells.values())] for host in hosts)]
    widths = [max(columns(row[at]) for row in rows) for at in range(len(rows[0]))]
    widths[-1] = min(widths[-1], 24)
    room = width - len(_INDENT) - sum(widths[1:]) - 2 * len(cells)
    widths[0] = max(min(widths[0], room), 8)
    for number, row in enumerate(rows):
        rest = (padded(text, size, right=True) for text, size in zip(row[1:], widths[1:], strict=True))
        text = "  ".join([padded(row[0], widths[0]), *rest])
        yield Line(cut(f"{_INDENT}{text}", width).rstrip(), PLAIN if number else SOFT)


def _pace(host: HostReading, now: float) -> str:
    return f"{host.pace_s:.3g} s {cut(host.pace_source, 24)}".strip() if host.pace_s >= 0.01 else ""


def _state(host: HostReading, now: float) -> str:
    return f"opens in {duration(host.opens_at - now)}" if host.opens_at > now + 1 else host.state


def _left(host: HostReading, now: float) -> str:
    return "not known" if host.done_at is None else duration(host.done_at - now)


_CELLS: dict[str, Callable[[HostReading, float], str]] = {
    "queued": lambda host, now: f"{host.queued:,}",
    "one every": _pace,
    "state": _state,
    "time left": _left,
}


def _labelled(label: str, text: str, width: int, style: str = PLAIN) -> Iterator[Line]:
    indent = f"{_INDENT}{label:<{_LABEL}}"
    for line in folded(text, max(width - len(indent), 10)):
        yield Line(cut(f"{indent}{line}", width), style)
        indent = " " * len(indent)


def _text(text: str, width: int, style: str, indent: str = "") -> Iterator[Line]:
    """Folded lines, those after the first two columns further in."""
    more = f"{indent}{_INDENT}"
    for line in folded(text, max(width - len(more), 10)):
        yield Line(cut(f"{indent}{line}", width), style)
        indent = more


#: What is shown of a run, from the least to the most.
_FORMS = (_numbers, _short, _medium, _full)
