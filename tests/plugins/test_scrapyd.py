"""Jobs of a real scrapyd, to which two projects are deployed as eggs: it runs both in its own folder, which has no
scrapy.cfg."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawls import environment
from projects import SPIDER, scrapy
from webserver import Origin

if TYPE_CHECKING:
    import pytest

SETTINGS = """
SPIDER_MODULES = ["{name}.spiders"]
BOT_NAME = "{name}"
ADDONS = {{"scrapy_polite.Addon": 300}}
USER_AGENT = "testbot/1.0 (+https://testbot.example/about)"
POLITE_MIN_DELAY = 0.05
"""
CONFIG = """
[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
poll_interval = 0.2
"""


def egg(path: Path, name: str, urls: list[str]) -> bytes:
    """A project as `scrapyd-deploy` packs it; its only spider is `listed`."""
    files = {
        f"{name}/__init__.py": "",
        f"{name}/settings.py": SETTINGS.format(name=name),
        f"{name}/spiders/__init__.py": SPIDER.format(urls=urls, custom_settings={}),
        "EGG-INFO/PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        "EGG-INFO/entry_points.txt": f"[scrapy]\nsettings = {name}.settings\n",
    }
    with zipfile.ZipFile(path, "w") as file:
        for entry, text in files.items():
            file.writestr(entry, text)
    return path.read_bytes()


class Scrapyd:
    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self._url = f"http://127.0.0.1:{port}"

    def get(self, service: str, **arguments: str) -> Any:
        return self._asked(f"{service}.json?{urllib.parse.urlencode(arguments)}")

    def post(self, service: str, **arguments: str) -> Any:
        return self._asked(f"{service}.json", urllib.parse.urlencode(arguments).encode())

    def deploy(self, project: str, egg: bytes) -> Any:
        """Upload an egg as `scrapyd-deploy` does, in a form (RFC 7578)."""
        parts = b"".join(
            b'--part\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name, value)
            for name, value in ((b"project", project.encode()), (b"version", b"1"), (b"egg", egg))
        )
        kind = {"Content-Type": "multipart/form-data; boundary=part"}
        return self._asked("addversion.json", parts + b"--part--\r\n", kind)

    def _asked(self, place: str, data: bytes | None = None, headers: dict[str, str] | None = None) -> Any:
        request = urllib.request.Request(f"{self._url}/{place}", data, headers or {})
        with urllib.request.urlopen(request, timeout=60) as answer:
            said = json.load(answer)
        assert said["status"] == "ok", said
        return said

    def log_of(self, project: str, job: str) -> str:
        """The log of a job of the spider, when it has ended."""
        deadline = time.monotonic() + 60
        while job not in [one["id"] for one in self.get("listjobs", project=project)["finished"]]:
            assert time.monotonic() < deadline, self.get("listjobs", project=project)
            time.sleep(0.1)
        return (self.folder / "logs" / project / "listed" / f"{job}.log").read_text("utf-8")


@contextmanager
def scrapyd(folder: Path) -> Iterator[Scrapyd]:
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "scrapyd.conf").write_text(CONFIG.format(port=port))
    with (folder / "scrapyd.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"], cwd=folder, env=environment(), stdout=log, stderr=log
        )
        try:
            server = Scrapyd(folder, port)
            deadline = time.monotonic() + 60
            while True:
                assert process.poll() is None, (folder / "scrapyd.log").read_text()
                assert time.monotonic() < deadline
                with suppress(OSError):
                    server.get("daemonstatus")
                    break
                time.sleep(0.1)
            yield server
        finally:
            process.terminate()
            process.wait(30)


def test_jobs_of_two_projects_name_their_reports_and_are_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = {"shop": ["/shop"], "town": ["/town/1", "/town/2"]}
    folder = tmp_path / "scrapyd"
    with Origin({}) as site, scrapyd(folder) as server:
        for name, paths in pages.items():
            server.deploy(name, egg(tmp_path / f"{name}.egg", name, [f"{site.url}{path}" for path in paths]))
        jobs = {name: server.post("schedule", project=name, spider="listed")["jobid"] for name in pages}
        logs = {name: server.log_of(name, job) for name, job in jobs.items()}
        asked = site.paths()
    assert sorted(path for path in asked if path != "/robots.txt") == ["/shop", "/town/1", "/town/2"]
    assert asked.count("/robots.txt") == 1  # the store is one, for all projects of the folder
    for name, log in logs.items():
        (report,) = [Path(line.partition("report: ")[2]) for line in log.splitlines() if "  report: " in line]
        assert report.is_relative_to(folder / ".scrapy" / "polite" / "runs" / name / "listed")
        assert f"{len(pages[name])}</b>pages requested" in report.read_text("utf-8")
        monkeypatch.setenv("SCRAPY_PROJECT", name)
        found = json.loads(scrapy(folder, "polite", "report", "--json").stdout)
        assert found["run"]["folder"] == str(report.parent)
