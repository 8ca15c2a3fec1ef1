"""That every crawl ends, when and how its settings say: hosts that never answer, each alone and beside a live one.

Ten pages of a host that cannot be had, alone or with forty of a live host (Crawl-delay 0.1). POLITE_GIVE_UP is 3 s,
POLITE_MAX_IDLE 5 s, robots.txt is asked for once a second, DOWNLOAD_TIMEOUT is 2 s. A spider with errbacks, as a link
checker has them: each request must reach one callback or one errback, once, unless the crawl closed as `polite_waiting`
and kept it. Then one spider with all of these hosts together, and `scrapy shell`, `fetch`, `parse` and `check`
(contracts) on a page of each kind. Stock Scrapy's crawl runs at the same time, on hosts of its own.

    python benchmarks/endings.py [--row NAME ...] [--quick]

Exits with 1 if a crawl or command of the add-on does not end in its time, ends for another reason, loses a request or
asks a server more often than it may.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _crawls import KINDS, Crawl, Crawled, seconds, verdict
from _servers import HANGS, Host, Servers

PAGES = 10
LIVE_PAGES = 40
LIVE_DELAY_S = 0.1
GIVE_UP_S = 3.0
MAX_IDLE_S = 5.0
WAIT_MAX_S = 2.0
ROBOTS_TIMEOUT_S = 1.0
# For starting, the first attempts and the last refusals.
SLACK_S = 2.0
# For a process to begin and end, beside another.
PROCESS_S = 4.0
LIMIT_S = 30.0
DAY_S = 86_400.0
BUDGET = 4
CONCURRENCY = 8

SETTINGS: dict[str, Any] = {"DOWNLOAD_TIMEOUT": 2, "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY}
POLITE: dict[str, Any] = {
    "POLITE_GIVE_UP": GIVE_UP_S,
    "POLITE_MAX_IDLE": MAX_IDLE_S,
    "POLITE_WAIT_MAX": WAIT_MAX_S,
    "POLITE_ROBOTS_TIMEOUT": ROBOTS_TIMEOUT_S,
    "POLITE_ROBOTS_ATTEMPTS": 2,
    "ADDONS": {"scrapy_polite.Addon": 300, "_impatient.Impatient": 200},
}
LIVE = Host(f"User-agent: *\nCrawl-delay: {LIVE_DELAY_S}\n", latency_s=0.02)
LIVE_S = LIVE_PAGES * (LIVE_DELAY_S + 2 * LIVE.latency_s) + SLACK_S


@dataclass(frozen=True, slots=True)
class Ending:
    """A host of one kind and how the add-on's crawl of it must end.

    `site`: None where `address` is something that nobody serves ("refused", or a name). It must end between `least_s`
    and `most_s` (with a live host not before that is done), with `pages` pages, and at most `asked` requests other than
    for robots.txt. `polite` and `job` are settings more; with `runs` 2 the second resumes the job of the first.
    """

    site: Host | None = None
    address: str = ""
    path: str = "page"
    least_s: float = 0.0
    most_s: float = GIVE_UP_S + ROBOTS_TIMEOUT_S + SLACK_S
    pages: int = 0
    asked: int | None = 0
    reason: str = "finished"
    budget: str = ""
    job: bool = False
    runs: int = 1


IDLE_S = MAX_IDLE_S + SLACK_S
ANSWERS = Host(latency_s=0.02)
CLOSED = Host(latency_s=0.02, outage_s=DAY_S)
ENDINGS = {
    "dead DNS": Ending(address="dead.invalid", least_s=GIVE_UP_S),
    "refused connections": Ending(address="refused", least_s=GIVE_UP_S),
    "robots.txt hangs": Ending(Host(HANGS), least_s=GIVE_UP_S),
    "robots.txt 503": Ending(Host(503), least_s=GIVE_UP_S),
    "connections dropped": Ending(ANSWERS, path="drops", most_s=IDLE_S, asked=None),
    "always 500": Ending(ANSWERS, path="error", most_s=SLACK_S, asked=3 * PAGES),
    "Retry-After 24 h": Ending(CLOSED, most_s=IDLE_S, asked=CONCURRENCY),
    "Retry-After 24 h, JOBDIR": Ending(CLOSED, most_s=IDLE_S, asked=CONCURRENCY, reason="polite_waiting", job=True),
    "the same, resumed": Ending(CLOSED, most_s=IDLE_S, asked=CONCURRENCY, reason="polite_waiting", job=True, runs=2),
    "budget spent": Ending(ANSWERS, most_s=IDLE_S, pages=BUDGET, asked=BUDGET, budget="wait"),
    "budget spent, then refuse": Ending(ANSWERS, most_s=SLACK_S, pages=BUDGET, asked=BUDGET, budget="refuse"),
    "budget spent, JOBDIR": Ending(
        ANSWERS, most_s=IDLE_S, pages=BUDGET, asked=BUDGET, budget="wait", reason="polite_waiting", job=True
    ),
}
#: The kinds of hosts that the commands are tried on.
COMMANDS_ON = ("dead DNS", "refused connections", "robots.txt hangs", "Retry-After 24 h")
QUICK = ("refused connections", "Retry-After 24 h")


@contextmanager
def refusing() -> Iterator[str]:
    """A host and port where nobody listens, and nobody else will."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{bound.getsockname()[1]}"


def settings_of(addon: bool, endings: Mapping[str, Ending]) -> dict[str, Any]:
    if not addon:
        return SETTINGS
    budgets = {
        host: {"budget": {"pages": BUDGET, "per": "day", "then": ending.budget}}
        for host, ending in endings.items()
        if ending.budget
    }
    return SETTINGS | POLITE | ({"POLITE_SITES": budgets} if budgets else {})


def run(addon: bool, endings: list[Ending], beside: bool) -> tuple[Crawled, list[Crawled], dict[str, int], list[str]]:
    """Crawl the hosts of these endings together. Return the last crawl, all, requests by host, and the URLs."""
    by_host = {f"127.0.1.{number}": ending for number, ending in enumerate(endings, 1)}
    sites = {"127.0.0.2": LIVE} | {host: ending.site for host, ending in by_host.items() if ending.site}
    with refusing() as refused, Servers(sites) as servers, tempfile.TemporaryDirectory() as folder:
        urls = []
        for host, ending in by_host.items():
            where = {"": f"{host}:{servers.port}", "refused": refused}.get(ending.address, ending.address)
            urls += [f"http://{where}/{ending.path}/{n}" for n in range(PAGES)]
        if beside:
            urls += [servers.url("127.0.0.2", f"page/{n}") for n in range(LIVE_PAGES)]
        settings = settings_of(addon, by_host) | ({"JOBDIR": "job"} if endings[0].job else {})
        crawls = [
            Crawl(addon, urls, settings).start(Path(folder)).wait(LIMIT_S)
            for _ in range(max(ending.runs for ending in endings))
        ]
        hits = [hit for hit in servers.hits() if hit.path != "/robots.txt"]
    asked = {host: sum(hit.host == host for hit in hits) for host in by_host}
    return crawls[-1], crawls, asked, urls


def judge(name: str, ending: Ending, beside: bool, addon: bool) -> tuple[str, list[str]]:
    """Return a line for the table and what is wrong, as sentences."""
    crawled, crawls, asked, urls = run(addon, [ending], beside)
    outcomes = [url for crawl in crawls for url in crawl.outcomes().elements()]
    live = sum("127.0.0.2" in event["asked"] for crawl in crawls for event in crawl.pages)
    pages = sum(len(crawl.pages) for crawl in crawls) - live
    errors = Counter(event["error"] for crawl in crawls for event in crawl.failed)
    errbacks = errors.total()
    requests = sum(asked.values())
    line = (
        f"{crawled.reason:<16}{seconds(crawled.seconds, LIMIT_S):>7}{pages:>7}{errbacks:>9}"
        f"{len(set(urls)) - len(set(outcomes)):>7}{requests:>10}{f'{live}' if beside else '-':>6}"
    )
    # A job's second run finds the live host done.
    most_s = max(ending.most_s, LIVE_S if beside and ending.runs == 1 else 0.0)
    kept = PAGES - pages if ending.reason == "polite_waiting" else 0
    wrong = {
        f"ends as {crawled.reason}, not as {ending.reason}": crawled.reason != ending.reason,
        f"takes {seconds(crawled.seconds, LIMIT_S)} s, not {ending.least_s:g} to {most_s:g}": (
            crawled.seconds is None or not ending.least_s <= crawled.seconds <= most_s
        ),
        f"{pages} pages, not {ending.pages}": pages != ending.pages,
        f"{errbacks} errbacks, not {PAGES - pages - kept}: {dict(errors)}": errbacks != PAGES - pages - kept,
        "a request ended twice": len(outcomes) != len(set(outcomes)),
        f"the server got {requests} requests, more than {ending.asked}": (
            ending.asked is not None and requests > ending.asked
        ),
        f"{live} pages of the live host": live != LIVE_PAGES * beside,
    }
    return line, [sentence for sentence, holds in wrong.items() if holds]


def judge_together(addon: bool) -> tuple[str, list[str]]:
    """One spider over all that can be had without a job directory."""
    endings = [ending for ending in ENDINGS.values() if not ending.job and ending.budget != "refuse"]
    crawled, _, asked, urls = run(addon, endings, beside=True)
    outcomes = crawled.outcomes()
    line = (
        f"{crawled.reason:<16}{seconds(crawled.seconds, LIMIT_S):>7}{len(crawled.pages):>7}{len(crawled.failed):>9}"
        f"{len(set(urls) - set(outcomes)):>7}{sum(asked.values()):>10}"
        f"{sum('127.0.0.2' in event['asked'] for event in crawled.pages):>6}"
    )
    most_s = max(LIVE_S, *(ending.most_s for ending in endings)) + SLACK_S
    wrong = {
        f"ends as {crawled.reason}": crawled.reason != "finished",
        f"takes {seconds(crawled.seconds, LIMIT_S)} s, not {most_s:g} at most": (crawled.seconds or LIMIT_S) > most_s,
        "not every request ended, once": set(outcomes) != set(urls) or set(outcomes.values()) != {1},
    }
    return line, [sentence for sentence, holds in wrong.items() if holds]


SPIDER = '''
import scrapy

class OneSpider(scrapy.Spider):
    name = "one"

    def parse(self, response):
        """
        @url {url}
        @returns items 1
        """
        yield {{"url": response.url}}
'''


def commands(url: str) -> dict[str, list[str]]:
    return {
        "shell": ["shell", url, "-c", "print('STATUS', response and response.status)"],
        "fetch": ["fetch", url],
        "parse": ["parse", "--spider=one", "-c", "parse", url],
        "check": ["check", "one"],
    }


def command(addon: bool, url: str, arguments: list[str]) -> tuple[float | None, str]:
    """Run a command in a project of its own. Return its seconds, None if it had to be killed, and what it printed."""
    settings = SETTINGS | {"BOT_NAME": "ending", "SPIDER_MODULES": ["spiders"], "ROBOTSTXT_OBEY": True}
    settings |= {"LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "DNS_TIMEOUT": 2}
    if addon:
        settings |= POLITE
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "spiders").mkdir()
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = ending_settings\n")
        (folder / "ending_settings.py").write_text("\n".join(f"{key} = {value!r}" for key, value in settings.items()))
        (folder / "spiders" / "__init__.py").write_text(SPIDER.format(url=url))
        began = time.monotonic()
        try:
            done = subprocess.run(
                [sys.executable, "-m", "scrapy", *arguments],
                check=False,
                cwd=folder,
                env=os.environ | {"COLUMNS": "200", "PYTHONPATH": str(Path(__file__).parent)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            return None, ""
        return time.monotonic() - began, done.stdout


#: What each command prints when it got the page.
GOT_IT = {"shell": "STATUS 200", "fetch": "<p>the page /", "parse": "'url':", "check": "OK"}


def run_commands(addon: bool, ending: Ending) -> dict[str, tuple[float | None, str]]:
    host = "127.0.0.2"
    with refusing() as refused, Servers({host: ending.site or LIVE}) as servers:
        where = {"": f"{host}:{servers.port}", "refused": refused}.get(ending.address, ending.address)
        url = f"http://{where}/{ending.path}/1"
        return {what: command(addon, url, arguments) for what, arguments in commands(url).items()}


def judge_commands(names: Sequence[str], pool: ThreadPoolExecutor) -> bool:
    endings = {"live": Ending(LIVE, most_s=0.0)} | {name: ENDINGS[name] for name in names}
    print(f"\n{'seconds, whole process':<28}{'':<8}" + "".join(f"{name:>8}" for name in GOT_IT))
    good = True
    for name, ending in endings.items():
        jobs = {kind: pool.submit(run_commands, addon, ending) for kind, addon in KINDS.items()}
        rows = {kind: job.result() for kind, job in jobs.items()}
        for kind, results in rows.items():
            times = "".join(f"{seconds(taken, LIMIT_S):>8}" for taken, _ in results.values())
            print(f"{name:<28}{kind:<8}{times}", flush=True)
        for what, (taken, printed) in rows["add-on"].items():
            most_s = ending.most_s + PROCESS_S
            if taken is None or taken > most_s:
                good &= verdict(False, f"{name}, {what}: {seconds(taken, LIMIT_S)} s, not {most_s:g} at most")
            if name == "live" and GOT_IT[what] not in printed:
                good &= verdict(False, f"{name}, {what}: did not get the page: {printed[-500:]!r}")
    return verdict(good, "add-on: every command ends in time, and gets a page that can be had")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", choices=[*ENDINGS, "all together", "commands"], action="append", help="only these")
    parser.add_argument("--quick", action="store_true", help="two kinds of hosts, no commands: to try it")
    options = parser.parse_args()
    names = options.row or (QUICK if options.quick else [*ENDINGS, "all together", "commands"])

    good = True
    if names != ["commands"]:
        columns = f"{'ends as':<16}{'s':>7}{'pages':>7}{'errbacks':>9}{'lost':>7}{'requests':>10}{'live':>6}"
        print(f"{'':<44}{columns}")
    with ThreadPoolExecutor(len(KINDS)) as pool:
        for name in names:
            if name == "commands":
                continue
            for beside in (True,) if name == "all together" else (False, True):
                how = "beside" if beside else "alone"
                judged = {
                    kind: pool.submit(judge_together, addon)
                    if name == "all together"
                    else pool.submit(judge, name, ENDINGS[name], beside, addon)
                    for kind, addon in KINDS.items()
                }
                for kind, job in judged.items():
                    print(f"{name:<28}{how:<8}{kind:<8}{job.result()[0]}", flush=True)
                for sentence in judged["add-on"].result()[1]:
                    good &= verdict(False, f"{name}, {how}: {sentence}")
        if names != ["commands"]:
            good = verdict(good, "add-on: every crawl ends in its time, for its reason, and loses nothing")
        if "commands" in names:
            good &= judge_commands(COMMANDS_ON, pool)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
