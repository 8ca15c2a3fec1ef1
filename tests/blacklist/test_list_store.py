"""Lists that change while they are in use."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from scrapy_polite.blacklist.lines import ListError
from scrapy_polite.blacklist.list_store import RETRY_S, ListStore, Plan, ScanResult, compile_here
from scrapy_polite.blacklist.sources import Source

NOW = 1_800_000_000.0


@pytest.fixture
def base(tmp_path: Path) -> Path:
    written(tmp_path / "a.txt", "a.example\n")
    return tmp_path


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled in another process: that takes a second."""
    monkeypatch.setattr(ListStore, "_compile", lambda self, *what: compile_here(*what))


def written(path: Path, text: str, at: float = NOW - 100) -> None:
    path.write_text(text)
    os.utime(path, (at, at))


def list_store(base: Path, *paths: str, takedowns: Path | None = None) -> ListStore:
    made = ListStore(Plan(base, tuple(map(Source, paths or ("a.txt",))), takedowns=takedowns), base / "compiled")
    made.open()
    return made


def covers(made: ListStore, *hosts: str) -> list[bool]:
    return [made.lists.check(f"http://{host}/") is not None for host in hosts]


def entries(looked: ScanResult) -> list[tuple[str, int, int | None]]:
    return [(one.file.path.name, len(one.compiled), one.before) for one in looked.taken]


@pytest.mark.usefixtures("here")
def test_what_changes_is_read_and_what_does_not_is_not(base: Path) -> None:
    written(base / "b.txt", "b.example\n")
    made = list_store(base, "?.txt")
    before = made.lists
    assert made.look(NOW) == ScanResult()
    assert made.lists is before

    written(base / "a.txt", "a.example\nc.example\n", NOW - 50)
    assert entries(made.look(NOW)) == [("a.txt", 2, 1)]
    assert covers(made, "a.example", "b.example", "c.example") == [True, True, True]


@pytest.mark.usefixtures("here")
def test_files_of_a_pattern_come_and_go(base: Path) -> None:
    made = list_store(base, "?.txt")
    written(base / "b.txt", "b.example\n")
    assert entries(made.look(NOW)) == [("b.txt", 1, None)]
    (base / "a.txt").unlink()
    assert made.look(NOW).gone == [base / "a.txt"]
    assert covers(made, "a.example", "b.example") == [False, True]


@pytest.mark.usefixtures("here")
def test_a_file_that_is_being_written_is_read_when_two_looks_agree_and_at_the_fourth_at_last(base: Path) -> None:
    made = list_store(base)
    written(base / "a.txt", "b.example\n", NOW - 0.1)
    assert made.look(NOW) == ScanResult(unsettled=True)
    assert covers(made, "a.example", "b.example") == [True, False]
    assert entries(made.look(NOW)) == [("a.txt", 1, 1)]

    for step in range(3):
        written(base / "a.txt", "c.example\n" * (step + 1), NOW + step)
        assert made.look(NOW + step) == ScanResult(unsettled=True)
    written(base / "a.txt", "c.example\n" * 9, NOW + 3)
    assert entries(made.look(NOW + 3)) == [("a.txt", 9, 1)]


@pytest.mark.usefixtures("here")
def test_what_cannot_be_read_stays_in_force_is_told_once_and_read_when_it_can_be(base: Path) -> None:
    made = list_store(base)
    written(base / "a.txt", "<html>\n", NOW - 50)
    (sentence,) = made.look(NOW).failed
    assert sentence.startswith(f"{base / 'a.txt'}: no list")
    assert made.look(NOW) == ScanResult()
    (base / "a.txt").unlink()
    assert made.look(NOW).failed == [f"{base / 'a.txt'}: no such file"]
    assert made.look(NOW) == ScanResult()
    assert covers(made, "a.example") == [True]

    written(base / "a.txt", "b.example\n", NOW - 40)
    assert entries(made.look(NOW)) == [("a.txt", 1, 1)]
    assert covers(made, "a.example", "b.example") == [False, True]


@pytest.mark.usefixtures("here")
def test_what_could_not_be_compiled_is_tried_again_though_the_file_is_the_same(base: Path) -> None:
    made = list_store(base)
    shutil.rmtree(base / "compiled")
    (base / "compiled").write_text("in the way")
    written(base / "a.txt", "b.example\n" + "# a long list\n" * 30_000, NOW - 50)
    assert len(made.look(NOW).failed) == 1
    assert made.look(NOW + RETRY_S) == ScanResult()  # told once

    (base / "compiled").unlink()
    assert made.look(NOW + RETRY_S + 1) == ScanResult()
    assert entries(made.look(NOW + 2 * RETRY_S)) == [("a.txt", 1, 1)]
    assert covers(made, "a.example", "b.example") == [False, True]


def test_a_compiler_that_dies_is_told_with_the_list(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = list_store(base)
    monkeypatch.setattr("scrapy_polite.blacklist.list_store._MODULE", "scrapy_polite.no_such_module")
    written(base / "a.txt", "b.example\n", NOW - 50)
    (sentence,) = made.look(NOW).failed
    assert sentence.startswith(f"{base / 'a.txt'}: compiling it ended with status 1: ")


def test_a_list_that_another_user_has_compiled_is_used(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    list_store(base)
    monkeypatch.setattr("scrapy_polite.blacklist.list_store.os.utime", refused)
    assert covers(list_store(base), "a.example") == [True]


@pytest.mark.usefixtures("here")
def test_one_list_that_is_broken_keeps_no_other_from_being_read(base: Path) -> None:
    written(base / "b.txt", "b.example\n")
    made = list_store(base, "a.txt", "b.txt")
    (base / "a.txt").unlink()
    written(base / "b.txt", "c.example\n", NOW - 50)
    looked = made.look(NOW)
    assert (len(looked.failed), entries(looked)) == (1, [("b.txt", 1, 1)])
    assert covers(made, "a.example", "b.example", "c.example") == [True, False, True]


@pytest.mark.usefixtures("here")
def test_takedowns_may_come_later_and_are_not_lifted_by_deleting_them(base: Path) -> None:
    path = base / "takedowns.txt"
    made = list_store(base, takedowns=path)
    assert made.look(NOW) == ScanResult()
    written(path, "b.example\n")
    assert entries(made.look(NOW)) == [("takedowns.txt", 1, None)]
    match = made.lists.check("http://b.example/")
    assert match is not None
    assert match.action == "takedown"
    path.unlink()
    assert len(made.look(NOW).failed) == 1
    assert covers(made, "b.example") == [True]


def test_a_file_is_compiled_in_another_process_and_its_earlier_forms_deleted(base: Path) -> None:
    made = list_store(base)
    written(base / "a.txt", "!\n", NOW - 50)
    (sentence,) = made.look(NOW).failed
    assert sentence.startswith(f"{base / 'a.txt'}: no list")
    written(base / "a.txt", "b.example\n", NOW - 40)
    assert entries(made.look(NOW)) == [("a.txt", 1, 1)]
    assert len(list((base / "compiled").iterdir())) == 1


@pytest.mark.usefixtures("here")
def test_a_compiled_file_that_is_damaged_is_made_again(base: Path) -> None:
    list_store(base)
    (compiled,) = (base / "compiled").iterdir()
    compiled.write_bytes(compiled.read_bytes()[:100])
    assert covers(list_store(base), "a.example") == [True]


def test_compiled_files_that_nobody_uses_are_deleted_in_time(base: Path) -> None:
    list_store(base)
    old = base / "compiled/0-0.list"
    written(old, "", 0)
    list_store(base)
    assert not old.exists()
    assert len(list((base / "compiled").iterdir())) == 1


def test_a_short_list_needs_no_folder(base: Path) -> None:
    (base / "compiled").write_text("")
    assert covers(list_store(base), "a.example") == [True]


def test_a_folder_that_cannot_be_written_is_named_where_a_list_is_long(base: Path) -> None:
    (base / "compiled").write_text("")
    written(base / "a.txt", "".join(f"host-{number}.example\n" for number in range(20_000)))
    with pytest.raises(ListError, match=r"a\.txt cannot be compiled into the folder .*compiled: "):
        list_store(base)
