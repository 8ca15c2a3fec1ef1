"""`scrapy polite blacklist` on the real command line, on lists as people have them."""

from __future__ import annotations

import gzip
import json
import os
import re
import stat
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commandline import make_project
from projects import scrapy
from scrapy_polite.blacklist.entries import Entry, Kind
from scrapy_polite.commands import CommandError
from scrapy_polite.commands.listfile import add, entries_of, in_words
from scrapy_polite.commands.requested import requested
from webserver import Answer, Origin

pytest.importorskip("re2", reason="google-re2 is not installed: a list here has a regular expression")

OURS = """\
# what is left alone
ads.example

!good.ads.example
https://shop.example/cart
10.0.0.0/8
/[?&]session=[0-9]+/
no entry
"""
LISTS: dict[str, Any] = {
    "POLITE_BLACKLISTS": ["lists/*.txt", {"path": "hosts", "format": "hosts", "action": "audit"}],
    "POLITE_ALLOWLISTS": ["allow.txt"],
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = make_project(tmp_path / "project", LISTS)
    (folder / "lists").mkdir()
    (folder / "lists" / "ours.txt").write_text(OURS)
    (folder / "hosts").write_text("0.0.0.0 tracker.example\n0.0.0.0 www.ads.example\n")
    (folder / "allow.txt").write_text("fine.ads.example\nkept.example\n")
    return folder


def blacklist(folder: Path, *words: str, status: int = 0) -> str:
    """What the command prints: on standard output, or on standard error where it fails."""
    process = scrapy(folder, "polite", "blacklist", *words)
    assert process.returncode == status, process.stderr
    assert "Traceback" not in process.stderr
    return process.stderr if status == 2 else process.stdout


def take_down(folder: Path, *entries: str) -> None:
    path = folder / ".scrapy" / "polite" / "takedowns.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{entry}\n" for entry in entries))


# check


@pytest.mark.parametrize(
    ("url", "verdict", "others"),
    [
        pytest.param("https://Sub.ADS.example./x", "refused ours 2: ads.example (blacklist/host)", [], id="subdomain"),
        pytest.param("http://10.2.3.4:8080/", "refused ours 6: 10.0.0.0/8 (blacklist/address)", [], id="address"),
        pytest.param("http://0x0a.1/", "refused ours 6: 10.0.0.0/8 (blacklist/address)", [], id="odd-spelling"),
        pytest.param(
            "http://shop.example/%63art/1", "refused ours 5: shop.example/cart (blacklist/url)", [], id="prefix"
        ),
        pytest.param(
            "https://a.example/?session=12", "refused ours 7: /[?&]session=[0-9]+/ (blacklist/regex)", [], id="regex"
        ),
        pytest.param("::ffff:a02:304", "refused ours 6: 10.0.0.0/8 (blacklist/address)", [], id="mapped-address"),
        pytest.param("::1", "allowed no list names it", [], id="ipv6-address"),
        pytest.param("[::1]:81/x", "allowed no list names it", [], id="ipv6-address-in-brackets"),
        pytest.param("other.example", "allowed no list names it", [], id="host-that-nobody-names"),
        pytest.param(
            "https://good.ads.example/",
            "allowed ours 4: !good.ads.example (exception of that blacklist)",
            ["ours 2: ads.example (blacklist)"],
            id="exception",
        ),
        pytest.param(
            "https://fine.ads.example/",
            "allowed allow 1: fine.ads.example (allowlist)",
            ["ours 2: ads.example (blacklist)"],
            id="allowlist",
        ),
        pytest.param(
            "https://tracker.example/", "allowed hosts 1: =tracker.example (blacklist in audit)", [], id="audit"
        ),
        pytest.param(
            "https://www.ads.example/",
            "refused ours 2: ads.example (blacklist/host)",
            ["hosts 2: =www.ads.example (blacklist in audit)"],
            id="two-lists",
        ),
        pytest.param(
            "https://kept.example/private/1",
            "refused takedowns 1: kept.example/private/ (blacklist/takedown)",
            ["allow 2: kept.example (allowlist)"],
            id="takedown-before-allowlist",
        ),
    ],
)
def test_a_check_names_what_decides_and_all_else_that_is_said(
    url: str, verdict: str, others: list[str], project: Path
) -> None:
    take_down(project, "https://kept.example/private/")
    text = blacklist(project, "check", url, status=0 if verdict.startswith("allowed") else 1)
    head, *rows = text.splitlines()
    assert head == url
    said = []
    for row in rows:
        short = re.sub(r"/\S+/(\w+)(?:\.txt)?, line", r"\1", row)
        said.append(" ".join(short.split()))
    assert said == [verdict, *(f"also {other}" for other in others)]


def test_the_keys_of_a_check_are_whole_and_one_refusal_decides_the_status(project: Path) -> None:
    lines = blacklist(project, "check", "--json", "https://a.example/", "https://ads.example/", status=1).splitlines()
    allowed, refused = map(json.loads, lines)
    assert allowed == {
        "url": "https://a.example/",
        "allowed": True,
        "reason": "",
        "by": None,
        "others": [],
        "policy": "enforce",
    }
    assert (refused["allowed"], refused["reason"]) == (False, "blacklist/host")
    assert refused["by"] == {
        "role": "blacklist",
        "list": "lists/*.txt",
        "action": "drop",
        "file": str(project / "lists" / "ours.txt"),
        "line": 2,
        "entry": "ads.example",
        "kind": "host and its subdomains",
    }


def test_a_check_tells_of_private_addresses_and_of_an_audit(project: Path) -> None:
    words = ("-s", "POLITE_PRIVATE_ADDRESSES=refuse", "-s", "POLITE_MODE=audit")
    text = blacklist(project, "check", "http://127.1/", *words, status=1)
    assert "  refused     no address of the public Internet  (blacklist/private-address)" in text
    assert "  the crawl   fetches what is refused, and counts it" in text
    assert "no list names it" in blacklist(project, "check", "http://127.1/")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["check", "mailto:x"], "expected an http, https or ftp URL, or a host", id="no-url"),
        pytest.param(["check", "http://a b/"], "expected an http, https or ftp URL, or a host", id="no-host"),
        pytest.param(["check"], "blacklist check: the following arguments are required: URL|HOST", id="nothing"),
        pytest.param(["stats", "x"], "blacklist stats: unrecognized arguments: x", id="too-much"),
        pytest.param(["stats", "--why", "x"], "blacklist stats: unrecognized arguments: --why x", id="option"),
        pytest.param(["burn"], "invalid choice: 'burn' (choose from", id="word"),
        pytest.param(
            ["check", "http://a/", "-s", "POLITE_BLACKLISTS=none.txt"], "none.txt: no such file", id="missing-list"
        ),
        pytest.param(["test", "none.log"], "there is no 'none.log'", id="no-log"),
        pytest.param(["test"], "give a log, a file of URLs, JSON Lines or a job directory, or --job", id="no-file"),
        pytest.param(["test", "--job", "news"], "of a queue on a server: set POLITE_FRONTIER", id="job-without-server"),
        pytest.param(["test", "hosts"], "hosts holds no request", id="log-without-requests"),
        pytest.param(["test", "lists"], "lists holds no queue", id="folder-that-is-no-job"),
        pytest.param(["add", "two words"], "'two words' is no entry: more than one word", id="two-words"),
        pytest.param(["add", "a.example\nb.example"], "is no entry: more than one line", id="two-lines"),
        pytest.param(["add", "# remark"], "is no entry: nothing but a comment", id="comment"),
        pytest.param(["add", "/(/"], "is no entry: not a regular expression", id="broken-regex"),
        pytest.param(["add", "10.0.0.0/99"], "is no entry: ", id="broken-network"),
        pytest.param(["add", "com"], "com is a public suffix, and with it goes every site below it", id="top-level"),
        pytest.param(["add", "*.CO.uk."], "co.uk is a public suffix", id="public-suffix"),
        pytest.param(["add", "рф"], "xn--p1ai is a public suffix", id="idna-suffix"),
        pytest.param(["add", "!com"], "com is a public suffix", id="excepted-suffix"),
        pytest.param(["add", "a.example", "--list", "hosts"], "its format is 'hosts'", id="another-format"),
        pytest.param(
            ["add", "a.example", "-s", "POLITE_BLACKLISTS=hosts"],
            "POLITE_BLACKLISTS names no file of our own format that can be written to: name one there",
            id="no-list-of-ours",
        ),
    ],
)
def test_what_cannot_be_meant_is_an_error_in_one_sentence(words: list[str], said: str, project: Path) -> None:
    assert said in blacklist(project, *words, status=2)
    assert (project / "lists" / "ours.txt").read_text() == OURS


# add


def test_an_added_entry_stands_in_the_first_list_of_ours_and_is_said_in_words(project: Path) -> None:
    path = project / "lists" / "ours.txt"
    os.chmod(path, 0o640)
    text = blacklist(project, "add", "https://Evil.example:443/a/../b", "--why", "asked\nby mail")
    assert text.splitlines() == [
        f"added to {path}, line 10: evil.example/b",
        "  covers      every URL that begins with http(s)://evil.example/b",
    ]
    assert path.read_text() == f"{OURS}# asked\\nby mail\nevil.example/b\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(path.parent) == ["ours.txt"]
    blacklist(project, "check", "http://evil.example/b/c", status=1)


@pytest.mark.parametrize("words", [["co.uk", "--public-suffix"], ["=com"], ["github.io"], ["intranet"], ["com/x"]])
def test_a_public_suffix_is_added_where_it_is_insisted_on_and_what_is_none_without(
    words: list[str], project: Path
) -> None:
    assert blacklist(project, "add", *words).startswith(f"added to {project}/lists/ours.txt, line 9: {words[0]}\n")


def test_what_is_there_already_is_not_added_again(project: Path) -> None:
    before = (project / "lists" / "ours.txt").read_bytes()
    assert blacklist(project, "add", "ADS.example").startswith(f"already in {project}/lists/ours.txt, line 2: ads.")
    assert (project / "lists" / "ours.txt").read_bytes() == before


def test_a_named_list_is_made_and_it_is_told_that_no_crawl_reads_it(project: Path) -> None:
    process = scrapy(project, "polite", "blacklist", "add", "=a.example", "--list", "own.txt")
    assert process.returncode == 0
    assert (project / "own.txt").read_text() == "=a.example\n"
    assert process.stderr == f"no crawl reads {project}/own.txt: name it in POLITE_BLACKLISTS\n"


def test_a_list_that_is_named_in_the_settings_need_not_be_there_yet(project: Path) -> None:
    words = ("-s", "POLITE_BLACKLISTS=hosts,lists/new.txt")
    assert blacklist(project, "add", "a.example", *words).startswith(f"added to {project}/lists/new.txt, line 1: ")
    assert (project / "lists" / "new.txt").read_text() == "a.example\n"


def test_a_list_without_a_last_line_end_a_link_and_an_idna_name(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("a.example")
    (tmp_path / "link.txt").symlink_to("real.txt")
    assert add(tmp_path / "link.txt", entries_of("straße.example")) == [
        Entry(Kind.HOST, "strasse.example"),
        Entry(Kind.HOST, "xn--strae-oqa.example"),
    ]
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "a.example\nstrasse.example\nxn--strae-oqa.example\n"


def test_a_compressed_list_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "list.gz").write_bytes(packed := gzip.compress(b"a.example\n"))
    with pytest.raises(CommandError, match="is compressed"):
        add(tmp_path / "list.gz", entries_of("b.example"))
    assert (tmp_path / "list.gz").read_bytes() == packed


def test_of_those_who_add_at_the_same_time_nobody_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    names = [f"host{number}.example" for number in range(40)]

    def some(part: list[str]) -> None:
        for name in part:
            add(path, entries_of(name))

    threads = [threading.Thread(target=some, args=(names[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.read_text().split()) == sorted(names)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param("a.example", "a.example and its subdomains", id="host"),
        pytest.param("com", "every host of the top-level domain com, or com", id="top-level"),
        pytest.param("=a.example", "the host a.example, without its subdomains", id="exact-host"),
        pytest.param("192.0.2.7", "the address 192.0.2.7", id="address"),
        pytest.param("192.0.2.0/24", "256 addresses, 192.0.2.0 to 192.0.2.255", id="network"),
        pytest.param("a.example/x", "every URL that begins with http(s)://a.example/x", id="prefix"),
        pytest.param("*.a.example/x", "every URL that begins with http(s)://a.example/x, of subdomains too", id="both"),
        pytest.param("=http://a.example/x", "the URL http(s)://a.example/x", id="url"),
        pytest.param("/private/", "every URL in which this expression is found: private", id="regex"),
        pytest.param("!a.example", "an exception: a.example and its subdomains", id="exception"),
    ],
)
def test_every_kind_of_entry_is_said_in_words(line: str, words: str) -> None:
    assert in_words(*entries_of(line)) == words


# test


@pytest.fixture
def site() -> Iterator[Origin]:
    links = "".join(f"<a href='/{folder}/{number}'>x</a>" for folder in ("ads", "news") for number in range(5))
    page = Answer(body=links.encode(), headers={"Content-Type": "text/html"})
    with Origin({"/": page, "/old": Answer(302, headers={"Location": "/ads/0"})}) as origin:
        yield origin


FOLLOWING = """
import scrapy

class Spider(scrapy.Spider):
    name = "follows"

    def parse(self, response):
        yield from response.follow_all(css="a")
"""


def test_a_crawls_own_log_and_job_directory_say_what_would_have_been_refused(tmp_path: Path, site: Origin) -> None:
    start = f"\n    start_urls = ['{site.url}/', '{site.url}/old']\n"
    project = make_project(tmp_path / "project", spiders=FOLLOWING + start)
    words = ("-s", "JOBDIR=job", "-s", "CLOSESPIDER_PAGECOUNT=3", "-s", "CONCURRENT_REQUESTS=1")
    crawl = scrapy(project, "crawl", "follows", "-L", "DEBUG", "--logfile", "crawl.log", *words)
    assert crawl.returncode == 0, crawl.stderr
    (project / "list.txt").write_text(f"{site.url}/ads/\n")
    given = ("-s", "POLITE_BLACKLISTS=list.txt", "--json")

    tested = scrapy(project, "polite", "blacklist", "test", "crawl.log", *given)
    found = json.loads(tested.stdout)
    assert found["requests"] == sum(path.startswith("/ads/") for path in site.paths()) > 0
    asked = len(site.paths())
    assert tested.stderr.endswith(f"{found['requests']} of {asked} requests of crawl.log would have been refused\n")

    queued = json.loads(blacklist(project, "test", "job", *given))
    assert queued["requests"] == 5 - len({path for path in site.paths() if path.startswith("/ads/")})
    assert queued["entry"] == f"{site.url.removeprefix('http://')}/ads/"
    assert all(url.startswith(f"{site.url}/ads/") for url in queued["examples"])


URLS = ["https://ads.example/1", "https://ads.example/2", "https://tracker.example/", "https://other.example/"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("urls.txt", "\n".join(URLS), id="urls"),
        pytest.param(
            "refused.jsonl", "\n".join(json.dumps({"time": "t", "url": url}) for url in URLS), id="json-lines"
        ),
        pytest.param(
            "long.jsonl",
            "\n".join(json.dumps({"url": url, "text": 'x"' * 1_000_000}) for url in URLS),
            id="lines-of-a-megabyte",
        ),
        pytest.param(
            "log",
            "\n".join(
                f"2026-11-21 08:00:00 [scrapy.core.engine] DEBUG: Crawled (200) <GET {url}> (referer: https://ads.example/)"
                for url in URLS
            )
            + "\n2026-11-21 08:00:00 [scrapy.core.scraper] DEBUG: Scraped from <200 https://ads.example/1>\n",
            id="log",
        ),
    ],
)
@pytest.mark.parametrize("packed", [False, True], ids=["text", "gzip"])
def test_logs_and_files_of_urls_are_read_by_what_is_in_them(name: str, text: str, packed: bool, tmp_path: Path) -> None:
    data = text.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if packed else data)
    assert [url for url in requested(tmp_path / name) if url] == URLS


def test_requests_are_counted_by_entry_and_those_of_an_audit_apart(project: Path) -> None:
    (project / "urls").write_text("\n".join(URLS))
    heading, first, *examples, last, last_example = blacklist(project, "test", "urls").splitlines()
    assert heading == "2 of 4 requests of urls would have been refused, and 1 only counted (lists in audit)"
    assert first.split() == ["2", "drop", "ads.example", f"({project}/lists/ours.txt)"]
    assert [line.strip() for line in examples] == URLS[:2]
    assert last.split() == ["1", "audit", "=tracker.example", f"({project}/hosts)"]
    assert last_example.strip() == URLS[2]


def test_what_very_many_entries_refuse_is_counted_together_from_some_number_on(project: Path) -> None:
    count = 120_000
    (project / "lists" / "many.txt").write_text("".join(f"h{number}.example\n" for number in range(count)))
    (project / "urls").write_text("".join(f"http://h{number}.example/\n" for number in range(count)))
    heading, most, *_, more = blacklist(project, "test", "urls").splitlines()
    assert heading == f"{count:,} of {count:,} requests of urls would have been refused"
    assert most.split() == ["20,000", "drop", "(other", "entries)", f"({project}/lists/many.txt)"]
    assert more == "and 99,981 more entries: --all shows them"


# stats


def test_stats_say_what_each_list_holds_and_what_of_it_was_not_taken(project: Path) -> None:
    (project / "lists" / "rules.txt").write_text("[Adblock Plus]\n||a.example^\n||b.example^$popup\nx.example##.ad\n")
    hosts, rules, ours, allowed = sorted(
        map(json.loads, blacklist(project, "stats", "--json").splitlines()),
        key=lambda row: ("hosts", "rules", "ours", "allow").index(Path(row["file"]).stem),
    )
    assert (ours["format"], ours["entries"], ours["exceptions"]) == (
        "plain",
        {"host and its subdomains": 1, "URLs that begin so": 1, "addresses": 1, "regular expression": 1},
        {"host and its subdomains": 1},
    )
    assert ours["malformed"] == {"count": 1, "first": [{"line": 8, "text": "no entry", "why": "more than one word"}]}
    assert (rules["format"], rules["unsupported"]["count"]) == ("adguard", 2)
    assert (hosts["role"], hosts["action"], hosts["entries"]) == ("blacklist", "audit", {"host": 2})
    assert (allowed["role"], allowed["list"]) == ("allowlist", "allow.txt")
    assert ours["bytes"] == len(OURS)
    assert ours["compiled_bytes"] > 0
    text = blacklist(project, "stats")
    assert "  malformed    1 line\n               line 8: no entry  (more than one word)\n" in text
    assert "  unsupported  2 lines\n               line 3: ||b.example^$popup  (the option $popup)\n" in text


def test_without_lists_stats_say_so_and_there_is_nothing_to_test(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    (project / "urls").write_text("http://a.example/")
    assert blacklist(project, "stats") == "no list is named: see POLITE_BLACKLISTS\n"
    assert "no list is named: try one with -s POLITE_BLACKLISTS=FILE" in blacklist(project, "test", "urls", status=2)
