"""Many seeds in a queue in memory: none of them is an object that the garbage collector visits."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from weakref import ref

import pytest
from scrapy import Request

from queues import closing
from scrapy_polite.frontier.codec import Codec
from scrapy_polite.frontier.memory import MemoryQueue
from scrapy_polite.frontier.sqlite.queue import SqliteQueue
from scrapy_polite.services.seeds import seed, seed_of

START = Request("http://a.example/", headers={"A": "b"}, cb_kwargs={"c": [1]}, priority=3)


def test_seeds_come_out_as_they_went_in_and_none_is_held_meanwhile() -> None:
    queue, template = MemoryQueue(), seed(START, "http://a.example/s.xml")
    metas: list[dict[str, Any]] = [{}, {"polite_sitemap": {"lastmod": "2026-11-01"}, "polite_found": True}]
    held = []
    for number, meta in enumerate(metas):
        request = seed_of(template, f"http://a.example/{number}", meta)
        held.append(ref(request))
        queue.push("lane", (0, number), request)
    del request
    assert [request() for request in held] == [None, None]
    for number, meta in enumerate(metas):
        peeked, popped = queue.peek("lane"), queue.pop("lane").request
        assert peeked is popped
        assert popped.to_dict() == template.replace(url=f"http://a.example/{number}", meta=meta).to_dict()
        assert popped.cb_kwargs["c"] is START.cb_kwargs["c"]
    held_template = ref(template)
    del template, peeked, popped
    assert held_template() is None


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda request: request.headers.update({"D": "e"}), id="another header"),
        pytest.param(lambda request: request.meta.update(object=object()), id="an object in meta"),
    ],
)
def test_a_seed_that_somebody_has_changed_stays_as_it_is(change: Any) -> None:
    queue, request = MemoryQueue(), seed_of(seed(START, START.url), "http://a.example/1", {})
    change(request)
    queue.push("lane", (0, 0), request)
    assert queue.pop("lane").request is request


def test_a_queue_on_disk_holds_seeds_as_they_are_written(tmp_path: Path) -> None:
    with closing(SqliteQueue(tmp_path / "queue.sqlite", Codec(), None)) as queue:
        queue.open().result()
        request = seed_of(seed(START, START.url), "http://a.example/1", {"a": 1})
        held = ref(request)
        queue.push("lane", (0, 0), request)
        del request
        assert held() is None
        assert queue.pop("lane").request.url == "http://a.example/1"
