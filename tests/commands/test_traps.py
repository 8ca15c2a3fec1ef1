"""`scrapy polite traps` on the real command line, on a store that a crawl may be using."""

from __future__ import annotations

import json
import math
import re
import shlex
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from commandline import make_project
from projects import scrapy
from scrapy_polite.commands.trap_report import EFFECTS
from scrapy_polite.commands.trap_review import ReviewError, read_review, review
from scrapy_polite.store.base import every_quarantine
from scrapy_polite.store.quarantines import MAX_EXAMPLES, Quarantine
from scrapy_polite.store.sqlite.store import SqliteStore
from scrapy_polite.traps.verdict import EXPIRES_S, KINDS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NOW = time.time()
DAY = Quarantine(
    site="calendar.example",
    place="/day?at",
    kind="silent",
    evidence="of its last 50 pages 0 said something new, 0 linked back to known pages, and they brought 100 new links "
    "to more such pages",
    examples=("http://calendar.example/day?at=1", "http://calendar.example/day?at=2"),
    since=NOW - 3_600,
    until=NOW - 3_600 + EXPIRES_S,
    refused=1_234,
    updated_at=NOW - 60,
)
MAZE = replace(DAY, site="maze.example", place="/*/*/**", kind="suspected", refused=0, since=NOW - 7_200)
RELEASED = replace(MAZE, place="/wiki/*", decision="released", until=math.inf)
CONFIRMED = replace(MAZE, place="/shop/*?color&size", decision="confirmed", until=math.inf)
OVER = replace(MAZE, place="/old/**/", kind="budget", since=NOW - 9 * 86_400, until=NOW - 2 * 86_400)

#: Colours and line ends, a title, text that runs backwards, and more of it than a screen has.
HOSTILE = "\x1b[31m\r\n\x00\x7f\x85\u202egnp.\u2066\ufeff" + "x" * 100_000


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def store(project: Path) -> Path:
    return project / ".scrapy" / "polite" / "polite.sqlite"


def keep(path: Path, *quarantines: Quarantine) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(SqliteStore(path)) as store:
        for quarantine in quarantines:
            store.quarantines.keep(quarantine).result(10)


def kept(path: Path) -> dict[str, Quarantine]:
    """What the store holds, by site and place."""
    with closing(SqliteStore(path)) as store:
        return {found.site + found.place: found for found in every_quarantine(store)}


def is_safe(text: str) -> bool:
    return text.replace("\n", "").isprintable()


def traps(folder: Path, *words: str, status: int = 0) -> str:
    """What the command prints: on standard output, or on standard error where it fails."""
    process = scrapy(folder, "polite", "traps", *words)
    assert process.returncode == status, process.stderr
    assert "Traceback" not in process.stderr
    return process.stderr if status else process.stdout


def reviewed(path: Path, **decisions: str) -> None:
    """Fill in a review file: decision by the site's first label."""
    lines, site = [], ""
    for line in path.read_text().splitlines():
        if line.startswith("site = "):
            site = line.split('"')[1].partition(".")[0]
        lines.append(f'decision = "{decisions.get(site, "")}"' if line.startswith("decision = ") else line)
    path.write_text("\n".join(lines))


def test_patterns_are_listed_the_latest_first_with_what_crawls_do_about_them(project: Path, store: Path) -> None:
    keep(store, OVER, CONFIRMED, RELEASED, MAZE, DAY)
    heading, titles, *rows = traps(project, "list").splitlines()
    assert heading == (
        f"5 patterns: 1 not followed further, 1 suspected, 1 confirmed, 1 released, 1 no longer suspected ({store})"
    )
    assert re.split(r"  +", titles) == ["site", "pattern", "state", "since (UTC)", "links not followed"]
    assert [re.split(r"  +", row) for row in rows] == [
        ["maze.example", "/shop/*?color&size", "confirmed", minute(CONFIRMED.updated_at), "its own are refused"],
        ["maze.example", "/wiki/*", "released", minute(RELEASED.updated_at), "they are followed"],
        ["calendar.example", "/day?at", "not followed further (silent)", minute(DAY.since), "1,234"],
        ["maze.example", "/*/*/**", "suspected", minute(MAZE.since), "they go last"],
        ["maze.example", "/old/**/", "no longer suspected", minute(OVER.until), "0"],
    ]


def minute(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def test_one_site_can_be_listed_by_any_host_of_it(project: Path, store: Path) -> None:
    keep(store, MAZE, DAY)
    assert [json.loads(line)["site"] for line in traps(project, "list", "www.maze.example", "--json").splitlines()] == [
        "maze.example"
    ]
    assert traps(project, "list", "other.example", status=1) == f"no pattern is known of other.example ({store})\n"


def test_the_keys_of_json_are_whole_and_times_in_utc(project: Path, store: Path) -> None:
    keep(store, replace(DAY, since=0.0, until=86_400.0, updated_at=1.0), CONFIRMED)
    confirmed, found = (json.loads(line) for line in traps(project, "list", "--json").splitlines())
    assert found == {
        "site": "calendar.example",
        "pattern": "/day?at",
        "kind": "silent",
        "evidence": DAY.evidence,
        "examples": list(DAY.examples),
        "since": "1970-01-01T00:00:00+00:00",
        "until": "1970-01-02T00:00:00+00:00",
        "links_left": 1_234,
        "decision": "",
        "updated_at": "1970-01-01T00:00:01+00:00",
    }
    assert (confirmed["until"], confirmed["decision"]) == (None, "confirmed")


def test_of_many_twenty_are_shown_unless_all_are_asked_for(project: Path, store: Path) -> None:
    keep(store, *(replace(DAY, place=f"/{number}") for number in range(25)))
    lines = traps(project, "list").splitlines()
    assert len(lines) == 1 + 1 + 20 + 1
    assert lines[-1] == "and 5 more: --all shows them"
    assert len(traps(project, "list", "--all").splitlines()) == 1 + 1 + 25


def test_an_empty_store_is_told_from_none(project: Path, store: Path) -> None:
    assert traps(project, "list", status=2).startswith(
        f"scrapy polite traps: there is no store at {store}: a crawl makes"
    )
    assert not store.exists()
    keep(store)
    with closing(SqliteStore(store)) as empty:
        every_quarantine(empty)
    assert traps(project, "list") == f"no pattern is known ({store})\n"
    assert traps(project, "export", status=1) == f"no pattern is known ({store})\n"


def test_show_tells_all_there_is_and_what_to_do(project: Path, store: Path) -> None:
    keep(store, DAY, replace(CONFIRMED, site=DAY.site), replace(RELEASED, refused=640))
    assert "links not followed:  640 before that, and all behind them\n" in traps(project, "show", "maze.example")
    second, first = traps(project, "show", "calendar.example").split("\n\n")
    assert facts(first, "calendar.example /day?at") == [
        ("state", f"not followed further since {minute(DAY.since)} UTC"),
        ("why", f"silent: {KINDS['silent']}"),
        ("evidence", DAY.evidence),
        ("links not followed", "1,234, and all behind them"),
        ("until", f"{minute(DAY.until)} UTC (in 7 days); then it is judged anew"),
        *(("example", url) for url in DAY.examples),
        ("to follow its links", "scrapy polite traps release calendar.example '/day?at'"),
        ("to refuse its own", "scrapy polite traps confirm calendar.example '/day?at'"),
    ]
    told = facts(second, "calendar.example /shop/*?color&size")
    assert told[0] == ("state", f"confirmed since {minute(CONFIRMED.updated_at)} UTC")
    assert told[-2] == ("effect", EFFECTS["confirmed"])
    assert told[-1] == ("to undo it", "scrapy polite traps forget calendar.example '/shop/*?color&size'")
    assert traps(project, "show", "calendar.example", "/shop/*?size&color") == second + "\n"
    unknown = traps(project, "show", "calendar.example", "/x", status=1)
    assert unknown.startswith(f"nothing is stored of calendar.example /x ({store}; of calendar.example: /")
    other = traps(project, "show", "calendar.example", "/day?at", "--store", str(store))
    assert f"scrapy polite traps release calendar.example '/day?at' --store {store}\n" in other


def facts(shown: str, title: str) -> list[tuple[str, str]]:
    first, *lines = shown.splitlines()
    assert first == title
    return [(label.strip(), text.strip()) for label, _, text in (line.partition(": ") for line in lines)]


def test_what_a_person_reads_is_in_plain_words(project: Path, store: Path) -> None:
    found = [replace(DAY, place=f"/{kind}", kind=kind) for kind in KINDS]
    keep(store, *found, replace(DAY, place="/over", until=NOW - 1))
    for shown in (traps(project, "list"), traps(project, "show", "calendar.example")):
        words = shown.replace(str(store), "")
        assert not re.search(r"\b(quarantines?|places?|templates?|left|refused)\b", words)


#: As crawls write them: see `traps.patterns`.
WRITTEN = [
    "/site/**/",
    "/a/**/?page",
    "/*/*/**",
    "/*/*/**?*",
    "/calendar?m&y",
    "//shop.example.com/x/*",
    "//*/**/?*",
    "/a*b/*?x[*]",
    "/it's/$HOME/",
]


def test_what_crawls_have_written_can_be_released_word_by_word(project: Path, store: Path) -> None:
    keep(store, *(replace(DAY, place=place) for place in WRITTEN))
    listed = [json.loads(line) for line in traps(project, "list", "--json").splitlines()]
    assert sorted(row["pattern"] for row in listed) == sorted(WRITTEN)
    for row in listed[:3]:
        printed = traps(project, "release", row["site"], row["pattern"])
        assert printed.splitlines()[0] == f"released: calendar.example {row['pattern']}"
    released = {found.place for found in kept(store).values() if found.decision == "released"}
    assert released == {row["pattern"] for row in listed[:3]}


def test_a_pages_url_names_the_patterns_that_it_is_of(project: Path, store: Path) -> None:
    keep(store, *(replace(DAY, place=place) for place in ("/calendar?m&y", "/search?q")))
    printed = traps(project, "release", "https://calendar.example/calendar?y=2026&m=3")
    assert printed.splitlines()[0] == "released: calendar.example /calendar?m&y"
    assert {found.place for found in kept(store).values() if found.decision} == {"/calendar?m&y"}
    for word in ("https://calendar.example/", "calendar.example"):
        assert traps(project, "list", word).splitlines()[0].startswith("2 patterns: ")
    for word in ("https://calendar.example/calendar", "calendar.example/calendar"):
        for command in ("show", "release", "forget"):
            said = traps(project, command, word, status=1)
            assert said.startswith(f"nothing is stored of {word} (")
            assert "; of calendar.example: /" in said
    assert "/search?q" in traps(project, "show", "calendar.example/search?q=1").splitlines()[0]


@pytest.mark.parametrize("decision", ["confirm", "release"])
@pytest.mark.parametrize("where", ["same store", "another store"])
def test_what_crawls_have_written_goes_through_a_review_file(
    decision: str, where: str, project: Path, store: Path
) -> None:
    keep(store, *(replace(DAY, place=place) for place in WRITTEN))
    traps(project, "export", "review.toml")
    reviewed(project / "review.toml", calendar=decision)
    target = store if where == "same store" else project / "other.sqlite"
    traps(project, "confirm", "review.toml", "--store", str(target))
    found = kept(target).values()
    assert sorted(one.place for one in found) == sorted(WRITTEN)
    assert {one.decision for one in found} == {f"{decision}ed".replace("ee", "e")}
    assert {(one.kind, one.refused) for one in found} == {("silent", 1_234)}


def test_the_command_that_show_names_can_be_run_by_a_shell(project: Path, store: Path) -> None:
    keep(store, *(replace(DAY, place=place) for place in WRITTEN))
    commands = [line.partition("scrapy ")[2] for line in traps(project, "show", "calendar.example").splitlines()]
    named = [shlex.split(command) for command in commands if command.startswith("polite traps release")]
    assert sorted(words[-1] for words in named) == sorted(WRITTEN)


@pytest.mark.parametrize(
    ("site", "place", "key"),
    [
        pytest.param("calendar.example", "/calendar/**", "calendar.example/calendar/**", id="all-below"),
        pytest.param("https://www.calendar.example/x", "/", "calendar.example/", id="a-url-for-the-site"),
        pytest.param("x.localhost:8080", "/a/*", "x.localhost:8080/a/*", id="a-site-with-a-port"),
        pytest.param("calendar.example", "/day?to&from&to", "calendar.example/day?from&to", id="names-in-order"),
        pytest.param("calendar.example", "/day?*", "calendar.example/day?*", id="any-query"),
        pytest.param("calendar.example", "//*/**", "calendar.example//*/**", id="hosts-beyond-the-first"),
        pytest.param("a.example", "//shop.a.example/x/*", "a.example//shop.a.example/x/*", id="a-host"),
        pytest.param("calendar.example", "/a/**?b", "calendar.example/a/**?b", id="all-below-with-these-names"),
        pytest.param("calendar.example", "/site/**/", "calendar.example/site/**/", id="as-crawls-write-it"),
    ],
)
def test_a_person_can_refuse_a_pattern_before_the_first_crawl(
    site: str, place: str, key: str, project: Path, store: Path
) -> None:
    printed = traps(project, "confirm", site, place, "--why", "it has no end")
    decided, effect, where = printed.splitlines()
    whole = "//*/**" in key
    assert decided.replace(" ", "") == f"confirmed:{key}" + "(allpagesofthesite!)" * whole
    assert where == f"kept in {store}"
    assert effect == EFFECTS["confirmed"]
    found = kept(store)[key]
    assert (found.kind, found.evidence, found.decision, found.until) == (
        "by-hand",
        "it has no end",
        "confirmed",
        math.inf,
    )
    assert found.since == found.updated_at >= NOW


def test_what_is_known_of_a_pattern_is_kept_when_a_person_decides(project: Path, store: Path) -> None:
    # The crawl's machine may have a clock that is ahead.
    keep(store, replace(DAY, updated_at=NOW + 5_000))
    traps(project, "confirm", "calendar.example", "/day?at")
    confirmed = kept(store)["calendar.example/day?at"]
    assert NOW <= confirmed.updated_at < NOW + 4_000
    assert confirmed == replace(DAY, decision="confirmed", until=math.inf, updated_at=confirmed.updated_at)
    decided, effect, _ = traps(project, "release", "calendar.example", "/day?at").splitlines()
    assert decided == "released: calendar.example /day?at"
    assert effect == EFFECTS["released"]
    assert kept(store)["calendar.example/day?at"].decision == "released"


def test_a_release_is_of_one_pattern_or_of_all_of_a_site(project: Path, store: Path) -> None:
    keep(store, DAY, replace(DAY, place="/week?at"), MAZE)
    traps(project, "release", "calendar.example", "/day?at")
    assert {place: found.decision for place, found in kept(store).items()} == {
        "calendar.example/day?at": "released",
        "calendar.example/week?at": "",
        "maze.example/*/*/**": "",
    }
    assert len(traps(project, "release", "calendar.example").splitlines()) == 2 + 2
    unknown = traps(project, "release", "other.example", status=1)
    assert unknown == f"nothing is stored of other.example ({store})\n"


def test_who_leaves_out_the_port_of_an_address_is_told_the_sites_with_one(project: Path, store: Path) -> None:
    keep(store, replace(DAY, site="127.0.0.1:8001"), replace(DAY, site="127.0.0.1:8000"), MAZE)
    unknown = traps(project, "show", "127.0.0.1", status=1)
    assert unknown == f"nothing is stored of 127.0.0.1 ({store}; with a port: 127.0.0.1:8000, 127.0.0.1:8001)\n"


def test_a_person_can_release_a_pattern_before_the_first_crawl(project: Path, store: Path) -> None:
    process = scrapy(project, "polite", "traps", "release", "archive.example", "/issue/*")
    assert process.returncode == 0
    assert process.stdout.startswith("released: archive.example /issue/*\n")
    assert "nothing is stored of archive.example /issue/*" in process.stderr
    found = kept(store)["archive.example/issue/*"]
    assert (found.kind, found.decision, found.until) == ("by-hand", "released", math.inf)


def test_what_is_not_known_is_told_when_it_is_confirmed_too(project: Path, store: Path) -> None:
    keep(store, DAY)
    process = scrapy(project, "polite", "traps", "confirm", "calendar.example", "/dya?at")
    assert process.returncode == 0
    assert f"nothing is stored of calendar.example /dya?at ({store}; of calendar.example: /day?at)" in process.stderr
    assert "kept all the same" in process.stderr
    assert process.stdout.startswith("confirmed: calendar.example /dya?at\n")


def test_a_page_that_is_confirmed_stands_for_the_patterns_that_it_is_of(project: Path, store: Path) -> None:
    keep(store, DAY, replace(DAY, place="/week?at"))
    assert traps(project, "confirm", "http://calendar.example/day?at=3").startswith(
        "confirmed: calendar.example /day?at\n"
    )
    assert {place: found.decision for place, found in kept(store).items()} == {
        "calendar.example/day?at": "confirmed",
        "calendar.example/week?at": "",
    }
    unknown = traps(project, "confirm", "http://calendar.example/year?at=3", status=1)
    assert "nothing is stored of http://calendar.example/year?at=3" in unknown
    # The home page is no page of a pattern: nobody means all that is known of a site.
    assert "there is no file" in traps(project, "confirm", "http://calendar.example/", status=2)


def test_what_a_person_has_decided_is_changed_by_the_name_of_its_pattern_alone(project: Path, store: Path) -> None:
    traps(project, "release", "calendar.example", "/**")
    keep(store, DAY)
    said = scrapy(project, "polite", "traps", "confirm", "http://calendar.example/day?at=3")
    assert said.stdout.startswith("confirmed: calendar.example /day?at\n")
    assert said.stderr == "left as it is, released: calendar.example /** (to change that, name the pattern)\n"
    decisions = {"calendar.example/day?at": "confirmed", "calendar.example/**": "released"}
    said = scrapy(project, "polite", "traps", "release", "calendar.example")
    assert said.stdout.startswith("released: calendar.example /**\n")
    assert "left as it is, confirmed: calendar.example /day?at (to" in said.stderr
    assert {place: found.decision for place, found in kept(store).items()} == decisions
    traps(project, "forget", "calendar.example", "/**")
    assert "left as it is" in traps(project, "release", "http://calendar.example/day?at=3", status=1)
    assert traps(project, "release", "calendar.example", "/day?at").startswith("released: calendar.example /day?at\n")


def test_of_many_patterns_that_are_known_it_is_told_how_many_are_not_named(project: Path, store: Path) -> None:
    keep(store, *(replace(DAY, place=f"/day-{at}/*") for at in range(7)))
    said = traps(project, "show", DAY.site, "/dya/*", status=1)
    assert said.endswith("/day-4/* and 2 more)\n")


def test_what_is_forgotten_is_judged_anew(project: Path, store: Path) -> None:
    keep(store, DAY, replace(CONFIRMED, site=DAY.site), MAZE)
    assert traps(project, "forget", "calendar.example").startswith("2 patterns forgotten: ")
    assert list(kept(store)) == ["maze.example/*/*/**"]
    assert traps(project, "forget", "calendar.example", status=1).startswith("nothing is stored of calendar.ex")


def test_a_review_file_carries_decisions_to_a_person_and_back(project: Path, store: Path) -> None:
    keep(store, DAY, MAZE, replace(DAY, site="third.example"))
    assert traps(project, "export", "review.toml") == "3 patterns written to review.toml\n"
    assert traps(project, "export", "review.csv") == "3 patterns written to review.csv, as TOML\n"
    path = project / "review.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    assert traps(project, "confirm", "review.toml", status=1).startswith("review.toml holds no decision: ")
    reviewed(path, calendar="confirm", maze="release")
    assert traps(project, "confirm", "review.toml").splitlines() == [
        "confirmed: calendar.example /day?at",
        "released: maze.example /*/*/**",
        EFFECTS["confirmed"],
        EFFECTS["released"],
        f"kept in {store}",
        "1 pattern without a decision",
    ]
    now = kept(store)
    assert {found.site: found.decision for found in now.values()} == {
        "calendar.example": "confirmed",
        "maze.example": "released",
        "third.example": "",
    }
    assert now["third.example/day?at"].until == DAY.until
    assert replace(now["calendar.example/day?at"], decision="", until=DAY.until, updated_at=DAY.updated_at) == DAY


def test_a_review_file_says_what_was_decided_before_and_decides_nothing_by_itself(project: Path, store: Path) -> None:
    keep(store, CONFIRMED, DAY)
    text = traps(project, "export")
    assert traps(project, "export", "-") == text
    assert text.startswith("# URL patterns that looked endless to scrapy-polite: ")
    assert "scrapy polite traps confirm FILE" in text
    assert [(entry.get("decided"), entry["decision"]) for entry in tomllib.loads(text)["pattern"]] == [
        ("confirmed", ""),
        (None, ""),
    ]


def test_a_review_file_is_not_overwritten_unless_told(project: Path, store: Path) -> None:
    keep(store, DAY)
    (project / "review.toml").write_text("hours of work")
    assert "'review.toml' is there already: name another, or give --force" in traps(
        project, "export", "review.toml", status=2
    )
    assert (project / "review.toml").read_text() == "hours of work"
    traps(project, "export", "review.toml", "--force")
    assert "calendar.example" in (project / "review.toml").read_text()
    assert "cannot be written: No such file or directory" in traps(project, "export", "no/where.toml", status=2)


def test_a_review_file_can_be_taken_to_another_store(project: Path, store: Path, tmp_path: Path) -> None:
    keep(store, DAY, MAZE)
    traps(project, "export", "review.toml")
    reviewed(project / "review.toml", calendar="confirm")
    traps(project, "confirm", "review.toml", "--store", str(tmp_path / "other.sqlite"))
    (found,) = kept(tmp_path / "other.sqlite").values()
    assert abs(found.since - DAY.since) < 1
    assert replace(found, since=DAY.since, updated_at=DAY.updated_at) == replace(
        DAY, decision="confirmed", until=math.inf
    )


@pytest.mark.parametrize(
    ("place", "as_kept"), [("/b?y&x", "/b?x&y"), ("/?*", "/?*"), ("//*/?*", "//*/?*"), ("/calendar/**", "/calendar/**")]
)
def test_a_person_may_write_a_review_file_of_the_shortest_form(
    place: str, as_kept: str, project: Path, store: Path
) -> None:
    (project / "mine.toml").write_text(
        f'[[pattern]]\nsite = "www.a.example"\npattern = "{place}"\ndecision = "confirm"\n'
    )
    traps(project, "confirm", "mine.toml")
    found = kept(store)[f"a.example{as_kept}"]
    assert (found.kind, found.decision) == ("by-hand", "confirmed")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("not = toml = at all", "it is no TOML: ", id="no-toml"),
        pytest.param(b"\xff\xfe", "it is no TOML: byte 0 is no UTF-8", id="no-utf-8"),
        pytest.param("a = " + "[" * 100_000, "it is no ", id="nested-without-end"),
        pytest.param("quarantines = []", "unknown key 'quarantines': a review file has entries [[patt", id="other-key"),
        pytest.param("pattern = 1", "'pattern' is no list of entries", id="no-list"),
        pytest.param("pattern = [1]", "entry 1: it is no table", id="no-table"),
        pytest.param(
            "+desicion = ''", "entry 2 (b.example /b): unknown key 'desicion': the keys are", id="unknown-key"
        ),
        pytest.param(
            "+links_left = true", "entry 2 (b.example /b): links_left is True: expected a number", id="no-number"
        ),
        pytest.param("+examples = [1]", "entry 2 (b.example /b): examples is [1]: expected a list", id="no-texts"),
        pytest.param("+since = 'now'", "entry 2 (b.example /b): since is 'now': expected a date", id="no-time"),
        pytest.param("-decision", "entry 2 (b.example /b): decision is missing", id="no-decision"),
        pytest.param("-site", "entry 2 (/b): site is missing", id="no-site"),
        pytest.param("=decision = 'confirmed'", "decision is 'confirmed': write 'confirm' or 'release'", id="decision"),
        pytest.param('=decision = "\\u001b[2J"', "decision is '\\x1b[2J': write 'confirm'", id="hostile-decision"),
        pytest.param("=pattern = 'b'", "entry 2 (b.example b): 'b' is no pattern: it begins with '/'", id="no-place"),
        pytest.param("=site = ''", "entry 2 ( /b): ", id="empty-site"),
        pytest.param(
            "=site = 'a.example'\n=pattern = '/a'", "an entry before it has decided of the same pattern", id="twice"
        ),
    ],
)
def test_of_a_review_file_with_a_fault_nothing_is_carried_out(
    text: str | bytes, fault: str, project: Path, store: Path
) -> None:
    keep(store, replace(DAY, site="a.example", place="/a"))
    path = project / "review.toml"
    path.write_bytes(text if isinstance(text, bytes) else whole(text).encode())
    printed = traps(project, "confirm", "review.toml", status=2)
    assert printed.startswith("scrapy polite traps: review.toml: ")
    assert fault in printed
    assert printed.count("\n") == 1
    assert is_safe(printed)
    assert [found.decision for found in kept(store).values()] == [""]


def whole(change: str) -> str:
    """A file of two entries; `+` adds a line to the second, `=` puts one in place of its key's, `-` takes one out."""
    if change[0] not in "+-=":
        return change
    second = {"site": "site = 'b.example'", "pattern": "pattern = '/b'", "decision": "decision = 'release'"}
    for line in change.splitlines():
        key = line[1:].partition(" ")[0]
        second[key] = "" if line[0] == "-" else line[1:]
    first = ["site = 'a.example'", "pattern = '/a'", "decision = 'confirm'"]
    return "\n".join(["[[pattern]]", *first, "[[pattern]]", *second.values()])


def test_all_faults_of_a_review_file_are_told_at_once_but_not_without_end() -> None:
    text = "[[pattern]]\nsite = 'a.example'\npattern = '/a'\n" * 1_000
    with pytest.raises(ReviewError) as caught:
        read_review(text.encode(), NOW)
    lines = str(caught.value).splitlines()
    assert lines[:2] == [
        "entry 1 (a.example /a): decision is missing",
        "  entry 2 (a.example /a): decision is missing",
    ]
    assert lines[20:] == ["  and 980 faults more"]


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        pytest.param("calendar/**", "it begins with '/', as in '/calendar/**'", id="relative"),
        pytest.param("https://calendar.example/day", "it begins with '/'", id="a-url"),
        pytest.param("/a b", "write it as it stands in a URL", id="a-space"),
        pytest.param("/caf\u00e9", "write it as it stands in a URL", id="not-ascii"),
        pytest.param("/a#b", "write it as it stands in a URL", id="a-fragment"),
        pytest.param("/a\x1b[31m", "'/a\\x1b[31m' is no pattern: write it as it stands", id="control-characters"),
        pytest.param("/a\u202eb", "'/a\\u202eb' is no pattern: write it as it stands", id="bidi"),
        pytest.param("/day*", "'*' stands for one whole segment", id="a-part-of-a-segment"),
        pytest.param("/a/**/b", "'**' stands at the end", id="in-the-middle"),
        pytest.param(
            "//**", "it begins with '/', as in '/calendar/**' or '/search?page&q', or with a host", id="a-host"
        ),
        pytest.param("//a\x1b/b", "'//a\\x1b/b' is no pattern: write it as it stands", id="a-hostile-host"),
        pytest.param("/a/**//", "'**' stands at the end", id="two-slashes"),
        pytest.param("/day?at=1", "after '?' stand names of parameters", id="a-value"),
        pytest.param("/" + "x" * 100_000, "a pattern has 2,048 characters at most: '/xxx", id="100-kB"),
    ],
)
def test_what_is_no_pattern_is_not_taken_for_one(place: str, fault: str, project: Path, store: Path) -> None:
    printed = traps(project, "confirm", "calendar.example", place, status=2)
    assert printed.startswith("scrapy polite traps: ")
    assert fault in printed
    assert len(printed) < 600
    assert is_safe(printed)
    assert kept(store) == {}


def test_a_host_with_a_space_is_none(project: Path, store: Path) -> None:
    printed = traps(project, "confirm", "exa mple", "/x", status=2)
    assert "bad host or port in 'exa mple': spaces or control characters" in printed
    assert kept(store) == {}


def test_whatever_a_server_said_is_shown_escaped_and_cut(project: Path, store: Path) -> None:
    place = f"/{HOSTILE[:2_000]}/*"
    keep(store, replace(DAY, place=place, evidence=HOSTILE, examples=(f"http://x/{HOSTILE}",) * 99))
    shown, listed = traps(project, "show", "calendar.example"), traps(project, "list")
    assert "\\x1b[31m\\r\\n\\x00\\x7f\\x85\\u202egnp.\\u2066\\ufeff" in shown
    assert is_safe(shown + listed)
    assert max(map(len, shown.splitlines())) < 1_500
    assert max(map(len, listed.splitlines())) < 200
    assert shown.count("  example: ") == MAX_EXAMPLES
    assert "to follow its links: scrapy polite traps export FILE\n" in shown


def test_a_review_file_gives_back_a_hostile_pattern_to_the_letter(project: Path, store: Path) -> None:
    place = f"/{HOSTILE[:2_000]}/*\U000e0041é"
    keep(store, replace(DAY, place=place, evidence=HOSTILE))
    traps(project, "export", "review.toml")
    text = (project / "review.toml").read_text()
    assert is_safe(text)
    assert traps(project, "export") == text
    reviewed(project / "review.toml", calendar="confirm")
    traps(project, "confirm", "review.toml")
    (found,) = kept(store).values()
    assert (found.place, found.decision) == (place, "confirmed")


def test_a_review_file_can_be_read_whatever_utf_8_cannot_hold() -> None:
    (entry,) = read_review(review([replace(DAY, place="/\ud800\udcff", evidence='"\\')]).encode(), NOW)
    assert (entry.told.place, entry.told.evidence) == ("/\\ud800\\udcff", '"\\')


@pytest.mark.parametrize("moment", [math.inf, -math.inf, 1e300, -1e300])
def test_a_time_that_cannot_be_can_be_shown(moment: float) -> None:
    (entry,) = read_review(review([replace(DAY, since=moment)]).encode(), NOW)
    assert 0 <= entry.told.since < 1e12


def test_a_store_elsewhere_can_be_named_also_outside_a_project(tmp_path: Path) -> None:
    keep(tmp_path / "other.sqlite", DAY)
    (row,) = traps(tmp_path, "list", "--store", "other.sqlite", "--json").splitlines()
    assert json.loads(row)["site"] == "calendar.example"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        pytest.param([], "traps: the following arguments are required: {list,show,export,", id="no-word"),
        pytest.param(["confirn"], "invalid choice: 'confirn' (choose from", id="unknown"),
        pytest.param(["show"], "traps show: the following arguments are required: SITE", id="a-word-too-few"),
        pytest.param(["list", "a", "b"], "traps list: unrecognized arguments: b", id="a-word-too-many"),
        pytest.param(["release", "a.example", "--force"], "traps release: unrecognized arguments: --force", id="force"),
        pytest.param(["list", "--forget", "x"], "traps list: unrecognized arguments: --forget", id="another-option"),
        pytest.param(["export", "--force"], "--force goes with FILE", id="force-without-a-file"),
        pytest.param(["confirm", "x.toml", "--why", "so"], "--why goes with SITE and PATTERN", id="why-of-a-file"),
        pytest.param(["confirm", "x.toml"], "there is no file 'x.toml': give a review file, or SITE", id="no-file"),
        pytest.param(
            ["confirm", "text", "/x"], "'text' is a file: a review file goes without PATTERN", id="file-and-pattern"
        ),
        pytest.param(["confirm", "."], "'.' cannot be read: Is a directory", id="a-folder"),
        pytest.param(["show", "http://[::1"], "bad host or port in '[::1'", id="bad-site"),
        pytest.param(["list", "--store", "text"], "text: file is not a database", id="no-database"),
        pytest.param(
            ["list", "-s", "POLITE_STORE=memory"], "POLITE_STORE is 'memory', so nothing is kept; name", id="memory"
        ),
    ],
)
def test_what_cannot_be_meant_is_an_error_that_says_so(
    words: list[str], error: str, project: Path, store: Path
) -> None:
    keep(store, DAY)
    (project / "text").write_text("no database, but a text that is long enough to be one" * 100)
    assert error in traps(project, *words, status=2)
