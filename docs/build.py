"""Fill the generated parts of the documentation, then check all of it.

    python docs/build.py            fill, then check
    python docs/build.py --check    change nothing; what is out of date is shown as a diff

A generated part of a page stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`. What is checked, in
every page: that relative links name a file of the project and a heading in it, and that every `POLITE_*` name exists.
Nothing is asked of the network. Exit status 1 where something is wrong.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the documentation of this tree, whatever is installed

from scrapy_polite.decision import REASONS  # noqa: E402
from scrapy_polite.settings import PoliteSettings, setting_name  # noqa: E402

PAGES = ("*.md", "docs/**/*.md", "example_project/*.md", "benchmarks/*.md")

SETTINGS = {setting_name(field.name): field for field in fields(PoliteSettings)}
#: What looks like a setting and is none: environment variables of the tests and benchmarks.
ENVIRONMENT = frozenset({"POLITE_CORPUS"})

_GENERATED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
_FENCE = re.compile(r"^( *)(`{3,}|~{3,}).*?^ *\2[`~]*[ \t]*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
_TARGETS = (
    re.compile(r"\]\(\s*<?([^()\s>]+(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+[\"'][^)]*)?\)"),  # [text](target "title")
    re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)", re.MULTILINE),  # [label]: target
    re.compile(r"<(?:a|img|source)\b[^>]*\b(?:href|src|srcset)=[\"']([^\"']+)"),
)
_LABEL = re.compile(r"^ {0,3}\[([^\]]+)\]:", re.MULTILINE)
_LABEL_USED = re.compile(r"\[([^\[\]]+)\]\[([^\[\]]*)\]")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_ANCHOR = re.compile(r"<a\b[^>]*\b(?:id|name)=[\"']([^\"']+)")
_SETTING = re.compile(r"\bPOLITE_(?:[A-Z0-9_]*\*|[A-Z0-9_]*[A-Z0-9]\b)")
_WITH_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def literal(value: Any) -> str:
    """A default as one would write it in a project's settings."""
    if value is None:
        return "not set"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"`{int(value):_}`" if value == int(value) else f"`{value}`"
    return f"`{value!r}`"


def settings_table() -> str:
    return table(
        ("Setting", "Default", "Value", "Meaning"),
        (
            (f"`{name}`", literal(field.metadata["default"]), field.metadata["kind"].expected, field.metadata["text"])
            for name, field in SETTINGS.items()
        ),
    )


def reasons_table() -> str:
    return table(("Reason", "Meaning"), ((f"`{reason}`", meaning) for reason, meaning in REASONS.items()))


GENERATORS: dict[str, Callable[[], str]] = {"settings": settings_table, "reasons": reasons_table}


def filled(text: str) -> str:
    """The page with its generated parts made anew. Raises KeyError, which names the part, where none is known so."""
    return _GENERATED.sub(lambda part: f"{part[1]}{GENERATORS[part[2]]()}{part[3]}", text)


def slug(heading: str) -> str:
    """The anchor GitHub gives a heading: lower case, no punctuation, hyphens for spaces."""
    shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")


def anchors(text: str) -> set[str]:
    """The anchors of a Markdown page; the second heading of a name ends in `-1`, the third in `-2`."""
    prose = _FENCE.sub("", text)
    found = set(_ANCHOR.findall(prose))
    seen: dict[str, int] = {}
    for heading in _HEADING.findall(prose):
        name = slug(heading)
        count = seen[name] = seen.get(name, -1) + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def broken_links(page: Path, text: str) -> Iterator[str]:
    prose = _CODE.sub("", _FENCE.sub("", text))
    labels = {label.lower() for label in _LABEL.findall(prose)}
    for shown, label in _LABEL_USED.findall(prose):
        if (label or shown).lower() not in labels:
            yield f"link label [{label or shown}] is not defined"
    for pattern in _TARGETS:
        for target in pattern.findall(prose):
            if not _WITH_SCHEME.match(target) and (fault := link_fault(page, target)):
                yield f"link {target}: {fault}"


def link_fault(page: Path, target: str) -> str | None:
    """What is wrong with a relative link of a page, or None."""
    path, _, anchor = unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.is_relative_to(ROOT):
        return "leads out of the project"
    if not file.exists():
        return "no such file"
    if anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
        return "no such heading"
    return None


def unknown_settings(text: str) -> Iterator[str]:
    for found in _SETTING.finditer(text):
        name = found[0]
        if name.endswith("*"):
            known = any(setting.startswith(name[:-1]) for setting in SETTINGS)
        else:
            known = name in SETTINGS or name in ENVIRONMENT
        if not known:
            yield f"there is no setting {name}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Fill the generated parts of the documentation, then check all of it.")
    parser.add_argument("--check", action="store_true", help="change nothing")
    check = parser.parse_args().check

    pages = sorted(page for pattern in PAGES for page in ROOT.glob(pattern))
    faults = []
    generated = set()
    for page in pages:
        name = str(page.relative_to(ROOT))
        text = page.read_text(encoding="utf-8")
        generated |= {part[2] for part in _GENERATED.finditer(text)}
        new = filled(text)
        if new != text and check:
            sys.stdout.writelines(
                difflib.unified_diff(text.splitlines(True), new.splitlines(True), name, f"{name}, generated anew")
            )
            faults.append(f"{name}: out of date; run python docs/build.py")
        elif new != text:
            page.write_text(new, encoding="utf-8")
            print(f"{name}: written")
        faults += (f"{name}: {fault}" for fault in (*broken_links(page, new), *unknown_settings(new)))
    faults += (f"no page has the generated part {part!r}" for part in sorted(GENERATORS.keys() - generated))

    print("\n".join(faults) or f"{len(pages)} pages: nothing to mend")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
