"""What comes from the network does nothing in a browser: as the report's page, and as its Markdown once rendered.

tests/runs/test_report.py looks at what is written. Here a browser and a renderer say what they make of it.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from markdown_it import MarkdownIt

from run_parts import MARK, PAYLOADS, hostile, write_run
from scrapy_polite.runs.compare import against
from scrapy_polite.runs.html import html
from scrapy_polite.runs.markdown import markdown
from scrapy_polite.runs.report import report
from scrapy_polite.runs.run import open_run

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


def found_of(folder: Path, text: str) -> dict[str, Any]:
    """The report of a run all of whose texts are this one, and what has changed since another."""
    name = text.encode("ascii", "replace").decode()
    found = report(open_run(write_run(folder, hostile(text), spider=name, user_agent=text).folder))
    before = deepcopy(found)
    for host in before["hosts"]:
        host["pages"] += 100
    found["against"] = against(found, before)
    return found


def pages_of(folder: Path, text: str) -> dict[str, str]:
    """Both without the report's own protection, the policy that would keep a script from running."""
    found = found_of(folder, text)
    page = html(found).replace("Content-Security-Policy", "x")
    return {"report": page, "markdown": f"<!doctype html>{RENDERER.render(markdown(found))}"}


@pytest.mark.parametrize("half", [0, 1], ids=["first half", "second half"])
def test_a_text_that_means_harm_makes_the_same_page_as_a_harmless_one(
    visits: Visits, tmp_path: Path, half: int
) -> None:
    """No element more, nothing asked for, no dialog, whatever the text."""
    opened, expected = {}, {}
    for form, text in pages_of(tmp_path / "harmless", MARK).items():
        path = tmp_path / f"{form}.html"
        path.write_text(text, "utf-8")
        opened[form] = visits(path)
        expected[form] = opened[form].page.evaluate(MADE)
        assert expected[form][0].keys() >= {"table", "td", "h2", "code"}
        assert expected[form][1:] == [[], True]
    for number, payload in enumerate(PAYLOADS[half::2]):
        for form, text in pages_of(tmp_path / str(number), payload).items():
            (tmp_path / f"{form}.html").write_text(text, "utf-8")
            page = opened[form].page
            page.reload()
            assert page.evaluate(MADE) == expected[form], (form, payload)
    for form, visit in opened.items():
        assert set(visit.requests) == {(tmp_path / f"{form}.html").as_uri()}
        assert visit.trouble == []
