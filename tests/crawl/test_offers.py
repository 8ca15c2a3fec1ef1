"""What robots.txt offers beyond rules: allowed paths beneath a start that is not."""

from __future__ import annotations

import pytest

from crawls import crawl
from trap_sites import html
from webserver import Origin, robots

CLOSED = robots("User-agent: *\nDisallow: /\nAllow: /docs/\nAllow: /open\nAllow: /*.css$\n")


@pytest.mark.parametrize("action", ["warn", "seed"])
def test_allowed_paths_beneath_a_start_that_is_not_are_told_and_queued_by_setting(loop_mode: str, action: str) -> None:
    with Origin({"/robots.txt": CLOSED}) as site:
        crawled = crawl(loop_mode, [f"{site.url}/"], {"POLITE_DISALLOWED_START": action})
    assert sorted(site.pages()) == (["/docs/", "/open"] if action == "seed" else [])
    assert len(crawled.responses) == len(site.pages())  # the start request's callback
    told = crawled.logged("WARNING", f"robots.txt allows beneath it: {site.url}/docs/, {site.url}/open, /*.css$.")
    assert len(told) == 1


def test_a_link_to_a_disallowed_page_is_told_of_no_children(loop_mode: str) -> None:
    closed = robots("User-agent: *\nDisallow: /a\nAllow: /a/b\n")
    with Origin({"/robots.txt": closed, "/": html("Home", "/a")}) as site:
        crawled = crawl(loop_mode, [site.url], {"POLITE_DISALLOWED_START": "seed"}, spider="links")
    assert site.pages() == ["/"]
    assert not crawled.logged("WARNING", "allows beneath it")
