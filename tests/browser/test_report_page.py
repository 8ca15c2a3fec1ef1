"""The report of a run as a person has it: in a real browser, in the dark, on a phone, by keyboard, on paper."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from browser_parts import Visits, axe
from run_parts import large, write_run
from scrapy_polite.runs.html import html
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import open_run

ORIGINS = "() => [...document.querySelectorAll('.hosts tbody tr')]"
#: The origins in the order in which they are seen.
SEEN = f"""() => ({ORIGINS})().map(row => [row.getBoundingClientRect().top, row.cells[0].innerText])
    .sort((a, b) => a[0] - b[0]).map(([_, origin]) => origin)"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return report(open_run(write_run(tmp_path_factory.mktemp("runs"), large()).folder))


@pytest.fixture(scope="module")
def large_page(found: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report with as much in it as there can be."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html(found), encoding="utf-8")
    return path


@pytest.mark.parametrize("window", [{}, {"color_scheme": "dark"}, {"width": 360}], ids=["light", "dark", "360 px wide"])
def test_a_large_report_loads_without_a_request_or_an_error_and_everybody_can_read_it(
    visits: Visits, large_page: Path, window: dict[str, Any]
) -> None:
    visit = visits(large_page, **window)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= window.get("width", 1280)
    assert visit.requests == [large_page.as_uri()]
    assert visit.trouble == []
    visit.page.evaluate("document.querySelectorAll('tbody tr:nth-child(n + 20)').forEach(row => row.remove())")
    assert axe(visit.page) == []
    tree = visit.context.new_cdp_session(visit.page).send("Accessibility.getFullAXTree")["nodes"]
    roles = Counter(one["role"]["value"] for one in tree if not one["ignored"])
    rows = visit.page.locator("tr").count()
    assert (roles["row"], roles["table"]) == (rows, visit.page.locator("table").count())  # whatever CSS makes of them
    assert roles["cell"] == visit.page.locator("td").count() > rows


@pytest.mark.parametrize(
    ("order", "key"),
    [
        ("pages", lambda host: -host["pages"]),
        ("refused", lambda host: -host["refused"]),
        ("waiting", lambda host: -int(host["waited_s"] * 1_000)),
        ("failures", lambda host: -host["answers"].get("5xx", 0) - host["answers"].get("none", 0)),
        ("what to look at first", lambda host: 0),
    ],
)
def test_the_origins_are_sorted_without_a_script(
    visits: Visits, large_page: Path, found: dict[str, Any], order: str, key: Any
) -> None:
    visit = visits(large_page, script=False)
    visit.page.get_by_label(order, exact=True).check()
    assert visit.page.evaluate(SEEN) == [host["origin"] for host in sorted(found["hosts"], key=key)]


def test_all_of_it_is_within_reach_of_the_keyboard(visits: Visits, large_page: Path) -> None:
    """Tab goes to the choice of an order and to each table that can be wider than the window; arrows move in both."""
    visit = visits(large_page, width=360)
    reached = []
    for _ in range(20):
        visit.page.keyboard.press("Tab")
        focus = visit.page.evaluate(
            "() => [document.activeElement.id || document.activeElement.ariaLabel,"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        if focus[0] in (None, "") or focus in reached:
            break
        reached.append(focus)
    regions = visit.page.evaluate("() => [...document.querySelectorAll('.scroll')].map(one => one.ariaLabel)")
    assert [name for name, _ in reached] == ["by-c", *regions]
    assert "none" not in [outline for _, outline in reached]
    visit.page.locator("#by-c").focus()
    visit.page.keyboard.press("ArrowRight")
    assert visit.page.locator("#by-p").is_checked()
    for region in visit.page.locator(".scroll").all():
        region.focus()
        if region.evaluate("one => one.scrollWidth > one.clientWidth"):
            visit.page.keyboard.press("ArrowRight")
            visit.page.wait_for_function("() => document.activeElement.scrollLeft > 0")


def test_on_paper_nothing_is_cut_off(visits: Visits, large_page: Path) -> None:
    visit = visits(large_page, width=718)  # A4, less Chromium's margins
    visit.page.emulate_media(media="print")
    too_wide = """() => [...document.querySelectorAll('body *')]
        .filter(one => one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).display != 'none')
        .map(one => one.outerHTML.slice(0, 80)).slice(0, 5)"""
    assert visit.page.evaluate(too_wide) == []
    assert not visit.page.locator(".sort").is_visible()
