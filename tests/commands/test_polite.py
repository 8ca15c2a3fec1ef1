"""`scrapy polite check` on the real command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commandline import make_project
from crawls import environment
from projects import scrapy

SPIDERS = """
import scrapy
from pathlib import Path

class One(scrapy.Spider):
    name = "one"
    def __init__(self, *args, **kwargs):
        Path("crawled").touch()

class Two(One):
    name = "two"
"""
#: A folder in which not even root can make anything.
NEEDS_PROC = pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc here")
IN_FORCE = (
    "  replaces    Scrapy's RobotsTxtMiddleware by this package's, at 100; "
    "its UrlLengthMiddleware by this package's, at 800; "
    "ROBOTSTXT_OBEY by True; ROBOTSTXT_PARSER by PoliteRobotParser; SCHEDULER by Scheduler; "
    "DUPEFILTER_CLASS by PoliteDupeFilter"
)


def spider(body: str) -> str:
    return f"import scrapy\n\nclass One(scrapy.Spider):\n    name = 'one'\n    {body}\n"


def test_spiders_in_good_order_are_told_together_and_nothing_runs_or_is_made(tmp_path: Path) -> None:
    project = make_project(tmp_path, spiders=SPIDERS)
    process = scrapy(project, "polite", "check")
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines() == [
        "one, two: fine",
        "  robots.txt  obeyed",
        IN_FORCE,
        "  traps       what a URL proves is refused, what looks endless waits for the rest of its site",
        f"  store       {tmp_path}/.scrapy/polite/polite.sqlite (the first crawl makes it)",
        "2 spiders: 2 fine, 0 with problems",
    ]
    assert not (project / "crawled").exists()
    assert not (project / ".scrapy").exists()


def test_what_sites_have_of_their_own_may_be_other_about_traps(tmp_path: Path) -> None:
    project = make_project(tmp_path, settings={"POLITE_SITES": {"a.example": {"traps": "drop"}}}, spiders=SPIDERS)
    process = scrapy(project, "polite", "check")
    assert "waits for the rest of its site (1 pattern of POLITE_SITES may differ)\n" in process.stdout


@pytest.mark.parametrize(
    ("settings", "spiders", "problem"),
    [
        pytest.param({"POLITE_WAIT_MAX": "soon"}, SPIDERS, "POLITE_WAIT_MAX is 'soon', expected seconds", id="value"),
        pytest.param(
            {"POLITE_WAITMAX": 1}, SPIDERS, "unknown setting POLITE_WAITMAX: did you mean POLITE_WAIT_MAX?", id="name"
        ),
        pytest.param(
            {}, spider("custom_settings = {'POLITE_MODE': 'adit'}"), "POLITE_MODE is 'adit', expected", id="of-a-spider"
        ),
        pytest.param(
            {"USER_AGENT": "Scrapy/2.19 (+https://scrapy.org)"}, SPIDERS, "USER_AGENT is Scrapy's default", id="default"
        ),
        pytest.param({"USER_AGENT": "mybot/1.0"}, SPIDERS, "USER_AGENT has no contact", id="no-contact"),
        pytest.param({}, spider("user_agent = 'mybot/1.0'"), "USER_AGENT has no contact", id="user-agent-of-a-spider"),
        pytest.param(
            {"USER_AGENT": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"},
            SPIDERS,
            "USER_AGENT is a browser's",
            id="browser",
        ),
        pytest.param(
            {"USER_AGENT": "(+https://x.example)"}, SPIDERS, "no product token can be found in", id="no-token"
        ),
        pytest.param({"ADDONS": {}}, SPIDERS, "the add-on is not in force: put ADDONS = ", id="no-add-on"),
        pytest.param(
            {"DOWNLOADER_MIDDLEWARES": {"scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None}},
            SPIDERS,
            "robots.txt is left to the project",
            id="middleware-taken-out",
        ),
        pytest.param({"POLITE_STORE": "../scrapy.cfg/my.sqlite"}, SPIDERS, "the store cannot be made: ", id="store"),
        pytest.param(
            {"POLITE_STORE": "/proc/folder/my.sqlite"},
            SPIDERS,
            "the store cannot be made: /proc is no folder that can be written to; make it one, or point POLITE_STORE "
            "elsewhere\n",
            marks=NEEDS_PROC,
            id="store-where-not-even-root-may-write",
        ),
        pytest.param({"POLITE_STORE": __file__}, SPIDERS, "the store cannot be opened: ", id="store-that-is-none"),
        pytest.param(
            {"POLITE_REFUSED_FILE": "/proc/folder/refused.jsonl"},
            SPIDERS,
            "POLITE_REFUSED_FILE is '/proc/folder/refused.jsonl', but /proc is no folder that can be written to: name",
            marks=NEEDS_PROC,
            id="refused-file-where-not-even-root-may-write",
        ),
        pytest.param(
            {"JOBDIR": "scrapy.cfg/job"},
            SPIDERS,
            "JOBDIR is 'scrapy.cfg/job', but ",
            id="jobdir-below-a-file",
        ),
        pytest.param(
            {"POLITE_SITES": {"a.example": {"budget": {"pages": 3, "per": "day"}}, "b.example": {"delay": "two"}}},
            SPIDERS,
            "POLITE_SITES is wrong: 'b.example': 'delay' is 'two', expected seconds from 0 to 86,400\n",
            id="one-site",
        ),
        pytest.param(
            {"POLITE_SITES": {"a.example": {"budget": {"pages": 3, "per": "dya"}}}},
            SPIDERS,
            "POLITE_SITES is wrong: 'a.example': 'budget' is wrong: a budget's 'per' is one of second, minute, ",
            id="part-of-a-part",
        ),
        pytest.param(
            {"POLITE_MODE": "dry"},
            SPIDERS,
            "POLITE_MODE is 'dry', expected 'enforce', 'audit', or a dict from part to one of them, "
            "such as {'robots': 'audit'}\n",
            id="word-that-is-no-json",
        ),
        pytest.param(
            {"ADDONS": {"testproject.spiders.Broken": 1}},
            SPIDERS + "\nclass Broken:\n    def update_settings(self, settings):\n        raise KeyError('x')\n",
            "the settings cannot be applied: KeyError: 'x'",
            id="another-add-on",
        ),
    ],
)
def test_a_problem_is_named_with_its_setting(
    settings: dict[str, Any], spiders: str, problem: str, tmp_path: Path
) -> None:
    process = scrapy(make_project(tmp_path, settings, spiders), "polite", "check", "one")
    assert process.returncode == 1, process.stderr
    assert re.match(r"one: \d problems?\n", process.stdout)
    assert f"  - {problem}" in process.stdout
    assert "Traceback" not in process.stderr


def test_a_user_agent_that_is_wrong_is_told_beside_a_setting_that_is(tmp_path: Path) -> None:
    settings = {"POLITE_WAIT_MAX": "soon", "USER_AGENT": "mybot/1.0"}
    process = scrapy(make_project(tmp_path, settings, SPIDERS), "polite", "check", "one")
    assert process.returncode == 1, process.stderr
    assert [line.partition(",")[0].partition(" (")[0] for line in process.stdout.splitlines()] == [
        "one: 2 problems",
        "  - POLITE_WAIT_MAX is 'soon'",
        "  - USER_AGENT has no contact",
    ]


def test_a_name_with_digits_is_no_problem_but_told_also_at_the_start_of_a_crawl(tmp_path: Path) -> None:
    body = "custom_settings = {'USER_AGENT': 'mybot2 (+https://x.example)', 'POLITE_STORE': 'memory'}"
    project = make_project(tmp_path, spiders=spider(body))
    process = scrapy(project, "polite", "check")
    assert process.returncode == 0, process.stdout
    assert "\n  name        the product token 'mybot2' has digits" in process.stdout
    (line,) = [line for line in scrapy(project, "crawl", "one").stderr.splitlines() if "has digits" in line]
    assert " INFO: scrapy-polite: the product token 'mybot2' has digits" in line


def test_only_the_spider_with_a_problem_is_blamed_and_others_can_be_checked_alone(tmp_path: Path) -> None:
    bad = "\nclass Bad(One):\n    name = 'bad'\n    custom_settings = {'POLITE_SUMMARY': 'perhaps'}\n"
    project = make_project(tmp_path, spiders=SPIDERS + bad)
    both = scrapy(project, "polite", "check")
    assert both.returncode == 1
    assert "bad: 1 problem\n  - POLITE_SUMMARY is 'perhaps', expected True or False\n" in both.stdout
    assert "one, two: fine\n" in both.stdout
    assert scrapy(project, "polite", "check", "two", "one").returncode == 0


MANY = """
import scrapy

for number in range(300):
    made = {"name": f"spider{number:03}"}
    if number < 30:
        made["custom_settings"] = {"POLITE_WAIT_MAX": f"{number} s"}
    elif number < 130:
        made["user_agent"] = "mybot"
    globals()[f"Spider{number}"] = type(f"Spider{number}", (scrapy.Spider,), made)
"""


def test_of_many_spiders_problems_come_first_then_counts_with_some_names_or_all(tmp_path: Path) -> None:
    project = make_project(tmp_path, spiders=MANY)
    process = scrapy(project, "polite", "check")
    assert process.returncode == 1, process.stderr
    lines = process.stdout.splitlines()
    assert lines[0] == "spider030, spider031, spider032, spider033, spider034 and 95 more: 1 problem"
    assert lines[1].startswith("  - USER_AGENT has no contact")
    assert lines[2:4] == ["spider000: 1 problem", "  - POLITE_WAIT_MAX is '0 s', expected seconds from 0 to 86,400"]
    assert lines[20] == "and 21 more such findings: --verbose shows them"
    assert lines[21] == "spider130, spider131, spider132, spider133, spider134 and 165 more: fine"
    assert lines[-1] == "300 spiders: 170 fine, 130 with problems"
    assert len(process.stdout) < 5_000

    whole = scrapy(project, "polite", "check", "--verbose").stdout
    assert whole.splitlines()[0] == ", ".join(f"spider{number:03}" for number in range(30, 130)) + ": 1 problem"
    assert "  - POLITE_WAIT_MAX is '29 s', expected" in whole
    assert "--verbose" not in whole


def test_the_command_line_counts_as_it_would_in_a_crawl(tmp_path: Path) -> None:
    project = make_project(tmp_path, spiders=SPIDERS)
    process = scrapy(project, "polite", "check", "-s", "POLITE_STORE=memory", "-s", "ROBOTSTXT_OBEY=1")
    assert process.returncode == 0
    assert "ROBOTSTXT_OBEY" not in process.stdout
    assert "  store       memory: nothing outlives the crawl\n" in process.stdout


@pytest.mark.parametrize(
    ("arguments", "project", "error"),
    [
        pytest.param(["check", "thre"], {}, "no spider 'thre' in this project; it has: one, two", id="unknown"),
        pytest.param(["check"], {"spiders": ""}, "no spiders in SPIDER_MODULES (testproject.spiders)", id="none"),
        pytest.param(
            ["check"], {"spiders": "import nix"}, "spiders cannot be loaded: ModuleNotFoundError", id="broken"
        ),
        pytest.param(
            ["check"],
            {"settings": {"ADDONS": {"nix.Addon": 1}}},
            "an add-on in ADDONS cannot be loaded: ModuleNotFoundError: No module named 'nix'",
            id="no-such-add-on",
        ),
        pytest.param([], {}, "scrapy polite: the following arguments are required: {check,gates,", id="no-subcommand"),
    ],
)
def test_what_cannot_be_checked_is_an_error(
    arguments: list[str], project: dict[str, Any], error: str, tmp_path: Path
) -> None:
    process = scrapy(make_project(tmp_path, **{"spiders": SPIDERS, **project}), "polite", *arguments)
    assert process.returncode == 2
    assert error in process.stderr
    assert process.stdout == ""
    assert "Traceback" not in process.stderr


@NEEDS_PROC
def test_a_data_folder_that_cannot_be_made_is_a_problem_in_one_line(tmp_path: Path) -> None:
    project = make_project(tmp_path, spiders=SPIDERS)
    with (project / "scrapy.cfg").open("a") as file:
        file.write("[datadir]\ndefault = /proc/folder\n")
    process = scrapy(project, "polite", "check", "one")
    assert process.returncode == 1, process.stderr
    assert "  - the store cannot be made: /proc is no folder that can be written to; " in process.stdout
    assert process.stderr == ""


def test_the_data_folder_that_scrapy_cfg_names_is_that_of_the_store(tmp_path: Path) -> None:
    project = make_project(tmp_path, spiders=SPIDERS)
    with (project / "scrapy.cfg").open("a") as file:
        file.write("[datadir]\ndefault = data\n")
    process = scrapy(project, "polite", "check", "one")
    assert f"  store       {tmp_path}/data/polite/polite.sqlite (the first crawl makes it)" in process.stdout
    assert not (project / "data").exists()


def test_outside_a_project_it_says_where_to_run_it(tmp_path: Path) -> None:
    process = scrapy(tmp_path, "polite", "check")
    assert process.returncode == 2
    assert "no project here: run it in a project's folder" in process.stderr


def test_scrapy_lists_both_commands(tmp_path: Path) -> None:
    listed = scrapy(tmp_path, "-h").stdout
    assert "  polite        Validate the settings of every spider; see which hosts are closed" in listed
    assert "  robots        Ask what robots.txt says of URLs" in listed


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        pytest.param(
            ["robots"], "{check,show,forget,export,import,test,diff,lint,build,publish,farms}", id="subcommand"
        ),
        pytest.param(["robots", "check"], "URL", id="word"),
        pytest.param(["polite", "traps", "show"], "SITE", id="word-of-a-group"),
    ],
)
def test_a_missing_word_is_told_in_two_lines_with_the_usage_and_where_help_is(
    words: list[str], missing: str, tmp_path: Path
) -> None:
    process = scrapy(tmp_path, *words)
    command = f"scrapy {' '.join(words)}"
    first, second = process.stderr.splitlines()
    assert first == f"{command}: the following arguments are required: {missing}"
    assert second.startswith(f"usage: {command} [-h] ")
    assert second.endswith(f"  (more: {command} --help)")
    assert (process.returncode, process.stdout) == (2, "")


@pytest.mark.parametrize("words", [["-L", "LOUD", "gates", "--nosuch"], ["gates", "-s"], ["gates", "-s", "x"]])
def test_a_wrong_option_is_told_in_two_lines(words: list[str], tmp_path: Path) -> None:
    process = scrapy(tmp_path, "polite", *words)
    assert (process.returncode, len(process.stderr.splitlines())) == (2, 2)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        pytest.param(["robots", "--help"], ["check", "forget", "import"], id="command"),
        pytest.param(["robots", "check", "-h"], ["--agent NAME", "--file PATH", "URL"], id="subcommand"),
        pytest.param(["polite", "traps", "--help"], ["confirm", "release"], id="group"),
        pytest.param(["polite", "traps", "confirm", "--help"], ["FILE | SITE", "PATTERN", "--why TEXT"], id="within"),
    ],
)
def test_every_command_and_subcommand_has_a_help_of_its_own(words: list[str], shown: list[str], tmp_path: Path) -> None:
    process = scrapy(tmp_path, *words)
    assert process.returncode == 0
    assert process.stdout.startswith(f"usage: scrapy {' '.join(words[:-1])} ")
    for text in shown:
        assert f"  {text}" in process.stdout


def test_options_stand_anywhere_after_the_subcommand_and_scrapys_own_anywhere(tmp_path: Path) -> None:
    words = ("-s", "POLITE_BLACKLISTS=", "blacklist", "check", "http://a.example/", "--json", "http://b.example/")
    process = scrapy(tmp_path, "polite", *words, "-L", "ERROR")
    assert process.returncode == 0, process.stderr
    assert len(process.stdout.splitlines()) == 2


@pytest.mark.skipif(os.name == "nt", reason="there are no such pipes")
@pytest.mark.parametrize("count", [pytest.param(1, id="at-the-last-flush"), pytest.param(1_000, id="while-it-prints")])
def test_a_reader_that_has_enough_ends_a_command_in_silence(count: int, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)  # as `head` does when it has its lines
    command = [sys.executable, "-m", "scrapy", "polite", "blacklist", "check", *["https://a.example/"] * count]
    process = subprocess.run(
        command, check=False, stdout=writing, stderr=subprocess.PIPE, cwd=tmp_path, env=environment()
    )
    os.close(writing)
    assert (process.returncode, process.stderr) == (141, b"")
