"""What a blacklist of millions of hosts costs: bytes an entry, time to compile, to open and to look up.

This package's compiled list against marisa-trie, a Python set of names and SQLite (a primary key of text), each in a
process of its own. A lookup asks whether a host, or a domain above it, is listed; half of the hosts are, with a label
more, and no answer of an earlier one helps. `memory` is what the process holds once the list is open and was asked, and
`shared` that part of it which other processes that use the list share. Compiling is the whole process, Python's start
included.

Then 300 copies of a compiled list of 20,000 hosts, and of a trie, are damaged, each in four bits, eight octets or a
page: how many are refused when they are opened, how many answer otherwise than the whole one, and how many end the
process that asks them.

A line is added to the list, and to one of 500 regular expressions, while a crawl runs on them, three times: how long
until it obeys both, and how long its event loop stood still at most, by a timer that is due every millisecond; and the
most that the crawl's process itself worked in such a while, all threads together. The aim is of that: the rest is other
processes', the one that compiles among them, on a machine that has too few cores for all.

    python benchmarks/blacklist.py [--entries 1000000 5000000]

Takes five minutes, and 1.5 GB of memory; needs psutil, google-re2 and marisa-trie. Exits with 1 if the compiled list
misses one of its aims.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import marisa_trie
import psutil

from scrapy_polite.blacklist.compiled import compile_list, open_list
from scrapy_polite.blacklist.hosts import suffix_keys
from scrapy_polite.blacklist.lines import ListError
from scrapy_polite.blacklist.lists import Lists, NamedList

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

SEED = 1034
ASKED = 40_000
OPENED = 20
LIMIT_S = 280
TOP_LEVEL = ["com", "net", "org", "de", "ru", "co.uk", "info", "xyz", "com.br", "online"]
AIMS = {"bytes": 10.0, "lookup_us": 6.0, "open_ms": 1.0, "compile_s": 30.0, "compile_mb": 500.0, "stall_ms": 5.0}
REGEXES = 500
DAMAGED, DAMAGED_ENTRIES = 300, 20_000
#: Settings of the crawl that is told of a new entry.
SETTINGS: dict[str, Any] = {
    "ADDONS": {"scrapy_polite.Addon": 300},
    "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
    "POLITE_STORE": "memory",
    "POLITE_BLACKLISTS": ["names.txt", "regexes.txt"],
    "POLITE_PROGRESS": 0,
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
}


def names(count: int, seed: int = SEED) -> Iterator[str]:
    """Different ones, of some 20 characters, in no order."""
    random_ = random.Random(seed)
    syllables = [a + b for a in "bcdfghklmnprstvz" for b in "aeiouy"]
    for number in range(count):
        word = "".join(random_.choices(syllables, k=4))
        yield f"{word}{number:x}.{random_.choice(TOP_LEVEL)}"


def asked(count: int) -> list[str]:
    """Half of them listed, at random, with a label more."""
    random_ = random.Random(SEED + 1)
    chosen = set(random_.sample(range(count), ASKED // 2))
    hosts = [f"www.{name}" for number, name in enumerate(names(count)) if number in chosen]
    hosts += [f"www.{name}" for name in names(ASKED // 2, SEED + 2)]
    random_.shuffle(hosts)
    return hosts


def domains(host: str) -> Iterator[str]:
    """A host and the domains above it, without the top-level one."""
    while "." in host:
        yield host
        host = host.partition(".")[2]


class Compiled:
    name = "compiled list"

    @staticmethod
    def prepare(text: Path, target: Path) -> None:
        compile_list(str(text), "plain", str(target))

    def __init__(self, text: Path, target: Path) -> None:
        self._list = open_list(target)
        started = time.perf_counter()
        open_list(target, checked=True)
        self.checked_s = time.perf_counter() - started
        self._find = self._list.named.find_host
        lists = Lists([NamedList("benchmark", "drop", ((target, self._list),))])
        self.check = lists.check

    @classmethod
    def checked(cls, target: Path) -> Self:
        """As a crawl opens it at its start. Raises ListError."""
        open_list(target, checked=True)
        return cls(Path(), target)

    def has(self, host: str) -> bool:
        return self._find(host) is not None


class PythonSet:
    """Has nothing prepared: it is read at every start, and again in every process."""

    name = "Python set"

    @staticmethod
    def prepare(text: Path, target: Path) -> None:
        target.touch()

    def __init__(self, text: Path, target: Path) -> None:
        with text.open() as lines:
            self._names = {line.rstrip("\n") for line in lines}

    def has(self, host: str) -> bool:
        return any(domain in self._names for domain in domains(host))


class Sqlite:
    name = "SQLite"

    @staticmethod
    def prepare(text: Path, target: Path) -> None:
        with closing(sqlite3.connect(target)) as db, db, text.open() as lines:
            db.execute("CREATE TABLE names (name TEXT PRIMARY KEY) WITHOUT ROWID")
            db.executemany("INSERT INTO names VALUES (?)", ((line,) for line in sorted(map(str.rstrip, lines))))

    def __init__(self, text: Path, target: Path) -> None:
        self._db = sqlite3.connect(target)
        self._db.execute("PRAGMA mmap_size = 1000000000")

    def has(self, host: str) -> bool:
        return any(
            self._db.execute("SELECT 1 FROM names WHERE name = ?", (domain,)).fetchone() for domain in domains(host)
        )


class Marisa:
    """marisa-trie: names from their ends, so that one look-up finds a host and all domains above it."""

    name = "marisa-trie"

    @staticmethod
    def prepare(text: Path, target: Path) -> None:
        with text.open() as lines:
            marisa_trie.Trie(f"{line.rstrip()[::-1]}." for line in lines).save(str(target))

    def __init__(self, text: Path, target: Path) -> None:
        self._trie = marisa_trie.Trie().mmap(str(target))

    def has(self, host: str) -> bool:
        return bool(self._trie.prefixes(f"{host[::-1]}."))


KINDS: dict[str, Any] = {kind.__name__: kind for kind in (Compiled, Marisa, PythonSet, Sqlite)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--entries", type=int, nargs="+", default=[1_000_000, 5_000_000])
    parser.add_argument("--phase", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.phase:
        phase, kind, text, target = options.phase
        print(json.dumps(PHASES[phase](KINDS[kind], Path(text), Path(target), options.entries[0])))
        return 0
    print_damage()
    return max(compare(count) for count in options.entries)


def compare(count: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "names.txt")
        with text.open("w") as file:
            file.writelines(f"{name}\n" for name in names(count))
        print(f"{count:,} hosts, {text.stat().st_size / count:.1f} bytes a line")
        print(f"{'':14} file B  memory B  shared B   open ms  lookup µs  compile s  MB then")
        for name, kind in KINDS.items():
            target = Path(folder, name)
            figures = run("prepare", name, text, target, count) | run("ask", name, text, target, count)
            print(
                f"{kind.name:14} {figures['bytes']:6.1f} {figures['memory']:9.1f} {figures['shared']:9.1f}"
                f" {figures['open_ms']:9.3f} {figures['lookup_us']:10.2f} {figures['compile_s']:10.1f}"
                f" {figures['compile_mb']:8.0f}"
            )
            if kind is Compiled:
                ours = figures
        ours |= run("reload", "Compiled", text, Path(folder, "unused"), count)
    print(
        f"in a crawl new entries hold after {ours['obeyed_s']:.1f} s; meanwhile its loop stands still for"
        f" {ours['still_ms']:.1f} ms at most ({ours['quiet_ms']:.1f} ms where nothing changes),"
        f" {ours['stall_ms']:.1f} ms of it by its own work"
    )
    print(f"`check` of a whole URL: {ours['check_us']:.2f} µs, of a host seen before: {ours['again_us']:.2f} µs")
    print(f"opened with its content checked, as a crawl does at start: {ours['checked_ms']:.1f} ms")
    missed = [f"{name} {ours[name]:.2f}, aim {aim:g}" for name, aim in AIMS.items() if ours[name] > aim]
    print(f"missed: {'; '.join(missed)}\n" if missed else "all aims met\n")
    return 1 if missed else 0


def run(phase: str, kind: str, text: Path, target: Path, count: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--entries", str(count), "--phase", phase, kind, str(text), str(target)]
    started = time.perf_counter()
    output = subprocess.run(command, check=True, capture_output=True, text=True, timeout=LIMIT_S).stdout
    figures: dict[str, float] = json.loads(output)
    if phase == "prepare":
        figures["compile_s"] = time.perf_counter() - started
    return figures


def prepare(kind: Any, text: Path, target: Path, count: int) -> dict[str, float]:
    kind.prepare(text, target)
    # In KiB, but on macOS.
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {"compile_mb": peak / 1e6, "bytes": target.stat().st_size / count}


def ask(kind: Any, text: Path, target: Path, count: int) -> dict[str, float]:
    hosts = asked(count)
    before = psutil.Process().memory_info()
    opened = []
    for _ in range(OPENED if kind is Compiled else 1):
        started = time.perf_counter()
        entries = kind(text, target)
        opened.append(time.perf_counter() - started - getattr(entries, "checked_s", 0.0))
    figures = {"open_ms": sorted(opened)[len(opened) // 2] * 1e3}
    for host in hosts[:100]:
        entries.has(host)
    suffix_keys.cache_clear()
    started = time.process_time()
    found = sum(map(entries.has, hosts))
    figures["lookup_us"] = (time.process_time() - started) / len(hosts) * 1e6
    if found != ASKED // 2:
        sys.exit(f"{kind.name} found {found:,} of {ASKED // 2:,}")
    after = psutil.Process().memory_info()
    figures["memory"] = (after.rss - before.rss) / count
    figures["shared"] = (getattr(after, "shared", 0) - getattr(before, "shared", 0)) / count
    if kind is Compiled:
        figures["checked_ms"] = entries.checked_s * 1e3
        suffix_keys.cache_clear()
        urls = [f"https://{host}/some/path?a=b" for host in hosts]
        figures["check_us"] = timed(entries.check, urls)
        figures["again_us"] = timed(entries.check, urls[:1_000] * 20)
    return figures


def timed(check: Any, urls: list[str]) -> float:
    started = time.process_time()
    for url in urls:
        check(url)
    return (time.process_time() - started) / len(urls) * 1e6


def reload(kind: Any, text: Path, target: Path, count: int) -> dict[str, float]:
    """In a crawl that has nothing to fetch."""
    from _blacklist_spider import Reloads  # it imports Scrapy, which is no part of the other figures
    from scrapy.crawler import AsyncCrawlerProcess

    os.chdir(text.parent)
    Path("regexes.txt").write_text("".join(f"/\\/{name[:8]}[0-9]+\\.html?$/\n" for name in names(REGEXES)))
    process = AsyncCrawlerProcess(SETTINGS)
    process.crawl(Reloads)
    process.start()
    rounds = Reloads.rounds
    return {
        "obeyed_s": max(one["obeyed_s"] for one in rounds),
        "stall_ms": max(one["changed_own"] for one in rounds) * 1e3,
        "still_ms": max(one["changed"] for one in rounds) * 1e3,
        "quiet_ms": max(one["quiet"] for one in rounds) * 1e3,
    }


def print_damage() -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "names.txt")
        text.write_text("".join(f"{name}\n" for name in names(DAMAGED_ENTRIES)))
        for kind in (Compiled, Marisa):
            whole, damaged = Path(folder, kind.__name__), Path(folder, "damaged")
            kind.prepare(text, whole)
            outcomes = Counter()
            random_ = random.Random(SEED)
            for trial in range(DAMAGED):
                damaged.write_bytes(_damaged(whole.read_bytes(), trial % 3, random_))
                outcomes[_outcome(kind, text, damaged)] += 1
            said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
            print(f"{kind.name}, {DAMAGED} damaged copies: {said}")
    print()


def _damaged(data: bytes, how: int, random_: random.Random) -> bytes:
    octets = bytearray(data)
    if how == 0:
        for _ in range(4):
            octets[random_.randrange(len(octets))] ^= 1 << random_.randrange(8)
    else:
        length = 8 if how == 1 else 4096
        at = random_.randrange(len(octets) - length) // length * length
        octets[at : at + length] = random_.randbytes(length)
    return bytes(octets)


def _outcome(kind: Any, text: Path, target: Path) -> str:
    """What becomes of a process that opens a file and asks it for hosts that are listed and hosts that are not."""
    pid = os.fork()
    if not pid:
        resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            entries = kind.checked(target) if kind is Compiled else kind(text, target)
        except (ListError, RuntimeError, OSError):
            os._exit(1)
        try:
            listed = sum(entries.has(f"www.{name}") for name in islice(names(DAMAGED_ENTRIES), 500))
            others = sum(map(entries.has, names(500, SEED + 2)))
        except Exception:  # noqa: BLE001
            os._exit(2)
        os._exit(0 if (listed, others) == (500, 0) else 3)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return {0: "answer alike", 1: "refused", 2: "raise when asked", 3: "answer otherwise"}.get(code, "kill the process")


PHASES = {"prepare": prepare, "ask": ask, "reload": reload}


if __name__ == "__main__":
    sys.exit(main())
