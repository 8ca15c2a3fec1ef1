"""`python -m scrapy_polite.robots`: the commands about robots.txt that need no project, without Scrapy."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence

from scrapy_polite._commandline import Parser, exit_status
from scrapy_polite.robots.subcommands import add_subcommands

_PROG = "python -m scrapy_polite.robots"


def main(words: Sequence[str]) -> int:
    """Run the command of these words and return its exit status."""
    parser = Parser(_PROG, description="Check, test, build and publish a robots.txt. No project is needed.")
    add_subcommands(parser)
    opts = Namespace()
    parser.take(words, opts)
    return exit_status(f"{_PROG} {words[0]}", lambda: int(opts.run(None, opts)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
