"""docs/build.py finds what it is there to find."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

_spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
assert _spec is not None
assert _spec.loader is not None
build = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(build)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[a](no-such-file.md)", id="no file"),
        pytest.param("![a](no-such-image.png 'title')", id="no image"),
        pytest.param("[`a`](settings.md#no-such-heading)", id="no heading"),
        pytest.param("[a](#no-such-heading)", id="no heading here"),
        pytest.param("[a](../../elsewhere.md)", id="outside the project"),
        pytest.param("[a]: no-such-file.md", id="label with no file"),
        pytest.param("[a][no-such-label]", id="no label"),
        pytest.param('<img src="no-such-image.png">', id="no image, HTML"),
    ],
)
def test_a_broken_link_is_found(text: str) -> None:
    assert len(list(build.broken_links(ROOT / "docs" / "settings.md", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[a](settings.md) and [b](../LICENSE)", id="files"),
        pytest.param("[a](settings.md#settings)", id="heading"),
        pytest.param("[a](https://example.com/no-such-file.md)", id="elsewhere"),
        pytest.param("`[a](no-such-file.md)`", id="code"),
        pytest.param("```\n[a](no-such-file.md)\n```\n", id="code block"),
        pytest.param("[a][label]\n\n[label]: settings.md", id="label"),
    ],
)
def test_a_good_link_is_no_fault(text: str) -> None:
    assert list(build.broken_links(ROOT / "docs" / "settings.md", text)) == []


def test_anchors_are_those_of_github() -> None:
    page = "# One, `two_three` & [four](x.md)!\n## Again\n## Again\n```\n# code\n```\n"
    assert build.anchors(page) == {"one-two_three--four", "again", "again-1"}


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("`POLITE_MODE`, POLITE_CORPUS, `POLITE_*` and `POLITE_ROBOTS_*`", []),
        ("`POLITE_MODES`", ["there is no setting POLITE_MODES"]),
        ("`POLITE_NOTHING_*`", ["there is no setting POLITE_NOTHING_*"]),
    ],
    ids=["known", "unknown", "unknown prefix"],
)
def test_an_unknown_setting_is_found(text: str, faults: list[str]) -> None:
    assert list(build.unknown_settings(text)) == faults


def test_a_page_that_is_out_of_date_is_filled_anew() -> None:
    old = "before\n<!-- generated: reasons -->\nold\n<!-- end of reasons -->\nafter\n"
    new = build.filled(old)
    assert new.startswith("before\n<!-- generated: reasons -->\n| Reason | Meaning |")
    assert new.endswith("|\n<!-- end of reasons -->\nafter\n")
    assert build.filled(new) == new
