from __future__ import annotations

import pytest

LOOP_MODES = ("asyncio", "twisted", "reactorless")


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
    return str(request.config.getoption("--loop"))
