"""What a machine can hold of the package's structure: imports go down, and backends are named in their own rooms."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

import scrapy_polite

PACKAGE = Path(scrapy_polite.__file__).parent
#: Rooms from top to bottom: each imports only from rows below its own, or from its own room.
FLOORS = (
    ("__init__", "commands"),
    ("_addon",),
    ("monitor",),
    ("downloadermiddlewares", "spidermiddlewares"),
    ("_link_filters", "frontier"),
    ("dupefilters", "services"),
    ("events", "_slots"),
    ("_engine", "identity"),
    ("settings", "_crawl", "_project", "signals"),
    ("visited", "blacklist", "traps", "pacing"),
    ("robots",),
    ("store",),
    ("_loop", "clock", "decision", "links", "origin", "text"),
)
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
#: A backend's classes, and the rooms that may name them: where they are, and who makes one as the settings say.
BACKENDS = {
    "SqliteStore": {"store", "services"},
    "MemoryStore": {"store", "services"},
    "SqliteQueue": {"frontier"},
    "MemoryQueue": {"frontier"},
}


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def _modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("scrapy_polite", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


def _imports(module: str) -> set[str]:
    """The modules of the package that one imports, those for types alone included."""
    is_package = MODULES[module].name == "__init__.py"
    found = set()
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = module.split(".")
                parents = parents[: len(parents) - node.level + is_package]
                base = ".".join([*parents, *([base] if base else [])])
            found.update(full if (full := f"{base}.{alias.name}") in MODULES else base for alias in node.names)
    return {name for name in found if name.split(".")[0] == "scrapy_polite"} - {module}


def test_every_room_has_its_floor() -> None:
    assert {_room(module) for module in MODULES} == set(FLOOR_OF)


@pytest.mark.parametrize("module", MODULES)
def test_a_room_imports_only_from_rooms_below(module: str) -> None:
    room = _room(module)
    for other in map(_room, _imports(module)):
        assert other == room or FLOOR_OF[other] > FLOOR_OF[room], f"{module} imports from {other}, which is not below"


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = {module: _imports(module) for module in MODULES}
    # A package's __init__ gathers what is in it.
    graph = {name: imports for name, imports in graph.items() if MODULES[name].name != "__init__.py"}
    state: defaultdict[str, int] = defaultdict(int)

    def visit(module: str, line: tuple[str, ...]) -> None:
        assert state[module] != 1, " imports ".join((*line[line.index(module) :], module))
        if state[module] == 0:
            state[module] = 1
            for other in graph.get(module, ()):
                visit(other, (*line, module))
            state[module] = 2

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_backend_is_named_in_its_own_rooms_only(backend: str) -> None:
    naming = {
        _room(module)
        for module, tree in TREES.items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Name) and node.id == backend)
        or (isinstance(node, ast.ImportFrom) and any(alias.name == backend for alias in node.names))
    }
    assert naming <= BACKENDS[backend]
