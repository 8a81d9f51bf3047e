"""Runs notebooks without Jupyter, and writes them as pages with what they print and show."""

import ast
import contextlib
import html
import io
import json
import pathlib
import re
import sys
import traceback

FRAME = re.compile(r'<iframe srcdoc="([^"]*)" sandbox="allow-scripts"')


class CellError(Exception):
    """A cell has raised."""


def cells(path):
    """(kind, source) of each cell."""
    notebook = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    return [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]


def evaluate(source, name, namespace):
    """Executes a cell; the value of its last expression, None where a semicolon ends it."""
    tree = ast.parse(source, name)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, name, "exec"), namespace)
    return None if last is None else eval(compile(last, name, "eval"), namespace)


def shown(value):
    """What a notebook shows of a value: (format, text)."""
    for kind in ("html", "svg"):
        represent = getattr(value, f"_repr_{kind}_", None)
        if represent is not None and (text := represent()) is not None:
            return kind, text
    return "text", repr(value) + "\n"


def open_figures():
    """The figures that a cell has left open, as SVG; closes them."""
    if "matplotlib.pyplot" not in sys.modules:
        return []
    import matplotlib
    from matplotlib import pyplot

    pictures = []
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "spacedyn"}):
        for number in pyplot.get_fignums():
            file = io.StringIO()
            pyplot.figure(number).savefig(file, format="svg", metadata={"Date": None}, bbox_inches="tight")
            pictures.append(("svg", file.getvalue()[file.getvalue().index("<svg"):]))
    pyplot.close("all")
    return pictures


def run(path):
    """(kind, source, [(format, text)]) of each cell, run in the current folder. Raises CellError."""
    done, namespace = [], {"__name__": "__main__"}
    for number, (kind, source) in enumerate(cells(path)):
        outputs = []
        if kind == "code":
            printed = io.StringIO()
            try:
                with contextlib.redirect_stdout(printed):
                    value = evaluate(source, f"<cell {number}>", namespace)
            except Exception as error:
                raise CellError(f"{path}, cell {number}:\n{source}\n{traceback.format_exc()}") from error
            figures = open_figures()
            outputs = [("text", printed.getvalue())] if printed.getvalue() else []
            if value is not None and not (figures and type(value).__module__.startswith("matplotlib")):
                outputs.append(shown(value))
            outputs += figures
        done.append((kind, source, outputs))
    return done


def with_directives(text):
    """Formulas between dollars as those that Sphinx knows."""
    text = re.sub(r"\$\$\s*(.*?)\s*\$\$", r"```{math}\n\1\n```", text, flags=re.S)
    return re.sub(r"\$([^$]+)\$", lambda match: "{math}`" + " ".join(match.group(1).split()) + "`", text)


def as_page(done, name, write):
    """A page of Markdown for Sphinx; `write(file, text)` takes the pages of flights, which are framed from there."""
    parts, files = [], []

    def frame(match):
        files.append(f"{name}_{len(files) + 1}.html")
        write(files[-1], html.unescape(match.group(1)))
        return f'<iframe src="{files[-1]}" loading="lazy" title="Page of a flight"'

    for kind, source, outputs in done:
        parts.append(with_directives(source) if kind == "markdown" else f"```python\n{source}\n```")
        for form, text in outputs:
            if form == "text":
                parts.append(f"```text\n{text.rstrip()}\n```")
            else:
                text = "\n".join(line for line in FRAME.sub(frame, text).splitlines() if line.strip())
                parts.append(f'````{{raw}} html\n<div class="shown">{text}</div>\n````')
    return "\n\n".join(parts) + "\n"
