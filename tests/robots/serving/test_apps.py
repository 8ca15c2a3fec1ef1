"""The applications under uvicorn and gunicorn: a real client, a crawl that obeys, a change that is noticed."""

from __future__ import annotations

import gzip
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crawls import crawl, environment
from scrapy_polite.serve import RobotsStore

RULES = b"""
[[rule]]
agents = ["*"]
disallow = ["/"]

[[rule]]
agents = ["testbot"]
allow = ["/shop/"]
disallow = ["/shop/cart"]
"""
LONG = b'[[rule]]\nagents = ["*"]\ndisallow = [' + b", ".join(b'"/part-%d/"' % n for n in range(100)) + b"]\n"

SERVERS: dict[str, Callable[[int], list[str]]] = {
    "uvicorn": lambda fd: ["uvicorn", "--fd", str(fd), "--log-level", "info", "app_asgi:application"],
    "gunicorn": lambda fd: ["gunicorn", "--bind", f"fd://{fd}", "--access-logfile", "-", "--preload", "app_wsgi"],
}


@contextmanager
def served(name: str, folder: Path) -> Iterator[tuple[int, Path]]:
    """A server of `robots.sqlite` in a process of its own; its port, and its log."""
    for kind in ("Asgi", "Wsgi"):
        text = f"from scrapy_polite.serve import {kind}App\napplication = {kind}App('robots.sqlite')\n"
        (folder / f"app_{kind.lower()}.py").write_text(text)
    log = folder / "log"
    with socket.create_server(("127.0.0.1", 0)) as listening, log.open("wb") as output:
        words = [sys.executable, "-m", *SERVERS[name](listening.fileno())]
        process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment() | {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])},
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=[listening.fileno()],
        )
        try:
            # The socket listens already: who connects waits until the server has started.
            yield listening.getsockname()[1], log
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def ask(
    connection: http.client.HTTPConnection, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    connection.request(method, "/robots.txt", headers={"Host": "a.example"} | headers)
    response = connection.getresponse()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()


@pytest.mark.parametrize("name", SERVERS)
def test_a_client_is_served_and_told_what_has_not_changed(name: str, tmp_path: Path) -> None:
    store = RobotsStore(tmp_path / "robots.sqlite")
    store.publish("a.example", LONG, now=time.time(), reason="first")
    with served(name, tmp_path) as (port, log):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        status, headers, body = ask(connection)
        assert status == 200, log.read_text()
        assert body.startswith(b"User-agent: *\nDisallow: /part-10/\n")
        assert (headers["cache-control"], headers["vary"]) == ("max-age=86400", "Accept-Encoding")
        assert ask(connection, **{"If-None-Match": headers["etag"]})[::2] == (304, b"")
        status, of_head, nothing = ask(connection, "HEAD")
        assert (status, nothing, of_head["content-length"]) == (200, b"", str(len(body)))
        status, packed, octets = ask(connection, **{"Accept-Encoding": "gzip"})
        assert (packed["content-encoding"], gzip.decompress(octets)) == ("gzip", body)
        assert ask(connection, "POST")[0] == 405
        assert ask(connection, Host="b.example")[0] == 404

        store.publish("a.example", RULES, now=time.time(), reason="new", confirm=True)
        until = time.monotonic() + 60
        while (changed := ask(connection, **{"If-None-Match": headers["etag"]}))[0] == 304:
            assert time.monotonic() < until
            time.sleep(0.05)
        assert b"Allow: /shop/\n" in changed[2]
        connection.close()


def test_our_crawler_obeys_what_is_served(tmp_path: Path) -> None:
    store = RobotsStore(tmp_path / "robots.sqlite")
    store.publish("127.0.0.1", RULES, now=time.time(), reason="first", confirm=True)
    with served("uvicorn", tmp_path) as (port, log):
        origin = f"http://127.0.0.1:{port}"
        # It has started when it answers: a crawl would wait for its robots.txt for some seconds only.
        assert ask(http.client.HTTPConnection("127.0.0.1", port, timeout=60), "HEAD")[0] == 404
        done = crawl("asyncio", [f"{origin}{path}" for path in ("/shop/shoes", "/shop/cart/1", "/shop/")])
        assert done.refused == [{"url": f"{origin}/shop/cart/1", "reason": "robots/disallow"}]
        lines = log.read_text()
    asked = [line.split('"')[1].split()[1] for line in lines.splitlines() if '"GET ' in line]
    assert sorted(asked) == ["/robots.txt", "/shop/", "/shop/shoes"]
