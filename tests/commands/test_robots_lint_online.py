"""`scrapy robots lint --online` on the real command line: what real origins answer, and the Sitemaps that are named."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from commandline import make_project
from projects import scrapy
from scrapy_polite.robots.lint.online import MAX_SITEMAPS, sitemaps, to_ask
from webserver import Answer, Origin, robots

RULES = "User-agent: *\nDisallow: /private\n"


def found(stdout: str, kind: str, root: str) -> list[tuple[str, int, str]]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in stdout.splitlines()]
    return [(one["level"], one["line"], one["message"]) for one in lines if one["id"] == kind and one["file"] == root]


def test_statuses_redirects_and_sitemaps_are_found_where_they_are_wrong_and_nowhere_else(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "project", {"POLITE_ROBOTS_ATTEMPTS": 1})
    with ExitStack() as stack:

        def origin(table: dict[str, Answer]) -> Origin:
            return stack.enter_context(Origin(table))

        there = origin({"/robots.txt": robots(RULES), "/gone.xml": Answer(404), "/map.xml": Answer(body=b"x" * 90_000)})
        closed = {status: origin({"/robots.txt": Answer(status)}) for status in (503, 429, 500)}
        opened = {status: origin({"/robots.txt": Answer(status)}) for status in (404, 403, 401, 410)}
        empty = origin({"/robots.txt": Answer()})
        away = [
            origin({"/robots.txt": Answer(status, headers={"Location": f"{there.url}/robots.txt"})})
            for status in (301, 302, 308)
        ]
        within = [
            origin({"/robots.txt": Answer(status, headers={"Location": "/r"}), "/r": robots(RULES)})
            for status in (301, 307)
        ]
        maps = origin({"/b.xml": Answer(500), "/moved.xml": Answer(301, headers={"Location": "/a.xml"})})
        here = [f"{maps.url}/{name}" for name in ("a.xml", "b.xml", "private/c.xml", "moved.xml")]
        named = [*here, f"{there.url}/gone.xml", f"{there.url}/map.xml", "relative.xml"]
        maps.table["/robots.txt"] = robots(RULES + "".join(f"Sitemap: {address}\n" for address in named))
        (folder / "of.txt").write_text(f"{RULES}Sitemap: {there.url}/gone.xml\nSitemap: {maps.url}/a.xml\n")
        asked = [*closed.values(), *opened.values(), empty, *away, *within, there, maps]
        shown = scrapy(folder, "robots", "lint", "--json", "--online", *(one.url for one in asked), "of.txt")
    assert (shown.returncode, shown.stderr) == (1, ""), shown.stderr

    def told(kind: str, one: Origin | str) -> list[tuple[str, int, str]]:
        return found(shown.stdout, kind, one if isinstance(one, str) else one.url)

    for status, one in closed.items():
        assert told("status-for-all", one) == [("error", 1, f"the answer is HTTP {status}: nothing may be fetched")]
    for status in (404, 410):
        text = f"the answer is HTTP {status}: everything may be fetched"
        assert told("status-for-all", opened[status]) == [("hint", 1, text)]
    for status in (401, 403):
        text = f"the answer is HTTP {status}: some crawlers fetch everything, others nothing"
        assert told("status-for-all", opened[status]) == [("error", 1, text)]
    for one in (empty, *within, there, maps, *away):
        assert told("status-for-all", one) == []

    for one in away:
        [(level, line, text)] = told("redirect-leaves-origin", one)
        assert (level, line) == ("hint", 1)
        assert f"robots.txt is redirected to '{there.url}/robots.txt', of another origin" in text
    for one in (*within, there, maps, *closed.values()):
        assert told("redirect-leaves-origin", one) == []

    told_of = {line: text for _, line, text in told("sitemap-unreachable", maps)}
    assert list(told_of) == [4, 5, 7]  # and none of 3, 6 (redirected), 8 (cut) and 9 (another kind)
    assert told_of[4].endswith("/b.xml' cannot be fetched: HTTP 500")
    assert "/robots.txt does not let testbot fetch it (line 2: Disallow: /private)" in told_of[5]
    assert told_of[7].endswith("/gone.xml' cannot be fetched: HTTP 404")
    assert [line for _, line, _ in told("sitemap-unreachable", "of.txt")] == [3]
    # Each is asked for once, whoever names it; what its robots.txt refuses is not.
    assert sorted(maps.pages()) == ["/a.xml", "/a.xml", "/b.xml", "/moved.xml"]
    assert sorted(there.pages()) == ["/gone.xml", "/map.xml"]


def test_an_origin_that_does_not_answer_is_one_line_and_the_others_are_looked_at(tmp_path: Path) -> None:
    folder = make_project(tmp_path / "project", {"POLITE_ROBOTS_ATTEMPTS": 1})
    (folder / "of.txt").write_text("User-agent: *\nDisallow: private/\n")
    with Origin({"/robots.txt": Answer(drop=True)}) as silent:
        long = f"{RULES}{'# padding' * 7}\n" * 8_000
        with Origin({"/robots.txt": robots(f"{long}User-agent: *\nDisallow: /late\n")}) as other:
            shown = scrapy(folder, "robots", "lint", "--json", silent.url, "gopher://a.example", other.url, "of.txt")
    assert shown.returncode == 2
    silence, scheme = shown.stderr.splitlines()
    assert silence.startswith(f"{silent.url}/robots.txt cannot be read (")
    assert "Failure" not in silence
    assert scheme.startswith("no origin for scheme 'gopher'")
    assert found(shown.stdout, "no-leading-slash", "of.txt")
    assert len(found(shown.stdout, "too-long", other.url)) == 1


def test_a_file_makes_no_more_than_fifty_requests() -> None:
    body = "".join(f"Sitemap: https://a.example/{number // 2}.xml\n" for number in range(400)).encode()
    assert len(sitemaps(body)) == 400
    assert to_ask(body) == [f"https://a.example/{number}.xml" for number in range(MAX_SITEMAPS)]
