"""Scrapy's own tests, as they are and with the add-on among the default settings: which ones come out differently.

    python benchmarks/scrapy_tests.py FOLDER [an argument for pytest ...]

FOLDER is the unpacked sdist of the installed version of Scrapy; its tests need what its tox.ini names in
[test-requirements]:

    pip download --no-deps --no-binary scrapy scrapy==2.19.0 && tar xf scrapy-2.19.0.tar.gz
    pip install pexpect psutil pyftpdlib pytest-rerunfailures pytest-timeout pytest-twisted sybil
    python benchmarks/scrapy_tests.py scrapy-2.19.0

Without further arguments all that touches crawling is run, which takes some twenty minutes; tests/test_engine.py, say,
runs that alone. Each test that comes out differently is run again, alone: as it is, with the add-on, and with Scrapy's
own ROBOTSTXT_OBEY. What still differs is printed with the first line of its error; docs/reference.md says what is
expected, and why. Nothing here fails: which difference is a defect, a person has to say.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import scrapy

if TYPE_CHECKING:
    import pytest

#: Of Scrapy's tests/, what crawls or is made from a crawler's settings.
CRAWLING = (
    *("test_addons.py", "test_closespider.py", "test_core_*.py", "test_crawl.py", "test_crawler*.py"),
    *("test_downloader*.py", "test_dupefilters.py", "test_engine*.py", "test_extension*.py", "test_feedexport*.py"),
    *("test_logstats.py", "test_middleware.py", "test_pipeline*.py", "test_pqueues.py", "test_request_*.py"),
    *("test_scheduler*.py", "test_signals.py", "test_spider*.py", "test_stats.py"),
)
OPTIONS = (
    *("-q", "--tb=short", "--timeout=60", "--continue-on-collection-errors", "-m", "not requires_internet"),
    # Scrapy's tests make an error of each, and those of pytest differ by its version.
    *("-W", "ignore::pytest.PytestDeprecationWarning", "-W", "ignore:fixture:pytest.PytestWarning"),
)
#: Read by every Python process that the tests start, and by pytest's own. What waits for a dead host gives up soon.
POLITE = """
from scrapy.settings import default_settings

default_settings.ADDONS = {"scrapy_polite.Addon": 0}
default_settings.POLITE_STORE = "memory"
default_settings.POLITE_ROBOTS_ATTEMPTS = 1
default_settings.POLITE_WAIT_MAX = default_settings.POLITE_GIVE_UP = default_settings.POLITE_MAX_IDLE = 5
"""
#: The same for Scrapy's own robots.txt: what differs then too, differs by robots.txt being asked for.
OBEYING = """
from scrapy.settings import default_settings

default_settings.ROBOTSTXT_OBEY = True
"""
STOCK = ""
OUTCOMES = "SCRAPY_TESTS_OUTCOMES"
#: Where this module, as a plugin of pytest, writes an outcome a line. Tests may empty the environment.
written = os.environ.get(OUTCOMES, os.devnull)

Outcomes = Mapping[str, tuple[str, str]]
"""Of each test by its id: passed, failed or skipped; and the last line of its error."""


NONE = ("none", "")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        why = report.longreprtext.strip().splitlines()[-1:] if report.failed else []
        error = getattr(getattr(report.longrepr, "reprcrash", None), "message", "").splitlines()[:1] or why
        with Path(written).open("a", encoding="utf-8") as file:
            print(json.dumps([report.nodeid, report.outcome, "".join(error)[:200]]), file=file)


def run(folder: Path, arguments: Sequence[str], at_start: str) -> Outcomes:
    """The outcomes in processes that each execute `at_start` first."""
    with tempfile.TemporaryDirectory() as temporary:
        site, outcomes = Path(temporary, "site"), Path(temporary, "outcomes")
        site.mkdir()
        (site / "sitecustomize.py").write_text(at_start, encoding="utf-8")
        outcomes.touch()
        path = [str(site), str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        subprocess.run(
            [sys.executable, "-m", "pytest", *OPTIONS, "-p", Path(__file__).stem, *arguments],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path), OUTCOMES: str(outcomes)},
            stdout=sys.stderr,
            check=False,
        )
        return {
            test: (outcome, error) for test, outcome, error in map(json.loads, outcomes.read_text("utf-8").splitlines())
        }


def differing(stock: Outcomes, polite: Outcomes) -> list[str]:
    return [test for test in {**stock, **polite} if stock.get(test, NONE)[0] != polite.get(test, NONE)[0]]


def counts(outcomes: Outcomes) -> str:
    count = Counter(outcome for outcome, _ in outcomes.values())
    return ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(count.items()))


def _crawling(folder: Path) -> Iterable[str]:
    found = {path.relative_to(folder) for pattern in CRAWLING for path in (folder / "tests").glob(pattern)}
    return sorted(str(path) for path in found if path.name != "__init__.py")


def main() -> None:
    folder = Path(sys.argv[1])
    version = (folder / "scrapy" / "VERSION").read_text("ascii").strip()
    if version != scrapy.__version__:
        sys.exit(f"{folder} is of Scrapy {version}, but {scrapy.__version__} is installed")
    tests = sys.argv[2:] or _crawling(folder)
    stock, polite = (run(folder, [*tests], way) for way in (STOCK, POLITE))
    print(f"Scrapy {version}: {counts(stock)}")
    print(f"with the add-on: {counts(polite)}")
    again = differing(stock, polite)
    if not again:
        return
    stock, polite, obeying = (run(folder, again, way) for way in (STOCK, POLITE, OBEYING))
    still = differing(stock, polite)
    print(f"{len(still)} come out differently, alone too; {len(again) - len(still)} did only once")
    for test in still:
        also = "; so with ROBOTSTXT_OBEY alone" if obeying.get(test, NONE)[0] == polite.get(test, NONE)[0] else ""
        print(
            f"{test}\n    {stock.get(test, NONE)[0]} -> {polite.get(test, NONE)[0]}{also}: {polite.get(test, NONE)[1]}"
        )


if __name__ == "__main__":
    main()
