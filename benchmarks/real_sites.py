"""Whether real sites are crawled whole: folders of HTML on the web of this machine, by stock Scrapy and the add-on.

    python benchmarks/real_sites.py FOLDER ... [--pairs 3] [--traps-off] [--no-cpu] [--most PAGES] [--at-once 8]
    python benchmarks/real_sites.py FOLDER ... --simulated ORDERS

Any folder is a site (`_real_server`), such as the documentation that a package of Debian brings. A spider begins at its
index, or at the list of what is in it, and follows every link in it that LinkExtractor finds by default; nothing else
is set that decides what is fetched. What counts is the server's log: a page is lost if stock Scrapy got it and the
add-on did not, in any pair. Two URLs that Scrapy takes for the same are one page; one that was not answered with 200 is
none. `--at-once` are the requests under way, on which depends what is found first (8: Scrapy's default for a host).

Figures are CPU time (user + system, all threads) of the crawling process from spider_opened to spider_closed, per
answer, in µs: the medians, and the median of the pairs' ratios. As in crawl_overhead.py, the crawls of a pair run at
once and share one core, the server has another. `--no-cpu` is one pair, on any core. `--traps-off` adds a crawl without
traps and duplicates to each pair. `--most` ends all crawls after so many pages, so that nothing can be said of those
which were not reached: they are counted, but not judged.

`--simulated` runs the rules of traps alone on the folders, without Scrapy and server: pages come in so many orders, and
in none may a link be left. Figures are µs of CPU for each request.

Exits with 1 if a page is lost, a crawl does not end by itself, or a ratio is above its limit. `--verbose` shows the
stats of each crawl.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _real_simulated
from _real_server import Asked, Server, is_html
from w3lib.url import canonicalize_url

STOCK = "stock"
ADDON = "add-on"
TRAPS_OFF = "traps off"
#: Of stock's CPU.
LIMITS = {ADDON: 1.10, TRAPS_OFF: 1.00}
SHOWN = 10
TIMED_OUT = "closespider_timeout"
#: Closing takes its time too: what is queued by then is dropped.
CLOSING_S = 120.0

SETTINGS: dict[str, Any] = {
    "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "ROBOTSTXT_OBEY": True,
}
POLITE: dict[str, Any] = {"ADDONS": {"scrapy_polite.Addon": 300}, "POLITE_STORE": "memory"}
KINDS: dict[str, dict[str, Any]] = {
    STOCK: {},
    ADDON: POLITE,
    TRAPS_OFF: POLITE | {"POLITE_TRAPS": "off", "POLITE_DUPLICATES": "off"},
}

Pages = Mapping[str, Asked]
"""By path and query, as Scrapy compares them."""


class CrawlError(Exception):
    """A crawl that could not begin, or had to be killed."""


@dataclass(frozen=True, slots=True)
class Crawled:
    """One crawl: its pages, what else was asked for, and what it says of itself."""

    pages: Pages
    others: int
    finish: str
    cpu_s: float
    stats: Mapping[str, Any]
    log: str

    @property
    def cpu_us(self) -> float:
        return self.cpu_s / max(len(self.pages) + self.others, 1) * 1e6

    @property
    def errors(self) -> int:
        return int(self.stats.get("log_count/ERROR", 0))


Pair = Mapping[str, Crawled]
"""By kind; of all kinds that there are."""


@dataclass(frozen=True, slots=True)
class Options:
    kinds: Sequence[str]
    pairs: int
    cpu: bool
    most: int
    at_once: int
    timeout_s: float
    limits: Mapping[str, float]
    verbose: bool


def _pair(folder: Path, options: Options) -> Pair:
    """Crawls of all kinds, at once."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    apart = options.cpu and len(cores) > 1
    settings = SETTINGS | {
        "CONCURRENT_REQUESTS": options.at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": options.at_once,
        "CLOSESPIDER_TIMEOUT": options.timeout_s,
        "CLOSESPIDER_PAGECOUNT": options.most,
    }
    # Hashes alike in all runs: their chance moves a crawl's cost by more than what is to be shown.
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    said: dict[str, dict[str, Any]] = {}
    with ExitStack() as stack:
        server = stack.enter_context(Server(folder, len(options.kinds), cores[0] if apart else None))
        crawls: list[tuple[str, subprocess.Popen[str], Path]] = []
        for kind, root in zip(options.kinds, server.roots, strict=True):
            here = stack.enter_context(tempfile.TemporaryDirectory())
            log = Path(here, "stderr")
            job = json.dumps([root, settings | KINDS[kind], cores[1] if apart else None])
            command = [sys.executable, os.path.abspath(__file__), "--crawl", job]
            with log.open("wb") as stderr:
                process = subprocess.Popen(
                    command, cwd=here, env=environment, stdout=subprocess.PIPE, stderr=stderr, text=True
                )
            stack.callback(process.wait)
            stack.callback(process.kill)
            crawls.append((kind, process, log))
        for kind, process, log in crawls:
            try:
                output, _ = process.communicate(timeout=options.timeout_s + CLOSING_S)
            except subprocess.TimeoutExpired:
                raise CrawlError(f"{kind} did not end within {options.timeout_s + CLOSING_S:,.0f} s") from None
            text = log.read_text(errors="replace")
            if process.returncode or not output:
                raise CrawlError(f"{kind} ended with exit status {process.returncode}\n{text[-2_000:]}")
            said[kind] = json.loads(output.splitlines()[-1]) | {"log": text}
        logs = dict(zip(options.kinds, server.asked(), strict=True))
    return {kind: _crawled(logs[kind], said[kind]) for kind in options.kinds}


def _crawled(log: Mapping[str, Asked], said: Mapping[str, Any]) -> Crawled:
    asked = {_compared(target): answer for target, answer in log.items()}
    pages = {target: answer for target, answer in asked.items() if answer.status == 200}
    return Crawled(pages, len(asked) - len(pages), **said)


def _compared(target: str) -> str:
    return canonicalize_url(f"http://site{target}").removeprefix("http://site")


def _crawl(root: str, settings: dict[str, Any], core: int | None) -> None:
    """Crawl, and say in a line of JSON what came of it."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    import scrapy
    from scrapy import signals
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.http import HtmlResponse
    from scrapy.linkextractors import LinkExtractor

    cpu: list[float] = []

    def mark() -> None:
        usage = resource.getrusage(resource.RUSAGE_SELF)
        cpu.append(usage.ru_utime + usage.ru_stime)

    class Spider(scrapy.Spider):
        name = "real"
        extractor = LinkExtractor()

        @classmethod
        def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
            spider = super().from_crawler(crawler, *args, **kwargs)
            crawler.signals.connect(mark, signals.spider_opened)
            crawler.signals.connect(mark, signals.spider_closed)
            return spider

        async def start(self) -> Any:
            yield scrapy.Request(root)

        def parse(self, response: Any) -> Any:
            if isinstance(response, HtmlResponse):
                for link in self.extractor.extract_links(response):
                    # Manuals have examples with this host and other ports.
                    if link.url.startswith(root):
                        yield scrapy.Request(link.url)

    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Spider)
    process.crawl(crawler)
    process.start()
    stats = crawler.stats.get_stats() if crawler.stats else {}
    if len(cpu) != 2:
        raise SystemExit("the crawl could not begin")
    shown = {key: value for key, value in stats.items() if key.startswith(("polite/", "log_count/", "spider_exc"))}
    finish = stats.get("finish_reason", "?")
    print(json.dumps({"finish": finish, "cpu_s": cpu[1] - cpu[0], "stats": shown}, default=str))


def _compare(folder: Path, files: int, options: Options) -> bool:
    """Print what each kind of crawl came to beside stock's; True if it is not as it should be."""
    try:
        pairs = [_pair(folder, options) for _ in range(options.pairs)]
    except CrawlError as error:
        print(f"{_name(folder):<24} FAILED: {error}", flush=True)
        return True
    failed = False
    for kind in options.kinds[1:]:
        # The worst of them, and their number in all: each pair has to be right.
        worst = max(pairs, key=lambda pair: len(_lost(pair, kind)))
        stock, ours, lost = worst[STOCK], worst[kind], _lost(worst, kind)
        extra = ours.pages.keys() - stock.pages.keys()
        ends = " / ".join(dict.fromkeys(_ends(pairs, kind)))
        wrong = [] if options.most else list(_wrong(pairs, kind))
        cpu = f"{'-':>6} {'-':>6} {'-':>6}"
        if options.cpu:
            base, more = (statistics.median(pair[which].cpu_us for pair in pairs) for which in (STOCK, kind))
            ratio = statistics.median(pair[kind].cpu_us / pair[STOCK].cpu_us for pair in pairs)
            cpu = f"{base:>6.0f} {more:>6.0f} {ratio:>6.3f}"
            if ratio > options.limits[kind]:
                wrong.append(f"the ratio is above {options.limits[kind]:.2f}")
        print(
            f"{_name(folder):<24} {kind:>9} {files:>7,} {len(stock.pages):>7,} {len(ours.pages):>7,} {len(lost):>6,} "
            f"{len(extra):>6,} {stock.others:>6,} {ours.others:>6,} {cpu}  {ends}"
            f"{' (cut: lost is not judged)' if options.most else ''}",
            flush=True,
        )
        for text in wrong:
            print(f"    FAIL {text}")
        if lost and not options.most and ours.finish != TIMED_OUT:
            _explain(lost, worst, kind)
        _show(worst, kind, options.verbose)
        failed |= bool(wrong)
    return failed


def _lost(pair: Pair, kind: str) -> list[str]:
    return sorted(pair[STOCK].pages.keys() - pair[kind].pages.keys())


def _ends(pairs: Sequence[Pair], kind: str) -> Iterator[str]:
    for pair in pairs:
        yield from (pair[STOCK].finish, pair[kind].finish)


def _wrong(pairs: Sequence[Pair], kind: str) -> Iterator[str]:
    for which in (STOCK, kind):
        if not_by_itself := {pair[which].finish for pair in pairs} - {"finished"}:
            yield f"{which} did not end by itself: {', '.join(sorted(not_by_itself))}"
    if lost := [len(_lost(pair, kind)) for pair in pairs if pair[kind].finish != TIMED_OUT and _lost(pair, kind)]:
        yield f"{max(lost):,} pages lost, in {len(lost)} of {len(pairs)} pairs"


def _explain(lost: Sequence[str], pair: Pair, kind: str) -> None:
    """Print lost pages, where their files were fetched from instead, and what the crawl says of itself."""
    elsewhere = {answer.file: target for target, answer in pair[kind].pages.items() if answer.file}
    for target in lost[:SHOWN]:
        other = elsewhere.get(pair[STOCK].pages[target].file)
        print(f"    lost {target}{f' (the same file is at {other})' if other else ''}")
    if len(lost) > SHOWN:
        same = sum(pair[STOCK].pages[target].file in elsewhere for target in lost)
        print(f"    ... and {len(lost) - SHOWN:,} more; of all, {same:,} are files that were fetched elsewhere")
    _print_stats(pair[kind])


def _show(pair: Pair, kind: str, verbose: bool) -> None:
    if verbose:
        _print_stats(pair[kind])
    for which in (STOCK, kind):
        if pair[which].errors:
            print(f"    {which} logged {pair[which].errors} errors, the last of them:")
            print("        " + pair[which].log[-1_500:].strip().replace("\n", "\n        "), flush=True)


def _print_stats(crawled: Crawled) -> None:
    for key, value in sorted(crawled.stats.items()):
        if key.startswith("polite/"):
            print(f"    {key}: {value}")
    sys.stdout.flush()


def _name(folder: Path) -> str:
    """The folder, and the one above where it says little by itself."""
    resolved = folder.resolve()
    name = (
        f"{resolved.parent.name}/{resolved.name}"
        if resolved.name in ("api", "doc", "html", "htmldocs", "help", "manual")
        else resolved.name
    )
    return name if len(name) <= 24 else f"{name[:21]}..."


def _html_files(folder: Path) -> int:
    return sum(is_html(name) for _, _, names in os.walk(folder) for name in names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--pairs", type=int, default=3, help="pairs of crawls of each folder")
    parser.add_argument("--most", type=int, default=0, metavar="PAGES", help="end all crawls after so many")
    parser.add_argument("--at-once", type=int, default=8, metavar="REQUESTS", help="under way at a time")
    parser.add_argument("--traps-off", action="store_true", help="a crawl without traps and duplicates, too")
    parser.add_argument("--no-cpu", action="store_true", help="one pair, and no CPU")
    parser.add_argument("--limit", type=float, default=LIMITS[ADDON], help="of stock's CPU")
    parser.add_argument("--limit-off", type=float, default=LIMITS[TRAPS_OFF], help="the same with traps off")
    parser.add_argument("--timeout", type=float, default=3_600.0, metavar="SECONDS", help="of one crawl")
    parser.add_argument("--simulated", type=int, default=0, metavar="ORDERS", help="the rules of traps alone")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--crawl", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.crawl:
        _crawl(*json.loads(arguments.crawl))
        return 0
    if not arguments.folders:
        parser.error("which FOLDER?")
    if arguments.pairs < 1 or arguments.at_once < 1 or arguments.most < 0 or arguments.timeout <= 0:
        parser.error("--pairs, --at-once and --timeout have to be above 0, and --most not below")
    files: dict[Path, int] = {}
    for folder in arguments.folders:
        if not folder.is_dir():
            parser.error(f"{folder} is no folder")
        files[folder] = _html_files(folder)
        if not files[folder]:
            parser.error(f"there is no HTML in {folder}")
    if arguments.simulated:
        left = [_real_simulated.main(folder, _name(folder), arguments.simulated) for folder in files]
        return int(any(left))
    options = Options(
        kinds=(STOCK, ADDON, TRAPS_OFF) if arguments.traps_off else (STOCK, ADDON),
        pairs=1 if arguments.no_cpu else arguments.pairs,
        cpu=not arguments.no_cpu,
        most=arguments.most,
        at_once=arguments.at_once,
        timeout_s=arguments.timeout,
        limits={ADDON: arguments.limit, TRAPS_OFF: arguments.limit_off},
        verbose=arguments.verbose,
    )
    print(f"pages and other answers by the server's log; CPU per answer in µs, medians of {options.pairs} pairs")
    print(
        f"{'':<34} {'':>7} {'':>7} {'':>7} {'':>6} {'':>6} {'not 200':>13} {'CPU':>13}\n"
        f"{'folder':<34} {'files':>7} {'stock':>7} {'ours':>7} {'lost':>6} {'extra':>6} {'stock':>6} {'ours':>6} "
        f"{'stock':>6} {'ours':>6} {'ratio':>6}  ended",
        flush=True,
    )
    # What was started ends with it, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    failed = False
    for folder, number in files.items():
        failed |= _compare(folder, number, options)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
