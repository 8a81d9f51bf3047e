"""Sphinx settings of the site; docs/site/build.py calls it."""

import os
import sys

sys.path.insert(0, os.environ["SPACEDYN_PYTHON_PACKAGE"])

project = "spacedyn"
author = "spacedyn developers"
copyright = author
release = version = os.environ["SPACEDYN_VERSION"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]
exclude_patterns = ["**/figures/*.md"]

html_theme = "furo"
html_title = "spacedyn"
html_show_sphinx = False
html_copy_source = False
html_static_path = []
pygments_style = "friendly"
pygments_dark_style = "monokai"

primary_domain = "cpp"
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints = "none"


def escape(app, what, name, obj, options, lines):
    """Docstrings are plain text: |x| and a* mean what they say."""
    for i, line in enumerate(lines):
        parts = line.split("`")
        parts[::2] = [part.replace("|", r"\|").replace("*", r"\*") for part in parts[::2]]
        lines[i] = "`".join(parts)


def setup(app):
    app.connect("autodoc-process-docstring", escape)
