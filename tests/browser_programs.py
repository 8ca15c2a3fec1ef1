"""What tests/browser needs that no Python package has: Chromium and Prometheus' promtool, from Debian's packages.

    python tests/browser_programs.py

installs what is missing, by apt-get, as root or with sudo: Chromium on the machine, promtool into the folder of this
Python's environment alone, so that no service of the package `prometheus` starts. A program that is on PATH already is
taken as it is. Where something cannot be had it says what, and exits with 1.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

_BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
#: Where promtool of the package `prometheus` is put.
_FOLDER = Path(sys.prefix) / "opt" / "prometheus"
#: apt-get waits so long for another that is at work.
_APT = ("apt-get", "--quiet=2", "-o", "DPkg::Lock::Timeout=120")


def chromium() -> str:
    """The path of Chromium. Raises LookupError."""
    for name in _BROWSERS:
        if path := shutil.which(name):
            return path
    raise LookupError(f"there is no Chromium on PATH (as {', '.join(_BROWSERS)})")


def promtool() -> str:
    """The path of promtool. Raises LookupError."""
    for path in (shutil.which("promtool"), shutil.which("promtool", path=str(_FOLDER))):
        if path:
            return path
    raise LookupError(f"there is no promtool on PATH or in {_FOLDER}")


def _install_chromium() -> None:
    _with_new_lists(
        [
            *_as_root(),
            "env",
            "DEBIAN_FRONTEND=noninteractive",
            *_APT,
            "install",
            "-y",
            "--no-install-recommends",
            "chromium",
        ]
    )


def _install_promtool() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)  # apt-get downloads as another user, where it can
        _with_new_lists([*_APT, "download", "prometheus"], folder)
        (package,) = Path(folder).glob("prometheus_*.deb")
        whole = Path(folder, "whole")
        _run(["dpkg-deb", "--extract", str(package), str(whole)])
        _FOLDER.mkdir(parents=True, exist_ok=True)
        shutil.copy2(whole / "usr" / "bin" / "promtool", _FOLDER)


def _with_new_lists(command: Sequence[str], folder: str | None = None) -> None:
    """Run a command of apt-get; where it fails, once more with new lists of packages."""
    if not shutil.which("apt-get"):
        raise LookupError("there is no apt-get here")
    try:
        _run(command, folder)
    except LookupError:
        _run([*_as_root(), *_APT, "update"])
        _run(command, folder)


def _as_root() -> list[str]:
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        return ["sudo", "--non-interactive"]
    raise LookupError("that takes root or sudo")


def _run(command: Sequence[str], folder: str | None = None) -> None:
    try:
        done = subprocess.run(command, check=False, cwd=folder, capture_output=True, encoding="utf-8", timeout=600)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise LookupError(f"`{' '.join(command)}`: {error}") from error
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise LookupError(f"`{' '.join(command)}`: {said[-1] if said else f'exit status {done.returncode}'}")


def main() -> int:
    for program, package, install in (
        (chromium, "chromium", _install_chromium),
        (promtool, "prometheus", _install_promtool),
    ):
        began = time.monotonic()
        try:
            print(program())
            continue
        except LookupError:
            pass
        try:
            install()
            print(f"{program()} (installed in {time.monotonic() - began:.0f} s)", flush=True)
        except (LookupError, OSError) as error:
            print(
                f"tox -e browser needs {program.__name__}, of Debian's package {package}, and cannot install it: "
                f"{error}. Put {program.__name__} on PATH.",
                file=sys.stderr,
            )
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
