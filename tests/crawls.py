"""Running a whole crawl in a process of its own: what the tests in tests/crawl do, in any loop mode.

`python tests/crawls.py` is that process: it reads a job as JSON from standard input and writes what happened as JSON.
"""

from __future__ import annotations

import json
import logging
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import arguments
import warm

if TYPE_CHECKING:
    from webserver import Origin

ROOT = Path(__file__).parent.parent

#: A budget's period that ends during no test, as a day does at midnight: seconds from the epoch, the next time in 2033.
BUDGET_PERIOD_S = 1_000_000_000

#: Settings and arguments (see arguments.py) of every test crawl: quick to fail, and nothing is kept.
SETTINGS: dict[str, Any] = {
    "ADDONS": {"scrapy_polite.Addon": 300},
    "USER_AGENT": "testbot/1.0 (+https://testbot.example/about)",
    "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "LOG_LEVEL": "DEBUG",
    "POLITE_STORE": "memory",
    arguments.ROBOTS_RETRY_DELAY: 0.05,
    "POLITE_WAIT_MAX": 5,
    "POLITE_GIVE_UP": 5,
    "POLITE_MAX_IDLE": 5,
    "POLITE_RUN_REPORT": False,
    # Scrapy makes so many tasks for what a callback returns, each time: 100 by default, a third of a long crawl's time.
    "CONCURRENT_ITEMS": 8,
}

LOOP_SETTINGS: dict[str, dict[str, Any]] = {
    "asyncio": {"TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor"},
    "twisted": {"TWISTED_REACTOR": "twisted.internet.epollreactor.EPollReactor"},
    "reactorless": {"TWISTED_REACTOR_ENABLED": False},
}


@dataclass(frozen=True)
class Crawled:
    """What a crawl came to. `responses`: url, status, flags, polite_robots (meta), from the callback; `errors`: url and
    the exception as text, from the errback; `refused`: url and reason, from the signal polite_refused; `parsed`: URLs,
    from Scrapy's robots_parsed; `seconds` is the crawl's own duration, `closing_s` from the call of close_spider on;
    `peak_rss_bytes` is of the process."""

    stats: Mapping[str, Any]
    responses: list[dict[str, Any]]
    errors: list[dict[str, str]]
    refused: list[dict[str, str]]
    parsed: list[str]
    log: str
    seconds: float
    closing_s: float | None
    peak_rss_bytes: int

    @property
    def urls(self) -> list[str]:
        return [response["url"] for response in self.responses]

    def logged(self, level: str, text: str) -> list[str]:
        """The lines of a level that contain a text."""
        return [line for line in self.log.splitlines() if f" {level}: " in line and text in line]


def crawl(
    loop_mode: str,
    urls: Sequence[str | tuple[str, Mapping[str, Any]]],
    settings: Mapping[str, Any] | None = None,
    *,
    spider: str = "list",
    meta: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    allowed_domains: Sequence[str] = (),
    close_after_s: float | None = None,
    interrupt_when: Callable[[], bool] | None = None,
    folder: Path | None = None,
    timeout_s: float = 60.0,
) -> Crawled:
    """Crawl `urls` in a new process, with SETTINGS, then `settings`, in force.

    `spider` is one of the kinds in spiders.py, or the import path of a class. A URL may bring its own meta, in a pair.
    With `allowed_domains` other URLs are filtered (by default nothing is). `folder` is the process's working directory,
    a temporary one by default. The process gets Ctrl-C as soon as `interrupt_when()`. Raises AssertionError with the
    log if the process fails or does not end within `timeout_s`.
    """
    job = {
        "urls": list(urls),
        "spider": spider,
        "meta": dict(meta or {}),
        "headers": dict(headers or {}),
        "allowed_domains": list(allowed_domains),
        "close_after_s": close_after_s,
    }
    common = SETTINGS | LOOP_SETTINGS[loop_mode] | dict(settings or {})
    return _run([job], common, interrupt_when, folder, timeout_s)[0]


def crawl_together(
    loop_mode: str,
    crawls: Sequence[tuple[Sequence[str], Mapping[str, Any]]],
    settings: Mapping[str, Any] | None = None,
    *,
    folder: Path | None = None,
    timeout_s: float = 60.0,
) -> list[Crawled]:
    """Several crawls at once in one process, each of its URLs with its own `custom_settings`. The log is of all."""
    none = {"spider": "list", "meta": {}, "headers": {}, "allowed_domains": [], "close_after_s": None}
    jobs = [none | {"urls": list(urls), "custom_settings": dict(own)} for urls, own in crawls]
    return _run(jobs, SETTINGS | LOOP_SETTINGS[loop_mode] | dict(settings or {}), None, folder, timeout_s)


def crawl_and_kill(
    loop_mode: str,
    urls: Sequence[str],
    settings: Mapping[str, Any],
    spider: str,
    when: Callable[[], bool],
    *,
    folder: Path | None = None,
) -> None:
    """Crawl as `crawl` does, but end it as `kill -9` does, as soon as `when()`."""
    job = {"urls": list(urls), "spider": spider, "meta": {}, "headers": {}, "allowed_domains": []}
    task = {
        "jobs": [job | {"close_after_s": None}],
        "settings": SETTINGS | LOOP_SETTINGS[loop_mode] | dict(settings),
    }
    with tempfile.TemporaryDirectory() as temporary:
        process = warm.Process([__file__], cwd=folder or temporary, env=environment(), text=json.dumps(task))
        try:
            deadline = time.monotonic() + 30
            while not when():
                assert process.poll() is None, "the crawl ended before it could be killed"
                assert time.monotonic() < deadline
                time.sleep(0.02)
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate(30)


def has_been_asked(site: Origin, times: int) -> bool:
    return len(site.asked) >= times


def _run(
    jobs: list[dict[str, Any]],
    settings: Mapping[str, Any],
    interrupt_when: Callable[[], bool] | None,
    folder: Path | None,
    timeout_s: float,
) -> list[Crawled]:
    with tempfile.TemporaryDirectory() as temporary:
        task = json.dumps({"jobs": jobs, "settings": settings})
        process = warm.Process([__file__], cwd=folder or temporary, env=environment(), text=task)
        if interrupt_when:
            threading.Thread(target=_interrupt, args=(process, interrupt_when), daemon=True).start()
        try:
            output, log = process.communicate(timeout_s)
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f"the crawl did not end within {timeout_s} s:\n{late.stderr}") from None
    assert process.returncode == 0, f"the crawl failed:\n{log}"
    return [Crawled(log=log, **result) for result in json.loads(output.splitlines()[-1])]


def environment() -> dict[str, str]:
    """The environment of a process that can import the modules of tests/."""
    path = [str(ROOT / "tests"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(path)}


def _interrupt(process: warm.Process, when: Callable[[], bool]) -> None:
    while process.poll() is None:
        if when():
            process.send_signal(signal.SIGINT)
            return
        time.sleep(0.02)


def _answer_for_invalid_names() -> None:
    """Names under .invalid do not exist (RFC 6761, section 6.4). That is answered here: a name server may be slow or
    out of reach, which says nothing about a name.
    """

    def answering(look_up: Callable[..., Any]) -> Callable[..., Any]:
        def look_up_others(host: Any, *args: Any, **kwargs: Any) -> Any:
            if str(host).rstrip(".").endswith(".invalid"):
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            return look_up(host, *args, **kwargs)

        return look_up_others

    for name in ("getaddrinfo", "gethostbyname"):
        setattr(socket, name, answering(getattr(socket, name)))


def _main() -> None:
    from scrapy.crawler import AsyncCrawlerProcess, CrawlerProcess
    from scrapy.utils.misc import load_object

    import spiders

    _answer_for_invalid_names()
    task = json.load(sys.stdin)
    settings, own_arguments = arguments.split(task["settings"])
    arguments.put(own_arguments)
    twisted = settings.get("TWISTED_REACTOR_ENABLED", True) and "asyncio" not in settings["TWISTED_REACTOR"]
    process = (CrawlerProcess if twisted else AsyncCrawlerProcess)(settings)
    logging.captureWarnings(True)
    crawlers = []
    for job in task["jobs"]:
        records: dict[str, Any] = {name: [] for name in ("responses", "errors", "refused", "parsed", "closing")}
        job_only = {"job": job, "custom_settings": job.get("custom_settings")}
        crawlers.append(
            process.create_crawler(
                type("Spider", (spiders.KINDS.get(job["spider"]) or load_object(job["spider"]),), job_only | records)
            )
        )
        process.crawl(crawlers[-1])
    started = time.monotonic()
    process.start()
    if process.bootstrap_failed:
        sys.exit(1)
    print(json.dumps([_result(crawler, started) for crawler in crawlers], default=str))


def _result(crawler: Any, started: float) -> dict[str, Any]:
    spider = crawler.spidercls
    return {
        "stats": crawler.stats.get_stats(),
        "responses": spider.responses,
        "errors": spider.errors,
        "refused": spider.refused,
        "parsed": spider.parsed,
        "seconds": time.monotonic() - started,
        "closing_s": spider.closing[-1] - spider.closing[0] if len(spider.closing) > 1 else None,
        "peak_rss_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


if __name__ == "__main__":
    _main()
