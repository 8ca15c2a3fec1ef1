"""A takedown calls the project's own deleters on the real command line, tells their answers, and keeps them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from commandline import make_project
from projects import scrapy

PLACES = ("https://town.example/people/jane", "news.example")
RECEIVERS = """
import asyncio
import time

from scrapy_polite.signals import polite_takedown

class Forgets:
    def __init__(self, crawler):
        for receiver in (self.deletes, self.waits, self.fails, self.hangs):
            crawler.signals.connect(receiver, polite_takedown)
        assert crawler.stats is not None

    @classmethod
    def from_crawler(cls, crawler):
        return cls(crawler)

    def deletes(self, takedown):
        spelled = ("http://town.example:80/people/jane", "https://town.example/people/jane/2", "https://a.news.example/")
        return f"undo {takedown.undo}, covers {[takedown.covers(url) for url in spelled]}\\x1b[2J"

    async def waits(self, takedown):
        await asyncio.sleep(0)
        return 3

    def fails(self, takedown):
        raise OSError("no database")

    def hangs(self, takedown):
        if not takedown.undo:
            time.sleep(300)

class Broken:
    def __init__(self):
        raise RuntimeError("no key")
"""
COMMAND = """
import json, sys
told = json.loads(sys.stdin.readline())
open(sys.argv[1], "a").write(json.dumps(told) + "\\n")
print("seen " * 1_000_000)
sys.exit(3 if told["undo"] else 0)
"""


def project_with(folder: Path, command: list[str], **more: Any) -> Path:
    settings = {"POLITE_TAKEDOWN_COMMAND": command, **more}
    return make_project(folder / "project", settings, extra={"receivers": RECEIVERS})


def takedown(project: Path, *words: str, status: int = 0) -> dict[str, Any]:
    process = scrapy(project, "polite", "takedown", "--json", *PLACES, *words)
    assert process.returncode == status, process.stderr
    said: dict[str, Any] = json.loads(process.stdout)
    return said


def logged(project: Path) -> list[Any]:
    log = project / ".scrapy" / "polite" / "takedowns.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()]


def test_a_command_is_told_once_it_is_to_be_done_and_when_it_is_undone(tmp_path: Path) -> None:
    told = tmp_path / "told"
    project = project_with(tmp_path, [sys.executable, "-c", COMMAND, str(told)])
    before = scrapy(project, "polite", "takedown", *PLACES)
    assert before.returncode == 0, before.stderr
    assert f"would be called: command {sys.executable} (POLITE_TAKEDOWN_COMMAND)" in before.stdout
    assert not told.exists()
    done = takedown(project, "--why", "a mail", "--yes")
    undone = takedown(project, "--undo", "--yes", status=1)
    first, second = map(json.loads, told.read_text().splitlines())
    assert first == {
        "time": done["time"],
        "undo": False,
        "places": [*PLACES],
        "patterns": [
            {"kind": "url", "text": "town.example/people/jane"},
            {"kind": "host", "text": "news.example"},
        ],
        "why": "a mail",
    }
    assert second["undo"] is True
    (answer,) = done["answers"]
    assert answer["answer"].startswith("seen seen")
    assert len(answer["answer"]) <= 1_000
    assert "exit status 3" in undone["answers"][0]["fault"]
    assert [record["answers"] for record in logged(project)] == [done["answers"], undone["answers"]]


def test_each_receiver_of_the_signal_answers_for_itself_and_none_keeps_another_from_it(tmp_path: Path) -> None:
    extensions = {"testproject.receivers.Forgets": 1, "testproject.receivers.Broken": 2}
    project = project_with(
        tmp_path, ["/no/such/program"], EXTENSIONS=extensions, POLITE_TAKEDOWN_TIMEOUT=1, TELNETCONSOLE_ENABLED=True
    )
    done = takedown(project, "--yes", status=1)
    answers = {answer["name"].split(".")[-1]: answer for answer in done["answers"]}
    assert answers["deletes"]["answer"] == "undo False, covers [True, False, True]\\x1b[2J"
    assert answers["waits"]["answer"] == "3"
    assert answers["fails"]["fault"] == "OSError: no database"
    assert answers["hangs"]["fault"] == "no answer within 1 s (POLITE_TAKEDOWN_TIMEOUT)"
    assert answers["Broken"]["fault"] == "it cannot be made: RuntimeError: no key"
    (command,) = (answer for name, answer in answers.items() if "such/program" in name)
    assert "it cannot be run" in command["fault"]
    assert logged(project)[0]["answers"] == done["answers"]
    shown = scrapy(project, "polite", "takedown", *PLACES, "--yes", "--undo")
    assert shown.returncode == 1
    assert "Forgets.deletes: undo True" in shown.stdout
    assert "! OSError: no database" in shown.stdout


def test_a_command_that_takes_too_long_is_ended_with_what_it_has_started(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    project = project_with(tmp_path, ["/bin/sh", "-c", f"sleep 300 > {pipe} & wait"], POLITE_TAKEDOWN_TIMEOUT=1)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        done = takedown(project, "--yes", status=1)
        assert "ended after 1 s" in done["answers"][0]["fault"]
        assert os.read(reader, 1) == b""  # with a process at its other end it were BlockingIOError
    finally:
        os.close(reader)
