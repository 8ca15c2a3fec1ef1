"""The commands about robots.txt that need no project."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from crawls import environment
from scrapy_polite.robots import subcommands
from scrapy_polite.robots.__main__ import main
from scrapy_polite.robots.subcommands import Subcommand

if TYPE_CHECKING:
    from scrapy_polite._commandline import Parser


@pytest.fixture
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    def add_arguments(parser: Parser) -> None:
        parser.add_argument("status", type=int)

    one = Subcommand("echo", "its exit status is the one it is given", add_arguments, lambda opts: int(opts.status))
    monkeypatch.setattr(subcommands, "SUBCOMMANDS", (one,))


def test_nothing_of_them_imports_scrapy_or_twisted() -> None:
    code = (
        "import sys, scrapy_polite.robots.__main__\n"
        "print(*({'scrapy', 'twisted'} & {name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.usefixtures("echo")
def test_the_exit_status_is_the_subcommands() -> None:
    assert [main(["echo", str(status)]) for status in (0, 1, 2)] == [0, 1, 2]


def test_what_the_system_refuses_is_one_line_and_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["farms", "a" * 5_000]) == 2
    told = capsys.readouterr().err
    assert told.startswith("python -m scrapy_polite.robots farms: [Errno 36] File name too long: 'aaa")
    assert (told.count("\n"), len(told) < 600) == (1, True)


@pytest.mark.parametrize(
    ("redirections", "status", "told"),
    [
        ("< /dev/null > /dev/full", 2, "python -m scrapy_polite.robots lint: [Errno 28] No space left on device\n"),
        (
            "<&- >&-",
            2,
            "standard input is closed: give the path of a robots.txt\n",
        ),
    ],
)
def test_streams_that_cannot_be_used_are_one_line(redirections: str, status: int, told: str) -> None:
    line = f"'{sys.executable}' -m scrapy_polite.robots lint - {redirections}"
    buffered = environment() | {"PYTHONUNBUFFERED": ""}  # as by default
    done = subprocess.run(["sh", "-c", line], env=buffered, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, told)


@pytest.mark.usefixtures("echo")
def test_wrong_words_give_two_lines_and_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["echo", "many"])
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("python -m scrapy_polite.robots echo: argument status: invalid int value")
