"""Scrapy's real command line in a process of its own, and small projects to run it in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SETTINGS = {
    "BOT_NAME": "testproject",
    "SPIDER_MODULES": ["testproject.spiders"],
    "USER_AGENT": "testbot/1.0 (+https://testbot.example/about)",
    "ADDONS": {"scrapy_polite.Addon": 300},
    "POLITE_ROBOTS_RETRY_DELAY": 0.05,
}


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}


def scrapy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `scrapy ...` in a folder. Raises subprocess.TimeoutExpired if it takes longer than any test may."""
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments],
        check=False,
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )


def make_project(
    folder: Path, settings: Mapping[str, Any] | None = None, spiders: str = "", extra: Mapping[str, str] | None = None
) -> Path:
    """Write a project: SETTINGS, then `settings`; a module of spiders; `extra` modules by name. Returns the folder."""
    package = folder / "testproject"
    (package / "spiders").mkdir(parents=True)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = testproject.settings\n")
    (package / "__init__.py").touch()
    lines = [f"{name} = {value!r}" for name, value in {**SETTINGS, **(settings or {})}.items()]
    (package / "settings.py").write_text("\n".join(lines) + "\n")
    (package / "spiders" / "__init__.py").write_text(spiders)
    for name, text in (extra or {}).items():
        (package / f"{name}.py").write_text(text)
    return folder
