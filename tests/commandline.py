"""Small projects for the command line to run in; `projects.scrapy` runs it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import arguments

SETTINGS = {
    "BOT_NAME": "testproject",
    "SPIDER_MODULES": ["testproject.spiders"],
    "USER_AGENT": "testbot/1.0 (+https://testbot.example/about)",
    "ADDONS": {"scrapy_polite.Addon": 300},
    arguments.ROBOTS_RETRY_DELAY: 0.05,
}


def make_project(
    folder: Path, settings: Mapping[str, Any] | None = None, spiders: str = "", extra: Mapping[str, str] | None = None
) -> Path:
    """Write a project: SETTINGS, then `settings`; a module of spiders; `extra` modules by name. Returns the folder."""
    package = folder / "testproject"
    (package / "spiders").mkdir(parents=True)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = testproject.settings\n")
    (package / "__init__.py").touch()
    (package / "settings.py").write_text(arguments.settings_module({**SETTINGS, **(settings or {})}))
    (package / "spiders" / "__init__.py").write_text(spiders)
    for name, text in (extra or {}).items():
        (package / f"{name}.py").write_text(text)
    return folder
