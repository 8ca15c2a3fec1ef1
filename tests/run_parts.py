"""Runs on disk without a crawl, as one would have written them; and texts that mean harm to whoever shows them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_polite.runs.files import WorkerFiles, new_worker
from scrapy_polite.runs.records import (
    KINDS,
    Abandoned,
    Closed,
    Deferral,
    Page,
    Record,
    Refusal,
    Robots,
    RobotsWaited,
    Trap,
    fields_of,
    written,
)
from scrapy_polite.runs.writer import RunWriter

if TYPE_CHECKING:
    import pytest

STARTED = 1_700_000_000.0
HEAD: dict[str, Any] = {"format": 1, "spider": "shop", "started": STARTED, "user_agent": "bot/1 (+https://b.example/)"}
#: A word that is in each of PAYLOADS.
MARK = "PWNED"
_CODE = f"alert('{MARK}')"
#: All of them are tried in each format: as HTML and Markdown in a browser (browser/test_hostile_texts.py) and without
#: one (runs/test_report.py), on the page of the watch (browser/test_watch_page.py) and as its events
#: (watch/test_server.py), in a terminal (watch/test_terminal.py), as text of `audit` and `what-if` (commands/), as
#: labels (metrics/test_export.py).
PAYLOADS = (
    f"<script>{_CODE}</script>",
    f"</script><script>{_CODE}</script>",
    f"<img src=x onerror={_CODE}>",
    f'"><img src=x onerror={_CODE}>',
    f"'><svg onload={_CODE}>",
    f'" onmouseover="{_CODE}" x="',
    f"' onfocus='{_CODE}' autofocus='",
    f"</code></td></tr></table><h1>{MARK}</h1>",
    f"</title><script>{_CODE}</script>",
    f"</style><script>{_CODE}</script>",
    f"}} body {{ background: url(https://{MARK}.example) }}",
    f"--><script>{_CODE}</script><!--",
    f"]]><script>{_CODE}</script>",
    f"<svg><animate onbegin={_CODE} attributeName=x>",
    f'" points="0,0" onload="{_CODE}',
    f"<math><mi xlink:href=javascript:{_CODE}>",
    f"<iframe srcdoc='&lt;script>{_CODE}&lt;/script>'>",
    f"<meta http-equiv=refresh content=0;url=https://{MARK}.example>",
    f"<base href=https://{MARK}.example/>",
    f"<link rel=stylesheet href=//{MARK}.example>",
    f"<form action=https://{MARK}.example><input name=x>",
    f"<a href=javascript:{_CODE}>x</a>",
    f"javascript:{_CODE}",
    f"data:text/html,<script>{_CODE}</script>",
    f"&lt;script&gt;{MARK}&#60;b&#62;",
    f"{{{{ {MARK} }}}}{{% raw %}}",
    f"{{{{ ''.__class__.__mro__ }}}}{MARK}",
    f"{{# {MARK} #}}",
    f"%({MARK})s{{0}}{{run.__init__}}",
    f"[{MARK}](javascript:{_CODE})",
    f"![{MARK}](https://{MARK}.example/x.png)",
    f"<https://{MARK}.example>",
    f"[x]: https://{MARK}.example",
    f"``` {MARK} ```",
    f"`` {MARK} `",
    f"`{MARK}` <b>x</b> `",
    f"| {MARK} | <b> |",
    f"\\`{MARK}\\` \\| <b>",
    f"\n\n# {MARK}\n\n",
    f"\r\n* {MARK}\r\n",
    f"**{MARK}** __x__ ~~y~~",
    f"@{MARK} #1 :tada: $x$",
    f"=1+1{MARK}",
    f"@SUM({MARK})",
    f"+cmd|' /C calc'!{MARK}",
    f"-2+3{MARK}",
    f'\t=HYPERLINK("https://{MARK}.example")',
    f"\u202e{MARK}\u202c",
    f"\u2066{MARK}\u2069",
    f"\u200b\u200d\ufeff{MARK}",
    f"\x1b[31m{MARK}\x1b[0m",
    f"\x1b]0;{MARK}\x07",
    f"\x1b]8;;https://{MARK}.example\x07x\x1b]8;;\x07",
    f"\x9b2J{MARK}",
    f"\x00{MARK}\x08\x7f",
    f"\x85{MARK}\u2028\u2029",
    f"{MARK}\r overwritten",
    f"\ud800{MARK}",
    f"{MARK}$(id)`id`;id|id&",
    f"'{MARK}'; rm -rf x #",
)


def write_run(
    root: Path, lines: Iterable[Record], reason: str | None = "finished", job: str = "", **head: Any
) -> WorkerFiles:
    """A worker's run; without a `reason` it was killed, long ago."""
    errors: list[OSError] = []
    files = new_worker(root, head.get("spider", "shop"), time.time(), job)
    writer = RunWriter(files, errors.append)
    writer.begin(HEAD | head, 1e9, 1e12)
    last_at = STARTED
    for line in lines:
        last_at = max(last_at, line.at)
        writer.add(written(line))
    writer.hand_over(json.dumps({"at": last_at, "reason": reason, "in_flight": []}), last=True)
    writer.closed.result(60)
    assert not errors
    return files


def hostile(payload: str) -> list[Record]:
    """A record of each kind whose texts are all the payload."""
    values = {"float": STARTED, "int": 503, "str": payload}
    made = [cls(*(values[one.__name__] for one in fields_of(cls).values())) for cls in KINDS.values()]
    refusal = Refusal(STARTED + 1, payload, payload, "robots/disallow", payload, 2, payload, 0, payload)
    page = Page(STARTED + 1, payload, payload, 200, 0.2, 0.1, 1_000, 2.0, payload, 1.0, "fresh", payload, 0)
    return [*made, refusal, page]


def large() -> list[Record]:
    """A run of 1,000 hosts, in whose report each table is as long as it gets: 600 points of time, and 120 examples of
    refusals, 100 places and 100 robots.txt copies with a payload in each text."""
    lines: list[Record] = []
    for number in range(1_000):
        at, origin = STARTED + number * 0.6, f"https://host-{number}.some-shop.example"
        payload = PAYLOADS[number % len(PAYLOADS)]
        status = (200, 200, 200, 404, 503, 0)[number % 6]
        asked = (1.5, "Crawl-delay", number * 0.7)
        lines.append(Page(at, f"{origin}/{number}", origin, status, 0.2, 0.1, 1_000, *asked, "fresh", "ab", 0))
        lines.append(RobotsWaited(at, origin, 1.5))
        if number < 120:
            url, reason = f"{origin}/{payload * 5}", f"robots/{number // 3}"
            lines.append(Refusal(at, url, origin, reason, f"line 2: {payload}", 2, payload, 0, "ab"))
            lines.append(Deferral(at, url, payload))
            lines.append(Robots(STARTED, origin, 200, f"{number:016}", f"1 rule obeyed: {payload}"))
        if number < 100:
            place = f"/{number}/{payload}"
            lines.append(Trap(at, "left", origin, place, "silent", payload * 5, f"{origin}{place}", number, payload))
        if number % 9 == 0:
            lines.append(Closed(at, f"host-{number}.some-shop.example", origin, 60.0, payload))
        if number % 50 == 0:
            lines.append(Abandoned(at, origin, payload, 3))
    return lines


def denied(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system refuse to read a file or folder, as it does not for root."""

    def refusing(real: Any) -> Any:
        def act(name: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(name, (str, os.PathLike)) and os.fspath(name) == str(path):
                raise PermissionError(13, "Permission denied", str(path))
            return real(name, *args, **kwargs)

        return act

    monkeypatch.setattr(os, "scandir", refusing(os.scandir))
    monkeypatch.setattr(Path, "open", refusing(Path.open))
