"""The pictures of the documentation, made anew: of the report and of the watch page, from real crawls of the demo site.

    tox exec -e browser -- python docs/pictures.py

writes docs/pictures/*.png. It takes a minute: the demo is crawled twice, the second time slowly, to be watched. Look at
them before you commit them.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from browser_programs import chromium  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = ROOT / "docs" / "pictures"
MOST_BYTES = 150_000
SCRAPY = [sys.executable, "-m", "scrapy"]
#: What stands in place of the folder where the demo was crawled.
SHOWN_FOLDER = "/home/me/example_project"
HIDE = """([folder, shown]) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(folder, shown);
}"""


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        project = Path(temporary, "example_project")
        without = shutil.ignore_patterns(".scrapy", "*-report.*", "__pycache__")
        shutil.copytree(ROOT / "example_project", project, ignore=without)
        browser = playwright.chromium.launch(executable_path=chromium())
        _scrapy(project, "crawl", "demo")
        report = _scrapy(project, "polite", "report").strip()
        _report(browser, project, f"file://{report}")
        with _running(project, "crawl", "demo", "-s", "POLITE_MIN_DELAY=0.5"), _watched(project) as address:
            _watch(browser, project, address)
        browser.close()
    large = [path.name for path in FOLDER.glob("*.png") if path.stat().st_size > MOST_BYTES]
    if large:
        print(f"larger than {MOST_BYTES:,} bytes: {', '.join(large)}", file=sys.stderr)
    return int(bool(large))


def _report(browser: Browser, project: Path, url: str) -> None:
    for name, width, height, scheme, at in (
        ("report", 1120, 1080, "light", "body"),
        ("report-dark", 1120, 800, "dark", "#waits"),
        ("report-narrow", 360, 720, "light", "body"),
    ):
        page = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme).new_page()
        page.goto(url)
        page.evaluate("at => document.querySelector(at).scrollIntoView()", at)
        _taken(page, project, name)


def _watch(browser: Browser, project: Path, address: str) -> None:
    page = browser.new_context(viewport={"width": 1120, "height": 900}).new_page()
    page.goto(address)
    page.wait_for_selector("#each section")
    page.wait_for_timeout(12_000)  # so that the crawl has something to say
    _taken(page, project, "watch")


def _taken(page: Page, project: Path, name: str) -> None:
    page.evaluate(HIDE, [str(project), SHOWN_FOLDER])
    page.screenshot(path=FOLDER / f"{name}.png")
    print(FOLDER / f"{name}.png", f"{(FOLDER / f'{name}.png').stat().st_size:,} bytes", flush=True)
    page.context.close()


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


def _scrapy(project: Path, *arguments: str) -> str:
    done = subprocess.run(
        [*SCRAPY, *arguments], check=True, cwd=project, env=_environment(), stdout=subprocess.PIPE, text=True
    )
    return done.stdout


@contextmanager
def _running(project: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*SCRAPY, *arguments], cwd=project, env=_environment(), stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


@contextmanager
def _watched(project: Path) -> Iterator[str]:
    """The address of the watch page."""
    with _running(project, "polite", "watch", "--web") as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


if __name__ == "__main__":
    sys.exit(main())
