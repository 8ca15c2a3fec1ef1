"""`scrapy polite metrics` on the real command line."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import yaml
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families

import warm
from commandline import make_project
from crawls import environment
from metric_parts import snapshot, write_worker
from projects import scrapy


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = make_project(tmp_path / "project")
    now = time.time()
    write_worker(made / ".scrapy" / "polite" / "runs", snapshot(3), started=now - 60, at=now)
    return made


@contextmanager
def running(project: Path, *arguments: str) -> Iterator[warm.Process]:
    process = warm.Process(["-m", "scrapy", "polite", "metrics", *arguments], cwd=project, env=environment())
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)


def pages(text: str) -> list[float]:
    return [
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "scrapy_polite_pages_total" and sample.labels["rules"] == "fresh"
    ]


def test_it_prints_its_address_serves_what_there_is_and_ends_at_ctrl_c(project: Path) -> None:
    with running(project) as process:
        address = process.first_line()
        assert address.startswith("http://127.0.0.1:")
        with urlopen(address) as answer:
            assert answer.headers["Content-Type"].startswith("text/plain; version=")
            assert pages(answer.read().decode()) == [3]
        now = time.time()
        write_worker(project / ".scrapy" / "polite" / "runs", snapshot(5), started=now - 60, at=now)
        # The format that Prometheus asks for, by a parser that is strict about it.
        with urlopen(Request(address, headers={"Accept": "application/openmetrics-text; version=1.0.0"})) as answer:
            families = {family.name: family for family in openmetrics(answer.read().decode())}
        assert [sample.value for sample in families["scrapy_polite_pages"].samples] == [5, 0, 0, 0]
        process.send_signal(signal.SIGINT)
        output, error = process.communicate(30)
    assert (process.returncode, output, error) == (0, f"{address}\n", "")


def test_a_file_for_node_exporter_is_written_once_or_again_and_again(project: Path) -> None:
    folder = project / "textfiles"
    folder.mkdir()
    damaged = project / ".scrapy" / "polite" / "runs" / "shop" / "damaged" / "x.run.json"
    damaged.parent.mkdir()
    damaged.touch()
    once = scrapy(project, "polite", "metrics", "--textfile", str(folder))
    assert (once.returncode, once.stdout) == (0, "")
    assert once.stderr.startswith(f"left out: {damaged} is damaged: ")
    assert once.stderr.count("\n") == 1
    damaged.unlink()
    (file,) = folder.iterdir()
    assert file.name == "scrapy_polite.prom"
    assert pages(file.read_text()) == [3]
    assert stat.S_IMODE(file.stat().st_mode) & 0o444 == 0o444 & ~_umask()
    with running(project, "--textfile", str(file), "--every", "1") as process:
        now = time.time()
        write_worker(project / ".scrapy" / "polite" / "runs", snapshot(9), started=now - 60, at=now)
        while pages(file.read_text()) != [9]:
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        output, error = process.communicate(30)
    assert (process.returncode, output, error) == (0, "", "")
    assert [path.name for path in folder.iterdir()] == ["scrapy_polite.prom"]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_rules_and_dashboard_are_printed_without_a_project(tmp_path: Path) -> None:
    rules = yaml.safe_load(scrapy(tmp_path, "polite", "metrics", "--rules").stdout)
    assert sum(len(group["rules"]) for group in rules["groups"]) > 10
    assert json.loads(scrapy(tmp_path, "polite", "metrics", "--dashboard").stdout)["title"] == "scrapy-polite"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--port", "x"], "argument --port: is 'x', expected a whole number from 0 to 65,535"),
        (["--hosts", "1000"], "argument --hosts: is '1000', expected a whole number from 0 to 100"),
        (["--every", "5"], "--every goes with --textfile"),
        (["--textfile", "metrics.txt"], "--textfile is 'metrics.txt', expected a folder or a file *.prom"),
        (["--textfile", "nowhere/x.prom"], "nowhere/x.prom cannot be written: "),
        (["--address", "192.0.2.1"], "cannot listen on 192.0.2.1, port 0 (--address, --port): "),
    ],
)
def test_what_cannot_be_done_is_said(project: Path, arguments: list[str], said: str) -> None:
    done = scrapy(project, "polite", "metrics", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_is_said(project: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = scrapy(project, "polite", "metrics", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "Address already in use" in done.stderr


def test_without_prometheus_client_it_says_what_to_install(project: Path) -> None:
    without: dict[str, Any] = {"prometheus_client": None}
    code = f"import sys; sys.modules.update({without}); from scrapy.cmdline import execute; execute()"
    command = [sys.executable, "-c", code, "polite", "metrics"]
    done = subprocess.run(command, cwd=project, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'scrapy-polite[prometheus]'" in done.stderr
    rules = subprocess.run([*command, "--rules"], cwd=project, env=environment(), capture_output=True, check=False)
    assert rules.returncode == 0
