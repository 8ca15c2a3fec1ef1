"""What deciding a run again takes, and whether it comes to the same: `scrapy polite what-if` of 100,000 URLs.

The run is of 500 hosts, each with a robots.txt of 200 rules of its own. Of 100 URLs 80 were fetched, 15 refused by
robots.txt, 3 by a blacklist of 100,000 hosts and URLs, and 2 by a URL rule. It is decided again with the settings that
it had, then with another robots.txt for all hosts.

    python benchmarks/what_if.py [--urls 100000]

Exits with 1 if a decision comes out otherwise than it was, if the other robots.txt changes other pages than it names,
or if either takes more than 20 s.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _crawls import verdict

from scrapy_polite.robots.cache import digest_of
from scrapy_polite.runs.files import new_worker
from scrapy_polite.runs.records import Page, Record, Refusal, Robots, written
from scrapy_polite.runs.writer import RunWriter

LIMIT_S = 20.0
HOSTS, RULES, LISTED = 500, 200, 100_000
STARTED = 1_700_000_000.0
#: Of 100 URLs, by what came of them.
SHARES = (("", 80), ("robots/disallow", 15), ("blacklist/url", 3), ("trap/path-depth", 2))
DEEP = "/".join(f"part-{letter}" for letter in "abcdefghijklmnopqrstuvwxy")
OTHER = "User-agent: *\nDisallow: /page/*7$\nCrawl-delay: 1\n"


def _robots(host: int) -> bytes:
    return b"User-agent: *\n" + b"".join(b"Disallow: /private/%d/%d/\n" % (host, rule) for rule in range(RULES))


def _records(urls: int) -> Iterator[Record]:
    outcomes = [reason for reason, share in SHARES for _ in range(share)]
    digests = [digest_of(_robots(host)) for host in range(HOSTS)]
    for host in range(HOSTS):
        yield Robots(STARTED, f"https://shop-{host}.example", 200, digests[host], f"{RULES} rules obeyed")
    for number in range(urls):
        host, reason, at = number % HOSTS, outcomes[number // HOSTS * 37 % 100], STARTED + number / 50
        origin, digest = f"https://shop-{host}.example", digests[host]
        rule = number // HOSTS % RULES
        path = {
            "": f"/page/{number}",
            "robots/disallow": f"/private/{host}/{rule}/{number}",
            "blacklist/url": f"/listed/{number % 100}",
            "trap/path-depth": f"/{DEEP}/{number}",
        }[reason]
        url = f"{origin}{path}"
        if reason:
            line = rule + 2 if reason == "robots/disallow" else 0
            yield Refusal(at, url, origin, reason, f"line {line}", line, "", 0, digest)
        else:
            yield Page(at, url, origin, 200, 0.2, 0.1, 9_000, 0.0, "", 0.0, "fresh", digest, 0)


def _write(root: Path, urls: int) -> Path:
    errors: list[OSError] = []
    writer = RunWriter(new_worker(root, "bench", STARTED), errors.append)
    writer.begin({"format": 1, "spider": "bench", "started": STARTED}, 1e12, 1e12)
    for host in range(HOSTS):
        body = _robots(host)
        writer.add_body(digest_of(body), body)
    for record in _records(urls):
        writer.add(written(record))
    writer.hand_over(json.dumps({"at": STARTED + urls / 50, "reason": "finished"}), last=True)
    writer.closed.result()
    if errors:
        raise errors[0]
    return writer.files.folder


def _what_if(folder: Path, run: Path, *arguments: str) -> tuple[dict[str, Any], float]:
    """What it says, and how long it took, the start of the process included."""
    settings = {
        "ADDONS": {"scrapy_polite.Addon": 300},
        "POLITE_BLACKLISTS": ["list.txt"],
        "POLITE_TRAPS": {"path-depth": "drop"},
        "POLITE_TRAP_LIMITS": {"max_depth": 20},
        "USER_AGENT": "benchbot/1.0 (+https://bench.example/)",
    }
    given = [word for name, value in settings.items() for word in ("-s", f"{name}={_text(value)}")]
    began = time.monotonic()
    command = [sys.executable, "-m", "scrapy", "polite", "what-if", str(run), "--json", *arguments, *given]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"what-if ended with exit status {done.returncode}\n{done.stderr[-2_000:]}")
    return json.loads(done.stdout), time.monotonic() - began


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ",".join(value) if isinstance(value, list) else json.dumps(value)


def _counts(changes: dict[str, Any]) -> dict[str, int]:
    return {reason: one["count"] for reason, one in changes.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=100_000)
    options = parser.parse_args()
    was = Counter(getattr(record, "reason", "") for record in _records(options.urls) if not isinstance(record, Robots))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        listed = (f"host-{number}.example" if number % 2 else f"x{number}.example/a" for number in range(LISTED))
        own = (f"shop-{host}.example/listed/" for host in range(HOSTS))
        (folder / "list.txt").write_text("\n".join([*listed, *own]))
        (folder / "robots.txt").write_text(OTHER)
        run = _write(folder / "runs", options.urls)
        same, same_s = _what_if(folder, run)
        other, other_s = _what_if(folder, run, "--robots", "robots.txt")
    print(f"{options.urls:,} URLs of {HOSTS} hosts: {dict(was)}")
    expected = sum(url.endswith("7") for url in (one.url for one in _records(options.urls) if isinstance(one, Page)))
    is_same = (same["alike"], same["not_fetched"], same["fetched"], same["unknown"]) == (options.urls, {}, {}, {})
    found = _counts(other["not_fetched"]), _counts(other["fetched"])
    is_other = found == ({"robots/disallow": expected}, {"robots/disallow": was["robots/disallow"]})
    good = [
        verdict(is_same, f"the settings that it had: {same['alike']:,} decided as they were"),
        verdict(is_other, f"another robots.txt: not fetched {found[0]}, fetched {found[1]}"),
        verdict(same_s <= LIMIT_S, f"in {same_s:.1f} s, limit {LIMIT_S:g}"),
        verdict(other_s <= LIMIT_S, f"in {other_s:.1f} s with another robots.txt, limit {LIMIT_S:g}"),
    ]
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
