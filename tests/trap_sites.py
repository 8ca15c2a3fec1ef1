"""Sites with endless spaces on a real server, and what is finite beside them."""

from __future__ import annotations

from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from webserver import Answer, Asked, Origin, Table

SAME = "Nothing is on in this month; come back later, or look at one of the other months of this calendar. " * 5


def html(text: str, *links: str) -> Answer:
    anchors = "".join(f'<li><a href="{link}">more</a></li>' for link in links)
    body = f"<html><body><p>{text}</p><ul>{anchors}</ul></body></html>"
    return Answer(body=body.encode(), headers={"Content-Type": "text/html"})


def prose(seed: object, words: int = 60) -> str:
    rng = Random(str(seed))
    return " ".join("".join(rng.choices("abcdefghijklmnop", k=rng.randrange(3, 9))) for _ in range(words))


class Everything(dict[str, Any]):
    """A table that makes up an answer for every path but robots.txt."""

    def __init__(self, answer: Any, table: Table | None = None) -> None:
        super().__init__(table or {})
        self._answer = answer

    def get(self, path: str, default: Any = None) -> Any:
        found = super().get(path)
        return found or (default if path == "/robots.txt" else self._answer)


def endless(answer: Any, table: Table | None = None) -> Origin:
    origin = Origin({})
    origin.table = Everything(answer, table)
    return origin


def calendar(asked: Asked) -> Answer:
    at = int(dict(parse_qsl(urlsplit(asked.path).query)).get("m", 0))
    return html(f"{SAME} Month {at}.", f"/calendar?m={at + 1}", f"/calendar?m={at - 1}")


ARTICLES = {f"/article/{n}": html(prose(n), *(f"/article/{n + k}" for k in (1, 2) if n + k < 40)) for n in range(40)}
CALENDAR_AND_ARTICLES = {"/": html("Home", "/article/0", "/calendar?m=0")} | ARTICLES


def story_or_month(asked: Asked, stories: int = 150) -> Answer:
    """A story, which alone leads to the next one of `stories`, or a month without events, which has a link for each of
    its days; all are of one pattern."""
    kind, *numbers = asked.path.rpartition("/")[2].split("-")
    at = int(numbers[0])
    if kind == "story":
        return html(prose(asked.path), *([f"/x/story-{at + 1}"] if at < stories - 1 else []), "/x/month-1")
    if kind == "day":
        return html(SAME, f"/x/month-{at}")
    return html(SAME, f"/x/month-{at + 1}", *(f"/x/day-{at}-{day}" for day in range(28)))
