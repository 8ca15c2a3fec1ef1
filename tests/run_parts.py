"""Runs on disk without a crawl, as one would have written them; and texts that mean harm to whoever shows them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scrapy_polite.runs.files import WorkerFiles, new_worker
from scrapy_polite.runs.records import Record, written
from scrapy_polite.runs.writer import RunWriter

STARTED = 1_700_000_000.0
HEAD: dict[str, Any] = {"format": 1, "spider": "shop", "started": STARTED, "user_agent": "bot/1 (+https://b.example/)"}
#: A word that is in each of PAYLOADS.
MARK = "PWNED"
_CODE = f"alert('{MARK}')"
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
