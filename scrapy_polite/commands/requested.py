"""The URLs that a crawl has asked for, or is going to: of its log, a file of URLs, JSON Lines, a job directory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrapy_polite.blacklist.lines import text_lines
from scrapy_polite.frontier.sqlite.removal import requests_in

_MAX_BYTES = 1 << 44

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
#: Scrapy's own lines, one for each time that a request has left.
_LOGGED = re.compile(
    r"(?:Crawled \(\d+\)|Redirecting \([^)]*\) to <[A-Z]+ [^>\s]+> from|Retrying|Gave up retrying|Error downloading) "
    r"<[A-Z]+ ([^>\s]+)>"
)
#: Of a line of JSON that is too long to be kept.
_JSON_URL = re.compile(r'"url":\s*("(?:[^"\\]|\\.)*")')


def requested(path: Path) -> Iterator[str]:
    """One text a line, or a queued request: its URL, or empty where it has none.

    Files may be compressed (gzip, xz). Raises ListError, FrontierError.
    """
    if path.is_dir():
        return (asked.url for asked in requests_in(path))
    return map(_url, text_lines(path, _MAX_BYTES))


def _url(line: str) -> str:
    line = line.strip()
    if line.startswith("{"):
        return _json_url(line)
    if _URL.fullmatch(line):
        return line
    found = _LOGGED.search(line)
    return found[1] if found else ""


def _json_url(line: str) -> str:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        found = _JSON_URL.search(line)
        value = {"url": json.loads(found[1], strict=False)} if found else {}
    url = value.get("url")
    return url if isinstance(url, str) else ""
