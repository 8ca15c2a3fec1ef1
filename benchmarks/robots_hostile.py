"""robots.txt files made to hurt: what each costs to read and to decide on once, ours beside Protego's.

    python benchmarks/robots_hostile.py

The stall is the longest time for which an asyncio event loop got no turn while a thread parsed the body: pure Python
hands over the interpreter every 5 ms, so a thread is all that a crawl needs. Protego runs in a process of its own that
is ended after a few seconds. Times are the processor's, but for the stall. Exits with 1 if a body takes 250 ms or 10
MB, a decision 50 ms, or a stall 100 ms.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import runpy
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from protego import Protego

from scrapy_polite.robots import RobotsTxt

HOSTILE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[1] / "tests" / "robots" / "hostile_bodies.py"))
AGENT = "scrapybot"
REPEATS = 5
PROTEGO_SECONDS = 4.0

MAX_TOTAL_MS = 250.0
MAX_DECISION_MS = 50.0
MAX_PEAK_MB = 10.0
MAX_STALL_MS = 100.0


def timed_ms(call: Callable[[], Any]) -> tuple[float, Any]:
    begin = process_time()
    result = call()
    return (process_time() - begin) * 1e3, result


def ours(body: bytes) -> tuple[float, float, str]:
    """Return ms of parsing and of the first decision, the best of five, and the decision's reason."""
    tries = []
    for _ in range(REPEATS):
        parse, robots_txt = timed_ms(lambda: RobotsTxt.parse(body, AGENT))
        first, decision = timed_ms(lambda robots_txt=robots_txt: robots_txt.decide(HOSTILE["URL"]))
        tries.append((parse, first, decision.reason))
    return min(tries)


def peak_mb(body: bytes) -> float:
    tracemalloc.start()
    try:
        RobotsTxt.parse(body, AGENT).decide(HOSTILE["URL"])
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


async def stall_ms(body: bytes) -> float:
    """Return the longest time that the event loop, which has nothing else to do, was kept from its next turn."""
    parsing = asyncio.ensure_future(asyncio.to_thread(RobotsTxt.parse, body, AGENT))
    longest, last = 0.0, perf_counter()
    while not parsing.done():
        await asyncio.sleep(0.001)
        now = perf_counter()
        longest, last = max(longest, now - last), now
    return longest * 1e3


def protego(bodies: Any, answers: Any) -> None:
    while (body := bodies.recv()) is not None:
        text = body.decode("utf-8-sig", "ignore")
        parse, parsed = timed_ms(lambda text=text: Protego.parse(text))
        first, _ = timed_ms(lambda parsed=parsed: parsed.can_fetch(HOSTILE["URL"], AGENT))
        answers.send((parse, first))


class ProtegoProcess:
    """Protego in another process, which is ended and begun again when it takes too long."""

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        context = multiprocessing.get_context("spawn")
        theirs, self._bodies = context.Pipe(duplex=False)
        self._answers, answers = context.Pipe(duplex=False)
        self._process = context.Process(target=protego, args=(theirs, answers), daemon=True)
        self._process.start()
        self._ask(b"User-agent: *", 60.0)

    def _ask(self, body: bytes, seconds: float) -> tuple[float, float] | None:
        self._bodies.send(body)
        return self._answers.recv() if self._answers.poll(seconds) else None

    def measure(self, body: bytes) -> str:
        answer = self._ask(body, PROTEGO_SECONDS)
        if answer is not None:
            return f"{answer[0]:>10,.1f}{answer[1]:>9,.2f}"
        self._process.kill()
        self._process.join()
        self._begin()
        return f"{f'not done in {PROTEGO_SECONDS:.0f} s':>19}"

    def end(self) -> None:
        self._bodies.send(None)
        self._process.join()


def main() -> int:
    theirs = ProtegoProcess()
    print(f"{'':<40}{'ours: parse':>12}{'decide':>8}{'peak':>7}{'stall':>7}{'Protego: parse':>16}{'decide':>8}")
    print(f"{'':<40}{'ms':>12}{'ms':>8}{'MB':>7}{'ms':>7}{'ms':>16}{'ms':>8}")
    worst = {"parse and decide, ms": 0.0, "decide, ms": 0.0, "peak, MB": 0.0, "stall, ms": 0.0}
    for name, body in HOSTILE["BODIES"].items():
        parse, first, reason = ours(body)
        peak = peak_mb(body)
        stall = min(asyncio.run(stall_ms(body)) for _ in range(REPEATS))
        peer = theirs.measure(body)
        costly = "  too costly: refused" if reason == "robots/too-costly" else ""
        print(f"{name:<40}{parse:>12.1f}{first:>8.2f}{peak:>7.1f}{stall:>7.1f}     {peer}{costly}", flush=True)
        for what, figure in zip(worst, (parse + first, first, peak, stall), strict=True):
            worst[what] = max(worst[what], figure)
    theirs.end()

    print()
    holds = True
    limits = (MAX_TOTAL_MS, MAX_DECISION_MS, MAX_PEAK_MB, MAX_STALL_MS)
    for (what, figure), limit in zip(worst.items(), limits, strict=True):
        holds &= figure < limit
        print(f"{'ok  ' if figure < limit else 'FAIL'} {what}: at most {figure:.1f}, limit {limit:.0f}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
