"""`scrapy polite metrics`: the metrics of all crawls of a project, for Prometheus."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy_polite._project import runs_path
from scrapy_polite.commands import YES, CommandError, Parser, SubcommandsCommand
from scrapy_polite.commands.run_there import left_out
from scrapy_polite.metrics.export import MAX_HOSTS, Exporter, MetricsUnavailable
from scrapy_polite.runs.files import replaced
from scrapy_polite.settings.kinds import Kind, count, seconds

if TYPE_CHECKING:
    from argparse import Namespace


_FILE_NAME = "scrapy_polite.prom"
_RULES, _DASHBOARD = "rules.yml", "dashboard.json"


def add_subcommands(parser: Parser) -> None:
    command = parser.subcommand(
        "metrics", "serve the metrics of all crawls of the project to Prometheus, until Ctrl-C", _metrics
    )
    add, port, hosts, every = command.add_argument, count(0, 65_535), count(0, MAX_HOSTS), seconds(1, 86_400)
    add("--port", metavar="PORT", type=_number(port), default=0, help="the port; without it a free one")
    add("--address", metavar="ADDRESS", default="127.0.0.1", help="the address to listen on; without it 127.0.0.1")
    text = f"name the N origins of each run that were asked or refused most, at most {MAX_HOSTS}"
    add("--hosts", metavar="N", type=_number(hosts), default=0, help=text)
    text = f"write this file *.prom for node_exporter, once, and serve nothing; in a folder {_FILE_NAME}"
    add("--textfile", metavar="FILE", help=text)
    text = "with --textfile: write the file anew so often, until Ctrl-C"
    add("--every", metavar="SECONDS", type=_number(every), help=text)
    packaged = command.add_mutually_exclusive_group()
    packaged.add_argument("--rules", action="store_true", help="print the alert rules for Prometheus")
    packaged.add_argument("--dashboard", action="store_true", help="print the dashboard for Grafana")


def _metrics(command: SubcommandsCommand, opts: Namespace) -> int:
    if opts.rules or opts.dashboard:
        name = _RULES if opts.rules else _DASHBOARD
        sys.stdout.write((files("scrapy_polite.metrics") / name).read_text("utf-8"))
        return YES
    if opts.every and not opts.textfile:
        raise CommandError("--every goes with --textfile; Prometheus itself decides how often it asks")
    try:
        exporter = Exporter(runs_path(), opts.hosts, left_out)
    except MetricsUnavailable as error:
        raise CommandError(str(error)) from error
    try:
        if opts.textfile:
            _write(exporter, _textfile(opts.textfile), opts.every)
        else:
            exporter.text()  # what is left out is told at once, not when somebody asks
            _serve(exporter, opts.port, opts.address)
    except KeyboardInterrupt:  # the way to end it
        pass
    return YES


def _serve(exporter: Exporter, port: int, address: str) -> None:
    try:
        server, thread = exporter.serve(port, address)
    except OSError as error:
        raise CommandError(f"cannot listen on {address}, port {port} (--address, --port): {error}") from error
    host = f"[{address}]" if ":" in address else address
    print(f"http://{host}:{server.server_port}/metrics", flush=True)
    thread.join()


def _write(exporter: Exporter, path: Path, every_s: float | None) -> None:
    while True:
        try:
            # node_exporter is another user.
            replaced(path, exporter.text(), 0o644)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror or error}") from error
        if not every_s:
            return
        time.sleep(every_s)


def _textfile(text: str) -> Path:
    path = Path(text) / _FILE_NAME if Path(text).is_dir() else Path(text)
    if path.suffix != ".prom":
        raise CommandError(f"--textfile is {text!r}, expected a folder or a file *.prom: node_exporter reads no other")
    return path


def _number(kind: Kind) -> Callable[[str], Any]:
    """A reader of an option's value, as of a setting's."""

    def read(text: str) -> Any:
        try:
            return kind.read(text)
        except (ValueError, OverflowError) as error:
            raise ArgumentTypeError(kind.complaint(text, error).strip()) from None

    return read
