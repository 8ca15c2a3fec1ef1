"""Constructor arguments for a crawl in a process of its own: what is no setting, but takes too long as it is.

Among a crawl's settings a name with dots is one: `scrapy_polite.services.robots.Fetcher.retry_delay_s` is the argument
`retry_delay_s` of what the module `scrapy_polite.services.robots` makes by the name `Fetcher`. It needs no mention
there: what the module itself passes counts before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import Any

ROBOTS_RETRY_DELAY = "scrapy_polite.services.robots.Fetcher.retry_delay_s"
ROBOTS_BACKOFF_MIN = "scrapy_polite.services.robots.Policy.backoff_min_s"
ROBOTS_BACKOFF_MAX = "scrapy_polite.services.robots.Policy.backoff_max_s"
ROBOTS_CACHE_COUNT = "scrapy_polite.services.robots.RobotsCache.max_count"
ADAPTIVE_MAX = "scrapy_polite.services.pacing.PacingConfig.adaptive_max_s"
REFUSED_FILE_LINES = "scrapy_polite.events.stream.RefusedFile.max_lines"
ALERT_LOOK = "scrapy_polite.monitor.alerts.Times.look_s"
ALERT_NO_PAGE = "scrapy_polite.monitor.alerts.Times.no_page_s"
ALERT_CLOSE = "scrapy_polite.monitor.alerts.Times.close_s"
ALERT_PAUSES = "scrapy_polite.monitor.alerts.Delivery.pauses_s"
ALERT_POST = "scrapy_polite.monitor.alerts.Webhook.timeout_s"
ALERT_COMMAND = "scrapy_polite.monitor.alerts.Command.timeout_s"
RUN_WRITE = "scrapy_polite.monitor.record.RunWriter.write_s"


def split(settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The settings proper, and the arguments."""
    arguments = {name: value for name, value in settings.items() if "." in name}
    return {name: value for name, value in settings.items() if name not in arguments}, arguments


def put(arguments: Mapping[str, Any]) -> None:
    """Have the modules of this process pass these."""
    for path, value in arguments.items():
        module_name, made, argument = path.rsplit(".", 2)
        module = import_module(module_name)
        setattr(module, made, partial(getattr(module, made), **{argument: value}))


def settings_module(settings: Mapping[str, Any]) -> str:
    """The text of a project's settings.py that has both."""
    proper, arguments = split(settings)
    lines = [f"{name} = {value!r}" for name, value in proper.items()]
    if arguments:
        lines += ["import arguments", f"arguments.put({arguments!r})"]
    return "\n".join(lines) + "\n"
