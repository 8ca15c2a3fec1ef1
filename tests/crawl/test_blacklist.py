"""Blacklists on real servers: what a crawl asks of them, by the servers' own logs, and what it says of the rest."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from scrapy import version_info

from crawls import Crawled, crawl
from projects import project, scrapy
from webserver import Answer, Origin, robots


def html(*links: str) -> Answer:
    body = "<html><body>" + "".join(f'<a href="{link}">more</a>' for link in links) + "</body></html>"
    return Answer(body=body.encode(), headers={"Content-Type": "text/html"})


def port(site: Origin) -> int:
    return urlsplit(site.url).port or 80


def listed(folder: Path, text: str, name: str = "list.txt") -> dict[str, Any]:
    """The settings with one list."""
    path = folder / name
    path.write_text(text)
    return {"POLITE_BLACKLISTS": [str(path)]}


def reasons(crawled: Crawled) -> list[str]:
    return sorted(refused["reason"] for refused in crawled.refused)


def run(
    loop_mode: str, folder: Path, urls: list[Any], settings: Mapping[str, Any], spider: str = "Links", **more: Any
) -> Crawled:
    return crawl(loop_mode, urls, settings, spider=f"blacklist_parts.{spider}", folder=folder, **more)


@pytest.mark.engine
def test_a_link_to_a_listed_host_is_not_even_queued(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        site.table["/"] = html("/a", other.url + "/x")
        crawled = run(loop_mode, tmp_path, [site.url], listed(tmp_path, "127.0.0.2\n"))
    assert other.paths() == []
    assert site.pages() == ["/", "/a"]
    assert reasons(crawled) == ["blacklist/address"]
    assert crawled.stats["scheduler/enqueued"] == 2
    assert crawled.stats["polite/refused/blacklist/address"] == 1
    assert "127.0.0.2/32 (" + str(tmp_path / "list.txt") in crawled.log


@pytest.mark.engine
def test_a_start_request_is_refused_and_its_errback_told(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        url = f"http://www.127.0.0.1.test:{port(site)}/"
        crawled = run(loop_mode, tmp_path, [url], listed(tmp_path, "127.0.0.1.test\n"))
    assert site.paths() == []
    assert crawled.errors == [
        {
            "url": url,
            "error": f"IgnoreRequest: Refused by blacklist/host: 127.0.0.1.test ({tmp_path / 'list.txt'})",
        }
    ]


@pytest.mark.engine
def test_no_redirect_leads_to_a_listed_host(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        site.table["/"] = Answer(302, headers={"Location": other.url + "/x"})
        crawled = run(loop_mode, tmp_path, [site.url], listed(tmp_path, "127.0.0.2\n"))
    assert other.paths() == []
    assert crawled.errors[0]["error"].startswith("IgnoreRequest: Refused by blacklist/address")


@pytest.mark.engine
def test_the_robots_txt_of_another_host_is_not_fetched_from_a_listed_one(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        site.table["/robots.txt"] = Answer(301, headers={"Location": other.url + "/robots.txt"})
        run(loop_mode, tmp_path, [site.url], listed(tmp_path, "127.0.0.2\n") | {"POLITE_GIVE_UP": 0})
    assert other.paths() == []
    assert site.pages() == []


@pytest.mark.engine
def test_a_pipeline_downloads_nothing_from_a_listed_host(loop_mode: str, tmp_path: Path) -> None:
    settings = listed(tmp_path, "127.0.0.1\n") | {
        "ITEM_PIPELINES": {"scrapy.pipelines.files.FilesPipeline": 1},
        "FILES_STORE": str(tmp_path / "files"),
    }
    with Origin({}) as site:
        crawl(loop_mode, [f"{site.url}/file.bin"], settings, spider="files", folder=tmp_path)
    assert site.paths() == []


@pytest.mark.parametrize(
    "host",
    [
        "0x7f.1",
        "2130706433",
        "0177.0.0.1",
        "127.0.0.1.",
        "user:secret@127.0.0.1",
        "127.1",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",  # noqa: RUF001 (full-width digits)
        "[::ffff:127.0.0.1]",
    ],
)
def test_no_spelling_gets_around_a_list(loop_mode: str, tmp_path: Path, host: str) -> None:
    with Origin({}) as site, Origin({}, "127.0.0.2") as start:
        start.table["/"] = html(f"http://{host}:{port(site)}/x")
        urls = [start.url, f"http://{host}:{port(site)}/y"]
        run(loop_mode, tmp_path, urls, listed(tmp_path, "127.0.0.1\n"))
    assert site.paths() == []
    assert start.pages() == ["/"]


@pytest.mark.parametrize(
    ("text", "fetched", "reason"),
    [
        pytest.param("127.0.0.1\n!127.0.0.1", ["/", "/a", "/b/c"], None, id="exception"),
        pytest.param("http://127.0.0.1:{port}/b/\n", ["/", "/a"], "blacklist/url", id="prefix"),
        pytest.param("/\\/[ab]$/\n", ["/", "/b/c"], "blacklist/regex", id="regex"),
        pytest.param("127.0.0.0/8\n", [], "blacklist/address", id="range"),
        pytest.param("=http://127.0.0.1:{port}/a\n", ["/", "/b/c"], "blacklist/url", id="exact URL"),
    ],
)
def test_every_kind_of_entry_holds(
    loop_mode: str, tmp_path: Path, text: str, fetched: list[str], reason: str | None
) -> None:
    with Origin({"/": html("/a", "/b/c")}) as site:
        crawled = run(loop_mode, tmp_path, [site.url], listed(tmp_path, text.replace("{port}", str(port(site)))))
    assert sorted(site.pages()) == fetched
    assert reasons(crawled) == ([reason] if reason else [])
    if not fetched:
        assert site.robots_fetches() == 0


def test_an_allowlist_wins_over_blacklists_and_over_private_addresses(loop_mode: str, tmp_path: Path) -> None:
    (tmp_path / "ours.txt").write_text("127.0.0.1.test\n")
    settings = listed(tmp_path, "test\n127.0.0.0/8\n") | {
        "POLITE_ALLOWLISTS": [str(tmp_path / "ours.txt")],
        "POLITE_PRIVATE_ADDRESSES": "refuse",
    }
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        site.table["/"] = html(f"http://127.0.0.2.test:{port(other)}/")
        run(loop_mode, tmp_path, [f"http://127.0.0.1.test:{port(site)}/"], settings)
    assert site.pages() == ["/"]
    assert other.paths() == []


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        pytest.param({"POLITE_PRIVATE_ADDRESSES": "refuse"}, "blacklist/private-address", id="private"),
        pytest.param({}, "blacklist/address", id="range"),
    ],
)
@pytest.mark.parametrize("scheduler", ["ours", "Scrapy's"])
@pytest.mark.engine
def test_an_address_is_refused_whatever_its_name(
    loop_mode: str, tmp_path: Path, settings: dict[str, Any], reason: str, scheduler: str
) -> None:
    lists = settings or listed(tmp_path, "127.0.0.0/30\n")
    if scheduler != "ours":
        lists["SCHEDULER"] = "scrapy.core.scheduler.Scheduler"
    with Origin({}) as site:
        crawled = run(loop_mode, tmp_path, [f"http://127.0.0.1.test:{port(site)}/a"], lists)
    assert site.paths() == []
    assert reasons(crawled) == [reason]
    assert "127.0.0.1" in crawled.errors[0]["error"]


@pytest.mark.engine
def test_a_proxy_may_have_a_private_address(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as proxy:
        urls = [("http://a.example/", {"proxy": proxy.url}), ("http://10.0.0.1/", {"proxy": proxy.url})]
        crawled = run(loop_mode, tmp_path, urls, {"POLITE_PRIVATE_ADDRESSES": "refuse"})
    assert crawled.urls == ["http://a.example/"]
    assert reasons(crawled) == ["blacklist/private-address"]


@pytest.mark.engine
def test_of_a_host_that_the_environments_proxy_is_asked_for_nothing_is_resolved(
    loop_mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "")
    with Origin({}) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        crawled = run(loop_mode, tmp_path, ["http://localhost/"], listed(tmp_path, "127.0.0.0/8\n::1\n"))
    assert crawled.urls == ["http://localhost/"]
    assert reasons(crawled) == []


@pytest.mark.engine
def test_a_name_that_leads_elsewhere_at_the_connection_leads_nowhere(loop_mode: str, tmp_path: Path) -> None:
    """DNS rebinding: the address that is checked is the one that is connected to."""
    settings = listed(tmp_path, "127.0.0.1\n") | {
        "DNSCACHE_ENABLED": False,
        "RETRY_ENABLED": True,
        "POLITE_SITES": {"*": {"robots": "never"}},
    }
    with Origin({}) as site:
        url = f"http://then.127-0-0-2.127-0-0-1.test:{port(site)}/"
        crawled = run(loop_mode, tmp_path, [url], settings)
    assert site.paths() == []
    assert crawled.stats["polite/blacklist/connections_stopped"] == 1
    assert crawled.errors[0]["error"].startswith("IgnoreRequest: Refused by blacklist/address: 127.0.0.1 is in")


@pytest.mark.engine
def test_a_list_edited_during_the_crawl_holds_for_what_is_queued(loop_mode: str, tmp_path: Path) -> None:
    settings = listed(tmp_path, "nothing.example\n")
    meta = {"edit": str(tmp_path / "list.txt"), "text": "nothing.example\n127.0.0.2\n"}
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        urls = [site.url + "/first", other.url + "/x", site.url + "/y", other.url + "/z"]
        crawled = run(loop_mode, tmp_path, urls, settings, "Edits", meta=meta)
    assert site.pages() == ["/first", "/y"]
    assert other.paths() == []
    assert reasons(crawled) == ["blacklist/address"] * 2
    assert crawled.stats["polite/blacklist/reloads"] == 1
    assert crawled.logged("INFO", "list.txt: read, 2 entries (1 before)")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(None, "no such file", id="deleted"),
        pytest.param("\x1f\x8b\x08\x00broken", "cannot be read", id="broken archive"),
        pytest.param("<html>\n<b>404</b>\n", "no list", id="an error page"),
    ],
)
def test_a_list_that_cannot_be_read_any_more_stays_in_force(
    loop_mode: str, tmp_path: Path, text: str | None, said: str
) -> None:
    meta = {"edit": str(tmp_path / "list.txt"), "text": text}
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        urls = [site.url, other.url, site.url + "/later"]
        crawled = run(
            loop_mode,
            tmp_path,
            urls,
            listed(tmp_path, "127.0.0.2\n"),
            "Edits",
            meta=meta,
        )
    assert other.paths() == []
    assert len(site.pages()) == 2
    (line,) = crawled.logged("ERROR", "stays in force")
    assert said in line
    assert crawled.stats["polite/blacklist/reload_failures"] == 1


def test_a_list_that_holds_nothing_any_more_is_a_warning(loop_mode: str, tmp_path: Path) -> None:
    meta = {"edit": str(tmp_path / "list.txt"), "text": "# nothing\n"}
    with Origin({}) as site:
        crawled = run(
            loop_mode, tmp_path, [site.url, f"{site.url}/x"], listed(tmp_path, "a.example\n"), "Edits", meta=meta
        )
    assert crawled.logged("WARNING", "list.txt: read, 0 entries (1 before)")


@pytest.mark.engine
def test_takedowns_hold_during_the_crawl_against_allowlists_and_in_an_audit(loop_mode: str, tmp_path: Path) -> None:
    takedowns = tmp_path / "takedowns.txt"
    (tmp_path / "ours.txt").write_text("127.0.0.2\n")
    settings = {
        "POLITE_TAKEDOWNS": str(takedowns),
        "POLITE_ALLOWLISTS": [str(tmp_path / "ours.txt")],
        "POLITE_MODE": "audit",
    }
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        meta = {"edit": str(takedowns), "text": f"{other.url}/x\n"}
        urls = [site.url, other.url + "/x/1", other.url + "/y"]
        crawled = run(loop_mode, tmp_path, urls, settings, "Edits", meta=meta)
    assert other.pages() == ["/y"]
    assert reasons(crawled) == ["blacklist/takedown"]


def test_an_audit_counts_what_enforcement_refuses_and_refuses_nothing(loop_mode: str, tmp_path: Path) -> None:
    def pages(first: Origin, second: Origin) -> None:
        first.table |= {"/": html("/a", second.url + "/x"), "/a": html("/cgi-bin/a", "/b?1", "/b?2")}
        first.table |= {"/cgi-bin/a": html("/behind")}
        second.table |= {"/x": html(second.url + "/y", first.url + "/cgi-bin/b")}

    settings = listed(tmp_path, "127.0.0.2\n") | {"POLITE_SKIP_DYNAMIC": 1}
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        pages(site, other)
        enforced = run(loop_mode, tmp_path, [site.url], settings)
        assert other.paths() == []
        before = len(site.pages())
        audited = run(loop_mode, tmp_path, [site.url], settings | {"POLITE_MODE": {"blacklist": "audit"}})
    refused = {key: count for key, count in enforced.stats.items() if key.startswith("polite/refused/blacklist")}
    assert refused == {"polite/refused/blacklist/address": 1, "polite/refused/blacklist/dynamic": 2}
    counted = {key.replace("audited", "refused"): count for key, count in audited.stats.items() if "/audited/" in key}
    assert counted == refused
    assert audited.refused == []
    assert set(other.pages()) == {"/x", "/y"}
    assert "/behind" in site.pages()[before:]


def test_a_list_in_audit_loosens_nothing(loop_mode: str, tmp_path: Path) -> None:
    """What lies behind a page that it would refuse is refused all the same, where another list says so."""
    path = tmp_path / "tried.txt"
    with Origin({}) as site, Origin({}, "127.0.0.2") as other:
        site.table |= {"/": html("/a"), "/a": html(other.url)}
        path.write_text(f"{site.url}/a\n")
        settings = listed(tmp_path, "127.0.0.2\n")
        settings["POLITE_BLACKLISTS"] += [{"path": str(path), "action": "audit"}]
        crawled = run(loop_mode, tmp_path, [site.url], settings)
    assert site.pages() == ["/", "/a"]
    assert other.paths() == []
    assert crawled.stats["polite/audited/blacklist/url"] == 1
    assert reasons(crawled) == ["blacklist/address"]


def test_what_is_malformed_or_not_supported_is_told_with_its_line(loop_mode: str, tmp_path: Path) -> None:
    rules = "! Title: ads\n||127.0.0.2^\n||ads.example^$third-party,badoption\n@@||fine.example^\nexample.com##.ad\n"
    (tmp_path / "ads.txt").write_text(rules)
    settings = listed(tmp_path, "fine.example\nnot a host at all\n" + "<>\n" * 50)
    settings["POLITE_BLACKLISTS"] += [{"path": "ads.txt", "format": "adguard"}]
    with Origin({}) as site:
        crawled = run(loop_mode, tmp_path, [site.url], settings)
    (malformed,) = crawled.logged("WARNING", "list.txt: skipped 51 lines")
    assert "line 2: not a host at all (" in malformed
    assert malformed.endswith("; ...")
    assert crawled.stats["polite/blacklist/malformed_lines"] == 51
    assert crawled.logged("WARNING", "ads.txt: skipped")
    assert crawled.stats["polite/blacklist/unsupported_lines"] >= 1
    assert site.pages() == ["/"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(None, "no such file", id="missing"),
        pytest.param(b"<html>\n<b>not found</b>\n", "no list", id="an error page"),
        pytest.param(gzip.compress(b"a.example\n" * 1000)[:40], "cannot be read", id="broken archive"),
    ],
)
def test_a_list_that_cannot_be_used_stops_the_crawl_at_start(
    loop_mode: str, tmp_path: Path, content: bytes | None, said: str
) -> None:
    with Origin({}) as site:
        folder = project(tmp_path, loop_mode, [site.url], {"POLITE_BLACKLISTS": ["lists/a.txt"]})
        (folder / "lists").mkdir()
        if content is not None:
            (folder / "lists/a.txt").write_bytes(content)
        done = scrapy(folder / "shop", "crawl", "listed")
    assert done.returncode == 1
    assert f"scrapy-polite cannot start:\n  - POLITE_BLACKLISTS: {folder / 'lists/a.txt'}: {said}" in done.stderr
    assert site.paths() == []
    if version_info >= (2, 18):  # an earlier Scrapy logs the exception as well
        assert "Traceback" not in done.stderr
        assert done.stderr.count("cannot start") == 1


@pytest.mark.engine
def test_a_list_that_cannot_be_used_stops_a_crawl_with_another_scheduler_too(loop_mode: str, tmp_path: Path) -> None:
    settings = {"POLITE_BLACKLISTS": ["lists/a.txt"], "SCHEDULER": "scrapy.core.scheduler.Scheduler"}
    with Origin({}) as site:
        done = scrapy(project(tmp_path, loop_mode, [site.url], settings), "crawl", "listed")
    assert done.returncode == 1
    assert f"scrapy-polite cannot start:\n  - POLITE_BLACKLISTS: {tmp_path / 'lists/a.txt'}: no such" in done.stderr
    assert site.paths() == []


def test_lists_hold_in_a_project_without_scrapy_cfg(
    loop_mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "blacklist_parts")
    with Origin({}) as site:
        crawled = run(loop_mode, tmp_path, [site.url], listed(tmp_path, "127.0.0.1\n"))
    assert site.paths() == []
    assert reasons(crawled) == ["blacklist/address"]


def test_a_list_of_regular_expressions_needs_google_re2(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        folder = project(tmp_path, loop_mode, [site.url], {"POLITE_BLACKLISTS": ["list.txt"]})
        (folder / "list.txt").write_text("/ads[0-9]/\n")
        (folder / "re2.py").write_text("raise ImportError\n")
        done = scrapy(folder, "crawl", "listed")
    assert done.returncode == 1
    assert "list.txt, line 1: a regular expression" in done.stderr
    assert "pip install 'scrapy-polite[regex]'" in done.stderr


def test_the_lists_of_a_project_are_compiled_once_into_its_own_folder(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        folder = project(tmp_path, loop_mode, [site.url], {"POLITE_BLACKLISTS": ["lists/*.txt"]})
        (folder / "lists").mkdir()
        for name in ("a", "b"):
            (folder / f"lists/{name}.txt").write_text(f"{name}.example\n")
        scrapy(folder, "crawl", "listed")
        first = sorted((folder / ".scrapy/polite/lists").iterdir())
        (folder / "lists/a.txt").write_text("a.example\nc.example\n")
        scrapy(folder, "crawl", "listed")
    second = sorted((folder / ".scrapy/polite/lists").iterdir())
    assert len(first) == len(second) == 2
    assert len({*first} & {*second}) == 1


@pytest.mark.parametrize(
    ("settings", "fetched"),
    [
        pytest.param({}, ["/", "/b?1", "/b?2", "/cgi-bin/a"], id="off"),
        pytest.param({"POLITE_SKIP_DYNAMIC": 1}, ["/", "/b?1"], id="one query a path"),
        pytest.param({"POLITE_SITES": {"127.0.0.1": {"skip_dynamic": 0}}}, ["/"], id="at the site"),
        pytest.param(
            {"POLITE_SKIP_DYNAMIC": 0, "POLITE_SITES": {"127.0.0.1": {"skip_dynamic": "off"}}},
            ["/", "/b?1", "/b?2", "/cgi-bin/a"],
            id="off at the site",
        ),
    ],
)
def test_gateways_and_queries_are_skipped_where_that_is_asked_for(
    loop_mode: str, tmp_path: Path, settings: dict[str, Any], fetched: list[str]
) -> None:
    with Origin({"/": html("/b?1", "/b?2", "/cgi-bin/a")}) as site:
        crawled = run(loop_mode, tmp_path, [site.url], settings | {"CONCURRENT_REQUESTS": 1})
    assert sorted(site.pages()) == fetched
    assert set(reasons(crawled)) <= {"blacklist/dynamic"}


def test_another_spelling_of_a_path_has_no_queries_of_its_own(loop_mode: str, tmp_path: Path) -> None:
    with Origin({}) as site:
        crawled = run(loop_mode, tmp_path, [f"{site.url}/b?1", f"{site.url}/%62?2"], {"POLITE_SKIP_DYNAMIC": 1})
    assert site.pages() == ["/b?1"]
    assert reasons(crawled) == ["blacklist/dynamic"]


@pytest.mark.engine
def test_a_redirect_to_a_gateway_is_refused(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/": Answer(302, headers={"Location": "/cgi-bin/login"})}) as site:
        crawled = run(loop_mode, tmp_path, [site.url], {"POLITE_SKIP_DYNAMIC": 10})
    assert site.pages() == ["/"]
    assert reasons(crawled) == ["blacklist/dynamic"]


def test_a_listed_host_is_never_asked_for_its_robots_txt(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 1")}) as site:
        names = [f"http://{label}.127.0.0.1.test:{port(site)}/{n}" for label in "abc" for n in range(3)]
        crawled = run(loop_mode, tmp_path, names, listed(tmp_path, "127.0.0.1.test\n"))
    assert site.paths() == []
    assert reasons(crawled) == ["blacklist/host"] * 9


def test_with_a_rendering_api_the_lists_are_of_the_target(loop_mode: str, tmp_path: Path) -> None:
    settings = listed(tmp_path, "/\\/render/\n=http://127.0.0.1:1/b\n") | {
        "POLITE_TARGET_URL": "trap_parts.target",
        "POLITE_PRIVATE_ADDRESSES": "allow",
    }
    with Origin({"/": html("/b", "/c")}) as site:
        settings |= listed(tmp_path, f"/\\/render/\n=http://127.0.0.1:{port(site)}/b\n")
        crawled = crawl(loop_mode, [site.url], settings, spider="trap_parts.Renders", folder=tmp_path)
    assert site.pages() == ["/", "/render/c"]
    assert reasons(crawled) == ["blacklist/url"]
