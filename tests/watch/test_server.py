"""The page of the watch as its server gives it out: to whom, for what, and how much at once."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from run_parts import PAYLOADS, STARTED, write_run
from scrapy_polite.runs.records import Page, Refusal
from scrapy_polite.watch import server as server_module
from scrapy_polite.watch.feed import Feed
from scrapy_polite.watch.server import MAX_CONNECTIONS, MAX_STREAMS, WatchServer
from scrapy_polite.watch.watching import Watching
from watch_parts import hostile_snapshot, live_run, put_snapshot, queues


@contextmanager
def serving(root: Path, every_s: float = 0.05) -> Iterator[WatchServer]:
    server = WatchServer(Feed(Watching(root), every_s=every_s))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.end()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[WatchServer]:
    live_run(tmp_path)
    with serving(tmp_path) as made:
        yield made


def ask(server: WatchServer, path: str | None = None, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """Below the token, where no path is given."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    connection.request(method, f"/{server.token}/" if path is None else path, headers=headers)
    return connection.getresponse()


def below(server: WatchServer, path: str) -> str:
    return f"/{server.token}/{path}"


def said_to(server: WatchServer, text: bytes) -> bytes:
    """What the server says to some bytes; nothing, where it hangs up."""
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as link:
        found = b""
        with suppress(ConnectionError):
            link.sendall(text)
            while data := link.recv(65_536):
                found += data
    return found


def until(wanted: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not wanted():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def readings(response: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    while line := response.readline():
        if line.startswith(b"data: "):
            yield json.loads(line.removeprefix(b"data: "))


def test_the_right_address_has_the_page_and_its_events(server: WatchServer, tmp_path: Path) -> None:
    assert server.url == f"http://127.0.0.1:{server.server_port}/{server.token}/"
    page = ask(server)
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    text = page.read().decode()
    for name in ("page.css", "page.js"):
        assert name in text
        assert ask(server, below(server, name)).read()
    found = readings(ask(server, below(server, "events")))
    assert [run["queued"] for run in next(found)["runs"]] == [60]
    live_run(tmp_path, "news", queued=5)
    for reading in found:
        if {run["spider"]: run["queued"] for run in reading["runs"]} == {"shop": 60, "news": 5}:
            break


def test_it_is_told_what_a_browser_may_do_with_it(server: WatchServer) -> None:
    for path in (None, below(server, "page.js"), below(server, "none"), "/", below(server, "events")):
        response = ask(server, path, "HEAD")
        policy = response.headers["Content-Security-Policy"].split("; ")
        assert {"default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} <= set(policy)
        assert not [rule for rule in policy if "unsafe" in rule or "*" in rule or "http" in rule]
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["X-Frame-Options"] == "DENY"
        assert "Python" not in response.headers["Server"]
        assert "Access-Control-Allow-Origin" not in response.headers
        assert "Set-Cookie" not in response.headers
        assert response.read() == b""


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "localhost:1", "127.0.0.2:{port}", ""]
)
def test_a_request_for_another_host_is_refused(server: WatchServer, host: str) -> None:
    """DNS rebinding: a page elsewhere, whose name comes to lead to 127.0.0.1."""
    response = ask(server, Host=host.format(port=server.server_port))
    assert (response.status, b"shop" in response.read()) == (421, False)


def test_its_own_names_are_answered_and_only_one_of_them(server: WatchServer) -> None:
    port = server.server_port
    assert ask(server, Host=f"localhost:{port}").status == 200
    assert ask(server, Host=f"LOCALHOST:{port}").status == 200
    lines = f"GET /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil.example\r\n\r\n"
    assert said_to(server, lines.encode()).startswith(b"HTTP/1.1 421 ")
    assert said_to(server, f"GET /{server.token}/ HTTP/1.0\r\n\r\n".encode()).startswith(b"HTTP/1.1 421 ")


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/page.js", "/events", "/wrong/", "/{short}/", "/{token}x/", "/x/{token}/", "{token}/", "*"),
        *("/?token={token}", "http://127.0.0.1:{port}/{token}/", "/%2e/{token}/", "//[::1/", "/\xff\xfe/"),
    ],
)
def test_without_the_token_nothing_is_seen(server: WatchServer, path: str) -> None:
    shown = path.format(token=server.token, short=server.token[:-1], port=server.server_port)
    lines = f"GET {shown} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode("latin-1")
    said = said_to(server, lines)
    assert said.startswith(b"HTTP/1.1 403 ")
    assert server.token.encode() not in said


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "BREW"])
def test_nothing_but_get_and_head_is_allowed(server: WatchServer, method: str) -> None:
    response = ask(server, below(server, ""), method)
    assert (response.status, response.headers["Allow"]) == (405, "GET, HEAD")


@pytest.mark.parametrize(
    "path",
    [
        "../../../../etc/passwd",
        "%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "..%2f..%2f..%2fetc%2fpasswd",
        "..\\..\\etc\\passwd",
        "/etc/passwd",
        "page.html",
        "server.py",
        "page.js/",
        "page.js%00",
        "report/",
        "report/../page.html",
        "report/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "report/shop/",
        "report/%2fetc",
        "report/shop%2f..%2f..",
        "report/shop%00",
        "report/" + "a" * 5_000,
        "events/",
    ],
)
def test_there_are_no_pages_but_its_own(server: WatchServer, path: str) -> None:
    response = ask(server, below(server, path))
    assert response.status == 404
    assert b"root:" not in response.read()


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 200 + b"\r\n", 431),
        (b"nonsense\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 505),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"<script>alert(1)</script> / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        (b"", None),
    ],
    ids=["long path", "long header", "many headers", "one word", "version", "TLS", "a script for a method", "nothing"],
)
def test_what_is_no_request_is_turned_away_and_not_repeated(
    server: WatchServer, text: bytes, status: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module._Handler, "timeout", 0.3)
    said = said_to(server, text)
    if status is not None:
        assert said.startswith(f"HTTP/1.1 {status} ".encode())
    assert b"script>" not in said
    assert ask(server).status == 200


def test_who_says_too_slowly_what_he_wants_is_left_and_others_are_served(
    server: WatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte now and then keeps each single wait short, but not the whole."""
    monkeypatch.setattr(server_module, "REQUEST_S", 0.5)
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as link:
        began = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() - began < 10:
                link.sendall(b"G")
                link.settimeout(0.05)
                with suppress(TimeoutError):
                    if not link.recv(100):
                        break
                assert ask(server, "/").status == 403
        assert time.monotonic() - began < 9


def test_who_does_not_read_holds_up_nobody_and_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "SEND_S", 0.2)
    monkeypatch.setattr(server_module, "MAX_STREAMS", 1)
    for number in range(50):
        live_run(tmp_path, f"spider{number}", queues=queues(*[{"host": "h" * 100, "queued": 9}] * 50))
    with serving(tmp_path, every_s=0.001) as server:
        request = f"GET {below(server, 'events')} HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as link:
            link.sendall(request.encode())
            assert ask(server).status == 200
            until(lambda: ask(server, below(server, "events"), "HEAD").status != 503)


def test_streams_are_bounded_and_free_again_when_clients_have_gone(server: WatchServer) -> None:
    streams = [ask(server, below(server, "events")) for _ in range(MAX_STREAMS)]
    assert [stream.status for stream in streams] == [200] * MAX_STREAMS
    assert ask(server, below(server, "events")).status == 503
    assert ask(server).status == 200
    for stream in streams:
        stream.close()
    until(lambda: ask(server, below(server, "events"), "HEAD").status == 200)


def test_connections_are_bounded_and_free_again_when_clients_have_gone(server: WatchServer) -> None:
    request = f"GET /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n\r\n".encode()
    links = [socket.create_connection(("127.0.0.1", server.server_port)) for _ in range(MAX_CONNECTIONS)]
    until(lambda: said_to(server, request) == b"")
    for link in links:
        link.close()
    until(lambda: said_to(server, request) != b"")


def test_streams_end_with_the_server(tmp_path: Path) -> None:
    live_run(tmp_path)
    with serving(tmp_path, every_s=30) as server:
        stream = ask(server, below(server, "events"))
        next(readings(stream))
    assert list(readings(stream)) == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_what_comes_from_the_network_is_inert_text_in_the_events(tmp_path: Path, payload: str) -> None:
    """The page puts these texts where no markup is read; here: nothing invisible, nothing that turns text around, and
    one line of JSON in ASCII."""
    files = live_run(tmp_path, payload, **hostile_snapshot(payload))
    feed = Feed(Watching(tmp_path))
    text = feed.newest()
    assert text.isascii()
    assert "\n" not in text
    assert [found for found in texts(json.loads(text)) if not found.isprintable()] == []
    put_snapshot(files, reason=payload)
    assert [found for found in texts(json.loads(Feed(Watching(tmp_path)).newest())) if not found.isprintable()] == []


def texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)


def test_each_run_has_its_report(tmp_path: Path) -> None:
    lines = [
        Page(
            STARTED, "https://shop.example/<b>", "https://shop.example", 200, 0.2, 0.1, 99, 0.0, "", 0.0, "fresh", "", 0
        ),
        Refusal(STARTED, "https://shop.example/x", "https://shop.example", "robots/disallow", "", 2, "", 0, ""),
    ]
    ended = write_run(tmp_path, lines, spider="sh op")
    live_run(tmp_path, "sh op")
    with serving(tmp_path) as server:
        runs = next(readings(ask(server, below(server, "events"))))["runs"]
        assert len(runs) == 1
        for run in runs:
            response = ask(server, below(server, f"report/{quote(run['key'], safe='')}"))
            assert (response.status, response.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
            assert "style-src 'unsafe-inline'" in response.headers["Content-Security-Policy"]
            assert "script-src" not in response.headers["Content-Security-Policy"]
            assert b"Crawl report: sh op" in response.read()
    assert not (ended.folder / "report.html").exists()


def test_the_report_that_a_crawl_has_left_behind_is_shown_as_it_is(tmp_path: Path) -> None:
    files = live_run(tmp_path)
    put_snapshot(files, reason="finished")
    (files.folder / "report.html").write_text("as it was")
    feed = Feed(Watching(tmp_path))
    assert feed.report(f"shop/{files.folder.name}") == ("text/html; charset=utf-8", b"as it was")


def test_without_jinja2_the_report_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from scrapy_polite.watch import feed as feed_module

    monkeypatch.setattr(feed_module, "can_write_html", lambda: False)
    files = live_run(tmp_path)
    found = Feed(Watching(tmp_path)).report(f"shop/{files.folder.name}")
    assert found is not None
    assert (found[0], found[1].startswith(b"# Crawl report: `shop`")) == ("text/plain; charset=utf-8", True)


def test_the_address_without_its_last_slash_leads_there(server: WatchServer) -> None:
    response = ask(server, f"/{server.token}")
    assert (response.status, response.headers["Location"]) == (308, f"/{server.token}/")


def test_it_is_on_this_machine_alone(server: WatchServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert urlsplit(server.url).hostname == "127.0.0.1"
    assert len(server.token) >= 32
