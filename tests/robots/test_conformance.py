"""Every case of the suites of Google, crawler-commons, RFC 9309 and Google's documentation that the corpus holds."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from scrapy_polite.robots import RobotsTxt

CORPUS: dict[str, Any] = runpy.run_path(str(Path(__file__).with_name("corpus.py")))

#: Cases that are decided otherwise, and the clause that says so.
DEVIATIONS = {
    "c0041": "`Foo Bar` is no product token (RFC 9309 §2.2.1): its leading token is `Foo`, which the group addresses. "
    "Google's test passes the whole on; crawler-commons' port of it (c0622) expects what we do.",
    "c0064": "A URL is percent-encoded before it is compared (RFC 9309 §2.2.2), which Google's test leaves to its "
    "caller; crawler-commons' port of it (c0645) expects what we do.",
    "c0066": "As c0064 (crawler-commons: c0647).",
    "c0648": "`Allow: /foo/bar/%62%61%7A` frees /foo/bar/baz by RFC 9309 §2.2.2 and not by Google's parser (c0067): "
    "the stricter of both counts.",
    "c0763": "`:` and `/` are reserved: a query with them and one with their escapes are different URLs (RFC 3986 "
    "§2.2), and RFC 9309 §2.2.2 unescapes no reserved character. Google's parser and crawler-commons keep them apart.",
    "c0765": "As c0763.",
}


@pytest.mark.skipif(CORPUS["MISSING"] is not None, reason=str(CORPUS["MISSING"]))
def test_suites_agree_but_for_the_listed_deviations() -> None:
    deviating = {
        case.name
        for case in CORPUS["conformance"]()
        if RobotsTxt.parse(case.body, case.agent).decide(case.url).allowed != case.allowed
    }
    assert deviating == set(DEVIATIONS)
