"""A page in a real browser, and what must not happen there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Dialog, Page


@dataclass
class Visit:
    """A page in a window of its own. `requests` has the URLs that were asked for, itself the first; `trouble` what no
    page of ours may do: errors on the console, exceptions, failed loads, dialogs, new windows, downloads.

    Both grow as long as the window is open.
    """

    context: BrowserContext
    page: Page
    requests: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    def watch(self) -> None:
        page, trouble = self.page, self.trouble
        self.context.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda line: trouble.append(f"console: {line.text}") if line.type == "error" else None)
        page.on("pageerror", lambda error: trouble.append(f"exception: {error}"))
        page.on("requestfailed", lambda request: trouble.append(f"failed: {request.url} {request.failure}"))
        page.on("download", lambda download: trouble.append(f"download: {download.url}"))
        page.on("popup", lambda window: trouble.append(f"new window: {window.url}"))
        page.on("dialog", self._dialog)

    def _dialog(self, dialog: Dialog) -> None:
        self.trouble.append(f"dialog: {dialog.message}")
        dialog.dismiss()


#: Opens a page: a URL or a file's path (tests/browser/conftest.py).
Visits = Callable[..., Visit]


@lru_cache(maxsize=1)
def _axe_source() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")


def axe(page: Page) -> list[str]:
    """What axe-core finds in a page that is serious or critical: rule, and the elements it is about.

    It takes some milliseconds an element: of many rows that are made alike, remove most before.
    """
    page.evaluate(_axe_source())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{one['id']}: {', '.join(str(node['target'][0]) for node in one['nodes'][:5])} ({one['help']})"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
