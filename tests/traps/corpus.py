"""Where the corpus of real URLs is read from: `POLITE_CORPUS`, or `../shared/corpus` beside the project.

Loaded with `runpy` by tests and by benchmarks.
"""

from __future__ import annotations

import lzma
import os
from pathlib import Path

CORPUS = Path(os.environ.get("POLITE_CORPUS") or Path(__file__).parents[2].parent / "shared" / "corpus") / "urls"
MISSING = None if CORPUS.is_dir() else f"corpus not found at {CORPUS.parent}: set POLITE_CORPUS"


def real_urls() -> list[str]:
    with lzma.open(CORPUS / "real_urls.txt.xz", "rt", encoding="utf-8", newline="\n") as lines:
        return [line.rstrip("\n") for line in lines if line.strip()]
