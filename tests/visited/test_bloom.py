from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_polite.visited import bloom
from scrapy_polite.visited.bloom import BloomError, BloomFilter

RATE = 0.01


def item(number: int) -> bytes:
    return number.to_bytes(8, "big")


@pytest.fixture(params=["memory", "file"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path / "seen.bloom" if request.param == "file" else None


@pytest.fixture
def small_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bloom, "_FIRST_ITEMS", 1_000)


def share_of_strangers(seen: BloomFilter, count: int = 30_000) -> float:
    return sum(item(number) in seen for number in range(10**9, 10**9 + count)) / count


def test_says_once_of_each_item_that_it_is_new(path: Path | None) -> None:
    seen = BloomFilter(RATE, path)
    assert [seen.seen_or_add(name) for name in (b"a", b"b", b"a", b"", b"b", b"")] == [
        False,
        False,
        True,
        False,
        True,
        True,
    ]
    assert b"a" in seen
    assert b"c" not in seen
    assert len(seen) == 3


@pytest.mark.parametrize("rate", [0.05, 0.002])
def test_however_far_it_grows_it_knows_all_and_keeps_to_its_rate(
    rate: float, path: Path | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Layers of more than one block: that these fill unevenly is part of the rate.
    monkeypatch.setattr(bloom, "_FIRST_ITEMS", 40_000)
    seen = BloomFilter(rate, path)
    first_size = seen.size_bytes
    for number in range(40_000):
        seen.add(item(number))
    assert seen.size_bytes == first_size
    assert share_of_strangers(seen) <= rate
    for number in range(40_000, 280_000):
        seen.add(item(number))
    assert seen.size_bytes > 4 * first_size
    assert all(item(number) in seen for number in range(0, 280_000, 7))
    assert share_of_strangers(seen) <= rate


def test_the_stated_rate_takes_under_half_a_gigabyte_for_a_hundred_million() -> None:
    sizes, items = 0, 0
    for number in range(40):
        layer = bloom._layer_size(number, 1e-4)
        sizes += layer.blocks * bloom._BLOCK_BYTES
        items += layer.items
        if items >= 100_000_000:
            break
    assert sizes < 420e6


@pytest.mark.parametrize("count", [10, 2_500])
@pytest.mark.usefixtures("small_layers")
def test_a_file_holds_it_for_the_next_run(count: int, tmp_path: Path) -> None:
    path = tmp_path / "seen.bloom"
    first = BloomFilter(RATE, path)
    for number in range(count):
        first.add(item(number))
    first.close()
    again = BloomFilter(RATE, path)
    assert len(again) == count
    assert all(item(number) in again for number in range(count))
    size = again.size_bytes
    for number in range(count, 2_990):
        again.add(item(number))
    assert (again.size_bytes == size) is (count == 2_500)
    assert share_of_strangers(again) <= RATE


def test_what_was_added_outlives_a_killed_process(tmp_path: Path) -> None:
    path = tmp_path / "seen.bloom"
    script = (
        "import os, sys\nfrom pathlib import Path\nfrom scrapy_polite.visited.bloom import BloomFilter\n"
        "seen = BloomFilter(0.01, Path(sys.argv[1]))\n"
        "for number in range(1_000): seen.add(number.to_bytes(8, 'big'))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)], check=False, timeout=60).returncode != 0
    seen = BloomFilter(RATE, path)
    assert all(item(number) in seen for number in range(1_000))
    assert len(seen) == 1_000


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    BloomFilter(RATE, tmp_path / "seen.bloom").close()
    assert (tmp_path / "seen.bloom").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"something else", b"\xde\xad\xbe\xef" * 40_000], ids=["short", "long"])
def test_another_file_is_refused_and_left_alone(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "seen.bloom"
    path.write_bytes(content)
    with pytest.raises(BloomError, match=rf"^{path}: it is not a filter .*; delete it, or start again with another"):
        BloomFilter(RATE, path)
    assert path.read_bytes() == content


def test_another_error_rate_is_refused_with_the_one_it_was_made_for(tmp_path: Path) -> None:
    path = tmp_path / "seen.bloom"
    BloomFilter(0.001, path).close()
    with pytest.raises(
        BloomError, match=r"made for an error rate of 0.001, not 0.01; set POLITE_VISITED_ERROR_RATE to"
    ):
        BloomFilter(RATE, path)


@pytest.mark.parametrize("cut", [0, 100, 70_000])
@pytest.mark.usefixtures("small_layers")
def test_a_file_whose_making_was_broken_off_is_completed(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "seen.bloom"
    path.write_bytes(bytes(cut))
    seen = BloomFilter(RATE, path)
    for number in range(1_500):
        seen.add(item(number))
    seen.close()
    os.truncate(path, path.stat().st_size - 10_000)
    seen = BloomFilter(RATE, path)
    seen.add(b"new")
    assert b"new" in seen
    assert all(item(number) in seen for number in range(1_000))


@pytest.mark.usefixtures("small_layers")
def test_a_full_disk_is_an_error_at_reserve_and_never_at_add(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = BloomFilter(RATE, tmp_path / "seen.bloom")
    seen.reserve(1_000)

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(bloom, "_allocate", refuse)
    for number in range(900):
        seen.add(item(number))
    with pytest.raises(OSError, match="No space"):
        seen.reserve(200)
    seen.reserve(100)
    for number in range(900, 1_000):
        seen.add(item(number))
    assert all(item(number) in seen for number in range(1_000))


@pytest.mark.parametrize("missing", [True, False], ids=["no-posix_fallocate", "file-system-without-it"])
@pytest.mark.usefixtures("small_layers")
def test_a_system_that_cannot_allocate_writes_zeros(
    missing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    if missing:
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    else:
        monkeypatch.setattr(os, "posix_fallocate", unsupported, raising=False)
    seen = BloomFilter(RATE, tmp_path / "seen.bloom")
    for number in range(4_000):
        seen.add(item(number))
    assert all(item(number) in seen for number in range(4_000))
    assert (tmp_path / "seen.bloom").stat().st_size == seen.size_bytes + bloom._HEADER_BYTES


@pytest.mark.parametrize("rate", [0.0, 1e-7, 0.5, 1.0])
def test_a_rate_that_cannot_be_kept_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="error rate"):
        BloomFilter(rate)


def test_flushing_and_closing_may_be_repeated(path: Path | None) -> None:
    seen = BloomFilter(RATE, path)
    seen.add(b"a")
    seen.flush()
    seen.close()
    seen.close()
