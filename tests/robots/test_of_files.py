"""`python -m scrapy_polite.robots test`, `diff` and `farms`, and what all commands on files say of bad input."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from scrapy_polite.robots.__main__ import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    for name, body in {
        "robots.txt": b"User-agent: *\nDisallow: /private\n",
        "new.txt": b"User-agent: *\nDisallow: /private\nDisallow: /news\n",
        "urls": b"/private/1\n/news/1\n",
        "agents": b"Googlebot\n",
        "expect": b"disallow * /private/1\nallow Googlebot /news/1\n",
        "binary": b"\x00\x01\x02\n",
        "packed": gzip.compress(b"/private/1\n"),
        "utf-16": "/private/1\n".encode("utf-16"),
        "latin-1": b"/a\n/caf\xe9\n",
        "long": b"/" + b"x" * 70_000,
        "empty": b"",
    }.items():
        (tmp_path / name).write_bytes(body)
    for host in ("a.example", "b.example", "c.example"):
        path = tmp_path / "hosts" / f"{host}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("User-agent: *\nDisallow: /" + ("own" if host < "c" else "other"))

    def run_(*words: str) -> tuple[int, str, str]:
        status = main(words)
        return status, *capsys.readouterr()

    return run_


def test_expectations_are_held_against_files(run: Run) -> None:
    assert run("test", "--expect", "expect") == (0, "2 expectations, 0 mismatches\n", "")
    status, told, _ = run("test", "--expect", "expect", "--dialect", "rfc", "robots.txt", "new.txt")
    assert status == 1
    assert told.startswith("expect, line 2: Googlebot is refused at /news/1, expected allowed: new.txt says line 3: ")


def test_files_are_compared_for_a_crawler_that_they_do_not_name(run: Run) -> None:
    status, told, _ = run("diff", "robots.txt", "new.txt", "--urls", "urls")
    assert status == 1
    assert told.endswith("1 of 2 URLs change: 1 refused now, 0 allowed now, for *\n")
    assert run("diff", "new.txt", "new.txt", "--urls", "urls")[0] == 0


def test_hosts_of_a_folder_that_share_a_file_are_listed_and_drawn(run: Run, tmp_path: Path) -> None:
    status, told, _ = run("farms", "hosts", "--svg", "farms.svg")
    assert (status, told.count("\n")) == (0, 1)
    assert told.endswith("a.example, b.example\n")
    assert "a.example, b.example" in (tmp_path / "farms.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("test --expect none", "none: cannot be read (No such file or directory); give the path of a text file"),
        ("test --expect binary", "binary, line 1: binary data, and no text; give a file that is plain UTF-8 text"),
        ("test --expect packed", "packed, line 1: the file is compressed; unpack it first"),
        ("test --expect utf-16", "utf-16, line 1: the file is UTF-16; save it as UTF-8"),
        ("test --expect empty", "empty: expects nothing; give: allow|disallow AGENT URL [line=N] [dialect=NAME]"),
        (
            "test --expect expect none",
            "none: cannot be read (No such file or directory); give the path of a robots.txt",
        ),
        ("test --expect expect hosts", "hosts: cannot be read (Is a directory); give the path of a robots.txt"),
        (
            "test --expect expect packed",
            "packed, line 1: binary data, and no text; give a robots.txt that is plain UTF",
        ),
        ("test --expect expect https://a.example", "https://a.example is no file: save its robots.txt, or let `scrapy"),
        ("test --agents empty --urls urls", "empty: names no crawler; give one a line, such as Googlebot, or *"),
        ("diff robots.txt new.txt --urls latin-1", "latin-1, line 2: no UTF-8 at byte 5; save the file as UTF-8"),
        ("diff robots.txt new.txt --urls long", "long, line 1: longer than 65,536 bytes; give one entry a line"),
        ("diff robots.txt binary --urls urls", "binary, line 1: binary data, and no text; give a robots.txt that is"),
        ("diff robots.txt new.txt --urls empty", "empty: holds no URL; give one a line, such as https://example.com/x"),
        ("diff robots.txt new.txt --urls urls --origin gopher://a", "--origin: no origin for scheme 'gopher'"),
        ("farms none", "there is no folder 'none': give a folder of robots.txt named by their hosts"),
        ("farms hosts --svg none/x.svg", "--svg 'none/x.svg' cannot be written: No such file or directory"),
    ],
)
def test_bad_input_is_one_line_that_names_the_file_the_line_and_the_fix(run: Run, words: str, told: str) -> None:
    status, _, said = run(*words.split())
    assert status == 2
    assert said.startswith(f"python -m scrapy_polite.robots {words.split(maxsplit=1)[0]}: {told}")
    assert said.count("\n") == 1
