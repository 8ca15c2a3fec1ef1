"""Several processes that crawl one job on a server, started by the same call: let run, stopped, killed, interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import crawls
import warm
from webserver import Answer, Origin, robots


def links(*paths: str, more: bytes = b"") -> Answer:
    body = "".join(f'<a href="{path}">{path}</a>' for path in paths).encode() + more
    return Answer(body=body, headers={"Content-Type": "text/html"})


def tree(width: int, depth: int, delay_s: float = 0.0) -> dict[str, Any]:
    """Pages from /start on: each links to `width` more, `depth` levels of them."""
    table: dict[str, Any] = {}

    def grow(path: str, levels: int) -> None:
        children = [f"{path}/{number}" for number in range(width)] if levels else []
        table[path] = links(*children, more=b"<p>" + path.encode() * 3 + b"</p>")
        for child in children:
            grow(child, levels - 1)

    grow("/start", depth)
    if delay_s:
        table["/robots.txt"] = robots(f"User-agent: *\nCrawl-delay: {delay_s}\n")
    return table


def pages_of(table: Mapping[str, Any]) -> list[str]:
    return sorted(path for path in table if path != "/robots.txt")


def gaps(site: Origin) -> list[float]:
    """Between what reached a site, in seconds; its robots.txt included."""
    return [after - before for before, after in pairwise(sorted(asked.at for asked in site.asked))]


def counts(sites: Iterable[Origin]) -> Counter[str]:
    """How often each page was asked for."""
    return Counter(site.url + path for site in sites for path in site.pages())


class Worker:
    """One process of a job. `settings` are those of `crawls.crawl`."""

    def __init__(
        self,
        loop_mode: str,
        urls: Sequence[str | tuple[str, Mapping[str, Any]]],
        settings: Mapping[str, Any],
        spider: str = "frontier_parts.FilteredLinks",
        environment: Mapping[str, str] | None = None,
    ) -> None:
        job = {"urls": list(urls), "spider": spider, "meta": {}, "headers": {}, "allowed_domains": []}
        common = crawls.SETTINGS | crawls.LOOP_SETTINGS[loop_mode] | {"POLITE_MAX_IDLE": 60} | dict(settings)
        task = json.dumps({"jobs": [job | {"close_after_s": None}], "settings": common})
        self._folder = tempfile.TemporaryDirectory()
        env = crawls.environment() | dict(environment or {})
        self._process = warm.Process([crawls.__file__], cwd=self._folder.name, env=env, text=task)

    @property
    def folder(self) -> Path:
        """Its working directory, which is gone when it has ended."""
        return Path(self._folder.name)

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self._finish(20)

    @property
    def ended(self) -> bool:
        return self._process.poll() is not None

    def finish(self, timeout_s: float = 120.0) -> crawls.Crawled:
        """What it came to, once it has ended by itself. Raises AssertionError with its log if it does not, or fails."""
        output, log = self._finish(timeout_s)
        assert self._process.returncode == 0, f"the crawl failed ({self._process.returncode}):\n{log}"
        return crawls.Crawled(log=log, **json.loads(output.splitlines()[-1])[0])

    def _finish(self, timeout_s: float) -> tuple[str, str]:
        try:
            return self._process.communicate(timeout_s)
        except subprocess.TimeoutExpired as late:
            raise AssertionError(f"the crawl did not end within {timeout_s} s:\n{late.stderr}") from None
        finally:
            self._folder.cleanup()


def until(happens: Callable[[], object], limit_s: float = 60.0) -> None:
    deadline = time.monotonic() + limit_s
    while not happens():
        assert time.monotonic() < deadline, "it has not happened in time"
        time.sleep(0.02)


def asked(sites: Iterable[Origin], times: int) -> Callable[[], bool]:
    """Whether so many pages have been asked for, in all."""
    counted = list(sites)
    return lambda: sum(len(site.pages()) for site in counted) >= times
