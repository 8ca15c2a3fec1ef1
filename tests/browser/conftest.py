"""Chromium (Debian's package), driven by Playwright: for the tests of this folder, which `tox -e browser` runs.

Playwright's loop runs in the thread of the tests: what needs a loop of its own belongs in a process or a thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, sync_playwright

from browser_parts import Visit, Visits
from browser_programs import chromium, promtool

#: Longer waits no test for what it looks for.
_TIMEOUT_MS = 15_000


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium())
        yield browser
        browser.close()


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Opens a page: a URL, or a file's path. Each visit is a window of its own, with no cookies and an empty cache."""
    contexts = []

    def visit(
        place: str | Path,
        *,
        width: int = 1280,
        height: int = 800,
        color_scheme: Literal["light", "dark"] = "light",
        script: bool = True,
    ) -> Visit:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=color_scheme, java_script_enabled=script
        )
        contexts.append(context)
        context.set_default_timeout(_TIMEOUT_MS)
        made = Visit(context, context.new_page())
        made.watch()
        made.page.goto(place.absolute().as_uri() if isinstance(place, Path) else place)
        return made

    yield visit
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def promtool_path() -> str:
    """The program promtool, of Prometheus."""
    return promtool()
