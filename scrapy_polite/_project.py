"""The folders of the project that is run: as Scrapy finds them, but none is made, and a deployed project has them too.

Scrapy's `data_path` makes a folder, and raises NotConfigured where there are settings but no scrapy.cfg: for that,
Scrapy leaves out a component without a word.
"""

from __future__ import annotations

import os
from pathlib import Path

from scrapy.utils.conf import closest_scrapy_cfg, get_config
from scrapy.utils.project import inside_project

from scrapy_polite.runs.files import FOLDER, folder_name


def project_folder() -> Path:
    """The folder of scrapy.cfg; the working directory where there is none."""
    file = closest_scrapy_cfg() if inside_project() else ""
    return Path(file).parent.absolute()


def data_path(path: str) -> Path:
    """Where the data called `path` are: below the project's folder for data (`.scrapy`), unless that is absolute."""
    config = get_config() if inside_project() else None
    if config is not None and config.has_option("datadir", "default"):
        return Path(config.get("datadir", "default"), path).absolute()
    return project_folder() / ".scrapy" / path


def runs_path() -> Path:
    """Where the run records are. Of several projects in one folder, which SCRAPY_PROJECT tells apart, each has its own:
    a scrapy.cfg may name several, and scrapyd has all of them at work in its own folder.
    """
    project = os.environ.get("SCRAPY_PROJECT") or "default"
    runs = data_path(FOLDER)
    return runs if project == "default" else runs / folder_name(project)
