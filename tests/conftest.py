from __future__ import annotations

import gc
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import scrapy
from hypothesis import HealthCheck, settings

from redis_server import RedisServer

# How fast a machine is decides no test.
settings.register_profile("project", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("project")

# Where the tests run in the background, SIGINT is ignored, and so it would be by all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

LOOP_MODES = ("asyncio", "twisted", "reactorless")


#: What needs a browser, or other packages: run where it is asked for by name, as `tox -e browser` does.
BY_NAME = {Path(__file__).parent / name for name in ("browser", "plugins")}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if collection_path not in BY_NAME:
        return None
    named = [(config.invocation_params.dir / argument.partition("::")[0]).resolve() for argument in config.args]
    return not any(path.is_relative_to(collection_path) for path in named) or None


#: The files that take longest, the longest first: measured, and no harm where they are no longer those.
LONGEST = tuple(
    Path(__file__).parent / name
    for name in (
        "test_example_project.py",
        "crawl/test_redis_queue.py",
        "crawl/test_redis_store.py",
        "crawl/test_traps.py",
        "crawl/test_frontier_job.py",
        "crawl/test_recrawl.py",
        "crawl/test_endings.py",
        "crawl/test_run_record.py",
        "crawl/test_frontier.py",
        "commands/test_robots.py",
    )
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that wait much go first: one that began last would keep all waiting for it, with nothing else to do.

    Without a reactor only what has `loop_mode` is run: all else has run just so with the newest Scrapy.
    """
    if config.getoption("--loop") == "reactorless":
        config.hook.pytest_deselected(items=[item for item in items if not _has_loop(item)])
        items[:] = filter(_has_loop, items)
    items.sort(key=lambda item: LONGEST.index(item.path) if item.path in LONGEST else len(LONGEST))


def _has_loop(item: pytest.Item) -> bool:
    return "loop_mode" in getattr(item, "fixturenames", ())


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Thousands of tests that stay until the end are no garbage: a quarter of the time went to looking through them."""
    gc.collect()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--loop",
        choices=LOOP_MODES,
        default="asyncio",
        help="what crawls run on: Twisted's asyncio reactor, another Twisted reactor, or no reactor (Scrapy >= 2.15)",
    )


@pytest.fixture(scope="session")
def loop_mode(request: pytest.FixtureRequest) -> str:
    """What whole crawls run on: one of `LOOP_MODES`."""
    mode = str(request.config.getoption("--loop"))
    if mode == "reactorless" and scrapy.version_info < (2, 15):
        pytest.skip(f"Scrapy {scrapy.__version__} cannot run without a reactor: that takes 2.15 or later")
    return mode


@pytest.fixture(scope="session")
def redis_server() -> Iterator[RedisServer]:
    """One Valkey for all tests of a process: each names its own store or job, and leaves it running."""
    with closing(RedisServer()) as server:
        yield server
