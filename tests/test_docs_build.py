"""docs/build.py fills and checks what it is there to fill and check."""

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
    ("text", "faults"),
    [
        ("`POLITE_MODE`, POLITE_CORPUS, `POLITE_*` and `POLITE_ROBOTS_*`", []),
        ("`POLITE_MODES`", ["there is no setting POLITE_MODES"]),
        ("`POLITE_NOTHING_*`", ["there is no setting POLITE_NOTHING_*"]),
        ("`polite/backoffs`, `polite/pages/fresh`, `polite/refused/REASON`, `polite/traps/ended/KIND`", []),
        ("`polite/back_offs`", ["there is no stat polite/back_offs"]),
        ("`polite/refusals/robots/disallow`", ["there is no stat polite/refusals/robots/disallow"]),
        ("the store polite/polite.sqlite", []),
        ("`polite_refused`, `polite_waiting`, meta `polite_robots`, [link](settings.md#polite_mode)", []),
        ("`polite_refusal`", ["there is nothing named polite_refusal"]),
    ],
    ids=["settings", "no setting", "no prefix", "stats", "no stat", "no such stats", "a file", "names", "no name"],
)
def test_a_name_that_does_not_exist_is_found(text: str, faults: list[str]) -> None:
    assert list(build.unknown_names(text)) == faults


def test_a_stat_that_the_reference_lacks_is_found() -> None:
    page = (ROOT / "docs" / "reference.md").read_text("utf-8")
    assert list(build.missing_stats(page)) == []
    assert list(build.missing_stats(page.replace("`polite/backoffs`", ""))) == ["it has no stat polite/backoffs"]


def test_a_page_that_is_out_of_date_is_filled_anew() -> None:
    old = "before\n<!-- generated: reasons -->\nold\n<!-- end of reasons -->\nafter\n"
    new = build.filled(old)
    assert new.startswith("before\n<!-- generated: reasons -->\n## robots\n\n| Reason | Meaning |")
    assert new.endswith(".\n<!-- end of reasons -->\nafter\n")
    assert build.filled(new) == new


def test_every_setting_has_a_heading_and_every_reason_a_row() -> None:
    settings, reasons = build.GENERATORS["settings"](), build.GENERATORS["reasons"]()
    assert all(f"## {name}\n" in settings for name in build.SETTINGS)
    assert all(f"| `{reason}` |" in reasons for reason in build.REASONS)


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("scrapy_robots_check", ["scrapy robots check [--agent NAME]", "| `--file PATH` |"]),
        (
            "scrapy_polite_traps",
            ["scrapy polite traps release [--store STORE] SITE [PATTERN]`", "| `PATTERN` |"],
        ),
        ("scrapy_robots_export", ["scrapy robots export [--store STORE] FILE"]),
    ],
)
def test_a_command_has_its_forms_and_options(name: str, texts: list[str]) -> None:
    page = build.GENERATORS[name]()
    assert all(text in page for text in texts)


def test_components_stand_under_their_public_paths() -> None:
    page = build.GENERATORS["components"]()
    assert "| `scrapy_polite.downloadermiddlewares.RobotsTxtMiddleware` | `DOWNLOADER_MIDDLEWARES` | 100 |" in page
    assert "| `scrapy_polite.frontier.Scheduler` | `SCHEDULER` |" in page


def test_what_is_private_in_scrapy_has_a_row_with_its_fallback() -> None:
    page = build.GENERATORS["private"]()
    assert (
        "| `engine.wake` | Have the engine ask the scheduler again, soon | `engine._slot.nextcall.schedule()` |" in page
    )
    assert "| the engine asks again within 5 s, its heartbeat |" in page
    rows = [line.strip("| \n").split(" | ") for line in page.splitlines()]
    assert all(len(row) == 6 and all(row) for row in rows)
