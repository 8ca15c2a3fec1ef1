"""What setup.cfg says of dependencies, held against tox.ini and against what the package imports."""

from __future__ import annotations

import ast
import configparser
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def requirements(file: str, section: str, option: str, operator: str) -> dict[str, str]:
    """Version by name of the requirements that have the operator; those without a version are left out."""
    config = configparser.ConfigParser(interpolation=None)
    config.read(ROOT / file, encoding="utf-8")
    lines = config[section][option].splitlines()
    found = (re.fullmatch(rf"([\w.-]+){operator}([\w.]+)(?:;.*)?", line) for line in lines)
    return {match[1].lower().replace("-", "_"): match[2] for match in found if match}


def run_time_imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Top-level names of the modules that the code imports when it runs, not only when its types are checked."""
    for node in nodes:
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from run_time_imports(node.orelse)
            case ast.Import():
                yield from (alias.name.partition(".")[0] for alias in node.names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield module.partition(".")[0]
            case _:
                yield from run_time_imports(ast.iter_child_nodes(node))


def test_the_env_min_pins_every_dependency_to_its_lower_bound() -> None:
    lower_bounds = requirements("setup.cfg", "options", "install_requires", ">=")
    pins = requirements("tox.ini", "testenv:min", "deps", "==")
    assert lower_bounds
    assert pins == lower_bounds


#: What Scrapy brings, and what only one module needs, which says so.
BROUGHT = {"lxml", "pydispatch", "spidermon"}


def test_what_is_imported_is_what_is_required() -> None:
    """In rooms of an extra also what that brings."""
    imported = set()
    for module in (ROOT / "scrapy_polite").rglob("*.py"):
        imported |= set(run_time_imports([ast.parse(module.read_bytes())]))
    # `tomllib` came with Python 3.11.
    third_party = imported - sys.stdlib_module_names - {"scrapy_polite", "tomllib"}
    required = requirements("setup.cfg", "options", "install_requires", ">=").keys()
    extras = [
        requirements("setup.cfg", "options.extras_require", extra, ">=") for extra in ("prometheus", "redis", "report")
    ]
    assert third_party == BROUGHT.union(required, *extras)
