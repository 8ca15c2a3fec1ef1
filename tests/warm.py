"""Python processes that begin with Scrapy loaded already: loading it is most of what a short crawl costs.

`Process(["-m", "scrapy", ...])` does what `python -m scrapy ...` does, in a process of its own: environment, folder,
input, output, signals, exit status. It is forked from one that has imported what nearly all of them import, and has
done nothing else: no reactor, no settings. Where there is no fork, and with `TESTS_COLD=1`, it is started anew.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

_COLD = not hasattr(os, "fork") or bool(os.environ.get("TESTS_COLD"))


class Process:
    """`python ARGUMENTS`, where the first of them is `-m` or a file."""

    def __init__(self, arguments: Sequence[str], *, cwd: Path | str, env: Mapping[str, str], text: str = "") -> None:
        self._arguments = list(arguments)
        self._input, self._output, self._log = (tempfile.TemporaryFile() for _ in range(3))  # noqa: SIM115
        self._input.write(text.encode())
        self._input.seek(0)
        self._status = _started(self._arguments, str(cwd), dict(env), (self._input, self._output, self._log))
        self.pid = int(_line(self._status))
        self.returncode: int | None = None
        self._reading = threading.Lock()

    def poll(self) -> int | None:
        """The exit status, a signal's number with a minus sign; None while the process runs."""
        self._wait(0)
        return self.returncode

    def wait(self, timeout_s: float) -> int | None:
        """The exit status, as `poll` gives it, waited for."""
        self._wait(timeout_s)
        return self.returncode

    def first_line(self, timeout_s: float = 30.0) -> str:
        """Of its output, waited for; what there is of it where the process has ended or the time is over."""
        deadline = time.monotonic() + timeout_s
        while True:
            ended = self.poll() is not None or time.monotonic() > deadline
            line, end, _ = os.pread(self._output.fileno(), 65_536, 0).partition(b"\n")
            if end or ended:
                return line.decode()
            time.sleep(0.02)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def communicate(self, timeout_s: float) -> tuple[str, str]:
        """Its output and its log, at its end. Raises TimeoutExpired, with both, when it has been killed."""
        late = not self._wait(timeout_s)
        if late:
            self.send_signal(signal.SIGKILL)
            self._wait(timeout_s)
        texts = []
        for file in (self._output, self._log):
            file.seek(0)
            texts.append(file.read().decode().replace("\r\n", "\n"))
            file.close()
        self._input.close()
        os.close(self._status)
        if late:
            raise subprocess.TimeoutExpired(self._arguments, timeout_s, *texts)
        return texts[0], texts[1]

    def _wait(self, timeout_s: float) -> bool:
        if self.returncode is None and select.select([self._status], [], [], timeout_s)[0]:
            with self._reading:  # another thread may be looking too
                if self.returncode is None:
                    self.returncode = int(_line(self._status) or -signal.SIGKILL)
        return self.returncode is not None


def run(
    arguments: Sequence[str], *, cwd: Path | str, env: Mapping[str, str], timeout_s: float, text: str = ""
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run`, with `text` for input, output and log as text."""
    process = Process(arguments, cwd=cwd, env=env, text=text)
    output, log = process.communicate(timeout_s)
    return subprocess.CompletedProcess(list(arguments), process.returncode or 0, output, log)


def _line(descriptor: int) -> str:
    text = b""
    while not text.endswith(b"\n"):
        octet = os.read(descriptor, 1)
        if not octet:
            break
        text += octet
    return text.decode()


def _started(arguments: list[str], cwd: str, env: dict[str, str], files: tuple[IO[bytes], ...]) -> int:
    """Where its process id will be said, and later its exit status, a line each."""
    status, said = os.pipe()
    task = {"arguments": arguments, "cwd": cwd, "env": env}
    with tempfile.TemporaryFile() as request:
        request.write(json.dumps(task).encode())
        request.seek(0)
        descriptors = [request.fileno(), *(file.fileno() for file in files), said]
        if _COLD:
            command = [sys.executable, __file__, *map(str, descriptors)]
            subprocess.Popen(command, pass_fds=descriptors)
        else:
            socket.send_fds(_parent(), [b"."], descriptors)
    os.close(said)
    return status


@lru_cache(maxsize=1)
def _parent() -> socket.socket:
    """The process that forks; it ends when this one does."""
    ours, theirs = socket.socketpair()
    subprocess.Popen([sys.executable, __file__, str(theirs.fileno())], pass_fds=[theirs.fileno()])
    theirs.close()
    return ours


# In the process that forks


def load() -> None:
    """Import what nearly all processes do."""
    names = ["scrapy.cmdline", "scrapy.crawler", "scrapy.shell", "spiders", "twisted.web.client"]
    import scrapy
    from scrapy.settings import default_settings

    import scrapy_polite

    for package in (scrapy_polite, importlib.import_module("scrapy.commands")):
        names += [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    for value in vars(default_settings).values():
        paths: list[Any] = [value, *value, *value.values()] if isinstance(value, dict) else [value]
        names += [path.rpartition(".")[0] for path in paths if isinstance(path, str) and path.startswith("scrapy.")]
    names += ["aiohttp"] if scrapy.version_info >= (2, 15) else []
    for name in dict.fromkeys(names):
        with suppress(ImportError):
            importlib.import_module(name)
    if "twisted.internet.reactor" in sys.modules:
        raise RuntimeError("a reactor has been installed while modules were loaded: each process needs its own")
    gc.freeze()  # no process need look through what all of them share


def _serve(link: socket.socket) -> tuple[int, ...]:
    """Fork for each task; returns its descriptors, in the process that is to carry it out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        said, descriptors, *_ = socket.recv_fds(link, 1, 5)
        if not said:
            sys.exit()
        if not os.fork():
            link.close()
            return tuple(descriptors)
        for descriptor in descriptors:
            os.close(descriptor)


def _carry_out(request: int, given: int, output: int, log: int, status: int) -> None:
    """Become the process that was asked for; another one stays behind to tell how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid:
        os.write(status, f"{pid}\n".encode())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(status, f"{code}\n".encode())
        os._exit(0)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.unfreeze = lambda: None  # the process ends soon after: see `_end`
    with open(request) as file:
        task = json.load(file)
    for number, descriptor in enumerate((given, output, log)):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.close(status)
    os.chdir(task["cwd"])
    os.environ.clear()
    os.environ.update(task["env"])
    sys.path[1:1] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    # Without a buffer: where Ctrl-C comes while a line of the log is written, what Scrapy logs of it raises "reentrant
    # call", and the crawl goes on; one in a thousand does.
    log_file = io.FileIO(2, "w", closefd=False)
    sys.stderr = io.TextIOWrapper(log_file, sys.stderr.encoding, sys.stderr.errors, write_through=True)  # type: ignore[type-var]
    _end(_status_of(task["arguments"], task["cwd"]))


def _status_of(arguments: list[str], cwd: str) -> int:
    """Do what `python ARGUMENTS` does; returns its exit status."""
    sys.orig_argv[:] = [sys.executable, *arguments]
    try:
        if arguments[0] == "-m":
            sys.argv[:] = arguments[1:]
            sys.path[0] = cwd
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            sys.argv[:] = arguments
            sys.path[0] = str(Path(arguments[0]).parent)
            runpy.run_path(arguments[0], run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException as error:  # noqa: BLE001 (as the interpreter does)
        sys.excepthook(*sys.exc_info())
        if isinstance(error, KeyboardInterrupt):
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGINT)
        return 1
    return 0


def _end(status: int) -> None:
    """End as Python does, threads waited for and garbage collected, but for taking a thousand modules apart: that is
    two thirds of what a short crawl takes. What was frozen when the crawl began has nothing of it, and is not gone
    through once more."""
    threading._shutdown()
    atexit._run_exitfuncs()
    gc.collect()
    try:
        sys.stdout.flush()
    except OSError:
        status = 120
    with suppress(OSError):
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        load()
        _carry_out(*_serve(socket.socket(fileno=int(sys.argv[1]))))
    else:
        _carry_out(*map(int, sys.argv[1:]))
