"""Where alerts go: to a webhook by POST, to a command's standard input. Each has a thread, and each try its time."""

from __future__ import annotations

import base64
import http.client
import logging
import os
import signal
import socket
import subprocess
import threading
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol
from urllib.parse import unquote, urlsplit

from scrapy_polite.text import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

logger = logging.getLogger(__name__)

#: Seconds for one POST, and for the command.
POST_S, COMMAND_S = 5.0, 10.0
#: Pauses between the tries of one alert.
PAUSES_S = (1.0, 4.0)
#: Alerts that wait for a place that does not take them. More are counted as not delivered.
_MAX_WAITING = 100
_HEADERS = {"Content-Type": "application/json", "User-Agent": "scrapy-polite", "Connection": "close"}


class Undelivered(Exception):
    """Why an alert was not delivered. `again`: another try may help."""

    def __init__(self, why: str, *, again: bool) -> None:
        super().__init__(why)
        self.again = again


class Channel(Protocol):
    """One place where alerts go. `shown` names it, without what is secret in it."""

    @property
    def shown(self) -> str: ...

    def send(self, body: bytes) -> None:
        """Blocks, for a bounded time. Raises Undelivered."""

    def abort(self) -> None:
        """End what `send` does in another thread."""


class Webhook:
    """POSTs JSON to a URL, directly: without proxy, and without following a redirect."""

    def __init__(self, url: str, timeout_s: float = POST_S) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port
        self._secure = parts.scheme == "https"
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._headers = dict(_HEADERS)
        if parts.username is not None:
            pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
            self._headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        self._timeout_s = timeout_s
        self._connection: http.client.HTTPConnection | None = None

    @property
    def shown(self) -> str:
        """Its path is the secret of many webhooks."""
        return f"webhook at {printable(self._host, 100)} (POLITE_ALERT_WEBHOOK)"

    def send(self, body: bytes) -> None:
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        self._connection = connection = kind(self._host, self._port, timeout=self._timeout_s)
        # The time-out of a socket is for each read: an answer that comes byte by byte takes for ever.
        timer = threading.Timer(self._timeout_s, self.abort)
        timer.daemon = True
        timer.start()
        try:
            connection.request("POST", self._target, body, self._headers)
            response = connection.getresponse()
            status, location = response.status, response.getheader("Location", "")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Undelivered(f"no answer: {printable(repr(error), 200)}", again=True) from None
        finally:
            timer.cancel()
            self._connection = None
            connection.close()
        if 300 <= status < 400:
            host = printable(urlsplit(location).hostname or "", 100) if location.isprintable() else ""
            to = f" to {host}" if host else ""
            raise Undelivered(f"HTTP {status}, a redirect{to}: name the last URL", again=False)
        if not 200 <= status < 300:
            raise Undelivered(f"HTTP {status}", again=status == 429 or status >= 500)

    def abort(self) -> None:
        connection = self._connection
        if connection is not None and connection.sock is not None:
            with suppress(OSError):
                connection.sock.shutdown(socket.SHUT_RDWR)


class Command:
    """Runs a program without a shell, with the JSON on its standard input."""

    def __init__(self, words: Sequence[str], timeout_s: float = COMMAND_S) -> None:
        self._words = list(words)
        self._timeout_s = timeout_s
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def shown(self) -> str:
        return f"command {printable(self._words[0], 100)} (POLITE_ALERT_COMMAND)"

    def send(self, body: bytes) -> None:
        try:
            # In a session of its own: what it has started ends with it, and Ctrl-C is for the crawl.
            process = subprocess.Popen(  # noqa: S603 (the program that the project's settings name)
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise Undelivered(f"it cannot be run: {printable(str(error), 200)}", again=False) from None
        self._process = process
        try:
            process.communicate(body + b"\n", timeout=self._timeout_s)
        except subprocess.TimeoutExpired:
            kill(process)
            raise Undelivered(f"ended after {self._timeout_s:g} s: it takes too long", again=False) from None
        except OSError as error:
            kill(process)
            raise Undelivered(printable(str(error), 200), again=False) from None
        finally:
            self._process = None
        if process.returncode:
            raise Undelivered(f"exit status {process.returncode}", again=False)

    def abort(self) -> None:
        if (process := self._process) is not None:
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with suppress(OSError, subprocess.TimeoutExpired):
        process.wait(1.0)


class Delivery:
    """Hands alerts to a channel from a thread of its own, which begins with the first. A fault is told once."""

    def __init__(self, channel: Channel, pauses_s: Sequence[float] = PAUSES_S) -> None:
        self._channel = channel
        self._pauses_s = pauses_s
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._closing = threading.Event()
        self._is_over = False
        self._thread: threading.Thread | None = None
        self._fails = self._told = False
        self._put = self._delivered = 0
        #: Alerts that will not be delivered.
        self.failed = 0
        self.closed: Future[None] = Future()

    @property
    def undelivered(self) -> int:
        """Alerts that have not been delivered, or not yet."""
        return self._put - self._delivered

    def put(self, body: bytes) -> None:
        """Does not wait."""
        self._put += 1
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="scrapy-polite-alerts", daemon=True)
            self._thread.start()
        if self._waiting.qsize() < _MAX_WAITING:
            self._waiting.put(body)
        else:
            self.failed += 1

    def close(self) -> None:
        """No more come. `closed` is set when those that wait have been tried."""
        self._closing.set()
        if self._thread is None:
            self.closed.set_result(None)
        self._waiting.put(None)

    def abort(self) -> None:
        """End it at once: nobody waits for it any longer."""
        self._is_over = True
        if not self.closed.done():
            self._tell("it takes too long, and the crawl has ended")
        self._channel.abort()

    # In the thread

    def _run(self) -> None:
        try:
            while (body := self._waiting.get()) is not None and not self._is_over:
                why_not = self._sent(body)
                self._fails = bool(why_not)
                if why_not:
                    self.failed += 1
                    self._tell(why_not)
                else:
                    self._delivered += 1
        finally:
            self.closed.set_result(None)

    def _sent(self, body: bytes) -> str:
        """Why an alert could not be delivered; empty: it was."""
        # While they fail each is tried once: the next one does not wait for all the tries of those before.
        for pause_s in (*(() if self._fails else self._pauses_s), None):
            try:
                self._channel.send(body)
            except Undelivered as error:  # noqa: PERF203 (each try for itself)
                if not error.again or pause_s is None or self._is_over:
                    return str(error)
                self._closing.wait(pause_s)
            except Exception as error:  # noqa: BLE001 (a thread that ends would deliver nothing more)
                return printable(repr(error))
            else:
                return ""
        return ""

    def _tell(self, why: str) -> None:
        if not self._told:
            self._told = True
            logger.warning(
                "An alert was not delivered to the %s: %s. Further ones are counted (polite/alerts_undelivered)",
                self._channel.shown,
                why,
            )
