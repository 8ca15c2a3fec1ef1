"""What a setting names, as files, and how their changes are seen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrapy_polite.blacklist.lines import ListError
from scrapy_polite.blacklist.sources import ListFile, Source, compiled_path, fingerprint, snapshot, superseded


@pytest.mark.parametrize(
    ("given", "source"),
    [
        ("lists/*.txt", Source("lists/*.txt")),
        (Path("ads.txt"), Source("ads.txt")),
        ({"path": "ads.txt"}, Source("ads.txt")),
        ({"path": Path("ads.txt"), "format": "hosts", "action": "audit"}, Source("ads.txt", "hosts", "audit")),
    ],
)
def test_a_source_of_a_setting(given: object, source: Source) -> None:
    assert Source.read(given) == source


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("", "expected a path"),
        (7, "expected a path"),
        ({}, "expected a path"),
        ({"path": None}, "expected a path"),
        ({"path": "a", "format": "host"}, "'host': expected one of plain, hosts"),
        ({"path": "a", "action": "block"}, "'block': expected one of drop, audit"),
        ({"path": "a", "url": "b"}, "'url' of .*: expected one of path, format, action"),
    ],
)
def test_what_is_no_source_says_why(given: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Source.read(given)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    for name in ("b.txt", "a.txt", "c.csv", "ut1/adult/domains", "ut1/adult/urls", "ut1/ads/domains.gz", "ut1/x/y"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "[x].txt").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("source", "files"),
    [
        (Source("a.txt", "hosts"), [("a.txt", "hosts")]),
        (Source("?.txt"), [("a.txt", None), ("b.txt", None)]),
        (Source("[x].txt"), [("[x].txt", None)]),
        (Source("ut1/adult"), [("ut1/adult/domains", "plain"), ("ut1/adult/urls", "urls")]),
        (
            Source("ut1/a*"),
            [("ut1/ads/domains.gz", "plain"), ("ut1/adult/domains", "plain"), ("ut1/adult/urls", "urls")],
        ),
    ],
)
def test_the_files_of_a_source(base: Path, source: Source, files: list[tuple[str, str | None]]) -> None:
    assert source.files(base) == [ListFile(base / name, format_name) for name, format_name in files]


@pytest.mark.parametrize(("path", "why"), [("d.txt", "no such file"), ("*.xz", "no such file"), ("ut1/x", "a folder")])
def test_a_source_without_files_is_an_error(base: Path, path: str, why: str) -> None:
    with pytest.raises(ListError, match=why):
        Source(path).files(base)


def test_a_snapshot_changes_with_the_files(base: Path) -> None:
    sources = [Source("?.txt")]
    before = snapshot(sources, base)
    assert snapshot(sources, base) == before

    written = base / "a.txt"
    written.write_text("example.com")
    grown = snapshot(sources, base)
    assert {file.path for file in grown if grown[file] != before[file]} == {written}

    replacement = base / "new"
    replacement.write_text("example.net")
    stamp = fingerprint(written).mtime_ns
    os.utime(replacement, ns=(stamp, stamp))
    replacement.replace(written)
    replaced = snapshot(sources, base)
    assert {file.path for file in replaced if replaced[file] != grown[file]} == {written}

    (base / "z.txt").touch()
    assert len(snapshot(sources, base)) == 3


def test_a_snapshot_of_what_is_gone_is_an_error(base: Path) -> None:
    (base / "dangling.txt").symlink_to(base / "nothing")
    with pytest.raises(ListError, match=r"dangling\.txt: No such file"):
        snapshot([Source("*.txt")], base)


def test_each_state_of_a_file_has_its_own_compiled_form(base: Path) -> None:
    seen = fingerprint(base / "a.txt")
    names = {
        compiled_path(base, ListFile(base / "a.txt", None), seen),
        compiled_path(base, ListFile(base / "a.txt", "hosts"), seen),
        compiled_path(base, ListFile(base / "b.txt", None), seen),
        compiled_path(base, ListFile(base / "a.txt", None), seen._replace(mtime_ns=seen.mtime_ns + 1)),
    }
    assert len(names) == 4
    assert compiled_path(base, ListFile(base / "a.txt", None), seen) in names


def test_the_compiled_forms_of_earlier_states_are_known_by_their_names(base: Path) -> None:
    file, seen = ListFile(base / "a.txt", None), fingerprint(base / "a.txt")
    now, before = (compiled_path(base, file, seen._replace(size=size)) for size in (2, 1))
    for path in (now, before, compiled_path(base, ListFile(base / "b.txt", None), seen)):
        path.touch()
    assert list(superseded(now)) == [before]
