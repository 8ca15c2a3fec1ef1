"""A folder of HTML as a web site, in a process of its own; it has an address for each of the crawls that run at once.

Files are served as Apache does by default: a folder by its index or a list of what is in it; `name.gz` as what it
holds, which `name` gets too; `name.en` (a language, and maybe an encoding) as what `name` is, and in its place if there
is no such file. robots.txt is always the one here. The process ends with its standard input.
"""

from __future__ import annotations

import asyncio
import html
import json
import mimetypes
import os
import re
import subprocess
import sys
from functools import lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes

if TYPE_CHECKING:
    from typing_extensions import Self

ROBOTS = b"User-agent: *\nDisallow: /no-such-folder/\n"
INDEXES = ("index.html", "index.htm", "index.xhtml")

# Those that Apache's configuration has.
_LANGUAGES = (
    "ca|cs|da|de|el|en|eo|es|et|fi|fr|he|hr|hu|it|ja|ko|ltz|nl|nn|no|pl|pt|pt-br|ro|ru|sk|sv|tr|uk|vi|zh|zh-cn|zh-tw"
)
_ENCODINGS = {
    "utf8": "utf-8",
    "utf-8": "utf-8",
    "iso8859-1": "iso-8859-1",
    "latin1": "iso-8859-1",
    "iso8859-2": "iso-8859-2",
    "iso8859-9": "iso-8859-9",
    "iso2022-jp": "iso-2022-jp",
    "koi8-r": "koi8-r",
    "euc-jp": "euc-jp",
    "euc-kr": "euc-kr",
    "gb2312": "gb2312",
    "big5": "big5",
}
_VARIANT = re.compile(
    rf"(?P<name>.+\.[a-z]+)\.(?P<language>{_LANGUAGES})(?:\.(?P<encoding>{'|'.join(map(re.escape, _ENCODINGS))}))?",
    re.I,
)
_HTML = re.compile(r"\.(?:html?|xhtml)$", re.I)
# Not what is installed on this machine: some of it has types for names of languages.
_TYPES = mimetypes.MimeTypes(filenames=())


def is_html(name: str) -> bool:
    """Whether a file of this name is served as HTML."""
    plain = name.removesuffix(".gz")
    variant = _VARIANT.fullmatch(plain)
    return bool(_HTML.search(variant["name"] if variant else plain))


class Site:
    """What is answered to a URL's path."""

    def __init__(self, folder: str) -> None:
        self._root = os.path.realpath(folder)

    def answer(self, target: str) -> Answer:
        raw, mark, query = target.partition("?")
        path = os.fsdecode(unquote_to_bytes(raw))
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if path == "/robots.txt":
            return Answer(200, {"Content-Type": "text/plain"}, ROBOTS)
        if ".." in parts or "\0" in path:
            return _error(HTTPStatus.BAD_REQUEST)
        at = os.path.join(self._root, *parts)
        if not os.path.isdir(at):
            # A file has nothing below it.
            return (None if path.endswith("/") else self._file(at)) or _error(HTTPStatus.NOT_FOUND)
        if not path.endswith("/"):
            return Answer(301, {"Location": f"{raw}/{mark}{query}"}, b"")
        indexes = (self._file(os.path.join(at, name)) for name in INDEXES)
        return next(filter(None, indexes), None) or self._list(at)

    def _file(self, path: str) -> Answer | None:
        folder, name = os.path.split(path)
        names = _files(folder)
        if name not in names and f"{name}.gz" in names:
            name += ".gz"
        elif name not in names:
            variants = names.get(f"{name}/", ())
            if not variants:
                return None
            name = min(variants, key=lambda variant: (".en" not in variant[len(name) :], variant))
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            real = os.path.realpath(path)  # a symlink's target is the same file
            return Answer(200, _headers(name), file.read(), os.path.relpath(real, self._root))

    def _list(self, folder: str) -> Answer:
        names = ["../"] if folder != self._root else []
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                # A link to a folder above is a site without an end: nobody puts that on the web.
                above = entry.is_symlink() and f"{folder}/".startswith(os.path.join(os.path.realpath(entry.path), ""))
                if not entry.name.startswith(".") and not above and os.path.exists(entry.path):
                    names.append(f"{entry.name}/" if entry.is_dir() else entry.name)
        title = html.escape(os.fsencode(os.path.relpath(folder, self._root)).decode(errors="replace"))
        items = "".join(
            f'<li><a href="{"" if name == "../" else "./"}{html.escape(quote(os.fsencode(name)))}">'
            f"{html.escape(os.fsencode(name).decode(errors='replace'))}</a></li>\n"
            for name in names
        )
        body = (
            f"<!DOCTYPE html><html><head><title>Index of {title}</title></head><body><h1>{title}</h1>"
            f"<ul>{items}</ul></body></html>"
        )
        return Answer(200, {"Content-Type": "text/html; charset=utf-8"}, body.encode())


class Answer(NamedTuple):
    """`file` is what it was read from, below the site's folder."""

    status: int
    headers: dict[str, str]
    body: bytes
    file: str = ""


class Asked(NamedTuple):
    """What was answered to a URL: the status, and the file that it was read from."""

    status: int
    file: str


@lru_cache(maxsize=512)
def _files(folder: str) -> dict[str, tuple[str, ...]]:
    """The files of a folder; and, by `name/`, those that may be served for `name`."""
    files: dict[str, tuple[str, ...]] = {}
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.is_file()]
    except OSError:
        return files
    for name in names:
        files[name] = ()
        if variant := _VARIANT.fullmatch(name.removesuffix(".gz")):
            files[variant["name"] + "/"] = (*files.get(variant["name"] + "/", ()), name)
    return files


def _headers(name: str) -> dict[str, str]:
    headers = {"Content-Encoding": "gzip"} if name.endswith(".gz") else {}
    name = name.removesuffix(".gz")
    encoding = None
    if variant := _VARIANT.fullmatch(name):
        name, encoding = variant["name"], variant["encoding"]
        headers["Content-Language"] = variant["language"]
    # None for most names that are not known: Apache then says none either.
    if kind := _TYPES.guess_type(f"/{name}", strict=False)[0]:
        headers["Content-Type"] = f"{kind}; charset={_ENCODINGS[encoding.lower()]}" if encoding else kind
    return headers


def _error(status: HTTPStatus) -> Answer:
    body = f"<html><head><title>{status} {status.phrase}</title></head><body>{status.phrase}</body></html>"
    return Answer(status, {"Content-Type": "text/html"}, body.encode())


class Server:
    """The process, as a context manager; `roots` are the site's addresses, one for each crawl."""

    def __init__(self, folder: Path, crawls: int, core: int | None = None) -> None:
        self._arguments = json.dumps([str(folder), crawls, core])

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, __file__, self._arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.roots = [f"http://127.0.0.1:{port}/" for port in json.loads(self._line())]
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def asked(self) -> list[dict[str, Asked]]:
        """What has been asked for at each address, robots.txt left out: by path and query, as they were sent."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return [{path: Asked(*asked) for path, asked in log.items()} for log in json.loads(self._line())]

    def _line(self) -> str:
        assert self._process.stdout is not None
        if line := self._process.stdout.readline():
            return line
        raise SystemExit("the server has ended")


class _Connection(asyncio.Protocol):
    def __init__(self, site: Site, log: dict[str, Asked]) -> None:
        self._site = site
        self._log = log
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            method, target = head.decode("latin-1").split(" ", 2)[:2]
            try:
                answer = self._site.answer(target)
            except OSError:  # such as a name that is too long
                answer = _error(HTTPStatus.NOT_FOUND)
            if target != "/robots.txt":
                self._log[target] = Asked(answer.status, os.fsencode(answer.file).decode(errors="replace"))
            lines = {"Content-Length": str(len(answer.body))} | answer.headers
            headers = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
            status = f"{answer.status:d} {HTTPStatus(answer.status).phrase}"
            body = b"" if method == "HEAD" else answer.body
            self._transport.write(f"HTTP/1.1 {status}\r\n{headers}\r\n".encode("latin-1") + body)


async def _serve(folder: str, crawls: int, core: int | None) -> None:
    if core is not None:
        os.sched_setaffinity(0, {core})
    loop = asyncio.get_running_loop()
    questions = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(questions), sys.stdin)
    site = Site(folder)
    logs: list[dict[str, Asked]] = [{} for _ in range(crawls)]
    servers = [await loop.create_server(partial(_Connection, site, log), "127.0.0.1", 0, backlog=256) for log in logs]
    print(json.dumps([server.sockets[0].getsockname()[1] for server in servers]), flush=True)
    while await questions.readline():
        print(json.dumps(logs), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(*json.loads(sys.argv[1])))
