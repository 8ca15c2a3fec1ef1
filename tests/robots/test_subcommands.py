"""The commands about robots.txt that need no project."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

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


@pytest.mark.usefixtures("echo")
def test_wrong_words_give_two_lines_and_exit_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["echo", "many"])
    assert left.value.code == 2
    assert capsys.readouterr().err.startswith("python -m scrapy_polite.robots echo: argument status: invalid int value")
