"""A reading on a terminal: what is said, in any width and height, and with texts that mean harm."""

from __future__ import annotations

import io
import json
import time
from pathlib import Path

import pytest

from run_parts import PAYLOADS, STARTED, write_run
from scrapy_polite.watch.cells import columns, cut, folded, padded
from scrapy_polite.watch.screen import Screen, can_draw, has_colours
from scrapy_polite.watch.terminal import BAD, STRONG, Line, lines
from scrapy_polite.watch.watching import Watching
from watch_parts import Terminal, hostile_snapshot, live_run, put_snapshot, queues

HOST = {"host": "shop.example", "queued": 60, "pace_s": 10.0, "pace_source": "Crawl-delay", "state": "in turn"}


def shown(root: Path, width: int = 100, height: int | None = None) -> list[str]:
    return [line.text for line in lines(Watching(root).read(time.time()), width, height)]


def test_the_first_line_answers_why_it_is_still_running(tmp_path: Path) -> None:
    live_run(tmp_path, queues=queues(HOST))
    first, *rest = shown(tmp_path, 300)
    assert first.startswith("Why is it still running? It ")
    assert "shop.example" in first
    text = "\n".join(rest)
    for part in ("40 pages requested", "30 2xx, 8 4xx, 2 without an answer", "60 requests queued", "1 ready, 2 closed"):
        assert part in text
    assert "refused  7 robots/disallow" in text
    (row,) = [line for line in rest if line.split()[:1] == ["shop.example"]]
    assert row.split()[1:4] == ["60", "10", "s"]


def test_of_several_runs_each_is_answered_for_first(tmp_path: Path) -> None:
    for spider in ("shop", "news"):
        live_run(tmp_path, spider)
    first, *rest = shown(tmp_path)
    assert first == "Why are these 2 still running?"
    assert sorted(line.partition(":")[0] for line in rest[:2]) == ["  news", "  shop"]


def test_a_run_that_ended_or_was_killed_says_how(tmp_path: Path) -> None:
    files = live_run(tmp_path, "shop")
    put_snapshot(files, reason="closespider_timeout", at=time.time() - 120)
    first, _, title, *_ = shown(tmp_path, 300)
    assert first.startswith("shop: It runs no longer: it ended at ")
    assert title.startswith("shop: closespider_timeout, 2 min ago")
    files = live_run(tmp_path, "news", started=time.time() - 700)
    put_snapshot(files, at=time.time() - 600)
    reading = Watching(tmp_path, "news").read(time.time())
    assert [run.state for run in reading.runs] == ["ended without closing"]
    assert any(line.style == BAD and "ended without closing, 10 min ago" in line.text for line in lines(reading, 100))


def test_a_run_that_is_not_heard_of_says_so_and_tells_no_rate(tmp_path: Path) -> None:
    watching, now = Watching(tmp_path), time.time()
    files = live_run(tmp_path, at=now - 45, pages={"sent": {"fresh": 1}, "answered": {}})
    watching.read(now - 45)
    put_snapshot(files, at=now - 40)
    (run,) = watching.read(now - 40).runs
    assert run.a_second == pytest.approx(39 / 5)
    reading = watching.read(now)
    assert any(line.style == BAD and "last heard of 40 s ago" in line.text for line in lines(reading, 100))
    assert reading.runs[0].why[0].startswith("Nothing has been heard of it for 40 s")
    assert reading.runs[0].a_second is None
    assert not [line.text for line in lines(reading, 100) if "of late" in line.text]


def test_without_a_run_it_says_so(tmp_path: Path) -> None:
    assert shown(tmp_path / "none", 1_000) == [f"No crawl has written anything to {tmp_path}/none yet."]
    (tmp_path / "file").touch()
    lines = shown(tmp_path / "file", 1_000)
    assert lines[0] == f"No run in {tmp_path}/file can be read."
    assert lines[-1] == f"{tmp_path}/file cannot be read: Not a directory"


@pytest.mark.parametrize("width", [10, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal(tmp_path: Path, width: int) -> None:
    wide = "漢字.example"
    live_run(tmp_path, "shop", queues=queues(HOST, HOST | {"host": wide * 9, "detail": wide * 90}))
    live_run(tmp_path, wide * 5, refused={f"robots/{number}": number for number in range(1, 40)})
    assert max(columns(line) for line in shown(tmp_path, width)) <= width


@pytest.mark.parametrize("height", [1, 2, 5, 12, 22, 50, 150])
def test_of_many_runs_as_much_is_shown_as_there_is_room_for(tmp_path: Path, height: int) -> None:
    for number in range(20):
        live_run(tmp_path, f"spider{number}", queues=queues(HOST))
    found = shown(tmp_path, 80, height)
    assert len(found) <= height
    if height > 20:  # one line for each is enough to answer
        assert found[0] == "Why are these 20 still running?"
        assert sum("40 pages" in line for line in found) == 20
        assert sum("It is at work" in line for line in found) == 20


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_what_comes_from_the_network_does_nothing_to_the_terminal(tmp_path: Path, payload: str) -> None:
    live_run(tmp_path, payload, **hostile_snapshot(payload))
    write_run(tmp_path, [], reason=payload, spider=payload, started=STARTED)
    reading = Watching(tmp_path).read(time.time())
    assert len(reading.runs) == 1
    terminal = Terminal()
    for width in (40, 120):
        for line in lines(reading, width):
            assert line.text.isprintable()
            terminal.write(line.painted() + "\n")
    for line in lines(Watching(tmp_path, payload).read(time.time()), 80):
        assert line.text.isprintable()


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_frame_is_drawn_over_the_one_before() -> None:
    stream, terminal = Tty(), Terminal()
    screen = Screen(stream, colours=True)
    for frame in (["one", "two, long", "three"], ["1", "2"], ["uno", "dos", "tres", "cuatro"]):
        screen.draw([Line(text, STRONG) for text in frame])
        terminal.write(stream.getvalue())
        stream.seek(0)
        stream.truncate()
        assert terminal.rows == [*frame, ""]


def test_colours_are_left_out_where_the_environment_asks_for_that() -> None:
    stream = Tty()
    Screen(stream, colours=has_colours({"NO_COLOR": "1"})).draw([Line("bad", BAD)])
    assert "\x1b[31m" not in stream.getvalue()
    assert has_colours({"NO_COLOR": ""})
    assert has_colours({})
    assert not can_draw(Tty(), {"TERM": "dumb"})
    assert not can_draw(io.StringIO(), {"TERM": "xterm"})


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("a bc def", 4, ["a bc", "def"]),
        ("abcdefgh i", 3, ["abc", "def", "gh", "i"]),
        ("漢字漢字", 3, ["漢", "字", "漢", "字"]),
        ("", 5, [""]),
        ("e\u0301e\u0301e\u0301", 2, ["e\u0301e\u0301", "e\u0301"]),
    ],
)
def test_text_is_folded_to_the_columns_that_it_takes(text: str, width: int, expected: list[str]) -> None:
    assert list(folded(text, width)) == expected


def test_cells_are_as_wide_as_they_are_to_be() -> None:
    assert [cut("漢字漢", 4), cut("abc", 3), cut("abcd", 3), cut("abc", 0)] == ["漢…", "abc", "ab…", ""]
    assert [padded("漢", 4), padded("ab", 4, right=True), columns(padded("漢字漢", 4))] == ["漢  ", "  ab", 4]
    assert json.dumps(cut("\ud800", 5))
