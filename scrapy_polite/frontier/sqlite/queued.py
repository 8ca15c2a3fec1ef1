"""What the queue in a job directory holds, read beside the crawl that may be at work on it."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from scrapy_polite.frontier.queue import FrontierError
from scrapy_polite.frontier.queued import Queued
from scrapy_polite.frontier.sqlite.schema import APPLICATION_ID, FILE_NAME, SCHEMA_VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_KIND = "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version"
_LANES = "SELECT name, count(*) FROM requests JOIN lanes ON lanes.id = requests.lane GROUP BY lane"
_SET_ASIDE = "SELECT count(*) FROM set_aside"


def read_queue(folder: Path) -> Queued:
    """Reads only, and takes no lock that a crawl would notice. Raises FrontierError."""
    with reading(folder) as db:
        return Queued.of(db.execute(_LANES), db.execute(_SET_ASIDE).fetchone()[0])


@contextmanager
def reading(folder: Path) -> Iterator[sqlite3.Connection]:
    """The queue's file, whose answers are all from the same moment. Raises FrontierError, also while it is read."""
    path = folder / FILE_NAME
    if not folder.is_dir():
        raise FrontierError(f"there is no job directory {str(folder)!r}")
    if not path.exists():
        if any(folder.glob("requests.queue/*")):
            raise FrontierError(f"{folder} holds the queue of Scrapy's own scheduler, which knows no hosts")
        raise FrontierError(f"{folder} holds no queue ({FILE_NAME}): name the JOBDIR of a crawl with this scheduler")
    # Without a log nobody is at work on the file, and reading it so leaves none behind.
    mode = "mode=ro" if path.with_name(f"{FILE_NAME}-wal").exists() else "immutable=1"
    try:
        with closing(connect(path, mode)) as db:
            application_id, version = db.execute(_KIND).fetchone()
            if application_id != APPLICATION_ID:
                raise FrontierError(f"{path} is not a queue of scrapy-polite")
            if version != SCHEMA_VERSION:
                raise FrontierError(f"{path} is of schema {version}, and this scrapy-polite knows {SCHEMA_VERSION}")
            db.execute("BEGIN")
            yield db
    except (sqlite3.Error, OSError) as error:
        raise FrontierError(f"{path} cannot be read: {error}") from error


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Open a file as its URI's parameters say, without transactions that begin by themselves."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None)
