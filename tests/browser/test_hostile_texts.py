"""What comes from the network does nothing in a browser: as the report's page, and as its Markdown once rendered.

tests/runs/test_report.py looks at what is written. Here a browser and a renderer say what they make of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from markdown_it import MarkdownIt

from crawls import crawl
from run_parts import MARK, PAYLOADS, hostile, write_run
from scrapy_polite.runs.audit import Place, audit
from scrapy_polite.runs.compare import against
from scrapy_polite.runs.html import html
from scrapy_polite.runs.markdown import markdown
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import find_run, open_run
from webserver import Origin, robots

if TYPE_CHECKING:
    from browser_parts import Visits

#: How many elements of each kind a page has, the attributes that could act, and whether the word is in its text.
MADE = """() => {
    const elements = {}, acting = [];
    for (const element of document.querySelectorAll('*')) {
        elements[element.localName] = (elements[element.localName] ?? 0) + 1;
        for (const {name} of element.attributes)
            if (name.startsWith('on') || ['href', 'src', 'srcdoc', 'action', 'autofocus'].includes(name))
                acting.push(name);
    }
    return [elements, acting, document.body.textContent.includes('PWNED')];
}"""
#: As GitHub does it: tables, struck-out text, addresses that become links; and HTML, which a page may allow.
RENDERER = MarkdownIt("gfm-like", {"html": True, "linkify": True, "typographer": True})


#: So many texts are in one page.
TOGETHER = 10


def pages_of(folder: Path, texts: Sequence[str]) -> dict[str, str]:
    """The report of a run whose texts are these, with what has changed since another; as its page and as Markdown.

    Without the page's own protection, the policy that would keep a script from running.
    """
    lines = [record for text in texts for record in hostile(text)]
    name = texts[0].encode("ascii", "replace").decode()
    found = report(open_run(write_run(folder, lines, spider=name, user_agent=texts[0]).folder))
    before = deepcopy(found)
    for host in before["hosts"]:
        host["pages"] += 100
    found["against"] = against(found, before)
    page = html(found).replace("Content-Security-Policy", "x")
    return {"report": page, "markdown": f"<!doctype html>{RENDERER.render(markdown(found))}"}


@pytest.mark.parametrize("form", ["report", "markdown"])
def test_texts_that_mean_harm_make_the_same_page_as_harmless_ones(visits: Visits, tmp_path: Path, form: str) -> None:
    """No element more, nothing asked for, no dialog, whatever the texts."""
    path = tmp_path / "page.html"
    path.write_text(pages_of(tmp_path / "harmless", [f"{MARK} {n}" for n in range(TOGETHER)])[form], "utf-8")
    visit = visits(path)
    expected = visit.page.evaluate(MADE)
    assert expected[0].keys() >= {"table", "td", "h2", "code"}
    assert expected[1:] == [[], True]
    for first in range(0, len(PAYLOADS), TOGETHER):
        texts = PAYLOADS[first : first + TOGETHER]
        path.write_text(pages_of(tmp_path / str(first), texts)[form], "utf-8")
        visit.page.reload()
        assert visit.page.evaluate(MADE) == expected, texts
    assert set(visit.requests) == {path.as_uri()}
    assert visit.trouble == []


def test_what_a_hostile_site_says_is_text_in_the_report_of_its_crawl(
    visits: Visits, loop_mode: str, tmp_path: Path
) -> None:
    """The same on the way from a server: lines of its robots.txt, its addresses, its links."""
    texts = [text for text in PAYLOADS if text.isascii() and text.isprintable()]
    rules = "".join(f"Disallow: /{number}/{text}\n" for number, text in enumerate(texts))
    with Origin({"/robots.txt": robots(f"User-agent: *\n{rules}")}) as site:
        urls = [f"{site.url}/{number}/{text}" for number, text in enumerate(texts)]
        crawl(loop_mode, [*urls, *(f"{site.url}/allowed/{text}" for text in texts)], folder=tmp_path)
    run = find_run(tmp_path / ".scrapy" / "polite" / "runs", None)
    found = audit(Place.of(site.url), [run])
    assert found is not None
    assert len({one["detail"] for one in found["refused"]}) > 40
    path = tmp_path / "report.html"
    path.write_text(html(report(run)).replace("Content-Security-Policy", "x"), "utf-8")
    visit = visits(path)
    elements, acting, is_shown = visit.page.evaluate(MADE)
    assert not elements.keys() & {"script", "img", "a", "iframe", "link", "form", "base", "object", "math", "animate"}
    assert (acting, is_shown) == ([], True)
    assert visit.requests == [path.as_uri()]
    assert visit.trouble == []
