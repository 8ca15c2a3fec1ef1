"""`python tests/check_wheel.py FOLDER`: the one wheel of a folder holds the whole package, and works where only it and
what it requires are installed. Raises where it does not."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

WHEN_INSTALLED = """
import importlib, importlib.metadata, pkgutil
import scrapy_polite

installed = importlib.metadata.distribution("scrapy-polite")
assert installed.version == scrapy_polite.__version__, (installed.version, scrapy_polite.__version__)
for module in pkgutil.walk_packages(scrapy_polite.__path__, "scrapy_polite."):
    if module.name != "scrapy_polite.spidermon":
        importlib.import_module(module.name)
try:
    importlib.import_module("scrapy_polite.spidermon")
except ImportError as error:
    assert "pip install spidermon" in str(error), error
# Scrapy makes one of each at every command, so that one that cannot be made breaks all of `scrapy`.
commands = {entry.name: entry.load()() for entry in installed.entry_points.select(group="scrapy.commands")}
assert sorted(commands) == ["polite", "robots"], commands
print("scrapy-polite", installed.version, "installed, with the commands", *sorted(commands))
"""


#: Of code, and of what goes with it.
_ENDINGS = (".py", "/py.typed", ".txt", ".lua", ".html", ".css", ".js", ".json", ".yml")


def package_files(names: list[str]) -> set[str]:
    return {name for name in names if name.startswith("scrapy_polite/") and name.endswith(_ENDINGS)}


def main(folder: str) -> None:
    (wheel,) = Path(folder).glob("*.whl")
    in_tree = package_files([path.relative_to(ROOT).as_posix() for path in (ROOT / "scrapy_polite").rglob("*.*")])
    in_wheel = package_files(zipfile.ZipFile(wheel).namelist())
    if "scrapy_polite/py.typed" not in in_wheel or in_wheel != in_tree:
        sys.exit(f"{wheel.name} and the source differ in {sorted(in_wheel ^ in_tree)}")

    with tempfile.TemporaryDirectory() as clean:
        venv.create(clean)
        python = str(Path(clean, "Scripts" if sys.platform == "win32" else "bin", "python"))
        pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
        for command in (
            [*pip, "install", "--quiet", "--no-compile", str(wheel)],
            [*pip, "check"],
            [python, "-I", "-c", WHEN_INSTALLED],
        ):
            subprocess.run(command, check=True, cwd=clean)


if __name__ == "__main__":
    main(*sys.argv[1:])
