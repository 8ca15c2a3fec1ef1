from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware as ScrapyRobotsTxtMiddleware
from scrapy.robotstxt import PythonRobotParser
from scrapy.utils.conf import build_component_list
from scrapy.utils.misc import load_object

from crawlers import crawler
from scrapy_polite import Addon
from scrapy_polite._addon import replaced
from scrapy_polite.downloadermiddlewares import IdentityMiddleware, RobotsTxtMiddleware
from scrapy_polite.monitor.progress import Progress
from scrapy_polite.monitor.summary import Summary
from scrapy_polite.robots import PoliteRobotParser
from scrapy_polite.settings import PoliteSettings, SettingsError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

SCRAPYS = "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"
OURS = "scrapy_polite.downloadermiddlewares.RobotsTxtMiddleware"


def applied(settings: dict[str, Any] | None = None, **spider: Any) -> BaseSettings:
    """A project's settings after the add-on."""
    made = crawler(settings, **spider)
    Addon.from_crawler(made).update_settings(made.settings)
    return made.settings


def middlewares(settings: BaseSettings) -> list[type]:
    """The classes that a crawl has, in order."""
    return [load_object(path) for path in build_component_list(settings.getwithbase("DOWNLOADER_MIDDLEWARES"))]


def order_of_ours(settings: BaseSettings) -> int | None:
    orders = {load_object(path): order for path, order in settings.getdict("DOWNLOADER_MIDDLEWARES").items()}
    return orders.get(RobotsTxtMiddleware)


def test_the_add_on_alone_brings_everything_in() -> None:
    settings = applied()
    assert {RobotsTxtMiddleware, IdentityMiddleware} <= set(middlewares(settings))
    assert ScrapyRobotsTxtMiddleware not in middlewares(settings)
    assert {Summary, Progress} <= {load_object(path) for path in settings.getdict("EXTENSIONS")}
    assert settings.getbool("ROBOTSTXT_OBEY") is True
    assert settings["ROBOTSTXT_PARSER"] is PoliteRobotParser


@pytest.mark.parametrize(
    ("given", "order"),
    [
        pytest.param({}, 100, id="nothing: where Scrapy has its own"),
        pytest.param({SCRAPYS: 543}, 543, id="Scrapy's moved"),
        pytest.param({ScrapyRobotsTxtMiddleware: 543}, 543, id="Scrapy's moved, by class"),
        pytest.param({OURS: 200}, 200, id="ours placed by the project"),
        pytest.param({SCRAPYS: None, OURS: 200}, 200, id="ours in place of Scrapy's"),
        pytest.param({SCRAPYS: 300, OURS: 200}, 200, id="both"),
    ],
)
def test_ours_stands_alone_where_the_project_wants_it(given: dict[Any, Any], order: int) -> None:
    settings = applied({"DOWNLOADER_MIDDLEWARES": given | {"scrapy.downloadermiddlewares.retry.RetryMiddleware": 42}})
    found = middlewares(settings)
    assert order_of_ours(settings) == order
    assert found.count(RobotsTxtMiddleware) == 1
    assert ScrapyRobotsTxtMiddleware not in found
    assert [cls.__name__ for cls in found].index("RetryMiddleware") < found.index(RobotsTxtMiddleware)
    assert replaced(settings)[0] == f"Scrapy's RobotsTxtMiddleware by this package's, at {order}"


@pytest.mark.parametrize(
    ("given", "scrapys_is_there"),
    [
        pytest.param({SCRAPYS: None}, False, id="Scrapy's"),
        pytest.param({OURS: None}, True, id="ours"),
    ],
)
def test_what_the_project_has_taken_out_stays_out(given: dict[Any, Any], scrapys_is_there: bool) -> None:
    settings = applied({"DOWNLOADER_MIDDLEWARES": given})
    assert RobotsTxtMiddleware not in middlewares(settings)
    assert (ScrapyRobotsTxtMiddleware in middlewares(settings)) is scrapys_is_there
    assert replaced(settings) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ROBOTSTXT_OBEY", False),
        ("ROBOTSTXT_OBEY", True),
        ("ROBOTSTXT_PARSER", PythonRobotParser),
        ("DOWNLOAD_DELAY", 0.5),
        ("SCHEDULER", "scrapy.core.scheduler.Scheduler"),
    ],
)
def test_what_the_project_has_set_stays(name: str, value: Any) -> None:
    assert applied({name: value})[name] is value


def test_identity_and_summary_keep_the_places_that_the_project_gave_them() -> None:
    identity = "scrapy_polite.downloadermiddlewares.IdentityMiddleware"
    settings = applied({"DOWNLOADER_MIDDLEWARES": {identity: 17}})
    assert {load_object(p): o for p, o in settings.getdict("DOWNLOADER_MIDDLEWARES").items()}[IdentityMiddleware] == 17


def test_sites_of_project_and_spider_are_merged_key_by_key(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "merged_settings.py").write_text('POLITE_SITES = {"a.example": {"robots": "never"}, "*": {}}\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "merged_settings")
    sites = {"b.example": {"robots": "annotate"}}
    settings = applied({"POLITE_SITES": {"overridden": {}}}, custom_settings={"POLITE_SITES": sites})
    assert settings["POLITE_SITES"] == {"a.example": {"robots": "never"}, "*": {}, "b.example": {"robots": "annotate"}}
    assert len(PoliteSettings.from_settings(settings).sites) == 3


@pytest.mark.parametrize("sites", ["{", "[1]", 7, {"a.example": "ignore"}], ids=repr)
def test_sites_that_cannot_be_meant_stop_the_crawl(sites: Any) -> None:
    with pytest.raises(SettingsError, match="POLITE_SITES"):
        applied({"POLITE_SITES": sites})
