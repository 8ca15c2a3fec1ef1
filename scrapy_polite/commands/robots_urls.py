"""The URLs that are known of a site: of a list, a job directory, or the record of a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scrapy_polite._project import runs_path
from scrapy_polite.commands import CommandError
from scrapy_polite.frontier.sqlite.removal import requests_in
from scrapy_polite.robots.inputs import read_urls
from scrapy_polite.runs.files import workers
from scrapy_polite.runs.records import Deferral, Left, Page, Refusal
from scrapy_polite.runs.run import Run, RunError, find_run, open_run
from scrapy_polite.text import printable

URLS = "a list, one URL or path a line; a job directory; or a run: its folder, its name, a spider for its last"


def known_urls(word: str) -> Iterator[str]:
    """As they are listed, of a run each once. Raises CommandError, FrontierError, InputError."""
    path = Path(word)
    if path.is_dir():
        try:
            return _of_run(open_run(path)) if workers(path) else (asked.url for asked in requests_in(path) if asked.url)
        except RunError as error:
            raise CommandError(str(error)) from error
    if path.exists():
        return read_urls(path)
    try:
        return _of_run(find_run(runs_path(), word))
    except RunError as error:
        raise CommandError(
            f"there is no file or directory {printable(word)!r}, and {printable(str(error), 500)}"
        ) from error


def _of_run(run: Run) -> Iterator[str]:
    seen: set[int] = set()  # 64 bits for each URL: two that share them are one in 10^7 runs of a million
    for worker in run.workers:
        for record in worker.records():
            if isinstance(record, (Page, Refusal, Deferral, Left)) and (mark := hash(record.url)) not in seen:
                seen.add(mark)
                yield record.url
