"""The tables, what each version of the schema has changed, and whether a file is one of ours."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from scrapy_polite.store.errors import StoreError

from .rows import Columns, definitions

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

APPLICATION_ID = int.from_bytes(b"Plte", "big")

_ROBOTS: Columns = {
    "origin": ("TEXT NOT NULL", (str,)),
    "token": ("TEXT NOT NULL", (str,)),
    "updated_at": ("REAL NOT NULL", (float,)),
    "status": ("INTEGER", (int, type(None))),
    "body": ("BLOB NOT NULL", (bytes,)),
    "truncated": ("INTEGER NOT NULL", (int,)),
    "fetched_at": ("REAL NOT NULL", (float,)),
    "expires_at": ("REAL NOT NULL", (float,)),
    "etag": ("TEXT", (str, type(None))),
    "last_modified": ("TEXT", (str, type(None))),
    "hops": ("TEXT NOT NULL", (str,)),
    "failing_since": ("REAL", (float, type(None))),
    "failures": ("INTEGER NOT NULL", (int,)),
    "next_try": ("REAL NOT NULL", (float,)),
    "failure": ("TEXT NOT NULL", (str,)),
}
_ROBOTS_7: Columns = _ROBOTS | {"refused_since": ("REAL", (float, type(None)))}
#: In the order of the fields of `RobotsCopy`.
ROBOTS: Columns = {"agent" if name == "token" else name: kind for name, kind in _ROBOTS_7.items()}
_GATES: Columns = {
    "key": ("TEXT NOT NULL PRIMARY KEY", (str,)),
    "updated_at": ("REAL NOT NULL", (float,)),
    "until": ("REAL NOT NULL", (float,)),
    "level": ("INTEGER NOT NULL", (int,)),
    "why": ("TEXT NOT NULL", (str,)),
    "period_start": ("REAL NOT NULL", (float,)),
    "spent": ("INTEGER NOT NULL", (int,)),
    "kept_at": ("REAL NOT NULL", (float,)),
}
#: Each field of `GateState` and of `KeptGate`.
GATES: Columns = _GATES | {"retry_after_s": ("REAL NOT NULL DEFAULT 0", (float,))}
#: In the order of the fields of `DeadUrl`.
DEAD: Columns = {
    "key": ("TEXT NOT NULL PRIMARY KEY", (str,)),
    "status": ("INTEGER NOT NULL", (int,)),
    "seen_at": ("REAL NOT NULL", (float,)),
}
#: In the order of the fields of `Quarantine`.
QUARANTINES: Columns = {
    "site": ("TEXT NOT NULL", (str,)),
    "place": ("TEXT NOT NULL", (str,)),
    "kind": ("TEXT NOT NULL", (str,)),
    "evidence": ("TEXT NOT NULL", (str,)),
    "examples": ("TEXT NOT NULL", (str,)),
    "since": ("REAL NOT NULL", (float,)),
    "until": ("REAL NOT NULL", (float,)),
    "refused": ("INTEGER NOT NULL", (int,)),
    "decision": ("TEXT NOT NULL", (str,)),
    "updated_at": ("REAL NOT NULL", (float,)),
}
_LEASES = "origin TEXT NOT NULL, token TEXT NOT NULL, holder TEXT NOT NULL, until REAL NOT NULL"
_HOST_LEASES = (
    "key TEXT NOT NULL PRIMARY KEY, holder TEXT NOT NULL, "
    "taken_at REAL NOT NULL, hold_until REAL NOT NULL, next_at REAL NOT NULL"
)
#: A fencing token, or the number of the last change; 0: from before there were such numbers.
_NUMBER = "INTEGER NOT NULL DEFAULT 0"


class Version(NamedTuple):
    """What a version adds to the one before: tables and indexes by name, as they are then (None: there no more).

    `statements` bring it about, where that takes more than creating all of them.
    """

    objects: dict[str, str | None]
    statements: tuple[str, ...] = ()


#: Each version. What has been released stays as it is.
_VERSIONS = (
    Version(
        {
            # With a rowid: rows of some 430 bytes make a WITHOUT ROWID table a quarter larger, and writing twice as
            # slow.
            "robots": f"CREATE TABLE robots ({definitions(_ROBOTS)}, PRIMARY KEY (origin, token))",
            "leases": f"CREATE TABLE leases ({_LEASES}, PRIMARY KEY (origin, token)) WITHOUT ROWID",
            "robots_by_age": "CREATE INDEX robots_by_age ON robots (updated_at)",
        }
    ),
    Version(
        {
            "gates": f"CREATE TABLE gates ({definitions(_GATES)}) WITHOUT ROWID",
            "turns": f"CREATE TABLE turns ({_HOST_LEASES}) WITHOUT ROWID",
            "gates_by_age": "CREATE INDEX gates_by_age ON gates (updated_at)",
        }
    ),
    Version(
        {
            "dead": f"CREATE TABLE dead ({definitions(DEAD)}) WITHOUT ROWID",
            "dead_by_age": "CREATE INDEX dead_by_age ON dead (seen_at)",
        }
    ),
    Version(
        {
            "quarantines": f"CREATE TABLE quarantines ({definitions(QUARANTINES)}, PRIMARY KEY (site, place))",
            "quarantines_by_age": "CREATE INDEX quarantines_by_age ON quarantines (updated_at)",
            "quarantines_by_end": "CREATE INDEX quarantines_by_end ON quarantines (until)",
        }
    ),
    # Changes are numbered, for feeds and as fencing tokens; leases of hosts have their name.
    Version(
        {
            "sequence": "CREATE TABLE sequence (store TEXT NOT NULL, last INTEGER NOT NULL)",
            "robots": f"CREATE TABLE robots ({definitions(_ROBOTS)}, fence {_NUMBER}, PRIMARY KEY (origin, token))",
            "leases": f"CREATE TABLE leases ({_LEASES}, fence {_NUMBER}, PRIMARY KEY (origin, token)) WITHOUT ROWID",
            "gates": f"CREATE TABLE gates ({definitions(_GATES)}, changed {_NUMBER}) WITHOUT ROWID",
            "gates_by_change": "CREATE INDEX gates_by_change ON gates (changed)",
            "turns": None,
            "host_leases": f"CREATE TABLE host_leases ({_HOST_LEASES}) WITHOUT ROWID",
            "quarantines": (
                f"CREATE TABLE quarantines ({definitions(QUARANTINES)}, changed {_NUMBER}, PRIMARY KEY (site, place))"
            ),
            "quarantines_by_age": None,
            "quarantines_by_change": "CREATE INDEX quarantines_by_change ON quarantines (changed)",
        },
        (
            "CREATE TABLE sequence (store TEXT NOT NULL, last INTEGER NOT NULL)",
            f"ALTER TABLE robots ADD COLUMN fence {_NUMBER}",
            f"ALTER TABLE leases ADD COLUMN fence {_NUMBER}",
            f"ALTER TABLE gates ADD COLUMN changed {_NUMBER}",
            f"ALTER TABLE quarantines ADD COLUMN changed {_NUMBER}",
            (
                "UPDATE gates SET changed = number FROM "
                "(SELECT key AS held, row_number() OVER (ORDER BY updated_at) AS number FROM gates) WHERE key = held"
            ),
            (
                "UPDATE quarantines SET changed = number FROM (SELECT rowid AS held, row_number() OVER "
                "(ORDER BY updated_at) AS number FROM quarantines) WHERE quarantines.rowid = held"
            ),
            (
                "INSERT INTO sequence SELECT lower(hex(randomblob(8))), max((SELECT count(*) FROM gates), "
                "(SELECT count(*) FROM quarantines))"
            ),
            "CREATE INDEX gates_by_change ON gates (changed)",
            "CREATE INDEX quarantines_by_change ON quarantines (changed)",
            "DROP INDEX quarantines_by_age",
            f"CREATE TABLE host_leases ({_HOST_LEASES}) WITHOUT ROWID",
            "INSERT INTO host_leases SELECT * FROM turns",
            "DROP TABLE turns",
        ),
    ),
    # Whether a host has asked for its embargo was read from the words that explain it.
    Version(
        {
            "gates": (
                f"CREATE TABLE gates ({definitions(_GATES)}, changed {_NUMBER}, "
                "retry_after_s REAL NOT NULL DEFAULT 0) WITHOUT ROWID"
            ),
        },
        ("ALTER TABLE gates ADD COLUMN retry_after_s REAL NOT NULL DEFAULT 0",),
    ),
    # Where an origin that is unreachable answers, more is asked of crawlers than where it does not.
    Version(
        {
            "robots": (
                f"CREATE TABLE robots ({definitions(_ROBOTS)}, fence {_NUMBER}, refused_since REAL, "
                "PRIMARY KEY (origin, token))"
            ),
        },
        ("ALTER TABLE robots ADD COLUMN refused_since REAL",),
    ),
    # Copies go by the User-Agent that was sent. Those of before keep the name of the product token they were read for.
    Version(
        {
            "robots": (
                f"CREATE TABLE robots ({definitions(_ROBOTS).replace('token', 'agent')}, fence {_NUMBER}, "
                "refused_since REAL, PRIMARY KEY (origin, agent))"
            ),
            "leases": (
                f"CREATE TABLE leases ({_LEASES.replace('token', 'agent')}, fence {_NUMBER}, "
                "PRIMARY KEY (origin, agent)) WITHOUT ROWID"
            ),
        },
        ("ALTER TABLE robots RENAME COLUMN token TO agent", "ALTER TABLE leases RENAME COLUMN token TO agent"),
    ),
    # Who asks for a robots.txt may not know yet for how long the next has to wait.
    Version(
        {
            "host_leases": (
                f"CREATE TABLE host_leases ({_HOST_LEASES}, answered_at REAL NOT NULL DEFAULT 0) WITHOUT ROWID"
            ),
        },
        ("ALTER TABLE host_leases ADD COLUMN answered_at REAL NOT NULL DEFAULT 0",),
    ),
)


class Schema(NamedTuple):
    """One kind of file, told by SQLite's `application_id`; `what` it is in words."""

    application_id: int
    what: str
    versions: tuple[Version, ...]

    @property
    def version(self) -> int:
        return len(self.versions)


STORE = Schema(APPLICATION_ID, "a store", _VERSIONS)
SCHEMA_VERSION = STORE.version
FIRST_WITH_GATES = 2
FIRST_WITH_DEAD = 3
FIRST_WITH_QUARANTINES = 4
FIRST_WITH_RETRY_AFTER = 6
FIRST_WITH_REFUSED_SINCE = 7
FIRST_WITH_AGENT = 8

# One statement sees one state of the file, however many processes are creating it.
_INSPECT = (
    "SELECT application_id, user_version, sql FROM pragma_application_id, pragma_user_version "
    "LEFT JOIN sqlite_master ON name NOT GLOB 'sqlite_*'"
)


def version_of(db: sqlite3.Connection, path: Path, advice: str, kind: Schema = STORE) -> int:
    """The version of the schema, 0 for an empty file. Raises StoreError for a schema that is none of ours.

    Comparing the whole schema keeps out views and triggers, which could make reading a stranger's file run anything.
    """
    rows = db.execute(_INSPECT).fetchall()
    application_id, version, _ = rows[0]
    schema = {sql for _, _, sql in rows if sql is not None}
    if (application_id, version, schema) == (0, 0, set()):
        return 0
    if application_id != kind.application_id:
        raise StoreError(f"{path}: this SQLite file is not {kind.what} of scrapy-polite; {advice}")
    if version > kind.version:
        raise StoreError(
            f"{path}: written by a newer scrapy-polite (schema {version}, this one knows {kind.version}); "
            f"upgrade, or {advice}"
        )
    if version < 1 or schema != _schema(kind, version):
        raise StoreError(f"{path}: its tables are not those of schema {version}; {advice}")
    return int(version)


def complete_schema(db: sqlite3.Connection, version: int, kind: Schema = STORE) -> None:
    """Bring a file of this version (0: an empty one) up to the present one. To be called in a transaction."""
    for later in kind.versions[version:]:
        for statement in later.statements or filter(None, later.objects.values()):
            db.execute(statement)
    db.execute(f"PRAGMA application_id = {kind.application_id}")
    db.execute(f"PRAGMA user_version = {kind.version}")


def _schema(kind: Schema, version: int) -> set[str]:
    objects = dict(chain.from_iterable(each.objects.items() for each in kind.versions[:version]))
    return {sql for sql in objects.values() if sql is not None}
