"""What a machine can hold of the package's structure: imports go down, and backends are named in their own rooms.

What is private in Scrapy is touched in one room.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest

import scrapy_polite

PACKAGE = Path(scrapy_polite.__file__).parent
#: Rooms from top to bottom: each imports only from rows below its own, or from its own room.
FLOORS = (
    ("__init__", "commands", "spidermon"),
    ("_addon",),
    ("monitor",),
    ("downloadermiddlewares", "spidermiddlewares"),
    ("_recrawl",),
    ("_link_filters", "frontier"),
    ("_seeds",),
    ("dupefilters", "services"),
    ("events",),
    ("_engine", "identity"),
    ("_scrapy",),
    ("settings", "_crawl", "_project", "signals"),
    ("metrics", "watch"),
    ("blacklist", "traps", "pacing", "recrawl", "runs"),
    ("visited",),
    ("serve",),
    ("robots", "sitemaps"),
    ("store",),
    ("_redis",),
    ("_commandline", "_loop", "alert", "clock", "decision", "links", "origin", "seeds", "takedown", "text"),
)
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
#: A backend's classes, and the rooms (or modules) that may name them: where they are, and the one that makes them.
BACKENDS = {
    "SqliteStore": {"store.sqlite", "store.factory"},
    "SqlitePages": {"store.sqlite", "store.factory"},
    "MemoryStore": {"store.memory", "store.factory"},
    "SqliteQueue": {"frontier.sqlite", "frontier.backends"},
    "MemoryQueue": {"frontier.memory", "frontier.backends"},
    "RedisStore": {"store.redis", "store.factory"},
    "RedisPages": {"store.redis", "store.factory"},
    "RedisQueue": {"frontier.redis", "frontier.backends"},
}
#: Backends' own rooms, each with the only modules elsewhere that import from it.
BACKEND_ROOMS = {
    "store.sqlite": {"store.factory"},
    "store.memory": {"store.factory"},
    "store.redis": {"store.factory"},
    "frontier.redis": {"frontier.backends"},
    "_redis": {"store.redis", "store.factory", "frontier.redis", "frontier.backends"},
}
#: Where the client of a Redis server is named.
REDIS_ROOMS = {"_redis", "store.redis", "frontier.redis"}
#: The room that touches what is private in Scrapy, and in the HTTP clients beneath it.
PRIVATE_ROOM = "_scrapy"
#: What it touches that has no leading underscore, or has the name of an attribute of the package.
UNDOCUMENTED_IN_SCRAPY = frozenset(
    {
        "_limit",
        "_parser",
        "_slot",
        "buildProtocol",
        "downloader",
        "get_slot_key",
        "heartbeat",
        "inprogress",
        "lineLengthExceeded",
        "line_mode",
        "needs_backout",
        "nextcall",
        "per_slot_settings",
        "randomize_delay",
        "retryAutomatically",
        "scraper",
        "throttler",
        "total_concurrency",
    }
)


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


@lru_cache(maxsize=1)
def _trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in MODULES.items()}


@cache
def _imports(module: str) -> set[str]:
    """The modules of the package that one imports, those for types alone included."""
    is_package = MODULES[module].name == "__init__.py"
    found = set()
    for node in ast.walk(_trees()[module]):
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


@cache
def _names(module: str) -> set[str]:
    """The names that a module uses, and those that it imports from others."""
    nodes = list(ast.walk(_trees()[module]))
    imported = (alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names)
    return {node.id for node in nodes if isinstance(node, ast.Name)}.union(imported)


def test_every_room_has_its_floor() -> None:
    assert {_room(module) for module in MODULES} == set(FLOOR_OF)


def test_a_room_imports_only_from_rooms_below() -> None:
    """Which module imports what from a room that is not below its own."""
    wrong = {
        (module, other)
        for module in MODULES
        for other in _imports(module)
        if _room(other) != _room(module) and FLOOR_OF[_room(other)] <= FLOOR_OF[_room(module)]
    }
    assert wrong == set()


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
    naming = {module.partition(".")[2] for module in MODULES if backend in _names(module)}
    assert {module for module in naming if not _is_in(module, BACKENDS[backend])} == set()


@pytest.mark.parametrize("room", BACKEND_ROOMS)
def test_a_backends_room_is_entered_through_its_factory_only(room: str) -> None:
    entering = {
        module.partition(".")[2]
        for module in MODULES
        if any(_is_in(other.partition(".")[2], {room}) for other in _imports(module))
    }
    assert {module for module in entering if not _is_in(module, {room, *BACKEND_ROOMS[room]})} == set()


def test_redis_is_imported_in_its_rooms_only() -> None:
    importing = {
        module.partition(".")[2]
        for module, tree in _trees().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "redis" for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").split(".")[0] == "redis")
    }
    assert {module for module in importing if not _is_in(module, REDIS_ROOMS)} == set()


def _is_in(module: str, rooms: set[str]) -> bool:
    return any(module == room or module.startswith(f"{room}.") for room in rooms)


def _given_to_itself(tree: ast.Module) -> Iterator[str]:
    """The attributes that the classes of a module give themselves, and its functions and methods."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=ast.Tuple(elts=names)):
                yield from (name.value for name in names if isinstance(name, ast.Constant))


def _used_of_others(tree: ast.Module) -> Iterator[str]:
    """The attributes that a module uses, by a dot or by `getattr` and its like, but for those of `self` and `cls`."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls")):
                pass
            case ast.Attribute(attr=name):
                yield name
            case ast.Call(
                func=ast.Name(id="getattr" | "setattr" | "hasattr"), args=[_, ast.Constant(value=str(name)), *_]
            ):
                yield name


@lru_cache(maxsize=1)
def _own_names() -> set[str]:
    """An attribute of this name is taken for the package's own, whosever it is."""
    names = {name for module in MODULES if _room(module) != PRIVATE_ROOM for name in _given_to_itself(_trees()[module])}
    return names | {"_asdict", "_replace"}  # of named tuples


def _private_of_others(module: str) -> set[str]:
    return {
        name
        for name in _used_of_others(_trees()[module])
        if name in UNDOCUMENTED_IN_SCRAPY
        or (name.startswith("_") and not name.startswith("__") and name not in _own_names())
    }


def test_what_is_private_in_scrapy_is_touched_in_one_room() -> None:
    touched = {module: _private_of_others(module) for module in MODULES if _room(module) != PRIVATE_ROOM}
    assert {module: names for module, names in touched.items() if names} == {}


def test_every_name_that_is_watched_for_is_used_in_that_room() -> None:
    used = {name for module in MODULES if _room(module) == PRIVATE_ROOM for name in _private_of_others(module)}
    assert used >= UNDOCUMENTED_IN_SCRAPY | {"_start", "_get_handler", "_parse_sitemap", "_pool", "_session"}
