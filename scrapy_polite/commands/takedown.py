"""`scrapy polite takedown`: what an owner has asked to be forgotten is fetched no more, and what is stored of it goes.

First it is put on the takedown list, so that no crawl fetches it meanwhile; then each place that keeps something of it
is rid of that, whatever happens to the others; then a line is added to the log of takedowns. All of it may be done
again, and does nothing twice.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.extensions.httpcache import DbmCacheStorage, FilesystemCacheStorage
from scrapy.utils.misc import build_from_crawler, load_object

from scrapy_polite._crawl import shared
from scrapy_polite._project import data_path, runs_path
from scrapy_polite.blacklist.compiled import read_list
from scrapy_polite.blacklist.entries import Entry, Kind
from scrapy_polite.blacklist.lists import Lists, NamedList
from scrapy_polite.commands import NO, YES, CommandError, Parser, SubcommandsCommand, has_addon, reported
from scrapy_polite.commands.deleters import Answer, called, command_shown
from scrapy_polite.commands.http_cache import Cached, cached
from scrapy_polite.commands.listfile import add, first_lines, in_words, refuse_public_suffixes, take_out
from scrapy_polite.commands.named import Named
from scrapy_polite.commands.progress import Progress
from scrapy_polite.dupefilters import PoliteDupeFilter
from scrapy_polite.frontier.backends import jobs_on
from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.removal import Asked, Meant, Removed, read_asked
from scrapy_polite.frontier.sqlite.removal import find, remove
from scrapy_polite.frontier.sqlite.schema import FILE_NAME
from scrapy_polite.runs.forget import forget
from scrapy_polite.seeds import FILE as SEEDS_FILE
from scrapy_polite.seeds import SeedsError
from scrapy_polite.seeds import removed as removed_seeds
from scrapy_polite.services.blacklists import takedowns_path
from scrapy_polite.services.store import open_store, store_location
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.errors import StoreError
from scrapy_polite.store.factory import open_pages, pages_location, read_contents
from scrapy_polite.takedown import Pattern
from scrapy_polite.takedown import Takedown as Told
from scrapy_polite.text import printable
from scrapy_polite.visited.dead import DeadUrls

if TYPE_CHECKING:
    from argparse import Namespace

    from scrapy.crawler import Crawler

_MAX_EXAMPLES = 3
_HEAD = "# What its owners have asked to be left alone: no crawl fetches it. Written by `scrapy polite takedown`.\n"

_EVERYWHERE = (
    "what crawls have written: item feeds, databases, files, logs, reports, POLITE_REFUSED_FILE",
    "copies elsewhere: other machines, backups, exports of the store",
    "pages that a running crawl is at work on: it asks for no more of them within 15 seconds",
)


@dataclass(slots=True)
class Part:
    """What is kept in one place, where, and how much of it goes. `fault`: why some of it, or all, is still there."""

    name: str
    where: str
    count: int = 0
    examples: list[str] = field(default_factory=list)
    fault: str = ""


@dataclass(slots=True)
class Takedown:
    """One takedown: what is meant, whether it is carried out (`act`), and what lies outside its reach."""

    crawler: Crawler
    settings: PoliteSettings
    named: Sequence[Named]
    covers: Callable[[str], bool]
    covers_origin: Callable[[str], bool]
    job: Path | None
    act: bool
    outside: list[str] = field(default_factory=lambda: [*_EVERYWHERE])

    @property
    def entries(self) -> list[Entry]:
        return list(dict.fromkeys(entry for one in self.named for entry in one.entries))


def _takedown(command: SubcommandsCommand, opts: Namespace) -> int:
    crawler = command.configured()
    settings = shared(crawler, PoliteSettings)
    named = [Named.of(word) for word in opts.places]
    path = takedowns_path(settings)
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    entries = [entry for one in named for entry in one.entries]
    with TemporaryDirectory() as folder:
        if opts.undo:
            told = _told(now, named, opts, _covering(Path(folder) / "all", entries))
            return _undo(named, path, told, opts, lambda: called(crawler, settings, told))
        if not opts.public_suffix:
            refuse_public_suffixes(entries)
        covers = _covering(Path(folder) / "all", entries)
        # Who is asked to forget one page is to remember the site's robots.txt.
        covers_site = _covering(Path(folder) / "sites", [entry for entry in entries if entry.kind is not Kind.URL])
    job = _job(crawler, opts)
    task = Takedown(crawler, settings, named, covers, lambda origin: covers_site(f"{origin}/"), job, bool(opts.yes))
    parts = [_listed(task, path, f"{now}{f': {opts.why}' if opts.why else ''}")]
    for name, steps in (
        ("queue", _in_queue),
        ("queue on the server", _on_server),
        ("seeds", _in_seeds),
        ("store", _in_store),
        ("pages to come back to", _in_pages),
        ("cache", _in_cache),
        ("run records", _in_runs),
    ):
        parts += _carried_out(name, steps(task))
    answers = called(crawler, settings, _told(now, named, opts, covers)) if task.act else []
    record = {
        "time": now,
        "places": [one.word for one in named],
        "entries": [str(entry) for entry in task.entries],
        "why": opts.why or "",
        "jobdir": str(job.absolute()) if job else None,
    }
    if opts.json:
        said = {**record, "done": task.act, "parts": [*map(asdict, parts)], "answers": [*map(asdict, answers)]}
        print(json.dumps({**said, "outside": task.outside}))
    else:
        _print(task, parts, answers, path)
    if task.act:
        # Of what is to be forgotten the log has no more than was named.
        counts: Counter[str] = Counter()
        for part in parts:
            counts[part.name] += part.count
        faults = [part.fault for part in parts if part.fault]
        theirs = {"answers": [*map(asdict, answers)]} if answers else {}
        _append(path.with_suffix(".jsonl"), {**record, "counts": counts, "faults": faults, **theirs})
    return NO if task.act and (any(part.fault for part in parts) or any(one.fault for one in answers)) else YES


def _told(now: str, named: Sequence[Named], opts: Namespace, covers: Callable[[str], bool]) -> Told:
    entries = dict.fromkeys(entry for one in named for entry in one.entries)
    patterns = [Pattern(entry.kind.name.lower().replace("_", "-"), entry.text) for entry in entries]
    return Told(now, [one.word for one in named], patterns, opts.why or "", bool(opts.undo), covers)


def _covering(path: Path, entries: Sequence[Entry]) -> Callable[[str], bool]:
    """Whether a URL is covered by some of these, as a crawl would say."""
    if not entries:
        return lambda url: False
    path.write_text("".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    lists = Lists([NamedList("", "drop", ((path, read_list(path, "plain")),))])
    return lambda url: lists.check(url) is not None


def _job(crawler: Crawler, opts: Namespace) -> Path | None:
    folder = opts.jobdir or crawler.settings["JOBDIR"]
    job = Path(folder) if folder else None
    if opts.jobdir and job is not None and not (job / FILE_NAME).exists() and not _of_scrapy(job):
        raise CommandError(f"{str(job)!r} is no job directory: it holds no queue")
    return job


def _of_scrapy(job: Path) -> bool:
    """Whether a job directory has files of Scrapy's own scheduler or dupefilter."""
    return any(job.glob("requests.queue/*")) or (job / "requests.seen").exists()


def _listed(task: Takedown, path: Path, why: str) -> Part:
    there = first_lines(path, task.entries)
    new = [entry for entry in task.entries if entry not in there]
    if task.act:
        new = add(path, task.entries, why, _HEAD)
    if not has_addon(task.crawler.settings):
        task.outside.append(
            "crawls of this project, which mind the takedown list only with the add-on, or its BlacklistMiddleware"
        )
    return Part("takedown list", str(path), len(new), [str(entry) for entry in new])


def _carried_out(name: str, steps: Iterator[Part]) -> Iterator[Part]:
    """What came of it; what cannot be opened keeps nobody from going on with the rest."""
    try:
        yield from steps
    except (CommandError, StoreError, FrontierError, SeedsError, OSError) as error:
        yield Part(name, "", fault=str(error))


# Undoing one


def _undo(named: Sequence[Named], path: Path, told: Told, opts: Namespace, call: Callable[[], list[Answer]]) -> int:
    """Take what was named out of the list: all of it or, where some of it is not there, nothing."""
    if opts.jobdir or opts.store:
        raise CommandError("--undo changes the takedown list alone: it goes without --jobdir and --store")
    entries = list(dict.fromkeys(entry for one in named for entry in one.entries))
    there = first_lines(path, entries)
    if absent := [entry for entry in entries if entry not in there]:
        print(f"nothing is undone: {_not_listed(absent[0], path)}", file=sys.stderr)
        return NO
    record = {
        "time": told.time,
        "undo": True,
        "places": [one.word for one in named],
        "entries": [str(entry) for entry in entries],
        "why": opts.why or "",
    }
    log = path.with_suffix(".jsonl")
    gone = list(_removed_before(log, [str(entry) for entry in entries]))
    answers: list[Answer] = []
    if opts.yes:
        take_out(path, entries)
        answers = call()
    if opts.json:
        print(json.dumps({**record, "done": opts.yes, "gone": gone, "answers": [*map(asdict, answers)]}))
    else:
        _print_undo(entries, path, gone, act=opts.yes)
        _print_answers(answers)
    if opts.yes:
        _append(log, {**record, **({"answers": [*map(asdict, answers)]} if answers else {})})
    return NO if any(one.fault for one in answers) else YES


def _not_listed(entry: Entry, path: Path) -> str:
    said = f"{printable(str(entry))} is not in {path}"
    if not path.exists():
        return f"{said}: nothing has been taken down"
    lists = Lists([NamedList("", "drop", ((path, read_list(path, "plain")),))])
    match = lists.check(f"http://{entry.text.removeprefix('.')}")
    if match is None:
        return f"{said}: name it as the takedown did (the log {path.with_suffix('.jsonl')} has all of them)"
    return f"{said}, which covers it by {printable(str(match.entry))}: that can be undone"


def _removed_before(log: Path, entries: Sequence[str]) -> Iterator[dict[str, object]]:
    """What takedowns of these entries have removed, by the log: `time`, and `counts` by name."""
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        with suppress(ValueError, LookupError, AttributeError, TypeError):  # it may have been edited, or cut
            record = json.loads(line)
            counts = {name: count for name, count in record["counts"].items() if int(count)}
            counts.pop("takedown list", None)
            if counts and not set(entries).isdisjoint(record["entries"]):
                yield {"time": record["time"], "counts": counts}


def _print_undo(entries: Sequence[Entry], path: Path, gone: Sequence[dict[str, Any]], *, act: bool) -> None:
    print(f"taken out of {path}:" if act else f"would be taken out of {path} (--yes does it; nothing is changed yet):")
    for entry in entries:
        print(f"  {printable(str(entry))}: {printable(in_words(entry), 300)}")
    print("removed by the takedown, and gone for good:")
    for one in gone:
        counts = ", ".join(f"{count:,} {printable(str(name))}" for name, count in one["counts"].items())
        print(f"  {printable(str(one['time']))}: {counts}")
    if not gone:
        print("  nothing, by the log")
    verb = "fetch" if act else "would fetch"
    print(f"crawls {verb} it again where they find links to it, running ones within 15 seconds")


# Job directories


def _in_queue(task: Takedown) -> Iterator[Part]:
    if task.job is None:
        task.outside.append("queues in job directories: none was named (--jobdir DIR, again for each)")
        return
    if _of_scrapy(task.job):
        task.outside.append(f"{task.job}: the files of Scrapy's own scheduler or dupefilter, requests.*")
    if not (task.job / FILE_NAME).exists():
        return
    yield from _removed(task, str(task.job), (remove if task.act else find)(task.job, _meant(task)))


def _on_server(task: Takedown) -> Iterator[Part]:
    """In all jobs of the server: whoever asks to be forgotten does not mean one of them."""
    if task.settings.frontier is None:
        return
    progress = Progress("requests looked at")
    with closing(jobs_on(task.settings.frontier)) as jobs:
        for state in jobs.states():
            where = f"job {state.name} on {task.settings.frontier}"
            yield from _removed(task, where, jobs.remove(state.name, _meant(task), progress.so_far, act=task.act))


def _meant(task: Takedown) -> Meant:
    known = tuple(asked for one in task.named for asked in one.asked)
    return Meant(task.covers, task.covers_origin, _fingerprint(task.crawler), known)


def _removed(task: Takedown, where: str, removed: Removed) -> Iterator[Part]:
    unread = f"{removed.unreadable:,} requests were left whose URL cannot be read" if removed.unreadable else ""
    yield Part("queued requests", where, removed.queued, removed.examples, unread)
    yield Part("requests set aside", where, removed.set_aside)
    yield Part("visited", where, removed.visited)
    if removed.trap_examples:
        yield Part("examples of traps", where, len(removed.trap_examples), removed.trap_examples[:_MAX_EXAMPLES])
    if removed.bloom:
        task.outside.append(f"{where}: that it was visited, in a Bloom filter, from which nothing can be taken")
    elif not all(one.url for one in task.named):
        task.outside.append(f"{where}: that URLs that begin so were visited: hashes are kept, which tell no URL")
    through = "requests through POLITE_TARGET_URL, unless all of the origin is meant"
    if task.settings.target_url is not None and any(one.url for one in task.named) and through not in task.outside:
        task.outside.append(through)


def _fingerprint(crawler: Crawler) -> Callable[[Asked], bytes]:
    """Under what a request is remembered as visited, with the project's settings."""
    if crawler.settings.getpriority("REQUEST_FINGERPRINTER_CLASS"):
        with reported("REQUEST_FINGERPRINTER_CLASS cannot be made"):
            fingerprinter = load_object(crawler.settings["REQUEST_FINGERPRINTER_CLASS"])
            crawler.request_fingerprinter = build_from_crawler(fingerprinter, crawler)
    dupefilter = PoliteDupeFilter.from_crawler(crawler)
    return lambda asked: dupefilter.fingerprint(Request(asked.url, method=asked.method, body=asked.body))


# Seeds and the store


def _in_seeds(task: Takedown) -> Iterator[Part]:
    path = data_path(task.settings.seeds or SEEDS_FILE)
    if path.exists():
        found = removed_seeds(path, task.covers, act=task.act)
        yield Part("start URLs", str(path), len(found), found[:_MAX_EXAMPLES])


def _in_store(task: Takedown) -> Iterator[Part]:
    where = store_location(task.settings)
    if not where.made:
        return
    with closing(open_store(task.settings)) as store:
        store.robots.of_origin("").result()  # what is wrong with it, before it is read by others
        stored = read_contents(where)
        copies = [copy.origin for copy in stored.copies() if task.covers_origin(copy.origin)]
        origins = sorted(set(copies))
        urls = DeadUrls(store, 1)
        known = [urls.ask(asked.method, asked.url) for one in task.named for asked in one.asked]
        dead = {found.key for future in known if future and (found := future.result())}
        dead |= {found.key for found in stored.dead_urls() if task.covers(found.key)}
        changed = [
            (quarantine, kept)
            for quarantine in stored.quarantines()
            if len(kept := tuple(url for url in quarantine.examples if not task.covers(url))) < len(quarantine.examples)
        ]
        if task.act:
            answers = [store.robots.forget(origin) for origin in origins]
            answers += [store.dead_urls.forget(key) for key in dead]
            for quarantine, kept in changed:
                store.quarantines.keep(replace(quarantine, examples=kept)).result()
            for answer in answers:
                answer.result()
    yield Part("robots.txt copies", str(where), len(copies), origins[:_MAX_EXAMPLES])
    yield Part("dead URLs", str(where), len(dead), sorted(dead)[:_MAX_EXAMPLES])
    examples = [url for quarantine, kept in changed for url in quarantine.examples if url not in kept]
    yield Part("examples of traps", str(where), len(examples), examples[:_MAX_EXAMPLES])
    if not all(one.url for one in task.named):
        task.outside.append("that there is such a site: its pace (scrapy polite gates --forget HOST), its traps")


# Pages to come back to


def _in_pages(task: Takedown) -> Iterator[Part]:
    """Pages of POLITE_RECRAWL, and the links to them that others have brought."""
    where = pages_location(store_location(task.settings))
    if not where.made:
        return
    with closing(open_pages(where)) as kept:
        answer = kept.forget(task.covers, lambda link: task.covers(read_asked(link).url), act=task.act)
        pages, links, examples = answer.result()
    yield Part("pages to come back to", str(where), pages, examples)
    yield Part("links on such pages", str(where), links)
    if links and task.settings.recrawl == "callback":
        task.outside.append(f"{where}: what other pages, kept whole, say of it")


# Scrapy's HTTP cache


def _in_cache(task: Takedown) -> Iterator[Part]:
    settings = task.crawler.settings
    folder = data_path(settings["HTTPCACHE_DIR"])
    with reported("HTTPCACHE_STORAGE cannot be loaded"):
        storage = load_object(settings["HTTPCACHE_STORAGE"])
    if settings.getbool("HTTPCACHE_ENABLED") and storage not in (FilesystemCacheStorage, DbmCacheStorage):
        task.outside.append(f"the HTTP cache: of {storage.__name__} (HTTPCACHE_STORAGE) nothing is known here")
    if not folder.is_dir():
        return
    progress, found = Progress("responses of the HTTP cache"), Cached()
    for found in cached(folder, task.covers, settings["HTTPCACHE_DBM_MODULE"], act=task.act):
        progress.so_far(found.seen)
    if found.unreadable:
        found.faults.append(f"{found.unreadable:,} responses were left whose URL cannot be read")
    yield Part("HTTP cache", str(folder), found.count, found.examples, "; ".join(found.faults[:_MAX_EXAMPLES]))


# Run records


def _in_runs(task: Takedown) -> Iterator[Part]:
    root = runs_path()
    if not root.is_dir():
        return
    found = forget(root, task.covers, time.time(), Progress("lines of run records").so_far, act=task.act)
    faults = found.faults[:_MAX_EXAMPLES]
    if found.running:
        faults.append(f"run {found.running[0]} is under way: stop it, or run this again when it has ended")
    yield Part("URLs in run records", str(root), found.count, found.examples, "; ".join(faults))


# What is told


def _append(path: Path, record: dict[str, object]) -> None:
    try:
        with open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(json.dumps(record).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise CommandError(f"all is done, but the log {path} cannot be written: {error.strerror or error}") from error


def _print(task: Takedown, parts: Sequence[Part], answers: Sequence[Answer], path: Path) -> None:
    print("taken down:" if task.act else "would be taken down (--yes does it; nothing is changed yet):")
    for one in task.named:
        for entry in one.entries:
            print(f"  {printable(one.word)}: {printable(in_words(entry), 300)}")
    listed = parts[0]
    added = "added" if task.act else "would be added"
    print(f"{added} to {path}: {listed.count:,} of {len(task.entries):,} entries")
    print("removed:" if task.act else "would be removed:")
    if not any(part.count or part.fault for part in parts[1:]):
        print("  nothing is stored of it")
    for part in parts[1:]:
        print(f"  {part.count:>7,}  {part.name} ({part.where})" if part.where else f"        ?  {part.name}")
        for example in part.examples[:_MAX_EXAMPLES]:
            print(f"             {printable(example)}")
        if part.fault:
            print(f"           ! {printable(part.fault, 600)}")
    _print_answers(answers)
    if not task.act and (command := command_shown(task.settings)):
        print(f"would be called: {command}")
    print("outside its reach:")
    for text in task.outside:
        print(f"  - {printable(text, 300)}")


def _print_answers(answers: Sequence[Answer]) -> None:
    if answers:
        print("the project's own deleters:")
    for one in answers:
        print(f"  {one.name}: {one.answer or ('no answer' if one.fault else 'done')}")
        if one.fault:
            print(f"           ! {one.fault}")


def add_subcommands(parser: Parser) -> None:
    takedown = parser.subcommand(
        "takedown",
        "never fetch it again, and remove what is stored of it; without --yes only say what that would be (exit "
        "status: 0 done, 1 something could not be removed, or there is nothing to undo, 2 error)",
        _takedown,
    )
    takedown.add_argument(
        "places",
        metavar="URL|PREFIX|HOST",
        nargs="+",
        help="a URL is meant alone, one that ends with / or * with all that begins so, a host with its subdomains",
    )
    takedown.add_public_suffix()
    takedown.add_argument("--yes", action="store_true", help="do it")
    takedown.add_argument("--undo", action="store_true", help="take it out of the takedown list again")
    takedown.add_argument("--why", metavar="TEXT", help="a reason, kept in the list and in the log of takedowns")
    takedown.add_argument("--jobdir", metavar="DIR", help="the job directory whose queue is looked at")
    takedown.add_argument("--json", action="store_true", help="one JSON object")
    takedown.add_store()
