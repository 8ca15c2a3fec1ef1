"""`python tests/precompile.py FOLDER ...`: what tests of these folders import is compiled, their asserts are rewritten.

For new environments: pytest-xdist starts several processes at once, and each of them would do all of that by itself.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout

import pytest

import warm

if __name__ == "__main__":
    warm.load()
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        pytest.main(["--collect-only", "-q", *sys.argv[1:]])  # what cannot be imported is told when the tests run
