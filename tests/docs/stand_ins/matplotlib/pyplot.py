"""What the documentation draws, held against what Matplotlib would take."""

import pathlib

import numpy as np

_lines = []


def plot(x, y, label=None):
    x, y = np.asarray(x), np.asarray(y)
    assert x.ndim == 1 and y.shape[0] == x.size > 1, "one value or row for each x"
    columns = 1 if y.ndim == 1 else y.shape[1]
    labels = [label] if label is None or isinstance(label, str) else list(label)
    assert len(labels) in (1, columns), "a label for each line"
    _lines.extend(str(each) for each in labels)


def _text(text):
    assert isinstance(text, str)


def legend():
    assert _lines, "a legend without lines"


def savefig(name):
    assert _lines, "an empty picture"
    pathlib.Path(name).write_text("\n".join(_lines))


def show():
    assert _lines, "an empty picture"


xlabel = ylabel = title = _text
