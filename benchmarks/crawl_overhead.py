"""What politeness costs: whole crawls with Scrapy's RobotsTxtMiddleware and with the add-on, in alternation.

2,000 pages over 1 and over 200 local origins, each page 7 KB with 25 links that are extracted; a normal robots.txt of
20 rules everywhere; the store is a SQLite file, fresh for each crawl. Figures are CPU time (user + system, all threads)
of the crawling process from spider_opened to spider_closed, per page; medians of alternating runs.

    python benchmarks/crawl_overhead.py [--pages 2000] [--runs 9]
    python benchmarks/crawl_overhead.py --instructions

Exits with 1 if the add-on costs more than 100 µs of CPU per page, beyond what the spread of the runs leaves open. CPU
time is noisy by more than that on most machines; `--instructions` counts, with valgrind, what a page and what an origin
cost more in instructions of the process (not the kernel's), the same in every run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from typing import Any

LIMIT_US = 100.0
HOSTS = (1, 200)
ROBOTS = b"User-agent: *\n" + b"".join(b"Disallow: /private/%d/\n" % n for n in range(20))
LINK = b'<p>Some words of text around <a href="/other/%d">link number %d</a>.</p>\n'
LINKS = b"".join(LINK % (n, n) for n in range(25))
PAGE = b"<html><head><title>A page</title></head><body>" + LINKS + b"<p>%s</p>" % (b"word " * 1_000) + b"</body></html>"


class _Server(asyncio.Protocol):
    def connection_made(self, transport: Any) -> None:
        self.transport, self.buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            request, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
            robots = request.startswith(b"GET /robots.txt ")
            body, kind = (ROBOTS, b"text/plain") if robots else (PAGE, b"text/html")
            self.transport.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body), body)
            )


async def _serve() -> None:
    """Serve on 127.0.0.1 to .200, one port; say the port; end when standard input ends."""
    loop = asyncio.get_running_loop()
    first = await loop.create_server(_Server, "127.0.0.1", 0, backlog=256)
    port = first.sockets[0].getsockname()[1]
    for last in range(2, max(HOSTS) + 1):
        await loop.create_server(_Server, f"127.0.0.{last}", port)
    print(port, flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


def _crawl(addon: bool, hosts: int, pages: int, port: int) -> None:
    import scrapy
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    cpu: list[float] = []

    def mark() -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        cpu.append(usage.ru_utime + usage.ru_stime)

    class Spider(scrapy.Spider):
        name = "overhead"
        extractor = LinkExtractor()
        links = 0

        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            crawler.signals.connect(mark, signals.spider_opened)
            crawler.signals.connect(mark, signals.spider_closed)
            return spider

        async def start(self) -> Any:
            for n in range(pages):
                yield scrapy.Request(f"http://127.0.0.{n % hosts + 1}:{port}/page/{n}")

        def parse(self, response: Any) -> None:
            self.links += len(self.extractor.extract_links(response))

    settings = {
        "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
        "LOG_LEVEL": "WARNING",
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "ROBOTSTXT_OBEY": True,
    }
    if addon:
        settings["ADDONS"] = {"scrapy_polite.Addon": 300}
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Spider)
    process.crawl(crawler)
    process.start()
    stats = crawler.stats.get_stats()
    expected = pages + hosts
    if stats["downloader/response_status_count/200"] != expected:
        raise SystemExit(f"expected {expected} answers, got {stats}")
    print(json.dumps({"cpu_us_per_page": (cpu[1] - cpu[0]) / pages * 1e6}))


def _run(addon: bool, hosts: int, pages: int, port: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, os.path.abspath(__file__), "--crawl", json.dumps([addon, hosts, pages, port])]
        # Hashes alike in all runs: their chance moves a crawl's cost by more than what is to be shown.
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        crawl = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True, timeout=300)
        output = crawl.stdout
    return float(json.loads(output.splitlines()[-1])["cpu_us_per_page"])


def _count_instructions(port: int) -> int:
    """Instructions of four crawls of each kind, and from their differences those of a page and of an origin."""
    few, many, origins = 100, 400, 100
    print("millions of instructions, of the whole process, by valgrind's callgrind")
    print(f"{'':>8} {'a page':>8} {'an origin':>10}")
    costs = {}
    for addon in (False, True):
        base = _instructions(addon, 1, few, port)
        pages = _instructions(addon, 1, many, port)
        costs[addon] = (
            (pages - base) / (many - few),
            (_instructions(addon, origins, many, port) - pages) / (origins - 1),
        )
        print(
            f"{'add-on' if addon else 'stock':>8} {costs[addon][0] / 1e6:>8.2f} {costs[addon][1] / 1e6:>10.2f}",
            flush=True,
        )
    more = [costs[True][i] - costs[False][i] for i in range(2)]
    share = (more[0] + more[1] / 10) / (costs[False][0] + costs[False][1] / 10)
    print(f"a page of an origin of ten pages costs {share:.1%} more")
    return 0


def _instructions(addon: bool, hosts: int, pages: int, port: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        crawl = [sys.executable, os.path.abspath(__file__), "--crawl", json.dumps([addon, hosts, pages, port])]
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *crawl]
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        try:
            run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True, timeout=600)
        except FileNotFoundError:
            raise SystemExit("valgrind is not installed: --instructions needs it") from None
    return int(run.stderr.decode().rpartition("Collected : ")[2].split()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=9, help="crawls of each kind")
    parser.add_argument("--instructions", action="store_true", help="count instructions with valgrind instead")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.runs < 2:
        parser.error(f"--runs is {options.runs}, expected at least 2: one pair has no spread")
    if options.serve:
        asyncio.run(_serve())
        return 0
    if options.crawl:
        _crawl(*json.loads(options.crawl))
        return 0

    failed = False
    server = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline())
        if options.instructions:
            return _count_instructions(port)
        print(f"CPU per page, µs; {options.pages:,} pages; medians of {options.runs} alternating runs of each")
        print(
            f"{'origins':>8} {'stock':>8} {'add-on':>8} {'ratio':>6}  add-on less stock: median of pairs (min .. max)"
        )
        for hosts in HOSTS:
            figures: dict[bool, list[float]] = {False: [], True: []}
            for turn in range(options.runs + 1):
                for addon in (False, True) if turn % 2 else (True, False):
                    figure = _run(addon, hosts, options.pages, port)
                    if turn:  # the first of each kind warms up
                        figures[addon].append(figure)
            stock, ours = (statistics.median(figures[addon]) for addon in (False, True))
            pairs = sorted(b - a for a, b in zip(figures[False], figures[True], strict=True))
            more, error = statistics.median(pairs), 1.25 * statistics.stdev(pairs) / len(pairs) ** 0.5
            above = more - 2 * error > LIMIT_US
            failed |= above
            verdict = "within" if more + 2 * error <= LIMIT_US else "NOT within" if above else "not to be told from"
            spread = f"{more:+.0f} ± {error:.0f} ({pairs[0]:+.0f} .. {pairs[-1]:+.0f})"
            print(
                f"{hosts:>8} {stock:>8.0f} {ours:>8.0f} {ours / stock:>6.3f}  {spread}: {verdict} {LIMIT_US:.0f}",
                flush=True,
            )
    finally:
        server.stdin.close()  # type: ignore[union-attr]
        server.wait(10)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
