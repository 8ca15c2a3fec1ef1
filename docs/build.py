"""Fill the generated parts of the documentation, then check the names in all of it.

    python docs/build.py            fill, then check
    python docs/build.py --check    change nothing; what is out of date is shown as a diff

A generated part of a page stands between `<!-- generated: NAME -->` and `<!-- end of NAME -->`. What is checked, in
every page: that each `POLITE_*` setting, `polite/...` stat and `polite_*` name exists; and that the reference page has
every stat. Links are checked by Sphinx (docs/conf.py). Nothing is asked of the network. Exit status 1 where something
is wrong.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import lru_cache, partial
from importlib import import_module
from itertools import groupby
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # the documentation of this tree, whatever is installed

from scrapy import Spider  # noqa: E402
from scrapy.crawler import Crawler  # noqa: E402
from scrapy.settings import Settings  # noqa: E402

import scrapy_polite._scrapy  # noqa: E402
from scrapy_polite import Addon  # noqa: E402
from scrapy_polite._scrapy.private import USES  # noqa: E402
from scrapy_polite.alert import KINDS as ALERT_KINDS  # noqa: E402
from scrapy_polite.commands import Parser  # noqa: E402
from scrapy_polite.commands.polite import PoliteCommand  # noqa: E402
from scrapy_polite.commands.robots import RobotsCommand  # noqa: E402
from scrapy_polite.decision import REASONS  # noqa: E402
from scrapy_polite.metrics.names import METRICS  # noqa: E402
from scrapy_polite.robots.lint import KINDS as LINT_KINDS  # noqa: E402
from scrapy_polite.robots.lint.online import ONLINE_KINDS  # noqa: E402
from scrapy_polite.runs.records import KINDS, fields_of  # noqa: E402
from scrapy_polite.settings import PoliteSettings, setting_name  # noqa: E402

if TYPE_CHECKING:
    from scrapy_polite.commands import SubcommandsCommand

PAGES = ("*.md", "docs/**/*.md", "example_project/*.md", "benchmarks/*.md")

SETTINGS = {setting_name(field.name): field for field in fields(PoliteSettings)}
#: What looks like a setting and is none: environment variables of the tests and benchmarks.
ENVIRONMENT = frozenset({"POLITE_CORPUS"})
#: The page that says more of the reasons that begin so.
REASON_PAGES = {
    "robots": "robots.md",
    "pace": "pacing.md",
    "trap": "traps.md",
    "directives": "directives.md",
    "blacklist": "blacklists.md",
    "visited": "frontier.md#what-counts-as-seen",
}
COMMANDS: tuple[type[SubcommandsCommand], ...] = (RobotsCommand, PoliteCommand)

_GENERATED = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
_SETTING = re.compile(r"\bPOLITE_(?:[A-Z0-9_]*\*|[A-Z0-9_]*[A-Z0-9]\b)")
#: A stat, or what stands in the stats with a part that varies: `polite/refused/REASON`.
_STAT = re.compile(r"`(polite/[\w/-]+)`")
#: A key of meta, a finish reason or a signal; `#polite_...` is the anchor of a setting.
_NAME = re.compile(r"(?<!#)\bpolite_[a-z_]+\b")


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


def settings_list() -> str:
    """A heading for each setting, so that a link can lead to it."""
    return "\n".join(
        f"## {name}\n\n{field.metadata['text']}\n\n"
        f"- Default: {literal(field.metadata['default'])}\n- Value: {field.metadata['kind'].expected}\n"
        for name, field in SETTINGS.items()
    )


def reasons_tables() -> str:
    parts = groupby(sorted(REASONS, key=lambda reason: list(REASON_PAGES).index(_part(reason))), _part)
    return "\n".join(
        f"## {part}\n\n"
        + table(("Reason", "Meaning"), ((f"`{reason}`", REASONS[reason]) for reason in reasons))
        + f"\nMore: [{REASON_PAGES[part].partition('.')[0]}]({REASON_PAGES[part]}).\n"
        for part, reasons in parts
    )


def _part(reason: str) -> str:
    return reason.partition("/")[0]


def components_table() -> str:
    """What the add-on sets in a project that has set nothing."""
    crawler = Crawler(Spider, Settings({"ADDONS": {Addon: 300}}))
    crawler.addons.load_settings(crawler.settings)
    rows = [
        (component, name, str(order))
        for name in ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "EXTENSIONS")
        for component, order in sorted(crawler.settings.getdict(name).items(), key=lambda item: item[1] or 0)
    ] + [(crawler.settings[name], name, "") for name in ("SCHEDULER", "DUPEFILTER_CLASS", "ROBOTSTXT_PARSER")]
    paths = ((part if isinstance(part, str) else public_path(part), *rest) for part, *rest in rows)
    ours = ((f"`{path}`", f"`{name}`", order) for path, name, order in paths if path.startswith("scrapy_polite."))
    return table(("Component", "Setting", "Order"), ours)


def public_path(cls: type) -> str:
    """The shortest import path of a class."""
    package = cls.__module__.rpartition(".")[0]
    module = package if getattr(import_module(package), cls.__name__, None) is cls else cls.__module__
    return f"{module}.{cls.__name__}"


def private_table() -> str:
    """What is private in Scrapy, as the functions that use it say."""
    for module in iter_modules(scrapy_polite._scrapy.__path__):
        import_module(f"scrapy_polite._scrapy.{module.name}")
    rows = sorted((f"`{use.function}`", use.purpose, use.uses, use.versions, use.fallback, use.ask) for use in USES)
    return table(("Function", "What it does", "What it uses", "Scrapy", "Without it", "To ask of Scrapy"), rows)


def subcommands(command: type[SubcommandsCommand]) -> dict[str, Parser]:
    """The parsers of a command's subcommands, by name."""
    parser = Parser(f"scrapy {command.name}")
    command().add_subcommands(parser)
    return _within(parser)


def _within(parser: Parser) -> dict[str, Parser]:
    return dict(parser.subcommands.choices) if parser.subcommands else {}


def usage(command: type[SubcommandsCommand], name: str) -> str:
    """The forms of a subcommand, what each does, and what goes with it."""
    parser = subcommands(command)[name]
    forms = list(_within(parser).values()) or [parser]
    texts: dict[str, str] = {}
    for action in (action for form in forms for action in _actions(form) if action.help):
        texts.setdefault(f"`{_written(action)}`", str(action.help))
    forms_table = table(
        ("Command", "What it does"),
        ((f"`{' '.join([form.prog, *map(_in_usage, _actions(form))])}`", form.description or "") for form in forms),
    )
    return forms_table + ("\n" + table(("With it", "Meaning"), texts.items()) if texts else "")


def _actions(parser: Parser) -> list[argparse.Action]:
    """Options, then arguments, as a person writes them; but for --help, which all have."""
    actions = [action for action in parser._actions if action.dest != "help"]
    return sorted(actions, key=lambda action: not action.option_strings)


def _written(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else ""
    return " ".join([*action.option_strings[:1], *filter(None, [value])])


def _in_usage(action: argparse.Action) -> str:
    written = _written(action) + ("..." if action.nargs in ("+", "*") else "")
    return written if not action.option_strings and action.nargs not in ("?", "*") else f"[{written}]"


def run_lines() -> str:
    """The lines of a run record."""
    rows = (
        (f"`{word}`", ", ".join(f"`{name}`" for name in fields_of(cls)), " ".join((cls.__doc__ or "").split()))
        for word, cls in KINDS.items()
    )
    return table(("Word", "Values", "Meaning"), rows)


def metrics_table() -> str:
    """The metrics, with the label of each; those that all have are left out."""
    rows = (
        (f"`{metric.exported}`", metric.type, f"`{metric.label}`" if metric.label else "", metric.text)
        for metric in METRICS
    )
    return table(("Metric", "Type", "Label", "Meaning"), rows)


def alerts_table() -> str:
    rows = (
        (f"`{name}`", kind.meaning, kind.todo, ", ".join(f"`{rule}`" for rule in kind.rules))
        for name, kind in ALERT_KINDS.items()
    )
    return table(("Kind", "Meaning", "What to do", "The same by Prometheus"), rows)


def lint_table() -> str:
    """What `scrapy robots lint` finds."""
    kinds = (*LINT_KINDS.values(), *ONLINE_KINDS.values())
    rows = ((f"`{kind.id}`", kind.title, "error" if kind.proof else "hint") for kind in kinds)
    return table(("Id", "What is found", "At most"), rows)


GENERATORS: dict[str, Callable[[], str]] = {
    "settings": settings_list,
    "reasons": reasons_tables,
    "components": components_table,
    "private": private_table,
    "run_lines": run_lines,
    "metrics": metrics_table,
    "alerts": alerts_table,
    "lint_kinds": lint_table,
    **{
        f"scrapy_{command.name}_{name.replace('-', '_')}": partial(usage, command, name)
        for command in COMMANDS
        for name in subcommands(command)
    },
}


def filled(text: str) -> str:
    """The page with its generated parts made anew. Raises KeyError, which names the part, where none is known so."""
    return _GENERATED.sub(lambda part: f"{part[1]}{GENERATORS[part[2]]()}{part[3]}", text)


@lru_cache(maxsize=1)
def names_in_code() -> frozenset[str]:
    """The strings of the package; where one is put together, with NUL for what varies."""
    return frozenset(_strings())


def _strings() -> Iterator[str]:
    for file in (ROOT / "scrapy_polite").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
            elif isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values)


_FOLDERS = {"polite/lists", "polite/runs"}


@lru_cache(maxsize=1)
def stats() -> frozenset[str]:
    return frozenset(name for name in names_in_code() if re.fullmatch(r"polite/[\w/\0]*[\w\0]", name)) - _FOLDERS


def unknown_names(text: str) -> Iterator[str]:
    """What a page says of a setting, a stat or a key that there is none of."""
    for name in _SETTING.findall(text):
        if name.endswith("*"):
            known = any(setting.startswith(name[:-1]) for setting in SETTINGS)
        else:
            known = name in SETTINGS or name in ENVIRONMENT
        if not known:
            yield f"there is no setting {name}"
    for name in _STAT.findall(text):
        if not any(_is_stat(name, stat) for stat in stats()):
            yield f"there is no stat {name}"
    signals = (ROOT / "scrapy_polite" / "signals.py").read_text("utf-8")
    for name in _NAME.findall(text):
        if name not in names_in_code() and f"\n{name} = " not in signals:
            yield f"there is nothing named {name}"


def _is_stat(name: str, stat: str) -> bool:
    """Whether a stat of the code may have this name; what varies in its first part is a string of the code too."""
    match = re.fullmatch(re.escape(stat).replace("\0", "(.+)"), name)
    return match is not None and (not stat.startswith("polite/\0") or match[1].partition("/")[0] in names_in_code())


def missing_stats(text: str) -> Iterator[str]:
    """Stats of the package that a page does not name."""
    named = _STAT.findall(text)
    for stat in sorted(stats()):
        if not any(_is_stat(name, stat) for name in named):
            yield f"it has no stat {stat.replace(chr(0), '...')}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Fill the generated parts of the documentation, then check its names.")
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
        faults += (f"{name}: {fault}" for fault in unknown_names(new))
        if name == "docs/reference.md":
            faults += (f"{name}: {fault}" for fault in missing_stats(new))
    faults += (f"no page has the generated part {part!r}" for part in sorted(GENERATORS.keys() - generated))

    print("\n".join(faults) or f"{len(pages)} pages: nothing to mend")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
