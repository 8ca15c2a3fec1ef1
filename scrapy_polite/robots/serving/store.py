"""The rules of many hosts and all their versions, in one SQLite file; what is served of each, and to what share.

A version is the rules of one host as a person has written them (TOML), and the robots.txt that they make. It is valid
if a robots.txt can be made of it at any time; no other is stored. Several processes may read and write at once.
"""

from __future__ import annotations

import math
import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from scrapy_polite.origin import origin_of
from scrapy_polite.robots.build.compose import compose, compose_named
from scrapy_polite.robots.build.guard import dangers, representatives
from scrapy_polite.robots.build.ruleset import RuleSet, rules_of
from scrapy_polite.robots.inputs import InputError, fault
from scrapy_polite.text import printable

#: The host whose robots.txt all hosts have that have none of their own.
ANY_HOST = "*"
_HOST = re.compile(r"([a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])\.?(?::[0-9]*)?")
_MAX_HOST = 255
_SCHEMA = 1
_BUSY_S = 5.0
#: Changes of hosts that are remembered for those that serve: who has missed more reads all of its hosts anew.
_MAX_CHANGES = 10_000
#: Times at which rules of one host may begin or end to hold: a robots.txt is made for each before they are stored.
MAX_TIMES = 200

#: What is raised of a version that cannot be read, or whose rules are none to this version of the package.
_DAMAGED = (InputError, ValueError, TypeError, zlib.error)

_TABLES = """
create table hosts (
    host text primary key,
    current integer not null,
    canary integer,
    share real not null default 0
) without rowid;
create table versions (
    host text not null,
    number integer not null,
    at real not null,
    reason text not null,
    confirmed text not null,
    rules blob not null,
    body blob not null,
    begins real not null,
    ends real not null,
    whole integer not null default 0,
    primary key (host, number)
);
create table changes (seq integer primary key autoincrement, host text not null);
"""


class StoreError(Exception):
    """Why the store cannot do what it was told, and what to do."""


class ConfirmationNeeded(StoreError):
    """A version closes so much that it may be an error. `dangers` are what it closes, a line each."""

    def __init__(self, found: list[str]) -> None:
        super().__init__(f"{'; '.join(found)}: confirm it, if that is meant")
        self.dangers = found


@dataclass(frozen=True, slots=True)
class Version:
    """What the store has of one version; `at` is epoch seconds."""

    number: int
    at: float
    reason: str
    confirmed: str


@dataclass(frozen=True, slots=True)
class Served:
    """What a host is to be served at a time: a body, and from `share` > 0 on another one for this share of clients.

    It holds up to `ends` (epoch seconds). `fallback` says that it is not the newest version, which cannot be read.
    """

    body: bytes
    canary: bytes | None
    share: float
    ends: float
    fallback: bool = False


class RobotsStore:
    """Opens the file, and makes it if there is none, unless `make` is false. Raises StoreError.

    One object may be used by several threads, and after a fork.
    """

    def __init__(self, path: Path | str, *, make: bool = True) -> None:
        self.path = Path(path)
        if not make and not self.path.exists():
            raise StoreError(f"there is no store {_shown(path)}: publish rules first, or give its path")
        self._open()

    def _open(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        with _told(self.path):
            self._db = _opened(self.path)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def publish(
        self,
        host: str,
        rules: bytes,
        *,
        now: float,
        reason: str,
        share: float = 1.0,
        confirm: bool = False,
        urls: Iterable[str] = (),
        name: Path | None = None,
    ) -> int:
        """Store a version of a host's rules (TOML) and serve it to this share of clients: below 1 as a canary.

        Returns its number. Raises InputError, which names the file `name`, where the rules are wrong; StoreError; and
        ConfirmationNeeded where it closes much that is open (see `guard.dangers`; `urls` are known URLs or paths), now
        or when a rule begins to hold.
        """
        if not 0 < share <= 1:
            raise StoreError(f"share is {share:g}: give a part of all clients, above 0 and up to 1")
        host = checked_host(host)
        version = _Made.of(host, rules, now, name)
        known = tuple(urls)
        with self._changing(host) as db:
            before = _body_for_all(db, host, now)
            closed = version.closes(before or b"", known)
            if closed and not confirm:
                raise ConfirmationNeeded(closed)
            number = _inserted(db, version, now, reason, "; ".join(closed))
            if share >= 1 or before is None:
                _serve(db, host, number)
            else:
                db.execute("update hosts set canary = ?, share = ? where host = ?", (number, share, host))
        return number

    def publish_many(self, hosts: Iterable[tuple[str, bytes]], *, now: float, reason: str) -> int:
        """Store first versions of many hosts at once, as they are; returns how many. Raises InputError, StoreError."""
        count = 0
        with self._changing(ANY_HOST) as db:
            for host, rules in hosts:
                made = _Made.of(checked_host(host), rules, now)
                _serve(db, made.host, _inserted(db, made, now, reason, ""))
                count += 1
        return count

    def promote(self, host: str) -> int:
        """Serve a host's canary to all clients; returns its number. Raises StoreError."""
        host = checked_host(host)
        with self._changing(host) as db:
            canary: int | None = self._row(db, host)[1]
            if canary is None:
                raise StoreError(f"{host} has no canary: publish one with a share below 1")
            _serve(db, host, canary)
        return canary

    def back(self, host: str, number: int, *, now: float, confirm: bool = False, urls: Iterable[str] = ()) -> None:
        """Serve this version of a host to all clients, and no canary.

        Raises StoreError, and ConfirmationNeeded as `publish` does; InputError where its rules are no longer valid.
        """
        host = checked_host(host)
        known = tuple(urls)
        with self._changing(host) as db:
            self._row(db, host)
            row = db.execute("select rules from versions where host = ? and number = ?", (host, number)).fetchone()
            if row is None:
                raise StoreError(f"{host} has no version {number}: give one that the history lists")
            try:
                rules = zlib.decompress(row[0])
            except (zlib.error, TypeError) as error:
                raise StoreError(f"version {number} of {host} cannot be read: give another") from error
            closed = _Made.of(host, rules, now).closes(_body_for_all(db, host, now) or b"", known)
            if closed and not confirm:
                raise ConfirmationNeeded(closed)
            _serve(db, host, number)

    def history(self, host: str) -> list[Version]:
        """All versions of a host, the oldest first. Raises StoreError."""
        query = "select number, at, reason, confirmed from versions where host = ? order by 1"
        with self._reading() as db:
            rows = db.execute(query, (checked_host(host),))
            return [Version(*row) for row in rows]

    def standing(self, host: str) -> tuple[int, int | None, float]:
        """The number of a host's current version, that of its canary, and the canary's share. Raises StoreError."""
        with self._reading() as db:
            return self._row(db, checked_host(host))

    def served(self, host: str, now: float) -> Served | None:
        """What is to be served of a host, or of `ANY_HOST` if it has nothing of its own; None if neither has.

        A version that cannot be read is passed over for the one before it. Raises StoreError.
        """
        with self._reading() as db:
            for name in (host, ANY_HOST):
                row = db.execute("select current, canary, share from hosts where host = ?", (name,)).fetchone()
                if row:
                    return _served(db, name, row, now)
        return None

    def hosts(self, count: int) -> list[str]:
        """The hosts whose rules were changed last, so many. Raises StoreError."""
        with self._reading() as db:
            rows = db.execute("select host from versions group by host order by max(rowid) desc limit ?", (count,))
            return [host for (host,) in rows]

    def changed_since(self, seen: int) -> tuple[int, list[str] | None]:
        """The number of the last change, and the hosts that changed after `seen`; None if any may have.

        Raises StoreError.
        """
        with self._reading() as db:
            first, last = db.execute("select min(seq), max(seq) from changes").fetchone()
            if last is None or last == seen:
                return seen, []
            if seen < first - 1:
                return last, None
            hosts = [host for (host,) in db.execute("select distinct host from changes where seq > ?", (seen,))]
            return last, None if ANY_HOST in hosts else hosts

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        if self._process != os.getpid():
            self._open()  # a connection must not be carried across a fork (sqlite.org/howtocorrupt.html §2.6)
        with self._lock, _told(self.path):
            yield self._db

    @contextmanager
    def _changing(self, host: str) -> Iterator[sqlite3.Connection]:
        """A transaction, which tells those that serve that this host has changed."""
        with self._reading() as db:
            db.execute("begin immediate")
            try:
                yield db
                seq = db.execute("insert into changes (host) values (?)", (host,)).lastrowid or 0
                db.execute("delete from changes where seq <= ?", (seq - _MAX_CHANGES,))
                db.execute("commit")
            except BaseException:
                with suppress(sqlite3.Error):
                    db.execute("rollback")
                raise

    def _row(self, db: sqlite3.Connection, host: str) -> tuple[int, int | None, float]:
        row: tuple[int, int | None, float] | None = db.execute(
            "select current, canary, share from hosts where host = ?", (host,)
        ).fetchone()
        if row is None:
            raise StoreError(f"{host} has no rules here: publish them first")
        return row


def host_of(text: str) -> str:
    """The host of a Host header (RFC 9110 §7.2), without its port and in lower case; empty where it is none."""
    if len(text) > _MAX_HOST:
        return ""
    found = _HOST.fullmatch(text.strip().lower())
    return found[1] if found else ""


def checked_host(name: str) -> str:
    """The host of this name, as requests for it have it, or `ANY_HOST`. Raises StoreError where it is none."""
    if name == ANY_HOST:
        return name
    origin = None if name.isascii() or "/" in name else origin_of(f"https://{name}")
    host = host_of(origin.netloc if origin else name)
    if not host:
        shown = printable(name, 100)
        raise StoreError(f"{shown!r} is no host: give a name such as shop.example, or {ANY_HOST} for all others")
    return host


@dataclass(frozen=True, slots=True)
class _Made:
    """Rules, and the robots.txt that they make now and whenever one of them begins or ends to hold."""

    host: str
    rules: bytes
    bodies: list[bytes]
    begins: float
    ends: float

    @classmethod
    def of(cls, host: str, rules: bytes, now: float, name: Path | None = None) -> _Made:
        name = name or Path(f"rules of {host}")
        rule_set = rules_of(name, rules)
        times = [now, *_times_after(rule_set, now)]
        if len(times) > MAX_TIMES:
            raise fault(name, None, f"rules begin or end at more than {MAX_TIMES} times", "put some together")
        bodies = [compose_named(name, rule_set, at).body for at in times]
        return cls(host, rules, bodies, rule_set.last_change(now), rule_set.next_change(now) or math.inf)

    def closes(self, before: bytes, known: Sequence[str]) -> list[str]:
        """What of all that is open it closes, now or later, that needs to be confirmed; a line each."""
        lines = (
            f"for {danger.agent} it {danger.text}"
            for body in self.bodies
            for danger in dangers(before, body, representatives(before, body), known)
        )
        return list(dict.fromkeys(lines))


def _times_after(rule_set: RuleSet, now: float) -> Iterator[float]:
    at: float | None = now
    while at is not None and (at := rule_set.next_change(at)) is not None:
        yield at


def _inserted(db: sqlite3.Connection, made: _Made, now: float, reason: str, confirmed: str) -> int:
    (number,) = db.execute("select coalesce(max(number), 0) + 1 from versions where host = ?", (made.host,)).fetchone()
    db.execute(
        "insert into versions values (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
        (
            *(made.host, number, now, reason, confirmed, zlib.compress(made.rules), zlib.compress(made.bodies[0])),
            *(made.begins, made.ends),
        ),
    )
    return int(number)


def _serve(db: sqlite3.Connection, host: str, current: int) -> None:
    """To all clients."""
    db.execute("insert or replace into hosts values (?, ?, null, 0)", (host, current))
    db.execute("update versions set whole = 1 where host = ? and number = ?", (host, current))


def _body_for_all(db: sqlite3.Connection, host: str, now: float) -> bytes | None:
    """What clients are served that see no canary: nothing where no version can be read, None of an unknown host."""
    row = db.execute("select current, canary, share from hosts where host = ?", (host,)).fetchone()
    if row is None:
        return None
    try:
        return _served(db, host, row, now).body
    except StoreError:
        return b""


def _served(db: sqlite3.Connection, host: str, row: tuple[int, int | None, float], now: float) -> Served:
    current, canary, share = row
    fallback = False
    # Versions that all clients were served; the one that is current comes first, whatever its number.
    numbers = "select number from versions where host = ? and whole order by number = ? desc, number desc"
    for (number,) in db.execute(numbers, (host, current)).fetchall():
        try:
            body, ends = _body(db, host, number, now)
        except _DAMAGED:
            fallback = True
            continue
        other = None
        if canary is not None:
            # A canary that cannot be read is nobody's.
            with suppress(*_DAMAGED):
                other, other_ends = _body(db, host, canary, now)
                ends = min(ends, other_ends)
        return Served(body, other, share if other is not None else 0.0, ends, fallback)
    raise StoreError(f"no version of {host} can be read: publish its rules anew")


def _body(db: sqlite3.Connection, host: str, number: int, now: float) -> tuple[bytes, float]:
    """What a version says at a time, and until when. Raises one of `_DAMAGED` where that cannot be known."""
    row = db.execute(
        "select body, begins, ends, rules from versions where host = ? and number = ?", (host, number)
    ).fetchone()
    if row is None:
        raise ValueError("no such version")
    body, begins, ends, rules = row
    if begins <= now < ends:
        return zlib.decompress(body), ends
    rule_set = rules_of(Path(f"rules of {host}"), zlib.decompress(rules))
    return compose(rule_set, now).body, rule_set.next_change(now) or math.inf


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        (version,) = db.execute("pragma user_version").fetchone()
        if version == 0:
            db.execute("pragma journal_mode = wal")
            db.execute("begin immediate")
            if db.execute("pragma user_version").fetchone() == (0,):
                for statement in filter(str.strip, _TABLES.split(";")):
                    db.execute(statement)
                db.execute(f"pragma user_version = {_SCHEMA}")
            db.execute("commit")
        elif version != _SCHEMA:
            raise StoreError(f"{_shown(path)} is of another version of this package ({version}, not {_SCHEMA})")
    except BaseException:
        db.close()
        raise
    return db


def _shown(path: Path | str) -> str:
    return printable(str(path), 300)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(
            f"the store {_shown(path)} cannot be used ({error}): look whether the file is there and whole, and yours "
            "to write"
        ) from error
