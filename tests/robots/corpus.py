"""Where the corpus of real robots.txt files and the verdicts of Google's parser on them are read from.

`POLITE_CORPUS`, or `../shared/corpus` beside the project. Loaded with `runpy` by tests and by benchmarks.
"""

from __future__ import annotations

import base64
import csv
import json
import lzma
import os
import tarfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

CORPUS = Path(os.environ.get("POLITE_CORPUS") or Path(__file__).parents[2].parent / "shared" / "corpus") / "robots"
MISSING = None if CORPUS.is_dir() else f"corpus not found at {CORPUS.parent}: set POLITE_CORPUS"


class Verdict(NamedTuple):
    """What Google's parser says; `line` counts from 1 and is 0 where no rule matched."""

    file: str
    agent: str
    url: str
    allowed: bool
    line: int


class Case(NamedTuple):
    """A case of a conformance suite."""

    name: str
    source: str
    body: bytes
    agent: str
    url: str
    allowed: bool


@lru_cache(maxsize=1)
def real_files() -> dict[str, bytes]:
    with tarfile.open(CORPUS / "robots_txt.tar.xz") as archive:
        return {
            member.name.rpartition("/")[2]: reader.read()
            for member in archive
            if member.isfile() and (reader := archive.extractfile(member))
        }


def verdicts(path: Path = CORPUS / "reference_verdicts.tsv.xz") -> Iterator[Verdict]:
    with lzma.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Verdict(row["file"], row["agent"], row["url"], row["allowed"] == "1", int(row["line"]))


def conformance() -> Iterator[Case]:
    for case in json.loads((CORPUS / "conformance.json").read_text("utf-8")):
        body = base64.b64decode(case["robots_b64"])
        yield Case(case["id"], case["source"], body, case["user_agent"], case["url"], case["expected_allowed"])
