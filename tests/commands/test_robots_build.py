"""`scrapy robots build`: a file is written, what closes much is not written unasked, every build is kept."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from scrapy_polite.robots.__main__ import main
from scrapy_polite.robots.build.history import replacing

OPEN = '[[rule]]\nagents = ["*"]\ndisallow = ["/cart/"]\n'
BUILT = "User-agent: *\nDisallow: /cart/\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "site.toml"
    path.write_text(OPEN)
    return path


def build(rules: Path, *words: str) -> int:
    return main(["build", str(rules), *words])


def test_the_file_is_written_and_every_build_is_kept_with_its_reason(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robots = rules.with_name("robots.txt")
    assert build(rules) == 0
    assert robots.read_text() == BUILT
    assert capsys.readouterr().out.endswith("robots.txt: 31 bytes, build 1\n")
    assert build(rules) == 0
    assert "says so already" in capsys.readouterr().out

    rules.write_text(OPEN + '[[rule]]\nagents = ["Abot"]\ndisallow = ["/x"]\n')
    assert build(rules) == 2
    assert "the file changes: say why, with --reason" in capsys.readouterr().err
    assert robots.read_text() == BUILT
    assert build(rules, "--reason", "Abot is slow") == 0
    assert "User-agent: Abot" in robots.read_text()
    capsys.readouterr()

    assert build(rules, "--back", "1") == 0
    assert robots.read_text() == BUILT
    assert "the rules stay as they are (those of build 1 are kept in " in capsys.readouterr().err
    assert build(rules, "--history") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("bytes  ")[1] for line in lines] == [
        "first build",
        "Abot is slow",
        "back to build 1 (first build)",
    ]
    assert (rules.with_name("site.history") / "0001.rules.toml").read_text() == OPEN
    assert build(rules, "--back", "9") == 2
    assert "there is no such build; give a number that --history lists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("closed", "urls", "told"),
    [
        pytest.param('["/"]', "", "for * it closes / (line 2: Disallow: /)", id="everything"),
        pytest.param('["/$"]', "", "for * it closes / (line 2: Disallow: /$)", id="home-page"),
        pytest.param('["/*"]\nallow = ["/$"]', "", "for * it closes all pages that no rule names (", id="but-home"),
        pytest.param('["/news"]', "/news/1\n" + "/a\n" * 18, "closes 1 of 19 known URLs (5.26 %)", id="urls"),
        pytest.param('["/news"]', "/news/1\n" + "/a\n" * 19, "", id="5-percent-is-not-more-than-5-percent"),
        pytest.param('["/news"]', "", "", id="a-part"),
    ],
)
def test_what_closes_much_needs_to_be_confirmed(
    rules: Path, capsys: pytest.CaptureFixture[str], closed: str, urls: str, told: str
) -> None:
    assert build(rules) == 0
    rules.write_text(f'[[rule]]\nagents = ["*"]\ndisallow = {closed}\n')
    known = rules.with_name("urls")
    known.write_text(urls)
    words = ("--reason", "test", *(("--urls", str(known)) if urls else ()))
    capsys.readouterr()
    status = build(rules, *words)
    assert told in capsys.readouterr().err
    assert status == (1 if told else 0)
    assert (rules.with_name("robots.txt").read_text() == BUILT) is bool(told)
    if told:
        assert build(rules, *words, "--confirm") == 0
        assert rules.with_name("robots.txt").read_text() != BUILT
        last = (rules.with_name("site.history") / "builds.jsonl").read_text().splitlines()[-1]
        assert told.removeprefix("for * it ") in json.loads(last)["confirmed"]


def test_one_crawler_that_is_shut_out_by_name_needs_to_be_confirmed_too(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(rules) == 0
    rules.write_text(OPEN + '[[rule]]\nagents = ["Abot"]\ndisallow = ["/"]\n')
    assert build(rules, "--reason", "no") == 1
    assert "for Abot it closes / (line 2: Disallow: /)" in capsys.readouterr().err


def test_known_urls_of_other_origins_are_left_out_where_one_is_named(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(rules) == 0
    rules.write_text('[[rule]]\nagents = ["*"]\ndisallow = ["/news"]\n')
    known = rules.with_name("urls")
    known.write_text("https://a.example/news/1\n" + "https://b.example/\n" * 19)
    words = ("--dry-run", "--urls", str(known))
    capsys.readouterr()
    assert build(rules, *words) == 0
    assert capsys.readouterr().err == "note: the known URLs are of several origins: --origin takes those of one\n"
    assert build(rules, *words, "--origin", "https://a.example") == 1
    assert capsys.readouterr().err == "for * it closes 1 of 1 known URLs (100 %)\n"
    assert build(rules, *words, "--origin", "https://c.example") == 2
    told = "holds no URL of https://c.example: all 20 are of others; nothing is compared\n"
    assert capsys.readouterr().err.endswith(told)


def test_a_rule_of_another_time_is_built_for_that_time_and_a_dry_run_writes_nothing(
    rules: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules.write_text(OPEN + '[[rule]]\nagents = ["*"]\ndisallow = ["/sale/"]\nfrom = 2037-01-01\nuntil = 2037-01-31\n')
    assert build(rules, "--at", "2037-01-31T23:59", "--dry-run") == 0
    shown = capsys.readouterr()
    assert shown.out == "User-agent: *\nDisallow: /cart/\nDisallow: /sale/\n"
    assert "a rule begins or ends at 2037-02-01 00:00 UTC: build again then" in shown.err
    assert build(rules, "--at", "2037-02-01", "--dry-run") == 0
    assert capsys.readouterr().out == BUILT
    assert [path.name for path in rules.parent.iterdir()] == ["site.toml"]
    with pytest.raises(SystemExit) as left:
        build(rules, "--at", "soon")
    assert left.value.code == 2
    assert "'soon' is no time: write 2027-01-31" in capsys.readouterr().err


def test_what_a_person_wrote_into_the_file_is_not_overwritten_where_that_closes(rules: Path) -> None:
    rules.write_text('[[rule]]\nagents = ["*"]\ndisallow = ["/"]\n')
    assert build(rules, "--confirm", "--reason", "not yet open") == 0
    rules.with_name("robots.txt").write_text(BUILT)
    assert build(rules, "--reason", "again") == 1
    assert rules.with_name("robots.txt").read_text() == BUILT


def test_a_build_that_cannot_be_written_is_not_in_the_history(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(rules, "--output", str(rules.parent / "none" / "robots.txt")) == 2
    assert "robots.txt: cannot be written (No such file or directory); give another --output" in capsys.readouterr().err
    assert build(rules, "--history") == 1
    rules.with_name("site.history").write_text("")
    assert build(rules) == 2
    assert (
        "builds.jsonl: cannot be read (Not a directory); mend the line, or move the folder away"
        in capsys.readouterr().err
    )
    assert sorted(path.name for path in rules.parent.iterdir()) == ["site.history", "site.toml"]
    with pytest.raises(KeyError), replacing(rules, b""):
        raise KeyError
    assert rules.read_text() == OPEN
    assert build(Path(".")) == 2
    assert ".: cannot be read (Is a directory); give the path of a file of rules" in capsys.readouterr().err


def test_a_file_in_which_no_rule_holds_is_told(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules.write_text(f"{OPEN}from = 2037-01-01\n")
    assert build(rules, "--dry-run") == 0
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "note: no rule holds then: the file allows everything\n" in shown.err


def test_a_history_that_is_damaged_is_told(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert build(rules) == 0
    history = rules.with_name("site.history")
    (history / "0001.robots.txt").write_text("User-agent: *\nDisallow: /\n")
    assert build(rules, "--back", "1") == 2
    assert "0001.robots.txt: is not what was built; restore the file" in capsys.readouterr().err
    (history / "builds.jsonl").write_text("{}\n")
    assert build(rules, "--history") == 2
    assert "builds.jsonl, line 1: is no line of a build; mend the line" in capsys.readouterr().err


def test_it_runs_without_scrapy_from_a_shell(rules: Path) -> None:
    code = (
        "import sys\nsys.modules['scrapy'] = None\nfrom scrapy_polite.robots.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "build", str(rules), "--dry-run"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, BUILT)
