"""A Scrapy project on disk, and the `scrapy` command run in it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import arguments
import warm
from crawls import LOOP_SETTINGS, SETTINGS, environment

SPIDER = """
import scrapy

class Spider(scrapy.Spider):
    name = "listed"
    start_urls = {urls!r}
    custom_settings = {custom_settings!r}

    def parse(self, response):
        pass
"""


def project(
    folder: Path,
    loop_mode: str,
    urls: list[str],
    settings: Mapping[str, Any] | None = None,
    custom_settings: Mapping[str, Any] | None = None,
) -> Path:
    """Write a project with one spider, `listed`, that fetches `urls`. Returns `folder`."""
    project = {"SPIDER_MODULES": ["shop.spiders"], "BOT_NAME": "shop"}
    everything = project | SETTINGS | LOOP_SETTINGS[loop_mode] | dict(settings or {})
    files = {
        "scrapy.cfg": "[settings]\ndefault = shop.settings\n",
        "shop/__init__.py": "",
        "shop/settings.py": arguments.settings_module(everything),
        "shop/spiders/__init__.py": SPIDER.format(urls=urls, custom_settings=dict(custom_settings or {})),
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def scrapy(folder: Path, *arguments: str, text: str = "", timeout_s: float = 60.0) -> subprocess.CompletedProcess[str]:
    """`scrapy ARGUMENTS` in a project's folder, `text` its input; its output, log (standard error) and exit status."""
    return warm.run(["-m", "scrapy", *arguments], cwd=folder, env=environment(), text=text, timeout_s=timeout_s)
