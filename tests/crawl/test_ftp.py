"""ftp:// origins (RFC 9309 §2.3 names them too), by a crawl of real FTP servers; their own logs are the witnesses."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.ioloop import IOLoop
from pyftpdlib.servers import FTPServer
from typing_extensions import Self

from crawls import Crawled, crawl


class FtpOrigin:
    """An anonymous FTP server of one folder. `asked` are the files that were asked for, there or not, in order."""

    def __init__(self, files: dict[str, str], address: str, folder: Path) -> None:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.asked: list[str] = []
        origin = self

        class Handler(FTPHandler):  # type: ignore[misc]
            authorizer = DummyAuthorizer()

            def ftp_RETR(self, file: str) -> Any:  # noqa: N802
                origin.asked.append("/" + Path(file).relative_to(folder).as_posix())
                return super().ftp_RETR(file)

        Handler.authorizer.add_anonymous(str(folder))
        self._server = FTPServer((address, 0), Handler, ioloop=IOLoop())
        self._thread = threading.Thread(target=self._serve)
        self._stopping = False
        self.url = f"ftp://{address}:{self._server.address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._stopping = True
        self._thread.join()

    def _serve(self) -> None:
        while not self._stopping:
            self._server.serve_forever(timeout=0.05, blocking=False)
        self._server.close_all()


@contextmanager
def silent_server(address: str) -> Iterator[str]:
    """The URL of a server that takes connections and says nothing, not even its greeting."""
    with socket.create_server((address, 0)) as listener:
        yield f"ftp://{address}:{listener.getsockname()[1]}"


@dataclass(frozen=True)
class Visit:
    crawled: Crawled
    origins: dict[str, FtpOrigin]
    silent_url: str


FILES = {"page": "A page.", "private/page": "Another."}
RULES = "User-agent: *\nDisallow: /private\n"
ORIGINS: dict[str, dict[str, str]] = {
    "rules": FILES | {"robots.txt": RULES},
    "none": FILES,
    "long": FILES | {"robots.txt": RULES + "#" * 600_000 + "\nDisallow: /page\n"},
}


@pytest.fixture(scope="module")
def visit(loop_mode: str, tmp_path_factory: pytest.TempPathFactory) -> Visit:
    if loop_mode == "reactorless":
        pytest.skip("Scrapy has no FTP handler without a reactor")
    with ExitStack() as stack:
        origins = {
            name: stack.enter_context(FtpOrigin(files, f"127.0.1.{number}", tmp_path_factory.mktemp("ftp")))
            for number, (name, files) in enumerate(ORIGINS.items(), 1)
        }
        silent_url = stack.enter_context(silent_server("127.0.2.1"))
        urls = [f"{url}/{path}" for url in [*(origin.url for origin in origins.values()), silent_url] for path in FILES]
        settings = {"POLITE_ROBOTS_TIMEOUT": 0.5, "POLITE_ROBOTS_ATTEMPTS": 1}
        return Visit(crawl(loop_mode, urls, settings), origins, silent_url)


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("rules", ["/robots.txt", "/page"]),
        ("none", ["/robots.txt", "/page", "/private/page"]),
        ("long", ["/robots.txt", "/page"]),
    ],
)
def test_robots_txt_of_an_ftp_server_is_obeyed_and_a_missing_one_allows(
    visit: Visit, name: str, asked: list[str]
) -> None:
    origin = visit.origins[name]
    assert origin.asked[0] == "/robots.txt"
    assert sorted(origin.asked[1:]) == asked[1:]
    served = [url.removeprefix(origin.url) for url in visit.crawled.urls if url.startswith(f"{origin.url}/")]
    assert sorted(served) == asked[1:]


def test_an_ftp_server_that_hangs_is_closed_after_the_time_out(visit: Visit) -> None:
    errors = sorted(error["error"] for error in visit.crawled.errors if error["url"].startswith(f"{visit.silent_url}/"))
    assert errors == ["IgnoreRequest: Refused by robots/unreachable: timed out after 0.5 s"] * len(FILES)


def test_without_an_ftp_handler_ftp_pages_are_refused(loop_mode: str, tmp_path: Path) -> None:
    with FtpOrigin(FILES, "127.0.1.1", tmp_path) as origin:
        settings = {"DOWNLOAD_HANDLERS": {"ftp": None}, "POLITE_ROBOTS_ATTEMPTS": 1}
        crawled = crawl(loop_mode, [f"{origin.url}/page"], settings)
    assert origin.asked == []
    (error,) = crawled.errors
    assert error["error"].startswith("IgnoreRequest: Refused by robots/unreachable: ")
