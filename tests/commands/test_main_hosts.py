"""What `scrapy polite check` says of the Host lines in the store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from scrapy.settings import Settings

from scrapy_polite.commands.main_hosts import main_hosts
from scrapy_polite.commands.verdict import verdict
from scrapy_polite.robots.rules import RobotsTxt
from scrapy_polite.services.store import open_store
from scrapy_polite.settings import PoliteSettings
from scrapy_polite.store.robots import RobotsCopy


def test_host_lines_of_the_start_urls_are_told_from_the_store(tmp_path: Path) -> None:
    sites = {"c.example": {"host": "follow"}}
    polite = PoliteSettings.from_settings(Settings({"POLITE_STORE": str(tmp_path / "store"), "POLITE_SITES": sites}))
    starts = ["http://a.example/1", "http://www.b.example/", "https://c.example/", "https://d.example/", "none"]
    assert main_hosts(polite, starts) == ""
    assert not list(tmp_path.iterdir())
    with closing(open_store(polite)) as store:
        for origin in ("http://a.example", "http://www.b.example", "https://c.example"):
            line = "www.c.example" if "c." in origin else "b.example"
            copy = RobotsCopy(origin, "bot", 1.0, status=200, body=f"Host: {line}\n".encode())
            store.robots.put(copy).result()
    assert main_hosts(polite, starts) == (
        "http://a.example names b.example (noted: it is of another registered domain); "
        "http://www.b.example names b.example (noted: POLITE_SITES may say 'host': 'follow'); "
        "https://c.example names www.c.example (followed, if it confirms it)"
    )


def test_a_verdict_names_the_main_host_where_it_is_another() -> None:
    def said(line: str) -> str:
        rules = RobotsTxt.parse(f"Host: {line}".encode(), "bot")
        found = verdict(
            "http://a.example/1",
            rules.decide("/1"),
            basis="fresh",
            robots_txt="http://a.example/robots.txt",
            state="",
            rules=rules,
            token="bot",
            token_source="--agent",
        )
        assert found.host == line
        return found.as_text()

    assert "  main host   www.a.example (Host line; " in said("www.a.example")
    assert "main host" not in said("a.example")
