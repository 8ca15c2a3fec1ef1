"""The package's settings: `table` declares each one, `kinds` and `values` say what it may hold, `check` reads a
project's and complains, `sites` holds what differs by site.
"""

from scrapy_polite.settings.check import SettingsError, setting_name
from scrapy_polite.settings.kinds import read_mapping
from scrapy_polite.settings.sites import SitePolicy, Sites
from scrapy_polite.settings.table import NO_PAGES, PoliteSettings
from scrapy_polite.settings.values import ENDLESS, NO_LIMIT, PARTS, ROBOT_ERROR, TRAPS, project_server

__all__ = [
    "ENDLESS",
    "NO_LIMIT",
    "NO_PAGES",
    "PARTS",
    "ROBOT_ERROR",
    "TRAPS",
    "PoliteSettings",
    "SettingsError",
    "SitePolicy",
    "Sites",
    "project_server",
    "read_mapping",
    "setting_name",
]
