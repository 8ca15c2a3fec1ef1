"""Hosts that say the same are one farm, whatever they call themselves; what systems write by default is told apart."""

from __future__ import annotations

import gzip
import json
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from commandline import make_project
from projects import scrapy
from run_parts import STARTED, write_run
from scrapy_polite.robots.farms import as_svg, farms, normal, system_of
from scrapy_polite.runs.records import Robots
from scrapy_polite.store.factory import open_file
from scrapy_polite.store.robots import RobotsCopy

OWN = b"User-agent: *\nDisallow: /ours\nSitemap: https://www.%s/map.xml\n"


def test_files_that_differ_in_form_or_in_their_own_name_alone_are_one_farm() -> None:
    found = farms(
        [
            ("www.a.example", OWN % b"a.example"),
            (
                "b.example",
                b"# b\r\n\r\nUSER-AGENT:*\r\ndisallow:  /ours # ours\r\nsitemap: https://www.B.example/map.xml",
            ),
            ("c.example", (OWN % b"c.example").replace(b"/ours", b"/Ours")),
            ("d.example", OWN % b"elsewhere.example"),
            ("b.example", OWN % b"b.example"),
        ]
    )
    assert [(farm.hosts, farm.system, farm.rules) for farm in found] == [(("b.example", "www.a.example"), "", 1)]


@pytest.mark.parametrize(
    ("body", "system"),
    [
        (b"# nothing\n", "empty"),
        (b"User-agent: *\nDisallow:\n", "allows everything"),
        (b"User-agent: *\nDisallow: /\n", "closes everything"),
        (b"User-agent: gptbot\nDisallow: /\n", ""),
        (b"User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n", "WordPress"),
        (b"User-agent: *\nDisallow: /wp-admin/\nDisallow: /ours\nDisallow: /x\n", ""),
        (
            b"User-agent: *\nDisallow: /core/\nDisallow: /profiles/\nDisallow: /web.config\nDisallow: /admin/\n",
            "Drupal",
        ),
    ],
)
def test_what_says_nothing_of_an_owner_is_known(body: bytes, system: str) -> None:
    assert system_of(normal("a.example", body)) == system


def test_a_hostile_name_stays_text_in_the_picture() -> None:
    hosts = [("<script>&\x1b", OWN), ('"b"', OWN)]
    picture = ET.fromstring(as_svg(farms(hosts)))
    assert not list(picture.iter("{http://www.w3.org/2000/svg}script"))
    assert any("<script>" in (text.text or "") for text in picture.iter())
    assert ET.fromstring(as_svg([])) is not None


def test_the_farms_of_all_runs_and_of_a_folder_are_shown(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "project")
    origins = [f"https://{name}.example" for name in "ab"]
    runs = folder / ".scrapy" / "polite" / "runs"
    files = write_run(runs, [Robots(STARTED, origin, 200, "ab", "1 rule") for origin in origins])
    with gzip.open(files.bodies, "wb") as bodies:
        bodies.write(json.dumps(["ab", OWN.decode()]).encode() + b"\n")
    shown = scrapy(folder, "robots", "farms", "--json", "--svg", "farms.svg")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["hosts"] == ["a.example", "b.example"]
    assert "<svg" in (folder / "farms.svg").read_text()
    with closing(open_file(folder / "store.sqlite")) as store:
        for name in "bcd":
            copy = RobotsCopy(
                f"https://{name}.example", "bot", 1.0, 200, b"User-agent: *\nDisallow: /x", fetched_at=1.0
            )
            store.robots.put(copy).result()
    stored = scrapy(folder, "robots", "farms", "store.sqlite", "--json")
    assert json.loads(stored.stdout)["hosts"] == ["b.example", "c.example", "d.example"]
    (folder / "origins").write_text("https://a.example\nb.example\nz.example\n")
    listed = scrapy(folder, "robots", "farms", "origins", "--json")
    assert json.loads(listed.stdout)["hosts"] == ["a.example", "b.example"]
    assert "of 1 in origins no robots.txt is known" in listed.stderr
    (folder / "files").mkdir()
    (folder / "files" / "a.example").write_bytes(OWN % b"a.example")
    (folder / "files" / "b.example.txt").write_bytes(b"PK\3\4")
    alone = scrapy(folder, "robots", "farms", "files")
    assert (alone.returncode, alone.stdout) == (1, "")
    assert "b.example.txt, line 1: binary data" in alone.stderr
    missing = scrapy(folder, "robots", "farms", "none")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)
