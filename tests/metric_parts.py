"""Runs on disk as crawls would have left them, to be exported; and what an export says."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prometheus_client.parser import text_string_to_metric_families

from run_parts import HEAD
from scrapy_polite.metrics.histogram import ANSWER_S, Histogram
from scrapy_polite.runs.files import WorkerFiles, folder_name, replaced

if TYPE_CHECKING:
    from scrapy_polite.metrics.export import Exporter

_RESERVED = {"by", "without", "on", "ignoring", "and", "or", "unless", "time"}


def snapshot(pages: int = 0, **more: Any) -> dict[str, Any]:
    """What a crawl that has requested so many pages writes, all answered; `more` are keys of `metrics`."""
    answers = Histogram(ANSWER_S)
    for _ in range(pages):
        answers.observe(0.2)
    return {
        "pages": {"sent": {"fresh": pages}, "answered": {"200": pages}},
        "refused": {},
        "metrics": {"answers": answers.facts(), "bytes": 1_000 * pages} | more,
    }


def write_worker(
    root: Path,
    says: Mapping[str, Any],
    *,
    run: str = "run",
    worker: str = "worker",
    spider: str = "shop",
    job: str | None = None,
    started: float,
    at: float,
    reason: str | None = None,
) -> WorkerFiles:
    """A worker's head and snapshot, in place of those before."""
    worker_files = WorkerFiles(root / folder_name(spider) / run, worker)
    worker_files.folder.mkdir(parents=True, exist_ok=True)
    replaced(worker_files.head, json.dumps(HEAD | {"spider": spider, "job": job, "started": started}))
    replaced(worker_files.snapshot, json.dumps({"at": at, "reason": reason} | dict(says)))
    settle(worker_files.folder)
    return worker_files


def settle(folder: Path) -> None:
    """Let a folder look as if it had changed some time ago, and at a time of its own."""
    at_ns = time.time_ns() - 60_000_000_000
    os.utime(folder, ns=(at_ns, at_ns))


def exported(exporter: Exporter) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    """The values by name and labels, without labels that are empty."""
    return {
        (sample.name, frozenset((name, value) for name, value in sample.labels.items() if value)): sample.value
        for family in text_string_to_metric_families(exporter.text())
        for sample in family.samples
    }


def value(exporter: Exporter, name: str, **labels: str) -> float | None:
    """One value of the spider "shop", unless `labels` name another; None where there is none."""
    wanted = frozenset(({"spider": "shop"} | labels).items())
    return exported(exporter).get((f"scrapy_polite_{name}", wanted))


def expressions(name: str) -> Iterator[str]:
    """The queries of the rules or of the dashboard."""
    text = (files("scrapy_polite.metrics") / name).read_text("utf-8")
    if name.endswith(".json"):
        yield from _found(json.loads(text), "expr")
    else:
        import yaml

        yield from _found(yaml.safe_load(text), "expr")


def _found(value: Any, key: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            if name == key:
                yield one
            else:
                yield from _found(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from _found(one, key)


def names_in(expression: str) -> set[str]:
    """The metrics that a query names: words that are no functions, operators or labels."""
    bare = re.sub(r'"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(by|without|on|ignoring)\s*\([^)]*\)', " ", expression)
    words = re.findall(r"[a-zA-Z_:][\w:]*(?!\w*\s*\()", bare)
    return {word for word in words if word not in _RESERVED}


def labels_in(expression: str) -> set[str]:
    """The labels that a query selects or groups by."""
    selected = re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", expression)
    grouped = re.findall(r"\b(?:by|without|on|ignoring)\s*\(([^)]*)\)", expression)
    return {*selected, *(label.strip() for labels in grouped for label in labels.split(","))}
