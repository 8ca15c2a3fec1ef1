"""`scrapy polite blacklist test`: what lists would have refused of a crawl that has been, or is going to be."""

from __future__ import annotations

import json
import sys
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite._crawl import shared
from scrapy_polite.commands import YES, CommandError, SubcommandsCommand
from scrapy_polite.commands.gates import MAX_SHOWN
from scrapy_polite.commands.listfile import readable
from scrapy_polite.commands.progress import Progress
from scrapy_polite.commands.requested import requested
from scrapy_polite.frontier.backends import jobs_on
from scrapy_polite.services.blacklists import read_lists
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.text import printable

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from scrapy_polite.blacklist.entries import Entry
    from scrapy_polite.blacklist.lists import Match

_MAX_EXAMPLES = 3
#: What so many entries have refused is counted for each; what others have, only that it was.
_MAX_TALLIES = 100_000


@dataclass(slots=True)
class Tally:
    """What one entry would have refused. The fields are the keys of `--json`; the entry is empty for all others."""

    requests: int
    examples: list[str]
    list: str
    action: str
    file: str
    entry: str
    kind: str


@dataclass(slots=True)
class Tested:
    """How many requests there were, and by which entries they are covered."""

    requests: int = 0
    tallies: dict[tuple[str, Entry | None], Tally] = field(default_factory=dict)

    def note(self, url: str, match: Match | None) -> None:
        self.requests += 1
        if match is None:
            return
        key: tuple[str, Entry | None] = (str(match.file), match.entry)
        if key not in self.tallies and len(self.tallies) >= _MAX_TALLIES:
            key = (str(match.file), None)
        tally = self.tallies.get(key)
        if tally is None:
            of, kind = (str(match.entry), match.entry.kind.value) if key[1] else ("", "")
            tally = self.tallies[key] = Tally(0, [], match.list, match.action, str(match.file), of, kind)
        tally.requests += 1
        if len(tally.examples) < _MAX_EXAMPLES:
            tally.examples.append(url[:2_000])

    def count(self, *, audit: bool) -> int:
        return sum(tally.requests for tally in self.tallies.values() if (tally.action == "audit") == audit)


def test(command: SubcommandsCommand, opts: Namespace) -> int:
    settings = shared(command.configured(), PoliteSettings)
    tested = Tested()
    with readable(), _requests(settings, opts) as (where, urls):
        progress = Progress("lines" if Path(where).is_file() else "requests")
        lists = read_lists(settings)
        if lists.are_empty:
            raise CommandError("no list is named: try one with -s POLITE_BLACKLISTS=FILE")
        for number, url in enumerate(urls, 1):
            if url:
                tested.note(url, lists.check(url))
            progress.so_far(number)
    if not tested.requests:
        raise CommandError(f"{where} holds no request: expected a log of Scrapy's at level DEBUG, or URLs line by line")
    found = sorted(tested.tallies.values(), key=lambda tally: -tally.requests)
    if opts.json:
        for tally in found:
            print(json.dumps(asdict(tally)))
        print(_heading(tested, where), file=sys.stderr)
        return YES
    print(_heading(tested, where))
    for tally in found[: None if opts.all else MAX_SHOWN]:
        entry = printable(tally.entry, 100) if tally.entry else "(other entries)"
        print(f"{tally.requests:>9,}  {tally.action:<8}  {entry}  ({printable(tally.file, 200)})")
        print(*(f"{'':21}{printable(url, 150)}" for url in tally.examples), sep="\n")
    if len(found) > MAX_SHOWN and not opts.all:
        print(f"and {len(found) - MAX_SHOWN:,} more entries: --all shows them")
    return YES


@contextmanager
def _requests(settings: PoliteSettings, opts: Namespace) -> Iterator[tuple[str, Iterator[str]]]:
    """Where the requests are, and their URLs, empty where one has none."""
    if (opts.path is None) is (opts.job is None):
        raise CommandError("give a log, a file of URLs, JSON Lines or a job directory, or --job JOB")
    if opts.job is None:
        path = Path(opts.path)
        if not path.exists():
            raise CommandError(f"there is no {str(path)!r}: give a log, a file of URLs, JSON Lines, or a job directory")
        yield str(path), requested(path)
        return
    if settings.frontier is None:
        raise CommandError("--job JOB is of a queue on a server: set POLITE_FRONTIER")
    with closing(jobs_on(settings.frontier)) as jobs:
        if jobs.state(opts.job) is None:
            raise CommandError(f"no job {printable(opts.job)} on {settings.frontier}: `scrapy polite jobs` lists them")
        yield f"job {opts.job} on {settings.frontier}", (asked.url for asked in jobs.requests(opts.job))


def _heading(tested: Tested, where: str) -> str:
    refused, audited = tested.count(audit=False), tested.count(audit=True)
    counted = f", and {audited:,} only counted (lists in audit)" if audited else ""
    return f"{refused:,} of {tested.requests:,} requests of {printable(where)} would have been refused{counted}"
