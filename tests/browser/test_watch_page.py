"""The page of `scrapy polite watch --web` as a person has it, while crawls run."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from browser_parts import axe
from commandline import make_project
from run_parts import MARK, PAYLOADS
from scrapy_polite.text import printable
from watch_parts import crawls_at_work, hostile_snapshot, live_run, page_of, put_snapshot
from webserver import Answer, Origin

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from browser_parts import Visit, Visits

NAMES = ["news", "shop", "wiki"]
#: The texts of a column of the table of runs.
COLUMN = "at => [...document.querySelectorAll('#runs tbody tr')].map(row => row.cells[at].innerText)"
PAGES = 2


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of a page that shows three crawls at work."""
    folder = tmp_path_factory.mktemp("watch") / "project"
    with crawls_at_work(folder, NAMES) as project, page_of(project) as (address, _):
        yield address


def column(page: Page, at: int) -> list[str]:
    found: list[str] = page.evaluate(COLUMN, at)
    return found


def until(page: Page, expression: str, value: Any = None) -> None:
    page.wait_for_function(expression, arg=value)


def all_shown(page: Page) -> None:
    until(page, "() => document.querySelectorAll('#runs tbody tr').length == 3")
    until(page, "() => [...document.querySelectorAll('#runs tbody tr')].every(row => row.cells[4].innerText > '')")


def all_at_work(page: Page) -> None:
    at_work = "every(one => one.innerText.includes(': It is at work, '))"
    until(page, f"() => [...document.querySelectorAll('#answers li')].{at_work}")


def trouble(visit: Visit) -> list[str]:
    """But for the stream of events, which ends with the page."""
    return [text for text in visit.trouble if not text.endswith("/events net::ERR_ABORTED")]


def sums(page: Page) -> list[int]:
    return sorted(int(text.replace(",", "")) for text in column(page, PAGES))


def test_three_crawls_at_once_move_on_and_nothing_is_lost_of_what_a_person_does(visits: Visits, address: str) -> None:
    """Focus, selection and scroll stay while numbers move; the first line answers for each crawl."""
    visit = visits(address, height=400)
    page = visit.page
    all_shown(page)
    all_at_work(page)
    answers = page.locator("#answers li").all_inner_texts()
    assert sorted(text.partition(": ")[0] for text in answers) == NAMES
    assert page.locator("h2").first.inner_text() == "Why are these 3 still running?"
    page.locator("#each section").last.get_by_role("button", name="Origin").focus()
    page.evaluate("() => { getSelection().selectAllChildren(document.querySelector('#each section:last-child dt')) }")
    page.evaluate("() => scrollTo(0, 500)")
    held = """() => [document.activeElement.innerText, scrollY, String(getSelection()),
        document.querySelector('.scroll').scrollLeft]"""
    before, first = page.evaluate(held), sums(page)
    assert before[:2] == ["Origin", 500]
    until(
        page,
        """first => { const now = [...document.querySelectorAll('#runs tbody tr')]
            .map(row => Number(row.cells[2].innerText.replaceAll(',', ''))).sort((a, b) => a - b);
            return now.length == 3 && now.every((value, at) => value > first[at]); }""",
        first,
    )
    assert page.evaluate(held) == before
    assert trouble(visit) == []
    assert all(url.startswith(address) for url in visit.requests)


def test_the_runs_are_sorted_by_mouse_and_keyboard_and_stay_so(visits: Visits, address: str) -> None:
    page = visits(address).page
    all_shown(page)
    heads = page.locator("#runs th")
    spider = heads.nth(0).get_by_role("button")
    spider.click()
    assert (column(page, 0), heads.nth(0).get_attribute("aria-sort")) == (NAMES, "ascending")
    spider.press("Enter")
    assert (column(page, 0), heads.nth(0).get_attribute("aria-sort")) == (NAMES[::-1], "descending")
    assert page.evaluate("() => document.activeElement.innerText") == "Spider"
    first = sums(page)
    until(page, "first => document.querySelector('#runs').rows[1].cells[2].innerText != String(first)", first[0])
    assert column(page, 0) == NAMES[::-1]
    heads.nth(PAGES).get_by_role("button").press("Space")
    assert heads.nth(0).get_attribute("aria-sort") is None
    found = [int(text) for text in column(page, PAGES)]
    assert found == sorted(found, reverse=True)
    page.locator("#runs").get_by_role("link", name="wiki", exact=True).focus()
    for names in (NAMES, NAMES[::-1]):  # not by a person's click, which would take the focus
        spider.evaluate("button => button.click()")
        assert column(page, 0) == names
        assert page.evaluate("() => document.activeElement.innerText") == "wiki"


def test_each_run_leads_to_its_own_part_and_to_its_report(visits: Visits, address: str) -> None:
    visit = visits(address, height=400)
    page = visit.page
    all_shown(page)
    page.locator("#runs").get_by_role("link", name="wiki", exact=True).click()
    assert page.evaluate("() => document.querySelector(':target').innerText") == "wiki"
    assert page.evaluate("() => scrollY") > 0
    page.get_by_role("link", name="Report of shop").click()
    page.wait_for_load_state()
    assert page.title() == "Crawl report: shop"
    page.go_back()
    all_shown(page)
    assert trouble(visit) == []


@pytest.mark.parametrize("window", [{}, {"color_scheme": "dark"}, {"width": 360}], ids=["light", "dark", "360 px wide"])
def test_everybody_can_read_it(visits: Visits, address: str, window: dict[str, Any]) -> None:
    visit = visits(address, **window)
    all_shown(visit.page)
    all_at_work(visit.page)
    visit.page.reload()  # what is told to a screen reader is told anew after 20 s at the earliest
    all_at_work(visit.page)
    all_shown(visit.page)
    visit.page.get_by_role("button", name="Pause").click()
    assert axe(visit.page) == []
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= window.get("width", 1280)
    assert visit.page.locator("[aria-live]").count() == 1
    assert "It is at work" in visit.page.locator("[aria-live=polite]").inner_text()
    assert trouble(visit) == []


def test_on_paper_nothing_is_cut_off(visits: Visits, address: str) -> None:
    visit = visits(address, width=718)  # A4, less Chromium's margins
    all_shown(visit.page)
    visit.page.emulate_media(media="print")
    too_wide = """() => [...document.querySelectorAll('body *')]
        .filter(one => one.getBoundingClientRect().right > innerWidth + 1).map(one => one.outerHTML.slice(0, 80))"""
    assert visit.page.evaluate(too_wide) == []
    assert not visit.page.get_by_role("button", name="Pause").is_visible()


def test_it_can_be_held_still(visits: Visits, address: str) -> None:
    page = visits(address).page
    all_shown(page)
    page.get_by_role("button", name="Pause").click()
    assert page.locator("#state").inner_text() == "Paused"
    before = page.locator("main").inner_text()
    page.wait_for_timeout(1_500)
    assert page.locator("main").inner_text() == before
    page.get_by_role("button", name="Go on").click()
    until(page, "before => document.querySelector('main').innerText != before", before)
    assert page.locator("#state").inner_text() == "Live"


def test_texts_that_mean_harm_are_text(visits: Visits, tmp_path: Path) -> None:
    """All of them at once, wherever a text of the network is shown: nothing is made of them, run, or asked for."""
    project = make_project(tmp_path / "project")
    runs = project / ".scrapy" / "polite" / "runs"
    kinds = "() => [...new Set([...document.querySelectorAll('*')].map(one => one.localName))].sort()"
    acting = """() => [...document.querySelectorAll('*')].flatMap(one => [...one.attributes])
        .filter(({name, value}) => name.startsWith('on') || name == 'style' || value.includes('PWNED')
            && !['id', 'href', 'aria-label', 'aria-labelledby'].includes(name)).map(({name}) => name)"""
    harmless = live_run(runs, MARK, **hostile_snapshot(MARK))
    with page_of(project) as (address, _):
        visit = visits(address)
        page = visit.page
        until(page, "() => document.body.innerText.includes('PWNED')")
        expected = page.evaluate(kinds)
        put_snapshot(harmless, **hostile_snapshot(*PAYLOADS))
        for number, payload in enumerate(PAYLOADS):
            live_run(runs, f"spider{number % 3}", **hostile_snapshot(payload)) if number % 20 == 0 else None
        until(page, "() => document.querySelectorAll('#each section').length == 4")
        for payload in PAYLOADS:
            until(page, "text => document.body.textContent.includes(text)", printable(payload, 100))
        assert page.evaluate(kinds) == expected
        assert page.evaluate(acting) == []
        assert all(url.startswith(address) for url in visit.requests)
        assert trouble(visit) == []


def test_a_page_elsewhere_has_nothing_of_it_even_with_its_address(visits: Visits, address: str) -> None:
    """Neither in a frame, nor by fetch, nor by events, nor as a script."""
    script = f"""<!doctype html><script>
        window.had = [];
        const note = what => had.push(what);
        fetch('{address}').then(() => note('read'), () => note('fetch'));
        const source = new EventSource('{address}events');
        source.onmessage = () => note('read');
        source.onerror = () => note('events');
    </script><iframe src='{address}' onload="had.push('frame')"></iframe>
    <script src='{address}page.js' onload="had.push('read')" onerror="had.push('script')"></script>"""
    page = Answer(body=script.encode(), headers={"Content-Type": "text/html"})
    with Origin({"/": page}) as site:
        visit = visits(f"{site.url}/")
        until(visit.page, "() => ['fetch', 'events', 'frame', 'script'].every(what => had.includes(what))")
        assert "read" not in visit.page.evaluate("had")
        (frame,) = visit.page.frames[1:]
        assert frame.url == "chrome-error://chromewebdata/"


def test_when_the_watch_ends_the_page_says_so_and_keeps_what_it_showed(visits: Visits, tmp_path: Path) -> None:
    project = make_project(tmp_path / "project")
    runs = project / ".scrapy" / "polite" / "runs"
    live_run(runs)
    live_run(runs, "over", reason="finished", queued=0)
    with page_of(project) as (address, process):
        page = visits(address).page
        until(page, "() => document.querySelectorAll('#runs tbody tr').length == 2")
        over = page.locator("#each section", has_text="over")
        assert "It runs no longer: it ended at" in over.inner_text()
        assert "?" not in over.locator(".tiles").inner_text(), "neither a rate of late nor a time left"
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
        until(page, "() => document.querySelector('#state').innerText.startsWith('Not connected')")
        assert column(page, 0) == ["shop", "over"]
