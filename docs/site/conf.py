"""Sphinx settings of the site; docs/site/build.py calls it."""

import html
import os
import sys

from docutils import nodes

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
html_static_path = [os.environ["SPACEDYN_SITE_FILES"]]
html_extra_path = [os.environ["SPACEDYN_EXTRA"]]
html_css_files = ["katex/katex.min.css", "formulas.css", "frames.css"]
html_js_files = ["katex/katex.min.js", "formulas.js"]
html_math_renderer = "katex"
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


def formula(tag, kind):
    """A visitor that leaves LaTeX to KaTeX, which draws it in the browser without a server."""

    def visit(translator, node):
        translator.body.append(f'<{tag} class="formula {kind}">{html.escape(node.astext())}</{tag}>')
        raise nodes.SkipNode

    return visit, None


def setup(app):
    app.add_html_math_renderer("katex", formula("span", "inline"), formula("div", "display"))
    app.connect("autodoc-process-docstring", escape)
