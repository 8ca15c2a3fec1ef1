"""Compiled lists: the answers of a plain set, from a file that is whole or not there."""

from __future__ import annotations

import random
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_polite.blacklist import compiled, regexes
from scrapy_polite.blacklist.compiled import CompiledList, compile_list, open_list, read_list
from scrapy_polite.blacklist.entries import Entry, Kind
from scrapy_polite.blacklist.hosts import Place
from scrapy_polite.blacklist.lines import ListError

LIST = """\
example.com
=exact.example
10.0.0.0/8
10.1.0.0/16
2001:db8::/32
prefix.example/a
prefix.example/a/b
prefix.example:8080/
.below.example/a
=url.example/a?b
!good.example.com
!10.9.0.0/16
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def compile_and_open(path: Path, format_name: str | None = None) -> CompiledList:
    target = path.with_suffix(".compiled")
    compile_list(str(path), format_name, str(target))
    return open_list(target)


def found(entries: CompiledList, url: str) -> str | None:
    place = Place.of(url)
    assert place is not None
    entry = entries.named.find(place)
    return str(entry) if entry else None


def keep_mapped(patch: pytest.MonkeyPatch) -> None:
    """However short a list is."""
    patch.setattr(compiled, "SMALL", 0)
    patch.setattr(compiled, "FEW", 0)


@pytest.fixture(params=["small", "large", "in memory"])
def entries(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledList:
    """The same list in each form."""
    if request.param == "large":
        keep_mapped(monkeypatch)
    path = write(tmp_path / "list", LIST)
    return read_list(path) if request.param == "in memory" else compile_and_open(path)


@pytest.mark.parametrize(
    ("url", "entry"),
    [
        ("http://example.com/", "example.com"),
        ("https://a.b.example.com:8443/x?y", "example.com"),
        ("http://notexample.com/", None),
        ("http://com/", None),
        ("http://example.com.evil.example/", None),
        ("http://exact.example/", "=exact.example"),
        ("http://www.exact.example/", None),
        ("http://10.2.3.4/", "10.0.0.0/8"),
        ("http://10.1.2.3/", "10.0.0.0/8"),
        ("http://0xa000001/", "10.0.0.0/8"),
        ("http://[::ffff:10.0.0.1]/", "10.0.0.0/8"),
        ("http://[2002:a00:1::]/", "10.0.0.0/8"),
        ("http://10.255.255.255/", "10.0.0.0/8"),
        ("http://11.0.0.0/", None),
        ("http://9.255.255.255/", None),
        ("http://[2001:db8:ffff::1]/", "2001:db8::/32"),
        ("http://[2001:db9::]/", None),
        ("http://prefix.example/", None),
        ("http://prefix.example/a", "prefix.example/a"),
        ("ftp://prefix.example/a/b/c", "prefix.example/a"),
        ("https://prefix.example:444/%61bc?d", "prefix.example/a"),
        ("http://prefix.example/A", None),
        ("http://www.prefix.example/a", None),
        ("http://prefix.example:8080/x", "prefix.example:8080/"),
        ("http://prefix.example:8081/x", None),
        ("http://below.example/a", ".below.example/a"),
        ("http://x.y.below.example/ab", ".below.example/a"),
        ("http://x.y.below.example:99/ab", ".below.example/a"),
        ("http://x.y.below.example/b", None),
        ("http://xbelow.example/a", None),
        ("https://url.example/a?b", "=url.example/a?b"),
        ("https://url.example/a?b#c", "=url.example/a?b"),
        ("https://url.example/a?bc", None),
        ("https://url.example/a", None),
    ],
)
def test_what_a_list_covers(entries: CompiledList, url: str, entry: str | None) -> None:
    assert found(entries, url) == entry


def test_exceptions_are_kept_apart(entries: CompiledList) -> None:
    place = Place.of("http://a.good.example.com/")
    assert place is not None
    assert entries.excepted.find(place) == Entry(Kind.HOST, "good.example.com")
    assert str(entries.excepted.find_address(ip_address("10.9.1.1"))) == "10.9.0.0/16"
    assert len(entries) == 12


def test_top_level_domains_and_hosts_of_one_label(tmp_path: Path) -> None:
    entries = compile_and_open(write(tmp_path / "list", "zip\nlocalhost\n"))
    assert found(entries, "http://a.b.zip/") == "zip"
    assert found(entries, "http://localhost/") == "localhost"
    assert found(entries, "http://zip.example/") is None


def test_exact_urls_below_a_domain(tmp_path: Path) -> None:
    entries = compile_and_open(write(tmp_path / "list", "*://*.example.com/a\n*://b.example/c*\n"))
    assert found(entries, "http://x.example.com/a") == "=.example.com/a"
    assert found(entries, "http://x.example.com/ab") is None
    assert found(entries, "http://b.example/cd") == "b.example/c"


def test_expressions_are_searched_in_the_one_spelling_of_a_url(tmp_path: Path) -> None:
    pytest.importorskip("re2", reason="google-re2 is not installed")
    lines = [f"/never{number}/" for number in range(120)]
    lines[60] = r"/^https?://ads\d*\.example\//"
    entries = compile_and_open(write(tmp_path / "list", "\n".join([*lines, "/(a+)+$/", "/[?&]Share=/i"])))
    assert found(entries, "HTTP://user@ADS12.example:80/x") == lines[60]
    assert found(entries, "http://b.example/x?SHARE=1") == "/(?i)[?&]Share=/"
    # Exponential for a backtracking engine.
    assert found(entries, f"http://b.example/{'a' * 10_000}!") is None


def test_expressions_that_are_too_large_together_are_tried_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("re2", reason="google-re2 is not installed")
    monkeypatch.setattr(regexes, "_MAX_MEMORY", 1 << 20)  # of 32 MB, and expressions of a thirtieth
    large = [f"/{number}\\pL{{30}}/" for number in range(6)]
    with pytest.raises(ValueError, match="too large"):
        regexes.checked("|".join(large))
    small = [f"/never{number}/" for number in range(50)]
    entries = compile_and_open(write(tmp_path / "list", "\n".join([*large, *small, "/ads/"])))
    assert found(entries, f"http://example.com/4{'a' * 30}") == large[4]
    assert found(entries, "http://example.com/never7") == "/never7/"
    assert found(entries, "http://example.com/ads") == "/ads/"
    assert found(entries, "http://example.com/") is None


def test_five_figures_of_hosts_give_the_answers_of_a_plain_set(tmp_path: Path) -> None:
    random_ = random.Random(0)
    hosts = {f"{random_.randrange(10**6)}x.example{random_.randrange(10)}.com" for _ in range(30_000)}
    entries = compile_and_open(write(tmp_path / "list", "\n".join([*hosts, *sorted(hosts)[:500]])))
    assert type(entries.named.hashes).__name__ == "_Hashes"
    for _ in range(20_000):
        host = f"{random_.randrange(10**6)}x.example{random_.randrange(10)}.com"
        assert (found(entries, f"http://www.{host}/") == host) is (host in hosts)
    for host in sorted(hosts):
        assert found(entries, f"http://{host}/") == host


names = st.from_regex(r"[ab](\.[ab]){0,3}", fullmatch=True)


@given(hosts=st.sets(names, max_size=12), asked=st.lists(names, max_size=12), mapped=st.booleans())
def test_hosts_give_the_answers_of_a_plain_set(
    tmp_path_factory: pytest.TempPathFactory, hosts: set[str], asked: list[str], mapped: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if mapped:
            keep_mapped(patch)
        entries = read_list(write(tmp_path_factory.getbasetemp() / "list", "\n".join(hosts)))
    for host in asked:
        above = [host.split(".", number)[number] for number in range(host.count(".") + 1)]
        assert (found(entries, f"http://{host}/") is not None) is any(one in hosts for one in above)


prefixes = st.from_regex(r"a(:81)?/[ab/]{0,4}", fullmatch=True)


@given(listed=st.sets(prefixes, max_size=12), asked=st.lists(prefixes, max_size=12), mapped=st.booleans())
def test_prefixes_give_the_answers_of_trying_each(
    tmp_path_factory: pytest.TempPathFactory, listed: set[str], asked: list[str], mapped: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if mapped:
            keep_mapped(patch)
        entries = read_list(write(tmp_path_factory.getbasetemp() / "list", "\n".join(listed)))
    for url in asked:
        spelled = {url, url.replace(":81", "")}
        expected = any(one.startswith(prefix) for one in spelled for prefix in listed)
        assert (found(entries, f"http://{url}") is not None) is expected


networks = st.builds("{}/{}".format, st.ip_addresses(v=4), st.integers(20, 32)) | st.builds(
    "{}/{}".format, st.ip_addresses(network="2000::/3"), st.integers(3, 128)
)


@given(listed=st.sets(networks, max_size=12), other=st.ip_addresses(v=4), mapped=st.booleans())
def test_networks_give_the_answers_of_trying_each(
    tmp_path_factory: pytest.TempPathFactory, listed: set[str], other: object, mapped: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if mapped:
            keep_mapped(patch)
        entries = read_list(write(tmp_path_factory.getbasetemp() / "list", "\n".join(listed)))
    known = [ip_network(one, strict=False) for one in listed]
    for address in [ip_address(str(other)), *(one[0] for one in known), *(one[-1] for one in known)]:
        entry = entries.named.find_address(address)
        # An IPv6 address may lead to a listed one of IPv4.
        if address.version == 4 or any(address in one for one in known):
            assert (entry is not None) is any(address in one for one in known)


def test_all_of_ipv6_is_nothing_of_ipv4(tmp_path: Path) -> None:
    entries = compile_and_open(write(tmp_path / "list", "::/0\n"))
    assert found(entries, "http://[::1]/") == "::/0"
    assert found(entries, "http://10.0.0.1/") is None


def test_what_could_not_be_taken_is_told_by_the_compiled_list(tmp_path: Path) -> None:
    entries = compile_and_open(write(tmp_path / "list", "||a.example^\n||b.example^$popup\n||<p>^\n"))
    assert entries.format == "adguard"
    assert entries.named.counts == {Kind.HOST: 1}
    assert [fault.line for fault in entries.unsupported.first] == [2]
    assert [fault.line for fault in entries.malformed.first] == [3]


@pytest.mark.parametrize("mapped", [False, True])
def test_an_empty_list_covers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mapped: bool) -> None:
    if mapped:
        keep_mapped(monkeypatch)
    entries = compile_and_open(write(tmp_path / "list", ""))
    assert found(entries, "http://example.com/") is None
    assert found(entries, "http://10.0.0.1/") is None
    assert len(entries) == 0


# Files


@pytest.mark.parametrize("keep", [0, 1, 7, 100, 500, -1])
def test_a_truncated_file_is_refused(tmp_path: Path, keep: int) -> None:
    compile_and_open(write(tmp_path / "list", LIST))
    target = tmp_path / "list.compiled"
    target.write_bytes(target.read_bytes()[:keep])
    with pytest.raises(ListError, match=r"list\.compiled: no compiled list.*delete it"):
        open_list(target)


@pytest.mark.parametrize(
    ("at", "why"),
    [(0, "another kind of file"), (8, "another kind of machine"), (10, "another version"), (40, "header is damaged")],
)
def test_a_damaged_header_is_refused(tmp_path: Path, at: int, why: str) -> None:
    compile_and_open(write(tmp_path / "list", LIST))
    target = tmp_path / "list.compiled"
    data = bytearray(target.read_bytes())
    data[at] ^= 0xFF
    target.write_bytes(data)
    with pytest.raises(ListError, match=why):
        open_list(target)


def test_damage_in_any_octet_of_the_content_is_found(tmp_path: Path) -> None:
    compile_and_open(write(tmp_path / "list", LIST))
    target = tmp_path / "list.compiled"
    data = target.read_bytes()
    assert len(open_list(target, checked=True))
    for at in range(len(data)):
        target.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(ListError, match=r"list\.compiled: no compiled list.*delete it"):
            open_list(target, checked=True)


@given(data=st.binary(max_size=600))
def test_any_other_file_is_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "other"
    path.write_bytes(data)
    with pytest.raises(ListError):
        open_list(path)


def test_a_list_that_cannot_be_compiled_leaves_the_last_file_and_no_other(tmp_path: Path) -> None:
    path = write(tmp_path / "list", "example.com\n")
    compile_and_open(path)
    write(path, "<html>\n")
    with pytest.raises(ListError):
        compile_list(str(path), None, str(tmp_path / "list.compiled"))
    assert sorted(one.name for one in tmp_path.iterdir()) == ["list", "list.compiled"]
    assert found(open_list(tmp_path / "list.compiled"), "http://example.com/") == "example.com"


def test_a_list_in_use_outlives_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_mapped(monkeypatch)
    entries = compile_and_open(write(tmp_path / "list", "example.com\n"))
    compile_list(str(write(tmp_path / "list", "example.net\n")), None, str(tmp_path / "list.compiled"))
    (tmp_path / "list.compiled").unlink()
    assert found(entries, "http://example.com/") == "example.com"


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy_polite.blacklist.compiled", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_another_process_compiles(tmp_path: Path) -> None:
    path = write(tmp_path / "list", "0.0.0.0 example.com\n")
    assert run(path, tmp_path / "target", "--format", "hosts").returncode == 0
    assert found(open_list(tmp_path / "target"), "http://example.com/") == "=example.com"
    failed = run(tmp_path / "missing", tmp_path / "target2")
    assert failed.returncode == 1
    assert f"{tmp_path / 'missing'}: cannot be read: No such file" in failed.stderr
    failed = run(path, tmp_path / "nowhere/target")
    assert failed.returncode == 1
    assert f"{path} cannot be compiled into the folder {tmp_path / 'nowhere'}: No such file" in failed.stderr
