"""The site of the documentation: Sphinx, with pages in Markdown (MyST) and the theme Furo.

    sphinx-build --fail-on-warning --keep-going docs build/docs

The generated parts of the pages are docs/build.py's. The site loads nothing from other hosts, so that it can be read
without a network, and tells nobody who reads it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sphinx.errors import ExtensionError

if TYPE_CHECKING:
    from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # this tree, whatever is installed

import scrapy_polite

project = "scrapy-polite"
author = "the scrapy-polite developers"
version = release = scrapy_polite.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
#: Links to headings are checked as far down as this, with the anchors that GitHub gives them.
myst_heading_anchors = 4

#: What is quoted here is to be copied: no typographic quotes and dashes.
smartquotes = False

#: Docstrings are plain text with names in single backticks.
default_role = "literal"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
add_module_names = False

html_theme = "furo"
#: Output of 100 columns fits without scrolling.
html_theme_options = {"light_css_variables": {"code-font-size": "0.73rem"}}
html_title = f"scrapy-polite {version}"
html_copy_source = False
html_show_copyright = False

_LOADED = re.compile(
    r"<(?:script|img|iframe|source|link(?![^>]*rel=\"(?:canonical|author)\"))\b[^>]*?"
    r"\b(?:src|srcset|href)=\"((?:https?:)?//[^\"]+)"
)
_LOADED_BY_CSS = re.compile(r"(?:@import\s+|url\()[\"']?((?:https?:)?//[^\"')]+)")


def _check_nothing_is_loaded_from_elsewhere(app: Sphinx, exception: Exception | None) -> None:
    if exception:
        return
    for pattern, found in (("*.html", _LOADED), ("*.css", _LOADED_BY_CSS)):
        for file in Path(app.outdir).rglob(pattern):
            if loaded := found.search(file.read_text(encoding="utf-8")):
                raise ExtensionError(f"{file.relative_to(app.outdir)} loads {loaded[1]} from another host")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", _check_nothing_is_loaded_from_elsewhere)
