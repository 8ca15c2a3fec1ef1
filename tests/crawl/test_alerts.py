"""Alerts of whole crawls: what a webhook, a command and the signal get, and that a webhook that fails harms nothing."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import arguments
from crawlers import crawler
from crawls import Crawled, crawl
from scrapy_polite._crawl import shared
from scrapy_polite.alert import BAD_ENDINGS, KINDS
from scrapy_polite.events import Events, Fault, GroupEnded, LimitUnmet
from scrapy_polite.monitor.alerts import Alerts
from scrapy_polite.monitor.measures import Measures
from scrapy_polite.runs.run import find_run
from scrapy_polite.signals import polite_alert
from scrapy_polite.store.quarantines import Quarantine
from webserver import Answer, Asked, Origin, robots

CLOSED = robots("User-agent: *\nDisallow: /")
NOTED = {"EXTENSIONS": {"project_parts.NotesAlerts": 0}}
QUICK = {arguments.ALERT_LOOK: 0.05, arguments.ALERT_PAUSES: [0.05, 0.05]}


def alerts(crawled: Crawled) -> list[list[str]]:
    """Kind, host and text of each, as the signal had it."""
    return list(crawled.stats["own/alerts"])


def posted(hook: Origin) -> list[dict[str, Any]]:
    return [json.loads(asked.body) for asked in hook.asked]


@pytest.mark.engine
def test_webhook_command_and_signal_have_the_alert_and_no_secret_is_in_it(loop_mode: str, tmp_path: Path) -> None:
    """All start requests are refused, as a crawl's first misfortune is; the URL of one has a password and a token."""
    got = tmp_path / "got"
    command = [sys.executable, "-c", "import sys; open(sys.argv[1], 'a').write(sys.stdin.read())", str(got)]
    with Origin({"/robots.txt": CLOSED}) as site, Origin({}, "127.0.0.2") as hook:
        address = hook.url.removeprefix("http://")
        url = site.url.replace("//", "//user:passw0rd@") + "/a?token=abcdef&page=2"
        settings = NOTED | {
            "POLITE_ALERT_WEBHOOK": f"http://me:my%40word@{address}/hooks/s3cret?key=k3y",
            "POLITE_ALERT_COMMAND": command,
            arguments.ALERT_CLOSE: 30.0,
        }
        crawled = crawl(loop_mode, [url, f"{site.url}/b"], settings, folder=tmp_path)
    (alert,) = posted(hook)
    (worker,) = find_run(tmp_path / ".scrapy" / "polite" / "runs", None).workers
    ((at, kind, text),) = worker.snapshot["metrics"]["last_alerts"]
    assert (kind, text, abs(time.time() - at) < 60) == (alert["kind"], alert["what"], True)
    assert json.loads(got.read_text()) == alert
    assert got.read_text().endswith("}\n")
    assert alert.keys() == {"text", "kind", "host", "what", "todo", "at", "spider", "job", "run", "machine"}
    assert (alert["kind"], alert["host"], alert["spider"]) == ("starts-refused", None, "list")
    assert alert["what"].startswith("all 2 start requests refused, for robots/disallow, such as http://***@127.0.0.1:")
    assert "token=***&page=2 (robots/disallow: line 2: Disallow: /)" in alert["what"]
    assert alert["text"] == f"list: {alert['what']}. {KINDS['starts-refused'].todo}"
    assert Path(alert["run"]).is_dir()
    assert alerts(crawled) == [["starts-refused", "", alert["what"]]]
    assert crawled.stats["polite/alerts"] == crawled.stats["polite/alerts/starts-refused"] == 1
    (asked,) = hook.asked
    assert asked.path == "/hooks/s3cret?key=k3y"
    assert asked.headers["content-type"] == "application/json"
    assert asked.headers["authorization"] == "Basic bWU6bXlAd29yZA=="
    everything = (
        crawled.log
        + json.dumps(alert)
        + "".join(path.read_text("latin-1") for path in (tmp_path / ".scrapy").rglob("*.json"))
    )
    assert not [word for word in ("s3cret", "k3y", "my%40word", "my@word", str(got)) if word in everything]
    assert "passw0rd" not in json.dumps(alert)
    # No page, and no robots.txt, was asked of the webhook's server, and it counts as none.
    assert crawled.stats["downloader/request_count"] == 1
    assert "polite/alerts_undelivered" not in crawled.stats


@pytest.mark.engine
def test_a_host_whose_robots_txt_fails_again_and_again_is_one_alert_and_its_end_another(
    loop_mode: str, tmp_path: Path
) -> None:
    down = {"/robots.txt": Answer(503)}
    settings = NOTED | {arguments.ROBOTS_BACKOFF_MIN: 0.2, "POLITE_GIVE_UP": 2}
    with Origin(down) as one, Origin(down, "127.0.0.2") as other, Origin({}, "127.0.0.3") as hook:
        urls = [f"{site.url}/{number}" for site in (one, other) for number in range(3)]
        crawled = crawl(loop_mode, urls, settings | {"POLITE_ALERT_WEBHOOK": hook.url}, folder=tmp_path)
        assert one.robots_fetches() > 3
    counts = Counter((kind, host) for kind, host, _ in alerts(crawled))
    expected = [(kind, site.url) for kind in ("robots-unreachable", "host-abandoned") for site in (one, other)]
    assert counts == Counter(expected) + Counter([("starts-refused", "")])
    assert Counter((alert["kind"], alert["host"] or "") for alert in posted(hook)) == counts
    texts = [text for _, _, text in alerts(crawled)]
    assert f"robots.txt of {one.url}: unreachable (HTTP 503): nothing is fetched" in texts


def _drip() -> Iterator[bytes]:
    while True:
        time.sleep(0.05)
        yield b"X-Drip: x\r\n"


@contextmanager
def _refusing() -> Iterator[Origin]:
    with Origin({}, "127.0.0.2") as hook:
        pass  # from now on nobody listens there
    yield hook


WEBHOOKS: Mapping[str, tuple[Any, str]] = {
    "refuses": (_refusing, "no answer: ConnectionRefusedError("),
    "hangs": (lambda: Origin({"/hook?key=k3y": Answer(delay_s=60)}, "127.0.0.2"), "no answer: "),
    "drips": (
        lambda: Origin({"/hook?key=k3y": lambda _: Answer(500, more_headers=_drip())}, "127.0.0.2"),
        "",  # HTTP 500, or nothing where the machine is slow: the time runs out among its headers
    ),
    "drops": (lambda: Origin({"/hook?key=k3y": Answer(drop=True)}, "127.0.0.2"), "no answer: RemoteDisconnected("),
    "fails": (lambda: Origin({"/hook?key=k3y": Answer(500)}, "127.0.0.2"), "HTTP 500"),
    "forbids": (lambda: Origin({"/hook?key=k3y": Answer(403)}, "127.0.0.2"), "HTTP 403"),
    "redirects": (
        lambda: Origin({"/hook?key=k3y": Answer(302, headers={"Location": "/elsewhere"})}, "127.0.0.2"),
        "HTTP 302, a redirect: name the last URL",
    ),
}


@pytest.mark.parametrize("kind", WEBHOOKS)
def test_a_webhook_that_does_not_take_it_costs_one_line_and_no_page(loop_mode: str, tmp_path: Path, kind: str) -> None:
    """Of the first alert it is tried three times, of what follows once, where another try may help."""
    make, why = WEBHOOKS[kind]
    with Origin({}) as site, Origin({"/robots.txt": Answer(503)}, "127.0.0.3") as down, make() as hook:
        urls = [f"{site.url}/{number}" for number in range(3)]
        settings = NOTED | QUICK | {"POLITE_GIVE_UP": 2, "POLITE_ALERT_WEBHOOK": f"{hook.url}/hook?key=k3y"}
        settings |= {arguments.ALERT_CLOSE: 30.0, arguments.ALERT_POST: 0.3 if kind in ("hangs", "drips") else 30.0}
        crawled = crawl(loop_mode, [*urls, f"{down.url}/"], settings, folder=tmp_path)
    assert sorted(crawled.urls) == urls
    assert [kind for kind, *_ in alerts(crawled)] == ["robots-unreachable", "host-abandoned"]
    (line,) = crawled.logged("WARNING", "An alert was not delivered to the webhook at 127.0.0.2 (POLITE_ALERT_WEBHOOK)")
    assert why in line
    assert "k3y" not in crawled.log
    assert crawled.stats["polite/alerts_undelivered"] == 2
    assert crawled.stats["finish_reason"] == "finished"
    assert not crawled.logged("ERROR", "")
    assert set(hook.paths()) <= {"/hook?key=k3y"}, "and not where a redirect leads"
    assert len(hook.asked) == {"forbids": 2, "redirects": 2, "refuses": 0}.get(kind, 4)


@pytest.mark.engine
def test_a_webhook_and_a_command_that_hang_keep_no_crawl_from_its_end(loop_mode: str, tmp_path: Path) -> None:
    """The alert comes as the crawl ends. What the command has started ends with it."""
    pids = tmp_path / "pids"
    program = f"""
import os, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
time.sleep(600)
"""
    with Origin({"/robots.txt": CLOSED}) as site, Origin({"/": Answer(delay_s=600)}, "127.0.0.2") as hook:
        settings = {"POLITE_ALERT_WEBHOOK": hook.url, "POLITE_ALERT_COMMAND": [sys.executable, "-c", program]}
        crawled = crawl(loop_mode, [site.url], settings | {arguments.ALERT_CLOSE: 4.0}, folder=tmp_path)
        assert len(hook.asked) == 1
    assert crawled.stats["polite/alerts_undelivered"] == 2
    assert len(crawled.logged("WARNING", "it takes too long, and the crawl has ended")) == 2
    assert not [pid for pid in pids.read_text().split() if _is_alive(int(pid))]


def _is_alive(pid: int) -> bool:
    """Whether a process runs; a zombie, whose parent has ended, does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["/no/such/program"], "POLITE_ALERT_COMMAND: there is no program /no/such/program that can be run"),
        ([sys.executable, "-c", "raise SystemExit(3)"], "(POLITE_ALERT_COMMAND): exit status 3."),
        (
            [sys.executable, "-c", "import time; time.sleep(600)"],
            "(POLITE_ALERT_COMMAND): ended after 0.2 s: it takes too long.",
        ),
    ],
    ids=["missing", "fails", "hangs"],
)
def test_a_command_that_does_not_work_is_a_warning(
    loop_mode: str, tmp_path: Path, command: list[str], said: str
) -> None:
    with Origin({"/robots.txt": CLOSED}) as site:
        settings = {"POLITE_ALERT_COMMAND": command, arguments.ALERT_CLOSE: 30.0}
        settings |= {arguments.ALERT_COMMAND: 0.2 if "0.2 s" in said else 30.0}
        crawled = crawl(loop_mode, [site.url], settings, folder=tmp_path)
    assert crawled.logged("WARNING", said)
    assert crawled.stats["polite/alerts_undelivered"] == 1
    assert not crawled.logged("ERROR", "")


def test_a_crawl_that_gets_404_for_more_than_half_of_its_pages_says_so_once(loop_mode: str, tmp_path: Path) -> None:
    def answer(asked: Asked) -> Answer:
        return Answer(404) if int(asked.path[2:]) % 3 else Answer()

    pages = {f"/p{number}": answer for number in range(240)}
    with Origin(pages) as site:
        crawled = crawl(loop_mode, [f"{site.url}{path}" for path in pages], NOTED | QUICK, folder=tmp_path)
    ((kind, host, text),) = alerts(crawled)
    assert (kind, host) == ("not-found", "")
    assert text in {
        f"{count} of the last 100 answers were 404 or 410" for count in range(62, 72)
    }  # some come out of turn
    (line,) = crawled.logged("WARNING", text)
    assert KINDS["not-found"].todo in line


def test_no_page_for_long_says_what_is_waited_for(loop_mode: str, tmp_path: Path) -> None:
    with Origin({"/robots.txt": robots("User-agent: *\nCrawl-delay: 3\n")}) as site:
        settings = NOTED | QUICK | {arguments.ALERT_NO_PAGE: 2.0, "POLITE_JITTER": 0}
        crawled = crawl(loop_mode, [f"{site.url}/a"], settings, folder=tmp_path)
    ((kind, host, text),) = alerts(crawled)
    assert (kind, host) == ("no-page", "")
    assert text.startswith(
        "no page for 2 s, with 1 request queued, 0 under way; hosts: 1 in turn; next in turn: 127.0.0.1"
    )
    assert "(pace/crawl-delay" in text
    assert len(crawled.urls) == 1


@pytest.mark.engine
def test_a_full_disk_and_a_store_that_cannot_be_used_are_told(loop_mode: str, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    store.write_bytes(b"no database" * 1_000)
    with Origin({"/robots.txt": robots(f"User-agent: *\nDisallow: /{os.urandom(20_000).hex()}")}) as site:
        extensions = NOTED["EXTENSIONS"] | {"project_parts.NoRoomOnDisk": 0}
        settings = {"EXTENSIONS": extensions, "POLITE_STORE": str(store), arguments.RUN_WRITE: 0.1}
        crawled = crawl(
            loop_mode, [f"{site.url}/{n}" for n in range(9)], settings | {"DOWNLOAD_DELAY": 0.1}, folder=tmp_path
        )
    found = {kind: text for kind, _, text in alerts(crawled)}
    assert found.keys() == {"store-lost", "disk-full"}
    assert str(store) in found["store-lost"]
    assert "cannot be written: [Errno 27] File too large" in found["disk-full"]
    assert len(crawled.urls) == 9


# What takes longer to come about than a test may


def told(settings: Mapping[str, Any] | None = None) -> tuple[Any, list[Any]]:
    """A crawler whose spider is not open, and the alerts that it sends from now on."""
    made = crawler(settings)
    extension, found = Alerts.from_crawler(made), []
    made.own_alerts = extension

    def note(alert: Any) -> None:
        found.append(alert)

    made.own_note = note
    made.signals.connect(note, polite_alert)
    return made, found


GROUP = Quarantine("shop.example", "/calendar?m", "silent", "of its last 50 pages none says anything new", (), 0.0, 9e9)


@pytest.mark.parametrize(
    ("event", "kind", "host", "text"),
    [
        (
            GroupEnded(GROUP),
            "new-trap",
            "shop.example",
            "shop.example: /calendar?m is followed no further (silent: of its",
        ),
        (
            LimitUnmet(
                "CLOSESPIDER_TIMEOUT", "shop.example", 9e9, 0.2, 80, "20 % of shop.example by 18:00", "Raise it."
            ),
            "limit-missed",
            "shop.example",
            "20 % of shop.example by 18:00; 80 requests are left then. Raise it.",
        ),
        (Fault("queue", "the queue cannot be read"), "queue-failing", "", "the queue cannot be read"),
        (Fault("queue", "x: database or disk is full"), "disk-full", "", "x: database or disk is full"),
        (Fault("store", "\x1b[31m\u202ehttp://u:p@x"), "store-lost", "", r"\x1b[31m\u202ehttp://***@x"),
    ],
    ids=lambda value: value if isinstance(value, str) and "-" in value else "",
)
def test_what_events_tell_becomes_one_alert_each(event: Any, kind: str, host: str, text: str) -> None:
    made, found = told()
    for _ in range(3):
        shared(made, Events).publish(event)
    (alert,) = found
    assert (alert.kind, alert.host) == (kind, host)
    assert alert.text.startswith(text)
    assert alert.text.isprintable()
    assert shared(made, Measures).alerts == {kind: 1}


@pytest.mark.parametrize(
    "reason", [*BAD_ENDINGS, "finished", "polite_waiting", "shutdown", "closespider_timeout", "my own"]
)
def test_an_end_before_the_work_is_done_is_told(reason: str) -> None:
    made, found = told()
    made.own_alerts._spider_closed(reason)
    expected = [f"the crawl has ended as {reason!r}: {BAD_ENDINGS[reason]}"] if reason in BAD_ENDINGS else []
    assert [alert.text for alert in found] == expected
